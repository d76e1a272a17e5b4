//! Outlines of shapes: presets by their names, and paths of their own.

use quick_xml::events::BytesStart;

use super::length;

/// A piece of an outline; places are parts of the shape's width and height, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Segment {
    Move([f64; 2]),
    Line([f64; 2]),
    Quad([[f64; 2]; 2]),
    Cubic([[f64; 2]; 3]),
    Close,
}

/// What a shape looks like.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) segments: Vec<Segment>,
    /// Size of the units of the path that is open.
    unit: (f64, f64),
    /// Points of the piece that is open.
    waiting: Vec<[f64; 2]>,
    piece: Piece,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Piece {
    #[default]
    None,
    Move,
    Line,
    Quad,
    Cubic,
}

impl Piece {
    fn points(self) -> usize {
        match self {
            Self::None => 0,
            Self::Move | Self::Line => 1,
            Self::Quad => 2,
            Self::Cubic => 3,
        }
    }
}

impl Outline {
    pub(super) fn preset(name: &str) -> Self {
        Self { segments: segments(name), ..Self::default() }
    }

    pub(super) fn own() -> Self {
        Self::default()
    }

    /// Whether it is a line and not an area.
    pub(super) fn is_open(&self) -> bool {
        !self.segments.contains(&Segment::Close)
    }

    /// Takes an element of a path; returns how many points it added, at most `room`.
    pub(super) fn take(&mut self, name: &str, start: &BytesStart<'_>, room: usize) -> usize {
        match name {
            "a:path" => {
                let part = |key| length(start, key).filter(|size| *size > 0.0);
                self.unit = (part("w").unwrap_or(1.0), part("h").unwrap_or(1.0));
            }
            "a:moveTo" => self.begin(Piece::Move),
            "a:lnTo" => self.begin(Piece::Line),
            "a:quadBezTo" => self.begin(Piece::Quad),
            "a:cubicBezTo" => self.begin(Piece::Cubic),
            "a:close" if room > 0 => {
                self.segments.push(Segment::Close);
                return 1;
            }
            "a:pt" if room > 0 => {
                let (Some(x), Some(y)) = (length(start, "x"), length(start, "y")) else { return 0 };
                self.waiting.push([x / self.unit.0, y / self.unit.1]);
                self.end_piece();
                return 1;
            }
            _ => {}
        }
        0
    }

    fn begin(&mut self, piece: Piece) {
        self.piece = piece;
        self.waiting.clear();
    }

    fn end_piece(&mut self) {
        if self.waiting.len() < self.piece.points() {
            return;
        }
        let segment = match (self.piece, &self.waiting[..]) {
            (Piece::Move, [to]) => Segment::Move(*to),
            (Piece::Line, [to]) => Segment::Line(*to),
            (Piece::Quad, [by, to]) => Segment::Quad([*by, *to]),
            (Piece::Cubic, [first, second, to]) => Segment::Cubic([*first, *second, *to]),
            _ => return,
        };
        self.segments.push(segment);
        self.waiting.clear();
    }
}

/// The preset outlines that documents use; a box for all others.
fn segments(name: &str) -> Vec<Segment> {
    match name {
        "line" | "straightConnector1" => open(&[[0.0, 0.0], [1.0, 1.0]]),
        "bentConnector2" => open(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
        "bentConnector3" | "curvedConnector3" => {
            open(&[[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [1.0, 1.0]])
        }
        "triangle" | "flowChartExtract" => closed(&[[0.5, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        "rtTriangle" => closed(&[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        "diamond" | "flowChartDecision" => {
            closed(&[[0.5, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.5]])
        }
        "parallelogram" | "flowChartInputOutput" => {
            closed(&[[0.2, 0.0], [1.0, 0.0], [0.8, 1.0], [0.0, 1.0]])
        }
        "hexagon" | "flowChartPreparation" => {
            closed(&[[0.2, 0.0], [0.8, 0.0], [1.0, 0.5], [0.8, 1.0], [0.2, 1.0], [0.0, 0.5]])
        }
        "rightArrow" => closed(&ARROW),
        "leftArrow" => closed(&ARROW.map(|[x, y]| [1.0 - x, y])),
        "downArrow" => closed(&ARROW.map(|[x, y]| [y, x])),
        "upArrow" => closed(&ARROW.map(|[x, y]| [y, 1.0 - x])),
        "leftRightArrow" => closed(&TWO_ARROWS),
        "upDownArrow" => closed(&TWO_ARROWS.map(|[x, y]| [y, x])),
        "leftBrace" => brace(|x| x),
        "rightBrace" => brace(|x| 1.0 - x),
        "leftBracket" => open(&[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        "rightBracket" => open(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        "ellipse" | "flowChartConnector" | "cloud" => ellipse(),
        _ => closed(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
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

fn open(points: &[[f64; 2]]) -> Vec<Segment> {
    let line = points.iter().skip(1).map(|to| Segment::Line(*to));
    points.first().map(|to| Segment::Move(*to)).into_iter().chain(line).collect()
}

fn closed(points: &[[f64; 2]]) -> Vec<Segment> {
    let mut segments = open(points);
    segments.push(Segment::Close);
    segments
}

fn brace(across: impl Fn(f64) -> f64) -> Vec<Segment> {
    let at = |x: f64, y: f64| [across(x), y];
    vec![
        Segment::Move(at(1.0, 0.0)),
        Segment::Quad([at(0.5, 0.0), at(0.5, 0.1)]),
        Segment::Line(at(0.5, 0.4)),
        Segment::Quad([at(0.5, 0.5), at(0.0, 0.5)]),
        Segment::Quad([at(0.5, 0.5), at(0.5, 0.6)]),
        Segment::Line(at(0.5, 0.9)),
        Segment::Quad([at(0.5, 1.0), at(1.0, 1.0)]),
    ]
}

/// Four curves; this far from the ends of a quarter its handles make a circle.
fn ellipse() -> Vec<Segment> {
    const HANDLE: f64 = 0.5 * 0.552_284_75;
    let (near, far) = (0.5 - HANDLE, 0.5 + HANDLE);
    vec![
        Segment::Move([1.0, 0.5]),
        Segment::Cubic([[1.0, far], [far, 1.0], [0.5, 1.0]]),
        Segment::Cubic([[near, 1.0], [0.0, far], [0.0, 0.5]]),
        Segment::Cubic([[0.0, near], [near, 0.0], [0.5, 0.0]]),
        Segment::Cubic([[far, 0.0], [1.0, near], [1.0, 0.5]]),
        Segment::Close,
    ]
}
