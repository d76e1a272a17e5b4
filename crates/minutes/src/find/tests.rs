//! Decisions in the forms of notes, on texts of our own.

mod documents;
mod proposals;

use super::*;
use word::TableRow;

/// A paragraph as a line of a test: `green|`, `bold|`, `item|`, `item2|`, `heading|`, `tabs|`, `frame|` before it.
fn line(ordinal: u32, text: &str) -> Line {
    let mut line = Line { ordinal, ..Line::default() };
    let mut rest = text;
    while let Some((mark, after)) = rest.split_once('|') {
        match mark {
            "green" => line.highlight = Some(Highlight::Green),
            "dark" => line.highlight = Some(Highlight::DarkYellow),
            "bold" => line.bold = true,
            "item" => line.kind = LineKind::Item(1),
            "item2" => line.kind = LineKind::Item(2),
            "heading" => line.kind = LineKind::Heading(2),
            "tabs" => line.has_tabs = true,
            "frame" => line.frame = Some(1),
            "style" => line.is_agreement = true,
            _ => break,
        }
        rest = after;
    }
    line.text = rest.to_owned();
    line
}

fn pieces(lines: &[&str]) -> Vec<Piece> {
    (1..).zip(lines).map(|(ordinal, text)| Piece::Line(line(ordinal, text))).collect()
}

fn find_in(pieces: &[Piece]) -> Vec<RecordedDecision> {
    find(pieces, &|ordinal| format!("n.docx#p{ordinal}"), &|_| None)
}

/// Kind, quote and first paragraph of each decision.
fn told(lines: &[&str]) -> Vec<(DecisionKind, String, String)> {
    let found = find_in(&pieces(lines)).into_iter();
    found.map(|d| (d.kind, d.quote, d.anchor.replace("n.docx#", ""))).collect()
}

use DecisionKind::{
    Agreement, ChangeRequest, Conclusion, LiaisonStatement, Noted, OpenItem, WorkingAssumption,
};

#[test]
fn a_marker_takes_what_follows_to_the_next_marker_document_or_remark() {
    let found = find_in(&pieces(&[
        "3GPP TSG RAN WG1 #99",
        "heading|9.1 Beams",
        "tabs|R1-9900001 Views on beams Example",
        "tabs|R1-9900002 Summary #1 of beams Moderator (Example)",
        "From Thursday session",
        "green|Agreement",
        "Support beams:",
        "item|wide",
        "item2|FFS: how wide",
        "item|narrow",
        "bold|green|Agreement:",
        "See R1-9900001.",
        "",
        "Final summary in R1-9900003.",
        "This is no decision.",
    ]));
    assert_eq!(found.len(), 3);
    let agreement = &found[0];
    assert_eq!(agreement.quote, "Support beams:\nwide\n  FFS: how wide\nnarrow");
    assert_eq!(
        (agreement.anchor.as_str(), agreement.last_anchor.as_str()),
        ("n.docx#p6", "n.docx#p10")
    );
    assert_eq!(agreement.agenda_item.as_deref(), Some("9.1"));
    assert_eq!(agreement.heading.as_deref(), Some("Beams"));
    assert_eq!(agreement.recorded_under.as_ref().map(TdocId::as_str), Some("R1-9900002"));
    assert_eq!(agreement.session.as_deref(), Some("Thursday"));
    let open = &found[1];
    assert_eq!(
        (open.kind, open.quote.as_str(), open.part_of),
        (OpenItem, "FFS: how wide", Some(0))
    );
    let last = &found[2];
    assert_eq!(last.references.iter().map(TdocId::as_str).collect::<Vec<_>>(), ["R1-9900001"]);
}

#[test]
fn proposals_and_what_might_be_agreed_are_no_decisions() {
    for lines in [
        &["Possible agreements:", "item|Support beams", "item|FFS: rays"][..],
        &["Proposed agreement", "Support beams"],
        &["Proposal 1: Support beams", "FFS: rays"],
        &["green|Proposal", "Support beams"],
        &[
            "The document was presented by somebody.",
            "item|Agreement on beams is proposed",
            "item|FFS rays",
        ],
        &["heading|2 Previous agreements", "green|Agreement", "Support beams"],
        &["Agreements made in RAN1#98:", "Support beams"],
        &["green|RAN1#98 Agreement", "Support beams"],
        &["Proposal 1: The TP in R1-9900002 is endorsed."],
        &["Proposal 1:", "The draft CR in R1-9900002 is agreed."],
        &[
            "heading|Appendix: Agreements in RAN1#98",
            "tabs|R1-9800002 Beams Example",
            "green|Agreement",
            "Support beams",
        ],
        &["heading|2 Previous agreements", "The TP in R1-9800002 is endorsed."],
        &["green|Agreement (RAN1#98)", "Support beams", "", "green|Agreement", "Support rays"],
    ] {
        let mut text = vec!["3GPP TSG RAN WG1 #99"];
        text.extend(lines);
        assert_eq!(told(&text), [], "{lines:?}");
    }
    // What a proposal stands below is a decision still, and does not take the proposal in.
    let found = told(&["green|Agreement", "Support beams.", "Proposal", "Support rays."]);
    assert_eq!(found, [(Agreement, "Support beams.".to_owned(), "p1".to_owned())]);
    for (cover, marker, count) in [
        ("3GPP TSG RAN WG1 #99", "green|Agreement (RAN1#99)", 1),
        ("3GPP TSG RAN WG1 #104-e", "green|Agreement (RAN1#104e)", 1),
        ("3GPP TSG RAN WG1 #118 bis", "green|Agreement (RAN1#118bis)", 1),
        ("3GPP TSG RAN WG1 #99", "green|RAN4#99 Agreement", 0),
    ] {
        assert_eq!(told(&[cover, marker, "Support rays"]).len(), count, "{cover}: {marker}");
    }
}

