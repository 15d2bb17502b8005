//! Spots that are played for prizes, against a naive solver that knows every order of finishing.

#![allow(unreachable_pub, missing_docs)]

mod common;

use common::prizes::{for_prizes, payoff, sunk};
use common::random::{Dice, spot};
use common::strategies::{of_reader, of_solution};
use common::temporary::Temporary;
use common::twin::{Own, Trainer, Twin};
use common::views::{check, places, reaches};
use equipoise_cards::{Card, Street};
use equipoise_cfr::Algorithm;
use equipoise_game::{Chips, NodeId, PerPlayer, Player, Prizes, ValueUnit};
use equipoise_postflop::{
    Contents, Exploitability, HandDetail, Options, Reader, SaveOptions, Solver, Spot, ViewDetail,
};

/// As a part of what the pot is worth.
const CLOSE: f64 = 1e-4;

fn solver(spot: &Spot, seed: u64) -> Solver {
    let all = Algorithm::all();
    let options = Options { algorithm: all[seed as usize % all.len()], ..Options::default() };
    Solver::new(spot.clone(), &options).unwrap()
}

/// Expected values and gains by a naive evaluator of the strategies that the solver reports.
#[test]
fn evs_and_gains_of_40_random_spots() {
    for seed in 0..40 {
        let spot = for_prizes(&spot(seed), seed);
        assert_eq!(spot.tree().unit(), ValueUnit::Prizes);
        let mut solver = solver(&spot, seed);
        solver.iterate(12);
        let found = solver.check();
        let evs = solver.solution_mut().evs();
        let twin = Twin::new(&spot);
        let strategy = of_solution(solver.solution(), &twin);
        let worth = spot.pot_worth();
        for player in Player::ALL {
            let values = |own: Own| {
                let reach = twin.weights(player.opponent());
                twin.values(NodeId::ROOT, spot.board(), player, &reach, own, &strategy)
            };
            let average = values(Own::Average);
            let mean = twin.mean(player, &average);
            let gain = twin.mean(player, &values(Own::Best)) - mean;
            let stated = found.gains.unwrap()[player];
            assert!(
                (stated - gain).abs() <= CLOSE * gain.max(0.1 * worth),
                "seed {seed}: gain {stated} {gain}"
            );
            assert!(found.chips >= stated && (found.pct_pot - 100.0 * found.chips / worth).abs() < 1e-9);
            let most = CLOSE * mean.abs().max(worth);
            assert!((evs[player].mean - mean).abs() <= most, "seed {seed}: {} {mean}", evs[player].mean);
            for combo in evs[player].combos.iter().filter(|combo| combo.matchups > 0.0) {
                let at = twin.combos[player.index()].iter().position(|other| other.0 == combo.combo).unwrap();
                let expected = average[at] / combo.matchups;
                let most = CLOSE * expected.abs().max(worth);
                assert!((combo.ev - expected).abs() <= most, "seed {seed}: {} {expected}", combo.ev);
            }
        }
    }
}

/// Training is the naive one's.
#[test]
fn average_strategies_of_random_spots() {
    let mut num_compared = 0;
    for seed in 0..20 {
        let spot = for_prizes(&spot(seed), seed);
        let mut solver = solver(&spot, seed);
        let mut trainer = Trainer::new(&spot, *solver.solution().algorithm());
        for _ in 0..2 {
            trainer.iterate();
            solver.iterate(1);
        }
        if trainer.is_ambiguous.get() {
            continue;
        }
        num_compared += 1;
        let evs = solver.solution_mut().evs();
        for player in Player::ALL {
            let reach = trainer.twin.weights(player.opponent());
            let strategy = |node: NodeId, runout: &[Card]| trainer.average(node, runout);
            let values =
                trainer.twin.values(NodeId::ROOT, spot.board(), player, &reach, Own::Average, &strategy);
            let (mean, found) = (trainer.twin.mean(player, &values), evs[player].mean);
            let most = CLOSE * mean.abs().max(spot.pot_worth());
            assert!((found - mean).abs() <= most, "seed {seed}: {found} {mean}");
        }
    }
    assert!(num_compared >= 8, "only {num_compared} spots were compared");
}

