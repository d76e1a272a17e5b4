//! The person who is signed in, by the session's cookie, and whether a form is really theirs.

use axum::http::{HeaderMap, HeaderValue, header};
use maud::{Markup, html};

use crate::{http::Edge, service::internal_failure};
use accounts::{Account, AccountRole, Caller, Session, Via};
use cost_meter::Owner;
use wire::Failure;

/// The session's cookie. The prefix binds it to this host, to HTTPS and to all paths.
const COOKIE: &str = "__Host-sid";
/// How long a browser keeps the cookie: 30 days, after which a session ends whether it is used or not.
const SESSION_COOKIE_MAX_AGE_S: u32 = 30 * 24 * 3600;
/// The field of a form that carries the session's token.
pub(super) const TOKEN_FIELD: &str = "form_token";

/// Longest masked token that is read.
const MAX_MASKED_BYTES: usize = 1024;

/// A person who is signed in.
#[derive(Debug, Clone)]
pub(super) struct Person {
    pub(super) account: Account,
    form_token: String,
    cookie: String,
}

impl Person {
    /// The hidden field of each of their forms. The token is masked differently in each page, so that the sizes
    /// of compressed pages reveal nothing about it (BREACH).
    pub(super) fn form_token(&self) -> Markup {
        html! { input type="hidden" name=(TOKEN_FIELD) value=(mask_token(&self.form_token)); }
    }

    /// Whether a form carries their token.
    pub(super) fn has_form_token(&self, masked: &str) -> bool {
        // Compared in constant time.
        unmask_token(masked)
            .is_some_and(|token| blake3::hash(self.form_token.as_bytes()) == blake3::hash(&token))
    }

    /// A seal on a text that this session has shown to them.
    pub(super) fn seal_text(&self, text: &str) -> String {
        let key =
            blake3::derive_key("specbox 2026-11 seal of a shown request", self.cookie.as_bytes());
        blake3::keyed_hash(&key, text.as_bytes()).to_hex().to_string()
    }

    /// Whether a text bears that seal.
    pub(super) fn has_sealed(&self, text: &str, seal: &str) -> bool {
        // Hashes are compared in constant time.
        blake3::hash(self.seal_text(text).as_bytes()) == blake3::hash(seal.as_bytes())
    }

    pub(super) fn cookie(&self) -> &str {
        &self.cookie
    }

    pub(super) fn is_operator(&self) -> bool {
        self.account.role == AccountRole::Operator
    }

    /// Whose work their pages are.
    pub(super) fn owner(&self) -> Owner {
        Owner::Account(self.account.id)
    }

    /// The person as a caller of operations.
    pub(super) fn to_caller(&self, edge: &Edge) -> Result<Caller, Failure> {
        let caller = edge.service().access.caller_of(&self.account, Via::Browser);
        caller.ok_or(Failure::Forbidden { message: "This account is disabled." })
    }
}

/// A random pad and the token under it, in hexadecimal digits.
fn mask_token(token: &str) -> String {
    let pad: Vec<u8> = token.bytes().map(|_| rand::random()).collect();
    let masked = token.bytes().zip(&pad).map(|(byte, pad)| byte ^ pad);
    pad.iter().copied().chain(masked).map(|byte| format!("{byte:02x}")).collect()
}

/// The token of [`mask_token`]; `None` for any other text.
fn unmask_token(masked: &str) -> Option<Vec<u8>> {
    let digits = masked.as_bytes();
    if !digits.len().is_multiple_of(4) || digits.len() > MAX_MASKED_BYTES {
        return None;
    }
    let bytes =
        digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    let (pad, hidden) = bytes.split_at(bytes.len() / 2);
    Some(pad.iter().zip(hidden).map(|(pad, byte)| pad ^ byte).collect())
}

/// The person who sends a request, if they are signed in.
pub(super) fn signed_in_person(
    edge: &Edge,
    headers: &HeaderMap,
) -> Result<Option<Person>, Failure> {
    let Some(cookie) = cookie_value(headers, COOKIE) else { return Ok(None) };
    let session =
        edge.service().access.sessions().find_session(&cookie).map_err(internal_failure)?;
    Ok(session.map(|Session { account, form_token }| Person { account, form_token, cookie }))
}

/// The value of a cookie.
pub(super) fn cookie_value(headers: &HeaderMap, cookie: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    let own = pairs.find(|(name, _)| name.trim() == cookie);
    own.map(|(_, value)| value.trim().to_owned())
}

/// The `Set-Cookie` header that begins a session in the browser, or ends it.
pub(super) fn set_cookie(value: Option<&str>) -> Result<HeaderValue, Failure> {
    let (value, age) = match value {
        Some(value) => (value, SESSION_COOKIE_MAX_AGE_S),
        None => ("", 0),
    };
    // Lax, not Strict: people who follow a link from another site must be signed in.
    let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";
    HeaderValue::from_str(&format!("{COOKIE}={value}; {attributes}; Max-Age={age}"))
        .map_err(internal_failure)
}

/// Whether a request that changes something comes from a page of ours: browsers say so in
/// `Sec-Fetch-Site`, and older ones name the page's origin.
pub(super) fn is_same_origin(headers: &HeaderMap, base_url: &str) -> bool {
    let header_text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = header_text("sec-fetch-site") {
        return site == "same-origin";
    }
    header_text("origin").is_some_and(|origin| {
        let ours = url::Url::parse(base_url).map(|url| url.origin().ascii_serialization());
        ours.is_ok_and(|ours| ours == origin)
    })
}

/// A path of this server to open after sign-in; the dashboard for anything else.
pub(super) fn own_path(path: Option<&str>) -> &str {
    let own = path.filter(|path| {
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
    fn a_token_is_masked_differently_each_time_and_only_it_is_read_back() {
        let (one, other) = (mask_token("token"), mask_token("token"));
        assert_ne!(one, other);
        assert_eq!(unmask_token(&one).as_deref(), Some(&b"token"[..]));
        for text in ["", "zz", "0", "00ff0", "token", "\u{e9}\u{e9}", &"00".repeat(4096)] {
            assert_ne!(unmask_token(text).as_deref(), Some(&b"token"[..]), "{text}");
        }
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
            assert_eq!(is_same_origin(&headers(pairs), base), ours, "{pairs:?}");
        }
    }

    #[test]
    fn the_way_back_stays_on_this_server() {
        for (given, path) in [
            (Some("/search?q=a"), "/search?q=a"),
            (Some("//evil.example"), "/dashboard"),
            (Some("/\\evil.example"), "/dashboard"),
            (Some("https://evil.example"), "/dashboard"),
            (Some("/a\r\nSet-Cookie: x"), "/dashboard"),
            (Some("/\u{1}"), "/dashboard"),
            (None, "/dashboard"),
        ] {
            assert_eq!(own_path(given), path, "{given:?}");
        }
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let cookie = |value| cookie_value(&headers(&[("cookie", value)]), COOKIE);
        assert_eq!(cookie("a=b; __Host-sid=12; c=d").as_deref(), Some("12"));
        assert_eq!(cookie("x__Host-sid=12"), None);
        assert_eq!(cookie("nothing"), None);
    }
}
