//! What a solution has of one board, for any list of combos in the suits of the runout.

use std::sync::Arc;

use equipoise_cards::{Card, Combo};
use equipoise_game::{NodeId, PerPlayer, Player};

use super::{ReadError, Reader};
use crate::compile::layout::combo_at;
use crate::kernel::ALWAYS;
use crate::read::page::Page;

/// The page of a board, and where it has each combo.
#[derive(Debug)]
pub(super) struct BoardPage {
    page: Arc<Page>,
    runout: Vec<Card>,
    /// How many combos of each player it has.
    lens: PerPlayer<usize>,
    /// By combo number.
    places: PerPlayer<Vec<u16>>,
}

impl BoardPage {
    pub(super) fn new(reader: &Reader, runout: &[Card]) -> Result<BoardPage, ReadError> {
        let (page, board, suits) = reader.page(runout)?;
        let lists = PerPlayer::from_fn(|player| reader.spot.combos_on(player, &board));
        let places = lists.as_ref().map(|list| {
            let mut places = vec![0; Combo::COUNT];
            for (place, &combo) in list.iter().enumerate() {
                places[suits.map_combo(combo_at(combo)).index()] = place as u16;
            }
            places
        });
        Ok(BoardPage { page, runout: runout.to_vec(), lens: lists.map(|list| list.len()), places })
    }

    /// The cards after the root's board.
    pub(super) fn runout(&self) -> &[Card] {
        &self.runout
    }

    /// Where the page has the combos of a list.
    pub(super) fn places(&self, player: Player, numbers: &[u16]) -> Vec<u16> {
        numbers.iter().map(|&number| self.places[player][usize::from(number)]).collect()
    }

    /// How often each combo of a list takes each action of a decision: by action, then by place in the list.
    pub(super) fn frequencies(
        &self,
        reader: &Reader,
        node: NodeId,
        numbers: &[u16],
        places: &[u16],
    ) -> Vec<Vec<f64>> {
        let at = reader.spot.tree().node(node);
        let player = at.player().expect("a decision");
        let len = self.lens[player];
        let first = reader.tree.first_action(node);
        let parts = |action: usize| {
            let parts = &self.page.players[player].frequencies[(first + action) * len..][..len];
            places.iter().map(|&place| f64::from(parts[usize::from(place)]) / f64::from(ALWAYS)).collect()
        };
        let mut actions: Vec<Vec<f64>> = (0..at.num_children()).map(parts).collect();
        // Rounding to sixteen bits left sums that are not quite 1.
        let mut sums = vec![0.0; places.len()];
        for action in &actions {
            sums.iter_mut().zip(action).for_each(|(sum, part)| *sum += part);
        }
        for action in &mut actions {
            for (part, &sum) in action.iter_mut().zip(&sums) {
                *part /= if sum > 0.0 { sum } else { 1.0 };
            }
        }
        // Pages have locks too, but rounded.
        for (_, lock) in reader.spot.locks_on(&self.runout).filter(|(locked, _)| *locked == node) {
            for (place, &combo) in numbers.iter().enumerate() {
                let locked = lock.frequencies(combo).into_iter().flatten();
                locked.zip(&mut actions).for_each(|(frequency, action)| action[place] = frequency);
            }
        }
        actions
    }

    /// What a decision's action is worth to each combo of a list, in chips since the root; before the river.
    pub(super) fn action_evs(
        &self,
        reader: &Reader,
        node: NodeId,
        action: usize,
        places: &[u16],
    ) -> Vec<f64> {
        let player = reader.spot.tree().node(node).player().expect("a decision");
        let first = reader.tree.first_action(node);
        self.pick(&self.page.players[player].action_evs, player, first + action, places)
    }

    /// What the beginning of a street is worth to each combo of a player's list; before the river.
    pub(super) fn line_evs(&self, reader: &Reader, node: NodeId, player: Player, places: &[u16]) -> Vec<f64> {
        let lines = &reader.tree.streets[self.runout.len()].lines;
        let line = lines.iter().position(|&line| line == node).expect("a street begins here");
        self.pick(&self.page.players[player].line_evs, player, line, places)
    }

    fn pick(&self, evs: &[f32], player: Player, row: usize, places: &[u16]) -> Vec<f64> {
        let len = self.lens[player];
        let evs = &evs[row * len..][..len];
        places.iter().map(|&place| f64::from(evs[usize::from(place)])).collect()
    }
}
