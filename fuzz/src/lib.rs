//! What must hold of the parsers for any text. The fuzz targets try them without end, `cargo test` within bounds.

use equipoise::spot_file::Problem;
use equipoise_cards::{Board, BoardError, CardSet, Range, parse_cards};
use equipoise_equity::{ParseSeatError, Seat};

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
