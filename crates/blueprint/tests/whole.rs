//! The whole game against known numbers and against itself.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Instant;

use equipoise_blueprint::bucketed::{BucketedError, Buckets, Lossless};
use equipoise_blueprint::whole::{Trainer, TrainerOptions};
use equipoise_cards::{Board, Combo, HandClass, Street, Strength};
use equipoise_game::{BettingAbstraction, BettingPreset, Chips, HandConfig, Player};

fn hand(big_blinds: u32) -> HandConfig {
    HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(100 * big_blinds))
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
        let mut trainer = Trainer::new(&hand(stack), &betting, &Lossless, &options).unwrap();
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
    let betting = BettingPreset::A.abstraction();
    let mut trainer = Trainer::new(&hand(20), &betting, buckets, &options).unwrap();
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
    let betting = BettingPreset::A.abstraction();
    let refused = |options: TrainerOptions, buckets: &dyn Buckets| {
        Trainer::new(&hand(20), &betting, buckets, &options).err().unwrap()
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

#[test]
#[ignore = "a measurement"]
fn boards_per_second() {
    let options = TrainerOptions { threads: NonZeroUsize::new(1), ..TrainerOptions::default() };
    for (preset, big_blinds) in [(BettingPreset::A, 20), (BettingPreset::B, 20), (BettingPreset::C, 100)] {
        let betting = preset.abstraction();
        let mut trainer = Trainer::new(&hand(big_blinds), &betting, &Thousand, &options).unwrap();
        trainer.train(1).unwrap();
        let start = Instant::now();
        trainer.train(6).unwrap();
        let each = start.elapsed().as_secs_f64() / 96.0;
        println!("{preset}/{big_blinds}: {:.2} ms a board, {} bytes", 1e3 * each, trainer.memory_bytes());
    }
}

/// A thousand buckets without meaning, correlated with strength.
struct Thousand;

impl Buckets for Thousand {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        if board.street() == Street::Preflop {
            return Lossless.of_board(board);
        }
        let bucket = |combo: Combo| match Strength::of(combo.cards() | board.set()) {
            Some(strength) => u32::from(strength.get()) * 1000 / 7462 + combo.index() as u32 % 30,
            None => combo.index() as u32 % 1000,
        };
        Ok(Combo::all().map(|combo| bucket(combo) % 1000).collect())
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        if street == Street::Preflop { Lossless.num_buckets(street) } else { Some(1000) }
    }
}
