//! The blocks of a section as HTML, with figures where they belong.

use std::collections::HashMap;

use cost_meter::spend;
use document_model::{Block, ListItem, Paragraph, ParagraphKind, RichText, SectionBody, SpanKind};
use formula::FormulaPlace;
use maud::{Markup, html};
use store::InlinePictureRow;

use super::{
    abbreviations::SectionAbbreviations,
    figures::render_inline_picture,
    inline::{InlineLink, TextParts, render_formula, render_rich_text},
    listing::{ListingLinks, render_listing},
    margin::Margin,
    table::render_table,
};

/// Steps of a cost meter for one block, without its texts.
const STEPS_PER_BLOCK: usize = 16;

/// What the texts of a section are rendered with.
pub(super) struct SectionText<'a> {
    /// What the section consists of.
    pub(super) body: &'a SectionBody,
    /// The pictures in its lines.
    pub(super) pictures: &'a [InlinePictureRow],
    /// The abbreviations that it uses.
    pub(super) abbreviations: SectionAbbreviations<'a>,
    /// The links of its texts, by block and by text within the block.
    pub(super) links: HashMap<(usize, usize), Vec<InlineLink>>,
    /// Makes the ids of its parts unique on the page.
    pub(super) id: &'a str,
    /// Where names of listings are defined.
    pub(super) listing_links: ListingLinks<'a>,
    /// What is next to its blocks.
    pub(super) margin: Option<&'a Margin>,
    /// Renders the figure with an index.
    pub(super) figure: &'a dyn Fn(u32) -> Markup,
}

impl SectionText<'_> {
    /// The whole section, without its heading.
    pub(super) fn render(&self) -> Markup {
        let blocks = &self.body.blocks;
        let mut parts = Vec::new();
        let mut index = 0;
        while index < blocks.len() {
            spend(STEPS_PER_BLOCK + self.body.figures.len());
            parts.push(self.render_figures(index));
            let items = self.count_items(index);
            if items > 0 {
                parts.push(self.render_list(index, items));
                index += items;
            } else {
                parts.push(self.render_note(index));
                parts.push(self.render_block(index));
                index += 1;
            }
        }
        parts.push(self.render_figures(blocks.len()));
        html! { @for part in parts { (part) } }
    }

    /// What is next to a block.
    fn render_note(&self, block: usize) -> Markup {
        self.margin.map_or_else(|| html! {}, |margin| margin.render(block))
    }

    /// The items of a list from a block on; a figure among them ends it.
    fn count_items(&self, start: usize) -> usize {
        let rest = self.body.blocks[start..].iter().enumerate();
        rest.take_while(|(offset, block)| {
            matches!(block, Block::ListItem(_))
                && (*offset == 0 || !self.has_figure(start + offset))
        })
        .count()
    }

    fn has_figure(&self, block: usize) -> bool {
        self.body.figures.iter().any(|figure| figure.block as usize == block)
    }

    fn render_figures(&self, block: usize) -> Markup {
        let last = self.body.blocks.len();
        let here = self.body.figures.iter().filter(|figure| {
            let position = (figure.block as usize).min(last);
            position == block
        });
        html! { @for figure in here { ((self.figure)(figure.figure)) } }
    }

    fn render_text(&self, text: &RichText, block: usize, index: usize) -> Markup {
        let links = self.links.get(&(block, index)).map_or(&[][..], Vec::as_slice);
        let pictures = self.inline_pictures(text, block, index);
        let abbreviations = Some(&self.abbreviations);
        render_rich_text(text, TextParts { links, pictures: &pictures, abbreviations })
    }

    /// What replaces each figure span of a text; empty if there are no pictures in its lines.
    fn inline_pictures(&self, text: &RichText, block: usize, index: usize) -> Vec<Markup> {
        spend(1 + self.pictures.len());
        let mut here = self.pictures.iter().filter(|row| row.block as usize == block).peekable();
        if here.peek().is_none() || count_figures(text) == 0 {
            return Vec::new();
        }
        let texts = self.body.blocks[block].texts();
        spend(texts.len());
        let before: u32 = texts.iter().take(index).map(|text| count_figures(text)).sum();
        let mut pictures = vec![html! {}; count_figures(text) as usize];
        for row in here {
            let place = row.marker.checked_sub(before).and_then(|n| pictures.get_mut(n as usize));
            if let Some(place) = place {
                *place = html! { (place) (render_inline_picture(row)) };
            }
        }
        pictures
    }

    fn render_block(&self, index: usize) -> Markup {
        match &self.body.blocks[index] {
            Block::Paragraph(paragraph) => self.render_paragraph(paragraph, index),
            Block::ListItem(_) => self.render_list(index, 1),
            Block::Table(table) => {
                let anchor =
                    table.caption.as_ref().and_then(|caption| caption_anchor(caption.as_str()));
                let render = |text: &RichText, n: usize| self.render_text(text, index, n);
                html! { div.captioned id=[anchor] { (render_table(table, &render)) } }
            }
            Block::Code(code) => {
                render_listing(code, &format!("code-{}-{index}", self.id), self.listing_links)
            }
        }
    }

    fn render_paragraph(&self, paragraph: &Paragraph, index: usize) -> Markup {
        if is_figure_alone(&paragraph.text) {
            let pictures = self.inline_pictures(&paragraph.text, index, 0);
            return html! { @if !pictures.is_empty() { p { @for picture in pictures { (picture) } } } };
        }
        let text = || self.render_text(&paragraph.text, index, 0);
        match paragraph.kind {
            ParagraphKind::Text => html! { p { (text()) } },
            ParagraphKind::Note => html! { p.remark { (text()) } },
            ParagraphKind::Example => html! { p.remark.example { (text()) } },
            ParagraphKind::EditorsNote => html! { p.remark.editor { (text()) } },
            ParagraphKind::Caption => {
                let anchor = caption_anchor(paragraph.text.as_str());
                html! { p.caption-line id=[anchor] { (text()) } }
            }
            ParagraphKind::Formula => self.render_formula_paragraph(&paragraph.text, index),
        }
    }

    /// A formula on its own, its number at the end of the line.
    fn render_formula_paragraph(&self, text: &RichText, index: usize) -> Markup {
        let span = text.spans().iter().find(|span| span.kind == SpanKind::Formula);
        let Some(span) = span else { return html! { p { (self.render_text(text, index, 0)) } } };
        let (start, end) = (span.start as usize, span.end as usize);
        let latex = text.as_str().get(start..end).unwrap_or_default();
        let rest = text.as_str().get(end..).unwrap_or_default().trim();
        html! {
            div.formula tabindex="0" role="group" aria-label="Formula" {
                (render_formula(latex, FormulaPlace::Alone))
                @if !rest.is_empty() { span.number { (rest) } }
            }
        }
    }

    /// The items from a block on, indented by their depth, with their labels apart.
    fn render_list(&self, start: usize, count: usize) -> Markup {
        let items = self.body.blocks[start..start + count].iter().enumerate();
        let item = |index: usize, item: &ListItem| {
            let depth = item.depth.clamp(1, 9);
            html! {
                li class={ "depth-" (depth) } {
                    (self.render_note(index))
                    @if let Some(label) = &item.label { span.label { (label) } " " }
                    span.said { (self.render_text(&item.text, index, 0)) }
                }
            }
        };
        html! {
            ul.items role="list" {
                @for (offset, block) in items {
                    @if let Block::ListItem(listed) = block { (item(start + offset, listed)) }
                }
            }
        }
    }
}

