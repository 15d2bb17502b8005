//! Boards, the combos of both players on each, and how boards follow each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use equipoise_cards::{Board, Card, Combo, ComboSet, Range, Street, StrengthOrder, SuitPermutation};
use equipoise_game::{PerPlayer, Player};

use crate::bucketed::buckets::Buckets;
use crate::bucketed::error::BucketedError;
use crate::bucketed::real::Real;

/// The combos of one player on a board, on the river weakest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hands<R> {
    /// Combo numbers.
    pub combos: Vec<u16>,
    pub cards: Vec<[u8; 2]>,
    pub weights: Vec<R>,
    /// The place of the same combo in the player's list on the board before; on the root's board its own place.
    pub parents: Vec<u16>,
    /// Where boards that differ from this one by a suit isomorphism are not dealt: the place of the combo's image on each of
    /// them in the player's list on the board before.
    pub images: Vec<Vec<u16>>,
    /// The place of the same combo in the opponent's list on this board, or just behind the list.
    pub same: Vec<u16>,
    /// The row of each combo in the tables of this player and street; in [`StreetDeals`] its place among the rows that are
    /// touched.
    pub buckets: Vec<u32>,
}

impl<R> Hands<R> {
    pub(crate) fn len(&self) -> usize {
        self.combos.len()
    }
}

/// A board and the combos of both players on it.
#[derive(Clone, Debug)]
pub(crate) struct Deal<R> {
    pub board: Board,
    /// Which board of the street before it follows.
    pub parent: usize,
    /// Its probability after that board, given both players' cards, divided by the probability that it is dealt with.
    pub factor: R,
    /// Two names of one list if the ranges are the same.
    pub hands: PerPlayer<Arc<Hands<R>>>,
    /// On the river: by player, the end of each group of equal strength in the own and in the opponent's list.
    pub groups: PerPlayer<Vec<[u16; 2]>>,
}

impl<R> Deal<R> {
    pub(crate) fn hands(&self, player: Player) -> &Hands<R> {
        &self.hands[player]
    }
}

/// The boards of a street that are dealt together.
#[derive(Clone, Debug)]
pub(crate) struct StreetDeals<R> {
    pub deals: Vec<Deal<R>>,
    /// The rows that the combos of each player touch in its tables, in the order in which they come. Buckets of hands are
    /// places in this list.
    pub rows: PerPlayer<Arc<[u32]>>,
}

impl<R: Real> StreetDeals<R> {
    /// Deals whose hands have rows, of tables with this many rows, which become places.
    pub(crate) fn new(mut deals: Vec<Deal<R>>, num_rows: &PerPlayer<BucketRows>) -> StreetDeals<R> {
        let is_shared =
            deals.iter().all(|deal| Arc::ptr_eq(&deal.hands[Player::Oop], &deal.hands[Player::Ip]));
        let mut lists: PerPlayer<Vec<u32>> = PerPlayer::new(Vec::new(), Vec::new());
        for player in if is_shared { &Player::ALL[..1] } else { &Player::ALL[..] } {
            let mut places = vec![u32::MAX; num_rows[*player].len()];
            let rows = &mut lists[*player];
            for deal in &mut deals {
                if is_shared {
                    // One owner at a time may change it.
                    deal.hands[Player::Ip] = Arc::default();
                }
                let hands = Arc::make_mut(&mut deal.hands[*player]);
                for bucket in &mut hands.buckets {
                    let place = &mut places[*bucket as usize];
                    if *place == u32::MAX {
                        *place = rows.len() as u32;
                        rows.push(*bucket);
                    }
                    *bucket = *place;
                }
                if is_shared {
                    deal.hands[Player::Ip] = Arc::clone(&deal.hands[Player::Oop]);
                }
            }
        }
        let [oop, ip] = lists.into_array();
        let oop: Arc<[u32]> = oop.into();
        let ip = if is_shared { Arc::clone(&oop) } else { ip.into() };
        StreetDeals { deals, rows: PerPlayer::new(oop, ip) }
    }
}

impl<R> StreetDeals<R> {
    /// The most combos that a player has on any of the boards.
    pub(crate) fn most_combos(&self, player: Player) -> usize {
        self.deals.iter().map(|deal| deal.hands(player).len()).max().unwrap_or(0)
    }
}

