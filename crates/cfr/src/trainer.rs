//! The exact solver of small games.

use std::ops::{ControlFlow, Deref};

use crate::coefficients::{Coefficients, Prediction};
use crate::game::Player;
use crate::scheme::{Asymmetry, AsymmetrySums, Requirements, Scheme};
use crate::strategy::{Reach, Strategy, normalise};
use crate::tree::{Infoset, NodeKind, Tree};

/// Runs one algorithm on one tree, whole iterations at a time: the first player updates, then the second
/// against the first one's new strategy. In `f64`, without sampling or pruning, and the same on every
/// machine. The tree is borrowed or shared: `&Tree`, `Arc<Tree>`.
///
/// ```
/// use equipoise_cfr::{Algorithm, ToyGame, Trainer};
/// use std::ops::ControlFlow;
///
/// let tree = ToyGame::Kuhn.tree();
/// let mut trainer = Trainer::new(&tree, Algorithm::default());
/// trainer.run(1000, |trainer| {
///     let check = trainer.iterations() % 50 == 0;
///     if check && tree.exploitability(&trainer.average_strategy()) < 1e-3 {
///         return ControlFlow::Break(());
///     }
///     ControlFlow::Continue(())
/// });
/// assert!(trainer.iterations() < 1000);
/// ```
#[derive(Clone, Debug)]
pub struct Trainer<T, S> {
    tree: T,
    scheme: S,
    requirements: Requirements,
    iterations: u32,
    tables: Tables,
    /// Scratch: per node and per action.
    reaches: Vec<Reach>,
    evs: Vec<f64>,
    instant: Vec<f64>,
}

/// What lives from one iteration to the next. One entry per action, `sums` one per information set.
#[derive(Clone, Debug)]
struct Tables {
    regret: Vec<f64>,
    current: Vec<f64>,
    average: Vec<f64>,
    last_instant: Vec<f64>,
    sums: Vec<AsymmetrySums>,
    /// What the last iteration added to all the sums.
    moved: AsymmetrySums,
}

/// The asymmetry after an iteration, over the information sets of both players, and the two norms behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AsymmetryReport {
    /// Mean asymmetry.
    pub mean: f64,
    /// Smallest asymmetry.
    pub min: f64,
    /// Largest asymmetry.
    pub max: f64,
    /// ‖r_t − r_{t−1}‖ of the last iteration, over all information sets together.
    pub instant_norm: f64,
    /// ‖R_t − R_{t−1}‖ of the last iteration, over all information sets together.
    pub regret_norm: f64,
}

impl<T: Deref<Target = Tree>, S: Scheme> Trainer<T, S> {
    /// A trainer before its first iteration: every strategy is uniform.
    #[must_use]
    pub fn new(tree: T, scheme: S) -> Trainer<T, S> {
        let entries = vec![0.0; tree.num_entries()];
        let requirements = scheme.requirements();
        let tables = Tables {
            regret: entries.clone(),
            current: tree.uniform_strategy().probabilities().to_vec(),
            average: entries.clone(),
            last_instant: entries.clone(),
            sums: vec![AsymmetrySums::default(); tree.infosets().len()],
            moved: AsymmetrySums::default(),
        };
        let reaches = vec![Reach::default(); tree.num_nodes()];
        let evs = vec![0.0; tree.num_nodes()];
        Trainer { tree, scheme, requirements, iterations: 0, tables, reaches, evs, instant: entries }
    }

    /// Runs up to `num_iterations` more iterations and calls `observer` after each, which can read the
    /// trainer and stop it.
    pub fn run(&mut self, num_iterations: u32, mut observer: impl FnMut(&Self) -> ControlFlow<()>) {
        for _ in 0..num_iterations {
            self.iterate();
            if observer(self).is_break() {
                return;
            }
        }
    }

    /// One iteration: both players update once.
    pub fn iterate(&mut self) {
        let t = self.iterations + 1;
        let now = self.scheme.coefficients(t);
        let next = self.scheme.coefficients(t + 1);
        self.tables.moved = AsymmetrySums::default();
        for player in Player::ALL {
            if now.look_ahead > 0.0 {
                self.iterate_backwards(player, &now, &next.prediction);
            } else {
                self.measure(player);
                self.update(player, &now, |_| true);
                self.match_regrets(player, &next.prediction, |_| true);
            }
        }
        self.iterations = t;
    }

