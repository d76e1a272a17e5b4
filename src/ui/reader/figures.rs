//! The figures of a section.

use maud::{Markup, html};
use store::{DocumentEntry, FigureKey, FigureRow, Snapshot, StoreError};

/// A figure as it stands in the text: a click shows it alone, in its full size.
pub(super) fn render_figure(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    index: u32,
) -> Result<Markup, StoreError> {
    let row = snapshot.figures().figure_row(FigureKey { document: entry.id, index })?;
    Ok(row.map_or_else(|| html! {}, |row| figure_element(entry, index, &row)))
}

fn figure_element(entry: &DocumentEntry, index: u32, figure: &FigureRow) -> Markup {
    let row = &entry.row;
    let path = format!("/images/{}/{}/{index}", row.number, row.version);
    let alt = figure.caption.as_deref().unwrap_or("Figure without a caption");
    html! {
        figure id={ "figure-" (index) } {
            @match figure.picture {
                Some(picture) => {
                    a.enlarge href=(path) aria-label={ "Enlarge: " (alt) } {
                        img src=(path) width=(picture.width) height=(picture.height) alt=(alt) loading="lazy";
                    }
                }
                None => { p.no-picture { "This figure could not be drawn." } }
            }
        }
    }
}
