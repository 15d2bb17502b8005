//! Solving a table by regret matching.

use equipoise_cards::HandClass;
use equipoise_progress::Observer;

use super::super::solve::{Classes, Learner, Matchups, N, share};
use super::evaluate::{Game, Values};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct MultiwayOptions {
    /// The largest gain of a player to stop at, as a part of what the blinds and antes are worth.
    pub target: f64,
    /// The most iterations.
    pub max_iterations: u32,
}

impl Default for MultiwayOptions {
    fn default() -> MultiwayOptions {
        MultiwayOptions { target: 1e-5, max_iterations: 2000 }
    }
}

/// How far a solve is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MultiwayProgress {
    /// Iterations done.
    pub iterations: u32,
    /// The largest gain of a player at the last check, in the unit of the payoffs; infinite before it.
    pub epsilon: f64,
    /// What it should come down to.
    pub target: f64,
}

impl MultiwayProgress {
    /// About how much of the work is done, from 0 to 1: by the iterations that are allowed, or by how far ε has come down.
    #[must_use]
    pub fn fraction(&self, max_iterations: u32) -> f64 {
        let by_iterations = f64::from(self.iterations) / f64::from(max_iterations);
        // It comes down by some four powers of ten.
        let left = (self.epsilon / self.target).log10() / 4.0;
        let by_epsilon = if left.is_finite() { 1.0 - left } else { 0.0 };
        by_iterations.max(by_epsilon).clamp(0.0, 1.0)
    }
}

/// An ε-equilibrium of jam or fold at a table.
#[derive(Clone, Debug, PartialEq)]
pub struct MultiwaySolution {
    pub(super) decisions: Vec<TableDecision>,
    ev: Vec<f64>,
    gains: Vec<f64>,
    iterations: u32,
    converged: bool,
}

/// What a player does after given all-ins.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDecision {
    seat: usize,
    all_in: u16,
    pub(super) plays: Box<Classes>,
    ev_play: Box<Classes>,
    ev_fold: Box<Classes>,
    reach: f64,
}

impl TableDecision {
    /// Who acts, counted from the first to act.
    #[must_use]
    pub const fn seat(&self) -> usize {
        self.seat
    }

    /// The seats that are all-in before.
    pub fn all_in(&self) -> impl Iterator<Item = usize> {
        let all_in = self.all_in;
        (0..self.seat).filter(move |seat| all_in >> seat & 1 == 1)
    }

    /// How often a class goes all-in.
    #[must_use]
    pub fn play(&self, class: HandClass) -> f64 {
        self.plays[class.index()]
    }

    /// The part of all combos that goes all-in.
    #[must_use]
    pub fn share(&self) -> f64 {
        share(&self.plays)
    }

    /// What going all-in is worth to a class, given that the decision is reached.
    #[must_use]
    pub fn ev_play(&self, class: HandClass) -> f64 {
        self.ev_play[class.index()]
    }

    /// What folding is worth to a class, given that the decision is reached.
    #[must_use]
    pub fn ev_fold(&self, class: HandClass) -> f64 {
        self.ev_fold[class.index()]
    }

    /// How often the decision is reached.
    #[must_use]
    pub const fn reach(&self) -> f64 {
        self.reach
    }
}

impl MultiwaySolution {
    /// The decisions, player by player.
    #[must_use]
    pub fn decisions(&self) -> &[TableDecision] {
        &self.decisions
    }

    /// What the hand is worth to each player: chips won from its start, or prizes.
    #[must_use]
    pub fn ev(&self) -> &[f64] {
        &self.ev
    }

    /// What each player would gain by the best response.
    #[must_use]
    pub fn gains(&self) -> &[f64] {
        &self.gains
    }

    /// The largest gain: ε of this ε-equilibrium.
    #[must_use]
    pub fn epsilon(&self) -> f64 {
        self.gains.iter().copied().fold(0.0, f64::max)
    }

    /// How many iterations it took.
    #[must_use]
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Whether the target was reached.
    #[must_use]
    pub const fn converged(&self) -> bool {
        self.converged
    }
}

const CHECK_EVERY: u32 = 20;

/// Frequencies this near to never or always are taken as such: what the first iterations left behind.
const PURE: f64 = 1e-3;

