//! One printed example for each edge of the table: the paragraphs lead to the state, and the last one is the event.

use super::*;
use crate::find::tests::pieces;
use Action::{
    Append, AppendAndClose, AppendQuoted, Close, CloseBody, Doubt, DoubtLine, Open, OpenStyled,
    Record, Skip,
};
use DecisionDoubt::{
    BelowProposal, ListItem, OfflineDiscussion, OtherMeeting, QuotedDocument, QuotesDecision,
    Uncolored, UnverifiedForm,
};
use domain::DecisionDoubt;

const RAN1: &str = "3GPP TSG RAN WG1 #99";
const RAN2: &str = "3GPP TSG RAN WG2 Meeting #99";
/// Two coloured agreements: these notes use colours.
const COLOURED: [&str; 6] = ["green|Agreement", "A.", "", "green|Agreement", "B.", ""];

/// State, event, action, next state, and the paragraphs after the cover.
type Edge = (State, Event, Action, State, &'static [&'static str]);

const DOCUMENT: &str = "tabs|R1-9900001 Views on beams Example";

#[rustfmt::skip]
const EDGES: &[Edge] = &[
    // Events that end everything.
    (State::Decision, Event::Heading, Close, State::Meeting, &["green|Agreement", "A.", "heading|9 Rays"]),
    (State::EarlierAgreements, Event::Heading, Close, State::Meeting, &["green|RAN1#98 Agreement", "heading|9 Rays"]),
    (State::Decision, Event::Session, Close, State::AfterOutcome, &["green|Agreement", "A.", "From Thursday session"]),
    (State::EarlierText, Event::Session, Close, State::AfterOutcome, &["In RAN1#98 the following was agreed:", "A.", "Thursday"]),
    (State::Decision, Event::Thread, Close, State::Meeting, &["green|Agreement", "A.", "[99-e-Rays-01] Somebody (Example)"]),
    (State::Decision, Event::Document, Close, State::DocumentLine, &["green|Agreement", "A.", DOCUMENT]),
    (State::EarlierAgreements, Event::Document, Close, State::DocumentLine, &["green|RAN1#98 Agreement", DOCUMENT]),
    (State::Decision, Event::NamedDocument, AppendAndClose, State::DocumentLine, &["green|Agreement", "Final LS is approved in:", DOCUMENT]),
    (State::Decision, Event::ListedDocument, Append, State::Decision, &["green|Agreement", "Final CRs in:", DOCUMENT]),
    (State::DocumentContent, Event::Outcome, Record, State::AfterOutcome, &[DOCUMENT, "Beams are wide.", "Decision: The document is noted."]),
    (State::EarlierText, Event::Outcome, Record, State::AfterOutcome, &["In RAN1#98 the following was agreed:", "A.", "Decision: Noted."]),
    (State::DocumentLine, Event::LeadingOutcome, Record, State::Decision, &[DOCUMENT, "Decision: The following is agreed:"]),
    (State::EarlierText, Event::EmailLead, Close, State::AfterOutcome, &["In RAN1#98 the following was agreed:", "A.", "As per email decision posted on May 1st,", "green|Agreement"]),
    // Text.
    (State::Decision, Event::QuotedMarker, AppendQuoted, State::Decision, &["green|Agreement", "Confirm the following working assumption:", "dark|Working assumption"]),
    (State::Decision, Event::OtherMarker, AppendQuoted, State::Decision, &["green|Agreement", "This is updated:", "green|RAN1#98 Agreement"]),
    (State::Decision, Event::Text, Append, State::Decision, &["green|Agreement", "A."]),
    (State::Decision, Event::Body, Append, State::Decision, &["green|Agreement", "Proposal 1: is agreed"]),
    (State::Decision, Event::EarlierLead, Close, State::EarlierLead, &["green|Agreement", "A.", "In RAN1#98 the following was agreed:"]),
    (State::Decision, Event::ColouredItemMarker, Append, State::Decision, &["green|Agreement", "A.", "bullet|dark|Working assumption: B"]),
    (State::Decision, Event::PlainItemMarker, Append, State::Decision, &["green|Agreement", "A.", "bullet|Conclusion: B"]),
    (State::Decision, Event::PlainOutcome, Append, State::Decision, &["green|Agreement", "A.", "The TP in R1-9900002 is endorsed."]),
    (State::Decision, Event::PlainItemOutcome, Append, State::Decision, &["green|Agreement", "A.", "bullet|The TP in R1-9900002 is endorsed."]),
    (State::StyledDecision, Event::StyledItem, Append, State::StyledDecision, &[RAN2, "style|A is supported", "style|item2|FFS: B"]),
    (State::DoubtfulText, Event::Text, Append, State::DoubtfulText, &[DOCUMENT, "We see:", "bullet|Agreement: A", "bullet|B"]),
    (State::DocumentLine, Event::Text, Skip, State::DocumentContent, &[DOCUMENT, "Beams are wide."]),
    (State::DocumentContent, Event::PlainItemOutcome, Skip, State::DocumentContent, &[DOCUMENT, "We propose:", "bullet|The TP in R1-9900002 is endorsed."]),
    (State::DocumentContent, Event::Blank, Close, State::AfterContent, &[DOCUMENT, "Beams are wide.", ""]),
    (State::AfterContent, Event::Text, Skip, State::DocumentContent, &[DOCUMENT, "Beams are wide.", "", "Rays are narrow."]),
    (State::DoubtfulText, Event::Blank, Close, State::AfterContent, &[DOCUMENT, "We see:", "bullet|Agreement: A", ""]),
    // Agreements of another meeting.
    (State::Meeting, Event::EarlierLead, Close, State::EarlierLead, &["In RAN1#98 the following was agreed:"]),
    (State::Meeting, Event::OtherMarker, Close, State::EarlierAgreements, &["green|RAN1#98 Agreement"]),
    (State::EarlierLead, Event::ColouredMarker, Doubt(OtherMeeting), State::EarlierAgreements, &["In RAN1#98 the following was agreed:", "green|Agreement"]),
    (State::EarlierLead, Event::Text, Skip, State::EarlierText, &["In RAN1#98 the following was agreed:", "A."]),
    (State::EarlierAgreements, Event::ColouredMarker, Doubt(OtherMeeting), State::EarlierAgreements, &["green|RAN1#98 Agreement", "A.", "", "green|Agreement"]),
    (State::EarlierAgreements, Event::Text, Append, State::EarlierAgreements, &["RAN2 agreed the following:", "green|Agreement", "A."]),
    (State::EarlierAgreements, Event::Blank, Close, State::EarlierAgreements, &["RAN2 agreed the following:", "green|Agreement", "A.", ""]),
    (State::Meeting, Event::QuotationLead, Close, State::QuotationLead, &["This agreement is cited from RAN1#98 for reference"]),
    (State::QuotationLead, Event::ColouredMarker, Doubt(QuotesDecision), State::Quotation, &["This agreement is cited from RAN1#98 for reference", "green|Agreement"]),
    (State::QuotationLead, Event::Blank, Close, State::QuotationLead, &["This agreement is cited from RAN1#98 for reference", ""]),
    (State::Quotation, Event::Text, Append, State::Quotation, &["green|Agreement (for reference)", "A."]),
    (State::Quotation, Event::Blank, Close, State::Meeting, &["green|Agreement (for reference)", "A.", ""]),
    (State::Quotation, Event::ColouredMarker, Open, State::Decision, &["green|Agreement (for reference)", "A.", "green|Agreement"]),
    (State::Decision, Event::ReferenceMarker, Doubt(QuotesDecision), State::Quotation, &["green|Agreement", "A.", "green|Agreement (for reference)"]),
    (State::EarlierText, Event::ColouredMarker, Open, State::Decision, &["In RAN1#98 the following was agreed:", "A.", "", "green|Agreement"]),
    (State::EarlierAgreements, Event::OwnMarker, Open, State::Decision, &["green|RAN1#98 Agreement", "A.", "", "green|RAN1#99 Agreement"]),
    (State::EarlierAgreements, Event::ColouredOutcome, Skip, State::EarlierAgreements, &["green|RAN1#98 Agreement", "green|The TP in R1-9800002 is endorsed."]),
    // Markers.
    (State::Meeting, Event::ColouredMarker, Open, State::Decision, &["green|Agreement"]),
    (State::DocumentContent, Event::ColouredMarker, Open, State::Decision, &[DOCUMENT, "Beams are wide.", "green|Agreement"]),
    (State::PossibleAgreement, Event::ColouredMarker, Open, State::Decision, &["Draft agreement:", "A.", "green|Agreement"]),
    (State::Meeting, Event::ColouredItemMarker, Open, State::Decision, &["bullet|dark|Working assumption: A"]),
    (State::AfterOutcome, Event::PlainMarker, Open, State::Decision, &["From Thursday session", "Agreement:"]),
    (State::Decision, Event::BlankAfterPlain, Close, State::AfterOutcome, &["From Thursday session", "Agreement", "A.", "", "Agreement"]),
    (State::AfterOutcome, Event::Blank, Close, State::AfterOutcome, &["From Thursday session", ""]),
    (State::AfterOutcome, Event::Text, Skip, State::Meeting, &["From Thursday session", "Example asks."]),
    (State::Meeting, Event::PlainMarker, Doubt(Uncolored), State::DoubtfulText, &["Agreement:"]),
    (State::DocumentLine, Event::PlainMarker, Doubt(Uncolored), State::DoubtfulText, &[DOCUMENT, "Agreement: A"]),
    (State::DocumentLine, Event::MarkerBeforeOutcome, Doubt(QuotedDocument), State::DoubtfulText, &[DOCUMENT, "Agreement: A", "Decision: The document is noted."]),
    (State::Proposal, Event::PlainConclusion, Doubt(BelowProposal), State::DoubtfulText, &["Proposal:", "Conclusion: A"]),
    (State::Meeting, Event::PlainConclusion, Open, State::Decision, &["Conclusion:"]),
    (State::AfterContent, Event::PlainConclusion, Open, State::Decision, &[DOCUMENT, "Beams are wide.", "", "Conclusion:"]),
    (State::Meeting, Event::PlainItemMarker, Doubt(ListItem), State::DoubtfulText, &["bullet|Working assumption: A"]),
    (State::Meeting, Event::OfflineMarker, Doubt(OfflineDiscussion), State::DoubtfulText, &["Offline agreement:"]),
    (State::DocumentLine, Event::PlainItemMarker, Doubt(QuotedDocument), State::DoubtfulText, &[DOCUMENT, "bullet|Working assumptions"]),
    (State::DocumentContent, Event::PlainItemMarker, Doubt(QuotedDocument), State::DoubtfulText, &[DOCUMENT, "We see:", "bullet|Agreement 1: A"]),
    (State::DocumentContent, Event::PlainMarker, Doubt(QuotedDocument), State::DoubtfulText, &[DOCUMENT, "We see:", "Agreement 1: A"]),
    (State::EarlierLead, Event::PlainItemMarker, Doubt(OtherMeeting), State::EarlierAgreements, &[DOCUMENT, "RAN3 has agreed:", "bullet|Agreement 1: A"]),
    (State::DocumentContent, Event::PlainConclusion, Doubt(QuotedDocument), State::DoubtfulText, &[DOCUMENT, "Beams are wide.", "Conclusion:"]),
    (State::Proposal, Event::PlainItemMarker, Doubt(BelowProposal), State::DoubtfulText, &["Proposal:", "bullet|Conclusion: A"]),
    (State::PossibleAgreement, Event::PlainMarker, Doubt(BelowProposal), State::DoubtfulText, &["Possible agreements:", "Agreement: A"]),
    (State::Meeting, Event::ConclusionBeforeProposals, Doubt(QuotedDocument), State::DoubtfulText, &["Conclusion: A should be studied.", "Proposals:"]),
    (State::Meeting, Event::EarlierSectionMarker, Doubt(OtherMeeting), State::DoubtfulText, &["heading|8 Previous agreements", "heading3|Beams", "green|Agreement"]),
    (State::AfterOutcome, Event::ColouredMarker, Open, State::Decision, &["heading|8 Previous agreements", "From Thursday session", "green|Agreement"]),
    (State::Decision, Event::VoidMarker, Close, State::Meeting, &["green|Agreement", "A.", "~~Agreement~~"]),
    // Proposals.
    (State::Decision, Event::Proposal, Close, State::Proposal, &["green|Agreement", "A.", "Proposal 1: B"]),
    (State::Meeting, Event::PossibleAgreement, Close, State::PossibleAgreement, &["Possible agreements:"]),
    (State::Proposal, Event::Text, Skip, State::Proposal, &["Proposal 1: A", "B."]),
    (State::Proposal, Event::PlainOutcome, Skip, State::Proposal, &["Proposal 1:", "The draft CR in R1-9900002 is agreed."]),
    (State::Proposal, Event::Blank, Close, State::Meeting, &["Proposal 1: A", ""]),
    // Outcomes.
    (State::Meeting, Event::PlainOutcome, Record, State::AfterOutcome, &["The draft CR in R1-9900002 is agreed."]),
    (State::Meeting, Event::LeadingPlainOutcome, Record, State::Decision, &["The following CRs are agreed:"]),
    (State::Meeting, Event::ColouredOutcome, Record, State::AfterOutcome, &["green|The draft CR in R1-9900002 is agreed."]),
    (State::Decision, Event::ColouredOutcome, Record, State::AfterOutcome, &["green|Agreement", "A.", "green|The draft CR in R1-9900002 is agreed."]),
    (State::Meeting, Event::LeadingColouredOutcome, Record, State::Decision, &["green|The following CRs are agreed:"]),
    (State::Meeting, Event::PlainItemOutcome, Record, State::AfterOutcome, &["bullet|The draft CR in R1-9900002 is agreed."]),
    (State::Decision, Event::LeadingPlainOutcome, Append, State::Decision, &["green|Agreement", "A.", "The following CRs are agreed:"]),
    // Styles, remarks, blanks.
    (State::Meeting, Event::StyledText, OpenStyled, State::StyledDecision, &[RAN2, "style|A is supported"]),
    (State::StyledDecision, Event::Text, Close, State::Meeting, &[RAN2, "style|A is supported", "Example asks."]),
    (State::Meeting, Event::UnknownForm, DoubtLine(UnverifiedForm), State::Meeting, &[RAN2, "style|Wide beams, narrow rays"]),
    (State::PossibleAgreement, Event::Remark, CloseBody, State::Meeting, &["Possible agreements:", "Comeback on Thursday"]),
    (State::DocumentLine, Event::Remark, CloseBody, State::DocumentLine, &[DOCUMENT, "MCC: Fix the number."]),
    (State::Decision, Event::Remark, CloseBody, State::Meeting, &["green|Agreement", "A.", "Comeback on Thursday"]),
    (State::Decision, Event::RelatedDocuments, Close, State::Meeting, &["green|Agreement", "A.", "Relevant Tdoc(s)"]),
    (State::Decision, Event::Blank, Close, State::Meeting, &["green|Agreement", "A.", "", "Another subject."]),
];

