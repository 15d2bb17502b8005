//! Eight clusters of opponents, for OCHS.

use std::sync::LazyLock;

use equipoise_cards::{Combo, HandClass, Range};

use crate::features::Histogram;
use crate::kernel::Lanes;

/// The 169 classes of private cards in eight clusters, so that an equity against each of them tells hands apart that have
/// the same equity against a random hand.
///
/// # How they were found
/// Classes whose river HS is distributed alike go together. With the exact histogram of each class (over all boards, 50
/// bins) as a distribution function, the distance of two classes is the sum of absolute differences, which is the earth
/// mover's distance between the histograms. [`derive`](OpponentClusters::derive) is k-means with that distance:
///
/// 1. Put the classes in order of equity and cut the order into eight parts of as equal a number of combos as
///    whole classes allow. These are the first clusters.
/// 2. The centre of a cluster is the mean of its distribution functions, each class weighing as many as it has combos.
/// 3. Every class goes to the nearest centre, of equally near ones to the first. Repeat from 2 until nothing changes.
/// 4. Number the clusters by mean equity, the weakest first.
///
/// The result is written down as ranges; a test derives it again.
///
/// ```
/// use equipoise_abstraction::OpponentClusters;
/// let clusters = OpponentClusters::standard();
/// let aces = "AA".parse()?;
/// assert_eq!(clusters.cluster_of(aces), OpponentClusters::COUNT - 1);
/// assert_eq!(clusters.ranges().map(|range| range.num_combos()).iter().sum::<usize>(), 1326);
/// # Ok::<(), equipoise_cards::ParseHandClassError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpponentClusters {
    of_class: [u8; HandClass::COUNT],
}

/// The clusters as [`OpponentClusters::derive`] finds them.
const STANDARD: [&str; OpponentClusters::COUNT] = [
    "72,62,52,42,32,92o,83o-82o,73o,63o,53o,43o",
    "64+,54,85s-82s,75s-73s,63s,53s,43s,86o-84o,74o+",
    "J3-J2,T5-T2,94s-92s,Q2o,J6o-J2o,T6o,96o-93o",
    "T7+,97+,87,T6s,95s+,86s,76s",
    "22,K4-K2,Q8-Q3,Q2s,J9s-J4s,K6o-K2o,Q9o,J7o+",
    "77-33,A7-A2,K8s-K5s,A9o-A2o,K9o-K7o",
    "AT+,KT+,QT+,A8s+,K9s,Q9s,JTs",
    "88+",
];

impl OpponentClusters {
    /// How many clusters there are.
    pub const COUNT: usize = 8;

    /// The clusters that [`Features::ochs`](crate::Features::ochs) uses.
    ///
    /// # Panics
    /// Never: a test reads the table.
    #[must_use]
    pub fn standard() -> &'static OpponentClusters {
        static CLUSTERS: LazyLock<OpponentClusters> = LazyLock::new(|| {
            let mut of_class = [u8::MAX; HandClass::COUNT];
            for (cluster, text) in STANDARD.iter().enumerate() {
                let range: Range = text.parse().expect("the table has ranges");
                range.iter().for_each(|(combo, _)| of_class[combo.class().index()] = cluster as u8);
            }
            assert!(of_class.iter().all(|&cluster| usize::from(cluster) < OpponentClusters::COUNT));
            OpponentClusters { of_class }
        });
        &CLUSTERS
    }

    /// The clusters of classes with these histograms of river HS, by [`HandClass::index`].
    #[must_use]
    pub fn derive(histograms: &[Histogram; HandClass::COUNT]) -> OpponentClusters {
        let cdfs = histograms.map(|histogram| {
            let total: f64 = histogram.iter().map(|&count| f64::from(count)).sum();
            let mut below = 0.0;
            histogram.map(|count| {
                below += f64::from(count);
                below / total
            })
        });
        let mut of_class = equal_parts();
        loop {
            let centres = centres(&cdfs, &of_class);
            let nearest = cdfs.map(|cdf| nearest(&cdf, &centres));
            if nearest == of_class {
                return OpponentClusters { of_class: by_strength(&of_class, &centres) };
            }
            of_class = nearest;
        }
    }

    /// The cluster of a class, 0 to 7.
    #[must_use]
    pub fn cluster_of(&self, class: HandClass) -> usize {
        usize::from(self.of_class[class.index()])
    }

    /// The clusters as ranges, the weakest first.
    #[must_use]
    pub fn ranges(&self) -> [Range; OpponentClusters::COUNT] {
        std::array::from_fn(|cluster| {
            Combo::all().filter(|combo| self.cluster_of(combo.class()) == cluster).collect()
        })
    }

    /// For each combo, a 1 at its cluster.
    pub(crate) fn lanes() -> &'static [Lanes; Combo::COUNT] {
        static LANES: LazyLock<Box<[Lanes; Combo::COUNT]>> = LazyLock::new(|| {
            let mut lanes = Box::new([Lanes::default(); Combo::COUNT]);
            for combo in Combo::all() {
                lanes[combo.index()].0[OpponentClusters::standard().cluster_of(combo.class())] = 1;
            }
            lanes
        });
        &LANES
    }
}

