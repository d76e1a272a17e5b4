//! Tests of rows of histories.

use document_model::{CellParagraph, Table, TableCell, TableRow};

use super::*;

/// A table of rows; cells are divided by bars, `^` continues the cell above, `2*` before a text spans two columns.
fn table(rows: &[&str]) -> Block {
    let cell = |text: &str| {
        let text = text.trim();
        let (span, text) = text.strip_prefix("2*").map_or((1, text), |rest| (2, rest));
        let continues = text == "^";
        let text = if continues { "" } else { text };
        let line = |text: &str| CellParagraph { label: None, text: text.into() };
        TableCell { span, continues, paragraphs: text.split('/').map(line).collect() }
    };
    let row = |row: &&str| TableRow {
        is_head: false,
        skipped_columns: 0,
        cells: row.split('|').map(cell).collect(),
    };
    Block::Table(Table { caption: None, rows: rows.iter().map(row).collect() })
}

fn print(row: &HistoryRow) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let version = |value: &Option<Version>| value.map_or("-".to_owned(), |v| v.to_string());
    [
        text(&row.date),
        text(&row.meeting),
        row.tdocs.join("+"),
        text(&row.cr),
        text(&row.revision),
        text(&row.category),
        text(&row.subject),
        version(&row.old_version),
        version(&row.new_version),
    ]
    .join("|")
}

fn rows(blocks: &[Block]) -> Vec<String> {
    read_history(blocks).rows.iter().map(print).collect()
}

#[test]
fn layouts_of_all_years_are_read() {
    let modern = table(&[
        "Change history",
        "Date|Meeting|TDoc|CR|Rev|Cat|Subject, Comment|New version",
        "2024-03|RAN#103|RP-990001|0012|1|F|Correction of beams|18.1.0",
        "|RAN#103|RP-990002|0013|-|B|New beams|18.1.0",
        "2024-06|RAN#104|||||MCC clean-up|18.1.1",
    ]);
    assert_eq!(
        rows(&[modern]),
        [
            "2024-03|RAN#103|RP-990001|0012|1|F|Correction of beams|-|18.1.0",
            "2024-03|RAN#103|RP-990002|0013|-|B|New beams|-|18.1.0",
            "2024-06|RAN#104||-|-|-|MCC clean-up|-|18.1.1",
        ]
    );
    let old = table(&[
        "TSG SA#|SA Doc.|SA1 Doc|Spec|CR|Rev|Rel|Cat|Subject, Comment|Old|New|WI",
        "SP-05|SP-99479|S1-99610|22.911|0001||R99|D|Editorial|3.0.0|3.1.0|X",
    ]);
    let read = read_history(&[old]);
    assert_eq!(print(&read.rows[0]), "-|SP-05|SP-99479|0001|-|D|Editorial|3.0.0|3.1.0");
    assert_eq!(read.rows[0].group_tdoc.as_deref(), Some("S1-99610"));
    let versions_first = table(&[
        "TSG SA#|Version|CR|Tdoc SA|New Version|Subject, Comment",
        "SP-04|3.0.0|001|SP-99288|3.1.0|Alignment",
    ]);
    assert_eq!(rows(&[versions_first]), ["-|SP-04|SP-99288|001|-|-|Alignment|3.0.0|3.1.0"]);
}

#[test]
fn rows_of_another_layout_below_the_same_head_are_read_by_their_form() {
    let mixed = table(&[
        "Date|TSG #|TSG Doc.|CR|Rev|Subject, Comment|Old|New",
        "2008-12|CT#42|CP-080100|0001|1|First corrections|8.0.0|8.1.0",
        "2024-12|CT#106|CP-243200|4164|3|F|Later corrections|19.1.0",
    ]);
    assert_eq!(
        rows(&[mixed]),
        [
            "2008-12|CT#42|CP-080100|0001|1|-|First corrections|8.0.0|8.1.0",
            "2024-12|CT#106|CP-243200|4164|3|F|Later corrections|-|19.1.0",
        ]
    );
}

