//! The gadget decision at the root of a subgame: the opponent's combos follow or terminate.
//!
//! It is updated as any decision, with the coefficients of the algorithm, in 64 bits. Values are chips times the
//! hero's weight, never divided by the pot or by a number of combos.

use equipoise_cfr::AsymmetrySums;

use crate::kernel::{Prediction, Update};
use crate::solve::pass::{OpponentRule, OwnRule, Pass};

/// The kind of gadget decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Each combo follows or terminates, which pays its alternative.
    Follow,
    /// The opponent chooses one combo and pays its alternative.
    Combo,
}

/// The tables of one decision.
#[derive(Clone, Debug, Default)]
struct Numbers {
    regret: Vec<f64>,
    last: Vec<f64>,
    average: Vec<f64>,
    sums: AsymmetrySums,
}

/// The gadget decisions of all combos, in the order of the root's list.
#[derive(Clone, Debug)]
pub(crate) struct Gadget {
    choice: Choice,
    alternatives: Vec<f64>,
    /// By combo; a single one for [`Choice::Combo`].
    numbers: Vec<Numbers>,
}

impl Gadget {
    pub(crate) fn new(choice: Choice, alternatives: Vec<f64>) -> Gadget {
        let (count, actions) = match choice {
            Choice::Follow => (alternatives.len(), 2),
            Choice::Combo => (1, alternatives.len()),
        };
        let zeros = || vec![0.0; actions];
        let new =
            || Numbers { regret: zeros(), last: zeros(), average: zeros(), sums: AsymmetrySums::default() };
        Gadget { choice, alternatives, numbers: (0..count).map(|_| new()).collect() }
    }

    pub(crate) fn choice(&self) -> Choice {
        self.choice
    }

    pub(crate) fn alternatives(&self) -> &[f64] {
        &self.alternatives
    }

    /// The weights with which combos enter, from the strategies of the decisions. Chances of [`Choice::Combo`] are multiplied
    /// by the number of combos, so that weights are near 1.
    fn weights(&self, of_choice: impl Fn(&Numbers) -> Vec<f64>) -> Vec<f64> {
        match self.choice {
            Choice::Combo => {
                let count = self.alternatives.len() as f64;
                of_choice(&self.numbers[0]).into_iter().map(|chance| chance * count).collect()
            }
            Choice::Follow => {
                let of_combo = |(numbers, &alternative): (&Numbers, &f64)| match alternative {
                    f64::NEG_INFINITY => 1.0,
                    f64::INFINITY => 0.0,
                    _ => of_choice(numbers)[0],
                };
                self.numbers.iter().zip(&self.alternatives).map(of_combo).collect()
            }
        }
    }

    /// The weights in the average strategy.
    pub(crate) fn average(&self) -> Vec<f64> {
        self.weights(|numbers| normalised(numbers.average.clone()))
    }

    /// The weights for the hero's update, from the current strategy, which is accumulated in the average.
    pub(crate) fn play(&mut self, pass: &Pass) -> Option<Vec<f64>> {
        let OpponentRule::Current { prediction, factors, max_asymmetry, .. } = pass.opponent else {
            return None;
        };
        for numbers in &mut self.numbers {
            let current = numbers.current(prediction, max_asymmetry);
            for (average, current) in numbers.average.iter_mut().zip(current) {
                *average = f64::from(factors[0]) * *average + f64::from(factors[1]) * current;
            }
        }
        Some(self.weights(|numbers| numbers.current(prediction, max_asymmetry)))
    }

    /// Updates regrets with the value of each combo in the subgame.
    pub(crate) fn update(&mut self, pass: &Pass, values: &[f64]) {
        let OwnRule::Update { prediction, update, max_asymmetry } = pass.own else { return };
        match self.choice {
            Choice::Combo => {
                let margins: Vec<f64> =
                    values.iter().zip(&self.alternatives).map(|(value, other)| value - other).collect();
                self.numbers[0].update(&margins, prediction, update, max_asymmetry);
            }
            Choice::Follow => {
                for ((numbers, &value), &other) in self.numbers.iter_mut().zip(values).zip(&self.alternatives)
                {
                    if other.is_finite() {
                        numbers.update(&[value, other], prediction, update, max_asymmetry);
                    }
                }
            }
        }
    }
}

impl Numbers {
    fn current(&self, prediction: Prediction, max_asymmetry: Option<f64>) -> Vec<f64> {
        let asymmetry = max_asymmetry.map_or(0.0, |max| self.sums.asymmetry(max));
        let (regret, instant) = (f64::from(prediction.regret), f64::from(prediction.instant));
        let predicted = |(&own, &last): (&f64, &f64)| {
            let predicted: f64 = regret * own + instant / (1.0 + asymmetry) * last;
            predicted.max(0.0)
        };
        normalised(self.regret.iter().zip(&self.last).map(predicted).collect())
    }

    fn update(&mut self, values: &[f64], prediction: Prediction, update: Update, max_asymmetry: Option<f64>) {
        let current = self.current(prediction, max_asymmetry);
        let mean: f64 = current.iter().zip(values).map(|(chance, value)| chance * value).sum();
        for ((regret, last), value) in self.regret.iter_mut().zip(&mut self.last).zip(values) {
            let instant = value - mean;
            let factor = f64::from(if *regret > 0.0 { update.positive } else { update.negative });
            let next = (factor * *regret + f64::from(update.instant) * instant).max(f64::from(update.floor));
            self.sums.instant += (instant - *last).powi(2);
            self.sums.regret += (next - *regret).powi(2);
            (*regret, *last) = (next, instant);
        }
    }
}

/// The numbers divided by their sum; uniform if that is 0.
fn normalised(mut numbers: Vec<f64>) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    let count = numbers.len() as f64;
    numbers.iter_mut().for_each(|number| *number = if sum > 0.0 { *number / sum } else { 1.0 / count });
    numbers
}
