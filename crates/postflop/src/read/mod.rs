//! Reads any decision of a solution, from memory or from a file.

mod board_view;
pub(crate) mod equity;
mod hands;
pub(crate) mod page;
pub(crate) mod solution;
mod subgame;
pub(crate) mod view;

use std::path::Path;
use std::sync::{Arc, Mutex};

use equipoise_cards::{Board, Card, Combo, Street, SuitPermutation};
use equipoise_game::{LineError, NodeId, NodeKind, PerPlayer, Player};
use equipoise_progress::Observer;
use thiserror::Error;

use crate::compile::boards::Boards;
use crate::compile::layout::{Layout, combo_at};
use crate::compile::program::CompiledTree;
use crate::file::{FileError, Header, SavedPages};
use crate::kernel::ALWAYS;
use crate::problem::node_path::NodePath;
use crate::problem::options::Options;
use crate::problem::spot::Spot;
use crate::read::page::Page;
use crate::read::solution::Solution;
use crate::read::view::{ComboView, NodeView, PlayerView};
use crate::solve::progress::SolveProgress;
use equity::Weights;
use subgame::{Part, Parts};

pub use board_view::{Sheet, SheetDecision, SheetStart};
pub use hands::HandDetail;

/// Why there is nothing to read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The path leaves the tree.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Too few or too many cards.
    #[error("'{path}' deals {found} card(s) where {expected} come(s): write each between two '|'")]
    NumCards {
        /// The path.
        path: NodePath,
        /// How many it has.
        found: usize,
        /// How many come.
        expected: usize,
    },
    /// A card that cannot come.
    #[error("the {card} cannot come after {board}: it has been dealt")]
    Card {
        /// The card.
        card: Card,
        /// The board before it.
        board: Board,
    },
    /// The street is over there.
    #[error("after '{path}' a card comes: add it, as in '{path} | {example} |'")]
    Chance {
        /// The path.
        path: NodePath,
        /// A card that can come.
        example: Card,
    },
    /// The hand is over there.
    #[error("after '{path}' the hand is over: leave out the last action")]
    HandOver {
        /// The path.
        path: NodePath,
    },
    /// No card comes there.
    #[error("after '{path}' no card comes: go to where a street ends, as in 'check check'")]
    NoChance {
        /// The path.
        path: NodePath,
    },
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// What the file leaves out cannot be solved again.
    #[error("the {street} is not in the file and cannot be solved again: {reason}")]
    Again {
        /// The street.
        street: Street,
        /// Why.
        reason: String,
    },
    /// The observer wanted no more.
    #[error("stopped before the {street} was read or, if it is not in the file, solved again")]
    Stopped {
        /// The street.
        street: Street,
    },
}

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
/// use equipoise_postflop::{Options, Reader, Spot, solve};
///
/// let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(150));
/// Preset::Simple.apply(&mut config);
/// let spot = Spot::new(["AA,QQ,JTs".parse()?, "KK,AQs".parse()?], "Qd9d6h3c".parse()?, &config)?;
/// let mut solution = solve(spot, &Options::default())?;
/// let reader = Reader::of(&mut solution);
/// let view = reader.view(&"check check | 2h |".parse()?)?;
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
    plan: CompiledTree,
    boards: Boards,
    pages: Pages,
    /// The last street that is there.
    last: Street,
    options: Options,
    again: Mutex<Parts>,
}

/// How much is found out about a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    Strategies,
    Equities,
}

/// One number for every combo.
type Numbers = Vec<f64>;

