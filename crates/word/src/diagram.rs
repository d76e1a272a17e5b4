//! Diagrams (SmartArt): Word keeps a drawing of each, shapes that are drawn like others.

use super::{
    dom,
    shapes::ShapeCollector,
    xml::{XmlEvent, XmlReader},
};
use document::Limits;

/// The relationship of the drawing that Word keeps of a diagram; `None` if the bytes are not the
/// data of a diagram.
pub(super) fn find_drawing_relation(bytes: &[u8]) -> Option<String> {
    let document = dom::parse_document(bytes, "dataModel")?;
    let model = document.descendants().find(|node| node.tag_name().name() == "dataModelExt")?;
    model.attribute("relId").map(Into::into)
}

/// The drawing as SVG; `None` if it has no shapes.
pub(super) fn render_diagram_svg(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut xml = XmlReader::new(bytes, "a diagram", &Limits::default());
    let (mut shapes, mut buffer, mut is_text) = (ShapeCollector::default(), Vec::new(), false);
    loop {
        match xml.next_event(&mut buffer).ok()? {
            XmlEvent::Start(start) => {
                is_text = start.name().as_ref() == "a:t";
                shapes.start_element(start.name().as_ref(), &start);
            }
            XmlEvent::End(end) => {
                is_text = false;
                shapes.end_element(end.name().as_ref());
            }
            XmlEvent::Text(text) if is_text => shapes.push_text(&text),
            XmlEvent::Char(c) if is_text => shapes.push_text(c.encode_utf8(&mut [0; 4])),
            XmlEvent::Eof => return shapes.into_svg().map(String::into_bytes),
            _ => {}
        }
    }
}
