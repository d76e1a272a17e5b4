//! Vectors on disk and exact search over them.
//!
//! A segment is one immutable file: unit vectors as 8-bit codes and as half-precision rows, and for
//! each row the content id it belongs to. `FORMAT.md` gives the file byte by byte. This crate knows
//! vectors, rows and content ids; it does not know what a content is or where vectors come from.
//!
//! - [`SegmentWriter`] makes a segment: push rows, then [`SegmentWriter::finish`].
//! - [`Segment`] opens one in constant time and never trusts a number it has not checked.
//! - [`Segment::search`] scans the codes of the allowed rows and rescores the best of them;
//!   [`search_segments`] does so over several segments.

mod error;
mod header;
mod kernels;
mod mapped;
mod pending;
mod pool;
mod query;
mod rows;
mod scan;
mod search;
mod section;
mod segment;
mod unit;
mod verify;
mod writer;

pub use error::FileFault;
pub use error::SegmentError;
pub use error::VectorError;
pub use header::SegmentInfo;
pub use kernels::instruction_set;
pub use query::Query;
pub use rows::Rows;
pub use search::Hit;
pub use search::Scope;
pub use search::search_segments;
pub use section::SectionKind;
pub use segment::Segment;
pub use writer::SegmentSummary;
pub use writer::SegmentWriter;

/// The largest dimension a segment may have.
pub const MAX_DIMENSION: u32 = 4096;
