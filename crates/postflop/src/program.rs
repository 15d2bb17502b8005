//! The betting tree compiled, street by street and for each traverser, into flat lists of steps.
//!
//! A street's betting does not depend on the board, so one program serves all its boards. On the way down every
//! decision of the opponent turns one vector of reaches into one per action; then come the ends of hands, eight
//! at a time, taken across betting lines; on the way up every own decision turns one vector of values per action
//! into one. Vectors live in numbered slots. A value slot under a decision of the opponent is the sum over the
//! actions: the first step that writes it replaces what it holds, later ones add.

use equipoise_cards::Street;
use equipoise_game::{NodeId, NodeKind, Player, Terminal, Tree};

use crate::kernel::{Batch, Row, ShowBatch};

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
    pub folds: Vec<Batch>,
    pub runouts: Vec<Batch>,
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
            // Rivers are many, so their scratch should stay in the nearer caches: a few packs of lines at a time.
            let is_large = street == Street::River && plan.lines.len() > MOST_LINES;
            let chunk = if is_large { 2 * LANES } else { plan.lines.len().max(1) };
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

/// One end of a hand before it has a lane.
struct Lane {
    reach: usize,
    dest: usize,
    /// Of folds the payoff; of showdowns and runouts half of what is at stake.
    factor: f32,
    lose: f32,
    fold: Option<(usize, f32)>,
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
            compiler.visit(line, slot, slot);
        }
        compiler.finish(first_line, num_lines)
    }

    fn visit(&mut self, id: NodeId, reach: usize, dest: usize) {
        let node = self.tree.node(id);
        let actions = node.num_children();
        match node.kind() {
            NodeKind::Decision(player) if player == self.player => {
                let children = self.num_values;
                self.num_values += actions;
                self.ups.push(UpStep { node: id, actions, reach, children, dest, keep: false });
                let show = node.children().find(|&child| self.kind(child) == NodeKind::Showdown);
                let fold = node.children().position(|child| self.kind(child) == NodeKind::Fold(player));
                for (at, child) in node.children().enumerate() {
                    match (show, fold) {
                        (Some(show), Some(fold)) if child == show => {
                            let payoff = self.terminal(id, fold).lose() * self.scale;
                            self.show(child, reach, children + at, Some((children + fold, payoff as f32)));
                        }
                        (Some(_), Some(fold)) if at == fold => {}
                        _ => self.visit(child, reach, children + at),
                    }
                }
            }
            NodeKind::Decision(_) => {
                let to = self.num_reaches;
                self.num_reaches += actions;
                self.downs.push(DownStep { node: id, actions, reach, to });
                for (at, child) in node.children().enumerate() {
                    self.visit(child, to + at, dest);
                }
            }
            NodeKind::Chance => {
                self.chances.reach.push(reach as u32);
                self.chances.dest.push(dest as u32);
            }
            NodeKind::Fold(player) => {
                let end = self.end(id);
                let payoff = if player == self.player { end.lose() } else { end.win() };
                self.fold(reach, dest, payoff);
            }
            NodeKind::Showdown => self.show(id, reach, dest, None),
            NodeKind::Runout => {
                let end = self.end(id);
                self.fold(reach, dest, end.tie());
                let rivers = if node.street() == Street::Flop { 45.0 * 44.0 } else { 44.0 };
                let factor = ((end.tie() - end.lose()) * self.scale / rivers) as f32;
                self.runouts.push(Lane { reach, dest, factor, lose: 0.0, fold: None });
            }
        }
    }

    fn kind(&self, id: NodeId) -> NodeKind {
        self.tree.node(id).kind()
    }

    fn end(&self, id: NodeId) -> Terminal {
        self.tree.terminal(id).expect("the kind says that the hand is over")
    }

    fn terminal(&self, id: NodeId, child: usize) -> Terminal {
        self.end(self.tree.node(id).children().nth(child).expect("a child"))
    }

    fn fold(&mut self, reach: usize, dest: usize, payoff: f64) {
        let factor = (payoff * self.scale) as f32;
        self.folds.push(Lane { reach, dest, factor, lose: 0.0, fold: None });
    }

    fn show(&mut self, id: NodeId, reach: usize, dest: usize, fold: Option<(usize, f32)>) {
        let end = self.end(id);
        let factor = ((end.tie() - end.lose()) * self.scale) as f32;
        let lose = (end.lose() * self.scale) as f32;
        self.shows.push(Lane { reach, dest, factor, lose, fold });
    }

    /// Puts lanes into batches and finds, in the order of execution, who writes a slot first.
    fn finish(mut self, first_line: usize, num_lines: usize) -> Program {
        // Lanes that are left over write here.
        let spare = self.num_values;
        let mut written = vec![false; spare + 1];
        let mut keep = |dest: usize| std::mem::replace(&mut written[dest], true);
        let mut batch = |lanes: &[Lane]| Batch {
            reach: fill(lanes, lanes[0].reach as u32, |lane| lane.reach as u32),
            dest: fill(lanes, spare as u32, |lane| lane.dest as u32),
            keep: bits(lanes, |lane| keep(lane.dest)),
            factor: Row(fill(lanes, 0.0, |lane| lane.factor)),
        };
        // Lanes with a fold beside them first, so that few batches are mixed.
        self.shows.sort_by_key(|lane| lane.fold.is_none());
        let mut shows = Vec::new();
        for lanes in self.shows.chunks(LANES) {
            let folds = lanes.iter().any(|lane| lane.fold.is_some()).then(|| {
                let fold = |lane: &Lane| lane.fold.map_or(spare as u32, |fold| fold.0 as u32);
                let payoff = |lane: &Lane| lane.fold.map_or(0.0, |fold| fold.1);
                (fill(lanes, spare as u32, fold), Row(fill(lanes, 0.0, payoff)))
            });
            let lose = Row(fill(lanes, 0.0, |lane| lane.lose));
            shows.push(ShowBatch { ends: batch(lanes), lose, folds });
        }
        let folds = self.folds.chunks(LANES).map(&mut batch).collect();
        let runouts = self.runouts.chunks(LANES).map(&mut batch).collect();
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
