//! The combos of a player at a decision.

use equipoise_cards::{Draw, HandClass, HandKind, HandKinds, KindName};
use equipoise_game::Player;
use equipoise_postflop::{ComboView, NodeView, PlayerView};
use serde::Serialize;

use crate::ComboGroup;

/// The combos of a player at a decision, with their hand categories.
#[derive(Debug)]
pub struct Held<'a> {
    view: &'a NodeView,
    player: Player,
    kinds: HandKinds,
    total: f64,
}

/// One combo at a decision.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ComboDocument {
    /// Such as `AhKd`.
    pub combo: String,
    /// Such as `AKo`.
    pub class: String,
    /// The made hand.
    pub made: &'static str,
    /// What it may become.
    pub draws: Vec<&'static str>,
    /// Range times own strategy on the way.
    pub weight: f64,
    /// The part of all hands of the range.
    pub share: f64,
    /// Win plus tie share without further betting.
    pub equity: Option<f64>,
    /// Chips from there on; none without matchups.
    pub ev: Option<f64>,
    /// ev / (equity × pot).
    pub eqr: Option<f64>,
    /// What it does; empty for the player who does not act.
    pub actions: Vec<ComboActionDocument>,
}

/// One action of a combo.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ComboActionDocument {
    /// Such as `bet:120`.
    pub name: String,
    /// How often it is taken.
    pub frequency: f64,
    /// What it is worth.
    pub ev: Option<f64>,
    /// What it gives away against the best action.
    pub ev_loss: Option<f64>,
}

/// The combos of one hand category.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct KindDocument {
    /// Such as `top-pair`.
    pub kind: &'static str,
    /// Such as `top pair`.
    pub name: &'static str,
    /// What they are worth and do together.
    #[serde(flatten)]
    pub together: GroupDocument,
}

/// The combos of one hand class.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ClassDocument {
    /// Such as `AKs`.
    pub class: String,
    /// What they are worth and do together.
    #[serde(flatten)]
    pub together: GroupDocument,
}

/// Combos that belong together: of one hand category or hand class.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GroupDocument {
    /// How many are held.
    pub combos: usize,
    /// Their weight.
    pub weighted_combos: f64,
    /// The part of all hands of the range.
    pub share: f64,
    /// Win plus tie share without further betting.
    pub equity: Option<f64>,
    /// Chips from there on.
    pub ev: Option<f64>,
    /// ev / (equity × pot).
    pub eqr: Option<f64>,
    /// What they do together; empty for the player who does not act.
    pub actions: Vec<KindActionDocument>,
}

/// One action of a hand category or hand class.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct KindActionDocument {
    /// Such as `bet:120`.
    pub name: String,
    /// How often it is taken.
    pub frequency: f64,
    /// What it is worth for those that take it.
    pub ev: Option<f64>,
}

impl<'a> Held<'a> {
    /// What the player holds.
    #[must_use]
    pub fn new(view: &'a NodeView, player: Player) -> Held<'a> {
        let kinds = HandKinds::new(&view.board).expect("a spot begins on the flop or later");
        let total = view.players[player].combos.iter().map(ComboView::share).sum();
        Held { view, player, kinds, total }
    }

    /// The player with all combos, those that never get there too.
    #[must_use]
    pub fn seen(&self) -> &'a PlayerView {
        &self.view.players[self.player]
    }

    /// How many actions the player has; none if the other one acts.
    #[must_use]
    pub fn num_actions(&self) -> usize {
        if self.player == self.view.player { self.view.actions.len() } else { 0 }
    }

    /// The hand category of a combo.
    #[must_use]
    pub fn kind(&self, combo: &ComboView) -> HandKind {
        self.kinds.get(combo.combo).expect("the board leaves the combo")
    }

    /// The hand categories of all combos of the board.
    #[must_use]
    pub fn kinds(&self) -> &HandKinds {
        &self.kinds
    }

    /// How often the whole range is held, not normalised.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The hand categories of some combos, with their means.
    #[must_use]
    pub fn by_kind(&self, combos: &[&ComboView]) -> Vec<(KindName, ComboGroup)> {
        let group = |name: KindName| {
            let members = combos.iter().copied().filter(|combo| name.matches(self.kind(combo)));
            (name, ComboGroup::of(members, self.num_actions()))
        };
        KindName::table().map(group).filter(|(_, group)| group.combos > 0).collect()
    }

    /// The hand classes of some combos, with their means, in the order of the grid.
    #[must_use]
    pub fn by_class(&self, combos: &[&ComboView]) -> Vec<(HandClass, ComboGroup)> {
        let mut members = vec![Vec::new(); HandClass::COUNT];
        for &combo in combos {
            members[combo.combo.class().index()].push(combo);
        }
        let group = |(class, members): (HandClass, Vec<&ComboView>)| {
            (class, ComboGroup::of(members, self.num_actions()))
        };
        HandClass::all().zip(members).map(group).filter(|(_, group)| group.combos > 0).collect()
    }

    /// The document of a combo.
    #[must_use]
    pub fn combo(&self, combo: &ComboView) -> ComboDocument {
        let kind = self.kind(combo);
        let action = |action: usize| ComboActionDocument {
            name: self.view.actions[action].to_string(),
            frequency: combo.frequencies[action],
            ev: combo.action_evs[action],
            ev_loss: combo.ev_loss(action),
        };
        ComboDocument {
            combo: combo.combo.to_string(),
            class: combo.combo.class().to_string(),
            made: kind.made.key(),
            draws: kind.draws.iter().map(Draw::key).collect(),
            weight: combo.weight,
            share: combo.share() / self.total,
            equity: combo.equity,
            ev: combo.ev,
            eqr: self.view.eqr(combo.ev, combo.equity),
            actions: (0..combo.frequencies.len()).map(action).collect(),
        }
    }

    /// The document of a hand category.
    #[must_use]
    pub fn group(&self, name: KindName, group: &ComboGroup) -> KindDocument {
        KindDocument { kind: name.key(), name: name.name(), together: self.together(group) }
    }

    /// The document of a hand class.
    #[must_use]
    pub fn class(&self, class: HandClass, group: &ComboGroup) -> ClassDocument {
        ClassDocument { class: class.to_string(), together: self.together(group) }
    }

    fn together(&self, group: &ComboGroup) -> GroupDocument {
        GroupDocument {
            combos: group.combos,
            weighted_combos: group.weight,
            share: group.held / self.total,
            equity: group.equity,
            ev: group.ev,
            eqr: self.view.eqr(group.ev, group.equity),
            actions: self.group_actions(group),
        }
    }

    fn group_actions(&self, group: &ComboGroup) -> Vec<KindActionDocument> {
        let actions = self.view.actions.iter().zip(&group.frequencies).zip(&group.action_evs);
        actions
            .map(|((action, &frequency), &ev)| KindActionDocument { name: action.to_string(), frequency, ev })
            .collect()
    }
}
