//! The protocol of the Annual Computer Poker Competition, version 2.0.0: as a player ([`serve_acpc`]) and as a dealer
//! ([`AcpcAgent`]).
//!
//! Lines end in CR LF. The player says `VERSION:2.0.0` first. The dealer sends every state, also when the other player acts and
//! when the hand is over; whoever acts answers with the state, a colon, and `f`, `c` or `r` with the total of the whole hand.

use std::fmt::Write as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use equipoise_cards::{Board, Combo, Street};
use equipoise_game::{Action, Chips, HandConfig, HandState, PerPlayer, Player};
use equipoise_histories::{History, HistoryReader, Stakes};

use crate::agent::{Agent, AgentError, Decision, HandEnd, Seat, Taken, View};
use crate::hand::PlayedHand;
use crate::recorded::replay;

/// What a player says first.
const VERSION: &str = "VERSION:2.0.0";

/// The longest line that is taken.
const MAX_LINE: usize = 1 << 14;

/// How often whoever waits asks whether to go on.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The number of a seat: the big blind is 0.
const fn position(seat: Player) -> usize {
    match seat {
        Player::Oop => 0,
        Player::Ip => 1,
    }
}

/// The actions of a hand, streets separated by `/`, as far as the street.
fn betting(taken: &[Taken], street: Street) -> String {
    let (mut text, mut at) = (String::new(), Street::Preflop);
    let mut reach = |text: &mut String, to: Street| {
        while at < to {
            text.push('/');
            at = Street::ALL[at as usize + 1];
        }
    };
    for taken in taken {
        reach(&mut text, taken.before.street());
        text.push_str(&word(&taken.before, taken.action));
    }
    reach(&mut text, street);
    text
}

/// An action with the hand before it.
fn word(before: &HandState, action: Action) -> String {
    match (action.total(), before.to_act()) {
        (Some(total), Some(seat)) => {
            let earlier = before.hand_total(seat) - before.street_total(seat);
            format!("r{}", (earlier + total).count())
        }
        _ if action == Action::Fold => "f".to_owned(),
        _ => "c".to_owned(),
    }
}

/// Private cards and board; unknown cards are left out.
fn cards(combos: &PerPlayer<Option<Combo>>, board: &Board) -> String {
    let text = |seat: Player| combos[seat].map_or_else(String::new, |combo| combo.to_string());
    let mut text = format!("{}|{}", text(Player::Oop), text(Player::Ip));
    for (at, card) in board.cards().iter().enumerate() {
        let bar = if matches!(at, 0 | 3 | 4) { "/" } else { "" };
        let _ = write!(text, "{bar}{card}");
    }
    text
}

impl PlayedHand {
    /// The hand as a line of a log, with the names of the big blind and the button.
    #[must_use]
    pub fn acpc_line(&self, names: &PerPlayer<String>) -> String {
        let board = self.board();
        format!(
            "STATE:{}:{}:{}:{}|{}:{}|{}",
            self.number,
            betting(&self.taken, board.street()),
            cards(&self.deal.combos.map(Some), &board),
            self.winnings[Player::Oop],
            self.winnings[Player::Ip],
            names[Player::Oop],
            names[Player::Ip]
        )
    }
}

/// A connection that is read line by line.
#[derive(Debug)]
struct Lines {
    stream: TcpStream,
    /// Bytes that belong to lines that nobody asked for yet.
    read: Vec<u8>,
    name: String,
}

impl Lines {
    fn new(stream: TcpStream, name: String) -> Lines {
        // A state is small and waited for.
        let _ = stream.set_nodelay(true);
        Lines { stream, read: Vec::new(), name }
    }

    fn broken(&self, reason: &dyn std::fmt::Display) -> AgentError {
        AgentError::Connection { name: self.name.clone(), reason: reason.to_string() }
    }

    fn nonsense(&self, text: &str, reason: impl Into<String>) -> AgentError {
        let shown: String = text.chars().take(120).collect();
        AgentError::Nonsense { name: self.name.clone(), text: shown, reason: reason.into() }
    }