/// Frequencies by action and combo number, in the suits of the runout.
type Frequencies = Vec<Numbers>;

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
            plan: CompiledTree::new(record.spot.tree(), PerPlayer::new(1.0, 1.0)),
            boards,
            pages: Pages::Memory(pages),
            last: Street::River,
            options: Options::default(),
            again: Mutex::default(),
        }
    }

    /// Opens a file of a solution.
    ///
    /// # Errors
    /// [`FileError`] if the file is missing, damaged, of another kind or of another format.
    pub fn open(path: &Path) -> Result<(Reader, Header), FileError> {
        Reader::open_unless(path, &|| false)
    }

    /// The same, given up soon after `is_cancelled` says so.
    ///
    /// # Errors
    /// As [`open`](Self::open); also if it was given up.
    pub fn open_unless(path: &Path, is_cancelled: &dyn Fn() -> bool) -> Result<(Reader, Header), FileError> {
        let (saved, header) = SavedPages::open(path)?;
        let spot = Arc::new(saved.spot(is_cancelled)?);
        let symmetries = spot.symmetries_if(header.isomorphism);
        let board_street = spot.board().street();
        let boards = Boards::of_spot(&spot, &symmetries);
        let plan = CompiledTree::new(spot.tree(), PerPlayer::new(1.0, 1.0));
        saved.check(&boards)?;
        let reader = Reader {
            spot,
            symmetries,
            plan,
            boards,
            last: header.contents.last_street().max(board_street),
            pages: Pages::File(Box::new(saved)),
            options: Options { target_pct: header.target_pct, ..Options::default() },
            again: Mutex::default(),
        };
        Ok((reader, header))
    }

    /// Looks at every byte of the file; without it, a damaged part shows when it is read.
    ///
    /// # Errors
    /// [`FileError::Invalid`] if something is damaged.
    pub fn verify(&self) -> Result<(), FileError> {
        self.verify_unless(&|| false)
    }

    /// The same, given up soon after `is_cancelled` says so.
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

    /// What can be seen at a decision. What the file leaves out is solved again.
    ///
    /// # Errors
    /// [`ReadError`] if there is no such decision or the file cannot be read.
    pub fn view(&self, path: &NodePath) -> Result<NodeView, ReadError> {
        self.view_with(path, &mut ())
    }

    /// The same; the observer is told about what is solved again.
    ///
    /// # Errors
    /// As [`view`](Self::view), and [`ReadError::Stopped`].
    pub fn view_with(
        &self,
        path: &NodePath,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<NodeView, ReadError> {
        self.look(path, Detail::Equities, observer)
    }

    /// The same without equities, which take most of the time before the river: they are left empty.
    ///
    /// # Errors
    /// As [`view_with`](Self::view_with).
    pub fn glance(
        &self,
        path: &NodePath,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<NodeView, ReadError> {
        self.look(path, Detail::Strategies, observer)
    }

    fn look(
        &self,
        path: &NodePath,
        detail: Detail,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<NodeView, ReadError> {
        let node = self.find(path)?;
        match self.spot.tree().node(node).kind() {
            NodeKind::Decision(_) => self.view_at(node, &path.runout, detail, observer),
            NodeKind::Chance => {
                let board = self.board(&path.runout)?;
                let example = Card::ALL.into_iter().find(|&card| !board.set().contains(card));
                let example = example.expect("a board leaves cards");
                Err(ReadError::Chance { path: path.clone(), example })
            }
            _ => Err(ReadError::HandOver { path: path.clone() }),
        }
    }

    /// The first decisions after each card that can come where a street ends.
    ///
    /// # Errors
    /// [`ReadError`] if no card comes there, and as [`view_with`](Self::view_with).
    pub fn runouts(
        &self,
        path: &NodePath,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Vec<(Card, NodeView)>, ReadError> {
        let node = self.find(path)?;
        let at = self.spot.tree().node(node);
        let (NodeKind::Chance, Some(next)) = (at.kind(), at.children().next()) else {
            return Err(ReadError::NoChance { path: path.clone() });
        };
        let board = self.board(&path.runout)?;
        let cards = Card::ALL.into_iter().filter(|&card| !board.set().contains(card));
        let view = |card: Card| {
            let runout: Vec<Card> = path.runout.iter().copied().chain([card]).collect();
            Ok((card, self.view_at(next, &runout, Detail::Equities, observer)?))
        };
        cards.map(view).collect()
    }

    /// The cards that can come after a runout, those that differ only by names of suits once; how many cards each stands
    /// for. Nothing on the river, or where no betting can follow.
    ///
    /// # Errors
    /// [`ReadError::Card`] if the runout cannot come.
    pub fn next_cards(&self, runout: &[Card]) -> Result<Vec<(Card, usize)>, ReadError> {
        self.board(runout)?;
        let Some((board, suits)) = self.boards.find(runout) else { return Ok(Vec::new()) };
        Ok(board.classes().iter().map(|class| (suits.map_card(class.card), class.images.len())).collect())
    }

    /// The cards that can come after a runout, and for each the one that stands for it: the same but for names of suits, and
    /// the card itself if it is solved as it is. Nothing on the river, or where no betting can follow.
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

    fn view_at(
        &self,
        node: NodeId,
        runout: &[Card],
        detail: Detail,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<NodeView, ReadError> {
        self.check_wanted(node, observer)?;
        if let Some((again, start, depth)) = self.solved_again(node, runout, observer)? {
            let part = Part { again: &again, start, depth };
            return self.view_again(&part, node, runout, detail);
        }
        let tree = self.spot.tree();
        let at = tree.node(node);
        let player = at.player().expect("a decision");
        let board = self.board(runout)?;
        let weights = self.weights(node, runout)?;
        let lists = [0, 1].map(|player: usize| self.spot.combos_on(player, &board));
        let (evs, action_evs) = match board.street() {
            Street::River => self.river_evs(node, runout, &board, &weights)?,
            _ => self.kept_evs(node, runout)?,
        };
        let frequencies = self.frequencies(node, runout)?;
        let shares = self.shares(&board, runout, &lists, &weights, detail);
        let probability = self.probability(&board, &weights);
        let players = Player::ALL.map(|who| {
            let own = who.index();
            let put_in = at.put_in(who).as_f64();
            let least_met = self.spot.least_met()[own];
            let view = |&combo: &u16| {
                let number = usize::from(combo);
                let (meets, won) = shares[own][number];
                let real = |ev: f64| (meets > least_met && ev.is_finite()).then_some(ev + put_in);
                let acts = |numbers: &[Numbers]| -> Vec<f64> {
                    if who == player {
                        numbers.iter().map(|numbers| numbers[number]).collect()
                    } else {
                        Vec::new()
                    }
                };
                ComboView {
                    combo: combo_at(combo),
                    weight: weights[own][number],
                    meets,
                    equity: won.filter(|_| meets > least_met).map(|won| won / meets),
                    ev: real(evs[own][number]),
                    frequencies: acts(&frequencies),
                    action_evs: acts(&action_evs).into_iter().map(real).collect(),
                    share: weights[own][number] * if probability > 0.0 { meets } else { 1.0 },
                }
            };
            PlayerView { player: who, combos: lists[own].iter().map(view).collect() }
        });
        Ok(NodeView {
            node,
            board,
            runout: runout.to_vec(),
            player,
            actions: tree.actions(node).map(|(action, _)| action).collect(),
            pot: tree.pot(node),
            stacks: Player::ALL.map(|player| tree.stack(node, player)),
            probability,
            players,
            solved_again: None,
        })
    }

    /// For each player by combo number: the opponent's weight that the combo can meet and, if it is asked for, what it wins
    /// of it without further betting.
    fn shares(
        &self,
        board: &Board,
        runout: &[Card],
        lists: &[Vec<u16>; 2],
        weights: &Weights,
        detail: Detail,
    ) -> [Vec<(f64, Option<f64>)>; 2] {
        let mut shares = [0, 1].map(|_| vec![(0.0, None); Combo::COUNT]);
        for player in Player::ALL {
            let (own, other) = (player.index(), player.opponent().index());
            let sums = equity::sums_of(&lists[other], &weights[other]);
            for &combo in &lists[own] {
                shares[own][usize::from(combo)].0 = equity::met(&sums, combo, &weights[other]);
            }
        }
        if detail == Detail::Strategies {
            return shares;
        }
        let symmetries: Vec<SuitPermutation> = (self.symmetries.iter().copied())
            .filter(|suits| runout.iter().all(|&card| suits.map_card(card) == card))
            .filter(|&suits| are_symmetric(weights, suits))
            .collect();
        let layout = Layout::of_lists(*board, lists.clone().into());
        let found = equity::shares(&layout, weights, &symmetries);
        for own in Player::ALL {
            for (&combo, &(_, won)) in layout.combos[own].iter().zip(&found[own.index()]) {
                shares[own.index()][usize::from(combo)].1 = Some(won);
            }
        }
        shares
    }

    /// How often play gets to these weights when the board's cards come.
    fn probability(&self, board: &Board, weights: &Weights) -> f64 {
        let pairs = |weights: &Weights| {
            let lists = [0, 1].map(|player: usize| self.spot.combos_on(player, board));
            let sums = equity::sums_of(&lists[1], &weights[1]);
            let pair = |&combo: &u16| weights[0][usize::from(combo)] * equity::met(&sums, combo, &weights[1]);
            lists[0].iter().map(pair).sum::<f64>()
        };
        let all = pairs(&equity::range_weights(&self.spot));
        if all > 0.0 { pairs(weights) / all } else { 0.0 }
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
        let street = &self.plan.streets[board.path.len()];
        let evs = usize::from(board.board.street() != Street::River);
        Player::ALL.into_iter().zip(&page.players).all(|(player, page)| {
            let len = self.spot.combos_on(player.index(), &board.board).len();
            let actions = street.num_actions[player] * len;
            page.frequencies.len() == actions
                && page.action_evs.len() == evs * actions
                && page.line_evs.len() == evs * street.lines.len() * len
        })
    }

    /// Spreads a list of a page over all combo numbers, in the suits of the runout.
    fn spread<T: Copy>(
        &self,
        player: usize,
        (board, suits): (Board, SuitPermutation),
        list: &[T],
        to: &mut Numbers,
        number: impl Fn(T) -> f64,
    ) {
        for (&combo, &value) in self.spot.combos_on(player, &board).iter().zip(list) {
            to[suits.map_combo(combo_at(combo)).index()] = number(value);
        }
    }

    /// The renamings of suits under which boards are joined.
    pub(crate) fn symmetries(&self) -> &[SuitPermutation] {
        &self.symmetries
    }

    /// The first street that is not there and would be solved again.
    pub(crate) fn first_missing(&self) -> Option<Street> {
        let (config, stats) = (self.spot.tree().config(), self.spot.tree().stats());
        config.streets().find(|&street| street > self.last && stats.street(street).num_lines > 0)
    }

    /// How often the combos that a board leaves take each action on it, for both players: `[action][combo]`, in the
    /// order of the plan and of combo numbers. The board must be one of the spot.
    pub(crate) fn board_frequencies(&self, board: &Board) -> Result<[Vec<f32>; 2], ReadError> {
        let runout = &board.cards()[self.spot.board().cards().len()..];
        let (page, known, suits) = self.page(runout)?;
        let of_player = |player: usize| {
            let len = self.spot.combos_on(player, &known).len();
            let here = self.spot.combos_on(player, board);
            let mut numbers = vec![0.0; Combo::COUNT];
            let mut all = Vec::new();
            for list in page.players[player].frequencies.chunks(len.max(1)) {
                self.spread(player, (known, suits), list, &mut numbers, |part| {
                    f64::from(part) / f64::from(ALWAYS)
                });
                all.extend(here.iter().map(|&combo| numbers[usize::from(combo)] as f32));
            }
            all
        };
        Ok([of_player(0), of_player(1)])
    }

    /// How often each combo takes each action of a decision that is there.
    fn frequencies(&self, node: NodeId, runout: &[Card]) -> Result<Frequencies, ReadError> {
        let at = self.spot.tree().node(node);
        let player = at.player().expect("a decision").index();
        let (page, board, suits) = self.page(runout)?;
        let len = self.spot.combos_on(player, &board).len();
        let first = self.plan.places[node.index()].action as usize;
        let mut actions = vec![vec![0.0; Combo::COUNT]; at.num_children()];
        for (action, to) in actions.iter_mut().enumerate() {
            let list = &page.players[player].frequencies[(first + action) * len..][..len];
            self.spread(player, (board, suits), list, to, |part| f64::from(part) / f64::from(ALWAYS));
        }
        // Rounding to sixteen bits left sums that are not quite 1.
        for combo in 0..Combo::COUNT {
            let sum: f64 = actions.iter().map(|action| action[combo]).sum();
            if sum > 0.0 {
                actions.iter_mut().for_each(|action| action[combo] /= sum);
            }
        }
        let here = self.spot.combos_on(player, &self.board(runout)?);
        self.put_locks(node, runout, &here, |at, action, frequency| {
            actions[action][usize::from(here[at])] = frequency;
        });
        Ok(actions)
    }

    /// Tells how the combos of a list are locked: place in the list, action and frequency. Pages have locks too, but
    /// rounded.
    fn put_locks(
        &self,
        node: NodeId,
        runout: &[Card],
        combos: &[u16],
        mut put: impl FnMut(usize, usize, f64),
    ) {
        for (_, lock) in self.spot.locks_on(runout).filter(|(locked, _)| *locked == node) {
            for (at, &combo) in combos.iter().enumerate() {
                let locked = lock.frequencies(combo).into_iter().flatten();
                locked.enumerate().for_each(|(action, frequency)| put(at, action, frequency));
            }
        }
    }

    /// The weights with which both players' combos get to a node that is there.
    fn weights(&self, node: NodeId, runout: &[Card]) -> Result<Weights, ReadError> {
        let tree = self.spot.tree();
        let dealt = self.board(runout)?;
        let mut weights = equity::range_weights(&self.spot);
        for combo in Combo::all().filter(|combo| combo.cards().intersects(dealt.set())) {
            weights.iter_mut().for_each(|weights| weights[combo.index()] = 0.0);
        }
        let (mut child, mut parent) = (node, tree.node(node).parent());
        while let Some(at) = parent {
            if let Some(player) = tree.node(at).player() {
                let action = tree.node(at).children().position(|id| id == child).expect("a child");
                let frequencies = self.frequencies(at, &runout[..self.spot.num_dealt(at)])?;
                let own = &mut weights[player.index()];
                own.iter_mut().zip(&frequencies[action]).for_each(|(weight, part)| *weight *= part);
            }
            (child, parent) = (at, tree.node(at).parent());
        }
        Ok(weights)
    }

    /// What both players' combos get at a river node, and the actor's by action; in chips since the root.
    fn river_evs(
        &self,
        node: NodeId,
        runout: &[Card],
        board: &Board,
        weights: &Weights,
    ) -> Result<([Numbers; 2], Vec<Numbers>), ReadError> {
        let (values, by_action) = self.river_values(node, runout, weights)?;
        let per_weight = |player: Player, values: Numbers| -> Numbers {
            let other = player.opponent().index();
            let sums = equity::sums_of(&self.spot.combos_on(other, board), &weights[other]);
            let each = |(combo, value): (usize, f64)| {
                let meets = equity::met(&sums, combo as u16, &weights[other]);
                if meets > 1e-7 * sums.total() { value / meets } else { f64::NAN }
            };
            values.into_iter().enumerate().map(each).collect()
        };
        let [oop, ip] = values;
        let evs = [per_weight(Player::Oop, oop), per_weight(Player::Ip, ip)];
        let actor = self.spot.tree().node(node).player().unwrap_or(Player::Oop);
        Ok((evs, by_action.into_iter().map(|values| per_weight(actor, values)).collect()))
    }

    /// The same before the river, where it is kept.
    fn kept_evs(&self, node: NodeId, runout: &[Card]) -> Result<([Numbers; 2], Vec<Numbers>), ReadError> {
        let tree = self.spot.tree();
        let at = tree.node(node);
        let actor = at.player().expect("a decision");
        let (page, board, suits) = self.page(runout)?;
        let spread = |player: Player, list: &[f32], place: usize| {
            let len = self.spot.combos_on(player.index(), &board).len();
            let mut numbers = vec![f64::NAN; Combo::COUNT];
            self.spread(player.index(), (board, suits), &list[place * len..][..len], &mut numbers, f64::from);
            numbers
        };
        let own = &page.players[actor.index()];
        let first = self.plan.places[node.index()].action as usize;
        let by_action: Vec<Numbers> =
            (0..at.num_children()).map(|action| spread(actor, &own.action_evs, first + action)).collect();
        let frequencies = self.frequencies(node, runout)?;
        let mut acting = vec![0.0; Combo::COUNT];
        for (evs, frequency) in by_action.iter().zip(&frequencies) {
            for ((sum, ev), part) in acting.iter_mut().zip(evs).zip(frequency) {
                *sum += ev * part;
            }
        }
        // The other player has just acted, or the street begins.
        let other = actor.opponent();
        let theirs = &page.players[other.index()];
        let waiting = match at.parent().filter(|&parent| tree.node(parent).player().is_some()) {
            Some(parent) => {
                let action = tree.node(parent).children().position(|id| id == node).expect("a child");
                spread(other, &theirs.action_evs, self.plan.places[parent.index()].action as usize + action)
            }
            None => {
                let lines = &self.plan.streets[runout.len()].lines;
                let line = lines.iter().position(|&line| line == node).expect("a street begins here");
                spread(other, &theirs.line_evs, line)
            }
        };
        let mut evs = [Vec::new(), Vec::new()];
        evs[actor.index()] = acting;
        evs[other.index()] = waiting;
        Ok((evs, by_action))
    }
}

/// Whether weights are the same after suits are renamed, so that cards that differ only by that may be joined.
fn are_symmetric(weights: &Weights, suits: SuitPermutation) -> bool {
    Combo::all().all(|combo| {
        let (at, image) = (combo.index(), suits.map_combo(combo).index());
        weights.iter().all(|weights| weights[at] == weights[image])
    })
}
