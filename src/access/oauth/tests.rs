//! Codes, rotation, families and their ends, over time.

use std::net::IpAddr;

use super::*;
use crate::access::{
    Access, Caller, Role, Via,
    accounts::FIRST,
    tests::{SetClock, access_at},
};

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
const START: &str = "2026-05-01T12:00:00Z";
const RESOURCE: &str = "https://specbox.example/mcp";
const URI: &str = "http://127.0.0.1:1/cb";
/// A verifier and its S256 challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn registered(access: &Access) -> Client {
    match access.register_client("A program", &[URI], HERE).expect("stored") {
        Registration::Done { client, .. } => client,
        other => panic!("{other:?}"),
    }
}

fn asked(client: &Client) -> Asked {
    Asked {
        client: client.id.clone(),
        client_name: client.name.clone(),
        redirect_uri: URI.to_owned(),
        challenge: CHALLENGE.to_owned(),
        scope: Scope::DEFAULT,
        resource: RESOURCE.to_owned(),
    }
}

fn code_of(access: &Access, client: &Client) -> String {
    access.allow_client(FIRST, asked(client)).expect("stored")
}

fn use_of<'a>(code: &'a str, client: &'a Client) -> CodeUse<'a> {
    CodeUse { code, client: &client.id, redirect_uri: URI, verifier: VERIFIER, resource: None }
}

fn tokens(access: &Access, client: &Client) -> Tokens {
    let code = code_of(access, client);
    access.use_code(&use_of(&code, client)).expect("stored").expect("good")
}

fn is_good(access: &Access, tokens: &Tokens) -> bool {
    let checked = access.authenticate_token(&tokens.access_token, RESOURCE).expect("readable");
    matches!(checked, TokenCheck::Good(Caller::Account { account: FIRST, via: Via::Client(_), .. }))
}

fn refreshed(access: &Access, client: &Client, token: &str) -> Result<Tokens, TokenRefusal> {
    access.refresh(token, &client.id, None, None).expect("stored")
}

fn at(clock: &SetClock, seconds: i64) {
    let time: jiff::Timestamp = START.parse().expect("a time");
    clock.set(
        &time.saturating_add(jiff::SignedDuration::from_secs(seconds)).expect("a time").to_string(),
    );
}

#[test]
fn a_code_is_good_once_and_a_second_use_ends_what_came_of_it() {
    let (_dir, access, _) = access_at(START);
    let client = registered(&access);
    let code = code_of(&access, &client);
    let first = access.use_code(&use_of(&code, &client)).expect("stored").expect("good");
    assert!(is_good(&access, &first));
    let again = access.use_code(&use_of(&code, &client)).expect("stored");
    assert!(matches!(again, Err(TokenRefusal::InvalidGrant(_))), "{again:?}");
    assert!(!is_good(&access, &first));
    assert!(refreshed(&access, &client, &first.refresh_token).is_err());
}

#[test]
fn a_code_is_for_its_client_its_address_its_verifier_and_a_minute() {
    let (_dir, access, clock) = access_at(START);
    let (client, other) = (registered(&access), registered(&access));
    let long = "a".repeat(43);
    for wrong in [
        CodeUse { client: &other.id, ..use_of("", &client) },
        CodeUse { redirect_uri: "http://127.0.0.1:2/cb", ..use_of("", &client) },
        CodeUse { verifier: &long, ..use_of("", &client) },
        CodeUse { verifier: "", ..use_of("", &client) },
        // The challenge itself, as the method "plain" would have it.
        CodeUse { verifier: CHALLENGE, ..use_of("", &client) },
    ] {
        let code = code_of(&access, &client);
        let refused = access.use_code(&CodeUse { code: &code, ..wrong }).expect("stored");
        assert!(matches!(refused, Err(TokenRefusal::InvalidGrant(_))), "{wrong:?}");
        let spoilt = access.use_code(&use_of(&code, &client)).expect("stored");
        assert!(spoilt.is_err(), "who guesses gets no second try");
    }
    let code = code_of(&access, &client);
    let wrong = CodeUse { resource: Some("https://other.example/mcp"), ..use_of(&code, &client) };
    assert_eq!(access.use_code(&wrong).expect("stored"), Err(TokenRefusal::InvalidTarget));
    at(&clock, 59);
    assert!(access.use_code(&use_of(&code, &client)).expect("stored").is_ok());
    let code = code_of(&access, &client);
    at(&clock, 59 + 60);
    assert!(access.use_code(&use_of(&code, &client)).expect("stored").is_err());
}

