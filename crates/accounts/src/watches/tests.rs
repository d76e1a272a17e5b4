//! Watches, events and feeds.

use super::*;
use crate::tests::access;

fn event(watch: &Watch, keys: &[&str]) -> NewWatchEvent {
    NewWatchEvent {
        watch: watch.id,
        account: watch.account,
        kind: WatchEventKind::Version,
        title: format!("{}: {}", watch.subject, keys[0]),
        text: String::new(),
        target: EventTarget::Tdoc { tdoc_id: "R1-1".to_owned() },
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
    }
}

fn titles(watches: &AccountWatches<'_>, account: u32) -> Vec<String> {
    let events = watches.list_events(account, None, 100).expect("read");
    events.into_iter().map(|event| event.title).collect()
}

#[test]
fn an_event_comes_once_and_the_newest_first() {
    let (_dir, access) = access();
    let watches = access.watches();
    let watch = watches.add_watch(1, WatchKind::Document, " 38.331 ", 0).expect("added");
    let again = watches.add_watch(1, WatchKind::Document, "38.331", 7).expect("there");
    assert_eq!((watch.id, again.since), (again.id, 0), "a watch is there once");
    assert_eq!(watches.journal_place().expect("read"), None);
    let events = [event(&watch, &["a", "a agreed"]), event(&watch, &["a agreed"])];
    assert_eq!(watches.record_events(None, 3, &events).expect("stored"), 1);
    // A process that looked through the same part of the journal comes too late.
    assert_eq!(watches.record_events(None, 3, &events).expect("refused"), 0);
    let more = [event(&watch, &["b"]), event(&watch, &["a"]), event(&watch, &["a noted"])];
    assert_eq!(watches.record_events(Some(3), 4, &more).expect("stored"), 2);
    assert_eq!(titles(&watches, 1), ["38.331: a noted", "38.331: b", "38.331: a"]);
    let events = watches.list_events(1, None, 1).expect("read");
    let older = watches.list_events(1, Some(events[0].id), 100).expect("read");
    assert_eq!(older.len(), 2);
    assert!(titles(&watches, 2).is_empty(), "events are those of one account");
}

#[test]
fn a_watch_that_is_gone_gets_no_events() {
    let (_dir, access) = access();
    let watches = access.watches();
    let watch = watches.add_watch(1, WatchKind::Name, "T310", 0).expect("added");
    assert!(matches!(watches.remove_watch(2, watch.id), Err(AccessError::UnknownWatch { .. })));
    watches.remove_watch(1, watch.id).expect("removed");
    assert_eq!(watches.record_events(None, 1, &[event(&watch, &["a"])]).expect("stored"), 0);
    assert_eq!(watches.journal_place().expect("read"), Some(1));
    assert!(watches.list_watches(Some(1)).expect("read").is_empty());
    for subject in ["", "  ", &"x".repeat(MAX_SUBJECT_CHARS + 1)] {
        let refused = watches.add_watch(1, WatchKind::Query, subject, 0);
        assert!(matches!(refused, Err(AccessError::InvalidWatch)), "{subject}");
    }
}

#[test]
fn a_renewed_feed_leads_nowhere_under_its_old_address() {
    let (_dir, access) = access();
    let account = access.accounts().list_accounts().expect("read")[0].id;
    let watches = access.watches();
    assert!(!watches.has_feed(account).expect("read"));
    let first = watches.renew_feed(account).expect("made");
    assert_eq!(watches.account_of_feed(&first).expect("read"), Some(account));
    let second = watches.renew_feed(account).expect("made");
    assert_eq!(watches.account_of_feed(&first).expect("read"), None);
    assert_eq!(watches.account_of_feed(&second).expect("read"), Some(account));
    watches.remove_feed(account).expect("removed");
    assert_eq!(watches.account_of_feed(&second).expect("read"), None);
    assert_eq!(watches.account_of_feed("feed-").expect("read"), None);
}
