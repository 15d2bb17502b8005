//! The canonical bytes of a betting tree's configuration and of lines, for files and hashes.
//!
//! All numbers are little-endian. `docs/formats.md` in the repository lists them byte by byte.

use equipoise_cards::Street;

use crate::action::WrittenAction;
use crate::bet_menu::{BetMenu, Thresholds};
use crate::bet_size::BetSize;
use crate::chips::Chips;
use crate::config::{PlayerMenus, StreetMenus, TreeConfig};
use crate::line::Line;
use crate::payoff::Rake;

/// Reads numbers from the front of some bytes; `None` where they end too early.
///
/// ```
/// use equipoise_game::ByteReader;
/// let mut bytes = ByteReader::new(&[1, 0x34, 0x12]);
/// assert_eq!((bytes.u8(), bytes.u16(), bytes.u8()), (Some(1), Some(0x1234), None));
/// assert!(bytes.is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    /// Begins with the first byte.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader(bytes)
    }

    /// Whether nothing is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    /// One byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    /// 16 bits.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// 32 bits.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A 32-bit float.
    pub fn f32(&mut self) -> Option<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// A 64-bit float.
    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// One byte, 0 or 1.
    pub fn flag(&mut self) -> Option<bool> {
        match self.u8()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// A number of items (32 bits), then the items. An item takes at least one byte, so a wrong number allocates nothing.
    pub fn list<T>(&mut self, item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.u32()? as usize;
        self.items(count, item)
    }

    /// That many items of at least one byte each.
    pub fn items<T>(&mut self, count: usize, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        if count > self.len() {
            return None;
        }
        (0..count).map(|_| item(self)).collect()
    }
}

/// Appends a number of items (32 bits) and the items.
fn write_list<T>(items: &[T], to: &mut Vec<u8>, mut item: impl FnMut(&T, &mut Vec<u8>)) {
    to.extend((items.len() as u32).to_le_bytes());
    items.iter().for_each(|one| item(one, to));
}

/// The byte of a '|' in a line.
const DEAL: u8 = 0;

impl Line {
    /// Appends the canonical bytes: the number of steps, then each step with its chips.
    pub fn write_bytes(&self, to: &mut Vec<u8>) {
        let steps = self.streets().iter().map(|street| street.len() + 1).sum::<usize>() - 1;
        to.extend((steps as u32).to_le_bytes());
        for (number, street) in self.streets().iter().enumerate() {
            if number > 0 {
                to.push(DEAL);
            }
            street.iter().for_each(|&action| write_action(action, to));
        }
    }

    /// Reads what [`write_bytes`](Self::write_bytes) has written; `None` for anything else.
    #[must_use]
    pub fn read_bytes(bytes: &mut ByteReader<'_>) -> Option<Line> {
        let mut line = Line::root();
        bytes.list(|bytes| {
            match bytes.u8()? {
                DEAL => line.deal(),
                kind => line.act(read_action(kind, bytes)?),
            }
            Some(())
        })?;
        Some(line)
    }
}

fn write_action(action: WrittenAction, to: &mut Vec<u8>) {
    let (kind, chips) = match action {
        WrittenAction::Fold => (1, None),
        WrittenAction::Check => (2, None),
        WrittenAction::Call => (3, None),
        WrittenAction::Bet(chips) => (4, Some(chips)),
        WrittenAction::Raise(chips) => (5, Some(chips)),
        WrittenAction::AllIn => (6, None),
    };
    to.push(kind);
    to.extend(chips.into_iter().flat_map(|chips| chips.count().to_le_bytes()));
}

fn read_action(kind: u8, bytes: &mut ByteReader<'_>) -> Option<WrittenAction> {
    Some(match kind {
        1 => WrittenAction::Fold,
        2 => WrittenAction::Check,
        3 => WrittenAction::Call,
        4 => WrittenAction::Bet(Chips::new(bytes.u32()?)),
        5 => WrittenAction::Raise(Chips::new(bytes.u32()?)),
        6 => WrittenAction::AllIn,
        _ => return None,
    })
}

