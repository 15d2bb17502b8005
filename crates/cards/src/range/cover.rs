//! The shortest list of patterns that names given classes: a weighted set cover.
//!
//! The greedy choice (the fewest letters per class newly named) comes first. Then a local search forces each pattern
//! in turn into the list, either beside the others or in place of all that it touches, fills what is missing
//! greedily, strikes what has become superfluous, and keeps the result if it is shorter; at last it forces in
//! pseudo-random sets of patterns. All of it is deterministic.

use std::cmp::Reverse;

use super::run::{ClassSet, PATTERNS, Pattern};
use crate::hand_class::HandClass;

/// What a list of patterns has to name.
pub(super) struct Problem {
    /// Every one of these classes.
    pub(super) must: ClassSet,
    /// Any of these.
    pub(super) may: ClassSet,
    /// Any of these too, for this many letters each; `u32::MAX` forbids, as does `None` for all.
    pub(super) price: Option<[u32; HandClass::COUNT]>,
    /// Letters that every pattern needs beside its own: weight and comma.
    pub(super) extra: u32,
    /// How many pseudo-random attempts to make.
    pub(super) attempts: u32,
}

/// A letter costs this much, and a pattern 1 beside its letters: of two lists of the same length the one with fewer
/// patterns wins.
const LETTER: u32 = 256;

/// A pattern that helps with the problem at hand.
struct Candidate {
    pattern: &'static Pattern,
    must: ClassSet,
    priced: ClassSet,
    cost: u32,
}

struct Solver<'a> {
    problem: &'a Problem,
    priced: ClassSet,
    candidates: Vec<Candidate>,
}

/// The patterns of a short list that solves the problem.
pub(super) fn cover(problem: &Problem) -> Vec<&'static Pattern> {
    let solver = Solver::new(problem);
    let mut best = solver.complete(Vec::new());
    if best.len() > 1 {
        solver.improve(&mut best);
        solver.shake(&mut best);
    }
    best.iter().map(|&i| solver.candidates[i].pattern).collect()
}

