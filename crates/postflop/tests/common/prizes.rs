//! What final stacks are worth, by every order of finishing.

use equipoise_game::{Chips, NodeId, Payouts, PerPlayer, Player, PrizeModel, Prizes, Rake};
use equipoise_postflop::Spot;

use super::random::Dice;

/// The expected prize of the first of some players: somebody comes first with the share of the chips, and so on.
fn icm(stacks: &[f64], prizes: &[f64]) -> f64 {
    let chips: f64 = stacks.iter().sum();
    let Some((&prize, later)) = prizes.split_first() else { return 0.0 };
    // Without chips all are last together.
    let share = |stack: f64| if chips > 0.0 { stack / chips } else { 1.0 / stacks.len() as f64 };
    let mut value = share(stacks[0]) * prize;
    for first in 1..stacks.len() {
        if share(stacks[first]) > 0.0 {
            let mut others = stacks.to_vec();
            others.remove(first);
            value += share(stacks[first]) * icm(&others, later);
        }
    }
    value
}

/// What a player's final stack is worth.
fn worth(prizes: &Prizes, chips: f64, all: f64) -> f64 {
    match prizes.model() {
        PrizeModel::Icm { payouts, other_stacks } => {
            let mut stacks = vec![chips, all - chips];
            stacks.extend(other_stacks.iter().map(|stack| stack.as_f64()));
            icm(&stacks, payouts.prizes())
        }
        PrizeModel::Table(points) => {
            let (from, to) =
                points.iter().zip(&points[1..]).find(|(from, to)| from.0 <= chips && chips <= to.0).unwrap();
            let part = (chips - from.0) / (to.0 - from.0);
            from.1 * (1.0 - part) + to.1 * part
        }
        other => panic!("{other:?} has no twin"),
    }
}

/// What it is worth to a player to end a hand with this many more chips than are behind at the root.
pub fn payoff(spot: &Spot, player: Player, change: f64) -> f64 {
    let config = spot.tree().config();
    let Some(prizes) = &config.prizes else { return change };
    let stack = prizes.stacks()[player].as_f64();
    let all = prizes.stacks().iter().map(|stack| stack.as_f64()).sum::<f64>() + config.starting_pot.as_f64();
    worth(prizes, stack + change, all) - worth(prizes, stack, all)
}

/// By how much what a player gets from a node on is more than from the root on.
pub fn sunk(spot: &Spot, node: NodeId, player: Player) -> f64 {
    -payoff(spot, player, -spot.tree().node(node).invested(player).as_f64())
}

/// The same spot for random prizes, without rake and locks.
pub fn for_prizes(spot: &Spot, seed: u64) -> Spot {
    let mut dice = Dice::new(seed ^ 0x1c4);
    let mut config = spot.tree().config().clone();
    config.rake = Rake::NONE;
    let more = Chips::new([0, 0, 70, 800][dice.below(4)]);
    let stacks = PerPlayer::new(config.effective_stack, config.effective_stack + more);
    let stacks =
        if dice.below(2) == 0 { stacks } else { PerPlayer::new(stacks[Player::Ip], stacks[Player::Oop]) };
    config.prizes = Some(if dice.below(3) == 0 {
        let all = stacks.iter().map(|stack| stack.as_f64()).sum::<f64>() + config.starting_pot.as_f64();
        let points = [(0.0, 1.0), (0.1, 3.0), (0.4, 5.0), (0.7, 5.5), (1.0, 7.5)];
        Prizes::table(stacks, points.iter().map(|&(part, prize)| (part * all, prize)).collect()).unwrap()
    } else {
        let prizes = [vec![50.0, 30.0, 20.0], vec![1.0, 1.0], vec![1000.0, 600.0, 350.0, 200.0]];
        let others = (0..1 + dice.below(3)).map(|_| Chips::new(20 + dice.below(900) as u32)).collect();
        Prizes::icm(stacks, Payouts::new(prizes[dice.below(3)].clone()).unwrap(), others).unwrap()
    });
    Spot::new(spot.ranges().clone(), *spot.board(), &config).unwrap()
}
