//! Files of solutions together with the spot files that they were made from.

use std::path::Path;

use equipoise_files::FileKind;
use equipoise_postflop::{FileError, Header, Reader};
use equipoise_spots::spot_file::Problem;

/// Solutions among other files.
pub const KIND: FileKind = FileKind::new("a solution", Header::begins);

/// Opens a solution that `equipoise solve -o` has written; also its problem, with the algorithm that was used.
///
/// # Errors
/// [`FileError`] if the file is missing, damaged, of another kind or of a newer format.
pub fn open(path: &Path) -> Result<(Reader, Header, Problem), FileError> {
    open_unless(path, &|| false)
}

/// The same, given up soon after `is_cancelled` says so.
///
/// # Errors
/// As [`open`]; also if it was given up.
pub fn open_unless(
    path: &Path,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(Reader, Header, Problem), FileError> {
    let mut problem = None;
    let (reader, header) = Reader::open(path, |text| {
        let found = Problem::read_unless(text, is_cancelled)
            .map_err(|error| format!("its configuration, {error}"))?;
        Ok(problem.insert(found).spot.clone())
    })?;
    let mut problem = problem.expect("an open file has a problem");
    if let Ok(algorithm) = header.algorithm.parse() {
        problem.options.algorithm = algorithm;
    }
    problem.options.target_pct = header.target_pct;
    Ok((reader, header, problem))
}
