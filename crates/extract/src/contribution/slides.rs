//! Presentations (`.pptx`): slides in their order, paragraphs in the order of the file.

use std::{
    collections::HashMap,
    io::{BufReader, Read, Seek},
};

use document::{
    Archive, ExtractError, Limits, UnpackBudget, collapse_line_whitespace, push_plain_text,
};
use word::{
    ParagraphPiece, Piece, PieceKind,
    xml::{XmlEvent, XmlReader, attribute_value},
};

/// Maximum number of slides; the rest is not read. The list of slides may name one part any number of times.
const MAX_SLIDES: usize = 2_000;
const PRESENTATION: &str = "ppt/presentation.xml";

/// The text of a presentation.
pub(super) struct PresentationText {
    /// Its paragraphs.
    pub(super) pieces: Vec<Piece>,
    /// The slide of each paragraph and its number on the slide, both from 1.
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
    for (slide, id) in (1u32..).zip(package.read_slide_order()?.into_iter().take(MAX_SLIDES)) {
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
    /// Calls `visit` with each event of a part, and skips an element if it returns true for its start.
    fn visit_events(
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
            let event = xml.next_event(&mut buffer)?;
            if matches!(event, XmlEvent::Eof) {
                return Ok(());
            }
            if visit(&event) {
                xml.skip_element(&mut scratch)?;
            }
        }
    }

    /// The relationship ids of the slides, in their order.
    fn read_slide_order(&mut self) -> Result<Vec<String>, ExtractError> {
        let mut ids = Vec::new();
        self.visit_events(PRESENTATION, |event| {
            if let XmlEvent::Start(start) = event
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
        self.visit_events("ppt/_rels/presentation.xml.rels", |event| {
            if let XmlEvent::Start(start) = event
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
        let mut visitor = SlideVisitor::default();
        self.visit_events(part, |event| visitor.visit_event(event, slide, slides))
    }
}

/// Collects the paragraphs of one slide.
#[derive(Default)]
struct SlideVisitor {
    /// Paragraphs so far, empty ones included.
    paragraph_count: u32,
    in_text: bool,
    /// Whether the shape is the slide's title.
    in_title: bool,
    text: String,
    level: u8,
    bold: bool,
}

impl SlideVisitor {
    /// Handles an event; true for the start of an element to skip.
    fn visit_event(
        &mut self,
        event: &XmlEvent<'_>,
        slide: u32,
        slides: &mut PresentationText,
    ) -> bool {
        match event {
            XmlEvent::Start(start) => match start.name().as_ref() {
                "mc:Fallback" => return true,
                "p:sp" | "p:graphicFrame" => self.in_title = false,
                "p:ph" => {
                    let kind = attribute_value(start, "type");
                    self.in_title = matches!(kind.as_deref(), Some("title" | "ctrTitle"));
                }
                "a:p" => {
                    self.paragraph_count += 1;
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
        slides.positions.push((slide, self.paragraph_count));
        let kind = match (self.in_title, self.level) {
            (true, _) => PieceKind::Heading(1),
            (false, 0) => PieceKind::Text,
            (false, level) => PieceKind::Item(level.min(8) + 1),
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
