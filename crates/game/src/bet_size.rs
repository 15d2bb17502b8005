//! One abstract size, and the chips it comes to at a point of the betting.

use std::fmt;
use std::str::FromStr;

use crate::bet_menu::ParseMenuError;
use crate::chips::Chips;
use crate::decimal::Decimal;

/// An abstract size of a bet or raise. What it comes to in chips depends on the [`BetPoint`] where it is
/// used.
///
/// | text | as a bet | as a raise |
/// | --- | --- | --- |
/// | `70%` | that share of the pot | the bet plus that share of the pot after the call |
/// | `2.5x` | not allowed | that multiple of the bet to beat |
/// | `100c` | that many chips | the bet plus that many chips |
/// | `20c3r` | not allowed | the bet plus 20 chips, up to 3 raises on the street |
/// | `e` | the share of the pot that, bet on every remaining street, ends all-in | the same over the bet |
/// | `2e` | the same over two streets | over two less the raises made on the street, at least one |
/// | `3e200%` | as `3e`, but no more than that share of the pot | the same over the bet |
/// | `a` | all-in | all-in |
///
/// Letters are read in either case.
///
/// ```
/// use equipoise_game::BetSize;
/// let size: BetSize = "3e200%".parse()?;
/// assert_eq!(size, BetSize::Geometric { num_streets: Some(3), max_percent: Some(200.0) });
/// assert_eq!(size.to_string(), "3e200%");
/// assert_eq!("0.9x".parse::<BetSize>().unwrap_err().at(), 0);
/// # Ok::<(), equipoise_game::ParseMenuError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BetSize {
    /// `70%`: percent of the pot.
    Percent(f64),
    /// `2.5x`: multiple of the bet to beat, above 1; raises only.
    Multiple(f64),
    /// `100c`: chips (over the bet to beat, for a raise).
    Chips(Chips),
    /// `20c3r`: chips over the bet to beat while fewer than this many raises were made; raises only.
    ChipsCapped {
        /// The chips over the bet.
        chips: Chips,
        /// The most raises on one street.
        max_raises: u32,
    },
    /// `e`, `2e`, `3e200%`: equal shares of the pot that end all-in.
    Geometric {
        /// Over how many streets; absent: as many as remain.
        num_streets: Option<u32>,
        /// The most it may be, in percent of the pot.
        max_percent: Option<f64>,
    },
    /// `a`: everything.
    AllIn,
}

/// A point of the betting where a size becomes chips. Totals are the street's.
///
/// ```
/// use equipoise_game::{BetPoint, BetSize, Chips};
/// // Pot 100, facing a bet of 75 with 1,000 behind at the start of the street.
/// let facing = BetPoint {
///     pot_after_call: Chips::new(250),
///     to_beat: Chips::new(75),
///     last_increment: Chips::new(75),
///     all_in: Chips::new(1000),
///     num_streets: 1,
///     raises_made: 0,
/// };
/// assert_eq!("50%".parse::<BetSize>()?.total(&facing), Some(Chips::new(200)));
/// # Ok::<(), equipoise_game::ParseMenuError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct BetPoint {
    /// The pot once the bet to beat is called; the pot itself when opening. (P)
    pub pot_after_call: Chips,
    /// The bet to beat; 0 when opening. (B)
    pub to_beat: Chips,
    /// How much the last bet or raise went over what it had to beat; 0 when opening.
    pub last_increment: Chips,
    /// The total that is all-in. (M)
    pub all_in: Chips,
    /// Streets that remain, this one included: 3 on the flop, 1 on the river.
    pub num_streets: u32,
    /// Raises made on this street; the opening bet is none.
    pub raises_made: u32,
}

impl BetPoint {
    /// Whether a bet here is a raise.
    #[must_use]
    pub fn is_raise(&self) -> bool {
        self.to_beat > Chips::ZERO
    }

    /// The smallest legal total: the bet to beat plus the last increment (at least one chip), or all-in if
    /// that is less.
    #[must_use]
    pub fn min_total(&self) -> Chips {
        let wanted = u64::from(self.to_beat.count()) + u64::from(self.last_increment.count().max(1));
        u32::try_from(wanted).map_or(self.all_in, |count| Chips::new(count).min(self.all_in))
    }

    /// What a legal total adds over the bet to beat.
    pub(crate) fn over(&self, total: Chips) -> u64 {
        (total - self.to_beat).wide()
    }

    /// What a total adds over the bet to beat, as a share of the pot after the call.
    fn ratio(&self, total: Chips) -> f64 {
        (total.as_f64() - self.to_beat.as_f64()) / self.pot_after_call.as_f64()
    }

    /// The share of the pot that, bet `num_streets` times and called, is exactly all-in.
    fn geometric_share(&self, num_streets: u32) -> f64 {
        let spr = self.ratio(self.all_in);
        ((2.0 * spr + 1.0).powf(1.0 / f64::from(num_streets)) - 1.0) / 2.0
    }
}

