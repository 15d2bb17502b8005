//! Many deals at once, without branches that depend on chance.
//!
//! # Drawing
//! Every player's combo and two pieces of the runout (three cards and two before the flop) are drawn from tables, each
//! with its own weights and without regard to the rest. Where two of them share a card, the deal is drawn again. What is
//! left has the joint law: its probability is the product of the weights, and every runout comes from equally many pairs
//! of pieces.
//!
//! Players come first, and runouts are drawn until one fits them. Every choice of combos leaves equally many
//! runouts, so that this favours none.
//!
//! # Without branches
//! Whether a draw is kept is a coin that no processor predicts. So each is written to the end of a list, and the end
//! moves on by one if it is kept, by none if not.

use equipoise_cards::{Card, CardSet, Strength, Tally};

use super::{Below, Drawn, MAX_TRIES, Random, Ranged, fixed_cards, index_of, winners};
use crate::matchup::{Matchup, Seat, choose};
use crate::options::EquityError;
use crate::totals::Totals;

/// Deals drawn together: they fit the fastest memory.
const BATCH: usize = 256;

/// The part of draws below which dealing one by one is faster.
const MIN_KEPT: f64 = 0.2;

/// Draws deals by the batch.
pub(super) struct Batches {
    num_players: usize,
    /// All players.
    ranged: Ranged,
    /// Pieces of the runout, the second with the board so far.
    pieces: [Pieces; 2],
}

/// All sets of as many cards of a deck, and how one is drawn.
struct Pieces {
    tallies: Vec<Tally>,
    places: Below,
}

impl Pieces {
    /// Sets of `len` cards, with these cards more.
    fn new(deck: &[Card], len: usize, more: CardSet) -> Pieces {
        let mut tallies = vec![(0, Tally::from(more))];
        for _ in 0..len {
            let longer = |&(next, tally): &(usize, Tally)| {
                deck[next..].iter().zip(next + 1..).map(move |(&card, next)| (next, tally.with(card)))
            };
            tallies = tallies.iter().flat_map(longer).collect();
        }
        let places = Below::new(tallies.len() as u32);
        Pieces { tallies: tallies.into_iter().map(|entry| entry.1).collect(), places }
    }

    #[inline]
    fn draw(&self, bits: u32) -> (Tally, bool) {
        let (place, counts) = self.places.draw(bits);
        (self.tallies[place], counts)
    }
}

/// Deals of a batch.
struct Deals {
    /// The players' combos, deal after deal.
    combos: Vec<Tally>,
    /// All cards of the players.
    held: Vec<Tally>,
    boards: Vec<Tally>,
    /// All seven cards of each player, and how strong they are.
    hands: Vec<Tally>,
    strengths: Vec<Strength>,
}

impl Deals {
    fn new(num_players: usize) -> Deals {
        Deals {
            combos: vec![Tally::EMPTY; BATCH * num_players],
            held: vec![Tally::EMPTY; BATCH],
            boards: vec![Tally::EMPTY; BATCH],
            hands: Vec::new(),
            strengths: Vec::new(),
        }
    }

    /// Ranks the first deals.
    fn rank(&mut self, len: usize, num_players: usize) {
        self.hands.clear();
        for (combos, board) in self.combos.chunks_exact(num_players).zip(&self.boards[..len]) {
            self.hands.extend(combos.iter().map(|combo| board.join(*combo)));
        }
        Tally::strengths7(&self.hands, &mut self.strengths);
    }
}

