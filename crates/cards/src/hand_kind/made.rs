//! Made hands and the rows of a table of them.

use super::named;

named! {
    /// What a combo has made of a board: every combo is exactly one of these. [`HandKind`](crate::HandKind) says how they
    /// are told apart.
    ///
    /// The order is weak to strong as players think of it. On a board without a pair it is that of
    /// [`Strength`](crate::Strength), but for hands without a pair and the split of flushes by private cards; on a board
    /// with a pair, an overpair can beat two pair.
    pub enum MadeHand {
        /// The board is two pair or better, and no private card plays; on the river only.
        PlaysTheBoard = "plays the board" / "plays_the_board",
        /// No pair, and none of the next three.
        Nothing = "nothing" / "nothing",
        /// No pair; both private cards above the board, neither of them an ace or a king.
        LowOvercards = "low overcards" / "low_overcards",
        /// No pair, and the higher private card is a king.
        KingHigh = "king high" / "king_high",
        /// No pair, and one private card is an ace.
        AceHigh = "ace high" / "ace_high",
        /// Two private cards of a rank below the board.
        Underpair = "underpair" / "underpair",
        /// A pair with the fourth or fifth rank of the board, or two private cards between the third and the last.
        LowPair = "low pair" / "low_pair",
        /// A pair with the third rank of the board.
        ThirdPair = "third pair" / "third_pair",
        /// Two private cards of a rank between the second of the board and the next.
        PocketPairBelowSecond = "pocket pair below second pair" / "pocket_pair_below_second_pair",
        /// A pair with the second rank of the board.
        SecondPair = "second pair" / "second_pair",
        /// Two private cards of a rank between the first of the board and the second.
        PocketPairBelowTop = "pocket pair below top pair" / "pocket_pair_below_top_pair",
        /// A pair with the first rank of the board, and a lower kicker than the next two.
        TopPairWeakKicker = "top pair weak kicker" / "top_pair_weak_kicker",
        /// A pair with the first rank of the board, and the second or third best kicker.
        TopPairGoodKicker = "top pair good kicker" / "top_pair_good_kicker",
        /// A pair with the first rank of the board, and the highest rank that is not on the board.
        TopPairTopKicker = "top pair top kicker" / "top_pair_top_kicker",
        /// Two private cards of a rank above the board.
        Overpair = "overpair" / "overpair",
        /// Each private card makes a pair with the board, though not of its two highest ranks.
        LowerTwoPair = "lower two pair" / "lower_two_pair",
        /// Each private card makes a pair with one of the board's two highest ranks.
        TopTwoPair = "top two pair" / "top_two_pair",
        /// One private card with two of its rank on the board.
        Trips = "trips" / "trips",
        /// Two private cards of a rank with one on the board.
        Set = "set" / "set",
        /// A straight, better than the board's own.
        Straight = "straight" / "straight",
        /// A flush with one private card, not the highest that is left.
        OneCardFlush = "one-card flush" / "one_card_flush",
        /// A flush with two private cards of the suit, neither of them the highest that is left.
        TwoCardFlush = "two-card flush" / "two_card_flush",
        /// A flush with the highest card of the suit that is not on the board.
        NutFlush = "nut flush" / "nut_flush",
        /// A full house, better than the board's own.
        FullHouse = "full house" / "full_house",
        /// Four of a kind with at least one private card.
        Quads = "quads" / "quads",
        /// A straight flush, better than the board's own.
        StraightFlush = "straight flush" / "straight_flush",
    }
}

named! {
    /// Made hands in few rows, for tables: each [`MadeHand`] belongs to one.
    pub enum MadeGroup {
        /// [`MadeHand::PlaysTheBoard`].
        PlaysTheBoard = "plays the board" / "plays_the_board",
        /// Nothing, low overcards, king high and ace high.
        NoPair = "no pair" / "no_pair",
        /// Whatever one pair is below the second pair: underpair, low pair, third pair, pocket pair below second pair.
        WeakPair = "weak pair" / "weak_pair",
        /// Second pair, and a pocket pair below top pair.
        MiddlePair = "middle pair" / "middle_pair",
        /// Top pair with any kicker.
        TopPair = "top pair" / "top_pair",
        /// [`MadeHand::Overpair`].
        Overpair = "overpair" / "overpair",
        /// Top two pair and lower two pair.
        TwoPair = "two pair" / "two_pair",
        /// [`MadeHand::Trips`].
        Trips = "trips" / "trips",
        /// [`MadeHand::Set`].
        Set = "set" / "set",
        /// [`MadeHand::Straight`].
        Straight = "straight" / "straight",
        /// Flushes with one private card or two, nut or not.
        Flush = "flush" / "flush",
        /// [`MadeHand::FullHouse`].
        FullHouse = "full house" / "full_house",
        /// [`MadeHand::Quads`].
        Quads = "quads" / "quads",
        /// [`MadeHand::StraightFlush`].
        StraightFlush = "straight flush" / "straight_flush",
    }
}

impl MadeHand {
    /// The row of a short table that this hand belongs to.
    ///
    /// ```
    /// use equipoise_cards::{MadeGroup, MadeHand};
    /// assert_eq!(MadeHand::TopPairTopKicker.group(), MadeGroup::TopPair);
    /// assert_eq!(MadeHand::AceHigh.group().name(), "no pair");
    /// ```
    #[must_use]
    pub const fn group(self) -> MadeGroup {
        match self {
            MadeHand::PlaysTheBoard => MadeGroup::PlaysTheBoard,
            MadeHand::Nothing | MadeHand::LowOvercards | MadeHand::KingHigh | MadeHand::AceHigh => {
                MadeGroup::NoPair
            }
            MadeHand::Underpair
            | MadeHand::LowPair
            | MadeHand::ThirdPair
            | MadeHand::PocketPairBelowSecond => MadeGroup::WeakPair,
            MadeHand::SecondPair | MadeHand::PocketPairBelowTop => MadeGroup::MiddlePair,
            MadeHand::TopPairWeakKicker | MadeHand::TopPairGoodKicker | MadeHand::TopPairTopKicker => {
                MadeGroup::TopPair
            }
            MadeHand::Overpair => MadeGroup::Overpair,
            MadeHand::LowerTwoPair | MadeHand::TopTwoPair => MadeGroup::TwoPair,
            MadeHand::Trips => MadeGroup::Trips,
            MadeHand::Set => MadeGroup::Set,
            MadeHand::Straight => MadeGroup::Straight,
            MadeHand::OneCardFlush | MadeHand::TwoCardFlush | MadeHand::NutFlush => MadeGroup::Flush,
            MadeHand::FullHouse => MadeGroup::FullHouse,
            MadeHand::Quads => MadeGroup::Quads,
            MadeHand::StraightFlush => MadeGroup::StraightFlush,
        }
    }
}

impl MadeGroup {
    /// The made hands of this row, weakest first.
    pub fn members(self) -> impl DoubleEndedIterator<Item = MadeHand> {
        MadeHand::ALL.into_iter().filter(move |made| made.group() == self)
    }
}
