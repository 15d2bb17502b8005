//! The only place in this crate with `unsafe` and instructions of a particular processor.
//!
//! Each kernel has a portable twin that a property test compares it to. [`Isa`] says which one runs, in this crate and in
//! those above it.

pub(crate) mod tables;

#[cfg(target_arch = "x86_64")]
mod avx2;
mod choice;
mod isa;
mod portable;

pub use choice::{KernelChoice, UnknownKernel};
pub use isa::{Isa, IsaKernel};

use std::sync::LazyLock;

use crate::strength::generate::{ROW_LEN, ROW_PADDING};

/// Room for all combos and for the last, partly used vector of a kernel.
pub(crate) const PADDED_COMBOS: usize = 1326 + 18;

/// A row of the board table and what a kernel may read behind it.
pub(crate) type BoardRow = [u16; ROW_LEN + ROW_PADDING];

/// Spreads a board's strengths by private ranks over all combos: combo `(low, high)` gets
/// `row[row_place(low rank, high rank)]`.
type SpreadRow = fn(&BoardRow, &mut [u16; PADDED_COMBOS]);

/// The function for an instruction set.
struct SpreadRowFor;

impl IsaKernel for SpreadRowFor {
    type Output = SpreadRow;

    fn portable(self) -> SpreadRow {
        portable::spread_row
    }

    #[cfg(target_arch = "x86_64")]
    fn avx2(self) -> SpreadRow {
        avx2::spread_row
    }
}

static SPREAD_ROW: LazyLock<SpreadRow> = LazyLock::new(|| Isa::detect().run(SpreadRowFor));

/// See [`SpreadRow`].
pub(crate) fn spread_row(row: &BoardRow, strengths: &mut [u16; PADDED_COMBOS]) {
    SPREAD_ROW(row, strengths);
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn avx2_equals_its_portable_twin(row in proptest::collection::vec(any::<u16>(), ROW_LEN + ROW_PADDING)) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            let row: &BoardRow = row[..].try_into().unwrap();
            let (mut fast, mut plain) = ([0; PADDED_COMBOS], [0; PADDED_COMBOS]);
            avx2::spread_row(row, &mut fast);
            portable::spread_row(row, &mut plain);
            prop_assert_eq!(&fast[..1326], &plain[..1326]);
        }
    }
}
