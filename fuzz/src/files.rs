//! Files.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use equipoise::abstraction::{AbstractionError, StreetBuckets};
use equipoise::blueprint::bucketed::Lossless;
use equipoise::blueprint::whole::{Blueprint, BlueprintFileError, Line};
use equipoise::cards::{Board, Combo, HandClass, Street};
use equipoise::equity::ThreeWayTable;
use equipoise::postflop::{FileError, NodePath, Reader, Spot, ViewDetail};
use twox_hash::XxHash3_64;

/// A file that nobody else writes.
fn temporary(extension: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("equipoise-fuzz-{}-{number}.{extension}", std::process::id()))
}

/// A solution of format 2.0.
const SOLUTION: &[u8] = include_bytes!("../../crates/equipoise/tests/golden/turn-2.0.eqp");

/// A solution that is damaged in whatever way is refused with a reason, when it is opened or when it is read.
///
/// The first byte says what becomes of the rest: a file unchanged, a good file mutated, one cut short and
/// continued otherwise, one whose header says something else and has the right checksums, one whose frames have changed places
/// and whose checksums are right too, or one with another problem and the right checksums.
pub fn solution(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let mut file = SOLUTION.to_vec();
    match kind % 6 {
        0 => file = rest.to_vec(),
        1 => {
            for change in rest.chunks_exact(4) {
                let at = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
                let len = file.len();
                file[at % len] ^= change[3];
            }
        }
        3 => file = with_header(&edited(&header(&file), rest)),
        4 => file = with_header(&exchanged(&header(&file), rest)),
        5 => file = with_problem(&edited(&problem(), rest)),
        _ => {
            let at = rest.first_chunk().map_or(0, |at| usize::from(u16::from_le_bytes(*at)));
            file.truncate(at);
            file.extend(rest);
        }
    }
    let path = temporary("eqp");
    std::fs::write(&path, &file).expect("room for it");
    let opened = Reader::open(&path);
    let looked = opened.and_then(|(reader, _)| {
        reader.verify()?;
        // Whatever it says, reading it fails with a reason or not at all.
        for path in ["", "check check | 2h | check", "check check | As |"] {
            if let Err(error) =
                reader.view(&path.parse::<NodePath>().expect("a path"), ViewDetail::Equities, &mut ())
            {
                assert!(!error.to_string().is_empty());
            }
        }
        Ok(())
    });
    // With its checksums made anew, the good file is still one.
    assert!(looked.is_ok() || kind % 6 < 3 || !rest.is_empty(), "{looked:?}");
    match looked {
        Ok(()) => assert!(file == SOLUTION || kind % 6 >= 3, "a damaged file was read"),
        Err(FileError::Invalid { reason, .. }) => assert!(!reason.is_empty()),
        // An empty file cannot be mapped.
        Err(_) => assert!(file.is_empty()),
    }
    let _ = std::fs::remove_file(path);
}

/// The JSON text of a solution's header.
fn header(file: &[u8]) -> Vec<u8> {
    let at = u64::from_le_bytes(file[16..24].try_into().expect("eight bytes")) as usize;
    zstd::stream::decode_all(&file[at..]).expect("a header")
}

/// The text with pieces replaced: each change is a place in two bytes, how much goes, and how much of what follows comes.
fn edited(text: &[u8], mut changes: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    while let Some((&[low, high, goes, comes], rest)) = changes.split_first_chunk() {
        let at = usize::from(u16::from_le_bytes([low, high])) % (text.len() + 1);
        let end = text.len().min(at + usize::from(goes));
        let (piece, rest) = rest.split_at(rest.len().min(usize::from(comes)));
        text.splice(at..end, piece.iter().copied());
        changes = rest;
    }
    text
}

