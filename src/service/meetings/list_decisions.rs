//! `list_meeting_decisions`: what a meeting decided, quoted from where it is written down, and what registers say.

use super::{
    decision_records::{DecisionRecordBuilder, MatchingDecision},
    record, register_outcomes,
    view::MeetingView,
};
use crate::service::{Operation, Service, tdocs::parameter_values};
use accounts::Caller;
use contributions::{MergedDecision, TdocCatalog, is_within_agenda_item, topic_words};
use domain::{DecisionKind, MeetingId, NotesKind};
use wire::{
    Failure, Route, ToolEffect, ToolFacts,
    params::ListMeetingDecisions,
    records::{DecisionCoverage, DecisionListReply},
    values::RegisterCoverage,
};

/// What decisions are filter for.
struct DecisionFilter {
    meeting_index: u32,
    agenda_item: Option<String>,
    kinds: Vec<DecisionKind>,
    /// Kinds of notes; all where it is empty and no register is filter for.
    notes: Vec<NotesKind>,
    with_register: bool,
    /// The register is filter for by name.
    register_is_named: bool,
    words: Option<String>,
    /// One decision.
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
            no decision, and standing tells whether the final report has it. An empty list means \
            nothing in the sources that coverage names.",
        rest: "Narrow it with agenda_item, decision_type or q, or go on with offset=next_offset.",
        reads_on: Some("quote"),
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
        let decided = &view.decided;
        let passing = select_decisions(&filter, &meeting.id, &view);
        let total = passing.len();
        let from = (self.offset as usize).min(total);
        let page = &passing[from..total.min(from + self.limit as usize)];
        let mut builder = DecisionRecordBuilder::new(&catalog, &snapshot, meeting, decided);
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
                processed: decided.notes.iter().map(record::to_processed_source).collect(),
                missing: view.missing_sources.clone(),
                register,
                has_final_report: decided.has_final_report(),
            },
            total: total as u64,
            next_offset: next_offset.and_then(|next| u32::try_from(next).ok()),
        })
    }
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

/// The decisions that pass, in their order: what is written down, then what registers alone say.
fn select_decisions<'a>(
    filter: &DecisionFilter,
    meeting: &MeetingId,
    view: &'a MeetingView,
) -> Vec<MatchingDecision<'a>> {
    let decided = &view.decided;
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
                    .any(|(at, _)| filter.notes.contains(&decided.notes[*at].kind)))
    };
    let mut found: Vec<MatchingDecision<'a>> = match &filter.words {
        Some(words) => {
            let about =
                decided.topics.rank_decisions(words, |index| decided.decisions[index].row.kind);
            let about = about.into_iter().filter(|(index, _)| passes(&decided.decisions[*index]));
            about.map(|(index, score)| MatchingDecision::Written(index, Some(score))).collect()
        }
        None => {
            let all = decided.decisions.iter().enumerate().filter(|(_, decision)| passes(decision));
            all.map(|(index, _)| MatchingDecision::Written(index, None)).collect()
        }
    };
    if !filter.with_register {
        return found;
    }
    // Where only the register is asked for, all of it is listed; else what the notes do not have.
    let is_alone = filter.notes.is_empty() && filter.register_is_named;
    let words = filter.words.as_deref().map(topic_words);
    let is_about = |title: &str| {
        words.as_ref().is_none_or(|words| {
            let of_title = topic_words(title);
            !words.is_empty() && words.iter().all(|word| of_title.contains(word))
        })
    };
    let registered = view.register_decisions.iter().filter(|decision| {
        (is_alone || !decision.is_in_notes)
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
    let decisions = &view.decided.decisions;
    if let Some(whole) = decisions.iter().position(|decision| decision.id == id) {
        let all = decisions.iter().enumerate();
        let own = all.filter(|(at, decision)| *at == whole || decision.part_of == Some(whole));
        return own.map(|(at, _)| MatchingDecision::Written(at, None)).collect();
    }
    // What a register alone says is named by its document.
    let tdoc = id.strip_prefix(&meeting.to_string()).and_then(|rest| rest.strip_prefix('-'));
    let decision =
        view.register_decisions.iter().find(|decision| Some(decision.id.as_str()) == tdoc);
    decision.map(MatchingDecision::Registered).into_iter().collect()
}

fn is_under(filter: &DecisionFilter, item: Option<&str>) -> bool {
    filter
        .agenda_item
        .as_deref()
        .is_none_or(|wanted| item.is_some_and(|item| is_within_agenda_item(item, wanted)))
}
