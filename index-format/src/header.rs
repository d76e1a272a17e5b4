//! The header: the first 4096 bytes of a segment, checked as a whole before anything else is read.
//!
//! After [`SegmentHeader::decode`] and [`SegmentHeader::check_file_length`], every section is inside the file, no two
//! overlap, and the sections of the segment's kind exist, with the length that follows from row count and dimension.

#[cfg(test)]
mod tests;

use crate::MAX_DIMENSION;
use crate::error::FileFault;
use crate::section::ENTRY_SIZE;
use crate::section::SectionTableEntry;
use crate::section::compute_checksum;
use crate::section_kind::SectionKind;

/// The bytes of the header; the first section begins here, aligned to a page like all others.
pub(crate) const HEADER_SIZE: usize = 4096;

/// The first bytes of every segment. The high bit, the line ends and the end-of-file byte make a
/// file that went through a text conversion foreign at once.
pub(crate) const MAGIC: [u8; 8] = *b"\x89IXF\r\n\x1a\n";

/// The format version this program writes and reads.
pub(crate) const VERSION: u32 = 1;

const METRIC_COSINE: u32 = 1;

const VERSION_AT: usize = 8;
const KIND_AT: usize = 12;
const DIMENSION_AT: usize = 16;
const METRIC_AT: usize = 20;
const ROWS_AT: usize = 24;
const MODEL_AT: usize = 32;
const FILE_LENGTH_AT: usize = 64;
const SECTION_COUNT_AT: usize = 72;
const RESERVED_AT: usize = 76;
const TABLE_AT: usize = 80;
const CHECKSUM_AT: usize = HEADER_SIZE - 8;
const MAX_SECTIONS: usize = (CHECKSUM_AT - TABLE_AT) / ENTRY_SIZE;

/// What all vectors of a segment have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentInfo {
    /// The components of every vector, 1 to 4096.
    pub dimension: u32,
    /// The identity of the embedding model, a hash that the caller computes and compares.
    pub model: [u8; 32],
}

/// How the rows of a segment are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentKind {
    /// By scanning codes.
    Flat,
    /// By a graph over the rows, or by scanning binary or 8-bit codes.
    Graph,
}

impl SegmentKind {
    fn to_number(self) -> u32 {
        match self {
            SegmentKind::Flat => 1,
            SegmentKind::Graph => 2,
        }
    }

    fn from_number(number: u32) -> Result<SegmentKind, FileFault> {
        [SegmentKind::Flat, SegmentKind::Graph]
            .into_iter()
            .find(|kind| kind.to_number() == number)
            .ok_or(FileFault::Field { field: "kind", value: u64::from(number) })
    }

    /// The sections that a segment of this kind has.
    fn required_sections(self) -> &'static [SectionKind] {
        const ALL: [SectionKind; 9] = [
            SectionKind::HALVES,
            SectionKind::QUANTIZED_CODES,
            SectionKind::SCALES,
            SectionKind::CONTENT_IDS,
            SectionKind::MEAN,
            SectionKind::BINARY_CODES,
            SectionKind::BINARY_FACTORS,
            SectionKind::NEIGHBOURS,
            SectionKind::LEVELS,
        ];
        match self {
            SegmentKind::Flat => &ALL[..4],
            SegmentKind::Graph => &ALL,
        }
    }
}

/// A segment's header, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) kind: SegmentKind,
    pub(crate) info: SegmentInfo,
    pub(crate) rows: u32,
    pub(crate) file_length: u64,
    /// In file order, each beginning where the one before it ends, rounded up.
    pub(crate) sections: Vec<SectionTableEntry>,
}

impl SegmentHeader {
    pub(crate) fn encode(&self) -> [u8; HEADER_SIZE] {
        let count = u32::try_from(self.sections.len()).expect("the writer makes few sections");
        let mut bytes = [0; HEADER_SIZE];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        put(VERSION_AT, &VERSION.to_le_bytes());
        put(KIND_AT, &self.kind.to_number().to_le_bytes());
        put(DIMENSION_AT, &self.info.dimension.to_le_bytes());
        put(METRIC_AT, &METRIC_COSINE.to_le_bytes());
        put(ROWS_AT, &u64::from(self.rows).to_le_bytes());
        put(MODEL_AT, &self.info.model);
        put(FILE_LENGTH_AT, &self.file_length.to_le_bytes());
        put(SECTION_COUNT_AT, &count.to_le_bytes());
        for (index, section) in self.sections.iter().enumerate() {
            put(TABLE_AT + index * ENTRY_SIZE, &section.encode());
        }
        write_checksum(&mut bytes);
        bytes
    }

