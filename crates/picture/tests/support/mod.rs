//! Pictures of our own: one box, one line, two words, in each format.

#![allow(dead_code, reason = "each test program uses some of these")]

fn words(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn record(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut record = kind.to_le_bytes().to_vec();
    record.extend((8 + body.len() as u32).to_le_bytes());
    record.extend(body);
    record
}

fn emf_text(x: i32, y: i32, text: &str, advances: &[i32]) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let count = units.len();
    let text_bytes = (2 * count).next_multiple_of(4);
    let mut body = words(&[0, 0, -1, -1, 1, 0, 0, x, y, count as i32, 76, 0, 0, 0, -1, -1]);
    body.extend(words(&[76 + text_bytes as i32]));
    let text: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    body.extend(&text);
    body.resize(68 + text_bytes, 0);
    body.extend(words(advances));
    record(84, &body)
}

/// Records of a font of 20 units, which is selected.
fn emf_font() -> Vec<u8> {
    let mut body = words(&[1, -20, 0, 0, 0, 400]);
    body.extend([0; 8]);
    let mut name: Vec<u8> = "Arial".encode_utf16().flat_map(u16::to_le_bytes).collect();
    name.resize(64, 0);
    body.extend(name);
    let mut records = record(82, &body);
    records.extend(record(37, &words(&[1])));
    records
}

/// An enhanced metafile of 200 by 100 units: a red box with an edge, a dashed line, "Con" and
/// "sumer" close together, "AMF" apart.
pub(crate) fn emf() -> Vec<u8> {
    let records = [
        record(18, &words(&[1])),
        record(22, &words(&[24])),
        record(39, &words(&[2, 0, 0x0000_00ff, 0])),
        record(37, &words(&[2])),
        record(43, &words(&[10, 10, 90, 60])),
        record(38, &words(&[3, 1, 2, 0, 0x00ff_0000])),
        record(37, &words(&[3])),
        record(27, &words(&[100, 80])),
        record(54, &words(&[190, 80])),
        emf_font(),
        emf_text(20, 40, "Con", &[14, 11, 11]),
        emf_text(56, 40, "sumer", &[10, 11, 17, 11, 7]),
        emf_text(130, 40, "AMF", &[13, 17, 0]),
        record(14, &words(&[0, 16, 20])),
    ]
    .concat();
    emf_of(&records)
}

/// A half-transparent red box of 80 by 50 units at (10, 10), in the steps that GDI+ writes.
pub(crate) fn emf_translucent() -> Vec<u8> {
    let mut inverts = words(&[0, 0, 200, 100, 0, 0, 200, 100, 0x005a_0049, 0, 0]);
    inverts.resize(92, 0);
    // Two colours and every second bit.
    let mut pattern = words(&[3, 0, 32, 48, 80, 32, 40, 8, 8]);
    pattern.extend([1, 0, 1, 0]);
    pattern.extend(words(&[0, 32, 0, 0, 2, 2, 0x0000_0000, 0x00ff_ffff]));
    pattern.extend((0..8).flat_map(|row| [if row % 2 == 0 { 0x55 } else { 0xaa }, 0, 0, 0]));
    let records = [
        record(38, &words(&[4, 5, 0, 0, 0])),
        record(37, &words(&[4])),
        record(39, &words(&[2, 0, 0x0000_00ff, 0])),
        record(37, &words(&[2])),
        record(76, &inverts),
        record(20, &words(&[9])),
        record(93, &pattern),
        record(37, &words(&[3])),
        record(43, &words(&[10, 10, 90, 60])),
        record(37, &words(&[2])),
        record(20, &words(&[13])),
        record(76, &inverts),
        record(14, &words(&[0, 16, 20])),
    ]
    .concat();
    emf_of(&records)
}

/// Records after a header of 200 by 100 units.
fn emf_of(records: &[u8]) -> Vec<u8> {
    let mut header = words(&[0, 0, 200, 100, 0, 0, 20_000, 10_000]);
    header.extend(b" EMF");
    header.extend(words(&[0x1_0000, 108 + records.len() as i32, 15]));
    header.extend([4, 0, 0, 0]);
    // A device of one unit in a millimetre.
    header.extend(words(&[0, 0, 0, 200, 100, 200, 100, 0, 0, 0, 200_000, 100_000]));
    let mut file = record(1, &header);
    file.extend(records);
    file
}

