//! The tables of one decision: a row for each bucket.

use equipoise_cfr::{Asymmetry, AsymmetrySums, Coefficients, Requirements};

/// The information sets of one decision, one for each bucket. All tables have a row for each bucket, in it a number for
/// each action.
#[derive(Clone, Debug)]
pub(crate) struct Infosets {
    actions: usize,
    regret: Vec<f64>,
    /// Empty unless the algorithm predicts.
    last: Vec<f64>,
    /// Empty unless the algorithm measures its asymmetry.
    sums: Vec<AsymmetrySums>,
    average: Vec<f64>,
    current: Vec<f64>,
    /// The normalised average strategy of the last measurement.
    normalised: Vec<f64>,
    /// Sums of this pass: the cf values of the actions, weighted by the own range, and the own reach.
    values: Vec<f64>,
    reach: Vec<f64>,
}

/// Which strategy is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Played {
    Current,
    Average,
}

impl Infosets {
    /// Tables before the first iteration: the strategy is uniform.
    pub(crate) fn new(actions: usize, num_buckets: usize, needs: Requirements) -> Infosets {
        let len = actions * num_buckets;
        let is_auto = matches!(needs.asymmetry, Some(Asymmetry::Auto { .. }));
        let uniform = vec![1.0 / actions as f64; len];
        Infosets {
            actions,
            regret: vec![0.0; len],
            last: vec![0.0; if needs.last_instant { len } else { 0 }],
            sums: vec![AsymmetrySums::default(); if is_auto { num_buckets } else { 0 }],
            average: vec![0.0; len],
            current: uniform.clone(),
            normalised: uniform,
            values: vec![0.0; len],
            reach: vec![0.0; num_buckets],
        }
    }

    /// About how many bytes tables of `len` entries take.
    pub(crate) const fn bytes(len: u64) -> u64 {
        7 * 8 * len
    }

    /// The frequencies of the actions, row by row.
    pub(crate) fn strategy(&self, played: Played) -> &[f64] {
        match played {
            Played::Current => &self.current,
            Played::Average => &self.normalised,
        }
    }

    /// The current strategy, and the sums of the own reach.
    pub(crate) fn strategy_and_reach(&mut self) -> (&[f64], &mut [f64]) {
        (&self.current, &mut self.reach)
    }

    /// The current strategy, and the sums of the actions' values.
    pub(crate) fn strategy_and_values(&mut self) -> (&[f64], &mut [f64]) {
        (&self.current, &mut self.values)
    }

    /// Updates the regrets of the traverser after a pass, and makes the strategy of the next iteration.
    pub(crate) fn update(&mut self, now: &Coefficients, next: &Coefficients, needs: Requirements) {
        let Infosets { actions, regret, last, sums, current, values, .. } = self;
        for row in 0..regret.len() / *actions {
            let at = row * *actions..(row + 1) * *actions;
            let (regret, current) = (&mut regret[at.clone()], &mut current[at.clone()]);
            let values = &mut values[at.clone()];
            let last = last.get_mut(at);
            let value: f64 = current.iter().zip(&*values).map(|(share, value)| share * value).sum();
            let mut regret_change = 0.0;
            for (regret, instant) in regret.iter_mut().zip(values.iter_mut()) {
                *instant -= value;
                let new = now.next_regret(*regret, *instant);
                regret_change += (new - *regret).powi(2);
                *regret = new;
            }
            let asymmetry = match (needs.asymmetry, sums.get_mut(row), &last) {
                (Some(Asymmetry::Auto { max }), Some(sums), Some(last)) => {
                    let change = last.iter().zip(&*values).map(|(last, instant)| (instant - last).powi(2));
                    sums.instant += change.sum::<f64>();
                    sums.regret += regret_change;
                    sums.asymmetry(max)
                }
                _ => 0.0,
            };
            match last {
                Some(last) => {
                    last.copy_from_slice(values);
                    for ((share, regret), last) in current.iter_mut().zip(&*regret).zip(&*last) {
                        *share = next.prediction.apply(*regret, *last, asymmetry).max(0.0);
                    }
                }
                None => {
                    for (share, regret) in current.iter_mut().zip(&*regret) {
                        *share = regret.max(0.0);
                    }
                }
            }
            normalise(current);
            values.fill(0.0);
        }
    }

    /// Accumulates the current strategy of the opponent in its average after a pass.
    pub(crate) fn accumulate(&mut self, now: &Coefficients, needs: Requirements) {
        let rows = self.average.chunks_exact_mut(self.actions).zip(self.current.chunks_exact(self.actions));
        for ((average, current), reach) in rows.zip(&mut self.reach) {
            let weight = if needs.own_reach { *reach } else { 1.0 };
            for (sum, share) in average.iter_mut().zip(current) {
                *sum = now.average * *sum + weight * share;
            }
            *reach = 0.0;
        }
    }

    /// The average strategy of a bucket.
    pub(crate) fn average(&self, bucket: u32) -> Vec<f64> {
        let mut shares = self.average[bucket as usize * self.actions..][..self.actions].to_vec();
        normalise(&mut shares);
        shares
    }

    /// Normalises the average strategy, to be played.
    pub(crate) fn normalise_average(&mut self) {
        self.normalised.copy_from_slice(&self.average);
        self.normalised.chunks_exact_mut(self.actions).for_each(normalise);
    }
}

/// Divides by the sum; uniform where that is 0.
fn normalise(parts: &mut [f64]) {
    let sum: f64 = parts.iter().sum();
    if sum > 0.0 {
        parts.iter_mut().for_each(|part| *part /= sum);
    } else {
        let share = 1.0 / parts.len() as f64;
        parts.fill(share);
    }
}
