//! Sections: their entries in the header's table, their alignment and checksums.

use xxhash_rust::xxh3::xxh3_64;

use crate::error::FileFault;
use crate::section_kind::SectionKind;

/// Sections begin at multiples of this many bytes, so that a mapped row is aligned for any load.
pub(crate) const ALIGNMENT: u64 = 4096;

/// The bytes of one entry in the section table.
pub(crate) const ENTRY_SIZE: usize = 32;

/// One entry of the section table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SectionTableEntry {
    pub(crate) kind: SectionKind,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) checksum: u64,
}

impl SectionTableEntry {
    pub(crate) fn encode(&self) -> [u8; ENTRY_SIZE] {
        let mut entry = [0; ENTRY_SIZE];
        entry[..4].copy_from_slice(&self.kind.0.to_le_bytes());
        entry[8..16].copy_from_slice(&self.offset.to_le_bytes());
        entry[16..24].copy_from_slice(&self.length.to_le_bytes());
        entry[24..].copy_from_slice(&self.checksum.to_le_bytes());
        entry
    }

    pub(crate) fn decode(entry: &[u8; ENTRY_SIZE]) -> Result<SectionTableEntry, FileFault> {
        let (words, _) = entry.as_chunks::<8>();
        let [first, offset, length, checksum] = [0, 1, 2, 3].map(|i| u64::from_le_bytes(words[i]));
        let kind = u32::try_from(first)
            .map_err(|_| FileFault::Field { field: "section reserved", value: first >> 32 })?;
        Ok(SectionTableEntry { kind: SectionKind(kind), offset, length, checksum })
    }

    /// Where the next section begins; `None` if that is past the end of any file.
    pub(crate) fn next_offset(&self) -> Option<u64> {
        self.offset.checked_add(self.length)?.checked_next_multiple_of(ALIGNMENT)
    }
}

/// The checksum used for the header and for every section: XXH3, 64 bits, seed 0.
pub(crate) fn compute_checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}
