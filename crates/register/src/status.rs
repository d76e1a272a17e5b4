//! The status of a document as registers write it.

use domain::RegisterStatus;

/// Words for a status besides its own (their sheet of parameters in workbooks): `rejected` in workbooks of earlier years,
/// `not handled` on pages of SA2; on pages, words for documents that are available and not decided yet during the meeting.
const OTHER_WORDS: [(&str, RegisterStatus); 5] = [
    ("open", RegisterStatus::Available),
    ("reply open", RegisterStatus::Available),
    ("technically endorsed", RegisterStatus::Endorsed),
    ("rejected", RegisterStatus::NotPursued),
    ("not handled", RegisterStatus::NotTreated),
];

/// The word after a status on pages of SA2 if the secretary has to return to the document: `Postponed OPEN`.
const OPEN_MARK: &str = " open";

/// The status that a word of a register means; none for an unknown word.
///
/// A word with a question mark (`Block Approve?`) is what the chair suggests: the document is not decided yet.
pub fn parse_status(word: &str) -> Option<RegisterStatus> {
    let word = word.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    if word.len() > 1 && word.ends_with('?') {
        return Some(RegisterStatus::Available);
    }
    parse_plain_word(&word).or_else(|| parse_plain_word(word.strip_suffix(OPEN_MARK)?))
}

fn parse_plain_word(word: &str) -> Option<RegisterStatus> {
    // `unknown` is ours, for what a register does not say.
    let own = RegisterStatus::ALL.into_iter().filter(|status| *status != RegisterStatus::Unknown);
    let other = || OTHER_WORDS.iter().find(|(other, _)| *other == word).map(|(_, status)| *status);
    own.into_iter().find(|status| status.as_str() == word).or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_every_status_means_it_and_no_other_word_is_one_of_them() {
        for status in RegisterStatus::ALL {
            let known = if status == RegisterStatus::Unknown { None } else { Some(status) };
            assert_eq!(parse_status(status.as_str()), known);
            assert!(OTHER_WORDS.iter().all(|(other, _)| *other != status.as_str()));
        }
    }

    #[test]
    fn words_of_all_years_and_pages_mean_a_status() {
        for (word, status) in [
            (" Not  Treated ", Some(RegisterStatus::NotTreated)),
            ("Not Handled", Some(RegisterStatus::NotTreated)),
            ("rejected", Some(RegisterStatus::NotPursued)),
            ("Technically Endorsed", Some(RegisterStatus::Endorsed)),
            ("OPEN", Some(RegisterStatus::Available)),
            ("REPLY OPEN", Some(RegisterStatus::Available)),
            ("Postponed OPEN", Some(RegisterStatus::Postponed)),
            ("Block Approve?", Some(RegisterStatus::Available)),
            ("Merge?", Some(RegisterStatus::Available)),
            ("?", None),
            ("maybe", None),
            ("maybe open", None),
            ("", None),
        ] {
            assert_eq!(parse_status(word), status, "{word:?}");
        }
    }
}
