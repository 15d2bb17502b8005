//! What decisions are read from: a saved solution, or a snapshot of a job.

use std::sync::Arc;

use equipoise_cards::Street;
use equipoise_documents::SolutionDocument;
use equipoise_postflop::{Contents, NodePath, Reader};

use crate::error::ApiError;

/// A solution, or a snapshot of one.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Differs for every strategy: the key of cached answers.
    pub(crate) key: String,
    pub(crate) reader: Arc<Reader>,
    pub(crate) solution: SolutionDocument,
    pub(crate) contents: Contents,
}

impl Source {
    /// The last street whose strategies are there; later ones are re-solved when they are viewed.
    pub(crate) fn last_street(&self) -> Street {
        let kept = match self.contents {
            Contents::NoTurn => Street::Flop,
            Contents::NoRiver => Street::Turn,
            _ => Street::River,
        };
        kept.max(self.reader.spot().board().street())
    }

    /// Reads a path and checks that the tree has it; errors say at which character it leaves.
    pub(crate) fn path(&self, text: &str) -> Result<NodePath, ApiError> {
        let path: NodePath = text.parse().map_err(|error: equipoise_postflop::ParsePathError| {
            let at = error.at();
            ApiError::from(error).at_byte(text, at)
        })?;
        self.reader.find(&path).map_err(|error| {
            let at = self.wrong_byte(text);
            ApiError::from(error).at_byte(text, at)
        })?;
        Ok(path)
    }

    /// The byte of the first word that is not in the tree.
    fn wrong_byte(&self, text: &str) -> usize {
        let is_part = |c: char| !c.is_whitespace() && c != '|';
        let mut begin = None;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            match (begin, is_part(c)) {
                (None, true) => begin = Some(at),
                (Some(from), false) => {
                    let path = text[..at].parse::<NodePath>();
                    if path.is_ok_and(|path| self.reader.find(&path).is_err()) {
                        return from;
                    }
                    begin = None;
                }
                _ => {}
            }
        }
        0
    }
}
