//! The whole game against known numbers and against itself.

use std::num::{NonZeroU16, NonZeroU32, NonZeroUsize};

use equipoise_blueprint::InfoSetKey;
use equipoise_blueprint::bucketed::{BucketedError, Buckets, Lossless};
use equipoise_blueprint::whole::{
    Blueprint, Contestant, Exploiter, FlopValues, Flops, JointSolver, JointStop, Line, Session,
    SessionOptions, SubsetBuckets, Trainer, TrainerOptions, WholeGame, head_to_head, training_path,
};
use equipoise_cards::{Board, Card, Combo, HandClass, Street, Strength, SuitPermutation};
use equipoise_game::{BettingAbstraction, BettingPreset, Chips, HandConfig, Player};

fn game(big_blinds: u32, betting: BettingAbstraction) -> WholeGame {
    WholeGame {
        hand: HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(100 * big_blinds)),
        betting,
    }
}

/// Known equilibria of jam or fold: stack, jam %, EV of the button in big blinds.
const JAM_OR_FOLD: [(u32, f64, f64); 4] =
    [(3, 77.982, 0.051_591), (5, 71.485, 0.056_201), (10, 58.293, -0.045_371), (20, 40.237, -0.183_190)];

#[test]
fn jam_or_fold_is_the_known_equilibrium() {
    let mut betting = BettingAbstraction::default();
    betting.preflop.open = "a".parse().unwrap();
    for (stack, jam, ev) in JAM_OR_FOLD {
        let options = TrainerOptions { algorithm: "dcfr".parse().unwrap(), ..TrainerOptions::default() };
        let mut trainer = Trainer::new(&game(stack, betting.clone()), &Lossless, &options).unwrap();
        trainer.train(2_000).unwrap();
        let [evs, best] = trainer.measure_preflop().unwrap();
        let case = format!("{stack}: {evs:?} {best:?}");
        assert!((evs[Player::Ip] / 100.0 - ev).abs() < 1e-4, "{case}");
        assert!((evs[Player::Oop] + evs[Player::Ip]).abs() < 1e-3, "{case}");
        let gains = best[Player::Oop] - evs[Player::Oop] + best[Player::Ip] - evs[Player::Ip];
        assert!(gains / 200.0 < 1e-4, "{case}");
        let weighted = |class: HandClass| trainer.opening(class)[1] * class.num_combos() as f64;
        let found = 100.0 * HandClass::all().map(weighted).sum::<f64>() / 1326.0;
        assert!((found - jam).abs() < 0.5, "{case}: {found}");
    }
}

/// Few buckets, numbered over all boards.
struct Coarse {
    /// Adds a constant to all numbers of a street, modulo their count.
    shift: u32,
}

impl Coarse {
    const COUNT: u32 = 40;
}

impl Buckets for Coarse {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        if board.street() == Street::Preflop {
            return Lossless.of_board(board);
        }
        let bucket = |combo: Combo| {
            let bucket = match Strength::of(combo.cards() | board.set()) {
                Some(strength) => strength.category() as u32 * 4 + combo.high().rank().index() as u32 / 4,
                None => 0,
            };
            (bucket + self.shift) % Coarse::COUNT
        };
        Ok(Combo::all().map(bucket).collect())
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        match street {
            Street::Preflop => Lossless.num_buckets(street),
            _ => Some(Coarse::COUNT as usize),
        }
    }
}

fn trained(buckets: &Coarse, threads: usize, num_batches: u32) -> (f64, Vec<Vec<f64>>) {
    let options = TrainerOptions {
        batch: NonZeroU32::new(4).unwrap(),
        seed: 3,
        threads: NonZeroUsize::new(threads),
        ..TrainerOptions::default()
    };
    let game = game(20, BettingPreset::A.abstraction());
    let mut trainer = Trainer::new(&game, buckets, &options).unwrap();
    trainer.train(num_batches).unwrap();
    assert_eq!(trainer.num_boards(), 4 * u64::from(num_batches));
    (trainer.self_play(), HandClass::all().map(|class| trainer.opening(class)).collect())
}

