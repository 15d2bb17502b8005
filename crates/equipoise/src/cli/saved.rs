//! Saved solutions: opens them, finds decisions in them and says what is wrong with a path.

use std::env;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use equipoise::cards::Card;
use equipoise::documents::{Locked, PlayerDocument, SolutionDocument, UnitDocument};
use equipoise::game::{PerPlayer, Player};
use equipoise::postflop::{
    FileError, Header, NodePath, NodeView, ReadError, Reader, SolveProgress, Spot, ViewDetail,
};
use equipoise::progress::Observer;

use super::amounts::{Amounts, UnitArg};
use super::failure::{BadInput, Failure};
use super::print::Printer;
use super::table::{Align, Table, counted, fixed, percent};
use super::typed_path;
use super::watch::{UntilInterrupted, Watch};

/// How a decision is named, for every command that takes a path.
pub(crate) const PATHS: &str = "\
Paths: actions separated by blanks, and between two streets the card that comes
  fold  check  call        what they are called, or as much of it as is needed; x is a check too
  bet:120  raise:300       the street's total, in chips
  b60  bet:60%  r50        of the pot; of a raise, what is added to the call, of the pot after it
  allin                    all that is left
  'check bet:120 call | 7s | check'
                           check, bet, call, the 7s comes, check
  'x b60 c 7s x'           the same in short
  ''                       the first decision
Any card that can come may be written, and answers have the suits that were written.";

/// An open solution.
pub(crate) struct Saved {
    pub(crate) reader: Reader,
    pub(crate) header: Header,
    /// The file, as it was written on the command line.
    pub(crate) name: String,
    /// How amounts are written.
    pub(crate) amounts: Amounts,
}

/// What is played less often than this is no choice.
const CHOICE: f64 = 0.001;

/// The folder of the server's solutions, where nobody names another.
pub(crate) fn library() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("equipoise"))
}

/// A bare name that is no file here but a solution of the library: what the page calls it.
fn in_library(path: &Path) -> Option<PathBuf> {
    if path.exists() || path.parent() != Some(Path::new("")) {
        return None;
    }
    library().map(|folder| folder.join(path)).filter(|found| found.is_file())
}

impl Saved {
    pub(crate) fn open(path: &Path) -> Result<Saved, Failure> {
        let path = &in_library(path).unwrap_or_else(|| path.to_owned());
        let (reader, header) = Reader::open(path).map_err(|error| bad_file(path, error))?;
        let tree = reader.spot().tree();
        let amounts = UnitArg::default().amounts(tree, &header.note, header.exploitability_chips)?;
        Ok(Saved { reader, header, name: path.display().to_string(), amounts })
    }

    /// The same with amounts in the unit that is asked for.
    pub(crate) fn open_in(path: &Path, unit: UnitArg) -> Result<Saved, Failure> {
        let mut saved = Saved::open(path)?;
        let header = &saved.header;
        saved.amounts = unit.amounts(saved.spot().tree(), &header.note, header.exploitability_chips)?;
        Ok(saved)
    }

    /// The first decision at which a player does not do one and the same thing with all hands; the root if there is none
    /// before a card comes.
    pub(crate) fn first_choice(&self) -> Result<NodePath, Failure> {
        let tree = self.spot().tree();
        let mut resolving = Resolving::default();
        let mut node = tree.root();
        while tree.node(node).player().is_some() {
            let path = self.reader.path_to(node, &[]);
            let view = self.reader.view(&path, ViewDetail::Strategies, &mut resolving);
            let view = view.map_err(|error| self.bad_path("", error))?;
            match only_action(&view.frequencies()) {
                None => return Ok(path),
                Some(action) => node = tree.actions(node).nth(action).expect("an action of the node").1,
            }
        }
        Ok(self.reader.path_to(tree.root(), &[]))
    }

    pub(crate) fn spot(&self) -> &Spot {
        self.reader.spot()
    }

    /// Reads a path, written in full or as people type it, and checks that the tree has it.
    pub(crate) fn path(&self, text: &str) -> Result<NodePath, Failure> {
        let is_there = |path: &NodePath| self.reader.find(path).is_ok();
        let in_full = text.parse::<NodePath>();
        if let Some(path) = in_full.as_ref().ok().filter(|path| is_there(path)) {
            return Ok(path.clone());
        }
        let typed = typed_path::read(self.spot().tree(), text);
        match (typed, in_full) {
            (Ok(path), _) if is_there(&path) => Ok(path),
            // What the reader says of a path in full, it says with all that is possible.
            (_, Ok(path)) => match self.reader.find(&path) {
                Ok(_) => Ok(path),
                Err(error) => Err(self.bad_path(text, error)),
            },
            (Err(error), Err(_)) => {
                let input = BadInput::new(error.message).in_text("path", text, Some(error.at));
                Err(input.help("--help explains paths").into())
            }
            (Ok(path), Err(_)) => match self.reader.find(&path) {
                Ok(_) => Ok(path),
                Err(error) => Err(self.bad_path(&path.to_string(), error)),
            },
        }
    }

