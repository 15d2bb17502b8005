use proptest::prelude::*;

use super::*;
use crate::bucketed::real::Real;
use equipoise_cfr::{Algorithm, Scheme};

/// Random numbers that a test needs: a few combos of few cards on a board with groups of equal strength.
#[derive(Clone, Debug)]
struct Case {
    cards: Vec<[u8; 2]>,
    ends: Vec<u16>,
    buckets: Vec<u32>,
    numbers: Vec<f64>,
}

const NUM_BUCKETS: usize = 5;

fn case() -> impl Strategy<Value = Case> {
    let pairs: Vec<[u8; 2]> = (0..9).flat_map(|low| (low + 1..10).map(move |high| [low, high])).collect();
    let cards = proptest::sample::subsequence(pairs, 1..40).prop_shuffle();
    (cards, proptest::collection::vec(any::<bool>(), 40), proptest::collection::vec(-1.0..1.0, 400)).prop_map(
        |(cards, is_end, numbers)| {
            let last = cards.len() as u16;
            let inner = (1..last).filter(|&end| is_end[usize::from(end)]);
            let ends = inner.chain([last]).collect();
            let buckets =
                cards.iter().map(|[low, high]| u32::from(low * 3 + high) % NUM_BUCKETS as u32).collect();
            Case { cards, ends, buckets, numbers }
        },
    )
}

impl Case {
    fn rows<R: Real, const L: usize>(&self, first: usize, len: usize) -> Vec<[R; L]> {
        let mut numbers = self.numbers.iter().cycle().skip(first);
        let mut row = || std::array::from_fn(|_| R::of(*numbers.next().unwrap()));
        (0..len).map(|_| row()).collect()
    }

    /// What every kernel makes of the numbers.
    fn results<R: Real, const L: usize>(&self, isa: Isa) -> Vec<f64> {
        let len = self.cards.len();
        let mut reach = self.rows::<R, L>(1, len);
        reach.push([R::ZERO; L]);
        let strategy = self.rows::<R, L>(7, NUM_BUCKETS);
        let (buckets, cards) = (&self.buckets, &self.cards);
        let same: Vec<u16> = (0..len as u16).collect();
        let groups: Vec<[u16; 2]> = self.ends.iter().map(|&end| [end, end]).collect();
        let pays = self.rows::<R, L>(11, 2);
        let mut to = self.rows::<R, L>(3, len);
        let mut sums = self.rows::<R, L>(5, NUM_BUCKETS);
        let weights: Vec<R> = self.rows::<R, 1>(13, len).into_iter().map(|[weight]| weight).collect();
        let [half, lose] = [pays[0], pays[1]];
        isa.run(Showdown {
            reach: &reach,
            theirs: cards,
            ours: cards,
            same: &same,
            groups: &groups,
            half,
            lose,
            to: &mut to,
        });
        isa.run(Fold { reach: &reach, theirs: cards, ours: cards, same: &same, pays: half, to: &mut to });
        isa.run(AddReach { reach: &reach[..len], buckets, sums: &mut sums });
        let values = to.clone();
        isa.run(Train {
            values: &values,
            buckets,
            weights: &weights,
            strategy: &strategy,
            sums: &mut sums,
            to: &mut to,
        });
        isa.run(Mix { values: &values, buckets, strategy: &strategy, to: &mut to });
        isa.run(MixBest { values: &values, to: &mut to });
        let mut after = vec![[R::ZERO; L]; len];
        isa.run(Descend { reach: &to, buckets, strategy: &strategy, to: &mut after });
        isa.run(Scatter { values: &after, parents: &same, to: &mut to });
        let from = to.clone();
        isa.run(Enter {
            from: from.as_flattened(),
            from_lanes: L,
            parents: &same,
            factor: half[0],
            to: &mut to,
            lanes: LaneRun { from: L - 1, to: 0, count: 1 },
        });
        let lanes = LaneRun { from: L / 8, to: 0, count: L - L / 8 };
        isa.run(AddLanes { from: from.as_flattened(), from_lanes: L, to: &mut to, lanes });
        let mut tables = [17, 19, 23, 29].map(|first| self.rows::<R, L>(first, 3 * NUM_BUCKETS));
        let [regret, current, values, average] = &mut tables;
        let dcfr: Algorithm = "dcfr".parse().unwrap();
        let places: Vec<u32> = (0..NUM_BUCKETS as u32).rev().collect();
        let (rows, now) = (&places[..], &dcfr.coefficients(3));
        let factors = vec![[half[0], lose[0]]; NUM_BUCKETS];
        isa.run(Regrets { rows, factors: &factors, regret, current, values, now });
        isa.run(MatchRegrets { rows, regret, current: values });
        let factors = vec![half[0]; NUM_BUCKETS];
        isa.run(Accumulate { rows, factors: &factors, average, current, reach: &sums, own_reach: true });
        isa.run(Normalise { num_places: NUM_BUCKETS, rows: average });
        let all = [&to, &after, &sums].into_iter().chain(&tables);
        all.flat_map(|rows| rows.as_flattened()).map(|number| number.to_f64()).collect()
    }
}

