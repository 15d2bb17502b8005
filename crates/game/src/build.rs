//! Building the tree, and the rules that say what follows a node; [`count`](crate::count) counts by the same rules.
//!
//! The builder keeps a list of nodes whose children are still to be made and takes the latest first. There is
//! no recursion, since careless menus (raises by one chip) make lines as long as the stacks are deep.

use equipoise_cards::Street;

use crate::action::{Action, WrittenAction};
use crate::bet_menu::{BetMenu, Offer};
use crate::bet_size::BetPoint;
use crate::chips::Chips;
use crate::config::{MenuKey, MenuKind, StreetMenus, TreeConfig};
use crate::line::{Cursor, Line, LineError};
use crate::note::TreeNote;
use crate::per_player::PerPlayer;
use crate::player::Player;
use crate::tree::{Node, NodeId, NodeKind, TreeError};

/// The nodes of a checked configuration, whose number is known, and what to tell its author.
pub(crate) fn nodes(
    config: &TreeConfig,
    num_nodes: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(Vec<Node>, Vec<TreeNote>), TreeError> {
    let (rules, nodes) = (Rules::new(config), Vec::with_capacity(num_nodes));
    let mut builder = Builder { rules, nodes, pending: Vec::new() };
    let (root, way) = builder.rules.root()?;
    builder.push(root, way)?;
    let mut expanded = 0;
    while let Some(pending) = builder.pending.pop() {
        expanded += 1;
        if usize::is_multiple_of(expanded, CHECK_EVERY) && is_cancelled() {
            return Err(TreeError::Cancelled);
        }
        builder.expand(pending)?;
    }
    let notes = builder.rules.notes();
    Ok((builder.nodes, notes))
}

/// Nodes between two checks of cancellation.
pub(crate) const CHECK_EVERY: usize = 1 << 12;

/// The starts of lines to be added or removed, which must end in an action.
fn cursors(lines: &[Line]) -> Result<Vec<Cursor<'_>>, LineError> {
    let start = |line| match Line::ends_with_action(line) {
        true => Ok(Cursor::new(line)),
        false => Err(LineError::NoAction { line: line.clone() }),
    };
    lines.iter().map(start).collect()
}

/// What the betting of a street remembers beyond the chips on the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Betting {
    last_increment: Chips,
    raises_made: u32,
    /// OOP opens this street after calling IP's last bet on the one before.
    pub(crate) is_donk: bool,
}

/// How a node was come to, as far as it says what follows: the betting of the street, and the lines that lead through
/// the node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way<'a> {
    pub(crate) betting: Betting,
    pub(crate) add: Vec<Cursor<'a>>,
    pub(crate) remove: Vec<Cursor<'a>>,
}

impl<'a> Way<'a> {
    /// What is left of the lines after an action.
    fn through(&self, betting: Betting, action: Action) -> Way<'a> {
        let through = |cursors: &[Cursor<'a>]| -> Vec<Cursor<'a>> {
            cursors.iter().filter_map(|cursor| cursor.through(action)).collect()
        };
        Way { betting, add: through(&self.add), remove: through(&self.remove) }
    }

    /// The same after a card.
    fn dealt(self) -> Result<Way<'a>, LineError> {
        let deal = |cursors: Vec<Cursor<'a>>| -> Result<Vec<Cursor<'a>>, LineError> {
            cursors.into_iter().map(|cursor| cursor.deals_at_chance().map(|_| cursor.advanced())).collect()
        };
        let betting = Betting { is_donk: self.betting.is_donk, ..Betting::default() };
        Ok(Way { betting, add: deal(self.add)?, remove: deal(self.remove)? })
    }

    /// Whether no line leads beyond the end of the hand.
    pub(crate) fn check_end(&self) -> Result<(), LineError> {
        self.add.iter().chain(&self.remove).try_for_each(Cursor::ends_at_terminal)
    }
}

/// A node without its children yet.
struct Pending<'a> {
    id: NodeId,
    way: Way<'a>,
}

struct Builder<'a> {
    rules: Rules<'a>,
    nodes: Vec<Node>,
    pending: Vec<Pending<'a>>,
}

