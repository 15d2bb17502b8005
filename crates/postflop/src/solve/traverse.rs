//! One pass over all boards for one player.
//!
//! The passes differ only in what happens at decisions: training plays the current strategies, updates the own
//! regrets and the opponent's average (whose own reach is what the pass carries anyway); the others read the
//! average strategy.

use std::ops::Range;
use std::sync::{Mutex, RwLock};

use equipoise_cards::{BlockerSums, Combo};
use equipoise_cfr::{Asymmetry, AsymmetrySums, Coefficients, Requirements};
use equipoise_game::{NodeId, Player};

use crate::compile::layout::{Layout, combo_at};
use crate::compile::program::{DownStep, Plan, Program, UpStep};
use crate::kernel::{
    AddRows, Averaging, Down, DownStrategy, Fold, Gather, Isa, Lines, MOST_BATCHES, Opening, Pack, Row,
    Runout, Scatter, Showdown, Soon, Unpack, Up, UpBest, UpStrategy, Update, flatten,
};
use crate::solve::locked;
use crate::solve::state::{Entries, Recorded, State, Table};
use crate::solve::store::Store;
use crate::solve::thread_pool;
use crate::solve::workspace::{Level, Scratch, Work, Workspace};

/// What the opponent plays.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OpponentRule {
    /// The current strategy, which the average takes up.
    Current {
        opening: Opening,
        /// What the past and what is added are multiplied by.
        factors: [f32; 2],
        own_reach: bool,
        auto: Option<f64>,
    },
    Average,
}

/// What the traverser plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OwnRule {
    /// The current strategy, whose regrets are updated.
    Update {
        opening: Opening,
        update: Update,
        auto: Option<f64>,
    },
    Average,
    /// The best action.
    Best,
}

/// A pass for one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub player: Player,
    pub own: OwnRule,
    pub opponent: OpponentRule,
    /// What the noise of roundings depends on.
    pub seed: u32,
    /// Whether the values of every decision before the river are kept.
    pub records: bool,
}

impl Pass {
    /// Whether it changes tables.
    pub(crate) fn is_training(&self) -> bool {
        matches!(self.own, OwnRule::Update { .. })
    }

    /// The training pass of a player in iteration `t`. `own` are the iteration's coefficients, `opponent` those of the
    /// iteration that the opponent's strategy opens; `factors` what the opponent's average strategy and what is added to
    /// it are multiplied by.
    pub(crate) fn train(
        player: Player,
        t: u32,
        [own, opponent]: [&Coefficients; 2],
        factors: [f64; 2],
        needs: Requirements,
    ) -> Pass {
        let auto = match needs.asymmetry {
            Some(Asymmetry::Auto { max }) => Some(max),
            _ => None,
        };
        let opening = |coefficients: &Coefficients| Opening {
            regret: coefficients.prediction.regret as f32,
            instant: coefficients.prediction.instant as f32,
        };
        let update = Update {
            positive: own.positive as f32,
            negative: own.negative as f32,
            instant: own.instant as f32,
            floor: if own.clamp { 0.0 } else { f32::NEG_INFINITY },
            seed: 0,
        };
        let own_rule = OwnRule::Update { opening: opening(own), update, auto };
        let opponent = OpponentRule::Current {
            opening: opening(opponent),
            factors: factors.map(|factor| factor as f32),
            own_reach: needs.own_reach,
            auto,
        };
        Pass { player, own: own_rule, opponent, seed: 2 * t + player.index() as u32, records: false }
    }

    /// The best response to the opponent's average strategy.
    pub(crate) fn best_response(player: Player) -> Pass {
        Pass { player, own: OwnRule::Best, opponent: OpponentRule::Average, seed: 0, records: false }
    }

    /// Both play their average strategies.
    pub(crate) fn average(player: Player) -> Pass {
        Pass { player, own: OwnRule::Average, opponent: OpponentRule::Average, seed: 0, records: false }
    }

    /// The same, and what every decision before the river is worth is kept.
    pub(crate) fn record(player: Player) -> Pass {
        Pass { records: true, ..Pass::average(player) }
    }
}

