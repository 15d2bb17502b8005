//! The compiled commit, which results of a batch name.
//!
//! It asks, in this order, the variable `EQUIPOISE_COMMIT` (for builds from archives), what `cargo package` left in the
//! package, and the files of `.git` (no program is called). Builds without optimisation have no commit: they are for
//! development, where what is compiled is seldom what is committed and every commit would compile this crate again.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EQUIPOISE_COMMIT");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let named = env::var("EQUIPOISE_COMMIT").ok();
    let is_optimised = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let found = named
        .or_else(|| packaged(&root))
        .or_else(|| is_optimised.then(|| checked_out(&root.join("../../.git"))).flatten())
        .filter(|commit| is_commit(commit));
    println!("cargo::rustc-env=EQUIPOISE_COMPILED_COMMIT={}", found.unwrap_or_default());
}

fn is_commit(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The commit that `cargo package` wrote beside the manifest.
fn packaged(root: &Path) -> Option<String> {
    let text = read(&root.join(".cargo_vcs_info.json"))?;
    let after = text.split_once("\"sha1\"")?.1.split_once('"')?.1;
    after.split_once('"').map(|(commit, _)| commit.to_owned())
}

/// The commit that is checked out: what HEAD says, or the branch that it names.
fn checked_out(git: &Path) -> Option<String> {
    // In a worktree it is a file that names the folder.
    let folder = match fs::read_to_string(git) {
        Ok(text) => git.parent()?.join(text.strip_prefix("gitdir:")?.trim()),
        Err(_) => git.to_owned(),
    };
    // Branches are kept for all worktrees together.
    let common = fs::read_to_string(folder.join("commondir"))
        .map_or_else(|_| folder.clone(), |common| folder.join(common.trim()));
    let head = read(&folder.join("HEAD"))?;
    let Some(branch) = head.trim().strip_prefix("ref:").map(str::trim) else {
        return Some(head.trim().to_owned());
    };
    let loose = read(&common.join(branch)).map(|commit| commit.trim().to_owned());
    loose.or_else(|| {
        let packed = read(&common.join("packed-refs"))?;
        let mut named = packed.lines().filter_map(|line| line.split_once(' '));
        named.find(|(_, name)| *name == branch).map(|(commit, _)| commit.to_owned())
    })
}

/// The text of a file, if it is there; the build follows it.
fn read(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    Some(text)
}
