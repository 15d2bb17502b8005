//! The table: seats, what they post, and what an end of the hand pays.

use equipoise_game::{IcmError, Payouts};
use thiserror::Error;

use crate::pushfold::PushFoldError;

/// Blinds, ante and stacks of a hand at a table, and the prizes if it is played for them.
///
/// Seats are listed from the first to act to the button, the small blind and the big blind; of two players the small blind has
/// the button.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TableStakes {
    /// What the small blind posts.
    pub small_blind: f64,
    /// What the big blind posts.
    pub big_blind: f64,
    /// What each player posts before the blinds.
    pub ante: f64,
    /// What each player has before posting.
    pub stacks: Vec<f64>,
    /// Stacks of players of the tournament who are not in the hand.
    pub others: Vec<f64>,
    /// The prizes; without them the players play for chips.
    pub payouts: Option<Payouts>,
}

/// Why stakes make no game.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Too few or too many players.
    #[error("{count} players: jam or fold takes 2 to {}", TableStakes::MAX_PLAYERS)]
    Players {
        /// How many.
        count: usize,
    },
    /// Blinds, an ante or stacks that are no amounts.
    #[error(transparent)]
    Stakes(#[from] PushFoldError),
    /// A stack that posting takes whole: there is nothing to decide.
    #[error(
        "the {name}'s stack of {stack} does not reach beyond the blind and the ante, so that player has nothing to decide"
    )]
    NoDecision {
        /// Whose.
        name: &'static str,
        /// The stack.
        stack: f64,
    },
    /// Prizes cannot be computed for this many players.
    #[error(transparent)]
    Prizes(#[from] IcmError),
}

/// Names of the seats from the big blind backwards.
const NAMES: [&str; TableStakes::MAX_PLAYERS] =
    ["BB", "SB", "BTN", "CO", "HJ", "LJ", "UTG+2", "UTG+1", "UTG"];

impl TableStakes {
    /// The most players of a hand.
    pub const MAX_PLAYERS: usize = 9;

