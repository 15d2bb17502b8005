//! A card and its two halves.

use std::fmt;
use std::str::FromStr;

use crate::text::{ParseCardsError, parse_cards};

/// A face from deuce (0) to ace (12).
///
/// ```
/// use equipoise_cards::Rank;
/// assert_eq!(Rank::from_char('t'), Some(Rank::TEN));
/// assert_eq!(Rank::ACE.to_string(), "A");
/// assert_eq!(Rank::ALL.len(), Rank::COUNT);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Rank(u8);

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 13;
    /// The deuce, the lowest rank.
    pub const TWO: Rank = Rank(0);
    /// The five, the high card of a wheel.
    pub const FIVE: Rank = Rank(3);
    /// The ten.
    pub const TEN: Rank = Rank(8);
    /// The jack.
    pub const JACK: Rank = Rank(9);
    /// The queen.
    pub const QUEEN: Rank = Rank(10);
    /// The king.
    pub const KING: Rank = Rank(11);
    /// The ace, the highest rank.
    pub const ACE: Rank = Rank(12);
    /// Every rank, ascending.
    pub const ALL: [Rank; Rank::COUNT] = {
        let mut all = [Rank(0); Rank::COUNT];
        let mut i = 0;
        while i < Rank::COUNT {
            all[i] = Rank(i as u8);
            i += 1;
        }
        all
    };

    const CHARS: &'static [u8; Rank::COUNT] = b"23456789TJQKA";

    /// The rank with this number, deuce = 0 to ace = 12.
    #[must_use]
    pub const fn try_new(id: u8) -> Option<Rank> {
        if id < 13 { Some(Rank(id)) } else { None }
    }

    /// The number of this rank, deuce = 0 to ace = 12.
    #[must_use]
    pub const fn id(self) -> u8 {
        self.0
    }

    /// The number of this rank as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank that a letter or digit names, in either case.
    #[must_use]
    pub const fn from_char(c: char) -> Option<Rank> {
        let id = match c {
            '2'..='9' => c as u8 - b'2',
            'T' | 't' => 8,
            'J' | 'j' => 9,
            'Q' | 'q' => 10,
            'K' | 'k' => 11,
            'A' | 'a' => 12,
            _ => return None,
        };
        Some(Rank(id))
    }

    /// The letter or digit of this rank.
    #[must_use]
    pub const fn to_char(self) -> char {
        Rank::CHARS[self.0 as usize] as char
    }

    /// The word for this rank: "ace", "ten", "deuce".
    #[must_use]
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; Rank::COUNT] = [
            "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
            "king", "ace",
        ];
        NAMES[self.0 as usize]
    }

    /// The word for several cards of this rank: "aces", "sixes".
    #[must_use]
    pub const fn plural(self) -> &'static str {
        const NAMES: [&str; Rank::COUNT] = [
            "deuces", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
            "queens", "kings", "aces",
        ];
        NAMES[self.0 as usize]
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One of the four suits: clubs 0, diamonds 1, hearts 2, spades 3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Suit(u8);

impl Suit {
    /// How many suits there are.
    pub const COUNT: usize = 4;
    /// ♣
    pub const CLUBS: Suit = Suit(0);
    /// ♦
    pub const DIAMONDS: Suit = Suit(1);
    /// ♥
    pub const HEARTS: Suit = Suit(2);
    /// ♠
    pub const SPADES: Suit = Suit(3);
    /// Every suit, ascending.
    pub const ALL: [Suit; Suit::COUNT] = [Suit(0), Suit(1), Suit(2), Suit(3)];

    /// The suit with this number, clubs = 0 to spades = 3.
    #[must_use]
    pub const fn try_new(id: u8) -> Option<Suit> {
        if id < 4 { Some(Suit(id)) } else { None }
    }

    /// The number of this suit, clubs = 0 to spades = 3.
    #[must_use]
    pub const fn id(self) -> u8 {
        self.0
    }

