//! Chooses few flops whose weighted averages come near those of all.
//!
//! A quantity that changes little between flops that are alike is modelled as a Gaussian process: the covariance of two flops is `k(x, y) = 1000 + x·y / d + exp(−|x − y|² / d)`, x and
//! y being what is known of them ([`features`](super::features)), d numbers each, scaled to a variance of 1 over all
//! flops. The constant makes weights sum to 1, the second term gets what changes evenly right, the third everything
//! smooth. In addition each flop has noise of its own, of variance 0.02.
//!
//! For a set S of flops with weights v the expected squared error of the weighted average against all flops, which count
//! by their class sizes n (scaled to sum to 1), is `v'Kv − 2v'Kn + n'Kn`, K with the noise on its diagonal in the first
//! term. It is least for `v = (K_SS)⁻¹ (Kn)_S`. S begins empty and gains the flop that lowers the error most, until it
//! is full; then each flop in turn is exchanged for the one that lowers it most, until none does. Nothing in it is
//! random. At the end weights are found again under the condition that none is negative, and scaled to sum to 22,100.

/// The covariance of any two flops.
const CONSTANT: f64 = 1000.0;
/// The variance of a flop's own noise.
const WHIM: f64 = 0.02;
/// The most rounds of exchanges.
const MOST_ROUNDS: usize = 20;
/// Exchanges that gain less are not worth it.
const LEAST_GAIN: f64 = 1e-9;
/// Sweeps over the weights; far more than they need.
const SWEEPS: usize = 20_000;

/// The covariances of flops, and of each with the average of all.
pub(super) struct Kernel {
    len: usize,
    values: Vec<f64>,
    with_mean: Vec<f64>,
}

impl Kernel {
    /// The kernel of flops with these features, which count by these weights.
    pub(super) fn new(features: &[Vec<f64>], weights: &[f64]) -> Kernel {
        let scaled = standardised(features, weights);
        let total: f64 = weights.iter().sum();
        let len = scaled.len();
        let mut values = vec![0.0; len * len];
        for a in 0..len {
            for b in 0..=a {
                let value = covariance(&scaled[a], &scaled[b]);
                values[a * len + b] = value;
                values[b * len + a] = value;
            }
        }
        let with_mean = (0..len).map(|a| dot(&values[a * len..][..len], weights) / total).collect();
        Kernel { len, values, with_mean }
    }

    fn get(&self, a: usize, b: usize) -> f64 {
        self.values[a * self.len + b] + if a == b { WHIM } else { 0.0 }
    }