    fn send(&mut self, line: &str) -> Result<(), AgentError> {
        let sent = self.stream.write_all(format!("{line}\r\n").as_bytes());
        sent.map_err(|error| self.broken(&error))
    }

    /// The next line without its end; `None` if the other side closed the connection between two lines.
    fn line(
        &mut self,
        limit: Option<Duration>,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<String>, AgentError> {
        let begun = Instant::now();
        loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
                return Ok(Some(text));
            }
            if self.read.len() > MAX_LINE {
                let text = String::from_utf8_lossy(&self.read).into_owned();
                return Err(self.nonsense(&text, format!("the line is longer than {MAX_LINE} bytes")));
            }
            if go_on().is_break() {
                return Ok(None);
            }
            let left = limit.map_or(LOOK_UP, |limit| limit.saturating_sub(begun.elapsed()));
            if left.is_zero() {
                return Err(AgentError::TimedOut {
                    name: self.name.clone(),
                    limit: limit.unwrap_or_default(),
                });
            }
            let set = self.stream.set_read_timeout(Some(left.min(LOOK_UP)));
            set.map_err(|error| self.broken(&error))?;
            let mut bytes = [0; 1024];
            match self.stream.read(&mut bytes) {
                Ok(0) if self.read.is_empty() => return Ok(None),
                Ok(0) => return Err(self.broken(&"the connection ended within a line")),
                Ok(count) => self.read.extend_from_slice(&bytes[..count]),
                Err(error) if is_silence(error.kind()) => {}
                Err(error) => return Err(self.broken(&error)),
            }
        }
    }
}

fn is_silence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// A player who is at the other end of a connection: any program that speaks the protocol.
#[derive(Debug)]
pub struct AcpcAgent {
    lines: Mutex<Lines>,
    limit: Duration,
}

impl AcpcAgent {
    /// Greets a program that has connected; it has the given time for its greeting and for each decision.
    ///
    /// # Errors
    /// [`AgentError`] if it says nothing in time or something else.
    pub fn greet(stream: TcpStream, name: String, limit: Duration) -> Result<AcpcAgent, AgentError> {
        let mut lines = Lines::new(stream, name);
        match lines.line(Some(limit), &mut || ControlFlow::Continue(()))? {
            Some(line) if line.trim() == VERSION => Ok(AcpcAgent { lines: Mutex::new(lines), limit }),
            Some(line) => Err(lines.nonsense(&line, format!("a player says {VERSION} first"))),
            None => Err(lines.broken(&"it left before it said anything")),
        }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Agent for AcpcAgent {
    fn name(&self) -> String {
        self.lines().name.clone()
    }

    fn sit(&self, _: u64, _: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        Ok(Box::new(RemoteSeat { agent: self }))
    }

    fn is_sequential(&self) -> bool {
        true
    }
}

struct RemoteSeat<'a> {
    agent: &'a AcpcAgent,
}

fn state(number: u64, seat: Player, betting: &str, cards: &str) -> String {
    format!("MATCHSTATE:{}:{number}:{betting}:{cards}", position(seat))
}

fn view_state(view: &View<'_>) -> String {
    let combos = PerPlayer::from_fn(|seat| (seat == view.seat).then_some(view.combo));
    state(view.number, view.seat, &betting(view.taken, view.hand.street()), &cards(&combos, &view.board))
}

/// The action of an answer.
fn read_action(hand: &HandState, text: &str) -> Result<Action, String> {
    let legal = hand.legal_actions().ok_or("nobody acts")?;
    match text.as_bytes().first() {
        Some(b'f') if text.len() == 1 => Ok(Action::Fold),
        Some(b'c') if text.len() == 1 => {
            Ok(if legal.to_call() > Chips::ZERO { Action::Call } else { Action::Check })
        }
        Some(b'r') => {
            let digits = &text[1..];
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let total: u32 =
                digits.parse().ok().filter(|_| is_number).ok_or("r needs a number of chips, such as r300")?;
            let seat = hand.to_act().ok_or("nobody acts")?;
            let earlier = (hand.hand_total(seat) - hand.street_total(seat)).count();
            let total = total.checked_sub(earlier).ok_or("r is the total of the whole hand")?;
            let legal_total = legal.to_total(Chips::new(total));
            legal_total
                .ok_or_else(|| format!("a raise to {} is not legal here; legal: {legal}", Chips::new(total)))
        }
        _ => Err("an action is f, c, or r with a number of chips".to_owned()),
    }
}

impl Seat for RemoteSeat<'_> {
    fn sees(&mut self, view: &View<'_>) -> Result<(), AgentError> {
        self.agent.lines().send(&view_state(view))
    }

