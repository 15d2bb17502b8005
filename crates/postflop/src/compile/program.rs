//! The betting tree compiled, street by street and for each traverser, into flat lists of steps.
//!
//! A street's betting does not depend on the board, so one program serves all its boards. In the down pass every decision
//! of the opponent turns one vector of reaches into one per action; then come the terminals, eight at a time, taken across
//! betting lines; in the up pass every own decision turns one vector of values per action into one. Vectors have numbered
//! slots. A value slot under a decision of the opponent is the sum over the actions: the first step that writes it
//! replaces what it holds, later ones add.
//!
//! # The fold baseline
//! On the river, the value of the opponent's folds is not computed. Let n(r) be the matchup count of a reach r: for each
//! own combo, the sum of r over the opponent's combos that share no card with it. A fold pays w · n(r). The reaches of the
//! actions add up to that of the decision, so if the value of every action is counted from the baseline w · n(its own
//! reach), the fold is worth 0, and the decision is worth w · n(its reach) more than the sum. That n belongs to the own
//! decision before it, where a showdown of the same reach computes it anyway. Own decisions below share the baseline,
//! which changes no difference between actions and so no strategy. Before the river folds are few and the recorded values
//! are read directly: the baseline is 0.

use std::cmp::Reverse;

use equipoise_cards::Street;
use equipoise_game::{NodeId, NodeKind, PerPlayer, Player, Terminal, Tree};

use crate::kernel::{FoldBatch, MOST_PAYOUTS, Payout, Row, RunoutBatch, ShowBatch};

/// Betting lines of a pack, and numbers of a row.
pub(crate) const LANES: usize = 8;

/// The most betting lines of a river that one program has, unless they are cut into chunks.
const MOST_LINES: usize = 3 * LANES;

/// A decision of the opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DownStep {
    pub node: NodeId,
    pub actions: usize,
    pub reach: usize,
    /// The first of one slot per action.
    pub to: usize,
}

/// An own decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpStep {
    pub node: NodeId,
    pub actions: usize,
    pub reach: usize,
    /// The first of one slot per action.
    pub children: usize,
    pub dest: usize,
    /// Whether the value is added to what the slot holds.
    pub accumulate: bool,
}

/// Betting lines that continue on the next street, in its order of lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChanceSteps {
    pub reach: Vec<u32>,
    pub dest: Vec<u32>,
    /// Whether the value is added to what the slot holds.
    pub accumulate: Vec<bool>,
}

/// The steps for a chunk of the betting lines of one street.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The first line, a multiple of [`LANES`].
    pub first_line: usize,
    pub num_lines: usize,
    pub num_reaches: usize,
    pub num_values: usize,
    pub downs: Vec<DownStep>,
    pub shows: Vec<ShowBatch>,
    pub folds: Vec<FoldBatch>,
    pub runouts: Vec<RunoutBatch>,
    /// What showdowns and all-ins before the river pay for ties beyond the mean of winning and losing: only where prizes are
    /// played for.
    pub ties: Vec<RunoutBatch>,
    pub tied_runouts: Vec<RunoutBatch>,
    pub chances: ChanceSteps,
    /// Children before parents.
    pub ups: Vec<UpStep>,
}

impl Program {
    /// The slots that hold values before the up pass: those of terminals and of the next street.
    pub(crate) fn given_slots(&self) -> impl Iterator<Item = usize> {
        let spare = self.num_values - 1;
        let mut is_given = vec![true; spare];
        self.ups.iter().filter(|up| !up.accumulate).for_each(|up| is_given[up.dest] = false);
        (0..spare).filter(move |&slot| is_given[slot])
    }

    /// The packs of betting lines: number of the pack, first slot, number of lines.
    pub(crate) fn packs(&self) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let (first, num_lines) = (self.first_line / LANES, self.num_lines);
        (0..num_lines.div_ceil(LANES))
            .map(move |at| (first + at, LANES * at, LANES.min(num_lines - LANES * at)))
    }
}

/// One street of the betting tree.
#[derive(Clone, Debug)]
pub(crate) struct CompiledStreet {
    pub lines: Vec<NodeId>,
    /// Actions of all decisions of a player.
    pub num_actions: PerPlayer<usize>,
    /// The decisions of a player, in the order of their places.
    pub decisions: PerPlayer<Vec<NodeId>>,
    /// By traverser.
    pub programs: PerPlayer<Vec<Program>>,
}

