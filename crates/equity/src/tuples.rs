//! Exact equity before the flop, one choice of combos at a time.
//!
//! For narrow ranges: every choice of one combo for each player is brought to the representative of its class under
//! the suit permutations that leave the matchup unchanged, and the runouts of each class are counted once by ranks.

use std::collections::HashMap;

use equipoise_cards::{CardSet, Combo};
use equipoise_progress::{Observer, Progress};

use crate::matchup::Matchup;
use crate::options::EquityError;
use crate::rank_sums::{count_heads_up, count_multiway};
use crate::symmetry::Symmetry;
use crate::totals::Totals;
use crate::work::sum_parts;

/// The most players for whom a choice of combos fits the key by which classes are found.
const MAX_KEYED_PLAYERS: usize = 12;

/// Choices of combos that are alike.
struct Class {
    combos: Vec<u16>,
    /// Sum of the products of the combos' weights.
    weight: f64,
    /// The choices themselves, if results by combo are wanted.
    members: Vec<Vec<u16>>,
    member_weight: f64,
}

pub(crate) fn count(
    matchup: &Matchup,
    symmetry: &Symmetry,
    empty: &Totals,
    observer: &mut dyn Observer,
) -> Result<Totals, EquityError> {
    let classes = classes(matchup, symmetry, empty.has_details());
    let progress = Progress::new(observer, classes.len() as u64);
    sum_parts(&classes, empty, |classes, totals| {
        for class in classes {
            add_class(class, matchup.dead(), totals);
            progress.advance(1)?;
        }
        Ok(())
    })
}

fn add_class(class: &Class, dead: CardSet, totals: &mut Totals) {
    let combos: Vec<Combo> =
        class.combos.iter().filter_map(|&index| Combo::from_index(usize::from(index))).collect();
    let outcomes: Vec<(u32, u64)> = match combos[..] {
        [a, b] => [1, 2, 3].into_iter().zip(count_heads_up([a, b], dead)).collect(),
        _ => count_multiway(&combos, dead).into_iter().collect(),
    };
    for (winners, count) in outcomes {
        totals.add(winners, class.weight * count as f64);
        for member in &class.members {
            totals.add_details(member, winners, class.member_weight * count as f64);
        }
    }
}

fn classes(matchup: &Matchup, symmetry: &Symmetry, keep_members: bool) -> Vec<Class> {
    let ranges: Vec<Vec<(u16, CardSet, f64)>> = matchup
        .ranges()
        .iter()
        .map(|range| {
            range.iter().map(|(combo, w)| (combo.index() as u16, combo.cards(), f64::from(w))).collect()
        })
        .collect();
    let in_any = |combo: &Combo| matchup.ranges().iter().any(|range| range.get(*combo) != 0.0);
    let all: Vec<Combo> = Combo::all().filter(in_any).collect();
    let maps = symmetry.combo_maps(&all);
    let mut found: HashMap<u128, usize> = HashMap::new();
    let mut classes: Vec<Class> = Vec::new();
    for_each_choice(&ranges, &mut |combos, weight| {
        let next = classes.len();
        let id = if combos.len() <= MAX_KEYED_PLAYERS {
            *found.entry(class_key(combos, &maps)).or_insert(next)
        } else {
            next
        };
        if id == next {
            let combos = combos.to_vec();
            classes.push(Class { combos, weight: 0.0, members: Vec::new(), member_weight: weight });
        }
        classes[id].weight += weight;
        if keep_members {
            classes[id].members.push(combos.to_vec());
        }
    });
    classes
}

/// The smallest number that a permutation makes of a choice.
fn class_key(combos: &[u16], maps: &[Vec<u16>]) -> u128 {
    let key = |map: &Vec<u16>| {
        combos
            .iter()
            .fold(0u128, |key, &combo| key * Combo::COUNT as u128 + u128::from(map[usize::from(combo)]))
    };
    maps.iter().map(key).min().unwrap_or(0)
}

/// Calls `visit` with each choice of combos that share no card, and the product of their weights.
pub(crate) fn for_each_choice(ranges: &[Vec<(u16, CardSet, f64)>], visit: &mut dyn FnMut(&[u16], f64)) {
    fn go(
        ranges: &[Vec<(u16, CardSet, f64)>],
        used: CardSet,
        weight: f64,
        chosen: &mut Vec<u16>,
        visit: &mut dyn FnMut(&[u16], f64),
    ) {
        let Some((first, rest)) = ranges.split_first() else { return visit(chosen, weight) };
        for &(combo, cards, w) in first.iter().filter(|entry| !entry.1.intersects(used)) {
            chosen.push(combo);
            go(rest, used | cards, weight * w, chosen, visit);
            chosen.pop();
        }
    }
    go(ranges, CardSet::EMPTY, 1.0, &mut Vec::with_capacity(ranges.len()), visit);
}