    pub(crate) fn decode(bytes: &[u8; HEADER_SIZE]) -> Result<SegmentHeader, FileFault> {
        check_magic_and_version(bytes)?;
        if u64_at(bytes, CHECKSUM_AT) != compute_checksum(&bytes[..CHECKSUM_AT]) {
            return Err(FileFault::HeaderChecksum);
        }
        expect_field("metric", u32_at(bytes, METRIC_AT), METRIC_COSINE)?;
        expect_field("reserved", u32_at(bytes, RESERVED_AT), 0)?;
        let rows = u64_at(bytes, ROWS_AT);
        let header = SegmentHeader {
            kind: SegmentKind::from_number(u32_at(bytes, KIND_AT))?,
            info: SegmentInfo { dimension: decode_dimension(bytes)?, model: model_at(bytes) },
            rows: u32::try_from(rows)
                .map_err(|_| FileFault::Field { field: "row count", value: rows })?,
            file_length: u64_at(bytes, FILE_LENGTH_AT),
            sections: decode_table(bytes)?,
        };
        header.check_offsets()?;
        header.check_lengths()?;
        Ok(header)
    }

    /// Compares the length the header names with the length the file has.
    pub(crate) fn check_file_length(&self, found: u64) -> Result<(), FileFault> {
        let expected = self.file_length;
        match found.cmp(&expected) {
            std::cmp::Ordering::Less => Err(FileFault::Truncated { expected, found }),
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => Err(FileFault::Overlong { expected, found }),
        }
    }

    pub(crate) fn find_section(&self, kind: SectionKind) -> Option<&SectionTableEntry> {
        self.sections.iter().find(|section| section.kind == kind)
    }

    /// Sections follow each other without gap or overlap and end with the file.
    fn check_offsets(&self) -> Result<(), FileFault> {
        let mut expected_offset = HEADER_SIZE as u64;
        for (index, section) in self.sections.iter().enumerate() {
            if self.sections[..index].iter().any(|earlier| earlier.kind == section.kind) {
                return Err(FileFault::SectionRepeated(section.kind));
            }
            let end = section.next_offset().filter(|end| *end <= self.file_length);
            match end {
                Some(end) if section.offset == expected_offset => expected_offset = end,
                Some(_) | None => return Err(FileFault::SectionMisplaced(section.kind)),
            }
        }
        if expected_offset == self.file_length {
            Ok(())
        } else {
            Err(FileFault::Field { field: "file length", value: self.file_length })
        }
    }

    fn check_lengths(&self) -> Result<(), FileFault> {
        for kind in self.kind.required_sections() {
            let section = self.find_section(*kind).ok_or(FileFault::SectionMissing(*kind))?;
            let expected = kind.exact_length(self.rows, self.info.dimension);
            if let Some(expected) = expected.filter(|expected| *expected != section.length) {
                let found = section.length;
                return Err(FileFault::SectionLength { section: *kind, expected, found });
            }
        }
        Ok(())
    }
}

/// Writes the header's own checksum over its last eight bytes.
fn write_checksum(bytes: &mut [u8; HEADER_SIZE]) {
    let sum = compute_checksum(&bytes[..CHECKSUM_AT]);
    bytes[CHECKSUM_AT..].copy_from_slice(&sum.to_le_bytes());
}

/// Magic and version come before the checksum: another version may keep its checksum elsewhere.
fn check_magic_and_version(bytes: &[u8; HEADER_SIZE]) -> Result<(), FileFault> {
    if !bytes.starts_with(&MAGIC) {
        return Err(FileFault::Foreign);
    }
    match u32_at(bytes, VERSION_AT) {
        VERSION => Ok(()),
        found => Err(FileFault::UnknownVersion { found, known: VERSION }),
    }
}

fn decode_dimension(bytes: &[u8; HEADER_SIZE]) -> Result<u32, FileFault> {
    let dimension = u32_at(bytes, DIMENSION_AT);
    if (1..=MAX_DIMENSION).contains(&dimension) {
        Ok(dimension)
    } else {
        Err(FileFault::Field { field: "dimension", value: u64::from(dimension) })
    }
}

fn decode_table(bytes: &[u8; HEADER_SIZE]) -> Result<Vec<SectionTableEntry>, FileFault> {
    let count = u32_at(bytes, SECTION_COUNT_AT) as usize;
    if count > MAX_SECTIONS {
        return Err(FileFault::Field { field: "section count", value: count as u64 });
    }
    let (entries, _) = bytes[TABLE_AT..CHECKSUM_AT].as_chunks::<ENTRY_SIZE>();
    let table_end = TABLE_AT + count * ENTRY_SIZE;
    if bytes[table_end..CHECKSUM_AT].iter().any(|byte| *byte != 0) {
        return Err(FileFault::Padding { offset: table_end as u64 });
    }
    entries[..count].iter().map(SectionTableEntry::decode).collect()
}

fn expect_field(field: &'static str, value: u32, expected: u32) -> Result<(), FileFault> {
    if value == expected {
        Ok(())
    } else {
        Err(FileFault::Field { field, value: u64::from(value) })
    }
}

fn model_at(bytes: &[u8; HEADER_SIZE]) -> [u8; 32] {
    bytes[MODEL_AT..FILE_LENGTH_AT].try_into().expect("the model field is 32 bytes")
}

fn u32_at(bytes: &[u8; HEADER_SIZE], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes were taken"))
}

fn u64_at(bytes: &[u8; HEADER_SIZE], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes were taken"))
}