fn measured(opening: Opening, auto: Option<f64>, sums: Option<&AsymmetrySums>) -> Opening {
    match (auto, sums) {
        (Some(max), Some(sums)) => {
            Opening { instant: opening.instant / (1.0 + sums.asymmetry(max) as f32), ..opening }
        }
        _ => opening,
    }
}

/// How tables are asked for before they are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fetching {
    /// Not at all: they stay near.
    Never,
    /// Those of the next decision, all at once.
    Decisions,
    /// Those of a whole list of steps, a little at a time beside the steps before: they come from memory.
    Programs,
}

/// A pass with everything that it needs.
#[derive(Clone, Copy)]
pub(crate) struct Traversal<'a> {
    pub plan: &'a Plan,
    pub isa: Isa,
    pub pass: Pass,
    pub fetching: Fetching,
}

/// What the root hands to the next cards.
struct Dealt<'a> {
    traversal: Traversal<'a>,
    packs: Vec<Row>,
    stride: usize,
}

/// Runs passes one after another, each with the weights of both players at the root, on so many threads, as long as `next`
/// names one; it gets the values of the own combos in the one before.
pub(crate) fn run<'p, R: Store, S: Store>(
    next: &mut dyn FnMut(Option<&[Row]>) -> Option<Traversal<'p>>,
    root: &mut State<R, S>,
    weights: &[Vec<Row>; 2],
    workspace: &mut Workspace,
    threads: usize,
) {
    let Workspace { root: scratch, pool, results } = workspace;
    let pool = &*pool;
    let Some(traversal) = next(None) else { return };
    let mut children = std::mem::take(&mut root.children);
    let factor = chance_factor(root);
    let dealt = RwLock::new(Dealt { traversal, packs: Vec::new(), stride: 0 });
    let cards: Vec<_> = children.iter_mut().zip(results.iter_mut()).map(Mutex::new).collect();
    let visit = |at: usize| {
        let Dealt { traversal, packs, stride } = &*dealt.read().expect(NO_PANIC);
        let (child, result) = &mut *cards[at].lock().expect(NO_PANIC);
        let taken = pool.lock().expect(NO_PANIC).pop();
        let mut scratch = taken.expect("as many as threads");
        let rows = child.layout.rows[traversal.own()];
        let target = Target { is_result: true, factor, stride: 8 * rows, packs: result };
        let Scratch { levels, work } = &mut scratch;
        traversal.visit(child, 1, (packs, *stride), target, &mut levels[1..], work);
        pool.lock().expect(NO_PANIC).push(scratch);
    };
    let goes_on = !cards.is_empty();
    thread_pool::with(threads - 1, cards.len(), &visit, |share_out| {
        let Scratch { levels, work } = scratch;
        let level = &mut levels[0];
        let mut pass = Some(traversal);
        while let Some(traversal) = pass {
            let rows = root.layout.rows[traversal.own()];
            let program = traversal.root_program();
            let weights = &weights[traversal.opponent()];
            level.reach[..weights.len()].copy_from_slice(weights);
            traversal.start(root, program, level, work);
            if goes_on {
                traversal.pack(root, program, level);
                let stride = 8 * root.layout.rows[traversal.opponent()] + 1;
                let packs = std::mem::take(&mut level.down);
                *dealt.write().expect(NO_PANIC) = Dealt { traversal, packs, stride };
                share_out();
                level.down = std::mem::take(&mut dealt.write().expect(NO_PANIC).packs);
                level.up.fill(Row::ZERO);
                // In the order of the cards, so that the sum does not depend on who was first.
                for card in &cards {
                    let (child, result) = &*card.lock().expect(NO_PANIC);
                    traversal.collect(&child.layout, rows, level, result);
                }
                traversal.unpack(root, program, level);
            }
            traversal.finish(root, program, level, work, None);
            pass = next(Some(&level.values[..rows]));
        }
    });
    drop(cards);
    root.children = children;
}

const NO_PANIC: &str = "no thread panics with the lock";

