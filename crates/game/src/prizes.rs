//! Playing for prizes instead of chips: what final stacks are worth.

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

use crate::bytes::ByteReader;
use crate::chips::Chips;
use crate::config::TreeConfig;
use crate::icm::{IcmError, Payouts};
use crate::per_player::PerPlayer;
use crate::player::Player;

/// What payoffs and expected values are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // A spot is for chips or for prizes.
pub enum ValueUnit {
    /// Chips.
    Chips,
    /// The unit of the prizes.
    Prizes,
}

impl fmt::Display for ValueUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueUnit::Chips => "chips",
            ValueUnit::Prizes => "prizes",
        })
    }
}

/// What the chips that a player ends a hand with are worth: the same function for both players, because whatever one has of
/// their chips and the pot, the other has the rest.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PrizeModel {
    /// The independent chip model, with the stacks of the players who are not in the hand.
    Icm {
        /// The prizes that are left to be won.
        payouts: Payouts,
        /// The others' stacks.
        other_stacks: Vec<Chips>,
    },
    /// Points of chips and prize, rising; in between along straight lines.
    Table(Vec<(f64, f64)>),
}

/// A hand that is played for prizes: what each player has behind when the tree begins, and what final stacks are worth.
///
/// Payoffs are prizes compared with giving up the starting pot at once: a final stack's prize less that of what the player has
/// behind at the root. So chips that are in the pot at the root count as won by whoever takes them, as in a game for
/// chips, and a prize that is proportional to chips gives the same game.
///
/// ```
/// use equipoise_game::{Chips, Payouts, PerPlayer, Player, Prizes};
/// let stacks = PerPlayer::new(Chips::new(3000), Chips::new(2500));
/// let payouts = Payouts::new(vec![50.0, 30.0, 20.0])?;
/// let prizes = Prizes::icm(stacks, payouts, vec![Chips::new(1800)])?;
/// // What 3000 + 200 chips are worth where the opponent keeps 2500.
/// let value = prizes.value(3200.0, Chips::new(200));
/// assert!((value - 36.2807).abs() < 1e-4, "{value}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Prizes {
    stacks: PerPlayer<Chips>,
    model: PrizeModel,
}

/// Why a hand cannot be played for prizes.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PrizesError {
    /// Prizes or stacks that the independent chip model does not take.
    #[error(transparent)]
    Icm(#[from] IcmError),
    /// More players than a value is found for quickly.
    #[error("{count} other stacks: the most is {}", Prizes::MAX_OTHERS)]
    TooManyOthers {
        /// How many.
        count: usize,
    },
    /// Another player without chips.
    #[error("a player without chips is out of the tournament: leave the 0 out")]
    NoStack,
    /// What the players have behind is not what the betting says.
    #[error("{} and {} chips behind: the smaller must be the effective stack of {effective}", stacks[Player::Oop], stacks[Player::Ip])]
    Stacks {
        /// What each has behind.
        stacks: PerPlayer<Chips>,
        /// The effective stack.
        effective: Chips,
    },
    /// Too large a stack.
    #[error("a stack of {chips} chips is too large: the most is {}, so choose a larger unit", Chips::MAX)]
    TooManyChips {
        /// The stack.
        chips: Chips,
    },
    /// Points that are no function, or whose prizes fall.
    #[error("point {} of the table ({chips} chips, prize {prize}): chips must rise from point to point, prizes must not fall, and both must be 0 or more", .place + 1)]
    Point {
        /// Which one, from 0.
        place: usize,
        /// Its chips.
        chips: f64,
        /// Its prize.
        prize: f64,
    },
    /// A table that does not say what possible stacks are worth.
    #[error("the table must reach from {least} to {most} chips, which a player may end the hand with")]
    Reach {
        /// The least that a player may end with.
        least: f64,
        /// The most.
        most: f64,
    },
    /// Winning the pot gains nothing.
    #[error("the pot is worth nothing in prizes to {player}: there is nothing to play for")]
    NoStake {
        /// To whom.
        player: Player,
    },
    /// A tournament's pots are not raked.
    #[error("pots that are played for prizes are not raked: remove the rake, or the prizes")]
    Rake,
}

