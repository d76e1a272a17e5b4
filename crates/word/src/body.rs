//! The walk over `document.xml`: one pass, one item at a time to the caller.
//!
//! Tracked changes are taken as accepted, of alternative contents the first choice is read, and
//! field codes are left out while their results stay.

use std::io::BufRead;

use quick_xml::events::BytesStart;

use document::{Bound, ExtractError, Limits, push_plain, split_number};

use super::frames::{self, Frame, OpenParagraph, Picture, is_exponent, is_skipped};
use super::item::{Drawing, Highlight, Item, Paragraph, Place, Table};
use super::math;
use super::notes::Notes;
use super::numbering::Numbering;
use super::role::Role;
use super::styles::Styles;
use super::symbols;
use super::xml::{Node, Xml, attribute, is_on};

/// What the walk needs to know of the other parts.
pub(super) struct Context<'a> {
    pub(super) styles: &'a Styles,
    pub(super) numbering: Numbering,
    pub(super) notes: Notes,
    pub(super) limits: &'a Limits,
    /// Whether marks are put around words that are struck through.
    pub(super) marks_strikes: bool,
}

/// Walks over the body and gives every top-level paragraph and table to `sink`.
pub(super) fn walk<R: BufRead>(
    mut xml: Xml<R>,
    context: Context<'_>,
    sink: &mut dyn FnMut(Item),
) -> Result<(), ExtractError> {
    let name = xml.name().to_owned();
    let math_depth = context.limits.math_depth;
    let mut walker = Walker::new(context, name, sink);
    let mut buffer = Vec::with_capacity(4096);
    let mut scratch = Vec::new();
    loop {
        match xml.next(&mut buffer)? {
            Node::Start(start) => match walker.start(&start)? {
                Step::Into => {}
                Step::Over => xml.skip(&mut scratch)?,
                Step::Equation => {
                    let latex = math::read(&mut xml, math_depth)?;
                    walker.equation(&latex);
                }
            },
            Node::Text(text) if walker.in_text => walker.text(&text),
            Node::Char(c) if walker.in_text => walker.text(c.encode_utf8(&mut [0; 4])),
            Node::End(end) => walker.end(end.name().as_ref()),
            Node::Eof => {
                walker.finish();
                return Ok(());
            }
            _ => {}
        }
    }
}

/// Whether what a choice is written in is read here; else its fallback is taken, a picture most
/// often. Charts of the second kind, models in three dimensions and ink are not read.
fn is_understood(choice: &BytesStart<'_>) -> bool {
    let needed = attribute(choice, "Requires").unwrap_or_default();
    let is_foreign = |name: &str| name.starts_with("cx") || matches!(name, "am3d" | "aink" | "wpi");
    !needed.split_whitespace().any(is_foreign)
}

fn is_alternative(name: &str) -> bool {
    name.starts_with("mc:")
}

/// How to go on after a start tag.
enum Step {
    Into,
    Over,
    Equation,
}

struct Walker<'a, 's> {
    context: Context<'a>,
    name: String,
    sink: &'s mut dyn FnMut(Item),
    frames: Vec<Frame>,
    tables: usize,
    /// Paragraphs that began.
    paragraphs: u32,
    /// Rendered page breaks so far.
    breaks: u32,
    pictures: Vec<Picture>,
    /// For each open alternative content, whether a choice was seen.
    choices: Vec<bool>,
    /// Open deletions around runs.
    deleted: usize,
    in_text: bool,
    in_run_properties: bool,
    in_paragraph_properties: bool,
    in_row_properties: bool,
    /// The open run is bold.
    bold: bool,
    /// The colour behind the open run.
    highlight: Option<Highlight>,
    /// The open run is struck through.
    struck: bool,
    /// The open run is superscript and has no text yet.
    raised: bool,
    /// Text of a paragraph whose end was deleted.
    carried: String,
    /// Its pictures.
    carried_pictures: Vec<Drawing>,
}

