//! Playing through the APIs of other bots: Slumbot's, and GTO Wizard's for researchers.
//!
//! Both deal, play one side and count; we ask for a hand, answer the states, and are told what was won. Answers are played by
//! the rules before they are believed.

use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::time::Duration;

use equipoise_cards::{Board, Combo, parse_cards};
use equipoise_game::{Action, Chips, HandConfig, HandState, PerPlayer, Player};
use equipoise_histories::{Event, HistoryReader, Stakes};
use serde_json::{Value, json};

use crate::acpc::{Seen, seen_of};
use crate::agent::{Agent, AgentError, Seat, View};
use crate::http::{ApiAddress, post};
use crate::matches::Estimate;
use crate::recorded::replay;

/// How often a server that is too busy is asked again, and how long is waited before.
const RETRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);

/// The most actions of a hand that are believed; 200 big blinds allow fewer.
const MOST_ACTIONS: u32 = 256;

/// What is played, and how long an answer may take.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ApiOptions {
    /// Where.
    pub address: ApiAddress,
    /// The key of a user, if the API wants one.
    pub key: Option<String>,
    /// How many hands.
    pub hands: u64,
    /// How long an answer may take.
    pub limit: Duration,
    /// Blinds and stacks; states do not say all of them.
    pub config: HandConfig,
}

/// What came of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct ApiOutcome {
    /// Hands that were played to their end.
    pub hands: u64,
    /// Decisions that were made.
    pub decisions: u64,
    /// What was won, in thousandths of a big blind a hand.
    pub won: Estimate,
    /// The same as the API has corrected it for luck, if it does.
    pub corrected: Option<Estimate>,
    /// Why it ended before its time, if it did.
    pub failed: Option<AgentError>,
}

/// The API that is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // Both that there are.
pub enum Api {
    /// Slumbot's: `/api/new_hand` and `/api/act`.
    Slumbot,
    /// GTO Wizard's: `/hands` and `/hands/ID/act`.
    GtoWizard,
}

/// Plays hands until all are played, `go_on` says to end, or the API cannot go on. Every hand is given to `log` as one line when
/// it is over.
pub fn play_api(
    api: Api,
    agent: &dyn Agent,
    options: &ApiOptions,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
    log: &mut dyn FnMut(&str) -> Result<(), AgentError>,
) -> ApiOutcome {
    let mut outcome =
        ApiOutcome { hands: 0, decisions: 0, won: Estimate::default(), corrected: None, failed: None };
    let mut client = Client { api, options, token: None };
    let unit = 1000.0 / options.config.big_blind.as_f64();
    for number in 0..options.hands {
        if go_on().is_break() {
            break;
        }
        match client.hand(agent, number, &mut outcome.decisions) {
            Ok(over) => {
                outcome.hands += 1;
                outcome.won.add(unit * over.won);
                if let Some(corrected) = over.corrected {
                    outcome.corrected.get_or_insert_default().add(unit * corrected);
                }
                if let Err(error) = log(&over.line) {
                    outcome.failed = Some(error);
                    break;
                }
            }
            Err(error) => {
                outcome.failed = Some(error);
                break;
            }
        }
    }
    outcome
}

/// A hand that is over.
struct Over {
    /// Chips.
    won: f64,
    corrected: Option<f64>,
    line: String,
}

/// A state that an API has answered.
struct ApiState {
    seen: Seen,
    over: Option<Over>,
    id: Option<String>,
    /// What bets of the API are measured in, in chips, and whether they count the whole hand.
    scale: f64,
    counts_hand: bool,
    /// The least and the most that may be bet, as the API says it.
    range: Option<(f64, f64)>,
}

struct Client<'a> {
    api: Api,
    options: &'a ApiOptions,
    /// Slumbot's; the newest is sent.
    token: Option<String>,
}

