//! `equipoise import`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use equipoise::documents::command::{ImportDocument, ImportNoteDocument};
use equipoise::spot_import::{ImportError, ImportFormat, ImportNote, Imported, import};
use equipoise_files::{Outputs, read_text, read_text_from};
use equipoise_spots::spot_file;

use super::atomic_file;
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer, SCHEMA_VERSION};

/// Make a spot file of a file of another program
///
/// Reads TexasSolver's command script, the JSON configuration of WASM Postflop and Desktop Postflop, and PioSOLVER's
/// lines of #Key#value, and writes what they say as a spot file for `equipoise solve`. What means something else here is
/// not carried over; it is listed with its line on standard error, and at the top of the spot file.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ImportArgs {
    /// The file; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The spot file to write [default: standard output]
    #[arg(short, long, value_name = "SPOT.TOML")]
    output: Option<PathBuf>,

    /// Whose file it is: texassolver, wasm-postflop or piosolver [default: what its text looks like]
    #[arg(long, value_name = "FORMAT", value_parser = str::parse::<ImportFormat>)]
    format: Option<ImportFormat>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise import script.txt -o spot.toml
  equipoise import config.json | equipoise solve -
  xclip -o | equipoise import - --format piosolver --json

docs/import.md says what becomes of each command and key.

JSON:
  format                   texassolver, wasm-postflop or piosolver
  spot                     the text of the spot file
  output                   where it was written, with -o
  not_carried_over         for each thing: `line` in the file, `text` that stands there, and `reason`";

impl ImportArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let files = Outputs::new().read("the file to import", &self.file);
        self.force.check(files.write_if("-o", self.output.as_deref(), spot_file::KIND))?;
        let name = self.file.display().to_string();
        let text = self.read()?;
        let imported = import(&text, self.format).map_err(|error| bad_file(&name, error))?;
        let to_file = self.output.as_deref().filter(|path| *path != Path::new("-"));
        if let Some(output) = to_file {
            atomic_file::write_to(output, &imported.toml, printer)?;
        }
        if self.json.json {
            return printer.json(&document(name, &imported, to_file));
        }
        eprint!("{}", list(&name, &imported.notes));
        match to_file {
            None => printer.raw(imported.toml.as_bytes()),
            Some(output) => {
                let spot = &imported.problem.spot;
                let config = spot.tree().config();
                printer.text(&format!(
                    "  {} ({}): pot {} chips, stacks of {} chips, from a file of {}\n  written to {}\n",
                    printer.cards(spot.board().cards().to_vec()),
                    spot.board().street(),
                    config.starting_pot,
                    config.effective_stack,
                    imported.format,
                    output.display()
                ))
            }
        }
    }

    fn read(&self) -> Result<String, Failure> {
        let is_standard = self.file == Path::new("-");
        let name = if is_standard { "standard input".to_owned() } else { self.file.display().to_string() };
        let text = if is_standard { read_text_from(io::stdin()) } else { read_text(&self.file) };
        text.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => BadInput::new(format!("cannot read {name}: {error}")).into(),
            _ if is_standard => anyhow::Error::new(error).context("cannot read standard input").into(),
            _ => BadInput::new(format!("cannot read {name}: {error}")).into(),
        })
    }
}

fn document(file: String, imported: &Imported, output: Option<&Path>) -> ImportDocument {
    let note = |note: &ImportNote| ImportNoteDocument {
        line: note.line,
        text: note.text.clone(),
        reason: note.reason.clone(),
    };
    ImportDocument {
        schema_version: SCHEMA_VERSION,
        file,
        format: imported.format.name(),
        spot: imported.toml.clone(),
        output: output.map(|path| path.display().to_string()),
        not_carried_over: imported.notes.iter().map(note).collect(),
    }
}

/// What was not carried over, for standard error.
fn list(file: &str, notes: &[ImportNote]) -> String {
    let mut text = String::new();
    if !notes.is_empty() {
        let _ = writeln!(text, "not carried over from {file}:");
    }
    for note in notes {
        let line = note.line.map_or_else(String::new, |line| format!("line {line}: "));
        let _ = writeln!(text, "  {line}{}\n    {}", note.text, note.reason);
    }
    text
}

fn bad_file(file: &str, error: ImportError) -> Failure {
    let input = match &error.position {
        Some(at) => {
            let byte = at.text.char_indices().nth(at.column - 1).map_or(at.text.len(), |(byte, _)| byte);
            let place = format!("line {}", at.line);
            BadInput::new(format!("{file}: {error}")).in_text(place, &at.text, Some(byte))
        }
        None => BadInput::new(format!("{file}: {error}")),
    };
    match error.help {
        Some(help) => input.help(help).into(),
        None => input.into(),
    }
}
