//! Writes a segment: push rows, then finish.
//!
//! Half-precision rows go straight to the file. The codes are derived from them in a second pass
//! when the segment is finished, so that while rows are pushed only the content ids stay in memory,
//! 8 bytes a row, and while it is finished the scales too, 12 bytes a row in all. A graph is built on
//! codes that are mapped from the file; its builder's own lists take about 340 bytes a row.

mod graph;
mod sections;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::io::BufReader;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::path::Path;

use half::f16;
use half::slice::HalfFloatSliceExt;

use crate::error::SegmentError;
use crate::error::VectorError;
use crate::header::HEADER_SIZE;
use crate::header::SegmentHeader;
use crate::header::SegmentInfo;
use crate::header::SegmentKind;
use crate::pending::PendingFile;
use crate::section_kind::SectionKind;
use crate::section_kind::padded_width;
use crate::unit::check_dimension;
use crate::unit::normalise_vector;
use crate::unit::quantize_vector;
use sections::SectionWriter;

/// A segment being written; nothing is at its path until [`SegmentWriter::finish`] returns.
///
/// Dropping it unfinished removes what was written.
#[derive(Debug)]
#[must_use = "a writer that is not finished leaves no segment"]
pub struct SegmentWriter {
    pending: PendingFile,
    info: SegmentInfo,
    out: SectionWriter,
    /// One for each row pushed.
    content_ids: Vec<u64>,
    /// Of all rows pushed, as they are stored.
    sum: Vec<f64>,
    row: RowBuffer,
    /// Set by a failed write, after which the file's bytes are unknown.
    failed: bool,
}

/// The size of a finished segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentSummary {
    /// The rows written.
    pub rows: u32,
    /// The file's length.
    pub bytes: u64,
}

/// One row on its way to the file, padded, in each form it takes.
#[derive(Debug)]
struct RowBuffer {
    components: Vec<f32>,
    halves: Vec<f16>,
    half_bytes: Vec<u8>,
}

impl SegmentWriter {
    /// Begins a segment; a file at this path is replaced when the segment is finished.
    pub fn create(
        path: impl AsRef<Path>,
        info: SegmentInfo,
    ) -> Result<SegmentWriter, SegmentError> {
        let path = path.as_ref();
        check_dimension(info.dimension)?;
        let (pending, file) = PendingFile::create(path)?;
        SegmentWriter::from_pending(pending, file, info)
    }

    /// Adds a row. Rows are numbered in the order they are pushed, and several may share a content id. The vector is
    /// scaled to length 1; one that is zero or not finite is rejected, and the segment stays as it was.
    pub fn push(&mut self, content_id: u64, vector: &[f32]) -> Result<(), SegmentError> {
        self.check_not_failed()?;
        if self.content_ids.len() >= u32::MAX as usize {
            let path = self.pending.path().to_owned();
            return Err(SegmentError::TooManyRows { path, limit: u32::MAX });
        }
        self.row.fill_from_vector(vector, self.info.dimension)?;
        self.push_filled(content_id)
    }

    /// Adds a row of a segment of the same dimension, bit by bit.
    pub(crate) fn push_stored(
        &mut self,
        content_id: u64,
        half_row: &[u8],
    ) -> Result<(), SegmentError> {
        self.check_not_failed()?;
        self.row.half_bytes.copy_from_slice(half_row);
        self.push_filled(content_id)
    }

    /// Completes the file, brings it to disk and gives it its name.
    pub fn finish(mut self) -> Result<SegmentSummary, SegmentError> {
        self.check_not_failed()?;
        let written = self.write_flat().and_then(|()| self.write_header(SegmentKind::Flat));
        let summary = self.note_failure(written)?;
        self.commit(summary)
    }

    fn push_filled(&mut self, content_id: u64) -> Result<(), SegmentError> {
        let written = self.out.write_bytes(&self.row.half_bytes);
        self.note_failure(written)?;
        self.content_ids.push(content_id);
        self.row.decode_halves();
        for (sum, component) in self.sum.iter_mut().zip(&self.row.components) {
            *sum += f64::from(*component);
        }
        Ok(())
    }

    fn commit(self, summary: SegmentSummary) -> Result<SegmentSummary, SegmentError> {
        let SegmentWriter { pending, out, .. } = self;
        let path = pending.path().to_owned();
        let committed = out.into_file().and_then(|file| pending.commit(file));
        committed.map_err(|e| SegmentError::from_io(&path, "complete", e))?;
        Ok(summary)
    }

