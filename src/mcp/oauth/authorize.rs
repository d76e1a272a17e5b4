//! Authorization requests: parsed from the query string, and validated before the consent page is shown
//! and again when the person answers it.

use super::form_fields::FormFields;
use crate::mcp::resource_uri;
use accounts::{
    ClientAuthorization, Destination, OAuthClient, OAuthScope, OFFLINE, READ, RedirectUri,
};

/// Characters of an S256 challenge: 32 bytes in base64url without padding.
const CHALLENGE_CHARS: usize = 43;

/// A request of a client, as far as it can be read without knowing the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizeRequest {
    /// The client that claims to send it.
    pub client_id: String,
    fields: FormFields,
}

/// A request that gets no redirect as its answer: no trusted redirect URI is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MalformedRequest {
    /// It has no client id, or repeats a parameter.
    Unreadable,
    /// Its redirect URI is not the client's.
    ForeignRedirect,
}

/// A request that may be shown to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidAuthorizeRequest {
    /// What the client asks for.
    pub authorization: ClientAuthorization,
    /// Where the answer goes.
    pub redirect_uri: RedirectUri,
    state: Option<String>,
    issuer: String,
}

/// An error that is reported to the client, by a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizeErrorRedirect {
    /// Where to send the browser.
    pub location: String,
    /// Who receives it.
    pub destination: Destination,
}

impl AuthorizeRequest {
    /// Reads the query string of a request, or the same in a field of the page's form.
    pub fn parse_query(query: &str) -> Result<Self, MalformedRequest> {
        let fields = FormFields::parse_urlencoded(query.as_bytes())
            .map_err(|_| MalformedRequest::Unreadable)?;
        let client_id = fields.get("client_id").ok_or(MalformedRequest::Unreadable)?.to_owned();
        Ok(Self { client_id, fields })
    }

    /// Checks the rest, once the client is known. Nothing is sent anywhere before the redirect URI is
    /// known to be the client's.
    pub fn validate_for_client(
        &self,
        client: &OAuthClient,
        base_url: &str,
    ) -> Result<Result<ValidAuthorizeRequest, AuthorizeErrorRedirect>, MalformedRequest> {
        let given_uri = self.fields.get("redirect_uri");
        let redirect_uri = given_uri
            .and_then(RedirectUri::parse)
            .filter(|uri| client.has_redirect_uri(uri) && !is_own_origin(uri, base_url))
            .ok_or(MalformedRequest::ForeignRedirect)?;
        let response = AuthorizationResponse {
            redirect_uri: &redirect_uri,
            state: self.fields.get("state"),
            issuer: base_url,
        };
        if let Some((error, description)) = self.find_fault(base_url) {
            return Ok(Err(response.error_redirect(error, description)));
        }
        let field = |name| self.fields.get(name).unwrap_or_default();
        let authorization = ClientAuthorization {
            client: client.id.clone(),
            client_name: client.name.clone(),
            redirect_uri: given_uri.unwrap_or_default().to_owned(),
            challenge: field("code_challenge").to_owned(),
            scope: OAuthScope::parse(field("scope")).unwrap_or(OAuthScope::DEFAULT),
            resource: resource_uri(base_url),
        };
        Ok(Ok(ValidAuthorizeRequest {
            authorization,
            state: response.state.map(str::to_owned),
            issuer: base_url.to_owned(),
            redirect_uri,
        }))
    }

