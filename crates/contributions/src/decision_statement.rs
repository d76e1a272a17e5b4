//! What a decision says about earlier decisions: "Confirm the following working assumption", "The agreement of RAN1#98
//! is revised as follows". Only words that decide count: "can be confirmed" and "whether to revert" decide nothing.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use domain::{DecisionRelation, DecisionType, Group, MeetingId};

/// Maximum length of a line that says something about another decision, in bytes; a longer one is a text of its own.
const MAX_LINE_BYTES: usize = 400;
/// Maximum number of lines of a decision that are read: it says what it does in its first lines and its notes.
const MAX_LINES: usize = 60;
/// Maximum number of statements of one decision.
const MAX_STATEMENTS: usize = 4;

/// An earlier decision.
const NOUN: &str = r"\b(?P<noun>agreements?|work(?:ing)?\s+assumptions?|WAs?|conclusions?)\b";
/// What may precede the words: a bullet, a label, the group.
const START: &str = r"^[\s\W]*(?:(?:chair(?:man)?['\u{2019}]?s?\s+)?(?:note|decision)\s*\d?\s*:\s*)?(?:(?:RAN|SA|CT)\s?\d\s+)?";
/// Words between a verb and what it is about.
const GAP: &str = r"[^:;]{0,70}?";
const IS: &str = r"\b(?:is|are|was|were|has\s+been|have\s+been)\s+(?:also\s+|further\s+|hereby\s+|therefore\s+)?";

/// A form of words, and the relation that it states.
struct StatementForm {
    relation: DecisionRelation,
    pattern: Regex,
}

static FORMS: LazyLock<Vec<StatementForm>> = LazyLock::new(|| {
    let revise = r"(?:update|revise|modif[yi]|replace|amend|correct|refine|supersede)";
    let revert = r"(?:revert|withdraw|revoke|overturn|overrule|void|cancel|rescind)";
    let done_revert =
        r"(?:reverted|withdrawn|revoked|overturned|overruled|voided|cancell?ed|rescinded)";
    let form = |relation, pattern: String| StatementForm { relation, pattern: compile(&pattern) };
    use DecisionRelation::{Completes, Confirms, Reverts, Revises};
    vec![
        form(
            Completes,
            format!(r"\bFFS\b[^;]{{0,100}}?{IS}(?:resolved|closed|answered|addressed|settled)\b"),
        ),
        form(
            Completes,
            format!(r"{START}(?:resolve|close|settle)s?\s+(?:the\s+)?[^:;]{{0,40}}?\bFFS\b"),
        ),
        form(Reverts, format!(r"(?:{START}|,\s){revert}s?\s+{GAP}{NOUN}")),
        form(Reverts, format!(r"\bthis\s+(?:agreement\s+|decision\s+)?{revert}s\s+{GAP}{NOUN}")),
        form(Reverts, format!(r"{START}{GAP}{NOUN}[^:;]{{0,100}}?{IS}{done_revert}\b")),
        form(Confirms, format!(r"(?:{START}|,\s)(?:re-?)?confirms?\s+{GAP}{NOUN}")),
        form(Confirms, format!(r"{START}{GAP}{NOUN}[^:;]{{0,140}}?{IS}(?:re-?)?confirmed\b")),
        form(Revises, format!(r"(?:{START}|,\s){revise}s?\s+{GAP}{NOUN}")),
        form(
            Revises,
            format!(
                r"\bthis\s+(?:agreement\s+)?(?:{revise}e?s|is\s+an?\s+(?:update|revision|modification|correction)\s+(?:to|of))\s+{GAP}{NOUN}"
            ),
        ),
        form(
            Revises,
            format!(
                r"{START}{GAP}{NOUN}[^:;]{{0,100}}?{IS}(?:updated|revised|modified|replaced|amended|corrected|refined|superseded|changed)\b"
            ),
        ),
    ]
});
/// A verb of the forms: most lines have none, and are not compared with each form.
static MAY_STATE: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"confirm|updat|revis|modif|replac|amend|correct|refin|supersed|chang|revert|withdr|revok|overturn|overrul|void|cancel|rescind|resolve|close|answered|addressed|settle",
    )
});
/// "the agreement on beams of two users as follows"
static TOPIC: LazyLock<Regex> = LazyLock::new(|| {
    let origin = r"(?:\([^)]*\)|(?:made\s+)?(?:in|from|of|at)\s+(?:RAN|SA|CT)[^\s]*(?:\s#\S+)?)\s+";
    compile(&format!(
        r"{NOUN}\s+(?:{origin})?(?:on|for|regarding|about)\s+(?P<topic>[^:;.]{{1,120}}?)(?:\s+(?:as\s|is\b|are\b|with\s|by\s|below|from\s+RAN|made\s|in\s+RAN|and\s+(?:remove|replace|modify|update)).*)?\W*$"
    ))
});
/// The text of an earlier decision in the line that names it: "that beams are wide", "\u{201c}Beams are wide\u{201d}".
static INLINE: LazyLock<Regex> =
    LazyLock::new(|| compile("^\\W*?(?:\\bthat\\b|[\"\u{201c}\u{201f}])(?P<text>.+)$"));
