//! How three hands may rank.

/// How the hands of three players rank, ties included: one of thirteen orders.
///
/// ```
/// use equipoise_equity::ShowdownOrder;
/// // The second player wins, the others share the second place.
/// let order = ShowdownOrder::of([7, 9, 7]);
/// assert_eq!(order.places(), [1, 0, 1]);
/// assert_eq!(order.seen_by([1, 0, 2]).places(), [0, 1, 1]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShowdownOrder(u8);

/// By the first player against the second, then by where the third is, the best first.
const PLACES: [[u8; 3]; ShowdownOrder::COUNT] = [
    [1, 2, 0],
    [0, 1, 0],
    [0, 2, 1],
    [0, 1, 1],
    [0, 1, 2],
    [1, 1, 0],
    [0, 0, 0],
    [0, 0, 1],
    [2, 1, 0],
    [1, 0, 0],
    [2, 0, 1],
    [1, 0, 1],
    [1, 0, 2],
];

/// 0 if the first loses, 1 for a tie, 2 if it wins.
const fn code(a: u16, b: u16) -> usize {
    if a < b { 0 } else { 1 + (a > b) as usize }
}

/// The order by the three comparisons; comparisons that contradict each other have none.
const BY_COMPARISON: [u8; 27] = {
    let mut orders = [u8::MAX; 27];
    let mut id = 0;
    while id < ShowdownOrder::COUNT {
        let [a, b, c] = PLACES[id];
        // A lower place is a better hand.
        let (ab, ac, bc) = (code(b as u16, a as u16), code(c as u16, a as u16), code(c as u16, b as u16));
        orders[ab * 9 + ac * 3 + bc] = id as u8;
        id += 1;
    }
    orders
};

impl ShowdownOrder {
    /// How many orders there are.
    pub const COUNT: usize = 13;

    /// All of them.
    pub fn all() -> impl ExactSizeIterator<Item = ShowdownOrder> {
        (0..ShowdownOrder::COUNT as u8).map(ShowdownOrder)
    }

    /// The order of three strengths; higher wins.
    #[must_use]
    pub fn of(strengths: [u16; 3]) -> ShowdownOrder {
        let [a, b, c] = strengths;
        ShowdownOrder(BY_COMPARISON[code(a, b) * 9 + code(a, c) * 3 + code(b, c)])
    }

    /// The place of each player: 0 for the best hand, equal for equal hands.
    #[must_use]
    pub const fn places(self) -> [u8; 3] {
        PLACES[self.0 as usize]
    }

    /// A number below [`ShowdownOrder::COUNT`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The order with the players listed in another way: first the player `players[0]`, and so on.
    #[must_use]
    pub fn seen_by(self, players: [usize; 3]) -> ShowdownOrder {
        let places = players.map(|player| self.places()[player]);
        ShowdownOrder::of(places.map(|place| u16::from(2 - place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_once() {
        for (id, order) in ShowdownOrder::all().enumerate() {
            assert_eq!(order.index(), id);
            assert_eq!(ShowdownOrder::of(order.places().map(|place| 9 - u16::from(place))), order);
            assert_eq!(order.seen_by([0, 1, 2]), order);
            assert_eq!(order.seen_by([2, 0, 1]).seen_by([1, 2, 0]), order);
        }
    }
}
