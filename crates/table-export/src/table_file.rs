//! A table as a file: written under another name, and renamed when it is whole.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use arrow_array::RecordBatch;
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::{metadata::KeyValue, properties::WriterProperties},
};

use crate::{TableError, WrittenTable};

/// Bytes of a row group, about: readers hold one in memory.
const GROUP_BYTES: usize = 64 << 20;

/// A table in progress. What is not finished is removed.
pub(crate) struct TableFile {
    path: PathBuf,
    about: Vec<KeyValue>,
    writer: Option<ArrowWriter<File>>,
    rows: u64,
}

impl TableFile {
    /// Begins a table; its columns are those of the first batch.
    pub(crate) fn create(folder: &Path, name: &str, about: &[(&str, String)]) -> Self {
        let about =
            about.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let path = folder.join(format!("{name}.parquet"));
        Self { path, about: about.collect(), writer: None, rows: 0 }
    }

    fn unfinished_path(&self) -> PathBuf {
        self.path.with_extension("parquet.unfinished")
    }

    /// Writes rows.
    pub(crate) fn write(&mut self, batch: RecordBatch) -> Result<(), TableError> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let path = self.unfinished_path();
                let file = File::create(&path).map_err(TableError::io("create", &path))?;
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::default()))
                    .set_key_value_metadata(Some(self.about.clone()))
                    .build();
                let writer = ArrowWriter::try_new(file, batch.schema(), Some(properties))?;
                self.writer.insert(writer)
            }
        };
        writer.write(&batch)?;
        if writer.in_progress_size() > GROUP_BYTES {
            writer.flush()?;
        }
        self.rows += batch.num_rows() as u64;
        Ok(())
    }

    /// Puts the table in its place.
    pub(crate) fn finish(mut self) -> Result<WrittenTable, TableError> {
        let unfinished = self.unfinished_path();
        if let Some(writer) = self.writer.take() {
            let file = writer.into_inner()?;
            file.sync_all().map_err(TableError::io("write", &unfinished))?;
            fs::rename(&unfinished, &self.path).map_err(TableError::io("rename", &unfinished))?;
        }
        let bytes = fs::metadata(&self.path).map_err(TableError::io("read", &self.path))?.len();
        Ok(WrittenTable { file: self.path.clone(), rows: self.rows, bytes })
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            let _ = fs::remove_file(self.unfinished_path());
        }
    }
}
