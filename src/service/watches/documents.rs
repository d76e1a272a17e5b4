//! Events of document versions: what changed in the watched subjects.

use super::{ActiveWatch, News, patterns::FoldedText, sink::EventSink, subject::WatchSubject};
use crate::service::{Service, comparison::VersionChanges, internal_failure};
use accounts::{EventTarget, WatchEventKind};
use domain::DocNumber;
use store::Snapshot;
use wire::Failure;

/// Sections that an event names.
const MAX_NAMED: usize = 10;

/// Finds the events of a version that is new; versions that were stored later do not count.
pub(super) fn find_version_events(
    service: &Service,
    snapshot: &Snapshot,
    id: u32,
    watches: &[&ActiveWatch],
    sink: &mut EventSink<'_>,
) -> Result<(), Failure> {
    let Some(entry) = snapshot.catalog().get(id) else { return Ok(()) };
    let (number, version) = (&entry.row.number, entry.row.version.to_string());
    let is_wanted = |watch: &&ActiveWatch| match &watch.subject {
        WatchSubject::Document(of) | WatchSubject::Clause(of, _) => of == number,
        subject => subject.is_text(),
    };
    let watches: Vec<&ActiveWatch> = watches.iter().copied().filter(is_wanted).collect();
    if watches.is_empty() {
        return Ok(());
    }
    let key = format!("version {number} {version}");
    let title = format!("{number} {version}");
    let changes =
        VersionChanges::since_parent(service, snapshot, entry).map_err(internal_failure)?;
    let Some(changes) = changes else {
        let is_document =
            |watch: &&&ActiveWatch| matches!(watch.subject, WatchSubject::Document(_));
        for watch in watches.iter().filter(is_document) {
            let news = News {
                title: title.clone(),
                text: "First indexed version.".to_owned(),
                target: EventTarget::Document {
                    doc_number: number.to_string(),
                    version: version.clone(),
                },
                keys: vec![key.clone()],
            };
            sink.push(watch, WatchEventKind::Version, news);
        }
        return Ok(());
    };
    // What changed is folded once for all names and words.
    let mut texts = Vec::new();
    if watches.iter().any(|watch| watch.subject.is_text()) {
        let changed = changes.changed_texts(snapshot).map_err(internal_failure)?;
        let fold = |texts: &Vec<String>| FoldedText::new(texts.iter().map(String::as_str));
        texts = changed.iter().map(fold).collect();
    }
    for watch in watches {
        let (title, text, section) = match &watch.subject {
            WatchSubject::Document(_) => (title.clone(), changes.describe(), None),
            WatchSubject::Clause(_, clause) => {
                let lines = changes.describe_within(clause);
                if lines.is_empty() {
                    continue;
                }
                let title = format!("{title}, {}", clause.as_str());
                (title, shorten(lines, "\n"), Some(clause.to_string()))
            }
            subject => {
                let found: Vec<usize> =
                    (0..texts.len()).filter(|index| subject.is_in(&texts[*index])).collect();
                if found.is_empty() {
                    continue;
                }
                let numbers = found.iter().map(|index| changes.number_of(*index));
                let numbers: Vec<String> = numbers.collect();
                let section = match &numbers[..] {
                    [only] => Some(only.clone()),
                    _ => None,
                };
                let text = format!("Found in changes to {}.", shorten(numbers, ", "));
                (format!("{subject} in {title}"), text, section)
            }
        };
        let target = comparison_target(number, &changes.from, &version, section);
        let news = News { title, text, target, keys: vec![key.clone()] };
        sink.push(watch, WatchEventKind::Version, news);
    }
    Ok(())
}

fn comparison_target(
    number: &DocNumber,
    from: &str,
    to: &str,
    section: Option<String>,
) -> EventTarget {
    let (doc_number, from, to) = (number.to_string(), from.to_owned(), to.to_owned());
    EventTarget::Comparison { doc_number, from, to, section }
}

/// The first of some lines, and how many more there are.
fn shorten(mut lines: Vec<String>, separator: &str) -> String {
    let more = lines.len().saturating_sub(MAX_NAMED);
    lines.truncate(MAX_NAMED);
    if more > 0 {
        lines.push(format!("{more} more"));
    }
    lines.join(separator)
}
