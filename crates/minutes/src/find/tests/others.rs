//! Text that others proposed, agreed or struck out is not a decision; similar text of the meeting itself is one.

use super::*;

const RAN1: &str = "3GPP TSG RAN WG1 #99";
const DOCUMENT: &str = "tabs|R1-9900001 Way forward on beams Example";
const NOTED: &str = "Decision: The document is noted.";
/// Two coloured agreements: these notes mark agreements by colours.
const COLOURED: [&str; 7] =
    [RAN1, "green|Agreement", "Support waves.", "", "green|Agreement", "Support users.", ""];

/// The texts of the decisions after those of [`COLOURED`], without outcomes.
fn texts_after(lines: &[&str]) -> Vec<String> {
    let all = [&COLOURED[..], lines].concat();
    let texts = decisions_in(&all).into_iter().filter(|(kind, ..)| kind.is_text());
    texts.skip(2).map(|(_, quote, _)| quote).collect()
}

#[test]
fn what_others_propose_or_agreed_is_no_decision_of_the_meeting() {
    for lines in [
        // A document's own words are between its line and its outcome.
        &[DOCUMENT, "Agreement: beams are wide", NOTED][..],
        &[DOCUMENT, "", "Agreement: beams are wide", NOTED],
        &[DOCUMENT, "The document was presented.", "bold|Agreement: beams are wide", NOTED],
        &[DOCUMENT, "We see:", "", "Conclusion:", "item|Beams are wide.", NOTED],
        &["[R1-9900001] Way forward on beams", "Agreement: beams are wide", NOTED],
        &[DOCUMENT, "late|Agreement: beams are wide", NOTED],
        // Without a colour, in notes that use colours.
        &["Company views", "Agreement: beams are wide"],
        &["Merged proposal:", "Beams.", "", "Agreement:", "item|Beams are wide."],
        // Below a proposal.
        &["Proposal 1:", "Conclusion:", "item|Beams are wide."],
        &["Possible agreement:", "Conclusion: beams are wide"],
        // Agreements of another meeting or another group.
        &["RAN2 agreed the following:", "green|Agreement:", "item|Beams are wide."],
        &["Copied from the report of RAN1#98:", "green|Agreement:", "item|Beams are wide."],
        &["Beams were agreed in RAN1#98bis [12]:", "green|Agreement", "item|Beams are wide."],
        &["heading|Annex B: Agreements of RAN1#98", "heading3|Beams", "green|Agreement", "A."],
        &["heading|RAN2 \u{2013} Beam related agreements summary", "green|Agreement", "A."],
        &["heading|Summary of the RAN2 agreements", "heading3|Beams", "green|Agreement", "A."],
        &["heading|RAN \u{2013} Beam related agreements summary", "green|Agreement", "A."],
        &[
            "heading|RAN1 #98bis meeting (April 2030)",
            "heading3|Key agreements",
            "green|Agreement",
            "A.",
        ],
        // The words of a contribution, although its outcome came first.
        &[DOCUMENT, NOTED, "", "Conclusion", "The analysis in this contribution favours beams."],
        // Withdrawn text.
        &["green|Agreement", "~~Beams are wide.~~", "item|~~FFS: rays~~"],
    ] {
        assert_eq!(texts_after(lines), Vec::<String>::new(), "{lines:?}");
    }
}

#[test]
fn what_others_say_of_a_document_is_no_outcome() {
    for sentence in [
        "Agreed in RAN2:",
        "Endorsed by 10 companies",
        "Noted that RAN2 agreed on beams",
        "The WF is agreed in RAN2.",
        "The LS was approved in RAN2#98.",
        "It is proposed that the draft CR is agreed.",
        "Once the CR is agreed, the work can start.",
        "CRs are approved by RAN plenary.",
    ] {
        let found = decisions_in(&[RAN1, DOCUMENT, sentence, NOTED]);
        let kinds: Vec<DecisionType> = found.iter().map(|(kind, ..)| *kind).collect();
        assert_eq!(kinds, [Noted], "{sentence}");
    }
}

