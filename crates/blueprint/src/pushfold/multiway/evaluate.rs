//! What actions are worth against given strategies.
//!
//! # The law of the cards
//! Up to three players, exactly: a player's own class, the classes of both opponents and the order of the hands have the joint
//! law of [`ThreeWayJoint`], whether an opponent plays or folds. A fold is "any hand, less the hands that play".
//!
//! From four players on, given the player's class the others hold and play their classes independently of each other, each with
//! the card removal of the player's own cards; an all-in of two or three ranks by its exact or sampled equities. Not more than
//! three players are all-in: who acts after three all-ins folds.

use std::collections::HashMap;

use equipoise_equity::{JointOrders, ShowdownOrder, ThreeWayJoint};
use rayon::prelude::*;

use super::super::solve::{Classes, Matchups, N, dot};
use super::TableStakes;

/// A player's decision: who is all-in before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Decision {
    pub(super) seat: usize,
    pub(super) all_in: u16,
}

/// The most players all-in.
pub(super) const MAX_ALL_IN: u32 = 3;

/// What a decision's range does to one combo of each class of another player.
#[derive(Clone)]
struct Seen {
    /// The probability that the range plays.
    plays: Classes,
    /// That it plays and loses, or shares.
    wins: Classes,
    ties: Classes,
}

/// Strategies with all that follows from one range or from two.
pub(super) struct Profile {
    pub(super) plays: Vec<Classes>,
    seen: Vec<Seen>,
    /// By two decisions; forgotten when one of them changes.
    pairs: HashMap<(usize, usize), JointOrders>,
}

/// What both actions of a decision are worth to one combo of each class, times the probability that it is reached.
pub(super) struct Values {
    pub(super) play: Classes,
    pub(super) fold: Classes,
    pub(super) reach: Classes,
}

pub(super) struct Game<'a> {
    stakes: &'a TableStakes,
    joint: Option<&'a ThreeWayJoint>,
    pub(super) decisions: Vec<Decision>,
    ids: HashMap<Decision, usize>,
    /// What each player gets, by players all-in and order of their hands.
    ends: HashMap<u16, Vec<Vec<f64>>>,
    /// What a player who has folded gets, if it does not depend on the others.
    folded: Vec<Option<f64>>,
}

/// What the others do in one sequence of actions: decision and whether it is played; `None` if there was nothing to decide.
type ActionSequence = Vec<(Option<usize>, usize, bool)>;

