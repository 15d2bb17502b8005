use std::sync::OnceLock;

use equipoise_cards::{Combo, HandClass};
use equipoise_equity::{ShowdownOrder, ThreeWayBoards, ThreeWayJoint, ThreeWayTable};
use equipoise_game::Payouts;

use super::super::solve::{Classes, N, worth};
use super::super::{PushFold, PushFoldPayoffs, PushFoldStakes};
use super::evaluate::Game;
use super::{MultiwayOptions, MultiwayPushFold, MultiwaySolution, TableStakes};

fn table() -> &'static (ThreeWayTable, ThreeWayJoint) {
    static TABLE: OnceLock<(ThreeWayTable, ThreeWayJoint)> = OnceLock::new();
    TABLE.get_or_init(|| {
        let table = ThreeWayTable::sample(ThreeWayBoards::Random(1000), 1, &mut ()).unwrap();
        let joint = ThreeWayJoint::new(&table);
        (table, joint)
    })
}

fn stakes(stacks: &[f64], prizes: &[f64]) -> TableStakes {
    TableStakes {
        small_blind: 0.5,
        big_blind: 1.0,
        ante: 0.1,
        stacks: stacks.to_vec(),
        others: Vec::new(),
        payouts: (!prizes.is_empty()).then(|| Payouts::new(prizes.to_vec()).unwrap()),
    }
}

fn solved(stakes: TableStakes, max_iterations: u32) -> MultiwaySolution {
    let game = MultiwayPushFold::new(stakes, Some(&table().1)).unwrap();
    game.solve(&MultiwayOptions { max_iterations, ..MultiwayOptions::default() }, &mut ())
}

#[test]
fn two_players_as_the_exact_solver() {
    for stacks in [[10.0, 10.0], [5.0, 8.0], [20.0, 14.0]] {
        let found = solved(stakes(&stacks, &[]), 4000);
        let exact = PushFoldStakes { ante: 0.1, stacks, ..PushFoldStakes::of_stack(1.0) };
        let exact = PushFold::new(&exact).unwrap().solve();
        assert!(found.converged() && found.epsilon() < 2e-5, "{stacks:?}: {}", found.epsilon());
        // In a zero-sum game no ε-equilibrium is further from the value than what the players could gain.
        let bound = found.gains().iter().sum::<f64>() + 1e-6;
        for (found, exact) in found.ev().iter().zip(exact.ev()) {
            assert!((found - exact).abs() < bound, "{stacks:?}: {found} {exact}");
        }
        let [jam, call] = found.decisions() else { panic!("two decisions") };
        assert!((jam.share() - exact.jam_share()).abs() < 5e-3);
        assert!((call.share() - exact.call_share()).abs() < 5e-3);
        let kings = "KK".parse().unwrap();
        assert!((jam.ev_play(kings) - exact.ev_jam(kings)).abs() < 1e-2);
        assert!((call.ev_play(kings) - exact.ev_call(kings)).abs() < 1e-2);
        assert!((call.ev_fold(kings) - exact.ev_fold()[1]).abs() < 1e-12);
    }
}

/// With somebody on the rail, prizes are not as chips.
#[test]
fn two_players_for_prizes_as_the_exact_solver() {
    let payouts = Payouts::new(vec![50.0, 30.0, 20.0]).unwrap();
    let stakes = TableStakes { others: vec![6.0], ..stakes(&[10.0, 12.0], &[50.0, 30.0, 20.0]) };
    let chips = PushFoldStakes { ante: 0.1, stacks: [10.0, 12.0], ..PushFoldStakes::of_stack(1.0) };
    let ends = *PushFold::new(&chips).unwrap().payoffs();
    let value = |[small, big]: [f64; 2]| {
        let equities = payouts.equities(&[10.0 + small, 12.0 + big, 6.0]).unwrap();
        [equities[0], equities[1]]
    };
    let payoffs = PushFoldPayoffs {
        fold: value(ends.fold),
        jam_fold: value(ends.jam_fold),
        small_wins: value(ends.small_wins),
        big_wins: value(ends.big_wins),
        split: value(ends.split),
    };
    // What the strategies are worth is the same to the last digits, whichever solver says it.
    let found = solved(stakes.clone(), 4000);
    let [jam, call] = found.decisions() else { panic!("two decisions") };
    let [ev, gains] = worth(&payoffs, &jam.plays, &call.plays);
    for player in 0..2 {
        assert!((found.ev()[player] - ev[player]).abs() < 1e-10, "{:?} {ev:?}", found.ev());
        assert!((found.gains()[player] - gains[player]).abs() < 1e-10, "{:?} {gains:?}", found.gains());
    }
    // Two solvers come to two ε-equilibria. A hand with which one player gains next to nothing by either action may be worth
    // much to the other, since the game is not zero-sum: EVs are as near to each other as the strategies are, not as ε.
    let exact = PushFold::with_payoffs(payoffs).solve();
    let game = MultiwayPushFold::new(stakes, None).unwrap();
    let fine = game.solve(&MultiwayOptions { target: 1e-7, max_iterations: 60_000 }, &mut ());
    for (found, exact) in fine.ev().iter().zip(exact.ev()) {
        assert!((found - exact).abs() < 5e-5, "{found} {exact}");
    }
}

