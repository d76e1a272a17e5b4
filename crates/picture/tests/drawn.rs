//! The pixels and the labels of drawn pictures.

mod support;

use picture::{
    DrawError, DrawOptions, DrawnPicture, MAX_STACKED_PICTURES, PictureCrop, PictureFormat,
    draw_picture, draw_stacked_pictures,
};
use support::{emf, emf_clipped_twice, emf_plus, emf_translucent, emf_with_metafile, png, wmf};

fn drawn(bytes: &[u8]) -> DrawnPicture {
    draw_picture(bytes, &DrawOptions::default()).expect("it is drawn")
}

fn texts(drawn: &DrawnPicture) -> Vec<&str> {
    drawn.labels.iter().map(|label| label.text.as_str()).collect()
}

/// The colour at a point of the picture, as shares of its width and height.
fn color(drawn: &DrawnPicture, x: f32, y: f32) -> [u8; 3] {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(&drawn.png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    let samples = info.color_type.samples();
    let column = (x * drawn.width as f32) as usize;
    let row = (y * drawn.height as f32) as usize;
    let at = (row * drawn.width as usize + column) * samples;
    match samples {
        1 => [pixels[at]; 3],
        _ => [pixels[at], pixels[at + 1], pixels[at + 2]],
    }
}

#[test]
fn an_enhanced_metafile_is_drawn_in_its_frame_with_its_words() {
    let drawn = drawn(&emf());
    assert_eq!((drawn.format, drawn.width, drawn.height), (PictureFormat::Emf, 1200, 600));
    assert_eq!(color(&drawn, 0.1, 0.2), [255, 0, 0]);
    assert_eq!(color(&drawn, 0.7, 0.1), [255, 255, 255]);
    assert_eq!(texts(&drawn), ["Consumer", "AMF"]);
    let label = &drawn.labels[1];
    assert!((label.x - 0.65).abs() < 0.01 && (label.y - 0.4).abs() < 0.01, "{label:?}");
}

#[test]
fn a_translucent_colour_is_mixed_with_what_is_below() {
    let drawn = drawn(&emf_translucent());
    let [red, green, blue] = color(&drawn, 0.2, 0.3);
    assert!(red == 255 && (120..136).contains(&green) && green == blue, "{red} {green} {blue}");
    assert_eq!(color(&drawn, 0.7, 0.3), [255, 255, 255]);
}

#[test]
fn a_nested_metafile_is_drawn_at_its_position_with_its_words() {
    let drawn = drawn(&emf_with_metafile());
    // A tenth and a fifth of the lower right quarter.
    assert_eq!(color(&drawn, 0.55, 0.6), [255, 0, 0]);
    assert_eq!(color(&drawn, 0.1, 0.2), [255, 255, 255]);
    assert_eq!(texts(&drawn), ["Consumer", "AMF"]);
    let label = &drawn.labels[1];
    assert!((label.x - 0.825).abs() < 0.01 && (label.y - 0.7).abs() < 0.01, "{label:?}");
}

#[test]
fn a_clip_that_is_given_twice_cuts_once() {
    let drawn = drawn(&emf_clipped_twice());
    assert_eq!(color(&drawn, 0.9, 0.9), [255, 0, 0]);
}

#[test]
fn a_windows_metafile_is_drawn_with_its_words() {
    let drawn = drawn(&wmf());
    assert_eq!((drawn.format, drawn.width, drawn.height), (PictureFormat::Wmf, 1200, 600));
    assert_eq!(color(&drawn, 0.1, 0.2), [255, 0, 0]);
    assert_eq!(texts(&drawn), ["Bit 8"]);
}

#[test]
fn a_file_of_plus_records_alone_is_drawn_with_its_words() {
    let drawn = drawn(&emf_plus());
    assert_eq!((drawn.format, drawn.width, drawn.height), (PictureFormat::Emf, 1200, 600));
    // The box of 40 by 20 at (10, 10), twice as large by the transformation.
    assert_eq!(color(&drawn, 0.45, 0.55), [0, 0, 255]);
    assert_eq!(color(&drawn, 0.55, 0.55), [255, 255, 255]);
    assert_eq!(texts(&drawn), ["gNB", "GDI"]);
}

#[test]
fn an_svg_is_drawn_with_its_words_and_opens_no_file() {
    let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
        <image href="file:///etc/hostname" width="10" height="10"/>
        <rect x="5" y="5" width="40" height="40" fill="#ff0000"/>
        <text x="50" y="20" font-family="Arial" font-size="10">gNB-CU</text></svg>"##;
    let drawn = drawn(svg);
    assert_eq!((drawn.format, drawn.width, drawn.height), (PictureFormat::Svg, 1200, 600));
    assert_eq!(color(&drawn, 0.2, 0.5), [255, 0, 0]);
    assert_eq!(texts(&drawn), ["gNB-CU"]);
}

#[test]
fn bitmaps_keep_their_size_unless_they_are_large() {
    let small = drawn(&png());
    assert_eq!((small.format, small.width, small.height), (PictureFormat::Png, 40, 20));
    assert_eq!(color(&small, 0.2, 0.5), [255, 0, 0]);
    let large =
        draw_picture(&png(), &DrawOptions { width: 10, max_height: 10, ..DrawOptions::default() })
            .expect("it is drawn");
    assert_eq!((large.width, large.height), (10, 5));
}

#[test]
fn every_picture_left_out_of_a_stack_has_an_error() {
    let picture = png();
    let stack = |count: usize, max_height: u32| {
        let options = DrawOptions { width: 1200, max_height, ..DrawOptions::default() };
        draw_stacked_pictures(vec![(picture.as_slice(), options); count])
    };
    // Two of 20 pixels fit in three times 30, with the gap of 24 between them.
    let (drawn, errors) = stack(5, 30);
    assert_eq!(drawn.expect("two pictures").height, 64);
    assert_eq!(errors, [DrawError::TooMuch, DrawError::TooMuch, DrawError::TooMuch]);
    let (drawn, errors) = stack(MAX_STACKED_PICTURES + 1, 4000);
    assert!(drawn.is_some());
    assert_eq!(errors, [DrawError::TooMuch]);
}

#[test]
fn the_same_picture_gives_the_same_bytes() {
    assert_eq!(drawn(&emf()).png, drawn(&emf()).png);
}

#[test]
fn a_picture_that_is_not_drawn_has_a_reason() {
    let reason =
        |bytes: &[u8]| draw_picture(bytes, &DrawOptions::default()).expect_err("no picture");
    assert_eq!(reason(b"%PDF-1.7"), DrawError::UnknownFormat);
    assert_eq!(reason(b""), DrawError::UnknownFormat);
    assert_eq!(
        reason(b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>"),
        DrawError::Blank
    );
    assert!(matches!(reason(b"<svg"), DrawError::Damaged { format: "SVG", .. }));
    assert!(matches!(reason(&emf()[..60]), DrawError::Damaged { format: "EMF", .. }));
    let mut blank = emf();
    blank.truncate(108);
    assert_eq!(reason(&blank), DrawError::Blank);
}

#[test]
fn packed_pictures_are_unpacked_as_far_as_they_may_be() {
    let pack = |bytes: &[u8]| {
        use std::io::Write;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).expect("packed");
        packed.finish().expect("packed")
    };
    assert_eq!(drawn(&pack(&emf())).format, PictureFormat::Emf);
    let bomb = pack(&vec![b' '; 70 << 20]);
    assert_eq!(
        draw_picture(&bomb, &DrawOptions::default()).expect_err("too much"),
        DrawError::TooMuch
    );
}

#[test]
fn a_table_is_drawn_with_its_cells() {
    let cell = |row, column, columns, text: &str| picture::FigureCell {
        row,
        column,
        rows: 1,
        columns,
        text: text.to_owned(),
    };
    let cells = vec![cell(0, 0, 1, "R"), cell(0, 1, 1, "F"), cell(1, 0, 2, "Serving Cell ID")];
    let drawn =
        picture::draw_figure_table(&picture::FigureTable { cells }, &DrawOptions::default())
            .expect("drawn");
    assert!(drawn.width > 100 && drawn.width < 400 && drawn.height < 100, "{}", drawn.width);
    // The line between the cells above, and none in the cell below.
    let dark = |x: f32, y: f32| color(&drawn, x, y)[0] < 160;
    let across = |y: f32| (40..60).any(|percent| dark(percent as f32 / 100.0, y));
    assert!(across(0.2));
    assert!(!across(0.9));
    assert!(
        picture::draw_figure_table(&picture::FigureTable::default(), &DrawOptions::default())
            .is_none()
    );
}

#[test]
fn a_long_table_is_drawn_to_its_end_and_one_without_end_is_not() {
    let table = |rows: usize| picture::FigureTable {
        cells: (0..rows)
            .map(|row| picture::FigureCell {
                row,
                column: 0,
                rows: 1,
                columns: 1,
                text: format!("octet {row}"),
            })
            .collect(),
    };
    let options = DrawOptions { keeps_drawing: true, ..DrawOptions::default() };
    let drawn = picture::draw_figure_table(&table(290), &options).expect("drawn");
    assert!(drawn.height > 2 * options.max_height, "{}", drawn.height);
    let svg = drawn.svg.expect("a drawing");
    assert!(svg.ends_with("</svg>") && svg.len() < 200_000, "{}", svg.len());
    assert!(picture::draw_figure_table(&table(401), &options).is_none());
}

#[test]
fn a_crop_shows_its_part_of_each_format_and_says_only_the_words_in_it() {
    let crop = |left, top, right, bottom| PictureCrop { left, top, right, bottom };
    let cropped = |bytes: &[u8], crop: PictureCrop| {
        draw_picture(bytes, &DrawOptions { crop, ..DrawOptions::default() }).expect("it is drawn")
    };
    // The box is at the left, "AMF" at the right.
    let left = cropped(&emf(), crop(0, 0, 40_000, 0));
    assert_eq!((left.width, left.height), (1200, 1000));
    assert_eq!(color(&left, 0.5, 0.2), [255, 0, 0]);
    assert_eq!(texts(&left), ["Consumer"]);
    let right = cropped(&emf(), crop(60_000, 0, 0, 50_000));
    assert_eq!(texts(&right), ["AMF"]);
    assert!(!right.has_words_outside);
    let lower = cropped(&wmf(), crop(0, 50_000, 0, 0));
    assert_eq!((lower.width, lower.height), (1200, 300));
    assert_eq!(color(&lower, 0.1, 0.1), [255, 0, 0]);
    let part = cropped(&png(), crop(25_000, 0, 0, 0));
    assert_eq!((part.width, part.height), (30, 20));
    assert_eq!(color(&part, 0.2, 0.5), [255, 0, 0]);
    assert_eq!(color(&part, 0.4, 0.5), [255, 255, 255]);
    // Edges that programs round, that add a margin, or that leave nothing, show all.
    for all in [
        crop(6, 13, 6, 13),
        crop(-5000, 0, -5000, 0),
        crop(0, 0, 0, 99_976),
        crop(70_000, 0, 70_000, 0),
    ] {
        let whole = cropped(&emf(), all);
        assert_eq!((whole.width, whole.height, texts(&whole).len()), (1200, 600, 2), "{all:?}");
    }
}

#[test]
fn words_outside_a_picture_are_noticed() {
    assert!(!drawn(&emf()).has_words_outside);
    let mut narrow = emf();
    // The frame and the bounds end before "AMF".
    narrow[16..20].copy_from_slice(&100_i32.to_le_bytes());
    narrow[32..36].copy_from_slice(&10_000_i32.to_le_bytes());
    assert!(drawn(&narrow).has_words_outside);
}
