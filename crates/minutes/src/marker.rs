//! Words that mark a decision: `Agreement`, `Working assumption:`, `Conclusion (Thursday):`.

use std::sync::LazyLock;

use regex::Regex;

use domain::{DecisionType, MEETING_SUFFIX_PATTERN, WEEKDAY_PATTERN};
use word::{Highlight, ParagraphPiece};

/// A marker at the beginning of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker<'a> {
    pub(super) kind: DecisionType,
    /// The words of the marker, with the brackets after them.
    pub(super) words: &'a str,
    /// The rest of the paragraph.
    pub(super) rest: &'a str,
    /// The weekday before it.
    pub(super) day: Option<&'a str>,
    /// The meeting that it names: `RAN1#117`.
    pub(super) meeting: Option<&'a str>,
    /// The group that it names: `RAN2`.
    pub(super) group: Option<&'a str>,
    /// Whether its words have the colour of a decision: green, or dark yellow for a working assumption.
    pub(super) is_coloured: bool,
    /// Whether it may be a title: "Conclusion on beams", without a colour and a colon.
    pub(super) is_like_title: bool,
}

/// Maximum length of a title in a marker; a longer one is a sentence that contains the decision.
const MAX_TITLE_BYTES: usize = 160;
/// Maximum length of the topic of a conclusion that only its words mark: nothing else tells it from a sentence.
const MAX_TOPIC_BYTES: usize = 60;

impl Marker<'_> {
    /// Whether it is an agreement of an offline discussion: "Offline agreement:".
    pub(super) fn is_offline(&self) -> bool {
        self.words.get(.."offline".len()).is_some_and(|word| word.eq_ignore_ascii_case("offline"))
    }
}

/// The name of a meeting: `RAN1#117`, `RAN WG1 #104-e-bis`. The suffix belongs to it: #104-bis-e is not #104.
pub(super) static MEETING_NAME: LazyLock<String> = LazyLock::new(|| {
    format!(
        r"(?:RAN|SA|CT|GERAN)\s?(?:WG)?\s?\d?\s?#\s?\d+(?:{MEETING_SUFFIX_PATTERN}(?:\b|_)|[\w-]*)"
    )
});
/// Words that may precede a marker.
const MARKER_QUALIFIERS: &str =
    r"updated|revised|modified|additional|further|new|final|confirmed|offline|online|the following";

static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^[\[(]?(?:(?P<group>(?:RAN|SA|CT)\d)(?:['\u{{2019}}]s)?\s+)?(?:(?P<before>[A-Z]{{2,4}}\d?\s?#\s?\d[\w-]*)\s+)?(?:(?P<day>{WEEKDAY_PATTERN})(?:['\u{{2019}}]s)?\s+(?:session\s+)?)?(?:(?:{MARKER_QUALIFIERS})\s+)*(?P<word>agreements?|working\s+assumptions?|conclusions?)(?:\s*#?\s*\d{{1,2}}[a-z]?\b)?[\])]?(?P<note>\s*[(\[][^)\]]{{1,120}}[)\]])?[^\S\n]*(?P<colon>[:\u{{ff1a}}.])?"
    ))
});
/// A meeting that a marker names: "Agreement (RAN1#117)", "Agreement in RAN1#117".
static OTHER_MEETING: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"\b{}", *MEETING_NAME)));
/// "Working assumption is confirmed:".
static CONFIRMED: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(?:is|are)\s+(?:re-?)?confirmed\b"));
/// The preposition before the topic of an agreement: "Agreements for beams:".
static TOPIC_PREPOSITION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^(?:for|on|about|regarding|related\s+to|with\s+respect\s+to)\b")
});
/// Words for something that is still to be agreed: "Agreements for online discussion:".
static NOT_YET: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:discussions?|approval|consideration|offline|online|endorsement|proposals?|review)\b",
    )
});
/// Verbs, which make it a sentence: "Agreement on beams is needed".
static VERB: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:is|are|was|were|be|been|has|have|had|can|could|will|would|shall|should|may|do|does)\b",
    )
});
/// "Agreement", "Agreemens", "Aggreement". Misspelt words count only in colour: in plain text they may be anything.
static AGREEMENT_WORD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^a\w{0,2}gr\w{1,3}m\w{1,4}$"));
/// "Working assumption", "Workign asumption", "WA".
static ASSUMPTION_WORDS: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(?:work\w{2,4}[\s-]as\w{4,9}|WA)$"));
/// "Conclusion", "Conlcusion".
static CONCLUSION_WORD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^con(?:c\w{0,2}l|lc)\w{1,4}ions?$"));
static UNDECIDED_HEADING: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^[\[(]?(?:[\w-]+['\u{2019}]?s?\s+){0,2}(?:possible|proposed|potential|tentative|candidate|draft|suggested|previous|earlier|past|existing|relevant|related|prior|last\s+meeting['\u{2019}]?s?)\s+(?:\w+\s+){0,2}(?:agreements?|working\s+assumptions?|conclusions?|observations?|decisions?)(?:\s+(?:made|reached|taken|achieved))?(?:\s+(?:in|from|at|of|on|by)\s+(?:the\s+)?[\w#-]+(?:\s+meetings?|\s+and\s+[\w#-]+)*)?\s*(?:\([^)]*\))?\s*:?$",
    )
});

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Reads the marker that a paragraph begins with.
pub(super) fn parse_line_marker<'a>(line: &ParagraphPiece, text: &'a str) -> Option<Marker<'a>> {
    if !has_marker_colour(line) {
        return parse_marker(text, false);
    }
    // A colour farther on belongs to other words.
    let is_behind = |marker: &Marker<'_>| {
        let visible = marker.words.chars().filter(|c| !c.is_whitespace()).count();
        line.highlight_start as usize >= visible
    };
    match parse_marker(text, true) {
        Some(marker) if is_behind(&marker) => parse_marker(text, false),
        Some(marker) => Some(marker),
        None => parse_coloured_word(line, text),
    }
}

