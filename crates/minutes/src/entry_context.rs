//! The context of the decisions that follow: agenda item, heading, document, session. Each is valid until the next of
//! its kind, and at most until the next heading.

use std::sync::LazyLock;

use regex::Regex;

use super::{decision_date::DecisionDate, line::mentions_earlier_agreements, marker};
use domain::TdocId;
use word::{ParagraphPiece, PieceKind};

/// Maximum length of a stored heading; the rest is cut. Each decision below it repeats it.
const MAX_HEADING_CHARS: usize = 160;

/// The number that a heading begins with.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(\d+(?:\.\d+)*[a-z]?)\.?(?:\s|$)")
        .expect("a constant pattern; a test uses it")
});

/// The heading of a section on agreements, as opposed to one that only mentions some: below "Agreements in RAN1#98"
/// the markers are quoted, below "Discussion on the agreement in RAN1#98" they are not.
static AGREEMENTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^(?:(?:annex|appendix)(?:\s+\w{1,3})?\s*[:.\u{2013}-]?\s*)?(?:(?:list|summary|recap|overview)\s+(?:of\s+)?)?(?:(?:the|all|RAN\d?|SA\d?|CT\d?|#?\d\w*|[\w-]*#[\w-]+|previous|earlier|prior|past|existing|relevant|related|background|last\s+meeting['\u{2019}]?s?|made|on|and)\s+)*(?:agreements?|agreed|conclusions?|working\s+assumptions?|decisions?)\b",
    )
    .expect("a constant pattern; a test uses it")
});
/// A heading of a summary of agreements: "RAN2 - Beam related agreements summary", "Summary of the RAN2 agreements".
static AGREEMENTS_SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:agreements?|conclusions?|decisions?)\s+(?:summary|recap|overview|list|status|so\s+far)\b|\b(?:summary|recap|overview|list|status)\s+of\s+(?:[\w#-]+\s+){0,5}?(?:agreements?|conclusions?|decisions?)\b",
    )
    .expect("a constant pattern; a test uses it")
});
/// The plenary as the origin of a section: "RAN - Beam related agreements summary".
static PLENARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:TSG[\s-]+)?(?:RAN|SA|CT)\s*(?:[\u{2013}\u{2014}:-]|plenary\b)")
        .expect("a constant pattern; a test uses it")
});
/// A heading that is only the name of a meeting: "RAN1#98 (May 2030)".
static MEETING_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    let name = &*marker::MEETING_NAME;
    Regex::new(&format!(
        r"(?i)^\W*(?:3GPP\s+)?(?:TSG[\s-]+)?{name}(?:\s+meeting)?\s*(?:\([^)]*\))?\W*$"
    ))
    .expect("a constant pattern; a test uses it")
});

/// The context of the decisions that follow.
#[derive(Default)]
pub(super) struct EntryContext {
    pub(super) agenda_item: Option<String>,
    pub(super) heading: Option<String>,
    /// The heading is about earlier or possible agreements: markers below it count only if they name this meeting.
    pub(super) is_earlier_section: bool,
    /// The level of that heading: deeper ones are below it.
    earlier_level: Option<u8>,
    /// The document whose line was the last.
    pub(super) recorded_under: Option<TdocId>,
    /// The title of that document.
    title: String,
    session: Option<String>,
    /// The day of the e-mail by which the next decisions were taken.
    email_day: Option<String>,
    /// The title of a liaison statement, while its related documents are listed: the next outcome is its own.
    liaison: Option<String>,
    /// The next document lines are related documents of that statement.
    lists_related: bool,
}

