//! What a betting tree is built from.

use std::fmt;

use equipoise_cards::Street;
use thiserror::Error;

use crate::bet_menu::{BetMenu, Thresholds};
use crate::bet_size::BetSize;
use crate::chips::Chips;
use crate::line::Line;
use crate::payoff::Rake;
use crate::player::Player;
use crate::prizes::{Prizes, PrizesError};

/// The menus of one player on one street.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct PlayerMenus {
    /// Sizes of opening bets.
    pub bet: BetMenu,
    /// Sizes of raises.
    pub raise: BetMenu,
}

/// The menus of one street.
///
/// ```
/// use equipoise_game::StreetMenus;
/// let menus = StreetMenus::same("60%, e, a".parse()?, "2.5x".parse()?).with_donk("50%".parse()?);
/// assert_eq!(menus.ip.bet.to_string(), "60%, e, a");
/// # Ok::<(), equipoise_game::ParseMenuError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct StreetMenus {
    /// The menus of the player out of position.
    pub oop: PlayerMenus,
    /// The menus of the player in position.
    pub ip: PlayerMenus,
    /// Replaces OOP's opening bets on the turn or river where OOP called IP's last bet on the street before.
    /// Absent: the ordinary sizes hold; empty: OOP only checks there.
    pub donk: Option<BetMenu>,
}

impl StreetMenus {
    /// The same bets and raises for both players, no donk menu.
    #[must_use]
    pub fn same(bet: BetMenu, raise: BetMenu) -> StreetMenus {
        let both = PlayerMenus { bet, raise };
        StreetMenus { oop: both.clone(), ip: both, donk: None }
    }

    /// These menus with a donk menu.
    #[must_use]
    pub fn with_donk(mut self, donk: BetMenu) -> StreetMenus {
        self.donk = Some(donk);
        self
    }

    /// Whether nobody has any size here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        MenuKind::ALL.iter().all(|&kind| {
            Player::ALL.iter().all(|&player| self.menu(player, kind).is_none_or(BetMenu::is_empty))
        })
    }

    /// One of the menus; `None` for a donk menu that is absent or IP's.
    #[must_use]
    pub fn menu(&self, player: Player, kind: MenuKind) -> Option<&BetMenu> {
        let own = match player {
            Player::Oop => &self.oop,
            Player::Ip => &self.ip,
        };
        match (kind, player) {
            (MenuKind::Bet, _) => Some(&own.bet),
            (MenuKind::Raise, _) => Some(&own.raise),
            (MenuKind::Donk, Player::Oop) => self.donk.as_ref(),
            (MenuKind::Donk, Player::Ip) => None,
        }
    }
}

/// When a menu is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // The bet-size text knows these three.
pub enum MenuKind {
    /// Opening the betting.
    Bet,
    /// Over a bet.
    Raise,
    /// OOP opening a street after calling IP's bet on the one before.
    Donk,
}

impl MenuKind {
    /// All three.
    pub const ALL: [MenuKind; 3] = [MenuKind::Bet, MenuKind::Raise, MenuKind::Donk];
}

/// Which menu of a configuration is meant; shown as in a spot file: `flop oop_bet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct MenuKey {
    /// The street.
    pub street: Street,
    /// Whose menu.
    pub player: Player,
    /// Which of that player's.
    pub kind: MenuKind,
}

impl fmt::Display for MenuKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = ["bet", "raise", "donk"][self.kind as usize];
        write!(f, "{} {}_{kind}", self.street, self.player)
    }
}

