//! Files that are there whole or not at all, files mapped into memory, text within bounds, and locks that end with
//! their holder.
//!
//! ```
//! use equipoise_files::{Mapped, WholeFile};
//! use std::io::Write;
//!
//! let path = std::env::temp_dir().join(format!("equipoise-files-{}", std::process::id()));
//! let mut file = WholeFile::create(&path)?;
//! file.write_all(b"all in")?;
//! assert!(!path.exists());
//! file.finish()?;
//! assert_eq!(Mapped::open(&path)?.bytes(), b"all in");
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod lock;
mod mapped;
mod text;
mod whole_file;

pub use lock::Lock;
pub use mapped::Mapped;
pub use text::{read_text, read_text_from};
pub use whole_file::WholeFile;
