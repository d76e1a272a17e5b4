//! Mistakes of authors and programs.

use super::*;

#[test]
fn a_heading_may_anchor_a_drawing_and_code_goes_on_over_a_line_in_another_style() {
    let drawing = "<w:r><w:pict><v:shape><v:imagedata r:id=\"r1\"/></v:shape></w:pict></w:r>";
    let heading = paragraph("Heading2", "5.1\tFlow").replace("</w:p>", &format!("{drawing}</w:p>"));
    let body = format!(
        "{}{heading}{}{}{}{}{}",
        paragraph("Heading1", "5\tProcedures"),
        paragraph("PL", "A ::= SEQUENCE {"),
        paragraph("", "  b  INTEGER  OPTIONAL,"),
        paragraph("PL", "  c  BOOLEAN"),
        paragraph("PL", "}"),
        paragraph("", "Where b is a number."),
    );
    let document = read(&body);
    let section = document.sections.last().expect("a section");
    assert_eq!((section.number.as_str(), section.title.as_str()), ("5.1", "Flow"));
    let printed: Vec<String> =
        print_blocks(&section.blocks).into_iter().map(|block| block.text).collect();
    assert_eq!(printed.len(), 3, "{printed:?}");
    assert_eq!(printed[0], "[figure]");
    assert!(printed[1].contains("b  INTEGER  OPTIONAL,\n  c  BOOLEAN"), "{}", printed[1]);
}

#[test]
fn one_byte_that_is_no_text_does_not_cost_the_document() {
    let docx = TestDocx::new(&paragraph("Heading1", "5\tProcedures XXX")).build();
    let limits = Limits::default();
    let mut archive = Archive::open_zip(Cursor::new(&docx[..]), "t.docx", &limits).expect("a zip");
    let budget = UnpackBudget::new(&limits);
    let part = "word/document.xml";
    let xml = archive.read_entry(part, part, &limits, &budget).expect("a part");
    let at = xml.windows(3).position(|window| window == b"XXX").expect("there");
    let broken = [&xml[..at], b"\xff", &xml[at + 3..]].concat();
    let styles = archive.read_entry("word/styles.xml", part, &limits, &budget).expect("a part");
    let package = zip_of(&[(part, &broken), ("word/styles.xml", &styles)]);
    let document = read_package(package, &limits).expect("readable");
    assert_eq!(document.sections[0].title, "Procedures \u{fffd}");
}
