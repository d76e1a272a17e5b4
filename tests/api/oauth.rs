//! The authorization server: consent, tokens, revocation, and what it must refuse.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::Client,
    own::{data, key as own_key},
    person::{FORM, HERE, Person, link},
    program_client::{
        CALLBACK, MCP, Program, call, consent, encoded, field, page, redirect_fields, rpc,
    },
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        consent_grants_access_and_revocation_ends_it,
        codes_and_refresh_tokens_are_good_once_and_for_one_program,
        a_token_is_only_good_in_the_header_and_for_this_server,
        a_program_that_asks_for_a_refresh_token_alone_gets_the_scope_read,
        nothing_is_sent_where_the_program_is_not,
        faults_of_a_request_go_back_to_the_program,
        nobody_is_led_to_a_site_that_anyone_registered,
        another_site_cannot_authorize_a_client,
    ]
}

pub(crate) fn tokens_of(value: &Value) -> (String, String) {
    let text = |name: &str| value[name].as_str().expect("a token").to_owned();
    (text("access_token"), text("refresh_token"))
}

pub(crate) fn is_authorized(http: &Client, token: &str) -> bool {
    let http = http.with_authorization(Some(&format!("Bearer {token}")));
    rpc(&http, "tools/list", &json!({})).status == 200
}

fn consent_grants_access_and_revocation_ends_it() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let program = Program::register(&server, &[CALLBACK]);
    let base = server.base_url.as_str();

    let shown = person.get(&format!("/oauth/authorize?{}", program.authorize_query(&[])));
    let text = page(&shown);
    assert!(text.contains("A test") && text.contains("127.0.0.1"), "{text}");
    assert!(
        shown.header("content-security-policy").expect("one").contains("frame-ancestors 'none'")
    );
    assert_eq!(shown.header("x-frame-options"), Some("DENY"));
    assert_eq!(shown.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(shown.header("cache-control"), Some("no-store"));

    let sent = redirect_fields(&consent(&person, &program.authorize_query(&[]), "deny"));
    assert_eq!(field(&sent, "error").as_deref(), Some("access_denied"));
    let sent = redirect_fields(&consent(&person, &program.authorize_query(&[]), "allow"));
    assert_eq!(field(&sent, "state").as_deref(), Some("a state"));
    assert_eq!(field(&sent, "iss").as_deref(), Some(base));
    let granted = program.redeem(&field(&sent, "code").expect("a code"), &[]);
    assert_eq!(granted.header("cache-control"), Some("no-store"));
    assert_eq!(granted.body["token_type"], "Bearer");
    assert_eq!(
        (&granted.body["scope"], &granted.body["expires_in"]),
        (&json!("read"), &json!(3600))
    );
    let (access, refresh) = tokens_of(&granted.body);
    assert!(is_authorized(&program.http, &access));

    let http = program.http.with_authorization(Some(&format!("Bearer {access}")));
    call(&http, "resolve_term", &json!({"term": "UE"}));
    let connected = page(&person.get("/dashboard/clients"));
    assert!(connected.contains("A test") && connected.contains("Disconnect"), "{connected}");

    let revoke = encoded(&[("token", &refresh), ("client_id", &program.id)]);
    let revoked = program.http.send_with("POST", "/oauth/revoke", &[FORM], revoke.as_bytes());
    assert_eq!(revoked.status, 200);
    assert!(!is_authorized(&program.http, &access));
    assert_eq!(program.refresh(&refresh).body["error"], "invalid_grant");
    let again = program.http.send_with("POST", "/oauth/revoke", &[FORM], revoke.as_bytes());
    assert_eq!(again.status, 200, "who has no token learns nothing");

    let (access, _) = tokens_of(&program.authorize(&person));
    let (_, rest) = page(&person.get("/dashboard/clients"))
        .split_once("/dashboard/clients/")
        .map(|(a, b)| (a.to_owned(), b.split('/').next().unwrap_or_default().to_owned()))
        .expect("a program");
    let stranger = Person::new(&server, data, "bob");
    assert_eq!(stranger.post(&format!("/dashboard/clients/{rest}/disconnect"), "").status, 422);
    assert!(is_authorized(&program.http, &access));
    assert_eq!(person.post(&format!("/dashboard/clients/{rest}/disconnect"), "").status, 303);
    assert!(!is_authorized(&program.http, &access));
    Ok(())
}

