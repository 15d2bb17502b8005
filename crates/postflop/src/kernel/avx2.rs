//! The lanes of x86-64 processors with AVX2, FMA and F16C.
//!
//! A value of [`Avx2`] is only made inside kernels that [`equipoise_cards::Isa::all`] has chosen after it detected these
//! instructions: every block here relies on that. The methods are always inlined into a caller that is compiled for the
//! instructions, so that each becomes one of them.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128, __m256, __m256d, __m256i, _CMP_GT_OQ, _MM_FROUND_TO_NEAREST_INT, _MM_FROUND_TO_ZERO, _mm_add_ps,
    _mm_add_ss, _mm_cvtss_f32, _mm_load_si128, _mm_loadu_si128, _mm_movehl_ps, _mm_shuffle_ps,
    _mm_store_si128, _mm256_add_epi32, _mm256_add_pd, _mm256_add_ps, _mm256_and_ps, _mm256_andnot_ps,
    _mm256_castps_si256, _mm256_castps256_ps128, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_cvtepi16_epi32,
    _mm256_cvtepi32_ps, _mm256_cvtpd_ps, _mm256_cvtph_ps, _mm256_cvtps_pd, _mm256_cvtps_ph, _mm256_div_ps,
    _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_load_ps, _mm256_loadu_si256, _mm256_max_ps, _mm256_mul_ps,
    _mm256_permute2f128_ps, _mm256_set_m128, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_shuffle_ps, _mm256_srli_epi32, _mm256_store_ps, _mm256_sub_pd, _mm256_sub_ps, _mm256_unpackhi_ps,
    _mm256_unpacklo_ps,
};

use super::lanes::{
    LOST_BITS, LaneSums, Lanes, NOISE_SEED, NOISE_STARTS, NOISE_STEP, TwoRows, wide_in_two_rows,
};
use super::rows::{HalfRow, Row};

/// Eight `f32` in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(__m256);

/// Eight `f64` in two registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideAvx2(__m256d, __m256d);

/// One instruction on registers.
macro_rules! op {
    ($name:ident ( $($argument:expr),* )) => {
        // SAFETY: the processor has the instruction, see the module; it works on registers only.
        Avx2(unsafe { $name($($argument),*) })
    };
}

/// One instruction on registers that are not eight `f32`.
macro_rules! raw {
    ($name:ident $(::<$constant:ident>)? ( $($argument:expr),* )) => {
        // SAFETY: the processor has the instruction, see the module; it works on registers only.
        unsafe { $name $(::<$constant>)? ($($argument),*) }
    };
}

