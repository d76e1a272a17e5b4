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

fn place(number: u64) -> JournalPlace {
    JournalPlace { journal: 5, number }
}

fn titles(watches: &AccountWatches<'_>, account: u32) -> Vec<String> {
    let events = watches.list_events(account, None, 100).expect("read");
    events.into_iter().map(|event| event.stored.title).collect()
}

#[test]
fn an_event_comes_once_and_the_newest_first() {
    let (_dir, access) = access();
    let watches = access.watches();
    let watch = watches.add_watch(1, WatchKind::Document, " 38.331 ", 0).expect("added");
    let again = watches.add_watch(1, WatchKind::Document, "38.331", 7).expect("there");
    assert_eq!((watch.id, again.since), (again.id, 0), "a watch is there once");
    assert_eq!(watches.journal_place().expect("read"), None);
    watches.begin_journal(place(0)).expect("begun");
    let events = [event(&watch, &["a", "a agreed"]), event(&watch, &["a agreed"])];
    assert_eq!(watches.record_events(place(0), 3, &events).expect("stored"), 1);
    // A process that looked through the same part of the journal comes too late.
    assert_eq!(watches.record_events(place(0), 3, &events).expect("refused"), 0);
    let more = [event(&watch, &["b"]), event(&watch, &["a"]), event(&watch, &["a noted"])];
    // The events of an entry may come in parts: the place moves with the last.
    assert_eq!(watches.record_events(place(3), 3, &more[..1]).expect("stored"), 1);
    assert_eq!(watches.record_events(place(3), 4, &more).expect("stored"), 1);
    let known = watches.known_events();
    assert!(known.has(watch.id, "a agreed").expect("read"));
    assert!(!known.has(watch.id, "b agreed").expect("read"));
    assert_eq!(titles(&watches, 1), ["38.331: a noted", "38.331: b", "38.331: a"]);
    let events = watches.list_events(1, None, 1).expect("read");
    let older = watches.list_events(1, Some(events[0].id), 100).expect("read");
    assert_eq!(older.len(), 2);
    assert!(titles(&watches, 2).is_empty(), "events are those of one account");
}

#[test]
fn a_new_journal_silences_no_watch() {
    let (_dir, access) = access();
    let watches = access.watches();
    watches.begin_journal(place(90)).expect("begun");
    watches.add_watch(1, WatchKind::Document, "38.331", 95).expect("added");
    let new = JournalPlace { journal: 6, number: 2 };
    assert_eq!(watches.record_events(new, 3, &[]).expect("refused"), 0);
    watches.begin_journal(new).expect("begun");
    assert_eq!(watches.journal_place().expect("read"), Some(new));
    assert_eq!(watches.list_watches(None).expect("read")[0].since, 2);
}

#[test]
fn the_oldest_events_go_where_there_are_too_many() {
    let (_dir, access) = access();
    let watches = access.watches();
    watches.begin_journal(place(0)).expect("begun");
    let mine = watches.add_watch(1, WatchKind::Document, "38.331", 0).expect("added");
    let other = watches.add_watch(2, WatchKind::Document, "38.331", 0).expect("added");
    let mut events: Vec<_> =
        (0..MAX_EVENTS + 5).map(|number| event(&mine, &[&number.to_string()])).collect();
    events.push(event(&other, &["a"]));
    watches.record_events(place(0), 1, &events).expect("stored");
    let kept = watches.list_events(1, None, usize::MAX).expect("read");
    assert_eq!(kept.len(), MAX_EVENTS);
    assert_eq!(kept.last().map(|event| event.stored.title.as_str()), Some("38.331: 5"));
    assert_eq!(titles(&watches, 2).len(), 1);
}

#[test]
fn a_watch_that_is_gone_gets_no_events() {
    let (_dir, access) = access();
    let watches = access.watches();
    let watch = watches.add_watch(1, WatchKind::Name, "T310", 0).expect("added");
    assert!(matches!(watches.remove_watch(2, watch.id), Err(AccessError::UnknownWatch { .. })));
    watches.remove_watch(1, watch.id).expect("removed");
    watches.begin_journal(place(0)).expect("begun");
    assert_eq!(watches.record_events(place(0), 1, &[event(&watch, &["a"])]).expect("stored"), 0);
    assert_eq!(watches.journal_place().expect("read"), Some(place(1)));
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
