//! What can be read at any decision, from memory and from files, against the naive solver.

#![allow(unreachable_pub, missing_docs)]

mod common;

use std::fs;

use common::random::{Dice, spot};
use common::temporary::Temporary;
use common::twin::{Numbers, Own, Twin};
use common::views::{board, check, close, decisions, matchups, places, reaches, won};
use equipoise_cards::{Card, Combo, Street};
use equipoise_game::{Chips, NodeId, NodeKind, Player, Preset, TreeConfig};
use equipoise_postflop::{
    BoardView, Contents, HandDetail, Lock, LockedStrategy, NodePath, NodeView, Options, Precision, Reader,
    SaveOptions, Solver, Spot, StopReason, Storage, ViewDetail,
};

fn save_options(contents: Contents) -> SaveOptions {
    SaveOptions { contents, note: "the spot".to_owned(), target_pct: 0.1 }
}

fn open(file: &Temporary, spot: &Spot) -> Reader {
    let (reader, header) = Reader::open(&file.0).unwrap();
    assert_eq!((header.note.as_str(), header.spot_hash), ("the spot", spot.content_hash()));
    assert_eq!(reader.spot().to_bytes(), spot.to_bytes());
    reader
}

/// Every number of a view is what the naive solver says of the same strategies; what a file says is what memory says.
#[test]
fn every_number_of_40_random_spots() {
    let file = Temporary::new("numbers");
    for seed in 0..40 {
        let spot = spot(seed);
        if decisions(&spot).is_empty() {
            continue;
        }
        let mut dice = Dice::new(seed);
        let options = Options { isomorphism: seed % 7 != 0, ..Options::default() };
        let mut solver = Solver::new(spot.clone(), &options).unwrap();
        solver.iterate(15);
        solver.solution_mut().save(&file.0, &save_options(Contents::Full)).unwrap();
        let saved = open(&file, &spot);
        let memory = Reader::of(solver.solution_mut());
        let solution = solver.solution();
        let twin = Twin::new(&spot);
        let strategy = strategies(&twin, solution);
        let count = if spot.board().street() == Street::Flop { 2 } else { 4 };
        for (node, runout) in places(&spot, &mut dice, count) {
            let path = memory.path_to(node, &runout);
            let view = memory.view(&path, ViewDetail::Equities, &mut ()).unwrap();
            assert_eq!(
                format!("{view:?}"),
                format!("{:?}", saved.view(&path, ViewDetail::Equities, &mut ()).unwrap()),
                "seed {seed} {path}"
            );
            check(&twin, &view, &strategy, &format!("seed {seed} {path}"));
        }
    }
}

/// What a player has at any node, decision or not, is what the naive solver says of the same strategies.
fn check_hands(
    twin: &Twin<'_>,
    reader: &Reader,
    (node, runout): (NodeId, &[Card]),
    strategy: &dyn Fn(NodeId, &[Card]) -> Numbers,
    what: &str,
) {
    let tree = twin.spot.tree();
    let scale = tree.pot(node).as_f64();
    let path = reader.path_to(node, runout);
    let board = board(twin.spot, runout);
    let reaches = reaches(twin, node, runout, strategy);
    for player in Player::ALL {
        let (own, other) = (player.index(), player.opponent().index());
        let hands = |detail| reader.hands(&path, player, detail, &mut ()).unwrap().combos;
        let (evs, equities) = (hands(HandDetail::Evs), hands(HandDetail::Equities));
        let values = twin.values(node, &board, player, &reaches[other], Own::Average, strategy);
        let invested = tree.node(node).invested(player).as_f64();
        for (ev, equity) in evs.iter().zip(&equities) {
            let what = format!("{what} {path} {player} {}", ev.combo);
            let at = twin.combos[own].iter().position(|(combo, _)| *combo == ev.combo).unwrap();
            assert!((ev.weight - reaches[own][at]).abs() < 1e-9 && ev.weight == equity.weight, "{what}");
            assert!(ev.equity.is_none() && equity.ev.is_none() && ev.frequencies.is_empty(), "{what}");
            let matchups = matchups(twin, player, ev.combo, &reaches[other]);
            if matchups <= 1e-4 * reaches[other].iter().sum::<f64>() {
                continue;
            }
            close(ev.ev, values[at] / matchups + invested, scale, &what);
            close(equity.equity, won(twin, &board, player, ev.combo, &reaches[other]) / matchups, 1.0, &what);
        }
    }
}

