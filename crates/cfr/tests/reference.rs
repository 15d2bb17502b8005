//! Every algorithm against exploitabilities that two independent programs agree on.

use std::ops::ControlFlow;

use equipoise_cfr::{Algorithm, Scheme, ToyGame, Trainer, Tree};

/// Exploitability of the average strategy at 10, 20 and 50 iterations on Kuhn (unless rounding decides there)
/// and Leduc, and roughly at 1000 on Leduc, where rounding moves the answer by up to a factor of two.
struct Row {
    algorithm: &'static str,
    kuhn: Option<[f64; 3]>,
    leduc: [f64; 3],
    leduc_1000: Option<f64>,
}

const fn row(
    algorithm: &'static str,
    kuhn: Option<[f64; 3]>,
    leduc: [f64; 3],
    leduc_1000: Option<f64>,
) -> Row {
    Row { algorithm, kuhn, leduc, leduc_1000 }
}

#[rustfmt::skip]
const ROWS: [Row; 16] = [
    row("cfr", Some([6.8698794e-2, 4.0670198e-2, 1.5176602e-2]), [8.8857898e-1, 4.5314565e-1, 1.8908347e-1], Some(1.18e-2)),
    row("cfr+", Some([3.2687091e-2, 1.0108977e-2, 2.7972506e-3]), [6.1043890e-1, 1.7365537e-1, 3.4121456e-2], Some(2.6e-4)),
    row("lcfr", Some([2.1250731e-2, 1.0855000e-2, 2.3721075e-3]), [7.2106516e-1, 2.5597781e-1, 6.8995185e-2], Some(5.9e-3)),
    row("dcfr(1.5,0,2)", Some([2.2778784e-2, 1.1520633e-2, 3.1980042e-3]), [7.7880205e-1, 1.6679682e-1, 2.2921832e-2], Some(1.5e-4)),
    row("dcfr(1.5,0,4)", Some([2.2873576e-2, 1.5896811e-2, 5.7786294e-3]), [8.2648616e-1, 2.0321563e-1, 2.6064313e-2], None),
    row("dcfr(1.5,.5,2)", Some([2.8863729e-2, 1.7472168e-2, 5.0068029e-3]), [6.6208022e-1, 1.4119381e-1, 5.2307852e-2], None),
    row("dcfr+(+1)", Some([2.1314509e-2, 1.2503553e-2, 3.2887422e-3]), [5.7548157e-1, 1.3088303e-1, 4.6017579e-2], Some(1.7e-4)),
    row("dcfr+(+1.5)", Some([3.0819370e-2, 8.0446218e-3, 2.5757693e-3]), [7.8265844e-1, 1.2852342e-1, 3.0858233e-2], None),
    row("pcfr+", Some([2.0206572e-2, 2.6395911e-3, 1.8309174e-4]), [5.3684735e-1, 1.4650239e-1, 4.2315782e-2], Some(7.1e-4)),
    row("pdcfr+", Some([2.9481233e-2, 1.8360328e-3, 6.5395947e-6]), [6.2692939e-1, 1.5257662e-1, 4.2133967e-2], Some(9.0e-4)),
    row("apcfr+", None, [5.4772056e-1, 1.3799637e-1, 3.2863869e-2], Some(1.9e-4)),
    row("sapcfr+", Some([9.8919511e-3, 1.2643496e-3, 8.3105020e-5]), [5.4802386e-1, 1.4012268e-1, 3.4929400e-2], Some(1.9e-4)),
    row("apdcfr+", None, [6.2430887e-1, 2.4327812e-1, 5.2189881e-2], Some(2.2e-4)),
    row("sapdcfr+", Some([2.8302295e-2, 6.1230684e-3, 2.9561392e-3]), [6.0286605e-1, 1.7973988e-1, 7.7345806e-2], Some(2.6e-4)),
    row("hs-dcfr(30,1000)", Some([8.4439372e-2, 3.0090494e-2, 9.6157535e-3]), [1.1792938, 2.7440013e-1, 1.240475e-1], Some(7.0e-4)),
    row("hs-pcfr+(30,1000)", Some([1.1045741e-1, 5.4504411e-3, 5.0699796e-7]), [5.0260339e-1, 1.7819662e-1, 8.7314593e-2], Some(9.8e-4)),
];

/// Exploitability of the average strategy after each of these numbers of iterations.
fn exploitabilities(tree: &Tree, algorithm: &str, at: &[u32]) -> Vec<f64> {
    let algorithm: Algorithm = algorithm.parse().unwrap();
    let mut trainer = Trainer::new(tree, algorithm);
    let mut found = Vec::new();
    trainer.run(at.iter().copied().max().unwrap_or(0), |trainer| {
        if at.contains(&trainer.iterations()) {
            found.push(tree.exploitability(&trainer.average_strategy()));
        }
        ControlFlow::Continue(())
    });
    found
}

fn mismatches(tree: &Tree, algorithm: &str, expected: &[f64; 3]) -> Vec<String> {
    let found = exploitabilities(tree, algorithm, &[10, 20, 50]);
    let wrong =
        found.iter().zip(expected).filter(|(found, expected)| (*found / *expected - 1.0).abs() > 1e-5);
    wrong.map(|(found, expected)| format!("{algorithm}: {found:e}, not {expected:e}")).collect()
}