impl Prizes {
    /// The most players who are not in the hand.
    pub const MAX_OTHERS: usize = 10;

    /// Prizes by the independent chip model, for players with this behind at the root.
    ///
    /// # Errors
    /// [`PrizesError`] says what is wrong.
    pub fn icm(
        stacks: PerPlayer<Chips>,
        payouts: Payouts,
        other_stacks: Vec<Chips>,
    ) -> Result<Prizes, PrizesError> {
        if other_stacks.len() > Prizes::MAX_OTHERS {
            return Err(PrizesError::TooManyOthers { count: other_stacks.len() });
        }
        if other_stacks.contains(&Chips::ZERO) {
            return Err(PrizesError::NoStack);
        }
        let all = stacks.iter().chain(&other_stacks);
        match all.copied().find(|&chips| chips > Chips::MAX) {
            Some(chips) => Err(PrizesError::TooManyChips { chips }),
            None => Ok(Prizes { stacks, model: PrizeModel::Icm { payouts, other_stacks } }),
        }
    }

    /// Prizes by a table of chips and prize, for players with this behind at the root.
    ///
    /// # Errors
    /// [`PrizesError`] says what is wrong.
    pub fn table(stacks: PerPlayer<Chips>, points: Vec<(f64, f64)>) -> Result<Prizes, PrizesError> {
        for (place, &(chips, prize)) in points.iter().enumerate() {
            let is_number = chips.is_finite() && prize.is_finite() && chips >= 0.0 && prize >= 0.0;
            let rises = place == 0 || (chips > points[place - 1].0 && prize >= points[place - 1].1);
            if !is_number || !rises {
                return Err(PrizesError::Point { place, chips, prize });
            }
        }
        match stacks.iter().copied().find(|&chips| chips > Chips::MAX) {
            Some(chips) => Err(PrizesError::TooManyChips { chips }),
            None => Ok(Prizes { stacks, model: PrizeModel::Table(points) }),
        }
    }

    /// What each player has behind at the root.
    #[must_use]
    pub fn stacks(&self) -> PerPlayer<Chips> {
        self.stacks
    }

    /// What final stacks are worth.
    #[must_use]
    pub fn model(&self) -> &PrizeModel {
        &self.model
    }

    /// The prize of a player who ends the hand with this many chips, in a hand that began with this pot.
    #[must_use]
    pub fn value(&self, chips: f64, starting_pot: Chips) -> f64 {
        match &self.model {
            PrizeModel::Icm { payouts, other_stacks } => {
                let all = self.stacks.iter().map(|stack| stack.as_f64()).sum::<f64>() + starting_pot.as_f64();
                let own = [chips, all - chips].map(|chips| chips.max(0.0));
                let others = other_stacks.iter().map(|stack| stack.as_f64());
                payouts.equity_of_first(&own.into_iter().chain(others).collect::<Vec<f64>>())
            }
            PrizeModel::Table(points) => {
                let after = points.partition_point(|&(at, _)| at < chips).clamp(1, points.len() - 1);
                let ((low, from), (high, to)) = (points[after - 1], points[after]);
                from + (to - from) * (chips - low) / (high - low)
            }
        }
    }

    /// What the starting pot is worth to each player: winning it at once compared with giving it up.
    #[must_use]
    pub fn pot_worth(&self, starting_pot: Chips) -> PerPlayer<f64> {
        self.stacks.map(|stack| {
            let value = |chips: f64| self.value(chips, starting_pot);
            value(stack.as_f64() + starting_pot.as_f64()) - value(stack.as_f64())
        })
    }

    /// The prize of each player who gives up the starting pot at once, which payoffs are counted from.
    #[must_use]
    pub fn base(&self, starting_pot: Chips) -> PerPlayer<f64> {
        self.stacks.map(|stack| self.value(stack.as_f64(), starting_pot))
    }

