//! The independent chip model: what tournament stacks are worth in prizes.

use thiserror::Error;

/// Prizes of a tournament, the first place first, and what stacks are worth by the model of Malmuth and Harville: a player
/// comes first with a probability that is the share of all chips, and the places after it go in the same way among the
/// others.
///
/// The probability that a set of players takes the first places is computed for every set, smaller ones first, so that
/// equities are exact and take 2^n · n steps instead of n!.
///
/// ```
/// use equipoise_game::Payouts;
/// let payouts = Payouts::new(vec![50.0, 30.0, 20.0])?;
/// let equities = payouts.equities(&[5000.0, 3000.0, 2000.0])?;
/// for (equity, want) in equities.iter().zip([1075.0 / 28.0, 131.0 / 4.0, 202.0 / 7.0]) {
///     assert!((equity - want).abs() < 1e-12);
/// }
/// # Ok::<(), equipoise_game::IcmError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Payouts {
    prizes: Vec<f64>,
}

/// Why stacks and prizes have no value.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IcmError {
    /// Fewer than two players, or too many.
    #[error("{count} players: the model takes 2 to {}", Payouts::MAX_PLAYERS)]
    Players {
        /// How many.
        count: usize,
    },
    /// No prize at all.
    #[error("there are no prizes: name at least one above 0")]
    NoPrizes,
    /// A prize that is negative or no number.
    #[error("the prize {prize} must be 0 or more and finite")]
    Prize {
        /// The prize.
        prize: f64,
    },
    /// A stack or a prize with which sums would lose digits or overflow.
    #[error("{amount:e} is too much: the most is {:e}, so choose a larger unit", Payouts::MOST)]
    TooLarge {
        /// The stack or prize.
        amount: f64,
    },
    /// A prize that is larger than that of a better place.
    #[error("the prize {prize} is larger than the one before it: list prizes from the first place on")]
    Order {
        /// The prize.
        prize: f64,
    },
    /// A stack that is negative or no number.
    #[error("the stack {stack} must be 0 or more chips and finite")]
    Stack {
        /// The stack.
        stack: f64,
    },
    /// Nobody has chips.
    #[error("nobody has any chips")]
    NoChips,
}

/// What an all-in for the shorter of two stacks risks and gains in prizes; see [`Payouts::pressure`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pressure {
    /// Prize money lost by losing over prize money gained by winning. 1 if prizes are as chips; infinite if winning gains
    /// nothing.
    pub bubble_factor: f64,
    /// The equity that the all-in needs over one half: bubble factor / (bubble factor + 1) − 1/2.
    pub risk_premium: f64,
}

impl Payouts {
    /// The most players.
    pub const MAX_PLAYERS: usize = 20;

    /// The largest stack, and the largest prize.
    pub const MOST: f64 = 1e15;

