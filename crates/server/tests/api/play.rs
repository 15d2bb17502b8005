//! A table with a bot: what it answers, what it keeps to itself, and what it refuses.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use equipoise_abstraction::{AbstractionConfig, CardAbstraction, Method, StreetConfig};
use equipoise_blueprint::resolve::Mode;
use equipoise_blueprint::whole::{
    Blueprint, BlueprintBuckets, StreetView, Trainer, TrainerOptions, WholeGame,
};
use equipoise_cards::{Board, Combo, Street};
use equipoise_game::{BettingPreset, Chips, HandConfig, PerPlayer, Player};
use equipoise_play::{
    Agent, BlueprintAgent, Deal, RecordedHand, Search, SearchAgent, Simple, SimpleAgent, Taken, ValueModel,
    play_hand,
};
use equipoise_server::Config;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::common::Fixture;

const STACK_BB: u32 = 8;

/// What takes seconds to make is made once for all tests.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("play")
}

/// A blueprint of few buckets and few boards, with its buckets in the cache that [`cache`] names.
pub(crate) fn write_blueprint(folder: &Path, name: &str) {
    let kept = kept();
    fs::create_dir_all(&kept).expect("a folder");
    let lock = fs::File::create(kept.join("lock")).expect("a file");
    lock.lock().expect("a lock");
    let made = kept.join("x.eqb");
    // Files of an older format are made again.
    if Blueprint::open(&made).is_err() || CardAbstraction::load(&kept.join(config().name())).is_err() {
        make_blueprint(&kept, &made);
    }
    drop(lock);
    fs::copy(made, folder.join(name)).expect("a file");
}

fn config() -> AbstractionConfig {
    let street = StreetConfig { method: Method::Percentile, buckets: 10 };
    AbstractionConfig {
        flop: street,
        turn: street,
        river: street,
        samples_per_street: Some(500),
        random_seed: 3,
        threads: None,
    }
}

fn make_blueprint(folder: &Path, path: &Path) {
    let config = config();
    let buckets = folder.join(config.name());
    CardAbstraction::build(&config, &mut ()).expect("buckets").save(&buckets).expect("a folder");
    let abstraction = CardAbstraction::load(&buckets).expect("buckets");
    let views = [StreetView::Buckets; 3];
    let buckets = BlueprintBuckets::new(abstraction, views).expect("buckets");
    let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(100 * STACK_BB));
    let game = WholeGame { hand, betting: BettingPreset::A.abstraction() };
    let mut trainer = Trainer::new(&game, &buckets, &TrainerOptions::default()).expect("a game");
    trainer.train(200).expect("boards");
    let blueprint = trainer.blueprint(Some(buckets.source())).expect("a blueprint");
    blueprint.save(path).expect("a file");
}

/// Where a server of a fixture looks for buckets.
pub(crate) fn cache(config: &mut Config) {
    config.bucket_cache = Some(kept());
}

fn fixture() -> Fixture {
    let fixture = Fixture::with(cache);
    write_blueprint(&fixture.folder, "x.eqb");
    fixture
}

/// A new table that is the same in every run.
fn sit(fixture: &Fixture, more: &Value) -> Value {
    let mut request = json!({ "blueprint": "x.eqb", "iterations": 20, "seed": 6 });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fixture.post("/play", &request).expect(201).json()
}

fn step(fixture: &Fixture, id: &str, what: &str) -> Value {
    fixture.post(&format!("/play/{id}/{what}"), &json!({})).expect(200).json()
}

fn act(fixture: &Fixture, id: &str, body: &Value) -> Answer {
    fixture.post(&format!("/play/{id}/act"), body)
}

/// Checks or calls.
fn passive(fixture: &Fixture, table: &Value) -> Value {
    let action = if table["hand"]["legal"]["call_bb"].is_null() { "check" } else { "call" };
    let id = table["id"].as_str().unwrap();
    act(fixture, id, &json!({ "action": action, "at": table["hand"]["actions"].as_array().unwrap().len() }))
        .expect(200)
        .json()
}

/// Goes on where a hand stands: the person acts as told, the bot by itself.
fn go_on(fixture: &Fixture, table: &Value, person: impl Fn(&Fixture, &Value) -> Value) -> Value {
    match table["hand"]["turn"].as_str() {
        Some("you") => person(fixture, table),
        Some(_) => step(fixture, table["id"].as_str().unwrap(), "bot"),
        None => step(fixture, table["id"].as_str().unwrap(), "deal"),
    }
}

