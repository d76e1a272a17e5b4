//! Reports that have an entry for each document, like those of SA2: its title, then under `Parallel session:` and
//! `Plenary session:` its outcome.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    agreed_sentences::agreed_sentences,
    look_ahead::iter_paragraphs,
    outcome::{decision_kind, outcome_in},
    unanchored::UnanchoredDecision,
};
use domain::{DecisionType, DocumentOutcome, TdocId};
use word::{ParagraphPiece, Piece, PieceKind};

/// Minimum number of entries, and of parts of entries, of such a report. Notes of other groups may mention a document
/// with its source, and read in this form they would have no decisions.
const MIN_ENTRIES: usize = 5;

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(TD\s+)?([A-Z][A-Z0-9]{1,3}[-\u{2011}\u{2013}]\d{5,8})\b\s*(.*)")
        .expect("a constant pattern; a test uses it")
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d+(?:\.\d+)*[A-Za-z]?)\.?(?:\s|$)").expect("a constant pattern; a test uses it")
});
/// A mark of the secretary: `<PARALLEL - AGREED>`, `<RETURN - OPEN>`.
static SECRETARY_MARK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"<[A-Z][A-Z0-9 -]{2,60}>").expect("a constant pattern; a test uses it")
});
/// The outcome of the document itself, if a sentence begins with it.
static BEGINS_WITH_OUTCOME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^(?:(?:this|the|it)\s+(?:\w+\s+){0,4}?(?:was|were|is|then|and)\s+(?:then\s+|also\s+)?)?(?:revised|noted|agreed|approved|endorsed|postponed|merged|withdrawn|not handled|not treated|rejected)\b",
    )
    .expect("a constant pattern; a test uses it")
});
/// What the meeting agreed to do, or about something else: "agreed to note the document", "agreed that beams are
/// wide".
static AGREED_TO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?P<not>\bnot\s+)?\bagreed\s+(?:to\s+(?:be\s+)?(?P<verb>\w+)|that\b)")
        .expect("a constant pattern; a test uses it")
});
/// Verbs that say what was agreed to be done with a document.
const OUTCOME_VERBS: [(&str, DocumentOutcome); 8] = [
    ("approve", DocumentOutcome::Approved),
    ("endorse", DocumentOutcome::Endorsed),
    ("merge", DocumentOutcome::Merged),
    ("note", DocumentOutcome::Noted),
    ("postpone", DocumentOutcome::Postponed),
    ("reject", DocumentOutcome::NotPursued),
    ("revise", DocumentOutcome::Revised),
    ("withdraw", DocumentOutcome::Withdrawn),
];
/// A condition, a wish, or something in the future.
static NOT_YET: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:if|unless|once|whether|can|could|may|might|should|would|will|shall|to\s+be|tomorrow|asked|asks|requested|suggested|proposed)\b")
        .expect("a constant pattern; a test uses it")
});
/// A condition that cancels the outcome at the beginning of a sentence: "approved if nobody objects". Further work
/// does not cancel it: "approved and will be updated".
static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:if|unless|once|whether|tomorrow)\b")
        .expect("a constant pattern; a test uses it")
});
/// An outcome of another group or an earlier meeting: "SA WG3 agreed", "approved by TSG SA", "agreed in SA2#98".
static BY_OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    let group = r"(?:TSG\b[\s-]*(?:SA|RAN|CT)?(?:\s?#\s?\d+)?|(?:SA|RAN|CT|S|R|C)\s?(?:WG\s?)?\d?\s?#\s?\d+\w*|(?:SA|RAN|CT)\s?(?:WG\s?)?\d\b|(?:SA|RAN|CT)\s+plenary\b|(?:last|previous)\s+meeting\b)";
    let outcome = r"(?:agreed|approved|endorsed|noted|revised|merged|postponed|withdrawn|rejected)";
    Regex::new(&format!(
        r"(?i)\b{outcome}\s+(?:\w+\s+){{0,2}}(?:in|by|at|from|during)\s+(?:the\s+)?{group}|(?:^|[.;:,]\s+|\bthat\s+)(?:the\s+)?{group}\s+(?:\w+\s+){{0,3}}{outcome}\b"
    ))
    .expect("a constant pattern; a test uses it")
});
/// Words before a replacement that may not happen: "If revised to TD S2-9900011 it may be agreed".
static IF_REPLACED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:if|unless|once|whether|can|could|may|might|should|would)\b")
        .expect("a constant pattern; a test uses it")
});
/// The beginning of the reason of an outcome, which may name outcomes of other documents.
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\s(?:as|because|since|which|after)\s")
        .expect("a constant pattern; a test uses it")
});

