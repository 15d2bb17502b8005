//! Exact equities of pairs of combos, many at once.

use std::collections::HashMap;

use equipoise_cards::{Board, BoardStrengths, Card, CardSet, Combo, Range, SuitPermutation, Tally};
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;

use crate::matchup::{Matchup, choose};
use crate::options::{EquityError, Method, Options};
use crate::{Seat, equity};

/// Two combos and the board that they meet on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Pair {
    /// Whose equity is asked for.
    pub hero: Combo,
    /// The other.
    pub villain: Combo,
    /// The public cards so far.
    pub board: Board,
}

impl Pair {
    /// The card that stands in two places, if there is one.
    #[must_use]
    pub fn card_twice(&self) -> Option<Card> {
        let (hero, villain, board) = (self.hero.cards(), self.villain.cards(), self.board.set());
        hero.first_shared(villain).or_else(|| (hero | villain).first_shared(board))
    }

    /// The hero's equity; every runout is counted.
    fn equity(&self) -> f64 {
        let dead = self.hero.cards() | self.villain.cards() | self.board.set();
        let base: Tally = self.board.set().into();
        let (hero, villain) = (base.with_all(self.hero.cards()), base.with_all(self.villain.cards()));
        let live: Vec<Card> = (!dead).iter().collect();
        let share = |cards: CardSet| {
            let (hero, villain) = (hero.with_all(cards).strength7(), villain.with_all(cards).strength7());
            u32::from(hero > villain) * 2 + u32::from(hero == villain)
        };
        let won: u32 = match self.board.cards().len() {
            5 => share(CardSet::EMPTY),
            4 => live.iter().map(|&card| share(card.into())).sum(),
            3 => {
                let pairs = live.iter().enumerate();
                let seconds = |(at, &first): (usize, &Card)| {
                    live[at + 1..].iter().map(|&second| share(CardSet::from(first).with(second))).sum::<u32>()
                };
                pairs.map(seconds).sum()
            }
            _ => return preflop(self.hero, self.villain),
        };
        f64::from(won) / (2.0 * choose(live.len() as u64, 5 - self.board.cards().len() as u64) as f64)
    }
}

/// The equity of two combos before the flop.
fn preflop(hero: Combo, villain: Combo) -> f64 {
    let seats = vec![Seat::Combo(hero), Seat::Combo(villain)];
    let matchup = Matchup::new(seats, Board::EMPTY, CardSet::EMPTY).expect("two combos that share no card");
    let options = Options { method: Method::Exact, ..Options::default() };
    equity(&matchup, &options, &mut ()).expect("nobody cancels").players[0].equity
}

/// The exact equity of each hero, in the order of the pairs.
///
/// ```
/// use equipoise_equity::{Pair, pair_equities};
/// let pair = Pair { hero: "AhAd".parse()?, villain: "KcKs".parse()?, board: "".parse()? };
/// let equities = pair_equities(&[pair], &mut ())?;
/// assert!((equities[0] - 0.812_55).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EquityError::Cancelled`] by the observer.
///
/// # Panics
/// If a pair has a [card twice](Pair::card_twice).
pub fn pair_equities(pairs: &[Pair], observer: &mut dyn Observer) -> Result<Vec<f64>, EquityError> {
    let progress = Progress::new(observer, pairs.len() as u64);
    let of = |pair: &Pair| {
        assert_eq!(pair.card_twice(), None, "{pair:?}");
        let equity = pair.equity();
        progress.advance(1)?;
        Ok(equity)
    };
    pairs.par_iter().map(of).collect()
}

