//! Subgames of small games. Seven tests of subgame solving are numbered here and elsewhere: 1 units of leaves, 2 limits of
//! alternatives, 3 no harm done, 4 the coin toss, 5 several values at leaves; 1 to 3 in hold'em are in `crates/postflop/tests/subgames.rs`
//! and `crates/blueprint/tests/rivers.rs`, 6 (the sampler) in `crates/blueprint`: `tests/bucketed.rs` and `src/bucketed/engine.rs`.
//! The seventh is a rule for all of them: exploitability and EV are compared, never strategies that need not be unique.

use std::ops::ControlFlow;

use equipoise_cfr::subgame::{
    DepthLimited, Entrance, Formulation, Gifts, Play, Resolving, Subgames, resolve_all, subgames,
};
use equipoise_cfr::{Algorithm, Game, Leduc, Player, Strategy, ToyGame, Trainer, Tree, Turn};

fn trained(tree: &Tree, iterations: u32) -> Strategy {
    let mut trainer = Trainer::new(tree, Algorithm::default());
    trainer.run(iterations, |_| ControlFlow::Continue(()));
    trainer.average_strategy()
}

fn probability_of(tree: &Tree, strategy: &Strategy, name: &str) -> Vec<f64> {
    let infoset = tree.infosets().iter().find(|infoset| infoset.name() == name).unwrap();
    strategy.at(infoset).to_vec()
}

/// Both rounds of a strategy that is crude in the second: an average of few iterations.
fn crude(tree: &Tree) -> Strategy {
    trained(tree, 12)
}

/// A best response is worth at least as much as self-play with every hand, and no value is larger than what can be won.
#[test]
fn values_of_hands_are_within_their_bounds() {
    let tree = ToyGame::Leduc.tree();
    let strategy = crude(&tree);
    for opponent in Player::ALL {
        for subgame in subgames(&Leduc, &tree, &strategy) {
            let own = subgame.values(&tree, &strategy, opponent, Play::Own);
            let best = subgame.values(&tree, &strategy, opponent, Play::Best);
            let masses = subgame.masses(opponent);
            assert!(own.iter().zip(&best).all(|(own, best)| best >= own));
            assert!(best.iter().zip(masses).all(|(value, mass)| value.abs() <= 13.0 * mass + 1e-12));
        }
        // Against a best response the best response is unchanged.
        let best = tree.best_response(opponent, &strategy);
        for subgame in subgames(&Leduc, &tree, &best) {
            let [own, again] =
                [Play::Own, Play::Best].map(|play| subgame.values(&tree, &best, opponent, play));
            assert!(own.iter().zip(again).all(|(own, best)| best >= own - 1e-12));
        }
    }
}

/// Test 1: leaves with the exact values of what is below, in pots of several sizes, give the trunk the values of the whole
/// game, state by state, to 1e-5 and better.
#[test]
fn test_1_leaves_with_exact_values_are_the_whole_game() {
    let tree = ToyGame::Leduc.tree();
    let strategy = trained(&tree, 1000);
    let found = subgames(&Leduc, &tree, &strategy);
    for hero in Player::ALL {
        let opponent = Player::ALL[1 - hero.index()];
        let game = DepthLimited::new(&Leduc, &tree, hero, std::slice::from_ref(&strategy));
        let trunk = Tree::compile(&game).unwrap();
        // The trunk's part of the strategy; the only continuation is chosen.
        let mut probabilities = vec![1.0; trunk.num_entries()];
        for infoset in trunk.infosets() {
            if let Some(known) = tree.infosets().iter().find(|known| known.name() == infoset.name()) {
                probabilities[infoset.entries()].copy_from_slice(strategy.at(known));
            }
        }
        let limited = Strategy::new(&trunk, probabilities).unwrap();
        let [whole, leaves] =
            [(&tree, &strategy), (&trunk, &limited)].map(|(tree, strategy)| tree.evs(strategy));
        for player in Player::ALL {
            let (whole, leaves) = (whole[player.index()], leaves[player.index()]);
            assert!((whole - leaves).abs() < 1e-9, "{player:?}: {whole} {leaves}");
        }
        // What its leaves are worth: pots of 2 to 10 antes, whose values add up to what comes there.
        let sizes: Vec<f64> = found
            .iter()
            .map(|subgame| {
                let values = subgame.values(&tree, &strategy, opponent, Play::Own);
                let masses = subgame.masses(opponent);
                let per = values.iter().zip(masses).filter(|(_, mass)| *mass > 0.0);
                per.map(|(value, mass)| (value / mass).abs()).fold(0.0, f64::max)
            })
            .collect();
        let (least, most) =
            sizes.iter().fold((f64::MAX, 0.0_f64), |(a, b), &size| (a.min(size), b.max(size)));
        assert!(most > 2.0 * least, "{least} {most}");
    }
}

