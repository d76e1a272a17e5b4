//! A chart as SVG, in points of type: title, axes, names, legend.

use std::fmt::Write;

use super::{
    Axis, Chart, Plot, PlotKind,
    layout::{FONT_SIZE, MAX_NAMES, PlotArea, escape_text, shorten_name, text_width},
    legend::write_legend,
    scale::{AxisScale, compute_ticks, format_tick, value_bounds, x_bounds},
    series::{write_pie, write_series},
};

/// Size of the picture.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
/// Font size of the title.
const TITLE_FONT_SIZE: f64 = 15.0;
/// Margin around everything.
const MARGIN: f64 = 12.0;
/// Characters of a title that fit on one line: at a mean width of 0.55, 76 letters take 627 of 640 points.
const MAX_TITLE_CHARS: usize = 76;

/// The picture; `None` if nothing can be drawn.
pub(super) fn draw_chart(chart: &Chart) -> Option<String> {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"Arial\" font-size=\"{FONT_SIZE}\">"
    );
    let mut area =
        PlotArea { left: MARGIN, top: MARGIN, right: WIDTH - MARGIN, bottom: HEIGHT - MARGIN };
    // Writing to a string does not fail.
    let _ = write_chart(&mut out, chart, &mut area);
    out.push_str("</svg>");
    Some(out)
}

fn write_chart(out: &mut String, chart: &Chart, area: &mut PlotArea) -> std::fmt::Result {
    if let Some(title) = &chart.title {
        area.top += TITLE_FONT_SIZE * 1.6;
        let (x, y) = (WIDTH / 2.0, area.top - TITLE_FONT_SIZE * 0.6);
        write!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{TITLE_FONT_SIZE}\" \
             text-anchor=\"middle\">{}</text>",
            escape_text(&title.chars().take(MAX_TITLE_CHARS).collect::<String>())
        )?;
    }
    if let Some(plot) = chart.plots.first().filter(|plot| plot.kind == PlotKind::Pie) {
        return write_pie(out, plot, area);
    }
    if chart.has_legend {
        write_legend(out, chart, area)?;
    }
    write_axes_and_plots(out, chart, area)
}

fn write_axes_and_plots(out: &mut String, chart: &Chart, area: &mut PlotArea) -> std::fmt::Result {
    let is_horizontal =
        chart.plots.iter().any(|plot| plot.kind == PlotKind::Bar && plot.is_horizontal);
    let is_scattered = chart.plots.iter().any(|plot| plot.kind == PlotKind::Scatter);
    let scales = group_by_value_axis(chart, is_scattered);
    let bounds: Vec<(f64, f64)> =
        scales.iter().map(|(axis, plots)| value_bounds(*axis, plots)).collect();
    let x_axis = category_axis(chart, is_scattered);
    let plots: Vec<&Plot> = chart.plots.iter().collect();
    let x_range = is_scattered.then(|| x_bounds(x_axis, &plots));
    let categories = category_names(chart);

    let axis_title =
        |axis: Option<&Axis>| axis.and_then(|axis| axis.title.as_deref()).map(shorten_name);
    let widest_label = |bounds: (f64, f64), axis: Option<&Axis>| {
        let labels = compute_ticks(bounds, axis.is_some_and(|axis| axis.is_logarithmic));
        labels.iter().map(|tick| text_width(&format_tick(*tick))).fold(0.0, f64::max) + 8.0
    };
    let names_width = categories.iter().map(|name| text_width(name)).fold(0.0, f64::max).min(160.0);
    // Space for the labels and titles beside the plot.
    let (left_axis, bottom_axis) =
        if is_horizontal { (x_axis, scales[0].0) } else { (scales[0].0, x_axis) };
    area.left +=
        if is_horizontal { names_width + 8.0 } else { widest_label(bounds[0], scales[0].0) };
    area.left += axis_title(left_axis).map_or(0.0, |_| FONT_SIZE * 1.5);
    area.bottom -= axis_title(bottom_axis).map_or(0.0, |_| FONT_SIZE * 1.5);
    let room = (area.right - area.left) / categories.len().max(1) as f64;
    let is_rotated = !is_horizontal && !is_scattered && names_width + 6.0 > room;
    area.bottom -=
        if is_rotated { names_width.min(110.0) * 0.75 + FONT_SIZE } else { FONT_SIZE * 1.6 };
    if let Some((axis, _)) = scales.get(1) {
        area.right -=
            widest_label(bounds[1], *axis) + axis_title(*axis).map_or(0.0, |_| FONT_SIZE * 1.5);
    }
    let area = *area;
    // Long names, titles and a large legend may leave no space for a plot.
    if area.right - area.left < 20.0 || area.bottom - area.top < 20.0 {
        return Ok(());
    }
    write_axis_titles(out, axis_title(left_axis), axis_title(bottom_axis), area)?;
    for (index, ((axis, plots), bounds)) in scales.iter().zip(&bounds).enumerate() {
        let (from, to) =
            if is_horizontal { (area.left, area.right) } else { (area.bottom, area.top) };
        let scale = AxisScale::new(*bounds, *axis, (from, to));
        if !axis.is_some_and(|axis| axis.is_hidden) {
            write_value_labels(out, scale, area, is_horizontal, index == 1)?;
        }
        if index == 1
            && let Some(title) = axis_title(*axis)
        {
            write_rotated_title(out, (WIDTH - MARGIN, (area.top + area.bottom) / 2.0), &title)?;
        }
        for plot in plots {
            let first = first_series_index(chart, plot);
            let x_scale =
                x_range.map(|bounds| AxisScale::new(bounds, x_axis, (area.left, area.right)));
            write_series(out, plot, first, scale, x_scale, area, categories.len())?;
        }
    }
    if let Some(bounds) = x_range {
        let scale = AxisScale::new(bounds, x_axis, (area.left, area.right));
        write_value_labels(out, scale, area, true, false)?;
    } else if !x_axis.is_some_and(|axis| axis.is_hidden) {
        write_category_names(out, &categories, area, is_horizontal, is_rotated)?;
    }
    let PlotArea { left, top, right, bottom } = area;
    write!(
        out,
        "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" stroke=\"#595959\"/>"
    )
}

