//! Known equities and counts of deals, and sampling against exact counts.

use equipoise_cards::HandClass;
use equipoise_equity::{Equity, Matchup, Method, Mode, Options, Seat, equity};

fn matchup(players: &[&str], board: &str, dead: &str) -> Matchup {
    let seats: Vec<Seat> = players.iter().map(|text| text.parse().unwrap()).collect();
    Matchup::new(seats, board.parse().unwrap(), dead.parse().unwrap()).unwrap()
}

fn compute(matchup: &Matchup, method: Method) -> Equity {
    equity(matchup, &Options { method, ..Options::default() }, &mut ()).unwrap()
}

/// Exact deals by set of winners (bit i = player i).
struct Known {
    players: &'static [&'static str],
    board: &'static str,
    dead: &'static str,
    counts: &'static [(u32, u64)],
    equity: &'static [f64],
}

const fn preflop(
    players: &'static [&'static str],
    counts: &'static [(u32, u64)],
    equity: &'static [f64],
) -> Known {
    Known { players, board: "", dead: "", counts, equity }
}

const WIDE: &str = "22+,A2s+,KTs+,QTs+,JTs,T9s,98s,87s,ATo+,KJo+";

const KNOWN: &[Known] = &[
    preflop(&["AhAd", "KcKs"], &[(1, 1_388_072), (2, 317_694), (3, 6_538)], &[0.812_554_897]),
    preflop(&["AsKs", "22"], &[(1, 5_092_608), (2, 5_114_529), (3, 66_687)], &[0.498_933_163]),
    preflop(&["AsKs", "2h2d"], &[(1, 852_207), (2, 849_322), (3, 10_775)], &[0.500_842_432]),
    preflop(&["AhKh", "QsQd"], &[(1, 787_966), (2, 917_606), (3, 6_732)], &[0.462_144_572]),
    preflop(&["JhTh", "AcKd"], &[(1, 701_504), (2, 1_003_559), (3, 7_241)], &[0.411_798_664]),
    preflop(&["AA", "KK"], &[(1, 50_371_344), (2, 10_986_372), (3, 285_228)], &[0.819_460_505]),
    preflop(&["AA", "random"], &[(1, 10_689_050_508), (2, 1_827_970_020), (3, 68_413_872)], &[0.852_037_133]),
    preflop(
        &["QQ+,AKs,AKo", "TT+,AQs+,AQo+"],
        &[(1, 1_443_366_816), (2, 929_344_272), (3, 288_209_328)],
        &[0.596_587_358],
    ),
    preflop(
        &[WIDE, "77+,ATs+,KQs,AJo+"],
        &[(1, 14_127_988_304), (2, 20_534_778_268), (3, 1_364_109_588)],
        &[0.411_083_188],
    ),
    preflop(
        &["random", "random"],
        &[(1, 1_334_125_369_292), (2, 1_334_125_369_292), (3, 113_130_263_816)],
        &[0.5, 0.5],
    ),
    preflop(
        &["AhAd", "KcKs", "QhQd"],
        &[(1, 909_810), (2, 256_920), (4, 198_576), (7, 5_448)],
        &[0.665_054_415, 0.188_754_510, 0.146_191_074],
    ),
    preflop(
        &["QQ+,AK", "JJ,TT,AQs", "98s,87s"],
        &[(1, 2_833_748_136), (2, 1_549_681_236), (3, 15_913_932), (4, 1_112_001_672), (7, 15_535_152)],
        &[0.515_097_744, 0.282_766_507, 0.202_135_749],
    ),
    preflop(
        &["AsKs", "QhQd", "JcTc", "8h8c", "5d4d", "Ac2h"],
        &[
            (1, 155_940),
            (2, 158_311),
            (4, 94_485),
            (8, 92_034),
            (16, 119_514),
            (32, 31_812),
            (33, 5_172),
            (63, 740),
        ],
        &[0.241_105_478, 0.240_778_734, 0.143_779_914, 0.140_055_035, 0.181_817_445, 0.052_463_395],
    ),
    Known {
        players: &["AhKh", "random"],
        board: "QsJh2h",
        dead: "",
        counts: &[(1, 811_198), (2, 249_109), (3, 9_883)],
        equity: &[0.762_611_779],
    },
    Known {
        players: &["random", "AA", "33"],
        board: "2c3c8h",
        dead: "6h",
        counts: &[(1, 808_395), (2, 1_681_125), (3, 20_076), (4, 12_151_512)],
        equity: &[0.055_823_407, 0.115_350_286, 0.828_826_307],
    },
    Known {
        players: &["random", "random"],
        board: "AsTc5d9s",
        dead: "",
        counts: &[(1, 24_867_823), (2, 24_867_823), (3, 1_633_474)],
        equity: &[0.5, 0.5],
    },
    Known {
        players: &["AsKs", "88,77,22,T9", "JJ+"],
        board: "8s7s2d3c",
        dead: "KhKd",
        counts: &[(1, 3576), (2, 5643), (4, 5781)],
        equity: &[0.2384, 0.3762, 0.3854],
    },
    Known {
        players: &["3d7d", "2h9h", "2c9c"],
        board: "5d5h5c",
        dead: "3s3c",
        counts: &[(1, 183), (2, 28), (4, 28), (6, 380), (7, 201)],
        equity: &[0.304_878_049, 0.347_560_976, 0.347_560_976],
    },
    Known {
        players: &["AsKs", "QQ"],
        board: "",
        dead: "AcAd",
        counts: &[(1, 3_034_581), (2, 5_152_446), (3, 37_497)],
        equity: &[0.371_246_956],
    },
];

