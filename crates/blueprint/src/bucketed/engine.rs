//! The traversal: packs of betting lines, street by street, down and up again.

use std::num::NonZeroUsize;
use std::sync::Arc;

use equipoise_cards::{BlockerSums, Combo, Street};
use equipoise_cfr::{Algorithm, Requirements, Scheme};
use equipoise_game::{PerPlayer, Player};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bucketed::all_in::ClassAllIns;
use crate::bucketed::betting::{Betting, Line, Shape, StepKind, next_first};
use crate::bucketed::deal::StreetDeals;
use crate::bucketed::error::BucketedError;
use crate::bucketed::kernel::Isa;
use crate::bucketed::pack::{
    Frequency, LaneId, MOST_LANES, Origin, PackParts, Packs, Pass, Purpose, StreetPack,
};
use crate::bucketed::real::Real;
use crate::bucketed::table::Iteration;
use crate::bucketed::touched::{History, TouchedRows};

/// Lines of one shape that share a pack.
#[derive(Clone, Debug)]
pub(crate) struct PackLayout {
    pub shape: Arc<Shape>,
    pub lines: Vec<Line>,
    origins: Vec<Origin>,
}

/// The packs of a game: what takes memory, before any is taken.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub betting: Betting,
    /// The root's street first.
    pub streets: Vec<(Street, Vec<PackLayout>)>,
}

impl Layout {
    /// Groups the betting lines of each street by shape.
    pub(crate) fn new(betting: Betting, root: Street) -> Layout {
        let mut streets: Vec<(Street, Vec<PackLayout>)> = Vec::new();
        let mut firsts: Vec<(usize, Option<Origin>)> = vec![(0, None)];
        for &street in &Street::ALL[root as usize..] {
            let packs = packs(&betting, street, &firsts);
            firsts = Vec::new();
            for (number, pack) in packs.iter().enumerate() {
                let chances = pack.shape.steps.iter().enumerate();
                for (step, at) in chances.filter(|(_, at)| at.kind == StepKind::Chance) {
                    for (lane, line) in pack.lines.iter().enumerate() {
                        let from = LaneId { pack: number, lane };
                        let first = next_first(&betting, line.nodes[step]);
                        firsts.push((first, Some(Origin { from, chance: at.number })));
                    }
                }
            }
            streets.push((street, packs));
            if firsts.is_empty() {
                break;
            }
        }
        Layout { betting, streets }
    }

    /// The bytes that training takes in numbers of four bytes: for every row regrets, averages and perhaps the last instant regrets,
    /// and for every row that a batch of boards can touch strategies and sums.
    pub(crate) fn training_bytes(
        &self,
        num_buckets: &[PerPlayer<usize>; 4],
        batch: usize,
        has_last: bool,
    ) -> u64 {
        let touched = num_buckets.map(|rows| rows.map(|rows| rows.min(batch * Combo::COUNT)));
        let tables = if has_last { 12 } else { 8 };
        tables * self.num_entries(num_buckets) + 8 * self.num_entries(&touched)
    }

    /// How many entries the tables have on all streets, unused lanes included.
    pub(crate) fn num_entries(&self, num_buckets: &[PerPlayer<usize>; 4]) -> u64 {
        let of_pack = |street: Street, pack: &PackLayout| {
            let lanes = lanes(pack.lines.len()) as u64;
            let of_choice = |(player, actions)| (actions * num_buckets[street as usize][player]) as u64;
            lanes * pack.shape.choices().map(of_choice).sum::<u64>()
        };
        let packs = self.streets.iter().flat_map(|(street, packs)| packs.iter().map(|pack| (*street, pack)));
        packs.map(|(street, pack)| of_pack(street, pack)).sum()
    }
}

/// How many lanes the pack of this many lines has.
pub(crate) fn lanes(num_lines: usize) -> usize {
    match num_lines {
        1 => 1,
        2..=4 => 4,
        _ => MOST_LANES,
    }
}

/// Packs of the lines that begin with these nodes, in the order of their first line; the most work first.
fn packs(betting: &Betting, street: Street, firsts: &[(usize, Option<Origin>)]) -> Vec<PackLayout> {
    let mut packs: Vec<PackLayout> = Vec::new();
    for &(first, origin) in firsts {
        let (shape, line) = Shape::of_line(betting, first, street);
        let place = packs.iter_mut().find(|pack| pack.lines.len() < MOST_LANES && *pack.shape == shape);
        match place {
            Some(pack) => {
                pack.lines.push(line);
                pack.origins.extend(origin);
            }
            None => packs.push(PackLayout {
                shape: Arc::new(shape),
                lines: vec![line],
                origins: origin.into_iter().collect(),
            }),
        }
    }
    packs.sort_by_key(|pack| std::cmp::Reverse(pack.shape.steps.len() * lanes(pack.lines.len())));
    packs
}

