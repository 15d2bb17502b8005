//! Writes the strength tables that `src/strength/generate.rs` describes, in the byte order of the target.

use std::path::Path;
use std::{env, fs, io};

#[path = "src/strength/generate.rs"]
#[allow(dead_code)]
mod generate;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/strength/generate.rs");
    let var = |name: &str| env::var(name).map_err(io::Error::other);
    let (out, big_endian) = (var("OUT_DIR")?, var("CARGO_CFG_TARGET_ENDIAN")? == "big");
    let write16 = |name: &str, numbers: &[u16]| {
        let bytes = |&n: &u16| if big_endian { n.to_be_bytes() } else { n.to_le_bytes() };
        fs::write(Path::new(&out).join(name), numbers.iter().flat_map(bytes).collect::<Vec<u8>>())
    };
    let write32 = |name: &str, numbers: &[u32]| {
        let bytes = |&n: &u32| if big_endian { n.to_be_bytes() } else { n.to_le_bytes() };
        fs::write(Path::new(&out).join(name), numbers.iter().flat_map(bytes).collect::<Vec<u8>>())
    };
    let tables = generate::generate();
    write32("values.bin", &tables.values)?;
    write16("dense.bin", &tables.dense)?;
    for (hash, num_cards) in tables.hashes.iter().zip(5..) {
        write16(&format!("hash{num_cards}.bin"), &[&hash.rows[..], &hash.slots[..]].concat())?;
    }
    write16("board_ids.bin", &tables.board_ids)?;
    write32("flushes.bin", &tables.flushes.iter().copied().map(u32::from).collect::<Vec<u32>>())?;
    write16("board_rows.bin", &tables.board_rows)?;
    write16("columns.bin", &tables.columns)?;
    fs::write(Path::new(&out).join("pair_order.bin"), &tables.pair_order)
}
