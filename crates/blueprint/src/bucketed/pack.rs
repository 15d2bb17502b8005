//! Betting lines of one shape on one street, a line in each lane: their tables, and the pass over their boards.

use std::iter;
use std::sync::Arc;

use equipoise_cfr::Requirements;
use equipoise_game::{PerPlayer, Player};

use crate::bucketed::all_in::ClassAllIns;
use crate::bucketed::betting::{Betting, Line, Shape, StepKind};
use crate::bucketed::deal::{Deal, StreetDeals};
use crate::bucketed::kernel::{
    AddLanes, AddReach, Descend, Enter, Fold, Isa, LaneRun, Mix, MixBest, Scatter, Showdown, Train,
};
use crate::bucketed::real::Real;
use crate::bucketed::table::{Iteration, Table};
use crate::bucketed::touched::TouchedRows;

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Both play the current strategy; the traverser's regrets and the opponent's average are updated.
    Train,
    /// Both play the strategy that was loaded.
    Evaluate,
    /// The traverser plays the best response of each combo on each board, free of buckets, to the opponent's strategy that
    /// was loaded.
    BestResponse,
}

/// A lane of a pack of a street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneId {
    pub pack: usize,
    pub lane: usize,
}

/// Where a line comes from: the chance step of a line of the street before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub from: LaneId,
    pub chance: usize,
}

/// A pass of one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub own: Player,
    pub purpose: Purpose,
    pub isa: Isa,
}

/// The packs of a street.
pub(crate) type Packs<R> = Vec<Box<dyn StreetPack<R>>>;

/// How often an action is taken: by node, action and row.
pub(crate) type Frequency<'a> = dyn Fn(usize, usize, usize) -> f64 + Sync + 'a;

/// Numbers of several lanes: for each combo one of each lane.
pub(crate) struct Lanes<'a, R> {
    pub numbers: &'a [R],
    pub lanes: usize,
}

/// A pack of any number of lanes.
pub(crate) trait StreetPack<R>: Send + Sync {
    /// The way down: the opponent's reach at the chance steps, on every board.
    fn down(&mut self, pass: &Pass, deals: &StreetDeals<R>, above: &[Box<dyn StreetPack<R>>]);
    /// The way up: the own values, board by board, with those of the lines below.
    fn up(
        &mut self,
        pass: &Pass,
        deals: &StreetDeals<R>,
        above: Option<&StreetDeals<R>>,
        neighbours: [&[Box<dyn StreetPack<R>>]; 2],
    );
    /// The opponent's reach at a chance step on a board, after the way down.
    fn reach(&self, chance: usize, deal: usize) -> Lanes<'_, R>;
    /// The own values at the beginning, by combo of a board of the street before, after the way up.
    fn values(&self, parent: usize) -> Lanes<'_, R>;
    /// Makes the strategies of an iteration at the rows that it touches.
    fn begin(&mut self, rows: &PerPlayer<TouchedRows<R>>, iteration: &Iteration, isa: Isa);
    /// Updates the tables after a player's training pass.
    fn update(&mut self, own: Player, rows: &PerPlayer<TouchedRows<R>>, iteration: &Iteration, isa: Isa);
    /// Loads the average strategies of some rows, to be played.
    fn load_averages(&mut self, rows: &PerPlayer<Arc<[u32]>>, isa: Isa);
    /// Loads strategies of some rows, to be played: by node, action and row.
    fn load(&mut self, rows: &PerPlayer<Arc<[u32]>>, frequency: &Frequency<'_>);
    /// The average strategy of a bucket at a step, on the line of a lane.
    fn average_of(&self, step: usize, bucket: u32, lane: usize) -> Vec<f64>;
    /// How often a bucket takes an action in the average strategy of a step, on the line of a lane.
    fn average_frequency(&self, step: usize, action: usize, bucket: usize, lane: usize) -> f64;
    /// How many buckets the player of a step has.
    fn num_buckets(&self, step: usize) -> usize;
    /// What training changes, in pieces.
    fn visit_state(&mut self, visit: &mut dyn FnMut(&mut [R]));
    fn shape(&self) -> &Shape;
    /// The lines, one in each lane that is used.
    fn lines(&self) -> &[Line];
    fn set_children(&mut self, children: Vec<Vec<LaneId>>);
    /// By chance step and lane: where the line goes on.
    fn children(&self) -> &[Vec<LaneId>];
    /// All sums of a pass that touched these rows: of every row the cf values of actions, then reaches.
    #[cfg(test)]
    fn sums(&self, rows: &PerPlayer<Arc<[u32]>>) -> Vec<f64>;
}

/// Vectors that a pass over one board uses, taken and given back.
#[derive(Debug, Default)]
struct Scratch<R, const L: usize>(Vec<Vec<[R; L]>>);

impl<R: Real, const L: usize> Scratch<R, L> {
    /// A vector of zeros.
    fn zeros(&mut self, len: usize) -> Vec<[R; L]> {
        let mut vector = self.0.pop().unwrap_or_default();
        vector.clear();
        vector.resize(len, [R::ZERO; L]);
        vector
    }

