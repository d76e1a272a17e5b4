//! Files within a package that the text refers to: inserted files (`w:altChunk`), sub-documents, and embedded objects.
//!
//! What can be read becomes a part of the text, at the position that refers to it. What cannot is named in a warning:
//! a reader of the page would see it, or could open it.

use std::{
    collections::{HashMap, HashSet},
    io::Cursor,
};

use document::{Archive, ExtractError, one_line};
use domain::{ReadingCheck, ReadingCheckKind};

use crate::{
    embedded_object::EmbeddedObject,
    foreign::{TextFormat, read_text_items, rebuild_package},
    item::{BodyItem, ParagraphPosition},
    legacy,
    package_reading::{PackageReading, ReaderNotes},
    part_name::part_extension,
    run_marks::RunMarks,
};

/// Maximum nesting of files within files. A document that embeds itself has no end.
const MAX_LEVELS: usize = 3;
/// Maximum number of files that a warning names.
const MAX_LISTED: usize = 5;

/// What a relationship of the text leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttachmentKind {
    /// A file of any format that Word inserts when it opens the document.
    InsertedFile,
    SubDocument,
    /// A document of another program, or of Word.
    Object,
}

/// A file that a relationship leads to.
#[derive(Debug)]
pub(super) struct AttachedFile {
    pub(super) kind: AttachmentKind,
    /// The name of its part, or the address of a file outside the package.
    pub(super) part: String,
    pub(super) size: u64,
    /// Its bytes; `None` if it is of no format that is read, too large, or outside the package.
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) is_external: bool,
}

impl AttachedFile {
    fn describe(&self) -> String {
        format!("'{}' ({} bytes)", one_line(&self.part), self.size)
    }
}

/// The attached files of a text.
pub(super) struct AttachedFiles<'a> {
    reading: PackageReading<'a>,
    files: HashMap<String, AttachedFile>,
    /// The relationships of pictures whose words are read: metafiles.
    worded_pictures: HashSet<String>,
    /// The relationships of the files that were inserted.
    used: HashSet<String>,
    inserted: Vec<String>,
    opened: Vec<String>,
    notes: ReaderNotes,
    /// The files, and those that were left out.
    left_out: ReadingCheck,
    /// The first limit that was exceeded: it bounds all files together.
    exceeded: Option<ExtractError>,
}

impl<'a> AttachedFiles<'a> {
    pub(super) fn new(
        reading: PackageReading<'a>,
        files: HashMap<String, AttachedFile>,
        worded_pictures: HashSet<String>,
    ) -> Self {
        let (used, inserted, opened, notes) = Default::default();
        let (left_out, exceeded) = (ReadingCheck::new(ReadingCheckKind::Parts), None);
        Self { reading, files, worded_pictures, used, inserted, opened, notes, left_out, exceeded }
    }

    /// Whether pictures are read: a file within another one has other relationships.
    pub(super) fn reads_pictures(&self) -> bool {
        self.reading.level == 0
    }

    /// What there is to say, once the text has ended.
    pub(super) fn finish(&mut self) -> Result<ReaderNotes, ExtractError> {
        if let Some(error) = self.exceeded.take() {
            return Err(error);
        }
        let mut notes = std::mem::take(&mut self.notes);
        let what = "files that the text includes (altChunk, sub-documents)";
        notes.warnings.extend(describe_read(what, &self.inserted));
        notes.warnings.extend(describe_read("embedded documents", &self.opened));
        notes.gaps.push(self.left_out.clone());
        Ok(notes)
    }

    /// The content of an inserted file or a sub-document, at a position in the text.
    pub(super) fn insert_file(&mut self, relation: &str, at: ParagraphPosition) -> Vec<BodyItem> {
        let Some(file) = self.files.remove(relation) else {
            let is_used = self.used.contains(relation);
            let problem = if is_used {
                "a file that the text includes several times was read once"
            } else {
                "a file that the text includes is missing in the package"
            };
            self.left_out.count_one(is_used, || "a file that is missing in the package".to_owned());
            self.notes.warnings.push(problem.to_owned());
            return Vec::new();
        };
        self.used.insert(relation.to_owned());
        let what = match file.kind {
            AttachmentKind::SubDocument => "a sub-document",
            AttachmentKind::InsertedFile | AttachmentKind::Object => {
                "included in the text (altChunk)"
            }
        };
        if file.is_external {
            let part = &file.part;
            self.left_out.count_one(false, || format!("'{part}', which is outside the file"));
            let warning = format!("'{part}' is {what} outside the file; it was not read");
            self.notes.warnings.push(warning);
            return Vec::new();
        }
        let items = self.read_file(file, what, at);
        self.inserted.extend(items.1);
        items.0
    }

