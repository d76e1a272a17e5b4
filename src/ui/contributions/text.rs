//! The text of a meeting document, with every place that can be cited.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PART, record_path};
use crate::{
    http::Edge,
    ui::{
        asked::{PagePath, PageQuery},
        page::{Frame, page, refusal},
        person::Payer,
        run::{Arguments, run},
    },
};
use wire::records::{TdocBlock, TdocRecord};

/// Characters of text on a page: nearly every contribution fits.
const ON_A_PAGE: u64 = 150_000;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/contributions/{tdoc_id}/text", get(show))
}

/// Where the text of a document is shown.
pub(super) fn text_path(tdoc_id: &str) -> String {
    format!("{}/text", record_path(tdoc_id))
}

/// Where a place in the text is shown.
pub(in crate::ui) fn place_path(tdoc_id: &str, anchor: &str) -> String {
    format!("{}#{}", text_path(tdoc_id), place_id(anchor))
}

/// The id of a place in a page: anchors have blanks and marks that ids do not.
fn place_id(anchor: &str) -> String {
    format!("at-{}", &blake3::hash(anchor.as_bytes()).to_hex()[..16])
}

#[derive(Debug, Deserialize)]
struct Asked {
    #[serde(default)]
    from: u32,
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath(tdoc_id): PagePath<String>,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    let arguments = Arguments::default()
        .with("tdoc_id", tdoc_id)
        .with("include", "text")
        .with("text_offset", asked.from)
        .with("max_text_chars", ON_A_PAGE);
    let record = match run::<TdocRecord>(&edge, &person, "get_tdoc", arguments).await {
        Ok(record) => record,
        Err(failure) => return refusal(Some(&person), &failure),
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
                @for block in blocks { (shown(block)) }
            }
        }
        nav.pages aria-label="Parts of the text" {
            @if asked.from > 0 { a href=(path) { "From the beginning" } " " }
            @if let Some(next) = text.next_offset {
                a href={ (path) "?from=" (next) } { "Go on from piece " (next) " of " (text.total_blocks) }
            }
        }
    };
    let title = format!("{}: text", record.tdoc_id);
    page(&Frame { title: &title, person: Some(&person), part: PART }, body)
}

/// The file that a block stands in, by its anchor.
fn file_of(block: &TdocBlock) -> &str {
    block.anchor.rsplit_once('#').map_or("", |(file, _)| file)
}

fn shown(block: &TdocBlock) -> Markup {
    let place = block.anchor.rsplit_once('#').map_or(block.anchor.as_str(), |(_, place)| place);
    html! {
        div.piece id=(place_id(&block.anchor)) {
            a.place href={ "#" (place_id(&block.anchor)) } title={ "Cite as " (block.anchor) } { (place) }
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
