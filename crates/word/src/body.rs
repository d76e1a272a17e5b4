//! The walk over `document.xml`: one pass, one item at a time to the caller.
//!
//! Of tracked changes, one side is read; of alternative contents, the first supported choice. Of fields, the
//! stored results are read; missing ones are computed.

mod closing;
mod context;
mod fields;
mod state;
mod text;

use std::io::BufRead;

use quick_xml::events::BytesStart;

use document::{ExtractError, LimitKind};

pub(super) use context::{BodyContext, BodyFindings};
use state::{BodyState, BodyStates};

use super::carried_text::CarriedText;
use super::fields::Fields;
use super::inline_text::InlineText;
use super::item::{BodyItem, BodyTable, ParagraphPosition};
use super::math::{self, EquationReading};
use super::namespaces::are_understood;
use super::open_elements::{self, OpenDrawing, OpenElement, OpenParagraph, OpenRun, is_skipped};
use super::run_fonts::{UnknownSymbols, read_symbol};
use super::run_format::RunFormat;
use super::run_marks::RunMarks;
use super::xml::{XmlEvent, XmlReader, attribute_value};

/// Walks over the body and passes every top-level paragraph and table to `sink`. Returns warnings.
pub(super) fn walk_body<R: BufRead>(
    mut xml: XmlReader<R>,
    context: BodyContext<'_>,
    sink: &mut dyn FnMut(BodyItem),
) -> Result<BodyFindings, ExtractError> {
    let name = xml.name().to_owned();
    let reading = EquationReading {
        max_depth: context.limits.math_depth,
        tracked: context.tracked,
        styles: context.styles,
        has_alignment_marks: false,
    };
    let mut walker = BodyWalker::new(context, name, sink);
    let mut buffer = Vec::with_capacity(4096);
    let mut scratch = Vec::new();
    loop {
        match xml.next_event(&mut buffer)? {
            XmlEvent::Start(start) => match walker.start_element(&start)? {
                WalkStep::Descend => {}
                WalkStep::Skip => xml.skip_element(&mut scratch)?,
                WalkStep::Equation => {
                    let lines =
                        math::read_equation(&mut xml, reading, &mut walker.unknown_symbols)?;
                    for (index, line) in lines.iter().enumerate() {
                        if index > 0 {
                            walker.push_text("\n");
                        }
                        let (before, after) = line.blank_edges();
                        walker.push_blank(before);
                        walker.push_equation(&line.to_latex());
                        walker.push_blank(after);
                    }
                }
            },
            XmlEvent::Text(text) => walker.push_characters(&text),
            XmlEvent::Char(c) => walker.push_characters(c.encode_utf8(&mut [0; 4])),
            XmlEvent::End(end) => walker.end_element(end.name().as_ref()),
            XmlEvent::Eof => {
                return walker.finish();
            }
            _ => {}
        }
    }
}

/// Whether the namespaces of a choice are understood; otherwise the next one or the fallback is read.
fn is_supported_choice(choice: &BytesStart<'_>) -> bool {
    are_understood(&attribute_value(choice, "Requires").unwrap_or_default())
}

fn is_alternate_content(name: &str) -> bool {
    name.starts_with("mc:")
}

/// How to continue after a start tag.
enum WalkStep {
    /// Read the content of the element.
    Descend,
    /// Skip the element with its content.
    Skip,
    /// Read the element as an equation.
    Equation,
}

struct BodyWalker<'a, 's> {
    context: BodyContext<'a>,
    name: String,
    sink: &'s mut dyn FnMut(BodyItem),
    open_elements: Vec<OpenElement>,
    /// Number of open tables, each within the one before.
    table_depth: usize,
    /// Paragraphs so far.
    paragraph_count: u32,
    /// Rendered page breaks so far.
    breaks: u32,
    pictures: Vec<OpenDrawing>,
    /// For each open alternative content, whether a choice was seen.
    choices: Vec<bool>,
    /// What the content of the open element means.
    states: BodyStates,
    run: OpenRun,
    /// The content of a paragraph whose end was deleted, which goes before the next one.
    carried: CarriedText,
    fields: Fields,
    unknown_symbols: UnknownSymbols,
}

