//! Files of Word 97 made by hand: streams with a piece table, formatted runs and objects.

use std::io::{Cursor, Write};

use super::objects::{MarkedObject, MarkedObjects, mark_objects};
use super::*;

/// Where the text begins in the main stream; its page of runs is after it.
const TEXT_START: usize = 0x400;
const PAGE: usize = 3;

/// The main stream of a text of single bytes, with the modifiers of some of its characters, and the table stream.
fn streams(text: &[u8], modifiers: &[(usize, Vec<u8>)]) -> (Vec<u8>, Vec<u8>) {
    let mut main = vec![0; (PAGE + 1) * 512];
    let length = u32::try_from(text.len()).expect("short");
    main[..2].copy_from_slice(&0xA5ECu16.to_le_bytes());
    main[0x4C..0x50].copy_from_slice(&length.to_le_bytes());
    main[TEXT_START..TEXT_START + text.len()].copy_from_slice(text);
    // One run for each character.
    let start = u32::try_from(TEXT_START).expect("short");
    let page = &mut main[PAGE * 512..];
    for run in 0..=length {
        let at = run as usize * 4;
        page[at..at + 4].copy_from_slice(&(start + run).to_le_bytes());
    }
    let mut free = 508;
    for (character, modifiers) in modifiers {
        free = (free - modifiers.len() - 1) & !1;
        page[(text.len() + 1) * 4 + character] = u8::try_from(free / 2).expect("in the page");
        page[free] = u8::try_from(modifiers.len()).expect("short");
        page[free + 1..free + 1 + modifiers.len()].copy_from_slice(modifiers);
    }
    page[511] = u8::try_from(text.len()).expect("short");
    let mut table = Vec::new();
    let mut add_part = |field: usize, part: &[u8]| {
        for (at, value) in [(field, table.len()), (field + 4, part.len())] {
            let value = u32::try_from(value).expect("short").to_le_bytes();
            main[at..at + 4].copy_from_slice(&value);
        }
        table.extend(part);
    };
    let mut pieces = vec![2];
    for value in [16, 0, length] {
        pieces.extend(value.to_le_bytes());
    }
    pieces.extend([0, 0]);
    pieces.extend((0x4000_0000 | (start * 2)).to_le_bytes());
    pieces.extend([0, 0]);
    add_part(0x1A2, &pieces);
    let runs = [start, start + length, u32::try_from(PAGE).expect("short")];
    add_part(0xFA, &runs.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
    (main, table)
}

fn compound_file(streams: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).expect("in memory");
    for (path, content) in streams {
        if let Some((storage, _)) = path.rsplit_once('/').filter(|(storage, _)| !storage.is_empty())
        {
            file.create_storage_all(storage).expect("a storage");
        }
        file.create_stream(path).expect("a stream").write_all(content).expect("written");
    }
    file.into_inner().into_inner()
}

/// The modifiers of a picture at `location`; of an object if `is_object`.
fn special(location: u32, is_object: bool) -> Vec<u8> {
    let mut modifiers = [&[0x03, 0x6A][..], &location.to_le_bytes(), &[0x55, 0x08, 1]].concat();
    if is_object {
        modifiers.extend([0x0A, 0x08, 1]);
    }
    modifiers
}

/// A picture of the data stream: a header, and a record of Office with a PNG.
fn picture(png: &[u8]) -> Vec<u8> {
    let mut content = vec![0; 17];
    content.extend(png);
    let mut record = vec![0, 0x6E, 0x1E, 0xF0];
    record.extend(u32::try_from(content.len()).expect("short").to_le_bytes());
    record.extend(content);
    let length = u32::try_from(0x44 + record.len()).expect("short");
    let mut picture = [&length.to_le_bytes()[..], &[0x44, 0, 0x64, 0]].concat();
    picture.resize(0x44, 0);
    picture.extend(record);
    picture
}