fn count_figures(text: &RichText) -> u32 {
    text.spans().iter().map(|span| u32::from(span.kind == SpanKind::Figure)).sum()
}

/// Whether a paragraph is only the place of figures.
fn is_figure_alone(text: &RichText) -> bool {
    count_figures(text) > 0
        && text.as_str().replace(document_model::FIGURE_MARKER, "").trim().is_empty()
}

/// The id of a caption: `caption-table-6.3.1-2` for "Table 6.3.1-2: Values".
fn caption_anchor(caption: &str) -> Option<String> {
    let mut words = caption.split([' ', ':']).filter(|word| !word.is_empty());
    let kind = words.next().map(str::to_ascii_lowercase);
    let kind = kind.filter(|kind| kind == "table" || kind == "figure")?;
    let number = words.next()?.trim_end_matches('.');
    let is_number = number.bytes().any(|byte| byte.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    is_number.then(|| format!("caption-{kind}-{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::reader::abbreviations::DocumentAbbreviations;
    use document_model::{FigurePosition, RichTextBuilder};

    fn rendered(blocks: Vec<Block>, figures: Vec<FigurePosition>) -> String {
        let body = SectionBody { blocks, figures };
        let abbreviations = DocumentAbbreviations::default();
        let text = SectionText {
            body: &body,
            abbreviations: abbreviations.of_section(),
            pictures: &[],
            links: HashMap::new(),
            id: "5",
            listing_links: ListingLinks {
                type_path: &|_| None,
                name_path: &|_, _| None,
                file_path: &|_| None,
            },
            margin: None,
            figure: &|index| html! { figure { (index) } },
        };
        text.render().into_string()
    }

    fn paragraph(text: &str, kind: ParagraphKind) -> Block {
        Block::Paragraph(Paragraph { kind, text: text.into(), changed: false })
    }

    #[test]
    fn captions_have_anchors() {
        for (caption, anchor) in [
            ("Table 6.3.1-2: Values", Some("caption-table-6.3.1-2")),
            ("Figure A.1-1 : States", Some("caption-figure-A.1-1")),
            ("Table: Values", None),
            ("Tables of values", None),
            ("Table \"x\": y1", None),
        ] {
            assert_eq!(caption_anchor(caption).as_deref(), anchor, "{caption}");
        }
    }

    #[test]
    fn lists_keep_labels_and_depth_and_figures_stand_where_they_were() {
        let item = |depth, label: &str, text: &str| {
            let label = Some(label.to_owned());
            Block::ListItem(ListItem { depth, label, text: text.into(), changed: false })
        };
        let mut marker = RichTextBuilder::default();
        marker.push_str("[figure]");
        marker.add_span(0, 8, SpanKind::Figure);
        let figure = Block::Paragraph(Paragraph { text: marker.finish(), ..Paragraph::default() });
        let html = rendered(
            vec![
                paragraph("The UE shall:", ParagraphKind::Text),
                item(1, "1>", "if so:"),
                item(2, "2>", "stop;"),
                figure,
                paragraph("Figure 5-1: States", ParagraphKind::Caption),
                paragraph("NOTE: <b>", ParagraphKind::Note),
            ],
            vec![FigurePosition { block: 3, figure: 7 }],
        );
        assert_eq!(
            html,
            "<p>The UE shall:</p><ul class=\"items\" role=\"list\">\
             <li class=\"depth-1\"><span class=\"label\">1&gt;</span> <span class=\"said\">if so:</span></li>\
             <li class=\"depth-2\"><span class=\"label\">2&gt;</span> <span class=\"said\">stop;</span></li></ul>\
             <figure>7</figure><p class=\"caption-line\" id=\"caption-figure-5-1\">Figure 5-1: States</p>\
             <p class=\"remark\">NOTE: &lt;b&gt;</p>"
        );
    }
}
