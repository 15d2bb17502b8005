//! The combos that a board leaves: compact lists, and their matchups.

use equipoise_cards::{
    Board, BoardStrengths, Card, Combo, ComboSet, Range, Street, StrengthOrder, SuitPermutation,
};
use equipoise_game::{PerPlayer, Player};
use equipoise_progress::{Cancelled, Progress};
use rayon::prelude::*;

use crate::kernel::{Group, ListIndex, Matchup};
use crate::problem::spot::{CardClass, Spot};

/// Rivers won less rivers lost: for each own combo, rows of eight over the opponent's combos.
pub(crate) type Matrix = Vec<[i16; 8]>;

/// The combos of both players on one board, in the order of every table: on the river from weakest to strongest, before it
/// by number. Blocked combos are left out.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub board: Board,
    /// Combo numbers.
    pub combos: PerPlayer<Vec<u16>>,
    /// Rows of eight that each list takes.
    pub rows: PerPlayer<usize>,
    /// By player, then by image of the board's last card: the index of each combo in the list of the board before.
    /// Padding has the index behind that list.
    pub images: PerPlayer<Vec<Vec<ListIndex>>>,
    /// By traverser.
    pub matchups: PerPlayer<Matchup>,
    /// By traverser; empty where nobody can be all-in.
    pub runouts: PerPlayer<Matrix>,
    /// Rivers tied, by traverser; empty where ties pay the mean of winning and losing.
    pub tied_runouts: PerPlayer<Matrix>,
}

impl Layout {
    /// The layout of the root.
    pub(crate) fn of_spot(spot: &Spot) -> Layout {
        let list = |range: &Range| range.iter().map(|(combo, _)| combo.index() as u16).collect();
        Layout::of_lists(*spot.board(), spot.ranges().as_ref().map(list))
    }

    /// The layout of any board, without a board before it.
    pub(crate) fn of_lists(board: Board, combos: PerPlayer<Vec<u16>>) -> Layout {
        let (combos, groups) = order(&board, combos);
        Layout::of_ordered(board, combos, &groups, SuitPermutation::IDENTITY)
    }

    /// The layout of a board in the order of its representative: at each index the image of the combo there. `None` if that
    /// is no order of the board's own combos, from the weakest to the strongest on the river.
    pub(crate) fn of_image(
        board: Board,
        combos: PerPlayer<Vec<u16>>,
        representative: &Layout,
        suits: SuitPermutation,
    ) -> Option<Layout> {
        let (own, groups) = order(&board, combos);
        let image = |&combo: &u16| suits.map_combo(combo_at(combo)).index() as u16;
        let images = representative.combos.as_ref().map(|list| list.iter().map(image).collect::<Vec<_>>());
        let fits = |player: Player| {
            let [mut expected, mut found] = [own[player].clone(), images[player].clone()];
            expected.sort_unstable();
            found.sort_unstable();
            expected == found && is_ascending(&board, &images[player])
        };
        Player::ALL.into_iter().all(fits).then(|| Layout::of_ordered(board, images, &groups, suits))
    }

    /// The layout of lists that are in order. The cards of each combo are those that become them by renaming the suits, the
    /// lower one first: it is subtracted first, which rounding depends on.
    fn of_ordered(
        board: Board,
        combos: PerPlayer<Vec<u16>>,
        groups: &[PerPlayer<ListIndex>],
        suits: SuitPermutation,
    ) -> Layout {
        let inverse = suits.inverse();
        let cards = combos.as_ref().map(|list| {
            let of_combo = |&combo: &u16| {
                let before = inverse.map_combo(combo_at(combo));
                [before.low(), before.high()].map(|card| suits.map_card(card).id())
            };
            list.iter().map(of_combo).collect::<Vec<_>>()
        });
        let matchup = |player: Player| {
            let group = |ends: &PerPlayer<ListIndex>| Group {
                own_end: ends[player],
                opponent_end: ends[player.opponent()],
            };
            Matchup::new(&cards[player], &cards[player.opponent()], groups.iter().map(group).collect())
        };
        Layout {
            board,
            rows: combos.as_ref().map(|list| list.len().div_ceil(8)),
            matchups: PerPlayer::from_fn(matchup),
            combos,
            images: PerPlayer::default(),
            runouts: PerPlayer::default(),
            tied_runouts: PerPlayer::default(),
        }
    }

