//! The kernels of this processor against their portable twins, and the showdown against counting pairs.

use proptest::prelude::*;

use super::*;

fn row() -> impl Strategy<Value = Row> {
    proptest::array::uniform8(prop_oneof![Just(0.0f32), 0.0f32..1.0]).prop_map(Row)
}

fn signed_rows(len: usize) -> impl Strategy<Value = Vec<Row>> {
    proptest::collection::vec(proptest::array::uniform8(-1.0f32..1.0).prop_map(Row), len)
}

fn near(a: &[Row], b: &[Row]) -> bool {
    flatten(a).zip(flatten(b)).all(|(a, b)| (a - b).abs() <= 2e-5 * (1.0 + a.abs()))
}

/// Results by instruction set, portable ones first: near to those, and beyond them the same to the bit.
fn alike(results: &[Vec<Row>]) -> bool {
    let [portable, others @ ..] = results else { return false };
    others.iter().all(|other| near(portable, other) && other == &others[0])
}

/// Cards and a strength.
type Held = ([u8; 2], u8);

/// Two lists of combos in groups of made-up strength.
fn matchup() -> impl Strategy<Value = (Vec<Held>, Vec<Held>)> {
    let cards = (0u8..12, 0u8..12).prop_filter("two cards", |(a, b)| a < b);
    // A combo has the same strength whoever holds it.
    let list = proptest::collection::btree_set(cards, 1..30).prop_map(|combos| {
        let mut list: Vec<_> = combos.into_iter().map(|(a, b)| ([a, b], (a * 7 + b * 3) % 9)).collect();
        list.sort_by_key(|&(_, strength)| strength);
        list
    });
    (list.clone(), list)
}

fn build(own: &[Held], theirs: &[Held]) -> Matchup {
    let groups = (0..9)
        .map(|strength| {
            let end = |list: &[Held]| ListIndex::new(list.iter().filter(|combo| combo.1 <= strength).count());
            Group { own_end: end(own), opponent_end: end(theirs) }
        })
        .collect();
    let cards = |list: &[Held]| list.iter().map(|combo| combo.0).collect::<Vec<_>>();
    Matchup::new(&cards(own), &cards(theirs), groups)
}

fn stream(entries: &[Row], rows: usize) -> PrefetchStream {
    let tables = [CacheLines::of(entries), CacheLines::default(), CacheLines::default()];
    PrefetchQueue::new(tables, rows).take(rows)
}

