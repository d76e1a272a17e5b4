//! A block of a cited text as HTML: a paragraph, a heading, or a table.

use maud::{Markup, html};

use super::quote_link::QuoteLink;
use crate::ui::{
    blocks::{is_table_rule, parse_rows, render_table},
    formulas::render_formulas,
};
use store::TdocBlockRow;

/// The file that a block is from, by its anchor.
pub(super) fn file_name(block: &TdocBlockRow) -> &str {
    block.anchor.rsplit_once('#').map_or("", |(file, _)| file)
}

/// The place of a block in its file: `p12`, `slide3-p2`.
fn place_in_file(block: &TdocBlockRow) -> &str {
    block.anchor.rsplit_once('#').map_or(block.anchor.as_str(), |(_, place)| place)
}

/// Whether a block is a table. A paragraph may begin with a bar as well, such as that of an absolute value.
pub(super) fn is_table(block: &TdocBlockRow) -> bool {
    let text = block.text.as_str();
    let rows = text.trim_start_matches('\n');
    // The second part of a table whose head is too long to be repeated begins with a line break.
    let continues_table = rows.len() < text.len();
    let is_sheet = place_in_file(block).contains("!r");
    rows.starts_with('|') && (continues_table || is_sheet || has_head(rows))
}

/// Whether rows begin with a head: a row and a rule.
fn has_head(rows: &str) -> bool {
    rows.lines().nth(1).is_some_and(is_table_rule)
}

/// The HTML id of a block: anchors have blanks and marks that ids do not.
fn block_id(anchor: &str) -> String {
    format!("at-{}", &blake3::hash(anchor.as_bytes()).to_hex()[..16])
}

/// A block of the text at a path. Its place is a link to itself, with the same way back.
pub(super) fn render_text_block(
    block: &TdocBlockRow,
    text_path: &str,
    back: Option<&str>,
) -> Markup {
    let link = QuoteLink { anchor: &block.anchor, last_anchor: None, back };
    html! {
        div.piece id=(block_id(&block.anchor)) {
            a.place href=(link.address_in(text_path)) title={ "Cite as " (block.anchor) } {
                (place_in_file(block))
            }
            div.said {
                @if block.changed { span.tag { "changed" } " " }
                (render_content(block))
            }
        }
    }
}

fn render_content(block: &TdocBlockRow) -> Markup {
    let text = &block.text;
    match block.heading {
        // The title of the page and the names of files are above the headings of a text.
        Some(0 | 1) => html! { h3 { (text) } },
        Some(2) => html! { h4 { (text) } },
        Some(3) => html! { h5 { (text) } },
        Some(_) => html! { h6 { (text) } },
        None if is_table(block) => {
            let rows = text.trim_matches('\n');
            render_table(&parse_rows(rows), has_head(rows), &plain_with_formulas)
        }
        None => html! { p { (plain_with_formulas(text)) } },
    }
}

fn plain_with_formulas(text: &str) -> Markup {
    render_formulas(text, &|text| html! { (text) })
}

/// The page or slide that begins with a block; `None` if the file does not say, or if it began before.
pub(super) fn render_page_mark(
    block: &TdocBlockRow,
    previous: Option<&TdocBlockRow>,
) -> Option<Markup> {
    let page = block.page?;
    let began_before = previous.is_some_and(|previous| {
        previous.page == block.page && file_name(previous) == file_name(block)
    });
    let name = if place_in_file(block).starts_with("slide") { "Slide" } else { "Page" };
    (!began_before).then(|| html! { p.page-mark { (name) " " (page) } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(anchor: &str, text: &str, heading: Option<u8>) -> TdocBlockRow {
        let (anchor, text) = (anchor.to_owned(), text.to_owned());
        TdocBlockRow { anchor, page: None, heading, text, changed: false }
    }

    #[test]
    fn tables_are_tables_and_absolute_values_are_text() {
        let cases = [
            (
                "x.docx#p1",
                "| No | What |\n|---|---|\n| 1 | wide |",
                true,
                "<th scope=\"col\">No</th>",
            ),
            ("x.docx#p9", "\n| 2 | a \\| b<br>c |", true, "<td>a | b<br>c</td>"),
            ("x.xlsx#Power!r1", "| 1 | 2 |\n| 3 | 4 |", true, "<td>1</td>"),
            ("x.docx#p3", "|x| is not negative", false, "<p>|x| is not negative</p>"),
            ("x.docx#p4", "|x|\n|y|", false, "<p>|x|\n|y|</p>"),
            ("x.docx#p5", "No bars", false, "<p>No bars</p>"),
        ];
        for (anchor, text, table, html) in cases {
            let block = block(anchor, text, None);
            assert_eq!(is_table(&block), table, "{text}");
            let rendered = render_content(&block).into_string();
            assert!(rendered.contains(html), "{rendered}");
        }
    }

    #[test]
    fn what_a_file_says_or_is_called_is_never_markup() {
        let hostile = block("<b>\"x'.docx#p1", "<script>alert(1)</script>", Some(2));
        let html = render_text_block(&hostile, "/t", None).into_string();
        assert!(!html.contains("<script>") && !html.contains("<b>"), "{html}");
        assert!(!html.contains("\"x'"), "{html}");
        assert!(html.contains("<h4>"), "{html}");
    }

    #[test]
    fn a_page_is_named_where_it_begins() {
        let on = |anchor: &str, page| TdocBlockRow { page, ..block(anchor, "Text", None) };
        let mark = |block: &TdocBlockRow, previous: Option<&TdocBlockRow>| {
            render_page_mark(block, previous).map(Markup::into_string)
        };
        let (first, second) = (on("x.docx#p1", Some(1)), on("x.docx#p2", Some(2)));
        let page = |n: u32| Some(format!("<p class=\"page-mark\">Page {n}</p>"));
        assert_eq!(mark(&first, None), page(1));
        assert_eq!(mark(&first, Some(&first)), None);
        assert_eq!(mark(&second, Some(&first)), page(2));
        assert_eq!(mark(&on("y.docx#p1", Some(2)), Some(&second)), page(2), "of another file");
        assert_eq!(mark(&on("y.docx#p1", None), Some(&second)), None);
        let slide = mark(&on("y.pptx#slide3-p1", Some(3)), None);
        assert_eq!(slide.as_deref(), Some("<p class=\"page-mark\">Slide 3</p>"));
    }
}
