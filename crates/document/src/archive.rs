//! Zip archives under limits: entries are counted, names checked, and unpacked bytes metered.

use std::{
    cell::Cell,
    io::{self, Read, Seek},
};

use zip::{CompressionMethod, SUPPORTED_COMPRESSION_METHODS, ZipArchive, result::ZipError};

use crate::error::{ExtractError, LimitKind};
use crate::limits::Limits;
use crate::progress::ReadingObserver;

/// Maximum dictionary of an entry that is compressed by LZMA, which is reserved before the first byte comes out. It may
/// claim 4 GiB; packers use 64 MiB at most.
const MAX_DICTIONARY_BYTES: u32 = 64 << 20;

/// The unpacked bytes that may still be read of one file with all its nested archives, and the observer of its
/// progress.
#[derive(Debug)]
pub struct UnpackBudget {
    bytes_left: Cell<u64>,
    total_bytes: u64,
    observer: Option<ReadingObserver>,
}

impl UnpackBudget {
    /// The budget of a file that was just opened.
    pub fn new(limits: &Limits) -> Self {
        let total_bytes = limits.archive_bytes;
        Self { bytes_left: Cell::new(total_bytes), total_bytes, observer: None }
    }

    /// The same, with an observer that receives the share of the file that is read, 0 to 1.
    pub fn with_observer(limits: &Limits, hear: impl Fn(f64) + 'static) -> Self {
        Self { observer: Some(ReadingObserver::new(hear)), ..Self::new(limits) }
    }

    /// Reports that the reading of one of several equal parts of the file begins.
    pub fn begin_part(&self, index: usize, count: usize) {
        self.observer.iter().for_each(|observer| observer.begin_part(index, count));
    }

    /// Reports how much of the current part is read, 0 to 1.
    pub(crate) fn report_share(&self, share: f64) {
        self.observer.iter().for_each(|observer| observer.report_share(share));
    }

