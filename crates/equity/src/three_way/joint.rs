//! Three classes and how often they meet.

use equipoise_cards::{CardSet, Combo, HandClass, Isa};
use rayon::prelude::*;

use super::super::kernel::{AddRows, LANES, Row};
use super::{ShowdownOrder, ThreeWayTable, pair_index};

const N: usize = HandClass::COUNT;

/// For one combo of each class of a player: the probability that two opponents play and that the three hands rank in an order,
/// by [`ShowdownOrder::index`] and [`HandClass::index`]. The player comes first in the order, then the two opponents.
pub type JointOrders = [[f64; HandClass::COUNT]; ShowdownOrder::COUNT];

/// The joint law of a player's class, the classes of two opponents and the order of the three hands: how often classes meet is
/// counted exactly, with card removal; how they rank then is of a [`ThreeWayTable`]. It takes 130 MB.
#[allow(missing_debug_implementations)] // Tables.
pub struct ThreeWayJoint {
    /// By the opponents' classes in rising order: by order, then by the player's class.
    rows: Vec<[Row; ShowdownOrder::COUNT]>,
    isa: Isa,
}

/// Two opponents' combos, C(50, 2) · C(48, 2).
const NUM_DEALS: f32 = 1225.0 * 1128.0;

/// For one combo of a class, the number of pairs of combos of each two classes, in rising order, that share no card with it or
/// with each other; of pairs of one class, both ways.
fn pairs_of(class: HandClass) -> Vec<u32> {
    let own = class.combos().next().map_or(CardSet::EMPTY, Combo::cards);
    let live: Vec<(CardSet, usize)> = Combo::all()
        .filter(|combo| !combo.cards().intersects(own))
        .map(|combo| (combo.cards(), combo.class().index()))
        .collect();
    let mut counts = vec![0; pair_index(N, N)];
    for (number, &(first, x)) in live.iter().enumerate() {
        for &(second, y) in &live[number + 1..] {
            let ways = if x == y { 2 } else { 1 };
            counts[pair_index(x.min(y), x.max(y))] += if first.intersects(second) { 0 } else { ways };
        }
    }
    counts
}

impl ThreeWayJoint {
    /// The law by a table.
    #[must_use]
    pub fn new(table: &ThreeWayTable) -> ThreeWayJoint {
        let classes: Vec<HandClass> = HandClass::all().collect();
        let counts: Vec<Vec<u32>> = classes.par_iter().map(|&class| pairs_of(class)).collect();
        let pairs: Vec<(usize, usize)> = (0..N).flat_map(|x| (x..N).map(move |y| (x, y))).collect();
        let rows = pairs.par_iter().enumerate().map(|(pair, &(x, y))| {
            let mut rows = [[0.0; LANES]; ShowdownOrder::COUNT];
            for &class in &classes {
                let count = counts[class.index()][pair];
                if count > 0 {
                    let orders = table.orders([class, classes[x], classes[y]]);
                    for (row, order) in rows.iter_mut().zip(orders) {
                        row[class.index()] = order * count as f32 / NUM_DEALS;
                    }
                }
            }
            rows
        });
        ThreeWayJoint { rows: rows.collect(), isa: Isa::detect() }
    }

    /// The masses of the orders where the opponents play each class with these frequencies.
    #[must_use]
    pub fn orders(&self, first: &[f64; HandClass::COUNT], second: &[f64; HandClass::COUNT]) -> JointOrders {
        // Opponents with swapped classes rank in swapped orders, so the two ways are summed apart.
        let mut sums = [[[0.0; LANES]; ShowdownOrder::COUNT]; 2];
        for (x, &of_first) in first.iter().enumerate() {
            for (y, &of_second) in second.iter().enumerate() {
                let weight = (of_first * of_second) as f32;
                if weight > 0.0 {
                    let (sums, pair) = if x <= y {
                        (&mut sums[0], pair_index(x, y))
                    } else {
                        (&mut sums[1], pair_index(y, x))
                    };
                    self.isa.run(AddRows { weight, rows: &self.rows[pair], sums });
                }
            }
        }
        let mut masses = [[0.0; N]; ShowdownOrder::COUNT];
        for order in ShowdownOrder::all() {
            let swapped = order.seen_by([0, 2, 1]);
            let rows = sums[0][order.index()].iter().zip(&sums[1][swapped.index()]);
            for (mass, (straight, swapped)) in masses[order.index()].iter_mut().zip(rows) {
                *mass = f64::from(*straight) + f64::from(*swapped);
            }
        }
        masses
    }
}