    fn act(&mut self, view: &View<'_>) -> Result<Decision, AgentError> {
        let sent = view_state(view);
        let mut lines = self.agent.lines();
        lines.send(&sent)?;
        loop {
            let Some(line) = lines.line(Some(self.agent.limit), &mut || ControlFlow::Continue(()))? else {
                return Err(lines.broken(&"it closed the connection instead of acting"));
            };
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let Some(action) = line.strip_prefix(&sent).and_then(|rest| rest.strip_prefix(':')) else {
                return Err(lines.nonsense(&line, format!("an answer is {sent}: and an action")));
            };
            return match read_action(&view.hand, action.trim()) {
                Ok(action) => Ok(Decision::of(action)),
                Err(reason) => Err(lines.nonsense(&line, reason)),
            };
        }
    }

    fn over(&mut self, seat: Player, end: &HandEnd<'_>) -> Result<(), AgentError> {
        let is_shown = end.hand.winner_by_fold().is_none();
        let combos = PerPlayer::from_fn(|other| (other == seat || is_shown).then_some(end.combos[other]));
        let line =
            state(end.number, seat, &betting(end.taken, end.board.street()), &cards(&combos, &end.board));
        self.agent.lines().send(&line)
    }
}

/// A state as a dealer sends it.
pub(crate) struct Seen {
    pub(crate) number: u64,
    pub(crate) seat: Player,
    pub(crate) combo: Combo,
    pub(crate) board: Board,
    pub(crate) hand: HandState,
    pub(crate) taken: Vec<Taken>,
}

/// Reads a state and plays it by the rules.
fn read_state(line: &str, config: &HandConfig) -> Result<Seen, String> {
    let stack = config.stacks[Player::Oop].min(config.stacks[Player::Ip]);
    let stakes = Stakes {
        small_blind: config.small_blind.count().into(),
        big_blind: config.big_blind.count().into(),
        stack: stack.count().into(),
    };
    let mut reader = HistoryReader::new(line.as_bytes(), &stakes);
    let history: History = match reader.next() {
        Some(read) => read.map_err(|error| error.problem.to_string())?,
        None => return Err("it holds no state".to_owned()),
    };
    if !line.starts_with("MATCHSTATE:") {
        return Err("a state begins with MATCHSTATE:".to_owned());
    }
    let number = history.id.as_deref().and_then(|id| id.parse().ok()).ok_or("its hand has no number")?;
    seen_of(&history, config, number)
}

/// Plays a history of one player by the rules, up to where that player sees it.
pub(crate) fn seen_of(history: &History, config: &HandConfig, number: u64) -> Result<Seen, String> {
    let hero = history.hero.ok_or("it does not say whose it is")?;
    let combo = history.players[hero].cards.ok_or("it has no private cards of the player")?;
    let (hand, taken, board) = replay(&history.events, config, (1, 1))?;
    if hand.to_act().is_some() && board.street() != hand.street() {
        return Err(format!("{} public cards on the {}", board.cards().len(), hand.street()));
    }
    let seat = if hero == 0 { Player::Oop } else { Player::Ip };
    Ok(Seen { number, seat, combo, board, hand, taken })
}

/// What came of playing for a dealer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServedHands {
    /// Hands that began.
    pub hands: u64,
    /// Decisions that were made.
    pub decisions: u64,
}

