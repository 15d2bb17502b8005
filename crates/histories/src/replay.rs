//! Playing a history by the rules.

use equipoise_cards::{Board, Card, CardSet, Combo, Street, Strength};

use crate::error::Problem;
use crate::history::{Event, History, Said};
use crate::table::{Next, Table};

/// What a player did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // The rules of poker know no other.
pub enum Move {
    /// Gave up.
    Fold,
    /// Invested nothing where nothing was to be called.
    Check,
    /// Matched the bet, as far as the stack went.
    Call,
    /// Opened the betting.
    Bet,
    /// Went over a bet.
    Raise,
}

impl Move {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["fold", "check", "call", "bet", "raise"][self as usize]
    }
}

/// An action and where it led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// Who acted.
    pub player: usize,
    /// What the player did.
    pub action: Move,
    /// What the player has bet on this street once it is done, uncallable chips not counted.
    pub street_total: u64,
    /// What the player has bet in the whole hand, the ante not counted.
    pub hand_total: u64,
    /// Whether the player has nothing behind then, or nobody could call more.
    pub is_all_in: bool,
}

/// The betting of one street.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreetPlay {
    /// Which.
    pub street: Street,
    /// The public cards that came with it; none if they are unknown.
    pub cards: Vec<Card>,
    /// What was in the middle when it began: the posts, before the flop.
    pub pot: u64,
    /// What each player had behind then.
    pub behind: Vec<u64>,
    /// Who had not folded then.
    pub live: Vec<usize>,
    /// What was done.
    pub steps: Vec<Step>,
}

/// A hand that was played by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replay {
    /// The streets that were come to.
    pub streets: Vec<StreetPlay>,
    /// All public cards; none if some of them are unknown.
    pub board: Board,
    /// Whether the hand is over: all but one have folded, or the river's betting is done, or nobody can bet any more.
    pub is_over: bool,
    /// Who acts, if it is not over and no card comes.
    pub to_act: Option<usize>,
    /// Who has not folded.
    pub live: Vec<usize>,
    /// What each player has invested in the hand, the ante included.
    pub invested: Vec<u64>,
    antes: Vec<u64>,
}

impl Replay {
    pub(crate) fn of(history: &History) -> Result<Replay, (usize, Problem)> {
        check_players(history).map_err(|problem| (0, problem))?;
        let mut table = Table::new(&history.players, history.min_bet, history.full_blind(), history.decimals);
        let mut seen = CardSet::EMPTY;
        for card in history.players.iter().filter_map(|player| player.cards).flat_map(Combo::cards) {
            take(&mut seen, card).map_err(|problem| (0, problem))?;
        }
        let mut cards: Vec<Card> = Vec::new();
        let mut is_board_known = true;
        let mut streets = vec![street(&table, Vec::new())];
        for (id, event) in history.events.iter().enumerate() {
            let at = |problem: Problem| (id, problem);
            match event {
                Event::Board(dealt) => {
                    table.deal().map_err(|text| at(Problem::Illegal(text)))?;
                    dealt.iter().try_for_each(|&card| take(&mut seen, card)).map_err(at)?;
                    // No cards: they came, but nobody knows which.
                    is_board_known &= !dealt.is_empty();
                    cards.extend(dealt);
                    if is_board_known && cards.len() != table.street.num_board_cards() {
                        let text = format!("{} public cards come on the {}", dealt.len(), table.street);
                        return Err(at(Problem::Illegal(text)));
                    }
                    streets.push(street(&table, dealt.clone()));
                }
                _ => {
                    let said = history.said(id);
                    let step = act(&mut table, event, said).map_err(|text| at(Problem::Illegal(text)))?;
                    streets.last_mut().expect("there is a street").steps.push(step);
                }
            }
        }
        let known = if is_board_known { &cards[..] } else { &[] };
        let board = Board::new(known).map_err(|error| (0, error.into()))?;
        let can_bet = table.live().filter(|&player| table.behind[player] > 0).count();
        let is_run_out = table.next == Next::Deal && can_bet < 2;
        Ok(Replay {
            streets,
            board,
            is_over: table.next == Next::Over || is_run_out,
            to_act: match table.next {
                Next::Act(player) => Some(player),
                _ => None,
            },
            live: table.live().collect(),
            invested: table.invested,
            antes: table.antes,
        })
    }

    /// Whether cards decide, and all that are needed are there.
    fn strengths(&self, history: &History) -> Option<Vec<Option<Strength>>> {
        let board = (self.board.street() == Street::River).then(|| self.board.set())?;
        let strength = |player: usize| {
            let combo = history.players[player].cards?;
            Strength::of(combo.cards() | board)
        };
        let mut strengths = vec![None; history.players.len()];
        for &player in &self.live {
            strengths[player] = Some(strength(player)?);
        }
        Some(strengths)
    }

