//! The tables of a solve and the passes over them, behind one trait for all precisions.

use std::fmt::Debug;
use std::sync::Arc;

use equipoise_cards::{Card, Combo};
use equipoise_cfr::{Asymmetry, AsymmetrySums, Requirements};
use equipoise_game::{NodeId, PerPlayer, Player};
use equipoise_progress::Observer;

use crate::compile::images::BoardSymmetry;
use crate::compile::layout::{Layout, combo_at};
use crate::compile::orbits::Orbits;
use crate::compile::program::CompiledTree;
use crate::kernel::{Arena, Cell as _, HalfRow, Isa, ListIndex, Row, ThreadPool, flatten, has_average};
use crate::problem::options::{Precision, Storage};
use crate::problem::spot::Spot;
use crate::read::page::{self, Page};
use crate::solve::pass::Pass;
use crate::solve::prefetch::PrefetchPolicy;
use crate::solve::state::{Entries, State, TableFormats};
use crate::solve::store::{Packed, Plain, Store};
use crate::solve::traverse::Traversal;
use crate::solve::workspace::Workspace;

/// What one combo does at a decision.
#[derive(Clone, Debug)]
pub(crate) struct ComboNumbers {
    pub combo: Combo,
    /// By action.
    pub frequencies: Vec<f64>,
    /// Whether there is an average strategy.
    pub is_reached: bool,
    pub is_locked: bool,
}

/// The values of the own combos at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'a> {
    scaled: &'a [Row],
    scale: f64,
    num_combos: usize,
}

impl Values<'_> {
    /// In chips times the opponent's weight, combo by combo.
    pub(crate) fn in_chips(&self) -> Vec<f64> {
        flatten(self.scaled).take(self.num_combos).map(|value| f64::from(value) / self.scale).collect()
    }
}

/// How often each combo takes each action at a node.
pub(crate) type OfNode<'a> = dyn Fn(NodeId) -> Vec<(Combo, Vec<f64>)> + 'a;

/// Tables in any precision.
pub(crate) trait Engine: Debug + Send + Sync {
    /// A thread pool for passes.
    fn thread_pool(&self) -> ThreadPool;

    /// Runs a pass on a thread pool; the values of the own combos at the root.
    fn run(&mut self, pass: Pass, pool: &ThreadPool) -> Values<'_>;

    /// Runs passes; the values of each in chips.
    fn values(&mut self, passes: &[Pass]) -> Vec<(Player, Vec<f64>)> {
        let pool = self.thread_pool();
        passes.iter().map(|&pass| (pass.player, self.run(pass, &pool).in_chips())).collect()
    }

    /// The strategy of each combo at a decision on a runout; `None` if there is no such runout.
    fn numbers(&self, node: NodeId, runout: &[Card]) -> Option<Vec<ComboNumbers>>;

    /// Records what every decision before the river is worth.
    fn record(&mut self) {
        self.values(&Player::ALL.map(Pass::record));
    }

    /// The strategies on a board, and what they are worth if that was recorded.
    fn page(&self, path: &[usize]) -> Page;

    /// Mean, least and greatest measured asymmetry over all decisions, and the total of the sums behind it.
    fn asymmetry(&self, max: f64) -> Option<([f64; 3], AsymmetrySums)>;

    /// The precision of the tables.
    fn storage(&self) -> Storage;

    /// If isomorphic boards are solved apart in one order: the greatest difference so far, in pots, between values of combos
    /// that a symmetry exchanges, before they were made equal.
    fn orbit_deviation(&self) -> Option<f64>;

    /// The bytes of all tables of a board.
    fn table_bytes(&self, path: &[usize]) -> Vec<u8>;

    /// Replaces all tables of a board; false if the bytes do not fit.
    fn set_table_bytes(&mut self, path: &[usize], bytes: &[u8]) -> bool;

