//! Writes rows of 32-bit floats as a NumPy file, version 1.0 of the format (`numpy.lib.format`).

use std::{
    fs::File,
    io::{BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

/// Bytes before the rows: enough for any shape, and a multiple of 64 as the format requires.
const HEADER_BYTES: usize = 128;
/// The magic string and the version (1.0) at the beginning of the file.
const MAGIC_AND_VERSION: &[u8; 8] = b"\x93NUMPY\x01\x00";
/// Bytes before the description: magic string, version, and the length of the description (2 bytes).
const PREAMBLE_BYTES: usize = MAGIC_AND_VERSION.len() + 2;

/// A file of rows, whose number is written when it is finished.
pub(crate) struct NpyWriter {
    path: PathBuf,
    file: BufWriter<File>,
    columns: u32,
    rows: u64,
}

impl NpyWriter {
    pub(crate) fn create(path: &Path, columns: u32) -> Result<Self> {
        let file =
            File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
        let mut writer =
            Self { path: path.to_owned(), file: BufWriter::new(file), columns, rows: 0 };
        writer.write_header()?;
        Ok(writer)
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: &[f32]) -> Result<()> {
        ensure!(row.len() == self.columns as usize, "one vector differs in length from the others");
        for value in row {
            self.file.write_all(&value.to_le_bytes()).with_context(|| self.error_message())?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Completes the header; returns the number of rows.
    pub(crate) fn finish(mut self) -> Result<u64> {
        self.file.seek(SeekFrom::Start(0)).with_context(|| self.error_message())?;
        self.write_header()?;
        self.file.flush().with_context(|| self.error_message())?;
        Ok(self.rows)
    }

    fn write_header(&mut self) -> Result<()> {
        let (rows, columns) = (self.rows, self.columns);
        let shape = format!("({rows}, {columns})");
        let description = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
        let width = HEADER_BYTES - PREAMBLE_BYTES - 1;
        let length =
            u16::try_from(HEADER_BYTES - PREAMBLE_BYTES).expect("a small constant").to_le_bytes();
        let mut header = MAGIC_AND_VERSION.to_vec();
        header.extend(length);
        header.extend(format!("{description:<width$}\n").bytes());
        self.file.write_all(&header).with_context(|| self.error_message())
    }

    fn error_message(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_header_of_one_size_and_its_rows() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("v.npy");
        let mut writer = NpyWriter::create(&path, 2).expect("made");
        writer.push(&[1.0, -2.0]).expect("written");
        writer.push(&[0.5, 0.0]).expect("written");
        assert!(writer.push(&[1.0]).is_err());
        assert_eq!(writer.finish().expect("written"), 2);
        let bytes = std::fs::read(&path).expect("readable");
        assert_eq!(bytes.len(), HEADER_BYTES + 2 * 2 * 4);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = std::str::from_utf8(&bytes[10..HEADER_BYTES]).expect("text");
        assert!(header.contains("'shape': (2, 2)") && header.ends_with('\n'), "{header}");
        assert_eq!(&bytes[HEADER_BYTES..HEADER_BYTES + 4], &1f32.to_le_bytes());
    }
}
