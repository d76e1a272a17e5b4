//! Buffers that begin at a cache line. A vector of 64 bytes then never crosses two lines, which would
//! double the cost of its loads.

use std::ops::{Deref, DerefMut};

const LINE_BYTES: usize = 64;

/// A growing buffer of 32-bit numbers at a multiple of 64 bytes.
#[derive(Default)]
pub(crate) struct AlignedBuffer<T> {
    /// The numbers, with unused space before and after them.
    storage: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> AlignedBuffer<T> {
    /// Sets the length; the content is old numbers or zeros.
    pub(crate) fn resize(&mut self, length: usize) {
        let spare = LINE_BYTES / size_of::<T>();
        if self.storage.len() < length + spare {
            self.storage = vec![T::default(); length + spare];
            // `align_offset` may fail, as under Miri: the buffer is then not aligned, which is only slower.
            self.start = self.storage.as_ptr().align_offset(LINE_BYTES).min(spare);
        }
        self.length = length;
    }

    /// Sets the length and every number to zero.
    pub(crate) fn reset(&mut self, length: usize) {
        self.resize(length);
        self.fill(T::default());
    }
}

impl<T> Deref for AlignedBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.storage[self.start..][..self.length]
    }
}

impl<T> DerefMut for AlignedBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..][..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_aligned_and_zeroed_at_every_reset() {
        let mut buffer = AlignedBuffer::<f32>::default();
        for length in [0, 1, 1000, 7, 4096] {
            buffer.reset(length);
            assert!(buffer.as_ptr().addr().is_multiple_of(LINE_BYTES));
            assert_eq!(*buffer, vec![0.0; length]);
            buffer.fill(1.0);
        }
    }
}