    /// The error code and its description, if the request is invalid (RFC 6749, section 4.1.2.1; RFC 8707).
    fn find_fault(&self, base_url: &str) -> Option<(&'static str, String)> {
        let field = |name| self.fields.get(name);
        if field("request").is_some() || field("request_uri").is_some() {
            return Some((
                "request_not_supported",
                "Request objects are not supported; send the parameters directly.".to_owned(),
            ));
        }
        if field("response_type") != Some("code") {
            return Some(("unsupported_response_type", "response_type must be code.".to_owned()));
        }
        let challenge = field("code_challenge").unwrap_or_default();
        let base64url = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        let is_challenge = challenge.len() == CHALLENGE_CHARS && challenge.bytes().all(base64url);
        if !is_challenge || field("code_challenge_method") != Some("S256") {
            let description = "PKCE is required: code_challenge with code_challenge_method S256.";
            return Some(("invalid_request", description.to_owned()));
        }
        if OAuthScope::parse(field("scope").unwrap_or_default()).is_none() {
            return Some((
                "invalid_scope",
                format!("The supported scopes are {READ} and {OFFLINE}."),
            ));
        }
        if field("resource").is_some_and(|given| own_resource(given, base_url).is_none()) {
            return Some((
                "invalid_target",
                format!("resource must be {}.", resource_uri(base_url)),
            ));
        }
        None
    }
}

/// What every answer to a request contains.
struct AuthorizationResponse<'a> {
    redirect_uri: &'a RedirectUri,
    state: Option<&'a str>,
    issuer: &'a str,
}

impl AuthorizationResponse<'_> {
    fn redirect_url(&self, answer: &[(&str, &str)]) -> String {
        let state = self.state.map(|state| ("state", state));
        let answer = answer.iter().copied().chain(state).chain([("iss", self.issuer)]);
        self.redirect_uri.with_query(&answer.collect::<Vec<_>>())
    }

    fn error_redirect(&self, error: &str, description: String) -> AuthorizeErrorRedirect {
        let location = self.redirect_url(&[("error", error), ("error_description", &description)]);
        AuthorizeErrorRedirect { location, destination: self.redirect_uri.destination() }
    }
}

impl ValidAuthorizeRequest {
    fn authorization_response(&self) -> AuthorizationResponse<'_> {
        let Self { redirect_uri, state, issuer, .. } = self;
        AuthorizationResponse { redirect_uri, state: state.as_deref(), issuer }
    }

    /// Where the browser goes with a code.
    pub fn code_redirect(&self, code: &str) -> String {
        self.authorization_response().redirect_url(&[("code", code)])
    }

    /// Where the browser goes when the person declined.
    pub fn denied_redirect(&self) -> String {
        self.authorization_response()
            .error_redirect("access_denied", "The user denied access.".to_owned())
            .location
    }
}

/// Whether an answer would go to this server itself, and pass for an action of the person.
fn is_own_origin(redirect_uri: &RedirectUri, base_url: &str) -> bool {
    url::Url::parse(base_url).is_ok_and(|own| redirect_uri.is_same_origin(&own))
}