    fn from_pending(
        pending: PendingFile,
        file: File,
        info: SegmentInfo,
    ) -> Result<SegmentWriter, SegmentError> {
        let path = pending.path().to_owned();
        let out = SectionWriter::new(file).map_err(|e| SegmentError::from_io(&path, "write", e))?;
        let width = padded_width(info.dimension) as usize;
        let (row, sum) = (RowBuffer::new(width), vec![0.0; width]);
        Ok(SegmentWriter { pending, info, out, content_ids: Vec::new(), sum, row, failed: false })
    }

    /// Writes the sections that every segment has.
    fn write_flat(&mut self) -> io::Result<()> {
        self.out.end_section(SectionKind::HALVES)?;
        let scales = self.write_quantized_codes()?;
        self.out.end_section(SectionKind::QUANTIZED_CODES)?;
        for scale in scales {
            self.out.write_bytes(&scale.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::SCALES)?;
        for content_id in &self.content_ids {
            self.out.write_bytes(&content_id.to_le_bytes())?;
        }
        self.out.end_section(SectionKind::CONTENT_IDS)
    }

    /// Writes the header, with which the file is complete.
    fn write_header(&mut self, kind: SegmentKind) -> io::Result<SegmentSummary> {
        let rows = self.row_count();
        let header = SegmentHeader {
            kind,
            info: self.info,
            rows,
            file_length: self.out.position(),
            sections: self.out.sections().to_vec(),
        };
        self.out.write_header(&header.encode())?;
        Ok(SegmentSummary { rows, bytes: header.file_length })
    }

    /// Writes the codes of all rows; returns the scales.
    fn write_quantized_codes(&mut self) -> io::Result<Vec<f32>> {
        let mut codes = vec![0_i8; self.row.components.len()];
        let mut scales = Vec::with_capacity(self.content_ids.len());
        let mut bytes = vec![0; codes.len()];
        self.for_each_row(|out, components| {
            scales.push(quantize_vector(components, &mut codes));
            let pairs = bytes.iter_mut().zip(&codes);
            pairs.for_each(|(byte, code)| *byte = code.cast_unsigned());
            out.write_bytes(&bytes)
        })?;
        Ok(scales)
    }

    /// Reads the half-precision rows back and calls `each` with their components.
    fn for_each_row(
        &mut self,
        mut each: impl FnMut(&mut SectionWriter, &[f32]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.flush()?;
        let mut file = self.pending.open_for_reading()?;
        file.seek(SeekFrom::Start(HEADER_SIZE as u64))?;
        let mut halves = BufReader::with_capacity(1 << 20, file);
        for _ in 0..self.content_ids.len() {
            halves.read_exact(&mut self.row.half_bytes)?;
            self.row.decode_halves();
            each(&mut self.out, &self.row.components)?;
        }
        Ok(())
    }

    fn row_count(&self) -> u32 {
        u32::try_from(self.content_ids.len()).expect("push bounds the rows")
    }

    fn check_not_failed(&self) -> Result<(), SegmentError> {
        if self.failed {
            return Err(SegmentError::WriterFailed { path: self.pending.path().to_owned() });
        }
        Ok(())
    }

    fn note_failure<T>(&mut self, result: io::Result<T>) -> Result<T, SegmentError> {
        self.failed |= result.is_err();
        result.map_err(|e| SegmentError::from_io(self.pending.path(), "write", e))
    }
}

impl RowBuffer {
    fn new(width: usize) -> RowBuffer {
        RowBuffer {
            components: vec![0.0; width],
            halves: vec![f16::ZERO; width],
            half_bytes: vec![0; 2 * width],
        }
    }

    /// From a vector to its stored bytes.
    fn fill_from_vector(&mut self, vector: &[f32], dimension: u32) -> Result<(), VectorError> {
        normalise_vector(vector, dimension, &mut self.components)?;
        self.halves.convert_from_f32_slice(&self.components);
        let (bytes, _) = self.half_bytes.as_chunks_mut::<2>();
        for (bytes, half) in bytes.iter_mut().zip(&self.halves) {
            *bytes = half.to_le_bytes();
        }
        Ok(())
    }

    /// From stored bytes back to components.
    fn decode_halves(&mut self) {
        let (bytes, _) = self.half_bytes.as_chunks::<2>();
        for (half, bytes) in self.halves.iter_mut().zip(bytes) {
            *half = f16::from_le_bytes(*bytes);
        }
        self.halves.convert_to_f32_slice(&mut self.components);
    }
}
