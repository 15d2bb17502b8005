//! Every algorithm on hold'em and on toy games.

use std::ops::ControlFlow;

use equipoise_cfr::{Algorithm, ToyGame, Trainer};
use equipoise_spots::shipped::ShippedText;

use crate::markdown::{Table, grouped};
use crate::timing;

/// In percent of the pot.
const TARGETS: [f64; 3] = [0.5, 0.1, 0.01];
/// A solve that has not reached its target by then is shown as having missed it.
const MAX_ITERATIONS: u32 = 10_000;
/// Parameters that papers use, beside the defaults.
const OTHERS: [&str; 2] = ["dcfr(1.5,0,2)", "dcfr(1.5,0,4)"];

/// The defaults, with `dcfr` first, and after it the `dcfr` of papers.
fn algorithms() -> anyhow::Result<Vec<(String, Algorithm)>> {
    let named = |algorithm: Algorithm| (algorithm.name().to_owned(), algorithm);
    let mut all = vec![named(Algorithm::default())];
    for text in OTHERS {
        all.push((text.to_owned(), text.parse()?));
    }
    let rest = Algorithm::all().into_iter().filter(|&algorithm| algorithm != Algorithm::default());
    all.extend(rest.map(named));
    Ok(all)
}

/// Iterations to each target on the river and the turn spot that ship with the program.
pub(super) fn holdem() -> anyhow::Result<String> {
    let spots = [("river", ShippedText::RIVER), ("turn", ShippedText::TURN)];
    let columns = spots.iter().flat_map(|(name, _)| TARGETS.map(|target| format!("{name} {target}")));
    let mut table = Table::new(&["algorithm".to_owned()].into_iter().chain(columns).collect::<Vec<_>>());
    let mut base: Vec<Option<u32>> = Vec::new();
    for (name, algorithm) in algorithms()? {
        let mut iterations = Vec::new();
        for (_, spot) in spots {
            for target in TARGETS {
                let mut problem = timing::problem(spot.toml)?;
                problem.options.algorithm = algorithm;
                problem.options.target_pct = target;
                problem.options.max_iterations = MAX_ITERATIONS;
                let mut solver = timing::solver(&problem)?;
                solver.run(&mut ());
                let reached = solver.check().pct_pot <= target;
                iterations.push(reached.then(|| solver.solution().iterations()));
            }
        }
        let is_base = base.is_empty();
        if is_base {
            base.clone_from(&iterations);
        }
        let cell = |(own, base): (&Option<u32>, &Option<u32>)| match (own, base) {
            (Some(own), _) if is_base => grouped((*own).into()),
            (Some(own), Some(base)) => {
                format!("{} ({:.2})", grouped((*own).into()), f64::from(*own) / f64::from(*base))
            }
            (Some(own), None) => grouped((*own).into()),
            (None, _) => "–".to_owned(),
        };
        let cells = iterations.iter().zip(&base).map(cell);
        table.row([format!("`{name}`")].into_iter().chain(cells));
    }
    Ok(table.finish())
}

/// Exploitability after each of these iterations, in ascending order.
fn exploitabilities(game: ToyGame, algorithm: Algorithm, iterations: &[u32]) -> Vec<f64> {
    let tree = game.tree();
    let mut trainer = Trainer::new(&tree, algorithm);
    let mut found = Vec::new();
    trainer.run(iterations.last().copied().unwrap_or_default(), |trainer| {
        if iterations.contains(&trainer.iterations()) {
            found.push(tree.exploitability(&trainer.average_strategy()));
        }
        ControlFlow::Continue(())
    });
    found
}

/// Exploitability on Kuhn and Leduc poker, in antes.
pub(super) fn toys() -> String {
    let games: [(&str, ToyGame, &[u32]); 2] =
        [("Kuhn", ToyGame::Kuhn, &[10, 100, 1000]), ("Leduc", ToyGame::Leduc, &[10, 100, 1000, 10_000])];
    let mut columns = vec!["algorithm".to_owned()];
    for (name, _, iterations) in games {
        columns.extend(iterations.iter().map(|count| format!("{name} {count}")));
    }
    let mut table = Table::new(&columns);
    for (name, algorithm) in algorithms().unwrap_or_default() {
        let mut row = vec![format!("`{name}`")];
        for (_, game, iterations) in games {
            let found = exploitabilities(game, algorithm, iterations);
            row.extend(found.into_iter().map(|value| format!("{value:.1e}")));
        }
        table.row(row);
    }
    table.finish()
}

/// Caps and fixed values of the asymmetry on Leduc poker, in antes.
pub(super) fn caps() -> anyhow::Result<String> {
    const ITERATIONS: [u32; 6] = [100, 200, 500, 1000, 2000, 5000];
    const SETTINGS: [&str; 7] = ["auto 2", "auto 5", "auto 9", "auto 20", "fixed 2", "fixed 5", "fixed 9"];
    let columns = ITERATIONS.iter().map(ToString::to_string);
    let mut table = Table::new(&["setting".to_owned()].into_iter().chain(columns).collect::<Vec<_>>());
    for name in ["apcfr+", "apdcfr+"] {
        for setting in SETTINGS {
            let text = format!("{name}({setting})");
            let found = exploitabilities(ToyGame::Leduc, text.parse()?, &ITERATIONS);
            let cells = found.into_iter().map(|value| format!("{value:.2e}"));
            table.row([format!("`{text}`")].into_iter().chain(cells));
        }
    }
    Ok(table.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_algorithm_is_the_measure_of_all_others() {
        let all = algorithms().unwrap();
        assert_eq!((all.len(), all[0].1), (14 + OTHERS.len(), Algorithm::default()));
    }

    #[test]
    fn known_exploitabilities() {
        let found = exploitabilities(ToyGame::Kuhn, "cfr".parse().unwrap(), &[10, 100]);
        assert_eq!(
            found.iter().map(|value| format!("{value:.1e}")).collect::<Vec<_>>(),
            ["6.9e-2", "8.2e-3"]
        );
    }
}
