//! `equipoise resume`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use equipoise::postflop::{Contents, Reader, ResumeError};
use equipoise::run::memory::{self, MemorySize};
use equipoise::run::{Run, RunError};
use equipoise::solution_file;
use equipoise::spot_file::Problem;
use equipoise_files::{FileKind, Outputs};

use super::amounts::UnitArg;
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer};
use super::saved::bad_file;
use super::solve::{CheckpointArg, Keep, PreparedSolve, Saving, target};
use super::table::counted;

/// Resume a solve where it stopped
///
/// The file is one that `equipoise solve -o FILE --save resumable` has written, or one of a solve that was interrupted.
/// The next iteration is the one that would have come: the answer is the same as if the solve had never stopped. The file
/// is replaced at checkpoints and when the solve stops, and only by one that is complete.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ResumeArgs {
    /// The file
    #[arg(value_name = "FILE.EQP")]
    file: PathBuf,

    /// Stop at this exploitability, in percent of the starting pot [default: the file's]
    #[arg(long, value_name = "PCT", value_parser = target, allow_negative_numbers = true)]
    target: Option<f64>,

    /// Stop after at most N iterations, those of the file included [default: the spot's maximum more than the file has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    max_iterations: Option<u32>,

    /// Threads to use; the answer does not depend on it [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Memory limit, such as 8G [default: the available memory]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<MemorySize>, allow_hyphen_values = true)]
    memory_limit: Option<MemorySize>,

    /// Write a row for each check of exploitability to this CSV file
    #[arg(long, value_name = "FILE")]
    metrics: Option<PathBuf>,

    /// Save to this file instead of the resumed one
    #[arg(short, long, value_name = "FILE.EQP")]
    output: Option<PathBuf>,

    /// Contents of the file
    #[arg(long, value_name = "WHAT", default_value = "resumable")]
    save: Keep,

    #[command(flatten)]
    checkpoint: CheckpointArg,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise solve spot.toml -o spot.eqp --save resumable
  equipoise resume spot.eqp --target 0.05
  equipoise resume spot.eqp --max-iterations 2000 -o finer.eqp --save full

JSON: as of `equipoise solve`.";

impl ResumeArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let path = self.output.clone().unwrap_or_else(|| self.file.clone());
        let files = Outputs::new().read("the solution", &self.file);
        let files = files.update_if("-o", self.output.as_deref(), solution_file::KIND);
        self.force.check(files.write_if("--metrics", self.metrics.as_deref(), FileKind::CSV))?;
        let (reader, header) = Reader::open(&self.file).map_err(|error| bad_file(&self.file, error))?;
        let mut problem = Problem::of_solution(reader.spot(), &header);
        drop(reader);
        if header.contents != Contents::Resumable {
            return Err(BadInput::new(format!("{} has no tables to resume from", self.file.display()))
                .help("save with `equipoise solve -o FILE.eqp --save resumable`")
                .into());
        }
        let options = &mut problem.options;
        options.target_pct = self.target.unwrap_or(header.target_pct);
        options.max_iterations = self.max_iterations.unwrap_or(header.iterations + options.max_iterations);
        options.threads = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        options.memory_limit = memory::limit(self.memory_limit);
        if options.max_iterations <= header.iterations {
            return Err(BadInput::new(format!(
                "the file has {} already, so --max-iterations {} leaves nothing to do",
                counted(header.iterations, "iteration"),
                options.max_iterations
            ))
            .help("give a larger number")
            .into());
        }
        let amounts = self.unit.amounts(problem.spot.tree(), &problem.text, 0.0)?;
        let saving = Saving { path, contents: self.save.into(), interval: self.checkpoint.interval() };
        let job = PreparedSolve {
            options: problem.options.clone(),
            run: Run::new(problem).resume(&self.file),
            saving: Some(saving),
            metrics: self.metrics.clone(),
            is_script: self.json.json,
            amounts,
        };
        let solved = job.solve(|run, watch| {
            run.begin_observed(watch).map_err(|error| match error {
                RunError::Resume(ResumeError::File(error)) => bad_file(&self.file, error),
                error if error.is_cancelled() => {
                    Failure::Interrupted(format!("{} is as it was", self.file.display()))
                }
                _ => Failure::Runtime(error.into()),
            })
        })?;
        solved.print(self.json.json, printer)
    }
}
