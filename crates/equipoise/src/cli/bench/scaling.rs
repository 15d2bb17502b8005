//! How time grows with the tree.

use std::time::Duration;

use equipoise::postflop::{Solver, Spot};
use equipoise::spot_file::Problem;

use super::Machine;
use super::measure::{seconds_per_iteration, set_up};
use super::stage::Stage;
use crate::cli::failure::Failure;
use crate::cli::shipped::ShippedSpot;
use equipoise::documents::command::BenchSize;

/// What both players may bet on the turn and on the river; raises are unchanged.
const BET_SIZES: [&str; 3] = ["75%", "50%, 100%", "25%, 50%, 100%"];

/// The turn spot with one, two and three bet sizes.
pub(super) fn measure(machine: &Machine, stage: &Stage, sizes: &mut Vec<BenchSize>) -> Result<(), Failure> {
    for bet_sizes in BET_SIZES {
        stage.name(&format!("{} with bets of {bet_sizes}", ShippedSpot::TurnStd));
        let problem = problem(machine, bet_sizes)?;
        let entries = Solver::memory(&problem.spot, &problem.options).real_entries;
        let (mut solver, _) = set_up(|| Ok(problem))?;
        let iteration_s = seconds_per_iteration(&mut solver, &machine.effort, Duration::ZERO)?.median;
        let ns_per_entry = iteration_s * 1e9 / entries as f64;
        sizes.push(BenchSize { bet_sizes: bet_sizes.to_owned(), entries, iteration_s, ns_per_entry });
    }
    Ok(())
}

/// The turn spot with these bet sizes.
fn problem(machine: &Machine, bet_sizes: &str) -> Result<Problem, Failure> {
    let mut problem = machine.problem(ShippedSpot::TurnStd)?;
    let spot = &problem.spot;
    let mut config = spot.tree().config().clone();
    let menu: equipoise::game::BetMenu = bet_sizes.parse().map_err(anyhow::Error::from)?;
    for street in config.streets() {
        if let Some(menus) = config.menus_mut(street) {
            menus.oop.bet = menu.clone();
            menus.ip.bet = menu.clone();
            menus.donk = None;
        }
    }
    problem.spot = Spot::new(spot.ranges().clone(), *spot.board(), &config).map_err(anyhow::Error::from)?;
    Ok(problem)
}