    /// Prizes from the first place on; places without a prize may be left out.
    ///
    /// # Errors
    /// If there are none, or they are no prizes, or they rise.
    pub fn new(prizes: Vec<f64>) -> Result<Payouts, IcmError> {
        if let Some(&prize) = prizes.iter().find(|prize| !(prize.is_finite() && **prize >= 0.0)) {
            return Err(IcmError::Prize { prize });
        }
        let largest = prizes.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(IcmError::NoPrizes);
        }
        if largest > Payouts::MOST {
            return Err(IcmError::TooLarge { amount: largest });
        }
        match prizes.windows(2).find(|pair| pair[1] > pair[0]) {
            Some(pair) => Err(IcmError::Order { prize: pair[1] }),
            None => Ok(Payouts { prizes }),
        }
    }

    /// The prizes from the first place on.
    #[must_use]
    pub fn prizes(&self) -> &[f64] {
        &self.prizes
    }

    /// The expected prize of each player. Players without chips have the places after all others and share them alike.
    ///
    /// # Errors
    /// If there are too few or too many players, or stacks are none.
    pub fn equities(&self, stacks: &[f64]) -> Result<Vec<f64>, IcmError> {
        check(stacks)?;
        Ok(self.equities_of(stacks))
    }

    /// The expected prize of the first player, of stacks that are known to be right.
    pub(crate) fn equity_of_first(&self, stacks: &[f64]) -> f64 {
        self.equities_of(stacks)[0]
    }

    /// The same as [`equities`](Self::equities) for stacks that were checked.
    fn equities_of(&self, stacks: &[f64]) -> Vec<f64> {
        let num_players = stacks.len();
        let places = self.prizes.len().min(num_players) as u32;
        // The probability that the players of a set have the first places, and the chips of the others.
        let mut reached = vec![0.0; 1 << num_players];
        reached[0] = 1.0;
        let mut equities = vec![0.0; num_players];
        for set in 0..reached.len() {
            let place = set.count_ones();
            if reached[set] == 0.0 || place >= places {
                continue;
            }
            let others = || (0..num_players).filter(|player| set >> player & 1 == 0);
            let chips: f64 = others().map(|player| stacks[player]).sum();
            let prize = self.prizes[place as usize];
            for player in others() {
                let share = if chips > 0.0 {
                    stacks[player] / chips
                } else {
                    1.0 / f64::from(num_players as u32 - place)
                };
                let probability = reached[set] * share;
                equities[player] += probability * prize;
                reached[set | 1 << player] += probability;
            }
        }
        equities
    }

    /// What an all-in of `player` against `opponent` for the shorter stack risks, where nobody else is in the pot and no
    /// blinds are: the pressure that the prizes put on that player.
    ///
    /// ```
    /// use equipoise_game::Payouts;
    /// let payouts = Payouts::new(vec![50.0, 50.0])?;
    /// // Two of three get the same prize: the middle stack gains little by winning chips.
    /// let pressure = payouts.pressure(&[5000.0, 4000.0, 1000.0], 1, 0)?;
    /// assert!(pressure.bubble_factor > 4.0);
    /// # Ok::<(), equipoise_game::IcmError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Payouts::equities`].
    ///
    /// # Panics
    /// If there is no such player, or both are the same.
    pub fn pressure(&self, stacks: &[f64], player: usize, opponent: usize) -> Result<Pressure, IcmError> {
        check(stacks)?;
        assert!(player != opponent, "nobody goes all-in alone");
        let risked = stacks[player].min(stacks[opponent]);
        let value = |change: f64| {
            let mut stacks = stacks.to_vec();
            stacks[player] += change;
            stacks[opponent] -= change;
            self.equities_of(&stacks)[player]
        };
        let (lost, now, won) = (value(-risked), value(0.0), value(risked));
        let bubble_factor = (now - lost) / (won - now);
        // (now − lost) / (won − lost), which is defined also where winning gains nothing.
        let needed = (now - lost) / (won - lost);
        Ok(Pressure { bubble_factor, risk_premium: needed - 0.5 })
    }
}

