//! `equipoise solve`.

mod document;
mod dry_run;
mod progress;
mod report;
mod rescue;
mod saving;
pub(in crate::cli) mod strategy_grid;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use equipoise::cfr::Algorithm;
use equipoise::documents::PlayerDocument;
use equipoise::documents::command::SavedDocument;
use equipoise::game::{BetSize, NodeId, PerPlayer, TreeNote, ValueUnit};
use equipoise::postflop::{
    Contents, Exploitability, NodeStrategy, Options, PlayerEv, Reader, Solution, SolveError, StopReason,
    Storage, WarmStart, WarmStartError,
};
use equipoise::run::memory::{self, MemorySize};
use equipoise::run::{Run, RunError, StartedRun};
use equipoise::solution_file;
use equipoise::spot_file::{LockText, Problem};
use equipoise_files::{FileKind, Outputs};

use super::amounts::{Amounts, UnitArg};
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer, note};
use super::saved::{bad_file, only_action};
use super::spot;
use super::table::counted;
use super::watch::catch_interrupts;
use progress::{Measured, SolveWatch};
use saving::NotSaved;

pub(crate) use saving::{CheckpointArg, Keep, Saving, goes_on};

/// Solve a postflop spot to equilibrium, exactly
///
/// The spot comes from a TOML file; without one, a turn spot that ships with the program is solved. Every combo and
/// every card that can come is solved as it is. The solver stops at the target or at the last iteration; a missed
/// target is no failure. Ctrl-C stops after the iteration under way, saves what has been found if there is a file
/// for it, and prints it.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct SolveArgs {
    /// The spot, or - for standard input; docs/configuration.md lists its keys
    #[arg(value_name = "SPOT.TOML")]
    spot: Option<PathBuf>,

    /// Stop at this exploitability, in percent of the starting pot [default: the file's, or 0.5]
    #[arg(long, value_name = "PCT", value_parser = target, allow_negative_numbers = true)]
    target: Option<f64>,

    /// Stop after at most N iterations [default: the file's, or 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    max_iterations: Option<u32>,

    /// The algorithm, such as dcfr, cfr+ or dcfr(1.5,0,2), in place of the file's and its parameters
    #[arg(long, value_name = "NAME", value_parser = str::parse::<Algorithm>)]
    algorithm: Option<Algorithm>,

    /// Threads to use; the answer does not depend on it [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Memory limit, such as 8G [default: the available memory]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<MemorySize>, allow_hyphen_values = true)]
    memory_limit: Option<MemorySize>,

    /// Write a row for each check of exploitability to this CSV file
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    metrics: Option<PathBuf>,

    /// Lock a decision, such as 'check => AQs = bet:120 @ 0.7, check @ 0.3'; may be given several times
    ///
    /// PATH => HANDS = ACTION @ FREQUENCY, ...: a path as of `equipoise show` (without cards it holds whatever card
    /// comes); a range, a hand category such as 'flush draw', or all; actions that are not written are not played.
    #[arg(long, value_name = "LOCK", value_parser = str::parse::<LockText>)]
    lock: Vec<LockText>,

    /// Start from this solution of the same board, and say what each player gains; without SPOT.TOML its spot is solved
    ///
    /// Bets, lines, ranges and locks may differ. If the file was saved with --save resumable, the solve begins with its
    /// regrets, which makes it shorter the more alike the spots are (docs/warm-start.md); otherwise it starts cold.
    #[arg(long, value_name = "FILE.EQP", conflicts_with = "dry_run")]
    from: Option<PathBuf>,

    /// Save the solution to this file, for `equipoise show` and others
    #[arg(short, long, value_name = "FILE.EQP")]
    output: Option<PathBuf>,

    /// Contents of the file
    #[arg(long, value_name = "WHAT", default_value = "full", requires = "output")]
    save: Keep,

    #[command(flatten)]
    checkpoint: CheckpointArg,

    /// Show the size of the tree, the memory of every storage mode, the size of files against the room for them and an
    /// estimate of the time, and solve nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise solve
  equipoise solve spot.toml --target 0.1
  equipoise solve spot.toml --dry-run
  equipoise solve spot.toml --algorithm 'dcfr(1.5,0,2)' --max-iterations 500 --metrics checks.csv
  equipoise solve spot.toml --memory-limit 8G --threads 2 --json
  equipoise solve spot.toml -o spot.eqp
  equipoise solve spot.toml -o spot.eqp --save resumable
  equipoise solve --from spot.eqp --lock 'check => all = check @ 1' -o never-bets.eqp
  equipoise solve more-bets.toml --from spot.eqp

