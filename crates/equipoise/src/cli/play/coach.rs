//! What decisions gave away, for people and for documents.

use std::collections::BTreeMap;

use equipoise::documents::command::{ReviewGroupDocument, ReviewedActionDocument, ReviewedDecisionDocument};
use equipoise::game::{Action, Player};
use equipoise::play::{ReviewedDecision, Source};

use crate::cli::print::Printer;
use crate::cli::table::{Align, Table, fixed, grouped, signed};

/// An action with its amount in big blinds.
pub(super) fn action_text(action: Action, big_blind: f64) -> String {
    match action.total() {
        Some(total) => format!(
            "{} to {} bb",
            if matches!(action, Action::AllIn(_)) { "all-in" } else { action.kind() },
            fixed(total.as_f64() / big_blind, 2)
        ),
        None => action.kind().to_owned(),
    }
}

/// A loss, with what is not certain of it.
fn loss_text(decision: &ReviewedDecision, big_blind: f64) -> String {
    let loss = fixed(decision.loss / big_blind, 2);
    if decision.std_error > 0.0 {
        format!("{loss} ± {} bb", fixed(1.96 * decision.std_error / big_blind, 2))
    } else {
        format!("{loss} bb")
    }
}

/// What is said about a decision.
pub(super) fn advice(decision: &ReviewedDecision, big_blind: f64) -> String {
    let actions: Vec<String> = decision
        .actions
        .iter()
        .map(|found| {
            format!(
                "{} {} % ({} bb)",
                action_text(found.action, big_blind),
                fixed(100.0 * found.frequency, 0),
                signed(found.ev / big_blind, 2)
            )
        })
        .collect();
    let against = match decision.source {
        Source::Resolved { exploitability_pct, .. } => {
            format!("re-solved to {} % of the pot", fixed(exploitability_pct, 1))
        }
        _ => "the blueprint".to_owned(),
    };
    let taken_as = if decision.is_translated() {
        format!(", taken for {}", action_text(decision.actions[decision.chosen].action, big_blind))
    } else {
        String::new()
    };
    format!(
        "  coach ({}): {}\n         {}{taken_as} gave away {} [{against}]\n",
        decision.before.street(),
        actions.join(", "),
        action_text(decision.action, big_blind),
        loss_text(decision, big_blind)
    )
}

/// A decision of a sitting or a file.
pub(super) struct Reviewed {
    /// The number of its hand.
    pub(super) hand: u64,
    /// Chips of a big blind in that hand.
    pub(super) big_blind: f64,
    pub(super) decision: ReviewedDecision,
}

impl Reviewed {
    fn loss_bb(&self) -> f64 {
        self.decision.loss / self.big_blind
    }
}

/// The decisions of a sitting or a file.
#[derive(Default)]
pub(super) struct Losses {
    pub(super) decisions: Vec<Reviewed>,
}

/// Decisions that are alike.
#[derive(Clone, Copy, Default)]
struct Group {
    decisions: u64,
    loss_bb: f64,
    /// Decisions with an action that the strategy takes less than once in a hundred.
    rare: u64,
}

impl Losses {
    pub(super) fn add(&mut self, hand: u64, big_blind: f64, decision: ReviewedDecision) {
        self.decisions.push(Reviewed { hand, big_blind, decision });
    }

    /// Big blinds given away.
    pub(super) fn total_bb(&self) -> f64 {
        // From 0 on: an empty sum is −0.
        self.decisions.iter().fold(0.0, |sum, reviewed| sum + reviewed.loss_bb())
    }

    fn groups<K: Ord + ToString>(&self, key: impl Fn(&ReviewedDecision) -> K) -> Vec<ReviewGroupDocument> {
        let mut groups: BTreeMap<K, Group> = BTreeMap::new();
        for reviewed in &self.decisions {
            let group = groups.entry(key(&reviewed.decision)).or_default();
            group.decisions += 1;
            group.loss_bb += reviewed.loss_bb();
            group.rare += u64::from(reviewed.decision.frequency() < 0.01);
        }
        let document = |(name, group): (K, Group)| ReviewGroupDocument {
            name: name.to_string(),
            decisions: group.decisions,
            ev_loss_bb: group.loss_bb,
            ev_loss_bb_per_decision: group.loss_bb / group.decisions as f64,
            rare_actions: group.rare,
        };
        groups.into_iter().map(document).collect()
    }