/// Everything that determines a betting tree. [`Tree::build`](crate::Tree::build) checks it.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, StreetMenus, Tree, TreeConfig};
/// let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(900));
/// config.river = StreetMenus::same("60%, e, a".parse()?, "2.5x".parse()?);
/// let tree = Tree::build(&config)?;
/// let root: Vec<String> = tree.actions(tree.root()).map(|(action, _)| action.to_string()).collect();
/// assert_eq!(root, ["check", "bet:120", "allin"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeConfig {
    /// The street where play begins: flop, turn or river.
    pub starting_street: Street,
    /// What is in the pot when play begins; at least one chip.
    pub starting_pot: Chips,
    /// What each player has left when play begins; 0 if both are all-in already.
    pub effective_stack: Chips,
    /// What the house takes.
    pub rake: Rake,
    /// What final stacks are worth, if it is not chips that are played for.
    pub prizes: Option<Prizes>,
    /// What adds, forces and merges sizes.
    pub thresholds: Thresholds,
    /// The flop's menus.
    pub flop: StreetMenus,
    /// The turn's menus.
    pub turn: StreetMenus,
    /// The river's menus.
    pub river: StreetMenus,
    /// Lines whose actions are added where the menus do not offer them.
    pub add_lines: Vec<Line>,
    /// Lines whose last action is taken away, with everything after it.
    pub remove_lines: Vec<Line>,
    /// The most nodes that the tree may have, so that careless menus are an error and not a full memory.
    pub max_nodes: usize,
}

