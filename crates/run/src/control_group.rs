//! The memory limits of this process's control groups (cgroups).
//!
//! A process may be in a group of the second version (`memory.max`) or of the first (`memory.limit_in_bytes`), and any group
//! above its own may have the lower limit: under Slurm the limit is that of the job, two levels above the task's own group.
//! In a container the path in `/proc/self/cgroup` may be that of the machine, and only a part of the tree is mounted.

use std::fs;
use std::path::{Component, Path};

/// Version 1 has this number, or one near it, where nobody set a limit.
const NO_LIMIT: u64 = 1 << 60;

/// Files of a group, by version.
struct Files {
    /// Limits; the first one ends processes, others slow them down until they swap.
    limits: &'static [&'static str],
    used: &'static str,
    /// Of `memory.stat`: cache that the system takes back when memory runs out.
    cache: &'static str,
}

const FIRST: Files =
    Files { limits: &["memory.limit_in_bytes"], used: "memory.usage_in_bytes", cache: "total_inactive_file" };
const SECOND: Files =
    Files { limits: &["memory.max", "memory.high"], used: "memory.current", cache: "inactive_file" };

/// Bytes that are left in the group of this process and in all groups above it; `None` if none has a limit. `root` is `/`, but
/// for tests.
pub(crate) fn available(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).ok()?;
    let mounts: Vec<Mount<'_>> = mounts.lines().filter_map(Mount::read).collect();
    let left = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) =
            (fields.next(), fields.next().unwrap_or(""), fields.next().unwrap_or("/"));
        let is_first = controllers.split(',').any(|name| name == "memory");
        let is_second = controllers.is_empty();
        let files = if is_first { &FIRST } else { &SECOND };
        let mounted = mounts
            .iter()
            .filter(move |mount| if is_first { mount.is_first } else { is_second && !mount.is_first });
        mounted.filter_map(move |mount| left_at(root, mount, path, files)).collect::<Vec<_>>()
    });
    left.min()
}

/// A mounted tree of groups that count memory.
struct Mount<'a> {
    is_first: bool,
    /// The group that is mounted.
    group: &'a str,
    /// Where.
    at: String,
}

impl Mount<'_> {
    /// A line of `/proc/self/mountinfo`: number, parent, device, root, mount point, options, `-`, type, source, more options.
    fn read(line: &str) -> Option<Mount<'_>> {
        let (mount, system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let (group, at) = (mount.next()?, mount.next()?);
        let mut system = system.split(' ');
        let (kind, options) = (system.next()?, system.next_back().unwrap_or(""));
        let is_first = kind == "cgroup" && options.split(',').any(|option| option == "memory");
        (is_first || kind == "cgroup2").then(|| Mount { is_first, group, at: unescape(at) })
    }
}

/// Blanks and the like are written as three octal digits.
fn unescape(text: &str) -> String {
    ["\\040", "\\011", "\\012", "\\134"]
        .into_iter()
        .zip([" ", "\t", "\n", "\\"])
        .fold(text.to_owned(), |text, (written, meant)| text.replace(written, meant))
}

/// What the groups from this path up to the mounted one leave.
fn left_at(root: &Path, mount: &Mount<'_>, path: &str, files: &Files) -> Option<u64> {
    let mounted = root.join(mount.at.trim_start_matches('/'));
    // Where the path is not below what is mounted, that is the group itself, seen from a container.
    let below = Path::new(path).strip_prefix(mount.group).unwrap_or(Path::new(""));
    let is_plain = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    let below = if is_plain(below) { below } else { Path::new("") };
    let groups = below.ancestors().map(|group| mounted.join(group));
    groups.filter_map(|group| left_in(&group, files)).min()
}

