//! `list_meeting_decisions`: what a meeting decided, quoted from where it is written down, and what registers say.

use std::collections::HashMap;

use super::{
    adopted_proposals, record, register_outcomes,
    view::{MeetingView, RegisterDecision},
};
use crate::service::{Operation, Service, internal_failure, tdocs::parameter_values};
use accounts::Caller;
use contributions::{
    DecisionStanding, Meeting, MeetingDecisions, MergedDecision, TdocCatalog,
    is_within_agenda_item, topic_words,
};
use domain::{DecisionKind, DecisionOutcome, MeetingId, NotesKind, TdocId};
use store::{DecisionRow, NotesRow, Snapshot};
use wire::{
    Failure, Route, ToolEffect, ToolFacts,
    params::ListMeetingDecisions,
    records::{DecisionCoverage, DecisionListReply, DecisionRecord, DecisionSource},
    values::{DecisionSourceKind, RegisterCoverage, ReportStanding},
};

/// What decisions are asked for.
struct DecisionFilter {
    meeting_index: u32,
    agenda_item: Option<String>,
    kinds: Vec<DecisionKind>,
    /// Kinds of notes; all where it is empty and no register is asked for.
    notes: Vec<NotesKind>,
    with_register: bool,
    /// The register is asked for by name.
    register_is_named: bool,
    words: Option<String>,
    /// One decision.
    id: Option<String>,
}

/// A decision that passes.
enum MatchingDecision<'a> {
    /// One that is written down, by its place.
    Written(usize, Option<f64>),
    /// What a register alone says.
    Registered(&'a RegisterDecision),
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
        let asked = parse_decision_filter(&self, &catalog)?;
        let meeting = &catalog.meetings[asked.meeting_index as usize];
        let view = service.meeting_view(&snapshot, &catalog, asked.meeting_index)?;
        let decided = &view.decided;
        let passing = select_decisions(&asked, &meeting.id, &view);
        let total = passing.len();
        let from = (self.offset as usize).min(total);
        let page = &passing[from..total.min(from + self.limit as usize)];
        let mut teller = DecisionRecordBuilder {
            catalog: &catalog,
            snapshot: &snapshot,
            meeting,
            decided,
            read: HashMap::new(),
        };
        let items =
            page.iter().map(|passing| teller.build_record(passing)).collect::<Result<_, _>>()?;
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
    let place =
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
        meeting_index: place,
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
    asked: &DecisionFilter,
    meeting: &MeetingId,
    view: &'a MeetingView,
) -> Vec<MatchingDecision<'a>> {
    let decided = &view.decided;
    if let Some(id) = &asked.id {
        return select_by_id(id, meeting, view);
    }
    let passes = |decision: &MergedDecision| {
        let row = &decision.row;
        asked.kinds.contains(&row.kind)
            && is_under(asked, row.agenda_item.as_deref())
            && (asked.notes.is_empty() && !asked.register_is_named
                || decision
                    .occurrences
                    .iter()
                    .any(|(at, _)| asked.notes.contains(&decided.notes[*at].kind)))
    };
    let mut found: Vec<MatchingDecision<'a>> = match &asked.words {
        Some(words) => {
            let about =
                decided.topics.rank_decisions(words, |place| decided.decisions[place].row.kind);
            let about = about.into_iter().filter(|(place, _)| passes(&decided.decisions[*place]));
            about.map(|(place, score)| MatchingDecision::Written(place, Some(score))).collect()
        }
        None => {
            let all = decided.decisions.iter().enumerate().filter(|(_, decision)| passes(decision));
            all.map(|(place, _)| MatchingDecision::Written(place, None)).collect()
        }
    };
    if !asked.with_register {
        return found;
    }
    // Where only the register is asked for, all of it is told; else what is not told already.
    let is_alone = asked.notes.is_empty() && asked.register_is_named;
    let words = asked.words.as_deref().map(topic_words);
    let is_about = |title: &str| {
        words.as_ref().is_none_or(|words| {
            let of_title = topic_words(title);
            !words.is_empty() && words.iter().all(|word| of_title.contains(word))
        })
    };
    let registered = view.register_decisions.iter().filter(|said| {
        (is_alone || !said.is_in_notes)
            && asked.kinds.contains(&said.kind)
            && is_under(asked, said.agenda_item.as_deref())
            && is_about(&said.title)
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
    let said = view.register_decisions.iter().find(|said| Some(said.id.as_str()) == tdoc);
    said.map(MatchingDecision::Registered).into_iter().collect()
}

fn is_under(asked: &DecisionFilter, item: Option<&str>) -> bool {
    asked
        .agenda_item
        .as_deref()
        .is_none_or(|wanted| item.is_some_and(|item| is_within_agenda_item(item, wanted)))
}

/// Makes records of decisions; documents that were read are kept while it lasts.
struct DecisionRecordBuilder<'a> {
    catalog: &'a TdocCatalog,
    snapshot: &'a Snapshot,
    meeting: &'a Meeting,
    decided: &'a MeetingDecisions,
    read: HashMap<TdocId, adopted_proposals::TdocProposals>,
}

