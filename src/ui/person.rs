//! Who is signed in, and whether a form is really theirs.

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, Method, Uri, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use maud::{Markup, html};

use super::page::{Frame, page, refusal};
use crate::{http::Edge, service::internal};
use accounts::{Account, Caller, Role, Session, Via};
use wire::Failure;

/// The session's cookie. The prefix binds it to this host, to HTTPS and to all paths.
const COOKIE: &str = "__Host-sid";
/// The field of a form that carries the session's token.
pub(super) const TOKEN_FIELD: &str = "form_token";

/// A person who is signed in.
#[derive(Debug, Clone)]
pub(super) struct Person {
    pub(super) account: Account,
    form_token: String,
    cookie: String,
}

impl Person {
    /// What every form of theirs carries.
    pub(super) fn form_token(&self) -> Markup {
        html! { input type="hidden" name=(TOKEN_FIELD) value=(self.form_token); }
    }

    /// Whether a form carries their token.
    pub(super) fn owns(&self, token: &str) -> bool {
        // Compared in constant time.
        blake3::hash(self.form_token.as_bytes()) == blake3::hash(token.as_bytes())
    }

    /// A mark that a text was shown to them in this session.
    pub(super) fn seal(&self, text: &str) -> String {
        let key =
            blake3::derive_key("specbox 2026-11 seal of a shown request", self.cookie.as_bytes());
        blake3::keyed_hash(&key, text.as_bytes()).to_hex().to_string()
    }

    /// Whether a text bears that mark.
    pub(super) fn has_sealed(&self, text: &str, seal: &str) -> bool {
        // Hashes are compared in constant time.
        blake3::hash(self.seal(text).as_bytes()) == blake3::hash(seal.as_bytes())
    }

    pub(super) fn cookie(&self) -> &str {
        &self.cookie
    }

    pub(super) fn is_operator(&self) -> bool {
        self.account.role == Role::Operator
    }

    /// The person as a caller of operations.
    pub(super) fn caller(&self, edge: &Edge) -> Result<Caller, Failure> {
        let caller = edge.service().access.caller_of(&self.account, Via::Browser);
        caller.ok_or(Failure::Forbidden { message: "This account is disabled." })
    }
}

/// Who sends a request, if they are signed in.
pub(super) fn person_of(edge: &Edge, headers: &HeaderMap) -> Result<Option<Person>, Failure> {
    let Some(cookie) = cookie_of(headers) else { return Ok(None) };
    let session = edge.service().access.session(&cookie).map_err(internal)?;
    Ok(session.map(|Session { account, form_token }| Person { account, form_token, cookie }))
}

/// The value of the session's cookie.
fn cookie_of(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    let own = pairs.find(|(name, _)| name.trim() == COOKIE);
    own.map(|(_, value)| value.trim().to_owned())
}

/// The header that begins a session in the browser, or ends it.
pub(super) fn set_cookie(value: Option<&str>) -> Result<HeaderValue, Failure> {
    let (value, age) = match value {
        Some(value) => (value, 30 * 24 * 3600),
        None => ("", 0),
    };
    // Lax and not Strict: links from other places to a page must find people signed in.
    let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";
    HeaderValue::from_str(&format!("{COOKIE}={value}; {attributes}; Max-Age={age}"))
        .map_err(internal)
}

impl FromRequestParts<Arc<Edge>> for Person {
    type Rejection = Response;

    /// Sends strangers to the sign-in page, which sends them back here.
    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        match person_of(edge, &parts.headers) {
            Ok(Some(person)) => Ok(person),
            Ok(None) => Err(to_sign_in(&parts.method, &parts.uri)),
            Err(failure) => Err(refusal(None, &failure)),
        }
    }
}

/// After sign-in they come back to the page they wanted; a form cannot be sent again.
pub(super) fn to_sign_in(method: &Method, uri: &Uri) -> Response {
    let path = match *method {
        Method::GET | Method::HEAD => uri.path_and_query().map_or("/", |path| path.as_str()),
        _ => "/dashboard",
    };
    let mut next = url::form_urlencoded::Serializer::new(String::new());
    next.append_pair("next", path);
    Redirect::to(&format!("/sign-in?{}", next.finish())).into_response()
}

