//! What can be watched, as it is entered and as it is stored.

use std::fmt;

use super::patterns::{FoldedText, TextPattern};
use accounts::WatchKind;
use domain::{DocNumber, Group, MeetingId, SectionNumber};

/// Something that is watched.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WatchSubject {
    /// A specification.
    Document(DocNumber),
    /// A clause with all below it.
    Clause(DocNumber, SectionNumber),
    /// The id of a company.
    Company(String),
    /// The code of a work item, in upper case.
    WorkItem(String),
    /// An agenda item with all below it.
    AgendaItem(Meetings, String),
    /// A name, or words that must all occur.
    Text(TextPattern),
}

/// Meetings whose agenda is meant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meetings {
    /// All of a group.
    Of(Group),
    /// One.
    One(MeetingId),
}

impl WatchSubject {
    /// Reads what was entered; the error says what is expected.
    pub(super) fn parse(kind: WatchKind, text: &str) -> Result<Self, String> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err("Enter what you want to watch.".to_owned());
        }
        match kind {
            WatchKind::Document => parse_document(&text).map(Self::Document),
            WatchKind::Clause => {
                let expected = || format!("'{text}' is not a clause. Example: 38.331 5.3.5");
                let bare = text.trim_start_matches("TS ").trim_start_matches("TR ");
                let (document, clause) = bare.split_once(' ').ok_or_else(expected)?;
                let clause = SectionNumber::from_typed(clause);
                if SectionNumber::is_numbered(clause.as_str()) {
                    Ok(Self::Clause(parse_document(document)?, clause))
                } else {
                    Err(expected())
                }
            }
            WatchKind::Name => TextPattern::name(&text)
                .map(Self::Text)
                .ok_or_else(|| format!("'{text}' has no letters or digits.")),
            WatchKind::Company => Ok(Self::Company(text.to_lowercase())),
            WatchKind::WorkItem => Ok(Self::WorkItem(text.to_uppercase())),
            WatchKind::AgendaItem => {
                let expected =
                    || format!("'{text}' is not an agenda item. Examples: RAN1 9.1, R1-118 9.1");
                let (meetings, item) = text.split_once(' ').ok_or_else(expected)?;
                let meetings = match (meetings.parse::<MeetingId>(), meetings.parse::<Group>()) {
                    (Ok(meeting), _) => Meetings::One(meeting),
                    (_, Ok(group)) => Meetings::Of(group),
                    _ => return Err(expected()),
                };
                Ok(Self::AgendaItem(meetings, item.to_owned()))
            }
            WatchKind::Query => TextPattern::words(&text)
                .map(Self::Text)
                .ok_or_else(|| format!("'{text}' has no words.")),
        }
    }

    /// Whether it is a name or words, and a text has them.
    pub(super) fn is_in(&self, text: &FoldedText) -> bool {
        matches!(self, Self::Text(pattern) if pattern.is_in(text))
    }

    /// Whether it is a name or words.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// Whether an agenda item of a meeting is meant.
    pub(super) fn is_on_agenda(&self, meeting: &MeetingId, item: Option<&str>) -> bool {
        let Self::AgendaItem(meetings, outer) = self else { return false };
        let is_meeting = match meetings {
            Meetings::Of(group) => meeting.group() == *group,
            Meetings::One(one) => meeting.is_same_meeting(one),
        };
        is_meeting && item.is_some_and(|item| contributions::is_within_agenda_item(item, outer))
    }
}

fn parse_document(text: &str) -> Result<DocNumber, String> {
    let bare = text.trim_start_matches("TS").trim_start_matches("TR").trim();
    bare.parse().map_err(|_| format!("'{text}' is not a specification number. Example: 38.331"))
}

impl fmt::Display for WatchSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(number) => write!(f, "{number}"),
            Self::Clause(number, clause) => write!(f, "{number} {}", clause.as_str()),
            Self::AgendaItem(Meetings::Of(group), item) => write!(f, "{} {item}", group.name()),
            Self::AgendaItem(Meetings::One(meeting), item) => write!(f, "{meeting} {item}"),
            Self::Text(pattern) => f.write_str(&pattern.entered),
            Self::Company(text) | Self::WorkItem(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_watched_is_read_and_printed_alike() {
        for (kind, entered, stored) in [
            (WatchKind::Document, " TS 38.331 ", "38.331"),
            (WatchKind::Clause, "38.331 clause 5.3.5", "38.331 5.3.5"),
            (WatchKind::Clause, "TS 38.331  Annex A", "38.331 A"),
            (WatchKind::Name, "maxNrofServingCells", "maxNrofServingCells"),
            (WatchKind::WorkItem, "nr_xr_enh-core", "NR_XR_ENH-CORE"),
            (WatchKind::AgendaItem, "RAN1 9.1", "RAN1 9.1"),
            (WatchKind::AgendaItem, "R1-118 9.1.2", "R1-118 9.1.2"),
            (WatchKind::Query, "beam  failure", "beam failure"),
        ] {
            let read = WatchSubject::parse(kind, entered).expect(entered);
            assert_eq!(read.to_string(), stored, "{entered}");
            assert_eq!(WatchSubject::parse(kind, stored).as_ref(), Ok(&read), "{stored}");
        }
        for (kind, entered) in [
            (WatchKind::Document, "thirty"),
            (WatchKind::Clause, "38.331"),
            (WatchKind::Clause, "38.331 hello"),
            (WatchKind::AgendaItem, "9.1"),
            (WatchKind::Name, "--"),
            (WatchKind::Query, " "),
        ] {
            assert!(WatchSubject::parse(kind, entered).is_err(), "{entered}");
        }
    }
}