/// The canonical URI of this server as a resource, if `given` means it, with or without a trailing slash.
pub(super) fn own_resource(given: &str, base_url: &str) -> Option<String> {
    let own = resource_uri(base_url);
    let given = url::Url::parse(given).ok()?;
    let own_url = url::Url::parse(&own).ok()?;
    let path = given.path().strip_suffix('/').unwrap_or(given.path());
    let is_same = given.origin() == own_url.origin()
        && path == own_url.path()
        && given.query().is_none()
        && given.fragment().is_none()
        && given.username().is_empty()
        && given.password().is_none();
    is_same.then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://specbox.example:8443";

    #[test]
    fn both_spellings_are_one_resource_and_nothing_else_is() {
        for (given, own) in [
            ("https://specbox.example:8443/mcp", true),
            ("https://specbox.example:8443/mcp/", true),
            ("HTTPS://SPECBOX.example:8443/mcp", true),
            ("https://specbox.example:8443/mcp//", false),
            ("https://specbox.example:8443/", false),
            ("https://specbox.example/mcp", false),
            ("http://specbox.example:8443/mcp", false),
            ("https://specbox.example:8443/mcp?x", false),
            ("https://a@specbox.example:8443/mcp", false),
            ("https://other.example:8443/mcp", false),
            ("mcp", false),
        ] {
            assert_eq!(own_resource(given, BASE).is_some(), own, "{given}");
        }
    }

    fn client() -> OAuthClient {
        let uri = RedirectUri::parse("http://127.0.0.1:1/cb").expect("taken");
        OAuthClient { id: "c".to_owned(), name: "C".to_owned(), redirect_uris: vec![uri] }
    }

    fn query_with(changes: &[(&str, Option<&str>)]) -> String {
        let challenge = "a".repeat(CHALLENGE_CHARS);
        let mut fields = vec![
            ("client_id", "c"),
            ("redirect_uri", "http://127.0.0.1:9/cb"),
            ("response_type", "code"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("state", "s&1"),
        ];
        for (name, value) in changes {
            fields.retain(|(other, _)| other != name);
            fields.extend(value.map(|value| (*name, value)));
        }
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
    }

    #[test]
    fn faults_go_to_the_client_with_its_state_and_the_issuer() {
        for (changes, error) in [
            (&[("response_type", Some("token"))][..], "unsupported_response_type"),
            (&[("response_type", None)], "unsupported_response_type"),
            (&[("code_challenge", None)], "invalid_request"),
            (&[("code_challenge", Some("short"))], "invalid_request"),
            (&[("code_challenge_method", Some("plain"))], "invalid_request"),
            (&[("code_challenge_method", None)], "invalid_request"),
            (&[("scope", Some("admin"))], "invalid_scope"),
            (&[("resource", Some("https://other.example/mcp"))], "invalid_target"),
            (&[("request_uri", Some("https://a.example"))], "request_not_supported"),
        ] {
            let request = AuthorizeRequest::parse_query(&query_with(changes)).expect("readable");
            let refused = request
                .validate_for_client(&client(), BASE)
                .expect("answerable")
                .expect_err("faulty");
            let start = format!("http://127.0.0.1:9/cb?error={error}&");
            assert!(refused.location.starts_with(&start), "{changes:?} {}", refused.location);
            let end = "&state=s%261&iss=https%3A%2F%2Fspecbox.example%3A8443";
            assert!(refused.location.ends_with(end), "{}", refused.location);
        }
    }

    #[test]
    fn without_a_trusted_redirect_uri_nothing_is_sent() {
        for (changes, malformed) in [
            (&[("client_id", None)][..], MalformedRequest::Unreadable),
            (&[("redirect_uri", None)], MalformedRequest::ForeignRedirect),
            (
                &[("redirect_uri", Some("https://evil.example/cb"))],
                MalformedRequest::ForeignRedirect,
            ),
            (
                &[("redirect_uri", Some("http://127.0.0.1:9/other"))],
                MalformedRequest::ForeignRedirect,
            ),
            (&[("redirect_uri", Some("javascript:alert(1)"))], MalformedRequest::ForeignRedirect),
        ] {
            let checked = AuthorizeRequest::parse_query(&query_with(changes))
                .and_then(|request| request.validate_for_client(&client(), BASE));
            assert_eq!(checked.err(), Some(malformed), "{changes:?}");
        }
        let twice = format!("{}&client_id=d", query_with(&[]));
        assert_eq!(AuthorizeRequest::parse_query(&twice).err(), Some(MalformedRequest::Unreadable));
    }

    #[test]
    fn absent_parameters_have_defaults() {
        let request =
            AuthorizeRequest::parse_query(&query_with(&[("state", None)])).expect("readable");
        let valid =
            request.validate_for_client(&client(), BASE).expect("answerable").expect("good");
        assert_eq!(valid.authorization.scope, OAuthScope::DEFAULT);
        assert_eq!(valid.authorization.resource, "https://specbox.example:8443/mcp");
        assert_eq!(
            valid.code_redirect("x"),
            "http://127.0.0.1:9/cb?code=x&iss=https%3A%2F%2Fspecbox.example%3A8443"
        );
        assert!(valid.denied_redirect().contains("error=access_denied"));
    }
}
