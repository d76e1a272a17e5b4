//! Remarks: text that ends a decision and is not part of it.

use std::sync::LazyLock;

use regex::RegexSet;

/// Beginnings of remarks. Without these, comments of the secretary would be part of the agreement above them.
const BEGINNINGS: [&str; 46] = [
    // Postponed work.
    r"for\s+further\s+discussions?\s*:",
    r"comeback\b",
    r"come\s+back\b",
    r"(?:to\s+be\s+)?continued?(?:\s*[.:(]|\s*$|\s+(?:the\s+)?(?:discuss\w*(?:\s*[.:(\u{2013}-]|\s*$|\s+)|(?:e-?mail\s+)?)(?:(?:offline|online|e-?mail|until|till|next|on\s+\w+day|in\s+the\s+next)\b|$|[(\u{2013}]))",
    r"further\s+discuss\s",
    r"discuss\s+separately\b",
    r"notes?\s+as\s+(?:an?\s+|the\s+)?basis\s+for\s+further\b",
    r"further\s+(?:offline|discussion)\b.{0,80}(?:offline|until|[(\u{2013}])",
    r"(?:more\s+)?offline\s+discussion",
    r"for\s+(?:e-?mail\s+(?:discussion|approval)|future\s+meetings?)\b",
    r"revisit\b",
    r"(?:discuss|consider)\b.{0,120}\b(?:offline|after\s+lunch|later\s+this\s+week|tomorrow)\b",
    r"continued?\s+(?:the\s+)?discuss\w*\b.{0,80}(?:\boffline\b|\bthis\s+week\b|\([a-z][^)]{2,30}\)\s*\.?$)",
    r"how\s+to\s+capture\b.{0,160}\bto\s+be\s+discussed\b",
    r".{0,160}\bdiscussion\s+will\s+continue\b",
    r"corresponding\s+CRs?\s+to\s+be\b",
    r"draft\s+CRs?\s+to\s+reflect\b",
    // Letters to be written, by whom.
    r"send\b.{0,80}\bLS\b.{0,160}\([a-z][^)]{1,40}\)\s*\.?$",
    r"LS\s+(?:containing|to\s+(?:ask|inform))\b",
    // Statements about documents, and their origin.
    r"from\s+(?:\w+\s+){0,3}(?:session|AI\s*\d[\d.]*|agenda\b.*)\s*[.:]?$",
    r"final\s+(?:FL\s+)?(?:summary|summaries|outcome|version)\b",
    r"presented\b",
    r"the\s+document\s+was\s+presented",
    r"(?:these\s+documents\s+(?:are|were)\s+)?not\s+treated\s*\.?$",
    r"discussions?\s*:",
    r"minutes?\s*:",
    r"e-?mail\s+(?:discussion|approval|endorsement)\b",
    r"e-?mail\s+posted\b",
    r"the\s+above\s+(?:is|are)\s+summari[sz]ed\b",
    r"for\s+information\b",
    r"late\s+submission",
    r"action\s+to\b",
    r"prepare\s.{0,80}[\u{2013}(-]\s*\(?\w",
    r"(?:RAN|SA|CT)\d\s+(?:was|is)\s+informed\b",
    // Notes of the secretary and the chair.
    r"MCC(?:\s+(?:note|comment|post[- ]?meeting))?\s*:",
    r"post[- ]?meeting\b",
    r"chair(?:man|person)?['\u{2019}]?s?\s+(?:note|comment|observation)",
    r"observations?\s*(?:\([^)]*\))?\s*:?$",
    r"\*{3,}",
    // Statements of companies.
    r"(?:also\s+)?(?:supported|objected)\s+by\b",
    r"(?:the\s+)?concerns?\s+(?:is|are|was|were)?\s*(?:raised|from|by)\b",
    r"there\s+(?:was|were)\s+(?:an?\s+|some\s+)?concerns?\b",
    r"note\b.{0,6}:\s*(?-i:[A-Z])[^.:]{1,80}\b(?:has|have)\s+(?:\w+\s+)?concerns?\b",
    r"observations?\s*:\s*(?:some|several)\s+compan",
    r"[a-z][\w .&/-]{1,40}(?::|\u{2192})\s*(?:we|our)\b",
    r"[a-z][\w .&/-]{1,40}(?::|\u{2192})(?:\s*[\w,'\u{2019}-]+){1,12}\s+we\s+(?:object|oppose|disagree|cannot|can['\u{2019}]t|do(?:\s+not|n['\u{2019}]t)|have\s+(?:\w+\s+)?concerns?)\b",
];

static REMARKS: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new(BEGINNINGS.map(|text| format!("(?i)^(?:{text})")))
        .expect("constant patterns; a test uses each")
});

/// Whether a paragraph is a remark: "Final summary in R1-9900001.", "Comeback on Thursday", "Example: we object".
pub(super) fn is_remark(text: &str) -> bool {
    REMARKS.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_has_a_remark_of_its_own() {
        let remarks = [
            "For further discussion: beams",
            "Comeback on Thursday",
            "Come back after lunch",
            "To be continued.",
            "Further discuss the beams",
            "Discuss separately:",
            "Notes as basis for further discussion: beams",
            "Further discussion on beams until Friday",
            "More offline discussion",
            "For future meetings",
            "Revisit in the next meeting",
            "Consider beams in the offline",
            "Continue the discussion on beams (Example)",
            "How to capture the beams is to be discussed",
            "The discussion will continue",
            "Corresponding CRs to be drafted",
            "Draft CRs to reflect the agreement",
            "Send an LS to RAN2 on the agreement above (Example)",
            "LS to ask RAN2 to consider it",
            "From AI 9.1",
            "Final summary in R1-9900001",
            "Presented by Example",
            "The document was presented",
            "These documents are not treated.",
            "Discussion: beams",
            "Minutes: beams",
            "E-mail approval until Friday",
            "E-mail posted on Friday",
            "The above is summarized in R1-9900001",
            "For information",
            "Late submission",
            "Action to RAN2",
            "Prepare the LS \u{2013} Example",
            "RAN2 was informed",
            "MCC note: beams",
            "Post-meeting note",
            "Chair's note",
            "Observation:",
            "*** end ***",
            "Supported by Example",
            "Concerns raised by Example",
            "There was a concern on beams",
            "Note: Example Radio and Sample have concerns on the agreement.",
            "Observations: Some companies like beams",
            "Example Radio: we like beams",
            "Example Radio: for these beams we object",
        ];
        let mut seen = vec![false; BEGINNINGS.len()];
        for remark in remarks {
            let matches = REMARKS.matches(remark);
            assert!(matches.matched_any(), "{remark}");
            matches.into_iter().for_each(|index| seen[index] = true);
        }
        let unseen = seen.iter().zip(BEGINNINGS).filter(|(seen, _)| !**seen);
        assert_eq!(unseen.map(|(_, text)| text).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn the_text_of_a_decision_is_no_remark() {
        for text in [
            "Continue to support beams",
            "Note: beams are wide",
            "Option 1: beams are as wide as those we have",
            "FFS: how to capture beams",
            "Discuss beams further",
            "Send an LS to RAN2 to ask for the widths",
            "Note: beams that have a concern of their own",
            "Observation: Some beams are wide",
        ] {
            assert!(!is_remark(text), "{text}");
        }
    }
}
