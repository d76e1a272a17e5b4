//! The parts of a `.docx` package and how they are found.

use std::{
    collections::HashMap,
    io::{BufReader, Read, Seek},
};

use document::{Archive, Budget, Document, ExtractError, Limits, one_line};

use super::assemble::Assembler;
use super::body::{Context, walk};
use super::figures;
use super::item::Item;
use super::notes::Notes;
use super::numbering::Numbering;
use super::pieces::{Piece, Pieces};
use super::styles::read_styles;
use super::xml::{Node, Xml, attribute};

const CONTENT_TYPES: &str = "[Content_Types].xml";
const MAIN_PART: &str = "word/document.xml";
const READ_AHEAD: usize = 64 * 1024;

/// Whether an archive is an Office package and not an archive of documents.
pub fn is_package<R: Read + Seek>(archive: &Archive<R>) -> bool {
    archive.contains(CONTENT_TYPES) || archive.contains(MAIN_PART)
}

/// Reads a `.docx` or `.docm`, which messages call `name`.
pub fn read_docx<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    how: How<'_>,
) -> Result<Document, ExtractError> {
    let How { limits, budget, .. } = how;
    let mut package = Package { archive, name, limits, budget };
    let main = package.main_part()?;
    let mut assembler = Assembler::new(limits, how.figures);
    package.walk(&main, false, &mut |item| assembler.take(item))?;
    let (mut document, found) = assembler.finish();
    if how.figures {
        let part = match main.rsplit_once('/') {
            Some((folder, file)) => format!("{folder}/_rels/{file}.rels"),
            None => format!("_rels/{main}.rels"),
        };
        let media = package.relations(&part, folder_of(&main))?;
        figures::draw(&mut document, found, |id| package.media(media.get(id)?));
    }
    Ok(document)
}

/// Reads a `.docx` or `.docm` as pieces in the order of the text, each with its place in the file; words that are
/// struck through have marks around them (`strikes`).
pub fn read_docx_pieces<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    how: How<'_>,
) -> Result<Vec<Piece>, ExtractError> {
    let How { limits, budget, .. } = how;
    let mut package = Package { archive, name, limits, budget };
    let main = package.main_part()?;
    let mut pieces = Pieces::new(limits);
    package.walk(&main, true, &mut |item| pieces.take(item))?;
    Ok(pieces.finish())
}

fn folder_of(part: &str) -> &str {
    part.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// How a document is read.
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// The bounds.
    pub limits: &'a Limits,
    /// What is left of them for this file.
    pub budget: &'a Budget,
    /// Whether figures are read and drawn.
    pub figures: bool,
}

/// A package with what is needed to open its parts.
struct Package<'a, R: Read + Seek> {
    archive: &'a mut Archive<R>,
    name: &'a str,
    limits: &'a Limits,
    budget: &'a Budget,
}

