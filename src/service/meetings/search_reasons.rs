//! Why a search of decisions finds none.

use crate::service::{
    Operation,
    diagnosis::{
        DiagnosisContext, MeetingRange, Reasons, diagnose_filters, diagnose_meetings,
        diagnose_page, diagnose_unknown_company, diagnose_unread_meetings,
    },
};
use wire::{Failure, params::SearchDecisions, records::DecisionSearchReply};

/// The filters of a search, the cheapest to leave out first: without a topic, nothing is ranked.
const FILTERS: [&str; 10] = [
    "q",
    "decision_type",
    "source_kind",
    "agenda_item",
    "work_item",
    "company",
    "meeting",
    "group",
    "since",
    "until",
];

/// Why a search of decisions finds none.
pub(super) fn diagnose_decision_search(
    asked: &SearchDecisions,
    context: &DiagnosisContext<'_>,
    reply: &DecisionSearchReply,
    reasons: &mut Reasons,
) -> Result<(), Failure> {
    if !reply.items.is_empty()
        || diagnose_page("offset", asked.offset.into(), reply.total, reasons)
        || diagnose_unknown_company("company", reply.resolution.as_ref(), reasons)
    {
        return Ok(());
    }
    let catalog = context.service.tdoc_catalog(&context.snapshot)?;
    let range = MeetingRange {
        group: asked.group.as_deref(),
        since: asked.since.as_deref(),
        until: asked.until.as_deref(),
    };
    diagnose_meetings(&catalog, &range, "", reasons);
    let coverage = &reply.coverage;
    diagnose_unread_meetings(coverage.meetings.len(), &coverage.meetings_without_notes, reasons);
    if !reasons.is_empty() {
        return Ok(());
    }
    diagnose_filters(asked, &FILTERS, "decision", reasons, |asked| {
        let first = SearchDecisions { limit: 1, offset: 0, ..asked.clone() };
        Ok(first.run(context.service, context.caller)?.total)
    })
}
