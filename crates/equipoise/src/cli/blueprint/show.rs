//! `equipoise blueprint show`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use equipoise::blueprint::bucketed::{Buckets, Lossless};
use equipoise::blueprint::whole::{Blueprint, Line, LineStrategies, seat};
use equipoise::blueprint::{Blind, InfoSetKey, ParseKeyError};
use equipoise::cards::{Combo, HandClass, Street};
use equipoise::documents::command::{
    BlueprintDocument, ClassStrategyDocument, ComboStrategyDocument, KeyDocument,
};

use super::{BucketsArg, buckets, game_error, open};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, fixed, grouped};

/// Show the strategy of a decision of a blueprint
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// The actions and cards that lead to the decision, such as 'r2.5 c | Td9d6h | x b75' [default: the first]
    #[arg(long, value_name = "LINE", default_value = "", hide_default_value = true)]
    line: String,

    /// Show one information set by its key, such as SB:AKs: or 'SB:123:Fr250c/x'
    #[arg(long, value_name = "KEY", conflicts_with_all = ["line", "combos"])]
    key: Option<String>,

    /// Show combos with their buckets instead of hand classes
    #[arg(long)]
    combos: bool,

    #[command(flatten)]
    buckets: BucketsArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise blueprint show x.eqb
  equipoise blueprint show x.eqb --line 'r2.5'
  equipoise blueprint show x.eqb --line 'r2.5 c | Td9d6h | x' --combos
  equipoise blueprint show x.eqb --key 'SB:123:Fr250c/x'

In a line f is fold, x check, c call, a all-in, r2.5 a raise to 2.5 big blinds on the street, b75 a bet of 75 % of
the pot; cards stand alone, and | between streets may be left out.

JSON: line, board, pot_bb, behind_bb, player (sb or bb), actions, frequencies, reach, classes: by hand class
reach, frequencies in the order of actions and, before the flop, key; combos after the flop: combo, bucket, reach,
frequencies, key.

A key is who acts (SB or BB), the hand class or bucket, and the betting, in chips: f, x, c, and r250 for any bet, raise
or all-in to 250 on the street; / between streets. After the flop it begins with F, T or R.";

impl ShowArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let blueprint = open(&self.blueprint)?;
        if let Some(text) = &self.key {
            return self.show_key(&blueprint, text, printer);
        }
        let line = Line::walk(&blueprint, &self.line).map_err(|error| {
            BadInput::new(error)
                .in_text("--line", &self.line, None)
                .help("`equipoise blueprint show --help` says how lines are written")
        })?;
        // Before the flop buckets are hand classes.
        let strategies = if line.position.hand().street() == Street::Preflop {
            strategies(&line, &blueprint, &Lossless)?
        } else {
            strategies(&line, &blueprint, &buckets::of(&blueprint, self.buckets.buckets.as_deref())?)?
        };
        let document = self.document(&blueprint, &line, strategies.as_ref());
        if self.json.json { printer.json(&document) } else { printer.text(&self.report(&document)) }
    }

    fn show_key(&self, blueprint: &Blueprint, text: &str, printer: &Printer) -> Result<(), Failure> {
        let wrong = |error: BadInput| {
            Failure::from(error.help("`equipoise blueprint show --help` says how keys are written"))
        };
        let key: InfoSetKey = text.parse().map_err(|error: ParseKeyError| wrong(BadInput::new(error)))?;
        let (position, bucket) = blueprint.find(&key).map_err(|error| wrong(BadInput::new(error)))?;
        let hand = position.hand();
        let big_blinds =
            |chips: equipoise::game::Chips| blueprint.header().game.big_blinds(f64::from(chips.count()));
        let document = KeyDocument {
            schema_version: SCHEMA_VERSION,
            path: self.blueprint.display().to_string(),
            key: key.to_string(),
            street: hand.street().to_string(),
            player: if key.position == Blind::Sb { "sb" } else { "bb" },
            pot_bb: big_blinds(hand.pot()),
            behind_bb: big_blinds(hand.behind()),
            actions: position.labels(),
            frequencies: blueprint.strategy(&position, bucket),
        };
        if self.json.json {
            return printer.json(&document);
        }
        let mix = document.actions.iter().zip(&document.frequencies);
        let mix: Vec<String> = mix.map(|(action, &share)| format!("{action} {}", percent(share))).collect();
        printer.text(&format!(
            "  {} ({}, pot {} bb, {} bb behind): {}\n",
            document.key,
            document.street,
            fixed(document.pot_bb, 2),
            fixed(document.behind_bb, 2),
            mix.join(", ")
        ))
    }

    fn document(
        &self,
        blueprint: &Blueprint,
        line: &Line<'_>,
        strategies: Option<&LineStrategies>,
    ) -> BlueprintDocument {
        let header = blueprint.header();
        let hand = line.position.hand();
        let actions = line.position.labels();
        let big_blinds = |chips: equipoise::game::Chips| header.game.big_blinds(f64::from(chips.count()));
        let mut document = BlueprintDocument {
            schema_version: SCHEMA_VERSION,
            path: self.blueprint.display().to_string(),
            boards: header.boards,
            exploitability_mbb: header.exploitability.map(|found| found.mbb),
            exploitability_flops: header.exploitability.map(|found| found.flops),
            line: self.line.clone(),
            board: line.board.to_string(),
            pot_bb: big_blinds(hand.pot()),
            behind_bb: big_blinds(hand.behind()),
            player: strategies.map(|strategies| seat(strategies.player)),
            frequencies: Vec::new(),
            reach: 0.0,
            classes: BTreeMap::new(),
            combos: Vec::new(),
            actions,
        };
        if let Some(strategies) = strategies {
            fill(&mut document, strategies, line);
        }
        document
    }

    fn report(&self, document: &BlueprintDocument) -> String {
        let found = match (document.exploitability_mbb, document.exploitability_flops) {
            (Some(mbb), Some(flops)) => format!("exploitability {mbb:.0} mbb/hand on {flops} flops"),
            _ => "exploitability not measured".to_owned(),
        };
        let mut text = format!("  {} boards, {found}\n", grouped(document.boards.into()));
        let line = if document.line.is_empty() { "the first decision" } else { &document.line };
        text.push_str(&format!(
            "  {line}: pot {} bb, {} bb behind\n",
            fixed(document.pot_bb, 2),
            fixed(document.behind_bb, 2)
        ));
        let Some(player) = document.player else {
            text.push_str("  nobody acts here\n");
            return text;
        };
        let name = if player == "sb" { "small blind (button)" } else { "big blind" };
        let mix: Vec<String> = document
            .actions
            .iter()
            .zip(&document.frequencies)
            .map(|(action, &share)| format!("{action} {}", percent(share)))
            .collect();
        text.push_str(&format!(
            "  {name} to act with {} of its hands: {}\n\n",
            percent(document.reach),
            mix.join(", ")
        ));
        if !self.combos {
            text.push_str(&class_table(&document.actions, &document.classes));
            return text;
        }
        let mut columns = vec![("hand", Align::Left), ("bucket", Align::Right), ("reach", Align::Right)];
        columns.extend(document.actions.iter().map(|action| (action.as_str(), Align::Right)));
        let mut table = Table::new(&columns);
        for combo in &document.combos {
            let cells = [combo.combo.clone(), combo.bucket.to_string(), percent(combo.reach)];
            table.row(cells.into_iter().chain(combo.frequencies.iter().map(|&share| percent(share))));
        }
        text.push_str(&table.render());
        text
    }
}

