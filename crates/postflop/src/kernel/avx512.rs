//! Sums of sixteen numbers in one register of processors with AVX-512.
//!
//! A value is only made inside kernels that [`equipoise_cards::Isa::all`] has chosen after it detected these instructions: every
//! block here relies on that. Each lane is computed as in [`Avx2`], so the numbers are the same to the bit.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512, _mm512_add_ps, _mm512_loadu_ps, _mm512_setzero_ps, _mm512_storeu_ps, _mm512_sub_ps,
};

use super::avx2::Avx2;
use super::lanes::{BatchSums, Lanes};
use super::rows::Row;

/// Two batches of eight `f32` sums in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sixteen(__m512);

impl BatchSums<Avx2, 2> for Sixteen {
    type Sums = Avx2;
    type Stored = [Row; 2];
    type Unit = [u8; 2];

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: the processor has AVX-512F, see the module; so for the three arithmetic instructions below.
        Sixteen(unsafe { _mm512_setzero_ps() })
    }

    #[inline(always)]
    fn load(rows: &[Row; 2]) -> Self {
        // SAFETY: two rows are 64 readable bytes; the load needs no alignment.
        Sixteen(unsafe { _mm512_loadu_ps(rows.as_ptr().cast()) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: as above; it works on registers only.
        Sixteen(unsafe { _mm512_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: as above; it works on registers only.
        Sixteen(unsafe { _mm512_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn batch(&self, batch: usize) -> Avx2 {
        assert!(batch < 2);
        // SAFETY: a register's 64 bytes are two rows, and their alignment is greater than that of a row.
        let rows = unsafe { &*(&raw const self.0).cast::<[Row; 2]>() };
        Avx2::load(&rows[batch])
    }

    #[inline(always)]
    fn load_sums(stored: &[Row; 2]) -> Self {
        Self::load(stored)
    }

    #[inline(always)]
    fn load_batch(stored: &[Row; 2], batch: usize) -> Avx2 {
        Avx2::load(&stored[batch])
    }

    #[inline(always)]
    fn store_sums(self, stored: &mut [Row; 2]) {
        // SAFETY: two rows are 64 writable bytes; the store needs no alignment.
        unsafe { _mm512_storeu_ps(stored.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn places(rows: &mut [Row]) -> &mut [[Row; 2]] {
        rows.as_chunks_mut().0
    }
}
