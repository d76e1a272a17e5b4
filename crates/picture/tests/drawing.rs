//! Drawings as SVG: the same pictures, with their words.

mod support;

use picture::{DrawOptions, DrawnPicture, draw_picture, draw_stacked_pictures};
use support::{emf, emf_clipped_twice, emf_plus, emf_translucent, emf_with_metafile, png, wmf};

const OPTIONS: DrawOptions = DrawOptions { width: 1200, max_height: 4000, keeps_drawing: true };

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
    // Its words stand once, those of the whole.
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
