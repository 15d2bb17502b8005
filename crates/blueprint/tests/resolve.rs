//! Re-solved decisions of a whole hand.

#[path = "common/strength_buckets.rs"]
mod strength_buckets;

use std::num::NonZeroU32;
use std::time::Duration;

use equipoise_blueprint::resolve::{
    History, Mode, Nested, ResolveError, ResolveOptions, Resolved, RolloutOptions, action_values,
    random_turns, resolve, turn_exploitability,
};
use equipoise_blueprint::whole::{Blueprint, Line, Trainer, TrainerOptions, WholeGame};
use equipoise_cards::{Board, Combo, Street, Strength};
use equipoise_game::{Action, BettingPreset, Chips, HandConfig, Player, RaiseMenus};
use strength_buckets::Crude;

fn blueprint() -> Blueprint {
    let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(2_000));
    let game = WholeGame { hand, betting: BettingPreset::A.abstraction() };
    let options = TrainerOptions { batch: NonZeroU32::new(4).unwrap(), ..TrainerOptions::default() };
    let mut trainer = Trainer::new(&game, &Crude, &options).unwrap();
    trainer.train(20).unwrap();
    trainer.blueprint(None).unwrap()
}

fn iterations(mode: Mode, max_iterations: u32) -> ResolveOptions {
    ResolveOptions { mode, max_iterations, target_pct: 0.0, ..ResolveOptions::default() }
}

fn solved(
    blueprint: &Blueprint,
    history: &History<'_>,
    nested: Option<&Nested>,
    options: &ResolveOptions,
) -> Resolved {
    resolve(blueprint, &Crude, history, nested, options, &mut ()).unwrap()
}

