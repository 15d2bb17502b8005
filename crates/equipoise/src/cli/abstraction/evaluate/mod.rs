//! `equipoise abstraction evaluate`.

mod document;
mod report;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use equipoise::abstraction::{CardAbstraction, StreetBuckets};
use equipoise::blueprint::bucketed::{
    BucketedError, BucketedOptions, BucketedProgress, BucketedSolver, Buckets, Chance, Measurement,
};
use equipoise::cards::Street;
use equipoise::cfr::Algorithm;
use equipoise::game::PerPlayer;
use equipoise::postflop::{self, Exploitability, Solver, Spot, StopReason};
use equipoise::progress::Observer;
use equipoise::spot_file::Problem;

use super::of_library;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer};
use crate::cli::solve::target;
use crate::cli::spot;
use crate::cli::watch::Watch;
use equipoise_run::memory::available;

/// Measure what playing by buckets loses against the real game
///
/// Solves a spot as two players see it who know their bucket and the betting and nothing else: not what they held on
/// the streets before, and not which cards fell. What they find is then lifted to every combo on every board, and the
/// best response to it, which sees all cards, is computed exactly. Beside it stands what the exact solver reaches in as
/// many iterations. More iterations need not help: the abstract game is solved ever better, not the real one. Ctrl-C
/// stops after the iteration under way and prints what has been found.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct EvaluateArgs {
    /// The folder that `build` made; files of the streets that are played are enough
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The spot, or - for standard input [default: the turn spot of `equipoise solve`]
    #[arg(long, value_name = "SPOT.TOML")]
    spot: Option<PathBuf>,

    /// Stop at this exploitability in the real game, in percent of the starting pot [default: 0]
    #[arg(long, value_name = "PCT", value_parser = target, allow_negative_numbers = true)]
    target: Option<f64>,

    /// Stop after at most N iterations [default: the file's, or 1000]
    #[arg(long, visible_alias = "iterations", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    max_iterations: Option<u32>,

    /// The algorithm, such as dcfr, cfr+ or dcfr(1.5,0,2), in place of the file's and its parameters
    #[arg(long, value_name = "NAME", value_parser = str::parse::<Algorithm>)]
    algorithm: Option<Algorithm>,

    /// Threads to use; the answer does not depend on it [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction evaluate buckets
  equipoise abstraction evaluate buckets --spot spot.toml --iterations 500 --json

JSON:
  exploitability           in the real game: `chips`, and `pct_pot` in percent of the starting pot
  players                  `oop` and `ip`: `ev` of the abstract strategies against each other,
                           `best_response` to the other's, and the `gain` by it, in chips
  streets                  `street`, `method`, `buckets`, and how many of them the ranges reach,
                           `met_by_oop` and `met_by_ip`
  checks                   `iteration` and `pct_pot` of every measurement
  exact                    the exact solver's `iterations` and `exploitability`
  iterations, elapsed_s, algorithm, board, stop_reason";

/// A street's buckets, and how many of them the ranges of OOP and IP reach.
struct StreetUse {
    street: Street,
    method: &'static str,
    buckets: u16,
    met: PerPlayer<usize>,
}

/// What an abstraction is worth on a spot.
struct Evaluation {
    problem: Problem,
    streets: Vec<StreetUse>,
    checks: Vec<Measurement>,
    measured: Measurement,
    stopped: StopReason,
    elapsed: Duration,
    exact: Exact,
}

/// What the exact solver reaches in as many iterations.
struct Exact {
    iterations: u32,
    exploitability: Exploitability,
}

