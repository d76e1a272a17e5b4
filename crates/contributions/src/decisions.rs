//! The decisions of a meeting from all of its notes: what several of them say is one decision with several places.
//!
//! The final report comes first, then other reports, then what chairs wrote down, then summaries. What notes say is
//! provisional until the final report is there.

use std::collections::HashMap;

use domain::{DecisionKind, MeetingId, NotesKind, TdocId};
use store::{DecisionRow, NotesRow, Snapshot, StoreError};

use super::{notes::kind_of_document, topics::Topics};

/// Two texts are one where so much of their words is the same.
const ALIKE: f64 = 0.9;

/// Whether the meeting's final report has a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has.
    Final,
    /// The final report is not known yet.
    Provisional,
    /// The final report is known and does not have it.
    NotInReport,
}

/// A decision, with all places where it is written down.
#[derive(Debug)]
pub struct Decision {
    /// What names it for as long as its source stays.
    pub id: String,
    /// What its first source says.
    pub row: DecisionRow,
    /// Its sources by their places in [`MeetingDecisions::notes`], with the anchors; the first is that of the row.
    pub places: Vec<(usize, String)>,
    /// Whether the final report has it.
    pub standing: Standing,
    /// The decision that it is a part of, by its place in the list.
    pub part_of: Option<usize>,
}

/// All decisions of a meeting.
#[derive(Debug, Default)]
pub struct MeetingDecisions {
    /// Where they are written down, the final report first.
    pub notes: Vec<NotesRow>,
    /// The decisions, in the order of their sources and of the text.
    pub decisions: Vec<Decision>,
    /// The words of each, for questions.
    pub topics: Topics,
}

impl MeetingDecisions {
    /// Reads what is stored of a meeting; `notes` as [`sources_of`] gives them.
    pub fn load(snapshot: &Snapshot, notes: Vec<NotesRow>) -> Result<Self, StoreError> {
        let mut rows = Vec::with_capacity(notes.len());
        for row in &notes {
            rows.push(snapshot.decisions_in(row)?);
        }
        Ok(Self::of(notes, rows))
    }

    fn of(notes: Vec<NotesRow>, rows: Vec<Vec<DecisionRow>>) -> Self {
        let has_final = notes.first().is_some_and(|first| first.is_final);
        let mut all = Self { notes, ..Self::default() };
        let mut known = Known::default();
        for (at, rows) in rows.into_iter().enumerate() {
            let standing = match (has_final, at) {
                (true, 0) => Standing::Final,
                (true, _) => Standing::NotInReport,
                (false, _) => Standing::Provisional,
            };
            all.add(at, rows, standing, &mut known);
        }
        all.topics = Topics::of(all.decisions.iter().map(|decision| &decision.row));
        all
    }

    /// Adds what one source says.
    fn add(&mut self, at: usize, rows: Vec<DecisionRow>, standing: Standing, known: &mut Known) {
        // For each row, where its decision is in the list; none where it is left out with what it is a part of.
        let mut places: Vec<Option<usize>> = Vec::with_capacity(rows.len());
        let new = self.decisions.len();
        for row in rows {
            let whole = row.part_of.map(|part_of| places.get(part_of as usize).copied().flatten());
            let is_of_known = whole.is_some_and(|whole| whole.is_none_or(|whole| whole < new));
            let same = match whole {
                // A part is looked for among the parts of what it is a part of.
                Some(Some(whole)) if whole < new => {
                    let parts = self.decisions[..new].iter();
                    let is_same = |part: &Decision| {
                        part.part_of == Some(whole)
                            && part.row.kind == row.kind
                            && plain(&part.row.quote) == plain(&row.quote)
                    };
                    parts.enumerate().find(|(_, part)| is_same(part)).map(|(at, _)| at)
                }
                Some(_) => None,
                None => known.find(&row, &self.decisions[..new]),
            };
            let place = match same {
                Some(same) => {
                    self.decisions[same].places.push((at, row.anchor.clone()));
                    Some(same)
                }
                // The part of a decision that is known in other words is not told twice.
                None if is_of_known => None,
                None => {
                    let place = self.decisions.len();
                    self.decisions.push(Decision {
                        id: self.id_of(at, &row),
                        places: vec![(at, row.anchor.clone())],
                        standing,
                        part_of: whole.flatten(),
                        row,
                    });
                    Some(place)
                }
            };
            places.push(place);
        }
        for (place, decision) in self.decisions.iter().enumerate().skip(new) {
            if decision.part_of.is_none() {
                known.add(place, &decision.row);
            }
        }
    }

    fn id_of(&self, at: usize, row: &DecisionRow) -> String {
        let notes = &self.notes[at];
        let meeting = notes.meeting.to_string();
        let told = [&meeting, &notes.key, &row.anchor, row.kind.as_str()].map(str::as_bytes);
        let hash = blake3::hash(&told.join(&0));
        format!("{meeting}-{}", &hash.to_hex()[..10])
    }

    /// Whether the final report is among the sources.
    pub fn has_final_report(&self) -> bool {
        self.notes.first().is_some_and(|first| first.is_final)
    }
}

