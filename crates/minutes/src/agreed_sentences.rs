//! What a meeting agreed, in sentences of the minutes of a document: "It was agreed that beams are wide."

use std::sync::LazyLock;

use regex::Regex;

/// Maximum length of such a sentence; a longer one is a paragraph that a missing full stop joins.
const MAX_SENTENCE_BYTES: usize = 600;

static AGREED_THAT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:(?:after|following|during|in)\b[^,:]{1,80},\s*)?(?:(?:so|finally|therefore|then|thus),?\s+)?(?:it\s+was\s+(?:also\s+|further\s+|then\s+|finally\s+|therefore\s+)?(?:agreed|concluded|decided)|the\s+(?:meeting|group)\s+(?:also\s+|then\s+|finally\s+)?(?:agreed|concluded|decided))\s+that\s+\S",
    )
});
/// Another meeting or group, or a condition: nothing that this one decided.
static IS_OTHER: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"#\s?\d|\b(?:last|previous|earlier|next)\s+(?:\w+\s+)?meeting|\b(?:if|unless|whether|had\s+been)\b|\bin\s+(?:TSG\s+)?(?:SA|RAN|CT)\s?(?:WG)?\s?\d\b|\?$",
    )
});
/// How the work on a document goes on: its outcome says that.
static IS_PROCESS: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:off-?line|on-?line|e-?mail|tomorrow|later|drafting|approv\w*|agreed\s+at|noted?|endors\w*|postpone\w*|withdrawn?|merged?|revis\w*|handled|TD|T-?doc|document|contribution|papers?|(?:this|the|a|an)\s+(?:\w+\s+)?(?:CR|LS|P-?CR|WID|response|reply))\b",
    )
});

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// The sentences of a text that say what the meeting agreed.
pub(super) fn agreed_sentences(text: &str) -> Vec<&str> {
    let lines = text.lines().flat_map(split_sentences);
    lines
        .map(str::trim)
        .filter(|sentence| sentence.len() <= MAX_SENTENCE_BYTES && AGREED_THAT.is_match(sentence))
        .filter(|sentence| !IS_OTHER.is_match(sentence) && !IS_PROCESS.is_match(sentence))
        .collect()
}

/// The sentences of a line, with their full stops: a number such as `23.501` does not end one.
fn split_sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(". ").map_or(rest.len(), |dot| dot + 1);
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_this_meeting_agreed_is_told() {
        for (text, expected) in [
            (
                "Example asked. It was agreed that beams of TS 23.901 are wide. Noted.",
                &["It was agreed that beams of TS 23.901 are wide."][..],
            ),
            (
                "After some discussion, it was agreed that the AMF selects beams.",
                &["After some discussion, it was agreed that the AMF selects beams."],
            ),
            (
                "The meeting agreed that rays are narrow",
                &["The meeting agreed that rays are narrow"],
            ),
            (
                "It was concluded that no new function is needed.",
                &["It was concluded that no new function is needed."],
            ),
            ("It was not agreed that beams are wide.", &[]),
            ("Example recalled that it was agreed that beams are wide.", &[]),
            ("It was agreed that beams are wide at the last meeting.", &[]),
            ("It was agreed that beams are wide in SA WG3.", &[]),
            ("It was agreed that beams are wide in S2#98.", &[]),
            ("It was agreed that beams are wide if rays are narrow.", &[]),
            ("It was agreed that beams are wide?", &[]),
            ("It was agreed that the CR should be approved.", &[]),
            ("It was agreed that this will be handled off-line.", &[]),
            ("It was agreed to note the document.", &[]),
            ("It was proposed that beams are wide.", &[]),
        ] {
            assert_eq!(agreed_sentences(text), expected, "{text}");
        }
    }
}