/// The stream of an equation object whose formula is `x`, or one that cannot be read.
fn equation(is_readable: bool) -> Vec<u8> {
    let mut stream = vec![0; 28];
    stream[0] = 28;
    stream.extend([3, 1, 1, 3, 10, 10]);
    stream.extend(if is_readable { &[1, 2, 131, b'x', 0, 0, 0][..] } else { &[99, 99] });
    stream
}

fn mark(
    text: &[u8],
    modifiers: &[(usize, Vec<u8>)],
    others: Vec<(&str, Vec<u8>)>,
) -> Option<(Vec<u8>, MarkedObjects)> {
    let (main, table) = streams(text, modifiers);
    let mut all = vec![("/WordDocument", main), ("/0Table", table)];
    all.extend(others);
    mark_objects(&compound_file(&all), true)
}

#[test]
fn pictures_and_equations_are_read_and_their_places_marked() {
    let png = b"\x89PNG\r\n\x1a\n and the rest of it";
    // A picture, a formula in a field, a deleted picture, a sign of the text, an equation that cannot be read.
    let text = b"a\x01b \x13 EMBED\x14\x01\x15 \x01 \xa4 \x13E\x14\x01\x15\r";
    let at = |code: u8, nth: usize| {
        let found = text.iter().enumerate().filter(|(_, byte)| **byte == code);
        found.map(|(index, _)| index).nth(nth).expect("in the text")
    };
    let deleted = [&special(0, false)[..], &[0x00, 0x08, 1]].concat();
    let modifiers = [
        (at(1, 0), special(0, false)),
        (at(0x14, 0), special(11, true)),
        (at(1, 1), special(0, false)),
        (at(1, 2), deleted),
        (at(0x14, 1), special(12, true)),
        (at(1, 3), special(0, false)),
    ];
    let others = vec![
        ("/Data", picture(png)),
        ("/ObjectPool/_11/Equation Native", equation(true)),
        ("/ObjectPool/_12/Equation Native", equation(false)),
    ];
    let (marked_file, marked) = mark(text, &modifiers, others).expect("has objects");
    let media = |object: &MarkedObject| match object {
        MarkedObject::Figure(drawing) | MarkedObject::UnreadEquation(drawing) => {
            drawing.media.iter().map(|name| marked.pictures[name].as_slice()).collect()
        }
        _ => Vec::new(),
    };
    let [first, second, third, fourth] = &marked.objects[..] else {
        panic!("four objects: {:?}", marked.objects)
    };
    assert!(matches!(first, MarkedObject::Figure(_)));
    assert_eq!(media(first), [&png[..]]);
    assert_eq!(*second, MarkedObject::Formula("x".to_owned()));
    assert_eq!(*third, MarkedObject::Sign);
    assert!(matches!(fourth, MarkedObject::UnreadEquation(_)));
    assert_eq!(media(fourth), [&png[..]]);
    let mut file = binary::WordFile::open(Cursor::new(marked_file)).expect("a compound file");
    let main = binary::read_stream(&mut file, "/WordDocument", 1 << 20).expect("a stream");
    let expected = b"a\xa4b \x13 EMBED\x14\xa4\x15 \x01 \xa4 \x13E\x14\xa4\x15\r";
    assert_eq!(&main[TEXT_START..TEXT_START + text.len()], expected);
}

