//! What solving takes, from counts alone: nothing of it, and no tree, need be there.

use equipoise_cards::{Board, CardSet, Range, Street, Suit, SuitPermutation};
use equipoise_cfr::Scheme;
use equipoise_game::{PerPlayer, Player, TreeConfig, TreeStats};

use crate::compile::layout::stabiliser;
use crate::problem::options::{Memory, Options};
use crate::problem::spot::card_classes;
use crate::solve::solver::num_threads;
use crate::solve::workspace::Workspace;

/// The boards of one street, suits that are the same counted once.
#[derive(Clone, Copy, Debug, Default)]
struct StreetBoards {
    num_boards: u64,
    /// Combos of each player, summed over the boards.
    combos: PerPlayer<u64>,
    /// The same with padding to whole vectors.
    padded: PerPlayer<u64>,
    /// Bytes of lists.
    lists: u64,
}

/// What the cards of a spot have to do with its size; its betting is another matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardSums {
    streets: [StreetBoards; 4],
    /// Combos at the root.
    most: PerPlayer<u64>,
}

impl BoardSums {
    pub(crate) fn new(ranges: &PerPlayer<Range>, root: &Board, symmetries: &[SuitPermutation]) -> BoardSums {
        let of_range =
            |range: &Range| -> Vec<CardSet> { range.iter().map(|(combo, _)| combo.cards()).collect() };
        let cards = ranges.as_ref().map(of_range);
        let mut sums =
            BoardSums { most: cards.as_ref().map(|cards| cards.len() as u64), ..BoardSums::default() };
        sums.add(&cards, root, 0);
        let mut boards = vec![(*root, symmetries.to_vec())];
        while boards[0].0.street() < Street::River {
            let mut next = Vec::new();
            for (board, symmetries) in &boards {
                for class in card_classes(board, symmetries) {
                    let child = board.deal(class.card).expect("the card is not on the board");
                    sums.add(&cards, &child, class.images.len() as u64);
                    next.push((child, stabiliser(symmetries, class.card)));
                }
            }
            boards = next;
        }
        sums
    }

    fn add(&mut self, cards: &PerPlayer<Vec<CardSet>>, board: &Board, num_images: u64) {
        let (street, dead) = (&mut self.streets[board.street() as usize], board.set());
        street.num_boards += 1;
        for player in Player::ALL {
            let combos = cards[player].iter().filter(|cards| !cards.intersects(dead)).count() as u64;
            street.combos[player] += combos;
            street.padded[player] += combos.next_multiple_of(8);
            street.lists += combos.next_multiple_of(8) * (14 + 2 * num_images) + 100;
        }
    }

    /// What an engine takes with a betting tree of these counts.
    pub(crate) fn memory(&self, config: &TreeConfig, stats: &TreeStats, options: &Options) -> Memory {
        let (mut real, mut padded, mut lists) = (0, 0, 0);
        let [most_oop, most_ip] = self.most.into_array();
        let all_in_table = 4 * most_oop.next_multiple_of(8) * most_ip.next_multiple_of(8);
        let is_played =
            |street: Street| street == config.starting_street || stats.street(street).num_lines > 0;
        for street in config.streets().filter(|&street| is_played(street)) {
            let (boards, counts) = (&self.streets[street as usize], stats.street(street));
            for player in Player::ALL {
                real += counts.num_actions[player] * boards.combos[player];
                padded += counts.num_actions[player] * boards.padded[player];
            }
            let tables = u64::from(counts.num_runouts > 0) * (1 + u64::from(config.prizes.is_some()));
            lists += boards.lists + tables * boards.num_boards * all_in_table;
        }
        let next = config.streets().nth(1).filter(|&street| is_played(street));
        let num_next = next.map_or(0, |street| self.streets[street as usize].num_boards);
        let needs = options.algorithm.requirements();
        let num_averages = 1 + u64::from(options.keep_best);
        let num_regrets = 1 + u64::from(needs.last_instant);
        let [regret_row, average_row] = options.storage.row_bytes();
        let most_rows = most_oop.max(most_ip).div_ceil(8);
        let threads = num_threads(options) as u64;
        let num_apart = if options.isomorphism { 0 } else { Suit::COUNT as u64 };
        let scratch = Workspace::estimate(stats, config, most_rows, num_next, num_apart, threads);
        Memory {
            entries: padded,
            real_entries: real,
            tables: padded / 8 * (num_regrets * regret_row + num_averages * average_row),
            rest: lists + scratch,
        }
    }
}