    /// The same prizes once both players have invested this much in the pot.
    pub(crate) fn after(&self, invested: Chips) -> Prizes {
        Prizes { stacks: self.stacks.map(|stack| stack - invested), model: self.model.clone() }
    }

    /// Whether these prizes and the rest of a configuration fit together.
    pub(crate) fn check(&self, config: &TreeConfig) -> Result<(), PrizesError> {
        let [oop, ip] = self.stacks.into_array();
        if oop.min(ip) != config.effective_stack {
            return Err(PrizesError::Stacks { stacks: self.stacks, effective: config.effective_stack });
        }
        if config.rake.of(config.starting_pot) != 0.0 {
            return Err(PrizesError::Rake);
        }
        if let PrizeModel::Table(points) = &self.model {
            let least = (oop.min(ip) - config.effective_stack).as_f64();
            let most = oop.max(ip).as_f64() + config.effective_stack.as_f64() + config.starting_pot.as_f64();
            let reaches = points.len() >= 2 && points[0].0 <= least && points[points.len() - 1].0 >= most;
            if !reaches {
                return Err(PrizesError::Reach { least, most });
            }
        }
        let worth = self.pot_worth(config.starting_pot);
        match Player::ALL.into_iter().find(|&player| worth[player] <= 0.0) {
            Some(player) => Err(PrizesError::NoStake { player }),
            None => Ok(()),
        }
    }

    /// Appends the canonical bytes: stacks, then the model.
    pub fn write_bytes(&self, to: &mut Vec<u8>) {
        self.stacks.iter().for_each(|stack| to.extend(stack.count().to_le_bytes()));
        let mut list = |kind: u8, numbers: &[f64]| {
            to.push(kind);
            to.extend((numbers.len() as u32).to_le_bytes());
            // 0 has one form only.
            numbers.iter().for_each(|number| to.extend((number + 0.0).to_le_bytes()));
        };
        match &self.model {
            PrizeModel::Icm { payouts, other_stacks } => {
                list(0, payouts.prizes());
                to.extend((other_stacks.len() as u32).to_le_bytes());
                other_stacks.iter().for_each(|stack| to.extend(stack.count().to_le_bytes()));
            }
            PrizeModel::Table(points) => {
                list(1, &points.iter().flat_map(|&(chips, prize)| [chips, prize]).collect::<Vec<f64>>());
            }
        }
    }

    /// Reads what [`write_bytes`](Self::write_bytes) has written; `None` for anything else.
    #[must_use]
    pub fn read_bytes(bytes: &mut ByteReader<'_>) -> Option<Prizes> {
        let stacks = PerPlayer::new(Chips::new(bytes.u32()?), Chips::new(bytes.u32()?));
        let kind = bytes.u8()?;
        let numbers = bytes.list(ByteReader::f64)?;
        match kind {
            0 => {
                let others = bytes.list(|bytes| bytes.u32().map(Chips::new))?;
                Prizes::icm(stacks, Payouts::new(numbers).ok()?, others).ok()
            }
            1 if numbers.len() % 2 == 0 => {
                Prizes::table(stacks, numbers.chunks(2).map(|point| (point[0], point[1])).collect()).ok()
            }
            _ => None,
        }
    }
}

/// The payoffs of a tree that is played for prizes, found once.
#[derive(Clone, Debug)]
pub(crate) struct PrizePayoffs {
    /// What players invest, rising.
    invested: Vec<Chips>,
    /// By investment: what losing and winning pay.
    lose: Vec<PerPlayer<f64>>,
    win: Vec<PerPlayer<f64>>,
    /// The same however much was matched: both get half of the starting pot.
    tie: PerPlayer<f64>,
}

