//! The public betting tree.

use equipoise_cards::Street;
use thiserror::Error;

use crate::action::{Action, WrittenAction};
use crate::build;
use crate::chips::Chips;
use crate::config::{ConfigError, TreeConfig};
use crate::count::TreeCount;
use crate::line::{Cursor, Line, LineError};
use crate::note::TreeNote;
use crate::payoff::Terminal;
use crate::per_player::PerPlayer;
use crate::player::Player;
use crate::prizes::{PrizePayoffs, ValueUnit};
use crate::stats::TreeStats;

/// A position in a [`Tree`]: the number of a node. A parent's number is below its children's, and siblings'
/// numbers follow each other in the order of their actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The position in arrays that have an entry per node.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Only the builder makes ids; it never has more nodes than 32 bits count.
    pub(crate) fn from_index(index: usize) -> NodeId {
        NodeId(u32::try_from(index).expect("the limit on nodes is below 2^32"))
    }
}

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // Solvers must handle every kind.
pub enum NodeKind {
    /// A player acts.
    Decision(Player),
    /// The betting of a street is over and a card comes; one child, which is the same for every card.
    Chance,
    /// This player has folded.
    Fold(Player),
    /// The hands are compared on the river.
    Showdown,
    /// Both players are all-in before the river: the rest of the board is dealt without decisions, then a
    /// showdown.
    Runout,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) street: Street,
    pub(crate) action: Option<Action>,
    pub(crate) parent: Option<NodeId>,
    pub(crate) first_child: u32,
    pub(crate) num_children: u32,
    /// Since the root, the whole of an uncalled bet included.
    pub(crate) invested: PerPlayer<Chips>,
    /// What each had invested when the street began.
    pub(crate) street_base: Chips,
}

impl Node {
    /// What happens here.
    #[must_use]
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// Who acts here, if anybody.
    #[must_use]
    pub fn player(&self) -> Option<Player> {
        match self.kind {
            NodeKind::Decision(player) => Some(player),
            _ => None,
        }
    }

    /// Whether the hand is over.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(self.kind, NodeKind::Fold(_) | NodeKind::Showdown | NodeKind::Runout)
    }

    /// The street on which this node lies. A chance node belongs to the street that it ends, a runout to the
    /// street on which the all-in was called.
    #[must_use]
    pub fn street(&self) -> Street {
        self.street
    }

    /// The action that led here; `None` at the root and after a card.
    #[must_use]
    pub fn action(&self) -> Option<Action> {
        self.action
    }

    /// The node before this one; `None` at the root.
    #[must_use]
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The nodes after this one, in the order of their actions.
    pub fn children(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        (self.first_child..self.first_child + self.num_children).map(NodeId)
    }

    /// How many nodes come after this one; at a decision the number of actions.
    #[must_use]
    pub fn num_children(&self) -> usize {
        self.num_children as usize
    }

    /// What a player has invested since the root, a bet that is not called yet included.
    #[must_use]
    pub fn invested(&self, player: Player) -> Chips {
        self.invested[player]
    }

    /// What a player has invested on this street.
    #[must_use]
    pub fn street_total(&self, player: Player) -> Chips {
        self.invested(player) - self.street_base
    }

    /// What the acting player has invested on this street after an action; zero where nobody acts.
    #[must_use]
    pub fn street_total_after(&self, action: Action) -> Chips {
        let Some(player) = self.player() else { return Chips::ZERO };
        match action {
            Action::Call => self.street_total(player.opponent()),
            _ => action.total().unwrap_or_else(|| self.street_total(player)),
        }
    }
}

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The configuration makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A line to be added or removed does not fit.
    #[error(transparent)]
    Line(#[from] LineError),
    /// More nodes than [`TreeConfig::max_nodes`].
    #[error(
        "the betting tree has {}, and the limit is {limit}; most of them are on the {street}: use fewer or larger sizes there",
        many(*nodes, *is_all)
    )]
    TooManyNodes {
        /// The limit.
        limit: usize,
        /// How many were counted.
        nodes: u64,
        /// Whether these are all: past the limit, counting continues only while it is little work.
        is_all: bool,
        /// The street that has most of the nodes.
        street: Street,
    },
    /// Nobody wanted it any more.
    #[error("the betting tree was given up before it was there")]
    Cancelled,
}

fn many(nodes: u64, is_all: bool) -> String {
    if is_all { format!("{nodes} nodes") } else { format!("more than {nodes} nodes") }
}

