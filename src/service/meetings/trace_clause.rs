//! `trace_clause`: from a clause to the change requests, contributions and decisions that name it.

use std::collections::HashSet;

use register::Column;

use super::{life::GroupLives, traced_decisions::to_traced_decision};
use crate::service::{
    Operation, Service,
    comparison::read_touched_clauses,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, MeetingRange, Reasons, diagnose_filters,
        diagnose_meetings, diagnose_sections,
    },
    internal_failure,
    tdocs::parameter_values,
};
use accounts::Caller;
use contributions::{
    TdocCatalog, TdocEntry, TdocFilter, match_clause_list, mentions_clause, read_completed_row,
    read_cover_field,
};
use domain::DocKind;
use domain::{DocNumber, Group, MeetingId, SectionNumber, TdocId};
use store::{Snapshot, TdocRow};
use wire::{
    Failure,
    params::{SearchTdocs, SectionHistory, TdocFilters, TraceClause},
    records::{
        SectionHistoryEntry, TraceCoverage, TraceReply, TracedChange, TracedDecision, TracedPassage,
    },
    values::{ClauseRelation, DecisionLink},
};

/// Maximum number of passages that are searched for the clause: the most that `search_tdocs` returns.
const MAX_PASSAGES_SEARCHED: u32 = 50;

impl Operation for TraceClause {
    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        parse_specification(self)?;
        parse_groups(self).map(drop)
    }

    fn run(self, service: &Service, caller: &Caller) -> Result<TraceReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let spec = parse_specification(&self)?;
        let clause = SectionNumber::from_typed(&self.section_number).to_string();
        let groups = parse_groups(&self)?;
        let limit = self.limit as usize;
        let mut coverage = TraceCoverage::default();
        let mut changes =
            find_change_requests(&catalog, &snapshot, &spec, &clause, &groups, &mut coverage)?;
        let changed: HashSet<TdocId> = changes.iter().map(|change| change.id.clone()).collect();
        changes.sort_by(|a, b| a.relation.cmp(&b.relation).then_with(|| a.id.cmp(&b.id)));
        coverage.found_change_requests = changes.len() as u64;
        let change_requests = changes.into_iter().take(limit).map(|change| change.record).collect();
        let mut decisions = Vec::new();
        let mut lives = GroupLives::new(service, &snapshot, &catalog);
        let with_notes: HashSet<MeetingId> = snapshot
            .meetings()
            .all_notes()
            .map_err(internal_failure)?
            .into_iter()
            .map(|notes| notes.meeting)
            .collect();
        for meeting in catalog.meetings.iter().rev().filter(|m| with_notes.contains(&m.id)) {
            if !groups.is_empty() && !groups.contains(&meeting.id.group()) {
                continue;
            }
            let meeting_decisions =
                crate::service::meetings::meeting_decisions(service, &snapshot, &meeting.id)?;
            if meeting_decisions.notes.is_empty() {
                continue;
            }
            coverage.meetings_with_decisions.push(meeting.id.to_string());
            let life = lives.find_life(meeting.id.group())?;
            for decision in &meeting_decisions.decisions {
                let row = &decision.row;
                let under = row.recorded_under.as_ref();
                // A part is in the quote of its decision.
                if decision.part_of.is_some() || life.is_quotation(decision, None) {
                    continue;
                }
                let via = if mentions_clause(&row.quote, &spec.to_string(), &clause) {
                    DecisionLink::Names
                } else if under.is_some_and(|id| changed.contains(id)) {
                    DecisionLink::ChangeRequest
                } else {
                    continue;
                };
                coverage.found_decisions += 1;
                decisions.push(to_traced_decision(
                    (&meeting_decisions, &life),
                    &meeting.id,
                    decision,
                    via,
                ));
            }
        }
        // What stands comes first, then what later decisions replaced; within each, the newest meeting first.
        decisions.sort_by_key(|decision: &TracedDecision| decision.standing.is_past());
        decisions.truncate(limit);
        let history = read_history(&self, service, caller, clause.clone())?;
        let contributions =
            find_naming_passages(&self, service, caller, &spec, &clause, &mut coverage)?;
        Ok(TraceReply {
            doc_number: spec.to_string(),
            section_number: clause,
            change_requests,
            decisions,
            contributions,
            coverage,
            history,
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &TraceReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        let found = reply.change_requests.len() + reply.decisions.len() + reply.contributions.len();
        if found > 0 {
            return Ok(());
        }
        let filters = DocumentFilters {
            document: Some(FilterValue { parameter: "doc_number", value: &self.doc_number }),
            ..DocumentFilters::default()
        };
        let section = FilterValue { parameter: "section_number", value: &self.section_number };
        diagnose_sections(&context.snapshot, &filters, section, reasons)?;
        let catalog = context.service.tdoc_catalog(&context.snapshot)?;
        let range = MeetingRange { group: self.group.as_deref(), ..MeetingRange::default() };
        diagnose_meetings(&catalog, &range, "", reasons);
        diagnose_filters(self, &["group"], "change request", reasons, |asked| {
            let all = asked.clone().run(context.service, context.caller)?;
            Ok(all.coverage.found_change_requests)
        })
    }
}

/// The indexed versions in which the clause changed, with the change requests that their annexes record; none if the
/// specification or the clause is not indexed.
fn read_history(
    parameters: &TraceClause,
    service: &Service,
    caller: &Caller,
    section_number: String,
) -> Result<Vec<SectionHistoryEntry>, Failure> {
    let doc_number = parameters.doc_number.clone();
    let history = SectionHistory { doc_number, section_number, to: None, limit: parameters.limit };
    match history.run(service, caller) {
        Ok(reply) => Ok(reply.changes),
        Err(Failure::InvalidParameter { .. }) => Ok(Vec::new()),
        Err(failure) => Err(failure),
    }
}