impl PrizePayoffs {
    /// The payoffs for these investments.
    pub(crate) fn new(prizes: &Prizes, pot: Chips, invested: impl Iterator<Item = Chips>) -> PrizePayoffs {
        let invested: Vec<Chips> = invested.collect::<BTreeSet<Chips>>().into_iter().collect();
        let base = prizes.base(pot);
        let payoff = |change: f64| {
            PerPlayer::from_fn(|player| {
                prizes.value(prizes.stacks[player].as_f64() + change, pot) - base[player]
            })
        };
        PrizePayoffs {
            lose: invested.iter().map(|chips| payoff(-chips.as_f64())).collect(),
            win: invested.iter().map(|chips| payoff(pot.as_f64() + chips.as_f64())).collect(),
            tie: payoff(pot.as_f64() / 2.0),
            invested,
        }
    }

    /// What winning, sharing and losing pay after this investment of both.
    pub(crate) fn ends(&self, invested: Chips) -> PerPlayer<[f64; 3]> {
        let at = self.place(invested);
        PerPlayer::from_fn(|player| [self.win[at][player], self.tie[player], self.lose[at][player]])
    }

    /// What giving up pays a player who has invested this.
    pub(crate) fn lose(&self, invested: Chips, player: Player) -> f64 {
        self.lose[self.place(invested)][player]
    }

    fn place(&self, invested: Chips) -> usize {
        self.invested.binary_search(&invested).expect("the investments of the tree's nodes")
    }
}

#[cfg(test)]
mod tests {
    use equipoise_cards::Street;

    use super::*;
    use crate::config::ConfigError;
    use crate::payoff::Rake;
    use crate::preset::Preset;
    use crate::tree::Tree;

    fn chips(count: u32) -> Chips {
        Chips::new(count)
    }

    fn config(prizes: Prizes) -> TreeConfig {
        let mut config = TreeConfig::new(Street::Turn, chips(200), chips(900));
        Preset::Standard.apply(&mut config);
        config.prizes = Some(prizes);
        config
    }

    fn icm(oop: u32, ip: u32, others: &[u32]) -> Prizes {
        let payouts = Payouts::new(vec![50.0, 30.0, 20.0]).unwrap();
        Prizes::icm(
            PerPlayer::new(chips(oop), chips(ip)),
            payouts,
            others.iter().copied().map(chips).collect(),
        )
        .unwrap()
    }

    /// Every end of a hand against the model, stack by stack.
    #[test]
    fn ends_pay_what_final_stacks_are_worth() {
        let payouts = Payouts::new(vec![50.0, 30.0, 20.0]).unwrap();
        let tree = Tree::build(&config(icm(1500, 900, &[700, 2000]))).unwrap();
        let equity = |oop: f64, ip: f64| payouts.equities(&[oop, ip, 700.0, 2000.0]).unwrap();
        let base = [equity(1500.0, 1100.0)[0], equity(1700.0, 900.0)[1]];
        let mut ends = 0;
        for id in tree.node_ids() {
            let Some(end) = tree.terminal(id) else { continue };
            let matched = end.invested().as_f64();
            let [behind, other] = [1500.0 - matched, 900.0 - matched];
            let pot = 200.0 + 2.0 * matched;
            let oop_wins = equity(behind + pot, other);
            let ip_wins = equity(behind, other + pot);
            let tie = equity(behind + pot / 2.0, other + pot / 2.0);
            for (found, want) in [
                (end.win(Player::Oop), oop_wins[0] - base[0]),
                (end.lose(Player::Ip), oop_wins[1] - base[1]),
                (end.win(Player::Ip), ip_wins[1] - base[1]),
                (end.lose(Player::Oop), ip_wins[0] - base[0]),
                (end.tie(Player::Oop), tie[0] - base[0]),
                (end.tie(Player::Ip), tie[1] - base[1]),
            ] {
                assert!((found - want).abs() < 1e-12, "{found} {want}");
            }
            ends += 1;
        }
        assert!(ends > 20);
        let river = tree.find(&"check bet:120 call |".parse().unwrap()).unwrap();
        let sunk = tree.sunk(river, Player::Oop);
        assert!((sunk - (base[0] - equity(1380.0, 1220.0)[0])).abs() < 1e-12, "{sunk}");
        // The tree below has the same prizes.
        let (below, nodes) = tree.below(river).unwrap();
        for (id, old) in below.node_ids().zip(nodes) {
            let (Some(end), Some(old)) = (below.terminal(id), tree.terminal(old)) else { continue };
            assert!((end.win(Player::Oop) - old.win(Player::Oop) - sunk).abs() < 1e-12);
        }
    }

