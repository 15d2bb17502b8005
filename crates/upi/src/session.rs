//! One conversation.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use equipoise_cards::Combo;
use equipoise_postflop::{Options, Reader};

use crate::arguments::Arguments;
use crate::commands;
use crate::error::{UpiError, shown};
use crate::node_id::Place;
use crate::output::{Output, Sink};
use crate::setup::Setup;
use crate::tree::GameTree;

/// Whether more commands are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // Continue or not.
pub enum Next {
    /// Yes.
    Continue,
    /// The conversation is over.
    Exit,
}

/// When a solve has come near enough to equilibrium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Accuracy {
    /// Never.
    None,
    Chips(f64),
    /// Part of the starting pot.
    Fraction(f64),
}

impl Accuracy {
    /// In percent of a pot.
    pub(crate) fn percent(self, pot: f64) -> f64 {
        match self {
            Accuracy::None => 0.0,
            Accuracy::Chips(chips) => 100.0 * chips / pot,
            Accuracy::Fraction(part) => 100.0 * part,
        }
    }
}

/// What commands answer with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Lines of data.
    Text(String),
    /// `<command> ok!`
    Ok,
    /// The command has answered for itself.
    Answered,
    Exit,
}

/// Scripts that load scripts go no deeper than this.
const DEEPEST: usize = 8;
/// How often a solve says how it goes, unless `set_info_freq` says otherwise.
const INTERVAL: Duration = Duration::from_secs(2);

/// One conversation: what has been set up, the tree, and the solve in the background.
///
/// Answers go to the sink as whole messages, end strings included; so do the messages of a running solve, which never come
/// in the middle of an answer.
pub struct Session {
    pub(crate) output: Arc<Output>,
    pub(crate) setup: Setup,
    pub(crate) tree: Option<GameTree>,
    pub(crate) threads: Option<NonZeroUsize>,
    pub(crate) memory_limit: Option<u64>,
    pub(crate) accuracy: Accuracy,
    pub(crate) interval: Duration,
    /// Lines of the script's author about the tree to be built.
    pub(crate) info: Vec<String>,
    depth: usize,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("setup", &self.setup).finish_non_exhaustive()
    }
}

impl Session {
    /// A conversation whose answers go to `sink`. An error of the sink ends it.
    #[must_use]
    pub fn new(sink: impl FnMut(&str) -> io::Result<()> + Send + 'static) -> Session {
        let sink: Sink = Box::new(sink);
        Session {
            output: Arc::new(Output::new(sink)),
            setup: Setup::default(),
            tree: None,
            threads: None,
            memory_limit: None,
            accuracy: Accuracy::None,
            interval: INTERVAL,
            info: Vec::new(),
            depth: 0,
        }
    }

    /// Trees that would take more memory than this are refused; without it, those that would take more than there is.
    #[must_use]
    pub fn with_memory_limit(mut self, bytes: Option<u64>) -> Session {
        self.memory_limit = bytes;
        self
    }

    /// Says who is there; the protocol expects such lines before the first command and skips them.
    pub fn greet(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.output.line(&format!("Equipoise {version}: UPI; docs/upi.md has the commands"));
    }

    /// Does what one line says and answers it. Empty lines and lines that begin with `#` say nothing.
    pub fn command(&mut self, line: &[u8]) -> Next {
        let (next, answer) = self.reply(line);
        if let Some(answer) = answer {
            self.output.answer(&answer);
        }
        if self.output.is_closed() { Next::Exit } else { next }
    }

    /// Does what one line says; the answer, if it is still to be given.
    fn reply(&mut self, line: &[u8]) -> (Next, Option<String>) {
        let Ok(line) = std::str::from_utf8(line) else {
            let error = UpiError::new("the line is not UTF-8: write it in UTF-8 or ASCII");
            return (Next::Continue, Some(refused(&error)));
        };
        let line = line.strip_prefix('\u{feff}').unwrap_or(line).trim();
        if line.is_empty() || line.starts_with('#') {
            return (Next::Continue, None);
        }
        let name = line.split_whitespace().next().unwrap_or_default();
        match commands::run(self, name, &line[name.len()..]) {
            Ok(Answer::Text(text)) => (Next::Continue, Some(text)),
            Ok(Answer::Ok) => (Next::Continue, Some(format!("{name} ok!"))),
            Ok(Answer::Answered) => (Next::Continue, None),
            Ok(Answer::Exit) => (Next::Exit, None),
            Err(error) => (Next::Continue, Some(refused(&error.at(shown(name))))),
        }
    }

