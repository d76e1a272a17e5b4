//! Invitations for a list of addresses, for operators.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::post};
use maud::{Markup, html};

use super::{apply_change_of_service, dashboard_page, render_time};
use crate::{
    control::{Invitation, InvitationList},
    http::Edge,
    ui::{forms::OperatorForm, page::refusal_page, person::Person},
};
use accounts::{AccountPlans, AccountRole};

const HERE: &str = "/dashboard/users/invite";
const BACK: &str = "/dashboard/users";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(HERE, post(invite_users))
}

/// The form, for the page of accounts.
pub(super) fn render_invitation_form(person: &Person, plans: &AccountPlans) -> Markup {
    html! {
        section.card aria-label="Invitations" {
            h2 { "Invite several people" }
            form.stacked method="post" action=(HERE) {
                (person.form_token())
                label for="invite-addresses" { "Addresses" }
                textarea #invite-addresses name="addresses" required rows="5" spellcheck="false"
                    placeholder="ann@lab.example\nBob Example <bob@lab.example>" {}
                label for="invite-role" { "Role" }
                (render_role_field("invite-role"))
                label for="invite-plan" { "Plan" }
                (render_plan_field("invite-plan", plans))
                button type="submit" { "Create accounts" }
            }
            p.quiet { "One address a line, or separated by commas or semicolons. You will get a link for each." }
        }
    }
}

/// The choice of a role.
pub(super) fn render_role_field(id: &str) -> Markup {
    html! {
        select id=(id) name="role" {
            option value="member" { "member" }
            option value="operator" { "operator" }
        }
    }
}

/// The choice of a plan.
pub(super) fn render_plan_field(id: &str, plans: &AccountPlans) -> Markup {
    html! {
        select id=(id) name="plan" {
            option value="" { "no limit" }
            @for plan in plans.all_plans().iter().filter(|plan| plan.requests_per_month.is_some()) {
                option value=(plan.name) { (plan.name) }
            }
        }
    }
}

/// The role that a form names.
pub(super) fn entered_role(text: &str) -> AccountRole {
    if text == "operator" { AccountRole::Operator } else { AccountRole::Member }
}

async fn invite_users(State(edge): State<Arc<Edge>>, OperatorForm(form): OperatorForm) -> Response {
    let list = InvitationList {
        addresses: form.field("addresses").to_owned(),
        role: entered_role(form.field("role")),
        plan: Some(form.field("plan").to_owned()).filter(|plan| !plan.is_empty()),
    };
    let (person, fault) = (&form.person, |fault: &str| {
        let body = html! { p { a.button href=(BACK) { "Back" } } };
        dashboard_page(&form.person, BACK, "Invitations", Some(fault), body)
    });
    match apply_change_of_service(&edge, move |service| list.invite(service)).await {
        Ok(Ok(invitations)) if invitations.is_empty() => fault("The list has no addresses."),
        Ok(Ok(invitations)) => invitations_page(person, &invitations),
        Ok(Err(reason)) => fault(&reason),
        Err(failure) => refusal_page(Some(person), &failure),
    }
}

/// What became of each address, the only time the links are shown.
fn invitations_page(person: &Person, invitations: &[Invitation]) -> Response {
    let invited = || invitations.iter().filter_map(|one| one.invited.as_ref());
    let links = invited().map(|link| format!("{}\t{}", link.account.name, link.setup_url));
    let links = links.collect::<Vec<_>>().join("\n");
    let left_out = invitations.len() - invited().count();
    let body = html! {
        section.card.once aria-label="Links" {
            p role="status" {
                (invited().count()) " of " (invitations.len()) " addresses have an account and a link now"
                @if left_out > 0 { ", " strong { (left_out) " do not" } }
                "."
            }
            @if let Some(link) = invited().next() {
                p { "Send each link securely. It works once, expires at " (render_time(&link.expires_at))
                    " UTC, and will not be shown again." }
                p.copy { button type="button" data-copy="invitation-links" hidden { "Copy all links" } }
                pre tabindex="0" { code #invitation-links { (links) } }
            }
        }
        @if left_out > 0 {
            section.card aria-label="Not invited" {
                h2 { "Not invited" }
                div.table role="region" aria-label="Not invited" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Line" } th scope="col" { "Address" } th scope="col" { "Reason" }
                        } }
                        tbody {
                            @for one in invitations {
                                @if let Some(reason) = &one.refusal {
                                    tr { td { (one.line) } td { (one.address) } td { (reason) } }
                                }
                            }
                        }
                    }
                }
            }
        }
        p { a.button href=(BACK) { "Accounts" } }
    };
    dashboard_page(person, BACK, "Invitations", None, body)
}
