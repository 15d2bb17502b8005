//! Plans: which spots on which flops, from TOML.

mod file;

use std::io;
use std::path::{Path, PathBuf};

use equipoise_cards::{CanonicalBoard, Range};
use equipoise_documents::batch::Save;
use equipoise_files::read_text;
use equipoise_spots::spot_file::{self, Cause, Document, Problem, SpotFileError, nearest};
use thiserror::Error;
use toml::{Table, Value};

use crate::flops::{self, Flop, named_flops};
use file::{PlanFile, SpotEntry, keys_at};

/// The version of the format that is read.
pub const SCHEMA_VERSION: i64 = 1;

/// Why a plan cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The plan, or the file of a spot.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something in a file is wrong.
    #[error("{}: {error}", path.display())]
    File {
        /// The plan, or the file of a spot.
        path: PathBuf,
        /// What, and where.
        error: SpotFileError,
    },
}

/// A spot of a plan, not yet on any flop.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlannedSpot {
    /// How it is called.
    pub name: String,
    /// Its flops; none if it has a board of its own.
    pub flops: Vec<Flop>,
    /// The sections of its spot file.
    sections: Table,
    /// Where it is written.
    origin: Origin,
}

/// The file that a spot is written in, and the place there.
#[derive(Clone, Debug)]
struct Origin {
    path: PathBuf,
    text: String,
    /// Such as `spots.0`; empty if the file is a spot file.
    place: String,
}

impl PlannedSpot {
    /// The text of the spot file on a flop, or on the spot's own board.
    #[must_use]
    pub(crate) fn text_on(&self, flop: Option<&Flop>) -> String {
        let mut sections = self.sections.clone();
        if let Some(flop) = flop {
            let cards = Table::from_iter([("flop".to_owned(), Value::String(flop.board.to_string()))]);
            sections.insert("cards".to_owned(), Value::Table(cards));
            drop_blocked(&mut sections, flop);
        }
        sections.insert("schema_version".to_owned(), Value::Integer(spot_file::SCHEMA_VERSION));
        toml::to_string(&sections).expect("what was read can be written")
    }

    /// The problem on a flop, or on the spot's own board.
    ///
    /// # Errors
    /// [`SpotFileError`] about the text of the spot on that flop.
    pub fn problem_on(&self, flop: Option<&Flop>) -> Result<Problem, SpotFileError> {
        self.text_on(flop).parse()
    }

    /// Whether both ranges have the same weight for all combos of a class, so that a flop stands for all that differ from
    /// it in suits only.
    #[must_use]
    pub fn is_suit_symmetric(&self) -> bool {
        let range = |player: &str| self.sections.get("ranges")?.get(player)?.as_str()?.parse::<Range>().ok();
        ["oop", "ip"].into_iter().filter_map(range).all(|range| range.is_suit_symmetric())
    }

    /// What is wrong with the problem, at its place in the file that the user wrote.
    #[must_use]
    pub fn at_home(&self, error: &SpotFileError) -> PlanError {
        let Origin { path, text, place } = &self.origin;
        let keys = if place.is_empty() { spot_file::keys_at } else { keys_at };
        let error = match Document::parse::<Table>(text, keys) {
            Ok((document, _)) => document.at_home(place, error),
            Err(error) => error,
        };
        PlanError::File { path: path.clone(), error }
    }
}

/// Spots and their flops, and what is kept of them.
///
/// ```
/// use equipoise_batch::Plan;
/// let text = r#"
/// flops = ["As7d2c", "Td9d6h"]
/// [[spots]]
/// [spots.ranges]
/// oop = "QQ+"
/// ip = "JJ-99,AK"
/// [spots.tree]
/// starting_pot = 200
/// effective_stack = 400
/// preset = "simple"
/// "#;
/// let plan = Plan::parse(text, "plan.toml".as_ref())?;
/// assert_eq!((plan.spots[0].name.as_str(), plan.spots[0].flops.len()), ("spot", 2));
///
/// let error = Plan::parse(&text.replace("flops", "flop"), "plan.toml".as_ref()).unwrap_err();
/// assert_eq!(error.to_string(), "plan.toml: line 2, column 1: unknown section or key `flop`");
/// # Ok::<(), equipoise_batch::PlanError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The text that all this was read from.
    pub text: String,
    /// What is kept of every job.
    pub save: Save,
    /// The spots, each with a name of its own.
    pub spots: Vec<PlannedSpot>,
}