    /// Answers a line that was too long to be read.
    pub(crate) fn too_long(&mut self, longest: usize) {
        let error = UpiError::new(format!("a line has more than {longest} bytes: nothing takes so much"));
        self.output.answer(&refused(&error));
    }

    /// Does what the lines of a file say. Silent: what they answer is left out.
    pub(crate) fn script(&mut self, path: &str, is_silent: bool) -> Result<Answer, UpiError> {
        if self.depth >= DEEPEST {
            return Err(UpiError::new(format!("scripts load each other more than {DEEPEST} deep")));
        }
        let failed = |error: io::Error| UpiError::new(format!("'{}': {error}", shown(path)));
        let file = BufReader::new(File::open(Path::new(path)).map_err(failed)?);
        self.depth += 1;
        let done = self.script_lines(file, is_silent);
        self.depth -= 1;
        match done.map_err(failed)? {
            Next::Exit => Ok(Answer::Exit),
            Next::Continue => Ok(Answer::Ok),
        }
    }

    fn script_lines(&mut self, file: impl BufRead, is_silent: bool) -> io::Result<Next> {
        for line in file.split(b'\n') {
            let (next, answer) = self.reply(&line?);
            if let Some(answer) = answer.filter(|answer| !is_silent || answer.starts_with("ERROR")) {
                match is_silent {
                    // Where nothing is said, what went wrong is still said, without an end string of its own.
                    true => self.output.line(&answer),
                    false => self.output.answer(&answer),
                }
            }
            if next == Next::Exit {
                return Ok(Next::Exit);
            }
        }
        Ok(Next::Continue)
    }

    /// What solvers of this session are made with.
    pub(crate) fn options(&self) -> Options {
        Options { threads: self.threads, memory_limit: self.memory_limit, ..Options::default() }
    }

    /// The tree.
    pub(crate) fn tree(&mut self) -> Result<&mut GameTree, UpiError> {
        self.tree
            .as_mut()
            .ok_or_else(|| UpiError::new("there is no tree: build_tree or load_tree comes first"))
    }

    /// The tree, which must not be at work.
    pub(crate) fn idle_tree(&mut self) -> Result<&mut GameTree, UpiError> {
        let tree = self.tree()?;
        if tree.is_running() {
            return Err(UpiError::new("the solver is running: stop or wait_for_solver comes first"));
        }
        Ok(tree)
    }

    /// A node of the tree.
    pub(crate) fn place(&mut self, arguments: &Arguments, at: usize) -> Result<Place, UpiError> {
        let tree = self.tree()?;
        Place::parse(arguments.need(at, "a node, such as r:0:c")?, tree.spot())
    }

    /// A decision, and where strategies are read that were not given since.
    pub(crate) fn decision(
        &mut self,
        arguments: &Arguments,
        at: usize,
    ) -> Result<(Place, Arc<Reader>), UpiError> {
        let place = self.place(arguments, at)?;
        let tree = self.tree()?;
        if place.is_root || tree.spot().tree().node(place.node).player().is_none() {
            let name = place.name(tree.spot());
            return Err(UpiError::new(format!(
                "nobody acts at {name}: name a node of type OOP_DEC or IP_DEC"
            )));
        }
        Ok((place, tree.plain()?))
    }

    /// The combos that a range may have on a board, in no particular order, as a check for the numbers of a strategy.
    pub(crate) fn held(&mut self, place: &Place) -> Result<Vec<Combo>, UpiError> {
        let tree = self.tree()?;
        let spot = tree.spot();
        let player =
            spot.tree().node(place.node).player().ok_or_else(|| UpiError::new("nobody acts there"))?;
        let board = place.board(spot);
        let range = spot.ranges()[player].without(board.set());
        Ok(range.iter().map(|(combo, _)| combo).collect())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Otherwise the solve would keep the process alive.
        if let Some(tree) = &mut self.tree {
            let _ = tree.stop();
        }
    }
}

fn refused(error: &UpiError) -> String {
    format!("ERROR: {error}")
}
