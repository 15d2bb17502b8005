//! The tables that the build script wrote, as arrays of numbers.

#![allow(unsafe_code)]

use crate::strength::generate::{
    NUM_BOARD_RANKS, NUM_RANK_PAIRS, NUM_SLOTS, NUM_STRENGTHS, ROW_BITS, ROW_LEN, ROW_PADDING,
};

macro_rules! table {
    ($(#[$doc:meta])* $name:ident: [$number:ty; $len:expr] = $file:literal) => {
        $(#[$doc])*
        pub(crate) static $name: [$number; $len] = {
            const BYTES: &[u8; size_of::<[$number; $len]>()] =
                include_bytes!(concat!(env!("OUT_DIR"), "/", $file));
            // SAFETY: any bytes are valid integers, the sizes are equal (the compiler checks it), and the value is
            // copied into a static of the right alignment. The build script wrote the target's byte order.
            unsafe { std::mem::transmute::<[u8; size_of::<[$number; $len]>()], [$number; $len]>(*BYTES) }
        };
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
    /// Perfect hash of five cards: row shifts.
    ROWS5: [u16; 1 << ROW_BITS] = "rows5.bin"
);
table!(
    /// Perfect hash of five cards: strengths.
    SLOTS5: [u16; NUM_SLOTS] = "slots5.bin"
);
table!(
    /// Perfect hash of six cards: row shifts.
    ROWS6: [u16; 1 << ROW_BITS] = "rows6.bin"
);
table!(
    /// Perfect hash of six cards: strengths.
    SLOTS6: [u16; NUM_SLOTS] = "slots6.bin"
);
table!(
    /// Perfect hash of seven cards: row shifts.
    ROWS7: [u16; 1 << ROW_BITS] = "rows7.bin"
);
table!(
    /// Perfect hash of seven cards: strengths.
    SLOTS7: [u16; NUM_SLOTS] = "slots7.bin"
);
table!(
    /// In the slots of five cards: the number of that multiset of board ranks.
    BOARD_IDS: [u16; NUM_SLOTS] = "board_ids.bin"
);
table!(
    /// Rank set of one suit to strength.
    FLUSHES: [u16; 1 << 13] = "flushes.bin"
);
table!(
    /// `[board ranks][private rank][private rank padded to 16]`.
    BOARD_ROWS: [u16; NUM_BOARD_RANKS * ROW_LEN + ROW_PADDING] = "board_rows.bin"
);
table!(
    /// `[private rank pair][board ranks]`.
    COLUMNS: [u16; NUM_RANK_PAIRS * NUM_BOARD_RANKS] = "columns.bin"
);

/// `[board ranks][91]`: the rank pairs of each board, weakest first.
pub(crate) static PAIR_ORDER: &[u8; NUM_BOARD_RANKS * NUM_RANK_PAIRS] =
    include_bytes!(concat!(env!("OUT_DIR"), "/pair_order.bin"));
