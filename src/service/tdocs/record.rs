//! The record of a document, from its row and the catalog.

use register::{Column, Status};
use url::Url;

use super::{asked::role_word, content::content};
use crate::service::internal;
use contributions::{Catalog, Meeting, TdocEntry, status_label, stem_of};
use domain::TdocId;
use store::{Snapshot, StoreError};
use wire::{
    Failure,
    records::{ChangeRequest, TdocContent, TdocMeeting, TdocRecord, TdocRevision, TdocSource},
};

/// Where files of meetings are on the standards body's server.
pub(super) const SERVER: &str = "https://www.3gpp.org/ftp/";
/// The standards body's domain: a link elsewhere is not official.
const BODY: &str = "3gpp.org";

/// The record of a document of the catalog, without what `include` adds.
pub(super) fn record(
    catalog: &Catalog,
    snapshot: &Snapshot,
    entry: &TdocEntry,
) -> Result<TdocRecord, Failure> {
    let row = snapshot.tdoc(&entry.id).map_err(internal)?;
    let row = row.ok_or_else(|| internal(StoreError::Decode { what: "TDoc" }))?;
    let text = |column| row.entry.text(column).map(str::to_owned);
    let meeting = catalog.meeting_of(entry);
    let url = row.entry.url.as_deref().and_then(|url| official_url(url, meeting));
    Ok(TdocRecord {
        tdoc_id: entry.id.to_string(),
        title: text(Column::Title).unwrap_or_default(),
        doc_kind: entry.kind.to_string(),
        status: status_word(entry.status).to_owned(),
        status_label: status_label(entry.kind, entry.status, &meeting.id),
        meeting: meeting_record(meeting),
        agenda_item: text(Column::AgendaItem),
        sources: sources(catalog, entry),
        official_url: url,
        content: content_of(snapshot, &entry.id)?,
        units: None,
        text: None,
        revisions: None,
        fetch: None,
        cover: None,
        register_status: text(Column::Status),
        register_type: text(Column::Type),
        purpose: text(Column::For),
        summary: text(Column::Abstract),
        agenda_title: text(Column::AgendaTitle),
        release: text(Column::Release),
        spec: text(Column::Spec),
        spec_version: text(Column::Version),
        work_items: work_items(&text(Column::WorkItems).unwrap_or_default()),
        change_request: change_request(snapshot, &entry.id, &text)?,
        revision_of: text(Column::RevisionOf),
        revised_to: text(Column::RevisedTo),
        reply_to: text(Column::ReplyTo),
        reply_in: text(Column::ReplyIn),
        uploaded_at: row.entry.uploaded.map(|time| time.to_string()),
    })
}

/// What was read of the file of a document.
fn content_of(snapshot: &Snapshot, id: &TdocId) -> Result<TdocContent, Failure> {
    let job = snapshot.tdoc_job(id).map_err(internal)?;
    let is_queued = job.is_some();
    Ok(match snapshot.catalog().tdoc_of(id) {
        Some(read) => content(&read.row, is_queued),
        None => TdocContent { queued: is_queued, ..TdocContent::not_retrieved() },
    })
}

fn work_items(cell: &str) -> Vec<String> {
    contributions::work_items(cell).map(str::to_owned).collect()
}

/// The word of the contract for what became of a document.
pub(in crate::service) fn status_word(status: Option<Status>) -> &'static str {
    status.map_or("unknown", Status::as_str)
}

fn sources(catalog: &Catalog, entry: &TdocEntry) -> Vec<TdocSource> {
    let told = entry.parties.iter().filter_map(|party| {
        let organization = catalog.directory.get(party.organization)?;
        Some(TdocSource {
            org_id: organization.id.clone(),
            display_name: organization.name.clone(),
            role: role_word(party.role).to_owned(),
        })
    });
    told.collect()
}

