//! Solving jam or fold by regret matching.
//!
//! CFR+ (regret matching+, alternating updates, averages weighted by the iteration) on vectors of 169 classes: an iteration is
//! two products of a 169 × 169 matrix with a vector. Every number of a solution is of its average strategy.

use std::sync::OnceLock;

use equipoise_cards::{Combo, HandClass};
use equipoise_equity::ClassTable;
use equipoise_progress::{Cancelled, Observer};

use super::PushFoldPayoffs;

pub(super) const N: usize = HandClass::COUNT;

/// A number for each class.
pub(super) type Classes = [f64; N];

/// An equilibrium of jam or fold.
#[derive(Clone, Debug, PartialEq)]
pub struct PushFoldSolution {
    jam: Box<Classes>,
    call: Box<Classes>,
    ev_jam: Box<Classes>,
    ev_call: Box<Classes>,
    ev_fold: [f64; 2],
    ev: [f64; 2],
    gains: [f64; 2],
    iterations: u32,
}

impl PushFoldSolution {
    /// How often the small blind jams a class.
    #[must_use]
    pub fn jam(&self, class: HandClass) -> f64 {
        self.jam[class.index()]
    }

    /// How often the big blind calls with a class.
    #[must_use]
    pub fn call(&self, class: HandClass) -> f64 {
        self.call[class.index()]
    }

    /// What a jam with a class is worth to the small blind.
    #[must_use]
    pub fn ev_jam(&self, class: HandClass) -> f64 {
        self.ev_jam[class.index()]
    }

    /// What a call with a class is worth to the big blind, given a jam.
    #[must_use]
    pub fn ev_call(&self, class: HandClass) -> f64 {
        self.ev_call[class.index()]
    }

    /// What a fold is worth: the small blind's, and the big blind's given a jam.
    #[must_use]
    pub const fn ev_fold(&self) -> [f64; 2] {
        self.ev_fold
    }

    /// The part of all combos that the small blind jams.
    #[must_use]
    pub fn jam_share(&self) -> f64 {
        share(&self.jam)
    }

    /// The part of all combos that the big blind calls with.
    #[must_use]
    pub fn call_share(&self) -> f64 {
        share(&self.call)
    }

    /// What the hand is worth to the small and to the big blind, counted from its start.
    #[must_use]
    pub const fn ev(&self) -> [f64; 2] {
        self.ev
    }

    /// What each player would gain by the best response: ε of an ε-equilibrium.
    #[must_use]
    pub const fn gains(&self) -> [f64; 2] {
        self.gains
    }

    /// The mean of both gains.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        (self.gains[0] + self.gains[1]) / 2.0
    }

    /// How many iterations it took.
    #[must_use]
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }
}

pub(super) fn share(frequencies: &Classes) -> f64 {
    let combos = HandClass::all().map(|class| frequencies[class.index()] * class.num_combos() as f64);
    combos.sum::<f64>() / Combo::COUNT as f64
}

/// The matchups of classes: for one combo of the row's class, the probabilities that the opponent holds the column's class and
/// that the row's class wins, and that the pot is split.
pub(super) struct Matchups {
    pub(super) holds: Vec<Classes>,
    pub(super) wins: Vec<Classes>,
    pub(super) splits: Vec<Classes>,
    /// The probability of each class.
    pub(super) dealt: Classes,
}

impl Matchups {
    pub(super) fn get() -> &'static Matchups {
        static MATCHUPS: OnceLock<Matchups> = OnceLock::new();
        MATCHUPS.get_or_init(|| {
            let table = ClassTable::shipped();
            // C(50, 2) combos of the opponent, C(48, 5) boards.
            let deals = 1225.0 * 1_712_304.0;
            let rows = |number: fn(&equipoise_equity::ClassMatchup) -> f64| -> Vec<Classes> {
                let row = |class| {
                    let mut row = [0.0; N];
                    for other in HandClass::all() {
                        row[other.index()] = number(&table.matchup(class, other)) / deals;
                    }
                    row
                };
                HandClass::all().map(row).collect()
            };
            let mut dealt = [0.0; N];
            for class in HandClass::all() {
                dealt[class.index()] = class.num_combos() as f64 / Combo::COUNT as f64;
            }
            Matchups {
                holds: rows(|matchup| f64::from(matchup.num_deals())),
                wins: rows(|matchup| f64::from(matchup.wins())),
                splits: rows(|matchup| f64::from(matchup.ties())),
                dealt,
            }
        })
    }
}

