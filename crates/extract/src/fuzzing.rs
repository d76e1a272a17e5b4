//! Entry points of fuzz targets: readers that other crates reach only through files and processes.
//!
//! Not part of this crate's public interface.

use crate::{contribution, worker};

/// Reads a PDF; returns whether it could be read.
pub fn can_read_pdf(bytes: &[u8]) -> bool {
    contribution::read_pdf(bytes, "a.pdf").is_ok()
}

/// Reads frames of a worker of every kind, as far as they are frames.
pub fn read_frames(bytes: &[u8]) {
    worker::read_all_frames(bytes);
}
