//! What must hold for every algorithm, name and strategy.

use std::ops::ControlFlow;

use equipoise_cfr::{
    Algorithm, Asymmetry, AsymmetryMode, Game, Kuhn, Options, Player, Scheme, Strategy as TreeStrategy,
    ToyGame, Trainer, Tree, Turn, algorithms,
};
use proptest::prelude::*;

fn algorithm(text: &str) -> Algorithm {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn trained<'t>(tree: &'t Tree, text: &str, num_iterations: u32) -> Trainer<&'t Tree, Algorithm> {
    let mut trainer = Trainer::new(tree, algorithm(text));
    trainer.run(num_iterations, |_| ControlFlow::Continue(()));
    trainer
}

fn bits(strategy: &TreeStrategy) -> Vec<u64> {
    strategy.probabilities().iter().map(|p| p.to_bits()).collect()
}

#[test]
fn a_fixed_asymmetry_of_2_is_the_simple_algorithm_to_the_last_bit() {
    for game in ToyGame::ALL {
        let tree = game.tree();
        for (general, simple) in [("apcfr+(fixed 2)", "sapcfr+"), ("apdcfr+(fixed 2)", "sapdcfr+")] {
            let (general, simple) = (trained(&tree, general, 200), trained(&tree, simple, 200));
            assert_eq!(bits(&general.average_strategy()), bits(&simple.average_strategy()));
            assert_eq!(bits(&general.current_strategy()), bits(&simple.current_strategy()));
            assert_eq!(general.asymmetry(), simple.asymmetry());
        }
    }
}

#[test]
fn linear_cfr_is_a_discounted_cfr() {
    let tree = ToyGame::Leduc.tree();
    let (lcfr, dcfr) = (trained(&tree, "lcfr", 50), trained(&tree, "dcfr(1,1,1)", 50));
    assert_eq!(bits(&lcfr.average_strategy()), bits(&dcfr.average_strategy()));
}

#[test]
fn equilibrium_values_to_five_digits() {
    for (game, text, num_iterations) in [(ToyGame::Kuhn, "pcfr+", 1000), (ToyGame::Leduc, "dcfr+", 4000)] {
        let tree = game.tree();
        let [first, second] = tree.evs(&trained(&tree, text, num_iterations).average_strategy());
        assert!((first - game.equilibrium_ev()).abs() < 1e-5, "{game}: {first}");
        assert!((first + second).abs() < 1e-12, "{game} is zero-sum");
    }
}

/// Rounding decides single rows of Kuhn for these two, not that they converge.
#[test]
fn measured_asymmetry_converges_on_kuhn() {
    let tree = ToyGame::Kuhn.tree();
    for text in ["apcfr+", "apdcfr+"] {
        let after = |n| tree.exploitability(&trained(&tree, text, n).average_strategy());
        let (early, late) = (after(50), after(1000));
        assert!(early < 2e-2 && late < 1e-3, "{text}: {early:e}, {late:e}");
    }
}

#[test]
fn every_algorithm_converges_on_leduc() {
    let tree = ToyGame::Leduc.tree();
    for algorithm in Algorithm::all() {
        let trainer = trained(&tree, &algorithm.to_string(), 200);
        let exploitability = tree.exploitability(&trainer.average_strategy());
        assert!(exploitability < 0.06, "{algorithm}: {exploitability}");
    }
}

/// With look-ahead too, although no proof of it is known.
#[test]
fn every_algorithm_converges_with_look_ahead() {
    for game in [ToyGame::Kuhn, ToyGame::Leduc] {
        let tree = game.tree();
        for algorithm in Algorithm::all() {
            let mut options = Options::default();
            options.look_ahead = Some(0.5);
            let ahead = algorithm.with_options(&options).unwrap();
            assert!(ahead.looks_ahead() && ahead.without_look_ahead() == algorithm);
            let trainer = trained(&tree, &ahead.to_string(), 200);
            let exploitability = tree.exploitability(&trainer.average_strategy());
            assert!(exploitability < 0.06, "{game:?} {ahead}: {exploitability}");
        }
    }
}

