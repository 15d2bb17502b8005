//! What a board leaves: compact lists of combos, and how they meet.

use equipoise_cards::{Board, BoardStrengths, Card, Combo, ComboSet, Street, StrengthOrder, SuitPermutation};
use equipoise_game::Player;
use rayon::prelude::*;

use crate::kernel::{Group, Matchup};
use crate::problem::spot::{CardClass, Spot};

/// Rivers won less rivers lost, for each own combo a row of whole vectors over the opponent's combos.
pub(crate) type Matrix = Vec<[i16; 8]>;

/// The combos of both players on one board, in the order in which every table keeps them: on the river from
/// weakest to strongest, before it by number. Blocked combos are left out.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub board: Board,
    /// Combo numbers.
    pub combos: [Vec<u16>; 2],
    /// Whole vectors of eight that each list takes.
    pub rows: [usize; 2],
    /// By player, then by image of the board's last card: where the list of the board before has each combo.
    /// Padding points behind that list.
    pub images: [Vec<Vec<u16>>; 2],
    /// By traverser.
    pub matchups: [Matchup; 2],
    /// By traverser; empty where nobody can be all-in.
    pub runouts: [Matrix; 2],
}

impl Layout {
    /// The layout of the root.
    pub(crate) fn of_spot(spot: &Spot) -> Layout {
        let list = |player: Player| {
            spot.ranges()[player.index()].iter().map(|(combo, _)| combo.index() as u16).collect()
        };
        Layout::of_lists(*spot.board(), Player::ALL.map(list))
    }

    /// The layout of any board, without a board before it.
    pub(crate) fn of_lists(board: Board, combos: [Vec<u16>; 2]) -> Layout {
        Layout::new(board, combos, [Vec::new(), Vec::new()])
    }

    /// The layout after one more card.
    pub(crate) fn child(&self, class: &CardClass) -> Layout {
        let board = self.board.deal(class.card).expect("the card is not on the board");
        let dead = board.set();
        let live = |combos: &Vec<u16>| {
            combos.iter().copied().filter(|&combo| !combo_at(combo).cards().intersects(dead)).collect()
        };
        let mut child = Layout::new(board, self.combos.each_ref().map(live), [Vec::new(), Vec::new()]);
        for player in 0..2 {
            let mut places = [u16::MAX; Combo::COUNT];
            for (at, &combo) in self.combos[player].iter().enumerate() {
                places[usize::from(combo)] = at as u16;
            }
            let behind = 8 * self.rows[player] as u16;
            child.images[player] = class
                .images
                .iter()
                .map(|suits| {
                    let place = |&combo: &u16| places[suits.map_combo(combo_at(combo)).index()];
                    let mut list: Vec<u16> = child.combos[player].iter().map(place).collect();
                    list.resize(8 * child.rows[player], behind);
                    list
                })
                .collect();
        }
        child
    }

    fn new(board: Board, combos: [Vec<u16>; 2], images: [Vec<Vec<u16>>; 2]) -> Layout {
        let (combos, groups) =
            if board.street() == Street::River { sort(&board, &combos) } else { (combos, Vec::new()) };
        let rows = combos.each_ref().map(|list| list.len().div_ceil(8));
        let cards = combos.each_ref().map(|list| {
            list.iter()
                .map(|&combo| [combo_at(combo).low().id(), combo_at(combo).high().id()])
                .collect::<Vec<_>>()
        });
        let matchup = |player: Player| {
            let (own, other) = (player.index(), player.opponent().index());
            let of_player = groups.iter().map(|ends| Group { own_end: ends[own], opponent_end: ends[other] });
            Matchup::new(&cards[own], &cards[other], of_player.collect())
        };
        let matchups = Player::ALL.map(matchup);
        Layout { board, combos, rows, images, matchups, runouts: [Vec::new(), Vec::new()] }
    }

    /// Counts all runouts of a turn or flop board.
    pub(crate) fn count_runouts(&mut self, classes: &[CardClass]) {
        let width = self.rows[1] * 8;
        let counts = match self.board.street() {
            Street::Turn => turn_counts(self),
            _ => {
                let turns: Vec<(Layout, Vec<i16>)> = classes
                    .par_iter()
                    .map(|class| {
                        let turn = self.child(class);
                        let counts = turn_counts(&turn);
                        (turn, counts)
                    })
                    .collect();
                let mut counts = vec![0; self.combos[0].len() * width];
                for (turn, of_turn) in &turns {
                    add_images(turn, of_turn, width, &mut counts);
                }
                counts
            }
        };
        self.runouts = [matrix(&counts, self, Player::Oop), matrix(&counts, self, Player::Ip)];
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let images: usize = self.images.iter().flatten().map(|places| 2 * places.len() + 24).sum();
        let combos: usize = self.combos.iter().map(|list| 2 * list.len()).sum();
        let matchups: usize = self.matchups.iter().map(Matchup::bytes).sum();
        let runouts: usize = self.runouts.iter().map(|matrix| 16 * matrix.len()).sum();
        size_of::<Layout>() + images + combos + matchups + runouts
    }
}