#[test]
fn refresh_tokens_rotate_and_a_spent_one_ends_the_family_but_for_a_lost_answer() {
    let (_dir, access, clock) = access_at(START);
    let client = registered(&access);
    let first = tokens(&access, &client);
    at(&clock, 100);
    let second = refreshed(&access, &client, &first.refresh_token).expect("good");
    assert_ne!(first.refresh_token, second.refresh_token);
    at(&clock, 105);
    let again = refreshed(&access, &client, &first.refresh_token).expect("its answer was lost");
    assert_eq!(
        (&again.access_token, &again.refresh_token),
        (&second.access_token, &second.refresh_token)
    );
    assert_eq!(again.expires_in, second.expires_in - 5);
    let third = refreshed(&access, &client, &second.refresh_token).expect("good");
    assert!(is_good(&access, &third) && is_good(&access, &first), "they live out their time");
    // The answer did arrive: its successor was used. Whoever sends the first one now has stolen it.
    assert!(refreshed(&access, &client, &first.refresh_token).is_err());
    assert!(!is_good(&access, &third));
    assert!(refreshed(&access, &client, &third.refresh_token).is_err());
}

#[test]
fn a_spent_token_outside_the_moment_ends_the_family() {
    let (_dir, access, clock) = access_at(START);
    let client = registered(&access);
    let first = tokens(&access, &client);
    let second = refreshed(&access, &client, &first.refresh_token).expect("good");
    at(&clock, 11);
    assert!(refreshed(&access, &client, &first.refresh_token).is_err());
    assert!(!is_good(&access, &second));
    assert!(refreshed(&access, &client, &second.refresh_token).is_err());
}

#[test]
fn tokens_are_for_their_client_resource_scope_and_time() {
    let (_dir, access, clock) = access_at(START);
    let (client, other) = (registered(&access), registered(&access));
    let good = tokens(&access, &client);
    let token = &good.refresh_token;
    assert!(refreshed(&access, &other, token).is_err());
    let narrow =
        |scope, resource| access.refresh(token, &client.id, scope, resource).expect("stored");
    let offline = Scope::parse(OFFLINE);
    assert_eq!(narrow(offline, None), Err(TokenRefusal::InvalidScope));
    assert_eq!(narrow(None, Some("https://other.example/mcp")), Err(TokenRefusal::InvalidTarget));
    assert!(is_good(&access, &good), "mistakes end nothing");
    for (sent, resource) in [
        (good.access_token.as_str(), "https://other.example/mcp"),
        (good.refresh_token.as_str(), RESOURCE),
        (&good.access_token[..50], RESOURCE),
        ("at-", RESOURCE),
        ("", RESOURCE),
        (
            "at-\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}",
            RESOURCE,
        ),
    ] {
        let checked = access.authenticate_token(sent, resource).expect("readable");
        assert_eq!(checked, TokenCheck::Invalid, "{sent}");
    }
    at(&clock, 3600);
    assert!(is_good(&access, &good));
    at(&clock, 3601);
    assert!(!is_good(&access, &good));
    assert!(refreshed(&access, &client, token).is_ok());
    at(&clock, 3601 + 30 * 24 * 3600);
    assert!(access.grants(FIRST).expect("readable").is_empty(), "nobody used it for a month");
}

#[test]
fn a_grant_that_does_not_cover_reading_opens_nothing() {
    let (_dir, access, _) = access_at(START);
    let client = registered(&access);
    let scope = Scope::parse(OFFLINE).expect("known");
    let code = access.allow_client(FIRST, Asked { scope, ..asked(&client) }).expect("stored");
    let tokens = access.use_code(&use_of(&code, &client)).expect("stored").expect("good");
    let checked = access.authenticate_token(&tokens.access_token, RESOURCE).expect("readable");
    assert_eq!(checked, TokenCheck::TooNarrow);
}