#[test]
fn the_bots_cards_are_told_at_a_showdown_only() {
    let fixture = fixture();
    let mut table = sit(&fixture, &json!({ "coach": true }));
    let id = table["id"].as_str().unwrap().to_owned();
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    assert!(table.get("seed").is_none(), "{table}");
    let mut shown = [0, 0];
    while table["score"]["hands"].as_u64().unwrap() < 10 || !table["hand"]["turn"].is_null() {
        let hand = &table["hand"];
        let number = hand["number"].as_u64().unwrap() - 1;
        let Deal { combos, board } = Deal::drawn(6, number);
        let person = if number.is_multiple_of(2) { Player::Ip } else { Player::Oop };
        assert_eq!(hand["cards"].as_str().unwrap().parse::<Combo>().unwrap(), combos[person]);
        let seen: Board = hand["board"].as_str().unwrap().parse().unwrap();
        assert!(board.cards().starts_with(seen.cards()), "{hand}");
        let bot = combos[person.opponent()];
        let is_shown = hand["result"]["bot_cards"].is_string();
        let folded = hand["actions"].as_array().unwrap().last().is_some_and(|last| last["kind"] == "fold");
        assert_eq!(is_shown, hand["turn"].is_null() && !folded, "{hand}");
        if is_shown {
            assert_eq!(hand["result"]["bot_cards"].as_str().unwrap().parse::<Combo>().unwrap(), bot);
        } else {
            let text = hand.to_string();
            let told = bot.cards().iter().filter(|card| text.contains(&card.to_string())).count();
            assert_eq!(told, 0, "{bot} is not for the person: {text}");
        }
        shown[usize::from(is_shown)] += usize::from(hand["turn"].is_null());
        // Whatever waits is reviewed at once, and says nothing of the bot's cards either.
        let waiting = table["score"]["waiting"].as_u64().unwrap();
        table = match waiting {
            0 => go_on(&fixture, &table, passive),
            _ => step(&fixture, &id, "review"),
        };
        assert!(table["score"]["waiting"].as_u64().unwrap() <= waiting + 1, "{table}");
    }
    assert!(shown[1] > 0, "there were showdowns: {shown:?}");
    let report = fixture.get(&format!("/play/{id}/report")).expect(200).json();
    assert_eq!(report["hands"].as_array().map(Vec::len), Some(10));
    let won: f64 =
        report["hands"].as_array().unwrap().iter().map(|hand| hand["won_bb"].as_f64().unwrap()).sum();
    assert!((won - report["score"]["won_bb"].as_f64().unwrap()).abs() < 1e-9, "{report}");
    assert!((10.0 * report["score"]["bb_per_100"]["mean"].as_f64().unwrap() - 100.0 * won).abs() < 1e-6);
    let losses =
        report["decisions"].as_array().unwrap().iter().map(|one| one["ev_loss_bb"].as_f64().unwrap());
    assert!((losses.sum::<f64>() - report["score"]["ev_loss_bb"].as_f64().unwrap()).abs() < 1e-9);
    for decision in report["decisions"].as_array().unwrap() {
        let is_late = matches!(decision["street"].as_str().unwrap(), "turn" | "river");
        assert_eq!(decision["source"] == "resolved", is_late, "{decision}");
    }
    // The file has every hand, both players' cards, and reads back as it was played.
    let file = String::from_utf8(fixture.get(&format!("/play/{id}/hands")).expect(200).body).unwrap();
    let stakes = equipoise_histories::Stakes::default();
    let hands: Vec<_> = equipoise_histories::HistoryReader::new(file.as_bytes(), &stakes).collect();
    assert_eq!(hands.len(), 10, "{file}");
    let twin = Twin::new();
    for (hand, row) in hands.into_iter().zip(report["hands"].as_array().unwrap()) {
        let hand = hand.expect("a hand");
        let seat = usize::from(row["player"] == "sb");
        let won = hand.winnings().expect("the hand is over")[seat] as f64 / 100.0;
        assert!((won - row["won_bb"].as_f64().unwrap()).abs() < 1e-9, "{row}");
        let recorded = RecordedHand::of(&hand, Chips::new(100)).expect("the rules allow it");
        assert_eq!(recorded.taken, twin.play(row["number"].as_u64().unwrap() - 1), "{row}");
    }
}

