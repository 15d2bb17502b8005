//! Memory for tables, in a few large blocks.
//!
//! Every iteration reads all tables. With pages of four kilobytes they have a hundred times as many pages as a TLB has
//! entries, and a part of the time goes into page walks. The system gives no huge pages to thousands of small arrays. So
//! tables are cut out of large blocks that ask for huge pages; a system without them uses normal ones.

#![allow(unsafe_code)]

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::{MmapMut, MmapRaw};

use super::rows::{HalfRow, Row};

/// Bytes of the first block. Each new one is as large as all before it together, up to the largest.
const SMALLEST_BLOCK: usize = 256 << 10;
const LARGEST_BLOCK: usize = 64 << 20;

/// Blocks of this size and above ask for huge pages: smaller ones would leave too much of a page unused.
const LEAST_LARGE: usize = 4 << 20;

/// Pieces are aligned to cache lines; no type of theirs needs more.
const ALIGNMENT: usize = 64;

/// A type of table entries.
///
/// # Safety
/// All-zero bytes are a value of the type, it has nothing to drop, and it needs no greater alignment than [`ALIGNMENT`].
pub(crate) unsafe trait Zeroed: Copy + Send + Sync + fmt::Debug + 'static {}

// SAFETY: every pattern of bits is a byte.
unsafe impl Zeroed for u8 {}
// SAFETY: eight floats, of which zeros are a value, aligned to 32 bytes.
unsafe impl Zeroed for Row {}
// SAFETY: eight shorts, of which zeros are a value, aligned to 16 bytes.
unsafe impl Zeroed for HalfRow {}

/// An allocator of zeroed arrays.
#[derive(Debug, Default)]
pub(crate) struct Arena(Mutex<Blocks>);

#[derive(Debug, Default)]
struct Blocks {
    /// The newest block, and how many bytes of it are in use.
    newest: Option<Arc<MmapRaw>>,
    taken: usize,
    /// Bytes of all blocks.
    total: usize,
}

impl Arena {
    /// An array of zeros. Aborts if there is no memory left, as every allocation does.
    pub(crate) fn zeros<T: Zeroed>(&self, len: usize) -> Piece<T> {
        const { assert!(align_of::<T>() <= ALIGNMENT) };
        let Ok(layout) = Layout::array::<T>(len) else {
            panic!("an array of {len} is larger than any memory")
        };
        if layout.size() == 0 {
            return Piece { start: NonNull::dangling(), len, _block: None };
        }
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (block, from) = blocks.take(layout);
        // SAFETY: `take` has checked that the block has enough bytes from here on.
        let start = unsafe { block.as_mut_ptr().add(from) };
        let start = NonNull::new(start.cast()).expect("no map begins at address 0");
        Piece { start, len, _block: Some(block) }
    }
}

impl Blocks {
    /// A block, and the start of bytes in it that no other piece has.
    fn take(&mut self, layout: Layout) -> (Arc<MmapRaw>, usize) {
        if let Some(block) = &self.newest
            && layout.size() <= block.len() - self.taken
        {
            let from = self.taken;
            self.taken = (from + layout.size()).next_multiple_of(ALIGNMENT).min(block.len());
            return (Arc::clone(block), from);
        }
        let size = self.total.clamp(SMALLEST_BLOCK, LARGEST_BLOCK).max(layout.size());
        let Ok(map) = MmapMut::map_anon(size) else { handle_alloc_error(layout) };
        #[cfg(target_os = "linux")]
        if size >= LEAST_LARGE {
            // Advice only: a failure changes nothing but speed.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        let block = Arc::new(MmapRaw::from(map));
        (self.newest, self.taken) =
            (Some(Arc::clone(&block)), layout.size().next_multiple_of(ALIGNMENT).min(size));
        self.total += size;
        (block, 0)
    }
}

/// An array from an [`Arena`], which it may outlive.
pub(crate) struct Piece<T> {
    start: NonNull<T>,
    len: usize,
    /// Keeps the memory mapped; none of an empty array.
    _block: Option<Arc<MmapRaw>>,
}

// SAFETY: a piece is the only owner of its memory, as a boxed slice is.
unsafe impl<T: Zeroed> Send for Piece<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroed> Sync for Piece<T> {}

impl<T: Zeroed> Deref for Piece<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory is mapped as long as the block, is aligned for `T`, began as zeros, which are values, and no
        // other piece shares it.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> DerefMut for Piece<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; an exclusive piece has exclusive memory.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> fmt::Debug for Piece<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Piece").field("len", &self.len).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A number that tells pieces and their entries apart.
    fn mark(piece: usize, at: usize) -> Row {
        Row([(1000 * piece + at % 997) as f32; 8])
    }

    proptest! {
        /// Pieces are arrays: what one holds, no other changes, whatever their sizes and who is dropped when.
        #[test]
        fn pieces_are_arrays(lens in prop::collection::vec((0_usize..3000, any::<bool>()), 1..40)) {
            let arena = Arena::default();
            let mut twins: Vec<(Piece<Row>, Vec<Row>)> = Vec::new();
            for (number, (len, drops)) in lens.into_iter().enumerate() {
                let mut piece = arena.zeros::<Row>(len);
                prop_assert_eq!(&piece[..], &vec![Row::ZERO; len][..]);
                prop_assert!(piece.as_ptr().addr().is_multiple_of(align_of::<Row>()));
                let twin: Vec<Row> = (0..len).map(|at| mark(number, at)).collect();
                piece.copy_from_slice(&twin);
                twins.push((piece, twin));
                if drops {
                    twins.swap_remove(0);
                }
            }
            drop(arena);
            for (piece, twin) in &twins {
                prop_assert_eq!(&piece[..], &twin[..]);
            }
        }
    }

    #[test]
    fn pieces_of_every_size() {
        let arena = Arena::default();
        let sizes =
            [1, 63, 64, 65, SMALLEST_BLOCK - 1, SMALLEST_BLOCK + 1, LEAST_LARGE, LARGEST_BLOCK + 7, 5];
        let mut bytes: Vec<Piece<u8>> = sizes.map(|len| arena.zeros(len)).into();
        for (number, piece) in bytes.iter_mut().enumerate() {
            assert!(piece.iter().all(|&byte| byte == 0));
            assert!(piece.as_ptr().addr().is_multiple_of(ALIGNMENT));
            piece.fill(number as u8 + 1);
        }
        for (number, (piece, len)) in bytes.iter().zip(sizes).enumerate() {
            assert_eq!(piece.len(), len);
            assert!(piece.iter().all(|&byte| byte == number as u8 + 1));
        }
        assert!(arena.zeros::<Row>(0).is_empty());
    }
}
