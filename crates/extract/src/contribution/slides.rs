//! Presentations (`.pptx`): slides in their order, paragraphs as they stand on them.

use std::{
    collections::HashMap,
    io::{BufReader, Read, Seek},
};

use document::{
    Archive, ExtractError, Limits, UnpackBudget, collapse_line_whitespace, push_plain_text,
};
use word::{
    ParagraphKind, ParagraphPiece, Piece,
    xml::{XmlEvent, XmlReader, attribute_value},
};

/// More slides than these are not read.
const MOST_SLIDES: usize = 2_000;
const PRESENTATION: &str = "ppt/presentation.xml";

/// The paragraphs of a presentation, with its slide and its number there, both from 1.
pub(super) struct PresentationText {
    pub(super) pieces: Vec<Piece>,
    pub(super) positions: Vec<(u32, u32)>,
}

/// Whether an Office package is a presentation.
pub(super) fn is_presentation<R: Read + Seek>(archive: &Archive<R>) -> bool {
    archive.contains(PRESENTATION)
}

/// Reads a presentation.
pub(super) fn read_presentation<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    limits: &Limits,
    budget: &UnpackBudget,
) -> Result<PresentationText, ExtractError> {
    let mut package = PresentationPackage { archive, name, limits, budget };
    let relations = package.read_relations()?;
    let mut slides = PresentationText { pieces: Vec::new(), positions: Vec::new() };
    for (slide, id) in (1u32..).zip(package.read_slide_order()?.into_iter().take(MOST_SLIDES)) {
        if let Some(part) = relations.get(&id) {
            package.read_slide(part, slide, &mut slides)?;
        }
    }
    Ok(slides)
}

struct PresentationPackage<'a, R: Read + Seek> {
    archive: &'a mut Archive<R>,
    name: &'a str,
    limits: &'a Limits,
    budget: &'a UnpackBudget,
}

impl<R: Read + Seek> PresentationPackage<'_, R> {
    fn visit_nodes(
        &mut self,
        part: &str,
        mut visit: impl FnMut(&XmlEvent<'_>) -> bool,
    ) -> Result<(), ExtractError> {
        let label = format!("{}/{part}", self.name);
        let Some(source) = self.archive.open_entry(part, &label, self.limits, self.budget)? else {
            return Ok(());
        };
        let mut xml = XmlReader::new(BufReader::new(source), &label, self.limits);
        let (mut buffer, mut scratch) = (Vec::new(), Vec::new());
        loop {
            let node = xml.next_event(&mut buffer)?;
            if matches!(node, XmlEvent::Eof) {
                return Ok(());
            }
            if visit(&node) {
                xml.skip_element(&mut scratch)?;
            }
        }
    }

    /// The slides' relations, in their order.
    fn read_slide_order(&mut self) -> Result<Vec<String>, ExtractError> {
        let mut ids = Vec::new();
        self.visit_nodes(PRESENTATION, |node| {
            if let XmlEvent::Start(start) = node
                && start.name().as_ref() == "p:sldId"
            {
                ids.extend(attribute_value(start, "r:id").map(|id| id.into_owned()));
            }
            false
        })?;
        Ok(ids)
    }

    fn read_relations(&mut self) -> Result<HashMap<String, String>, ExtractError> {
        let mut parts = HashMap::new();
        self.visit_nodes("ppt/_rels/presentation.xml.rels", |node| {
            if let XmlEvent::Start(start) = node
                && let (Some(id), Some(target)) =
                    (attribute_value(start, "Id"), attribute_value(start, "Target"))
            {
                let part = match target.strip_prefix('/') {
                    Some(absolute) => absolute.to_owned(),
                    None => format!("ppt/{target}"),
                };
                parts.insert(id.into_owned(), part);
            }
            false
        })?;
        Ok(parts)
    }

    fn read_slide(
        &mut self,
        part: &str,
        slide: u32,
        slides: &mut PresentationText,
    ) -> Result<(), ExtractError> {
        let mut walk = SlideVisitor::default();
        self.visit_nodes(part, |node| walk.visit_node(node, slide, slides))
    }
}

/// A walk over one slide.
#[derive(Default)]
struct SlideVisitor {
    /// Paragraphs that began.
    paragraphs: u32,
    in_text: bool,
    /// Whether the shape is the slide's title.
    in_title: bool,
    text: String,
    level: u8,
    bold: bool,
}

impl SlideVisitor {
    /// Takes a node; true where what is in it is to be passed over.
    fn visit_node(
        &mut self,
        node: &XmlEvent<'_>,
        slide: u32,
        slides: &mut PresentationText,
    ) -> bool {
        match node {
            XmlEvent::Start(start) => match start.name().as_ref() {
                "mc:Fallback" => return true,
                "p:sp" | "p:graphicFrame" => self.in_title = false,
                "p:ph" => {
                    let kind = attribute_value(start, "type");
                    self.in_title = matches!(kind.as_deref(), Some("title" | "ctrTitle"));
                }
                "a:p" => {
                    self.paragraphs += 1;
                    self.text.clear();
                    (self.level, self.bold) = (0, false);
                }
                "a:pPr" => {
                    let level = attribute_value(start, "lvl").and_then(|level| level.parse().ok());
                    self.level = level.unwrap_or(0);
                }
                "a:rPr" if self.text.is_empty() => {
                    self.bold = attribute_value(start, "b").as_deref() == Some("1");
                }
                "a:t" => self.in_text = true,
                "a:br" => self.text.push('\n'),
                _ => {}
            },
            XmlEvent::Text(text) if self.in_text => push_plain_text(&mut self.text, text),
            XmlEvent::Char(c) if self.in_text => {
                push_plain_text(&mut self.text, c.encode_utf8(&mut [0; 4]))
            }
            XmlEvent::End(end) => match end.name().as_ref() {
                "a:t" => self.in_text = false,
                "a:p" => self.close_paragraph(slide, slides),
                _ => {}
            },
            _ => {}
        }
        false
    }

    fn close_paragraph(&mut self, slide: u32, slides: &mut PresentationText) {
        let text = collapse_line_whitespace(&self.text);
        if text.is_empty() {
            return;
        }
        slides.positions.push((slide, self.paragraphs));
        let kind = match (self.in_title, self.level) {
            (true, _) => ParagraphKind::Heading(1),
            (false, 0) => ParagraphKind::Text,
            (false, level) => ParagraphKind::Item(level.min(8) + 1),
        };
        slides.pieces.push(Piece::Paragraph(ParagraphPiece {
            ordinal: u32::try_from(slides.positions.len()).unwrap_or(u32::MAX),
            breaks: slide - 1,
            kind,
            text,
            bold: self.bold,
            ..ParagraphPiece::default()
        }));
    }
}
