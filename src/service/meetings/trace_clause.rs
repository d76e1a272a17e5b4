//! `trace_clause`: from a clause to the change requests, contributions and decisions that name it.

use std::collections::HashSet;

use register::Column;

use super::list_decisions;
use crate::service::{
    Operation, Service, internal,
    tdocs::{
        asked,
        record::{official_url, status_word},
    },
};
use accounts::Caller;
use contributions::{Catalog, ClauseMatch, DocKind, TdocEntry, TdocFilter, match_in_list, names};
use domain::{DocNumber, Group, MeetingId, TdocId};
use store::Snapshot;
use wire::{
    Effect, Failure, Route, ToolFacts,
    params::{SearchTdocs, TdocFilters, TraceClause},
    records::{TraceCoverage, TraceReply, TracedChange, TracedDecision, TracedPassage},
};

/// Passages that are looked at for those that name the clause.
const PASSAGES: u32 = 50;

impl Operation for TraceClause {
    const NAME: &'static str = "trace_clause";
    const ROUTE: Route = Route::get("/sections/trace");
    const STATUSES: &'static [u16] = &[400, 502, 503];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Trace a clause to its changes",
        advice: "Use this for where the text of a clause comes from: which change requests touched it and \
            what became of them, which decisions and contributions name it. Empty lists mean nothing in \
            what coverage names.",
        rest: "Ask for fewer with limit, or for one group.",
        reads_on: None,
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = TraceReply;

    fn check(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.contributions(&service.store.snapshot())?;
        parse_specification(self)?;
        parse_groups(self, &catalog).map(drop)
    }

    fn run(self, service: &Service, caller: &Caller) -> Result<TraceReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.contributions(&snapshot)?;
        let spec = parse_specification(&self)?;
        let clause = self.section_number.trim().trim_end_matches('.').to_owned();
        let groups = parse_groups(&self, &catalog)?;
        let limit = self.limit as usize;
        let mut coverage = TraceCoverage::default();
        let mut changes =
            find_change_requests(&catalog, &snapshot, &spec, &clause, &groups, &mut coverage)?;
        let changed: HashSet<TdocId> = changes.iter().map(|(id, ..)| id.clone()).collect();
        changes.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        coverage.found_change_requests = changes.len() as u64;
        let change_requests =
            changes.into_iter().take(limit).map(|(_, _, change)| change).collect();
        let mut decisions = Vec::new();
        let with_notes: HashSet<MeetingId> =
            snapshot.notes().map_err(internal)?.into_iter().map(|notes| notes.meeting).collect();
        for meeting in catalog.meetings.iter().rev().filter(|m| with_notes.contains(&m.id)) {
            if !groups.is_empty() && !groups.contains(&meeting.id.group()) {
                continue;
            }
            let decided = service.decisions_of(&snapshot, &meeting.id)?;
            if decided.notes.is_empty() {
                continue;
            }
            coverage.meetings_with_decisions.push(meeting.id.to_string());
            for decision in &decided.decisions {
                let row = &decision.row;
                let under = row.recorded_under.as_ref();
                let via = match under.is_some_and(|id| changed.contains(id)) {
                    _ if decision.part_of.is_some() => continue,
                    _ if names(&row.quote, &spec.to_string(), &clause) => "names",
                    true => "change_request",
                    false => continue,
                };
                coverage.found_decisions += 1;
                if decisions.len() < limit {
                    decisions.push(TracedDecision {
                        decision_id: decision.id.clone(),
                        meeting_id: meeting.id.to_string(),
                        decision_type: row.kind.as_str().to_owned(),
                        outcome: row.outcome.map(|outcome| outcome.as_str().to_owned()),
                        quote: row.quote.clone(),
                        source: list_decisions::first_source(&decided, decision),
                        recorded_under: under.map(TdocId::to_string),
                        via: via.to_owned(),
                    });
                }
            }
        }
        let contributions =
            find_naming_passages(&self, service, caller, &spec, &clause, &mut coverage)?;
        Ok(TraceReply {
            doc_number: spec.to_string(),
            section_number: clause,
            change_requests,
            decisions,
            contributions,
            coverage,
        })
    }
}

