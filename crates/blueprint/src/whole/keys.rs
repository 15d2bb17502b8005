//! Keys of information sets name the rows of a blueprint.
//!
//! The history of a key has every action of the hand, streets with `/` between them: `f` fold, `x` check, `c` call, and `r500` any
//! bet, raise or all-in that brings the player's chips of the street to 500. `BB:1234:Fr250c/x` is the big blind's `x` away from
//! the button's decision `SB:1234:Fr250c/x`. A history of the last street alone, as in `SB:1234:Fxr500`, is read too where
//! only one betting line ends so.

use std::fmt::Write as _;

use equipoise_cards::{HandClass, Street};
use equipoise_game::{Action, NodeKind, Player};
use thiserror::Error;

use crate::info_set::{Blind, HandKey, InfoSetKey};
use crate::whole::blueprint::Blueprint;
use crate::whole::game::Position;
use crate::whole::line::Line;

/// Why a key names no row of a blueprint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// An action that the game does not have there.
    #[error("'{text}' is no action of the game after '{before}': there are {}", actions.join(", "))]
    Action {
        /// What was written.
        text: String,
        /// The history before it.
        before: String,
        /// What could be.
        actions: Vec<String>,
    },
    /// The history ends where nobody acts, or somebody else does, or on another street.
    #[error("after '{history}' {reason}")]
    Decision {
        /// The history.
        history: String,
        /// What is there instead.
        reason: String,
    },
    /// A bucket that the blueprint does not have.
    #[error("the {street} has {count} buckets, numbered from 0: there is no {bucket}")]
    Bucket {
        /// The street.
        street: Street,
        /// The bucket.
        bucket: u32,
        /// How many there are.
        count: usize,
    },
    /// A history of one street that several lines end with.
    #[error("several lines end so; write the whole betting: {}", histories.join(", "))]
    Ambiguous {
        /// Whole histories, some of them.
        histories: Vec<String>,
    },
}

fn word(action: Action) -> String {
    match action {
        Action::Fold => "f".to_owned(),
        Action::Check => "x".to_owned(),
        Action::Call => "c".to_owned(),
        Action::Bet(total) | Action::Raise(total) | Action::AllIn(total) => format!("r{}", total.count()),
    }
}

const fn seat(player: Player) -> Blind {
    match player {
        Player::Oop => Blind::Bb,
        Player::Ip => Blind::Sb,
    }
}