/// Another document replaces this one: "Revised to TD S2-9900011", "merged into TD S2-9900012".
static REPLACED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?P<what>revised|merged)\b.*?\b(?:to|in|into|as|with)\s+(?:TD\s+)?[A-Z][A-Z0-9]{1,3}[-\u{2011}\u{2013}]\d{5,8}\b",
    )
    .expect("a constant pattern; a test uses it")
});
/// An outcome of the previous meeting: "Postponed TD S2-9900001 from S2#98".
static COMES_FROM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:postponed|revision\s+of|revised|reissue\w*)\b.*\bfrom\s+(?:the\s+)?(?:[A-Z]{1,3}\d?\s?(?:WG\s?\d)?\s?(?:meeting\s?)?#|last|previous)")
        .expect("a constant pattern; a test uses it")
});

/// Whether pieces are such a report.
pub(super) fn has_document_entries(pieces: &[Piece]) -> bool {
    let are_enough = |is_it: &dyn Fn(&str) -> bool| {
        iter_paragraphs(pieces).filter(|line| is_it(line.text.trim())).take(MIN_ENTRIES).count()
            == MIN_ENTRIES
    };
    are_enough(&|text| parse_entry(text).is_some())
        && are_enough(&|text| parse_session(text).is_some())
}

/// The outcome of a document in one session, while it is read.
struct SessionPart<'a> {
    session: &'static str,
    marker: &'a str,
    lines: Vec<&'a ParagraphPiece>,
}

#[derive(Default)]
struct EntryReportReader<'a> {
    decisions: Vec<UnanchoredDecision>,
    agenda_item: Option<String>,
    heading: Option<String>,
    recorded_under: Option<TdocId>,
    title: String,
    part: Option<SessionPart<'a>>,
}

/// Finds the outcome of each document.
pub(super) fn find_entry_decisions(pieces: &[Piece]) -> Vec<UnanchoredDecision> {
    let mut reader = EntryReportReader::default();
    for line in iter_paragraphs(pieces) {
        reader.handle_line(line);
    }
    reader.close_part();
    reader.decisions
}

impl<'a> EntryReportReader<'a> {
    fn handle_line(&mut self, line: &'a ParagraphPiece) {
        let text = line.text.trim();
        if let Some((id, title)) = parse_entry(text) {
            self.close_part();
            (self.recorded_under, self.title) = (Some(id), title.to_owned());
            return;
        }
        if matches!(line.kind, PieceKind::Heading(_)) {
            self.close_part();
            (self.recorded_under, self.title) = (None, String::new());
            let typed = NUMBER.captures(text).map(|found| found[1].to_owned());
            let printed = line.label.as_deref().map(|label| label.trim_end_matches('.').to_owned());
            let number = printed.filter(|label| NUMBER.is_match(label)).or(typed.clone());
            self.agenda_item = number.or(self.agenda_item.take());
            let title = text.strip_prefix(typed.as_deref().unwrap_or_default()).unwrap_or(text);
            self.heading = Some(title.trim_start_matches(['.', ' ']).to_owned());
            return;
        }
        if let Some(session) = parse_session(text) {
            self.close_part();
            self.part = Some(SessionPart { session, marker: text, lines: Vec::new() });
            return;
        }
        if let Some(part) = &mut self.part
            && !text.is_empty()
        {
            part.lines.push(line);
        }
    }