    /// The iteration of a player with look-ahead: the last decisions first, whose next strategies the values of earlier ones
    /// take in.
    fn iterate_backwards(&mut self, player: Player, now: &Coefficients, prediction: &Prediction) {
        self.tree.fill_reaches(player, &self.tables.current, &mut self.reaches);
        let mut passed_up = self.tables.current.clone();
        let depths = self.tree.infosets_of(player).map(|(_, infoset)| infoset.own_depth);
        let num_depths = depths.max().map_or(0, |depth| depth + 1);
        for depth in (0..num_depths).rev() {
            let is_here = |infoset: &Infoset| infoset.own_depth == depth;
            let cfvs = self.tree.action_cfvs(player, &passed_up, &self.reaches, &mut self.evs);
            for (_, infoset) in self.tree.infosets_of(player).filter(|(_, infoset)| is_here(infoset)) {
                let (cfvs, current) = (&cfvs[infoset.entries()], &self.tables.current[infoset.entries()]);
                let value: f64 = cfvs.iter().zip(current).map(|(cfv, share)| cfv * share).sum();
                for (instant, cfv) in self.instant[infoset.entries()].iter_mut().zip(cfvs) {
                    *instant = cfv - value;
                }
            }
            self.update(player, now, is_here);
            self.match_regrets(player, prediction, is_here);
            for (_, infoset) in self.tree.infosets_of(player).filter(|(_, infoset)| is_here(infoset)) {
                for entry in infoset.entries() {
                    let next = self.tables.current[entry];
                    passed_up[entry] += now.look_ahead * (next - passed_up[entry]);
                }
            }
        }
    }

    /// Reaches and instant regrets of `player` against the current strategies.
    fn measure(&mut self, player: Player) {
        let Trainer { tree, tables, reaches, evs, instant, .. } = self;
        tree.fill_reaches(player, &tables.current, reaches);
        for (_, infoset) in tree.infosets_of(player) {
            instant[infoset.entries()].fill(0.0);
        }
        tree.fill_evs(player, &tables.current, evs, |node_id, evs| {
            let node = &tree.nodes[node_id];
            if let NodeKind::Decision { first_entry, .. } = node.kind {
                for (instant, ev) in instant[first_entry..].iter_mut().zip(&evs[node.children()]) {
                    *instant += reaches[node_id].cf * (ev - evs[node_id]);
                }
            }
        });
    }

    /// Moves the tables of `player` by the instant regrets, at some information sets.
    fn update(&mut self, player: Player, now: &Coefficients, is_due: impl Fn(&Infoset) -> bool) {
        let Trainer { tree, tables, requirements, reaches, instant, .. } = self;
        for (infoset_id, infoset) in tree.infosets_of(player).filter(|(_, infoset)| is_due(infoset)) {
            let weight = if requirements.own_reach { reaches[infoset.node].own } else { 1.0 };
            let mut moved = AsymmetrySums::default();
            for entry in infoset.entries() {
                let regret = now.next_regret(tables.regret[entry], instant[entry]);
                moved.instant += (instant[entry] - tables.last_instant[entry]).powi(2);
                moved.regret += (regret - tables.regret[entry]).powi(2);
                tables.regret[entry] = regret;
                tables.last_instant[entry] = instant[entry];
                tables.average[entry] = now.average * tables.average[entry] + weight * tables.current[entry];
            }
            for sums in [&mut tables.sums[infoset_id], &mut tables.moved] {
                sums.instant += moved.instant;
                sums.regret += moved.regret;
            }
        }
    }

    /// Regret matching: the strategy of `player` in the next iteration, at some information sets.
    fn match_regrets(&mut self, player: Player, prediction: &Prediction, is_due: impl Fn(&Infoset) -> bool) {
        let Trainer { tree, tables, requirements, .. } = self;
        for (infoset_id, infoset) in tree.infosets_of(player).filter(|(_, infoset)| is_due(infoset)) {
            let asymmetry = match requirements.asymmetry {
                Some(Asymmetry::Auto { max }) => tables.sums[infoset_id].asymmetry(max),
                _ => 0.0,
            };
            for entry in infoset.entries() {
                let predicted = prediction.apply(tables.regret[entry], tables.last_instant[entry], asymmetry);
                tables.current[entry] = predicted.max(0.0);
            }
            normalise(&mut tables.current[infoset.entries()]);
        }
    }

    /// How many iterations have been finished.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The algorithm.
    #[must_use]
    pub fn scheme(&self) -> &S {
        &self.scheme
    }

    /// The game.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The strategies of the next iteration.
    #[must_use]
    pub fn current_strategy(&self) -> Strategy {
        Strategy::normalised(&self.tree, self.tables.current.clone())
    }

    /// The average strategy, which converges; uniform where own reach has always been 0.
    #[must_use]
    pub fn average_strategy(&self) -> Strategy {
        Strategy::normalised(&self.tree, self.tables.average.clone())
    }

    /// The asymmetry in the next iteration, for an algorithm that has one.
    #[must_use]
    pub fn asymmetry(&self) -> Option<AsymmetryReport> {
        let of_sums = |sums: &AsymmetrySums| match self.requirements.asymmetry {
            Some(Asymmetry::Auto { max }) => Some(sums.asymmetry(max)),
            Some(Asymmetry::Fixed(a)) => Some(a),
            None => None,
        };
        let all = self.tables.sums.iter().map(of_sums).collect::<Option<Vec<f64>>>()?;
        Some(AsymmetryReport {
            mean: all.iter().sum::<f64>() / all.len().max(1) as f64,
            min: all.iter().copied().reduce(f64::min)?,
            max: all.iter().copied().reduce(f64::max)?,
            instant_norm: self.tables.moved.instant.sqrt(),
            regret_norm: self.tables.moved.regret.sqrt(),
        })
    }
}