impl Lanes for Avx2 {
    type Noise = __m256i;
    type Wide = WideAvx2;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        op!(_mm256_set1_ps(value))
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        // SAFETY: a row is 32 readable bytes at an address divisible by 32.
        Avx2(unsafe { _mm256_load_ps(row.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: a row is 32 writable bytes at an address divisible by 32.
        unsafe { _mm256_store_ps(row.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn load_half(row: &HalfRow) -> Self {
        // SAFETY: a half row is 16 readable bytes at an address divisible by 16.
        let bits = unsafe { _mm_load_si128(row.0.as_ptr().cast()) };
        op!(_mm256_cvtph_ps(bits))
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        // SAFETY: the processor has F16C, see the module.
        let bits = unsafe { _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(self.0) };
        // SAFETY: a half row is 16 writable bytes at an address divisible by 16.
        unsafe { _mm_store_si128(row.0.as_mut_ptr().cast(), bits) }
    }

    #[inline(always)]
    fn store_half_noisily(self, row: &mut HalfRow, noise: __m256i) {
        const SHIFT: i32 = 32 - LOST_BITS as i32;
        let noise = raw!(_mm256_srli_epi32::<SHIFT>(noise));
        let exact = raw!(_mm256_castps_si256(self.0));
        let raised = raw!(_mm256_add_epi32(exact, noise));
        let raised = raw!(_mm256_castsi256_ps(raised));
        let bits = raw!(_mm256_cvtps_ph::<_MM_FROUND_TO_ZERO>(raised));
        // SAFETY: a half row is 16 writable bytes at an address divisible by 16.
        unsafe { _mm_store_si128(row.0.as_mut_ptr().cast(), bits) }
    }

    #[inline(always)]
    fn noise(seed: u32) -> __m256i {
        // SAFETY: 32 bytes are read from an array of as many; the load needs no alignment.
        let starts = unsafe { _mm256_loadu_si256(NOISE_STARTS.as_ptr().cast()) };
        let seed = raw!(_mm256_set1_epi32(seed.wrapping_mul(NOISE_SEED).cast_signed()));
        raw!(_mm256_add_epi32(starts, seed))
    }

    #[inline(always)]
    fn next_noise(noise: __m256i) -> __m256i {
        let step = raw!(_mm256_set1_epi32(NOISE_STEP.cast_signed()));
        raw!(_mm256_add_epi32(noise, step))
    }

    #[inline(always)]
    fn load_shorts(shorts: &[i16; 8]) -> Self {
        // SAFETY: sixteen bytes are read from an array of eight shorts; the load needs no alignment.
        let shorts = unsafe { _mm_loadu_si128(shorts.as_ptr().cast()) };
        // SAFETY: the processor has AVX2, see the module.
        let wide = unsafe { _mm256_cvtepi16_epi32(shorts) };
        op!(_mm256_cvtepi32_ps(wide))
    }

    #[inline(always)]
    fn zero() -> Self {
        op!(_mm256_setzero_ps())
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        op!(_mm256_add_ps(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        op!(_mm256_sub_ps(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        op!(_mm256_mul_ps(self.0, other.0))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        op!(_mm256_div_ps(self.0, other.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        op!(_mm256_max_ps(self.0, other.0))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        op!(_mm256_fmadd_ps(self.0, factor.0, addend.0))
    }

    #[inline(always)]
    fn flush(self, floor: Self) -> Self {
        let magnitude = op!(_mm256_andnot_ps(Self::splat(-0.0).0, self.0));
        // SAFETY: the processor has AVX, see the module.
        let is_above = unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(magnitude.0, floor.0) };
        op!(_mm256_and_ps(is_above, self.0))
    }

    #[inline(always)]
    fn transpose(rows: [Self; 8]) -> [Self; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let (ab, ba) = (op!(_mm256_unpacklo_ps(a.0, b.0)), op!(_mm256_unpackhi_ps(a.0, b.0)));
        let (cd, dc) = (op!(_mm256_unpacklo_ps(c.0, d.0)), op!(_mm256_unpackhi_ps(c.0, d.0)));
        let (ef, fe) = (op!(_mm256_unpacklo_ps(e.0, f.0)), op!(_mm256_unpackhi_ps(e.0, f.0)));
        let (gh, hg) = (op!(_mm256_unpacklo_ps(g.0, h.0)), op!(_mm256_unpackhi_ps(g.0, h.0)));
        let (a, b) = (op!(shuffle_even(ab.0, cd.0)), op!(shuffle_odd(ab.0, cd.0)));
        let (c, d) = (op!(shuffle_even(ba.0, dc.0)), op!(shuffle_odd(ba.0, dc.0)));
        let (e, f) = (op!(shuffle_even(ef.0, gh.0)), op!(shuffle_odd(ef.0, gh.0)));
        let (g, h) = (op!(shuffle_even(fe.0, hg.0)), op!(shuffle_odd(fe.0, hg.0)));
        [
            op!(lower_halves(a.0, e.0)),
            op!(lower_halves(b.0, f.0)),
            op!(lower_halves(c.0, g.0)),
            op!(lower_halves(d.0, h.0)),
            op!(upper_halves(a.0, e.0)),
            op!(upper_halves(b.0, f.0)),
            op!(upper_halves(c.0, g.0)),
            op!(upper_halves(d.0, h.0)),
        ]
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: the processor has AVX, see the module.
        let low = unsafe { _mm256_castps256_ps128(self.0) };
        // SAFETY: as above.
        let high = unsafe { upper_half(self.0) };
        // SAFETY: as above.
        let four = unsafe { _mm_add_ps(low, high) };
        // SAFETY: as above.
        let upper = unsafe { _mm_movehl_ps(four, four) };
        // SAFETY: as above.
        let two = unsafe { _mm_add_ps(four, upper) };
        // SAFETY: as above.
        let second = unsafe { _mm_shuffle_ps::<1>(two, two) };
        // SAFETY: as above.
        let one = unsafe { _mm_add_ss(two, second) };
        // SAFETY: as above.
        unsafe { _mm_cvtss_f32(one) }
    }
}

impl LaneSums<Avx2> for WideAvx2 {
    wide_in_two_rows!(Avx2);

    #[inline(always)]
    fn of(numbers: Avx2) -> Self {
        let (low, high) = (raw!(_mm256_castps256_ps128(numbers.0)), raw!(upper_half(numbers.0)));
        WideAvx2(raw!(_mm256_cvtps_pd(low)), raw!(_mm256_cvtps_pd(high)))
    }

    #[inline(always)]
    fn rounded(self) -> Avx2 {
        let (low, high) = (raw!(_mm256_cvtpd_ps(self.0)), raw!(_mm256_cvtpd_ps(self.1)));
        op!(_mm256_set_m128(high, low))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        WideAvx2(raw!(_mm256_add_pd(self.0, other.0)), raw!(_mm256_add_pd(self.1, other.1)))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        WideAvx2(raw!(_mm256_sub_pd(self.0, other.0)), raw!(_mm256_sub_pd(self.1, other.1)))
    }
}

/// # Safety
/// The processor has AVX.
#[inline(always)]
unsafe fn upper_half(a: __m256) -> __m128 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_extractf128_ps::<1>(a) }
}

/// # Safety
/// The processor has AVX. So for the three below.
#[inline(always)]
unsafe fn shuffle_even(a: __m256, b: __m256) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_shuffle_ps::<0x44>(a, b) }
}

/// # Safety
/// The processor has AVX.
#[inline(always)]
unsafe fn shuffle_odd(a: __m256, b: __m256) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_shuffle_ps::<0xee>(a, b) }
}

/// # Safety
/// The processor has AVX.
#[inline(always)]
unsafe fn lower_halves(a: __m256, b: __m256) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_permute2f128_ps::<0x20>(a, b) }
}

/// # Safety
/// The processor has AVX.
#[inline(always)]
unsafe fn upper_halves(a: __m256, b: __m256) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_permute2f128_ps::<0x31>(a, b) }
}
