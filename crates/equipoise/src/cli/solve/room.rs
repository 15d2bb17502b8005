//! What to say when a tree does not fit.

use equipoise::game::{BetMenu, BetSize, TreeConfig};
use equipoise::postflop::{Options, Precision, SolveError, Solver, Spot, Storage};
use equipoise::spot_file::precision_key;

use crate::cli::failure::BadInput;
use crate::cli::table::bytes;

/// The error with what would help: another storage, or a size whose loss saves most.
pub(super) fn too_large(error: &SolveError, spot: &Spot, options: &Options) -> BadInput {
    let &SolveError::Memory { needed, limit } = error else { return BadInput::new(error) };
    let message = format!(
        "solving takes about {}, {} more than the {} that there are",
        bytes(needed),
        bytes(needed.saturating_sub(limit)),
        bytes(limit)
    );
    let mut advice = Vec::new();
    for precision in Precision::ALL {
        let other = Options { storage: Storage::of(precision), ..options.clone() };
        let total = Solver::memory(spot, &other).total();
        if total < needed {
            advice.push(format!("quantization = \"{}\" takes {}", precision_key(precision), bytes(total)));
        }
    }
    if let Some((name, total)) = best_to_drop(spot, options).filter(|(_, total)| *total < needed) {
        advice.push(format!("without {name} it takes {}", bytes(total)));
    }
    advice.push("fewer bet sizes or narrower ranges take less; --memory-limit allows more".to_owned());
    BadInput::new(message).help(advice.join("; "))
}

/// The size of a street without which the tree is smallest, and what it then takes.
fn best_to_drop(spot: &Spot, options: &Options) -> Option<(String, u64)> {
    let config = spot.tree().config();
    let mut best: Option<(String, u64)> = None;
    for street in config.streets() {
        let menus = config.menus(street)?;
        let mut sizes: Vec<BetSize> = Vec::new();
        for menu in [&menus.oop.bet, &menus.oop.raise, &menus.ip.bet, &menus.ip.raise] {
            sizes.extend(menu.sizes().iter().filter(|size| !sizes.contains(size)).collect::<Vec<_>>());
        }
        for size in sizes {
            let smaller = without(config, street, &size);
            let Ok(smaller) = Spot::new(spot.ranges().clone(), *spot.board(), &smaller) else { continue };
            let total = Solver::memory(&smaller, options).total();
            if best.as_ref().is_none_or(|(_, least)| total < *least) {
                best = Some((format!("'{size}' on the {street}"), total));
            }
        }
    }
    best
}

fn without(config: &TreeConfig, street: equipoise::cards::Street, size: &BetSize) -> TreeConfig {
    let mut config = config.clone();
    if let Some(menus) = config.menus_mut(street) {
        for menu in [&mut menus.oop.bet, &mut menus.oop.raise, &mut menus.ip.bet, &mut menus.ip.raise] {
            *menu = BetMenu::new(menu.sizes().iter().copied().filter(|other| other != size).collect());
        }
    }
    config
}
