//! The parts of a `.docx` package and how they are found.

use std::{
    collections::{HashMap, HashSet},
    io::{BufReader, Cursor, Read, Seek},
};

use document::{
    Archive, Document, ExtractError, FileProperties, Limits, ObservedReader, UnpackBudget, one_line,
};

use super::assemble::DocumentAssembler;
use super::body::{BodyContext, BodyFindings, walk_body};
use super::equations::ReadEquation;
use super::fields::Bookmarks;
use super::figures;
use super::item::BodyItem;
use super::notes::Notes;
use super::numbering::Numbering;
use super::package_reading::{InnerReader, PackageReading, ReaderNotes};
use super::pieces::{Piece, PieceCollector};
use super::properties::read_properties;
use super::run_marks::RunMarks;
use super::styles::{Styles, read_styles};
use super::theme::read_theme;
use super::tracked_changes::TrackedChanges;
use super::xml::{XmlEvent, XmlReader, attribute_value};

pub(super) mod relations;

use relations::Relation;

const CONTENT_TYPES: &str = "[Content_Types].xml";
const MAIN_PART: &str = "word/document.xml";
const CORE_PROPERTIES: &str = "docProps/core.xml";
const READ_AHEAD: usize = 64 * 1024;
/// A larger object or picture is not an equation: those of specifications have a few kilobytes.
const MAX_EQUATION_BYTES: u64 = 256 << 10;

/// Whether an archive is an Office package and not an archive of documents.
pub fn is_package<R: Read + Seek>(archive: &Archive<R>) -> bool {
    archive.contains(CONTENT_TYPES) || archive.contains(MAIN_PART)
}

/// Reads a `.docx` or `.docm`, which messages call `name`.
pub fn read_docx<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    options: DocxReadOptions<'_>,
) -> Result<Document, ExtractError> {
    let mut package = DocxPackage::new(archive, name, options, RunMarks::Spans);
    let main = package.find_main_part()?;
    let (assembler, notes) = package.walk_twice(
        &main,
        || DocumentAssembler::new(options.figures),
        |assembler, item| assembler.push_item(item),
    )?;
    let (mut document, pictures) = assembler.finish_document();
    package.read_core_properties(&mut document.properties);
    document.warnings.extend(notes.warnings);
    document.gaps = notes.gaps;
    if options.figures {
        let media = package.read_relationships(&main)?;
        let (total, mut drawn) = (pictures.drawing_count(), 0);
        figures::draw_pictures(&mut document, pictures, |id| {
            drawn += 1;
            options.budget.report_pictures(drawn, total);
            package.read_media(media.get(id)?)
        });
    }
    Ok(document)
}

/// Reads a `.docx` or `.docm` as pieces in the order of the text, each with its position in the file;
/// struck-through text is enclosed in marks ([`crate::render_strike_marks`]). Also returns warnings, one sentence each.
pub fn read_docx_pieces<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    options: DocxReadOptions<'_>,
) -> Result<(Vec<Piece>, Vec<String>), ExtractError> {
    let mut package = DocxPackage::new(archive, name, options, RunMarks::Strikes);
    let main = package.find_main_part()?;
    let (pieces, notes) =
        package.walk_twice(&main, PieceCollector::default, PieceCollector::push_item)?;
    Ok((pieces.into_pieces(), notes.warnings))
}

fn parent_folder(part: &str) -> &str {
    part.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// How a document is read.
#[derive(Clone, Copy)]
pub struct DocxReadOptions<'a> {
    /// The limits.
    pub limits: &'a Limits,
    /// What is left of the unpacked bytes for this file.
    pub budget: &'a UnpackBudget,
    /// Whether figures are read and drawn.
    pub figures: bool,
    /// Which text is read: the text after tracked changes, or the text before.
    pub tracked: TrackedChanges,
}

/// A package with what is needed to open its parts.
pub(super) struct DocxPackage<'a, R: Read + Seek> {
    archive: &'a mut Archive<R>,
    reading: PackageReading<'a>,
}

/// Reads a package within another one.
fn read_inner_package(
    archive: &mut Archive<Cursor<Vec<u8>>>,
    reading: PackageReading<'_>,
) -> Result<(Vec<BodyItem>, ReaderNotes), ExtractError> {
    if !is_package(archive) {
        let (name, found) = (reading.name.to_owned(), "a zip archive".to_owned());
        return Err(ExtractError::Unsupported { name, found });
    }
    let mut package = DocxPackage { archive, reading };
    let main = package.find_main_part()?;
    package.walk_twice(&main, Vec::new, Vec::push)
}