#[test]
fn uniform_strategies() {
    for (game, num_infosets, expected) in [(ToyGame::Kuhn, 12, 0.4583333), (ToyGame::Leduc, 936, 2.3736111)] {
        let tree = game.tree();
        assert_eq!(tree.infosets().len(), num_infosets);
        let exploitability = tree.exploitability(&tree.uniform_strategy());
        assert!((exploitability - expected).abs() < 1e-7, "{game}: {exploitability}");
    }
}

#[test]
fn kuhn_to_five_digits() {
    let tree = ToyGame::Kuhn.tree();
    let rows = ROWS.iter().filter_map(|row| row.kuhn.map(|expected| (row.algorithm, expected)));
    let wrong: Vec<String> =
        rows.flat_map(|(algorithm, expected)| mismatches(&tree, algorithm, &expected)).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn leduc_to_five_digits() {
    let tree = ToyGame::Leduc.tree();
    let wrong: Vec<String> =
        ROWS.iter().flat_map(|row| mismatches(&tree, row.algorithm, &row.leduc)).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn leduc_after_a_thousand_iterations() {
    let tree = ToyGame::Leduc.tree();
    for row in &ROWS {
        let Some(expected) = row.leduc_1000 else { continue };
        let found = exploitabilities(&tree, row.algorithm, &[1000])[0];
        assert!((0.5..=2.0).contains(&(found / expected)), "{}: {found:e}, not {expected:e}", row.algorithm);
    }
}

#[test]
fn the_schedule_with_resets() {
    let tree = ToyGame::Leduc.tree();
    let found = exploitabilities(&tree, "dcfr-reset", &[10, 100]);
    assert!((found[0] / 6.3194e-1 - 1.0).abs() < 1e-5, "{:e}", found[0]);
    assert!((found[1] / 1.12e-2 - 1.0).abs() < 5e-3, "{:e}", found[1]);
}

/// What the papers say about iteration t: factors of positive and negative regrets, weight of the instant regret,
/// clamp, the two weights under the next strategy's regret matching, exponent of the average's factor.
type Rule = fn(f64) -> (f64, f64, f64, bool, [f64; 2], f64);

fn d(x: f64, exponent: f64) -> f64 {
    x.powf(exponent) / (x.powf(exponent) + 1.0)
}

fn w(t: f64) -> f64 {
    20.0 * t.powf(1.5) / (500.0 + t.powf(1.5))
}

#[rustfmt::skip]
const RULES: [(&str, Rule); 14] = [
    ("cfr", |_| (1.0, 1.0, 1.0, false, [1.0, 0.0], 0.0)),
    ("cfr+", |_| (1.0, 1.0, 1.0, true, [1.0, 0.0], 1.0)),
    // Regrets divided by t.
    ("lcfr", |t| ((t - 1.0) / t, (t - 1.0) / t, 1.0, false, [1.0, 0.0], 1.0)),
    ("dcfr", |t| (d(t - 1.0, 1.35), d(t - 1.0, 0.25), 1.0, false, [1.0, 0.0], 4.0)),
    ("dcfr(1.5,0,2)", |t| (d(t - 1.0, 1.5), 0.5, 1.0, false, [1.0, 0.0], 2.0)),
    ("dcfr+", |t| (d(t - 1.0, 1.5), d(t - 1.0, 1.5), 1.0, true, [1.0, 0.0], 4.0)),
    ("pcfr+", |_| (1.0, 1.0, 1.0, true, [1.0, 1.0], 2.0)),
    ("pdcfr+", |t| (d(t - 1.0, 2.3), d(t - 1.0, 2.3), 1.0, true, [d(t, 2.3), 1.0], 5.0)),
    ("apcfr+", |_| (1.0, 1.0, 1.0, true, [1.0, 1.0], 2.0)),
    ("sapcfr+", |_| (1.0, 1.0, 1.0, true, [1.0, 1.0 / 3.0], 2.0)),
    ("apdcfr+", |t| (1.0, 1.0, w(t), true, [w(t + 1.0), 1.0], 2.5)),
    ("sapdcfr+", |t| (1.0, 1.0, w(t), true, [w(t + 1.0), 1.0 / 3.0], 2.5)),
    ("hs-dcfr(15,500)", |t| (d(t - 1.0, 1.0 + 3.0 * t / 500.0), d(t - 1.0, -1.0 - 2.0 * t / 500.0), 1.0, false, [1.0, 0.0], 15.0 - t / 100.0)),
    ("hs-pcfr+(15,500)", |t| (1.0, 1.0, 1.0, true, [1.0, 1.0], 15.0 - t / 100.0)),
];

#[test]
fn coefficients_are_the_papers() {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-14 * b.abs().max(1.0);
    for (text, rule) in RULES {
        let algorithm: Algorithm = text.parse().unwrap();
        for t in 2..=400u32 {
            let (positive, negative, instant, clamp, [regret, last], gamma) = rule(f64::from(t));
            let (now, next) = (algorithm.coefficients(t), algorithm.coefficients(t + 1).prediction);
            let average = (f64::from(t - 1) / f64::from(t)).powf(gamma);
            let same = near(now.positive, positive)
                && near(now.negative, negative)
                && near(now.instant, instant)
                && now.clamp == clamp
                && near(now.average, average)
                && near(next.regret, regret)
                && near(next.instant, last);
            assert!(same, "{text}, iteration {t}: {now:?}, then {next:?}");
        }
    }
}
