//! The figures of a section.

use std::collections::BTreeSet;

use document_model::Table;
use maud::{Markup, html};
use store::{DocumentRow, FigureRow, InlinePictureRow};

use crate::service::to_inline_picture_path;

/// Pixels of a style sheet in a twentieth of a point: the text of a page has 12 points, that of specifications 10.
const PIXELS_PER_TWIP: f64 = 96.0 / 72.0 / 20.0 * 1.2;

/// A picture in a line of text, in the size that it has on the page.
pub(super) fn render_inline_picture(row: &InlinePictureRow) -> Markup {
    let pixels = |twips: u32| (f64::from(twips) * PIXELS_PER_TWIP).round().max(1.0) as u32;
    let (width, height) = match row.printed_size {
        Some((width, height)) => (pixels(width), pixels(height)),
        None => (row.picture.width, row.picture.height),
    };
    let alt = if row.words.is_empty() { "Inline picture" } else { &row.words };
    html! {
        img.in-line src=(to_inline_picture_path(&row.picture)) width=(width) height=(height)
            alt=(alt) loading="lazy";
    }
}

/// Whether a figure with these labels is a drawing of a table: it has the same words. The label of such a figure is
/// its table, with bars and rules.
pub(super) fn shows_table(labels: &[String], table: &Table) -> bool {
    let cells = table.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.paragraphs);
    let words: BTreeSet<&str> = cells.flat_map(|line| cell_words(line.text.as_str())).collect();
    !words.is_empty() && words == labels.iter().flat_map(|label| cell_words(label)).collect()
}

/// The words of cells, without what separates them.
fn cell_words(text: &str) -> impl Iterator<Item = &str> {
    let parts =
        text.split("<br>").flat_map(|line| line.split(|c: char| c == '|' || c.is_whitespace()));
    parts.filter(|word| word.chars().any(|c| c != '-'))
}

/// The anchor of a figure that the text shows: as a table, or drawn with characters.
pub(super) fn render_drawn_table(index: u32) -> Markup {
    html! { span id={ "figure-" (index) } {} }
}

/// A figure in the text: a click shows it alone, in its full size. `drawing` is its path as a drawing.
pub(super) fn render_figure(
    document: &DocumentRow,
    index: u32,
    figure: &FigureRow,
    drawing: Option<String>,
) -> Markup {
    let png = format!("/images/{}/{}/{index}", document.number, document.version);
    let path = drawing.as_ref().unwrap_or(&png);
    let alt = figure.caption.as_deref().unwrap_or("Figure without caption");
    html! {
        figure id={ "figure-" (index) } {
            @match figure.picture {
                Some(picture) => {
                    a.enlarge href=(path) data-png=(png) aria-label={ "Enlarge: " (alt) } {
                        img src=(path) width=(picture.width) height=(picture.height) alt=(alt) loading="lazy";
                    }
                }
                None => { p.no-picture { "This figure could not be drawn." } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use document_model::{CellParagraph, TableCell, TableRow};

    use super::*;

    #[test]
    fn a_figure_with_the_words_of_a_table_shows_it() {
        let cell = |text: &str| TableCell {
            span: 1,
            continues: false,
            paragraphs: vec![CellParagraph { label: None, text: text.into() }],
        };
        let row = |texts: &[&str]| TableRow {
            cells: texts.iter().map(|text| cell(text)).collect(),
            ..TableRow::default()
        };
        let rows = vec![row(&["8", "1", ""]), row(&["Cause value", "octet 2"])];
        let table = Table { caption: None, rows };
        let labels =
            |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert!(shows_table(&labels(&["8", "1", "Cause value", "octet 2"]), &table));
        let printed = "| 8 | 1 |  |\n|---|---|---|\n| Cause<br>value | octet 2 |";
        assert!(shows_table(&labels(&[printed]), &table));
        assert!(!shows_table(&labels(&["8", "1", "Cause"]), &table));
        assert!(!shows_table(&[], &table));
        assert!(!shows_table(&[], &Table { caption: None, rows: Vec::new() }));
    }
}