    /// A subset of this size, in ascending order.
    pub(super) fn choose(&self, count: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < count.min(self.len) {
            let (best, _) = self.best_to_add(&chosen);
            chosen.push(best);
        }
        for _ in 0..MOST_ROUNDS {
            let mut is_better = false;
            for place in 0..chosen.len() {
                let old = chosen.remove(place);
                let (best, gain) = self.best_to_add(&chosen);
                let (_, of_old) = self.gain(&self.factored(&chosen), &chosen, old);
                let new = if gain > of_old + LEAST_GAIN { best } else { old };
                is_better |= new != old;
                chosen.insert(place, new);
            }
            if !is_better {
                break;
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// The flop that lowers the error most when it is added, and by how much.
    fn best_to_add(&self, chosen: &[usize]) -> (usize, f64) {
        let factor = self.factored(chosen);
        let others = (0..self.len).filter(|flop| !chosen.contains(flop));
        // Of equals the first, so that the answer is always the same.
        others
            .map(|flop| self.gain(&factor, chosen, flop))
            .fold((usize::MAX, f64::MIN), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// How much the error falls when a flop is added.
    fn gain(&self, factor: &Factor, chosen: &[usize], flop: usize) -> (usize, f64) {
        let column: Vec<f64> = chosen.iter().map(|&other| self.get(other, flop)).collect();
        let solved = factor.forward(&column);
        let left = self.with_mean[flop] - dot(&solved, &factor.mean);
        (flop, left * left / (self.get(flop, flop) - dot(&solved, &solved)))
    }

    fn factored(&self, chosen: &[usize]) -> Factor {
        let mut factor = Factor::default();
        for (at, &flop) in chosen.iter().enumerate() {
            let column: Vec<f64> = chosen[..at].iter().map(|&other| self.get(other, flop)).collect();
            factor.add(&column, self.get(flop, flop), self.with_mean[flop]);
        }
        factor
    }

    /// The weights of chosen flops, none negative, with this sum.
    pub(super) fn weights(&self, chosen: &[usize], sum: f64) -> Vec<f64> {
        let mut weights = vec![1.0 / chosen.len() as f64; chosen.len()];
        for _ in 0..SWEEPS {
            for (at, &flop) in chosen.iter().enumerate() {
                let others: f64 =
                    chosen.iter().zip(&weights).map(|(&other, weight)| weight * self.get(flop, other)).sum();
                let step = (self.with_mean[flop] - others) / self.get(flop, flop);
                weights[at] = (weights[at] + step).max(0.0);
            }
        }
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total * sum).collect()
    }
}

/// A triangular factor of the chosen flops' covariances, row by row, and the mean solved by it.
#[derive(Default)]
struct Factor {
    rows: Vec<Vec<f64>>,
    mean: Vec<f64>,
}

impl Factor {
    /// The column after division by the factor.
    fn forward(&self, column: &[f64]) -> Vec<f64> {
        let mut solved: Vec<f64> = Vec::with_capacity(column.len() + 1);
        for (row, value) in self.rows.iter().zip(column) {
            let (diagonal, before) = row.split_last().expect("a row has its diagonal");
            solved.push((value - dot(before, &solved)) / diagonal);
        }
        solved
    }

    fn add(&mut self, column: &[f64], diagonal: f64, mean: f64) {
        let mut row = self.forward(column);
        let last = (diagonal - dot(&row, &row)).sqrt();
        self.mean.push((mean - dot(&row, &self.mean)) / last);
        row.push(last);
        self.rows.push(row);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let size = a.len() as f64;
    let distance: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    CONSTANT + dot(a, b) / size + (-distance / size).exp()
}

/// Features with mean 0 and variance 1 over all flops; those that never change are left out.
fn standardised(features: &[Vec<f64>], weights: &[f64]) -> Vec<Vec<f64>> {
    let total: f64 = weights.iter().sum();
    let num_features = features.first().map_or(0, Vec::len);
    let mut scaled = vec![Vec::new(); features.len()];
    for feature in 0..num_features {
        let mean =
            features.iter().zip(weights).map(|(row, weight)| weight * row[feature]).sum::<f64>() / total;
        let square = |(row, weight): (&Vec<f64>, &f64)| weight * (row[feature] - mean).powi(2);
        let deviation = (features.iter().zip(weights).map(square).sum::<f64>() / total).sqrt();
        if deviation > 0.0 {
            scaled.iter_mut().zip(features).for_each(|(to, row)| to.push((row[feature] - mean) / deviation));
        }
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a line: three of them should spread out, and get the mean of anything straight right.
    #[test]
    fn points_on_a_line_are_spread_out() {
        let features: Vec<Vec<f64>> = (0..101).map(|at| vec![f64::from(at)]).collect();
        let kernel = Kernel::new(&features, &[1.0; 101]);
        let chosen = kernel.choose(3);
        assert!(chosen[0] < 30 && (40..=60).contains(&chosen[1]) && chosen[2] > 70, "{chosen:?}");
        let weights = kernel.weights(&chosen, 101.0);
        assert!((weights.iter().sum::<f64>() - 101.0).abs() < 1e-9);
        let mean: f64 =
            chosen.iter().zip(&weights).map(|(&at, weight)| at as f64 * weight).sum::<f64>() / 101.0;
        assert!((mean - 50.0).abs() < 1.0, "{mean}");
        assert_eq!(chosen, kernel.choose(3));
    }

    /// With every point there is nothing to choose, and weights are those of the points, but for the noise.
    #[test]
    fn all_points_stand_for_themselves() {
        let features: Vec<Vec<f64>> = (0..4).map(|at| vec![f64::from(at * at)]).collect();
        let kernel = Kernel::new(&features, &[1.0, 2.0, 2.0, 1.0]);
        assert_eq!(kernel.choose(9), [0, 1, 2, 3]);
        for (weight, expected) in kernel.weights(&[0, 1, 2, 3], 6.0).iter().zip([1.0, 2.0, 2.0, 1.0]) {
            assert!((weight - expected).abs() < 0.1, "{weight} {expected}");
        }
    }
}