/// The exact equity of each combo of one range against each of another, `[hero][villain]` by combo index: 1,326 rows of
/// 1,326. NaN where a range lacks the combo, where both share a card or where the board has one of their cards.
///
/// ```
/// use equipoise_cards::Combo;
/// use equipoise_equity::equity_matrix;
/// let matrix = equity_matrix(&"AA".parse()?, &"KK,AKs".parse()?, &"Td9d6h".parse()?, &mut ())?;
/// let [aces, kings]: [Combo; 2] = ["AhAd".parse()?, "KcKs".parse()?];
/// assert!((matrix[1326 * aces.index() + kings.index()] - 0.901_515).abs() < 1e-6);
/// assert!(matrix[1326 * kings.index() + aces.index()].is_nan());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EquityError::Cancelled`] by the observer.
pub fn equity_matrix(
    heroes: &Range,
    villains: &Range,
    board: &Board,
    observer: &mut dyn Observer,
) -> Result<Vec<f64>, EquityError> {
    let list = |range: &Range| range.without(board.set()).iter().map(|(combo, _)| combo).collect::<Vec<_>>();
    let (heroes, villains) = (list(heroes), list(villains));
    let mut matrix = vec![f64::NAN; Combo::COUNT * Combo::COUNT];
    if board.cards().is_empty() {
        fill_preflop(&mut matrix, &heroes, &villains, observer)?;
    } else {
        fill_on(board, &mut matrix, &heroes, &villains, observer)?;
    }
    Ok(matrix)
}

/// Boards between two questions whether to continue, and rows that a thread takes at once.
const FEW_BOARDS: usize = 16;

/// Counts every runout for all pairs at once.
fn fill_on(
    board: &Board,
    matrix: &mut [f64],
    heroes: &[Combo],
    villains: &[Combo],
    observer: &mut dyn Observer,
) -> Result<(), EquityError> {
    let boards = runouts(board);
    // Two for a win and one for a tie, which are at most 1,980.
    let mut won = vec![0_u16; heroes.len() * villains.len()];
    let progress = Progress::new(observer, boards.len().div_ceil(FEW_BOARDS) as u64);
    for boards in boards.chunks(FEW_BOARDS) {
        let strengths: Vec<(Vec<u16>, Vec<u16>)> = boards
            .par_iter()
            .map(|&board| {
                let mut all = BoardStrengths::default();
                all.fill(board);
                // A blocked hero beats nobody, a blocked villain is beaten by nobody.
                let of = |combos: &[Combo], blocked: u16| -> Vec<u16> {
                    let strength = |combo: &Combo| all.get(*combo).map_or(blocked, |found| found.get() + 1);
                    combos.iter().map(strength).collect()
                };
                (of(heroes, 0), of(villains, u16::MAX))
            })
            .collect();
        won.par_chunks_mut(villains.len().max(1)).enumerate().for_each(|(hero, won)| {
            for (of_heroes, of_villains) in &strengths {
                let own = of_heroes[hero];
                for (won, &other) in won.iter_mut().zip(of_villains) {
                    *won += u16::from(other < own) + u16::from(other <= own);
                }
            }
        });
        progress.advance(1)?;
    }
    let to_come = 5 - board.cards().len() as u64;
    let num_runouts = choose((Card::COUNT - 4 - board.cards().len()) as u64, to_come) as f64;
    for (hero, won) in heroes.iter().zip(won.chunks(villains.len().max(1))) {
        for (villain, &won) in villains.iter().zip(won) {
            if !hero.cards().intersects(villain.cards()) {
                matrix[Combo::COUNT * hero.index() + villain.index()] = f64::from(won) / (2.0 * num_runouts);
            }
        }
    }
    Ok(())
}

/// Every full board after this one, each set of cards once.
fn runouts(board: &Board) -> Vec<[Card; 5]> {
    let mut boards: Vec<Vec<Card>> = vec![board.cards().to_vec()];
    for _ in board.cards().len()..5 {
        let more = |cards: Vec<Card>| {
            let last = (cards.len() > board.cards().len()).then(|| cards[cards.len() - 1]);
            let next = Card::ALL.into_iter().filter(move |&card| last.is_none_or(|last| card > last));
            let next = next.filter(|&card| !board.set().contains(card)).collect::<Vec<_>>();
            next.into_iter().map(move |card| [&cards[..], &[card]].concat())
        };
        boards = boards.into_iter().flat_map(more).collect();
    }
    boards.into_iter().map(|cards| cards.try_into().expect("five cards")).collect()
}

