//! Footnotes and endnotes, printed where the text refers to them.

use std::{collections::HashMap, io::BufRead};

use crate::extract::{
    error::ExtractError,
    limits::Limits,
    text::{push_plain, squeeze},
};

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
        match xml.next(&mut buffer)? {
            Node::Start(start) => match start.name().as_ref() {
                name if name == element => {
                    // Separators have a type, notes have none or "normal".
                    let note = attribute(&start, "w:type").is_none_or(|kind| kind == "normal");
                    let id = attribute(&start, "w:id").unwrap_or_default().into_owned();
                    open = note.then_some((id, String::new()));
                }
                "w:t" => in_text = true,
                "w:tab" | "w:br" | "w:p" => {
                    if let Some((_, text)) = &mut open {
                        text.push(' ');
                    }
                }
                "w:del" | "w:moveFrom" | "mc:Fallback" => xml.skip(&mut Vec::new())?,
                _ => {}
            },
            Node::Text(text) if in_text => {
                if let Some((_, note)) = &mut open {
                    push_plain(note, &text);
                }
            }
            Node::Char(c) if in_text => {
                if let Some((_, note)) = &mut open {
                    note.push(c);
                }
            }
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