fn plus_record(kind: u16, flags: u16, data: &[u8]) -> Vec<u8> {
    let mut record = kind.to_le_bytes().to_vec();
    record.extend(flags.to_le_bytes());
    record.extend((12 + data.len() as u32).to_le_bytes());
    record.extend((data.len() as u32).to_le_bytes());
    record.extend(data);
    record
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn plus_comment(records: &[Vec<u8>]) -> Vec<u8> {
    let records = records.concat();
    let mut body = words(&[4 + records.len() as i32]);
    body.extend(b"EMF+");
    body.extend(records);
    record(70, &body)
}

/// The same size in EMF+ records alone: a blue box under a transformation, "gNB" by them, and "GDI"
/// by GDI records after a GetDC.
pub(crate) fn emf_plus() -> Vec<u8> {
    let mut font = words(&[0]);
    font.extend(floats(&[20.0]));
    font.extend(words(&[2, 0, 0, 5]));
    font.extend("Arial".encode_utf16().flat_map(u16::to_le_bytes));
    font.extend([0, 0]);
    let mut fill = vec![0xff, 0, 0, 0xff];
    fill.extend(words(&[1]));
    fill.extend(floats(&[10.0, 10.0, 40.0, 20.0]));
    let mut string = vec![0, 0, 0, 0xff];
    string.extend(words(&[0xff, 3]));
    string.extend(floats(&[120.0, 10.0, 70.0, 30.0]));
    string.extend("gNB".encode_utf16().flat_map(u16::to_le_bytes));
    string.extend([0, 0]);
    let plus = [
        plus_record(0x4001, 0, &words(&[0, 0, 96, 96])),
        plus_record(0x402a, 0, &floats(&[2.0, 0.0, 0.0, 2.0, 0.0, 0.0])),
        plus_record(0x400a, 0x8000, &fill),
        plus_record(0x402b, 0, &[]),
        plus_record(0x4008, 0x0601, &font),
        plus_record(0x401c, 0x8001, &string),
        plus_record(0x4004, 0, &[]),
    ];
    let gdi = [record(18, &words(&[1])), record(22, &words(&[24])), emf_font()].concat();
    let text = emf_text(130, 90, "GDI", &[15, 14, 0]);
    let end = record(14, &words(&[0, 16, 20]));
    emf_of(&[plus_comment(&plus), gdi, text, end].concat())
}

/// A file that has its picture twice: as an EMF+ image that is [`emf`] at half its size in the
/// lower right, and as a green box of GDI that must not be drawn.
pub(crate) fn emf_with_metafile() -> Vec<u8> {
    let inner = emf();
    let mut image = words(&[0, 2, 3, inner.len() as i32]);
    image.extend(inner);
    let mut drawn_image = words(&[0, 2]);
    drawn_image.extend(floats(&[0.0, 0.0, 200.0, 100.0]));
    drawn_image.extend(words(&[3]));
    drawn_image.extend(floats(&[0.0, 0.0, 200.0, 0.0, 0.0, 100.0]));
    let plus = [
        plus_record(0x4001, 1, &words(&[0, 0, 96, 96])),
        plus_record(0x402a, 0, &floats(&[0.5, 0.0, 0.0, 0.5, 100.0, 50.0])),
        plus_record(0x4008, 0x0501, &image),
        plus_record(0x401b, 0x0001, &drawn_image),
    ];
    let gdi = [
        record(39, &words(&[2, 0, 0x0000_ff00, 0])),
        record(37, &words(&[2])),
        record(43, &words(&[0, 0, 200, 100])),
        record(14, &words(&[0, 16, 20])),
    ];
    emf_of(&[plus_comment(&plus), gdi.concat()].concat())
}

/// A red box of the whole picture in units that are half as large, under a clip that is given in
/// the units of the device, once before they change and once after.
pub(crate) fn emf_clipped_twice() -> Vec<u8> {
    let clip = || record(30, &words(&[0, 0, 200, 100]));
    let records = [
        clip(),
        record(35, &floats(&[0.5, 0.0, 0.0, 0.5, 0.0, 0.0])),
        clip(),
        record(39, &words(&[2, 0, 0x0000_00ff, 0])),
        record(37, &words(&[2])),
        record(43, &words(&[0, 0, 400, 200])),
        record(14, &words(&[0, 16, 20])),
    ]
    .concat();
    emf_of(&records)
}

fn wmf_record(kind: u16, parameters: &[i16]) -> Vec<u8> {
    let mut record = (3 + parameters.len() as u32).to_le_bytes().to_vec();
    record.extend(kind.to_le_bytes());
    record.extend(parameters.iter().flat_map(|parameter| parameter.to_le_bytes()));
    record
}

/// A placeable metafile of 200 by 100 units: a box, and "Bit 8".
pub(crate) fn wmf() -> Vec<u8> {
    let records = [
        wmf_record(0x020b, &[0, 0]),
        wmf_record(0x020c, &[100, 200]),
        wmf_record(0x0102, &[1]),
        wmf_record(0x012e, &[24]),
        wmf_record(0x02fc, &[0, 0xff, 0, 0]),
        wmf_record(0x012d, &[0]),
        wmf_record(0x041b, &[60, 90, 10, 10]),
        wmf_record(0x02fb, &[-20, 0, 0, 0, 400, 0, 0, 0, 0, 0x7241, 0x6169, 0x006c]),
        wmf_record(0x012d, &[1]),
        wmf_record(0x0521, &[5, 0x6942, 0x2074, 0x0038, 40, 110]),
        wmf_record(0, &[]),
    ]
    .concat();
    let mut file = vec![0xd7, 0xcd, 0xc6, 0x9a, 0, 0];
    file.extend([0_i16, 0, 200, 100, 96].iter().flat_map(|number| number.to_le_bytes()));
    file.extend([0; 6]);
    file.extend([1, 0, 9, 0, 0, 3]);
    file.extend((9 + records.len() as u32 / 2).to_le_bytes());
    file.extend([2, 0, 12, 0, 0, 0, 0, 0]);
    file.extend(records);
    file
}

fn wmf_bytes(kind: u16, bytes: &[u8]) -> Vec<u8> {
    let mut record = (3 + bytes.len().div_ceil(2) as u32).to_le_bytes().to_vec();
    record.extend(kind.to_le_bytes());
    record.extend(bytes);
    record.resize(record.len().next_multiple_of(2), 0);
    record
}

/// A comment of a program: MFCOMMENT, its length, its bytes.
fn wmf_comment(content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![15, 0];
    bytes.extend((content.len() as u16).to_le_bytes());
    bytes.extend(content);
    wmf_bytes(0x0626, &bytes)
}

fn wmf_font(em: i16, is_italic: bool, char_set: u8, name: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        [-em, 0, 0, 0, 400].iter().flat_map(|field: &i16| field.to_le_bytes()).collect();
    bytes.extend([u8::from(is_italic), 0, 0, char_set, 0, 0, 0, 0x10]);
    bytes.extend(name.as_bytes());
    bytes.push(0);
    wmf_bytes(0x02fb, &bytes)
}

fn wmf_text(text: &[u8], x: i16, y: i16) -> Vec<u8> {
    let fields = [y, x, text.len() as i16, 0];
    let mut bytes: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
    bytes.extend(text);
    wmf_bytes(0x0a32, &bytes)
}

/// The picture of an equation object: a letter with a subscript, and a fraction of a Greek letter. `source` is the
/// equation that MathType adds.
pub(crate) fn wmf_equation(source: Option<&[u8]>, others: &[Vec<u8>]) -> Vec<u8> {
    let mut records = vec![
        wmf_record(0x012e, &[24, 0]),
        wmf_record(0x020c, &[640, 1440]),
        wmf_comment(b"MathType\0\0P\0"),
        wmf_font(320, true, 0, "Times New Roman"),
        wmf_record(0x012d, &[0]),
        wmf_text(b"N", 49, 420),
        wmf_font(224, false, 0, "Times New Roman"),
        wmf_record(0x012d, &[1]),
        wmf_record(0x01f0, &[0]),
        wmf_text(b"RB", 280, 500),
        // The font takes the number of the one that was deleted.
        wmf_font(320, false, 2, "Symbol"),
        wmf_record(0x012d, &[0]),
        wmf_text(b"=", 640, 420),
        wmf_text(b"m", 940, 300),
        wmf_text(b"D", 930, 620),
        wmf_record(0x0214, &[340, 900]),
        wmf_record(0x0213, &[340, 1160]),
    ];
    records.extend(others.iter().cloned());
    if let Some(source) = source {
        let mut comment = b"AppsMFCC\x01\0".to_vec();
        let text = [b"Design Science, Inc.\0", source].concat();
        comment.extend((text.len() as u32).to_le_bytes());
        comment.extend((text.len() as u32).to_le_bytes());
        records.push(wmf_comment(&[comment, text].concat()));
    }
    records.push(wmf_record(0, &[]));
    let mut file = vec![1, 0, 9, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0];
    file.extend(records.concat());
    file
}

/// A rectangle, which no equation has.
pub(crate) fn wmf_rectangle() -> Vec<u8> {
    wmf_record(0x041b, &[60, 90, 10, 10])
}

/// A PNG of 40 by 20 pixels, the left half red.
pub(crate) fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 40, 20);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    let pixels = (0..800).flat_map(|index| if index % 40 < 20 { [255, 0, 0] } else { [255; 3] });
    writer.write_image_data(&pixels.collect::<Vec<u8>>()).expect("pixels");
    writer.finish().expect("an end");
    bytes
}
