//! `equipoise bench`.

mod bandwidth;
mod document;
mod measure;
mod peak;
mod report;
mod scaling;
mod spots;
mod stage;

use std::num::NonZeroUsize;
use std::thread;

use clap::Args;
use equipoise::postflop::Solver;
use equipoise::spot_file::Problem;

use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer};
use super::shipped::ShippedSpot;
use super::table::bytes;
use super::watch::catch_interrupts;
use equipoise::documents::command::BenchDocument;
use equipoise_run::memory::available;
use measure::Effort;
use stage::Stage;

/// Measure how fast spots that ship with the program are solved here
///
/// For each spot: the time of an iteration without checks (over ten seconds, the median and the best of chunks of
/// 20 ms: on a machine with neighbours the best is what it takes without them), the time and the iterations to
/// 0.5 % and to 0.1 % of the pot with the checks of exploitability that this takes, the set-up before the first
/// iteration, the solver's memory, and the peak of a process that solves this spot and nothing else.
///
/// The bandwidth is what an iteration moves of the tables of regrets and average strategies, over its time: each player
/// reads and writes its regrets once, and the opponent's pass reads them again and reads and writes the averages, so
/// with numbers of one width it is 5/2 of the tables. Beside it stands the share of what this machine can read,
/// measured by adding up a buffer much larger than its caches on all threads; tables that fit the caches can exceed it.
///
/// Then a turn spot with one, two and three bet sizes, to show how time grows with the tree. All of it takes three
/// minutes on two cores and 650 MiB. Results are worth keeping only if nothing else runs.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// A spot to measure; may be given several times [default: all]
    #[arg(long = "spot", value_name = "NAME", value_enum)]
    spots: Vec<ShippedSpot>,

    /// Fewer repetitions, and no flop unless it is given: for an estimate rather than a record
    #[arg(long)]
    quick: bool,

    /// Threads to use [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Solve this spot only so far that all memory is in use, and print the peak of this process in bytes
    #[arg(long, value_name = "NAME", value_enum, hide = true)]
    peak_of: Option<ShippedSpot>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise bench
  equipoise bench --quick
  equipoise bench --spot turn-std --threads 1
  equipoise bench --spot river-std --spot turn-std --json

JSON: `threads`, `algorithm`, `quick`, `interrupted`, `read_bandwidth_gb_s` (of this machine), and
  spots        `spot`, `algorithm`, `entries` (actions of combos), `set_up_s`, `iteration_s` (the median),
               `least_iteration_s` (of the best chunk), `targets`, `memory_bytes`,
               `peak_bytes` (null where the system does not say),
               `bytes_per_iteration` and `bandwidth_gb_s`
  targets      `target_pct` of the pot, `converged`, `iterations`, `elapsed_s`
  scaling      `bet_sizes`, `entries`, `iteration_s`, `ns_per_entry`";

impl BenchArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let machine = Machine::new(self.threads, self.quick);
        if let Some(spot) = self.peak_of {
            return peak::print(spot, &machine, printer);
        }
        let spots = self.chosen();
        machine.check_room(&spots)?;
        catch_interrupts()?;
        let stage = Stage::start()?;
        let mut document = document::empty(machine.num_threads.get(), self.quick);
        let outcome = measure_all(&machine, &spots, &stage, &mut document);
        stage.finish();
        document.interrupted = matches!(outcome, Err(Failure::Interrupted(_)));
        if outcome.is_ok() || document.interrupted {
            if self.json.json {
                printer.json(&document)?;
            } else {
                printer.text(&report::report(&document))?;
            }
        }
        outcome
    }

    /// The spots given, or else all, without the flops if it must be quick. Each once, smallest first.
    fn chosen(&self) -> Vec<ShippedSpot> {
        if self.spots.is_empty() {
            return ShippedSpot::ALL.into_iter().filter(|spot| !(self.quick && spot.is_flop())).collect();
        }
        let mut spots = self.spots.clone();
        spots.sort_unstable();
        spots.dedup();
        spots
    }
}

/// Fills the document in as it goes, so that an interruption leaves what has been measured.
fn measure_all(
    machine: &Machine,
    spots: &[ShippedSpot],
    stage: &Stage,
    document: &mut BenchDocument,
) -> Result<(), Failure> {
    stage.name("the machine's read bandwidth");
    document.read_bandwidth_gb_s = bandwidth::read_gb_s(machine.num_threads.get(), &machine.effort);
    for &spot in spots {
        document.spots.push(spots::measure(spot, machine, stage)?);
    }
    if spots.contains(&ShippedSpot::TurnStd) {
        scaling::measure(machine, stage, &mut document.scaling)?;
    }
    Ok(())
}

/// With what is measured, and how thoroughly.
struct Machine {
    num_threads: NonZeroUsize,
    effort: Effort,
}

impl Machine {
    fn new(threads: Option<u16>, quick: bool) -> Machine {
        let given = threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        let offered = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let effort = if quick { Effort::QUICK } else { Effort::FULL };
        Machine { num_threads: given.unwrap_or_else(offered), effort }
    }

    /// A shipped spot, to be solved on these threads.
    fn problem(&self, spot: ShippedSpot) -> Result<Problem, BadInput> {
        let mut problem = spot.problem()?;
        problem.options.threads = Some(self.num_threads);
        Ok(problem)
    }

    /// Says before the first minute has passed that a spot will not fit.
    fn check_room(&self, spots: &[ShippedSpot]) -> Result<(), Failure> {
        let Some(limit) = available() else { return Ok(()) };
        for &spot in spots {
            let problem = self.problem(spot)?;
            let needed = Solver::memory(&problem.spot, &problem.options).total();
            if needed > limit {
                let message = format!("{spot} takes {}, and {} are left", bytes(needed), bytes(limit));
                return Err(BadInput::new(message)
                    .help("choose smaller ones, such as --spot turn-std")
                    .into());
            }
        }
        Ok(())
    }
}
