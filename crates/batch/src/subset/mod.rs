//! Few flops that stand for all.

mod choose;
mod measure;
mod ranges;

use equipoise_cards::{FlopTexture, Rank, SuitTexture};
use equipoise_documents::batch::{QuantityError, SubsetQuality};
use equipoise_progress::{Cancelled, Observer, Part};
use rayon::prelude::*;

use crate::flops::{Flop, NUM_FLOPS, all_flops};
use choose::Kernel;
use measure::{OnFlop, measure, quantity_names};
use ranges::{CHOSEN_BY, HELD_OUT, Pair};

/// A subset of flops whose weighted averages come near those of all 1,755, chosen by [`derive_subset`] and shipped as
/// text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subset {
    name: &'static str,
    text: &'static str,
}

impl Subset {
    /// The subsets that ship with the program.
    pub const SHIPPED: [Subset; 3] = [
        Subset { name: "25", text: include_str!("../../subsets/25.txt") },
        Subset { name: "49", text: include_str!("../../subsets/49.txt") },
        Subset { name: "95", text: include_str!("../../subsets/95.txt") },
    ];

    /// Its name in plans.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Its flops, with weights that sum to 22,100.
    ///
    /// # Panics
    /// Never: a test reads what ships.
    #[must_use]
    pub fn flops(self) -> Vec<Flop> {
        self.text.lines().map(|line| line.trim().parse().expect("a flop")).collect()
    }
}

/// What is known of a flop: what several pairs of ranges are worth there, and how it looks.
///
/// How many cards of each rank there are decides what narrow ranges can hold, and suits, gaps and pairs how they play, beyond
/// what equities say.
fn features(flop: &Flop, measured: &[Vec<OnFlop>], number: usize) -> Vec<f64> {
    let mut features: Vec<f64> = measured.iter().flat_map(|pair| pair[number].quantities()).collect();
    let texture = FlopTexture::of(&flop.board).expect("a flop");
    let mut ranks: Vec<f64> = flop.board.cards().iter().map(|card| f64::from(card.rank().id())).collect();
    ranks.sort_by(|a, b| b.total_cmp(a));
    let of_rank = |rank: Rank| flop.board.cards().iter().filter(|card| card.rank() == rank).count() as f64;
    features.extend(Rank::ALL.map(of_rank));
    features.extend([
        ranks[0],
        ranks[1],
        ranks[2],
        ranks[0] - ranks[1],
        ranks[1] - ranks[2],
        f64::from(texture.suits as u8),
        f64::from(u8::from(texture.suits == SuitTexture::Monotone)),
        f64::from(texture.pairing as u8),
        f64::from(texture.connectedness as u8),
    ]);
    features
}

/// Measures several pairs one after the other, as one piece of work.
fn measure_all(pairs: &[Pair], watch: &mut dyn Observer) -> Result<Vec<Vec<OnFlop>>, Cancelled> {
    let part = |(number, pair)| measure(pair, &mut Part::of(watch, number, pairs.len()));
    pairs.iter().enumerate().map(part).collect()
}

/// Chooses subsets of these sizes, best by what four pairs of ranges are worth on every flop; the same at any number of
/// threads. It takes a minute of one core.
///
/// # Errors
/// If the observer stops it.
pub fn derive_subset(sizes: &[usize], watch: &mut dyn Observer) -> Result<Vec<Vec<Flop>>, Cancelled> {
    let flops = all_flops();
    let measured = measure_all(&CHOSEN_BY, watch)?;
    let features: Vec<Vec<f64>> =
        flops.iter().enumerate().map(|(number, flop)| features(flop, &measured, number)).collect();
    let weights: Vec<f64> = flops.iter().map(|flop| flop.weight).collect();
    let kernel = Kernel::new(&features, &weights);
    let subset = |&size: &usize| {
        let chosen = kernel.choose(size);
        let found = kernel.weights(&chosen, NUM_FLOPS);
        // Two digits are finer than anything that weights are used for; what rounding leaves goes to the largest.
        let mut flops: Vec<Flop> = chosen
            .iter()
            .zip(found)
            .map(|(&number, weight)| Flop { weight: (100.0 * weight).round() / 100.0, ..flops[number] })
            .filter(|flop| flop.weight > 0.0)
            .collect();
        let missing = NUM_FLOPS - flops.iter().map(|flop| flop.weight).sum::<f64>();
        if let Some(largest) = flops.iter_mut().max_by(|a, b| a.weight.total_cmp(&b.weight)) {
            largest.weight = (100.0 * (largest.weight + missing)).round() / 100.0;
        }
        flops
    };
    Ok(sizes.par_iter().map(subset).collect())
}

