//! Links between decisions of several meetings, on invented texts.

use std::sync::Arc;

use super::*;
use crate::decision_remarks::find_remarks;
use domain::{DecisionDoubt, NotesKind, RecordedDecision};
use store::{DoubtfulRow, NotesDoubts, NotesRow};

use DecisionRelation::{
    CompletedBy, Completes, ConfirmedBy, Confirms, QuotedBy, Quotes, RevertedBy, Reverts,
    RevisedBy, Revises,
};
use DecisionType::{Agreement, OpenItem, WorkingAssumption};

const BEAMS: &str =
    "Beams are wide at least for all of the users in a cell of the network that have asked for it";
const RAYS: &str =
    "Rays are narrow and the counter of rays is reset at each handover of a user to another cell";

fn notes(meeting: &str) -> NotesRow {
    NotesRow {
        meeting: meeting.parse().expect("a meeting"),
        key: "meeting_report".to_owned(),
        kind: NotesKind::MeetingReport,
        title: "report".to_owned(),
        file: "report.docx".to_owned(),
        tdoc: None,
        version: None,
        rank: 0,
        is_final: true,
        hash: [0; 32],
        read_at: "2026-01-01T00:00:00Z".to_owned(),
        faults: Vec::new(),
        decisions: 0,
    }
}

fn row(position: usize, kind: DecisionType, quote: &str, part_of: Option<u32>) -> RecordedDecision {
    RecordedDecision {
        kind,
        outcome: None,
        marker: "Agreement".to_owned(),
        quote: quote.to_owned(),
        is_cut: false,
        anchor: format!("n.docx#p{position}"),
        last_anchor: format!("n.docx#p{position}"),
        page: None,
        agenda_item: Some("8.1".to_owned()),
        heading: None,
        recorded_under: None,
        references: Vec::new(),
        session: None,
        part_of,
    }
}

/// A meeting with decisions: their kinds and texts. An open item is a part of the decision before it.
fn meeting(
    name: &str,
    decisions: &[(DecisionType, &str)],
    doubts: NotesDoubts,
) -> (MeetingId, Arc<MeetingDecisions>) {
    let part_of = |position: usize, kind| {
        if kind == OpenItem { u32::try_from(position).ok()?.checked_sub(1) } else { None }
    };
    let rows = decisions.iter().enumerate();
    let rows = rows.map(|(at, (kind, text))| row(at, *kind, text, part_of(at, *kind))).collect();
    let all = MeetingDecisions::merge_sources(vec![notes(name)], vec![(rows, doubts)]);
    (name.parse().expect("a meeting"), Arc::new(all))
}

/// The relations of the first decision of the first meeting to those of the others, and whether it holds.
fn life_of(
    first: (DecisionType, &str),
    later: &[(DecisionType, &str)],
) -> (Vec<DecisionRelation>, DecisionStanding) {
    let meetings = [
        meeting("R1-98", &[first], NotesDoubts::default()),
        meeting("R1-99", later, NotesDoubts::default()),
    ];
    let life = DecisionLife::from_meetings(&meetings);
    let decision = &meetings[0].1.decisions[0];
    let relations = life.links_of(&decision.id).iter().map(|link| link.relation).collect();
    (relations, life.standing_of(decision, None))
}

#[test]
fn later_decisions_confirm_change_and_withdraw_earlier_ones() {
    use DecisionStanding::{InForce, Open, Reverted, Superseded};
    let quoting = |lead: &str| format!("{lead}\n{BEAMS}");
    for (kind, lead, relation, standing) in [
        (WorkingAssumption, "Confirm the following working assumption:", ConfirmedBy, InForce),
        (
            WorkingAssumption,
            "Confirm the following working assumption with the following update:",
            ConfirmedBy,
            Superseded,
        ),
        (Agreement, "Revise the agreement made in RAN1#98 as follows", RevisedBy, Superseded),
        (Agreement, "The following agreement is reverted:\nAgreement", RevertedBy, Reverted),
        (Agreement, "Send an LS with this:\nAgreement (RAN1#98)", QuotedBy, InForce),
    ] {
        let later = quoting(lead);
        assert_eq!(life_of((kind, BEAMS), &[(Agreement, &later)]), (vec![relation], standing));
    }
    let same = life_of((WorkingAssumption, BEAMS), &[(Agreement, BEAMS)]);
    assert_eq!(same, (vec![ConfirmedBy], InForce));
    assert_eq!(life_of((WorkingAssumption, BEAMS), &[(Agreement, RAYS)]), (vec![], Open));
}

#[test]
fn a_working_assumption_in_an_agreement_is_confirmed_with_it() {
    let agreement =
        format!("One of these is configured for a cell:\n- Alt 1 (Working Assumption): {BEAMS}");
    let later = format!("Confirm the following working assumption:\n{BEAMS}");
    let (relations, standing) = life_of((Agreement, &agreement), &[(Agreement, &later)]);
    assert_eq!((relations, standing), (vec![ConfirmedBy], DecisionStanding::InForce));
}

