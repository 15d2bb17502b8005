//! Which bet sizes to drop where a tree is too large.
//!
//! Trees are counted, not built, and with a bound on the work: the search has to end before the reader of its advice gives
//! up. Small trees get the best advice, size by size. For large ones every menu is thinned out.

use std::collections::HashMap;

use equipoise_game::TreeConfig;
use equipoise_postflop::{Options, SpotCount};

/// Nodes that may be walked to choose sizes one by one: some tenths of a second.
const WORK: u64 = 1 << 20;
/// Sizes that are named one by one, unless there is no other way: nobody reads more.
const FEW: usize = 6;
/// Nodes that may be walked for one count while menus are thinned out.
const WORK_OF_ONE: u64 = 1 << 18;
/// What a count costs beside the nodes that it walks.
const WORK_OF_NONE: u64 = 1 << 8;

/// A spot with fewer and fewer sizes, found as far as somebody asks.
pub(crate) struct FewerSizes<'a> {
    whole: &'a SpotCount,
    options: &'a Options,
    limit: u64,
    is_cancelled: &'a dyn Fn() -> bool,
    work_left: u64,
    /// In the order in which sizes go; always the one whose loss saves most.
    steps: Vec<(String, SpotCount)>,
    is_over: bool,
    /// With at most this many sizes in every menu; nothing where that is too large.
    thinned: HashMap<usize, Option<SpotCount>>,
}

impl<'a> FewerSizes<'a> {
    pub(crate) fn new(
        whole: &'a SpotCount,
        options: &'a Options,
        limit: u64,
        is_cancelled: &'a dyn Fn() -> bool,
    ) -> FewerSizes<'a> {
        FewerSizes {
            whole,
            options,
            limit,
            is_cancelled,
            work_left: WORK,
            steps: Vec::new(),
            is_over: false,
            thinned: HashMap::new(),
        }
    }

    /// What to drop, in words, so that it fits with these options, and what it then takes. Where no size is left to drop
    /// and it still does not fit, what comes nearest.
    pub(crate) fn that_fit(&mut self, options: &Options) -> Option<(String, u64)> {
        if self.whole.memory(options).total() <= self.limit {
            return None;
        }
        let mut at = 0;
        loop {
            if at == FEW || (at == self.steps.len() && !self.extend()) {
                if let Some(found) = self.thinned(options) {
                    return Some(found);
                }
                if at == self.steps.len() && !self.extend() {
                    break;
                }
            }
            let total = self.steps[at].1.memory(options).total();
            at += 1;
            if total <= self.limit {
                return Some((self.named(at), total));
            }
        }
        self.steps.last().map(|(_, count)| (self.named(at), count.memory(options).total()))
    }

    /// The first steps, in words.
    fn named(&self, num_steps: usize) -> String {
        let names: Vec<&str> = self.steps[..num_steps].iter().map(|(name, _)| name.as_str()).collect();
        format!("without {}", names.join(", "))
    }

    /// Finds the next size to drop, if one saves anything.
    fn extend(&mut self) -> bool {
        if self.is_over {
            return false;
        }
        let now = self.steps.last().map_or(self.whole, |(_, count)| count).clone();
        let mut best: Option<(String, SpotCount, u64)> = None;
        for (street, size) in now.config().bet_sizes() {
            let smaller = now.config().without_bet_size(street, size);
            if self.work_left == 0 || (self.is_cancelled)() {
                best = None;
                break;
            }
            let Ok(count) = now.with_betting(smaller, self.work_left, self.is_cancelled) else {
                self.work_left = 0;
                continue;
            };
            self.work_left = self.work_left.saturating_sub(WORK_OF_NONE + count.tree().work());
            let total = count.memory(self.options).total();
            if best.as_ref().is_none_or(|(_, _, least)| total < *least) {
                best = Some((format!("'{size}' on the {street}"), count, total));
            }
        }
        let best = best.filter(|(_, _, total)| *total < now.memory(self.options).total());
        self.is_over = best.is_none();
        self.steps.extend(best.map(|(name, count, _)| (name, count)));
        !self.is_over
    }

    /// Every menu with as many sizes as fit.
    fn thinned(&mut self, options: &Options) -> Option<(String, u64)> {
        let (whole, limit, is_cancelled) = (self.whole, self.limit, self.is_cancelled);
        let measure = |most: usize, config: &TreeConfig| {
            let count = self
                .thinned
                .entry(most)
                .or_insert_with(|| whole.with_betting(config.clone(), WORK_OF_ONE, is_cancelled).ok());
            let total = count.as_ref()?.memory(options).total();
            (total <= limit).then_some(total)
        };
        whole.config().thin_out(measure)
    }
}