impl Client<'_> {
    fn name(&self) -> String {
        self.options.address.to_string()
    }

    fn nonsense(&self, text: &str, reason: impl Into<String>) -> AgentError {
        let text: String = text.chars().take(200).collect();
        AgentError::Nonsense { name: self.name(), text, reason: reason.into() }
    }

    /// Plays one hand.
    fn hand(&mut self, agent: &dyn Agent, number: u64, decisions: &mut u64) -> Result<Over, AgentError> {
        let first = match self.api {
            Api::Slumbot => json!({}),
            Api::GtoWizard => json!({ "game_name": "HUNL 200BB" }),
        };
        let path = if self.api == Api::Slumbot { "/api/new_hand" } else { "/hands" };
        let mut state = self.ask(path, first, number)?;
        let mut seat: Option<(Player, Box<dyn Seat + '_>)> = None;
        for _ in 0..MOST_ACTIONS {
            if let Some(over) = state.over.take() {
                return Ok(over);
            }
            let Seen { seat: own, combo, board, hand, ref taken, .. } = state.seen;
            if hand.to_act() != Some(own) {
                return Err(self.nonsense("", "it is not our turn, and the hand is not over"));
            }
            let mut sitting = match seat.take() {
                Some((there, sitting)) if there == own => sitting,
                Some(_) => return Err(self.nonsense("", "our seat changed within a hand")),
                None => agent.sit(number, own)?,
            };
            let decision = sitting.act(&View { number, seat: own, combo, board, hand, taken })?;
            seat = Some((own, sitting));
            *decisions += 1;
            let (path, body) = self.answer(&state, &hand, decision.action);
            state = self.ask(&path, body, number)?;
        }
        Err(self.nonsense("", "the hand does not end"))
    }

    /// What is sent for an action.
    fn answer(&self, state: &ApiState, hand: &HandState, action: Action) -> (String, Value) {
        let word = match action {
            Action::Fold => "f",
            Action::Check => "k",
            Action::Call => "c",
            _ => "b",
        };
        let total = action.total().map(|total| {
            let own = state.seen.seat;
            let earlier =
                if state.counts_hand { (hand.hand_total(own) - hand.street_total(own)).count() } else { 0 };
            total.count() + earlier
        });
        match self.api {
            Api::Slumbot => {
                let amount = total.map_or_else(String::new, |total| total.to_string());
                ("/api/act".to_owned(), json!({ "incr": format!("{word}{amount}") }))
            }
            Api::GtoWizard => {
                let id = state.id.clone().unwrap_or_default();
                let mut body = json!({ "action": word });
                if let Some(total) = total {
                    // Amounts are whole numbers there.
                    let amount = (f64::from(total) / state.scale).round();
                    let (least, most) = state.range.unwrap_or((amount, amount));
                    body["amount"] = json!(amount.min(most.floor()).max(least.ceil()) as u64);
                }
                (format!("/hands/{id}/act"), body)
            }
        }
    }

    /// Posts, again if the server is too busy, and reads the answer.
    fn ask(&mut self, path: &str, mut body: Value, number: u64) -> Result<ApiState, AgentError> {
        let mut headers = Vec::new();
        match self.api {
            Api::Slumbot => {
                if let Some(token) = &self.token {
                    body["token"] = json!(token);
                }
            }
            Api::GtoWizard => headers.extend(self.options.key.clone().map(|key| ("X-API-KEY", key))),
        }
        let body = body.to_string();
        let mut tried = 0;
        let answer = loop {
            let answer = post(&self.options.address, path, &headers, &body, self.options.limit);
            let answer = answer.map_err(|error| match error.kind() {
                ErrorKind::TimedOut => AgentError::TimedOut { name: self.name(), limit: self.options.limit },
                _ => AgentError::Connection { name: self.name(), reason: error.to_string() },
            })?;
            if !matches!(answer.status, 502..=504) || tried == RETRIES {
                break answer;
            }
            tried += 1;
            std::thread::sleep(PAUSE * tried);
        };
        if !(200..300).contains(&answer.status) {
            return Err(self.nonsense(&answer.body, format!("status {}", answer.status)));
        }
        let value: Value = serde_json::from_str(&answer.body)
            .map_err(|error| self.nonsense(&answer.body, format!("no JSON: {error}")))?;
        if let Some(token) = value.get("token").and_then(Value::as_str) {
            self.token = Some(token.to_owned());
        }
        let read = match self.api {
            Api::Slumbot => read_slumbot(&value, &self.options.config, number),
            Api::GtoWizard => read_gto_wizard(&value, &self.options.config, number),
        };
        read.map_err(|reason| self.nonsense(&answer.body, reason))
    }
}

