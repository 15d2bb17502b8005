//! One strategy, one set of numbers: whatever is said of a solution is what its saved strategies are worth.
//!
//! Random spots with suits that may be exchanged, in every storage mode, solved cold, warm, resumed and with locks,
//! against a naive evaluator that joins nothing.

#![allow(unreachable_pub, missing_docs)]

mod common;

use common::random::{Dice, spot_on};
use common::strategies::of_reader;
use common::temporary::Temporary;
use common::twin::{Own, Twin};
use common::views::{check, places};
use equipoise_cards::Board;
use equipoise_game::{NodeId, Player};
use equipoise_postflop::{
    Contents, Lock, LockedStrategy, Options, Precision, Reader, SaveOptions, Solver, Spot, Storage,
    ViewDetail,
};

/// How far numbers may be off, as a part of the pot (of equities: of 1).
const CLOSE: f64 = 1e-5;

fn storages() -> Vec<Storage> {
    let [bits32, bits16, bits8, bits4] = Precision::ALL.map(Storage::of);
    let log = |storage: Storage| Storage { log_encoding: true, ..storage };
    vec![
        bits32,
        bits16,
        bits8,
        bits4,
        Storage { strategy: Precision::Bits8, ..bits16 },
        log(bits8),
        log(bits4),
    ]
}

/// Boards whose suits may be exchanged: two or three of them have no card there.
const BOARDS: [&str; 6] = ["Ts9s2h5s", "Qd9d6h3d", "8c4c5cKd", "AsKs2s7s", "JhTd9h8d", "7c7d2s2h"];
/// On the flop the naive evaluator takes long.
const FLOPS: [&str; 3] = ["Ts9s2h", "AsKs2s", "8d8c3s"];

fn board(seed: u64) -> Board {
    let at = seed as usize;
    let text = if at % 20 == 7 { FLOPS[at / 20 % FLOPS.len()] } else { BOARDS[at % BOARDS.len()] };
    text.parse().unwrap()
}

/// The spot with every weight times a factor.
fn scaled(spot: &Spot, factor: impl Fn(usize) -> f32) -> Spot {
    let ranges = spot.ranges().as_ref().map(|range| {
        let mut scaled = range.clone();
        for (at, (combo, weight)) in range.iter().enumerate() {
            scaled.set(combo, weight * factor(at)).unwrap();
        }
        scaled
    });
    Spot::new(ranges, *spot.board(), spot.tree().config()).unwrap()
}

/// A spot whose ranges do not tell suits apart, and one of the same board and bets whose ranges do.
fn spots(seed: u64) -> [Spot; 2] {
    let new = spot_on(seed, board(seed), true);
    [scaled(&new, |at| [1.0, 0.4, 0.1][at % 3]), new]
}

fn save(solver: &mut Solver, file: &Temporary) {
    let options = SaveOptions { contents: Contents::Resumable, note: String::new(), target_pct: 0.1 };
    solver.solution_mut().save(&file.0, &options).unwrap();
}

/// The ways in which a solver gets to its strategies.
const WAYS: [&str; 4] = ["cold", "warm", "resumed", "locked"];

/// A solver that came to its strategies in one of the ways.
fn solved(way: &str, seed: u64, options: &Options, file: &Temporary) -> Solver {
    let [old, new] = spots(seed);
    let mut dice = Dice::new(seed);
    let new = match way {
        "locked" => {
            let line = new.tree().line_to(NodeId::ROOT);
            let actions = new.tree().node(NodeId::ROOT).num_children();
            let mut frequencies: Vec<f64> = (0..actions).map(|_| 1.0 + dice.below(9) as f64).collect();
            let sum: f64 = frequencies.iter().sum();
            frequencies.iter_mut().for_each(|frequency| *frequency /= sum);
            new.with_locks(vec![Lock::new(line, LockedStrategy::Every(frequencies))]).unwrap()
        }
        _ => new,
    };
    let mut solver = Solver::new(new.clone(), options).unwrap();
    match way {
        "warm" => {
            let mut first = Solver::new(old.clone(), options).unwrap();
            first.iterate(25);
            save(&mut first, file);
            solver.start_from(&file.0).unwrap();
            solver.iterate(12);
        }
        "resumed" => {
            solver.iterate(10);
            save(&mut solver, file);
            solver = Solver::resume(&file.0, options).unwrap();
            solver.iterate(13);
        }
        _ => solver.iterate(20),
    }
    solver
}

/// What the naive evaluator makes of a reader's strategies: both expected values and best responses.
fn evaluate(spot: &Spot, reader: &Reader) -> [[f64; 2]; 2] {
    let twin = Twin::new(spot);
    let strategy = of_reader(reader, &twin);
    [Own::Average, Own::Best].map(|own| {
        Player::ALL.map(|player| {
            let reach = twin.weights(player.opponent());
            twin.mean(player, &twin.values(NodeId::ROOT, spot.board(), player, &reach, own, &strategy))
        })
    })
}

