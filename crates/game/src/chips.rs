//! Whole chips.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use thiserror::Error;

/// A whole number of chips, at most [`Chips::MAX`].
///
/// The unit is the one in which the starting pot and the stacks are given, and there is nothing smaller that
/// can be bet: a spot in big blinds whose bets are fractions of one is written in hundredths of a big blind.
/// Only rake and expected values are fractions, and those are `f64`.
///
/// ```
/// use equipoise_game::Chips;
/// let pot: Chips = "200".parse()?;
/// assert_eq!(pot, Chips::try_from(200.0)?);
/// assert_eq!(pot.to_string(), "200");
/// assert!(Chips::try_from(-1.0).is_err());
/// # Ok::<(), equipoise_game::ChipsError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Chips(u32);

/// Why a number is no amount of chips.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ChipsError {
    /// Less than nothing.
    #[error("{value} chips are less than none: write 0 or more")]
    Negative {
        /// The number.
        value: f64,
    },
    /// NaN or infinity.
    #[error("{value} is no amount of chips: write a whole number")]
    NotFinite {
        /// The number.
        value: f64,
    },
    /// A fraction of a chip.
    #[error("{value} chips are not whole: choose a smaller unit, such as hundredths of a big blind")]
    NotWhole {
        /// The number.
        value: f64,
    },
    /// More than [`Chips::MAX`].
    #[error("{} chips are too many: the most is {}, so choose a larger unit", amount(*.value), Chips::MAX)]
    TooMany {
        /// The number.
        value: f64,
    },
    /// A text that is no whole number.
    #[error("'{text}' is no amount of chips: write digits only")]
    NotANumber {
        /// The text.
        text: String,
    },
}

impl Chips {
    /// No chips.
    pub const ZERO: Chips = Chips(0);
    /// The largest pot or stack that a configuration may name: a pot and two stacks of this size still fit in
    /// 32 bits.
    pub const MAX: Chips = Chips(1_000_000_000);

    /// This many chips. Amounts above [`Chips::MAX`] appear only inside trees (a pot with both stacks in it).
    #[must_use]
    pub const fn new(count: u32) -> Chips {
        Chips(count)
    }

    /// How many chips.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0
    }

    /// How many chips, ready for arithmetic with rates. Exact: a `f64` holds every amount.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0)
    }

    /// How many chips, ready for sums and products that 32 bits do not hold.
    pub(crate) fn wide(self) -> u64 {
        u64::from(self.0)
    }

    /// This many chips, but not below `low` nor above `high`.
    pub(crate) fn within(count: u64, low: Chips, high: Chips) -> Chips {
        u32::try_from(count).map_or(high, |count| Chips(count).max(low).min(high))
    }
}

/// A number that may have more digits than anybody reads.
fn amount(value: f64) -> String {
    match value {
        f64::INFINITY => "too many".to_owned(),
        _ if value < 1e24 => value.to_string(),
        _ => format!("{value:e}"),
    }
}

impl TryFrom<f64> for Chips {
    type Error = ChipsError;

    fn try_from(value: f64) -> Result<Chips, ChipsError> {
        if !value.is_finite() {
            Err(ChipsError::NotFinite { value })
        } else if value < 0.0 {
            Err(ChipsError::Negative { value })
        } else if value > Chips::MAX.as_f64() {
            Err(ChipsError::TooMany { value })
        } else if value.fract() != 0.0 {
            Err(ChipsError::NotWhole { value })
        } else {
            Ok(Chips(value as u32))
        }
    }
}

impl TryFrom<i64> for Chips {
    type Error = ChipsError;

    fn try_from(value: i64) -> Result<Chips, ChipsError> {
        match u32::try_from(value) {
            Ok(count) if count <= Chips::MAX.0 => Ok(Chips(count)),
            _ if value < 0 => Err(ChipsError::Negative { value: value as f64 }),
            _ => Err(ChipsError::TooMany { value: value as f64 }),
        }
    }
}

impl FromStr for Chips {
    type Err = ChipsError;

    fn from_str(text: &str) -> Result<Chips, ChipsError> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ChipsError::NotANumber { text: text.to_owned() });
        }
        // Digits only: what does not fit an i64 is surely too much.
        let too_many = || ChipsError::TooMany { value: text.parse().unwrap_or(f64::INFINITY) };
        text.parse::<i64>().map_err(|_| too_many()).and_then(Chips::try_from)
    }
}

/// Panics when the sum does not fit 32 bits, which amounts of a checked configuration never reach.
impl Add for Chips {
    type Output = Chips;

    fn add(self, other: Chips) -> Chips {
        Chips(self.0.checked_add(other.0).expect("a pot and two stacks fit 32 bits"))
    }
}

/// Panics when more is taken than is there.
impl Sub for Chips {
    type Output = Chips;

    fn sub(self, other: Chips) -> Chips {
        Chips(self.0.checked_sub(other.0).expect("nobody takes more chips than there are"))
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_kept_within_bounds() {
        for (count, low, high, want) in [
            (50, 1, 100, 50),
            (0, 7, 100, 7),
            (101, 1, 100, 100),
            (u64::MAX, 1, 100, 100),
            (0, 120, 100, 100),
        ] {
            assert_eq!(Chips::within(count, Chips(low), Chips(high)), Chips(want), "{count}");
        }
    }

    #[test]
    fn numbers_that_are_no_chips() {
        assert_eq!(Chips::try_from(1e9), Ok(Chips::MAX));
        assert!(matches!(Chips::try_from(1e9 + 1.0), Err(ChipsError::TooMany { .. })));
        assert!(matches!(Chips::try_from(f64::NAN), Err(ChipsError::NotFinite { .. })));
        assert!(matches!(Chips::try_from(f64::NEG_INFINITY), Err(ChipsError::NotFinite { .. })));
        assert!(matches!(Chips::try_from(-0.5), Err(ChipsError::Negative { .. })));
        assert!(matches!(Chips::try_from(0.5), Err(ChipsError::NotWhole { .. })));
        assert!(matches!(Chips::try_from(-1_i64), Err(ChipsError::Negative { .. })));
        assert!(matches!(Chips::try_from(i64::MAX), Err(ChipsError::TooMany { .. })));
        assert!(matches!("99999999999999999999".parse::<Chips>(), Err(ChipsError::TooMany { .. })));
        for (digits, words) in
            [(10, "9999999999 chips"), (20, "100000000000000000000 "), (30, "1e30 "), (400, "too many chips")]
        {
            let error = "9".repeat(digits).parse::<Chips>().unwrap_err().to_string();
            assert!(error.starts_with(words) && error.contains("the most is 1000000000"), "{error}");
        }
        for text in ["", "-1", "+1", "1.5", "1e9", " 1", "１"] {
            assert!(matches!(text.parse::<Chips>(), Err(ChipsError::NotANumber { .. })), "{text}");
        }
    }
}