/// An answer of Slumbot's API.
fn read_slumbot(value: &Value, config: &HandConfig, number: u64) -> Result<ApiState, String> {
    let stakes = stakes(config);
    let line = value.to_string();
    let history = match HistoryReader::new(line.as_bytes(), &stakes).next() {
        Some(read) => read.map_err(|error| error.problem.to_string())?,
        None => return Err("it holds no state".to_owned()),
    };
    let won = value.get("winnings").and_then(Value::as_f64);
    let seen = seen_of(&history, config, number)?;
    let over = won.map(|won| Over { won, corrected: None, line });
    Ok(ApiState { seen, over, id: None, scale: 1.0, counts_hand: false, range: None })
}

fn stakes(config: &HandConfig) -> Stakes {
    Stakes {
        small_blind: config.small_blind.count().into(),
        big_blind: config.big_blind.count().into(),
        stack: config.stacks[Player::Oop].min(config.stacks[Player::Ip]).count().into(),
    }
}

/// An answer of GTO Wizard's API: `hand_id`, `game` with its `blinds`, and `game_state`. Bets are in the unit of the blinds. Whether
/// they count the street or the whole hand follows from `raise_range`.
fn read_gto_wizard(value: &Value, config: &HandConfig, number: u64) -> Result<ApiState, String> {
    let state = value.get("game_state").ok_or("it has no `game_state`")?;
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let id = match value.get("hand_id") {
        Some(Value::Number(id)) => id.to_string(),
        Some(Value::String(id)) if id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') => {
            id.clone()
        }
        _ => return Err("it has no `hand_id`".to_owned()),
    };
    let big = value.pointer("/game/blinds/1").and_then(Value::as_f64).filter(|&big| big > 0.0);
    let scale = config.big_blind.as_f64() / big.ok_or("it does not say the blinds")?;
    let players = state.get("players").and_then(Value::as_array).ok_or("it has no `players`")?;
    let own = players.iter().find(|player| text(player, "hole_cards").is_some_and(|cards| cards.len() == 4));
    let own = own.ok_or("it has no private cards")?;
    let seat = match text(own, "position").unwrap_or_default().to_ascii_uppercase().as_str() {
        "BB" => Player::Oop,
        "BTN" | "SB" | "BU" => Player::Ip,
        other => return Err(format!("'{other}' is no seat: BB or BTN")),
    };
    let combo: Combo =
        text(own, "hole_cards").unwrap_or_default().parse::<Combo>().map_err(|error| format!("{error}"))?;
    let board =
        parse_cards(&text(state, "board_cards").unwrap_or_default()).map_err(|error| error.to_string())?;
    let history =
        state.get("action_history").and_then(Value::as_array).ok_or("it has no `action_history`")?;
    let words: Vec<&str> =
        history.iter().map(Value::as_str).collect::<Option<_>>().ok_or("an action is no text")?;
    let read = |counts_hand: bool| read_words(&words, &board, config, scale, counts_hand);
    let range = |key: &str| state.pointer(&format!("/raise_range/{key}")).and_then(Value::as_f64);
    let (mut chosen, mut is_legal, mut last) = (None, false, String::new());
    for counts_hand in [false, true] {
        match read(counts_hand) {
            Ok((hand, taken)) => {
                is_legal = true;
                let fits = range("min").zip(range("max")).is_none_or(|(least, most)| {
                    let totals = hand.legal_actions().and_then(|legal| legal.totals());
                    let earlier = match hand.to_act() {
                        Some(own) if counts_hand => (hand.hand_total(own) - hand.street_total(own)).as_f64(),
                        _ => 0.0,
                    };
                    totals.is_some_and(|(low, high)| {
                        let near =
                            |ours: Chips, theirs: f64| (ours.as_f64() + earlier - theirs * scale).abs() < 1.0;
                        near(low, least) && near(high, most)
                    })
                });
                if fits {
                    chosen.get_or_insert((hand, taken, counts_hand));
                }
            }
            Err(reason) => last = reason,
        }
    }
    let is_over = state.get("is_hand_over").and_then(Value::as_bool).unwrap_or(false);
    let (hand, taken, counts_hand) = chosen.ok_or_else(|| match is_legal {
        true => "its `raise_range` is not that of the rules".to_owned(),
        false => last,
    })?;
    let board = Board::new(&board).map_err(|error| error.to_string())?;
    if !is_over && hand.to_act().is_some() && board.street() != hand.street() {
        return Err(format!("{} public cards on the {}", board.cards().len(), hand.street()));
    }
    let over = match (is_over, state.get("winnings").and_then(Value::as_f64)) {
        (true, Some(won)) => Some(Over {
            won: won * scale,
            corrected: state.get("aivat_score").and_then(Value::as_f64).map(|score| score * scale),
            line: value.to_string(),
        }),
        (true, None) => return Err("the hand is over, and it does not say the `winnings`".to_owned()),
        _ => None,
    };
    let seen = Seen { number, seat, combo, board, hand, taken };
    Ok(ApiState { seen, over, id: Some(id), scale, counts_hand, range: range("min").zip(range("max")) })
}