impl<'a> Game<'a> {
    pub(super) fn new(stakes: &'a TableStakes, joint: Option<&'a ThreeWayJoint>) -> Game<'a> {
        let num_players = stakes.stacks.len();
        let mut decisions = Vec::new();
        for seat in 0..num_players {
            for all_in in 0..1_u16 << seat {
                let is_walk = all_in == 0 && seat == num_players - 1;
                if all_in.count_ones() < MAX_ALL_IN && !is_walk {
                    decisions.push(Decision { seat, all_in });
                }
            }
        }
        let ids = decisions.iter().enumerate().map(|(id, &decision)| (decision, id)).collect();
        let sets = (0..1_u16 << num_players).filter(|set| set.count_ones() <= MAX_ALL_IN);
        let ends: HashMap<u16, Vec<Vec<f64>>> = sets.map(|set| (set, ends(stakes, set))).collect();
        let folded = (0..num_players)
            .map(|seat| {
                // Of a walk the big blind is the winner.
                let is_out = |set: u16| set >> seat & 1 == 0 && !(set == 0 && seat == num_players - 1);
                let mut values = ends
                    .iter()
                    .filter(|(set, _)| is_out(**set))
                    .flat_map(|(_, orders)| orders)
                    .map(|order| order[seat]);
                let first = values.next()?;
                values.all(|value| value == first).then_some(first)
            })
            .collect();
        Game { stakes, joint, decisions, ids, ends, folded }
    }

    pub(super) fn num_players(&self) -> usize {
        self.stakes.stacks.len()
    }

    pub(super) fn end(&self, all_in: u16, order: usize) -> &[f64] {
        &self.ends[&all_in][order]
    }

    pub(super) fn id(&self, seat: usize, all_in: u16) -> Option<usize> {
        self.ids.get(&Decision { seat, all_in }).copied()
    }

    pub(super) fn profile(&self, plays: Vec<Classes>) -> Profile {
        let seen = plays.par_iter().map(Seen::new).collect();
        Profile { plays, seen, pairs: HashMap::new() }
    }

    /// The values of all decisions of a player.
    pub(super) fn values(&self, seat: usize, profile: &mut Profile) -> Vec<(usize, Values)> {
        self.prepare(seat, profile);
        let own: Vec<usize> =
            (0..self.decisions.len()).filter(|&id| self.decisions[id].seat == seat).collect();
        own.into_par_iter().map(|id| (id, self.values_of(id, profile))).collect()
    }

    /// Computes the pairs of ranges that a player's values need and that are not known.
    fn prepare(&self, seat: usize, profile: &mut Profile) {
        let Some(joint) = self.joint else { return };
        let mut needed: Vec<(usize, usize)> = Vec::new();
        self.for_each_sequence(seat, &mut |_, all_in, others| {
            let ids: Vec<(usize, bool)> =
                others.iter().filter_map(|&(id, _, plays)| Some((id?, plays))).collect();
            let mut need = |first: usize, second: usize| needed.push((first, second));
            if self.num_players() == 3 {
                if let [(first, _), (second, _)] = ids[..] {
                    need(first, second);
                }
                return;
            }
            let playing: Vec<usize> = ids.iter().filter(|(_, plays)| *plays).map(|(id, _)| *id).collect();
            match playing[..] {
                [first, second] if all_in >> seat & 1 == 1 => need(first, second),
                // The first of three others sees the two behind.
                [_, second, third] => need(second, third),
                _ => {}
            }
        });
        needed.sort_unstable();
        needed.dedup();
        needed.retain(|pair| !profile.pairs.contains_key(pair));
        let found: Vec<((usize, usize), JointOrders)> = needed
            .into_par_iter()
            .with_max_len(1)
            .map(|(first, second)| {
                ((first, second), joint.orders(&profile.plays[first], &profile.plays[second]))
            })
            .collect();
        profile.pairs.extend(found);
    }

    /// Every sequence of actions around a player's decisions: the decision, who ends all-in, and what the others do. Courses
    /// after a fold are left out where they do not matter.
    fn for_each_sequence(&self, seat: usize, visit: &mut dyn FnMut(usize, u16, &ActionSequence)) {
        for (id, decision) in self.decisions.iter().enumerate().filter(|(_, decision)| decision.seat == seat)
        {
            for plays in [true, false] {
                if plays || self.folded[seat].is_none() {
                    self.sequences(id, decision, plays, visit);
                }
            }
            if self.folded[seat].is_some() {
                visit(id, decision.all_in, &self.before(decision));
            }
        }
    }

    /// What the players before a decision have done.
    fn before(&self, decision: &Decision) -> ActionSequence {
        let act = |seat: usize| {
            let plays = decision.all_in >> seat & 1 == 1;
            (self.id(seat, decision.all_in & ((1 << seat) - 1)), seat, plays)
        };
        (0..decision.seat).map(act).collect()
    }

    fn sequences(
        &self,
        id: usize,
        decision: &Decision,
        plays: bool,
        visit: &mut dyn FnMut(usize, u16, &ActionSequence),
    ) {
        let all_in = decision.all_in | u16::from(plays) << decision.seat;
        let mut others = self.before(decision);
        self.continue_from(decision.seat + 1, all_in, &mut others, &mut |all_in, others| {
            visit(id, all_in, others);
        });
    }

    fn continue_from(
        &self,
        seat: usize,
        all_in: u16,
        others: &mut ActionSequence,
        visit: &mut dyn FnMut(u16, &ActionSequence),
    ) {
        if seat == self.num_players() {
            return visit(all_in, others);
        }
        let id = self.id(seat, all_in);
        for plays in [false, true] {
            if plays && id.is_none() {
                continue;
            }
            others.push((id, seat, plays));
            self.continue_from(seat + 1, all_in | u16::from(plays) << seat, others, visit);
            others.pop();
        }
    }

    fn values_of(&self, id: usize, profile: &Profile) -> Values {
        let decision = &self.decisions[id];
        let reach = self.mass(&self.before(decision), profile);
        let (mut play, mut fold) = ([0.0; N], [0.0; N]);
        self.sequences(id, decision, true, &mut |_, all_in, others| {
            self.add(decision.seat, all_in, others, profile, &mut play);
        });
        match self.folded[decision.seat] {
            Some(value) => fold = reach.map(|reach| reach * value),
            None => self.sequences(id, decision, false, &mut |_, all_in, others| {
                self.add(decision.seat, all_in, others, profile, &mut fold);
            }),
        }
        Values { play, fold, reach }
    }

    /// What the hand is worth to the big blind if all fold, for each class of it.
    pub(super) fn walk(&self, profile: &mut Profile) -> Classes {
        let seat = self.num_players() - 1;
        self.prepare(seat, profile);
        let others = self.before(&Decision { seat, all_in: 0 });
        let value = self.end(0, 0)[seat];
        self.mass(&others, profile).map(|mass| mass * value)
    }

    /// The probability of what the others do, for one combo of each class.
    fn mass(&self, others: &[(Option<usize>, usize, bool)], profile: &Profile) -> Classes {
        let decided: Vec<(usize, bool)> =
            others.iter().filter_map(|&(id, _, plays)| Some((id?, plays))).collect();
        let mut mass = [1.0; N];
        if let (3, [(first, first_plays), (second, second_plays)]) = (self.num_players(), &decided[..]) {
            let both = both(&profile.pairs[&(*first, *second)]);
            let (a, b) = (&profile.seen[*first].plays, &profile.seen[*second].plays);
            return std::array::from_fn(|class| match (first_plays, second_plays) {
                (true, true) => both[class],
                (true, false) => a[class] - both[class],
                (false, true) => b[class] - both[class],
                (false, false) => 1.0 - a[class] - b[class] + both[class],
            });
        }
        for (id, plays) in decided {
            for (mass, played) in mass.iter_mut().zip(&profile.seen[id].plays) {
                *mass *= if plays { *played } else { 1.0 - played };
            }
        }
        mass
    }

    /// Adds what a sequence pays to a player, times its probability.
    fn add(&self, seat: usize, all_in: u16, others: &ActionSequence, profile: &Profile, sums: &mut Classes) {
        let playing: Vec<(usize, usize)> =
            others.iter().filter(|entry| entry.2).filter_map(|&(id, seat, _)| Some((id?, seat))).collect();
        let plays = all_in >> seat & 1 == 1;
        match (plays, &playing[..]) {
            (_, []) | (false, [_]) => {
                let value = self.end(all_in, 0)[seat];
                let mass = self.mass(others, profile);
                sums.iter_mut().zip(mass).for_each(|(sum, mass)| *sum += mass * value);
            }
            (true, &[(id, other)]) => {
                let masses = self.against_one(others, id, profile);
                // The order is of seats; the player's is of the player.
                for (place, mass) in masses.iter().enumerate() {
                    let order = if seat < other { place } else { 2 - place };
                    let value = self.end(all_in, order)[seat];
                    sums.iter_mut().zip(mass).for_each(|(sum, mass)| *sum += mass * value);
                }
            }
            (true, &[(first, a), (second, b)]) => {
                let mut seats = [(seat, 0), (a, 1), (b, 2)];
                seats.sort_unstable();
                let joint = &profile.pairs[&(first, second)];
                let scale = self.scale(others, joint, profile);
                for order in ShowdownOrder::all() {
                    let value = self.end(all_in, order.seen_by(seats.map(|(_, place)| place)).index())[seat];
                    let masses = joint[order.index()].iter().zip(&scale);
                    sums.iter_mut().zip(masses).for_each(|(sum, (mass, scale))| *sum += mass * scale * value);
                }
            }
            (false, &[(first, _), (second, _)]) if self.num_players() == 3 => {
                let joint = &profile.pairs[&(first, second)];
                for order in ShowdownOrder::all() {
                    let [_, a, b] = order.places();
                    let value = self.end(all_in, usize::from(a >= b) + usize::from(a > b))[seat];
                    sums.iter_mut().zip(&joint[order.index()]).for_each(|(sum, mass)| *sum += mass * value);
                }
            }
            (false, _) => {
                let value: f64 = self
                    .among_others(&playing, profile)
                    .iter()
                    .enumerate()
                    .map(|(order, share)| share * self.end(all_in, order)[seat])
                    .sum();
                let mass = self.mass(others, profile);
                sums.iter_mut().zip(mass).for_each(|(sum, mass)| *sum += mass * value);
            }
            (true, _) => unreachable!("at most three players are all-in"),
        }
    }

    /// One opponent plays, the others fold: the masses of winning, sharing and losing.
    fn against_one(&self, others: &ActionSequence, id: usize, profile: &Profile) -> [Classes; 3] {
        let seen = &profile.seen[id];
        let losses = std::array::from_fn(|class| seen.plays[class] - seen.wins[class] - seen.ties[class]);
        let mut masses = [seen.wins, seen.ties, losses];
        let folding: Vec<usize> = others.iter().filter(|entry| !entry.2).filter_map(|&(id, ..)| id).collect();
        if let (3, &[folding]) = (self.num_players(), &folding[..]) {
            // Less the deals in which the other opponent would play as well.
            let (joint, place) = if id < folding {
                (&profile.pairs[&(id, folding)], 1)
            } else {
                (&profile.pairs[&(folding, id)], 2)
            };
            for order in ShowdownOrder::all() {
                let (own, other) = (order.places()[0], order.places()[place]);
                let result = usize::from(own >= other) + usize::from(own > other);
                masses[result].iter_mut().zip(&joint[order.index()]).for_each(|(mass, both)| *mass -= both);
            }
            return masses;
        }
        for id in folding {
            for mass in &mut masses {
                mass.iter_mut().zip(&profile.seen[id].plays).for_each(|(mass, plays)| *mass *= 1.0 - plays);
            }
        }
        masses
    }

    /// What the joint masses of two opponents are multiplied by for the players who fold.
    fn scale(&self, others: &ActionSequence, joint: &JointOrders, profile: &Profile) -> Classes {
        if self.num_players() == 3 {
            return [1.0; N];
        }
        let (mut scale, both) = (self.mass(others, profile), both(joint));
        for (class, scale) in scale.iter_mut().enumerate() {
            // Opponents who are independent of each other, as everywhere else: only the order is of the joint law.
            *scale = if both[class] > 0.0 { *scale / both[class] } else { 0.0 };
        }
        scale
    }

    /// How two or three players rank, by seats, seen by nobody.
    fn among_others(&self, playing: &[(usize, usize)], profile: &Profile) -> Vec<f64> {
        let dealt = &Matchups::get().dealt;
        let own = &profile.plays[playing[0].0];
        let weight = |class: usize| dealt[class] * own[class];
        let mut shares = match *playing {
            [_, (other, _)] => {
                let seen = &profile.seen[other];
                let mut shares = vec![0.0; 3];
                for class in 0..N {
                    let (wins, ties) = (seen.wins[class], seen.ties[class]);
                    for (share, mass) in shares.iter_mut().zip([wins, ties, seen.plays[class] - wins - ties])
                    {
                        *share += weight(class) * mass;
                    }
                }
                shares
            }
            [_, (second, _), (third, _)] => {
                let joint = &profile.pairs[&(second, third)];
                joint.iter().map(|masses| (0..N).map(|class| weight(class) * masses[class]).sum()).collect()
            }
            _ => unreachable!("two or three players are all-in"),
        };
        let sum: f64 = shares.iter().sum();
        if sum > 0.0 {
            shares.iter_mut().for_each(|share| *share /= sum);
        } else {
            shares.fill(0.0);
        }
        shares
    }
}