/// The words of a history: a letter each, with the digits that follow.
fn words(history: &str) -> Vec<&str> {
    let starts = history.char_indices().filter(|(_, letter)| !letter.is_ascii_digit()).map(|(at, _)| at);
    let mut starts: Vec<usize> = starts.collect();
    if starts.first() != Some(&0) && !history.is_empty() {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([history.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &history[start..end]).collect()
}

impl Line<'_> {
    /// The key of the row of a bucket, before the flop of a hand class by its index; `None` if nobody acts.
    #[must_use]
    pub fn key(&self, bucket: u32) -> Option<InfoSetKey> {
        let NodeKind::Decision(player) = self.position.hand().kind() else { return None };
        let mut history = String::new();
        let mut street = Street::Preflop;
        let later = [&self.position];
        for (at, (position, action)) in self.taken().iter().enumerate() {
            let _ = write!(history, "{}", word(position.actions()[*action]));
            let next = self.taken().get(at + 1).map_or(later[0], |(position, _)| position);
            while street != next.hand().street() {
                street = Street::ALL[street as usize + 1];
                history.push('/');
            }
        }
        let hand = match street {
            Street::Preflop => HandKey::Class(HandClass::from_index(bucket as usize)?),
            street => HandKey::Bucket(street, bucket),
        };
        Some(InfoSetKey { position: seat(player), hand, history })
    }
}

impl Blueprint {
    /// The decision and the bucket of a key.
    ///
    /// # Errors
    /// [`KeyError`] says what the blueprint does not have.
    pub fn find(&self, key: &InfoSetKey) -> Result<(Position<'_>, usize), KeyError> {
        let (street, bucket) = match key.hand {
            HandKey::Class(class) => (Street::Preflop, class.index() as u32),
            HandKey::Bucket(street, bucket) => (street, bucket),
        };
        let num_streets = key.history.matches('/').count();
        let position = if street != Street::Preflop && num_streets == 0 {
            self.only_end(street, key)?
        } else {
            self.follow(self.root(), &key.history)?
        };
        let wrong = |reason: String| KeyError::Decision { history: key.history.clone(), reason };
        match position.hand().kind() {
            NodeKind::Decision(_) if position.hand().street() != street => {
                Err(wrong(format!("the {} is played, not the {street}", position.hand().street())))
            }
            NodeKind::Decision(player) if seat(player) != key.position => {
                Err(wrong(format!("{} acts, not {}", seat(player), key.position)))
            }
            NodeKind::Decision(_) => {
                let count = self.header().num_buckets[street as usize];
                if bucket as usize >= count {
                    return Err(KeyError::Bucket { street, bucket, count });
                }
                Ok((position, bucket as usize))
            }
            _ => Err(wrong("nobody acts".to_owned())),
        }
    }

    fn follow<'a>(&'a self, from: Position<'a>, history: &str) -> Result<Position<'a>, KeyError> {
        let mut position = from;
        let mut before = String::new();
        for word_here in words(history) {
            let actions: Vec<String> = match position.hand().kind() {
                NodeKind::Chance => vec!["/".to_owned()],
                _ => position.actions().into_iter().map(word).collect(),
            };
            let next = match position.hand().kind() {
                NodeKind::Chance if word_here == "/" => self.deal(&position),
                NodeKind::Chance => None,
                _ => {
                    let found = actions.iter().position(|action| action == word_here);
                    found.and_then(|action| self.act(&position, action))
                }
            };
            position = next.ok_or_else(|| KeyError::Action {
                text: word_here.to_owned(),
                before: before.clone(),
                actions,
            })?;
            before.push_str(word_here);
        }
        Ok(position)
    }

    /// The only decision of a street whose betting on the street is this.
    fn only_end(&self, street: Street, key: &InfoSetKey) -> Result<Position<'_>, KeyError> {
        let mut found: Vec<(String, Position<'_>)> = Vec::new();
        let mut waiting = vec![(String::new(), self.root())];
        while let Some((history, position)) = waiting.pop() {
            match position.hand().kind() {
                NodeKind::Chance => {
                    let next = self.deal(&position).expect("cards come");
                    waiting.push((format!("{history}/"), next));
                }
                NodeKind::Decision(_) if position.hand().street() == street => {
                    let end = self.follow(position, &key.history);
                    let is_found = |end: &Position<'_>| {
                        end.hand().kind() == NodeKind::Decision(player(key.position))
                            && end.hand().street() == street
                    };
                    if let Some(end) = end.ok().filter(is_found) {
                        found.push((format!("{history}{}", key.history), end));
                    }
                }
                NodeKind::Decision(_) => {
                    for (action, taken) in position.actions().into_iter().enumerate().rev() {
                        let next = self.act(&position, action).expect("it is one of the actions");
                        waiting.push((format!("{history}{}", word(taken)), next));
                    }
                }
                _ => {}
            }
        }
        match found.len() {
            1 => Ok(found.swap_remove(0).1),
            0 => Err(KeyError::Decision {
                history: key.history.clone(),
                reason: format!("no betting of the {street} goes so"),
            }),
            _ => {
                let histories = found.into_iter().take(4).map(|(history, _)| history).collect();
                Err(KeyError::Ambiguous { histories })
            }
        }
    }
}

const fn player(seat: Blind) -> Player {
    match seat {
        Blind::Sb => Player::Ip,
        Blind::Bb => Player::Oop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_with_their_digits() {
        assert_eq!(words("r250c/xr500"), ["r250", "c", "/", "x", "r500"]);
        assert_eq!(words("500x"), ["500", "x"]);
        assert!(words("").is_empty());
    }
}
