//! Charges at the same time, over restarts, at the ends of months, and on a full disk.

use std::{
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use super::*;
use crate::{
    AccountsLocation,
    tests::{location_in, server_url},
};

fn payer(account: u32, limit: Option<u64>) -> MeteredCaller {
    MeteredCaller { account, via: Via::Key(7), limit }
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

const NOW: &str = "2026-12-31T23:59:30Z";

/// Charges once; `None` if the allowance is used up.
fn charge(
    ledger: &Ledger,
    database: &AccountsDatabase,
    payer: MeteredCaller,
    time: &str,
) -> Option<Allowance> {
    let held = ledger.reserve_request(database, payer, at(time)).expect("readable").ok()?;
    let allowance = held.allowance();
    held.charge_request("search_text").expect("stored");
    Some(allowance)
}

fn open(dir: &Path) -> AccountsDatabase {
    AccountsDatabase::open(&location_in(dir)).expect("opened")
}

/// What programs that share accounts, or one after another, have charged.
fn charged(database: &AccountsDatabase, account: u32) -> u64 {
    charged_requests(database, account, Month::from_timestamp(at(NOW))).expect("readable")
}

#[test]
fn concurrent_requests_never_exceed_the_limit_and_restarts_change_nothing() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let (limit, answered) = (150, AtomicU64::new(0));
    for _restart in 0..5 {
        let (database, ledger) = (open(dir.path()), Ledger::default());
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..250 {
                        let charged = charge(&ledger, &database, payer(3, Some(limit)), NOW);
                        answered.fetch_add(u64::from(charged.is_some()), Ordering::Relaxed);
                    }
                });
            }
        });
        assert!(ledger.lock_state().months.values().all(|counted| counted.reserved == 0));
    }
    assert_eq!(answered.into_inner(), limit, "of 10,000");
    assert_eq!(charged(&open(dir.path()), 3), limit);
}

#[test]
fn a_new_month_begins_from_nothing_also_across_the_year() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let (database, ledger) = (open(dir.path()), Ledger::default());
    let one = payer(1, Some(1));
    let allowance = charge(&ledger, &database, one, NOW).expect("allowed");
    assert_eq!((allowance.used, allowance.remaining_requests()), (1, Some(0)));
    assert_eq!(allowance.reset_at, at("2027-01-01T00:00:00Z"));
    let refused =
        ledger.reserve_request(&database, one, at("2026-12-31T23:59:59.999Z")).expect("readable");
    assert_eq!(refused.err().map(|refused| refused.used), Some(1));
    let next = charge(&ledger, &database, one, "2027-01-01T00:00:00Z").expect("a new month");
    assert_eq!(next.reset_at, at("2027-02-01T00:00:00Z"));
    assert!(charge(&ledger, &database, one, "2027-01-31T23:59:59Z").is_none());
}

#[test]
fn a_request_that_is_not_charged_releases_its_reservation() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let (database, ledger) = (open(dir.path()), Ledger::default());
    let one = payer(1, Some(1));
    let Ok(held) = ledger.reserve_request(&database, one, at(NOW)).expect("readable") else {
        panic!("free")
    };
    assert!(charge(&ledger, &database, one, NOW).is_none(), "the reservation is held");
    drop(held);
    assert!(charge(&ledger, &database, one, NOW).is_some());
}

#[test]
fn accounts_do_not_share_and_one_without_a_limit_is_counted_too() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let (database, ledger) = (open(dir.path()), Ledger::default());
    assert!(charge(&ledger, &database, payer(1, Some(1)), NOW).is_some());
    for used in 1..=3 {
        let allowance = charge(&ledger, &database, payer(2, None), NOW).expect("no limit");
        assert_eq!((allowance.used, allowance.remaining_requests()), (used, None));
    }
    let txn = database.begin_read().expect("readable");
    let days = txn.open_table(USAGE_DAYS).expect("a table");
    let day = days.get((2, 20_261_231, "search_text")).expect("readable");
    assert_eq!(day.map(|count| count.value()), Some(3));
    let uses = txn.open_table(KEY_USES).expect("a table");
    let last = uses.get(7).expect("readable").map(|seconds| seconds.value());
    assert_eq!(last, Some(at(NOW).as_second()));
}

