//! EMF+ records ([MS-EMFPLUS]), for files that contain nothing else, or whose GDI records are a poor
//! copy.

mod image;
mod objects;
mod player;
mod record_types;
mod text;

use player::PlusPlayer;
use record_types::*;

use super::{
    player::play_record,
    record_types::{EMR_COMMENT, EMR_EOF},
    records::iter_records,
};
use crate::{canvas::Canvas, gdi::Player, geometry::Matrix, labels::TextRun, reader::Record};

/// Before the EMF+ records of a comment are its type, its size, the size of the data and the signature.
const PLUS_DATA_OFFSET: usize = 16;
/// The header of an EMF+ record: type, flags, size, size of the data.
const PLUS_RECORD_HEADER_BYTES: usize = 12;
/// [MS-EMFPLUS] ImageDataType: a metafile.
const IMAGE_DATA_TYPE_METAFILE: u32 = 2;
/// The flag of the header for files that also contain their picture as GDI records.
const DUAL_FLAG: u16 = 1;

/// A record of EMF+: its type, its flags, its data.
#[derive(Clone, Copy)]
pub(super) struct PlusRecord<'a> {
    pub kind: u16,
    pub flags: u16,
    pub data: Record<'a>,
}

/// The EMF+ records in a GDI record; `None` if it is not a comment with EMF+ records.
fn plus_records(kind: u32, comment: Record<'_>) -> Option<impl Iterator<Item = PlusRecord<'_>>> {
    if kind != EMR_COMMENT || comment.bytes_at(12, 4) != Some(b"EMF+") {
        return None;
    }
    let size = comment.size_at(8)?.saturating_sub(4);
    let all = comment.0.get(PLUS_DATA_OFFSET..)?;
    let mut rest = &all[..size.min(all.len())];
    Some(std::iter::from_fn(move || {
        let head = Record(rest);
        let (kind, flags) = (head.u16_at(0)?, head.u16_at(2)?);
        let (size, data_size) = (head.size_at(4)?, head.size_at(8)?);
        let max_data_size = size.checked_sub(PLUS_RECORD_HEADER_BYTES)?;
        if size > rest.len() || data_size > max_data_size {
            return None;
        }
        let data = Record(&rest[PLUS_RECORD_HEADER_BYTES..PLUS_RECORD_HEADER_BYTES + data_size]);
        rest = &rest[size..];
        Some(PlusRecord { kind, flags, data })
    }))
}

/// Which records of a file are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlusMode {
    /// The GDI records.
    GdiOnly,
    /// The EMF+ records; there are no others.
    PlusOnly,
    /// The EMF+ records, or the GDI records if the former cannot be drawn completely.
    PlusFirst,
}

/// Selects the records to play. EMF+ records come first if the picture is a single nested
/// metafile: its GDI copy is made for a device of few colours and clipped in the wrong units.
pub(super) fn select_plus_mode(bytes: &[u8], is_nested: bool) -> PlusMode {
    let all =
        || iter_records(bytes).filter_map(|(kind, record)| plus_records(kind, record)).flatten();
    let Some(first) = all().next().filter(|record| record.kind == HEADER) else {
        return PlusMode::GdiOnly;
    };
    let is_metafile = |record: PlusRecord<'_>| {
        record.kind == OBJECT
            && record.flags >> 8 & 0xff == OBJECT_TYPE_IMAGE
            && record.data.u32_at(4) == Some(IMAGE_DATA_TYPE_METAFILE)
    };
    let is_drawing = |record: PlusRecord<'_>| {
        matches!(record.kind, FILL_RECTS..=DRAW_BEZIERS | DRAW_STRING | DRAW_DRIVER_STRING)
    };
    if is_nested || first.flags & DUAL_FLAG == 0 {
        return PlusMode::PlusOnly;
    }
    if all().any(is_metafile) && !all().any(is_drawing) {
        PlusMode::PlusFirst
    } else {
        PlusMode::GdiOnly
    }
}

/// Plays the EMF+ records of a file, and the GDI records after each GetDC. Also returns whether
/// everything could be drawn.
pub(super) fn play_plus_records(
    bytes: &[u8],
    mut gdi: Player,
    view: Matrix,
    is_nested: bool,
) -> Option<(Canvas, Vec<TextRun>, bool)> {
    // The two players take turns on the canvas of the first.
    let placeholder = Canvas::new(1, 1)?;
    let mut plus = PlusPlayer::new(placeholder, view, is_nested);
    let mut is_gdi = false;
    for (kind, record) in iter_records(bytes) {
        if kind == EMR_EOF || gdi.canvas.is_spent() {
            break;
        }
        if let Some(plus_records) = plus_records(kind, record) {
            plus.with_canvas(&mut gdi.canvas, |plus| {
                for record in plus_records {
                    if plus.is_spent() {
                        break;
                    }
                    is_gdi = record.kind == GET_DC;
                    plus.play_record(record);
                }
            });
        } else if is_gdi {
            play_record(kind, record, &mut gdi);
        }
    }
    let is_complete = !plus.is_incomplete();
    gdi.runs.extend(plus.into_runs());
    Some((gdi.canvas, gdi.runs, is_complete))
}