impl BetSize {
    /// The street's total that this size comes to, rounded (halves up) and clamped to what is legal; `None`
    /// where it does not apply (a multiple when opening, a raise cap that is reached). Thresholds are
    /// [`BetMenu`](crate::BetMenu)'s affair.
    #[must_use]
    pub fn total(&self, point: &BetPoint) -> Option<Chips> {
        let (pot, to_beat) = (point.pot_after_call.wide(), point.to_beat.wide());
        let over = |chips: u64| to_beat.saturating_add(chips);
        let share_of_pot = |percent: f64| Decimal::percent(percent).times_rounded(pot);
        let wanted = match *self {
            BetSize::Percent(percent) => over(share_of_pot(percent)),
            BetSize::Multiple(_) if !point.is_raise() => return None,
            BetSize::Multiple(factor) => Decimal::new(factor).times_rounded(to_beat),
            BetSize::Chips(chips) => over(chips.wide()),
            BetSize::ChipsCapped { max_raises, .. }
                if !point.is_raise() || point.raises_made >= max_raises =>
            {
                return None;
            }
            BetSize::ChipsCapped { chips, .. } => over(chips.wide()),
            BetSize::Geometric { num_streets, max_percent } => {
                let streets =
                    num_streets.unwrap_or(point.num_streets).saturating_sub(point.raises_made).max(1);
                // A root: where it is rational, it is never half a chip.
                let geometric = (point.pot_after_call.as_f64() * point.geometric_share(streets)).round();
                let most = max_percent.map_or(u64::MAX, share_of_pot);
                over((geometric as u64).min(most))
            }
            BetSize::AllIn => point.all_in.wide(),
        };
        Some(Chips::within(wanted, point.min_total(), point.all_in))
    }

    /// Whether this size has a meaning only over a bet.
    #[must_use]
    pub fn is_for_raises_only(&self) -> bool {
        matches!(self, BetSize::Multiple(_) | BetSize::ChipsCapped { .. })
    }

    /// Reads one size that stands at byte `at` of a longer text.
    pub(crate) fn parse_at(text: &str, at: usize) -> Result<BetSize, ParseMenuError> {
        let unknown = || ParseMenuError::Unknown { at, text: text.to_owned() };
        let lower = text.to_ascii_lowercase();
        if lower == "a" {
            return Ok(BetSize::AllIn);
        }
        if let Some((streets, cap)) = lower.split_once('e') {
            return parse_geometric(streets, cap, at).ok_or_else(unknown)?;
        }
        if let Some(percent) = lower.strip_suffix('%') {
            return positive(number(percent).ok_or_else(unknown)?, at).map(BetSize::Percent);
        }
        if let Some(factor) = lower.strip_suffix('x') {
            let factor = positive(number(factor).ok_or_else(unknown)?, at)?;
            return if factor > 1.0 {
                Ok(BetSize::Multiple(factor))
            } else {
                Err(ParseMenuError::MultipleTooSmall { at, factor })
            };
        }
        if let Some((chips, cap)) = lower.split_once('c') {
            return parse_chips(chips, cap, at).ok_or_else(unknown)?;
        }
        // As everywhere else, a number without a sign is percent.
        positive(number(&lower).ok_or_else(unknown)?, at).map(BetSize::Percent)
    }
}

/// What stands before and after the `e`; `None` if it is no such size at all.
fn parse_geometric(streets: &str, cap: &str, at: usize) -> Option<Result<BetSize, ParseMenuError>> {
    let num_streets = match streets {
        "" => None,
        _ => Some(count(streets)?),
    };
    if num_streets == Some(0) {
        return Some(Err(ParseMenuError::NotPositive { at }));
    }
    let max_percent = match cap {
        "" => None,
        _ => match positive(number(cap.strip_suffix('%')?)?, at + streets.len() + 1) {
            Ok(percent) => Some(percent),
            Err(error) => return Some(Err(error)),
        },
    };
    Some(Ok(BetSize::Geometric { num_streets, max_percent }))
}

/// What stands before and after the `c`; `None` if it is no such size at all.
fn parse_chips(chips: &str, cap: &str, at: usize) -> Option<Result<BetSize, ParseMenuError>> {
    let chips = match chips.parse::<Chips>() {
        Ok(chips) => chips,
        // A number, but no amount of chips, deserves the more precise complaint.
        Err(_) if number(chips).is_none() => return None,
        Err(_) => return Some(Err(ParseMenuError::BadChips { at, text: chips.to_owned() })),
    };
    if chips == Chips::ZERO {
        return Some(Err(ParseMenuError::NotPositive { at }));
    }
    if cap.is_empty() {
        return Some(Ok(BetSize::Chips(chips)));
    }
    let max_raises = count(cap.strip_suffix('r')?)?;
    Some(if max_raises == 0 {
        Err(ParseMenuError::NoRaises { at })
    } else {
        Ok(BetSize::ChipsCapped { chips, max_raises })
    })
}

/// Digits with at most one point between them; signs, exponents and the names of infinity are no numbers
/// here.
fn number(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(fraction)).then(|| text.parse().ok()).flatten()
}

fn count(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn positive(value: f64, at: usize) -> Result<f64, ParseMenuError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ParseMenuError::NotPositive { at }) }
}

impl FromStr for BetSize {
    type Err = ParseMenuError;

