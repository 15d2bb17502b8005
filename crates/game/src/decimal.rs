//! Numbers as they were typed, for arithmetic that nothing is rounded in.

/// A number of 0 or more, `digits` · 10^`exponent`.
///
/// Sizes and thresholds are typed as decimals and kept as `f64`, in which 0.1 and 2.3 are not what was typed. Where a
/// comparison or a half decides about an action, the decimal counts: the shortest one that reads as that `f64`, which is
/// what was typed if that had 15 digits or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// Below 10^17.
    digits: u64,
    exponent: i32,
}

/// Powers of ten for numbers with few digits after the point.
const POWERS: [f64; 7] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

impl Decimal {
    const ZERO: Decimal = Decimal { digits: 0, exponent: 0 };

    /// The decimal of a number. What is below 0 or no number counts as 0: configurations are checked before they get
    /// here.
    pub(crate) fn new(value: f64) -> Decimal {
        if value.is_nan() || value <= 0.0 {
            return Decimal::ZERO;
        }
        if value.is_infinite() {
            return Decimal { digits: 1, exponent: i32::MAX };
        }
        Decimal::short(value).unwrap_or_else(|| Decimal::shortest(value))
    }

    /// The decimal of a percentage.
    pub(crate) fn percent(percent: f64) -> Decimal {
        let Decimal { digits, exponent } = Decimal::new(percent);
        Decimal { digits, exponent: exponent.saturating_sub(2) }
    }

    /// A number with few digits, as nearly all are, without a detour over text. Both operands of the division are exact
    /// and its result is the nearest `f64`, as that of reading is; two decimals of 15 digits never read as the same.
    fn short(value: f64) -> Option<Decimal> {
        POWERS.iter().zip(0_i32..).find_map(|(power, places)| {
            let digits = (value * power).round();
            let is_it = digits < 1e15 && digits / power == value;
            is_it.then_some(Decimal { digits: digits as u64, exponent: -places })
        })
    }

    /// Any other positive number: what `Display` writes is the shortest text that reads back.
    fn shortest(value: f64) -> Decimal {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').expect("it is written so");
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}").parse().expect("at most 17 digits");
        let exponent: i32 = exponent.parse().expect("three digits");
        Decimal { digits, exponent: exponent - fraction.len() as i32 }
    }

    /// The power of ten that the digits are multiplied with or divided by; `None` if it does not fit.
    fn power(self) -> Option<u128> {
        10_u128.checked_pow(self.exponent.unsigned_abs())
    }

    /// The product with this number as a whole number, halves rounded up; `u64::MAX` if it is more than that.
    pub(crate) fn times_rounded(self, count: u64) -> u64 {
        let product = u128::from(self.digits) * u128::from(count);
        let rounded = match self.power() {
            Some(power) if self.exponent >= 0 => product.saturating_mul(power),
            Some(power) => product / power + u128::from(product % power >= power.div_ceil(2)),
            None if self.exponent >= 0 && product > 0 => u128::MAX,
            // The product is below 10^17 · 2^64, the power at least 10^39.
            None => 0,
        };
        u64::try_from(rounded).unwrap_or(u64::MAX)
    }

    /// Whether the product with this number is less than a bound.
    pub(crate) fn times_is_below(self, count: u64, bound: u64) -> bool {
        let product = u128::from(self.digits) * u128::from(count);
        let bound = u128::from(bound);
        match self.power() {
            Some(power) if self.exponent >= 0 => product.checked_mul(power).is_some_and(|all| all < bound),
            Some(power) => bound.checked_mul(power).is_none_or(|bound| product < bound),
            None => (self.exponent < 0 || product == 0) && bound > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_go_up() {
        for (value, count, want) in [
            (0.66, 75, 50),
            (0.659, 75, 49),
            (0.0, 1, 0),
            (0.5, 1, 1),
            (2.3, 5, 12),
            (0.35, 90, 32),
            (0.57, 50, 29),
            (1.5, 101, 152),
            // Half a chip less than nothing of it is no half.
            (0.499_999_999_999_999_9, 1, 0),
            (0.005, 1_999_999_900, 10_000_000),
            (0.005_000_001, 2_999_999_900, 15_000_002),
            (f64::MIN_POSITIVE, u64::MAX, 0),
            (1e-30, u64::MAX, 0),
            (1e300, 1, u64::MAX),
            (1e300, 0, 0),
            (1e19, 1, 10_000_000_000_000_000_000),
            (f64::MAX, u64::MAX, u64::MAX),
            (f64::INFINITY, 1, u64::MAX),
            (f64::NAN, 1, 0),
            (-1.0, 1, 0),
        ] {
            assert_eq!(Decimal::new(value).times_rounded(count), want, "{value} · {count}");
        }
        assert_eq!(Decimal::percent(66.0).times_rounded(75), 50);
        assert_eq!(Decimal::percent(f64::INFINITY).times_rounded(75), u64::MAX);
    }

    #[test]
    fn comparisons_are_exact() {
        for (value, count, bound, want) in [
            (0.1, 10, 1, false),
            (0.1, 9, 1, true),
            (0.3, 10, 3, false),
            (0.7, 10, 7, false),
            (0.300_000_000_000_000_04, 10, 3, false),
            (0.299_999_999_999_999_9, 10, 3, true),
            (0.0, 5, 0, false),
            (0.0, 5, 1, true),
            (1e-300, u64::MAX, 1, true),
            (1e-300, 1, 0, false),
            (1e300, 1, u64::MAX, false),
            (1e300, 0, 1, true),
            (f64::INFINITY, 1, u64::MAX, false),
        ] {
            assert_eq!(Decimal::new(value).times_is_below(count, bound), want, "{value} · {count} < {bound}");
        }
    }

    proptest! {
        /// Without the detour as with it, and what is typed is what counts.
        #[test]
        fn short_numbers_are_what_was_typed(digits in 1_u64..1_000_000_000_000_000, places in 0_usize..12) {
            let text = format!("{digits}e-{places}");
            let value: f64 = text.parse().unwrap();
            let (new, slow) = (Decimal::new(value), Decimal::shortest(value));
            for decimal in [new, slow] {
                // Both are the same fraction: digits · 10^exponent.
                let left = u128::from(decimal.digits) * 10_u128.pow((decimal.exponent + 20) as u32);
                let right = u128::from(digits) * 10_u128.pow(20 - places as u32);
                prop_assert_eq!(left, right, "{}", text);
            }
        }

        #[test]
        fn nothing_overflows(bits in any::<u64>(), count in any::<u64>(), bound in any::<u64>()) {
            let value = f64::from_bits(bits);
            let decimal = Decimal::new(value);
            let exact = value.max(0.0) * count as f64;
            let rounded = decimal.times_rounded(count) as f64;
            prop_assert!((rounded - exact.min(u64::MAX as f64)).abs() <= 0.5 + 1e-9 * exact.min(1e20), "{} {}", value, count);
            if (exact - bound as f64).abs() > 1e-9 * exact.max(1.0) {
                prop_assert_eq!(decimal.times_is_below(count, bound), exact < bound as f64);
            }
        }
    }
}
