//! What the pages of texts share: where a text comes from, its parts, and the quote that is marked.

use std::ops::Range;

use axum::{http::StatusCode, response::Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    anchor_position::find_quoted_blocks,
    back_link::BackLink,
    quote_link::{QUOTE_ID, QuoteLink},
    text_block::{file_name, render_page_mark, render_text_block},
    text_parts::split_parts,
};
use crate::ui::page::{PageFrame, render_content_page};
use store::TdocBlockRow;

/// Characters of an unknown anchor that its page repeats: anyone can put any text into the address.
const MAX_SHOWN_ANCHOR_CHARS: usize = 200;

/// The query string of the page of a text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::ui) struct TextPageQuery {
    /// The anchor of the first paragraph of a quote; without one, nothing is marked.
    anchor: String,
    /// The anchor of its last paragraph.
    last_anchor: String,
    /// The part to show, from 1; without one, that in which the quote begins.
    part: u32,
    /// The path of the page that quotes the text.
    back: String,
}

/// The file of a text, and where the original is.
pub(in crate::ui) struct TextOrigin<'a> {
    pub(in crate::ui) file: &'a str,
    pub(in crate::ui) meeting_name: &'a str,
    pub(in crate::ui) meeting_path: &'a str,
    /// A URL on the 3GPP server, and what is there.
    pub(in crate::ui) official: Option<(&'a str, &'static str)>,
}

/// A text to be shown.
pub(in crate::ui) struct CitedText<'a> {
    /// The path of its page.
    pub(in crate::ui) path: &'a str,
    pub(in crate::ui) blocks: &'a [TdocBlockRow],
}

impl TextPageQuery {
    fn back_path(&self) -> Option<&str> {
        Some(self.back.as_str()).filter(|back| !back.is_empty())
    }

    fn quote_link(&self) -> QuoteLink<'_> {
        let last_anchor = Some(self.last_anchor.as_str());
        QuoteLink { anchor: &self.anchor, last_anchor, back: self.back_path() }
    }

    /// The address of the same quote in the text at another path.
    pub(in crate::ui) fn address_in(&self, text_path: &str) -> String {
        self.quote_link().address_in(text_path)
    }

    /// The link to the page that quotes the text.
    pub(in crate::ui) fn render_back_link(&self) -> Markup {
        html! {
            @if let Some(link) = BackLink::from_path(&self.back) {
                p { a href=(link.path) { "\u{2190} " (link.label) } }
            }
        }
    }
}

impl TextOrigin<'_> {
    pub(in crate::ui) fn render_origin(&self) -> Markup {
        html! {
            p.facts {
                "From the file " code { (self.file) } " of "
                a href=(self.meeting_path) { (self.meeting_name) }
                @if let Some((url, label)) = self.official {
                    " \u{b7} " a href=(url) rel="noreferrer" { (label) }
                }
            }
        }
    }
}

impl CitedText<'_> {
    /// A part of the text, with the quote marked; `None` if the text does not have the anchor of the quote.
    pub(in crate::ui) fn render_part(&self, query: &TextPageQuery) -> Option<Markup> {
        let quoted = if query.anchor.is_empty() {
            None
        } else {
            Some(find_quoted_blocks(self.blocks, &query.anchor, &query.last_anchor)?)
        };
        let quoted = quoted.unwrap_or(0..0);
        let parts = split_parts(self.blocks);
        let index = match query.part {
            0 => parts.iter().position(|part| part.contains(&quoted.start)).unwrap_or(0),
            part => (part as usize - 1).min(parts.len() - 1),
        };
        let part = parts[index].clone();
        let marked = quoted.start.max(part.start)..quoted.end.min(part.end);
        let marked = if marked.is_empty() { part.end..part.end } else { marked };
        let run = |range: Range<usize>| self.render_run(range, part.start, query.back_path());
        Some(html! {
            div.cited {
                (run(part.start..marked.start))
                @if !marked.is_empty() {
                    section.quoted id=(QUOTE_ID) aria-label="Quote" tabindex="-1" { (run(marked.clone())) }
                }
                @if quoted.end > part.end && !marked.is_empty() {
                    p.quiet { "The quote continues in the next part." }
                }
                (run(marked.end..part.end))
            }
            (self.render_part_links(index, parts.len(), query))
        })
    }

    /// Blocks, with the names of their files and the pages that begin. `part_start` is the first block of the page.
    fn render_run(&self, range: Range<usize>, part_start: usize, back: Option<&str>) -> Markup {
        html! {
            @for index in range {
                @let block = &self.blocks[index];
                @let previous = (index > part_start).then(|| &self.blocks[index - 1]);
                @if previous.is_none_or(|previous| file_name(previous) != file_name(block)) {
                    h2 { (file_name(block)) }
                }
                @if let Some(mark) = render_page_mark(block, previous) { (mark) }
                (render_text_block(block, self.path, back))
            }
        }
    }

    fn render_part_links(&self, index: usize, count: usize, query: &TextPageQuery) -> Markup {
        let part = |number: usize| query.quote_link().part_address(self.path, number);
        html! {
            @if count > 1 {
                nav.neighbours aria-label="Parts of the text" {
                    @if index > 0 { a href=(part(index)) { "\u{2190} Part " (index) } }
                    span.quiet { "Part " (index + 1) " of " (count) }
                    @if index + 1 < count {
                        a.next href=(part(index + 2)) { "Part " (index + 2) " \u{2192}" }
                    }
                }
            }
        }
    }
}

