//! The day of a decision, as notes write it: `From Thursday session`, `email decision posted on May 1st`.

use std::{fmt, sync::LazyLock};

use regex::{Captures, Regex};

use domain::{MONTHS, WEEKDAY_PATTERN, WEEKDAYS};

/// A day as notes write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DecisionDate {
    /// `Thursday`, `May 1st`, `Thursday May 1st`.
    day: String,
    /// Whether it was decided by e-mail.
    by_email: bool,
}

const MONTH: &str = r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";

/// `May 1st`, `1st of May`.
static DATE: LazyLock<String> = LazyLock::new(|| {
    let day = r"\d{1,2})\s?(?:st|nd|rd|th)?";
    format!(
        r"\b(?:(?P<month>{MONTH})\.?\s*(?P<number>{day}\b|(?P<number_first>{day}\s+(?:of\s+)?(?P<month_after>{MONTH})\b)"
    )
});
static WEEKDAY_NAMED: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"\b{WEEKDAY_PATTERN}")));
static DATES: LazyLock<Regex> = LazyLock::new(|| compile_pattern(&DATE));
/// Words that make a date the date of a decision by e-mail. A date alone may be a deadline.
static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"\b(?:e-?mail\b[^.]{{0,60}}?\b(?:on|of|dated|posted)|posted\s+on|decision\s+dated)\s+(?:the\s+)?{}",
        DATE.as_str()
    ))
});

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

impl DecisionDate {
    /// The weekday or the date in words about a session.
    pub(super) fn from_session(text: &str) -> Option<Self> {
        let weekday = WEEKDAY_NAMED.find(text).map(|found| full_weekday(found.as_str()));
        let date = DATES.captures(text).and_then(|found| parse_date(&found));
        let days: Vec<String> = weekday.into_iter().chain(date).collect();
        (!days.is_empty()).then(|| Self { day: days.join(" "), by_email: false })
    }

    /// The date of a decision by e-mail that a sentence names.
    pub(super) fn from_email(text: &str) -> Option<Self> {
        let day = EMAIL.captures(text).and_then(|found| parse_date(&found))?;
        Some(Self { day, by_email: true })
    }
}

impl fmt::Display for DecisionDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = if self.by_email { "e-mail, " } else { "" };
        write!(f, "{by}{}", self.day)
    }
}

/// `Thursday` for `thursday`, in any case.
fn full_weekday(day: &str) -> String {
    let lower = day.to_lowercase();
    let mut names = WEEKDAYS.into_iter();
    names.find(|name| name.to_lowercase() == lower).unwrap_or(day).to_owned()
}

/// `August 31` for `Aug 31st` and `31 of August`; `None` if there is no such day.
fn parse_date(found: &Captures<'_>) -> Option<String> {
    let part = |one, other| found.name(one).or_else(|| found.name(other)).map(|part| part.as_str());
    let month = part("month", "month_after")?.get(..3)?.to_lowercase();
    let month = MONTHS.into_iter().find(|name| name.to_lowercase().starts_with(&month))?;
    let day: u8 = part("number", "number_first")?.parse().ok()?;
    (1..=31).contains(&day).then(|| format!("{month} {day}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_sessions_are_read_in_all_their_forms() {
        for (text, expected) in [
            ("From Thursday session", Some("Thursday")),
            ("From tuesday\u{2019}s session", Some("Tuesday")),
            ("From Oct 28th GTW session", Some("October 28")),
            ("From Monday (26 October) session", Some("Monday October 26")),
            ("From GTW session", None),
            ("From March 99 session", None),
        ] {
            let found = DecisionDate::from_session(text).map(|when| when.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn dates_of_decisions_by_email_are_read() {
        for (text, expected) in [
            ("As per email decision posted on Aug. 31st,", Some("e-mail, August 31")),
            (
                "As per e-mail posted on Sept 5th, the list is endorsed.",
                Some("e-mail, September 5"),
            ),
            ("According to the chair's decision posted on March 1st, A", Some("e-mail, March 1")),
            ("According te the chair's email dated on Feb.27th, the", Some("e-mail, February 27")),
            ("In the email on marker 5", None),
            ("It is agreed (by email decision dated 3rd of May)", Some("e-mail, May 3")),
            ("The document is noted on May 3rd", None),
            ("In May 3 of them were noted", None),
        ] {
            let found = DecisionDate::from_email(text).map(|when| when.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
