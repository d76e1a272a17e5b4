//! What a link leads to, in a few lines: shown next to the link on hover and on focus.

use std::collections::BTreeMap;

use document_model::{Block, RichText, SpanKind};
use maud::{Markup, html};
use store::{DocumentEntry, SectionHead, SectionKey, Snapshot, StoreError};

use super::{
    contents::format_heading,
    inline::{TextParts, render_rich_text},
};

/// Maximum bytes of the text of a preview.
const MAX_TEXT_BYTES: usize = 420;
/// Maximum number of paragraphs.
const MAX_PARAGRAPHS: usize = 3;
/// Maximum number of headings below a section without text.
const MAX_HEADINGS: usize = 6;
/// Maximum number of sections that are searched for these headings: most of them may be deeper.
const MAX_SECTIONS_BELOW: usize = 200;
/// Maximum number of previews on a page: they are part of it, and it must not transfer more than 100 kB.
const MAX_PREVIEWS: usize = 60;

/// The previews of a page, each once.
#[derive(Default)]
pub(super) struct Previews {
    /// By the ids of their elements.
    elements: BTreeMap<String, Markup>,
}

impl Previews {
    /// Adds the preview of a section, unless it is there. Returns its ID; `None` if the page has too many.
    pub(super) fn add_section(
        &mut self,
        snapshot: &Snapshot,
        entry: &DocumentEntry,
        key: SectionKey,
        head: &SectionHead,
    ) -> Result<Option<String>, StoreError> {
        let id = format!("preview-{}-{}", key.document, key.ordinal);
        if !self.elements.contains_key(&id) {
            if self.elements.len() >= MAX_PREVIEWS {
                return Ok(None);
            }
            let body = snapshot.documents().section_body(key)?.unwrap_or_default();
            let (paragraphs, is_cut) = first_paragraphs(&body.blocks);
            let below = if body.blocks.is_empty() {
                headings_below(snapshot, key, head.level)?
            } else {
                Vec::new()
            };
            let row = &entry.row;
            let element = html! {
                div id=(id) {
                    strong { (format_heading(head)) }
                    small { (row.doc_type) " " (row.number) " " (row.version) }
                    @for (n, text) in paragraphs.iter().enumerate() {
                        p {
                            (render_rich_text(text, TextParts::default()))
                            @if is_cut && n + 1 == paragraphs.len() { "\u{2026}" }
                        }
                    }
                    @if !below.is_empty() { ul { @for heading in below { li { (heading) } } } }
                }
            };
            self.elements.insert(id.clone(), element);
        }
        Ok(Some(id))
    }

    /// All of them, hidden until a link shows its own.
    pub(super) fn render(&self) -> Markup {
        html! {
            div.previews hidden {
                @for element in self.elements.values() { (element) }
            }
        }
    }
}

/// The headings right below a section that has no text of its own.
fn headings_below(
    snapshot: &Snapshot,
    key: SectionKey,
    level: u8,
) -> Result<Vec<String>, StoreError> {
    let mut headings = Vec::new();
    for ordinal in (key.ordinal.saturating_add(1)..).take(MAX_SECTIONS_BELOW) {
        let next = snapshot.documents().section_head(SectionKey { ordinal, ..key })?;
        let Some(next) = next.filter(|next| next.level > level) else { break };
        if next.level == level.saturating_add(1) {
            headings.push(format_heading(&next));
        }
        if headings.len() == MAX_HEADINGS {
            break;
        }
    }
    Ok(headings)
}

/// The first lines of a section, without tables and listings, and whether its text continues.
fn first_paragraphs(blocks: &[Block]) -> (Vec<RichText>, bool) {
    let mut left = MAX_TEXT_BYTES;
    let mut paragraphs = Vec::new();
    for block in blocks {
        let text = match block {
            Block::Paragraph(paragraph) => &paragraph.text,
            Block::ListItem(item) => &item.text,
            Block::Table(_) | Block::Code(_) => continue,
        };
        if left == 0 || paragraphs.len() == MAX_PARAGRAPHS {
            return (paragraphs, true);
        }
        let end = cut_position(text, left);
        left = left.saturating_sub(end);
        if end < text.as_str().len() {
            left = 0;
        }
        paragraphs.push(text.slice(0..end));
        if left == 0 {
            return (paragraphs, true);
        }
    }
    (paragraphs, false)
}

/// Where a text may be cut: at most at `limit`, between words, and not within a formula.
fn cut_position(text: &RichText, limit: usize) -> usize {
    let whole = text.as_str();
    if whole.len() <= limit {
        return whole.len();
    }
    let end = (0..=limit).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or(0);
    let end = whole[..end].rfind(' ').unwrap_or(end);
    let within = text.spans().iter().find(|span| {
        span.kind == SpanKind::Formula && (span.start as usize) < end && end < span.end as usize
    });
    within.map_or(end, |span| span.start as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::{Paragraph, RichTextBuilder};

    #[test]
    fn a_preview_ends_between_words_and_before_a_formula() {
        let block = |text: RichText| Block::Paragraph(Paragraph { text, ..Paragraph::default() });
        let words = |text: &str| block(text.into());
        let (first, is_cut) =
            first_paragraphs(&[words("One."), words("Two."), words("Three."), words("4.")]);
        assert!(is_cut);
        assert_eq!(
            first.iter().map(RichText::as_str).collect::<Vec<_>>(),
            ["One.", "Two.", "Three."]
        );
        let long = "word ".repeat(200);
        let (first, is_cut) = first_paragraphs(&[words(&long), words("Next.")]);
        assert!(first.len() == 1 && is_cut);
        assert!(!first_paragraphs(&[words("One.")]).1);
        assert!(first[0].as_str().ends_with("word") && first[0].as_str().len() <= MAX_TEXT_BYTES);
        let mut builder = RichTextBuilder::default();
        builder.push_str(&"x".repeat(400));
        builder.push_str(" $a + b + c + d + e + f + g + h + i$");
        builder.add_span(401, 436, SpanKind::Formula);
        let (first, _) = first_paragraphs(&[block(builder.finish())]);
        assert_eq!(first[0].as_str().trim_end().len(), 400);
    }
}
