//! Files mapped into memory: the only place outside `kernel` modules with `unsafe`.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a file, read when they are touched.
#[derive(Debug)]
pub struct Mapped(Mmap);

impl Mapped {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or is no regular file.
    pub fn open(path: &Path) -> io::Result<Mapped> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        #[allow(unsafe_code)]
        // SAFETY: the map is only read, as bytes, for which every value is valid. A map of a file that another program
        // changes at the same time may show either value; one that is cut short ends this program with a signal. Our
        // own files are never changed in place: a new file takes the name of the old one, and the map keeps the old
        // one.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Mapped(map))
    }

    /// Asks for large pages, for a file that is read here and there all over: with small ones nearly every read has to
    /// look up the page first, which doubles the time. Systems without large pages for files ignore it.
    #[must_use]
    pub fn with_large_pages(self) -> Mapped {
        #[cfg(target_os = "linux")]
        // It is only advice.
        let _ = self.0.advise(memmap2::Advice::HugePage);
        self
    }

    /// What is in the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