/// Plays for a dealer at the other end of a connection until it closes it or `go_on` says to end.
///
/// # Errors
/// [`AgentError`] if the connection fails or the dealer sends nonsense.
pub fn serve_acpc(
    stream: TcpStream,
    agent: &dyn Agent,
    config: &HandConfig,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<ServedHands, AgentError> {
    let mut lines = Lines::new(stream, "the dealer".to_owned());
    lines.send(VERSION)?;
    let mut served = ServedHands::default();
    let mut current: Option<(u64, Player, Box<dyn Seat + '_>)> = None;
    while let Some(line) = lines.line(None, go_on)? {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let seen = read_state(&line, config).map_err(|reason| lines.nonsense(&line, reason))?;
        let is_new =
            current.as_ref().is_none_or(|(number, seat, _)| (*number, *seat) != (seen.number, seen.seat));
        if is_new {
            served.hands += 1;
            current = Some((seen.number, seen.seat, agent.sit(seen.number, seen.seat)?));
        }
        if seen.hand.to_act() != Some(seen.seat) {
            continue;
        }
        let Some((_, _, seat)) = &mut current else { continue };
        let Seen { number, combo, board, hand, ref taken, .. } = seen;
        let decision = seat.act(&View { number, seat: seen.seat, combo, board, hand, taken })?;
        served.decisions += 1;
        lines.send(&format!("{line}:{}", word(&hand, decision.action)))?;
    }
    Ok(served)
}

/// What must hold of any text that a dealer or a player may send: it is understood, or refused with a reason.
#[doc(hidden)]
pub fn check_acpc_text(text: &str) {
    let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000));
    if let Ok(seen) = read_state(text, &config) {
        let combos = PerPlayer::from_fn(|seat| (seat == seen.seat).then_some(seen.combo));
        let street = seen.hand.street().max(seen.board.street());
        let written =
            state(seen.number, seen.seat, &betting(&seen.taken, street), &cards(&combos, &seen.board));
        let again = read_state(&written, &config).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(
            (again.hand, &again.taken, again.board),
            (seen.hand, &seen.taken, seen.board),
            "{written}"
        );
        if seen.hand.to_act().is_some() {
            let _ = read_action(&seen.hand, text.rsplit(':').next().unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> HandConfig {
        HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000))
    }

    #[test]
    fn states_of_the_documentation() {
        let seen = read_state("MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d", &config()).unwrap();
        assert_eq!((seen.number, seen.seat, seen.hand.to_act()), (30, Player::Oop, Some(Player::Oop)));
        assert_eq!(seen.hand.pot(), Chips::new(1_000));
        let action = read_action(&seen.hand, "r1250").unwrap();
        assert_eq!((action, word(&seen.hand, action)), (Action::Bet(Chips::new(750)), "r1250".to_owned()));
        let line = "MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/r20000c/:KsJs|JdTc/6dJc9c/Kh/Qc";
        let seen = read_state(line, &config()).unwrap();
        assert_eq!((seen.hand.pot(), seen.hand.to_act()), (Chips::new(40_000), None));
        let totals: Vec<u32> =
            seen.taken.iter().filter_map(|taken| taken.action.total()).map(Chips::count).collect();
        assert_eq!(totals, [300, 900, 900, 2_700, 8_100, 11_000]);
    }

    #[test]
    fn what_is_wrong() {
        for (line, words) in [
            ("STATE:15:f:3c4c|Th7s:50|-50:Bob|Alice", "begins with MATCHSTATE"),
            ("MATCHSTATE:0:30:cc/:|/8c8d5c", "no private cards"),
            ("MATCHSTATE:0:30:r150:9s8h|", "150"),
            ("MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c//2d", "1 public cards, not 0"),
            ("HELLO", "HELLO"),
            ("", "no state"),
        ] {
            let error = read_state(line, &config()).err().unwrap();
            assert!(error.contains(words), "{line}: {error}");
        }
        let start = HandState::new(&config()).unwrap();
        for (text, words) in [
            ("x", "an action is"),
            ("r", "needs a number"),
            ("r150", "not legal"),
            ("r99999999999", "needs a number"),
            ("", "an action is"),
        ] {
            let error = read_action(&start, text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