/// Test 2: at −∞ all follow, at +∞ none, and with equilibrium values the game is recovered.
#[test]
fn test_2_alternatives_decide_who_follows() {
    let tree = ToyGame::Leduc.tree();
    let strategy = trained(&tree, 4000);
    let resolving = Resolving { iterations: 4000, ..Resolving::new(Formulation::Resolve) };
    for subgame in subgames(&Leduc, &tree, &strategy).iter().take(6) {
        let count = subgame.hands(Player::Second).len();
        let solve = |alternatives: &[f64]| resolving.solve(subgame, Player::First, alternatives);
        let Some(all) = solve(&vec![f64::NEG_INFINITY; count]) else { continue };
        assert!(all.follow.iter().all(|&follow| follow == 1.0), "{:?}", all.follow);
        let nobody = solve(&vec![f64::INFINITY; count]).unwrap();
        assert!(nobody.follow.iter().all(|&follow| follow == 0.0), "{:?}", nobody.follow);
        // Large finite numbers come near them.
        let nearly = solve(&vec![-1e3; count]).unwrap();
        assert!(nearly.follow.iter().all(|&follow| follow > 0.99), "{:?}", nearly.follow);
    }
    // With equilibrium values the equilibrium is recovered.
    let before = tree.exploitability(&strategy);
    for formulation in [Formulation::Resolve, Formulation::Estimate, Formulation::MaxMargin] {
        let resolving = Resolving { iterations: 2000, ..Resolving::new(formulation) };
        let after = tree.exploitability(&resolve_all(&Leduc, &tree, &strategy, &resolving));
        assert!(before < 2e-3 && after < 6e-3, "{formulation:?}: {before} {after}");
    }
}

/// Test 3: re-solving with best-response alternatives never does harm.
#[test]
fn test_3_resolve_is_never_worse_on_leduc() {
    let tree = ToyGame::Leduc.tree();
    for iterations in [3, 12, 40] {
        let strategy = trained(&tree, iterations);
        let before = tree.exploitability(&strategy);
        for (formulation, gifts) in [
            (Formulation::Resolve, Gifts::Without),
            (Formulation::Resolve, Gifts::Reach),
            (Formulation::MaxMargin, Gifts::Without),
        ] {
            let resolving = Resolving { gifts, iterations: 1000, ..Resolving::new(formulation) };
            let after = tree.exploitability(&resolve_all(&Leduc, &tree, &strategy, &resolving));
            assert!(after <= before + 2e-3, "{formulation:?} {gifts:?}: {before} {after}");
        }
    }
}

/// Test 3, the expected failure: near an equilibrium, unsafe re-solving makes a strategy much more exploitable.
#[test]
fn test_3_unsafe_is_worse_on_leduc() {
    let tree = ToyGame::Leduc.tree();
    let strategy = trained(&tree, 4000);
    let before = tree.exploitability(&strategy);
    let resolving = Resolving::new(Formulation::Unsafe);
    let after = tree.exploitability(&resolve_all(&Leduc, &tree, &strategy, &resolving));
    assert!(after > 10.0 * before && after > 0.01, "{before} {after}");
}

/// The first player sees a coin and sells it, for .5 if it fell heads and for −.5 if tails, or plays: the second guesses,
/// and wins 1 if it is right and loses 1 if not.
struct CoinToss;

impl Game for CoinToss {
    type State = Vec<usize>;
    type Infoset = String;

    fn root(&self) -> Vec<usize> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<usize>) -> Turn<String> {
        let decision = |player, infoset: String| Turn::Decision { player, infoset, num_actions: 2 };
        match state[..] {
            [] => Turn::Chance(vec![0.5; 2]),
            [coin] => decision(Player::First, ["heads", "tails"][coin].to_owned()),
            [0, 0] => Turn::Terminal([0.5, -0.5]),
            [1, 0] => Turn::Terminal([-0.5, 0.5]),
            [_, _] => decision(Player::Second, "guess".to_owned()),
            [coin, _, guess] if coin == guess => Turn::Terminal([-1.0, 1.0]),
            _ => Turn::Terminal([1.0, -1.0]),
        }
    }

    fn next(&self, state: &Vec<usize>, action: usize) -> Vec<usize> {
        [&state[..], &[action]].concat()
    }
}