JSON:
  schema_version           1; within a version the document only grows
  converged                whether the target was reached
  stop_reason              `converged`, `max_iterations`, `stalled` or `interrupted`
  exploitability           `chips`, and `pct_pot` in percent of the starting pot; of a spot for prizes
                           ε: `prizes`, `pct_pot` of what the pot is worth, and the `gains` of both
  unit                     of EVs: chips or prizes
  iterations, elapsed_s    both players updated once; seconds of iterations and checks
  memory_bytes, algorithm  bytes in use; the name with all parameters
  storage                  what regrets and strategies are stored in, in words
  asymmetry                at the last check: `mean`, `min`, `max`, and where it is measured the norms
                           `total_instant_norm`, `total_regret_norm`; null for algorithms without
  players                  `oop` and `ip`: `combos`, `weighted_combos`, `equity` (a fraction of 1),
                           `ev` (chips received less chips invested), `eqr` = ev/(equity*pot)
  root                     `player`, and `actions` with `name`, `kind`, `chips` (the street's total
                           after the action) and `frequency` (a fraction of 1)
  from                     with --from: its `path`, of `oop` and `ip` `ev` there and `gain` in chips, and
                           `warm_start`: the tree's `decisions` and how many of them were `known`,
                           null if the solve started cold
  saved                    with -o: `path`, `bytes`, `elapsed_s` and `contents` of the file
  not_saved                if that failed (exit code 1): `path`, `message`, `contents`, `bytes` that
                           it takes, `room_bytes` there are, in `less` `contents`, `bytes` and
                           `fits` of what keeps less, and `held_iterations` of the checkpoint
                           that the file holds";

pub(crate) fn target(text: &str) -> Result<f64, &'static str> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("a target is 0 or more, in percent of the starting pot, such as 0.1"),
    }
}

/// Says what the author of the spot may not have meant. That `e` and `a` come to what another size does is what they are
/// for, so only a dry run says so.
fn warn(problem: &Problem) {
    let is_meant = |note: &&TreeNote| {
        matches!(note, TreeNote::Collapsed { size: BetSize::Geometric { .. } | BetSize::AllIn, .. })
    };
    problem.spot.tree().notes().iter().filter(|note| !is_meant(note)).for_each(note);
}

/// What a solve has found, ready to be shown.
pub(crate) struct Solved {
    solution: Solution,
    exploitability: Exploitability,
    evs: PerPlayer<PlayerEv>,
    /// Absent if nobody acts at the root.
    root: Option<NodeStrategy>,
    /// The first decision with a choice, if that is not the root.
    first: Option<(NodeId, NodeStrategy)>,
    amounts: Amounts,
    target_pct: f64,
    storage: Storage,
    stopped: StopReason,
    set_up: Duration,
    /// At the last check.
    asymmetry: Option<Measured>,
    saved: Option<SavedDocument>,
    not_saved: Option<NotSaved>,
    /// Why the rows of `--metrics` are not there.
    no_metrics: Option<Failure>,
    before: Option<Before>,
}

/// The solution that this one is compared with.
#[derive(Clone)]
struct Before {
    path: PathBuf,
    /// At the root, in chips.
    evs: PerPlayer<f64>,
    /// What the solve could begin with.
    start: Option<WarmStart>,
}

impl Before {
    /// Notes what the solve begins with, or says why with nothing.
    fn note_start(&mut self, start: Result<WarmStart, WarmStartError>) -> Result<(), Failure> {
        match start {
            Ok(start) => self.start = Some(start),
            Err(WarmStartError::NoTables { .. }) => note(format!(
                "{} has no regrets to start from, so the solve starts cold; --save resumable saves them",
                self.path.display()
            )),
            Err(WarmStartError::File(error)) => return Err(bad_file(&self.path, error)),
            Err(error) => return Err(BadInput::new(error).into()),
        }
        Ok(())
    }
}

