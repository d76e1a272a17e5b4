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

/// Approximate bytes of a row group. Readers keep one in memory, and so does this program while it writes.
const GROUP_BYTES: usize = 64 << 20;

/// A table in progress. It is removed unless it is put in its place.
pub(crate) struct TableFile {
    path: PathBuf,
    /// Where it is written; `None` once it is in its place. Concurrent exports use different names.
    unfinished: Option<PathBuf>,
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
        let unfinished = folder.join(format!("{name}.{:016x}.unfinished", rand::random::<u64>()));
        Self { path, unfinished: Some(unfinished), about: about.collect(), writer: None, rows: 0 }
    }

    fn unfinished_path(&self) -> &Path {
        self.unfinished.as_deref().unwrap_or(&self.path)
    }

    /// Writes rows.
    pub(crate) fn write(&mut self, batch: RecordBatch) -> Result<(), TableError> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let path = self.unfinished.as_deref().unwrap_or(&self.path);
                let file = File::create(path).map_err(TableError::io("create", path))?;
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

    /// Ends the file and syncs it.
    pub(crate) fn close(&mut self) -> Result<(), TableError> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.into_inner()?;
        file.sync_all().map_err(TableError::io("write", self.unfinished_path()))
    }

    /// Puts the table, which is closed, in its place.
    pub(crate) fn put_in_place(&mut self) -> Result<WrittenTable, TableError> {
        if let Some(unfinished) = &self.unfinished {
            fs::rename(unfinished, &self.path).map_err(TableError::io("rename", unfinished))?;
            self.unfinished = None;
        }
        let bytes = fs::metadata(&self.path).map_err(TableError::io("read", &self.path))?.len();
        Ok(WrittenTable { file: self.path.clone(), rows: self.rows, bytes })
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        if let Some(unfinished) = &self.unfinished {
            let _ = fs::remove_file(unfinished);
        }
    }
}
