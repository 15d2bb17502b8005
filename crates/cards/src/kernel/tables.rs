//! The tables that the build script wrote, as arrays of numbers.

#![allow(unsafe_code)]

use crate::strength::generate::{
    HASH_LEN, NUM_BOARD_RANKS, NUM_RANK_PAIRS, NUM_SLOTS, NUM_STRENGTHS, ROW_LEN, ROW_PADDING,
};

/// A table that begins at a cache line.
#[repr(align(64))]
pub(crate) struct Aligned<T>(T);

impl<T> std::ops::Deref for Aligned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

macro_rules! table {
    ($(#[$doc:meta])* $name:ident: [$number:ty; $len:expr] = $file:literal) => {
        $(#[$doc])*
        pub(crate) static $name: Aligned<[$number; $len]> = Aligned({
            const BYTES: &[u8; size_of::<[$number; $len]>()] =
                include_bytes!(concat!(env!("OUT_DIR"), "/", $file));
            // SAFETY: any bytes are valid integers, the sizes are equal (the compiler checks it), and the value is
            // copied into a static of the right alignment. The build script wrote the target's byte order.
            unsafe { std::mem::transmute::<[u8; size_of::<[$number; $len]>()], [$number; $len]>(*BYTES) }
        });
    };
}

table!(
    /// Distinct five-card values, ascending.
    VALUES: [u32; NUM_STRENGTHS] = "values.bin"
);
table!(
    /// Strength to its number among those of seven cards, `u16::MAX` if seven cards cannot have it.
    DENSE: [u16; NUM_STRENGTHS] = "dense.bin"
);
table!(
    /// Perfect hash of five cards: row shifts, then strengths.
    HASH5: [u16; HASH_LEN] = "hash5.bin"
);
table!(
    /// Perfect hash of six cards: row shifts, then strengths.
    HASH6: [u16; HASH_LEN] = "hash6.bin"
);
table!(
    /// Perfect hash of seven cards: row shifts, then strengths.
    HASH7: [u16; HASH_LEN] = "hash7.bin"
);
table!(
    /// In the slots of five cards: the number of that multiset of board ranks.
    BOARD_IDS: [u16; NUM_SLOTS] = "board_ids.bin"
);
table!(
    /// Rank set of one suit to strength. Wider than it need be: a load of another width cannot be merged with that of
    /// the perfect hash, which would lengthen the path of the many hands without a flush.
    FLUSHES: [u32; 1 << 13] = "flushes.bin"
);
table!(
    /// `[board ranks][pair of private ranks]`, on cache lines.
    BOARD_ROWS: [u16; NUM_BOARD_RANKS * ROW_LEN + ROW_PADDING] = "board_rows.bin"
);
table!(
    /// `[private rank pair][board ranks]`.
    COLUMNS: [u16; NUM_RANK_PAIRS * NUM_BOARD_RANKS] = "columns.bin"
);

/// `[board ranks][91]`: the rank pairs of each board, weakest first.
pub(crate) static PAIR_ORDER: &[u8; NUM_BOARD_RANKS * NUM_RANK_PAIRS] =
    include_bytes!(concat!(env!("OUT_DIR"), "/pair_order.bin"));
