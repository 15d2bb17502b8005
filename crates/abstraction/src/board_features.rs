//! The features of all combos of a board at once.

use equipoise_cards::{Board, Card, Combo, ComboSet, KindOrder, Street, StrengthOrder, Tally};

use crate::clusters::OpponentClusters;
use crate::error::AbstractionError;
use crate::features::{
    Against, Cells, Features, Histogram, MAX_HALVES, mean_square, num_opponents, num_runouts,
    num_runouts_of_two,
};
use crate::kernel::{
    self, AddClusters, AddHalves, AddWins, CellSums, CellSweep, ClusterSweep, KindSweep, Lanes, NO_KIND,
    NowOrder, OfKind, Spread, Sums, combos_of,
};
use crate::single::bin;

/// What to count apart from equity and its square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The nine cells, and with them HS, PPot and NPot.
    pub cells: bool,
    /// The histogram of river HS.
    pub histogram: bool,
    /// Equity against the clusters of opponents.
    pub ochs: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Parts = Parts { cells: true, histogram: true, ochs: true };
}

/// The features of all combos of a flop, turn or river board, hundreds of times as fast as one by one.
///
/// Each river board that can come is sorted by strength once, and one sweep over it serves all combos, most of it
/// for all combos of a kind ([`KindOrder`]) at once. Reuse one value for many boards.
///
/// ```
/// use equipoise_abstraction::{BoardFeatures, Features, Parts};
/// let board = "Td9d6hQc".parse()?;
/// let mut all = BoardFeatures::new(Parts::ALL);
/// all.fill(&board)?;
/// let combo = "AhKh".parse()?;
/// assert_eq!(all.get(combo), Some(Features::of(combo, &board)?));
/// assert_eq!(all.get("TdTc".parse()?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BoardFeatures {
    parts: Parts,
    board: Board,
    /// The indices of the combos that share no card with the board.
    live: Vec<u16>,
    river: Box<River>,
    sums: Box<Sums>,
    histograms: Vec<[u16; Features::NUM_BINS]>,
    now: NowOrder,
    cells: Box<[CellSums; Combo::COUNT]>,
    against: Box<[[u32; OpponentClusters::COUNT]; Combo::COUNT]>,
}

/// What one river board says.
#[derive(Debug)]
struct River {
    kinds: KindOrder,
    wins_of_kind: OfKind,
    halves_of_kind: OfKind,
    wins: [u16; Combo::COUNT],
    halves: [u16; Combo::COUNT],
    /// For cells and clusters, which differ within a kind.
    order: StrengthOrder,
    all: ComboSet,
    against: [Lanes; Combo::COUNT],
}

impl Default for River {
    fn default() -> River {
        River {
            kinds: KindOrder::default(),
            wins_of_kind: NO_KIND,
            halves_of_kind: NO_KIND,
            wins: [0; Combo::COUNT],
            halves: [0; Combo::COUNT],
            order: StrengthOrder::default(),
            all: ComboSet::full(),
            against: [Lanes::default(); Combo::COUNT],
        }
    }
}

impl River {
    /// Finds the halves of each combo on a board, 0 for those that hold one of the cards that are new on it; the wins
    /// likewise if they are wanted.
    fn fill(&mut self, board: [Card; 5], new: &[Card], with_wins: bool) {
        self.kinds.fill(board);
        let (wins, halves) = (&mut self.wins_of_kind, &mut self.halves_of_kind);
        kernel::run(KindSweep { order: &self.kinds, wins, halves });
        let kinds = self.kinds.kinds_of_combos();
        kernel::run(Spread { kinds, of_kind: &self.halves_of_kind, of_combo: &mut self.halves });
        if with_wins {
            kernel::run(Spread { kinds, of_kind: &self.wins_of_kind, of_combo: &mut self.wins });
        }
        for &index in new.iter().flat_map(|&card| combos_of(card)) {
            self.halves[usize::from(index)] = 0;
            self.wins[usize::from(index)] = 0;
        }
    }
}

/// The bins of a histogram but the last, filled up to whole vectors.
pub(crate) const CDF_LEN: usize = 56;
const _: () = assert!(CDF_LEN >= Features::NUM_BINS - 1 && CDF_LEN.is_multiple_of(8));
// What sums of squares in 32 bits rely on.
const _: () = assert!(1081 * (MAX_HALVES as u64).pow(2) < 1 << 32);

