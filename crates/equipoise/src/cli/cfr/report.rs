//! What people and programs read of `equipoise cfr`.

use std::path::Path;

use equipoise::cfr::{AsymmetryReport, ToyGame};
use equipoise::documents::command::{CfrAsymmetry, CfrDocument, CfrPoint, CfrRun};

use super::{Point, Run};
use crate::cli::print::SCHEMA_VERSION;
use crate::cli::table::{Align, Table};

pub(super) fn document(game: ToyGame, iterations: u32, runs: &[Run]) -> CfrDocument {
    let of_point = |point: &Point| CfrPoint {
        iteration: point.iteration,
        exploitability: point.exploitability,
        ev: point.ev,
        asymmetry: point.asymmetry.map(|a| CfrAsymmetry {
            mean: a.mean,
            min: a.min,
            max: a.max,
            instant_norm: a.instant_norm,
            regret_norm: a.regret_norm,
        }),
    };
    let of_run = |run: &Run| CfrRun {
        algorithm: run.algorithm.to_string(),
        elapsed_s: run.elapsed_s,
        points: run.points.iter().map(of_point).collect(),
    };
    CfrDocument {
        schema_version: SCHEMA_VERSION,
        game: game.to_string(),
        iterations,
        equilibrium_ev: game.equilibrium_ev(),
        interrupted: crate::cli::watch::is_interrupted(),
        runs: runs.iter().map(of_run).collect(),
    }
}

pub(super) fn csv(runs: &[Run]) -> String {
    let mut text =
        "algorithm,iteration,exploitability,ev,alpha_mean,alpha_min,alpha_max,instant_norm,regret_norm\n"
            .to_owned();
    for run in runs {
        for point in &run.points {
            let asymmetry = point.asymmetry.map_or_else(
                || ",,,,".to_owned(),
                |a| format!("{},{},{},{},{}", a.mean, a.min, a.max, a.instant_norm, a.regret_norm),
            );
            // The names of algorithms have commas between their parameters.
            text.push_str(&format!(
                "\"{}\",{},{},{},{asymmetry}\n",
                run.algorithm, point.iteration, point.exploitability, point.ev
            ));
        }
    }
    text
}

pub(super) fn report(game: ToyGame, runs: &[Run], files: &[&Path]) -> String {
    let mut text = format!("  exploitability on {game}, in antes\n\n");
    text.push_str(&side_by_side(runs));
    for run in runs.iter().filter(|run| run.points.iter().any(|point| point.asymmetry.is_some())) {
        text.push_str(&format!("\n  asymmetry of {}\n", run.algorithm));
        text.push_str(&asymmetries(run));
    }
    text.push('\n');
    for run in runs {
        text.push_str(&format!("  {} took {:.3} s", run.algorithm, run.elapsed_s));
        if let Some(last) = run.points.last() {
            let value = game.equilibrium_ev();
            text.push_str(&format!(
                "; the first player's EV is {:.6} antes ({value:.6} in equilibrium)",
                last.ev
            ));
        }
        text.push('\n');
    }
    for file in files {
        text.push_str(&format!("  wrote {}\n", file.display()));
    }
    text
}

/// One row for each iteration, one column for each algorithm.
fn side_by_side(runs: &[Run]) -> String {
    let names: Vec<String> = runs.iter().map(|run| run.algorithm.to_string()).collect();
    let mut columns = vec![("iteration", Align::Right)];
    columns.extend(names.iter().map(|name| (name.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let mut iterations: Vec<u32> =
        runs.iter().flat_map(|run| run.points.iter().map(|point| point.iteration)).collect();
    iterations.sort_unstable();
    iterations.dedup();
    for iteration in iterations {
        let of_run = |run: &Run| {
            let point = run.points.iter().find(|point| point.iteration == iteration);
            point.map_or_else(|| "-".to_owned(), |point| format!("{:.6e}", point.exploitability))
        };
        table.row([iteration.to_string()].into_iter().chain(runs.iter().map(of_run)));
    }
    table.render()
}

fn asymmetries(run: &Run) -> String {
    let columns = ["iteration", "α mean", "α min", "α max", "‖Δr‖", "‖ΔR‖"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
    for point in &run.points {
        let Some(AsymmetryReport { mean, min, max, instant_norm, regret_norm }) = point.asymmetry else {
            continue;
        };
        let alphas = [mean, min, max].map(|alpha| format!("{alpha:.3}"));
        let norms = [instant_norm, regret_norm].map(|norm| format!("{norm:.3e}"));
        table.row([point.iteration.to_string()].into_iter().chain(alphas).chain(norms));
    }
    table.render()
}
