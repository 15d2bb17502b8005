//! Reads any decision of a solution, from memory or from a file.
//!
//! One evaluator ([`board`]) computes every number of a board. [`BoardView`]s are all of its decisions, [`NodeView`](view::NodeView)s one
//! row, [`Reader::hands`] one player of any node.

mod board;
mod board_page;
mod board_view;
pub(crate) mod equity;
mod error;
mod hands;
mod list;
mod node;
pub(crate) mod page;
pub(crate) mod solution;
mod subgame;
pub(crate) mod view;

use std::path::Path;
use std::sync::{Arc, Mutex};

use equipoise_cards::{Board, Card, Combo, Street, SuitPermutation};
use equipoise_game::{NodeId, PerPlayer, Player};
use equipoise_progress::Observer;

use crate::compile::boards::Boards;
use crate::compile::layout::combo_at;
use crate::compile::program::CompiledTree;
use crate::file::{FileError, Header, SavedPages};
use crate::kernel::ALWAYS;
use crate::problem::node_path::NodePath;
use crate::problem::options::Options;
use crate::problem::spot::Spot;
use crate::read::page::Page;
use crate::read::solution::Solution;
use crate::solve::progress::SolveProgress;
use subgame::Subgames;

pub use board_view::{BoardStart, BoardView, DecisionView};
pub use error::ReadError;
pub use hands::HandDetail;
pub use node::ViewDetail;

/// Where pages are.
#[derive(Debug)]
enum Pages {
    Memory(Vec<Arc<Page>>),
    File(Box<SavedPages>),
}

/// Reads any decision of a solution.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// use equipoise_postflop::{Options, Reader, Spot, ViewDetail, solve};
///
/// let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(150));
/// Preset::Simple.apply(&mut config);
/// let spot = Spot::new(["AA,QQ,JTs".parse()?, "KK,AQs".parse()?], "Qd9d6h3c".parse()?, &config)?;
/// let mut solution = solve(spot, &Options::default())?;
/// let reader = Reader::of(&mut solution);
/// let view = reader.view(&"check check | 2h |".parse()?, ViewDetail::Equities, &mut ())?;
/// assert_eq!(view.board.to_string(), "Qd9d6h3c2h");
/// let shares: f64 = view.frequencies().iter().sum();
/// assert!((shares - 1.0).abs() < 1e-6);
/// let evs: f64 = view.players.iter().map(|player| player.ev().unwrap()).sum();
/// assert!((evs - 100.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    spot: Arc<Spot>,
    symmetries: Vec<SuitPermutation>,
    tree: CompiledTree,
    boards: Boards,
    pages: Pages,
    /// The last street that is there.
    last: Street,
    options: Options,
    subgames: Mutex<Subgames>,
}

impl Reader {
    /// Reads what a solution has in memory; finding what decisions are worth takes about an iteration.
    #[must_use]
    pub fn of(solution: &mut Solution) -> Reader {
        solution.engine.record();
        let record = &solution.record;
        let boards = Boards::of_spot(&record.spot, record.symmetries());
        let pages = boards.all().iter().map(|board| Arc::new(solution.engine.page(&board.path))).collect();
        Reader {
            spot: Arc::clone(&record.spot),
            symmetries: record.symmetries().to_vec(),
            tree: CompiledTree::new(record.spot.tree(), PerPlayer::new(1.0, 1.0)),
            boards,
            pages: Pages::Memory(pages),
            last: Street::River,
            options: Options::default(),
            subgames: Mutex::default(),
        }
    }

    /// Opens a file of a solution.
    ///
    /// # Errors
    /// [`FileError`] if the file is missing, damaged, of another kind or of another format.
    pub fn open(path: &Path) -> Result<(Reader, Header), FileError> {
        Reader::open_unless(path, &|| false)
    }

    /// The same, cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// As [`open`](Self::open); also if it was given up.
    pub fn open_unless(path: &Path, is_cancelled: &dyn Fn() -> bool) -> Result<(Reader, Header), FileError> {
        let (saved, header) = SavedPages::open(path)?;
        let spot = Arc::new(saved.spot(is_cancelled)?);
        let symmetries = spot.symmetries_if(header.isomorphism);
        let board_street = spot.board().street();
        let boards = Boards::of_spot(&spot, &symmetries);
        let tree = CompiledTree::new(spot.tree(), PerPlayer::new(1.0, 1.0));
        saved.check(&boards)?;
        let reader = Reader {
            spot,
            symmetries,
            tree,
            boards,
            last: header.contents.last_street().max(board_street),
            pages: Pages::File(Box::new(saved)),
            options: Options { target_pct: header.target_pct, ..Options::default() },
            subgames: Mutex::default(),
        };
        Ok((reader, header))
    }

    /// Verifies every byte of the file; without it, a damaged part shows when it is read.
    ///
    /// # Errors
    /// [`FileError::Invalid`] if something is damaged.
    pub fn verify(&self) -> Result<(), FileError> {
        self.verify_unless(&|| false)
    }

    /// The same, cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// As [`verify`](Self::verify); also if it was given up.
    pub fn verify_unless(&self, is_cancelled: &dyn Fn() -> bool) -> Result<(), FileError> {
        match &self.pages {
            Pages::Memory(_) => Ok(()),
            Pages::File(saved) => saved.verify(is_cancelled),
        }
    }

    /// The problem.
    #[must_use]
    pub fn spot(&self) -> &Spot {
        &self.spot
    }