impl Plan {
    /// Reads a plan, and the files of spots that it names, from its folder on.
    ///
    /// # Errors
    /// [`PlanError`] says which file is wrong, and where.
    pub fn read(path: &Path) -> Result<Plan, PlanError> {
        Plan::parse(&read(path)?, path)
    }

    /// Reads the text of a plan that stands in this file.
    ///
    /// # Errors
    /// [`PlanError`] says which file is wrong, and where.
    pub fn parse(text: &str, path: &Path) -> Result<Plan, PlanError> {
        let wrong = |error: SpotFileError| PlanError::File { path: path.to_owned(), error };
        let (document, file) = Document::parse::<PlanFile>(text, keys_at).map_err(wrong)?;
        let reading = Reading { document: &document, text, path };
        if let Some(found) = file.schema_version.filter(|&version| version != SCHEMA_VERSION) {
            return Err(wrong(document.wrong("schema_version", Cause::Version { found })));
        }
        let save = reading.save(file.save.as_deref()).map_err(wrong)?;
        let flops = file.flops.as_ref().map(|flops| reading.flops("flops", flops)).transpose();
        let flops = flops.map_err(wrong)?;
        if file.spots.is_empty() {
            let help = "add a section [[spots]] with `file = \"spot.toml\"`, or with [spots.ranges] and the other \
                        sections of a spot file";
            return Err(wrong(document.wrong("spots", "there is no spot to solve").help(help)));
        }
        let mut spots: Vec<PlannedSpot> = Vec::new();
        for (number, entry) in file.spots.iter().enumerate() {
            let spot = reading.spot(number, entry, flops.as_deref())?;
            if spots.iter().any(|other| other.name == spot.name) {
                let message = format!("two spots are called '{}'", spot.name);
                let help = "give each a `name` of its own";
                return Err(wrong(document.wrong(&format!("spots.{number}.name"), message).help(help)));
            }
            spots.push(spot);
        }
        Ok(Plan { text: text.to_owned(), save, spots })
    }
}

/// Which flops a spot is solved on.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums)] // A name or a list, as in plans.
pub enum FlopChoice {
    /// One of [`NAMES`](crate::NAMES).
    Named(String),
    /// Flops, with weights if wanted.
    Listed(Vec<String>),
}

impl Plan {
    /// The plan of one spot file over flops; the board of the spot is left out.
    ///
    /// # Errors
    /// [`PlanError`] says what is wrong with the spot file or the flops.
    pub fn of_spot(name: &str, spot: &str, flops: &FlopChoice, save: Save) -> Result<Plan, PlanError> {
        let path = Path::new("spot.toml");
        let wrong = |error| PlanError::File { path: path.to_owned(), error };
        let (_, mut sections) = Document::parse::<Table>(spot, spot_file::keys_at).map_err(wrong)?;
        for section in ["cards", "schema_version"] {
            sections.remove(section);
        }
        sections.insert("name".to_owned(), Value::String(name.to_owned()));
        let flops = match flops {
            FlopChoice::Named(name) => Value::String(name.clone()),
            FlopChoice::Listed(flops) => Value::Array(flops.iter().cloned().map(Value::String).collect()),
        };
        let plan = Table::from_iter([
            ("schema_version".to_owned(), Value::Integer(SCHEMA_VERSION)),
            ("flops".to_owned(), flops),
            ("save".to_owned(), Value::String(save.name().to_owned())),
            ("spots".to_owned(), Value::Array(vec![Value::Table(sections)])),
        ]);
        let text = toml::to_string(&plan).expect("what was read can be written");
        Plan::parse(&text, Path::new("plan.toml"))
    }
}

/// The text of a spot file on a flop instead of its own board, without locks, of which that flop may leave nothing: what is
/// counted before a plan is made.
///
/// # Errors
/// [`PlanError`] if the text is no TOML or has unknown keys.
pub fn on_flop(spot: &str, flop: &str) -> Result<String, PlanError> {
    let parsed = Document::parse::<Table>(spot, spot_file::keys_at);
    let (_, mut sections) =
        parsed.map_err(|error| PlanError::File { path: PathBuf::from("spot.toml"), error })?;
    let cards = Table::from_iter([("flop".to_owned(), Value::String(flop.to_owned()))]);
    sections.insert("cards".to_owned(), Value::Table(cards));
    sections.remove("locks");
    Ok(toml::to_string(&sections).expect("what was read can be written"))
}

