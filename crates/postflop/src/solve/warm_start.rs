//! Starting with the regrets of a similar problem.
//!
//! Each decision starts with the regrets of the old decision that is most similar. Strategies alone do not help: regrets in
//! proportion to old frequencies, whatever their size, took about as many iterations as none, because the scale of regrets
//! differs from decision to decision. Averages start from nothing, so that nothing of the old problem stays in the answer.
//! `docs/warm-start.md` has measurements.

use std::path::{Path, PathBuf};

use equipoise_cards::{Board, Card, Combo, SuitPermutation};
use equipoise_cfr::{Asymmetry, Scheme};
use equipoise_game::{Action, NodeId, NodeKind, PerPlayer, Player, Tree};
use rayon::prelude::*;
use thiserror::Error;

use crate::compile::boards::Boards;
use crate::compile::layout::{Layout, combo_at};
use crate::compile::orbits::Orbits;
use crate::compile::program::{CompiledStreet, CompiledTree};
use crate::file::{FileError, SavedPages, TableOrder};
use crate::kernel::{Arena, ListIndex};
use crate::problem::options::Options;
use crate::problem::spot::Spot;
use crate::solve::engine::Engine;
use crate::solve::store::{Packed, Store};

/// The iterations that the old solution counts as where an algorithm weights iterations. Of 0 to 200, 30 to 60 did best:
/// with fewer the old regrets decay too fast, with more those of the new problem weigh too little.
pub(crate) const HEAD_START: u32 = 40;

/// Boards that are read before tables are filled.
const AT_ONCE: usize = 64;

/// Why an old solution cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WarmStartError {
    /// It is of another board.
    #[error("{path} is a solution of {from}, the spot is of {to}: only one of the same board helps")]
    Board {
        /// The file.
        path: PathBuf,
        /// The old board.
        from: Board,
        /// The new one.
        to: Board,
    },
    /// Iterations have been run.
    #[error("iterations have been run: a warm start comes before the first")]
    Late,
    /// It has no tables.
    #[error("{path} has no tables to begin with: it was saved without --save resumable")]
    NoTables {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// How much of a problem an old solution knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WarmStart {
    /// Decisions of the betting tree.
    pub decisions: usize,
    /// Those of them that the old tree has, if only with bets of other sizes.
    pub known: usize,
}

/// An old solution with the problem that it belongs to.
pub(crate) struct Old {
    path: PathBuf,
    saved: SavedPages,
    spot: Spot,
    options: Options,
}

impl Old {
    pub(crate) fn open(path: &Path) -> Result<Old, FileError> {
        let (saved, header) = SavedPages::open(path)?;
        let spot = saved.spot(&|| false)?;
        let options = header.options().ok_or_else(|| {
            saved.damaged(format!(
                "its tables are of {} in {}, which this version does not know",
                header.algorithm, header.storage
            ))
        })?;
        Ok(Old { path: path.to_owned(), saved, spot, options })
    }
}

/// The old decision that is most similar to one of this tree.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    node: NodeId,
    /// By old action: the action here that gets its regrets.
    heirs: Vec<Option<usize>>,
}

