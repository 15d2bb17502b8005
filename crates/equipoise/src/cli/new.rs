//! `equipoise new`.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use equipoise::cards::{Board, Street};
use equipoise::documents::command::{FormationDocument, FormationsDocument, NewDocument};
use equipoise::spot_file::Problem;
use equipoise_files::Outputs;
use equipoise_spots::formation::{DepthError, Formation, FormationRake};

use super::atomic_file;
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::table::{Align, Table};

/// Write a spot file to begin with
///
/// An annotated flop spot of a formation, with ranges, bet sizes and rake, to be changed and solved. Without a formation
/// it asks in a terminal for what is not given. The ranges are approximations, not solved.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{}", listed()))]
pub(crate) struct NewArgs {
    /// The formation, such as srp-btn-bb [default: asks, or lists them]
    #[arg(value_name = "FORMATION")]
    formation: Option<String>,

    /// Starting stacks, in big blinds [default: 100]
    #[arg(long, value_name = "BB")]
    depth: Option<f64>,

    /// Rake: none, nl10, nl25, nl50, nl100, nl200, or such as 5%/3bb [default: none]
    #[arg(long, value_name = "RAKE", value_parser = str::parse::<FormationRake>)]
    rake: Option<FormationRake>,

    /// The flop, and the turn and river if play begins there [default: Qs7h2c]
    #[arg(long, value_name = "CARDS")]
    board: Option<String>,

    /// The spot file to write [default: standard output]
    #[arg(short, long, value_name = "SPOT.TOML")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise new srp-btn-bb -o spot.toml
  equipoise new 3bet-co-btn --depth 150 --rake nl50 --board Td9d6h -o spot.toml
  equipoise new srp-btn-bb --board Td9d6hQc | equipoise solve - -o spot.eqp

JSON: `formation`, `spot` (the text of the spot file), `output` (where it was written, with -o); without a
formation `formations`: `name`, `title`";

/// What players sit down with, where nobody says otherwise.
const DEPTH_BB: f64 = 100.0;
/// The flop, where nobody says otherwise.
const BOARD: &str = "Qs7h2c";

/// A spot to be written, and where to.
struct Wanted {
    formation: &'static Formation,
    depth_bb: f64,
    rake: FormationRake,
    board: Board,
    output: Option<PathBuf>,
}

impl NewArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        self.check_output(self.output.as_deref())?;
        let wanted = match &self.formation {
            Some(name) => self.given(named(name)?)?,
            None if io::stdin().is_terminal() && io::stderr().is_terminal() => self.ask()?,
            None => return self.list(printer),
        };
        let text = wanted.text()?;
        if let Some(path) = &wanted.output
            && atomic_file::write_to(path, &text, printer)?
        {
            return Ok(());
        }
        if self.json.json {
            return printer.json(&NewDocument {
                schema_version: SCHEMA_VERSION,
                formation: wanted.formation.name,
                spot: text,
                output: wanted.output.as_ref().map(|path| path.display().to_string()),
            });
        }
        match &wanted.output {
            None => printer.text(&text),
            Some(path) => printer.text(&format!(
                "  {}, written to {}\n  `equipoise solve {} -o spot.eqp` solves it\n",
                wanted.formation.title,
                path.display(),
                path.display()
            )),
        }
    }

    fn check_output(&self, path: Option<&Path>) -> Result<(), Failure> {
        self.force.check(Outputs::new().write_if("-o", path, equipoise::spot_file::KIND))
    }

    fn given(&self, formation: &'static Formation) -> Result<Wanted, BadInput> {
        let board = self.board.as_deref().unwrap_or(BOARD);
        let board =
            flop_or_later(board).map_err(|error| BadInput::new(error).in_text("--board", board, None))?;
        let depth_bb = self.depth.unwrap_or(DEPTH_BB);
        let rake = self.rake.unwrap_or_default();
        Ok(Wanted { formation, depth_bb, rake, board, output: self.output.clone() })
    }

    /// Asks for what is not given, each question as long as its answer makes no sense.
    fn ask(&self) -> Result<Wanted, Failure> {
        let mut err = anstream::stderr();
        for (number, formation) in Formation::ALL.iter().enumerate() {
            let _ = writeln!(err, "  {}  {:14} {}", number + 1, formation.name, formation.title);
        }
        let formation = question("formation, by number or name", "", chosen)?;
        // What is given counts as given; what it lacks is asked for.
        let mut wanted = self.given(formation)?;
        if self.depth.is_none() {
            wanted.depth_bb = question("depth in big blinds", "100", |answer| {
                let depth_bb = answer
                    .trim_end_matches("bb")
                    .trim_end()
                    .parse()
                    .map_err(|_| "write a number, such as 100")?;
                let refused = |error: DepthError| error.to_string();
                formation.spot_file(&wanted.board, depth_bb, wanted.rake).map(|_| depth_bb).map_err(refused)
            })?;
        }
        if self.rake.is_none() {
            wanted.rake = question("rake: none, nl50, 5%/3bb, …", "none", str::parse)?;
        }
        if self.board.is_none() {
            wanted.board = question("board", BOARD, flop_or_later)?;
        }
        // Where the text of the spot goes somewhere else, that is where it was meant to go.
        if self.output.is_none() && io::stdout().is_terminal() {
            wanted.output = question("file to write; - prints the spot", "spot.toml", |answer| {
                let path = PathBuf::from(answer);
                self.check_output(Some(&path)).map_err(|failure| match failure {
                    Failure::Input(refused) => refused.to_string().trim_end().to_owned(),
                    _ => format!("{} cannot be written", path.display()),
                })?;
                Ok(Some(path))
            })?;
        }
        Ok(wanted)
    }

    fn list(&self, printer: &Printer) -> Result<(), Failure> {
        if self.json.json {
            let named =
                |formation: &Formation| FormationDocument { name: formation.name, title: formation.title };
            let formations = Formation::ALL.iter().map(named).collect();
            return printer.json(&FormationsDocument { schema_version: SCHEMA_VERSION, formations });
        }
        let mut table = Table::new(&[("formation", Align::Left), ("what it is", Align::Left)]);
        for formation in Formation::ALL {
            table.row([formation.name.to_owned(), formation.title.to_owned()]);
        }
        printer.text(&format!("{}\n  `equipoise new srp-btn-bb -o spot.toml` writes one\n", table.render()))
    }
}

