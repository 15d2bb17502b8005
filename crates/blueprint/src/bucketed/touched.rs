//! The rows of tables that the boards of a pass touch, and what the rows missed while no board touched them.
//!
//! A row that no board of an iteration touches has no instant regret and no reach there: it would only be discounted. That is
//! left until a board touches it again, when the factors of all iterations between are applied at once. Regret matching
//! does not see a common factor, and the sign of a regret does not change on the way, so nothing else depends on them.

use std::sync::Arc;

use equipoise_cfr::{Algorithm, Scheme};
use equipoise_game::PerPlayer;

use crate::bucketed::deal::StreetDeals;
use crate::bucketed::real::Real;

/// The rows of a player's tables of a street that are touched in an iteration; their order is that of the places of a pass.
#[derive(Clone, Debug)]
pub(crate) struct TouchedRows<R> {
    pub rows: Arc<[u32]>,
    /// Factors of regrets above 0 and others, those of this iteration included.
    pub regret: Vec<[R; 2]>,
    /// Factors of averages, that of this iteration included.
    pub average: Vec<R>,
    /// Whether the row was touched in the iteration before.
    pub is_fresh: Vec<bool>,
}

impl<R: Real> TouchedRows<R> {
    /// The same rows after the iteration.
    pub(crate) fn updated(&self) -> TouchedRows<R> {
        TouchedRows {
            rows: Arc::clone(&self.rows),
            regret: Vec::new(),
            average: Vec::new(),
            is_fresh: vec![true; self.rows.len()],
        }
    }
}

/// By iteration: the logarithms of the products of all factors so far, of regrets above 0, other regrets, and averages.
///
/// The factors of the first iteration, where the tables are empty, are left out.
#[derive(Clone, Debug, Default)]
struct Discounts(Vec<[f64; 3]>);

/// Logarithms stay finite: a factor of 0 is this small.
const LEAST: f64 = 1e-300;

impl Discounts {
    fn up_to(&mut self, t: u32, algorithm: &Algorithm) {
        if self.0.is_empty() {
            self.0.extend([[0.0; 3]; 2]);
        }
        while self.0.len() <= t as usize {
            let now = algorithm.coefficients(self.0.len() as u32);
            let before = self.0[self.0.len() - 1];
            let factors = [now.positive, now.negative, now.average];
            self.0.push(std::array::from_fn(|at| before[at] + factors[at].max(LEAST).ln()));
        }
    }

    /// The factors of the iterations after `seen` up to `t`.
    fn between(&self, seen: u32, t: u32) -> [f64; 3] {
        let (first, last) = (self.0[seen as usize], self.0[t as usize]);
        std::array::from_fn(|at| (last[at] - first[at]).exp())
    }
}

/// When each row was last touched.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// By street from the root's on, player and row: the iteration, counted from 1.
    seen: Vec<PerPlayer<Vec<u32>>>,
    discounts: Discounts,
}

impl History {
    pub(crate) fn new(num_rows: impl Iterator<Item = PerPlayer<usize>>) -> History {
        let seen = num_rows.map(|rows| rows.map(|rows| vec![0; rows])).collect();
        History { seen, discounts: Discounts::default() }
    }

    /// What resuming needs, in pieces.
    pub(crate) fn pieces(&mut self) -> impl Iterator<Item = &mut [u32]> {
        self.seen.iter_mut().flat_map(|rows| rows.iter_mut().map(|rows| &mut rows[..]))
    }

    /// The rows that an iteration touches, which are noted.
    pub(crate) fn touch<R: Real>(
        &mut self,
        deals: &[StreetDeals<R>],
        t: u32,
        algorithm: &Algorithm,
    ) -> Vec<PerPlayer<TouchedRows<R>>> {
        self.discounts.up_to(t, algorithm);
        let History { seen, discounts } = self;
        let now = algorithm.coefficients(t);
        let now = [now.positive, now.negative, now.average].map(R::of);
        let of_rows = |rows: &Arc<[u32]>, seen: &mut [u32]| {
            let mut touched = TouchedRows {
                rows: Arc::clone(rows),
                regret: Vec::with_capacity(rows.len()),
                average: Vec::with_capacity(rows.len()),
                is_fresh: Vec::with_capacity(rows.len()),
            };
            for &row in rows.iter() {
                let before = std::mem::replace(&mut seen[row as usize], t);
                let is_fresh = before + 1 >= t;
                let [positive, negative, average] = match before {
                    // Nothing was accumulated yet.
                    0 => now,
                    _ if is_fresh => now,
                    _ => discounts.between(before, t).map(R::of),
                };
                touched.regret.push([positive, negative]);
                touched.average.push(average);
                touched.is_fresh.push(is_fresh);
            }
            touched
        };
        let streets = deals.iter().zip(seen);
        streets
            .map(|(deals, seen)| PerPlayer::from_fn(|player| of_rows(&deals.rows[player], &mut seen[player])))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_missed_is_the_product_of_its_factors() {
        for name in ["lcfr", "dcfr", "cfr+", "dcfr(1.5,0.5,3)", "cfr"] {
            let algorithm: Algorithm = name.parse().unwrap();
            let mut discounts = Discounts::default();
            discounts.up_to(90, &algorithm);
            for (seen, t) in [(1, 2), (1, 90), (7, 8), (30, 77)] {
                let mut product = [1.0; 3];
                for t in seen + 1..=t {
                    let now = algorithm.coefficients(t);
                    product[0] *= now.positive;
                    product[1] *= now.negative;
                    product[2] *= now.average;
                }
                for (found, product) in discounts.between(seen, t).into_iter().zip(product) {
                    assert!((found - product).abs() < 1e-12 * product.max(1e-9), "{name}: {found} {product}");
                }
            }
        }
    }
}
