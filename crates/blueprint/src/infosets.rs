//! What a player knows and has learned at one decision: a row for each bucket.

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
    /// The average strategy as it stood when it was last measured.
    settled: Vec<f64>,
    /// Of this pass: the cf values of the actions, weighted by the own range; and the own reach.
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
            settled: uniform,
            values: vec![0.0; len],
            reach: vec![0.0; num_buckets],
        }
    }

    /// Bytes that the tables of so many numbers take, about.
    pub(crate) const fn bytes(len: u64) -> u64 {
        7 * 8 * len
    }

    /// Row by row the frequencies of the actions.
    pub(crate) fn strategy(&self, played: Played) -> &[f64] {
        match played {
            Played::Current => &self.current,
            Played::Average => &self.settled,
        }
    }

    /// The strategy of now, and the sums of the own reach.
    pub(crate) fn strategy_and_reach(&mut self) -> (&[f64], &mut [f64]) {
        (&self.current, &mut self.reach)
    }

    /// The strategy of now, and the sums of the actions' values.
    pub(crate) fn strategy_and_values(&mut self) -> (&[f64], &mut [f64]) {
        (&self.current, &mut self.values)
    }

    /// The traverser's part of a pass is over: the regrets move, and the next strategy is made with the numbers of the
    /// next iteration.
    pub(crate) fn update(&mut self, now: &Coefficients, next: &Coefficients, needs: Requirements) {
        let Infosets { actions, regret, last, sums, current, values, .. } = self;
        for row in 0..regret.len() / *actions {
            let at = row * *actions..(row + 1) * *actions;
            let (regret, current) = (&mut regret[at.clone()], &mut current[at.clone()]);
            let values = &mut values[at.clone()];
            let last = last.get_mut(at);
            let value: f64 = current.iter().zip(&*values).map(|(share, value)| share * value).sum();
            let mut moved = AsymmetrySums::default();
            for (regret, instant) in regret.iter_mut().zip(values.iter_mut()) {
                *instant -= value;
                let new = now.next_regret(*regret, *instant);
                moved.regret += (new - *regret).powi(2);
                *regret = new;
            }
            let asymmetry = match (needs.asymmetry, sums.get_mut(row), &last) {
                (Some(Asymmetry::Auto { max }), Some(sums), Some(last)) => {
                    let change = last.iter().zip(&*values).map(|(last, instant)| (instant - last).powi(2));
                    sums.instant += change.sum::<f64>();
                    sums.regret += moved.regret;
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

    /// The opponent's part of a pass is over: the average takes up the strategy of now.
    pub(crate) fn absorb(&mut self, now: &Coefficients, needs: Requirements) {
        let rows = self.average.chunks_exact_mut(self.actions).zip(self.current.chunks_exact(self.actions));
        for ((average, current), reach) in rows.zip(&mut self.reach) {
            let weight = if needs.own_reach { *reach } else { 1.0 };
            for (sum, share) in average.iter_mut().zip(current) {
                *sum = now.average * *sum + weight * share;
            }
            *reach = 0.0;
        }
    }

    /// What the average strategy of now does with a bucket.
    pub(crate) fn average(&self, bucket: u32) -> Vec<f64> {
        let mut shares = self.average[bucket as usize * self.actions..][..self.actions].to_vec();
        normalise(&mut shares);
        shares
    }

    /// Makes the average strategy of now what is played.
    pub(crate) fn settle(&mut self) {
        self.settled.copy_from_slice(&self.average);
        self.settled.chunks_exact_mut(self.actions).for_each(normalise);
    }
}

/// Parts become shares; nothing becomes the uniform strategy.
fn normalise(parts: &mut [f64]) {
    let sum: f64 = parts.iter().sum();
    if sum > 0.0 {
        parts.iter_mut().for_each(|part| *part /= sum);
    } else {
        let share = 1.0 / parts.len() as f64;
        parts.fill(share);
    }
}
