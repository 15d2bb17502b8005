//! The most memory that the process has had at once.

use std::fs;

/// Forgets the peak so far; false where the system cannot do that.
pub(super) fn reset() -> bool {
    // Linux: see proc_pid_clear_refs(5).
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The peak since the last reset, in bytes; `None` where the system does not say.
pub(super) fn read() -> Option<u64> {
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
        let before = read().unwrap();
        let used = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(read().unwrap() >= before.max(used.len() as u64));
    }
}