type Cdf = [f64; crate::Features::NUM_BINS];

/// The classes in order of equity, cut into parts of about as many combos.
fn equal_parts() -> [u8; HandClass::COUNT] {
    let mut parts = [0; HandClass::COUNT];
    let mut num_before = 0;
    for class in HandClass::by_equity().rev() {
        // The part in which the middle of the class lies.
        let twice_middle = 2 * num_before + class.num_combos();
        parts[class.index()] = (twice_middle * OpponentClusters::COUNT / (2 * Combo::COUNT)) as u8;
        num_before += class.num_combos();
    }
    parts
}

fn centres(
    cdfs: &[Cdf; HandClass::COUNT],
    of_class: &[u8; HandClass::COUNT],
) -> [Cdf; OpponentClusters::COUNT] {
    let mut centres = [[0.0; crate::Features::NUM_BINS]; OpponentClusters::COUNT];
    let mut weights = [0.0; OpponentClusters::COUNT];
    for class in HandClass::all() {
        let (cluster, weight) = (usize::from(of_class[class.index()]), class.num_combos() as f64);
        weights[cluster] += weight;
        for (centre, value) in centres[cluster].iter_mut().zip(&cdfs[class.index()]) {
            *centre += weight * value;
        }
    }
    for (centre, weight) in centres.iter_mut().zip(weights) {
        centre.iter_mut().for_each(|value| *value /= weight);
    }
    centres
}

fn nearest(cdf: &Cdf, centres: &[Cdf; OpponentClusters::COUNT]) -> u8 {
    let distance = |centre: &Cdf| -> f64 { centre.iter().zip(cdf).map(|(a, b)| (a - b).abs()).sum() };
    let mut best = (f64::INFINITY, 0);
    for (cluster, centre) in centres.iter().enumerate() {
        let distance = distance(centre);
        if distance < best.0 {
            best = (distance, cluster as u8);
        }
    }
    best.1
}

/// The same clusters, numbered from the weakest: the one whose distribution function is largest.
fn by_strength(
    of_class: &[u8; HandClass::COUNT],
    centres: &[Cdf; OpponentClusters::COUNT],
) -> [u8; HandClass::COUNT] {
    let mass = centres.map(|centre| centre.iter().sum::<f64>());
    of_class.map(|cluster| mass.iter().filter(|&&other| other > mass[usize::from(cluster)]).count() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preflop_histograms;

    #[test]
    fn the_table_is_what_is_derived() {
        let histograms = preflop_histograms(&mut ()).unwrap();
        let derived = OpponentClusters::derive(&histograms);
        let shown: Vec<String> = derived.ranges().iter().map(Range::to_string).collect();
        assert_eq!(&derived, OpponentClusters::standard(), "{shown:#?}");
        assert_eq!(shown, STANDARD);
        // Every class has every runout.
        for histogram in &histograms {
            assert_eq!(histogram.iter().sum::<u32>(), 2_118_760);
        }
    }

    #[test]
    fn no_board_and_combo_empty_a_cluster() {
        for range in OpponentClusters::standard().ranges() {
            let mut of_card = [0; equipoise_cards::Card::COUNT];
            for (combo, _) in range.iter() {
                of_card[combo.low().index()] += 1;
                of_card[combo.high().index()] += 1;
            }
            of_card.sort_unstable();
            let most_taken: usize = of_card.iter().rev().take(7).sum();
            assert!(most_taken < range.num_combos(), "{range}");
        }
    }
}
