//! Files of solutions among others.

use equipoise_files::FileKind;
use equipoise_postflop::Header;

/// Solutions among other files.
pub const KIND: FileKind = FileKind::new("a solution", Header::begins);