impl EvaluateArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let mut problem = spot::load(self.spot.as_deref())?;
        self.override_options(&mut problem);
        let buckets = load(&self.folder, streets_of(&problem.spot))?;
        let evaluation = self.evaluate(problem, &buckets.iter().collect::<Vec<_>>())?;
        if self.json.json {
            printer.json(&document::document(&evaluation))?;
        } else {
            printer.text(&report::report(&evaluation, printer))?;
        }
        if evaluation.stopped == StopReason::Stopped {
            let iterations = evaluation.measured.iteration;
            return Err(Failure::Interrupted(format!(
                "the answer is from the {iterations} iterations done so far"
            )));
        }
        Ok(())
    }

    /// What the command line says stands over the file. The file's target is for an exact solve.
    fn override_options(&self, problem: &mut Problem) {
        let is_default = problem.options.algorithm
            == postflop::Options::for_street(problem.spot.board().street()).algorithm;
        let options = &mut problem.options;
        // Solving in buckets does not look ahead, which the default for flops does.
        let unless_named =
            if is_default { options.algorithm.without_look_ahead() } else { options.algorithm };
        options.algorithm = self.algorithm.unwrap_or(unless_named);
        options.target_pct = self.target.unwrap_or(0.0);
        options.max_iterations = self.max_iterations.unwrap_or(options.max_iterations);
        options.threads = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        options.memory_limit = available();
    }

    fn evaluate(&self, problem: Problem, buckets: &[&StreetBuckets]) -> Result<Evaluation, Failure> {
        let mut watch = Watch::start()?;
        let mut solver = new_solver(&problem, &buckets)?;
        let mut checks = Vec::new();
        let stopped = solver.run(&mut |progress: &BucketedProgress| {
            checks.extend(progress.measured);
            watch.progress(&(f64::from(progress.iteration) / f64::from(progress.max_iterations)))
        });
        let stopped = stopped.map_err(refused)?;
        let last = checks.last().copied().filter(|last: &Measurement| last.iteration == solver.iterations());
        let measured = match last {
            Some(last) => last,
            None => solver.measure().map_err(refused)?,
        };
        let exact = exact(&problem, solver.iterations())?;
        watch.finish();
        let use_of = |buckets: &&StreetBuckets| StreetUse {
            street: buckets.street(),
            method: buckets.config().method.key(),
            buckets: buckets.num_buckets(),
            met: PerPlayer::from_fn(|player| solver.num_buckets(buckets.street(), player)),
        };
        let streets = buckets.iter().map(use_of).collect();
        Ok(Evaluation { problem, streets, checks, measured, stopped, elapsed: solver.elapsed(), exact })
    }
}

/// The streets whose buckets a spot needs.
fn streets_of(spot: &Spot) -> &'static [Street] {
    match spot.board().street() {
        Street::River => &[Street::River],
        Street::Turn => &[Street::Turn, Street::River],
        _ => &[Street::Flop, Street::Turn, Street::River],
    }
}

fn load(folder: &Path, streets: &[Street]) -> Result<Vec<StreetBuckets>, Failure> {
    let of_street = |&street: &Street| {
        let path = CardAbstraction::file(folder, street);
        let buckets = StreetBuckets::load(&path).map_err(|error| of_library(&error))?;
        if buckets.street() == street {
            return Ok(buckets);
        }
        let message =
            format!("{} holds buckets of the {}, not of the {street}", path.display(), buckets.street());
        Err(BadInput::new(message).help("the name of a file says its street: give it back its own").into())
    };
    streets.iter().map(of_street).collect()
}

fn new_solver<'a>(problem: &Problem, buckets: &'a dyn Buckets) -> Result<BucketedSolver<'a>, Failure> {
    let postflop::Options { algorithm, threads, target_pct, max_iterations, memory_limit, .. } =
        problem.options;
    let chance = Chance::Full;
    let options = BucketedOptions { algorithm, threads, target_pct, max_iterations, memory_limit, chance };
    BucketedSolver::new(&problem.spot, buckets, &options).map_err(refused)
}

/// What the exact solver reaches in this many iterations.
fn exact(problem: &Problem, iterations: u32) -> Result<Exact, Failure> {
    let mut solver = Solver::new(problem.spot.clone(), &problem.options)
        .map_err(|error| Failure::Runtime(anyhow!(error).context("cannot solve the spot exactly")))?;
    solver.iterate(iterations);
    Ok(Exact { iterations, exploitability: solver.check() })
}

/// Says what is wrong with a spot, and what to do.
fn refused(error: BucketedError) -> Failure {
    match error {
        BucketedError::Buckets(error) => of_library(&error),
        BucketedError::Threads { .. } => Failure::Runtime(anyhow!(error)),
        BucketedError::Locks => BadInput::new(error).help("take the locks out of the spot file").into(),
        _ => BadInput::new(error).into(),
    }
}
