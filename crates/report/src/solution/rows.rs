//! Decisions as columns.

use std::sync::{Arc, LazyLock};

use equipoise_cards::Combo;
use equipoise_postflop::{Reader, Sheet, SheetDecision};

use crate::columns::{Column, Field, Kind, Runs};
use crate::documents::street_total;

/// The columns, after those of the labels.
pub(super) fn fields(labels: &[&str]) -> Vec<Field> {
    let labels = labels.iter().map(|&label| Field::new(label, Kind::Text));
    let others = [
        ("node", Kind::Text),
        ("board", Kind::Text),
        ("num_runouts", Kind::UInt32),
        ("probability", Kind::Double),
        ("player", Kind::Text),
        ("pot", Kind::UInt32),
        ("action", Kind::Text),
        ("chips", Kind::UInt32),
        ("combo", Kind::Text),
        ("reach", Kind::Float),
        ("equity", Kind::NullableFloat),
        ("ev", Kind::NullableFloat),
        ("frequency", Kind::Float),
        ("action_ev", Kind::NullableFloat),
    ];
    labels.chain(others.map(|(name, kind)| Field::new(name, kind))).collect()
}

/// Rows of one solution that wait to be written.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    labels: Vec<String>,
    num_rows: usize,
    num_decisions: u64,
    node: Runs<String>,
    board: Runs<String>,
    num_runouts: Runs<u32>,
    probability: Runs<f64>,
    player: Runs<String>,
    pot: Runs<u32>,
    action: Runs<String>,
    chips: Runs<u32>,
    combo: Vec<u32>,
    reach: Vec<f32>,
    equity: Vec<f32>,
    ev: Vec<f32>,
    frequency: Vec<f32>,
    action_ev: Vec<f32>,
}

impl Rows {
    pub(super) fn new(labels: &[&str]) -> Rows {
        Rows {
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            num_rows: 0,
            num_decisions: 0,
            node: Runs::default(),
            board: Runs::default(),
            num_runouts: Runs::default(),
            probability: Runs::default(),
            player: Runs::default(),
            pot: Runs::default(),
            action: Runs::default(),
            chips: Runs::default(),
            combo: Vec::new(),
            reach: Vec::new(),
            equity: Vec::new(),
            ev: Vec::new(),
            frequency: Vec::new(),
            action_ev: Vec::new(),
        }
    }

    pub(super) fn num_rows(&self) -> usize {
        self.num_rows
    }

    pub(super) fn num_decisions(&self) -> u64 {
        self.num_decisions
    }

    /// Takes all rows away.
    pub(super) fn take(&mut self) -> Rows {
        let labels: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        let empty = Rows::new(&labels);
        std::mem::replace(self, empty)
    }

    /// The rows of a board that stands for so many runouts.
    pub(super) fn of_sheet(reader: &Reader, sheet: &Sheet, num_runouts: usize, labels: &[&str]) -> Rows {
        let mut rows = Rows::new(labels);
        // By combo number, whatever the order of the lists is.
        let orders = sheet.combos.each_ref().map(|combos| {
            let mut order: Vec<usize> = (0..combos.len()).collect();
            order.sort_by_key(|&place| combos[place].index());
            order
        });
        rows.reserve(sheet);
        for decision in &sheet.decisions {
            rows.num_decisions += 1;
            let own = decision.player.index();
            let gets_there = |&place: &usize| decision.weights[place] * decision.meets[place] > 0.0;
            let held: Vec<usize> = orders[own].iter().copied().filter(gets_there).collect();
            if !held.is_empty() {
                rows.push(reader, sheet, decision, &held);
            }
        }
        rows.board.push(sheet.board.to_string(), rows.num_rows as u32);
        rows.num_runouts.push(num_runouts as u32, rows.num_rows as u32);
        rows
    }