    /// The node at the end of a path; its cards are checked.
    ///
    /// # Errors
    /// [`ReadError`] says what is possible.
    pub fn find(&self, path: &NodePath) -> Result<NodeId, ReadError> {
        let tree = self.spot.tree();
        let node = tree.find(&path.line)?;
        let (found, expected) = (path.runout.len(), self.spot.num_dealt(node));
        if found != expected {
            return Err(ReadError::NumCards { path: path.clone(), found, expected });
        }
        self.board(&path.runout)?;
        Ok(node)
    }

    /// The board after a runout.
    fn board(&self, runout: &[Card]) -> Result<Board, ReadError> {
        let mut board = *self.spot.board();
        for &card in runout {
            board = board.deal(card).ok_or(ReadError::Card { card, board })?;
        }
        Ok(board)
    }

    /// The cards that can come after a runout, those that differ by a suit isomorphism only once; how many cards each
    /// stands for. Nothing on the river, or where no betting can follow.
    ///
    /// # Errors
    /// [`ReadError::Card`] if the runout cannot come.
    pub fn next_cards(&self, runout: &[Card]) -> Result<Vec<(Card, usize)>, ReadError> {
        self.board(runout)?;
        let Some((board, suits)) = self.boards.find(runout) else { return Ok(Vec::new()) };
        Ok(board.classes().iter().map(|class| (suits.map_card(class.card), class.images.len())).collect())
    }

    /// The cards that can come after a runout, and for each the one that stands for it: the same up to suit isomorphism, and
    /// the card itself if it is solved itself. Nothing on the river, or where no betting can follow.
    ///
    /// # Errors
    /// [`ReadError::Card`] if the runout cannot come.
    pub fn alike_cards(&self, runout: &[Card]) -> Result<Vec<(Card, Card)>, ReadError> {
        self.board(runout)?;
        let Some((board, suits)) = self.boards.find(runout) else { return Ok(Vec::new()) };
        let of_class = |class: &crate::problem::spot::CardClass| {
            let first = suits.map_card(class.card);
            class.images.iter().map(|image| (suits.map_card(image.map_card(class.card)), first)).collect()
        };
        let mut cards: Vec<(Card, Card)> =
            board.classes().iter().flat_map(|class| -> Vec<_> { of_class(class) }).collect();
        cards.sort_unstable_by_key(|(card, _)| card.id());
        Ok(cards)
    }

    /// The path to a node.
    #[must_use]
    pub fn path_to(&self, node: NodeId, runout: &[Card]) -> NodePath {
        NodePath { line: self.spot.tree().line_to(node), runout: runout.to_vec() }
    }

    /// What takes long is made of many views, so that asking before each is enough.
    fn check_wanted(&self, node: NodeId, observer: &dyn Observer<SolveProgress>) -> Result<(), ReadError> {
        let street = self.spot.tree().node(node).street();
        if observer.is_cancelled() { Err(ReadError::Stopped { street }) } else { Ok(()) }
    }

    fn page(&self, runout: &[Card]) -> Result<(Arc<Page>, Board, SuitPermutation), ReadError> {
        let (board, suits) = self.boards.find(runout).expect("the runout was checked");
        let page = match &self.pages {
            Pages::Memory(pages) => Arc::clone(&pages[board.number]),
            Pages::File(saved) => {
                let page = saved.page(board.number)?;
                if !self.fits(&page, board) {
                    return Err(saved.damaged("a page is of another board than its number says").into());
                }
                page
            }
        };
        Ok((page, board.board, suits))
    }

    /// Whether a page has as many numbers as its board needs.
    fn fits(&self, page: &Page, board: &Boards) -> bool {
        let street = &self.tree.streets[board.path.len()];
        let evs = usize::from(board.board.street() != Street::River);
        Player::ALL.into_iter().all(|player| {
            let page = &page.players[player];
            let len = self.spot.combos_on(player, &board.board).len();
            let actions = street.num_actions[player] * len;
            page.frequencies.len() == actions
                && page.action_evs.len() == evs * actions
                && page.line_evs.len() == evs * street.lines.len() * len
        })
    }

    /// The suit isomorphisms under which boards are joined.
    pub(crate) fn symmetries(&self) -> &[SuitPermutation] {
        &self.symmetries
    }

    /// The first street that is not there and would be re-solved.
    pub(crate) fn first_missing(&self) -> Option<Street> {
        let (config, stats) = (self.spot.tree().config(), self.spot.tree().stats());
        config.streets().find(|&street| street > self.last && stats.street(street).num_lines > 0)
    }

    /// How often the combos that a board leaves take each action on it, for both players: `[action][combo]`, in the
    /// order of the plan and of combo numbers. The board must be one of the spot.
    pub(crate) fn board_frequencies(&self, board: &Board) -> Result<PerPlayer<Vec<f32>>, ReadError> {
        let runout = &board.cards()[self.spot.board().cards().len()..];
        let (page, known, suits) = self.page(runout)?;
        let of_player = |player: Player| {
            let list = self.spot.combos_on(player, &known);
            let here = self.spot.combos_on(player, board);
            let mut numbers = vec![0.0; Combo::COUNT];
            let mut all = Vec::new();
            for parts in page.players[player].frequencies.chunks(list.len().max(1)) {
                for (&combo, &part) in list.iter().zip(parts) {
                    numbers[suits.map_combo(combo_at(combo)).index()] = f64::from(part) / f64::from(ALWAYS);
                }
                all.extend(here.iter().map(|&combo| numbers[usize::from(combo)] as f32));
            }
            all
        };
        Ok(PerPlayer::from_fn(of_player))
    }
}