/// Takes away what locks say of hands that a flop makes impossible: it is meant for the other flops.
fn drop_blocked(sections: &mut Table, flop: &Flop) {
    let Some(Value::Array(locks)) = sections.get_mut("locks") else { return };
    let is_possible = |text: &str| {
        let range = text.parse::<Range>();
        range.map_or(true, |range| range.iter().any(|(combo, _)| !combo.cards().intersects(flop.board.set())))
    };
    locks.retain_mut(|lock| {
        let Some(Value::Table(hands)) = lock.get_mut("hands") else { return true };
        let before = hands.len();
        hands.retain(|text, _| is_possible(text));
        before == hands.len() || !hands.is_empty() || lock.get("strategy").is_some()
    });
}

fn read(path: &Path) -> Result<String, PlanError> {
    read_text(path).map_err(|source| PlanError::Read { path: path.to_owned(), source })
}

/// A plan that is being read.
struct Reading<'a> {
    document: &'a Document<'a>,
    text: &'a str,
    path: &'a Path,
}

impl Reading<'_> {
    fn save(&self, written: Option<&str>) -> Result<Save, SpotFileError> {
        let Some(name) = written else { return Ok(Save::default()) };
        Save::ALL.into_iter().find(|save| save.name() == name).ok_or_else(|| {
            let known = Save::ALL.map(Save::name);
            let help = nearest(name, &known).map_or_else(
                || format!("write one of {}", known.join(", ")),
                |near| format!("did you mean \"{near}\"?"),
            );
            self.document.wrong("save", format!("'{name}' is no way to save")).help(help)
        })
    }

    fn flops(&self, place: &str, written: &Value) -> Result<Vec<Flop>, SpotFileError> {
        match written {
            Value::String(name) => self.named(place, name),
            Value::Integer(number) => self.named(place, &number.to_string()),
            Value::Array(list) => self.listed(place, list),
            _ => Err(self.document.wrong(place, "must be a name or a list of flops").help(FLOPS_HELP)),
        }
    }

    fn named(&self, place: &str, name: &str) -> Result<Vec<Flop>, SpotFileError> {
        named_flops(name).ok_or_else(|| {
            let message = format!("there are no flops called '{name}'");
            let help = match name.parse::<Flop>() {
                Ok(_) => format!("write a list: [\"{name}\"]"),
                Err(_) => FLOPS_HELP.to_owned(),
            };
            self.document.wrong(place, message).help(help)
        })
    }

    fn listed(&self, place: &str, list: &[Value]) -> Result<Vec<Flop>, SpotFileError> {
        let mut flops: Vec<(Flop, &str)> = Vec::new();
        for (i, value) in list.iter().enumerate() {
            let place = format!("{place}.{i}");
            let wrong = |message: String| self.document.wrong(&place, message);
            let Value::String(text) = value else {
                return Err(wrong("a flop is text, such as \"As7d2c\"".to_owned()));
            };
            let flop: Flop = text.parse().map_err(|error: flops::ParseFlopError| wrong(error.to_string()))?;
            let is_weighted = |text: &str| Flop::parts(text).1.is_some();
            for (other, written) in &flops {
                if other.board == flop.board {
                    return Err(wrong(format!("{text} is in the list twice")));
                }
                let is_same =
                    CanonicalBoard::new(&other.board).board() == CanonicalBoard::new(&flop.board).board();
                if is_same && !(is_weighted(written) && is_weighted(text)) {
                    let message =
                        format!("{text} differs from {written} in suits only, so that it would count twice");
                    return Err(
                        wrong(message).help("remove one of them, or give both a weight, as in As7d2c:12")
                    );
                }
            }
            flops.push((flop, text));
        }
        if flops.is_empty() {
            return Err(self.document.wrong(place, "the list of flops is empty").help(FLOPS_HELP));
        }
        Ok(flops.into_iter().map(|(flop, _)| flop).collect())
    }

    fn spot(
        &self,
        number: usize,
        entry: &SpotEntry,
        flops: Option<&[Flop]>,
    ) -> Result<PlannedSpot, PlanError> {
        let place = format!("spots.{number}");
        let here = |error| PlanError::File { path: self.path.to_owned(), error };
        let own = match &entry.flops {
            Some(Value::String(name)) if name == "own" => Some(Vec::new()),
            Some(written) => Some(self.flops(&format!("{place}.flops"), written).map_err(here)?),
            None => None,
        };
        let flops = own.or_else(|| flops.map(<[Flop]>::to_vec)).unwrap_or_default();
        let (sections, origin, name) = match &entry.file {
            Some(file) => self.in_file(&place, file, entry)?,
            None => {
                let origin =
                    Origin { path: self.path.to_owned(), text: self.text.to_owned(), place: place.clone() };
                let name = if number == 0 { "spot".to_owned() } else { format!("spot-{}", number + 1) };
                (entry.sections(), origin, name)
            }
        };
        let name = entry.name.clone().unwrap_or(name);
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Err(here(
                self.document.wrong(&format!("{place}.name"), "a name is a word that can be printed"),
            ));
        }
        let spot = PlannedSpot { name, flops, sections, origin };
        spot.check()?;
        Ok(spot)
    }

    fn in_file(
        &self,
        place: &str,
        file: &str,
        entry: &SpotEntry,
    ) -> Result<(Table, Origin, String), PlanError> {
        if let Some(section) = entry.sections().keys().next() {
            let message = format!("the spot is in a file and has `{section}` here too");
            let error = self.document.wrong(&format!("{place}.{section}"), message);
            let error = error.help("remove `file`, or write the section into it");
            return Err(PlanError::File { path: self.path.to_owned(), error });
        }
        let path = self.path.parent().unwrap_or(Path::new("")).join(file);
        let text = read_text(&path).map_err(|error| {
            let message = format!("cannot read {}: {error}", path.display());
            let error = self.document.wrong(&format!("{place}.file"), message);
            PlanError::File {
                path: self.path.to_owned(),
                error: error.help("paths begin at the plan's folder"),
            }
        })?;
        let parsed = Document::parse::<Table>(&text, spot_file::keys_at);
        let (_, sections) = parsed.map_err(|error| PlanError::File { path: path.clone(), error })?;
        let stem =
            path.file_stem().map_or_else(|| "spot".to_owned(), |stem| stem.to_string_lossy().into_owned());
        Ok((sections, Origin { path, text, place: String::new() }, stem))
    }
}

