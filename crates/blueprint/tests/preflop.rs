//! Raises before the flop that a blueprint lacks.

#[path = "common/strength_buckets.rs"]
mod strength_buckets;

use std::num::{NonZeroU32, NonZeroUsize};

use equipoise_blueprint::bucketed::Lossless;
use equipoise_blueprint::resolve::{
    EntryOptions, FlopEntries, History, PreflopOptions, ResolveError, ResolveOptions, resolve,
    resolve_preflop,
};
use equipoise_blueprint::whole::{Blueprint, Line, Trainer, TrainerOptions, WholeGame};
use equipoise_cards::HandClass;
use equipoise_equity::ClassTable;
use equipoise_game::{Action, BettingPreset, Chips, HandConfig, Player};
use strength_buckets::Crude;

fn blueprint() -> Blueprint {
    let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(2_000));
    let game = WholeGame { hand, betting: BettingPreset::A.abstraction() };
    let options = TrainerOptions { batch: NonZeroU32::new(4).unwrap(), ..TrainerOptions::default() };
    let mut trainer = Trainer::new(&game, &Crude, &options).unwrap();
    trainer.train(80).unwrap();
    trainer.blueprint(None).unwrap()
}

fn class(text: &str) -> HandClass {
    text.parse().unwrap()
}

fn entries(blueprint: &Blueprint, boards: u32, threads: usize) -> FlopEntries {
    let options = EntryOptions { boards, seed: 1, threads: NonZeroUsize::new(threads) };
    FlopEntries::measure(blueprint, &Crude, &options, &mut ()).unwrap()
}

/// How often a class folds.
fn folds(blueprint: &Blueprint, entries: &FlopEntries, actions: &[Action], of: &str) -> f64 {
    let found = resolve_preflop(blueprint, entries, actions, None, &PreflopOptions::default()).unwrap();
    assert!(found.exploitability_chips < 2.0, "{}", found.exploitability_chips);
    let at = found.actions.iter().position(|&action| action == Action::Fold).unwrap();
    found.frequencies[class(of).index()][at]
}

#[test]
fn raises_are_put_in_and_answered() {
    let blueprint = blueprint();
    let entries = entries(&blueprint, 24, 2);
    // Both players' values at an entry are the pot, and better hands are worth more of it.
    assert!(entries.are_of(&blueprint) && entries.len() > 3 && !entries.is_empty());
    for entry in 0..entries.len() {
        let share = |player, own, other| entries.share(entry, player, class(own), class(other));
        for (own, other) in [("AA", "72o"), ("KK", "QJs"), ("87s", "AKo")] {
            let both = share(Player::Oop, own, other) + share(Player::Ip, other, own);
            assert!((both - 1.0).abs() < 1e-3, "{own} {other}: {both}");
        }
        let equity = ClassTable::shipped().matchup(class("AA"), class("72o")).equity();
        assert!(share(Player::Ip, "AA", "72o") > 0.5 && equity > 0.8, "{:?}", entries.hand(entry));
    }
    // A raise to 3.5 big blinds, which A-20 does not have: aces never fold to it, and the worst hands do.
    let odd = Action::Raise(Chips::new(350));
    assert!(!blueprint.root().actions().contains(&odd));
    assert!(folds(&blueprint, &entries, &[odd], "AA") < 0.01);
    assert!(folds(&blueprint, &entries, &[odd], "72o") > 0.9);
    // Larger raises are answered by fewer hands.
    let share = |total: u32| {
        let actions = [Action::Raise(Chips::new(total))];
        let found =
            resolve_preflop(&blueprint, &entries, &actions, None, &PreflopOptions::default()).unwrap();
        assert_eq!(
            (found.hero, found.actions[..2].to_vec()),
            (Player::Oop, vec![Action::Fold, Action::Call])
        );
        HandClass::all()
            .map(|class| class.num_combos() as f64 * (1.0 - found.frequencies[class.index()][0]))
            .sum::<f64>()
            / 1326.0
    };
    let [small, large] = [share(300), share(900)];
    assert!(small > large + 0.1 && large > 0.05 && small < 1.0, "{small} {large}");
    // The button opens as the blueprint does, and is 3-bet to what the blueprint lacks: its range is the blueprint's.
    let open = Action::Raise(Chips::new(250));
    let actions = [open, Action::Raise(Chips::new(640))];
    let found = resolve_preflop(&blueprint, &entries, &actions, None, &PreflopOptions::default()).unwrap();
    let place = blueprint.root().actions().iter().position(|&action| action == open).unwrap();
    assert_eq!(found.hero, Player::Ip);
    for hand in HandClass::all() {
        assert!((found.reach[hand.index()] - blueprint.opening(hand)[place]).abs() < 1e-9);
    }
}

#[test]
fn threads_change_nothing_and_nonsense_is_refused() {
    let blueprint = blueprint();
    let measured = entries(&blueprint, 9, 1);
    let again = entries(&blueprint, 9, 2);
    let odd = Action::Raise(Chips::new(350));
    let options = PreflopOptions { iterations: 50 };
    let solve = |entries: &FlopEntries| resolve_preflop(&blueprint, entries, &[odd], None, &options).unwrap();
    assert_eq!(solve(&measured), solve(&again));
    let refused =
        |actions: &[Action]| resolve_preflop(&blueprint, &measured, actions, None, &options).unwrap_err();
    assert!(matches!(refused(&[Action::Check]), ResolveError::Action { .. }));
    assert!(matches!(refused(&[odd, Action::Call]), ResolveError::NobodyActs));
    // Buckets of another kind than the blueprint's.
    let other = FlopEntries::measure(&blueprint, &Lossless, &EntryOptions::default(), &mut ());
    assert!(matches!(other, Err(ResolveError::Buckets(_))));
    // As a decision of a hand: the blueprint's strategy where it has the line, a new one where it does not.
    let line = Line::walk(&blueprint, "").unwrap();
    let mut history = History::of_line(&line);
    history.actions = vec![odd];
    let found = resolve(&blueprint, &Crude, &history, None, &ResolveOptions::default(), &mut ()).unwrap();
    assert!(found.mode.is_none() && found.inserted.is_some() && found.hero == Player::Oop);
    history.actions = vec![Action::Raise(Chips::new(250))];
    let found = resolve(&blueprint, &Crude, &history, None, &ResolveOptions::default(), &mut ()).unwrap();
    assert!(found.mode.is_none() && found.inserted.is_none());
}
