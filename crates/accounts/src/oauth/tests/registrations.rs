//! Registrations of clients: what is stored of them, and which are evicted.

use super::*;

#[test]
fn invalid_redirect_uris_are_ignored_and_names_are_sanitized() {
    let (_dir, access, _) = access_at(START);
    let uris = [
        "https://vscode.dev/redirect",
        "ftp://x",
        "http://127.0.0.1:33418/",
        "http://evil.example/",
    ];
    let done = access
        .clients()
        .register_client("A\u{202e}b\n\u{7}\u{3164}  c", &uris, HERE)
        .expect("stored");
    let RegistrationOutcome::Registered { client, .. } = done else { panic!("{done:?}") };
    assert_eq!((client.name.as_str(), client.redirect_uris.len()), ("Ab c", 2));
    assert_eq!(access.clients().find_client(&client.id).expect("readable"), Some(client));
    let unseen =
        access.clients().register_client("\u{3164}\u{ad} \u{2800}", &[URI], HERE).expect("stored");
    let RegistrationOutcome::Registered { client, .. } = unseen else { panic!("{unseen:?}") };
    assert_eq!(client.name, "A program without a name");
    let none =
        access.clients().register_client("x", &["javascript:alert(1)"], HERE).expect("stored");
    assert!(matches!(none, RegistrationOutcome::NoRedirectUri));
    assert_eq!(access.clients().find_client("unknown").expect("readable"), None);
}

#[test]
fn clients_with_a_grant_are_kept_and_others_expire() {
    let (_dir, access, clock) = access_at(START);
    let (used, unused) = (registered(&access), registered(&access));
    tokens(&access, &used);
    at(&clock, 25 * 3600);
    registered(&access);
    assert_eq!(access.clients().find_client(&unused.id).expect("readable"), None);
    at(&clock, 3 * 365 * 24 * 3600);
    registered(&access);
    assert_eq!(access.clients().find_client(&used.id).expect("readable"), Some(used));
}

#[test]
fn a_flood_of_registrations_from_one_network_is_slowed() {
    let (_dir, access, _) = access_at(START);
    let one =
        (0..150).map(|_| access.clients().register_client("x", &[URI], HERE).expect("stored"));
    let refused =
        one.filter(|r| matches!(r, RegistrationOutcome::TooMany { retry_after_s: 1.. })).count();
    assert!((45..=50).contains(&refused), "{refused}");
}

#[test]
fn too_many_clients_evict_the_oldest_without_a_grant() {
    let (_dir, access, clock) = access_at(START);
    let used = registered(&access);
    tokens(&access, &used);
    let old = registered(&access);
    at(&clock, 599);
    let fresh = registered(&access);
    let room = |now: i64, max_unused| {
        let start = START.parse::<jiff::Timestamp>().expect("a time").as_second();
        access
            .database
            .write_transaction(|txn| clients::evict_unused_clients(txn, start + now, max_unused))
            .expect("stored")
    };
    let is_there = |client: &OAuthClient| {
        access.clients().find_client(&client.id).expect("readable").is_some()
    };
    assert!(room(599, 3) && is_there(&old), "there is room");
    assert!(!room(599, 2), "all have come a moment ago");
    assert!(room(600, 2) && !is_there(&old) && is_there(&fresh));
    assert!(room(24 * 3600 + 599, 2) && !is_there(&fresh), "a day is over");
    assert!(is_there(&used));
}
