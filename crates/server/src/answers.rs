//! The cache of answers: many clients read the same decisions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use tokio::sync::OnceCell;

use crate::error::ApiError;
use crate::library::locked;

/// The capacity in bytes.
const MOST: usize = 64 << 20;

/// The number of entries from which abandoned ones are removed.
const MANY: usize = 4096;

/// Answers by request; the least recently used are evicted first.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    answers: HashMap<String, Entry>,
    clock: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    cell: Arc<OnceCell<Bytes>>,
    used: u64,
    bytes: usize,
}

impl Answers {
    /// The cached answer, or the one that `find` computes. The same request in the meantime waits for it.
    pub(crate) async fn get(
        &self,
        key: String,
        find: impl Future<Output = Result<Bytes, ApiError>>,
    ) -> Result<Bytes, ApiError> {
        let cell = self.cell(&key);
        let found = cell.get_or_try_init(|| find).await.cloned();
        match &found {
            Ok(bytes) => self.note(&key, &cell, bytes.len()),
            Err(_) => self.forget(&key, &cell),
        }
        found
    }

    fn cell(&self, key: &str) -> Arc<OnceCell<Bytes>> {
        let mut kept = locked(&self.kept);
        kept.clock += 1;
        let clock = kept.clock;
        if let Some(entry) = kept.answers.get_mut(key) {
            entry.used = clock;
            return Arc::clone(&entry.cell);
        }
        if kept.answers.len() > MANY {
            // Requests that were abandoned before there was an answer.
            kept.answers.retain(|_, entry| entry.bytes > 0 || Arc::strong_count(&entry.cell) > 1);
        }
        let cell = Arc::new(OnceCell::new());
        let entry = Entry { cell: Arc::clone(&cell), used: clock, bytes: 0 };
        kept.answers.insert(key.to_owned(), entry);
        cell
    }

    /// Counts a new answer, and evicts others for it.
    fn note(&self, key: &str, cell: &Arc<OnceCell<Bytes>>, bytes: usize) {
        let mut kept = locked(&self.kept);
        match kept.answers.get_mut(key).filter(|entry| Arc::ptr_eq(&entry.cell, cell)) {
            Some(entry) if entry.bytes == 0 => entry.bytes = bytes.max(1),
            _ => return,
        }
        kept.bytes += bytes.max(1);
        while kept.bytes > MOST {
            let oldest =
                kept.answers.iter().filter(|(_, entry)| entry.bytes > 0).min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            let gone = kept.answers.remove(&oldest).map_or(0, |entry| entry.bytes);
            kept.bytes -= gone;
        }
    }

    fn forget(&self, key: &str, cell: &Arc<OnceCell<Bytes>>) {
        let mut kept = locked(&self.kept);
        if kept.answers.get(key).is_some_and(|entry| Arc::ptr_eq(&entry.cell, cell) && entry.bytes == 0) {
            kept.answers.remove(key);
        }
    }
}