fn assert_is_strategy(resolved: &Resolved) {
    let strategy = &resolved.strategy;
    assert!(strategy.reach.iter().sum::<f64>() > 0.0);
    for (reach, frequencies) in strategy.reach.iter().zip(&strategy.frequencies) {
        if *reach > 0.0 {
            assert_eq!(frequencies.len(), strategy.actions.len());
            assert!((frequencies.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        }
    }
}

const RIVER: &str = "r2.5 c | Td9d6h | x x | 2c | x x | Ks";

#[test]
fn rivers_are_solved_in_every_mode() {
    let blueprint = blueprint();
    let line = Line::walk(&blueprint, RIVER).unwrap();
    let history = History::of_line(&line);
    for mode in Mode::ALL {
        let found = solved(&blueprint, &history, None, &iterations(mode, 1500));
        assert_is_strategy(&found);
        assert_eq!((found.hero, found.mode, found.iterations), (Player::Oop, Some(mode), 1500));
        let check = found.check.unwrap();
        assert!(check.pct_pot < 1.0, "{mode:?}: {check:?}");
        assert_eq!(check.least_margin.is_none(), mode == Mode::Unsafe);
        // No combo of the opponent wins more against the new strategy than against the blueprint's, but for what is left.
        if matches!(mode, Mode::Resolve | Mode::MaxMargin) {
            assert!(check.mean_excess.unwrap() < 5.0, "{mode:?}: {check:?}");
        }
    }
    // The same bits again, and with another number of threads.
    let again = |threads: usize| {
        let threads = std::num::NonZeroUsize::new(threads);
        solved(&blueprint, &history, None, &ResolveOptions { threads, ..iterations(Mode::Estimate, 30) })
    };
    assert_eq!(again(1).strategy, again(2).strategy);
}

#[test]
fn bets_off_the_tree_are_put_in_and_streets_are_nested() {
    let blueprint = blueprint();
    let line = Line::walk(&blueprint, "r2.5 c | Td9d6h | x x | 2c").unwrap();
    let mut history = History::of_line(&line);
    // A turn from its root, then after a bet that the blueprint does not have.
    let options = iterations(Mode::Estimate, 40);
    let first = solved(&blueprint, &history, None, &options);
    assert_is_strategy(&first);
    let odd = Action::Bet(Chips::new(333));
    assert!(!first.strategy.actions.contains(&odd));
    history.actions = vec![odd];
    let answer = solved(&blueprint, &history, None, &options);
    assert_is_strategy(&answer);
    assert_eq!(
        (answer.hero, answer.strategy.actions[..2].to_vec()),
        (Player::Ip, vec![Action::Fold, Action::Call])
    );
    // It is called, and the river goes on from there.
    let card = "Ks".parse().unwrap();
    let nested = answer.next(&[odd, Action::Call], card).unwrap();
    assert_eq!(nested.hero, Player::Ip);
    assert!(nested.reach.iter().all(|reach| (0.0..=1.0).contains(reach)));
    let river = History {
        line: Line::walk(&blueprint, "r2.5 c | Td9d6h | x x | 2c | b75 c | Ks").unwrap(),
        hand: history.hand.act(odd).unwrap().act(Action::Call).unwrap().deal().unwrap(),
        actions: vec![Action::Check],
        offered: None,
        held: None,
    };
    assert_eq!(river.hand.pot(), Chips::new(500 + 666));
    let last = solved(&blueprint, &river, Some(&nested), &iterations(Mode::Estimate, 400));
    assert_is_strategy(&last);
    assert!(last.check.unwrap().pct_pot < 2.0, "{:?}", last.check);
    // A solution has the strategies of the other decisions of its street.
    assert!(answer.at(&[Action::Check]).is_some() && answer.at(&[Action::Fold]).is_none());
}

#[test]
fn time_is_kept_and_nonsense_is_refused() {
    let blueprint = blueprint();
    let line = Line::walk(&blueprint, RIVER).unwrap();
    let mut history = History::of_line(&line);
    let options = ResolveOptions {
        time: Some(Duration::from_millis(50)),
        max_iterations: u32::MAX,
        target_pct: 0.0,
        ..ResolveOptions::default()
    };
    let found = solved(&blueprint, &history, None, &options);
    assert!(found.is_out_of_time && found.iterations > 0);
    history.actions = vec![Action::Call];
    let refused = resolve(&blueprint, &Crude, &history, None, &options, &mut ());
    assert!(matches!(refused, Err(ResolveError::Action { street: Street::River, .. })));
    history.actions = vec![Action::Check, Action::Check];
    let refused = resolve(&blueprint, &Crude, &history, None, &options, &mut ());
    assert!(matches!(refused, Err(ResolveError::NobodyActs)));
    // Before the flop the blueprint is played.
    let line = Line::walk(&blueprint, "r2.5").unwrap();
    let found = solved(&blueprint, &History::of_line(&line), None, &options);
    assert_eq!((found.mode, found.hero), (None, Player::Oop));
    assert_is_strategy(&found);
}

#[test]
fn hands_are_held_and_actions_offered_and_worth_something() {
    let blueprint = blueprint();
    let line = Line::walk(&blueprint, RIVER).unwrap();
    let held: Combo = "2d2s".parse().unwrap();
    let odd = Action::Bet(Chips::new(431));
    let history = History { offered: Some(odd), held: Some(held), ..History::of_line(&line) };
    let mut found = solved(&blueprint, &history, None, &iterations(Mode::Unsafe, 400));
    assert!(found.strategy.actions.contains(&odd) && found.strategy.reach[held.index()] > 0.0);
    let view = found.view(&[]).unwrap();
    let own = view.actor().combos.iter().find(|own| own.combo == held).unwrap();
    assert_eq!(own.action_evs.len(), found.strategy.actions.len());
    // Three twos: every action is worth something, and the strategy takes none that loses much.
    for (place, &frequency) in own.frequencies.iter().enumerate() {
        let loss = own.ev_loss(place).unwrap();
        assert!(own.action_evs[place].unwrap() > 0.0 && frequency * loss < 20.0, "{frequency} {loss}");
    }
    // Of a subgame with alternatives there is no range of the opponent to count with.
    let mut other = solved(&blueprint, &history, None, &iterations(Mode::Estimate, 20));
    assert!(other.view(&[]).is_none());
}

#[test]
fn a_hand_that_the_blueprint_thinks_over_goes_on() {
    let blueprint = blueprint();
    // The blueprint takes a bet for all-in and its hand is over; the one that is played is not.
    let board: Board = "Td9d6h2c".parse().unwrap();
    let mut line = Line::walk(&blueprint, "r2.5 c | Td9d6h | a c").unwrap();
    line.board = board;
    let played = Line::walk(&blueprint, "r2.5 c | Td9d6h | b75 c | 2c").unwrap();
    let hand = *played.position.hand();
    let history = History { line, hand, actions: Vec::new(), offered: None, held: None };
    for mode in [Mode::Estimate, Mode::Unsafe] {
        let found = solved(&blueprint, &history, None, &iterations(mode, 20));
        assert_is_strategy(&found);
    }
}

/// Of a river all is known: the values are those of every showdown, and no board is drawn.
#[test]
fn rollouts_are_worth_what_all_hands_win() {
    let blueprint = blueprint();
    let combo: Combo = "AhKd".parse().unwrap();
    let options = RolloutOptions { boards: 64, seed: 3, threads: None };
    let line = Line::walk(&blueprint, "r2.5 c | Td9d6h | x x | 2c | x x | Ks | x b75").unwrap();
    let found = action_values(&blueprint, &Crude, &line, combo, &options, &mut ()).unwrap().unwrap();
    assert_eq!((found.player, found.actions[0]), (Player::Oop, Action::Fold));
    assert!(found.evs[0].abs() < 1e-9, "{}", found.evs[0]);
    // Calling wins the pot and the bet, or loses the call.
    let hand = line.position.hand();
    let reach = &line.reaches(&blueprint, &Crude).unwrap()[Player::Ip];
    let (mut won, mut all) = (0.0, 0.0);
    for other in Combo::all().filter(|other| !other.cards().intersects(combo.cards() | line.board.set())) {
        let strength = |combo: Combo| Strength::of(combo.cards() | line.board.set());
        let share = match strength(combo).cmp(&strength(other)) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        won += reach[other.index()] * share;
        all += reach[other.index()];
    }
    let to_call = f64::from(hand.legal_actions().unwrap().to_call().count());
    let wanted = won / all * (f64::from(hand.pot().count()) + to_call) - to_call;
    let call = found.actions.iter().position(|&action| action == Action::Call).unwrap();
    assert!((found.evs[call] - wanted).abs() < 1e-6, "{} {wanted}", found.evs[call]);
    assert_eq!(found.std_errors, vec![0.0; found.actions.len()]);
    // Before: the same at any number of threads, and more boards make it more certain.
    let line = Line::walk(&blueprint, "r2.5 c | Td9d6h | x").unwrap();
    let of = |boards: u32, threads: usize| {
        let options = RolloutOptions { boards, threads: std::num::NonZeroUsize::new(threads), ..options };
        action_values(&blueprint, &Crude, &line, combo, &options, &mut ()).unwrap().unwrap()
    };
    let (few, many) = (of(16, 1), of(256, 2));
    assert_eq!(many, of(256, 1));
    assert!(few.std_errors.iter().sum::<f64>() > many.std_errors.iter().sum::<f64>());
    assert!(few.losses.contains(&0.0) && few.losses.iter().all(|&loss| loss >= 0.0));
    // A combo that the board blocks has nothing there.
    assert!(
        action_values(&blueprint, &Crude, &line, "TdTh".parse().unwrap(), &options, &mut ())
            .unwrap()
            .is_none()
    );
}

/// Few lines: after the flop there is all-in or nothing.
#[test]
fn resolved_turns_are_less_exploitable() {
    let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(800));
    let mut betting = BettingPreset::A.abstraction();
    for menus in [&mut betting.flop, &mut betting.turn, &mut betting.river] {
        menus.bet = "a".parse().unwrap();
        menus.raises = RaiseMenus::new(vec!["a".parse().unwrap()]);
    }
    let options = TrainerOptions { batch: NonZeroU32::new(4).unwrap(), ..TrainerOptions::default() };
    let mut trainer = Trainer::new(&WholeGame { hand, betting }, &Crude, &options).unwrap();
    trainer.train(50).unwrap();
    let blueprint = trainer.blueprint(None).unwrap();
    let turns = random_turns(2, 3, 5);
    assert_eq!(turns, random_turns(2, 3, 5));
    for (flop, boards) in &turns {
        assert!(boards.len() == 3 && boards.iter().all(|board| board.cards()[..3] == *flop.cards()));
    }
    let of = |threads: usize| {
        let threads = std::num::NonZeroUsize::new(threads);
        let options = ResolveOptions { threads, ..iterations(Mode::Estimate, 150) };
        turn_exploitability(&blueprint, &Crude, turns[0].1[0], &options, &mut ()).unwrap()
    };
    let found = of(1);
    assert_eq!(found, of(2));
    // Every bucket is told apart by a best response; the re-solved turns lose a small part of that.
    assert!(found.entries > 2 && found.resolved > 0.0, "{found:?}");
    assert!(found.blueprint > 10.0 && found.resolved < found.blueprint / 3.0, "{found:?}");
}
