//! Lines that show that the meeting itself made the following decision.

use super::*;

fn line(kind: PieceKind, text: &str) -> ParagraphPiece {
    ParagraphPiece { kind, text: text.to_owned(), ..ParagraphPiece::default() }
}

fn shows_own(lines: &[(PieceKind, &str)]) -> bool {
    let own = OwnMeeting::in_line("3GPP TSG RAN WG1 #99");
    let mut evidence = MeetingEvidence::default();
    for (kind, text) in lines {
        evidence.add_line(&line(*kind, text), own.as_ref());
    }
    evidence.shows_own_meeting()
}

#[test]
fn headings_titles_and_sentences_name_the_meeting_that_decided() {
    use PieceKind::{Heading, Text};
    let chapter = (Heading(1), "Annex: All agreements");
    for (lines, expected) in [
        (&[chapter][..], false),
        (&[chapter, (Heading(2), "RAN1 #99 (May 2030)")], true),
        (&[chapter, (Heading(2), "RAN1#98bis")], false),
        (&[chapter, (Heading(2), "RAN1#98bis"), (Heading(2), "RAN1#99")], true),
        (&[(Heading(2), "Wednesday (May 20)")], true),
        (&[(Heading(1), "Outcome of the online session"), (Heading(2), "Beams")], true),
        (&[(Heading(1), "Agreements made in this meeting")], true),
        (&[(Heading(1), "Previous agreements")], false),
        (&[(Heading(1), "Beams")], false),
        (&[(Heading(1), "Beams"), (Text, "Agreed in Thu online")], true),
        (&[(Heading(1), "Beams"), (Text, "Consensus in Thu offline session")], false),
        (&[(Heading(1), "Beams"), (Text, "FL: The following is agreed in Tuesday.")], true),
        (&[(Heading(1), "Beams"), (Text, "Waves were agreed in RAN1#98bis [12]:")], false),
        (&[(Heading(1), "Monday"), (Text, "The following was agreed in RAN1#98:")], false),
        (&[(Heading(1), "Monday"), (Text, "As agreed in the last meeting:")], false),
        (&[(Heading(1), "Beams"), (Text, "After Monday online"), (Text, "Beams are wide")], true),
        (&[chapter, (Text, "RAN1#98-bis"), (Text, "Beams are wide")], false),
        (&[chapter, (Text, "Agreements in RAN1#99:"), (Text, "Beams are wide")], true),
    ] {
        assert_eq!(shows_own(lines), expected, "{lines:?}");
    }
}

#[test]
fn what_is_only_proposed_or_planned_is_not_taken_by_the_meeting() {
    use PieceKind::{Heading, Text};
    for heading in [
        "Proposals for Tuesday online",
        "Draft agreement for Thursday online",
        "Potential agreements for Thursday GTW",
        "Possible agreements of Monday",
        "Candidate agreements (Wednesday)",
        "Plan for Monday",
        "Comments by Thursday 18:00",
        "Deadline Thursday",
        "Issues proposed by companies in RAN1#99",
        "Contributions in RAN1#99",
        "Discussion in RAN1#99",
        "Issues for online discussion",
        "Conclusion for Monday online discussion",
        "Agreements to be confirmed until Friday",
        "Not agreed in Tuesday online",
        "Thursday offline session",
        "Outcome of the Thursday offline session",
        "Background of the agreements in RAN1#99",
        "Beams discussed on Monday",
        "Agreements before RAN1#99",
        "Views for Wednesday",
        "Expected agreements of Thursday",
        "Agenda of the Thursday session",
    ] {
        assert!(!shows_own(&[(Heading(2), heading)]), "{heading}");
        assert!(!shows_own(&[(Heading(2), heading), (Text, "Beams are wide")]), "{heading}");
    }
    let chapter = (Heading(1), "Summary of contributions in RAN1#99");
    assert!(!shows_own(&[chapter, (Heading(2), "Background")]));
    assert!(!shows_own(&[(Heading(1), "Offline proposals"), (Heading(2), "Tuesday (May 19)")]));
    let session = (Heading(2), "Wednesday session");
    for text in [
        "Proposal 1:",
        "[FL1][H] Proposal 4.1-1",
        "Proposal 2: Beams are as wide as rays, and rays are as wide as beams, in all of the cases below.",
        "Updated proposals",
        "Possible agreement:",
        "For online discussion:",
        "Draft agreements for Thursday",
        "Comments by Thursday 18:00",
        "After Wed offline session",
        "The following was not agreed in Tuesday online:",
        "The following is expected to be agreed in Tuesday online:",
        "This could be agreed in this meeting:",
        "Proposed to be agreed in Thu online",
        "If agreed in Tuesday, beams are wide:",
    ] {
        assert!(!shows_own(&[session, (Text, text)]), "{text}");
    }
}

