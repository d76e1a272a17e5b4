//! A chart as SVG, in points of type: title, axes, names, legend.

use std::fmt::Write;

use super::{
    Axis, Chart, Kind, Plot, Series,
    scale::{Scale, bounds, bounds_across, number, ticks},
    series::{pie, plot_series},
};

/// Size of the picture.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
/// Size of letters, and of those of the title.
const LETTERS: f64 = 11.0;
const TITLE: f64 = 15.0;
/// Mean width of a letter in parts of its size.
const LETTER_WIDTH: f64 = 0.55;
/// Room around everything.
const MARGIN: f64 = 12.0;
/// Names below the categories, and lines of the legend, that are written at most.
pub(super) const MOST_NAMES: usize = 40;
/// Letters of a title that fit beside each other.
const LONGEST_TITLE: usize = 76;
/// Longest name that is written whole.
const LONGEST_NAME: usize = 40;
/// The colours of series that name none: those of Word's usual theme.
pub(super) const COLOURS: [&str; 6] =
    ["#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47"];

/// A rectangle in the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// A row of the legend.
struct Row {
    width: f64,
    /// Where each entry begins, its colour and its name.
    entries: Vec<(f64, (String, String))>,
}

/// The picture; none where nothing can be drawn.
pub(super) fn draw(chart: &Chart) -> Option<String> {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"Arial\" font-size=\"{LETTERS}\">"
    );
    let mut area =
        Area { left: MARGIN, top: MARGIN, right: WIDTH - MARGIN, bottom: HEIGHT - MARGIN };
    // Writing to a string does not fail.
    let _ = fill(&mut out, chart, &mut area);
    out.push_str("</svg>");
    Some(out)
}

fn fill(out: &mut String, chart: &Chart, area: &mut Area) -> std::fmt::Result {
    if let Some(title) = &chart.title {
        area.top += TITLE * 1.6;
        let (x, y) = (WIDTH / 2.0, area.top - TITLE * 0.6);
        write!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{TITLE}\" text-anchor=\"middle\">{}</text>",
            escaped(&title.chars().take(LONGEST_TITLE).collect::<String>())
        )?;
    }
    if let Some(plot) = chart.plots.first().filter(|plot| plot.kind == Kind::Pie) {
        return pie(out, plot, area);
    }
    if chart.has_legend {
        legend(out, chart, area)?;
    }
    axes_and_plots(out, chart, area)
}

/// Names of the series beside their colours, in rows at the bottom.
fn legend(out: &mut String, chart: &Chart, area: &mut Area) -> std::fmt::Result {
    let mut names = Vec::new();
    for (number, series) in chart.plots.iter().flat_map(|plot| &plot.series).enumerate() {
        if let Some(name) = series.name.as_deref().filter(|_| names.len() < MOST_NAMES) {
            names.push((colour(series, number), short(name)));
        }
    }
    entries(out, names, area)
}

pub(super) fn entries(
    out: &mut String,
    names: Vec<(String, String)>,
    area: &mut Area,
) -> std::fmt::Result {
    let mut rows: Vec<Row> = Vec::new();
    for name in names {
        let wide = text_width(&name.1) + 34.0;
        match rows.last_mut() {
            Some(row) if row.width + wide <= area.right - area.left => {
                row.entries.push((row.width, name));
                row.width += wide;
            }
            _ => rows.push(Row { width: wide, entries: vec![(0.0, name)] }),
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
                escaped(&name)
            )?;
        }
    }
    Ok(())
}