impl<'a, 's> Walker<'a, 's> {
    fn new(context: Context<'a>, name: String, sink: &'s mut dyn FnMut(Item)) -> Self {
        Self {
            context,
            name,
            sink,
            frames: Vec::new(),
            tables: 0,
            paragraphs: 0,
            breaks: 0,
            pictures: Vec::new(),
            choices: Vec::new(),
            deleted: 0,
            in_text: false,
            in_run_properties: false,
            in_paragraph_properties: false,
            in_row_properties: false,
            bold: false,
            highlight: None,
            struck: false,
            raised: false,
            carried: String::new(),
            carried_pictures: Vec::new(),
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) -> Result<Step, ExtractError> {
        if let Some(picture) = self.pictures.last_mut() {
            let name = start.name();
            let name = name.as_ref();
            // Alternatives are passed over or gone into; a text box is there in either case.
            if !(is_skipped(name) || is_alternative(name) || name == "m:oMath") {
                picture.shapes.enter(name, start);
            }
        }
        match start.name().as_ref() {
            "w:t" => self.in_text = true,
            "w:r" => {
                (self.raised, self.bold, self.struck) = (false, false, false);
                self.highlight = None;
            }
            "w:p" => self.open_paragraph(),
            "w:lastRenderedPageBreak" => self.breaks = self.breaks.saturating_add(1),
            "w:pPr" => self.in_paragraph_properties = true,
            "w:rPr" => self.in_run_properties = true,
            "w:ins" | "w:moveTo" => self.change_starts(),
            "w:del" | "w:moveFrom" => self.deletion_starts(),
            "m:oMath" => return Ok(Step::Equation),
            "mc:AlternateContent" => self.choices.push(false),
            "mc:Choice" if !is_understood(start) => return Ok(Step::Over),
            "mc:Choice" => {
                let seen = self.choices.last_mut().map(|seen| std::mem::replace(seen, true));
                return Ok(if seen == Some(true) { Step::Over } else { Step::Into });
            }
            "mc:Fallback" => {
                let over = self.choices.last().is_none_or(|seen| *seen);
                return Ok(if over { Step::Over } else { Step::Into });
            }
            name if is_skipped(name) => return Ok(Step::Over),
            _ if self.in_paragraph_properties => self.paragraph_property(start),
            "w:b" if self.in_run_properties => self.bold = is_on(start),
            "w:strike" | "w:dstrike" if self.in_run_properties => self.struck |= is_on(start),
            "w:highlight" | "w:shd" if self.in_run_properties => {
                self.highlight = self.highlight.or_else(|| Highlight::read(start));
            }
            "w:vertAlign" => {
                self.raised = attribute(start, "w:val").as_deref() == Some("superscript");
            }
            name if self.tables > 0 && self.table_start(name, start)? => {}
            "w:tbl" => self.open_table()?,
            name => self.run_content(name, start),
        }
        Ok(Step::Into)
    }

    fn open_paragraph(&mut self) {
        self.paragraphs = self.paragraphs.saturating_add(1);
        let open = OpenParagraph { ordinal: self.paragraphs, ..OpenParagraph::default() };
        self.frames.push(Frame::Paragraph(open));
    }

    fn paragraph_property(&mut self, start: &BytesStart<'_>) {
        if !self.in_run_properties
            && let Some(Frame::Paragraph(paragraph)) = self.frames.last_mut()
        {
            paragraph.take_property(start);
        }
    }

    fn open_table(&mut self) -> Result<(), ExtractError> {
        self.tables += 1;
        let limit = self.context.limits.table_depth;
        if self.tables > limit {
            return Err(ExtractError::limit(&self.name, Bound::TableDepth, limit as u64));
        }
        self.frames.push(Frame::Table(Table::default()));
        Ok(())
    }

    /// Handles an element of a table's frame; false if it is none.
    fn table_start(&mut self, name: &str, start: &BytesStart<'_>) -> Result<bool, ExtractError> {
        let Some(Frame::Table(table)) = self.frames.last_mut() else { return Ok(false) };
        if !frames::take_table_element(table, name, start) {
            return Ok(false);
        }
        self.in_row_properties |= name == "w:trPr";
        let cells = table.rows.last().map_or(0, |row| row.cells.len());
        let limit = self.context.limits.table_cells;
        if table.rows.len().max(cells) > limit {
            return Err(ExtractError::limit(&self.name, Bound::TableCells, limit as u64));
        }
        Ok(true)
    }

    fn run_content(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "w:tab" | "w:ptab" => self.text("\t"),
            "w:br" => {
                let kind = attribute(start, "w:type");
                if !matches!(kind.as_deref(), Some("page" | "column")) {
                    self.text("\n");
                }
            }
            "w:cr" => self.text("\n"),
            "w:noBreakHyphen" => self.text("-"),
            "w:sym" => {
                let font = attribute(start, "w:font").unwrap_or_default();
                let code = attribute(start, "w:char").unwrap_or_default();
                if let Some(c) = symbols::sym(&font, &code) {
                    self.text(c.encode_utf8(&mut [0; 4]));
                }
            }
            "w:footnoteReference" | "w:endnoteReference" => {
                let id = attribute(start, "w:id").unwrap_or_default();
                if self.deleted == 0
                    && let Some(note) = self.context.notes.take(name, &id)
                {
                    self.text(&format!(" [{note}]"));
                }
            }
            "w:object" | "w:pict" | "w:drawing" => self.pictures.push(Picture::default()),
            _ => {
                if let Some(picture) = self.pictures.last_mut() {
                    picture.take_content(name, start);
                }
            }
        }
    }

