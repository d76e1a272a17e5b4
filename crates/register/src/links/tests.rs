//! Remarks of registers, and what they link.

use super::*;
use crate::{Column, RegisterEntry};

fn links_of(text: &str) -> RegisterLinks {
    let mut links = RegisterLinks::default();
    add_links(text, &mut links);
    links
}

fn numbers(ids: &[TdocId]) -> String {
    ids.iter().map(|id| id.as_str().trim_start_matches("S2-99000")).collect::<Vec<_>>().join(" ")
}

#[test]
fn remarks_link_the_documents_that_they_assert() {
    // Revision of, revised to, merged into.
    for (text, expected) in [
        ("Revised to S2-9900012.", ["", "12", ""]),
        ("Revised in S2-9900012", ["", "12", ""]),
        ("Revised to TD S2\u{2011}9900012.", ["", "12", ""]),
        ("Revised at S2#191 in S2-9900012.", ["", "12", ""]),
        ("Revised off-line to S2-9900012. KI#3", ["", "12", ""]),
        ("This was left for off-line discussion and revised to S2-9900012.", ["", "12", ""]),
        ("e-mail revision 4 approved. Revised to S2-9900012.", ["", "12", ""]),
        ("Revised in parallel session, as 23.901 CR0007, to S2-9900012.", ["", "12", ""]),
        ("Revised (as TS 23.901, CR0007) to S2-9900012", ["", "12", ""]),
        ("Revised, merging S2-9900007, S2-9900008 and S2-9900009, to S2-9900012.", ["", "12", ""]),
        ("Revision of S2-9900001. Revised in parallel session to S2-9900012.", ["01", "12", ""]),
        ("Revision of (unhandled) S2-9900001 from SA WG2#190. Noted", ["01", "", ""]),
        ("Revision of Postponed P-CR S2-9900001. Confirm sources!", ["01", "", ""]),
        ("Revision of postponed S2-9900001 from S2#190", ["01", "", ""]),
        ("Revision of S2-9900001, S2-9900002 and S2-9900003", ["01 02 03", "", ""]),
        ("e-mail revision 11 (XY) of S2-9900001. Approved.", ["01", "", ""]),
        ("Revision of S2-9900005 (revision of noted S2-9900001 from S2#190)", ["05", "", ""]),
        ("Postponed S2-9900001 from S2#190. Response drafted in S2-9900033", ["01", "", ""]),
        ("Merged into S2-9900012 and S2-9900013. Merged into S2-9900012", ["", "", "12 13"]),
        ("WI Code incorrect! This was merged into to S2-9900012", ["", "", "12"]),
        ("Partially merged into S2-9900012 and revised in S2-9900013.", ["", "13", ""]),
        // What may happen, is denied or asked, and what links for another reason.
        ("Revised to S2-9900012?", ["", "", ""]),
        ("This has to be revised to S2-9900012", ["", "", ""]),
        ("If revised to S2-9900012, the cover must change", ["", "", ""]),
        ("Not merged into S2-9900012", ["", "", ""]),
        ("KI#1.1 conclusions - Merge into S2-9900012. Merge with S2-9900013?", ["", "", ""]),
        ("Postponed. See S2-9900012", ["", "", ""]),
        ("Revised accordingly, see the comments in S2-9900012", ["", "", ""]),
        ("Response to S2-9900001. Response drafted in S2-9900012. See S2-9900013", ["", "", ""]),
        ("Overlaps with the revision in S2-9900012", ["", "", ""]),
        ("Revised to S2-99000123456", ["", "", ""]),
        ("", ["", "", ""]),
    ] {
        let links = links_of(text);
        let read = [&links.revision_of, &links.revised_to, &links.merged_into];
        assert_eq!(read.map(|list| numbers(list)), expected, "{text}");
    }
}

#[test]
fn merged_documents_are_those_of_which_not_only_a_part_was_merged() {
    for (text, merged, into) in [
        ("Revised, merging S2-9900007 and part of S2-9900008, to S2-9900012.", "07", Some("12")),
        ("Revised to S2-9900012, merging S2-9900007 and S2-9900008 Baseline", "07 08", Some("12")),
        ("Revision of S2-9900001, merging S2-9900007, S2-9900008", "07 08", None),
        ("Revised, merging parts of S2-9900007, to S2-9900012.", "", None),
        ("Baseline. Merge S2-9900007", "", None),
    ] {
        let links = links_of(text);
        let ids: Vec<TdocId> = links.merged.iter().map(|merged| merged.tdoc.clone()).collect();
        assert_eq!(numbers(&ids), merged, "{text}");
        let of = links.merged.first().and_then(|merged| merged.into.clone());
        assert_eq!(of.map(|id| numbers(&[id])).as_deref(), into, "{text}");
    }
}

#[test]
fn an_outcome_directly_after_a_revision_is_that_of_the_revision() {
    for (text, expected) in [
        ("Revised to S2-9900012. Agreed.", Some(RegisterStatus::Agreed)),
        ("Revised to TD S2-9900012. Approved", Some(RegisterStatus::Approved)),
        ("Revised to S2-9900012. This was then noted.", Some(RegisterStatus::Noted)),
        ("Revised to S2-9900012, which was withdrawn.", Some(RegisterStatus::Withdrawn)),
        ("Revised to S2-9900012. Technically endorsed.", Some(RegisterStatus::Endorsed)),
        // Decided later by the plenary, about something else, or not at all.
        ("Revised to S2-9900012. Agreed in parallel session.", None),
        ("Revised to S2-9900012. Agreed to continue.", None),
        ("Revised to S2-9900012. Agreed?", None),
        ("Agreed. Revised to S2-9900012.", None),
        ("Revised to S2-9900012 and S2-9900013. Agreed.", None),
    ] {
        let outcome = links_of(text).revision_outcome;
        assert_eq!(outcome.map(|outcome| outcome.status), expected, "{text}");
    }
}

#[test]
fn results_that_name_the_next_document_are_statuses() {
    for (word, status) in [
        ("Revised to S2-9900012", Some(RegisterStatus::Revised)),
        ("Merged into S2-9900012", Some(RegisterStatus::Merged)),
        ("Merge into S2-9900012?", None),
        ("Handled", None),
    ] {
        assert_eq!(parse_linking_status(word), status, "{word}");
    }
}

#[test]
fn columns_of_a_register_take_precedence_over_its_remarks() {
    let entry = |texts: &[(Column, &str)]| RegisterEntry {
        line: 1,
        tdoc: "S2-9900005".to_owned(),
        url: None,
        reserved: None,
        uploaded: None,
        texts: texts.iter().map(|(column, text)| (*column, (*text).to_owned())).collect(),
    };
    let remark = "Revision of S2-9900005. Revision of S2-9900001. Revised to S2-9900012. Withdrawn";
    let links = entry(&[(Column::Remarks, remark)]).links();
    assert_eq!([&links.revision_of, &links.revised_to].map(|list| numbers(list)), ["01", "12"]);
    assert!(links.revision_outcome.is_some());
    let columns = [
        (Column::RevisionOf, "S2-9900003"),
        (Column::Status, "withdrawn"),
        (Column::Comment, remark),
    ];
    let links = entry(&columns).links();
    assert_eq!([&links.revision_of, &links.revised_to].map(|list| numbers(list)), ["", "12"]);
    assert_eq!(links.revision_outcome, None, "it is the outcome of the row itself");
}
