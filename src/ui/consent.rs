//! The page on which a person lets a program in, or does not (RFC 6749, section 4.1.1).

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
    page::{Frame, page, refusal, with_headers},
    person::{Person, Visitor, to_sign_in},
};
use crate::{
    http::Edge,
    mcp::{
        Clients, FoundClient,
        oauth::{AUTHORIZE, AuthorizeRequest, Malformed, Refused, Wanted},
    },
    service::internal,
};
use accounts::{Client, Destination};
use wire::Failure;

/// The policy of pages without `form-action`: a browser applies that to where the answer of a form leads,
/// and this one leads to the program.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The field that holds the request, and the one that says it was shown to this person.
const REQUEST: &str = "request";
const SEAL: &str = "seal";
/// The field of the answer, and what allows.
const ANSWER: &str = "answer";
const ALLOW: &str = "allow";

pub(super) fn routes(clients: &Clients) -> Router<Arc<Edge>> {
    let (shown, answered) = (clients.clone(), clients.clone());
    let show =
        move |state: State<Arc<Edge>>, visitor: Visitor, query: RawQuery, request: Request| {
            let clients = shown.clone();
            show(state, visitor, clients, query, request)
        };
    let answer = move |state: State<Arc<Edge>>, form: OwnForm| {
        let clients = answered.clone();
        answer(state, clients, form)
    };
    Router::new().route(AUTHORIZE, get(show).post(answer))
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    clients: Clients,
    RawQuery(query): RawQuery,
    request: Request,
) -> Response {
    let query = query.unwrap_or_default();
    let checked = check(&edge, &clients, &query, visitor.is_some()).await;
    let person = visitor.as_ref();
    match (checked, person) {
        (Ok(Checked::SignInFirst), _) | (Ok(Checked::Good(_)), None) => {
            to_sign_in(request.method(), request.uri())
        }
        (Ok(Checked::Good(wanted)), Some(person)) => consent_page(person, &query, &wanted),
        (Ok(Checked::Answered(refused)), person) => told_of_fault(person, refused),
        (Ok(Checked::Fault(fault)), person) => fault_page(person, &fault),
        (Err(failure), person) => refusal(person, &failure),
    }
}

async fn answer(State(edge): State<Arc<Edge>>, clients: Clients, form: OwnForm) -> Response {
    let (person, query) = (&form.person, form.field(REQUEST));
    if !person.has_sealed(query, form.field(SEAL)) {
        let message = "This is not the request that was shown to you. Begin again in the program.";
        return refusal(Some(person), &Failure::Forbidden { message });
    }
    let wanted = match check(&edge, &clients, query, true).await {
        Ok(Checked::Good(wanted)) => wanted,
        Ok(Checked::Answered(refused)) => return told_of_fault(Some(person), refused),
        Ok(Checked::Fault(fault)) => return fault_page(Some(person), &fault),
        Ok(Checked::SignInFirst) => return refusal(Some(person), &Failure::BadForm),
        Err(failure) => return refusal(Some(person), &failure),
    };
    if form.field(ANSWER) != ALLOW {
        return sent_to(&wanted.denied());
    }
    let (account, asked) = (person.account.id, wanted.asked.clone());
    let code =
        edge.work(move |service| service.access.allow_client(account, asked).map_err(internal));
    match code.await {
        Ok(code) => sent_to(&wanted.allowed(&code)),
        Err(failure) => refusal(Some(person), &failure),
    }
}

/// What became of a request.
enum Checked {
    Good(Box<Wanted>),
    /// Its program is told what is wrong.
    Answered(Refused),
    /// Its person is told, for nobody knows where the program is.
    Fault(Fault),
    /// Nothing is fetched for strangers.
    SignInFirst,
}

/// What a person is told who cannot be sent back.
enum Fault {
    Unreadable,
    Unknown,
    Unusable(&'static str),
    ForeignRedirect(Client),
    OfRequest(Box<Refused>),
}

async fn check(
    edge: &Arc<Edge>,
    clients: &Clients,
    query: &str,
    is_signed_in: bool,
) -> Result<Checked, Failure> {
    let Ok(request) = AuthorizeRequest::parse(query) else {
        return Ok(Checked::Fault(Fault::Unreadable));
    };
    if !is_signed_in && clients.may_fetch(&request.client_id) {
        return Ok(Checked::SignInFirst);
    }
    let client = match clients.find(edge, &request.client_id).await? {
        FoundClient::Known(client) => client,
        FoundClient::NotAllowed => return Ok(Checked::Fault(Fault::Unknown)),
        FoundClient::Unusable(said) => return Ok(Checked::Fault(Fault::Unusable(said))),
    };
    Ok(match request.check(&client, edge.service().base_url()) {
        Ok(Ok(wanted)) => Checked::Good(Box::new(wanted)),
        Ok(Err(refused)) => Checked::Answered(refused),
        Err(Malformed::ForeignRedirect) => Checked::Fault(Fault::ForeignRedirect(client)),
        Err(Malformed::Unreadable) => Checked::Fault(Fault::Unreadable),
    })
}

/// Sends the browser to the program; what is sent is for that alone.
fn sent_to(location: &str) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Redirect::to(location)).into_response()
}