impl<'a, R: Read + Seek> DocxPackage<'a, R> {
    fn new(
        archive: &'a mut Archive<R>,
        name: &'a str,
        options: DocxReadOptions<'a>,
        run_marks: RunMarks,
    ) -> Self {
        let DocxReadOptions { limits, budget, tracked, .. } = options;
        let (level, read_inner) = (0, read_inner_package as InnerReader);
        let reading =
            PackageReading { name, limits, budget, tracked, run_marks, level, read_inner };
        Self { archive, reading }
    }

    /// Collects the items of the main part. It is read a second time if fields refer to bookmarks after them and have no stored
    /// result. Returns what there is to say, too.
    pub(super) fn walk_twice<T>(
        &mut self,
        main: &str,
        create: impl Fn() -> T,
        push: impl Fn(&mut T, BodyItem),
    ) -> Result<(T, ReaderNotes), ExtractError> {
        let mut items = create();
        let bookmarks = Bookmarks::default();
        let mut findings =
            self.walk_main_part(main, bookmarks, &mut |item| push(&mut items, item))?;
        if let Some(bookmarks) = std::mem::take(&mut findings.bookmarks).for_second_reading() {
            items = create();
            findings = self.walk_main_part(main, bookmarks, &mut |item| push(&mut items, item))?;
        }
        Ok((items, findings.into_notes(self.reading.name)))
    }

    /// Passes every paragraph and table of the main part to `sink`.
    fn walk_main_part(
        &mut self,
        main: &str,
        bookmarks: Bookmarks,
        sink: &mut dyn FnMut(BodyItem),
    ) -> Result<BodyFindings, ExtractError> {
        let limits = self.reading.limits;
        let relations = self.read_relations(main)?;
        let folder = parent_folder(main);
        // Most programs give these parts the same names.
        let related = |kind: &str, usual: &str| {
            let mut relations = relations.values().filter(|relation| !relation.is_external);
            let named = relations.find(|relation| relation.kind == kind);
            let sibling =
                || if folder.is_empty() { usual.to_owned() } else { format!("{folder}/{usual}") };
            named.map_or_else(sibling, |relation| relation.target.clone())
        };
        let part = related("theme", "theme/theme1.xml");
        let label = self.part_label(&part);
        let theme = read_theme(self.open_part(&part)?, &label, limits)?;
        let part = related("styles", "styles.xml");
        let label = self.part_label(&part);
        let styles = read_styles(self.open_part(&part)?, &label, theme, limits)?;
        let part = related("numbering", "numbering.xml");
        let label = self.part_label(&part);
        let numbering = Numbering::read_numbering(self.open_part(&part)?, &label, limits)?;
        let footnotes = related("footnotes", "footnotes.xml");
        let notes = self.read_notes(&footnotes, &related("endnotes", "endnotes.xml"), &styles)?;
        let equations = self.read_equations(&relations);
        let mut unread = self.find_unread_texts(&relations);
        let (tracked, run_marks) = (self.reading.tracked, self.reading.run_marks);
        let attached = self.read_attached(&relations)?;
        let context = BodyContext {
            styles: &styles,
            numbering,
            notes,
            limits,
            run_marks,
            tracked,
            equations,
            bookmarks,
            attached,
        };
        let label = self.part_label(main);
        let missing = self.missing_part(main);
        let bytes = self.archive.entries().iter().find(|entry| entry.name == main);
        let (bytes, budget) = (bytes.map_or(0, |entry| entry.bytes), self.reading.budget);
        let body = self.open_part(main)?.ok_or(missing)?;
        let observed = ObservedReader::new(body, bytes, budget);
        let body = BufReader::with_capacity(READ_AHEAD, observed);
        let mut findings = walk_body(XmlReader::new(body, &label, limits), context, sink)?;
        findings.attached.warnings.append(&mut unread.warnings);
        findings.attached.gaps.append(&mut unread.gaps);
        Ok(findings)
    }

    fn part_label(&self, part: &str) -> String {
        format!("{}/{}", self.reading.name, one_line(part))
    }

    fn missing_part(&self, part: &str) -> ExtractError {
        ExtractError::MissingPart { name: self.reading.name.to_owned(), part: one_line(part) }
    }