impl Subgames for CoinToss {
    fn entrance(&self, state: &Vec<usize>) -> Option<Entrance> {
        let [coin, 1] = state[..] else { return None };
        Some(Entrance { subgame: "play".into(), hands: [["heads", "tails"][coin].into(), String::new()] })
    }
}

/// Test 4: with ±½ for selling and ±1 at stake heads is guessed exactly ¼ of the time.
#[test]
fn test_4_coin_toss_guesses_heads_a_quarter_of_the_time() {
    let tree = Tree::compile(&CoinToss).unwrap();
    // The first player always plays; the second guesses heads.
    let mut probabilities = vec![0.0; tree.num_entries()];
    for infoset in tree.infosets() {
        let at = infoset.entries().start + usize::from(infoset.player() == Player::First);
        probabilities[at] = 1.0;
    }
    let strategy = Strategy::new(&tree, probabilities).unwrap();
    let found = subgames(&CoinToss, &tree, &strategy);
    let [subgame] = &found[..] else { panic!("there is one") };
    assert_eq!(subgame.hands(Player::First), ["heads", "tails"]);
    let guess = |formulation| {
        let resolving = Resolving { iterations: 20_000, ..Resolving::new(formulation) };
        // What selling is worth, times its chance.
        let resolved = resolving.solve(subgame, Player::Second, &[0.25, -0.25]).unwrap();
        resolved.strategy["guess"][0]
    };
    for formulation in [Formulation::Resolve, Formulation::Estimate, Formulation::MaxMargin] {
        let heads = guess(formulation);
        assert!((heads - 0.25).abs() < 1e-3, "{formulation:?}: {heads}");
    }
    // Without alternatives any guess is as good as another, and a half is found.
    assert!((guess(Formulation::Unsafe) - 0.5).abs() < 1e-3);
}

/// Rock, paper, scissors for twice as much if anybody shows scissors. The second player's choice is the subgame.
struct Scissors;

impl Game for Scissors {
    type State = Vec<usize>;
    type Infoset = &'static str;

    fn root(&self) -> Vec<usize> {
        Vec::new()
    }

    fn turn(&self, shown: &Vec<usize>) -> Turn<&'static str> {
        match shown[..] {
            [] => Turn::Decision { player: Player::First, infoset: "first", num_actions: 3 },
            [_] => Turn::Decision { player: Player::Second, infoset: "second", num_actions: 3 },
            [a, b, ..] => {
                let stake = if a == 2 || b == 2 { 2.0 } else { 1.0 };
                let won = stake * [0.0, 1.0, -1.0][(3 + a - b) % 3];
                Turn::Terminal([won, -won])
            }
        }
    }

    fn next(&self, shown: &Vec<usize>, action: usize) -> Vec<usize> {
        [&shown[..], &[action]].concat()
    }
}

impl Subgames for Scissors {
    fn entrance(&self, shown: &Vec<usize>) -> Option<Entrance> {
        (shown.len() == 1).then(|| Entrance { subgame: "answer".into(), hands: Default::default() })
    }
}

/// Test 5: 40/40/20 is found with three values at the leaves and not with one.
#[test]
fn test_5_one_value_at_leaves_is_too_few_and_three_are_enough() {
    let tree = Tree::compile(&Scissors).unwrap();
    let equilibrium = trained(&tree, 20_000);
    let expected = [0.4, 0.4, 0.2];
    let is_near =
        |found: &[f64]| found.iter().zip(expected).all(|(found, right)| (found - right).abs() < 5e-3);
    assert!(is_near(&probability_of(&tree, &equilibrium, "first")));
    let exact = Strategy::new(&tree, [expected, expected].concat()).unwrap();
    let answer = |action: usize| {
        let mut second = [0.0; 3];
        second[action] = 1.0;
        Strategy::new(&tree, [expected, second].concat()).unwrap()
    };
    let solve = |continuations: &[Strategy]| {
        let game = DepthLimited::new(&Scissors, &tree, Player::First, continuations);
        let limited = Tree::compile(&game).unwrap();
        let found = trained(&limited, 20_000);
        probability_of(&limited, &found, "first")
    };
    // Against the equilibrium every choice is worth 0, and nothing tells them apart.
    let one = solve(std::slice::from_ref(&exact));
    assert!(!is_near(&one), "{one:?}");
    let three = solve(&[answer(0), answer(1), answer(2)]);
    assert!(is_near(&three), "{three:?}");
    // The equilibrium itself as a fourth changes nothing.
    let four = solve(&[exact, answer(0), answer(1), answer(2)]);
    assert!(is_near(&four), "{four:?}");
}
