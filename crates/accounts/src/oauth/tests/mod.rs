//! Codes, rotation, families and their ends, over time; those of clients in `registrations`.

mod clock_jumps;
mod registrations;

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use super::*;
use crate::{
    Access, AccessSettings, AccountRole, AccountsLocation, Caller, Clock, ReservationOutcome, Via,
    accounts::FIRST_ACCOUNT,
    tests::{SetClock, access_at, location_in},
};

const START: &str = "2026-05-01T12:00:00Z";
const RESOURCE: &str = "https://specbox.example/mcp";
const URI: &str = "http://127.0.0.1:1/cb";
/// A verifier and its S256 challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The answer to a refresh token that is unknown, ended, or another client's: a stranger learns no more.
const INVALID: TokenRefusal = TokenRefusal::InvalidGrant("The refresh token is invalid.");
/// The answer to a refresh token that two parties have.
const REUSED: TokenRefusal = TokenRefusal::InvalidGrant(
    "The refresh token was already used; the client must be authorized again.",
);

fn registered(access: &Access) -> OAuthClient {
    match access.clients().register_client("A program", &[URI]).expect("stored") {
        RegistrationOutcome::Registered { client, .. } => client,
        other => panic!("{other:?}"),
    }
}

fn asked(client: &OAuthClient) -> ClientAuthorization {
    ClientAuthorization {
        client: client.id.clone(),
        client_name: client.name.clone(),
        redirect_uri: URI.to_owned(),
        challenge: CHALLENGE.to_owned(),
        scope: OAuthScope::DEFAULT,
        resource: RESOURCE.to_owned(),
    }
}

fn code_of(access: &Access, client: &OAuthClient) -> String {
    access.codes().issue_code(FIRST_ACCOUNT, asked(client)).expect("stored")
}

fn use_of<'a>(code: &'a str, client: &'a OAuthClient) -> CodeExchange<'a> {
    CodeExchange {
        code,
        client: &client.id,
        redirect_uri: Some(URI),
        verifier: VERIFIER,
        resource: RESOURCE,
    }
}

fn tokens(access: &Access, client: &OAuthClient) -> IssuedTokens {
    let code = code_of(access, client);
    access.codes().exchange_code(&use_of(&code, client)).expect("stored").expect("good")
}

fn is_good(access: &Access, tokens: &IssuedTokens) -> bool {
    let checked =
        access.grants().authenticate_token(&tokens.access_token, RESOURCE).expect("readable");
    matches!(checked, Some(Caller::Account { account: FIRST_ACCOUNT, via: Via::Client(_), .. }))
}

fn refreshed(
    access: &Access,
    client: &OAuthClient,
    token: &str,
) -> Result<IssuedTokens, TokenRefusal> {
    access.grants().refresh_tokens(token, &client.id, None, RESOURCE).expect("stored")
}

