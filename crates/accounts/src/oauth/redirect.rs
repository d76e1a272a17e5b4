//! Redirect URIs: where authorization responses are sent; for native programs, by RFC 8252.

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The longest URI that is accepted.
const MAX_URI_BYTES: usize = 2048;

/// Schemes that a browser or the system handles itself, so that they are not a program's private-use scheme; neither
/// is one that begins with [`SYSTEM_SCHEME_PREFIX`]. The list need not be complete: a person approves the destination
/// before anything is sent there.
const RESERVED_SCHEMES: [&str; 40] = [
    "about",
    "android-app",
    "blob",
    "chrome",
    "chrome-extension",
    "content",
    "data",
    "devtools",
    "edge",
    "facetime",
    "feed",
    "file",
    "filesystem",
    "ftp",
    "http",
    "intent",
    "jar",
    "javascript",
    "ldap",
    "livescript",
    "mailto",
    "market",
    "mhtml",
    "mocha",
    "moz-extension",
    "res",
    "resource",
    "search",
    "search-ms",
    "sftp",
    "shell",
    "smb",
    "sms",
    "ssh",
    "tel",
    "telnet",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];
const SYSTEM_SCHEME_PREFIX: &str = "ms-";

/// A redirect URI that may be registered: `https`, `http` on loopback, or a private-use scheme of a
/// program (`cursor://...`); without a fragment, a user name or a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RedirectUri(Url);

/// Where an authorization response is sent, as the consent page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A site.
    Site(String),
    /// A program on the machine of the browser, which may be any that listens there.
    ThisMachine(String),
    /// The program that owns a private-use scheme.
    Program(String),
}

impl RedirectUri {
    /// Reads one; `None` if it may not be registered.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_URI_BYTES || text.contains(is_forbidden_char) {
            return None;
        }
        let url = Url::parse(text).ok()?;
        let plain =
            url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
        let fits = match url.scheme() {
            "https" => url.host().is_some(),
            "http" => is_loopback(&url),
            scheme => {
                !RESERVED_SCHEMES.contains(&scheme) && !scheme.starts_with(SYSTEM_SCHEME_PREFIX)
            }
        };
        // Escapes make it longer: what is stored has to be accepted when it is read back.
        (plain && fits && url.as_str().len() <= MAX_URI_BYTES).then_some(Self(url))
    }

    /// Whether a request may name `requested` if this one is registered: the same, except for the port on loopback,
    /// which programs choose each time (RFC 8252, section 7.3).
    pub fn matches_request(&self, requested: &Self) -> bool {
        if self == requested {
            return true;
        }
        let [own, requested] = [self, requested].map(Self::without_port);
        own.is_some() && own == requested
    }

    /// The URI without its port; `None` if it is not on loopback.
    fn without_port(&self) -> Option<Url> {
        let mut url = self.0.clone();
        (url.scheme() == "http" && is_loopback(&url) && url.set_port(None).is_ok()).then_some(url)
    }

    /// Where an authorization response is sent.
    pub fn destination(&self) -> Destination {
        let host = self.0.host_str().unwrap_or_default();
        let host = match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        match self.0.scheme() {
            "http" | "https" if is_loopback(&self.0) => Destination::ThisMachine(host),
            "https" => Destination::Site(host),
            scheme => Destination::Program(format!("{scheme}:")),
        }
    }

    /// Whether it is on the origin of a site, such as our own.
    pub fn is_same_origin(&self, site: &Url) -> bool {
        self.0.origin() == site.origin()
    }

    /// The URI with the response parameters added to its query.
    pub fn with_query(&self, answer: &[(&str, &str)]) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().extend_pairs(answer);
        url.into()
    }

    /// The URI.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl TryFrom<String> for RedirectUri {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("must be https, http on loopback, or a private-use scheme")
    }
}

impl From<RedirectUri> for String {
    fn from(uri: RedirectUri) -> Self {
        uri.0.into()
    }
}

