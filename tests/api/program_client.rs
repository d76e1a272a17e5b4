//! A program that connects by OAuth and speaks MCP, request by request.

use serde_json::{Value, json};
use url::form_urlencoded;

use crate::{
    client::{Answer, Client},
    person::{FORM, HERE, Person},
    server::RunningServer,
};

/// A verifier and its S256 challenge (RFC 7636, appendix B).
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// The redirect URI of the program.
pub(crate) const CALLBACK: &str = "http://127.0.0.1:33418/callback";

/// Headers that every MCP client sends.
pub(crate) const MCP: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

/// A registered OAuth client.
pub(crate) struct Program {
    pub(crate) http: Client,
    pub(crate) id: String,
}

/// Fields as a form or a query string has them.
pub(crate) fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The fields in the query of a redirect.
pub(crate) fn redirect_fields(redirect: &Answer) -> Vec<(String, String)> {
    assert!(matches!(redirect.status, 302 | 303), "{} {}", redirect.status, page(redirect));
    let location = redirect.header("location").expect("a redirect");
    let query = location.split_once('?').map_or("", |(_, query)| query);
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// The value of a field, where it is there.
pub(crate) fn field(fields: &[(String, String)], name: &str) -> Option<String> {
    fields.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
}

/// A page as text.
pub(crate) fn page(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.bytes).into_owned()
}

impl Program {
    /// Registers a client with these redirect URIs.
    pub(crate) fn register(server: &RunningServer, uris: &[&str]) -> Self {
        let http = Client::without_redirects(&server.base_url);
        let metadata = json!({"client_name": "A test", "redirect_uris": uris});
        let made = http.post("/oauth/register", &metadata);
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.body["client_id"].as_str().expect("an id").to_owned();
        Self { http, id }
    }

    /// The query of an authorization request, with some fields changed or left out.
    pub(crate) fn authorize_query(&self, changes: &[(&str, Option<&str>)]) -> String {
        let mut fields = vec![
            ("response_type", "code"),
            ("client_id", self.id.as_str()),
            ("redirect_uri", CALLBACK),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "a state"),
        ];
        for (name, value) in changes {
            fields.retain(|(other, _)| other != name);
            fields.extend(value.map(|value| (*name, value)));
        }
        encoded(&fields)
    }

    /// An authorization code, by the person's consent.
    pub(crate) fn code(&self, person: &Person, changes: &[(&str, Option<&str>)]) -> String {
        let sent = redirect_fields(&consent(person, &self.authorize_query(changes), "allow"));
        field(&sent, "code").unwrap_or_else(|| panic!("{sent:?}"))
    }

    /// The answer of the token endpoint to a form.
    pub(crate) fn token(&self, fields: &[(&str, &str)]) -> Answer {
        self.http.send_with("POST", "/oauth/token", &[FORM], encoded(fields).as_bytes())
    }

    /// Its answer to an authorization code.
    pub(crate) fn redeem(&self, code: &str, changes: &[(&str, Option<&str>)]) -> Answer {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("client_id", self.id.as_str()),
            ("code", code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
        ];
        for (name, value) in changes {
            fields.retain(|(other, _)| other != name);
            fields.extend(value.map(|value| (*name, value)));
        }
        self.token(&fields)
    }

    /// Its answer to a refresh token.
    pub(crate) fn refresh(&self, token: &str) -> Answer {
        let client = self.id.as_str();
        self.token(&[
            ("grant_type", "refresh_token"),
            ("client_id", client),
            ("refresh_token", token),
        ])
    }

    /// The answer with its tokens, after a person's consent.
    pub(crate) fn authorize(&self, person: &Person) -> Value {
        let granted = self.redeem(&self.code(person, &[]), &[]);
        assert_eq!(granted.status, 200, "{}", granted.body);
        granted.body
    }
}

/// Opens the consent page and submits an answer.
pub(crate) fn consent(person: &Person, query: &str, answer: &str) -> Answer {
    let shown = person.get(&format!("/oauth/authorize?{query}"));
    assert_eq!(shown.status, 200, "{}", page(&shown));
    let shown = page(&shown);
    let value = |name: &str| {
        let (_, rest) = shown.split_once(&format!("name=\"{name}\" value=\"")).expect("a field");
        let value = rest.split('"').next().unwrap_or_default();
        value.replace("&amp;", "&")
    };
    let fields = [
        ("form_token", value("form_token")),
        ("request", value("request")),
        ("seal", value("seal")),
        ("answer", answer.to_owned()),
    ];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let headers = [FORM, HERE, ("cookie", person.cookie.as_str())];
    let body = encoded(&fields);
    person.client.send_with("POST", "/oauth/authorize", &headers, body.as_bytes())
}

/// The answer of `/mcp` to a message.
pub(crate) fn rpc(http: &Client, method: &str, params: &Value) -> Answer {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    http.send_with("POST", "/mcp", &MCP, message.to_string().as_bytes())
}

/// The result of a tool.
pub(crate) fn call(http: &Client, tool: &str, arguments: &Value) -> Value {
    let answer = rpc(http, "tools/call", &json!({"name": tool, "arguments": arguments}));
    assert_eq!(answer.status, 200, "{}", page(&answer));
    answer.body["result"].clone()
}

/// The payload of a tool: its first block of text.
pub(crate) fn payload(result: &Value) -> Value {
    let blocks = result["content"].as_array().expect("blocks");
    let text = blocks.iter().find_map(|block| block["text"].as_str()).expect("a text");
    serde_json::from_str(text).expect("JSON")
}
