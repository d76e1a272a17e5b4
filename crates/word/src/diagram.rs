//! Diagrams (SmartArt): Word keeps a drawing of each, shapes that are drawn like others.

use super::{
    dom,
    shapes::Shapes,
    xml::{Node, Xml},
};
use document::Limits;

/// The relation that leads to the drawing of a diagram's data; none where the bytes are no such
/// data.
pub(super) fn drawing_of(bytes: &[u8]) -> Option<String> {
    let document = dom::parse(bytes, "dataModel")?;
    let model = document.descendants().find(|node| node.tag_name().name() == "dataModelExt")?;
    model.attribute("relId").map(Into::into)
}

/// The drawing as SVG; none where it has no shapes.
pub(super) fn svg(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut xml = Xml::new(bytes, "a diagram", &Limits::default());
    let (mut shapes, mut buffer, mut is_text) = (Shapes::default(), Vec::new(), false);
    loop {
        match xml.next(&mut buffer).ok()? {
            Node::Start(start) => {
                is_text = start.name().as_ref() == "a:t";
                shapes.enter(start.name().as_ref(), &start);
            }
            Node::End(end) => {
                is_text = false;
                shapes.leave(end.name().as_ref());
            }
            Node::Text(text) if is_text => shapes.text(&text),
            Node::Char(c) if is_text => shapes.text(c.encode_utf8(&mut [0; 4])),
            Node::Eof => return shapes.into_svg().map(String::into_bytes),
            _ => {}
        }
    }
}
