//! Tables of one precision and the passes over them, behind one face for all precisions.

use std::fmt::Debug;
use std::sync::Arc;

use equipoise_cards::{Card, Combo, SuitPermutation};
use equipoise_cfr::{Asymmetry, AsymmetrySums, Requirements};
use equipoise_game::{NodeId, Player};

use crate::compile::layout::Layout;
use crate::compile::orbits::Orbits;
use crate::compile::program::Plan;
use crate::kernel::{Arena, Cell as _, HalfRow, Isa, Row, flatten, has_average};
use crate::problem::options::{Precision, Storage};
use crate::problem::spot::Spot;
use crate::read::page::{self, Page};
use crate::solve::state::{Entries, Kept, State};
use crate::solve::store::{Packed, Plain, Store};
use crate::solve::traverse::{self, Fetching, Pass, Traversal};
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

/// What a pass has found for the own combos of the root.
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

/// Tables in whatever precision.
pub(crate) trait Engine: Debug + Send + Sync {
    /// Runs passes one after another, as long as `next` names one; it gets what the pass before has found.
    fn run(&mut self, next: &mut dyn FnMut(Option<Values<'_>>) -> Option<Pass>);

    /// Runs passes; for each its player and the values of the own combos.
    fn values(&mut self, passes: &[Pass]) -> Vec<(Player, Vec<f64>)> {
        let (mut found, mut passes_left) = (Vec::new(), passes.iter().copied());
        self.run(&mut |values| {
            found.extend(values.map(|values| values.in_chips()));
            passes_left.next()
        });
        passes.iter().map(|pass| pass.player).zip(found).collect()
    }

    /// What the tables say at a decision on a runout; `None` if there is no such runout.
    fn numbers(&self, node: NodeId, runout: &[Card]) -> Option<Vec<ComboNumbers>>;

    /// Finds and keeps what every decision before the river is worth.
    fn record(&mut self) {
        let mut passes = Player::ALL.map(Pass::record).into_iter();
        self.run(&mut |_| passes.next());
    }

    /// The strategies on a board, and what they are worth if that was recorded.
    fn page(&self, path: &[usize]) -> Page;

    /// Mean, least and greatest measured asymmetry over all decisions, and the sums behind it of all of them.
    fn asymmetry(&self, max: f64) -> Option<([f64; 3], AsymmetrySums)>;

    /// What the tables are kept in.
    fn storage(&self) -> Storage;

    /// Everything in the tables of a board.
    fn table_bytes(&self, path: &[usize]) -> Vec<u8>;

    /// Replaces everything in the tables of a board; false if it does not fit.
    fn set_table_bytes(&mut self, path: &[usize], bytes: &[u8]) -> bool;

    /// Replaces the regrets on a board by these: for each player `[action][combo]`, combos in the order of their numbers.
    fn set_regrets(&mut self, path: &[usize], regrets: &[Vec<f32>; 2]);

    /// Replaces the sums of the average strategies on a board, in the same order.
    fn set_averages(&mut self, path: &[usize], averages: &[Vec<f32>; 2]);

    /// Remembers the average strategies of now.
    fn save_averages(&mut self);

    /// Goes back to the remembered average strategies, if there are any.
    fn restore_averages(&mut self);

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// An engine with empty tables.
pub(crate) fn new(
    spot: &Arc<Spot>,
    symmetries: &[SuitPermutation],
    storage: Storage,
    needs: Requirements,
    threads: usize,
    isa: Isa,
) -> Result<Box<dyn Engine>, rayon::ThreadPoolBuildError> {
    let args = (spot, symmetries, storage, needs, threads, isa);
    Ok(match (storage.regrets, storage.strategy) {
        (Precision::Bits32, Precision::Bits32) => Box::new(Tables::<Plain<Row>, Plain<Row>>::new(args)?),
        (Precision::Bits16, Precision::Bits16) => {
            Box::new(Tables::<Plain<HalfRow>, Plain<HalfRow>>::new(args)?)
        }
        _ => Box::new(Tables::<Packed, Packed>::new(args)?),
    })
}

/// Spot, symmetries, storage, what the algorithm needs, threads, instructions.
type Args<'a> = (&'a Arc<Spot>, &'a [SuitPermutation], Storage, Requirements, usize, Isa);

/// Tables up to these sizes, in bytes, stay in the nearer caches from one iteration to the next, and in any.
const LARGEST_NEAR: usize = 1 << 20;
const LARGEST_CACHED: usize = 32 << 20;

#[derive(Debug)]
struct Tables<R, S> {
    spot: Arc<Spot>,
    plan: Plan,
    /// Where the tables are.
    arena: Arena,
    state: State<R, S>,
    workspace: Workspace,
    /// Both players' weights in the order of the root's lists, in units of the spot's.
    weights: [Vec<Row>; 2],
    units: [f64; 2],
    /// Payoffs are divided by the pot and by the opponent's weight, so that tables hold numbers near 1.
    scales: [f64; 2],
    isa: Isa,
    threads: usize,
    storage: Storage,
    fetching: Fetching,
    /// Averages of every table, in the order of [`State::for_each_average`].
    saved: Vec<S>,
}

impl<R: Store, S: Store> Tables<R, S> {
    fn new(args: Args<'_>) -> Result<Tables<R, S>, rayon::ThreadPoolBuildError> {
        let (spot, symmetries, storage, needs, threads, isa) = args;
        let units = spot.weight_units();
        let scales = Player::ALL.map(|player| {
            let opponent = player.opponent().index();
            units[opponent] / (spot.pot() * spot.ranges()[opponent].total_weight())
        });
        let plan = Plan::new(spot.tree(), scales);
        let kept = Kept {
            regret: storage.regrets.format(true, storage.log_encoding),
            average: storage.strategy.format(false, storage.log_encoding),
            last: needs.last_instant,
            sums: matches!(needs.asymmetry, Some(Asymmetry::Auto { .. })),
        };
        let arena = Arena::default();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let state: State<R, S> = pool.install(|| State::build(spot, &plan, symmetries, kept, &arena));
        let weights = [0, 1].map(|player: usize| {
            let mut rows = vec![Row::ZERO; state.layout.rows[player]];
            for (at, &combo) in state.layout.combos[player].iter().enumerate() {
                let weight = f64::from(spot.ranges()[player].weights()[usize::from(combo)]);
                rows[at / 8].0[at % 8] = (weight / units[player]) as f32;
            }
            rows
        });
        let workspace = Workspace::new(&plan, &state, threads);
        let fetching = if state.bytes() <= LARGEST_NEAR {
            Fetching::Never
        } else if state.bytes() <= LARGEST_CACHED {
            Fetching::Decisions
        } else {
            Fetching::Programs
        };
        Ok(Tables {
            spot: Arc::clone(spot),
            plan,
            arena,
            state,
            workspace,
            weights,
            units,
            scales,
            isa,
            threads,
            storage,
            fetching,
            saved: Vec::new(),
        })
    }
}

impl<R: Store, S: Store> Engine for Tables<R, S> {
    fn run(&mut self, next: &mut dyn FnMut(Option<Values<'_>>) -> Option<Pass>) {
        let Tables { plan, state, workspace, weights, units, scales, isa, threads, fetching, .. } = self;
        let num_combos = [0, 1].map(|player: usize| state.layout.combos[player].len());
        let mut player = Player::Oop;
        let mut next = |scaled: Option<&[Row]>| {
            let own = player.index();
            let scale = scales[own] / units[player.opponent().index()];
            let values = scaled.map(|scaled| Values { scaled, scale, num_combos: num_combos[own] });
            let pass = next(values)?;
            player = pass.player;
            Some(Traversal { plan, isa: *isa, pass, fetching: *fetching })
        };
        traverse::run(&mut next, state, weights, workspace, *threads);
    }

    fn numbers(&self, node: NodeId, runout: &[Card]) -> Option<Vec<ComboNumbers>> {
        let player = self.spot.tree().node(node).player()?;
        let (state, suits) = self.state.find(runout)?;
        let own = player.index();
        let rows = state.layout.rows[own];
        let num_actions = self.spot.tree().node(node).num_children();
        let first_action = self.plan.places[node.index()].action as usize;
        let entries = Entries { node, player, first_action, num_actions };
        let (mut unpacked, mut parts) = (Vec::new(), vec![Row::ZERO; num_actions * rows]);
        state.read_strategy(self.isa, &entries, None, &mut unpacked, &mut parts);
        let average = state.tables[own].average.view(
            self.isa,
            state.rows_of(&entries),
            &state.orbits[own],
            &mut unpacked,
        );
        let lock = state.lock(node);
        let of_combo = |(at, &combo): (usize, &u16)| {
            let row = |action: usize| action * rows + at / 8;
            let parts = (0..num_actions).map(|action| f64::from(parts[row(action)].0[at % 8]));
            let sum: f64 = parts.clone().sum();
            ComboNumbers {
                combo: suits.map_combo(Combo::from_index(usize::from(combo)).expect("lists hold combos")),
                frequencies: parts.map(|part| part / sum).collect(),
                is_reached: has_average(
                    (0..num_actions).map(|action| average[row(action)].numbers()[at % 8]).sum(),
                ),
                is_locked: lock.is_some_and(|lock| lock.combos[at].is_some()),
            }
        };
        Some(state.layout.combos[own].iter().enumerate().map(of_combo).collect())
    }

    fn page(&self, path: &[usize]) -> Page {
        let state = self.state.at(path);
        let street = &self.plan.streets[path.len()];
        Page {
            players: Player::ALL.map(|player| {
                page::of_table(self.isa, &self.plan, street, state, player, self.scales[player.index()])
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
            for (table, orbits) in tables.iter_mut().zip(&*orbits) {
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

    fn set_regrets(&mut self, path: &[usize], regrets: &[Vec<f32>; 2]) {
        let state = self.state.at_mut(path);
        for (player, regrets) in regrets.iter().enumerate() {
            let State { layout, seed, orbits, tables, .. } = &mut *state;
            fill(self.isa, layout, player, (*seed, &orbits[player]), regrets, &mut tables[player].regret);
        }
    }

    fn set_averages(&mut self, path: &[usize], averages: &[Vec<f32>; 2]) {
        let state = self.state.at_mut(path);
        for (player, averages) in averages.iter().enumerate() {
            let State { layout, seed, orbits, tables, .. } = &mut *state;
            fill(self.isa, layout, player, (*seed, &orbits[player]), averages, &mut tables[player].average);
        }
    }

    fn save_averages(&mut self) {
        let Tables { saved, state, arena, .. } = self;
        let mut at = 0;
        state.for_each_average(&mut |average| {
            match saved.get_mut(at) {
                Some(place) => place.copy_from(average),
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

/// Replaces what a player's table has on a board: `[action][combo]`, combos in the order of their numbers.
fn fill<T: Store>(
    isa: Isa,
    layout: &Layout,
    player: usize,
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

    /// Whatever is asked for and when, what is computed is the same; on rivers of more than one list of steps too.
    #[test]
    fn fetching_changes_no_number() {
        let mut config = TreeConfig::new(Street::Flop, Chips::new(100), Chips::new(2000));
        Preset::Standard.apply(&mut config);
        let ranges = ["AA,KQs", "QQ,T9s"].map(|range| range.parse().unwrap());
        let spot = Arc::new(Spot::new(ranges, "Ts9s2h".parse().unwrap(), &config).unwrap());
        let algorithm: Algorithm = "pcfr+".parse().unwrap();
        let mut found: Vec<Vec<Vec<u8>>> = Vec::new();
        for fetching in [Fetching::Never, Fetching::Decisions, Fetching::Programs] {
            let symmetries = spot.symmetries_if(true);
            let needs = algorithm.requirements();
            let args = (&spot, &symmetries[..], Storage::default(), needs, 2, Isa::best());
            let mut tables = Tables::<Plain<Row>, Plain<Row>>::new(args).unwrap();
            assert!(tables.plan.streets[2].programs[0].len() > 1);
            tables.fetching = fetching;
            let train = |t: u32| {
                let coefficients = algorithm.coefficients(t);
                Player::ALL.map(|player| Pass::train(player, t, [&coefficients; 2], [0.5, 1.0], needs))
            };
            let mut passes = (1..=2).flat_map(train).chain(Player::ALL.map(Pass::best_response));
            let mut values = Vec::new();
            tables.run(&mut |last| {
                values.extend(last.map(|last| {
                    last.scaled.iter().flat_map(|row| row.0.map(f32::to_le_bytes)).flatten().collect()
                }));
                passes.next()
            });
            values.extend([&[][..], &[0], &[1], &[0, 0], &[1, 2]].map(|path| tables.table_bytes(path)));
            found.push(values);
        }
        assert!(found[0] == found[1] && found[0] == found[2]);
    }
}
