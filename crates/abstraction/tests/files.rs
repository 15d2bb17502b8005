//! Files of buckets: what was written once is read for ever, and nothing else is taken for it.

use std::fs;
use std::path::{Path, PathBuf};

use equipoise_abstraction::{AbstractionError, Method, StreetBuckets, StreetConfig};
use equipoise_cards::Street;

/// The header of a flop file of format 1.0. It was put together by another program than this one, checksums and all, from
/// the description of the format. It must never change.
const HEADER: &[u8; 128] = include_bytes!("golden/flop-1.0.header");

/// The file of that header: its buckets follow a rule, so that four megabytes need not be kept.
fn golden() -> Vec<u8> {
    let buckets = (0..1755 * 1176_u64).map(|place| (place * 7919 % 100_003 % 100) as u16);
    HEADER.iter().copied().chain(buckets.flat_map(u16::to_le_bytes)).collect()
}

/// A file with these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_file_of_the_first_format_is_read() {
    let path = file("golden.buckets", &golden());
    let buckets = StreetBuckets::load(&path).unwrap();
    buckets.verify().unwrap();
    assert_eq!(buckets.street(), Street::Flop);
    assert_eq!(buckets.config(), StreetConfig { method: Method::Percentile, buckets: 120 });
    assert_eq!(buckets.num_buckets(), 100);
    // Where each hand stands is part of the format too.
    let hands =
        [("AhKh", "Td9d6h"), ("AdKd", "9hTh6d"), ("2c2d", "AsKsQs"), ("7c2d", "7h7s2c"), ("AcAd", "2h3h4h")];
    let bucket = |(combo, board): (&str, &str)| {
        buckets.bucket(combo.parse().unwrap(), &board.parse().unwrap()).unwrap().get()
    };
    assert_eq!(hands.map(bucket), [48, 48, 20, 4, 54]);
    // And what is written today says the same.
    let copy = path.with_file_name("golden-copy.buckets");
    buckets.save(&copy).unwrap();
    let written = fs::read(&copy).unwrap();
    assert_eq!(written[128..], golden()[128..]);
    // But for the minor version of the format, and the version of the program.
    for (place, (new, old)) in written.iter().zip(HEADER).take(56).enumerate() {
        assert!(new == old || place == 10, "byte {place}");
    }
}

/// Why a file is refused.
fn reason(name: &str, bytes: &[u8]) -> String {
    match StreetBuckets::load(&file(name, bytes)) {
        Err(AbstractionError::InvalidBoundaries { reason, .. }) => reason,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn damaged_foreign_and_newer_files_are_refused_with_a_reason() {
    let good = golden();
    let refused = |bytes: &[u8]| reason("damaged.buckets", bytes);
    let changed = |place: usize| {
        let mut bytes = good.clone();
        bytes[place] ^= 0xff;
        bytes
    };
    assert!(refused(&[]).contains("short"));
    assert!(refused(&good[..127]).contains("short"));
    assert!(refused(&[b'x'; 4000]).contains("another kind"));
    assert!(refused(&good[128..]).contains("another kind"));
    assert!(refused(&changed(0)).contains("another kind"));
    let mut newer = good.clone();
    newer[8] = 2;
    let newer = refused(&newer);
    assert!(newer.contains("version 2") && newer.contains("reads 1"), "{newer}");
    for len in [128, 129, good.len() / 2, good.len() - 1] {
        assert!(refused(&good[..len]).contains("bytes instead of"), "{len} bytes");
    }
    assert!(refused(&[&good[..], b"x"].concat()).contains("bytes instead of"));
    // A bit anywhere in the header shows, whether it was used or not.
    for place in 10..128 {
        for bit in 0..8 {
            let mut header = *HEADER;
            header[place] ^= 1 << bit;
            assert!(refused(&header).contains("header is damaged"), "bit {bit} of byte {place}");
        }
    }
}

#[test]
fn a_bit_among_the_buckets_shows_when_all_are_checked() {
    let good = golden();
    for place in [128, 129, 1_000_000, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << 4;
        let buckets = StreetBuckets::load(&file("bit.buckets", &bytes)).unwrap();
        assert!(matches!(buckets.verify(), Err(AbstractionError::InvalidBoundaries { .. })), "byte {place}");
    }
    // One that does not exist shows where it stands, too.
    let mut bytes = good;
    bytes[128..130].fill(0xff);
    let buckets = StreetBuckets::load(&file("bit.buckets", &bytes)).unwrap();
    assert!(matches!(buckets.sizes(), Err(AbstractionError::InvalidBoundaries { .. })));
}

#[test]
fn what_is_no_file_cannot_be_read() {
    for path in [Path::new("no/such/file"), Path::new(env!("CARGO_TARGET_TMPDIR"))] {
        assert!(matches!(StreetBuckets::load(path), Err(AbstractionError::LoadError { .. })), "{path:?}");
    }
}
