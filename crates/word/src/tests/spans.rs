//! What the reader keeps in addition to the words of a body.

use document_model::{Block, Span, SpanKind};

use super::*;

/// A run with a property.
fn styled(property: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{property}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

#[test]
fn subscripts_italics_and_formulas_become_spans_and_labels_are_set_apart() {
    let sub = "<w:vertAlign w:val=\"subscript\"/>";
    let sup = "<w:vertAlign w:val=\"superscript\"/>";
    let body = [
        runs(&format!("{}{}{}", run("I"), styled(sub, "MC"), styled(sub, "S"))),
        runs(&format!("{}{}{}", run("2"), styled(sup, "1"), styled(sup, "6"))),
        runs(&format!(
            "{}{}",
            styled("<w:i/>", "T310"),
            "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>"
        )),
        paragraph("B2", "2>\tstop"),
    ];
    let document = read(&format!("{}{}", paragraph("Heading1", "1\tScope"), body.concat()));
    let blocks = &document.sections[0].blocks;
    let spans = |index: usize| -> Vec<(SpanKind, String)> {
        let texts = blocks[index].texts();
        let text = texts[0];
        let part = |span: &Span| text.as_str()[span.start as usize..span.end as usize].to_owned();
        text.spans().iter().map(|span| (span.kind, part(span))).collect()
    };
    assert_eq!(spans(0), [(SpanKind::Subscript, "_MCS".to_owned())]);
    assert_eq!(spans(1), [(SpanKind::Superscript, "^16".to_owned())]);
    let third = [(SpanKind::Italic, "T310".to_owned()), (SpanKind::Formula, "$x$".to_owned())];
    assert_eq!(spans(2), third);
    let Block::ListItem(item) = &blocks[3] else { panic!("an item: {:?}", blocks[3]) };
    assert_eq!((item.depth, item.label.as_deref(), item.text.as_str()), (2, Some("2>"), "stop"));
}

#[test]
fn text_of_a_deleted_paragraph_end_keeps_its_spans() {
    let sub = "<w:vertAlign w:val=\"subscript\"/>";
    let mark = "<w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr>";
    let body = [
        runs(&format!("{mark}{}{}", run("N"), styled(sub, "RB"))),
        runs(&format!("{}{}", run(" and P"), styled(sub, "C"))),
    ];
    let document = read(&format!("{}{}", paragraph("Heading1", "1\tScope"), body.concat()));
    let text = document.sections[0].blocks[0].texts()[0].clone();
    assert_eq!(text.as_str(), "N_RB and P_C");
    let ranges: Vec<(u32, u32)> = text.spans().iter().map(|span| (span.start, span.end)).collect();
    assert_eq!(ranges, [(1, 4), (10, 12)]);
}

#[test]
fn a_blank_at_the_edge_of_a_formula_stands_beside_it() {
    let formula = |text: &str| {
        format!("<m:oMath><m:r><m:t xml:space=\"preserve\">{text}</m:t></m:r></m:oMath>")
    };
    let line = runs(&format!("{}{}{}", run("rows"), formula(" 45 "), run("and 68")));
    assert_eq!(texts(&line), ["rows $45$ and 68"]);
    let line = runs(&format!("{}{}{}", run("rows "), formula("45"), run(", 68")));
    assert_eq!(texts(&line), ["rows $45$, 68"]);
}