impl Batches {
    /// `None` where so many cards are drawn that most draws would share one.
    pub(super) fn new(matchup: &Matchup) -> Option<Batches> {
        let deck: Vec<Card> = (!fixed_cards(matchup)).iter().collect();
        let seats = matchup.seats();
        let num_drawn: usize = seats.iter().map(|seat| 2 - seat.known().len()).sum();
        let num_dealt: usize = seats
            .iter()
            .filter(|seat| matches!(seat, Seat::Card(_) | Seat::Unknown))
            .map(|seat| 2 - seat.known().len())
            .sum();
        let (cards, to_come) = (deck.len(), matchup.num_to_come());
        let part = |taken: usize, of: usize| {
            choose(cards.saturating_sub(taken) as u64, of as u64) as f64
                / choose(cards as u64, of as u64) as f64
        };
        // Of runouts that avoid the players, and of cards of players dealt at random that avoid those before them.
        if part(num_drawn, to_come) < MIN_KEPT || part(num_drawn, num_dealt) < MIN_KEPT {
            return None;
        }
        let num_players = seats.len();
        let first = if to_come > 3 { to_come - 2 } else { to_come };
        let pieces = [(first, CardSet::EMPTY), (to_come - first, matchup.board().set())];
        Some(Batches {
            num_players,
            ranged: Ranged::new(matchup, (0..num_players).collect(), CardSet::EMPTY),
            pieces: pieces.map(|(len, more)| Pieces::new(&deck, len, more)),
        })
    }

    pub(super) fn block(
        &self,
        seed: u64,
        block: u64,
        samples: u64,
        empty: &Totals,
    ) -> Result<Totals, EquityError> {
        let mut rng = Random::new(seed, block);
        let mut totals = empty.clone();
        let mut alone = vec![0; self.num_players];
        let mut deals = Deals::new(self.num_players);
        let mut left = samples as usize;
        while left > 0 {
            let len = left.min(BATCH);
            self.draw_players(len, &mut rng, &mut deals)?;
            self.draw_boards(len, &mut rng, &mut deals);
            deals.rank(len, self.num_players);
            self.count(&deals, &mut alone, &mut totals);
            left -= len;
        }
        for (player, count) in alone.into_iter().enumerate() {
            totals.add(1 << player, count as f64);
        }
        Ok(totals)
    }

    fn draw_players(&self, len: usize, rng: &mut Random, deals: &mut Deals) -> Result<(), EquityError> {
        let Deals { combos, held, .. } = deals;
        match &self.ranged {
            // All deals have had it since the first batch.
            Ranged::Joint { choices, .. } if choices.cards.len() == 1 && held[len - 1] != Tally::EMPTY => {
                Ok(())
            }
            Ranged::Joint { choices, alias, .. } => {
                let mut end = 0;
                while end < len {
                    let (choice, counts) = alias.draw_by(rng.word());
                    let drawn = choices.of(choice, self.num_players);
                    combos[end * self.num_players..][..self.num_players].copy_from_slice(drawn);
                    held[end] = drawn.iter().fold(Tally::EMPTY, |all, combo| all.join(*combo));
                    end += usize::from(counts);
                }
                Ok(())
            }
            Ranged::Apart { players } => draw_apart(players, len, rng, combos, held),
        }
    }

    fn draw_boards(&self, len: usize, rng: &mut Random, deals: &mut Deals) {
        let [first, second] = &self.pieces;
        let (held, boards) = (&deals.held[..len], &mut deals.boards[..len]);
        let mut end = 0;
        while end < len {
            let word = rng.word();
            let ((a, counts_a), (b, counts_b)) = (first.draw(word as u32), second.draw((word >> 32) as u32));
            let board = a.checked_join(b);
            let fits = !a.intersects(held[end]) & !b.intersects(held[end]);
            boards[end] = board.unwrap_or(Tally::EMPTY);
            end += usize::from(counts_a & counts_b & board.is_some() & fits);
        }
    }

    fn count(&self, deals: &Deals, alone: &mut [u64], totals: &mut Totals) {
        if let ([first, second], false) = (&mut *alone, totals.has_details()) {
            let (mut won, mut lost) = (0, 0);
            let strengths = deals.strengths.as_chunks::<2>().0;
            for [a, b] in strengths {
                won += u32::from(a > b);
                lost += u32::from(b > a);
            }
            *first += u64::from(won);
            *second += u64::from(lost);
            totals.add(3, f64::from(strengths.len() as u32 - won - lost));
            return;
        }
        let combos = deals.combos.chunks_exact(self.num_players);
        for (combos, strengths) in combos.zip(deals.strengths.chunks_exact(self.num_players)) {
            let winners = winners(strengths.iter().copied());
            if winners.is_power_of_two() {
                alone[winners.trailing_zeros() as usize] += 1;
            } else {
                totals.add(winners, 1.0);
            }
            if totals.has_details() {
                let indices: Vec<u16> = combos.iter().map(|cards| index_of(*cards)).collect();
                totals.add_details(&indices, winners, 1.0);
            }
        }
    }
}

