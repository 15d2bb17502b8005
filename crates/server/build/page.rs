//! Where the page is.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder of the built page, if there is one: `page` in a package, `web/dist` in the repository, where `page` is a
/// link to it. Only the link's target is created: a folder that is not there cannot be watched, and without it
/// everything would be compiled again each time.
pub(crate) fn folder(package: &Path) -> io::Result<Option<PathBuf>> {
    let (page, web) = (package.join("page"), package.join("../../web"));
    if page.is_dir() {
        return page.canonicalize().map(Some);
    }
    if !web.is_dir() {
        return Ok(None);
    }
    let dist = web.join("dist");
    fs::create_dir_all(&dist)?;
    dist.canonicalize().map(Some)
}

/// All files below a folder, by their names from there, in order of names.
pub(crate) fn files(root: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(name) = path.strip_prefix(root) {
                files.push((name.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    files.sort();
    Ok(files)
}
