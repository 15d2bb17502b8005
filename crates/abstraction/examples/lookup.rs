//! Says how long it takes to find buckets in a folder that `equipoise abstraction build` made:
//! `cargo run --release -p equipoise-abstraction --example lookup -- DIR`.

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
    let mut sum = 0_u64;
    let start = Instant::now();
    for (combo, board) in &deals {
        sum += u64::from(river.bucket(*combo, board)?.get());
    }
    let single = start.elapsed().as_secs_f64() / deals.len() as f64;
    println!("river lookup  {:8.0} ns", 1e9 * single);
    let start = Instant::now();
    for (combo, board) in &deals[..10_000] {
        sum += river.board(board)?.get(*combo).map_or(0, |bucket| u64::from(bucket.get()));
    }
    let batch = start.elapsed().as_secs_f64() / 10_000.0;
    println!(
        "river board   {:8.2} µs, {:.1} ns a combo, {:.0} times as fast",
        1e6 * batch,
        1e9 * batch / 1081.0,
        1081.0 * single / batch
    );
    println!("(the buckets add up to {sum})");
    Ok(())
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