fn codes_and_refresh_tokens_are_good_once_and_for_one_program() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let program = Program::register(&server, &[CALLBACK]);
    let other = Program::register(&server, &[CALLBACK]);

    // A code that is used twice ends the tokens that it gave.
    let code = program.code(&person, &[]);
    let (access, _) = tokens_of(&program.redeem(&code, &[]).body);
    assert!(is_authorized(&program.http, &access));
    assert_eq!(program.redeem(&code, &[]).body["error"], "invalid_grant");
    assert!(!is_authorized(&program.http, &access));

    for (changes, error) in [
        (
            &[("code_verifier", Some("a-wrong-verifier-of-forty-three-characters-.."))][..],
            "invalid_grant",
        ),
        (&[("code_verifier", None)], "invalid_request"),
        (&[("redirect_uri", Some("http://127.0.0.1:33418/other"))], "invalid_grant"),
        (&[("redirect_uri", Some("http://127.0.0.1:33419/callback"))], "invalid_grant"),
        // A program that was sent the code of another one.
        (&[("client_id", Some(other.id.as_str()))], "invalid_grant"),
        (&[("client_id", Some("nobody"))], "invalid_client"),
        (&[("client_id", None)], "invalid_client"),
        (&[("resource", Some("https://other.example/mcp"))], "invalid_target"),
        (&[("grant_type", Some("password"))], "unsupported_grant_type"),
        (&[("grant_type", Some("client_credentials"))], "unsupported_grant_type"),
        (&[("grant_type", None)], "invalid_request"),
        (&[("code", Some("0000"))], "invalid_grant"),
    ] {
        let code = program.code(&person, &[]);
        let changes: Vec<_> = changes.to_vec();
        let refused = program.redeem(&code, &changes);
        assert_eq!(refused.body["error"], error, "{changes:?}");
        let status = if error == "invalid_client" { 401 } else { 400 };
        assert_eq!((refused.status, refused.header("cache-control")), (status, Some("no-store")));
    }

    // OAuth 2.1 wants no redirect_uri here: the verifier says enough.
    let code = program.code(&person, &[]);
    assert_eq!(program.redeem(&code, &[("redirect_uri", None)]).status, 200);

    let (first, token) = tokens_of(&program.authorize(&person));
    assert_eq!(other.refresh(&token).body["error"], "invalid_grant");
    let (second, next) = tokens_of(&program.refresh(&token).body);
    let lost = tokens_of(&program.refresh(&token).body);
    assert_eq!(lost, (second.clone(), next.clone()), "an answer may be lost on the way");
    let (third, last) = tokens_of(&program.refresh(&next).body);
    // Its successor was used: whoever sends the first one now has stolen it.
    assert_eq!(program.refresh(&token).body["error"], "invalid_grant");
    for token in [&first, &second, &third] {
        assert!(!is_authorized(&program.http, token));
    }
    assert_eq!(program.refresh(&last).body["error"], "invalid_grant");
    Ok(())
}

fn a_token_is_only_good_in_the_header_and_for_this_server() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let key = own_key(data, Some("ann"));
    let program = Program::register(&server, &[CALLBACK]);
    let (access, refresh) = tokens_of(&program.authorize(&person));
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    for target in [format!("/mcp?access_token={access}"), format!("/mcp/?token={access}")] {
        assert_eq!(program.http.send_with("POST", &target, &MCP, body.as_bytes()).status, 401);
    }
    for credential in [
        format!("Basic {access}"),
        access.clone(),
        format!("Bearer {refresh}"),
        format!("Bearer {}", &access[..60]),
        format!("Bearer {access}0"),
        "Bearer sk-0000".to_owned(),
        // A key, unless the operator lets keys in.
        format!("Bearer {key}"),
        "Bearer ".to_owned(),
    ] {
        let http = program.http.with_authorization(Some(&credential));
        assert_eq!(rpc(&http, "tools/list", &json!({})).status, 401, "{credential}");
    }
    // It opens nothing else.
    let http = program.http.with_authorization(Some(&format!("Bearer {access}")));
    assert_eq!(http.get("/documents").status, 401);
    assert!(is_authorized(&program.http, &access));
    let (renewed, refresh) = tokens_of(&program.refresh(&refresh).body);
    assert!(is_authorized(&program.http, &renewed));

    // A grant for the server under another name is none for this one; the program is told to sign in anew.
    drop(server);
    let server = RunningServer::start(data, "off-behind-proxy");
    let moved = Program { http: Client::without_redirects(&server.base_url), id: program.id };
    assert!(
        !is_authorized(&moved.http, &renewed),
        "the port has changed, and with it the resource"
    );
    assert_eq!(moved.refresh(&refresh).body["error"], "invalid_grant");
    Ok(())
}