/// The header with frames of pages, or of the tree, in place of others.
fn exchanged(header: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut header: serde_json::Value = serde_json::from_slice(header).expect("a header");
    for change in changes.chunks_exact(2) {
        let num_pages = header["pages"].as_array().map_or(1, Vec::len);
        let (from, to) = (usize::from(change[0]), usize::from(change[1]) % num_pages);
        let frame = match from {
            255 => header["tree_frame"].clone(),
            from => header["pages"][from % num_pages].clone(),
        };
        header["pages"][to] = frame;
    }
    serde_json::to_vec(&header).expect("a header")
}

/// The problem of the good solution.
fn problem() -> Vec<u8> {
    let header: serde_json::Value = serde_json::from_slice(&header(SOLUTION)).expect("a header");
    let [at, len] = [0, 1].map(|part| header["spot_frame"][part].as_u64().expect("a number") as usize);
    zstd::stream::decode_all(&SOLUTION[at..at + len]).expect("a frame")
}

/// The good solution with another problem, and the checksums of that.
fn with_problem(bytes: &[u8]) -> Vec<u8> {
    let mut header: serde_json::Value = serde_json::from_slice(&header(SOLUTION)).expect("a header");
    let at = header["file_len"].as_u64().expect("a number");
    let frame = zstd::stream::encode_all(bytes, 1).expect("room for it");
    let checksum = XxHash3_64::oneshot(&frame);
    header["spot_frame"] = serde_json::json!([at, frame.len(), bytes.len(), checksum]);
    header["spot_hash"] = XxHash3_64::oneshot(bytes).into();
    header["file_len"] = (at + frame.len() as u64).into();
    let frames = [&SOLUTION[..at as usize], &frame].concat();
    sealed(frames, &serde_json::to_vec(&header).expect("a header"))
}

/// Bytes are no spot, for a reason, or one that survives being written and read.
///
/// The first byte says what becomes of the rest: raw bytes, or mutations of a good spot's.
pub fn spot_bytes(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let bytes = if kind % 2 == 0 { rest.to_vec() } else { edited(&problem(), rest) };
    match Spot::from_bytes(&bytes) {
        Err(error) => assert!(!error.to_string().is_empty() && (kind % 2 == 0 || !rest.is_empty())),
        Ok(spot) => {
            let written = spot.to_bytes();
            let read = Spot::from_bytes(&written).expect("a spot was written");
            assert_eq!((read.to_bytes(), read.content_hash()), (written, spot.content_hash()));
        }
    }
}

/// The good solution with another header, and the checksums of that.
fn with_header(json: &[u8]) -> Vec<u8> {
    let at = u64::from_le_bytes(SOLUTION[16..24].try_into().expect("eight bytes"));
    sealed(SOLUTION[..at as usize].to_vec(), json)
}

/// A file of frames, with a header and its checksums.
fn sealed(mut file: Vec<u8>, json: &[u8]) -> Vec<u8> {
    let header = zstd::stream::encode_all(json, 1).expect("room for it");
    let at = file.len() as u64;
    file[16..24].copy_from_slice(&at.to_le_bytes());
    file[24..32].copy_from_slice(&(header.len() as u64).to_le_bytes());
    file[32..40].copy_from_slice(&XxHash3_64::oneshot(&header).to_le_bytes());
    let own = XxHash3_64::oneshot(&file[..40]);
    file[40..48].copy_from_slice(&own.to_le_bytes());
    file.extend(header);
    file
}

/// A flop file of format 1.0 without its buckets.
const HEADER: &[u8; 128] = include_bytes!("../../crates/abstraction/tests/golden/flop-1.0.header");
/// How long such a file is.
const FLOP_LEN: u64 = 128 + 2 * 1755 * 1176;

