//! The betting tree compiled, street by street and for each traverser, into flat lists of steps.
//!
//! A street's betting does not depend on the board, so one program serves all its boards. On the way down every
//! decision of the opponent turns one vector of reaches into one per action; then come the ends of hands, eight
//! at a time, taken across betting lines; on the way up every own decision turns one vector of values per action
//! into one. Vectors live in numbered slots. A value slot under a decision of the opponent is the sum over the
//! actions: the first step that writes it replaces what it holds, later ones add.
//!
//! # Zero lines
//! On the river, what the opponent folds to is not computed. With n(r) what a reach r meets, a fold pays w · n(r). The
//! reaches of the actions add up to that of the decision, so if every action's value is counted from a zero line of
//! w · n(its own reach), the fold is worth 0 and the decision w · n(all its reach) more than the sum. That last n is the
//! one of the own decision before it, where a showdown of the same reach has it anyway. Whatever the own player
//! does below is counted from the same line, which changes no difference of actions and so no strategy. Before the river
//! there are few folds, and values are read as they are: the line is 0.

use std::cmp::Reverse;

use equipoise_cards::Street;
use equipoise_game::{NodeId, NodeKind, Player, Terminal, Tree};

use crate::kernel::{FoldBatch, MOST_PAYOUTS, Payout, Row, RunoutBatch, ShowBatch};

/// Lines that are worked on together, and numbers of a vector.
pub(crate) const LANES: usize = 8;

/// The most lines of a river that are worked on at once.
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
    pub keep: bool,
}

/// Betting lines that go on to the next street, in its order of lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChanceSteps {
    pub reach: Vec<u32>,
    pub dest: Vec<u32>,
    pub keep: Vec<bool>,
}

/// What is done for some lines of one street.
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
    pub chances: ChanceSteps,
    /// Children before parents.
    pub ups: Vec<UpStep>,
}

impl Program {
    /// The packs of lines: number of the pack, first slot, number of lines.
    pub(crate) fn packs(&self) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let (first, num_lines) = (self.first_line / LANES, self.num_lines);
        (0..num_lines.div_ceil(LANES))
            .map(move |at| (first + at, LANES * at, LANES.min(num_lines - LANES * at)))
    }
}

/// One street of the betting tree.
#[derive(Clone, Debug)]
pub(crate) struct StreetPlan {
    pub lines: Vec<NodeId>,
    /// Actions of all decisions of OOP and of IP.
    pub num_actions: [usize; 2],
    /// The decisions of OOP and of IP, in the order of their places.
    pub decisions: [Vec<NodeId>; 2],
    /// By traverser.
    pub programs: [Vec<Program>; 2],
}

impl StreetPlan {
    pub(crate) fn num_packs(&self) -> usize {
        self.lines.len().div_ceil(LANES)
    }

    pub(crate) fn has_runouts(&self) -> bool {
        self.programs[0].iter().any(|program| !program.runouts.is_empty())
    }
}

/// Where a decision keeps its tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Actions of the same player on the same street before it.
    pub action: u32,
    /// Decisions of the same player on the same street before it.
    pub decision: u32,
}

/// The whole tree, from the starting street on.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub streets: Vec<StreetPlan>,
    /// By node.
    pub places: Vec<Place>,
}

impl Plan {
    /// `scales` are what the payoffs of each traverser are multiplied by.
    pub(crate) fn new(tree: &Tree, scales: [f64; 2]) -> Plan {
        let mut places = vec![Place::default(); tree.nodes().len()];
        let mut streets = Vec::new();
        let mut lines = vec![tree.root()];
        for street in tree.config().streets() {
            let mut plan = StreetPlan {
                lines,
                num_actions: [0; 2],
                decisions: [Vec::new(), Vec::new()],
                programs: [Vec::new(), Vec::new()],
            };
            let mut next = Vec::new();
            for &line in &plan.lines.clone() {
                number(tree, line, &mut places, &mut plan, &mut next);
            }
            let chunk = chunk_lines(street, plan.lines.len());
            for player in Player::ALL {
                let scale = scales[player.index()];
                let compile = |(at, lines): (usize, &[NodeId])| {
                    Compiler::compile(tree, player, scale, at * chunk, lines)
                };
                plan.programs[player.index()] = plan.lines.chunks(chunk).enumerate().map(compile).collect();
            }
            streets.push(plan);
            lines = next;
        }
        Plan { streets, places }
    }
}

