//! Counts the features of every hand of every street and says how long that takes:
//! `cargo run --release -p equipoise-abstraction --example tables`.

use std::time::Instant;

use equipoise_abstraction::{AbstractionError, Parts, Table, preflop_features};
use equipoise_cards::Street;

fn main() -> Result<(), AbstractionError> {
    let timed = |name: &str, work: &dyn Fn() -> Result<f64, AbstractionError>| {
        let start = Instant::now();
        let mean = work()?;
        println!("{name:28} {:7.2} s   mean {mean:.12}", start.elapsed().as_secs_f64());
        Ok::<(), AbstractionError>(())
    };
    timed("preflop, all features", &|| {
        let all = preflop_features(&mut ())?;
        Ok(equipoise_cards::HandClass::all()
            .map(|class| class.num_combos() as f64 * all[class.index()].equity())
            .sum::<f64>()
            / 1326.0)
    })?;
    for (street, runouts) in [(Street::River, 1.0), (Street::Turn, 46.0), (Street::Flop, 1081.0)] {
        timed(&format!("{street}, equity"), &|| {
            Ok(mean(&Table::equity_halves(street, &mut ())?, 1980.0 * runouts))
        })?;
    }
    timed("flop, nine cells", &|| {
        let parts = Parts { cells: true, ..Parts::default() };
        let table = Table::build(Street::Flop, parts, &mut (), |features, row: &mut [u32]| {
            for (value, combo) in row.iter_mut().zip(features.combos()) {
                // Ahead or tied now: HS once more.
                let [ahead, tied, _] = features.cells(combo).unwrap_or_default();
                *value = ahead.iter().map(|count| 2 * count).chain(tied).sum();
            }
        })?;
        Ok(mean(&table, 2.0 * 1_070_190.0))
    })?;
    for (street, runouts) in [(Street::River, 1.0), (Street::Turn, 46.0), (Street::Flop, 1081.0)] {
        timed(&format!("{street}, all but cells"), &|| {
            let parts = Parts { histogram: true, ochs: true, ..Parts::default() };
            let table = Table::build(street, parts, &mut (), |features, row: &mut [u32]| {
                row.iter_mut().zip(features.equity_halves()).for_each(|(value, halves)| *value = halves);
            })?;
            Ok(mean(&table, 1980.0 * runouts))
        })?;
    }
    Ok(())
}

/// The mean over all hands, each canonical board standing for its class: one half exactly.
fn mean(table: &Table<u32>, whole: f64) -> f64 {
    let (mut sum, mut count) = (0_u64, 0_u64);
    for (_, class_size, row) in table.rows() {
        let row_sum: u64 = row.iter().map(|&value| u64::from(value)).sum();
        sum += u64::from(class_size) * row_sum;
        count += u64::from(class_size) * row.len() as u64;
    }
    sum as f64 / count as f64 / whole
}
