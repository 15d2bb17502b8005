//! Where a solution goes, and the checkpoints on the way.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use equipoise::postflop::{Contents, SaveOptions, Solver};
use equipoise::solution_file::next_checkpoint;
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::whole_file::WholeFile;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Keep {
    /// Every strategy
    Full,
    /// No strategies of rivers: they are solved again when they are looked at
    NoRiver,
    /// No strategies of turns and rivers
    NoTurn,
    /// Every strategy, and what going on with `equipoise resume` needs
    Resumable,
}

impl From<Keep> for Contents {
    fn from(keep: Keep) -> Contents {
        match keep {
            Keep::Full => Contents::Full,
            Keep::NoRiver => Contents::NoRiver,
            Keep::NoTurn => Contents::NoTurn,
            Keep::Resumable => Contents::Resumable,
        }
    }
}

/// How often a solve is saved on the way.
#[derive(Args)]
pub(crate) struct CheckpointArg {
    /// Save the solve on the way every so many minutes, if it takes that long; 0 for never
    #[arg(long, value_name = "MINUTES", default_value_t = 3.0, value_parser = minutes)]
    checkpoint: f64,
}

fn minutes(text: &str) -> Result<f64, &'static str> {
    match text.parse::<f64>() {
        Ok(minutes) if (0.0..1e6).contains(&minutes) => Ok(minutes),
        _ => Err("a number of minutes, such as 3 or 0.5; 0 for never"),
    }
}

impl CheckpointArg {
    pub(crate) fn interval(&self) -> Option<Duration> {
        (self.checkpoint > 0.0).then(|| Duration::from_secs_f64(60.0 * self.checkpoint))
    }
}

/// Where and how a solve is saved.
pub(crate) struct Saving {
    pub(crate) path: PathBuf,
    pub(crate) contents: Contents,
    pub(crate) interval: Option<Duration>,
}

/// What was written.
#[derive(Clone, Serialize)]
pub(crate) struct Saved {
    /// The file.
    pub(crate) path: String,
    /// Its size.
    pub(crate) bytes: u64,
    /// How long it took.
    pub(crate) elapsed_s: f64,
    /// What is in it.
    pub(crate) contents: Contents,
}

impl Saving {
    /// Makes sure that the folder can be written to, before the work.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        WholeFile::create(&self.path).map(drop)
    }

    /// Saves a solve as it is; whatever it is to keep in the end, one that is not finished can be gone on with.
    pub(crate) fn save(
        &self,
        solver: &mut Solver,
        text: &str,
        target_pct: f64,
        is_finished: bool,
    ) -> Result<Saved, Failure> {
        let start = Instant::now();
        let contents = if is_finished { self.contents } else { Contents::Resumable };
        let options = SaveOptions { contents, configuration: text.to_owned(), target_pct };
        let bytes = solver.solution_mut().save(&self.path, &options).map_err(anyhow::Error::from)?;
        let (path, elapsed_s) = (shown(&self.path), start.elapsed().as_secs_f64());
        Ok(Saved { path, bytes, elapsed_s, contents })
    }

    /// When the next checkpoint is due, if the last one took so long.
    pub(crate) fn next(&self, last: Duration) -> Option<Instant> {
        Some(next_checkpoint(self.interval?, last))
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