/// A meeting as documents name theirs.
pub(in crate::service) fn meeting_record(meeting: &Meeting) -> TdocMeeting {
    let dates = meeting.dates;
    TdocMeeting {
        meeting_id: meeting.id.to_string(),
        start_date: dates.start.map(|day| day.to_string()),
        end_date: dates.end.map(|day| day.to_string()),
        dates_estimated: dates.are_estimated,
        name: meeting.id.name(),
        place: meeting.calendar.as_ref().and_then(|calendar| calendar.place.clone()),
    }
}

/// The address of a file: that of the register, or for one that only names the file beside itself, that
/// file in the meeting's folder where a calendar knows it.
pub(in crate::service) fn official_url(url: &str, meeting: &Meeting) -> Option<String> {
    if let Ok(absolute) = Url::parse(url) {
        let is_body = |host: &str| host == BODY || host.ends_with(&format!(".{BODY}"));
        let is_there = matches!(absolute.scheme(), "https" | "http")
            && absolute.host_str().is_some_and(is_body);
        return is_there.then(|| url.to_owned());
    }
    let path = url.replace('\\', "/");
    let path = path.trim_start_matches("./").trim_start_matches('/');
    let is_inside =
        !path.is_empty() && !path.split('/').any(|part| part == ".." || part.contains(':'));
    let folder = meeting.calendar.as_ref()?.folder.as_deref()?;
    is_inside.then(|| format!("{SERVER}{}/{path}", folder.trim_matches('/')).replace('#', "%23"))
}

/// Where the standards body has a file that a mirror has at a path.
pub(super) fn mirrored_url(path: &str) -> String {
    let path = path.replace('%', "%25").replace('#', "%23").replace(' ', "%20");
    format!("{SERVER}{path}")
}

fn change_request(
    snapshot: &Snapshot,
    id: &TdocId,
    text: &impl Fn(Column) -> Option<String>,
) -> Result<Option<ChangeRequest>, Failure> {
    let pack = snapshot.tdoc_pack(id).map_err(internal)?;
    let request = ChangeRequest {
        number: text(Column::Cr),
        revision: text(Column::CrRevision),
        category: text(Column::CrCategory),
        clauses: text(Column::Clauses),
        pack: text(Column::CrPack).or_else(|| pack.as_ref().map(|pack| pack.pack.clone())),
        tsg_decision: pack.and_then(|pack| pack.tsg_decision),
    };
    let says = request.number.is_some() || request.category.is_some() || request.pack.is_some();
    Ok(says.then_some(request))
}

/// What a document takes the place of and what takes its place.
pub(super) fn revisions(
    catalog: &Catalog,
    snapshot: &Snapshot,
    id: &TdocId,
) -> Result<Vec<TdocRevision>, Failure> {
    let earlier = catalog.earlier_than(id).into_iter().map(|id| (id, "earlier"));
    let later = catalog.later_than(id).into_iter().map(|id| (id, "later"));
    let mut revisions = Vec::new();
    for (id, relation) in earlier.chain(later) {
        let entry = catalog.get(&id);
        let row = snapshot.tdoc(&id).map_err(internal)?;
        let url = row.as_ref().and_then(|row| row.entry.url.as_deref());
        let url = url.zip(entry).and_then(|(url, e)| official_url(url, catalog.meeting_of(e)));
        let title = row.and_then(|row| row.entry.text(Column::Title).map(str::to_owned));
        revisions.push(TdocRevision {
            tdoc_id: id.to_string(),
            relation: relation.to_owned(),
            title,
            status: entry.map(|entry| status_word(entry.status).to_owned()),
            meeting_id: entry.map(|entry| catalog.meeting_of(entry).id.to_string()),
            official_url: url,
        });
    }
    let read = snapshot.catalog().tdoc_of(id);
    for path in read.map_or(&[][..], |read| read.row.inbox.as_slice()) {
        let name = path.rsplit('/').next().and_then(stem_of).unwrap_or_default();
        revisions.push(TdocRevision {
            tdoc_id: name.to_owned(),
            relation: "inbox".to_owned(),
            title: None,
            status: None,
            meeting_id: catalog.get(id).map(|entry| catalog.meeting_of(entry).id.to_string()),
            official_url: Some(mirrored_url(path)),
        });
    }
    Ok(revisions)
}