impl<'a> Builder<'a> {
    /// Appends a node and, unless it is terminal, queues it for expansion.
    fn push(&mut self, node: Node, way: Way<'a>) -> Result<(), TreeError> {
        let id = NodeId::from_index(self.nodes.len());
        if node.is_terminal() {
            way.check_end()?;
        } else {
            self.pending.push(Pending { id, way });
        }
        self.nodes.push(node);
        Ok(())
    }

    fn expand(&mut self, pending: Pending<'a>) -> Result<(), TreeError> {
        let (id, node) = (pending.id, self.nodes[pending.id.index()]);
        let children = match node.kind {
            NodeKind::Decision(player) => self.rules.after_decision(&node, player, &pending.way)?,
            _ => vec![Rules::after_card(&node, pending.way)?],
        };
        self.adopt(id, children.len());
        let first_pending = self.pending.len();
        for (child, way) in children {
            self.push(Node { parent: Some(id), ..child }, way)?;
        }
        // The latest is taken first: so subtrees are numbered in the order of their actions.
        self.pending[first_pending..].reverse();
        Ok(())
    }

    /// Tells a node that its children will be the next nodes.
    fn adopt(&mut self, id: NodeId, num_children: usize) {
        let first_child = NodeId::from_index(self.nodes.len()).index() as u32;
        let node = &mut self.nodes[id.index()];
        (node.first_child, node.num_children) = (first_child, num_children as u32);
    }
}

/// What a configuration makes follow a node, and what became of its sizes so far.
pub(crate) struct Rules<'a> {
    config: &'a TreeConfig,
    usage: Usage,
}