    /// The number of this suit as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The suit that a lower-case letter or a unicode symbol (black or white) names.
    #[must_use]
    pub const fn from_char(c: char) -> Option<Suit> {
        match c {
            'c' | '♣' | '♧' => Some(Suit::CLUBS),
            'd' | '♦' | '♢' => Some(Suit::DIAMONDS),
            'h' | '♥' | '♡' => Some(Suit::HEARTS),
            's' | '♠' | '♤' => Some(Suit::SPADES),
            _ => None,
        }
    }

    /// The lower-case letter of this suit.
    #[must_use]
    pub const fn to_char(self) -> char {
        b"cdhs"[self.0 as usize] as char
    }

    /// The unicode symbol of this suit.
    #[must_use]
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self.0 as usize]
    }

    /// The ANSI colour code of this suit in a four-colour deck.
    const fn ansi(self) -> u8 {
        [32, 34, 31, 39][self.0 as usize]
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

impl fmt::Debug for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A playing card, numbered `4 · rank + suit`: 2c is 0, As is 51.
///
/// ```
/// use equipoise_cards::{Card, Rank, Suit};
/// let card: Card = "Th".parse()?;
/// assert_eq!(card, Card::new(Rank::TEN, Suit::HEARTS));
/// assert_eq!(card.id(), 34);
/// assert_eq!("t♥".parse::<Card>()?, card);
/// assert_eq!(Card::try_new(52), None);
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Card(u8);

impl Card {
    /// How many cards a deck has.
    pub const COUNT: usize = 52;
    /// The whole deck, ascending.
    pub const ALL: [Card; Card::COUNT] = {
        let mut all = [Card(0); Card::COUNT];
        let mut i = 0;
        while i < Card::COUNT {
            all[i] = Card(i as u8);
            i += 1;
        }
        all
    };

    /// The card of a rank and a suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank.0 << 2 | suit.0)
    }

    /// The card with this number, 0..52.
    #[must_use]
    pub const fn try_new(id: u8) -> Option<Card> {
        if id < 52 { Some(Card(id)) } else { None }
    }

    /// For callers in this crate whose `id` is below 52 by construction.
    pub(crate) const fn from_id(id: u8) -> Card {
        debug_assert!(id < 52);
        Card(id)
    }

    /// The number of this card, 0..52.
    #[must_use]
    pub const fn id(self) -> u8 {
        self.0
    }

    /// The number of this card as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The face of this card.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank(self.0 >> 2)
    }

    /// The suit of this card.
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit(self.0 & 3)
    }

    /// Shows this card with its suit symbol in the colours of a four-colour deck (`A♥`), for a terminal.
    #[must_use]
    pub const fn coloured(self) -> ColouredCard {
        ColouredCard(self)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Card {
    type Err = ParseCardsError;

    fn from_str(text: &str) -> Result<Card, ParseCardsError> {
        match parse_cards(text)?[..] {
            [card] => Ok(card),
            ref cards => Err(ParseCardsError::WrongCount { expected: 1, found: cards.len(), at: text.len() }),
        }
    }
}

/// A card shown with its coloured suit symbol; made by [`Card::coloured`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColouredCard(Card);

impl fmt::Display for ColouredCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suit = self.0.suit();
        write!(f, "\x1b[{}m{}{}\x1b[0m", suit.ansi(), self.0.rank(), suit.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_reference() {
        for (text, id) in [("2c", 0), ("2d", 1), ("3d", 5), ("Th", 34), ("As", 51)] {
            assert_eq!(text.parse::<Card>().unwrap().id(), id);
        }
    }

    #[test]
    fn text_round_trips_for_every_card() {
        for card in Card::ALL {
            assert_eq!(card.to_string().parse::<Card>(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
            assert_eq!(Rank::try_new(card.rank().id()), Some(card.rank()));
            assert_eq!(Suit::try_new(card.suit().id()), Some(card.suit()));
            let symbol = format!("{}{}", card.rank(), card.suit().symbol());
            assert_eq!(symbol.parse::<Card>(), Ok(card));
        }
        assert_eq!(Rank::try_new(13), None);
        assert_eq!(Suit::try_new(4), None);
    }

    #[test]
    fn coloured_card_resets_the_terminal() {
        let card: Card = "Ah".parse().unwrap();
        assert_eq!(card.coloured().to_string(), "\x1b[31mA♥\x1b[0m");
    }
}
