//! Hands of a file, played by the rules.

use equipoise_cards::{Board, Combo};
use equipoise_game::{Action, Chips, HandConfig, HandState, NodeKind, PerPlayer, Player};
use equipoise_histories::{Event, History};

use crate::agent::Taken;
use crate::follow::passive;

/// A heads-up hand of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordedHand {
    /// Blinds, antes and stacks.
    pub config: HandConfig,
    /// What was done.
    pub taken: Vec<Taken>,
    /// How the betting ended, or where the history breaks off.
    pub end: HandState,
    /// The public cards as far as they came.
    pub board: Board,
    /// The private cards that are known.
    pub combos: PerPlayer<Option<Combo>>,
    /// The names of both.
    pub names: PerPlayer<String>,
    /// Whose history it is.
    pub hero: Option<Player>,
}

/// The seats in the order of a history of two.
const SEATS: [Player; 2] = [Player::Oop, Player::Ip];

impl RecordedHand {
    /// Plays a history by the rules. Amounts become chips of which the given number is a big blind, if all of them can;
    /// otherwise they stay as they are.
    ///
    /// # Errors
    /// Why it is no heads-up hand, or what in it is not legal.
    pub fn of(history: &History, big_blind: Chips) -> Result<RecordedHand, String> {
        let [oop, ip] = &history.players[..] else {
            return Err(format!("{} players: only hands of two can be reviewed", history.players.len()));
        };
        let (small, big) = history.blinds();
        let scale = scale(history, big, u64::from(big_blind.count()));
        let chips = |amount: u64| {
            let scaled = amount * scale.0 / scale.1;
            u32::try_from(scaled).map(Chips::new).map_err(|_| format!("{amount} is too many chips"))
        };
        let config = HandConfig {
            small_blind: chips(small)?,
            big_blind: chips(big)?,
            antes: PerPlayer::new(chips(oop.ante)?, chips(ip.ante)?),
            stacks: PerPlayer::new(chips(oop.stack)?, chips(ip.stack)?),
        };
        let (end, taken, board) = replay(&history.events, &config, scale)?;
        let name = |player: Player| history.name(player as usize);
        Ok(RecordedHand {
            config,
            taken,
            end,
            board,
            combos: PerPlayer::new(oop.cards, ip.cards),
            names: PerPlayer::from_fn(name),
            hero: history.hero.and_then(|hero| SEATS.get(hero).copied()),
        })
    }
}

/// What amounts are multiplied and divided by so that the big blind is `wanted`; nothing if one of them would be no whole
/// number of chips.
fn scale(history: &History, big: u64, wanted: u64) -> (u64, u64) {
    let posted = history.players.iter().flat_map(|player| [player.stack, player.ante, player.blind]);
    let bets = history.events.iter().filter_map(|event| match event {
        Event::BetTo(_, total) => Some(*total),
        _ => None,
    });
    let fits = |amount: u64| amount.checked_mul(wanted).is_some_and(|amount| amount.is_multiple_of(big));
    if big > 0 && posted.chain(bets).all(fits) { (wanted, big) } else { (1, 1) }
}

/// Plays the events of a hand of two by the rules: where it ends, what was done, and the public cards. Amounts are multiplied
/// and divided by `scale`.
pub(crate) fn replay(
    events: &[Event],
    config: &HandConfig,
    scale: (u64, u64),
) -> Result<(HandState, Vec<Taken>, Board), String> {
    let mut hand = HandState::new(config).map_err(|error| error.to_string())?;
    let (mut taken, mut shown) = (Vec::new(), Vec::new());
    for event in events {
        let action = match event {
            Event::Board(cards) => {
                let wanted = if shown.is_empty() { 3 } else { 1 };
                if cards.len() != wanted {
                    return Err(format!("a street comes with {wanted} public cards, not {}", cards.len()));
                }
                shown.extend(cards);
                if hand.kind() == NodeKind::Chance {
                    hand = hand.deal().map_err(|error| error.to_string())?;
                }
                continue;
            }
            Event::Fold(_) => Action::Fold,
            Event::CheckOrCall(_) => passive(&hand),
            Event::BetTo(_, total) => {
                let scaled = total.checked_mul(scale.0).map(|total| total / scale.1);
                let total = scaled.and_then(|total| u32::try_from(total).ok()).ok_or("a bet is too large")?;
                let legal = hand.legal_actions().ok_or("nobody acts")?;
                legal.to_total(Chips::new(total)).ok_or("a bet is not legal")?
            }
        };
        taken.push(Taken { before: hand, action });
        hand = hand.act(action).map_err(|error| error.to_string())?;
    }
    let board = Board::new(&shown).map_err(|error| error.to_string())?;
    Ok((hand, taken, board))
}
