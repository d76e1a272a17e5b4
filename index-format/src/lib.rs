//! Vectors on disk and search over them.
//!
//! A segment is one immutable file: unit vectors as 8-bit codes and as half-precision rows, for each row the content
//! id it belongs to, and, if it has many rows, a graph over them and their signs. `FORMAT.md` describes the file byte
//! by byte. This crate knows vectors, rows and content ids; it does not know what a content is or where vectors come
//! from.
//!
//! - [`SegmentWriter`] makes a segment: push rows, then [`SegmentWriter::finish`] or
//!   [`SegmentWriter::finish_with_graph`].
//! - [`merge_segments`] merges several into one, and builds on the graph of the largest.
//! - [`Segment`] opens one in constant time and never trusts a number it has not checked.
//! - [`Segment::search`] finds candidates among the allowed rows, by the graph, by signs or by
//!   scanning codes, whichever costs least, and gives the best of them their exact cosine;
//!   [`search_segments`] does so over several segments and reports how.

mod binary;
mod error;
mod graph;
mod header;
mod kernels;
mod mapped;
mod merge;
mod pending;
mod plan;
mod quantized;
mod quantized_vector;
mod query;
mod rotation;
mod rows;
mod scan;
mod search;
mod section;
mod section_kind;
mod segment;
mod top_rows;
mod unit;
mod verify;
mod writer;

pub use error::FileFault;
pub use error::SegmentError;
pub use error::VectorError;
pub use graph::BuildProgress;
pub use graph::Builder;
pub use graph::GraphOptions;
pub use header::SegmentInfo;
pub use header::SegmentKind;
pub use kernels::instruction_set;
pub use merge::is_mostly_dead;
pub use merge::merge_segments;
pub use plan::SearchStrategy;
pub use query::Query;
pub use rows::RowSet;
pub use scan::{ScoredRows, SearchExplanation};
pub use search::Hit;
pub use search::KnnOptions;
pub use search::SegmentScope;
pub use search::SegmentSearchResult;
pub use search::search_segments;
pub use section_kind::SectionKind;
pub use segment::Segment;
pub use writer::SegmentSummary;
pub use writer::SegmentWriter;

/// The largest dimension a segment may have.
pub const MAX_DIMENSION: u32 = 4096;