    /// The layout after one more card.
    pub(crate) fn child(&self, class: &CardClass) -> Layout {
        let (board, lists) = self.deal(class.card);
        self.with_images(class, Layout::of_lists(board, lists))
    }

    /// The layout after one more card, which no other card is joined with, in the order of its representative.
    ///
    /// # Panics
    /// If the suits are no symmetry of board and ranges.
    pub(crate) fn child_apart(&self, card: Card, representative: &Layout, suits: SuitPermutation) -> Layout {
        let (board, lists) = self.deal(card);
        let child = Layout::of_image(board, lists, representative, suits);
        let class = CardClass { card, images: vec![SuitPermutation::IDENTITY] };
        self.with_images(&class, child.expect("the suits are a symmetry of board and ranges"))
    }

    /// The board and the lists after one more card.
    fn deal(&self, card: Card) -> (Board, PerPlayer<Vec<u16>>) {
        let board = self.board.deal(card).expect("the card is not on the board");
        let dead = board.set();
        let live = |combos: &Vec<u16>| {
            combos.iter().copied().filter(|&combo| !combo_at(combo).cards().intersects(dead)).collect()
        };
        (board, self.combos.as_ref().map(live))
    }

    /// The layout of a class of next cards with its images.
    fn with_images(&self, class: &CardClass, mut child: Layout) -> Layout {
        child.images = PerPlayer::from_fn(|player| {
            let indices = indices(&self.combos[player]);
            let padding = ListIndex::new(8 * self.rows[player]);
            let image = |suits: &SuitPermutation| {
                let of_combo = |&combo: &u16| {
                    indices[suits.map_combo(combo_at(combo)).index()]
                        .expect("images of a list are in the list")
                };
                let mut image: Vec<ListIndex> = child.combos[player].iter().map(of_combo).collect();
                image.resize(8 * child.rows[player], padding);
                image
            };
            class.images.iter().map(image).collect()
        });
        child
    }

    /// Counts all runouts of a turn or flop board: rivers won less rivers lost. Of a flop, each class of turn cards is a step
    /// of the progress.
    pub(crate) fn count_runouts(
        &mut self,
        classes: &[CardClass],
        progress: &Progress<'_>,
    ) -> Result<(), Cancelled> {
        let won = |own: u16, other: u16| i16::from(own > other) - i16::from(own < other);
        let counts = self.counts(classes, progress, won)?;
        self.runouts =
            PerPlayer::new(matrix(&counts, self, Player::Oop, 1), matrix(&counts, self, Player::Ip, -1));
        Ok(())
    }

    /// Counts the rivers of a turn or flop board on which hands tie.
    pub(crate) fn count_tied_runouts(
        &mut self,
        classes: &[CardClass],
        progress: &Progress<'_>,
    ) -> Result<(), Cancelled> {
        let counts = self.counts(classes, progress, |own, other| i16::from(own == other))?;
        self.tied_runouts = PerPlayer::from_fn(|player| matrix(&counts, self, player, 1));
        Ok(())
    }