impl DecisionRecordBuilder<'_> {
    fn build_record(&mut self, passing: &MatchingDecision<'_>) -> Result<DecisionRecord, Failure> {
        match passing {
            MatchingDecision::Written(place, score) => self.build_written_record(*place, *score),
            MatchingDecision::Registered(said) => self.register_outcomes(said),
        }
    }

    fn build_written_record(
        &mut self,
        place: usize,
        score: Option<f64>,
    ) -> Result<DecisionRecord, Failure> {
        let decision = &self.decided.decisions[place];
        let row = &decision.row;
        let others = decision.occurrences.iter().skip(1);
        let also_in = others
            .map(|(at, anchor)| to_decision_source(&self.decided.notes[*at], anchor))
            .collect();
        let under = row.recorded_under.as_ref().map(|id| self.decision_tdoc(id)).transpose()?;
        let references =
            row.references.iter().map(|id| self.decision_tdoc(id)).collect::<Result<_, _>>()?;
        let adopts = match row.kind.is_text() {
            true => self.find_adopted(decision)?,
            false => Vec::new(),
        };
        Ok(DecisionRecord {
            decision_id: decision.id.clone(),
            decision_type: row.kind.into(),
            outcome: row.outcome.map(Into::into),
            quote: row.quote.clone(),
            is_cut: row.is_cut,
            marker: Some(row.marker.clone()).filter(|marker| !marker.is_empty()),
            agenda_item: row.agenda_item.clone(),
            heading: row.heading.clone(),
            source: first_decision_source(self.decided, decision),
            also_in,
            recorded_under: under,
            references,
            adopts,
            session: row.session.clone(),
            date: self.day_of(row.session.as_deref()),
            part_of: decision.part_of.map(|whole| self.decided.decisions[whole].id.clone()),
            standing: to_report_standing(decision.standing),
            register_agrees: self.register_agrees(row),
            relevance_score: score,
        })
    }

    /// Whether the register says of a document what the notes say. Of one that was revised it says it of the document
    /// that the notes name: "The draft LS is endorsed. Final LS is approved in R1-2401234."
    fn register_agrees(&self, row: &DecisionRow) -> Option<bool> {
        let of = |id: &TdocId| register_outcomes::outcome_of_status(self.catalog.get(id)?.status);
        let under = row.recorded_under.as_ref().filter(|_| !row.kind.is_text())?;
        let agrees = register_outcomes::outcomes_agree(row.outcome, of(under));
        let later = || {
            row.references
                .iter()
                .any(|id| register_outcomes::outcomes_agree(row.outcome, of(id)) == Some(true))
        };
        match agrees {
            Some(false) if of(under) == Some(DecisionOutcome::Revised) && later() => Some(true),
            agrees => agrees,
        }
    }

    fn register_outcomes(&self, said: &RegisterDecision) -> Result<DecisionRecord, Failure> {
        let row = self.snapshot.tdocs().tdoc_row(&said.id).map_err(internal_failure)?;
        let text =
            |column| row.as_ref().and_then(|row| row.entry.column_text(column).map(str::to_owned));
        let file = self.meeting.register.as_ref().map(|register| register.file.as_str());
        Ok(DecisionRecord {
            decision_id: format!("{}-{}", self.meeting.id, said.id),
            decision_type: said.kind.into(),
            outcome: Some(said.outcome.into()),
            quote: text(register::Column::Status).unwrap_or_default(),
            is_cut: false,
            marker: None,
            agenda_item: said.agenda_item.clone(),
            heading: text(register::Column::AgendaTitle),
            source: to_register_source(file),
            also_in: Vec::new(),
            recorded_under: Some(self.decision_tdoc(&said.id)?),
            references: Vec::new(),
            adopts: Vec::new(),
            session: None,
            date: None,
            part_of: None,
            standing: ReportStanding::Final,
            register_agrees: None,
            relevance_score: None,
        })
    }

    fn day_of(&self, session: Option<&str>) -> Option<String> {
        self.meeting.dates.session_date(session?).map(|day| day.to_string())
    }

    fn decision_tdoc(&self, id: &TdocId) -> Result<wire::records::DecisionTdoc, Failure> {
        record::read_decision_tdoc(self.catalog, self.snapshot, id)
    }

    fn find_adopted(
        &mut self,
        decision: &MergedDecision,
    ) -> Result<Vec<wire::records::AdoptedProposal>, Failure> {
        let row = &decision.row;
        let named: Vec<TdocId> =
            row.references.iter().chain(&row.recorded_under).cloned().collect();
        let mut found = Vec::new();
        for id in named {
            if !self.read.contains_key(&id) {
                let read = adopted_proposals::read_proposals(self.snapshot, &id)?;
                self.read.insert(id.clone(), read);
            }
            let is_under = row.recorded_under.as_ref() == Some(&id);
            found.extend(adopted_proposals::find_adopted_proposals(
                &row.quote,
                &id,
                is_under,
                &self.read[&id],
            ));
        }
        Ok(adopted_proposals::select_best_proposals(found))
    }
}

