//! Decisions in the forms of RAN2 and RAN3, on invented texts.

use super::*;
use crate::RuleBasis;
use domain::DecisionDoubt;

const RAN2: [&str; 2] = ["3GPP TSG-RAN WG2 Meeting #99", "heading|8.7 Beams"];
const RAN3: [&str; 2] = ["3GPP TSG-RAN WG3 Meeting #99", "heading|8.7 Beams"];

/// What was read of lines below a cover: decisions by kind and text; outcomes by word and document; doubtful texts.
fn read_lines(cover: [&str; 2], lines: &[&str]) -> Vec<String> {
    let pieces = pieces(&[&cover[..], lines].concat());
    let read =
        read_minutes(&pieces, &GrammarSet::builtin(), &|ordinal| format!("p{ordinal}"), &|_| None);
    let decisions = read.decisions.iter().map(|read| {
        let decision = &read.decision;
        let under = decision.recorded_under.as_ref().map_or("", TdocId::as_str);
        match decision.outcome {
            Some(outcome) => format!("{outcome} {under}").trim().to_owned(),
            None => format!("{}: {}", decision.kind, decision.quote.replace('\n', " / ")),
        }
    });
    let doubtful = read.doubtful.iter().map(|doubtful| {
        assert_eq!(doubtful.reason, DecisionDoubt::UnverifiedForm, "{lines:?}");
        format!("doubtful: {}", doubtful.read.decision.quote)
    });
    decisions.chain(doubtful).collect()
}

#[test]
fn a_line_in_the_style_of_ran2_is_a_decision_only_if_it_states_something() {
    for text in [
        "RAN2 understands that the counter is per beam",
        "We go with option 2",
        "The counter is per beam",
        "UE resets the counter and is silent",
        "Send an LS to RAN1 (Example), R2-9900001",
        "No need for a second counter",
        "Do not introduce a timer",
        "P2, P3 and P5 are agreed",
        "Proposal 3 in R2-9900001 is agreed",
        "An LS should be sent to SA2",
        "If the counter expires, the UE is released. FFS how",
    ] {
        let found = read_lines(RAN2, &[&format!("style|{text}")]);
        assert_eq!(found, [format!("agreement: {text}")], "{text}");
    }
    for text in [
        "No agreement",
        "CB Thursday",
        "Majority prefers option 1",
        "Intention is agreed",
        "Rapporteur to update the running CR",
        "Reply LS is needed",
        "[301] Continue in email discussion",
        "Offline to check whether the counter is needed",
        "Huawei thinks the counter is per beam",
        "P4 is not agreed",
        "Chair: the counter is per beam",
        "Is the counter per beam?",
        "To be discussed in the next meeting",
    ] {
        assert_eq!(read_lines(RAN2, &[&format!("style|{text}")]), [""; 0], "{text}");
    }
    for text in
        ["Wide beams, narrow rays", "It seems that the counter is per beam", "P1 can be agreed"]
    {
        let found = read_lines(RAN2, &[&format!("style|{text}")]);
        assert_eq!(found, [format!("doubtful: {text}")], "{text}");
    }
    for (text, expected) in [
        (
            "Working assumption: the counter is per beam",
            "working_assumption: the counter is per beam",
        ),
        ("P4 is FFS", "ffs: P4 is FFS"),
        ("FFS whether the counter is per beam", "ffs: FFS whether the counter is per beam"),
    ] {
        assert_eq!(read_lines(RAN2, &[&format!("style|{text}")]), [expected], "{text}");
    }
}

