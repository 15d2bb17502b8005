//! The deepest stack at which each hand is played.

use equipoise_cards::HandClass;
use rayon::prelude::*;

use super::{PushFold, PushFoldError, PushFoldSolution, PushFoldStakes};

/// The most stacks of a chart.
pub(super) const MAX_DEPTHS: usize = 10_000;

/// Solutions of jam or fold for a row of stacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    depths: Vec<f64>,
    solutions: Vec<PushFoldSolution>,
}

/// At which stacks of a chart a class is played at least half of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChartEntry {
    /// The deepest stack at which it is played; `None`: at none.
    pub deepest: Option<f64>,
    /// Whether it is played at every stack up to that; otherwise it is folded at some shallower one.
    pub is_monotone: bool,
}

impl Chart {
    /// Solves every stack from `from` to `to`, `step` apart, with blinds and ante of `stakes`. Stacks are worked on in
    /// parallel; the answer does not depend on the number of threads.
    ///
    /// # Errors
    /// If the depths or the stakes make no game.
    pub fn new(stakes: &PushFoldStakes, from: f64, to: f64, step: f64) -> Result<Chart, PushFoldError> {
        let error = PushFoldError::Depths { from, to, step };
        if !(from.is_finite() && to.is_finite() && step > 0.0 && from <= to) {
            return Err(error);
        }
        // Half a step more, so that rounding loses no stack.
        let count = ((to - from) / step + 0.5).floor() + 1.0;
        if count > MAX_DEPTHS as f64 {
            return Err(error);
        }
        let depths: Vec<f64> = (0..count as u32)
            .map(|id| from + f64::from(id) * step)
            .filter(|&depth| depth <= to + step * 1e-9)
            .collect();
        let solve = |&depth: &f64| {
            PushFold::new(&PushFoldStakes { stacks: [depth; 2], ..*stakes }).map(|game| game.solve())
        };
        let solutions = depths.par_iter().map(solve).collect::<Result<_, _>>()?;
        Ok(Chart { depths, solutions })
    }

    /// The stacks, the shallowest first, with their solutions.
    pub fn solutions(&self) -> impl DoubleEndedIterator<Item = (f64, &PushFoldSolution)> + ExactSizeIterator {
        self.depths.iter().copied().zip(&self.solutions)
    }

    /// At which stacks the small blind jams a class.
    #[must_use]
    pub fn jam(&self, class: HandClass) -> ChartEntry {
        self.entry(|solution| solution.jam(class))
    }

    /// At which stacks the big blind calls with a class.
    #[must_use]
    pub fn call(&self, class: HandClass) -> ChartEntry {
        self.entry(|solution| solution.call(class))
    }

    fn entry(&self, frequency: impl Fn(&PushFoldSolution) -> f64) -> ChartEntry {
        let is_played = |solution: &PushFoldSolution| frequency(solution) >= 0.5;
        match self.solutions.iter().rposition(is_played) {
            None => ChartEntry { deepest: None, is_monotone: true },
            Some(last) => ChartEntry {
                deepest: Some(self.depths[last]),
                is_monotone: self.solutions[..last].iter().all(is_played),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The deepest stacks that two other programs agree on within 0.6 big blinds.
    #[test]
    fn known_thresholds() {
        let chart = Chart::new(&PushFoldStakes::of_stack(1.0), 1.0, 20.0, 0.25).unwrap();
        let jams = [
            ("T3s", 7.7),
            ("Q2s", 12.7),
            ("J5s", 14.7),
            ("95s", 14.4),
            ("87o", 14.7),
            ("K2o", 11.6),
            ("Q7o", 10.3),
            ("76o", 10.7),
            ("43s", 9.9),
        ];
        let calls = [
            ("Q2o", 5.6),
            ("K8s", 17.6),
            ("QJo", 19.5),
            ("K9o", 17.1),
            ("T9o", 8.4),
            ("A2o", 15.6),
            ("22", 15.0),
        ];
        for (name, want) in jams {
            let found = chart.jam(name.parse().unwrap()).deepest.unwrap();
            assert!((found - want).abs() <= 0.6, "jam {name}: {found}");
        }
        for (name, want) in calls {
            let found = chart.call(name.parse().unwrap()).deepest.unwrap();
            assert!((found - want).abs() <= 0.6, "call {name}: {found}");
        }
        // 63s is jammed below 2.3 and again from 5.1 to 7.1 big blinds.
        let odd = chart.jam("63s".parse().unwrap());
        assert!(!odd.is_monotone && (odd.deepest.unwrap() - 7.1).abs() <= 0.3, "{odd:?}");
        assert!(chart.jam("AA".parse().unwrap()).is_monotone);
    }

    #[test]
    fn bad_depths() {
        let stakes = PushFoldStakes::of_stack(1.0);
        for (from, to, step) in [(5.0, 1.0, 1.0), (1.0, 5.0, 0.0), (1.0, f64::NAN, 1.0), (1.0, 1e9, 1.0)] {
            assert!(matches!(Chart::new(&stakes, from, to, step), Err(PushFoldError::Depths { .. })));
        }
        assert_eq!(Chart::new(&stakes, 1.0, 1.5, 0.25).unwrap().solutions().len(), 3);
    }
}
