//! Accounts, for operators.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{get, post},
};
use maud::{Markup, html};

use super::{Done, after, change, dashboard, grouped, minutes};
use crate::{
    http::Edge,
    service::internal,
    ui::{
        asked::PagePath,
        forms::{OperatorForm, OwnForm},
        page::refusal,
        person::{Operator, Person},
    },
};
use accounts::{Access, AccessError, Account, Role, SetupLink};
use wire::Failure;

const HERE: &str = "/dashboard/users";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/dashboard/users", get(show).post(add))
        .route("/dashboard/users/{id}/disable", post(disable))
        .route("/dashboard/users/{id}/enable", post(enable))
        .route("/dashboard/users/{id}/plan", post(set_plan))
        .route("/dashboard/users/{id}/reset", post(reset))
}

async fn show(State(edge): State<Arc<Edge>>, Operator(person): Operator) -> Response {
    users_page(&edge, &person, None, None)
}

fn users_page(
    edge: &Edge,
    person: &Person,
    link: Option<(&Account, &SetupLink)>,
    fault: Option<&str>,
) -> Response {
    let access = &edge.service().access;
    let listed = || -> Result<Vec<(Account, u64)>, AccessError> {
        let accounts = access.accounts()?;
        let with_use = accounts.into_iter().map(|account| {
            let used = access.usage(&account)?.allowance.used;
            Ok((account, used))
        });
        with_use.collect()
    };
    let accounts = match listed() {
        Ok(accounts) => accounts,
        Err(error) => return refusal(Some(person), &internal(error)),
    };
    let body = html! {
        @if let Some((account, link)) = link { (link_once(edge, account, link)) }
        section.card aria-label="New account" {
            h2 { "New account" }
            form.inline method="post" action=(HERE) {
                (person.form_token())
                label for="user-name" { "Name" }
                input #user-name type="text" name="name" required maxlength="64"
                    autocapitalize="none" spellcheck="false";
                label for="user-role" { "Role" }
                select #user-role name="role" {
                    option value="member" { "member" }
                    option value="operator" { "operator" }
                }
                button type="submit" { "Make account" }
            }
            p.quiet { "The answer is a link for its owner, by which they set a password." }
        }
        section.card aria-label="Accounts" {
            div.table role="region" aria-label="Accounts" tabindex="0" {
                table {
                    thead { tr {
                        th scope="col" { "Name" } th scope="col" { "Role" } th scope="col" { "Plan" }
                        th scope="col" { "This month" } th scope="col" { "Made" }
                        th scope="col" { "State" } th { span.hidden { "Actions" } }
                    } }
                    tbody { @for (account, used) in &accounts { (row(access, person, account, *used)) } }
                }
            }
        }
    };
    dashboard(person, HERE, "Users", fault, body)
}

fn link_once(edge: &Edge, account: &Account, link: &SetupLink) -> Markup {
    html! {
        section.card.once aria-label="Set-up link" {
            h2 { "Link for " em { (account.name) } }
            p role="status" { "Give it to them on a safe way. It works once, until "
                (minutes(&link.expires_at)) " UTC, and is not shown again." }
            p.copy { code #setup-link { (edge.service().setup_url(link)) }
                button type="button" data-copy="setup-link" hidden { "Copy" } }
        }
    }
}

fn row(access: &Access, person: &Person, account: &Account, used: u64) -> Markup {
    let action = |verb: &str| format!("{HERE}/{}/{verb}", account.id);
    let state = match (account.active, account.password.is_some()) {
        (false, _) => "disabled",
        (true, true) => "active",
        (true, false) => "no password yet",
    };
    html! {
        tr {
            td { (account.name) }
            td { (account.role.as_str()) }
            td {
                form.inline method="post" action=(action("plan")) {
                    (person.form_token())
                    select name="plan" aria-label={ "Plan of " (account.name) } {
                        @for plan in access.plans().all() {
                            option value=(plan.name) selected[plan.name == account.plan] { (plan.name) }
                        }
                    }
                    button.small type="submit" aria-label={ "Set the plan of " (account.name) } { "Set" }
                }
            }
            td.count { (grouped(used)) }
            td { (minutes(&account.created_at)) }
            td { (state) }
            td.actions {
                form method="post" action=(action("reset")) {
                    (person.form_token())
                    button.small type="submit" aria-label={ "New link for " (account.name) } { "New link" }
                }
                @if account.active {
                    form method="post" action=(action("disable")) {
                        (person.form_token())
                        button.small.danger type="submit" aria-label={ "Disable " (account.name) } { "Disable" }
                    }
                } @else {
                    form method="post" action=(action("enable")) {
                        (person.form_token())
                        button.small type="submit" aria-label={ "Enable " (account.name) } { "Enable" }
                    }
                }
            }
        }
    }
}

async fn add(State(edge): State<Arc<Edge>>, OperatorForm(form): OperatorForm) -> Response {
    let name = form.field("name").to_owned();
    let role = if form.field("role") == "operator" { Role::Operator } else { Role::Member };
    let made = change(&edge, move |access| {
        let account = access.add_account(&name, role, None)?;
        let link = access.make_link(account.id)?;
        Ok((account, link))
    });
    with_link(&edge, &form.person, made.await)
}

async fn reset(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    let made = change(&edge, move |access| {
        let unknown = || AccessError::UnknownAccount { name: id.to_string() };
        let account = access.account(id)?.ok_or_else(unknown)?;
        let link = access.make_link(account.id)?;
        Ok((account, link))
    });
    with_link(&edge, &form.person, made.await)
}

fn with_link(
    edge: &Edge,
    person: &Person,
    made: Result<Done<(Account, SetupLink)>, Failure>,
) -> Response {
    match made {
        Ok(Ok((account, link))) => users_page(edge, person, Some((&account, &link)), None),
        Ok(Err(fault)) => users_page(edge, person, None, Some(&fault)),
        Err(failure) => refusal(Some(person), &failure),
    }
}

async fn disable(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    changed(edge, form, move |access| access.set_active(id, false)).await
}

async fn enable(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    changed(edge, form, move |access| access.set_active(id, true)).await
}

async fn set_plan(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    let plan = form.field("plan").to_owned();
    changed(edge, form, move |access| access.set_plan(id, &plan)).await
}

async fn changed(
    edge: Arc<Edge>,
    form: OwnForm,
    act: impl FnOnce(&Access) -> Result<Account, AccessError> + Send + 'static,
) -> Response {
    after(&form.person, HERE, change(&edge, act).await)
}