/// The combo of a number in a list.
pub(crate) fn combo_at(number: u16) -> Combo {
    Combo::from_index(usize::from(number)).expect("lists hold combo numbers")
}

/// Lists and the ends of the groups of equal strength in them.
type Sorted = ([Vec<u16>; 2], Vec<[u16; 2]>);

/// Puts both lists in order of strength and cuts them into groups. Groups that only one player has are joined
/// with their neighbours of the same kind: nothing of the other's lies between.
fn sort(board: &Board, combos: &[Vec<u16>; 2]) -> Sorted {
    let sets = combos.each_ref().map(|list| list.iter().map(|&combo| combo_at(combo)).collect::<ComboSet>());
    let both: ComboSet = combos.iter().flatten().map(|&combo| combo_at(combo)).collect();
    let mut order = StrengthOrder::default();
    order.fill(board.cards().try_into().expect("a river has five cards"), &both);
    let mut sorted = [Vec::new(), Vec::new()];
    let mut ends: Vec<[u16; 2]> = Vec::new();
    let mut last = [true; 2];
    for (group, _) in order.groups() {
        let before = sorted.each_ref().map(Vec::len);
        for &combo in group {
            for player in 0..2 {
                if sets[player].contains(combo_at(combo)) {
                    sorted[player].push(combo);
                }
            }
        }
        let lens = sorted.each_ref().map(Vec::len);
        let has = [lens[0] > before[0], lens[1] > before[1]];
        if has == last && has != [true; 2] {
            ends.pop();
        }
        ends.push(lens.map(|len| len as u16));
        last = has;
    }
    (sorted, ends)
}

/// For each combo of OOP and each of IP on a turn board: rivers won less rivers lost.
fn turn_counts(turn: &Layout) -> Vec<i16> {
    let width = turn.rows[1] * 8;
    if width == 0 {
        return Vec::new();
    }
    let mut counts = vec![0i16; turn.combos[0].len() * width];
    let mut strengths = BoardStrengths::default();
    let mut theirs = vec![0u16; width];
    let mut live = vec![0i16; width];
    for river in Card::ALL {
        let Some(board) = turn.board.deal(river) else { continue };
        strengths.fill(board.cards().try_into().expect("a river has five cards"));
        let numbers = strengths.numbers();
        for (at, &combo) in turn.combos[1].iter().enumerate() {
            theirs[at] = numbers[usize::from(combo)];
            live[at] = if combo_at(combo).cards().contains(river) { 0 } else { -1 };
        }
        for (&combo, row) in turn.combos[0].iter().zip(counts.chunks_exact_mut(width)) {
            if combo_at(combo).cards().contains(river) {
                continue;
            }
            let own = numbers[usize::from(combo)];
            for ((count, &other), &live) in row.iter_mut().zip(&theirs).zip(&live) {
                *count += (i16::from(own > other) - i16::from(own < other)) & live;
            }
        }
    }
    for (&own, row) in turn.combos[0].iter().zip(counts.chunks_exact_mut(width)) {
        for (count, &other) in row.iter_mut().zip(&turn.combos[1]) {
            if combo_at(own).cards().intersects(combo_at(other).cards()) {
                *count = 0;
            }
        }
    }
    counts
}

/// Adds a turn's counts to the flop's, once for each card of the turn's class.
fn add_images(turn: &Layout, of_turn: &[i16], width: usize, counts: &mut [i16]) {
    let turn_width = turn.rows[1] * 8;
    for (own, other) in turn.images[0].iter().zip(&turn.images[1]) {
        for (row, &place) in of_turn.chunks_exact(turn_width.max(1)).zip(own) {
            let to = &mut counts[usize::from(place) * width..][..width];
            for (&count, &place) in row.iter().zip(&other[..turn.combos[1].len()]) {
                to[usize::from(place)] += count;
            }
        }
    }
}

/// The counts as a player sees them, padded to whole blocks of eight combos.
fn matrix(counts: &[i16], layout: &Layout, player: Player) -> Matrix {
    let width = layout.rows[1] * 8;
    let (own, other) = (player.index(), player.opponent().index());
    let opponent_rows = layout.rows[other];
    let mut matrix = vec![[0i16; 8]; layout.rows[own] * 8 * opponent_rows];
    for (oop, row) in counts.chunks_exact(width.max(1)).enumerate() {
        for (ip, &count) in row.iter().enumerate().take(layout.combos[1].len()) {
            match player {
                Player::Oop => matrix[oop * opponent_rows + ip / 8][ip % 8] = count,
                Player::Ip => matrix[ip * opponent_rows + oop / 8][oop % 8] = -count,
            }
        }
    }
    matrix
}

/// The symmetries that leave a card as it is.
pub(crate) fn stabiliser(symmetries: &[SuitPermutation], card: Card) -> Vec<SuitPermutation> {
    symmetries.iter().copied().filter(|suits| suits.map_card(card) == card).collect()
}