/// Which row of its tables a player uses for a bucket of a street.
#[derive(Clone, Debug)]
pub(crate) enum BucketRows {
    /// The number of the bucket, below this one.
    Global(usize),
    /// Buckets that the range has, in the order of their first combo.
    Counted(BTreeMap<u32, u32>),
}

impl BucketRows {
    pub(crate) fn len(&self) -> usize {
        match self {
            BucketRows::Global(count) => *count,
            BucketRows::Counted(rows) => rows.len(),
        }
    }

    /// Gives a row to every bucket of a range on a board.
    pub(crate) fn count(&mut self, range: &Range, board: &Board, of_board: &[u32]) {
        let BucketRows::Counted(rows) = self else { return };
        for (combo, _) in range.iter().filter(|(combo, _)| !combo.cards().intersects(board.set())) {
            let next = rows.len() as u32;
            rows.entry(of_board[combo.index()]).or_insert(next);
        }
    }

    fn row(&self, street: Street, bucket: u32) -> Result<u32, BucketedError> {
        let row = match self {
            BucketRows::Global(count) => Some(bucket).filter(|&bucket| (bucket as usize) < *count),
            BucketRows::Counted(rows) => rows.get(&bucket).copied(),
        };
        row.ok_or(BucketedError::UnknownBucket { street, bucket })
    }
}

/// What deals are made of: ranges and buckets.
pub(crate) struct Dealer<'a> {
    pub ranges: &'a PerPlayer<Range>,
    /// What each player sees of its cards.
    pub buckets: PerPlayer<&'a dyn Buckets>,
    /// Whether both see the same.
    pub has_same_buckets: bool,
    /// By street.
    pub rows: &'a [PerPlayer<BucketRows>; 4],
}

impl<'a> Dealer<'a> {
    /// Both players see the same buckets.
    pub(crate) fn of_one(
        ranges: &'a PerPlayer<Range>,
        buckets: &'a dyn Buckets,
        rows: &'a [PerPlayer<BucketRows>; 4],
    ) -> Dealer<'a> {
        Dealer { ranges, buckets: PerPlayer::new(buckets, buckets), has_same_buckets: true, rows }
    }

    /// The boards of a street together.
    pub(crate) fn street<R: Real>(&self, deals: Vec<Deal<R>>) -> StreetDeals<R> {
        let street = deals.first().map_or(Street::Preflop, |deal| deal.board.street());
        StreetDeals::new(deals, &self.rows[street as usize])
    }

    /// The deal of a board that follows another, or of the root's board.
    pub(crate) fn deal<R: Real>(
        &self,
        board: Board,
        before: Option<(usize, &Deal<R>)>,
        factor: f64,
    ) -> Result<Deal<R>, BucketedError> {
        self.deal_for(board, before, factor, &[])
    }

    /// [`deal`](Dealer::deal) that stands for its images under suit isomorphisms too, which leave the board before as it
    /// is. Ranges and buckets must be the same under them.
    pub(crate) fn deal_for<R: Real>(
        &self,
        board: Board,
        before: Option<(usize, &Deal<R>)>,
        factor: f64,
        images: &[SuitPermutation],
    ) -> Result<Deal<R>, BucketedError> {
        let [oop, ip] = self.ranges.as_ref().into_array();
        let parents = PerPlayer::from_fn(|player| before.map(|(_, deal)| deal.hands(player)));
        let (order, ends) = in_order(&board);
        let list = |player: Player| {
            let rows = &self.rows[board.street() as usize][player];
            let of_board = self.buckets[player].of_board(&board)?;
            hands(&self.ranges[player], &board, &order, parents[player], images, |combo| {
                rows.row(board.street(), of_board[combo])
            })
        };
        let is_global = matches!(self.rows[1][Player::Oop], BucketRows::Global(_));
        let is_shared = self.has_same_buckets && oop == ip && is_global;
        let mut first = list(Player::Oop)?;
        let (hands, groups) = if is_shared {
            first.same = (0..first.len() as u16).collect();
            let groups: Vec<_> = ends.iter().map(|&end| [end, end]).collect();
            let first = Arc::new(first);
            (PerPlayer::new(Arc::clone(&first), first), PerPlayer::new(groups.clone(), groups))
        } else {
            let mut second = list(Player::Ip)?;
            first.same = same(&first.combos, &second.combos);
            second.same = same(&second.combos, &first.combos);
            let groups = groups(&order, &ends, &first.combos, &second.combos);
            let turned = groups.iter().map(|&[own, other]| [other, own]).collect();
            (PerPlayer::new(Arc::new(first), Arc::new(second)), PerPlayer::new(groups, turned))
        };
        let parent = before.map_or(0, |(parent, _)| parent);
        Ok(Deal { board, parent, factor: R::of(factor), hands, groups })
    }
}