fn parse_specification(parameters: &TraceClause) -> Result<DocNumber, Failure> {
    parameter_values::parse_value("doc_number", &parameters.doc_number)
}

fn parse_groups(parameters: &TraceClause) -> Result<Vec<Group>, Failure> {
    let group = parameters.group.as_deref();
    parameter_values::parse_list("group", group, parameter_values::parse_group)
}

/// A change request to the clause.
struct MatchingChangeRequest {
    id: TdocId,
    relation: ClauseRelation,
    record: TracedChange,
}

/// The change requests to the clause.
fn find_change_requests(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    spec: &DocNumber,
    clause: &str,
    groups: &[Group],
    coverage: &mut TraceCoverage,
) -> Result<Vec<MatchingChangeRequest>, Failure> {
    let filter = TdocFilter {
        spec: Some(spec.clone()),
        kinds: vec![DocKind::Cr, DocKind::DraftCr, DocKind::PCr],
        groups: groups.to_vec(),
        ..TdocFilter::default()
    };
    let mut found = Vec::new();
    for entry in catalog.matching_entries(&filter) {
        coverage.change_requests += 1;
        let Some(changed) = ChangedClauses::read(snapshot, entry)? else { continue };
        coverage.with_clauses += 1;
        let Some(relation) = changed.relation_to(clause) else { continue };
        let row = read_completed_row(snapshot, &entry.id).map_err(internal_failure)?;
        let Some(row) = row else { continue };
        let record = to_traced_change(catalog, entry, &row, changed, relation);
        found.push(MatchingChangeRequest { id: entry.id.clone(), relation, record });
    }
    Ok(found)
}

/// The passages that name both the specification and the clause.
fn find_naming_passages(
    parameters: &TraceClause,
    service: &Service,
    caller: &Caller,
    spec: &DocNumber,
    clause: &str,
    coverage: &mut TraceCoverage,
) -> Result<Vec<TracedPassage>, Failure> {
    let search = SearchTdocs {
        query: format!("\"{clause}\" {spec}"),
        filters: Some(TdocFilters { group: parameters.group.clone(), ..TdocFilters::default() }),
        unit_types: None,
        rerank_top_k: MAX_PASSAGES_SEARCHED,
        max_per_tdoc: 3,
        include_text: true,
        rerank: false,
    };
    let reply = search.run(service, caller)?;
    coverage.indexed_tdocs = reply.coverage.indexed_tdocs;
    coverage.registered_tdocs = reply.coverage.registered_tdocs;
    coverage.known_tdocs = reply.coverage.known_tdocs;
    let number = spec.to_string();
    let naming = reply.results.into_iter().filter_map(|passage| {
        let text = passage.text?;
        mentions_clause(&text, &number, clause).then_some(TracedPassage {
            tdoc_id: passage.tdoc_id,
            title: passage.title,
            doc_kind: passage.doc_kind,
            status: passage.status,
            meeting_id: passage.meeting.meeting_id,
            unit_type: passage.unit_type,
            unit_labels: passage.unit_labels,
            anchor: passage.anchor,
            last_anchor: passage.last_anchor,
            text,
        })
    });
    Ok(naming.take(parameters.limit as usize).collect())
}

/// The clauses that a change request changes.
struct ChangedClauses {
    /// As its register or else its cover names them.
    named: Option<String>,
    /// As its tracked changes touch them.
    touched: Option<String>,
}

impl ChangedClauses {
    /// What is known about them; `None` if nothing is.
    fn read(snapshot: &Snapshot, entry: &TdocEntry) -> Result<Option<Self>, Failure> {
        let named = match entry.clauses() {
            Some(clauses) => Some(clauses.to_owned()),
            None => read_cover_field(snapshot, &entry.id, "clauses").map_err(internal_failure)?,
        };
        let named = named.filter(|clauses| !clauses.trim().is_empty());
        let touched = read_touched_clauses(snapshot, &entry.id).map_err(internal_failure)?;
        let touched = (!touched.is_empty()).then(|| touched.join(", "));
        let is_known = named.is_some() || touched.is_some();
        Ok(is_known.then_some(Self { named, touched }))
    }

    /// How they relate to a clause.
    fn relation_to(&self, clause: &str) -> Option<ClauseRelation> {
        let lists = [&self.named, &self.touched].into_iter().flatten();
        lists.filter_map(|list| match_clause_list(list, clause)).min()
    }
}

fn to_traced_change(
    catalog: &TdocCatalog,
    entry: &TdocEntry,
    row: &TdocRow,
    changed: ChangedClauses,
    relation: ClauseRelation,
) -> TracedChange {
    let ChangedClauses { named, touched } = changed;
    let text = |column| row.entry.column_text(column).map(str::to_owned);
    TracedChange {
        tdoc_id: entry.id.to_string(),
        title: text(Column::Title).unwrap_or_default(),
        doc_kind: entry.kind,
        status: entry.status,
        meeting_id: catalog.meeting_of(entry).id.to_string(),
        cr_number: text(Column::Cr),
        category: text(Column::CrCategory),
        release: text(Column::Release),
        clauses: named.or_else(|| touched.clone()).unwrap_or_default(),
        touched_clauses: touched,
        relation,
        official_url: Some(catalog.official_url(entry, row.entry.url.as_deref())),
    }
}
