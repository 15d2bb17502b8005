//! Means of rows, and rows that have something in common.

use std::str::FromStr;

use equipoise_cards::Rank;
use equipoise_documents::Both;
use serde::Serialize;

use super::{FlopRow, PlayerNumbers, SpotAggregate};

/// What rows are put together by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum By {
    /// Each flop alone.
    Flop,
    /// Rainbow, two-tone, monotone.
    Suits,
    /// Unpaired, paired, trips.
    Pairing,
    /// The highest card.
    HighCard,
    /// What straights there can be.
    Connectedness,
}

impl By {
    /// Every way.
    pub const ALL: [By; 5] = [By::Flop, By::Suits, By::Pairing, By::HighCard, By::Connectedness];
    /// The ways that put several flops together.
    pub const TEXTURES: [By; 4] = [By::Suits, By::Pairing, By::HighCard, By::Connectedness];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            By::Flop => "flop",
            By::Suits => "suits",
            By::Pairing => "pairing",
            By::HighCard => "high-card",
            By::Connectedness => "connectedness",
        }
    }

    fn of(self, row: &FlopRow) -> &str {
        match self {
            By::Flop => &row.board,
            By::Suits => &row.suits,
            By::Pairing => &row.pairing,
            By::HighCard => &row.high,
            By::Connectedness => &row.connectedness,
        }
    }

    /// The place of a group among all, as players would list them.
    fn order(self, name: &str) -> usize {
        let words: &[&str] = match self {
            By::Suits => &["rainbow", "two-tone", "monotone"],
            By::Pairing => &["unpaired", "paired", "trips"],
            By::Connectedness => &["connected", "semi-connected", "disconnected"],
            By::HighCard => {
                let rank = name.chars().next().and_then(Rank::from_char);
                return rank.map_or(usize::MAX, |rank| Rank::COUNT - rank.index());
            }
            By::Flop => return 0,
        };
        words.iter().position(|&word| word == name).unwrap_or(words.len())
    }
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<By, String> {
        By::ALL
            .into_iter()
            .find(|by| by.name() == text)
            .ok_or_else(|| format!("write one of {}", By::ALL.map(By::name).join(", ")))
    }
}

/// Weighted means of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Mean {
    /// How many flops there are.
    pub flops: usize,
    /// What they count together.
    pub weight: f64,
    /// How often play gets to the decision.
    pub probability: f64,
    /// How often the range takes each action.
    pub frequencies: Vec<f64>,
    /// OOP and IP.
    pub players: Both<PlayerNumbers>,
}

/// A sum of values, and of the weights of those that were there.
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    weight: f64,
}

impl Sum {
    fn of(values: impl Iterator<Item = (f64, Option<f64>)>) -> Sum {
        values.fold(Sum::default(), |sum, (weight, value)| match value {
            Some(value) => Sum { sum: sum.sum + weight * value, weight: sum.weight + weight },
            None => sum,
        })
    }

    fn mean(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

impl Mean {
    /// The means of rows: each counts by its weight, and if wanted by its deals too.
    #[must_use]
    pub fn of(rows: &[&FlopRow], num_actions: usize, pot: f64, by_deals: bool) -> Mean {
        let counts = |row: &FlopRow| row.weight * if by_deals { row.deals } else { 1.0 };
        let mean = |value: &dyn Fn(&FlopRow) -> Option<f64>| {
            Sum::of(rows.iter().map(|row| (counts(row) * row.probability, value(row)))).mean()
        };
        let probability = Sum::of(rows.iter().map(|row| (counts(row), Some(row.probability)))).mean();
        let player = |of: fn(&FlopRow) -> &PlayerNumbers| {
            let (equity, ev) = (mean(&|row| of(row).equity), mean(&|row| of(row).ev));
            let fair = equity.map(|equity| equity * pot).filter(|&fair| fair > 0.0);
            PlayerNumbers { equity, ev, eqr: ev.zip(fair).map(|(ev, fair)| ev / fair) }
        };
        let frequency = |action: usize| mean(&|row| row.frequencies.get(action).copied()).unwrap_or(0.0);
        Mean {
            flops: rows.len(),
            weight: rows.iter().map(|row| row.weight).sum(),
            probability: probability.unwrap_or(0.0),
            frequencies: (0..num_actions).map(frequency).collect(),
            players: Both { oop: player(|row| &row.players.oop), ip: player(|row| &row.players.ip) },
        }
    }
}

/// Rows that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// Their averages.
    #[serde(flatten)]
    pub mean: Mean,
}

impl SpotAggregate {
    /// The greatest exploitability of any flop, in percent of the starting pot: no strategy here is further off.
    #[must_use]
    pub fn worst_exploitability_pct(&self) -> f64 {
        self.flops.iter().map(|row| row.exploitability_pct).fold(0.0, f64::max)
    }

