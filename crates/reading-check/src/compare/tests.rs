//! Checks of what bodies print against the sections of their reader.

use super::*;
use crate::{StyleRoles, walk_body};

const STYLES: &str = r#"<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="T1"><w:name w:val="toc 1"/></w:style></w:styles>"#;

/// A body with paragraphs of `style|markup of runs`.
fn body(prefix: &str, paragraphs: &[&str]) -> String {
    let (declared, colon) = match prefix {
        "" => ("xmlns".to_owned(), ""),
        prefix => (format!("xmlns:{prefix}"), ":"),
    };
    let name = |name: &str| format!("{prefix}{colon}{name}");
    let inner: String = paragraphs
        .iter()
        .map(|paragraph| {
            let (style, runs) = paragraph.split_once('|').expect("a style");
            let runs = runs.replace("[", "<").replace("]", ">").replace("w:", &name(""));
            let style = format!("<{} {}=\"{style}\"/>", name("pStyle"), name("val"));
            format!(
                "<{}><{}>{style}</{}>{runs}</{}>",
                name("p"),
                name("pPr"),
                name("pPr"),
                name("p")
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?><{} {declared}=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
         xmlns:m=\"math\" xmlns:mc=\"mc\">{inner}</{}>",
        name("document"),
        name("document")
    )
}

fn walked(prefix: &str, paragraphs: &[&str]) -> PrintedText {
    let mut printed = PrintedText::default();
    let styles = StyleRoles::read_styles(STYLES);
    walk_body(body(prefix, paragraphs).as_bytes(), &styles, &mut printed)
        .expect("memory is readable");
    printed
}

fn section<'a>(number: &'a str, title: &'a str, texts: &[&'a str]) -> StoredSection<'a> {
    StoredSection { number, title, texts: texts.to_vec() }
}

