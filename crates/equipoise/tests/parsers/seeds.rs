//! Every fuzz target on its seeds and on mutations of them, the same ones each time. What fails here is written out, so
//! that it can be made a seed; `EQUIPOISE_FUZZ_RUNS=100` tries a hundred times as many, `EQUIPOISE_FUZZ_SEED=2` others.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use crate::mutate::{Mutator, Rng, dictionary_words};
use crate::properties::TARGETS;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = folder().join("seeds").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed")).collect()
}

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: a whole number")))
}

/// Tries the seeds, then mutations of them.
fn run(target: &str, num_runs: u64) {
    let (_, property) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    let dictionary = std::fs::read_to_string(folder().join("dictionary.txt")).expect("the dictionary");
    let mutator = Mutator::new(seeds(target), dictionary_words(&dictionary));
    let mut rng = Rng(setting("EQUIPOISE_FUZZ_SEED", 1));
    let num_runs = num_runs * setting("EQUIPOISE_FUZZ_RUNS", 1);
    let changed = (0..num_runs).map(|_| mutator.input(&mut rng));
    for (number, input) in mutator.seeds().iter().cloned().chain(changed).enumerate() {
        let tried = catch_unwind(AssertUnwindSafe(|| property(&input)));
        if let Err(panic) = tried {
            eprintln!("{target}, input {number}: \"{}\"", input.escape_ascii());
            resume_unwind(panic);
        }
    }
}

/// Mutations of each target's seeds: all of them take about a minute of one core.
macro_rules! targets {
    ($($name:ident: $runs:literal,)*) => {
        $(
            #[test]
            fn $name() {
                run(stringify!($name), $runs);
            }
        )*

        /// Every property has its test here, its program for the fuzzer, and seeds.
        #[test]
        fn no_target_is_left_out() {
            let here = [$(stringify!($name)),*];
            assert_eq!(TARGETS.map(|(name, _)| name), here);
            let manifest = std::fs::read_to_string(folder().join("Cargo.toml")).expect("the manifest");
            for name in here {
                assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
                assert!(folder().join(format!("fuzz_targets/{name}.rs")).is_file(), "{name}");
                let seeds = seeds(name);
                assert!(seeds.len() >= 3, "{name}");
                assert!(seeds.iter().map(Vec::len).sum::<usize>() < 1 << 14, "seeds of {name} are to stay small");
            }
        }
    };
}

targets! {
    acpc: 50_000,
    algorithm: 200_000,
    bet_sizes: 1_000_000,
    betting_file: 50_000,
    blueprint: 20_000,
    board: 1_000_000,
    bot_api: 20_000,
    buckets: 5_000,
    cards: 1_000_000,
    game_file: 50_000,
    hand_category: 50_000,
    history: 50_000,
    import: 30_000,
    line: 500_000,
    lock: 100_000,
    node_path: 1_000_000,
    plan: 30_000,
    range: 60_000,
    seat: 1_000_000,
    solution: 4_000,
    spot_bytes: 20_000,
    spot_file: 200_000,
    three_way: 6,
    upi: 4_000,
    words: 1_000_000,
}
