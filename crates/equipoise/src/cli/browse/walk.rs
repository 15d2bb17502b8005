//! Where somebody is in a solution, and where the keys lead.

use equipoise::cards::{Card, HandClass};
use equipoise::game::{Action, NodeId, NodeKind, Player};
use equipoise::postflop::{ComboView, NodePath, NodeView, ReadError, SolveProgress, ViewDetail};
use equipoise::progress::Observer;

use crate::cli::failure::Failure;
use crate::cli::saved::Saved;

/// A node of the tree with the cards that have come.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    node: NodeId,
    runout: Vec<Card>,
}

/// What can be done next.
pub(super) enum Way {
    Action { action: Action, frequency: f64, ev: Option<f64>, child: NodeId },
    Card(Card),
}

/// What is on the screen.
pub(super) struct Walk<'a> {
    saved: &'a Saved,
    place: Place,
    /// Of the place, or of the last decision before the card that is chosen.
    view: NodeView,
    ways: Vec<Way>,
    marked: usize,
    class: HandClass,
    /// Pages of combos of the class before those that are shown.
    page: usize,
    is_in_grid: bool,
    /// Whether the player who does not act is shown.
    is_other: bool,
    message: Option<String>,
}

impl<'a> Walk<'a> {
    pub(super) fn begin(saved: &'a Saved, path: &NodePath) -> Result<Walk<'a>, Failure> {
        let text = path.to_string();
        let node = saved.reader.find(path).map_err(|error| saved.bad_path(&text, error))?;
        let place = Place { node, runout: path.runout.clone() };
        let (view, ways) = view_at(saved, &place, &mut ()).map_err(|error| saved.bad_path(&text, error))?;
        let class = HandClass::from_index(0).expect("there are 169 classes");
        let mut walk = Walk {
            saved,
            place,
            view,
            ways,
            marked: 0,
            class,
            page: 0,
            is_in_grid: false,
            is_other: false,
            message: None,
        };
        walk.mark_most_played();
        walk.find_class();
        Ok(walk)
    }

    pub(super) fn saved(&self) -> &'a Saved {
        self.saved
    }

    pub(super) fn view(&self) -> &NodeView {
        &self.view
    }

    pub(super) fn ways(&self) -> &[Way] {
        &self.ways
    }

    pub(super) fn marked(&self) -> usize {
        self.marked
    }

    pub(super) fn class(&self) -> HandClass {
        self.class
    }

    pub(super) fn is_in_grid(&self) -> bool {
        self.is_in_grid
    }

    /// Whether a card comes here.
    pub(super) fn is_card(&self) -> bool {
        matches!(self.ways.first(), Some(Way::Card(_)))
    }

    pub(super) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    pub(super) fn clear_message(&mut self) {
        self.message = None;
    }

    /// The path to the place.
    pub(super) fn path(&self) -> String {
        self.saved.reader.path_to(self.place.node, &self.place.runout).to_string()
    }

    /// Whose hands are shown.
    pub(super) fn player(&self) -> Player {
        if self.is_other { self.view.player.opponent() } else { self.view.player }
    }

    /// The combos of the class under the cursor that get there.
    pub(super) fn combos(&self) -> Vec<&ComboView> {
        let combos = self.view.players[self.player()].combos.iter().rev();
        combos.filter(|combo| combo.combo.class() == self.class && combo.share() > 0.0).collect()
    }

    /// The first combo that is shown on pages of this many: no page is empty.
    pub(super) fn first_combo(&self, per_page: usize) -> usize {
        let pages = self.combos().len().div_ceil(per_page.max(1));
        self.page.min(pages.saturating_sub(1)) * per_page
    }

    /// Shows the next combos of the class, or those before; a class has at most twelve.
    pub(super) fn turn_page(&mut self, is_next: bool) {
        self.page = if is_next { (self.page + 1).min(11) } else { self.page.saturating_sub(1) };
    }

    pub(super) fn switch_focus(&mut self) {
        self.is_in_grid = !self.is_in_grid;
    }

    pub(super) fn switch_player(&mut self) {
        self.is_other = !self.is_other;
    }

    /// Marks the next way or the one before; after the last comes the first.
    pub(super) fn mark(&mut self, step: isize) {
        let count = self.ways.len() as isize;
        if count > 0 {
            self.marked = (self.marked as isize + step).rem_euclid(count) as usize;
        }
    }

