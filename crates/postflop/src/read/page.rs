//! What is read of one board: strategies and what they are worth, combos in the order of their numbers.

use equipoise_game::{PerPlayer, Player};

use crate::compile::program::{CompiledStreet, CompiledTree};
use crate::kernel::{Isa, Row, flatten};
use crate::solve::state::{Entries, State};
use crate::solve::store::Store;

/// The strategies of both players on one board.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Page {
    pub players: PerPlayer<PlayerPage>,
}

/// One player's part. The combos are those of the range that the board leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PlayerPage {
    /// `[action][combo]` in parts of [`ALWAYS`](crate::kernel::ALWAYS), in the order of [`Place::action`](crate::compile::program::Place).
    pub frequencies: Vec<u16>,
    /// `[action][combo]`: chips from the root on; NaN without matchups. Empty on the river.
    pub action_evs: Vec<f32>,
    /// `[line][combo]`: the same where the street begins.
    pub line_evs: Vec<f32>,
}

/// What a table says. `scale` is what chips were multiplied by.
pub(crate) fn of_table<R: Store, S: Store>(
    isa: Isa,
    tree: &CompiledTree,
    street: &CompiledStreet,
    state: &State<R, S>,
    player: Player,
    scale: f64,
) -> PlayerPage {
    let combos = &state.layout.combos[player];
    let places = places(combos);
    let rows = state.layout.rows[player];
    let (mut unpacked, mut parts) = (Vec::new(), Vec::new());
    let mut frequencies = vec![0; street.num_actions[player] * combos.len()];
    for &node in &street.decisions[player] {
        let first_action = tree.first_action(node);
        let next = tree.places[node.index()].decision as usize + 1;
        let end = street.decisions[player]
            .get(next)
            .map_or(street.num_actions[player], |&next| tree.first_action(next));
        let entries = Entries { node, player, first_action, num_actions: end - first_action };
        parts.resize(entries.num_actions * rows, Row::ZERO);
        state.read_strategy(isa, &entries, None, &mut unpacked, &mut parts);
        for (action, parts) in (first_action..end).zip(parts.chunks(rows.max(1))) {
            let to = &mut frequencies[action * combos.len()..][..combos.len()];
            flatten(parts).zip(&places).for_each(|(part, &place)| to[place] = part.round_ties_even() as u16);
        }
    }
    let evs = |recorded: &[f32]| {
        let mut evs = vec![f32::NAN; recorded.len()];
        for (from, to) in recorded.chunks(combos.len().max(1)).zip(evs.chunks_mut(combos.len().max(1))) {
            from.iter().zip(&places).for_each(|(&ev, &place)| to[place] = (f64::from(ev) / scale) as f32);
        }
        evs
    };
    let recorded = &state.recorded[player];
    PlayerPage { frequencies, action_evs: evs(&recorded.actions), line_evs: evs(&recorded.lines) }
}

/// Where each combo of a list stands among all of the list when they are put in the order of their numbers.
pub(crate) fn places(combos: &[u16]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..combos.len()).collect();
    order.sort_by_key(|&at| combos[at]);
    let mut places = vec![0; combos.len()];
    order.iter().enumerate().for_each(|(place, &at)| places[at] = place);
    places
}
