//! Text.

use std::fmt::{Debug, Display};
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use equipoise::batch::{Flop, JobId, Plan, PlanError};
use equipoise::blueprint::InfoSetKey;
use equipoise::cards::{
    Board, BoardError, Card, CardSet, Combo, HandClass, KindFilter, Range, Street, parse_cards,
};
use equipoise::cfr::Algorithm;
use equipoise::equity::{ParseSeatError, Seat};
use equipoise::game::{
    BetMenu, BetPoint, Chips, Line, Player, Preset, StreetMenus, Thresholds, Tree, TreeConfig, WrittenAction,
};
use equipoise::histories::{Format, HistoryReader, Replay, Stakes};
use equipoise::postflop::NodePath;
use equipoise::spot_file::{LockText, Problem, SHIPPED, SpotFileError};
use equipoise::spot_import::{self, ImportFormat};
use equipoise_run::memory::MemorySize;
use equipoise_spots::betting_file;
use equipoise_spots::game_file::GameFile;
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
    let formats = ImportFormat::ALL.into_iter().map(Some);
    formats.chain([None]).for_each(|format| import_as(text, format));
}

fn import_as(text: &str, format: Option<ImportFormat>) {
    match spot_import::import(text, format) {
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
    says_where(text, &error);
}

/// An error has a name, and a place if it is about something in the text.
fn says_where(text: &str, error: &SpotFileError) {
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

/// What is read is written so that it reads back as the same.
fn reads_back<T: FromStr + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    let value: T = text.parse().ok()?;
    let written = value.to_string();
    assert_eq!(written.parse().ok().as_ref(), Some(&value), "{text:?} written as {written:?}");
    Some(value)
}

/// Short words with a meaning: each is refused, or reads back.
pub fn words(text: &str) {
    reads_back::<Card>(text);
    reads_back::<Combo>(text);
    reads_back::<HandClass>(text);
    reads_back::<Chips>(text);
    reads_back::<WrittenAction>(text);
    reads_back::<Player>(text);
    reads_back::<Flop>(text);
    reads_back::<JobId>(text);
    reads_back::<InfoSetKey>(text);
    reads_back::<ImportFormat>(text);
    let _ = text.parse::<Preset>();
    if let Ok(MemorySize(bytes)) = text.parse() {
        assert!(bytes > 0, "{text:?}");
    }
}

/// The name of an algorithm with its parameters reads back.
pub fn algorithm(text: &str) {
    reads_back::<Algorithm>(text);
}

/// Categories of hands read back, or the error says where.
pub fn hand_category(text: &str) {
    match text.parse::<KindFilter>() {
        Err(error) => points_into(text, error.at()),
        Ok(_) => drop(reads_back::<KindFilter>(text)),
    }
}

/// Points of the betting: opening and facing a bet, small and as large as there are.
fn points() -> impl Iterator<Item = BetPoint> {
    let amounts = [(100, 0, 900), (7, 3, 5), (1_000_000_000, 999_999_999, 1_000_000_000), (1, 0, 0)];
    amounts.into_iter().flat_map(|(pot, bet, all_in)| {
        [0, 3].map(|raises_made| BetPoint {
            pot_after_call: Chips::new(pot + 2 * bet),
            to_beat: Chips::new(bet),
            last_increment: Chips::new(bet),
            all_in: Chips::new(all_in),
            num_streets: 3,
            raises_made,
        })
    })
}

/// Sizes read back, and what they come to is legal and ascends.
pub fn bet_sizes(text: &str) {
    let menu = match text.parse::<BetMenu>() {
        Err(error) => return points_into(text, error.at()),
        Ok(menu) => menu,
    };
    reads_back::<BetMenu>(text);
    let never = Thresholds { add_allin: 0.0, force_allin: 0.0, merging: 0.0, add_allin_without_sizes: false };
    let always = Thresholds { add_allin: 1e9, add_allin_without_sizes: true, ..never };
    for point in points() {
        for thresholds in [Thresholds::default(), never, always] {
            let totals = menu.totals(&point, &thresholds);
            assert!(totals.is_sorted_by(|a, b| a < b), "{text:?}");
            let is_legal = |&total: &Chips| total >= point.min_total() && total <= point.all_in;
            assert!(totals.iter().all(is_legal), "{text:?}");
        }
    }
}

/// A line reads back, and a tree finds it, adds it, takes it away or says why not.
pub fn line(text: &str) {
    let line = match text.parse::<Line>() {
        Err(error) => return points_into(text, error.at()),
        Ok(line) => line,
    };
    reads_back::<Line>(text);
    let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
    let sizes = |text: &str| text.parse().expect("sizes");
    config.turn = StreetMenus::same(sizes("60%, a"), sizes("2.5x"));
    config.river = config.turn.clone();
    let plain = Tree::build(&config).expect("a tree");
    let found = plain.find(&line);
    let mut with = config.clone();
    with.add_lines.push(line.clone());
    if let Ok(tree) = Tree::build(&with) {
        assert!(tree.find(&line).is_ok(), "{text:?}");
    }
    config.remove_lines.push(line.clone());
    if let Ok(tree) = Tree::build(&config) {
        assert!(found.is_ok() && tree.nodes().len() < plain.nodes().len(), "{text:?}");
    }
}

/// A path reads back, or the error says where.
pub fn node_path(text: &str) {
    match text.parse::<NodePath>() {
        Err(error) => points_into(text, error.at()),
        Ok(_) => drop(reads_back::<NodePath>(text)),
    }
}

/// A river that can be locked.
static LOCKABLE: LazyLock<Problem> = LazyLock::new(|| SHIPPED.parse().expect("the shipped spot"));

/// A lock is refused with a reason, or is part of a problem whose text reads back.
pub fn lock(text: &str) {
    let locked = text.parse::<LockText>().and_then(|lock| LOCKABLE.with_locks(&[lock]));
    match locked {
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
        Ok(problem) => {
            assert_eq!(problem.spot.locks().len(), LOCKABLE.spot.locks().len() + 1, "{text:?}");
            let again: Problem = problem.text.parse().expect("what is written can be read");
            assert_eq!(again.spot.locks(), problem.spot.locks(), "{text:?}");
        }
    }
}

/// A plan says what is wrong with it and where, or each of its spots is a problem or an error on its first flop.
pub fn plan(text: &str) {
    // Files that it names are not there.
    let path = Path::new("no such folder/plan.toml");
    match Plan::parse(text, path) {
        Err(PlanError::File { error, .. }) => says_where(text, &error),
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
        Ok(plan) => {
            for spot in &plan.spots {
                if let Err(error) = spot.problem_on(spot.flops.first()) {
                    assert!(!spot.at_home(&error).to_string().is_empty(), "{text:?}");
                }
            }
        }
    }
}

/// A small river, so that there is something to ask about.
const RIVER: &str = "set_range OOP AA,QQ\nset_range IP KK\nset_board 2s2h2d3c3d\nset_pot 0 0 100\nset_eff_stack 100\n\
    add_line 100\nadd_line 0 100\nbuild_tree\n";

/// Whatever is said to a session, each line is answered once, and the session continues. What would touch files or end it is
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

/// What a dealer or a player of the ACPC protocol may send.
pub fn acpc(text: &str) {
    equipoise::play::check_acpc_text(text);
}

/// What the API of another bot may answer, with and without the head of HTTP.
pub fn bot_api(text: &str) {
    equipoise::play::check_api_text(text);
}

/// Whatever the bytes are, reading ends; a hand that is read is legal, and comes back from every format that holds it.
pub fn history(bytes: &[u8]) {
    let stakes = Stakes::default();
    for hand in HistoryReader::new(bytes, &stakes) {
        let hand = match hand {
            Ok(hand) => hand,
            Err(error) => {
                assert!(error.hand > 0 && error.line > 0 && !error.to_string().is_empty());
                continue;
            }
        };
        let replay = hand.replay().expect("what is read is legal");
        if let (true, Some(won)) = (hand.rake.is_none(), replay.winnings(&hand)) {
            assert_eq!(won.iter().sum::<i64>(), 0);
        }
        for format in Format::WRITTEN {
            let Ok(text) = hand.write(format) else { continue };
            if format == Format::Phh || hand.format == format {
                let again = HistoryReader::new(text.as_bytes(), &stakes).next().expect("a hand");
                let again = again.unwrap_or_else(|error| panic!("{error}: {text}"));
                let played = again.replay().expect("what is read is legal");
                if format == Format::Slumbot {
                    // A bare action string holds no cards.
                    let steps = |replay: &Replay| -> Vec<_> {
                        replay.streets.iter().map(|street| street.steps.clone()).collect()
                    };
                    assert_eq!(steps(&played), steps(&replay), "{text}");
                } else if again.decimals == hand.decimals {
                    assert_eq!(played.streets, replay.streets, "{text}");
                } else {
                    // Amounts that are whole have lost their decimals, and chips are as large as before.
                    let cards = |replay: &Replay| -> Vec<_> {
                        replay.streets.iter().map(|street| (street.street, street.cards.clone())).collect()
                    };
                    assert_eq!(cards(&played), cards(&replay), "{text}");
                }
            }
        }
    }
}

/// A game has stakes with which a hand can begin, and bet sizes that can be used.
pub fn game_file(text: &str) {
    match GameFile::parse(text) {
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
        Ok(game) => {
            game.hand.check().expect("a hand can begin");
            game.betting.check().expect("its sizes can be used");
        }
    }
}

/// Bet sizes of a whole hand are refused with a reason, or their text reads back.
pub fn betting_file(text: &str) {
    match betting_file::parse(text) {
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
        Ok(betting) => {
            let again =
                betting_file::parse(&betting_file::to_toml(&betting)).expect("what is written can be read");
            assert_eq!(again, betting, "{text:?}");
        }
    }
}
