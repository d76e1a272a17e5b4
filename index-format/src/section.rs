//! Sections: their kinds, their entries in the header's table, their lengths and checksums.

use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::FileFault;

/// Sections begin at multiples of this many bytes, so that a mapped row is aligned for any load.
pub(crate) const ALIGNMENT: u64 = 4096;

/// The bytes of one entry in the section table.
pub(crate) const ENTRY_SIZE: usize = 32;

/// Row widths are multiples of this many components: one cache line of codes.
const WIDTH_STEP: u32 = 64;

/// The number that says what a section holds; unknown kinds are carried as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionKind(pub u32);

impl SectionKind {
    /// Row to content id, eight bytes for each row.
    pub const CONTENT_IDS: SectionKind = SectionKind(1);
    /// Signed 8-bit codes, one padded row after another.
    pub const CODES: SectionKind = SectionKind(2);
    /// The factor that turns a row's codes back into components, four bytes for each row.
    pub const SCALES: SectionKind = SectionKind(3);
    /// Half-precision components, one padded row after another.
    pub const HALVES: SectionKind = SectionKind(4);
    /// The mean of all rows, four bytes for each component of a padded row.
    pub const MEAN: SectionKind = SectionKind(5);
    /// One bit for each component of a padded row, centred and rotated.
    pub const SIGNS: SectionKind = SectionKind(6);
    /// The step and the offset that turn a product of signs into a cosine, eight bytes for each row.
    pub const SIGN_FACTORS: SectionKind = SectionKind(7);
    /// The neighbours of each row, a fixed number.
    pub const NEIGHBOURS: SectionKind = SectionKind(8);
    /// The levels of the graph above the rows.
    pub const LEVELS: SectionKind = SectionKind(9);

    /// The bytes of this section, where they follow from rows and dimension alone.
    pub(crate) fn exact_length(self, rows: u32, dimension: u32) -> Option<u64> {
        let width = u64::from(padded_width(dimension));
        let row_size = match self {
            SectionKind::CONTENT_IDS => 8,
            SectionKind::CODES => width,
            SectionKind::SCALES => 4,
            SectionKind::HALVES => 2 * width,
            SectionKind::MEAN => return Some(4 * width),
            SectionKind::SIGNS => width / 8,
            SectionKind::SIGN_FACTORS => 8,
            SectionKind(_) => return None,
        };
        // At most 2^32 rows of 2^13 bytes: no overflow.
        Some(u64::from(rows) * row_size)
    }
}

impl fmt::Display for SectionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SectionKind::CONTENT_IDS => formatter.write_str("content ids"),
            SectionKind::CODES => formatter.write_str("codes"),
            SectionKind::SCALES => formatter.write_str("scales"),
            SectionKind::HALVES => formatter.write_str("half-precision rows"),
            SectionKind::MEAN => formatter.write_str("mean"),
            SectionKind::SIGNS => formatter.write_str("signs"),
            SectionKind::SIGN_FACTORS => formatter.write_str("sign factors"),
            SectionKind::NEIGHBOURS => formatter.write_str("neighbours"),
            SectionKind::LEVELS => formatter.write_str("levels"),
            SectionKind(number) => write!(formatter, "kind {number}"),
        }
    }
}

/// One entry of the section table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) kind: SectionKind,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) checksum: u64,
}

impl Section {
    pub(crate) fn encode(&self) -> [u8; ENTRY_SIZE] {
        let mut entry = [0; ENTRY_SIZE];
        entry[..4].copy_from_slice(&self.kind.0.to_le_bytes());
        entry[8..16].copy_from_slice(&self.offset.to_le_bytes());
        entry[16..24].copy_from_slice(&self.length.to_le_bytes());
        entry[24..].copy_from_slice(&self.checksum.to_le_bytes());
        entry
    }

    pub(crate) fn decode(entry: &[u8; ENTRY_SIZE]) -> Result<Section, FileFault> {
        let (words, _) = entry.as_chunks::<8>();
        let [first, offset, length, checksum] = [0, 1, 2, 3].map(|i| u64::from_le_bytes(words[i]));
        let kind = u32::try_from(first)
            .map_err(|_| FileFault::Field { field: "section reserved", value: first >> 32 })?;
        Ok(Section { kind: SectionKind(kind), offset, length, checksum })
    }

    /// Where the next section begins, or none when that is past any file.
    pub(crate) fn next_offset(&self) -> Option<u64> {
        self.offset.checked_add(self.length)?.checked_next_multiple_of(ALIGNMENT)
    }
}

/// The components a stored row takes: the dimension, then zeros up to a multiple of 64.
pub(crate) fn padded_width(dimension: u32) -> u32 {
    dimension.next_multiple_of(WIDTH_STEP)
}

/// The checksum used for the header and for every section: XXH3, 64 bits, seed 0.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}
