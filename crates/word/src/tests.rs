//! What the reader returns for a body.

use std::io::Cursor;

use crate::test_docx::{TestDocx, paragraph, row, sample, zip_of};
use document::{Archive, Document, ExtractError, LimitKind, Limits, Section, UnpackBudget};
use document_model::{print_block, print_blocks};
use domain::BlockKind;

use super::{DocxReadOptions, TrackedChanges, read_docx};

mod attached;
mod clause_numbers;
mod containers;
mod fields;
mod fonts;
mod slips;
mod spans;
mod tracked;

fn read_with(docx: &TestDocx, limits: &Limits) -> Result<Document, ExtractError> {
    read_package(docx.build(), limits)
}

/// Reads a package that has the given parts, but not the usual main part of a Word document.
fn read_without_document(parts: &[(&str, &str)]) -> Result<Document, ExtractError> {
    let types = ("[Content_Types].xml", &b"<Types/>"[..]);
    let parts = parts.iter().map(|(name, content)| (*name, content.as_bytes()));
    let parts: Vec<(&str, &[u8])> = std::iter::once(types).chain(parts).collect();
    read_package(zip_of(&parts), &Limits::default())
}

fn read_package(bytes: Vec<u8>, limits: &Limits) -> Result<Document, ExtractError> {
    read_package_as(bytes, limits, TrackedChanges::Accepted)
}

fn read_package_as(
    bytes: Vec<u8>,
    limits: &Limits,
    tracked: TrackedChanges,
) -> Result<Document, ExtractError> {
    let mut archive = Archive::open_zip(Cursor::new(bytes), "t.docx", limits)?;
    let budget = UnpackBudget::new(limits);
    read_docx(
        &mut archive,
        "t.docx",
        DocxReadOptions { limits, budget: &budget, figures: true, tracked },
    )
}

fn read(body: &str) -> Document {
    read_with(&TestDocx::new(body), &Limits::default()).expect("a valid document")
}

/// The texts of the first section of a body after the heading `1 Scope`.
fn blocks(body: &str) -> Vec<(BlockKind, String)> {
    let document = read(&format!("{}{body}", paragraph("Heading1", "1\tScope")));
    let section = document.sections.into_iter().next().expect("a section");
    print_blocks(&section.blocks).into_iter().map(|block| (block.kind, block.text)).collect()
}

fn texts(body: &str) -> Vec<String> {
    blocks(body).into_iter().map(|(_, text)| text).collect()
}

fn runs(inner: &str) -> String {
    format!("<w:p>{inner}</w:p>")
}

