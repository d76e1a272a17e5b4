//! Reasons as text, for clients that do not read the structured form.

use wire::records::DiagnosisReason;

/// The reasons as one text; `None` without any.
pub(crate) fn join_messages(diagnosis: &[DiagnosisReason]) -> Option<String> {
    let messages: Vec<&str> = diagnosis.iter().map(|reason| reason.message.as_str()).collect();
    (!messages.is_empty()).then(|| messages.join(" "))
}

/// Values that a sentence lists.
const MAX_LISTED: usize = 8;
/// Characters of a parameter that a sentence repeats.
const MAX_ECHOED_CHARS: usize = 60;

/// The first of some values, and that there are others.
pub(super) fn list_some(all: &[String]) -> String {
    let mut listed: Vec<&str> = all.iter().take(MAX_LISTED).map(String::as_str).collect();
    if all.len() > MAX_LISTED {
        listed.push("others");
    }
    listed.join(", ")
}

/// A value of a request as a sentence repeats it.
pub(super) fn echo(text: &str) -> String {
    text.trim().chars().take(MAX_ECHOED_CHARS).collect()
}

/// A number and its noun: `1 result`, `3 results`.
pub(super) fn count_of(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::values::DiagnosisCode;

    #[test]
    fn messages_are_joined_and_nothing_is_said_without_reasons() {
        let reason = |text: &str| DiagnosisReason::new(DiagnosisCode::NotRead, text);
        assert_eq!(join_messages(&[]), None);
        assert_eq!(join_messages(&[reason("A."), reason("B.")]).as_deref(), Some("A. B."));
    }

    #[test]
    fn long_lists_and_values_are_cut() {
        let all: Vec<String> = (1..=9).map(|number| number.to_string()).collect();
        assert_eq!(list_some(&all[..8]), "1, 2, 3, 4, 5, 6, 7, 8");
        assert_eq!(list_some(&all), "1, 2, 3, 4, 5, 6, 7, 8, others");
        assert_eq!(echo(&"\u{e9}".repeat(70)).chars().count(), 60);
        assert_eq!(
            (count_of(1, "result"), count_of(0, "result")),
            ("1 result".into(), "0 results".into())
        );
    }
}
