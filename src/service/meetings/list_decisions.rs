//! `list_meeting_decisions`: the decisions of a meeting, from its notes, its reports and its register.

use super::{
    decision_records::{DecisionRecordBuilder, MatchingDecision, to_doubtful_record},
    record, register_outcomes,
    view::MeetingView,
};
use crate::service::{Operation, Service, tdocs::parameter_values};
use accounts::Caller;
use contributions::{
    MeetingDecisions, MergedDecision, TdocCatalog, is_within_agenda_item, topic_words,
};
use domain::{DecisionKind, MeetingId, NotesKind};
use store::DoubtfulRow;
use wire::{
    Failure, Route, ToolEffect, ToolFacts,
    params::ListMeetingDecisions,
    records::{DecisionCoverage, DecisionListReply, DoubtfulDecisionRecord},
    values::RegisterCoverage,
};

/// Doubtful texts that a reply lists.
const MAX_DOUBTFUL: usize = 50;

/// The parsed filters of a request.
struct DecisionFilter {
    meeting_index: u32,
    agenda_item: Option<String>,
    kinds: Vec<DecisionKind>,
    /// Kinds of notes; when empty, all of them, unless the register is named.
    notes: Vec<NotesKind>,
    /// Whether decisions that only the register has are listed.
    with_register: bool,
    /// Whether `source_kind` names the register.
    register_is_named: bool,
    words: Option<String>,
    /// The id of one decision; the other filters are then ignored.
    id: Option<String>,
}

impl Operation for ListMeetingDecisions {
    const NAME: &'static str = "list_meeting_decisions";
    const ROUTE: Route = Route::get("/meetings/{meeting_id}/decisions");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List what a meeting decided",
        advice: "Use this for what was agreed, assumed, concluded or left open at a meeting, and for what became \
            of documents; q names a topic. Quote the decision with its source and anchor. A proposal is \
            no decision, nor is anything under doubtful; standing tells whether the final report has it. \
            An empty list means nothing in the sources that coverage names.",
        rest: "Narrow it with agenda_item, decision_type or q, or go on with offset=next_offset.",
        continuable_field: Some("quote"),
        effect: ToolEffect::Reads,
        is_record: false,
    });
    type Reply = DecisionListReply;

    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        parse_decision_filter(self, &catalog).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<DecisionListReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let filter = parse_decision_filter(&self, &catalog)?;
        let meeting = &catalog.meetings[filter.meeting_index as usize];
        let view = service.meeting_view(&snapshot, &catalog, filter.meeting_index)?;
        let meeting_decisions = &view.decisions;
        let passing = select_decisions(&filter, &meeting.id, &view);
        let total = passing.len();
        let from = (self.offset as usize).min(total);
        let page = &passing[from..total.min(from + self.limit as usize)];
        let mut builder =
            DecisionRecordBuilder::new(&catalog, &snapshot, meeting, meeting_decisions);
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
                processed: meeting_decisions
                    .notes
                    .iter()
                    .map(record::to_processed_source)
                    .collect(),
                missing: view.missing_sources.clone(),
                register,
                has_final_report: meeting_decisions.has_final_report(),
            },
            total: total as u64,
            next_offset: next_offset.and_then(|next| u32::try_from(next).ok()),
            doubtful: match from {
                0 => select_doubtful(&filter, meeting_decisions),
                _ => Vec::new(),
            },
        })
    }
}

/// The doubtful texts that fit the filters.
fn select_doubtful(
    filter: &DecisionFilter,
    meeting_decisions: &MeetingDecisions,
) -> Vec<DoubtfulDecisionRecord> {
    if filter.id.is_some() {
        return Vec::new();
    }
    let words = filter.words.as_deref().map(topic_words);
    let fits = |(source, doubtful): &&(usize, DoubtfulRow)| {
        let row = &doubtful.decision;
        filter.kinds.contains(&row.kind)
            && is_under(filter, row.agenda_item.as_deref())
            && (filter.notes.is_empty() && !filter.register_is_named
                || filter.notes.contains(&meeting_decisions.notes[*source].kind))
            && words.as_ref().is_none_or(|words| {
                let of_quote = topic_words(&row.quote);
                !words.is_empty() && words.iter().all(|word| of_quote.contains(word))
            })
    };
    let fitting = meeting_decisions.doubtful.iter().filter(fits).take(MAX_DOUBTFUL);
    fitting
        .map(|(source, doubtful)| to_doubtful_record(meeting_decisions, *source, doubtful))
        .collect()
}

