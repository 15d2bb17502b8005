//! `equipoise blueprint`.

pub(super) mod buckets;
mod chart;
pub(super) mod charts;
mod exploit;
mod matches;
mod show;
mod submit;
mod train;

pub(super) use show::class_table;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use equipoise::blueprint::bucketed::BucketedError;
use equipoise::blueprint::whole::{Blueprint, BlueprintFileError, SessionError};
use equipoise_files::FileKind;

use super::failure::{BadInput, Failure};
use super::print::Printer;
pub(super) use train::{TrainWatch, minutes};

/// Train a strategy for the whole heads-up game, and measure it exactly
#[derive(Args)]
#[command(after_long_help = EXAMPLES, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct BlueprintArgs {
    #[command(subcommand)]
    command: BlueprintCommand,
}

const EXAMPLES: &str = "\
Examples:
  equipoise blueprint train A-20 -o x.eqb --minutes 60
  equipoise blueprint exploit x.eqb --flops 32
  equipoise blueprint submit x.eqb --on slurm --time 2h
  equipoise blueprint chart x.eqb --line r2.5
  equipoise blueprint show x.eqb --line 'r2.5 c | Td9d6h | x'
  equipoise blueprint match x.eqb y.eqb";

#[derive(Subcommand)]
enum BlueprintCommand {
    Train(train::TrainArgs),
    Exploit(exploit::ExploitArgs),
    Submit(submit::SubmitArgs),
    Chart(chart::ChartArgs),
    Show(show::ShowArgs),
    Match(matches::MatchArgs),
}

impl BlueprintArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        match &self.command {
            BlueprintCommand::Train(args) => args.run(printer),
            BlueprintCommand::Exploit(args) => args.run(printer),
            BlueprintCommand::Submit(args) => args.run(printer),
            BlueprintCommand::Chart(args) => args.run(printer),
            BlueprintCommand::Show(args) => args.run(printer),
            BlueprintCommand::Match(args) => args.run(printer),
        }
    }
}

const BLUEPRINT: FileKind = FileKind::new("a blueprint", Blueprint::begins);

#[derive(Args)]
pub(super) struct ThreadsArg {
    /// Threads to use; the answer does not depend on it [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,
}

impl ThreadsArg {
    pub(super) fn get(&self) -> Option<NonZeroUsize> {
        self.threads.and_then(|threads| NonZeroUsize::new(threads.into()))
    }
}

#[derive(Args)]
pub(super) struct BucketsArg {
    /// The folder of the buckets [default: a cache, where they are built if they are not there]
    #[arg(long, value_name = "DIR")]
    pub(super) buckets: Option<PathBuf>,
}

pub(super) fn open(path: &Path) -> Result<Blueprint, Failure> {
    Blueprint::open(path).map_err(file_error)
}

/// A file that is not what it should be is bad input; a disk that refuses is not.
fn file_error(error: BlueprintFileError) -> Failure {
    match &error {
        BlueprintFileError::Io { source, .. } if source.kind() != std::io::ErrorKind::NotFound => {
            Failure::Runtime(error.into())
        }
        _ => BadInput::new(error).help("blueprints are made by `equipoise blueprint train`").into(),
    }
}

pub(super) fn game_error(error: BucketedError) -> Failure {
    match error {
        BucketedError::Threads { .. } => Failure::Runtime(error.into()),
        _ => BadInput::new(error).into(),
    }
}

fn session_error(error: SessionError) -> Failure {
    match error {
        SessionError::Game(error) => game_error(error),
        SessionError::File(error) => file_error(error),
        error => Failure::Runtime(error.into()),
    }
}
