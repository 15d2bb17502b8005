//! What each storage mode takes, and what it reaches.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use equipoise_game::BetMenu;
use equipoise_postflop::{Precision, SolveProgress, Solver, Spot, StopReason, Storage};
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::Problem;

use crate::markdown::{Table, grouped};
use crate::measure::human;
use crate::timing;

/// In percent of the pot: a mode that gets there is not limited by its storage.
const TARGET: f64 = 0.005;
/// A solve that has neither converged nor stalled by then is shown as it stands.
const MAX_ITERATIONS: u32 = 3000;
/// The only bet of the third spot.
const SMALL: &str = "75%";

fn modes() -> Vec<Storage> {
    let [bits32, bits16, bits8, bits4] = Precision::ALL.map(Storage::of);
    let log = |storage: Storage| Storage { log_encoding: true, ..storage };
    let lazy = |storage: Storage| Storage { lazy_normalization: NonZeroU32::new(10), ..storage };
    let mixed = |strategy: Precision| Storage { strategy, ..bits16 };
    vec![
        bits32,
        bits16,
        mixed(Precision::Bits8),
        bits8,
        mixed(Precision::Bits4),
        bits4,
        log(bits8),
        log(bits4),
        lazy(bits16),
        lazy(bits8),
        lazy(bits4),
    ]
}

/// Every mode on three spots.
pub(super) fn tables() -> anyhow::Result<String> {
    let turn = timing::problem(ShippedText::TURN.toml)?;
    let mut small = turn.clone();
    small.spot = with_bets(&turn.spot, SMALL)?;
    let spots = [
        ("river-std".to_owned(), timing::problem(ShippedText::RIVER.toml)?),
        ("turn-std".to_owned(), turn),
        (format!("turn-std with bets of {SMALL}"), small),
    ];
    let mut text = format!(
        "\"Reaches\" is the least exploitability of any check, in % of pot, and \"at\" its iteration; the target is \
         {TARGET} %, with at most\n{} iterations. `{}`, {} threads.\n",
        grouped(MAX_ITERATIONS.into()),
        spots[0].1.options.algorithm,
        timing::num_threads(),
    );
    for (name, problem) in spots {
        let mut table = Table::new(&[name.as_str(), "tables", "per iteration", "reaches", "at", "stalls"]);
        for storage in modes() {
            table.row(row(&problem, storage)?);
        }
        text.push_str(&format!("\n{}", table.finish()));
    }
    Ok(text)
}

/// A spot with the same bets for both players on every street; raises stay.
fn with_bets(spot: &Spot, bets: &str) -> anyhow::Result<Spot> {
    let mut config = spot.tree().config().clone();
    let menu: BetMenu = bets.parse()?;
    for street in config.streets() {
        if let Some(menus) = config.menus_mut(street) {
            menus.oop.bet = menu.clone();
            menus.ip.bet = menu.clone();
            menus.donk = None;
        }
    }
    Ok(Spot::new(spot.ranges().clone(), *spot.board(), &config)?)
}

fn row(problem: &Problem, storage: Storage) -> anyhow::Result<[String; 6]> {
    let mut problem = problem.clone();
    problem.options.storage = storage;
    problem.options.target_pct = TARGET;
    problem.options.max_iterations = MAX_ITERATIONS;
    let tables = Solver::memory(&problem.spot, &problem.options).tables;
    let seconds = timing::seconds_per_iteration(&problem)?;
    let (mut least, mut at) = (f64::INFINITY, 0);
    let reason = timing::solver(&problem)?.run(&mut |progress: &SolveProgress| {
        if let Some(found) = progress.exploitability.filter(|found| found.pct_pot < least) {
            (least, at) = (found.pct_pot, progress.iteration);
        }
        ControlFlow::Continue(())
    });
    Ok([
        storage.to_string(),
        bytes(tables),
        human(seconds),
        format!("{least:.4} %"),
        grouped(at.into()),
        if reason == StopReason::Stalled { "yes" } else { "" }.to_owned(),
    ])
}

fn bytes(count: u64) -> String {
    const MIB: u64 = 1 << 20;
    if count < MIB {
        format!("{:.1} KiB", count as f64 / 1024.0)
    } else {
        format!("{:.1} MiB", count as f64 / MIB as f64)
    }
}