fn run(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

#[test]
fn a_whole_document_gives_its_cover_contents_and_sections() {
    let document = read_with(&sample("38.999", "18.0.0"), &Limits::default()).expect("valid");
    assert_eq!(document.cover.title.as_deref(), Some("A title of the test"));
    assert_eq!(document.printed_contents.len(), 3);
    let outline: Vec<(&str, &str)> =
        document.sections.iter().map(|s| (s.number.as_str(), s.title.as_str())).collect();
    assert_eq!(outline, [("Cover", "Cover"), ("1", "Scope"), ("2", "Timers"), ("A", "Codes")]);
    let table = print_block(&document.sections[2].blocks[0]);
    assert_eq!(table.text, "Table 2-1: Timers\n| Name | Value |\n|---|---|\n| T300 | 100 ms |");
    let code = print_blocks(&document.sections[3].blocks);
    assert_eq!((code.len(), code[0].kind), (1, BlockKind::Code));
    assert_eq!(code[0].text, "```\nA ::= SEQUENCE {\n    b INTEGER\n}\n```");
}

#[test]
fn alternatives_are_read_once_and_text_boxes_kept() {
    let boxed = |text| {
        format!(
            "<w:drawing><wps:wsp><w:txbxContent>{}</w:txbxContent></wps:wsp></w:drawing>",
            runs(&run(text))
        )
    };
    let both = format!(
        "<w:r><mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback>\
            </mc:AlternateContent></w:r>",
        boxed("in the box"),
        boxed("in the box")
    );
    assert_eq!(texts(&runs(&format!("{}{both}", run("anchor")))), ["anchor", "in the box"]);
    let only = format!(
        "<w:r><mc:AlternateContent><mc:Fallback>{}</mc:Fallback></mc:AlternateContent></w:r>",
        boxed("old")
    );
    assert_eq!(texts(&runs(&only)), ["old"]);
}

#[test]
fn fields_keep_their_result_and_special_characters_become_plain() {
    let field = "<w:r><w:instrText>SEQ Table</w:instrText></w:r>";
    let special = "<w:r><w:t>non</w:t><w:noBreakHyphen/><w:t>3GPP&#160;&lt;x&gt;</w:t>\
        <w:sym w:font=\"Symbol\" w:char=\"F0B3\"/><w:t>5</w:t></w:r>";
    assert_eq!(texts(&runs(&format!("{field}{special}"))), ["non-3GPP <x>\u{2265}5"]);
}

#[test]
fn exponents_are_distinguished_from_digits() {
    let raised = |text: &str| {
        format!("<w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>{text}</w:t></w:r>")
    };
    let body = [
        runs(&format!("{}{}{}", run("2"), raised("16"), run("-1"))),
        runs(&format!("{}{}", run("the 1"), raised("st"))),
    ];
    assert_eq!(texts(&body.concat()), ["2^16-1", "the 1st"]);
}

#[test]
fn pictures_and_equations_leave_their_markers() {
    let ole_object = |program: &str| {
        format!(
            "<w:r><w:object><v:shape><v:imagedata/></v:shape><o:OLEObject ProgID=\"{program}\"/>\
                </w:object></w:r>"
        )
    };
    let body = [
        runs(&ole_object("Visio.Drawing.15")),
        paragraph("TF", "Figure 1-1: A figure"),
        runs(&format!("{}{}{}", run("where "), ole_object("Equation.3"), run("holds"))),
        runs(&format!("<w:del>{}</w:del>{}", ole_object("Visio.Drawing.15"), run("kept"))),
        runs("<m:oMathPara><m:oMath><m:r><m:t>a+1</m:t></m:r></m:oMath></m:oMathPara>"),
    ];
    assert_eq!(
        texts(&body.concat()),
        ["[figure]", "Figure 1-1: A figure", "where [equation] holds", "kept", "$a+1$"]
    );
}

#[test]
fn lists_keep_marks_and_depth() {
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\">\
        <w:numFmt w:val=\"lowerLetter\"/><w:lvlText w:val=\"%1)\"/></w:lvl></w:abstractNum>\
        <w:num w:numId=\"4\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>";
    let automatic = "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"4\"/></w:numPr>\
        </w:pPr><w:r><w:t>auto</w:t></w:r></w:p>";
    let body = [
        paragraph("Heading1", "1\tScope"),
        paragraph("B1", "1>\tif so:"),
        paragraph("B2", "2>\tdo so;"),
        automatic.to_owned(),
        automatic.to_owned(),
        paragraph("NO", "NOTE:\tNo list."),
    ];
    let docx = TestDocx::new(&body.concat()).part("word/numbering.xml", numbering);
    let document = read_with(&docx, &Limits::default()).expect("valid");
    let printed = print_blocks(&document.sections[0].blocks);
    let blocks: Vec<(BlockKind, &str)> =
        printed.iter().map(|block| (block.kind, block.text.as_str())).collect();
    assert_eq!(
        blocks,
        [
            (BlockKind::ListItem, "1> if so:"),
            (BlockKind::ListItem, "  2> do so;"),
            (BlockKind::ListItem, "a) auto"),
            (BlockKind::ListItem, "b) auto"),
            (BlockKind::Paragraph, "NOTE: No list."),
        ]
    );
}

#[test]
fn automatic_numbers_make_sections_and_typed_ones_set_the_count() {
    let levels: String = (0..3)
        .map(|at| {
            format!(
                "<w:lvl w:ilvl=\"{at}\"><w:numFmt w:val=\"decimal\"/>\
            <w:pStyle w:val=\"Heading{}\"/><w:lvlText w:val=\"{}\"/>\
            </w:lvl>",
                at + 1,
                ["%1", "%1.%2", "%1.%2.%3"][at]
            )
        })
        .collect();
    let numbering = format!(
        "<w:numbering><w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum>\
            <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>"
    );
    let styles: String = (1..=3)
        .map(|level| {
            format!(
                "<w:style w:type=\"paragraph\" w:styleId=\"Heading{level}\">\
            <w:name w:val=\"heading {level}\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr>\
            </w:pPr></w:style>"
            )
        })
        .collect();
    let headings = [
        ("Heading1", "Scope"),
        ("Heading2", "General"),
        ("Heading1", "5\tTyped"),
        ("Heading2", "After"),
        ("Heading2", "10 MHz bandwidth"),
        ("Heading2", "Users"),
    ];
    let body: String = headings.iter().map(|(style, text)| paragraph(style, text)).collect();
    let docx = TestDocx::new(&body)
        .part("word/styles.xml", &format!("<w:styles>{styles}</w:styles>"))
        .part("word/numbering.xml", &numbering);
    let document = read_with(&docx, &Limits::default()).expect("valid");
    let outline: Vec<String> =
        document.sections.iter().map(|s: &Section| format!("{} {}", s.number, s.title)).collect();
    assert_eq!(
        outline,
        [
            "1 Scope",
            "1.1 General",
            "5 Typed",
            "5.1 After",
            // A number that is one of the title's words does not count.
            "5.2 10 MHz bandwidth",
            "5.3 Users",
        ]
    );
}

#[test]
fn hidden_text_is_not_read_and_hides_nothing_after_it() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let equation = "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>";
    let hidden = run("<w:vanish/>", "not ");
    let shown = run("<w:vanish w:val=\"0\"/>", "wide ");
    let body = format!("<w:p>{}{shown}{hidden}{equation}</w:p>", run("", "Beams are "));
    assert_eq!(texts(&body), ["Beams are wide $x$"]);
}