/// The betting of a postflop spot: every decision, card and end of hand, independent of which cards come.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, NodeKind, Player, Preset, Tree, TreeConfig};
/// let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
/// Preset::Standard.apply(&mut config);
/// let tree = Tree::build(&config)?;
/// let root: Vec<String> = tree.actions(tree.root()).map(|(action, _)| action.to_string()).collect();
/// assert_eq!(root, ["check", "bet:120", "bet:216", "allin"]);
/// let id = tree.find(&"check bet:120 call |".parse()?)?;
/// assert_eq!(tree.pot(id), Chips::new(440));
/// let end = tree.find(&"allin call".parse()?)?;
/// assert_eq!(tree.node(end).kind(), NodeKind::Runout);
/// assert_eq!(tree.terminal(end).map(|end| end.win(Player::Oop)), Some(1100.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    config: TreeConfig,
    nodes: Vec<Node>,
    notes: Vec<TreeNote>,
    /// If it is played for prizes.
    payoffs: Option<PrizePayoffs>,
}

impl Tree {
    /// Builds the tree of a configuration.
    ///
    /// # Errors
    /// [`TreeError`] if the configuration is wrong, a line does not fit, or there are too many nodes.
    pub fn build(config: &TreeConfig) -> Result<Tree, TreeError> {
        Tree::build_unless(config, &|| false)
    }

    /// The same, cancelled by `is_cancelled`. The nodes are counted first, so that a tree that is too
    /// large is not begun.
    ///
    /// # Errors
    /// As [`Tree::build`], and [`TreeError::Cancelled`].
    pub fn build_unless(config: &TreeConfig, is_cancelled: &dyn Fn() -> bool) -> Result<Tree, TreeError> {
        let num_nodes = TreeCount::of(config, is_cancelled)?.num_nodes() as usize;
        let (nodes, notes) = build::nodes(config, num_nodes, is_cancelled)?;
        Ok(Tree::of_nodes(config.clone(), nodes, notes))
    }

    fn of_nodes(config: TreeConfig, nodes: Vec<Node>, notes: Vec<TreeNote>) -> Tree {
        let invested = || nodes.iter().flat_map(|node| node.invested.into_array());
        let payoffs = |prizes| PrizePayoffs::new(prizes, config.starting_pot, invested());
        Tree { payoffs: config.prizes.as_ref().map(payoffs), config, nodes, notes }
    }

    /// What the tree was built from.
    #[must_use]
    pub fn config(&self) -> &TreeConfig {
        &self.config
    }

