//! `equipoise abstraction`.

mod features;

use clap::{Args, Subcommand};
use equipoise::cards::{Board, BoardError, Combo, ParseCardsError};

use super::failure::{BadInput, Failure};
use super::print::Printer;

/// What hands are worth, and which hands are alike
///
/// Strength, potential and distribution of a hand on any street, counted over every combo of the opponent and every
/// runout.
#[derive(Args)]
#[command(after_long_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct AbstractionArgs {
    #[command(subcommand)]
    command: AbstractionCommand,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction features Td9d6h AhKh
  equipoise abstraction features '' AhAd --json";

#[derive(Subcommand)]
enum AbstractionCommand {
    Features(features::FeaturesArgs),
}

impl AbstractionArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        match &self.command {
            AbstractionCommand::Features(args) => args.run(printer),
        }
    }
}

/// A combo and a board that share no card.
fn read_hand(board: &str, combo: &str) -> Result<(Combo, Board), BadInput> {
    let public: Board = board.parse().map_err(|error: BoardError| {
        let at = if let BoardError::Text(error) = &error { Some(error.at()) } else { None };
        let input = BadInput::new(&error).in_text("board", board, at);
        match error {
            BoardError::WrongSize { .. } => input.help("give a flop, turn or river such as Td9d6h, or ''"),
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
