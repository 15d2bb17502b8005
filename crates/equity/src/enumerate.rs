//! Exact equity of any number of players, every choice of combos on every board.
//!
//! For boards that are partly known and for ranges too wide to be taken choice by choice: on each board all combos
//! are ranked at once, and the choices that share no card are walked with the best strength so far at hand.

use equipoise_cards::{BoardStrengths, CardSet};
use equipoise_progress::{Observer, Progress};

use crate::matchup::Matchup;
use crate::options::EquityError;
use crate::symmetry::Symmetry;
use crate::totals::Totals;
use crate::work::sum_parts;

/// A combo that is live on the board at hand.
#[derive(Clone, Copy)]
struct Live {
    cards: CardSet,
    strength: u16,
    index: u16,
    weight: f64,
}

pub(crate) fn count(
    matchup: &Matchup,
    symmetry: &Symmetry,
    empty: &Totals,
    observer: &mut dyn Observer,
) -> Result<Totals, EquityError> {
    let boards = symmetry.boards(matchup);
    let progress = Progress::new(observer, boards.len() as u64);
    let combos: Vec<Vec<Live>> = matchup
        .ranges()
        .iter()
        .map(|range| {
            let live = |(combo, weight): (equipoise_cards::Combo, f32)| Live {
                cards: combo.cards(),
                strength: 0,
                index: combo.index() as u16,
                weight: f64::from(weight),
            };
            range.iter().map(live).collect()
        })
        .collect();
    let mut totals = sum_parts(&boards, empty, |boards, totals| {
        let mut strengths = BoardStrengths::default();
        let mut walk = Walk::new(combos.len());
        for board in boards {
            strengths.fill(board.cards);
            for (live, combos) in walk.live.iter_mut().zip(&combos) {
                live.clear();
                live.extend(
                    combos.iter().filter(|combo| !combo.cards.intersects(strengths.board())).map(|combo| {
                        Live { strength: strengths.numbers()[usize::from(combo.index)], ..*combo }
                    }),
                );
            }
            walk.add_board(f64::from(board.class_size), totals, &progress)?;
            progress.advance(1)?;
        }
        Ok(())
    })?;
    totals.average_details(symmetry);
    Ok(totals)
}

/// Combos between two checks for cancellation: a board of many wide ranges can take years.
const PATIENCE: usize = 1 << 22;

/// The live combos of each player, the choices made so far, and the combos left before the next check for cancellation.
struct Walk {
    live: Vec<Vec<Live>>,
    chosen: Vec<u16>,
    patience: usize,
}

/// The players so far: their cards, the best strength, who has it, and the product of weights.
#[derive(Clone, Copy)]
struct SoFar {
    used: CardSet,
    best: u16,
    winners: u32,
    weight: f64,
}

impl SoFar {
    #[inline]
    fn with(self, player: usize, combo: &Live) -> SoFar {
        let winners = match combo.strength.cmp(&self.best) {
            std::cmp::Ordering::Greater => 1 << player,
            std::cmp::Ordering::Equal => self.winners | 1 << player,
            std::cmp::Ordering::Less => self.winners,
        };
        SoFar {
            used: self.used | combo.cards,
            best: self.best.max(combo.strength),
            winners,
            weight: self.weight * combo.weight,
        }
    }
}

impl Walk {
    fn new(num_players: usize) -> Walk {
        Walk { live: vec![Vec::new(); num_players], chosen: vec![0; num_players], patience: PATIENCE }
    }

    fn add_board(
        &mut self,
        times: f64,
        totals: &mut Totals,
        progress: &Progress<'_>,
    ) -> Result<(), EquityError> {
        let live = std::mem::take(&mut self.live);
        let nobody = SoFar { used: CardSet::EMPTY, best: 0, winners: 0, weight: times };
        let result = self.go(&live, 0, nobody, totals, progress);
        self.live = live;
        result
    }

    fn go(
        &mut self,
        live: &[Vec<Live>],
        player: usize,
        so_far: SoFar,
        totals: &mut Totals,
        progress: &Progress<'_>,
    ) -> Result<(), EquityError> {
        if player == live.len() {
            totals.add(so_far.winners, so_far.weight);
            totals.add_details(&self.chosen, so_far.winners, so_far.weight);
            return Ok(());
        }
        self.patience = self.patience.saturating_sub(live[player].len());
        if self.patience == 0 {
            self.patience = PATIENCE;
            progress.advance(0)?;
        }
        if player + 1 == live.len() && !totals.has_details() {
            add_last(&live[player], player, so_far, totals);
            return Ok(());
        }
        for combo in live[player].iter().filter(|combo| !combo.cards.intersects(so_far.used)) {
            self.chosen[player] = combo.index;
            self.go(live, player + 1, so_far.with(player, combo), totals, progress)?;
        }
        Ok(())
    }
}

/// The last player's combos change the winners in three ways only.
fn add_last(live: &[Live], player: usize, so_far: SoFar, totals: &mut Totals) {
    let mut weights = [0.0; 3];
    for combo in live {
        let free = !combo.cards.intersects(so_far.used);
        let way = usize::from(combo.strength >= so_far.best) + usize::from(combo.strength > so_far.best);
        weights[way] += if free { combo.weight } else { 0.0 };
    }
    let winners = [so_far.winners, so_far.winners | 1 << player, 1 << player];
    for (winners, weight) in winners.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0) {
        totals.add(winners, so_far.weight * weight);
    }
}
