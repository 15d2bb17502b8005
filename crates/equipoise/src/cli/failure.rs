//! What can go wrong, how it is said and which exit code it gives.

use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use equipoise::documents::command::{FailureDetail, FailureDocument};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::print::SCHEMA_VERSION;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input makes no sense.
    Input(BadInput),
    /// The input was fine, but something else was not.
    Runtime(anyhow::Error),
    /// The user pressed Ctrl-C; says how far the work got.
    Interrupted(String),
    /// Another process is at it: nothing is wrong, and nothing was done.
    Busy(String),
    /// Nobody reads the output any more, as in `equipoise range random | head -1`.
    ClosedPipe,
}

/// What is wrong with the input and where.
#[derive(Debug)]
pub(crate) struct BadInput {
    message: String,
    source: Option<Source>,
    help: Option<String>,
}

/// The text that is wrong.
#[derive(Debug)]
struct Source {
    place: String,
    text: String,
    at: Option<usize>,
}

impl BadInput {
    pub(crate) fn new(message: impl fmt::Display) -> BadInput {
        BadInput { message: message.to_string(), source: None, help: None }
    }

    /// Shows the text of an argument, with a mark under the byte that is wrong if it is known.
    pub(crate) fn in_text(mut self, place: impl Into<String>, text: &str, at: Option<usize>) -> BadInput {
        self.source = Some(Source { place: place.into(), text: text.to_owned(), at });
        self
    }

    /// Says what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> BadInput {
        self.help = Some(help.into());
        self
    }
}

impl From<BadInput> for Failure {
    fn from(input: BadInput) -> Failure {
        Failure::Input(input)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Runtime(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Runtime(anyhow::Error::new(error).context("cannot write to standard output")),
        }
    }
}

impl Failure {
    /// 1 for a failure at run time, 2 for bad input, 75 if another process is at it (EX_TEMPFAIL of sysexits.h: to be tried
    /// again), 130 after an interruption.
    fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Runtime(_) => ExitCode::FAILURE,
            Failure::Input(_) => ExitCode::from(2),
            Failure::Busy(_) => ExitCode::from(75),
            Failure::Interrupted(_) => ExitCode::from(130),
            Failure::ClosedPipe => ExitCode::SUCCESS,
        }
    }

    /// Says on standard error what went wrong: in words, or as a JSON document on one line.
    pub(crate) fn report(&self, as_json: bool) -> ExitCode {
        let text = match self {
            Failure::ClosedPipe => String::new(),
            _ if as_json => self.document(),
            Failure::Input(input) => format!("{ERROR}error:{ERROR:#} {input}"),
            Failure::Runtime(error) => format!("{ERROR}error:{ERROR:#} {}\n", chain(error)),
            Failure::Busy(what) => format!("{ERROR}busy:{ERROR:#} {what}\n"),
            Failure::Interrupted(how_far) => format!("{ERROR}interrupted:{ERROR:#} {how_far}\n"),
        };
        // If standard error is closed too, the exit code is all that is left to say.
        let _ = anstream::stderr().write_all(text.as_bytes());
        self.exit_code()
    }
}

impl Failure {
    fn document(&self) -> String {
        let error = match self {
            Failure::Input(input) => input.body(),
            Failure::Runtime(error) => {
                FailureDetail { code: "failure", message: chain(error), ..FailureDetail::default() }
            }
            Failure::Interrupted(how_far) => {
                FailureDetail { code: "interrupted", message: how_far.clone(), ..FailureDetail::default() }
            }
            Failure::Busy(what) => {
                FailureDetail { code: "busy", message: what.clone(), ..FailureDetail::default() }
            }
            Failure::ClosedPipe => return String::new(),
        };
        let document = FailureDocument { schema_version: SCHEMA_VERSION, error };
        let text = serde_json::to_string(&document).expect("strings and numbers are JSON");
        text + "\n"
    }
}

impl BadInput {
    fn body(&self) -> FailureDetail<'_> {
        let source = self.source.as_ref();
        FailureDetail {
            code: "bad_input",
            message: self.message.clone(),
            help: self.help.as_deref(),
            place: source.map(|source| source.place.as_str()),
            text: source.map(|source| source.text.as_str()),
            at: source.and_then(|source| source.at),
        }
    }
}