/// Gives an engine without iterations the regrets of an old solution.
pub(crate) fn start(
    old: &Old,
    spot: &Spot,
    boards: &Boards,
    engine: &mut dyn Engine,
) -> Result<WarmStart, WarmStartError> {
    if !spot.has_board_of(&old.spot) {
        let (from, to) = (*old.spot.board(), *spot.board());
        return Err(WarmStartError::Board { path: old.path.clone(), from, to });
    }
    let old_boards = Boards::of_spot(&old.spot, &old.spot.symmetries_if(old.options.isomorphism));
    old.saved.check(&old_boards)?;
    let Some(order) = old.saved.table_order()? else {
        return Err(WarmStartError::NoTables { path: old.path.clone() });
    };
    let represented = |spot: &Spot| Boards::of_spot(spot, &spot.symmetries());
    let known = matched(old.spot.tree(), spot.tree());
    let num_known = known.iter().flatten().count();
    let transfer = Transfer {
        old,
        boards: old_boards,
        represented: (order == TableOrder::Image).then(|| represented(&old.spot)),
        old_tree: CompiledTree::new(old.spot.tree(), PerPlayer::new(1.0, 1.0)),
        spot,
        tree: CompiledTree::new(spot.tree(), PerPlayer::new(1.0, 1.0)),
        symmetries: spot.symmetries(),
        new_boards: represented(spot),
        known,
    };
    for some in boards.all().chunks(AT_ONCE) {
        let found: Vec<PerPlayer<Vec<f32>>> =
            some.par_iter().map(|board| transfer.regrets(board)).collect::<Result<_, FileError>>()?;
        some.iter().zip(&found).for_each(|(board, regrets)| engine.set_regrets(&board.path, regrets));
    }
    let decisions = spot.tree().nodes().iter().filter(|node| node.player().is_some()).count();
    Ok(WarmStart { decisions, known: num_known })
}

struct Transfer<'a> {
    old: &'a Old,
    boards: Boards,
    /// The boards that represent others in the old problem, if its tables are in their order.
    represented: Option<Boards>,
    old_tree: CompiledTree,
    spot: &'a Spot,
    tree: CompiledTree,
    /// Of the new problem, whether boards are joined or not.
    symmetries: Vec<SuitPermutation>,
    /// The boards that represent others in the new problem.
    new_boards: Boards,
    /// By node of the new tree.
    known: Vec<Option<Known>>,
}

