//! Text that must not count as a decision, and text that must not be lost for that.

use super::*;

const RAN2: &str = "3GPP TSG-RAN WG2 Meeting #99";
const RAN1: &str = "3GPP TSG RAN WG1 #99";

#[test]
fn what_is_struck_possible_or_still_discussed_does_not_pass() {
    for lines in [
        &[RAN2, "style|~~Support wide beams~~"][..],
        &[RAN2, "style|~~Noted~~"],
        &[RAN2, "Possible agreements:", "style|Support rays"],
        &[RAN2, "heading|Previous agreements", "style|Support rays"],
        &[RAN2, "style|Comeback after offline [012]"],
        &[RAN1, "Agreements for online discussion:", "Support rays."],
        &[RAN1, "Example Radio: Fine with us. The draft CR is agreed."],
        &[RAN1, "In RAN1#98, the following was agreed:", "green|Agreement", "Support rays."],
    ] {
        assert_eq!(decisions_in(lines), [], "{lines:?}");
    }
}

#[test]
fn proposals_after_a_text_without_an_end_are_not_in_the_agreement() {
    let found = decisions_in(&[
        RAN1,
        "green|Agreement",
        "Adopt the following TP:",
        "*** Start of TP ***",
        "A beam is wide.",
        "",
        "FL Proposal 5-1:",
        "Support rays.",
    ]);
    assert_eq!(found.len(), 1);
    assert!(!found[0].1.contains("rays"), "{}", found[0].1);
}

#[test]
fn own_decisions_count_after_those_of_others() {
    let others = ["In RAN1#98, the following was agreed:", "green|Agreement", "Support beams."];
    for own in [
        &["From GTW session:", "green|Agreement", "Support rays."][..],
        &["green|RAN1 agreement", "Support rays."],
        &["R1-9900001", "green|Agreement", "Support rays."],
    ] {
        let lines = [&[RAN1][..], &others, own].concat();
        assert_eq!(decisions_in(&lines).len(), 1, "{own:?}");
    }
    let discussed = [
        RAN1,
        "Based on the agreement in RAN1#98, discuss the following:",
        "green|Agreement",
        "Support rays.",
    ];
    assert_eq!(decisions_in(&discussed).len(), 1);
    let updated = [
        RAN1,
        "green|Agreement",
        "Update the TR according to the RAN1 agreement.",
        "green|frame|Agreement",
        "frame|Support rays.",
    ];
    assert_eq!(decisions_in(&updated).len(), 2);
}

#[test]
fn what_is_left_after_struck_words_says_what_a_paragraph_is() {
    let found = find_in(&pieces(&[
        RAN1,
        "~~R1-9900001~~ R1-9900002",
        "green|~~Proposed~~ Agreement",
        "Support rays, see ~~R1-9900003~~ R1-9900004.",
        "Decision: The CR is ~~agreed~~ noted.",
    ]));
    let told: Vec<_> = found.iter().map(|d| (d.kind, d.references.len())).collect();
    assert_eq!(told, [(Agreement, 1), (Noted, 0)]);
    let under = found[0].recorded_under.as_ref().map(TdocId::as_str);
    assert_eq!(under, Some("R1-9900002"));
}

#[test]
fn each_session_has_its_own_day() {
    let found = find_in(&pieces(&[
        "Decision: As per email decision posted on Aug 31st,",
        "green|Agreement",
        "Support beams.",
        "green|Thursday Agreement",
        "Support rays.",
    ]));
    let days: Vec<_> = found.iter().filter_map(|d| d.session.as_deref()).collect();
    assert_eq!(days, ["e-mail, August 31", "Thursday"]);
}
