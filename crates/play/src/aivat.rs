//! What a player won without the luck that can be known: AIVAT.
//!
//! At every chance event, and at every decision of a player whose probabilities are known, the expectation of a value
//! function over what could have happened, less its value after what did happen, is added to what was won. Each of these has
//! mean 0, whatever the function is, so that the mean of what was won does not change; the better the function, the smaller
//! the variance. A player whose probabilities are not known is never corrected.

use equipoise_blueprint::bucketed::BucketedError;
use equipoise_blueprint::whole::{Blueprint, BlueprintBuckets, Position};
use equipoise_cards::{Board, Card, CardSet, Combo, Street};
use equipoise_equity::{Matchup, Method, Options};
use equipoise_game::{Action, HandState, NodeKind, PerPlayer, Player, Winner};

use crate::follow::{Follower, passive};
use crate::hand::showdown;

/// A sum of what was won and of corrections.
///
/// ```
/// use equipoise_play::Corrected;
/// // A fair coin pays 1 or −1, and the value function knows: nothing is left to luck.
/// let mut corrected = Corrected::default();
/// corrected.correct([(0.5, 1.0), (0.5, -1.0)], 1.0);
/// assert_eq!(corrected.finish(1.0), 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corrected {
    sum: f64,
}

impl Corrected {
    /// Corrects for an event: all that could have happened with its probability and the value of what comes then, and the
    /// value of what comes after what did happen.
    pub fn correct(&mut self, could: impl IntoIterator<Item = (f64, f64)>, did: f64) {
        let expected: f64 = could.into_iter().map(|(probability, value)| probability * value).sum();
        self.sum += expected - did;
    }

    /// What was won, with the corrections.
    #[must_use]
    pub fn finish(self, won: f64) -> f64 {
        won + self.sum
    }
}

/// The value function of a match. It is fixed before the first hand: from the blueprint, if there is one, both players are
/// taken to play it for the rest of the street and to check to the showdown from then on; without, they check from now on.
///
/// Where a hand is in the blueprint is followed without randomness: a bet that it lacks is taken for the likelier neighbour.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::exhaustive_structs)] // Callers put it together.
pub struct ValueModel<'a> {
    /// The blueprint and its buckets.
    pub blueprint: Option<(&'a Blueprint, &'a BlueprintBuckets)>,
}

/// The rest of a street as both play it.
enum Rest<'a> {
    /// The blueprint acts.
    Acts { player: Player, position: Box<Position<'a>>, then: Vec<Rest<'a>> },
    /// The betting of the street, or the hand, is over: what the player out of position wins with a losing and with a winning
    /// hand.
    Ends { lose: f64, win: f64 },
}

impl<'a> Rest<'a> {
    fn new(hand: &HandState, follower: Option<&Follower<'a>>) -> Rest<'a> {
        let NodeKind::Decision(player) = hand.kind() else {
            let won = |winner: Winner| hand.winnings(winner)[Player::Oop] as f64;
            return match hand.winner_by_fold() {
                Some(winner) => Rest::Ends { lose: won(winner), win: won(winner) },
                None => Rest::Ends {
                    lose: won(Winner::Player(Player::Ip)),
                    win: won(Winner::Player(Player::Oop)),
                },
            };
        };
        let after = |action: Action| hand.act(action).expect("it is legal");
        let Some((follower, position)) =
            follower.and_then(|follower| Some((follower, follower.position(hand)?.clone())))
        else {
            return Rest::new(&after(passive(hand)), None);
        };
        let then = (0..position.actions().len()).map(|place| {
            let mut next = follower.clone();
            let action = next.action(place, hand);
            next.take(place);
            Rest::new(&after(action), Some(&next))
        });
        Rest::Acts { player, then: then.collect(), position: Box::new(position) }
    }

    /// The value to the player out of position, whose share of the pot at the showdown is the equity.
    fn value(&self, blueprint: Option<&Blueprint>, buckets: &PerPlayer<u32>, equity: f64) -> f64 {
        match self {
            Rest::Ends { lose, win } => lose + equity * (win - lose),
            Rest::Acts { player, position, then } => {
                let blueprint = blueprint.expect("a blueprint acts");
                let shares = blueprint.strategy(position, buckets[*player] as usize);
                let values = shares.iter().zip(then).filter(|(share, _)| **share > 0.0);
                values.map(|(share, rest)| share * rest.value(Some(blueprint), buckets, equity)).sum()
            }
        }
    }
}

/// The cards that can still come.
fn rest_of_deck(combos: &PerPlayer<Combo>, board: &Board) -> impl Iterator<Item = Card> {
    let seen: CardSet = combos[Player::Oop].cards() | combos[Player::Ip].cards() | board.set();
    CardSet::FULL.iter().filter(move |&card| !seen.contains(card))
}

/// The share of the pot that the player out of position has at the showdown, on average over all boards.
fn equity(combos: &PerPlayer<Combo>, board: &Board) -> f64 {
    let value = |board: &Board| match showdown(combos, board) {
        Winner::Player(Player::Oop) => 1.0,
        Winner::Player(Player::Ip) => 0.0,
        Winner::Split => 0.5,
    };
    let add = |card: Card, board: &Board| board.deal(card).expect("the card is in the deck");
    match board.street() {
        Street::River => value(board),
        Street::Turn => {
            let rivers: Vec<f64> = rest_of_deck(combos, board).map(|card| value(&add(card, board))).collect();
            rivers.iter().sum::<f64>() / rivers.len() as f64
        }
        Street::Flop => {
            let cards: Vec<Card> = rest_of_deck(combos, board).collect();
            let (mut sum, mut count) = (0.0, 0.0);
            for (at, &turn) in cards.iter().enumerate() {
                let board = add(turn, board);
                for &river in &cards[at + 1..] {
                    sum += value(&add(river, &board));
                    count += 1.0;
                }
            }
            sum / count
        }
        Street::Preflop => preflop_equity(combos),
    }
}

/// [`equity`] before the flop, every board counted.
fn preflop_equity(combos: &PerPlayer<Combo>) -> f64 {
    let range = |player: Player| combos[player].to_string().parse().expect("a combo is a range");
    let matchup = Matchup::new(vec![range(Player::Oop), range(Player::Ip)], Board::EMPTY, CardSet::EMPTY)
        .expect("two hands meet");
    let options = Options { method: Method::Exact, ..Options::default() };
    equipoise_equity::equity(&matchup, &options, &mut ()).expect("nothing ends it").players[0].equity
}

/// The corrections of one hand.
pub(crate) struct Aivat<'a> {
    model: &'a ValueModel<'a>,
    combos: PerPlayer<Combo>,
    follower: Option<Follower<'a>>,
    corrected: Corrected,
    /// On the board as it is.
    equity: f64,
    buckets: PerPlayer<u32>,
}

