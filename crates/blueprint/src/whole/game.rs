//! The game of a blueprint, and its form in files.

use equipoise_cards::Street;
use equipoise_game::{
    Action, BetMenu, BettingAbstraction, BettingAbstractionError, Chips, HandConfig, HandState, NodeKind,
    PerPlayer, PostflopMenus, PreflopMenus, RaiseMenus, Thresholds,
};
use serde::{Deserialize, Serialize};

/// A heads-up game: blinds, antes and stacks, and the bets that are considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "SavedGame", try_from = "SavedGame")]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct WholeGame {
    /// Blinds, antes and stacks.
    pub hand: HandConfig,
    /// Which bets are considered.
    pub betting: BettingAbstraction,
}

impl WholeGame {
    /// A number of chips in big blinds.
    #[must_use]
    pub fn big_blinds(&self, chips: f64) -> f64 {
        chips / f64::from(self.hand.big_blind.count())
    }

    /// Whether the game can be played: besides what [`BettingAbstraction::check`] says, a raise or all-in must be possible
    /// before the flop.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), BettingAbstractionError> {
        self.hand.check()?;
        self.betting.check()
    }
}

/// Where a hand is in the betting of a game: how it came there, and what can be done.
#[derive(Clone, Debug)]
pub struct Position<'a> {
    game: &'a WholeGame,
    hand: HandState,
    /// The node in the betting of the game.
    pub(crate) node: usize,
}

impl<'a> Position<'a> {
    pub(crate) fn root(game: &'a WholeGame) -> Result<Position<'a>, BettingAbstractionError> {
        Ok(Position { game, hand: HandState::new(&game.hand)?, node: 0 })
    }

    /// The state of the hand.
    #[must_use]
    pub const fn hand(&self) -> &HandState {
        &self.hand
    }

    /// The actions that are considered; none if nobody acts.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        match self.hand.kind() {
            NodeKind::Decision(_) => self.game.betting.actions(&self.hand),
            _ => Vec::new(),
        }
    }

    /// The short names of the actions, as [`Line`](super::Line) has them.
    #[must_use]
    pub fn labels(&self) -> Vec<String> {
        self.actions().into_iter().map(|action| self.label(action)).collect()
    }

    fn label(&self, action: Action) -> String {
        let of_big_blind = |total: Chips| {
            let number = self.game.big_blinds(f64::from(total.count()));
            format!("r{}", (number * 100.0).round() / 100.0)
        };
        match action {
            Action::Fold => "f".to_owned(),
            Action::Check => "x".to_owned(),
            Action::Call => "c".to_owned(),
            Action::AllIn(_) => "a".to_owned(),
            Action::Raise(total) => of_big_blind(total),
            Action::Bet(total) if self.hand.street() == Street::Preflop => of_big_blind(total),
            Action::Bet(total) => {
                let share = f64::from(total.count()) / f64::from(self.hand.pot().count());
                format!("b{}", (share * 100.0).round())
            }
        }
    }

    /// The position after one of the [`actions`](Position::actions); `first_child` is that of the node.
    pub(crate) fn after(&self, action: usize, first_child: usize) -> Option<Position<'a>> {
        let hand = self.hand.act(*self.actions().get(action)?).ok()?;
        Some(Position { game: self.game, hand, node: first_child + action })
    }

    /// The position after cards have come.
    pub(crate) fn dealt(&self, first_child: usize) -> Option<Position<'a>> {
        Some(Position { game: self.game, hand: self.hand.deal().ok()?, node: first_child })
    }
}

/// A game as files have it: numbers of chips, and bet sizes as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedGame {
    blinds: [u32; 2],
    antes: [u32; 2],
    stacks: [u32; 2],
    limp: bool,
    open: String,
    over_limp: String,
    raises: Vec<String>,
    flop: SavedMenus,
    turn: SavedMenus,
    river: SavedMenus,
    thresholds: [f64; 3],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedMenus {
    bet: String,
    raises: Vec<String>,
}

