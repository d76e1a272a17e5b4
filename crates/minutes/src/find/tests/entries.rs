//! Entries of documents, issues and tables as RAN4, RAN5, SA and CT write them.

use super::{find_in, pieces};
use domain::DecisionType::{self, Agreement, Conclusion, OpenItem};

/// The texts that are decided in a report of a meeting.
fn decided(cover: &str, lines: &[&str]) -> Vec<(DecisionType, String)> {
    let all: Vec<&str> = std::iter::once(cover).chain(lines.iter().copied()).collect();
    let found = find_in(&pieces(&all)).into_iter().filter(|found| found.outcome.is_none());
    found
        .filter(|found| found.kind.is_text() || found.kind == OpenItem)
        .map(|found| (found.kind, found.quote))
        .collect()
}

fn owned(expected: &[(DecisionType, &str)]) -> Vec<(DecisionType, String)> {
    expected.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect()
}

#[test]
fn agreements_of_ran4_end_where_the_next_issue_begins() {
    let issue = "Issue 1-1: Width of beams";
    for (lines, expected) in [
        (
            &[
                issue,
                "Proposals",
                "Option 1 (Nokia): wide",
                "Discussion",
                "Nokia: we like wide",
                "Agreement:",
                "Beams are wide.",
                "Issue 1-2: Rays",
                "Proposals",
                "Option 1: narrow",
            ][..],
            &[(Agreement, "Beams are wide.")][..],
        ),
        (
            &[
                issue,
                "Options",
                "Option 1 (Nokia, ZTE): wide",
                "Agreement: Beams are wide",
                "Sub-topic 1-2 Rays",
            ],
            &[(Agreement, "Beams are wide")],
        ),
        (
            &[issue, "GTW agreement:", "Beams are wide", "Nokia: fine", "Rays are narrow"],
            &[(Agreement, "Beams are wide")],
        ),
        (&[issue, "Recommended WF", "Beams are wide", "Agreement: Rays are narrow"], &[]),
        (&[issue, "Tentative agreements", "Beams are wide", "Rays are narrow"], &[]),
        (
            &[
                "In the last RAN4#98 meeting, we reached the following consensus as copied:",
                issue,
                "Agreement:",
                "Beams are wide",
            ],
            &[],
        ),
        (&["RAN1 #98bis (April-2030)", "Evaluations", "Agreement:", "Beams are wide"], &[]),
        (&["RAN4 #98 meeting (April-2030)", "Agreement:", "Beams are wide"], &[]),
        (&["tabs|R1-9900001 Beams", "Agreement:", "Beams are wide"], &[]),
    ] {
        assert_eq!(decided("3GPP TSG-RAN WG4 Meeting #99", lines), owned(expected), "{lines:?}");
    }
}

#[test]
fn the_secretary_concludes_above_the_decision() {
    let outcome = "Decision:\tThe document was noted.";
    for (lines, expected) in [
        (
            &[
                "tabs|R5-9900001 Beams",
                "Discussion:",
                "Example: beams are wide",
                "The width of beams is approved.",
                outcome,
            ][..],
            &[(Conclusion, "The width of beams is approved.")][..],
        ),
        (
            &["tabs|R5-9900001 Beams", "Discussion:", "the proposals are accepted.", outcome],
            &[(Conclusion, "the proposals are accepted.")],
        ),
        (&["tabs|R5-9900001 Beams", "Discussion:", "the proposal is accepted??", outcome], &[]),
        (
            &["tabs|R5-9900001 Beams", "Discussion:", "the work goes on with wide beams", outcome],
            &[],
        ),
        (
            &["tabs|R5-9900001 Beams", "Abstract:", "The width of beams shall be tested.", outcome],
            &[],
        ),
        (
            &["tabs|R5-9900001 Beams", "Discussion:", "first agreed, then r1 was shown.", outcome],
            &[],
        ),
    ] {
        assert_eq!(decided("3GPP TSG-RAN WG5 Meeting #99", lines), owned(expected), "{lines:?}");
    }
}

#[test]
fn plenaries_conclude_on_documents() {
    let lines = [
        "3GPP TSG-SA Meeting #99",
        "tabs|SP-990001 Beams",
        "Conclusion: approved",
        "tabs|SP-990002 Rays",
        "Decision:\tReturn to",
        "tabs|SP-990003 Waves",
        "Conclusion: The WID was revised to SP-990103.",
    ];
    let found = find_in(&pieces(&lines));
    let told: Vec<_> = found
        .iter()
        .map(|found| (found.recorded_under.as_ref().map(domain::TdocId::as_str), found.outcome))
        .collect();
    use domain::DocumentOutcome::{Approved, Revised};
    assert_eq!(told, [(Some("SP-990001"), Some(Approved)), (Some("SP-990003"), Some(Revised))]);
}