impl<'a> Aivat<'a> {
    pub(crate) fn new(model: &'a ValueModel<'a>, combos: PerPlayer<Combo>) -> Aivat<'a> {
        let class = |combo: Combo| combo.class().index() as u32;
        Aivat {
            model,
            combos,
            follower: model.blueprint.map(|(blueprint, _)| Follower::new(blueprint)),
            corrected: Corrected::default(),
            equity: preflop_equity(&combos),
            buckets: combos.map(class),
        }
    }

    fn buckets(&self, board: &Board) -> Result<PerPlayer<u32>, BucketedError> {
        let Some((_, buckets)) = self.model.blueprint else { return Ok(PerPlayer::new(0, 0)) };
        let of = |player: Player| buckets.bucket(self.combos[player], board);
        Ok(PerPlayer::new(of(Player::Oop)?, of(Player::Ip)?))
    }

    fn blueprint(&self) -> Option<&'a Blueprint> {
        self.model.blueprint.map(|(blueprint, _)| blueprint)
    }

    /// A player has acted.
    pub(crate) fn decided(&mut self, before: &HandState, action: Action, policy: Option<&[(Action, f64)]>) {
        if let Some(policy) = policy.filter(|policy| policy.len() > 1) {
            let value = |action: Action| {
                let follower = self.follower.as_ref().map(|follower| followed(follower, before, action));
                let rest = Rest::new(&before.act(action).expect("it is legal"), follower.as_ref());
                rest.value(self.blueprint(), &self.buckets, self.equity)
            };
            let could: Vec<(f64, f64)> =
                policy.iter().map(|&(action, probability)| (probability, value(action))).collect();
            let did = policy
                .iter()
                .position(|&(other, _)| other == action)
                .map_or_else(|| value(action), |at| could[at].1);
            self.corrected.correct(could, did);
        }
        if let Some(follower) = &self.follower {
            self.follower = Some(followed(follower, before, action));
        }
    }

    /// A street has begun.
    pub(crate) fn dealt(&mut self, hand: &HandState, board: &Board) -> Result<(), BucketedError> {
        if let Some(follower) = &mut self.follower {
            follower.begin_street(hand.street());
        }
        let earlier = self.equity;
        self.equity = equity(&self.combos, board);
        self.buckets = self.buckets(board)?;
        if board.street() == Street::Flop {
            // All flops together are too many to walk the betting on each: what a showdown pays now is linear in the equity,
            // whose mean over flops is the equity before.
            let won = |winner: Player| hand.winnings(Winner::Player(winner))[Player::Oop] as f64;
            let stake = won(Player::Oop) - won(Player::Ip);
            self.corrected.correct([(1.0, earlier * stake)], self.equity * stake);
            return Ok(());
        }
        let rest = Rest::new(hand, self.follower.as_ref());
        let before = Board::new(&board.cards()[..board.cards().len() - 1]).expect("a part of a board is one");
        let cards: Vec<Card> = rest_of_deck(&self.combos, &before).collect();
        let probability = 1.0 / cards.len() as f64;
        let mut could = Vec::with_capacity(cards.len());
        for card in cards {
            let board = before.deal(card).expect("the card is in the deck");
            let value = rest.value(self.blueprint(), &self.buckets(&board)?, equity(&self.combos, &board));
            could.push((probability, value));
        }
        let did = rest.value(self.blueprint(), &self.buckets, self.equity);
        self.corrected.correct(could, did);
        Ok(())
    }

    /// The hand is over; the board is what had come when the betting ended.
    pub(crate) fn finish(
        mut self,
        end: &HandState,
        board: &Board,
        winnings: PerPlayer<i64>,
    ) -> Result<f64, BucketedError> {
        let won = winnings[Player::Oop] as f64;
        if end.kind() == NodeKind::Runout {
            let pays = |winner: Player| end.winnings(Winner::Player(winner))[Player::Oop] as f64;
            let expected =
                pays(Player::Ip) + equity(&self.combos, board) * (pays(Player::Oop) - pays(Player::Ip));
            self.corrected.correct([(1.0, expected)], won);
        }
        Ok(self.corrected.finish(won))
    }
}

/// The follower after an action, taken for its likelier meaning.
fn followed<'a>(follower: &Follower<'a>, before: &HandState, action: Action) -> Follower<'a> {
    let mut next = follower.clone();
    let meanings = next.meanings(before, action);
    if let Some(&(place, _)) = meanings.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
        next.take(place);
    }
    next
}