/// Groups the plots by their axis of values. A second group is drawn against the other side; further
/// ones are left out.
fn group_by_value_axis(chart: &Chart, is_scattered: bool) -> Vec<(Option<&Axis>, Vec<&Plot>)> {
    let mut groups: Vec<(Option<&Axis>, Vec<&Plot>)> = Vec::new();
    for plot in &chart.plots {
        let axis = value_axis(chart, plot, is_scattered);
        match groups.iter_mut().find(|(known, _)| known.map(|a| &a.id) == axis.map(|a| &a.id)) {
            Some((_, plots)) => plots.push(plot),
            None => groups.push((axis, vec![plot])),
        }
    }
    groups.truncate(2);
    groups
}

fn first_series_index(chart: &Chart, plot: &Plot) -> usize {
    let before = chart.plots.iter().take_while(|other| !std::ptr::eq(*other, plot));
    before.map(|plot| plot.series.len()).sum()
}

/// The axis of the values of a plot.
fn value_axis<'a>(chart: &'a Chart, plot: &Plot, is_scattered: bool) -> Option<&'a Axis> {
    let mut own = chart.axes.iter().filter(|axis| plot.axes.contains(&axis.id));
    let is_upright = |axis: &Axis| matches!(axis.side.as_str(), "l" | "r");
    own.find(|axis| axis.is_value_axis && (!is_scattered || is_upright(axis)))
}

/// The axis of the categories, or of the x values of scattered points.
fn category_axis(chart: &Chart, is_scattered: bool) -> Option<&Axis> {
    chart.axes.iter().find(|axis| {
        if is_scattered {
            axis.is_value_axis && matches!(axis.side.as_str(), "t" | "b")
        } else {
            !axis.is_value_axis
        }
    })
}

/// The names of the categories: those of the series that has the most; numbers if it has none.
fn category_names(chart: &Chart) -> Vec<String> {
    let series = || chart.plots.iter().flat_map(|plot| &plot.series);
    let count = series().map(|series| series.values.len()).max().unwrap_or(0);
    let named = series().max_by_key(|series| series.categories.len());
    (0..count)
        .map(|index| {
            let name = named.and_then(|named| named.categories.get(index)?.as_deref());
            name.map_or_else(|| (index + 1).to_string(), shorten_name)
        })
        .collect()
}

/// Writes the labels of a scale of values, and grid lines through the plot.
fn write_value_labels(
    out: &mut String,
    scale: AxisScale,
    area: PlotArea,
    is_across: bool,
    is_second: bool,
) -> std::fmt::Result {
    let PlotArea { left, top, right, bottom } = area;
    for tick in compute_ticks((scale.min, scale.max), scale.is_logarithmic) {
        let (at, text) = (scale.to_coordinate(tick), format_tick(tick));
        let (line, x, y, anchor) = match (is_across, is_second) {
            (true, _) => {
                (format!("M{at:.1} {top:.1}V{bottom:.1}"), at, bottom + FONT_SIZE * 1.2, "middle")
            }
            (false, false) => {
                (format!("M{left:.1} {at:.1}H{right:.1}"), left - 5.0, at + FONT_SIZE * 0.35, "end")
            }
            (false, true) => {
                (format!("M{right:.1} {at:.1}h4"), right + 6.0, at + FONT_SIZE * 0.35, "start")
            }
        };
        write!(
            out,
            "<path d=\"{line}\" stroke=\"#d9d9d9\"/>\
             <text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        )?;
    }
    Ok(())
}

/// Writes the names of the categories, or of some of them if there are many.
fn write_category_names(
    out: &mut String,
    names: &[String],
    area: PlotArea,
    is_horizontal: bool,
    is_rotated: bool,
) -> std::fmt::Result {
    let every = names.len().div_ceil(MAX_NAMES).max(1);
    for (index, name) in names.iter().enumerate().step_by(every) {
        let middle = (index as f64 + 0.5) / names.len() as f64;
        let name = escape_text(name);
        if is_horizontal {
            let y = area.bottom - middle * (area.bottom - area.top) + FONT_SIZE * 0.35;
            let x = area.left - 5.0;
            write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{name}</text>")?;
            continue;
        }
        let x = area.left + middle * (area.right - area.left);
        let y = area.bottom + FONT_SIZE * 1.2;
        let (anchor, turn) = if is_rotated {
            ("end", format!(" transform=\"rotate(-45 {x:.1} {y:.1})\""))
        } else {
            ("middle", String::new())
        };
        write!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{turn}>{name}</text>"
        )?;
    }
    Ok(())
}

fn write_axis_titles(
    out: &mut String,
    left: Option<String>,
    bottom: Option<String>,
    area: PlotArea,
) -> std::fmt::Result {
    if let Some(title) = left {
        write_rotated_title(out, (MARGIN + FONT_SIZE, (area.top + area.bottom) / 2.0), &title)?;
    }
    if let Some(title) = bottom {
        let (x, y) = ((area.left + area.right) / 2.0, area.bottom + FONT_SIZE * 2.7);
        let title = escape_text(&title);
        write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{title}</text>")?;
    }
    Ok(())
}

fn write_rotated_title(out: &mut String, (x, y): (f64, f64), title: &str) -> std::fmt::Result {
    write!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>",
        escape_text(title)
    )
}
