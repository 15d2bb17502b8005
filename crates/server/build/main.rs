//! Takes the page in, if it has been built: `make web` writes it to `web/dist`, and packages carry it in `page`.

mod page;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo::rerun-if-changed=build");
    let files = match page::folder(&package)? {
        Some(folder) => {
            println!("cargo::rerun-if-changed={}", folder.display());
            page::files(&folder)?
        }
        None => Vec::new(),
    };
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

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