fn axes_and_plots(out: &mut String, chart: &Chart, area: &mut Area) -> std::fmt::Result {
    let is_lying = chart.plots.iter().any(|plot| plot.kind == Kind::Bar && plot.is_lying);
    let is_scattered = chart.plots.iter().any(|plot| plot.kind == Kind::Scatter);
    // Plots by their scale of values: a second one stands on the other side.
    let mut scales: Vec<(Option<&Axis>, Vec<&Plot>)> = Vec::new();
    for plot in &chart.plots {
        let axis = value_axis(chart, plot, is_scattered);
        match scales.iter_mut().find(|(known, _)| known.map(|a| &a.id) == axis.map(|a| &a.id)) {
            Some((_, plots)) => plots.push(plot),
            None => scales.push((axis, vec![plot])),
        }
    }
    scales.truncate(2);
    let bounds: Vec<(f64, f64)> = scales.iter().map(|(axis, plots)| bounds(*axis, plots)).collect();
    let across = across_axis(chart, is_scattered);
    let plots: Vec<&Plot> = chart.plots.iter().collect();
    let sideways = is_scattered.then(|| bounds_across(across, &plots));
    let categories = categories(chart);

    let titles = |axis: Option<&Axis>| axis.and_then(|axis| axis.title.as_deref()).map(short);
    let widest_label = |bounds: (f64, f64), axis: Option<&Axis>| {
        let labels = ticks(bounds, axis.is_some_and(|axis| axis.is_logarithmic));
        labels.iter().map(|tick| text_width(&number(*tick))).fold(0.0, f64::max) + 8.0
    };
    let names_wide = categories.iter().map(|name| text_width(name)).fold(0.0, f64::max).min(160.0);
    // Room for what stands beside the plot.
    let (left_axis, bottom_axis) =
        if is_lying { (across, scales[0].0) } else { (scales[0].0, across) };
    area.left += match is_lying {
        true => names_wide + 8.0,
        false => widest_label(bounds[0], scales[0].0),
    };
    area.left += titles(left_axis).map_or(0.0, |_| LETTERS * 1.5);
    area.bottom -= titles(bottom_axis).map_or(0.0, |_| LETTERS * 1.5);
    let room = (area.right - area.left) / categories.len().max(1) as f64;
    let is_turned = !is_lying && !is_scattered && names_wide + 6.0 > room;
    area.bottom -= if is_turned { names_wide.min(110.0) * 0.75 + LETTERS } else { LETTERS * 1.6 };
    if let Some((axis, _)) = scales.get(1) {
        area.right -= widest_label(bounds[1], *axis) + titles(*axis).map_or(0.0, |_| LETTERS * 1.5);
    }
    let area = *area;
    if area.right - area.left < 20.0 || area.bottom - area.top < 20.0 {
        return Ok(());
    }
    axis_titles(out, titles(left_axis), titles(bottom_axis), area)?;
    for (at, ((axis, plots), bounds)) in scales.iter().zip(&bounds).enumerate() {
        let (from, to) = if is_lying { (area.left, area.right) } else { (area.bottom, area.top) };
        let scale = Scale::new(*bounds, *axis, (from, to));
        if !axis.is_some_and(|axis| axis.is_hidden) {
            value_labels(out, scale, area, is_lying, at == 1)?;
        }
        if at == 1
            && let Some(title) = titles(*axis)
        {
            turned(out, (WIDTH - MARGIN, (area.top + area.bottom) / 2.0), &title)?;
        }
        for plot in plots {
            let first = number_of_first(chart, plot);
            let across = sideways.map(|bounds| Scale::new(bounds, across, (area.left, area.right)));
            plot_series(out, plot, first, scale, across, area, categories.len())?;
        }
    }
    match sideways {
        Some(bounds) => {
            let scale = Scale::new(bounds, across, (area.left, area.right));
            value_labels(out, scale, area, true, false)?;
        }
        None if !across.is_some_and(|axis| axis.is_hidden) => {
            names(out, &categories, area, is_lying, is_turned)?;
        }
        None => {}
    }
    let Area { left, top, right, bottom } = area;
    write!(
        out,
        "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" stroke=\"#595959\"/>"
    )
}

fn number_of_first(chart: &Chart, plot: &Plot) -> usize {
    let before = chart.plots.iter().take_while(|other| !std::ptr::eq(*other, plot));
    before.map(|plot| plot.series.len()).sum()
}

/// The axis that says how high the values of a plot are.
fn value_axis<'a>(chart: &'a Chart, plot: &Plot, is_scattered: bool) -> Option<&'a Axis> {
    let mut own = chart.axes.iter().filter(|axis| plot.axes.contains(&axis.id));
    let is_upright = |axis: &Axis| matches!(axis.side.as_str(), "l" | "r");
    own.find(|axis| axis.is_of_values && (!is_scattered || is_upright(axis)))
}

