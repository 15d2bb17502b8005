//! Exploitability by iteration as an SVG picture, both axes logarithmic.

use equipoise::cfr::ToyGame;
use equipoise::export::svg::{Axis, Chart, page};

use super::Run;

pub(super) fn svg(game: ToyGame, runs: &[Run]) -> String {
    let points = || runs.iter().flat_map(|run| &run.points);
    let x = Axis::log("iterations", points().map(|point| f64::from(point.iteration)));
    let y = Axis::log("exploitability (antes)", points().map(|point| point.exploitability));
    let mut chart = Chart::new(format!("Convergence on {game}"), x, y);
    for run in runs {
        let points = run.points.iter().map(|point| (f64::from(point.iteration), point.exploitability));
        chart = chart.line(run.algorithm.to_string(), points);
    }
    page(&[chart])
}