/// Where a decision is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Counted from the root's street.
    pub street: usize,
    pub at: LaneId,
    pub step: usize,
}

/// The tables of a game, and passes over boards.
pub(crate) struct Engine<R> {
    pub betting: Betting,
    /// The root's street first.
    pub streets: Vec<Packs<R>>,
    /// By node: where it is found if it is a decision.
    places: Vec<Option<Place>>,
    /// When rows were last touched.
    history: History,
    isa: Isa,
    pool: ThreadPool,
}

/// An iteration that has begun: its coefficients, and by street the rows that its boards touch.
pub(crate) struct Begun<R> {
    iteration: Iteration,
    rows: Vec<PerPlayer<TouchedRows<R>>>,
}

impl<R: Real> Engine<R> {
    /// Tables before the first iteration; without requirements of an algorithm, strategies to be played.
    pub(crate) fn new(
        layout: Layout,
        num_buckets: &[PerPlayer<usize>; 4],
        needs: Option<Requirements>,
        threads: Option<NonZeroUsize>,
    ) -> Result<Engine<R>, BucketedError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).build();
        let pool = pool.map_err(|error| BucketedError::Threads { reason: error.to_string() })?;
        let Layout { betting, streets: layouts } = layout;
        let mut places = vec![None; betting.nodes.len()];
        let of_street = |(street, _): &(Street, Vec<PackLayout>)| num_buckets[*street as usize];
        let num_rows = layouts.iter().map(of_street).filter(|_| needs.is_some());
        let history = History::new(num_rows);
        let mut streets: Vec<Packs<R>> = Vec::new();
        for (number, (street, packs)) in layouts.into_iter().enumerate() {
            if let Some(above) = streets.last_mut() {
                set_children(above, &packs);
            }
            for (pack, layout) in packs.iter().enumerate() {
                for (lane, line) in layout.lines.iter().enumerate() {
                    for (step, at) in layout.shape.steps.iter().enumerate() {
                        if matches!(at.kind, StepKind::Decision(_)) {
                            let at = LaneId { pack, lane };
                            places[line.nodes[step]] = Some(Place { street: number, at, step });
                        }
                    }
                }
            }
            let all_ins = (street == Street::Preflop).then(|| Arc::new(ClassAllIns::new()));
            let build = |layout: PackLayout| {
                let parts = PackParts {
                    betting: &betting,
                    shape: layout.shape,
                    lines: layout.lines,
                    origins: layout.origins,
                    num_buckets: num_buckets[street as usize],
                    needs,
                    all_ins: all_ins.clone(),
                };
                parts.pack()
            };
            streets.push(packs.into_iter().map(build).collect());
        }
        Ok(Engine { betting, streets, places, history, isa: Isa::detect(), pool })
    }

    /// Does something on the threads of the engine.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Where a decision is found; `None` if nobody acts at the node.
    pub(crate) fn place(&self, node: usize) -> Option<Place> {
        self.places.get(node).copied().flatten()
    }

    /// The average strategy of a bucket at a decision.
    pub(crate) fn average_of(&self, place: Place, bucket: u32) -> Vec<f64> {
        self.streets[place.street][place.at.pack].average_of(place.step, bucket, place.at.lane)
    }

    /// How often a bucket takes an action in the average strategy of a decision.
    pub(crate) fn average_frequency(&self, place: Place, action: usize, bucket: usize) -> f64 {
        let pack = &self.streets[place.street][place.at.pack];
        pack.average_frequency(place.step, action, bucket, place.at.lane)
    }

    /// How many buckets the player at a decision has.
    pub(crate) fn num_buckets_at(&self, place: Place) -> usize {
        self.streets[place.street][place.at.pack].num_buckets(place.step)
    }

    /// What training changes, in pieces that always come in the same order.
    pub(crate) fn visit_state(&mut self, visit: &mut dyn FnMut(&mut [R])) {
        self.streets.iter_mut().flatten().for_each(|pack| pack.visit_state(visit));
    }

    /// When rows were last touched, in pieces that always come in the same order: the rest of what training changes.
    pub(crate) fn visit_history(&mut self, visit: &mut dyn FnMut(&mut [u32])) {
        self.history.pieces().for_each(visit);
    }

    /// One pass for one player over the boards; the value of the whole range.
    pub(crate) fn pass(&mut self, own: Player, purpose: Purpose, deals: &[StreetDeals<R>]) -> f64 {
        self.sweep(own, purpose, deals, 0);
        let values = self.streets[0][0].values(0);
        let weights = &deals[0].deals[0].hands(own).weights;
        let value = |(value, weight): (&R, &R)| value.to_f64() * weight.to_f64();
        values.numbers.iter().step_by(values.lanes).zip(weights).map(value).sum()
    }

    /// One pass for one player that ends where the street after the root's begins: for each chance step of the root's
    /// street the values of all combos of the root's board.
    pub(crate) fn entry_values(
        &mut self,
        own: Player,
        purpose: Purpose,
        deals: &[StreetDeals<R>],
    ) -> Vec<Vec<f64>> {
        self.sweep(own, purpose, deals, 1);
        let of_line = |lane: LaneId| {
            let values = self.streets[1][lane.pack].values(0);
            values.numbers[lane.lane..].iter().step_by(values.lanes).map(|value| value.to_f64()).collect()
        };
        self.streets[0][0].children().iter().map(|lanes| of_line(lanes[0])).collect()
    }

    /// Down to the last street and up again to one of the first.
    fn sweep(&mut self, own: Player, purpose: Purpose, deals: &[StreetDeals<R>], first: usize) {
        let pass = Pass { own, purpose, isa: self.isa };
        let Engine { streets, pool, .. } = self;
        let last = streets.len() - 1;
        pool.install(|| {
            for (street, deals) in deals[..last].iter().enumerate() {
                let (above, here) = streets.split_at_mut(street);
                let above = above.last().map_or(&[][..], |packs| packs);
                here[0].par_iter_mut().with_max_len(1).for_each(|pack| pack.down(&pass, deals, above));
            }
            for street in (first..=last).rev() {
                let (above, here) = streets.split_at_mut(street);
                let (here, below) = here.split_at_mut(1);
                let neighbours = [above.last(), below.first()];
                let neighbours = neighbours.map(|packs| packs.map_or(&[][..], |packs| packs));
                let parents = street.checked_sub(1).map(|parent| &deals[parent]);
                here[0]
                    .par_iter_mut()
                    .with_max_len(1)
                    .for_each(|pack| pack.up(&pass, &deals[street], parents, neighbours));
            }
        });
    }

    /// Begins an iteration, counted from 1: makes the strategies of the rows that its boards touch.
    pub(crate) fn begin(&mut self, t: u32, algorithm: &Algorithm, deals: &[StreetDeals<R>]) -> Begun<R> {
        let (now, next) = (algorithm.coefficients(t), algorithm.coefficients(t + 1));
        let iteration = Iteration { now, next, needs: algorithm.requirements() };
        let rows = self.history.touch(&deals[..self.streets.len()], t, algorithm);
        let isa = self.isa;
        self.for_each_pack(|street, pack| pack.begin(&rows[street], &iteration, isa));
        Begun { iteration, rows }
    }

    /// Updates the tables after a player's training pass.
    pub(crate) fn update(&mut self, own: Player, begun: &Begun<R>) {
        let isa = self.isa;
        self.for_each_pack(|street, pack| pack.update(own, &begun.rows[street], &begun.iteration, isa));
    }

    /// Loads the average strategies of the rows that boards touch, to be played on them.
    pub(crate) fn load_averages(&mut self, deals: &[StreetDeals<R>]) {
        let isa = self.isa;
        self.for_each_pack(|street, pack| pack.load_averages(&deals[street].rows, isa));
    }

    /// Loads the strategies of the rows that boards touch, by node, action and row, to be played on them.
    pub(crate) fn load(&mut self, deals: &[StreetDeals<R>], frequency: &Frequency<'_>) {
        self.for_each_pack(|street, pack| pack.load(&deals[street].rows, frequency));
    }

    fn for_each_pack(&mut self, work: impl Fn(usize, &mut dyn StreetPack<R>) + Send + Sync) {
        let Engine { streets, pool, .. } = self;
        let mut packs: Vec<_> = streets
            .iter_mut()
            .enumerate()
            .flat_map(|(street, packs)| packs.iter_mut().map(move |pack| (street, pack)))
            .collect();
        pool.install(|| {
            packs.par_iter_mut().with_max_len(1).for_each(|(street, pack)| work(*street, pack.as_mut()));
        });
    }
}

