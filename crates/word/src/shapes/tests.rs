//! Drawings of shapes as in documents, and their SVG.

use quick_xml::{Reader, events::Event};

use super::*;

/// The drawing of some elements.
fn drawn(xml: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut shapes = ShapeCollector::default();
    loop {
        match reader.read_event().expect("valid XML") {
            Event::Start(start) if start.name().as_ref() == "w:br" => shapes.push_text("\n"),
            Event::Start(start) => shapes.start_element(start.name().as_ref(), &start),
            Event::End(end) if end.name().as_ref() == "w:br" => {}
            Event::End(end) => shapes.end_element(end.name().as_ref()),
            Event::Text(text) => shapes.push_text(&text),
            Event::GeneralRef(_) => shapes.push_text("<"),
            Event::Eof => return shapes.into_svg(),
            _ => {}
        }
    }
}

fn shape(frame: [i64; 4], preset: &str, look: &str, words: &str) -> String {
    let [x, y, cx, cy] = frame;
    format!(
        "<wps:wsp><wps:spPr><a:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{cx}\" cy=\"{cy}\"/></a:xfrm>\
         <a:prstGeom prst=\"{preset}\"/>{look}</wps:spPr><wps:txbx><w:txbxContent><w:p><w:t>{words}</w:t>\
         </w:p></w:txbxContent></wps:txbx><wps:bodyPr anchor=\"ctr\"/></wps:wsp>"
    )
}

const RED: &str = "<a:solidFill><a:srgbClr val=\"ff0000\"/></a:solidFill>";
const LINE: &str = "<a:ln w=\"12700\"><a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill>\
                    <a:tailEnd type=\"triangle\"/></a:ln>";

#[test]
fn boxes_lines_and_words_are_where_they_were_drawn() {
    let xml = format!(
        "<wpc:wpc>{}{}</wpc:wpc>",
        shape([12_700, 25_400, 1_270_000, 635_000], "rect", RED, "a &lt; b"),
        shape([0, 0, 1_270_000, 0], "straightConnector1", LINE, "")
    );
    let svg = drawn(&xml).expect("shapes");
    assert!(svg.contains("M1.00 2.00 L101.00 2.00 L101.00 52.00 L1.00 52.00 Z"), "{svg}");
    assert!(svg.contains("fill=\"rgb(255,0,0)\" stroke=\"none\""), "{svg}");
    assert!(svg.contains("M0.00 0.00 L100.00 0.00"), "{svg}");
    assert!(svg.contains("stroke=\"rgb(0,0,0)\" stroke-width=\"1.00\""), "{svg}");
    assert!(svg.contains("M100.00 0.00 L96.00"), "an arrow at its end: {svg}");
    assert!(svg.contains(">a &lt; b</text>"), "{svg}");
    let picture =
        picture::draw_picture(svg.as_bytes(), &picture::DrawOptions::default()).expect("drawn");
    assert_eq!(picture.labels.len(), 1);
    assert_eq!(picture.labels[0].text, "a < b");
}

#[test]
fn hidden_fills_are_not_painted_and_patterns_are_tints() {
    let hidden = format!(
        "<a:noFill/><a:extLst><a:ext uri=\"x\"><a14:hiddenFill>{RED}</a14:hiddenFill></a:ext></a:extLst>"
    );
    let svg = drawn(&shape([0, 0, 1_270_000, 1_270_000], "rect", &hidden, "w")).expect("a shape");
    assert!(svg.contains("fill=\"none\""), "{svg}");
    let pattern = "<a:pattFill><a:fgClr><a:schemeClr val=\"tx1\"/></a:fgClr><a:bgClr><a:schemeClr \
                   val=\"bg1\"/></a:bgClr></a:pattFill>";
    let svg = drawn(&shape([0, 0, 1_270_000, 1_270_000], "rect", pattern, "")).expect("a shape");
    assert!(svg.contains("fill=\"rgb(165,165,165)\""), "{svg}");
}

#[test]
fn words_that_do_not_fit_are_made_smaller() {
    let svg = drawn(&shape([0, 0, 381_000, 254_000], "rect", "", "rather long words here"));
    let svg = svg.expect("a shape");
    let size = svg.split("font-size=\"").nth(1).and_then(|rest| rest.split('"').next());
    let size: f64 = size.and_then(|size| size.parse().ok()).expect("a size");
    assert!((5.0..8.0).contains(&size), "{size}");
}

#[test]
fn groups_move_and_scale_their_shapes() {
    let inner = shape([100, 100, 100, 100], "rect", RED, "");
    let xml = format!(
        "<wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"2540000\" cy=\"1270000\"/>\
         <a:chOff x=\"100\" y=\"100\"/><a:chExt cx=\"200\" cy=\"100\"/></a:xfrm></wpg:grpSpPr>{inner}</wpg:wgp>"
    );
    let svg = drawn(&xml).expect("a shape");
    assert!(svg.contains("M0.00 0.00 L100.00 0.00 L100.00 100.00"), "{svg}");
}

