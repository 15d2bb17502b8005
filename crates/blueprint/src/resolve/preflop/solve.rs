//! The betting before the flop as a game of 169 classes, solved by CFR+: regret matching+, updates in turn, averages weighted
//! by the iteration.

use std::sync::OnceLock;

use equipoise_cards::{Combo, HandClass};
use equipoise_equity::ClassTable;
use equipoise_game::{Action, Player};

use crate::bucketed::all_in::ClassAllIns;
use crate::resolve::preflop::entries::{CONTINUATIONS, N};
use crate::resolve::preflop::{Kind, Node};

/// How often the opponent makes a new raise at least.
const LEAST: f64 = 1e-3;

/// A number for each class.
type Classes = [f64; N];

/// What a decision has learned: by action, a number for each class.
#[derive(Debug)]
struct Learned {
    regrets: Vec<Classes>,
    sums: Vec<Classes>,
}

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Updates the player, with the current strategies.
    Train(u32),
    /// The player's best response to the averages.
    Best,
    /// Averages against averages.
    Average,
}

/// A game and what was learned of it.
pub(super) struct Game {
    nodes: Vec<Node>,
    opponent: Player,
    learned: Vec<Learned>,
    /// By entry: its values weighted by the combos of pairs of classes, for the opponent's rows and for the hero's.
    weighted: Vec<Option<Weighted>>,
}

/// Of each continuation: for one combo of the row's class against those of the column's.
struct Weighted {
    opponent: [Vec<f32>; CONTINUATIONS],
    hero: [Vec<f32>; CONTINUATIONS],
}

fn all_ins() -> &'static ClassAllIns<f64> {
    static ALL_INS: OnceLock<ClassAllIns<f64>> = OnceLock::new();
    ALL_INS.get_or_init(ClassAllIns::new)
}

/// How many combos of a class meet one combo of another, row by row.
fn combos() -> &'static Vec<f32> {
    static COMBOS: OnceLock<Vec<f32>> = OnceLock::new();
    COMBOS.get_or_init(|| {
        let table = ClassTable::shipped();
        let count = |own, other| table.matchup(own, other).num_combos() as f32;
        HandClass::all().flat_map(|own| HandClass::all().map(move |other| count(own, other))).collect()
    })
}

impl Weighted {
    fn new(values: &[Vec<f32>; CONTINUATIONS]) -> Weighted {
        let combos = combos();
        let opponent = std::array::from_fn(|continuation: usize| {
            values[continuation].iter().zip(combos).map(|(value, count)| value * count).collect()
        });
        let hero = std::array::from_fn(|continuation: usize| {
            let value = |at: usize| -values[continuation][at % N * N + at / N] * combos[at];
            (0..N * N).map(value).collect()
        });
        Weighted { opponent, hero }
    }
}

fn product(matrix: &[f32], vector: &Classes) -> Classes {
    let vector: [f32; N] = vector.map(|number| number as f32);
    let mut product = [0.0; N];
    for (to, row) in product.iter_mut().zip(matrix.chunks_exact(N)) {
        let mut sums = [0.0_f32; 8];
        for (row, vector) in row.chunks(8).zip(vector.chunks(8)) {
            for ((sum, row), number) in sums.iter_mut().zip(row).zip(vector) {
                *sum += row * number;
            }
        }
        *to = f64::from(sums.iter().sum::<f32>());
    }
    product
}

impl Game {
    pub(super) fn new((hero, nodes): (Player, Vec<Node>)) -> Game {
        let learned = nodes.iter().map(|node| {
            let count = match &node.kind {
                Kind::Decision { actions, fixed: None, .. } => actions.len(),
                Kind::Entry(_) => CONTINUATIONS,
                _ => 0,
            };
            Learned { regrets: vec![[0.0; N]; count], sums: vec![[0.0; N]; count] }
        });
        let learned = learned.collect();
        let weighted = nodes.iter().map(|node| match &node.kind {
            Kind::Entry(values) => Some(Weighted::new(values)),
            _ => None,
        });
        let weighted = weighted.collect();
        Game { nodes, opponent: hero.opponent(), learned, weighted }
    }

    /// Who acts at a node, what can be done, and the first child.
    pub(super) fn decision(&self, node: usize) -> Option<(Player, &[Action], usize)> {
        match &self.nodes[node].kind {
            Kind::Decision { player, actions, .. } => Some((*player, actions, self.nodes[node].first_child)),
            _ => None,
        }
    }

    pub(super) fn iterate(&mut self, iteration: u32) {
        for player in Player::ALL {
            self.visit(0, player, &[1.0; N], &[1.0; N], Pass::Train(iteration));
        }
    }

    /// What the hand is worth to a player when both play their averages, and the mean of both players' gains by a best
    /// response; both in chips a hand.
    pub(super) fn measure(&mut self, player: Player) -> (f64, f64) {
        // C(50, 2) combos of the other player.
        let mut mean = |player: Player, pass: Pass| {
            let values = self.visit(0, player, &[1.0; N], &[1.0; N], pass);
            let of_class = HandClass::all().map(|class| class.num_combos() as f64 * values[class.index()]);
            of_class.sum::<f64>() / Combo::COUNT as f64 / 1225.0
        };
        let values = Player::ALL.map(|player| mean(player, Pass::Average));
        let best = Player::ALL.map(|player| mean(player, Pass::Best));
        let gain = best.iter().sum::<f64>() - values.iter().sum::<f64>();
        let at = Player::ALL.iter().position(|&other| other == player).unwrap_or(0);
        (values[at], gain / 2.0)
    }