impl Transfer<'_> {
    /// The first regrets of both players on a board: `[action][combo]`, combos in the order of their numbers. The old problem
    /// may have fewer suit symmetries than the new one: each combo starts with the mean over the symmetries, which isomorphic
    /// boards add up in the order of the one that represents them.
    fn regrets(&self, board: &Boards) -> Result<PerPlayer<Vec<f32>>, FileError> {
        let street = &self.tree.streets[board.path.len()];
        let lists = PerPlayer::from_fn(|player| self.spot.combos_on(player, &board.board));
        let mut regrets =
            PerPlayer::from_fn(|player| vec![0.0; street.num_actions[player] * lists[player].len()]);
        let (_, image) = self.new_boards.find(self.runout(board)).expect("every board is represented");
        for suits in self.symmetries.iter().map(|&suits| image.inverse().then(suits)) {
            if let Some(tables) = self.old_tables(board, suits)? {
                self.add_regrets(street, suits, &lists, &tables, &mut regrets);
            }
        }
        let part = 1.0 / self.symmetries.len() as f32;
        regrets.iter_mut().flatten().for_each(|regret| *regret *= part);
        Ok(regrets)
    }

    /// Adds the old regrets on the image of a board.
    fn add_regrets(
        &self,
        street: &CompiledStreet,
        suits: SuitPermutation,
        lists: &PerPlayer<Vec<u16>>,
        tables: &PerPlayer<OldTable>,
        regrets: &mut PerPlayer<Vec<f32>>,
    ) {
        for own in Player::ALL {
            let (list, table) = (&lists[own], &tables[own]);
            let index = |&combo: &u16| table.indices[suits.map_combo(combo_at(combo)).index()];
            let indices: Vec<Option<ListIndex>> = list.iter().map(index).collect();
            for &node in &street.decisions[own] {
                let Some(known) = &self.known[node.index()] else { continue };
                let first = self.tree.first_action(node);
                let old_first = self.old_tree.first_action(known.node);
                for (action, heir) in known.heirs.iter().enumerate() {
                    let Some(heir) = *heir else { continue };
                    let to = &mut regrets[own][(first + heir) * list.len()..][..list.len()];
                    table.add(old_first + action, &indices, to);
                }
            }
        }
    }

    /// The old tables of the image of a board, if the old problem has betting on it.
    fn old_tables(
        &self,
        board: &Boards,
        image: SuitPermutation,
    ) -> Result<Option<PerPlayer<OldTable>>, FileError> {
        let runout: Vec<Card> = self.runout(board).iter().map(|&card| image.map_card(card)).collect();
        let Some((old, suits)) = self.boards.find(&runout) else { return Ok(None) };
        let layout = self.old_layout(&old.board);
        let bytes = self.old.saved.table_bytes(old.number)?;
        let mut rest = &bytes[..];
        let street = &self.old_tree.streets[old.path.len()];
        let mut table = |own: Player| {
            let rows = layout.rows[own];
            let mut indices = vec![None; Combo::COUNT];
            for (&combo, at) in layout.combos[own].iter().zip(ListIndex::all(layout.combos[own].len())) {
                indices[suits.map_combo(combo_at(combo)).index()] = Some(at);
            }
            let regrets =
                self.take(&mut rest, street.num_actions[own] * rows, street.decisions[own].len())?;
            Some(OldTable { regrets, rows, indices })
        };
        match (table(Player::Oop), table(Player::Ip), rest.is_empty()) {
            (Some(oop), Some(ip), true) => Ok(Some(PerPlayer::new(oop, ip))),
            _ => {
                Err(self.old.saved.damaged("its tables have another size: was it solved with other storage?"))
            }
        }
    }

    /// The cards of a board of the new problem after the root's.
    fn runout<'b>(&self, board: &'b Boards) -> &'b [Card] {
        &board.board.cards()[self.spot.board().cards().len()..]
    }

    /// The layout of an old board.
    fn old_layout(&self, board: &Board) -> Layout {
        let spot = &self.old.spot;
        let lists = |board: &Board| PerPlayer::from_fn(|player| spot.combos_on(player, board));
        let runout = &board.cards()[spot.board().cards().len()..];
        match self.represented.as_ref().and_then(|boards| boards.find(runout)) {
            None => Layout::of_lists(*board, lists(board)),
            Some((representative, suits)) => {
                let of_representative = Layout::of_lists(representative.board, lists(&representative.board));
                let layout = Layout::of_image(*board, lists(board), &of_representative, suits);
                layout.expect("the suits are a symmetry of board and ranges")
            }
        }
    }

    /// Reads the regrets of one player from the bytes, and skips the player's other tables.
    fn take(&self, bytes: &mut &[u8], len: usize, num_decisions: usize) -> Option<Packed> {
        let (storage, needs) = (self.old.options.storage, self.old.options.algorithm.requirements());
        let format = storage.regrets.format(true, storage.log_encoding);
        let mut regrets = Packed::new(len, format, &Arena::default());
        regrets.set_bytes(bytes, &Orbits::default())?;
        let [regret_row, average_row] = storage.row_bytes().map(|bytes| bytes as usize);
        let last = if needs.last_instant { len * regret_row } else { 0 };
        let is_measured = matches!(needs.asymmetry, Some(Asymmetry::Auto { .. }));
        let sums = if is_measured { 16 * num_decisions } else { 0 };
        *bytes = bytes.get(last + len * average_row + sums..)?;
        Some(regrets)
    }
}

/// One player's old regrets on a board.
struct OldTable {
    regrets: Packed,
    rows: usize,
    /// By combo number.
    indices: Vec<Option<ListIndex>>,
}

impl OldTable {
    /// Adds the regrets of an action, for the combos at these indices.
    fn add(&self, action: usize, indices: &[Option<ListIndex>], to: &mut [f32]) {
        let numbers: Vec<f32> =
            (0..self.rows).flat_map(|row| self.regrets.numbers(action * self.rows + row)).collect();
        for (to, index) in to.iter_mut().zip(indices) {
            *to += index.map_or(0.0, |index| numbers[index.get()]);
        }
    }
}

