//! How a program becomes a client of the authorization server: it registers, or the operator names it.

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    client::Client,
    oauth::{is_authorized, tokens_of},
    own::{configure, data},
    person::Person,
    program_client::{CALLBACK, Program, VERIFIER},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        registration_takes_what_programs_send_and_no_more,
        the_operator_names_clients_and_nothing_else_is_fetched,
    ]
}

fn registration_takes_what_programs_send_and_no_more() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let http = Client::without_redirects(&server.base_url);
    let made = http.post(
        "/oauth/register",
        &json!({
            "client_name": "Visual Studio Code",
            "redirect_uris": [
                "https://vscode.dev/redirect", "http://127.0.0.1/", "http://127.0.0.1:33418/",
                "http://evil.example/", "cursor://anysphere.cursor-retrieval/oauth/callback",
            ],
            "token_endpoint_auth_method": "client_secret_post",
            "application_type": "native",
            "unknown": {"member": [1, 2]},
        }),
    );
    assert_eq!((made.status, made.header("cache-control")), (201, Some("no-store")));
    assert_eq!(made.body["redirect_uris"].as_array().map(Vec::len), Some(4));
    assert_eq!(made.body["token_endpoint_auth_method"], "none");
    assert!(made.body["client_secret"].is_null() && made.body["client_id_issued_at"].is_i64());
    for (body, error) in [
        (json!({}), "invalid_redirect_uri"),
        (json!({"redirect_uris": []}), "invalid_redirect_uri"),
        (json!({"redirect_uris": "https://a.example/"}), "invalid_redirect_uri"),
        (json!({"redirect_uris": ["javascript:alert(1)"]}), "invalid_redirect_uri"),
        (json!({"redirect_uris": vec!["https://a.example/"; 11]}), "invalid_redirect_uri"),
        (json!([]), "invalid_client_metadata"),
        (
            json!({"redirect_uris": ["https://a.example/"], "x": "a".repeat(20_000)}),
            "invalid_client_metadata",
        ),
    ] {
        let refused = http.post("/oauth/register", &body);
        assert_eq!((refused.status, &refused.body["error"]), (400, &json!(error)));
        assert!(refused.body["error_description"].is_string());
    }
    // A flood shuts nobody out who registers from the same address, and fills nothing.
    let person = Person::new(&server, data, "ann");
    let program = Program::register(&server, &[CALLBACK]);
    let (access, refresh) = tokens_of(&program.authorize(&person));
    let metadata = json!({"redirect_uris": [CALLBACK]});
    let flood: Vec<_> = (0..150).map(|_| http.post("/oauth/register", &metadata)).collect();
    assert!(flood.iter().all(|answer| answer.status == 201));
    let late = Program::register(&server, &[CALLBACK]);
    tokens_of(&late.authorize(&person));
    assert!(is_authorized(&program.http, &access));
    assert_eq!(program.refresh(&refresh).status, 200);
    Ok(())
}

fn the_operator_names_clients_and_nothing_else_is_fetched() -> TestResult {
    let data = data()?;
    let data = data.path();
    let id = "https://clients.example/agent.json";
    configure(
        data,
        &format!(
            "[[oauth.clients]]\nid = \"{id}\"\nname = \"Lab agent\"\nredirect_uris = [\"{CALLBACK}\"]"
        ),
    );
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let http = Client::without_redirects(&server.base_url);
    let named = Program { http: http.with_authorization(None), id: id.to_owned() };
    let (access, _) = tokens_of(&named.authorize(&person));
    assert!(is_authorized(&http, &access));
    let foreign = Program { http, id: "https://other.example/agent.json".to_owned() };
    assert_eq!(
        person.get(&format!("/oauth/authorize?{}", foreign.authorize_query(&[]))).status,
        400
    );
    let code = named.code(&person, &[]);
    assert_eq!(foreign.redeem(&code, &[("code_verifier", Some(VERIFIER))]).status, 401);
    let metadata = named.http.get("/.well-known/oauth-authorization-server").body;
    assert_eq!(metadata["client_id_metadata_document_supported"], false);
    Ok(())
}