impl CompiledStreet {
    pub(crate) fn num_packs(&self) -> usize {
        self.lines.len().div_ceil(LANES)
    }

    pub(crate) fn has_runouts(&self) -> bool {
        self.programs[Player::Oop].iter().any(|program| !program.runouts.is_empty())
    }

    pub(crate) fn has_tied_runouts(&self) -> bool {
        self.programs.iter().flatten().any(|program| !program.tied_runouts.is_empty())
    }
}

/// Where a decision stands in its player's tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Actions of the same player on the same street before it.
    pub action: u32,
    /// Decisions of the same player on the same street before it.
    pub decision: u32,
}

/// The betting tree, from the starting street on.
#[derive(Clone, Debug)]
pub(crate) struct CompiledTree {
    pub streets: Vec<CompiledStreet>,
    /// By node.
    pub places: Vec<Place>,
}

impl CompiledTree {
    /// The payoffs of each traverser are multiplied by its scale.
    pub(crate) fn new(tree: &Tree, scales: PerPlayer<f64>) -> CompiledTree {
        let mut places = vec![Place::default(); tree.nodes().len()];
        let mut streets = Vec::new();
        let mut lines = vec![tree.root()];
        for street in tree.config().streets() {
            let mut compiled = CompiledStreet {
                lines,
                num_actions: PerPlayer::default(),
                decisions: PerPlayer::default(),
                programs: PerPlayer::default(),
            };
            let mut next = Vec::new();
            for line in compiled.lines.clone() {
                number(tree, line, &mut places, &mut compiled, &mut next);
            }
            let chunk = chunk_lines(street, compiled.lines.len());
            compiled.programs = PerPlayer::from_fn(|player| {
                let compile = |(at, lines): (usize, &[NodeId])| {
                    Compiler::compile(tree, player, scales[player], at * chunk, lines)
                };
                compiled.lines.chunks(chunk).enumerate().map(compile).collect()
            });
            streets.push(compiled);
            lines = next;
        }
        CompiledTree { streets, places }
    }

    /// Actions of the same player on the same street before a decision.
    pub(crate) fn first_action(&self, node: NodeId) -> usize {
        self.places[node.index()].action as usize
    }
}

/// How many of a street's betting lines one program has.
pub(crate) fn chunk_lines(street: Street, num_lines: usize) -> usize {
    // There are many rivers, so their scratch should stay in the L1 and L2 caches: a few packs of lines at a time.
    let is_large = street == Street::River && num_lines > MOST_LINES;
    if is_large { 2 * LANES } else { num_lines.max(1) }
}

/// Gives the decisions of a betting line their places and collects the lines of the next street, both depth first.
fn number(
    tree: &Tree,
    id: NodeId,
    places: &mut [Place],
    street: &mut CompiledStreet,
    next: &mut Vec<NodeId>,
) {
    let node = tree.node(id);
    match node.kind() {
        NodeKind::Decision(player) => {
            let (actions, decisions) = (&mut street.num_actions[player], &mut street.decisions[player]);
            places[id.index()] = Place { action: *actions as u32, decision: decisions.len() as u32 };
            *actions += node.num_children();
            decisions.push(id);
            node.children().for_each(|child| number(tree, child, places, street, next));
        }
        NodeKind::Chance => next.extend(node.children()),
        _ => {}
    }
}

/// The payments of one reach, before they are batched.
struct Lane {
    reach: usize,
    /// The slot of a showdown or an all-in, and half of what is at stake.
    end: Option<(usize, f32)>,
    lose: f32,
    /// Slots, and what each is paid per matchup.
    payouts: Vec<(usize, f32)>,
}

impl Lane {
    /// A lane of one slot.
    fn of_end(reach: usize, dest: usize, factor: f32) -> Lane {
        Lane { reach, end: Some((dest, factor)), lose: 0.0, payouts: Vec::new() }
    }
}

struct Compiler<'t> {
    tree: &'t Tree,
    player: Player,
    scale: f64,
    num_reaches: usize,
    num_values: usize,
    downs: Vec<DownStep>,
    ups: Vec<UpStep>,
    shows: Vec<Lane>,
    folds: Vec<Lane>,
    runouts: Vec<Lane>,
    ties: Vec<Lane>,
    tied_runouts: Vec<Lane>,
    chances: ChanceSteps,
}

