//! The words of a Visio drawing (`.vsdx`) that a document embeds.
//!
//! [MS-VSDX] 2.2: the pages are parts of the package; a shape has cells for the coordinates of its pin,
//! in inches from the lower left of its container, and a text. The older binary form is not read.

use std::io::Cursor;

use roxmltree::Node;

use super::dom;

use document::{Archive, Limits, UnpackBudget, collapse_whitespace};

/// Maximum unpacked bytes of a page; `dom` parses no more.
const MAX_PAGE_BYTES: u64 = 8 << 20;
/// Maximum number of pages that are read.
const MAX_PAGES: usize = 20;
/// Maximum nesting of shapes, whose positions are computed recursively.
const MAX_NESTING: usize = 30;

/// A text and its position in inches; `y` increases upwards.
struct VisioLabel {
    x: f64,
    y: f64,
    text: String,
}

/// The texts of all pages, each page from top to bottom; empty if the bytes are not a `.vsdx`.
pub(super) fn read_labels(bytes: Vec<u8>) -> Vec<String> {
    let limits = Limits {
        part_bytes: MAX_PAGE_BYTES,
        archive_bytes: 4 * MAX_PAGE_BYTES,
        ..Limits::default()
    };
    let budget = UnpackBudget::new(&limits);
    let Ok(mut archive) = Archive::open_zip(Cursor::new(bytes), "a drawing", &limits) else {
        return Vec::new();
    };
    let mut words = Vec::new();
    for number in 1..=MAX_PAGES {
        let part = format!("visio/pages/page{number}.xml");
        let Ok(page) = archive.read_entry(&part, &part, &limits, &budget) else { break };
        words.extend(read_page_labels(&page));
    }
    words
}

fn read_page_labels(page: &[u8]) -> Vec<String> {
    let Some(document) = dom::parse_document(page, "PageContents") else { return Vec::new() };
    let mut labels = Vec::new();
    for shapes in document.root_element().children().filter(|node| has_name(*node, "Shapes")) {
        collect_labels(shapes, (0.0, 0.0), MAX_NESTING, &mut labels);
    }
    labels.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x.total_cmp(&b.x)));
    let mut words: Vec<String> = Vec::new();
    for label in labels {
        // A word over a line may occur twice, once as its white background.
        if words.last() != Some(&label.text) {
            words.push(label.text);
        }
    }
    words
}

/// Collects the texts of shapes; `corner` is the lower left corner of what contains them.
fn collect_labels(
    shapes: Node<'_, '_>,
    corner: (f64, f64),
    depth_left: usize,
    labels: &mut Vec<VisioLabel>,
) {
    for shape in shapes.children().filter(|node| has_name(*node, "Shape")) {
        let cell = |name: &str| {
            let cells = shape.children().filter(|node| has_name(*node, "Cell"));
            let cell = cells.into_iter().find(|cell| cell.attribute("N") == Some(name))?;
            cell.attribute("V")?.parse::<f64>().ok().filter(|value| value.is_finite())
        };
        let (x, y) = (cell("PinX").unwrap_or(0.0), cell("PinY").unwrap_or(0.0));
        let (x, y) = (corner.0 + x, corner.1 + y);
        let texts = shape.children().filter(|node| has_name(*node, "Text"));
        let text: String = texts.flat_map(|text| text.descendants()).filter_map(own_text).collect();
        let text = collapse_whitespace(&text);
        if !text.is_empty() {
            labels.push(VisioLabel { x, y, text });
        }
        if depth_left > 0 {
            let pin = |own: &str, size: &str| {
                cell(own).or_else(|| cell(size).map(|size| size / 2.0)).unwrap_or(0.0)
            };
            let corner = (x - pin("LocPinX", "Width"), y - pin("LocPinY", "Height"));
            for shapes in shape.children().filter(|node| has_name(*node, "Shapes")) {
                collect_labels(shapes, corner, depth_left - 1, labels);
            }
        }
    }
}

fn own_text<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    if node.is_text() { node.text() } else { None }
}

fn has_name(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(pin: (f64, f64), inner: &str) -> String {
        let (x, y) = pin;
        format!("<Shape><Cell N=\"PinX\" V=\"{x}\"/><Cell N=\"PinY\" V=\"{y}\"/>{inner}</Shape>")
    }

    fn text(words: &str) -> String {
        format!("<Text><cp IX=\"0\"/>{words}</Text>")
    }

    #[test]
    fn words_are_ordered_from_the_top_and_those_of_groups_by_their_position_on_the_page() {
        let group = format!(
            "<Cell N=\"Width\" V=\"2\"/><Cell N=\"Height\" V=\"2\"/><Shapes>{}</Shapes>",
            shape((1.0, 1.8), &text("3. Registration\n accept"))
        );
        let page = format!(
            "<PageContents xmlns=\"urn:v\"><Shapes>{}{}{}{}</Shapes></PageContents>",
            shape((1.0, 1.0), &text("last")),
            shape((5.0, 9.0), &text("AMF")),
            shape((1.0, 9.0), &text("UE")),
            shape((4.0, 6.0), &group)
        );
        assert_eq!(
            read_page_labels(page.as_bytes()),
            ["UE", "AMF", "3. Registration accept", "last"]
        );
    }

    #[test]
    fn what_is_no_drawing_has_no_words() {
        assert!(read_labels(b"PK but no archive".to_vec()).is_empty());
        assert!(read_page_labels(b"<PageContents><Shapes>").is_empty());
        assert!(read_page_labels(&[0xff, 0xfe]).is_empty());
        let deep = shape((0.0, 0.0), "").replace("</Shape>", "<Shapes><Shape>").repeat(200_000);
        assert!(read_page_labels(deep.as_bytes()).is_empty());
    }
}
