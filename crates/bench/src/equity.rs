//! Equities, exact and sampled.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use equipoise_cards::{CardSet, Combo, Range, Tally};
use equipoise_equity::{Equity, Matchup, Method, Options, Seat, equity};
use pokers::{HandRange, SimulationResults, approx_equity, exact_equity};
use rs_poker::core::Hand;
use rs_poker::holdem::MonteCarloGame;

use crate::measure::{Contestant, Line, ROUNDS, race};

fn ours(players: &[&str], method: Method, threads: usize) -> anyhow::Result<Equity> {
    let seats = players.iter().map(|text| text.parse()).collect::<Result<Vec<Seat>, _>>()?;
    let matchup = Matchup::new(seats, "".parse()?, CardSet::EMPTY)?;
    let options = Options { method, threads: NonZeroUsize::new(threads), ..Options::default() };
    Ok(equity(&matchup, &options, &mut ())?)
}

fn pokers_exact(players: &[&str]) -> SimulationResults {
    let ranges = HandRange::from_strings(players.iter().map(ToString::to_string).collect());
    exact_equity(&ranges, 0, 0, 1, Arc::new(AtomicBool::new(false)), |_| {}).expect("the ranges are sound")
}

fn pokers_sampled(players: &[&str]) -> (SimulationResults, f64) {
    let ranges = HandRange::from_strings(players.iter().map(ToString::to_string).collect());
    let token = Arc::new(AtomicBool::new(false));
    let result = approx_equity(&ranges, 0, 0, 1, 2e-4, token, |_| {}).expect("the ranges are sound");
    let samples = result.eval_count as f64;
    (result, samples)
}

/// Exact equity against `pokers`.
pub(crate) fn exact(players: &[&str], repeats: u32, must: f64, goal: f64) -> anyhow::Result<Line> {
    let peer = pokers_exact(players);
    let found = ours(players, Method::Exact, 1)?;
    anyhow::ensure!((peer.equities[0] - found.players[0].equity).abs() < 1e-9, "{players:?}: pokers differs");
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || {
                let run =
                    |_| ours(players, Method::Exact, 1).map_or(0.0, |found| found.elapsed.as_secs_f64());
                let _: f64 = (0..repeats).map(run).sum();
                f64::from(repeats)
            }),
            Contestant::new("pokers", || {
                std::hint::black_box(pokers_exact(players));
                1.0
            }),
        ],
        ROUNDS,
    );
    let job = format!("exact {}", players.join(" v "));
    Ok(Line { job, unit: "count", timings, must: Some(must), goal: Some(goal) })
}

/// Random against random: no peer of the registry counts it in reasonable time, so two threads race against one.
pub(crate) fn random_v_random() -> anyhow::Result<Line> {
    let players = ["random", "random"];
    let found = ours(&players, Method::Exact, 1)?;
    anyhow::ensure!(found.outcomes[0].weight == 1_334_125_369_292.0, "{:?}", found.outcomes);
    let run = |threads| move || ours(&players, Method::Exact, threads).map_or(0.0, |_| 1.0);
    let timings =
        race(&mut [Contestant::new("two threads", run(2)), Contestant::new("one thread", run(1))], 5);
    let job = "exact random v random, two threads".to_owned();
    Ok(Line { job, unit: "count", timings, must: Some(1.8), goal: None })
}

/// The three-range case against a plain enumeration of every deal with the same evaluator.
pub(crate) fn multiway() -> anyhow::Result<Line> {
    let players = ["QQ+,AK", "JJ,TT,AQs", "98s,87s"];
    // The naive count walks the choices of combos of one class in eight of the third range.
    let ranges = players.map(|text| text.parse::<Range>().expect("a sound range"));
    let naive_all = naive_deals(&ranges, usize::MAX);
    let found = ours(&players, Method::Exact, 1)?;
    for outcome in &found.outcomes {
        let naive = naive_all.get(&outcome.winners).copied().unwrap_or(0);
        anyhow::ensure!(naive as f64 == outcome.weight, "{outcome:?}, naive {naive}");
    }
    const SOME: usize = 40;
    let all = num_choices(&ranges) as f64;
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || ours(&players, Method::Exact, 1).map_or(0.0, |_| 1.0)),
            Contestant::new("naive enumeration", || {
                std::hint::black_box(naive_deals(&ranges, SOME));
                SOME as f64 / all
            }),
        ],
        ROUNDS,
    );
    let job = format!("exact {}", players.join(" / "));
    Ok(Line { job, unit: "count", timings, must: Some(10.0), goal: None })
}

