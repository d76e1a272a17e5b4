//! Labels in all their forms, and sentences that are not labels.

use super::*;

#[test]
fn labels_are_read_in_all_their_forms() {
    for (text, certainty, label, number, rest) in [
        ("Proposal 1: Study A.", LabelCertainty::Plain, "Proposal 1", "1", "Study A."),
        ("Proposal 1\u{ff1a}Study A.", LabelCertainty::Plain, "Proposal 1", "1", "Study A."),
        ("Observation-2: Seen.", LabelCertainty::Plain, "Observation-2", "2", "Seen."),
        ("Proposal 2. Study A.", LabelCertainty::Plain, "Proposal 2", "2", "Study A."),
        ("Proposal 2.1: Study A.", LabelCertainty::Plain, "Proposal 2.1", "2.1", "Study A."),
        (
            "Proposal #3 - Study all of A.",
            LabelCertainty::Plain,
            "Proposal #3",
            "3",
            "Study all of A.",
        ),
        ("PROPOSAL 4 RAN1 to study A", LabelCertainty::Plain, "PROPOSAL 4", "4", "RAN1 to study A"),
        (
            "Proposal 5 study A with care",
            LabelCertainty::Bold,
            "Proposal 5",
            "5",
            "study A with care",
        ),
        ("Proposal 11a: A", LabelCertainty::Plain, "Proposal 11a", "11a", "A"),
        ("Proposal A: A", LabelCertainty::Plain, "Proposal A", "a", "A"),
        ("Proposal IV: A", LabelCertainty::Plain, "Proposal IV", "iv", "A"),
        ("[Proposal 6]: A", LabelCertainty::Plain, "[Proposal 6]", "6", "A"),
        (
            "[FL1][H] Proposal 6.1-1-rev1",
            LabelCertainty::Plain,
            "[FL1][H] Proposal 6.1-1-rev1",
            "6.1-1-rev1",
            "",
        ),
        (
            "[FL2][[H] Proposal 5.3-5-1a-off",
            LabelCertainty::Plain,
            "[FL2][[H] Proposal 5.3-5-1a-off",
            "5.3-5-1a-off",
            "",
        ),
        ("FL1][M] Proposal 4.8-1", LabelCertainty::Plain, "FL1][M] Proposal 4.8-1", "4.8-1", ""),
        (
            "[Closed][FL1][M] Proposal 4.2-1",
            LabelCertainty::Plain,
            "[Closed][FL1][M] Proposal 4.2-1",
            "4.2-1",
            "",
        ),
        (
            "Updated FL proposal 3-2: A",
            LabelCertainty::Plain,
            "Updated FL proposal 3-2",
            "3-2",
            "A",
        ),
        (
            "Moderator\u{2019}s proposal 1: A",
            LabelCertainty::Plain,
            "Moderator\u{2019}s proposal 1",
            "1",
            "A",
        ),
        ("Proposal 4.1-1on", LabelCertainty::Certain, "Proposal 4.1-1on", "4.1-1on", ""),
        (
            "Proposal 6.2.1-7 \u{2013} offline consensus",
            LabelCertainty::Certain,
            "Proposal 6.2.1-7 \u{2013} offline consensus",
            "6.2.1-7",
            "",
        ),
        ("Proposal 1 (H): A", LabelCertainty::Plain, "Proposal 1 (H)", "1", "A"),
        ("Obs. 3: A", LabelCertainty::Plain, "Obs. 3", "3", "A"),
        ("Observation O1: A", LabelCertainty::Plain, "Observation O1", "o1", "A"),
        ("Proposal: A is done", LabelCertainty::Plain, "Proposal", "", "A is done"),
        ("Proposal No. 14: A", LabelCertainty::Plain, "Proposal No. 14", "14", "A"),
        ("Proposal (15): A", LabelCertainty::Plain, "Proposal (15)", "15", "A"),
        (
            "Observation (2) Seen by all",
            LabelCertainty::Bold,
            "Observation (2)",
            "2",
            "Seen by all",
        ),
    ] {
        let parsed = parse_label(text, certainty);
        let parsed = parsed.as_ref().map(|l| (l.label, l.number.as_str(), l.rest));
        assert_eq!(parsed, Some((label, number, rest)), "{text}");
    }
}

#[test]
fn sentences_about_proposals_are_not_labels() {
    for text in [
        "Proposal 1 and Proposal 2 are the same.",
        "Proposal 1, 2 and 3 are agreed",
        "Proposal 1~10 were agreed",
        "Proposal 1 is fine for us",
        "Proposals are discussed",
        "Proposal for RAN1",
        "Proposals:",
        "Proposals: the following",
        "[H] Proposal: High Priority, to be handled firstly.",
        "The proposal 1: as above",
        "We support Proposal 1: as above",
        "Vivo: Observation 13: A",
        "Proposal on A",
        "Observational data: A",
        "",
        "[[[[[",
        "FL",
    ] {
        assert_eq!(parse_label(text, LabelCertainty::Plain), None, "{text}");
    }
    for text in ["Proposal 11 versus Proposal 12", "Proposals 3 and 4", "Proposal 5 or 6 first"] {
        assert_eq!(parse_label(text, LabelCertainty::Certain), None, "{text}");
    }
}