#[test]
fn groups_without_inner_coordinates_move_their_shapes() {
    let group = |element: &str, x: u32, inner: &str| {
        format!(
            "<wpg:{element}><wpg:grpSpPr><a:xfrm><a:off x=\"{x}\" y=\"0\"/><a:ext cx=\"1270000\" cy=\"12700\"/>\
             </a:xfrm></wpg:grpSpPr>{inner}</wpg:{element}>"
        )
    };
    let inner = shape([127_000, 0, 12_700, 12_700], "line", LINE, "");
    let origin = shape([0, 0, 12_700, 12_700], "line", LINE, "");
    // In a group in a group: 20 and 50 points, and 10 of its own.
    let nested = group("grpSp", 635_000, &inner);
    let svg = drawn(&format!("<wpc:wpc>{origin}{}</wpc:wpc>", group("grpSp", 254_000, &nested)));
    let svg = svg.expect("shapes");
    assert!(svg.contains("M80.00 0.00 L81.00 1.00"), "{svg}");
    assert!(svg.contains("M0.00 0.00 L1.00 1.00"), "{svg}");
}

#[test]
fn groups_rotate_and_mirror_their_shapes() {
    let group = |look: &str| {
        let inner = shape([0, 0, 12_700, 12_700], "line", LINE, "");
        let far = shape([1_257_300, 0, 12_700, 12_700], "line", "", "");
        let xml = format!(
            "<wpg:wgp><wpg:grpSpPr><a:xfrm {look}><a:off x=\"0\" y=\"0\"/><a:ext cx=\"1270000\" cy=\"1270000\"/>\
             <a:chOff x=\"0\" y=\"0\"/><a:chExt cx=\"1270000\" cy=\"1270000\"/></a:xfrm></wpg:grpSpPr>{inner}{far}\
             </wpg:wgp>"
        );
        drawn(&xml).expect("shapes")
    };
    assert!(group("").contains("M0.00 0.00 L1.00 1.00"));
    assert!(group("flipH=\"1\"").contains("M100.00 0.00 L99.00 1.00"));
    let turned = group("rot=\"5400000\"");
    assert!(turned.contains("rotate(90.000 99.50 0.50)"), "{turned}");
}

#[test]
fn many_breaks_and_deep_elements_cost_little() {
    let words = "<w:br/>".repeat(200_000);
    let xml = shape([0, 0, 1_270_000, 1_270_000], "rect", RED, "w").replace("<w:t>w</w:t>", &words);
    assert!(drawn(&xml).is_some());
    let deep = format!(
        "{}{}{}",
        "<wpg:grpSp>".repeat(100),
        shape([0, 0, 9, 9], "rect", RED, ""),
        "</wpg:grpSp>".repeat(100)
    );
    let after = shape([0, 0, 1_270_000, 1_270_000], "rect", RED, "");
    let svg = drawn(&format!("<wpc:wpc>{deep}{after}</wpc:wpc>")).expect("the one after");
    assert_eq!(svg.matches("<path").count(), 1, "{svg}");
    let closes =
        format!("<a:custGeom><a:path>{}</a:path></a:custGeom>", "<a:close/>".repeat(300_000));
    let xml = shape([0, 0, 1_270_000, 1_270_000], "rect", &closes, "");
    assert!(drawn(&xml).expect("a shape").len() < 10 * MAX_POINTS);
}

#[test]
fn custom_outlines_are_drawn() {
    let path = "<a:custGeom><a:pathLst><a:path w=\"10\" h=\"10\"><a:moveTo><a:pt x=\"0\" y=\"0\"/></a:moveTo>\
                <a:cubicBezTo><a:pt x=\"0\" y=\"5\"/><a:pt x=\"5\" y=\"10\"/><a:pt x=\"10\" y=\"10\"/></a:cubicBezTo>\
                <a:close/></a:path></a:pathLst></a:custGeom>";
    let xml = format!(
        "<wps:wsp><wps:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"1270000\" cy=\"1270000\"/></a:xfrm>\
         {path}{RED}</wps:spPr></wps:wsp>"
    );
    let svg = drawn(&xml).expect("a shape");
    assert!(svg.contains("M0.00 0.00 C0.00 50.00 50.00 100.00 100.00 100.00 Z"), "{svg}");
}

#[test]
fn implausible_shapes_yield_no_picture_and_no_panic() {
    assert_eq!(drawn("<wpc:wpc/>"), None);
    assert_eq!(drawn(&shape([0, 0, 0, 0], "rect", RED, "")), None);
    for number in ["1e308", "NaN", "-inf", "99999999999999", "-1"] {
        let xml = shape([1, 1, 1_000_000, 1_000_000], "rect", LINE, "w");
        let wild = xml.replace("1000000", number).replace("12700", number);
        let svg = drawn(&format!("<wpg:grpSp>{wild}{xml}</wpg:grpSp>")).expect("the valid one");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{number}: {svg}");
    }
    let many = shape([0, 0, 12_700, 12_700], "line", LINE, "").repeat(MAX_SHAPES + 10);
    let svg = drawn(&many).expect("shapes");
    assert!(svg.matches("<g transform").count() <= MAX_SHAPES);
}
