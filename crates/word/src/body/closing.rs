//! Closes paragraphs and tables: resolves style and numbering, and hands the finished item to what
//! contains it.

use document::split_number;
use domain::SectionNumber;

use super::BodyWalker;
use crate::{
    carried_text::CarriedText,
    inline_text::InlineText,
    item::{BodyItem, BodyParagraph, BodyTable, ParagraphPosition},
    open_elements::{OpenElement, OpenParagraph},
    role::ParagraphRole,
    table_grid::merge_narrow_columns,
};

impl BodyWalker<'_, '_> {
    pub(super) fn close_paragraph(&mut self) {
        let Some(OpenElement::Paragraph(mut open)) =
            self.open_elements.pop_if(|f| matches!(f, OpenElement::Paragraph(_)))
        else {
            return;
        };
        if open.struck {
            open.mark_strike(false);
        }
        self.fields.end_paragraph(open.ordinal);
        if !self.carried.inline.text.is_empty() && self.pictures.is_empty() {
            let carried = std::mem::take(&mut self.carried);
            self.fields.bookmarks.move_text(open.ordinal, carried.inline.text.len());
            let markers = open.inline.prepend(carried.inline);
            open.pictures.iter_mut().for_each(|drawing| drawing.marker += markers);
            open.pictures.splice(0..0, carried.pictures);
        }
        if open.joins_next && self.pictures.is_empty() {
            self.carried = CarriedText {
                inline: std::mem::take(&mut open.inline),
                pictures: std::mem::take(&mut open.pictures),
            };
            let boxed = std::mem::take(&mut open.boxed);
            boxed.into_iter().for_each(|item| self.deliver_item(item));
            return;
        }
        let ordinal = open.ordinal;
        let paragraph = self.resolve_paragraph(open);
        let label = paragraph.label.as_deref();
        self.fields.bookmarks.end_paragraph(ordinal, &paragraph.text, label);
        if let ParagraphRole::Heading(level) = paragraph.role {
            self.fields.restart_sequences(level);
        }
        self.deliver_item(BodyItem::Paragraph(paragraph));
    }

    /// Resolves the style and the numbering of a paragraph.
    fn resolve_paragraph(&mut self, open: OpenParagraph) -> BodyParagraph {
        let id = open.style.as_deref();
        let styles = self.context.styles;
        let style = id.map_or_else(|| styles.default_style(), |id| styles.get(id));
        let numbering = &mut self.context.numbering;
        let instance = open.instance.or(style.numbering).filter(|instance| *instance > 0);
        let position =
            ParagraphPosition { ordinal: open.ordinal, breaks: open.breaks.unwrap_or(self.breaks) };
        let mut paragraph = BodyParagraph {
            role: style.role,
            position,
            bold: open.bold || id.is_some_and(is_proposal_style),
            highlight: open.highlight,
            highlight_start: open.highlight_start,
            highlight_chars: open.highlight_chars,
            is_green: open.green.are_all(),
            changed: open.changed,
            outline: open.outline.filter(|level| *level < 9).or(style.low_outline),
            text: open.inline.text,
            spans: open.inline.spans,
            boxed: open.boxed,
            pictures: open.pictures,
            ..BodyParagraph::default()
        };
        if let Some(instance) = instance {
            let by_style = || id.and_then(|id| numbering.level_of_style(instance, id));
            let level = open.level.or_else(by_style).or(style.numbering_level).unwrap_or(0);
            let is_heading =
                matches!(style.role, ParagraphRole::Heading(_) | ParagraphRole::LowHeading);
            // "10 MHz bandwidth" below 7.3.1 does not begin with a number of its own; it would set the counters to 10.
            // "E.164 numbers" with a number from Word is a title; "B.1<tab>Codes" is not.
            let text = paragraph.text.trim_start();
            let is_own = |number: &str| {
                let is_tabbed = text[number.len()..].trim_start_matches(' ').starts_with('\t');
                (level == 0 || number.contains(['.', '-']))
                    && (is_tabbed || !SectionNumber::is_of_annex(number))
            };
            let typed = split_number(text).filter(|(number, _)| is_heading && is_own(number));
            match typed {
                Some((typed, _)) => numbering.set_counters_from_typed(instance, typed),
                None => paragraph.label = numbering.next_label(instance, level),
            }
            paragraph.label_level = level.min(8);
        }
        paragraph
    }

    pub(super) fn close_table(&mut self) {
        self.table_depth = self.table_depth.saturating_sub(1);
        if let Some(OpenElement::Table(mut table)) =
            self.open_elements.pop_if(|f| matches!(f, OpenElement::Table(_)))
        {
            leave_out_cells(&mut table);
            merge_narrow_columns(&mut table);
            self.deliver_item(BodyItem::Table(table));
        }
    }

    /// Hands a finished item to the element that contains it, or to the sink.
    pub(super) fn deliver_item(&mut self, item: BodyItem) {
        match self.open_elements.last_mut() {
            None => (self.sink)(item),
            Some(OpenElement::Paragraph(paragraph)) => {
                if !self.states.is_left_out() {
                    paragraph.boxed.push(item);
                }
            }
            Some(OpenElement::Table(table)) => {
                let row = table.rows.last_mut();
                if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                    cell.items.push(item);
                }
            }
        }
    }

    pub(super) fn flush_carried_text(&mut self) {
        let CarriedText { inline, pictures } = std::mem::take(&mut self.carried);
        let InlineText { text, spans, .. } = inline;
        if !text.trim().is_empty() {
            let paragraph = BodyParagraph { text, spans, pictures, ..BodyParagraph::default() };
            (self.sink)(BodyItem::Paragraph(paragraph));
        }
    }
}

/// Removes the rows and cells that tracked changes leave out, and the rows of which no cell is left.
fn leave_out_cells(table: &mut BodyTable) {
    table.rows.retain_mut(|row| {
        let cells = row.cells.len();
        row.cells.retain(|cell| !cell.is_left_out);
        !row.is_left_out && (cells == 0 || !row.cells.is_empty())
    });
}

/// Whether a style is for numbered proposals or observations, which it sets in bold.
fn is_proposal_style(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    style.starts_with("proposal") || style.starts_with("observation")
}
