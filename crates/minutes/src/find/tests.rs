//! Decisions in the forms of notes, on invented texts.

mod documents;
mod ends;
mod entries;
mod groups;
mod others;
mod proposals;
mod sessions;

use super::*;
use domain::{DecisionType, DocumentOutcome};
use word::{Highlight, ParagraphPiece, PieceKind, PieceRow, TablePiece};

fn visible_chars(text: &str) -> u32 {
    text.chars().filter(|c| !c.is_whitespace()).count() as u32
}

/// A paragraph as a line of a test: `green|`, `bold|`, `item|`, `item2|`, `heading|`, `tabs|`, `frame|` before it;
/// `word|` colours its first word, `late|` its last letter.
fn line(ordinal: u32, text: &str) -> ParagraphPiece {
    let mut line = ParagraphPiece { ordinal, ..ParagraphPiece::default() };
    let mut rest = text;
    while let Some((mark, after)) = rest.split_once('|') {
        match mark {
            "green" => {
                line.highlight = Some(Highlight::Green);
                line.highlight_chars = visible_chars(after);
            }
            "word" => {
                (line.highlight, line.highlight_chars) = (
                    Some(Highlight::Green),
                    visible_chars(after.split(' ').next().unwrap_or(after)),
                )
            }
            "late" => {
                (line.highlight, line.highlight_start) =
                    (Some(Highlight::Green), visible_chars(after) - 1)
            }
            "dark" => {
                line.highlight = Some(Highlight::DarkYellow);
                line.highlight_chars = visible_chars(after);
            }
            "ink" => line.is_green = true,
            "bold" => line.bold = true,
            "item" => line.kind = PieceKind::Item(1),
            "bullet" => {
                line.kind = PieceKind::Item(1);
                line.label = Some("-".to_owned());
            }
            "item2" => line.kind = PieceKind::Item(2),
            "heading" => line.kind = PieceKind::Heading(2),
            "heading3" => line.kind = PieceKind::Heading(3),
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

pub(crate) fn pieces(lines: &[&str]) -> Vec<Piece> {
    (1..).zip(lines).map(|(ordinal, text)| Piece::Paragraph(line(ordinal, text))).collect()
}

fn find_in(pieces: &[Piece]) -> Vec<RecordedDecision> {
    let read = read_minutes(
        pieces,
        &GrammarSet::builtin(),
        &|ordinal| format!("n.docx#p{ordinal}"),
        &|_| None,
    );
    read.decisions.into_iter().map(|read| read.decision).collect()
}

/// Kind, quote and first paragraph of each decision.
fn decisions_in(lines: &[&str]) -> Vec<(DecisionType, String, String)> {
    let found = find_in(&pieces(lines)).into_iter();
    found.map(|d| (d.kind, d.quote, d.anchor.replace("n.docx#", ""))).collect()
}

use DecisionType::{
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
        assert_eq!(decisions_in(&text), [], "{lines:?}");
    }
    // Text above a proposal is still a decision, and does not include the proposal.
    let found = decisions_in(&["green|Agreement", "Support beams.", "Proposal", "Support rays."]);
    assert_eq!(found, [(Agreement, "Support beams.".to_owned(), "p1".to_owned())]);
    for (cover, marker, count) in [
        ("3GPP TSG RAN WG1 #99", "green|Agreement (RAN1#99)", 1),
        ("3GPP TSG RAN WG1 #104-e", "green|Agreement (RAN1#104e)", 1),
        ("3GPP TSG RAN WG1 #118 bis", "green|Agreement (RAN1#118bis)", 1),
        ("3GPP TSG RAN WG1 #99", "green|RAN4#99 Agreement", 0),
    ] {
        assert_eq!(
            decisions_in(&[cover, marker, "Support rays"]).len(),
            count,
            "{cover}: {marker}"
        );
    }
}

#[test]
fn an_agreement_that_changes_an_earlier_one_quotes_it() {
    let found = decisions_in(&[
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
    let kinds: Vec<DecisionType> = found.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, [Agreement, Agreement]);
    let framed = decisions_in(&[
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
    let found = decisions_in(&[
        "green|Agreement",
        "The value remains unchanged.",
        "Note: this agreement does not hold for rays",
        "green|Agreement",
        "Support waves",
        "",
        "heading|9.2 Rays",
        "green|\u{17f}unday Agreement: Support all",
        "green|Agreement",
        "Support rays",
    ]);
    assert_eq!(found.iter().filter(|(kind, ..)| *kind == Agreement).count(), 4, "{found:?}");
}

#[test]
fn empty_paragraphs_end_a_decision_unless_the_text_goes_on() {
    let found = decisions_in(&[
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
    let framed = decisions_in(&[
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
    let started = decisions_in(&[
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
fn the_next_agenda_item_ends_a_text_that_has_no_end_of_its_own() {
    let lines = |heading: &'static str| {
        let text = ["heading|8.1 Beams", "green|Agreement", "Adopt the text below."];
        let omitted = ["< Unchanged parts are omitted >", "A beam is wide."];
        [&text[..], &omitted, &[heading, "Waves."]].concat()
    };
    for (heading, belongs) in [
        ("heading|8.2 Rays", false),
        ("heading|9 Waves", false),
        ("heading|5.2.1 Rays", true),
        ("heading|8.4 Rays", true),
    ] {
        let found = decisions_in(&lines(heading));
        assert_eq!(found[0].1.contains("Waves."), belongs, "{heading}");
    }
}

#[test]
fn tables_belong_to_the_decision_they_follow() {
    let mut text = pieces(&["green|Agreement", "Use the values:", ""]);
    text.push(Piece::Table(TablePiece {
        head: "| A | B |\n|---|---|".to_owned(),
        rows: vec![PieceRow { ordinal: 6, text: "| 1 | 2 |".to_owned(), ..PieceRow::default() }],
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
    let column = |ordinal, text: &str| ParagraphPiece { column: Some(0), ..line(ordinal, text) };
    let table = Piece::Table(TablePiece {
        head: "| Agreements |\n|---|".to_owned(),
        rows: vec![],
        lines: vec![
            column(2, "Agreements:"),
            column(3, "1 Support beams"),
            column(4, "2 Support rays"),
        ],
    });
    let mut text = vec![Piece::Paragraph(ParagraphPiece {
        has_tabs: true,
        ..line(1, "R2-9900001 Beams Example")
    })];
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
            (Noted, Some(DocumentOutcome::Noted), "R1-9900001"),
            (ChangeRequest, Some(DocumentOutcome::Agreed), "R1-9900002"),
            (LiaisonStatement, Some(DocumentOutcome::Approved), "R1-9900004"),
            (ChangeRequest, Some(DocumentOutcome::Agreed), "R1-9900006"),
            (DecisionType::Document, None, "R1-9900007"),
            (DecisionType::WayForward, Some(DocumentOutcome::Agreed), "R1-9900008"),
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
