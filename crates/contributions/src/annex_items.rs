//! The agenda item of a decision that a report records in an annex: what was decided by e-mail after the meeting. The
//! annex has its own number or none; the item is the one of the document that the decision is about.

use super::{MeetingDecisions, MergedDecision, TdocCatalog};
use domain::{RecordedDecision, TdocId};

/// How the heading of an annex begins, in lower case.
const ANNEX: &str = "annex";

/// The agenda item of a decision of a meeting, given by its index in the catalog: as in the notes, or in an annex as
/// the register lists the decision's document. A document of another meeting is skipped: it has its item there.
pub fn agenda_item_of<'a>(
    row: &'a RecordedDecision,
    catalog: &'a TdocCatalog,
    meeting: u32,
) -> Option<&'a str> {
    if !is_in_annex(row) {
        return row.agenda_item.as_deref();
    }
    let registered = |id: &TdocId| {
        let entry = catalog.get(id).filter(|entry| catalog.meeting_index_of(entry) == meeting)?;
        entry.agenda_item.as_deref()
    };
    row.recorded_under.iter().chain(&row.references).find_map(registered)
}

fn is_in_annex(row: &RecordedDecision) -> bool {
    let heading = row.heading.as_deref().unwrap_or_default().trim_start().to_lowercase();
    let rest = heading.strip_prefix(ANNEX);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
}

impl MeetingDecisions {
    /// The agenda item of one of the decisions; a part has the item of its whole if it names no document.
    pub fn agenda_item<'a>(
        &'a self,
        decision: &'a MergedDecision,
        catalog: &'a TdocCatalog,
        meeting: u32,
    ) -> Option<&'a str> {
        let whole = || {
            let whole = self.decisions.get(decision.part_of?)?;
            agenda_item_of(&whole.row, catalog, meeting)
        };
        agenda_item_of(&decision.row, catalog, meeting).or_else(whole)
    }
}

#[cfg(test)]
mod tests {
    use register::Column;

    use super::*;
    use crate::catalog::tests::catalog;
    use domain::DecisionType;

    #[test]
    fn a_decision_in_an_annex_has_the_item_of_its_document() {
        let item = |number: &'static str| [(Column::AgendaItem, number)];
        let (own, named, earlier) = (item("7.1"), item("7.2"), item("5"));
        let catalog = catalog(
            &[
                ("R1-9900001", "R1-99", &own),
                ("R1-9900002", "R1-99", &named),
                ("R1-9800001", "R1-98", &earlier),
            ],
            Vec::new(),
        );
        let meeting = catalog.meeting_index(&"R1-99".parse().expect("a meeting")).expect("known");
        let annex = "Annex F: List of actions";
        for (heading, under, references, expected) in [
            ("Beams", "R1-9900001", &[][..], Some("11")),
            ("Annexation of beams", "R1-9900001", &[], Some("11")),
            (annex, "R1-9900001", &["R1-9900002"], Some("7.1")),
            (" ANNEX F", "", &["R1-9900002"], Some("7.2")),
            // A document of another meeting has its item there, and an unlisted document has none.
            (annex, "R1-9800001", &["R1-9900009", "R1-9900002"], Some("7.2")),
            (annex, "R1-9800001", &[], None),
            (annex, "", &[], None),
        ] {
            let row = RecordedDecision {
                kind: DecisionType::Document,
                outcome: None,
                marker: String::new(),
                quote: String::new(),
                is_cut: false,
                anchor: String::new(),
                last_anchor: String::new(),
                page: None,
                agenda_item: Some("11".to_owned()),
                heading: Some(heading.to_owned()),
                recorded_under: under.parse().ok(),
                references: references.iter().filter_map(|id| id.parse().ok()).collect(),
                session: None,
                part_of: None,
            };
            let found = agenda_item_of(&row, &catalog, meeting);
            assert_eq!(found, expected, "{heading} {under} {references:?}");
        }
    }
}
