//! Whether the numbers are right.

use equipoise_cards::Combo;

use crate::talk::{POLAR, TURN, Talk, at, mean};

/// Where nuts and air meet bluff catchers, everything is known: with a bet of the pot half as many hands bluff as bet for
/// value, and half of the bluff catchers call.
#[test]
fn a_game_whose_answer_is_known() {
    let mut talk = Talk::solved(&POLAR);
    assert_eq!(talk.children("r:0"), ["r:0:b100", "r:0:c"]);
    let strategy = talk.rows("show_strategy r:0");
    assert!((strategy[0][at("AcAd")] - 1.0).abs() < 5e-3);
    assert!((strategy[0][at("QcQd")] - 0.5).abs() < 2e-2, "{}", strategy[0][at("QcQd")]);
    assert_eq!(strategy[0][at("KcKd")], 0.0);
    assert_eq!(talk.children("r:0:b100"), ["r:0:b100:c", "r:0:b100:f"]);
    let call = talk.rows("show_strategy r:0:b100")[0][at("KcKd")];
    assert!((call - 0.5).abs() < 2e-2, "{call}");

    let [ev, matchups] = &talk.rows("calc_ev OOP r:0")[..] else { panic!() };
    assert!((mean(ev, matchups) - 75.0).abs() < 0.1);
    assert!((ev[at("AcAd")] - 150.0).abs() < 2.0 && ev[at("QcQd")].abs() < 2.0);
    assert!(ev[at("KcKd")].is_nan() && ev[at("2s3s")].is_nan());
    // Six kings are met by every ace, each with weight 1.
    assert_eq!((matchups[at("AcAd")], matchups[at("KcKd")]), (6.0, 0.0));
    let [ev, matchups] = &talk.rows("calc_ev IP r:0")[..] else { panic!() };
    assert!((mean(ev, matchups) - 25.0).abs() < 0.1);

    // Counted since the root: the bet is lost, the pot won.
    let [folded, _] = &talk.rows("calc_ev OOP r:0:b100:f")[..] else { panic!() };
    assert_eq!(folded[at("QcQd")], 100.0);
    let [called, _] = &talk.rows("calc_ev OOP r:0:b100:c")[..] else { panic!() };
    assert_eq!((called[at("AcAd")], called[at("QcQd")]), (200.0, -100.0));
    let [called, _] = &talk.rows("calc_ev IP r:0:b100:c")[..] else { panic!() };
    assert!((called[at("KcKd")] - (2.0 / 3.0 * -100.0 + 200.0 / 3.0)).abs() < 4.0);

    let [equity, matchups, total] = &talk.rows("calc_eq_node OOP r:0")[..] else { panic!() };
    assert_eq!((equity[at("AcAd")], equity[at("QcQd")], total[0]), (1.0, 0.0, 0.5));
    assert_eq!(matchups.iter().sum::<f64>(), 72.0);
    let [again, _] = &talk.rows("calc_eq OOP")[..] else { panic!() };
    assert_eq!(again[at("AcAd")], 1.0);
}

/// Below a node: its children's means, and the pot that both share.
fn check(talk: &mut Talk, node: &str, spot_pot: f64) {
    let lines = talk.node(node);
    let kind = lines[1].clone();
    let ev = |talk: &mut Talk, player: &str, node: &str| talk.rows(&format!("calc_ev {player} {node}"));
    let means = ["OOP", "IP"].map(|player| {
        let rows = ev(talk, player, node);
        mean(&rows[0], &rows[1])
    });
    // The house takes 5 %, at most 8 chips.
    let raked = spot_pot - (means[0] + means[1]);
    assert!((4.9..8.01).contains(&raked), "{node}: {means:?}");
    let children = talk.children(node);
    if let Some(player) = kind.strip_suffix("_DEC") {
        let strategy = talk.rows(&format!("show_strategy {node}"));
        assert_eq!(strategy.len(), children.len());
        let own = ev(talk, player, node);
        let of_children: Vec<Vec<Vec<f64>>> = children.iter().map(|child| ev(talk, player, child)).collect();
        for hand in (0..1326).filter(|&hand| own[1][hand] > 1e-6) {
            let sum: f64 = strategy
                .iter()
                .zip(&of_children)
                .filter(|(row, _)| row[hand] > 0.0)
                .map(|(row, child)| row[hand] * child[0][hand])
                .sum();
            assert!((sum - own[0][hand]).abs() < 2e-2, "{node}: {sum} and {}", own[0][hand]);
            let share: f64 = of_children.iter().map(|child| child[1][hand]).sum();
            assert!((share - own[1][hand]).abs() < 1e-3 * own[1][hand].max(1.0), "{node}");
        }
        // What the other one has is the mean of what each action leaves.
        let other = if player == "OOP" { "IP" } else { "OOP" };
        let theirs = ev(talk, other, node);
        let of_children: Vec<Vec<Vec<f64>>> = children.iter().map(|child| ev(talk, other, child)).collect();
        for hand in (0..1326).filter(|&hand| theirs[1][hand] > 1e-3) {
            let met: f64 = of_children.iter().map(|child| child[1][hand]).sum();
            let sum: f64 = of_children
                .iter()
                .filter(|child| child[1][hand] > 0.0)
                .map(|child| child[1][hand] * child[0][hand])
                .sum();
            assert!(
                (sum / met - theirs[0][hand]).abs() < 5e-2,
                "{node}: {} and {}",
                sum / met,
                theirs[0][hand]
            );
        }
    }
}

