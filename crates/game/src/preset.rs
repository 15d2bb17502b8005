//! Named sets of menus, for people who do not want to choose sizes.

use std::fmt;
use std::str::FromStr;

use equipoise_cards::Street;
use thiserror::Error;

use crate::bet_menu::BetMenu;
use crate::bet_size::BetSize;
use crate::config::{StreetMenus, TreeConfig};

/// A named set of menus, the same for both players.
///
/// | name | flop | turn | river |
/// | --- | --- | --- | --- |
/// | `simple` | bet `60%`, raise `2.5x` | the same | the same |
/// | `standard` | bet `60%, e, a`, raise `2.5x` | the same | the same, donk `50%` |
/// | `wide` | bet `33%, 75%`, raise `60%` | bet `75%, 150%`, raise `60%` | bet `33%, 75%, 150%, a`, raise `60%, a` |
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
/// "standard".parse::<Preset>()?.apply(&mut config);
/// assert_eq!(config.turn.oop.bet.to_string(), "60%, e, a");
/// # Ok::<(), equipoise_game::ParsePresetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// One bet and one raise: small trees, quick answers.
    Simple,
    /// A medium, a geometric and an all-in bet: what most spots are studied with.
    Standard,
    /// Several sizes on each street: ten times the tree of `standard`.
    Wide,
}

/// A text that names no preset.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no preset: write simple, standard or wide")]
#[non_exhaustive]
pub struct ParsePresetError {
    /// The text.
    pub text: String,
}

impl Preset {
    /// Every preset, from small trees to large ones.
    pub const ALL: [Preset; 3] = [Preset::Simple, Preset::Standard, Preset::Wide];

    /// The name that people write.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["simple", "standard", "wide"][self as usize]
    }

    /// The menus of a street; empty before the flop.
    #[must_use]
    pub fn menus(self, street: Street) -> StreetMenus {
        use BetSize::{AllIn, Multiple, Percent};
        let geometric = BetSize::Geometric { num_streets: None, max_percent: None };
        let menus = |bet: &[BetSize], raise: &[BetSize]| {
            StreetMenus::same(BetMenu::new(bet.to_vec()), BetMenu::new(raise.to_vec()))
        };
        match (self, street) {
            (_, Street::Preflop) => StreetMenus::default(),
            (Preset::Simple, _) => menus(&[Percent(60.0)], &[Multiple(2.5)]),
            (Preset::Standard, Street::River) => menus(&[Percent(60.0), geometric, AllIn], &[Multiple(2.5)])
                .with_donk(BetMenu::new(vec![Percent(50.0)])),
            (Preset::Standard, _) => menus(&[Percent(60.0), geometric, AllIn], &[Multiple(2.5)]),
            (Preset::Wide, Street::Flop) => menus(&[Percent(33.0), Percent(75.0)], &[Percent(60.0)]),
            (Preset::Wide, Street::Turn) => menus(&[Percent(75.0), Percent(150.0)], &[Percent(60.0)]),
            (Preset::Wide, Street::River) => {
                menus(&[Percent(33.0), Percent(75.0), Percent(150.0), AllIn], &[Percent(60.0), AllIn])
            }
        }
    }

    /// Puts the menus of every street that is played into a configuration, replacing all others. The
    /// street where play begins gets no donk menu, since it has no donk bets.
    pub fn apply(self, config: &mut TreeConfig) {
        let first = config.starting_street;
        for street in config.streets() {
            if let Some(menus) = config.menus_mut(street) {
                *menus = self.menus(street);
                menus.donk.take_if(|_| street == first);
            }
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Preset {
    type Err = ParsePresetError;

    fn from_str(text: &str) -> Result<Preset, ParsePresetError> {
        Preset::ALL
            .into_iter()
            .find(|preset| text.eq_ignore_ascii_case(preset.name()))
            .ok_or_else(|| ParsePresetError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chips::Chips;

    #[test]
    fn every_preset_is_valid_everywhere() {
        for preset in Preset::ALL {
            assert_eq!(preset.name().to_uppercase().parse(), Ok(preset));
            for street in [Street::Flop, Street::Turn, Street::River] {
                let mut config = TreeConfig::new(street, Chips::new(100), Chips::new(1000));
                preset.apply(&mut config);
                assert_eq!(config.check(), Ok(()));
                let want = StreetMenus { donk: None, ..preset.menus(street) };
                assert_eq!(config.menus(street), Some(&want));
            }
        }
        assert!("large".parse::<Preset>().unwrap_err().to_string().contains("simple, standard or wide"));
    }
}