    /// What can be seen at a path that was written so.
    pub(crate) fn view(&self, path: &NodePath, text: &str) -> Result<NodeView, Failure> {
        let mut resolving = Resolving::default();
        let view = self.reader.view(path, ViewDetail::Equities, &mut resolving);
        resolving.finish();
        view.map_err(|error| self.bad_path(text, error))
    }

    /// The failure of a reading, with a mark where the path goes wrong.
    pub(crate) fn bad_path(&self, text: &str, error: ReadError) -> Failure {
        let input = |error: ReadError, at: usize| BadInput::new(error).in_text("path", text, Some(at)).into();
        match error {
            ReadError::HandOver { .. } if words(text).is_empty() => {
                BadInput::new("both players are all-in from the beginning: there is no decision to show")
                    .into()
            }
            ReadError::File(error) => bad_file(Path::new(&self.name), error),
            ReadError::Resolve { .. } => Failure::Runtime(error.into()),
            ReadError::Stopped { .. } => Failure::Interrupted(error.to_string()),
            ReadError::Line(_) | ReadError::Card { .. } | ReadError::NumCards { .. } => {
                let at = self.wrong_byte(text).unwrap_or(0);
                input(error, at)
            }
            ReadError::Chance { .. } | ReadError::NoChance { .. } => input(error, text.trim_end().len()),
            _ => input(error, words(text).last().map_or(0, |word| word.0)),
        }
    }

    /// Where the first word begins with which the path leaves the tree.
    fn wrong_byte(&self, text: &str) -> Option<usize> {
        let leaves = |&(begin, end): &(usize, usize)| {
            let Ok(path) = text[..end].parse::<NodePath>() else { return Some(begin) };
            self.reader.find(&path).err().map(|_| begin)
        };
        words(text).iter().find_map(leaves)
    }

    /// What was solved and how well.
    pub(crate) fn heading(&self, printer: &Printer) -> String {
        let (spot, header) = (self.spot(), &self.header);
        let config = spot.tree().config();
        let amounts = &self.amounts;
        format!(
            "  {} ({}): pot {}, stacks of {}\n{}  {}; {} of {}, {}\n",
            printer.cards(spot.board().cards().to_vec()),
            spot.board().street(),
            amounts.exact(config.starting_pot.as_f64()),
            amounts.exact(config.effective_stack.as_f64()),
            amounts.prizes(spot.tree()),
            amounts.exploitability(&header.exploitability()),
            counted(header.iterations, "iteration"),
            header.algorithm,
            header.storage,
        )
    }

    pub(crate) fn document(&self) -> SolutionDocument {
        SolutionDocument::of_file(&self.name, self.spot(), &self.header)
    }
}

/// The action that is taken all the time, if there is one.
pub(crate) fn only_action(frequencies: &[f64]) -> Option<usize> {
    frequencies.iter().position(|&frequency| frequency > 1.0 - CHOICE)
}

/// Upper case, as players write it.
pub(crate) fn name(player: Player) -> String {
    player.to_string().to_uppercase()
}

/// What OOP and IP hold and get.
pub(crate) fn players_table(players: PerPlayer<PlayerDocument>, amounts: &Amounts) -> String {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("combos", Align::Right),
        ("by weight", Align::Right),
        ("equity", Align::Right),
        ("EV", Align::Right),
        ("EQR", Align::Right),
    ]);
    for (player, numbers) in Player::ALL.into_iter().zip(players) {
        table.row([
            name(player),
            numbers.combos.to_string(),
            format!("{:.2}", numbers.weighted_combos),
            percent_or_dash(numbers.equity),
            amounts.ev_or_dash(numbers.ev),
            eqr_or_dash(numbers.eqr),
        ]);
    }
    table.render()
}

/// A number that may not be there, with its unit.
pub(crate) fn percent_or_dash(fraction: Option<f64>) -> String {
    fraction.map_or_else(|| "-".to_owned(), percent)
}

/// An EV that may not be there, with three decimals, or of prizes four digits.
pub(crate) fn ev_or_dash(ev: Option<f64>, unit: UnitDocument) -> String {
    let text = |ev: f64| match unit {
        UnitDocument::Chips => format!("{} chips", fixed(ev, 3)),
        UnitDocument::Prizes => {
            let digits =
                if ev == 0.0 { 3 } else { (3.0 - ev.abs().log10().floor()).clamp(0.0, 9.0) as usize };
            format!("{} prizes", fixed(ev, digits))
        }
    };
    ev.map_or_else(|| "-".to_owned(), text)
}