    /// Replaces a player's weights at the root, in the order of its list, as the spot has them.
    fn set_root_weights(&mut self, player: Player, weights: &[f64]);

    /// Replaces the average strategies of every decision on a board; combos that are left out play every action alike.
    fn set_strategies(&mut self, path: &[usize], strategies: &OfNode<'_>);

    /// Replaces the regrets on a board: `[action][combo]`, combos in the order of their numbers.
    fn set_regrets(&mut self, path: &[usize], regrets: &PerPlayer<Vec<f32>>);

    /// Replaces the sums of the average strategies on a board, in the same order.
    fn set_averages(&mut self, path: &[usize], averages: &PerPlayer<Vec<f32>>);

    /// Saves a copy of the average strategies.
    fn save_averages(&mut self);

    /// Restores the saved average strategies, if there are any.
    fn restore_averages(&mut self);

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// An engine with empty tables; `None` if the observer wants none.
pub(crate) fn new(
    args: EngineArgs<'_>,
    observer: &mut dyn Observer,
) -> Result<Option<Box<dyn Engine>>, rayon::ThreadPoolBuildError> {
    fn boxed<E: Engine + 'static>(engine: E) -> Box<dyn Engine> {
        Box::new(engine)
    }
    Ok(match (args.storage.regrets, args.storage.strategy) {
        (Precision::Bits32, Precision::Bits32) => {
            Tables::<Plain<Row>, Plain<Row>>::new(args, observer)?.map(boxed)
        }
        (Precision::Bits16, Precision::Bits16) => {
            Tables::<Plain<HalfRow>, Plain<HalfRow>>::new(args, observer)?.map(boxed)
        }
        _ => Tables::<Packed, Packed>::new(args, observer)?.map(boxed),
    })
}

/// What an engine is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineArgs<'a> {
    pub spot: &'a Arc<Spot>,
    pub symmetry: &'a BoardSymmetry,
    pub storage: Storage,
    pub needs: Requirements,
    pub threads: usize,
    pub isa: Isa,
}

#[derive(Debug)]
struct Tables<R, S> {
    spot: Arc<Spot>,
    tree: CompiledTree,
    /// The memory of the tables.
    arena: Arena,
    state: State<R, S>,
    workspace: Workspace,
    /// Both players' weights in the order of the root's lists, divided by the spot's units.
    weights: PerPlayer<Vec<Row>>,
    units: PerPlayer<f64>,
    /// Payoffs are divided by what the pot is worth and by the opponent's weight, so that tables hold numbers near 1.
    scales: PerPlayer<f64>,
    isa: Isa,
    threads: usize,
    storage: Storage,
    prefetch: PrefetchPolicy,
    /// Whether isomorphic boards are solved apart in one order.
    is_apart: bool,
    /// The saved averages of every table, in the order of [`State::for_each_average`].
    saved: Vec<S>,
}

