//! Fields: stored results, and results that are computed because the file does not contain them.

use super::*;

fn mark(kind: &str) -> String {
    format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>")
}

fn code(code: &str) -> String {
    format!("<w:r><w:instrText xml:space=\"preserve\">{code}</w:instrText></w:r>")
}

/// A field without a result.
fn bare(instruction: &str) -> String {
    [mark("begin"), code(instruction), mark("end")].concat()
}

/// A field with a result.
fn stored(instruction: &str, result: &str) -> String {
    [mark("begin"), code(instruction), mark("separate"), run(result), mark("end")].concat()
}

fn simple(instruction: &str) -> String {
    format!("<w:fldSimple w:instr=\"{}\"/>", instruction.replace('"', "&quot;"))
}

fn document_of(body: &str) -> Document {
    read(&format!("{}{body}", paragraph("Heading1", "1\tScope")))
}

fn printed(document: &Document) -> Vec<String> {
    print_blocks(&document.sections[0].blocks).into_iter().map(|block| block.text).collect()
}

#[test]
fn fields_without_a_stored_result_are_computed() {
    let bookmark = |name: &str, text: &str| {
        format!(
            "<w:bookmarkStart w:id=\"7\" w:name=\"{name}\"/>{}<w:bookmarkEnd w:id=\"7\"/>",
            run(text)
        )
    };
    for (inner, expected) in [
        (bare("EQ \\f(1,2)"), "$\\frac{1}{2}$"),
        (simple(" EQ \\r(x) \\* MERGEFORMAT"), "$\\sqrt{x}$"),
        (
            [
                mark("begin"),
                code("EQ \\f(1,"),
                bare("SYMBOL 112 \\f Symbol"),
                code(")"),
                mark("end"),
            ]
            .concat(),
            "$\\frac{1}{\\pi}$",
        ),
        (
            [
                mark("begin"),
                code("EQ \\f(1,"),
                "<w:r><w:sym w:font=\"Symbol\" w:char=\"F070\"/></w:r>".to_owned(),
                code(")"),
                mark("end"),
            ]
            .concat(),
            "$\\frac{1}{\\pi}$",
        ),
        (bare("SYMBOL 163 \\f \"Symbol\" \\s 10"), "\u{2264}"),
        (bare("SYMBOL 0xB3 \\f Symbol"), "\u{2265}"),
        (simple(" SYMBOL 8805 \\u "), "\u{2265}"),
        (bare("symbol 61623 \\f \"Symbol\" \\h"), "\u{2022}"),
        (bare("SYMBOL 150"), "\u{2013}"),
        (bare("SYMBOL 252 \\f Wingdings"), "\u{2713}"),
        (stored("SYMBOL 87 \\f \"Symbol\"", "kept"), "kept"),
        (bare("SEQ Table \\* ARABIC") + &bare("SEQ Table"), "12"),
        (stored("SEQ Fig", "7") + &bare("SEQ Fig \\* roman"), "7viii"),
        (bare("SEQ A \\r 5") + &bare("SEQ A \\c") + &bare("SEQ A \\h") + &bare("SEQ a"), "557"),
        (bookmark("_Ref1", "4.2") + &bare(" REF _Ref1 \\h "), "4.24.2"),
        (bookmark("Limit", "-25 dB") + &bare("limit"), "-25 dB-25 dB"),
        (simple("REF later") + &bookmark("later", "end"), "endend"),
        (bare("SET x \"5 ms\"") + &bare("REF x"), "5 ms"),
        (bare("MACROBUTTON NoMacro [Click here]"), "[Click here]"),
        (bare("XE \"term\"") + &bare("") + &bare("RD \"file\""), ""),
        (stored("IF 1 = 1 \"a\"", "a"), "a"),
        // What fields in the code print is not on the page.
        (
            [
                mark("begin"),
                code("IF "),
                stored("REF x", "hidden"),
                code(" = 1"),
                mark("separate"),
                run("shown"),
                mark("end"),
            ]
            .concat(),
            "shown",
        ),
        // A field that never ends loses nothing.
        ([mark("begin"), code("REF x"), run("rest")].concat(), "rest"),
    ] {
        let document = document_of(&runs(&format!("{}{inner}{}", run("("), run(")"))));
        assert_eq!(printed(&document), [format!("({expected})")], "{inner}");
        assert_eq!(document.warnings, Vec::<String>::new(), "{inner}");
    }
}

