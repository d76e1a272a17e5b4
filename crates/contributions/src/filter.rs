//! Filters for documents.

use domain::{RegisterStatus, SourceRole};
use jiff::civil::Date;

use super::Meeting;
use domain::DocKind;
use domain::{DocNumber, Group, Release};

/// A filter for documents; every field that is set must match, lists by any of their members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TdocFilter {
    /// An organization, by its number in the directory.
    pub organization: Option<u32>,
    /// Its roles; any if empty. Without an organization, the roles that some party has.
    pub roles: Vec<SourceRole>,
    /// Meetings, by their indexes in the catalog; all if empty.
    pub meetings: Vec<u32>,
    /// Groups of the meetings; all if empty.
    pub groups: Vec<Group>,
    /// An agenda item, with those below it.
    pub agenda_item: Option<String>,
    /// Kinds; all if empty.
    pub kinds: Vec<DocKind>,
    /// Statuses; all if empty.
    pub statuses: Vec<RegisterStatus>,
    /// Code of a work item.
    pub work_item: Option<String>,
    /// The specification it is about.
    pub spec: Option<DocNumber>,
    /// The release it is for.
    pub release: Option<Release>,
    /// The first day on which its meeting may begin.
    pub since: Option<Date>,
    /// The last day on which its meeting may begin.
    pub until: Option<Date>,
    /// Words that must all occur in title or abstract.
    pub words: Option<String>,
}

impl TdocFilter {
    pub(super) fn admits_meeting(&self, index: u32, meeting: &Meeting) -> bool {
        let start = meeting.dates.start;
        self.admits_meeting_of_any_date(index, meeting)
            && self.since.is_none_or(|since| start.is_some_and(|start| start >= since))
            && self.until.is_none_or(|until| start.is_some_and(|start| start <= until))
    }

    pub(super) fn admits_meeting_of_any_date(&self, index: u32, meeting: &Meeting) -> bool {
        (self.meetings.is_empty() || self.meetings.contains(&index))
            && (self.groups.is_empty() || self.groups.contains(&meeting.id.group()))
    }
}

/// Whether an agenda item is `outer` or below it: `8.1.2` within `8.1`, and not `8.10`. Of several items (`8.1/8.2`), any.
pub fn is_within_agenda_item(item: &str, outer: &str) -> bool {
    item.split('/').any(|item| {
        let rest = item.get(..outer.len()).filter(|start| start.eq_ignore_ascii_case(outer));
        rest.is_some() && (item.len() == outer.len() || item[outer.len()..].starts_with('.'))
    })
}
