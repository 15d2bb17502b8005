//! Weighted means, added up board by board.

use equipoise_documents::batch::{FlopRow, Mean, PlayerNumbers};
use equipoise_documents::{Both, UnitDocument};

/// A sum of values, and of the weights of those that were there.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    weight: f64,
}

impl Sum {
    fn add(&mut self, weight: f64, value: Option<f64>) {
        if let Some(value) = value {
            *self = Sum { sum: self.sum + weight * value, weight: self.weight + weight };
        }
    }

    fn merge(&mut self, other: Sum) {
        *self = Sum { sum: self.sum + other.sum, weight: self.weight + other.weight };
    }

    fn mean(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// Equity and EV of a player.
#[derive(Clone, Copy, Debug, Default)]
struct PlayerSums {
    equity: Sum,
    ev: Sum,
}

/// The numbers of a decision on one board.
#[derive(Clone, Debug)]
pub(super) struct BoardNumbers {
    /// How often play gets there when the cards come.
    pub(super) probability: f64,
    /// By action.
    pub(super) frequencies: Vec<f64>,
    pub(super) players: Both<PlayerNumbers>,
}

impl From<&FlopRow> for BoardNumbers {
    fn from(row: &FlopRow) -> BoardNumbers {
        let FlopRow { probability, frequencies, players, .. } = row;
        BoardNumbers { probability: *probability, frequencies: frequencies.clone(), players: *players }
    }
}

impl From<Mean> for BoardNumbers {
    fn from(mean: Mean) -> BoardNumbers {
        let Mean { probability, frequencies, players, .. } = mean;
        BoardNumbers { probability, frequencies, players }
    }
}

/// The sums behind means of boards.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    flops: usize,
    weight: f64,
    probability: Sum,
    frequencies: Vec<Sum>,
    players: [PlayerSums; 2],
}

impl Sums {
    /// Adds a board that stands for `weight` flops and counts `counts`.
    pub(super) fn add(&mut self, weight: f64, counts: f64, board: &BoardNumbers) {
        let BoardNumbers { probability, frequencies, players } = board;
        self.weight += weight;
        self.probability.add(counts, Some(*probability));
        let counts = counts * probability;
        self.frequencies.resize(self.frequencies.len().max(frequencies.len()), Sum::default());
        for (sum, &frequency) in self.frequencies.iter_mut().zip(frequencies) {
            sum.add(counts, Some(frequency));
        }
        for (sums, player) in self.players.iter_mut().zip([&players.oop, &players.ip]) {
            sums.equity.add(counts, player.equity);
            sums.ev.add(counts, player.ev);
        }
    }

    /// Whether no board was added.
    pub(super) fn is_empty(&self) -> bool {
        self.weight == 0.0
    }

    /// The boards so far are those of one flop.
    pub(super) fn of_one_flop(mut self) -> Sums {
        self.flops = 1;
        self
    }

    /// Adds what was added elsewhere.
    pub(super) fn merge(&mut self, other: &Sums) {
        self.flops += other.flops;
        self.weight += other.weight;
        self.probability.merge(other.probability);
        self.frequencies.resize(self.frequencies.len().max(other.frequencies.len()), Sum::default());
        self.frequencies.iter_mut().zip(&other.frequencies).for_each(|(sum, other)| sum.merge(*other));
        for (sums, other) in self.players.iter_mut().zip(&other.players) {
            sums.equity.merge(other.equity);
            sums.ev.merge(other.ev);
        }
    }

    /// The means, for a decision with this many actions and this pot, where EVs have this unit. Prizes have no EQR.
    pub(super) fn mean(&self, num_actions: usize, (pot, unit): (f64, UnitDocument)) -> Mean {
        let player = |sums: &PlayerSums| {
            let (equity, ev) = (sums.equity.mean(), sums.ev.mean());
            let fair = equity.map(|equity| equity * pot);
            let fair = fair.filter(|&fair| fair > 0.0 && unit == UnitDocument::Chips);
            PlayerNumbers { equity, ev, eqr: ev.zip(fair).map(|(ev, fair)| ev / fair) }
        };
        let frequency =
            |action: usize| self.frequencies.get(action).and_then(|sum| sum.mean()).unwrap_or(0.0);
        let [oop, ip] = &self.players;
        Mean {
            flops: self.flops,
            weight: self.weight,
            probability: self.probability.mean().unwrap_or(0.0),
            frequencies: (0..num_actions).map(frequency).collect(),
            players: Both { oop: player(oop), ip: player(ip) },
        }
    }
}
