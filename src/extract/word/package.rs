//! The parts of a `.docx` package and how they are found.

use std::io::{BufReader, Read, Seek};

use crate::extract::{
    archive::{Archive, Budget},
    document::Document,
    error::{ExtractError, one_line},
    limits::Limits,
};

use super::assemble::Assembler;
use super::body::{Context, walk};
use super::notes::Notes;
use super::numbering::Numbering;
use super::styles::read_styles;
use super::xml::{Node, Xml, attribute};

const CONTENT_TYPES: &str = "[Content_Types].xml";
const MAIN_PART: &str = "word/document.xml";
const READ_AHEAD: usize = 64 * 1024;

/// Whether an archive is an Office package and not an archive of documents.
pub(crate) fn is_package<R: Read + Seek>(archive: &Archive<R>) -> bool {
    archive.contains(CONTENT_TYPES) || archive.contains(MAIN_PART)
}

/// Reads a `.docx` or `.docm`, which messages call `name`.
pub(crate) fn read_docx<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    limits: &Limits,
    budget: &Budget,
) -> Result<Document, ExtractError> {
    let mut package = Package { archive, name, limits, budget };
    let main = package.main_part()?;
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let beside =
        |part: &str| if folder.is_empty() { part.to_owned() } else { format!("{folder}/{part}") };

    let part = beside("styles.xml");
    let label = package.label(&part);
    let styles = read_styles(package.open(&part)?, &label, limits)?;
    let part = beside("numbering.xml");
    let label = package.label(&part);
    let numbering = Numbering::read(package.open(&part)?, &label, limits)?;
    let notes = package.notes(&beside("footnotes.xml"), &beside("endnotes.xml"))?;

    let context = Context { styles: &styles, numbering, notes, limits };
    let label = package.label(&main);
    let missing = package.missing(&main);
    let body = package.open(&main)?.ok_or(missing)?;
    let mut assembler = Assembler::new(limits);
    walk(Xml::new(body, &label, limits), context, &mut |item| assembler.take(item))?;
    Ok(assembler.finish())
}

/// A package with what is needed to open its parts.
struct Package<'a, R: Read + Seek> {
    archive: &'a mut Archive<R>,
    name: &'a str,
    limits: &'a Limits,
    budget: &'a Budget,
}

impl<R: Read + Seek> Package<'_, R> {
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