    /// Spends bytes of the budget. A request for more than is left fails and uses up the rest, so that no smaller
    /// request succeeds after it.
    fn spend_bytes(&self, bytes: u64) -> bool {
        let left = self.bytes_left.get().checked_sub(bytes);
        self.bytes_left.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// What the directory of an archive says about one entry.
#[derive(Debug, Clone)]
pub struct ArchiveEntry {
    /// Name with folders, `/` between them.
    pub name: String,
    /// Unpacked bytes as declared.
    pub bytes: u64,
    /// Checksum as declared; equal files have equal ones.
    pub crc: u32,
    /// Whether a password protects it.
    pub encrypted: bool,
    /// Whether it is a folder.
    pub directory: bool,
    /// Whether the name stays inside the archive's folder and the entry is not a symbolic link.
    pub safe: bool,
}

/// An open archive.
pub struct Archive<R> {
    zip: ZipArchive<R>,
    entries: Vec<ArchiveEntry>,
    /// Whether each entry was opened.
    opened: Vec<bool>,
}

impl<R: Read + Seek> Archive<R> {
    /// Opens an archive and reads its directory.
    pub fn open_zip(source: R, name: &str, limits: &Limits) -> Result<Self, ExtractError> {
        let mut zip = ZipArchive::new(source).map_err(|error| zip_error(name, &error))?;
        // A package contains a part for every picture and equation; an archive contains documents.
        let package = zip.index_for_name("[Content_Types].xml").is_some();
        let limit = if package { limits.package_entries } else { limits.entries };
        if zip.len() > limit {
            return Err(ExtractError::limit_exceeded(name, LimitKind::Entries, limit as u64));
        }
        let mut entries = Vec::with_capacity(zip.len());
        for index in 0..zip.len() {
            let file = zip.by_index_raw(index).map_err(|error| zip_error(name, &error))?;
            let entry_name = match file.name() {
                Ok(entry_name) => entry_name.replace('\\', "/"),
                Err(_) => String::from_utf8_lossy(file.name_raw()).replace('\\', "/"),
            };
            let safe = is_safe_path(&entry_name) && !file.is_symlink();
            entries.push(ArchiveEntry {
                safe,
                bytes: file.size(),
                crc: file.crc32(),
                encrypted: file.encrypted(),
                directory: file.is_dir() || entry_name.ends_with('/'),
                name: entry_name,
            });
        }
        let opened = vec![false; entries.len()];
        Ok(Self { zip, entries, opened })
    }

    /// The entries in the order of the directory.
    pub fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// The entries, and whether each was opened so far.
    pub fn visited_entries(&self) -> impl Iterator<Item = (&ArchiveEntry, bool)> {
        self.entries.iter().zip(self.opened.iter().copied())
    }

    /// Unpacked bytes of an entry, as declared; `None` if there is no such entry.
    pub fn entry_bytes(&self, name: &str) -> Option<u64> {
        self.find_index(name).map(|index| self.entries[index].bytes)
    }

    /// Whether there is an entry of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.find_index(name).is_some()
    }

    /// Part names are case-insensitive in packages; an exact match is preferred.
    fn find_index(&self, name: &str) -> Option<usize> {
        let exact = self.entries.iter().position(|entry| entry.name == name);
        exact.or_else(|| self.entries.iter().position(|e| e.name.eq_ignore_ascii_case(name)))
    }

    /// A metered reader of the entry `part`, which messages call `label`; `None` if the archive has no such entry.
    pub fn open_entry<'a>(
        &'a mut self,
        part: &str,
        label: &str,
        limits: &Limits,
        budget: &'a UnpackBudget,
    ) -> Result<Option<impl Read + use<'a, R>>, ExtractError> {
        let Some(index) = self.find_index(part) else { return Ok(None) };
        let entry = &self.entries[index];
        if entry.encrypted {
            return Err(ExtractError::Encrypted { name: label.to_owned() });
        }
        // As declared, to reject it before it is unpacked; the reader counts the actual bytes.
        if entry.bytes > limits.part_bytes {
            return Err(ExtractError::limit_exceeded(
                label,
                LimitKind::PartBytes,
                limits.part_bytes,
            ));
        }
        self.check_method(index, label)?;
        if let Some(opened) = self.opened.get_mut(index) {
            *opened = true;
        }
        let file = self.zip.by_index(index).map_err(|error| zip_error(label, &error))?;
        let packed_bytes = file.compressed_size().max(1);
        Ok(Some(MeteredReader {
            file,
            unpacked_bytes: 0,
            packed_bytes,
            label: label.to_owned(),
            limits: limits.clone(),
            budget,
        }))
    }

    /// Rejects an entry that cannot be unpacked, or not in little memory.
    fn check_method(&mut self, index: usize, label: &str) -> Result<(), ExtractError> {
        let mut raw = self.zip.by_index_raw(index).map_err(|error| zip_error(label, &error))?;
        let method = raw.compression();
        // The library does not list it.
        let is_lzma = method == CompressionMethod::LZMA;
        if !is_lzma && !SUPPORTED_COMPRESSION_METHODS.contains(&method) {
            let found = format!("compressed by a method that is not read ({method})");
            return Err(ExtractError::Unsupported { name: label.to_owned(), found });
        }
        if !is_lzma {
            return Ok(());
        }
        // Version and size of the properties, and the properties: one byte and the size (APPNOTE 5.8.8).
        let mut head = [0; 9];
        raw.read_exact(&mut head).map_err(|error| ExtractError::damaged_file(label, error))?;
        let [.., a, b, c, d] = head;
        let bytes = u32::from_le_bytes([a, b, c, d]);
        if bytes > MAX_DICTIONARY_BYTES {
            let found =
                format!("compressed with a dictionary of {bytes} bytes, which is too large");
            return Err(ExtractError::Unsupported { name: label.to_owned(), found });
        }
        Ok(())
    }

    /// The whole of an entry.
    pub fn read_entry(
        &mut self,
        part: &str,
        label: &str,
        limits: &Limits,
        budget: &UnpackBudget,
    ) -> Result<Vec<u8>, ExtractError> {
        let missing =
            || ExtractError::MissingPart { name: label.to_owned(), part: part.to_owned() };
        let mut source = self.open_entry(part, label, limits, budget)?.ok_or_else(missing)?;
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).map_err(|error| read_error(label, &error))?;
        Ok(bytes)
    }
}

