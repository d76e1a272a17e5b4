//! Charts, drawn as SVG from the values that a document caches.
//!
//! A chart has no preview; its part contains the values that were last shown. ECMA-376 part 1, 21.2
//! (DrawingML charts) gives the meaning of the elements. The drawing is plain: bars, lines, areas,
//! points and slices, with titles, scales and a legend. Kinds without a drawing of their own (radar,
//! surface, stock) become lines.

mod layout;
mod legend;
mod plot;
mod scale;
mod series;
#[cfg(test)]
mod tests;

use roxmltree::Node;

use super::dom;

/// Maximum number of series of one chart. The legend shows 40.
const MAX_SERIES: usize = 60;
/// Maximum number of values of one chart. A list is filled up to the largest index in the file, which may be any
/// number.
const MAX_VALUES: usize = 50_000;
/// Largest plausible value: sums of stacked values, and their ratios, stay finite.
const MAX_VALUE: f64 = 1e100;

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
    kind: PlotKind,
    /// Whether bars are horizontal.
    is_horizontal: bool,
    stacking: Stacking,
    series: Vec<Series>,
    /// IDs of its axes.
    axes: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum PlotKind {
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
    /// Each as a percentage of the sum.
    Percent,
}

/// One series: a name, and values by index.
#[derive(Debug, Default, PartialEq)]
struct Series {
    name: Option<String>,
    categories: Vec<Option<String>>,
    /// The x values of scattered points; empty for other kinds.
    x_values: Vec<Option<f64>>,
    values: Vec<Option<f64>>,
    /// In the notation of SVG.
    colour: Option<String>,
    has_line: bool,
}

/// An axis.
#[derive(Debug, Default, PartialEq)]
struct Axis {
    id: String,
    title: Option<String>,
    /// Whether it shows values, not categories.
    is_value_axis: bool,
    /// `l`, `r`, `t` or `b`.
    side: String,
    is_hidden: bool,
    min: Option<f64>,
    max: Option<f64>,
    is_logarithmic: bool,
    is_reversed: bool,
}

/// A chart part as SVG; `None` if the bytes are not a chart, or it has no values.
pub(super) fn render_chart_svg(bytes: &[u8]) -> Option<Vec<u8>> {
    let document = dom::parse_document(bytes, "chartSpace")?;
    let chart = parse_chart(document.root_element())?;
    plot::draw_chart(&chart).map(String::into_bytes)
}

fn parse_chart(space: Node<'_, '_>) -> Option<Chart> {
    let chart = find_child(space, "chart")?;
    let area = find_child(chart, "plotArea")?;
    let mut values = MAX_VALUES;
    let mut series = MAX_SERIES;
    let mut chart_data = Chart {
        title: find_child(chart, "title").and_then(parse_title),
        has_legend: find_child(chart, "legend").is_some(),
        ..Chart::default()
    };
    for element in area.children().filter(Node::is_element) {
        let name = element.tag_name().name();
        if name.ends_with("Chart") {
            chart_data.plots.push(parse_plot(element, &mut series, &mut values));
        } else if name.ends_with("Ax") {
            chart_data.axes.push(parse_axis(element));
        }
    }
    chart_data.plots.retain(|plot| !plot.series.is_empty());
    (!chart_data.plots.is_empty()).then_some(chart_data)
}

/// Parses a plot; `series` and `values` are how many more of each may be read.
fn parse_plot(element: Node<'_, '_>, series: &mut usize, values: &mut usize) -> Plot {
    let kind = match element.tag_name().name() {
        "barChart" | "bar3DChart" => PlotKind::Bar,
        "areaChart" | "area3DChart" => PlotKind::Area,
        "scatterChart" | "bubbleChart" => PlotKind::Scatter,
        "pieChart" | "pie3DChart" | "doughnutChart" | "ofPieChart" => PlotKind::Pie,
        _ => PlotKind::Line,
    };
    let stacking = match child_value(element, "grouping").as_deref() {
        Some("stacked") => Stacking::Stacked,
        Some("percentStacked") => Stacking::Percent,
        _ => Stacking::None,
    };
    // The points of a series are joined unless the chart or the series specifies otherwise.
    let style = child_value(element, "scatterStyle");
    let is_joined = style.as_deref().is_none_or(|style| style != "marker" && style != "none");
    let mut plot = Plot {
        kind,
        is_horizontal: child_value(element, "barDir").as_deref() == Some("bar"),
        stacking,
        axes: child_elements(element, "axId")
            .filter_map(|id| id.attribute("val"))
            .map(Into::into)
            .collect(),
        ..Plot::default()
    };
    for element in child_elements(element, "ser").take(*series) {
        let parsed = parse_series(element, is_joined, values);
        if parsed.values.iter().any(Option::is_some) {
            plot.series.push(parsed);
        }
    }
    *series = series.saturating_sub(plot.series.len());
    plot
}