#[test]
fn outcomes_of_ran2_are_those_of_the_document_above() {
    const DOCUMENT: &str = "tabs|R2-9900001 Beams Example CR Rel-19";
    for (text, expected) in [
        ("Noted", "noted R2-9900001"),
        ("=> Not treated", "not_treated R2-9900001"),
        ("Agreed in principle with these changes as R2-9900002", "agreed R2-9900001"),
        ("Mirror CR agreed in principle as R2-9900008", "agreed R2-9900008"),
        ("The CR will be updated in R2-9900002 with all the changes above", "revised R2-9900001"),
        ("style|Endorsed as baseline for further work", "endorsed R2-9900001"),
        ("=> P1 is agreed", "agreement: P1 is agreed"),
    ] {
        let lines = [DOCUMENT, "- Example thinks beams are wide", "Rays are narrow.", text];
        let found = read_lines(RAN2, &lines);
        assert_eq!(found, [expected], "{text}");
    }
    let listed = read_lines(
        RAN2,
        &[
            "Withdrawn:",
            DOCUMENT,
            "tabs|R2-9900002 Rays Example",
            "",
            "tabs|R2-9900003 Waves Example",
            "Noted",
        ],
    );
    assert_eq!(listed, ["withdrawn R2-9900001", "withdrawn R2-9900002", "noted R2-9900003"]);
}

#[test]
fn blocks_of_ran2_end_where_somebody_else_speaks() {
    for end in [
        "Nokia: fine",
        "Huawei think this is wide",
        "[Example]: fine",
        "Discussion:",
        "Proposal 4: rays are narrow",
        "[POST99][301][NR] Rays (Example)",
        "Are rays narrow?",
        "Proposals for further discussion:",
    ] {
        let lines = [
            "Agreements via email - from offline 106:",
            "1 Beams are wide",
            "2 Rays are long",
            end,
            "Waves.",
        ];
        let found = read_lines(RAN2, &lines);
        assert_eq!(found, ["agreement: 1 Beams are wide / 2 Rays are long"], "{end}");
    }
    for lead in [
        "Agreements online:",
        "Agreements",
        "RAN2 agreements (CB Friday):",
        "Agreements over email:",
    ] {
        let found = read_lines(RAN2, &["Proposal 1: beams", lead, "1 Beams are wide"]);
        assert_eq!(found, ["agreement: 1 Beams are wide"], "{lead}");
    }
    for lead in [
        "Agreements from the last meeting:",
        "Agreements in RAN2#98:",
        "Agreements for online discussion:",
    ] {
        assert_eq!(read_lines(RAN2, &[lead, "1 Beams are wide"]), [""; 0], "{lead}");
    }
}

#[test]
fn agreed_below_a_proposal_agrees_its_text() {
    let lines = [
        "Proposal 1 Beams are wide",
        "[Example]: not so",
        "Noted.",
        "Proposal 2 Rays are long",
        "Agreed.",
    ];
    let found = read_lines(RAN2, &[&["tabs|R2-9900001 Beams Example"][..], &lines].concat());
    assert_eq!(found, ["noted R2-9900001", "agreement: Proposal 2 Rays are long / Agreed."]);
}

#[test]
fn green_lines_and_flat_lines_are_decisions_of_ran3() {
    for (lines, expected) in [
        (
            &["ink|The counter is reset at handover."][..],
            &["agreement: The counter is reset at handover."][..],
        ),
        (&["ink|WA: the counter is reset"], &["working_assumption: the counter is reset"]),
        (&["ink|Proposal 1 is agreed."], &["agreement: Proposal 1 is agreed."]),
        (
            &["ink|RAN3 assumes that it is sent.", "Rays."],
            &["agreement: RAN3 assumes that it is sent."],
        ),
        (&["ink|Option 2 has more support"], &["doubtful: Option 2 has more support"]),
        (&["ink|To be continued"], &[]),
        (&["ink|Counter of beams"], &["doubtful: Counter of beams"]),
        (&["To be continued... The counter is reset."], &[]),
        (&["CB: # 12_Beams", "- Capture agreements", "- Check whether the counter is reset"], &[]),
        (
            &[
                "RAN3 assumes that the counter is reset.",
                "The value is sent.",
                "ERICSSON, ZTE: agreeable",
                "Rays.",
            ],
            &["agreement: RAN3 assumes that the counter is reset. / The value is sent."],
        ),
        (
            &["FFS whether the counter is reset", "Rays are long."],
            &["ffs: FFS whether the counter is reset"],
        ),
        (
            &[
                "tabs|R3-9900001 Beams",
                "Agreement:",
                "No answer to RAN2",
                "Decision: The document was noted.",
            ],
            &["agreement: No answer to RAN2", "noted R3-9900001"],
        ),
        (&["tabs|R3-9900001 Beams", "Example is fine.", "agreed unseen"], &["agreed R3-9900001"]),
        (&["tabs|R3-9900001 Beams", "Rev in R3-9900002 Agreed"], &["agreed R3-9900002"]),
        (&["tabs|R3-9900001 Beams", "endorsed as BL CR unseen"], &["endorsed R3-9900001"]),
    ] {
        assert_eq!(read_lines(RAN3, lines), expected, "{lines:?}");
    }
}