    /// The average strategy of a decision, by action and class; the current one for classes that never come there.
    pub(super) fn average(&self, node: usize) -> Vec<Classes> {
        let Learned { regrets, sums } = &self.learned[node];
        let (mut average, current) = (self.played(node, sums), self.played(node, regrets));
        for class in 0..N {
            if sums.iter().map(|sums| sums[class]).sum::<f64>() <= 0.0 {
                average
                    .iter_mut()
                    .zip(&current)
                    .for_each(|(average, current)| average[class] = current[class]);
            }
        }
        average
    }

    /// The strategy that follows from these numbers, by action and class.
    fn played(&self, node: usize, numbers: &[Classes]) -> Vec<Classes> {
        let least = match &self.nodes[node].kind {
            Kind::Decision { fixed: Some(fixed), .. } => {
                let of_action = |shares: &Vec<f64>| std::array::from_fn(|class| shares[class]);
                return fixed.iter().map(of_action).collect();
            }
            Kind::Decision { least, .. } => *least,
            _ => None,
        };
        let count = numbers.len();
        let mut shares = vec![[0.0; N]; count];
        for class in 0..N {
            let total: f64 = numbers.iter().map(|numbers| numbers[class]).sum();
            for (place, shares) in shares.iter_mut().enumerate() {
                let share = if total > 0.0 { numbers[place][class] / total } else { 1.0 / count as f64 };
                shares[class] = match least {
                    Some(least) => (1.0 - LEAST) * share + if place == least { LEAST } else { 0.0 },
                    None => share,
                };
            }
        }
        shares
    }

    /// The value of one combo of each class of the player, given the other player's reach; `own` is the player's reach.
    fn visit(&mut self, at: usize, player: Player, own: &Classes, theirs: &Classes, pass: Pass) -> Classes {
        let first = self.nodes[at].first_child;
        match &self.nodes[at].kind {
            Kind::Fold(pays) => all_ins().of_fold(theirs, pays[player]),
            Kind::AllIn(lose, half) => all_ins().of_classes(theirs, half[player], lose[player]),
            Kind::Entry(_) => self.entry(at, player, own, theirs, pass),
            Kind::Decision { player: actor, actions, fixed, .. } => {
                let (actor, count, is_fixed) = (*actor, actions.len(), fixed.is_some());
                let numbers = match pass {
                    Pass::Train(_) => &self.learned[at].regrets,
                    _ => &self.learned[at].sums,
                };
                let shares = self.played(at, numbers);
                let mut values = Vec::with_capacity(count);
                for (place, share) in shares.iter().enumerate() {
                    let times = |reach: &Classes| std::array::from_fn(|class| reach[class] * share[class]);
                    values.push(match actor == player {
                        true => self.visit(first + place, player, &times(own), theirs, pass),
                        false => self.visit(first + place, player, own, &times(theirs), pass),
                    });
                }
                if actor != player {
                    return sum(&values);
                }
                self.settle(at, &shares, &values, own, if is_fixed { None } else { Some(pass) })
            }
        }
    }

    /// The opponent's choice of a continuation.
    fn entry(&mut self, at: usize, player: Player, own: &Classes, theirs: &Classes, pass: Pass) -> Classes {
        let numbers = match pass {
            Pass::Train(_) => &self.learned[at].regrets,
            _ => &self.learned[at].sums,
        };
        let shares = self.played(at, numbers);
        let weighted = self.weighted[at].as_ref().expect("it is an entry");
        if player == self.opponent {
            let values: Vec<Classes> =
                weighted.opponent.iter().map(|matrix| product(matrix, theirs)).collect();
            return self.settle(at, &shares, &values, own, Some(pass));
        }
        let mut values = [0.0; N];
        for (matrix, share) in weighted.hero.iter().zip(&shares) {
            let coming = std::array::from_fn(|class| theirs[class] * share[class]);
            values.iter_mut().zip(product(matrix, &coming)).for_each(|(to, value)| *to += value);
        }
        values
    }

    /// The value of a decision of the player from those of its actions; updates what is learned there. A strategy that is
    /// fixed has no pass.
    fn settle(
        &mut self,
        at: usize,
        shares: &[Classes],
        values: &[Classes],
        own: &Classes,
        pass: Option<Pass>,
    ) -> Classes {
        let mut mean = [0.0; N];
        for (share, values) in shares.iter().zip(values) {
            for class in 0..N {
                mean[class] += share[class] * values[class];
            }
        }
        match pass {
            Some(Pass::Best) => {
                let best = |class: usize| values.iter().map(|values| values[class]).fold(f64::MIN, f64::max);
                let least = match &self.nodes[at].kind {
                    Kind::Decision { least, .. } => *least,
                    _ => None,
                };
                std::array::from_fn(|class| match least {
                    Some(least) => (1.0 - LEAST) * best(class) + LEAST * values[least][class],
                    None => best(class),
                })
            }
            Some(Pass::Train(iteration)) => {
                let learned = &mut self.learned[at];
                for (place, share) in shares.iter().enumerate() {
                    for class in 0..N {
                        let regret = &mut learned.regrets[place][class];
                        *regret = (*regret + values[place][class] - mean[class]).max(0.0);
                        learned.sums[place][class] += f64::from(iteration) * own[class] * share[class];
                    }
                }
                mean
            }
            _ => mean,
        }
    }
}

fn sum(values: &[Classes]) -> Classes {
    std::array::from_fn(|class| values.iter().map(|values| values[class]).sum())
}