/// The same hands without a server: a bot that stays in its seat, against one who checks and calls.
struct Twin {
    blueprint: Blueprint,
    buckets: BlueprintBuckets,
}

impl Twin {
    fn new() -> Twin {
        let blueprint = Blueprint::open(&kept().join("x.eqb")).expect("a blueprint");
        let abstraction = CardAbstraction::load(&kept().join(config().name())).expect("buckets");
        let buckets = BlueprintBuckets::of_blueprint(blueprint.header(), abstraction).expect("its buckets");
        Twin { blueprint, buckets }
    }

    fn play(&self, number: u64) -> Vec<Taken> {
        let Twin { blueprint, buckets } = self;
        let base = BlueprintAgent { name: "bot".to_owned(), blueprint, buckets, seed: 2 * 6 + 1 };
        let search = Search {
            from: Street::Turn,
            mode: Mode::default(),
            time: None,
            max_iterations: 20,
            threads: NonZeroUsize::new(1),
            memory_limit: None,
        };
        let (bot, person) = (SearchAgent::new(base, search), SimpleAgent { kind: Simple::CALL, seed: 0 });
        let seat = if number.is_multiple_of(2) { Player::Ip } else { Player::Oop };
        let agents = PerPlayer::from_fn(|player| -> &dyn Agent {
            if player == seat { &person } else { &bot }
        });
        let config = blueprint.header().game.hand;
        let played = play_hand(&config, &agents, Deal::drawn(6, number), number, &ValueModel::default());
        played.expect("a hand").taken
    }
}

#[test]
fn equal_seeds_and_iterations_are_equal_sittings_and_a_reload_keeps_them() {
    let fixture = fixture();
    let play = || {
        let mut table = sit(&fixture, &json!({}));
        let id = table["id"].as_str().unwrap().to_owned();
        while table["score"]["hands"].as_u64().unwrap() < 4 {
            table = go_on(&fixture, &table, passive);
            assert_eq!(fixture.get(&format!("/play/{id}")).expect(200).json(), table);
        }
        fixture.get(&format!("/play/{id}/hands")).body
    };
    assert_eq!(play(), play());
    // Reviews without a coach wait until the hand is over.
    let mut table = sit(&fixture, &json!({ "coach": false }));
    let id = table["id"].as_str().unwrap().to_owned();
    table = passive(&fixture, &table);
    assert_eq!(table["score"]["waiting"], 1);
    assert_eq!(
        step(&fixture, &id, "review")["score"]["waiting"],
        if table["hand"]["turn"].is_null() { 0 } else { 1 }
    );
    let changed =
        fixture.put(&format!("/play/{id}"), &json!({ "coach": true, "seconds": 0.5 })).expect(200).json();
    assert_eq!((&changed["coach"], &changed["seconds"]), (&json!(true), &json!(0.5)));
    assert_eq!(step(&fixture, &id, "review")["score"]["waiting"], 0);
    // There are 64 tables: the one that was not used for longest makes room.
    let first = sit(&fixture, &json!({}))["id"].as_str().unwrap().to_owned();
    let others: Vec<String> =
        (0..63).map(|_| sit(&fixture, &json!({}))["id"].as_str().unwrap().to_owned()).collect();
    fixture.get(&format!("/play/{id}")).expect(404);
    fixture.get(&format!("/play/{first}")).expect(200);
    sit(&fixture, &json!({}));
    fixture.get(&format!("/play/{first}")).expect(200);
    fixture.get(&format!("/play/{}", others[0])).expect(404);
}

