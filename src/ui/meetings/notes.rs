//! The text of notes and reports of a meeting, opened where a decision is written down.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::{Markup, html};

use super::{
    PART,
    decision_card::{SOURCE_KINDS, label_for},
};
use crate::ui::paths::{meeting_path, notes_path, record_path, text_path};
use crate::{
    http::Edge,
    service::NotesText,
    ui::{
        evidence::{CitedText, TextOrigin, TextPageQuery, render_missing_anchor},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        run::run_operation,
        visitor::PayingPerson,
    },
};
use wire::{Failure, params::GetMeeting, records::MeetingRecord};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/meeting/{meeting_id}/notes/{source_key}", get(show_notes))
}

async fn show_notes(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((meeting_id, source_key)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<TextPageQuery>,
) -> Response {
    let opened = open_notes(&edge, &person, meeting_id, source_key, &query).await;
    opened.unwrap_or_else(|failure| refusal_page(Some(&person), &failure))
}

async fn open_notes(
    edge: &Arc<Edge>,
    person: &Person,
    meeting_id: String,
    source_key: String,
    query: &TextPageQuery,
) -> Result<Response, Failure> {
    let meeting = run_operation(edge, person, GetMeeting { meeting_id }).await?.meeting;
    let path = notes_path(&meeting.meeting_id, &source_key);
    let (id, own_path, own_query) = (meeting.meeting_id.clone(), path.clone(), query.clone());
    let loaded = edge.run_blocking(person.owner(), move |service| {
        let Some(found) = crate::service::notes_text(service, &id, &source_key)? else {
            return Ok(None);
        };
        let text = CitedText { path: &own_path, blocks: &found.blocks };
        let part = text.render_part(&own_query);
        let has_tdoc_text = found
            .notes
            .tdoc
            .as_ref()
            .is_some_and(|id| service.store.snapshot().catalog().tdoc_by_id(id).is_some());
        Ok(Some(OpenedNotes { found, part, has_tdoc_text }))
    });
    let Some(OpenedNotes { found, part, has_tdoc_text }) = loaded.await? else {
        return Ok(render_unknown_source(person, &meeting));
    };
    let title = format!("{}: {}", meeting.name, found.notes.title);
    let frame = PageFrame { title: &title, person: Some(person), part: PART };
    let tdoc =
        if found.blocks.is_empty() && has_tdoc_text { found.notes.tdoc.as_ref() } else { None };
    Ok(match (tdoc, part) {
        // The text of a document of the meeting may be stored as that of a contribution alone.
        (Some(id), _) => Redirect::to(&query.address_in(&text_path(id.as_str()))).into_response(),
        (None, _) if found.blocks.is_empty() => {
            render_content_page(&frame, render_unstored(&meeting, &found, query))
        }
        (None, Some(part)) => {
            render_content_page(&frame, render_text(&meeting, &found, query, &part))
        }
        (None, None) => render_missing_anchor(&frame, &found.notes.title, &path, query),
    })
}

/// Notes, and what a page shows of them.
struct OpenedNotes {
    found: NotesText,
    /// The part of their text; `None` if the anchor is not in it.
    part: Option<Markup>,
    /// Whether they are a document of the meeting that was read as a contribution.
    has_tdoc_text: bool,
}

fn render_text(
    meeting: &MeetingRecord,
    found: &NotesText,
    query: &TextPageQuery,
    part: &Markup,
) -> Markup {
    let (file, folder) = (found.official_url.as_deref(), found.folder_url.as_deref());
    let official = file.map(|url| (url, "Original file"));
    let official = official.or(folder.map(|url| (url, "Meeting folder on the 3GPP server")));
    let origin = TextOrigin {
        file: &found.notes.file,
        meeting_name: &meeting.name,
        meeting_path: &meeting_path(&meeting.meeting_id),
        official,
    };
    html! {
        (render_head(meeting, found, query))
        (origin.render_origin())
        (part)
    }
}

fn render_head(meeting: &MeetingRecord, found: &NotesText, query: &TextPageQuery) -> Markup {
    let notes = &found.notes;
    html! {
        p.facts { a href=(PART) { "Meetings" } " / "
            a href=(meeting_path(&meeting.meeting_id)) { (meeting.name) } }
        (query.render_back_link())
        h1 { (notes.title) }
        p {
            (label_for(&SOURCE_KINDS, notes.kind.into()))
            @if let Some(version) = &notes.version { " " span.tag { (version) } }
            @if notes.is_final { " " span.tag { "final" } }
            @if let Some(id) = &notes.tdoc { " " a href=(record_path(id.as_str())) { (id.as_str()) } }
        }
        @for fault in &notes.faults { p.quiet { "Partial: " (fault) "." } }
    }
}

fn render_unstored(meeting: &MeetingRecord, found: &NotesText, query: &TextPageQuery) -> Markup {
    html! {
        (render_head(meeting, found, query))
        p.note { "The text of this file was not stored when its decisions were imported. To read it here, import the file again: "
            code { "specbox meetings import " (found.notes.file) } }
        @if let Some(id) = &found.notes.tdoc {
            p { "Or fetch it as a meeting document: " a href=(record_path(id.as_str())) { (id.as_str()) } }
        }
    }
}

fn render_unknown_source(person: &Person, meeting: &MeetingRecord) -> Response {
    let frame = PageFrame { title: "Not found", person: Some(person), part: PART };
    let body = html! {
        section.narrow {
            h1 { "Notes not found" }
            p { "No notes or report of " (meeting.name) " has this address. It may have been replaced by a later version." }
            p { a.button href=(meeting_path(&meeting.meeting_id)) { "Decisions and sources of the meeting" } }
        }
    };
    let mut response = render_content_page(&frame, body);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::NotesKind;
    use store::NotesRow;
    use wire::values::{MeetingCoverage, MeetingState};

    fn meeting() -> MeetingRecord {
        MeetingRecord {
            meeting_id: "R1-118".to_owned(),
            name: "RAN1#118".to_owned(),
            group: "RAN1".to_owned(),
            start_date: None,
            end_date: None,
            dates_estimated: false,
            dates_source: Some("calendar".to_owned()),
            place: None,
            state: MeetingState::Ended,
            tdoc_range: None,
            tdoc_count: 0,
            indexed_tdocs: 0,
            decision_count: 0,
            coverage: MeetingCoverage::Partial,
        }
    }

    fn notes(tdoc: Option<&str>) -> NotesText {
        NotesText {
            notes: NotesRow {
                meeting: "R1-118".parse().expect("valid"),
                key: "meeting_report".to_owned(),
                kind: NotesKind::MeetingReport,
                title: "Report <1>".to_owned(),
                file: "Final Report & annex.zip".to_owned(),
                tdoc: tdoc.map(|id| id.parse().expect("valid")),
                version: None,
                rank: 0,
                is_final: true,
                hash: [0; 32],
                read_at: "2026-01-01T00:00:00Z".to_owned(),
                faults: Vec::new(),
                decisions: 1,
            },
            blocks: Vec::new(),
            official_url: None,
            folder_url: Some("https://www.3gpp.org/ftp/tsg_ran/".to_owned()),
        }
    }

    #[test]
    fn notes_without_their_text_say_how_it_is_imported() {
        let query = TextPageQuery::default();
        let page = render_unstored(&meeting(), &notes(None), &query).into_string();
        assert!(page.contains("specbox meetings import Final Report &amp; annex.zip"), "{page}");
        assert!(page.contains("<h1>Report &lt;1&gt;</h1>") && !page.contains("Or fetch it"));
        let page = render_unstored(&meeting(), &notes(Some("R1-2400001")), &query).into_string();
        assert!(page.contains("href=\"/contributions/R1-2400001\""), "{page}");
    }

    #[test]
    fn notes_say_where_the_original_is() {
        let (query, part) = (TextPageQuery::default(), html! {});
        let page = render_text(&meeting(), &notes(None), &query, &part).into_string();
        assert!(page.contains("<code>Final Report &amp; annex.zip</code>"), "{page}");
        assert!(page.contains("href=\"/meeting/R1-118\""), "{page}");
        assert!(page.contains("href=\"https://www.3gpp.org/ftp/tsg_ran/\""), "{page}");
    }
}
