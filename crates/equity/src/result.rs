//! Results.

use std::time::Duration;

use equipoise_cards::{Combo, HandClass};

/// How an equity was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// Every deal was counted.
    Exact,
    /// Deals were sampled.
    MonteCarlo,
}

/// The equities of all players.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Equity {
    /// How they were found.
    pub mode: Mode,
    /// How many deals were counted or sampled, each as one whatever its weight.
    pub deals: u128,
    /// The largest standard error of the players' equities; 0 if exact.
    pub std_error: f64,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether the observer ended sampling before its goal.
    pub interrupted: bool,
    /// One entry for each player.
    pub players: Vec<PlayerEquity>,
    /// The weight of the deals by the set of players who win or share; empty above [`Equity::MAX_OUTCOME_PLAYERS`].
    pub outcomes: Vec<WinnerSet>,
}

impl Equity {
    /// The most players for whom outcomes are listed.
    pub const MAX_OUTCOME_PLAYERS: usize = 8;
}

/// A set of players who win or share, and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WinnerSet {
    /// Bit `i` is set if player `i` wins or shares.
    pub winners: u32,
    /// The weight of these deals; their number if all weights are 1.
    pub weight: f64,
}

/// One player's equity.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlayerEquity {
    /// How many combos the player may hold once board, dead and other players' known cards are removed.
    pub combos: usize,
    /// The expected share of the pot, 0 to 1: a tie of k players pays 1/k to each.
    pub equity: f64,
    /// The probability of winning alone.
    pub win: f64,
    /// The probability of sharing.
    pub tie: f64,
    /// The standard error of the equity; 0 if exact.
    pub std_error: f64,
    /// The same by combo, in the order of the index, if it was asked for; combos that are never dealt are left out.
    pub by_combo: Vec<ComboEquity>,
}

/// The equity of one combo of a player.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ComboEquity {
    /// The combo.
    pub combo: Combo,
    /// The probability that the player holds it.
    pub probability: f64,
    /// The expected share of the pot when the player holds it.
    pub equity: f64,
    /// The probability of winning alone when the player holds it.
    pub win: f64,
    /// The probability of sharing when the player holds it.
    pub tie: f64,
}

/// The equity of one class of a player's combos.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ClassEquity {
    /// The class.
    pub class: HandClass,
    /// The probability that the player holds a combo of it.
    pub probability: f64,
    /// The expected share of the pot when the player holds one.
    pub equity: f64,
    /// The probability of winning alone when the player holds one.
    pub win: f64,
    /// The probability of sharing when the player holds one.
    pub tie: f64,
}

impl PlayerEquity {
    /// The equities by combo gathered into classes, in the order of the grid.
    #[must_use]
    pub fn by_class(&self) -> Vec<ClassEquity> {
        let mut sums = [[0.0; 4]; HandClass::COUNT];
        for c in &self.by_combo {
            let sum = &mut sums[c.combo.class().index()];
            for (sum, share) in sum.iter_mut().zip([1.0, c.equity, c.win, c.tie]) {
                *sum += c.probability * share;
            }
        }
        HandClass::all()
            .zip(sums)
            .filter(|(_, sums)| sums[0] > 0.0)
            .map(|(class, [probability, equity, win, tie])| ClassEquity {
                class,
                probability,
                equity: equity / probability,
                win: win / probability,
                tie: tie / probability,
            })
            .collect()
    }
}