#[test]
fn threads_change_no_bit() {
    let one = trained(&Coarse { shift: 0 }, 1, 6);
    assert_eq!(one, trained(&Coarse { shift: 0 }, 2, 6));
    assert_eq!(one, trained(&Coarse { shift: 0 }, 5, 6));
}

#[test]
fn names_of_buckets_do_not_matter() {
    let plain = trained(&Coarse { shift: 0 }, 2, 6);
    assert_eq!(plain, trained(&Coarse { shift: 7 }, 2, 6));
}

#[test]
fn buckets_must_be_numbered_over_all_boards() {
    let game = game(20, BettingPreset::A.abstraction());
    let refused = |options: TrainerOptions, buckets: &dyn Buckets| {
        Trainer::new(&game, buckets, &options).err().unwrap()
    };
    let error = refused(TrainerOptions::default(), &Lossless);
    assert!(matches!(error, BucketedError::LocalBuckets { street: Street::Flop }), "{error}");
    let limit = TrainerOptions { memory_limit: Some(1_000), ..TrainerOptions::default() };
    let error = refused(limit, &Coarse { shift: 0 });
    assert!(matches!(error, BucketedError::Memory { limit: 1_000, .. }), "{error}");
    let nodes = TrainerOptions { max_nodes: 10, ..TrainerOptions::default() };
    let error = refused(nodes, &Coarse { shift: 0 });
    assert!(matches!(error, BucketedError::Betting(_)), "{error}");
}

/// One bet of all-in after the flop: small enough to be measured in a test.
fn short() -> WholeGame {
    let mut betting = BettingPreset::A.abstraction();
    for menus in [&mut betting.flop, &mut betting.turn, &mut betting.river] {
        menus.bet = "a".parse().unwrap();
    }
    game(8, betting)
}