/// How many of a street's lines one program has.
pub(crate) fn chunk_lines(street: Street, num_lines: usize) -> usize {
    // Rivers are many, so their scratch should stay in the nearer caches: a few packs of lines at a time.
    let is_large = street == Street::River && num_lines > MOST_LINES;
    if is_large { 2 * LANES } else { num_lines.max(1) }
}

/// Gives the decisions of a line their places and collects the lines of the next street, both depth first.
fn number(tree: &Tree, id: NodeId, places: &mut [Place], plan: &mut StreetPlan, next: &mut Vec<NodeId>) {
    let node = tree.node(id);
    match node.kind() {
        NodeKind::Decision(player) => {
            let (actions, decisions) =
                (&mut plan.num_actions[player.index()], &mut plan.decisions[player.index()]);
            places[id.index()] = Place { action: *actions as u32, decision: decisions.len() as u32 };
            *actions += node.num_children();
            decisions.push(id);
            node.children().for_each(|child| number(tree, child, places, plan, next));
        }
        NodeKind::Chance => next.extend(node.children()),
        _ => {}
    }
}

/// Values of one reach before they have a lane.
struct Lane {
    reach: usize,
    /// Where a showdown or an all-in goes, and half of what is at stake.
    end: Option<(usize, f32)>,
    lose: f32,
    /// What is paid to all that the reach meets, and where.
    payouts: Vec<(usize, f32)>,
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
            chances: ChanceSteps::default(),
        };
        for (slot, &line) in lines.iter().enumerate() {
            compiler.visit(line, slot, slot, 0.0);
        }
        compiler.finish(first_line, num_lines)
    }

    /// What is worth `zero` to all that the reach meets counts as nothing here.
    fn visit(&mut self, id: NodeId, reach: usize, dest: usize, zero: f64) {
        let node = self.tree.node(id);
        let actions = node.num_children();
        match node.kind() {
            NodeKind::Decision(player) if player == self.player => {
                let children = self.num_values;
                self.num_values += actions;
                self.ups.push(UpStep { node: id, actions, reach, children, dest, keep: false });
                let (mut payouts, mut show) = (Vec::new(), None);
                for (child, dest) in node.children().zip(children..) {
                    match self.kind(child) {
                        NodeKind::Fold(_) => payouts.push((dest, self.end(child).lose() - zero)),
                        NodeKind::Showdown => show = Some((child, dest)),
                        _ => {
                            let line = self.zero_line(child).unwrap_or(zero);
                            if line != zero {
                                payouts.push((dest, line - zero));
                            }
                            self.visit(child, reach, dest, line);
                        }
                    }
                }
                match show {
                    Some((child, dest)) => self.show(child, reach, dest, zero, &payouts),
                    None => self.pay(reach, &payouts),
                }
            }
            NodeKind::Decision(_) => {
                let to = self.num_reaches;
                self.num_reaches += actions;
                self.downs.push(DownStep { node: id, actions, reach, to });
                for (at, child) in node.children().enumerate() {
                    self.visit(child, to + at, dest, zero);
                }
            }
            NodeKind::Chance => {
                self.chances.reach.push(reach as u32);
                self.chances.dest.push(dest as u32);
            }
            NodeKind::Fold(player) => {
                let end = self.end(id);
                let payoff = if player == self.player { end.lose() } else { end.win() } - zero;
                if payoff != 0.0 {
                    self.pay(reach, &[(dest, payoff)]);
                }
            }
            NodeKind::Showdown => self.show(id, reach, dest, zero, &[]),
            NodeKind::Runout => {
                let end = self.end(id);
                self.pay(reach, &[(dest, end.tie())]);
                let rivers = if node.street() == Street::Flop { 45.0 * 44.0 } else { 44.0 };
                let factor = ((end.tie() - end.lose()) * self.scale / rivers) as f32;
                self.runouts.push(Lane { reach, end: Some((dest, factor)), lose: 0.0, payouts: Vec::new() });
            }
        }
    }

    /// What the opponent's fold pays, where it is a decision on the river that has one.
    fn zero_line(&self, id: NodeId) -> Option<f64> {
        let node = self.tree.node(id);
        let opponent = self.player.opponent();
        if node.street() != Street::River || node.kind() != NodeKind::Decision(opponent) {
            return None;
        }
        let fold = node.children().find(|&child| self.kind(child) == NodeKind::Fold(opponent))?;
        Some(self.end(fold).win())
    }

    fn kind(&self, id: NodeId) -> NodeKind {
        self.tree.node(id).kind()
    }

    fn end(&self, id: NodeId) -> Terminal {
        self.tree.terminal(id).expect("the kind says that the hand is over")
    }

    /// The payoffs to all that a reach meets, as factors.
    fn scaled(&self, payouts: &[(usize, f64)]) -> Vec<(usize, f32)> {
        payouts.iter().map(|&(dest, payoff)| (dest, (payoff * self.scale) as f32)).collect()
    }

    fn pay(&mut self, reach: usize, payouts: &[(usize, f64)]) {
        for payouts in payouts.chunks(MOST_PAYOUTS) {
            self.folds.push(Lane { reach, end: None, lose: 0.0, payouts: self.scaled(payouts) });
        }
    }

    fn show(&mut self, id: NodeId, reach: usize, dest: usize, zero: f64, payouts: &[(usize, f64)]) {
        let end = self.end(id);
        let factor = ((end.tie() - end.lose()) * self.scale) as f32;
        let lose = ((end.lose() - zero) * self.scale) as f32;
        let (payouts, rest) = payouts.split_at(payouts.len().min(MOST_PAYOUTS));
        self.shows.push(Lane { reach, end: Some((dest, factor)), lose, payouts: self.scaled(payouts) });
        self.pay(reach, rest);
    }

    /// Puts lanes into batches and finds, in the order of execution, who writes a slot first.
    fn finish(mut self, first_line: usize, num_lines: usize) -> Program {
        // Lanes that are left over write here.
        let spare = self.num_values;
        let mut written = vec![false; spare + 1];
        let mut keep = |dest: usize| std::mem::replace(&mut written[dest], true);
        let mut payout = |lanes: &[Lane], of: &dyn Fn(&Lane) -> Option<(usize, f32)>| Payout {
            dest: fill(lanes, spare as u32, |lane| of(lane).map_or(spare, |(dest, _)| dest) as u32),
            keep: bits(lanes, |lane| of(lane).is_some_and(|(dest, _)| keep(dest))),
            factor: Row(fill(lanes, 0.0, |lane| of(lane).map_or(0.0, |(_, factor)| factor))),
        };
        let reach = |lanes: &[Lane]| fill(lanes, lanes[0].reach as u32, |lane| lane.reach as u32);
        // Lanes with as many payouts together, so that few are in vain.
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
        let runout =
            |lanes: &[Lane]| RunoutBatch { reach: reach(lanes), payout: payout(lanes, &|lane| lane.end) };
        let runouts = self.runouts.chunks(LANES).map(runout).collect();
        self.chances.keep = self.chances.dest.iter().map(|&dest| keep(dest as usize)).collect();
        self.ups.reverse();
        for up in &mut self.ups {
            up.keep = keep(up.dest);
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
            chances: self.chances,
            ups: self.ups,
        }
    }
}

/// Makes a payout of one of each lane's.
type PayoutOf<'a> = dyn FnMut(&[Lane], &dyn Fn(&Lane) -> Option<(usize, f32)>) -> Payout + 'a;

/// A bit for each lane.
fn bits(lanes: &[Lane], mut of: impl FnMut(&Lane) -> bool) -> u8 {
    lanes.iter().enumerate().fold(0, |bits, (at, lane)| bits | u8::from(of(lane)) << at)
}

/// One number for each lane, and for those that are left over.
fn fill<T: Copy>(lanes: &[Lane], spare: T, mut of: impl FnMut(&Lane) -> T) -> [T; LANES] {
    let mut filled = [spare; LANES];
    for (slot, lane) in filled.iter_mut().zip(lanes) {
        *slot = of(lane);
    }
    filled
}