    /// Ends the part: it is a decision if it states the outcome of the document.
    fn close_part(&mut self) {
        let Some(part) = self.part.take() else { return };
        let (Some(first), Some(last)) = (part.lines.first(), part.lines.last()) else { return };
        let quote: Vec<&str> = part.lines.iter().map(|line| line.text.trim()).collect();
        let quote = quote.join("\n");
        let outcome = outcome_of(&quote);
        let of_document =
            outcome.map(|outcome| (decision_kind("", &self.title, Some(outcome)), quote.clone()));
        let agreed = agreed_sentences(&quote).into_iter();
        let agreed = agreed.map(|sentence| (DecisionType::Agreement, sentence.to_owned()));
        let all = agreed.chain(of_document).map(|(kind, quote)| UnanchoredDecision {
            kind,
            outcome: if kind.is_text() { None } else { outcome },
            marker: part.marker.to_owned(),
            quote,
            is_cut: false,
            end_uncertain: false,
            is_coloured: false,
            shows_own_meeting: false,
            doubt: None,
            first: (first.ordinal, first.breaks),
            last: last.ordinal,
            agenda_item: self.agenda_item.clone(),
            heading: self.heading.clone(),
            recorded_under: self.recorded_under.clone(),
            session: Some(part.session.to_owned()),
            part_of: None,
            basis: None,
        });
        self.decisions.extend(all);
    }
}

/// The document of an entry, with its title: `TD S2-9900001 (CR) 23.901 CR0007: Beams. (Source: Example)`. Without
/// `TD` and without a source, it is only a mention.
fn parse_entry(text: &str) -> Option<(TdocId, &str)> {
    let found = ENTRY.captures(text)?;
    let title = found.get(3)?.as_str();
    let is_entry = found.get(1).is_some() || title.to_lowercase().contains("source");
    let id = found[2].parse().ok()?;
    if !is_entry {
        return None;
    }
    Some((id, title.lines().next().unwrap_or_default()))
}

fn parse_session(text: &str) -> Option<&'static str> {
    match text.trim_end_matches([':', ' ']).to_lowercase().as_str() {
        "parallel session" => Some("parallel"),
        "plenary session" => Some("plenary"),
        "discussion and conclusion" => Some("discussion"),
        _ => None,
    }
}

/// The outcome of the document itself: that another one replaced it (the rest is about that one), else the last
/// sentence that begins with an outcome, else the mark of the secretary, else any sentence that is not a condition
/// and not about another group. A document that the secretary marks as open has no outcome yet.
fn outcome_of(quote: &str) -> Option<DocumentOutcome> {
    let bare = SECRETARY_MARK.replace_all(quote, " ");
    let sentences = bare.split(['.', '\n']).map(str::trim);
    let sentences: Vec<&str> =
        sentences.filter(|sentence| !COMES_FROM.is_match(sentence)).collect();
    let said = sentences
        .iter()
        .filter(|sentence| ![" will be ", " not "].iter().any(|word| sentence.contains(word)));
    let gone = said
        .filter_map(|sentence| REPLACED.captures(sentence).filter(|found| is_done(found, sentence)))
        .next();
    if let Some(gone) = gone {
        return outcome_in(&gone["what"]);
    }
    let own = sentences.iter().rev().find_map(|sentence| own_outcome_in(sentence));
    let is_open = |mark: &str| mark.trim_end_matches('>').ends_with("OPEN");
    let marks = || SECRETARY_MARK.find_iter(quote).map(|mark| mark.as_str());
    let mark = marks().filter(|mark| is_open(mark) || outcome_in(mark).is_some()).last();
    if mark.is_some_and(is_open) {
        // The document that replaces it is open.
        return own.filter(|own| matches!(own, DocumentOutcome::Revised | DocumentOutcome::Merged));
    }
    let is_sure = |sentence: &&&str| !NOT_YET.is_match(sentence) && !BY_OTHERS.is_match(sentence);
    own.or_else(|| mark.and_then(outcome_in)).or_else(|| {
        sentences.iter().rev().filter(is_sure).find_map(|sentence| weak_outcome_in(sentence))
    })
}

