//! EMF+ records ([MS-EMFPLUS]), for files that hold nothing else, or whose GDI records are a poor
//! copy.

mod objects;
mod player;

use player::PlusPlayer;

use super::{
    player::{END, play_record},
    records::records,
};
use crate::{canvas::Canvas, gdi::Player, geometry::Matrix, labels::Run, reader::Record};

/// The first record of EMF+, whose lowest flag says that the picture is there as GDI records too.
const HEADER: u16 = 0x4001;
/// After this record GDI records are part of the picture, up to the next EMF+ record.
const GET_DC: u16 = 0x4004;
/// A brush, a pen, a picture and so on.
const OBJECT: u16 = 0x4008;
const COMMENT: u32 = 70;
/// What is before the EMF+ records of a comment: type, size, size of the data, the signature.
const BEFORE: usize = 16;

/// A record of EMF+: its type, its flags, its data.
#[derive(Clone, Copy)]
pub(super) struct PlusRecord<'a> {
    pub kind: u16,
    pub flags: u16,
    pub data: Record<'a>,
}

/// The EMF+ records in a record of GDI; none where it is not a comment that holds some.
fn plus_records(kind: u32, comment: Record<'_>) -> Option<impl Iterator<Item = PlusRecord<'_>>> {
    if kind != COMMENT || comment.bytes(12, 4) != Some(b"EMF+") {
        return None;
    }
    let size = comment.size(8)?.saturating_sub(4);
    let all = comment.0.get(BEFORE..)?;
    let mut rest = &all[..size.min(all.len())];
    Some(std::iter::from_fn(move || {
        let head = Record(rest);
        let (kind, flags) = (head.u16(0)?, head.u16(2)?);
        let (size, used) = (head.size(4)?, head.size(8)?);
        if size < 12 || size > rest.len() || used > size - 12 {
            return None;
        }
        let data = Record(&rest[12..12 + used]);
        rest = &rest[size..];
        Some(PlusRecord { kind, flags, data })
    }))
}

/// Whether EMF+ records are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those of GDI are.
    No,
    /// There are no others.
    Alone,
    /// Those of GDI are played where these cannot be drawn whole.
    First,
}

/// Whether the picture is in EMF+ records alone, or better than in those of GDI beside them: where
/// it is nothing but a metafile within, its copy is made for a device of few colours, and cut by a
/// clip in the wrong units.
pub(super) fn is_wanted(bytes: &[u8], is_nested: bool) -> Wanted {
    let all = || records(bytes).filter_map(|(kind, record)| plus_records(kind, record)).flatten();
    let Some(first) = all().next().filter(|record| record.kind == HEADER) else {
        return Wanted::No;
    };
    let is_metafile = |record: PlusRecord<'_>| {
        record.kind == OBJECT && record.flags >> 8 & 0xff == 5 && record.data.u32(4) == Some(2)
    };
    let is_drawn =
        |record: PlusRecord<'_>| matches!(record.kind, 0x400a..=0x4019 | 0x401c | 0x4036);
    if is_nested || first.flags & 1 == 0 {
        return Wanted::Alone;
    }
    if all().any(is_metafile) && !all().any(is_drawn) { Wanted::First } else { Wanted::No }
}

/// Plays the EMF+ records of a file, and the GDI records that they let through. Also whether all of
/// it could be drawn.
pub(super) fn play(
    bytes: &[u8],
    mut gdi: Player,
    view: Matrix,
    is_nested: bool,
) -> Option<(Canvas, Vec<Run>, bool)> {
    // One canvas goes to and fro between the two players.
    let elsewhere = Canvas::new(1, 1)?;
    let mut plus = PlusPlayer::new(elsewhere, view, is_nested);
    let mut is_gdi = false;
    for (kind, record) in records(bytes) {
        if kind == END || gdi.canvas.is_spent() {
            break;
        }
        if let Some(plus_records) = plus_records(kind, record) {
            plus.on(&mut gdi.canvas, |plus| {
                for record in plus_records {
                    if plus.is_spent() {
                        break;
                    }
                    is_gdi = record.kind == GET_DC;
                    plus.play(record);
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
