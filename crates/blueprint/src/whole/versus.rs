//! Head to head: two blueprints of one game on boards that are drawn, all hands and all lines at once.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use equipoise_cards::{Board, Range};
use equipoise_game::{PerPlayer, Player};
use equipoise_progress::Observer;

use crate::bucketed::chance::{RunoutOrder, drawn_boards};
use crate::bucketed::deal::{BucketRows, Dealer};
use crate::bucketed::engine::{Engine, num_matchups};
use crate::bucketed::pack::Purpose;
use crate::bucketed::{BucketedError, Buckets};
use crate::whole::blueprint::Blueprint;
use crate::whole::exploit::played;
use crate::whole::strategies::Strategies;

/// A blueprint and the buckets that it sees.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, clippy::exhaustive_structs)] // A pair of references.
pub struct Contestant<'a> {
    /// The strategies.
    pub blueprint: &'a Blueprint,
    /// The buckets that they were trained in.
    pub buckets: &'a dyn Buckets,
}

/// What one blueprint wins from another, in thousandths of a big blind a hand, both seats played on every board.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeadToHead {
    /// How many boards were dealt.
    pub boards: u64,
    /// The mean over both seats.
    pub mean: f64,
    /// Its standard error over boards.
    pub std_error: f64,
    /// What the first wins in each seat.
    pub by_seat: PerPlayer<f64>,
}

impl HeadToHead {
    /// The 95 % interval.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        [self.mean - 1.96 * self.std_error, self.mean + 1.96 * self.std_error]
    }
}

/// Boards that are dealt together; their mean is one observation.
const BATCH: u64 = 16;

/// One of the two ways to sit.
struct Table<'a> {
    engine: Engine<f32>,
    rows: [PerPlayer<BucketRows>; 4],
    buckets: PerPlayer<&'a dyn Buckets>,
    /// The seat of the first.
    seat: Player,
}

/// Plays the first against the second on at least two batches of boards, the fraction done told to the observer; what was
/// played until then if it ends the work.
///
/// # Errors
/// [`BucketedError`] if the games or bet sizes differ, or the buckets cannot be read.
pub fn head_to_head(
    [first, second]: [Contestant<'_>; 2],
    boards: u64,
    seed: u64,
    threads: Option<NonZeroUsize>,
    observer: &mut dyn Observer,
) -> Result<HeadToHead, BucketedError> {
    if first.blueprint.header().game != second.blueprint.header().game {
        return Err(BucketedError::OtherGame {
            reason:
                "the blueprints are of different games: blinds, antes, stacks and bet sizes must be the same"
                    .to_owned(),
        });
    }
    let game = &first.blueprint.header().game;
    let ranges = PerPlayer::new(Range::full(), Range::full());
    let table = |seat: Player| {
        let at = |player: Player| if player == seat { first } else { second };
        let buckets = PerPlayer::from_fn(|player| at(player).buckets);
        let (engine, rows) =
            played(PerPlayer::from_fn(|player| at(player).blueprint as &dyn Strategies), buckets, threads)?;
        Ok::<_, BucketedError>(Table { engine, rows, buckets, seat })
    };
    let mut tables = [table(Player::Oop)?, table(Player::Ip)?];
    let order = RunoutOrder::new(Board::EMPTY, seed);
    let num_batches = boards.div_ceil(BATCH).max(2);
    let mut observed: Vec<[f64; 2]> = Vec::new();
    for batch in 0..num_batches {
        let rivers: Vec<Board> =
            (batch * BATCH..(batch + 1) * BATCH).map(|place| order.board(place)).collect();
        let mut values = [0.0; 2];
        for (value, table) in values.iter_mut().zip(&mut tables) {
            let Table { engine, rows, buckets, seat } = table;
            let same = std::ptr::addr_eq(buckets[Player::Oop], buckets[Player::Ip]);
            let dealer = Dealer { ranges: &ranges, buckets: *buckets, has_same_buckets: same, rows };
            let num_streets = engine.streets.len();
            let deals = engine.install(|| drawn_boards(&dealer, Board::EMPTY, &rivers, num_streets))?;
            let at = |player: Player| if player == *seat { first } else { second }.blueprint;
            let players: Vec<_> =
                (0..engine.betting.nodes.len()).map(|node| engine.betting.player(node)).collect();
            engine.load(&deals, &|node, action, row| {
                players[node].map_or(0.0, |player| at(player).frequency(node, action, row))
            });
            *value = engine.pass(*seat, Purpose::Evaluate, &deals) / num_matchups(&deals[0]);
        }
        observed.push(values.map(|chips| 1000.0 * game.big_blinds(chips)));
        let done = (batch + 1) as f64 / num_batches as f64;
        if observer.progress(&done) == ControlFlow::Break(()) && observed.len() > 1 {
            break;
        }
    }
    Ok(summary(&observed))
}

fn summary(observed: &[[f64; 2]]) -> HeadToHead {
    let count = observed.len() as f64;
    let mean = |seat: usize| observed.iter().map(|values| values[seat]).sum::<f64>() / count;
    let by_seat = PerPlayer::new(mean(0), mean(1));
    let middle = (by_seat[Player::Oop] + by_seat[Player::Ip]) / 2.0;
    let squares = observed.iter().map(|[oop, ip]| ((oop + ip) / 2.0 - middle).powi(2));
    let variance = squares.sum::<f64>() / (count - 1.0);
    HeadToHead {
        boards: observed.len() as u64 * BATCH,
        mean: middle,
        std_error: (variance / count).sqrt(),
        by_seat,
    }
}
