//! Gathers the documents in files: archives are opened, also within archives, and other members skipped.

use std::{
    fs::File,
    io::{Cursor, Read, Seek},
    path::Path,
};

use super::extraction::{ArchiveMember, MemberFate};
use super::signature::{FileSignature, SIGNATURE_BYTES, detect_file, foreign_archive};
use document::Limits;
use document::{Archive, ArchiveEntry, UnpackBudget};
use document::{ExtractError, LimitKind, one_line};
use domain::{ReadingCheck, ReadingCheckKind};
use word::{TextFormat, is_package};

/// Extensions of code that is stored beside a document. Other files of an archive, such as spreadsheets and pictures,
/// are not texts of the specification.
const CODE_EXTENSIONS: [&str; 16] = [
    "yaml", "yml", "asn", "asn1", "json", "xsd", "xml", "proto", "mib", "idl", "wsdl", "yang",
    "ddf", "dtd", "ttcn", "sdl",
];

/// Maximum bytes between `DEFINITIONS` and `::=` in the head of an ASN.1 module: its tags and extensibility are there.
const MAX_MODULE_HEAD_BYTES: usize = 100;

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
    /// The bytes of a text in another format.
    Text(TextFormat, Vec<u8>),
    /// The text of a file of code.
    Code(String),
}

/// The sources of some files, and the outcome of every member.
pub(super) struct GatheredSources {
    pub(super) sources: Vec<TextSource>,
    pub(super) members: Vec<ArchiveMember>,
    /// Members that are documents and cannot be read, by name.
    pub(super) errors: Vec<(String, ExtractError)>,
    /// Archives that are not read because of their format.
    pub(super) unread_archives: Vec<ExtractError>,
    /// The members of archives, and those that were left out.
    pub(super) files: ReadingCheck,
}

/// Opens files one after the other.
pub(super) struct SourceGatherer<'a> {
    limits: &'a Limits,
    budget: &'a UnpackBudget,
    gathered: GatheredSources,
}

impl<'a> SourceGatherer<'a> {
    pub(super) fn new(limits: &'a Limits, budget: &'a UnpackBudget) -> Self {
        let (sources, members, errors, unread_archives) = Default::default();
        let files = ReadingCheck::new(ReadingCheckKind::Parts);
        let gathered = GatheredSources { sources, members, errors, unread_archives, files };
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
        let mut start = [0; SIGNATURE_BYTES];
        let read = read_start(&mut file, &mut start).map_err(io_error)?;
        let signature = detect_file(&start[..read], &mut file).map_err(io_error)?;
        file.rewind().map_err(io_error)?;
        if signature == FileSignature::Zip {
            return self.gather_zip(Box::new(file), &name, &name, 1, None);
        }
        if matches!(signature, FileSignature::Ole | FileSignature::Text(_))
            && metadata.len() > self.limits.part_bytes
        {
            let limit = self.limits.part_bytes;
            return Err(ExtractError::limit_exceeded(&name, LimitKind::PartBytes, limit));
        }
        let mut bytes = Vec::new();
        if matches!(signature, FileSignature::Ole | FileSignature::Text(_)) {
            file.take(self.limits.part_bytes).read_to_end(&mut bytes).map_err(io_error)?;
        }
        self.gather_document(bytes, signature, &name, &name, None)
    }