/// Tells packs where their lines go on.
fn set_children<R>(above: &mut Packs<R>, below: &[PackLayout]) {
    let mut children: Vec<Vec<Vec<LaneId>>> = above
        .iter()
        .map(|pack| {
            let nowhere = LaneId { pack: usize::MAX, lane: 0 };
            vec![vec![nowhere; pack.lines().len()]; pack.shape().num_chances]
        })
        .collect();
    for (pack, layout) in below.iter().enumerate() {
        for (lane, origin) in layout.origins.iter().enumerate() {
            children[origin.from.pack][origin.chance][origin.from.lane] = LaneId { pack, lane };
        }
    }
    for (pack, children) in above.iter_mut().zip(children) {
        pack.set_children(children);
    }
}

/// The weight of all pairs of combos that share no card.
pub(crate) fn num_matchups<R: Real>(root: &StreetDeals<R>) -> f64 {
    let [oop, ip] = root.deals[0].hands.as_ref().into_array();
    let combo = |number: u16| Combo::from_index(usize::from(number)).expect("lists hold combo numbers");
    let mut reach = [0.0; Combo::COUNT];
    let mut sums = BlockerSums::default();
    for (&number, weight) in ip.combos.iter().zip(&ip.weights) {
        reach[usize::from(number)] = weight.to_f64();
        sums.add(combo(number), weight.to_f64());
    }
    let own = oop.combos.iter().zip(&oop.weights);
    own.map(|(&number, weight)| weight.to_f64() * sums.matchups(combo(number), reach[usize::from(number)]))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bucketed::buckets::{Buckets, Lossless};
    use crate::bucketed::chance::{all_boards, count_buckets, drawn_boards, next_boards};
    use crate::bucketed::deal::{BucketRows, Dealer};
    use equipoise_cards::{Board, Strength};
    use equipoise_game::{Chips, StreetMenus, TreeConfig};
    use equipoise_postflop::Spot;

    fn spot() -> Spot {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(260));
        let menus = StreetMenus::same("60%, a".parse().unwrap(), "3x, a".parse().unwrap());
        (config.turn, config.river) = (menus.clone(), menus);
        let ranges = ["22+,A2s+,K9s+,QTo+", "44+,A5s+,KTo+,98s,76s:0.5"];
        Spot::new(ranges.map(|range| range.parse().unwrap()), "Td9d6hQc".parse().unwrap(), &config).unwrap()
    }

    /// The sums of a pass from the uniform strategy over some boards.
    fn sums(buckets: &dyn Buckets, river: Option<Board>) -> Vec<f64> {
        let spot = spot();
        let ranges = spot.ranges().clone();
        let layout = Layout::new(Betting::of_tree(spot.tree()), Street::Turn);
        let rows = count_buckets(&ranges, buckets, *spot.board(), 2).unwrap();
        let num_buckets = rows.each_ref().map(|rows| rows.as_ref().map(BucketRows::len));
        let algorithm: Algorithm = "dcfr".parse().unwrap();
        let needs = algorithm.requirements();
        let mut engine = Engine::<f64>::new(layout, &num_buckets, Some(needs), None).unwrap();
        let dealer = Dealer::of_one(&ranges, buckets, &rows);
        let deals = match river {
            None => all_boards(&dealer, *spot.board(), 2).unwrap(),
            Some(river) => drawn_boards(&dealer, *spot.board(), &[river], 2).unwrap(),
        };
        engine.begin(1, &algorithm, &deals);
        Player::ALL.into_iter().for_each(|own| {
            engine.pass(own, Purpose::Train, &deals);
        });
        let streets = engine.streets.iter().zip(&deals);
        streets.flat_map(|(packs, deals)| packs.iter().flat_map(|pack| pack.sums(&deals.rows))).collect()
    }

    /// Test 6 of subgame solving, its first part.
    #[test]
    fn test_6_the_mean_of_one_river_updates_is_the_full_update() {
        let coarse = |combo: Combo, board: &Board| match Strength::of(combo.cards() | board.set()) {
            Some(strength) if board.street() == Street::River => strength.category() as u32,
            _ => combo.high().rank().index() as u32,
        };
        for buckets in [&coarse as &dyn Buckets, &Lossless] {
            let full = sums(buckets, None);
            let mut mean = vec![0.0; full.len()];
            let rivers: Vec<Board> = next_boards(spot().board()).collect();
            assert_eq!(rivers.len(), 48);
            for river in &rivers {
                let one = sums(buckets, Some(*river));
                mean.iter_mut().zip(one).for_each(|(mean, one)| *mean += one / 48.0);
            }
            let largest = full.iter().copied().fold(0.0, f64::max);
            assert!(largest > 1.0);
            for (full, mean) in full.iter().zip(&mean) {
                assert!((full - mean).abs() < 1e-9 * largest, "{full} {mean}");
            }
        }
    }

    /// Runouts of the flop and of the turn go on as lines without decisions; every line has one origin and one place.
    #[test]
    fn every_line_has_its_lane() {
        let layout = Layout::new(Betting::of_tree(spot().tree()), Street::Turn);
        let lines =
            |street: usize| layout.streets[street].1.iter().map(|pack| pack.lines.len()).sum::<usize>();
        let chances: usize =
            layout.streets[0].1.iter().map(|pack| pack.shape.num_chances * pack.lines.len()).sum();
        assert_eq!((layout.streets.len(), lines(0), lines(1)), (2, 1, chances));
        let packed = layout.streets[1].1.iter().filter(|pack| pack.lines.len() > 1).count();
        assert!(packed > 0);
    }
}