/// A marker of which only the words have the colour: "Agreement" before a text without a colon, or misspelt.
fn parse_coloured_word<'a>(line: &ParagraphPiece, text: &'a str) -> Option<Marker<'a>> {
    if line.highlight_start > 0 {
        return None;
    }
    let visible = text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let end = visible.take(line.highlight_chars as usize).last();
    let end = end.map_or(0, |(start, c)| start + c.len_utf8());
    let (words, rest) = (text[..end].trim(), text[end..].trim());
    let plain = words.trim_end_matches([':', ';', ',', '.', ' ']);
    let kind = match plain {
        plain if AGREEMENT_WORD.is_match(plain) => DecisionType::Agreement,
        plain if ASSUMPTION_WORDS.is_match(plain) => DecisionType::WorkingAssumption,
        plain if CONCLUSION_WORD.is_match(plain) => DecisionType::Conclusion,
        _ => return None,
    };
    Some(Marker {
        kind,
        words,
        rest,
        day: None,
        meeting: None,
        group: None,
        is_coloured: true,
        is_like_title: false,
    })
}

/// Whether words of a paragraph have the colour of a decision.
pub(super) fn has_marker_colour(line: &ParagraphPiece) -> bool {
    matches!(line.highlight, Some(Highlight::Green | Highlight::DarkYellow))
}

/// Reads the marker that a text begins with; `is_coloured` says that its first words have the colour of one.
pub(super) fn parse_marker(text: &str, is_coloured: bool) -> Option<Marker<'_>> {
    let found = MARKER.captures(text)?;
    let whole = found.get(0)?;
    let word = found.name("word")?;
    let rest = text[whole.end()..].trim();
    // "Conclusions of the study" and "Agreement on A" are titles or sentences.
    let has_colon = found.name("colon").is_some_and(|mark| mark.as_str() != ".");
    let ends = rest.is_empty() || has_colon || text[whole.end()..].starts_with('\n');
    // "Agreements: For the agreements made in RAN1#94 as below:" has its text after the colon.
    let is_text = has_colon && rest.starts_with(char::is_alphabetic) && !begins_with_meeting(rest);
    let names_meeting = is_coloured && rest.len() <= 60 && OTHER_MEETING.is_match(rest) && !is_text;
    let is_on = rest.len() <= 80
        && !has_colon
        && (is_coloured || rest.ends_with(':') && !NOT_YET.is_match(rest))
        && TOPIC_PREPOSITION.is_match(rest)
        && !VERB.is_match(rest);
    // "Agreement - 28 October" in the colour of one.
    let is_dashed = is_coloured && rest.len() <= 40 && rest.starts_with(['-', '\u{2013}']);
    // "Conclusion to be captured in the technical report:", "Working assumption is confirmed:".
    let leads_on = is_coloured
        && !has_colon
        && rest.len() <= MAX_TITLE_BYTES
        && rest.ends_with(':')
        && !NOT_YET.is_match(rest);
    let plain = word.as_str().to_ascii_lowercase();
    let is_like_title = !(is_coloured || has_colon || is_on)
        && plain.starts_with('c')
        && rest.len() <= MAX_TOPIC_BYTES
        && !rest.ends_with('.')
        && TOPIC_PREPOSITION.is_match(rest)
        && !VERB.is_match(rest)
        && !NOT_YET.is_match(rest);
    let is_titled = names_meeting || is_on || is_dashed || leads_on || is_like_title;
    if !ends && !is_titled {
        return None;
    }
    let is_confirmed = is_titled && CONFIRMED.is_match(rest);
    let kind = match plain.as_bytes().first() {
        Some(b'a') => DecisionType::Agreement,
        Some(b'w') if is_confirmed => DecisionType::Agreement,
        Some(b'w') => DecisionType::WorkingAssumption,
        _ => DecisionType::Conclusion,
    };
    // "Agreements: (modified on Thursday as shown)": the brackets are about the marker.
    let is_note = rest.starts_with('(') && rest.ends_with(')') && !rest[1..].contains('(');
    let (words, rest) =
        if is_titled || is_note { (text.trim(), "") } else { (whole.as_str(), rest) };
    let named = found.name("before").map(|before| before.as_str());
    Some(Marker {
        kind,
        words: words.trim(),
        rest,
        day: found.name("day").map(|day| day.as_str()),
        group: found.name("group").map(|group| group.as_str()),
        meeting: named.or_else(|| OTHER_MEETING.find(words).map(|meeting| meeting.as_str())),
        is_coloured,
        is_like_title,
    })
}