    fn change_starts(&mut self) {
        if let Some(Frame::Paragraph(paragraph)) = self.frames.last_mut() {
            paragraph.changed = true;
        }
    }

    fn deletion_starts(&mut self) {
        self.change_starts();
        if self.in_run_properties {
            if self.in_paragraph_properties
                && let Some(Frame::Paragraph(paragraph)) = self.frames.last_mut()
            {
                paragraph.joins_next = true;
            }
        } else if self.in_row_properties {
            if let Some(Frame::Table(table)) = self.frames.last_mut()
                && let Some(row) = table.rows.last_mut()
            {
                row.deleted = true;
            }
        } else {
            self.deleted += 1;
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(picture) = self.pictures.last_mut()
            && !is_alternative(name)
        {
            picture.shapes.leave(name);
        }
        match name {
            "w:t" => self.in_text = false,
            "w:pPr" => self.in_paragraph_properties = false,
            "w:rPr" => self.in_run_properties = false,
            "w:trPr" => self.in_row_properties = false,
            "w:del" | "w:moveFrom" if !self.in_run_properties && !self.in_row_properties => {
                self.deleted = self.deleted.saturating_sub(1);
            }
            "mc:AlternateContent" => {
                self.choices.pop();
            }
            "w:object" | "w:pict" | "w:drawing" => {
                if let Some(picture) = self.pictures.pop() {
                    self.picture_ends(picture);
                }
            }
            "w:p" => self.close_paragraph(),
            "w:tbl" => self.close_table(),
            _ => {}
        }
    }

    fn picture_ends(&mut self, picture: Picture) {
        if let Some(Frame::Paragraph(paragraph)) = self.frames.last_mut()
            && self.deleted == 0
        {
            picture.push_marker(&mut paragraph.text);
            paragraph.pictures.extend(picture.into_drawing());
        }
    }

    fn equation(&mut self, latex: &str) {
        if !latex.is_empty() {
            // Equations in a row are told apart by a blank.
            let follows =
                matches!(self.frames.last(), Some(Frame::Paragraph(p)) if p.text.ends_with('$'));
            self.text(&format!("{}${latex}$", if follows { " " } else { "" }));
        }
    }

    /// Adds text to the open paragraph, unless it stands in a deletion.
    fn text(&mut self, text: &str) {
        if let Some(Frame::Paragraph(paragraph)) = self.frames.last_mut()
            && self.deleted == 0
        {
            if let Some(picture) = self.pictures.last_mut() {
                picture.shapes.text(text);
            }
            if paragraph.breaks.is_none() && !text.trim().is_empty() {
                (paragraph.breaks, paragraph.bold) = (Some(self.breaks), self.bold);
            }
            if !text.trim().is_empty() {
                paragraph.highlight = paragraph.highlight.or(self.highlight);
            }
            let marks = self.context.marks_strikes && !text.trim().is_empty();
            if marks && paragraph.struck != self.struck {
                paragraph.mark_strike(self.struck);
            }
            if std::mem::take(&mut self.raised) && is_exponent(&paragraph.text, text) {
                paragraph.text.push('^');
            }
            push_plain(&mut paragraph.text, text);
        }
    }

    fn close_paragraph(&mut self) {
        let Some(Frame::Paragraph(mut open)) =
            self.frames.pop_if(|f| matches!(f, Frame::Paragraph(_)))
        else {
            return;
        };
        if open.struck {
            open.mark_strike(false);
        }
        if !self.carried.is_empty() && self.pictures.is_empty() {
            let mut text = std::mem::take(&mut self.carried);
            text.push_str(&open.text);
            open.text = text;
            open.pictures.splice(0..0, self.carried_pictures.drain(..));
        }
        if open.joins_next && self.pictures.is_empty() {
            self.carried = std::mem::take(&mut open.text);
            self.carried_pictures = std::mem::take(&mut open.pictures);
            let boxed = std::mem::take(&mut open.boxed);
            boxed.into_iter().for_each(|item| self.deliver(item));
            return;
        }
        let paragraph = self.resolve(open);
        self.deliver(Item::Paragraph(paragraph));
    }

    /// Fills in what style and numbering say about a paragraph.
    fn resolve(&mut self, open: OpenParagraph) -> Paragraph {
        let id = open.style.as_deref();
        let styles = self.context.styles;
        let style = id.map_or_else(|| styles.default_style(), |id| styles.get(id));
        let numbering = &mut self.context.numbering;
        let instance = open.instance.or(style.numbering).filter(|instance| *instance > 0);
        let place = Place { ordinal: open.ordinal, breaks: open.breaks.unwrap_or(self.breaks) };
        let mut paragraph = Paragraph {
            role: style.role,
            place,
            bold: open.bold || id.is_some_and(is_of_units),
            highlight: open.highlight,
            changed: open.changed,
            outline: open.outline.filter(|level| *level < 9),
            text: open.text,
            boxed: open.boxed,
            pictures: open.pictures,
            ..Paragraph::default()
        };
        if let Some(instance) = instance {
            let by_style = || id.and_then(|id| numbering.level_of_style(instance, id));
            let level = open.level.or_else(by_style).or(style.numbering_level).unwrap_or(0);
            let heading = matches!(style.role, Role::Heading(_) | Role::LowHeading);
            match split_number(paragraph.text.trim_start()).filter(|_| heading) {
                Some((typed, _)) => numbering.set_from_typed(instance, typed),
                None => paragraph.label = numbering.next_label(instance, level),
            }
            paragraph.label_level = level.min(8);
        }
        paragraph
    }

    fn close_table(&mut self) {
        self.tables = self.tables.saturating_sub(1);
        if let Some(Frame::Table(mut table)) = self.frames.pop_if(|f| matches!(f, Frame::Table(_)))
        {
            table.rows.retain(|row| !row.deleted);
            self.deliver(Item::Table(table));
        }
    }

    /// Gives a finished item to what it stands in.
    fn deliver(&mut self, item: Item) {
        match self.frames.last_mut() {
            None => (self.sink)(item),
            Some(Frame::Paragraph(paragraph)) => {
                if self.deleted == 0 {
                    paragraph.boxed.push(item);
                }
            }
            Some(Frame::Table(table)) => {
                let row = table.rows.last_mut();
                if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                    cell.items.push(item);
                }
            }
        }
    }

    fn finish(&mut self) {
        let text = std::mem::take(&mut self.carried);
        if !text.trim().is_empty() {
            (self.sink)(Item::Paragraph(Paragraph { text, ..Paragraph::default() }));
        }
    }
}

/// Whether a style is that of numbered proposals or observations: it sets them in bold.
fn is_of_units(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    style.starts_with("proposal") || style.starts_with("observation")
}
