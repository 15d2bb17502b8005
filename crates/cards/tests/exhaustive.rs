//! Every hand of five, six and seven cards against an evaluator that shares nothing with the crate's.
//!
//! The slow evaluator sorts five cards by how often their rank occurs and then by rank, names the category by the
//! rules, and compares categories and ranks as lists. The 2,598,960 five-card hands are ordered that way once; six and
//! seven cards are the best of their six and twenty-one selections of five.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use equipoise_cards::{Card, Category, Strength, Tally};

/// Category and then the ranks that break ties, most important first.
type Verdict = (usize, [u8; 5]);

fn judge(cards: [usize; 5]) -> Verdict {
    let mut ranks: Vec<u8> = cards.iter().map(|card| (card / 4) as u8).collect();
    let count = |rank: u8, ranks: &[u8]| ranks.iter().filter(|&&other| other == rank).count();
    let all = ranks.clone();
    ranks.sort_by_key(|&rank| std::cmp::Reverse((count(rank, &all), rank)));
    let shape: Vec<usize> = ranks.iter().map(|&rank| count(rank, &all)).collect();
    let flush = cards.iter().all(|card| card % 4 == cards[0] % 4);
    let wheel = ranks == [12, 3, 2, 1, 0];
    let straight = shape[0] == 1 && (wheel || ranks[0] - ranks[4] == 4);
    if wheel {
        ranks = vec![3, 2, 1, 0, 0];
    }
    let category = match (straight, flush, &shape[..]) {
        (true, true, _) => 8,
        (_, _, [4, ..]) => 7,
        (_, _, [3, 3, 3, 2, 2]) => 6,
        (_, true, _) => 5,
        (true, _, _) => 4,
        (_, _, [3, ..]) => 3,
        (_, _, [2, 2, 2, 2, 1]) => 2,
        (_, _, [2, ..]) => 1,
        _ => 0,
    };
    (category, ranks.try_into().unwrap())
}

/// Place of an ascending list of cards among all lists of that length.
fn place(cards: &[usize]) -> usize {
    static CHOOSE: OnceLock<[[usize; 6]; 53]> = OnceLock::new();
    let choose = CHOOSE.get_or_init(|| {
        let mut choose = [[0; 6]; 53];
        for n in 0..53 {
            choose[n][0] = 1;
            for k in 1..6 {
                choose[n][k] = if n == 0 { 0 } else { choose[n - 1][k - 1] + choose[n - 1][k] };
            }
        }
        choose
    });
    cards.iter().enumerate().map(|(i, &card)| choose[card][i + 1]).sum()
}

/// The slow strengths of all five-card hands by place, and the category of each strength.
fn slow() -> &'static (Vec<u16>, Vec<usize>) {
    static SLOW: OnceLock<(Vec<u16>, Vec<usize>)> = OnceLock::new();
    SLOW.get_or_init(|| {
        let mut verdicts = vec![(0, [0; 5]); 2_598_960];
        for e in 4..52 {
            for d in 3..e {
                for c in 2..d {
                    for b in 1..c {
                        for a in 0..b {
                            verdicts[place(&[a, b, c, d, e])] = judge([a, b, c, d, e]);
                        }
                    }
                }
            }
        }
        let distinct: Vec<Verdict> = verdicts.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let number = |verdict| distinct.binary_search(verdict).unwrap() as u16;
        let strengths = verdicts.iter().map(number).collect();
        (strengths, distinct.iter().map(|verdict| verdict.0).collect())
    })
}

fn card(id: usize) -> Card {
    Card::ALL[id]
}

#[test]
fn five_cards() {
    let (strengths, categories) = slow();
    assert_eq!(categories.len(), Strength::COUNT);
    let mut counts = [0; 9];
    for e in 4..52 {
        for d in 3..e {
            for c in 2..d {
                for b in 1..c {
                    for a in 0..b {
                        let tally: Tally = [a, b, c, d, e].map(card).into_iter().collect();
                        let strength = tally.strength5();
                        assert_eq!(strength.get(), strengths[place(&[a, b, c, d, e])]);
                        counts[strength.category() as usize] += 1;
                    }
                }
            }
        }
    }
    for (strength, &category) in categories.iter().enumerate() {
        let strength = Strength::try_new(strength as u16).unwrap();
        assert_eq!(strength.category(), Category::ALL[category]);
    }
    assert_eq!(counts, [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]);
}

/// What one thread found: hands by category, and which strengths occurred.
struct Census {
    counts: [u64; 9],
    seen: Vec<bool>,
}

impl Census {
    fn new() -> Census {
        Census { counts: [0; 9], seen: vec![false; Strength::COUNT] }
    }

    fn add(&mut self, strength: u16, times: u64) {
        self.counts[slow().1[usize::from(strength)]] += times;
        self.seen[usize::from(strength)] = true;
    }

    fn merge(mut self, other: Census) -> Census {
        (0..9).for_each(|i| self.counts[i] += other.counts[i]);
        self.seen.iter_mut().zip(other.seen).for_each(|(mine, theirs)| *mine |= theirs);
        self
    }