fn strategies<'a>(
    twin: &'a Twin<'_>,
    solution: &'a equipoise_postflop::Solution,
) -> impl Fn(NodeId, &[Card]) -> Numbers + 'a {
    |node: NodeId, runout: &[Card]| -> Numbers {
        let strategy = solution.strategy(node, runout).unwrap();
        let of_combo = |(combo, _): &(Combo, f64)| {
            let found = strategy.combos.iter().find(|other| other.combo == *combo);
            found.map_or_else(|| vec![0.0; strategy.actions.len()], |found| found.frequencies.clone())
        };
        twin.combos[strategy.player.index()].iter().map(of_combo).collect()
    }
}

#[test]
fn hands_at_nodes_of_every_kind() {
    let mut kinds = std::collections::HashSet::new();
    for seed in 100..125 {
        let spot = spot(seed);
        if decisions(&spot).is_empty() {
            continue;
        }
        let mut dice = Dice::new(seed);
        let mut solver = Solver::new(spot.clone(), &Options::default()).unwrap();
        solver.iterate(15);
        let reader = Reader::of(solver.solution_mut());
        let twin = Twin::new(&spot);
        let strategy = strategies(&twin, solver.solution());
        let count = if spot.board().street() == Street::Flop { 1 } else { 3 };
        for (node, runout) in places(&spot, &mut dice, count) {
            // On the flop what comes after a card takes the naive solver long.
            let is_slow = |child: &NodeId| {
                spot.board().street() == Street::Flop
                    && matches!(spot.tree().node(*child).kind(), NodeKind::Chance | NodeKind::Runout)
                    && runout.is_empty()
            };
            let children = spot.tree().node(node).children();
            for child in
                children.filter(|child| !is_slow(child)).chain([node].into_iter().filter(|_| count > 1))
            {
                kinds.insert(std::mem::discriminant(&spot.tree().node(child).kind()));
                check_hands(&twin, &reader, (child, &runout), &strategy, &format!("seed {seed}"));
            }
        }
    }
    assert_eq!(kinds.len(), 5, "decisions, cards, folds, showdowns and all-ins");
}

/// Strategies that are taken over say the same again, and where another lock holds they are worth what the naive solver
/// says.
#[test]
fn strategies_are_taken_over_under_other_locks() {
    for seed in [0, 1, 3, 5, 6, 8, 11] {
        let spot = spot(seed).with_locks(Vec::new()).unwrap();
        let places = decisions(&spot);
        let Some(&last) = places.last() else { continue };
        let mut solver = Solver::new(spot.clone(), &Options::default()).unwrap();
        solver.iterate(20);
        let reader = Reader::of(solver.solution_mut());
        let mut same = Solver::new(spot.clone(), &Options::default()).unwrap();
        same.play(&reader).unwrap();
        let same = Reader::of(same.solution_mut());
        let root = NodePath::root();
        let (before, after) = (
            reader.view(&root, ViewDetail::Equities, &mut ()).unwrap(),
            same.view(&root, ViewDetail::Equities, &mut ()).unwrap(),
        );
        for (one, other) in before.players.iter().zip(&after.players) {
            assert!((one.ev().unwrap() - other.ev().unwrap()).abs() < 1e-3 * spot.pot(), "seed {seed}");
        }
        let actions = spot.tree().node(last).num_children();
        let mut frequencies = vec![0.0; actions];
        frequencies[actions - 1] = 1.0;
        let lock = Lock::new(spot.tree().line_to(last), LockedStrategy::Every(frequencies));
        let locked = spot.clone().with_locks(vec![lock]).unwrap();
        let mut solver = Solver::new(locked.clone(), &Options::default()).unwrap();
        solver.play(&reader).unwrap();
        let changed = Reader::of(solver.solution_mut());
        let twin = Twin::new(&locked);
        check(
            &twin,
            &changed.view(&root, ViewDetail::Equities, &mut ()).unwrap(),
            &strategies(&twin, solver.solution()),
            &format!("seed {seed}"),
        );
        let chosen = solver.solution_mut().best_responses();
        let evs = solver.solution_mut().evs();
        assert!(
            chosen.iter().zip(&evs).all(|(best, ev)| *best >= ev.mean - 1e-3 * spot.pot()),
            "seed {seed}"
        );
    }
    let river = spot(0);
    let other = Spot::new(
        river.ranges().clone(),
        *river.board(),
        &TreeConfig::new(Street::River, Chips::new(7), Chips::new(9)),
    );
    let mut solver = Solver::new(other.unwrap(), &Options::default()).unwrap();
    let mut old = Solver::new(river, &Options::default()).unwrap();
    let error = solver.play(&Reader::of(old.solution_mut())).unwrap_err();
    assert!(error.to_string().contains("another betting tree"), "{error}");
}

