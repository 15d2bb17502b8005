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

#[target_feature(enable = "avx2")]
fn spread_row_avx2(row: &BoardRow, strengths: &mut [u16; PADDED_COMBOS]) {
    let shuffles = SHUFFLES.each_ref().map(|bytes| {
        // SAFETY: 32 bytes are read from an array of 32 bytes; the load needs no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast::<__m256i>()) }
    });
    let mut start = 0;
    for low in 0..51usize {
        let (first_rank, shift) = ((low + 1) / 4, (low + 1) % 4);
        let num_high = 51 - low;
        for vector in 0..num_high.div_ceil(16) {
            let from = &row[low / 4 * 16 + first_rank + 4 * vector..][..8];
            let to = &mut strengths[start + 16 * vector..][..16];
            // SAFETY: `from` is 16 bytes long; the load needs no alignment.
            let ranks = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
            let spread = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(ranks), shuffles[shift]);
            // SAFETY: `to` is 32 bytes long; the store needs no alignment.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), spread) };
        }
        start += num_high;
    }
}