    fn distinct(&self) -> usize {
        self.seen.iter().filter(|&&seen| seen).count()
    }
}

/// Runs `check` for each highest card on two threads.
fn for_each_highest(check: impl Fn(usize, &mut Census) + Sync) -> Census {
    slow();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut census = Census::new();
        loop {
            let step = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if step >= 52 {
                return census;
            }
            check(51 - step, &mut census); // The most work first.
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(work);
        work().merge(other.join().unwrap())
    })
}

#[test]
fn six_cards() {
    let fives = &slow().0;
    let census = for_each_highest(|f, census| {
        for e in 4..f {
            for d in 3..e {
                for c in 2..d {
                    for b in 1..c {
                        let top: Tally = [b, c, d, e, f].map(card).into_iter().collect();
                        let best_without_a = fives[place(&[b, c, d, e, f])];
                        for a in 0..b {
                            let fast = top.with(card(a)).strength6();
                            let slow = [
                                [a, c, d, e, f],
                                [a, b, d, e, f],
                                [a, b, c, e, f],
                                [a, b, c, d, f],
                                [a, b, c, d, e],
                            ]
                            .iter()
                            .map(|five| fives[place(five)])
                            .fold(best_without_a, u16::max);
                            assert_eq!(fast.get(), slow, "{a} {b} {c} {d} {e} {f}");
                            census.add(slow, 1);
                        }
                    }
                }
            }
        }
    });
    let expected = [6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844];
    assert_eq!(census.counts, expected);
    assert_eq!(census.distinct(), 6075);
}

#[test]
fn seven_cards() {
    let fives = &slow().0;
    let census = for_each_highest(|g, census| {
        for f in 5..g {
            for e in 4..f {
                for d in 3..e {
                    for c in 2..d {
                        let base: Tally = [c, d, e, f, g].map(card).into_iter().collect();
                        let best_of_five = fives[place(&[c, d, e, f, g])];
                        check_lowest_two([c, d, e, f, g], base, best_of_five, fives, census);
                    }
                }
            }
        }
    });
    let expected =
        [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584];
    assert_eq!(census.counts, expected);
    assert_eq!(census.distinct(), Strength::DENSE7_COUNT);
    let mut next = 0;
    for (number, seen) in census.seen.iter().enumerate() {
        let dense = Strength::try_new(number as u16).unwrap().dense7();
        assert_eq!(dense, seen.then_some(next), "dense numbers count the strengths of seven cards");
        next += u16::from(*seen);
    }
}

/// All ways to add two lower cards `a < b` to five: the best selections with neither, one and both of them.
fn check_lowest_two(top: [usize; 5], base: Tally, best: u16, fives: &[u16], census: &mut Census) {
    // Best five with one lower card x and four of the top: by x.
    let mut with_one = vec![best; top[0]];
    for (x, slot) in with_one.iter_mut().enumerate() {
        for out in 0..5 {
            let mut five = [x; 5];
            (0..5).filter(|&i| i != out).enumerate().for_each(|(to, from)| five[to + 1] = top[from]);
            *slot = (*slot).max(fives[place(&five)]);
        }
    }
    // Places of three of the top five as the third to fifth of five cards.
    let mut threes = Vec::with_capacity(10);
    for i in 0..5 {
        for j in i + 1..5 {
            for k in j + 1..5 {
                threes.push(place(&[0, 1, top[i], top[j], top[k]]) - place(&[0, 1]));
            }
        }
    }
    for b in 1..top[0] {
        let six = base.with(card(b));
        for a in 0..b {
            let fast = six.with(card(a)).strength7();
            let low = place(&[a, b]);
            let one = with_one[a].max(with_one[b]);
            let slow = threes.iter().fold(one, |best, three| best.max(fives[low + three]));
            assert_eq!(fast.get(), slow, "{a} {b} {top:?}");
            if (a + b) % 8 == 0 {
                let cards = [a, b, top[0], top[1], top[2], top[3], top[4]].map(card);
                assert_eq!(Strength::of_seven(cards), fast);
            }
            census.add(slow, 1);
        }
    }
}

/// The walk that looks a rank up once against single hands.
#[test]
fn sevenths_in_order() {
    fn walk(tally: Tally, num_cards: usize, first: usize, seen: &mut u64) {
        for last in first..52 {
            let with = tally.with(card(last));
            if num_cards + 1 < 6 {
                walk(with, num_cards + 1, last + 1, seen);
                continue;
            }
            let mut seventh = last;
            with.for_each_seventh_after(card(last), |strength| {
                seventh += 1;
                assert_eq!(strength, with.with(card(seventh)).strength7());
            });
            assert_eq!(seventh, 51);
            *seen += (51 - last) as u64;
        }
    }
    let mut seen = 0;
    walk(Tally::EMPTY, 0, 0, &mut seen);
    assert_eq!(seen, 133_784_560);
}