/// A quantity of all flops, and of a subset given by places and weights.
fn quantity(name: String, values: &[f64], weights: &[f64], subset: &[(usize, f64)]) -> QuantityError {
    let total: f64 = weights.iter().sum();
    let all = values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total;
    let square = |(value, weight): (&f64, &f64)| weight * (value - all).powi(2);
    let deviation = (values.iter().zip(weights).map(square).sum::<f64>() / total).sqrt();
    let chosen: f64 = subset.iter().map(|(_, weight)| weight).sum();
    let subset = subset.iter().map(|&(number, weight)| weight * values[number]).sum::<f64>() / chosen;
    QuantityError { name, all, subset, deviation }
}

/// Measures subsets by four pairs of ranges that none was chosen by: equities, and how often river equities are in each
/// fifth of the scale. It takes a minute of one core.
///
/// # Errors
/// If the observer stops it.
pub fn measure_subsets(
    subsets: &[Vec<Flop>],
    watch: &mut dyn Observer,
) -> Result<Vec<SubsetQuality>, Cancelled> {
    Ok(quality(subsets, &HELD_OUT, &measure_all(&HELD_OUT, watch)?))
}

fn quality(subsets: &[Vec<Flop>], pairs: &[Pair], measured: &[Vec<OnFlop>]) -> Vec<SubsetQuality> {
    let flops = all_flops();
    let weights: Vec<f64> = flops.iter().map(|flop| flop.weight).collect();
    let of_subset = |subset: &Vec<Flop>| {
        let place = |chosen: &Flop| {
            let number = flops.iter().position(|flop| flop.board == chosen.board).expect("a canonical flop");
            (number, chosen.weight)
        };
        let places: Vec<(usize, f64)> = subset.iter().map(place).collect();
        let mut quantities = Vec::new();
        for (pair, measured) in pairs.iter().zip(measured) {
            let rows: Vec<Vec<f64>> = measured.iter().map(OnFlop::quantities).collect();
            for (at, name) in quantity_names(pair).into_iter().enumerate() {
                let values: Vec<f64> = rows.iter().map(|row| row[at]).collect();
                quantities.push(quantity(name, &values, &weights, &places));
            }
        }
        let errors = || quantities.iter().map(|quantity| quantity.error().abs());
        let (mean_error, max_error) =
            (errors().sum::<f64>() / quantities.len() as f64, errors().fold(0.0, f64::max));
        SubsetQuality { quantities, mean_error, max_error }
    };
    subsets.iter().map(of_subset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_canonical_and_sums_to_all_flops() {
        let all = all_flops();
        for subset in Subset::SHIPPED {
            let flops = subset.flops();
            assert_eq!(flops.len().to_string(), subset.name());
            let total: f64 = flops.iter().map(|flop| flop.weight).sum();
            assert!((total - NUM_FLOPS).abs() < 1e-6, "{total}");
            assert!(flops.is_sorted_by_key(|flop| all.iter().position(|other| other.board == flop.board)));
            assert!(
                flops
                    .iter()
                    .all(|flop| flop.weight > 0.0 && all.iter().any(|other| other.board == flop.board))
            );
        }
    }

    /// By the narrowest pair that they were not chosen by; `equipoise batch flops --check` measures all.
    #[test]
    fn what_ships_comes_near_all_flops() {
        let pairs = &HELD_OUT[3..];
        let measured = measure_all(pairs, &mut ()).unwrap();
        let subsets = Subset::SHIPPED.map(Subset::flops);
        let found = quality(&subsets, pairs, &measured);
        for (quality, (mean, most)) in found.iter().zip([(0.01, 0.03), (0.007, 0.02), (0.005, 0.012)]) {
            assert!(quality.mean_error < mean && quality.max_error < most, "{quality:?}");
        }
        // As many flops that count alike, taken at even distances, are further off.
        let all = all_flops();
        let naive =
            |size: usize| (0..size).map(|at| Flop { weight: 1.0, ..all[at * all.len() / size] }).collect();
        let naive: Vec<Vec<Flop>> = [25, 49, 95].map(naive).into();
        for (naive, quality) in super::quality(&naive, pairs, &measured).iter().zip(&found) {
            assert!(
                quality.mean_error < naive.mean_error / 2.0,
                "{} {}",
                quality.mean_error,
                naive.mean_error
            );
        }
    }

    /// Takes a minute: `make subsets`.
    #[test]
    #[ignore = "takes a minute"]
    fn what_ships_is_what_is_derived() {
        let derived = derive_subset(&[25, 49, 95], &mut ()).unwrap();
        for (subset, derived) in Subset::SHIPPED.into_iter().zip(derived) {
            assert_eq!(subset.flops(), derived, "{}", subset.name());
        }
    }
}
