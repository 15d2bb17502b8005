//! Atomic files, memory maps, text within bounds, locks that end with their process, free space on the disk, and checks
//! that no output replaces what should stay.
//!
//! ```
//! use equipoise_files::{Mapped, AtomicFile};
//! use std::io::Write;
//!
//! let path = std::env::temp_dir().join(format!("equipoise-files-{}", std::process::id()));
//! let mut file = AtomicFile::create(&path)?;
//! file.write_all(b"all in")?;
//! assert!(!path.exists());
//! file.finish()?;
//! assert_eq!(Mapped::open(&path)?.bytes(), b"all in");
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod atomic_file;
mod disk;
mod lock;
mod mapped;
mod outputs;
mod text;

pub use atomic_file::AtomicFile;
pub use disk::{report_size_limits, room_for};
pub use lock::FileLock;
pub use mapped::Mapped;
pub use outputs::{FileKind, OutputError, Outputs};
pub use text::{read_text, read_text_from};
