//! Types of shapes in VML and in Word 97 files, by the outlines of DrawingML that they have.

/// The preset of a type (MSOSPT, [MS-ODRAW] 2.4.24); a box for all others.
pub(super) fn office_preset(kind: u16) -> &'static str {
    match kind {
        3 | 120 => "ellipse",
        4 | 110 => "diamond",
        5 | 127 => "triangle",
        6 => "rtTriangle",
        7 | 111 => "parallelogram",
        9 | 117 => "hexagon",
        13 => "rightArrow",
        20 | 32 => "straightConnector1",
        19 => "line",
        33 | 37 => "bentConnector2",
        34..=36 | 38..=40 => "bentConnector3",
        66 => "leftArrow",
        67 => "downArrow",
        68 => "upArrow",
        69 => "leftRightArrow",
        70 => "upDownArrow",
        85 => "leftBracket",
        86 => "rightBracket",
        87 => "leftBrace",
        88 => "rightBrace",
        _ => "rect",
    }
}
