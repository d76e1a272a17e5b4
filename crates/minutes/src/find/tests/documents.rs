//! Documents that decisions are about, or name.

use super::*;

#[test]
fn what_an_agreement_names_after_in_belongs_to_it() {
    let found = decisions_in(&[
        "green|Agreement",
        "The TP is agreed. Final CR in:",
        "green|tabs|R1-9900002 On beams Example",
        "(Rel-18, 38.901, NAME-Core, CR0007, Cat F) is agreed.",
        "R1-9900003",
        "green|Agreement",
        "The draft LS is endorsed. Final LS is approved in R1-9900004.",
        "R1-9900005",
        "green|Agreement",
        "Send an LS.",
        "Final LS is approved in:",
        "green|tabs|R1-9900006 LS on beams",
    ]);
    let found: Vec<_> =
        found.iter().map(|(kind, quote, at)| (*kind, quote.lines().count(), at.as_str())).collect();
    assert_eq!(
        found,
        [
            (Agreement, 2, "p1"),
            (ChangeRequest, 1, "p4"),
            (Agreement, 1, "p6"),
            (LiaisonStatement, 1, "p7"),
            (Agreement, 1, "p9"),
            (LiaisonStatement, 2, "p11"),
        ]
    );
}

#[test]
fn documents_that_a_sentence_announces_belong_to_it() {
    let found = find_in(&pieces(&[
        "Decision: As per email posted on Sept 3rd, the following are endorsed for the report:",
        "tabs|R1-9900001 Session notes of AI 9.1",
        "tabs|R1-9900002 Session notes of AI 9.2",
        "",
        "tabs|R1-9900003 LS on beams",
        "Relevant Tdoc(s)",
        "tabs|R1-9900004 Views on beams",
        "Decision: To be taken into account.",
        "tabs|R1-9900005 Views on rays",
        "Decision: It is postponed.",
    ]));
    use DecisionType::Document;
    use domain::DecisionType;
    let told: Vec<_> =
        found.iter().map(|d| (d.kind, d.last_anchor.as_str(), d.references.len())).collect();
    assert_eq!(
        told,
        [
            (Document, "n.docx#p3", 2),
            (LiaisonStatement, "n.docx#p8", 0),
            (Document, "n.docx#p10", 0)
        ]
    );
}
