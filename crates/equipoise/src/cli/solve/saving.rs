//! Where a solution goes, and the checkpoints on the way.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use equipoise::documents::command::{LessDocument, NotSavedDocument, SavedDocument};
use equipoise::postflop::{Contents, Options, Spot};
use equipoise::run::RunOutcome;
use equipoise::run::saving::{CheckpointError, FileSizes, SaveError, Saved};

use super::rescue;
use crate::cli::atomic_file::AtomicFile;
use crate::cli::failure::Failure;
use crate::cli::print::note;
use crate::cli::table::{bytes, counted};

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Keep {
    /// Every strategy
    Full,
    /// No strategies of rivers: they are re-solved when they are shown
    NoRiver,
    /// No strategies of turns and rivers
    NoTurn,
    /// Every strategy, and what `equipoise resume` needs
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
    /// Save a checkpoint whenever this many minutes have passed; 0 for never
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

/// What was written, as scripts read it.
fn saved_document(saved: &Saved) -> SavedDocument {
    SavedDocument {
        path: shown(&saved.path),
        bytes: saved.bytes,
        elapsed_s: saved.elapsed.as_secs_f64(),
        contents: saved.contents,
    }
}

/// What could not be written.
#[derive(Clone)]
pub(crate) struct NotSaved {
    /// As scripts read it.
    pub(crate) document: NotSavedDocument,
    advice: String,
}

impl NotSaved {
    fn new(path: &Path, error: &SaveError, held_iterations: Option<u32>) -> NotSaved {
        let fits = |contents: Contents| error.fitting().any(|(fitting, _)| fitting == contents);
        let less = error.less.iter();
        let document = NotSavedDocument {
            path: shown(path),
            message: error.to_string(),
            contents: error.contents,
            bytes: error.bytes,
            room_bytes: error.room,
            less: less
                .map(|&(contents, bytes)| LessDocument { contents, bytes, fits: fits(contents) })
                .collect(),
            held_iterations,
        };
        NotSaved { document, advice: error.advice(|contents| format!("--save {}", contents.name())) }
    }

    /// What to say of it, and what to do.
    pub(crate) fn words(&self) -> String {
        let NotSavedDocument { path, message, held_iterations, .. } = &self.document;
        let held = held_iterations.map_or_else(String::new, |iterations| {
            format!(
                "; {0} still holds {1}: `equipoise resume {0}` continues from there",
                path,
                counted(iterations, "iteration")
            )
        });
        format!("the solution is not saved: {message}; {}{held}", self.advice)
    }
}

impl Saving {
    /// Makes sure that the folder can be written to, before the work.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        AtomicFile::create(&self.path).map(drop)
    }

    /// Says how large the file may become and how much room there is: to people always, to scripts if it may not fit.
    pub(crate) fn announce(&self, spot: &Spot, options: &Options, is_script: bool) {
        let sizes = FileSizes::new(spot, options, &self.path);
        let Some(room) = sizes.room else { return };
        let file = sizes.of(self.contents);
        let checkpoint = self.interval.map_or(0, |_| sizes.of(Contents::Resumable));
        let fits = sizes.fits(file.max(checkpoint));
        if fits && is_script {
            return;
        }
        let mut text =
            format!("{} takes at most {} ({})", self.path.display(), bytes(file), self.contents.name());
        if checkpoint > file {
            text.push_str(&format!(", a checkpoint at most {}", bytes(checkpoint)));
        }
        text.push_str(&format!("; there is room for {}", bytes(room)));
        if !fits {
            let less = sizes.most.iter().filter(|&&(_, most)| most < file);
            let less: Vec<String> = less
                .map(|(contents, most)| format!(", at most {} with --save {}", bytes(*most), contents.name()))
                .collect();
            text.push_str(&format!(", which may not be enough{}", less.concat()));
        }
        note(text);
    }

    /// Saves what a run has found. If that fails, people are asked what to save instead.
    pub(crate) fn save(
        &self,
        outcome: &mut RunOutcome,
        contents: Contents,
        is_script: bool,
    ) -> Result<SavedDocument, Box<NotSaved>> {
        let mut choice = (self.path.clone(), contents);
        loop {
            let (path, contents) = &choice;
            let error = match outcome.save(path, *contents) {
                Ok(saved) => return Ok(saved_document(&saved)),
                Err(error) => {
                    let held = outcome.checkpoint().filter(|_| *path == self.path);
                    Box::new(NotSaved::new(path, &error, held))
                }
            };
            let asked = if is_script { None } else { rescue::ask(&error, &choice) };
            choice = match asked {
                Some(other) => other,
                None => return Err(error),
            };
        }
    }
}

/// What to say of a checkpoint that failed.
pub(crate) fn goes_on(error: &CheckpointError) -> String {
    format!("{error}; the solve continues, and tries again at the next checkpoint")
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