/// A person who is signed in, or none; for pages that are open to all.
pub(super) struct Visitor(pub(super) Option<Person>);

impl FromRequestParts<Arc<Edge>> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        person_of(edge, &parts.headers).map(Visitor).map_err(|failure| refusal(None, &failure))
    }
}

/// A person who is signed in and opens a page that costs a request of theirs. A page of another site
/// cannot open one for them, and a browser not ahead of them: both are asked to go on by themselves.
pub(super) struct Payer(pub(super) Person);

impl FromRequestParts<Arc<Edge>> for Payer {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        let person = Person::from_request_parts(parts, edge).await?;
        let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let foreign = matches!(text("sec-fetch-site"), Some("cross-site" | "same-site"));
        let ahead = text("sec-purpose").or_else(|| text("purpose")).is_some();
        if foreign || ahead {
            return Err(go_on(&person, &parts.uri));
        }
        Ok(Self(person))
    }
}

/// The page that asks a person to go on.
fn go_on(person: &Person, wanted: &Uri) -> Response {
    let path = wanted.path_and_query().map_or("/", |path| path.as_str());
    let body = html! {
        section.narrow {
            h1 { "Go on?" }
            p { "Another site leads here. The page behind this one uses a request of your allowance." }
            p { a.button href=(own_path(Some(path))) { "Go on" } }
        }
    };
    page(&Frame { title: "Go on?", person: Some(person), part: "" }, body)
}

/// An operator who is signed in.
pub(super) struct Operator(pub(super) Person);

impl FromRequestParts<Arc<Edge>> for Operator {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        let person = Person::from_request_parts(parts, edge).await?;
        if person.is_operator() {
            return Ok(Self(person));
        }
        Err(refusal(Some(&person), &for_operators()))
    }
}

pub(super) fn for_operators() -> Failure {
    Failure::Forbidden { message: "This page is for operators." }
}

/// Whether a request that changes something comes from a page of ours: browsers say so in
/// `Sec-Fetch-Site`, and older ones name the page's origin.
pub(super) fn comes_from_here(headers: &HeaderMap, base_url: &str) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return site == "same-origin";
    }
    text("origin").is_some_and(|origin| {
        let ours = url::Url::parse(base_url).map(|url| url.origin().ascii_serialization());
        ours.is_ok_and(|ours| ours == origin)
    })
}

/// A path of ours to go to after sign-in; anything else is the start.
pub(super) fn own_path(wanted: Option<&str>) -> &str {
    let own = wanted.filter(|path| {
        path.starts_with('/')
            && !path.starts_with("//")
            && !path.contains('\\')
            && path.chars().all(|c| c.is_ascii() && !c.is_ascii_control())
    });
    own.unwrap_or("/dashboard")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = header::HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        pairs.collect()
    }

    #[test]
    fn only_pages_of_this_server_change_things() {
        let base = "https://lab.example:8443";
        for (pairs, ours) in [
            (&[("sec-fetch-site", "same-origin")][..], true),
            (&[("sec-fetch-site", "cross-site"), ("origin", "https://lab.example:8443")], false),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("origin", "https://lab.example:8443")], true),
            (&[("origin", "https://lab.example")], false),
            (&[("origin", "null")], false),
            (&[], false),
        ] {
            assert_eq!(comes_from_here(&headers(pairs), base), ours, "{pairs:?}");
        }
    }

    #[test]
    fn the_way_back_stays_on_this_server() {
        for (wanted, path) in [
            (Some("/search?q=a"), "/search?q=a"),
            (Some("//evil.example"), "/dashboard"),
            (Some("/\\evil.example"), "/dashboard"),
            (Some("https://evil.example"), "/dashboard"),
            (Some("/a\r\nSet-Cookie: x"), "/dashboard"),
            (Some("/\u{1}"), "/dashboard"),
            (None, "/dashboard"),
        ] {
            assert_eq!(own_path(wanted), path, "{wanted:?}");
        }
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let found = |value| cookie_of(&headers(&[("cookie", value)]));
        assert_eq!(found("a=b; __Host-sid=12; c=d").as_deref(), Some("12"));
        assert_eq!(found("x__Host-sid=12"), None);
        assert_eq!(found("nothing"), None);
    }
}