fn check_root(what: &str, solver: &mut Solver, file: &Temporary) {
    let stated = solver.check();
    save(solver, file);
    let spot = solver.solution().spot().clone();
    let (reader, header) = Reader::open(&file.0).unwrap();
    let [evs, best] = evaluate(&spot, &reader);
    let close = |name: &str, found: f64, expected: f64| {
        assert!((found - expected).abs() <= CLOSE * spot.pot(), "{what}: {name} {found} {expected}");
    };
    let exploitability = (best[0] - evs[0] + best[1] - evs[1]) / 2.0;
    close("exploitability", stated.chips, exploitability);
    close("exploitability of the file", header.exploitability_chips, exploitability);
    let said = solver.solution_mut().evs();
    let view = reader.view(&reader.path_to(NodeId::ROOT, &[]), ViewDetail::Equities, &mut ()).unwrap();
    for (at, player) in Player::ALL.into_iter().enumerate() {
        close("ev", said[player].mean, evs[at]);
        close("ev of the file", header.evs[player].ev, evs[at]);
        close("ev of the view", view.players[player].ev().unwrap(), evs[at]);
    }
    let config = spot.tree().config();
    if config.rake.of(config.starting_pot) == 0.0 {
        close("sum of evs", said.iter().map(|ev| ev.mean).sum(), spot.pot());
    }
}

#[test]
fn what_is_said_is_what_the_saved_strategies_are_worth() {
    let file = Temporary::new("consistency");
    let storages = storages();
    for seed in 0..56 {
        let storage = storages[seed as usize % storages.len()];
        let way = WAYS[seed as usize / 7 % 4];
        let options = Options { storage, ..Options::default() };
        let mut solver = solved(way, seed, &options, &file);
        check_root(&format!("seed {seed}, {storage}, {way}"), &mut solver, &file);
    }
}

/// Whether two solvers say the same of the ranges at the root.
fn agree(one: &mut Solver, two: &mut Solver, close: f64) -> bool {
    let pot = one.solution().spot().pot();
    let (one, two) = (one.solution_mut().evs(), two.solution_mut().evs());
    one.iter().zip(&two).all(|(one, two)| {
        (one.mean - two.mean).abs() <= close * pot && (one.equity - two.equity).abs() <= close
    })
}

/// Joined boards or not: the same iterations give the same values, to the last bit. `joining.rs` compares more iterations,
/// algorithms and storage modes.
#[test]
fn joining_boards_changes_no_value() {
    let file = Temporary::new("joining");
    for seed in 200..320 {
        let way = WAYS[seed as usize % 4];
        let apart = Options { isomorphism: false, ..Options::default() };
        let mut apart = solved(way, seed, &apart, &file);
        let mut joined = solved(way, seed, &Options::default(), &file);
        let (one, two) = (joined.solution_mut().evs(), apart.solution_mut().evs());
        for (one, two) in one.iter().zip(&two) {
            assert_eq!(one.mean, two.mean, "seed {seed}, {way}");
            assert!((one.equity - two.equity).abs() <= CLOSE, "seed {seed}, {way}");
        }
        assert_eq!(joined.check(), apart.check(), "seed {seed}, {way}");
        assert!(apart.orbit_deviation().is_some() && joined.orbit_deviation().is_none(), "seed {seed}");
    }
}

/// The same strategies are worth the same, whether boards are joined or not, in every storage mode.
#[test]
fn joining_boards_changes_no_evaluation() {
    let file = Temporary::new("evaluation");
    for seed in 60..116 {
        let (storage, way) = (storages()[seed as usize % 7], WAYS[seed as usize / 7 % 4]);
        let options = Options { storage, ..Options::default() };
        let mut joined = solved(way, seed, &options, &file);
        let spot = joined.solution().spot().clone();
        let mut apart = Solver::new(spot.clone(), &Options { isomorphism: false, ..options }).unwrap();
        apart.play(&Reader::of(joined.solution_mut())).unwrap();
        let what = format!("seed {seed}, {storage}, {way}");
        let (one, two) = (joined.check().chips, apart.check().chips);
        assert!((one - two).abs() <= CLOSE * spot.pot(), "{what}: exploitability {one} {two}");
        assert!(agree(&mut joined, &mut apart, CLOSE), "{what}");
    }
}

/// What is shown at decisions is what the naive evaluator says of the shown strategies: weights, equities, and values of
/// the whole ranges and of every combo.
#[test]
fn what_decisions_show_is_what_the_shown_strategies_are_worth() {
    let file = Temporary::new("decisions");
    for seed in 100..156 {
        if board(seed).cards().len() == 3 {
            continue;
        }
        let (storage, way) = (storages()[seed as usize % 7], WAYS[seed as usize / 7 % 4]);
        let mut solver = solved(way, seed, &Options { storage, ..Options::default() }, &file);
        let spot = solver.solution().spot().clone();
        save(&mut solver, &file);
        let (reader, _) = Reader::open(&file.0).unwrap();
        let twin = Twin::new(&spot);
        let strategy = of_reader(&reader, &twin);
        for (node, runout) in places(&spot, &mut Dice::new(seed), 3) {
            let what = format!("seed {seed}, {storage}, {way}: {}", reader.path_to(node, &runout));
            let view = reader.view(&reader.path_to(node, &runout), ViewDetail::Equities, &mut ()).unwrap();
            check(&twin, &view, &strategy, &what);
        }
    }
}