#[test]
fn an_agreement_that_changes_an_earlier_one_quotes_it() {
    let found = told(&[
        "3GPP TSG RAN WG1 #99",
        "green|Agreement",
        "The agreement of RAN1#98 is revised as follows:",
        "green|RAN1#98 Agreement",
        "Support beams",
        "green|Agreement",
        "Confirm the following working assumption.",
        "dark|Working assumption",
        "Support rays",
    ]);
    let kinds: Vec<DecisionKind> = found.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, [Agreement, Agreement]);
    let framed = told(&[
        "green|Agreement",
        "Confirm the working assumption that beams are wide.",
        "green|frame|Agreement",
        "frame|Support beams.",
        "item|frame|FFS: rays",
    ]);
    assert_eq!(framed.len(), 1, "{framed:?}");
    assert!(found[0].1.ends_with("RAN1#98 Agreement\nSupport beams"), "{}", found[0].1);
    assert!(found[1].1.ends_with("Working assumption\nSupport rays"), "{}", found[1].1);
}

#[test]
fn a_text_that_mentions_an_agreement_does_not_swallow_the_next_one() {
    let found = told(&[
        "green|Agreement",
        "The value remains unchanged.",
        "Note: this agreement does not hold for rays",
        "green|Agreement",
        "Support waves",
        "",
        "heading|9.2 Rays",
        "\u{17f}unday Agreement: Support all",
        "green|Agreement",
        "Support rays",
    ]);
    assert_eq!(found.iter().filter(|(kind, ..)| *kind == Agreement).count(), 4, "{found:?}");
}

#[test]
fn empty_paragraphs_end_a_decision_unless_the_text_goes_on() {
    let found = told(&[
        "green|Agreement",
        "",
        "The angle is given by",
        "$a=b$",
        "",
        "where b is the other angle.",
        "",
        "Note: angles are small.",
        "",
        "bold|Rays",
        "Conclusion",
        "Continue study of rays.",
    ]);
    assert_eq!(found.len(), 2);
    assert!(found[0].1.ends_with("Note: angles are small."), "{}", found[0].1);
    assert_eq!(found[1], (Conclusion, "Continue study of rays.".to_owned(), "p11".to_owned()));
}

#[test]
fn texts_for_a_specification_belong_to_the_decision_with_their_titles() {
    let framed = told(&[
        "green|Agreement",
        "Adopt the text below.",
        "frame|bold|5.1 Beams",
        "frame|Conclusion of the text",
        "frame|",
        "frame|FFS: this is the specification's",
        "",
        "bold|Rays",
    ]);
    assert_eq!(framed.len(), 1);
    assert!(framed[0].1.ends_with("FFS: this is the specification's"), "{}", framed[0].1);
    let started = told(&[
        "green|Agreement",
        "Adopt the text:",
        "---- Start of the text proposal ----",
        "heading|5.1 Beams",
        "",
        "A beam is wide.",
        "---- End of the text proposal ----",
        "",
        "Rays are discussed.",
    ]);
    assert_eq!(started.len(), 1);
    assert!(started[0].1.contains("5.1 Beams\nA beam is wide."), "{}", started[0].1);
    assert!(!started[0].1.contains("Rays"), "{}", started[0].1);
}

#[test]
fn tables_belong_to_the_decision_they_follow() {
    let mut text = pieces(&["green|Agreement", "Use the values:", ""]);
    text.push(Piece::Table(TablePiece {
        head: "| A | B |\n|---|---|".to_owned(),
        rows: vec![TableRow { ordinal: 6, text: "| 1 | 2 |".to_owned(), ..TableRow::default() }],
        lines: vec![line(4, "A"), line(7, "FFS")],
    }));
    text.extend(pieces(&["", "green|Agreement", "Support rays"]));
    let found = find_in(&text);
    assert_eq!(found[0].quote, "Use the values:\n| A | B |\n|---|---|\n| 1 | 2 |");
    assert_eq!(found[0].last_anchor, "n.docx#p7");
    assert_eq!(found.len(), 2, "what is open in a cell is no decision of its own");
}