    pub(super) fn by_street(&self) -> Vec<ReviewGroupDocument> {
        self.groups(|decision| decision.before.street())
    }

    pub(super) fn by_situation(&self) -> Vec<ReviewGroupDocument> {
        self.groups(|decision| decision.situation)
    }

    /// The decisions that cost most, the dearest first.
    fn worst(&self, count: usize) -> Vec<&Reviewed> {
        let mut all: Vec<_> = self.decisions.iter().filter(|reviewed| reviewed.decision.loss > 0.0).collect();
        all.sort_by(|a, b| b.loss_bb().total_cmp(&a.loss_bb()));
        all.truncate(count);
        all
    }

    /// Tables by street and situation, and the decisions that cost most.
    pub(super) fn report(&self, hands: u64, printer: &Printer) -> String {
        if self.decisions.is_empty() {
            return String::new();
        }
        let total = self.total_bb();
        let mut text = format!(
            "  {} decisions in {} hands gave away {} bb, {} bb/100\n\n",
            grouped(self.decisions.len() as u128),
            grouped(hands.into()),
            fixed(total, 2),
            fixed(100.0 * total / hands.max(1) as f64, 1)
        );
        for (name, groups) in [("street", self.by_street()), ("situation", self.by_situation())] {
            let columns = [
                (name, Align::Left),
                ("decisions", Align::Right),
                ("given away (bb)", Align::Right),
                ("each (bb)", Align::Right),
                ("actions below 1 %", Align::Right),
            ];
            let mut table = Table::new(&columns);
            for group in groups {
                table.row([
                    group.name,
                    grouped(group.decisions.into()),
                    fixed(group.ev_loss_bb, 2),
                    fixed(group.ev_loss_bb_per_decision, 3),
                    grouped(group.rare_actions.into()),
                ]);
            }
            text.push_str(&table.render());
            text.push('\n');
        }
        text.push_str(&self.worst_report(printer));
        text
    }

    fn worst_report(&self, printer: &Printer) -> String {
        let worst = self.worst(5);
        if worst.is_empty() {
            return String::new();
        }
        let columns = [
            ("hand", Align::Right),
            ("cards", Align::Left),
            ("board", Align::Left),
            ("did", Align::Left),
            ("best", Align::Left),
            ("cost", Align::Right),
        ];
        let mut table = Table::new(&columns);
        for Reviewed { hand, big_blind, decision } in worst {
            table.row([
                hand.to_string(),
                printer.cards(decision.combo.cards()),
                printer.cards(decision.board.cards().iter().copied()),
                action_text(decision.action, *big_blind),
                action_text(decision.best(), *big_blind),
                loss_text(decision, *big_blind),
            ]);
        }
        format!("  the decisions that cost most\n{}", table.render())
    }
}

/// A decision as a document.
pub(super) fn document(reviewed: &Reviewed) -> ReviewedDecisionDocument {
    let Reviewed { hand, big_blind, decision } = reviewed;
    let (hand, big_blind) = (*hand, *big_blind);
    let actions = decision.actions.iter().map(|found| ReviewedActionDocument {
        action: action_text(found.action, big_blind),
        frequency: found.frequency,
        ev_bb: found.ev / big_blind,
    });
    let (exploitability_pct, iterations) = match decision.source {
        Source::Resolved { exploitability_pct, iterations } => (Some(exploitability_pct), Some(iterations)),
        _ => (None, None),
    };
    ReviewedDecisionDocument {
        hand,
        street: decision.before.street().to_string(),
        situation: decision.situation.to_string(),
        player: match decision.before.to_act() {
            Some(Player::Ip) => "sb",
            _ => "bb",
        },
        combo: decision.combo.to_string(),
        board: decision.board.to_string(),
        pot_bb: decision.before.pot().as_f64() / big_blind,
        action: action_text(decision.action, big_blind),
        taken_as: decision
            .is_translated()
            .then(|| action_text(decision.actions[decision.chosen].action, big_blind)),
        actions: actions.collect(),
        frequency: decision.frequency(),
        best: action_text(decision.best(), big_blind),
        ev_loss_bb: decision.loss / big_blind,
        std_error_bb: decision.std_error / big_blind,
        source: decision.source.name(),
        exploitability_pct,
        iterations,
    }
}
