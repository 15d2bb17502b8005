//! Decisions as columns.

use std::sync::{Arc, LazyLock};

use equipoise_cards::{Board, Combo};
use equipoise_game::Player;
use equipoise_postflop::{BoardView, DecisionView, Reader};

use crate::columns::{Column, Field, Kind, Runs};

/// What the rows of a decision are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Each action of each combo of the player who acts.
    Actions,
    /// Both players, with all 1,326 weights.
    Ranges,
}

/// The columns, after those of the labels.
pub(super) fn fields(content: Content, labels: &[&str]) -> Vec<Field> {
    let labels = labels.iter().map(|&label| Field::new(label, Kind::Text));
    let head = [
        ("node", Kind::Text),
        ("board", Kind::Text),
        ("num_runouts", Kind::UInt32),
        ("probability", Kind::Double),
        ("player", Kind::Text),
        ("pot", Kind::UInt32),
    ];
    let actions = [
        ("action", Kind::Text),
        ("chips", Kind::UInt32),
        ("combo", Kind::Text),
        ("reach", Kind::Float),
        ("equity", Kind::NullableFloat),
        ("ev", Kind::NullableFloat),
        ("frequency", Kind::Float),
        ("action_ev", Kind::NullableFloat),
    ];
    let body = match content {
        Content::Actions => actions.map(|(name, kind)| Field::new(name, kind)).to_vec(),
        Content::Ranges => vec![Field::list("reach", Kind::Float, Combo::COUNT)],
    };
    labels.chain(head.map(|(name, kind)| Field::new(name, kind))).chain(body).collect()
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
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Actions(Box<Actions>),
    /// One list of weights after the other.
    Ranges(Vec<f32>),
}

#[derive(Clone, Debug, Default)]
struct Actions {
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
    pub(super) fn new(content: Content, labels: &[&str]) -> Rows {
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
            body: match content {
                Content::Actions => Body::Actions(Box::default()),
                Content::Ranges => Body::Ranges(Vec::new()),
            },
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
        let empty = Rows::new(self.content(), &labels);
        std::mem::replace(self, empty)
    }

    fn content(&self) -> Content {
        match self.body {
            Body::Actions(_) => Content::Actions,
            Body::Ranges(_) => Content::Ranges,
        }
    }

    /// Adds the decisions of a board, with the number of runouts that it stands for.
    pub(super) fn with_board(mut self, reader: &Reader, view: &BoardView, num_runouts: usize) -> Rows {
        let before = self.num_rows;
        self.num_decisions += view.decisions.len() as u64;
        match &mut self.body {
            Body::Actions(actions) => {
                // By combo number, whatever the order of the lists is.
                let orders = view.combos.as_ref().map(|combos| {
                    let mut order: Vec<usize> = (0..combos.len()).collect();
                    order.sort_by_key(|&place| combos[place].index());
                    order
                });
                actions.reserve(view);
                let each = |decision| {
                    let num_rows = actions.push(reader, view, decision, &orders[decision.player]);
                    (decision, decision.player, num_rows)
                };
                let counts: Vec<_> = view.decisions.iter().map(each).collect();
                counts
                    .into_iter()
                    .for_each(|(decision, player, len)| self.head(reader, view, decision, player, len));
            }
            Body::Ranges(weights) => {
                for decision in &view.decisions {
                    Player::ALL.into_iter().for_each(|player| put_range(view, decision, player, weights));
                }
                for decision in &view.decisions {
                    Player::ALL.into_iter().for_each(|player| self.head(reader, view, decision, player, 1));
                }
            }
        }
        let len = (self.num_rows - before) as u32;
        self.board.push(Board::to_string(&view.board), len);
        self.num_runouts.push(num_runouts as u32, len);
        self
    }

    fn head(&mut self, reader: &Reader, view: &BoardView, decision: &DecisionView, player: Player, len: u32) {
        if len == 0 {
            return;
        }
        self.num_rows += len as usize;
        self.node.push(reader.path_to(decision.node, &view.runout).to_string(), len);
        self.probability.push(decision.probability, len);
        self.player.push(player.to_string(), len);
        self.pot.push(reader.spot().tree().pot(decision.node).count(), len);
    }

    /// Adds the rows of another board of the same solution.
    pub(super) fn append(&mut self, more: Rows) {
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
        match (&mut self.body, more.body) {
            (Body::Actions(actions), Body::Actions(more)) => actions.append(*more),
            (Body::Ranges(weights), Body::Ranges(mut more)) => weights.append(&mut more),
            // Columns of one table are of one content, which their lengths show when they are written.
            _ => {}
        }
    }

