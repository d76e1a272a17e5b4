//! Proposals that a decision names: "P1 is agreed", "Agree P2 and P3", "Proposal 3 in R2-9900001 is agreed". Their text is
//! above the decision in the same notes, or in the document.

use std::sync::LazyLock;

use regex::Regex;

use domain::TdocId;
use word::remove_struck_text;

/// The number of a proposal: `1`, `2.1`, `4-2a`.
const NUMBER: &str = r"\d{1,3}(?:[.-]\d{1,3})*[a-z]?\b";
/// Maximum number of proposals that a range names; "P1 to P900" is a mistake.
const MAX_RANGE: u32 = 30;
/// Maximum number of lines between a decision and a proposal that it names. A document has no more in notes.
const MAX_LINES: usize = 150;
/// Maximum length of the text of a proposal in bytes; it is cut after that.
const MAX_TEXT_BYTES: usize = 8_000;

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Labels of proposals, one or several.
static LIST: LazyLock<String> = LazyLock::new(|| {
    let label = format!(r"(?:(?:proposals?|P)\s*#?\s*)?{NUMBER}");
    let join = r"\s*(?:,|&|/|\band\b|\bto\b|[\u{2013}\u{2014}]|-)\s*(?:and\s+)?";
    format!(r"(?:the\s+)?(?:proposals?|P)\s*#?\s*{NUMBER}(?:{join}{label})*")
});
/// The document of the proposals.
const DOCUMENT: &str = r"(?:\s+(?:in|of|from)\s+(?P<document>[A-Z][A-Z0-9]{1,3}-\d{5,8}))?";
/// "P1 is agreed", "P1: agreed", "Proposals 1 and 2 in R2-9900001 are agreed with the change that ..."
static LIST_IS_AGREED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^\W*(?:\[[^\]]*\]\s*)?(?P<list>{}){DOCUMENT}\s*[:,\u{{2013}}-]?\s*(?:(?:is|are|was|were|has\s+been|have\s+been)\s+)?(?:also\s+)?(?:agreed|endorsed|confirmed|adopted|accepted|approved)\b",
        *LIST
    ))
});
/// "Agree P2 and P3", "RAN2 agrees with Proposal 1", "Endorse the proposals 1, 2"
static AGREE_LIST: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^\W*(?:\[[^\]]*\]\s*)?(?:(?:RAN|SA|CT)\s?\d\s+)?(?:agree[sd]?|endorse[sd]?|confirm(?:s|ed)?|adopt(?:s|ed)?|accept(?:s|ed)?)\s+(?:(?:with|on|to)\s+)?(?P<list>{}){DOCUMENT}(?:\s|[.,;:(]|$)",
        *LIST
    ))
});
static ANY_NUMBER: LazyLock<Regex> = LazyLock::new(|| compile_pattern(NUMBER));
/// The sign of a range between two labels. A hyphen may be a part of a label.
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(\d{1,3})\s*(?:\bto\b|[\u{2013}\u{2014}]|-\s*P)\s*(?:proposals?|P)?\s*(\d{1,3})\b",
    )
});
/// The label of a proposal at the beginning of a line, with its text.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^\W*(?:\[[^\]]{{0,20}}\]\s*)?(?P<before>(?:[\w'\u{{2019}}]+\s+){{0,2}})(?:proposal|P)\s*#?\s*(?P<number>{NUMBER})\s*(?:\([^)]{{0,60}}\)\s*)?(?:$|[:.\u{{2013}}-]\s*(?P<text>(?s:.*))$)"
    ))
});
/// The line of a document.
static DOCUMENT_LINE: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^\W*([A-Z][A-Z0-9]{1,3}-\d{5,8})\b"));
/// A line that is not part of a proposal: an outcome, a marker, another label.
static ENDS_PROPOSAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:=>|\u{21D2}|\u{2192}|->)|^(?:=>|\u{21D2}|\u{2192}|->)|^\W*(?:agreements?|conclusions?|working\s+assumptions?|decision|observations?|discussion|proposals?|P\s?\d+)\b",
    )
});

/// A proposal that a decision names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedProposal {
    /// Its number, as the decision writes it.
    pub number: String,
    /// Its document, if the decision names it.
    pub document: Option<TdocId>,
}

