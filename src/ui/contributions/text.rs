//! The text of a meeting document, with an anchor at everything that can be cited.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PART, record_path};
use crate::{
    http::Edge,
    ui::{
        page::{PageFrame, refusal_page, render_page},
        page_query::{PagePath, PageQuery},
        run::run_operation,
        visitor::PayingPerson,
    },
};
use wire::{params::GetTdoc, records::TdocBlock};

/// Characters of text on a page: nearly every contribution fits.
const CHARS_PER_PAGE: u32 = 150_000;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/contributions/{tdoc_id}/text", get(show_tdoc_text))
}

/// The URL of the text of a document.
pub(super) fn text_path(tdoc_id: &str) -> String {
    format!("{}/text", record_path(tdoc_id))
}

/// The URL of an anchor in the text.
pub(in crate::ui) fn anchor_path(tdoc_id: &str, anchor: &str) -> String {
    format!("{}#{}", text_path(tdoc_id), anchor_id(anchor))
}

/// The HTML id of an anchor: anchors have blanks and marks that ids do not.
fn anchor_id(anchor: &str) -> String {
    format!("at-{}", &blake3::hash(anchor.as_bytes()).to_hex()[..16])
}

#[derive(Debug, Deserialize)]
struct TdocTextPageQuery {
    #[serde(default)]
    from: u32,
}

async fn show_tdoc_text(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(tdoc_id): PagePath<String>,
    PageQuery(query): PageQuery<TdocTextPageQuery>,
) -> Response {
    let parameters = GetTdoc {
        tdoc_id,
        include: Some("text".to_owned()),
        text_offset: query.from,
        max_text_chars: CHARS_PER_PAGE,
    };
    let record = match run_operation(&edge, &person, parameters).await {
        Ok(record) => record,
        Err(failure) => return refusal_page(Some(&person), &failure),
    };
    let text = record.text.clone().unwrap_or_default();
    let path = text_path(&record.tdoc_id);
    let body = html! {
        p.facts { a href=(PART) { "Contributions" } " / "
            a href=(record_path(&record.tdoc_id)) { (record.tdoc_id) } }
        h1 { (record.tdoc_id) " " (record.title) }
        p.quiet { (record.status_label) " Tracked changes are shown accepted." }
        @if text.blocks.is_empty() {
            p.empty { "There is no text: the file was not read." }
        }
        div.cited {
            @for blocks in text.blocks.chunk_by(|one, next| file_of(one) == file_of(next)) {
                h2 { (file_of(&blocks[0])) }
                @for block in blocks { (render_text_block(block)) }
            }
        }
        nav.pages aria-label="Parts of the text" {
            @if query.from > 0 { a href=(path) { "From the beginning" } " " }
            @if let Some(next) = text.next_offset {
                a href={ (path) "?from=" (next) } { "Go on from piece " (next) " of " (text.total_blocks) }
            }
        }
    };
    let title = format!("{}: text", record.tdoc_id);
    render_page(&PageFrame { title: &title, person: Some(&person), part: PART }, body)
}

/// The file that a block is from, by its anchor.
fn file_of(block: &TdocBlock) -> &str {
    block.anchor.rsplit_once('#').map_or("", |(file, _)| file)
}

fn render_text_block(block: &TdocBlock) -> Markup {
    let position =
        block.anchor.rsplit_once('#').map_or(block.anchor.as_str(), |(_, position)| position);
    html! {
        div.piece id=(anchor_id(&block.anchor)) {
            a.place href={ "#" (anchor_id(&block.anchor)) } title={ "Cite as " (block.anchor) } { (position) }
            div.said {
                @if block.changed { span.tag { "changed" } " " }
                @match block.heading_level {
                    Some(1) => h2 { (block.text) },
                    Some(_) => h3 { (block.text) },
                    None => { @if block.text.starts_with('|') { pre { (block.text) } } @else { p.lines { (block.text) } } },
                }
            }
        }
    }
}