/// Plays words such as `c`, `k`, `f` and `b2` by the rules; streets follow from them.
fn read_words(
    words: &[&str],
    board: &[equipoise_cards::Card],
    config: &HandConfig,
    scale: f64,
    counts_hand: bool,
) -> Result<(HandState, Vec<crate::agent::Taken>), String> {
    if words.len() > MOST_ACTIONS as usize {
        return Err(format!("{} actions: the most is {MOST_ACTIONS}", words.len()));
    }
    let mut events = Vec::new();
    let mut dealt = 0;
    let mut matched = PerPlayer::new(0_u64, 0);
    for word in words {
        let (mut hand, ..) = replay(&events, config, (1, 1))?;
        while hand.to_act().is_none() && hand.kind() == equipoise_game::NodeKind::Chance {
            let count = if dealt == 0 { 3 } else { 1 };
            let cards = board.get(dealt..dealt + count).ok_or("the board has too few cards")?;
            events.push(Event::Board(cards.to_vec()));
            dealt += count;
            let before = hand;
            hand = replay(&events, config, (1, 1))?.0;
            matched = PerPlayer::from_fn(|player| u64::from(before.hand_total(player).count()));
        }
        let player = hand.to_act().ok_or("an action where nobody acts")?;
        let event = match (word.as_bytes().first(), word.get(1..).unwrap_or_default()) {
            (Some(b'f'), "") => Event::Fold(player as usize),
            (Some(b'c' | b'k'), "") => Event::CheckOrCall(player as usize),
            (Some(b'b'), amount) => {
                let amount: f64 = amount.parse().map_err(|_| format!("'{word}' has no amount"))?;
                let total = (amount * scale).round();
                if !(total >= 0.0 && total < f64::from(u32::MAX)) {
                    return Err(format!("'{word}' has no amount"));
                }
                let earlier = if counts_hand { matched[player] } else { 0 };
                let total = (total as u64).checked_sub(earlier).ok_or("a bet is less than was bet before")?;
                Event::BetTo(player as usize, total)
            }
            _ => return Err(format!("'{word}' is no action: f, k, c or b and an amount")),
        };
        events.push(event);
    }
    let (hand, ..) = replay(&events, config, (1, 1))?;
    if hand.kind() == equipoise_game::NodeKind::Chance {
        let count = if dealt == 0 { 3 } else { 1 };
        if let Some(cards) = board.get(dealt..dealt + count) {
            events.push(Event::Board(cards.to_vec()));
        }
    }
    let (hand, taken, _) = replay(&events, config, (1, 1))?;
    Ok((hand, taken))
}