fn turn_spot() -> Spot {
    let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(250));
    Preset::Standard.apply(&mut config);
    let ranges = ["QQ+,AKs,JTs,98s".parse().unwrap(), "JJ-99,AQs,KQs".parse().unwrap()];
    Spot::new(ranges, "Td9d6h2c".parse().unwrap(), &config).unwrap()
}

/// Resuming from a file gives the numbers of a solve without interruption, in every storage mode.
#[test]
fn going_on_from_a_file_changes_nothing() {
    let file = Temporary::new("resume");
    for (regrets, strategy, lazy, algorithm) in [
        (Precision::Bits32, Precision::Bits32, None, "dcfr"),
        (Precision::Bits16, Precision::Bits16, Some(7), "apdcfr+"),
        (Precision::Bits16, Precision::Bits8, None, "pcfr+"),
        (Precision::Bits8, Precision::Bits4, Some(10), "dcfr"),
        (Precision::Bits4, Precision::Bits4, None, "dcfr+"),
    ] {
        let lazy_normalization = lazy.and_then(std::num::NonZeroU32::new);
        let storage = Storage { regrets, strategy, lazy_normalization, ..Storage::default() };
        let options = Options {
            algorithm: algorithm.parse().unwrap(),
            storage,
            max_iterations: 60,
            target_pct: 0.0,
            ..Options::default()
        };
        let mut straight = Solver::new(turn_spot(), &options).unwrap();
        assert_eq!(straight.run(&mut ()), StopReason::MaxIterations);
        let mut first = Solver::new(turn_spot(), &Options { max_iterations: 33, ..options.clone() }).unwrap();
        first.run(&mut ());
        first.solution_mut().save(&file.0, &save_options(Contents::Resumable)).unwrap();
        let mut second = Solver::resume(&file.0, &options).unwrap();
        assert_eq!(second.solution().iterations(), 33);
        second.run(&mut ());
        assert_eq!(second.solution().iterations(), 60);
        let (a, b) = (straight.solution().exploitability(), second.solution().exploitability());
        assert_eq!(a, b, "{storage} {algorithm}");
        let read = |solver: &mut Solver| {
            let reader = Reader::of(solver.solution_mut());
            format!(
                "{:?}",
                reader
                    .view(&"check check | 2h | check".parse().unwrap(), ViewDetail::Equities, &mut ())
                    .unwrap()
            )
        };
        assert_eq!(read(&mut straight), read(&mut second), "{storage} {algorithm}");
        let other = Options { storage: Storage::of(Precision::Bits16), ..options.clone() };
        if regrets != Precision::Bits16 {
            assert!(Solver::resume(&file.0, &other).is_err());
        }
    }
}

/// Streets that are left out are re-solved, and are worth what they were.
#[test]
fn streets_that_are_left_out_are_re_solved() {
    let (full, less) = (Temporary::new("full"), Temporary::new("less"));
    let options = Options { target_pct: 0.1, ..Options::default() };
    let mut solver = Solver::new(turn_spot(), &options).unwrap();
    solver.run(&mut ());
    let large = solver.solution_mut().save(&full.0, &save_options(Contents::Full)).unwrap();
    let small = solver.solution_mut().save(&less.0, &save_options(Contents::NoRiver)).unwrap();
    assert!(small * 4 < large, "{small} {large}");
    let (full, less) = (open(&full, &turn_spot()), open(&less, &turn_spot()));
    for path in ["", "check bet:72"] {
        let path: NodePath = path.parse().unwrap();
        assert_eq!(
            full.view(&path, ViewDetail::Equities, &mut ()).unwrap(),
            less.view(&path, ViewDetail::Equities, &mut ()).unwrap()
        );
    }
    for path in ["check check | 2h |", "check check | Kd | check", "check bet:72 call | 7d |"] {
        let path: NodePath = path.parse().unwrap();
        let (kept, again) = (
            full.view(&path, ViewDetail::Equities, &mut ()).unwrap(),
            less.view(&path, ViewDetail::Equities, &mut ()).unwrap(),
        );
        assert!(kept.subgame.is_none());
        let solved = again.subgame.expect("the river is not in the file");
        assert!(solved.exploitability.pct_pot <= 0.1, "{solved:?}");
        assert!((kept.probability - again.probability).abs() < 1e-6 + 0.5 * kept.probability);
        for player in Player::ALL {
            let (kept, again) = (kept.players[player].ev().unwrap(), again.players[player].ev().unwrap());
            assert!((kept - again).abs() < 2.0, "{path} {kept} {again}");
        }
    }
    assert!(
        less.view(&"check check | 2h |".parse().unwrap(), ViewDetail::Equities, &mut ())
            .unwrap()
            .subgame
            .is_some()
    );
}

