//! The loops over hand classes, and the only place of this crate with `unsafe`.
//!
//! Each is plain Rust, compiled twice: for any processor, and for those with AVX2. Neither fuses a product with a sum, so both
//! give the same bits, which a test checks.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop)]

use equipoise_cards::KernelChoice;

/// Lanes of a row of the 169 classes: the next multiple of 8.
pub(crate) const LANES: usize = 176;

/// A number for each class, padded.
pub(crate) type Row = [f32; LANES];

/// Which instructions are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Isa(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Isa {
    /// The best that this processor has, unless the environment forces the portable twin.
    pub(crate) fn detect() -> Isa {
        if KernelChoice::is_portable_forced() { Isa(Kind::Portable) } else { Isa::best() }
    }

    fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Isa(Kind::Avx2);
        }
        Isa(Kind::Portable)
    }

    /// Adds each weight, of which those before `from` are 0, to the sum of where its strength lies: above `high`, equal to it, between,
    /// equal to `low`, below.
    #[inline]
    pub(crate) fn place(self, place: &Place<'_>, sums: &mut [Row; 5]) {
        match self.0 {
            Kind::Portable => place.run(sums),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: only `best` makes this kind, after it has detected the instructions.
            Kind::Avx2 => unsafe { place_avx2(place, sums) },
        }
    }

    /// Adds a multiple of each row to a sum.
    #[inline]
    pub(crate) fn add_rows(self, weight: f32, rows: &[Row], sums: &mut [Row]) {
        match self.0 {
            Kind::Portable => add_rows(weight, rows, sums),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: only `best` makes this kind, after it has detected the instructions.
            Kind::Avx2 => unsafe { add_rows_avx2(weight, rows, sums) },
        }
    }
}

/// The arguments of [`Isa::place`].
pub(crate) struct Place<'a> {
    pub(crate) strengths: &'a Row,
    pub(crate) weights: &'a Row,
    /// What weights are multiplied by.
    pub(crate) scale: f32,
    pub(crate) high: f32,
    pub(crate) low: f32,
    pub(crate) from: usize,
}

impl Place<'_> {
    #[inline(always)]
    fn run(&self, sums: &mut [Row; 5]) {
        let Place { strengths, weights, scale, high, low, from } = *self;
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

#[inline(always)]
fn add_rows(weight: f32, rows: &[Row], sums: &mut [Row]) {
    for (row, sum) in rows.iter().zip(sums) {
        for class in 0..LANES {
            sum[class] += weight * row[class];
        }
    }
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2")]
unsafe fn place_avx2(place: &Place<'_>, sums: &mut [Row; 5]) {
    place.run(sums);
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2")]
unsafe fn add_rows_avx2(weight: f32, rows: &[Row], sums: &mut [Row]) {
    add_rows(weight, rows, sums);
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let place = Place { strengths: &strengths, weights: &weights, scale: 2.0, high, low, from };
            let (mut best, mut portable) = ([weights; 5], [weights; 5]);
            Isa::best().place(&place, &mut best);
            Isa(Kind::Portable).place(&place, &mut portable);
            prop_assert_eq!(best, portable);
            Isa::best().add_rows(high, &portable, &mut best);
            let copy = portable;
            Isa(Kind::Portable).add_rows(high, &copy, &mut portable);
            prop_assert_eq!(best, portable);
        }
    }
}
