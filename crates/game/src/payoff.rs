//! Rake, and what the end of a hand pays.

use crate::chips::Chips;
use crate::per_player::PerPlayer;
use crate::player::Player;

/// What the house takes: min(rate · pot, cap), unrounded, from every pot that is won, a fold included.
///
/// ```
/// use equipoise_game::{Chips, Rake};
/// let rake = Rake { rate: 0.05, cap: Some(4.0) };
/// assert_eq!(rake.of(Chips::new(50)), 2.5);
/// assert_eq!(rake.of(Chips::new(1000)), 4.0);
/// assert_eq!(Rake { rate: 0.05, cap: None }.of(Chips::new(1000)), 50.0);
/// assert_eq!(Rake { rate: 0.05, cap: Some(0.0) }.of(Chips::new(1000)), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Rake {
    /// The share of the pot, 0 to 1.
    pub rate: f64,
    /// The most that is taken, in chips; absent: no limit, 0: no rake.
    pub cap: Option<f64>,
}

impl Rake {
    /// No rake.
    pub const NONE: Rake = Rake { rate: 0.0, cap: None };

    /// What is taken from a pot.
    #[must_use]
    pub fn of(&self, pot: Chips) -> f64 {
        let share = self.rate * pot.as_f64();
        self.cap.map_or(share, |cap| share.min(cap))
    }
}

impl Default for Rake {
    fn default() -> Rake {
        Rake::NONE
    }
}

/// The end of a hand: what is in the pot and what each result pays.
///
/// An uncalled bet is returned: a bet that makes the other fold never reaches the pot and is not raked, and
/// the bettor has not lost it. So both players have put the same into the pot that is won, and, for chips, the three
/// payoffs are the same for both.
///
/// Payoffs are counted from the root of the tree: chips received minus chips invested since the root. Whoever
/// wins, the two payoffs of a hand sum to the starting pot less the rake. Counted from a later node on, a
/// payoff is larger by what the player had [invested](crate::Node::invested) when that node was reached.
///
/// ```
/// use equipoise_game::{Chips, Player, Rake, Terminal};
/// // 200 at the root, both invest 120 more, 5 % rake.
/// let end = Terminal::new(Chips::new(200), Chips::new(120), Rake { rate: 0.05, cap: None }, None);
/// let player = Player::Ip;
/// assert_eq!(end.pot(), Chips::new(440));
/// assert_eq!((end.win(player), end.tie(player), end.lose(player)), (298.0, 89.0, -120.0));
/// assert_eq!(end.win(player) + end.lose(player), 200.0 - end.rake());
/// assert_eq!(end.tie(player) + end.tie(player), 200.0 - end.rake());
/// ```
///
/// Where [prizes](crate::Prizes) are played for, payoffs are prizes, differ by player and sum to nothing in particular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terminal {
    pot: Chips,
    invested: Chips,
    rake: f64,
    folded: Option<Player>,
    /// What winning, sharing and losing pay in prizes.
    prizes: Option<PerPlayer<[f64; 3]>>,
}

impl Terminal {
    /// The end of a hand for chips that began with `starting_pot`, into which each player has put `matched` chips that
    /// the other matched. `folded` is who gave up, if anybody.
    #[must_use]
    pub fn new(starting_pot: Chips, matched: Chips, rake: Rake, folded: Option<Player>) -> Terminal {
        let pot = starting_pot + matched + matched;
        Terminal { pot, invested: matched, rake: rake.of(pot), folded, prizes: None }
    }

    /// The same for prizes: what winning, sharing and losing pay each player.
    pub(crate) fn for_prizes(self, prizes: PerPlayer<[f64; 3]>) -> Terminal {
        Terminal { prizes: Some(prizes), ..self }
    }

    /// The pot that is won, before rake and without an uncalled bet.
    #[must_use]
    pub fn pot(&self) -> Chips {
        self.pot
    }

    /// What each player has put into it since the root.
    #[must_use]
    pub fn invested(&self) -> Chips {
        self.invested
    }

    /// What the house takes.
    #[must_use]
    pub fn rake(&self) -> f64 {
        self.rake
    }

    /// Who folded; `None` when the cards decide.
    #[must_use]
    pub fn folded(&self) -> Option<Player> {
        self.folded
    }

    /// What a player gets who wins.
    #[must_use]
    pub fn win(&self, player: Player) -> f64 {
        match &self.prizes {
            Some(prizes) => prizes[player][0],
            None => self.pot.as_f64() - self.rake - self.invested.as_f64(),
        }
    }

    /// What a player gets when the hands are equal: for chips half of the pot, less half of the rake.
    #[must_use]
    pub fn tie(&self, player: Player) -> f64 {
        match &self.prizes {
            Some(prizes) => prizes[player][1],
            None => (self.pot.as_f64() - self.rake) / 2.0 - self.invested.as_f64(),
        }
    }

    /// What a player gets who loses: for chips minus the investment.
    #[must_use]
    pub fn lose(&self, player: Player) -> f64 {
        match &self.prizes {
            Some(prizes) => prizes[player][2],
            None => 0.0 - self.invested.as_f64(),
        }
    }

    /// What a player gets whatever the cards, if one folded; `None` when they decide.
    #[must_use]
    pub fn after_fold(&self, player: Player) -> Option<f64> {
        self.folded.map(|folded| if folded == player { self.lose(player) } else { self.win(player) })
    }

    /// The mean of winning and losing: what a tie pays but for the [excess](Self::tie_excess).
    #[must_use]
    pub fn mean(&self, player: Player) -> f64 {
        match &self.prizes {
            Some(_) => (self.win(player) + self.lose(player)) / 2.0,
            None => self.tie(player),
        }
    }

    /// By how much a tie pays more than the mean of winning and losing: exactly 0 for chips, with rake too.
    #[must_use]
    pub fn tie_excess(&self, player: Player) -> f64 {
        if self.prizes.is_some() { self.tie(player) - self.mean(player) } else { 0.0 }
    }
}