/// Words before the verb that decide nothing.
static UNDECIDED: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:not|cannot|no|whether|if|once|when|unless|until|already|option\s*\d|alt|propos\w*|stud(?:y|ied)|discuss\w*|consider|(?:can|could|may|might|should|would|will|shall|to)\s+(?:also\s+)?be)\b|n['\u{2019}]t\b",
    )
});
/// A condition right after the verb or what it is about.
static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"^\W*(?:(?:only\s+)?(?:if|when)|once|unless|until|provided|by\s+the\s+end)\b")
});
/// An open item, which decides nothing.
static OPEN_ITEM: LazyLock<Regex> = LazyLock::new(|| compile(r"^[\s\W]*FFS\b"));
/// A part of a decision: what changes it leaves the rest.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:bullets?|sub-?bullets?|notes?|part|sentence|words?|brackets?|value|row|entry|parameter)\b",
    )
});
/// The decision just before: "The above agreement is reverted".
static ABOVE: LazyLock<Regex> = LazyLock::new(|| compile(r"\babove\b"));
/// "with the following modification", "as follows", "with updates in red".
static MODIFIES: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:with|by|subject\s+to)\b.{0,60}\b(?:modif\w+|updat\w+|revis\w+|chang\w+|correct\w+|exceptions?|clarif\w+|refine\w*|edits?|amend\w*|addition\w*|remov\w+)\b|\brevised\s+text\b|\band\s+(?:remove|replace|modify|update|revise)\b",
    )
});
/// A marker of an earlier decision within the text of another.
static QUOTED_MARKER: LazyLock<Regex> = LazyLock::new(|| {
    compile(&format!(
        r"^\W*{NOUN}\s*(?:#?\s?\d{{1,2}}\b)?\s*(?:[\[(][^\])]{{1,80}}[\])]|(?:of|in|from|at)\s.{{1,40}})?\W*$"
    ))
});
/// The name of a meeting of a group: `RAN1#118bis`, `RAN1 #106-bis-e`, `RAN WG1 #98`.
static MEETING: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?P<tsg>RAN|SA|CT)\s?(?:WG\s?)?(?P<wg>\d)\s?#\s?(?P<label>\d+(?:-?(?:bis|b|ter|e)\b|(?:bis|b)-?e\b){0,2}(?:-e\b)?)",
    )
});

fn compile(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// What a decision says about an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// Confirms, revises, reverts, completes or quotes.
    pub(crate) relation: DecisionRelation,
    /// The kind of the earlier one.
    pub(crate) kind: DecisionType,
    /// Whether it is about several.
    pub(crate) is_plural: bool,
    /// The meetings of the group that it names.
    pub(crate) meetings: Vec<MeetingId>,
    /// The earlier one is just before the words.
    pub(crate) is_above: bool,
    /// The words are the first line of the decision.
    pub(crate) is_first_line: bool,
    /// What the earlier one is about, as the words say: "on beams of two users".
    pub(crate) topic: String,
    /// It changes what it confirms.
    pub(crate) modifies: bool,
    /// The words that say so.
    pub(crate) words: String,
    /// The text that follows, which may quote the earlier one.
    pub(crate) block: String,
}

/// The meetings of a group that a text names.
pub(crate) fn named_meetings(text: &str, group: Group) -> Vec<MeetingId> {
    let own = group.name().to_ascii_uppercase();
    let parse = |found: Captures<'_>| {
        let name = format!("{}{}", found["tsg"].to_ascii_uppercase(), &found["wg"]);
        (name == own).then(|| MeetingId::new(group, &found["label"])).flatten()
    };
    MEETING.captures_iter(text).filter_map(parse).collect()
}

