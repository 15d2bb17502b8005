//! The features of the 169 classes before the flop, from all river boards at once.

use std::sync::{Mutex, OnceLock, PoisonError};

use equipoise_cards::{Card, Combo, ComboSet, HandClass, IsaKernel, Street, StrengthOrder, canonical_boards};
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;

use crate::clusters::OpponentClusters;
use crate::error::AbstractionError;
use crate::features::{Against, Features, Histogram, num_runouts_of_two};
use crate::kernel::{self, ClusterSweep, Lanes, Sweep};
use crate::single::bin;

/// The exact features of each class before the flop, by [`HandClass::index`]. They are counted when they are first asked
/// for, which takes a second or so, and kept.
///
/// ```
/// use equipoise_abstraction::preflop_features;
/// use equipoise_cards::HandClass;
/// let aces: HandClass = "AA".parse()?;
/// let features = &preflop_features(&mut ())?[aces.index()];
/// assert!((features.equity() - 0.852037).abs() < 1e-6);
/// assert!((features.equity_sq() - 0.737211).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AbstractionError::Cancelled`] if the observer stops the count.
pub fn preflop_features(
    observer: &mut dyn Observer,
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
    observer: &mut dyn Observer,
) -> Result<[Histogram; HandClass::COUNT], AbstractionError> {
    let sums = count(false, observer)?;
    Ok(std::array::from_fn(|class| histogram(class, &sums[class])))
}

/// Sums over all combos of a class and some boards.
#[derive(Clone, Copy)]
struct ClassSums<T> {
    squares: u64,
    halves: T,
    histogram: [T; Features::NUM_BINS],
    against: [T; OpponentClusters::COUNT],
}

impl<T: Copy + Default> Default for ClassSums<T> {
    fn default() -> ClassSums<T> {
        ClassSums {
            squares: 0,
            halves: T::default(),
            histogram: [T::default(); Features::NUM_BINS],
            against: [T::default(); OpponentClusters::COUNT],
        }
    }
}

impl ClassSums<u64> {
    fn merge<T: Copy + Into<u64>>(&mut self, other: &ClassSums<T>) {
        self.squares += other.squares;
        self.halves += other.halves.into();
        let pairs = self.histogram.iter_mut().zip(&other.histogram);
        pairs.chain(self.against.iter_mut().zip(&other.against)).for_each(|(sum, &x)| *sum += x.into());
    }
}

type Sums = Vec<ClassSums<u64>>;

/// Everything that one worker needs for a board.
struct Scratch {
    order: StrengthOrder,
    wins: [u16; Combo::COUNT],
    halves: [u16; Combo::COUNT],
    against: [Lanes; Combo::COUNT],
}

/// Boards that are counted together. A class gets at most 12 combos · 24 boards a class · 1,980 halves · STRIDE, which
/// is less than 2³².
const STRIDE: usize = 256;
const _: () = assert!(12 * 24 * 1980 * STRIDE < 1 << 32);

fn count(with_clusters: bool, observer: &mut dyn Observer) -> Result<Sums, AbstractionError> {
    let boards: Vec<([Card; 5], u32)> = canonical_boards(Street::River)
        .map(|(board, class_size)| (board.cards().try_into().expect("a river has five cards"), class_size))
        .collect();
    let mut class_of = [0; Combo::COUNT];
    Combo::all().for_each(|combo| class_of[combo.index()] = combo.class().index() as u8);
    let (all, progress) = (ComboSet::full(), Progress::new(observer, boards.len() as u64));
    let part = |boards: &[([Card; 5], u32)]| {
        let mut scratch = Box::new(Scratch {
            order: StrengthOrder::default(),
            wins: [0; Combo::COUNT],
            halves: [0; Combo::COUNT],
            against: [Lanes::default(); Combo::COUNT],
        });
        let mut sums = vec![ClassSums::default(); HandClass::COUNT];
        for &(board, class_size) in boards {
            scratch.order.fill(board, &all);
            scratch.add(&class_of, class_size, with_clusters, &mut sums);
        }
        progress.advance(boards.len() as u64)?;
        Ok::<_, AbstractionError>(sums)
    };
    let empty = || vec![ClassSums::default(); HandClass::COUNT];
    let merge = |mut sums: Sums, other: &[ClassSums<u64>]| {
        sums.iter_mut().zip(other).for_each(|(sum, other)| sum.merge(other));
        Ok(sums)
    };
    let add = |mut sums: Sums, chunk: &[([Card; 5], u32)]| {
        let counted: Vec<ClassSums<u32>> = part(chunk)?;
        sums.iter_mut().zip(&counted).for_each(|(sum, counted)| sum.merge(counted));
        Ok(sums)
    };
    boards.par_chunks(STRIDE).try_fold(empty, add).try_reduce(empty, |sums, other| merge(sums, &other))
}

impl Scratch {
    /// Adds a board that stands for `class_size` of them.
    fn add(
        &mut self,
        class_of: &[u8; Combo::COUNT],
        class_size: u32,
        with_clusters: bool,
        sums: &mut [ClassSums<u32>],
    ) {
        kernel::run(Sweep { order: &self.order, wins: &mut self.wins, halves: &mut self.halves });
        if with_clusters {
            let cluster = OpponentClusters::lanes();
            kernel::run(ClusterSweep { order: &self.order, cluster, halves: &mut self.against });
        }
        kernel::run(AddClasses { scratch: self, class_of, class_size, with_clusters, sums });
    }
}

/// Adds what the sweeps have found to the sums of the classes.
struct AddClasses<'a> {
    scratch: &'a Scratch,
    class_of: &'a [u8; Combo::COUNT],
    class_size: u32,
    with_clusters: bool,
    sums: &'a mut [ClassSums<u32>],
}

impl IsaKernel for AddClasses<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for &index in self.scratch.order.combos() {
            let index = usize::from(index);
            let halves = u32::from(self.scratch.halves[index]);
            let sums = &mut self.sums[usize::from(self.class_of[index])];
            sums.halves += self.class_size * halves;
            sums.squares += u64::from(self.class_size) * u64::from(halves * halves);
            sums.histogram[bin(halves)] += self.class_size;
            if self.with_clusters {
                let against = self.scratch.against[index].0;
                sums.against =
                    std::array::from_fn(|i| sums.against[i] + self.class_size * u32::from(against[i]));
            }
        }
    }
}

fn class_of(index: usize) -> HandClass {
    HandClass::from_index(index).expect("there are 169 sums")
}

/// The histogram of one combo: all combos of a class have the same.
fn histogram(index: usize, sums: &ClassSums<u64>) -> Histogram {
    let num_combos = class_of(index).num_combos() as u64;
    debug_assert!(sums.histogram.iter().all(|count| count.is_multiple_of(num_combos)));
    sums.histogram.map(|count| (count / num_combos) as u32)
}

fn features(index: usize, sums: &ClassSums<u64>) -> Features {
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