fn begins_with_meeting(text: &str) -> bool {
    OTHER_MEETING.find(text).is_some_and(|meeting| meeting.start() == 0)
}

/// The meeting that a text names: `RAN1#117`.
pub(super) fn meeting_in(text: &str) -> Option<&str> {
    meetings_in(text).next()
}

/// All meetings that a text names.
pub(super) fn meetings_in(text: &str) -> impl Iterator<Item = &str> {
    OTHER_MEETING.find_iter(text).map(|meeting| meeting.as_str())
}

/// Whether a paragraph is the heading of possible or earlier agreements, which are not decisions of the meeting. A
/// longer one is a sentence.
pub(super) fn is_undecided_heading(text: &str) -> bool {
    text.len() <= 160 && UNDECIDED_HEADING.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read_in_all_their_forms() {
        use DecisionType::{Agreement, Conclusion, WorkingAssumption};
        use domain::DecisionType;
        for (text, coloured, kind, words, rest) in [
            ("Agreement", true, Agreement, "Agreement", ""),
            ("Agreements: ", false, Agreement, "Agreements:", ""),
            ("Agreement: A is done", false, Agreement, "Agreement:", "A is done"),
            (
                "Agreements: (from a summary in R1-9900001)",
                true,
                Agreement,
                "Agreements: (from a summary in R1-9900001)",
                "",
            ),
            (
                "Agreements (modified on Thursday as shown):",
                true,
                Agreement,
                "Agreements (modified on Thursday as shown):",
                "",
            ),
            ("Updated agreement", true, Agreement, "Updated agreement", ""),
            ("Thursday Agreement", true, Agreement, "Thursday Agreement", ""),
            ("[Working Assumption]", true, WorkingAssumption, "[Working Assumption]", ""),
            ("Working assumption: A", false, WorkingAssumption, "Working assumption:", "A"),
            ("Conclusion", false, Conclusion, "Conclusion", ""),
            ("Conclusions:", false, Conclusion, "Conclusions:", ""),
            ("Agreement#2: A is done", false, Agreement, "Agreement#2:", "A is done"),
            ("Agreement 1", true, Agreement, "Agreement 1", ""),
            ("Agreements for beams:", false, Agreement, "Agreements for beams:", ""),
            ("Agreement \u{2013} 28 October", true, Agreement, "Agreement \u{2013} 28 October", ""),
            ("RAN1 agreements:", false, Agreement, "RAN1 agreements:", ""),
            ("Conclusion on beams", true, Conclusion, "Conclusion on beams", ""),
        ] {
            let found = parse_marker(text, coloured);
            let found = found.as_ref().map(|m| (m.kind, m.words, m.rest));
            assert_eq!(found, Some((kind, words, rest)), "{text}");
        }
    }

    #[test]
    fn sentences_and_titles_are_no_markers() {
        for text in [
            "Agreement on beams is needed",
            "Agreement on beams",
            "Agreements for online discussion:",
            "Agreement for approval:",
            "Conclusion 3 dB are enough",
            "Working assumption on beams in the table",
            "Conclusion of the discussion",
            "The agreement: A",
            "Possible agreements:",
            "Agreed",
        ] {
            assert_eq!(parse_marker(text, false), None, "{text}");
        }
    }

    #[test]
    fn agreements_of_other_meetings_say_so() {
        let meeting = |text: &str| {
            parse_marker(text, true).and_then(|marker| marker.meeting.map(str::to_owned))
        };
        assert_eq!(meeting("RAN1#117 Agreement").as_deref(), Some("RAN1#117"));
        assert_eq!(meeting("Agreement (RAN1#116bis)").as_deref(), Some("RAN1#116bis"));
        assert_eq!(meeting("Agreement in RAN1#116").as_deref(), Some("RAN1#116"));
        assert_eq!(meeting("Agreement"), None);
    }

    #[test]
    fn what_might_be_agreed_is_told_apart() {
        for text in [
            "Possible agreements:",
            "Proposed agreement",
            "Potential Working Assumption:",
            "Possible RAN1 conclusions:",
            "Moderator's proposed conclusion:",
            "Previous agreements",
        ] {
            assert!(is_undecided_heading(text), "{text}");
        }
        for text in [
            "Agreement: the proposed values are used",
            "Extend the previous agreements to other modes as follows.",
            "Previous agreement made in RAN1#117 is updated as:",
        ] {
            assert!(!is_undecided_heading(text), "{text}");
        }
    }
}
