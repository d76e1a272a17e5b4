//! The header: which part of the device the picture is.

use crate::{geometry::Point, reader::Record};

/// The fields of the header that are used.
pub(super) struct EmfHeader {
    /// The corners of the picture in units of the device.
    pub view: (Point, Point),
    /// Units of the device in a millimetre.
    pub per_millimetre: Point,
}

/// The shortest header. The first extension adds the pixel format, the second the size of the device in micrometres.
const MIN_HEADER_BYTES: u32 = 88;
const PIXEL_FORMAT_HEADER_BYTES: u32 = 100;
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
        if header_bytes(record, size)? >= MICROMETRES_HEADER_BYTES
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

/// The bytes of the header without the description and the pixel format, which follow it in the same record:
/// [MS-EMF] 2.3.4.2. A short header with a description is as long as a header with micrometres, whose position has
/// letters of the description then.
fn header_bytes(record: Record<'_>, size: u32) -> Option<u32> {
    let is_within = |start: u32, bytes: Option<u32>| {
        bytes.and_then(|bytes| start.checked_add(bytes)).is_some_and(|end| end <= size)
    };
    let mut length = size;
    let (letters, description) = (record.u32_at(60)?, record.u32_at(64)?);
    if description >= MIN_HEADER_BYTES && is_within(description, letters.checked_mul(2)) {
        length = description;
    }
    if length >= PIXEL_FORMAT_HEADER_BYTES {
        let (bytes, pixel_format) = (record.u32_at(88)?, record.u32_at(92)?);
        if pixel_format >= PIXEL_FORMAT_HEADER_BYTES && is_within(pixel_format, Some(bytes)) {
            length = length.min(pixel_format);
        }
    }
    Some(length)
}

fn has_size((from, to): &(Point, Point)) -> bool {
    to.0 - from.0 > 0.5 && to.1 - from.1 > 0.5
}

fn rectangles_intersect(a: &(Point, Point), b: &(Point, Point)) -> bool {
    b.1.0 >= a.0.0 && b.0.0 <= a.1.0 && b.1.1 >= a.0.1 && b.0.1 <= a.1.1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of `bytes` bytes and what follows it in its record: a device of 1000 units, which are 500 mm as the
    /// short header says, and 250 mm as the micrometres say.
    fn header(
        bytes: usize,
        (letters, description): (u32, u32),
        (pixel_bytes, pixel_format): (u32, u32),
        after: &[u8],
    ) -> Vec<u8> {
        let mut record = vec![0; bytes];
        let mut set = |at: usize, value: u32| {
            if let Some(field) = record.get_mut(at..at + 4) {
                field.copy_from_slice(&value.to_le_bytes());
            }
        };
        set(0, 1);
        set(4, (bytes + after.len()) as u32);
        let mut fields = vec![(16, 100), (20, 100), (32, 10_000), (36, 10_000)];
        fields.extend([
            (60, letters),
            (64, description),
            (72, 1000),
            (76, 1000),
            (80, 500),
            (84, 500),
        ]);
        // Fields beyond the end of a short header are not written.
        fields.extend([(88, pixel_bytes), (92, pixel_format), (100, 250_000), (104, 250_000)]);
        fields.into_iter().for_each(|(at, value)| set(at, value));
        record.extend(after);
        record
    }

    #[test]
    fn micrometres_are_read_only_from_headers_that_have_them() {
        let name: Vec<u8> =
            "Designer\0figure\0\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let letters = (name.len() / 2) as u32;
        let pixels = [7; 40];
        let cases = [
            ("short", header(88, (0, 0), (0, 0), &[]), 2.0),
            ("short, with a description", header(88, (letters, 88), (0, 0), &name), 2.0),
            ("first extension", header(100, (0, 0), (0, 0), &[]), 2.0),
            (
                "first extension, with a description",
                header(100, (letters, 100), (0, 0), &name),
                2.0,
            ),
            ("first extension, with a pixel format", header(100, (0, 0), (40, 100), &pixels), 2.0),
            ("second extension", header(108, (0, 0), (0, 0), &[]), 4.0),
            (
                "second extension, with a description",
                header(108, (letters, 108), (0, 0), &name),
                4.0,
            ),
            ("second extension, with a pixel format", header(108, (0, 0), (40, 108), &pixels), 4.0),
            (
                "a description that is not in the record",
                header(108, (letters, 9000), (0, 0), &name),
                4.0,
            ),
            (
                "a description with too many letters",
                header(108, (u32::MAX, 88), (0, 0), &name),
                4.0,
            ),
            (
                "a pixel format that is not in the record",
                header(108, (0, 0), (u32::MAX, 100), &[]),
                4.0,
            ),
        ];
        for (case, bytes, per_millimetre) in cases {
            let header = EmfHeader::from_bytes(&bytes).expect(case);
            assert_eq!(header.per_millimetre, (per_millimetre, per_millimetre), "{case}");
        }
        assert!(EmfHeader::from_bytes(&header(80, (0, 0), (0, 0), &[])).is_none());
    }
}
