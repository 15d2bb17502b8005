//! Jam or fold as text.

use equipoise::blueprint::pushfold::PushFoldSolution;
use equipoise::cards::{HandClass, Range};

use super::super::grid::grid;
use super::super::print::Printer;
use super::super::table::{Align, Table, percent};
use super::stakes::{Game, Unit};

pub(super) fn report(game: &Game, solution: &PushFoldSolution, printer: &Printer) -> String {
    let unit = game.unit;
    let (name, error) = match unit {
        Unit::BigBlinds(_) => ("bb", format!("exploitability {:.2e} bb", unit.of(solution.exploitability()))),
        Unit::Prizes => {
            let [small, big] = solution.gains();
            ("prizes", format!("ε: the small blind could gain {small:.2e}, the big blind {big:.2e}"))
        }
    };
    let heading = format!("EV ({name})");
    let fold = format!("EV of a fold ({name})");
    let columns = [
        ("player", Align::Left),
        ("plays", Align::Right),
        (heading.as_str(), Align::Right),
        (fold.as_str(), Align::Right),
    ];
    let mut table = Table::new(&columns);
    let ev = |value: f64| format!("{:+.6}", unit.of(value));
    for (id, (player, share)) in
        [("small blind, jam", solution.jam_share()), ("big blind, call", solution.call_share())]
            .into_iter()
            .enumerate()
    {
        table.row([player.to_owned(), percent(share), ev(solution.ev()[id]), ev(solution.ev_fold()[id])]);
    }
    let jam = grid(&range(|class| solution.jam(class)), printer.colour());
    let call = grid(&range(|class| solution.call(class)), printer.colour());
    format!(
        "  {}\n\n{}  {error}\n\n  the small blind jams\n{jam}\n  the big blind calls\n{call}",
        game.title,
        table.render()
    )
}

/// Frequencies as a range; what is within 1e-3 of pure is shown as pure.
pub(super) fn range(frequency: impl Fn(HandClass) -> f64) -> Range {
    let mut range = Range::empty();
    for class in HandClass::all() {
        let weight = match frequency(class) {
            low if low < 1e-3 => 0.0,
            high if high > 1.0 - 1e-3 => 1.0,
            part => part as f32,
        };
        range.set_class(class, weight).expect("a frequency is a weight");
    }
    range
}