#[test]
fn a_limit_that_is_lowered_below_what_was_used_refuses() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let (database, ledger) = (open(dir.path()), Ledger::default());
    for _ in 0..3 {
        assert!(charge(&ledger, &database, payer(1, None), NOW).is_some());
    }
    let refused = ledger.reserve_request(&database, payer(1, Some(2)), at(NOW)).expect("readable");
    let refused = refused.err().expect("used up");
    assert_eq!((refused.used, refused.remaining_requests()), (3, Some(0)));
}

#[test]
fn a_charge_that_finds_no_room_on_the_disk_is_an_error_and_its_reservation_is_released() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = AccountsLocation::File(dir.path().join("accounts.redb"));
    let database = AccountsDatabase::open(&file).expect("opened");
    let ledger = Ledger::default();
    let one = payer(1, Some(1));
    let Ok(held) = ledger.reserve_request(&database, one, at(NOW)).expect("readable") else {
        panic!("free")
    };
    database_file::DISK_IS_FULL.set(true);
    let refused = held.charge_request("search_text");
    database_file::DISK_IS_FULL.set(false);
    assert!(matches!(refused, Err(AccessError::ChargeLost)), "{refused:?}");
    assert_eq!(charged(&database, 1), 0, "readers are let in again");
    assert!(charge(&ledger, &database, one, NOW).is_some(), "there is room again");
}

#[test]
#[ignore = "needs a PostgreSQL server: scripts/check-postgres"]
fn programs_that_share_accounts_never_exceed_a_limit_together_and_reach_it() {
    assert!(server_url().is_some(), "SPECBOX_TEST_POSTGRES names the server");
    let dir = tempfile::tempdir().expect("temporary folder");
    let (limit, answered) = (150, AtomicU64::new(0));
    let programs: Vec<_> = (0..3).map(|_| (open(dir.path()), Ledger::default())).collect();
    thread::scope(|scope| {
        for (database, ledger) in &programs {
            for worker in 0..7 {
                let answered = &answered;
                scope.spawn(move || {
                    for turn in 0.. {
                        let payer = payer(3, Some(limit));
                        let reserved = ledger.reserve_request(database, payer, at(NOW));
                        let Ok(held) = reserved.expect("readable") else { break };
                        // Some requests fail, and are not charged.
                        if (worker + turn) % 5 == 0 {
                            drop(held);
                            continue;
                        }
                        held.charge_request("search_text").expect("stored");
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        }
    });
    // A request that ran at the end may have kept the last place, and then failed.
    let (database, ledger) = &programs[0];
    while charge(ledger, database, payer(3, Some(limit)), NOW).is_some() {
        answered.fetch_add(1, Ordering::Relaxed);
    }
    assert_eq!((answered.into_inner(), charged(database, 3)), (limit, limit));
}

#[test]
#[ignore = "needs a PostgreSQL server: scripts/check-postgres"]
fn what_a_killed_program_held_is_free_after_a_while() {
    assert!(server_url().is_some(), "SPECBOX_TEST_POSTGRES names the server");
    let dir = tempfile::tempdir().expect("temporary folder");
    let (database, killed, other) = (open(dir.path()), Ledger::default(), Ledger::default());
    let one = payer(1, Some(2));
    assert!(charge(&killed, &database, one, NOW).is_some());
    let held = killed.reserve_request(&database, one, at("2026-12-31T12:00:00Z"));
    let Ok(held) = held.expect("readable") else { panic!("free") };
    std::mem::forget(held);
    assert!(charge(&other, &database, one, "2026-12-31T12:14:59Z").is_none(), "it may still run");
    assert!(charge(&other, &database, one, "2026-12-31T12:15:01Z").is_some());
    assert!(charge(&other, &database, one, "2026-12-31T12:15:02Z").is_none(), "used up");
}
