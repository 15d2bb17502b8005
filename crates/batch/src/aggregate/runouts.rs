//! Runouts: the cards that can come where a path leaves them open, and what they have in common.

use equipoise_cards::{BlockerSums, Board, Card, CardHeight, CardSuit, CardTexture, Rank};
use equipoise_documents::UnitDocument;
use equipoise_documents::batch::{AverageGroup, CardGroups};
use equipoise_game::Player;
use equipoise_postflop::{ReadError, Reader, Spot};

use super::sums::{BoardNumbers, Sums};

/// Cards that may come, and what part of all.
#[derive(Clone, Debug)]
pub(super) struct Runout {
    pub(super) cards: Vec<Card>,
    /// All runouts together are 1.
    pub(super) part: f64,
    /// Of the last card that was open.
    pub(super) texture: Option<CardTexture>,
}

/// Every way to fill the open cards, those that differ in suits only once; none if a given card is on the board.
pub(super) fn of(reader: &Reader, cards: &[Option<Card>]) -> Result<Vec<Runout>, ReadError> {
    let mut runouts = vec![Runout { cards: Vec::new(), part: 1.0, texture: None }];
    for card in cards {
        let mut longer = Vec::new();
        for runout in runouts {
            let board = runout.cards.iter().try_fold(*reader.spot().board(), |board, &card| board.deal(card));
            let Some(board) = board else { continue };
            match card {
                Some(card) if board.set().contains(*card) => {}
                Some(card) => longer.push(runout.then(*card, 1.0)),
                None => {
                    let next = next_cards(reader, &runout.cards, &board)?;
                    let all: usize = next.iter().map(|(_, count)| count).sum();
                    longer.extend(next.into_iter().map(|(card, count)| Runout {
                        texture: Some(CardTexture::of(&board, card)),
                        ..runout.clone().then(card, count as f64 / all as f64)
                    }));
                }
            }
        }
        runouts = longer;
    }
    Ok(runouts)
}

/// The cards that can come, each with how many it stands for. Where no betting follows, all of them.
fn next_cards(reader: &Reader, runout: &[Card], board: &Board) -> Result<Vec<(Card, usize)>, ReadError> {
    let next = reader.next_cards(runout)?;
    if !next.is_empty() {
        return Ok(next);
    }
    Ok(Card::ALL.into_iter().filter(|&card| !board.set().contains(card)).map(|card| (card, 1)).collect())
}

impl Runout {
    fn then(mut self, card: Card, part: f64) -> Runout {
        self.cards.push(card);
        self.part *= part;
        self
    }
}

/// The weight of all pairs of combos, one of each range, that a board leaves possible.
pub(super) fn deals_on(spot: &Spot, board: &Board) -> f64 {
    let left = |player: Player| {
        let range = spot.ranges()[player].iter();
        range.filter(|(combo, _)| !combo.cards().intersects(board.set()))
    };
    let mut sums = BlockerSums::default();
    let mut own = vec![0.0; equipoise_cards::Combo::COUNT];
    for (combo, weight) in left(Player::Ip) {
        sums.add(combo, f64::from(weight));
        own[combo.index()] = f64::from(weight);
    }
    left(Player::Oop)
        .map(|(combo, weight)| f64::from(weight) * sums.matchups(combo, own[combo.index()]))
        .sum()
}

const SUITS: [CardSuit; 3] = [CardSuit::New, CardSuit::Second, CardSuit::Flush];
const HEIGHTS: [CardHeight; 3] = [CardHeight::Over, CardHeight::Middle, CardHeight::Under];
const PAIRING: [&str; 2] = ["no pair", "pairs the board"];
const STRAIGHTS: [&str; 2] = ["no straight card", "straight card"];

/// The sums of runouts by what the last card changes.
#[derive(Clone, Debug, Default)]
pub(super) struct CardSums {
    suit: [Sums; 3],
    pairing: [Sums; 2],
    straights: [Sums; 2],
    height: [Sums; 3],
    rank: [Sums; Rank::COUNT],
}

impl CardSums {
    fn all(&mut self) -> impl Iterator<Item = &mut Sums> {
        let CardSums { suit, pairing, straights, height, rank } = self;
        suit.iter_mut().chain(pairing).chain(straights).chain(height).chain(rank)
    }

    pub(super) fn add(&mut self, texture: CardTexture, weight: f64, board: &BoardNumbers) {
        let place = |found: Option<usize>| found.expect("every card is one of them");
        let groups = [
            &mut self.suit[place(SUITS.iter().position(|&suit| suit == texture.suit))],
            &mut self.pairing[usize::from(texture.pairs)],
            &mut self.straights[usize::from(texture.connects)],
            &mut self.height[place(HEIGHTS.iter().position(|&height| height == texture.height))],
            &mut self.rank[texture.rank.index()],
        ];
        groups.into_iter().for_each(|sums| sums.add(weight, weight, board));
    }

    /// The runouts so far are those of one flop.
    pub(super) fn of_one_flop(mut self) -> CardSums {
        for sums in self.all().filter(|sums| !sums.is_empty()) {
            *sums = std::mem::take(sums).of_one_flop();
        }
        self
    }

    pub(super) fn merge(&mut self, other: &CardSums) {
        let mut other = other.clone();
        self.all().zip(other.all()).for_each(|(sums, other)| sums.merge(other));
    }

    /// The means of the groups that have a runout, for a decision with this many actions and this pot.
    pub(super) fn groups(&self, num_actions: usize, pot: (f64, UnitDocument)) -> CardGroups {
        let groups = |names: Vec<String>, all: &[Sums]| -> Vec<AverageGroup> {
            let there = names.into_iter().zip(all).filter(|(_, sums)| !sums.is_empty());
            there.map(|(name, sums)| AverageGroup { name, mean: sums.mean(num_actions, pot) }).collect()
        };
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        // Aces first, as everywhere.
        let mut rank = groups(Rank::ALL.iter().map(ToString::to_string).collect(), &self.rank);
        rank.reverse();
        CardGroups {
            suit: groups(SUITS.iter().map(ToString::to_string).collect(), &self.suit),
            pairing: groups(words(&PAIRING), &self.pairing),
            straights: groups(words(&STRAIGHTS), &self.straights),
            height: groups(HEIGHTS.iter().map(ToString::to_string).collect(), &self.height),
            rank,
        }
    }
}
