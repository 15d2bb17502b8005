//! Raises before the flop that the blueprint lacks: they are put into its betting, and the betting before the flop is solved
//! again, hand class by hand class. It ends where the flop comes, with what the blueprint makes of its own flop entries
//! ([`FlopEntries`]).
//!
//! # The game
//! Both players come with every hand; the hero's decisions before the first new raise, which it has already made, are fixed to
//! the blueprint's. At a flop entry the opponent chooses one of four continuations with each class, not knowing the hero's; so
//! the hero's strategy must be good against more than the blueprint. A pot that the blueprint does not have is worth what the
//! two nearest pots are, each in shares of the pot: those with the same last raiser where there are such, and all-in, where a
//! share is the equity. Weights are linear in the logarithm of the pot.
//!
//! An opponent that never makes the new raise in equilibrium would leave the hero's answer open; so it makes it at least once
//! in a thousand with every class.

mod entries;
mod solve;

use equipoise_cards::HandClass;
use equipoise_equity::ClassTable;
use equipoise_game::{Action, BettingAbstraction, HandState, NodeKind, PerPlayer, Player, Winner};

use entries::{CONTINUATIONS, N};
pub use entries::{EntryOptions, FlopEntries};

use crate::resolve::{ResolveError, is_same};
use crate::whole::{Blueprint, Position};
use solve::Game;

/// How the betting before the flop is re-solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct PreflopOptions {
    /// Iterations.
    pub iterations: u32,
}

impl Default for PreflopOptions {
    fn default() -> PreflopOptions {
        PreflopOptions { iterations: 400 }
    }
}

/// A decision before the flop, re-solved with what was put in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResolvedPreflop {
    /// Who acts.
    pub hero: Player,
    /// What can be done.
    pub actions: Vec<Action>,
    /// By class: how often the hero's own actions lead here.
    pub reach: Vec<f64>,
    /// By class: how often each action is taken.
    pub frequencies: Vec<Vec<f64>>,
    /// What the hand is worth to the hero from its beginning on, in chips, when both play the solution.
    pub value: f64,
    /// The mean of both players' gains by a best response in the solved game, in chips.
    pub exploitability_chips: f64,
    /// How many iterations were run.
    pub iterations: u32,
}

/// Whether the blueprint's betting before the flop has all of these actions, from the blinds on.
#[must_use]
pub fn has_preflop(blueprint: &Blueprint, actions: &[Action]) -> bool {
    let mut position = blueprint.root();
    actions.iter().all(|&action| {
        let place = position.actions().iter().position(|&other| is_same(other, action));
        match place.and_then(|place| blueprint.act(&position, place)) {
            Some(next) => {
                position = next;
                true
            }
            None => false,
        }
    })
}

/// Re-solves the decision after these actions from the blinds on, for the player who acts; `offered` is put in beside the
/// actions.
///
/// # Errors
/// [`ResolveError`] if the rules do not allow an action, or if nobody acts there.
pub fn resolve_preflop(
    blueprint: &Blueprint,
    entries: &FlopEntries,
    actions: &[Action],
    offered: Option<Action>,
    options: &PreflopOptions,
) -> Result<ResolvedPreflop, ResolveError> {
    let street = equipoise_cards::Street::Preflop;
    let mut hand = *blueprint.root().hand();
    for &action in actions {
        hand = hand.act(action).map_err(|source| ResolveError::Action { street, source })?;
    }
    let hero = hand.to_act().filter(|_| hand.street() == street).ok_or(ResolveError::NobodyActs)?;
    let asked: Vec<Action> = actions.iter().copied().chain(offered).collect();
    let builder = Builder { betting: &blueprint.header().game.betting, entries, hero, nodes: Vec::new() };
    let nodes = builder.build(*blueprint.root().hand(), &asked, blueprint)?;
    let mut game = Game::new(nodes);
    for iteration in 1..=options.iterations.max(1) {
        game.iterate(iteration);
    }
    let mut at = 0;
    let mut reach = vec![1.0; N];
    for &action in actions {
        let (player, actions, children) = game.decision(at).ok_or(ResolveError::NobodyActs)?;
        let place = actions.iter().position(|&other| is_same(other, action));
        let place = place.ok_or(ResolveError::Tree { street })?;
        let (player, child) = (player, children + place);
        if player == hero {
            let shares = game.average(at);
            reach.iter_mut().zip(&shares[place]).for_each(|(reach, share)| *reach *= share);
        }
        at = child;
    }
    let (_, actions, _) = game.decision(at).ok_or(ResolveError::NobodyActs)?;
    let actions = actions.to_vec();
    let average = game.average(at);
    let frequencies = (0..N).map(|class| average.iter().map(|shares| shares[class]).collect()).collect();
    let (value, exploitability_chips) = game.measure(hero);
    Ok(ResolvedPreflop {
        hero,
        actions,
        reach,
        frequencies,
        value,
        exploitability_chips,
        iterations: options.iterations.max(1),
    })
}

