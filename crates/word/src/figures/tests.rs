//! Which pictures and captions become figures.

use std::io::Cursor;

use super::*;
use crate::{
    DocxReadOptions, TrackedChanges, read_docx,
    test_docx::{TestDocx, paragraph, row},
};
use document::{Archive, Document, Figure, FigureKind, Limits, PrintedSize, UnpackBudget};

/// A picture with one word.
fn svg(word: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\">\
         <rect width=\"20\" height=\"20\"/>\
         <text x=\"30\" y=\"30\" font-size=\"10\">{word}</text></svg>"
    )
}

/// The figures of a body after the heading `5 Procedures`; two pictures are there, `one` and `two`.
fn figures(body: &str) -> Vec<Figure> {
    document(body).sections.into_iter().flat_map(|section| section.figures).collect()
}

fn document(body: &str) -> Document {
    let relations = "<Relationships>\
        <Relationship Id=\"r1\" Target=\"media/one.emf\"/>\
        <Relationship Id=\"r2\" Target=\"/word/media/two.png\"/>\
        <Relationship Id=\"r3\" Target=\"media/missing.png\"/>\
        <Relationship Id=\"r4\" Target=\"file:///etc/passwd\" TargetMode=\"External\"/>\
        <Relationship Id=\"r5\" Target=\"media/none.bin\"/>\
        <Relationship Id=\"chart\" Target=\"charts/chart1.xml\"/>\
        <Relationship Id=\"data\" Target=\"diagrams/data1.xml\"/>\
        <Relationship Id=\"drawn\" Target=\"diagrams/drawing1.xml\"/></Relationships>";
    let body = format!("{}{body}", paragraph("Heading1", "5\tProcedures"));
    let bytes = TestDocx::new(&body)
        .part("word/_rels/document.xml.rels", relations)
        .part("word/media/one.emf", &svg("one"))
        .part("word/media/two.png", &svg("two"))
        .part("word/charts/chart1.xml", CHART)
        .part("word/diagrams/data1.xml", DIAGRAM_DATA)
        .part("word/diagrams/drawing1.xml", DIAGRAM)
        .part("word/media/none.bin", "nothing that is drawn")
        .build();
    let limits = Limits::default();
    let mut archive = Archive::open_zip(Cursor::new(bytes), "t.docx", &limits).expect("a package");
    let budget = UnpackBudget::new(&limits);
    let options = DocxReadOptions {
        limits: &limits,
        budget: &budget,
        figures: true,
        tracked: TrackedChanges::Accepted,
    };
    read_docx(&mut archive, "t.docx", options).expect("a document")
}

#[test]
fn pictures_in_lines_of_text_are_drawn_where_they_stand() {
    let picture = |id: &str| {
        format!(
            "<w:r><w:pict><v:shape style=\"width:30pt;height:15pt\"><v:imagedata r:id=\"{id}\"/>\
             </v:shape></w:pict></w:r>"
        )
    };
    let words = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let line = format!("<w:p>{}{}{}</w:p>", words("where "), picture("r1"), words(" is the size"));
    let cell = |content: &str| format!("<w:tc><w:p>{content}</w:p></w:tc>");
    let table = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell(&words("Symbol")),
        cell(&words("Meaning")),
        cell(&format!("{}{}", picture("r1"), words(" or x"))),
        cell(&format!("{}{}", words("its "), picture("r2"))),
    );
    let body = format!("{}{line}{table}", paragraph("", "Values:"));
    let section = document(&body).sections.pop().expect("a section");
    let found: Vec<_> = section
        .inline_pictures
        .iter()
        .map(|picture| (picture.block, picture.marker, picture.words.as_str()))
        .collect();
    assert_eq!(found, [(1, 0, "one"), (2, 0, "one"), (2, 1, "two")]);
    assert_eq!(section.inline_pictures[0].size, Some(PrintedSize { width: 600, height: 300 }));
    assert!(section.figures.is_empty());
}

const CHART: &str = "<c:chartSpace xmlns:c=\"urn:c\"><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>\
    Throughput</c:v></c:tx><c:cat><c:strCache><c:pt idx=\"0\"><c:v>FR1</c:v></c:pt></c:strCache></c:cat>\
    <c:val><c:numCache><c:pt idx=\"0\"><c:v>7</c:v></c:pt></c:numCache></c:val></c:ser></c:barChart>\
    </c:plotArea><c:legend/></c:chart></c:chartSpace>";
const DIAGRAM_DATA: &str = "<dgm:dataModel xmlns:dgm=\"urn:d\"><dgm:extLst><a:ext xmlns:a=\"urn:a\">\
    <dsp:dataModelExt xmlns:dsp=\"urn:p\" relId=\"drawn\"/></a:ext></dgm:extLst></dgm:dataModel>";
