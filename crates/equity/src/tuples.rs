//! Exact equity before the flop, one choice of combos at a time.
//!
//! For narrow ranges. The runouts of a choice of one combo for each player depend on the ranks that each player holds and on
//! what each holds of a suit, whatever that suit is. So choices are gathered by the ranks, and among these by their four
//! suits in any order: one of each such class is counted, together with all classes of the same ranks.

use std::collections::HashMap;

use equipoise_cards::{CardSet, Combo, Suit};
use equipoise_progress::{Observer, Progress};

use crate::matchup::Matchup;
use crate::options::EquityError;
use crate::rank_sums::RankGroup;
use crate::totals::Totals;
use crate::work::sum_parts;

/// The most players for whom a choice of combos fits the keys by which classes are found.
const MAX_KEYED_PLAYERS: usize = 12;

/// Choices of combos that are alike.
struct Class {
    combos: Vec<u16>,
    /// Sum of the products of the combos' weights.
    weight: f64,
    /// The choices themselves with their weights, if results by combo are wanted.
    members: Vec<(Vec<u16>, f64)>,
}

/// Classes of the same ranks.
#[derive(Default)]
struct SameRanks {
    classes: Vec<Class>,
    /// Where each is, by its key.
    found: HashMap<SuitKey, usize>,
}

/// The ranks that each player holds.
type RankKey = u128;

/// For each suit, which of their ranks the players hold in it and which are dead, in ascending order.
type SuitKey = [u64; Suit::COUNT];

pub(crate) fn count(
    matchup: &Matchup,
    empty: &Totals,
    observer: &mut dyn Observer,
) -> Result<Totals, EquityError> {
    let groups = same_ranks(matchup, empty.has_details());
    let num_classes: usize = groups.iter().map(|group| group.classes.len()).sum();
    let progress = Progress::new(observer, num_classes as u64);
    sum_parts(&groups, empty, |groups, totals| {
        for SameRanks { classes, .. } in groups {
            let mut group = RankGroup::new(&classes[0].combos(), matchup.dead());
            for class in classes {
                class.add(&mut group, totals);
                progress.advance(1)?;
            }
        }
        Ok(())
    })
}

impl Class {
    fn combos(&self) -> Vec<Combo> {
        self.combos.iter().filter_map(|&index| Combo::from_index(usize::from(index))).collect()
    }

    fn add(&self, group: &mut RankGroup, totals: &mut Totals) {
        for (winners, count) in group.count(&self.combos()) {
            totals.add(winners, self.weight * count as f64);
            for (member, weight) in &self.members {
                totals.add_details(member, winners, weight * count as f64);
            }
        }
    }
}

fn same_ranks(matchup: &Matchup, keep_members: bool) -> Vec<SameRanks> {
    let ranges: Vec<Vec<(u16, CardSet, f64)>> = matchup
        .ranges()
        .iter()
        .map(|range| {
            range.iter().map(|(combo, w)| (combo.index() as u16, combo.cards(), f64::from(w))).collect()
        })
        .collect();
    let keys: Vec<Key> = Combo::all().map(Key::of).collect();
    let dead = Suit::ALL.map(|suit| u64::from(matchup.dead().ranks_of(suit)));
    let mut found: HashMap<RankKey, usize> = HashMap::new();
    let mut groups: Vec<SameRanks> = Vec::new();
    for_each_choice(&ranges, &mut |combos, weight| {
        let is_keyed = combos.len() <= MAX_KEYED_PLAYERS;
        let (ranks, suits) = if is_keyed { key_of(combos, &keys, dead) } else { (0, [0; Suit::COUNT]) };
        let next = groups.len();
        let id = if is_keyed { *found.entry(ranks).or_insert(next) } else { next };
        if id == next {
            groups.push(SameRanks::default());
        }
        let SameRanks { classes, found } = &mut groups[id];
        let id = *found.entry(suits).or_insert(classes.len());
        if id == classes.len() {
            classes.push(Class { combos: combos.to_vec(), weight: 0.0, members: Vec::new() });
        }
        classes[id].weight += weight;
        if keep_members {
            classes[id].members.push((combos.to_vec(), weight));
        }
    });
    groups
}

/// What a combo brings to the keys of a choice.
struct Key {
    /// Its two ranks, below 13².
    ranks: u8,
    /// For each suit, whether it holds the lower and the higher rank in it; both are the lower if they are equal.
    suits: SuitKey,
}

impl Key {
    fn of(combo: Combo) -> Key {
        let [low, high] = [combo.low(), combo.high()];
        let mut suits = [0; Suit::COUNT];
        suits[low.suit().index()] |= 1;
        suits[high.suit().index()] |= if low.rank() == high.rank() { 1 } else { 2 };
        Key { ranks: (13 * low.rank().index() + high.rank().index()) as u8, suits }
    }
}

/// The keys of a choice; choices with equal keys are alike.
fn key_of(combos: &[u16], keys: &[Key], dead: SuitKey) -> (RankKey, SuitKey) {
    let (mut ranks, mut suits) = (0, dead);
    for &combo in combos {
        let key = &keys[usize::from(combo)];
        ranks = ranks * 169 + RankKey::from(key.ranks);
        suits.iter_mut().zip(key.suits).for_each(|(suit, held)| *suit = *suit << 2 | held);
    }
    suits.sort_unstable();
    (ranks, suits)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(players: &[&str], dead: &str) -> Vec<SameRanks> {
        let seats = players.iter().map(|text| text.parse().unwrap()).collect();
        let matchup = Matchup::new(seats, "".parse().unwrap(), dead.parse().unwrap()).unwrap();
        same_ranks(&matchup, true)
    }

    /// Equal pairs, and AK against AQ by the number of suits that they share, have as many classes as suits can tell apart.
    #[test]
    fn classes_are_what_suits_can_tell_apart() {
        let sizes = |players: &[&str], dead: &str| {
            let mut sizes: Vec<Vec<usize>> = groups(players, dead)
                .iter()
                .map(|group| group.classes.iter().map(|class| class.members.len()).collect())
                .collect();
            sizes.iter_mut().for_each(|sizes| sizes.sort_unstable());
            sizes
        };
        // No suit shared, one, or two.
        assert_eq!(sizes(&["AA", "KK"], ""), [[6, 6, 24]]);
        // Both pairs of aces take different suits.
        assert_eq!(sizes(&["AA", "AA"], ""), [[6]]);
        // The dead card tells its suit from the others.
        assert_eq!(sizes(&["AKs", "QQ"], "2c"), [[3, 3, 3, 3, 6, 6]]);
        assert_eq!(sizes(&["AA,KK", "QQ"], ""), [[6, 6, 24], [6, 6, 24]]);
    }
}
