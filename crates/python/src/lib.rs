//! The extension module `equipoise._equipoise`: arrays and text in, arrays and text out.
//!
//! Everything is computed by the crates below; here numbers are checked and handed over, long work is watched
//! ([`work`]), and errors become Python's ([`errors`]). The classes that people use are written in Python, in
//! `python/equipoise`.

mod abstraction;
mod arrays;
mod batch;
mod blueprint;
mod cards;
mod cfr;
mod equity;
mod errors;
mod job;
mod pictures;
mod play;
mod problem;
mod pushfold;
mod ranges;
mod solution;
mod solver;
mod whole;
mod work;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _equipoise {
    use super::*;

    #[pymodule_export]
    use super::abstraction::{Abstraction, distribution_svg, features};
    #[pymodule_export]
    use super::batch::{Plan, batch_listing, batch_report};
    #[pymodule_export]
    use super::blueprint::{Blueprint, preflop, train_blueprint};
    #[pymodule_export]
    use super::cards::{
        board_strengths, card_names, categories, category_names, class_names, combo_cards, combo_names, deal,
        describe, listed_order, parse_cards, strengths,
    };
    #[pymodule_export]
    use super::cfr::{GameTree, Trainer};
    #[pymodule_export]
    use super::equity::{equities, equity, equity_matrix};
    #[pymodule_export]
    use super::job::{Stop, check_engine, engine, memory_limit, solve_job};
    #[pymodule_export]
    use super::pictures::{convergence_svg, range_svg, write_text};
    #[pymodule_export]
    use super::play::lbr;
    #[pymodule_export]
    use super::problem::{Problem, import_spot, read_text, shipped_spots};
    #[pymodule_export]
    use super::pushfold::{make_three_way_table, push_fold, push_fold_chart, push_fold_table};
    #[pymodule_export]
    use super::ranges::{
        named_ranges, range_combine, range_grid, range_of_grid, range_of_weights, range_parse, range_text,
    };

    #[pymodule_export]
    use super::solution::Solution;
    #[pymodule_export]
    use super::solver::{Solver, file_header};
    #[pymodule_export]
    use super::whole::{Hand, icm, read_hands};
    #[pymodule_export]
    use super::work::finish_saving;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
