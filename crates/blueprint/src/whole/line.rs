//! Lines of a whole hand as text: `r2.5 c | Td9d6h | x b75`.

use equipoise_cards::{Board, Combo, Street};
use equipoise_game::{Action, NodeKind, PerPlayer, Player};
use thiserror::Error;

use crate::bucketed::{BucketedError, Buckets};

use crate::whole::blueprint::Blueprint;
use crate::whole::game::Position;

/// Why a text is no line of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// An action that the game does not have there.
    #[error("'{text}' is no action here ({street}): there are {}", labels.join(", "))]
    Action {
        /// What was written.
        text: String,
        /// The street.
        street: Street,
        /// What could be.
        labels: Vec<String>,
    },
    /// An action where nobody acts.
    #[error("'{text}': nobody acts here; {reason}")]
    NobodyActs {
        /// What was written.
        text: String,
        /// What comes instead.
        reason: &'static str,
    },
    /// Cards that cannot come.
    #[error("'{text}' are no cards that can come here: {reason}")]
    Cards {
        /// What was written.
        text: String,
        /// Why.
        reason: String,
    },
}

/// A position of a blueprint's game, with the cards on the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Line<'a> {
    /// The position.
    pub position: Position<'a>,
    /// The cards.
    pub board: Board,
    /// The decisions on the way, with the action that was taken.
    taken: Vec<(Position<'a>, usize)>,
}

/// What the combos of the player to act do at the end of a line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LineStrategies {
    /// Who acts.
    pub player: Player,
    /// By combo number: how often the player's own actions lead here; 0 if the board blocks the combo.
    pub reach: Vec<f64>,
    /// By combo number: the bucket, before the flop the hand class.
    pub buckets: Vec<u32>,
    /// By combo number: how often each action is taken.
    pub frequencies: Vec<Vec<f64>>,
}

