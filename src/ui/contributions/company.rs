//! A company: its names, and what it brought to meetings.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{PART, candidates, company_path, encoded, table};
use crate::{
    http::{Edge, status_of},
    ui::{
        asked::PagePath,
        page::{Frame, page, refusal},
        person::{Payer, Person},
        run::{Arguments, run},
    },
};
use wire::{Failure, records::OrganizationRecord};

/// Names that are told at once.
const FIRST_NAMES: usize = 12;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/companies/{org_id}", get(show))
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath(org_id): PagePath<String>,
) -> Response {
    let arguments = Arguments::default().with("org_id", org_id);
    match run::<OrganizationRecord>(&edge, &person, "get_organization", arguments).await {
        Ok(record) => company_page(&person, &record),
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates: found } = &failure else {
                return refusal(Some(&person), &failure);
            };
            let body = html! {
                h1 { (name) }
                p { "That may be several organizations. Which is it?" }
                (candidates(found, company_path))
            };
            let mut response =
                page(&Frame { title: name, person: Some(&person), part: PART }, body);
            *response.status_mut() = status_of(&failure);
            response
        }
        Err(failure) => refusal(Some(&person), &failure),
    }
}

fn company_page(person: &Person, record: &OrganizationRecord) -> Response {
    let activity = &record.activity;
    let list = format!("{PART}?source={}", encoded(&record.org_id));
    let first: Vec<&str> = record.aliases.iter().take(FIRST_NAMES).map(String::as_str).collect();
    let body = html! {
        h1 { (record.display_name) }
        @if !first.is_empty() {
            p.quiet { "Also: " (first.join(", "))
                @if record.aliases.len() > FIRST_NAMES {
                    " and " (record.aliases.len() - FIRST_NAMES) " more names"
                }
            }
        }
        p { a href=(list) { (activity.tdoc_count) " documents" } }
        div.columns {
            (counts("By role", &activity.by_role, |role| format!("{list}&role={role}")))
            (counts("By kind", &activity.by_kind, |kind| format!("{list}&doc_kind={}", encoded(kind))))
            (counts("What became of them", &activity.by_status, |word| format!("{list}&status={}", encoded(word))))
            (counts("By meeting", &activity.by_meeting, |id| format!("{list}&meeting={}", encoded(id))))
        }
        @if !activity.recent_tdocs.is_empty() {
            h2 { "Newest" }
            (table(&activity.recent_tdocs))
        }
    };
    page(&Frame { title: &record.display_name, person: Some(person), part: PART }, body)
}

fn counts(title: &str, counts: &BTreeMap<String, u64>, path: impl Fn(&str) -> String) -> Markup {
    html! {
        section.card aria-label=(title) {
            h2 { (title) }
            table { tbody {
                @for (name, count) in counts {
                    tr {
                        td { a href=(path(name)) { (name.replace('_', "-")) } }
                        td.count { (count) }
                    }
                }
            } }
        }
    }
}
