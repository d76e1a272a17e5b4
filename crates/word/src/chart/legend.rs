//! The legend of a chart, and the colours of its series.

use std::fmt::Write;

use super::{
    Chart, Series,
    layout::{FONT_SIZE, MAX_NAMES, PlotArea, escape_text, shorten_name, text_width},
};

/// Width of an entry besides its name: the colour's rectangle and the gaps.
const ENTRY_PADDING: f64 = 34.0;
/// The colours of series that specify none: the accents of Word's default theme since 2013.
pub(super) const COLOURS: [&str; 6] =
    ["#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47"];

/// An entry of the legend.
pub(super) struct LegendEntry {
    pub(super) colour: String,
    pub(super) name: String,
}

/// A row of the legend.
struct LegendRow {
    width: f64,
    /// Each entry with its distance from the left of the row.
    entries: Vec<(f64, LegendEntry)>,
}

/// Writes the names of the series next to their colours, in rows at the bottom.
pub(super) fn write_legend(
    out: &mut String,
    chart: &Chart,
    area: &mut PlotArea,
) -> std::fmt::Result {
    let mut entries = Vec::new();
    for (index, series) in chart.plots.iter().flat_map(|plot| &plot.series).enumerate() {
        if let Some(name) = series.name.as_deref()
            && entries.len() < MAX_NAMES
        {
            let (colour, name) = (series_colour(series, index), shorten_name(name));
            entries.push(LegendEntry { colour, name });
        }
    }
    write_legend_entries(out, entries, area)
}

pub(super) fn write_legend_entries(
    out: &mut String,
    entries: Vec<LegendEntry>,
    area: &mut PlotArea,
) -> std::fmt::Result {
    let mut rows: Vec<LegendRow> = Vec::new();
    for entry in entries {
        let width = text_width(&entry.name) + ENTRY_PADDING;
        match rows.last_mut() {
            Some(row) if row.width + width <= area.right - area.left => {
                row.entries.push((row.width, entry));
                row.width += width;
            }
            _ => rows.push(LegendRow { width, entries: vec![(0.0, entry)] }),
        }
    }
    area.bottom -= rows.len() as f64 * FONT_SIZE * 1.5;
    for (number, row) in rows.into_iter().enumerate() {
        let y = area.bottom + (number as f64 + 1.0) * FONT_SIZE * 1.5 - 4.0;
        let left = (area.left + area.right - row.width) / 2.0;
        for (offset, LegendEntry { colour, name }) in row.entries {
            let x = left + offset;
            write!(
                out,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"14\" height=\"8\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                y - 8.0,
                x + 18.0,
                escape_text(&name)
            )?;
        }
    }
    Ok(())
}

/// The colour of a series; `index` is its index among all series of the chart.
pub(super) fn series_colour(series: &Series, index: usize) -> String {
    series.colour.clone().unwrap_or_else(|| COLOURS[index % COLOURS.len()].to_owned())
}
