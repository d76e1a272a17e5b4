//! The record of a document, from its row and the catalog.

use register::Column;

use super::record_values::to_content_status;
use crate::service::internal_failure;
use contributions::{
    Meeting, TdocCatalog, TdocEntry, outcome_statements, read_completed_row, status_label,
    tdoc_stem,
};
use domain::TdocId;
use store::{Snapshot, StoreError, TdocContentRow};
use wire::{
    Failure,
    records::{ChangeRequest, TdocContent, TdocMeeting, TdocRecord, TdocRevision, TdocSource},
    values::RevisionRelation,
};

/// The record of a document of the catalog, without what `include` adds.
pub(in crate::service) fn read_tdoc_record(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    entry: &TdocEntry,
) -> Result<TdocRecord, Failure> {
    let row = read_completed_row(snapshot, &entry.id).map_err(internal_failure)?;
    let row = row.ok_or_else(|| internal_failure(StoreError::Decode { what: "TDoc" }))?;
    let text = |column| row.entry.column_text(column).map(str::to_owned);
    let meeting = catalog.meeting_of(entry);
    Ok(TdocRecord {
        tdoc_id: entry.id.to_string(),
        title: text(Column::Title).unwrap_or_default(),
        doc_kind: entry.kind,
        status: entry.status,
        status_label: status_label(entry.kind, entry.status, &meeting.id),
        meeting: to_tdoc_meeting(meeting),
        agenda_item: text(Column::AgendaItem),
        sources: to_tdoc_sources(catalog, entry),
        official_url: Some(catalog.official_url(entry, row.entry.url.as_deref())),
        content: read_content(snapshot, &entry.id)?,
        units: None,
        text: None,
        revisions: None,
        fetch: None,
        cover: None,
        register_status: text(Column::Status),
        outcome_statements: outcome_statements(&row.entry),
        register_type: text(Column::Type),
        purpose: text(Column::For),
        summary: text(Column::Abstract),
        agenda_title: text(Column::AgendaTitle),
        release: text(Column::Release),
        spec: text(Column::Spec),
        spec_version: text(Column::Version),
        work_items: split_work_items(&text(Column::WorkItems).unwrap_or_default()),
        change_request: read_change_request(snapshot, &entry.id, &text)?,
        revision_of: text(Column::RevisionOf),
        revised_to: text(Column::RevisedTo),
        merged_into: catalog.merged_into(&entry.id).iter().map(ToString::to_string).collect(),
        reply_to: text(Column::ReplyTo),
        reply_in: text(Column::ReplyIn),
        uploaded_at: row.entry.uploaded.map(|time| time.to_string()),
    })
}

/// What was read of the file of a document.
fn read_content(snapshot: &Snapshot, id: &TdocId) -> Result<TdocContent, Failure> {
    let job = snapshot.tdocs().tdoc_job(id).map_err(internal_failure)?;
    let is_queued = job.is_some();
    Ok(match snapshot.catalog().tdoc_by_id(id) {
        Some(read) => to_tdoc_content(&read.row, is_queued),
        None => TdocContent { queued: is_queued, ..TdocContent::not_retrieved() },
    })
}

fn split_work_items(cell: &str) -> Vec<String> {
    contributions::work_items(cell).map(str::to_owned).collect()
}

fn to_tdoc_sources(catalog: &TdocCatalog, entry: &TdocEntry) -> Vec<TdocSource> {
    let sources = entry.parties.iter().filter_map(|party| {
        let organization = catalog.directory.get(party.organization)?;
        Some(TdocSource {
            org_id: organization.id.clone(),
            display_name: organization.name.clone(),
            role: party.role,
        })
    });
    sources.collect()
}

/// The meeting of a document.
pub(in crate::service) fn to_tdoc_meeting(meeting: &Meeting) -> TdocMeeting {
    let dates = meeting.dates;
    TdocMeeting {
        meeting_id: meeting.id.to_string(),
        start_date: dates.start.map(|day| day.to_string()),
        end_date: dates.end.map(|day| day.to_string()),
        dates_estimated: dates.are_estimated,
        name: meeting.id.name(),
        place: meeting.place().map(str::to_owned),
        dates_source: meeting.dates_source().map(str::to_owned),
    }
}

fn read_change_request(
    snapshot: &Snapshot,
    id: &TdocId,
    text: &impl Fn(Column) -> Option<String>,
) -> Result<Option<ChangeRequest>, Failure> {
    let pack = snapshot.tdocs().tdoc_pack(id).map_err(internal_failure)?;
    let request = ChangeRequest {
        number: text(Column::Cr),
        revision: text(Column::CrRevision),
        category: text(Column::CrCategory),
        clauses: text(Column::Clauses),
        pack: text(Column::CrPack).or_else(|| pack.as_ref().map(|pack| pack.pack.clone())),
        tsg_decision: pack.and_then(|pack| pack.tsg_decision),
    };
    let is_change_request =
        request.number.is_some() || request.category.is_some() || request.pack.is_some();
    Ok(is_change_request.then_some(request))
}

/// The earlier and later revisions of a document, what was merged, and its revisions in the inbox.
pub(super) fn find_revisions(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    id: &TdocId,
) -> Result<Vec<TdocRevision>, Failure> {
    let earlier =
        catalog.earlier_revisions(id).into_iter().map(|id| (id, RevisionRelation::Earlier));
    let later = catalog.later_revisions(id).into_iter().map(|id| (id, RevisionRelation::Later));
    let into = catalog.merged_into(id).into_iter().map(|id| (id, RevisionRelation::MergedInto));
    let merged = catalog.merged_documents(id).into_iter().map(|id| (id, RevisionRelation::Merges));
    let mut revisions = Vec::new();
    for (id, relation) in earlier.chain(later).chain(into).chain(merged) {
        let entry = catalog.get(&id);
        let row = snapshot.tdocs().tdoc_row(&id).map_err(internal_failure)?;
        let link = row.as_ref().and_then(|row| row.entry.url.as_deref());
        let url = entry.map(|entry| catalog.official_url(entry, link));
        let title = row.and_then(|row| row.entry.column_text(Column::Title).map(str::to_owned));
        revisions.push(TdocRevision {
            tdoc_id: id.to_string(),
            relation,
            title,
            status: entry.map(|entry| entry.status),
            meeting_id: entry.map(|entry| catalog.meeting_of(entry).id.to_string()),
            official_url: url,
        });
    }
    let read = snapshot.catalog().tdoc_by_id(id);
    for path in read.map_or(&[][..], |read| read.row.inbox.as_slice()) {
        let name = path.rsplit('/').next().and_then(tdoc_stem).unwrap_or_default();
        revisions.push(TdocRevision {
            tdoc_id: name.to_owned(),
            relation: RevisionRelation::Inbox,
            title: None,
            status: None,
            meeting_id: catalog.get(id).map(|entry| catalog.meeting_of(entry).id.to_string()),
            official_url: Some(mirror::official_url(path)),
        });
    }
    Ok(revisions)
}

/// What was read of the file of a document.
fn to_tdoc_content(row: &TdocContentRow, is_queued: bool) -> TdocContent {
    TdocContent {
        status: to_content_status(row.status),
        extractor: (!row.extractor.is_empty()).then(|| row.extractor.clone()),
        unit_count: row.units,
        partial_reasons: row.faults.clone(),
        queued: is_queued,
        read_at: Some(row.read_at.clone()),
    }
}