#[test]
fn evs_add_up_at_every_kind_of_node() {
    let mut talk = Talk::solved(&TURN);
    for node in [
        "r:0",
        "r:0:c",
        "r:0:c:b50",
        "r:0:b50",
        "r:0:b50:b150",
        "r:0:b50:b150:b300",
        "r:0:b50:b150:b300:c",
        "r:0:b50:b150:f",
        "r:0:c:c",
        "r:0:c:c:2h",
        "r:0:c:c:2h:c:b80",
        "r:0:b50:c:Ts",
        "r:0:b50:c:Ts:c:b130",
        "r:0:b50:c:Ts:c:b130:b300",
        "r:0:c:c:2h:c:c",
    ] {
        check(&mut talk, node, 100.0);
    }
}

#[test]
fn weights_and_frequencies_of_nodes() {
    let mut talk = Talk::solved(&TURN);
    let (range, strategy) = (talk.rows("show_range OOP r:0"), talk.rows("show_strategy r:0"));
    assert_eq!(
        range[0],
        talk.rows("show_range OOP")[0]
            .iter()
            .enumerate()
            .map(|(hand, &weight)| {
                // Hands that the board blocks are no longer there.
                let name = Combo::listed().nth(hand).unwrap().to_string();
                if ["Qd", "9d", "6h", "3c"].iter().any(|card| name.contains(card)) { 0.0 } else { weight }
            })
            .collect::<Vec<_>>()
    );
    let after = talk.rows("show_range OOP r:0:c");
    for hand in 0..1326 {
        assert!((after[0][hand] - range[0][hand] * strategy[1][hand]).abs() < 1e-12);
    }
    let freq = |talk: &mut Talk, node: &str| talk.rows(&format!("calc_global_freq {node}"))[0][0];
    assert!((freq(&mut talk, "r") - 1.0).abs() < 1e-12);
    let parts: f64 = ["r:0:b50", "r:0:c"].iter().map(|node| freq(&mut talk, node)).sum();
    assert!((parts - 1.0).abs() < 1e-9);
    let matchups = talk.rows("calc_eq_node OOP r:0").remove(1);
    assert!((talk.rows("calc_matchups_line r:0")[0][0] - matchups.iter().sum::<f64>()).abs() < 1e-6);
    // 44 rivers are left when both hands are known.
    let met = talk.rows("calc_ev OOP r:0").remove(1);
    assert!(met.iter().zip(&matchups).all(|(met, deals)| (44.0 * met - deals).abs() < 1e-9));
}

#[test]
fn results_in_words() {
    let mut talk = Talk::solved(&POLAR);
    let text = talk.ask("calc_results");
    let number = |key: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_else(|| panic!("{text}"));
        line.trim().parse().unwrap()
    };
    let [oop, ip] = ["EV OOP:", "EV IP:"].map(number);
    let [best_oop, best_ip] = ["OOP's MES:", "IP's MES:"].map(number);
    assert!((oop + ip - 100.0).abs() < 0.01 && (oop - 75.0).abs() < 0.1);
    assert!(best_oop >= oop - 1e-3 && best_ip >= ip - 1e-3);
    assert!((number("Exploitable for:") - (best_oop + best_ip - 100.0) / 2.0).abs() < 2e-3);
    // 0.02 % of 100 chips was asked for.
    assert!(number("Exploitable for:") <= 0.021);
}