#[test]
fn what_is_not_certain_is_not_linked() {
    for later in [
        // Another meeting, another kind, another text, nothing decided.
        format!("Revise the agreement made in RAN1#97 as follows\n{BEAMS}"),
        format!("Confirm the following working assumption:\n{BEAMS}"),
        format!("The following agreement is reverted:\n{RAYS}"),
        format!("Discuss whether to revert the following agreement:\n{BEAMS}"),
        "The agreement is reverted.".to_owned(),
    ] {
        let (relations, standing) = life_of((Agreement, BEAMS), &[(Agreement, &later)]);
        assert_eq!((relations, standing), (vec![], DecisionStanding::InForce), "{later}");
    }
}

#[test]
fn links_lead_both_ways_with_the_words_that_prove_them() {
    let later = format!("The following agreement is reverted:\n{BEAMS}");
    let meetings = [
        meeting("R1-98", &[(Agreement, BEAMS)], NotesDoubts::default()),
        meeting("R1-99", &[(Agreement, &later)], NotesDoubts::default()),
    ];
    let life = DecisionLife::from_meetings(&meetings);
    let ids = meetings.each_ref().map(|(_, all)| all.decisions[0].id.clone());
    let (back, forth) = (&life.links_of(&ids[0])[0], &life.links_of(&ids[1])[0]);
    assert_eq!((back.relation, &back.other.decision), (RevertedBy, &ids[1]));
    assert_eq!((forth.relation, &forth.other.decision), (Reverts, &ids[0]));
    assert_eq!(back.words, "The following agreement is reverted:");
    assert_eq!(life.successor_of(&ids[0]).map(|other| &other.decision), Some(&ids[1]));
}

#[test]
fn the_decision_above_is_the_one_before_under_the_same_agenda_item() {
    let decisions = [(Agreement, BEAMS), (Agreement, "The above agreement is reverted.")];
    let meetings = [meeting("R1-99", &decisions, NotesDoubts::default())];
    let life = DecisionLife::from_meetings(&meetings);
    let first = &meetings[0].1.decisions[0];
    assert_eq!(life.standing_of(first, None), DecisionStanding::Reverted);
}

#[test]
fn words_below_a_decision_are_about_the_decision_itself() {
    for (text, standing) in [
        (format!("{BEAMS}\nThe above agreement is reverted."), DecisionStanding::Reverted),
        (format!("{BEAMS}\nThe above agreement can be reverted."), DecisionStanding::InForce),
    ] {
        let decisions = [(Agreement, RAYS), (Agreement, text.as_str())];
        let meetings = [meeting("R1-99", &decisions, NotesDoubts::default())];
        let life = DecisionLife::from_meetings(&meetings);
        let [before, own] = &meetings[0].1.decisions[..] else { panic!("two decisions") };
        assert_eq!(life.standing_of(before, None), DecisionStanding::InForce, "{text}");
        assert_eq!(life.standing_of(own, None), standing, "{text}");
    }
}

#[test]
fn a_named_meeting_and_topic_name_the_only_decision_on_it() {
    let later = "Confirm the working assumption made in RAN1#98 for wide beams at least.";
    for (first, others) in [
        (vec![(WorkingAssumption, BEAMS), (WorkingAssumption, RAYS)], vec![ConfirmedBy]),
        (
            vec![(WorkingAssumption, BEAMS), (WorkingAssumption, "Wide beams at least for all")],
            vec![],
        ),
    ] {
        let meetings = [
            meeting("R1-98", &first, NotesDoubts::default()),
            meeting("R1-99", &[(Agreement, later)], NotesDoubts::default()),
        ];
        let life = DecisionLife::from_meetings(&meetings);
        let links = life.links_of(&meetings[0].1.decisions[0].id).iter();
        assert_eq!(links.map(|link| link.relation).collect::<Vec<_>>(), others);
    }
}

#[test]
fn a_text_that_an_earlier_meeting_decided_is_a_quotation() {
    let short = "Beams are wide in all cells";
    let (first, later) = ([(Agreement, BEAMS), (Agreement, short)], [(Agreement, BEAMS)]);
    for (decisions, expected) in
        [(&later[..], true), (&[(Agreement, RAYS)], false), (&[(Agreement, short)], false)]
    {
        let meetings = [
            meeting("R1-98", &first, NotesDoubts::default()),
            meeting("R1-99", decisions, NotesDoubts::default()),
        ];
        let life = DecisionLife::from_meetings(&meetings);
        let [_, (id, all)] = &meetings;
        let decision = &all.decisions[0];
        assert_eq!(life.is_quotation(decision, None), expected, "{decisions:?}");
        assert_eq!(life.origin_of(id, &decision.row.anchor).is_some(), expected);
        assert!(!life.is_quotation(&meetings[0].1.decisions[0], None));
    }
}