    /// In the order of [`fields`].
    pub(super) fn into_columns(self) -> Vec<Column> {
        let label = |label: String| {
            let mut runs = Runs::default();
            runs.push(label, self.num_rows as u32);
            Column::TextRuns(runs)
        };
        let labels: Vec<Column> = self.labels.into_iter().map(label).collect();
        let head = [
            Column::TextRuns(self.node),
            Column::TextRuns(self.board),
            Column::UInt32Runs(self.num_runouts),
            Column::DoubleRuns(self.probability),
            Column::TextRuns(self.player),
            Column::UInt32Runs(self.pot),
        ];
        let body = match self.body {
            Body::Actions(actions) => actions.into_columns(),
            Body::Ranges(weights) => vec![Column::Float(weights)],
        };
        labels.into_iter().chain(head).chain(body).collect()
    }
}

/// The weights of a player at a decision, in the order of other programs.
fn put_range(view: &BoardView, decision: &DecisionView, player: Player, to: &mut Vec<f32>) {
    let weights = if player == decision.player { &decision.weights } else { &decision.other_weights };
    let start = to.len();
    to.resize(start + Combo::COUNT, 0.0);
    for (combo, &weight) in view.combos[player].iter().zip(weights) {
        to[start + combo.listed_index()] = weight as f32;
    }
}

impl Actions {
    /// Makes room for all rows that a view may have.
    fn reserve(&mut self, view: &BoardView) {
        let of_decision = |decision: &DecisionView| decision.frequencies.len() * decision.weights.len();
        let most = view.decisions.iter().map(of_decision).sum();
        self.combo.reserve(most);
        let lists =
            [&mut self.reach, &mut self.equity, &mut self.ev, &mut self.frequency, &mut self.action_ev];
        lists.into_iter().for_each(|list| list.reserve(most));
    }

    /// Adds a decision, action by action, combos that get there in this order; how many rows that makes.
    fn push(&mut self, reader: &Reader, view: &BoardView, decision: &DecisionView, order: &[usize]) -> u32 {
        let held: Vec<usize> = order.iter().copied().filter(|&place| decision.holds(place)).collect();
        let tree = reader.spot().tree();
        let len = held.len() as u32;
        let combos = &view.combos[decision.player];
        let put = |to: &mut Vec<f32>, from: &[f64]| to.extend(held.iter().map(|&place| from[place] as f32));
        // What belongs to a combo is the same for each of its actions.
        let start = self.combo.len();
        self.combo.extend(held.iter().map(|&place| combos[place].index() as u32));
        put(&mut self.reach, &decision.weights);
        put(&mut self.equity, &decision.equities);
        put(&mut self.ev, &decision.evs);
        let mut num_rows = 0;
        for (place, (action, _)) in tree.actions(decision.node).enumerate() {
            num_rows += len;
            self.action.push(action.to_string(), len);
            self.chips.push(tree.node(decision.node).street_total_after(action).count(), len);
            put(&mut self.frequency, &decision.frequencies[place]);
            put(&mut self.action_ev, &decision.action_evs[place]);
            if place > 0 {
                let again = start..start + held.len();
                self.combo.extend_from_within(again.clone());
                let lists = [&mut self.reach, &mut self.equity, &mut self.ev];
                lists.into_iter().for_each(|list| list.extend_from_within(again.clone()));
            }
        }
        num_rows
    }

    fn append(&mut self, mut more: Actions) {
        self.action.append(more.action);
        self.chips.append(more.chips);
        self.combo.append(&mut more.combo);
        self.reach.append(&mut more.reach);
        self.equity.append(&mut more.equity);
        self.ev.append(&mut more.ev);
        self.frequency.append(&mut more.frequency);
        self.action_ev.append(&mut more.action_ev);
    }

    fn into_columns(self) -> Vec<Column> {
        static COMBOS: LazyLock<Arc<[String]>> =
            LazyLock::new(|| Combo::all().map(|combo| combo.to_string()).collect());
        vec![
            Column::TextRuns(self.action),
            Column::UInt32Runs(self.chips),
            Column::Text { words: COMBOS.clone(), places: self.combo },
            Column::Float(self.reach),
            Column::NullableFloat(self.equity),
            Column::NullableFloat(self.ev),
            Column::Float(self.frequency),
            Column::NullableFloat(self.action_ev),
        ]
    }
}