fn parse_series(element: Node<'_, '_>, is_joined: bool, values_left: &mut usize) -> Series {
    let properties = find_child(element, "spPr");
    let line = properties.and_then(|properties| find_child(properties, "ln"));
    let hides_line = line.is_some_and(|line| find_child(line, "noFill").is_some());
    let colour = properties.and_then(|properties| {
        // A line has its colour in `a:ln`, an area in a fill of its own.
        let line_fill = line.and_then(|line| find_child(line, "solidFill"));
        find_child(properties, "solidFill").or(line_fill).and_then(parse_rgb)
    });
    let (x_values, values) = match find_child(element, "yVal") {
        Some(y_values) => (find_child(element, "xVal"), Some(y_values)),
        None => (None, find_child(element, "val")),
    };
    Series {
        name: find_child(element, "tx").and_then(|name| {
            let cached = name.descendants().find(|node| node.has_local_name("v"));
            cached
                .and_then(|name| name.text())
                .map(collapse_whitespace)
                .filter(|name| !name.is_empty())
        }),
        categories: find_child(element, "cat")
            .map_or_else(Vec::new, |cat| parse_points(cat, values_left, parse_point_text)),
        x_values: x_values
            .map_or_else(Vec::new, |cache| parse_points(cache, values_left, parse_point_number)),
        values: values
            .map_or_else(Vec::new, |cache| parse_points(cache, values_left, parse_point_number)),
        colour,
        has_line: is_joined && !hides_line,
    }
}

/// The cached points of a reference, by their indices.
fn parse_points<T>(
    element: Node<'_, '_>,
    values_left: &mut usize,
    read: fn(Node<'_, '_>) -> Option<T>,
) -> Vec<Option<T>> {
    // Of categories on several levels the first is the finest.
    let cache = element.descendants().find(|node| {
        ["numCache", "strCache", "numLit", "strLit", "lvl"]
            .iter()
            .any(|name| node.has_local_name(name))
    });
    let Some(cache) = cache else { return Vec::new() };
    let mut points = Vec::new();
    for point in child_elements(cache, "pt") {
        let index = point.attribute("idx").and_then(|index| index.parse::<usize>().ok());
        let Some(index) = index.filter(|index| *index < *values_left) else { continue };
        if points.len() <= index {
            points.resize_with(index + 1, || None);
        }
        points[index] = read(point);
    }
    *values_left -= points.len().min(*values_left);
    points
}

fn parse_point_text(point: Node<'_, '_>) -> Option<String> {
    find_child(point, "v")?.text().map(collapse_whitespace)
}

fn parse_point_number(point: Node<'_, '_>) -> Option<f64> {
    let number = find_child(point, "v")?.text()?.trim().parse::<f64>().ok()?;
    (number.abs() <= MAX_VALUE).then_some(number)
}

fn parse_axis(element: Node<'_, '_>) -> Axis {
    let scaling = find_child(element, "scaling");
    let of_scaling = |name| scaling.and_then(|scaling| child_value(scaling, name));
    let bound = |name| {
        let bound: Option<f64> = of_scaling(name).and_then(|bound| bound.parse().ok());
        bound.filter(|bound| bound.abs() <= MAX_VALUE)
    };
    Axis {
        id: child_value(element, "axId").unwrap_or_default(),
        title: find_child(element, "title").and_then(parse_title),
        is_value_axis: element.has_local_name("valAx"),
        side: child_value(element, "axPos").unwrap_or_default(),
        is_hidden: child_value(element, "delete")
            .is_some_and(|value| value != "0" && value != "false"),
        min: bound("min"),
        max: bound("max"),
        is_logarithmic: of_scaling("logBase").is_some(),
        is_reversed: of_scaling("orientation").as_deref() == Some("maxMin"),
    }
}

/// The text of a title: its own, or the cached text of a reference.
fn parse_title(title: Node<'_, '_>) -> Option<String> {
    let runs = title.descendants().filter(|node| node.has_local_name("t"));
    let own: Vec<&str> = runs.filter_map(|run| run.text()).collect();
    let cached = title.descendants().find(|node| node.has_local_name("v"));
    let words = if own.is_empty() {
        cached.and_then(|cached| cached.text()).map(collapse_whitespace)?
    } else {
        collapse_whitespace(&own.concat())
    };
    (!words.is_empty()).then_some(words)
}

fn parse_rgb(fill: Node<'_, '_>) -> Option<String> {
    let value = find_child(fill, "srgbClr")?.attribute("val")?;
    let is_colour = value.len() == 6 && value.chars().all(|c| c.is_ascii_hexdigit());
    is_colour.then(|| format!("#{value}"))
}

fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compares names without their namespace: the strict form of the format has other namespaces.
trait HasLocalName {
    fn has_local_name(&self, name: &str) -> bool;
}

impl HasLocalName for Node<'_, '_> {
    fn has_local_name(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn find_child<'a, 'i>(element: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    element.children().find(|node| node.has_local_name(name))
}

fn child_elements<'a, 'i>(element: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    element.children().filter(move |node| node.has_local_name(name))
}

/// The `val` of a child.
fn child_value(element: Node<'_, '_>, name: &str) -> Option<String> {
    find_child(element, name)?.attribute("val").map(Into::into)
}