#[test]
fn a_box_headed_agreements_is_a_decision() {
    let column = |ordinal, text: &str| Line { column: Some(0), ..line(ordinal, text) };
    let table = Piece::Table(TablePiece {
        head: "| Agreements |\n|---|".to_owned(),
        rows: vec![],
        lines: vec![
            column(2, "Agreements:"),
            column(3, "1 Support beams"),
            column(4, "2 Support rays"),
        ],
    });
    let mut text =
        vec![Piece::Line(Line { has_tabs: true, ..line(1, "R2-9900001 Beams Example") })];
    text.push(table);
    let found = find_in(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].kind, found[0].quote.as_str()),
        (Agreement, "1 Support beams\n2 Support rays")
    );
    assert_eq!(found[0].recorded_under.as_ref().map(TdocId::as_str), Some("R2-9900001"));
}

#[test]
fn documents_have_their_outcomes() {
    let found = find_in(&pieces(&[
        "tabs|R1-9900001 Views on beams Example",
        "Decision: The document is noted.",
        "tabs|R1-9900002 CR on beams Example",
        "green|Decision: The document is noted and agreed as CR0007 to 36.901 in R1-9900003.",
        "tabs|R1-9900004 [Draft] LS on beams Example",
        "green|Friday decision: The draft LS is endorsed. Final LS is approved in R1-9900005.",
        "green|tabs|R1-9900006 CR on rays Example",
        "MCC: Fix the number.",
        "(Rel-18, 38.901, NAME-Core, CR0008, Cat F) is agreed.",
        "green|tabs|R1-9900007 Draft agenda Example",
        "tabs|R1-9900008 Way forward on beams Example",
        "=> Agreed",
    ]));
    let told: Vec<_> = found
        .iter()
        .map(|d| (d.kind, d.outcome, d.recorded_under.as_ref().map_or("", TdocId::as_str)))
        .collect();
    assert_eq!(
        told,
        [
            (Noted, Some(Outcome::Noted), "R1-9900001"),
            (ChangeRequest, Some(Outcome::Agreed), "R1-9900002"),
            (LiaisonStatement, Some(Outcome::Approved), "R1-9900004"),
            (ChangeRequest, Some(Outcome::Agreed), "R1-9900006"),
            (DecisionKind::Document, None, "R1-9900007"),
            (DecisionKind::WayForward, Some(Outcome::Agreed), "R1-9900008"),
        ]
    );
    assert_eq!(found[2].session.as_deref(), Some("Friday"));
}

#[test]
fn assumptions_inside_an_agreement_are_told_as_its_parts() {
    let found = find_in(&pieces(&[
        "green|Agreement",
        "Support an identity:",
        "item|dark|[Working Assumption]",
        "item2|dark|It is configured",
        "item|Others are not",
    ]));
    let told: Vec<_> = found.iter().map(|d| (d.kind, d.part_of)).collect();
    assert_eq!(told, [(Agreement, None), (WorkingAssumption, Some(0))]);
    assert_eq!(found[1].quote, "[Working Assumption]\n  It is configured");
}

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
        assert_eq!(told(&quoted), [], "{lead}");
        let own = [&quoted[..], &["From Friday session", "green|Agreement", "Support rays."]];
        assert_eq!(told(&own.concat()).len(), 1, "{lead}");
    }
    assert_eq!(told(&[cover, "green|RAN2 agreement", "Support beams."]), []);
    assert_eq!(told(&[cover, "green|RAN1 agreement", "Support beams."]).len(), 1);
    let own = [cover, "In RAN1#99 the following was agreed:", "green|Agreement", "Support beams."];
    assert_eq!(told(&own).len(), 1);
}

#[test]
fn paragraphs_of_ran2_that_are_styled_as_agreements_are_decisions() {
    use DecisionKind::Document;
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
    let found = told(&lines("3GPP TSG-RAN WG2 Meeting #99"));
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
    assert_eq!(told(&lines("3GPP TSG RAN WG1 #99")), [], "RAN1 has the style for anything");
}

#[test]
fn a_conclusion_before_proposals_is_that_of_a_document() {
    let quoted =
        ["Beams are wide.", "Conclusion: Beams should be studied.", "Proposals:", "item|A"];
    assert_eq!(told(&quoted), []);
    let own = ["Beams are wide.", "Conclusion: Beams should be studied.", "R1-9900001"];
    assert_eq!(told(&own).len(), 1);
}

#[test]
fn what_is_struck_through_was_not_decided() {
    let found = told(&[
        "green|Agreement",
        "Support ~~wide~~ narrow beams.",
        "item|~~FFS: rays~~",
        "~~Working assumption:~~",
        "~~Support waves.~~",
        "",
        "~~Agreement~~",
        "Support mirrors.",
    ]);
    let quote = "Support ~~wide~~ narrow beams.\n~~FFS: rays~~";
    assert_eq!(found, [(Agreement, quote.to_owned(), "p1".to_owned())]);
}

#[test]
fn a_text_or_a_table_that_is_announced_belongs_to_the_decision() {
    let text = told(&[
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
        lines: vec![Line { ordinal: 6, column: Some(0), ..line(6, "A") }],
        ..TablePiece::default()
    };
    announced.push(Piece::Table(table));
    assert_eq!(find_in(&announced)[0].last_anchor, "n.docx#p6");
}
