//! Timing several programs for the same job in turn, so that noise hits all of them alike.

use std::time::Instant;

/// One contestant: its name and a run that returns how many units of work it did.
pub(crate) struct Contestant<'a> {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn FnMut() -> f64 + 'a>,
}

impl<'a> Contestant<'a> {
    pub(crate) fn new(name: &'static str, run: impl FnMut() -> f64 + 'a) -> Contestant<'a> {
        Contestant { name, run: Box::new(run) }
    }
}

/// Median seconds for a unit of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    pub(crate) name: &'static str,
    pub(crate) seconds: f64,
}

/// Rounds in which every contestant runs once.
pub(crate) const ROUNDS: usize = 7;

/// Times all contestants in turn, `ROUNDS` times after a run to warm up.
pub(crate) fn race(contestants: &mut [Contestant<'_>], rounds: usize) -> Vec<Timing> {
    contestants.iter_mut().for_each(|contestant| _ = (contestant.run)());
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..rounds {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let start = Instant::now();
            let work = (contestant.run)();
            times.push(start.elapsed().as_secs_f64() / work);
        }
    }
    contestants
        .iter()
        .zip(times)
        .map(|(contestant, mut times)| {
            times.sort_by(f64::total_cmp);
            Timing { name: contestant.name, seconds: times[times.len() / 2] }
        })
        .collect()
}

/// A line of the table: our time against the fastest peer's.
pub(crate) struct Line {
    pub(crate) job: String,
    pub(crate) unit: &'static str,
    pub(crate) timings: Vec<Timing>,
    /// How many times faster we must be.
    pub(crate) must: Option<f64>,
    /// How many times faster we want to be.
    pub(crate) goal: Option<f64>,
}

impl Line {
    /// How many times faster we are than the fastest peer; the first contestant is ours.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let peers = self.timings[1..].iter().map(|timing| timing.seconds);
        let fastest = peers.min_by(f64::total_cmp)?;
        Some(fastest / self.timings[0].seconds)
    }

    /// Whether the ratio is at least what it must be.
    pub(crate) fn holds(&self) -> bool {
        self.must.zip(self.ratio()).is_none_or(|(must, ratio)| ratio >= must)
    }

    /// One row of a Markdown table.
    pub(crate) fn row(&self) -> String {
        let times: Vec<String> = self.timings[1..]
            .iter()
            .map(|timing| format!("{} {}", timing.name, human(timing.seconds)))
            .collect();
        let times = if times.is_empty() { "–".to_owned() } else { times.join(", ") };
        let ratio = self.ratio().map_or("–".to_owned(), |ratio| format!("{ratio:.2}×"));
        let bound = |bound: Option<f64>| bound.map_or("–".to_owned(), |bound| format!("{bound}×"));
        format!(
            "| {} | {} per {} | {times} | {ratio} | {} | {} |",
            self.job,
            human(self.timings[0].seconds),
            self.unit,
            bound(self.must),
            bound(self.goal)
        )
    }
}

/// Seconds with a unit that a person can read.
pub(crate) fn human(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{value:.3} {unit}")
}