proptest! {
    #[test]
    fn avx2_gives_the_bits_of_its_portable_twin(case in case()) {
        let portable = Isa::PORTABLE;
        let same = |a: Vec<f64>, b: Vec<f64>| a.iter().map(|n| n.to_bits()).eq(b.iter().map(|n| n.to_bits()));
        prop_assert!(same(case.results::<f32, 8>(Isa::best()), case.results::<f32, 8>(portable)));
        prop_assert!(same(case.results::<f32, 4>(Isa::best()), case.results::<f32, 4>(portable)));
        prop_assert!(same(case.results::<f64, 8>(Isa::best()), case.results::<f64, 8>(portable)));
        prop_assert!(same(case.results::<f64, 1>(Isa::best()), case.results::<f64, 1>(portable)));
    }

    /// Runs of lanes, one lane after another.
    #[test]
    fn runs_of_lanes_are_their_lanes(case in case(), from in 0_usize..8, to in 0_usize..8, count in 1_usize..=8) {
        let len = case.cards.len();
        let (before, mut entered) = (case.rows::<f64, 8>(1, len), case.rows::<f64, 8>(5, len));
        let lanes = LaneRun { from, to, count: count.min(8 - from.max(to)) };
        let mut added = entered.clone();
        let (mut entered_apart, mut added_apart) = (entered.clone(), entered.clone());
        let parents: Vec<u16> = (0..len as u16).rev().collect();
        let numbers = before.as_flattened();
        Isa::best().run(Enter { from: numbers, from_lanes: 8, parents: &parents, factor: 3.0, to: &mut entered, lanes });
        Isa::best().run(AddLanes { from: numbers, from_lanes: 8, to: &mut added, lanes });
        for combo in 0..len {
            for lane in 0..lanes.count {
                entered_apart[combo][to + lane] = 3.0 * before[usize::from(parents[combo])][from + lane];
                added_apart[combo][to + lane] += before[combo][from + lane];
            }
        }
        prop_assert_eq!(entered, entered_apart);
        prop_assert_eq!(added, added_apart);
    }

    /// Every pair of combos that share no card, one after another.
    #[test]
    fn ends_are_those_of_every_pair(case in case()) {
        let len = case.cards.len();
        let mut reach = case.rows::<f64, 4>(1, len);
        reach.push([0.0; 4]);
        let same: Vec<u16> = (0..len as u16).collect();
        let groups: Vec<[u16; 2]> = case.ends.iter().map(|&end| [end, end]).collect();
        let group_of = |at: usize| case.ends.iter().position(|&end| at < usize::from(end));
        let (half, lose) = ([3.0, 1.0, 2.0, 0.5], [-1.0, -2.0, 0.0, 4.0]);
        let (mut shown, mut folded) = (vec![[0.0; 4]; len], vec![[0.0; 4]; len]);
        let cards = &case.cards;
        Isa::best().run(Showdown { reach: &reach, theirs: cards, ours: cards, same: &same, groups: &groups, half, lose, to: &mut shown });
        Isa::best().run(Fold { reach: &reach, theirs: cards, ours: cards, same: &same, pays: half, to: &mut folded });
        for own in 0..len {
            for lane in 0..4 {
                let (mut show, mut fold) = (0.0, 0.0);
                for other in 0..len {
                    if cards[own].iter().any(|card| cards[other].contains(card)) {
                        continue;
                    }
                    let halves = 1.0 + f64::from(group_of(own).cmp(&group_of(other)) as i8);
                    show += reach[other][lane] * (lose[lane] + halves * half[lane]);
                    fold += reach[other][lane] * half[lane];
                }
                prop_assert!((show - shown[own][lane]).abs() < 1e-9);
                prop_assert!((fold - folded[own][lane]).abs() < 1e-9);
            }
        }
    }
}
