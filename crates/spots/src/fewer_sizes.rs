//! Which bet sizes to drop where a tree is too large.
//!
//! Trees are counted, not built, and with a bound on the work: the search has to end before the reader of its advice gives
//! up. Small trees get the best advice, size by size. For large ones every menu is thinned out.

use std::collections::HashMap;

use crate::cards::Street;
use crate::game::{BetMenu, BetSize, StreetMenus, TreeConfig, TreeCount};
use crate::postflop::{Options, SpotCount};

/// Nodes that may be walked to choose sizes one by one: some tenths of a second.
const WORK: u64 = 1 << 20;
/// Sizes that are named one by one, unless there is no other way: nobody reads more.
const FEW: usize = 6;
/// Nodes that may be walked for one count while menus are thinned out.
const WORK_OF_ONE: u64 = 1 << 18;
/// What a count costs beside the nodes that it walks.
const WORK_OF_NONE: u64 = 1 << 8;

/// A spot with fewer and fewer sizes, found as far as somebody asks.
pub(crate) struct FewerSizes<'a> {
    whole: &'a SpotCount,
    options: &'a Options,
    limit: u64,
    is_cancelled: &'a dyn Fn() -> bool,
    work_left: u64,
    /// In the order in which sizes go; always the one whose loss saves most.
    steps: Vec<(String, SpotCount)>,
    is_over: bool,
    /// With so many sizes in every menu at most; nothing where that is too large.
    thinned: HashMap<usize, Option<SpotCount>>,
}

impl<'a> FewerSizes<'a> {
    pub(crate) fn new(
        whole: &'a SpotCount,
        options: &'a Options,
        limit: u64,
        is_cancelled: &'a dyn Fn() -> bool,
    ) -> FewerSizes<'a> {
        FewerSizes {
            whole,
            options,
            limit,
            is_cancelled,
            work_left: WORK,
            steps: Vec::new(),
            is_over: false,
            thinned: HashMap::new(),
        }
    }

    /// What to drop, in words, so that it fits with these options, and what it then takes. Where no size is left to drop
    /// and it still does not fit, what comes nearest.
    pub(crate) fn that_fit(&mut self, options: &Options) -> Option<(String, u64)> {
        if self.whole.memory(options).total() <= self.limit {
            return None;
        }
        let mut at = 0;
        loop {
            if at == FEW || (at == self.steps.len() && !self.extend()) {
                if let Some(found) = self.thinned(options) {
                    return Some(found);
                }
                if at == self.steps.len() && !self.extend() {
                    break;
                }
            }
            let total = self.steps[at].1.memory(options).total();
            at += 1;
            if total <= self.limit {
                return Some((self.named(at), total));
            }
        }
        self.steps.last().map(|(_, count)| (self.named(at), count.memory(options).total()))
    }

    /// The first steps, in words.
    fn named(&self, num_steps: usize) -> String {
        let names: Vec<&str> = self.steps[..num_steps].iter().map(|(name, _)| name.as_str()).collect();
        format!("without {}", names.join(", "))
    }

    /// Finds the next size to drop, if one saves anything.
    fn extend(&mut self) -> bool {
        if self.is_over {
            return false;
        }
        let now = self.steps.last().map_or(self.whole, |(_, count)| count).clone();
        let mut best: Option<(String, SpotCount, u64)> = None;
        for (street, size) in sizes(now.config()) {
            let smaller = without(now.config(), street, &size);
            if self.work_left == 0 || (self.is_cancelled)() {
                best = None;
                break;
            }
            let Ok(count) = now.with_betting(smaller, self.work_left, self.is_cancelled) else {
                self.work_left = 0;
                continue;
            };
            self.work_left = self.work_left.saturating_sub(WORK_OF_NONE + count.tree().work());
            let total = count.memory(self.options).total();
            if best.as_ref().is_none_or(|(_, _, least)| total < *least) {
                best = Some((format!("'{size}' on the {street}"), count, total));
            }
        }
        let best = best.filter(|(_, _, total)| *total < now.memory(self.options).total());
        self.is_over = best.is_none();
        self.steps.extend(best.map(|(name, count, _)| (name, count)));
        !self.is_over
    }

    /// Every menu with as many sizes as fit.
    fn thinned(&mut self, options: &Options) -> Option<(String, u64)> {
        let (whole, limit, is_cancelled) = (self.whole, self.limit, self.is_cancelled);
        let measure = |most: usize, config: &TreeConfig| {
            let count = self
                .thinned
                .entry(most)
                .or_insert_with(|| whole.with_betting(config.clone(), WORK_OF_ONE, is_cancelled).ok());
            let total = count.as_ref()?.memory(options).total();
            (total <= limit).then_some(total)
        };
        thin(whole.config(), measure)
    }
}

/// What to drop where a tree has too many nodes, in words; `None` if dropping does not help.
pub(crate) fn to_drop(config: &TreeConfig, is_cancelled: &dyn Fn() -> bool) -> Option<String> {
    let measure = |_: usize, config: &TreeConfig| {
        TreeCount::with_work(config, WORK_OF_ONE, is_cancelled).map(|count| count.num_nodes()).ok()
    };
    thin(config, measure).map(|(name, nodes)| format!("{name} it has {nodes}"))
}

/// The most sizes that every menu may keep so that the measure finds the tree small enough: what is dropped, in words,
/// and the measure.
fn thin(
    config: &TreeConfig,
    mut measure: impl FnMut(usize, &TreeConfig) -> Option<u64>,
) -> Option<(String, u64)> {
    let most = config.streets().filter_map(|street| config.menus(street)).flat_map(menus_of);
    let most = most.map(|menu| menu.sizes().len()).max()?;
    let (mut low, mut high, mut found) = (1, most.saturating_sub(1), None);
    while low <= high {
        let middle = low.midpoint(high);
        let smaller = thinned(config, middle);
        match measure(middle, &smaller) {
            Some(measured) => {
                found = Some((dropped(config, &smaller), measured));
                low = middle + 1;
            }
            None => high = middle - 1,
        }
    }
    found.map(|(dropped, measured)| (format!("without {dropped}"), measured))
}

/// Every menu with at most so many of its sizes, spread over it.
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

/// The sizes of each street, once each.
fn sizes(config: &TreeConfig) -> Vec<(Street, BetSize)> {
    let mut found: Vec<(Street, BetSize)> = Vec::new();
    for street in config.streets() {
        for menu in config.menus(street).into_iter().flat_map(menus_of) {
            for &size in menu.sizes() {
                if !found.contains(&(street, size)) {
                    found.push((street, size));
                }
            }
        }
    }
    found
}

fn without(config: &TreeConfig, street: Street, size: &BetSize) -> TreeConfig {
    let mut config = config.clone();
    for menu in config.menus_mut(street).into_iter().flat_map(menus_of_mut) {
        *menu = BetMenu::new(menu.sizes().iter().copied().filter(|other| other != size).collect());
    }
    config
}
