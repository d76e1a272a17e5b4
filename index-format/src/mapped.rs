//! A file as bytes: the only memory mappings of this crate.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::ops::Range;

use memmap2::Advice;
use memmap2::Mmap;
use memmap2::MmapOptions;

/// A whole file, mapped for reading.
#[derive(Debug)]
pub(crate) struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a segment file as long as it is now.
    pub(crate) fn map_whole(file: &File) -> io::Result<MappedFile> {
        // SAFETY: a segment gets its name only when it is complete, and is never written again;
        // replacing it renames another file over the name and leaves this one's bytes alone.
        // A foreign process that writes to the file breaks that contract: changed bytes are read
        // as any bytes are, without trust, but cutting the file short while it is mapped raises
        // SIGBUS. The folder belongs to one process, which does neither.
        let map = unsafe { Mmap::map(file)? };
        Ok(MappedFile(map))
    }

    /// Maps a part of a file that is being written, `length` bytes from `offset` on.
    pub(crate) fn map_part(file: &File, offset: u64, length: usize) -> io::Result<MappedFile> {
        // SAFETY: the writer that owns the unfinished file has written these bytes, and touches
        // none of them again while the map lives: it writes behind them, and the header after it.
        let map = unsafe { MmapOptions::new().offset(offset).len(length).map(file)? };
        Ok(MappedFile(map))
    }

    /// Tells the system how a part will be read: at random addresses, so that it fetches nothing
    /// around what is read, or sequentially.
    pub(crate) fn advise_access(&self, reading: AccessPattern, range: &Range<usize>) {
        let advice = match reading {
            AccessPattern::Random => Advice::Random,
            AccessPattern::Sequential => Advice::Sequential,
        };
        // A system that ignores the advice reads more slowly, but correctly.
        let _ = self.0.advise_range(advice, range.start, range.len());
    }
}

/// How a part of a file will be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessPattern {
    Random,
    Sequential,
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