impl<'a> Line<'a> {
    /// Walks a line. Actions are `f` fold, `x` check, `c` call, `a` all-in, `r2.5` a raise to 2.5 big blinds on the street, `b75`
    /// a bet of 75 % of the pot; streets are separated by `|`, and cards stand alone: `r2.5 c | Td9d6h | x b75`. Bars
    /// may be left out.
    ///
    /// # Errors
    /// [`LineError`] names what does not fit and what would.
    pub fn walk(blueprint: &'a Blueprint, text: &str) -> Result<Line<'a>, LineError> {
        let mut line = Line { position: blueprint.root(), board: Board::EMPTY, taken: Vec::new() };
        for word in text.split(|letter: char| letter == '|' || letter == ',' || letter.is_whitespace()) {
            if !word.is_empty() {
                line = line.step(blueprint, word)?;
            }
        }
        Ok(line)
    }

    /// The line of these actions, counted as [`Position::actions`] has them, on a board; cards come where a street ends. `None`
    /// if one of the actions is not there, or the board has too few cards.
    #[must_use]
    pub fn of_actions(blueprint: &'a Blueprint, actions: &[usize], board: Board) -> Option<Line<'a>> {
        let mut line = Line { position: blueprint.root(), board, taken: Vec::with_capacity(actions.len()) };
        let dealt = |line: &mut Line<'a>| {
            while line.position.hand().kind() == NodeKind::Chance
                && board.cards().len() > line.position.hand().street().num_board_cards()
            {
                let Some(next) = blueprint.deal(&line.position) else { break };
                line.position = next;
            }
        };
        for &action in actions {
            dealt(&mut line);
            let next = blueprint.act(&line.position, action)?;
            line.taken.push((std::mem::replace(&mut line.position, next), action));
        }
        dealt(&mut line);
        let needed = line.taken.last().map_or(0, |(position, _)| position.hand().street().num_board_cards());
        (board.cards().len() >= needed).then_some(line)
    }

    fn step(&self, blueprint: &'a Blueprint, word: &str) -> Result<Line<'a>, LineError> {
        match self.position.hand().kind() {
            NodeKind::Chance => self.deal(blueprint, word),
            NodeKind::Decision(_) => self.act(blueprint, word),
            NodeKind::Runout => Err(nobody(word, "both are all-in")),
            _ => Err(nobody(word, "the hand is over")),
        }
    }

    fn act(&self, blueprint: &'a Blueprint, word: &str) -> Result<Line<'a>, LineError> {
        let labels = self.position.labels();
        let lower = word.to_ascii_lowercase();
        let meant = match lower.trim_end_matches('%') {
            "jam" | "allin" | "all-in" => "a",
            "k" | "check" => "x",
            "call" | "limp" => "c",
            "fold" => "f",
            other => other,
        };
        let found = labels.iter().position(|label| label == meant);
        let street = self.position.hand().street();
        let after = found.and_then(|action| self.after(blueprint, action));
        after.ok_or_else(|| LineError::Action { text: word.to_owned(), street, labels })
    }

    /// The line with one of the position's actions; `None` if there is no such action.
    #[must_use]
    pub fn after(&self, blueprint: &'a Blueprint, action: usize) -> Option<Line<'a>> {
        let position = blueprint.act(&self.position, action)?;
        let mut taken = self.taken.clone();
        taken.push((self.position.clone(), action));
        Some(Line { position, board: self.board, taken })
    }

    /// The decisions on the way, with the action that was taken.
    pub(super) fn taken(&self) -> &[(Position<'a>, usize)] {
        &self.taken
    }

    /// What the combos of the player to act do here; `None` if nobody acts.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board cannot be read, or are others than those of the blueprint.
    pub fn strategies(
        &self,
        blueprint: &Blueprint,
        buckets: &dyn Buckets,
    ) -> Result<Option<LineStrategies>, BucketedError> {
        let NodeKind::Decision(player) = self.position.hand().kind() else { return Ok(None) };
        let reach = std::mem::take(&mut self.reaches(blueprint, buckets)?[player]);
        let of_board = self.buckets_of(blueprint, buckets, &self.position)?;
        let frequencies = of_board.iter().map(|&bucket| blueprint.strategy(&self.position, bucket as usize));
        Ok(Some(LineStrategies { player, reach, frequencies: frequencies.collect(), buckets: of_board }))
    }

    /// The line up to where its street begins, with the board of the street.
    #[must_use]
    pub(crate) fn street_root(&self) -> Line<'a> {
        let street = self.position.hand().street();
        let first = self.taken.iter().position(|(position, _)| position.hand().street() == street);
        match first {
            None => self.clone(),
            Some(first) => Line {
                position: self.taken[first].0.clone(),
                board: self.board,
                taken: self.taken[..first].to_vec(),
            },
        }
    }

    /// The actions of the last street.
    #[must_use]
    pub(crate) fn street_actions(&self) -> Vec<Action> {
        let street = self.position.hand().street();
        let here = self.taken.iter().filter(|(position, _)| position.hand().street() == street);
        here.filter_map(|(position, action)| position.actions().get(*action).copied()).collect()
    }

    /// By combo number: how often each player's own actions lead here; 0 if the board blocks the combo.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board cannot be read, or are others than those of the blueprint.
    pub fn reaches(
        &self,
        blueprint: &Blueprint,
        buckets: &dyn Buckets,
    ) -> Result<PerPlayer<Vec<f64>>, BucketedError> {
        let mut reaches = PerPlayer::from_fn(|_| {
            let is_live = |combo: Combo| !combo.cards().intersects(self.board.set());
            Combo::all().map(|combo| f64::from(u8::from(is_live(combo)))).collect::<Vec<f64>>()
        });
        for (position, action) in &self.taken {
            let NodeKind::Decision(player) = position.hand().kind() else { continue };
            let of_board = self.buckets_of(blueprint, buckets, position)?;
            for (reach, &bucket) in
                reaches[player].iter_mut().zip(&of_board).filter(|(reach, _)| **reach > 0.0)
            {
                *reach *= blueprint.strategy(position, bucket as usize)[*action];
            }
        }
        Ok(reaches)
    }

    /// The bucket of each combo at a position on the way.
    fn buckets_of(
        &self,
        blueprint: &Blueprint,
        buckets: &dyn Buckets,
        position: &Position<'_>,
    ) -> Result<Vec<u32>, BucketedError> {
        let street = position.hand().street();
        let board = Board::new(&self.board.cards()[..street.num_board_cards()]);
        let of_board = buckets.of_board(&board.expect("a part of a board is one"))?;
        let count = blueprint.header().num_buckets[street as usize];
        match of_board.iter().find(|&&bucket| bucket as usize >= count) {
            Some(&bucket) => Err(BucketedError::UnknownBucket { street, bucket }),
            None => Ok(of_board),
        }
    }

    fn deal(&self, blueprint: &'a Blueprint, word: &str) -> Result<Line<'a>, LineError> {
        let refused = |reason: String| LineError::Cards { text: word.to_owned(), reason };
        let board: Board =
            format!("{}{word}", self.board).parse().map_err(|error| refused(format!("{error}")))?;
        let next = Street::ALL[self.position.hand().street() as usize + 1];
        if board.street() != next {
            let count = next.num_board_cards() - self.board.cards().len();
            let one = if count == 1 { "card comes" } else { "cards come" };
            return Err(refused(format!("{count} {one} on the {next}")));
        }
        let position = blueprint.deal(&self.position).ok_or_else(|| refused("none come".to_owned()))?;
        Ok(Line { position, board, taken: self.taken.clone() })
    }
}

fn nobody(word: &str, reason: &'static str) -> LineError {
    LineError::NobodyActs { text: word.to_owned(), reason }
}
