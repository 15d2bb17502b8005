//! The properties that the fuzz targets try without end, tried within bounds.

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // There it is a library.
mod properties;

use proptest::prelude::*;

/// Text of any kind, or text that is nearly right.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "A", "K", "T", "9", "2", "10", "a", "s", "o", "h", "d", "c", "♥", "♠", "+", "-", ",", " ", ":0.5",
        ":", "@50", "[50]", "[/50]", "15%", "%", "random", "*", "AKs", "88", "AhKd", "Td9d6h", "1", "0", ".",
        "x", "😀",
    ];
    let nearly = proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..12);
    prop_oneof!["\\PC{0,24}", nearly.prop_map(|pieces| pieces.concat())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn cards(text in text()) {
        properties::cards(&text);
    }

    #[test]
    fn board(text in text()) {
        properties::board(&text);
    }

    #[test]
    fn range(text in text()) {
        properties::range(&text);
    }

    #[test]
    fn seat(text in text()) {
        properties::seat(&text);
    }
}
