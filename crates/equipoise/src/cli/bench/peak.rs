//! The most memory that a process has at once when it solves a spot.
//!
//! What a process has freed, its allocator may keep, so that one solve raises the peak of the next. Therefore the peak
//! is that of a process of its own, which runs this program again with a hidden option.

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use super::Machine;
use super::measure::set_up;
use crate::cli::failure::Failure;
use crate::cli::print::Printer;
use crate::cli::shipped::ShippedSpot;

/// The peak of a process that solves a spot, in bytes; `None` where the system does not say.
pub(super) fn of_spot(spot: ShippedSpot, machine: &Machine) -> Option<u64> {
    let threads = machine.num_threads.to_string();
    let output = Command::new(env::current_exe().ok()?)
        .args(["bench", "--peak-of", &spot.to_string(), "--threads", &threads])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// What that process does: whatever touches memory in a solve, once, and then its peak as a bare number, or nothing.
pub(super) fn print(spot: ShippedSpot, machine: &Machine, printer: &Printer) -> Result<(), Failure> {
    let (mut solver, _) = set_up(|| Ok(machine.problem(spot)?))?;
    solver.iterate(2);
    solver.check();
    solver.solution_mut().evs();
    let peak = own().map_or_else(String::new, |bytes| bytes.to_string());
    printer.raw(peak.as_bytes())
}

/// The peak of this process so far.
fn own() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_peak_covers_what_is_in_use() {
        let used = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(own().unwrap() >= used.len() as u64);
    }
}
