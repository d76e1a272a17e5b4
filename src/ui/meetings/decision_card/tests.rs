//! Decisions as cards: what they quote can be opened.

use super::*;
use wire::values::{AdoptionMatch, DecisionStanding};

fn source(source_key: Option<&str>, anchor: &str, last_anchor: &str) -> DecisionSource {
    DecisionSource {
        source_kind: DecisionSourceKind::MeetingReport,
        source_key: source_key.map(str::to_owned),
        title: "Report <of> the meeting".to_owned(),
        tdoc_id: None,
        anchor: Some(anchor.to_owned()),
        last_anchor: Some(last_anchor.to_owned()),
        page: Some(7),
    }
}

fn decision() -> DecisionRecord {
    DecisionRecord {
        decision_id: "R1-118-1".to_owned(),
        decision_type: DecisionType::Agreement,
        outcome: None,
        quote: "Support ~~narrow~~ beams".to_owned(),
        is_cut: false,
        end_uncertain: false,
        marker: None,
        agenda_item: None,
        heading: None,
        source: source(Some("meeting_report"), "Report #1.docx#p4", "Report #1.docx#p6"),
        also_in: vec![
            source(Some("session_notes 8 1"), "<b>\"notes.docx#p9", "<b>\"notes.docx#p9"),
            DecisionSource {
                tdoc_id: Some("R1-2400002".to_owned()),
                ..source(None, "R1-2400002.docx#p3", "R1-2400002.docx#p3")
            },
            source(None, "TDoc_List.xlsx#TDocs!r5", "TDoc_List.xlsx#TDocs!r5"),
        ],
        recorded_under: Some(DecisionTdoc {
            tdoc_id: "R1-2400001".to_owned(),
            title: None,
            doc_kind: None,
            status: None,
            official_url: None,
            changes: None,
        }),
        references: Vec::new(),
        adopts: vec![AdoptedProposal {
            tdoc_id: "R1-2400003".to_owned(),
            unit_id: "R1-2400003#u1".to_owned(),
            label: "Proposal 1".to_owned(),
            anchor: "R1-2400003.docx#p8".to_owned(),
            last_anchor: None,
            matched_by: AdoptionMatch::Label,
            score: 1.0,
        }],
        named_proposals: Vec::new(),
        left_out: Vec::new(),
        session: None,
        date: None,
        part_of: None,
        report_standing: ReportStanding::Final,
        standing: DecisionStanding::InForce,
        links: Vec::new(),
        register_agrees: None,
        relevance_score: None,
    }
}

/// The addresses of all links of a page, and their texts.
fn links(html: &str) -> Vec<(String, String)> {
    let links = html.split("<a ").skip(1).map(|link| {
        let (_, rest) = link.split_once("href=\"").expect("a link has an address");
        let (address, rest) = rest.split_once('"').expect("its end");
        let text = rest.split_once("</a>").expect("its end").0;
        (address.replace("&amp;", "&"), text.to_owned())
    });
    links.collect()
}

#[test]
fn every_anchor_of_a_decision_is_a_link_to_its_text() {
    let html = render_decision(&decision(), "R1-118").into_string();
    let back = "&back=%2Fmeeting%2FR1-118%2Fdecisions%2FR1-118-1#quote";
    let addresses: Vec<String> = links(&html).into_iter().map(|(address, _)| address).collect();
    for expected in [
        format!(
            "/meeting/R1-118/notes/meeting_report?anchor=Report+%231.docx%23p4\
            &last_anchor=Report+%231.docx%23p6{back}"
        ),
        format!(
            "/meeting/R1-118/notes/session_notes%208%201?anchor=%3Cb%3E%22notes.docx%23p9{back}"
        ),
        format!("/contributions/R1-2400002/text?anchor=R1-2400002.docx%23p3{back}"),
        "/contributions/R1-2400001".to_owned(),
        format!("/contributions/R1-2400003/text?anchor=R1-2400003.docx%23p8{back}"),
    ] {
        assert!(addresses.contains(&expected), "{expected}\n{addresses:#?}");
    }
    // Nothing that names a place is outside of a link.
    let outside =
        html.split("<a ").map(|part| part.split_once("</a>").map_or(part, |(_, rest)| rest));
    assert!(outside.into_iter().all(|text| !text.contains("<code")), "{html}");
    assert!(!html.contains("<b>") && !html.contains("<of>"), "{html}");
}

#[test]
fn a_doubtful_text_says_so_and_is_a_link_too() {
    let doubtful = DoubtfulDecisionRecord {
        decision_type: DecisionType::Agreement,
        reason: DecisionDoubt::BelowProposal,
        quote: "Support beams".to_owned(),
        marker: Some("Agreement".to_owned()),
        agenda_item: Some("8.1".to_owned()),
        recorded_under: None,
        source: source(Some("meeting_report"), "r.docx#p1", "r.docx#p2"),
        quotes: None,
    };
    let html = render_doubtful(&doubtful, "R1-118", "/meeting/R1-118?q=beams").into_string();
    assert!(html.contains("Not a decision: <strong>below a proposal</strong>"), "{html}");
    let expected = "/meeting/R1-118/notes/meeting_report?anchor=r.docx%23p1&last_anchor=r.docx%23p2\
        &back=%2Fmeeting%2FR1-118%3Fq%3Dbeams#quote";
    assert_eq!(links(&html)[0].0, expected);
}
