//! The feed of a person's events, under a secret address: Atom (RFC 4287) and JSON Feed 1.1.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    http::{
        HeaderMap, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, ETAG},
    },
    response::{IntoResponse, Response},
    routing::get,
};
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use super::{dashboard::event_word, watch_paths::target_path};
use crate::{
    http::{Edge, client_has_tag},
    service::internal_failure,
};
use accounts::WatchEvent;
use cost_meter::Owner;

/// Events in a feed.
const EVENTS_IN_A_FEED: usize = 100;
/// The title of every feed.
const TITLE: &str = "specbox watches";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/feeds/{file}", get(show_feed))
}

/// The form of a feed.
#[derive(Clone, Copy)]
enum FeedForm {
    Atom,
    Json,
}

async fn show_feed(
    State(edge): State<Arc<Edge>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    let named = match (file.strip_suffix(".atom"), file.strip_suffix(".json")) {
        (Some(secret), _) => Some((secret.to_owned(), FeedForm::Atom)),
        (_, Some(secret)) => Some((secret.to_owned(), FeedForm::Json)),
        _ => None,
    };
    let Some((secret, form)) = named else { return StatusCode::NOT_FOUND.into_response() };
    let read = edge.run_blocking(Owner::Nobody, move |service| {
        let watches = service.access.watches();
        let account = watches.account_of_feed(&secret).map_err(internal_failure)?;
        let Some(account) = account else { return Ok(None) };
        let events = watches.list_events(account, None, EVENTS_IN_A_FEED);
        events.map(|events| Some((account, events))).map_err(internal_failure)
    });
    let (account, events) = match read.await {
        Ok(Some(read)) => read,
        // Nothing says whether there ever was such a feed.
        Ok(None) => return StatusCode::NOT_FOUND.into_response(),
        Err(_) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    };
    let base_url = edge.service().address.base_url();
    // Compression changes the bytes, so the tag is a weak one.
    let tag = format!("W/\"{}\"", events.first().map_or(0, |event| event.id));
    let feed = Feed { base_url, account, url: format!("{base_url}/feeds/{file}"), events: &events };
    let (kind, body) = match form {
        FeedForm::Atom => ("application/atom+xml; charset=utf-8", feed.print_atom()),
        FeedForm::Json => ("application/feed+json; charset=utf-8", feed.print_json()),
    };
    let fields = [(ETAG, tag.as_str()), (CACHE_CONTROL, "private, no-cache")];
    if client_has_tag(&headers, &tag) {
        return (StatusCode::NOT_MODIFIED, fields).into_response();
    }
    ([(CONTENT_TYPE, kind)], fields, body).into_response()
}

/// What a feed is printed of.
struct Feed<'a> {
    base_url: &'a str,
    account: u32,
    /// Its own address.
    url: String,
    /// The newest first.
    events: &'a [WatchEvent],
}

impl Feed<'_> {
    fn home_url(&self) -> String {
        format!("{}/dashboard/watches", self.base_url)
    }

    fn event_url(&self, event: &WatchEvent) -> String {
        format!("{}{}", self.base_url, target_path(&event.stored.target))
    }

    /// The permanent ID of an event.
    fn event_id(&self, event: &WatchEvent) -> String {
        format!("{}#event-{}", self.home_url(), event.id)
    }

    fn print_atom(&self) -> String {
        let updated =
            self.events.first().map_or("1970-01-01T00:00:00Z", |event| &event.stored.created_at);
        let feed = html! {
            feed xmlns="http://www.w3.org/2005/Atom" {
                title { (TITLE) }
                id { (self.home_url()) "#account-" (self.account) }
                (atom_link("self", &self.url))
                (atom_link("alternate", &self.home_url()))
                updated { (updated) }
                author { name { "specbox" } }
                @for event in self.events {
                    entry {
                        id { (self.event_id(event)) }
                        title { (printable(&event.stored.title)) }
                        updated { (event.stored.created_at) }
                        category term=(event_word(event.stored.kind)) {}
                        (atom_link("alternate", &self.event_url(event)))
                        content type="text" { (printable(&event.stored.text)) }
                    }
                }
            }
        };
        format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{}", feed.into_string())
    }

    fn print_json(&self) -> String {
        let item = |event: &WatchEvent| {
            json!({
                "id": self.event_id(event),
                "url": self.event_url(event),
                "title": event.stored.title,
                "content_text": event.stored.text,
                "date_published": event.stored.created_at,
                "tags": [event_word(event.stored.kind)],
            })
        };
        json!({
            "version": "https://jsonfeed.org/version/1.1",
            "title": TITLE,
            "home_page_url": self.home_url(),
            "feed_url": self.url,
            "items": self.events.iter().map(item).collect::<Vec<_>>(),
        })
        .to_string()
    }
}

/// A link of Atom: unlike that of HTML, it needs an end.
fn atom_link(relation: &str, url: &str) -> Markup {
    let url = html! { (url) }.into_string();
    PreEscaped(format!("<link rel=\"{relation}\" href=\"{url}\"/>"))
}

/// A text without the characters that XML cannot have.
fn printable(text: &str) -> String {
    let is_allowed = |c: &char| matches!(c, '\t' | '\n' | '\r') || !c.is_control();
    text.chars().filter(is_allowed).filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use accounts::{EventTarget, StoredEvent, WatchEventKind};

    #[test]
    fn feeds_are_well_formed_whatever_the_events_say() {
        let event = WatchEvent {
            id: 7,
            stored: StoredEvent {
                watch: 1,
                kind: WatchEventKind::Decision,
                title: "A <b> & \"c\" \u{1}".to_owned(),
                text: "]]> \u{fffe} end".to_owned(),
                target: EventTarget::Tdoc { tdoc_id: "R1-2600001&<".to_owned() },
                created_at: "2026-01-02T03:04:05Z".to_owned(),
            },
        };
        let feed = Feed {
            base_url: "https://box.example",
            account: 3,
            url: "https://box.example/feeds/feed-1.atom".to_owned(),
            events: &[event],
        };
        let atom = feed.print_atom();
        let read = roxmltree::Document::parse(&atom).expect("well-formed");
        let text = |name: &str| {
            let mut found = read
                .descendants()
                .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", name)));
            found.next_back().and_then(|node| node.text()).unwrap_or_default().to_owned()
        };
        assert_eq!(text("title"), "A <b> & \"c\" ");
        assert_eq!(text("content"), "]]>  end");
        let links: Vec<(Option<&str>, Option<&str>)> = read
            .descendants()
            .filter(|node| node.tag_name().name() == "link")
            .map(|node| (node.attribute("rel"), node.attribute("href")))
            .collect();
        assert_eq!(links[0], (Some("self"), Some("https://box.example/feeds/feed-1.atom")));
        assert_eq!(links.len(), 3);
        let json: serde_json::Value = serde_json::from_str(&feed.print_json()).expect("JSON");
        assert_eq!(json["items"][0]["title"], "A <b> & \"c\" \u{1}");
        assert_eq!(json["items"][0]["date_published"], "2026-01-02T03:04:05Z");
    }
}