fn a_program_that_asks_for_a_refresh_token_alone_gets_the_scope_read() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let program = Program::register(&server, &[CALLBACK]);
    let code = program.code(&person, &[("scope", Some("offline_access"))]);
    let granted = program.redeem(&code, &[]).body;
    assert_eq!(granted["scope"], "read offline_access");
    assert!(is_authorized(&program.http, &tokens_of(&granted).0));
    Ok(())
}

fn nothing_is_sent_where_the_program_is_not() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    let program = Program::register(&server, &[CALLBACK, "https://client.example/cb"]);
    for uri in [
        "https://evil.example/cb",
        "https://client.example.evil.example/cb",
        "https://client.example/cb/../evil",
        "https://client.example/cb?next=https://evil.example",
        "https://client.example@evil.example/cb",
        "https://client.example:444/cb",
        "http://client.example/cb",
        "//evil.example",
        "/dashboard",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://127.0.0.1:33418/other",
        "http://localhost:33418/callback",
        "http://127.0.0.1:33418/callback#x",
        "",
    ] {
        for answer in [
            person.get(&format!(
                "/oauth/authorize?{}",
                program.authorize_query(&[("redirect_uri", Some(uri))])
            )),
            program.http.get(&format!(
                "/oauth/authorize?{}",
                program.authorize_query(&[("redirect_uri", Some(uri))])
            )),
        ] {
            assert_eq!(answer.status, 400, "{uri}");
            assert!(answer.header("location").is_none(), "{uri}");
            assert!(!page(&answer).contains("evil.example"), "no link leads there");
        }
    }
    // A changed port on loopback is what programs do.
    let moved =
        program.authorize_query(&[("redirect_uri", Some("http://127.0.0.1:50001/callback"))]);
    let sent = consent(&person, &moved, "allow");
    let location = sent.header("location").expect("a redirect");
    assert!(location.starts_with("http://127.0.0.1:50001/callback?code="), "{location}");
    // Nor does one lead to this server itself, as if its person had asked for a page of it.
    let own = format!("{}/search?q=x", server.base_url);
    let itself = Program::register(&server, &[&own, CALLBACK]);
    let refused = person.get(&format!(
        "/oauth/authorize?{}",
        itself.authorize_query(&[("redirect_uri", Some(own.as_str()))])
    ));
    assert_eq!((refused.status, refused.header("location")), (400, None));
    for (changes, message) in [
        (&[("client_id", Some("nobody"))][..], "does not know the program"),
        (&[("client_id", None)], "incomplete"),
    ] {
        let refused = person.get(&format!("/oauth/authorize?{}", program.authorize_query(changes)));
        assert_eq!(refused.status, 400);
        assert!(page(&refused).contains(message), "{}", page(&refused));
    }
    // After sign-in the way leads back to the page, and nowhere else.
    let stranger = program.http.get(&format!("/oauth/authorize?{}", program.authorize_query(&[])));
    let location = stranger.header("location").expect("to sign in").to_owned();
    assert!(location.starts_with("/sign-in?next=%2Foauth%2Fauthorize%3F"), "{location}");
    Ok(())
}

