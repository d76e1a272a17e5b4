//! The values of a chart: bars, lines, areas, points and slices.

use std::fmt::Write;

use super::{
    Plot, PlotKind, Series, Stacking,
    layout::{MAX_NAMES, PlotArea, shorten_name},
    legend::{COLOURS, series_colour, write_legend_entries},
    scale::{AxisScale, x_value},
};

/// The part of a category's room that its bars take.
const BAR_SHARE: f64 = 0.7;

pub(super) fn write_series(
    out: &mut String,
    plot: &Plot,
    first: usize,
    scale: AxisScale,
    across_scale: Option<AxisScale>,
    area: PlotArea,
    categories: usize,
) -> std::fmt::Result {
    let categories = categories.max(1) as f64;
    let stacked = stack_values(plot);
    let middle = |at: usize| {
        let part = (at as f64 + 0.5) / categories;
        match plot.is_lying {
            true => area.bottom - part * (area.bottom - area.top),
            false => area.left + part * (area.right - area.left),
        }
    };
    for (number, series) in plot.series.iter().enumerate() {
        let colour = series_colour(series, first + number);
        let spans = &stacked[number];
        if plot.kind == PlotKind::Bar {
            let length =
                if plot.is_lying { area.bottom - area.top } else { area.right - area.left };
            let side_by_side = if plot.stacking == Stacking::None { plot.series.len() } else { 1 };
            let wide = length / categories * BAR_SHARE / side_by_side as f64;
            let slot = if side_by_side > 1 { number as f64 } else { 0.0 };
            let shift = (slot + 0.5 - side_by_side as f64 / 2.0) * wide;
            for (at, span) in spans.iter().enumerate() {
                let Some((from, to)) = span else { continue };
                let (from, to) = (scale.to_coordinate(*from), scale.to_coordinate(*to));
                let (low, long) = (from.min(to), (from - to).abs());
                let side = match plot.is_lying {
                    true => middle(at) - shift - wide / 2.0,
                    false => middle(at) + shift - wide / 2.0,
                };
                let (x, y, w, h) =
                    if plot.is_lying { (low, side, long, wide) } else { (side, low, wide, long) };
                write!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" \
                     fill=\"{colour}\"/>"
                )?;
            }
            continue;
        }
        let point = |at: usize| -> Option<[f64; 2]> {
            let (_, value) = (*spans.get(at)?)?;
            let x = match across_scale {
                Some(scale) => scale.to_coordinate(x_value(series, at)?),
                None => middle(at),
            };
            Some([x, scale.to_coordinate(value)])
        };
        let points: Vec<[f64; 2]> = (0..spans.len()).filter_map(point).collect();
        if plot.kind == PlotKind::Area {
            let base = |at: usize| Some([middle(at), scale.to_coordinate((*spans.get(at)?)?.0)]);
            let back = (0..spans.len()).rev().filter_map(base);
            let outline: Vec<[f64; 2]> = points.iter().copied().chain(back).collect();
            let path = format_path_data(&outline);
            write!(out, "<path d=\"{path}Z\" fill=\"{colour}\" fill-opacity=\"0.8\"/>")?;
            continue;
        }
        if series.has_line {
            let path = format_path_data(&points);
            write!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>"
            )?;
        }
        // A dense line needs no marks.
        if !series.has_line || points.len() <= MAX_NAMES {
            for [x, y] in &points {
                write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{colour}\"/>")?;
            }
        }
    }
    Ok(())
}

/// From where to where each value of each series reaches.
pub(super) fn stack_values(plot: &Plot) -> Vec<Vec<Option<(f64, f64)>>> {
    let longest = plot.series.iter().map(|series| series.values.len()).max().unwrap_or(0);
    let value = |series: &Series, at: usize| series.values.get(at).copied().flatten();
    // What is stacked so far, upwards and downwards.
    let mut piles = vec![[0.0f64; 2]; longest];
    let mut all = Vec::new();
    for series in &plot.series {
        let mut spans = Vec::new();
        for (at, pile) in piles.iter_mut().enumerate() {
            let sum: f64 =
                plot.series.iter().filter_map(|series| value(series, at)).map(f64::abs).sum();
            spans.push(value(series, at).map(|value| match plot.stacking {
                Stacking::None => (0.0, value),
                Stacking::Stacked | Stacking::Percent => {
                    let is_share = plot.stacking == Stacking::Percent && sum > 0.0;
                    let value = if is_share { 100.0 * value / sum } else { value };
                    let pile = &mut pile[usize::from(value < 0.0)];
                    let from = *pile;
                    *pile += value;
                    (from, *pile)
                }
            }));
        }
        all.push(spans);
    }
    all
}

/// The slices of the first series, and what each is in the legend.
pub(super) fn write_pie(out: &mut String, plot: &Plot, area: &mut PlotArea) -> std::fmt::Result {
    let Some(series) = plot.series.first() else { return Ok(()) };
    let values: Vec<f64> = series.values.iter().map(|value| value.unwrap_or(0.0).abs()).collect();
    let sum: f64 = values.iter().sum();
    if sum <= 0.0 {
        return Ok(());
    }
    let name = |at: usize| {
        let name = series.categories.get(at).and_then(Option::as_deref);
        let name = name.map_or_else(|| (at + 1).to_string(), shorten_name);
        format!("{name} {:.0} %", 100.0 * values[at] / sum)
    };
    let names = (0..values.len().min(MAX_NAMES)).filter(|at| values[*at] > 0.0);
    let of_slice = |at: usize| COLOURS[at % COLOURS.len()].to_owned();
    write_legend_entries(out, names.map(|at| (of_slice(at), name(at))).collect(), area)?;
    let (x, y) = ((area.left + area.right) / 2.0, (area.top + area.bottom) / 2.0);
    let radius = ((area.bottom - area.top).min(area.right - area.left) / 2.0 - 6.0).max(10.0);
    let rim = |part: f64| {
        let (sine, cosine) = (part * std::f64::consts::TAU).sin_cos();
        [x + radius * sine, y - radius * cosine]
    };
    let mut done = 0.0;
    for (at, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let share = value / sum;
        let colour = of_slice(at);
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
    for (at, [x, y]) in points.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    path
}
