//! The properties that the fuzz targets try without end, tried within bounds: on text that is made up here, and on what
//! becomes of the targets' seeds.

mod mutate;
#[path = "../../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // There it is a library.
mod properties;
mod seeds;

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

/// A small spot that uses every section.
const SPOT: &str = r#"schema_version = 1
[ranges]
oop = "66+,A8s+,KQo:0.5"
ip = 'QQ-22,AQs-A2s'
[cards]
flop = "Td9d6h"
turn = "Qc"
river = "2h"
[tree]
starting_pot = 200
effective_stack = 900
rake_rate = 0.05
rake_cap = 10
preset = "simple"
add_lines = ["bet:70 raise:300"]
remove_lines = ["bet:120"]
[bet_sizes.river]
oop_bet = "60%, e, a"
ip_raise = "2.5x"
[solver]
algorithm = "apcfr+"
alpha_max = 5.0
quantization = "16bit"
max_iterations = 500
target_exploitability_pct = 0.1
[[locks]]
line = "check"
strategy = { check = 1.0 }
[[locks]]
runout = ""
hands = { AKs = { check = 0.5, "bet:70" = 0.5 }, AhAd = { check = 1.0 } }
"#;

/// Something that may stand in a spot file where it should not.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "",
        "\n",
        "\r\n",
        "=",
        "\"",
        "'",
        "\"\"\"",
        "[",
        "]",
        "[[",
        "{",
        "}",
        ",",
        ".",
        "#",
        "\\",
        "♥",
        "😀",
        "\0",
        "0",
        "1",
        "-",
        "nan",
        "inf",
        "1e9",
        "-5",
        "true",
        "1979-05-27",
        "9999999999999999999",
        "\"AA\"",
        "\"Td\"",
        "[]",
        "{}",
        "[solver]",
        "[[locks]]",
        "[locks]",
        "[cards.flop]",
        "a.b.c = 1",
        "hands.\"A.K\" = {}",
        "check",
        "|",
        "regret_bits = 8",
        "schema_version = 2",
        "[tree]\n",
        "\u{feff}",
    ];
    let known = proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned);
    prop_oneof![4 => known, 1 => "\\PC{0,6}", 1 => "[a-z_.]{1,8} ?= ?[0-9\"]{0,4}"]
}

/// Files of other programs.
const IMPORTS: [&str; 3] = [
    include_str!("../../../spots/src/import/examples/texassolver.txt"),
    include_str!("../../../spots/src/import/examples/wasm-postflop.json"),
    include_str!("../../../spots/src/import/examples/piosolver.txt"),
];

/// One of them after an accident.
fn import() -> impl Strategy<Value = String> {
    (0..3_usize, 0..1500_usize, 0..24_usize, piece()).prop_map(|(which, at, length, piece)| {
        let mut text = IMPORTS[which].to_owned();
        let start = text.floor_char_boundary(at);
        let end = text.floor_char_boundary(start + length);
        text.replace_range(start..end, &piece);
        text
    })
}

/// The spot after a few accidents: parts of it gone or doubled, and pieces that do not belong there.
fn spot() -> impl Strategy<Value = String> {
    let accident = (0..SPOT.len(), 0..24_usize, piece(), any::<bool>());
    proptest::collection::vec(accident, 0..5).prop_map(|accidents| {
        let mut text = SPOT.to_owned();
        for (at, length, piece, doubles) in accidents {
            let start = text.floor_char_boundary(at);
            let end = text.floor_char_boundary(start + length);
            let kept = if doubles { text[start..end].repeat(2) } else { String::new() };
            text.replace_range(start..end, &(kept + &piece));
        }
        text
    })
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
    fn spot_file(text in prop_oneof![spot(), text(), "\\PC{0,40}"]) {
        properties::spot_file(&text);
    }

    #[test]
    fn seat(text in text()) {
        properties::seat(&text);
    }
}

/// A line of the text protocol: a command with arguments that some command takes, or anything.
fn upi_line() -> impl Strategy<Value = String> {
    let names: Vec<&str> = equipoise_upi::commands().iter().map(|command| command.name).collect();
    let words = prop_oneof![
        proptest::sample::select(vec![
            "r",
            "r:0",
            "r:0:c:c",
            "r:0:b100:c",
            "OOP",
            "IP",
            "0",
            "100",
            "-1",
            "nan",
            "1e30",
            "AA,KK",
            "AhKh2c",
            "chips",
            "#",
            "\"",
            "\"a b\"",
            "0.5",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,12}",
        "r(:(0|c|f|b100|2c|Ah)){0,6}",
    ];
    let command = (proptest::sample::select(names), proptest::collection::vec(words, 0..4));
    prop_oneof![command.prop_map(|(name, words)| format!("{name} {}", words.join(" "))), "\\PC{0,40}"]
}

proptest! {
    // Each builds a tree.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn upi(lines in proptest::collection::vec(upi_line(), 0..40)) {
        properties::upi(lines.join("\n").as_bytes());
    }

    #[test]
    fn upi_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        properties::upi(&bytes);
    }
}

proptest! {
    // Each writes a file, or builds a tree.
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn imports(text in prop_oneof![import(), text(), "\\PC{0,40}"]) {
        properties::import(&text);
    }

    #[test]
    fn buckets(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        properties::buckets(&bytes);
    }

    #[test]
    fn solution(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        properties::solution(&bytes);
    }
}

#[test]
fn the_spot_without_accidents_is_one() {
    let problem = SPOT.parse::<equipoise::spot_file::Problem>();
    assert!(problem.is_ok(), "{:?}", problem.err());
}

/// Nesting and length have no end in TOML; the stack and the patience of users do.
#[test]
fn deep_and_long_spot_files() {
    for depth in [50, 1_000, 50_000] {
        properties::spot_file(&format!("tree = {}", "[".repeat(depth)));
        properties::spot_file(&format!("[tree]\nadd_lines = {}{}", "[".repeat(depth), "]".repeat(depth)));
        properties::spot_file(&format!("[[locks]]\nhands{} = 1", ".a".repeat(depth)));
        properties::spot_file(&format!(
            "[[locks]]\nhands = {}1{}",
            "{ a = ".repeat(depth),
            " }".repeat(depth)
        ));
        properties::spot_file(&format!("[locks{}]", ".hands".repeat(depth)));
        properties::spot_file(&format!("[ranges]\noop = \"{}\"", "AA,".repeat(depth)));
    }
}
