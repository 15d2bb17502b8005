//! The log of a match: a line of ACPC for each hand, and the score at the end.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use equipoise::game::{PerPlayer, Player};
use equipoise::play::PlayedHand;

use crate::cli::failure::{BadInput, Failure};

/// Hands as they are played. Every line is whole before the next one begins, whatever ends the match.
pub(super) struct MatchLog {
    path: PathBuf,
    file: BufWriter<File>,
    names: [String; 2],
    score: i64,
}

impl MatchLog {
    /// Begins a log. A file that is there is replaced only if it is a log or if `force` says so.
    pub(super) fn begin(path: &Path, names: [String; 2], force: bool) -> Result<MatchLog, Failure> {
        if !force && path.exists() {
            return Err(BadInput::new(format!("{} exists", path.display()))
                .help("--force replaces it")
                .into());
        }
        let file = File::create(path)
            .map_err(|error| BadInput::new(format!("cannot write {}: {error}", path.display())))?;
        let names = names.map(|name| name.replace([':', '|', '\n', '\r'], "_"));
        let mut log = MatchLog { path: path.to_owned(), file: BufWriter::new(file), names, score: 0 };
        log.line("# equipoise match, ACPC 2.0.0")?;
        Ok(log)
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        let written = writeln!(self.file, "{text}").and_then(|()| self.file.flush());
        written.with_context(|| format!("cannot write {}", self.path.display())).map_err(Failure::Runtime)
    }

    /// Adds a hand; `first` is the seat of the first player.
    pub(super) fn hand(&mut self, hand: &PlayedHand, first: Player) -> Result<(), Failure> {
        self.score += hand.winnings[first];
        let [a, b] = self.names.clone();
        let names = if first == Player::Oop { PerPlayer::new(a, b) } else { PerPlayer::new(b, a) };
        let line = hand.acpc_line(&names);
        self.line(&line)
    }

    /// Ends the log.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        let line = format!("SCORE:{}|{}:{}|{}", self.score, -self.score, self.names[0], self.names[1]);
        self.line(&line)
    }
}
