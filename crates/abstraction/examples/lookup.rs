//! Says how long it takes to find buckets in a folder that `equipoise abstraction build` made:
//! `cargo run --release -p equipoise-abstraction --example lookup -- DIR`.
//!
//! A lookup at random is little more than one load from memory that is in no cache. What that takes on this machine is
//! measured beside it: a walk through as much memory, each step of which waits for the one before.

use std::path::Path;
use std::time::Instant;

use equipoise_abstraction::{AbstractionError, CardAbstraction};
use equipoise_cards::{Card, CardSet, Combo, Street};

fn main() -> Result<(), AbstractionError> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "buckets".to_owned());
    let start = Instant::now();
    let abstraction = CardAbstraction::load(Path::new(&folder))?;
    println!("load          {:8.3} ms", 1e3 * start.elapsed().as_secs_f64());
    let Some(river) = abstraction.street(Street::River) else { return Ok(()) };
    river.verify()?;
    let deals = deals(200_000);
    // The answers by the other way, which reads whole rows.
    let mut expected = 0_u64;
    let start = Instant::now();
    for (combo, board) in &deals[..NUM_CHECKED] {
        expected += river.board(board)?.get(*combo).map_or(0, |bucket| u64::from(bucket.get()));
    }
    let batch = start.elapsed().as_secs_f64() / NUM_CHECKED as f64;
    let walk = Walk::new(NUM_BYTES / 64);
    let mut sum = 0;
    let (mut lookups, mut loads) = (Vec::new(), Vec::new());
    let mut at = 0;
    for (round, deals) in deals.chunks(NUM_CHECKED / 5).enumerate() {
        let mut found = 0;
        let start = Instant::now();
        for (combo, board) in deals {
            found += u64::from(river.bucket(*combo, board)?.get());
        }
        lookups.push(start.elapsed().as_secs_f64() / deals.len() as f64);
        sum += if round < 5 { found } else { 0 };
        let start = Instant::now();
        at = walk.go(at, deals.len());
        loads.push(start.elapsed().as_secs_f64() / deals.len() as f64);
    }
    assert_eq!(sum, expected, "single lookups and rows must agree");
    let (single, step) = (median(lookups), median(loads));
    println!(
        "river lookup  {:8.0} ns, {:.2} times a load from memory at random",
        1e9 * single,
        single / step
    );
    println!("random load   {:8.0} ns", 1e9 * step);
    println!(
        "river board   {:8.2} µs, {:.1} ns a combo, {:.0} times as fast",
        1e6 * batch,
        1e9 * batch / 1081.0,
        1081.0 * single / batch
    );
    println!("(the walk came to place {at})");
    Ok(())
}

/// The size of a river file.
const NUM_BYTES: usize = 2 * 134_459 * 1081;
const NUM_CHECKED: usize = 10_000;

/// Places of 64 bytes, each with the number of another, so that a walk comes to all of them.
struct Walk {
    next: Vec<[u64; 8]>,
}

impl Walk {
    fn new(num_places: usize) -> Walk {
        // Sattolo's shuffle leaves one cycle.
        let mut order: Vec<u64> = (0..num_places as u64).collect();
        let mut state = 1_u64;
        for last in (1..num_places).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(last, (state >> 33) as usize % last);
        }
        Walk { next: order.into_iter().map(|next| [next, 0, 0, 0, 0, 0, 0, 0]).collect() }
    }

    /// The place this many steps away.
    fn go(&self, from: u64, num_steps: usize) -> u64 {
        (0..num_steps).fold(from, |at, _| self.next[at as usize][0])
    }
}

/// Of many short rounds, so that what else runs on the machine does not show.
fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Deals that are the same in every run and all over the deck.
fn deals(num_deals: usize) -> Vec<(Combo, equipoise_cards::Board)> {
    let mut state = 1_u64;
    let mut deals = Vec::with_capacity(num_deals);
    while deals.len() < num_deals {
        let mut cards: Vec<Card> = Vec::new();
        let mut seen = CardSet::EMPTY;
        while cards.len() < 7 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let card = Card::ALL[(state >> 33) as usize % Card::COUNT];
            if seen.insert(card) {
                cards.push(card);
            }
        }
        let board = equipoise_cards::Board::new(&cards[2..]);
        if let (Some(combo), Ok(board)) = (Combo::new(cards[0], cards[1]), board) {
            deals.push((combo, board));
        }
    }
    deals
}
