//! Re-solved decisions of a whole hand.

use std::num::NonZeroU32;
use std::time::Duration;

use equipoise_blueprint::bucketed::{BucketedError, Buckets, Lossless};
use equipoise_blueprint::resolve::{History, Mode, Nested, ResolveError, ResolveOptions, Resolved, resolve};
use equipoise_blueprint::whole::{Blueprint, Line, Trainer, TrainerOptions, WholeGame};
use equipoise_cards::{Board, Combo, Street, Strength};
use equipoise_game::{Action, BettingPreset, Chips, HandConfig, Player};

/// What the hand is, and how high: few buckets.
struct Crude;

impl Buckets for Crude {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        if board.street() == Street::Preflop {
            return Lossless.of_board(board);
        }
        let bucket = |combo: Combo| match Strength::of(combo.cards() | board.set()) {
            Some(strength) => strength.category() as u32 * 4 + combo.high().rank().index() as u32 / 4,
            None => 0,
        };
        Ok(Combo::all().map(bucket).collect())
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        if street == Street::Preflop { Lossless.num_buckets(street) } else { Some(40) }
    }
}

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
