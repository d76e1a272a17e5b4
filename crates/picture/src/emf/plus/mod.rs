//! EMF+ records ([MS-EMFPLUS]), for files that hold nothing else, or whose GDI records are a poor
//! copy.

mod image;
mod objects;
mod player;
mod text;

use player::PlusPlayer;

use super::{
    player::{EMR_EOF, play_record},
    records::iter_records,
};
use crate::{canvas::Canvas, gdi::Player, geometry::Matrix, labels::TextRun, reader::Record};

/// The first record of EMF+, whose lowest flag says that the picture is there as GDI records too.
const HEADER: u16 = 0x4001;
/// After this record GDI records are part of the picture, up to the next EMF+ record.
const GET_DC: u16 = 0x4004;
/// A brush, a pen, a picture and so on.
const OBJECT: u16 = 0x4008;
const COMMENT: u32 = 70;
/// What is before the EMF+ records of a comment: type, size, size of the data, the signature.
const PLUS_DATA_OFFSET: usize = 16;

/// A record of EMF+: its type, its flags, its data.
#[derive(Clone, Copy)]
pub(super) struct PlusRecord<'a> {
    pub kind: u16,
    pub flags: u16,
    pub data: Record<'a>,
}

/// The EMF+ records in a record of GDI; none where it is not a comment that holds some.
fn plus_records(kind: u32, comment: Record<'_>) -> Option<impl Iterator<Item = PlusRecord<'_>>> {
    if kind != COMMENT || comment.bytes_at(12, 4) != Some(b"EMF+") {
        return None;
    }
    let size = comment.size_at(8)?.saturating_sub(4);
    let all = comment.0.get(PLUS_DATA_OFFSET..)?;
    let mut rest = &all[..size.min(all.len())];
    Some(std::iter::from_fn(move || {
        let head = Record(rest);
        let (kind, flags) = (head.u16_at(0)?, head.u16_at(2)?);
        let (size, used) = (head.size_at(4)?, head.size_at(8)?);
        if size < 12 || size > rest.len() || used > size - 12 {
            return None;
        }
        let data = Record(&rest[12..12 + used]);
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
    /// The EMF+ records, or the GDI records where the former cannot be drawn completely.
    PlusFirst,
}

/// Selects the records to play. EMF+ records come first where the picture is a single nested
/// metafile: its GDI copy is made for a device of few colours and clipped in the wrong units.
pub(super) fn select_plus_mode(bytes: &[u8], is_nested: bool) -> PlusMode {
    let all =
        || iter_records(bytes).filter_map(|(kind, record)| plus_records(kind, record)).flatten();
    let Some(first) = all().next().filter(|record| record.kind == HEADER) else {
        return PlusMode::GdiOnly;
    };
    let is_metafile = |record: PlusRecord<'_>| {
        record.kind == OBJECT && record.flags >> 8 & 0xff == 5 && record.data.u32_at(4) == Some(2)
    };
    let is_drawn =
        |record: PlusRecord<'_>| matches!(record.kind, 0x400a..=0x4019 | 0x401c | 0x4036);
    if is_nested || first.flags & 1 == 0 {
        return PlusMode::PlusOnly;
    }
    if all().any(is_metafile) && !all().any(is_drawn) {
        PlusMode::PlusFirst
    } else {
        PlusMode::GdiOnly
    }
}

/// Plays the EMF+ records of a file, and the GDI records that they let through. Also returns whether
/// everything could be drawn.
pub(super) fn play_plus_records(
    bytes: &[u8],
    mut gdi: Player,
    view: Matrix,
    is_nested: bool,
) -> Option<(Canvas, Vec<TextRun>, bool)> {
    // One canvas goes to and fro between the two players.
    let elsewhere = Canvas::new(1, 1)?;
    let mut plus = PlusPlayer::new(elsewhere, view, is_nested);
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
    let is_whole = !plus.is_incomplete();
    gdi.runs.extend(plus.into_runs());
    Some((gdi.canvas, gdi.runs, is_whole))
}
