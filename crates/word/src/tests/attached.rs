//! Files within a package: inserted files, sub-documents and embedded objects.

use super::*;

const TYPES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn relations(relations: &[(&str, &str, &str)]) -> String {
    let relation = |(id, kind, target): &(&str, &str, &str)| {
        let mode = if target.contains(':') { " TargetMode=\"External\"" } else { "" };
        format!("<Relationship Id=\"{id}\" Type=\"{TYPES}/{kind}\" Target=\"{target}\"{mode}/>")
    };
    let relations: String = relations.iter().map(relation).collect();
    format!("<Relationships>{relations}</Relationships>")
}

fn object(relation: &str, program: &str, aspect: &str, preview: &str) -> String {
    runs(&format!(
        "<w:r><w:object><v:shape>{preview}</v:shape><o:OLEObject ProgID=\"{program}\" DrawAspect=\"{aspect}\" \
         r:id=\"{relation}\"/></w:object></w:r>"
    ))
}

/// The texts and warnings of a document with a part that a relationship `f` leads to.
fn read_with_part(
    body: &str,
    kind: &str,
    part: &str,
    content: &[u8],
) -> (Vec<String>, Vec<String>) {
    let rels = relations(&[
        ("f", kind, part),
        ("emf", "image", "media/a.emf"),
        ("png", "image", "media/a.png"),
    ]);
    let body = format!(
        "{}{}{body}{}",
        paragraph("Heading1", "1\tScope"),
        runs(&run("before")),
        runs(&run("after"))
    );
    let document = format!("<w:document><w:body>{body}</w:body></w:document>");
    let name = format!("word/{part}");
    let mut parts = vec![
        ("[Content_Types].xml", &b"<Types/>"[..]),
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", rels.as_bytes()),
    ];
    let styles = TestDocx::new("").build();
    let mut styles =
        Archive::open_zip(Cursor::new(styles), "s", &Limits::default()).expect("a zip");
    let budget = UnpackBudget::new(&Limits::default());
    let styles =
        styles.read_entry("word/styles.xml", "s", &Limits::default(), &budget).expect("styles");
    parts.push(("word/styles.xml", &styles));
    if !content.is_empty() {
        parts.push((&name, content));
    }
    let document = read_package(zip_of(&parts), &Limits::default()).expect("valid");
    let blocks = document.sections.iter().flat_map(|section| print_blocks(&section.blocks));
    let texts = blocks.map(|block| block.text).filter(|text| text != "[figure]");
    (texts.collect(), document.warnings)
}

#[test]
fn inserted_files_are_read_in_place_and_named() {
    let docx = TestDocx::new(&runs(&run("inner"))).build();
    let nested = {
        let rels = relations(&[("x", "aFChunk", "d.docx")]);
        let body = runs(&run("inner")) + "<w:altChunk r:id=\"x\"/>";
        TestDocx::new(&body).part("word/_rels/document.xml.rels", &rels).build()
    };
    let chunk = "<w:altChunk r:id=\"f\"><w:altChunkPr/></w:altChunk>";
    for (kind, body, part, content) in [
        ("aFChunk", chunk, "c.docx", docx.as_slice()),
        // It refers to a part that it does not have.
        ("aFChunk", chunk, "c.docx", &nested),
        ("aFChunk", chunk, "c.html", b"<p>inner</p>"),
        ("aFChunk", chunk, "c.dat", b"<html><body>inner</body></html>"),
        ("aFChunk", chunk, "c.txt", b"inner"),
        ("aFChunk", chunk, "c.rtf", b"{\\rtf1 inner}"),
        ("aFChunk", chunk, "c.mht", b"MIME-Version: 1.0\nContent-Type: text/html\n\ninner"),
        ("subDocument", "<w:subDoc r:id=\"f\"/>", "sub.docx", &docx),
    ] {
        let (texts, warnings) = read_with_part(body, kind, part, content);
        assert_eq!(texts, ["before", "inner", "after"], "{part}");
        let warning = warnings.last().map_or("", String::as_str);
        let named = format!("'word/{part}' ({} bytes)", content.len());
        assert!(warning.contains("altChunk") && warning.contains(&named), "{part}: {warnings:?}");
    }
    let (texts, warnings) = read_with_part(chunk, "aFChunk", "c.bin", &[0, 1, 2]);
    assert_eq!(texts, ["before", "after"]);
    assert!(warnings[0].contains("'word/c.bin' (3 bytes)") && warnings[0].contains("not read"));
    let (_, warnings) =
        read_with_part("<w:subDoc r:id=\"f\"/>", "subDocument", "file:///x.docx", b"");
    assert_eq!(warnings, ["'file:///x.docx' is a sub-document outside the file; it was not read"]);
    let (texts, warnings) = read_with_part(&chunk.repeat(2), "aFChunk", "c.txt", b"inner");
    assert_eq!(texts, ["before", "inner", "after"]);
    assert!(warnings.iter().any(|warning| warning.contains("was read once")), "{warnings:?}");
    // What a tracked change deletes is not inserted.
    let deleted = format!("<w:del>{chunk}</w:del>");
    assert_eq!(read_with_part(&deleted, "aFChunk", "c.txt", b"inner").0, ["before", "after"]);
}