    /// The name of a seat, as in `BTN`.
    ///
    /// # Panics
    /// If there is no such seat.
    #[must_use]
    pub fn name(&self, seat: usize) -> &'static str {
        let from_the_end = self.stacks.len() - 1 - seat;
        // The first to act is under the gun from four players on.
        if seat == 0 && self.stacks.len() > 3 { "UTG" } else { NAMES[from_the_end] }
    }

    /// What a seat posts, at most its stack.
    #[must_use]
    pub fn posted(&self, seat: usize) -> f64 {
        let blind = match self.stacks.len() - 1 - seat {
            0 => self.big_blind,
            1 => self.small_blind,
            _ => 0.0,
        };
        (self.ante + blind).min(self.stacks[seat])
    }

    /// Whether they make a game.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), TableError> {
        if !(2..=TableStakes::MAX_PLAYERS).contains(&self.stacks.len()) {
            return Err(TableError::Players { count: self.stacks.len() });
        }
        let stacks = self.stacks.iter().map(|&stack| ("stack", stack, false));
        let others =
            self.others.iter().map(|&stack| ("stack of a player who is not in the hand", stack, true));
        PushFoldError::check([self.small_blind, self.big_blind], self.ante, stacks.chain(others))?;
        // The big blind may be all-in by posting: it then calls everything.
        for seat in 0..self.stacks.len() - 1 {
            let stack = self.stacks[seat];
            if stack <= self.posted(seat) {
                return Err(TableError::NoDecision { name: self.name(seat), stack });
            }
        }
        if let Some(payouts) = &self.payouts {
            payouts.equities(&self.all(&self.stacks))?;
        }
        Ok(())
    }

    fn all(&self, stacks: &[f64]) -> Vec<f64> {
        stacks.iter().chain(&self.others).copied().collect()
    }

    /// The stacks after a hand in which the players of a set were all-in and ranked in `places` (0 for the best hand, read for
    /// players of the set only). With an empty set all have folded to the big blind.
    ///
    /// Pots are made in layers, from the smallest contribution on; a layer that nobody of the set has paid is returned.
    #[must_use]
    pub fn stacks_after(&self, all_in: u16, places: &[u8]) -> Vec<f64> {
        let num_players = self.stacks.len();
        let is_in = |seat: usize| all_in >> seat & 1 == 1 || all_in == 0 && seat == num_players - 1;
        let paid: Vec<f64> = (0..num_players)
            .map(|seat| if all_in >> seat & 1 == 1 { self.stacks[seat] } else { self.posted(seat) })
            .collect();
        let mut levels = paid.clone();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        let mut stacks: Vec<f64> = self.stacks.iter().zip(&paid).map(|(stack, paid)| stack - paid).collect();
        let mut below = 0.0;
        for level in levels {
            let layer = level - below;
            let payers = || (0..num_players).filter(|&seat| paid[seat] >= level);
            let pot = layer * payers().count() as f64;
            let best = payers().filter(|&seat| is_in(seat)).map(|seat| places[seat]).min();
            match best {
                None => payers().for_each(|seat| stacks[seat] += layer),
                Some(best) => {
                    let winners: Vec<usize> =
                        payers().filter(|&seat| is_in(seat) && places[seat] == best).collect();
                    winners.iter().for_each(|&seat| stacks[seat] += pot / winners.len() as f64);
                }
            }
            below = level;
        }
        stacks
    }

    /// What each player of the hand has then: chips won since its start, or prizes.
    pub(super) fn values_after(&self, all_in: u16, places: &[u8]) -> Vec<f64> {
        let stacks = self.stacks_after(all_in, places);
        match &self.payouts {
            None => stacks.iter().zip(&self.stacks).map(|(after, before)| after - before).collect(),
            Some(payouts) => self.prizes(payouts, &stacks),
        }
    }

    /// The expected prizes. Of players who go broke in the same hand, the one who had more before it comes first.
    fn prizes(&self, payouts: &Payouts, stacks: &[f64]) -> Vec<f64> {
        let num_players = stacks.len();
        let mut equities = payouts
            .equities(&self.all(stacks))
            .expect("the stacks before the hand were checked, and chips only move");
        let mut broke: Vec<usize> = (0..num_players).filter(|&seat| stacks[seat] <= 0.0).collect();
        if broke.len() > 1 {
            broke.sort_by(|&a, &b| self.stacks[b].total_cmp(&self.stacks[a]));
            let places = self.all(stacks).iter().filter(|stack| **stack > 0.0).count();
            let prize = |place: usize| payouts.prizes().get(place).copied().unwrap_or(0.0);
            let mut from = 0;
            // Players with equal stacks share their places.
            while from < broke.len() {
                let stack = self.stacks[broke[from]];
                let len = broke[from..].iter().take_while(|&&seat| self.stacks[seat] == stack).count();
                let share = (from..from + len).map(|rank| prize(places + rank)).sum::<f64>() / len as f64;
                broke[from..from + len].iter().for_each(|&seat| equities[seat] = share);
                from += len;
            }
        }
        equities
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stakes(stacks: &[f64]) -> TableStakes {
        TableStakes {
            small_blind: 50.0,
            big_blind: 100.0,
            ante: 10.0,
            stacks: stacks.to_vec(),
            others: Vec::new(),
            payouts: None,
        }
    }

    #[test]
    fn pots_in_layers() {
        let table = stakes(&[1000.0, 500.0, 300.0]);
        // All fold to the big blind.
        assert_eq!(table.stacks_after(0, &[0; 3]), [990.0, 440.0, 370.0]);
        // The button steals.
        assert_eq!(table.stacks_after(0b001, &[0; 3]), [1170.0, 440.0, 190.0]);
        // All in: the big blind wins the main pot, the small blind the side pot, the rest is returned.
        assert_eq!(table.stacks_after(0b111, &[2, 1, 0]), [500.0, 400.0, 900.0]);
        // Button and small blind share both pots.
        assert_eq!(table.stacks_after(0b111, &[0, 0, 1]), [1150.0, 650.0, 0.0]);
        // A big blind that is not covered is returned in part.
        let short = TableStakes { ante: 0.0, ..stakes(&[80.0, 500.0, 300.0]) };
        assert_eq!(short.stacks_after(0b001, &[0; 3]), [210.0, 450.0, 220.0]);
    }

    #[test]
    fn names_of_seats() {
        let names = |n: usize| {
            let table = stakes(&vec![1000.0; n]);
            (0..n).map(|seat| table.name(seat)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(2), "SB BB");
        assert_eq!(names(3), "BTN SB BB");
        assert_eq!(names(6), "UTG HJ CO BTN SB BB");
        assert_eq!(names(9), "UTG UTG+1 UTG+2 LJ HJ CO BTN SB BB");
    }

    #[test]
    fn who_had_more_goes_broke_later() {
        let payouts = Some(Payouts::new(vec![50.0, 30.0, 20.0]).unwrap());
        let table = TableStakes { payouts: payouts.clone(), ..stakes(&[1000.0, 500.0, 1500.0]) };
        assert_eq!(table.values_after(0b111, &[1, 1, 0]), [30.0, 20.0, 50.0]);
        let table = TableStakes { payouts, ..stakes(&[500.0, 500.0, 1500.0]) };
        assert_eq!(table.values_after(0b111, &[1, 1, 0]), [25.0, 25.0, 50.0]);
    }

    #[test]
    fn what_is_no_table() {
        assert_eq!(stakes(&[1.0]).check(), Err(TableError::Players { count: 1 }));
        assert_eq!(stakes(&[500.0; 10]).check(), Err(TableError::Players { count: 10 }));
        let huge = stakes(&[500.0, 1e300]).check().unwrap_err().to_string();
        assert_eq!(huge, "the stack of 1e300 is larger than 1e9: choose a larger unit");
        assert!(matches!(
            stakes(&[500.0, -1.0]).check(),
            Err(TableError::Stakes(PushFoldError::Amount { .. }))
        ));
        assert_eq!(
            stakes(&[500.0, 60.0, 90.0]).check(),
            Err(TableError::NoDecision { name: "SB", stack: 60.0 })
        );
        assert!(stakes(&[500.0, 500.0, 90.0]).check().is_ok());
        let prizes = Some(Payouts::new(vec![1.0]).unwrap());
        let crowd = TableStakes { payouts: prizes, others: vec![100.0; 30], ..stakes(&[500.0; 3]) };
        assert!(matches!(crowd.check(), Err(TableError::Prizes(_))));
    }
}