impl<'a, 's> BodyWalker<'a, 's> {
    fn new(mut context: BodyContext<'a>, name: String, sink: &'s mut dyn FnMut(BodyItem)) -> Self {
        let tracked = context.tracked;
        let unknown_symbols = std::mem::take(&mut context.notes.unknown_symbols);
        let fields = Fields::new(std::mem::take(&mut context.bookmarks));
        Self {
            context,
            name,
            sink,
            open_elements: Vec::new(),
            table_depth: 0,
            paragraph_count: 0,
            breaks: 0,
            pictures: Vec::new(),
            choices: Vec::new(),
            states: BodyStates::new(tracked),
            run: OpenRun::default(),
            carried: CarriedText::default(),
            fields,
            unknown_symbols,
        }
    }

    fn start_element(&mut self, start: &BytesStart<'_>) -> Result<WalkStep, ExtractError> {
        if let Some(picture) = self.pictures.last_mut() {
            let name = start.name();
            let name = name.as_ref();
            // Alternative content is chosen below: its elements are not part of the shapes.
            if !(is_skipped(name) || is_alternate_content(name) || name == "m:oMath") {
                picture.shapes.start_element(name, start);
            }
        }
        let before = self.states.current();
        self.states.enter(start.name().as_ref());
        match start.name().as_ref() {
            "w:t" | "w:delText" | "w:pPr" | "w:rPr" | "w:instrText" | "w:delInstrText" => {}
            "w:r" => self.run = OpenRun::default(),
            "w:p" => self.open_paragraph(),
            "w:lastRenderedPageBreak" => self.breaks = self.breaks.saturating_add(1),
            name @ ("w:ins" | "w:moveTo" | "w:del" | "w:moveFrom") => {
                self.note_tracked_change(name, before);
            }
            "m:oMath" => return Ok(WalkStep::Equation),
            "mc:AlternateContent" => self.choices.push(false),
            "mc:Choice" if !is_supported_choice(start) => return Ok(WalkStep::Skip),
            "mc:Choice" => {
                let seen = self.choices.last_mut().map(|seen| std::mem::replace(seen, true));
                return Ok(if seen == Some(true) { WalkStep::Skip } else { WalkStep::Descend });
            }
            "mc:Fallback" => {
                let skip = self.choices.last().is_none_or(|seen| *seen);
                return Ok(if skip { WalkStep::Skip } else { WalkStep::Descend });
            }
            name if is_skipped(name) => return Ok(WalkStep::Skip),
            _ if before == BodyState::MarkProperties => {}
            _ if before == BodyState::ParagraphProperties => self.apply_paragraph_property(start),
            name if before == BodyState::RunProperties
                && self.run.apply_property(name, start, self.context.styles.theme()) => {}
            name if self.table_depth > 0 && self.start_table_element(name, start)? => {}
            "w:tbl" => self.open_table()?,
            "w:altChunk" | "w:subDoc" => self.insert_file(start),
            name => self.push_run_content(name, start),
        }
        Ok(WalkStep::Descend)
    }

    /// Inserts the content of a file of the package.
    fn insert_file(&mut self, start: &BytesStart<'_>) {
        let relation = attribute_value(start, "r:id").unwrap_or_default();
        if !self.states.is_left_out() {
            let at = self.position();
            let items = self.context.attached.insert_file(&relation, at);
            items.into_iter().for_each(|item| self.deliver_item(item));
        }
    }

    /// The position of the paragraph that was opened last.
    fn position(&self) -> ParagraphPosition {
        ParagraphPosition { ordinal: self.paragraph_count.max(1), breaks: self.breaks }
    }

    fn open_paragraph(&mut self) {
        self.paragraph_count = self.paragraph_count.saturating_add(1);
        let keeps_spans = self.context.run_marks == RunMarks::Spans;
        let open = OpenParagraph {
            ordinal: self.paragraph_count,
            inline: InlineText::new(keeps_spans),
            ..OpenParagraph::default()
        };
        self.open_elements.push(OpenElement::Paragraph(open));
    }

    fn apply_paragraph_property(&mut self, start: &BytesStart<'_>) {
        if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut() {
            paragraph.apply_property(start);
        }
    }

    fn open_table(&mut self) -> Result<(), ExtractError> {
        self.table_depth += 1;
        let limit = self.context.limits.table_depth;
        if self.table_depth > limit {
            return Err(ExtractError::limit_exceeded(
                &self.name,
                LimitKind::TableDepth,
                limit as u64,
            ));
        }
        self.open_elements.push(OpenElement::Table(BodyTable::default()));
        Ok(())
    }