impl Compiler<'_> {
    fn compile(tree: &Tree, player: Player, scale: f64, first_line: usize, lines: &[NodeId]) -> Program {
        let num_lines = lines.len();
        let mut compiler = Compiler {
            tree,
            player,
            scale,
            num_reaches: num_lines,
            num_values: num_lines,
            downs: Vec::new(),
            ups: Vec::new(),
            shows: Vec::new(),
            folds: Vec::new(),
            runouts: Vec::new(),
            ties: Vec::new(),
            tied_runouts: Vec::new(),
            chances: ChanceSteps::default(),
        };
        for (slot, &line) in lines.iter().enumerate() {
            compiler.visit(line, slot, slot, 0.0);
        }
        compiler.finish(first_line, num_lines)
    }

    /// Compiles a node whose values are counted from a baseline, in chips per matchup.
    fn visit(&mut self, id: NodeId, reach: usize, dest: usize, baseline: f64) {
        let node = self.tree.node(id);
        let actions = node.num_children();
        match node.kind() {
            NodeKind::Decision(player) if player == self.player => {
                let children = self.num_values;
                self.num_values += actions;
                self.ups.push(UpStep { node: id, actions, reach, children, dest, accumulate: false });
                let (mut payouts, mut show) = (Vec::new(), None);
                for (child, dest) in node.children().zip(children..) {
                    match self.kind(child) {
                        NodeKind::Fold(_) => {
                            payouts.push((dest, self.end(child).lose(self.player) - baseline));
                        }
                        NodeKind::Showdown => show = Some((child, dest)),
                        _ => {
                            let below = self.fold_baseline(child).unwrap_or(baseline);
                            if below != baseline {
                                payouts.push((dest, below - baseline));
                            }
                            self.visit(child, reach, dest, below);
                        }
                    }
                }
                match show {
                    Some((child, dest)) => self.show(child, reach, dest, baseline, &payouts),
                    None => self.pay(reach, &payouts),
                }
            }
            NodeKind::Decision(_) => {
                let to = self.num_reaches;
                self.num_reaches += actions;
                self.downs.push(DownStep { node: id, actions, reach, to });
                for (at, child) in node.children().enumerate() {
                    self.visit(child, to + at, dest, baseline);
                }
            }
            NodeKind::Chance => {
                self.chances.reach.push(reach as u32);
                self.chances.dest.push(dest as u32);
            }
            NodeKind::Fold(player) => {
                let end = self.end(id);
                let own = self.player;
                let payoff = if player == own { end.lose(own) } else { end.win(own) } - baseline;
                if payoff != 0.0 {
                    self.pay(reach, &[(dest, payoff)]);
                }
            }
            NodeKind::Showdown => self.show(id, reach, dest, baseline, &[]),
            NodeKind::Runout => {
                let end = self.end(id);
                let mean = end.mean(self.player);
                self.pay(reach, &[(dest, mean)]);
                let rivers = if node.street() == Street::Flop { 45.0 * 44.0 } else { 44.0 };
                let lane = |payoff: f64| Lane::of_end(reach, dest, (payoff * self.scale / rivers) as f32);
                let excess = end.tie_excess(self.player);
                self.tied_runouts.extend((excess != 0.0).then(|| lane(excess)));
                self.runouts.push(lane(mean - end.lose(self.player)));
            }
        }
    }

    /// The baseline below a decision of the opponent on the river: what its fold pays, if it may fold.
    fn fold_baseline(&self, id: NodeId) -> Option<f64> {
        let node = self.tree.node(id);
        let opponent = self.player.opponent();
        if node.street() != Street::River || node.kind() != NodeKind::Decision(opponent) {
            return None;
        }
        let fold = node.children().find(|&child| self.kind(child) == NodeKind::Fold(opponent))?;
        Some(self.end(fold).win(self.player))
    }

    fn kind(&self, id: NodeId) -> NodeKind {
        self.tree.node(id).kind()
    }

    fn end(&self, id: NodeId) -> Terminal {
        self.tree.terminal(id).expect("the kind says that the hand is over")
    }

    /// Payoffs per matchup as factors.
    fn scaled(&self, payouts: &[(usize, f64)]) -> Vec<(usize, f32)> {
        payouts.iter().map(|&(dest, payoff)| (dest, (payoff * self.scale) as f32)).collect()
    }

    fn pay(&mut self, reach: usize, payouts: &[(usize, f64)]) {
        for payouts in payouts.chunks(MOST_PAYOUTS) {
            self.folds.push(Lane { reach, end: None, lose: 0.0, payouts: self.scaled(payouts) });
        }
    }

    fn show(&mut self, id: NodeId, reach: usize, dest: usize, baseline: f64, payouts: &[(usize, f64)]) {
        let end = self.end(id);
        let excess = end.tie_excess(self.player);
        if excess != 0.0 {
            self.ties.push(Lane::of_end(reach, dest, (excess * self.scale) as f32));
        }
        let factor = ((end.mean(self.player) - end.lose(self.player)) * self.scale) as f32;
        let lose = ((end.lose(self.player) - baseline) * self.scale) as f32;
        let (payouts, rest) = payouts.split_at(payouts.len().min(MOST_PAYOUTS));
        self.shows.push(Lane { reach, end: Some((dest, factor)), lose, payouts: self.scaled(payouts) });
        self.pay(reach, rest);
    }

    /// Puts lanes into batches and finds, in the order of execution, which step writes a slot first.
    fn finish(mut self, first_line: usize, num_lines: usize) -> Program {
        // Unused lanes of a batch write here.
        let spare = self.num_values;
        let mut written = vec![false; spare + 1];
        let mut accumulates = |dest: usize| std::mem::replace(&mut written[dest], true);
        let mut payout = |lanes: &[Lane], of: &dyn Fn(&Lane) -> Option<(usize, f32)>| Payout {
            dest: fill(lanes, spare as u32, |lane| of(lane).map_or(spare, |(dest, _)| dest) as u32),
            accumulate: bits(lanes, |lane| of(lane).is_some_and(|(dest, _)| accumulates(dest))),
            factor: Row(fill(lanes, 0.0, |lane| of(lane).map_or(0.0, |(_, factor)| factor))),
        };
        let reach = |lanes: &[Lane]| fill(lanes, lanes[0].reach as u32, |lane| lane.reach as u32);
        // Lanes with equally many payouts together, so that few are unused.
        self.shows.sort_by_key(|lane| Reverse(lane.payouts.len()));
        self.folds.sort_by_key(|lane| Reverse(lane.payouts.len()));
        let folds = |lanes: &[Lane], payout: &mut PayoutOf<'_>| FoldBatch {
            reach: reach(lanes),
            payouts: (0..lanes[0].payouts.len())
                .map(|at| payout(lanes, &|lane| lane.payouts.get(at).copied()))
                .collect(),
        };
        let mut shows = Vec::new();
        for lanes in self.shows.chunks(LANES) {
            let half = payout(lanes, &|lane| lane.end);
            let lose = Row(fill(lanes, 0.0, |lane| lane.lose));
            shows.push(ShowBatch { half, lose, folds: folds(lanes, &mut payout) });
        }
        let folds = self.folds.chunks(LANES).map(|lanes| folds(lanes, &mut payout)).collect();
        let mut runout =
            |lanes: &[Lane]| RunoutBatch { reach: reach(lanes), payout: payout(lanes, &|lane| lane.end) };
        let [runouts, ties, tied_runouts] = [&self.runouts, &self.ties, &self.tied_runouts]
            .map(|lanes| lanes.chunks(LANES).map(&mut runout).collect());
        self.chances.accumulate = self.chances.dest.iter().map(|&dest| accumulates(dest as usize)).collect();
        self.ups.reverse();
        for up in &mut self.ups {
            up.accumulate = accumulates(up.dest);
        }
        Program {
            first_line,
            num_lines,
            num_reaches: self.num_reaches,
            num_values: spare + 1,
            downs: self.downs,
            shows,
            folds,
            runouts,
            ties,
            tied_runouts,
            chances: self.chances,
            ups: self.ups,
        }
    }
}

/// Makes a batch's payout from one of each lane.
type PayoutOf<'a> = dyn FnMut(&[Lane], &dyn Fn(&Lane) -> Option<(usize, f32)>) -> Payout + 'a;

/// A bit for each lane.
fn bits(lanes: &[Lane], mut of: impl FnMut(&Lane) -> bool) -> u8 {
    lanes.iter().enumerate().fold(0, |bits, (at, lane)| bits | u8::from(of(lane)) << at)
}

/// One number for each lane; `spare` for unused lanes.
fn fill<T: Copy>(lanes: &[Lane], spare: T, mut of: impl FnMut(&Lane) -> T) -> [T; LANES] {
    let mut filled = [spare; LANES];
    for (slot, lane) in filled.iter_mut().zip(lanes) {
        *slot = of(lane);
    }
    filled
}