/// The transitions that the paragraphs of an edge make, without those of the cover.
fn transitions_of(lines: &[&str]) -> Vec<(State, Event, Action, State)> {
    let cover = if lines.first() == Some(&RAN2) { RAN2 } else { RAN1 };
    let all = [&[cover], &COLOURED[..], lines].concat();
    DecisionFinder::run(&pieces(&all), &GrammarSet::builtin(), None).transitions
}

#[test]
fn every_edge_is_what_its_printed_example_does() {
    for (state, event, action, next_state, lines) in EDGES {
        let expected = (*state, *event, *action, *next_state);
        let transitions = transitions_of(lines);
        // Look-ahead events need a following paragraph.
        let last = transitions.iter().rev().take(2).any(|transition| *transition == expected);
        assert!(last, "{lines:?}: {expected:?} is none of the last of {transitions:?}");
    }
}

#[test]
fn every_event_and_every_state_has_an_edge() {
    use std::collections::BTreeSet;
    let name = |value: &dyn std::fmt::Debug| format!("{value:?}");
    let edges = |pick: fn(&Edge) -> String| EDGES.iter().map(pick).collect::<BTreeSet<_>>();
    let events = edges(|edge| format!("{:?}", edge.1));
    for event in crate::state::ALL_EVENTS {
        assert!(events.contains(&name(&event)), "{event:?} has no example");
    }
    let states = edges(|edge| format!("{:?}", edge.0));
    for state in crate::state::ALL_STATES {
        assert!(states.contains(&name(&state)), "{state:?} has no example");
    }
}
