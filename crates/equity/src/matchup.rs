//! Who holds what: checked once, at the door.

use std::fmt;
use std::str::FromStr;

use equipoise_cards::{Board, Card, CardSet, Combo, ParseCardsError, ParseRangeError, Range, parse_cards};
use thiserror::Error;

/// One player's cards: known cards or a range.
///
/// Text is tried as cards first and then as a range; no text or `random` means any two cards.
///
/// ```
/// use equipoise_equity::Seat;
/// assert!(matches!("AhAd".parse()?, Seat::Combo(_)));
/// assert!(matches!("Ah".parse()?, Seat::Card(_)));
/// assert!(matches!("".parse()?, Seat::Unknown));
/// assert!(matches!("TT+,AKs:0.5".parse()?, Seat::Range(_)));
/// # Ok::<(), equipoise_equity::ParseSeatError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Seat {
    /// Both cards.
    Combo(Combo),
    /// One of the two cards.
    Card(Card),
    /// Nothing.
    Unknown,
    /// A weight for each combo.
    Range(Box<Range>),
}

/// Why a text names neither cards nor a range.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseSeatError {
    /// It looks like cards, but they are wrong.
    #[error(transparent)]
    Cards(ParseCardsError),
    /// It is no range either.
    #[error(transparent)]
    Range(ParseRangeError),
}

impl FromStr for Seat {
    type Err = ParseSeatError;

    fn from_str(text: &str) -> Result<Seat, ParseSeatError> {
        if text.trim().is_empty() || text.trim().eq_ignore_ascii_case("random") {
            return Ok(Seat::Unknown);
        }
        let cards = parse_cards(text);
        match cards.as_deref() {
            Ok(&[card]) => return Ok(Seat::Card(card)),
            Ok(&[a, b]) => {
                if let Some(combo) = Combo::new(a, b) {
                    return Ok(Seat::Combo(combo));
                }
            }
            _ => {}
        }
        match (text.parse::<Range>(), cards) {
            (Ok(range), _) => Ok(Seat::Range(Box::new(range))),
            (Err(_), Err(error @ ParseCardsError::Duplicate { .. })) => Err(ParseSeatError::Cards(error)),
            (Err(error), _) => Err(ParseSeatError::Range(error)),
        }
    }
}

impl From<Combo> for Seat {
    fn from(combo: Combo) -> Seat {
        Seat::Combo(combo)
    }
}

impl From<Range> for Seat {
    fn from(range: Range) -> Seat {
        Seat::Range(Box::new(range))
    }
}

impl Seat {
    /// The cards that are known for certain.
    #[must_use]
    pub fn known(&self) -> CardSet {
        match self {
            Seat::Combo(combo) => combo.cards(),
            Seat::Card(card) => CardSet::from(*card),
            Seat::Unknown | Seat::Range(_) => CardSet::EMPTY,
        }
    }

    /// The weights of all combos that fit, before cards elsewhere are taken out.
    pub(crate) fn range(&self) -> Range {
        match self {
            Seat::Combo(combo) => Range::from_combos([*combo]),
            Seat::Card(card) => {
                Range::from_combos(Combo::all().filter(|combo| combo.cards().contains(*card)))
            }
            Seat::Unknown => Range::full(),
            Seat::Range(range) => (**range).clone(),
        }
    }
}

/// Players, board and dead cards that fit together.
///
/// ```
/// use equipoise_cards::{Board, CardSet};
/// use equipoise_equity::{Matchup, MatchupError};
/// let seats = vec!["AhAd".parse()?, "QQ+".parse()?];
/// let matchup = Matchup::new(seats.clone(), "Td9d6h".parse()?, "Jc".parse()?)?;
/// assert_eq!(matchup.seats().len(), 2);
/// let twice = Matchup::new(seats, "Td9d6h".parse()?, "Ah".parse()?);
/// assert!(matches!(twice, Err(MatchupError::CardTwice { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matchup {
    seats: Vec<Seat>,
    board: Board,
    dead: CardSet,
    ranges: Vec<Range>,
}

/// Where a card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// With the player of this number, the first being 0.
    Player(usize),
    /// On the board.
    Board,
    /// Among the dead cards.
    Dead,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Player(player) => write!(f, "with player {}", player + 1),
            Place::Board => f.write_str("on the board"),
            Place::Dead => f.write_str("among the dead cards"),
        }
    }
}

