//! `equipoise abstraction`.

mod bucket;
mod build;
mod compare;
mod config;
mod evaluate;
mod export;
mod features;
mod inspect;

use std::path::Path;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use equipoise::abstraction::{AbstractionError, CardAbstraction, ExampleHand};
use equipoise::cards::{Board, BoardError, Combo, ParseCardsError, Street};
use equipoise::documents::command::ExampleHandDocument;
use equipoise_files::Outputs;

use super::failure::{BadInput, Failure};
use super::print::Printer;

/// Features of hands, buckets, and reports on them
///
/// Strength, potential and distribution of a hand on any street, counted over every combo of the opponent and every
/// runout; and buckets of hands that are alike, for games too large to solve without abstraction.
#[derive(Args)]
#[command(after_long_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct AbstractionArgs {
    #[command(subcommand)]
    command: AbstractionCommand,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction features Td9d6h AhKh
  equipoise abstraction features '' AhAd --json
  equipoise abstraction build -o buckets
  equipoise abstraction bucket buckets Td9d6h AhKh
  equipoise abstraction inspect buckets
  equipoise abstraction compare buckets other
  equipoise abstraction evaluate buckets --spot spot.toml
  equipoise abstraction export features --street flop -o features.parquet";

/// The files of buckets in a folder, which are read.
fn inputs(folder: &Path) -> Outputs {
    let add =
        |files: Outputs, street| files.read("a file of buckets", &CardAbstraction::file(folder, street));
    STREETS.into_iter().fold(Outputs::new(), add)
}

#[derive(Subcommand)]
enum AbstractionCommand {
    Features(features::FeaturesArgs),
    Build(build::BuildArgs),
    Bucket(bucket::BucketArgs),
    Inspect(inspect::InspectArgs),
    Compare(compare::CompareArgs),
    Evaluate(evaluate::EvaluateArgs),
    Export(export::ExportArgs),
}

impl AbstractionArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        match &self.command {
            AbstractionCommand::Features(args) => args.run(printer),
            AbstractionCommand::Build(args) => args.run(printer),
            AbstractionCommand::Bucket(args) => args.run(printer),
            AbstractionCommand::Inspect(args) => args.run(printer),
            AbstractionCommand::Compare(args) => args.run(printer),
            AbstractionCommand::Evaluate(args) => args.run(printer),
            AbstractionCommand::Export(args) => args.run(printer),
        }
    }
}

/// The streets that have buckets of their own.
const STREETS: [Street; 3] = [Street::Flop, Street::Turn, Street::River];

/// A file that is absent, foreign or damaged is bad input, because the user named it; what cannot be written is a failure.
fn of_library(error: &AbstractionError) -> Failure {
    let with_source = |error: &AbstractionError| match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    match error {
        AbstractionError::LoadError { .. } | AbstractionError::InvalidBoundaries { .. } => {
            BadInput::new(with_source(error))
                .help("equipoise abstraction build makes a folder with a file for each street")
                .into()
        }
        AbstractionError::NoSuchBucket { .. } => {
            BadInput::new(error).help("give --bucket one of these numbers").into()
        }
        AbstractionError::OtherNextStreet { .. } => {
            BadInput::new(error).help("equipoise abstraction build makes streets that fit each other").into()
        }
        AbstractionError::Cancelled => Failure::Interrupted("before all boards were counted".to_owned()),
        _ => Failure::Runtime(anyhow!(with_source(error))),
    }
}

/// A hand that a report shows.
fn hand_document(hand: &ExampleHand) -> ExampleHandDocument {
    let (combo, board) = (hand.combo.to_string(), hand.board.to_string());
    ExampleHandDocument { combo, board, equity: hand.equity }
}

/// A hand on a board, as the commands take it.
#[derive(Args)]
struct HandArgs {
    /// Public cards: 3, 4 or 5, such as Td9d6h; '' before the flop
    board: String,

    /// The two private cards, such as AhKh
    combo: String,
}

impl HandArgs {
    /// The combo and the board, which share no card.
    fn read(&self) -> Result<(Combo, Board), BadInput> {
        let HandArgs { board, combo } = self;
        let public: Board = board.parse().map_err(|error: BoardError| {
            let at = if let BoardError::Text(error) = &error { Some(error.at()) } else { None };
            let input = BadInput::new(&error).in_text("board", board, at);
            match error {
                BoardError::WrongSize { .. } => {
                    input.help("give a flop, turn or river such as Td9d6h, or ''")
                }
                _ => input,
            }
        })?;
        let private: Combo = combo.parse().map_err(|error: ParseCardsError| {
            let at = Some(error.at());
            let help = "give the two private cards as one argument after the board, such as AhKh";
            BadInput::new(error).in_text("combo", combo, at).help(help)
        })?;
        match public.set().first_shared(private.cards()) {
            Some(card) => Err(BadInput::new(format!("the card {card} is on the board and in the combo"))
                .in_text("combo", combo, None)
                .help(format!("a deck has one {card}: take it out of one of the two places"))),
            None => Ok((private, public)),
        }
    }
}