/// A strategy of no pattern.
fn mixed(id: usize) -> Classes {
    std::array::from_fn(|class| ((class * 37 + id * 101 + 13) % 97) as f64 / 96.0)
}

/// What one combo gets at a decision, by walking through every pair of hands of the others, every sequence of actions and every order.
fn naive(
    stakes: &TableStakes,
    game: &Game<'_>,
    plays: &[Classes],
    seat: usize,
    before: u16,
    combo: Combo,
) -> [f64; 2] {
    let others: Vec<usize> = (0..3).filter(|&other| other != seat).collect();
    let live: Vec<Combo> = Combo::all().filter(|other| !other.cards().intersects(combo.cards())).collect();
    // How often each two classes are held.
    let mut counts = vec![0_u32; N * N];
    for x in &live {
        for y in live.iter().filter(|y| !y.cards().intersects(x.cards())) {
            counts[x.class().index() * N + y.class().index()] += 1;
        }
    }
    let mut sums = [0.0; 2];
    for x in HandClass::all() {
        for y in HandClass::all() {
            let count = counts[x.index() * N + y.index()];
            if count == 0 {
                continue;
            }
            let mut classes = [combo.class(); 3];
            (classes[others[0]], classes[others[1]]) = (x, y);
            let orders = table().0.orders(classes);
            for (action, sum) in sums.iter_mut().enumerate() {
                for set in 0..8_u16 {
                    let mut chance = f64::from(count) / (1225.0 * 1128.0);
                    for player in 0..3 {
                        let earlier = set & ((1 << player) - 1);
                        let is_in = set >> player & 1 == 1;
                        if player == seat {
                            chance *= f64::from(u8::from(earlier == before && is_in == (action == 0)));
                        } else {
                            let play =
                                game.id(player, earlier).map_or(0.0, |id| plays[id][classes[player].index()]);
                            chance *= if is_in { play } else { 1.0 - play };
                        }
                    }
                    if chance > 0.0 {
                        for order in ShowdownOrder::all() {
                            let value = stakes.values_after(set, &order.places())[seat];
                            *sum += chance * f64::from(orders[order.index()]) * value;
                        }
                    }
                }
            }
        }
    }
    sums
}

/// Two players' exact equities must be replaced for the twin: it ranks two hands by the sampled order of three.
#[test]
fn three_players_as_every_deal() {
    // Few orders, so that what is sampled and what is counted can be told apart by the bound.
    let cases = [
        (stakes(&[9.0, 7.0, 12.0], &[]), 0, 0b00, "K7s"),
        (stakes(&[9.0, 7.0, 12.0], &[]), 1, 0b01, "88"),
        (stakes(&[9.0, 7.0, 12.0], &[50.0, 30.0, 20.0]), 2, 0b01, "A9o"),
        (stakes(&[9.0, 7.0, 12.0], &[50.0, 30.0, 20.0]), 1, 0b00, "QTs"),
        (stakes(&[9.0, 7.0, 12.0], &[50.0, 30.0, 20.0]), 2, 0b11, "JJ"),
    ];
    for (stakes, seat, before, class) in cases {
        let game = Game::new(&stakes, Some(&table().1));
        let plays: Vec<Classes> = (0..game.decisions.len()).map(mixed).collect();
        let mut profile = game.profile(plays.clone());
        let id = game.id(seat, before).unwrap();
        let class: HandClass = class.parse().unwrap();
        let values = game.values(seat, &mut profile);
        let (_, found) = values.iter().find(|(found, _)| *found == id).unwrap();
        let want = naive(&stakes, &game, &plays, seat, before, class.combos().next().unwrap());
        let found = [found.play[class.index()], found.fold[class.index()]];
        // A thousand boards: two-way equities of the table differ from the exact ones by up to two in a hundred, and at stake
        // are ten chips or thirty prizes, in part of the deals.
        let bound = if stakes.payouts.is_some() { 0.2 } else { 0.1 };
        for (found, want) in found.into_iter().zip(want) {
            assert!((found - want).abs() < bound, "{class} {seat} {before:b}: {found} {want}");
        }
        if before == 0b11 {
            assert!((found[0] - want[0]).abs() < 1e-4, "all are in: nothing is of two: {found:?} {want:?}");
        }
    }
}

