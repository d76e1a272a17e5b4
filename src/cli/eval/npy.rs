//! Rows of 32-bit numbers in NumPy's own form (version 1.0 of its format).

use std::{
    fs::File,
    io::{BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

/// Bytes before the rows: room for any number of rows, a multiple of 64.
const HEADER: usize = 128;
/// What stands before the description: a mark, the version, and the length of the description.
const PREAMBLE: usize = 10;

/// A file of rows; how many is known at the end.
pub(super) struct NpyWriter {
    path: PathBuf,
    file: BufWriter<File>,
    columns: u32,
    rows: u64,
}

impl NpyWriter {
    pub(super) fn create(path: &Path, columns: u32) -> Result<Self> {
        let file =
            File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
        let mut writer =
            Self { path: path.to_owned(), file: BufWriter::new(file), columns, rows: 0 };
        writer.write_header()?;
        Ok(writer)
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &[f32]) -> Result<()> {
        ensure!(row.len() == self.columns as usize, "a vector has another length than the others");
        for value in row {
            self.file.write_all(&value.to_le_bytes()).with_context(|| self.error_message())?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Ends the file; says how many rows it has.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.file.seek(SeekFrom::Start(0)).with_context(|| self.error_message())?;
        self.write_header()?;
        self.file.flush().with_context(|| self.error_message())?;
        Ok(self.rows)
    }

    fn write_header(&mut self) -> Result<()> {
        let (rows, columns) = (self.rows, self.columns);
        let shape = format!("({rows}, {columns})");
        let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
        let width = HEADER - PREAMBLE - 1;
        let length = u16::try_from(HEADER - PREAMBLE).expect("a small constant").to_le_bytes();
        let mut header = b"\x93NUMPY\x01\x00".to_vec();
        header.extend(length);
        header.extend(format!("{text:<width$}\n").bytes());
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
        assert_eq!(bytes.len(), HEADER + 2 * 2 * 4);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = std::str::from_utf8(&bytes[10..HEADER]).expect("text");
        assert!(header.contains("'shape': (2, 2)") && header.ends_with('\n'), "{header}");
        assert_eq!(&bytes[HEADER..HEADER + 4], &1f32.to_le_bytes());
    }
}