    /// A vector of any numbers, to be overwritten, and a row of zeros.
    fn before_zero(&mut self, len: usize) -> Vec<[R; L]> {
        let mut vector = self.0.pop().unwrap_or_default();
        vector.resize(len, [R::ZERO; L]);
        vector.push([R::ZERO; L]);
        vector
    }

    fn give(&mut self, vector: Vec<[R; L]>) {
        self.0.push(vector);
    }
}

/// Neighbouring lanes of the pack of another street, and the chance step that leads from one to the other.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    pack: usize,
    chance: usize,
    lanes: LaneRun,
}

/// Lanes of other packs by own lane, as runs: the lane, and the chance step.
fn runs(lanes: impl Iterator<Item = (LaneId, usize)>) -> Vec<Neighbours> {
    let mut runs: Vec<Neighbours> = Vec::new();
    for (to, (LaneId { pack, lane: from }, chance)) in lanes.enumerate() {
        match runs.last_mut() {
            Some(run)
                if (run.pack, run.chance) == (pack, chance) && run.lanes.from + run.lanes.count == from =>
            {
                run.lanes.count += 1;
            }
            _ => runs.push(Neighbours { pack, chance, lanes: LaneRun { from, to, count: 1 } }),
        }
    }
    runs
}

/// Payments of an end of the hand to one player.
#[derive(Clone, Debug)]
struct LanePays<R, const L: usize> {
    half: [R; L],
    lose: [R; L],
    win: [R; L],
}

pub(crate) struct Pack<R, const L: usize> {
    shape: Arc<Shape>,
    lines: Vec<Line>,
    /// Where the lines come from.
    origins: Vec<Neighbours>,
    /// By chance step and lane: where the line goes on.
    children: Vec<Vec<LaneId>>,
    /// The same in runs.
    below: Vec<Vec<Neighbours>>,
    /// By end of the hand.
    pays: PerPlayer<Vec<LanePays<R, L>>>,
    all_ins: Option<Arc<ClassAllIns<R>>>,
    tables: Vec<Table<R, L>>,
    /// By chance step and board.
    reaches: Vec<R>,
    reach_stride: usize,
    num_deals: usize,
    /// By board of the street before.
    values: Vec<[R; L]>,
    value_stride: usize,
    scratch: Scratch<R, L>,
}

/// What a pack is made of.
pub(crate) struct PackParts<'a, R> {
    pub betting: &'a Betting,
    pub shape: Arc<Shape>,
    pub lines: Vec<Line>,
    pub origins: Vec<Origin>,
    pub num_buckets: PerPlayer<usize>,
    pub needs: Option<Requirements>,
    pub all_ins: Option<Arc<ClassAllIns<R>>>,
}

impl<'a, R: Real> PackParts<'a, R> {
    /// A pack with as many lanes as the lines need.
    pub(crate) fn pack(self) -> Box<dyn StreetPack<R>> {
        match self.lines.len() {
            1 => Box::new(Pack::<R, 1>::new(self)),
            2..=4 => Box::new(Pack::<R, 4>::new(self)),
            _ => Box::new(Pack::<R, MOST_LANES>::new(self)),
        }
    }
}

/// The most betting lines of a pack.
pub(crate) const MOST_LANES: usize = 8;

/// One board of a pass.
struct OnBoard<'a, R> {
    pass: Pass,
    deal: &'a Deal<R>,
    number: usize,
    below: &'a [Box<dyn StreetPack<R>>],
}

