//! Footnotes and endnotes, printed where the text refers to them.

use std::{collections::HashMap, io::BufRead};

use quick_xml::events::BytesStart;

use document::{ExtractError, Limits, collapse_whitespace, push_plain_text};

use super::run_fonts::{RunFonts, UnknownSymbols, read_symbol};
use super::run_properties::read_run_fonts;
use super::styles::Styles;
use super::tracked_changes::TrackedChanges;
use super::xml::{XmlEvent, XmlReader, attribute_value};

/// The notes of a document; each is printed once.
#[derive(Debug, Default)]
pub(super) struct Notes {
    footnotes: HashMap<String, String>,
    endnotes: HashMap<String, String>,
    /// Characters of symbol fonts in them that are not known.
    pub(super) unknown_symbols: UnknownSymbols,
}

impl Notes {
    /// Reads `footnotes.xml` into the notes.
    pub(super) fn read_footnotes<R: BufRead>(
        &mut self,
        source: R,
        name: &str,
        limits: &Limits,
        tracked: TrackedChanges,
        styles: &Styles,
    ) -> Result<(), ExtractError> {
        let xml = XmlReader::new(source, name, limits);
        self.footnotes = read_notes(xml, "w:footnote", tracked, styles, &mut self.unknown_symbols)?;
        Ok(())
    }

    /// Reads `endnotes.xml` into the notes.
    pub(super) fn read_endnotes<R: BufRead>(
        &mut self,
        source: R,
        name: &str,
        limits: &Limits,
        tracked: TrackedChanges,
        styles: &Styles,
    ) -> Result<(), ExtractError> {
        let xml = XmlReader::new(source, name, limits);
        self.endnotes = read_notes(xml, "w:endnote", tracked, styles, &mut self.unknown_symbols)?;
        Ok(())
    }

    /// The note a reference element points to, at its first reference.
    pub(super) fn take_note(&mut self, reference: &str, id: &str) -> Option<String> {
        let notes = match reference {
            "w:footnoteReference" => &mut self.footnotes,
            _ => &mut self.endnotes,
        };
        notes.remove(id).filter(|text| !text.is_empty())
    }
}

fn read_notes<R: BufRead>(
    mut xml: XmlReader<R>,
    element: &str,
    tracked: TrackedChanges,
    styles: &Styles,
    unknown: &mut UnknownSymbols,
) -> Result<HashMap<String, String>, ExtractError> {
    let mut notes = HashMap::new();
    let mut open: Option<(String, String)> = None;
    let mut in_text = false;
    let mut fonts = RunFonts::default();
    let mut buffer = Vec::new();
    loop {
        let text = open.as_mut().map(|(_, text)| text);
        match xml.next_event(&mut buffer)? {
            XmlEvent::Start(start) => match start.name().as_ref() {
                name if name == element => open = open_note(&start),
                name if tracked.left_out_element(name).is_some() => {
                    xml.skip_element(&mut Vec::new())?;
                }
                "w:t" | "w:delText" => in_text = true,
                "w:r" => fonts = RunFonts::default(),
                "w:rPr" => fonts = read_run_fonts(&mut xml, styles)?,
                "w:sym" => {
                    let symbol = read_symbol(&start, unknown);
                    text.into_iter().for_each(|text| text.extend(symbol));
                }
                "w:tab" | "w:br" | "w:p" => text.into_iter().for_each(|text| text.push(' ')),
                "mc:Fallback" => xml.skip_element(&mut Vec::new())?,
                _ => {}
            },
            XmlEvent::Text(run) if in_text => {
                let run = fonts.read_text(&run, unknown);
                text.into_iter().for_each(|text| push_plain_text(text, &run));
            }
            XmlEvent::Char(c) if in_text => text.into_iter().for_each(|text| text.push(c)),
            XmlEvent::End(end) => match end.name().as_ref() {
                "w:t" | "w:delText" => in_text = false,
                name if name == element => {
                    notes.extend(open.take().map(|(id, text)| (id, collapse_whitespace(&text))));
                }
                _ => {}
            },
            XmlEvent::Eof => return Ok(notes),
            _ => {}
        }
    }
}

/// ID and text of a note that begins; `None` for separators, which have their own type.
fn open_note(start: &BytesStart<'_>) -> Option<(String, String)> {
    let note = attribute_value(start, "w:type").is_none_or(|kind| kind == "normal");
    let id = attribute_value(start, "w:id").unwrap_or_default().into_owned();
    note.then_some((id, String::new()))
}