/// The outcome of the document in a sentence that begins with it.
fn own_outcome_in(sentence: &str) -> Option<DocumentOutcome> {
    let begin = BEGINS_WITH_OUTCOME.find(sentence)?;
    let end = REASON.find_at(sentence, begin.end()).map_or(sentence.len(), |found| found.start());
    let said = &sentence[..end];
    let is_unsure = NOT_YET.is_match(begin.as_str()) || CONDITION.is_match(said);
    if is_unsure || BY_OTHERS.is_match(said) {
        return None;
    }
    match AGREED_TO.captures(said) {
        // "It was not agreed to note the document" leaves its outcome open.
        Some(agreed) if agreed.name("not").is_some() => None,
        Some(agreed) => agreed.name("verb").and_then(|verb| outcome_of_verb(verb.as_str())),
        None => outcome_in(said),
    }
}

/// Whether a sentence says that another document replaced this one, not that it may.
fn is_done(found: &regex::Captures<'_>, sentence: &str) -> bool {
    found.name("what").is_none_or(|what| !IF_REPLACED.is_match(&sentence[..what.start()]))
}

/// The outcome for a verb after "agreed to": `note`, `noted`.
fn outcome_of_verb(verb: &str) -> Option<DocumentOutcome> {
    let verb = verb.to_lowercase();
    let mut verbs = OUTCOME_VERBS.iter();
    let found = verbs.find(|(outcome, _)| *outcome == verb).map(|(_, outcome)| *outcome);
    found.or_else(|| outcome_in(&verb))
}