/// Counts each pair once that differs in more than suits.
fn fill_preflop(
    matrix: &mut [f64],
    heroes: &[Combo],
    villains: &[Combo],
    observer: &mut dyn Observer,
) -> Result<(), EquityError> {
    let key = |hero: Combo, villain: Combo| {
        let image = |suits: SuitPermutation| {
            (suits.map_combo(hero).index() as u32) << 16 | suits.map_combo(villain).index() as u32
        };
        SuitPermutation::ALL.into_iter().map(image).min().expect("24 permutations")
    };
    let pairs = |hero: &Combo| {
        let hero = *hero;
        villains
            .iter()
            .filter(move |villain| !hero.cards().intersects(villain.cards()))
            .map(move |&v| (hero, v))
    };
    let keys: Vec<u32> = heroes
        .par_iter()
        .flat_map_iter(|hero| pairs(hero).map(|(hero, villain)| key(hero, villain)))
        .collect();
    let mut classes = keys.clone();
    classes.par_sort_unstable();
    classes.dedup();
    let progress = Progress::new(observer, classes.len() as u64);
    let of = |&class: &u32| {
        let combo = |index: u32| Combo::from_index(index as usize).expect("an index of a combo");
        let equity = preflop(combo(class >> 16), combo(class & 0xffff));
        progress.advance(1)?;
        Ok((class, equity))
    };
    let equities: HashMap<u32, f64> =
        classes.par_iter().map(of).collect::<Result<Vec<_>, EquityError>>()?.into_iter().collect();
    for ((hero, villain), key) in heroes.iter().flat_map(pairs).zip(keys) {
        matrix[Combo::COUNT * hero.index() + villain.index()] = equities[&key];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    fn pair(hero: &str, villain: &str, board: &str) -> Pair {
        Pair { hero: hero.parse().unwrap(), villain: villain.parse().unwrap(), board: board.parse().unwrap() }
    }

    /// By the other way to count.
    fn counted(pair: &Pair) -> f64 {
        let seats = vec![Seat::Combo(pair.hero), Seat::Combo(pair.villain)];
        let matchup = Matchup::new(seats, pair.board, CardSet::EMPTY).unwrap();
        let options = Options { method: Method::Exact, ..Options::default() };
        equity(&matchup, &options, &mut ()).unwrap().players[0].equity
    }

    #[test]
    fn pairs_are_what_matchups_are() {
        let pairs = ["", "Td9d6h", "Td9d6hQc", "Td9d6hQc2h", "AcKdQh", "7h7s7d7c"]
            .map(|board| pair("AhJd", "KcTs", board));
        let equities = pair_equities(&pairs, &mut ()).unwrap();
        for (pair, equity) in pairs.iter().zip(equities) {
            assert!((equity - counted(pair)).abs() < 1e-12, "{pair:?}: {equity}");
        }
        assert!(pair_equities(&[], &mut ()).unwrap().is_empty());
        assert_eq!(pair("AhJd", "KcAh", "").card_twice().unwrap().to_string(), "Ah");
        assert_eq!(pair("AhJd", "KcTs", "Td9dKc").card_twice().unwrap().to_string(), "Kc");
    }

    #[test]
    fn a_matrix_is_all_pairs() {
        let (heroes, villains): (Range, Range) =
            ("AA,T9s,72o".parse().unwrap(), "KK,A5s,T9s:0.5".parse().unwrap());
        for board in ["", "Td9d6h", "Td9d6hQc", "Td9d6hQc2h"] {
            let board: Board = board.parse().unwrap();
            let matrix = equity_matrix(&heroes, &villains, &board, &mut ()).unwrap();
            for (number, &found) in matrix.iter().enumerate() {
                let [hero, villain] =
                    [number / Combo::COUNT, number % Combo::COUNT].map(|at| Combo::from_index(at).unwrap());
                let pair = Pair { hero, villain, board };
                let is_there = heroes.get(hero) > 0.0 && villains.get(villain) > 0.0;
                if !is_there || pair.card_twice().is_some() {
                    assert!(found.is_nan(), "{pair:?}");
                } else if number % 7 == 0 || board.cards().len() > 3 {
                    assert!((found - counted(&pair)).abs() < 1e-12, "{pair:?}: {found}");
                }
            }
        }
    }

    #[test]
    fn the_observer_ends_the_work() {
        let mut stop = |_: &f64| ControlFlow::Break(());
        let range = Range::full();
        let board: Board = "Td9d6h".parse().unwrap();
        let found = equity_matrix(&range, &range, &board, &mut stop);
        assert_eq!(found, Err(EquityError::Cancelled));
        let pairs = [pair("AhJd", "KcTs", "Td9d6h")];
        assert_eq!(pair_equities(&pairs, &mut stop), Err(EquityError::Cancelled));
    }
}
