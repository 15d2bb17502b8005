//! How far work has come.

use equipoise_equity::Observer;

/// Shows an observer a part of the work as the stretch `from..to` of the whole.
pub(crate) struct Stretch<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Observer for Stretch<'_> {
    fn progress(&self, done: f64) {
        self.observer.progress(self.from + done * (self.to - self.from));
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }
}