/// A solve that is ready to begin, or to be resumed.
pub(crate) struct PreparedSolve {
    pub(crate) run: Run,
    pub(crate) options: Options,
    pub(crate) saving: Option<Saving>,
    pub(crate) metrics: Option<PathBuf>,
    /// Whether a script reads what is printed.
    pub(crate) is_script: bool,
    pub(crate) amounts: Amounts,
}

impl SolveArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let files = Outputs::new()
            .read_if("the spot file", self.spot.as_deref())
            .read_if("the solution of --from", self.from.as_deref())
            .write_if("-o", self.output.as_deref(), solution_file::KIND)
            .write_if("--metrics", self.metrics.as_deref(), FileKind::CSV);
        self.force.check(files)?;
        let (mut problem, mut before) = self.problem()?;
        let limit = memory::limit(self.memory_limit);
        if self.dry_run {
            let output = self.output.as_deref().unwrap_or(Path::new("x.eqp"));
            return dry_run::run(&problem, limit, output, self.json.json, printer);
        }
        let amounts = self.unit.amounts(problem.spot.tree(), &problem.text, 0.0)?;
        problem.options.memory_limit = limit;
        warn(&problem);
        let saving = self.output.as_ref().map(|path| Saving {
            path: path.clone(),
            contents: self.save.into(),
            interval: self.checkpoint.interval(),
        });
        let options = problem.options.clone();
        let mut run = Run::new(problem);
        if let Some(before) = &before {
            run = run.warm_start(&before.path);
        }
        let (metrics, is_script) = (self.metrics.clone(), self.json.json);
        let job = PreparedSolve { run, options, saving, metrics, is_script, amounts };
        let mut solved = job.solve(|run, watch| {
            let mut started = run.begin_observed(watch).map_err(refused)?;
            if let (Some(before), Some(start)) = (&mut before, started.take_warm_start()) {
                before.note_start(start)?;
            }
            Ok(started)
        })?;
        solved.before = before;
        solved.print(self.json.json, printer)
    }

    /// The file's problem, the old solution's or the shipped one; what the command line says stands over the file.
    fn problem(&self) -> Result<(Problem, Option<Before>), Failure> {
        let from = self.from.as_ref().map(|path| {
            let (reader, header) = Reader::open(path).map_err(|error| bad_file(path, error))?;
            let problem = Problem::of_solution(reader.spot(), &header);
            let evs = header.evs.map(|saved| saved.ev);
            let before = Before { path: path.clone(), evs, start: None };
            Ok::<_, Failure>((problem, before))
        });
        let (mut problem, before) = match (from.transpose()?, &self.spot) {
            (Some((problem, before)), None) => (problem, Some(before)),
            (from, spot) => (spot::load(spot.as_deref())?, from.map(|(_, before)| before)),
        };
        if !self.lock.is_empty() {
            problem = problem.with_locks(&self.lock).map_err(|error| {
                BadInput::new(error)
                    .help("--help explains locks; `equipoise tree` shows what is possible where")
            })?;
        }
        let options = &mut problem.options;
        options.algorithm = self.algorithm.unwrap_or(options.algorithm);
        options.target_pct = self.target.unwrap_or(options.target_pct);
        options.max_iterations = self.max_iterations.unwrap_or(options.max_iterations);
        options.threads = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        Ok((problem, before))
    }
}

/// Why a solve cannot begin, and what would help.
fn refused(error: RunError) -> Failure {
    match error {
        RunError::TooLarge(mut found) => {
            found.advice.push("fewer bet sizes or narrower ranges take less".to_owned());
            BadInput::new(&found).help(found.advice.join("; ")).into()
        }
        RunError::Solve(SolveError::Target { .. }) => BadInput::new(error).into(),
        error if error.is_cancelled() => Failure::Interrupted("nothing was found yet".to_owned()),
        _ => Failure::Runtime(error.into()),
    }
}