/// The proposals that a decision agrees by their labels, in its order.
pub fn find_named_proposals(quote: &str) -> Vec<NamedProposal> {
    let quote = remove_struck_text(quote);
    let mut found: Vec<NamedProposal> = Vec::new();
    let sentences =
        quote.lines().flat_map(|line| line.split(';')).flat_map(|part| part.split(". "));
    for sentence in sentences {
        let sentence = sentence.trim();
        if sentence.ends_with('?') {
            continue;
        }
        let Some(captures) =
            LIST_IS_AGREED.captures(sentence).or_else(|| AGREE_LIST.captures(sentence))
        else {
            continue;
        };
        let document: Option<TdocId> =
            captures.name("document").and_then(|number| number.as_str().parse().ok());
        for number in list_numbers(&captures["list"]) {
            let named = NamedProposal { number, document: document.clone() };
            if !found.contains(&named) {
                found.push(named);
            }
        }
    }
    found
}

/// The numbers in a list of labels, ranges resolved.
fn list_numbers(list: &str) -> Vec<String> {
    if let Some(range) = RANGE.captures(list) {
        let bounds = [&range[1], &range[2]].map(|number| number.parse::<u32>().unwrap_or_default());
        let [first, last] = bounds;
        if first < last && last - first < MAX_RANGE {
            return (first..=last).map(|number| number.to_string()).collect();
        }
    }
    ANY_NUMBER.find_iter(list).map(|number| number.as_str().to_owned()).collect()
}

/// Whether a label such as `Proposal 1:` has this number.
pub fn has_proposal_number(label: &str, number: &str) -> bool {
    LABELLED
        .captures(label.trim())
        .is_some_and(|captures| captures["number"].eq_ignore_ascii_case(number))
}

/// A line of notes.
#[derive(Debug, Clone, Copy)]
pub struct NotesLine<'a> {
    /// Its text.
    pub text: &'a str,
    /// Whether it is a heading.
    pub is_heading: bool,
}

/// A proposal as notes quote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedProposal {
    /// Its text, without its label.
    pub text: String,
    /// Whether the text is cut.
    pub is_cut: bool,
    /// The index of its first line.
    pub first: usize,
    /// The index of its last line.
    pub last: usize,
    /// The document whose line is above it.
    pub document: Option<TdocId>,
    /// The index of that line, which also names its company.
    pub document_line: Option<usize>,
}