#[test]
fn one_odd_value_does_not_make_another_layout() {
    let odd = table(&[
        "TSG SA#|Version|CR|Tdoc SA|New Version|Subject, Comment",
        "SP-09|3.3.0|editorial|-|3.4.0|New names of releases",
        "08/2000|3.4.0||SP-17xxxxx|3.5.0|Mended",
    ]);
    assert_eq!(
        rows(&[odd]),
        [
            "-|SP-09||editorial|-|-|New names of releases|3.3.0|3.4.0",
            "2000-08|-|SP-17xxxxx|-|-|-|Mended|3.4.0|3.5.0",
        ]
    );
    let unnamed =
        table(&["Change history|Date|TSG #|Subject", "V18.0.0|2024-03|SP-103|First version"]);
    assert_eq!(rows(&[unnamed]), ["2024-03|SP-103||-|-|-|First version|-|18.0.0"]);
    let shared = table(&[
        "Date|Meeting|TDoc|2*CR|Rev|Cat|Subject, Comment|New version",
        "2020-09|SA#89|SP-200881|0028|5|F|2*Clarified|17.2.0",
    ]);
    let read = rows(&[shared]);
    assert_eq!(read, ["2020-09|SA#89|SP-200881|0028|5|F|Clarified|-|17.2.0"]);
}

#[test]
fn spans_merged_cells_and_several_documents_are_read() {
    let spanned = table(&[
        "Date|Meeting|2*TDoc|CR|Rev|Cat|Subject, Comment|New version",
        "2018-03|CT4#83|2*C4-182178/C4-182270||||Agreed changes|0.5.0",
        "^|^|2*C4-182300||||More|0.6.0",
        "||||||||",
        "2018-04|||||||",
    ]);
    let read = read_history(&[spanned]);
    assert_eq!(
        read.rows.iter().map(print).collect::<Vec<_>>(),
        [
            "2018-03|CT4#83|C4-182178+C4-182270|-|-|-|Agreed changes|-|0.5.0",
            "2018-03|CT4#83|C4-182300|-|-|-|More|-|0.6.0",
        ]
    );
    assert_eq!(read.unread, 1, "a date alone");
}

#[test]
fn rows_that_cannot_be_read_are_counted() {
    let headless = table(&["Change history", "2024-03|RAN#103|RP-990001|0012|1|F|Beams|18.1.0"]);
    assert_eq!(read_history(&[headless]), ChangeHistory { rows: Vec::new(), unread: 1 });
    let unknown = table(&["Who|Date|Meeting|Subject", "something|||"]);
    assert_eq!(read_history(&[unknown]), ChangeHistory { rows: Vec::new(), unread: 1 });
}

#[test]
fn histories_are_known_by_their_titles() {
    for (title, is) in [
        ("Change history", true),
        ("Annex Z (informative): Change History", true),
        ("History", true),
        ("Call history", false),
        ("Changes", false),
    ] {
        assert_eq!(is_history_title(title), is, "{title}");
    }
}

#[test]
fn a_row_needs_a_subject_a_change_request_or_a_version() {
    let head = "Date|Meeting|TDoc|CR|Rev|Cat|Subject, Comment|New version";
    for (row, is_read) in [
        ("2024-06|RAN#104|||||Only words|", true),
        ("2024-06|RAN#104||0014||||", true),
        ("2024-06|RAN#104||||||18.1.1", true),
        ("2024-06|RAN#104||||||", false),
    ] {
        let first = "2024-03|RAN#103|RP-990001|0012|1|F|Correction of beams|18.1.0";
        let expected = if is_read { 2 } else { 1 };
        assert_eq!(rows(&[table(&[head, first, row])]).len(), expected, "{row}");
    }
}

#[test]
fn a_row_with_one_known_heading_is_no_heading() {
    assert!(rows(&[table(&["Number|Comment|Owner", "1|Correction of beams|Somebody"])]).is_empty());
}

#[test]
fn a_single_column_of_versions_has_the_new_ones() {
    let history = table(&[
        "Date|Meeting|TDoc|CR|Rev|Cat|Subject, Comment|Old",
        "2024-03|RAN#103|RP-990001|0012|1|F|Correction of beams|18.1.0",
        // Without a date, no column but that of the version has the form of one.
        "|RAN#104|RP-990002|0013|-|B|New beams|18.2.0",
    ]);
    assert_eq!(
        rows(&[history]),
        [
            "2024-03|RAN#103|RP-990001|0012|1|F|Correction of beams|-|18.1.0",
            "-|RAN#104|RP-990002|0013|-|B|New beams|-|18.2.0",
        ]
    );
}