/// What a node is.
#[derive(Debug)]
enum Kind {
    /// A decision, with a strategy that is fixed, by action and class, or with the place of an action that is made at least now
    /// and then.
    Decision { player: Player, actions: Vec<Action>, fixed: Option<Vec<Vec<f64>>>, least: Option<usize> },
    /// A player has folded: what each wins.
    Fold(PerPlayer<f64>),
    /// Both are all-in: what each loses, and half of what a win is worth more.
    AllIn(PerPlayer<f64>, PerPlayer<f64>),
    /// The opponent chooses a continuation: by continuation and class of the opponent, for each class of the hero, what the
    /// opponent wins.
    Entry([Vec<f32>; CONTINUATIONS]),
}

/// A node of the betting before the flop; children are consecutive.
#[derive(Debug)]
struct Node {
    kind: Kind,
    first_child: usize,
}

/// Builds the game.
struct Builder<'a> {
    betting: &'a BettingAbstraction,
    entries: &'a FlopEntries,
    hero: Player,
    nodes: Vec<Node>,
}

/// A hand on the way: what was asked for from here on, and where it is in the blueprint.
struct Todo<'a> {
    hand: HandState,
    asked: Vec<Action>,
    is_asked: bool,
    raiser: Option<Player>,
    position: Option<Position<'a>>,
}

