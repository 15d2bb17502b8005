//! Takes the page in, if it has been built: `make web` writes it to `web/dist`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let web = root.join("../../web");
    let mut files = Vec::new();
    if web.is_dir() {
        let dist = web.join("dist");
        // A folder that is not there cannot be watched: without it, everything would be compiled again each time.
        fs::create_dir_all(&dist)?;
        println!("cargo::rerun-if-changed={}", dist.display());
        collect(&dist, &dist, &mut files)?;
        files.sort();
    }
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
        let path = path.canonicalize()?.display().to_string();
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