fn left_in(group: &Path, files: &Files) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let limits = files.limits.iter().filter_map(|name| number(name));
    let limit = limits.filter(|&limit| limit < NO_LIMIT).min()?;
    let cache = || {
        let text = fs::read_to_string(group.join("memory.stat")).ok()?;
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(name, _)| *name == files.cache)?.1.trim().parse::<u64>().ok()
    };
    let used = number(files.used)?.saturating_sub(cache().unwrap_or(0));
    Some(limit.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const GIB: u64 = 1 << 30;

    /// A tree of files, which goes when it is dropped.
    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str, files: &[(&str, &str)]) -> Tree {
            let root = std::env::temp_dir().join(format!("equipoise-groups-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&root);
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Tree(root)
        }

        fn left(&self) -> Option<u64> {
            available(&self.0)
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const SECOND_MOUNT: &str =
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
    const JOB: &str = "sys/fs/cgroup/system.slice/slurmstepd.scope/job_7";

    /// Slurm's limit is that of the job; the task's own group has none.
    #[test]
    fn the_limit_of_a_group_above_counts() {
        let task = format!("{JOB}/step_batch/user/task_0");
        let tree = Tree::new(
            "slurm",
            &[
                ("proc/self/cgroup", "0::/system.slice/slurmstepd.scope/job_7/step_batch/user/task_0\n"),
                ("proc/self/mountinfo", SECOND_MOUNT),
                ("sys/fs/cgroup/cgroup.procs", ""),
                (&format!("{JOB}/memory.max"), "2147483648\n"),
                (&format!("{JOB}/memory.current"), "1073741824\n"),
                (&format!("{JOB}/memory.stat"), "anon 1\ninactive_file 536870912\nactive_file 5\n"),
                (&format!("{task}/memory.max"), "max\n"),
                (&format!("{task}/memory.current"), "5\n"),
            ],
        );
        assert_eq!(tree.left(), Some(GIB + GIB / 2));
    }

    /// The lowest of all counts, wherever it is, and `memory.high` like `memory.max`.
    #[test]
    fn the_least_of_nested_groups_counts() {
        let tree = Tree::new(
            "nested",
            &[
                ("proc/self/cgroup", "0::/a/b\n"),
                ("proc/self/mountinfo", SECOND_MOUNT),
                ("sys/fs/cgroup/a/memory.max", "4294967296"),
                ("sys/fs/cgroup/a/memory.high", "3221225472"),
                ("sys/fs/cgroup/a/memory.current", "1073741824"),
                ("sys/fs/cgroup/a/b/memory.max", "3221225472"),
                ("sys/fs/cgroup/a/b/memory.current", "10"),
            ],
        );
        assert_eq!(tree.left(), Some(2 * GIB));
        fs::write(tree.0.join("sys/fs/cgroup/a/b/memory.current"), "4294967296").unwrap();
        assert_eq!(tree.left(), Some(0), "a group may take more than its limit for a moment");
    }

    /// A container sees its own group as the root, with the path of the machine, or with none.
    #[test]
    fn in_a_container_the_mount_is_the_group() {
        for (cgroup, root) in [("0::/\n", "/"), ("0::/docker/77\n", "/docker/77"), ("0::/../../x\n", "/")] {
            let mounts = SECOND_MOUNT.replacen(" / ", &format!(" {root} "), 1);
            let tree = Tree::new(
                "container",
                &[
                    ("proc/self/cgroup", cgroup),
                    ("proc/self/mountinfo", &mounts),
                    ("sys/fs/cgroup/memory.max", "1073741824"),
                    ("sys/fs/cgroup/memory.current", "0"),
                ],
            );
            assert_eq!(tree.left(), Some(GIB), "{cgroup}");
        }
    }

    #[test]
    fn groups_of_the_first_version_count_too() {
        let group = "sys/fs/cgroup/memory/slurm/uid_0/job_3";
        let tree = Tree::new(
            "first",
            &[
                ("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/slurm/uid_0/job_3/step_0\n0::/x\n"),
                (
                    "proc/self/mountinfo",
                    "31 23 0:27 / /sys/fs/cgroup/memory rw shared:1 - cgroup cgroup rw,memory\n\
                     32 23 0:28 / /sys/fs/cgroup/cpu rw shared:1 - cgroup cgroup rw,cpu,cpuacct\n\
                     33 23 0:29 / /sys/fs/cgroup/unified rw shared:1 - cgroup2 cgroup2 rw\n",
                ),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "99999999999\n"),
                (&format!("{group}/memory.limit_in_bytes"), "1073741824\n"),
                (&format!("{group}/memory.usage_in_bytes"), "1000\n"),
                (&format!("{group}/memory.stat"), "cache 3\ntotal_inactive_file 400\n"),
                (&format!("{group}/step_0/memory.limit_in_bytes"), "9223372036854771712\n"),
                (&format!("{group}/step_0/memory.usage_in_bytes"), "1000\n"),
            ],
        );
        assert_eq!(tree.left(), Some(GIB - 600));
    }

    #[test]
    fn without_groups_or_limits_nothing_is_said() {
        let root = Path::new("/nowhere/at/all");
        assert_eq!(available(root), None);
        let tree = Tree::new(
            "unlimited",
            &[
                ("proc/self/cgroup", "0::/a\nnonsense\n"),
                ("proc/self/mountinfo", &format!("{SECOND_MOUNT}nonsense\n - \n")),
                ("sys/fs/cgroup/a/memory.max", "max"),
                ("sys/fs/cgroup/a/memory.current", "7"),
            ],
        );
        assert_eq!(tree.left(), None);
    }
}
