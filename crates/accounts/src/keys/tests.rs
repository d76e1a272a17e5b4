//! Tests of API keys.

use super::*;
use crate::{
    Access, AccessSettings, AccountRole, AccountsLocation, KeyScope, ReservationOutcome,
    accounts::FIRST_ACCOUNT,
    tests::{access, access_at},
};

#[test]
fn a_key_authenticates_until_it_is_deactivated() {
    let (_dir, access) = access();
    let made = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
    assert!(made.key.starts_with("sk-") && made.key.len() == 67);
    let caller = access
        .keys()
        .authenticate_key(&made.key)
        .expect("readable")
        .into_caller()
        .expect("accepted");
    let by_it = Via::Key(made.record.stored.id);
    assert!(matches!(caller, Caller::Account { via, .. } if via == by_it));
    access.keys().deactivate_key(None, made.record.stored.id).expect("known");
    assert!(access.keys().authenticate_key(&made.key).expect("readable") == KeyOutcome::Rejected);
}

#[test]
fn a_deactivated_key_still_says_when_it_was_last_used() {
    let (_dir, access) = access();
    let made = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
    assert_eq!(made.record.last_used_at, None);
    let caller = access
        .keys()
        .authenticate_key(&made.key)
        .expect("readable")
        .into_caller()
        .expect("accepted");
    match access.charges().reserve_request(&caller).expect("readable") {
        ReservationOutcome::Reserved(reservation) => {
            reservation.charge_request("search_text").expect("stored");
        }
        ReservationOutcome::Unmetered | ReservationOutcome::Exhausted(_) => {
            panic!("an account is charged")
        }
    }
    let last_used_at = Some("2026-05-01T12:00:00Z".to_owned());
    let deactivated = access.keys().deactivate_key(None, made.record.stored.id).expect("known");
    assert_eq!((deactivated.stored.active, &deactivated.last_used_at), (false, &last_used_at));
    let deleted = access.keys().delete_key(None, made.record.stored.id).expect("known");
    assert_eq!(deleted.last_used_at, last_used_at);
}

#[test]
fn keys_of_a_disabled_account_are_refused_and_come_back_with_it() {
    let (_dir, access) = access();
    let ann = access.accounts().add_account("ann", AccountRole::Member, None).expect("made");
    let made = access.keys().create_key(ann.id, "lab").expect("made");
    access.accounts().set_active(ann.id, false).expect("disabled");
    assert!(access.keys().authenticate_key(&made.key).expect("readable") == KeyOutcome::Rejected);
    access.accounts().set_active(ann.id, true).expect("enabled");
    assert!(access.keys().authenticate_key(&made.key).expect("readable").into_caller().is_some());
}

#[test]
fn a_key_of_another_account_can_not_be_deactivated_or_deleted() {
    let (_dir, access) = access();
    let ann = access.accounts().add_account("ann", AccountRole::Member, None).expect("made");
    let id = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made").record.stored.id;
    let refused = access.keys().deactivate_key(Some(ann.id), id);
    assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
    let refused = access.keys().delete_key(Some(ann.id), id);
    assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
    assert!(access.keys().list_keys(Some(ann.id)).expect("readable").is_empty());
    access.keys().delete_key(Some(FIRST_ACCOUNT), id).expect("its own");
    let next = access.keys().create_key(FIRST_ACCOUNT, "next").expect("made").record.stored.id;
    assert_eq!(next, id + 1, "an id is not given again");
    access.keys().delete_key(None, next).expect("known");
    assert!(access.keys().list_keys(None).expect("readable").is_empty());
}

#[test]
fn key_count_and_name_length_are_limited() {
    let (_dir, access) = access();
    for name in ["", "  ", &"n".repeat(MAX_KEY_NAME_CHARS + 1)] {
        let refused = access.keys().create_key(FIRST_ACCOUNT, name);
        assert!(matches!(refused, Err(AccessError::InvalidKeyName)), "{refused:?}");
    }
    for _ in 0..MAX_KEYS {
        access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
    }
    let refused = access.keys().create_key(FIRST_ACCOUNT, "lab");
    assert!(matches!(refused, Err(AccessError::TooManyKeys { .. })), "{refused:?}");
}

