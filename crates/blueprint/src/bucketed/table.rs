//! The tables of one decision in a pack of betting lines.

use equipoise_cfr::{Asymmetry, AsymmetrySums, Coefficients, Requirements};
use equipoise_game::Player;

use crate::bucketed::kernel::{Accumulate, Isa, MatchRegrets, Normalise, Regrets};
use crate::bucketed::real::Real;
use crate::bucketed::touched::TouchedRows;

/// The information sets of one decision on as many betting lines as there are lanes.
///
/// What training accumulates has a row for every bucket, and in a row the actions one after another, each with a number for
/// every lane. What a pass works on has only the buckets of its boards, at their places in [`TouchedRows`], those of one action after those of
/// another: a pass works on one action at a time, whose places then stay in the cache.
#[derive(Clone, Debug)]
pub(crate) struct Table<R, const L: usize> {
    pub player: Player,
    pub num_actions: usize,
    pub num_rows: usize,
    regret: Vec<[R; L]>,
    /// The last instant regret; empty unless the algorithm predicts.
    last: Vec<[R; L]>,
    /// Empty unless the algorithm measures its asymmetry. Lane after lane.
    sums: Vec<AsymmetrySums>,
    average: Vec<[R; L]>,
    /// How many places the pass has.
    num_places: usize,
    /// The strategy that is played in this pass.
    pub current: Vec<[R; L]>,
    /// Sums of this pass: the cf values of the actions, weighted by the own range, and the own reach by place.
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
        num_rows: usize,
        needs: Option<Requirements>,
    ) -> Table<R, L> {
        let zeros = |is_there: bool| vec![[R::ZERO; L]; if is_there { num_actions * num_rows } else { 0 }];
        let is_auto = needs.is_some_and(|needs| matches!(needs.asymmetry, Some(Asymmetry::Auto { .. })));
        Table {
            player,
            num_actions,
            num_rows,
            regret: zeros(needs.is_some()),
            last: zeros(needs.is_some_and(|needs| needs.last_instant)),
            sums: vec![AsymmetrySums::default(); if is_auto { num_rows * L } else { 0 }],
            average: zeros(needs.is_some()),
            num_places: 0,
            current: Vec::new(),
            values: Vec::new(),
            reach: Vec::new(),
        }
    }

    /// What training changes from iteration to iteration: all that resuming needs.
    pub(crate) fn state(&mut self) -> impl Iterator<Item = &mut [R]> {
        let Table { regret, last, average, .. } = self;
        [regret, last, average].into_iter().map(|rows| rows.as_flattened_mut())
    }

    /// The strategy of an action at the places of this pass.
    #[inline]
    pub(crate) fn strategy(&self, action: usize) -> &[[R; L]] {
        &self.current[action * self.num_places..][..self.num_places]
    }

    /// The strategy of an action at the places of this pass, and the sums of its values.
    #[inline]
    pub(crate) fn strategy_and_values(&mut self, action: usize) -> (&[[R; L]], &mut [[R; L]]) {
        let places = action * self.num_places..(action + 1) * self.num_places;
        (&self.current[places.clone()], &mut self.values[places])
    }

    /// Makes room for a pass.
    fn set_places(&mut self, num_places: usize) {
        self.num_places = num_places;
        self.current.resize(self.num_actions * num_places, [R::ZERO; L]);
    }

    /// Makes the strategies of an iteration from regrets, and empties the sums.
    pub(crate) fn begin(&mut self, rows: &TouchedRows<R>, iteration: &Iteration, isa: Isa) {
        let num_places = rows.rows.len();
        self.set_places(num_places);
        for (sums, len) in [(&mut self.values, self.num_actions * num_places), (&mut self.reach, num_places)]
        {
            sums.clear();
            sums.resize(len, [R::ZERO; L]);
        }
        self.match_regrets(rows, &iteration.now, iteration.needs, isa);
    }

    fn match_regrets(&mut self, rows: &TouchedRows<R>, next: &Coefficients, needs: Requirements, isa: Isa) {
        if self.last.is_empty() {
            let (rows, regret, current) = (&rows.rows[..], &self.regret[..], &mut self.current[..]);
            isa.run(MatchRegrets { rows, regret, current });
            return;
        }
        let num_places = self.num_places;
        for (place, &row) in rows.rows.iter().enumerate() {
            let first = row as usize * self.num_actions;
            for lane in 0..L {
                let sums = self.sums.get(row as usize * L + lane);
                let asymmetry = match (needs.asymmetry, sums) {
                    (Some(Asymmetry::Auto { max }), Some(sums)) => sums.asymmetry(max),
                    _ => 0.0,
                };
                for action in 0..self.num_actions {
                    // Where no board touched the row in the last iteration, its instant regret there was 0.
                    let last =
                        if rows.is_fresh[place] { self.last[first + action][lane].to_f64() } else { 0.0 };
                    let regret = self.regret[first + action][lane].to_f64();
                    let seen = next.prediction.apply(regret, last, asymmetry);
                    self.current[action * num_places + place][lane] = R::of(seen.max(0.0));
                }
            }
        }
        isa.run(Normalise { num_places, rows: &mut self.current });
    }

    /// Updates after a player's training pass over all boards.
    pub(crate) fn update(&mut self, own: Player, rows: &TouchedRows<R>, iteration: &Iteration, isa: Isa) {
        let Iteration { now, needs, .. } = iteration;
        if self.player != own {
            isa.run(Accumulate {
                rows: &rows.rows,
                factors: &rows.average,
                average: &mut self.average,
                current: &self.current,
                reach: &self.reach,
                own_reach: needs.own_reach,
            });
        } else if self.last.is_empty() {
            isa.run(Regrets {
                rows: &rows.rows,
                factors: &rows.regret,
                regret: &mut self.regret,
                current: &mut self.current,
                values: &self.values,
                now,
            });
        } else {
            self.update_with_prediction(rows, iteration, isa);
        }
    }

    fn update_with_prediction(&mut self, rows: &TouchedRows<R>, iteration: &Iteration, isa: Isa) {
        let Iteration { now, next, needs } = iteration;
        for (place, &row) in rows.rows.iter().enumerate() {
            let (num_places, first) = (self.num_places, row as usize * self.num_actions);
            let at = |action: usize| action * num_places + place;
            let factors = rows.regret[place].map(R::to_f64);
            for lane in 0..L {
                let mut mean = 0.0;
                for action in 0..self.num_actions {
                    mean += self.current[at(action)][lane].to_f64() * self.values[at(action)][lane].to_f64();
                }
                let [mut regret_change, mut instant_change] = [0.0; 2];
                for action in 0..self.num_actions {
                    let instant = self.values[at(action)][lane].to_f64() - mean;
                    let old = self.regret[first + action][lane].to_f64();
                    let [positive, negative] = factors;
                    let new = Coefficients { positive, negative, ..*now }.next_regret(old, instant);
                    regret_change += (new - old).powi(2);
                    instant_change += (instant - self.last[first + action][lane].to_f64()).powi(2);
                    self.regret[first + action][lane] = R::of(new);
                    self.last[first + action][lane] = R::of(instant);
                }
                let sums = self.sums.get_mut(row as usize * L + lane);
                if let (Some(Asymmetry::Auto { .. }), Some(sums)) = (needs.asymmetry, sums) {
                    sums.instant += instant_change;
                    sums.regret += regret_change;
                }
            }
        }
        let updated = rows.updated();
        self.match_regrets(&updated, next, *needs, isa);
    }

    /// Loads the average strategies, to be played.
    pub(crate) fn load_average(&mut self, rows: &[u32], isa: Isa) {
        self.set_places(rows.len());
        for (place, &row) in rows.iter().enumerate() {
            for action in 0..self.num_actions {
                self.current[action * rows.len() + place] =
                    self.average[row as usize * self.num_actions + action];
            }
        }
        isa.run(Normalise { num_places: rows.len(), rows: &mut self.current });
    }

    /// Loads the strategies of a lane, by action and row, to be played.
    pub(crate) fn load(&mut self, rows: &[u32], lane: usize, frequency: &dyn Fn(usize, usize) -> f64) {
        self.set_places(rows.len());
        for action in 0..self.num_actions {
            let places = &mut self.current[action * rows.len()..][..rows.len()];
            for (to, &row) in places.iter_mut().zip(rows) {
                to[lane] = R::of(frequency(action, row as usize));
            }
        }
    }

    /// The average strategy of a bucket on the line of a lane.
    pub(crate) fn average_of(&self, bucket: u32, lane: usize) -> Vec<f64> {
        let share = |action| self.average_frequency(action, bucket as usize, lane);
        (0..self.num_actions).map(share).collect()
    }

    /// How often a bucket takes an action in the average strategy on the line of a lane.
    pub(crate) fn average_frequency(&self, action: usize, bucket: usize, lane: usize) -> f64 {
        let sums = &self.average[bucket * self.num_actions..][..self.num_actions];
        let total: f64 = sums.iter().map(|sum| sum[lane].to_f64()).sum();
        if total > 0.0 { sums[action][lane].to_f64() / total } else { 1.0 / self.num_actions as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_cfr::{Algorithm, Scheme};
    use std::sync::Arc;

    /// The factors of rows by when they were last touched: one by one, as often as iterations have passed.
    fn touched(rows: &[u32], seen: &[u32], t: u32, algorithm: &Algorithm) -> TouchedRows<f64> {
        let between = |&row: &u32| {
            let first = if seen[row as usize] == 0 { t } else { seen[row as usize] + 1 };
            (first..=t).map(|t| algorithm.coefficients(t)).collect::<Vec<_>>()
        };
        TouchedRows {
            rows: Arc::from(rows),
            regret: rows
                .iter()
                .map(between)
                .map(|all| {
                    [all.iter().map(|c| c.positive).product(), all.iter().map(|c| c.negative).product()]
                })
                .collect(),
            average: rows.iter().map(between).map(|all| all.iter().map(|c| c.average).product()).collect(),
            is_fresh: rows.iter().map(|&row| seen[row as usize] + 1 >= t).collect(),
        }
    }

    /// Plays both players' passes of an iteration with numbers that depend on iteration, row and action; 0 for rows that no
    /// board touches.
    fn iterate(
        table: &mut Table<f64, 1>,
        rows: &TouchedRows<f64>,
        is_played: [bool; 2],
        t: u32,
        algorithm: &Algorithm,
    ) {
        let (now, next) = (algorithm.coefficients(t), algorithm.coefficients(t + 1));
        let iteration = Iteration { now, next, needs: algorithm.requirements() };
        table.begin(rows, &iteration, Isa::detect());
        let num_places = rows.rows.len();
        for (place, &row) in rows.rows.iter().enumerate() {
            if is_played[row as usize] {
                table.reach[place] = [f64::from(t % 3) + f64::from(row)];
                for action in 0..2 {
                    let value = f64::from((t * 7 + row * 5 + action * 3) % 11) - 4.0;
                    table.values[action as usize * num_places + place] = [value];
                }
            }
        }
        table.update(Player::Oop, rows, &iteration, Isa::detect());
        table.update(Player::Ip, rows, &iteration, Isa::detect());
    }

    #[test]
    fn rows_that_no_board_touches_are_discounted_later() {
        for name in ["lcfr", "dcfr", "cfr+", "pcfr+"] {
            let algorithm: Algorithm = name.parse().unwrap();
            let table = || Table::<f64, 1>::new(Player::Oop, 2, 2, Some(algorithm.requirements()));
            let (mut sparse, mut dense) = (table(), table());
            let mut seen = [0_u32; 2];
            for t in 1..=40 {
                // The second row is touched now and then only.
                let is_played = [true, t % 7 == 3 || t % 11 == 5];
                let places: &[u32] = if is_played[1] { &[1, 0] } else { &[0] };
                iterate(&mut sparse, &touched(places, &seen, t, &algorithm), is_played, t, &algorithm);
                iterate(&mut dense, &touched(&[0, 1], &[t - 1; 2], t, &algorithm), is_played, t, &algorithm);
                places.iter().for_each(|&row| seen[row as usize] = t);
            }
            for row in 0..2 {
                for (a, b) in sparse.average_of(row, 0).iter().zip(dense.average_of(row, 0)) {
                    assert!((a - b).abs() < 1e-12, "{name} {row}: {a} {b}");
                }
            }
            assert!((sparse.average_of(1, 0)[0] - 0.5).abs() > 1e-3);
        }
    }
}
