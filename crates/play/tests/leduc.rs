//! AIVAT by enumeration on Leduc hold'em: every hand that can be played, with its probability.

use equipoise_cfr::{Game, Leduc, Player, Turn};
use equipoise_play::Corrected;

type State = <Leduc as Game>::State;

/// A number from 0 to 1 that depends on nothing but the path.
fn noise(path: &[usize], salt: u64) -> f64 {
    let mut number = salt;
    for &step in path {
        number = (number ^ (step as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    }
    (number.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A strategy that depends on the information set alone.
fn strategy(infoset: &str, num_actions: usize) -> Vec<f64> {
    let path: Vec<usize> = infoset.bytes().map(usize::from).collect();
    let weights: Vec<f64> = (0..num_actions).map(|action| 0.1 + noise(&path, 77 + action as u64)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// The probabilities of what comes next, and whose they are; the payoff at the end.
fn turn(state: &State) -> Result<(Option<Player>, Vec<f64>), f64> {
    match Leduc.turn(state) {
        Turn::Chance(probabilities) => Ok((None, probabilities)),
        Turn::Decision { player, infoset, num_actions } => {
            Ok((Some(player), strategy(&infoset, num_actions)))
        }
        Turn::Terminal(payoffs) => Err(payoffs[0]),
    }
}

/// What the first player wins from here on by both strategies.
fn exact(state: &State) -> f64 {
    match turn(state) {
        Err(payoff) => payoff,
        Ok((_, chances)) => {
            chances.iter().enumerate().map(|(id, chance)| chance * exact(&Leduc.next(state, id))).sum()
        }
    }
}

/// Adds every hand with its probability to (mass, mean, mean of squares), corrected where `is_known` says so.
fn enumerate(
    state: &State,
    path: &mut Vec<usize>,
    reach: f64,
    corrected: Corrected,
    is_known: &dyn Fn(Option<Player>) -> bool,
    value: &dyn Fn(&State, &[usize]) -> f64,
    sums: &mut [f64; 3],
) {
    let (who, chances) = match turn(state) {
        Ok(next) => next,
        Err(payoff) => {
            let estimate = corrected.finish(payoff);
            for (sum, power) in sums.iter_mut().zip([1.0, estimate, estimate * estimate]) {
                *sum += reach * power;
            }
            return;
        }
    };
    let next: Vec<State> = (0..chances.len()).map(|id| Leduc.next(state, id)).collect();
    let values: Vec<f64> = (0..chances.len())
        .map(|id| {
            path.push(id);
            let value = value(&next[id], path);
            path.pop();
            value
        })
        .collect();
    for (id, &chance) in chances.iter().enumerate() {
        let mut corrected = corrected;
        if is_known(who) {
            corrected.correct(chances.iter().copied().zip(values.iter().copied()), values[id]);
        }
        path.push(id);
        enumerate(&next[id], path, reach * chance, corrected, is_known, value, sums);
        path.pop();
    }
}

fn of_all(is_known: &dyn Fn(Option<Player>) -> bool, value: &dyn Fn(&State, &[usize]) -> f64) -> (f64, f64) {
    let mut sums = [0.0; 3];
    enumerate(&Leduc.root(), &mut Vec::new(), 1.0, Corrected::default(), is_known, value, &mut sums);
    assert!((sums[0] - 1.0).abs() < 1e-12);
    (sums[1], sums[2] - sums[1] * sums[1])
}

#[test]
fn the_mean_is_unchanged_whatever_the_value_function() {
    let truth = exact(&Leduc.root());
    let (mean, variance) = of_all(&|_| false, &|_, _| 0.0);
    assert!((mean - truth).abs() < 1e-12 && variance > 5.0, "{mean} {variance}");
    for salt in 0..3 {
        let random = |_: &State, path: &[usize]| 20.0 * noise(path, salt) - 10.0;
        // Chance and one player; chance and both.
        let (one, _) = of_all(&|who| who != Some(Player::Second), &random);
        let (both, _) = of_all(&|_| true, &random);
        assert!((one - truth).abs() < 1e-12 && (both - truth).abs() < 1e-12, "{one} {both} {truth}");
    }
}

#[test]
fn exact_values_and_both_strategies_leave_no_variance() {
    let value = |state: &State, _: &[usize]| exact(state);
    let (mean, variance) = of_all(&|_| true, &value);
    assert!((mean - exact(&Leduc.root())).abs() < 1e-12 && variance.abs() < 1e-12, "{mean} {variance}");
    let (_, raw) = of_all(&|_| false, &value);
    let (_, one) = of_all(&|who| who != Some(Player::Second), &value);
    assert!(one > 1e-3 && one < raw / 2.0, "{one} {raw}");
}