/// Numbers of a header are decimals.
fn close(found: Exploitability, stated: Exploitability) {
    let numbers = |found: Exploitability| [[found.chips, found.pct_pot], found.gains.unwrap().into_array()];
    for (found, stated) in numbers(found).as_flattened().iter().zip(numbers(stated).as_flattened()) {
        assert!((found - stated).abs() <= 1e-12 * stated.abs(), "{found} {stated}");
    }
}

/// What a file shows at decisions and at the ends of hands.
#[test]
fn what_files_show() {
    let file = Temporary::new("prizes");
    for seed in 0..30 {
        let spot = for_prizes(&spot(seed), seed);
        if spot.board().street() == Street::Flop {
            continue;
        }
        let mut solver = solver(&spot, seed);
        solver.iterate(15);
        let stated = solver.check();
        let options = SaveOptions { contents: Contents::Resumable, note: String::new(), target_pct: 0.1 };
        solver.solution_mut().save(&file.0, &options).unwrap();
        let (reader, header) = Reader::open(&file.0).unwrap();
        close(header.exploitability(), stated);
        assert_eq!(reader.spot().to_bytes(), spot.to_bytes());
        let twin = Twin::new(&spot);
        let strategy = of_reader(&reader, &twin);
        for (node, runout) in places(&spot, &mut Dice::new(seed), 3) {
            let path = reader.path_to(node, &runout);
            let view = reader.view(&path, ViewDetail::Equities, &mut ()).unwrap();
            check(&twin, &view, &strategy, &format!("seed {seed}: {path}"));
        }
        ends(seed, &spot, &reader, &twin, &strategy);
        let resumed = Solver::resume(&file.0, &header.options().unwrap()).unwrap();
        close(resumed.solution().exploitability().unwrap(), stated);
    }
}

/// The frequencies of each action by combo, at a decision after these cards.
type Strategies<'a> = &'a dyn Fn(NodeId, &[Card]) -> Vec<Vec<f64>>;

/// Ends of hands on the first street.
fn ends(seed: u64, spot: &Spot, reader: &Reader, twin: &Twin<'_>, strategy: Strategies<'_>) {
    let tree = spot.tree();
    let is_first =
        |id: &NodeId| tree.node(*id).is_terminal() && tree.node(*id).street() == spot.board().street();
    for node in tree.node_ids().filter(is_first) {
        let reaches = reaches(twin, node, &[], strategy);
        for player in Player::ALL {
            let hands = reader.hands(&reader.path_to(node, &[]), player, HandDetail::Evs, &mut ()).unwrap();
            let theirs = &reaches[player.opponent().index()];
            let values = twin.values(node, spot.board(), player, theirs, Own::Average, strategy);
            let total: f64 = theirs.iter().sum();
            for hand in hands.combos.iter().filter(|hand| hand.matchups > 1e-4 * total) {
                let at = twin.combos[player.index()].iter().position(|other| other.0 == hand.combo).unwrap();
                let expected = values[at] / hand.matchups + sunk(spot, node, player);
                let most = 1e-9 * (expected.abs() + spot.pot_worth());
                assert!((hand.ev.unwrap() - expected).abs() <= most, "seed {seed}: {:?} {expected}", hand.ev);
            }
        }
    }
}

