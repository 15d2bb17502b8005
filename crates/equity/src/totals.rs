//! Sums over deals, and the equities that follow from them.

use std::collections::BTreeMap;

use equipoise_cards::Combo;

use crate::result::{ComboEquity, Equity, PlayerEquity, WinnerSet};
use crate::symmetry::Symmetry;

/// Weights of deals by who wins or shares, and by combo if that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    /// Weight of the deals that each player wins alone.
    alone: Vec<f64>,
    /// Weight of the deals that several players share, by their set.
    shared: BTreeMap<u32, f64>,
    /// One table for each player, or none.
    details: Vec<ComboSums>,
}

/// Sums for one player by combo index: weight of deals, share of the pot, deals won alone, deals shared.
#[derive(Clone, Debug)]
pub(crate) struct ComboSums {
    sums: Vec<[f64; 4]>,
}

impl ComboSums {
    fn new() -> ComboSums {
        ComboSums { sums: vec![[0.0; 4]; Combo::COUNT] }
    }

    /// Adds deals in which the player holds this combo.
    #[inline]
    pub(crate) fn add(&mut self, combo: usize, weight: f64, share: f64, alone: f64, shared: f64) {
        let sums = &mut self.sums[combo];
        sums[0] += weight;
        sums[1] += share;
        sums[2] += alone;
        sums[3] += shared;
    }

    /// Gives every combo the mean over its class of combos that a symmetry makes alike.
    fn average_over(&mut self, classes: &[Vec<u16>]) {
        for class in classes {
            let mut mean = [0.0; 4];
            for &combo in class {
                (0..4).for_each(|i| mean[i] += self.sums[usize::from(combo)][i]);
            }
            let mean = mean.map(|sum| sum / class.len() as f64);
            class.iter().for_each(|&combo| self.sums[usize::from(combo)] = mean);
        }
    }
}

impl Totals {
    pub(crate) fn new(num_players: usize, by_combo: bool) -> Totals {
        let details = if by_combo { vec![ComboSums::new(); num_players] } else { Vec::new() };
        Totals { alone: vec![0.0; num_players], shared: BTreeMap::new(), details }
    }

    /// Adds deals that this set of players wins or shares.
    #[inline]
    pub(crate) fn add(&mut self, winners: u32, weight: f64) {
        if winners.is_power_of_two() {
            self.alone[winners.trailing_zeros() as usize] += weight;
        } else if weight != 0.0 {
            *self.shared.entry(winners).or_insert(0.0) += weight;
        }
    }

    /// Adds the same deals to the tables by combo: player `i` holds `combos[i]`.
    #[inline]
    pub(crate) fn add_details(&mut self, combos: &[u16], winners: u32, weight: f64) {
        let share = weight / f64::from(winners.count_ones());
        for (player, (detail, &combo)) in self.details.iter_mut().zip(combos).enumerate() {
            let won = winners >> player & 1 != 0;
            let (share, alone, shared) = match (won, winners.is_power_of_two()) {
                (false, _) => (0.0, 0.0, 0.0),
                (true, true) => (share, weight, 0.0),
                (true, false) => (share, 0.0, weight),
            };
            detail.add(usize::from(combo), weight, share, alone, shared);
        }
    }

    pub(crate) fn details_mut(&mut self) -> &mut [ComboSums] {
        &mut self.details
    }

    /// Gives combos that a symmetry makes alike the same sums, after one of each class of boards was counted.
    pub(crate) fn average_details(&mut self, symmetry: &Symmetry) {
        if self.has_details() {
            let classes = symmetry.combo_classes();
            self.details.iter_mut().for_each(|detail| detail.average_over(&classes));
        }
    }

    pub(crate) const fn has_details(&self) -> bool {
        !self.details.is_empty()
    }

    pub(crate) fn merge(&mut self, other: &Totals) {
        self.alone.iter_mut().zip(&other.alone).for_each(|(mine, theirs)| *mine += theirs);
        for (&winners, &weight) in &other.shared {
            self.add(winners, weight);
        }
        for (mine, theirs) in self.details.iter_mut().zip(&other.details) {
            for (mine, theirs) in mine.sums.iter_mut().zip(&theirs.sums) {
                mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
            }
        }
    }

    /// The weight of all deals.
    pub(crate) fn weight(&self) -> f64 {
        self.alone.iter().sum::<f64>() + self.shared.values().sum::<f64>()
    }

    /// Mean and variance of a player's share of the pot, and the probabilities of winning alone and of sharing.
    fn moments(&self, player: usize) -> (f64, f64, f64, f64) {
        let total = self.weight();
        let win = self.alone[player] / total;
        let (mut mean, mut square, mut tie) = (win, win, 0.0);
        for (winners, weight) in self.shared.iter().filter(|(winners, _)| **winners >> player & 1 != 0) {
            let share = 1.0 / f64::from(winners.count_ones());
            tie += weight / total;
            mean += share * weight / total;
            square += share * share * weight / total;
        }
        (mean, (square - mean * mean).max(0.0), win, tie)
    }

    /// The largest standard error of the players' equities after this many independent samples.
    ///
    /// An outcome that has not been seen yet still counts a little (as if half of one deal had gone the other way),
    /// so that a few lucky samples do not look exact.
    pub(crate) fn std_error(&self, samples: f64) -> f64 {
        (0..self.alone.len()).map(|player| self.player_std_error(player, samples)).fold(0.0, f64::max)
    }

    fn player_std_error(&self, player: usize, samples: f64) -> f64 {
        let variance = self.moments(player).1.max(0.5 / samples * (1.0 - 0.5 / samples));
        (variance / samples).sqrt()
    }

    /// The players' equities; `samples` if they were sampled.
    pub(crate) fn players(
        &self,
        combos: impl Iterator<Item = usize>,
        samples: Option<f64>,
    ) -> Vec<PlayerEquity> {
        combos
            .enumerate()
            .map(|(player, combos)| {
                let (equity, _, win, tie) = self.moments(player);
                let std_error = samples.map_or(0.0, |samples| self.player_std_error(player, samples));
                PlayerEquity { combos, equity, win, tie, std_error, by_combo: self.combo_equities(player) }
            })
            .collect()
    }

    fn combo_equities(&self, player: usize) -> Vec<ComboEquity> {
        let total = self.weight();
        let Some(detail) = self.details.get(player) else { return Vec::new() };
        Combo::all()
            .zip(&detail.sums)
            .filter(|(_, sums)| sums[0] > 0.0)
            .map(|(combo, &[weight, share, alone, shared])| ComboEquity {
                combo,
                probability: weight / total,
                equity: share / weight,
                win: alone / weight,
                tie: shared / weight,
            })
            .collect()
    }

    pub(crate) fn outcomes(&self) -> Vec<WinnerSet> {
        if self.alone.len() > Equity::MAX_OUTCOME_PLAYERS {
            return Vec::new();
        }
        let alone = self.alone.iter().enumerate().map(|(player, &weight)| (1 << player, weight));
        let mut outcomes: Vec<WinnerSet> = alone
            .chain(self.shared.iter().map(|(&winners, &weight)| (winners, weight)))
            .filter(|&(_, weight)| weight != 0.0)
            .map(|(winners, weight)| WinnerSet { winners, weight })
            .collect();
        outcomes.sort_by_key(|outcome| outcome.winners);
        outcomes
    }
}
