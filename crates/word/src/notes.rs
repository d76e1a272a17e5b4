//! Footnotes and endnotes, printed where the text refers to them.

use std::{collections::HashMap, io::BufRead};

use quick_xml::events::BytesStart;

use document::{ExtractError, Limits, push_plain, squeeze};

use super::xml::{Node, Xml, attribute};

/// The notes of a document; each is printed once.
#[derive(Debug, Default)]
pub(super) struct Notes {
    footnotes: HashMap<String, String>,
    endnotes: HashMap<String, String>,
}

impl Notes {
    /// Reads `footnotes.xml` into the notes.
    pub(super) fn read_footnotes<R: BufRead>(
        &mut self,
        source: R,
        name: &str,
        limits: &Limits,
    ) -> Result<(), ExtractError> {
        self.footnotes = read(Xml::new(source, name, limits), "w:footnote")?;
        Ok(())
    }

    /// Reads `endnotes.xml` into the notes.
    pub(super) fn read_endnotes<R: BufRead>(
        &mut self,
        source: R,
        name: &str,
        limits: &Limits,
    ) -> Result<(), ExtractError> {
        self.endnotes = read(Xml::new(source, name, limits), "w:endnote")?;
        Ok(())
    }

    /// The note a reference element points to, at its first reference.
    pub(super) fn take(&mut self, reference: &str, id: &str) -> Option<String> {
        let notes = match reference {
            "w:footnoteReference" => &mut self.footnotes,
            _ => &mut self.endnotes,
        };
        notes.remove(id).filter(|text| !text.is_empty())
    }
}

fn read<R: BufRead>(
    mut xml: Xml<R>,
    element: &str,
) -> Result<HashMap<String, String>, ExtractError> {
    let mut notes = HashMap::new();
    let mut open: Option<(String, String)> = None;
    let mut in_text = false;
    let mut buffer = Vec::new();
    loop {
        let text = open.as_mut().map(|(_, text)| text);
        match xml.next(&mut buffer)? {
            Node::Start(start) => match start.name().as_ref() {
                name if name == element => open = open_note(&start),
                "w:t" => in_text = true,
                "w:tab" | "w:br" | "w:p" => text.into_iter().for_each(|text| text.push(' ')),
                "w:del" | "w:moveFrom" | "mc:Fallback" => xml.skip(&mut Vec::new())?,
                _ => {}
            },
            Node::Text(run) if in_text => {
                text.into_iter().for_each(|text| push_plain(text, &run));
            }
            Node::Char(c) if in_text => text.into_iter().for_each(|text| text.push(c)),
            Node::End(end) => match end.name().as_ref() {
                "w:t" => in_text = false,
                name if name == element => {
                    notes.extend(open.take().map(|(id, text)| (id, squeeze(&text))));
                }
                _ => {}
            },
            Node::Eof => return Ok(notes),
            _ => {}
        }
    }
}

/// Id and text of a note that begins; separators, which have a type of their own, are none.
fn open_note(start: &BytesStart<'_>) -> Option<(String, String)> {
    let note = attribute(start, "w:type").is_none_or(|kind| kind == "normal");
    let id = attribute(start, "w:id").unwrap_or_default().into_owned();
    note.then_some((id, String::new()))
}
