//! A chart as SVG, in points of type.

use std::fmt::Write;

use super::{Axis, Chart, Kind, Plot, Series, Stacking};

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
const MOST_NAMES: usize = 40;
/// Longest name that is written whole.
const LONGEST_NAME: usize = 40;
/// Steps of a scale, about.
const STEPS: f64 = 6.0;
/// Decades of a logarithmic scale.
const MOST_DECADES: f64 = 30.0;
/// The part of a category's room that its bars take.
const BAR_SHARE: f64 = 0.7;
/// The colours of series that name none: those of Word's usual theme.
const COLOURS: [&str; 6] = ["#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47"];

/// A rectangle in the picture.
#[derive(Debug, Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// From values to places.
#[derive(Debug, Clone, Copy)]
struct Scale {
    least: f64,
    most: f64,
    is_logarithmic: bool,
    /// Where the least and the most lie in the picture.
    from: f64,
    to: f64,
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
            escaped(title)
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

fn entries(out: &mut String, names: Vec<(String, String)>, area: &mut Area) -> std::fmt::Result {
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
    let bounds: Vec<(f64, f64)> =
        scales.iter().map(|(axis, plots)| bounds(*axis, plots, Series::up)).collect();
    let across = across_axis(chart, is_scattered);
    let plots: Vec<&Plot> = chart.plots.iter().collect();
    let bounds_across = is_scattered.then(|| bounds_of(across, &plots));
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
            let across =
                bounds_across.map(|bounds| Scale::new(bounds, across, (area.left, area.right)));
            plot_series(out, plot, first, scale, across, area, categories.len())?;
        }
    }
    match bounds_across {
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

impl Series {
    fn up(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().copied().flatten()
    }
}

/// The least and the most that a scale shows, stacked bars added up.
fn bounds<'a, I: Iterator<Item = f64> + 'a>(
    axis: Option<&Axis>,
    plots: &[&'a Plot],
    values: fn(&'a Series) -> I,
) -> (f64, f64) {
    let mut all = Vec::new();
    for plot in plots {
        match plot.stacking {
            Stacking::Shares => all.extend([0.0, 100.0]),
            Stacking::Stacked => {
                let longest = plot.series.iter().map(|s| s.values.len()).max().unwrap_or(0);
                for at in 0..longest {
                    let at = |s: &Series| s.values.get(at).copied().flatten().unwrap_or(0.0);
                    all.push(plot.series.iter().map(at).filter(|value| *value > 0.0).sum());
                    all.push(plot.series.iter().map(at).filter(|value| *value < 0.0).sum());
                }
            }
            Stacking::None => all.extend(plot.series.iter().flat_map(values)),
        }
        if matches!(plot.kind, Kind::Bar | Kind::Area) {
            all.push(0.0);
        }
    }
    bounds_from(axis, all)
}

fn bounds_of(axis: Option<&Axis>, plots: &[&Plot]) -> (f64, f64) {
    let mut all = Vec::new();
    for series in plots.iter().flat_map(|plot| &plot.series) {
        all.extend((0..series.values.len()).filter_map(|at| across(series, at)));
    }
    bounds_from(axis, all)
}

/// How far to the right a point lies; without a number of its own, by its place.
fn across(series: &Series, at: usize) -> Option<f64> {
    match series.across.is_empty() {
        true => Some(at as f64 + 1.0),
        false => series.across.get(at).copied().flatten(),
    }
}

fn bounds_from(axis: Option<&Axis>, mut all: Vec<f64>) -> (f64, f64) {
    let is_logarithmic = axis.is_some_and(|axis| axis.is_logarithmic);
    if is_logarithmic {
        all.retain(|value| *value > 0.0);
    }
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (least, most) = if least <= most { (least, most) } else { (0.0, 1.0) };
    let fixed = |bound: fn(&Axis) -> Option<f64>| {
        axis.and_then(bound).filter(|bound| !is_logarithmic || *bound > 0.0)
    };
    if is_logarithmic {
        let least = fixed(|axis| axis.least).unwrap_or_else(|| 10f64.powf(least.log10().floor()));
        let most = fixed(|axis| axis.most).unwrap_or_else(|| 10f64.powf(most.log10().ceil()));
        let most = most.min(least * 10f64.powf(MOST_DECADES));
        return if least > 0.0 && most > least { (least, most) } else { (1.0, 10.0) };
    }
    // Scales begin at nothing unless the values are far from it.
    let span = (most - least).abs();
    let (low, high) = if least > 0.0 && least < 5.0 * span { (0.0, most) } else { (least, most) };
    let step = step(high - low);
    let low = fixed(|axis| axis.least).unwrap_or_else(|| (low / step).floor() * step);
    let high = fixed(|axis| axis.most).unwrap_or_else(|| (high / step).ceil() * step);
    if high > low { (low, high) } else { (low, low + step.max(1.0)) }
}

/// A round step for a scale as long as this.
fn step(length: f64) -> f64 {
    let raw = length / STEPS;
    if !(raw > 0.0 && raw.is_finite()) {
        return 1.0;
    }
    let decade = 10f64.powf(raw.log10().floor());
    let parts = [1.0, 2.0, 5.0, 10.0].into_iter().find(|part| part * decade >= raw);
    decade * parts.unwrap_or(10.0)
}

fn ticks((least, most): (f64, f64), is_logarithmic: bool) -> Vec<f64> {
    if is_logarithmic {
        let (from, to) = (least.log10().ceil() as i32, most.log10().floor() as i32);
        return (from..=to).take(MOST_NAMES).map(|decade| 10f64.powi(decade)).collect();
    }
    let step = step(most - least);
    let first = (least / step).ceil();
    let tick = |at: u32| (first + f64::from(at)) * step;
    (0..MOST_NAMES as u32).map(tick).take_while(|tick| *tick <= most + step / 1000.0).collect()
}

impl Scale {
    fn new((least, most): (f64, f64), axis: Option<&Axis>, (from, to): (f64, f64)) -> Self {
        let is_logarithmic = axis.is_some_and(|axis| axis.is_logarithmic);
        let (from, to) =
            if axis.is_some_and(|axis| axis.is_reversed) { (to, from) } else { (from, to) };
        Self { least, most, is_logarithmic, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let part = match self.is_logarithmic {
            true => {
                let log = |value: f64| value.max(f64::MIN_POSITIVE).log10();
                (log(value) - log(self.least)) / (log(self.most) - log(self.least))
            }
            false => (value - self.least) / (self.most - self.least),
        };
        // What lies outside of the scale ends at its edge.
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }
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

fn plot_series(
    out: &mut String,
    plot: &Plot,
    first: usize,
    scale: Scale,
    across_scale: Option<Scale>,
    area: Area,
    categories: usize,
) -> std::fmt::Result {
    let categories = categories.max(1) as f64;
    let stacked = stacked(plot);
    let middle = |at: usize| {
        let part = (at as f64 + 0.5) / categories;
        match plot.is_lying {
            true => area.bottom - part * (area.bottom - area.top),
            false => area.left + part * (area.right - area.left),
        }
    };
    for (number, series) in plot.series.iter().enumerate() {
        let colour = colour(series, first + number);
        let spans = &stacked[number];
        if plot.kind == Kind::Bar {
            let length =
                if plot.is_lying { area.bottom - area.top } else { area.right - area.left };
            let side_by_side = if plot.stacking == Stacking::None { plot.series.len() } else { 1 };
            let wide = length / categories * BAR_SHARE / side_by_side as f64;
            let place = if side_by_side > 1 { number as f64 } else { 0.0 };
            let shift = (place + 0.5 - side_by_side as f64 / 2.0) * wide;
            for (at, span) in spans.iter().enumerate() {
                let Some((from, to)) = span else { continue };
                let (from, to) = (scale.place(*from), scale.place(*to));
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
                Some(scale) => scale.place(across(series, at)?),
                None => middle(at),
            };
            Some([x, scale.place(value)])
        };
        let points: Vec<[f64; 2]> = (0..spans.len()).filter_map(point).collect();
        if plot.kind == Kind::Area {
            let base = |at: usize| Some([middle(at), scale.place((*spans.get(at)?)?.0)]);
            let back = (0..spans.len()).rev().filter_map(base);
            let outline: Vec<[f64; 2]> = points.iter().copied().chain(back).collect();
            let path = path(&outline);
            write!(out, "<path d=\"{path}Z\" fill=\"{colour}\" fill-opacity=\"0.8\"/>")?;
            continue;
        }
        if series.has_line {
            let path = path(&points);
            write!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>"
            )?;
        }
        // A dense line needs no marks.
        if !series.has_line || points.len() <= MOST_NAMES {
            for [x, y] in &points {
                write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{colour}\"/>")?;
            }
        }
    }
    Ok(())
}

/// From where to where each value of each series reaches.
pub(super) fn stacked(plot: &Plot) -> Vec<Vec<Option<(f64, f64)>>> {
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
                Stacking::Stacked | Stacking::Shares => {
                    let is_share = plot.stacking == Stacking::Shares && sum > 0.0;
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
fn pie(out: &mut String, plot: &Plot, area: &mut Area) -> std::fmt::Result {
    let Some(series) = plot.series.first() else { return Ok(()) };
    let values: Vec<f64> = series.values.iter().map(|value| value.unwrap_or(0.0).abs()).collect();
    let sum: f64 = values.iter().sum();
    if sum <= 0.0 {
        return Ok(());
    }
    let name = |at: usize| {
        let name = series.categories.get(at).and_then(Option::as_deref);
        let name = name.map_or_else(|| (at + 1).to_string(), short);
        format!("{name} {:.0} %", 100.0 * values[at] / sum)
    };
    let names = (0..values.len().min(MOST_NAMES)).filter(|at| values[*at] > 0.0);
    let of_slice = |at: usize| COLOURS[at % COLOURS.len()].to_owned();
    entries(out, names.map(|at| (of_slice(at), name(at))).collect(), area)?;
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

fn path(points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for (at, [x, y]) in points.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    path
}

fn colour(series: &Series, number: usize) -> String {
    series.colour.clone().unwrap_or_else(|| COLOURS[number % COLOURS.len()].to_owned())
}

/// A number as a scale shows it.
fn number(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn short(name: &str) -> String {
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