impl PreparedSolve {
    /// Solves, saving on the way and in the end; `begin` begins the run.
    pub(crate) fn solve(
        self,
        begin: impl FnOnce(Run, &mut SolveWatch) -> Result<StartedRun, Failure>,
    ) -> Result<Solved, Failure> {
        self.saving.as_ref().map_or(Ok(()), Saving::check)?;
        catch_interrupts()?;
        let mut watch = SolveWatch::start(self.metrics.as_deref())?;
        let began = Instant::now();
        let run = match &self.saving {
            Some(saving) => self.run.checkpoints(&saving.path, saving.interval),
            None => self.run,
        };
        let started = begin(run, &mut watch)?;
        let set_up = began.elapsed();
        if let Some(saving) = &self.saving {
            saving.announce(started.solution().spot(), &self.options, self.is_script);
        }
        let mut outcome = started.solve(&mut watch);
        let stopped = outcome.reason();
        let exploitability = outcome.conclude(&mut watch);
        let (asymmetry, no_metrics) = watch.finish();
        let (mut saved, mut not_saved) = (None, None);
        if let Some(saving) = &self.saving {
            let is_finished = stopped != StopReason::Stopped;
            let contents = if is_finished { saving.contents } else { Contents::Resumable };
            match saving.save(&mut outcome, contents, self.is_script) {
                Ok(done) => saved = Some(done),
                // What cannot be saved is shown all the same.
                Err(error) => not_saved = Some(*error),
            }
        }
        let mut solution = outcome.into_solution();
        let evs = solution.evs();
        let root = solution.strategy(solution.spot().tree().root(), &[]).ok();
        let first = first_choice(&solution);
        let amounts = self.amounts.known_to(exploitability.chips);
        let Options { target_pct, storage, .. } = self.options;
        Ok(Solved {
            solution,
            exploitability,
            evs,
            root,
            first,
            amounts,
            target_pct,
            storage,
            stopped,
            set_up,
            asymmetry,
            saved,
            not_saved,
            no_metrics,
            before: None,
        })
    }
}

/// The first decision with a choice below a root that has none.
fn first_choice(solution: &Solution) -> Option<(NodeId, NodeStrategy)> {
    let tree = solution.spot().tree();
    let mut node = tree.root();
    loop {
        let found = solution.strategy(node, &[]).ok()?;
        match only_action(&found.frequencies()) {
            None => return (node != tree.root()).then_some((node, found)),
            Some(action) => node = tree.actions(node).nth(action)?.1,
        }
    }
}

impl Solved {
    /// Shows everything; what could not be saved is a failure, and an interrupted solve an interruption.
    pub(crate) fn print(self, json: bool, printer: &Printer) -> Result<(), Failure> {
        if json {
            printer.json(&document::document(&self))?;
        } else {
            printer.text(&report::report(&self, printer))?;
        }
        let iterations = counted(self.solution.iterations(), "iteration");
        let is_interrupted = self.stopped == StopReason::Stopped;
        if let Some(not_saved) = &self.not_saved {
            if let Some(failure) = &self.no_metrics {
                failure.report(json);
            }
            let after =
                if is_interrupted { format!("interrupted after {iterations}; ") } else { String::new() };
            return Err(Failure::Runtime(anyhow!("{after}{}", not_saved.words())));
        }
        if let Some(failure) = self.no_metrics {
            return Err(failure);
        }
        if !is_interrupted {
            return Ok(());
        }
        Err(Failure::Interrupted(match &self.saved {
            Some(saved) => {
                format!("what {iterations} found is in {0}; `equipoise resume {0}` continues", saved.path)
            }
            None => {
                format!("the answer is what {iterations} found; with -o FILE.eqp it would have been saved")
            }
        }))
    }

    /// Why the solve ended, as scripts read it.
    fn stop_reason(&self) -> &'static str {
        match self.stopped {
            StopReason::Stopped => "interrupted",
            reason => reason.key(),
        }
    }

    /// Both players at the root.
    fn players(&self) -> PerPlayer<PlayerDocument> {
        let spot = self.solution.spot();
        self.evs.as_ref().map(|ev| {
            let eqr = ev.mean / (ev.equity * spot.pot());
            let is_defined = eqr.is_finite() && spot.tree().unit() == ValueUnit::Chips;
            PlayerDocument {
                combos: spot.num_combos(ev.player),
                weighted_combos: spot.ranges()[ev.player].total_weight(),
                equity: Some(ev.equity),
                ev: Some(ev.mean),
                eqr: is_defined.then_some(eqr),
            }
        })
    }
}