/// What went wrong and why, without a reason that the one above it has said already.
fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HELP: Style = AnsiColor::Green.on_default().bold();

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", printable(&self.message))?;
        if let Some(source) = &self.source {
            write!(f, "{source}")?;
        }
        if let Some(help) = &self.help {
            writeln!(f, "{HELP}help:{HELP:#} {help}")?;
        }
        Ok(())
    }
}

/// How many columns of a long text are shown before and after the place that is wrong.
const CONTEXT: (usize, usize) = (48, 20);

impl fmt::Display for Source {
    /// The text, and below it a mark at the wrong byte.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.filter(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        let (before, after) = self.text.split_at(at);
        let (before, after) = (shorten_start(&printable(before)), shorten_end(&printable(after)));
        writeln!(f, "  {}: {before}{after}", self.place)?;
        if self.at.is_some() {
            let column = self.place.width() + 2 + before.width();
            writeln!(f, "  {:column$}{ERROR}^{ERROR:#}", "")?;
        }
        Ok(())
    }
}

/// The text with one visible character for each that would move the cursor.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The end of a text, as much as there is room for.
fn shorten_start(text: &str) -> String {
    if text.width() <= CONTEXT.0 {
        return text.to_owned();
    }
    let kept: Vec<char> = text.chars().rev().scan(0, |width, c| within(width, c, CONTEXT.0)).collect();
    std::iter::once('…').chain(kept.into_iter().rev()).collect()
}

/// The start of a text, as much as there is room for.
fn shorten_end(text: &str) -> String {
    if text.width() <= CONTEXT.1 {
        return text.to_owned();
    }
    let mut kept: String = text.chars().scan(0, |width, c| within(width, c, CONTEXT.1)).collect();
    let _ = kept.write_char('…');
    kept
}

/// The character, as long as it fits with those before it.
fn within(width: &mut usize, c: char, most: usize) -> Option<char> {
    *width += c.width().unwrap_or(0);
    (*width <= most).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, at: Option<usize>) -> String {
        let input = BadInput::new("wrong").in_text("player 1", text, at);
        anstream::adapter::strip_str(&input.to_string()).to_string()
    }

    #[test]
    fn the_mark_stands_under_the_byte() {
        assert_eq!(shown("AhXd", Some(2)), "wrong\n  player 1: AhXd\n              ^\n");
        // A suit symbol takes three bytes and one column.
        assert_eq!(shown("A♥Xd", Some(4)), "wrong\n  player 1: A♥Xd\n              ^\n");
        // The end of the text is a place too.
        assert_eq!(shown("Ah", Some(2)), "wrong\n  player 1: Ah\n              ^\n");
        assert_eq!(shown("Ah", None), "wrong\n  player 1: Ah\n");
    }

    #[test]
    fn a_reason_is_said_once() {
        let refused = || io::Error::other("no room");
        let error = anyhow::Error::new(refused()).context(format!("x.eqp: {}", refused()));
        assert_eq!(chain(&error), "x.eqp: no room");
        assert_eq!(chain(&anyhow::Error::new(refused()).context("x.eqp")), "x.eqp: no room");
    }

    #[test]
    fn programs_read_what_is_wrong() {
        let input = BadInput::new("wrong").in_text("player 1", "AhXd", Some(2)).help("write cards");
        assert_eq!(
            Failure::Input(input).document(),
            "{\"schema_version\":1,\"error\":{\"code\":\"bad_input\",\"message\":\"wrong\",\"help\":\"write cards\",\
             \"place\":\"player 1\",\"text\":\"AhXd\",\"at\":2}}\n"
        );
        let failed = Failure::Runtime(anyhow::anyhow!("no room")).document();
        assert_eq!(
            failed,
            "{\"schema_version\":1,\"error\":{\"code\":\"failure\",\"message\":\"no room\"}}\n"
        );
    }

    #[test]
    fn odd_text_does_not_break_the_message() {
        assert_eq!(
            shown("A\n\x1b[31m", Some(1)),
            "wrong\n  player 1: A\u{fffd}\u{fffd}[31m\n             ^\n"
        );
        // A place inside a character or beyond the end marks the start.
        assert_eq!(shown("♥", Some(1)), "wrong\n  player 1: ♥\n            ^\n");
        let long = format!("{}X{}", "AKs,".repeat(100), ",AKo".repeat(100));
        let text = shown(&long, Some(400));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].width() < 90, "{text}");
        let column = lines[2].find('^').unwrap();
        assert_eq!(lines[1].chars().nth(column), Some('X'), "{text}");
    }
}