impl Traversal<'_> {
    fn root_program(&self) -> &Program {
        let [program] = &self.plan.streets[0].programs[self.own()][..] else {
            unreachable!("the root is one line")
        };
        program
    }

    fn own(&self) -> usize {
        self.pass.player.index()
    }

    fn opponent(&self) -> usize {
        self.pass.player.opponent().index()
    }

    /// Adds the result of a next card to the root's sums.
    fn collect(&self, child: &Layout, root_rows: usize, level: &mut Level, result: &[Row]) {
        let len = 8 * child.rows[self.own()];
        if len == 0 {
            return;
        }
        let images = &child.images[self.own()];
        for (pack, from) in level.up.chunks_exact_mut(8 * root_rows + 1).zip(result.chunks_exact(len)) {
            self.isa.run(AddRows { from, images, pack });
        }
    }

    /// One board whose reaches come from packs and whose values go to packs.
    fn visit<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        depth: usize,
        (down, stride): (&[Row], usize),
        target: Target<'_>,
        levels: &mut [Level],
        work: &mut Work,
    ) {
        let (level, deeper) = levels.split_first_mut().expect("a level for each street");
        let programs = &self.plan.streets[depth].programs[self.own()];
        for (at, program) in programs.iter().enumerate() {
            for (pack, first, num_lines) in program.packs() {
                let places = &state.layout.images[self.opponent()][0];
                let pack = &down[pack * stride..][..stride];
                self.isa.run(Gather { pack, places, first, num_lines, to: &mut level.reach });
            }
            self.start(state, program, level, work);
            if !state.children.is_empty() {
                self.pack(state, program, level);
                level.up.fill(Row::ZERO);
                let stride = 8 * state.layout.rows[self.opponent()] + 1;
                let up_stride = 8 * state.layout.rows[self.own()] + 1;
                let factor = chance_factor(state);
                for at in 0..state.children.len() {
                    let (now, later) = state.children.split_at_mut(at + 1);
                    let child = &mut now[at];
                    let first = self.plan.streets[depth + 1].programs[self.own()].first();
                    work.after =
                        later.first().zip(first).map(|(next, first)| self.read_by_downs(next, first));
                    let target = Target { is_result: false, factor, stride: up_stride, packs: &mut level.up };
                    self.visit(child, depth + 1, (&level.down, stride), target, deeper, work);
                }
                self.unpack(state, program, level);
            }
            let next = match programs.get(at + 1) {
                Some(next) => Some(self.read_by_downs(state, next)),
                None => work.after.take(),
            };
            self.finish(state, program, level, work, next);
            for (pack, first, num_lines) in program.packs() {
                let pack = &mut target.packs[pack * target.stride..][..target.stride];
                let images = (!target.is_result).then_some(&state.layout.images[self.own()][..]);
                let (factor, rows) = (target.factor, state.layout.rows[self.own()]);
                self.isa.run(Scatter { from: &level.values, first, num_lines, factor, rows, images, pack });
            }
        }
    }

    /// The way down and the ends of hands.
    fn start<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        program: &Program,
        level: &mut Level,
        work: &mut Work,
    ) {
        let opponent_rows = state.layout.rows[self.opponent()];
        let num_batches = program.shows.len() + program.folds.len();
        let is_fetched = std::mem::take(&mut work.is_fetched);
        work.soon = Soon::default();
        if is_fetched {
            let rows = (program.downs.len() + num_batches) * opponent_rows;
            work.soon = Soon::new(self.read_by_ups(state, program), rows);
        }
        let by_decision = self.fetching != Fetching::Never && !is_fetched;
        for (at, step) in program.downs.iter().enumerate() {
            if let (Some(next), true) = (program.downs.get(at + 1), by_decision) {
                let entries = self.entries(state, next.node, next.actions, self.opponent());
                let table = &state.tables[self.opponent()];
                table.average.prefetch(entries.clone());
                if matches!(self.pass.opponent, OpponentRule::Current { .. }) {
                    table.regret.prefetch(entries);
                }
            }
            self.down(state, step, &mut level.reach, work);
        }
        if self.spreads() && !is_fetched {
            work.soon = Soon::new(self.read_by_ups(state, program), num_batches * opponent_rows);
        }
        let layout = &state.layout;
        let matchup = &layout.matchups[self.own()];
        let Level { reach, values, .. } = level;
        for batches in program.shows.chunks(MOST_BATCHES) {
            let ahead = work.soon.take(batches.len() * opponent_rows);
            self.isa.run(Showdown { matchup, batches, reach, values, scratch: &mut work.lanes, ahead });
        }
        for batch in &program.folds {
            let ahead = work.soon.take(opponent_rows);
            self.isa.run(Fold { matchup, batch, reach, values, scratch: &mut work.lanes, ahead });
        }
        let matrix = &layout.runouts[self.own()];
        let own_rows = layout.rows[self.own()];
        for batch in &program.runouts {
            self.isa.run(Runout { matrix, own_rows, opponent_rows, batch, reach, values });
        }
    }

    /// The way up. `next` is what the opponent's steps read that come next.
    fn finish<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        program: &Program,
        level: &mut Level,
        work: &mut Work,
        next: Option<Lines>,
    ) {
        work.soon = Soon::default();
        if let (Some(next), true) = (next, self.spreads()) {
            work.soon = Soon::new(next, program.ups.len() * state.layout.rows[self.own()]);
            work.is_fetched = true;
        }
        if self.pass.is_training() {
            // Combos that are played alike learn from what they get on average.
            let rows = state.layout.rows[self.own()];
            state.orbits[self.own()].average(&mut level.values[..program.num_values * rows]);
        }
        let by_decision = self.fetching == Fetching::Decisions && self.pass.is_training();
        for (at, step) in program.ups.iter().enumerate() {
            if let (Some(next), true) = (program.ups.get(at + 1), by_decision) {
                let entries = self.entries(state, next.node, next.actions, self.own());
                state.tables[self.own()].regret.prefetch(entries);
            }
            if self.pass.records && !state.is_river() {
                let first = self.plan.places[step.node.index()].action as usize;
                let slots = step.children..step.children + step.actions;
                let Recorded { actions, .. } = &mut state.recorded[self.own()];
                record(&state.layout, self.pass.player, level, step.reach, slots, first, actions);
            }
            self.up(state, step, &mut level.values, work);
        }
        if self.pass.records && !state.is_river() {
            let Recorded { lines, .. } = &mut state.recorded[self.own()];
            for line in 0..program.num_lines {
                let place = program.first_line + line;
                record(&state.layout, self.pass.player, level, line, line..line + 1, place, lines);
            }
        }
    }

    /// Whether tables are asked for beside the work.
    fn spreads(&self) -> bool {
        self.fetching == Fetching::Programs && self.pass.is_training()
    }

    /// The lines of memory that a training pass reads on the way down.
    fn read_by_downs<R: Store, S: Store>(&self, state: &State<R, S>, program: &Program) -> Lines {
        let [Some(first), Some(last)] = [program.downs.first(), program.downs.last()] else {
            return Default::default();
        };
        let entries = self.entries(state, first.node, first.actions, self.opponent()).start
            ..self.entries(state, last.node, last.actions, self.opponent()).end;
        let table = &state.tables[self.opponent()];
        [table.regret.lines(entries.clone()), table.average.lines(entries.clone()), table.last.lines(entries)]
    }

    /// And on the way up, whose steps are in the opposite order.
    fn read_by_ups<R: Store, S: Store>(&self, state: &State<R, S>, program: &Program) -> Lines {
        let [Some(last), Some(first)] = [program.ups.first(), program.ups.last()] else {
            return Default::default();
        };
        let entries = self.entries(state, first.node, first.actions, self.own()).start
            ..self.entries(state, last.node, last.actions, self.own()).end;
        let table = &state.tables[self.own()];
        [table.regret.lines(entries.clone()), table.last.lines(entries), 0..0]
    }

    /// Where a decision's entries are in a table.
    fn entries<R, S>(
        &self,
        state: &State<R, S>,
        node: NodeId,
        actions: usize,
        player: usize,
    ) -> Range<usize> {
        let rows = state.layout.rows[player];
        let first = self.plan.places[node.index()].action as usize;
        first * rows..(first + actions) * rows
    }

    fn pack<R: Store, S: Store>(&self, state: &State<R, S>, program: &Program, level: &mut Level) {
        let rows = state.layout.rows[self.opponent()];
        let packs = level.down.chunks_exact_mut(8 * rows + 1);
        for (slots, pack) in program.chances.reach.chunks(8).zip(packs) {
            self.isa.run(Pack { slots, from: &level.reach, rows, pack });
        }
    }

    fn unpack<R: Store, S: Store>(&self, state: &State<R, S>, program: &Program, level: &mut Level) {
        let rows = state.layout.rows[self.own()];
        let chances = program.chances.dest.chunks(8).zip(program.chances.keep.chunks(8));
        for ((slots, keep), pack) in chances.zip(level.up.chunks_exact(8 * rows + 1)) {
            self.isa.run(Unpack { slots, keep, pack, rows, to: &mut level.values });
        }
    }

    /// What the noise depends on that rounds the entries of a decision on a board.
    fn seed(&self, board: u32, entries: &Range<usize>) -> u32 {
        let mixed = board ^ self.pass.seed.wrapping_mul(0x9e37_79b1);
        mixed.wrapping_add((entries.start as u32).wrapping_mul(0x85eb_ca77))
    }

    /// The strategies of a decision as they are read, in parts.
    fn strategy<'w, R: Store, S: Store>(
        &self,
        state: &State<R, S>,
        node: NodeId,
        num_actions: usize,
        player: Player,
        reach: Option<&[Row]>,
        work: &'w mut Work,
    ) -> &'w [Row] {
        let first_action = self.plan.places[node.index()].action as usize;
        let entries = Entries { node, player, first_action, num_actions };
        let len = num_actions * state.layout.rows[player.index()];
        let [unpacked, _, strategy] = &mut work.unpacked;
        strategy.resize(strategy.len().max(len), Row::ZERO);
        state.read_strategy(self.isa, &entries, reach, unpacked, &mut strategy[..len]);
        &strategy[..len]
    }

    fn down<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        step: &DownStep,
        reach: &mut [Row],
        work: &mut Work,
    ) {
        let isa = self.isa;
        let rows = state.layout.rows[self.opponent()];
        let place = self.plan.places[step.node.index()];
        let entries = self.entries(state, step.node, step.actions, self.opponent());
        let seed = self.seed(state.seed, &entries);
        let (before, behind) = reach.split_at_mut(step.to * rows);
        let reach = &before[step.reach * rows..][..rows];
        let to = &mut behind[..step.actions * rows];
        let OpponentRule::Current { opening, factors, own_reach, auto } = self.pass.opponent else {
            let player = self.pass.player.opponent();
            let strategy = self.strategy(state, step.node, step.actions, player, Some(reach), work);
            isa.run(DownStrategy { strategy, rows, reach, to });
            return;
        };
        let orbits = &state.orbits[self.opponent()];
        let Table { regret, last, average, sums } = &mut state.tables[self.opponent()];
        let [unpacked_regret, unpacked_last, unpacked_average] = &mut work.unpacked;
        let lock = state.locks.iter().find(|lock| lock.node == step.node);
        let opening = measured(opening, auto, sums.get(place.decision as usize));
        let regret = regret.view(isa, entries.clone(), orbits, unpacked_regret);
        let last_entries = if last.is_empty() { 0..0 } else { entries.clone() };
        let last = last.view(isa, last_entries, orbits, unpacked_last);
        let rule = Averaging { factors, own_reach, seed };
        {
            let average = average.edit(isa, entries.clone(), orbits, unpacked_average);
            match lock {
                Some(lock) => locked::down(lock, rows, opening, rule, (regret, last, average), reach, to),
                None if self.spreads() => {
                    let aside = work.soon.take(rows);
                    isa.run(Down { regret, last, average, opening, rule, rows, reach, to, aside });
                }
                None => isa.run(Down { regret, last, average, opening, rule, rows, reach, to, aside: () }),
            }
        }
        average.commit(isa, entries, orbits, unpacked_average, seed);
    }

    fn up<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        step: &UpStep,
        values: &mut [Row],
        work: &mut Work,
    ) {
        let isa = self.isa;
        let rows = state.layout.rows[self.own()];
        let place = self.plan.places[step.node.index()];
        let entries = self.entries(state, step.node, step.actions, self.own());
        let seed = self.seed(state.seed, &entries);
        let (before, behind) = values.split_at_mut(step.children * rows);
        let to = &mut before[step.dest * rows..][..rows];
        let children = &behind[..step.actions * rows];
        let keep = step.keep;
        let lock = state.locks.iter().find(|lock| lock.node == step.node);
        let (opening, update, auto) = match self.pass.own {
            OwnRule::Update { opening, update, auto } => (opening, update, auto),
            OwnRule::Average => {
                // Also what never happened is worth something: what the strategy that is shown there makes of it.
                let strategy = self.strategy(state, step.node, step.actions, self.pass.player, None, work);
                isa.run(UpStrategy { strategy, rows, children, to, keep });
                return;
            }
            OwnRule::Best => {
                match lock {
                    None => isa.run(UpBest { rows, children, to, keep }),
                    Some(lock) => locked::up_best(lock, rows, children, to, keep),
                }
                return;
            }
        };
        let orbits = &state.orbits[self.own()];
        let Table { regret, last, sums, .. } = &mut state.tables[self.own()];
        let [unpacked_regret, unpacked_last, _] = &mut work.unpacked;
        let opening = measured(opening, auto, sums.get(place.decision as usize));
        let update = Update { seed, ..update };
        let last_entries = if last.is_empty() { 0..0 } else { entries.clone() };
        {
            let regret = regret.edit(isa, entries.clone(), orbits, unpacked_regret);
            let last = last.edit(isa, last_entries.clone(), orbits, unpacked_last);
            match lock {
                Some(lock) => {
                    locked::up(lock, rows, (opening, update), (regret, last), children, to, keep);
                }
                None => {
                    let moved = if self.spreads() {
                        let aside = work.soon.take(rows);
                        isa.run(Up { regret, last, opening, update, rows, children, to, keep, aside })
                    } else {
                        isa.run(Up { regret, last, opening, update, rows, children, to, keep, aside: () })
                    };
                    if let Some(sums) = sums.get_mut(place.decision as usize) {
                        sums.instant += f64::from(moved.instant);
                        sums.regret += f64::from(moved.regret);
                    }
                }
            }
        }
        regret.commit(isa, entries, orbits, unpacked_regret, seed);
        last.commit(isa, last_entries, orbits, unpacked_last, seed ^ 0x55aa_55aa);
    }
}

