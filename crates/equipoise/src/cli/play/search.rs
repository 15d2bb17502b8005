//! How a blueprint re-solves, as it is written: `search=turn,iterations=200`, or as options of a command.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::{Args, ValueEnum};
use equipoise::blueprint::resolve::Mode;
use equipoise::cards::Street;
use equipoise::play::{ReviewOptions, Search};
use equipoise::run::memory;

/// Iterations where neither they nor seconds are given.
const ITERATIONS: u32 = 200;

/// What ends a re-solve.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Until {
    Iterations(u32),
    Seconds(f64),
}

/// How a blueprint re-solves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SearchText {
    from: Street,
    until: Until,
    mode: Mode,
}

/// From which street on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SearchFrom {
    /// The blueprint's own strategy
    None,
    /// The river
    River,
    /// Turn and river
    Turn,
    /// Flop, turn and river; flops of large trees are left to the blueprint
    Flop,
}

impl SearchFrom {
    pub(super) const fn street(self) -> Option<Street> {
        match self {
            SearchFrom::None => None,
            SearchFrom::River => Some(Street::River),
            SearchFrom::Turn => Some(Street::Turn),
            SearchFrom::Flop => Some(Street::Flop),
        }
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err(format!("'{text}' is no time: seconds above 0, at most 86400")),
    }
}

fn mode(text: &str) -> Result<Mode, String> {
    let found = Mode::ALL.into_iter().find(|mode| mode.name() == text);
    found.ok_or_else(|| format!("'{text}' is no mode: there are estimate, resolve, maxmargin and unsafe"))
}

impl SearchText {
    /// Reads `search=turn,iterations=200,mode=estimate` or `search=river,seconds=1`; `None` if nothing is re-solved.
    pub(super) fn read(options: &str) -> Result<Option<SearchText>, String> {
        let (mut from, mut until, mut chosen) = (None, None, None);
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let unknown = || {
                format!(
                    "'{option}' is no option of a player: there are search=, iterations=, seconds= and mode="
                )
            };
            let (key, value) = option.split_once('=').ok_or_else(unknown)?;
            match key {
                "search" => {
                    from = Some(SearchFrom::from_str(value, false).map_err(|_| {
                        format!("'search={value}' is none: there are none, river, turn and flop")
                    })?);
                }
                "iterations" | "seconds" if until.is_some() => {
                    return Err("give iterations= or seconds=, once".to_owned());
                }
                "iterations" => {
                    let number = value.parse::<u32>().ok().filter(|&number| number > 0);
                    until = Some(Until::Iterations(
                        number.ok_or_else(|| format!("'{option}': iterations are a number of at least 1"))?,
                    ));
                }
                "seconds" => until = Some(Until::Seconds(seconds(value)?)),
                "mode" => chosen = Some(mode(value)?),
                _ => return Err(unknown()),
            }
        }
        let street = from.unwrap_or(SearchFrom::None).street();
        if street.is_none() && (until.is_some() || chosen.is_some()) {
            return Err("iterations=, seconds= and mode= need search=river, turn or flop".to_owned());
        }
        Ok(street.map(|from| SearchText {
            from,
            until: until.unwrap_or(Until::Iterations(ITERATIONS)),
            mode: chosen.unwrap_or_default(),
        }))
    }

    /// With what this machine has, divided among hands that are played at once.
    pub(super) fn resolved(&self, at_once: usize) -> Search {
        let (time, max_iterations) = match self.until {
            Until::Iterations(iterations) => (None, iterations),
            Until::Seconds(seconds) => (Some(Duration::from_secs_f64(seconds)), u32::MAX),
        };
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Search {
            from: self.from,
            mode: self.mode,
            time,
            max_iterations,
            threads: NonZeroUsize::new((processors / at_once.max(1)).max(1)),
            memory_limit: memory::limit(None).map(|limit| limit / 2 / at_once.max(1) as u64),
        }
    }
}

impl fmt::Display for SearchText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "search={},", self.from.to_string().to_ascii_lowercase())?;
        match self.until {
            Until::Iterations(iterations) => write!(f, "iterations={iterations}")?,
            Until::Seconds(seconds) => write!(f, "seconds={seconds}")?,
        }
        if self.mode == Mode::default() { Ok(()) } else { write!(f, ",mode={}", self.mode.name()) }
    }
}

/// The same as options of a command.
#[derive(Args)]
pub(super) struct SearchArgs {
    /// The first street that is re-solved at every decision
    #[arg(long, value_enum, value_name = "STREET", default_value = "turn")]
    pub(super) search: SearchFrom,

    /// Seconds for a decision; before the streets that are re-solved it needs none
    #[arg(long, value_name = "S", default_value = "3", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) seconds: f64,

    /// Re-solve with this many iterations, whatever time they take: the same choices on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) iterations: Option<u32>,

    /// What the opponent may do where a re-solved street begins
    #[arg(long, value_name = "MODE", default_value = "estimate", value_parser = mode)]
    mode: Mode,
}

impl SearchArgs {
    pub(super) fn text(&self) -> Option<SearchText> {
        let until = self.iterations.map_or(Until::Seconds(self.seconds), Until::Iterations);
        self.search.street().map(|from| SearchText { from, until, mode: self.mode })
    }

    /// How decisions are reviewed.
    pub(super) fn review(&self, threads: Option<NonZeroUsize>) -> ReviewOptions {
        review_options(self.search, self.iterations, self.seconds, threads)
    }
}

/// How decisions are reviewed.
pub(super) fn review_options(
    search: SearchFrom,
    iterations: Option<u32>,
    seconds: f64,
    threads: Option<NonZeroUsize>,
) -> ReviewOptions {
    ReviewOptions {
        from: search.street(),
        max_iterations: iterations.unwrap_or(u32::MAX),
        time: iterations.is_none().then(|| Duration::from_secs_f64(seconds)),
        threads,
        memory_limit: memory::limit(None).map(|limit| limit / 2),
        ..ReviewOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_written() {
        for (text, wanted) in [
            ("search=turn", "search=turn,iterations=200"),
            ("search=river,seconds=1.5", "search=river,seconds=1.5"),
            ("mode=maxmargin,iterations=30,search=flop", "search=flop,iterations=30,mode=maxmargin"),
        ] {
            let read = SearchText::read(text).unwrap().unwrap();
            assert_eq!(read.to_string(), wanted);
            assert_eq!(SearchText::read(wanted).unwrap(), Some(read));
        }
        assert_eq!(SearchText::read("search=none"), Ok(None));
        assert_eq!(SearchText::read(""), Ok(None));
        for (text, words) in [
            ("search=preflop", "there are none, river, turn and flop"),
            ("speed=3", "is no option of a player"),
            ("seconds=1", "need search="),
            ("search=turn,seconds=0", "is no time"),
            ("search=turn,seconds=nan", "is no time"),
            ("search=turn,iterations=0", "at least 1"),
            ("search=turn,iterations=5,seconds=1", "once"),
            ("search=turn,mode=bold", "is no mode"),
        ] {
            let error = SearchText::read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
