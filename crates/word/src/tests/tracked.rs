//! Both texts of a document with tracked changes.

use super::*;

/// The texts after tracked changes and before them, of the sections of a body.
fn both(body: &str) -> [Vec<String>; 2] {
    [TrackedChanges::Accepted, TrackedChanges::Rejected].map(|tracked| {
        let limits = Limits::default();
        let docx = TestDocx::new(&format!("{}{body}", paragraph("Heading1", "1\tScope")));
        let document = read_package_as(docx.build(), &limits, tracked).expect("valid");
        let texts = |section: &Section| -> Vec<String> {
            let own = print_blocks(&section.blocks).into_iter().map(|block| block.text);
            std::iter::once(format!("{} {}", section.number, section.title)).chain(own).collect()
        };
        document.sections.iter().flat_map(texts).skip(1).collect()
    })
}

fn tracked(element: &str, inner: &str) -> String {
    format!("<{element} w:id=\"1\">{inner}</{element}>")
}

fn deleted(text: &str) -> String {
    tracked("w:del", &run(text).replace("w:t", "w:delText"))
}

/// The properties of a paragraph whose end mark was inserted or deleted.
fn mark(element: &str) -> String {
    format!("<w:pPr><w:rPr><{element} w:id=\"1\"/></w:rPr></w:pPr>")
}

#[test]
fn words_are_those_after_the_changes_or_those_before() {
    let moved = tracked("w:moveFrom", &run("moved away "));
    let arrived = tracked("w:moveTo", &run("moved here "));
    let inserted = tracked("w:ins", &run("new "));
    let came_and_went = tracked("w:ins", &deleted("never "));
    let body =
        runs(&format!("{}{}{moved}{inserted}{arrived}{came_and_went}", run("a "), deleted("old ")));
    let [after, before] = both(&body);
    assert_eq!(after, ["a new moved here"]);
    assert_eq!(before, ["a old moved away"]);
}

#[test]
fn ends_of_paragraphs_join_what_they_divide_no_more() {
    let joined =
        [runs(&format!("{}{}", mark("w:del"), run("first half, "))), runs(&run("second half"))];
    let [after, before] = both(&joined.concat());
    assert_eq!(after, ["first half, second half"]);
    assert_eq!(before, ["first half,", "second half"]);
    let divided =
        [runs(&format!("{}{}", mark("w:ins"), run("first half, "))), runs(&run("second half"))];
    let [after, before] = both(&divided.concat());
    assert_eq!(after, ["first half,", "second half"]);
    assert_eq!(before, ["first half, second half"]);
}

#[test]
fn a_paragraph_that_is_new_leaves_nothing_before() {
    let new = runs(&format!("{}{}", mark("w:ins"), tracked("w:ins", &run("all of it new"))));
    let [after, before] = both(&format!("{}{new}{}", runs(&run("one")), runs(&run("two"))));
    assert_eq!(after, ["one", "all of it new", "two"]);
    assert_eq!(before, ["one", "two"]);
}

#[test]
fn headings_come_and_go_with_their_sections() {
    let heading = paragraph("Heading2", "1.1\tTimers");
    let new =
        heading.replace("<w:r>", "<w:ins w:id=\"1\"><w:r>").replace("</w:r>", "</w:r></w:ins>");
    let new = new.replace("</w:pPr>", "<w:rPr><w:ins w:id=\"1\"/></w:rPr></w:pPr>");
    let [after, before] = both(&format!("{}{new}{}", runs(&run("one")), runs(&run("two"))));
    assert_eq!(after, ["one", "1.1 Timers", "two"]);
    assert_eq!(before, ["one", "two"]);
}

#[test]
fn rows_are_those_after_the_changes_or_those_before() {
    let marked = |element: &str, cells: &[&str]| {
        row("TAL", cells).replacen("<w:tr>", &format!("<w:tr><w:trPr><{element}/></w:trPr>"), 1)
    };
    let table = format!(
        "<w:tbl>{}{}{}</w:tbl>",
        row("TAH", &["a", "b"]),
        marked("w:del", &["x", "y"]),
        marked("w:ins", &["c", "d"])
    );
    let [after, before] = both(&table);
    assert_eq!(after, ["| a | b |\n|---|---|\n| c | d |"]);
    assert_eq!(before, ["| a | b |\n|---|---|\n| x | y |"]);
}

#[test]
fn formulas_are_those_after_the_changes_or_those_before() {
    let part = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let equation = format!(
        "<m:oMath>{}{}{}</m:oMath>",
        part("a+"),
        tracked("w:del", &part("x")),
        tracked("w:ins", &part("y"))
    );
    let [after, before] = both(&runs(&equation));
    assert_eq!((after, before), (vec!["$a+y$".to_owned()], vec!["$a+x$".to_owned()]));
}

/// A cell that a tracked change inserted or deleted.
fn changed_cell(element: &str, text: &str) -> String {
    format!("<w:tc><w:tcPr><{element} w:id=\"1\"/></w:tcPr>{}</w:tc>", paragraph("TAL", text))
}

#[test]
fn cells_that_were_inserted_or_deleted_are_in_one_text_only() {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("TAL", text));
    let table = |rows: &[String]| {
        let rows: String = rows.iter().map(|row| format!("<w:tr>{row}</w:tr>")).collect();
        format!("<w:tbl>{}{rows}</w:tbl>", row("TAH", &["Name", "Value"]))
    };
    let (gone, new) = (changed_cell("w:cellDel", "gone"), changed_cell("w:cellIns", "new"));
    for (rows, after, before) in [
        (vec![cell("a") + &gone], "| a |  |", "| a | gone |"),
        (vec![gone.clone() + &cell("b")], "| b |  |", "| gone | b |"),
        (vec![new.clone() + &cell("b")], "| new | b |", "| b |  |"),
        // A row without cells is no row.
        (
            vec![gone.clone() + &gone, cell("c") + &cell("d")],
            "| c | d |",
            "| gone | gone |\n| c | d |",
        ),
        (vec![cell("a") + &changed_cell("w:cellMerge", "kept")], "| a | kept |", "| a | kept |"),
    ] {
        let [read_after, read_before] = both(&table(&rows));
        let head = "| Name | Value |\n|---|---|\n";
        assert_eq!(read_after, [format!("{head}{after}")], "{rows:?}");
        assert_eq!(read_before, [format!("{head}{before}")], "{rows:?}");
    }
}
