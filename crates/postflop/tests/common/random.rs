//! Random small spots on all streets, with rake, weights, symmetric and broken suits, and locks.

use equipoise_cards::{Board, Card, Combo, HandClass, Range, Street};
use equipoise_game::{Chips, NodeId, NodeKind, Rake, StreetMenus, TreeConfig};
use equipoise_postflop::{Lock, LockedStrategy, Spot};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub struct Dice(pub Xoshiro256PlusPlus);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    pub fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn weight(&mut self) -> f32 {
        [1.0, 1.0, 0.5, 0.25][self.below(4)]
            + if self.below(4) == 0 { -0.01 * self.below(20) as f32 } else { 0.0 }
    }

    fn range(&mut self, symmetric: bool, size: usize, board: &Board) -> Range {
        let mut range = Range::empty();
        while range.without(board.set()).num_combos() < size {
            let combo = Combo::from_index(self.below(Combo::COUNT)).unwrap();
            let weight = self.weight().clamp(0.05, 1.0);
            if symmetric {
                let class: HandClass = combo.class();
                range.set_class(class, weight).unwrap();
            } else {
                range.set(combo, weight).unwrap();
            }
        }
        range
    }
}

/// A random spot; early streets have smaller ranges and menus, since the twin is slow.
pub fn spot(seed: u64) -> Spot {
    let mut dice = Dice::new(seed);
    loop {
        let street =
            [Street::River, Street::Turn, Street::River, Street::Turn, Street::Flop][seed as usize % 5];
        let mut cards: Vec<Card> = Vec::new();
        while cards.len() < street.num_board_cards() {
            let card = Card::ALL[dice.below(52)];
            if !cards.contains(&card) {
                cards.push(card);
            }
        }
        let symmetric = dice.below(3) > 0;
        let Some(spot) = without_locks(&mut dice, Board::new(&cards).unwrap(), symmetric) else { continue };
        let locks = if dice.below(2) == 0 { locks(&spot, &mut dice) } else { Vec::new() };
        return spot.with_locks(locks).unwrap();
    }
}

/// A random spot of a board, with ranges that tell suits apart or not, and without locks.
pub fn spot_on(seed: u64, board: Board, symmetric: bool) -> Spot {
    let mut dice = Dice::new(seed);
    loop {
        let spot = without_locks(&mut dice, board, symmetric);
        if let Some(spot) = spot.filter(|spot| spot.tree().node(NodeId::ROOT).player().is_some()) {
            return spot;
        }
    }
}

fn without_locks(dice: &mut Dice, board: Board, symmetric: bool) -> Option<Spot> {
    let street = board.street();
    let size = match street {
        Street::River => 12,
        Street::Turn => 8,
        _ => 4,
    };
    let ranges = [dice.range(symmetric, size, &board), dice.range(symmetric, size, &board)];
    let stack = [0, 30, 150, 1000][dice.below(4)];
    let mut config = TreeConfig::new(street, Chips::new(100), Chips::new(stack));
    if dice.below(2) == 0 {
        config.rake = Rake { rate: 0.05, cap: [None, Some(3.0), Some(20.0)][dice.below(3)] };
    }
    let (bets, raises) = match street {
        Street::River => {
            (dice.pick(&["50%, 100%, a", "33%, 75%, 150%", "a", ""]), dice.pick(&["60%, a", "2.5x", ""]))
        }
        Street::Turn => (dice.pick(&["50%", "75%, a", "a"]), dice.pick(&["a", ""])),
        _ => (dice.pick(&["50%", "a"]), ""),
    };
    let menus = StreetMenus::same(bets.parse().unwrap(), raises.parse().unwrap());
    for street in [Street::Flop, Street::Turn, Street::River] {
        *config.menus_mut(street).unwrap() = menus.clone();
    }
    if street == Street::Flop {
        config.flop = StreetMenus::default();
    }
    Spot::new(ranges, board, &config).ok()
}

fn locks(spot: &Spot, dice: &mut Dice) -> Vec<Lock> {
    let tree = spot.tree();
    let decisions: Vec<NodeId> =
        tree.node_ids().filter(|&id| matches!(tree.node(id).kind(), NodeKind::Decision(_))).collect();
    if decisions.is_empty() {
        return Vec::new();
    }
    let one = |dice: &mut Dice| {
        let node = decisions[dice.below(decisions.len())];
        let actions = tree.node(node).num_children();
        let mut frequencies: Vec<f64> = (0..actions).map(|_| (1 + dice.below(5)) as f64).collect();
        let sum: f64 = frequencies.iter().sum();
        frequencies.iter_mut().for_each(|frequency| *frequency /= sum);
        let player = tree.node(node).player().unwrap();
        let strategy = if dice.below(2) == 0 {
            LockedStrategy::Every(frequencies)
        } else {
            let combos: Vec<Combo> = spot.ranges()[player].iter().map(|(combo, _)| combo).collect();
            LockedStrategy::Combos(vec![(combos[dice.below(combos.len())], frequencies)])
        };
        let mut runout = Vec::new();
        let dealt = tree.node(node).street().num_board_cards() - spot.board().cards().len();
        if dice.below(2) == 0 {
            while runout.len() < dealt {
                let card = Card::ALL[dice.below(52)];
                if !spot.board().set().contains(card) && !runout.contains(&card) {
                    runout.push(card);
                }
            }
        }
        Lock::new(tree.line_to(node), strategy).on(runout)
    };
    (0..1 + dice.below(2)).map(|_| one(dice)).collect()
}