/// What must hold of any text that a server may answer: it is understood, or refused with a reason.
#[doc(hidden)]
pub fn check_api_text(text: &str) {
    crate::http::check_bytes(text.as_bytes());
    let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000));
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let _ = read_slumbot(&value, &config, 0);
        let _ = read_gto_wizard(&value, &config, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> HandConfig {
        HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000))
    }

    fn gto(state: Value) -> Result<ApiState, String> {
        let value = json!({ "hand_id": 7, "game": { "blinds": [50, 100] }, "game_state": state });
        read_gto_wizard(&value, &config(), 3)
    }

    fn players() -> Value {
        json!([
            { "name": "us", "position": "BTN", "hole_cards": "AsAd" },
            { "name": "them", "position": "BB", "hole_cards": null },
        ])
    }

    #[test]
    fn states_of_slumbot() {
        let answer = json!({
            "old_action": "b200c/k", "action": "b200c/kk/b200", "client_pos": 1, "hole_cards": ["Ac", "9d"],
            "board": ["6d", "5d", "Jh", "2s"], "token": "x",
        });
        let state = read_slumbot(&answer, &config(), 5).unwrap();
        assert!(state.over.is_none());
        assert_eq!((state.seen.seat, state.seen.hand.to_act()), (Player::Ip, Some(Player::Ip)));
        let answer = json!({
            "action": "b200c/kk/kb200c/k", "client_pos": 1, "hole_cards": ["Ac", "9d"],
            "board": ["6d", "5d", "Jh", "2s", "Tc"],
        });
        let seen = read_slumbot(&answer, &config(), 5).unwrap().seen;
        assert_eq!((seen.hand.to_act(), seen.hand.pot()), (Some(Player::Ip), Chips::new(800)));
        let over = json!({
            "action": "b200f", "client_pos": 0, "hole_cards": ["Ac", "9d"], "board": [], "winnings": -100, "won_pot": -300,
        });
        assert_eq!(read_slumbot(&over, &config(), 5).unwrap().over.unwrap().won, -100.0);
        for (answer, words) in [
            (json!({ "error_msg": "no such token" }), "no such token"),
            (json!({ "action": "b5", "client_pos": 0, "hole_cards": ["Ac", "9d"] }), "5"),
            (json!({ "action": "", "client_pos": 0 }), "no private cards"),
            (json!({ "action": "", "hole_cards": ["Ac", "9d"] }), "whose it is"),
            (json!([1]), ""),
        ] {
            let error = read_slumbot(&answer, &config(), 5).err().unwrap();
            assert!(error.contains(words), "{answer}: {error}");
        }
    }

    #[test]
    fn states_of_gto_wizard() {
        // The button opens, is called, and faces a bet: 300 chips each before.
        let state = json!({
            "board_cards": "6d5dJh", "is_hand_over": false, "players": players(),
            "action_history": ["b300", "c", "b200"], "raise_range": { "min": 400, "max": 19_700 },
        });
        let found = gto(state.clone()).unwrap();
        assert_eq!((found.id.as_deref(), found.counts_hand), (Some("7"), false));
        assert_eq!((found.seen.seat, found.seen.hand.pot()), (Player::Ip, Chips::new(800)));
        // The same where bets count the whole hand.
        let mut whole = state.clone();
        whole["action_history"] = json!(["b300", "c", "b500"]);
        whole["raise_range"] = json!({ "min": 700, "max": 20_000 });
        let found = gto(whole).unwrap();
        assert!(found.counts_hand);
        assert_eq!(found.seen.hand.pot(), Chips::new(800));
        let over = json!({
            "board_cards": "", "is_hand_over": true, "players": players(), "action_history": ["b300", "f"],
            "winnings": 100, "aivat_score": 12.5,
        });
        let over = gto(over).unwrap().over.unwrap();
        assert_eq!((over.won, over.corrected), (100.0, Some(12.5)));
        let changed = |key: &str, value: Value| {
            let mut state = state.clone();
            state[key] = value;
            gto(state).err().unwrap()
        };
        assert!(changed("raise_range", json!({ "min": 1, "max": 2 })).contains("raise_range"));
        assert!(changed("players", json!([])).contains("private cards"));
        assert!(changed("action_history", json!(["b300", "z"])).contains("is no action"));
        assert!(changed("board_cards", json!("6d")).contains("too few cards"));
        assert!(changed("is_hand_over", json!(true)).contains("winnings"));
    }
}
