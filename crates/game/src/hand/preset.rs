//! Named betting abstractions.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::abstraction::{BettingAbstraction, PostflopMenus, PreflopMenus, RaiseMenus};
use crate::bet_menu::BetMenu;

/// A named [`BettingAbstraction`], from small to large. `docs/whole-hand.md` has their sizes.
///
/// | name | before the flop | flop | turn | river | raises |
/// | --- | --- | --- | --- | --- | --- |
/// | A | limp, 2.5 bb; over a limp 3.5 bb; 3-bet 3x | 75 % | 75 % | 75 % | one to 3x |
/// | B | limp, 2.5 bb; over a limp 3.5 bb; 3-bet 3.5x, 4-bet 2.3x | 33, 75 % | 75 % | 75 % | one to 3x |
/// | C | as B | 33, 75 % | 66, 125 % | 66, 125 % | one to 3x |
/// | D | as B with opens to 2 and 3 bb | 33, 75, 150 % | the same | the same | two to 3x |
///
/// All-in is considered at every decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BettingPreset {
    /// One size a street.
    A,
    /// Two sizes on the flop.
    B,
    /// Two sizes a street.
    C,
    /// Three sizes a street and two raises.
    D,
}

/// A text that names no betting preset.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no betting preset: write A, B, C or D")]
#[non_exhaustive]
pub struct ParseBettingPresetError {
    /// The text.
    pub text: String,
}

fn menu(text: &str) -> BetMenu {
    text.parse().expect("presets are well written")
}

fn raises(menus: &[&str]) -> RaiseMenus {
    RaiseMenus::new(menus.iter().map(|text| menu(text)).collect())
}

impl BettingPreset {
    /// Every preset, from small to large.
    pub const ALL: [BettingPreset; 4] =
        [BettingPreset::A, BettingPreset::B, BettingPreset::C, BettingPreset::D];

    /// The name that people write.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["A", "B", "C", "D"][self as usize]
    }

    /// The bet sizes.
    #[must_use]
    pub fn abstraction(self) -> BettingAbstraction {
        let (open, three_bets): (&str, &[&str]) = match self {
            BettingPreset::A => ("2.5x, a", &["3x, a", "a"]),
            BettingPreset::B | BettingPreset::C => ("2.5x, a", &["3.5x, a", "2.3x, a", "a"]),
            BettingPreset::D => ("2x, 3x, a", &["3.5x, a", "2.3x, a", "a"]),
        };
        let bets = match self {
            BettingPreset::A => ["75%, a"; 3],
            BettingPreset::B => ["33%, 75%, a", "75%, a", "75%, a"],
            BettingPreset::C => ["33%, 75%, a", "66%, 125%, a", "66%, 125%, a"],
            BettingPreset::D => ["33%, 75%, 150%, a"; 3],
        };
        let postflop_raises: &[&str] = match self {
            BettingPreset::D => &["3x, a", "3x, a", "a"],
            _ => &["3x, a", "a"],
        };
        let [flop, turn, river] =
            bets.map(|bet| PostflopMenus { bet: menu(bet), raises: raises(postflop_raises) });
        BettingAbstraction {
            preflop: PreflopMenus {
                limp: true,
                open: menu(open),
                over_limp: menu("3.5x, a"),
                raises: raises(three_bets),
            },
            flop,
            turn,
            river,
            ..BettingAbstraction::default()
        }
    }
}

impl fmt::Display for BettingPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for BettingPreset {
    type Err = ParseBettingPresetError;

    fn from_str(text: &str) -> Result<BettingPreset, ParseBettingPresetError> {
        BettingPreset::ALL
            .into_iter()
            .find(|preset| text.eq_ignore_ascii_case(preset.name()))
            .ok_or_else(|| ParseBettingPresetError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::abstraction::AbstractionCount;
    use super::super::config::HandConfig;
    use super::*;
    use crate::chips::Chips;

    /// The sizes that `docs/whole-hand.md` lists: decisions on flop, turn and river, and actions on the river.
    #[test]
    fn sizes_of_the_presets() {
        let counts = [
            (BettingPreset::A, 20, [40, 104, 216], 500),
            (BettingPreset::A, 50, [52, 180, 500], 1_224),
            (BettingPreset::B, 20, [68, 200, 408], 940),
            (BettingPreset::B, 100, [128, 500, 1_500], 3_728),
            (BettingPreset::C, 50, [104, 512, 1_720], 4_316),
            (BettingPreset::C, 100, [128, 740, 3_196], 8_336),
            (BettingPreset::D, 200, [336, 3_536, 25_760], 70_840),
        ];
        for (preset, big_blinds, decisions, river_actions) in counts {
            let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(100 * big_blinds));
            let count = AbstractionCount::of(&preset.abstraction(), &config, 1 << 20).unwrap();
            assert_eq!(count.num_decisions()[1..], decisions, "{preset} {big_blinds}");
            assert_eq!(count.num_actions()[3], river_actions, "{preset} {big_blinds}");
        }
    }

    #[test]
    fn names() {
        for preset in BettingPreset::ALL {
            assert_eq!(preset.to_string().to_lowercase().parse(), Ok(preset));
            assert_eq!(preset.abstraction().check(), Ok(()));
        }
        assert!("E".parse::<BettingPreset>().unwrap_err().to_string().contains("A, B, C or D"));
    }
}
