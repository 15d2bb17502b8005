//! Kernels for x86-64 processors with AVX2.
//!
//! # Spreading a row
//! The combos with the same low card are consecutive, and their strengths are those of the high card's rank, each
//! four times over; the first rank comes fewer times, because the high card starts behind the low one:
//!
//! ```text
//! low = 4·r + s, first high = low + 1 = 4·q + shift
//! strengths: q (4 − shift times), q+1 ×4, q+2 ×4, q+3 ×4, q+4 (shift times) | and so on from q+4
//! ```
//!
//! A vector of 16 strengths thus needs five neighbouring ranks, which one 16-byte load brings to both halves of a
//! register, and one byte shuffle (a different one for each shift) puts in place. Vectors are stored in the order of
//! the low card, so that what one writes too much is overwritten by the next.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_broadcastsi128_si256, _mm256_loadu_si256, _mm256_shuffle_epi8,
    _mm256_storeu_si256,
};

use super::{BoardRow, PADDED_COMBOS};
use crate::strength::generate::{ROW_LEN, ROW_PADDING, row_place};

/// Byte shuffles by shift: strength `i` of a vector comes from rank `(i + shift) / 4` of the load.
static SHUFFLES: [[u8; 32]; 4] = {
    let mut shuffles = [[0; 32]; 4];
    let mut shift = 0;
    while shift < 4 {
        let mut i = 0;
        while i < 16 {
            let rank = (i + shift) / 4;
            shuffles[shift][2 * i] = 2 * rank as u8;
            shuffles[shift][2 * i + 1] = 2 * rank as u8 + 1;
            i += 1;
        }
        shift += 1;
    }
    shuffles
};

pub(super) fn spread_row(row: &BoardRow, strengths: &mut [u16; PADDED_COMBOS]) {
    // SAFETY: this function is only chosen after AVX2 has been detected.
    unsafe { spread_row_avx2(row, strengths) }
}

/// How many vectors the combos of a low card take, by its rank: enough for the first card of the rank, and the same for
/// all four so that the loops have a fixed length.
const fn num_vectors(rank: usize) -> usize {
    (51 - 4 * rank).div_ceil(16)
}

/// Where the combos of a low card begin.
const fn start_of(low: usize) -> usize {
    low * (103 - low) / 2
}

// What the safety of the kernel rests on: whole vectors stay inside both arrays.
const _: () = {
    let mut low = 0;
    while low < 51 {
        let (first, vectors) = (row_place(low / 4, (low + 1) / 4), num_vectors(low / 4));
        assert!(first + 4 * (vectors - 1) + 8 <= ROW_LEN + ROW_PADDING);
        assert!(start_of(low) + 16 * vectors <= PADDED_COMBOS);
        low += 1;
    }
};

#[target_feature(enable = "avx2")]
fn spread_row_avx2(row: &BoardRow, strengths: &mut [u16; PADDED_COMBOS]) {
    spread_ranks::<{ num_vectors(0) }>(0..1, row, strengths);
    spread_ranks::<{ num_vectors(1) }>(1..5, row, strengths);
    spread_ranks::<{ num_vectors(5) }>(5..9, row, strengths);
    spread_ranks::<{ num_vectors(9) }>(9..13, row, strengths);
}

/// Spreads the combos whose low card has one of these ranks, all of which take this many vectors.
#[target_feature(enable = "avx2")]
#[inline]
fn spread_ranks<const VECTORS: usize>(
    ranks: std::ops::Range<usize>,
    row: &BoardRow,
    strengths: &mut [u16; PADDED_COMBOS],
) {
    let shuffles = SHUFFLES.each_ref().map(|bytes| {
        // SAFETY: 32 bytes are read from an array of 32 bytes; the load needs no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast::<__m256i>()) }
    });
    for rank in ranks {
        debug_assert_eq!(num_vectors(rank), VECTORS);
        for suit in 0..4 {
            let low = 4 * rank + suit;
            if low == 51 {
                return;
            }
            let (from, to) = (row_place(rank, (low + 1) / 4), start_of(low));
            for vector in 0..VECTORS {
                // SAFETY: the constant above asserts that eight numbers from here on lie inside the row.
                let ranks = unsafe { _mm_loadu_si128(row.as_ptr().wrapping_add(from + 4 * vector).cast()) };
                let spread =
                    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(ranks), shuffles[(suit + 1) % 4]);
                // SAFETY: the constant above asserts that sixteen numbers from here on lie inside the strengths.
                unsafe {
                    _mm256_storeu_si256(strengths.as_mut_ptr().wrapping_add(to + 16 * vector).cast(), spread);
                };
            }
        }
    }
}
