//! Outlines of shapes: presets by name, and custom paths.

use quick_xml::events::BytesStart;

use super::parse_length;

/// A segment of an outline; coordinates are shares of the shape's width and height, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum OutlineSegment {
    Move([f64; 2]),
    Line([f64; 2]),
    Quad([[f64; 2]; 2]),
    Cubic([[f64; 2]; 3]),
    Close,
}

/// The outline of a shape.
#[derive(Debug, Default)]
pub(super) struct ShapeOutline {
    pub(super) segments: Vec<OutlineSegment>,
    /// Size of the units of the path that is open.
    unit: (f64, f64),
    /// Points of the open segment.
    pending_points: Vec<[f64; 2]>,
    /// The command of the open segment; `None` before the first.
    command: Option<SegmentOfPoints>,
}

/// Makes a segment of its points; `None` while points are missing.
type SegmentOfPoints = fn(&[[f64; 2]]) -> Option<OutlineSegment>;

impl ShapeOutline {
    pub(super) fn from_preset(name: &str) -> Self {
        Self { segments: preset_segments(name), ..Self::default() }
    }

    pub(super) fn from_segments(segments: Vec<OutlineSegment>) -> Self {
        Self { segments, ..Self::default() }
    }

    pub(super) fn custom_geometry() -> Self {
        Self::default()
    }

    /// Whether it is a line and not an area.
    pub(super) fn is_open(&self) -> bool {
        !self.segments.contains(&OutlineSegment::Close)
    }

    /// Applies an element of a path; returns how many points it added, at most `max_points`.
    pub(super) fn apply_path_element(
        &mut self,
        name: &str,
        start: &BytesStart<'_>,
        max_points: usize,
    ) -> usize {
        match name {
            "a:path" => {
                let part = |key| parse_length(start, key).filter(|size| *size > 0.0);
                self.unit = (part("w").unwrap_or(1.0), part("h").unwrap_or(1.0));
            }
            "a:moveTo" => {
                self.begin_segment(|points| points.first().copied().map(OutlineSegment::Move))
            }
            "a:lnTo" => {
                self.begin_segment(|points| points.first().copied().map(OutlineSegment::Line))
            }
            "a:quadBezTo" => {
                self.begin_segment(|points| points.try_into().ok().map(OutlineSegment::Quad))
            }
            "a:cubicBezTo" => {
                self.begin_segment(|points| points.try_into().ok().map(OutlineSegment::Cubic))
            }
            "a:close" if max_points > 0 => {
                self.segments.push(OutlineSegment::Close);
                return 1;
            }
            "a:pt" if max_points > 0 => {
                let (Some(x), Some(y)) = (parse_length(start, "x"), parse_length(start, "y"))
                else {
                    return 0;
                };
                self.pending_points.push([x / self.unit.0, y / self.unit.1]);
                self.end_segment();
                return 1;
            }
            _ => {}
        }
        0
    }

    fn begin_segment(&mut self, command: SegmentOfPoints) {
        self.command = Some(command);
        self.pending_points.clear();
    }

    fn end_segment(&mut self) {
        let segment = self.command.and_then(|command| command(&self.pending_points));
        if let Some(segment) = segment {
            self.segments.push(segment);
            self.pending_points.clear();
        }
    }
}

