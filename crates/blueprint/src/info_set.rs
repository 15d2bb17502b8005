//! Information sets as text.

use std::fmt;
use std::str::FromStr;

use equipoise_cards::{Board, Combo, HandClass, Street};
use thiserror::Error;

/// Who acts, in a game for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // Two players have two positions.
pub enum Blind {
    /// The small blind.
    Sb,
    /// The big blind.
    Bb,
}

/// What an information set has of the private cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // Before the flop and after it.
pub enum HandKey {
    /// Their class, before the flop.
    Class(HandClass),
    /// Their bucket on a street after it.
    Bucket(Street, u32),
}

/// The key of an information set: `SB:AKs:r500` before the flop, `SB:1234:Fxr500` after it, where the letter of the street
/// (F, T or R) begins the history.
///
/// ```
/// use equipoise_blueprint::{HandKey, InfoSetKey, Blind};
/// use equipoise_cards::Street;
/// let key: InfoSetKey = "SB:1234:Fxr500".parse()?;
/// assert_eq!(key.position, Blind::Sb);
/// assert_eq!(key.hand, HandKey::Bucket(Street::Flop, 1234));
/// assert_eq!(key.history, "xr500");
/// assert_eq!(key.to_string(), "SB:1234:Fxr500");
/// # Ok::<(), equipoise_blueprint::ParseKeyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs)] // The three parts of the format.
pub struct InfoSetKey {
    /// Who acts.
    pub position: Blind,
    /// The class or the bucket of the private cards.
    pub hand: HandKey,
    /// The betting, without the letter of the street. It does not begin with F, T or R itself.
    pub history: String,
}

/// Why a text is not a key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no key of an information set: {reason}")]
pub struct ParseKeyError {
    text: String,
    reason: &'static str,
}

impl fmt::Display for Blind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Blind::Sb { "SB" } else { "BB" })
    }
}

impl InfoSetKey {
    /// The key of a combo on a board: its class before the flop, its bucket after it, for instance the number of
    /// [`CardAbstraction::bucket`](equipoise_abstraction::CardAbstraction::bucket).
    ///
    /// # Errors
    /// Those of `bucket`.
    pub fn of<E>(
        position: Blind,
        combo: Combo,
        board: &Board,
        history: &str,
        bucket: impl FnOnce(Combo, &Board) -> Result<u32, E>,
    ) -> Result<InfoSetKey, E> {
        let hand = match board.street() {
            Street::Preflop => HandKey::Class(combo.class()),
            street => HandKey::Bucket(street, bucket(combo, board)?),
        };
        Ok(InfoSetKey { position, hand, history: history.to_owned() })
    }
}

impl fmt::Display for InfoSetKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InfoSetKey { position, hand, history } = self;
        match hand {
            HandKey::Class(class) => write!(f, "{position}:{class}:{history}"),
            HandKey::Bucket(street, bucket) => {
                let letter = ["", "F", "T", "R"][*street as usize];
                write!(f, "{position}:{bucket}:{letter}{history}")
            }
        }
    }
}

impl FromStr for InfoSetKey {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<InfoSetKey, ParseKeyError> {
        let wrong = |reason| ParseKeyError { text: text.to_owned(), reason };
        let parts: Vec<&str> = text.split(':').collect();
        let &[position, hand, history] = &parts[..] else {
            return Err(wrong("it has three parts with colons between them"));
        };
        let position = match position {
            "SB" => Blind::Sb,
            "BB" => Blind::Bb,
            _ => return Err(wrong("it begins with SB or BB")),
        };
        // A number such as 99 may be a class or a bucket: the letter of the street tells.
        let street = match history.chars().next() {
            Some('F') => Street::Flop,
            Some('T') => Street::Turn,
            Some('R') => Street::River,
            _ => {
                let class = hand.parse();
                let class =
                    class.map_err(|_| wrong("without F, T or R the second part is a class such as AKs"))?;
                return Ok(InfoSetKey { position, hand: HandKey::Class(class), history: history.to_owned() });
            }
        };
        let bucket: u32 =
            hand.parse().map_err(|_| wrong("after F, T or R the second part is the number of a bucket"))?;
        if bucket.to_string() != hand {
            return Err(wrong("the number of a bucket has no sign and no zeros in front"));
        }
        let hand = HandKey::Bucket(street, bucket);
        Ok(InfoSetKey { position, hand, history: history[1..].to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_class_or_the_bucket() {
        let (combo, flop): (Combo, Board) = ("AhKh".parse().unwrap(), "Td9d6h".parse().unwrap());
        let key = |position, board, history| {
            InfoSetKey::of(position, combo, board, history, |bucketed, on| {
                assert_eq!((bucketed, on), (combo, &flop));
                Ok::<_, ParseKeyError>(17)
            })
        };
        assert_eq!(key(Blind::Sb, &Board::EMPTY, "r500").unwrap().to_string(), "SB:AKs:r500");
        let on_flop = key(Blind::Bb, &flop, "xr500").unwrap();
        assert_eq!(on_flop.to_string(), "BB:17:Fxr500");
        assert_eq!(on_flop.to_string().parse(), Ok(on_flop.clone()));
        assert_eq!(on_flop.hand, HandKey::Bucket(Street::Flop, 17));
    }

    #[test]
    fn keys_read_as_they_are_written() {
        for text in ["SB:AKs:r500", "BB:22:", "SB:1234:Fxr500", "BB:0:T", "SB:1286791:Rb100c"] {
            assert_eq!(text.parse::<InfoSetKey>().unwrap().to_string(), text);
        }
        // A number may be either.
        let hand = |text: &str| text.parse::<InfoSetKey>().unwrap().hand;
        assert_eq!(hand("SB:99:r5"), HandKey::Class("99".parse().unwrap()));
        assert_eq!(hand("SB:99:Fx"), HandKey::Bucket(Street::Flop, 99));
        for text in [
            "",
            "SB",
            "SB:AKs",
            "UTG:AKs:r5",
            "SB:AK:r5",
            "SB:12:xr500",
            "SB:AKs:Fx",
            "SB:4294967296:F",
            "SB:+5:F",
            "SB:07:F",
            "a:b:c:d",
        ] {
            assert!(text.parse::<InfoSetKey>().is_err(), "{text}");
        }
    }
}