/// The notes of a meeting that its decisions come from, the final report first.
pub fn sources_of(snapshot: &Snapshot, meeting: &MeetingId) -> Result<Vec<NotesRow>, StoreError> {
    let mut sources = Vec::new();
    for notes in snapshot.notes_of(meeting)? {
        if is_still_a_source(snapshot, &notes)? {
            sources.push(notes);
        }
    }
    sources.sort_by_key(order);
    Ok(sources)
}

/// Whether notes that are a document of a meeting are still no contribution by what is known of it now: a document
/// that told of itself that it was notes may be listed as something else by a later register.
fn is_still_a_source(snapshot: &Snapshot, notes: &NotesRow) -> Result<bool, StoreError> {
    let Some(id) = &notes.tdoc else { return Ok(true) };
    let row = snapshot.tdoc(id)?;
    Ok(row.is_none_or(|row| kind_of_document(&row.entry).is_some()))
}

/// Final reports first, then by kind, the last that was read first.
fn order(notes: &NotesRow) -> (bool, NotesKind, std::cmp::Reverse<String>, String) {
    let read_at = std::cmp::Reverse(notes.read_at.clone());
    (!notes.is_final, notes.kind, read_at, notes.key.clone())
}

/// What is known of the sources before: decisions by their text.
#[derive(Default)]
struct Known {
    /// By kind, the document of an outcome, the item of the agenda, and the whole text.
    exact: HashMap<(DecisionKind, Option<TdocId>, Option<String>, String), usize>,
    /// By kind and document or item of the agenda: those that may say the same in other words.
    near: HashMap<(DecisionKind, String), Vec<usize>>,
}

impl Known {
    /// What became of a document is told by the document too: many sentences are the same.
    fn key(row: &DecisionRow) -> (DecisionKind, Option<TdocId>, Option<String>, String) {
        let is_outcome = !row.kind.is_text();
        let under = row.recorded_under.clone().filter(|_| is_outcome);
        // The document says enough of an outcome; a text is that of its item.
        let item = row.agenda_item.clone().filter(|_| under.is_none());
        (row.kind, under, item, plain(&row.quote))
    }

    fn near_keys(row: &DecisionRow) -> Vec<(DecisionKind, String)> {
        let under = row.recorded_under.as_ref().map(ToString::to_string);
        let keys = [under, row.agenda_item.clone()];
        keys.into_iter().flatten().map(|key| (row.kind, key)).collect()
    }

    fn find(&self, row: &DecisionRow, decisions: &[Decision]) -> Option<usize> {
        if let Some(same) = self.exact.get(&Self::key(row)) {
            return Some(*same);
        }
        if !row.kind.is_text() {
            return None;
        }
        let keys = Self::near_keys(row);
        let near = keys.iter().filter_map(|key| self.near.get(key)).flatten();
        near.copied().find(|place| are_alike(&decisions[*place].row.quote, &row.quote))
    }

    fn add(&mut self, place: usize, row: &DecisionRow) {
        self.exact.entry(Self::key(row)).or_insert(place);
        for key in Self::near_keys(row) {
            self.near.entry(key).or_default().push(place);
        }
    }
}

/// A text without what differs between copies: blanks, capitals, marks that say nothing. What compares and counts
/// stays: `K \u{2264} 4` is not `K \u{2265} 4`, nor 1.5 15.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let follows_digit = at > 0 && chars[at - 1].is_ascii_digit();
        let before_digit = chars.get(at + 1).is_some_and(char::is_ascii_digit);
        let counts = match c {
            '<' | '>' | '=' | '\u{2264}' | '\u{2265}' | '\u{2260}' | '+' => true,
            '-' | '\u{2212}' => before_digit && !follows_digit,
            '.' => follows_digit && before_digit,
            _ => c.is_alphanumeric(),
        };
        if counts {
            plain.extend(c.to_lowercase());
        }
    }
    plain
}

/// Whether nearly all words of two texts are the same, and all that counts or denies.
fn are_alike(one: &str, other: &str) -> bool {
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    let signs =
        |text: &str| -> String { plain(text).chars().filter(|c| !c.is_alphanumeric()).collect() };
    short * 4 >= long * 3
        && signs(one) == signs(other)
        && telling(one) == telling(other)
        && likeness(one, other) >= ALIKE
}

/// The words of a text that a change of which makes another decision: with digits in them, and those that deny.
fn telling(text: &str) -> HashMap<String, usize> {
    let mut words = counted(text);
    words.retain(|word, _| {
        let denies = matches!(word.as_str(), "not" | "no" | "cannot" | "without" | "never");
        denies || word.chars().any(|c| c.is_ascii_digit())
    });
    words
}

/// The share of the words of two texts that are the same, 0 to 1 (Dice's coefficient over words).
fn likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (counted(one), counted(other));
    let total: usize = one.values().chain(other.values()).sum();
    let shared: usize =
        one.iter().map(|(word, count)| (*count).min(other.get(word).copied().unwrap_or(0))).sum();
    if total == 0 { 0.0 } else { 2.0 * shared as f64 / total as f64 }
}