#[test]
fn the_meetings_own_decisions_count_in_all_their_forms() {
    for (lines, quote) in [
        (&["From Thursday session", "Agreement", "Beams are wide."][..], "Beams are wide."),
        (&[DOCUMENT, NOTED, "", "Conclusion on beams", "Beams are wide."], "Beams are wide."),
        (&[DOCUMENT, NOTED, "", "Conclusion:", "Beams are wide."], "Beams are wide."),
        (&[DOCUMENT, "We see:", "", "green|Agreement", "Beams are wide."], "Beams are wide."),
        (&["Draft agreement:", "A.", "green|Agreement", "Beams are wide."], "Beams are wide."),
        (
            &[
                "RAN2 agreed the following:",
                "green|Agreement",
                "A.",
                "",
                "FL: The following is agreed in Tuesday.",
                "green|Agreement",
                "Beams are wide.",
            ],
            "Beams are wide.",
        ),
        (&["green|Conditions:", "Beams are wide."], ""),
        (&["word|Agreement Port index 3 is used."], "Port index 3 is used."),
        (&["green|Agreemens", "Beams are wide."], "Beams are wide."),
        (&["green|Workign asumption:", "Beams are wide."], "Beams are wide."),
        (&["Agreement\nBeams"], ""),
        (&["green|Agreement\nBeams are wide."], "Beams are wide."),
        (
            &["green|Agreement", "item|Beams:", "Continue discussion to clarify rays"],
            "Beams:\nContinue discussion to clarify rays",
        ),
        (
            &[
                "green|Agreement",
                "Beams are wide.",
                "Discuss rays offline, revisit later this week",
            ],
            "Beams are wide.",
        ),
        (
            &["heading|Remaining issues on existing agreements", "green|Agreement", "Beams move."],
            "Beams move.",
        ),
        (&["heading|CRs endorsed after RAN1#98", "green|Agreement", "Beams move."], "Beams move."),
    ] {
        let expected: Vec<&str> =
            Some(quote).filter(|quote| !quote.is_empty()).into_iter().collect();
        assert_eq!(texts_after(lines), expected, "{lines:?}");
    }
    let two = ["From Thursday session", "Agreement", "A.", "", "Agreement", "B."];
    assert_eq!(texts_after(&two), ["A.", "B."]);
    let foreign = ["Previous agreements:", "RAN2 Conclusion: Proposal 1 is agreed."];
    assert!(texts_after(&foreign).is_empty());
    let taken =
        decisions_in(&[RAN1, DOCUMENT, "dark|Chair: The WF is taken as a working assumption"]);
    assert_eq!(taken[0].0, WorkingAssumption);
    let on_proposal = [&COLOURED[..], &["Proposal 1: A", "Conclusion: Proposal 1 is agreed."]];
    assert_eq!(decisions_in(&on_proposal.concat()).len(), 3);
}

#[test]
fn an_earlier_decision_that_is_confirmed_or_withdrawn_is_quoted() {
    for sentence in [
        "The following working assumption is confirmed.",
        "The working assumption below is confirmed",
        "Confirm the following WA:",
        "The following agreement is withdrawn:",
        "There is no consensus to support the following",
    ] {
        let lines = ["green|Agreement", sentence, "green|Agreement:", "item|Beams are wide."];
        assert_eq!(texts_after(&lines).len(), 1, "{sentence}");
    }
}

#[test]
fn a_quoted_decision_is_in_the_decision_that_announces_it_or_doubtful() {
    const WA: &str = "dark|Working Assumption";
    const MARKER: &str = "green|Agreement";
    for lines in [
        &["Confirm the following work assumptions:", WA, "Old A.", WA, "Old B."][..],
        &["Confirm the following working assumption:", "", WA, "Old."],
        &["Confirm the working assumption with this note:", "item|Note: New.", WA, "Old."],
        &["The following working assumption is confirmed", "Working assumption#2 @RAN1#98", "Old."],
        &["New. Note: this overturns a bullet of the following RAN1#97 agreement:", MARKER, "Old."],
        &[
            "Reply to RAN2, with a copy of the 2 RAN1 agreements below:",
            "New.",
            "",
            MARKER,
            "Old.",
            MARKER,
            "Old.",
        ],
        &["New (see the conclusion of RAN1#98 below).", "conclusion", "Old."],
        &["No consensus on the alternatives of the below agreement:", MARKER, "Old."],
        &["As per working assumption made in RAN1#98, new.", "", WA, "Old."],
        &["New.", "", "This agreement is cited from RAN1#98 for reference only", MARKER, "Old."],
        &["New.", "", "For information, the agreement of the last meeting:", "", MARKER, "Old."],
        &["New.", "", "green|Agreement (for reference)", "Old."],
        &[
            "New.",
            "",
            "The relevant agreements are as follows:",
            MARKER,
            "Old.",
            "",
            MARKER,
            "Old.",
        ],
        &["New.", "", "Below working assumption does not need to be confirmed.", WA, "Old."],
        &[
            "New.",
            "",
            "The following was already agreed in RAN1#98",
            MARKER,
            "Old.",
            "",
            MARKER,
            "Old.",
        ],
    ] {
        let lines: Vec<&str> = [MARKER].iter().chain(lines).copied().collect();
        assert_eq!(texts_after(&lines).len(), 1, "{lines:?}");
    }
}

#[test]
fn own_decisions_after_a_quoted_one_count() {
    const MARKER: &str = "green|Agreement";
    for lines in [
        &["Confirm the following working assumption:", "item|Old.", MARKER, "New."][..],
        &["Confirm the working assumption that rays are narrow.", "", MARKER, "New."],
        &[
            "Confirm the following working assumption:",
            "dark|Working Assumption",
            "Old.",
            "",
            MARKER,
            "New.",
        ],
        &["RAN1 made the following agreements on rays:", MARKER, "New."],
        &["The following agreement is reached:", "Rays.", "", MARKER, "New."],
    ] {
        let lines: Vec<&str> = [MARKER].iter().chain(lines).copied().collect();
        assert_eq!(texts_after(&lines).len(), 2, "{lines:?}");
    }
    let cited =
        ["This agreement is cited from RAN1#98 for reference", MARKER, "Old.", "", MARKER, "New."];
    assert_eq!(texts_after(&cited), ["New."]);
}
