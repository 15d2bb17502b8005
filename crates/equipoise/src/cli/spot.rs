//! Spot files: reads them and says what is wrong with one.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use equipoise::postflop::Header;
use equipoise::spot_file::{Position, Problem, SHIPPED, SpotFileError};
use equipoise_files::{read_text, read_text_from};

use super::failure::{BadInput, Failure};

/// Reads a spot file, or takes the shipped spot.
pub(crate) fn load(path: Option<&Path>) -> Result<Problem, Failure> {
    let (name, text) = match path {
        None => ("the shipped turn spot".to_owned(), SHIPPED.to_owned()),
        Some(path) if path == Path::new("-") => {
            ("standard input".to_owned(), text_of(read_text_from(io::stdin()), "from standard input")?)
        }
        Some(path) => {
            let name = path.display().to_string();
            if is_solution(path) {
                return Err(no_spot_file(&name).into());
            }
            (name.clone(), text_of(read_text(path), &name)?)
        }
    };
    Ok(parse(&name, &text)?)
}

/// Reads the text of a spot file of this name.
pub(crate) fn parse(name: &str, text: &str) -> Result<Problem, BadInput> {
    text.parse().map_err(|error| bad_spot(name, &error))
}

/// Whether a file begins as solutions do.
fn is_solution(path: &Path) -> bool {
    let mut first = [0; 8];
    // Reading a pipe would take away what is looked for.
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok()
        && Header::begins(&first)
}

fn no_spot_file(name: &str) -> BadInput {
    BadInput::new(format!("{name} is a solution, not a spot file")).help(format!(
        "`equipoise show {name}` shows it, `equipoise resume {name}` continues it, and `equipoise solve --from {name}` \
         solves its spot again, from there or with other locks"
    ))
}

/// The text that was read, or why there is none.
fn text_of(read: io::Result<String>, name: &str) -> Result<String, Failure> {
    read.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::InvalidData => {
            BadInput::new(format!("cannot read the spot file {name}: {error}"))
                .help("give the name of a TOML file, or none to solve the shipped turn spot")
                .into()
        }
        _ => anyhow::Error::new(error).context(format!("cannot read the spot file {name}")).into(),
    })
}

/// Shows the line that is wrong, with a mark.
pub(crate) fn bad_spot(name: &str, error: &SpotFileError) -> BadInput {
    let input = match error.position() {
        Some(Position { line, column, text, .. }) => {
            let mark = text.char_indices().nth(column - 1).map_or(text.len(), |(at, _)| at);
            BadInput::new(error.message()).in_text(format!("{name}, line {line}"), text, Some(mark))
        }
        None => BadInput::new(format!("{name}: {}", error.message())),
    };
    match error.suggestion() {
        Some(suggestion) => input.help(suggestion),
        None => input,
    }
}