fn refusal_of_code(access: &Access, sent: &CodeExchange<'_>) -> &'static str {
    match access.codes().exchange_code(sent).expect("stored") {
        Err(TokenRefusal::InvalidGrant(reason)) => reason,
        other => panic!("{other:?}"),
    }
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
    let first =
        access.codes().exchange_code(&use_of(&code, &client)).expect("stored").expect("good");
    assert!(is_good(&access, &first));
    assert_eq!(refusal_of_code(&access, &use_of(&code, &client)), "The code was already used.");
    assert!(!is_good(&access, &first));
    assert_eq!(refreshed(&access, &client, &first.refresh_token), Err(INVALID));
}

#[test]
fn a_code_is_for_its_client_its_address_its_verifier_and_a_minute() {
    let (_dir, access, clock) = access_at(START);
    let (client, other) = (registered(&access), registered(&access));
    let long = "a".repeat(43);
    let another_address = Some("http://127.0.0.1:2/cb");
    for (wrong, reason) in [
        (CodeExchange { client: &other.id, ..use_of("", &client) }, "another client"),
        (CodeExchange { redirect_uri: another_address, ..use_of("", &client) }, "redirect_uri"),
        (CodeExchange { verifier: &long, ..use_of("", &client) }, "code_verifier"),
        (CodeExchange { verifier: "", ..use_of("", &client) }, "code_verifier"),
        (
            CodeExchange { resource: "https://other.example/mcp", ..use_of("", &client) },
            "a different address of this server",
        ),
        // The challenge itself, as the method "plain" would have it.
        (CodeExchange { verifier: CHALLENGE, ..use_of("", &client) }, "code_verifier"),
    ] {
        let code = code_of(&access, &client);
        let refused = refusal_of_code(&access, &CodeExchange { code: &code, ..wrong });
        assert!(refused.contains(reason), "{wrong:?}: {refused}");
        let spoilt = refusal_of_code(&access, &use_of(&code, &client));
        assert_eq!(spoilt, "The code is invalid.", "who guesses gets no second try");
    }
    let code = code_of(&access, &client);
    at(&clock, 59);
    let bare = CodeExchange { redirect_uri: None, ..use_of(&code, &client) };
    assert!(
        access.codes().exchange_code(&bare).expect("stored").is_ok(),
        "the verifier says enough"
    );
    let code = code_of(&access, &client);
    at(&clock, 59 + 60);
    assert_eq!(refusal_of_code(&access, &use_of(&code, &client)), "The code has expired.");
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
    // The answer did arrive: its successor was used. If the first one is sent now, it was stolen.
    assert_eq!(refreshed(&access, &client, &first.refresh_token), Err(REUSED));
    assert!(!is_good(&access, &third));
    assert_eq!(refreshed(&access, &client, &third.refresh_token), Err(INVALID));
}

#[test]
fn a_wrong_secret_behind_the_right_handle_ends_nothing_and_any_spent_one_does() {
    let (_dir, access, clock) = access_at(START);
    let client = registered(&access);
    let first = tokens(&access, &client);
    let mut last = refreshed(&access, &client, &first.refresh_token).expect("good");
    // The handle comes first, and is not a secret.
    let (front, secret) = last.refresh_token.split_at(last.refresh_token.len() - 8);
    let guess = format!("{front}{}", secret.chars().rev().collect::<String>());
    assert_ne!(guess, last.refresh_token);
    assert_eq!(refreshed(&access, &client, &guess), Err(INVALID));
    assert!(is_good(&access, &last), "a guess ends nothing");
    for hours in 1..4 {
        at(&clock, hours * 3600);
        last = refreshed(&access, &client, &last.refresh_token).expect("good");
    }
    assert_eq!(refreshed(&access, &client, &first.refresh_token), Err(REUSED));
    assert!(!is_good(&access, &last), "the first of five ends the grant too");
}

#[test]
fn a_spent_token_after_the_grace_period_revokes_the_grant() {
    let (_dir, access, clock) = access_at(START);
    let client = registered(&access);
    let first = tokens(&access, &client);
    let second = refreshed(&access, &client, &first.refresh_token).expect("good");
    at(&clock, 11);
    assert_eq!(refreshed(&access, &client, &first.refresh_token), Err(REUSED));
    assert!(!is_good(&access, &second));
    assert_eq!(refreshed(&access, &client, &second.refresh_token), Err(INVALID));
}

#[test]
fn tokens_are_for_their_client_resource_scope_and_time() {
    let (_dir, access, clock) = access_at(START);
    let (client, other) = (registered(&access), registered(&access));
    let good = tokens(&access, &client);
    let token = &good.refresh_token;
    assert_eq!(refreshed(&access, &other, token), Err(INVALID));
    let asked = |scope, resource| {
        access.grants().refresh_tokens(token, &client.id, scope, resource).expect("stored")
    };
    let offline = OAuthScope::parse(OFFLINE);
    assert_eq!(asked(offline, RESOURCE), Err(TokenRefusal::InvalidScope));
    assert_eq!(asked(None, "https://other.example/mcp"), Err(INVALID));
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
        let checked = access.grants().authenticate_token(sent, resource).expect("readable");
        assert_eq!(checked, None, "{sent}");
    }
    at(&clock, 3600);
    assert!(is_good(&access, &good));
    at(&clock, 3601);
    assert!(!is_good(&access, &good));
    assert!(is_good(&access, &refreshed(&access, &client, token).expect("good for a month")));
    at(&clock, 3601 + 30 * 24 * 3600);
    assert!(
        access.grants().list_grants(FIRST_ACCOUNT).expect("readable").is_empty(),
        "nobody used it for a month"
    );
}

#[test]
fn a_grant_ends_when_revoked_disconnected_or_its_account_is_disabled() {
    let (_dir, access, _) = access_at(START);
    let (client, other) = (registered(&access), registered(&access));
    let ended = |tokens: &IssuedTokens| {
        !is_good(&access, tokens)
            && refreshed(&access, &client, &tokens.refresh_token) == Err(INVALID)
    };
    for which in 0..3 {
        let good = tokens(&access, &client);
        let sent = [&good.refresh_token, &good.access_token, &good.access_token][which];
        access.grants().revoke_token(sent, Some(&other.id)).expect("stored");
        let forged = format!("{}{}", &sent[..40], "0".repeat(sent.len() - 40));
        access.grants().revoke_token(&forged, Some(&client.id)).expect("stored");
        assert!(is_good(&access, &good), "another client and a guess end nothing");
        access
            .grants()
            .revoke_token(sent, (which < 2).then_some(client.id.as_str()))
            .expect("stored");
        assert!(ended(&good), "{which}");
    }
    let good = tokens(&access, &client);
    let grants = access.grants().list_grants(FIRST_ACCOUNT).expect("readable");
    assert_eq!(grants.len(), 1);
    assert_eq!(grants[0].destination, Some(Destination::ThisMachine("127.0.0.1:1".to_owned())));
    assert!(
        access.grants().revoke_grant(FIRST_ACCOUNT + 1, grants[0].id).is_err(),
        "it is another's"
    );
    assert!(is_good(&access, &good));
    access.grants().revoke_grant(FIRST_ACCOUNT, grants[0].id).expect("stored");
    assert!(ended(&good));
    let good = tokens(&access, &client);
    let link = access.passwords().create_setup_link(FIRST_ACCOUNT).expect("made");
    access.passwords().set_password_by_link(&link.token, "a long password").expect("set");
    assert!(ended(&good), "whoever had the old password has no program left");
    let good = tokens(&access, &client);
    access.accounts().add_account("second", AccountRole::Operator, None).expect("made");
    access.accounts().set_active(FIRST_ACCOUNT, false).expect("disabled");
    assert!(ended(&good));
    let code = code_of(&access, &client);
    assert_eq!(refusal_of_code(&access, &use_of(&code, &client)), "The account is disabled.");
}

