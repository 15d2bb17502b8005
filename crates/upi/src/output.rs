//! Where answers and messages go.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes whole messages, each ended by a newline.
pub type Sink = Box<dyn FnMut(&str) -> io::Result<()> + Send>;

/// Messages of commands and of the solver, one after another, never one inside another.
pub(crate) struct Output {
    state: Mutex<State>,
}

struct State {
    sink: Sink,
    end: Option<String>,
    is_closed: bool,
}

impl Output {
    pub(crate) fn new(sink: Sink) -> Output {
        Output { state: Mutex::new(State { sink, end: None, is_closed: false }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The string that ends answers from now on.
    pub(crate) fn set_end(&self, end: Option<String>) {
        self.state().end = end;
    }

    /// An answer, or a message of several lines: the end string follows.
    pub(crate) fn answer(&self, text: &str) {
        let mut state = self.state();
        let mut message = text.to_owned();
        if !message.is_empty() && !message.ends_with('\n') {
            message.push('\n');
        }
        if let Some(end) = &state.end {
            message.push_str(end);
            message.push('\n');
        }
        state.put(&message);
    }

    /// A line that is no answer: no end string follows.
    pub(crate) fn line(&self, text: &str) {
        self.state().put(&format!("{text}\n"));
    }

    /// Whether the sink has failed.
    pub(crate) fn is_closed(&self) -> bool {
        self.state().is_closed
    }
}

impl State {
    fn put(&mut self, message: &str) {
        if !self.is_closed && !message.is_empty() {
            self.is_closed = (self.sink)(message).is_err();
        }
    }
}