#[test]
fn a_grant_ends_when_revoked_disconnected_or_its_account_is_disabled() {
    let (_dir, access, _) = access_at(START);
    let (client, other) = (registered(&access), registered(&access));
    let ended = |tokens: &Tokens| {
        !is_good(&access, tokens) && refreshed(&access, &client, &tokens.refresh_token).is_err()
    };
    for which in 0..3 {
        let good = tokens(&access, &client);
        let sent = [&good.refresh_token, &good.access_token, &good.access_token][which];
        access.revoke_token(sent, Some(&other.id)).expect("stored");
        let forged = format!("{}{}", &sent[..40], "0".repeat(sent.len() - 40));
        access.revoke_token(&forged, Some(&client.id)).expect("stored");
        assert!(is_good(&access, &good), "another client and a guess end nothing");
        access.revoke_token(sent, (which < 2).then_some(client.id.as_str())).expect("stored");
        assert!(ended(&good), "{which}");
    }
    let good = tokens(&access, &client);
    let grants = access.grants(FIRST).expect("readable");
    assert_eq!(grants.len(), 1);
    assert_eq!(grants[0].destination, Some(Destination::ThisMachine("127.0.0.1".to_owned())));
    assert!(access.revoke_grant(FIRST + 1, grants[0].id).is_err(), "it is another's");
    assert!(is_good(&access, &good));
    access.revoke_grant(FIRST, grants[0].id).expect("stored");
    assert!(ended(&good));
    let good = tokens(&access, &client);
    access.add_account("second", Role::Operator, None).expect("made");
    access.set_active(FIRST, false).expect("disabled");
    assert!(ended(&good));
    let code = code_of(&access, &client);
    assert!(access.use_code(&use_of(&code, &client)).expect("stored").is_err());
}

#[test]
fn one_odd_redirect_uri_does_not_spoil_the_others_and_names_are_made_fit() {
    let (_dir, access, _) = access_at(START);
    let uris = [
        "https://vscode.dev/redirect",
        "ftp://x",
        "http://127.0.0.1:33418/",
        "http://evil.example/",
    ];
    let done = access.register_client("A\u{202e}b\n\u{7}  c", &uris, HERE).expect("stored");
    let Registration::Done { client, .. } = done else { panic!("{done:?}") };
    assert_eq!((client.name.as_str(), client.redirect_uris.len()), ("Ab c", 2));
    assert_eq!(access.client(&client.id).expect("readable"), Some(client));
    let none = access.register_client("x", &["javascript:alert(1)"], HERE).expect("stored");
    assert!(matches!(none, Registration::NoRedirectUri));
    assert_eq!(access.client("unknown").expect("readable"), None);
}

#[test]
fn clients_that_were_let_in_are_kept_and_others_are_forgotten() {
    let (_dir, access, clock) = access_at(START);
    let (used, unused) = (registered(&access), registered(&access));
    tokens(&access, &used);
    at(&clock, 25 * 3600);
    registered(&access);
    assert_eq!(access.client(&unused.id).expect("readable"), None);
    at(&clock, 3 * 365 * 24 * 3600);
    registered(&access);
    assert_eq!(access.client(&used.id).expect("readable"), Some(used));
}

#[test]
fn a_flood_of_registrations_is_slowed_and_pushes_nobody_out() {
    let (_dir, access, clock) = access_at(START);
    let used = registered(&access);
    tokens(&access, &used);
    let address =
        |n: u32| IpAddr::from([10, (n / 65536) as u8, (n / 256 % 256) as u8, (n % 256) as u8]);
    let one: Vec<Registration> = (0..150)
        .map(|_| access.register_client("x", &[URI], address(0)).expect("stored"))
        .collect();
    let refused = one.iter().filter(|r| matches!(r, Registration::TooMany { retry_after_s: 1.. }));
    assert!(refused.count() >= 45);
    let fresh = registered(&access);
    at(&clock, 24 * 3600);
    registered(&access);
    assert_eq!(access.client(&fresh.id).expect("readable"), None, "a day is over");
    assert!(access.client(&used.id).expect("readable").is_some());
}

#[test]
fn nothing_is_stored_in_clear() {
    let (dir, access, _) = access_at(START);
    let client = registered(&access);
    let first = tokens(&access, &client);
    let second = refreshed(&access, &client, &first.refresh_token).expect("good");
    let code = code_of(&access, &client);
    drop(access);
    let bytes = std::fs::read(dir.path().join("accounts.redb")).expect("readable");
    // Behind the handle, which finds a grant and opens nothing.
    let secrets = [&first, &second].map(|t| [&t.access_token[35..], &t.refresh_token[35..]]);
    for secret in secrets.as_flattened().iter().chain([&code.as_str()]) {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
}