#[test]
fn what_is_not_legal_is_named_with_what_is() {
    let mut fixture = fixture();
    fs::write(fixture.folder.join("none.eqb"), "no blueprint").unwrap();
    let list = fixture.get("/blueprints").expect(200).json();
    assert_eq!(
        (&list["blueprints"][0]["id"], &list["blueprints"][0]["missing"]),
        (&json!("x.eqb"), &Value::Null)
    );
    assert_eq!(list["damaged"][0]["id"], "none.eqb", "{list}");
    for (body, status, key, words) in [
        (json!({ "blueprint": "y.eqb" }), 404, None, "there is no blueprint 'y.eqb'"),
        (json!({ "blueprint": "../x.eqb" }), 404, None, "there is no blueprint"),
        (json!({ "blueprint": "none.eqb" }), 400, None, "cannot be used"),
        (json!({ "blueprint": "x.eqb", "seconds": 0 }), 400, Some("seconds"), "from 0.05 to 30 seconds"),
        (json!({ "blueprint": "x.eqb", "iterations": 0 }), 400, Some("iterations"), "at least one"),
        (json!({ "blueprint": "x.eqb", "search": "preflop" }), 400, None, "unknown variant"),
        (
            json!({ "blueprint": "x.eqb", "stack_bb": 50 }),
            400,
            Some("stack_bb"),
            "a blueprint of 8 bb does not know how to play 50 bb",
        ),
        (
            json!({ "blueprint": "x.eqb", "stack_bb": 0.5, "other_stack": true }),
            400,
            Some("stack_bb"),
            "from 1 to",
        ),
        (json!({ "blueprint": "x.eqb", "bluff": true }), 400, None, "unknown field"),
    ] {
        let answer = fixture.post("/play", &body);
        let error = answer.expect(status).error();
        assert!(error["message"].as_str().unwrap().contains(words), "{body}: {error}");
        assert_eq!(error["place"]["key"].as_str(), key, "{body}: {error}");
    }
    let deep = sit(&fixture, &json!({ "stack_bb": 50, "other_stack": true }));
    assert_eq!((&deep["stack_bb"], &deep["trained_bb"]), (&json!(50.0), &json!(8.0)));

    let table = sit(&fixture, &json!({}));
    let id = table["id"].as_str().unwrap().to_owned();
    assert_eq!(table["hand"]["turn"], "you", "the button acts first: {table}");
    assert_eq!(table["hand"]["legal"]["sizes"]["presets"][0], json!({ "name": "Min", "to_bb": 2.0 }));
    for (body, key, words) in [
        (
            json!({ "action": "check" }),
            "action",
            "a check is not legal here; legal: fold, call 0.5 bb, bet or raise to 2 to 8 bb",
        ),
        (json!({ "action": "raise", "to_bb": 1.5 }), "to_bb", "from 2 to 8 big blinds are legal here"),
        (json!({ "action": "raise", "to_bb": 9 }), "to_bb", "from 2 to 8 big blinds are legal here"),
        (json!({ "action": "raise" }), "to_bb", "needs a size"),
        (json!({ "action": "fold", "to_bb": 2 }), "to_bb", "only bets and raises"),
    ] {
        let error = act(&fixture, &id, &body).expect(400).error();
        assert!(error["message"].as_str().unwrap().contains(words), "{body}: {error}");
        assert_eq!(error["place"]["key"], key, "{body}");
    }
    // A button that is pressed twice acts once; nobody acts out of turn.
    act(&fixture, &id, &json!({ "action": "call", "at": 0 })).expect(200);
    act(&fixture, &id, &json!({ "action": "call", "at": 0 })).expect(409);
    assert!(
        act(&fixture, &id, &json!({ "action": "call" })).expect(409).error()["message"]
            .as_str()
            .unwrap()
            .contains("the bot's turn")
    );
    fixture.post(&format!("/play/{id}/deal"), &json!({})).expect(409);
    fixture.get(&format!("/play/{id}/study?hand=1&at=0")).expect(200);
    fixture.get(&format!("/play/{id}/study?hand=1&at=1")).expect(404);
    fixture.get(&format!("/play/{id}/study?hand=0&at=0")).expect(404);
    // Tables are gone when they are left, and with the server.
    fixture.delete(&format!("/play/{id}")).expect(204);
    fixture.get(&format!("/play/{id}")).expect(404);
    let other = deep["id"].as_str().unwrap().to_owned();
    fixture.get(&format!("/play/{other}")).expect(200);
    fixture.restart();
    let error = fixture.get(&format!("/play/{other}")).expect(404).error();
    assert!(error["message"].as_str().unwrap().contains("the server was restarted"), "{error}");
    // Without its buckets it cannot play.
    let fixture = Fixture::with(|config| config.bucket_cache = Some(config.library.join("cache")));
    write_blueprint(&fixture.folder, "x.eqb");
    let error = fixture.post("/play", &json!({ "blueprint": "x.eqb" })).expect(409).error();
    assert!(error["message"].as_str().unwrap().contains("its buckets are not built yet"), "{error}");
    let list = fixture.get("/blueprints").expect(200).json();
    assert!(list["blueprints"][0]["missing"].is_string(), "{list}");
}