impl TreeConfig {
    /// Appends the canonical bytes: everything that determines the tree. What does not is left out: the limit of nodes, and
    /// the bet sizes of streets that are not played.
    ///
    /// ```
    /// use equipoise_cards::Street;
    /// use equipoise_game::{ByteReader, Chips, Preset, TreeConfig};
    /// let mut config = TreeConfig::new(Street::Flop, Chips::new(100), Chips::new(900));
    /// Preset::Standard.apply(&mut config);
    /// let mut bytes = Vec::new();
    /// config.write_bytes(&mut bytes);
    /// assert_eq!(TreeConfig::read_bytes(&mut ByteReader::new(&bytes)), Some(config));
    /// ```
    pub fn write_bytes(&self, to: &mut Vec<u8>) {
        to.push(self.starting_street.num_board_cards() as u8);
        to.extend(self.starting_pot.count().to_le_bytes());
        to.extend(self.effective_stack.count().to_le_bytes());
        to.extend((self.rake.rate + 0.0).to_le_bytes());
        to.push(self.rake.cap.is_some().into());
        to.extend(self.rake.cap.into_iter().flat_map(|cap| (cap + 0.0).to_le_bytes()));
        let Thresholds { add_allin, force_allin, merging, add_allin_without_sizes } = self.thresholds;
        to.extend([add_allin, force_allin, merging].iter().flat_map(|number| (number + 0.0).to_le_bytes()));
        to.push(add_allin_without_sizes.into());
        for menus in self.streets().filter_map(|street| self.menus(street)) {
            for menu in [&menus.oop.bet, &menus.oop.raise, &menus.ip.bet, &menus.ip.raise] {
                write_menu(menu, to);
            }
            to.push(menus.donk.is_some().into());
            menus.donk.iter().for_each(|menu| write_menu(menu, to));
        }
        for lines in [&self.add_lines, &self.remove_lines] {
            write_list(lines, to, Line::write_bytes);
        }
    }

    /// Reads what [`write_bytes`](Self::write_bytes) has written; `None` for anything else. Nothing is
    /// [checked](Self::check) but the form.
    #[must_use]
    pub fn read_bytes(bytes: &mut ByteReader<'_>) -> Option<TreeConfig> {
        let num_cards = bytes.u8()?;
        let street = Street::ALL.into_iter().find(|street| street.num_board_cards() as u8 == num_cards)?;
        let mut config = TreeConfig::new(street, Chips::new(bytes.u32()?), Chips::new(bytes.u32()?));
        let rate = bytes.f64()?;
        let cap = if bytes.flag()? { Some(bytes.f64()?) } else { None };
        config.rake = Rake { rate, cap };
        config.thresholds = Thresholds {
            add_allin: bytes.f64()?,
            force_allin: bytes.f64()?,
            merging: bytes.f64()?,
            add_allin_without_sizes: bytes.flag()?,
        };
        for street in config.streets() {
            let oop = PlayerMenus { bet: read_menu(bytes)?, raise: read_menu(bytes)? };
            let ip = PlayerMenus { bet: read_menu(bytes)?, raise: read_menu(bytes)? };
            let donk = if bytes.flag()? { Some(read_menu(bytes)?) } else { None };
            *config.menus_mut(street)? = StreetMenus { oop, ip, donk };
        }
        config.add_lines = bytes.list(Line::read_bytes)?;
        config.remove_lines = bytes.list(Line::read_bytes)?;
        Some(config)
    }
}