/// A runout of the same class shows the same, in the suits that were asked for.
#[test]
fn isomorphic_cards_are_the_same_in_other_suits() {
    let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(250));
    Preset::Standard.apply(&mut config);
    let ranges = ["QQ+,AKs,JTs,98s".parse().unwrap(), "JJ-99,AQs,KQs".parse().unwrap()];
    // Hearts and spades are alike.
    let spot = Spot::new(ranges, "Td9d6c2c".parse().unwrap(), &config).unwrap();
    let mut solver = Solver::new(spot, &Options::default()).unwrap();
    solver.iterate(40);
    let reader = Reader::of(solver.solution_mut());
    let hearts =
        reader.view(&"check check | Qh | bet:60".parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap();
    let spades =
        reader.view(&"check check | Qs | bet:60".parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap();
    assert_eq!(spades.board.to_string(), "Td9d6c2cQs");
    let swapped = |text: String| {
        text.chars()
            .map(|c| match c {
                'h' => 's',
                's' => 'h',
                c => c,
            })
            .collect::<String>()
    };
    for (a, b) in hearts.players.iter().zip(&spades.players) {
        for combo in &a.combos {
            let twin: Combo = swapped(combo.combo.to_string()).parse().unwrap();
            let other = b.combos.iter().find(|other| other.combo == twin).unwrap();
            assert_eq!(combo.frequencies, other.frequencies, "{}", combo.combo);
            let (x, y) = (combo.ev.unwrap_or(0.0), other.ev.unwrap_or(0.0));
            assert!(
                (x - y).abs() < 0.01 && (combo.weight - other.weight).abs() < 0.01,
                "{combo:?} {other:?}"
            );
        }
    }
    let runouts = reader.runouts(&"check check".parse().unwrap(), &mut ()).unwrap();
    assert_eq!(runouts.len(), 48);

    // One card stands for each class, and together they stand for all.
    let cards = reader.next_cards(&[]).unwrap();
    assert_eq!(cards.iter().map(|(_, count)| count).sum::<usize>(), 48);
    let is_there = |card: &str| cards.iter().any(|&(other, _)| other == card.parse().unwrap());
    assert!(is_there("Qh") != is_there("Qs") && is_there("Qd") && is_there("Qc"));
    assert!(reader.next_cards(&["Qh".parse().unwrap()]).unwrap().is_empty());
    assert!(reader.next_cards(&["Td".parse().unwrap()]).is_err());
}

/// The lower level of detail leaves out equities, and nothing else.
#[test]
fn a_view_of_strategies_leaves_out_equities_only() {
    let file = Temporary::new("detail");
    let mut solver = Solver::new(turn_spot(), &Options::default()).unwrap();
    solver.iterate(30);
    solver.solution_mut().save(&file.0, &save_options(Contents::NoRiver)).unwrap();
    let reader = open(&file, &turn_spot());
    for path in ["", "check bet:72", "check check | 2h |", "check bet:72 call | 7d | check"] {
        let path: NodePath = path.parse().unwrap();
        let mut view = reader.view(&path, ViewDetail::Equities, &mut ()).unwrap();
        let strategies = reader.view(&path, ViewDetail::Strategies, &mut ()).unwrap();
        assert!(view.players.iter().flat_map(|player| &player.combos).any(|combo| combo.equity.is_some()));
        for combo in view.players.iter_mut().flat_map(|player| &mut player.combos) {
            combo.equity = None;
        }
        assert_eq!(format!("{view:?}"), format!("{strategies:?}"), "{path}");
    }
}

#[test]
fn wrong_places_say_what_is_possible() {
    let mut solver = Solver::new(turn_spot(), &Options::default()).unwrap();
    solver.iterate(2);
    let reader = Reader::of(solver.solution_mut());
    let error = |path: &str| {
        reader.view(&path.parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap_err().to_string()
    };
    assert!(error("check bet:61").contains("possible: check, bet:72"), "{}", error("check bet:61"));
    assert!(error("check check").contains("a card comes: add it"), "{}", error("check check"));
    assert!(error("check check | Td |").contains("it has been dealt"));
    assert!(error("bet:72 fold").contains("the hand is over"), "{}", error("bet:72 fold"));
    assert!(reader.runouts(&"check".parse().unwrap(), &mut ()).is_err());
}

/// No damaged byte goes unnoticed.
#[test]
fn damaged_files_are_refused() {
    let file = Temporary::new("damaged");
    let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(60));
    Preset::Simple.apply(&mut config);
    let spot =
        Spot::new(["AA,KQs".parse().unwrap(), "QQ".parse().unwrap()], "Td9d6d2c".parse().unwrap(), &config);
    let spot = spot.unwrap();
    let mut solver = Solver::new(spot.clone(), &Options::default()).unwrap();
    solver.iterate(5);
    solver.solution_mut().save(&file.0, &save_options(Contents::Resumable)).unwrap();
    let bytes = fs::read(&file.0).unwrap();
    let read_all = || -> Result<(), String> {
        let (reader, _) = Reader::open(&file.0).map_err(|error| error.to_string())?;
        reader.verify().map_err(|error| error.to_string())
    };
    read_all().unwrap();
    for at in (0..bytes.len()).filter(|at| at % 53 == 0 || *at < 64 || bytes.len() - at < 64) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&file.0, &damaged).unwrap();
        let error = read_all().expect_err(&format!("byte {at} of {}", bytes.len()));
        assert!(error.contains("equipoise-"), "{error}");
    }
    for len in [0, 7, 39, 40, 100, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&file.0, &bytes[..len]).unwrap();
        assert!(read_all().is_err(), "{len} bytes");
    }
    fs::write(&file.0, [&bytes[..], b"more"].concat()).unwrap();
    assert!(read_all().is_err());
    fs::write(&file.0, b"EQPBUCKTxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx").unwrap();
    assert!(read_all().unwrap_err().contains("it is no solution"));
    fs::remove_file(&file.0).unwrap();
    assert!(read_all().is_err());
}