/// The bin of each number of halves.
static BINS: [u8; MAX_HALVES as usize + 1] = {
    let mut bins = [0; MAX_HALVES as usize + 1];
    let mut halves = 0;
    while halves < bins.len() {
        bins[halves] = bin(halves as u32) as u8;
        halves += 1;
    }
    bins
};

impl BoardFeatures {
    /// Room for these features, with no board in it yet.
    #[must_use]
    pub fn new(parts: Parts) -> BoardFeatures {
        let room = |wanted: bool| if wanted { Combo::COUNT } else { 0 };
        BoardFeatures {
            parts,
            board: Board::EMPTY,
            live: Vec::new(),
            river: Box::default(),
            sums: Box::default(),
            histograms: vec![[0; Features::NUM_BINS]; room(parts.histogram)],
            now: NowOrder::default(),
            cells: Box::new([CellSums::default(); Combo::COUNT]),
            against: Box::new([[0; OpponentClusters::COUNT]; Combo::COUNT]),
        }
    }

    /// Replaces the features by those on another board.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoardSize`] for the empty board: see [`preflop_features`](crate::preflop_features).
    pub fn fill(&mut self, board: &Board) -> Result<(), AbstractionError> {
        if board.street() == Street::Preflop {
            return Err(AbstractionError::InvalidBoardSize { expected: "3, 4 or 5", got: 0 });
        }
        self.clear(board);
        if self.parts.cells && board.street() != Street::River {
            self.fill_now();
        }
        let left: Vec<Card> = (!board.set()).iter().collect();
        match *board.cards() {
            [a, b, c, d, e] => self.add_river([a, b, c, d, e], &[]),
            [a, b, c, d] => left.iter().for_each(|&e| self.add_river([a, b, c, d, e], &[e])),
            [a, b, c, ..] => {
                for (i, &d) in left.iter().enumerate() {
                    left[i + 1..].iter().for_each(|&e| self.add_river([a, b, c, d, e], &[d, e]));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn clear(&mut self, board: &Board) {
        self.board = *board;
        self.live.clear();
        let cards: Vec<u16> = (!board.set()).iter().map(|card| u16::from(card.id())).collect();
        for (i, &low) in cards.iter().enumerate() {
            // Combos with the same low card are as far apart as their high cards.
            let start = low * (101 - low) / 2;
            self.live.extend(cards[i + 1..].iter().map(|&high| start + high - 1));
        }
        *self.sums = Sums::default();
        self.histograms.fill([0; Features::NUM_BINS]);
        if self.parts.cells {
            self.cells.fill(CellSums::default());
        }
        if self.parts.ochs {
            self.against.fill([0; OpponentClusters::COUNT]);
        }
    }

    /// Sorts the combos by their strength on the current board.
    fn fill_now(&mut self) {
        let board: Tally = self.board.cards().iter().copied().collect();
        let is_flop = self.board.street() == Street::Flop;
        let strength = |&index: &u16| {
            let combo = combo_of(index);
            let tally = board.with_all(combo.cards());
            let strength = if is_flop { tally.strength5() } else { tally.strength6() };
            (strength.get(), index)
        };
        let mut sorted: Vec<(u16, u16)> = self.live.iter().map(strength).collect();
        sorted.sort_unstable();
        self.now.fill(&sorted);
    }

    /// Adds a river board; `new` are the cards that came to it.
    fn add_river(&mut self, board: [Card; 5], new: &[Card]) {
        let river = &mut *self.river;
        river.fill(board, new, self.parts.cells);
        kernel::run(AddHalves { halves: &river.halves, sums: &mut self.sums });
        if self.parts.histogram {
            add_to_bins(&mut self.histograms, &river.halves, &self.live, new);
        }
        if self.parts.cells || self.parts.ochs {
            river.order.fill(board, &river.all);
        }
        if self.parts.cells {
            kernel::run(AddWins { wins: &river.wins, sums: &mut self.sums });
            if self.board.street() != Street::River {
                kernel::run(CellSweep { now: &self.now, order: &river.order, sums: &mut self.cells });
            }
        }
        if self.parts.ochs {
            let cluster = OpponentClusters::lanes();
            kernel::run(ClusterSweep { order: &river.order, cluster, halves: &mut river.against });
            let halves = &river.against;
            kernel::run(AddClusters { order: &river.order, halves, sums: &mut self.against });
        }
    }

    /// The board that was filled in last.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The combos that share no card with the board, in the order of their index.
    pub fn combos(&self) -> impl ExactSizeIterator<Item = Combo> + '_ {
        self.live.iter().map(|&index| combo_of(index))
    }

    /// The all-in equity of each of the [`combos`](BoardFeatures::combos).
    pub fn equities(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        let whole = num_runouts(self.board.street()) * u64::from(MAX_HALVES);
        self.equity_halves().map(move |halves| f64::from(halves) / whole as f64)
    }

    /// `2 · wins + ties` over opponents and runouts of each of the [`combos`](BoardFeatures::combos).
    pub fn equity_halves(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.live.iter().map(|&index| self.sums.halves[usize::from(index)])
    }

    /// The nine cells of a combo; `None` if it holds a card of the board or the cells were not asked for.
    #[must_use]
    pub fn cells(&self, combo: Combo) -> Option<Cells> {
        if !self.parts.cells || combo.cards().intersects(self.board.set()) {
            return None;
        }
        let street = self.board.street();
        let (wins, halves) = (self.sums.wins[combo.index()], self.sums.halves[combo.index()]);
        let column = [wins, halves - 2 * wins];
        if street == Street::River {
            let [ahead, tied] = column;
            return Some([[ahead, 0, 0], [0, tied, 0], [0, 0, num_opponents(street) as u32 - ahead - tied]]);
        }
        let per_opponent = num_runouts_of_two(street) as u32;
        let (wins, halves) = self.now.wins_and_halves(combo.index());
        let row = [u32::from(wins), u32::from(halves - 2 * wins)].map(|count| count * per_opponent);
        Some(nine_cells(&self.cells[combo.index()], row, column, num_opponents(street) as u32 * per_opponent))
    }

    /// The histogram of a combo; `None` if it holds a card of the board or histograms were not asked for.
    #[must_use]
    pub fn histogram(&self, combo: Combo) -> Option<Histogram> {
        let live = !combo.cards().intersects(self.board.set());
        self.histograms.get(combo.index()).filter(|_| live).map(|bins| bins.map(u32::from))
    }

    /// The distribution function of river HS of each combo: the parts of the runouts up to each bin but the last, which
    /// is always 1, and zeros to fill up.
    pub(crate) fn cdfs(&self) -> Vec<[f32; CDF_LEN]> {
        let num_runouts = num_runouts(self.board.street()) as f32;
        let cdf = |&index: &u16| {
            let (mut cdf, mut upto) = ([0.0; CDF_LEN], 0_u32);
            for (value, &count) in
                cdf.iter_mut().zip(&self.histograms[usize::from(index)][..Features::NUM_BINS - 1])
            {
                upto += u32::from(count);
                *value = upto as f32 / num_runouts;
            }
            cdf
        };
        self.live.iter().map(cdf).collect()
    }

    /// The equities of each combo against opponents of each cluster or a stronger one: the first is against all, the last
    /// is OCHS's last.
    pub(crate) fn nested_equities(&self) -> Vec<[f32; OpponentClusters::COUNT]> {
        let opponents = ClusterCounts::of(&self.live);
        let num_runouts = num_runouts_of_two(self.board.street()) as u32;
        let vector = |&index: &u16| {
            let opponents = opponents.against(combo_of(index));
            let halves = &self.against[usize::from(index)];
            let mut equities = [0.0; OpponentClusters::COUNT];
            let (mut sum, mut num_opponents) = (0, 0);
            for cluster in (0..OpponentClusters::COUNT).rev() {
                sum += halves[cluster];
                num_opponents += opponents[cluster];
                equities[cluster] = sum as f32 / (2 * num_opponents * num_runouts) as f32;
            }
            equities
        };
        self.live.iter().map(vector).collect()
    }

    /// E\[HS²\] of each of the [`combos`](BoardFeatures::combos).
    pub fn equity_squares(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        let street = self.board.street();
        self.live.iter().map(move |&index| mean_square(self.sums.squares[usize::from(index)].into(), street))
    }

    /// OCHS of each of the [`combos`](BoardFeatures::combos), as [`Features::ochs`] has it; nothing if the clusters
    /// were not asked for.
    pub fn ochs(&self) -> impl Iterator<Item = [f64; OpponentClusters::COUNT]> + '_ {
        let opponents = ClusterCounts::of(&self.live);
        let asked: &[u16] = if self.parts.ochs { &self.live } else { &[] };
        asked
            .iter()
            .map(move |&index| self.against_clusters(combo_of(index), &opponents).map(Against::equity))
    }

    fn against_clusters(
        &self,
        combo: Combo,
        opponents: &ClusterCounts,
    ) -> [Against; OpponentClusters::COUNT] {
        let opponents = opponents.against(combo);
        let halves = &self.against[combo.index()];
        let num_runouts = num_runouts_of_two(self.board.street());
        std::array::from_fn(|i| Against {
            halves: halves[i].into(),
            deals: u64::from(opponents[i]) * num_runouts,
        })
    }

    /// The sums of `2 · wins + ties` and of its square over the runouts, of each combo. Even on the flop they fit.
    pub(crate) fn equity_and_square(&self) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
        let sums = &self.sums;
        self.live.iter().map(|&index| [sums.halves[usize::from(index)], sums.squares[usize::from(index)]])
    }

    /// All features of a combo; `None` if it holds a card of the board or not all [`Parts`] were asked for.
    #[must_use]
    pub fn get(&self, combo: Combo) -> Option<Features> {
        if !self.parts.ochs {
            return None;
        }
        let (cells, histogram) = (self.cells(combo)?, self.histogram(combo)?);
        let against = self.against_clusters(combo, &ClusterCounts::of(&self.live));
        Some(Features {
            street: self.board.street(),
            cells: Some(cells),
            halves: self.sums.halves[combo.index()].into(),
            squares: self.sums.squares[combo.index()].into(),
            histogram,
            against,
        })
    }
}

fn combo_of(index: u16) -> Combo {
    Combo::from_index(usize::from(index)).expect("an index of a combo")
}

/// How many live combos each cluster of opponents has, and how many of them hold each card.
struct ClusterCounts {
    all: [u32; OpponentClusters::COUNT],
    of_card: [[u32; OpponentClusters::COUNT]; Card::COUNT],
}

impl ClusterCounts {
    fn of(live: &[u16]) -> ClusterCounts {
        let mut counts =
            ClusterCounts { all: Default::default(), of_card: [Default::default(); Card::COUNT] };
        for &index in live {
            let combo = combo_of(index);
            let cluster = OpponentClusters::standard().cluster_of(combo.class());
            counts.all[cluster] += 1;
            counts.of_card[combo.low().index()][cluster] += 1;
            counts.of_card[combo.high().index()][cluster] += 1;
        }
        counts
    }

