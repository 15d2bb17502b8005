//! Reading hands one by one.

use std::io::{self, BufRead, Read};

use crate::error::{HistoryError, Problem};
use crate::history::{Format, History, Player};
use crate::{acpc, phh, pokerstars, slumbot};

/// Blinds and stacks of formats that do not say them: ACPC's and Slumbot's.
///
/// ```
/// use equipoise_histories::Stakes;
/// let stakes = Stakes::default();
/// assert_eq!((stakes.small_blind, stakes.big_blind, stakes.stack), (50, 100, 20_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Stakes {
    /// What the button posts.
    pub small_blind: u64,
    /// What the other player posts.
    pub big_blind: u64,
    /// What each has before posting.
    pub stack: u64,
}

impl Default for Stakes {
    fn default() -> Stakes {
        Stakes { small_blind: 50, big_blind: 100, stack: 20_000 }
    }
}

impl Stakes {
    /// A heads-up hand before its first action.
    pub(crate) fn history(&self, format: Format) -> History {
        let player = |blind| Player { stack: self.stack, blind, ..Player::default() };
        History::new(format, vec![player(self.big_blind), player(self.small_blind)], self.big_blind)
    }
}

/// The most bytes of a line and of a hand.
const MAX_BYTES: usize = 1 << 22;

/// Reads hands of any of the formats, one after the other. After an error the next hand can be read, unless the input itself
/// fails.
#[derive(Debug)]
pub struct HistoryReader<R> {
    input: R,
    stakes: Stakes,
    /// Lines read so far.
    line: u64,
    hand: u64,
    /// A line that was read and belongs to the next hand.
    ahead: Option<String>,
    /// Whether text of no known format was reported already.
    is_lost: bool,
    is_done: bool,
}

/// The lines of one hand, the first of which is line `first`.
struct Chunk {
    format: Format,
    text: String,
    first: u64,
}

impl<R: BufRead> HistoryReader<R> {
    /// Reads from an input; `stakes` are those of formats that do not say them.
    pub fn new(input: R, stakes: &Stakes) -> HistoryReader<R> {
        HistoryReader {
            input,
            stakes: *stakes,
            line: 0,
            hand: 0,
            ahead: None,
            is_lost: false,
            is_done: false,
        }
    }

    /// The next line without its end; `None` at the end of the input.
    fn read_line(&mut self) -> Result<Option<String>, Problem> {
        if let Some(line) = self.ahead.take() {
            self.line += 1;
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        (&mut self.input).take(MAX_BYTES as u64 + 1).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        if bytes.len() > MAX_BYTES {
            self.is_done = true;
            return Err(Problem::TooLong { limit: MAX_BYTES });
        }
        let is_utf16 =
            self.line == 1 && (bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]));
        if is_utf16 {
            self.is_done = true;
        }
        let mut line = String::from_utf8(bytes).map_err(|_| Problem::Encoding { is_utf16 })?;
        if self.line == 1 && line.starts_with('\u{feff}') {
            line.remove(0);
        }
        line.truncate(line.trim_end_matches(['\n', '\r']).len());
        Ok(Some(line))
    }

    /// The lines of the next hand.
    fn chunk(&mut self) -> Result<Option<Chunk>, Problem> {
        let (format, line) = loop {
            let Some(line) = self.read_line()? else { return Ok(None) };
            let start = line.trim_start();
            // Comments and scores stand between hands.
            if start.is_empty() || start.starts_with(['#', ';']) || start.starts_with("SCORE:") {
                continue;
            }
            match recognised(start) {
                Some(format) => break (format, line),
                None if self.is_lost => {}
                None => {
                    self.is_lost = true;
                    return Err(Problem::UnknownFormat { start: start.chars().take(40).collect() });
                }
            }
        };
        self.is_lost = false;
        let first = self.line;
        let mut chunk = Chunk { format, text: line, first };
        match format {
            Format::Acpc | Format::Slumbot => {}
            Format::Phh => {
                // Documents without sections that were put after each other begin with the same key.
                let mut has_variant = is_variant(&chunk.text);
                let ends = |line: &str, _| {
                    is_section(line) || is_variant(line) && std::mem::replace(&mut has_variant, true)
                };
                self.extend(&mut chunk, ends)?;
            }
            Format::PokerStars => {
                // A hand ends with an empty line after its summary, or where the next one begins.
                let ends = |line: &str, is_summary: bool| {
                    recognised(line) == Some(Format::PokerStars) || is_summary && line.is_empty()
                };
                self.extend(&mut chunk, ends)?;
            }
        }
        Ok(Some(chunk))
    }

    /// Adds lines up to the one before which the hand ends.
    fn extend(&mut self, chunk: &mut Chunk, mut ends: impl FnMut(&str, bool) -> bool) -> Result<(), Problem> {
        let mut is_summary = false;
        while let Some(line) = self.read_line()? {
            let start = line.trim();
            if ends(start, is_summary) {
                self.line -= 1;
                self.ahead = Some(line);
                break;
            }
            is_summary |= start.starts_with("*** SUMMARY");
            chunk.text.push('\n');
            chunk.text.push_str(&line);
            if chunk.text.len() > MAX_BYTES {
                return Err(Problem::TooLong { limit: MAX_BYTES });
            }
        }
        Ok(())
    }

    fn history(&self, chunk: &Chunk) -> Result<Option<History>, (u64, Problem)> {
        let at_first = |problem| (chunk.first, problem);
        match chunk.format {
            Format::Acpc => {
                let parsed = acpc::parse(&chunk.text, &self.stakes).map_err(at_first)?;
                parsed.map(|history| checked(history, |_| chunk.first)).transpose()
            }
            Format::Slumbot => {
                let parsed = slumbot::parse(&chunk.text, &self.stakes).map_err(at_first)?;
                parsed.map(|history| checked(history, |_| chunk.first)).transpose()
            }
            Format::Phh => {
                // The header of a section is not part of its document, but counts as a line.
                let body = if is_section(chunk.text.trim_start()) {
                    chunk.text.split_once('\n').map_or("", |(_, body)| body)
                } else {
                    &chunk.text
                };
                let skipped = u64::from(body.len() < chunk.text.len());
                let parsed = phh::parse(body);
                let (history, from) = parsed.map_err(|(line, problem)| {
                    (chunk.first + line.map_or(0, |line| line as u64 + skipped), problem)
                })?;
                let line_of = |id: usize| {
                    let line = from.get(id).and_then(|&action| phh::action_line(body, action));
                    chunk.first + line.map_or(0, |line| line as u64 + skipped)
                };
                checked(history, line_of).map(Some)
            }
            Format::PokerStars => {
                let parsed = pokerstars::parse(&chunk.text)
                    .map_err(|(line, problem)| (chunk.first + line as u64, problem))?;
                let line_of = |id: usize| chunk.first + parsed.lines.get(id).map_or(0, |&line| line as u64);
                checked(parsed.history.clone(), line_of).map(Some)
            }
        }
    }
}

