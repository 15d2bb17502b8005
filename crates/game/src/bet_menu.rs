//! The bet sizes of a decision, and the thresholds for all-in and merging.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::bet_size::{BetPoint, BetSize};
use crate::chips::Chips;
use crate::decimal::Decimal;

/// The sizes that a player may use at a kind of point, as in `60%, e, a`.
///
/// Sizes are separated by commas; a comma at the end is allowed, and so is an empty text: no size at all.
///
/// ```
/// use equipoise_game::{BetMenu, BetSize};
/// let menu: BetMenu = "60%, E, a".parse()?;
/// assert_eq!(menu.sizes()[2], BetSize::AllIn);
/// assert_eq!(menu.to_string(), "60%, e, a");
/// let error = "60%, fast".parse::<BetMenu>().unwrap_err();
/// assert_eq!(error.at(), 5);
/// # Ok::<(), equipoise_game::ParseMenuError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BetMenu {
    sizes: Vec<BetSize>,
}

/// Why a text is no bet menu; `at` is the byte where the trouble begins.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseMenuError {
    /// Something that is no size.
    #[error("unknown bet size '{text}' at byte {at}: write 70%, 2.5x, 100c, 20c3r, e, 2e, 3e200% or a")]
    Unknown {
        /// Where it stands.
        at: usize,
        /// What stands there.
        text: String,
    },
    /// Nothing between two commas.
    #[error("no bet size before the comma at byte {at}: remove the comma")]
    Missing {
        /// Where the comma stands.
        at: usize,
    },
    /// A number that must be above 0 and finite.
    #[error("the number at byte {at} must be above 0 and finite")]
    NotPositive {
        /// Where it stands.
        at: usize,
    },
    /// A multiple of the bet that would be no raise.
    #[error("{factor}x at byte {at} would be no raise: write more than 1x")]
    MultipleTooSmall {
        /// Where it stands.
        at: usize,
        /// The multiple.
        factor: f64,
    },
    /// An amount that is no whole number of chips.
    #[error("'{text}' at byte {at} is no amount of chips: write a whole number, at most {}", Chips::MAX)]
    BadChips {
        /// Where it stands.
        at: usize,
        /// What stands there.
        text: String,
    },
    /// A cap of no raises.
    #[error("a cap of 0 raises at byte {at} allows none: leave the size out")]
    NoRaises {
        /// Where the size stands.
        at: usize,
    },
}

impl ParseMenuError {
    /// The byte of the text that the error is about.
    #[must_use]
    pub const fn at(&self) -> usize {
        match *self {
            ParseMenuError::Unknown { at, .. }
            | ParseMenuError::Missing { at }
            | ParseMenuError::NotPositive { at }
            | ParseMenuError::MultipleTooSmall { at, .. }
            | ParseMenuError::BadChips { at, .. }
            | ParseMenuError::NoRaises { at } => at,
        }
    }
}

/// What adds, forces and merges sizes.
///
/// With P the pot after the call, B the bet to beat and M the all-in total:
/// - all-in is added where M ≤ B + round(`add_allin` · P);
/// - a size A becomes all-in where M ≤ A + round(`force_allin` · (P + 2(A − B)));
/// - from the largest size down, one of ratio y = (A − B)/P stays only if y < (x − `merging`)/(1 +
///   `merging`), x being the ratio of the one that stayed last.
///
/// All three are computed exactly, from the shortest decimals that read as these numbers, so that rounding decides
/// nothing: a size at just the merging threshold is dropped, wherever it is.
///
/// ```
/// use equipoise_game::Thresholds;
/// let defaults = Thresholds::default();
/// assert_eq!((defaults.add_allin, defaults.force_allin, defaults.merging), (1.5, 0.15, 0.1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Thresholds {
    /// Adds all-in at or below this multiple of the pot; 0 adds none.
    pub add_allin: f64,
    /// Makes a size all-in if no more than this share of the pot would be left behind.
    pub force_allin: f64,
    /// Drops sizes nearer to a larger one than this, or just as near; 0 drops only equal ones.
    pub merging: f64,
    /// Adds all-in by `add_allin` also where no size of the menu applies, as some programs do. Otherwise nothing is
    /// added there: who writes no sizes wants no bets.
    pub add_allin_without_sizes: bool,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { add_allin: 1.5, force_allin: 0.15, merging: 0.1, add_allin_without_sizes: false }
    }
}