    /// The content of an object that the page does not show: only its icon, no preview, or a preview without words.
    /// `media` are the relationships of its pictures.
    pub(super) fn open_object(
        &mut self,
        object: &EmbeddedObject,
        media: &[String],
        at: ParagraphPosition,
    ) -> Vec<BodyItem> {
        let is_word = object.program.starts_with("Word.");
        let has_words = media.iter().any(|picture| self.worded_pictures.contains(picture));
        let is_shown = if is_word { has_words } else { !media.is_empty() };
        let is_drawing = object.program.starts_with("Visio");
        if is_drawing || (is_shown && !object.is_icon) {
            return Vec::new();
        }
        let Some(file) = self.files.remove(&object.relation).filter(|file| !file.is_external)
        else {
            return Vec::new();
        };
        // A drawing of Word, of which the page has a picture.
        if file.bytes.is_none() && !media.is_empty() && !object.is_icon {
            return Vec::new();
        }
        let items = self.read_file(file, "an embedded document", at);
        self.opened.extend(items.1);
        items.0
    }

    /// The items of a file, with its description if it could be read.
    fn read_file(
        &mut self,
        mut file: AttachedFile,
        what: &str,
        at: ParagraphPosition,
    ) -> (Vec<BodyItem>, Option<String>) {
        let described = file.describe();
        let unread = |reason: &str| format!("{described} is {what}; it was not read{reason}");
        let Some(bytes) = file.bytes.take() else {
            self.left_out.count_one(false, || described.clone());
            self.notes.warnings.push(unread(""));
            return (Vec::new(), None);
        };
        let read = self.read_bytes(bytes, &file.part);
        self.left_out.count_one(read.is_ok(), || described.clone());
        match read {
            Ok(mut items) => {
                items.iter_mut().for_each(|item| place_item(item, at));
                (items, Some(described))
            }
            Err(error @ ExtractError::Limit { .. }) => {
                self.exceeded.get_or_insert(error);
                (Vec::new(), None)
            }
            Err(error) => {
                self.notes.warnings.push(unread(&format!(": {error}")));
                (Vec::new(), None)
            }
        }
    }

    fn read_bytes(&mut self, bytes: Vec<u8>, part: &str) -> Result<Vec<BodyItem>, ExtractError> {
        let PackageReading { name, limits, run_marks, level, .. } = self.reading;
        let label = format!("{name}/{part}");
        let unsupported = |found: &str| {
            Err(ExtractError::Unsupported { name: label.clone(), found: found.to_owned() })
        };
        if level >= MAX_LEVELS {
            return Err(ExtractError::TooNested { name: label });
        }
        let keeps_spans = run_marks == RunMarks::Spans;
        if bytes.starts_with(b"PK") {
            return self.read_package(bytes, &label);
        }
        if legacy::is_word_file(&bytes) {
            return legacy::read_bare_items(bytes, &label, keeps_spans);
        }
        match TextFormat::detect(&bytes).or_else(|| format_of_extension(part)) {
            Some(format) if format.is_package() => {
                let package = rebuild_package(&bytes, format, &label, limits)?;
                self.read_package(package, &label)
            }
            Some(format) => read_text_items(&bytes, format, &label, limits, keeps_spans),
            None => unsupported("of an unknown format"),
        }
    }

    fn read_package(&mut self, bytes: Vec<u8>, label: &str) -> Result<Vec<BodyItem>, ExtractError> {
        let reading = self.reading;
        let mut archive = Archive::open_zip(Cursor::new(bytes), label, reading.limits)?;
        let within = PackageReading { name: label, level: reading.level + 1, ..reading };
        let (items, notes) = (reading.read_inner)(&mut archive, within)?;
        self.notes.warnings.extend(notes.warnings);
        self.notes.gaps.extend(notes.gaps);
        Ok(items)
    }
}

/// The format of a text whose beginning does not tell it, such as a part of a page.
fn format_of_extension(part: &str) -> Option<TextFormat> {
    match part_extension(part).as_str() {
        "htm" | "html" | "xhtml" => Some(TextFormat::WebPage),
        "mht" | "mhtml" => Some(TextFormat::WebArchive),
        "txt" | "text" => Some(TextFormat::Plain),
        _ => None,
    }
}

/// The sentence that says which files were read, and what not of them.
fn describe_read(what: &str, files: &[String]) -> Option<String> {
    let listed = files.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
    let more = match files.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!files.is_empty()).then(|| {
        format!("{what} were read for their text, without pictures and layout: {listed}{more}")
    })
}

/// Gives all paragraphs of an item one position.
fn place_item(item: &mut BodyItem, at: ParagraphPosition) {
    match item {
        BodyItem::Paragraph(paragraph) => {
            paragraph.position = at;
            paragraph.boxed.iter_mut().for_each(|item| place_item(item, at));
        }
        BodyItem::Table(table) => {
            let cells = table.rows.iter_mut().flat_map(|row| &mut row.cells);
            cells.flat_map(|cell| &mut cell.items).for_each(|item| place_item(item, at));
        }
    }
}