impl<R: Read + Seek> Package<'_, R> {
    /// Gives every paragraph and table of the main part to `sink`.
    fn walk(
        &mut self,
        main: &str,
        marks_strikes: bool,
        sink: &mut dyn FnMut(Item),
    ) -> Result<(), ExtractError> {
        let limits = self.limits;
        let folder = folder_of(main);
        let beside = |part: &str| {
            if folder.is_empty() { part.to_owned() } else { format!("{folder}/{part}") }
        };
        let part = beside("styles.xml");
        let label = self.label(&part);
        let styles = read_styles(self.open(&part)?, &label, limits)?;
        let part = beside("numbering.xml");
        let label = self.label(&part);
        let numbering = Numbering::read(self.open(&part)?, &label, limits)?;
        let notes = self.notes(&beside("footnotes.xml"), &beside("endnotes.xml"))?;
        let context = Context { styles: &styles, numbering, notes, limits, marks_strikes };
        let label = self.label(main);
        let missing = self.missing(main);
        let body = self.open(main)?.ok_or(missing)?;
        walk(Xml::new(body, &label, limits), context, sink)
    }

    fn label(&self, part: &str) -> String {
        format!("{}/{part}", self.name)
    }

    fn missing(&self, part: &str) -> ExtractError {
        ExtractError::MissingPart { name: self.name.to_owned(), part: one_line(part) }
    }

    /// A reader of a part, none if the package does not have it.
    fn open(&mut self, part: &str) -> Result<Option<BufReader<impl Read>>, ExtractError> {
        let member =
            self.archive.open(part, &format!("{}/{part}", self.name), self.limits, self.budget)?;
        Ok(member.map(|member| BufReader::with_capacity(READ_AHEAD, member)))
    }

    /// Parts by the relations that lead to them, those outside of the package left out.
    fn relations(
        &mut self,
        part: &str,
        folder: &str,
    ) -> Result<HashMap<String, String>, ExtractError> {
        let (label, limits) = (self.label(part), self.limits);
        let mut relations = HashMap::new();
        let Some(source) = self.open(part)? else { return Ok(relations) };
        let mut xml = Xml::new(source, &label, limits);
        let mut buffer = Vec::new();
        loop {
            match xml.next(&mut buffer)? {
                Node::Start(start) if start.name().as_ref() == "Relationship" => {
                    let is_outside = attribute(&start, "TargetMode").as_deref() == Some("External");
                    let (id, target) = (attribute(&start, "Id"), attribute(&start, "Target"));
                    if let (Some(id), Some(target), false) = (id, target, is_outside) {
                        relations.insert(id.into_owned(), part_of(folder, &target));
                    }
                }
                Node::Eof => return Ok(relations),
                _ => {}
            }
        }
    }

    /// The bytes of a picture; none where it is not there or cannot be unpacked.
    fn media(&mut self, part: &str) -> Option<Vec<u8>> {
        let label = self.label(part);
        self.archive.read(part, &label, self.limits, self.budget).ok()
    }

    /// The part the package names as its main document.
    fn main_part(&mut self) -> Result<String, ExtractError> {
        if self.archive.contains(MAIN_PART) {
            return Ok(MAIN_PART.to_owned());
        }
        let target = self.office_document()?.ok_or_else(|| self.missing(MAIN_PART))?;
        let target = target.trim_start_matches('/').to_owned();
        for (folder, found) in
            [("xl/", "a spreadsheet"), ("ppt/", "a presentation"), ("visio/", "a drawing")]
        {
            if target.starts_with(folder) {
                let name = self.name.to_owned();
                return Err(ExtractError::Unsupported { name, found: found.to_owned() });
            }
        }
        if self.archive.contains(&target) { Ok(target) } else { Err(self.missing(&target)) }
    }

    fn office_document(&mut self) -> Result<Option<String>, ExtractError> {
        let part = "_rels/.rels";
        let label = self.label(part);
        let limits = self.limits;
        let Some(source) = self.open(part)? else { return Ok(None) };
        let mut xml = Xml::new(source, &label, limits);
        let mut buffer = Vec::new();
        loop {
            match xml.next(&mut buffer)? {
                Node::Start(start) if start.name().as_ref() == "Relationship" => {
                    let kind = attribute(&start, "Type").unwrap_or_default();
                    if kind.ends_with("/officeDocument") {
                        return Ok(attribute(&start, "Target").map(|target| target.into_owned()));
                    }
                }
                Node::Eof => return Ok(None),
                _ => {}
            }
        }
    }

    fn notes(&mut self, footnotes: &str, endnotes: &str) -> Result<Notes, ExtractError> {
        let mut notes = Notes::default();
        let limits = self.limits;
        let label = self.label(footnotes);
        if let Some(source) = self.open(footnotes)? {
            notes.read_footnotes(source, &label, limits)?;
        }
        let label = self.label(endnotes);
        if let Some(source) = self.open(endnotes)? {
            notes.read_endnotes(source, &label, limits)?;
        }
        Ok(notes)
    }
}

/// The part that a relation of a part in `folder` leads to.
fn part_of(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            "." | "" => {}
            ".." => drop(path.pop()),
            step => path.push(step),
        }
    }
    path.join("/")
}