/// The board of a runout, card by card from the root.
fn board_view(reader: &Reader, runout: &[Card]) -> BoardView {
    let root = reader.spot().tree().root();
    let (mut board, mut next) = reader.board_view(&reader.board_start(root, &[]).unwrap()).unwrap();
    for &card in runout {
        (board, next) = reader.board_view(&next.deal(card).unwrap()).unwrap();
    }
    board
}

fn assert_has_view(board: &BoardView, view: &NodeView) {
    assert_eq!((board.board, &board.runout), (view.board, &view.runout));
    let found = board.decisions.iter().find(|decision| decision.node == view.node).unwrap();
    assert_eq!(found.player, view.player);
    assert!((found.probability - view.probability).abs() < 1e-9);
    let combos = &board.combos[view.player];
    assert_eq!(combos.len(), view.actor().combos.len());
    for combo in &view.actor().combos {
        let place = combos.iter().position(|other| *other == combo.combo).unwrap();
        let close = |found: f64, seen: Option<f64>| match seen {
            Some(seen) => assert!((found - seen).abs() < 1e-6 * (1.0 + seen.abs()), "{found} {seen}"),
            // Where matchups are next to nothing, one of the two may say so and the other not.
            None => assert!(found.is_nan() || combo.matchups < 1e-6, "{found} {combo:?}"),
        };
        close(found.weights[place], Some(combo.weight));
        close(found.matchups[place], Some(combo.matchups));
        close(found.equities[place], combo.equity);
        close(found.evs[place], combo.ev);
        for action in 0..view.actions.len() {
            close(found.frequencies[action][place], Some(combo.frequencies[action]));
            close(found.action_evs[action][place], combo.action_evs[action]);
        }
    }
}

#[test]
fn boards_have_what_views_of_their_decisions_have() {
    for seed in 0..12 {
        let spot = spot(seed);
        let mut solver =
            Solver::new(spot.clone(), &Options { max_iterations: 20, ..Options::default() }).unwrap();
        solver.run(&mut ());
        let reader = Reader::of(&mut solver.into_solution());
        let mut dice = Dice::new(seed);
        for (node, runout) in places(&spot, &mut dice, 8) {
            let path = reader.path_to(node, &runout);
            let view = reader.view(&path, ViewDetail::Equities, &mut ()).unwrap();
            assert_has_view(&board_view(&reader, &runout), &view);
            let (below, _) = reader.board_view(&reader.board_start(node, &runout).unwrap()).unwrap();
            assert_eq!(below.decisions[0].node, node);
            assert_has_view(&below, &view);
        }
    }
}
