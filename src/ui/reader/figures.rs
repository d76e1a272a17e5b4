//! The figures of a section.

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

/// A figure as it stands in the text: a click shows it alone, in its full size. `drawing` is its path as a drawing.
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