/// For one combo of each class of a player: what an all-in against a class of the opponent is worth, times how often it
/// is held.
fn all_in_values(win: f64, lose: f64, split: f64) -> Vec<Classes> {
    let matchups = Matchups::get();
    let rows = matchups.holds.iter().zip(&matchups.wins).zip(&matchups.splits);
    let value = |((holds, wins), splits): ((&Classes, &Classes), &Classes)| {
        let mut row = [0.0; N];
        for (id, value) in row.iter_mut().enumerate() {
            let losses = holds[id] - wins[id] - splits[id];
            *value = win * wins[id] + split * splits[id] + lose * losses;
        }
        row
    };
    rows.map(value).collect()
}

pub(super) fn dot(a: &Classes, b: &Classes) -> f64 {
    // Eight sums that do not wait for each other.
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

/// What a player's two actions are worth, class by class.
pub(super) struct Values {
    /// Jam or call; for the big blind times the probability of a jam.
    pub(super) play: Classes,
    /// Fold; for the big blind times the probability of a jam.
    pub(super) fold: Classes,
}

struct Game<'a> {
    payoffs: &'a PushFoldPayoffs,
    /// All-in values of the small and of the big blind.
    all_in: [Vec<Classes>; 2],
}

impl Game<'_> {
    fn new(payoffs: &PushFoldPayoffs) -> Game<'_> {
        let [small, big] = [0, 1].map(|player| {
            let (own, other) = if player == 0 {
                (payoffs.small_wins, payoffs.big_wins)
            } else {
                (payoffs.big_wins, payoffs.small_wins)
            };
            all_in_values(own[player], other[player], payoffs.split[player])
        });
        Game { payoffs, all_in: [small, big] }
    }

    /// The small blind's, against a calling range.
    fn small(&self, call: &Classes) -> Values {
        let (matchups, payoffs) = (Matchups::get(), self.payoffs);
        let mut play = [0.0; N];
        for (id, play) in play.iter_mut().enumerate() {
            let called = dot(&matchups.holds[id], call);
            *play = (1.0 - called) * payoffs.jam_fold[0] + dot(&self.all_in[0][id], call);
        }
        Values { play, fold: [payoffs.fold[0]; N] }
    }

    /// The big blind's, against a jamming range.
    fn big(&self, jam: &Classes) -> Values {
        let matchups = Matchups::get();
        let (mut play, mut fold) = ([0.0; N], [0.0; N]);
        for id in 0..N {
            play[id] = dot(&self.all_in[1][id], jam);
            fold[id] = dot(&matchups.holds[id], jam) * self.payoffs.jam_fold[1];
        }
        Values { play, fold }
    }

    /// What strategies are worth, and what each player would gain by the best response.
    fn measure(&self, jam: &Classes, call: &Classes) -> Measured {
        let matchups = Matchups::get();
        let (small, big) = (self.small(call), self.big(jam));
        let folded: f64 = (0..N).map(|id| matchups.dealt[id] * (1.0 - jam[id]) * self.payoffs.fold[1]).sum();
        let mut ev = [0.0, folded];
        let mut gains = [0.0; 2];
        for (player, (values, play)) in [(&small, jam), (&big, call)].into_iter().enumerate() {
            for (id, (dealt, play)) in matchups.dealt.iter().zip(play).enumerate() {
                let mixed = play * values.play[id] + (1.0 - play) * values.fold[id];
                ev[player] += dealt * mixed;
                gains[player] += dealt * (values.play[id].max(values.fold[id]) - mixed);
            }
        }
        Measured { small, ev, gains }
    }
}

/// The EVs of strategies, and what each player would gain by the best response.
#[cfg(test)]
pub(super) fn worth(payoffs: &PushFoldPayoffs, jam: &Classes, call: &Classes) -> [[f64; 2]; 2] {
    let measured = Game::new(payoffs).measure(jam, call);
    [measured.ev, measured.gains]
}