/// For each node of a tree the most similar decision of an old one.
fn matched(old: &Tree, new: &Tree) -> Vec<Option<Known>> {
    let mut known = vec![None; new.nodes().len()];
    let mut pairs = vec![(new.root(), old.root())];
    while let Some((here, there)) = pairs.pop() {
        let (node, before) = (new.node(here), old.node(there));
        match (node.kind(), before.kind()) {
            (NodeKind::Chance, NodeKind::Chance) => pairs.extend(node.children().zip(before.children())),
            (NodeKind::Decision(player), NodeKind::Decision(other)) if player == other => {
                let (sizes, old_sizes) = (Sizes::of(new, here), Sizes::of(old, there));
                for (&action, child) in sizes.0.iter().zip(node.children()) {
                    let similar = old_sizes.nearest(action).and_then(|at| before.children().nth(at));
                    pairs.extend(similar.map(|similar| (child, similar)));
                }
                // A new size starts without regrets; those of a removed size are added to the nearest.
                let heirs = old_sizes.0.iter().map(|&action| sizes.nearest(action)).collect();
                known[here.index()] = Some(Known { node: there, heirs });
            }
            _ => {}
        }
    }
    known
}

/// The actions of a decision; bets and raises as parts of the starting pot.
struct Sizes(Vec<(Action, f64)>);

impl Sizes {
    fn of(tree: &Tree, node: NodeId) -> Sizes {
        let pot = tree.config().starting_pot.as_f64();
        let size = |action: Action| action.total().map_or(0.0, |total| total.as_f64() / pot);
        Sizes(tree.actions(node).map(|(action, _)| (action, size(action))).collect())
    }

    /// The same action, or the bet or raise of the nearest size.
    fn nearest(&self, (action, size): (Action, f64)) -> Option<usize> {
        if action.total().is_none() {
            return self.0.iter().position(|&(other, _)| other == action);
        }
        let sizes = self.0.iter().enumerate().filter(|(_, (other, _))| other.total().is_some());
        let distance = |other: f64| (other / size).ln().abs();
        sizes.min_by(|(_, a), (_, b)| distance(a.1).total_cmp(&distance(b.1))).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use equipoise_cards::Street;
    use equipoise_game::{Chips, Preset, TreeConfig};

    use super::*;

    fn tree(sizes: &str) -> Tree {
        let mut config = TreeConfig::new(Street::River, Chips::new(100), Chips::new(1000));
        Preset::Simple.apply(&mut config);
        let menus = config.menus_mut(Street::River).unwrap();
        menus.oop.bet = sizes.parse().unwrap();
        menus.ip.bet = sizes.parse().unwrap();
        Tree::build(&config).unwrap()
    }

    #[test]
    fn a_tree_knows_itself() {
        let tree = tree("50%, 100%");
        for (id, known) in tree.node_ids().zip(matched(&tree, &tree)) {
            let same = tree
                .node(id)
                .player()
                .map(|_| Known { node: id, heirs: (0..tree.node(id).num_children()).map(Some).collect() });
            assert_eq!(known, same);
        }
    }

    #[test]
    fn a_new_size_starts_with_nothing_but_the_decisions_below_are_known() {
        let (old, new) = (tree("100%"), tree("33%, 100%"));
        let known = matched(&old, &new);
        let root = known[0].as_ref().unwrap();
        assert_eq!(root.heirs, [Some(0), Some(2)]);
        let answers = |tree: &Tree, action: usize| tree.node(tree.root()).children().nth(action).unwrap();
        for bet in [1, 2] {
            let known = known[answers(&new, bet).index()].as_ref().unwrap();
            assert_eq!(known.node, answers(&old, 1));
        }
    }

    #[test]
    fn the_regrets_of_a_removed_size_go_to_the_nearest() {
        let known = matched(&tree("33%, 100%"), &tree("100%"));
        assert_eq!(known[0].as_ref().unwrap().heirs, [Some(0), Some(1), Some(1)]);
    }
}
