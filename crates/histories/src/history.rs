//! A hand as its history tells it.

use std::fmt;
use std::str::FromStr;

use equipoise_cards::{Card, Combo};
use thiserror::Error;

use crate::amount::shown;
use crate::error::Problem;
use crate::replay::Replay;
use crate::{acpc, phh, slumbot};

/// How a history is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Match states and logs of the Annual Computer Poker Competition.
    Acpc,
    /// Slumbot's action strings.
    Slumbot,
    /// The Poker Hand History format.
    Phh,
    /// PokerStars' text.
    PokerStars,
}

/// A text that names no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no format that hands are written in: write phh, acpc or slumbot")]
#[non_exhaustive]
pub struct ParseFormatError {
    /// The text.
    pub text: String,
}

impl Format {
    /// The formats that hands are written in.
    pub const WRITTEN: [Format; 3] = [Format::Phh, Format::Acpc, Format::Slumbot];

    /// The name that people write.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["acpc", "slumbot", "phh", "pokerstars"][self as usize]
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        Format::WRITTEN
            .into_iter()
            .find(|format| text.eq_ignore_ascii_case(format.name()))
            .ok_or_else(|| ParseFormatError { text: text.to_owned() })
    }
}

/// A player of a hand, and what the player begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Player {
    /// The name, if the history has one.
    pub name: Option<String>,
    /// Chips before posting.
    pub stack: u64,
    /// Chips posted that are no part of a bet.
    pub ante: u64,
    /// Chips posted as a bet: the blind or straddle.
    pub blind: u64,
    /// The private cards, if they are known.
    pub cards: Option<Combo>,
    /// Whether the history names the lower of the two cards first.
    pub is_low_first: bool,
}

impl Player {
    /// The private cards in the order in which the history names them, if they are known.
    #[must_use]
    pub fn dealt(&self) -> Option<[Card; 2]> {
        let combo = self.cards?;
        Some(if self.is_low_first { [combo.low(), combo.high()] } else { [combo.high(), combo.low()] })
    }

    /// The private cards as text, in the order of the history.
    pub(crate) fn dealt_text(&self) -> Option<String> {
        self.dealt().map(|[first, second]| format!("{first}{second}"))
    }

    /// Takes two private cards in the order of the history.
    pub(crate) fn take_cards(&mut self, first: Card, second: Card) {
        self.cards = Combo::new(first, second);
        self.is_low_first = self.cards.is_some_and(|combo| combo.low() == first);
    }
}

/// Something that happened, in the order of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // Whoever replays a hand handles all of them.
pub enum Event {
    /// Public cards come: the flop, the turn or the river. None if they are unknown.
    Board(Vec<Card>),
    /// A player folds.
    Fold(usize),
    /// A player checks or calls.
    CheckOrCall(usize),
    /// A player bets or raises to this total of the street.
    BetTo(usize, u64),
}

/// What a format says that a check or call was, where it tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// A check.
    Check,
    /// A call, of this many chips if the format says them.
    Call(Option<u64>),
}

/// A hand of two to ten players as its history tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct History {
    /// How it was written.
    pub format: Format,
    /// What the history calls the hand.
    pub id: Option<String>,
    /// The players in the order in which they act after the flop; heads-up the big blind and the button.
    pub players: Vec<Player>,
    /// The least bet.
    pub min_bet: u64,
    /// The decimals of amounts: a chip is 10^-`decimals` of the history's unit.
    pub decimals: u32,
    /// The unit of amounts, such as USD, if the history names one.
    pub currency: Option<String>,
    /// Whether antes are dead money; otherwise they are matched as bets are, and what others cannot pay is returned.
    pub has_dead_antes: bool,
    /// What happened after posting.
    pub events: Vec<Event>,
    /// The player whose history it is.
    pub hero: Option<usize>,
    /// What the house took, if the history says so.
    pub rake: Option<u64>,
    /// What each player won or lost, if the history says so.
    pub stated_winnings: Option<Vec<i64>>,
    /// What checks and calls were said to be, by event.
    said: Vec<Option<Said>>,
    /// Whether a big blind that is all-in for less has to be called in full at a table of three or more.
    pub(crate) calls_full_blind: bool,
}