impl<R: Store, S: Store> Tables<R, S> {
    fn new(
        args: EngineArgs<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Tables<R, S>>, rayon::ThreadPoolBuildError> {
        let EngineArgs { spot, symmetry, storage, needs, threads, isa } = args;
        let units = spot.weight_units();
        let scales = PerPlayer::from_fn(|player| {
            let opponent = player.opponent();
            units[opponent] / (spot.pot_worth() * spot.ranges()[opponent].total_weight())
        });
        let tree = CompiledTree::new(spot.tree(), scales);
        let formats = TableFormats {
            regret: storage.regrets.format(true, storage.log_encoding),
            average: storage.strategy.format(false, storage.log_encoding),
            has_last: needs.last_instant,
            has_sums: matches!(needs.asymmetry, Some(Asymmetry::Auto { .. })),
        };
        let arena = Arena::default();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let built = pool.install(|| State::build(spot, &tree, symmetry, formats, &arena, observer));
        let Ok(state): Result<State<R, S>, _> = built else { return Ok(None) };
        let weights = PerPlayer::from_fn(|player| {
            let combos = &state.layout.combos[player];
            let mut rows = vec![Row::ZERO; state.layout.rows[player]];
            for (&combo, at) in combos.iter().zip(ListIndex::all(combos.len())) {
                let weight = f64::from(spot.ranges()[player].weights()[usize::from(combo)]);
                rows[at.row()].0[at.lane()] = (weight / units[player]) as f32;
            }
            rows
        });
        let workspace = Workspace::new(&tree, &state, threads);
        let prefetch = PrefetchPolicy::of_size(state.bytes());
        Ok(Some(Tables {
            spot: Arc::clone(spot),
            tree,
            arena,
            state,
            workspace,
            weights,
            units,
            scales,
            isa,
            threads,
            storage,
            prefetch,
            is_apart: symmetry.apart(spot.board()).is_some(),
            saved: Vec::new(),
        }))
    }
}

impl<R: Store, S: Store> Engine for Tables<R, S> {
    fn thread_pool(&self) -> ThreadPool {
        ThreadPool::new(self.threads.min(self.state.children.len()))
    }

    fn run(&mut self, pass: Pass, pool: &ThreadPool) -> Values<'_> {
        let prefetch = self.prefetch.in_pass(&pass);
        let traversal = Traversal { tree: &self.tree, isa: self.isa, pass, prefetch };
        let scaled = traversal.run(&mut self.state, &self.weights, &mut self.workspace, pool);
        let scale = self.scales[pass.player] / self.units[pass.player.opponent()];
        Values { scaled, scale, num_combos: self.state.layout.combos[pass.player].len() }
    }

    fn numbers(&self, node: NodeId, runout: &[Card]) -> Option<Vec<ComboNumbers>> {
        let player = self.spot.tree().node(node).player()?;
        let (state, suits) = self.state.find(runout)?;
        let (rows, combos) = (state.layout.rows[player], &state.layout.combos[player]);
        let num_actions = self.spot.tree().node(node).num_children();
        let first_action = self.tree.first_action(node);
        let entries = Entries { node, player, first_action, num_actions };
        let (mut unpacked, mut parts) = (Vec::new(), vec![Row::ZERO; num_actions * rows]);
        state.read_strategy(self.isa, &entries, None, &mut unpacked, &mut parts);
        let (table_rows, orbits) = (state.rows_of(&entries), &state.orbits[player]);
        let average = state.tables[player].average.view(self.isa, table_rows, orbits, &mut unpacked);
        let locks = state.locks_at(&self.spot, node);
        let of_combo = |(&combo, at): (&u16, ListIndex)| {
            let row = |action: usize| action * rows + at.row();
            let parts = (0..num_actions).map(|action| f64::from(parts[row(action)].0[at.lane()]));
            let sum: f64 = parts.clone().sum();
            // Locks as they were given: tables have them in 32 bits.
            let locked: Option<Vec<f64>> =
                locks.iter().rev().find_map(|lock| Some(lock.frequencies(combo)?.collect()));
            ComboNumbers {
                combo: suits.map_combo(combo_at(combo)),
                is_locked: locked.is_some(),
                frequencies: locked.unwrap_or_else(|| parts.map(|part| part / sum).collect()),
                is_reached: has_average(
                    (0..num_actions).map(|action| average[row(action)].numbers()[at.lane()]).sum(),
                ),
            }
        };
        Some(combos.iter().zip(ListIndex::all(combos.len())).map(of_combo).collect())
    }

    fn page(&self, path: &[usize]) -> Page {
        let state = self.state.at(path);
        let street = &self.tree.streets[path.len()];
        Page {
            players: PerPlayer::from_fn(|player| {
                page::of_table(self.isa, &self.tree, street, state, player, self.scales[player])
            }),
        }
    }

