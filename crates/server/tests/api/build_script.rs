//! Where the build script looks for the page.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../build/page.rs"]
mod page;

/// An empty package two folders below a root of its own, as in the repository.
fn package(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build_script").join(name);
    let _ = fs::remove_dir_all(&root);
    let package = root.join("crates/server");
    fs::create_dir_all(&package).unwrap();
    package
}

/// The names of the page's files, if there is a folder for it.
fn names(package: &Path) -> Option<Vec<String>> {
    let folder = page::folder(package).unwrap()?;
    Some(page::files(&folder).unwrap().into_iter().map(|(name, _)| name).collect())
}

#[test]
fn a_package_brings_its_page() {
    let package = package("package");
    fs::create_dir_all(package.join("page/assets")).unwrap();
    fs::write(package.join("page/index.html"), "page").unwrap();
    fs::write(package.join("page/assets/index.js"), "").unwrap();
    // Somebody else's folder, as it may stand above vendored packages.
    fs::create_dir_all(package.join("../../web/dist")).unwrap();
    fs::write(package.join("../../web/dist/other.html"), "").unwrap();
    assert_eq!(names(&package).unwrap(), ["assets/index.js", "index.html"]);
}

#[test]
fn in_the_repository_it_is_what_was_built() {
    let package = package("repository");
    fs::create_dir_all(package.join("../../web")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../web/dist", package.join("page")).unwrap();
    assert!(names(&package).unwrap().is_empty(), "the folder is made, so that it can be watched");
    assert!(package.join("../../web/dist").is_dir());
    fs::write(package.join("../../web/dist/index.html"), "").unwrap();
    assert_eq!(names(&package).unwrap(), ["index.html"]);
}

#[test]
fn without_either_there_is_no_page() {
    let package = package("neither");
    assert_eq!(names(&package), None);
    assert!(!package.join("../../web").exists());
}