#[test]
fn inserted_headings_make_sections_and_embedded_ones_do_not() {
    let docx = TestDocx::new(&(paragraph("Heading1", "2\tMore") + &runs(&run("inner")))).build();
    let chunk = "<w:altChunk r:id=\"f\"/>";
    assert_eq!(read_with_part(chunk, "aFChunk", "c.docx", &docx).0, ["before", "inner", "after"]);
    let icon = object("f", "Word.Document.12", "Icon", "");
    let (texts, _) = read_with_part(&icon, "package", "embeddings/c.docx", &docx);
    assert_eq!(texts, ["before", "2 More", "inner", "after"]);
}

#[test]
fn objects_are_read_if_the_page_does_not_show_them() {
    let docx = TestDocx::new(&runs(&run("inner"))).build();
    let [emf, png] = ["emf", "png"].map(|id| format!("<v:imagedata r:id=\"{id}\"/>"));
    for (program, aspect, preview, part, is_read) in [
        ("Word.Document.12", "Icon", "", "embeddings/d.docx", true),
        ("Word.Document.12", "Icon", emf.as_str(), "embeddings/d.docx", true),
        ("Word.DocumentMacroEnabled.12", "Icon", &emf, "embeddings/d.docm", true),
        ("Word.Document.12", "Content", "", "embeddings/d.docx", true),
        ("Word.Document.12", "Content", &png, "embeddings/d.docx", true),
        // The words of the preview are those of the figure.
        ("Word.Document.12", "Content", &emf, "embeddings/d.docx", false),
    ] {
        let body = object("f", program, aspect, preview);
        let (texts, warnings) = read_with_part(&body, "package", part, &docx);
        assert_eq!(texts.contains(&"inner".to_owned()), is_read, "{program} {aspect} {preview}");
        assert_eq!(warnings.iter().any(|warning| warning.contains(part)), is_read, "{warnings:?}");
    }
    for (program, aspect, part, is_named) in [
        ("Excel.Sheet.12", "Icon", "embeddings/s.xlsx", true),
        ("Package", "Icon", "embeddings/o.bin", true),
        ("Excel.Sheet.12", "Content", "embeddings/s.xlsx", false),
        ("Word.Picture.8", "Content", "embeddings/o.bin", false),
        ("Visio.Drawing.15", "Icon", "embeddings/v.vsdx", false),
    ] {
        let body = object("f", program, aspect, &png);
        let (texts, warnings) = read_with_part(&body, "oleObject", part, b"PK");
        assert_eq!(texts, ["before", "after"], "{program}");
        let is_warned =
            warnings.iter().any(|warning| warning.contains(part) && warning.contains("not read"));
        assert_eq!(is_warned, is_named, "{program} {aspect}: {warnings:?}");
    }
}

#[test]
fn a_document_in_itself_ends_and_files_of_no_use_are_named() {
    let chunk = "<w:altChunk r:id=\"f\"/>";
    let mut docx = TestDocx::new(&runs(&run("core"))).build();
    for _ in 0..6 {
        let rels = relations(&[("f", "aFChunk", "c.docx")]);
        let document =
            format!("<w:document><w:body>{}{chunk}</w:body></w:document>", runs(&run("level")));
        docx = zip_of(&[
            ("[Content_Types].xml", b"<Types/>"),
            ("word/document.xml", document.as_bytes()),
            ("word/_rels/document.xml.rels", rels.as_bytes()),
            ("word/c.docx", &docx),
        ]);
    }
    let (texts, warnings) = read_with_part(chunk, "aFChunk", "c.docx", &docx);
    assert_eq!(texts, ["before", "level", "level", "level", "after"]);
    let nested = warnings.iter().find(|warning| warning.contains("nested too deeply"));
    assert!(nested.is_some_and(|warning| !warning.contains("is not a")), "{warnings:?}");
    let (_, warnings) = read_with_part("", "theme", "theme.xml", b"<x/>");
    assert!(warnings.is_empty(), "{warnings:?}");
    let docx =
        TestDocx::new(&paragraph("Heading1", "1\tScope")).part("word/lost.html", "<p>lost</p>");
    let document = read_with(&docx, &Limits::default()).expect("valid");
    assert!(
        document.warnings[0].starts_with("'word/lost.html' (11 bytes)"),
        "{:?}",
        document.warnings
    );
}
