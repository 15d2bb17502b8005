//! Counting every betting sequence of a heads-up hand.
//!
//! A street is walked once for each number of chips that it can begin with. Within it a sequence matters only through who
//! acts, the bet to beat and the last increment, so sequences that agree in these are counted together: states are kept in
//! layers by the bet to beat, and the raises of a layer's states, which are intervals that all end with all-in, are added up
//! as running sums. All bounds are those of [`HandState::legal_actions`], and every state is come to by [`HandState::act`].

use std::collections::BTreeMap;
use std::rc::Rc;

use equipoise_cards::Street;
use num_bigint::BigUint;
use thiserror::Error;

use super::config::{HandConfig, HandConfigError};
use super::state::HandState;
use crate::action::Action;
use crate::chips::Chips;
use crate::player::Player;
use crate::tree::NodeKind;

/// How large heads-up no-limit hold'em is with these blinds and stacks.
///
/// ```
/// use equipoise_game::{Chips, GameCount, HandConfig};
/// // Two big blinds: limp, jam or fold before the flop; after it checks and one bet.
/// let count = GameCount::of(&HandConfig::new(Chips::new(1), Chips::new(2), Chips::new(4)))?;
/// assert_eq!(count.sequences().each_ref().map(ToString::to_string), ["4", "4", "4", "4"]);
/// # Ok::<(), equipoise_game::GameCountError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameCount {
    sequences: [BigUint; 4],
}

/// Why a game is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameCountError {
    /// No hand can begin so.
    #[error(transparent)]
    Config(#[from] HandConfigError),
    /// Too many different bets.
    #[error(
        "an effective stack of {stack} chips has too many bets to count: the most is {}, so choose a larger unit",
        GameCount::MAX_STACK
    )]
    TooDeep {
        /// The effective stack.
        stack: Chips,
    },
}

/// Deals of both hands and the board, by street.
const DEALS: [u64; 4] =
    [1326 * 1225, 1326 * 1225 * 17_296, 1326 * 1225 * 17_296 * 45, 1326 * 1225 * 17_296 * 45 * 44];
/// Deals of one hand and the board, by street.
const VIEWS: [u64; 4] = [1326, 1326 * 19_600, 1326 * 19_600 * 47, 1326 * 19_600 * 47 * 46];

impl GameCount {
    /// The largest effective stack that is counted: the time grows with its cube.
    pub const MAX_STACK: Chips = Chips::new(1_000);

    /// Counts the game through its own legal actions.
    ///
    /// # Errors
    /// If no hand can begin so, or if stacks are too deep.
    pub fn of(config: &HandConfig) -> Result<GameCount, GameCountError> {
        let start = HandState::new(config)?;
        if start.effective_stack() > GameCount::MAX_STACK {
            return Err(GameCountError::TooDeep { stack: start.effective_stack() });
        }
        let mut sequences: [BigUint; 4] = Default::default();
        // Beginnings of a street by the chips that each has bet, with the number of sequences that lead there.
        let mut beginnings = BTreeMap::from([(Chips::ZERO, (start, BigUint::from(1_u32)))]);
        // The three streets after the flop have the same betting.
        let mut known: BTreeMap<Chips, Rc<StreetCount>> = BTreeMap::new();
        for street in Street::ALL {
            let mut next: BTreeMap<Chips, (HandState, BigUint)> = BTreeMap::new();
            for (chips, (state, ways)) in beginnings {
                let count = match street {
                    Street::Preflop => Rc::new(StreetCount::of(state)),
                    _ => Rc::clone(known.entry(chips).or_insert_with(|| Rc::new(StreetCount::of(state)))),
                };
                sequences[street as usize] += &ways * count.num_decisions;
                for (&chips, (ending, num_ways)) in &count.endings {
                    let next = next.entry(chips).or_insert_with(|| (*ending, BigUint::ZERO));
                    next.1 += &ways * *num_ways;
                }
            }
            beginnings = next;
        }
        Ok(GameCount { sequences })
    }

    /// Betting sequences at whose end a player acts, by the street on which that is.
    #[must_use]
    pub const fn sequences(&self) -> &[BigUint; 4] {
        &self.sequences
    }

    /// Decisions with all deals of both hands and the board.
    #[must_use]
    pub fn states(&self) -> BigUint {
        self.weighted(&DEALS)
    }

    /// Information sets: decisions with all deals of one hand and the board.
    #[must_use]
    pub fn infosets(&self) -> BigUint {
        self.weighted(&VIEWS)
    }

    fn weighted(&self, deals: &[u64; 4]) -> BigUint {
        self.sequences.iter().zip(deals).map(|(count, &deals)| count * deals).sum()
    }
}

/// The betting of one street from one beginning. 128 bits are enough: the raises of a sequence never shrink, so there are
/// fewer sequences than partitions of the stack, of which 1,000 chips have 2.4 · 10^31.
struct StreetCount {
    num_decisions: u128,
    /// The next street's beginnings by the chips that each has bet, with the number of sequences that lead there.
    endings: BTreeMap<Chips, Counted>,
}

/// A state and the number of sequences that lead to it or to one that is played on in the same way.
type Counted = (HandState, u128);

