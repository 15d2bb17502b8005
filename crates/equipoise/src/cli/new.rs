//! `equipoise new`.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::Args;
use equipoise::cards::Board;
use equipoise::documents::command::{FormationDocument, FormationsDocument, NewDocument};
use equipoise::spot_file::Problem;
use equipoise_files::Outputs;
use equipoise_spots::formation::{Formation, FormationRake};

use super::atomic_file;
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::table::{Align, Table};

/// Write a spot file to begin with
///
/// An annotated flop spot of a formation, with ranges, bet sizes and rake, to be changed and solved. In a terminal it
/// asks for what is not given. The ranges are approximations, not solved.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{}", listed()))]
pub(crate) struct NewArgs {
    /// The formation, such as srp-btn-bb [default: asks, or lists them]
    #[arg(value_name = "FORMATION")]
    formation: Option<String>,

    /// Starting stacks, in big blinds
    #[arg(long, value_name = "BB", default_value_t = 100.0)]
    depth: f64,

    /// Rake: none, nl10, nl25, nl50, nl100, nl200, or such as 5%/3bb [default: none]
    #[arg(long, value_name = "RAKE", value_parser = str::parse::<FormationRake>)]
    rake: Option<FormationRake>,

    /// The flop, and the turn and river if play begins there
    #[arg(long, value_name = "CARDS", default_value = "Qs7h2c")]
    board: String,

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

impl NewArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let kind = equipoise::spot_file::KIND;
        self.force.check(Outputs::new().write_if("-o", self.output.as_deref(), kind))?;
        let (formation, rake) = match &self.formation {
            Some(name) => (named(name)?, self.rake.unwrap_or_default()),
            None if io::stdin().is_terminal() && io::stderr().is_terminal() => self.ask()?,
            None => return self.list(printer),
        };
        let text = self.text(formation, rake)?;
        if let Some(path) = &self.output
            && atomic_file::write_to(path, &text, printer)?
        {
            return Ok(());
        }
        if self.json.json {
            return printer.json(&NewDocument {
                schema_version: SCHEMA_VERSION,
                formation: formation.name,
                spot: text,
                output: self.output.as_ref().map(|path| path.display().to_string()),
            });
        }
        match &self.output {
            None => printer.text(&text),
            Some(path) => printer.text(&format!(
                "  {}, written to {}\n  `equipoise solve {} -o spot.eqp` solves it\n",
                formation.title,
                path.display(),
                path.display()
            )),
        }
    }

    fn text(&self, formation: &Formation, rake: FormationRake) -> Result<String, BadInput> {
        let board: Board = self
            .board
            .parse()
            .map_err(|error| BadInput::new(format!("{error}")).in_text("--board", &self.board, None))?;
        let text = formation.spot_file(&board, self.depth, rake).map_err(|error| {
            BadInput::new(format!("{} big blinds are not enough or too many", error.depth_bb))
                .help(format!("each player has invested {} before the flop", error.invested_bb))
        })?;
        // What is written can be solved.
        text.parse::<Problem>().map_err(|error| super::spot::bad_spot("the spot", &error))?;
        Ok(text)
    }

    /// Asks for what is not given, as long as answers make no sense.
    fn ask(&self) -> Result<(&'static Formation, FormationRake), Failure> {
        let mut err = io::stderr();
        for (number, formation) in Formation::ALL.iter().enumerate() {
            let _ = writeln!(err, "  {}  {:14} {}", number + 1, formation.name, formation.title);
        }
        let formation = question("formation (number or name)", |answer| {
            let by_number =
                answer.parse::<usize>().ok().and_then(|number| Formation::ALL.get(number.checked_sub(1)?));
            by_number.or_else(|| Formation::named(answer))
        })?;
        let rake = match self.rake {
            Some(rake) => rake,
            None => question("rake (none, nl50, 5%/3bb)", |answer| {
                if answer.is_empty() { Some(FormationRake::default()) } else { answer.parse().ok() }
            })?,
        };
        Ok((formation, rake))
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

/// Asks until an answer makes sense.
fn question<T>(what: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Failure> {
    loop {
        let _ = write!(io::stderr(), "{what}: ");
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer)? == 0 {
            return Err(BadInput::new("no answer").help("give the formation on the command line").into());
        }
        if let Some(found) = read(answer.trim()) {
            return Ok(found);
        }
    }
}