/// A file of buckets is refused with a reason, or every hand of its street has one of its buckets.
///
/// The first byte says what becomes of the rest: a file unchanged, the header of a good file mutated, the
/// same with the right checksum, or buckets under a good header. Only what the bytes say is written; the rest of a long file is a hole, which takes no time.
pub fn buckets(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let path = temporary("buckets");
    let mut file = File::create(&path).expect("a file can be made");
    match kind % 4 {
        0 => file.write_all(rest).expect("room for it"),
        1 | 3 => {
            let mut header = *HEADER;
            for change in rest.chunks_exact(2) {
                header[usize::from(change[0]) % 128] ^= change[1];
            }
            if kind % 4 == 3 {
                let sum = header_checksum(&header);
                header[120..].copy_from_slice(&sum.to_le_bytes());
            }
            file.write_all(&header).expect("room for it");
            file.set_len(FLOP_LEN).expect("room for it");
        }
        _ => {
            file.write_all(HEADER).expect("room for it");
            file.set_len(FLOP_LEN).expect("room for it");
            let at = u64::from(*rest.first().unwrap_or(&0)) * 2 * 1176 % (FLOP_LEN - 128);
            file.seek(SeekFrom::Start(128 + at)).expect("it is in the file");
            file.write_all(&rest[..rest.len().min(1000)]).expect("room for it");
        }
    }
    drop(file);
    let loaded = StreetBuckets::load(&path);
    assert!(loaded.is_ok() || kind % 4 != 3 || !rest.is_empty(), "the checksum made anew is another");
    match loaded {
        Err(AbstractionError::InvalidBoundaries { reason, .. }) => assert!(!reason.is_empty()),
        Err(other) => panic!("{other}"),
        Ok(loaded) => every_hand_has_a_bucket(&loaded),
    }
    let _ = std::fs::remove_file(path);
}

fn every_hand_has_a_bucket(loaded: &StreetBuckets) {
    let board: Board = match loaded.street() {
        Street::Flop => "2c2d2h",
        Street::Turn => "2c2d2h2s",
        _ => "2c2d2h2s3c",
    }
    .parse()
    .expect("a board");
    let all = loaded.board(&board);
    for combo in Combo::all().filter(|combo| !combo.cards().intersects(board.set())) {
        match (loaded.bucket(combo, &board), &all) {
            (Ok(bucket), Ok(all)) => assert_eq!(all.get(combo), Some(bucket)),
            (Ok(bucket), Err(_)) => assert!(bucket.get() < loaded.num_buckets()),
            (Err(AbstractionError::InvalidBoundaries { .. }), Err(_)) => {}
            (found, _) => panic!("{combo}: {found:?}"),
        }
    }
    let _ = loaded.verify();
}

/// The checksum of a bucket file's header: four lanes of 64-bit words over its first 120 bytes, then the lanes and the number
/// of bytes.
fn header_checksum(header: &[u8; 128]) -> u64 {
    let turn = |value: u64| value.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let mut lanes = [1, 2, 3, 4];
    let mut padded = *header;
    padded[120..].fill(0);
    for (number, word) in padded.chunks_exact(8).enumerate() {
        let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        lanes[number % 4] = turn(lanes[number % 4] ^ word);
    }
    lanes.into_iter().chain([120]).fold(0, |sum, lane| turn(sum ^ lane ^ lane >> 31))
}

/// A blueprint of format 1.0.
const BLUEPRINT: &[u8] = include_bytes!("../../crates/equipoise/tests/golden/jam-1.0.eqb");