impl History {
    pub(crate) fn new(format: Format, players: Vec<Player>, min_bet: u64) -> History {
        History {
            format,
            id: None,
            players,
            min_bet,
            decimals: 0,
            currency: None,
            has_dead_antes: false,
            events: Vec::new(),
            hero: None,
            rake: None,
            stated_winnings: None,
            said: Vec::new(),
            calls_full_blind: false,
        }
    }

    /// Adds a check or call and which of both it was said to be.
    pub(crate) fn push_passive(&mut self, player: usize, said: Said) {
        self.said.resize(self.events.len(), None);
        self.said.push(Some(said));
        self.events.push(Event::CheckOrCall(player));
    }

    /// What a check or call was said to be.
    pub(crate) fn said(&self, event: usize) -> Option<Said> {
        self.said.get(event).copied().flatten()
    }

    /// What every call is at least before the flop; 0 unless a short big blind has to be called in full.
    pub(crate) fn full_blind(&self) -> u64 {
        if self.calls_full_blind && self.players.len() > 2 { self.min_bet } else { 0 }
    }

    /// Plays the hand by the rules.
    ///
    /// # Errors
    /// The event that is not legal, by its index, and what is wrong with it.
    pub fn replay(&self) -> Result<Replay, (usize, Problem)> {
        Replay::of(self)
    }

    /// What each player won or lost, in chips: what the history says, otherwise what follows from the hand. `None` if the
    /// hand is not over or cards of a showdown are unknown.
    #[must_use]
    pub fn winnings(&self) -> Option<Vec<i64>> {
        self.stated_winnings.clone().or_else(|| self.replay().ok()?.winnings(self))
    }

    /// The name of a player, or `p1` for the first.
    #[must_use]
    pub fn name(&self, player: usize) -> String {
        let name = self.players.get(player).and_then(|player| player.name.clone());
        name.unwrap_or_else(|| format!("p{}", player + 1))
    }

    /// The position of a player: `sb`, `bb`, `btn`, or the place counted from the button, as in `btn-1`.
    #[must_use]
    pub fn position(&self, player: usize) -> String {
        let last = self.players.len().saturating_sub(1);
        match (self.players.len(), player) {
            (2, 0) => "bb".to_owned(),
            (_, player) if player == last => "btn".to_owned(),
            (_, 0) => "sb".to_owned(),
            (_, 1) => "bb".to_owned(),
            _ => format!("btn-{}", last - player),
        }
    }

    /// An amount in the history's unit.
    #[must_use]
    pub fn amount(&self, chips: u64) -> String {
        shown(chips, self.decimals)
    }

    /// The small and the big blind: the two largest kinds of posts below the straddles.
    #[must_use]
    pub fn blinds(&self) -> (u64, u64) {
        match self.players.len() {
            2 => (self.players[1].blind, self.players[0].blind),
            _ => (
                self.players.first().map_or(0, |player| player.blind),
                self.players.get(1).map_or(0, |player| player.blind),
            ),
        }
    }

    /// The hand in another format: a line, or a document of PHH.
    ///
    /// # Errors
    /// [`Problem::NotHeld`] if the format cannot hold it.
    pub fn write(&self, format: Format) -> Result<String, Problem> {
        match format {
            Format::Acpc => acpc::write(self),
            Format::Slumbot => slumbot::write(self),
            Format::Phh if self.players.iter().all(|player| player.blind < self.full_blind()) => {
                let reason = "the big blind is all-in for less, but calls are of the whole blind";
                Err(Problem::NotHeld { format, reason: reason.to_owned() })
            }
            Format::Phh => Ok(phh::write(self)),
            Format::PokerStars => Err(Problem::NotHeld { format, reason: "it is only read".to_owned() }),
        }
    }
}