/// Draws each player from its own range.
fn draw_apart(
    players: &[Drawn],
    len: usize,
    rng: &mut Random,
    combos: &mut [Tally],
    held: &mut [Tally],
) -> Result<(), EquityError> {
    let (mut end, mut tries) = (0, 0);
    while end < len {
        let (mut all, mut is_kept) = (Tally::EMPTY, true);
        let slots = &mut combos[end * players.len()..][..players.len()];
        for (slot, Drawn { combos: range, alias, .. }) in slots.iter_mut().zip(players) {
            let (place, counts) = alias.draw_by(rng.word());
            *slot = range[place].1;
            let joined = all.checked_join(*slot);
            is_kept &= counts & joined.is_some();
            all = joined.unwrap_or(all);
        }
        held[end] = all;
        end += usize::from(is_kept);
        tries = if is_kept { 0 } else { tries + 1 };
        if tries == MAX_TRIES {
            return Err(EquityError::TooRare { tries });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches(seats: &[&str], board: &str) -> Option<Batches> {
        let seats = seats.iter().map(|text| text.parse().unwrap()).collect();
        Batches::new(&Matchup::new(seats, board.parse().unwrap(), CardSet::EMPTY).unwrap())
    }

    #[test]
    fn pieces_are_all_sets() {
        for (len, count) in [(0, 1), (1, 48), (2, 1_128), (3, 17_296)] {
            let pieces = Pieces::new(&Card::ALL[4..], len, "2c2d".parse().unwrap());
            assert_eq!(pieces.tallies.len(), count);
            let sets: std::collections::BTreeSet<u64> =
                pieces.tallies.iter().map(|tally| tally.cards().bits()).collect();
            assert_eq!(sets.len(), count);
            assert!(pieces.tallies.iter().all(|tally| tally.cards().len() == len + 2));
        }
    }

    /// Every deal of two small ranges and the last two cards, each equally often.
    #[test]
    fn deals_are_equally_likely() {
        let dealer = batches(&["AhAd,AhKh,9c8c", "KhKd,AdKc"], "Td9d6h").unwrap();
        let mut rng = Random::new(5, 0);
        let mut deals = Deals::new(2);
        let mut counts = std::collections::BTreeMap::new();
        const ROUNDS: usize = 800;
        for _ in 0..ROUNDS {
            dealer.draw_players(BATCH, &mut rng, &mut deals).unwrap();
            dealer.draw_boards(BATCH, &mut rng, &mut deals);
            for (combos, board) in deals.combos.chunks_exact(2).zip(&deals.boards) {
                assert!(
                    !combos[0].intersects(combos[1]) && !combos.iter().any(|combo| combo.intersects(*board))
                );
                let key = [combos[0], combos[1], *board].map(|tally| tally.cards().bits());
                *counts.entry(key).or_insert(0.0) += 1.0;
            }
        }
        // Four choices share no card, each with C(45, 2) runouts.
        assert_eq!(counts.len(), 4 * 990);
        let expected = (ROUNDS * BATCH) as f64 / counts.len() as f64;
        let chi2: f64 = counts.values().map(|count: &f64| (count - expected).powi(2) / expected).sum();
        let freedom = counts.len() as f64 - 1.0;
        assert!((chi2 - freedom).abs() < 4.5 * (2.0 * freedom).sqrt(), "{chi2} for {freedom}");
    }

    #[test]
    fn many_players_are_dealt_one_by_one() {
        assert!(batches(&["AhAd", "random"], "").is_some());
        assert!(batches(&["22+,A2s+", "random", "KQs,77"], "").is_some());
        assert!(batches(&["random"; 9], "").is_none());
    }
}
