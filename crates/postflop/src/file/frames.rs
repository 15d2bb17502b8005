//! Compressed frames on their way to the disk, while the next ones are being made.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::mpsc;

use equipoise_files::AtomicFile;
use twox_hash::XxHash3_64;

/// Place, length, length before compression and checksum (XXH3, 64 bits) of the compressed bytes.
pub(crate) type Frame = (u64, u64, u64, u64);

/// A compressed frame and its length before.
#[derive(Debug)]
pub(crate) struct Packed {
    pub bytes: Vec<u8>,
    pub unpacked: usize,
}

/// Bytes after which the disk is waited for. What it has taken need not be waited for in the end.
const SETTLED: u64 = 16 << 20;
/// Lots of frames that may wait for the disk.
const WAITING: usize = 2;

/// A file of frames that is there whole or not at all.
#[derive(Debug)]
pub(crate) struct FrameWriter {
    /// Absent where bytes are only counted.
    file: Option<AtomicFile>,
    len: u64,
    settled: u64,
}

impl FrameWriter {
    /// Begins a file with room for its beginning.
    pub(crate) fn create(path: &Path, beginning: usize) -> io::Result<FrameWriter> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(&vec![0; beginning])?;
        Ok(FrameWriter { file: Some(file), ..FrameWriter::counting(beginning) })
    }

    /// Counts the bytes of a file that nobody writes.
    pub(crate) fn counting(beginning: usize) -> FrameWriter {
        FrameWriter { file: None, len: beginning as u64, settled: 0 }
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Appends a frame.
    pub(crate) fn put(&mut self, packed: &Packed) -> io::Result<Frame> {
        let Packed { bytes, unpacked } = packed;
        let (at, len) = (self.len, bytes.len() as u64);
        self.len += len;
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
            if self.len - self.settled >= SETTLED {
                file.settle()?;
                self.settled = self.len;
            }
        }
        Ok((at, len, *unpacked as u64, XxHash3_64::oneshot(bytes)))
    }

    /// Appends lots of frames in a thread of its own, so that the next lot is made meanwhile.
    pub(crate) fn put_all<const N: usize>(
        &mut self,
        mut lots: impl Iterator<Item = io::Result<Vec<[Option<Packed>; N]>>>,
    ) -> io::Result<Vec<[Option<Frame>; N]>> {
        let (send, receive) = mpsc::sync_channel::<Vec<[Option<Packed>; N]>>(WAITING);
        std::thread::scope(|scope| {
            let writer = scope.spawn(move || {
                let mut frames = Vec::new();
                for packed in receive.into_iter().flatten() {
                    let mut put = [None; N];
                    for (frame, packed) in put.iter_mut().zip(&packed) {
                        *frame = packed.as_ref().map(|packed| self.put(packed)).transpose()?;
                    }
                    frames.push(put);
                }
                Ok(frames)
            });
            // Nobody listens any more if the disk has refused, and the writer says why.
            let made: io::Result<()> =
                lots.try_for_each(|lot| send.send(lot?).map_err(|_| io::ErrorKind::BrokenPipe.into()));
            drop(send);
            let frames: io::Result<_> = writer.join().expect("writing does not panic");
            let (frames, ()) = (frames?, made?);
            Ok(frames)
        })
    }

    /// Puts what ends and what begins the file there, and gives it its name.
    pub(crate) fn finish(self, end: &[u8], beginning: &[u8]) -> io::Result<()> {
        let Some(mut file) = self.file else { return Ok(()) };
        file.write_all(end)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(beginning)?;
        file.finish()
    }
}