impl<R: Real, const L: usize> Pack<R, L> {
    fn new(parts: PackParts<'_, R>) -> Pack<R, L> {
        let PackParts { betting, shape, lines, origins, num_buckets, needs, all_ins } = parts;
        assert!(lines.len() <= L);
        let is_end = |kind| !matches!(kind, StepKind::Decision(_) | StepKind::Chance);
        let ends = || (0..shape.steps.len()).filter(|&step| is_end(shape.steps[step].kind));
        let pays = PerPlayer::from_fn(|player| {
            let pays = |step: usize| {
                let mut pays = LanePays { half: [R::ZERO; L], lose: [R::ZERO; L], win: [R::ZERO; L] };
                for (lane, line) in lines.iter().enumerate() {
                    let of_line = betting.nodes[line.nodes[step]].pays[player];
                    pays.half[lane] = R::of(of_line.half);
                    pays.lose[lane] = R::of(of_line.lose);
                    pays.win[lane] = R::of(of_line.win());
                }
                pays
            };
            ends().map(pays).collect()
        });
        let table =
            |(player, actions): (Player, usize)| Table::new(player, actions, num_buckets[player], needs);
        let tables = shape.choices().map(table).collect();
        Pack {
            lines,
            origins: runs(origins.iter().map(|origin| (origin.from, origin.chance))),
            children: Vec::new(),
            below: Vec::new(),
            pays,
            all_ins,
            tables,
            reaches: Vec::new(),
            reach_stride: 0,
            num_deals: 0,
            values: Vec::new(),
            value_stride: 0,
            scratch: Scratch::default(),
            shape,
        }
    }

    /// The opponent's reach with which a board is entered, and a row of zeros.
    fn enter(&mut self, pass: &Pass, deal: &Deal<R>, above: &[Box<dyn StreetPack<R>>]) -> Vec<[R; L]> {
        let theirs = deal.hands(pass.own.opponent());
        let mut reach = self.scratch.zeros(theirs.len() + 1);
        if self.origins.is_empty() {
            for (reach, &weight) in reach.iter_mut().zip(&theirs.weights) {
                reach[0] = weight;
            }
        }
        for &Neighbours { pack, chance, lanes } in &self.origins {
            let from = above[pack].reach(chance, deal.parent);
            pass.isa.run(Enter {
                from: from.numbers,
                from_lanes: from.lanes,
                parents: &theirs.parents,
                factor: deal.factor,
                to: &mut reach,
                lanes,
            });
        }
        reach
    }

    /// The opponent's reach after one of its actions.
    fn after(
        &mut self,
        on: &OnBoard<'_, R>,
        decision: usize,
        action: usize,
        reach: &[[R; L]],
    ) -> Vec<[R; L]> {
        let theirs = on.deal.hands(on.pass.own.opponent());
        let mut after = self.scratch.before_zero(reach.len() - 1);
        on.pass.isa.run(Descend {
            reach,
            buckets: &theirs.buckets,
            strategy: self.tables[decision].strategy(action),
            to: &mut after,
        });
        after
    }

    fn visit_down(&mut self, on: &OnBoard<'_, R>, step: usize, reach: &[[R; L]]) {
        let at = self.shape.steps[step];
        if !at.leads_on {
            return;
        }
        match at.kind {
            StepKind::Decision(player) if player == on.pass.own => {
                for action in 0..at.num_children {
                    self.visit_down(on, at.first_child + action, reach);
                }
            }
            StepKind::Decision(_) => {
                for action in 0..at.num_children {
                    if self.shape.steps[at.first_child + action].leads_on {
                        let after = self.after(on, at.number, action, reach);
                        self.visit_down(on, at.first_child + action, &after);
                        self.scratch.give(after);
                    }
                }
            }
            _ => {
                let flat = reach[..reach.len() - 1].as_flattened();
                let first = (at.number * self.num_deals + on.number) * self.reach_stride;
                self.reaches[first..first + flat.len()].copy_from_slice(flat);
            }
        }
    }