impl Builder<'_> {
    fn build(
        mut self,
        root: HandState,
        asked: &[Action],
        blueprint: &Blueprint,
    ) -> Result<(Player, Vec<Node>), ResolveError> {
        let root = Todo {
            hand: root,
            asked: asked.to_vec(),
            is_asked: true,
            raiser: None,
            position: Some(blueprint.root()),
        };
        let mut todo = vec![root];
        while let Some(at) = todo.get(self.nodes.len()) {
            let first_child = todo.len();
            let mut children = Vec::new();
            let hand = at.hand;
            let won = |player: Player, winner: Player| hand.winnings(Winner::Player(winner))[player] as f64;
            let kind = match hand.kind() {
                NodeKind::Decision(player) => {
                    let (actions, kind) = self.decision(at, player, blueprint);
                    for action in actions {
                        children.push(child(at, player, action, blueprint)?);
                    }
                    kind
                }
                NodeKind::Fold(folded) => {
                    Kind::Fold(PerPlayer::from_fn(|player| won(player, folded.opponent())))
                }
                NodeKind::Chance => Kind::Entry(self.entry(&hand, at.raiser)),
                _ => {
                    let lose = PerPlayer::from_fn(|player: Player| won(player, player.opponent()));
                    let half = |player| (won(player, player) - lose[player]) / 2.0;
                    Kind::AllIn(lose, PerPlayer::from_fn(half))
                }
            };
            self.nodes.push(Node { kind, first_child });
            todo.extend(children);
        }
        Ok((self.hero, self.nodes))
    }

    fn decision(&self, at: &Todo<'_>, player: Player, blueprint: &Blueprint) -> (Vec<Action>, Kind) {
        let mut actions = self.betting.actions(&at.hand);
        let own = at.position.as_ref().map(Position::actions);
        let next = at.asked.first().copied().filter(|_| at.is_asked);
        let mut is_new = false;
        if let Some(action) = next
            && !actions.iter().any(|&other| is_same(other, action))
        {
            actions.push(action);
            is_new = true;
        }
        // What the hero has done already, in the blueprint.
        let is_done = player == self.hero && at.is_asked && at.asked.len() > 1 && !is_new;
        let fixed = own.filter(|own| is_done && own.len() == actions.len()).and(at.position.as_ref()).map(
            |position| {
                let shares: Vec<Vec<f64>> = (0..N).map(|class| blueprint.strategy(position, class)).collect();
                (0..actions.len()).map(|place| shares.iter().map(|shares| shares[place]).collect()).collect()
            },
        );
        let least = (is_new && player != self.hero).then(|| actions.len() - 1);
        (actions.clone(), Kind::Decision { player, actions, fixed, least })
    }

    /// The values of a flop entry to the opponent, in chips from the beginning of the hand on.
    fn entry(&self, hand: &HandState, raiser: Option<Player>) -> [Vec<f32>; CONTINUATIONS] {
        let opponent = self.hero.opponent();
        let mix = self.mix(hand, raiser);
        let equities = equities();
        let (pot, invested) = (hand.pot().as_f64() as f32, hand.invested(opponent).as_f64() as f32);
        std::array::from_fn(|continuation| {
            let mut values = vec![0.0; N * N];
            for &(entry, weight) in &mix {
                let shares = match entry {
                    Some(entry) => &self.entries.entries[entry].shares[opponent][continuation],
                    None => equities,
                };
                values.iter_mut().zip(shares).for_each(|(value, share)| *value += weight * share);
            }
            values.iter_mut().for_each(|value| *value = *value * pot - invested);
            values
        })
    }

    /// The entries that a hand is between, with weights; `None` stands for all-in.
    fn mix(&self, hand: &HandState, raiser: Option<Player>) -> Vec<(Option<usize>, f32)> {
        let entries = &self.entries.entries;
        if let Some(same) = entries.iter().position(|entry| entry.hand == *hand && entry.raiser == raiser) {
            return vec![(Some(same), 1.0)];
        }
        let pot = hand.pot().as_f64();
        let all_in = pot + 2.0 * hand.behind().as_f64();
        let is_like = |raiser: Option<Player>| entries.iter().any(|entry| entry.raiser == raiser);
        let like = is_like(raiser).then_some(raiser);
        let known =
            entries.iter().enumerate().filter(|(_, entry)| like.is_none_or(|like| entry.raiser == like));
        let mut pots: Vec<(Option<usize>, f64)> =
            known.map(|(place, entry)| (Some(place), entry.hand.pot().as_f64())).collect();
        pots.push((None, all_in));
        let below = pots.iter().filter(|(_, other)| *other <= pot).max_by(|a, b| a.1.total_cmp(&b.1));
        let above = pots.iter().filter(|(_, other)| *other > pot).min_by(|a, b| a.1.total_cmp(&b.1));
        match (below, above) {
            (Some(&(lower, a)), Some(&(upper, b))) => {
                let share = ((pot / a).ln() / (b / a).ln()) as f32;
                vec![(lower, 1.0 - share), (upper, share)]
            }
            (Some(&(only, _)), None) | (None, Some(&(only, _))) => vec![(only, 1.0)],
            (None, None) => vec![(None, 1.0)],
        }
    }
}

fn child<'a>(
    at: &Todo<'a>,
    player: Player,
    action: Action,
    blueprint: &'a Blueprint,
) -> Result<Todo<'a>, ResolveError> {
    let hand =
        at.hand.act(action).map_err(|source| ResolveError::Action { street: at.hand.street(), source })?;
    let is_asked = at.is_asked && at.asked.first().is_some_and(|&next| is_same(next, action));
    let asked = if is_asked { at.asked[1..].to_vec() } else { Vec::new() };
    let raiser = action.total().map(|_| player).or(at.raiser);
    let position = at.position.as_ref().and_then(|position| {
        let place = position.actions().iter().position(|&other| is_same(other, action))?;
        blueprint.act(position, place)
    });
    Ok(Todo { hand, asked, is_asked, raiser, position })
}

/// Equities of each class against each other, row by row.
fn equities() -> &'static Vec<f32> {
    static EQUITIES: std::sync::OnceLock<Vec<f32>> = std::sync::OnceLock::new();
    EQUITIES.get_or_init(|| {
        let table = ClassTable::shipped();
        let equity = |own: HandClass, other: HandClass| {
            let matchup = table.matchup(own, other);
            if matchup.num_combos() > 0 { matchup.equity() as f32 } else { 0.0 }
        };
        HandClass::all().flat_map(|own| HandClass::all().map(move |other| equity(own, other))).collect()
    })
}
