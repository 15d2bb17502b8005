//! What must hold of the parsers for any text, and of the readers of bucket and solution files for any bytes. The fuzz targets try them
//! without end, `cargo test` within bounds.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use equipoise::postflop::FileError;
use equipoise::solution_file;
use equipoise::spot_file::Problem;
use equipoise::spot_import;
use equipoise_abstraction::{AbstractionError, StreetBuckets};
use equipoise_cards::{Board, BoardError, CardSet, Combo, Range, Street, parse_cards};
use equipoise_equity::{ParseSeatError, Seat};
use equipoise_upi::{Next, Session};

/// An error points into the text, between two characters or at its end.
fn points_into(text: &str, at: usize) {
    assert!(text.is_char_boundary(at), "byte {at} of {text:?}");
}

/// Cards are all different, and what is written reads back.
pub fn cards(text: &str) {
    match parse_cards(text) {
        Err(error) => points_into(text, error.at()),
        Ok(cards) => {
            let set: CardSet = cards.iter().copied().collect();
            assert_eq!(set.len(), cards.len(), "{text:?}");
            let written: String = cards.iter().map(ToString::to_string).collect();
            assert_eq!(parse_cards(&written), Ok(cards), "{text:?}");
            assert_eq!(set.to_string().parse(), Ok(set), "{text:?}");
        }
    }
}

/// A board has the cards of its street, in the order of the text.
pub fn board(text: &str) {
    match text.parse::<Board>() {
        Err(BoardError::Text(error)) => points_into(text, error.at()),
        Err(BoardError::WrongSize { found }) => {
            assert_eq!(parse_cards(text).map(|cards| cards.len()), Ok(found), "{text:?}");
        }
        Err(_) => {}
        Ok(board) => {
            assert_eq!(board.cards().len(), board.street().num_board_cards(), "{text:?}");
            assert_eq!(parse_cards(text).as_deref(), Ok(board.cards()), "{text:?}");
            assert_eq!(board.to_string().parse(), Ok(board), "{text:?}");
        }
    }
}

/// Weights are between 0 and 1, and the short text reads back as the same range.
pub fn range(text: &str) {
    match text.parse::<Range>() {
        Err(error) => points_into(text, error.at()),
        Ok(range) => {
            assert!(range.weights().iter().all(|weight| (0.0..=1.0).contains(weight)), "{text:?}");
            let written = range.to_string();
            if !range.is_empty() {
                assert_eq!(written.parse().as_ref(), Ok(&range), "{text:?} written as {written:?}");
            }
        }
    }
}

/// Whatever reads as cards or as a range reads as a seat.
pub fn seat(text: &str) {
    match text.parse::<Seat>() {
        Err(ParseSeatError::Cards(error)) => points_into(text, error.at()),
        Err(ParseSeatError::Range(error)) => points_into(text, error.at()),
        Err(_) => {}
        Ok(seat) => assert!(seat.known().len() <= 2, "{text:?}"),
    }
    if text.parse::<Range>().is_ok() {
        assert!(text.parse::<Seat>().is_ok(), "{text:?}");
    }
}

/// A file of another program becomes a spot file that reads back, or an error that points into it.
pub fn import(text: &str) {
    match spot_import::import(text, None) {
        Ok(imported) => {
            let again: Problem = imported.toml.parse().expect("what is written can be read");
            assert_eq!(again.spot.tree().config(), imported.problem.spot.tree().config(), "{text:?}");
            assert_eq!(again.spot.ranges(), imported.problem.spot.ranges(), "{text:?}");
        }
        Err(error) => {
            assert!(!error.message.is_empty(), "{text:?}");
            error.position.iter().for_each(|at| points_into(text, at.offset));
        }
    }
}

/// A spot file is a problem that somebody can be dealt, or an error that says where.
pub fn spot_file(text: &str) {
    let error = match text.parse::<Problem>() {
        Ok(problem) => {
            assert!(problem.spot.ranges().iter().all(|range| !range.is_empty()), "{text:?}");
            assert!(problem.options.max_iterations > 0 && problem.options.target_pct >= 0.0, "{text:?}");
            return;
        }
        Err(error) => error,
    };
    assert!(!error.message().is_empty(), "{text:?}");
    let Some(at) = error.position() else {
        // What is not in the file has no position, but a name.
        assert!(error.key().is_some(), "{error} of {text:?}");
        return;
    };
    points_into(text, at.offset);
    let line = text.split('\n').nth(at.line - 1).expect("a line of the text");
    assert_eq!(line.trim_end_matches('\r'), at.text, "{error} of {text:?}");
    assert!((1..=at.text.chars().count() + 1).contains(&at.column), "{error} of {text:?}");
}

