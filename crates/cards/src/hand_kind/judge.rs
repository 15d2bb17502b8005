//! Telling the kinds of combos apart on one board.

use super::{Draw, Draws, HandKind, MadeGroup, MadeHand};
use crate::board::{Board, Street};
use crate::card::{Card, Rank, Suit};
use crate::card_set::CardSet;
use crate::combo::Combo;
use crate::strength::{Category, Strength, Tally};

/// Thirteen bits, one for each rank, deuce lowest.
type Ranks = u16;

const ALL_RANKS: Ranks = 0x1fff;

/// What must be known of a board to judge combos on it, found once.
pub(super) struct Judge {
    street: Street,
    cards: CardSet,
    tally: Tally,
    /// The ranks on the board.
    ranks: Ranks,
    /// The ranks on the board by suit.
    suits: [Ranks; Suit::COUNT],
    /// The rank that the board has four times, if any.
    quads: Ranks,
    /// The rank that the board has three times, if any.
    trips: Ranks,
    /// What the board is worth alone; on the river only.
    strength: Option<Strength>,
    /// The board's own straight with one more card of each rank; see [`straight`].
    straights: [u32; Rank::COUNT],
}

impl Judge {
    /// `None` before the flop.
    pub(super) fn new(board: &Board) -> Option<Judge> {
        if board.street() == Street::Preflop {
            return None;
        }
        let cards = board.set();
        let suits = Suit::ALL.map(|suit| cards.ranks_of(suit));
        let [c, d, h, s] = suits;
        let ranks = c | d | h | s;
        let quads = c & d & h & s;
        let trips = (c & d & (h | s) | h & s & (c | d)) & !quads;
        Some(Judge {
            street: board.street(),
            cards,
            tally: cards.into(),
            ranks,
            suits,
            quads,
            trips,
            strength: Strength::of(cards).filter(|_| board.street() == Street::River),
            straights: std::array::from_fn(|rank| straight(ranks | 1 << rank)),
        })
    }

    /// `None` if the board has a card of the combo.
    pub(super) fn kind(&self, combo: Combo) -> Option<HandKind> {
        if combo.cards().intersects(self.cards) {
            return None;
        }
        let strength = self.strength_of(combo);
        let made = self.made(combo, strength);
        Some(HandKind { made, draws: self.draws(combo, strength.category(), made) })
    }

    fn strength_of(&self, combo: Combo) -> Strength {
        let tally = self.tally.with(combo.low()).with(combo.high());
        match self.street {
            Street::Preflop | Street::Flop => tally.strength5(),
            Street::Turn => tally.strength6(),
            Street::River => tally.strength7(),
        }
    }

    fn made(&self, combo: Combo, strength: Strength) -> MadeHand {
        let category = strength.category();
        if category >= Category::TwoPair && self.strength == Some(strength) {
            return MadeHand::PlaysTheBoard;
        }
        let ranks = bit(combo.low().rank()) | bit(combo.high().rank());
        let pocket = ranks.count_ones() == 1;
        match category {
            Category::StraightFlush => MadeHand::StraightFlush,
            Category::Quads if self.quads == 0 => MadeHand::Quads,
            Category::FullHouse => MadeHand::FullHouse,
            Category::Flush => self.flush(combo),
            Category::Straight => MadeHand::Straight,
            Category::Trips if pocket => MadeHand::Set,
            Category::Trips if self.trips == 0 => MadeHand::Trips,
            Category::TwoPair | Category::Pair => {
                let added = strength.naming_ranks() & ranks;
                match added.count_ones() {
                    0 => self.no_pair(combo),
                    1 if pocket => self.pocket_pair(added),
                    1 => self.one_pair(added, ranks & !added),
                    _ => self.two_pair(added),
                }
            }
            Category::HighCard | Category::Trips | Category::Quads => self.no_pair(combo),
        }
    }

    /// How many ranks of the board are above this one.
    fn num_above(&self, rank: Ranks) -> u32 {
        above(self.ranks, rank).count_ones()
    }

    fn is_above_board(&self, rank: Rank) -> bool {
        bit(rank) > self.ranks
    }

    fn no_pair(&self, combo: Combo) -> MadeHand {
        // Numbers of cards go up with their ranks.
        match combo.high().rank() {
            Rank::ACE => MadeHand::AceHigh,
            Rank::KING => MadeHand::KingHigh,
            _ if self.is_above_board(combo.low().rank()) => MadeHand::LowOvercards,
            _ => MadeHand::Nothing,
        }
    }

    fn pocket_pair(&self, rank: Ranks) -> MadeHand {
        match self.num_above(rank) {
            0 => MadeHand::Overpair,
            above if above == self.ranks.count_ones() => MadeHand::Underpair,
            1 => MadeHand::PocketPairBelowTop,
            2 => MadeHand::PocketPairBelowSecond,
            _ => MadeHand::LowPair,
        }
    }

    fn one_pair(&self, rank: Ranks, kicker: Ranks) -> MadeHand {
        match self.num_above(rank) {
            0 => self.top_pair(kicker),
            1 => MadeHand::SecondPair,
            2 => MadeHand::ThirdPair,
            _ => MadeHand::LowPair,
        }
    }