struct Measured {
    small: Values,
    ev: [f64; 2],
    gains: [f64; 2],
}

/// Regrets and the sum of strategies of one player, for jam or call and for fold.
pub(super) struct Learner {
    regrets: [Classes; 2],
    sums: [Classes; 2],
}

impl Learner {
    pub(super) const fn new() -> Learner {
        Learner { regrets: [[0.0; N]; 2], sums: [[0.0; N]; 2] }
    }

    /// How often each class is played now.
    pub(super) fn strategy(&self) -> Classes {
        std::array::from_fn(|id| {
            let (play, fold) = (self.regrets[0][id], self.regrets[1][id]);
            if play + fold > 0.0 { play / (play + fold) } else { 0.5 }
        })
    }

    pub(super) fn average(&self) -> Classes {
        std::array::from_fn(|id| {
            let (play, fold) = (self.sums[0][id], self.sums[1][id]);
            if play + fold > 0.0 { play / (play + fold) } else { 0.5 }
        })
    }

    pub(super) fn update(&mut self, values: &Values, weight: f64) {
        for (id, play) in self.strategy().into_iter().enumerate() {
            let mixed = play * values.play[id] + (1.0 - play) * values.fold[id];
            self.regrets[0][id] = (self.regrets[0][id] + values.play[id] - mixed).max(0.0);
            self.regrets[1][id] = (self.regrets[1][id] + values.fold[id] - mixed).max(0.0);
        }
        for (id, play) in self.strategy().into_iter().enumerate() {
            self.sums[0][id] += weight * play;
            self.sums[1][id] += weight * (1.0 - play);
        }
    }
}

/// Iterations between two checks.
const CHECK_EVERY: u32 = 50;
const MAX_ITERATIONS: u32 = 100_000;
/// The target, as a part of what is at stake.
const TARGET: f64 = 1e-7;

/// Tells the observer the iterations so far at every check.
pub(super) fn solve(
    payoffs: &PushFoldPayoffs,
    observer: &mut dyn Observer<u32>,
) -> Result<PushFoldSolution, Cancelled> {
    let game = Game::new(payoffs);
    let at_stake = [0, 1]
        .map(|player| (payoffs.fold[player] - payoffs.jam_fold[player]).abs())
        .into_iter()
        .fold(0.0, f64::max);
    let (mut small, mut big) = (Learner::new(), Learner::new());
    for iteration in 1.. {
        let weight = f64::from(iteration);
        small.update(&game.small(&big.strategy()), weight);
        big.update(&game.big(&trembling(&small.strategy())), weight);
        if iteration % CHECK_EVERY == 0 {
            let (jam, call) = (small.average(), big.average());
            let measured = game.measure(&jam, &call);
            if measured.gains[0].max(measured.gains[1]) <= TARGET * at_stake || iteration >= MAX_ITERATIONS {
                return Ok(solution(&game, jam, call, &measured, iteration));
            }
            if observer.progress(&iteration).is_break() {
                return Err(Cancelled);
            }
        }
    }
    unreachable!("it ends with the last iteration")
}

/// A range that jams every class now and then. Against a range that never jams, every answer is as good as any other, and
/// threats that nobody would carry out could keep the small blind from jamming.
fn trembling(jam: &Classes) -> Classes {
    jam.map(|frequency| frequency.max(1e-9))
}

