//! Gathers the documents in files: archives are opened, also within archives, and other members skipped.

use std::{
    fs::File,
    io::{Cursor, Read, Seek},
    path::Path,
};

use super::extraction::{ArchiveMember, MemberFate};
use document::Limits;
use document::{Archive, ArchiveEntry, UnpackBudget};
use document::{ExtractError, LimitKind, one_line};
use word::is_package;

const OLE_MAGIC: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// Extensions of code that is stored beside a document. Other files of an archive, such as spreadsheets and pictures,
/// are not texts of the specification.
const CODE_EXTENSIONS: [&str; 16] = [
    "yaml", "yml", "asn", "asn1", "json", "xsd", "xml", "proto", "mib", "idl", "wsdl", "yang",
    "ddf", "dtd", "ttcn", "sdl",
];

/// Bytes that can be read from the start again.
pub(super) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// A text to read, or code to store.
pub(super) struct TextSource {
    /// Path within the archives.
    pub(super) name: String,
    /// Name of the outermost file, which may identify the document if the member's name does not.
    pub(super) outer_name: String,
    pub(super) content: SourceContent,
    /// Index in the list of members.
    pub(super) member_index: usize,
    /// Size and checksum of a member, which copies share.
    pub(super) fingerprint: Option<(u64, u32)>,
}

/// The content of a source.
pub(super) enum SourceContent {
    /// A Word package.
    Docx(Archive<Box<dyn ReadSeek>>),
    /// The bytes of a legacy Word file.
    Doc(Vec<u8>),
    /// The text of a file of code.
    Code(String),
}

/// The sources of some files, and the outcome of every member.
pub(super) struct GatheredSources {
    pub(super) sources: Vec<TextSource>,
    pub(super) members: Vec<ArchiveMember>,
    /// Members that are documents and cannot be read, by name.
    pub(super) errors: Vec<(String, ExtractError)>,
}

/// Opens files one after the other.
pub(super) struct SourceGatherer<'a> {
    limits: &'a Limits,
    budget: &'a UnpackBudget,
    gathered: GatheredSources,
}

impl<'a> SourceGatherer<'a> {
    pub(super) fn new(limits: &'a Limits, budget: &'a UnpackBudget) -> Self {
        let gathered =
            GatheredSources { sources: Vec::new(), members: Vec::new(), errors: Vec::new() };
        Self { limits, budget, gathered }
    }

    /// The gathered sources.
    pub(super) fn into_gathered(self) -> GatheredSources {
        self.gathered
    }

