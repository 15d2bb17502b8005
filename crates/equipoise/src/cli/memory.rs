//! How much memory there is to use.

use std::fs;
use std::str::FromStr;

/// A number of bytes as people write it: `8G`, `500M`, `1.5GiB`, `1048576`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemorySize(pub(crate) u64);

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

/// What the machine, or the control group that this process runs in, has left; `None` if it does not say.
pub(crate) fn available() -> Option<u64> {
    [machine_available(), group_available()].into_iter().flatten().min()
}

fn machine_available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The second version of control groups, then the first.
fn group_available() -> Option<u64> {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let files = [
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ];
    let left = |(limit, used): (&str, &str)| Some(number(limit)?.saturating_sub(number(used)?));
    files.into_iter().find_map(left)
}

#[cfg(test)]
mod tests {
    use super::*;

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