#[test]
fn a_line_between_decisions_is_about_the_one_above_it() {
    use DecisionStanding::{InForce, Reverted, Superseded};
    let block = |position: usize, text: &str| store::TdocBlockRow {
        anchor: format!("n.docx#p{position}"),
        page: None,
        heading: None,
        text: text.to_owned(),
        changed: false,
    };
    for (line, standing) in [
        ("The above agreement is reverted.", Reverted),
        ("Decision: As per email of May 5th, above agreement is amended as below:", Superseded),
        ("The above agreement can be reverted.", InForce),
        ("Continue the discussion.", InForce),
    ] {
        let (id, all) =
            meeting("R1-99", &[(Agreement, BEAMS), (Agreement, RAYS)], NotesDoubts::default());
        let mut all = Arc::into_inner(all).expect("one owner");
        // The second decision begins at paragraph 1; the line is between the two.
        let blocks = [block(0, "Agreement"), block(7, line), block(1, "Agreement")];
        all.remarks = find_remarks(&blocks, &all.extents_in(0), id.group());
        let meetings = [(id, Arc::new(all))];
        let life = DecisionLife::from_meetings(&meetings);
        let [first, second] = &meetings[0].1.decisions[..] else { panic!("two decisions") };
        assert_eq!(life.standing_of(first, None), standing, "{line}");
        assert_eq!(life.standing_of(second, None), InForce, "{line}");
    }
}

#[test]
fn a_decision_on_another_topic_is_not_the_one_that_is_changed() {
    let table =
        "| Low | Mid | High |\n| 1 meter | 2 meters | 3 meters |\n| 10 dB | 20 dB | 30 dB |";
    let first = format!("The values between an aerial user and a normal user:\n{table}");
    let revise =
        |topic: &str| format!("Update the agreement on the values {topic} as follows.\n{table}");
    for (topic, relations) in [
        ("between an aerial user and a normal user", vec![RevisedBy]),
        ("between two aerial users", vec![]),
    ] {
        let (found, _) = life_of((Agreement, &first), &[(Agreement, &revise(topic))]);
        assert_eq!(found, relations, "{topic}");
    }
}

#[test]
fn an_open_item_is_answered_or_shares_the_fate_of_its_decision() {
    let open = "FFS: how the counter of rays is reset at each handover of a user in a cell";
    let whole = format!("{BEAMS}\n- {open}");
    for (later, relation) in [
        (format!("The following FFS is resolved:\n{open}"), Some(CompletedBy)),
        (format!("The following agreement is revised:\n{whole}"), None),
    ] {
        let meetings = [
            meeting("R1-98", &[(Agreement, &whole), (OpenItem, open)], NotesDoubts::default()),
            meeting("R1-99", &[(Agreement, &later)], NotesDoubts::default()),
        ];
        let life = DecisionLife::from_meetings(&meetings);
        let [agreement, item] = &meetings[0].1.decisions[..] else { panic!("two decisions") };
        let found = life.links_of(&item.id).first().map(|link| link.relation);
        assert_eq!(found, relation, "{later}");
        assert_eq!(life.standing_of(item, Some(agreement)), DecisionStanding::Superseded);
    }
}

#[test]
fn an_agreement_whose_open_item_is_answered_holds_unless_it_is_changed() {
    use DecisionStanding::{InForce, Superseded};
    for (by, standing) in
        [("by adopting the value 1", InForce), ("by updating the agreement as follows", Superseded)]
    {
        let later = format!("The FFS in RAN1#98 agreement is resolved {by}:\nAgreement\n{BEAMS}");
        let (relations, found) = life_of((Agreement, BEAMS), &[(Agreement, &later)]);
        assert_eq!((relations, found), (vec![CompletedBy], standing), "{by}");
    }
}

#[test]
fn a_doubtful_text_leads_to_the_decision_that_it_repeats() {
    let quoted = row(7, Agreement, BEAMS, None);
    let doubtful = vec![DoubtfulRow { reason: DecisionDoubt::QuotesDecision, decision: quoted }];
    let meetings = [
        meeting("R1-98", &[(Agreement, BEAMS)], NotesDoubts::default()),
        meeting("R1-99", &[(Agreement, RAYS)], NotesDoubts { doubtful, ..NotesDoubts::default() }),
    ];
    let life = DecisionLife::from_meetings(&meetings);
    let origin = life.origin_of(&meetings[1].0, "n.docx#p7").expect("an origin");
    assert_eq!(origin.decision, meetings[0].1.decisions[0].id);
}

#[test]
fn every_relation_has_an_inverse() {
    for (one, other) in [
        (Confirms, ConfirmedBy),
        (Revises, RevisedBy),
        (Reverts, RevertedBy),
        (Quotes, QuotedBy),
        (Completes, CompletedBy),
    ] {
        assert_eq!((one.inverse(), other.inverse()), (other, one));
    }
}
