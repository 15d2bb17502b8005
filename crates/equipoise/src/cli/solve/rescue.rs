//! A solution that the disk does not take: whoever sits at the terminal is asked what to save instead.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;

use equipoise::postflop::Contents;

use super::saving::NotSaved;
use crate::cli::print::note;

/// Where to, and what.
pub(super) type Choice = (PathBuf, Contents);

/// What to save instead of a choice that failed; `None` if nobody is there or nobody wants to.
pub(super) fn ask(failed: &NotSaved, choice: &Choice) -> Option<Choice> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return None;
    }
    note(failed.words());
    loop {
        let question = "save it as full, no-river or no-turn, or to another file; an empty line gives up: ";
        let mut stderr = io::stderr();
        write!(stderr, "{question}").and_then(|()| stderr.flush()).ok()?;
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).ok()?;
        let answer = line.trim();
        if answer.is_empty() {
            return None;
        }
        let levels = [Contents::Full, Contents::NoRiver, Contents::NoTurn, Contents::Resumable];
        if let Some(contents) = levels.into_iter().find(|level| level.name() == answer) {
            return Some((choice.0.clone(), contents));
        }
        let path = PathBuf::from(answer);
        if !path.exists() {
            return Some((path, choice.1));
        }
        note(format!("{answer} is there already: give the name of a new file"));
    }
}
