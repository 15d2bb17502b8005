//! `equipoise info`.

use std::path::PathBuf;

use clap::Args;
use equipoise::cards::{Combo, HandClass};
use equipoise::documents::Both;
use equipoise::documents::command::{
    InfoDocument, InfoFile, InfoRange, InfoSizes, LockDocument, LockedAction, PlayerSizes, PrizesDocument,
    RakeDocument,
};
use equipoise::game::{Chips, Player, PrizeModel, Rake, StreetMenus, TreeConfig};
use equipoise::postflop::{Lock, LockedStrategy, Spot};

use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::saved::{Saved, name};
use super::table::{bytes, counted, fixed, wrapped};

/// Show the spot of a saved solution: ranges, bet sizes, rake and locks
///
/// Everything that was given before the solve, and how well it was solved.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct InfoArgs {
    /// The solution
    #[arg(value_name = "SOLUTION.EQP")]
    solution: PathBuf,

    /// Print the spot file that was solved, and nothing else
    #[arg(long, conflicts_with = "json")]
    toml: bool,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise info x.eqp
  equipoise info x.eqp --toml > spot.toml
  equipoise info x.eqp --json

JSON: `solution` as of `equipoise show`, and
  file                     `bytes`, `contents` (full, no-river, no-turn or resumable), `engine` and
                           `format` that wrote it
  ranges                   of `oop` and `ip` on this board: `text`, `combos`, `weighted_combos`
  rake                     `rate` (a fraction of the pot) and `cap` in chips, null without
  prizes                   null for chips; or `stacks` behind of `oop` and `ip`, `base` (the prizes of who
                           gives up the pot, which EVs are counted from), `pot_worth`, and `payouts` with
                           `other_stacks`, or `table` of chips and prize
  bet_sizes                by street and player: `bet`, `raise` and, of OOP, `donk`
  added_lines, removed_lines
                           lines of the tree
  locks                    for each `line`, `runout` (empty: whatever card comes), `player`, `combos`
                           (null: all of them) and, where all play alike, `strategy`
  spot_file                the text of the spot file; empty if the solution was saved without";

impl InfoArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let saved = Saved::open(&self.solution)?;
        if self.toml {
            return self.spot_file(&saved, printer);
        }
        let size = std::fs::metadata(&self.solution).map_or(0, |found| found.len());
        let document = document(&saved, size);
        if self.json.json {
            printer.json(&document)
        } else {
            printer.text(&report(&saved, &document, printer))
        }
    }

    fn spot_file(&self, saved: &Saved, printer: &Printer) -> Result<(), Failure> {
        let text = &saved.header.note;
        if text.is_empty() {
            let message = format!("{} was saved without the text of its spot file", saved.name);
            return Err(BadInput::new(message)
                .help("`equipoise info` without --toml shows what was solved")
                .into());
        }
        let end = if text.ends_with('\n') { "" } else { "\n" };
        printer.text(&format!("{text}{end}"))
    }
}

fn document(saved: &Saved, size: u64) -> InfoDocument {
    let (spot, header) = (saved.spot(), &saved.header);
    let config = spot.tree().config();
    let lines = |lines: &[equipoise::game::Line]| lines.iter().map(ToString::to_string).collect();
    InfoDocument {
        schema_version: SCHEMA_VERSION,
        solution: saved.document(),
        file: InfoFile {
            bytes: size,
            contents: header.contents.name(),
            engine: header.engine.clone(),
            format: format!("{}.{}", header.format[0], header.format[1]),
        },
        ranges: Player::ALL.map(|player| range(spot, player)).into(),
        rake: rake(config.rake),
        prizes: prizes(config),
        bet_sizes: InfoSizes {
            flop: sizes(&config.flop, false),
            turn: sizes(&config.turn, true),
            river: sizes(&config.river, true),
        },
        added_lines: lines(&config.add_lines),
        removed_lines: lines(&config.remove_lines),
        locks: spot.locks().iter().map(|lock| lock_document(spot, lock)).collect(),
        spot_file: header.note.clone(),
    }
}

/// Without the combos that the board blocks, but named by whole classes: a class whose other combos all have one weight is
/// written as such.
fn range(spot: &Spot, player: Player) -> InfoRange {
    let mut range = spot.ranges()[player].clone();
    let is_blocked = |combo: &Combo| combo.cards().intersects(spot.board().set());
    let mut named = range.clone();
    for class in HandClass::all() {
        let (blocked, live): (Vec<Combo>, Vec<Combo>) = class.combos().partition(is_blocked);
        let mut weights = live.iter().map(|&combo| range.get(combo));
        let first = weights.next().unwrap_or(0.0);
        let weight = if weights.all(|weight| weight == first) { first } else { 0.0 };
        for combo in blocked {
            range.set(combo, 0.0).expect("0 is a weight");
            named.set(combo, weight).expect("a weight of a range is one");
        }
    }
    InfoRange { text: named.to_string(), combos: range.num_combos(), weighted_combos: range.total_weight() }
}

fn prizes(config: &TreeConfig) -> Option<PrizesDocument> {
    let prizes = config.prizes.as_ref()?;
    let mut document = PrizesDocument {
        stacks: prizes.stacks().map(Chips::count).into(),
        base: prizes.base(config.starting_pot).into(),
        pot_worth: prizes.pot_worth(config.starting_pot).into(),
        payouts: None,
        other_stacks: None,
        table: None,
    };
    match prizes.model() {
        PrizeModel::Icm { payouts, other_stacks } => {
            document.payouts = Some(payouts.prizes().to_vec());
            document.other_stacks = Some(other_stacks.iter().map(|stack| stack.count()).collect());
        }
        PrizeModel::Table(points) => document.table = Some(points.clone()),
        _ => {}
    }
    Some(document)
}