fn parse_decision_filter(
    parameters: &ListMeetingDecisions,
    catalog: &TdocCatalog,
) -> Result<DecisionFilter, Failure> {
    let meeting_index =
        parameter_values::parse_meeting_parameter("meeting_id", catalog, &parameters.meeting_id)?;
    let agenda_item =
        parameters.agenda_item.as_deref().map(parameter_values::parse_agenda_item).transpose()?;
    let mut kinds = parameter_values::parse_list(
        "decision_type",
        parameters.decision_type.as_deref(),
        |text| parameter_values::parse_value("decision_type", text),
    )?;
    if kinds.is_empty() {
        kinds = DecisionKind::all().filter(|kind| *kind != DecisionKind::Noted).collect();
    }
    let sources =
        parameter_values::parse_list("source_kind", parameters.source_kind.as_deref(), |text| {
            match text.eq_ignore_ascii_case(register_outcomes::REGISTER_SOURCE_KIND) {
                true => Ok(None),
                false => parameter_values::parse_value("source_kind", text).map(Some),
            }
        })?;
    let with_register = sources.is_empty() || sources.contains(&None);
    let notes: Vec<NotesKind> = sources.iter().flatten().copied().collect();
    let words = parameters.q.as_deref().map(str::trim);
    if words.is_some_and(|words| !words.chars().any(char::is_alphanumeric)) {
        return Err(parameter_values::invalid_parameter("q", "There is no word in q."));
    }
    Ok(DecisionFilter {
        meeting_index,
        agenda_item,
        kinds,
        notes,
        with_register,
        register_is_named: sources.contains(&None),
        words: words.map(str::to_owned),
        id: parameters.decision_id.clone(),
    })
}

/// The decisions that pass, in order: those of the notes, then those that only the register has.
fn select_decisions<'a>(
    filter: &DecisionFilter,
    meeting: &MeetingId,
    view: &'a MeetingView,
) -> Vec<MatchingDecision<'a>> {
    let meeting_decisions = &view.decisions;
    if let Some(id) = &filter.id {
        return select_by_id(id, meeting, view);
    }
    let passes = |decision: &MergedDecision| {
        let row = &decision.row;
        filter.kinds.contains(&row.kind)
            && is_under(filter, row.agenda_item.as_deref())
            && (filter.notes.is_empty() && !filter.register_is_named
                || decision
                    .occurrences
                    .iter()
                    .any(|(index, _)| filter.notes.contains(&meeting_decisions.notes[*index].kind)))
    };
    let mut found: Vec<MatchingDecision<'a>> = match &filter.words {
        Some(words) => {
            let decisions = &meeting_decisions.decisions;
            let ranked =
                meeting_decisions.topics.rank_decisions(words, |index| decisions[index].row.kind);
            let ranked = ranked.into_iter().filter(|(index, _)| passes(&decisions[*index]));
            ranked.map(|(index, score)| MatchingDecision::Written(index, Some(score))).collect()
        }
        None => {
            let all = meeting_decisions.decisions.iter().enumerate();
            let passing = all.filter(|(_, decision)| passes(decision));
            passing.map(|(index, _)| MatchingDecision::Written(index, None)).collect()
        }
    };
    if !filter.with_register {
        return found;
    }
    // Where the register is the only source requested, all its decisions are listed; else those that
    // the notes do not have.
    let is_only_source = filter.notes.is_empty() && filter.register_is_named;
    let words = filter.words.as_deref().map(topic_words);
    let is_about = |title: &str| {
        words.as_ref().is_none_or(|words| {
            let of_title = topic_words(title);
            !words.is_empty() && words.iter().all(|word| of_title.contains(word))
        })
    };
    let registered = view.register_decisions.iter().filter(|decision| {
        (is_only_source || !decision.is_in_notes)
            && filter.kinds.contains(&decision.kind)
            && is_under(filter, decision.agenda_item.as_deref())
            && is_about(&decision.title)
    });
    found.extend(registered.map(MatchingDecision::Registered));
    found
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

fn is_under(filter: &DecisionFilter, item: Option<&str>) -> bool {
    filter
        .agenda_item
        .as_deref()
        .is_none_or(|requested| item.is_some_and(|item| is_within_agenda_item(item, requested)))
}
