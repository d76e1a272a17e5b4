//! Accounts, for operators.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{get, post},
};
use maud::{Markup, html};

use super::{
    FormOutcome, apply_change, dashboard_page,
    invitations::{entered_role, render_invitation_form, render_plan_field, render_role_field},
    render_time, respond_to_change,
};
use crate::ui::numbers::group_thousands;
use crate::{
    control::AccountUsage,
    http::Edge,
    service::internal_failure,
    ui::{
        export::{ExportQuery, export_links, export_rows},
        forms::{OperatorForm, OwnForm},
        page::refusal_page,
        page_query::{PagePath, PageQuery},
        person::Person,
        status_badge::status_badge,
        visitor::OperatorPerson,
    },
};
use accounts::{Access, AccessError, Account, SetupLink};
use wire::Failure;

const HERE: &str = "/dashboard/users";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/dashboard/users", get(show_users).post(add_user))
        .route("/dashboard/users/{id}/disable", post(disable_user))
        .route("/dashboard/users/{id}/enable", post(enable_user))
        .route("/dashboard/users/{id}/plan", post(set_plan))
        .route("/dashboard/users/{id}/reset", post(reset_user))
}

async fn show_users(
    State(edge): State<Arc<Edge>>,
    OperatorPerson(person): OperatorPerson,
    PageQuery(query): PageQuery<ExportQuery>,
) -> Response {
    let Some(format) = query.format() else { return users_page(&edge, &person, None, None) };
    match AccountUsage::of_all_accounts(edge.service()) {
        Ok(accounts) => export_rows("accounts", format, &accounts),
        Err(error) => refusal_page(Some(&person), &internal_failure(error)),
    }
}

fn users_page(
    edge: &Edge,
    person: &Person,
    link: Option<(&Account, &SetupLink)>,
    fault: Option<&str>,
) -> Response {
    let access = &edge.service().access;
    let list_with_use = || -> Result<Vec<(Account, u64)>, AccessError> {
        let accounts = access.accounts().list_accounts()?;
        let with_use = accounts.into_iter().map(|account| {
            let used = access.charges().monthly_usage(&account)?.allowance.used;
            Ok((account, used))
        });
        with_use.collect()
    };
    let accounts = match list_with_use() {
        Ok(accounts) => accounts,
        Err(error) => return refusal_page(Some(person), &internal_failure(error)),
    };
    let body = html! {
        @if let Some((account, link)) = link { (render_setup_link(edge, account, link)) }
        section.card aria-label="New account" {
            h2 { "New account" }
            form.inline method="post" action=(HERE) {
                (person.form_token())
                label for="user-name" { "Name" }
                input #user-name type="text" name="name" required maxlength="64"
                    autocapitalize="none" spellcheck="false";
                label for="user-role" { "Role" }
                (render_role_field("user-role"))
                label for="user-plan" { "Plan" }
                (render_plan_field("user-plan", access.plans()))
                button type="submit" { "Create account" }
            }
            p.quiet { "You will get a link for the owner to set a password." }
        }
        (render_invitation_form(person, access.plans()))
        section.card aria-label="Accounts" {
            div.actions-line { (export_links(HERE)) }
            div.table role="region" aria-label="Accounts" tabindex="0" {
                table.rows {
                    thead { tr {
                        th scope="col" { "Name" } th scope="col" { "Role" } th scope="col" { "Plan" }
                        th scope="col" { "This month" } th scope="col" { "Created" }
                        th scope="col" { "State" } th { span.hidden { "Actions" } }
                    } }
                    tbody { @for (account, used) in &accounts { (render_user_row(access, person, account, *used)) } }
                }
            }
        }
    };
    dashboard_page(person, HERE, "Users", fault, body)
}

fn render_setup_link(edge: &Edge, account: &Account, link: &SetupLink) -> Markup {
    html! {
        section.card.once aria-label="Set-up link" {
            h2 { "Link for " em { (account.name) } }
            p role="status" { "Send it to them securely. It works once, expires at "
                (render_time(&link.expires_at)) " UTC, and will not be shown again." }
            p.copy { code #setup-link { (edge.service().address.setup_url(link)) }
                button type="button" data-copy="setup-link" hidden { "Copy" } }
        }
    }
}

fn render_user_row(access: &Access, person: &Person, account: &Account, used: u64) -> Markup {
    let action = |verb: &str| format!("{HERE}/{}/{verb}", account.id);
    let state = match (account.active, account.password.is_some()) {
        (false, _) => "disabled",
        (true, true) => "active",
        (true, false) => "no password yet",
    };
    html! {
        tr {
            td { (account.name) }
            td data-label="Role" { (account.role.as_str()) }
            td data-label="Plan" {
                form.inline method="post" action=(action("plan")) {
                    (person.form_token())
                    select name="plan" aria-label={ "Plan of " (account.name) } {
                        @for plan in access.plans().all_plans() {
                            option value=(plan.name) selected[plan.name == account.plan] { (plan.name) }
                        }
                    }
                    button.small type="submit" aria-label={ "Set the plan of " (account.name) } { "Set" }
                }
            }
            td.count data-label="This month" { (group_thousands(used)) }
            td data-label="Created" { (render_time(&account.created_at)) }
            td { (status_badge(state)) }
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

async fn add_user(State(edge): State<Arc<Edge>>, OperatorForm(form): OperatorForm) -> Response {
    let name = form.field("name").to_owned();
    let role = entered_role(form.field("role"));
    let plan = Some(form.field("plan").to_owned()).filter(|plan| !plan.is_empty());
    let change = apply_change(&edge, move |access| {
        let account = access.accounts().add_account(&name, role, plan.as_deref())?;
        let link = access.passwords().create_setup_link(account.id)?;
        Ok((account, link))
    });
    show_new_link(&edge, &form.person, change.await)
}

async fn reset_user(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    let change = apply_change(&edge, move |access| {
        let unknown = || AccessError::UnknownAccount { name: id.to_string() };
        let account = access.accounts().account_by_id(id)?.ok_or_else(unknown)?;
        let link = access.passwords().create_setup_link(account.id)?;
        Ok((account, link))
    });
    show_new_link(&edge, &form.person, change.await)
}

fn show_new_link(
    edge: &Edge,
    person: &Person,
    outcome: Result<FormOutcome<(Account, SetupLink)>, Failure>,
) -> Response {
    match outcome {
        Ok(Ok((account, link))) => users_page(edge, person, Some((&account, &link)), None),
        Ok(Err(fault)) => users_page(edge, person, None, Some(&fault)),
        Err(failure) => refusal_page(Some(person), &failure),
    }
}

async fn disable_user(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    change_user(edge, form, move |access| access.accounts().set_active(id, false)).await
}

async fn enable_user(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    change_user(edge, form, move |access| access.accounts().set_active(id, true)).await
}

async fn set_plan(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u32>,
    OperatorForm(form): OperatorForm,
) -> Response {
    let plan = form.field("plan").to_owned();
    change_user(edge, form, move |access| access.accounts().set_plan(id, &plan)).await
}

async fn change_user(
    edge: Arc<Edge>,
    form: OwnForm,
    act: impl FnOnce(&Access) -> Result<Account, AccessError> + Send + 'static,
) -> Response {
    respond_to_change(&form.person, HERE, apply_change(&edge, act).await)
}
