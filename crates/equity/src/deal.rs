//! Random cards from a full deck, many hands at once.

use equipoise_cards::Card;
use rayon::prelude::*;

use crate::sample::Random;

/// Hands that one generator deals, so that threads change nothing.
const BLOCK: usize = 1 << 14;

/// Deals hands of `width` different cards, each from a full deck: their numbers, row by row. At most 52 cards make a hand.
///
/// The same seed deals the same cards at any number of threads.
///
/// ```
/// let hands = equipoise_equity::deal(1000, 7, 1);
/// assert_eq!(hands.len(), 7000);
/// assert_eq!(hands, equipoise_equity::deal(1000, 7, 1));
/// assert_ne!(hands, equipoise_equity::deal(1000, 7, 2));
/// ```
#[must_use]
pub fn deal(num_hands: usize, width: usize, seed: u64) -> Vec<u8> {
    let width = width.min(Card::COUNT);
    let mut hands = vec![0; num_hands * width];
    if width > 0 {
        hands.par_chunks_mut(BLOCK * width).enumerate().for_each(|(block, hands)| {
            let mut random = Random::new(seed, block as u64);
            let mut deck: [u8; Card::COUNT] = Card::ALL.map(Card::id);
            for hand in hands.chunks_exact_mut(width) {
                // A deck in any order is as good as a new one.
                for (at, card) in hand.iter_mut().enumerate() {
                    deck.swap(at, at + random.below((Card::COUNT - at) as u32) as usize);
                    *card = deck[at];
                }
            }
        });
    }
    hands
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every ordered pair of first and last card comes as often, within 5 sigma of chi-square.
    #[test]
    fn cards_are_uniform_and_different() {
        let num_hands = 265_200;
        let hands = deal(num_hands, 7, 3);
        let mut pairs = vec![0.0; 52 * 52];
        for hand in hands.chunks_exact(7) {
            let mut sorted = hand.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert!(sorted.len() == 7 && sorted[6] < 52, "{hand:?}");
            pairs[usize::from(hand[0]) * 52 + usize::from(hand[6])] += 1.0;
        }
        let expected = num_hands as f64 / (52.0 * 51.0);
        let of = |at: usize| if at / 52 == at % 52 { 0.0 } else { (pairs[at] - expected).powi(2) / expected };
        let chi2: f64 = (0..52 * 52).map(of).sum();
        let degrees = 52.0 * 51.0 - 1.0;
        assert!((chi2 - degrees).abs() < 5.0 * f64::sqrt(2.0 * degrees), "{chi2}");
    }

    #[test]
    fn a_whole_deck_or_nothing_can_be_dealt() {
        let mut deck = deal(1, 52, 0);
        deck.sort_unstable();
        assert_eq!(deck, (0..52).collect::<Vec<u8>>());
        assert!(deal(0, 7, 0).is_empty() && deal(7, 0, 0).is_empty());
    }
}
