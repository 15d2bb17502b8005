//! The loops over hand classes.
//!
//! Each is plain Rust, compiled for every instruction set. None fuses a product with a sum, so all give the same bits, which
//! a test checks.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop)]

use equipoise_cards::IsaKernel;

/// Lanes of a row of the 169 classes: the next multiple of 8.
pub(crate) const LANES: usize = 176;

/// A number for each class, padded.
pub(crate) type Row = [f32; LANES];

/// Adds each weight, of which those before `from` are 0, to the sum of where its strength lies: above `high`, equal to it,
/// between, equal to `low`, below.
pub(crate) struct Place<'a> {
    pub(crate) strengths: &'a Row,
    pub(crate) weights: &'a Row,
    /// What weights are multiplied by.
    pub(crate) scale: f32,
    pub(crate) high: f32,
    pub(crate) low: f32,
    pub(crate) from: usize,
    pub(crate) sums: &'a mut [Row; 5],
}

impl IsaKernel for Place<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let Place { strengths, weights, scale, high, low, from, sums } = self;
        let [above, as_high, between, as_low, below] = sums;
        // Whole vectors: weights before `from` are 0.
        for class in from / 8 * 8..LANES {
            let (strength, weight) = (strengths[class], scale * weights[class]);
            above[class] += if strength > high { weight } else { 0.0 };
            as_high[class] += if strength == high { weight } else { 0.0 };
            between[class] += if (strength < high) & (strength > low) { weight } else { 0.0 };
            as_low[class] += if strength == low { weight } else { 0.0 };
            below[class] += if strength < low { weight } else { 0.0 };
        }
    }
}

/// Adds a multiple of each row to a sum.
pub(crate) struct AddRows<'a> {
    pub(crate) weight: f32,
    pub(crate) rows: &'a [Row],
    pub(crate) sums: &'a mut [Row],
}

impl IsaKernel for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let AddRows { weight, rows, sums } = self;
        for (row, sum) in rows.iter().zip(sums) {
            for class in 0..LANES {
                sum[class] += weight * row[class];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_cards::Isa;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn both_give_the_same_bits(
            strengths in proptest::collection::vec(0_u8..9, LANES),
            weights in proptest::collection::vec(0.0_f32..9.0, LANES),
            (low, high, from) in (0_u8..9, 0_u8..9, 0_usize..169),
        ) {
            let row = |numbers: &mut dyn Iterator<Item = f32>| std::array::from_fn(|_| numbers.next().unwrap());
            let strengths: Row = row(&mut strengths.iter().map(|&strength| f32::from(strength)));
            let weights: Row = row(&mut weights.iter().copied());
            let (low, high) = (f32::from(low.min(high)), f32::from(low.max(high)));
            let (mut best, mut portable) = ([weights; 5], [weights; 5]);
            let place = |isa: Isa, sums: &mut [Row; 5]| {
                isa.run(Place { strengths: &strengths, weights: &weights, scale: 2.0, high, low, from, sums });
            };
            place(Isa::best(), &mut best);
            place(Isa::PORTABLE, &mut portable);
            prop_assert_eq!(best, portable);
            let rows = portable;
            Isa::best().run(AddRows { weight: high, rows: &rows, sums: &mut best });
            Isa::PORTABLE.run(AddRows { weight: high, rows: &rows, sums: &mut portable });
            prop_assert_eq!(best, portable);
        }
    }
}
