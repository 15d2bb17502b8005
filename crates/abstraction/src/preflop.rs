//! The features of the 169 classes before the flop, from all river boards at once.

use std::sync::{Mutex, OnceLock, PoisonError};

use equipoise_cards::{Card, Combo, ComboSet, HandClass, Street, StrengthOrder, canonical_boards};
use equipoise_equity::Observer;
use rayon::prelude::*;

use crate::clusters::OpponentClusters;
use crate::error::AbstractionError;
use crate::features::{Against, Features, Histogram, num_runouts_of_two};
use crate::kernel::{self, ClusterSweep, Lanes, Sweep};
use crate::progress::Progress;
use crate::single::bin;

/// The exact features of each class before the flop, by [`HandClass::index`]. They are counted when they are first asked
/// for, which takes a second or so, and kept.
///
/// ```
/// use equipoise_abstraction::preflop_features;
/// use equipoise_cards::HandClass;
/// let aces: HandClass = "AA".parse()?;
/// let features = &preflop_features(&())?[aces.index()];
/// assert!((features.equity() - 0.852037).abs() < 1e-6);
/// assert!((features.equity_sq() - 0.737211).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AbstractionError::Cancelled`] if the observer stops the count.
pub fn preflop_features(
    observer: &dyn Observer,
) -> Result<&'static [Features; HandClass::COUNT], AbstractionError> {
    static ALL: OnceLock<Box<[Features; HandClass::COUNT]>> = OnceLock::new();
    // Two threads that ask at once should not both count.
    static COUNTING: Mutex<()> = Mutex::new(());
    if let Some(all) = ALL.get() {
        return Ok(all);
    }
    let _counting = COUNTING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(all) = ALL.get() {
        return Ok(all);
    }
    let sums = count(true, observer)?;
    Ok(ALL.get_or_init(|| Box::new(std::array::from_fn(|class| features(class, &sums[class])))))
}

/// The histograms of river HS of each class before the flop, by [`HandClass::index`], over all C(50, 5) runouts: what
/// [`OpponentClusters::derive`] starts from.
///
/// # Errors
/// [`AbstractionError::Cancelled`] if the observer stops the count.
pub fn preflop_histograms(
    observer: &dyn Observer,
) -> Result<[Histogram; HandClass::COUNT], AbstractionError> {
    let sums = count(false, observer)?;
    Ok(std::array::from_fn(|class| histogram(class, &sums[class])))
}

/// Sums over all combos of a class and all boards.
#[derive(Clone, Copy)]
struct ClassSums {
    halves: u64,
    squares: u64,
    histogram: [u64; Features::NUM_BINS],
    against: [u64; OpponentClusters::COUNT],
}

const EMPTY: ClassSums = ClassSums {
    halves: 0,
    squares: 0,
    histogram: [0; Features::NUM_BINS],
    against: [0; OpponentClusters::COUNT],
};

impl ClassSums {
    fn merge(&mut self, other: &ClassSums) {
        self.halves += other.halves;
        self.squares += other.squares;
        let pairs = self.histogram.iter_mut().zip(&other.histogram);
        pairs.chain(self.against.iter_mut().zip(&other.against)).for_each(|(sum, x)| *sum += x);
    }
}

type Sums = Vec<ClassSums>;

/// Everything that one worker needs for a board.
struct Scratch {
    order: StrengthOrder,
    wins: [u16; Combo::COUNT],
    halves: [u16; Combo::COUNT],
    against: [Lanes; Combo::COUNT],
}

/// Boards between two reports of progress.
const STRIDE: usize = 256;

fn count(with_clusters: bool, observer: &dyn Observer) -> Result<Sums, AbstractionError> {
    let boards: Vec<([Card; 5], u32)> = canonical_boards(Street::River)
        .map(|(board, class_size)| (board.cards().try_into().expect("a river has five cards"), class_size))
        .collect();
    let class_of: Vec<u8> = Combo::all().map(|combo| combo.class().index() as u8).collect();
    let (all, progress) = (ComboSet::full(), Progress::new(observer, boards.len() as u64));
    let part = |boards: &[([Card; 5], u32)]| {
        let mut scratch = Box::new(Scratch {
            order: StrengthOrder::default(),
            wins: [0; Combo::COUNT],
            halves: [0; Combo::COUNT],
            against: [Lanes::default(); Combo::COUNT],
        });
        let mut sums = vec![EMPTY; HandClass::COUNT];
        for &(board, class_size) in boards {
            scratch.order.fill(board, &all);
            scratch.add(&class_of, class_size, with_clusters, &mut sums);
        }
        progress.advance(boards.len() as u64)?;
        Ok(sums)
    };
    boards.par_chunks(STRIDE).map(part).try_reduce(
        || vec![EMPTY; HandClass::COUNT],
        |mut sums, other| {
            sums.iter_mut().zip(&other).for_each(|(sum, other)| sum.merge(other));
            Ok(sums)
        },
    )
}

impl Scratch {
    /// Adds a board that stands for `class_size` of them.
    fn add(&mut self, class_of: &[u8], class_size: u32, with_clusters: bool, sums: &mut [ClassSums]) {
        kernel::run(Sweep { order: &self.order, wins: &mut self.wins, halves: &mut self.halves });
        let weight = u64::from(class_size);
        for &index in self.order.combos() {
            let halves = u32::from(self.halves[usize::from(index)]);
            let sums = &mut sums[usize::from(class_of[usize::from(index)])];
            sums.halves += weight * u64::from(halves);
            sums.squares += weight * u64::from(halves * halves);
            sums.histogram[bin(halves)] += weight;
        }
        if !with_clusters {
            return;
        }
        let cluster = OpponentClusters::lanes();
        kernel::run(ClusterSweep { order: &self.order, cluster, halves: &mut self.against });
        for &index in self.order.combos() {
            let sums = &mut sums[usize::from(class_of[usize::from(index)])];
            for (sum, &halves) in sums.against.iter_mut().zip(&self.against[usize::from(index)].0) {
                *sum += weight * u64::from(halves);
            }
        }
    }
}

fn class_of(index: usize) -> HandClass {
    HandClass::from_index(index).expect("there are 169 sums")
}

/// The histogram of one combo: all combos of a class have the same.
fn histogram(index: usize, sums: &ClassSums) -> Histogram {
    let num_combos = class_of(index).num_combos() as u64;
    debug_assert!(sums.histogram.iter().all(|count| count.is_multiple_of(num_combos)));
    sums.histogram.map(|count| (count / num_combos) as u32)
}

fn features(index: usize, sums: &ClassSums) -> Features {
    let class = class_of(index);
    let num_combos = class.num_combos() as u64;
    let combo = class.combos().next().expect("a class has combos");
    let mut against = sums.against.map(|halves| Against { halves: halves / num_combos, deals: 0 });
    for other in Combo::all().filter(|other| !other.cards().intersects(combo.cards())) {
        let cluster = OpponentClusters::standard().cluster_of(other.class());
        against[cluster].deals += num_runouts_of_two(Street::Preflop);
    }
    Features {
        street: Street::Preflop,
        cells: None,
        halves: sums.halves / num_combos,
        squares: sums.squares / num_combos,
        histogram: histogram(index, sums),
        against,
    }
}
