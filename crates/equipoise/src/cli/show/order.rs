//! What `equipoise show` sorts its rows by.

use std::cmp::Ordering;

use equipoise::cards::{HandClass, KindName};
use equipoise::documents::ComboGroup;
use equipoise::postflop::ComboView;

use crate::cli::failure::BadInput;
use crate::cli::saved::{Saved, name};
use crate::cli::typed_path;

use super::NodeView;

/// The order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Weight,
    Ev,
    Name,
    /// How often this action is taken.
    Action(usize),
}

impl Order {
    /// Reads `--sort` at a decision; `acts` says whether the combos are those of the player who acts.
    pub(super) fn read(text: &str, saved: &Saved, view: &NodeView, acts: bool) -> Result<Order, BadInput> {
        let wrong = |message: String| {
            BadInput::new(message).in_text("--sort", text, None).help(
                "rows are sorted by weight, ev, name or how often an action is taken, such as check or b60",
            )
        };
        match text.to_ascii_lowercase().as_str() {
            "weight" => return Ok(Order::Weight),
            "ev" => return Ok(Order::Ev),
            "name" => return Ok(Order::Name),
            _ => {}
        }
        if !acts {
            return Err(wrong(format!(
                "{} acts here, so only weight, ev and name can be sorted by",
                name(view.player)
            )));
        }
        let tree = saved.spot().tree();
        let (action, _) = typed_path::action(tree, view.node, text).map_err(wrong)?;
        let at = view.actions.iter().position(|&other| other == action);
        Ok(Order::Action(at.expect("an action of the node")))
    }

    /// What the note below a table says.
    pub(super) fn words(self, labels: &[String]) -> String {
        match self {
            Order::Weight => "most weight first".to_owned(),
            Order::Ev => "best first".to_owned(),
            Order::Name => "in the order of the grid".to_owned(),
            Order::Action(action) => format!("most of {} first", labels[action]),
        }
    }

    /// Combos; those that are alike stay as they were.
    pub(super) fn sort_combos(self, combos: &mut [&ComboView]) {
        match self {
            Order::Weight => combos.sort_by(|a, b| b.weight.total_cmp(&a.weight)),
            // The order that they come in.
            Order::Ev => {}
            Order::Name => {
                combos.sort_by_key(|combo| (combo.combo.class().index(), std::cmp::Reverse(combo.combo)));
            }
            Order::Action(action) => {
                combos.sort_by(|a, b| b.frequencies[action].total_cmp(&a.frequencies[action]));
            }
        }
    }

    /// Hand classes, from the order of the grid.
    pub(super) fn sort_classes(self, classes: &mut [(HandClass, ComboGroup)]) {
        classes.sort_by(|a, b| self.compare(&a.1, &b.1));
    }

    /// Hand categories, from the order of their table.
    pub(super) fn sort_kinds(self, kinds: &mut [(KindName, ComboGroup)]) {
        kinds.sort_by(|a, b| self.compare(&a.1, &b.1));
    }

    fn compare(self, a: &ComboGroup, b: &ComboGroup) -> Ordering {
        let key = |group: &ComboGroup| match self {
            Order::Weight => group.weight,
            Order::Ev => group.ev.unwrap_or(f64::NEG_INFINITY),
            Order::Name => 0.0,
            Order::Action(action) => group.frequencies[action],
        };
        key(b).total_cmp(&key(a))
    }
}
