//! Where decisions and their parts end, and what is said if nobody can see it.

use super::*;

/// Quote and certainty of the decisions of a kind: `?` after a quote whose end is uncertain.
fn quotes_of(kind: DecisionType, lines: &[&str]) -> Vec<String> {
    let read = read_minutes(
        &pieces(lines),
        &GrammarSet::builtin(),
        &|ordinal| ordinal.to_string(),
        &|_| None,
    );
    let found = read.decisions.into_iter().filter(|read| read.decision.kind == kind);
    found
        .map(|read| {
            let mark = if read.end_uncertain { "?" } else { "" };
            format!("{}{mark}", read.decision.quote.replace('\n', " / "))
        })
        .collect()
}

#[test]
fn a_quote_that_ends_in_a_lead_says_that_its_end_is_uncertain() {
    for (lines, expected) in [
        (&["green|Agreement", "The beams are:", "", "heading|9.2 Rays"][..], "The beams are:?"),
        (&["green|Agreement", "Support beams,", "", "green|Agreement"], "Support beams,?"),
        (
            &["green|Agreement", "Support beams except", "", "heading|9.2 Rays"],
            "Support beams except?",
        ),
        (&["green|Agreement", "The width is w =", "", "heading|9.2 Rays"], "The width is w =?"),
        (
            &["green|Agreement", "Support beams", "=== end of TP ==="],
            "Support beams / === end of TP ===",
        ),
        (&["green|Agreement", "Support:", "item|beams"], "Support: / beams"),
    ] {
        assert_eq!(quotes_of(DecisionType::Agreement, lines), [expected], "{lines:?}");
    }
}

#[test]
fn the_list_of_an_open_item_belongs_to_it() {
    for (items, expected) in [
        (
            &["item|FFS (by RAN1#99):", "item|how wide", "item|how many"][..],
            "FFS (by RAN1#99): / how wide / how many?",
        ),
        (
            &["item|FFS on the following:", "item|width", "item|count"],
            "FFS on the following: / width / count?",
        ),
        (
            &["item|FFS the following issues:", "item|width", "item|FFS rays"],
            "FFS the following issues: / width?",
        ),
        (&["item|FFS:", "item|Option 1: wide", "item|Note: none"], "FFS: / Option 1: wide?"),
        (&["item|FFS: two options:", "item|wide ones are agreed"], "FFS: two options:?"),
        (&["item|FFS other beams,", "item|rays are supported"], "FFS other beams,?"),
        (&["item|FFS other beams", "item|rays are supported"], "FFS other beams"),
    ] {
        let lines: Vec<&str> = ["green|Agreement", "Support beams:"]
            .into_iter()
            .chain(items.iter().copied())
            .collect();
        let found = quotes_of(DecisionType::OpenItem, &lines);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{items:?}");
    }
}

#[test]
fn a_document_or_an_observation_that_is_led_to_belongs_to_the_decision() {
    for (lines, expected) in [
        (
            &["Adopt the TP.", "Final CR:", "tabs|R1-9900001 Beams Example"][..],
            "Final CR: / R1-9900001 Beams Example",
        ),
        (
            &["Adopt the TP.", "Corresponding CR in:", "tabs|R1-9900001 Beams"],
            "Corresponding CR in: / R1-9900001 Beams",
        ),
        (
            &["Adopt them.", "Final updated parameters are in:", "tabs|R1-9900001 Beams"],
            "are in: / R1-9900001 Beams",
        ),
        (
            &["The observation is updated as follow:", "bold|Observation", "Beams are wide"],
            "Observation / Beams are wide",
        ),
        (
            &["Agree the following proposal:", "Proposal 1: Support beams"],
            "Proposal 1: Support beams",
        ),
    ] {
        let lines: Vec<&str> =
            ["green|Agreement"].into_iter().chain(lines.iter().copied()).collect();
        let found = quotes_of(DecisionType::Agreement, &lines);
        assert!(found.len() == 1 && found[0].ends_with(expected), "{lines:?}: {found:?}");
    }
    let found = quotes_of(
        DecisionType::Agreement,
        &["green|Agreement", "Support beams.", "Observation", "Beams are wide"],
    );
    assert_eq!(found, ["Support beams."]);
}

#[test]
fn a_text_for_a_specification_mentions_ends_and_goes_on() {
    let found = quotes_of(
        DecisionType::Agreement,
        &[
            "green|Agreement",
            "The TP below is endorsed.",
            "*** <Beginning of TP> ***",
            "The window is at the end of the slot.",
            "",
            "It is wide.",
            "*** <End of TP> ***",
            "",
            "Beams are discussed.",
        ],
    );
    assert!(
        found[0].trim_end_matches('?').ends_with("It is wide. / *** <End of TP> ***"),
        "{found:?}"
    );
}

#[test]
fn letters_to_write_and_concerns_of_companies_end_a_decision() {
    for remark in [
        "Send an LS to RAN2 on the beams \u{2013} (Example)",
        "LS containing the above to be sent to RAN2",
        "Further discuss the width of rays.",
        "Discuss separately:",
        "Note: Example Radio has concerns on the agreement.",
        "Observations: Some companies proposed rays",
    ] {
        let found =
            quotes_of(DecisionType::Agreement, &["green|Agreement", "Support beams.", remark]);
        assert_eq!(found, ["Support beams."], "{remark}");
        let first = quotes_of(DecisionType::Agreement, &["green|Agreement", remark]);
        assert_eq!(first.len(), 1, "{remark}");
    }
}
