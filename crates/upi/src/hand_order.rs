//! The order in which the protocol lists the 1,326 hands.

use std::sync::LazyLock;

use equipoise_cards::{Card, Combo};

static ORDER: LazyLock<Vec<Combo>> = LazyLock::new(|| {
    let below = |high: usize| (0..high).filter_map(move |low| Combo::new(Card::ALL[low], Card::ALL[high]));
    (0..Card::ALL.len()).flat_map(below).collect()
});

/// Every hand in the protocol's order: by the higher card, then by the lower one. `2d2c 2h2c 2h2d 2s2c … AsAh`.
///
/// ```
/// use equipoise_upi::hand_order;
/// let names: Vec<String> = hand_order().iter().take(7).map(ToString::to_string).collect();
/// assert_eq!(names.join(" "), "2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c");
/// assert_eq!(hand_order().len(), 1326);
/// ```
#[must_use]
pub fn hand_order() -> &'static [Combo] {
    &ORDER
}
