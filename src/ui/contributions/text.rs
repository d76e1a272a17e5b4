//! The text of a meeting document, with an anchor at everything that can be cited.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::PART;
use crate::ui::paths::{percent_encode, record_path, text_path};
use crate::{
    http::Edge,
    service::{Service, internal_failure},
    ui::{
        evidence::{CitedText, TextOrigin, TextPageQuery, render_missing_anchor},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        run::run_operation,
        visitor::PayingPerson,
    },
};
use domain::TdocId;
use store::TdocBlockRow;
use wire::{Failure, params::GetTdoc, records::TdocRecord};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/contributions/{tdoc_id}/text", get(show_tdoc_text))
}

async fn show_tdoc_text(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(tdoc_id): PagePath<String>,
    PageQuery(query): PageQuery<TextPageQuery>,
) -> Response {
    let opened = open_text(&edge, &person, tdoc_id, &query).await;
    opened.unwrap_or_else(|failure| refusal_page(Some(&person), &failure))
}

async fn open_text(
    edge: &Arc<Edge>,
    person: &Person,
    tdoc_id: String,
    query: &TextPageQuery,
) -> Result<Response, Failure> {
    let parameters = GetTdoc { tdoc_id, ..GetTdoc::default() };
    let record = run_operation(edge, person, parameters).await?;
    let title = format!("{}: text", record.tdoc_id);
    let frame = PageFrame { title: &title, person: Some(person), part: PART };
    let path = text_path(&record.tdoc_id);
    let (id, own_path, own_query) = (record.tdoc_id.clone(), path.clone(), query.clone());
    let loaded = edge.run_blocking(person.owner(), move |service| {
        let Some((file, blocks)) = load_text(service, &id)? else { return Ok(None) };
        let text = CitedText { path: &own_path, blocks: &blocks };
        Ok(Some((file, text.render_part(&own_query))))
    });
    Ok(match loaded.await? {
        None => render_content_page(&frame, render_unread(&record, query)),
        Some((file, Some(part))) => {
            render_content_page(&frame, render_text(&record, &file, query, &part))
        }
        Some((_, None)) => render_missing_anchor(&frame, &record.tdoc_id, &path, query),
    })
}

/// The name of the file of a document and the blocks of its text; `None` if it has no text.
fn load_text(
    service: &Service,
    tdoc_id: &str,
) -> Result<Option<(String, Vec<TdocBlockRow>)>, Failure> {
    let snapshot = service.store.snapshot();
    let id: Option<TdocId> = tdoc_id.parse().ok();
    let entry = id.and_then(|id| snapshot.catalog().tdoc_by_id(&id));
    let Some(entry) = entry else { return Ok(None) };
    let text = snapshot.tdocs().tdoc_text(entry.key).map_err(internal_failure)?;
    Ok((!text.blocks.is_empty()).then(|| (entry.row.file.clone(), text.blocks)))
}

fn render_text(record: &TdocRecord, file: &str, query: &TextPageQuery, part: &Markup) -> Markup {
    let meeting_path = format!("{PART}?meeting={}", percent_encode(&record.meeting.meeting_id));
    let official = record.official_url.as_deref();
    let origin = TextOrigin {
        file,
        meeting_name: &record.meeting.name,
        meeting_path: &meeting_path,
        official: official.map(|url| (url, "Original file")),
    };
    html! {
        (render_head(record, query))
        (origin.render_origin())
        p.quiet { (record.status_label) " Tracked changes are shown as accepted." }
        (part)
    }
}

fn render_head(record: &TdocRecord, query: &TextPageQuery) -> Markup {
    html! {
        p.facts { a href=(PART) { "Contributions" } " / "
            a href=(record_path(&record.tdoc_id)) { (record.tdoc_id) } }
        (query.render_back_link())
        h1 { (record.tdoc_id) " " (record.title) }
    }
}

fn render_unread(record: &TdocRecord, query: &TextPageQuery) -> Markup {
    html! {
        (render_head(record, query))
        p.empty { "No text: the file has not been read. "
            a href=(record_path(&record.tdoc_id)) { "Open the record" } " to see why, or to fetch it." }
    }
}