    fn asymmetry(&self, max: f64) -> Option<([f64; 3], AsymmetrySums)> {
        let mut all = Vec::new();
        collect_sums(&self.state, &mut all);
        let total = all.iter().fold(AsymmetrySums::default(), |total, sums| AsymmetrySums {
            instant: total.instant + sums.instant,
            regret: total.regret + sums.regret,
        });
        let alphas = || all.iter().map(|sums| sums.asymmetry(max));
        let [least, greatest] = [alphas().reduce(f64::min)?, alphas().reduce(f64::max)?];
        Some(([alphas().sum::<f64>() / all.len() as f64, least, greatest], total))
    }

    fn storage(&self) -> Storage {
        self.storage
    }

    fn orbit_deviation(&self) -> Option<f64> {
        self.is_apart.then(|| f64::from(self.workspace.orbit_deviation()))
    }

    fn table_bytes(&self, path: &[usize]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for table in &self.state.at(path).tables {
            table.regret.put_bytes(&mut bytes);
            table.last.put_bytes(&mut bytes);
            table.average.put_bytes(&mut bytes);
            for sums in &table.sums {
                bytes.extend(sums.instant.to_le_bytes());
                bytes.extend(sums.regret.to_le_bytes());
            }
        }
        bytes
    }

    fn set_table_bytes(&mut self, path: &[usize], mut bytes: &[u8]) -> bool {
        let bytes = &mut bytes;
        let mut set = || -> Option<()> {
            let State { tables, orbits, .. } = self.state.at_mut(path);
            for (table, orbits) in tables.as_mut().zip(orbits.as_ref()) {
                table.regret.set_bytes(bytes, orbits)?;
                table.last.set_bytes(bytes, orbits)?;
                table.average.set_bytes(bytes, orbits)?;
                for sums in &mut table.sums {
                    for number in [&mut sums.instant, &mut sums.regret] {
                        let (first, rest) = bytes.split_first_chunk()?;
                        *number = f64::from_le_bytes(*first);
                        *bytes = rest;
                    }
                }
            }
            Some(())
        };
        set().is_some() && bytes.is_empty()
    }

    fn set_root_weights(&mut self, player: Player, weights: &[f64]) {
        let rows = &mut self.weights[player];
        for (weight, at) in weights.iter().zip(ListIndex::all(weights.len())) {
            rows[at.row()].0[at.lane()] = (weight / self.units[player]) as f32;
        }
    }

    fn set_strategies(&mut self, path: &[usize], strategies: &OfNode<'_>) {
        let street = &self.tree.streets[path.len()];
        let layout = &self.state.at(path).layout;
        let averages = PerPlayer::from_fn(|player| {
            let mut combos = layout.combos[player].clone();
            combos.sort_unstable();
            let mut averages = vec![0.0_f32; street.num_actions[player] * combos.len()];
            for &node in &street.decisions[player] {
                let first = self.tree.first_action(node);
                let num_actions = self.spot.tree().node(node).num_children();
                averages[first * combos.len()..(first + num_actions) * combos.len()].fill(1.0);
                for (combo, frequencies) in strategies(node) {
                    let Ok(at) = combos.binary_search(&(combo.index() as u16)) else { continue };
                    for (action, frequency) in frequencies.into_iter().enumerate() {
                        averages[(first + action) * combos.len() + at] = frequency as f32;
                    }
                }
            }
            averages
        });
        self.set_averages(path, &averages);
    }

    fn set_regrets(&mut self, path: &[usize], regrets: &PerPlayer<Vec<f32>>) {
        let State { layout, seed, orbits, tables, .. } = self.state.at_mut(path);
        for player in Player::ALL {
            let (to, orbits) = (&mut tables[player].regret, &orbits[player]);
            fill(self.isa, layout, player, (*seed, orbits), &regrets[player], to);
        }
    }

