//! Presentations (`.pptx`): slides in their order, paragraphs as they stand on them.

use std::{
    collections::HashMap,
    io::{BufReader, Read, Seek},
};

use document::{Archive, Budget, ExtractError, Limits, push_plain, squeeze_lines};
use word::{
    Line, LineKind, Piece,
    xml::{Node, Xml, attribute},
};

/// More slides than these are not read.
const MOST_SLIDES: usize = 2_000;
const PRESENTATION: &str = "ppt/presentation.xml";

/// The paragraphs of a presentation, and where each stands: its slide, and its place there, both from 1.
pub(super) struct Slides {
    pub(super) pieces: Vec<Piece>,
    pub(super) places: Vec<(u32, u32)>,
}

/// Whether an Office package is a presentation.
pub(super) fn is_presentation<R: Read + Seek>(archive: &Archive<R>) -> bool {
    archive.contains(PRESENTATION)
}

/// Reads a presentation.
pub(super) fn read<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    limits: &Limits,
    budget: &Budget,
) -> Result<Slides, ExtractError> {
    let mut package = Package { archive, name, limits, budget };
    let relations = package.relations()?;
    let mut slides = Slides { pieces: Vec::new(), places: Vec::new() };
    for (slide, id) in (1u32..).zip(package.order()?.into_iter().take(MOST_SLIDES)) {
        if let Some(part) = relations.get(&id) {
            package.slide(part, slide, &mut slides)?;
        }
    }
    Ok(slides)
}

struct Package<'a, R: Read + Seek> {
    archive: &'a mut Archive<R>,
    name: &'a str,
    limits: &'a Limits,
    budget: &'a Budget,
}

impl<R: Read + Seek> Package<'_, R> {
    fn each(
        &mut self,
        part: &str,
        mut visit: impl FnMut(&Node<'_>) -> bool,
    ) -> Result<(), ExtractError> {
        let label = format!("{}/{part}", self.name);
        let Some(source) = self.archive.open(part, &label, self.limits, self.budget)? else {
            return Ok(());
        };
        let mut xml = Xml::new(BufReader::new(source), &label, self.limits);
        let (mut buffer, mut scratch) = (Vec::new(), Vec::new());
        loop {
            let node = xml.next(&mut buffer)?;
            if matches!(node, Node::Eof) {
                return Ok(());
            }
            if visit(&node) {
                xml.skip(&mut scratch)?;
            }
        }
    }

    /// The slides' relations, in their order.
    fn order(&mut self) -> Result<Vec<String>, ExtractError> {
        let mut ids = Vec::new();
        self.each(PRESENTATION, |node| {
            if let Node::Start(start) = node
                && start.name().as_ref() == "p:sldId"
            {
                ids.extend(attribute(start, "r:id").map(|id| id.into_owned()));
            }
            false
        })?;
        Ok(ids)
    }

    fn relations(&mut self) -> Result<HashMap<String, String>, ExtractError> {
        let mut parts = HashMap::new();
        self.each("ppt/_rels/presentation.xml.rels", |node| {
            if let Node::Start(start) = node
                && let (Some(id), Some(target)) =
                    (attribute(start, "Id"), attribute(start, "Target"))
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

    fn slide(&mut self, part: &str, slide: u32, slides: &mut Slides) -> Result<(), ExtractError> {
        let mut walk = Walk::default();
        self.each(part, |node| walk.take(node, slide, slides))
    }
}

/// A walk over one slide.
#[derive(Default)]
struct Walk {
    /// Paragraphs that began.
    paragraphs: u32,
    in_text: bool,
    /// Whether the shape is the slide's title.
    titles: bool,
    text: String,
    level: u8,
    bold: bool,
}

impl Walk {
    /// Takes a node; true where what is in it is to be passed over.
    fn take(&mut self, node: &Node<'_>, slide: u32, slides: &mut Slides) -> bool {
        match node {
            Node::Start(start) => match start.name().as_ref() {
                "mc:Fallback" => return true,
                "p:sp" | "p:graphicFrame" => self.titles = false,
                "p:ph" => {
                    let kind = attribute(start, "type");
                    self.titles = matches!(kind.as_deref(), Some("title" | "ctrTitle"));
                }
                "a:p" => {
                    self.paragraphs += 1;
                    self.text.clear();
                    (self.level, self.bold) = (0, false);
                }
                "a:pPr" => {
                    let level = attribute(start, "lvl").and_then(|level| level.parse().ok());
                    self.level = level.unwrap_or(0);
                }
                "a:rPr" if self.text.is_empty() => {
                    self.bold = attribute(start, "b").as_deref() == Some("1");
                }
                "a:t" => self.in_text = true,
                "a:br" => self.text.push('\n'),
                _ => {}
            },
            Node::Text(text) if self.in_text => push_plain(&mut self.text, text),
            Node::Char(c) if self.in_text => push_plain(&mut self.text, c.encode_utf8(&mut [0; 4])),
            Node::End(end) => match end.name().as_ref() {
                "a:t" => self.in_text = false,
                "a:p" => self.close(slide, slides),
                _ => {}
            },
            _ => {}
        }
        false
    }

    fn close(&mut self, slide: u32, slides: &mut Slides) {
        let text = squeeze_lines(&self.text);
        if text.is_empty() {
            return;
        }
        slides.places.push((slide, self.paragraphs));
        let kind = match (self.titles, self.level) {
            (true, _) => LineKind::Heading(1),
            (false, 0) => LineKind::Text,
            (false, level) => LineKind::Item(level.min(8) + 1),
        };
        slides.pieces.push(Piece::Line(Line {
            ordinal: u32::try_from(slides.places.len()).unwrap_or(u32::MAX),
            breaks: slide - 1,
            kind,
            text,
            bold: self.bold,
            ..Line::default()
        }));
    }
}