/// A row for each hand class: its reach, and the frequency of each action.
pub(in crate::cli) fn class_table(
    actions: &[String],
    classes: &BTreeMap<String, ClassStrategyDocument>,
) -> String {
    let mut columns = vec![("hand", Align::Left), ("reach", Align::Right)];
    columns.extend(actions.iter().map(|action| (action.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    for class in HandClass::all() {
        let name = class.to_string();
        let Some(strategy) = classes.get(&name) else { continue };
        let cells = [name, percent(strategy.reach)];
        table.row(cells.into_iter().chain(strategy.frequencies.iter().map(|&share| percent(share))));
    }
    table.render()
}

fn strategies(
    line: &Line<'_>,
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
) -> Result<Option<LineStrategies>, Failure> {
    line.strategies(blueprint, buckets).map_err(game_error)
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

/// Means over the combos that reach the decision; where none of a class does, over all that the board leaves.
fn fill(document: &mut BlueprintDocument, strategies: &LineStrategies, line: &Line<'_>) {
    let LineStrategies { reach, frequencies, buckets, .. } = strategies;
    let live: Vec<Combo> = Combo::all().filter(|combo| !combo.cards().intersects(line.board.set())).collect();
    let mean = |combos: &[Combo]| {
        let total: f64 = combos.iter().map(|combo| reach[combo.index()]).sum();
        let weight = |combo: &Combo| {
            if total > 0.0 { reach[combo.index()] / total } else { 1.0 / combos.len() as f64 }
        };
        (0..document.actions.len())
            .map(|action| combos.iter().map(|combo| weight(combo) * frequencies[combo.index()][action]).sum())
            .collect::<Vec<f64>>()
    };
    let share =
        |combos: &[Combo]| combos.iter().map(|combo| reach[combo.index()]).sum::<f64>() / combos.len() as f64;
    let key = |bucket: u32| line.key(bucket).map(|key| key.to_string());
    let mut classes = BTreeMap::new();
    for class in HandClass::all() {
        let combos: Vec<Combo> = live.iter().copied().filter(|combo| combo.class() == class).collect();
        if !combos.is_empty() {
            classes.insert(
                class.to_string(),
                ClassStrategyDocument {
                    reach: share(&combos),
                    frequencies: mean(&combos),
                    key: key(class.index() as u32).filter(|_| line.board.cards().is_empty()),
                },
            );
        }
    }
    (document.frequencies, document.reach, document.classes) = (mean(&live), share(&live), classes);
    if line.position.hand().street() != Street::Preflop {
        let combo = |combo: &Combo| ComboStrategyDocument {
            combo: combo.to_string(),
            bucket: buckets[combo.index()],
            reach: reach[combo.index()],
            frequencies: frequencies[combo.index()].clone(),
            key: key(buckets[combo.index()]).unwrap_or_default(),
        };
        document.combos = live.iter().map(combo).collect();
    }
}
