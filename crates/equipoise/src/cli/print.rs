//! Standard output: text for people, with or without colour, or one JSON document.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use equipoise::cards::Card;
use serde::Serialize;

use super::failure::Failure;

pub(crate) use equipoise::documents::SCHEMA_VERSION;

#[derive(Args)]
pub(crate) struct JsonArg {
    /// Print one JSON document instead of text
    #[arg(long, display_order = 100)]
    pub(crate) json: bool,
}

/// Writes to standard output.
pub(crate) struct Printer {
    colour: bool,
}

impl Printer {
    /// Decides once whether there is colour: from `--color`, the environment and whether this is a terminal.
    pub(crate) fn new() -> Printer {
        Printer { colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never }
    }

    pub(crate) const fn colour(&self) -> bool {
        self.colour
    }

    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        let choice = if self.colour { ColorChoice::Always } else { ColorChoice::Never };
        let mut out = AutoStream::new(io::stdout().lock(), choice);
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    pub(crate) fn json(&self, document: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string_pretty(document).map_err(io::Error::from)?;
        text.push('\n');
        self.raw(text.as_bytes())
    }

    /// Raw bytes, for other programs.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        Ok(out.flush()?)
    }

    /// Cards as `AhKd`, or as coloured symbols where there is colour.
    pub(crate) fn cards(&self, cards: impl IntoIterator<Item = Card>) -> String {
        if self.colour {
            let cards: Vec<String> = cards.into_iter().map(|card| card.coloured().to_string()).collect();
            cards.join(" ")
        } else {
            cards.into_iter().map(|card| card.to_string()).collect()
        }
    }
}

/// Says on standard error what the user may want to know; if nobody listens there, the work continues.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "note: {text}");
}