pub(super) fn solve(
    game: &Game<'_>,
    options: &MultiwayOptions,
    observer: &mut dyn Observer<MultiwayProgress>,
) -> MultiwaySolution {
    let num_players = game.num_players();
    // What the blinds and antes are worth to whom they go.
    let at_stake = (0..num_players)
        .map(|seat| (game.end(1 << (num_players - 2), 0)[seat] - game.end(0, 0)[seat]).abs())
        .fold(0.0, f64::max);
    let target = options.target * at_stake;
    let mut learners: Vec<Learner> = game.decisions.iter().map(|_| Learner::new()).collect();
    let mut profile = game.profile(learners.iter().map(Learner::strategy).collect());
    let mut epsilon = f64::INFINITY;
    for iteration in 1.. {
        let weight = f64::from(iteration) * f64::from(iteration);
        for seat in 0..num_players {
            for (id, values) in game.values(seat, &mut profile) {
                learners[id].update(&values.into(), weight);
                profile.set(id, never_silent(learners[id].strategy()));
            }
        }
        let is_last = iteration >= options.max_iterations;
        let mut is_over =
            observer.progress(&MultiwayProgress { iterations: iteration, epsilon, target }).is_break();
        is_over |= observer.is_cancelled();
        if iteration % CHECK_EVERY == 0 || is_last || is_over {
            let found = measure(game, &learners, iteration);
            epsilon = found.epsilon();
            if epsilon <= target || is_last || is_over {
                return MultiwaySolution { converged: epsilon <= target, ..found };
            }
        }
    }
    unreachable!("it ends with the last iteration")
}

/// A range that plays now and then. Answers to a range that never plays are as good as any other, and threats that nobody would
/// carry out could keep a player from going all-in.
fn never_silent(plays: Classes) -> Classes {
    if share(&plays) < 1e-9 { [1e-9; N] } else { plays }
}

/// The average strategies, what they are worth, and what each player would gain by the best response.
fn measure(game: &Game<'_>, learners: &[Learner], iterations: u32) -> MultiwaySolution {
    let dealt = &Matchups::get().dealt;
    let plays: Vec<Classes> = learners
        .iter()
        .map(|learner| {
            learner.average().map(|play| match play {
                low if low < PURE => 0.0,
                high if high > 1.0 - PURE => 1.0,
                part => part,
            })
        })
        .collect();
    let mut profile = game.profile(plays.clone());
    // What is never reached is valued as if every hand got there now and then.
    let mut trembling = None;
    let num_players = game.num_players();
    let (mut ev, mut gains, mut decisions) = (vec![0.0; num_players], vec![0.0; num_players], Vec::new());
    for seat in 0..num_players {
        for (id, values) in game.values(seat, &mut profile) {
            let mut reached = 0.0;
            for class in 0..N {
                let (play, fold, often) = (values.play[class], values.fold[class], plays[id][class]);
                let mixed = often * play + (1.0 - often) * fold;
                ev[seat] += dealt[class] * mixed;
                gains[seat] += dealt[class] * (play.max(fold) - mixed);
                reached += dealt[class] * values.reach[class];
            }
            let shown = if reached > 1e-12 {
                values
            } else {
                let profile = trembling.get_or_insert_with(|| {
                    game.profile(plays.iter().map(|plays| never_silent(*plays)).collect())
                });
                game.values(seat, profile)
                    .into_iter()
                    .find(|(found, _)| *found == id)
                    .map_or(values, |found| found.1)
            };
            decisions.push(shown_decision(game, id, &plays[id], &shown, reached));
        }
    }
    let walk = game.walk(&mut profile);
    ev[num_players - 1] += (0..N).map(|class| dealt[class] * walk[class]).sum::<f64>();
    MultiwaySolution { decisions, ev, gains, iterations, converged: false }
}

fn shown_decision(game: &Game<'_>, id: usize, plays: &Classes, values: &Values, reach: f64) -> TableDecision {
    let given = |sums: &Classes| {
        Box::new(std::array::from_fn(|class| match values.reach[class] {
            reach if reach > 0.0 => sums[class] / reach,
            _ => f64::NAN,
        }))
    };
    TableDecision {
        seat: game.decisions[id].seat,
        all_in: game.decisions[id].all_in,
        plays: Box::new(*plays),
        ev_play: given(&values.play),
        ev_fold: given(&values.fold),
        reach,
    }
}

impl From<Values> for super::super::solve::Values {
    fn from(values: Values) -> super::super::solve::Values {
        super::super::solve::Values { play: values.play, fold: values.fold }
    }
}