/// EQR is read in percent of what the equity says.
pub(crate) fn eqr_or_dash(eqr: Option<f64>) -> String {
    eqr.map_or_else(|| "-".to_owned(), |eqr| format!("{} %", fixed(100.0 * eqr, 1)))
}

/// A number of a CSV file that may not be there.
pub(crate) fn cell(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// What must be said beside the strategy of a decision.
pub(crate) fn cautions(saved: &Saved, view: &NodeView) -> String {
    let mut text = String::new();
    if let Some(locked) = Locked::at(saved.spot(), view.node, &view.runout) {
        let which = match locked {
            Locked::All => String::new(),
            Locked::Some(combos) => format!(" with {}", counted(combos.len() as u32, "combo")),
        };
        text.push_str(&format!(
            "  locked: what {} does here{which} is given, not solved\n",
            name(view.player)
        ));
    }
    if let Some(part) = view.subgame {
        text.push_str(&format!(
            "  re-solved: the file leaves the {} out; {}, {} there\n",
            view.board.street(),
            counted(part.iterations, "iteration"),
            saved.amounts.exploitability(&part.exploitability),
        ));
    }
    if !view.is_reached() {
        text.push_str(&format!(
            "  unreached: play never gets here, so nothing here has a value; the strategy is what {} would do\n",
            name(view.player)
        ));
    } else if view.is_unreliable() {
        text.push_str(&format!(
            "  unreliable: play gets here {} of the time, so what is played here was hardly trained\n",
            rarely(view.probability)
        ));
    }
    text
}

/// A probability that is near 0.
fn rarely(probability: f64) -> String {
    if probability < 1e-5 { "less than 0.001 %".to_owned() } else { percent(probability) }
}

/// Where the actions and cards of a path are: first byte and the byte after the last.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices() {
        let is_part = !c.is_whitespace() && c != '|';
        match (begin, is_part) {
            (None, true) => begin = Some(at),
            (Some(from), false) => {
                words.push((from, at));
                begin = None;
            }
            _ => {}
        }
    }
    words.extend(begin.map(|from| (from, text.len())));
    words
}

/// A file that is not there or no solution is bad input; what the system refuses is not.
pub(crate) fn bad_file(path: &Path, error: FileError) -> Failure {
    match error {
        FileError::Io { source, .. } if is_wrong_name(&source) => {
            BadInput::new(format!("cannot read the solution {}: {source}", path.display()))
                .help("`equipoise solve spot.toml -o x.eqp` writes one")
                .into()
        }
        FileError::Io { .. } => Failure::Runtime(error.into()),
        _ => BadInput::new(error).help("`equipoise solve spot.toml -o x.eqp` writes a solution").into(),
    }
}

fn is_wrong_name(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidInput
    )
}

/// Watches what is re-solved: a bar if it takes long, and Ctrl-C.
#[derive(Default)]
pub(crate) struct Resolving {
    watch: Option<Watch>,
}

impl Resolving {
    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(watch) = &self.watch {
            watch.finish();
        }
    }

    /// Lets `print` write while the bar is out of the way.
    pub(crate) fn above(&self, print: impl FnOnce()) {
        match &self.watch {
            Some(watch) => watch.above(print),
            None => print(),
        }
    }
}

impl Observer<SolveProgress> for Resolving {
    fn progress(&mut self, progress: &SolveProgress) -> ControlFlow<()> {
        if self.watch.is_none() {
            // Without it the work continues, unseen.
            self.watch = Watch::start().ok();
        }
        match &mut self.watch {
            Some(watch) => watch.progress(&progress.fraction()),
            None => UntilInterrupted.progress(progress),
        }
    }
}

/// A path in words, for headings.
pub(crate) fn described(saved: &Saved, view: &NodeView, printer: &Printer) -> String {
    let path = saved.reader.path_to(view.node, &view.runout).to_string();
    let after = if path.is_empty() { "at the beginning".to_owned() } else { format!("after '{path}'") };
    let amounts = &saved.amounts;
    let [oop, ip] = view.stacks.into_array().map(|chips| amounts.exact(chips.as_f64()));
    let stacks = if oop == ip { format!("stacks of {oop}") } else { format!("stacks of {oop} and {ip}") };
    format!(
        "  {after}: {}, pot {}, {stacks}; reached {} of the time{}\n",
        printer.cards(view.board.cards().to_vec()),
        amounts.exact(view.pot.as_f64()),
        percent(view.probability),
        if view.runout.is_empty() { "" } else { " when these cards come" },
    )
}

/// The cards of a combo, highest first, as `AhKd` or in colour.
pub(crate) fn combo_name(combo: equipoise::cards::Combo, printer: &Printer) -> String {
    let cards: [Card; 2] = [combo.high(), combo.low()];
    if printer.colour() { printer.cards(cards) } else { combo.to_string() }
}