    /// What each player has invested and others have matched: without a bet that nobody called.
    #[must_use]
    pub fn called(&self) -> Vec<u64> {
        let bets: Vec<u64> =
            self.invested.iter().zip(&self.antes).map(|(invested, ante)| invested - ante).collect();
        let mut sorted = bets.clone();
        sorted.sort_unstable();
        let second = sorted[sorted.len() - 2];
        bets.iter().zip(&self.antes).map(|(&bet, &ante)| bet.min(second) + ante).collect()
    }

    /// What each player won or lost by the rules, before rake. `None` if the hand is not over or if cards are missing.
    #[must_use]
    pub fn winnings(&self, history: &History) -> Option<Vec<i64>> {
        if !self.is_over {
            return None;
        }
        let count = self.invested.len();
        let mut won = vec![0_u64; count];
        if let &[winner] = &self.live[..] {
            won[winner] = self.invested.iter().sum();
        } else {
            let strengths = self.strengths(history)?;
            let dead = if history.has_dead_antes { self.antes.clone() } else { vec![0; count] };
            let mut levels: Vec<u64> =
                self.live.iter().map(|&player| self.invested[player] - dead[player]).collect();
            levels.sort_unstable();
            levels.dedup();
            let mut below = 0;
            let mut pot: u64 = dead.iter().sum();
            let mut winners: Vec<usize> = Vec::new();
            for level in levels {
                let bet = |player: usize| self.invested[player] - dead[player];
                let eligible = || self.live.iter().copied().filter(|&player| bet(player) >= level);
                let best = eligible().map(|player| strengths[player]).max();
                let of_level: Vec<usize> =
                    eligible().filter(|&player| Some(strengths[player]) == best).collect();
                // Pots that the same players win are split as one.
                if !winners.is_empty() && winners != of_level {
                    share(&mut won, pot, &winners);
                    pot = 0;
                }
                pot += (0..count).map(|player| bet(player).min(level).saturating_sub(below)).sum::<u64>();
                (below, winners) = (level, of_level);
            }
            share(&mut won, pot, &winners);
        }
        Some(won.iter().zip(&self.invested).map(|(&won, &invested)| won as i64 - invested as i64).collect())
    }
}

/// Splits a pot; chips that cannot be split go to the first ones left of the button.
fn share(won: &mut [u64], pot: u64, winners: &[usize]) {
    let count = winners.len() as u64;
    for (id, &winner) in winners.iter().enumerate() {
        won[winner] += pot / count + u64::from((id as u64) < pot % count);
    }
}

fn check_players(history: &History) -> Result<(), Problem> {
    let count = history.players.len();
    if !(2..=10).contains(&count) {
        return Err(Problem::syntax(format!("{count} players: a hand has 2 to 10")));
    }
    if let Some(id) = history.players.iter().position(|player| player.stack == 0) {
        return Err(Problem::syntax(format!("p{} has no chips", id + 1)));
    }
    match history.min_bet {
        0 => Err(Problem::syntax("the least bet is 0")),
        _ => Ok(()),
    }
}

fn take(seen: &mut CardSet, card: Card) -> Result<(), Problem> {
    if seen.insert(card) { Ok(()) } else { Err(Problem::Illegal(format!("the card {card} comes twice"))) }
}

fn street(table: &Table, cards: Vec<Card>) -> StreetPlay {
    StreetPlay {
        street: table.street,
        cards,
        pot: table.pot(),
        behind: table.behind.clone(),
        live: table.live().collect(),
        steps: Vec::new(),
    }
}

fn act(table: &mut Table, event: &Event, said: Option<Said>) -> Result<Step, String> {
    let opens = table.bets.iter().all(|&bet| bet == 0);
    let (player, action) = match *event {
        Event::Fold(player) => {
            table.fold(player)?;
            (player, Move::Fold)
        }
        Event::CheckOrCall(player) => {
            let chips = table.call(player, said)?;
            (player, if chips == 0 { Move::Check } else { Move::Call })
        }
        Event::BetTo(player, total) => {
            table.bet_to(player, total)?;
            (player, if opens { Move::Bet } else { Move::Raise })
        }
        Event::Board(_) => return Err("cards are no action".to_owned()),
    };
    Ok(Step {
        player,
        action,
        street_total: table.bets[player],
        hand_total: table.invested[player] - table.antes[player],
        is_all_in: table.behind[player] == 0,
    })
}