const DIAGRAM: &str = "<dsp:drawing><dsp:spTree><dsp:sp><dsp:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/>\
    <a:ext cx=\"1905000\" cy=\"635000\"/></a:xfrm><a:prstGeom prst=\"rect\"/><a:ln><a:solidFill>\
    <a:srgbClr val=\"000000\"/></a:solidFill></a:ln></dsp:spPr><dsp:txBody><a:bodyPr anchor=\"ctr\"/><a:p>\
    <a:r><a:rPr><a:solidFill><a:srgbClr val=\"000000\"/></a:solidFill></a:rPr><a:t>Plan &amp; build</a:t></a:r>\
    </a:p></dsp:txBody><dsp:txXfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"12700\" cy=\"12700\"/></dsp:txXfrm></dsp:sp></dsp:spTree></dsp:drawing>";

fn drawing(inner: &str) -> String {
    format!("<w:r><w:drawing>{inner}</w:drawing></w:r>")
}

fn captioned(what: &str) -> Figure {
    let body = line(what) + &paragraph("TF", "Figure 5-1: Shown");
    let mut figures = figures(&body);
    assert_eq!(figures.len(), 1, "{figures:#?}");
    figures.remove(0)
}

fn picture(relation: &str) -> String {
    format!(
        "<w:r><w:object><v:shape><v:imagedata r:id=\"{relation}\"/></v:shape>\
         <o:OLEObject ProgID=\"Visio.Drawing.15\"/></w:object></w:r>"
    )
}

fn line(inner: &str) -> String {
    format!("<w:p>{inner}</w:p>")
}

fn captions(figures: &[Figure]) -> Vec<Option<&str>> {
    figures.iter().map(|figure| figure.caption.as_deref()).collect()
}

#[test]
fn a_figure_has_the_caption_below_it_and_the_words_in_it() {
    let figures = figures(
        &[
            paragraph("Normal", "Before."),
            line(&picture("r1")),
            paragraph("TF", "Figure 5-1: Paging"),
            paragraph("Normal", "After."),
        ]
        .concat(),
    );
    let [figure] = figures.as_slice() else { panic!("{figures:?}") };
    assert_eq!(figure.caption.as_deref(), Some("Figure 5-1: Paging"));
    assert_eq!((figure.kind, figure.block), (FigureKind::Picture, 1));
    assert_eq!(
        (figure.labels.as_slice(), figure.formats.as_slice()),
        (["one".to_owned()].as_slice(), ["SVG".to_owned()].as_slice())
    );
    let picture = figure.picture.as_ref().expect("a picture");
    assert_eq!((picture.width, picture.height), (1200, 600));
    assert!(picture.png.starts_with(b"\x89PNG") && figure.faults.is_empty());
}

#[test]
fn pictures_above_one_caption_are_one_figure() {
    let body = [
        line(&picture("r1")),
        line(&picture("r2")),
        paragraph("TF", "Figure 5-1: Both"),
        line(&picture("r2")),
        paragraph("TF", "Figure 5-2: The second"),
    ];
    let figures = figures(&body.concat());
    assert_eq!(captions(&figures), [Some("Figure 5-1: Both"), Some("Figure 5-2: The second")]);
    assert_eq!(figures[0].labels, ["one", "two"]);
    let height = figures[0].picture.as_ref().map(|picture| picture.height);
    assert_eq!(height, Some(600 + 24 + 600));
    assert_eq!(figures[1].labels, ["two"]);
}

#[test]
fn deleted_pictures_equations_and_inline_icons_are_no_figures() {
    let equation = picture("r1").replace("Visio.Drawing.15", "Equation.3");
    let body = [
        line(&format!("<w:del>{}</w:del>{}", picture("r1"), picture("r2"))),
        paragraph("TF", "Figure 5-1: New"),
        line(&equation),
        line(&format!(
            "<w:r><w:t>Press </w:t></w:r>{}<w:r><w:t> to go on.</w:t></w:r>",
            picture("r1")
        )),
        paragraph("Normal", "Figure 5-1 shows it."),
    ];
    let figures = figures(&body.concat());
    assert_eq!(captions(&figures), [Some("Figure 5-1: New")]);
    assert_eq!(figures[0].labels, ["two"]);
}

#[test]
fn a_table_with_the_caption_of_a_figure_is_one() {
    let table = |name: &str| format!("<w:tbl>{}</w:tbl>", row("TAL", &[name, "LCID"]));
    let body = [
        table("R"),
        paragraph("TF", "Figure 5-1: Subheader"),
        paragraph("TH", "Table 5-1: Values"),
        table("X"),
        paragraph("Normal", "Figure 5-1 has them."),
    ];
    let figures = figures(&body.concat());
    assert_eq!(captions(&figures), [Some("Figure 5-1: Subheader")]);
    assert_eq!(figures[0].kind, FigureKind::Table);
    assert!(figures[0].labels[0].contains("LCID"), "{:?}", figures[0].labels);
    assert!(figures[0].picture.is_some() && figures[0].faults.is_empty());
}