/// The proposal with a number above the line `before`, under the same document. `None` if there is none, or if there are
/// several with different texts: which one was meant, nobody can see.
pub fn find_proposal_above(
    lines: &[NotesLine<'_>],
    before: usize,
    number: &str,
    under: Option<&TdocId>,
) -> Option<QuotedProposal> {
    let mut found: Option<QuotedProposal> = None;
    let (mut document, mut document_line) = (None, None);
    for index in (before.saturating_sub(MAX_LINES)..before).rev() {
        let line = lines.get(index)?;
        if line.is_heading {
            break;
        }
        if let Some(captures) = DOCUMENT_LINE.captures(line.text) {
            let own: Option<TdocId> = captures[1].parse().ok();
            if under.is_some() && own.as_ref() != under {
                return None;
            }
            (document, document_line) = (own, Some(index));
            break;
        }
        let Some(captures) = LABELLED.captures(line.text) else { continue };
        if !captures["number"].eq_ignore_ascii_case(number)
            || !find_named_proposals(line.text).is_empty()
        {
            continue;
        }
        let head = captures.name("text").map_or("", |text| text.as_str()).trim();
        let proposal = collect_text(lines, index, before, head);
        match &found {
            None => found = Some(proposal),
            Some(known) if known.text == proposal.text => {}
            // The nearest one replaces those above it only if it says so.
            Some(known) if is_updated(lines.get(known.first)?.text) => {}
            Some(_) => return None,
        }
    }
    let found = found.filter(|found| !found.text.is_empty())?;
    Some(QuotedProposal { document, document_line, ..found })
}

fn is_updated(text: &str) -> bool {
    let before = LABELLED.captures(text).map(|captures| captures["before"].to_lowercase());
    before.is_some_and(|before| {
        ["updated", "revised", "new"].iter().any(|word| before.contains(word))
    })
}

/// The text of a proposal whose label is in a line: with its list, or the text below a label that stands alone.
fn collect_text(
    lines: &[NotesLine<'_>],
    first: usize,
    before: usize,
    head: &str,
) -> QuotedProposal {
    let mut proposal = QuotedProposal {
        text: head.to_owned(),
        is_cut: false,
        first,
        last: first,
        document: None,
        document_line: None,
    };
    for (index, line) in lines.iter().enumerate().take(before).skip(first + 1) {
        let text = line.text.trim();
        let leads = proposal.text.is_empty() || proposal.text.ends_with([':', ',']);
        let is_listed = text.starts_with(['-', '\u{2022}', '|']);
        let ends = line.is_heading || ENDS_PROPOSAL.is_match(text) || DOCUMENT_LINE.is_match(text);
        if ends || !leads && !is_listed {
            break;
        }
        if proposal.text.len() + text.len() > MAX_TEXT_BYTES {
            proposal.is_cut = true;
            break;
        }
        if !proposal.text.is_empty() {
            proposal.text.push('\n');
        }
        proposal.text.push_str(line.text.trim_end());
        proposal.last = index;
    }
    proposal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(quote: &str) -> String {
        let found = find_named_proposals(quote).into_iter();
        let found: Vec<String> = found
            .map(|named| match named.document {
                Some(document) => format!("{}@{document}", named.number),
                None => named.number,
            })
            .collect();
        found.join(" ")
    }

    #[test]
    fn agreed_proposals_are_named_in_every_form() {
        for (quote, expected) in [
            ("P1 is agreed", "1"),
            ("=> P1: agreed", "1"),
            ("[301] P2, P3 and P5 are agreed", "2 3 5"),
            ("Proposal 3 in R2-9900001 is agreed", "3@R2-9900001"),
            ("Agree P2 and P3", "2 3"),
            ("Agreed with P1", "1"),
            ("RAN2 agrees with Proposal 4-2a", "4-2a"),
            ("Proposals 1 to 3 are agreed.", "1 2 3"),
            ("P1-P3 are agreed", "1 2 3"),
            ("Proposal 1 is agreed with the change that the UE does not wait", "1"),
            ("The beams are wide.\nProposal 2.1 is confirmed", "2.1"),
            ("P1 is agreed; P2 is agreed", "1 2"),
            ("Endorse the proposals 1, 2 from R1-9900002", "1@R1-9900002 2@R1-9900002"),
        ] {
            assert_eq!(named(quote), expected, "{quote}");
        }
        for quote in [
            "P1 is not agreed",
            "P1 can be discussed further",
            "P1 is agreeable",
            "P4 is FFS",
            "~~P1 is agreed~~",
            "No consensus on P1",
            "Can we say that P1 is agreed?",
            "If P1 is agreed, the UE waits",
            "Agree that the P1 beam is wide",
            "Continue offline on P1",
            "Agree P-CSCF beams",
        ] {
            assert_eq!(named(quote), "", "{quote}");
        }
    }

    fn above(lines: &[&str], number: &str, under: Option<&str>) -> Option<String> {
        let lines: Vec<NotesLine<'_>> = lines
            .iter()
            .map(|text| NotesLine {
                text: text.trim_start_matches("# "),
                is_heading: text.starts_with("# "),
            })
            .collect();
        let under = under.map(|id| id.parse().expect("a number"));
        let found = find_proposal_above(&lines, lines.len(), number, under.as_ref())?;
        let document = found.document.map_or(String::new(), |id| format!(" [{id}]"));
        Some(format!("{}{document}", found.text))
    }

    #[test]
    fn the_proposal_above_is_quoted_with_its_list_and_document() {
        let notes = [
            "# 8.1 Beams",
            "R2-9900001 Beams Example Radio discussion",
            "Proposal 1: Support beams:",
            "- wide ones",
            "- narrow ones",
            "Proposal 2: Support rays.",
            "The rays are seen as useful.",
            "P3 (Example): Support waves",
        ];
        let under = Some("R2-9900001");
        let expect = |text: &str| Some(format!("{text} [R2-9900001]"));
        assert_eq!(above(&notes, "1", under), expect("Support beams:\n- wide ones\n- narrow ones"));
        assert_eq!(above(&notes, "2", under), expect("Support rays."));
        assert_eq!(above(&notes, "3", under), expect("Support waves"));
        assert_eq!(above(&notes, "3", None), expect("Support waves"));
        assert_eq!(above(&notes, "4", under), None);
        assert_eq!(above(&notes, "1", Some("R2-9900002")), None, "of another document");
        assert_eq!(
            above(&["Proposal 1", "Support beams", "=> Noted"], "1", None).as_deref(),
            Some("Support beams")
        );
    }

    #[test]
    fn a_proposal_that_is_not_the_only_one_is_not_quoted() {
        for (lines, expected) in [
            (&["Proposal 1: Beams", "Proposal 1: Rays"][..], None),
            (&["Proposal 1: Beams", "Updated Proposal 1: Rays"], Some("Rays")),
            (&["Proposal 1: Beams", "Proposal 1: Beams"], Some("Beams")),
            (&["Proposal 1: Beams", "# 8.2 Rays"], None),
            (&["Proposal 1: Beams", "R2-9900002 Rays"], None),
            (&["Proposal 11: Beams", "Proposal 1.2: Rays"], None),
            (&["P1: agreed"], None),
        ] {
            assert_eq!(above(lines, "1", None).as_deref(), expected, "{lines:?}");
        }
    }
}