    /// What the author of the configuration should be told.
    #[must_use]
    pub fn notes(&self) -> &[TreeNote] {
        &self.notes
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// A node of this tree.
    ///
    /// # Panics
    /// If the id is another, larger tree's.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Every node, indexed by [`NodeId::index`].
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Every id, parents before children.
    pub fn node_ids(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    /// The actions at a decision and where they lead; empty elsewhere.
    pub fn actions(&self, id: NodeId) -> impl Iterator<Item = (Action, NodeId)> {
        self.node(id).children().filter_map(|child| Some((self.node(child).action?, child)))
    }

    /// The pot at a node, bets on the table included.
    #[must_use]
    pub fn pot(&self, id: NodeId) -> Chips {
        let invested = self.node(id).invested;
        self.config.starting_pot + invested[Player::Oop] + invested[Player::Ip]
    }

    /// What a bet at a decision is of the pot that it is made into, 1 being the pot; of a raise, what is added to the call, of
    /// the pot after it.
    ///
    /// # Panics
    /// If the tree has no such node.
    #[must_use]
    pub fn share_of_pot(&self, id: NodeId, action: Action) -> f64 {
        let at = self.node(id);
        let player = at.player().unwrap_or(Player::Oop);
        let [own, other] = [player, player.opponent()].map(|player| at.street_total(player).as_f64());
        let total = action.total().map_or(0.0, Chips::as_f64);
        (total - other) / (self.pot(id).as_f64() + (other - own))
    }

    /// What a player has left at a node.
    #[must_use]
    pub fn stack(&self, id: NodeId, player: Player) -> Chips {
        self.config.effective_stack - self.node(id).invested(player)
    }

    /// What the end of a hand pays; `None` where the hand is not over.
    #[must_use]
    pub fn terminal(&self, id: NodeId) -> Option<Terminal> {
        let node = self.node(id);
        let folded = match node.kind {
            NodeKind::Fold(player) => Some(player),
            NodeKind::Showdown | NodeKind::Runout => None,
            NodeKind::Decision(_) | NodeKind::Chance => return None,
        };
        let matched = node.invested(Player::Oop).min(node.invested(Player::Ip));
        let end = Terminal::new(self.config.starting_pot, matched, self.config.rake, folded);
        Some(match &self.payoffs {
            Some(payoffs) => end.for_prizes(payoffs.ends(matched)),
            None => end,
        })
    }

    /// What payoffs and expected values are counted in.
    #[must_use]
    pub fn unit(&self) -> ValueUnit {
        if self.payoffs.is_some() { ValueUnit::Prizes } else { ValueUnit::Chips }
    }

    /// What a player's investment up to a node was worth, by which a payoff from there on is larger than one from the root: the
    /// chips, or what losing them costs in prizes. Giving up there is worth 0 from there on.
    #[must_use]
    pub fn sunk(&self, id: NodeId, player: Player) -> f64 {
        let invested = self.node(id).invested(player);
        self.payoffs.as_ref().map_or(invested.as_f64(), |payoffs| -payoffs.lose(invested, player))
    }

    /// Follows a line from the root.
    ///
    /// # Errors
    /// [`LineError`] says where the line leaves the tree and what is possible there.
    pub fn find(&self, line: &Line) -> Result<NodeId, LineError> {
        let mut id = NodeId::ROOT;
        let mut cursor = Cursor::new(line);
        loop {
            let next = match self.node(id).kind {
                NodeKind::Decision(_) => self.follow(id, &cursor)?,
                NodeKind::Chance if cursor.deals_at_chance()? => self.node(id).children().next(),
                NodeKind::Chance => None,
                _ => cursor.ends_at_terminal().map(|()| None)?,
            };
            match next {
                Some(child) => (id, cursor) = (child, cursor.advanced()),
                None => return Ok(id),
            }
        }
    }

    /// Where a line goes from a decision; `None` at its end.
    fn follow(&self, id: NodeId, cursor: &Cursor<'_>) -> Result<Option<NodeId>, LineError> {
        let possible: Vec<Action> = self.actions(id).map(|(action, _)| action).collect();
        let Some(written) = cursor.action_at_decision(&possible)? else { return Ok(None) };
        match self.actions(id).find(|&(action, _)| written.matches(action)) {
            Some((_, child)) => Ok(Some(child)),
            None => Err(LineError::NotPossible { line: cursor.line.clone(), action: written, possible }),
        }
    }

    /// The line that leads to a node; [`Tree::find`] of it is the node again.
    #[must_use]
    pub fn line_to(&self, id: NodeId) -> Line {
        let mut path = vec![];
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            path.push(at);
            at = parent;
        }
        let mut line = Line::root();
        for step in path.into_iter().rev() {
            match self.node(step).action {
                Some(action) => line.act(WrittenAction::from(action)),
                None => line.deal(),
            }
        }
        line
    }

    /// The tree below the beginning of a street, as if the hand began there: with its pot, what is left of the stacks and
    /// the same actions. Also the node of this tree that each node of the new one stands for. `None` if the node is not the
    /// first of its street.
    ///
    /// ```
    /// use equipoise_cards::Street;
    /// use equipoise_game::{Chips, Preset, Tree, TreeConfig};
    /// let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
    /// Preset::Standard.apply(&mut config);
    /// let tree = Tree::build(&config)?;
    /// let river = tree.find(&"check bet:120 call |".parse()?)?;
    /// let (below, nodes) = tree.below(river).expect("a street begins there");
    /// assert_eq!(below.pot(below.root()), Chips::new(440));
    /// assert_eq!(nodes[0], river);
    /// assert!(tree.below(tree.find(&"check".parse()?)?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn below(&self, id: NodeId) -> Option<(Tree, Vec<NodeId>)> {
        let root = self.node(id);
        if root.action.is_some() || root.kind == NodeKind::Chance {
            return None;
        }
        let mut places = vec![None; self.nodes.len()];
        let mut kept = Vec::new();
        for at in id.index()..self.nodes.len() {
            let at = NodeId::from_index(at);
            let is_below = self.node(at).parent.is_some_and(|parent| places[parent.index()].is_some());
            if at == id || is_below {
                places[at.index()] = Some(NodeId::from_index(kept.len()));
                kept.push(at);
            }
        }
        let base = root.street_base;
        let place = |id: NodeId| places[id.index()].expect("a child is kept with its parent");
        let node = |&old: &NodeId| {
            let node = self.node(old);
            Node {
                parent: node.parent.filter(|_| old != id).map(place),
                first_child: node.children().next().map_or(0, |child| place(child).0),
                invested: node.invested.map(|invested| invested - base),
                street_base: node.street_base - base,
                ..*node
            }
        };
        let config = TreeConfig {
            starting_street: root.street,
            starting_pot: self.pot(id),
            effective_stack: self.config.effective_stack - base,
            prizes: self.config.prizes.as_ref().map(|prizes| prizes.after(base)),
            add_lines: Vec::new(),
            remove_lines: Vec::new(),
            ..self.config.clone()
        };
        let tree = Tree::of_nodes(config, kept.iter().map(node).collect(), Vec::new());
        Some((tree, kept))
    }

    /// How large the tree is, street by street.
    #[must_use]
    pub fn stats(&self) -> TreeStats {
        TreeStats::of(&self.nodes)
    }
}
