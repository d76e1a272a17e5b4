//! The legend of a chart, and the colours of its series.

use std::fmt::Write;

use super::{
    Chart, Series,
    layout::{LETTERS, MAX_NAMES, PlotArea, escape_text, shorten_name, text_width},
};

/// The colours of series that name none: those of Word's usual theme.
pub(super) const COLOURS: [&str; 6] =
    ["#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47"];

/// A row of the legend.
struct LegendRow {
    width: f64,
    /// Where each entry begins, its colour and its name.
    entries: Vec<(f64, (String, String))>,
}

/// Names of the series beside their colours, in rows at the bottom.
pub(super) fn write_legend(
    out: &mut String,
    chart: &Chart,
    area: &mut PlotArea,
) -> std::fmt::Result {
    let mut names = Vec::new();
    for (number, series) in chart.plots.iter().flat_map(|plot| &plot.series).enumerate() {
        if let Some(name) = series.name.as_deref().filter(|_| names.len() < MAX_NAMES) {
            names.push((series_colour(series, number), shorten_name(name)));
        }
    }
    write_legend_entries(out, names, area)
}

pub(super) fn write_legend_entries(
    out: &mut String,
    names: Vec<(String, String)>,
    area: &mut PlotArea,
) -> std::fmt::Result {
    let mut rows: Vec<LegendRow> = Vec::new();
    for name in names {
        let wide = text_width(&name.1) + 34.0;
        match rows.last_mut() {
            Some(row) if row.width + wide <= area.right - area.left => {
                row.entries.push((row.width, name));
                row.width += wide;
            }
            _ => rows.push(LegendRow { width: wide, entries: vec![(0.0, name)] }),
        }
    }
    area.bottom -= rows.len() as f64 * LETTERS * 1.5;
    for (number, row) in rows.into_iter().enumerate() {
        let y = area.bottom + (number as f64 + 1.0) * LETTERS * 1.5 - 4.0;
        let left = (area.left + area.right - row.width) / 2.0;
        for (at, (colour, name)) in row.entries {
            let x = left + at;
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

pub(super) fn series_colour(series: &Series, number: usize) -> String {
    series.colour.clone().unwrap_or_else(|| COLOURS[number % COLOURS.len()].to_owned())
}
