//! Through all decisions of a solution: board by board, each before those after it.

use equipoise_cards::Card;
use equipoise_equity::{Observer, Progress};
use equipoise_game::{NodeId, NodeKind};
use equipoise_postflop::{self as postflop, Reader, Sheet, SheetStart, Verdict};
use rayon::prelude::*;

use super::ExportScope;
use super::rows::Rows;
use crate::error::ReportError;

/// Takes the rows of some boards, in their order.
type Take<'a> = dyn FnMut(Vec<Rows>) -> Result<(), ReportError> + 'a;

/// Hands out the rows of everything that the scope says, of the kind that the empty ones are.
pub(super) fn all(
    reader: &Reader,
    scope: &ExportScope,
    empty: &Rows,
    observer: &dyn Observer,
    take: &mut Take<'_>,
) -> Result<(), ReportError> {
    if reader.has(scope.until) {
        let progress = Progress::new(observer, num_boards(reader, scope, &scope.runout)?);
        let start = reader.sheet_start(scope.node, &scope.runout)?;
        return Walk { reader, scope, empty, progress, take }.boards(vec![(start, 1)]);
    }
    let mut walk = Views { reader, scope, empty, observer, take };
    walk.below(scope.node, &mut scope.runout.clone(), 1, (0.0, 1.0))
}

/// How many boards come from this one on.
fn num_boards(reader: &Reader, scope: &ExportScope, runout: &[Card]) -> Result<u64, ReportError> {
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
    fn boards(&mut self, starts: Vec<(SheetStart, usize)>) -> Result<(), ReportError> {
        // As many as keep all threads busy: what is written does not depend on where they are cut.
        for some in starts.chunks(2 * rayon::current_num_threads()) {
            let (reader, empty, progress) = (self.reader, self.empty, &self.progress);
            let read = |(start, num_runouts): &(SheetStart, usize)| {
                let (sheet, next) = reader.sheet(start)?;
                progress.advance(1)?;
                Ok((empty.clone().with_sheet(reader, &sheet, *num_runouts), next))
            };
            let read: Vec<(Rows, SheetStart)> =
                some.par_iter().map(read).collect::<Result<_, ReportError>>()?;
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
    fn after(&self, next: &SheetStart, num_runouts: usize) -> Result<Vec<(SheetStart, usize)>, ReportError> {
        let dealt = self.reader.spot().board().cards().len() + next.runout().len();
        if next.is_empty() || dealt >= self.scope.until.num_board_cards() {
            return Ok(Vec::new());
        }
        let cards = self.scope.cards(self.reader, next.runout())?;
        let deal = |(card, count): (Card, usize)| Some((next.deal(card)?, num_runouts * count));
        Ok(cards.into_iter().filter_map(deal).collect())
    }
}

/// Decision by decision, where some streets are solved again: each part of those is gone through at once.
struct Views<'a, 't> {
    reader: &'a Reader,
    scope: &'a ExportScope,
    /// Rows of this kind.
    empty: &'a Rows,
    observer: &'a dyn Observer,
    take: &'a mut Take<'t>,
}

impl Views<'_, '_> {
    /// Writes a node and what comes below it; `part` is the part of the whole work that it is, and where that begins.
    fn below(
        &mut self,
        node: NodeId,
        runout: &mut Vec<Card>,
        num_runouts: usize,
        part: (f64, f64),
    ) -> Result<(), ReportError> {
        let at = self.reader.spot().tree().node(node);
        let share = |index: usize, count: usize| {
            let size = part.1 / count.max(1) as f64;
            (part.0 + index as f64 * size, size)
        };
        match at.kind() {
            NodeKind::Decision(_) => {
                self.observer.progress(part.0);
                self.decision(node, runout, num_runouts)?;
                for (index, child) in at.children().enumerate() {
                    self.below(child, runout, num_runouts, share(index, at.num_children()))?;
                }
            }
            NodeKind::Chance if at.street() < self.scope.until => {
                let Some(next) = at.children().next() else { return Ok(()) };
                let cards = self.scope.cards(self.reader, runout)?;
                for (index, &(card, count)) in cards.iter().enumerate() {
                    runout.push(card);
                    self.below(next, runout, num_runouts * count, share(index, cards.len()))?;
                    runout.pop();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn decision(&mut self, node: NodeId, runout: &[Card], num_runouts: usize) -> Result<(), ReportError> {
        let observer = self.observer;
        let mut watch = |_: &postflop::Progress| {
            if observer.is_cancelled() { Verdict::Stop } else { Verdict::Continue }
        };
        let path = self.reader.path_to(node, runout);
        let view = self.reader.view_with(&path, &mut watch);
        if observer.is_cancelled() {
            return Err(ReportError::Cancelled);
        }
        let sheet = Sheet::of_view(&view?);
        (self.take)(vec![self.empty.clone().with_sheet(self.reader, &sheet, num_runouts)])
    }
}
