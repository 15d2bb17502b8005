//! What each algorithm costs on hold'em, for `docs/benchmarks.md`.

use equipoise_cfr::Algorithm;
use equipoise_spots::shipped::ShippedText;

use crate::measure::human;
use crate::timing::{self, Reached};

/// In percent of the pot.
const TARGETS: [f64; 2] = [0.5, 0.1];
/// A solve that has not reached its target by then is shown as having missed it.
const MAX_ITERATIONS: u32 = 10_000;

/// Times of every algorithm on the river and the turn spot, each relative to `dcfr`.
pub(crate) fn section() -> anyhow::Result<String> {
    let mut text = String::new();
    for spot in [ShippedText::RIVER, ShippedText::TURN] {
        text.push_str(&format!(
            "\nAlgorithms on {}; in brackets: times as much as `dcfr`. [algorithms.md](algorithms.md) says what follows \
             from it.\n\n\
             | algorithm | per iteration | iterations to 0.5 % | time | iterations to 0.1 % | time |\n\
             | --- | --- | --- | --- | --- | --- |\n",
            spot.name
        ));
        let others = Algorithm::all().into_iter().filter(|&algorithm| algorithm != Algorithm::default());
        let mut base = None;
        for algorithm in std::iter::once(Algorithm::default()).chain(others) {
            let mut problem = timing::problem(spot.toml)?;
            problem.options.algorithm = algorithm;
            problem.options.max_iterations = MAX_ITERATIONS;
            let mut reached = Vec::new();
            for target in TARGETS {
                problem.options.target_pct = target;
                reached.push(timing::solve(&problem)?);
            }
            let iteration_s = timing::seconds_per_iteration(&problem)?;
            let base: &Vec<Reached> = base.get_or_insert_with(|| reached.clone());
            let cells: String = reached.iter().zip(base).map(|(own, base)| versus(own, base)).collect();
            text.push_str(&format!("| `{algorithm}` | {} |{cells}\n", human(iteration_s)));
        }
    }
    Ok(text)
}

/// Iterations and time to a target, each with how many times as much as `dcfr` it is.
fn versus(own: &Reached, base: &Reached) -> String {
    if !own.converged {
        return format!(" not in {} | – |", own.iterations);
    }
    let ratio = |own: f64, of_base: f64| {
        if base.converged { format!(" ({:.2})", own / of_base) } else { String::new() }
    };
    format!(
        " {}{} | {}{} |",
        own.iterations,
        ratio(own.iterations.into(), base.iterations.into()),
        human(own.elapsed_s),
        ratio(own.elapsed_s, base.elapsed_s)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_need_both_to_converge() {
        let base = Reached { converged: true, iterations: 100, elapsed_s: 2.0 };
        let own = Reached { converged: true, iterations: 150, elapsed_s: 1.0 };
        assert_eq!(versus(&own, &base), " 150 (1.50) | 1.000 s (0.50) |");
        let missed = Reached { converged: false, iterations: 10_000, elapsed_s: 9.0 };
        assert_eq!(versus(&missed, &base), " not in 10000 | – |");
        assert_eq!(versus(&own, &missed), " 150 | 1.000 s |");
    }
}
