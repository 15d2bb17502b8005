//! The peers behind one shape.

/// `aya_poker`.
pub(crate) mod aya {
    use aya_poker::base::{Card as AyaCard, Hand};
    use equipoise_cards::Card;

    pub(crate) fn card(card: Card) -> AyaCard {
        card.to_string().parse().expect("both write cards alike")
    }

    pub(crate) fn all_cards() -> Vec<AyaCard> {
        Card::ALL.map(card).to_vec()
    }

    pub(crate) fn cards(cards: &[Card; 7]) -> [AyaCard; 7] {
        cards.map(card)
    }

    pub(crate) fn empty() -> Hand {
        Hand::new()
    }

    #[inline]
    pub(crate) fn with(mut hand: Hand, card: &AyaCard) -> Hand {
        hand.insert_unchecked(card);
        hand
    }

    #[inline]
    pub(crate) fn hand(cards: &[AyaCard; 7]) -> Hand {
        cards.iter().fold(Hand::new(), with)
    }

    #[inline]
    pub(crate) fn rank_of(hand: &Hand) -> u32 {
        u32::from(aya_poker::poker_rank(hand).0)
    }

    #[inline]
    pub(crate) fn rank_cards(cards: &[AyaCard; 7]) -> u32 {
        rank_of(&hand(cards))
    }

    pub(crate) fn rank(seven: &[Card; 7]) -> u32 {
        rank_cards(&cards(seven))
    }
}

/// `pokers`, whose cards have our numbers.
pub(crate) mod pokers_hand {
    use equipoise_cards::Card;
    use pokers::{CARDS, Hand};

    #[inline]
    pub(crate) fn rank_indices(cards: &[usize; 7]) -> u32 {
        cards.iter().fold(Hand::default(), |hand, &card| hand + CARDS[card]).evaluate().into()
    }

    pub(crate) fn hand(cards: &[Card; 7]) -> Hand {
        cards.iter().fold(Hand::default(), |hand, card| hand + CARDS[card.index()])
    }

    pub(crate) fn rank(cards: &[Card; 7]) -> u32 {
        hand(cards).evaluate().into()
    }
}

/// `rs_poker`.
pub(crate) mod rs {
    use equipoise_cards::Card;
    use rs_poker::core::{Card as RsCard, SevenCardAccum};

    pub(crate) fn cards(cards: &[Card; 7]) -> [RsCard; 7] {
        cards.map(|card| card.to_string().as_str().try_into().expect("both write cards alike"))
    }

    #[inline]
    pub(crate) fn rank_cards(cards: &[RsCard; 7]) -> u32 {
        let mut hand = SevenCardAccum::new();
        cards.iter().for_each(|&card| hand.add(card));
        let rank = hand.rank();
        (rank.category() as u32) << 16 | u32::from(rank.value_bits())
    }

    pub(crate) fn rank(seven: &[Card; 7]) -> u32 {
        rank_cards(&cards(seven))
    }
}