/// Reads a line that says what a decision does to an earlier one.
fn parse_line(line: &str, group: Group) -> Option<Statement> {
    if line.len() > MAX_LINE_BYTES || !MAY_STATE.is_match(line) {
        return None;
    }
    let mut forms = FORMS.iter();
    let (form, found) = forms.find_map(|form| Some((form, form.pattern.captures(line)?)))?;
    let whole = found.get(0)?;
    let is_open = form.relation != DecisionRelation::Completes && OPEN_ITEM.is_match(line);
    let tail = line.get(whole.end()..).unwrap_or_default();
    let before = line.get(..whole.end()).unwrap_or(line);
    if is_open || UNDECIDED.is_match(before) || CONDITION.is_match(tail) {
        return None;
    }
    let noun = found.name("noun").map_or("agreement", |noun| noun.as_str());
    // Without the label of the line: "Note: this reverts ...".
    let unlabelled = whole.as_str().rsplit(':').next().unwrap_or_default();
    let is_partial = form.relation == DecisionRelation::Reverts && PART.is_match(unlabelled);
    let inline = match (tail.split_once(':'), INLINE.captures(tail)) {
        (Some((_, text)), _) => text.trim(),
        (None, Some(found)) => found.name("text").map_or("", |text| text.as_str()),
        (None, None) => "",
    };
    let says = tail
        .split_once(':')
        .map_or(line, |(before, _)| line.get(..whole.end() + before.len()).unwrap_or(line));
    let rest = if inline.is_empty() { String::new() } else { inline.to_owned() };
    Some(Statement {
        relation: if is_partial { DecisionRelation::Revises } else { form.relation },
        kind: DecisionType::of_noun(noun),
        is_plural: noun.ends_with(['s', 'S']),
        meetings: named_meetings(says, group),
        is_above: ABOVE.is_match(whole.as_str()),
        is_first_line: false,
        topic: TOPIC.captures(says).map_or_else(String::new, |topic| topic["topic"].to_owned()),
        modifies: MODIFIES.is_match(says),
        words: line.trim().to_owned(),
        block: rest,
    })
}

/// A quoted decision with its marker, without words about it.
fn parse_marker(line: &str, group: Group) -> Option<Statement> {
    let found = QUOTED_MARKER.captures(line)?;
    let noun = &found["noun"];
    Some(Statement {
        relation: DecisionRelation::Quotes,
        kind: DecisionType::of_noun(noun),
        is_plural: false,
        meetings: named_meetings(line, group),
        is_above: false,
        is_first_line: false,
        topic: String::new(),
        modifies: false,
        words: line.trim().to_owned(),
        block: String::new(),
    })
}