    fn top_pair(&self, kicker: Ranks) -> MadeHand {
        let kickers = ALL_RANKS & !self.ranks;
        match above(kickers, kicker).count_ones() {
            // A counterfeit kicker is on the board, and as weak as any.
            _ if kicker & kickers == 0 => MadeHand::TopPairWeakKicker,
            0 => MadeHand::TopPairTopKicker,
            1 | 2 => MadeHand::TopPairGoodKicker,
            _ => MadeHand::TopPairWeakKicker,
        }
    }

    fn two_pair(&self, ranks: Ranks) -> MadeHand {
        let top = highest(self.ranks);
        if ranks == top | highest(self.ranks & !top) { MadeHand::TopTwoPair } else { MadeHand::LowerTwoPair }
    }

    fn flush(&self, combo: Combo) -> MadeHand {
        let of_suit = |suit: &Suit| (self.suits[suit.index()] | private(combo, *suit)).count_ones() >= 5;
        let suit = Suit::ALL.into_iter().find(of_suit).expect("a flush has a suit");
        let private = private(combo, suit);
        match private.count_ones() {
            _ if self.has_nut(private, suit) => MadeHand::NutFlush,
            1 => MadeHand::OneCardFlush,
            _ => MadeHand::TwoCardFlush,
        }
    }

    /// Whether private ranks of a suit have the highest that is not on the board.
    fn has_nut(&self, private: Ranks, suit: Suit) -> bool {
        private & highest(ALL_RANKS & !self.suits[suit.index()]) != 0
    }

    fn draws(&self, combo: Combo, category: Category, made: MadeHand) -> Draws {
        if self.street == Street::River || category >= Category::Flush {
            return Draws::NONE;
        }
        let draws = self.flush_draws(combo);
        if category == Category::Straight {
            return draws;
        }
        let draws = self.straight_draws(combo, draws);
        let above = self.is_above_board(combo.low().rank());
        draws.with_if(above && made.group() == MadeGroup::NoPair, Draw::Overcards)
    }

    fn flush_draws(&self, combo: Combo) -> Draws {
        let mut draws = Draws::NONE;
        for suit in [combo.low().suit(), combo.high().suit()] {
            let private = private(combo, suit);
            match (self.suits[suit.index()] | private).count_ones() {
                4 => {
                    draws = draws
                        .with(Draw::FlushDraw)
                        .with_if(private.count_ones() == 1, Draw::OneCardFlushDraw)
                        .with_if(self.has_nut(private, suit), Draw::NutFlushDraw);
                }
                3 => draws = draws.with_if(self.street == Street::Flop, Draw::BackdoorFlushDraw),
                _ => {}
            }
        }
        draws
    }

    /// Adds the straight draws of a hand that is no straight.
    fn straight_draws(&self, combo: Combo, draws: Draws) -> Draws {
        let ranks = self.ranks | bit(combo.low().rank()) | bit(combo.high().rank());
        let makes = |rank: &usize| straight(ranks | 1 << rank) > self.straights[*rank];
        match (0..Rank::COUNT).filter(makes).count() {
            0 => draws.with_if(self.has_backdoor_straight(ranks), Draw::BackdoorStraightDraw),
            outs => draws
                .with(Draw::StraightDraw)
                .with(if outs == 1 { Draw::Gutshot } else { Draw::OpenEnded })
                .with_if(draws.contains(Draw::FlushDraw), Draw::ComboDraw),
        }
    }

    /// Whether two more ranks can make a straight that the board has not with the same two.
    fn has_backdoor_straight(&self, ranks: Ranks) -> bool {
        let completes = |missing: Ranks| straight(ranks | missing) > straight(self.ranks | missing);
        let three = |window: &Ranks| (ranks & window).count_ones() == 3;
        self.street == Street::Flop
            && STRAIGHTS.iter().filter(|window| three(window)).any(|window| completes(window & !ranks))
    }
}

/// The ranks of each straight, from the wheel up.
const STRAIGHTS: [Ranks; 10] = {
    let mut straights = [0b1_0000_0000_1111; 10];
    let mut low = 0;
    while low < 9 {
        straights[low + 1] = 0b1_1111 << low;
        low += 1;
    }
    straights
};

/// A number for the best straight among these ranks, higher for a better one; 0 if there is none.
const fn straight(ranks: Ranks) -> u32 {
    // The ace stands below the deuce too.
    let ranks = (ranks as u32) << 1 | ranks as u32 >> 12;
    let pairs = ranks & ranks >> 1;
    let lows = pairs & pairs >> 2 & ranks >> 4;
    u32::BITS - lows.leading_zeros()
}

/// The ranks that a combo has in a suit.
fn private(combo: Combo, suit: Suit) -> Ranks {
    let rank_in = |card: Card| if card.suit() == suit { bit(card.rank()) } else { 0 };
    rank_in(combo.low()) | rank_in(combo.high())
}

const fn bit(rank: Rank) -> Ranks {
    1 << rank.id()
}

/// Those of these ranks that are above one.
const fn above(ranks: Ranks, rank: Ranks) -> Ranks {
    ranks & !(rank | (rank - 1))
}

/// The highest of these ranks; there must be one.
const fn highest(ranks: Ranks) -> Ranks {
    1 << ranks.ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straights_are_numbered_from_the_wheel() {
        for (number, window) in (1..).zip(STRAIGHTS) {
            assert_eq!(window.count_ones(), 5);
            assert_eq!(straight(window), number);
        }
        let wrong = |ranks: &Ranks| (straight(*ranks) > 0) != STRAIGHTS.iter().any(|w| ranks & w == *w);
        assert_eq!((0..=ALL_RANKS).find(wrong), None);
    }
}
