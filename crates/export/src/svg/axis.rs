//! Axes: what they span, where their ticks stand, and how these are labelled.

/// How values are spread over an axis.
#[derive(Clone, Debug, PartialEq)]
enum Scale {
    /// Evenly, with a tick at each multiple of the step.
    Linear { low: f64, high: f64, step: f64, unit: &'static str },
    /// By powers of ten.
    Log { low: i32, high: i32 },
}

/// An axis of a [`Chart`](super::Chart): a label and a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    label: String,
    scale: Scale,
}

/// A tick: where it stands between the ends of the axis, 0 to 1, and its label as SVG text.
pub(super) struct Tick {
    pub(super) share: f64,
    pub(super) label: String,
}

/// Ticks that an axis has at most, about.
const MAX_TICKS: f64 = 7.0;

impl Axis {
    /// An axis from `low` to at least `high`. The unit stands behind the number of each tick, as in `20 %`.
    #[must_use]
    pub fn linear(label: impl Into<String>, low: f64, high: f64, unit: &'static str) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / (MAX_TICKS - 1.0));
        Axis { label: label.into(), scale: Scale::Linear { low, high, step, unit } }
    }

    /// The same axis up to the next tick, so that nothing touches its end.
    #[must_use]
    pub(crate) fn up_to_a_tick(mut self) -> Axis {
        if let Scale::Linear { low, high, step, .. } = &mut self.scale {
            *high = *low + ((*high - *low) / *step * (1.0 - 1e-9)).ceil() * *step;
        }
        self
    }

    /// A logarithmic axis over the least powers of ten that hold these values, of which only positive ones are drawn.
    #[must_use]
    pub fn log(label: impl Into<String>, values: impl Iterator<Item = f64>) -> Axis {
        let logs: Vec<f64> =
            values.filter(|value| value.is_finite() && *value > 0.0).map(f64::log10).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = if low > high {
            Scale::Log { low: 0, high: 1 }
        } else {
            let low = low.floor() as i32;
            Scale::Log { low, high: (high.ceil() as i32).max(low + 1) }
        };
        Axis { label: label.into(), scale }
    }

    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Where a value lies between the ends, 0 to 1; `None` if the axis cannot show it.
    pub(super) fn share(&self, value: f64) -> Option<f64> {
        let share = match self.scale {
            Scale::Linear { low, high, .. } => (value - low) / (high - low),
            Scale::Log { low, high } => (value.log10() - f64::from(low)) / f64::from(high - low),
        };
        share.is_finite().then_some(share)
    }

    pub(super) fn ticks(&self) -> Vec<Tick> {
        match self.scale {
            Scale::Linear { low, high, step, unit } => {
                let first = (low / step).ceil();
                let num_ticks = ((high / step) * (1.0 + 1e-9) - first).floor().max(0.0) as usize + 1;
                let decimals = (-step.log10().floor()).max(0.0) as usize;
                let tick = |i: usize| {
                    let value = (first + i as f64) * step;
                    let number = super::grouped(&format!("{value:.decimals$}"));
                    let label = if unit.is_empty() { number } else { format!("{number} {unit}") };
                    Tick { share: (value - low) / (high - low), label }
                };
                (0..num_ticks).map(tick).collect()
            }
            Scale::Log { low, high } => {
                // All powers, or every second or third one of many.
                let step = ((high - low) / 8 + 1) as usize;
                let tick = |power: i32| Tick {
                    share: f64::from(power - low) / f64::from(high - low),
                    label: format!("10<tspan dy=\"-5\" font-size=\"9\">{power}</tspan>"),
                };
                (low..=high).step_by(step).map(tick).collect()
            }
        }
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below this.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    power * factors.into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9)).unwrap_or(10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(
            labels(&Axis::linear("", 0.0, 100.0, "%")),
            ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
        );
        assert_eq!(
            labels(&Axis::linear("", 0.0, 0.31, "%").up_to_a_tick()),
            ["0.0 %", "0.1 %", "0.2 %", "0.3 %", "0.4 %"]
        );
        assert_eq!(
            labels(&Axis::linear("", 0.0, 5000.0, "")),
            ["0", "1,000", "2,000", "3,000", "4,000", "5,000"]
        );
        for high in [1e-7, 0.003, 0.999, 1.0, 1.001, 17.0, 65_535.0] {
            let axis = Axis::linear("", 0.0, high, "").up_to_a_tick();
            let ticks = axis.ticks();
            assert!((3..=8).contains(&ticks.len()), "{high}: {}", ticks.len());
            let last = ticks.last().map(|tick| tick.share).unwrap();
            assert!((last - 1.0).abs() < 1e-9, "{high}: {last}");
            assert!(axis.share(high).unwrap() <= 1.0 + 1e-9, "{high}");
        }
    }

    #[test]
    fn powers_of_ten_hold_the_values() {
        let axis = Axis::log("", [0.02, 300.0, 0.0, f64::NAN].into_iter());
        assert_eq!(axis.ticks().len(), 6);
        assert!((axis.share(1.0).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(axis.share(0.0), None);
        // Nothing to show is an axis all the same.
        assert_eq!(Axis::log("", [].into_iter()).ticks().len(), 2);
        assert_eq!(Axis::linear("", 0.0, 0.0, "").share(0.5), Some(0.5));
    }
}