#[test]
fn the_least_recently_refreshed_grant_and_old_access_tokens_are_evicted() {
    let (_dir, access, clock) = access_at(START);
    let client = registered(&access);
    let first = tokens(&access, &client);
    at(&clock, 1);
    let second = tokens(&access, &client);
    at(&clock, 2);
    let mut last = refreshed(&access, &client, &first.refresh_token).expect("good");
    for _ in 0..199 {
        tokens(&access, &client);
    }
    assert_eq!(access.grants().list_grants(FIRST_ACCOUNT).expect("readable").len(), 200);
    assert!(is_good(&access, &last) && !is_good(&access, &second));
    for second in 3..7 {
        at(&clock, second);
        last = refreshed(&access, &client, &last.refresh_token).expect("good");
    }
    assert!(is_good(&access, &last) && !is_good(&access, &first), "four are good at once");
}

#[test]
fn the_last_use_of_a_client_is_stored_with_its_charges() {
    let (_dir, access, clock) = access_at(START);
    let client = registered(&access);
    let tokens = tokens(&access, &client);
    let used =
        || access.grants().list_grants(FIRST_ACCOUNT).expect("readable")[0].last_used_at.clone();
    assert_eq!(used(), START);
    at(&clock, 60);
    let caller =
        access.grants().authenticate_token(&tokens.access_token, RESOURCE).expect("readable");
    match access.charges().reserve_request(&caller.expect("good")).expect("readable") {
        ReservationOutcome::Reserved(held) => held.charge_request("search_text").expect("stored"),
        ReservationOutcome::Unmetered | ReservationOutcome::Exhausted(_) => {
            panic!("an account is charged")
        }
    }
    assert_eq!(used(), "2026-05-01T12:01:00Z");
}

#[test]
fn a_grant_ends_after_half_a_year_however_much_it_is_used() {
    let (_dir, access, clock) = access_at(START);
    let client = registered(&access);
    let mut last = tokens(&access, &client);
    for day in (20..180).step_by(20) {
        at(&clock, day * 24 * 3600);
        last = refreshed(&access, &client, &last.refresh_token).expect("good");
    }
    at(&clock, 180 * 24 * 3600);
    assert_eq!(refreshed(&access, &client, &last.refresh_token), Err(INVALID));
}

#[test]
fn a_lost_answer_is_repeated_even_after_its_token_expired() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let oauth = OAuthSettings { access_token_s: 1, ..OAuthSettings::default() };
    let now = Arc::new(AtomicI64::new(1_777_636_800));
    let shown = now.clone();
    let time = move || jiff::Timestamp::from_second(shown.load(Ordering::Relaxed)).expect("a time");
    let settings = AccessSettings { oauth, clock: Clock::new(time), ..AccessSettings::default() };
    let access = Access::open(&location_in(dir.path()), settings).expect("opened");
    let client = registered(&access);
    let first = tokens(&access, &client);
    let second = refreshed(&access, &client, &first.refresh_token).expect("good");
    now.fetch_add(5, Ordering::Relaxed);
    let again = refreshed(&access, &client, &first.refresh_token).expect("its answer was lost");
    assert_eq!((again.refresh_token, again.expires_in), (second.refresh_token, 0));
}

#[test]
fn revoking_one_grant_does_not_revoke_another() {
    let (_dir, access, _) = access_at(START);
    let (one, two) = (registered(&access), registered(&access));
    let (first, other) = (tokens(&access, &one), tokens(&access, &two));
    access.grants().revoke_token(&first.refresh_token, None).expect("stored");
    assert!(!is_good(&access, &first) && is_good(&access, &other));
}

#[test]
fn nothing_is_stored_in_clear() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = AccountsLocation::File(dir.path().join("accounts.redb"));
    let access = Access::open(&file, AccessSettings::default()).expect("opened");
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
