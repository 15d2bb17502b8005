//! Means of rows, and rows or runouts that have something in common.

use std::str::FromStr;

use equipoise_cards::Rank;
use equipoise_documents::UnitDocument;
use equipoise_documents::batch::{AverageGroup, CardGroups, FlopRow, Mean, SpotAggregate};

use super::sums::{BoardNumbers, Sums};

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
    /// How many cards of its suit the last card finds.
    CardSuit,
    /// Whether the last card pairs the board.
    CardPairing,
    /// Whether the last card makes straights possible.
    CardStraights,
    /// Whether the last card stands above, among or below the others.
    CardHeight,
    /// The rank of the last card.
    CardRank,
}

impl By {
    /// Every way.
    pub const ALL: [By; 10] = [
        By::Flop,
        By::Suits,
        By::Pairing,
        By::HighCard,
        By::Connectedness,
        By::CardSuit,
        By::CardPairing,
        By::CardStraights,
        By::CardHeight,
        By::CardRank,
    ];
    /// The ways that put several flops together.
    pub const TEXTURES: [By; 4] = [By::Suits, By::Pairing, By::HighCard, By::Connectedness];
    /// The ways that put runouts together, by what the last card changes.
    pub const CARDS: [By; 5] =
        [By::CardSuit, By::CardPairing, By::CardStraights, By::CardHeight, By::CardRank];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            By::Flop => "flop",
            By::Suits => "suits",
            By::Pairing => "pairing",
            By::HighCard => "high-card",
            By::Connectedness => "connectedness",
            By::CardSuit => "card-suit",
            By::CardPairing => "card-pairing",
            By::CardStraights => "card-straights",
            By::CardHeight => "card-height",
            By::CardRank => "card-rank",
        }
    }

    fn of(self, row: &FlopRow) -> &str {
        match self {
            By::Suits => &row.suits,
            By::Pairing => &row.pairing,
            By::HighCard => &row.high,
            By::Connectedness => &row.connectedness,
            _ => &row.board,
        }
    }

    /// Of a way that puts runouts together, its groups.
    fn of_cards(self, groups: &CardGroups) -> Option<&Vec<AverageGroup>> {
        match self {
            By::CardSuit => Some(&groups.suit),
            By::CardPairing => Some(&groups.pairing),
            By::CardStraights => Some(&groups.straights),
            By::CardHeight => Some(&groups.height),
            By::CardRank => Some(&groups.rank),
            _ => None,
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
            _ => return 0,
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

/// The means of rows: each counts by its weight, and if wanted by its deals too.
pub(super) fn mean(rows: &[&FlopRow], num_actions: usize, pot: (f64, UnitDocument), by_deals: bool) -> Mean {
    let mut sums = Sums::default();
    for row in rows {
        let mut one = Sums::default();
        one.add(row.weight, row.weight * if by_deals { row.deals } else { 1.0 }, &BoardNumbers::from(*row));
        sums.merge(&one.of_one_flop());
    }
    sums.mean(num_actions, pot)
}

impl By {
    /// Groups of a spot's flops, each counted by class size, or of its runouts; in the order in which players would list
    /// them. Without open cards there are no groups of runouts.
    #[must_use]
    pub fn groups(self, spot: &SpotAggregate) -> Vec<AverageGroup> {
        if By::CARDS.contains(&self) {
            return spot.cards.as_ref().and_then(|cards| self.of_cards(cards)).cloned().unwrap_or_default();
        }
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
            AverageGroup {
                name: name.to_owned(),
                mean: mean(&rows, spot.actions.len(), (spot.pot, spot.unit), false),
            }
        };
        names.into_iter().map(group).collect()
    }
}

#[cfg(test)]
mod tests {
    use equipoise_documents::Both;
    use equipoise_documents::batch::PlayerNumbers;

    use super::*;

    const CHIPS: (f64, UnitDocument) = (100.0, UnitDocument::Chips);

    fn flop(board: &str, weight: f64, deals: f64, probability: f64, bet: f64, ev: Option<f64>) -> FlopRow {
        let numbers = PlayerNumbers { equity: Some(0.5), ev, eqr: None };
        let texture = equipoise_cards::FlopTexture::of(&board.parse().unwrap()).unwrap();
        FlopRow {
            id: "0123456789abcdef".parse().unwrap(),
            board: board.to_owned(),
            weight,
            boards: 1,
            file_bytes: 0,
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
            street: "flop".to_owned(),
            big_blind: None,
            starting_pot: 100.0,
            player: None,
            pot: 100.0,
            unit: UnitDocument::Chips,
            actions: vec!["check".to_owned(), "bet:50".to_owned()],
            pct_pot: vec![None, Some(50.0)],
            planned: 4,
            total_by_deals: total.clone(),
            total,
            flops: flops.to_vec(),
            cards: None,
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