/// The probability that both opponents play.
fn both(joint: &JointOrders) -> Classes {
    std::array::from_fn(|class| joint.iter().map(|masses| masses[class]).sum())
}

/// What every order of the players all-in pays to each player: one order of none or one, three of two, thirteen of three.
fn ends(stakes: &TableStakes, all_in: u16) -> Vec<Vec<f64>> {
    let seats: Vec<usize> = (0..stakes.stacks.len()).filter(|seat| all_in >> seat & 1 == 1).collect();
    let of = |ranked: &[u8]| {
        let mut places = vec![0; stakes.stacks.len()];
        seats.iter().zip(ranked).for_each(|(&seat, &place)| places[seat] = place);
        stakes.values_after(all_in, &places)
    };
    match seats.len() {
        0 | 1 => vec![of(&[0])],
        2 => [[0, 1], [0, 0], [1, 0]].map(|ranked| of(&ranked)).to_vec(),
        _ => ShowdownOrder::all().map(|order| of(&order.places())).collect(),
    }
}

impl Seen {
    fn new(plays: &Classes) -> Seen {
        let matchups = Matchups::get();
        let by = |rows: &[Classes]| std::array::from_fn(|class| dot(&rows[class], plays));
        Seen { plays: by(&matchups.holds), wins: by(&matchups.wins), ties: by(&matchups.splits) }
    }
}

impl Profile {
    /// Replaces the strategy of a decision.
    pub(super) fn set(&mut self, id: usize, plays: Classes) {
        self.plays[id] = plays;
        self.seen[id] = Seen::new(&plays);
        self.pairs.retain(|(first, second), _| *first != id && *second != id);
    }
}
