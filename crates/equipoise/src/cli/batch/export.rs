//! `equipoise batch export`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use equipoise::cards::Street;
use equipoise::documents::batch::BatchExportDocument;
use equipoise::export::{ExportError, ExportScope, SolutionTable, on_threads};
use equipoise::postflop::{ReadError, Reader};
use equipoise::progress::Part;
use equipoise_batch::{Folder, JobState, ListedJob};
use equipoise_files::FileKind;

use super::{bad_folder, inputs};
use crate::cli::atomic_file::AtomicFile;
use crate::cli::export::street;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::saved::bad_file;
use crate::cli::table::{bytes, duration, grouped};
use crate::cli::watch::Watch;

/// Write every decision of all solutions of a batch to one Parquet file
///
/// The columns of `equipoise export` (docs/exports.md), and before them which solution a row is of: `spot` and `flop`.
/// Solution after solution, in memory that does not grow; the bytes are the same at any number of threads.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ExportArgs {
    /// The folder of the batch
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The file to write
    #[arg(short, long, value_name = "FILE.PARQUET")]
    output: PathBuf,

    /// Only this spot of the plan
    #[arg(long, value_name = "NAME")]
    spot: Option<String>,

    /// The last street to write; those that solutions leave out are re-solved, which takes long [default: the last
    /// that they contain]
    #[arg(long, value_name = "STREET", value_parser = street)]
    until: Option<Street>,

    /// Threads to use [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch export folder -o decisions.parquet
  equipoise batch export folder --spot single-raise --until flop -o flops.parquet

How many flops each stands for is in `equipoise batch report folder --by flop --parquet flops.parquet`.

JSON: `file`, the numbers of `solutions`, `decisions` and `rows`, `bytes`, `elapsed_s`.";

impl ExportArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let folder = Folder::new(&self.folder);
        self.force.check(inputs(&folder).write("-o", &self.output, FileKind::PARQUET))?;
        let jobs = self.jobs(&folder)?;
        let mut file = AtomicFile::create(&self.output)?;
        let mut watch = Watch::start()?;
        let threads = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        let written = on_threads(threads, || {
            let mut table = SolutionTable::new(file.sink(), &["spot", "flop"], &[])?;
            for (at, job) in jobs.iter().enumerate() {
                let opened = Reader::open(&folder.solution_path(job.id));
                let (reader, ..) = opened.map_err(ReadError::from)?;
                let kept = [Street::River, Street::Turn, Street::Flop].into_iter().find(|&s| reader.has(s));
                let until = self.until.or(kept).unwrap_or(Street::River);
                let scope = ExportScope { until, ..ExportScope::whole(&reader) };
                let mut part = Part::of(&mut watch, at, jobs.len());
                table.add(&reader, &scope, &[&job.spot, &job.board], &mut part)?;
            }
            let decisions = table.num_decisions();
            Ok((decisions, table.finish()?.1))
        });
        watch.finish();
        let (decisions, written) = written.map_err(|error| match error {
            ExportError::Cancelled => Failure::Interrupted(format!(
                "{:.1} % of the batch was read, and the file was not kept",
                100.0 * watch.done()
            )),
            ExportError::Read(ReadError::File(error)) => bad_file(&self.folder, error),
            other => Failure::Runtime(other.into()),
        })?;
        file.finish()?;
        let elapsed = watch.elapsed();
        if self.json.json {
            return printer.json(&BatchExportDocument {
                schema_version: SCHEMA_VERSION,
                file: self.output.display().to_string(),
                solutions: jobs.len(),
                decisions,
                rows: written.num_rows,
                bytes: written.num_bytes,
                elapsed_s: elapsed.as_secs_f64(),
            });
        }
        printer.text(&format!(
            "  {} solutions, {} decisions, {} rows, {} in {}, written to {}\n",
            grouped(jobs.len() as u128),
            grouped(decisions.into()),
            grouped(written.num_rows.into()),
            bytes(written.num_bytes),
            duration(elapsed),
            self.output.display()
        ))
    }

    /// The jobs that are done and have a solution.
    fn jobs(&self, folder: &Folder) -> Result<Vec<ListedJob>, Failure> {
        let listing = folder.listing().map_err(bad_folder)?;
        let names = listing.spots();
        if let Some(name) = self.spot.as_deref().filter(|name| !names.contains(name)) {
            return Err(BadInput::new(format!("the batch has no spot '{name}'"))
                .help(format!("there are {}", names.join(", ")))
                .into());
        }
        let mut jobs = listing.jobs;
        jobs.retain(|job| self.spot.as_ref().is_none_or(|name| job.spot == *name));
        let planned = jobs.len();
        jobs.retain(|job| folder.state(job.id) == JobState::Done);
        if jobs.is_empty() {
            return Err(BadInput::new("no job is done yet")
                .help("`equipoise batch run plan.toml -o FOLDER` does them")
                .into());
        }
        if jobs.len() < planned {
            note(format!("{} of {planned} solutions are done", jobs.len()));
        }
        let has_solution = |job: &ListedJob| folder.summary(job.id).is_some_and(|found| found.file_bytes > 0);
        if !jobs.iter().all(has_solution) {
            return Err(BadInput::new("the batch has summaries and no solutions")
                .help("write save = \"no-turn\" or more into the plan, and run it again")
                .into());
        }
        Ok(jobs)
    }
}