impl Wanted {
    fn text(&self) -> Result<String, BadInput> {
        let text = self.formation.spot_file(&self.board, self.depth_bb, self.rake).map_err(|error| {
            BadInput::new(format!("{} big blinds are not enough or too many", error.depth_bb))
                .help(format!("each player has invested {} before the flop", error.invested_bb))
        })?;
        // What is written can be solved.
        text.parse::<Problem>().map_err(|error| super::spot::bad_spot("the spot", &error))?;
        Ok(text)
    }
}

fn named(name: &str) -> Result<&'static Formation, BadInput> {
    Formation::named(name).ok_or_else(|| {
        let names = Formation::ALL.map(|formation| formation.name);
        BadInput::new(format!("no formation is called '{name}'"))
            .help(format!("there are {}", names.join(", ")))
    })
}

/// All of them, for the help.
fn listed() -> String {
    let mut text = "Formations:".to_owned();
    for formation in Formation::ALL {
        text.push_str(&format!("\n  {:12}  {}", formation.name, formation.title));
    }
    text
}

/// A board that a spot can begin on.
fn flop_or_later(text: &str) -> Result<Board, String> {
    let board: Board = text.parse().map_err(|error| format!("{error}"))?;
    if board.street() == Street::Preflop {
        return Err("a spot begins on the flop or later: write three to five cards".to_owned());
    }
    Ok(board)
}

/// A formation by its number in the list, or by name.
fn chosen(answer: &str) -> Result<&'static Formation, String> {
    let by_number =
        answer.parse::<usize>().ok().and_then(|number| Formation::ALL.get(number.checked_sub(1)?));
    by_number
        .or_else(|| Formation::named(answer))
        .ok_or_else(|| format!("write a number from 1 to {}, or a name", Formation::ALL.len()))
}

/// Asks until an answer makes sense; nothing but Enter is the usual answer, if there is one.
fn question<T>(what: &str, usual: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<T, Failure> {
    let mut err = anstream::stderr();
    loop {
        let _ = if usual.is_empty() { write!(err, "{what}: ") } else { write!(err, "{what} [{usual}]: ") };
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer)? == 0 {
            return Err(BadInput::new("no answer").help("give the formation on the command line").into());
        }
        let answer = answer.trim();
        match read(if answer.is_empty() { usual } else { answer }) {
            Ok(found) => return Ok(found),
            Err(why) => {
                let _ = writeln!(err, "  {why}");
            }
        }
    }
}
