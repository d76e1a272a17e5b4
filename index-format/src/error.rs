//! What can go wrong with a segment file or with a vector, as situations.
//!
//! A [`SegmentError`] names the file. A [`VectorError`] is about numbers that the caller handed in,
//! never about a file. Messages are fragments that finish a sentence such as "search refused: ".

use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::section_kind::SectionKind;

/// Why a segment cannot be written, opened or searched.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The operating system refused an operation on the file.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The file or folder concerned.
        path: PathBuf,
        /// What was being done, as a verb.
        action: &'static str,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The file is not a valid segment of a known version.
    #[error("{}: {fault}", path.display())]
    File {
        /// The file concerned.
        path: PathBuf,
        /// What is wrong with it.
        fault: FileFault,
    },
    /// The segment contains vectors of another dimension than the caller's.
    #[error("{}: contains vectors of dimension {found}, expected {expected}", path.display())]
    DimensionMismatch {
        /// The file concerned.
        path: PathBuf,
        /// The caller's dimension.
        expected: u32,
        /// The segment's dimension.
        found: u32,
    },
    /// The segment contains vectors of another embedding model than the caller's.
    #[error(
        "{}: created with model {}, expected model {}",
        path.display(), short_hex(found), short_hex(expected)
    )]
    ModelMismatch {
        /// The file concerned.
        path: PathBuf,
        /// The caller's model identity.
        expected: [u8; 32],
        /// The segment's model identity.
        found: [u8; 32],
    },
    /// The segment being written contains as many rows as row numbers can name.
    #[error("{}: a segment cannot contain more than {limit} rows", path.display())]
    TooManyRows {
        /// The file being written.
        path: PathBuf,
        /// The largest possible number of rows.
        limit: u32,
    },
    /// An earlier write failed, so the segment cannot be finished.
    #[error("{}: an earlier write failed", path.display())]
    WriterFailed {
        /// The file being written.
        path: PathBuf,
    },
    /// The caller that watched the building of the graph cancelled it.
    #[error("{}: the build was cancelled", path.display())]
    Cancelled {
        /// The file that was being written.
        path: PathBuf,
    },
    /// The vector handed in cannot be stored or searched for.
    #[error(transparent)]
    Vector(#[from] VectorError),
}

/// What is wrong with a segment file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// The file does not begin with the magic bytes, or is not a regular file.
    #[error("not a segment file")]
    Foreign,
    /// The file is of a format version this program does not know.
    #[error("unknown format version {found}; this program reads version {known}")]
    UnknownVersion {
        /// The version in the file.
        found: u32,
        /// The version this program reads.
        known: u32,
    },
    /// The file is shorter than its header says.
    #[error("truncated: {found} of {expected} bytes")]
    Truncated {
        /// The length the file should have.
        expected: u64,
        /// The length it has.
        found: u64,
    },
    /// The file is longer than its header says.
    #[error("{found} bytes long, expected {expected}")]
    Overlong {
        /// The length the file should have.
        expected: u64,
        /// The length it has.
        found: u64,
    },
    /// The header does not match its checksum.
    #[error("header checksum does not match")]
    HeaderChecksum,
    /// A header field has a value that the format does not allow.
    #[error("header field '{field}' has the invalid value {value}")]
    Field {
        /// The field's name in the format description.
        field: &'static str,
        /// The value found.
        value: u64,
    },
    /// A section that the segment kind needs is not in the section table.
    #[error("section '{0}' is missing")]
    SectionMissing(SectionKind),
    /// A section occurs twice in the section table.
    #[error("section '{0}' is repeated")]
    SectionRepeated(SectionKind),
    /// A section does not begin where the one before it ends, or reaches past the end of the file.
    #[error("section '{0}' is out of place")]
    SectionMisplaced(SectionKind),
    /// A section's length does not follow from the row count and the dimension.
    #[error("section '{section}' is {found} bytes long, expected {expected}")]
    SectionLength {
        /// The section.
        section: SectionKind,
        /// The length that follows from rows and dimension.
        expected: u64,
        /// The length in the section table.
        found: u64,
    },
    /// A section's bytes do not match its checksum.
    #[error("section '{0}' does not match its checksum")]
    SectionChecksum(SectionKind),
    /// A byte between sections is not zero.
    #[error("padding at byte {offset} is not zero")]
    Padding {
        /// The first such byte's offset in the file.
        offset: u64,
    },
    /// A stored number is not finite, or a scale is not positive.
    #[error("section '{section}' has an invalid number in row {row}")]
    Number {
        /// The section.
        section: SectionKind,
        /// The first such row.
        row: u32,
    },
}

/// Why a vector cannot be stored or searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// The dimension asked for is 0 or too large.
    #[error("vector dimension {dimension} is not in 1..=4096")]
    DimensionOutOfRange {
        /// The dimension asked for.
        dimension: u32,
    },
    /// The vector has another number of components than the segment's dimension.
    #[error("vector has {found} components, expected {expected}")]
    Length {
        /// The dimension wanted.
        expected: u32,
        /// The components found.
        found: usize,
    },
    /// A component is infinite or not a number.
    #[error("vector component {position} is not finite")]
    NotFinite {
        /// The first such component, counted from 0.
        position: usize,
    },
    /// Every component is zero, so the vector has no direction.
    #[error("vector is zero and has no direction")]
    Zero,
}

impl SegmentError {
    pub(crate) fn from_io(path: &Path, action: &'static str, source: io::Error) -> SegmentError {
        SegmentError::Io { path: path.to_owned(), action, source }
    }

    pub(crate) fn from_fault(path: &Path, fault: FileFault) -> SegmentError {
        SegmentError::File { path: path.to_owned(), fault }
    }
}

/// The first eight bytes in hexadecimal: enough to distinguish two models in a message.
fn short_hex(identity: &[u8; 32]) -> String {
    identity[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