fn check(stacks: &[f64]) -> Result<(), IcmError> {
    if !(2..=Payouts::MAX_PLAYERS).contains(&stacks.len()) {
        return Err(IcmError::Players { count: stacks.len() });
    }
    if let Some(&stack) = stacks.iter().find(|stack| !(stack.is_finite() && **stack >= 0.0)) {
        return Err(IcmError::Stack { stack });
    }
    if let Some(&amount) = stacks.iter().find(|&&stack| stack > Payouts::MOST) {
        return Err(IcmError::TooLarge { amount });
    }
    if stacks.iter().all(|&stack| stack == 0.0) { Err(IcmError::NoChips) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn equities(stacks: &[f64], prizes: &[f64]) -> Vec<f64> {
        Payouts::new(prizes.to_vec()).unwrap().equities(stacks).unwrap()
    }

    fn close(found: &[f64], want: &[f64], tolerance: f64) {
        assert_eq!(found.len(), want.len());
        for (found, want) in found.iter().zip(want) {
            assert!((found - want).abs() < tolerance, "{found} {want}");
        }
    }

    /// Every order of finishing, one by one.
    fn naive(stacks: &[f64], prizes: &[f64], place: usize, taken: &mut Vec<bool>, p: f64, sums: &mut [f64]) {
        if place == prizes.len().min(stacks.len()) {
            return;
        }
        let chips: f64 =
            stacks.iter().zip(&*taken).filter(|(_, taken)| !**taken).map(|(stack, _)| stack).sum();
        for player in 0..stacks.len() {
            if !taken[player] {
                let share = p * stacks[player] / chips;
                sums[player] += share * prizes[place];
                taken[player] = true;
                naive(stacks, prizes, place + 1, taken, share, sums);
                taken[player] = false;
            }
        }
    }

    #[test]
    fn known_equities() {
        close(
            &equities(&[3000.0, 2000.0, 1000.0], &[65.0, 35.0]),
            &[179.0 / 4.0, 107.0 / 3.0, 235.0 / 12.0],
            1e-12,
        );
        close(
            &equities(&[5000.0, 3000.0, 1500.0, 500.0], &[500.0, 300.0, 200.0]),
            &[377.780_656, 312.888_840, 225.602_468, 83.728_037],
            1e-6,
        );
        // Heads-up prizes are linear in chips.
        close(&equities(&[700.0, 300.0], &[60.0, 40.0]), &[54.0, 46.0], 1e-12);
        // More prizes than players: the last places are taken.
        close(&equities(&[700.0, 300.0], &[60.0, 40.0, 20.0]), &[54.0, 46.0], 1e-12);
    }

    #[test]
    fn players_without_chips_come_last() {
        close(&equities(&[100.0, 0.0, 300.0], &[50.0, 30.0, 20.0]), &[35.0, 20.0, 45.0], 1e-12);
        close(&equities(&[100.0, 0.0, 0.0], &[50.0, 30.0, 20.0]), &[50.0, 25.0, 25.0], 1e-12);
    }

    #[test]
    fn pressure_of_the_bubble() {
        let payouts = Payouts::new(vec![1.0]).unwrap();
        let winner_takes_all = payouts.pressure(&[10.0, 20.0, 30.0], 0, 2).unwrap();
        assert!(
            (winner_takes_all.bubble_factor - 1.0).abs() < 1e-12
                && winner_takes_all.risk_premium.abs() < 1e-12
        );
        let satellite = Payouts::new(vec![1.0, 1.0]).unwrap();
        let pressure = satellite.pressure(&[50.0, 50.0, 0.0], 0, 1).unwrap();
        assert_eq!(pressure.bubble_factor, f64::INFINITY);
        assert_eq!(pressure.risk_premium, 0.5);
    }

    /// The criterion bench has the number: some 11 µs. This holds without optimization and on a machine that does other work too.
    #[test]
    fn ten_players_take_less_than_a_millisecond() {
        let payouts = Payouts::new((1..=10).rev().map(f64::from).collect()).unwrap();
        let stacks: Vec<f64> = (1..=10).map(|id| 1000.0 + 137.0 * f64::from(id)).collect();
        let time = |_| {
            let started = std::time::Instant::now();
            let equities = std::hint::black_box(payouts.equities(std::hint::black_box(&stacks)).unwrap());
            assert!((equities.iter().sum::<f64>() - 55.0).abs() < 1e-9);
            started.elapsed()
        };
        let fastest = (0..20).map(time).min().unwrap();
        assert!(fastest < std::time::Duration::from_millis(1), "{fastest:?}");
    }

    #[test]
    fn what_is_no_tournament() {
        assert_eq!(Payouts::new(Vec::new()), Err(IcmError::NoPrizes));
        assert!(matches!(Payouts::new(vec![-1.0]), Err(IcmError::Prize { .. })));
        assert!(matches!(Payouts::new(vec![1.0, f64::NAN]), Err(IcmError::Prize { .. })));
        assert!(matches!(Payouts::new(vec![1.0, 2.0]), Err(IcmError::Order { .. })));
        let payouts = Payouts::new(vec![1.0]).unwrap();
        assert_eq!(payouts.equities(&[1.0]), Err(IcmError::Players { count: 1 }));
        assert_eq!(payouts.equities(&[1.0; 21]), Err(IcmError::Players { count: 21 }));
        assert!(matches!(payouts.equities(&[1.0, -1.0]), Err(IcmError::Stack { .. })));
        assert_eq!(payouts.equities(&[0.0, 0.0]), Err(IcmError::NoChips));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn as_every_order_of_finishing(
            stacks in proptest::collection::vec(1.0_f64..10_000.0, 2..8),
            mut prizes in proptest::collection::vec(0.0_f64..100.0, 1..8),
        ) {
            prizes.sort_by(|a, b| b.total_cmp(a));
            let mut want = vec![0.0; stacks.len()];
            naive(&stacks, &prizes, 0, &mut vec![false; stacks.len()], 1.0, &mut want);
            close(&equities(&stacks, &prizes), &want, 1e-9);
        }

        #[test]
        fn prizes_are_neither_made_nor_lost(
            stacks in proptest::collection::vec(0.0_f64..10_000.0, 12),
            mut prizes in proptest::collection::vec(0.0_f64..100.0, 1..12),
        ) {
            prizes.sort_by(|a, b| b.total_cmp(a));
            let sum: f64 = equities(&stacks, &prizes).iter().sum();
            prop_assert!((sum - prizes.iter().sum::<f64>()).abs() < 1e-9);
        }
    }
}