    /// Adds the own values at a step.
    fn visit_up(&mut self, on: &OnBoard<'_, R>, step: usize, reach: &[[R; L]], to: &mut [[R; L]]) {
        let at = self.shape.steps[step];
        match at.kind {
            StepKind::Decision(player) if player == on.pass.own => {
                self.own_decision(on, step, reach, to);
            }
            StepKind::Decision(_) => {
                if on.pass.purpose == Purpose::Train {
                    let buckets = &on.deal.hands(on.pass.own.opponent()).buckets;
                    on.pass.isa.run(AddReach { reach, buckets, sums: &mut self.tables[at.number].reach });
                }
                for action in 0..at.num_children {
                    let after = self.after(on, at.number, action, reach);
                    self.visit_up(on, at.first_child + action, &after, to);
                    self.scratch.give(after);
                }
            }
            StepKind::Chance => self.add_below(on, at.number, to),
            StepKind::ClassAllIn => {
                let pays = &self.pays[on.pass.own][at.number];
                let all_ins = self.all_ins.as_ref().expect("a root before the flop has its table");
                all_ins.add(reach, &pays.half, &pays.lose, to);
            }
            StepKind::Fold(_) | StepKind::Showdown => self.end(on, at.kind, at.number, reach, to),
        }
    }

    fn own_decision(&mut self, on: &OnBoard<'_, R>, step: usize, reach: &[[R; L]], to: &mut [[R; L]]) {
        let at = self.shape.steps[step];
        let ours = on.deal.hands(on.pass.own);
        let isa = on.pass.isa;
        let mut best = Vec::new();
        if on.pass.purpose == Purpose::BestResponse {
            best = self.scratch.zeros(ours.len());
            best.fill([R::LEAST; L]);
        }
        for action in 0..at.num_children {
            let mut values = self.scratch.zeros(ours.len());
            self.visit_up(on, at.first_child + action, reach, &mut values);
            match on.pass.purpose {
                Purpose::BestResponse => isa.run(MixBest { values: &values, to: &mut best }),
                Purpose::Evaluate => isa.run(Mix {
                    values: &values,
                    buckets: &ours.buckets,
                    strategy: self.tables[at.number].strategy(action),
                    to,
                }),
                Purpose::Train => {
                    let (strategy, sums) = self.tables[at.number].strategy_and_values(action);
                    isa.run(Train {
                        values: &values,
                        buckets: &ours.buckets,
                        weights: &ours.weights,
                        strategy,
                        sums,
                        to,
                    });
                }
            }
            self.scratch.give(values);
        }
        if on.pass.purpose == Purpose::BestResponse {
            for (to, best) in to.as_flattened_mut().iter_mut().zip(best.as_flattened()) {
                *to += *best;
            }
            self.scratch.give(best);
        }
    }

    /// Adds the values of the lines after a chance step.
    fn add_below(&self, on: &OnBoard<'_, R>, chance: usize, to: &mut [[R; L]]) {
        for &Neighbours { pack, lanes, .. } in &self.below[chance] {
            let from = on.below[pack].values(on.number);
            on.pass.isa.run(AddLanes { from: from.numbers, from_lanes: from.lanes, to, lanes });
        }
    }

    /// Adds the values of a fold or showdown.
    fn end(&self, on: &OnBoard<'_, R>, kind: StepKind, end: usize, reach: &[[R; L]], to: &mut [[R; L]]) {
        let own = on.pass.own;
        let (ours, theirs) = (on.deal.hands(own), on.deal.hands(own.opponent()));
        let LanePays { half, lose, win } = self.pays[own][end];
        let (same, ours, theirs) = (&ours.same, &ours.cards, &theirs.cards);
        match kind {
            StepKind::Fold(folded) => {
                let pays = if folded == own { lose } else { win };
                on.pass.isa.run(Fold { reach, theirs, ours, same, pays, to });
            }
            _ => {
                let groups = &on.deal.groups[own];
                on.pass.isa.run(Showdown { reach, theirs, ours, same, groups, half, lose, to });
            }
        }
    }
}

impl<R: Real, const L: usize> StreetPack<R> for Pack<R, L> {
    fn down(&mut self, pass: &Pass, deals: &StreetDeals<R>, above: &[Box<dyn StreetPack<R>>]) {
        if self.shape.num_chances == 0 {
            return;
        }
        self.num_deals = deals.deals.len();
        self.reach_stride = deals.most_combos(pass.own.opponent()) * L;
        self.reaches.resize(self.shape.num_chances * self.num_deals * self.reach_stride, R::ZERO);
        for (number, deal) in deals.deals.iter().enumerate() {
            let reach = self.enter(pass, deal, above);
            let on = OnBoard { pass: *pass, deal, number, below: &[] };
            self.visit_down(&on, 0, &reach);
            self.scratch.give(reach);
        }
    }

