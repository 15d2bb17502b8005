//! `equipoise bot` through the APIs of other bots, as servers on loopback speak them.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread::{self, JoinHandle};

use equipoise::cards::Strength;
use equipoise::game::{Action, Chips, HandConfig, HandState, NodeKind, Player, Winner};
use equipoise::play::Deal;
use serde_json::{Value, json};

use crate::common::run_command;
use crate::play::{command, ran};

/// A server of the other bots' APIs on loopback: it deals, checks and calls for its own side, and plays by the rules. It answers
/// `count` requests.
struct Bots {
    address: String,
    server: JoinHandle<Vec<String>>,
}

/// A hand of such a server.
struct ServedHand {
    deal: Deal,
    client: Player,
    hand: HandState,
    words: Vec<String>,
}

impl ServedHand {
    fn new(number: u64) -> ServedHand {
        let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000));
        let client = if number.is_multiple_of(2) { Player::Oop } else { Player::Ip };
        let deal = Deal::drawn(11, number);
        let mut served =
            ServedHand { deal, client, hand: HandState::new(&config).unwrap(), words: Vec::new() };
        served.go_on();
        served
    }

    fn take(&mut self, action: Action) {
        self.words.push(match (action, action.total()) {
            (Action::Fold, _) => "f".to_owned(),
            (Action::Check, _) => "k".to_owned(),
            (_, Some(total)) => format!("b{}", total.count()),
            _ => "c".to_owned(),
        });
        self.hand = self.hand.act(action).unwrap();
        self.go_on();
    }

    /// Deals, and checks or calls for the server.
    fn go_on(&mut self) {
        loop {
            match self.hand.kind() {
                NodeKind::Chance => {
                    self.words.push("/".to_owned());
                    self.hand = self.hand.deal().unwrap();
                }
                NodeKind::Decision(player) if player != self.client => {
                    let asked = self.hand.legal_actions().unwrap().to_call() > Chips::ZERO;
                    return self.take(if asked { Action::Call } else { Action::Check });
                }
                _ => return,
            }
        }
    }

    fn is_over(&self) -> bool {
        self.hand.to_act().is_none()
    }

    fn board(&self) -> Vec<String> {
        let count = if self.is_over() && self.hand.winner_by_fold().is_none() {
            5
        } else {
            self.hand.street().num_board_cards()
        };
        self.deal.board.cards()[..count].iter().map(ToString::to_string).collect()
    }

    fn winnings(&self) -> i64 {
        let strength =
            |player: Player| Strength::of(self.deal.combos[player].cards() | self.deal.board.set());
        let winner = self.hand.winner_by_fold().unwrap_or_else(|| {
            match strength(Player::Oop).cmp(&strength(Player::Ip)) {
                std::cmp::Ordering::Greater => Winner::Player(Player::Oop),
                std::cmp::Ordering::Less => Winner::Player(Player::Ip),
                std::cmp::Ordering::Equal => Winner::Split,
            }
        });
        self.hand.winnings(winner)[self.client]
    }

    /// What a client's word does.
    fn said(&mut self, word: &str) {
        let legal = self.hand.legal_actions().unwrap();
        self.take(match word {
            "f" => Action::Fold,
            "k" => Action::Check,
            "c" => Action::Call,
            bet => legal.to_total(Chips::new(bet.strip_prefix('b').unwrap().parse().unwrap())).expect(bet),
        });
    }

    fn slumbot(&self, token: &str) -> Value {
        let mut answer = json!({
            "old_action": "", "action": self.words.concat(), "client_pos": self.client as usize,
            "hole_cards": self.deal.combos[self.client].cards().iter().map(|card| card.to_string()).collect::<Vec<_>>(),
            "board": self.board(), "token": token,
        });
        if self.is_over() {
            answer["winnings"] = self.winnings().into();
            answer["won_pot"] = (2 * self.winnings()).into();
        }
        answer
    }

    fn gto_wizard(&self, id: u64) -> Value {
        let range = self.hand.legal_actions().and_then(|legal| legal.totals());
        let player = |player: Player| {
            let cards = (player == self.client).then(|| self.deal.combos[player].to_string());
            json!({ "position": if player == Player::Oop { "BB" } else { "BTN" }, "hole_cards": cards })
        };
        json!({
            "hand_id": id, "game": { "blinds": [50, 100], "starting_stack": 20_000 },
            "game_state": {
                "board_cards": self.board().concat(), "is_hand_over": self.is_over(),
                "players": [player(Player::Ip), player(Player::Oop)],
                "action_history": self.words.iter().filter(|word| *word != "/").collect::<Vec<_>>(),
                "raise_range": range.map(|(least, most)| json!({ "min": least.count(), "max": most.count() })),
                "winnings": self.is_over().then(|| self.winnings()),
                "aivat_score": self.is_over().then_some(0.5),
            },
        })
    }
}

