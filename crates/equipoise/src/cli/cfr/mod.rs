//! `equipoise cfr`.

mod plot;
mod report;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use equipoise::cfr::{Algorithm, AsymmetryReport, ToyGame, Trainer};
use equipoise_files::{FileKind, Outputs};

use super::atomic_file::AtomicFile;
use super::failure::Failure;
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer};
use super::watch::{catch_interrupts, is_interrupted};

/// Compare CFR algorithms on a small game with a known solution
///
/// Runs each algorithm and shows the exploitability of its average strategy at iterations that are evenly spaced on a
/// logarithmic scale: the mean of what both players could gain by a best response, in units of the game's ante. For
/// the asymmetric algorithms also the asymmetry α over the information sets and the two norms behind it.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CfrArgs {
    /// The game: kuhn or leduc
    #[arg(value_parser = str::parse::<ToyGame>)]
    game: ToyGame,

    /// An algorithm, such as dcfr, apdcfr+ or dcfr(1.5,0,2); may be given several times [default: dcfr]
    #[arg(long = "algorithm", value_name = "NAME", value_parser = str::parse::<Algorithm>)]
    algorithms: Vec<Algorithm>,

    /// How many iterations to run; in one, both players update once
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000), allow_negative_numbers = true)]
    iterations: u32,

    /// Write all rows to this CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw exploitability by iteration, both logarithmic, into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise cfr kuhn
  equipoise cfr leduc --algorithm apdcfr+ --algorithm dcfr --algorithm 'apcfr+(fixed 2)'
  equipoise cfr leduc --algorithm cfr+ --iterations 5000 --csv runs.csv --plot runs.svg

JSON: `game`, `iterations`, `equilibrium_ev` of the first player, `interrupted`, and in `runs` for each
algorithm its `algorithm` (with all parameters), `elapsed_s` and `points` with
  iteration, exploitability
  ev                       of the first player
  asymmetry                `mean`, `min`, `max`, `instant_norm`, `regret_norm`; null where there is none";

/// One algorithm's way through the game.
struct Run {
    algorithm: Algorithm,
    points: Vec<Point>,
    elapsed_s: f64,
}

/// Where a run stood after an iteration.
struct Point {
    iteration: u32,
    exploitability: f64,
    /// What the first player wins on average.
    ev: f64,
    asymmetry: Option<AsymmetryReport>,
}

impl CfrArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let files = Outputs::new().write_if("--csv", self.csv.as_deref(), FileKind::CSV);
        self.force.check(files.write_if("--plot", self.plot.as_deref(), FileKind::SVG))?;
        let svg = self.plot.as_deref().map(AtomicFile::create_svg).transpose()?;
        let csv = self.csv.as_deref().map(AtomicFile::create).transpose()?;
        catch_interrupts()?;
        let runs = self.train();
        for (file, text) in [(csv, report::csv(&runs)), (svg, plot::svg(self.game, &runs))] {
            if let Some(mut file) = file {
                file.write(&text)?;
                file.finish()?;
            }
        }
        if self.json.json {
            printer.json(&report::document(self.game, self.iterations, &runs))?;
        } else {
            let files = [&self.csv, &self.plot];
            let files: Vec<&Path> = files.into_iter().filter_map(Option::as_deref).collect();
            printer.text(&report::report(self.game, &runs, &files))?;
        }
        if is_interrupted() {
            return Err(Failure::Interrupted(self.cut_short(runs.len())));
        }
        Ok(())
    }

    fn algorithms(&self) -> Vec<Algorithm> {
        if self.algorithms.is_empty() { vec![Algorithm::default()] } else { self.algorithms.clone() }
    }

    /// What an interruption in the last of these runs has left out.
    fn cut_short(&self, num_runs: usize) -> String {
        let ending = "the rows end where the last run was stopped";
        let left: Vec<String> = self.algorithms().iter().skip(num_runs).map(ToString::to_string).collect();
        if left.is_empty() { ending.to_owned() } else { format!("{ending}; not run: {}", left.join(", ")) }
    }

    fn train(&self) -> Vec<Run> {
        let tree = self.game.tree();
        let checks = log_spaced(self.iterations);
        let mut runs = Vec::new();
        for algorithm in self.algorithms() {
            let start = Instant::now();
            let mut trainer = Trainer::new(&tree, algorithm);
            let mut points = Vec::new();
            trainer.run(self.iterations, |trainer| {
                let stop = is_interrupted();
                if stop || checks.binary_search(&trainer.iterations()).is_ok() {
                    let average = trainer.average_strategy();
                    points.push(Point {
                        iteration: trainer.iterations(),
                        exploitability: tree.exploitability(&average),
                        ev: tree.evs(&average)[0],
                        asymmetry: trainer.asymmetry(),
                    });
                }
                if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            runs.push(Run { algorithm, points, elapsed_s: start.elapsed().as_secs_f64() });
            if is_interrupted() {
                break;
            }
        }
        runs
    }
}

/// 1, 2, 5, 10, 20, 50 … and the last.
fn log_spaced(last: u32) -> Vec<u32> {
    let decades = (0..10).map(|power| 10_u64.pow(power));
    let steps = decades.flat_map(|ten| [ten, 2 * ten, 5 * ten]);
    let mut checks: Vec<u32> =
        steps.map_while(|step| u32::try_from(step).ok().filter(|&s| s < last)).collect();
    checks.push(last);
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_log_spaced_and_end_with_the_last() {
        assert_eq!(log_spaced(1), [1]);
        assert_eq!(log_spaced(10), [1, 2, 5, 10]);
        assert_eq!(log_spaced(120), [1, 2, 5, 10, 20, 50, 100, 120]);
    }
}