#[test]
fn three_players_for_chips() {
    let found = solved(stakes(&[10.0; 3], &[]), 400);
    assert!(found.epsilon() < 2e-3, "{}", found.epsilon());
    // Nothing is made or lost, but for the 32 bits of the joint law.
    assert!(found.ev().iter().sum::<f64>().abs() < 1e-4, "{:?}", found.ev());
    let [button, small, over, ..] = found.decisions() else { panic!("six decisions") };
    assert_eq!(found.decisions().len(), 6);
    // The button jams less than the small blind after a fold, and calls are rarer than jams.
    assert!(button.share() < small.share() && over.share() < button.share(), "{}", button.share());
    let aces = "AA".parse().unwrap();
    assert!(found.decisions().iter().all(|decision| decision.play(aces) == 1.0));
    // Played with real deals: the same but for chance and the few boards of the table.
    let played = found.play(&stakes(&[10.0; 3], &[]), 200_000, 1, &mut ()).unwrap();
    for (seat, ev) in played.seats.iter().zip(found.ev()) {
        assert!((seat.ev - ev).abs() < 4.5 * seat.std_error + 2e-3, "{seat:?} {ev}");
        // Real deals find nothing to gain either; hands that are chosen by what they won look better than they are.
        let [low, high] = seat.real_gain;
        assert!(low < 5e-3 && high > low && high < 0.1, "{seat:?}");
    }
    // Who always folds would gain by playing, and real deals show it.
    let mut folding = found.clone();
    folding.decisions.iter_mut().for_each(|decision| *decision.plays = [0.0; N]);
    let played = folding.play(&stakes(&[10.0; 3], &[]), 50_000, 1, &mut ()).unwrap();
    let [low, high] = played.seats[0].real_gain;
    // Blinds and all antes, whatever the hand.
    assert!((low - 1.8).abs() < 1e-9 && (high - 1.8).abs() < 1e-9, "{low} {high}");
    assert_eq!(played.after_three, 0.0);
}

#[test]
fn threads_change_nothing() {
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let stakes = stakes(&[8.0, 9.0, 7.0, 10.0], &[50.0, 30.0, 20.0]);
            let found = solved(stakes.clone(), 20);
            let played = found.play(&stakes, 20_000, 1, &mut ()).unwrap();
            (found.ev().to_vec(), found.gains().to_vec(), played)
        })
    };
    table();
    assert_eq!(solve(1), solve(3));
}

/// Four players: folds of others are taken as independent, and it shows little.
#[test]
fn four_players_played() {
    let stakes = stakes(&[8.0; 4], &[]);
    let found = solved(stakes.clone(), 200);
    assert!(found.epsilon() < 5e-3, "{}", found.epsilon());
    let played = found.play(&stakes, 400_000, 1, &mut ()).unwrap();
    for (seat, ev) in played.seats.iter().zip(found.ev()) {
        assert!((seat.ev - ev).abs() < 4.5 * seat.std_error + 0.02, "{seat:?} {ev}");
        assert!(seat.fourth_gain[1] < 0.01);
    }
    assert!(played.after_three > 0.0 && played.after_three < 0.02, "{}", played.after_three);
}

#[test]
fn an_observer_ends_it() {
    let game = MultiwayPushFold::new(stakes(&[10.0; 2], &[]), None).unwrap();
    let mut seen = 0;
    let found = game.solve(&MultiwayOptions::default(), &mut |progress: &super::MultiwayProgress| {
        seen = progress.iterations;
        if seen < 7 { std::ops::ControlFlow::Continue(()) } else { std::ops::ControlFlow::Break(()) }
    });
    assert!(!found.converged() && found.iterations() == 7 && found.epsilon().is_finite());
}