#[test]
fn a_figure_in_the_cells_of_a_table_has_the_caption_there_or_below() {
    let cell = |inner: &str| format!("<w:tc>{inner}</w:tc>");
    let within = format!(
        "<w:tbl><w:tr>{}{}</w:tr></w:tbl>",
        cell(&line(&picture("r1"))),
        cell(&line(&picture("r2")))
    );
    let figures = figures(&format!("{within}{}", paragraph("TF", "Figure 5-1: Side by side")));
    assert_eq!(captions(&figures), [Some("Figure 5-1: Side by side")]);
    assert_eq!((figures[0].kind, figures[0].labels.len()), (FigureKind::Picture, 2));
}

#[test]
fn figures_that_cannot_be_drawn_say_why_and_do_not_affect_others() {
    let figure = |relation: &str, number: u8| {
        line(&picture(relation)) + &paragraph("TF", &format!("Figure {number}: X"))
    };
    let alone = paragraph("TF", "Figure 9: Alone");
    let body = [figure("r3", 1), figure("r4", 2), figure("r5", 3), alone, figure("r1", 4)];
    let figures = figures(&body.concat());
    let faults: Vec<&str> =
        figures.iter().map(|figure| figure.faults.first().map_or("", String::as_str)).collect();
    let missing = "the picture is not in the file";
    let unknown = "not a picture of a known format";
    assert_eq!(faults, [missing, missing, unknown, "no picture precedes the caption", ""]);
    assert!(figures[4].picture.is_some());
    assert_eq!(figures[3].kind, FigureKind::CaptionAlone);
}

#[test]
fn shapes_drawn_in_word_keep_their_words() {
    let shapes = "<w:r><w:drawing><wpg:wgp><wps:txbx><w:txbxContent><w:p><w:r><w:t>gNB</w:t></w:r>\
        </w:p></w:txbxContent></wps:txbx></wpg:wgp></w:drawing></w:r>";
    let figures = figures(&(line(shapes) + &paragraph("TF", "Figure 5-1: Nodes")));
    assert_eq!(captions(&figures), [Some("Figure 5-1: Nodes")]);
    assert_eq!(
        (figures[0].kind, figures[0].labels.as_slice()),
        (FigureKind::Shapes, ["gNB".to_owned()].as_slice())
    );
}

#[test]
fn part_titles_and_notes_do_not_end_a_figure_and_void_is_no_figure() {
    let part = |relation: &str, title: &str| line(&picture(relation)) + &paragraph("TF", title);
    let notes: String = (1..6).map(|n| paragraph("NO", &format!("NOTE {n}:\tX."))).collect();
    let body = [
        part("r1", "(a) With a preamble"),
        part("r2", "(b) Without one"),
        paragraph("TF", "Figure 5-1: Random access"),
        line(&picture("r1")),
        notes,
        paragraph("TF", "Figure 5-2: With notes"),
        paragraph("TF", "Figure 5-3: Void"),
        part("r2", "A title without a number"),
    ];
    let figures = figures(&body.concat());
    let expected =
        ["Figure 5-1: Random access", "Figure 5-2: With notes", "A title without a number"];
    assert_eq!(captions(&figures), expected.map(Some));
    assert_eq!(figures[0].labels, ["one", "two", "(a) With a preamble", "(b) Without one"]);
}

#[test]
fn pictures_without_a_caption_are_figures_of_their_section() {
    let figures = figures(&(line(&picture("r1")) + &paragraph("Heading1", "6\tNext")));
    assert_eq!(captions(&figures), [None]);
}

#[test]
fn captions_are_distinguished_from_sentences_that_begin_like_them() {
    for text in ["Figure 5.3-1: Paging", "Figure A.1", "FIGURE 2 - State machine", "Figure 6. X"] {
        assert!(is_caption(text, false), "{text}");
    }
    for text in ["Figure 5.3-1 shows the procedure", "Figures 1 and 2", "Figure", "The figure 1:"] {
        assert!(!is_caption(text, false), "{text}");
    }
    assert!(is_caption("Figure 5.3-1 Paging", true));
}

#[test]
fn a_chart_is_drawn_from_the_values_it_keeps() {
    let figure = captioned(&drawing("<a:graphicData><c:chart r:id=\"chart\"/></a:graphicData>"));
    assert_eq!(figure.kind, FigureKind::Chart);
    assert!(figure.picture.is_some(), "{figure:?}");
    for label in ["FR1", "Throughput"] {
        assert!(figure.labels.iter().any(|actual| actual == label), "{:?}", figure.labels);
    }
    let lost = captioned(&drawing("<a:graphicData><c:chart r:id=\"r5\"/></a:graphicData>"));
    assert!(lost.picture.is_none() && !lost.faults.is_empty(), "{lost:?}");
}