/// Checked and missing for words, headings and contents.
fn counts(printed: &PrintedText, sections: &[StoredSection<'_>]) -> [[u64; 2]; 3] {
    let checks = compare_text(Some(printed), sections);
    [0, 1, 2].map(|index: usize| [checks[index].checked, checks[index].missing])
}

const RUN: &str = "T1|[w:r][w:t]5.1[/w:t][w:tab/][w:t]General[/w:t][w:tab/][w:t]7[/w:t][/w:r]";

#[test]
fn a_text_that_was_read_whole_misses_nothing_whatever_the_prefix() {
    let paragraphs = [
        RUN,
        "H1|[w:r][w:t]5.1[/w:t][w:tab/][/w:r][w:r][w:t xml:space=\"preserve\"]General[/w:t][/w:r]",
        "x|[w:r][w:t]A split wo[/w:t][/w:r][w:r][w:t]rding &amp; &#x41;mpersand[/w:t][/w:r]",
    ];
    let stored = [section("5.1", "General", &["A split wording & Ampersand"])];
    for prefix in ["w", "", "ns0"] {
        let found = counts(&walked(prefix, &paragraphs), &stored);
        assert_eq!(found, [[4, 0], [1, 0], [1, 0]], "{prefix}");
    }
}

#[test]
fn lost_words_headings_and_entries_are_counted_and_named() {
    let printed = walked(
        "w",
        &[RUN, "H1|[w:r][w:t]5.1 General[/w:t][/w:r]", "x|[w:r][w:t]vanished vanished[/w:t][/w:r]"],
    );
    let stored = [section("5.1", "General", &["vanished"])];
    assert_eq!(counts(&printed, &stored), [[3, 1], [1, 0], [1, 0]]);
    let checks = compare_text(Some(&printed), &[section("5", "General", &[])]);
    assert_eq!(checks[0].examples, ["vanished"]);
    assert_eq!((checks[1].missing, checks[1].examples[0].as_str()), (1, "5.1 General"));
    assert_eq!((checks[2].missing, checks[2].examples[0].as_str()), (1, "5.1 General"));
}

#[test]
fn headings_are_compared_as_printed() {
    for (line, number, title, checked, missing) in [
        ("6.2B.1.3_1\tVariant", "6.2B.1.3_1", "Variant", 1, 0),
        ("6.2B.1.3_1\tVariant", "6.2B.1.3_1 Variant", "6.2B.1.3_1 Variant", 1, 1),
        ("6.2B.1.3_1\tVariant", "6.2B.1.3", "Variant", 1, 1),
        ("5.1. General", "5.1", "General", 1, 0),
        ("Annex A (normative):\tCauses", "A", "Causes", 1, 0),
        ("Annex Da Causes", "Da", "Causes", 1, 0),
        ("Annex B", "B", "", 1, 0),
        ("Annex <X>: Changes", "X", "Changes", 1, 0),
        ("Annex C(Informative): Causes", "C", "Causes", 1, 0),
        ("Annex D Causes (informative)", "D", "Causes (informative)", 1, 0),
        ("5.1 \u{394}RIB for CA", "5.1", "\u{394}R_IB for CA", 1, 0),
        ("3GPP terms", "3GPP terms", "3GPP terms", 0, 0),
        ("Foreword", "Foreword", "Foreword", 0, 0),
    ] {
        let runs = format!("H1|[w:r][w:t]{line}[/w:t][/w:r]");
        let found = counts(&walked("w", &[&runs]), &[section(number, title, &[])]);
        assert_eq!(found[1], [checked, missing], "{line} as {number}");
    }
}

#[test]
fn clauses_of_annexes_are_found_by_number_and_title() {
    let entry = "T1|[w:r][w:t]A.1[/w:t][w:tab/][w:t]General[/w:t][w:tab/][w:t]7[/w:t][/w:r]";
    let heading = "H1|[w:r][w:t]A.1[/w:t][w:tab/][w:t]General[/w:t][/w:r]";
    let printed = walked("w", &[entry, heading]);
    assert_eq!(counts(&printed, &[section("A.1", "General", &[])])[2], [1, 0]);
    assert_eq!(counts(&printed, &[section("A.2", "General", &[])])[2], [1, 1]);
}

#[test]
fn a_line_without_a_page_number_is_no_entry() {
    let notice = "T1|[w:r][w:t]Copyright of the partners[/w:t][/w:r]";
    let heading = "H1|[w:r][w:t]Copyright of the partners[/w:t][/w:r]";
    assert_eq!(counts(&walked("w", &[notice, heading]), &[])[2], [0, 0]);
}

#[test]
fn a_second_prefix_does_not_end_the_walk() {
    let lost = "x|[w:p xmlns:q=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"][/w:p][w:r][w:t]vanished[/w:t][/w:r]";
    assert_eq!(counts(&walked("w", &[lost]), &[])[0], [1, 1]);
}

#[test]
fn an_old_entry_of_the_table_of_contents_is_not_missed() {
    let found = counts(&walked("w", &[RUN]), &[section("5.1", "Renamed", &[])]);
    assert_eq!(found[2], [0, 0]);
}

#[test]
fn text_that_is_not_printed_is_not_missed() {
    for runs in [
        "x|[w:r][w:rPr][w:vanish/][/w:rPr][w:t]hidden[/w:t][/w:r]",
        "x|[w:moveFrom][w:r][w:t]moved[/w:t][/w:r][/w:moveFrom]",
        "x|[w:del][w:r][w:delText]deleted[/w:delText][/w:r][/w:del]",
        "x|[w:r][w:instrText]instruction[/w:instrText][/w:r]",
        "x|[mc:Fallback][w:r][w:t]repeated[/w:t][/w:r][/mc:Fallback]",
        "x|[m:r][m:t]formula[/m:t][/m:r]",
        "x|[w:txbxContent][w:p][w:r][w:t]labels[/w:t][/w:r][/w:p][/w:txbxContent]",
        "x|[w:r][w:t]Short K[/w:t][/w:r][w:r][w:rPr][w:vertAlign w:val=\"subscript\"/][/w:rPr][w:t]offs[/w:t][/w:r]",
    ] {
        let found = counts(&walked("w", &[runs]), &[section("1", "short", &[])]);
        assert_eq!(found[0][1], 0, "{runs}");
    }
}

