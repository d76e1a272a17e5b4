//! The page on which a person authorizes an OAuth client, or denies it (RFC 6749, section 4.1.1).

use std::sync::Arc;

use axum::{
    Router,
    extract::{RawQuery, Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::{Markup, html};

use super::{
    forms::OwnForm,
    page::{PageFrame, refusal_page, render_page, with_page_headers},
    person::Person,
    visitor::{Visitor, to_sign_in},
};
use crate::{
    http::Edge,
    mcp::{
        ClientLookup, OAuthClients,
        oauth::{
            AUTHORIZE, AuthorizeErrorRedirect, AuthorizeRequest, MalformedRequest,
            ValidAuthorizeRequest,
        },
    },
    service::internal_failure,
};
use accounts::{Destination, OAuthClient};
use cost_meter::Owner;
use wire::Failure;

/// The policy of pages without `form-action`: browsers apply that to the redirect after a form too, and this
/// form redirects to the client.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The field with the request, and the one that proves that this person has seen it.
const REQUEST: &str = "request";
const SEAL: &str = "seal";
/// The field of the answer, and its value that authorizes the client.
const ANSWER: &str = "answer";
const ALLOW: &str = "allow";

pub(super) fn routes(clients: &OAuthClients) -> Router<Arc<Edge>> {
    let (clients_of_page, clients_of_answer) = (clients.clone(), clients.clone());
    let show =
        move |state: State<Arc<Edge>>, visitor: Visitor, query: RawQuery, request: Request| {
            let clients = clients_of_page.clone();
            show_consent(state, visitor, clients, query, request)
        };
    let answer = move |state: State<Arc<Edge>>, form: OwnForm| {
        let clients = clients_of_answer.clone();
        answer_consent(state, clients, form)
    };
    Router::new().route(AUTHORIZE, get(show).post(answer))
}

async fn show_consent(
    State(edge): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    clients: OAuthClients,
    RawQuery(query): RawQuery,
    request: Request,
) -> Response {
    let query = query.unwrap_or_default();
    let checked = check_request(&edge, &clients, &query, visitor.is_some()).await;
    let person = visitor.as_ref();
    match (checked, person) {
        (Ok(ConsentCheck::SignInFirst), _) | (Ok(ConsentCheck::Valid(_)), None) => {
            to_sign_in(request.method(), request.uri())
        }
        (Ok(ConsentCheck::Valid(valid)), Some(person)) => consent_page(person, &query, &valid),
        (Ok(ConsentCheck::ClientError(refused)), person) => report_to_client(person, refused),
        (Ok(ConsentCheck::Fault(fault)), person) => fault_page(person, &fault),
        (Err(failure), person) => refusal_page(person, &failure),
    }
}

async fn answer_consent(
    State(edge): State<Arc<Edge>>,
    clients: OAuthClients,
    form: OwnForm,
) -> Response {
    let (person, query) = (&form.person, form.field(REQUEST));
    if !person.has_sealed(query, form.field(SEAL)) {
        let message = "This is not the request that was shown to you. Start again in the program.";
        return refusal_page(Some(person), &Failure::Forbidden { message });
    }
    let request = match check_request(&edge, &clients, query, true).await {
        Ok(ConsentCheck::Valid(request)) => request,
        Ok(ConsentCheck::ClientError(refused)) => return report_to_client(Some(person), refused),
        Ok(ConsentCheck::Fault(fault)) => return fault_page(Some(person), &fault),
        Ok(ConsentCheck::SignInFirst) => return refusal_page(Some(person), &Failure::BadForm),
        Err(failure) => return refusal_page(Some(person), &failure),
    };
    if form.field(ANSWER) != ALLOW {
        return redirect_to_client(&request.denied_redirect());
    }
    let (account, authorization) = (person.account.id, request.authorization.clone());
    let code = edge.run_blocking(Owner::Nobody, move |service| {
        service.access.codes().issue_code(account, authorization).map_err(internal_failure)
    });
    match code.await {
        Ok(code) => redirect_to_client(&request.code_redirect(&code)),
        Err(failure) => refusal_page(Some(person), &failure),
    }
}

/// The outcome of checking a request.
enum ConsentCheck {
    Valid(Box<ValidAuthorizeRequest>),
    /// The client gets the error.
    ClientError(AuthorizeErrorRedirect),
    /// The person gets the error, because the client has no URL that can be trusted.
    Fault(ConsentFault),
    /// The document of the client would have to be fetched, which is done only for people who are signed in.
    SignInFirst,
}

/// Why a person cannot be sent back to the client.
enum ConsentFault {
    Unreadable,
    Unknown,
    Unusable(&'static str),
    ForeignRedirect(OAuthClient),
    OfRequest(Box<AuthorizeErrorRedirect>),
}

async fn check_request(
    edge: &Arc<Edge>,
    clients: &OAuthClients,
    query: &str,
    is_signed_in: bool,
) -> Result<ConsentCheck, Failure> {
    let Ok(request) = AuthorizeRequest::parse_query(query) else {
        return Ok(ConsentCheck::Fault(ConsentFault::Unreadable));
    };
    if !is_signed_in && clients.may_fetch(&request.client_id) {
        return Ok(ConsentCheck::SignInFirst);
    }
    let client = match clients.find_client(edge, &request.client_id).await? {
        ClientLookup::Known(client) => client,
        ClientLookup::NotAllowed => return Ok(ConsentCheck::Fault(ConsentFault::Unknown)),
        ClientLookup::Unusable(reason) => {
            return Ok(ConsentCheck::Fault(ConsentFault::Unusable(reason)));
        }
    };
    Ok(match request.validate_for_client(&client, edge.service().address.base_url()) {
        Ok(Ok(valid)) => ConsentCheck::Valid(Box::new(valid)),
        Ok(Err(refused)) => ConsentCheck::ClientError(refused),
        Err(MalformedRequest::ForeignRedirect) => {
            ConsentCheck::Fault(ConsentFault::ForeignRedirect(client))
        }
        Err(MalformedRequest::Unreadable) => ConsentCheck::Fault(ConsentFault::Unreadable),
    })
}

/// Sends the browser to the client with a response that only the client may read.
fn redirect_to_client(location: &str) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Redirect::to(location)).into_response()
}

/// Reports an error to the client. One on the person's own machine gets it at once. For a site or a custom scheme
/// the person first has to follow a link: anyone can register those, and this server must not be an open redirector
/// (RFC 9700, section 4.11.2).
fn report_to_client(person: Option<&Person>, refused: AuthorizeErrorRedirect) -> Response {
    match refused.destination {
        Destination::ThisMachine(_) => redirect_to_client(&refused.location),
        Destination::Site(_) | Destination::Program(_) => {
            fault_page(person, &ConsentFault::OfRequest(Box::new(refused)))
        }
    }
}

fn consent_page(person: &Person, query: &str, request: &ValidAuthorizeRequest) -> Response {
    let name = &request.authorization.client_name;
    let body = html! {
        section.narrow {
            h1 { "Allow " em { (name) } " to connect?" }
            p { "A program named " strong { (name) } " wants to use specbox as "
                strong { (person.account.name) } ". It will be able to:" }
            ul {
                li { "search and read the indexed documents" }
                li { "use requests of your monthly allowance" }
            }
            (destination_line(&request.redirect_uri.destination()))
            form.answer method="post" action=(AUTHORIZE) {
                (person.form_token())
                input type="hidden" name=(REQUEST) value=(query);
                input type="hidden" name=(SEAL) value=(person.seal_text(query));
                button type="submit" name=(ANSWER) value=(ALLOW) { "Allow" }
                button.plain type="submit" name=(ANSWER) value="deny" { "Deny" }
            }
            p.quiet { "You can disconnect it at any time under "
                a href="/dashboard/clients" { "Programs" } "." }
        }
    };
    let frame = PageFrame { title: "Allow a program to connect?", person: Some(person), part: "" };
    with_page_headers(render_page(&frame, body), POLICY)
}

/// Where the answer goes: the only thing about the client that a person can verify.
fn destination_line(destination: &Destination) -> Markup {
    html! {
        @match destination {
            Destination::Site(host) => {
                p { "You will be sent back to the site " strong { (host) } "." }
            }
            Destination::ThisMachine(host) => {
                p.fault role="note" { "You will be sent back to a program on your own machine ("
                    strong { (host) } "). Any program can use any name: continue only if "
                    "you just started this yourself." }
            }
            Destination::Program(scheme) => {
                p.fault role="note" { "You will be sent back to the program on your machine that opens "
                    "links that begin with " strong { (scheme) } ". Continue only if you just "
                    "started this yourself." }
            }
        }
    }
}

fn fault_page(person: Option<&Person>, fault: &ConsentFault) -> Response {
    let body = html! {
        section.narrow {
            h1 { "This program cannot be connected" }
            @match fault {
                ConsentFault::Unreadable => {
                    p { "The request is incomplete or contains a parameter twice. Start again in the "
                        "program. If this happens again, report it to the authors of the program." }
                }
                ConsentFault::Unknown => {
                    p { "This server does not know the program that sent you. It never registered "
                        "here, was not approved within a day of registering, or registered with another "
                        "server." }
                    p { "Most programs store their registration. Clear it, then connect "
                        "again:" }
                    ul {
                        li { "Claude Code: " code { "claude mcp logout NAME" } ", or in Claude Code type "
                            code { "/mcp" } ", choose the server, \"Clear authentication\"; or remove the "
                            "server and add it again." }
                        li { "VS Code: run the command \"Authentication: Remove Dynamic "
                            "Authentication Providers\"." }
                        li { "Cursor: remove the server under Settings, MCP, and add it again." }
                        li { "Others: sign out of the server, or remove it and add it again." }
                    }
                }
                ConsentFault::OfRequest(refused) => {
                    p { "The program requested something that this server does not support. The program may "
                        "show details when you return to it. Continue only if you came from there." }
                    (destination_line(&refused.destination))
                    p { a href=(refused.location) rel="noreferrer" { "Back to the program" } }
                }
                ConsentFault::Unusable(reason) => {
                    p { "The program is described by its own metadata document. " (reason) }
                    p { "Operators can add the program to the server configuration." }
                }
                ConsentFault::ForeignRedirect(client) => {
                    p { "The request contains a redirect URI that "
                        strong { (client.name) } " did not register. Nothing was sent there." }
                    p { "If you followed a link in an email or on a page, close this page. If you "
                        "just started the program yourself, clear its registration "
                        "and connect again." }
                }
            }
        }
    };
    let mut response = render_page(&PageFrame { title: "Not connected", person, part: "" }, body);
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response
}
