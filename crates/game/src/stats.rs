//! How large a tree is, so that memory is known before any is taken.

use equipoise_cards::Street;

use crate::per_player::PerPlayer;
use crate::player::Player;
use crate::tree::{Node, NodeKind};

/// What one street of a betting tree has, counted once, not per board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreetStats {
    /// Betting lines that reach this street: its first decisions (1 on the starting street).
    pub num_lines: u64,
    /// Decisions of each player.
    pub num_decisions: PerPlayer<u64>,
    /// Actions summed over the decisions of each player.
    pub num_actions: PerPlayer<u64>,
    /// The most actions at one decision.
    pub max_actions: usize,
    /// The most actions of each player on this street after one line that reaches it.
    pub max_line_actions: PerPlayer<u64>,
    /// Hands that end with a fold.
    pub num_folds: u64,
    /// Hands that end with a showdown on the river.
    pub num_showdowns: u64,
    /// Hands that end with both all-in before the river.
    pub num_runouts: u64,
}

impl StreetStats {
    /// Hands that end on this street, one way or another.
    #[must_use]
    pub fn num_terminals(&self) -> u64 {
        self.num_folds + self.num_showdowns + self.num_runouts
    }
}

/// The size of a tree, street by street; from [`Tree::stats`](crate::Tree::stats).
///
/// The betting tree is one for all boards, while a solver keeps a copy of a street's decisions for each board
/// of that street that it distinguishes. The totals therefore ask how many boards a street has.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, PerPlayer, Player, Preset, Tree, TreeConfig};
/// let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(900));
/// Preset::Standard.apply(&mut config);
/// let stats = Tree::build(&config)?.stats();
/// let one_board = |_: Street| 1;
/// assert_eq!(stats.total_decisions(Player::Oop, one_board), 5);
/// assert_eq!(stats.total_terminals(one_board), 17);
/// // 167 combos of OOP and 246 of IP on the only board.
/// assert_eq!(stats.total_entries(|_, player| PerPlayer::new(167, 246)[player]), 5_369);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeStats {
    streets: [StreetStats; 4],
}

impl TreeStats {
    /// Counts nodes of which parents come before children.
    pub(crate) fn of(nodes: &[Node]) -> TreeStats {
        let mut stats = TreeStats::default();
        // By node, the line of its street; by line, the actions of both players.
        let (mut lines, mut actions) = (Vec::with_capacity(nodes.len()), Vec::new());
        for node in nodes {
            let line = match (node.action(), node.parent()) {
                (Some(_), Some(parent)) => lines[parent.index()],
                _ => {
                    actions.push((node.street(), PerPlayer::default()));
                    actions.len() - 1
                }
            };
            lines.push(line);
            stats.record(node, node.num_children());
            if let Some(player) = node.player() {
                actions[line].1[player] += node.num_children() as u64;
            }
        }
        actions.into_iter().for_each(|(street, actions)| stats.record_line(street, actions));
        stats
    }

    /// Counts a node and its children.
    pub(crate) fn record(&mut self, node: &Node, num_children: usize) {
        let street = &mut self.streets[node.street() as usize];
        match node.kind() {
            NodeKind::Decision(player) => {
                street.num_lines += u64::from(node.action().is_none());
                street.num_decisions[player] += 1;
                street.num_actions[player] += num_children as u64;
                street.max_actions = street.max_actions.max(num_children);
            }
            NodeKind::Chance => {}
            NodeKind::Fold(_) => street.num_folds += 1,
            NodeKind::Showdown => street.num_showdowns += 1,
            NodeKind::Runout => street.num_runouts += 1,
        }
    }

    /// Notes the actions that both players have on a street after one line.
    pub(crate) fn record_line(&mut self, street: Street, actions: PerPlayer<u64>) {
        let most = &mut self.streets[street as usize].max_line_actions;
        *most = most.zip(actions).map(|(most, actions)| most.max(actions));
    }

    /// Adds what another part of the tree has. Saturates instead of overflowing.
    pub(crate) fn add(&mut self, other: &TreeStats) {
        let sum = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        for (own, other) in self.streets.iter_mut().zip(&other.streets) {
            sum(&mut own.num_lines, other.num_lines);
            sum(&mut own.num_folds, other.num_folds);
            sum(&mut own.num_showdowns, other.num_showdowns);
            sum(&mut own.num_runouts, other.num_runouts);
            own.max_actions = own.max_actions.max(other.max_actions);
            for player in Player::ALL {
                sum(&mut own.num_decisions[player], other.num_decisions[player]);
                sum(&mut own.num_actions[player], other.num_actions[player]);
                own.max_line_actions[player] =
                    own.max_line_actions[player].max(other.max_line_actions[player]);
            }
        }
    }

    /// Decisions of both players on all streets, counted once and not per board.
    #[must_use]
    pub fn num_decisions(&self) -> u64 {
        self.total(|_, stats| stats.num_decisions.into_iter().fold(0, u64::saturating_add))
    }

    /// Ends of hands on all streets, counted once and not per board.
    #[must_use]
    pub fn num_terminals(&self) -> u64 {
        self.total(|_, stats| stats.num_terminals())
    }

    /// What a street has; nothing before the starting street.
    #[must_use]
    pub fn street(&self, street: Street) -> &StreetStats {
        &self.streets[street as usize]
    }

    /// A player's decisions, those of each street counted once per board of that street.
    #[must_use]
    pub fn total_decisions(&self, player: Player, boards: impl Fn(Street) -> u64) -> u64 {
        self.total(|street, stats| stats.num_decisions[player].saturating_mul(boards(street)))
    }

    /// Ends of hands: folds counted once per board of their street, showdowns and runouts once per river
    /// board, where the cards decide them.
    #[must_use]
    pub fn total_terminals(&self, boards: impl Fn(Street) -> u64) -> u64 {
        self.total(|street, stats| {
            let decided_by_cards =
                (stats.num_showdowns + stats.num_runouts).saturating_mul(boards(Street::River));
            stats.num_folds.saturating_mul(boards(street)).saturating_add(decided_by_cards)
        })
    }

    /// Action × combo entries: what a table with one number for each action of each combo at each decision on
    /// each board holds. `combos` is asked for the combos that a player has on a street, summed over the
    /// boards of that street. Saturates instead of overflowing.
    #[must_use]
    pub fn total_entries(&self, combos: impl Fn(Street, Player) -> u64) -> u64 {
        let of_player = |player: Player| {
            self.total(|street, stats| stats.num_actions[player].saturating_mul(combos(street, player)))
        };
        of_player(Player::Oop).saturating_add(of_player(Player::Ip))
    }

    fn total(&self, of_street: impl Fn(Street, &StreetStats) -> u64) -> u64 {
        Street::ALL
            .into_iter()
            .map(|street| of_street(street, self.street(street)))
            .fold(0, u64::saturating_add)
    }
}
