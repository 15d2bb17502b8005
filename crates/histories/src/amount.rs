//! Amounts as they are written: whole or with decimals.

use crate::error::Problem;

/// The most decimals that an amount may have.
pub(crate) const MAX_DECIMALS: u32 = 6;

/// A number of 0 or more as written: `digits` / 10^`decimals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    digits: u64,
    pub(crate) decimals: u32,
}

impl Amount {
    /// A whole number.
    pub(crate) const fn whole(digits: u64) -> Amount {
        Amount { digits, decimals: 0 }
    }

    /// Reads digits with at most one point and, between thousands, commas.
    pub(crate) fn parse(text: &str) -> Result<Amount, Problem> {
        let wrong = || Problem::syntax(format!("'{text}' is no amount"));
        let (mut digits, mut decimals, mut seen, mut point) = (0_u64, 0_u32, false, false);
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => {
                    seen = true;
                    digits = digits
                        .checked_mul(10)
                        .and_then(|digits| digits.checked_add(u64::from(byte - b'0')))
                        .ok_or_else(wrong)?;
                    decimals += u32::from(point);
                }
                b'.' if !point => point = true,
                b',' if !point && seen => {}
                _ => return Err(wrong()),
            }
        }
        if !seen {
            return Err(wrong());
        }
        while decimals > 0 && digits.is_multiple_of(10) {
            (digits, decimals) = (digits / 10, decimals - 1);
        }
        if decimals > MAX_DECIMALS { Err(wrong()) } else { Ok(Amount { digits, decimals }) }
    }

    /// The amount of a number that was read already; its shortest text is what was written.
    pub(crate) fn of_f64(value: f64) -> Result<Amount, Problem> {
        Amount::parse(&value.to_string())
    }

    /// In units of 10^-`decimals`, which must be at least as fine as this amount.
    pub(crate) fn chips(self, decimals: u32) -> Result<u64, Problem> {
        let factor = 10_u64.pow(decimals - self.decimals);
        let chips = self.digits.checked_mul(factor).filter(|&chips| chips <= MAX_CHIPS);
        chips.ok_or_else(|| {
            Problem::syntax(format!("{} chips are too many: the most is {MAX_CHIPS}", self.digits))
        })
    }
}

/// Whole chips of a bet, if they are not more than a hand can have.
pub(crate) fn bet_amount(digits: &str) -> Option<u64> {
    digits.parse().ok().filter(|&chips| chips <= MAX_CHIPS)
}

/// The most chips that an amount may be.
pub(crate) const MAX_CHIPS: u64 = 1_000_000_000;

/// An amount of chips in the history's unit, as people write it.
pub(crate) fn shown(chips: u64, decimals: u32) -> String {
    if decimals == 0 {
        return chips.to_string();
    }
    let unit = 10_u64.pow(decimals);
    let text = format!("{}.{:0width$}", chips / unit, chips % unit, width = decimals as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_as_they_are_written() {
        for (text, decimals, chips) in
            [("20", 0, 20), ("214.80", 1, 2148), ("0.02", 2, 2), ("1,500", 0, 1500)]
        {
            let amount = Amount::parse(text).unwrap();
            assert_eq!((amount.decimals, amount.chips(decimals).unwrap()), (decimals, chips), "{text}");
        }
        assert_eq!(Amount::of_f64(154.8).unwrap().chips(2).unwrap(), 15_480);
        assert_eq!([shown(15_480, 2), shown(200, 2), shown(7, 2)], ["154.8", "2", "0.07"]);
        for text in ["", ".", "-1", "1.2.3", "x", "1e5", "0.00000001", "99999999999999999999"] {
            assert!(Amount::parse(text).is_err(), "{text}");
        }
        assert!(Amount::parse("2000000000").unwrap().chips(0).is_err());
    }
}