fn choices(ranges: &[Range; 3]) -> impl Iterator<Item = [Combo; 3]> {
    let combos = ranges.each_ref().map(|range| range.iter().map(|(combo, _)| combo).collect::<Vec<Combo>>());
    let [a, b, c] = combos;
    let mut all = Vec::new();
    for &a in &a {
        for &b in &b {
            for &c in &c {
                if (a.cards() | b.cards() | c.cards()).len() == 6 {
                    all.push([a, b, c]);
                }
            }
        }
    }
    all.into_iter()
}

fn num_choices(ranges: &[Range; 3]) -> usize {
    choices(ranges).count()
}

/// Every runout of the first choices of combos, by set of winners.
fn naive_deals(ranges: &[Range; 3], most: usize) -> BTreeMap<u32, u64> {
    let mut counts = [0u64; 8];
    for combos in choices(ranges).take(most) {
        let hands = combos.map(|combo| Tally::from(combo.cards()));
        let gone = combos.iter().fold(CardSet::EMPTY, |set, combo| set | combo.cards());
        let live: Vec<_> = (!gone).iter().collect();
        let n = live.len();
        for a in 0..n {
            let ha = hands.map(|hand| hand.with(live[a]));
            for b in a + 1..n {
                let hb = ha.map(|hand| hand.with(live[b]));
                for c in b + 1..n {
                    let hc = hb.map(|hand| hand.with(live[c]));
                    for d in c + 1..n {
                        let hd = hc.map(|hand| hand.with(live[d]));
                        for &e in &live[d + 1..] {
                            let s = hd.map(|hand| hand.with(e).strength7());
                            let best = s[0].max(s[1]).max(s[2]);
                            let set = (0..3).filter(|&i| s[i] == best).fold(0, |set, i| set | 1 << i);
                            counts[set] += 1;
                        }
                    }
                }
            }
        }
    }
    (0..8u32).zip(counts).filter(|count| count.1 != 0).collect()
}

pub(crate) fn sampled_hands() -> anyhow::Result<Line> {
    const SAMPLES: u32 = 1_000_000;
    const PEER_SAMPLES: u32 = 200_000;
    let players = ["AhAd", "KcKs"];
    let exact = ours(&players, Method::Exact, 1)?.players[0].equity;
    let found = ours(&players, Method::Samples(SAMPLES.into()), 1)?;
    anyhow::ensure!((found.players[0].equity - exact).abs() < 5.0 * found.std_error);
    let game = || {
        let hands = players.map(|text| Hand::new_from_str(text).expect("a sound hand")).to_vec();
        MonteCarloGame::new(hands).expect("a sound game")
    };
    let peer = game().estimate_equity(PEER_SAMPLES as usize);
    anyhow::ensure!((f64::from(peer[0]) - exact).abs() < 0.01, "rs_poker says {peer:?}");
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || {
                ours(&players, Method::Samples(SAMPLES.into()), 1).map_or(0.0, |found| found.deals as f64)
            }),
            Contestant::new("rs_poker", || {
                std::hint::black_box(game().estimate_equity(PEER_SAMPLES as usize));
                f64::from(PEER_SAMPLES)
            }),
        ],
        ROUNDS,
    );
    let job = "Monte Carlo, known hands".to_owned();
    Ok(Line { job, unit: "sample", timings, must: Some(3.0), goal: None })
}

pub(crate) fn sampled_ranges() -> anyhow::Result<Line> {
    const SAMPLES: u32 = 2_000_000;
    const PEER_CALLS: u32 = 50;
    let players = ["22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+", "77+,ATs+,KQs,AJo+"];
    let exact = ours(&players, Method::Exact, 1)?.players[0].equity;
    let found = ours(&players, Method::Samples(SAMPLES.into()), 1)?;
    anyhow::ensure!((found.players[0].equity - exact).abs() < 5.0 * found.std_error);
    // It samples 4,096 deals a call, from a seed of its own: one call is off by 0.01 and more one time in five.
    let peer = (0..PEER_CALLS).map(|_| pokers_sampled(&players).0.equities[0]).sum::<f64>();
    let peer = peer / f64::from(PEER_CALLS);
    anyhow::ensure!((peer - exact).abs() < 0.01, "pokers says {peer}, exact {exact}");
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || {
                ours(&players, Method::Samples(SAMPLES.into()), 1).map_or(0.0, |found| found.deals as f64)
            }),
            Contestant::new("pokers", || (0..PEER_CALLS).map(|_| pokers_sampled(&players).1).sum()),
        ],
        ROUNDS,
    );
    let job = "Monte Carlo, ranges".to_owned();
    Ok(Line { job, unit: "sample", timings, must: Some(1.5), goal: None })
}
