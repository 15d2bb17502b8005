//! How large a spot is, before anything of it is built.

use std::sync::{Arc, OnceLock};

use equipoise_cards::{Board, Range, SuitPermutation};
use equipoise_game::{PerPlayer, Player, TreeConfig, TreeCount};

use crate::kernel::MAX_ACTIONS;
use crate::problem::memory::BoardSums;
use crate::problem::options::{Memory, Options};
use crate::problem::spot::{Spot, SpotError, check_depth, live_ranges, symmetries};

/// A [`Spot`] whose betting tree is counted and not built: enough to say what solving it takes.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// use equipoise_postflop::{Options, Solver, Spot, SpotCount};
/// let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
/// Preset::Standard.apply(&mut config);
/// let (ranges, board) = (["QQ+,AK".parse()?, "JJ-77,AQ".parse()?], "Td9d6hQc".parse()?);
/// let count = SpotCount::new(ranges, board, &config, &|| false)?;
/// let spot = Spot::new(["QQ+,AK".parse()?, "JJ-77,AQ".parse()?], board, &config)?;
/// let options = Options::default();
/// assert_eq!(count.memory(&options), Solver::memory(&spot, &options));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpotCount {
    ranges: PerPlayer<Range>,
    board: Board,
    config: TreeConfig,
    symmetries: Vec<SuitPermutation>,
    /// Without and with isomorphism, once asked for.
    boards: Arc<[OnceLock<BoardSums>; 2]>,
    tree: TreeCount,
}

impl SpotCount {
    /// Counts a spot without locks; cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// What [`Spot::new`] would find wrong.
    pub fn new(
        ranges: impl Into<PerPlayer<Range>>,
        board: Board,
        config: &TreeConfig,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<SpotCount, SpotError> {
        let tree = TreeCount::of(config, is_cancelled)?;
        let ranges = live_ranges(ranges.into(), board, config)?;
        let num_actions = config.streets().map(|street| tree.stats().street(street).max_actions);
        if num_actions.max().unwrap_or(0) > MAX_ACTIONS {
            // Rare, and only the tree knows where.
            Spot::new_unless(ranges.clone(), board, config, is_cancelled)?;
        }
        check_depth(tree.max_invested(), config)?;
        let symmetries = symmetries(&ranges, &board, &[]);
        Ok(SpotCount { ranges, board, config: config.clone(), symmetries, boards: Arc::default(), tree })
    }

    /// Counts a spot that is there, whose locks may leave fewer symmetries of suits.
    ///
    /// # Errors
    /// [`SpotError`] if it was given up.
    pub fn of(spot: &Spot, is_cancelled: &dyn Fn() -> bool) -> Result<SpotCount, SpotError> {
        let config = spot.tree().config().clone();
        let tree = TreeCount::of(&config, is_cancelled)?;
        let (ranges, board, symmetries) = (spot.ranges().clone(), *spot.board(), spot.symmetries());
        Ok(SpotCount { ranges, board, config, symmetries, boards: Arc::default(), tree })
    }

    /// The same cards with other betting, counted with so much work at most: see [`TreeCount::with_work`].
    ///
    /// # Errors
    /// [`SpotError`] if the betting makes no sense, is too large or was given up.
    pub fn with_betting(
        &self,
        config: TreeConfig,
        work: u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<SpotCount, SpotError> {
        let tree = TreeCount::with_work(&config, work, is_cancelled)?;
        Ok(SpotCount { config, tree, ..self.clone() })
    }

    /// What solving would take.
    #[must_use]
    pub fn memory(&self, options: &Options) -> Memory {
        let symmetries =
            if options.isomorphism { &self.symmetries[..] } else { &[SuitPermutation::IDENTITY] };
        let sums = self.boards[usize::from(options.isomorphism)]
            .get_or_init(|| BoardSums::new(&self.ranges, &self.board, symmetries));
        sums.memory(&self.config, self.tree.stats(), options)
    }

    /// The board at the root.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The betting.
    #[must_use]
    pub fn config(&self) -> &TreeConfig {
        &self.config
    }

    /// How large the betting tree is.
    #[must_use]
    pub fn tree(&self) -> &TreeCount {
        &self.tree
    }

    /// How many combos a player's range has on this board.
    #[must_use]
    pub fn num_combos(&self, player: Player) -> usize {
        self.ranges[player].num_combos()
    }
}