/// The page for an anchor that a text does not have. `name` is what the text is called.
pub(in crate::ui) fn render_missing_anchor(
    frame: &PageFrame<'_>,
    name: &str,
    text_path: &str,
    query: &TextPageQuery,
) -> Response {
    let shown: String = query.anchor.chars().take(MAX_SHOWN_ANCHOR_CHARS).collect();
    let body = html! {
        section.narrow {
            h1 { "This position is not in the text" }
            p {
                (name) " has no paragraph " code {
                    (shown) @if shown.len() < query.anchor.len() { "\u{2026}" }
                } "."
            }
            p.quiet { "Anchors are specific to one file. A newer version of the file has its own anchors." }
            p { a.button href=(text_path) { "Read from the beginning" } }
            (query.render_back_link())
        }
    };
    let mut response = render_content_page(frame, body);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(count: usize, bytes: usize) -> Vec<TdocBlockRow> {
        let block = |n: usize| TdocBlockRow {
            anchor: format!("x.docx#p{n}"),
            page: None,
            heading: None,
            text: format!("Paragraph {n}. {}", "a".repeat(bytes)),
            changed: false,
        };
        (1..=count).map(block).collect()
    }

    fn query(anchor: &str, last_anchor: &str, part: u32) -> TextPageQuery {
        let (anchor, last_anchor) = (anchor.to_owned(), last_anchor.to_owned());
        TextPageQuery { anchor, last_anchor, part, back: String::new() }
    }

    fn render(blocks: &[TdocBlockRow], query: &TextPageQuery) -> Option<String> {
        let text = CitedText { path: "/t", blocks };
        text.render_part(query).map(Markup::into_string)
    }

    /// The content of the marked section.
    fn marked(html: &str) -> &str {
        let (_, rest) = html.split_once("<section class=\"quoted\"").expect("a quote");
        rest.split_once("</section>").expect("its end").0
    }

    #[test]
    fn the_quote_is_marked_from_its_first_to_its_last_paragraph() {
        let blocks = blocks(9, 0);
        let html = render(&blocks, &query("x.docx#p3", "x.docx#p5", 0)).expect("shown");
        let quote = marked(&html);
        for n in 1..=9 {
            let text = format!("Paragraph {n}.");
            assert!(html.contains(&text));
            assert_eq!(quote.contains(&text), (3..=5).contains(&n), "{n}");
        }
        assert!(quote.contains(" id=\"quote\""), "{quote}");
        let plain = render(&blocks, &query("", "", 0)).expect("shown");
        assert!(!plain.contains("quoted") && plain.contains("Paragraph 9."));
        assert_eq!(render(&blocks, &query("x.docx#p10", "", 0)), None);
        assert!(render(&[], &query("", "", 0)).is_some());
        assert_eq!(render(&[], &query("x.docx#p1", "", 0)), None);
    }

    #[test]
    fn the_part_that_holds_the_anchor_is_shown_and_the_others_are_linked() {
        // Two paragraphs fill a part.
        let blocks = blocks(7, 70_000);
        let html = render(&blocks, &query("x.docx#p4", "x.docx#p5", 0)).expect("shown");
        assert!(html.contains("Part 2 of 4"), "the part of the fourth paragraph");
        assert!(marked(&html).contains("Paragraph 4."));
        assert!(!html.contains("Paragraph 5.") && html.contains("continues in the next part"));
        let address = "/t?anchor=x.docx%23p4&amp;last_anchor=x.docx%23p5&amp;part=";
        assert!(html.contains(&format!("{address}1\"")) && html.contains(&format!("{address}3\"")));
        let next = render(&blocks, &query("x.docx#p4", "x.docx#p5", 3)).expect("shown");
        assert!(marked(&next).contains("Paragraph 5.") && !marked(&next).contains("Paragraph 6."));
        let last = render(&blocks, &query("x.docx#p4", "x.docx#p5", u32::MAX)).expect("shown");
        assert!(last.contains("Paragraph 7.") && !last.contains("class=\"quoted\""));
    }
}
