//! The header: which part of the device the picture is.

use crate::{geometry::Point, reader::Record};

/// The fields of the header that are used.
pub(super) struct EmfHeader {
    /// The corners of the picture in units of the device.
    pub view: (Point, Point),
    /// Units of the device in a millimetre.
    pub per_millimetre: Point,
}

/// The shortest header; the longest has the size of the device in micrometres at its end.
const MIN_HEADER_BYTES: u32 = 88;
const MICROMETRES_HEADER_BYTES: u32 = 108;

impl EmfHeader {
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let record = Record(bytes);
        let size = record.u32_at(4)?;
        if size < MIN_HEADER_BYTES {
            return None;
        }
        let bounds = record.rectangle_at(8)?;
        let frame = record.rectangle_at(24)?;
        let device = record.point_at(72)?;
        let millimetres = record.point_at(80)?;
        let mut per_millimetre = (
            device.0.max(1.0) / millimetres.0.max(1.0),
            device.1.max(1.0) / millimetres.1.max(1.0),
        );
        if size >= MICROMETRES_HEADER_BYTES
            && let Some((x, y)) = record.point_at(100)
            && x > 0.0
            && y > 0.0
        {
            per_millimetre = (device.0.max(1.0) * 1000.0 / x, device.1.max(1.0) * 1000.0 / y);
        }
        let to_device = |(x, y): Point| {
            // The frame is in hundredths of a millimetre.
            (x / 100.0 * per_millimetre.0, y / 100.0 * per_millimetre.1)
        };
        let frame = (to_device(frame.0), to_device(frame.1));
        let view = match (has_size(&frame), has_size(&bounds)) {
            // A frame without anything of the picture in it is wrong; it would show a blank picture.
            (true, true) if !rectangles_intersect(&frame, &bounds) => bounds,
            (true, _) => frame,
            (false, true) => bounds,
            (false, false) => ((0.0, 0.0), (device.0.max(1.0), device.1.max(1.0))),
        };
        Some(Self { view, per_millimetre })
    }
}

fn has_size((from, to): &(Point, Point)) -> bool {
    to.0 - from.0 > 0.5 && to.1 - from.1 > 0.5
}

fn rectangles_intersect(a: &(Point, Point), b: &(Point, Point)) -> bool {
    b.1.0 >= a.0.0 && b.0.0 <= a.1.0 && b.1.1 >= a.0.1 && b.0.1 <= a.1.1
}
