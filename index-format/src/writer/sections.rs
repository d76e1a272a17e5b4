//! Lays sections one after another into a file, aligned and with their checksums.

use std::fs::File;
use std::io;
use std::io::BufWriter;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;

use xxhash_rust::xxh3::Xxh3Default;

use crate::header::HEADER_SIZE;
use crate::section::ALIGNMENT;
use crate::section::SectionTableEntry;
use crate::section_kind::SectionKind;

/// Bytes gathered before they go to the file.
const BUFFER_SIZE: usize = 1 << 20;

/// A file that gets its sections in order and its header last.
pub(super) struct SectionWriter {
    out: BufWriter<File>,
    /// Where the next byte goes.
    position: u64,
    /// Where the section being written begins; a multiple of the alignment.
    section_start: u64,
    hasher: Xxh3Default,
    sections: Vec<SectionTableEntry>,
}

impl SectionWriter {
    /// Leaves room for the header: until it is written the file is foreign to every reader.
    pub(super) fn new(file: File) -> io::Result<SectionWriter> {
        let mut out = BufWriter::with_capacity(BUFFER_SIZE, file);
        out.write_all(&[0; HEADER_SIZE])?;
        Ok(SectionWriter {
            out,
            position: HEADER_SIZE as u64,
            section_start: HEADER_SIZE as u64,
            hasher: Xxh3Default::new(),
            sections: Vec::new(),
        })
    }

    /// Adds bytes to the section being written.
    pub(super) fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.position += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Ends the section being written; the next one begins at the next aligned byte.
    pub(super) fn end_section(&mut self, kind: SectionKind) -> io::Result<()> {
        self.sections.push(SectionTableEntry {
            kind,
            offset: self.section_start,
            length: self.position - self.section_start,
            checksum: self.hasher.digest(),
        });
        let next = self.position.next_multiple_of(ALIGNMENT);
        let padding = (next - self.position) as usize;
        self.out.write_all(&[0; ALIGNMENT as usize][..padding])?;
        self.hasher.reset();
        (self.position, self.section_start) = (next, next);
        Ok(())
    }

    pub(super) fn sections(&self) -> &[SectionTableEntry] {
        &self.sections
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes the header, the last thing to be written.
    pub(super) fn write_header(&mut self, header: &[u8; HEADER_SIZE]) -> io::Result<()> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(header)?;
        self.out.flush()
    }

    /// The file, with everything written to it.
    pub(super) fn into_file(self) -> io::Result<File> {
        self.out.into_inner().map_err(|failure| failure.into_error())
    }
}

impl std::fmt::Debug for SectionWriter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("SectionWriter");
        shown.field("position", &self.position).field("sections", &self.sections);
        shown.finish_non_exhaustive()
    }
}
