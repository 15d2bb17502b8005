//! Counting a tree without building it.
//!
//! What follows the beginning of a street depends on the chips that are in and on whether OOP called the last bet before
//! it, not on how they got there. So each such beginning is walked once, and what lies below it is added wherever a line
//! comes to it again. Nodes through which lines to be added or removed lead are walked one by one.
//!
//! The walk takes nodes in the order of the builder and by its rules, so that the notes are those of the tree too.

use std::collections::HashMap;
use std::rc::Rc;

use equipoise_cards::Street;

use crate::action::Action;
use crate::build::{CHECK_EVERY, Rules, Way};
use crate::chips::Chips;
use crate::config::{MenuKey, TreeConfig};
use crate::note::TreeNote;
use crate::per_player::PerPlayer;
use crate::stats::TreeStats;
use crate::tree::{Node, NodeKind, TreeError};

/// How large the tree of a configuration is, and what it will say to its author; nothing of it is built.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Preset, Tree, TreeConfig, TreeCount};
/// let mut config = TreeConfig::new(Street::Flop, Chips::new(200), Chips::new(900));
/// Preset::Standard.apply(&mut config);
/// let count = TreeCount::of(&config, &|| false)?;
/// let tree = Tree::build(&config)?;
/// assert_eq!(count.num_nodes(), tree.nodes().len() as u64);
/// assert_eq!(*count.stats(), tree.stats());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TreeCount {
    below: Below,
    work: u64,
    notes: Vec<TreeNote>,
    menus: Vec<(MenuKey, Vec<Chips>)>,
}

/// What lies below a node, itself included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Below {
    stats: TreeStats,
    /// By street.
    num_nodes: [u64; 4],
    max_invested: Chips,
}

impl Below {
    fn total(&self) -> u64 {
        self.num_nodes.iter().fold(0, |sum, &nodes| sum.saturating_add(nodes))
    }

    fn record(&mut self, node: &Node, num_children: usize) {
        self.stats.record(node, num_children);
        self.num_nodes[node.street as usize] += 1;
        self.max_invested = node.invested.into_iter().fold(self.max_invested, Chips::max);
    }

    fn add(&mut self, other: &Below) {
        self.stats.add(&other.stats);
        for (own, other) in self.num_nodes.iter_mut().zip(other.num_nodes) {
            *own = own.saturating_add(other);
        }
        self.max_invested = self.max_invested.max(other.max_invested);
    }
}

impl TreeCount {
    /// Counts the tree of a configuration; cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// What [`Tree::build`](crate::Tree::build) would find wrong, and [`TreeError::Cancelled`].
    pub fn of(config: &TreeConfig, is_cancelled: &dyn Fn() -> bool) -> Result<TreeCount, TreeError> {
        TreeCount::with_work(config, config.max_nodes as u64, is_cancelled)
    }

    /// The same, but refused as too large where it would walk more nodes than this. For those who try
    /// many configurations.
    ///
    /// # Errors
    /// As [`TreeCount::of`].
    pub fn with_work(
        config: &TreeConfig,
        work: u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TreeCount, TreeError> {
        config.check()?;
        let rules = Rules::new(config);
        let (root, way) = rules.root()?;
        let limit = config.max_nodes.min(u32::MAX as usize);
        let mut counter = Counter {
            config,
            rules,
            is_cancelled,
            known: HashMap::new(),
            walked: 0,
            seen: Below::default(),
            limit: limit as u64,
            work,
            menus: Vec::new(),
        };
        let below = counter.street(root, way)?;
        if below.total() > counter.limit {
            return Err(counter.too_many(&below, true));
        }
        Ok(TreeCount { below, work: counter.walked, notes: counter.rules.notes(), menus: counter.menus })
    }

    /// Street by street, as [`Tree::stats`](crate::Tree::stats).
    #[must_use]
    pub fn stats(&self) -> &TreeStats {
        &self.below.stats
    }

    /// All nodes.
    #[must_use]
    pub fn num_nodes(&self) -> u64 {
        self.below.total()
    }

    /// How many of them had to be walked.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The most chips that a player can invest.
    #[must_use]
    pub fn max_invested(&self) -> Chips {
        self.below.max_invested
    }

    /// As [`Tree::notes`](crate::Tree::notes).
    #[must_use]
    pub fn notes(&self) -> &[TreeNote] {
        &self.notes
    }

    /// The totals that can be bet or raised to, of all kinds of points where the tree first has one, in its order.
    #[must_use]
    pub fn first_bets(&self) -> &[(MenuKey, Vec<Chips>)] {
        &self.menus
    }
}

/// The beginning of a street: all that the rest of the hand depends on, lines apart.
type Beginning = (Street, Chips, bool);

struct Counter<'a> {
    config: &'a TreeConfig,
    rules: Rules<'a>,
    is_cancelled: &'a dyn Fn() -> bool,
    known: HashMap<Beginning, Rc<Below>>,
    walked: u64,
    /// All that has been walked or added so far.
    seen: Below,
    limit: u64,
    work: u64,
    menus: Vec<(MenuKey, Vec<Chips>)>,
}

