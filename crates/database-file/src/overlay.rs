//! A file that is read, while everything that is written to it stays in memory.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs::File,
    io,
    os::unix::fs::FileExt,
    panic::UnwindSafe,
    sync::{Mutex, MutexGuard, PoisonError},
};

use redb::StorageBackend;

/// Bytes of a block of what was written: one page of redb, so that a written page takes up one block.
const BLOCK_BYTES: u64 = 4096;

/// A file that is read, with what would be written to it in memory, in blocks.
#[derive(Debug)]
pub(crate) struct ReadOverlay {
    file: File,
    state: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
    /// The length, once it was set.
    len: Option<u64>,
    /// Blocks by their number.
    blocks: BTreeMap<u64, Box<[u8]>>,
}

impl UnwindSafe for ReadOverlay {}

impl ReadOverlay {
    pub(crate) fn new(file: File) -> Self {
        Self { file, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Written> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file_len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Reads from the file alone; what is beyond its end is zeros.
    fn read_file(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let there = self.file_len()?.saturating_sub(offset);
        let there = usize::try_from(there).unwrap_or(usize::MAX).min(out.len());
        let (known, beyond) = out.split_at_mut(there);
        beyond.fill(0);
        self.file.read_exact_at(known, offset)
    }
}

impl StorageBackend for ReadOverlay {
    fn len(&self) -> io::Result<u64> {
        match self.lock().len {
            Some(len) => Ok(len),
            None => self.file_len(),
        }
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| self.len().is_ok_and(|len| end > len)) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.read_file(offset, out)?;
        let end = offset + out.len() as u64;
        let written = self.lock();
        for (number, block) in written.blocks.range(offset / BLOCK_BYTES..end.div_ceil(BLOCK_BYTES))
        {
            let start = number * BLOCK_BYTES;
            let (from, to) = (start.max(offset), (start + BLOCK_BYTES).min(end));
            let target = (from - offset) as usize..(to - offset) as usize;
            out[target].copy_from_slice(&block[(from - start) as usize..(to - start) as usize]);
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.lock().len = Some(len);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let end = offset.checked_add(data.len() as u64).ok_or(io::ErrorKind::InvalidInput)?;
        let mut written = self.lock();
        for number in offset / BLOCK_BYTES..end.div_ceil(BLOCK_BYTES) {
            let start = number * BLOCK_BYTES;
            let block = match written.blocks.entry(number) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let mut block = vec![0; BLOCK_BYTES as usize].into_boxed_slice();
                    self.read_file(start, &mut block)?;
                    place.insert(block)
                }
            };
            let (from, to) = (start.max(offset), (start + BLOCK_BYTES).min(end));
            let source = (from - offset) as usize..(to - offset) as usize;
            block[(from - start) as usize..(to - start) as usize].copy_from_slice(&data[source]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_the_file_stays() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("file");
        let before: Vec<u8> = (0..10_000_u32).map(|n| n as u8).collect();
        fs::write(&path, &before).expect("written");
        let overlay = ReadOverlay::new(File::open(&path).expect("opened"));
        let mut expected = before.clone();
        for (offset, length) in [(0, 3), (4090, 20), (9_990, 10), (100, 8_192)] {
            let data = vec![offset as u8 ^ 0xa5; length];
            overlay.write(offset as u64, &data).expect("kept");
            expected[offset..offset + length].copy_from_slice(&data);
        }
        overlay.set_len(12_000).expect("kept");
        expected.resize(12_000, 0);
        for (offset, length) in [(0, 12_000), (4_000, 200), (9_985, 100), (11_999, 1)] {
            let mut read = vec![1; length];
            overlay.read(offset as u64, &mut read).expect("read");
            assert_eq!(read, expected[offset..offset + length], "{offset}");
        }
        assert!(overlay.read(11_999, &mut [0; 2]).is_err());
        assert_eq!(fs::read(&path).expect("read"), before);
    }
}