    /// How many combos of each cluster an opponent of a live combo may hold.
    fn against(&self, combo: Combo) -> [u32; OpponentClusters::COUNT] {
        let own = OpponentClusters::standard().cluster_of(combo.class());
        let (low, high) = (&self.of_card[combo.low().index()], &self.of_card[combo.high().index()]);
        // The combo itself is taken away for both its cards.
        std::array::from_fn(|i| self.all[i] + u32::from(i == own) - low[i] - high[i])
    }
}

/// Counts the bins of a river board's halves, which are 0 where a combo holds one of the `new` cards.
fn add_to_bins(
    histograms: &mut [[u16; Features::NUM_BINS]],
    halves: &[u16; Combo::COUNT],
    live: &[u16],
    new: &[Card],
) {
    for &index in live {
        let index = usize::from(index);
        histograms[index][usize::from(BINS[usize::from(halves[index])])] += 1;
    }
    // A combo that holds two new cards was counted once and comes twice.
    let [first, second] = [new.first(), new.get(1)].map(|card| card.map_or(&[][..], |&card| combos_of(card)));
    let both = new.get(1).and_then(|&second| Combo::new(new[0], second)).map(Combo::index);
    for &index in first.iter().chain(second.iter().filter(|&&index| Some(usize::from(index)) != both)) {
        let bin = &mut histograms[usize::from(index)][0];
        *bin = bin.wrapping_sub(1);
    }
}

/// The nine cells from what the sweeps have found, the first two sums of each row and of each column, and the sum of all.
fn nine_cells(sums: &CellSums, row: [u32; 2], column: [u32; 2], all: u32) -> Cells {
    let ahead_ahead = sums.weaker_weaker;
    let tied_ahead = sums.upto_weaker - ahead_ahead;
    let ahead_tied = sums.weaker_upto - ahead_ahead;
    let tied_tied = sums.upto_upto - sums.weaker_upto - tied_ahead;
    let ahead = [ahead_ahead, ahead_tied, row[0] - ahead_ahead - ahead_tied];
    let tied = [tied_ahead, tied_tied, row[1] - tied_ahead - tied_tied];
    let behind = [column[0] - ahead[0] - tied[0], column[1] - ahead[1] - tied[1]];
    let last = all - row[0] - row[1] - behind[0] - behind[1];
    [ahead, tied, [behind[0], behind[1], last]]
}