/// Replays a hand before it is given out.
fn checked(history: History, line_of: impl Fn(usize) -> u64) -> Result<History, (u64, Problem)> {
    let replay = history.replay().map_err(|(id, problem)| (line_of(id), problem))?;
    let last = || line_of(history.events.len().saturating_sub(1));
    let is_finished = match history.format {
        Format::Acpc | Format::Slumbot => history.stated_winnings.is_some(),
        Format::PokerStars => true,
        Format::Phh => false,
    };
    if is_finished && !replay.is_over {
        return Err((last(), Problem::CutOff("it says who won, but it is not over".to_owned())));
    }
    // Where there is rake, what is stated is less.
    let has_no_rake = matches!(history.format, Format::Acpc | Format::Slumbot);
    if let (true, Some(stated), Some(found)) =
        (has_no_rake, &history.stated_winnings, replay.winnings(&history))
        && *stated != found
    {
        return Err((last(), Problem::Winnings { stated: stated.clone(), found }));
    }
    Ok(history)
}

/// `[1]`
fn is_section(line: &str) -> bool {
    let digits =
        line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(digits, _)| digits.trim());
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `variant = "NT"`
fn is_variant(line: &str) -> bool {
    line.trim_start().strip_prefix("variant").is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// The format of which this may be the first line of a hand.
fn recognised(line: &str) -> Option<Format> {
    if line.starts_with("STATE:") || line.starts_with("MATCHSTATE:") {
        return Some(Format::Acpc);
    }
    if line.starts_with("PokerStars ") && line.contains('#') {
        return Some(Format::PokerStars);
    }
    if line.starts_with('{')
        || line.bytes().all(|byte| b"kcfb/0123456789".contains(&byte)) && !line.is_empty()
    {
        return Some(Format::Slumbot);
    }
    let key = line.split_once('=').map(|(key, _)| key.trim());
    let is_key = key.is_some_and(|key| {
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    (is_key || is_section(line)).then_some(Format::Phh)
}

impl<R: BufRead> Iterator for HistoryReader<R> {
    type Item = Result<History, HistoryError>;

    fn next(&mut self) -> Option<Result<History, HistoryError>> {
        while !self.is_done {
            let found = match self.chunk() {
                Ok(None) => {
                    self.is_done = true;
                    return None;
                }
                Ok(Some(chunk)) => self.history(&chunk),
                Err(problem) => {
                    self.is_done |=
                        matches!(&problem, Problem::Io(error) if error.kind() != io::ErrorKind::Interrupted);
                    Err((self.line.max(1), problem))
                }
            };
            match found {
                Ok(None) => {}
                Ok(Some(history)) => {
                    self.hand += 1;
                    return Some(Ok(history));
                }
                Err((line, problem)) => {
                    self.hand += 1;
                    return Some(Err(HistoryError { hand: self.hand, line, problem }));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Result<History, HistoryError>> {
        HistoryReader::new(text, &Stakes::default()).collect()
    }

    fn said(text: &[u8]) -> Vec<String> {
        read(text)
            .into_iter()
            .map(|hand| hand.map_or_else(|error| error.to_string(), |hand| hand.format.to_string()))
            .collect()
    }

    const STARS: &str = include_str!("examples/heads-up.txt");

    #[test]
    fn every_format_by_what_it_says() {
        let phh = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [200, 200]\nactions = ['p2 f']\n";
        let mixed = format!(
            "\u{feff}# log\r\nSTATE:15:f:3c4c|Th7s:50|-50:Bob|Alice\r\nSCORE:1|2:A|B\nb200f\n\n{STARS}\n\n{STARS}{STARS}\nSTATE:16:f:3c4c|Th7s:50|-50:Bob|Alice\n{phh}\n[2]\n{phh}"
        );
        let want = ["acpc", "slumbot", "pokerstars", "pokerstars", "pokerstars", "acpc", "phh", "phh"];
        assert_eq!(said(mixed.as_bytes()), want);
    }

    #[test]
    fn errors_say_where_and_the_rest_is_read() {
        let text = "STATE:1:r150f:3c4c|Th7s:50|-50:A|B\nSTATE:2:f:3c4c|Th7s:50|-50:A|B\nSTATE:3:f:3c4c|Th7s:75|-75:A|B\nSTATE:4:c:3c4c|Th7s:75|-75:A|B\n";
        let said = said(text.as_bytes());
        assert!(
            said[0]
                .starts_with("hand 1, line 1: p2 bets or raises to 150; legal: fold, call 50, raise to 200"),
            "{said:?}"
        );
        assert_eq!(said[1], "acpc");
        assert!(
            said[2].starts_with("hand 3, line 3: the history says that the winnings are [75, -75]"),
            "{said:?}"
        );
        assert!(said[3].starts_with("hand 4, line 4: the hand is cut off"), "{said:?}");
    }

    #[test]
    fn unknown_sites_and_encodings() {
        let text = format!("Full Tilt Poker Game #1: x\nSeat 1: x\n\n{STARS}");
        let said_of = said(text.as_bytes());
        assert!(
            said_of[0].starts_with("hand 1, line 1: 'Full Tilt Poker Game #1: x' begins no hand history"),
            "{said_of:?}"
        );
        assert_eq!(said_of[1..], ["pokerstars"]);
        assert!(said(b"\xff\xfeS\0T\0")[0].contains("UTF-16"));
        assert!(said(b"STATE:1:f:\xff\n")[0].contains("not UTF-8"));
        assert_eq!(said(b""), [""; 0]);
        let cut = &STARS[..STARS.find("*** RIVER").unwrap()];
        let both = said(format!("{cut}\n{STARS}").as_bytes());
        assert!(both[0].contains("line 15: the hand is cut off: there is no summary"), "{both:?}");
        assert_eq!(both[1], "pokerstars");
    }

    #[test]
    fn a_wrong_action_of_phh_has_its_line() {
        let phh = "[7]\nvariant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [200, 200]\nactions = [\n'p2 cc',\n'p1 f',\n]\n";
        assert_eq!(
            said(phh.as_bytes()),
            ["hand 1, line 9: p1 folds where nothing is to call; legal: check, raise to 200 up to 200"]
                .map(|text| text.replace("raise to 200 up to 200", "all-in 200"))
        );
        assert!(said(b"variant = 'NT'\nantes = [\n")[0].starts_with("hand 1, line"));
        // The same action was legal twice before.
        let again =
            phh.replace("'p2 cc',\n'p1 f'", "'p2 cc',\n'p1 cc',\n'd db 2c3c4c',\n'p1 cc', 'p2 cc',\n'p2 cc'");
        assert_eq!(
            said(again.as_bytes()),
            ["hand 1, line 12: p2 checks or calls, but the cards of the turn come next"]
        );
        let unknown = phh.replace("'p1 f'", "'p1 waits'");
        assert!(said(unknown.as_bytes())[0].starts_with("hand 1, line 9: the action 'p1 waits'"));
    }

    #[test]
    fn documents_that_are_glued_together() {
        let phh = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [200, 200]\nactions = ['p2 f']\n";
        assert_eq!(said(phh.repeat(3).as_bytes()), ["phh"; 3]);
        let cut = &phh[..phh.find("starting").unwrap()];
        let found = said(format!("{phh}{cut}{phh}").as_bytes());
        assert_eq!((found[0].as_str(), found[2].as_str(), found.len()), ("phh", "phh", 3));
        assert!(found[1].starts_with("hand 2, line") && found[1].contains("missing field"), "{found:?}");
        let line = "STATE:1:f:3c4c|Th7s:50|-50:A|B";
        let found = said(format!("{line}{line}\n{line}\n").as_bytes());
        assert!(found[0].starts_with("hand 1, line 1: 11 fields instead of 6") && found[0].contains("glued"));
        assert_eq!(found[1], "acpc");
    }
}