    /// Makes room for all rows that a sheet may have.
    fn reserve(&mut self, sheet: &Sheet) {
        let of_decision = |decision: &SheetDecision| decision.frequencies.len() * decision.weights.len();
        let most = sheet.decisions.iter().map(of_decision).sum();
        self.combo.reserve(most);
        for list in
            [&mut self.reach, &mut self.equity, &mut self.ev, &mut self.frequency, &mut self.action_ev]
        {
            list.reserve(most);
        }
    }

    /// Action by action the combos at these places.
    fn push(&mut self, reader: &Reader, sheet: &Sheet, decision: &SheetDecision, held: &[usize]) {
        let tree = reader.spot().tree();
        let len = held.len() as u32;
        let combos = &sheet.combos[decision.player.index()];
        let put = |to: &mut Vec<f32>, from: &[f64]| to.extend(held.iter().map(|&place| from[place] as f32));
        // What belongs to a combo is the same for each of its actions.
        let combo_start = self.combo.len();
        self.combo.extend(held.iter().map(|&place| combos[place].index() as u32));
        put(&mut self.reach, &decision.weights);
        put(&mut self.equity, &decision.equities);
        put(&mut self.ev, &decision.evs);
        let mut num_rows = 0;
        for (place, (action, _)) in tree.actions(decision.node).enumerate() {
            num_rows += len;
            self.action.push(action.to_string(), len);
            self.chips.push(street_total(tree, decision.node, action), len);
            put(&mut self.frequency, &decision.frequencies[place]);
            put(&mut self.action_ev, &decision.action_evs[place]);
            if place > 0 {
                let again = combo_start..combo_start + held.len();
                self.combo.extend_from_within(again.clone());
                for list in [&mut self.reach, &mut self.equity, &mut self.ev] {
                    list.extend_from_within(again.clone());
                }
            }
        }
        self.num_rows += num_rows as usize;
        self.node.push(reader.path_to(decision.node, &sheet.runout).to_string(), num_rows);
        self.probability.push(decision.probability, num_rows);
        self.player.push(decision.player.to_string(), num_rows);
        self.pot.push(tree.pot(decision.node).count(), num_rows);
    }

    /// Adds the rows of another board of the same solution.
    pub(super) fn append(&mut self, mut more: Rows) {
        if self.num_rows == 0 {
            *self = more;
            return;
        }
        self.num_rows += more.num_rows;
        self.num_decisions += more.num_decisions;
        self.node.append(more.node);
        self.board.append(more.board);
        self.num_runouts.append(more.num_runouts);
        self.probability.append(more.probability);
        self.player.append(more.player);
        self.pot.append(more.pot);
        self.action.append(more.action);
        self.chips.append(more.chips);
        self.combo.append(&mut more.combo);
        self.reach.append(&mut more.reach);
        self.equity.append(&mut more.equity);
        self.ev.append(&mut more.ev);
        self.frequency.append(&mut more.frequency);
        self.action_ev.append(&mut more.action_ev);
    }

    /// In the order of [`fields`].
    pub(super) fn into_columns(self) -> Vec<Column> {
        static COMBOS: LazyLock<Arc<[String]>> =
            LazyLock::new(|| Combo::all().map(|combo| combo.to_string()).collect());
        let label = |label: String| {
            let mut runs = Runs::default();
            runs.push(label, self.num_rows as u32);
            Column::TextRuns(runs)
        };
        let labels: Vec<Column> = self.labels.into_iter().map(label).collect();
        let others = [
            Column::TextRuns(self.node),
            Column::TextRuns(self.board),
            Column::UInt32Runs(self.num_runouts),
            Column::DoubleRuns(self.probability),
            Column::TextRuns(self.player),
            Column::UInt32Runs(self.pot),
            Column::TextRuns(self.action),
            Column::UInt32Runs(self.chips),
            Column::Text { words: COMBOS.clone(), places: self.combo },
            Column::Float(self.reach),
            Column::NullableFloat(self.equity),
            Column::NullableFloat(self.ev),
            Column::Float(self.frequency),
            Column::NullableFloat(self.action_ev),
        ];
        labels.into_iter().chain(others).collect()
    }
}