    /// What the strengths of two combos count on each river, summed over all: of OOP's combos against IP's.
    fn counts(
        &self,
        classes: &[CardClass],
        progress: &Progress<'_>,
        count: impl Fn(u16, u16) -> i16 + Copy + Sync,
    ) -> Result<Vec<i16>, Cancelled> {
        let width = self.rows[Player::Ip] * 8;
        match self.board.street() {
            Street::Turn => Ok(turn_counts(self, count)),
            _ => {
                let turns: Vec<(Layout, Vec<i16>)> = classes
                    .par_iter()
                    .map(|class| {
                        let turn = self.child(class);
                        let counts = turn_counts(&turn, count);
                        progress.advance(1)?;
                        Ok((turn, counts))
                    })
                    .collect::<Result<_, Cancelled>>()?;
                let mut counts = vec![0; self.combos[Player::Oop].len() * width];
                for (turn, of_turn) in &turns {
                    add_images(turn, of_turn, width, &mut counts);
                }
                Ok(counts)
            }
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let images: usize = self.images.iter().flatten().map(|image| 2 * image.len() + 24).sum();
        let combos: usize = self.combos.iter().map(|list| 2 * list.len()).sum();
        let matchups: usize = self.matchups.iter().map(Matchup::bytes).sum();
        let matrices = self.runouts.iter().chain(&self.tied_runouts);
        let runouts: usize = matrices.map(|matrix| 16 * matrix.len()).sum();
        size_of::<Layout>() + images + combos + matchups + runouts
    }
}

/// The combo of a number in a list.
pub(crate) fn combo_at(number: u16) -> Combo {
    Combo::from_index(usize::from(number)).expect("lists hold combo numbers")
}

/// By combo number: the index of each combo of a list in it.
pub(crate) fn indices(combos: &[u16]) -> [Option<ListIndex>; Combo::COUNT] {
    let mut indices = [None; Combo::COUNT];
    for (at, &combo) in combos.iter().enumerate() {
        indices[usize::from(combo)] = Some(ListIndex::new(at));
    }
    indices
}

/// Puts both lists in the order of a layout, on the river with the ends of the groups.
fn order(board: &Board, combos: PerPlayer<Vec<u16>>) -> Sorted {
    if board.street() == Street::River { sort(board, &combos) } else { (combos, Vec::new()) }
}

/// Whether a river's combos go from the weakest to the strongest. Before the river any order will do.
fn is_ascending(board: &Board, combos: &[u16]) -> bool {
    let Ok(cards) = board.cards().try_into() else { return true };
    let mut strengths = BoardStrengths::default();
    strengths.fill(cards);
    combos.iter().map(|&combo| strengths.numbers()[usize::from(combo)]).is_sorted()
}

/// Lists and the ends of the groups of equal strength in them.
type Sorted = (PerPlayer<Vec<u16>>, Vec<PerPlayer<ListIndex>>);

/// Puts both lists in order of strength and cuts them into groups. Consecutive groups of one player alone are joined: no
/// combo of the other lies between them.
fn sort(board: &Board, combos: &PerPlayer<Vec<u16>>) -> Sorted {
    let sets = combos.as_ref().map(|list| list.iter().map(|&combo| combo_at(combo)).collect::<ComboSet>());
    let both: ComboSet = combos.iter().flatten().map(|&combo| combo_at(combo)).collect();
    let mut order = StrengthOrder::default();
    order.fill(board.cards().try_into().expect("a river has five cards"), &both);
    let mut sorted = PerPlayer::<Vec<u16>>::default();
    let mut ends: Vec<PerPlayer<ListIndex>> = Vec::new();
    let both_have = PerPlayer::new(true, true);
    let mut last = both_have;
    for (group, _) in order.groups() {
        let before = sorted.as_ref().map(Vec::len);
        for &combo in group {
            for player in Player::ALL {
                if sets[player].contains(combo_at(combo)) {
                    sorted[player].push(combo);
                }
            }
        }
        let lens = sorted.as_ref().map(Vec::len);
        let has = lens.zip(before).map(|(len, before)| len > before);
        if has == last && has != both_have {
            ends.pop();
        }
        ends.push(lens.map(ListIndex::new));
        last = has;
    }
    (sorted, ends)
}

/// For each combo of OOP and each of IP on a turn board: what their strengths count, summed over the rivers.
fn turn_counts(turn: &Layout, count_of: impl Fn(u16, u16) -> i16) -> Vec<i16> {
    let width = turn.rows[Player::Ip] * 8;
    if width == 0 {
        return Vec::new();
    }
    let mut counts = vec![0i16; turn.combos[Player::Oop].len() * width];
    let mut strengths = BoardStrengths::default();
    let mut theirs = vec![0u16; width];
    let mut live = vec![0i16; width];
    for river in Card::ALL {
        let Some(board) = turn.board.deal(river) else { continue };
        strengths.fill(board.cards().try_into().expect("a river has five cards"));
        let numbers = strengths.numbers();
        for (at, &combo) in turn.combos[Player::Ip].iter().enumerate() {
            theirs[at] = numbers[usize::from(combo)];
            live[at] = if combo_at(combo).cards().contains(river) { 0 } else { -1 };
        }
        for (&combo, row) in turn.combos[Player::Oop].iter().zip(counts.chunks_exact_mut(width)) {
            if combo_at(combo).cards().contains(river) {
                continue;
            }
            let own = numbers[usize::from(combo)];
            for ((count, &other), &live) in row.iter_mut().zip(&theirs).zip(&live) {
                *count += count_of(own, other) & live;
            }
        }
    }
    for (&own, row) in turn.combos[Player::Oop].iter().zip(counts.chunks_exact_mut(width)) {
        for (count, &other) in row.iter_mut().zip(&turn.combos[Player::Ip]) {
            if combo_at(own).cards().intersects(combo_at(other).cards()) {
                *count = 0;
            }
        }
    }
    counts
}

/// Adds a turn's counts to the flop's, once for each card of the turn's class.
fn add_images(turn: &Layout, of_turn: &[i16], width: usize, counts: &mut [i16]) {
    let turn_width = turn.rows[Player::Ip] * 8;
    for (oop, ip) in turn.images[Player::Oop].iter().zip(&turn.images[Player::Ip]) {
        for (row, at) in of_turn.chunks_exact(turn_width.max(1)).zip(oop) {
            let to = &mut counts[at.get() * width..][..width];
            for (&count, at) in row.iter().zip(&ip[..turn.combos[Player::Ip].len()]) {
                to[at.get()] += count;
            }
        }
    }
}

/// The counts as a player sees them, with this sign, padded to whole blocks of eight combos.
fn matrix(counts: &[i16], layout: &Layout, player: Player, sign: i16) -> Matrix {
    let width = layout.rows[Player::Ip] * 8;
    let opponent_rows = layout.rows[player.opponent()];
    let mut matrix = vec![[0i16; 8]; layout.rows[player] * 8 * opponent_rows];
    for (oop, row) in counts.chunks_exact(width.max(1)).enumerate() {
        for (ip, &count) in row.iter().enumerate().take(layout.combos[Player::Ip].len()) {
            match player {
                Player::Oop => matrix[oop * opponent_rows + ip / 8][ip % 8] = sign * count,
                Player::Ip => matrix[ip * opponent_rows + oop / 8][oop % 8] = sign * count,
            }
        }
    }
    matrix
}

/// The symmetries that map a card to itself.
pub(crate) fn stabiliser(symmetries: &[SuitPermutation], card: Card) -> Vec<SuitPermutation> {
    symmetries.iter().copied().filter(|suits| suits.map_card(card) == card).collect()
}

#[cfg(test)]
mod tests {
    use equipoise_cards::Suit;