    /// A reader of a part, `None` if the package does not have it.
    fn open_part(&mut self, part: &str) -> Result<Option<BufReader<impl Read>>, ExtractError> {
        let member = self.archive.open_entry(
            part,
            &self.part_label(part),
            self.reading.limits,
            self.reading.budget,
        )?;
        Ok(member.map(|member| BufReader::with_capacity(READ_AHEAD, member)))
    }

    /// What can be read of equations that are objects or pictures, by relationship ID.
    fn read_equations(
        &mut self,
        relations: &HashMap<String, Relation>,
    ) -> HashMap<String, ReadEquation> {
        let small: HashSet<String> = self
            .archive
            .entries()
            .iter()
            .filter(|entry| entry.bytes <= MAX_EQUATION_BYTES)
            .filter(|entry| entry.name.ends_with(".bin") || entry.name.ends_with(".wmf"))
            .map(|entry| entry.name.clone())
            .collect();
        let parts = relations.iter().filter(|(_, relation)| small.contains(&relation.target));
        let read = parts.filter_map(|(id, relation)| {
            let bytes = self.read_media(&relation.target)?;
            let read = if relation.target.ends_with(".bin") {
                ReadEquation::from_object(&bytes)
            } else {
                ReadEquation::from_picture(&bytes)
            };
            Some((id.clone(), read?))
        });
        read.collect()
    }

    /// Reads title and subject of the file. Without them, no text is lost.
    fn read_core_properties(&mut self, properties: &mut FileProperties) {
        let (label, limits) = (self.part_label(CORE_PROPERTIES), self.reading.limits);
        if let Ok(Some(part)) = self.open_part(CORE_PROPERTIES) {
            read_properties(part, &label, limits, properties).unwrap_or_default();
        }
    }

    /// The bytes of a picture; `None` if it is missing or cannot be unpacked, which costs only the picture.
    fn read_media(&mut self, part: &str) -> Option<Vec<u8>> {
        let label = self.part_label(part);
        self.archive.read_entry(part, &label, self.reading.limits, self.reading.budget).ok()
    }

    /// The part the package names as its main document.
    pub(super) fn find_main_part(&mut self) -> Result<String, ExtractError> {
        // Word opens the part that the package names. Without that, the one of the usual name is read.
        let has_usual = self.archive.contains(MAIN_PART);
        let target = match self.find_office_document() {
            Err(_) if has_usual => None,
            found => found?.map(|target| target.trim_start_matches('/').to_owned()),
        };
        let target = match target {
            Some(target) if self.archive.contains(&target) || !has_usual => target,
            _ if has_usual => return Ok(MAIN_PART.to_owned()),
            _ => return Err(self.missing_part(MAIN_PART)),
        };
        for (folder, content) in
            [("xl/", "a spreadsheet"), ("ppt/", "a presentation"), ("visio/", "a drawing")]
        {
            if target.starts_with(folder) {
                let name = self.reading.name.to_owned();
                return Err(ExtractError::Unsupported { name, found: content.to_owned() });
            }
        }
        if self.archive.contains(&target) { Ok(target) } else { Err(self.missing_part(&target)) }
    }

    fn find_office_document(&mut self) -> Result<Option<String>, ExtractError> {
        let part = "_rels/.rels";
        let label = self.part_label(part);
        let limits = self.reading.limits;
        let Some(source) = self.open_part(part)? else { return Ok(None) };
        let mut xml = XmlReader::new(source, &label, limits);
        let mut buffer = Vec::new();
        loop {
            match xml.next_event(&mut buffer)? {
                XmlEvent::Start(start) if start.name().as_ref() == "Relationship" => {
                    let kind = attribute_value(&start, "Type").unwrap_or_default();
                    if kind.ends_with("/officeDocument") {
                        return Ok(
                            attribute_value(&start, "Target").map(|target| target.into_owned())
                        );
                    }
                }
                XmlEvent::Eof => return Ok(None),
                _ => {}
            }
        }
    }

    fn read_notes(
        &mut self,
        footnotes: &str,
        endnotes: &str,
        styles: &Styles,
    ) -> Result<Notes, ExtractError> {
        let mut notes = Notes::default();
        let (limits, tracked) = (self.reading.limits, self.reading.tracked);
        let label = self.part_label(footnotes);
        if let Some(source) = self.open_part(footnotes)? {
            notes.read_footnotes(source, &label, limits, tracked, styles)?;
        }
        let label = self.part_label(endnotes);
        if let Some(source) = self.open_part(endnotes)? {
            notes.read_endnotes(source, &label, limits, tracked, styles)?;
        }
        Ok(notes)
    }
}
