//! Vectors: two collections, each a list in redb and a folder of segment files.

mod collection;
mod damage;
pub(crate) mod segment_files;
pub(crate) mod segment_list;
mod segment_set;
pub(crate) mod stamps;

pub(crate) use collection::VectorCollection;
pub(crate) use damage::{forget_lost_files, read_lost_files, unlist_damaged_segments};
pub(crate) use segment_set::{AllowedRows, SegmentSet};
pub use segment_set::{VectorHit, VectorHits};