/// A program on the person's own machine is told at once what was wrong with its request. To a site, or
/// to whatever opens a scheme, nobody is sent without their doing: anyone can register one, and a link to
/// this server would lead to them (RFC 9700, section 4.11.2).
fn told_of_fault(person: Option<&Person>, refused: Refused) -> Response {
    match refused.destination {
        Destination::ThisMachine(_) => sent_to(&refused.location),
        Destination::Site(_) | Destination::Program(_) => {
            fault_page(person, &Fault::OfRequest(Box::new(refused)))
        }
    }
}

fn consent_page(person: &Person, query: &str, wanted: &Wanted) -> Response {
    let name = &wanted.asked.client_name;
    let body = html! {
        section.narrow {
            h1 { "Let " em { (name) } " in?" }
            p { "A program that calls itself " strong { (name) } " asks to use specbox as "
                strong { (person.account.name) } ". It could:" }
            ul {
                li { "search and read the indexed documents" }
                li { "use up requests of your monthly allowance" }
            }
            (destination_line(&wanted.redirect_uri.destination()))
            form.answer method="post" action=(AUTHORIZE) {
                (person.form_token())
                input type="hidden" name=(REQUEST) value=(query);
                input type="hidden" name=(SEAL) value=(person.seal(query));
                button type="submit" name=(ANSWER) value=(ALLOW) { "Let it in" }
                button.plain type="submit" name=(ANSWER) value="deny" { "No" }
            }
            p.quiet { "You can end this at any time under "
                a href="/dashboard/clients" { "Programs" } "." }
        }
    };
    let frame = Frame { title: "Let a program in?", person: Some(person), part: "" };
    with_headers(page(&frame, body), POLICY)
}

/// Where the answer goes: all that a person can know of who asks.
fn destination_line(destination: &Destination) -> Markup {
    html! {
        @match destination {
            Destination::Site(host) => {
                p { "The answer goes to the site " strong { (host) } "." }
            }
            Destination::ThisMachine(host) => {
                p.fault role="note" { "The answer goes to a program on your own machine ("
                    strong { (host) } "). Any program there can ask under any name: go on only if "
                    "you have just started this yourself." }
            }
            Destination::Program(scheme) => {
                p.fault role="note" { "The answer goes to whichever program on your machine opens "
                    "links that begin with " strong { (scheme) } ". Go on only if you have just "
                    "started this yourself." }
            }
        }
    }
}

fn fault_page(person: Option<&Person>, fault: &Fault) -> Response {
    let body = html! {
        section.narrow {
            h1 { "The program cannot be let in" }
            @match fault {
                Fault::Unreadable => {
                    p { "The request is not complete, or says something twice. Begin again in the "
                        "program; if it stays so, the program is at fault." }
                }
                Fault::Unknown => {
                    p { "This server does not know the program that sent you: it never registered "
                        "here, or was never let in within a day after it did, or this is another "
                        "server than before." }
                    p { "Most programs keep their registration. Make yours forget it, then connect "
                        "again:" }
                    ul {
                        li { "Claude Code: " code { "claude mcp logout NAME" } ", or within it type "
                            code { "/mcp" } ", choose the server, \"Clear authentication\"; or remove the "
                            "server and add it again." }
                        li { "VS Code: run the command \"Authentication: Remove Dynamic "
                            "Authentication Providers\"." }
                        li { "Cursor: remove the server under Settings, MCP, and add it again." }
                        li { "Others: sign out of the server, or remove it and add it again." }
                    }
                }
                Fault::OfRequest(refused) => {
                    p { "The program asked for something that this server does not do. It may say more "
                        "once you go back to it; go on only if you came from there." }
                    (destination_line(&refused.destination))
                    p { a href=(refused.location) rel="noreferrer" { "Back to the program" } }
                }
                Fault::Unusable(said) => {
                    p { "The program says who it is in a document of its own. " (said) }
                    p { "Whoever runs this server can name the program in its configuration." }
                }
                Fault::ForeignRedirect(client) => {
                    p { "The answer would go to an address that the program "
                        strong { (client.name) } " did not register. Nothing was sent there." }
                    p { "If you came here by a link in a mail or on a page, close this page. If you "
                        "have just started the program yourself, make it forget its registration "
                        "and connect again." }
                }
            }
        }
    };
    let mut response = page(&Frame { title: "Not let in", person, part: "" }, body);
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response
}