/// Two own decisions in a row, worked out by hand: the first sees what the second will be worth.
#[test]
fn look_ahead_passes_the_next_strategy_up() {
    let tree = Tree::compile(&TwoInARow).unwrap();
    let current = |text: &str| {
        let mut trainer = Trainer::new(&tree, algorithm(text));
        trainer.iterate();
        trainer.current_strategy().probabilities().to_vec()
    };
    // The second decision is worth 1/2 if it is uniform, and 1 with its next strategy. So passing it up is worth 1/2 or
    // 3/4 beside the first decision's other action, 5/8.
    assert_eq!(current("cfr"), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(current("cfr(look_ahead=0.5)"), [0.0, 1.0, 0.0, 1.0]);
}

/// Stop for 5/8, or go on and choose between 0 and 1.
struct TwoInARow;

impl Game for TwoInARow {
    type State = u8;
    type Infoset = u8;

    fn root(&self) -> u8 {
        0
    }

    fn turn(&self, state: &u8) -> Turn<u8> {
        match state {
            0 | 1 => Turn::Decision { player: Player::First, infoset: *state, num_actions: 2 },
            2 => Turn::Terminal([0.625, -0.625]),
            3 => Turn::Terminal([0.0, 0.0]),
            _ => Turn::Terminal([1.0, -1.0]),
        }
    }

    fn next(&self, state: &u8, action: usize) -> u8 {
        match (state, action) {
            (0, 0) => 2,
            (0, _) => 1,
            (_, action) => 3 + action as u8,
        }
    }
}

#[test]
fn asymmetry_reports() {
    let tree = ToyGame::Leduc.tree();
    assert_eq!(trained(&tree, "dcfr", 3).asymmetry(), None);
    for (text, cap) in [("apcfr+", 5.0), ("apdcfr+", 9.0), ("apcfr+(auto 1)", 1.0)] {
        let mut trainer = Trainer::new(&tree, algorithm(text));
        let before = trainer.asymmetry().unwrap();
        assert_eq!((before.mean, before.instant_norm, before.regret_norm), (0.0, 0.0, 0.0));
        trainer.run(20, |trainer| {
            let report = trainer.asymmetry().unwrap();
            assert!(0.0 <= report.min && report.min <= report.mean, "{text}: {report:?}");
            assert!(report.mean <= report.max && report.max <= cap, "{text}: {report:?}");
            assert!(report.instant_norm > 0.0 && report.regret_norm > 0.0, "{text}: {report:?}");
            ControlFlow::Continue(())
        });
    }
    let fixed = trained(&tree, "sapcfr+", 3).asymmetry().unwrap();
    assert_eq!((fixed.mean, fixed.min, fixed.max), (2.0, 2.0, 2.0));
}

#[test]
fn observers_stop_the_trainer() {
    let tree = ToyGame::Kuhn.tree();
    let mut trainer = Trainer::new(&tree, Algorithm::default());
    trainer.run(100, |trainer| {
        if trainer.iterations() == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(trainer.iterations(), 7);
}

#[test]
fn requirements_match_the_coefficients() {
    for algorithm in Algorithm::all() {
        let requirements = algorithm.requirements();
        let predicts = (1..50).any(|t| algorithm.coefficients(t).prediction.instant != 0.0);
        assert_eq!(requirements.last_instant, predicts, "{algorithm}");
        assert!(predicts || requirements.asymmetry.is_none(), "{algorithm}");
        assert_eq!(requirements.own_reach, algorithm.name() != "dcfr-reset", "{algorithm}");
    }
}

#[test]
fn options_override_and_are_refused() {
    let mut options = Options::default();
    options.asymmetry_mode = Some(AsymmetryMode::Fixed);
    options.asymmetry_alpha = Some(3.0);
    let text = |name: &str, options: &Options| algorithm(name).with_options(options).map(|a| a.to_string());
    assert_eq!(text("apcfr+", &options).unwrap(), "apcfr+(fixed 3,gamma=2)");
    assert_eq!(text("sapcfr+", &options).unwrap(), "sapcfr+(fixed 3,gamma=2)");
    assert!(text("dcfr", &options).is_err());

    let mut options = Options::default();
    options.asymmetry_mode = Some(AsymmetryMode::Auto);
    assert_eq!(text("apcfr+(fixed 3)", &options).unwrap(), "apcfr+(auto 5,gamma=2)");

    // Each key is an error for every algorithm that does not list it, and only for those.
    for algorithm in Algorithm::all() {
        for key in Options::KEYS {
            let mut options = Options::default();
            let text = match key {
                "asymmetry_mode" => "fixed",
                "look_ahead" => "0.5",
                _ => "7",
            };
            options.set(key, text).unwrap();
            if key == "asymmetry_alpha" {
                options.asymmetry_mode = Some(AsymmetryMode::Fixed);
            }
            let accepted = algorithm.with_options(&options).is_ok();
            assert_eq!(accepted, algorithm.keys().contains(&key), "{algorithm} {key}");
        }
    }
}

#[test]
fn types_convert_with_a_check() {
    let auto = |max| algorithms::ApcfrPlus { asymmetry: Asymmetry::Auto { max }, gamma: 2.0 };
    assert_eq!(Algorithm::try_from(auto(5.0)), Ok(algorithm("apcfr+")));
    assert!(Algorithm::try_from(auto(f64::INFINITY)).is_err());
    assert!(Algorithm::try_from(algorithms::HsDcfr { gamma: 30.0, horizon: 0 }).is_err());
}

/// The best of all 64 pure answers, by plain expected values.
fn best_pure_answer(tree: &Tree, player: Player, strategy: &TreeStrategy) -> f64 {
    let own: Vec<_> = tree.infosets().iter().filter(|infoset| infoset.player() == player).collect();
    let ev = |choices: usize| {
        let mut probabilities = strategy.probabilities().to_vec();
        for (i, infoset) in own.iter().enumerate() {
            let action = choices >> i & 1;
            probabilities[infoset.entries()].copy_from_slice(&[1.0 - action as f64, action as f64]);
        }
        tree.evs(&TreeStrategy::new(tree, probabilities).unwrap())[player.index()]
    };
    (0..1 << own.len()).map(ev).fold(f64::NEG_INFINITY, f64::max)
}

fn any_algorithm() -> impl Strategy<Value = Algorithm> {
    let number = || 0.0..20.0f64;
    (0..Algorithm::NAMES.len(), prop::collection::vec((0..Options::KEYS.len(), number()), 0..12)).prop_map(
        |(i, settings)| {
            let mut algorithm = Algorithm::all()[i];
            for (key, value) in settings {
                let text = match Options::KEYS[key] {
                    "asymmetry_mode" => if value < 10.0 { "auto" } else { "fixed" }.to_owned(),
                    "horizon" => format!("{}", value as u32 * 50 + 1),
                    _ => value.to_string(),
                };
                let mut options = Options::default();
                options.set(Options::KEYS[key], &text).unwrap();
                algorithm = algorithm.with_options(&options).unwrap_or(algorithm);
            }
            algorithm
        },
    )
}

proptest! {
    #[test]
    fn names_parse_back(algorithm in any_algorithm()) {
        let text = algorithm.to_string();
        prop_assert_eq!(text.parse::<Algorithm>(), Ok(algorithm));
        prop_assert_eq!(text.to_uppercase().parse::<Algorithm>(), Ok(algorithm));
        prop_assert_eq!(text.replace('-', "_").parse::<Algorithm>(), Ok(algorithm));
    }

    #[test]
    fn any_text_is_an_algorithm_or_an_error(text in "\\PC{0,40}") {
        if let Err(error) = text.parse::<Algorithm>() {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn near_names_are_algorithms_or_errors(
        text in "(h?s?-?[adps]{0,4}cfr(\\+|_plus)?)(\\([-+=a-z0-9., ]{0,20}\\)?)?"
    ) {
        if let Ok(algorithm) = text.parse::<Algorithm>() {
            prop_assert_eq!(algorithm.to_string().parse::<Algorithm>(), Ok(algorithm));
        }
    }

    #[test]
    fn coefficients_are_finite_and_factors_at_most_1(algorithm in any_algorithm(), t in 1..u32::MAX) {
        let c = algorithm.coefficients(t);
        for factor in [c.positive, c.negative, c.average] {
            prop_assert!((0.0..=1.0).contains(&factor), "{}", algorithm);
        }
        for weight in [c.instant, c.prediction.regret, c.prediction.instant] {
            prop_assert!(weight.is_finite() && weight >= 0.0, "{}", algorithm);
        }
    }

    #[test]
    fn best_responses_on_kuhn_are_the_best_pure_answers(shares in prop::collection::vec(0.0..=1.0f64, 12)) {
        let tree = Tree::compile(&Kuhn).unwrap();
        let probabilities = shares.iter().flat_map(|&share| [share, 1.0 - share]).collect();
        let strategy = TreeStrategy::new(&tree, probabilities).unwrap();
        for player in Player::ALL {
            let found = tree.best_response_ev(player, &strategy);
            prop_assert!((found - best_pure_answer(&tree, player, &strategy)).abs() < 1e-12);
        }
        prop_assert!(tree.exploitability(&strategy) >= -1e-12);
    }
}