/// The preset outlines that real documents use; a box for all others.
fn preset_segments(name: &str) -> Vec<OutlineSegment> {
    match name {
        "line" | "straightConnector1" => open_path(&[[0.0, 0.0], [1.0, 1.0]]),
        "bentConnector2" => open_path(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
        "bentConnector3" | "curvedConnector3" => {
            open_path(&[[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [1.0, 1.0]])
        }
        "triangle" | "flowChartExtract" => closed_path(&[[0.5, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        "rtTriangle" => closed_path(&[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        "diamond" | "flowChartDecision" => {
            closed_path(&[[0.5, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.5]])
        }
        "parallelogram" | "flowChartInputOutput" => {
            closed_path(&[[0.2, 0.0], [1.0, 0.0], [0.8, 1.0], [0.0, 1.0]])
        }
        "hexagon" | "flowChartPreparation" => {
            closed_path(&[[0.2, 0.0], [0.8, 0.0], [1.0, 0.5], [0.8, 1.0], [0.2, 1.0], [0.0, 0.5]])
        }
        "rightArrow" => closed_path(&ARROW),
        "leftArrow" => closed_path(&ARROW.map(|[x, y]| [1.0 - x, y])),
        "downArrow" => closed_path(&ARROW.map(|[x, y]| [y, x])),
        "upArrow" => closed_path(&ARROW.map(|[x, y]| [y, 1.0 - x])),
        "leftRightArrow" => closed_path(&TWO_ARROWS),
        "upDownArrow" => closed_path(&TWO_ARROWS.map(|[x, y]| [y, x])),
        "leftBrace" => brace_path(|x| x),
        "rightBrace" => brace_path(|x| 1.0 - x),
        "leftBracket" => open_path(&[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        "rightBracket" => open_path(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        "ellipse" | "flowChartConnector" | "cloud" => ellipse_path(),
        _ => closed_path(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
    }
}

const ARROW: [[f64; 2]; 7] =
    [[0.0, 0.25], [0.7, 0.25], [0.7, 0.0], [1.0, 0.5], [0.7, 1.0], [0.7, 0.75], [0.0, 0.75]];
const TWO_ARROWS: [[f64; 2]; 10] = [
    [0.0, 0.5],
    [0.25, 0.0],
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.0],
    [1.0, 0.5],
    [0.75, 1.0],
    [0.75, 0.75],
    [0.25, 0.75],
    [0.25, 1.0],
];

fn open_path(points: &[[f64; 2]]) -> Vec<OutlineSegment> {
    let line = points.iter().skip(1).map(|to| OutlineSegment::Line(*to));
    points.first().map(|to| OutlineSegment::Move(*to)).into_iter().chain(line).collect()
}

fn closed_path(points: &[[f64; 2]]) -> Vec<OutlineSegment> {
    let mut segments = open_path(points);
    segments.push(OutlineSegment::Close);
    segments
}

fn brace_path(across: impl Fn(f64) -> f64) -> Vec<OutlineSegment> {
    let at = |x: f64, y: f64| [across(x), y];
    vec![
        OutlineSegment::Move(at(1.0, 0.0)),
        OutlineSegment::Quad([at(0.5, 0.0), at(0.5, 0.1)]),
        OutlineSegment::Line(at(0.5, 0.4)),
        OutlineSegment::Quad([at(0.5, 0.5), at(0.0, 0.5)]),
        OutlineSegment::Quad([at(0.5, 0.5), at(0.5, 0.6)]),
        OutlineSegment::Line(at(0.5, 0.9)),
        OutlineSegment::Quad([at(0.5, 1.0), at(1.0, 1.0)]),
    ]
}

/// An ellipse of four cubic curves.
fn ellipse_path() -> Vec<OutlineSegment> {
    /// Distance of a control point from its end point with which a cubic curve is nearly a quarter circle.
    const HANDLE: f64 = 0.5 * 0.552_284_75;
    let (near, far) = (0.5 - HANDLE, 0.5 + HANDLE);
    vec![
        OutlineSegment::Move([1.0, 0.5]),
        OutlineSegment::Cubic([[1.0, far], [far, 1.0], [0.5, 1.0]]),
        OutlineSegment::Cubic([[near, 1.0], [0.0, far], [0.0, 0.5]]),
        OutlineSegment::Cubic([[0.0, near], [near, 0.0], [0.5, 0.0]]),
        OutlineSegment::Cubic([[far, 0.0], [1.0, near], [1.0, 0.5]]),
        OutlineSegment::Close,
    ]
}
