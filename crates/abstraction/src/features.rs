//! What a combo is worth on a board, as counts and as the numbers that follow from them.

use equipoise_cards::{Board, Combo, Street};

use crate::clusters::OpponentClusters;
use crate::error::AbstractionError;
use crate::{preflop, single};

/// How many combos an opponent may hold against a known combo on a river board: C(45, 2).
pub(crate) const RIVER_OPPONENTS: u32 = 990;
/// The most `2 · wins + ties` on a river board.
pub(crate) const MAX_HALVES: u32 = 2 * RIVER_OPPONENTS;

/// The binomial coefficient.
pub(crate) const fn choose(n: u64, k: u64) -> u64 {
    let (mut ways, mut i) = (1, 0);
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

/// How many runouts complete a board of this street for one known combo.
pub(crate) const fn num_runouts(street: Street) -> u64 {
    let num_public = street.num_board_cards() as u64;
    choose(50 - num_public, 5 - num_public)
}

/// How many runouts complete a board of this street for two known combos.
pub(crate) const fn num_runouts_of_two(street: Street) -> u64 {
    let num_public = street.num_board_cards() as u64;
    choose(48 - num_public, 5 - num_public)
}

/// How many combos an opponent may hold on a board of this street against one known combo.
pub(crate) const fn num_opponents(street: Street) -> u64 {
    choose(50 - street.num_board_cards() as u64, 2)
}

/// Opponents and runouts counted by where the combo stands now and on the river: `cells[now][then]`, where 0 is ahead, 1
/// tied and 2 behind.
pub type Cells = [[u32; 3]; 3];

/// A histogram of the river HS over all runouts: bin `i` counts those with `i/50 ≤ HS < (i+1)/50`, and the last one
/// also HS = 1.
pub type Histogram = [u32; Features::NUM_BINS];

/// How a combo fares against the combos of one cluster of opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Against {
    /// `2 · wins + ties` over opponents and runouts.
    pub(crate) halves: u64,
    /// Opponents times runouts.
    pub(crate) deals: u64,
}

impl Against {
    /// The all-in equity against the cluster.
    pub(crate) fn equity(self) -> f64 {
        ratio(self.halves, 2 * self.deals)
    }
}

/// E\[HS²\] from the sum of the squares of `2 · wins + ties` over the runouts.
pub(crate) fn mean_square(squares: u64, street: Street) -> f64 {
    squares as f64 / (num_runouts(street) * u64::from(MAX_HALVES).pow(2)) as f64
}

/// Where a combo stands now and how far that may change: the fractions that its [`Cells`] make.
///
/// ```
/// use equipoise_abstraction::Standing;
/// let standing = Standing::of(&[[449_005, 3_211, 169_504], [0, 8_370, 540], [91_981, 1_036, 346_543]]);
/// assert!((standing.hs - 0.585106).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Standing {
    /// [`Features::hs`].
    pub hs: f64,
    /// [`Features::ppot`].
    pub ppot: f64,
    /// [`Features::npot`].
    pub npot: f64,
}

impl Standing {
    /// The fractions of nine cells.
    #[must_use]
    pub fn of(cells: &Cells) -> Standing {
        let [ahead, tied, behind] = cells;
        let [num_ahead, num_tied, num_behind] = cells.map(sum);
        let gained = 2 * u64::from(behind[0]) + u64::from(behind[1]) + u64::from(tied[0]);
        let lost = 2 * u64::from(ahead[2]) + u64::from(ahead[1]) + u64::from(tied[2]);
        Standing {
            hs: ratio(2 * num_ahead + num_tied, 2 * (num_ahead + num_tied + num_behind)),
            ppot: ratio(gained, 2 * num_behind + num_tied),
            npot: ratio(lost, 2 * num_ahead + num_tied),
        }
    }
}

/// Features of a combo on a board against a random hand: every combo of the opponent and every runout is counted, nothing
/// sampled.
///
/// Only whole numbers are kept, and the fractions are made of them at the end. So hands that differ in suits only have
/// equal features, to the last bit.
///
/// | number | what it is |
/// | --- | --- |
/// | [`hs`](Features::hs) | the share of opponents that the combo beats now, ties counted half |
/// | [`equity`](Features::equity) | the mean of the river HS over all runouts: the all-in equity |
/// | [`equity_sq`](Features::equity_sq) | the mean of its square, E\[HS²\] |
/// | [`ppot`](Features::ppot), [`npot`](Features::npot) | how often what is behind now gets ahead, and the reverse |
/// | [`histogram`](Features::histogram) | how the river HS is distributed |
/// | [`ochs`](Features::ochs) | equity against each of eight clusters of opponents |
///
/// ```
/// use equipoise_abstraction::Features;
/// let features = Features::of("AdQc".parse()?, &"3h4cJh".parse()?)?;
/// assert_eq!(features.cells(), Some([[449_005, 3_211, 169_504], [0, 8_370, 540], [91_981, 1_036, 346_543]]));
/// assert!((features.equity() - 0.511399).abs() < 1e-6);
/// // The identity HS·(1 − NPot) + (1 − HS)·PPot = equity.
/// let (hs, ppot, npot) = (features.hs().unwrap(), features.ppot().unwrap(), features.npot().unwrap());
/// assert!((hs * (1.0 - npot) + (1.0 - hs) * ppot - features.equity()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    pub(crate) street: Street,
    /// Absent before the flop, where nobody has a hand to compare.
    pub(crate) cells: Option<Cells>,
    /// The sum of `2 · wins + ties` over the runouts, and of its square.
    pub(crate) halves: u64,
    pub(crate) squares: u64,
    pub(crate) histogram: Histogram,
    pub(crate) against: [Against; OpponentClusters::COUNT],
}

