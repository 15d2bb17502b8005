//! Takes the page in, if it has been built: `make web` writes it to `page/dist`, and packages carry it there.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let dist = root.join("page/dist");
    let mut files = Vec::new();
    if dist.is_dir() {
        collect(&dist, &dist, &mut files)?;
        files.sort();
    }
    // The folder around it, which is always there: watching one that is not there would compile everything each time.
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=build.rs");
    let mut text = "static ASSETS: &[Asset] = &[\n".to_owned();
    for (number, (name, path)) in files.iter().enumerate() {
        let bytes = fs::read(path)?;
        let packed = gzip(&bytes)?;
        let packed_path = out.join(format!("{number}.gz"));
        let gzip = if packed.len() < bytes.len() {
            fs::write(&packed_path, &packed)?;
            format!("Some(include_bytes!({:?}))", packed_path.display().to_string())
        } else {
            "None".to_owned()
        };
        let path = path.display().to_string();
        let _ =
            writeln!(text, "    Asset {{ path: {name:?}, bytes: include_bytes!({path:?}), gzip: {gzip} }},");
    }
    text.push_str("];\n");
    fs::write(out.join("assets.rs"), text)
}

/// All files below a folder, by their names from the page's root.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().replace('\\', "/"), path));
        }
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
