//! `list_meeting_decisions`: the decisions of a meeting, from its notes, its reports and its register.

use super::{
    decision_criteria::{DecisionCriteria, parse_question},
    decision_records::{DecisionRecordBuilder, MatchingDecision, to_doubtful_record},
    decision_topics::topic_query,
    quotations::is_quotation,
    record,
    register_outcomes::RegisterDecision,
    view::MeetingView,
};
use crate::service::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, Reasons, diagnose_filters, diagnose_page, diagnose_unread_meetings,
    },
    tdocs::parameter_values,
};
use accounts::Caller;
use contributions::{
    DecisionLife, MeetingDecisions, MergedDecision, TdocCatalog, TopicQuery, agenda_item_of,
    rank_decisions,
};
use domain::{DecisionDoubt, MeetingId};
use serde_json::Value;
use store::{DoubtfulRow, Snapshot};
use wire::{
    Failure,
    params::ListMeetingDecisions,
    records::{DecisionCoverage, DecisionListReply, DoubtfulDecisionRecord},
    values::RegisterCoverage,
};

/// Doubtful texts that a reply lists: they are not divided into pages, as the decisions are.
const MAX_DOUBTFUL: usize = 50;

/// The parsed filters of a request.
struct DecisionFilter {
    meeting_index: u32,
    criteria: DecisionCriteria,
    words: Option<String>,
    /// The id of one decision; the other filters are then ignored.
    id: Option<String>,
}