/// What to write.
const FLOPS_HELP: &str =
    "write one of \"25\", \"49\", \"95\" and \"all\", or a list such as [\"As7d2c\", \"Td9d6h\"]";

impl PlannedSpot {
    /// Finds what is wrong with a spot whatever its flop, before anything is solved.
    fn check(&self) -> Result<(), PlanError> {
        if let (false, Some(turn)) =
            (self.flops.is_empty(), self.sections.get("cards").and_then(|cards| cards.get("turn")))
        {
            let key = "cards.turn";
            let place = if self.origin.place.is_empty() {
                key.to_owned()
            } else {
                format!("{}.{key}", self.origin.place)
            };
            let keys = if self.origin.place.is_empty() { spot_file::keys_at } else { keys_at };
            let wrong = |error| PlanError::File { path: self.origin.path.clone(), error };
            let (document, _) = Document::parse::<Table>(&self.origin.text, keys).map_err(wrong)?;
            let message =
                format!("the spot begins on the turn, with {turn}, and `flops` would replace its board");
            let help = "remove it, or write `flops = \"own\"` in the spot's section of the plan";
            return Err(wrong(document.wrong(&place, message).help(help)));
        }
        let first = match self.flops.first() {
            None => self.problem_on(None).err(),
            // A flop may leave a player nothing; if all of them fail, the first says why.
            Some(first) => match self.problem_on(Some(first)) {
                Ok(_) => None,
                Err(error) => {
                    self.flops[1..].iter().all(|flop| self.problem_on(Some(flop)).is_err()).then_some(error)
                }
            },
        };
        let first = first.map(|error| {
            match error.cause() {
            Cause::Missing { .. } if self.flops.is_empty() && error.key() == Some("cards.flop") => error.help(
                "write `flops = \"49\"` at the top of the plan, or the spot's own board under [spots.cards]",
            ),
            _ => error,
        }
        });
        first.map_or(Ok(()), |error| Err(self.at_home(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
schema_version = 1
flops = ["As7d2c", "Td9d6h:3.5"]
save = "summary"
[[spots]]
name = "a"
flops = 25
ranges = { oop = "AA,QQ", ip = "KK:0.5" }
tree = { starting_pot = 100, effective_stack = 100 }
bet_sizes = { flop = { oop_bet = "100%" } }
"#;

    /// A lock holds on the flops that leave its hands possible; one that holds nowhere is an error.
    #[test]
    fn locks_of_hands_that_a_flop_blocks() {
        let plan = |hand: &str| {
            let locks = format!("locks = [{{ hands = {{ {hand} = {{ check = 1.0 }} }} }}]\nname = \"a\"");
            let text = PLAN.replace("flops = 25", "flops = [\"AsAdAc\", \"Td9d6h\"]");
            Plan::parse(&text.replace("name = \"a\"", &locks), "plan.toml".as_ref())
        };
        let plan_of_aces = plan("AA").unwrap();
        let [aaa, other] = [0, 1].map(|i| {
            let flop = &plan_of_aces.spots[0].flops[i];
            plan_of_aces.spots[0].problem_on(Some(flop)).unwrap().spot.locks().len()
        });
        assert_eq!([aaa, other], [0, 1]);
        let error = plan("72o").unwrap_err().to_string();
        assert!(error.contains("none of its combos is in the range of oop"), "{error}");
    }

    /// A spot file makes the jobs that the same sections in a plan make.
    #[test]
    fn a_spot_file_over_flops_is_a_plan() {
        let spot = "schema_version = 1\ncards = { flop = \"2c2d2h\", turn = \"3c\" }\nranges = { oop = \"AA,QQ\", ip = \"KK:0.5\" }\n\
                    tree = { starting_pot = 100, effective_stack = 100 }\nbet_sizes = { flop = { oop_bet = \"100%\" } }";
        let flops = FlopChoice::Listed(vec!["As7d2c".to_owned(), "Td9d6h:3.5".to_owned()]);
        let plan = Plan::of_spot("a", spot, &flops, Save::Summary).unwrap();
        let written = Plan::parse(&PLAN.replace("flops = 25\n", ""), "plan.toml".as_ref()).unwrap();
        let ids = |plan: &Plan| crate::Jobs::of(plan).jobs.iter().map(|job| job.id).collect::<Vec<_>>();
        assert_eq!(ids(&plan), ids(&written));
        assert_eq!((plan.spots[0].name.as_str(), plan.spots[0].flops[1].weight), ("a", 3.5));
        let named = Plan::of_spot("a", spot, &FlopChoice::Named("49".to_owned()), Save::NoTurn).unwrap();
        assert_eq!(named.spots[0].flops.len(), 49);
        let none = Plan::of_spot("a", spot, &FlopChoice::Named("50".to_owned()), Save::NoTurn);
        assert!(none.unwrap_err().to_string().contains("no flops called '50'"));
        let unknown = Plan::of_spot("a", "nonsense = 1", &flops, Save::NoTurn).unwrap_err().to_string();
        assert!(unknown.starts_with("spot.toml: "), "{unknown}");
    }

    /// Whatever of a plan is missing or damaged is an error with a place, or a plan.
    #[test]
    fn any_text_is_a_plan_or_an_error() {
        assert_eq!(Plan::parse(PLAN, "plan.toml".as_ref()).unwrap().spots[0].flops.len(), 25);
        for at in 0..PLAN.len() {
            let cut = Plan::parse(&PLAN[..at], "plan.toml".as_ref());
            let without = Plan::parse(&format!("{}{}", &PLAN[..at], &PLAN[at + 1..]), "plan.toml".as_ref());
            let with = Plan::parse(&format!("{}♥{}", &PLAN[..at], &PLAN[at..]), "plan.toml".as_ref());
            for error in [cut, without, with].into_iter().filter_map(Result::err) {
                assert!(error.to_string().starts_with("plan.toml: "), "{error}");
            }
        }
    }
}