    /// Moves the cursor of the grid; it stops at the edge.
    pub(super) fn move_class(&mut self, rows: isize, columns: isize) {
        let (row, column) = ((self.class.index() / 13) as isize, (self.class.index() % 13) as isize);
        let (row, column) = ((row + rows).clamp(0, 12), (column + columns).clamp(0, 12));
        self.page = 0;
        self.class = HandClass::from_index((13 * row + column) as usize).expect("on the grid");
    }

    /// Goes where the marked way leads.
    pub(super) fn take(&mut self, observer: &mut dyn Observer<SolveProgress>) {
        let tree = self.saved.spot().tree();
        let Some(way) = self.ways.get(self.marked) else { return };
        let place = match *way {
            Way::Action { child, .. } => Place { node: child, runout: self.place.runout.clone() },
            Way::Card(card) => {
                let mut runout = self.place.runout.clone();
                runout.push(card);
                let node = tree.node(self.place.node).children().next().expect("a street follows a card");
                Place { node, runout }
            }
        };
        let end = match tree.node(place.node).kind() {
            NodeKind::Fold(_) => "the hand ends with a fold",
            NodeKind::Showdown => "the hand ends with a showdown",
            NodeKind::Runout => "both are all-in: the cards come and the hands are shown",
            _ => return self.go(place, observer),
        };
        self.message = Some(end.to_owned());
    }

    /// Goes to what comes before, and marks what led here.
    pub(super) fn back(&mut self, observer: &mut dyn Observer<SolveProgress>) {
        let tree = self.saved.spot().tree();
        let Some(parent) = tree.node(self.place.node).parent() else {
            self.message = Some("this is the root".to_owned());
            return;
        };
        let (from, mut runout) = (self.place.node, self.place.runout.clone());
        let card = if tree.node(parent).kind() == NodeKind::Chance { runout.pop() } else { None };
        self.go(Place { node: parent, runout }, observer);
        let led_here = |way: &Way| match *way {
            Way::Action { child, .. } => child == from,
            Way::Card(other) => Some(other) == card,
        };
        self.marked = self.ways.iter().position(led_here).unwrap_or(self.marked);
    }

    pub(super) fn go_to_root(&mut self, observer: &mut dyn Observer<SolveProgress>) {
        self.go(Place { node: self.saved.spot().tree().root(), runout: Vec::new() }, observer);
    }

    /// Goes there; on failure nothing changes.
    fn go(&mut self, place: Place, observer: &mut dyn Observer<SolveProgress>) {
        match view_at(self.saved, &place, observer) {
            Ok((view, ways)) => {
                (self.place, self.view, self.ways) = (place, view, ways);
                (self.marked, self.page, self.is_other) = (0, 0, false);
                self.mark_most_played();
                if self.combos().is_empty() {
                    self.find_class();
                }
            }
            Err(error) => self.message = Some(error.to_string()),
        }
    }

    fn mark_most_played(&mut self) {
        let frequency = |way: &Way| match way {
            Way::Action { frequency, .. } => *frequency,
            Way::Card(_) => 0.0,
        };
        let most =
            self.ways.iter().enumerate().rev().max_by(|a, b| frequency(a.1).total_cmp(&frequency(b.1)));
        self.marked = most.map_or(0, |(at, _)| at);
    }

    /// The first class that is held.
    fn find_class(&mut self) {
        let player = &self.view.players[self.player()];
        let held = player.combos.iter().filter(|combo| combo.share() > 0.0);
        self.class =
            held.map(|combo| combo.combo.class()).min_by_key(|class| class.index()).unwrap_or(self.class);
    }
}

/// The view of a place and the actions or cards there; at a chance node, the view of the decision before it.
fn view_at(
    saved: &Saved,
    place: &Place,
    observer: &mut dyn Observer<SolveProgress>,
) -> Result<(NodeView, Vec<Way>), ReadError> {
    let tree = saved.spot().tree();
    let is_card = tree.node(place.node).kind() == NodeKind::Chance;
    let decision = if is_card { tree.node(place.node).parent().unwrap_or(place.node) } else { place.node };
    let path = saved.reader.path_to(decision, &place.runout);
    let view = saved.reader.view(&path, ViewDetail::Strategies, observer)?;
    let ways = if is_card {
        let is_dealt = |card: &Card| view.board.set().contains(*card);
        Card::ALL.into_iter().rev().filter(|card| !is_dealt(card)).map(Way::Card).collect()
    } else {
        let numbers = view.frequencies().into_iter().zip(view.action_evs());
        let ways = tree.actions(view.node).zip(numbers);
        ways.map(|((action, child), (frequency, ev))| Way::Action { action, frequency, ev, child }).collect()
    };
    Ok((view, ways))
}
