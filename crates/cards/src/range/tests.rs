//! Tests of reading, writing and combining ranges.

use proptest::prelude::*;

use super::*;
use crate::card::Rank;

fn range(text: &str) -> Range {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn class(text: &str) -> HandClass {
    text.parse().unwrap()
}

/// A range of whole classes by their names.
fn classes(names: &str) -> Range {
    names.split(' ').flat_map(|name| class(name).combos()).collect()
}

#[test]
fn runs_expand_as_the_reference_says() {
    for (text, names) in [
        ("AKs", "AKs"),
        ("KAs", "AKs"),
        ("AK", "AKs AKo"),
        ("88", "88"),
        ("JJ+", "JJ QQ KK AA"),
        ("AA+", "AA"),
        ("ATo+", "ATo AJo AQo AKo"),
        ("AT+", "ATo AJo AQo AKo ATs AJs AQs AKs"),
        ("T9s+", "T9s JTs QJs KQs AKs"),
        ("QJ+", "QJs KQs AKs QJo KQo AKo"),
        ("AK+", "AKs AKo"),
        ("AKo+", "AKo"),
        ("T8s+", "T8s T9s"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("AT-A8", "ATs ATo A9s A9o A8s A8o"),
        ("88-55", "88 77 66 55"),
        ("55-88", "88 77 66 55"),
        ("KQo-JTo", "KQo QJo JTo"),
        ("JTo-KQo", "KQo QJo JTo"),
        ("T8s-64s", "T8s 97s 86s 75s 64s"),
        ("77-77", "77"),
        ("AQs-AQs", "AQs"),
        ("A10s", "ATs"),
        ("aKs,tT", "AKs TT"),
    ] {
        assert_eq!(range(text), classes(names), "{text}");
    }
    assert_eq!(range("22+").num_combos(), 78);
    assert_eq!(range("A2+").num_combos(), 12 * 16);
}

#[test]
fn every_dialect_is_read() {
    let want = range("AKs:0.5,QQ:0.5,AhKd");
    for text in [
        "AKs:0.5 QQ:0.5 AhKd",
        "AKs@50,QQ@50.0,AhKd",
        "[50]AKs,QQ[/50],AhKd",
        "[50.0] AKs QQ, [/50]AhKd,",
        "AhKd [50]QQ,AKs[/50]",
        "AKs: 0.5, QQ:\t.5 ,A♥K♦",
        "  AKs:5e-1\nQQ:+0.50\r\nAhkd,  ",
        "KdAh , QQ@5e1,AKs@050",
        "AK,AKo:0,QQ,[50]AKs,QQ[/50],A♡K♢:1",
    ] {
        assert_eq!(range(text), want, "{text}");
    }
    let long = range("2d2c: 1,AhKs: 0.5");
    assert_eq!((long.num_combos(), long.total_weight()), (2, 1.5));
    for text in ["random", "*", "100%", "Random", "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42,43,32"] {
        assert_eq!(range(text), Range::full(), "{text}");
    }
    assert_eq!(range("15%"), Range::top(15.0).unwrap());
    assert_eq!(range("2.5%:0.5"), Range::top(2.5).unwrap().scaled(0.5).unwrap());
    assert_eq!(range("*:0.25"), range("[25]random[/25]"));
    assert_eq!(range("22%,22").get("2d2c".parse().unwrap()), 1.0);
}

#[test]
fn later_groups_overwrite_earlier_ones() {
    let ladder = range("22+:0.25,88+:0.5,AA,KK:0");
    for (name, weight) in [("22", 0.25), ("77", 0.25), ("88", 0.5), ("AA", 1.0), ("KK", 0.0), ("AKs", 0.0)] {
        assert_eq!(ladder.class_weight(class(name)), weight, "{name}");
    }
    assert_eq!(range("AA:0").num_combos(), 0);
    assert_eq!(range("AA:-0"), Range::empty());
    for exponent in [
        "99999999999999999999",
        "9223372036854775808",
        "9223372036854775807",
        "9223372036854775806",
        "4611686018427387905",
    ] {
        for text in [
            format!("AA:1e-{exponent}"),
            format!("AA@1e-{exponent}"),
            format!("[1e-{exponent}]AA[/0]"),
            format!("AA:0e{exponent}"),
            format!("AA@0e{exponent}"),
        ] {
            assert_eq!(range(&text), Range::empty(), "{text}");
        }
    }
    assert_eq!(range("AhKh:0.5,AKs"), range("AKs"));
}

#[test]
fn errors_point_at_the_byte() {
    use ParseRangeError as E;
    type Case = (&'static str, usize, fn(&E) -> bool);
    let cases: &[Case] = &[
        ("", 0, |e| matches!(e, E::EmptyRange)),
        ("  \n", 0, |e| matches!(e, E::EmptyRange)),
        (",AA", 0, |e| matches!(e, E::EmptyGroup { .. })),
        ("AA,,KK", 3, |e| matches!(e, E::EmptyGroup { .. })),
        ("AA, ,", 4, |e| matches!(e, E::EmptyGroup { .. })),
        ("[50][/50]", 4, |e| matches!(e, E::EmptyGroup { .. })),
        ("AA,x", 3, |e| matches!(e, E::Unexpected { found: 'x', .. })),
        ("AA KX", 4, |e| matches!(e, E::Unexpected { found: 'X', .. })),
        ("AKsQQ", 3, |e| matches!(e, E::Unexpected { found: 'Q', .. })),
        ("AKS", 2, |e| matches!(e, E::Unexpected { found: 'S', .. })),
        ("AhKdQsQc", 4, |e| matches!(e, E::Unexpected { found: 'Q', .. })),
        ("AhKD", 3, |e| matches!(e, E::Unexpected { found: 'D', .. })),
        ("A♥K", 5, |e| matches!(e, E::EndsEarly { .. })),
        ("AH", 1, |e| matches!(e, E::Unexpected { found: 'H', .. })),
        ("AA,K", 4, |e| matches!(e, E::EndsEarly { .. })),
        ("Ah", 2, |e| matches!(e, E::EndsEarly { .. })),
        ("AA-", 3, |e| matches!(e, E::EndsEarly { .. })),
        ("AA--KK", 3, |e| matches!(e, E::Unexpected { found: '-', .. })),
        ("88 - 55", 3, |e| matches!(e, E::Unexpected { found: '-', .. })),
        ("AA++", 3, |e| matches!(e, E::Unexpected { found: '+', .. })),
        ("A5s-A2s+", 7, |e| matches!(e, E::Unexpected { found: '+', .. })),
        ("AA[50]KK[/50]", 2, |e| matches!(e, E::Unexpected { found: '[', .. })),
        ("AA;KK", 2, |e| matches!(e, E::Unexpected { found: ';', .. })),
        ("1h2h", 0, |e| matches!(e, E::Unexpected { found: '1', .. })),
        ("randomly", 6, |e| matches!(e, E::Unexpected { found: 'l', .. })),
        ("KK,AAs", 3, |e| matches!(e, E::PairWithSuffix { .. })),
        ("77o+", 0, |e| matches!(e, E::PairWithSuffix { .. })),
        ("KK,AhAh", 3, |e| matches!(e, E::SameCard { .. })),
        ("AhKh+", 0, |e| matches!(e, E::RunOfCombos { .. })),
        ("AA,AhKh-AhJh", 3, |e| matches!(e, E::RunOfCombos { .. })),
        ("A5s-AhKh", 4, |e| matches!(e, E::RunOfCombos { .. })),
        ("A5s-K2s", 0, |e| matches!(e, E::UnrelatedEnds { .. })),
        ("KK AA-AK", 3, |e| matches!(e, E::UnrelatedEnds { .. })),
        ("AKs-QQ", 0, |e| matches!(e, E::UnrelatedEnds { .. })),
        ("A5s-A2o", 0, |e| matches!(e, E::MixedEnds { .. })),
        ("A5s-A2", 0, |e| matches!(e, E::MixedEnds { .. })),
        ("AA:", 3, |e| matches!(e, E::NotANumber { .. })),
        ("AA: ,KK", 4, |e| matches!(e, E::NotANumber { .. })),
        ("AA:x", 3, |e| matches!(e, E::NotANumber { .. })),
        ("AA:nan", 3, |e| matches!(e, E::NotANumber { .. })),
        ("AA:inf", 3, |e| matches!(e, E::NotANumber { .. })),
        ("AA:0.5.5", 3, |e| matches!(e, E::NotANumber { .. })),
        ("AA:0.5:0.5", 3, |e| matches!(e, E::NotANumber { .. })),
        ("AA@50%", 3, |e| matches!(e, E::NotANumber { .. })),
        ("1.2.3%", 0, |e| matches!(e, E::NotANumber { .. })),
        ("AA,%", 3, |e| matches!(e, E::NotANumber { .. })),
        ("[x]AA[/x]", 1, |e| matches!(e, E::NotANumber { .. })),
        ("AA:1.00001", 3, |e| matches!(e, E::WeightOutOfRange { most: 1, .. })),
        ("AA: -0.5", 4, |e| matches!(e, E::WeightOutOfRange { most: 1, .. })),
        ("AA:50", 3, |e| matches!(e, E::WeightOutOfRange { most: 1, .. })),
        ("AA:1e999", 3, |e| matches!(e, E::WeightOutOfRange { most: 1, .. })),
        ("AA@101", 3, |e| matches!(e, E::WeightOutOfRange { most: 100, .. })),
        ("[101]AA[/101]", 1, |e| matches!(e, E::WeightOutOfRange { most: 100, .. })),
        ("0%", 0, |e| matches!(e, E::ShareOutOfRange { .. })),
        ("AA,100.1%", 3, |e| matches!(e, E::ShareOutOfRange { .. })),
        ("[50]AA:0.5[/50]", 6, |e| matches!(e, E::SecondWeight { .. })),
        ("[50]AA,[20]KK[/20][/50]", 7, |e| matches!(e, E::NestedBlock { .. })),
        ("KK,[50]AA", 3, |e| matches!(e, E::UnclosedBlock { .. })),
        ("[0.5]22", 0, |e| matches!(e, E::UnclosedBlock { .. })),
        ("KK,[50", 3, |e| matches!(e, E::UnclosedBlock { .. })),
        ("[50]AA[/50", 6, |e| matches!(e, E::UnclosedBlock { .. })),
        ("AA[/50]", 2, |e| matches!(e, E::UnmatchedBlockEnd { .. })),
        ("[50]AA[/51]", 6, |e| matches!(e, E::UnmatchedBlockEnd { .. })),
    ];
    for (text, at, is_kind) in cases {
        let error = text.parse::<Range>().expect_err(text);
        assert_eq!(error.at(), *at, "{text}: {error}");
        assert!(is_kind(&error), "{text}: {error:?}");
    }
}

#[test]
fn errors_say_what_to_do() {
    for (text, message) in [
        (
            "A5s-K2s",
            "A5s-K2s at byte 0: both ends of a run need the same high card (A5s-A2s) or the same gap (KQo-JTo, 88-55)",
        ),
        ("AA:2", "the weight 2 at byte 3 is not between 0 and 1"),
        ("AA,Kx", "unexpected 'x' at byte 4: expected a second rank as in AK, or a suit as in AhKd"),
    ] {
        assert_eq!(text.parse::<Range>().unwrap_err().to_string(), message);
    }
}

#[test]
fn text_is_short_and_natural() {
    for (text, want) in [
        ("*", "random"),
        ("*:0.5", "random:0.5"),
        ("*,72o:0", "random,72o:0"),
        ("22,33,44,55,66,77,88,99,TT,JJ,QQ,KK,AA", "22+"),
        ("98s,JTs,AA,T9s,QQ,KK", "QQ+,JTs-98s"),
        ("T9s+", "T9s+"),
        ("AKo,AKs", "AK"),
        ("AKs,AKo:0.5", "AK,AKo:0.5"),
        ("T8s,T9s", "T8s+"),
        ("22+,88:0.5", "22+,88:0.5"),
        ("22+,88:0", "22+,88:0"),
        ("AKs,AhKh:0", "AKs,AhKh:0"),
        ("AhKh,AdKd", "AhKh,AdKd"),
        ("A5s-A2s,A9s+,KTs+", "A9s+,A5s-A2s,KTs+"),
        ("AA:0.1", "AA:0.1"),
        ("AA:0.33333334", "AA:0.33333334"),
        ("AA@33.3", "AA:0.333"),
        ("AA:1e-30", "AA:1e-30"),
        ("AA:0.000001", "AA:0.000001"),
    ] {
        assert_eq!(range(text).to_string(), want);
    }
    assert_eq!(Range::empty().to_string(), "");
    assert_eq!(format!("{:?}", range("QQ+")), "Range(QQ+)");
}

#[test]
fn weights_are_checked_at_the_door() {
    let combo: Combo = "AhKd".parse().unwrap();
    let mut range = Range::full();
    for weight in [-0.1, 1.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(matches!(range.set(combo, weight), Err(RangeError::Weight { .. })));
        assert!(matches!(range.scaled(weight), Err(RangeError::Factor { .. })));
        assert!(range.set_class(class("AKo"), weight).is_err());
        assert_eq!(range, Range::full());
        let mut weights = [1.0; Combo::COUNT];
        weights[combo.index()] = weight;
        assert!(Range::from_weights(weights).is_err());
    }
    range.set(combo, -0.0).unwrap();
    assert_eq!(range.get(combo).to_bits(), 0);
    assert_eq!(range.scaled(-0.0).unwrap().weights().map(f32::to_bits), [0; Combo::COUNT]);
    assert_eq!(Range::from_weights(*range.weights()), Ok(range));
}

#[test]
fn counts_and_means() {
    let range = range("QQ+,AKs:0.5,AhKd:0.25");
    assert_eq!((range.num_combos(), range.total_weight()), (23, 20.25));
    assert_eq!(range.iter().count(), 23);
    assert!((range.percent() - 100.0 * 20.25 / 1326.0).abs() < 1e-12);
    assert_eq!(range.class_weight(class("AKs")), 0.5);
    assert_eq!(range.class_weight(class("AKo")), 0.25 / 12.0);
    assert!((Range::full().percent() - 100.0).abs() < 1e-12);
    assert!(Range::default().is_empty() && !range.is_empty());
}

#[test]
fn dead_cards_take_their_combos() {
    let dead: CardSet = "AhKd".parse().unwrap();
    let left = Range::full().without(dead);
    assert_eq!(left.num_combos(), 50 * 49 / 2);
    assert!(left.iter().all(|(combo, _)| !combo.cards().intersects(dead)));
    assert_eq!(range("AA").without(dead).num_combos(), 3);
}

#[test]
fn set_operations_go_by_weight() {
    let (a, b) = (range("AA,KK:0.5,QQ:0.25"), range("KK:0.75,QQ,JJ"));
    assert_eq!(a.union(&b), range("AA,KK:0.75,QQ,JJ"));
    assert_eq!(a.intersection(&b), range("KK:0.5,QQ:0.25"));
    assert_eq!(a.difference(&b), range("AA,KK:0.25"));
    assert_eq!(a.difference(&b), a.intersection(&b.complement()));
    assert_eq!(b.complement(), range("*,KK:0.25,QQ:0,JJ:0"));
    assert_eq!(a.scaled(0.5).unwrap(), range("AA:0.5,KK:0.25,QQ:0.125"));
}

#[test]
fn suit_symmetry_is_seen() {
    assert!(Range::full().is_suit_symmetric() && Range::empty().is_suit_symmetric());
    let hearts = range("AhKh:0.5,22+");
    assert!(!hearts.is_suit_symmetric());
    for (i, a) in Suit::ALL.into_iter().enumerate() {
        for b in Suit::ALL.into_iter().skip(i + 1) {
            let touches = a == Suit::HEARTS || b == Suit::HEARTS;
            assert_eq!(hearts.is_invariant_under_swap(a, b), !touches);
        }
    }
    let cycle = [Suit::DIAMONDS, Suit::HEARTS, Suit::CLUBS, Suit::SPADES];
    assert!(range("AcKd,AdKh,AhKc").is_invariant_under(cycle));
    assert!(!range("AcKd,AdKh").is_invariant_under(cycle));
    assert_eq!(range("AcKd").map_suits(cycle), Some(range("AdKh")));
    for images in [[Suit::CLUBS; 4], [Suit::CLUBS, Suit::CLUBS, Suit::HEARTS, Suit::SPADES]] {
        assert_eq!(Range::full().map_suits(images), None);
        assert!(!Range::full().is_invariant_under(images));
    }
}

/// Weights that people write, and any others.
fn weight() -> impl Strategy<Value = f32> {
    prop_oneof![
        3 => Just(1.0f32),
        2 => Just(0.0f32),
        2 => (0..=100u8).prop_map(|percent| f32::from(percent) / 100.0),
        1 => 0.0f32..=1.0,
        1 => (0..=1.0f32.to_bits()).prop_map(f32::from_bits),
    ]
}

fn any_class() -> impl Strategy<Value = HandClass> {
    (0..HandClass::COUNT).prop_map(|index| HandClass::from_index(index).unwrap())
}

/// Ranges of classes and single combos at a few weights.
fn any_range() -> impl Strategy<Value = Range> {
    let palette = prop::collection::vec(weight(), 1..5);
    let by_class = prop::collection::vec((any_class(), any::<prop::sample::Index>()), 0..120);
    let by_combo = prop::collection::vec((0..Combo::COUNT, any::<prop::sample::Index>()), 0..40);
    (palette, any::<bool>(), by_class, by_combo).prop_map(|(palette, is_full, by_class, by_combo)| {
        let mut range = if is_full { Range::full() } else { Range::empty() };
        for (class, pick) in by_class {
            range.paint(class, *pick.get(&palette));
        }
        for (combo, pick) in by_combo {
            range.weights[combo] = *pick.get(&palette);
        }
        range
    })
}

/// A group as people write it.
fn group() -> impl Strategy<Value = String> {
    let rank = || prop::sample::select(Rank::ALL.to_vec());
    (rank(), rank(), prop::sample::select(vec!["", "s", "o"]), any::<bool>()).prop_map(
        |(a, b, suffix, is_plus)| {
            let suffix = if a == b { "" } else { suffix };
            format!("{a}{b}{suffix}{}", if is_plus { "+" } else { "" })
        },
    )
}

/// Blocks of small weights begin like lists of weights, and pairs of small ranks are numbers.
#[test]
fn small_blocks_are_no_lists() {
    for (block, plain) in [
        ("[0.5]22[/0.5]", "22:0.005"),
        ("[1]33,55[/1]", "33:0.01,55:0.01"),
        ("[0]22[/0],[1]77[/1] AA", "77:0.01,AA"),
        ("[0.00]99 88[/0.00],22", "22"),
    ] {
        assert_eq!(range(block), range(plain), "{block}");
    }
}

proptest! {
    #[test]
    fn text_reads_back_bit_for_bit(range in any_range()) {
        let text = range.to_string();
        if range.is_empty() {
            prop_assert_eq!(text, "");
        } else {
            let back: Range = text.parse().unwrap();
            prop_assert_eq!(back.weights().map(f32::to_bits), range.weights().map(f32::to_bits));
        }
    }

    #[test]
    fn any_weights_read_back(weights in prop::collection::vec(weight(), Combo::COUNT)) {
        let range = Range::from_weights(weights.try_into().unwrap()).unwrap();
        prop_assert_eq!(range.to_string().parse::<Range>(), Ok(range));
    }

    #[test]
    fn text_is_no_longer_than_the_plain_list(range in any_range()) {
        let group = |name: String, weight: f32| {
            if weight == 1.0 { format!("{name},") } else { format!("{name}:{weight},") }
        };
        let mut plain = String::new();
        for class in HandClass::all() {
            let mut combos = class.combos().map(|combo| (combo, range.get(combo)));
            let first = range.get(class.combos().next().unwrap());
            if combos.all(|(_, weight)| weight == first) && first > 0.0 {
                plain += &group(class.to_string(), first);
            } else {
                let present = class.combos().filter(|&combo| range.get(combo) > 0.0);
                present.for_each(|combo| plain += &group(combo.to_string(), range.get(combo)));
            }
        }
        prop_assert!(range.to_string().len() <= plain.trim_end_matches(',').len());
    }

    #[test]
    fn order_of_writing_decides(groups in prop::collection::vec((group(), weight()), 1..6)) {
        let text = |(name, weight): &(String, f32)| format!("{name}:{weight}");
        let joined = groups.iter().map(text).collect::<Vec<_>>().join(", ");
        let mut want = Range::empty();
        for (name, weight) in &groups {
            for (combo, _) in range(name).iter() {
                want.set(combo, *weight).unwrap();
            }
        }
        prop_assert_eq!(range(&joined), want);
    }

    #[test]
    fn dialects_agree(name in group(), hundredths in 0..=10_000u32) {
        let percent = format!("{}.{:02}", hundredths / 100, hundredths % 100);
        let fraction = format!("{}.{:04}", hundredths / 10_000, hundredths % 10_000);
        let want = range(&format!("{name}:{fraction}"));
        prop_assert_eq!(&range(&format!("{name}@{percent}")), &want);
        prop_assert_eq!(&range(&format!("[{percent}]{name}[/{percent}]")), &want);
        prop_assert_eq!(&range(&format!("{name}: {fraction},")), &want);
    }

    #[test]
    fn no_text_panics_and_positions_are_inside(text in "\\PC{0,24}") {
        if let Err(error) = text.parse::<Range>() {
            prop_assert!(text.is_char_boundary(error.at()));
        }
    }

    #[test]
    fn near_misses_do_not_panic(
        text in "([2-9TJQKAakqt1]{1,3}[so+-]?|[AKQ][hs♥][2-9][cd♦]|[:@%*.\\[\\]/+-]|[05]{1,3}|random|[ ,]){0,9}",
    ) {
        match text.parse::<Range>() {
            Err(error) => prop_assert!(text.is_char_boundary(error.at())),
            Ok(range) if range.is_empty() => {}
            Ok(range) => prop_assert_eq!(range.to_string().parse::<Range>(), Ok(range)),
        }
    }

    #[test]
    fn renaming_suits_and_back_changes_nothing(range in any_range(), a in 0..4usize, b in 0..4usize) {
        let mut images = Suit::ALL;
        images.swap(a, b);
        let renamed = range.map_suits(images).unwrap();
        prop_assert_eq!(renamed == range, range.is_invariant_under_swap(Suit::ALL[a], Suit::ALL[b]));
        prop_assert_eq!(renamed.map_suits(images), Some(range));
    }
}

#[test]
fn lists_of_1326_weights_are_read_in_the_order_of_other_programs() {
    let range: Range = "TT+:0.25,AKs,7h2c:0.125,random:1,AA:0.0625,72o:0".parse().unwrap();
    let words: Vec<String> = range.listed_weights().map(|weight| weight.to_string()).collect();
    for text in [words.join(" "), words.join(","), format!("[{}]\n", words.join(", "))] {
        assert_eq!(text.parse::<Range>(), Ok(range.clone()));
    }
    // The first is 2d2c, the third 2h2d.
    let mut one = vec!["0"; 1326];
    one[2] = "1";
    assert_eq!(one.join(" ").parse::<Range>(), "2h2d".parse());
    let short = one[1..].join(" ");
    assert_eq!(short.parse::<Range>(), Err(ParseRangeError::WeightCount { found: 1325 }));
    one[5] = "1.5";
    let at = 10;
    let wrong = ParseRangeError::WeightOutOfRange { at, found: "1.5".to_owned(), most: 1 };
    assert_eq!(one.join(" ").parse::<Range>(), Err(wrong));
    one[5] = "AKs";
    assert_eq!(one.join(" ").parse::<Range>().unwrap_err().at(), at);
    // Pairs are no weights, and neither are blocks.
    assert_eq!("22 33".parse::<Range>().unwrap().num_combos(), 12);
    assert_eq!("[1]AKs[/1]".parse::<Range>().unwrap().num_combos(), 4);
}