impl Features {
    /// How many bins the histogram has.
    pub const NUM_BINS: usize = 50;

    /// Counts the features of a combo on a board.
    ///
    /// That takes milliseconds after the flop. Before the flop it takes a second or so when it is first asked for, because
    /// all boards are counted for all 169 classes at once; see [`preflop_features`](crate::preflop_features) to watch
    /// that.
    ///
    /// # Errors
    /// [`AbstractionError::DuplicateCard`] if a card of the combo is on the board.
    pub fn of(combo: Combo, board: &Board) -> Result<Features, AbstractionError> {
        if let Some(card) = board.set().first_shared(combo.cards()) {
            return Err(AbstractionError::DuplicateCard { card });
        }
        if board.street() == Street::Preflop {
            let all = preflop::preflop_features(&mut ())?;
            return Ok(all[combo.class().index()].clone());
        }
        Ok(single::count(combo, board))
    }

    /// The street of the board.
    #[must_use]
    pub const fn street(&self) -> Street {
        self.street
    }

    /// How many runouts were counted.
    #[must_use]
    pub fn num_runouts(&self) -> u64 {
        num_runouts(self.street)
    }

    /// The nine cells; `None` before the flop, where nobody has a hand to compare.
    #[must_use]
    pub const fn cells(&self) -> Option<Cells> {
        self.cells
    }

    /// HS: the share of opponents that the combo beats now, ties counted half; `None` before the flop.
    #[must_use]
    pub fn hs(&self) -> Option<f64> {
        Some(Standing::of(&self.cells?).hs)
    }

    /// The all-in equity, which is the mean of the river HS over all runouts.
    #[must_use]
    pub fn equity(&self) -> f64 {
        self.halves as f64 / (self.num_runouts() * u64::from(MAX_HALVES)) as f64
    }

    /// E\[HS²\]: the mean of the square of the river HS over all runouts. Of two hands of equal equity, the one that
    /// wins big or not at all has more.
    #[must_use]
    pub fn equity_sq(&self) -> f64 {
        mean_square(self.squares, self.street)
    }

    /// The positive potential: of the opponents and runouts that the combo is behind of now, the part that it is ahead
    /// of on the river. From or to a tie is half the way and counts half. `None` before the flop; 0 if it is behind of
    /// nobody, and on the river.
    #[must_use]
    pub fn ppot(&self) -> Option<f64> {
        Some(Standing::of(&self.cells?).ppot)
    }

    /// The negative potential: of the opponents and runouts that the combo is ahead of now, the part that it is behind of
    /// on the river, ties as in [`ppot`](Features::ppot).
    #[must_use]
    pub fn npot(&self) -> Option<f64> {
        Some(Standing::of(&self.cells?).npot)
    }

    /// The distribution of the river HS: how many of the [`num_runouts`](Features::num_runouts) fall into each of 50
    /// bins.
    #[must_use]
    pub const fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// OCHS, opponent cluster hand strength: the all-in equity against each of the
    /// [`OpponentClusters`], the weakest first.
    #[must_use]
    pub fn ochs(&self) -> [f64; OpponentClusters::COUNT] {
        self.against.map(Against::equity)
    }

    /// The same numbers under the names of the first design; `None` before the flop.
    #[must_use]
    pub fn hand_strength(&self) -> Option<HandStrength> {
        Some(HandStrength {
            ehs: self.hs()? as f32,
            ehs2: self.equity() as f32,
            ppot: self.ppot()? as f32,
            npot: self.npot()? as f32,
        })
    }
}

fn sum(row: [u32; 3]) -> u64 {
    row.into_iter().map(u64::from).sum()
}

/// The fraction; 0 of nothing.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Four features under the names that the first design of this engine gave them, which literature uses for other things.
///
/// ```
/// use equipoise_abstraction::Features;
/// let features = Features::of("AhKh".parse()?, &"QsJh2h".parse()?)?;
/// let strength = features.hand_strength().unwrap();
/// assert_eq!(strength.ehs2, features.equity() as f32);
/// // A draw is worth more than it is now.
/// assert!(strength.ehs2 > strength.ehs);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HandStrength {
    /// [`Features::hs`]: the share of opponents beaten now. No expectation is taken, whatever the letter E says.
    pub ehs: f32,
    /// [`Features::equity`]: `ehs + (1 − ehs) · ppot − ehs · npot`, which is *identical* to the all-in equity. It is not
    /// E\[HS²\], which is [`Features::equity_sq`].
    pub ehs2: f32,
    /// [`Features::ppot`].
    pub ppot: f32,
    /// [`Features::npot`].
    pub npot: f32,
}