    use super::*;

    fn layout(board: &str) -> Layout {
        let board: Board = board.parse().unwrap();
        let live = || {
            let live = Combo::all().filter(|combo| !combo.cards().intersects(board.set()));
            live.map(|combo| combo.index() as u16).collect()
        };
        Layout::of_lists(board, PerPlayer::from_fn(|_| live()))
    }

    /// Spades and hearts exchanged.
    fn exchange() -> SuitPermutation {
        let [c, d, h, s] = Suit::ALL;
        SuitPermutation::new([c, d, s, h]).unwrap()
    }

    /// The order of a river's image is one of its own combos by its own strengths, and other orders are refused.
    #[test]
    fn an_order_that_does_not_fit_the_board_is_refused() {
        let representative = layout("Ts9s2s5hKd");
        let image = layout("Th9h2h5sKd");
        let of_image = |suits| Layout::of_image(image.board, image.combos.clone(), &representative, suits);
        let found = of_image(exchange()).unwrap();
        assert_eq!(found.combos.as_ref().map(Vec::len), image.combos.as_ref().map(Vec::len));
        assert!(found.combos != image.combos, "the order of equal combos is another");
        assert!(of_image(SuitPermutation::IDENTITY).is_none(), "the combos are others");
        // The same combos in another order: weaker ones behind stronger ones.
        let mut wrong = layout("Ts9s2s5hKd");
        wrong.combos[Player::Ip].reverse();
        assert!(Layout::of_image(image.board, image.combos.clone(), &wrong, exchange()).is_none());
    }
}