#[test]
fn days_and_outcomes_of_the_own_meeting_show_that_it_decided() {
    use PieceKind::{Heading, Item, Text};
    for heading in [
        "Wednesday (May 20)",
        "2.1 Thursday session",
        "Tuesday\u{2019}s online session",
        "Thu online (21st of May)",
        "Agreements from Tuesday online",
        "Monday agreements",
        "Conclusions on beams (Friday)",
        "RAN1#99 (May 2030)",
        "Outcome of RAN1#99",
        "Beam agreements in RAN1#99",
        "Agreements for RAN1#99",
    ] {
        assert!(shows_own(&[(Heading(2), heading)]), "{heading}");
        assert!(shows_own(&[(Heading(2), heading), (Text, "Beams are wide")]), "{heading}");
        let topic = (Heading(3), "Issue 1: candidate beams");
        assert!(shows_own(&[(Heading(2), heading), topic]), "{heading}");
    }
    let session = (Heading(2), "Wednesday session");
    for text in [
        "We support the proposal.",
        "Some changes were made to the text.",
        "Proposal 2 is agreed in Tuesday online",
        "The text of RAN2 is used below.",
    ] {
        assert!(shows_own(&[session, (Text, text)]), "{text}");
    }
    assert!(shows_own(&[session, (Item(1), "Agreements of RAN1#98 hold")]));
}

#[test]
fn a_line_on_others_outweighs_the_headings_until_the_own_meeting_shows_again() {
    use PieceKind::{Heading, Text};
    let (own, more) = ((Heading(2), "RAN1#99 (May 2030)"), (Text, "Beams are wide"));
    for text in [
        "Last meeting agreement:",
        "Agreements of the last meeting",
        "Below from RAN1#98",
        "The following is copied from RAN1#98:",
        "RAN2 agreed:",
        "Recap of agreements",
    ] {
        let other = (Text, text);
        assert!(!shows_own(&[own, other]), "{text}");
        assert!(!shows_own(&[own, other, more]), "{text}");
        assert!(shows_own(&[own, other, more, (Heading(2), "Thursday")]), "{text}");
        assert!(shows_own(&[own, other, (Text, "After Thu online"), more]), "{text}");
        assert!(shows_own(&[own, other, (Text, "Agreed in this meeting:"), more]), "{text}");
        assert!(shows_own(&[own, other, (Text, "Agreements in RAN1#99:"), more]), "{text}");
    }
}

#[test]
fn a_lead_holds_for_one_decision_and_a_heading_names_its_day() {
    let own = OwnMeeting::in_line("RAN1#99");
    let mut evidence = MeetingEvidence::default();
    evidence.add_line(&line(PieceKind::Heading(2), "Beams"), own.as_ref());
    evidence.add_line(&line(PieceKind::Text, "Agreed in this meeting:"), own.as_ref());
    assert!(evidence.shows_own_meeting());
    evidence.end_lead();
    assert!(!evidence.shows_own_meeting());
    evidence.add_line(&line(PieceKind::Heading(2), "Thursday (May 21)"), own.as_ref());
    assert_eq!(evidence.day().as_deref(), Some("Thursday May 21"));
}