/// What a decision says about earlier ones, in the order of its text.
pub(crate) fn read_statements(quote: &str, group: Group) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    // A marker below the words about it begins the quotation; a later one begins another.
    let mut has_marker = false;
    for (index, line) in quote.lines().take(MAX_LINES).enumerate() {
        let is_full = statements.len() >= MAX_STATEMENTS;
        let stated = if is_full || has_marker { None } else { parse_line(line, group) };
        if let Some(statement) = stated {
            statements.push(Statement { is_first_line: index == 0, ..statement });
        } else if let Some(marker) = parse_marker(line, group) {
            match statements.last_mut() {
                Some(about) if !has_marker || about.is_plural => {
                    about.meetings.extend(marker.meetings);
                }
                _ if !is_full => statements.push(marker),
                _ => {}
            }
            has_marker = true;
        } else if let Some(last) = statements.last_mut() {
            last.block.push('\n');
            last.block.push_str(line);
        }
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecisionRelation::{Completes, Confirms, Quotes, Reverts, Revises};

    fn relations(text: &str) -> Vec<DecisionRelation> {
        let group = "RAN1".parse().expect("a group");
        read_statements(text, group).iter().map(|statement| statement.relation).collect()
    }

    #[test]
    fn words_that_decide_state_a_relation() {
        for (text, expected) in [
            ("Confirm the following working assumption:\nBeams are wide.", Confirms),
            ("- Confirm the WA of RAN1#88bis.\n- Beams are wide.", Confirms),
            ("Confirm RAN1#120bis Working Assumption 2 on beams with revised text:\nA", Confirms),
            ("The following working assumption is confirmed with update\nBeams", Confirms),
            ("The working assumption on D_t = 4 and D_f = 3 is confirmed:\nBeams", Confirms),
            ("The working assumption on what UEs can report is confirmed", Confirms),
            ("RAN1 re-confirms the agreements, as below:\nBeams are wide.", Confirms),
            ("Revise the RAN1#120bis agreement as follows:\nAgreement\nBeams", Revises),
            ("Previous agreement made in RAN1#117 is updated as:\nBeams are wide.", Revises),
            ("- This is an update to the agreement from RAN1#98bis:\nAgreement:\nA", Revises),
            ("(Replace previous agreement in RAN1#122) Beams are wide.", Revises),
            ("NOTE: This overturns the last sub-bullet of the following agreement:\nA", Revises),
            ("The above agreement is reverted.", Reverts),
            ("Decision: As per email of May 5th, above agreement is amended as below:", Revises),
            ("Chair\u{2019}s note: the above agreement is withdrawn", Reverts),
            ("Revert the agreement of RAN1#98:\nBeams are wide.", Reverts),
            ("For 120 kHz, revert the WA and adopt 14 symbols", Reverts),
            ("Note: this reverts the agreements made during RAN1#98b", Reverts),
            (
                "For rays, refine the following agreement in RAN1#98 as follows:\nAgreements\nA",
                Revises,
            ),
            (
                "\u{201c}FFS: Nt\u{201d} in RAN1#120 agreement is resolved by this:\nNt is 1",
                Completes,
            ),
            ("The following FFS is resolved:\nFFS: beams", Completes),
            ("Beams are wide.\nAgreement (RAN1#118bis)\nRays are narrow.", Quotes),
        ] {
            assert_eq!(relations(text), [expected], "{text}");
        }
    }

    #[test]
    fn words_that_decide_nothing_state_none() {
        for text in [
            "Option 1: Confirm the working assumption.",
            "The WA to be confirmed after agreements are made",
            "Note: the working assumption can be confirmed once beams are wide",
            "RAN1 cannot confirm the WA",
            "Send an LS to confirm this working assumption",
            "The working assumption made in RAN1#120b will not be confirmed.",
            "Whether to revert the agreement is discussed",
            "If beams are wide, this reverts the agreement on rays",
            "If beams are wide, revert the agreement on rays",
            "Note: Other agreements are not superseded by this agreement",
            "Above agreement can be revisited",
            "Note: the above working assumption is already confirmed",
            "UE confirms the agreement on beams",
            "FFS: the working assumption is confirmed",
            "The working assumption is confirmed if no issue is found",
            "Beams are wide.",
        ] {
            assert_eq!(relations(text), [], "{text}");
        }
    }

    #[test]
    fn meetings_of_the_group_are_named_in_many_ways() {
        let group = "RAN1".parse().expect("a group");
        let names = |text| -> Vec<String> {
            named_meetings(text, group).iter().map(ToString::to_string).collect()
        };
        assert_eq!(names("RAN1#118bis and RAN1 #106-bis-e"), ["R1-118b", "R1-106b-e"]);
        assert_eq!(names("RAN WG1 #98 and RAN2#99"), ["R1-98"]);
        assert_eq!(names("RAN1 95"), Vec::<String>::new());
    }

    #[test]
    fn a_line_names_the_topic_or_the_text_of_what_it_is_about() {
        let group = "RAN1".parse().expect("a group");
        for (text, topic, block) in [
            ("Confirm the WA (made in RAN1#98) for wide beams of SMa.", "wide beams of SMa", ""),
            (
                "Confirm the working assumption from RAN1#98bis on wide beams with updates",
                "wide beams",
                "",
            ),
            ("Confirm the working assumption that beams are wide.", "", "beams are wide."),
            (
                "Confirm the working assumption \u{201c}Beams are wide\u{201d}",
                "",
                "Beams are wide\u{201d}",
            ),
            ("Revise the agreement on beams as follows:", "beams", ""),
        ] {
            let found = read_statements(text, group);
            let found = found.first().map(|one| (one.topic.trim(), one.block.trim()));
            assert_eq!(found, Some((topic, block)), "{text}");
        }
    }

    #[test]
    fn a_block_is_what_follows_the_words() {
        let group = "RAN1".parse().expect("a group");
        let text = "Confirm the working assumption of RAN1#98:\nWorking assumption\nA\n- B";
        let found = read_statements(text, group);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].block.trim(), "A\n- B");
        assert_eq!(found[0].kind, DecisionType::WorkingAssumption);
    }
}