#[test]
fn counts_and_equities_of_the_reference() {
    for known in KNOWN {
        let result = compute(&matchup(known.players, known.board, known.dead), Method::Exact);
        let found: Vec<(u32, u64)> =
            result.outcomes.iter().map(|outcome| (outcome.winners, outcome.weight as u64)).collect();
        assert_eq!(found, known.counts, "{:?}", known.players);
        let deals: u64 = known.counts.iter().map(|count| count.1).sum();
        assert_eq!((result.deals, result.std_error, result.mode), (u128::from(deals), 0.0, Mode::Exact));
        for (player, expected) in result.players.iter().zip(known.equity) {
            assert!((player.equity - expected).abs() < 1e-9, "{:?} {}", known.players, player.equity);
        }
        let sum: f64 = result.players.iter().map(|player| player.equity).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn weights_count() {
    let result = compute(&matchup(&["AA", "QQ:0.5,22"], "", ""), Method::Exact);
    assert!((result.players[0].equity - 0.819_935_109).abs() < 1e-6);
    // The same weight everywhere changes nothing.
    let half = compute(&matchup(&["AA:0.5", "QQ:0.25,22:0.5"], "", ""), Method::Exact);
    assert!((result.players[0].equity - half.players[0].equity).abs() < 1e-12);
    assert_eq!(result.deals, half.deals);
}

#[test]
fn all_in_by_class() {
    for (a, b, expected) in [
        ("AA", "KK", 0.819_461),
        ("AKs", "QQ", 0.460_485),
        ("AKo", "22", 0.473_508),
        ("72o", "AA", 0.118_004),
        ("JTs", "AKo", 0.405_139),
    ] {
        let result = compute(&matchup(&[a, b], "", ""), Method::Exact);
        assert!((result.players[0].equity - expected).abs() < 1e-6, "{a} {b} {}", result.players[0].equity);
    }
}

/// The order behind `15%` is that of the exact equities against a random hand.
#[test]
fn classes_by_equity_against_random() {
    let options = Options { method: Method::Exact, by_combo: true, ..Options::default() };
    let result = equity(&matchup(&["random", "random"], "", ""), &options, &mut ()).unwrap();
    let mut classes = result.players[0].by_class();
    assert_eq!(classes.len(), HandClass::COUNT);
    for class in &classes {
        let halves = (class.equity * f64::from(HandClass::DEAL_HALVES)).round();
        assert_eq!(halves as u32, class.class.equity_halves(), "{}", class.class);
    }
    classes.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    assert!(classes.iter().map(|class| class.class).eq(HandClass::by_equity()));
    assert!((classes[0].equity - 0.852_037_133).abs() < 1e-9);
}

/// Seats of which one card or none is known are ranges like any other.
#[test]
fn partial_hands_are_ranges() {
    for (partial, range) in [(["Ah", "KcKs"], ["AhA,AhK,AhQ", "KcKs"]), (["", "KcKs"], ["*", "KcKs"])] {
        let one = compute(&matchup(&partial, "Td9d6h", ""), Method::Exact);
        let text = match partial[0] {
            "Ah" => equipoise_cards::Combo::all()
                .filter(|combo| combo.cards().contains("Ah".parse().unwrap()))
                .map(|combo| combo.to_string())
                .collect::<Vec<_>>()
                .join(","),
            _ => range[0].to_owned(),
        };
        let other = compute(&matchup(&[&text, range[1]], "Td9d6h", ""), Method::Exact);
        assert_eq!(one.players[0].equity, other.players[0].equity);
        assert_eq!(one.deals, other.deals);
    }
}

#[test]
fn many_players() {
    let players = vec![""; 23];
    let result = compute(&matchup(&players, "", ""), Method::Samples(20_000));
    for player in &result.players {
        assert!((player.equity - 1.0 / 23.0).abs() < 4.5 * player.std_error);
    }
    let deck: Vec<String> = equipoise_cards::Card::ALL.map(|card| card.to_string()).to_vec();
    let known: Vec<String> = deck.chunks(2).take(23).map(<[String]>::concat).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let result = compute(&matchup(&known, "", ""), Method::Exact);
    assert_eq!(result.deals, 6);
}

/// Sampling agrees with counting within 4 standard errors, and its errors are of the size it says.
#[test]
fn sampling_is_unbiased() {
    let cases: &[(&[&str], &str, &str)] = &[
        (&["AhAd", "KcKs"], "", ""),
        (&["AA", "KK"], "", ""),
        (&["AA", "random"], "", ""),
        (&["QQ+,AKs,AKo", "TT+,AQs+,AQo+"], "", ""),
        (&["QQ+,AK", "JJ,TT,AQs", "98s,87s"], "", ""),
        (&["AsKs", "QhQd", "JcTc", "8h8c", "5d4d", "Ac2h"], "", ""),
        (&["AhKh", "random"], "QsJh2h", ""),
        (&["random", "AA", "33"], "2c3c8h", "6h"),
        (&["AsKs", "88,77,22,T9", "JJ+"], "8s7s2d3c", "KhKd"),
        (&["AA", "QQ:0.5,22"], "", ""),
        // Ranges that collide heavily: with the colliding player alone redrawn these would be far off.
        (&["AA,KK", "AA,KK", "AK"], "", ""),
        (&["AA,AKs,A2s:0.3", "AA,AKs", "AA,KK,A2s"], "Qs7h2d", ""),
        (&["Ah", "AK,AQ", ""], "AsTc5d9s", ""),
        (&["22+,A2+,K2+", "AK,AA,KK", "AQ,A5s:0.2"], "Ks8d3c", "Ac"),
    ];
    let mut squares = Vec::new();
    for &(players, board, dead) in cases {
        let matchup = matchup(players, board, dead);
        let exact = compute(&matchup, Method::Exact);
        let sampled = compute(&matchup, Method::Samples(400_000));
        assert_eq!((sampled.mode, sampled.deals), (Mode::MonteCarlo, 400_000));
        for (sampled, exact) in sampled.players.iter().zip(&exact.players) {
            let sigmas = (sampled.equity - exact.equity) / sampled.std_error;
            assert!(sigmas.abs() < 4.0, "{players:?}: {sigmas} standard errors off");
            assert!(sampled.std_error < 0.001);
            squares.push(sigmas * sigmas);
        }
    }
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    assert!((0.3..2.2).contains(&mean), "errors are not of the size they claim: {mean}");
}

/// Joint choices too many to list are drawn apart and redrawn together.
#[test]
fn wide_ranges_are_sampled_without_bias() {
    let players = ["AA,KK,QQ,AK,AQ,KQ", "AA,KK,QQ,AK,AQ,KQ", "AA,KK,QQ,AK,AQ,KQ,22-66"];
    let matchup = matchup(&players, "Ad8d3c2s", "");
    let exact = compute(&matchup, Method::Exact);
    let sampled = compute(&matchup, Method::Samples(400_000));
    for (sampled, exact) in sampled.players.iter().zip(&exact.players) {
        assert!((sampled.equity - exact.equity).abs() < 4.0 * sampled.std_error);
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let with = |players: &[&str], method, threads: usize| {
        let options =
            Options { method, threads: std::num::NonZeroUsize::new(threads), seed: 7, by_combo: true };
        let result = equity(&matchup(players, "", ""), &options, &mut ()).unwrap();
        let bits = |players: &[equipoise_equity::PlayerEquity]| -> Vec<u64> {
            players
                .iter()
                .flat_map(|p| [p.equity, p.win, p.tie].into_iter().chain(p.by_combo.iter().map(|c| c.equity)))
                .map(f64::to_bits)
                .collect()
        };
        (result.deals, bits(&result.players))
    };
    let weighted = ["22+:0.37,A2s+:0.1", "random"];
    for (players, method) in [
        (&weighted[..], Method::Exact),
        (&["QQ+,AK:0.3", "JJ,TT:0.7,AQs", "98s,87s"], Method::Exact),
        (&["AhAd", "KcKs", "15%"], Method::Samples(100_001)),
        (&["30%", "random", "15%"], Method::StdError(0.001)),
    ] {
        let one = with(players, method, 1);
        for threads in [2, 3, 7] {
            assert!(one == with(players, method, threads), "{players:?} with {threads} threads");
        }
    }
}

#[test]
fn sampling_stops_at_its_goal() {
    let result = compute(&matchup(&["30%", "random", "15%"], "", ""), Method::StdError(0.001));
    assert!(result.std_error <= 0.001 && result.deals >= 10_000);
    let auto = compute(&matchup(&["random", "random", "random"], "", ""), Method::Auto { std_error: 0.002 });
    assert_eq!(auto.mode, Mode::MonteCarlo);
    assert!(auto.std_error <= 0.002);
}

#[test]
fn by_combo_adds_up() {
    for (players, board) in [
        (&["AA,AKs:0.5", "QQ+,AKo"][..], ""),
        (&["AA,AKs:0.5", "random"], "Qs7h2d"),
        (&["AsKs,QQ", "JJ+", "98s"], "Ts7h2d4c"),
    ] {
        let matchup = matchup(players, board, "");
        for method in [Method::Exact, Method::Samples(50_000)] {
            let options = Options { method, by_combo: true, ..Options::default() };
            let result = equity(&matchup, &options, &mut ()).unwrap();
            for player in &result.players {
                let sum = |f: fn(&equipoise_equity::ComboEquity) -> f64| {
                    player.by_combo.iter().map(|c| c.probability * f(c)).sum::<f64>()
                };
                assert!((sum(|_| 1.0) - 1.0).abs() < 1e-9);
                assert!((sum(|c| c.equity) - player.equity).abs() < 1e-9);
                assert!((sum(|c| c.win) - player.win).abs() < 1e-9);
                assert!((sum(|c| c.tie) - player.tie).abs() < 1e-9);
            }
        }
    }
}
