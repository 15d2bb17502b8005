//! Betting with fewer sizes, for trees that are too large.

use equipoise_cards::Street;

use crate::bet_menu::BetMenu;
use crate::bet_size::BetSize;
use crate::config::{StreetMenus, TreeConfig};

impl TreeConfig {
    /// The bet sizes of each street, once each.
    #[must_use]
    pub fn bet_sizes(&self) -> Vec<(Street, BetSize)> {
        let mut found: Vec<(Street, BetSize)> = Vec::new();
        for street in self.streets() {
            for menu in self.menus(street).into_iter().flat_map(menus_of) {
                for &size in menu.sizes() {
                    if !found.contains(&(street, size)) {
                        found.push((street, size));
                    }
                }
            }
        }
        found
    }

    /// The same betting without one size of a street.
    #[must_use]
    pub fn without_bet_size(&self, street: Street, size: BetSize) -> TreeConfig {
        let mut config = self.clone();
        for menu in config.menus_mut(street).into_iter().flat_map(menus_of_mut) {
            *menu = BetMenu::new(menu.sizes().iter().copied().filter(|&other| other != size).collect());
        }
        config
    }

    /// The most sizes that every menu may keep so that the measure finds the tree small enough: what is dropped, in words,
    /// and the measure. `measure` gets the number of sizes and the betting with them; `None` if that is still too large.
    pub fn thin_out(
        &self,
        mut measure: impl FnMut(usize, &TreeConfig) -> Option<u64>,
    ) -> Option<(String, u64)> {
        let most = self.streets().filter_map(|street| self.menus(street)).flat_map(menus_of);
        let most = most.map(|menu| menu.sizes().len()).max()?;
        let (mut low, mut high, mut found) = (1, most.saturating_sub(1), None);
        while low <= high {
            let middle = low.midpoint(high);
            let smaller = thinned(self, middle);
            match measure(middle, &smaller) {
                Some(measured) => {
                    found = Some((dropped(self, &smaller), measured));
                    low = middle + 1;
                }
                None => high = middle - 1,
            }
        }
        found.map(|(dropped, measured)| (format!("without {dropped}"), measured))
    }
}

/// Every menu with at most this many of its sizes, spread over it.
fn thinned(config: &TreeConfig, most: usize) -> TreeConfig {
    let mut config = config.clone();
    for street in config.streets() {
        for menu in config.menus_mut(street).into_iter().flat_map(menus_of_mut) {
            let sizes = menu.sizes();
            if sizes.len() <= most {
                continue;
            }
            let place =
                |i: usize| if most == 1 { sizes.len() / 2 } else { i * (sizes.len() - 1) / (most - 1) };
            *menu = BetMenu::new((0..most).map(|i| sizes[place(i)]).collect());
        }
    }
    config
}

/// The sizes that are gone, street by street; streets that lose the same stand together.
fn dropped(before: &TreeConfig, after: &TreeConfig) -> String {
    let mut lost: Vec<(String, Vec<String>)> = Vec::new();
    for street in before.streets() {
        let (Some(old), Some(new)) = (before.menus(street), after.menus(street)) else { continue };
        let mut sizes: Vec<String> = Vec::new();
        for (old, new) in menus_of(old).into_iter().zip(menus_of(new)) {
            let gone = old.sizes().iter().filter(|size| !new.sizes().contains(size));
            let gone: Vec<String> = gone.map(|size| format!("'{size}'")).collect();
            sizes.extend(gone.into_iter().filter(|size| !sizes.contains(size)).collect::<Vec<_>>());
        }
        let sizes = sizes.join(", ");
        match lost.iter_mut().find(|(known, _)| *known == sizes) {
            _ if sizes.is_empty() => {}
            Some((_, streets)) => streets.push(street.to_string()),
            None => lost.push((sizes, vec![street.to_string()])),
        }
    }
    let part = |(sizes, streets): (String, Vec<String>)| match streets.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{sizes} on the {} and {last}", first.join(", ")),
        _ => format!("{sizes} on the {}", streets.concat()),
    };
    lost.into_iter().map(part).collect::<Vec<_>>().join(" and ")
}

fn menus_of(menus: &StreetMenus) -> Vec<&BetMenu> {
    [&menus.oop.bet, &menus.oop.raise, &menus.ip.bet, &menus.ip.raise]
        .into_iter()
        .chain(&menus.donk)
        .collect()
}

fn menus_of_mut(menus: &mut StreetMenus) -> Vec<&mut BetMenu> {
    let StreetMenus { oop, ip, donk, .. } = menus;
    [&mut oop.bet, &mut oop.raise, &mut ip.bet, &mut ip.raise].into_iter().chain(donk).collect()
}