    fn up(
        &mut self,
        pass: &Pass,
        deals: &StreetDeals<R>,
        parents: Option<&StreetDeals<R>>,
        [above, below]: [&[Box<dyn StreetPack<R>>]; 2],
    ) {
        self.value_stride = parents.unwrap_or(deals).most_combos(pass.own);
        let num_parents = parents.map_or(1, |parents| parents.deals.len());
        self.values.clear();
        self.values.resize(num_parents * self.value_stride, [R::ZERO; L]);
        for (number, deal) in deals.deals.iter().enumerate() {
            let reach = self.enter(pass, deal, above);
            let ours = deal.hands(pass.own);
            let mut values = self.scratch.zeros(ours.len());
            let on = OnBoard { pass: *pass, deal, number, below };
            self.visit_up(&on, 0, &reach, &mut values);
            let to = &mut self.values[deal.parent * self.value_stride..][..self.value_stride];
            for parents in iter::once(&ours.parents).chain(&ours.images) {
                pass.isa.run(Scatter { values: &values, parents, to });
            }
            self.scratch.give(values);
            self.scratch.give(reach);
        }
    }

    fn reach(&self, chance: usize, deal: usize) -> Lanes<'_, R> {
        let first = (chance * self.num_deals + deal) * self.reach_stride;
        Lanes { numbers: &self.reaches[first..first + self.reach_stride], lanes: L }
    }

    fn values(&self, parent: usize) -> Lanes<'_, R> {
        let rows = &self.values[parent * self.value_stride..][..self.value_stride];
        Lanes { numbers: rows.as_flattened(), lanes: L }
    }

    fn begin(&mut self, rows: &PerPlayer<TouchedRows<R>>, iteration: &Iteration, isa: Isa) {
        self.tables.iter_mut().for_each(|table| table.begin(&rows[table.player], iteration, isa));
    }

    fn update(&mut self, own: Player, rows: &PerPlayer<TouchedRows<R>>, iteration: &Iteration, isa: Isa) {
        self.tables.iter_mut().for_each(|table| table.update(own, &rows[table.player], iteration, isa));
    }

    fn load_averages(&mut self, rows: &PerPlayer<Arc<[u32]>>, isa: Isa) {
        self.tables.iter_mut().for_each(|table| table.load_average(&rows[table.player], isa));
    }

    fn load(&mut self, rows: &PerPlayer<Arc<[u32]>>, frequency: &Frequency<'_>) {
        let decisions = self.shape.steps.iter().enumerate();
        for (step, at) in decisions.filter(|(_, at)| matches!(at.kind, StepKind::Decision(_))) {
            let table = &mut self.tables[at.number];
            for (lane, line) in self.lines.iter().enumerate() {
                let node = line.nodes[step];
                table.load(&rows[table.player], lane, &|action, row| frequency(node, action, row));
            }
        }
    }

    fn average_of(&self, step: usize, bucket: u32, lane: usize) -> Vec<f64> {
        self.tables[self.shape.steps[step].number].average_of(bucket, lane)
    }

    fn average_frequency(&self, step: usize, action: usize, bucket: usize, lane: usize) -> f64 {
        self.tables[self.shape.steps[step].number].average_frequency(action, bucket, lane)
    }

    fn num_buckets(&self, step: usize) -> usize {
        self.tables[self.shape.steps[step].number].num_rows
    }

    fn visit_state(&mut self, visit: &mut dyn FnMut(&mut [R])) {
        self.tables.iter_mut().flat_map(Table::state).for_each(visit);
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn set_children(&mut self, children: Vec<Vec<LaneId>>) {
        let of_chance =
            |(chance, lanes): (usize, &Vec<LaneId>)| runs(lanes.iter().map(|&lane| (lane, chance)));
        self.below = children.iter().enumerate().map(of_chance).collect();
        self.children = children;
    }

    fn children(&self) -> &[Vec<LaneId>] {
        &self.children
    }

    #[cfg(test)]
    fn sums(&self, rows: &PerPlayer<Arc<[u32]>>) -> Vec<f64> {
        let mut all = Vec::new();
        for table in &self.tables {
            let rows = &rows[table.player];
            let columns = table.values.chunks_exact(rows.len()).chain([&table.reach[..]]);
            for column in columns {
                let mut of_rows = vec![[R::ZERO; L]; table.num_rows];
                rows.iter().zip(column).for_each(|(&row, sum)| of_rows[row as usize] = *sum);
                all.extend(of_rows.as_flattened().iter().map(|sum| sum.to_f64()));
            }
        }
        all
    }
}