fn faults_of_a_request_go_back_to_the_program() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let program = Program::register(&server, &[CALLBACK]);
    for (changes, error) in [
        (&[("code_challenge", None), ("code_challenge_method", None)][..], "invalid_request"),
        (&[("code_challenge_method", Some("plain"))], "invalid_request"),
        (&[("code_challenge", Some("short"))], "invalid_request"),
        (&[("response_type", Some("token"))], "unsupported_response_type"),
        (&[("scope", Some("read admin"))], "invalid_scope"),
        (&[("resource", Some("https://evil.example/mcp"))], "invalid_target"),
    ] {
        let sent =
            program.http.get(&format!("/oauth/authorize?{}", program.authorize_query(changes)));
        let sent = redirect_fields(&sent);
        assert_eq!(field(&sent, "error").as_deref(), Some(error), "{changes:?}");
        assert_eq!(field(&sent, "state").as_deref(), Some("a state"));
        assert_eq!(field(&sent, "iss").as_deref(), Some(server.base_url.as_str()));
        assert!(field(&sent, "code").is_none());
    }
    Ok(())
}

fn nobody_is_led_to_a_site_that_anyone_registered() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::new(&server, data, "ann");
    for uri in ["https://client.example/cb", "cursor://client/cb"] {
        let program = Program::register(&server, &[uri]);
        let faulty =
            program.authorize_query(&[("redirect_uri", Some(uri)), ("scope", Some("admin"))]);
        for answer in [
            person.get(&format!("/oauth/authorize?{faulty}")),
            program.http.get(&format!("/oauth/authorize?{faulty}")),
        ] {
            assert_eq!((answer.status, answer.header("location")), (400, None), "{uri}");
            let link = format!("href=\"{uri}?error=invalid_scope");
            assert!(page(&answer).contains(&link), "{}", page(&answer));
        }
        // Whoever lets it in is sent there.
        let sent =
            consent(&person, &program.authorize_query(&[("redirect_uri", Some(uri))]), "allow");
        assert!(sent.header("location").is_some_and(|to| to.starts_with(uri)));
        assert_eq!(sent.header("cache-control"), Some("no-store"));
    }
    Ok(())
}

fn another_site_cannot_authorize_a_client() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let (ann, bob) = (link(data, "ann"), link(data, "bob"));
    let (ann, bob) = (Person::of(&server, &ann), Person::of(&server, &bob));
    let program = Program::register(&server, &[CALLBACK]);
    let request = program.authorize_query(&[]);
    let seal_of = |person: &Person| {
        let shown = page(&person.get(&format!("/oauth/authorize?{request}")));
        shown.split_once("name=\"seal\" value=\"").expect("one").1[..64].to_owned()
    };
    let (seal, bobs_seal) = (seal_of(&ann), seal_of(&bob));
    let (anns, bobs) = (ann.token(), bob.token());
    let cookie = ("cookie", ann.cookie.as_str());
    let (foreign, other) =
        (("sec-fetch-site", "cross-site"), program.authorize_query(&[("state", Some("x"))]));
    for (headers, token, request, seal) in [
        // A form of another site, with everything right but where it comes from.
        (&[FORM, foreign, cookie][..], anns.as_str(), &request, &seal),
        (&[FORM, cookie], &anns, &request, &seal),
        // Without the token of the session, or with that of somebody else.
        (&[FORM, HERE, cookie], &bobs, &request, &seal),
        (&[FORM, HERE, cookie], "", &request, &seal),
        // A request that was shown to somebody else, or to nobody.
        (&[FORM, HERE, cookie], &anns, &request, &bobs_seal),
        (&[FORM, HERE, cookie], &anns, &other, &seal),
    ] {
        let fields = [
            ("form_token", token),
            ("request", request.as_str()),
            ("seal", seal.as_str()),
            ("answer", "allow"),
        ];
        let body = encoded(&fields);
        let refused = ann.client.send_with("POST", "/oauth/authorize", headers, body.as_bytes());
        assert_eq!(refused.status, 403, "{headers:?}");
        assert!(refused.header("location").is_none());
    }
    // A GET allows nothing, whatever it carries.
    let shown = ann.get(&format!("/oauth/authorize?{request}&answer=allow"));
    assert_eq!(shown.status, 200);
    Ok(())
}
