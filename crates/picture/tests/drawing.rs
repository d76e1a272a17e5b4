//! Drawings as SVG: the same pictures, with their words.

mod support;

use picture::{DrawOptions, DrawnPicture, PictureCrop, draw_picture, draw_stacked_pictures};
use support::{emf, emf_clipped_twice, emf_plus, emf_translucent, emf_with_metafile, png, wmf};

const OPTIONS: DrawOptions =
    DrawOptions { width: 1200, max_height: 4000, keeps_drawing: true, crop: PictureCrop::NONE };

fn drawn(bytes: &[u8]) -> DrawnPicture {
    draw_picture(bytes, &OPTIONS).expect("it is drawn")
}

fn svg(bytes: &[u8]) -> String {
    drawn(bytes).svg.expect("a drawing")
}

/// The grey value of each pixel of a PNG.
fn pixels(png: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut data = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut data).expect("pixels");
    let mean = |pixel: &[u8]| {
        let sum: usize = pixel.iter().map(|part| usize::from(*part)).sum();
        (sum / pixel.len()) as u8
    };
    data.chunks_exact(info.color_type.samples()).map(mean).collect()
}

/// Pixels that clearly differ between a picture and its drawing, as a share of those that are not white.
fn differing_share(picture: &DrawnPicture) -> f64 {
    let svg = picture.svg.as_ref().expect("a drawing");
    let again = draw_picture(svg.as_bytes(), &OPTIONS).expect("the SVG is drawn");
    assert_eq!((again.width, again.height), (picture.width, picture.height));
    let (one, other) = (pixels(&picture.png), pixels(&again.png));
    let differing = one.iter().zip(&other).filter(|(a, b)| a.abs_diff(**b) > 80).count();
    let painted = one.iter().filter(|value| **value < 250).count();
    differing as f64 / painted as f64
}

#[test]
fn the_svg_of_a_drawing_shows_the_same_picture() {
    let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
        <rect id="a" x="5" y="5" width="40" height="40" fill="#ff0000"/><use href="#a" x="50"/>
        <text x="50" y="20" font-family="Arial" font-size="10">gNB-CU</text></svg>"##;
    let files = [
        emf(),
        emf_clipped_twice(),
        emf_plus(),
        emf_translucent(),
        emf_with_metafile(),
        wmf(),
        svg.to_vec(),
    ];
    for (index, file) in files.iter().enumerate() {
        let share = differing_share(&drawn(file));
        assert!(share < 0.01, "file {index}: {share}");
    }
}

#[test]
fn an_svg_has_each_letter_once_and_its_words_as_text() {
    let svg = svg(&emf());
    // "Consumer" and "AMF" have eleven letters, all different.
    assert_eq!(svg.matches("<path id=\"g").count(), 11, "{svg}");
    assert_eq!(svg.matches("<use ").count(), 11, "{svg}");
    for word in [">Con</text>", ">sumer</text>", ">AMF</text>"] {
        assert!(svg.contains(word), "{word} in {svg}");
    }
}

#[test]
fn a_nested_metafile_stays_a_drawing() {
    let svg = svg(&emf_with_metafile());
    assert!(!svg.contains("<image"), "{svg}");
    // Its words occur once, as words of the whole.
    assert_eq!(svg.matches(">AMF</text>").count(), 1, "{svg}");
}

#[test]
fn stacked_pictures_are_one_svg_and_a_bitmap_among_them_a_part_of_it() {
    let (first, second) = (emf(), png());
    let small = DrawOptions { width: 300, ..OPTIONS };
    let parts = [(&first[..], OPTIONS), (&second[..], small), (&first[..], small)];
    let (stacked, errors) = draw_stacked_pictures(parts);
    assert!(errors.is_empty(), "{errors:?}");
    let stacked = stacked.expect("one picture");
    assert!(differing_share(&stacked) < 0.01, "{}", differing_share(&stacked));
    let svg = stacked.svg.expect("a drawing");
    assert_eq!((svg.matches("<image").count(), svg.matches(">AMF</text>").count()), (1, 2));
}

#[test]
fn bitmaps_and_pictures_for_which_none_is_asked_have_no_svg() {
    assert_eq!(drawn(&png()).svg, None);
    assert_eq!(draw_picture(&emf(), &DrawOptions::default()).expect("drawn").svg, None);
    let (stacked, _) = draw_stacked_pictures([(&png()[..], OPTIONS), (&png()[..], OPTIONS)]);
    assert_eq!(stacked.expect("one picture").svg, None);
}

#[test]
fn words_of_a_file_cannot_become_elements() {
    let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
        <text x="5" y="20" font-size="10">&lt;script&gt;a &amp; b&#x9;c</text></svg>"##;
    let written = drawn(svg).svg.expect("a drawing");
    assert!(
        !written.contains("<script") && written.contains("&lt;script&gt;a &amp; b"),
        "{written}"
    );
}

#[test]
fn a_name_in_a_file_breaks_no_drawing() {
    let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
        <defs><linearGradient id="R&amp;D"><stop stop-color="#f00"/></linearGradient></defs>
        <rect id="A&lt;B" x="5" y="5" width="40" height="40" fill="url(#R&amp;D)"/></svg>"##;
    // A drawing that can be read again, or none.
    if let Some(written) = drawn(svg).svg {
        draw_picture(written.as_bytes(), &OPTIONS).expect("well-formed");
    }
}

#[test]
fn a_drawing_that_is_too_large_is_a_picture_alone() {
    // The canvas draws it; as elements it has more bytes than a drawing may.
    let rows = (0..60_000).map(|row| format!("L{}.{} {}", row % 97, row, row % 89));
    let path: String = rows.collect();
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\">\
         <path d=\"M0 0{path}\" stroke=\"#000\" fill=\"none\" stroke-width=\".01\"/></svg>"
    );
    let whole = draw_picture(svg.as_bytes(), &OPTIONS).expect("drawn");
    assert!(whole.svg.is_some_and(|svg| svg.len() < 4 << 20));
    let parts = vec![(svg.as_bytes(), OPTIONS); 16];
    let (stacked, _) = draw_stacked_pictures(parts);
    let stacked = stacked.expect("one picture");
    assert!(stacked.svg.is_none_or(|svg| svg.len() <= 4 << 20));
}

#[test]
fn a_table_has_its_words_as_text() {
    let cell = |column, text: &str| picture::FigureCell {
        row: 0,
        column,
        rows: 1,
        columns: 1,
        text: text.to_owned(),
    };
    let table = picture::FigureTable { cells: vec![cell(0, "octet 1"), cell(1, "spare")] };
    let svg = picture::draw_figure_table(&table, &OPTIONS).expect("drawn").svg.expect("a drawing");
    assert!(svg.contains(">octet 1</text>") && svg.contains(">spare</text>"), "{svg}");
}