#[test]
fn markup_that_ends_anywhere_is_walked_as_far_as_it_goes() {
    let whole = body("w", &["H1|[w:r][w:t]5.1 General &#xFFFFFFFF; &broken[/w:t][/w:r]", RUN]);
    let styles = StyleRoles::read_styles(STYLES);
    for end in 0..whole.len() {
        let mut printed = PrintedText::default();
        walk_body(&whole.as_bytes()[..end], &styles, &mut printed).expect("memory is readable");
        assert!(compare_text(Some(&printed), &[])[1].checked <= 1);
    }
}

/// Missing fields and characters.
fn lost_details(paragraphs: &[&str], texts: &[&str]) -> [u64; 2] {
    let checks = compare_text(Some(&walked("w", paragraphs)), &[section("1", "Scope", texts)]);
    [3, 4].map(|index: usize| checks[index].missing)
}

#[test]
fn results_of_fields_and_symbols_are_missed_where_the_text_is_stored_without_them() {
    const BEGIN: &str = "[w:r][w:t]See [/w:t][/w:r][w:r][w:fldChar w:fldCharType=\"begin\"/][/w:r]";
    const END: &str = "[w:r][w:fldChar w:fldCharType=\"end\"/][/w:r][w:r][w:t].[/w:t][/w:r]";
    let field = |code: &str, result: &str| {
        format!("x|{BEGIN}[w:r][w:instrText]{code}[/w:instrText][/w:r]{result}{END}")
    };
    let stored = "[w:r][w:fldChar w:fldCharType=\"separate\"/][/w:r][w:r][w:t]Annex[/w:t][/w:r]";
    let sign = "x|[w:r][w:t]See [/w:t][/w:r][w:r][w:sym w:font=\"Symbol\" w:char=\"F0B3\"/][/w:r][w:r][w:t].[/w:t][/w:r]";
    let deleted = "x|[w:r][w:t]See [/w:t][/w:r][w:del][w:r][w:sym w:char=\"F0B3\"/][/w:r][/w:del][w:r][w:t].[/w:t][/w:r]";
    let hidden = "x|[w:r][w:t]See [/w:t][/w:r][w:r][w:rPr][w:vanish/][/w:rPr][w:sym w:char=\"F0B3\"/][/w:r][w:r][w:t].[/w:t][/w:r]";
    let simple = "x|[w:fldSimple w:instr=\" REF a\"][/w:fldSimple][w:r][w:t]See .[/w:t][/w:r]";
    for (paragraph, text, lost) in [
        (field("REF a \\h", "").as_str(), "See .", [1, 0]),
        (&field("REF a \\h", ""), "See Annex.", [0, 0]),
        (&field("REF a \\h", stored), "See .", [0, 0]),
        (&field("XE \"index\"", ""), "See .", [0, 0]),
        (&field("PAGEREF a", ""), "See .", [0, 0]),
        (simple, "See .", [1, 0]),
        (sign, "See .", [0, 1]),
        (sign, "See \u{2265}.", [0, 0]),
        (sign, "See \u{FFFD}.", [0, 1]),
        (deleted, "See .", [0, 0]),
        (hidden, "See .", [0, 0]),
    ] {
        assert_eq!(lost_details(&[paragraph], &[text]), lost, "{paragraph} as {text}");
    }
    // The document also prints the paragraph that never had a sign.
    let plain = "x|[w:r][w:t]See .[/w:t][/w:r]";
    assert_eq!(lost_details(&[sign, plain], &["See \u{2265}.", "See ."]), [0, 0]);
    assert_eq!(lost_details(&[sign, plain], &["See .", "See ."]), [0, 1]);
}

#[test]
fn of_a_file_that_could_not_be_walked_only_the_characters_are_checked() {
    let checks = compare_text(None, &[section("5", "Scope", &["a \u{F0B3} b"])]);
    let found: Vec<_> = checks.iter().map(|check| (check.kind.as_str(), check.missing)).collect();
    assert_eq!(found, [("characters", 1)]);
}

#[test]
fn a_heading_that_begins_like_a_number_is_missed_if_its_section_has_none() {
    let heading = "H1|[w:r][w:t]5.1 General[/w:t][/w:r]";
    let unnumbered = section("5.1 General", "5.1 General", &[]);
    assert_eq!(counts(&walked("w", &[heading]), &[unnumbered])[1], [1, 1]);
}
