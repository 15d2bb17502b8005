//! The workspace as documents describe it and as packages need it. The drawing of the crates is made from the manifests:
//! `EQUIPOISE_BLESS=1 cargo test --test workspace` writes it into README.md and ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const BEGIN: &str = "<!-- crates: made from the manifests by crates/equipoise/tests/workspace.rs -->\n";
const END: &str = "<!-- crates end -->\n";

/// The documents that hold the drawing.
const DRAWN_IN: [&str; 2] = ["README.md", "ARCHITECTURE.md"];

/// A crate of the workspace.
struct Member {
    package: Value,
    /// The folder below `crates`.
    name: String,
    /// The folders of the crates that it depends on; those of tests and benchmarks only if it is not published.
    depends_on: BTreeSet<String>,
}

impl Member {
    fn is_published(&self) -> bool {
        // `null` is any registry, an empty list is none.
        self.package["publish"].is_null()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The folder in which a crate is, by its name.
fn folder(path: &Value) -> String {
    Path::new(path.as_str().unwrap()).file_name().unwrap().to_str().unwrap().to_owned()
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All crates, by name.
fn members() -> BTreeMap<String, Member> {
    let metadata = metadata();
    let member = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let name = folder(&manifest.parent().unwrap().to_str().unwrap().into());
        let is_seen = |dependency: &&Value| dependency["kind"].is_null() || !package["publish"].is_null();
        let dependencies = package["dependencies"].as_array().unwrap().iter().filter(is_seen);
        let depends_on =
            dependencies.map(|dependency| &dependency["path"]).filter(|path| path.is_string()).map(folder);
        (name.clone(), Member { package: package.clone(), name, depends_on: depends_on.collect() })
    };
    metadata["packages"].as_array().unwrap().iter().map(member).collect()
}

/// Everything below a crate, however far.
fn below<'a>(members: &'a BTreeMap<String, Member>, name: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut rest: Vec<&str> = members[name].depends_on.iter().map(String::as_str).collect();
    while let Some(name) = rest.pop() {
        if found.insert(name) {
            rest.extend(members[name].depends_on.iter().map(String::as_str));
        }
    }
    found
}

/// How many crates stand on top of each other below this one.
fn floor(members: &BTreeMap<String, Member>, name: &str) -> usize {
    members[name].depends_on.iter().map(|below| floor(members, below) + 1).max().unwrap_or(0)
}

/// The crates from bottom to top, each with those that it stands on.
fn drawing(members: &BTreeMap<String, Member>) -> String {
    let mut order: Vec<(bool, usize, &Member)> = members
        .values()
        .map(|member| (!member.is_published(), floor(members, &member.name), member))
        .collect();
    order.sort_by_key(|&(is_last, floor, member)| (is_last, floor, &member.name));
    let mut text = "```\n".to_owned();
    for (is_last, floor, member) in order {
        let reached: BTreeSet<&str> =
            member.depends_on.iter().flat_map(|below_it| below(members, below_it)).collect();
        let direct: Vec<&str> =
            member.depends_on.iter().map(String::as_str).filter(|name| !reached.contains(name)).collect();
        let floor = if is_last { "-".to_owned() } else { floor.to_string() };
        let line = match direct.is_empty() {
            true => format!("{floor}  {}", member.name),
            false => format!("{floor}  {:<11} ──► {}", member.name, direct.join(", ")),
        };
        let _ = writeln!(text, "{line}");
    }
    text + "```\n"
}

#[test]
fn the_drawing_is_what_the_manifests_say() {
    let drawing = drawing(&members());
    for name in DRAWN_IN {
        let path = root().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("{name} has no {BEGIN}"));
        let (drawn, after) = rest.split_once(END).unwrap_or_else(|| panic!("{name} has no {END}"));
        if std::env::var_os("EQUIPOISE_BLESS").is_some() {
            fs::write(&path, format!("{before}{BEGIN}{drawing}{END}{after}")).unwrap();
        } else {
            assert_eq!(drawn, drawing, "{name} is stale: EQUIPOISE_BLESS=1 cargo test --test workspace");
        }
    }
}

/// Each crate is described, and no crate that is not there.
#[test]
fn documents_name_the_crates_that_exist() {
    let members = members();
    for name in DRAWN_IN {
        let text = fs::read_to_string(root().join(name)).unwrap();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let named: BTreeSet<&str> = text
            .split("crates/")
            .skip(1)
            .map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or(""))
            .collect();
        let there: BTreeSet<&str> = members.keys().map(String::as_str).collect();
        assert_eq!(named, there, "{name} describes a crate as `crates/NAME`");
    }
}

/// `cargo run` without a package, the README's first command, takes the one binary of the default members.
#[test]
fn cargo_run_finds_one_binary() {
    let metadata = metadata();
    let defaults = metadata["workspace_default_members"].as_array().unwrap();
    let packages =
        metadata["packages"].as_array().unwrap().iter().filter(|package| defaults.contains(&package["id"]));
    let binaries: Vec<&str> = packages
        .flat_map(|package| package["targets"].as_array().unwrap())
        .filter(|target| target["kind"].as_array().unwrap().contains(&"bin".into()))
        .map(|target| target["name"].as_str().unwrap())
        .collect();
    assert_eq!(binaries, ["equipoise"]);
}

/// What a registry shows, and what the licences ask for.
#[test]
fn published_crates_are_complete() {
    let root = root();
    let members = members();
    for member in members.values().filter(|member| member.is_published()) {
        let (name, package) = (&member.name, &member.package);
        for key in ["description", "license", "repository", "readme", "rust_version"] {
            assert!(package[key].is_string(), "{name}: `{key}` is missing in its Cargo.toml");
        }
        for key in ["categories", "keywords"] {
            let count = package[key].as_array().unwrap().len();
            assert!((1..=5).contains(&count), "{name}: {count} {key}, a registry takes 1 to 5");
        }
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let link = root.join("crates").join(name).join(licence);
            let is_same = fs::read(&link).is_ok_and(|text| text == fs::read(root.join(licence)).unwrap());
            // Where links cannot be made, version control writes the path into a file.
            let is_path = fs::read_to_string(&link).is_ok_and(|text| text == format!("../../{licence}"));
            assert!(is_same || is_path, "ln -s ../../{licence} {}", link.display());
        }
        for below in &member.depends_on {
            assert!(members[below].is_published(), "{name} needs {below}, which is not published");
        }
    }
}

/// Paths of files and folders in a line of ARCHITECTURE.md: what stands in backquotes and has a slash or the ending of code.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| {
        let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c));
        is_plain && (text.contains('/') || text.ends_with(".rs") || text.ends_with(".ts"))
    };
    quoted.filter(is_path)
}

/// Under the heading of a crate, paths may begin in its folder or its sources.
#[test]
fn the_architecture_names_only_what_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (mut section, mut num_paths) = ("", 0);
    for line in text.lines() {
        if line.starts_with('#') {
            section = line.split('`').nth(1).unwrap_or("").trim_end_matches('/');
        }
        for path in paths(line) {
            let folders = [String::new(), "crates".into(), section.into(), format!("{section}/src")];
            let exists = folders.iter().any(|folder| root().join(folder).join(path).exists());
            assert!(exists, "ARCHITECTURE.md names {path}, which is not there: {line}");
            num_paths += 1;
        }
    }
    assert!(num_paths > 80, "{num_paths}");
}