/// Streets that a file leaves out are re-solved for the same prizes, counted from where they begin.
#[test]
fn subgames_are_for_prizes_too() {
    let file = Temporary::new("prizes-subgame");
    let spot = (0..).step_by(5).map(|seed| spot(5 * seed + 1)).find(|spot| {
        spot.tree().find(&"check check |".parse().unwrap()).is_ok()
            && spot.tree().config().effective_stack.count() > 100
    });
    let spot = for_prizes(&spot.unwrap(), 8);
    let options = Options { target_pct: 0.01, max_iterations: 3000, ..Options::default() };
    let mut solver = Solver::new(spot.clone(), &options).unwrap();
    solver.run(&mut ());
    let [whole, short] = [Contents::Full, Contents::NoRiver].map(|contents| {
        let options = SaveOptions { contents, note: String::new(), target_pct: 0.01 };
        solver.solution_mut().save(&file.0, &options).unwrap();
        Reader::open(&file.0).unwrap().0
    });
    let river = spot.tree().find(&"check check |".parse().unwrap()).unwrap();
    let card = Card::ALL.into_iter().find(|card| !spot.board().set().contains(*card)).unwrap();
    let [whole, short] = [whole, short]
        .map(|reader| reader.view(&reader.path_to(river, &[card]), ViewDetail::Equities, &mut ()).unwrap());
    assert!(short.subgame.is_some_and(|part| part.exploitability.gains.is_some()));
    for player in Player::ALL {
        let [whole, short] = [&whole, &short].map(|view| view.players[player].ev().unwrap());
        assert!((whole - short).abs() < 0.01 * spot.pot_worth(), "{whole} {short}");
    }
}

/// A prize that is proportional to chips: the same game, with every number times the same.
#[test]
fn proportional_prizes_are_chips() {
    for seed in 0..20 {
        let plain = for_prizes(&spot(seed), seed);
        let mut config = plain.tree().config().clone();
        let stacks = config.prizes.take().unwrap().stacks();
        let plain = Spot::new(plain.ranges().clone(), *plain.board(), &config).unwrap();
        config.prizes = Some(Prizes::table(stacks, vec![(0.0, 0.0), (1e5, 2e5)]).unwrap());
        let spot = Spot::new(plain.ranges().clone(), *plain.board(), &config).unwrap();
        assert_ne!(plain.content_hash(), spot.content_hash());
        let [mut plain, mut prizes] =
            [plain, spot].map(|spot| Solver::new(spot, &Options::default()).unwrap());
        plain.iterate(6);
        prizes.iterate(6);
        let (chips, found) = (plain.check(), prizes.check());
        let pot = plain.solution().spot().pot();
        let gains: f64 = found.gains.unwrap().iter().sum();
        assert!((gains / 4.0 - chips.chips).abs() < 1e-5 * pot, "seed {seed}: {gains} {}", chips.chips);
        let evs: [PerPlayer<f64>; 2] =
            [plain, prizes].map(|mut solver| solver.solution_mut().evs().map(|ev| ev.mean));
        for player in Player::ALL {
            assert!((evs[1][player] - 2.0 * evs[0][player]).abs() < 2e-5 * pot, "seed {seed}: {evs:?}");
        }
    }
}

/// The twin's own prizes, so that it is not the solver's.
#[test]
fn the_twin_finds_known_prizes() {
    let has_chips = |spot: &Spot| spot.tree().config().effective_stack.count() > 0;
    let spot = (0..).map(spot).find(has_chips).unwrap();
    let mut config = spot.tree().config().clone();
    let stack = config.effective_stack;
    let stacks = PerPlayer::new(stack, stack);
    let payouts = equipoise_game::Payouts::new(vec![50.0, 30.0, 20.0]).unwrap();
    config.rake = equipoise_game::Rake::NONE;
    config.prizes = Some(Prizes::icm(stacks, payouts.clone(), vec![stack]).unwrap());
    let spot = Spot::new(spot.ranges().clone(), *spot.board(), &config).unwrap();
    let [own, pot] = [stack, config.starting_pot].map(Chips::as_f64);
    let value = |chips: f64| payouts.equities(&[chips, 2.0 * own + pot - chips, own]).unwrap()[0];
    for change in [0.0, pot / 2.0, pot, -own / 2.0] {
        assert!((payoff(&spot, Player::Ip, change) - (value(own + change) - value(own))).abs() < 1e-9);
    }
}