/// Why a configuration cannot be built from.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Play cannot begin before the flop.
    #[error("the tree cannot begin before the flop: begin on the flop, turn or river")]
    Preflop,
    /// Nothing to win.
    #[error("the starting pot is 0: there must be at least one chip to play for")]
    ZeroPot,
    /// A pot or stack above [`Chips::MAX`].
    #[error("the {what} of {chips} chips is too large: the most is {}, so choose a larger unit", Chips::MAX)]
    TooManyChips {
        /// "starting pot" or "effective stack".
        what: &'static str,
        /// How many.
        chips: Chips,
    },
    /// A rake rate outside 0 to 1.
    #[error("the rake rate {rate} must lie between 0 and 1: 5 % is 0.05")]
    RakeRate {
        /// The rate.
        rate: f64,
    },
    /// A rake cap that is negative or no number.
    #[error("the rake cap {cap} must be 0 or more chips: leave it out for no cap")]
    RakeCap {
        /// The cap.
        cap: f64,
    },
    /// A threshold that is negative, infinite or no number.
    #[error("{name} = {value} must be 0 or more and finite")]
    Threshold {
        /// Which one, as in a spot file.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// A size that needs a bet to go over, in a menu of opening bets.
    #[error("{key}: '{size}' is for raises only; {}", opening_advice(size))]
    RaiseSizeInBets {
        /// The menu.
        key: MenuKey,
        /// The size.
        size: BetSize,
    },
    /// A size whose number is not above its least value; only sizes built by hand can be so.
    #[error("{key}: '{size}' has a number that is out of range")]
    BadSize {
        /// The menu.
        key: MenuKey,
        /// The size.
        size: BetSize,
    },
    /// A menu with more than [`TreeConfig::MAX_SIZES`].
    #[error("{key} has {num_sizes} sizes: the most is {}, and a handful is enough", TreeConfig::MAX_SIZES)]
    TooManySizes {
        /// The menu.
        key: MenuKey,
        /// How many it has.
        num_sizes: usize,
    },
    /// Prizes that cannot be played for.
    #[error(transparent)]
    Prizes(#[from] PrizesError),
    /// A donk menu for the flop.
    #[error("the flop has no donk bets, since no street of the tree comes before it: remove flop oop_donk")]
    FlopDonk,
}

fn opening_advice(size: &BetSize) -> String {
    match size {
        BetSize::ChipsCapped { chips, .. } => format!("write {chips}c to open"),
        _ => "open with a share of the pot, such as 60%".to_owned(),
    }
}

impl TreeConfig {
    /// The default of [`TreeConfig::max_nodes`]. Nodes do not depend on the board, so that even on the river
    /// this many would take a solver tens of gigabytes.
    pub const DEFAULT_MAX_NODES: usize = 1 << 22;

    /// The most sizes that one menu may have.
    pub const MAX_SIZES: usize = 32;

    /// A configuration without sizes, rake or lines, with the default thresholds.
    #[must_use]
    pub fn new(starting_street: Street, starting_pot: Chips, effective_stack: Chips) -> TreeConfig {
        TreeConfig {
            starting_street,
            starting_pot,
            effective_stack,
            rake: Rake::NONE,
            prizes: None,
            thresholds: Thresholds::default(),
            flop: StreetMenus::default(),
            turn: StreetMenus::default(),
            river: StreetMenus::default(),
            add_lines: Vec::new(),
            remove_lines: Vec::new(),
            max_nodes: TreeConfig::DEFAULT_MAX_NODES,
        }
    }

    /// The menus of a street; `None` before the flop.
    #[must_use]
    pub fn menus(&self, street: Street) -> Option<&StreetMenus> {
        match street {
            Street::Preflop => None,
            Street::Flop => Some(&self.flop),
            Street::Turn => Some(&self.turn),
            Street::River => Some(&self.river),
        }
    }

    /// The menus of a street, to be changed; `None` before the flop.
    pub fn menus_mut(&mut self, street: Street) -> Option<&mut StreetMenus> {
        match street {
            Street::Preflop => None,
            Street::Flop => Some(&mut self.flop),
            Street::Turn => Some(&mut self.turn),
            Street::River => Some(&mut self.river),
        }
    }

    /// The streets that are played: the starting street and those after it.
    pub fn streets(&self) -> impl Iterator<Item = Street> + use<> {
        let first = self.starting_street;
        Street::ALL.into_iter().filter(move |&street| street >= first && street != Street::Preflop)
    }

    /// Every menu that there is, with its key, played or not.
    pub(crate) fn keyed_menus(&self) -> impl Iterator<Item = (MenuKey, &BetMenu)> {
        let keys = Street::ALL.into_iter().flat_map(|street| {
            Player::ALL.into_iter().flat_map(move |player| {
                MenuKind::ALL.into_iter().map(move |kind| MenuKey { street, player, kind })
            })
        });
        keys.filter_map(|key| Some((key, self.menus(key.street)?.menu(key.player, key.kind)?)))
    }

    /// Checks everything that can be checked without building.
    ///
    /// # Errors
    /// [`ConfigError`] says what is wrong and what to write instead.
    pub fn check(&self) -> Result<(), ConfigError> {
        if self.starting_street == Street::Preflop {
            return Err(ConfigError::Preflop);
        }
        if self.starting_pot == Chips::ZERO {
            return Err(ConfigError::ZeroPot);
        }
        for (what, chips) in [("starting pot", self.starting_pot), ("effective stack", self.effective_stack)]
        {
            if chips > Chips::MAX {
                return Err(ConfigError::TooManyChips { what, chips });
            }
        }
        self.check_rates()?;
        self.prizes.as_ref().map_or(Ok(()), |prizes| prizes.check(self))?;
        if self.flop.donk.is_some() {
            return Err(ConfigError::FlopDonk);
        }
        self.keyed_menus().try_for_each(|(key, menu)| {
            let num_sizes = menu.sizes().len();
            if num_sizes > TreeConfig::MAX_SIZES {
                return Err(ConfigError::TooManySizes { key, num_sizes });
            }
            menu.sizes().iter().try_for_each(|&size| match key.kind {
                _ if !is_in_range(&size) => Err(ConfigError::BadSize { key, size }),
                MenuKind::Raise => Ok(()),
                _ if size.is_for_raises_only() => Err(ConfigError::RaiseSizeInBets { key, size }),
                _ => Ok(()),
            })
        })
    }

    fn check_rates(&self) -> Result<(), ConfigError> {
        let Rake { rate, cap } = self.rake;
        if !(0.0..=1.0).contains(&rate) {
            return Err(ConfigError::RakeRate { rate });
        }
        if let Some(cap) = cap.filter(|&cap| !is_count(cap)) {
            return Err(ConfigError::RakeCap { cap });
        }
        let Thresholds { add_allin, force_allin, merging, .. } = self.thresholds;
        for (name, value) in [
            ("add_allin_threshold", add_allin),
            ("force_allin_threshold", force_allin),
            ("merging_threshold", merging),
        ] {
            if !is_count(value) {
                return Err(ConfigError::Threshold { name, value });
            }
        }
        Ok(())
    }
}

fn is_count(value: f64) -> bool {
    value >= 0.0 && value.is_finite()
}

/// Whether a size is one that text could have given: sizes can also be built by hand.
fn is_in_range(size: &BetSize) -> bool {
    let positive = |value: f64| value > 0.0 && value.is_finite();
    match *size {
        BetSize::Percent(percent) => positive(percent),
        BetSize::Multiple(factor) => factor > 1.0 && factor.is_finite(),
        BetSize::Chips(chips) => chips > Chips::ZERO && chips <= Chips::MAX,
        BetSize::ChipsCapped { chips, max_raises } => {
            chips > Chips::ZERO && chips <= Chips::MAX && max_raises > 0
        }
        BetSize::Geometric { num_streets, max_percent } => {
            num_streets != Some(0) && max_percent.is_none_or(positive)
        }
        BetSize::AllIn => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> TreeConfig {
        TreeConfig::new(Street::Flop, Chips::new(100), Chips::new(1000))
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let bad = |change: fn(&mut TreeConfig)| {
            let mut config = config();
            change(&mut config);
            config.check().unwrap_err()
        };
        assert_eq!(config().check(), Ok(()));
        assert_eq!(bad(|c| c.starting_pot = Chips::ZERO), ConfigError::ZeroPot);
        assert_eq!(bad(|c| c.starting_street = Street::Preflop), ConfigError::Preflop);
        assert!(matches!(
            bad(|c| c.effective_stack = Chips::new(1_000_000_001)),
            ConfigError::TooManyChips { .. }
        ));
        assert!(matches!(bad(|c| c.starting_pot = Chips::new(u32::MAX)), ConfigError::TooManyChips { .. }));
        assert!(matches!(bad(|c| c.rake.rate = -0.01), ConfigError::RakeRate { .. }));
        assert!(matches!(bad(|c| c.rake.rate = 5.0), ConfigError::RakeRate { .. }));
        assert!(matches!(bad(|c| c.rake.rate = f64::NAN), ConfigError::RakeRate { .. }));
        assert!(matches!(bad(|c| c.rake.cap = Some(-1.0)), ConfigError::RakeCap { .. }));
        assert!(matches!(bad(|c| c.rake.cap = Some(f64::NAN)), ConfigError::RakeCap { .. }));
        assert!(matches!(bad(|c| c.thresholds.merging = f64::INFINITY), ConfigError::Threshold { .. }));
        assert!(matches!(bad(|c| c.thresholds.add_allin = -1.0), ConfigError::Threshold { .. }));
        assert!(matches!(bad(|c| c.flop.donk = Some(BetMenu::default())), ConfigError::FlopDonk));
        assert!(matches!(
            bad(|c| c.turn.oop.bet = BetMenu::new(vec![BetSize::Percent(f64::NAN)])),
            ConfigError::BadSize { .. }
        ));
    }

    #[test]
    fn menus_have_an_end() {
        let mut config = config();
        config.river.ip.bet = BetMenu::new(vec![BetSize::AllIn; 32]);
        assert_eq!(config.check(), Ok(()));
        config.river.ip.bet = BetMenu::new(vec![BetSize::AllIn; 33]);
        assert!(config.check().unwrap_err().to_string().starts_with("river ip_bet has 33 sizes"));
    }

    #[test]
    fn raise_sizes_cannot_open() {
        let mut config = config();
        config.turn.ip.raise = "2.5x, 20c3r".parse().unwrap();
        assert_eq!(config.check(), Ok(()));
        config.turn.ip.bet = "60%, 2.5x".parse().unwrap();
        let text = config.check().unwrap_err().to_string();
        assert_eq!(text, "turn ip_bet: '2.5x' is for raises only; open with a share of the pot, such as 60%");
        config.turn.ip.bet = "20c3r".parse().unwrap();
        assert!(config.check().unwrap_err().to_string().ends_with("write 20c to open"));
    }
}