fn parse_specification(parameters: &TraceClause) -> Result<DocNumber, Failure> {
    asked::parsed("doc_number", &parameters.doc_number)
}

fn parse_groups(parameters: &TraceClause, catalog: &Catalog) -> Result<Vec<Group>, Failure> {
    asked::list("group", parameters.group.as_deref(), |text| asked::group(catalog, text))
}

/// The change requests to the clause, with how they match.
fn find_change_requests(
    catalog: &Catalog,
    snapshot: &Snapshot,
    spec: &DocNumber,
    clause: &str,
    groups: &[Group],
    coverage: &mut TraceCoverage,
) -> Result<Vec<(TdocId, ClauseMatch, TracedChange)>, Failure> {
    let filter = TdocFilter {
        spec: Some(spec.clone()),
        kinds: vec![DocKind::Cr, DocKind::DraftCr, DocKind::PCr],
        groups: groups.to_vec(),
        ..TdocFilter::default()
    };
    let mut found = Vec::new();
    for entry in catalog.matching(&filter) {
        coverage.change_requests += 1;
        let Some((clauses, change)) = change(catalog, snapshot, entry)? else { continue };
        coverage.with_clauses += 1;
        if let Some(relation) = match_in_list(&clauses, clause) {
            let relation_word = relation.as_str().to_owned();
            found.push((
                entry.id.clone(),
                relation,
                TracedChange { relation: relation_word, clauses, ..change },
            ));
        }
    }
    Ok(found)
}

/// Passages of documents that name specification and clause.
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
        rerank_top_k: PASSAGES,
        max_per_tdoc: 3,
        include_text: true,
        rerank: false,
    };
    let reply = search.run(service, caller)?;
    coverage.indexed_tdocs = reply.coverage.indexed_tdocs;
    coverage.registered_tdocs = reply.coverage.registered_tdocs;
    let number = spec.to_string();
    let naming = reply.results.into_iter().filter_map(|passage| {
        let text = passage.text?;
        names(&text, &number, clause).then_some(TracedPassage {
            tdoc_id: passage.tdoc_id,
            title: passage.title,
            doc_kind: passage.doc_kind,
            status: passage.status,
            meeting_id: passage.meeting.meeting_id,
            unit_type: passage.unit_type,
            unit_labels: passage.unit_labels,
            anchor: passage.anchor,
            text,
        })
    });
    Ok(naming.take(parameters.limit as usize).collect())
}

/// A change request with the clauses it changes, by its register or by its cover; none where neither tells.
fn change(
    catalog: &Catalog,
    snapshot: &Snapshot,
    entry: &TdocEntry,
) -> Result<Option<(String, TracedChange)>, Failure> {
    let Some(row) = snapshot.tdoc(&entry.id).map_err(internal)? else { return Ok(None) };
    let text = |column| row.entry.text(column).map(str::to_owned);
    let mut clauses = text(Column::Clauses);
    if clauses.is_none()
        && let Some(read) = snapshot.catalog().tdoc_of(&entry.id)
    {
        let cover = snapshot.tdoc_text(read.key).map_err(internal)?.cover;
        clauses = cover.into_iter().find(|(name, _)| name == "clauses").map(|(_, value)| value);
    }
    let Some(clauses) = clauses.filter(|clauses| !clauses.trim().is_empty()) else {
        return Ok(None);
    };
    let meeting = catalog.meeting_of(entry);
    let url = row.entry.url.as_deref();
    let change = TracedChange {
        tdoc_id: entry.id.to_string(),
        title: text(Column::Title).unwrap_or_default(),
        doc_kind: entry.kind.to_string(),
        status: status_word(entry.status).to_owned(),
        meeting_id: meeting.id.to_string(),
        cr_number: text(Column::Cr),
        category: text(Column::CrCategory),
        release: text(Column::Release),
        clauses: String::new(),
        relation: String::new(),
        official_url: url.and_then(|url| official_url(url, meeting)),
    };
    Ok(Some((clauses, change)))
}