#[test]
fn white_text_is_read_only_where_something_is_painted_behind_it() {
    let run = |properties: &str, text: &str| {
        format!(
            "<w:r><w:rPr><w:color w:val=\"FFFFFF\"/>{properties}</w:rPr><w:t>{text}</w:t></w:r>"
        )
    };
    let paragraph = |properties: &str, runs: &str| format!("<w:p>{properties}{runs}</w:p>");
    let shading = "<w:shd w:val=\"clear\" w:fill=\"004488\"/>";
    let body = [
        paragraph("", &run("", "Unseen")),
        paragraph("", &run(shading, "On a dark run")),
        paragraph(&format!("<w:pPr>{shading}</w:pPr>"), &run("", "On a dark paragraph")),
    ];
    assert_eq!(texts(&body.concat()), ["On a dark run", "On a dark paragraph"]);
}

#[test]
fn text_in_a_heading_style_stays_text() {
    let body = [
        paragraph("Heading3", "The UE shall then release all of its bearers."),
        paragraph("TOC7", "\tExcept for a greater range of r."),
    ];
    assert_eq!(
        texts(&body.concat()),
        ["The UE shall then release all of its bearers.", "Except for a greater range of r."]
    );
}

#[test]
fn footnotes_are_printed_where_they_are_cited() {
    let notes = "<w:footnotes><w:footnote w:id=\"1\"><w:p><w:r><w:t>A note.</w:t></w:r></w:p>\
        </w:footnote></w:footnotes>";
    let body = format!(
        "{}{}",
        paragraph("Heading1", "1\tScope"),
        runs(&format!("{}<w:r><w:footnoteReference w:id=\"1\"/></w:r>", run("Cited")))
    );
    let docx = TestDocx::new(&body).part("word/footnotes.xml", notes);
    let document = read_with(&docx, &Limits::default()).expect("valid");
    assert_eq!(print_block(&document.sections[0].blocks[0]).text, "Cited [A note.]");
}

#[test]
fn a_frame_of_one_cell_keeps_its_code() {
    let table = format!(
        "<w:tbl><w:tr><w:tc>{}{}</w:tc></w:tr></w:tbl>",
        paragraph("PL", "openapi: 3.0.0"),
        paragraph("PL", "  x: ```")
    );
    assert_eq!(
        blocks(&table),
        [(BlockKind::Code, "`````\nopenapi: 3.0.0\n  x: ```\n`````".to_owned())]
    );
}