impl StreetCount {
    fn of(start: HandState) -> StreetCount {
        let mut count = StreetCount { num_decisions: 0, endings: BTreeMap::new() };
        if start.to_act().is_none() {
            return count;
        }
        let to_beat =
            |state: &HandState| Player::ALL.map(|player| state.street_total(player)).into_iter().max();
        let all_in = start.behind().count() + to_beat(&start).map_or(0, Chips::count);
        let mut layers: Vec<Vec<Counted>> = vec![Vec::new(); all_in as usize + 1];
        layers[to_beat(&start).map_or(0, Chips::count) as usize].push((start, 1));
        for bet in 0..layers.len() {
            let mut layer = std::mem::take(&mut layers[bet]);
            // Checks and limps leave the bet to beat unchanged, so they lengthen the layer.
            let mut done = 0;
            while let Some((state, ways)) = layer.get(done).copied() {
                if let Some(next) = count.passive(&state, ways) {
                    layer.push((next, ways));
                }
                done += 1;
            }
            for player in Player::ALL {
                let of_player = layer.iter().filter(|(state, _)| state.to_act() == Some(player));
                raises(of_player, &mut layers);
            }
        }
        count
    }

    /// Counts a decision and what follows a check or call; the state after it if the street continues.
    fn passive(&mut self, state: &HandState, ways: u128) -> Option<HandState> {
        self.num_decisions += ways;
        let legal = state.legal_actions()?;
        let action = if legal.to_call() > Chips::ZERO { Action::Call } else { Action::Check };
        let next = state.act(action).expect("it is legal");
        match next.kind() {
            NodeKind::Decision(_) => return Some(next),
            NodeKind::Chance => {
                let beginning = next.deal().expect("a card comes");
                let chips = beginning.hand_total(Player::Oop);
                self.endings.entry(chips).or_insert((beginning, 0)).1 += ways;
            }
            _ => {}
        }
        None
    }
}

/// Adds what the raises of a layer's states lead to. The states have the same bet to beat and the same player.
fn raises<'a>(states: impl Iterator<Item = &'a Counted>, layers: &mut [Vec<Counted>]) {
    let mut by_least: BTreeMap<u32, Counted> = BTreeMap::new();
    let mut all_in = None;
    for (state, ways) in states {
        let Some((least, largest)) = state.legal_actions().and_then(|legal| legal.totals()) else { continue };
        all_in = Some(largest.count());
        by_least.entry(least.count()).or_insert((*state, 0)).1 += ways;
    }
    let (Some(all_in), Some(&first)) = (all_in, by_least.keys().next()) else { return };
    let mut ways = 0;
    let mut from = by_least[&first].0;
    for total in first..=all_in {
        if let Some((state, more)) = by_least.get(&total) {
            from = *state;
            ways += more;
        }
        let next = from.bet_to(Chips::new(total)).expect("it is legal");
        layers[total as usize].push((next, ways));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sequence, one by one.
    fn walk(state: HandState, counts: &mut [u64; 4]) {
        match state.kind() {
            NodeKind::Chance => walk(state.deal().unwrap(), counts),
            NodeKind::Decision(_) => {
                counts[state.street() as usize] += 1;
                let legal = state.legal_actions().unwrap();
                for &action in legal.passive() {
                    walk(state.act(action).unwrap(), counts);
                }
                if let Some((least, largest)) = legal.totals() {
                    for total in least.count()..=largest.count() {
                        walk(state.bet_to(Chips::new(total)).unwrap(), counts);
                    }
                }
            }
            _ => {}
        }
    }

    #[test]
    fn small_games_one_by_one() {
        for (small, big, stack) in
            [(1, 2, 4), (1, 2, 9), (0, 1, 5), (1, 1, 5), (2, 3, 2), (1, 2, 2), (1, 4, 12)]
        {
            let config = HandConfig::new(Chips::new(small), Chips::new(big), Chips::new(stack));
            let mut want = [0; 4];
            walk(HandState::new(&config).unwrap(), &mut want);
            let count = GameCount::of(&config).unwrap();
            assert_eq!(
                count.sequences().each_ref().map(BigUint::to_string),
                want.map(|n| n.to_string()),
                "{config:?}"
            );
        }
    }

    /// The published counts of this game to the last digit: any slip in the rules shows.
    #[test]
    fn two_hundred_big_blinds_to_the_last_digit() {
        let count = GameCount::of(&HandConfig::new(Chips::new(1), Chips::new(2), Chips::new(400))).unwrap();
        let sequences = count.sequences().each_ref().map(BigUint::to_string);
        assert_eq!(
            sequences,
            [
                "22356932810381617952",
                "991128958090496880750943840",
                "491790181641500622601471459422400",
                "24721582900925290560417101717755997728"
            ]
        );
        assert_eq!(count.states().to_string(), "1375203442350500983963565602824903351778252845259200");
        assert_eq!(count.infosets().to_string(), "1389094358906842392181537788403345780331801813952");
    }

    #[test]
    fn what_is_not_counted() {
        let deep = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000));
        assert!(matches!(GameCount::of(&deep), Err(GameCountError::TooDeep { .. })));
        let none = HandConfig::new(Chips::ZERO, Chips::ZERO, Chips::new(20));
        assert!(matches!(GameCount::of(&none), Err(GameCountError::Config(_))));
    }
}
