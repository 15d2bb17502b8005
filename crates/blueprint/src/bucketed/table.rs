//! The tables of one decision in a pack of betting lines.

use equipoise_cfr::{Asymmetry, AsymmetrySums, Coefficients, Requirements};
use equipoise_game::Player;

use crate::bucketed::kernel::{Accumulate, Isa, Normalise, Regrets};
use crate::bucketed::real::Real;

/// The information sets of one decision on as many betting lines as there are lanes. Tables have the buckets of one action
/// after those of another, and for each a number for every lane: a pass works on one action at a time, whose rows then
/// stay in the cache.
#[derive(Clone, Debug)]
pub(crate) struct Table<R, const L: usize> {
    pub player: Player,
    pub num_actions: usize,
    pub num_buckets: usize,
    pub regret: Vec<[R; L]>,
    /// The last instant regret; empty unless the algorithm predicts.
    pub last: Vec<[R; L]>,
    /// Empty unless the algorithm measures its asymmetry. Lane after lane.
    sums: Vec<AsymmetrySums>,
    pub average: Vec<[R; L]>,
    pub current: Vec<[R; L]>,
    /// The average strategy of the last measurement; empty before it.
    pub normalised: Vec<[R; L]>,
    /// Sums of this pass: the cf values of the actions, weighted by the own range, and the own reach by bucket.
    pub values: Vec<[R; L]>,
    pub reach: Vec<[R; L]>,
}

/// The coefficients of an iteration and of the next, and what the algorithm requires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iteration {
    pub now: Coefficients,
    pub next: Coefficients,
    pub needs: Requirements,
}

impl<R: Real, const L: usize> Table<R, L> {
    /// Tables before the first iteration: the strategy is uniform. Without requirements of an algorithm there is only a
    /// strategy to be played.
    pub(crate) fn new(
        player: Player,
        num_actions: usize,
        num_buckets: usize,
        needs: Option<Requirements>,
    ) -> Table<R, L> {
        let Some(needs) = needs else { return Table::to_play(player, num_actions, num_buckets) };
        let len = num_actions * num_buckets;
        let is_auto = matches!(needs.asymmetry, Some(Asymmetry::Auto { .. }));
        let zeros = || vec![[R::ZERO; L]; len];
        Table {
            player,
            num_actions,
            num_buckets,
            regret: zeros(),
            last: if needs.last_instant { zeros() } else { Vec::new() },
            sums: vec![AsymmetrySums::default(); if is_auto { num_buckets * L } else { 0 }],
            average: zeros(),
            current: vec![[R::ONE / R::of(num_actions as f64); L]; len],
            normalised: Vec::new(),
            values: zeros(),
            reach: vec![[R::ZERO; L]; num_buckets],
        }
    }

    /// A strategy to be played, uniform so far, and nothing to train it with.
    fn to_play(player: Player, num_actions: usize, num_buckets: usize) -> Table<R, L> {
        let uniform = [R::ONE / R::of(num_actions as f64); L];
        Table {
            player,
            num_actions,
            num_buckets,
            regret: Vec::new(),
            last: Vec::new(),
            sums: Vec::new(),
            average: Vec::new(),
            current: Vec::new(),
            normalised: vec![uniform; num_actions * num_buckets],
            values: Vec::new(),
            reach: Vec::new(),
        }
    }

    /// What training changes from iteration to iteration: all that resuming needs.
    pub(crate) fn state(&mut self) -> impl Iterator<Item = &mut [R]> {
        let Table { regret, last, average, current, .. } = self;
        [regret, last, average, current].into_iter().map(|rows| rows.as_flattened_mut())
    }

    /// The rows of an action in one of the tables.
    #[inline]
    pub(crate) fn action<'a>(&self, rows: &'a [[R; L]], action: usize) -> &'a [[R; L]] {
        &rows[action * self.num_buckets..][..self.num_buckets]
    }

    /// Updates after a player's training pass over all boards.
    pub(crate) fn update(&mut self, own: Player, iteration: &Iteration, isa: Isa) {
        let Iteration { now, next, needs } = iteration;
        if self.player != own {
            isa.run(Accumulate {
                average: &mut self.average,
                current: &self.current,
                reach: &mut self.reach,
                factor: R::of(now.average),
                own_reach: needs.own_reach,
            });
        } else if self.last.is_empty() {
            isa.run(Regrets {
                num_buckets: self.num_buckets,
                regret: &mut self.regret,
                current: &mut self.current,
                values: &mut self.values,
                now,
            });
        } else {
            self.update_with_prediction(now, next, *needs, isa);
        }
    }

    fn update_with_prediction(
        &mut self,
        now: &Coefficients,
        next: &Coefficients,
        needs: Requirements,
        isa: Isa,
    ) {
        for bucket in 0..self.num_buckets {
            for lane in 0..L {
                let at = |action: usize| action * self.num_buckets + bucket;
                let mut mean = 0.0;
                for action in 0..self.num_actions {
                    mean += self.current[at(action)][lane].to_f64() * self.values[at(action)][lane].to_f64();
                }
                let [mut regret_change, mut instant_change] = [0.0; 2];
                for action in 0..self.num_actions {
                    let instant = self.values[at(action)][lane].to_f64() - mean;
                    let old = self.regret[at(action)][lane].to_f64();
                    let new = now.next_regret(old, instant);
                    regret_change += (new - old).powi(2);
                    instant_change += (instant - self.last[at(action)][lane].to_f64()).powi(2);
                    self.regret[at(action)][lane] = R::of(new);
                    self.last[at(action)][lane] = R::of(instant);
                    self.values[at(action)][lane] = R::ZERO;
                }
                let mut asymmetry = 0.0;
                let sums = self.sums.get_mut(bucket * L + lane);
                if let (Some(Asymmetry::Auto { max }), Some(sums)) = (needs.asymmetry, sums) {
                    sums.instant += instant_change;
                    sums.regret += regret_change;
                    asymmetry = sums.asymmetry(max);
                }
                for action in 0..self.num_actions {
                    let (regret, last) = (self.regret[at(action)][lane], self.last[at(action)][lane]);
                    let seen = next.prediction.apply(regret.to_f64(), last.to_f64(), asymmetry);
                    self.current[at(action)][lane] = R::of(seen.max(0.0));
                }
            }
        }
        isa.run(Normalise { num_buckets: self.num_buckets, rows: &mut self.current });
    }

    /// Normalises the average strategy, to be played.
    pub(crate) fn normalise_average(&mut self, isa: Isa) {
        self.normalised.clone_from(&self.average);
        isa.run(Normalise { num_buckets: self.num_buckets, rows: &mut self.normalised });
    }

    /// The average strategy of a bucket on the line of a lane.
    pub(crate) fn average_of(&self, bucket: u32, lane: usize) -> Vec<f64> {
        let sum = |action: usize| self.average[action * self.num_buckets + bucket as usize][lane].to_f64();
        let total: f64 = (0..self.num_actions).map(sum).sum();
        let share = |action| if total > 0.0 { sum(action) / total } else { 1.0 / self.num_actions as f64 };
        (0..self.num_actions).map(share).collect()
    }
}