#[test]
fn fields_that_cannot_be_computed_are_counted_by_kind() {
    let body = [
        bare(" PAGEREF _Ref9 \\h"),
        bare("= 2*3"),
        simple("REF nowhere"),
        bare("PAGEREF b"),
        bare("EQ \\f(1"),
    ];
    let deleted = format!("<w:del>{}</w:del>", bare("PAGE"));
    let document = document_of(&runs(&format!("{}{}{deleted}", run("text"), body.concat())));
    assert_eq!(printed(&document), ["text"]);
    let warning = "'t.docx': 5 fields have no stored result and could not be computed: 1 =, 1 EQ, 2 PAGEREF, 1 REF";
    assert_eq!(document.warnings, [warning]);
}

#[test]
fn references_print_no_more_than_documents_do() {
    let long = "a".repeat(4_000);
    let bookmark = format!(
        "<w:p><w:bookmarkStart w:id=\"1\" w:name=\"b\"/>{}<w:bookmarkEnd w:id=\"1\"/></w:p>",
        run(&long)
    );
    // Twice as many as fit in 4 MiB.
    let references = format!("<w:p>{}</w:p>", simple("REF b")).repeat(2_100);
    let document = document_of(&(bookmark + &references));
    let bytes: usize = printed(&document).iter().map(String::len).sum();
    assert!((4 << 20..5 << 20).contains(&bytes), "{bytes}");
    assert!(document.warnings[0].contains("REF"), "{:?}", document.warnings);
}

#[test]
fn form_fields_print_what_was_chosen() {
    let form = |data: &str, kind: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData><w:name w:val=\"n\"/>{data}</w:ffData></w:fldChar></w:r>{}{}{}",
            code(kind),
            mark("separate"),
            mark("end")
        )
    };
    let entries = "<w:listEntry w:val=\"one\"/><w:listEntry w:val=\"two\"/>";
    for (inner, expected) in [
        (
            form("<w:checkBox><w:default w:val=\"0\"/><w:checked/></w:checkBox>", "FORMCHECKBOX"),
            "\u{2612}",
        ),
        (form("<w:checkBox><w:default w:val=\"1\"/></w:checkBox>", "FORMCHECKBOX"), "\u{2612}"),
        (
            form(
                "<w:checkBox><w:default w:val=\"1\"/><w:checked w:val=\"0\"/></w:checkBox>",
                "FORMCHECKBOX",
            ),
            "\u{2610}",
        ),
        (
            form(&format!("<w:ddList><w:result w:val=\"1\"/>{entries}</w:ddList>"), "FORMDROPDOWN"),
            "two",
        ),
        (
            form(
                &format!("<w:ddList><w:default w:val=\"1\"/>{entries}</w:ddList>"),
                " FORMDROPDOWN ",
            ),
            "two",
        ),
        (form(&format!("<w:ddList>{entries}</w:ddList>"), "FORMDROPDOWN"), "one"),
        (form("<w:ddList><w:result w:val=\"9\"/></w:ddList>", "FORMDROPDOWN"), ""),
        (form("<w:textInput><w:default w:val=\"d\"/></w:textInput>", "FORMTEXT"), ""),
    ] {
        assert_eq!(
            texts(&runs(&format!("{}{inner}{}", run("("), run(")")))),
            [format!("({expected})")],
            "{inner}"
        );
    }
}

#[test]
fn sequences_restart_at_headings() {
    let body = [
        runs(&bare("SEQ T \\s 1")),
        paragraph("Heading2", "1.1\tFirst"),
        runs(&bare("SEQ T \\s 1")),
        paragraph("Heading1", "2\tSecond"),
        runs(&bare("SEQ T \\s 1")),
    ];
    let document = document_of(&body.concat());
    let numbers: Vec<String> =
        document.sections.iter().map(|s| print_block(&s.blocks[0]).text).collect();
    assert_eq!(numbers, ["1", "2", "1"]);
}
