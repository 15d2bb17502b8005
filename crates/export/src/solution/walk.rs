//! Through all decisions of a solution: board by board, each before those after it.

use equipoise_cards::Card;
use equipoise_game::{NodeId, NodeKind};
use equipoise_postflop::{BoardStart, BoardView, ReadError, Reader, SolveProgress, ViewDetail};
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;

use super::rows::Rows;
use super::{ExportScope, Visited};
use crate::error::ExportError;

/// Takes the rows of some boards, in their order.
type Take<'a> = dyn FnMut(Vec<Rows>) -> Result<(), ExportError> + 'a;

/// Hands out the rows of everything that the scope says, of the kind that the empty ones are.
pub(super) fn all(
    reader: &Reader,
    scope: &ExportScope,
    empty: &Rows,
    observer: &mut dyn Observer,
    take: &mut Take<'_>,
) -> Result<(), ExportError> {
    if reader.has(scope.until) {
        let progress = Progress::new(observer, num_boards(reader, scope, &scope.runout)?);
        let start = reader.board_start(scope.node, &scope.runout)?;
        return Walk { reader, scope, empty, progress, take }.boards(vec![(start, 1)]);
    }
    scope.visit(reader, &mut |at| {
        if observer.progress(&at.done).is_break() {
            return Err(ExportError::Cancelled);
        }
        take(vec![view(reader, at, empty, observer)?])
    })
}

/// How many boards come from this one on.
fn num_boards(reader: &Reader, scope: &ExportScope, runout: &[Card]) -> Result<u64, ExportError> {
    let mut count = 1;
    if reader.spot().board().cards().len() + runout.len() < scope.until.num_board_cards() {
        for (card, _) in scope.cards(reader, runout)? {
            count += num_boards(reader, scope, &[runout, &[card]].concat())?;
        }
    }
    Ok(count)
}

/// Through pages, where all of them are in the solution.
struct Walk<'a, 'p, 't> {
    reader: &'a Reader,
    scope: &'a ExportScope,
    /// Rows of this kind.
    empty: &'a Rows,
    progress: Progress<'p>,
    take: &'a mut Take<'t>,
}

impl Walk<'_, '_, '_> {
    /// Writes boards after each other, each with how many runouts it stands for and followed by those after it.
    fn boards(&mut self, starts: Vec<(BoardStart, usize)>) -> Result<(), ExportError> {
        // As many as keep all threads busy: what is written does not depend on where they are cut.
        for some in starts.chunks(2 * rayon::current_num_threads()) {
            let (reader, empty, progress) = (self.reader, self.empty, &self.progress);
            let read = |(start, num_runouts): &(BoardStart, usize)| {
                let (view, next) = reader.board_view(start)?;
                progress.advance(1)?;
                Ok((empty.clone().with_board(reader, &view, *num_runouts), next))
            };
            let read: Vec<(Rows, BoardStart)> =
                some.par_iter().map(read).collect::<Result<_, ExportError>>()?;
            if read.iter().all(|(_, next)| next.is_empty()) {
                (self.take)(read.into_iter().map(|(rows, _)| rows).collect())?;
                continue;
            }
            for ((rows, next), (_, num_runouts)) in read.into_iter().zip(some) {
                (self.take)(vec![rows])?;
                let after = self.after(&next, *num_runouts)?;
                self.boards(after)?;
            }
        }
        Ok(())
    }

    /// The boards after one more card, if they are wanted.
    fn after(&self, next: &BoardStart, num_runouts: usize) -> Result<Vec<(BoardStart, usize)>, ExportError> {
        let dealt = self.reader.spot().board().cards().len() + next.runout().len();
        if next.is_empty() || dealt >= self.scope.until.num_board_cards() {
            return Ok(Vec::new());
        }
        let cards = self.scope.cards(self.reader, next.runout())?;
        let deal = |(card, count): (Card, usize)| Some((next.deal(card)?, num_runouts * count));
        Ok(cards.into_iter().filter_map(deal).collect())
    }
}

/// A decision on its own, where some streets are re-solved: each subgame of those is gone through at once.
fn view(
    reader: &Reader,
    at: &Visited<'_>,
    empty: &Rows,
    observer: &mut dyn Observer,
) -> Result<Rows, ExportError> {
    let view = reader.view(&reader.path_to(at.node, at.runout), ViewDetail::Equities, &mut Quiet(observer));
    if observer.is_cancelled() {
        return Err(ExportError::Cancelled);
    }
    Ok(empty.clone().with_board(reader, &BoardView::of_view(&view?), at.num_runouts))
}

/// What is re-solved for one view is too little to be told of, but may be ended.
struct Quiet<'a>(&'a mut dyn Observer);

impl Observer<SolveProgress> for Quiet<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Visits a node and what comes below it; `part` says where its part of the whole work begins, and how large it is.
pub(super) fn below<E: From<ReadError>>(
    reader: &Reader,
    scope: &ExportScope,
    node: NodeId,
    runout: &mut Vec<Card>,
    num_runouts: usize,
    part: (f64, f64),
    visitor: &mut dyn FnMut(&Visited<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let at = reader.spot().tree().node(node);
    let share = |index: usize, count: usize| {
        let size = part.1 / count.max(1) as f64;
        (part.0 + index as f64 * size, size)
    };
    match at.kind() {
        NodeKind::Decision(_) => {
            visitor(&Visited { node, runout, num_runouts, done: part.0 })?;
            for (index, child) in at.children().enumerate() {
                let part = share(index, at.num_children());
                below(reader, scope, child, runout, num_runouts, part, visitor)?;
            }
        }
        NodeKind::Chance if at.street() < scope.until => {
            let Some(next) = at.children().next() else { return Ok(()) };
            let cards = scope.cards(reader, runout)?;
            for (index, &(card, count)) in cards.iter().enumerate() {
                runout.push(card);
                let part = share(index, cards.len());
                below(reader, scope, next, runout, num_runouts * count, part, visitor)?;
                runout.pop();
            }
        }
        _ => {}
    }
    Ok(())
}
