//! The streams of a Word 97 file that contain the positions of objects: the file information block, the piece table and
//! the properties of characters, as [MS-DOC] lays them out.

use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// A compound file in memory.
pub(super) type WordFile = cfb::CompoundFile<Cursor<Vec<u8>>>;

/// [MS-DOC] 2.5.2: the first word of the file information block.
const FIB_MAGIC: u16 = 0xA5EC;
/// Where the block says which table stream belongs to it, and the bit.
const FIB_FLAGS: usize = 0x0A;
const USES_TABLE_1: u16 = 0x0200;
/// Where it says how many characters the main text has.
const MAIN_TEXT_LENGTH: usize = 0x4C;
/// [MS-DOC] 2.5.4: the lengths of the stories between the main text and the text of shapes, and the length of the
/// latter.
const OTHER_TEXT_LENGTHS: [usize; 5] = [0x50, 0x54, 0x58, 0x5C, 0x60];
const TEXT_BOX_LENGTH: usize = 0x64;
/// [MS-DOC] 2.5.6: where the offset and length of parts of the table stream are.
const CHARACTER_PAGES: usize = 0xFA;
const PIECE_TABLE: usize = 0x1A2;
pub(super) const DRAWN_ANCHORS: usize = 0x1DA;
pub(super) const DRAWINGS: usize = 0x22A;
/// Bytes of a page of formatted runs.
const PAGE_BYTES: usize = 512;
/// A longer stream is not read. Three of them are in memory at a time, and a worker has 2 GiB.
const MAX_STREAM_BYTES: u64 = 256 << 20;
/// Maximum number of characters of the main text that are examined.
const MAX_CHARACTERS: u32 = 64 << 20;
/// Maximum number of characters that represent objects, which no file exceeds. They take 10 MB.
const MAX_FOUND: usize = 400_000;

/// The streams of a file.
pub(super) struct WordStreams {
    /// `WordDocument`.
    pub(super) main: Vec<u8>,
    /// `0Table` or `1Table`.
    pub(super) table: Vec<u8>,
    /// `Data`; empty if there is none.
    pub(super) data: Vec<u8>,
    /// Characters of the main text.
    main_length: u32,
    /// All stories.
    pieces: Vec<TextPiece>,
    /// First byte of the runs of a page, and the page; in the order of the bytes.
    pages: Vec<(u32, usize)>,
}

/// A run of characters that are adjacent in the file.
struct TextPiece {
    /// Its first character, and the first after it.
    characters: (u32, u32),
    /// Its first byte in the main stream.
    start: usize,
    /// Bytes of a character, 1 or 2.
    width: usize,
}

/// A character of the main text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Character {
    /// Its position in the text.
    pub(super) position: u32,
    /// Offset of its bytes in the main stream.
    pub(super) offset: usize,
    /// Number of its bytes there.
    pub(super) width: usize,
    pub(super) code: u16,
}

/// Properties of a character that say what it represents.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct CharacterProperties {
    /// It represents something other than its code.
    pub(super) is_special: bool,
    /// Where its picture begins in the data stream, or the number of its object.
    pub(super) location: Option<u32>,
    /// The location is the number of an object.
    pub(super) is_object: bool,
    /// The location belongs to a form field.
    pub(super) is_form: bool,
    /// It is deleted, or hidden.
    pub(super) is_left_out: bool,
}

