//! `equipoise batch job`.

use std::path::PathBuf;

use clap::Args;
use equipoise::postflop::{Progress, Verdict};
use equipoise_batch::{Folder, Job, JobId, Jobs, Outcome, Plan, Resources, Summary};
use serde::Serialize;

use super::{ResourceArgs, bad_folder, bad_plan};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::saved::Resolving;
use crate::cli::solve::CheckpointArg;
use crate::cli::table::{bytes, counted};
use crate::cli::watch::catch_interrupts;

/// Do one job of a plan, unless it is done
///
/// One independent call for one job, so that any scheduler can share a batch out: jobs of the same folder may be done at
/// the same time by any number of processes. It does what `equipoise batch run` does for each of its jobs.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct JobArgs {
    /// The plan
    #[arg(value_name = "PLAN.TOML")]
    plan: PathBuf,

    /// The job, as `equipoise batch jobs` lists it
    #[arg(value_name = "ID", value_parser = str::parse::<JobId>)]
    id: JobId,

    /// The folder of the batch; made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    checkpoint: CheckpointArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch job plan.toml 5f2a0c77e3b1d904 -o folder
  equipoise batch jobs plan.toml --json | jq -r '.jobs[].id' |
    xargs -P 4 -I ID equipoise batch job plan.toml ID -o folder --threads 1

JSON: `outcome` (`solved`; `kept` if it was done already; `busy` if another process does it) and the
`summary`, null if it is busy.";

#[derive(Serialize)]
struct JobDocument<'a> {
    schema_version: u32,
    id: JobId,
    outcome: &'a str,
    summary: Option<&'a Summary>,
}

impl JobArgs {
    /// The job. If the folder lists the jobs of this plan already, the others need not be looked at.
    fn job(&self, folder: &Folder) -> Result<Job, Failure> {
        let plan = Plan::read(&self.plan).map_err(bad_plan)?;
        let listing = folder.listing().ok().filter(|listing| listing.plan == plan.text);
        if let Some(job) = listing.and_then(|listing| Job::listed(&plan, &listing, self.id)) {
            return Ok(job);
        }
        let jobs = Jobs::of(&plan);
        let job = jobs.get(self.id).ok_or_else(|| {
            BadInput::new(format!("the plan has no job {}", self.id))
                .help(format!("`equipoise batch jobs {}` lists them", self.plan.display()))
        })?;
        folder.prepare(&plan, &jobs).map_err(bad_folder)?;
        Ok(job.clone())
    }

    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let threads = self.resources.threads();
        let folder = Folder::new(&self.output);
        let job = &self.job(&folder)?;
        let resources =
            Resources { threads, memory: self.resources.memory(), checkpoint: self.checkpoint.interval() };
        catch_interrupts()?;
        let mut watch = Resolving::default();
        let watched = &mut |progress: &Progress| -> Verdict {
            use equipoise::postflop::Observer as _;
            watch.progress(progress)
        };
        let ended = folder.solve(job, &resources, watched);
        watch.finish();
        let (word, summary) = match ended.map_err(anyhow::Error::from)? {
            Outcome::Solved(summary) => ("solved", Some(summary)),
            Outcome::Kept(summary) => ("kept", Some(summary)),
            Outcome::Stopped { iterations } => {
                let message =
                    format!("what {} found is kept; the same call goes on", counted(iterations, "iteration"));
                return Err(Failure::Interrupted(message));
            }
            _ => ("busy", None),
        };
        if self.json.json {
            let (schema_version, id, summary) = (SCHEMA_VERSION, self.id, summary.as_ref());
            return printer.json(&JobDocument { schema_version, id, outcome: word, summary });
        }
        let board = printer.cards(job.board.cards().to_vec());
        printer.text(&match summary {
            None => format!("  {} on {board}: another process is at it\n", job.spot),
            Some(summary) => format!(
                "  {} on {board}: {word}; {} to {:.4} % of pot, EV {:.3} and {:.3} chips; {} in {}\n",
                job.spot,
                counted(summary.iterations, "iteration"),
                summary.exploitability_pct,
                summary.players.oop.ev,
                summary.players.ip.ev,
                bytes(summary.file_bytes),
                folder.path().display(),
            ),
        })
    }
}