#[test]
fn marks_of_other_groups_mark_nothing() {
    const OTHER: [&str; 2] = ["3GPP TSG-RAN WG1 Meeting #99", "heading|8.7 Beams"];
    for line in ["style|The counter is per beam", "ink|The counter is per beam"] {
        assert_eq!(read_lines(OTHER, &[line]), [""; 0], "{line}");
    }
    assert_eq!(read_lines(RAN3, &["style|The counter is per beam"]), [""; 0]);
    assert_eq!(read_lines(RAN2, &["ink|The counter is per beam"]), [""; 0]);
}

#[test]
fn a_decision_has_the_weaker_basis_of_its_rule_and_of_the_mark_on_its_line() {
    let basis_of = |lines: &[&str]| {
        let pieces = pieces(lines);
        let read = read_minutes(
            &pieces,
            &GrammarSet::builtin(),
            &|ordinal| format!("p{ordinal}"),
            &|_| None,
        );
        read.decisions.iter().map(|read| read.basis).collect::<Vec<_>>()
    };
    use RuleBasis::{OwnKnowledge, PublicDescription, RealFile};
    for (cover, line, expected) in [
        ("3GPP TSG-RAN WG1 Meeting #99", "green|Agreement: the counter is per beam", RealFile),
        ("3GPP TSG-RAN WG2 Meeting #99", "style|The counter is per beam", RealFile),
        ("3GPP TSG-RAN WG2 Meeting #99", "style|We go with option 2", OwnKnowledge),
        ("3GPP TSG-RAN WG3 Meeting #99", "RAN3 assumes that the counter is per beam", RealFile),
        ("3GPP TSG-RAN WG3 Meeting #99", "ink|The counter is per beam", OwnKnowledge),
        ("3GPP TSG-RAN WG4 Meeting #99", "Option 2 is agreed", PublicDescription),
        ("3GPP TSG-CT WG1 Meeting #99", "Agreement: the counter is per beam", OwnKnowledge),
        ("3GPP TSG-CT WG9 Meeting #99", "Agreement: the counter is per beam", OwnKnowledge),
    ] {
        let found = basis_of(&[cover, "heading|8.7 Beams", line]);
        assert_eq!(found, [expected], "{cover}: {line}");
    }
}

#[test]
fn alternatives_are_not_agreed_whatever_marks_them() {
    for (cover, mark) in [(RAN2, "style"), (RAN2, "=>"), (RAN3, "ink")] {
        let marked = |text: &str| match mark {
            "=>" => format!("=> {text}"),
            mark => format!("{mark}|{text}"),
        };
        for text in [
            "The counter should be per cell or per beam",
            "The report should be sent by the node or by the UE",
            "Use option 1 or option 2",
            "There are two alternatives for the counter:",
            "Option 1: the counter is per cell",
            "The counter is reset at handover or not",
        ] {
            let found = read_lines(cover, &[&marked(text)]);
            assert!(found.iter().all(|found| found.starts_with("doubtful: ")), "{text}: {found:?}");
        }
        for text in [
            "The UE supports counters per cell or counters per beam",
            "The report can be sent via the first or via the second path",
            "The counter is reset if the beam is lost or the cell is changed",
        ] {
            let found = read_lines(cover, &[&marked(text)]);
            assert!(
                found.iter().all(|found| found.starts_with("agreement: ")),
                "{text}: {found:?}"
            );
        }
    }
}