fn rake(rake: Rake) -> Option<RakeDocument> {
    let is_taken = rake.rate > 0.0 && rake.cap != Some(0.0);
    is_taken.then_some(RakeDocument { rate: rake.rate, cap: rake.cap })
}

fn sizes(menus: &StreetMenus, has_donk: bool) -> Both<PlayerSizes> {
    Player::ALL
        .map(|player| {
            let of = if player == Player::Oop { &menus.oop } else { &menus.ip };
            let donk = menus.donk.as_ref().filter(|_| has_donk && player == Player::Oop);
            PlayerSizes {
                bet: of.bet.to_string(),
                raise: of.raise.to_string(),
                donk: donk.map(ToString::to_string),
            }
        })
        .into()
}

fn lock_document(spot: &Spot, lock: &Lock) -> LockDocument {
    let tree = spot.tree();
    let node = tree.find(&lock.line).expect("a lock of the spot is in its tree");
    let shares = |frequencies: &[f64]| {
        let named = tree.actions(node).map(|(action, _)| action.to_string()).zip(frequencies);
        named.map(|(action, &frequency)| LockedAction { action, frequency }).collect()
    };
    let (combos, strategy) = match &lock.strategy {
        LockedStrategy::Combos(combos) => {
            let alike = combos.windows(2).all(|two| two[0].1 == two[1].1);
            let first = combos.first().filter(|_| alike).map(|(_, frequencies)| shares(frequencies));
            (Some(combos.iter().map(|(combo, _)| combo.to_string()).collect()), first)
        }
        LockedStrategy::Every(frequencies) => (None, Some(shares(frequencies))),
        #[allow(unreachable_patterns)]
        _ => (None, None),
    };
    LockDocument {
        line: lock.line.to_string(),
        runout: lock.runout.iter().map(ToString::to_string).collect(),
        player: tree.node(node).player().map_or_else(String::new, |player| player.to_string()),
        combos,
        strategy,
    }
}

/// Columns of a list, after what it is a list of.
const COLUMNS: usize = 88;

fn report(saved: &Saved, document: &InfoDocument, printer: &Printer) -> String {
    let mut text = saved.heading(printer);
    let file = &document.file;
    text.push_str(&format!(
        "  {}: {}, {}, format {}, written by {}\n\n",
        saved.name,
        bytes(file.bytes),
        file.contents,
        file.format,
        file.engine
    ));
    for (player, range) in [(Player::Oop, &document.ranges.oop), (Player::Ip, &document.ranges.ip)] {
        let combos = counted(range.combos as u32, "combo");
        let weight = fixed(range.weighted_combos, 2);
        text.push_str(&format!("  {} has {combos}, {weight} by weight:\n", name(player)));
        let groups: Vec<String> = range.text.split(',').map(str::to_owned).collect();
        for line in wrapped(&groups, COLUMNS) {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text.push_str(&match &document.rake {
        None if document.prizes.is_some() => String::new(),
        None => "  no rake\n".to_owned(),
        Some(RakeDocument { rate, cap }) => {
            let most = cap.map_or_else(String::new, |cap| format!(", at most {}", saved.amounts.exact(cap)));
            format!("  rake: {} % of the pot{most}\n", fixed(100.0 * rate, 2))
        }
    });
    text.push_str(&sizes_text(&document.bet_sizes));
    for (what, lines) in [("added", &document.added_lines), ("removed", &document.removed_lines)] {
        for line in lines {
            text.push_str(&format!("  {what} line: {line}\n"));
        }
    }
    text.push_str(&locks_text(&document.locks));
    text
}

fn sizes_text(sizes: &InfoSizes) -> String {
    let mut text = String::new();
    for (street, both) in [("flop", &sizes.flop), ("turn", &sizes.turn), ("river", &sizes.river)] {
        for (player, of) in [(Player::Oop, &both.oop), (Player::Ip, &both.ip)] {
            let named =
                [("bets", Some(&of.bet)), ("raises", Some(&of.raise)), ("donk bets", of.donk.as_ref())];
            let listed: Vec<String> = named
                .into_iter()
                .filter_map(|(what, sizes)| Some((what, sizes?)))
                .filter(|(_, sizes)| !sizes.is_empty())
                .map(|(what, sizes)| format!("{what} {sizes}"))
                .collect();
            if !listed.is_empty() {
                text.push_str(&format!("  {street}, {}: {}\n", name(player), listed.join("; ")));
            }
        }
    }
    text
}

fn locks_text(locks: &[LockDocument]) -> String {
    if locks.is_empty() {
        return "  no locks\n".to_owned();
    }
    let mut text = String::new();
    for lock in locks {
        let place = if lock.line.is_empty() {
            "at the beginning".to_owned()
        } else {
            format!("after '{}'", lock.line)
        };
        let on = if lock.runout.is_empty() { String::new() } else { format!(" on {}", lock.runout) };
        let who = match &lock.combos {
            None => "plays".to_owned(),
            Some(combos) => format!("plays with {}", counted(combos.len() as u32, "combo")),
        };
        let how = match &lock.strategy {
            None => "as given, each in its own way".to_owned(),
            Some(shares) => {
                let played = shares.iter().filter(|share| share.frequency > 0.0);
                let listed: Vec<String> = played
                    .map(|share| format!("{} {} %", share.action, fixed(100.0 * share.frequency, 1)))
                    .collect();
                listed.join(", ")
            }
        };
        text.push_str(&format!("  locked {place}{on}: {} {who} {how}\n", lock.player.to_uppercase()));
    }
    text
}