#[test]
fn foreign_keys_are_refused_and_none_is_stored_in_clear() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let path = dir.path().join("accounts.redb");
    let access = Access::open(&AccountsLocation::File(path.clone()), AccessSettings::default())
        .expect("opened");
    let made = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
    for key in ["", "sk-", "Bearer", &made.key[..66], &made.key.to_uppercase()] {
        assert!(
            access.keys().authenticate_key(key).expect("readable") == KeyOutcome::Rejected,
            "{key}"
        );
    }
    drop(access);
    let bytes = std::fs::read(&path).expect("readable");
    let secret = &made.key.as_bytes()[3..];
    assert!(!bytes.windows(secret.len()).any(|window| window == secret));
}

#[test]
fn a_key_is_refused_from_the_moment_it_expires_and_lists_say_so() {
    let (_dir, access, clock) = access_at("2026-05-01T12:00:00Z");
    let limits = KeyLimits {
        project: Some("  Rel-20 study ".to_owned()),
        expires_at: Some("2026-05-02".to_owned()),
        ..KeyLimits::default()
    };
    let made = access.keys().create_limited_key(FIRST_ACCOUNT, "lab", &limits).expect("made");
    let outcome = || access.keys().authenticate_key(&made.key).expect("readable");
    let listed = || access.keys().list_keys(None).expect("readable").remove(0);
    assert_eq!(made.record.limits.project.as_deref(), Some("Rel-20 study"));
    clock.set("2026-05-02T23:59:59Z");
    assert!(matches!(outcome(), KeyOutcome::Accepted(_)));
    assert_eq!((listed().expired, listed().state()), (false, "active"));
    clock.set("2026-05-03T00:00:00Z");
    assert_eq!(outcome(), KeyOutcome::Expired);
    assert_eq!((listed().expired, listed().state()), (true, "expired"));
    access.keys().deactivate_key(None, made.record.stored.id).expect("known");
    assert_eq!(outcome(), KeyOutcome::Rejected);
    assert_eq!(listed().limits, made.record.limits, "a change of its state keeps its limits");
}

#[test]
fn a_caller_carries_the_scope_of_its_key() {
    let (_dir, access) = access();
    let scope = KeyScope {
        operations: vec!["search_text".to_owned()],
        series: vec!["38".to_owned(), "23".to_owned()],
    };
    let limits = KeyLimits { scope, ..KeyLimits::default() };
    let made = access.keys().create_limited_key(FIRST_ACCOUNT, "lab", &limits).expect("made");
    let caller = access.keys().authenticate_key(&made.key).expect("readable").into_caller();
    let caller = caller.expect("accepted");
    let scope = caller.key_scope().expect("restricted");
    assert_eq!(
        (scope.operations.join(","), scope.series.join(",")),
        ("search_text".into(), "23,38".into())
    );
    let free = access.keys().create_key(FIRST_ACCOUNT, "free").expect("made");
    let caller = access.keys().authenticate_key(&free.key).expect("readable").into_caller();
    assert_eq!(caller.expect("accepted").key_scope(), None);
}

#[test]
fn limits_that_mean_nothing_make_no_key() {
    let (_dir, access) = access();
    for limits in [
        KeyLimits { project: Some("x".repeat(101)), ..KeyLimits::default() },
        KeyLimits { project: Some("a\nb".to_owned()), ..KeyLimits::default() },
        KeyLimits { expires_at: Some("2026-04-30".to_owned()), ..KeyLimits::default() },
        KeyLimits {
            scope: KeyScope { operations: vec!["drop".to_owned()], ..KeyScope::default() },
            ..KeyLimits::default()
        },
    ] {
        let refused = access.keys().create_limited_key(FIRST_ACCOUNT, "lab", &limits);
        assert!(refused.is_err(), "{refused:?}");
    }
    assert!(access.keys().list_keys(None).expect("readable").is_empty());
}
