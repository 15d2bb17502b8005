//! Plain twins of the kernels.

use super::{BoardRow, PADDED_COMBOS};
use crate::strength::generate::row_place;

pub(super) fn spread_row(row: &BoardRow, strengths: &mut [u16; PADDED_COMBOS]) {
    let mut index = 0;
    for low in 0..51 {
        for high in low + 1..52 {
            strengths[index] = row[row_place(low / 4, high / 4)];
            index += 1;
        }
    }
}