/// Characters that are invalid in a URI, or that parsers read in two ways (browsers read `\` as `/`).
fn is_forbidden_char(c: char) -> bool {
    c == '\\' || c.is_control() || c.is_whitespace()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_loopback_and_private_use_schemes_are_accepted() {
        for good in [
            "https://vscode.dev/redirect",
            "https://client.example:8443/callback?flow=1",
            "http://127.0.0.1/",
            "http://127.0.0.1:33418/",
            "http://localhost:1/callback",
            "http://[::1]:9999/cb",
            "cursor://anysphere.cursor-retrieval/oauth/callback",
            "com.example.app:/oauth",
        ] {
            assert!(RedirectUri::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "/callback",
            "http://client.example/callback",
            "http://localhost.evil.example/",
            "http://localhost:1@evil.example/",
            "http://127.0.0.1\\@evil.example.com@x/",
            "https://user:word@client.example/",
            "https://client.example/#fragment",
            "https://client.example/a b",
            "https://client.example/\nx",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "vbscript:x",
            "blob:https://client.example/1",
            "intent://x",
            "ms-settings:x",
            "search-ms:query=x",
        ] {
            assert!(RedirectUri::parse(bad).is_none(), "{bad}");
        }
        assert!(RedirectUri::parse(&format!("https://a.example/{}", "a".repeat(2048))).is_none());
    }

    /// Fuzzing found one that was registered, and rejected when it was read back.
    #[test]
    fn regression_a_uri_that_escapes_make_too_long_is_refused() {
        for escaped in [">", "\u{3002}"] {
            let short = format!("app:cb?{}", escaped.repeat(20));
            let accepted = RedirectUri::parse(&short).expect("short enough");
            assert_eq!(RedirectUri::parse(accepted.as_str()), Some(accepted));
            let long = format!("app:cb?{}", escaped.repeat(MAX_URI_BYTES / escaped.len() - 10));
            assert!(long.len() <= MAX_URI_BYTES);
            assert_eq!(RedirectUri::parse(&long), None, "{escaped}");
        }
    }

    #[test]
    fn ports_are_ignored_on_loopback_and_nothing_else_is() {
        for (registered, requested, allowed) in [
            ("http://127.0.0.1/", "http://127.0.0.1:51234/", true),
            ("http://localhost:1/cb", "http://localhost:2/cb", true),
            ("http://[::1]:1/cb", "http://[::1]/cb", true),
            ("http://localhost:1/cb", "http://127.0.0.1:1/cb", false),
            ("http://localhost:1/cb", "http://localhost:1/other", false),
            ("http://localhost:1/cb", "http://localhost:1/cb?x=1", false),
            ("http://localhost:1/cb", "https://localhost:1/cb", false),
            ("https://a.example/cb", "https://a.example:444/cb", false),
            ("https://a.example/cb", "https://a.example/cb/", false),
            ("https://a.example/cb", "https://b.example/cb", false),
            ("https://a.example/cb", "https://a.example/cb", true),
            ("app:/cb", "app:/cb", true),
            ("app:/cb", "app:/cb2", false),
        ] {
            let [registered, requested] =
                [registered, requested].map(|text| RedirectUri::parse(text).expect("taken"));
            assert_eq!(
                registered.matches_request(&requested),
                allowed,
                "{registered:?} {requested:?}"
            );
        }
    }

    #[test]
    fn response_parameters_are_appended_to_the_query_and_escaped() {
        let uri = RedirectUri::parse("https://a.example/cb?flow=1").expect("taken");
        let answered = uri.with_query(&[("code", "1"), ("state", "a&b=c#d\r\n")]);
        assert_eq!(answered, "https://a.example/cb?flow=1&code=1&state=a%26b%3Dc%23d%0D%0A");
        let program = RedirectUri::parse("cursor://a.b/cb").expect("taken");
        assert_eq!(program.with_query(&[("code", "1")]), "cursor://a.b/cb?code=1");
        assert_eq!(program.destination(), Destination::Program("cursor:".to_owned()));
    }
}
