//! `equipoise batch status`.

use std::path::PathBuf;

use clap::Args;
use equipoise::documents::batch::{BatchStatusDocument, Impossible, JobStatus, Summary};
use equipoise_batch::{Folder, JobState, Listing};

use super::bad_folder;
use crate::cli::failure::Failure;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, bytes, grouped};

/// Say how far a batch is
///
/// May be asked at any time, also while jobs are running.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct StatusArgs {
    /// The folder of the batch
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// List every job
    #[arg(long)]
    jobs: bool,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch status folder
  equipoise batch status folder --jobs
  equipoise batch status folder --json | jq -r '.jobs[] | select(.state == \"failed\") | .reason'

JSON: `done`, `running`, `begun` (stopped on the way, to be resumed), `failed` and `waiting` jobs, and in
`jobs` the `id`, `spot`, `board`, `weight` and `state` of each, the `reason` of a failure, and of those that
are done `iterations`, `exploitability_pct`, `elapsed_s` and `file_bytes`.";

impl StatusArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let folder = Folder::new(&self.folder);
        let status = status_of(&folder, folder.listing().map_err(bad_folder)?);
        if self.json.json {
            return printer.json(&status);
        }
        printer.text(&self.report(&status))
    }

    fn report(&self, status: &BatchStatusDocument) -> String {
        let mut text = String::new();
        if self.jobs {
            text.push_str(&jobs_table(&status.jobs));
            text.push('\n');
        }
        text.push_str(&spots_table(status));
        for job in status.jobs.iter().filter(|job| job.state == JobState::Failed.name()) {
            let reason = job.reason.as_deref().unwrap_or("for a reason that is not known");
            text.push_str(&format!("\n  {} on {} ({}) failed: {reason}", job.spot, job.board, job.id));
        }
        for Impossible { spot, board, reason, .. } in &status.impossible {
            text.push_str(&format!("\n  {spot} on {board} is left out: {reason}"));
        }
        text.trim_end().to_owned() + "\n"
    }
}

/// What the folder has of its list.
fn status_of(folder: &Folder, listing: Listing) -> BatchStatusDocument {
    let mut status = BatchStatusDocument {
        schema_version: SCHEMA_VERSION,
        folder: folder.path().display().to_string(),
        impossible: listing.impossible,
        ..BatchStatusDocument::default()
    };
    for job in listing.jobs {
        let state = folder.state(job.id);
        let summary = if state == JobState::Done { folder.summary(job.id) } else { None };
        *match state {
            JobState::Done => &mut status.done,
            JobState::Running => &mut status.running,
            JobState::Begun => &mut status.begun,
            JobState::Failed => &mut status.failed,
            _ => &mut status.waiting,
        } += 1;
        status.file_bytes += summary.as_ref().map_or(0, |summary| summary.file_bytes);
        let of = |number: fn(&Summary) -> f64| summary.as_ref().map(number);
        status.jobs.push(JobStatus {
            reason: if state == JobState::Failed { folder.failure(job.id) } else { None },
            iterations: summary.as_ref().map(|summary| summary.iterations),
            exploitability_pct: of(|summary| summary.exploitability_pct),
            elapsed_s: of(|summary| summary.elapsed_s),
            file_bytes: summary.as_ref().map(|summary| summary.file_bytes),
            id: job.id,
            spot: job.spot,
            board: job.board,
            weight: job.weight,
            state: state.name(),
        });
    }
    status
}

fn jobs_table(jobs: &[JobStatus]) -> String {
    let mut table = Table::new(&[
        ("job", Align::Left),
        ("spot", Align::Left),
        ("board", Align::Left),
        ("weight", Align::Right),
        ("state", Align::Left),
        ("iterations", Align::Right),
        ("of pot", Align::Right),
        ("time", Align::Right),
    ]);
    for job in jobs {
        table.row([
            job.id.to_string(),
            job.spot.clone(),
            job.board.clone(),
            format!("{:.2}", job.weight),
            job.state.to_owned(),
            job.iterations.map_or_else(String::new, |count| count.to_string()),
            job.exploitability_pct.map_or_else(String::new, |pct| format!("{pct:.3} %")),
            job.elapsed_s.map_or_else(String::new, |seconds| format!("{seconds:.1} s")),
        ]);
    }
    table.render()
}

/// Spot by spot, how many jobs are how far.
fn spots_table(status: &BatchStatusDocument) -> String {
    const STATES: [JobState; 5] =
        [JobState::Done, JobState::Running, JobState::Begun, JobState::Failed, JobState::Waiting];
    let mut columns = vec![("spot", Align::Left), ("jobs", Align::Right)];
    columns.extend(STATES.map(|state| (state.name(), Align::Right)));
    let mut table = Table::new(&columns);
    let mut names: Vec<&str> = Vec::new();
    for job in &status.jobs {
        if !names.contains(&job.spot.as_str()) {
            names.push(&job.spot);
        }
    }
    let mut row = |name: &str, jobs: &dyn Fn(&&JobStatus) -> bool| {
        let of_state =
            |state: JobState| status.jobs.iter().filter(jobs).filter(|job| job.state == state.name()).count();
        let mut cells = vec![name.to_owned(), grouped(status.jobs.iter().filter(jobs).count() as u128)];
        cells.extend(STATES.map(|state| grouped(of_state(state) as u128)));
        table.row(cells);
    };
    for name in &names {
        row(name, &|job| job.spot == *name);
    }
    if names.len() > 1 {
        row("all", &|_| true);
    }
    format!("{}\n  {} of solutions in {}\n", table.render(), bytes(status.file_bytes), status.folder)
}