/// Why players, board and dead cards do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MatchupError {
    /// Not 2 to 23 players.
    #[error("{found} player(s): equity needs 2 to {} players", Matchup::MAX_PLAYERS)]
    NumPlayers {
        /// How many there are.
        found: usize,
    },
    /// More cards than a deck has.
    #[error("{players} players, {dead} dead cards and five board cards need {needed} cards; a deck has 52")]
    TooManyCards {
        /// How many players there are.
        players: usize,
        /// How many cards are dead.
        dead: usize,
        /// How many cards that takes.
        needed: usize,
    },
    /// A card in two places.
    #[error("the card {card} is there twice: {first} and {second}")]
    CardTwice {
        /// The card.
        card: Card,
        /// One place.
        first: Place,
        /// The other place.
        second: Place,
    },
    /// A range of which nothing is left.
    #[error("the range of player {} has no combo left once board, dead and known cards are removed", player + 1)]
    EmptyRange {
        /// The player, the first being 0.
        player: usize,
    },
    /// Ranges that cannot be dealt together.
    #[error("the ranges cannot all be dealt at once: every choice of combos shares a card")]
    NoDeal,
}

impl Matchup {
    /// The most players a deck has cards for.
    pub const MAX_PLAYERS: usize = 23;

    /// Checks that players, board and dead cards fit together.
    ///
    /// # Errors
    /// [`MatchupError`] says which of them do not.
    pub fn new(seats: Vec<Seat>, board: Board, dead: CardSet) -> Result<Matchup, MatchupError> {
        if !(2..=Matchup::MAX_PLAYERS).contains(&seats.len()) {
            return Err(MatchupError::NumPlayers { found: seats.len() });
        }
        let known = check_places(&seats, &board, dead)?;
        let needed = 2 * seats.len() + dead.len() + 5;
        if needed > Card::COUNT {
            return Err(MatchupError::TooManyCards { players: seats.len(), dead: dead.len(), needed });
        }
        let gone = known | board.set() | dead;
        let ranges: Vec<Range> = seats.iter().map(|seat| seat.range().without(gone - seat.known())).collect();
        if let Some(player) = ranges.iter().position(Range::is_empty) {
            return Err(MatchupError::EmptyRange { player });
        }
        if !can_be_dealt(&ranges) {
            return Err(MatchupError::NoDeal);
        }
        Ok(Matchup { seats, board, dead, ranges })
    }

    /// The cards or range of each player.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The public cards so far.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The cards that nobody can get.
    #[must_use]
    pub const fn dead(&self) -> CardSet {
        self.dead
    }

    /// Board and dead cards together.
    pub(crate) fn gone(&self) -> CardSet {
        self.board.set() | self.dead
    }

    /// Each player's combos that no board, dead or known card rules out.
    pub(crate) fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// How many cards are left to come to the board.
    pub(crate) fn num_to_come(&self) -> usize {
        5 - self.board.cards().len()
    }

    /// How many runouts each choice of combos has.
    pub(crate) fn num_runouts(&self) -> u64 {
        let left = Card::COUNT - self.gone().len() - 2 * self.seats.len();
        choose(left as u64, self.num_to_come() as u64)
    }
}

/// All cards known for certain, if none of them lies in two places.
fn check_places(seats: &[Seat], board: &Board, dead: CardSet) -> Result<CardSet, MatchupError> {
    let players = seats.iter().enumerate().map(|(i, seat)| (Place::Player(i), seat.known()));
    let places: Vec<(Place, CardSet)> =
        players.chain([(Place::Board, board.set()), (Place::Dead, dead)]).collect();
    let mut known = CardSet::EMPTY;
    for (i, &(second, cards)) in places.iter().enumerate() {
        if let Some(card) = known.first_shared(cards) {
            let first =
                places[..i].iter().find(|place| place.1.contains(card)).map_or(second, |place| place.0);
            return Err(MatchupError::CardTwice { card, first, second });
        }
        known |= cards;
    }
    Ok(known - board.set() - dead)
}

/// Whether some choice of one combo from each range shares no card; narrow ranges are tried first.
fn can_be_dealt(ranges: &[Range]) -> bool {
    fn go(combos: &[Vec<CardSet>], used: CardSet) -> bool {
        let Some((first, rest)) = combos.split_first() else { return true };
        // More combos than earlier players can block, and so for all that follow.
        first.iter().any(|&cards| !cards.intersects(used) && go(rest, used | cards))
    }
    let mut combos: Vec<Vec<CardSet>> =
        ranges.iter().map(|range| range.iter().map(|(combo, _)| combo.cards()).collect()).collect();
    combos.sort_by_key(Vec::len);
    // A card blocks at most 51 combos: wide ranges always find a place, since the deck has been counted.
    let num_players = combos.len();
    combos.retain(|combos| combos.len() <= 51 * 2 * (num_players - 1));
    go(&combos, CardSet::EMPTY)
}

/// The binomial coefficient.
pub(crate) fn choose(n: u64, k: u64) -> u64 {
    if k > n { 0 } else { (0..k).fold(1, |result, i| result * (n - i) / (i + 1)) }
}