    /// Groups of flops, each counted by class size; in the order in which players would list them.
    #[must_use]
    pub fn groups(&self, by: By) -> Vec<Group> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.flops {
            let name = by.of(row);
            if by == By::Flop || !names.contains(&name) {
                names.push(name);
            }
        }
        names.sort_by_key(|name| by.order(name));
        let group = |name: &str| {
            let rows: Vec<&FlopRow> = self.flops.iter().filter(|row| by.of(row) == name).collect();
            Group { name: name.to_owned(), mean: Mean::of(&rows, self.actions.len(), self.pot, false) }
        };
        names.into_iter().map(group).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flop(board: &str, weight: f64, deals: f64, probability: f64, bet: f64, ev: Option<f64>) -> FlopRow {
        let numbers = PlayerNumbers { equity: Some(0.5), ev, eqr: None };
        let texture = equipoise_cards::FlopTexture::of(&board.parse().unwrap()).unwrap();
        FlopRow {
            id: "0123456789abcdef".parse().unwrap(),
            board: board.to_owned(),
            weight,
            deals,
            probability,
            suits: texture.suits.to_string(),
            pairing: texture.pairing.to_string(),
            high: texture.high.to_string(),
            connectedness: texture.connectedness.to_string(),
            frequencies: vec![1.0 - bet, bet],
            players: Both { oop: numbers, ip: numbers },
            exploitability_pct: 0.0,
        }
    }

    /// Worked out by hand.
    #[test]
    fn means_count_flops_by_size_reach_and_deals() {
        let rows = [
            flop("As7d2c", 24.0, 10.0, 1.0, 0.2, Some(10.0)),
            flop("KhKd4s", 12.0, 40.0, 0.5, 0.8, Some(40.0)),
            flop("8s5s3s", 4.0, 10.0, 0.0, 0.9, None),
        ];
        let rows: Vec<&FlopRow> = rows.iter().collect();
        let mean = Mean::of(&rows, 2, 100.0, false);
        assert_eq!((mean.flops, mean.weight), (3, 40.0));
        // (24·1 + 12·0.5 + 4·0) / 40.
        assert!((mean.probability - 0.75).abs() < 1e-12);
        // (24·0.2 + 6·0.8) / 30: where play does not get, nothing is played.
        assert!((mean.frequencies[1] - 0.32).abs() < 1e-12);
        assert!((mean.players.oop.ev.unwrap() - (240.0 + 240.0) / 30.0).abs() < 1e-12);
        assert!((mean.players.oop.eqr.unwrap() - 16.0 / 50.0).abs() < 1e-12);
        let by_deals = Mean::of(&rows, 2, 100.0, true);
        // (240·0.2 + 240·0.8) / 480.
        assert!((by_deals.frequencies[1] - 0.5).abs() < 1e-12);
        let none = Mean::of(&[], 2, 100.0, false);
        assert_eq!((none.players.oop.ev, none.probability), (None, 0.0));
    }

    #[test]
    fn groups_come_in_the_order_of_players() {
        let flops =
            ["8s5s3s", "As7d2c", "KhKd4s", "Ah7h2c"].map(|board| flop(board, 1.0, 1.0, 1.0, 0.5, None));
        let rows: Vec<&FlopRow> = flops.iter().collect();
        let total = Mean::of(&rows, 2, 100.0, false);
        let spot = SpotAggregate {
            spot: "spot".to_owned(),
            player: None,
            pot: 100.0,
            actions: vec!["check".to_owned(), "bet:50".to_owned()],
            planned: 4,
            total_by_deals: total.clone(),
            total,
            flops: flops.to_vec(),
        };
        let names = |by| spot.groups(by).into_iter().map(|group| group.name).collect::<Vec<String>>();
        assert_eq!(names(By::Suits), ["rainbow", "two-tone", "monotone"]);
        assert_eq!(names(By::Pairing), ["unpaired", "paired"]);
        assert_eq!(names(By::HighCard), ["A", "K", "8"]);
        assert_eq!(names(By::Connectedness), ["semi-connected", "disconnected"]);
        assert_eq!(names(By::Flop), ["8s5s3s", "As7d2c", "KhKd4s", "Ah7h2c"]);
        assert_eq!(spot.groups(By::HighCard)[0].mean.flops, 2);
        assert_eq!("high-card".parse(), Ok(By::HighCard));
        assert!("rank".parse::<By>().is_err());
    }
}