fn options(threads: usize) -> TrainerOptions {
    TrainerOptions {
        batch: NonZeroU32::new(4).unwrap(),
        seed: 3,
        threads: NonZeroUsize::new(threads),
        ..TrainerOptions::default()
    }
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("whole").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const COARSE: Coarse = Coarse { shift: 0 };

/// The same bytes at any number of threads, and whether or not training was interrupted.
#[test]
fn a_resumed_training_comes_to_the_same_bytes() {
    let folder = folder("resumed");
    let session = |name: &str, threads, boards| {
        let trainer = Trainer::new(&short(), &COARSE, &options(threads)).unwrap();
        let options = SessionOptions { boards: Some(boards), flops: 0, ..SessionOptions::default() };
        Session::new(trainer, &COARSE, None, &folder.join(name), options)
    };
    let outcome = session("one.eqb", 1, 48).run(&mut ()).unwrap();
    assert_eq!((outcome.saved_boards, outcome.is_stopped), (48, false));
    assert_eq!(session("two.eqb", 2, 20).run(&mut ()).unwrap().saved_boards, 20);
    let mut second = session("two.eqb", 2, 48);
    second.resume().unwrap();
    assert_eq!(second.run(&mut ()).unwrap().checkpoints.len(), 2);
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(bytes("one.eqb") == bytes("two.eqb"));
    // A training of another seed is none to resume.
    let other = TrainerOptions { seed: 4, ..options(1) };
    let mut trainer = Trainer::new(&short(), &COARSE, &other).unwrap();
    let error = trainer.resume(&training_path(&folder.join("two.eqb")), None).unwrap_err().to_string();
    assert!(error.contains("its seed is another"), "{error}");
    let error = Blueprint::open(&training_path(&folder.join("two.eqb"))).unwrap_err().to_string();
    assert!(error.contains("it is no blueprint"), "{error}");
}

#[test]
fn a_file_holds_the_strategies() {
    let path = folder("file").join("x.eqb");
    let mut trainer = Trainer::new(&short(), &COARSE, &options(2)).unwrap();
    trainer.train(5).unwrap();
    let made = trainer.blueprint(None).unwrap();
    made.save(&path).unwrap();
    let opened = Blueprint::open(&path).unwrap();
    assert_eq!((opened.header(), opened.content_hash()), (made.header(), made.content_hash()));
    for class in HandClass::all() {
        assert_eq!(opened.opening(class), made.opening(class));
        for (saved, trained) in opened.opening(class).iter().zip(trainer.opening(class)) {
            assert!((saved - trained).abs() < 1.0 / 65_535.0);
        }
    }
    let line = Line::walk(&opened, "r2.5 c | Td9d6h | x").unwrap();
    assert_eq!(line.position.labels(), ["x", "a"]);
    assert_eq!(line.position.hand().pot(), Chips::new(500));
    let sum: f64 = opened.strategy(&line.position, 7).iter().sum();
    assert!((sum - 1.0).abs() < 1e-12);
    for (text, words) in [
        ("r2.6", "'r2.6' is no action here (preflop): there are f, c, r2.5, a"),
        ("r2.5 f c", "the hand is over"),
        ("a c c", "both are all-in"),
        ("r2.5 c Td9d", "not 2"),
        ("r2.5 c Td9d6h2c", "3 cards come on the flop"),
        ("r2.5 c Td9dTd", "Td"),
        ("r2.5 c | Td9d6h | x x | Td", "Td"),
    ] {
        let error = Line::walk(&opened, text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = Blueprint::open(&path).unwrap_err().to_string();
    assert!(error.contains("cut short"), "{error}");
}

/// A file of the first format, which every later version reads. `EQUIPOISE_BLESS` writes it.
#[test]
fn the_golden_file_is_read() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../equipoise/tests/golden/jam-1.0.eqb");
    if std::env::var_os("EQUIPOISE_BLESS").is_some() && !path.exists() {
        let mut betting = BettingAbstraction::default();
        betting.preflop.open = "a".parse().unwrap();
        let mut trainer = Trainer::new(&game(10, betting), &Lossless, &options(1)).unwrap();
        trainer.train(200).unwrap();
        trainer.blueprint(None).unwrap().save(&path).unwrap();
    }
    let golden = Blueprint::open(&path).unwrap();
    assert_eq!((golden.header().boards, golden.header().seed), (800, 3));
    assert_eq!(golden.header().num_buckets, [169, 0, 0, 0]);
    assert!(golden.opening("AA".parse().unwrap())[1] > 0.99);
    assert!(golden.opening("72o".parse().unwrap())[0] > 0.99);
}

#[test]
fn games_without_all_in_and_short_stacks_are_refused() {
    let mut betting = BettingPreset::A.abstraction();
    betting.turn.bet = "75%".parse().unwrap();
    betting.thresholds.add_allin = 0.0;
    let refused = |game: &WholeGame| Trainer::new(game, &COARSE, &options(1)).err().unwrap().to_string();
    let error = refused(&game(100, betting));
    assert!(error.contains("the turn have no all-in"), "{error}");
    let error = refused(&game(1, BettingPreset::A.abstraction()));
    assert!(error.contains("larger than big blind"), "{error}");
    let other = TrainerOptions { algorithm: "apcfr+".parse().unwrap(), ..options(1) };
    assert!(matches!(Trainer::new(&short(), &COARSE, &other), Err(BucketedError::Algorithm { .. })));
    let other = TrainerOptions { algorithm: "dcfr(look_ahead=0.5)".parse().unwrap(), ..options(1) };
    assert!(matches!(Trainer::new(&short(), &COARSE, &other), Err(BucketedError::LookAhead { .. })));
}

/// Without betting after the flop nothing is sampled: what is measured is what the engine says of the whole game.
#[test]
fn jam_or_fold_is_measured_exactly() {
    let mut betting = BettingAbstraction::default();
    betting.preflop.open = "a".parse().unwrap();
    let options = TrainerOptions { algorithm: "dcfr".parse().unwrap(), ..TrainerOptions::default() };
    let mut trainer = Trainer::new(&game(10, betting), &Lossless, &options).unwrap();
    trainer.train(3).unwrap();
    let [evs, best] = trainer.measure_preflop().unwrap();
    let blueprint = trainer.blueprint(None).unwrap();
    let mut exploiter = Exploiter::new(&blueprint, &Lossless, None).unwrap();
    let flop = exploiter.flop("Td9d6h".parse().unwrap()).unwrap();
    let measured = exploiter.summary(&[(&flop, 1)], true);
    for player in Player::ALL {
        let gain = 10.0 * (best[player] - evs[player]);
        assert!((measured.by_seat[player] - gain).abs() < 0.05, "{measured:?} {gain}");
    }
    assert!((measured.self_play_bb - evs[Player::Ip] / 100.0).abs() < 1e-4);
    assert!(measured.estimate > 1.0 && measured.std_error == 0.0 && measured.lower == measured.upper);
}

/// On a few flops: the bracket holds its parts, a better strategy is less exploitable, and flops may be measured apart.
#[test]
fn flops_are_measured_one_by_one() {
    let folder = folder("flops");
    let mut trainer = Trainer::new(&short(), &COARSE, &options(2)).unwrap();
    let flops = Flops::Sampled { count: 4, seed: 1 };
    let mut found = Vec::new();
    for batches in [0, 40] {
        trainer.train(batches).unwrap();
        let blueprint = trainer.blueprint(None).unwrap();
        let exploiter = Exploiter::new(&blueprint, &COARSE, NonZeroUsize::new(2)).unwrap();
        let mut exploiter = exploiter.named("0.1.0 (avx2)".to_owned());
        let list = flops.list();
        let values: Vec<FlopValues> = list.iter().map(|&(flop, _)| exploiter.flop(flop).unwrap()).collect();
        let together: Vec<_> =
            values.iter().zip(&list).map(|(values, &(_, weight))| (values, weight)).collect();
        let measured = exploiter.summary(&together, false);
        assert!(measured.lower <= measured.upper && measured.std_error > 0.0, "{measured:?}");
        assert!((measured.estimate - (measured.lower + measured.upper) / 2.0).abs() < 1e-9);
        found.push(measured);
        let path = folder.join("x.flop");
        values[0].save(&path, blueprint.content_hash()).unwrap();
        let flop = values[0].flop();
        assert_eq!(FlopValues::open(&path, flop, blueprint.content_hash()).unwrap(), values[0]);
        assert!(FlopValues::open(&path, flop, 1).is_err());
        assert_eq!(values[0].engine(), Some("0.1.0 (avx2)"));
    }
    assert!(found[1].upper < found[0].lower / 2.0, "{found:?}");
    assert!(flops.list().len() == 4 && Flops::All.list().len() == 1_755 && Flops::All.is_exact());
}

/// What the actions of the first decision are worth, as often as they are taken, is what the hand is worth.
#[test]
fn charts_add_up_to_the_value_of_the_hand() {
    let mut trainer = Trainer::new(&short(), &COARSE, &options(2)).unwrap();
    trainer.train(20).unwrap();
    let blueprint = trainer.blueprint(None).unwrap();
    let mut exploiter = Exploiter::new(&blueprint, &COARSE, NonZeroUsize::new(2)).unwrap();
    let boards = ["Ts9s6h", "AsKh2d"].map(|flop| flop.parse::<Board>().unwrap());
    let values = boards.map(|flop| exploiter.flop(flop).unwrap());
    let evs = boards.map(|flop| exploiter.flop_evs(flop).unwrap());
    let chart = exploiter.chart(&evs);
    let first = &chart[0];
    assert_eq!((first.line.as_str(), first.player), ("", Player::Ip));
    let mut total = 0.0;
    for class in HandClass::all() {
        let at = class.index();
        let ev: f64 = first.frequencies[at].iter().zip(&first.evs_bb[at]).map(|(share, ev)| share * ev).sum();
        total += ev * class.num_combos() as f64 / 1326.0;
        assert!((first.evs_bb[at][0] + 0.5).abs() < 1e-9 && first.std_errors_bb[at][0] < 1e-6);
        assert!(first.reach[at] == 1.0);
    }
    let both: Vec<(&FlopValues, u32)> = values.iter().map(|values| (values, 1)).collect();
    let summary = exploiter.summary(&both, false);
    assert!((total - summary.self_play_bb).abs() < 1e-5, "{total} {summary:?}");
    let answer = chart.iter().find(|decision| decision.line == "r2.5").unwrap();
    assert_eq!((answer.player, answer.actions[0].as_str()), (Player::Oop, "f"));
    // Folding the big blind loses it.
    assert!(answer.evs_bb.iter().all(|evs| (evs[0] + 1.0).abs() < 1e-9));
    assert!(chart.iter().any(|decision| decision.line == "c r3.5 a"));
}

#[test]
fn a_trained_strategy_beats_an_untrained_one() {
    let trained = |batches| {
        let mut trainer = Trainer::new(&short(), &COARSE, &options(2)).unwrap();
        trainer.train(batches).unwrap();
        trainer.blueprint(None).unwrap()
    };
    let [good, bad] = [trained(60), trained(0)];
    let contestant = |blueprint| Contestant { blueprint, buckets: &COARSE };
    let play = |first, second, threads| {
        head_to_head([contestant(first), contestant(second)], 64, 5, NonZeroUsize::new(threads), &mut ())
            .unwrap()
    };
    let won = play(&good, &bad, 1);
    assert!(won.interval()[0] > 100.0, "{won:?}");
    assert_eq!(won, play(&good, &bad, 2));
    let lost = play(&bad, &good, 1);
    assert!((won.mean + lost.mean).abs() < 1e-2, "{won:?} {lost:?}");
    let none = play(&good, &good, 1);
    assert!(none.mean.abs() < 1e-2 && none.boards == 64, "{none:?}");
    let other =
        Trainer::new(&game(9, short().betting), &COARSE, &options(1)).unwrap().blueprint(None).unwrap();
    let refused = head_to_head([contestant(&good), contestant(&other)], 64, 5, None, &mut ());
    assert!(matches!(refused, Err(BucketedError::OtherGame { .. })));
}

/// Keys name rows, and rows keys.
#[test]
fn keys_name_rows_both_ways() {
    let mut trainer = Trainer::new(&short(), &COARSE, &options(1)).unwrap();
    trainer.train(2).unwrap();
    let blueprint = trainer.blueprint(None).unwrap();
    for (line, bucket, text) in [
        ("", 0, "SB:AA:"),
        ("r2.5", 1, "BB:AKs:r250"),
        ("r2.5 c | Td9d6h | x", 7, "SB:7:Fr250c/x"),
        ("c x | Td9d6h | x x | 2c |", 39, "BB:39:Tcx/xx/"),
        ("c x | Td9d6h | x x | 2c | x x | 3c | x a", 3, "BB:3:Rcx/xx/xx/xr700"),
    ] {
        let walked = Line::walk(&blueprint, line).unwrap();
        let key = walked.key(bucket).unwrap();
        assert_eq!(key.to_string(), text);
        let key: InfoSetKey = text.parse().unwrap();
        let (position, found) = blueprint.find(&key).unwrap();
        assert_eq!(found, bucket as usize);
        assert_eq!(blueprint.strategy(&position, found), blueprint.strategy(&walked.position, found));
    }
    for (text, words) in [
        ("BB:AA:", "SB acts, not BB"),
        ("SB:AA:r300", "'r300' is no action of the game after ''"),
        ("SB:40:Fr250c/x", "there is no 40"),
        ("SB:4:Tr250c/x", "the flop is played, not the turn"),
        ("SB:4:Fx", "several lines end so"),
        ("SB:4:Fr250c/xxx", "'x' is no action of the game after 'r250c/xx': there are /"),
        ("SB:4:Fr250f/x", "'/' is no action"),
        ("SB:AA:a", "'a' is no action"),
    ] {
        let error = blueprint.find(&text.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// What the buckets of a subset tell apart does not depend on suits.
#[test]
fn buckets_of_a_subset_are_those_of_isomorphic_boards() {
    let flops = [("Td9d6h".parse::<Board>().unwrap(), 2.0), ("7s7h2d".parse().unwrap(), 1.0)];
    let buckets = SubsetBuckets::new(&flops, NonZeroU16::new(20).unwrap());
    assert_eq!(buckets.flops().len(), 2);
    let mut most = [0; 4];
    for &(flop, _) in buckets.flops() {
        let keeps = |suits: &SuitPermutation| suits.map_set(flop.set()) == flop.set();
        for suits in SuitPermutation::ALL.into_iter().filter(keeps) {
            for runout in ["", "Ac", "Ac2c", "6s", "6s6c", "8hKh"] {
                let mut boards = [flop, flop];
                for card in runout.as_bytes().chunks(2) {
                    let card: Card = std::str::from_utf8(card).unwrap().parse().unwrap();
                    boards = [boards[0].deal(card).unwrap(), boards[1].deal(suits.map_card(card)).unwrap()];
                }
                let [plain, mapped] = boards.map(|board| buckets.of_board(&board).unwrap());
                let live = |combo: &Combo| !combo.cards().intersects(boards[0].set());
                for combo in Combo::all().filter(live) {
                    let row = plain[combo.index()];
                    assert_eq!(row, mapped[suits.map_combo(combo).index()], "{} {combo}", boards[0]);
                    let most = &mut most[boards[0].street() as usize];
                    *most = (row as usize).max(*most);
                }
            }
        }
    }
    for street in [Street::Flop, Street::Turn, Street::River] {
        assert!(most[street as usize] < buckets.num_buckets(street).unwrap());
    }
    let missing = buckets.of_board(&"AsKsQs".parse().unwrap());
    assert!(matches!(missing, Err(BucketedError::NoBuckets { street: Street::Flop })));
}

/// On a few flops a joint solve comes near an equilibrium of their game, the same at any number of threads.
#[test]
fn a_joint_solve_of_a_few_flops() {
    let flops = [("Td9d6h".parse::<Board>().unwrap(), 2.0), ("7s7h2d".parse().unwrap(), 1.0)];
    let buckets = SubsetBuckets::new(&flops, NonZeroU16::new(20).unwrap());
    let solved = |threads, boards| {
        let mut solver = JointSolver::new(&short(), &buckets, &options(threads)).unwrap();
        assert!(solver.memory_bytes() > 0);
        let stop = JointStop { boards: Some(boards), time: None, target_mbb: 0.0 };
        solver.run(&stop, &mut ()).unwrap()
    };
    let [few, many] = [solved(1, 16), solved(2, 600)];
    let (before, after) = (few.exploitability.estimate, many.exploitability.estimate);
    assert!(few.exploitability.is_exact && few.boards == 16 && many.boards == 600);
    assert!(after < 0.6 * before && after > 0.0, "{before} {after}");
    assert_eq!(few.exploitability, solved(2, 16).exploitability);
    let first = &many.chart[0];
    let mut total = 0.0;
    for class in HandClass::all() {
        let at = class.index();
        let ev: f64 = first.frequencies[at].iter().zip(&first.evs_bb[at]).map(|(share, ev)| share * ev).sum();
        total += ev * class.num_combos() as f64 / 1326.0;
    }
    assert!((total - many.exploitability.self_play_bb).abs() < 1e-4, "{total} {:?}", many.exploitability);
    let limit = TrainerOptions { memory_limit: Some(1_000), ..options(1) };
    let error = JointSolver::new(&short(), &buckets, &limit).err().unwrap();
    assert!(matches!(error, BucketedError::Memory { limit: 1_000, .. }), "{error}");
}