/// Keeps values of slots as what each own combo gets for each weight of the opponent that it meets; not a number where it
/// meets nobody. `place` is the first of the places, each of which holds a list of combos, `reach` the slot of the
/// opponent's reaches.
fn record(
    layout: &Layout,
    player: Player,
    level: &Level,
    reach: usize,
    slots: Range<usize>,
    place: usize,
    to: &mut Vec<f32>,
) {
    let (own, other) = (player.index(), player.opponent().index());
    let (own_combos, opponent_combos) = (&layout.combos[own], &layout.combos[other]);
    let rows = layout.rows[other];
    let mut sums = BlockerSums::default();
    let mut weights = [0.0; Combo::COUNT];
    for (&combo, weight) in opponent_combos.iter().zip(flatten(&level.reach[reach * rows..][..rows])) {
        sums.add(combo_at(combo), f64::from(weight));
        weights[usize::from(combo)] = f64::from(weight);
    }
    let meets: Vec<f64> =
        own_combos.iter().map(|&combo| sums.met(combo_at(combo), weights[usize::from(combo)])).collect();
    let least = 1e-7 * sums.total();
    let rows = layout.rows[own];
    to.resize(to.len().max((place + slots.len()) * own_combos.len()), f32::NAN);
    for (slot, to) in slots.zip(to[place * own_combos.len()..].chunks_exact_mut(own_combos.len().max(1))) {
        let values = flatten(&level.values[slot * rows..][..rows]);
        for ((to, value), &meets) in to.iter_mut().zip(values).zip(&meets) {
            *to = if meets > least { (f64::from(value) / meets) as f32 } else { f32::NAN };
        }
    }
}

/// Where the values of a board go.
struct Target<'a> {
    /// Whether the packs are in the board's own order and hold nothing yet, or sums in the order of the board before.
    is_result: bool,
    factor: f32,
    /// Rows that a pack takes.
    stride: usize,
    packs: &'a mut [Row],
}

/// The probability of each next card that two combos and the board leave.
fn chance_factor<R, S>(state: &State<R, S>) -> f32 {
    let left = 52 - 4 - state.layout.board.cards().len();
    1.0 / left as f32
}