/// The axis of the categories, or of how far to the right points lie.
fn across_axis(chart: &Chart, is_scattered: bool) -> Option<&Axis> {
    chart.axes.iter().find(|axis| match is_scattered {
        true => axis.is_of_values && matches!(axis.side.as_str(), "t" | "b"),
        false => !axis.is_of_values,
    })
}

/// The names of the categories: those of the series that has most.
fn categories(chart: &Chart) -> Vec<String> {
    let series = || chart.plots.iter().flat_map(|plot| &plot.series);
    let count = series().map(|series| series.values.len()).max().unwrap_or(0);
    let named = series().max_by_key(|series| series.categories.len());
    (0..count)
        .map(|at| {
            let name = named.and_then(|named| named.categories.get(at)?.as_deref());
            name.map_or_else(|| (at + 1).to_string(), short)
        })
        .collect()
}

/// The numbers of a scale, and lines through the plot.
fn value_labels(
    out: &mut String,
    scale: Scale,
    area: Area,
    is_across: bool,
    is_second: bool,
) -> std::fmt::Result {
    let Area { left, top, right, bottom } = area;
    for tick in ticks((scale.least, scale.most), scale.is_logarithmic) {
        let (at, text) = (scale.place(tick), number(tick));
        let (line, x, y, anchor) = match (is_across, is_second) {
            (true, _) => {
                (format!("M{at:.1} {top:.1}V{bottom:.1}"), at, bottom + LETTERS * 1.2, "middle")
            }
            (false, false) => {
                (format!("M{left:.1} {at:.1}H{right:.1}"), left - 5.0, at + LETTERS * 0.35, "end")
            }
            (false, true) => {
                (format!("M{right:.1} {at:.1}h4"), right + 6.0, at + LETTERS * 0.35, "start")
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

/// The names of the categories.
fn names(
    out: &mut String,
    names: &[String],
    area: Area,
    is_lying: bool,
    is_turned: bool,
) -> std::fmt::Result {
    let every = names.len().div_ceil(MOST_NAMES).max(1);
    for (at, name) in names.iter().enumerate().step_by(every) {
        let middle = (at as f64 + 0.5) / names.len() as f64;
        let name = escaped(name);
        if is_lying {
            let y = area.bottom - middle * (area.bottom - area.top) + LETTERS * 0.35;
            let x = area.left - 5.0;
            write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{name}</text>")?;
            continue;
        }
        let x = area.left + middle * (area.right - area.left);
        let y = area.bottom + LETTERS * 1.2;
        let (anchor, turn) = match is_turned {
            true => ("end", format!(" transform=\"rotate(-45 {x:.1} {y:.1})\"")),
            false => ("middle", String::new()),
        };
        write!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{turn}>{name}</text>"
        )?;
    }
    Ok(())
}

fn axis_titles(
    out: &mut String,
    left: Option<String>,
    bottom: Option<String>,
    area: Area,
) -> std::fmt::Result {
    if let Some(title) = left {
        turned(out, (MARGIN + LETTERS, (area.top + area.bottom) / 2.0), &title)?;
    }
    if let Some(title) = bottom {
        let (x, y) = ((area.left + area.right) / 2.0, area.bottom + LETTERS * 2.7);
        let title = escaped(&title);
        write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{title}</text>")?;
    }
    Ok(())
}

fn turned(out: &mut String, (x, y): (f64, f64), title: &str) -> std::fmt::Result {
    write!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>",
        escaped(title)
    )
}

pub(super) fn colour(series: &Series, number: usize) -> String {
    series.colour.clone().unwrap_or_else(|| COLOURS[number % COLOURS.len()].to_owned())
}

pub(super) fn short(name: &str) -> String {
    match name.chars().count() > LONGEST_NAME {
        true => name.chars().take(LONGEST_NAME - 1).chain(['\u{2026}']).collect(),
        false => name.to_owned(),
    }
}

fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTERS * LETTER_WIDTH
}

fn escaped(text: &str) -> String {
    // What XML does not allow at all is left out.
    let sound: String = text.chars().filter(|c| !c.is_control()).collect();
    quick_xml::escape::escape(sound.as_str()).into_owned()
}