impl<'a> Solver<'a> {
    fn new(problem: &'a Problem) -> Solver<'a> {
        let has_price =
            |class: &HandClass| problem.price.as_ref().is_some_and(|price| price[class.index()] != u32::MAX);
        let priced: ClassSet = HandClass::all().filter(has_price).collect();
        let priced = priced.minus(problem.must).minus(problem.may);
        let mut solver = Solver { problem, priced, candidates: Vec::new() };
        solver.candidates = solver.undominated();
        solver
    }

    /// The letters for the classes named against a price.
    fn price(&self, classes: ClassSet) -> u32 {
        let price = |class: HandClass| self.problem.price.as_ref().map_or(0, |price| price[class.index()]);
        if classes.is_empty() { 0 } else { LETTER * classes.iter().map(price).sum::<u32>() }
    }

    /// The patterns that no other is plainly better than: the wider run at the same cost, the narrower one that names
    /// as many of the classes that must be named, or these one by one.
    fn undominated(&self) -> Vec<Candidate> {
        let &Problem { must, may, extra, .. } = self.problem;
        let allowed = must.or(may).or(self.priced);
        let useful =
            |pattern: &Pattern| pattern.classes.is_subset(allowed) && pattern.classes.intersects(must);
        let mut kept: Vec<bool> = PATTERNS.iter().map(useful).collect();
        for (i, wide) in PATTERNS.iter().enumerate() {
            if !kept[i] {
                continue;
            }
            let wide_must = wide.classes.and(must);
            for narrow_id in wide.narrower.into_iter().flatten() {
                let narrow = &PATTERNS[narrow_id];
                let cut = wide.classes.minus(narrow.classes);
                if narrow.len <= wide.len && !cut.intersects(must) {
                    kept[i] = false;
                } else if wide.len <= narrow.len && cut.intersects(must) && !cut.intersects(self.priced) {
                    kept[narrow_id] = false;
                }
            }
            let priced = wide.classes.and(self.priced);
            let one_by_one = wide_must.len() * (3 + extra) * LETTER;
            if !priced.is_empty() && self.price(priced) + (wide.len + extra) * LETTER > one_by_one {
                kept[i] = false;
            }
        }
        let kept = PATTERNS.iter().zip(kept).filter(|(_, kept)| *kept);
        kept.map(|(pattern, _)| Candidate {
            pattern,
            must: pattern.classes.and(must),
            priced: pattern.classes.and(self.priced),
            cost: LETTER * (pattern.len + extra) + 1,
        })
        .collect()
    }

    fn cost(&self, chosen: &[usize]) -> u32 {
        let letters: u32 = chosen.iter().map(|&i| self.candidates[i].cost).sum();
        let priced = chosen.iter().fold(ClassSet::EMPTY, |set, &i| set.or(self.candidates[i].priced));
        letters + self.price(priced)
    }

    /// Adds patterns greedily until nothing is missing, and strikes what is superfluous.
    fn complete(&self, mut chosen: Vec<usize>) -> Vec<usize> {
        let mut missing = self.problem.must;
        let mut paid = ClassSet::EMPTY;
        for &i in &chosen {
            missing = missing.minus(self.candidates[i].must);
            paid = paid.or(self.candidates[i].priced);
        }
        let mut helpful: Vec<usize> =
            (0..self.candidates.len()).filter(|&i| self.candidates[i].must.intersects(missing)).collect();
        while !missing.is_empty() {
            // Single classes are always candidates, so something is found as long as something is missing.
            let Some(next) = self.greedy_choice(&helpful, missing, paid) else { break };
            missing = missing.minus(self.candidates[next].must);
            paid = paid.or(self.candidates[next].priced);
            chosen.push(next);
            helpful.retain(|&i| self.candidates[i].must.intersects(missing));
        }
        self.strike_superfluous(&mut chosen);
        chosen
    }

    /// The candidate with the smallest cost per class that was missing.
    fn greedy_choice(&self, helpful: &[usize], missing: ClassSet, paid: ClassSet) -> Option<usize> {
        let mut best: Option<(usize, u32, u32)> = None;
        for &i in helpful {
            let candidate = &self.candidates[i];
            let gain = candidate.must.and(missing).len();
            let is_better = |cost: u32| best.is_none_or(|(_, least, most)| cost * most < least * gain);
            // Summing prices is slow, so it is left to those that would be better without.
            if is_better(candidate.cost) {
                let cost = candidate.cost + self.price(candidate.priced.minus(paid));
                if is_better(cost) {
                    best = Some((i, cost, gain));
                }
            }
        }
        best.map(|(i, ..)| i)
    }

    /// Strikes patterns whose classes the others name, the costliest first.
    fn strike_superfluous(&self, chosen: &mut Vec<usize>) {
        chosen.sort_by_key(|&i| Reverse(self.candidates[i].cost));
        let mut i = 0;
        while i < chosen.len() {
            let must = self.candidates[chosen[i]].must;
            let others = chosen.iter().filter(|&&other| other != chosen[i]);
            let named = others.fold(ClassSet::EMPTY, |set, &other| set.or(self.candidates[other].must));
            if must.is_subset(named) {
                chosen.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Forces in one candidate after the other, as long as that makes the list shorter.
    fn improve(&self, best: &mut Vec<usize>) {
        let mut best_cost = self.cost(best);
        let mut since_success = 0;
        let wide: Vec<usize> =
            (0..self.candidates.len()).filter(|&i| self.candidates[i].must.len() > 1).collect();
        for &forced in wide.iter().cycle() {
            if since_success == wide.len() {
                break;
            }
            since_success += 1;
            if best.contains(&forced) {
                continue;
            }
            let mut beside = best.clone();
            beside.push(forced);
            self.strike_superfluous(&mut beside);
            let instead = self.complete(self.instead(best, &[forced]));
            for list in [beside, instead] {
                let cost = self.cost(&list);
                if cost < best_cost {
                    (*best, best_cost, since_success) = (list, cost, 0);
                }
            }
        }
    }

    /// The list with these candidates in place of all that share a class with them.
    fn instead(&self, chosen: &[usize], forced: &[usize]) -> Vec<usize> {
        let touched = forced.iter().fold(ClassSet::EMPTY, |set, &i| set.or(self.candidates[i].must));
        let apart = chosen.iter().copied().filter(|&i| !self.candidates[i].must.intersects(touched));
        apart.chain(forced.iter().copied()).collect()
    }

    /// Forces in pseudo-random candidates repeatedly, and continues from the result unless it is longer.
    fn shake(&self, best: &mut Vec<usize>) {
        let mut best_cost = self.cost(best);
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % below
        };
        for _ in 0..self.problem.attempts {
            let num_forced = 1 + random(3);
            let mut forced: Vec<usize> = (0..num_forced).map(|_| random(self.candidates.len())).collect();
            forced.sort_unstable();
            forced.dedup();
            let list = self.complete(self.instead(best, &forced));
            let cost = self.cost(&list);
            if cost <= best_cost {
                (*best, best_cost) = (list, cost);
            }
        }
    }
}