impl<'a> Counter<'a> {
    /// Counts what lies below the beginning of a street; calls itself for the streets after it.
    fn street(&mut self, start: Node, way: Way<'a>) -> Result<Below, TreeError> {
        let (mut below, mut line_actions) = (Below::default(), PerPlayer::default());
        let mut pending = vec![(start, way)];
        while let Some((node, way)) = pending.pop() {
            let first = pending.len();
            match node.kind {
                NodeKind::Decision(player) => {
                    let children = self.rules.after_decision(&node, player, &way)?;
                    self.note_bets(&node, &way, &children);
                    line_actions[player] += children.len() as u64;
                    self.walk(&mut below, &node, children.len())?;
                    for (child, way) in children {
                        if child.is_terminal() {
                            self.end(&mut below, &child, &way)?;
                        } else {
                            pending.push((child, way));
                        }
                    }
                    pending[first..].reverse();
                }
                NodeKind::Chance => {
                    self.walk(&mut below, &node, 1)?;
                    let (child, way) = Rules::after_card(&node, way)?;
                    below.add(&*self.after_card(child, way)?);
                }
                _ => self.end(&mut below, &node, &way)?,
            }
        }
        below.stats.record_line(start.street, line_actions);
        Ok(below)
    }

    /// The same for a street that may have been counted already.
    fn after_card(&mut self, start: Node, mut way: Way<'a>) -> Result<Rc<Below>, TreeError> {
        // Who called makes no difference where donk bets have no sizes of their own.
        way.betting.is_donk &= self.config.menus(start.street).is_some_and(|menus| menus.donk.is_some());
        if !way.add.is_empty() || !way.remove.is_empty() {
            return self.street(start, way).map(Rc::new);
        }
        let key = (start.street, start.street_base, way.betting.is_donk);
        if let Some(below) = self.known.get(&key).cloned() {
            self.seen.add(&below);
            self.check(&self.seen)?;
            return Ok(below);
        }
        let below = Rc::new(self.street(start, way)?);
        self.known.insert(key, Rc::clone(&below));
        Ok(below)
    }

    fn end(&mut self, below: &mut Below, node: &Node, way: &Way<'a>) -> Result<(), TreeError> {
        way.check_end()?;
        self.walk(below, node, 0)
    }

    fn walk(&mut self, below: &mut Below, node: &Node, num_children: usize) -> Result<(), TreeError> {
        below.record(node, num_children);
        self.seen.num_nodes[node.street as usize] += 1;
        self.walked += 1;
        if self.walked.is_multiple_of(CHECK_EVERY as u64) {
            if (self.is_cancelled)() {
                return Err(TreeError::Cancelled);
            }
            self.check(&self.seen)?;
        }
        Ok(())
    }

    /// Every tree within the limit can be walked node by node in `work`, unless a caller wants less work than that. Past
    /// the limit counting continues for the number's sake, as long as that is little work.
    fn check(&self, seen: &Below) -> Result<(), TreeError> {
        let is_known = self.walked > self.limit / 8 && seen.total() > self.limit;
        if is_known || self.walked > self.work { Err(self.too_many(seen, false)) } else { Ok(()) }
    }

    fn too_many(&self, seen: &Below, is_all: bool) -> TreeError {
        let street = self.config.streets().max_by_key(|&street| seen.num_nodes[street as usize]);
        let nodes = seen.total();
        TreeError::TooManyNodes {
            limit: self.config.max_nodes,
            nodes,
            is_all: is_all && nodes < u64::MAX,
            street: street.unwrap_or(self.config.starting_street),
        }
    }

    /// Remembers the bets of the first point of each kind.
    fn note_bets(&mut self, node: &Node, way: &Way<'a>, children: &[(Node, Way<'a>)]) {
        let Some(player) = node.player() else { return };
        let kind = self.rules.kind_at(node, player, &way.betting);
        let key = MenuKey { street: node.street, player, kind };
        if self.menus.iter().any(|(known, _)| *known == key) {
            return;
        }
        let total = |(child, _): &(Node, Way<'a>)| child.action.and_then(Action::total);
        self.menus.push((key, children.iter().filter_map(total).collect()));
    }
}
