//! Buffers that begin at a cache line. A vector of 64 bytes then never lies in two lines, whose
//! loads cost twice as much.

use std::ops::{Deref, DerefMut};

const LINE_BYTES: usize = 64;

/// A growing buffer of 32-bit numbers at a multiple of 64 bytes.
#[derive(Default)]
pub(crate) struct AlignedBuffer<T> {
    /// The numbers, with some before them and some after.
    room: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> AlignedBuffer<T> {
    /// Takes the length; numbers that were there may stay, and others are zero.
    pub(crate) fn resize(&mut self, length: usize) {
        let spare = LINE_BYTES / size_of::<T>();
        if self.room.len() < length + spare {
            self.room = vec![T::default(); length + spare];
            // The offset is at most a line; a processor without addresses gives none.
            self.start = self.room.as_ptr().align_offset(LINE_BYTES).min(spare);
        }
        self.length = length;
    }

    /// Takes the length and sets every number to zero.
    pub(crate) fn reset(&mut self, length: usize) {
        self.resize(length);
        self.fill(T::default());
    }
}

impl<T> Deref for AlignedBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.room[self.start..][..self.length]
    }
}

impl<T> DerefMut for AlignedBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.room[self.start..][..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_aligned_zeroed_and_kept() {
        let mut buffer = AlignedBuffer::<f32>::default();
        for length in [0, 1, 1000, 7, 4096] {
            buffer.reset(length);
            assert!(buffer.as_ptr().addr().is_multiple_of(LINE_BYTES));
            assert_eq!(*buffer, vec![0.0; length]);
            buffer.fill(1.0);
        }
    }
}