/// A total that stayed on the menu, and which size it came from (`None`: added by a threshold).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) total: Chips,
    pub(crate) source: Option<usize>,
}

impl BetMenu {
    /// The menu of these sizes.
    #[must_use]
    pub fn new(sizes: Vec<BetSize>) -> BetMenu {
        BetMenu { sizes }
    }

    /// The sizes in the order they were written.
    #[must_use]
    pub fn sizes(&self) -> &[BetSize] {
        &self.sizes
    }

    /// Whether there is no size at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The street's totals that this menu offers at a point, ascending, after all thresholds. The last may be
    /// all-in.
    ///
    /// Where no size of the menu applies, nothing is offered, not even the all-in of [`Thresholds::add_allin`], unless
    /// [`Thresholds::add_allin_without_sizes`] says so.
    ///
    /// ```
    /// use equipoise_game::{BetMenu, BetPoint, Chips, Thresholds};
    /// let menu: BetMenu = "60%, e, a".parse()?;
    /// let turn = BetPoint {
    ///     pot_after_call: Chips::new(200),
    ///     to_beat: Chips::ZERO,
    ///     last_increment: Chips::ZERO,
    ///     all_in: Chips::new(900),
    ///     num_streets: 2,
    ///     raises_made: 0,
    /// };
    /// assert_eq!(menu.totals(&turn, &Thresholds::default()), [120, 216, 900].map(Chips::new));
    /// # Ok::<(), equipoise_game::ParseMenuError>(())
    /// ```
    #[must_use]
    pub fn totals(&self, point: &BetPoint, thresholds: &Thresholds) -> Vec<Chips> {
        self.offers(point, thresholds).iter().map(|offer| offer.total).collect()
    }

    /// [`BetMenu::totals`] with the sizes they came from.
    pub(crate) fn offers(&self, point: &BetPoint, thresholds: &Thresholds) -> Vec<Offer> {
        if point.all_in <= point.to_beat {
            return Vec::new(); // No raise over an all-in.
        }
        let mut offers: Vec<Offer> = self
            .sizes
            .iter()
            .enumerate()
            .filter_map(|(id, size)| {
                let total = thresholds.forced(size.total(point)?, point);
                Some(Offer { total, source: Some(id) })
            })
            .collect();
        if (!offers.is_empty() || thresholds.add_allin_without_sizes) && thresholds.adds_allin(point) {
            offers.push(Offer { total: point.all_in, source: None });
        }
        // Stable: of equal totals the size that was written first stays.
        offers.sort_by_key(|offer| offer.total);
        offers.dedup_by_key(|offer| offer.total);
        thresholds.merge(offers, point)
    }
}

impl Thresholds {
    fn adds_allin(&self, point: &BetPoint) -> bool {
        let added = Decimal::new(self.add_allin).times_rounded(point.pot_after_call.wide());
        point.all_in.wide() <= point.to_beat.wide().saturating_add(added)
    }

    /// The total, or all-in if too little would be left behind.
    pub(crate) fn forced(&self, total: Chips, point: &BetPoint) -> Chips {
        let pot_if_called = point.pot_after_call.wide() + 2 * point.over(total);
        let left_behind = Decimal::new(self.force_allin).times_rounded(pot_if_called);
        if point.all_in.wide() <= total.wide().saturating_add(left_behind) { point.all_in } else { total }
    }

    /// Takes ascending offers without equals and drops those too near to the next larger one that stays.
    ///
    /// With a and b the chips over the bet of the smaller and the larger, y < (x − m)/(1 + m) is m · (P + a) < b − a:
    /// whole numbers but for the threshold m, which is a decimal.
    fn merge(&self, mut offers: Vec<Offer>, point: &BetPoint) -> Vec<Offer> {
        let merging = Decimal::new(self.merging);
        let pot = point.pot_after_call.wide();
        let mut last_kept: Option<u64> = None;
        offers.reverse();
        offers.retain(|offer| {
            let over = point.over(offer.total);
            let keep = last_kept.is_none_or(|larger| merging.times_is_below(pot + over, larger - over));
            if keep {
                last_kept = Some(over);
            }
            keep
        });
        offers.reverse();
        offers
    }
}

impl FromStr for BetMenu {
    type Err = ParseMenuError;