const SLOTS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn strategies_are_read_alike(averages in proptest::collection::vec(row(), 6), num_combos in 9usize..17) {
        let mut results = Vec::new();
        let read = |isa: Isa, average: &[Row]| {
            let mut to = vec![Row::ZERO; 6];
            let is_any_missing = isa.run(ReadStrategy { average, rows: 2, num_combos, reach: None, to: &mut to });
            (to, is_any_missing)
        };
        for isa in Isa::all() {
            results.push(read(isa, &averages));
            prop_assert_eq!(&results[0], &results[results.len() - 1]);
        }
        let (parts, mut is_any_missing) = (&results[0].0, false);
        for at in 0..num_combos {
            let of = |rows: &[Row]| [0, 1, 2].map(|action| rows[2 * action + at / 8].0[at % 8]);
            let (averages, found) = (of(&averages), of(parts));
            let sum: f32 = averages.iter().sum();
            if sum > 0.0 {
                prop_assert_eq!(found.iter().sum::<f32>(), f32::from(ALWAYS));
                for (part, average) in found.iter().zip(averages) {
                    let expected = average / sum * f32::from(ALWAYS);
                    prop_assert!((part - expected).abs() <= 1.01, "{} {}", part, expected);
                    prop_assert!(average > 0.0 || *part == 0.0);
                }
                prop_assert_eq!(found.map(|part| part as u16).to_vec(), parts_of(&averages));
            } else {
                is_any_missing = true;
                prop_assert_eq!(found, [0.0; 3]);
            }
        }
        prop_assert_eq!(results[0].1, is_any_missing);
        // Reading is idempotent, from whole parts or from shares.
        prop_assert_eq!(&read(Isa::best(), parts).0, parts);
        let shares: Vec<Row> = parts.iter().map(|row| Row(row.0.map(|part| part / f32::from(ALWAYS)))).collect();
        prop_assert_eq!(&read(Isa::best(), &shares).0, parts);
    }

    #[test]
    fn showdowns_count_pairs((own, theirs) in matchup(), numbers in proptest::collection::vec(row(), 8 * 4)) {
        let matchup = build(&own, &theirs);
        let (own_rows, rows) = (matchup.own_rows(), matchup.opponent_rows());
        let mut reach = numbers[..8 * rows].to_vec();
        for slot in 0..8 {
            for at in theirs.len()..8 * rows {
                reach[slot * rows + at / 8].0[at % 8] = 0.0;
            }
        }
        let batch = ShowBatch {
            half: Payout { dest: SLOTS, accumulate: 0, factor: Row([0.5; 8]) },
            lose: Row([-0.25; 8]),
            folds: FoldBatch {
                reach: SLOTS,
                payouts: vec![
                    Payout { dest: SLOTS.map(|slot| slot + 8), accumulate: 0, factor: Row([-0.125; 8]) },
                    Payout { dest: SLOTS.map(|slot| slot + 16), accumulate: 0xff, factor: Row([2.0; 8]) },
                ],
            },
        };
        let mut results = Vec::new();
        for isa in Isa::all() {
            let mut values = vec![Row([7.0; 8]); 24 * own_rows];
            let mut scratch = LaneScratch::new(own_rows, rows);
            let prefetch = stream(&reach, rows);
            let batches = std::slice::from_ref(&batch);
            isa.run(Showdown::<false> { matchup: &matchup, batches, reach: &reach, values: &mut values, scratch: &mut scratch, prefetch });
            // Two at once are the same as one after the other, the second with the slots of the first in another order.
            let mut turned = batch.clone();
            turned.folds.reach.reverse();
            turned.half.accumulate = 0xff;
            turned.folds.payouts[0].accumulate = 0xff;
            let batches = [batch.clone(), turned];
            let [mut apart, mut together] = [values.clone(), vec![Row([7.0; 8]); values.len()]];
            isa.run(Showdown::<false> { matchup: &matchup, batches: &batches[1..], reach: &reach, values: &mut apart, scratch: &mut scratch, prefetch });
            isa.run(Showdown::<false> { matchup: &matchup, batches: &batches, reach: &reach, values: &mut together, scratch: &mut scratch, prefetch });
            prop_assert_eq!(apart, &together[..]);
            results.push([values, together].concat());
        }
        prop_assert!(alike(&results));
        for slot in 0..8 {
            for (i, (cards, strength)) in own.iter().enumerate() {
                let (mut value, mut all) = (0.0, 0.0);
                for (j, (others, other)) in theirs.iter().enumerate() {
                    if cards.iter().any(|card| others.contains(card)) {
                        continue;
                    }
                    let reach = reach[slot * rows + j / 8].0[j % 8];
                    all += reach;
                    value += reach * (0.5 * (1.0 + f32::from(strength.cmp(other) as i8)) - 0.25);
                }
                let found = results[0][slot * own_rows + i / 8].0[i % 8];
                prop_assert!((found - value).abs() < 1e-4, "{found} {value}");
                let fold = results[0][(8 + slot) * own_rows + i / 8].0[i % 8];
                prop_assert!((fold + 0.125 * all).abs() < 1e-4);
                let added = results[0][(16 + slot) * own_rows + i / 8].0[i % 8];
                prop_assert!((added - 7.0 - 2.0 * all).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn ties_count_pairs((own, theirs) in matchup(), numbers in proptest::collection::vec(row(), 8 * 4)) {
        let matchup = build(&own, &theirs);
        let (own_rows, rows) = (matchup.own_rows(), matchup.opponent_rows());
        let reach = &numbers[..8 * rows];
        let batch = RunoutBatch { reach: SLOTS, payout: Payout { dest: SLOTS, accumulate: 0xff, factor: Row([0.5; 8]) } };
        let mut results = Vec::new();
        for isa in Isa::all() {
            let mut scratch = LaneScratch::new(own_rows, rows);
            let (mut values, mut wide) = (vec![Row([7.0; 8]); 8 * own_rows], vec![Row([7.0; 8]); 8 * own_rows]);
            isa.run(Ties::<false> { matchup: &matchup, batch: &batch, reach, values: &mut values, scratch: &mut scratch });
            isa.run(Ties::<true> { matchup: &matchup, batch: &batch, reach, values: &mut wide, scratch: &mut scratch });
            results.extend([values, wide]);
        }
        for slot in 0..8 {
            for (i, (cards, strength)) in own.iter().enumerate() {
                let ties: f32 = theirs.iter().enumerate()
                    .filter(|(_, (others, other))| other == strength && !cards.iter().any(|card| others.contains(card)))
                    .map(|(j, _)| reach[slot * rows + j / 8].0[j % 8])
                    .sum();
                for values in &results {
                    let found = values[slot * own_rows + i / 8].0[i % 8];
                    prop_assert!((found - 7.0 - 0.5 * ties).abs() < 1e-4, "{found} {ties}");
                }
            }
        }
    }

    /// Values in 64 bits are as exact as what a combo meets, also where its cards block nearly all of the reach.
    #[test]
    fn wide_sums_lose_nothing_to_cancellation(
        (own, theirs) in matchup(),
        numbers in proptest::collection::vec(row(), 8 * 4),
        exponents in proptest::collection::vec(0i32..40, 12),
    ) {
        let matchup = build(&own, &theirs);
        let (own_rows, rows) = (matchup.own_rows(), matchup.opponent_rows());
        let mut reach = vec![Row::ZERO; 8 * rows];
        for slot in 0..8 {
            for (at, ([card, _], _)) in theirs.iter().enumerate() {
                let number = numbers[slot * rows + at / 8].0[at % 8];
                reach[slot * rows + at / 8].0[at % 8] = number * 0.5f32.powi(exponents[usize::from(*card)]);
            }
        }
        let payout = |dest: [u32; 8]| Payout { dest, accumulate: 0, factor: Row([0.5; 8]) };
        let batches = [ShowBatch {
            half: payout(SLOTS),
            lose: Row([-0.25; 8]),
            folds: FoldBatch { reach: SLOTS, payouts: vec![payout(SLOTS.map(|slot| slot + 8))] },
        }];
        let alone = FoldBatch { reach: SLOTS, payouts: vec![payout(SLOTS.map(|slot| slot + 16))] };
        for isa in Isa::all() {
            let mut values = vec![Row::ZERO; 24 * own_rows];
            let mut scratch = LaneScratch::new(own_rows, rows);
            let prefetch = PrefetchStream::default();
            isa.run(Showdown::<true> { matchup: &matchup, batches: &batches, reach: &reach, values: &mut values, scratch: &mut scratch, prefetch });
            isa.run(Fold::<true> { matchup: &matchup, batch: &alone, reach: &reach, values: &mut values, scratch: &mut scratch, prefetch });
            for slot in 0..8 {
                for (i, (cards, strength)) in own.iter().enumerate() {
                    let (mut value, mut all) = (0.0, 0.0);
                    for (j, (others, other)) in theirs.iter().enumerate() {
                        if !cards.iter().any(|card| others.contains(card)) {
                            let reach = f64::from(reach[slot * rows + j / 8].0[j % 8]);
                            all += reach;
                            value += reach * (0.5 * (1.0 + f64::from(strength.cmp(other) as i8)) - 0.25);
                        }
                    }
                    let found = |slots: usize| f64::from(values[(slots + slot) * own_rows + i / 8].0[i % 8]);
                    // The total is at most 30: 64 bits leave 1e-14 of it.
                    let close = 1e-6 * all + 1e-14;
                    prop_assert!((found(0) - value).abs() <= close, "{} {} of {}", found(0), value, all);
                    prop_assert!((found(8) - all / 2.0).abs() <= close, "{} {}", found(8), all);
                    prop_assert_eq!(found(8), found(16));
                }
            }
        }
    }

    #[test]
    fn folds_and_runouts_agree(
        (own, theirs) in matchup(),
        reach in proptest::collection::vec(row(), 8 * 4),
        counts in proptest::collection::vec(proptest::array::uniform8(-44i16..45), 32 * 4),
    ) {
        let matchup = build(&own, &theirs);
        let (own_rows, rows) = (matchup.own_rows(), matchup.opponent_rows());
        let matrix = &counts[..8 * own_rows * rows];
        let mut results = Vec::new();
        for isa in Isa::all() {
            let mut values = vec![Row([1.0; 8]); 8 * own_rows];
            let mut scratch = LaneScratch::new(own_rows, rows);
            let payout = |factor: f32| Payout { dest: SLOTS, accumulate: 0xff, factor: Row([factor; 8]) };
            let batch = FoldBatch { reach: SLOTS, payouts: vec![payout(0.5)] };
            isa.run(Fold::<false> { matchup: &matchup, batch: &batch, reach: &reach, values: &mut values, scratch: &mut scratch, prefetch: stream(&reach, rows) });
            let batch = RunoutBatch { reach: SLOTS, payout: payout(0.01) };
            isa.run(Runout { matrix, own_rows, opponent_rows: rows, batch: &batch, reach: &reach, values: &mut values });
            results.push(values);
        }
        prop_assert!(alike(&results));
    }

    #[test]
    fn decisions_agree(
        actions in 1usize..9,
        regret in signed_rows(8 * 3),
        children in signed_rows(8 * 3),
        last in signed_rows(8 * 3),
        reach in proptest::collection::vec(row(), 3),
        predicts: bool,
        own_reach: bool,
        weight in prop_oneof![Just(0.0f32), 0.1f32..1.0],
    ) {
        let (rows, len) = (3, 3 * actions);
        let prediction = Prediction { regret: 0.5, instant: 0.25 };
        let next = Prediction { regret: 0.625, instant: 0.375 };
        let look_ahead = (weight > 0.0).then_some(LookAhead { weight, prediction: next });
        let update = Update { positive: 0.75, negative: 0.5, instant: 2.0, floor: f32::NEG_INFINITY, seed: 11, look_ahead };
        let mut results = Vec::new();
        for isa in Isa::all() {
            let mut regret = regret[..len].to_vec();
            let mut last = if predicts { last[..len].to_vec() } else { Vec::new() };
            let mut average: Vec<Row> = children[..len].iter().map(|row| Row(row.0.map(f32::abs))).collect();
            let (mut to, mut value, mut other) = (vec![Row::ZERO; len], vec![Row([2.0; 8]); rows], vec![Row::ZERO; len]);
            let children = &children[..len];
            isa.run(Down {
                regret: &regret, last: &last, average: &mut average, prediction, averaging: Averaging { factors: [0.5, 2.0], own_reach, seed: 7 }, rows,
                reach: &reach, to: &mut to, prefetch: stream(children, rows),
            });
            let mut strategy = vec![Row::ZERO; len];
            isa.run(ReadStrategy { average: &average[..], rows, num_combos: 8 * rows, reach: None, to: &mut strategy });
            isa.run(DownStrategy { strategy: &strategy, rows, reach: &reach, to: &mut other });
            let before = (regret.clone(), last.clone());
            isa.run(Up { regret: &mut regret, last: &mut last, prediction, update, rows, children, to: &mut value, accumulate: true, prefetch: PrefetchStream::default() });
            for at in 0..8 * rows {
                let column = |rows: &[Row]| -> Vec<f32> { rows.iter().skip(at / 8).step_by(3).map(|row| row.0[at % 8]).collect() };
                let of = |(regret, last): (&[Row], &[Row]), by: Prediction| -> f32 {
                    let (mut sum, mut parts) = (0.0, 0.0);
                    for (action, child) in column(children).into_iter().enumerate() {
                        let regret = column(regret)[action];
                        let number = if predicts { by.regret * regret + by.instant * column(last)[action] } else { regret };
                        (sum, parts) = (sum + number.max(1e-20) * child, parts + number.max(1e-20));
                    }
                    sum / parts
                };
                let [now, then] = [of((&before.0, &before.1), prediction), of((&regret, &last), next)];
                let expected = 2.0 + (1.0 - weight) * now + weight * then;
                let found = value[at / 8].0[at % 8];
                prop_assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
            isa.run(UpStrategy { strategy: &strategy, rows, children, to: &mut value, accumulate: true });
            isa.run(UpBest { rows, children, to: &mut value, accumulate: true });
            let sums: Vec<f32> = (0..8 * rows)
                .map(|at| (0..actions).map(|action| to[action * rows + at / 8].0[at % 8]).sum())
                .collect();
            for (sum, reach) in sums.iter().zip(flatten(&reach)) {
                prop_assert!((sum - reach).abs() < 1e-5, "the actions share the reach");
            }
            results.push([regret, last, average, to, other, value].concat());
        }
        prop_assert!(alike(&results));
    }

    #[test]
    fn packs_move_what_they_should(from in signed_rows(8 * 3), order in Just(ListIndex::all(24).collect::<Vec<_>>()).prop_shuffle()) {
        for isa in Isa::all() {
            let mut pack = vec![Row::ZERO; 25];
            isa.run(Pack { slots: &SLOTS[..5], from: &from, rows: 3, pack: &mut pack });
            let mut to = vec![Row::ZERO; 24];
            isa.run(Gather { pack: &pack, indices: &order, first: 1, num_lines: 5, to: &mut to });
            let at = |rows: &[Row], slot: usize, combo: usize| rows[slot * 3 + combo / 8].0[combo % 8];
            for slot in 0..5 {
                for (combo, index) in order.iter().enumerate() {
                    prop_assert_eq!(at(&to, slot + 1, combo), at(&from, slot, index.get()));
                }
            }
            let mut back = vec![Row::ZERO; 25];
            let images = [order.clone(), order.clone()];
            isa.run(Scatter {
                from: &to, first: 1, num_lines: 5, factor: 0.5, rows: 3, images: Some(&images), pack: &mut back,
            });
            let mut plain = vec![Row::ZERO; 24];
            isa.run(Scatter {
                from: &from, first: 0, num_lines: 5, factor: 1.0, rows: 3, images: None, pack: &mut plain,
            });
            prop_assert_eq!(&plain[..], &pack[..24]);
            let mut out = vec![Row::ZERO; 24];
            isa.run(Unpack { slots: &SLOTS[..5], accumulate: &[false; 5], pack: &back, rows: 3, to: &mut out });
            prop_assert!(near(&out[..15], &from[..15]));
        }
    }

    #[test]
    fn half_rows_round_the_same(row in proptest::array::uniform8(-60000.0f32..60000.0)) {
        struct Round(Row);
        impl Kernel for Round {
            type Output = HalfRow;
            #[inline(always)]
            fn run<V: Lanes>(self) -> HalfRow {
                let mut half = HalfRow::default();
                half.set(V::load(&self.0));
                half
            }
        }
        for isa in Isa::all() {
            prop_assert_eq!(Isa::PORTABLE.run(Round(Row(row))), isa.run(Round(Row(row))));
        }
    }
}

fn formats() -> impl Iterator<Item = Format> {
    [true, false].into_iter().flat_map(|signed| {
        [
            Format::Float32,
            Format::Float16,
            Format::Linear8 { signed },
            Format::Linear4 { signed },
            Format::Log8 { signed },
            Format::Log4 { signed },
        ]
    })
}

fn is_signed(format: Format) -> bool {
    match format {
        Format::Float32 | Format::Float16 => true,
        Format::Linear8 { signed }
        | Format::Linear4 { signed }
        | Format::Log8 { signed }
        | Format::Log4 { signed } => signed,
    }
}

fn round_trip(isa: Isa, format: Format, rows: &[Row], seed: u32) -> (Vec<u8>, Vec<Row>) {
    let mut bytes = vec![0; rows.len() * format.row_bytes()];
    let mut back = vec![Row::ZERO; rows.len()];
    isa.run(Encode { format, rows, to: &mut bytes, seed });
    isa.run(Decode { format, from: &bytes, rows: &mut back });
    (bytes, back)
}

/// The distance between the two numbers that a number lies between, in a row with this largest magnitude.
fn step(format: Format, number: f32, largest: f32) -> f32 {
    // Scales are rounded up by one part in 128.
    let scale = largest * (1.0 + 1.0 / 64.0);
    let octave = |number: f32| 2f32.powi(number.abs().log2().floor() as i32);
    match format {
        Format::Float32 => 0.0,
        Format::Float16 => (number.abs() / 1024.0).max(6e-8),
        Format::Linear8 { signed } => scale / if signed { 127.0 } else { 255.0 },
        Format::Linear4 { signed } => scale / if signed { 7.0 } else { 15.0 },
        Format::Log8 { signed } => (octave(number) / if signed { 4.0 } else { 8.0 }).max(2f32.powi(-17)),
        Format::Log4 { signed: true } => (2.0 * number.abs()).max(scale / 64.0),
        Format::Log4 { signed: false } => number.abs().max(scale / 128.0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn packing_stays_within_a_step(
        rows in proptest::collection::vec(proptest::array::uniform8(-4.0f32..4.0).prop_map(Row), 3),
        seed: u32,
    ) {
        for format in formats() {
            let rows: Vec<Row> =
                rows.iter().map(|row| if is_signed(format) { *row } else { Row(row.0.map(f32::abs)) }).collect();
            let (bytes, back) = round_trip(Isa::PORTABLE, format, &rows, seed);
            prop_assert_eq!(&bytes, &round_trip(Isa::best(), format, &rows, seed).0);
            prop_assert_eq!(&back, &round_trip(Isa::best(), format, &rows, seed).1);
            for (row, back) in rows.iter().zip(&back) {
                let largest = row.0.iter().fold(0f32, |largest, number| largest.max(number.abs()));
                for (number, back) in row.0.iter().zip(back.0) {
                    let step = step(format, *number, largest);
                    prop_assert!((number - back).abs() <= 1.01 * step, "{format:?}: {number} became {back}");
                }
            }
        }
    }

    #[test]
    fn noisy_halves_agree(row in proptest::array::uniform8(-60000.0f32..60000.0), small in proptest::array::uniform8(-1e-4f32..1e-4), seed: u32) {
        struct Round(Row, u32);
        impl Kernel for Round {
            type Output = HalfRow;
            #[inline(always)]
            fn run<V: Lanes>(self) -> HalfRow {
                let mut half = HalfRow::default();
                half.set_noisily(V::load(&self.0), V::next_noise(V::noise(self.1)));
                half
            }
        }
        for row in [row, small] {
            prop_assert_eq!(Isa::PORTABLE.run(Round(Row(row), seed)), Isa::best().run(Round(Row(row), seed)));
        }
    }
}

#[test]
fn packing_is_right_in_the_mean() {
    let numbers = [0.013, 0.3, 0.071, 0.002, 0.9, 0.0, 0.55, 0.21];
    for format in formats() {
        let row = if is_signed(format) {
            Row(std::array::from_fn(|at| if at % 2 == 0 { numbers[at] } else { -numbers[at] }))
        } else {
            Row(numbers)
        };
        let n = 20_000;
        let mut sums = [0f64; 8];
        for seed in 0..n {
            let (_, back) = round_trip(Isa::best(), format, &[row], seed);
            sums.iter_mut().zip(back[0].0).for_each(|(sum, number)| *sum += f64::from(number));
        }
        for (sum, number) in sums.iter().zip(row.0) {
            let step = f64::from(step(format, number, 0.9));
            // A step's noise has a standard deviation of at most half a step.
            let bound = step * (0.5 * 5.0 / f64::from(n).sqrt()) + 1e-7;
            let mean = sum / f64::from(n);
            assert!((mean - f64::from(number)).abs() <= bound, "{format:?}: {number} became {mean}");
        }
        let zeros = round_trip(Isa::best(), format, &[Row::ZERO], 3).1;
        assert_eq!(zeros, [Row::ZERO]);
    }
}
