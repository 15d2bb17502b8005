//! How much memory there is to use, and what to do where a solve does not fit.

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use equipoise_postflop::{Options, Precision, Solver, Spot, SpotCount, Storage};
use equipoise_spots::spot_file::precision_key;

use crate::control_group;
use crate::fewer_sizes::FewerSizes;

/// A number of bytes as people write it: `8G`, `500M`, `1.5GiB`, `1048576`.
///
/// ```
/// use equipoise_run::memory::MemorySize;
/// assert_eq!("1.5GiB".parse(), Ok(MemorySize(3 << 29)));
/// assert_eq!(MemorySize(3 << 29).to_string(), "1.5 GiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // A number of bytes is all there is.
pub struct MemorySize(pub u64);

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u32, &str); 3] = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        match UNITS.into_iter().find(|&(shift, _)| self.0 >> shift > 0) {
            Some((shift, unit)) => write!(f, "{:.1} {unit}", self.0 as f64 / (1_u64 << shift) as f64),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

impl FromStr for MemorySize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<MemorySize, &'static str> {
        const WRONG: &str = "a size is a number of bytes with K, M, G or T after it if need be, such as 8G";
        let text = text.trim().to_ascii_uppercase();
        let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(number_end);
        let shift = match unit.trim() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "T" | "TB" | "TIB" => 40,
            _ => return Err(WRONG),
        };
        let bytes = number.parse::<f64>().map_err(|_| WRONG)? * (1_u64 << shift) as f64;
        // A cast of a larger number would stay at the largest one.
        if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(MemorySize(bytes as u64)) } else { Err(WRONG) }
    }
}

/// What the machine, and every control group that this process is in, have left; `None` if they do not say.
#[must_use]
pub fn available() -> Option<u64> {
    [of_machine("MemAvailable:"), control_group::available(Path::new("/"))].into_iter().flatten().min()
}

/// What may be taken: what is asked for, if that much is there; without it, all that is there.
#[must_use]
pub fn limit(asked: Option<MemorySize>) -> Option<u64> {
    [asked.map(|size| size.0), available()].into_iter().flatten().min()
}

/// What the machine has in all; `None` if it does not say.
#[must_use]
pub fn total() -> Option<u64> {
    of_machine("MemTotal:")
}

fn of_machine(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// A solve that does not fit, and what would.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge {
    /// Bytes that it takes.
    pub needed: u64,
    /// Bytes that there are.
    pub limit: u64,
    /// What would fit, each in words: another storage, sizes to drop, or both. Where nothing would, what comes nearest.
    pub advice: Vec<String>,
}

impl TooLarge {
    /// What to say of a solve that takes `needed` bytes where there are `limit`.
    #[must_use]
    pub fn new(spot: &Spot, options: &Options, needed: u64, limit: u64) -> TooLarge {
        let count = SpotCount::of(spot, &|| false);
        let advice = count.map_or_else(|_| Vec::new(), |count| advice(&count, options, limit, &|| false));
        TooLarge { needed, limit, advice }
    }

    /// The solve, if it takes more than `limit`.
    #[must_use]
    pub fn check(spot: &Spot, options: &Options, limit: u64) -> Option<TooLarge> {
        let needed = Solver::memory(spot, options).total();
        (needed > limit).then(|| TooLarge::new(spot, options, needed, limit))
    }

    /// The same of a spot that is not built; the search for advice ends when `is_cancelled` says so.
    #[must_use]
    pub fn check_count(
        count: &SpotCount,
        options: &Options,
        limit: u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<TooLarge> {
        let needed = count.memory(options).total();
        let advice = || advice(count, options, limit, is_cancelled);
        (needed > limit).then(|| TooLarge { needed, limit, advice: advice() })
    }
}

/// What would fit, each in words; where nothing would, what comes nearest.
fn advice(count: &SpotCount, options: &Options, limit: u64, is_cancelled: &dyn Fn() -> bool) -> Vec<String> {
    let needed = count.memory(options).total();
    let mut fewer = FewerSizes::new(count, options, limit, is_cancelled);
    let mut ways: Vec<(String, u64)> = Vec::new();
    let mut together: Vec<(String, u64)> = Vec::new();
    for precision in Precision::ALL {
        let other = Options { storage: Storage::of(precision), ..options.clone() };
        let total = count.memory(&other).total();
        if total >= needed {
            continue;
        }
        let name = format!("quantization = \"{}\"", precision_key(precision));
        if let Some((dropped, total)) = fewer.that_fit(&other) {
            together.push((format!("{name} {dropped}"), total));
        }
        ways.push((name, total));
    }
    ways.extend(fewer.that_fit(options));
    // Both at once only where neither is enough.
    if ways.iter().all(|way| way.1 > limit) {
        ways.extend(together);
    }
    let fits = |way: &(String, u64)| way.1 <= limit;
    if ways.iter().any(fits) {
        let what = |(name, total): &(String, u64)| format!("{name} takes {}", MemorySize(*total));
        ways.iter().filter(|way| fits(way)).map(what).collect()
    } else {
        let what = |(name, total): (String, u64)| {
            let over = MemorySize(total - limit);
            format!("{name} takes {}, still {over} too much", MemorySize(total))
        };
        ways.into_iter().min_by_key(|way| way.1).map(what).into_iter().collect()
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [needed, over, limit] =
            [self.needed, self.needed.saturating_sub(self.limit), self.limit].map(MemorySize);
        write!(f, "solving takes about {needed}, {over} more than the {limit} that it may take")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asking for more than there is gets no more than there is.
    #[test]
    fn a_limit_is_at_most_what_there_is() {
        let Some(total) = total() else { return };
        assert!(limit(None).is_some_and(|left| left <= total));
        assert!(limit(Some(MemorySize(u64::MAX))).is_some_and(|left| left <= total));
        assert_eq!(limit(Some(MemorySize(1 << 20))), Some(1 << 20));
    }

    #[test]
    fn sizes_read_as_written() {
        for (text, bytes) in
            [("8G", 8 << 30), ("500m", 500 << 20), ("1.5 GiB", 3 << 29), ("4096", 4096), ("1T", 1 << 40)]
        {
            assert_eq!(text.parse(), Ok(MemorySize(bytes)), "{text}");
        }
        for text in ["", "G", "0", "-1G", "8X", "nan", "1e9", "99999999T", "1.2.3M"] {
            assert!(text.parse::<MemorySize>().is_err(), "{text}");
        }
    }
}
