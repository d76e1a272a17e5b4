//! Charts: the values that a document keeps of them, drawn as an SVG picture.
//!
//! A chart has no preview; its part holds the values that were last seen. ECMA-376 part 1, 21.2
//! (DrawingML charts) gives the meaning of the elements. What is drawn is what the values say, in
//! plain dress: bars, lines, areas, points and slices, with titles, scales and a legend. Kinds that
//! have no own drawing (radar, surface, stock) become lines.

mod plot;
mod scale;
mod series;
#[cfg(test)]
mod tests;

use roxmltree::Node;

use super::dom;

/// Series of one chart.
const MOST_SERIES: usize = 60;
/// Values of one chart.
const MOST_VALUES: usize = 50_000;
/// Largest value that is believed.
const LARGEST: f64 = 1e100;

/// A chart as its part describes it.
#[derive(Debug, Default, PartialEq)]
struct Chart {
    title: Option<String>,
    plots: Vec<Plot>,
    axes: Vec<Axis>,
    has_legend: bool,
}

/// Series of one kind on the same axes.
#[derive(Debug, Default, PartialEq)]
struct Plot {
    kind: Kind,
    /// Whether bars lie.
    is_lying: bool,
    stacking: Stacking,
    series: Vec<Series>,
    /// Ids of its axes.
    axes: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    Bar,
    #[default]
    Line,
    Area,
    Scatter,
    Pie,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stacking {
    #[default]
    None,
    Stacked,
    /// Each as a part of the sum.
    Shares,
}

/// One series: a name, and values by place.
#[derive(Debug, Default, PartialEq)]
struct Series {
    name: Option<String>,
    categories: Vec<Option<String>>,
    /// Of scattered points, how far to the right each lies.
    across: Vec<Option<f64>>,
    values: Vec<Option<f64>>,
    /// As SVG says it.
    colour: Option<String>,
    has_line: bool,
}

/// A scale.
#[derive(Debug, Default, PartialEq)]
struct Axis {
    id: String,
    title: Option<String>,
    /// Whether it is a scale of values and not of categories.
    is_of_values: bool,
    /// `l`, `r`, `t` or `b`.
    side: String,
    is_hidden: bool,
    least: Option<f64>,
    most: Option<f64>,
    is_logarithmic: bool,
    is_reversed: bool,
}

/// The picture of a chart's part as SVG; none where the bytes are no chart, or one without values.
pub(super) fn svg(bytes: &[u8]) -> Option<Vec<u8>> {
    let document = dom::parse(bytes, "chartSpace")?;
    let chart = read(document.root_element())?;
    plot::draw(&chart).map(String::into_bytes)
}

fn read(space: Node<'_, '_>) -> Option<Chart> {
    let chart = child(space, "chart")?;
    let area = child(chart, "plotArea")?;
    let mut values = MOST_VALUES;
    let mut series = MOST_SERIES;
    let mut found = Chart {
        title: child(chart, "title").and_then(words),
        has_legend: child(chart, "legend").is_some(),
        ..Chart::default()
    };
    for element in area.children().filter(Node::is_element) {
        let name = element.tag_name().name();
        if name.ends_with("Chart") {
            found.plots.push(plot_of(element, &mut series, &mut values));
        } else if name.ends_with("Ax") {
            found.axes.push(axis(element));
        }
    }
    found.plots.retain(|plot| !plot.series.is_empty());
    (!found.plots.is_empty()).then_some(found)
}

fn plot_of(element: Node<'_, '_>, series: &mut usize, values: &mut usize) -> Plot {
    let kind = match element.tag_name().name() {
        "barChart" | "bar3DChart" => Kind::Bar,
        "areaChart" | "area3DChart" => Kind::Area,
        "scatterChart" | "bubbleChart" => Kind::Scatter,
        "pieChart" | "pie3DChart" | "doughnutChart" | "ofPieChart" => Kind::Pie,
        _ => Kind::Line,
    };
    let stacking = match value(element, "grouping").as_deref() {
        Some("stacked") => Stacking::Stacked,
        Some("percentStacked") => Stacking::Shares,
        _ => Stacking::None,
    };
    // Points that are joined unless the chart, or the series, says otherwise.
    let style = value(element, "scatterStyle");
    let is_joined = style.as_deref().is_none_or(|style| style != "marker" && style != "none");
    let mut plot = Plot {
        kind,
        is_lying: value(element, "barDir").as_deref() == Some("bar"),
        stacking,
        axes: children(element, "axId")
            .filter_map(|id| id.attribute("val"))
            .map(Into::into)
            .collect(),
        ..Plot::default()
    };
    for element in children(element, "ser").take(*series) {
        let read = series_of(element, is_joined, values);
        if read.values.iter().any(Option::is_some) {
            plot.series.push(read);
        }
    }
    *series = series.saturating_sub(plot.series.len());
    plot
}

fn series_of(element: Node<'_, '_>, is_joined: bool, room: &mut usize) -> Series {
    let look = child(element, "spPr");
    let line = look.and_then(|look| child(look, "ln"));
    let is_bare = line.is_some_and(|line| child(line, "noFill").is_some());
    let colour = look.and_then(|look| {
        let of_line = line.and_then(|line| child(line, "solidFill"));
        // What is drawn as a line says its colour there, an area has its own.
        child(look, "solidFill").or(of_line).and_then(rgb)
    });
    let (across, values) = match child(element, "yVal") {
        Some(up) => (child(element, "xVal"), Some(up)),
        None => (None, child(element, "val")),
    };
    Series {
        name: child(element, "tx").and_then(|name| {
            let cached = name.descendants().find(|node| node.has_tag_name_in("v"));
            cached.and_then(|name| name.text()).map(squeezed).filter(|name| !name.is_empty())
        }),
        categories: child(element, "cat").map_or_else(Vec::new, |cat| points(cat, room, text_of)),
        across: across.map_or_else(Vec::new, |across| points(across, room, number_of)),
        values: values.map_or_else(Vec::new, |values| points(values, room, number_of)),
        colour,
        has_line: is_joined && !is_bare,
    }
}

/// The cached points of a reference, by their places.
fn points<T>(
    element: Node<'_, '_>,
    room: &mut usize,
    read: fn(Node<'_, '_>) -> Option<T>,
) -> Vec<Option<T>> {
    // Of categories on several levels the first is the finest.
    let cache = element.descendants().find(|node| {
        ["numCache", "strCache", "numLit", "strLit", "lvl"]
            .iter()
            .any(|name| node.has_tag_name_in(name))
    });
    let Some(cache) = cache else { return Vec::new() };
    let mut points = Vec::new();
    for point in children(cache, "pt") {
        let place = point.attribute("idx").and_then(|place| place.parse::<usize>().ok());
        let Some(place) = place.filter(|place| *place < *room) else { continue };
        if points.len() <= place {
            points.resize_with(place + 1, || None);
        }
        points[place] = read(point);
    }
    *room -= points.len().min(*room);
    points
}

fn text_of(point: Node<'_, '_>) -> Option<String> {
    child(point, "v")?.text().map(squeezed)
}

fn number_of(point: Node<'_, '_>) -> Option<f64> {
    let number = child(point, "v")?.text()?.trim().parse::<f64>().ok()?;
    (number.abs() <= LARGEST).then_some(number)
}

fn axis(element: Node<'_, '_>) -> Axis {
    let scaling = child(element, "scaling");
    let of_scaling = |name| scaling.and_then(|scaling| value(scaling, name));
    let bound = |name| {
        let bound: Option<f64> = of_scaling(name).and_then(|bound| bound.parse().ok());
        bound.filter(|bound| bound.abs() <= LARGEST)
    };
    Axis {
        id: value(element, "axId").unwrap_or_default(),
        title: child(element, "title").and_then(words),
        is_of_values: element.has_tag_name_in("valAx"),
        side: value(element, "axPos").unwrap_or_default(),
        is_hidden: value(element, "delete").is_some_and(|value| value != "0" && value != "false"),
        least: bound("min"),
        most: bound("max"),
        is_logarithmic: of_scaling("logBase").is_some(),
        is_reversed: of_scaling("orientation").as_deref() == Some("maxMin"),
    }
}

/// The words of a title: its own, or those that it refers to.
fn words(title: Node<'_, '_>) -> Option<String> {
    let runs = title.descendants().filter(|node| node.has_tag_name_in("t"));
    let own: Vec<&str> = runs.filter_map(|run| run.text()).collect();
    let cached = title.descendants().find(|node| node.has_tag_name_in("v"));
    let words = match own.is_empty() {
        true => cached.and_then(|cached| cached.text()).map(squeezed)?,
        false => squeezed(&own.concat()),
    };
    (!words.is_empty()).then_some(words)
}

fn rgb(fill: Node<'_, '_>) -> Option<String> {
    let value = child(fill, "srgbClr")?.attribute("val")?;
    let is_colour = value.len() == 6 && value.chars().all(|c| c.is_ascii_hexdigit());
    is_colour.then(|| format!("#{value}"))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names without their namespace: the strict form of the format has others.
trait Named {
    fn has_tag_name_in(&self, name: &str) -> bool;
}

impl Named for Node<'_, '_> {
    fn has_tag_name_in(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn child<'a, 'i>(element: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    element.children().find(|node| node.has_tag_name_in(name))
}

fn children<'a, 'i>(element: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    element.children().filter(move |node| node.has_tag_name_in(name))
}

/// The `val` of a child.
fn value(element: Node<'_, '_>, name: &str) -> Option<String> {
    child(element, name)?.attribute("val").map(Into::into)
}