impl EntryContext {
    /// Enters a heading. `names_other`: it names another meeting or group; `names_own`: it names this one.
    pub(super) fn enter_heading(
        &mut self,
        line: &ParagraphPiece,
        names_other: bool,
        names_own: bool,
    ) {
        let text = line.text.trim();
        let level = match line.kind {
            PieceKind::Heading(level) => level,
            _ => 0,
        };
        let is_below = self.earlier_level.is_some_and(|earlier| level > earlier);
        let bare = NUMBER.find(text).map_or(text, |number| text[number.end()..].trim_start());
        let is_on_agreements = AGREEMENTS.is_match(bare);
        let is_name = MEETING_ALONE.is_match(bare);
        let begins_section = marker::is_undecided_heading(text)
            || is_on_agreements && (names_other || mentions_earlier_agreements(text))
            || AGREEMENTS_SUMMARY.is_match(bare) && (names_other || PLENARY.is_match(bare))
            || is_name && names_other;
        let is_earlier = !names_own && (begins_section || is_below);
        let earlier_level = match (is_earlier, is_below) {
            (false, _) => None,
            (true, true) => self.earlier_level,
            (true, false) => Some(level),
        };
        let (printed, typed) = (printed_number(line), typed_number(line));
        let agenda_item = printed.or(typed).map(str::to_owned).or(self.agenda_item.take());
        let title = text.strip_prefix(typed.unwrap_or_default()).unwrap_or(text);
        let title = title.trim_start_matches(['.', ' ']).chars().take(MAX_HEADING_CHARS).collect();
        *self = Self {
            agenda_item,
            heading: Some(title),
            is_earlier_section: is_earlier,
            earlier_level,
            ..Self::default()
        };
    }

    /// Whether the number of a heading follows that of the agenda item: `5.3` or `6` after `5.2`. Other numbers may be
    /// those of clauses in a quoted text.
    pub(super) fn is_next_agenda_item(&self, line: &ParagraphPiece) -> bool {
        let number = printed_number(line).or_else(|| typed_number(line));
        let (Some(before), Some(number)) = (self.agenda_item.as_deref(), number) else {
            return false;
        };
        let parts = |number: &str| -> Option<Vec<u32>> {
            number.split('.').map(|part| part.parse().ok()).collect()
        };
        let (Some(before), Some(number)) = (parts(before), parts(number)) else { return false };
        let Some((last, parents)) = number.split_last() else { return false };
        let counterpart = before.get(parents.len()).copied();
        before.starts_with(parents)
            && counterpart.and_then(|part| part.checked_add(1)) == Some(*last)
    }

    /// Enters the line of a document. `is_open`: it belongs to an open decision.
    pub(super) fn enter_document(&mut self, line: &ParagraphPiece, id: TdocId, is_open: bool) {
        if self.lists_related {
            self.lists_related = !is_open
        } else {
            self.liaison = None
        }
        self.title = line.text.clone();
        self.recorded_under = Some(id);
        self.email_day = None;
    }

    /// Enters another session, with the day if its line names it.
    pub(super) fn enter_session(&mut self, day: Option<&DecisionDate>) {
        self.session = day.map(ToString::to_string);
        (self.email_day, self.liaison, self.lists_related) = (None, None, false);
    }

    /// Enters an e-mail discussion. `is_of_document`: the line before is that of a document, its summary.
    pub(super) fn enter_thread(&mut self, is_of_document: bool) {
        if !is_of_document {
            (self.recorded_under, self.title) = (None, String::new());
        }
        (self.email_day, self.liaison, self.lists_related) = (None, None, false);
    }

    /// Enters "Relevant TDocs": the next outcome is that of the liaison statement before them.
    pub(super) fn enter_related_documents(&mut self) {
        self.liaison = Some(self.title.clone());
        self.lists_related = true;
    }

    /// Enters decisions that were made by e-mail.
    pub(super) fn enter_email(&mut self, day: Option<&DecisionDate>) {
        self.email_day = day.map(ToString::to_string);
    }

    /// Enters a marker, with the weekday if it names one.
    pub(super) fn enter_marker(&mut self, day: Option<DecisionDate>) {
        self.lists_related = false;
        if let Some(day) = day {
            self.session = Some(day.to_string());
            self.email_day = None;
        }
    }

    /// Enters an outcome.
    pub(super) fn enter_outcome(&mut self) {
        self.lists_related = false;
    }

    /// The title of the subject of an outcome, if its sentence does not name it.
    pub(super) fn subject(&self) -> &str {
        self.liaison.as_deref().unwrap_or(&self.title)
    }

    /// The day of the next decision.
    pub(super) fn day(&self) -> Option<String> {
        self.email_day.clone().or_else(|| self.session.clone())
    }
}

/// The number that Word prints before a heading.
fn printed_number(line: &ParagraphPiece) -> Option<&str> {
    let label = line.label.as_deref().map(|label| label.trim_end_matches('.'));
    label.filter(|label| NUMBER.is_match(label))
}

/// The number that the text of a heading begins with.
fn typed_number(line: &ParagraphPiece) -> Option<&str> {
    let found = NUMBER.captures(line.text.trim())?;
    found.get(1).map(|number| number.as_str())
}