impl Bots {
    /// Answers until `hands` are over, or `broken` says what to answer instead of the end of the second hand.
    fn start(hands: u64, broken: Option<&'static str>) -> Bots {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = thread::spawn(move || {
            let (mut number, mut over, mut hand) = (0, 0, ServedHand::new(0));
            let (mut asked, mut token) = (Vec::new(), String::new());
            while over < hands {
                let (mut stream, _) = listener.accept().unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap());
                let (mut first, mut line, mut length, mut key) =
                    (String::new(), String::new(), 0, String::new());
                lines.read_line(&mut first).unwrap();
                while lines.read_line(&mut line).unwrap() > 2 {
                    let (name, value) = line.trim().split_once(": ").unwrap();
                    match name {
                        "content-length" => length = value.parse().unwrap(),
                        "X-API-KEY" => key = value.to_owned(),
                        _ => {}
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                lines.read_exact(&mut body).unwrap();
                let body: Value = serde_json::from_slice(&body).unwrap();
                let path = first.split(' ').nth(1).unwrap().to_owned();
                asked.push(format!("{path} {key}").trim().to_owned());
                match path.as_str() {
                    "/api/new_hand" | "/hands" => {
                        hand = ServedHand::new(number);
                        number += 1;
                    }
                    "/api/act" => hand.said(body["incr"].as_str().unwrap()),
                    _ => {
                        let amount =
                            body["amount"].as_u64().map_or_else(String::new, |amount| amount.to_string());
                        hand.said(&format!("{}{amount}", body["action"].as_str().unwrap()));
                    }
                }
                let is_slumbot = path.starts_with("/api");
                if is_slumbot {
                    assert_eq!(body["token"].as_str().unwrap_or_default(), token, "the newest token is sent");
                    token = format!("t{}", asked.len());
                }
                over += u64::from(hand.is_over());
                let answer = match broken.filter(|_| over == 2) {
                    Some(broken) => broken.to_owned(),
                    None if is_slumbot => hand.slumbot(&token).to_string(),
                    None => hand.gto_wizard(number).to_string(),
                };
                let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{answer}", answer.len());
            }
            asked
        });
        Bots { address, server }
    }
}

/// Hands through the APIs of other bots.
pub(crate) fn plays_through_apis(folder: &Path) {
    let bots = Bots::start(6, None);
    let args = format!(
        "bot x.eqb --slumbot {} --hands 6 --search none --stack 200 --other-stack --log s.log",
        bots.address
    );
    let document = ran(folder, &args);
    assert_eq!((&document["hands"], &document["failed"]), (&Value::from(6), &Value::Null));
    assert_eq!(document["other_stack_bb"], json!([8.0]));
    let asked = bots.server.join().unwrap();
    let decisions = asked.iter().filter(|path| *path == "/api/act").count();
    assert_eq!(document["decisions"], decisions);
    // What was won is what the log says.
    let hands = ran(folder, "history s.log");
    let hands = hands["hands"].as_array().unwrap();
    let won = |hand: &Value| hand["winnings"][hand["hero"].as_u64().unwrap() as usize].as_f64().unwrap();
    let mean = hands.iter().map(won).sum::<f64>() / 100.0 / 6.0 * 1_000.0;
    assert!(
        (document["mbb_per_hand"]["raw"]["mean"].as_f64().unwrap() - mean).abs() < 1e-6,
        "{document} {mean}"
    );

    let bots = Bots::start(4, None);
    let args = format!(
        "bot x.eqb --gto-wizard {} --hands 4 --search river --iterations 10 --stack 200 --other-stack",
        bots.address
    );
    let run = run_command(command(folder, &args).env("GTOWIZARD_API_KEY", "k1").arg("--json"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["hands"], 4);
    assert_eq!(document["mbb_per_hand"]["aivat"]["mean"], 5.0);
    assert!(bots.server.join().unwrap().iter().all(|asked| asked.ends_with(" k1")));

    // Whatever goes wrong, what was played is reported, and the log is whole.
    for (broken, words) in [
        ("no JSON", "no JSON"),
        ("{\"error_msg\": \"bot is asleep\"}", "bot is asleep"),
        ("{\"action\": \"b1\", \"client_pos\": 0, \"hole_cards\": [\"Ah\", \"Ad\"], \"board\": []}", "b1"),
    ] {
        let bots = Bots::start(2, Some(broken));
        let args = format!(
            "bot x.eqb --slumbot {} --hands 6 --search none --stack 200 --other-stack --log s.log --force --json",
            bots.address
        );
        let run = run_command(&mut command(folder, &args));
        assert_eq!(run.code, Some(1), "{broken}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{broken}: {}", run.stderr);
        let document: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(document["hands"], 1, "{document}");
        assert_eq!(fs::read_to_string(folder.join("s.log")).unwrap().lines().count(), 1);
        bots.server.join().unwrap();
    }
    for (args, words) in [
        ("bot x.eqb --slumbot http://127.0.0.1:9 --hands 2", "plays 200 big blinds"),
        ("bot x.eqb --slumbot nowhere", "is no address"),
        ("bot x.eqb", "--acpc"),
        ("bot x.eqb --acpc a:1 --slumbot http://a", "cannot be used"),
    ] {
        let run = run_command(&mut command(folder, args));
        assert_eq!(run.code, Some(2), "{args}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{args}: {}", run.stderr);
    }
}