    fn from_str(text: &str) -> Result<BetMenu, ParseMenuError> {
        let mut sizes = Vec::new();
        let mut start = 0;
        for piece in text.split_inclusive(',') {
            let written = piece.strip_suffix(',').unwrap_or(piece);
            let size = written.trim();
            if !size.is_empty() {
                let at = start + (written.len() - written.trim_start().len());
                sizes.push(BetSize::parse_at(size, at)?);
            } else if piece.ends_with(',') {
                return Err(ParseMenuError::Missing { at: start + written.len() });
            }
            start += piece.len();
        }
        Ok(BetMenu { sizes })
    }
}

impl fmt::Display for BetMenu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sizes.iter().enumerate().try_for_each(|(id, size)| {
            f.write_str(if id == 0 { "" } else { ", " })?;
            write!(f, "{size}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(pot: u32, bet: u32, all_in: u32) -> BetPoint {
        BetPoint {
            pot_after_call: Chips::new(pot + 2 * bet),
            to_beat: Chips::new(bet),
            last_increment: Chips::new(bet),
            all_in: Chips::new(all_in),
            num_streets: 1,
            raises_made: 0,
        }
    }

    fn totals(menu: &str, point: &BetPoint) -> Vec<u32> {
        let menu: BetMenu = menu.parse().unwrap();
        menu.totals(point, &Thresholds::default()).into_iter().map(Chips::count).collect()
    }

    #[test]
    fn all_in_is_added_up_to_its_threshold() {
        assert_eq!(totals("20%", &point(100, 0, 150)), [20, 150]);
        assert_eq!(totals("20%", &point(100, 0, 151)), [20]);
        // Facing 50 into 100: P = 200, so up to 50 + 300.
        assert_eq!(totals("25%", &point(100, 50, 350)), [100, 350]);
        assert_eq!(totals("25%", &point(100, 50, 351)), [100]);
        assert_eq!(totals("20%", &point(101, 0, 152)), [20, 152], "151.5 goes up");
        assert_eq!(totals("", &point(100, 0, 100)), [], "no sizes, no bets");
        let none = Thresholds { add_allin: 0.0, ..Thresholds::default() };
        let menu: BetMenu = "20%".parse().unwrap();
        assert_eq!(menu.totals(&point(100, 0, 100), &none), [Chips::new(20)]);
    }

    #[test]
    fn nearly_all_in_is_all_in() {
        // 50 into 100, called: 200 in the pot, 0.15 of it is 30.
        assert_eq!(totals("50%", &point(100, 0, 80)), [80]);
        let plain = Thresholds { add_allin: 0.0, ..Thresholds::default() };
        let menu: BetMenu = "50%".parse().unwrap();
        assert_eq!(menu.totals(&point(100, 0, 80), &plain), [Chips::new(80)]);
        assert_eq!(menu.totals(&point(100, 0, 81), &plain), [Chips::new(50)]);
        // 250 over 75: P = 250, raise to 200 adds 125, 0.15 · 500 = 75.
        assert_eq!(menu.totals(&point(100, 75, 275), &plain), [Chips::new(275)]);
        assert_eq!(menu.totals(&point(100, 75, 276), &plain), [Chips::new(200)]);
        let never = Thresholds { add_allin: 0.0, force_allin: 0.0, merging: 0.0, ..Thresholds::default() };
        assert_eq!(menu.totals(&point(100, 0, 51), &never), [Chips::new(50)]);
        assert_eq!(menu.totals(&point(100, 0, 50), &never), [Chips::new(50)]);
    }

    #[test]
    fn near_sizes_merge_into_the_larger() {
        // (0.75 − 0.1)/1.1 = 0.5909…
        assert_eq!(totals("59%, 75%", &point(100, 0, 1000)), [59, 75]);
        assert_eq!(totals("60%, 75%", &point(100, 0, 1000)), [75]);
        // 60 goes because of 75, and 50 is then measured against 75.
        assert_eq!(totals("50%, 60%, 75%", &point(100, 0, 1000)), [50, 75]);
        assert_eq!(totals("75%, 75%, 75c", &point(100, 0, 1000)), [75]);
        let apart = Thresholds { merging: 0.0, ..Thresholds::default() };
        let menu: BetMenu = "74%, 75%".parse().unwrap();
        assert_eq!(menu.totals(&point(100, 0, 1000), &apart), [74, 75].map(Chips::new));
    }

    /// Two sizes in chips over the bet, under a merging threshold alone.
    fn merged(merging: f64, point: &BetPoint, sizes: [u64; 2]) -> usize {
        let never = Thresholds { add_allin: 0.0, force_allin: 0.0, merging, ..Thresholds::default() };
        let size = |count: u64| BetSize::Chips(Chips::new(count as u32));
        BetMenu::new(sizes.map(size).to_vec()).totals(point, &never).len()
    }

    /// Thresholds in thousandths, so that ties can be made of whole numbers: m · (P + a) = b − a.
    #[test]
    fn of_two_sizes_at_just_the_threshold_the_smaller_is_dropped() {
        let mut num_ties = 0;
        for thousandths in (5..=1_000_u64).step_by(5) {
            let merging = thousandths as f64 / 1000.0;
            for (pot, bet) in
                [(1, 0), (60, 0), (100, 0), (75, 0), (1_234, 0), (100, 50), (33, 17), (999_999_990, 0)]
            {
                let point = point(pot, bet, 1_000_000_000);
                let pot = point.pot_after_call.wide();
                for smaller in (1..200).chain(pot / 2..pot / 2 + 3) {
                    let apart = thousandths * (pot + smaller);
                    let larger = smaller + apart / 1000;
                    // Raises are at least as large as the bet.
                    if !apart.is_multiple_of(1000) || smaller < u64::from(bet).max(1) || larger > 900_000_000
                    {
                        continue;
                    }
                    num_ties += 1;
                    let case = format!("{merging}: {smaller} and {larger} over {bet} into {pot}");
                    assert_eq!(merged(merging, &point, [smaller, larger]), 1, "{case}");
                    assert_eq!(merged(merging, &point, [smaller, larger + 1]), 2, "{case}");
                    if smaller + 1 < larger {
                        assert_eq!(merged(merging, &point, [smaller + 1, larger]), 1, "{case}");
                    }
                }
            }
        }
        assert!(num_ties > 5_000, "{num_ties}");
    }

    /// round(m · P) and round(m · (P + 2A)), halves up, against fractions of whole numbers.
    #[test]
    fn all_in_thresholds_are_exact() {
        let is_all_in = |add_allin: f64, force_allin: f64, pot: u32, all_in: u32| {
            let thresholds = Thresholds { add_allin, force_allin, merging: 0.0, ..Thresholds::default() };
            let menu: BetMenu = "1c".parse().unwrap();
            menu.totals(&point(pot, 0, all_in), &thresholds).last() == Some(&Chips::new(all_in))
        };
        for hundredths in 1..=300_u32 {
            let threshold = f64::from(hundredths) / 100.0;
            for pot in [50, 75, 90, 150, 250, 333, 5_050, 33_350] {
                let reach = (hundredths * pot + 50) / 100;
                if reach > 1 {
                    assert!(is_all_in(threshold, 0.0, pot, reach), "{threshold} of {pot}");
                    assert!(!is_all_in(threshold, 0.0, pot, reach + 1), "{threshold} of {pot}");
                }
                let reach = 1 + (hundredths * (pot + 2) + 50) / 100;
                assert!(is_all_in(0.0, threshold, pot, reach), "{threshold} of {pot} and the bet");
                assert!(!is_all_in(0.0, threshold, pot, reach + 1), "{threshold} of {pot} and the bet");
            }
        }
    }

    #[test]
    fn all_in_without_sizes_is_added_where_that_is_wanted() {
        let wanted = Thresholds { add_allin_without_sizes: true, ..Thresholds::default() };
        let none = BetMenu::default();
        assert_eq!(none.totals(&point(100, 0, 150), &wanted), [Chips::new(150)]);
        assert_eq!(none.totals(&point(100, 0, 151), &wanted), []);
        assert_eq!(none.totals(&point(100, 50, 350), &wanted), [Chips::new(350)]);
        assert_eq!(none.totals(&point(100, 50, 50), &wanted), []);
        // No size applies once the cap is reached.
        let capped: BetMenu = "50c1r".parse().unwrap();
        let raised = BetPoint { raises_made: 1, ..point(100, 50, 300) };
        assert_eq!(capped.totals(&raised, &wanted), [Chips::new(300)]);
        assert_eq!(capped.totals(&raised, &Thresholds::default()), []);
        let off = Thresholds { add_allin: 0.0, ..wanted };
        assert_eq!(none.totals(&point(100, 0, 10), &off), []);
    }

    #[test]
    fn nothing_goes_over_an_all_in() {
        assert_eq!(totals("60%, a", &point(100, 500, 500)), []);
        assert_eq!(totals("60%, a", &point(100, 499, 500)), [500]);
        assert_eq!(totals("a", &point(100, 0, 0)), []);
    }

    #[test]
    fn the_spots_of_the_reference() {
        assert_eq!(totals("60%, e, a", &point(200, 0, 900)), [120, 900]);
        assert_eq!(totals("2.5x", &point(200, 120, 900)), [300]);
        assert_eq!(totals("2.5x", &BetPoint { raises_made: 1, ..point(200, 300, 900) }), [900]);
    }

    #[test]
    fn errors_point_at_the_byte_and_say_what_to_do() {
        for (text, at, part) in [
            ("60%, fast", 5, "unknown bet size 'fast'"),
            (",60%", 0, "remove the comma"),
            ("60%,,a", 4, "remove the comma"),
            ("0%", 0, "above 0"),
            ("60%, 3e0%", 7, "above 0"),
            ("0e", 0, "above 0"),
            ("0c", 0, "above 0"),
            ("a, 1x", 3, "more than 1x"),
            ("1.5c", 0, "whole number"),
            ("9999999999c", 0, "whole number"),
            ("20c0r", 0, "leave the size out"),
            ("20c3", 0, "unknown"),
            ("-5%", 0, "unknown"),
            ("nan%", 0, "unknown"),
            ("inf%", 0, "unknown"),
            ("1e5", 0, "unknown"),
            ("1.%", 0, "unknown"),
            ("é", 0, "unknown"),
        ] {
            let error = text.parse::<BetMenu>().unwrap_err();
            assert_eq!(error.at(), at, "{text}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
        assert_eq!(format!("{}%", "9".repeat(400)).parse::<BetMenu>().unwrap_err().at(), 0);
    }

    #[test]
    fn odd_but_clear_spellings_are_read() {
        for (text, want) in [
            ("", ""),
            (" 60% ,E,A, ", "60%, e, a"),
            ("2.50X", "2.5x"),
            ("20C3R", "20c3r"),
            ("33, 75.0", "33%, 75%"),
        ] {
            assert_eq!(text.parse::<BetMenu>().unwrap().to_string(), want);
        }
    }

    fn any_size() -> impl Strategy<Value = BetSize> {
        let share = || prop_oneof![(1_u32..500).prop_map(f64::from), 1e-3..1e6_f64];
        prop_oneof![
            share().prop_map(BetSize::Percent),
            (1.0..100.0_f64).prop_filter("above 1", |x| *x > 1.0).prop_map(BetSize::Multiple),
            (1_u32..=1_000_000_000).prop_map(|count| BetSize::Chips(Chips::new(count))),
            (1_u32..1000, 1_u32..9).prop_map(|(count, max_raises)| BetSize::ChipsCapped {
                chips: Chips::new(count),
                max_raises
            }),
            (proptest::option::of(1_u32..9), proptest::option::of(share()))
                .prop_map(|(num_streets, max_percent)| BetSize::Geometric { num_streets, max_percent }),
            Just(BetSize::AllIn),
        ]
    }

    proptest! {
        #[test]
        fn text_round_trips(sizes in proptest::collection::vec(any_size(), 0..6)) {
            let menu = BetMenu::new(sizes);
            prop_assert_eq!(menu.to_string().parse::<BetMenu>(), Ok(menu));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,24}|[0-9.,%xcrea é]{0,16}") {
            match text.parse::<BetMenu>() {
                Ok(menu) => prop_assert_eq!(menu.to_string().parse::<BetMenu>(), Ok(menu)),
                Err(error) => prop_assert!(text.is_char_boundary(error.at())),
            }
        }

        #[test]
        fn totals_are_legal_and_ascending(
            sizes in proptest::collection::vec(any_size(), 0..6),
            pot in 1_u32..=1_000_000_000,
            bet in 0_u32..=1_000_000_000,
            all_in in 0_u32..=1_000_000_000,
            raises_made in 0_u32..5,
            thresholds in (0.0..3.0, 0.0..1.0, 0.0..1.0),
            add_allin_without_sizes: bool,
        ) {
            let bet = bet.min(all_in);
            let point = BetPoint { raises_made, ..point(pot, bet, all_in) };
            let (add_allin, force_allin, merging) = thresholds;
            let thresholds = Thresholds { add_allin, force_allin, merging, add_allin_without_sizes };
            let totals = BetMenu::new(sizes).totals(&point, &thresholds);
            prop_assert!(totals.is_sorted_by(|a, b| a < b));
            for total in totals {
                prop_assert!(total >= point.min_total() && total <= point.all_in && total > point.to_beat);
            }
        }
    }
}