    /// Handles an element of a table's structure; returns false for other elements.
    fn start_table_element(
        &mut self,
        name: &str,
        start: &BytesStart<'_>,
    ) -> Result<bool, ExtractError> {
        let Some(OpenElement::Table(table)) = self.open_elements.last_mut() else {
            return Ok(false);
        };
        if self.context.tracked.leaves_out_cell(name) {
            if let Some(cell) = table.rows.last_mut().and_then(|row| row.cells.last_mut()) {
                cell.is_left_out = true;
            }
            return Ok(true);
        }
        if !open_elements::apply_table_element(table, name, start) {
            return Ok(false);
        }
        let cells = table.rows.last().map_or(0, |row| row.cells.len());
        let limit = self.context.limits.table_cells;
        if table.rows.len().max(cells) > limit {
            return Err(ExtractError::limit_exceeded(
                &self.name,
                LimitKind::TableCells,
                limit as u64,
            ));
        }
        Ok(true)
    }

    fn push_run_content(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "w:tab" | "w:ptab" => self.push_text("\t"),
            "w:br" => {
                let kind = attribute_value(start, "w:type");
                if !matches!(kind.as_deref(), Some("page" | "column")) {
                    self.push_text("\n");
                }
            }
            "w:cr" => self.push_text("\n"),
            "w:noBreakHyphen" => self.push_text("-"),
            "w:sym" => {
                if self.is_shown()
                    && let Some(c) = read_symbol(start, &mut self.unknown_symbols)
                {
                    let mut bytes = [0; 4];
                    let text = &*c.encode_utf8(&mut bytes);
                    if self.fields.is_in_formula() {
                        self.fields.push_code(text);
                    } else {
                        self.push_text(text);
                    }
                }
            }
            "w:footnoteReference" | "w:endnoteReference" => {
                let id = attribute_value(start, "w:id").unwrap_or_default();
                if !self.states.is_left_out()
                    && let Some(note) = self.context.notes.take_note(name, &id)
                {
                    self.push_text(&format!(" [{note}]"));
                }
            }
            "w:object" | "w:pict" | "w:drawing" => self.pictures.push(OpenDrawing::default()),
            _ if self.apply_field_element(name, start) => {}
            _ => {
                if let Some(picture) = self.pictures.last_mut() {
                    picture.apply_content(name, start);
                }
            }
        }
    }

    /// Records that a tracked change touched a paragraph, and whether it leaves out the mark at the end of a paragraph
    /// or a row. Whether it leaves out content is a state.
    fn note_tracked_change(&mut self, element: &str, state: BodyState) {
        if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut() {
            paragraph.changed = true;
        }
        if self.context.tracked.left_out_element(element).is_none() {
            return;
        }
        match (state, self.open_elements.last_mut()) {
            (BodyState::MarkProperties, Some(OpenElement::Paragraph(paragraph))) => {
                paragraph.joins_next = true;
            }
            (BodyState::RowProperties, Some(OpenElement::Table(table))) => {
                if let Some(row) = table.rows.last_mut() {
                    row.is_left_out = true;
                }
            }
            _ => {}
        }
    }

    /// Adds characters to what is open: the text, or the code of a field.
    fn push_characters(&mut self, text: &str) {
        match self.states.current() {
            BodyState::Text => self.push_run_text(text),
            BodyState::FieldCode => self.push_field_code(text),
            _ => {}
        }
    }

    fn finish(mut self) -> Result<BodyFindings, ExtractError> {
        self.flush_carried_text();
        let attached = self.context.attached.finish()?;
        let (bookmarks, unread_fields) = self.fields.into_parts();
        Ok(BodyFindings {
            unknown_symbols: self.unknown_symbols,
            unread_fields,
            bookmarks,
            attached,
        })
    }

    fn end_element(&mut self, name: &str) {
        if let Some(picture) = self.pictures.last_mut()
            && !is_alternate_content(name)
        {
            picture.shapes.end_element(name);
        }
        self.states.leave(name);
        match name {
            // An equation after the run has the highlight and the strike of the run.
            "w:r" => {
                let OpenRun { highlight, bold, own_format, .. } = std::mem::take(&mut self.run);
                let RunFormat { is_struck, .. } = own_format;
                let own_format = RunFormat { is_struck, ..RunFormat::default() };
                self.run = OpenRun { highlight, bold, own_format, ..OpenRun::default() };
            }
            "mc:AlternateContent" => {
                self.choices.pop();
            }
            "w:object" | "w:pict" | "w:drawing" => {
                if let Some(picture) = self.pictures.pop() {
                    self.close_drawing(picture);
                }
            }
            "w:fldSimple" => self.close_field(),
            "w:p" => self.close_paragraph(),
            "w:tbl" => self.close_table(),
            _ => {}
        }
    }
}