#[test]
fn a_diagram_is_drawn_from_the_drawing_it_keeps() {
    let figure = captioned(&drawing("<a:graphicData><dgm:relIds r:dm=\"data\"/></a:graphicData>"));
    assert_eq!(figure.kind, FigureKind::Shapes);
    assert!(figure.picture.is_some(), "{figure:?}");
    assert_eq!(figure.labels, ["Plan & build"]);
}

#[test]
fn unsupported_choices_are_replaced_by_their_fallback() {
    let of = |needs: &str| {
        format!(
            "<w:r><mc:AlternateContent><mc:Choice Requires=\"{needs}\"><w:drawing><wpc:wpc><wps:wsp>\
             <wps:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"1270000\" cy=\"635000\"/></a:xfrm>\
             <a:prstGeom prst=\"rect\"/><a:ln><a:solidFill><a:srgbClr val=\"000000\"/></a:solidFill></a:ln>\
             </wps:spPr><wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx></wps:wsp></wpc:wpc>\
             </w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:imagedata r:id=\"r1\"/></v:shape>\
             </w:pict></mc:Fallback></mc:AlternateContent></w:r>",
            paragraph("", "seen")
        )
    };
    let shapes = captioned(&of("wpc"));
    assert_eq!((shapes.kind, shapes.labels), (FigureKind::Shapes, vec!["seen".to_owned()]));
    for needs in ["cx1", "wpi", "am3d", "wps cx4"] {
        let figure = captioned(&of(needs));
        assert_eq!(figure.labels, ["one"], "{needs}");
        assert_eq!(figure.kind, FigureKind::Picture, "{needs}");
    }
}

#[test]
fn shapes_in_vml_are_drawn_with_the_pictures_among_them() {
    let box_of = |left: i32, words: &str| {
        format!(
            "<v:rect style=\"position:absolute;left:{left};top:100;width:400;height:300\" \
             fillcolor=\"#fc0\"><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:rect>",
            paragraph("", words)
        )
    };
    let group = format!(
        "<w:r><w:pict><v:group style=\"width:200pt;height:100pt\" coordsize=\"2000,1000\">{}{}<v:line \
         from=\"500,250\" to=\"1500,250\"><v:stroke endarrow=\"block\"/></v:line><v:shape \
         style=\"left:100;top:500;width:800;height:400\"><v:imagedata r:id=\"r2\"/></v:shape></v:group>\
         </w:pict></w:r>",
        box_of(100, "AMF"),
        box_of(1500, "SMF")
    );
    let figure = captioned(&group);
    assert_eq!(figure.kind, FigureKind::Shapes);
    assert_eq!(figure.labels, ["two", "AMF", "SMF"], "what the picture says is kept");
    let picture = figure.picture.expect("drawn");
    assert!(picture.width > picture.height, "{} x {}", picture.width, picture.height);
    let without = captioned(&group.replace("r:id=\"r2\"", "r:id=\"r3\"")).picture.expect("drawn");
    assert_ne!(without.png, picture.png, "the picture among the shapes is seen");
}

#[test]
fn words_of_drawn_shapes_are_labels_and_sentences_in_them_are_text() {
    let sentence =
        "The user plane function forwards what it cannot match to any rule of the session.";
    let drawn = |words: &str| {
        format!(
            "<w:r><w:pict><v:group style=\"width:90pt;height:30pt\" coordsize=\"900,300\"><v:rect \
             style=\"left:0;top:0;width:900;height:300\" fillcolor=\"#fc0\"><v:textbox><w:txbxContent>\
             {}{}</w:txbxContent></v:textbox></v:rect></v:group></w:pict></w:r>",
            paragraph("", words),
            paragraph("", sentence)
        )
    };
    let body = line(&drawn("UPF")) + &paragraph("TF", "Figure 5-1: Paths") + &line(&picture("r1"));
    let document = document(&(body + &paragraph("TF", "Figure 5-2: Next")));
    let section = &document.sections[0];
    let printed = document_model::print_blocks(&section.blocks);
    let texts: Vec<&str> = printed.iter().map(|block| block.text.as_str()).collect();
    let expected = ["[figure]", sentence, "Figure 5-1: Paths", "[figure]", "Figure 5-2: Next"];
    assert_eq!(texts, expected);
    assert_eq!(section.figures[0].labels, ["UPF", sentence]);
    let blocks: Vec<u32> = section.figures.iter().map(|figure| figure.block).collect();
    assert_eq!(blocks, [0, 3]);
}
