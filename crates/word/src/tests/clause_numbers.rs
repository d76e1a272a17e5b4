//! Numbers of clauses, as documents print them and count them.

use document::Limits;

use super::{TestDocx, paragraph, read, read_with};

fn outline(body: &str) -> Vec<(String, String)> {
    read(body).sections.into_iter().map(|s| (s.number, s.title)).collect()
}

fn pair(number: &str, title: &str) -> (String, String) {
    (number.to_owned(), title.to_owned())
}

#[test]
fn headings_without_a_style_are_found_by_the_table_of_contents() {
    let entry = |text: &str| paragraph("Normal", text);
    for style in ["TOC1", "Normal"] {
        let entry_in = |text: &str| paragraph(style, text);
        let body = [
            entry_in("1\tScope\t4"),
            entry_in("4.2_1\tVariant of a case\t5"),
            entry_in("Annex A (informative):\tHistory\t6"),
            entry("1\tScope"),
            entry("The text cites 4.2_1."),
            entry("3\tis not listed"),
            entry("4.2_1 Variant of a case"),
            entry("4.2_1\tVariant of a case"),
            entry("Annex A (informative):\tHistory"),
        ]
        .concat();
        let expected =
            [pair("1", "Scope"), pair("4.2_1", "Variant of a case"), pair("A", "History")];
        assert_eq!(outline(&body), expected, "{style}");
    }
}

#[test]
fn lines_that_only_look_like_contents_stay_text() {
    let body = [paragraph("Normal", "1\tApples\t5"), paragraph("Normal", "2\tPears\t6")].concat();
    let document = read(&body);
    let [section] = document.sections.as_slice() else { panic!("one section") };
    assert_eq!(section.blocks.len(), 2);
}

#[test]
fn numbers_that_are_not_understood_are_named() {
    let heading = |text: &str| paragraph("Heading2", text);
    let body = [
        heading("5.3..1\tOdd"),
        heading("6.2_1\tVariant"),
        heading("E.164 numbers"),
        heading("Annex: Codes"),
    ];
    let warnings = read(&body.concat()).warnings;
    let expected =
        "2 headings begin with a number that was not understood: 5.3..1 Odd; Annex: Codes";
    assert_eq!(warnings, [expected]);
    assert_eq!(read(&heading("6.2_1\tVariant")).warnings, [""; 0]);
}

#[test]
fn numbers_in_a_style_that_is_based_on_low_headings_are_headings() {
    let style = |id: &str, name: &str, parent: &str| {
        format!(
            r#"<w:style w:type="paragraph" w:styleId="{id}"><w:name w:val="{name}"/>{parent}</w:style>"#
        )
    };
    let styles = [
        style("Heading1", "heading 1", ""),
        style("H6", "H6", r#"<w:basedOn w:val="Heading1"/>"#),
        style("Header7", "Header 7", r#"<w:basedOn w:val="H6"/>"#),
    ];
    let styles = format!("<w:styles>{}</w:styles>", styles.concat());
    let body = [
        paragraph("Heading1", "6\tTests"),
        paragraph("Header7", "6.2A.3.1\tContiguous"),
        paragraph("Header7", "Text in the style"),
    ];
    let docx = TestDocx::new(&body.concat()).part("word/styles.xml", &styles);
    let document = read_with(&docx, &Limits::default()).expect("valid");
    let numbers: Vec<&str> = document.sections.iter().map(|s| s.number.as_str()).collect();
    assert_eq!(numbers, ["6", "6.2A.3.1"]);
}
