//! What must hold of everything that reads text or files, for any text and any bytes. The fuzz targets try it without end, the
//! tests of `equipoise` within bounds; both begin with the files in `seeds` and use the words of `dictionary.txt`.

mod files;
mod parsers;

pub use files::{blueprint, buckets, solution, spot_bytes, three_way};
pub use parsers::{
    acpc, algorithm, bet_sizes, betting_file, board, bot_api, cards, game_file, hand_category, history,
    import, line, lock, node_path, plan, range, seat, spot_file, upi, words,
};

/// What must hold of any bytes.
pub type Property = fn(&[u8]);

/// What reads, and what must hold of it. Each has a target in `fuzz_targets`, and seeds in a folder of its name.
pub const TARGETS: [(&str, Property); 25] = [
    ("acpc", |bytes| acpc(&text(bytes))),
    ("algorithm", |bytes| algorithm(&text(bytes))),
    ("bet_sizes", |bytes| bet_sizes(&text(bytes))),
    ("betting_file", |bytes| betting_file(&text(bytes))),
    ("blueprint", blueprint),
    ("board", |bytes| board(&text(bytes))),
    ("bot_api", |bytes| bot_api(&text(bytes))),
    ("buckets", buckets),
    ("cards", |bytes| cards(&text(bytes))),
    ("game_file", |bytes| game_file(&text(bytes))),
    ("hand_category", |bytes| hand_category(&text(bytes))),
    ("history", history),
    ("import", |bytes| import(&text(bytes))),
    ("line", |bytes| line(&text(bytes))),
    ("lock", |bytes| lock(&text(bytes))),
    ("node_path", |bytes| node_path(&text(bytes))),
    ("plan", |bytes| plan(&text(bytes))),
    ("range", |bytes| range(&text(bytes))),
    ("seat", |bytes| seat(&text(bytes))),
    ("solution", solution),
    ("spot_bytes", spot_bytes),
    ("spot_file", |bytes| spot_file(&text(bytes))),
    ("three_way", three_way),
    ("upi", upi),
    ("words", |bytes| words(&text(bytes))),
];

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