/// A blueprint that is damaged in whatever way is refused with a reason; what is opened can be read.
///
/// The first byte says what becomes of the rest: a file unchanged, a good file mutated, one whose header says something else and
/// has the right checksums, or one cut short and continued otherwise.
pub fn blueprint(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let mut file = BLUEPRINT.to_vec();
    match kind % 4 {
        0 => file = rest.to_vec(),
        1 => {
            for change in rest.chunks_exact(3) {
                let at = usize::from(change[0]) << 8 | usize::from(change[1]);
                let len = file.len();
                file[at % len] ^= change[2];
            }
        }
        2 => file = with_blueprint_header(rest),
        _ => {
            let at = rest.first_chunk().map_or(0, |at| usize::from(u16::from_le_bytes(*at)));
            file.truncate(at);
            file.extend(rest);
        }
    }
    let path = temporary("eqb");
    std::fs::write(&path, &file).expect("room for it");
    let opened = Blueprint::open(&path);
    assert!(opened.is_ok() || kind % 4 != 2 || !rest.is_empty(), "{opened:?}");
    match opened {
        Err(BlueprintFileError::Invalid { reason, .. }) => assert!(!reason.is_empty()),
        // An empty file cannot be mapped.
        Err(_) => assert!(file.is_empty()),
        Ok(opened) => {
            for text in ["", "a", "c", "a c", "r2.5 c | Td9d6h | x"] {
                let walked = Line::walk(&opened, text);
                let Ok(line) = walked else { continue };
                if let Err(error) = line.strategies(&opened, &Lossless) {
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    let _ = std::fs::remove_file(path);
}

/// The good blueprint with an edited header and the right checksums.
fn with_blueprint_header(edits: &[u8]) -> Vec<u8> {
    let number =
        |at: usize| u64::from_le_bytes(BLUEPRINT[at..at + 8].try_into().expect("eight bytes")) as usize;
    let (header_len, body_len) = (number(16), number(32));
    let header = edited(&BLUEPRINT[64..64 + header_len], edits);
    let body = &BLUEPRINT[BLUEPRINT.len() - body_len..];
    let mut file = BLUEPRINT[..16].to_vec();
    for part in [&header[..], body] {
        file.extend((part.len() as u64).to_le_bytes());
        file.extend(XxHash3_64::oneshot(part).to_le_bytes());
    }
    file.extend(XxHash3_64::oneshot(&file).to_le_bytes());
    file.resize(64, 0);
    file.extend(&header);
    file.resize(file.len().next_multiple_of(64), 0);
    file.extend(body);
    file
}

/// The checksum of a table of three-way equities: FNV-1a.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A table of three-way equities that is damaged in whatever way is refused with a reason; what is read has probabilities.
///
/// The first byte says what becomes of the rest: a file unchanged, or a good file mutated, without or with the right checksum.
pub fn three_way(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    // Magic, format 1, no random boards but two passes, seed 1, a standard error, then thirteen parts for each three classes.
    const TRIPLES: usize = 169 * 170 * 171 / 6;
    let mut file = b"EQP3WAY\0".to_vec();
    file.extend([1_u32, 0, 2, 1, 0].iter().flat_map(|word| word.to_le_bytes()));
    file.extend(4e-4_f64.to_le_bytes());
    file.extend(std::iter::repeat_n([9_u8, 1], 13 * TRIPLES).flatten());
    for change in rest.chunks_exact(5).filter(|_| kind % 3 != 0) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize;
        // Most of what is said stands at the beginning.
        let len = if change[3] % 2 == 0 { 80 } else { file.len() };
        file[at % len] ^= change[4];
    }
    match kind % 3 {
        0 => file = rest.to_vec(),
        1 => file.extend([0; 8]),
        _ => file.extend(fnv(&file).to_le_bytes()),
    }
    match ThreeWayTable::from_bytes(&file) {
        Err(error) => assert!(!error.to_string().is_empty() && (kind % 3 != 2 || !rest.is_empty())),
        Ok(table) => {
            assert!(table.std_error() >= 0.0);
            let classes: Vec<HandClass> = HandClass::all().collect();
            for ids in [[0, 0, 0], [0, 1, 2], [168, 7, 90], [12, 168, 168]] {
                let orders = table.orders(ids.map(|id: usize| classes[id]));
                let sum: f32 = orders.iter().sum();
                assert!((sum - 1.0).abs() < 1e-4 && orders.iter().all(|&part| part >= 0.0), "{ids:?}: {sum}");
            }
        }
    }
}