    fn set_averages(&mut self, path: &[usize], averages: &PerPlayer<Vec<f32>>) {
        let State { layout, seed, orbits, tables, .. } = self.state.at_mut(path);
        for player in Player::ALL {
            let (to, orbits) = (&mut tables[player].average, &orbits[player]);
            fill(self.isa, layout, player, (*seed, orbits), &averages[player], to);
        }
    }

    fn save_averages(&mut self) {
        let Tables { saved, state, arena, .. } = self;
        let mut at = 0;
        state.for_each_average(&mut |average| {
            match saved.get_mut(at) {
                Some(copy) => copy.copy_from(average),
                None => saved.push(average.copy(arena)),
            }
            at += 1;
        });
    }

    fn restore_averages(&mut self) {
        let mut saved = self.saved.iter();
        self.state.for_each_average(&mut |average| {
            if let Some(saved) = saved.next() {
                average.copy_from(saved);
            }
        });
    }

    fn bytes(&self) -> usize {
        let saved: usize = self.saved.iter().map(Store::bytes).sum();
        self.state.bytes() + self.workspace.bytes() + saved
    }
}

/// Replaces a player's table on a board: `[action][combo]`, combos in the order of their numbers.
fn fill<T: Store>(
    isa: Isa,
    layout: &Layout,
    player: Player,
    (seed, orbits): (u32, &Orbits),
    numbers: &[f32],
    table: &mut T,
) {
    let places = page::places(&layout.combos[player]);
    let rows = layout.rows[player];
    let mut scratch = Vec::new();
    for (action, of_combos) in numbers.chunks(places.len().max(1)).enumerate() {
        let range = action * rows..(action + 1) * rows;
        let cells = table.edit(isa, range.clone(), orbits, &mut scratch);
        for (lanes, cell) in places.chunks(8).zip(cells) {
            let mut numbers = [0.0; 8];
            numbers.iter_mut().zip(lanes).for_each(|(number, &place)| *number = of_combos[place]);
            cell.set_numbers(numbers);
        }
        table.commit(isa, range, orbits, &scratch, seed);
    }
}

fn collect_sums<R, S>(state: &State<R, S>, all: &mut Vec<AsymmetrySums>) {
    for table in &state.tables {
        all.extend(&table.sums);
    }
    state.children.iter().for_each(|child| collect_sums(child, all));
}

#[cfg(test)]
mod tests {
    use equipoise_cards::Street;
    use equipoise_cfr::{Algorithm, Scheme};
    use equipoise_game::{Chips, Preset, TreeConfig};

    use super::*;

    fn untrained(
        spot: &Arc<Spot>,
        symmetry: &BoardSymmetry,
        needs: Requirements,
    ) -> Tables<Plain<Row>, Plain<Row>> {
        let args =
            EngineArgs { spot, symmetry, storage: Storage::default(), needs, threads: 2, isa: Isa::best() };
        Tables::new(args, &mut ()).unwrap().unwrap()
    }