pub(super) fn read_u16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The bytes of a stream; `None` if it does not exist or is too large.
pub(super) fn read_stream(file: &mut WordFile, path: &str, max_bytes: u64) -> Option<Vec<u8>> {
    let mut stream = file.open_stream(path).ok()?;
    let mut bytes = Vec::new();
    if stream.len() > max_bytes {
        return None;
    }
    stream.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

impl WordStreams {
    /// Reads the streams; `None` if the file is not of Word 97 or later, or is damaged.
    pub(super) fn read_streams(file: &mut WordFile) -> Option<Self> {
        let main = read_stream(file, "/WordDocument", MAX_STREAM_BYTES)?;
        if read_u16(&main, 0)? != FIB_MAGIC {
            return None;
        }
        let uses_first = read_u16(&main, FIB_FLAGS)? & USES_TABLE_1 != 0;
        let table = if uses_first { "/1Table" } else { "/0Table" };
        let table = read_stream(file, table, MAX_STREAM_BYTES)?;
        let data = read_stream(file, "/Data", MAX_STREAM_BYTES).unwrap_or_default();
        let main_length = read_u32(&main, MAIN_TEXT_LENGTH)?.min(MAX_CHARACTERS);
        let (pieces, pages) = Default::default();
        let mut streams = Self { main, table, data, main_length, pieces, pages };
        let text_length = streams.text_box_story().end.min(MAX_CHARACTERS);
        streams.pieces = read_pieces(streams.table_part(PIECE_TABLE)?, text_length)?;
        streams.pages = read_pages(streams.table_part(CHARACTER_PAGES)?);
        Some(streams)
    }

    /// The part of the table stream whose offset and length are at `field` of the information block.
    pub(super) fn table_part(&self, field: usize) -> Option<&[u8]> {
        let start = read_u32(&self.main, field)? as usize;
        let length = read_u32(&self.main, field + 4)? as usize;
        self.table.get(start..start.checked_add(length)?)
    }

    /// The range of the text in shapes, counted from the first character of the main text.
    pub(super) fn text_box_story(&self) -> Range<u32> {
        let length = |at| read_u32(&self.main, at).unwrap_or(0);
        let others = OTHER_TEXT_LENGTHS.iter().map(|at| length(*at));
        let start = others.fold(self.main_length, u32::saturating_add);
        start..start.saturating_add(length(TEXT_BOX_LENGTH))
    }

    /// The text of a range of characters of any story.
    pub(super) fn read_text(&self, range: Range<u32>) -> String {
        let mut text = String::new();
        let before = self.pieces.partition_point(|piece| piece.characters.1 <= range.start);
        let touching =
            self.pieces[before..].iter().take_while(|piece| piece.characters.0 < range.end);
        for piece in touching {
            let (first, end) =
                (piece.characters.0.max(range.start), piece.characters.1.min(range.end));
            if first >= end {
                continue;
            }
            let start = piece.start + (first - piece.characters.0) as usize * piece.width;
            let bytes = self.main.get(start..).unwrap_or_default();
            let bytes = &bytes[..bytes.len().min((end - first) as usize * piece.width)];
            let encoding =
                if piece.width == 1 { encoding_rs::WINDOWS_1252 } else { encoding_rs::UTF_16LE };
            text.push_str(&encoding.decode_without_bom_handling(bytes).0);
        }
        text
    }

    /// The characters of the main text whose code is one of `codes`, in the order of the text; `None` if there are
    /// more than any file has.
    pub(super) fn find_characters(&self, codes: &[u16]) -> Option<Vec<Character>> {
        let mut found = Vec::new();
        // Pieces that overlap would cause the same bytes to be examined again and again.
        let mut left = self.main.len();
        for piece in &self.pieces {
            let (first, end) = piece.characters;
            let count = end.min(self.main_length).saturating_sub(first) as usize;
            let bytes = self.main.get(piece.start..).unwrap_or_default();
            let bytes = &bytes[..bytes.len().min(count * piece.width)];
            left = left.checked_sub(bytes.len())?;
            for (position, unit) in (first..).zip(bytes.chunks_exact(piece.width)) {
                let code = u16::from(unit[0]) | unit.get(1).map_or(0, |high| u16::from(*high) << 8);
                if codes.contains(&code) {
                    let offset = piece.start + (position - first) as usize * piece.width;
                    found.push(Character { position, offset, width: piece.width, code });
                }
            }
            if found.len() > MAX_FOUND {
                return None;
            }
        }
        Some(found)
    }

    /// The properties that are set on the run of the character at this byte of the main stream.
    pub(super) fn read_properties(&self, offset: usize) -> CharacterProperties {
        self.find_run(offset).map(apply_modifiers).unwrap_or_default()
    }

    /// Calls `visit` with the bytes and the modifiers of each run that has modifiers.
    pub(super) fn visit_runs(&self, visit: &mut dyn FnMut(Range<usize>, &[u8])) {
        // A hostile list can name each page many times.
        for (_, page) in self.pages.iter().take(self.main.len() / PAGE_BYTES) {
            let Some(start) = page.checked_mul(PAGE_BYTES) else { continue };
            let page = self.main.get(start..).and_then(|rest| rest.first_chunk::<PAGE_BYTES>());
            let Some(page) = page else { continue };
            let runs = usize::from(page[PAGE_BYTES - 1]);
            for run in 0..runs {
                let bound = |at: usize| read_u32(page, at * 4).map(|bound| bound as usize);
                let word = page.get((runs + 1) * 4 + run).map_or(0, |word| usize::from(*word) * 2);
                let length =
                    if word == 0 { 0 } else { page.get(word).map_or(0, |byte| (*byte).into()) };
                let modifiers = page.get(word + 1..word + 1 + length).unwrap_or_default();
                if let (Some(from), Some(to), false) =
                    (bound(run), bound(run + 1), modifiers.is_empty())
                {
                    visit(from..to, modifiers);
                }
            }
        }
    }

    /// The characters of the main text within ranges of bytes, which are in order; in the order of the text, each with the
    /// index of its range. `None` if pieces or ranges overlap so much that there are more than any file has.
    pub(super) fn characters_in(&self, ranges: &[Range<usize>]) -> Option<Vec<(usize, Character)>> {
        let (mut found, mut visits) = (Vec::new(), 0);
        let mut left = self.main.len();
        for piece in &self.pieces {
            let (first, end) = piece.characters;
            let count = end.min(self.main_length).saturating_sub(first) as usize;
            let bytes =
                piece.start..piece.start.saturating_add(count * piece.width).min(self.main.len());
            left = left.checked_sub(bytes.len())?;
            // Runs of a file do not overlap; the one before the first that begins in the piece may reach into it.
            let before =
                ranges.partition_point(|range| range.start < bytes.start).saturating_sub(1);
            let touching = ranges.iter().enumerate().skip(before);
            let mut reached = bytes.start;
            for (index, range) in touching.take_while(|(_, range)| range.start < bytes.end) {
                let start = range.start.max(reached) - piece.start;
                let start = piece.start + start.next_multiple_of(piece.width);
                reached = range.end.min(bytes.end).max(reached);
                visits += 1;
                let units =
                    self.main.get(start..reached).unwrap_or_default().chunks_exact(piece.width);
                for (offset, unit) in (start..).step_by(piece.width).zip(units) {
                    let code =
                        u16::from(unit[0]) | unit.get(1).map_or(0, |high| u16::from(*high) << 8);
                    let position = u32::try_from((offset - piece.start) / piece.width).ok()?;
                    let position = first.saturating_add(position);
                    found.push((index, Character { position, offset, width: piece.width, code }));
                }
                if found.len() > MAX_FOUND || visits > self.main.len() {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// [MS-DOC] 2.9.33: the modifiers of the run with this byte.
    fn find_run(&self, offset: usize) -> Option<&[u8]> {
        let offset = u32::try_from(offset).ok()?;
        let index = self.pages.partition_point(|(first, _)| *first <= offset).checked_sub(1)?;
        let start = self.pages[index].1.checked_mul(PAGE_BYTES)?;
        let page = self.main.get(start..start.checked_add(PAGE_BYTES)?)?;
        let runs = usize::from(page[PAGE_BYTES - 1]);
        let run = (0..runs).find(|run| {
            let bound = |at: usize| read_u32(page, at * 4).unwrap_or(0);
            bound(*run) <= offset && offset < bound(run + 1)
        })?;
        let word = usize::from(*page.get((runs + 1) * 4 + run)?) * 2;
        if word == 0 {
            // The run has no modifiers.
            return None;
        }
        let length = usize::from(*page.get(word)?);
        page.get(word + 1..word + 1 + length)
    }

    /// Writes the main stream back.
    pub(super) fn write_main(&self, file: &mut WordFile) -> std::io::Result<()> {
        let mut stream = file.open_stream("/WordDocument")?;
        stream.seek(SeekFrom::Start(0))?;
        stream.write_all(&self.main)?;
        stream.flush()
    }
}

/// [MS-DOC] 2.9.38: the pieces of the first `text_length` characters.
fn read_pieces(table: &[u8], text_length: u32) -> Option<Vec<TextPiece>> {
    /// Marks of the two parts of the table, and a bit of an offset.
    const MODIFIERS: u8 = 1;
    const PIECES: u8 = 2;
    const IS_COMPRESSED: u32 = 0x4000_0000;
    let mut at = 0;
    while *table.get(at)? == MODIFIERS {
        at += 3 + usize::from(read_u16(table, at + 1)?);
    }
    if table[at] != PIECES {
        return None;
    }
    let list = table.get(at + 5..)?;
    let list = list.get(..read_u32(table, at + 1)? as usize)?;
    // A bound of four bytes for each piece and one more, then a descriptor of eight bytes for each.
    let count = list.len().checked_sub(4)? / 12;
    let mut pieces = Vec::new();
    for index in 0..count {
        let first = read_u32(list, index * 4)?;
        let end = read_u32(list, (index + 1) * 4)?.min(text_length);
        let offset = read_u32(list, (count + 1) * 4 + index * 8 + 2)?;
        // Pieces are in the order of the text; one that overlaps the last one would repeat text.
        if first >= end || pieces.last().is_some_and(|last: &TextPiece| last.characters.1 > first) {
            continue;
        }
        let is_compressed = offset & IS_COMPRESSED != 0;
        let start = (offset & !(IS_COMPRESSED | 0x8000_0000)) as usize;
        let (start, width) = if is_compressed { (start / 2, 1) } else { (start, 2) };
        pieces.push(TextPiece { characters: (first, end), start, width });
    }
    Some(pieces)
}

/// [MS-DOC] 2.8.5: the pages of formatted runs.
fn read_pages(list: &[u8]) -> Vec<(u32, usize)> {
    /// The bits of a page number.
    const PAGE_NUMBER: u32 = 0x003F_FFFF;
    let count = list.len().saturating_sub(4) / 8;
    let page = |index: usize| {
        let first = read_u32(list, index * 4)?;
        let page = read_u32(list, (count + 1) * 4 + index * 4)? & PAGE_NUMBER;
        Some((first, page as usize))
    };
    let mut pages: Vec<(u32, usize)> = (0..count).filter_map(page).collect();
    pages.sort_unstable();
    pages
}

/// [MS-DOC] 2.6.1: reads the modifiers of a run.
fn apply_modifiers(mut modifiers: &[u8]) -> CharacterProperties {
    const DELETED: u16 = 0x0800;
    const FORM: u16 = 0x0806;
    const OBJECT: u16 = 0x080A;
    const HIDDEN: u16 = 0x083C;
    const SPECIAL: u16 = 0x0855;
    const EMBEDDED: u16 = 0x0856;
    const LOCATION: u16 = 0x6A03;
    let mut properties = CharacterProperties::default();
    while let Some(modifier) = read_u16(modifiers, 0) {
        let Some(operand) = read_operand(modifier, &modifiers[2..]) else { break };
        let is_on = operand.first().is_some_and(|value| value & 1 != 0);
        match modifier {
            DELETED | HIDDEN => properties.is_left_out |= is_on,
            FORM => properties.is_form = is_on,
            OBJECT | EMBEDDED => properties.is_object |= is_on,
            SPECIAL => properties.is_special = is_on,
            LOCATION => {
                properties.location = read_u32(operand, 0);
                properties.is_special = true;
            }
            _ => {}
        }
        modifiers = &modifiers[2 + operand.len()..];
    }
    properties
}

/// The operand of a modifier; operands of variable length include the count before them.
pub(super) fn read_operand(modifier: u16, rest: &[u8]) -> Option<&[u8]> {
    let length = match modifier >> 13 {
        0 | 1 => 1,
        2 | 4 | 5 => 2,
        3 => 4,
        7 => 3,
        _ => 1 + usize::from(*rest.first()?),
    };
    rest.get(..length)
}