/// The share of the words of a text that stand in another, 0 to 1.
pub fn contained(part: &str, whole: &str) -> f64 {
    let (part, whole) = (counted(part), counted(whole));
    let total: usize = part.values().sum();
    let shared: usize =
        part.iter().map(|(word, count)| (*count).min(whole.get(word).copied().unwrap_or(0))).sum();
    if total == 0 { 0.0 } else { shared as f64 / total as f64 }
}

fn counted(text: &str) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *words.entry(word.to_lowercase()).or_default() += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(key: &str, kind: NotesKind, is_final: bool) -> NotesRow {
        NotesRow {
            meeting: "R1-99".parse().expect("valid"),
            key: key.to_owned(),
            kind,
            title: key.to_owned(),
            file: format!("{key}.docx"),
            tdoc: None,
            version: None,
            rank: 0,
            is_final,
            hash: [0; 32],
            read_at: "2026-01-01T00:00:00Z".to_owned(),
            faults: Vec::new(),
            decisions: 0,
        }
    }

    fn row(kind: DecisionKind, quote: &str, under: &str, part_of: Option<u32>) -> DecisionRow {
        DecisionRow {
            kind,
            outcome: None,
            marker: "Agreement".to_owned(),
            quote: quote.to_owned(),
            is_cut: false,
            anchor: format!("n.docx#p{}{under}", quote.len()),
            last_anchor: "n.docx#p9".to_owned(),
            page: None,
            agenda_item: Some("8.1".to_owned()),
            heading: None,
            recorded_under: under.parse().ok(),
            references: Vec::new(),
            session: None,
            part_of,
        }
    }

    use DecisionKind::{Agreement, Noted, OpenItem};

    #[test]
    fn what_two_sources_say_is_one_decision_with_both() {
        let report = vec![
            row(
                Agreement,
                "Support wide beams for all of the users in a cell; FFS: rays",
                "",
                None,
            ),
            row(OpenItem, "FFS: rays", "", Some(0)),
            row(Noted, "The document is noted.", "R1-9900001", None),
            row(Noted, "The document is noted.", "R1-9900002", None),
        ];
        let chair = vec![
            row(
                Agreement,
                "Support  wide beams for all of the users in a cell. FFS: rays",
                "",
                None,
            ),
            row(OpenItem, "FFS: rays", "", Some(0)),
            row(Noted, "The document is noted.", "R1-9900001", None),
            row(Agreement, "Support narrow waves", "", None),
            row(OpenItem, "FFS: waves", "", Some(3)),
        ];
        let sources = vec![
            notes("report", NotesKind::MeetingReport, true),
            notes("chair", NotesKind::ChairNotes, false),
        ];
        let all = MeetingDecisions::of(sources, vec![report, chair]);
        let told: Vec<_> = all
            .decisions
            .iter()
            .map(|d| (d.row.kind, d.places.len(), d.standing, d.part_of))
            .collect();
        assert_eq!(
            told,
            [
                (Agreement, 2, Standing::Final, None),
                (OpenItem, 2, Standing::Final, Some(0)),
                (Noted, 2, Standing::Final, None),
                (Noted, 1, Standing::Final, None),
                (Agreement, 1, Standing::NotInReport, None),
                (OpenItem, 1, Standing::NotInReport, Some(4)),
            ]
        );
        assert!(all.has_final_report());
        let ids: std::collections::HashSet<&str> =
            all.decisions.iter().map(|d| d.id.as_str()).collect();
        assert_eq!(ids.len(), 6);
    }

    #[test]
    fn texts_that_differ_in_what_counts_stay_two() {
        let long =
            "Support wide beams for all of the users in a cell of the network that have asked";
        for (one, other) in [
            ("K \u{2264} 4".to_owned(), "K \u{2265} 4".to_owned()),
            ("1.5 dB".to_owned(), "15 dB".to_owned()),
            (format!("{long} in FR1"), format!("{long} in FR2")),
            (format!("{long} for it"), format!("{long} not for it")),
        ] {
            let sources = vec![
                notes("report", NotesKind::MeetingReport, true),
                notes("chair", NotesKind::ChairNotes, false),
            ];
            let rows = [&one, &other].map(|text| vec![row(Agreement, text, "", None)]);
            let all = MeetingDecisions::of(sources, rows.into());
            assert_eq!(all.decisions.len(), 2, "{one} and {other}");
        }
    }

    #[test]
    fn without_a_final_report_all_is_provisional() {
        let sources = vec![notes("chair", NotesKind::ChairNotes, false)];
        let all =
            MeetingDecisions::of(sources, vec![vec![row(Agreement, "Support beams", "", None)]]);
        assert_eq!(all.decisions[0].standing, Standing::Provisional);
        assert!(!all.has_final_report());
    }

    #[test]
    fn likeness_is_that_of_words() {
        assert_eq!(likeness("Support beams", "support  BEAMS."), 1.0);
        assert_eq!(likeness("a b", "c d"), 0.0);
        assert_eq!(likeness("", ""), 0.0);
        assert_eq!(contained("wide beams", "Support all wide beams"), 1.0);
    }
}