    fn from_str(text: &str) -> Result<BetSize, ParseMenuError> {
        BetSize::parse_at(text, 0)
    }
}

impl fmt::Display for BetSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BetSize::Percent(percent) => write!(f, "{percent}%"),
            BetSize::Multiple(factor) => write!(f, "{factor}x"),
            BetSize::Chips(chips) => write!(f, "{chips}c"),
            BetSize::ChipsCapped { chips, max_raises } => write!(f, "{chips}c{max_raises}r"),
            BetSize::Geometric { num_streets, max_percent } => {
                num_streets.map_or(Ok(()), |streets| write!(f, "{streets}"))?;
                f.write_str("e")?;
                max_percent.map_or(Ok(()), |percent| write!(f, "{percent}%"))
            }
            BetSize::AllIn => f.write_str("a"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(pot: u32, all_in: u32, num_streets: u32) -> BetPoint {
        BetPoint {
            pot_after_call: Chips::new(pot),
            to_beat: Chips::ZERO,
            last_increment: Chips::ZERO,
            all_in: Chips::new(all_in),
            num_streets,
            raises_made: 0,
        }
    }

    fn facing(pot: u32, bet: u32, all_in: u32, num_streets: u32, raises_made: u32) -> BetPoint {
        BetPoint {
            pot_after_call: Chips::new(pot + 2 * bet),
            to_beat: Chips::new(bet),
            last_increment: Chips::new(bet),
            raises_made,
            ..opening(pot, all_in, num_streets)
        }
    }

    fn total(text: &str, point: &BetPoint) -> Option<u32> {
        text.parse::<BetSize>().unwrap().total(point).map(Chips::count)
    }

    #[test]
    fn bets_of_every_form() {
        assert_eq!(total("66%", &opening(75, 1000, 1)), Some(50), "49.5 goes up");
        assert_eq!(total("60%", &opening(200, 900, 3)), Some(120));
        assert_eq!(total("100c", &opening(200, 900, 3)), Some(100));
        assert_eq!(total("a", &opening(200, 900, 3)), Some(900));
        assert_eq!(total("2.5x", &opening(200, 900, 3)), None);
        assert_eq!(total("20c3r", &opening(200, 900, 3)), None);
        // SPR 4.5: ((2·4.5 + 1)^(1/k) − 1)/2 of 200.
        assert_eq!(total("e", &opening(200, 900, 3)), Some(115));
        assert_eq!(total("e", &opening(200, 900, 2)), Some(216));
        assert_eq!(total("e", &opening(200, 900, 1)), Some(900));
        assert_eq!(total("2e", &opening(200, 900, 3)), Some(216));
        assert_eq!(total("2e100%", &opening(200, 900, 3)), Some(200));
        assert_eq!(total("2e200%", &opening(200, 900, 3)), Some(216));
    }

    #[test]
    fn raises_of_every_form() {
        assert_eq!(total("50%", &facing(100, 75, 1000, 1, 0)), Some(200), "75 + half of 250");
        assert_eq!(total("2.5x", &facing(200, 120, 900, 3, 0)), Some(300));
        assert_eq!(total("2.5x", &facing(100, 75, 1000, 1, 0)), Some(188), "187.5 goes up");
        assert_eq!(total("100c", &facing(100, 75, 1000, 1, 0)), Some(175));
        assert_eq!(total("a", &facing(100, 75, 1000, 1, 0)), Some(1000));
        assert_eq!(total("75c3r", &facing(100, 75, 1000, 1, 2)), Some(150));
        assert_eq!(total("75c3r", &facing(100, 75, 1000, 1, 3)), None);
        // Pot after the call 250, 925 behind: SPR 3.7, so √8.4 over two streets.
        assert_eq!(total("e", &facing(100, 75, 1000, 2, 0)), Some(75 + 237));
        assert_eq!(total("e", &facing(100, 75, 1000, 2, 1)), Some(1000), "one raise made: one street left");
        assert_eq!(total("e", &facing(100, 75, 1000, 2, 9)), Some(1000), "never less than one");
        assert_eq!(total("3e", &facing(100, 75, 1000, 1, 1)), Some(75 + 237));
        assert_eq!(total("2e40%", &facing(100, 75, 1000, 2, 0)), Some(75 + 100));
    }

    #[test]
    fn totals_stay_between_the_minimum_raise_and_all_in() {
        assert_eq!(total("1%", &opening(10, 900, 1)), Some(1), "never less than a chip");
        assert_eq!(total("1000%", &opening(200, 900, 1)), Some(900));
        assert_eq!(total("1%", &facing(100, 75, 1000, 1, 0)), Some(150));
        assert_eq!(total("1.1x", &facing(100, 75, 1000, 1, 0)), Some(150));
        assert_eq!(
            total("1%", &facing(100, 75, 100, 1, 0)),
            Some(100),
            "all-in for less than a minimum raise"
        );
        let huge = facing(1_000_000_000, 900_000_000, 1_000_000_000, 3, 0);
        assert_eq!(total("99999999999%", &huge), Some(1_000_000_000));
        assert_eq!(total("1000000000c", &huge), Some(1_000_000_000));
    }
}
