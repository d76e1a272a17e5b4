//! Covers, title pages, and heads of meeting documents.

use crate::cover::*;

fn cover(lines: &[&str]) -> CoverPage {
    read_cover(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
}

#[test]
fn a_cover_is_read_without_its_groups() {
    let cover = cover(&[
        "3GPP TS 38.331 V18.0.0 (2023-12)",
        "Technical Specification",
        "3rd Generation Partnership Project;",
        "Technical Specification Group Radio Access Network;",
        "NR;",
        "Radio Resource Control (RRC) protocol specification",
        "(Release 18)",
        "The present document has been developed",
    ]);
    assert_eq!(cover.number.expect("number").as_str(), "38.331");
    assert_eq!(cover.doc_type, Some(DocType::Specification));
    assert_eq!(cover.version.expect("version").to_string(), "18.0.0");
    assert_eq!(cover.date.as_deref(), Some("2023-12"));
    assert_eq!(cover.release, Some(Release(18)));
    assert_eq!(
        cover.title.as_deref(),
        Some("NR; Radio Resource Control (RRC) protocol specification")
    );
}

#[test]
fn drafts_reports_and_lines_run_together_are_read() {
    let cover = cover(&[
        "3GPP TR 23.854 1.3.0 (2011-04)",
        "Technical Report",
        "3rd Generation Partnership Project;",
        "Technical Specification Group Services and System Aspects Priority (Release 11)",
    ]);
    assert_eq!(cover.doc_type, Some(DocType::Report));
    assert_eq!(cover.version.expect("version").to_string(), "1.3.0");
    assert_eq!(cover.title.as_deref(), Some("Priority"));
    let cover = crate::cover::tests::cover(&["3GPP TS38.101-1 V18.2.0 (2023-06)"]);
    assert_eq!(cover.number.expect("number").as_str(), "38.101-1");
}

#[test]
fn the_working_methods_of_groups_are_a_title() {
    let cover = cover(&[
        "3rd Generation Partnership Project;",
        "Technical Specification Group Services and System Aspects;",
        "Technical Specification Group working methods",
        "(Release 18)",
    ]);
    assert_eq!(cover.title.as_deref(), Some("Technical Specification Group working methods"));
}

#[test]
fn a_page_without_a_cover_says_nothing() {
    assert_eq!(cover(&["1\tScope", "see TS 23.501 for 1.2.3.4"]).version, None);
    assert_eq!(parse_date("(2023-13)"), None);
}

const TITLE_PAGE: [&str; 8] = [
    "3GPP TS 38.331 V18.0.0 (2023-12)",
    "Technical Specification",
    "3rd Generation Partnership Project;",
    "Technical Specification Group Radio Access Network;",
    "NR;",
    "(Release 18)",
    "650 Route des Lucioles - Sophia Antipolis",
    "Contents",
];

#[test]
fn title_pages_are_known_by_their_layout() {
    assert!(cover(&TITLE_PAGE).is_title_page);
    for first in [
        "3GPP TS38.331 V18.0.0 (2023-12)",
        "TS 38.331 V 18.0.0 (2023-12)",
        "3GPP TR 38.831 0.1.0 (2023-12)",
    ] {
        let mut lines = TITLE_PAGE;
        lines[0] = first;
        assert!(cover(&lines).is_title_page, "{first}");
    }
    let stamped: Vec<&str> = ["", "ARIB STD-T104", ""].into_iter().chain(TITLE_PAGE).collect();
    assert!(cover(&stamped).is_title_page);
    for left_out in [0, 1, 2, 5] {
        let mut lines = TITLE_PAGE.to_vec();
        lines.remove(left_out);
        assert!(!cover(&lines).is_title_page, "without {}", TITLE_PAGE[left_out]);
    }
}

#[test]
fn texts_that_cite_a_specification_have_no_title_page() {
    let reference = "3GPP TS 38.133 V19.4.0 (2026-03)";
    let texts: [&[&str]; 6] = [
        &["3GPP TSG-RAN WG4 Meeting #118", "R4-2601234", "References", reference],
        &["Discussion", "1 Introduction", "2 References", reference, "Technical Specification"],
        &[reference],
        &["[1] 3GPP TS 38.133 V19.4.0 (2026-03)", "Technical Report", "(Release 19)"],
        &["Summary of TS 38.133 V19.4.0 (2026-03)", "Technical Specification", "(Release 19)"],
        &[
            reference,
            "1 Scope",
            "3rd Generation Partnership Project",
            "Technical Report",
            "Release 19",
        ],
    ];
    for text in texts {
        assert!(!cover(text).is_title_page, "{text:?}");
    }
    // A contribution that brings a whole cover along, below its own head or above it.
    for head in
        ["3GPP TSG RAN WG2 #125 R2-2401234", "R2-2401234", "TSG-RAN Working Group 2 meeting #1"]
    {
        let lines: Vec<&str> = [head].into_iter().chain(TITLE_PAGE).collect();
        assert!(!cover(&lines).is_title_page, "{head}");
        let mut lines = TITLE_PAGE.to_vec();
        lines.insert(1, head);
        assert!(!cover(&lines).is_title_page, "{head}");
    }
}

#[test]
fn heads_of_meeting_documents_are_known() {
    let head = |lines: &[&str]| cover(lines).meeting_head;
    for line in ["3GPP TSG-RAN WG1 Meeting #118 R1-2405780", "R1-2405780", "Tdoc R1-2405780 (rev)"]
    {
        assert_eq!(head(&[line]).as_deref(), Some("R1-2405780"), "{line}");
    }
    let line = "SA WG2 Meeting #160";
    assert_eq!(head(&[line, "Goteborg"]).as_deref(), Some(line));
    assert_eq!(head(&["This text was agreed in R1-2405780 and is the base of what follows"]), None);
    assert_eq!(head(&TITLE_PAGE), None);
}

#[test]
fn a_release_is_read_wherever_a_cover_prints_it() {
    for (line, release) in [
        ("(Release 18)", Some(18)),
        ("Release 1999", Some(3)),
        ("(Release 17 )", Some(17)),
        ("(Release-19)", Some(19)),
        ("(Rel-20)", Some(20)),
        ("(3GPP Release 18)", Some(18)),
        ("Study on priority (Release 11)", Some(11)),
        ("Study on priority (Rel-11); Stage 2", Some(11)),
        ("Release 15 Description; Summary of Rel-15 Work Items", None),
        ("Release planning (Release notes)", None),
    ] {
        let cover = cover(&["3GPP TR 21.915 V0.1.0 (2018-03)", "Technical Report", line]);
        assert_eq!(cover.release, release.map(Release), "{line}");
    }
}

#[test]
fn a_title_may_begin_with_a_release_and_needs_neither_project_nor_release() {
    let lines = |middle: &[&'static str]| {
        let mut lines = vec!["3GPP TR 21.915 V15.0.0 (2019-09)", "Technical Report"];
        lines.extend(middle);
        cover(&lines).title
    };
    let title = "Release 15 Description; Summary of Rel-15 Work Items";
    let project = "3rd Generation Partnership Project;";
    assert_eq!(lines(&[project, title, "(Release 15)"]).as_deref(), Some(title));
    assert_eq!(
        lines(&["Fictional system; Stage 2", "(Release 15)"]).as_deref(),
        Some("Fictional system; Stage 2")
    );
    assert_eq!(
        lines(&[
            project,
            "NR; Overview",
            "The present document has been developed",
            "Postal address"
        ])
        .as_deref(),
        Some("NR; Overview")
    );
    assert_eq!(lines(&["(Release 15)"]), None);
}

#[test]
fn the_line_of_identity_is_known_at_the_beginning_only() {
    let begins = |lines: &[&str]| begins_with_identity(lines.iter().copied(), &cover(lines));
    assert!(begins(&["", "3GPP TS 38.331 V18.0.0 (2023-12)", "Technical Specification"]));
    assert!(!begins(&["Comments on 3GPP TS 38.331 V18.0.0 (2023-12)", "1 Introduction"]));
}