impl<'a> Rules<'a> {
    pub(crate) fn new(config: &'a TreeConfig) -> Rules<'a> {
        Rules { config, usage: Usage::default() }
    }

    /// What to tell the author of the configuration once every kind of node has been asked about.
    pub(crate) fn notes(&self) -> Vec<TreeNote> {
        notes(self.config, &self.usage)
    }

    /// Where play begins.
    pub(crate) fn root(&self) -> Result<(Node, Way<'a>), TreeError> {
        let config = self.config;
        let street = config.starting_street;
        let kind = match config.effective_stack {
            Chips::ZERO => end_of_betting(street, true),
            _ => NodeKind::Decision(Player::Oop),
        };
        let root = Node {
            kind,
            street,
            action: None,
            parent: None,
            first_child: 0,
            num_children: 0,
            invested: PerPlayer::default(),
            street_base: Chips::ZERO,
        };
        let (add, remove) = (cursors(&config.add_lines)?, cursors(&config.remove_lines)?);
        Ok((root, Way { betting: Betting::default(), add, remove }))
    }

    /// The first decision of the next street.
    pub(crate) fn after_card(node: &Node, way: Way<'a>) -> Result<(Node, Way<'a>), TreeError> {
        let child = Node {
            kind: NodeKind::Decision(Player::Oop),
            street: next_street(node.street),
            action: None,
            parent: None,
            first_child: 0,
            num_children: 0,
            invested: node.invested,
            street_base: node.invested(Player::Oop),
        };
        Ok((child, way.dealt()?))
    }

    /// What each action at a decision leads to, in order.
    pub(crate) fn after_decision(
        &mut self,
        node: &Node,
        player: Player,
        way: &Way<'a>,
    ) -> Result<Vec<(Node, Way<'a>)>, TreeError> {
        let point = self.point(node, player, &way.betting);
        let mut actions = self.menu_actions(node, player, &way.betting, &point);
        add_lines(&mut actions, &way.add, &point)?;
        remove_lines(&mut actions, &way.remove)?;
        check_kept(&actions, &way.add)?;
        self.usage.record_bets(node.street, &actions);
        let after = |action| {
            let (child, betting) = self.after(node, player, &way.betting, &point, action);
            (child, way.through(betting, action))
        };
        Ok(actions.into_iter().map(after).collect())
    }

    /// Which sizes a decision uses.
    pub(crate) fn kind_at(&self, node: &Node, player: Player, betting: &Betting) -> MenuKind {
        let has_donk = || self.config.menus(node.street).is_some_and(|menus| menus.donk.is_some());
        if node.street_total(player.opponent()) > node.street_total(player) {
            MenuKind::Raise
        } else if player == Player::Oop && betting.is_donk && has_donk() {
            MenuKind::Donk
        } else {
            MenuKind::Bet
        }
    }

    fn point(&self, node: &Node, player: Player, betting: &Betting) -> BetPoint {
        let highest = node.invested(player).max(node.invested(player.opponent()));
        BetPoint {
            pot_after_call: self.config.starting_pot + highest + highest,
            to_beat: highest - node.street_base,
            last_increment: betting.last_increment,
            all_in: self.config.effective_stack - node.street_base,
            num_streets: self.config.streets().filter(|&street| street >= node.street).count() as u32,
            raises_made: betting.raises_made,
        }
    }

    /// The actions that rules and menus give, in order.
    fn menu_actions(
        &mut self,
        node: &Node,
        player: Player,
        betting: &Betting,
        point: &BetPoint,
    ) -> Vec<Action> {
        let Some(menus) = self.config.menus(node.street) else { return Vec::new() };
        let mut actions = match point.is_raise() {
            true => vec![Action::Fold, Action::Call],
            false => vec![Action::Check],
        };
        let kind = self.kind_at(node, player, betting);
        if let Some(menu) = menus.menu(player, kind) {
            let offers = menu.offers(point, &self.config.thresholds);
            let key = MenuKey { street: node.street, player, kind };
            self.usage.record(key, menu, point, &offers, |total| self.config.thresholds.forced(total, point));
            actions.extend(offers.iter().map(|offer| bet_action(offer.total, point)));
        }
        actions
    }

    /// The node that an action leads to.
    fn after(
        &self,
        node: &Node,
        player: Player,
        before: &Betting,
        point: &BetPoint,
        action: Action,
    ) -> (Node, Betting) {
        let mut child = Node { action: Some(action), first_child: 0, num_children: 0, ..*node };
        let mut betting = *before;
        child.kind = match action {
            Action::Fold => NodeKind::Fold(player),
            Action::Check if player == Player::Oop => NodeKind::Decision(Player::Ip),
            Action::Check => {
                betting = Betting::default();
                end_of_betting(node.street, false)
            }
            Action::Call => {
                betting = Betting { is_donk: player == Player::Oop, ..Betting::default() };
                child.invested[player] = node.invested(player.opponent());
                end_of_betting(node.street, child.invested(player) == self.config.effective_stack)
            }
            Action::Bet(total) | Action::Raise(total) | Action::AllIn(total) => {
                betting.last_increment = total - point.to_beat;
                betting.raises_made += u32::from(point.is_raise());
                child.invested[player] = node.street_base + total;
                NodeKind::Decision(player.opponent())
            }
        };
        (child, betting)
    }
}

fn next_street(street: Street) -> Street {
    match street {
        Street::Preflop => Street::Flop,
        Street::Flop => Street::Turn,
        Street::Turn | Street::River => Street::River,
    }
}

/// What follows when the betting of a street is over and nobody has folded.
fn end_of_betting(street: Street, is_all_in: bool) -> NodeKind {
    match (street, is_all_in) {
        (Street::River, _) => NodeKind::Showdown,
        (_, true) => NodeKind::Runout,
        (_, false) => NodeKind::Chance,
    }
}

fn bet_action(total: Chips, point: &BetPoint) -> Action {
    match (total == point.all_in, point.is_raise()) {
        (true, _) => Action::AllIn(total),
        (false, true) => Action::Raise(total),
        (false, false) => Action::Bet(total),
    }
}

/// Adds what the lines want here and the menus did not give.
fn add_lines(actions: &mut Vec<Action>, lines: &[Cursor<'_>], point: &BetPoint) -> Result<(), LineError> {
    for cursor in lines {
        let Some(written) = cursor.action_at_decision(actions)? else { continue };
        if actions.iter().any(|&action| written.matches(action)) {
            continue;
        }
        let not_possible = || LineError::NotPossible {
            line: cursor.line.clone(),
            action: written,
            possible: actions.clone(),
        };
        let total = match written {
            WrittenAction::Bet(total) if !point.is_raise() => total,
            WrittenAction::Raise(total) if point.is_raise() && point.all_in > point.to_beat => total,
            WrittenAction::AllIn if point.all_in > point.to_beat => point.all_in,
            _ => return Err(not_possible()),
        };
        if total < point.min_total() || total > point.all_in {
            let (min, max) = (point.min_total(), point.all_in);
            return Err(LineError::IllegalAmount { line: cursor.line.clone(), action: written, min, max });
        }
        actions.push(bet_action(total, point));
        actions.sort_unstable();
    }
    Ok(())
}

/// Takes away the actions with which lines end here.
fn remove_lines(actions: &mut Vec<Action>, lines: &[Cursor<'_>]) -> Result<(), LineError> {
    let possible = actions.clone();
    for cursor in lines {
        let Some(written) = cursor.action_at_decision(&possible)? else { continue };
        let Some(&action) = possible.iter().find(|&&action| written.matches(action)) else {
            return Err(LineError::NotPossible { line: cursor.line.clone(), action: written, possible });
        };
        if cursor.is_last_action() {
            if actions[..] == [action] {
                return Err(LineError::OnlyAction { line: cursor.line.clone(), action });
            }
            actions.retain(|&other| other != action);
        }
    }
    Ok(())
}

/// Checks that no line that was to be added has been taken away again.
fn check_kept(actions: &[Action], added: &[Cursor<'_>]) -> Result<(), LineError> {
    added.iter().try_for_each(|cursor| match cursor.action_at_decision(actions)? {
        Some(action) if !actions.iter().any(|&kept| action.matches(kept)) => {
            Err(LineError::Removed { line: cursor.line.clone(), action })
        }
        _ => Ok(()),
    })
}

/// How one size fared in the tree.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// It made an action somewhere.
    Used,
    /// It never applied so far; the first time it came to `total`, and `kept` replaced it.
    Collapsed { total: Chips, kept: Chips },
}

/// Which menus were used and what became of their sizes; `None`: the size never applied.
#[derive(Debug, Default)]
struct Usage {
    menus: Vec<(MenuKey, Vec<Option<Fate>>)>,
    /// The streets on which somebody can bet: by sizes, lines or the all-in of a threshold.
    bet_on: Vec<Street>,
}

impl Usage {
    fn record_bets(&mut self, street: Street, actions: &[Action]) {
        let is_bet = |action: &Action| action.total().is_some();
        if !self.bet_on.contains(&street) && actions.iter().any(is_bet) {
            self.bet_on.push(street);
        }
    }

    fn record(
        &mut self,
        key: MenuKey,
        menu: &BetMenu,
        point: &BetPoint,
        offers: &[Offer],
        forced: impl Fn(Chips) -> Chips,
    ) {
        if offers.is_empty() {
            return;
        }
        let position = self.menus.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            self.menus.push((key, vec![None; menu.sizes().len()]));
            self.menus.len() - 1
        });
        let fates = &mut self.menus[position].1;
        for (id, (size, fate)) in menu.sizes().iter().zip(fates).enumerate() {
            if offers.iter().any(|offer| offer.source == Some(id)) {
                *fate = Some(Fate::Used);
            } else if let (None, Some(total)) = (&fate, size.total(point)) {
                let total = forced(total);
                let kept = offers.iter().map(|offer| offer.total).find(|&kept| kept >= total);
                *fate = kept.map(|kept| Fate::Collapsed { total, kept });
            }
        }
    }
}

fn notes(config: &TreeConfig, usage: &Usage) -> Vec<TreeNote> {
    if config.effective_stack == Chips::ZERO {
        return vec![TreeNote::NoDecisions];
    }
    let mut notes: Vec<TreeNote> = config
        .streets()
        .filter(|&street| {
            config.menus(street).is_some_and(StreetMenus::is_empty) && !usage.bet_on.contains(&street)
        })
        .map(|street| TreeNote::CheckOnly { street })
        .collect();
    for (key, menu) in config.keyed_menus().filter(|(_, menu)| !menu.is_empty()) {
        let is_before = key.street < config.starting_street;
        let is_first_donk = key.kind == MenuKind::Donk && key.street == config.starting_street;
        if is_before || is_first_donk {
            notes.push(TreeNote::UnusedMenu { key });
            continue;
        }
        let fates = usage.menus.iter().find(|(known, _)| *known == key).map(|(_, fates)| fates);
        for (&size, fate) in menu.sizes().iter().zip(fates.into_iter().flatten()) {
            if let Some(Fate::Collapsed { total, kept }) = *fate {
                notes.push(TreeNote::Collapsed { key, size, total, kept });
            }
        }
    }
    notes
}