/// The live combos of a board in order of strength with the ends of groups; before the river by number, without groups.
fn in_order(board: &Board) -> (Vec<u16>, Vec<u16>) {
    let Ok(cards) = <[Card; 5]>::try_from(board.cards()) else {
        let live = Combo::all().filter(|combo| !combo.cards().intersects(board.set()));
        return (live.map(|combo| combo.index() as u16).collect(), Vec::new());
    };
    let mut order = StrengthOrder::default();
    order.fill(cards, &ComboSet::full());
    let mut end = 0;
    let ends = order.groups().map(|(group, _)| {
        end += group.len() as u16;
        end
    });
    let ends = ends.collect();
    (order.combos().to_vec(), ends)
}

fn hands<R: Real>(
    range: &Range,
    board: &Board,
    order: &[u16],
    before: Option<&Hands<R>>,
    images: &[SuitPermutation],
    row: impl Fn(usize) -> Result<u32, BucketedError>,
) -> Result<Hands<R>, BucketedError> {
    let weights = range.weights();
    let combos: Vec<u16> = order.iter().copied().filter(|&combo| weights[usize::from(combo)] > 0.0).collect();
    let mut places = vec![0; Combo::COUNT];
    let list = before.map_or(&combos, |before| &before.combos);
    list.iter().zip(0..).for_each(|(&combo, place)| places[usize::from(combo)] = place);
    let cards = |&combo: &u16| {
        let combo = Combo::from_index(combo.into()).expect("it is one of 1,326");
        [combo.low().id(), combo.high().id()]
    };
    let image_places = |suits: &SuitPermutation| {
        let image = |&combo: &u16| {
            let combo = Combo::from_index(combo.into()).expect("it is one of 1,326");
            places[suits.map_combo(combo).index()]
        };
        combos.iter().map(image).collect()
    };
    debug_assert!(board.street() == Street::Preflop || combos.len() < Combo::COUNT);
    Ok(Hands {
        cards: combos.iter().map(cards).collect(),
        weights: combos.iter().map(|&combo| R::of(weights[usize::from(combo)].into())).collect(),
        parents: combos.iter().map(|&combo| places[usize::from(combo)]).collect(),
        images: images.iter().map(image_places).collect(),
        same: Vec::new(),
        buckets: combos.iter().map(|&combo| row(combo.into())).collect::<Result<_, _>>()?,
        combos,
    })
}

/// For each combo of a list its place in another one, or just behind that.
fn same(list: &[u16], other: &[u16]) -> Vec<u16> {
    let mut places = vec![other.len() as u16; Combo::COUNT];
    other.iter().zip(0..).for_each(|(&combo, place)| places[usize::from(combo)] = place);
    list.iter().map(|&combo| places[usize::from(combo)]).collect()
}

/// The ends of groups of equal strength in two lists that are parts of one.
fn groups(order: &[u16], ends: &[u16], first: &[u16], second: &[u16]) -> Vec<[u16; 2]> {
    let [mut at, mut start] = [[0_u16; 2], [0; 2]];
    let mut groups = Vec::new();
    let mut combo = 0;
    for &end in ends {
        while combo < usize::from(end) {
            for (at, list) in at.iter_mut().zip([first, second]) {
                *at += u16::from(list.get(usize::from(*at)) == Some(&order[combo]));
            }
            combo += 1;
        }
        if at != start {
            groups.push(at);
            start = at;
        }
    }
    groups
}