fn write_menu(menu: &BetMenu, to: &mut Vec<u8>) {
    write_list(menu.sizes(), to, |&size, to| match size {
        BetSize::Percent(percent) => write_size(0, &[], &[percent], to),
        BetSize::Multiple(factor) => write_size(1, &[], &[factor], to),
        BetSize::Chips(chips) => write_size(2, &[chips.count()], &[], to),
        BetSize::ChipsCapped { chips, max_raises } => write_size(3, &[chips.count(), max_raises], &[], to),
        // Neither number can be 0.
        BetSize::Geometric { num_streets, max_percent } => {
            write_size(4, &[num_streets.unwrap_or(0)], &[max_percent.unwrap_or(0.0)], to);
        }
        BetSize::AllIn => write_size(5, &[], &[], to),
    });
}

fn write_size(kind: u8, whole: &[u32], floats: &[f64], to: &mut Vec<u8>) {
    to.push(kind);
    to.extend(whole.iter().flat_map(|number| number.to_le_bytes()));
    to.extend(floats.iter().flat_map(|number| number.to_le_bytes()));
}

fn read_menu(bytes: &mut ByteReader<'_>) -> Option<BetMenu> {
    let size = |bytes: &mut ByteReader<'_>| {
        Some(match bytes.u8()? {
            0 => BetSize::Percent(bytes.f64()?),
            1 => BetSize::Multiple(bytes.f64()?),
            2 => BetSize::Chips(Chips::new(bytes.u32()?)),
            3 => BetSize::ChipsCapped { chips: Chips::new(bytes.u32()?), max_raises: bytes.u32()? },
            4 => BetSize::Geometric {
                num_streets: Some(bytes.u32()?).filter(|&streets| streets != 0),
                max_percent: Some(bytes.f64()?).filter(|&percent| percent != 0.0),
            },
            5 => BetSize::AllIn,
            _ => return None,
        })
    };
    bytes.list(size).map(BetMenu::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> TreeConfig {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
        config.rake = Rake { rate: 0.05, cap: Some(4.5) };
        config.thresholds.merging = 0.2;
        config.turn = StreetMenus::same("60%, 100c, e, a".parse().unwrap(), "2.5x, 20c3r".parse().unwrap());
        let raise = "2e, 3e200%".parse().unwrap();
        config.river = StreetMenus::same("33%".parse().unwrap(), raise).with_donk(BetMenu::default());
        config.add_lines = vec!["check bet:50 call | allin".parse().unwrap()];
        config.remove_lines = vec!["bet:120 raise:400".parse().unwrap(), "check".parse().unwrap()];
        config
    }

    fn bytes(config: &TreeConfig) -> Vec<u8> {
        let mut bytes = Vec::new();
        config.write_bytes(&mut bytes);
        bytes
    }

    #[test]
    fn configurations_read_back() {
        let written = bytes(&config());
        let mut reader = ByteReader::new(&written);
        assert_eq!(TreeConfig::read_bytes(&mut reader), Some(config()));
        assert!(reader.is_empty());
        for len in 0..written.len() {
            assert_eq!(TreeConfig::read_bytes(&mut ByteReader::new(&written[..len])), None, "{len}");
        }
    }

    #[test]
    fn only_what_determines_the_tree_counts() {
        let written = bytes(&config());
        let changed = |change: fn(&mut TreeConfig)| {
            let mut config = config();
            change(&mut config);
            bytes(&config) != written
        };
        assert!(!changed(|config| config.max_nodes = 7));
        assert!(!changed(|config| config.flop = StreetMenus::same("a".parse().unwrap(), BetMenu::default())));
        assert!(changed(|config| config.rake.cap = None));
        assert!(changed(|config| config.river.donk = None));
        assert!(changed(|config| config.add_lines.clear()));
    }

    #[test]
    fn long_lists_are_not_believed() {
        let mut bytes = ByteReader::new(&[255, 255, 255, 255, 2, 2, 2]);
        assert_eq!(Line::read_bytes(&mut bytes), None);
        assert_eq!(read_menu(&mut ByteReader::new(&[1, 0, 0, 0, 9])), None);
    }
}