fn solution(
    game: &Game<'_>,
    jam: Classes,
    call: Classes,
    measured: &Measured,
    iterations: u32,
) -> PushFoldSolution {
    let (matchups, payoffs) = (Matchups::get(), game.payoffs);
    let trembling = trembling(&jam);
    let mut ev_call = game.big(&trembling).play;
    for (id, ev) in ev_call.iter_mut().enumerate() {
        *ev /= dot(&matchups.holds[id], &trembling);
    }
    PushFoldSolution {
        jam: Box::new(jam),
        call: Box::new(call),
        ev_jam: Box::new(measured.small.play),
        ev_call: Box::new(ev_call),
        ev_fold: [payoffs.fold[0], payoffs.jam_fold[1]],
        ev: measured.ev,
        gains: measured.gains,
        iterations,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PushFold, PushFoldStakes};
    use super::*;

    fn solved(stack: f64) -> PushFoldSolution {
        PushFold::new(&PushFoldStakes::of_stack(stack)).unwrap().solve()
    }

    /// Stack, jam %, call %, EV of the small blind: known numbers.
    const KNOWN: [(f64, f64, f64, f64); 4] = [
        (3.0, 77.982, 92.273, 0.051_591),
        (5.0, 71.485, 62.065, 0.056_201),
        (10.0, 58.293, 37.375, -0.045_371),
        (20.0, 40.237, 21.725, -0.183_190),
    ];

    #[test]
    fn known_equilibria() {
        for (stack, jam, call, ev) in KNOWN {
            let found = solved(stack);
            assert!(found.exploitability() < 1e-6, "{stack}: {}", found.exploitability());
            assert!((found.ev()[0] - ev).abs() < 2e-6, "{stack}: {}", found.ev()[0]);
            assert!((found.ev()[0] + found.ev()[1]).abs() < 1e-12, "{stack}");
            assert!((100.0 * found.jam_share() - jam).abs() < 0.3, "{stack}: {}", found.jam_share());
            assert!((100.0 * found.call_share() - call).abs() < 0.3, "{stack}: {}", found.call_share());
        }
    }

    /// The same game over 1,326 combos, with sums over every pair of disjoint combos instead of class counts.
    #[test]
    fn values_as_combo_by_combo() {
        let found = solved(8.0);
        let table = ClassTable::shipped();
        for hero in ["AhKd", "7h2c", "9s9d", "Tc9c"] {
            let hero: Combo = hero.parse().unwrap();
            let (mut ev, mut pairs) = (0.0, 0.0);
            for villain in Combo::all().filter(|villain| !villain.cards().intersects(hero.cards())) {
                let call = found.call(villain.class());
                // The mean of the class stands for the combo: the classes are summed over whole.
                let equity = table.matchup(hero.class(), villain.class()).equity();
                ev += call * (2.0 * equity - 1.0) * 8.0 + (1.0 - call);
                pairs += 1.0;
            }
            assert!((ev / pairs - found.ev_jam(hero.class())).abs() < 1e-9, "{hero}");
        }
    }

    #[test]
    fn antes_blinds_and_unequal_stacks() {
        let stakes = PushFoldStakes { small_blind: 0.5, big_blind: 1.0, ante: 0.125, stacks: [10.0, 10.0] };
        let with_ante = PushFold::new(&stakes).unwrap().solve();
        assert!(with_ante.exploitability() < 1e-6);
        assert!(with_ante.jam_share() > solved(10.0).jam_share() + 0.03, "more to win");
        // Everything ten times as large is the same game.
        let large = PushFoldStakes { small_blind: 5.0, big_blind: 10.0, ante: 1.25, stacks: [100.0, 300.0] };
        let large = PushFold::new(&large).unwrap().solve();
        assert!((large.ev()[0] - 10.0 * with_ante.ev()[0]).abs() < 1e-5);
        // Less than a big blind: the big blind is all-in and never folds.
        let short = solved(0.8);
        assert!(short.call_share() > 0.999_9 && short.exploitability() < 1e-6);
    }

    #[test]
    fn bad_stakes() {
        let bad = |stakes: PushFoldStakes| PushFold::new(&stakes).unwrap_err().to_string();
        let good = PushFoldStakes::of_stack(10.0);
        assert!(bad(PushFoldStakes { ante: -0.1, ..good }).starts_with("the ante of -0.1 must be 0 or more"));
        assert!(bad(PushFoldStakes { stacks: [10.0, f64::NAN], ..good }).starts_with("the stack of NaN"));
        assert!(
            bad(PushFoldStakes { big_blind: 0.0, ..good }).starts_with("the big blind of 0 must be above 0")
        );
        assert!(bad(PushFoldStakes { small_blind: 2.0, ..good }).contains("larger than the big blind"));
        assert!(bad(PushFoldStakes::of_stack(0.5)).contains("nothing to decide"));
    }
}
