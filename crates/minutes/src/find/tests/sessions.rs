//! Decisions of other sessions, by e-mail, of other meetings, by their style, and struck ones.

use super::*;

#[test]
fn what_was_decided_by_email_or_in_a_session_tells_when() {
    let found = find_in(&pieces(&[
        "R1-9900001",
        "Decision: As per email decision posted on Aug. 31st,",
        "green|Agreement",
        "Support beams.",
        "From Sept 1st GTW session",
        "green|Agreement:",
        "Support rays.",
        "Decision: As per email posted on Sept 3rd, the draft LS is endorsed. Final LS is approved in R1-9900002.",
        "R1-9900003",
        "According to the chair's email posted on Sept 4th the following is agreed:",
        "green|Agreements:",
        "Support waves.",
        "R1-9900004",
        "Decision: As per email decision posted on Sept 5th, the following is agreed:",
        "item|Support mirrors.",
    ]));
    let told: Vec<_> = found
        .iter()
        .map(|d| (d.kind, d.session.as_deref().unwrap_or("-"), d.anchor.replace("n.docx#", "")))
        .collect();
    let told: Vec<_> = told.iter().map(|(kind, when, at)| (*kind, *when, at.as_str())).collect();
    assert_eq!(
        told,
        [
            (Agreement, "e-mail, August 31", "p3"),
            (Agreement, "September 1", "p6"),
            (LiaisonStatement, "e-mail, September 3", "p8"),
            (Agreement, "e-mail, September 4", "p11"),
            (Agreement, "e-mail, September 5", "p14"),
        ]
    );
    assert!(found[4].quote.ends_with("Support mirrors."), "{}", found[4].quote);
}

#[test]
fn what_another_meeting_agreed_is_quoted_and_not_decided_again() {
    let cover = "3GPP TSG RAN WG1 #99";
    for lead in [
        "In RAN1#98, the following was agreed:",
        "Agreements made in RAN1#98-e",
        "Recall the following working assumption of RAN1#98bis:",
        "Agreements from RAN1#98:",
    ] {
        let quoted = [cover, lead, "green|Agreement", "Support beams."];
        assert_eq!(decisions_in(&quoted), [], "{lead}");
        let own = [&quoted[..], &["From Friday session", "green|Agreement", "Support rays."]];
        assert_eq!(decisions_in(&own.concat()).len(), 1, "{lead}");
    }
    assert_eq!(decisions_in(&[cover, "green|RAN2 agreement", "Support beams."]), []);
    assert_eq!(decisions_in(&[cover, "green|RAN1 agreement", "Support beams."]).len(), 1);
    let own = [cover, "In RAN1#99 the following was agreed:", "green|Agreement", "Support beams."];
    assert_eq!(decisions_in(&own).len(), 1);
}

#[test]
fn paragraphs_of_ran2_that_are_styled_as_agreements_are_decisions() {
    use DecisionType::Document;
    use domain::DecisionType;
    let lines = |cover| {
        [
            cover,
            "tabs|R2-9900001 On beams Example",
            "Proposal 1: Support wide beams.",
            "item|Example Inc. thinks that beams are narrow.",
            "style|item|Support wide beams",
            "style|item2|FFS: how wide",
            "style|item|Support rays",
            "Example Inc. asks what a ray is.",
            "style|item|[001] Revised in R2-9900002",
            "style|item|Proposal 2: Support waves.",
        ]
    };
    let found = decisions_in(&lines("3GPP TSG-RAN WG2 Meeting #99"));
    let found: Vec<_> = found.iter().map(|(kind, quote, _)| (*kind, quote.as_str())).collect();
    assert_eq!(
        found,
        [
            (Agreement, "Support wide beams\n  FFS: how wide"),
            (OpenItem, "FFS: how wide"),
            (Agreement, "Support rays"),
            (Document, "Revised in R2-9900002"),
        ]
    );
    assert_eq!(decisions_in(&lines("3GPP TSG RAN WG1 #99")), [], "RAN1 has the style for anything");
}

#[test]
fn a_conclusion_before_proposals_is_that_of_a_document() {
    let quoted =
        ["Beams are wide.", "Conclusion: Beams should be studied.", "Proposals:", "item|A"];
    assert_eq!(decisions_in(&quoted), []);
    let own = ["Beams are wide.", "Conclusion: Beams should be studied.", "R1-9900001"];
    assert_eq!(decisions_in(&own).len(), 1);
}

#[test]
fn what_is_struck_through_was_not_decided() {
    let found = decisions_in(&[
        "green|Agreement",
        "Support ~~wide~~ narrow beams.",
        "item|~~FFS: rays~~",
        "~~Working assumption:~~",
        "~~Support waves.~~",
        "",
        "~~Agreement~~",
        "Support mirrors.",
    ]);
    // Struck text at its end is not part of it.
    let quote = "Support ~~wide~~ narrow beams.";
    assert_eq!(found, [(Agreement, quote.to_owned(), "p1".to_owned())]);
    let taken_back = ["green|Agreement", "~~Support beams.~~", "item|~~FFS: rays~~", ""];
    assert!(decisions_in(&taken_back).is_empty());
}

#[test]
fn a_text_or_a_table_that_is_announced_belongs_to_the_decision() {
    let text = decisions_in(&[
        "green|Agreement",
        "Adopt the following TP for TS 38.901",
        "item|Reason for change: beams.",
        "******** Start of TP ********",
        "heading|5.1 Beams",
        "*** unchanged parts are omitted ***",
        "A beam is wide.",
        "******** End of TP ********",
        "Comeback for the cover sheet",
    ]);
    assert_eq!(text.len(), 1);
    assert!(text[0].1.ends_with("******** End of TP ********"), "{}", text[0].1);
    let mut announced = pieces(&[
        "green|Agreement",
        "The following table is agreed.",
        "Note: more values are not precluded.",
        "",
        "A beam has a width.",
    ]);
    let table = TablePiece {
        head: "| A | B |\n|---|---|".to_owned(),
        lines: vec![ParagraphPiece { ordinal: 6, column: Some(0), ..line(6, "A") }],
        ..TablePiece::default()
    };
    announced.push(Piece::Table(table));
    assert_eq!(find_in(&announced)[0].last_anchor, "n.docx#p6");
}
