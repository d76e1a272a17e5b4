//! A company: its names, and its contributions to meetings.

use std::{collections::BTreeMap, fmt::Display, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{PART, render_candidates, render_tdoc_table};
use crate::ui::paths::{company_path, percent_encode};
use crate::{
    http::{Edge, failure_status},
    ui::{
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PagePath,
        person::Person,
        run::run_operation,
        visitor::PayingPerson,
        watch_paths::watch_path,
    },
};
use accounts::WatchKind;
use wire::{Failure, params::GetOrganization, records::OrganizationRecord};

/// Maximum number of aliases listed under the heading.
const MAX_LISTED_ALIASES: usize = 12;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/companies/{org_id}", get(show_company))
}

async fn show_company(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(org_id): PagePath<String>,
) -> Response {
    match run_operation(&edge, &person, GetOrganization { org_id }).await {
        Ok(record) => company_page(&person, &record),
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates } = &failure else {
                return refusal_page(Some(&person), &failure);
            };
            let body = html! {
                h1 { (name) }
                p { "Several organizations match. Choose one:" }
                (render_candidates(candidates, company_path))
            };
            let mut response = render_content_page(
                &PageFrame { title: name, person: Some(&person), part: PART },
                body,
            );
            *response.status_mut() = failure_status(&failure);
            response
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn company_page(person: &Person, record: &OrganizationRecord) -> Response {
    let activity = &record.activity;
    let list = format!("{PART}?source={}", percent_encode(&record.org_id));
    let aliases: Vec<&str> =
        record.aliases.iter().take(MAX_LISTED_ALIASES).map(String::as_str).collect();
    let body = html! {
        h1 { (record.display_name) }
        p { a href=(watch_path(WatchKind::Company, &record.org_id)) { "Watch this company" } }
        @if !aliases.is_empty() {
            p.quiet { "Also: " (aliases.join(", "))
                @if record.aliases.len() > MAX_LISTED_ALIASES {
                    " and " (record.aliases.len() - MAX_LISTED_ALIASES) " more names"
                }
            }
        }
        p { a href=(list) { (activity.tdoc_count) " documents" } }
        div.columns {
            (render_counts("By role", &activity.by_role, |role| format!("{list}&role={role}")))
            (render_counts("By kind", &activity.by_kind, |kind| format!("{list}&doc_kind={}", percent_encode(kind))))
            (render_counts("Outcomes", &activity.by_status, |word| format!("{list}&status={}", percent_encode(word))))
            (render_counts("By meeting", &activity.by_meeting, |id| format!("{list}&meeting={}", percent_encode(id))))
        }
        @if !activity.recent_tdocs.is_empty() {
            h2 { "Newest" }
            (render_tdoc_table(&activity.recent_tdocs))
        }
    };
    render_content_page(
        &PageFrame { title: &record.display_name, person: Some(person), part: PART },
        body,
    )
}

fn render_counts(
    title: &str,
    counts: &BTreeMap<impl Display, u64>,
    path: impl Fn(&str) -> String,
) -> Markup {
    html! {
        section.card aria-label=(title) {
            h2 { (title) }
            table { tbody {
                @for (name, count) in counts {
                    tr {
                        @let name = name.to_string();
                        td { a href=(path(&name)) { (name.replace('_', "-")) } }
                        td.count { (count) }
                    }
                }
            } }
        }
    }
}