/// Whether a name is a relative path without a drive and without `..`.
fn is_safe_path(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('/')
        && !name.contains('\0')
        && name.as_bytes().get(1) != Some(&b':')
        && name.split('/').all(|part| part != "..")
}

/// Counts the unpacked bytes and stops at the limits, whatever the directory declares.
struct MeteredReader<'a, R: Read> {
    file: R,
    unpacked_bytes: u64,
    packed_bytes: u64,
    label: String,
    limits: Limits,
    budget: &'a UnpackBudget,
}

impl<R: Read> MeteredReader<'_, R> {
    fn check_limits(&self, read: u64) -> Result<(), ExtractError> {
        let limits = &self.limits;
        if !self.budget.spend_bytes(read) {
            return Err(ExtractError::limit_exceeded(
                &self.label,
                LimitKind::ArchiveBytes,
                self.budget.total_bytes,
            ));
        }
        if self.unpacked_bytes > limits.part_bytes {
            return Err(ExtractError::limit_exceeded(
                &self.label,
                LimitKind::PartBytes,
                limits.part_bytes,
            ));
        }
        if self.unpacked_bytes > limits.ratio_floor_bytes
            && self.unpacked_bytes / self.packed_bytes > limits.ratio
        {
            return Err(ExtractError::limit_exceeded(&self.label, LimitKind::Ratio, limits.ratio));
        }
        Ok(())
    }
}

impl<R: Read> Read for MeteredReader<'_, R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(target)?;
        self.unpacked_bytes = self.unpacked_bytes.saturating_add(read as u64);
        self.check_limits(read as u64).map_err(io::Error::other)?;
        Ok(read)
    }
}

/// The error that stopped a reader: an exceeded limit passed through, or damage.
pub(crate) fn read_error(name: &str, error: &io::Error) -> ExtractError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ExtractError>());
    inner.cloned().unwrap_or_else(|| ExtractError::damaged_file(name, error))
}

fn zip_error(name: &str, error: &ZipError) -> ExtractError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            ExtractError::Encrypted { name: name.to_owned() }
        }
        _ => ExtractError::damaged_file(name, error),
    }
}

#[cfg(test)]
mod tests {
    use crate::archive::*;

    #[test]
    fn names_that_lead_out_are_not_safe() {
        for name in ["../a.docx", "/etc/x", "a/../../b", "c:/x", "", "a\0b"] {
            assert!(!is_safe_path(name), "{name}");
        }
        assert!(is_safe_path("folder/38331-i00.docx") && is_safe_path("a..b.docx"));
    }

    #[test]
    fn parts_are_found_in_any_case_and_visited_when_they_are_opened() {
        let mut bytes = io::Cursor::new(Vec::new());
        let mut writer = zip::ZipWriter::new(&mut bytes);
        for name in ["Word/Document.xml", "word/document2.xml"] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
        }
        writer.finish().expect("a zip");
        let limits = Limits::default();
        let mut archive = Archive::open_zip(bytes, "x", &limits).expect("a zip");
        assert!(archive.contains("word/document.XML") && !archive.contains("word/document"));
        archive
            .read_entry("word/DOCUMENT.xml", "x", &limits, &UnpackBudget::new(&limits))
            .expect("a part");
        let opened: Vec<bool> = archive.visited_entries().map(|(_, opened)| opened).collect();
        assert_eq!(opened, [true, false]);
    }

    #[test]
    fn a_budget_is_spent_once() {
        let budget = UnpackBudget::new(&Limits { archive_bytes: 10, ..Limits::default() });
        assert!(budget.spend_bytes(6) && !budget.spend_bytes(6) && !budget.spend_bytes(1));
    }
}