/// Where a decision is written down first.
pub(super) fn first_decision_source(
    decided: &MeetingDecisions,
    decision: &MergedDecision,
) -> DecisionSource {
    let first = decision.occurrences.first();
    let first =
        first.and_then(|(at, anchor)| Some(to_decision_source(decided.notes.get(*at)?, anchor)));
    DecisionSource {
        last_anchor: Some(decision.row.last_anchor.clone()),
        page: decision.row.page,
        ..first.unwrap_or_else(|| to_register_source(None))
    }
}

fn to_decision_source(notes: &NotesRow, anchor: &str) -> DecisionSource {
    DecisionSource {
        source_kind: notes.kind.into(),
        title: notes.title.clone(),
        tdoc_id: notes.tdoc.as_ref().map(TdocId::to_string),
        anchor: Some(anchor.to_owned()),
        last_anchor: None,
        page: None,
    }
}

fn to_register_source(file: Option<&str>) -> DecisionSource {
    DecisionSource {
        source_kind: DecisionSourceKind::Register,
        title: file.unwrap_or("register").to_owned(),
        tdoc_id: None,
        anchor: None,
        last_anchor: None,
        page: None,
    }
}

fn to_report_standing(standing: DecisionStanding) -> ReportStanding {
    match standing {
        DecisionStanding::Final => ReportStanding::Final,
        DecisionStanding::Provisional => ReportStanding::Provisional,
        DecisionStanding::NotInReport => ReportStanding::NotInFinalReport,
    }
}