/// A table of fonts.
fn font_table(names: &[&str]) -> Vec<u8> {
    let mut table = vec![u8::try_from(names.len()).expect("short"), 0, 0, 0];
    for name in names {
        let mut font = vec![0; 39];
        font.extend(name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        table.push(u8::try_from(font.len()).expect("short"));
        table.extend(font);
    }
    table
}

#[test]
fn characters_of_symbol_fonts_are_marked_with_the_signs_they_draw() {
    let ascii = |font: u8| vec![0x4F, 0x4A, font, 0];
    let other = |font: u8| vec![0x51, 0x4A, font, 0];
    let inserted = |font: u8, code: u8| vec![0x09, 0x6A, font, 0, code, 0xF0, 0x55, 0x08, 1];
    let text = b"3 ms (\xc5a\x13m\x14m\x15 m\r";
    let modifiers = [
        (2, ascii(1)),
        (5, inserted(2, 0xE0)),
        (6, other(1)),
        (7, other(1)),
        (9, ascii(1)),
        (11, ascii(1)),
        (14, ascii(3)),
    ];
    let (mut main, mut table) = streams(text, &modifiers);
    let fonts = font_table(&["Arial", "Symbol", "Wingdings", "MT Extra"]);
    for (field, value) in [(0x112, table.len()), (0x116, fonts.len())] {
        main[field..field + 4].copy_from_slice(&u32::try_from(value).expect("short").to_le_bytes());
    }
    table.extend(fonts);
    let file = compound_file(&[("/WordDocument", main), ("/0Table", table)]);
    let (_, marked) = mark_objects(&file, true).expect("symbols");
    let signs: Vec<MarkedObject> = ['\u{3bc}', '\u{2192}', '\u{2295}', '\u{3bc}', '\u{2213}']
        .map(MarkedObject::Symbol)
        .to_vec();
    assert_eq!(marked.objects, signs);
    assert!(mark_objects(&file, false).is_none());
}

#[test]
fn files_without_objects_and_damaged_ones_are_left_as_they_are() {
    assert!(mark(b"only text\r", &[], Vec::new()).is_none());
    assert!(mark(b"a sign \xa4\r", &[], Vec::new()).is_none());
    assert!(mark_objects(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", true).is_none());
    // A picture beyond the end of the data stream, and runs beyond the end of the main stream.
    assert!(mark(b"\x01\r", &[(0, special(1 << 30, false))], Vec::new()).is_none());
    let (main, table) = streams(b"\x01\r", &[(0, special(0, false))]);
    for length in (0..main.len()).step_by(61) {
        let cut = compound_file(&[
            ("/WordDocument", main[..length].to_vec()),
            ("/0Table", table.clone()),
        ]);
        assert!(mark_objects(&cut, true).is_none());
    }
}

#[test]
fn what_is_no_compound_file_is_an_error() {
    for bytes in [&b""[..], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &[0x41; 2000]] {
        assert!(read_doc(bytes.to_vec(), "x.doc", true).is_err());
    }
}

/// `tests/fixtures/shapes/shapes.doc`, made from the file beside it by LibreOffice 7.4: a group of shapes, one in a
/// group within it, two of them turned, and a single box.
const SHAPES: &[u8] = include_bytes!("../../../../tests/fixtures/shapes/shapes.doc");

#[test]
fn shapes_drawn_over_the_text_are_figures_with_their_words() {
    let document = read_doc(SHAPES.to_vec(), "shapes.doc", true).expect("a document");
    let figures: Vec<_> = document.sections.iter().flat_map(|section| &section.figures).collect();
    let [group, single] = &figures[..] else { panic!("two figures: {figures:?}") };
    assert_eq!(group.caption.as_deref(), Some("Figure 4-1: A group"));
    assert_eq!(group.labels, ["gNB-CU", "UE", "inner", "turned", "turned"]);
    assert_eq!(single.labels, ["single box"]);
    for (figure, areas) in [(group, 6), (single, 1)] {
        assert_eq!(figure.kind, document::FigureKind::Shapes);
        assert_eq!(figure.faults, Vec::<String>::new());
        let svg = figure.picture.as_ref().and_then(|picture| picture.svg.as_ref()).expect("drawn");
        assert_eq!(svg.matches("fill=\"#dae8fc\"").count(), areas, "{svg}");
    }
}

#[test]
fn damage_in_drawings_of_a_file_is_no_panic() {
    let mut state = 7;
    let mut random =
        |below: usize| (splitmix64::next_splitmix64(&mut state) % below as u64) as usize;
    for _ in 0..300 {
        let mut bytes = SHAPES.to_vec();
        for _ in 0..4 {
            let at = random(bytes.len());
            bytes[at] ^= 1 << random(8);
        }
        drop(read_doc(bytes, "shapes.doc", true));
    }
}