    /// Adds the source of a file that is not a zip archive.
    fn gather_document(
        &mut self,
        bytes: Vec<u8>,
        signature: FileSignature,
        name: &str,
        outer: &str,
        fingerprint: Option<(u64, u32)>,
    ) -> Result<(), ExtractError> {
        let content = match signature {
            FileSignature::Ole => SourceContent::Doc(bytes),
            FileSignature::Text(format) if format.is_package() => {
                let package = word::rebuild_package(&bytes, format, name, self.limits)?;
                let package: Box<dyn ReadSeek> = Box::new(Cursor::new(package));
                SourceContent::Docx(Archive::open_zip(package, name, self.limits)?)
            }
            FileSignature::Text(format) => SourceContent::Text(format, bytes),
            FileSignature::Empty => return Err(ExtractError::Empty { name: name.to_owned() }),
            FileSignature::Zip => return Err(unsupported_file(name, "a zip archive")),
            FileSignature::Other(found) => return Err(unsupported_file(name, found)),
        };
        self.add_source(name, outer, content, fingerprint);
        Ok(())
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
        let first = self.gathered.members.len();
        match self.open_member(archive, entry, name, outer, level) {
            Err(error @ ExtractError::Limit { .. }) => return Err(error),
            Err(error) => {
                self.record_member(name, MemberFate::Skipped(error.to_string()));
                if is_document(&entry.name) {
                    self.gathered.errors.push((name.to_owned(), error));
                    return Ok(());
                }
            }
            Ok(()) => {}
        }
        if let Some(ArchiveMember { name, fate }) = self.gathered.members.get(first) {
            let is_read = !matches!(fate, MemberFate::Skipped(_));
            self.gathered.files.count_one(is_read, || format!("'{name}' ({} bytes)", entry.bytes));
        }
        Ok(())
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
        if let Some(found) = foreign_archive(&extension) {
            self.gathered.unread_archives.push(unsupported_file(name, found));
        }
        // Code that the authors saved as plain text.
        let is_text = extension == "txt" && entry.bytes <= self.limits.code_bytes;
        let code = is_text || CODE_EXTENSIONS.contains(&extension.as_str());
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
            let text = decode_code_text(&bytes);
            if is_text && !is_code(&text) {
                let reason = "plain text that is not code".to_owned();
                self.record_member(name, MemberFate::Skipped(reason));
            } else if !bytes.is_empty() {
                self.add_source(name, outer, SourceContent::Code(text), fingerprint);
            }
            return Ok(());
        }
        let start = &bytes[..bytes.len().min(SIGNATURE_BYTES)];
        let signature = detect_file(start, &mut Cursor::new(&bytes));
        match signature.map_err(|error| ExtractError::from_io(name, &error))? {
            FileSignature::Zip => {
                self.gather_zip(Box::new(Cursor::new(bytes)), name, outer, level + 1, fingerprint)
            }
            signature => self.gather_document(bytes, signature, name, outer, fingerprint),
        }
    }
}

fn unsupported_file(name: &str, found: &str) -> ExtractError {
    ExtractError::Unsupported { name: name.to_owned(), found: found.to_owned() }
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
    matches!(file_extension(name).as_str(), "docx" | "docm" | "doc" | "rtf")
}

/// The extension in lower case, without the dot.
pub(super) fn file_extension(name: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

/// Whether a text is a module of ASN.1 or an OpenAPI file, by their first lines.
fn is_code(text: &str) -> bool {
    let has_module = || {
        let head = text.split_once("DEFINITIONS")?.1.split_once("::=")?;
        let is_short = head.0.len() <= MAX_MODULE_HEAD_BYTES && !head.0.contains(['.', ';']);
        Some(is_short && head.1.trim_start().starts_with("BEGIN"))
    };
    has_module().unwrap_or(false) || text.lines().any(|line| line.starts_with("openapi:"))
}

/// Code as text: UTF-16 with a byte order mark, UTF-8, otherwise Latin-1.
fn decode_code_text(bytes: &[u8]) -> String {
    let utf_16 = |bytes: &[u8], to_unit: fn([u8; 2]) -> u16| {
        let (units, _) = bytes.as_chunks::<2>();
        let units = units.iter().map(|unit| to_unit(*unit));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => return utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf_16(rest, u16::from_be_bytes),
        _ => {}
    }
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
        assert_eq!(decode_code_text(b"\xff\xfea\0\xe9\0"), "a\u{e9}");
        assert_eq!(decode_code_text(b"\xfe\xff\0a"), "a");
    }

    #[test]
    fn plain_text_is_code_if_it_has_a_module() {
        for (text, expected) in [
            ("M DEFINITIONS AUTOMATIC TAGS ::=\n\nBEGIN\nEND", true),
            ("-- a comment\nM {itu-t (0)}\nDEFINITIONS ::= BEGIN END", true),
            ("openapi: 3.0.0\ninfo:", true),
            ("The DEFINITIONS are in clause 3. A value ::= BEGIN", false),
            ("Read me first", false),
            ("", false),
        ] {
            assert_eq!(is_code(text), expected, "{text}");
        }
    }
}