/// A solution of format 1.0.
const SOLUTION: &[u8] = include_bytes!("../../crates/equipoise/tests/golden/turn-1.0.eqp");

/// A solution that is damaged in whatever way is refused with a reason, when it is opened or when it is looked at.
///
/// The first byte says what becomes of the rest: a file as it is, a good file changed here and there, or one cut short and
/// gone on with otherwise.
pub fn solution(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let mut file = SOLUTION.to_vec();
    match kind % 3 {
        0 => file = rest.to_vec(),
        1 => {
            for change in rest.chunks_exact(4) {
                let at = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
                let len = file.len();
                file[at % len] ^= change[3];
            }
        }
        _ => {
            let at = rest.first_chunk().map_or(0, |at| usize::from(u16::from_le_bytes(*at)));
            file.truncate(at);
            file.extend(rest);
        }
    }
    let path = std::env::temp_dir().join(format!("equipoise-fuzz-{}.eqp", std::process::id()));
    std::fs::write(&path, &file).expect("room for it");
    let opened = solution_file::open(&path).and_then(|(reader, _, _)| reader.verify());
    match opened {
        Ok(()) => assert_eq!(file, SOLUTION, "a damaged file was read"),
        Err(FileError::Invalid { reason, .. }) => assert!(!reason.is_empty()),
        // An empty file cannot be mapped.
        Err(_) => assert!(file.is_empty()),
    }
    let _ = std::fs::remove_file(path);
}

/// A small river, so that there is something to ask about.
const RIVER: &str = "set_range OOP AA,QQ\nset_range IP KK\nset_board 2s2h2d3c3d\nset_pot 0 0 100\nset_eff_stack 100\n\
    add_line 100\nadd_line 0 100\nbuild_tree\n";

/// Whatever is said to a session, each line is answered once, and the session goes on. What would touch files or end it is
/// left out, and a solve has a few steps.
pub fn upi(bytes: &[u8]) {
    let count = Arc::new(AtomicUsize::new(0));
    let heard = Arc::clone(&count);
    let session = Session::new(move |text: &str| {
        assert!(text.ends_with('\n'), "{text:?}");
        heard.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    let mut session = session.with_memory_limit(Some(16 << 20));
    let left_out: [&[u8]; 6] =
        [b"exit", b"dump_tree", b"load_tree", b"load_script", b"load_script_silent", b"go"];
    for line in RIVER.as_bytes().split(|&byte| byte == b'\n').chain(bytes.split(|&byte| byte == b'\n')) {
        let word = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()).unwrap_or_default();
        if !left_out.iter().any(|name| word.ends_with(name)) {
            assert_eq!(session.command(line), Next::Continue);
        }
    }
    let before = count.load(Ordering::Relaxed);
    assert_eq!(session.command(b"is_ready"), Next::Continue);
    assert_eq!(count.load(Ordering::Relaxed), before + 1);
}

/// A flop file of format 1.0 without its buckets.
const HEADER: &[u8; 128] = include_bytes!("../../crates/abstraction/tests/golden/flop-1.0.header");
/// How long such a file is.
const FLOP_LEN: u64 = 128 + 2 * 1755 * 1176;

/// A file of buckets is refused with a reason, or every hand of its street has one of its buckets.
///
/// The first byte says what becomes of the rest: a file as it is, the header of a good file changed here and there, or
/// buckets under a good header. Only what the bytes say is written; the rest of a long file is a hole, which takes no time.
pub fn buckets(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let path = std::env::temp_dir().join(format!("equipoise-fuzz-{}.buckets", std::process::id()));
    let mut file = File::create(&path).expect("a file can be made");
    match kind % 3 {
        0 => file.write_all(rest).expect("room for it"),
        1 => {
            let mut header = *HEADER;
            for change in rest.chunks_exact(2) {
                header[usize::from(change[0]) % 128] ^= change[1];
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
    match StreetBuckets::load(&path) {
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