fn texts(menus: &RaiseMenus) -> Vec<String> {
    menus.menus().iter().map(ToString::to_string).collect()
}

fn menu(text: &str) -> Result<BetMenu, String> {
    text.parse().map_err(|error| format!("its bet sizes '{text}' cannot be read: {error}"))
}

fn menus(texts: &[String]) -> Result<RaiseMenus, String> {
    texts.iter().map(|text| menu(text)).collect::<Result<_, _>>().map(RaiseMenus::new)
}

impl SavedMenus {
    fn new(menus: &PostflopMenus) -> SavedMenus {
        SavedMenus { bet: menus.bet.to_string(), raises: texts(&menus.raises) }
    }

    fn read(&self) -> Result<PostflopMenus, String> {
        Ok(PostflopMenus { bet: menu(&self.bet)?, raises: menus(&self.raises)? })
    }
}

impl From<WholeGame> for SavedGame {
    fn from(game: WholeGame) -> SavedGame {
        let WholeGame { hand, betting } = &game;
        let both = |chips: &PerPlayer<Chips>| chips.into_array().map(Chips::count);
        let Thresholds { add_allin, force_allin, merging, .. } = betting.thresholds;
        SavedGame {
            blinds: [hand.small_blind.count(), hand.big_blind.count()],
            antes: both(&hand.antes),
            stacks: both(&hand.stacks),
            limp: betting.preflop.limp,
            open: betting.preflop.open.to_string(),
            over_limp: betting.preflop.over_limp.to_string(),
            raises: texts(&betting.preflop.raises),
            flop: SavedMenus::new(&betting.flop),
            turn: SavedMenus::new(&betting.turn),
            river: SavedMenus::new(&betting.river),
            thresholds: [add_allin, force_allin, merging],
        }
    }
}

impl TryFrom<SavedGame> for WholeGame {
    type Error = String;

    fn try_from(saved: SavedGame) -> Result<WholeGame, String> {
        let both = |chips: [u32; 2]| PerPlayer::from(chips.map(Chips::new));
        let [small_blind, big_blind] = saved.blinds.map(Chips::new);
        let hand =
            HandConfig { small_blind, big_blind, antes: both(saved.antes), stacks: both(saved.stacks) };
        let mut betting = BettingAbstraction::default();
        betting.preflop = PreflopMenus {
            limp: saved.limp,
            open: menu(&saved.open)?,
            over_limp: menu(&saved.over_limp)?,
            raises: menus(&saved.raises)?,
        };
        betting.flop = saved.flop.read()?;
        betting.turn = saved.turn.read()?;
        betting.river = saved.river.read()?;
        let Thresholds { add_allin, force_allin, merging, .. } = &mut betting.thresholds;
        [*add_allin, *force_allin, *merging] = saved.thresholds;
        let game = WholeGame { hand, betting };
        game.check().map_err(|error| format!("its game is none: {error}"))?;
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_game::BettingPreset;

    #[test]
    fn games_are_read_back() {
        for preset in BettingPreset::ALL {
            let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(2_000));
            let antes = PerPlayer::new(Chips::new(10), Chips::new(20));
            let game = WholeGame { hand: HandConfig { antes, ..hand }, betting: preset.abstraction() };
            let text = serde_json::to_string(&game).unwrap();
            assert_eq!(serde_json::from_str::<WholeGame>(&text).unwrap(), game);
        }
    }

    #[test]
    fn what_makes_no_game_is_refused() {
        let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(2_000));
        let game = WholeGame { hand, betting: BettingPreset::A.abstraction() };
        let saved = SavedGame::from(game);
        let mut other = saved.clone();
        other.blinds = [100, 0];
        assert!(WholeGame::try_from(other).unwrap_err().contains("big blind is 0"));
        let mut other = saved;
        other.open = "7z".to_owned();
        assert!(WholeGame::try_from(other).unwrap_err().contains("'7z'"));
    }
}
