//! Forms of a package and of its parts that other programs than Word write.

use super::*;

const STRICT: &str = "http://purl.oclc.org/ooxml/wordprocessingml/main";

/// The texts of all sections of a document.
fn printed(document: &Document) -> Vec<String> {
    let blocks = |section: &Section| print_blocks(&section.blocks);
    document.sections.iter().flat_map(blocks).map(|block| block.text).collect()
}

#[test]
fn the_namespace_counts_and_not_the_prefix() {
    let body = format!("{}{}", paragraph("Heading1", "1\tScope"), paragraph("B1", "-\titem"));
    let document = |root: &str| format!("<w:document{root}><w:body>{body}</w:body></w:document>");
    let strict = document(&format!(" xmlns:w=\"{STRICT}\""));
    let other_prefix = strict.replace("w:", "n0:").replace("xmlns:w", "xmlns:n0");
    // Attributes keep a prefix: they are never in the default namespace.
    let default = strict
        .replace("<w:", "<")
        .replace("</w:", "</")
        .replace("xmlns:w", &format!("xmlns=\"{STRICT}\" xmlns:w"));
    for main in [document(""), strict, other_prefix, default] {
        let docx = TestDocx::new("").part("word/document.xml", &main);
        let document = read_with(&docx, &Limits::default()).expect("valid");
        assert_eq!(printed(&document), ["- item"], "{main}");
    }
    let foreign = document(" xmlns:w=\"urn:other\"");
    let docx = TestDocx::new("").part("word/document.xml", &foreign);
    assert!(read_with(&docx, &Limits::default()).expect("valid").sections.is_empty());
}

#[test]
fn the_main_part_is_the_one_that_the_package_names() {
    let main = |text: &str| {
        let body = paragraph("Heading1", "1\tScope") + &paragraph("Normal", text);
        format!("<w:document><w:body>{body}</w:body></w:document>")
    };
    let relations = |target: &str| {
        let kind =
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
        format!(
            "<Relationships><Relationship Id=\"m\" Type=\"{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    for (rels, text) in [
        (relations("word/other.xml"), "named"),
        (relations("/word/other.xml"), "named"),
        (relations("word/missing.xml"), "usual"),
        ("<Relationships/>".to_owned(), "usual"),
        ("<Relation".to_owned(), "usual"),
    ] {
        let docx = TestDocx::new("")
            .part("word/document.xml", &main("usual"))
            .part("word/other.xml", &main("named"))
            .part("_rels/.rels", &rels);
        let document = read_with(&docx, &Limits::default()).expect("valid");
        assert_eq!(printed(&document), [text], "{rels}");
    }
}

#[test]
fn the_first_choice_that_is_understood_is_read_and_otherwise_the_fallback() {
    let choices = |choices: &[(&str, &str)], fallback: &str| {
        let choices = choices.iter().map(|(requires, content)| {
            format!("<mc:Choice Requires=\"{requires}\">{content}</mc:Choice>")
        });
        let choices: String = choices.collect();
        format!(
            "<mc:AlternateContent>{choices}<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
        )
    };
    let [first, second, last] = ["first", "second", "last"].map(|text| runs(&run(text)));
    let nested = choices(&[("zz9", &first)], &second);
    for (body, expected) in [
        (choices(&[("wps", &first), ("wpg", &second)], &last), "first"),
        (choices(&[("zz9", &first), ("wps", &second)], &last), "second"),
        (choices(&[("zz9", &first), ("cx1", &second)], &last), "last"),
        (choices(&[("wps w16se", &first)], &last), "last"),
        (choices(&[("wps", &nested)], &last), "second"),
        // A symbol of a run.
        (
            format!(
                "<w:p><w:r>{}</w:r></w:p>",
                choices(&[("w16se", "<w16se:symEx/>")], "<w:t>\u{2639}</w:t>")
            ),
            "\u{2639}",
        ),
    ] {
        assert_eq!(texts(&body), [expected], "{body}");
    }
}
