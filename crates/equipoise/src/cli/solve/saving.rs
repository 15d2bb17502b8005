//! Where a solution goes, and the checkpoints on the way.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use equipoise::postflop::{Contents, Options, SaveOptions, Solution, Spot};
use equipoise_spots::saving::{self, CheckpointError, Checkpoints, FileSizes, SaveError};
use serde::Serialize;

use super::rescue;
use crate::cli::atomic_file::AtomicFile;
use crate::cli::failure::Failure;
use crate::cli::print::note;
use crate::cli::table::{bytes, counted};

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
    /// The iterations of a solve that the file holds and that this one goes on with.
    pub(crate) held: Option<u32>,
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

/// What could not be written, as scripts read it.
#[derive(Clone, Serialize)]
pub(crate) struct NotSaved {
    path: String,
    message: String,
    contents: Contents,
    bytes: u64,
    room_bytes: Option<u64>,
    /// What keeps less.
    less: Vec<LessDocument>,
    /// What the file holds of a solve on its way to this answer.
    held_iterations: Option<u32>,
    #[serde(skip)]
    advice: String,
}

#[derive(Clone, Serialize)]
struct LessDocument {
    contents: Contents,
    bytes: u64,
    fits: bool,
}

impl NotSaved {
    fn new(path: &Path, error: &SaveError, held_iterations: Option<u32>) -> NotSaved {
        let fits = |contents: Contents| error.fitting().any(|(fitting, _)| fitting == contents);
        let less = error.less.iter();
        NotSaved {
            path: shown(path),
            message: error.to_string(),
            contents: error.contents,
            bytes: error.bytes,
            room_bytes: error.room,
            less: less
                .map(|&(contents, bytes)| LessDocument { contents, bytes, fits: fits(contents) })
                .collect(),
            held_iterations,
            advice: error.advice(|contents| format!("--save {}", contents.name())),
        }
    }

    /// What to say of it, and what to do.
    pub(crate) fn words(&self) -> String {
        let held = self.held_iterations.map_or_else(String::new, |iterations| {
            format!(
                "; {0} still holds {1}: `equipoise resume {0}` goes on from there",
                self.path,
                counted(iterations, "iteration")
            )
        });
        format!("the solution is not saved: {}; {}{held}", self.message, self.advice)
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

    pub(crate) fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(self.path.clone(), self.interval)
    }

    /// Saves a solve as it is; whatever it is to keep in the end, one that is not finished can be gone on with. If that
    /// fails, people are asked what to save instead.
    pub(crate) fn save(
        &self,
        solution: &mut Solution,
        options: &SaveOptions,
        held: Option<u32>,
        is_script: bool,
    ) -> Result<Saved, Box<NotSaved>> {
        let mut choice = (self.path.clone(), options.contents);
        loop {
            let start = Instant::now();
            let (path, contents) = &choice;
            let options = SaveOptions { contents: *contents, ..options.clone() };
            let error = match saving::save(solution, path, &options) {
                Ok(bytes) => {
                    let (path, elapsed_s) = (shown(path), start.elapsed().as_secs_f64());
                    return Ok(Saved { path, bytes, elapsed_s, contents: *contents });
                }
                Err(error) => Box::new(NotSaved::new(path, &error, held.filter(|_| *path == self.path))),
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
    format!("{error}; the solve goes on, and tries again at the next checkpoint")
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
