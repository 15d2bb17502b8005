//! Strengths in words, and the five cards behind them.

use std::fmt;

use super::{Category, Strength};
use crate::card::{Card, Rank, Suit};
use crate::card_set::CardSet;

impl fmt::Display for Strength {
    /// A sentence: "two pair, aces and eights, king kicker".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (primary, kickers) = self.fields();
        let (primary, kickers) = (ranks(primary), ranks(kickers));
        match (self.category(), &primary[..], &kickers[..]) {
            (Category::StraightFlush, _, [Rank::ACE]) => f.write_str("royal flush"),
            (category @ (Category::StraightFlush | Category::Straight), _, [high]) => {
                write!(f, "{category}, {} high", high.name())
            }
            (Category::Flush, _, all) => write!(f, "flush, {}", list(all)),
            (Category::FullHouse, [trips], [pair]) => {
                write!(f, "full house, {} full of {}", trips.plural(), pair.plural())
            }
            (Category::TwoPair, [high, low], [kicker]) => {
                write!(f, "two pair, {} and {}, {} kicker", high.plural(), low.plural(), kicker.name())
            }
            (Category::Pair, [pair], kickers) => {
                write!(f, "pair of {}, {} kickers", pair.plural(), list(kickers))
            }
            (Category::HighCard, _, [high, kickers @ ..]) => {
                write!(f, "{} high, {} kickers", high.name(), list(kickers))
            }
            (category, [same], [kicker]) => {
                write!(f, "{category}, {}, {} kicker", same.plural(), kicker.name())
            }
            (category, same, kickers) => {
                let same: Vec<_> = same.iter().map(|rank| rank.plural()).collect();
                write!(f, "{category}, {}, {} kickers", same.join(" and "), list(kickers))
            }
        }
    }
}

/// The ranks of a 13-bit set, highest first.
fn ranks(set: u16) -> Vec<Rank> {
    Rank::ALL.into_iter().rev().filter(|rank| set >> rank.id() & 1 != 0).collect()
}

/// "king, nine and deuce"
fn list(ranks: &[Rank]) -> String {
    match ranks {
        [] => String::new(),
        [only] => only.name().to_owned(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(|rank| rank.name()).collect();
            format!("{} and {}", first.join(", "), last.name())
        }
    }
}

/// The five cards that make the strength of five, six or seven, the telling ones first; `None` for other numbers.
///
/// Where several cards of a rank would do, the one with the highest number is taken.
///
/// ```
/// use equipoise_cards::best_five;
/// let five = best_five("AhAd8c8sKdQc2h".parse()?).unwrap();
/// assert_eq!(five.map(|card| card.to_string()).concat(), "AhAd8s8cKd");
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
#[must_use]
pub fn best_five(cards: CardSet) -> Option<[Card; 5]> {
    let strength = Strength::of(cards)?;
    let (primary, kickers) = strength.fields();
    let flush = Suit::ALL.into_iter().find(|&suit| cards.ranks_of(suit).count_ones() >= 5);
    let of_rank = |rank: Rank, most: usize| {
        let eligible = move |card: &Card| card.rank() == rank && flush.is_none_or(|suit| card.suit() == suit);
        cards.iter().rev().filter(eligible).take(most)
    };
    let five: Vec<Card> = match strength.category() {
        Category::Straight | Category::StraightFlush => {
            let high = ranks(kickers)[0].id();
            // Five ranks down from the high card; below the deuce comes the ace.
            (0..5)
                .filter_map(|step| Rank::try_new((high + 13 - step) % 13))
                .flat_map(|rank| of_rank(rank, 1))
                .collect()
        }
        Category::FullHouse => ranks(primary)
            .into_iter()
            .flat_map(|rank| of_rank(rank, 3))
            .chain(ranks(kickers).into_iter().flat_map(|rank| of_rank(rank, 2)))
            .collect(),
        _ => ranks(primary)
            .into_iter()
            .flat_map(|rank| of_rank(rank, 4))
            .chain(ranks(kickers).into_iter().flat_map(|rank| of_rank(rank, 1)))
            .collect(),
    };
    five.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences() {
        for (cards, sentence, five) in [
            ("AsKsQsJsTs2c3d", "royal flush", "AsKsQsJsTs"),
            ("9s8s7s6s5s2c3d", "straight flush, nine high", "9s8s7s6s5s"),
            ("As2s3s4s5s6h7d", "straight flush, five high", "5s4s3s2sAs"),
            ("AhAdAcAsKd2c3h", "four of a kind, aces, king kicker", "AsAhAdAcKd"),
            ("KhKdKcQhQd2c2h", "full house, kings full of queens", "KhKdKcQhQd"),
            ("KhKdKcQhQdQc2h", "full house, kings full of queens", "KhKdKcQhQd"),
            ("AhTh9h5h2h3h", "flush, ace, ten, nine, five and three", "AhTh9h5h3h"),
            ("Ah2c3d4s5h", "straight, five high", "5h4s3d2cAh"),
            ("6h6c6d4s5h", "three of a kind, sixes, five and four kickers", "6h6d6c5h4s"),
            ("AhAd8c8sKdQc2h", "two pair, aces and eights, king kicker", "AhAd8s8cKd"),
            ("AhAd8c8sKdKc2h", "two pair, aces and kings, eight kicker", "AhAdKdKc8s"),
            ("2h2d8c9sKd", "pair of deuces, king, nine and eight kickers", "2h2dKd9s8c"),
            ("7h5d4c3s2d", "seven high, five, four, three and deuce kickers", "7h5d4c3s2d"),
        ] {
            let set: CardSet = cards.parse().unwrap();
            assert_eq!(Strength::of(set).unwrap().to_string(), sentence, "{cards}");
            assert_eq!(best_five(set).unwrap().map(|card| card.to_string()).concat(), five, "{cards}");
        }
    }

    #[test]
    fn every_strength_has_its_own_sentence() {
        let sentences: std::collections::HashSet<String> =
            (0..Strength::COUNT as u16).map(|n| Strength::try_new(n).unwrap().to_string()).collect();
        assert_eq!(sentences.len(), Strength::COUNT);
    }

    proptest! {
        #[test]
        fn the_best_five_have_the_strength_of_all(picks in proptest::sample::subsequence(Card::ALL.to_vec(), 5..=7)) {
            let cards: CardSet = picks.into_iter().collect();
            let five: CardSet = best_five(cards).unwrap().into_iter().collect();
            prop_assert_eq!(five.len(), 5);
            prop_assert!((five - cards).is_empty());
            prop_assert_eq!(Strength::of(five), Strength::of(cards));
        }
    }
}
