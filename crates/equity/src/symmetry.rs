//! Suit isomorphism of a matchup: the suit permutations that leave it unchanged, and one board of each class.

use equipoise_cards::{Card, CardSet, Combo, Grouping, Indexer, Range, Street, SuitPermutation};
use rayon::prelude::*;

use crate::matchup::Matchup;

/// The suit permutations that change neither ranges nor board nor dead cards.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    permutations: Vec<SuitPermutation>,
}

/// A board of five cards and how many boards it stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullBoard {
    pub(crate) cards: [Card; 5],
    pub(crate) class_size: u8,
}

impl Symmetry {
    pub(crate) fn of(matchup: &Matchup) -> Symmetry {
        let keeps_range = |suits: &SuitPermutation, range: &Range| {
            range.iter().all(|(combo, weight)| range.get(suits.map_combo(combo)) == weight)
        };
        let keeps = |suits: &SuitPermutation| {
            suits.map_set(matchup.board().set()) == matchup.board().set()
                && suits.map_set(matchup.dead()) == matchup.dead()
                && matchup.ranges().iter().all(|range| keeps_range(suits, range))
        };
        Symmetry { permutations: SuitPermutation::ALL.into_iter().filter(keeps).collect() }
    }

    /// How many permutations there are, the identity included.
    pub(crate) fn order(&self) -> usize {
        self.permutations.len()
    }

    /// For each permutation, what it makes of each of these combos, by index; 0 for all others.
    pub(crate) fn combo_maps(&self, combos: &[Combo]) -> Vec<Vec<u16>> {
        let map = |suits: &SuitPermutation| {
            let mut map = vec![0; Combo::COUNT];
            combos.iter().for_each(|combo| map[combo.index()] = suits.map_combo(*combo).index() as u16);
            map
        };
        self.permutations.iter().map(map).collect()
    }

    /// The combo indices grouped by what the permutations make alike.
    pub(crate) fn combo_classes(&self) -> Vec<Vec<u16>> {
        let maps = self.combo_maps(&Combo::all().collect::<Vec<_>>());
        let class_of = |combo: u16| {
            let mut class: Vec<u16> = maps.iter().map(|map| map[usize::from(combo)]).collect();
            class.sort_unstable();
            class.dedup();
            class
        };
        (0..Combo::COUNT as u16)
            .map(|combo| (combo, class_of(combo)))
            .filter(|(combo, class)| class[0] == *combo)
            .map(|(_, class)| class)
            .collect()
    }

    /// About how many boards remain different.
    pub(crate) fn num_boards(&self, matchup: &Matchup) -> f64 {
        let left = Card::COUNT - matchup.gone().len();
        let all = crate::matchup::choose(left as u64, matchup.num_to_come() as u64) as f64;
        // Classes with a symmetry of their own are smaller than the group.
        (all / self.order() as f64 * 1.25).min(all)
    }

    /// The boards that remain different, each with the number of boards it stands for.
    pub(crate) fn boards(&self, matchup: &Matchup) -> Vec<FullBoard> {
        if self.order() == SuitPermutation::COUNT && matchup.board().street() == Street::Preflop {
            let indexer = Indexer::of(Grouping::River);
            let board_of = |index: u64| {
                let board = indexer.unindex_board(index)?;
                let class_size = indexer.class_size(index)? as u8;
                let cards = board.cards().try_into().ok()?;
                (!board.set().intersects(matchup.dead())).then_some(FullBoard { cards, class_size })
            };
            return spread((0..indexer.count()).into_par_iter().filter_map(board_of).collect());
        }
        let live: Vec<Card> = (!matchup.gone()).iter().collect();
        let mut boards = Vec::new();
        self.add_runouts(&live, matchup.board().set(), matchup.num_to_come(), CardSet::EMPTY, &mut boards);
        boards
    }

    /// Adds the boards that `to_come` more of the cards complete, if no permutation gives a smaller set.
    fn add_runouts(
        &self,
        live: &[Card],
        board: CardSet,
        to_come: usize,
        runout: CardSet,
        out: &mut Vec<FullBoard>,
    ) {
        if to_come > 0 {
            for (i, &card) in live.iter().enumerate() {
                self.add_runouts(&live[i + 1..], board, to_come - 1, runout.with(card), out);
            }
            return;
        }
        let mut same = 0;
        for suits in &self.permutations {
            let image = suits.map_set(runout);
            if image < runout {
                return;
            }
            same += usize::from(image == runout);
        }
        let mut cards = [Card::ALL[0]; 5];
        cards.iter_mut().zip((board | runout).iter()).for_each(|(slot, card)| *slot = card);
        out.push(FullBoard { cards, class_size: (self.order() / same) as u8 });
    }
}

/// Boards of one suit take longest and are neighbours: takes blocks of boards from all over the list, so that every part
/// of the work gets some of them.
fn spread(boards: Vec<FullBoard>) -> Vec<FullBoard> {
    const BLOCK: usize = 32;
    const STRIDE: usize = 64;
    let blocks: Vec<&[FullBoard]> = boards.chunks(BLOCK).collect();
    (0..STRIDE)
        .flat_map(|first| blocks.iter().skip(first).step_by(STRIDE))
        .flat_map(|block| block.iter().copied())
        .collect()
}
