//! The full check of a segment: every byte of the file is read and accounted for.

#[cfg(test)]
mod tests;

use half::f16;

use crate::error::FileFault;
use crate::error::SegmentError;
use crate::mapped::AccessPattern;
use crate::section::SectionTableEntry;
use crate::section::compute_checksum;
use crate::section_kind::SectionKind;
use crate::segment::Segment;

impl Segment {
    /// Reads the whole file: sections match their checksums, padding is zero, numbers are finite.
    ///
    /// The header was checked when the segment was opened.
    pub fn verify(&self) -> Result<(), SegmentError> {
        self.advise_access(AccessPattern::Sequential);
        let mut sections = self.header().sections.iter();
        let checked = sections
            .try_for_each(|section| check_section(self.file_bytes(), section))
            .and_then(|()| check_scales(self))
            .and_then(|()| check_halves(self))
            .and_then(|()| check_graph(self))
            .map_err(|fault| SegmentError::from_fault(self.path(), fault));
        self.advise_access(AccessPattern::Random);
        checked
    }
}

/// Checks a section and the padding after it.
fn check_section(file: &[u8], section: &SectionTableEntry) -> Result<(), FileFault> {
    let out_of_place = FileFault::SectionMisplaced(section.kind);
    let (start, end, padded_end) = section_bounds(section).ok_or(out_of_place)?;
    let bytes = file.get(start..end).ok_or(out_of_place)?;
    if compute_checksum(bytes) != section.checksum {
        return Err(FileFault::SectionChecksum(section.kind));
    }
    let padding = file.get(end..padded_end).ok_or(out_of_place)?;
    match padding.iter().position(|byte| *byte != 0) {
        Some(position) => Err(FileFault::Padding { offset: (end + position) as u64 }),
        None => Ok(()),
    }
}

fn section_bounds(section: &SectionTableEntry) -> Option<(usize, usize, usize)> {
    let start = usize::try_from(section.offset).ok()?;
    let end = start.checked_add(usize::try_from(section.length).ok()?)?;
    let padded_end = usize::try_from(section.next_offset()?).ok()?;
    Some((start, end, padded_end))
}

fn check_scales(segment: &Segment) -> Result<(), FileFault> {
    let section = SectionKind::SCALES;
    for (row, scale) in (0..).zip(segment.scales()) {
        let scale = f32::from_le_bytes(*scale);
        if !(scale.is_finite() && scale > 0.0) {
            return Err(FileFault::Number { section, row });
        }
    }
    Ok(())
}

fn check_halves(segment: &Segment) -> Result<(), FileFault> {
    let section = SectionKind::HALVES;
    for row in 0..segment.row_count() {
        let bytes = segment.half_row(row).unwrap_or_default();
        let (halves, _) = bytes.as_chunks::<2>();
        if !halves.iter().all(|half| f16::from_le_bytes(*half).is_finite()) {
            return Err(FileFault::Number { section, row });
        }
    }
    Ok(())
}

/// Every edge of the graph leads to a row, and every factor of the binary codes is finite.
fn check_graph(segment: &Segment) -> Result<(), FileFault> {
    let (Some(graph), Some(binary_table)) = (segment.graph(), segment.binary_table()) else {
        return Ok(());
    };
    let section = SectionKind::BINARY_FACTORS;
    for (row, factors) in (0..).zip(binary_table.factors) {
        let (numbers, _) = factors.as_chunks::<4>();
        if !numbers.iter().all(|number| f32::from_le_bytes(*number).is_finite()) {
            return Err(FileFault::Number { section, row });
        }
    }
    match graph.find_stray_edge(segment.row_count()) {
        Some((section, row)) => Err(FileFault::Number { section, row }),
        None => Ok(()),
    }
}
