//! The files in `examples/` are solved as they stand, and there is one for every algorithm.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use equipoise::cfr::Algorithm;

use crate::common::json;

#[test]
fn every_algorithm_has_an_example_that_converges() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let document = json(&["solve", path.to_str().unwrap()]);
        assert_eq!(document["converged"], true, "{}: {document}", path.display());
        let algorithm: Algorithm = document["algorithm"].as_str().unwrap().parse().unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap().replace("-plus", "+");
        assert_eq!(stem, algorithm.name(), "{}", path.display());
        seen.insert(algorithm.name());
    }
    let all: BTreeSet<&str> = Algorithm::NAMES.iter().copied().collect();
    assert_eq!(seen, all);
}