    /// Prefetching changes no number, also on rivers of more than one program.
    #[test]
    fn prefetching_changes_no_number() {
        let mut config = TreeConfig::new(Street::Flop, Chips::new(100), Chips::new(2000));
        Preset::Standard.apply(&mut config);
        let ranges = ["AA,KQs", "QQ,T9s"].map(|range| range.parse().unwrap());
        let spot = Arc::new(Spot::new(ranges, "Ts9s2h".parse().unwrap(), &config).unwrap());
        let algorithm: Algorithm = "pcfr+".parse().unwrap();
        let mut found: Vec<Vec<Vec<u8>>> = Vec::new();
        for prefetch in [PrefetchPolicy::Never, PrefetchPolicy::ByDecision, PrefetchPolicy::Streamed] {
            let symmetry = spot.board_symmetry(true);
            let needs = algorithm.requirements();
            let mut tables = untrained(&spot, &symmetry, needs);
            assert!(tables.tree.streets[2].programs[Player::Oop].len() > 1);
            tables.prefetch = prefetch;
            let train = |t: u32| {
                let coefficients = algorithm.coefficients(t);
                Player::ALL.map(|player| Pass::train(player, t, [&coefficients; 2], [0.5, 1.0], needs))
            };
            let passes = (1..=2).flat_map(train).chain(Player::ALL.map(Pass::best_response));
            let pool = tables.thread_pool();
            let bytes = |values: Values<'_>| -> Vec<u8> {
                values.scaled.iter().flat_map(|row| row.0.map(f32::to_le_bytes)).flatten().collect()
            };
            let mut values: Vec<Vec<u8>> = passes.map(|pass| bytes(tables.run(pass, &pool))).collect();
            values.extend([&[][..], &[0], &[1], &[0, 0], &[1, 2]].map(|path| tables.table_bytes(path)));
            found.push(values);
        }
        assert!(found[0] == found[1] && found[0] == found[2]);
    }

    /// A spot on a board with two suits that may be exchanged, and its isomorphisms.
    fn symmetric_spot(oop: &str, ip: &str) -> Arc<Spot> {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(300));
        Preset::Standard.apply(&mut config);
        let ranges = [oop, ip].map(|range| range.parse().unwrap());
        Arc::new(Spot::new(ranges, "Ts9s2h5s".parse().unwrap(), &config).unwrap())
    }

    /// Trains with these isomorphisms, right or wrong: the values of the last pass, and the deviation within orbits when
    /// strategies were uniform.
    fn train(spot: &Arc<Spot>, symmetry: &BoardSymmetry) -> (Vec<f64>, Option<f64>) {
        let algorithm = Algorithm::default();
        let needs = algorithm.requirements();
        let mut tables = untrained(spot, symmetry, needs);
        let pool = tables.thread_pool();
        for player in Player::ALL {
            tables.run(Pass::average(player), &pool);
        }
        let deviation = tables.orbit_deviation();
        for t in 1..=20 {
            let coefficients = algorithm.coefficients(t);
            for player in Player::ALL {
                tables.run(Pass::train(player, t, [&coefficients; 2], [0.5, 1.0], needs), &pool);
            }
        }
        (tables.run(Pass::average(Player::Oop), &pool).in_chips(), deviation)
    }

    /// Weights that tell apart suits which are said to be the same: boards that are solved apart show it, and do not give
    /// the values of joined ones.
    #[test]
    fn a_wrong_symmetry_of_weights_is_seen() {
        let right = symmetric_spot("AA,KQs,87s", "QQ,77,T9s,A5s");
        let wrong = symmetric_spot("AA,KQs,87s,8c7c:0.5", "QQ,77,T9s,A5s");
        assert_eq!((right.symmetries().len(), wrong.symmetries().len()), (2, 1));
        let ways = |spot: &Arc<Spot>| {
            [true, false]
                .map(|are_joined| train(spot, &BoardSymmetry { suits: right.symmetries(), are_joined }))
        };
        let [(joined, nothing), (apart, deviation)] = ways(&right);
        assert!(joined == apart && nothing.is_none());
        assert!(deviation.unwrap() < 1e-6, "{deviation:?}");
        let [(joined, _), (apart, deviation)] = ways(&wrong);
        assert!(deviation.unwrap() > 1e-3, "{deviation:?}");
        let difference = joined.iter().zip(&apart).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference > 1e-3, "{difference}");
    }

    /// Combos that only one of the exchanged suits has.
    #[test]
    #[should_panic(expected = "the suits are a symmetry of board and ranges")]
    fn a_wrong_symmetry_of_ranges_is_refused() {
        let right = symmetric_spot("AA,KQs,87s", "QQ,77,T9s,A5s");
        let wrong = symmetric_spot("AA,KQs,87s,6c5c", "QQ,77,T9s,A5s");
        train(&wrong, &BoardSymmetry { suits: right.symmetries(), are_joined: false });
    }
}