    /// Opens a file of any kind.
    pub(super) fn gather_file(&mut self, path: &Path) -> Result<(), ExtractError> {
        let name = one_line(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
        let io_error = |error: std::io::Error| ExtractError::from_io(&name, &error);
        // Checked before opening, which would block forever on a named pipe.
        let metadata = std::fs::metadata(path).map_err(io_error)?;
        if !metadata.is_file() {
            let found = "not a regular file".to_owned();
            return Err(ExtractError::Unsupported { name, found });
        }
        let mut file = File::open(path).map_err(io_error)?;
        let mut start = [0; 512];
        let read = read_start(&mut file, &mut start).map_err(io_error)?;
        file.rewind().map_err(io_error)?;
        match detect_signature(&start[..read]) {
            FileSignature::Zip => self.gather_zip(Box::new(file), &name, &name, 1, None),
            FileSignature::Ole => {
                if metadata.len() > self.limits.part_bytes {
                    let limit = self.limits.part_bytes;
                    return Err(ExtractError::limit_exceeded(&name, LimitKind::PartBytes, limit));
                }
                let mut bytes = Vec::new();
                file.take(self.limits.part_bytes).read_to_end(&mut bytes).map_err(io_error)?;
                self.add_source(&name, &name, SourceContent::Doc(bytes), None);
                Ok(())
            }
            FileSignature::Empty => Err(ExtractError::Empty { name }),
            FileSignature::Other(found) => {
                Err(ExtractError::Unsupported { name, found: found.to_owned() })
            }
        }
    }

    fn add_source(
        &mut self,
        name: &str,
        outer: &str,
        content: SourceContent,
        fingerprint: Option<(u64, u32)>,
    ) {
        let fate = if matches!(content, SourceContent::Code(_)) {
            MemberFate::Code
        } else {
            MemberFate::Text
        };
        let member = self.record_member(name, fate);
        let (name, outer) = (name.to_owned(), outer.to_owned());
        self.gathered.sources.push(TextSource {
            name,
            outer_name: outer,
            content,
            member_index: member,
            fingerprint,
        });
    }

    fn record_member(&mut self, name: &str, fate: MemberFate) -> usize {
        self.gathered.members.push(ArchiveMember { name: name.to_owned(), fate });
        self.gathered.members.len() - 1
    }

    fn gather_zip(
        &mut self,
        source: Box<dyn ReadSeek>,
        name: &str,
        outer: &str,
        level: usize,
        fingerprint: Option<(u64, u32)>,
    ) -> Result<(), ExtractError> {
        let mut archive = Archive::open_zip(source, name, self.limits)?;
        if is_package(&archive) {
            self.add_source(name, outer, SourceContent::Docx(archive), fingerprint);
            return Ok(());
        }
        if level > self.limits.zip_levels {
            let limit = self.limits.zip_levels as u64;
            return Err(ExtractError::limit_exceeded(name, LimitKind::ZipLevels, limit));
        }
        self.record_member(name, MemberFate::Opened);
        for entry in archive.entries().to_vec() {
            if entry.directory {
                continue;
            }
            let member = format!("{name}/{}", one_line(&entry.name));
            match junk_reason(&entry) {
                Some(reason) => {
                    self.record_member(&member, MemberFate::Skipped(reason.to_owned()));
                }
                None => self.gather_member(&mut archive, &entry, &member, outer, level)?,
            }
        }
        Ok(())
    }

    /// Opens a member; an exceeded limit ends the reading of the whole file, because it bounds all members together.
    fn gather_member(
        &mut self,
        archive: &mut Archive<Box<dyn ReadSeek>>,
        entry: &ArchiveEntry,
        name: &str,
        outer: &str,
        level: usize,
    ) -> Result<(), ExtractError> {
        let opened = self.open_member(archive, entry, name, outer, level);
        match opened {
            Err(error @ ExtractError::Limit { .. }) => Err(error),
            Err(error) => {
                self.record_member(name, MemberFate::Skipped(error.to_string()));
                if is_document(&entry.name) {
                    self.gathered.errors.push((name.to_owned(), error));
                }
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn open_member(
        &mut self,
        archive: &mut Archive<Box<dyn ReadSeek>>,
        entry: &ArchiveEntry,
        name: &str,
        outer: &str,
        level: usize,
    ) -> Result<(), ExtractError> {
        let extension = file_extension(&entry.name);
        let code = CODE_EXTENSIONS.contains(&extension.as_str());
        if code && entry.bytes > self.limits.code_bytes {
            let reason = "larger than the limit for code files".to_owned();
            self.record_member(name, MemberFate::Skipped(reason));
            return Ok(());
        }
        if !code && !is_document(&entry.name) && extension != "zip" {
            self.record_member(
                name,
                MemberFate::Skipped("not a document or a known code file".to_owned()),
            );
            return Ok(());
        }
        let bytes = archive.read_entry(&entry.name, name, self.limits, self.budget)?;
        let fingerprint = Some((entry.bytes, entry.crc));
        if code {
            if !bytes.is_empty() {
                self.add_source(
                    name,
                    outer,
                    SourceContent::Code(decode_code_text(&bytes)),
                    fingerprint,
                );
            }
            return Ok(());
        }
        match detect_signature(&bytes) {
            FileSignature::Zip => {
                self.gather_zip(Box::new(Cursor::new(bytes)), name, outer, level + 1, fingerprint)
            }
            FileSignature::Ole => {
                self.add_source(name, outer, SourceContent::Doc(bytes), fingerprint);
                Ok(())
            }
            FileSignature::Empty => Err(ExtractError::Empty { name: name.to_owned() }),
            FileSignature::Other(found) => {
                Err(ExtractError::Unsupported { name: name.to_owned(), found: found.to_owned() })
            }
        }
    }
}

/// The kind of a file by its first bytes: extensions are often wrong.
pub(super) enum FileSignature {
    Zip,
    Ole,
    Empty,
    Other(&'static str),
}

pub(super) fn detect_signature(start: &[u8]) -> FileSignature {
    let text =
        |words: &[u8]| start.get(..words.len()).is_some_and(|s| s.eq_ignore_ascii_case(words));
    match start {
        [] => FileSignature::Empty,
        [b'P', b'K', 3 | 5 | 7, 4 | 6 | 8, ..] => FileSignature::Zip,
        _ if start.starts_with(&OLE_MAGIC) => FileSignature::Ole,
        _ if start.starts_with(b"{\\rtf") => FileSignature::Other("rich text"),
        _ if start.starts_with(b"%PDF") => FileSignature::Other("a PDF"),
        _ if start.starts_with(b"Rar!") => FileSignature::Other("a RAR archive"),
        _ if start.starts_with(b"7z\xbc\xaf") => FileSignature::Other("a 7z archive"),
        _ if text(b"<!doctype html") || text(b"<html") => FileSignature::Other("a web page"),
        _ => FileSignature::Other("a file of unknown type"),
    }
}

/// Why an entry is skipped, if it is junk.
pub(super) fn junk_reason(entry: &ArchiveEntry) -> Option<&'static str> {
    let base = entry.name.rsplit('/').next().unwrap_or(&entry.name);
    if !entry.safe {
        return Some("its path leads outside the archive");
    }
    if entry.name.split('/').any(|part| part == "__MACOSX") || base.starts_with("._") {
        return Some("an operating system file");
    }
    if base == ".DS_Store" || base.eq_ignore_ascii_case("thumbs.db") {
        return Some("an operating system file");
    }
    if base.starts_with("~$") {
        return Some("a lock file of a word processor");
    }
    let template = base.to_ascii_lowercase().contains("template")
        || matches!(file_extension(base).as_str(), "dot" | "dotx" | "dotm");
    template.then_some("a template")
}

fn is_document(name: &str) -> bool {
    matches!(file_extension(name).as_str(), "docx" | "docm" | "doc")
}

/// The extension in lower case, without the dot.
pub(super) fn file_extension(name: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

/// Code as text: UTF-8, otherwise Latin-1.
fn decode_code_text(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn read_start(file: &mut File, start: &mut [u8]) -> std::io::Result<usize> {
    let mut read = 0;
    while read < start.len() {
        match file.read(&mut start[read..])? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_detected_by_their_first_bytes() {
        assert!(matches!(detect_signature(b"PK\x03\x04rest"), FileSignature::Zip));
        assert!(matches!(detect_signature(&OLE_MAGIC), FileSignature::Ole));
        assert!(matches!(detect_signature(b""), FileSignature::Empty));
        assert!(matches!(detect_signature(b"<HTML>"), FileSignature::Other("a web page")));
    }

    #[test]
    fn junk_is_named_and_documents_are_not_junk() {
        let entry = |name: &str| ArchiveEntry {
            name: name.to_owned(),
            bytes: 1,
            crc: 0,
            encrypted: false,
            directory: false,
            safe: true,
        };
        for name in ["__MACOSX/._38331.docx", "~$331-i00.docx", "3gpp_template.docx", "a/x.dotx"] {
            assert!(junk_reason(&entry(name)).is_some(), "{name}");
        }
        assert!(junk_reason(&entry("38331-i00.docx")).is_none());
    }

    #[test]
    fn code_that_is_not_utf_8_is_kept() {
        assert_eq!(decode_code_text(b"\xef\xbb\xbfopenapi: \xe9"), "openapi: \u{e9}");
    }
}