/// Plays until a decision on the turn or later is the one that is wanted.
fn until_late(fixture: &Fixture, mut table: Value, turn: &str) -> Value {
    for _ in 0..400 {
        let hand = &table["hand"];
        if hand["turn"] == turn && matches!(hand["street"].as_str(), Some("turn" | "river")) {
            return table;
        }
        table = go_on(fixture, &table, passive);
    }
    panic!("no hand came to the turn");
}

#[test]
fn a_bot_whose_client_leaves_stops_thinking_and_acts_later() {
    let fixture = fixture();
    // As many iterations as nobody waits for.
    let table = sit(&fixture, &json!({ "iterations": u32::MAX }));
    let id = table["id"].as_str().unwrap().to_owned();
    let table = until_late(&fixture, table, "bot");
    let mut client = fixture.client();
    let head = format!(
        "POST /api/v1/play/{id}/bot HTTP/1.1\r\nhost: {}\r\ncontent-length: 0\r\n\r\n",
        fixture.address()
    );
    client.send(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    drop(client);
    let begun = Instant::now();
    assert_eq!(fixture.get(&format!("/play/{id}")).expect(200).json(), table);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn decisions_open_where_they_can_be_studied() {
    let fixture = fixture();
    let table = sit(&fixture, &json!({}));
    let id = table["id"].as_str().unwrap().to_owned();
    let table = until_late(&fixture, table, "you");
    let hand = &table["hand"];
    let (number, at) = (hand["number"].as_u64().unwrap(), hand["actions"].as_array().unwrap().len());
    let table = passive(&fixture, &table);
    let study = fixture.get(&format!("/play/{id}/study?hand={number}&at={at}")).expect(200).json();
    assert_eq!((&study["street"], &study["line"]), (&hand["street"], &Value::Null));
    let toml = study["toml"].as_str().unwrap();
    let check = fixture.post("/spots/check", &json!({ "toml": toml })).expect(200).json();
    assert_eq!((&check["board"], &check["fits"]), (&hand["board"], &json!(true)), "{check}");
    // The pot where the street begins is the pot without the bets of the street.
    let bets = hand["you"]["bet_bb"].as_f64().unwrap() + hand["bot"]["bet_bb"].as_f64().unwrap();
    let tree = &check["document"]["tree"];
    let pot = hand["pot_bb"].as_f64().unwrap() - bets;
    assert_eq!(
        (tree["starting_pot"].as_f64(), &tree["big_blind"]),
        (Some(100.0 * pot), &json!(100)),
        "{toml}"
    );
    let stack = (f64::from(STACK_BB) - pot / 2.0) * 100.0;
    assert_eq!(tree["effective_stack"].as_f64(), Some(stack), "{toml}");
    // It can be solved there, and has the decision.
    let job = fixture.job(&json!({ "toml": toml, "name": "studied" }));
    let job = fixture.wait(&job, |job| job["state"] == "done");
    let path = crate::common::quoted(study["path"].as_str().unwrap());
    let solution = job["solution"].as_str().unwrap();
    let node = fixture.get(&format!("/solutions/{solution}/node?path={path}")).expect(200).json();
    assert_eq!(node["next"], "decision", "{}", study["path"]);
    let person = if hand["player"] == "sb" { "ip" } else { "oop" };
    assert_eq!(node["node"]["player"], person, "{node}");
    // Before the flop it is the blueprint's chart.
    let first =
        table["hand"]["actions"].as_array().unwrap().iter().position(|one| one["by"] == "you").unwrap();
    let study = fixture.get(&format!("/play/{id}/study?hand={number}&at={first}")).expect(200).json();
    assert_eq!((&study["street"], &study["toml"]), (&json!("preflop"), &Value::Null));
    let chart = fixture.get("/blueprints/x.eqb/chart").expect(200).json();
    let decisions = chart["decisions"].as_array().unwrap();
    assert!(decisions.iter().any(|one| one["line"] == study["line"]), "{study}");
}
