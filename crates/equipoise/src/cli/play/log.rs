//! The log of a match: a line of ACPC for each hand, and the score at the end.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use equipoise::game::{PerPlayer, Player};
use equipoise::play::PlayedHand;

use crate::cli::failure::{BadInput, Failure};

/// Lines as they come. Every one is whole before the next one begins, whatever ends the work.
pub(super) struct LineLog {
    path: PathBuf,
    file: BufWriter<File>,
}

impl LineLog {
    /// Begins a log. A file that is there is replaced only if `force` says so.
    pub(super) fn begin(path: &Path, force: bool) -> Result<LineLog, Failure> {
        if !force && path.exists() {
            return Err(BadInput::new(format!("{} exists", path.display()))
                .help("--force replaces it")
                .into());
        }
        let file = File::create(path)
            .map_err(|error| BadInput::new(format!("cannot write {}: {error}", path.display())))?;
        Ok(LineLog { path: path.to_owned(), file: BufWriter::new(file) })
    }

    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        let written = writeln!(self.file, "{text}").and_then(|()| self.file.flush());
        written.with_context(|| format!("cannot write {}", self.path.display())).map_err(Failure::Runtime)
    }
}

/// The hands of a match, and its score.
pub(super) struct MatchLog {
    lines: LineLog,
    names: [String; 2],
    score: i64,
}

impl MatchLog {
    /// Begins a log as [`LineLog::begin`] does.
    pub(super) fn begin(path: &Path, names: [String; 2], force: bool) -> Result<MatchLog, Failure> {
        let names = names.map(|name| name.replace([':', '|', '\n', '\r'], "_"));
        let mut lines = LineLog::begin(path, force)?;
        lines.line("# equipoise match, ACPC 2.0.0")?;
        Ok(MatchLog { lines, names, score: 0 })
    }

    /// Adds a hand; `first` is the seat of the first player.
    pub(super) fn hand(&mut self, hand: &PlayedHand, first: Player) -> Result<(), Failure> {
        self.score += hand.winnings[first];
        let [a, b] = self.names.clone();
        let names = if first == Player::Oop { PerPlayer::new(a, b) } else { PerPlayer::new(b, a) };
        let line = hand.acpc_line(&names);
        self.lines.line(&line)
    }

    /// Ends the log.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        let line = format!("SCORE:{}|{}:{}|{}", self.score, -self.score, self.names[0], self.names[1]);
        self.lines.line(&line)
    }
}
