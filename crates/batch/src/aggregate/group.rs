//! Means of rows, and rows that have something in common.

use std::str::FromStr;

use equipoise_cards::Rank;
use equipoise_documents::batch::{FlopRow, Group, Mean, PlayerNumbers, SpotAggregate};
use equipoise_documents::{Both, UnitDocument};

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

/// The means of rows: each counts by its weight, and if wanted by its deals too.
pub(super) fn mean(
    rows: &[&FlopRow],
    num_actions: usize,
    (pot, unit): (f64, UnitDocument),
    by_deals: bool,
) -> Mean {
    let counts = |row: &FlopRow| row.weight * if by_deals { row.deals } else { 1.0 };
    let average = |value: &dyn Fn(&FlopRow) -> Option<f64>| {
        Sum::of(rows.iter().map(|row| (counts(row) * row.probability, value(row)))).mean()
    };
    let probability = Sum::of(rows.iter().map(|row| (counts(row), Some(row.probability)))).mean();
    let player = |of: fn(&FlopRow) -> &PlayerNumbers| {
        let (equity, ev) = (average(&|row| of(row).equity), average(&|row| of(row).ev));
        let fair = equity.map(|equity| equity * pot);
        let fair = fair.filter(|&fair| fair > 0.0 && unit == UnitDocument::Chips);
        PlayerNumbers { equity, ev, eqr: ev.zip(fair).map(|(ev, fair)| ev / fair) }
    };
    let frequency = |action: usize| average(&|row| row.frequencies.get(action).copied()).unwrap_or(0.0);
    Mean {
        flops: rows.len(),
        weight: rows.iter().map(|row| row.weight).sum(),
        probability: probability.unwrap_or(0.0),
        frequencies: (0..num_actions).map(frequency).collect(),
        players: Both { oop: player(|row| &row.players.oop), ip: player(|row| &row.players.ip) },
    }
}

impl By {
    /// Groups of a spot's flops, each counted by class size; in the order in which players would list them.
    #[must_use]
    pub fn groups(self, spot: &SpotAggregate) -> Vec<Group> {
        let mut names: Vec<&str> = Vec::new();
        for row in &spot.flops {
            let name = self.of(row);
            if self == By::Flop || !names.contains(&name) {
                names.push(name);
            }
        }
        names.sort_by_key(|name| self.order(name));
        let group = |name: &str| {
            let rows: Vec<&FlopRow> = spot.flops.iter().filter(|row| self.of(row) == name).collect();
            Group {
                name: name.to_owned(),
                mean: mean(&rows, spot.actions.len(), (spot.pot, spot.unit), false),
            }
        };
        names.into_iter().map(group).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHIPS: (f64, UnitDocument) = (100.0, UnitDocument::Chips);

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
        let found = mean(&rows, 2, CHIPS, false);
        assert_eq!((found.flops, found.weight), (3, 40.0));
        // (24·1 + 12·0.5 + 4·0) / 40.
        assert!((found.probability - 0.75).abs() < 1e-12);
        // (24·0.2 + 6·0.8) / 30: where play does not get, nothing is played.
        assert!((found.frequencies[1] - 0.32).abs() < 1e-12);
        assert!((found.players.oop.ev.unwrap() - (240.0 + 240.0) / 30.0).abs() < 1e-12);
        assert!((found.players.oop.eqr.unwrap() - 16.0 / 50.0).abs() < 1e-12);
        let by_deals = mean(&rows, 2, CHIPS, true);
        // (240·0.2 + 240·0.8) / 480.
        assert!((by_deals.frequencies[1] - 0.5).abs() < 1e-12);
        // Prizes are no share of a pot.
        let prizes = mean(&rows, 2, (100.0, UnitDocument::Prizes), false);
        assert_eq!((prizes.players.oop.ev, prizes.players.oop.eqr), (found.players.oop.ev, None));
        let none = mean(&[], 2, CHIPS, false);
        assert_eq!((none.players.oop.ev, none.probability), (None, 0.0));
    }

    #[test]
    fn groups_come_in_the_order_of_players() {
        let flops =
            ["8s5s3s", "As7d2c", "KhKd4s", "Ah7h2c"].map(|board| flop(board, 1.0, 1.0, 1.0, 0.5, None));
        let rows: Vec<&FlopRow> = flops.iter().collect();
        let total = mean(&rows, 2, CHIPS, false);
        let spot = SpotAggregate {
            spot: "spot".to_owned(),
            player: None,
            pot: 100.0,
            unit: UnitDocument::Chips,
            actions: vec!["check".to_owned(), "bet:50".to_owned()],
            planned: 4,
            total_by_deals: total.clone(),
            total,
            flops: flops.to_vec(),
        };
        let names = |by| By::groups(by, &spot).into_iter().map(|group| group.name).collect::<Vec<String>>();
        assert_eq!(names(By::Suits), ["rainbow", "two-tone", "monotone"]);
        assert_eq!(names(By::Pairing), ["unpaired", "paired"]);
        assert_eq!(names(By::HighCard), ["A", "K", "8"]);
        assert_eq!(names(By::Connectedness), ["semi-connected", "disconnected"]);
        assert_eq!(names(By::Flop), ["8s5s3s", "As7d2c", "KhKd4s", "Ah7h2c"]);
        assert_eq!(By::HighCard.groups(&spot)[0].mean.flops, 2);
        assert_eq!("high-card".parse(), Ok(By::HighCard));
        assert!("rank".parse::<By>().is_err());
    }
}
