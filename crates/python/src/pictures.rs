//! Pictures as SVG text.

use std::path::Path;

use equipoise_cards::HandClass;
use equipoise_export::svg::{Axis, Chart, page};
use equipoise_export::{HandGrid, hand_grids};
use equipoise_files::AtomicFile;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::arrays::{range, slice};
use crate::errors::Error;

/// The grid of a range.
#[pyfunction]
pub(crate) fn range_svg(weights: PyReadonlyArray1<'_, f32>, title: &str) -> PyResult<String> {
    let range = range(slice(&weights)?)?;
    let cell = |class: HandClass| {
        let weight = f64::from(range.class_weight(class));
        let note =
            if weight > 0.0 && weight < 1.0 { format!("{:.0}", 100.0 * weight) } else { String::new() };
        (weight, note)
    };
    let words = format!("{:.2} combos, {:.2} %", range.total_weight(), range.percent());
    let grid = HandGrid { title: words, cells: HandClass::all().map(cell).collect() };
    Ok(hand_grids(title, &[grid]))
}

/// Exploitability by iteration.
#[pyfunction]
pub(crate) fn convergence_svg(title: &str, lines: Vec<(String, Vec<(f64, f64)>)>) -> String {
    let points = || lines.iter().flat_map(|line| &line.1).filter(|point| point.0 > 0.0 && point.1 > 0.0);
    let x = Axis::log("iterations", points().map(|point| point.0));
    let y = Axis::log("exploitability, % of pot", points().map(|point| point.1));
    let mut chart = Chart::new(title, x, y);
    for (name, points) in lines.clone() {
        chart = chart.line(name, points);
    }
    page(&[chart])
}

/// Writes a text to a file, whole or not at all.
#[pyfunction]
pub(crate) fn write_text(path: &str, text: &str) -> PyResult<()> {
    let failed = |error: std::io::Error| PyErr::from(Error::new("FileError", format!("{path}: {error}")));
    let mut file = AtomicFile::create(Path::new(path)).map_err(failed)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failed)?;
    file.finish().map_err(failed)
}
