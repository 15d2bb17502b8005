//! The features of one combo: every opponent on every runout, one after the other.

use equipoise_cards::{Board, BoardStrengths, Card, CardSet, Combo, Street, Strength};

use crate::clusters::OpponentClusters;
use crate::features::{Against, Cells, Features, MAX_HALVES, num_runouts_of_two};

/// An opponent's combo that is possible now.
struct Opponent {
    index: usize,
    cards: CardSet,
    /// 0 if the combo is ahead of it now, 1 if tied, 2 if behind.
    now: usize,
    cluster: usize,
}

/// The place of two strengths in the cells: 0 if the first is ahead, 1 if they are tied, 2 if it is behind.
fn standing<T: Ord>(own: T, other: T) -> usize {
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 2,
    }
}

/// The bin of a river HS, in halves of 1,980.
pub(crate) const fn bin(halves: u32) -> usize {
    let bin = (halves * Features::NUM_BINS as u32 / MAX_HALVES) as usize;
    if bin == Features::NUM_BINS { bin - 1 } else { bin }
}

/// Counts the features of a combo on a flop, turn or river board that shares no card with it.
pub(crate) fn count(combo: Combo, board: &Board) -> Features {
    let opponents = opponents(combo, board);
    let mut counted = Counted {
        opponents: &opponents,
        combo,
        strengths: BoardStrengths::default(),
        cells: [[0; 3]; 3],
        features: Features {
            street: board.street(),
            cells: None,
            halves: 0,
            squares: 0,
            histogram: [0; Features::NUM_BINS],
            against: [Against::default(); OpponentClusters::COUNT],
        },
    };
    let left: Vec<Card> = (!(combo.cards() | board.set())).iter().collect();
    counted.add_runouts(board, &left);
    let mut features = counted.features;
    features.cells = Some(counted.cells);
    for opponent in &opponents {
        features.against[opponent.cluster].deals += num_runouts_of_two(board.street());
    }
    features
}

fn opponents(combo: Combo, board: &Board) -> Vec<Opponent> {
    let now = |combo: Combo| Strength::of(combo.cards() | board.set());
    let gone = combo.cards() | board.set();
    Combo::all()
        .filter(|other| !other.cards().intersects(gone))
        .map(|other| Opponent {
            index: other.index(),
            cards: other.cards(),
            now: standing(now(combo), now(other)),
            cluster: OpponentClusters::standard().cluster_of(other.class()),
        })
        .collect()
}

struct Counted<'a> {
    opponents: &'a [Opponent],
    combo: Combo,
    strengths: BoardStrengths,
    cells: Cells,
    features: Features,
}

impl Counted<'_> {
    fn add_runouts(&mut self, board: &Board, left: &[Card]) {
        match *board.cards() {
            [a, b, c, d, e] => self.add_river([a, b, c, d, e], board.set()),
            [a, b, c, d] => {
                left.iter().for_each(|&e| self.add_river([a, b, c, d, e], CardSet::from(e)));
            }
            [a, b, c] => {
                for (i, &d) in left.iter().enumerate() {
                    for &e in &left[i + 1..] {
                        self.add_river([a, b, c, d, e], CardSet::from(d).with(e));
                    }
                }
            }
            _ => debug_assert_eq!(board.street(), Street::Preflop, "counted elsewhere"),
        }
    }

    /// Adds one river board; `new` are the cards that came to it.
    fn add_river(&mut self, river: [Card; 5], new: CardSet) {
        self.strengths.fill(river);
        let strengths = self.strengths.numbers();
        let own = strengths[self.combo.index()];
        let mut standings = [0; 3];
        for opponent in self.opponents.iter().filter(|opponent| !opponent.cards.intersects(new)) {
            let then = standing(own, strengths[opponent.index]);
            self.cells[opponent.now][then] += 1;
            self.features.against[opponent.cluster].halves += [2, 1, 0][then];
            standings[then] += 1;
        }
        let halves = 2 * standings[0] + standings[1];
        self.features.halves += u64::from(halves);
        self.features.squares += u64::from(halves).pow(2);
        self.features.histogram[bin(halves)] += 1;
    }
}
