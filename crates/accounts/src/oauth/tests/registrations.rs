//! Registrations of clients: what their ids contain.

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
    let done =
        access.clients().register_client("A\u{202e}b\n\u{7}\u{3164}  c", &uris).expect("stored");
    let RegistrationOutcome::Registered { client, .. } = done else { panic!("{done:?}") };
    assert_eq!((client.name.as_str(), client.redirect_uris.len()), ("Ab c", 2));
    assert_eq!(access.clients().find_client(&client.id).expect("readable"), Some(client));
    let unseen =
        access.clients().register_client("\u{3164}\u{ad} \u{2800}", &[URI]).expect("stored");
    let RegistrationOutcome::Registered { client, .. } = unseen else { panic!("{unseen:?}") };
    assert_eq!(client.name, "A program without a name");
    let none = access.clients().register_client("x", &["javascript:alert(1)"]).expect("stored");
    assert!(matches!(none, RegistrationOutcome::NoRedirectUri));
    assert_eq!(access.clients().find_client("unknown").expect("readable"), None);
}

#[test]
fn an_id_is_good_for_ever_here_and_nowhere_else() {
    let (_dir, access, clock) = access_at(START);
    let (one, other) = (registered(&access), registered(&access));
    assert_ne!(one.id, other.id);
    at(&clock, 3 * 365 * 24 * 3600);
    assert_eq!(access.clients().find_client(&one.id).expect("readable"), Some(one.clone()));
    let (_dir, elsewhere, _) = access_at(START);
    assert_eq!(elsewhere.clients().find_client(&one.id).expect("readable"), None);
}

#[test]
fn an_id_that_was_changed_anywhere_is_unknown() {
    let (_dir, access, _) = access_at(START);
    let id = registered(&access).id;
    for at in 0..id.len() {
        let mut changed = id.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).expect("ASCII");
        let found = access.clients().find_client(&changed).expect("readable");
        assert!(found.is_none(), "{changed}");
        let cut = access.clients().find_client(&id[..at]).expect("readable");
        assert!(cut.is_none(), "{at} characters");
    }
}