#[test]
fn limits_stop_the_reading() {
    let deep = format!("{}{}", "<w:sdt>".repeat(300), "</w:sdt>".repeat(300));
    let tables =
        format!("{}{}", "<w:tbl><w:tr><w:tc>".repeat(20), "</w:tc></w:tr></w:tbl>".repeat(20));
    let long = runs(&run(&"x".repeat(70_000)));
    let wide = format!("<w:tbl><w:tr>{}</w:tr></w:tbl>", "<w:tc></w:tc>".repeat(300));
    let limits = Limits { event_bytes: 4_096, table_cells: 200, ..Limits::default() };
    for (body, bound) in [
        (deep, LimitKind::XmlDepth),
        (tables, LimitKind::TableDepth),
        (long, LimitKind::EventBytes),
        (wide, LimitKind::TableCells),
    ] {
        let error = read_with(&TestDocx::new(&body), &limits).expect_err("over a bound");
        assert!(
            matches!(error, ExtractError::Limit { bound: found, .. } if found == bound),
            "{bound}: {error}"
        );
    }
}

#[test]
fn entities_are_never_expanded() {
    let document = "<!DOCTYPE d [<!ENTITY a \"xxxxxxxxxx\"><!ENTITY b \"&a;&a;&a;\">]>\
        <w:document><w:body><w:p><w:r><w:t>&b;plain</w:t></w:r></w:p></w:body></w:document>";
    let docx = TestDocx::new("").part("word/document.xml", document);
    let document = read_with(&docx, &Limits::default()).expect("valid");
    assert_eq!(print_block(&document.sections[0].blocks[0]).text, "plain");
}

#[test]
fn malformed_and_missing_parts_are_named() {
    let broken = TestDocx::new("").part("word/document.xml", "<w:document><w:body></w:document>");
    let error = read_with(&broken, &Limits::default()).expect_err("malformed");
    assert!(
        matches!(&error, ExtractError::Xml { name, .. } if name == "t.docx/word/document.xml"),
        "{error}"
    );
    let cut = TestDocx::new("").part("word/styles.xml", "<w:styles><w:style>");
    assert!(matches!(read_with(&cut, &Limits::default()), Err(ExtractError::Xml { .. })));
    let error = read_without_document(&[]).expect_err("no document");
    assert!(
        matches!(&error, ExtractError::MissingPart { part, .. } if part == "word/document.xml"),
        "{error}"
    );
    let other = r#"<Relationships>
        <Relationship Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
    let sheet = read_without_document(&[("_rels/.rels", other)]);
    assert!(matches!(sheet, Err(ExtractError::Unsupported { .. })));
}

#[test]
fn a_main_part_of_another_name_is_found() {
    let rels = r#"<Relationships>
        <Relationship Type="x/officeDocument" Target="/word/document2.xml"/></Relationships>"#;
    let document = format!("<w:document>{}</w:document>", runs(&run("here")));
    let parts = [("_rels/.rels", rels), ("word/document2.xml", document.as_str())];
    let document = read_without_document(&parts).expect("valid");
    assert_eq!(print_block(&document.sections[0].blocks[0]).text, "here");
}

#[test]
fn abbreviations_keep_the_tab_before_their_meaning_and_other_text_does_not() {
    let lines = ["MA\tMobile  Allocation", "\tMultiple Access", "NOTE:\tBoth are in use.", "a b\t"];
    let body: String = lines.iter().map(|line| paragraph("EW", line)).collect();
    let under = |title: &str| {
        let document = read(&format!("{}{body}", paragraph("Heading1", &format!("3\t{title}"))));
        print_blocks(&document.sections[0].blocks)
            .into_iter()
            .map(|block| block.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        under("Symbols and abbreviations"),
        ["MA\tMobile Allocation", "\tMultiple Access", "NOTE: Both are in use.", "a b"]
    );
    assert_eq!(under("Scope")[0], "MA Mobile Allocation");
}