impl Operation for ListMeetingDecisions {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        parse_decision_filter(self, &catalog).map(drop)
    }

    fn next_page(&self, rows: usize, _last: &Value) -> Option<(&'static str, Value)> {
        Some(("next_offset", (self.offset as usize + rows).into()))
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<DecisionListReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let filter = parse_decision_filter(&self, &catalog)?;
        let meeting = &catalog.meetings[filter.meeting_index as usize];
        let view = crate::service::meetings::view::meeting_view(
            service,
            &snapshot,
            &catalog,
            filter.meeting_index,
        )?;
        let meeting_decisions = &view.decisions;
        let abbreviations = [&meeting_decisions.topics.abbreviations, &catalog.abbreviations];
        let words = filter.words.as_deref();
        let query = words.map(|words| topic_query(service, &snapshot, words, &abbreviations));
        let query = query.transpose()?;
        let life = super::group_life(service, &snapshot, &catalog, meeting.id.group())?;
        let passing =
            select_decisions(&filter, (&snapshot, &catalog), (&view, &life), query.as_ref())?;
        let total = passing.len();
        let from = (self.offset as usize).min(total);
        let page = &passing[from..total.min(from + self.limit as usize)];
        let mut builder = DecisionRecordBuilder::new(
            &catalog,
            &snapshot,
            meeting,
            (meeting_decisions, life.clone()),
        );
        let items =
            page.iter().map(|matching| builder.build_record(matching)).collect::<Result<_, _>>()?;
        let next = from + page.len();
        let next_offset = (next < total && !page.is_empty()).then_some(next);
        let register = match (&meeting.register, meeting.registered) {
            (Some(_), _) => record::meeting_coverage(meeting).into(),
            (None, 0) => RegisterCoverage::None,
            (None, _) => RegisterCoverage::Partial,
        };
        Ok(DecisionListReply {
            items,
            coverage: DecisionCoverage {
                meeting_id: meeting.id.to_string(),
                processed: record::list_processed_sources(&snapshot, meeting_decisions, &life)?,
                missing: view.missing_sources.clone(),
                register,
                has_final_report: meeting_decisions.has_final_report(),
            },
            total: total as u64,
            next_offset: next_offset.and_then(|next| u32::try_from(next).ok()),
            doubtful: match from {
                0 => select_doubtful(&filter, &catalog, (meeting_decisions, &life), query.as_ref()),
                _ => Vec::new(),
            },
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &DecisionListReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.items.is_empty()
            || diagnose_page("offset", self.offset.into(), reply.total, reasons)
        {
            return Ok(());
        }
        let meeting = [reply.coverage.meeting_id.clone()];
        diagnose_unread_meetings(reply.coverage.processed.len(), &meeting, reasons);
        let filters = ["agenda_item", "decision_type", "q", "source_kind", "decision_id"];
        diagnose_filters(self, &filters, "decision", reasons, |asked| {
            let first = Self { limit: 1, offset: 0, ..asked.clone() };
            Ok(first.run(context.service, context.caller)?.total)
        })
    }
}

/// The decisions whose text an earlier meeting decided, as doubtful texts.
fn list_quotations(decisions: &MeetingDecisions, life: &DecisionLife) -> Vec<(usize, DoubtfulRow)> {
    let all = decisions.decisions.iter().filter(|decision| life.is_quotation(decision, None));
    let to_row = |decision: &MergedDecision| {
        let source = decision.occurrences.first()?.source;
        let reason = DecisionDoubt::QuotesDecision;
        Some((source, DoubtfulRow { reason, decision: decision.row.clone() }))
    };
    all.filter_map(to_row).collect()
}

/// The doubtful texts that match the filters.
fn select_doubtful(
    filter: &DecisionFilter,
    catalog: &TdocCatalog,
    (meeting_decisions, life): (&MeetingDecisions, &DecisionLife),
    query: Option<&TopicQuery>,
) -> Vec<DoubtfulDecisionRecord> {
    if filter.id.is_some() {
        return Vec::new();
    }
    let meeting = filter.meeting_index;
    let fits = |(source, doubtful): &&(usize, DoubtfulRow)| {
        let row = &doubtful.decision;
        filter.criteria.admits(row.kind, agenda_item_of(row, catalog, meeting))
            && filter.criteria.admits_notes(meeting_decisions.notes[*source].kind)
            && query.is_none_or(|query| names_all_concepts(query, &row.quote))
    };
    let repeated = list_quotations(meeting_decisions, life);
    let all = meeting_decisions.doubtful.iter().chain(&repeated);
    let fitting = all.filter(fits).take(MAX_DOUBTFUL);
    fitting
        .map(|(source, doubtful)| {
            let item = agenda_item_of(&doubtful.decision, catalog, meeting);
            to_doubtful_record((meeting_decisions, life), *source, doubtful, item)
        })
        .collect()
}

/// Whether a text names all that a question is about.
fn names_all_concepts(query: &TopicQuery, text: &str) -> bool {
    !query.is_empty() && query.share_in_text(text) >= 1.0
}

fn parse_decision_filter(
    parameters: &ListMeetingDecisions,
    catalog: &TdocCatalog,
) -> Result<DecisionFilter, Failure> {
    let meeting_index =
        parameter_values::parse_meeting_parameter("meeting_id", catalog, &parameters.meeting_id)?;
    let criteria = DecisionCriteria::parse(
        parameters.agenda_item.as_deref(),
        parameters.decision_type.as_deref(),
        parameters.source_kind.as_deref(),
    )?;
    let words = parse_question(parameters.q.as_deref())?.map(str::to_owned);
    Ok(DecisionFilter { meeting_index, criteria, words, id: parameters.decision_id.clone() })
}

/// The decisions that match, in order: those of the notes, then those that only the register has.
fn select_decisions<'a>(
    filter: &DecisionFilter,
    (snapshot, catalog): (&Snapshot, &TdocCatalog),
    (view, life): (&'a MeetingView, &DecisionLife),
    query: Option<&TopicQuery>,
) -> Result<Vec<MatchingDecision<'a>>, Failure> {
    if let Some(id) = &filter.id {
        return Ok(select_by_id(id, &catalog.meetings[filter.meeting_index as usize].id, view));
    }
    let decisions = &view.decisions.decisions;
    let passes = |index: usize| {
        let decision = &decisions[index];
        let item = view.decisions.agenda_item(decision, catalog, filter.meeting_index);
        filter.criteria.admits_decision(&view.decisions, decision, item)
            && !is_quotation(&view.decisions, life, index)
    };
    let mut found: Vec<MatchingDecision<'a>> = match query {
        Some(query) => {
            let topics = [&view.decisions.topics];
            let ranked = rank_decisions(&topics, query, |_, index| decisions[index].row.kind);
            let ranked = ranked.into_iter().filter(|hit| passes(hit.decision));
            ranked.map(|hit| MatchingDecision::Written(hit.decision, Some(hit.score))).collect()
        }
        None => (0..decisions.len())
            .filter(|index| passes(*index))
            .map(|index| MatchingDecision::Written(index, None))
            .collect(),
    };
    if !filter.criteria.admits_register() {
        return Ok(found);
    }
    // If the register is the only source requested, all its decisions are listed; otherwise those that
    // the notes do not have.
    let is_alone = filter.criteria.is_register_alone();
    let passes = |decision: &RegisterDecision| {
        (is_alone || !decision.is_in_notes)
            && filter.criteria.admits(decision.kind, decision.agenda_item.as_deref())
    };
    let all = view.register_decisions.iter();
    match query {
        None => found.extend(all.filter(|one| passes(one)).map(MatchingDecision::Registered)),
        Some(query) => {
            let titled = all.zip(view.register_titles(snapshot)?);
            let about =
                titled.filter(|(one, title)| passes(one) && names_all_concepts(query, title));
            found.extend(about.map(|(one, _)| MatchingDecision::Registered(one)));
        }
    }
    Ok(found)
}

/// The decision of an id, and its parts.
fn select_by_id<'a>(
    id: &str,
    meeting: &MeetingId,
    view: &'a MeetingView,
) -> Vec<MatchingDecision<'a>> {
    let decisions = &view.decisions.decisions;
    if let Some(whole) = decisions.iter().position(|decision| decision.id == id) {
        let all = decisions.iter().enumerate();
        let own =
            all.filter(|(index, decision)| *index == whole || decision.part_of == Some(whole));
        return own.map(|(index, _)| MatchingDecision::Written(index, None)).collect();
    }
    // A decision that only the register has is named by its document.
    let tdoc = id.strip_prefix(&meeting.to_string()).and_then(|rest| rest.strip_prefix('-'));
    let decision =
        view.register_decisions.iter().find(|decision| Some(decision.id.as_str()) == tdoc);
    decision.map(MatchingDecision::Registered).into_iter().collect()
}
