//! The values of a chart: bars, lines, areas, points and slices.

use std::fmt::Write;

use super::{
    Plot, PlotKind, Series, Stacking,
    layout::{MAX_NAMES, PlotArea, shorten_name},
    legend::{COLOURS, LegendEntry, series_colour, write_legend_entries},
    scale::{AxisScale, x_value},
};

/// Share of a category's width that its bars take.
const BAR_SHARE: f64 = 0.7;

/// Writes the series of a plot. `first` is the index of its first series in the chart; scattered points
/// have an `x_scale`.
pub(super) fn write_series(
    out: &mut String,
    plot: &Plot,
    first: usize,
    scale: AxisScale,
    x_scale: Option<AxisScale>,
    area: PlotArea,
    categories: usize,
) -> std::fmt::Result {
    let categories = categories.max(1) as f64;
    let (stacked, is_horizontal) = (stack_values(plot), plot.is_horizontal);
    let middle = |index: usize| {
        let part = (index as f64 + 0.5) / categories;
        if is_horizontal {
            area.bottom - part * (area.bottom - area.top)
        } else {
            area.left + part * (area.right - area.left)
        }
    };
    for (number, series) in plot.series.iter().enumerate() {
        let colour = series_colour(series, first + number);
        let spans = &stacked[number];
        if plot.kind == PlotKind::Bar {
            let length =
                if is_horizontal { area.bottom - area.top } else { area.right - area.left };
            let side_by_side = if plot.stacking == Stacking::None { plot.series.len() } else { 1 };
            let width = length / categories * BAR_SHARE / side_by_side as f64;
            let slot = if side_by_side > 1 { number as f64 } else { 0.0 };
            let shift = (slot + 0.5 - side_by_side as f64 / 2.0) * width;
            for (index, span) in spans.iter().enumerate() {
                let Some((from, to)) = span else { continue };
                let (from, to) = (scale.to_coordinate(*from), scale.to_coordinate(*to));
                let (low, len) = (from.min(to), (from - to).abs());
                let side = if is_horizontal {
                    middle(index) - shift - width / 2.0
                } else {
                    middle(index) + shift - width / 2.0
                };
                let (x, y, w, h) =
                    if is_horizontal { (low, side, len, width) } else { (side, low, width, len) };
                write!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" \
                     fill=\"{colour}\"/>"
                )?;
            }
            continue;
        }
        let point = |index: usize| -> Option<[f64; 2]> {
            let (_, value) = (*spans.get(index)?)?;
            let x = match x_scale {
                Some(scale) => scale.to_coordinate(x_value(series, index)?),
                None => middle(index),
            };
            Some([x, scale.to_coordinate(value)])
        };
        let points: Vec<[f64; 2]> = (0..spans.len()).filter_map(point).collect();
        if plot.kind == PlotKind::Area {
            let base = |i: usize| Some([middle(i), scale.to_coordinate((*spans.get(i)?)?.0)]);
            let back = (0..spans.len()).rev().filter_map(base);
            let outline: Vec<[f64; 2]> = points.iter().copied().chain(back).collect();
            let path = format_path_data(&outline);
            write!(out, "<path d=\"{path}Z\" fill=\"{colour}\" fill-opacity=\"0.8\"/>")?;
            continue;
        }
        write_line(out, series, &points, &colour)?;
    }
    Ok(())
}

/// Writes the line through the points of a series, and marks if there are few points.
fn write_line(
    out: &mut String,
    series: &Series,
    points: &[[f64; 2]],
    colour: &str,
) -> std::fmt::Result {
    if series.has_line {
        let path = format_path_data(points);
        write!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>")?;
    }
    // A dense line needs no marks.
    if !series.has_line || points.len() <= MAX_NAMES {
        for [x, y] in points {
            write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{colour}\"/>")?;
        }
    }
    Ok(())
}

/// Start and end of each value of each series: from 0, or from the top of the stack below it.
pub(super) fn stack_values(plot: &Plot) -> Vec<Vec<Option<(f64, f64)>>> {
    let longest = plot.series.iter().map(|series| series.values.len()).max().unwrap_or(0);
    let value = |series: &Series, index: usize| series.values.get(index).copied().flatten();
    // The sums so far, of positive and of negative values.
    let mut stacks = vec![[0.0f64; 2]; longest];
    let mut all = Vec::new();
    for series in &plot.series {
        let mut spans = Vec::new();
        for (index, stack) in stacks.iter_mut().enumerate() {
            let sum: f64 =
                plot.series.iter().filter_map(|series| value(series, index)).map(f64::abs).sum();
            spans.push(value(series, index).map(|value| match plot.stacking {
                Stacking::None => (0.0, value),
                Stacking::Stacked | Stacking::Percent => {
                    let is_share = plot.stacking == Stacking::Percent && sum > 0.0;
                    let value = if is_share { 100.0 * value / sum } else { value };
                    let sum = &mut stack[usize::from(value < 0.0)];
                    let from = *sum;
                    *sum += value;
                    (from, *sum)
                }
            }));
        }
        all.push(spans);
    }
    all
}

/// Writes the slices of the first series, and the legend with their shares.
pub(super) fn write_pie(out: &mut String, plot: &Plot, area: &mut PlotArea) -> std::fmt::Result {
    let Some(series) = plot.series.first() else { return Ok(()) };
    let values: Vec<f64> = series.values.iter().map(|value| value.unwrap_or(0.0).abs()).collect();
    let sum: f64 = values.iter().sum();
    if sum <= 0.0 {
        return Ok(());
    }
    let name = |index: usize| {
        let name = series.categories.get(index).and_then(Option::as_deref);
        let name = name.map_or_else(|| (index + 1).to_string(), shorten_name);
        format!("{name} {:.0} %", 100.0 * values[index] / sum)
    };
    let slice_colour = |index: usize| COLOURS[index % COLOURS.len()].to_owned();
    let named = (0..values.len().min(MAX_NAMES)).filter(|index| values[*index] > 0.0);
    let entries = named.map(|index| LegendEntry { colour: slice_colour(index), name: name(index) });
    write_legend_entries(out, entries.collect(), area)?;
    let (x, y) = ((area.left + area.right) / 2.0, (area.top + area.bottom) / 2.0);
    let radius = ((area.bottom - area.top).min(area.right - area.left) / 2.0 - 6.0).max(10.0);
    let rim = |part: f64| {
        let (sine, cosine) = (part * std::f64::consts::TAU).sin_cos();
        [x + radius * sine, y - radius * cosine]
    };
    let mut done = 0.0;
    for (index, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let share = value / sum;
        let colour = slice_colour(index);
        // An arc that ends where it begins draws nothing, so a whole is a circle.
        if share > 0.999 {
            write!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\"/>"
            )?;
            break;
        }
        let ([ax, ay], [bx, by]) = (rim(done), rim(done + share));
        let is_large = u8::from(share > 0.5);
        write!(
            out,
            "<path d=\"M{x:.1} {y:.1}L{ax:.1} {ay:.1}A{radius:.1} {radius:.1} 0 {is_large} 1 {bx:.1} \
             {by:.1}Z\" fill=\"{colour}\" stroke=\"#ffffff\"/>"
        )?;
        done += share;
    }
    Ok(())
}

fn format_path_data(points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for (index, [x, y]) in points.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
    }
    path
}