    /// A prize that is proportional to chips is the game for chips.
    #[test]
    fn proportional_prizes_are_chips() {
        let stacks = PerPlayer::new(chips(900), chips(1200));
        let prizes = Prizes::table(stacks, vec![(0.0, 5.0), (4000.0, 2005.0)]).unwrap();
        let tree = Tree::build(&config(prizes.clone())).unwrap();
        let mut plain = config(prizes);
        plain.prizes = None;
        let plain = Tree::build(&plain).unwrap();
        assert_eq!((tree.unit(), plain.unit()), (ValueUnit::Prizes, ValueUnit::Chips));
        for id in tree.node_ids() {
            for player in Player::ALL {
                let close =
                    |found: f64, chips: f64| assert!((found - chips / 2.0).abs() < 1e-9, "{found} {chips}");
                close(tree.sunk(id, player), plain.sunk(id, player));
                if let (Some(end), Some(want)) = (tree.terminal(id), plain.terminal(id)) {
                    close(end.win(player), want.win(player));
                    close(end.tie(player), want.tie(player));
                    close(end.lose(player), want.lose(player));
                    close(end.tie_excess(player), 0.0);
                    assert_eq!(want.tie_excess(player), 0.0);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_played_for() {
        let wrong = |prizes: Prizes| match config(prizes).check() {
            Err(ConfigError::Prizes(error)) => error,
            other => panic!("{other:?}"),
        };
        assert!(matches!(wrong(icm(1500, 1000, &[700])), PrizesError::Stacks { .. }));
        let stacks = PerPlayer::new(chips(900), chips(1000));
        let short = Prizes::table(stacks, vec![(0.0, 1.0), (2000.0, 3.0)]).unwrap();
        assert_eq!(wrong(short), PrizesError::Reach { least: 0.0, most: 2100.0 });
        let flat = Prizes::table(stacks, vec![(0.0, 1.0), (3000.0, 1.0)]).unwrap();
        assert_eq!(wrong(flat), PrizesError::NoStake { player: Player::Oop });
        let mut raked = config(icm(900, 900, &[700]));
        raked.rake = Rake { rate: 0.05, cap: None };
        assert_eq!(raked.check(), Err(ConfigError::Prizes(PrizesError::Rake)));
        let payouts = || Payouts::new(vec![1.0]).unwrap();
        assert_eq!(Prizes::icm(stacks, payouts(), vec![chips(0)]), Err(PrizesError::NoStack));
        let crowd = vec![chips(1); 11];
        assert_eq!(Prizes::icm(stacks, payouts(), crowd), Err(PrizesError::TooManyOthers { count: 11 }));
        for points in [
            vec![(0.0, 2.0), (1.0, 1.0)],
            vec![(1.0, 2.0), (1.0, 3.0)],
            vec![(0.0, f64::NAN)],
            vec![(-1.0, 0.0)],
        ] {
            assert!(matches!(Prizes::table(stacks, points), Err(PrizesError::Point { .. })));
        }
    }

    #[test]
    fn prizes_read_back() {
        let stacks = PerPlayer::new(chips(900), chips(1000));
        let table = Prizes::table(stacks, vec![(0.0, 0.0), (1000.0, 3.0), (3000.0, 5.5)]).unwrap();
        for prizes in [icm(900, 1000, &[700, 2000]), icm(900, 1000, &[]), table] {
            let mut bytes = Vec::new();
            prizes.write_bytes(&mut bytes);
            let mut reader = ByteReader::new(&bytes);
            assert_eq!(Prizes::read_bytes(&mut reader), Some(prizes));
            assert!(reader.is_empty());
            for len in 0..bytes.len() {
                assert_eq!(Prizes::read_bytes(&mut ByteReader::new(&bytes[..len])), None);
            }
        }
    }
}