/// The outcome of the document in any other sentence. "Agreed" does not count, because anything may be agreed there.
fn weak_outcome_in(sentence: &str) -> Option<DocumentOutcome> {
    use DocumentOutcome::{Agreed, Approved, Endorsed};
    use domain::DocumentOutcome;
    let verb = AGREED_TO.captures(sentence).and_then(|agreed| agreed.name("verb"));
    let to_do = verb.and_then(|verb| outcome_of_verb(verb.as_str()));
    let outcome = to_do.or_else(|| outcome_in(sentence));
    outcome.filter(|outcome| to_do.is_some() || ![Agreed, Approved, Endorsed].contains(outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_say_what_became_of_each_document() {
        let line = |ordinal: u32, text: &str| {
            Piece::Paragraph(ParagraphPiece {
                ordinal,
                text: text.to_owned(),
                ..ParagraphPiece::default()
            })
        };
        let mut pieces = vec![Piece::Paragraph(ParagraphPiece {
            kind: PieceKind::Heading(2),
            ..ParagraphPiece {
                ordinal: 1,
                text: "6.5 Sessions".to_owned(),
                ..ParagraphPiece::default()
            }
        })];
        for (at, (title, said)) in [
            ("23.901 CR0007: Beams", "Revised to TD S2-9900011. <RETURN - OPEN>"),
            ("23.901 CR0008: Rays", "Some asked. Others answered. This CR was noted."),
            ("LS OUT on rays", "Agreed. <PARALLEL - AGREED>"),
            ("(DISCUSSION) Waves", "This was left open. <RETURN - OPEN>"),
            ("(P-CR) Paths", "It was asked. <PARALLEL - AGREED>"),
            ("(P-CR) Ways", "Left for off-line work and revised in TD S2-9900012. Agreed."),
            (
                "LS In on ways",
                "Postponed TD S2-9800001 from S2#98. Response drafted in S2-9900013.",
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let from = at as u32 * 10 + 10;
            pieces.push(line(from, &format!("TD S2-990000{at} {title}. (Source: Example).")));
            pieces.push(line(from + 1, "Discussion and conclusion:"));
            pieces.push(line(from + 2, "Parallel session:"));
            pieces.push(line(from + 3, said));
            pieces.push(line(from + 4, "Plenary session:"));
            pieces.push(line(from + 5, ""));
        }
        assert!(has_document_entries(&pieces));
        let found = find_entry_decisions(&pieces);
        let told: Vec<_> = found
            .iter()
            .map(|f| (f.recorded_under.as_ref().map_or("", TdocId::as_str), f.kind, f.outcome))
            .collect();
        use DecisionType::{ChangeRequest, LiaisonStatement, Noted};
        assert_eq!(
            told,
            [
                ("S2-9900000", ChangeRequest, Some(DocumentOutcome::Revised)),
                ("S2-9900001", Noted, Some(DocumentOutcome::Noted)),
                ("S2-9900002", LiaisonStatement, Some(DocumentOutcome::Agreed)),
                ("S2-9900004", ChangeRequest, Some(DocumentOutcome::Agreed)),
                ("S2-9900005", ChangeRequest, Some(DocumentOutcome::Revised)),
            ]
        );
        assert_eq!(found[0].agenda_item.as_deref(), Some("6.5"));
        assert_eq!((found[0].first.0, found[0].session.as_deref()), (13, Some("parallel")));
    }
    #[test]
    fn an_outcome_is_what_this_meeting_did_with_the_document_itself() {
        use DocumentOutcome::{Agreed, Approved, Endorsed, Merged, Noted, Postponed, Revised};
        use domain::DocumentOutcome;
        for (quote, expected) in [
            ("It can be approved if a revision is made. <RETURN - OPEN>", None),
            ("SA WG3 agreed a similar CR. This was left for off-line work.", None),
            ("This was agreed in SA2#98 and is submitted again. Left for off-line work.", None),
            ("It was clarified that the CR was approved by TSG SA.", None),
            ("This will be approved at the closing plenary.", None),
            ("The Chair asked to mark it as agreed tomorrow. <RETURN - OPEN>", None),
            ("The Chair asked to mark it as agreed tomorrow.", None),
            ("If not revised it is withdrawn.", None),
            ("If revised to TD S2-9900012 it may be agreed.", None),
            ("Operators agreed on the principle.", None),
            ("Example said that this is endorsed by operators.", None),
            ("Approved if nobody objects.", None),
            ("Noted. Opened again at request of Example. <RETURN - OPEN>", None),
            ("Agreed. <PARALLEL - AGREED> Opened again. <RETURN - OPEN>", None),
            ("It was agreed to discuss this off-line.", None),
            ("SA WG3 noted the beams. Left for off-line work.", None),
            ("It was agreed that the CR of Example should be approved.", None),
            ("It was agreed that beams are wide.", None),
            ("It was agreed to note the document.", Some(Noted)),
            ("After a discussion it was agreed to postpone this.", Some(Postponed)),
            ("The CR was approved and will be updated.", Some(Approved)),
            ("It will be noted and approved tomorrow.", None),
            ("Revised as TS 23.901 CR0007 in TD S2-9900012. <RETURN - OPEN>", Some(Revised)),
            ("Noted as TSG SA approved the beams.", Some(Noted)),
            ("This CR was agreed.", Some(Agreed)),
            ("Example asked. This was approved.", Some(Approved)),
            ("The LS was approved and sent to SA WG3.", Some(Approved)),
            ("Example asked for time. <PARALLEL - ENDORSED>", Some(Endorsed)),
            ("Left for work. <RETURN - OPEN> Closed. <PARALLEL - AGREED>", Some(Agreed)),
            ("Example asked. The CR had been merged.", Some(Merged)),
            ("Revised in TD S2-9900012. <RETURN - OPEN>", Some(Revised)),
            ("After a long discussion the CR was noted.", Some(Noted)),
        ] {
            assert_eq!(outcome_of(quote), expected, "{quote}");
        }
    }
}
