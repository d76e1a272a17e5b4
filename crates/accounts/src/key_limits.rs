//! What restricts a key: until when it works, and which operations and series of specifications it may read.
//!
//! The series of a document are a matter of the operations; this module only keeps which ones a key covers.

use std::fmt;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use wire::{OperationDeclaration, params};

use super::{AccessError, clock::format_timestamp, error::MAX_KEY_NAME_CHARS};

/// The longest time from now until a key expires: a mistyped year is an error, not a key for centuries.
const MAX_LIFETIME_DAYS: i64 = 3660;

/// What restricts a key; nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyLimits {
    /// The project that it is for.
    pub project: Option<String>,
    /// When it expires, RFC 3339 in UTC. In a request also the last day on which it works (`2027-03-31`), or how long
    /// it does (`90d`, `12h`).
    pub expires_at: Option<String>,
    /// What it may read.
    pub scope: KeyScope,
}

/// What a key may read; everything by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyScope {
    /// The operations that it may call; all if empty.
    pub operations: Vec<String>,
    /// The series whose specifications it may read, `38`; all if empty.
    pub series: Vec<String>,
}

impl KeyScope {
    /// Whether it may read everything.
    pub fn is_unrestricted(&self) -> bool {
        self.operations.is_empty() && self.series.is_empty()
    }

    /// Whether it may call an operation.
    pub fn covers_operation(&self, name: &str) -> bool {
        self.operations.is_empty() || self.operations.iter().any(|allowed| allowed == name)
    }

    /// Whether it may read the specifications of a series.
    pub fn covers_series(&self, series: &str) -> bool {
        self.series.is_empty() || self.series.iter().any(|allowed| allowed == series)
    }
}

impl fmt::Display for KeyScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.series.is_empty(), self.operations.is_empty()) {
            (true, true) => f.write_str("everything"),
            (true, false) => f.write_str(&self.operations.join(", ")),
            (false, true) => write!(f, "series {}", self.series.join(", ")),
            (false, false) => {
                write!(f, "series {} by {}", self.series.join(", "), self.operations.join(", "))
            }
        }
    }
}

impl KeyLimits {
    /// Whether nothing is restricted or noted.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits as they are stored, if they are valid.
    pub(super) fn to_stored(&self, now: Timestamp) -> Result<Self, AccessError> {
        Ok(Self {
            project: parse_project(self.project.as_deref())?,
            expires_at: parse_expiry(self.expires_at.as_deref(), now)?.map(format_timestamp),
            scope: KeyScope {
                operations: parse_words(&self.scope.operations, parse_operation)?,
                series: parse_words(&self.scope.series, parse_series)?,
            },
        })
    }

    /// Whether stored limits have expired.
    pub(super) fn have_expired(&self, now: Timestamp) -> Result<bool, AccessError> {
        let Some(text) = &self.expires_at else { return Ok(false) };
        let end: Timestamp = text.parse().map_err(|_| AccessError::Decode { what: "key" })?;
        Ok(end <= now)
    }
}

fn parse_project(text: Option<&str>) -> Result<Option<String>, AccessError> {
    let Some(project) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if project.chars().count() > MAX_KEY_NAME_CHARS || project.contains(char::is_control) {
        return Err(AccessError::InvalidProject);
    }
    Ok(Some(project.to_owned()))
}

/// When a key expires: a time, the end of a day in UTC, or a number of days or hours from now.
fn parse_expiry(text: Option<&str>, now: Timestamp) -> Result<Option<Timestamp>, AccessError> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let end = parse_lifetime(text, now).or_else(|| text.parse().ok()).or_else(|| end_of_day(text));
    let end = end.ok_or(AccessError::InvalidExpiry)?;
    let lifetime = end.duration_since(now);
    if lifetime <= SignedDuration::ZERO || lifetime.as_hours() > MAX_LIFETIME_DAYS * 24 {
        return Err(AccessError::InvalidExpiry);
    }
    Ok(Some(end))
}

fn parse_lifetime(text: &str, now: Timestamp) -> Option<Timestamp> {
    let (count, hours) = match (text.strip_suffix('d'), text.strip_suffix('h')) {
        (Some(days), _) => (days, 24),
        (_, Some(hours)) => (hours, 1),
        (None, None) => return None,
    };
    let hours = count.trim().parse::<u16>().map(|count| i64::from(count) * hours).ok()?;
    now.checked_add(SignedDuration::from_hours(hours)).ok()
}

fn end_of_day(text: &str) -> Option<Timestamp> {
    let next = text.parse::<Date>().ok()?.tomorrow().ok()?;
    next.to_zoned(TimeZone::UTC).ok().map(|midnight| midnight.timestamp())
}

/// Words of a list, each once and in their order.
fn parse_words(
    words: &[String],
    parse: impl Fn(&str) -> Result<String, AccessError>,
) -> Result<Vec<String>, AccessError> {
    let words = words.iter().map(|word| word.trim()).filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(parse).collect::<Result<_, _>>()?;
    words.sort_unstable();
    words.dedup();
    Ok(words)
}

fn parse_operation(name: &str) -> Result<String, AccessError> {
    let known = operation_names();
    if known.contains(&name) {
        return Ok(name.to_owned());
    }
    let name = name.chars().take(MAX_KEY_NAME_CHARS).collect();
    Err(AccessError::UnknownOperation { name, known: known.join(", ") })
}

fn operation_names() -> Vec<&'static str> {
    macro_rules! names {
        ($($operation:ident,)*) => {
            vec![$(<params::$operation as OperationDeclaration>::NAME,)*]
        };
    }
    wire::for_each_operation!(names)
}

fn parse_series(text: &str) -> Result<String, AccessError> {
    if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(text.to_owned());
    }
    Err(AccessError::InvalidSeries { series: text.chars().take(MAX_KEY_NAME_CHARS).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-05-01T12:00:00Z".parse().expect("a time")
    }

    fn expiry(text: &str) -> Option<String> {
        let limits = KeyLimits { expires_at: Some(text.to_owned()), ..KeyLimits::default() };
        limits.to_stored(now()).ok().map(|limits| limits.expires_at.unwrap_or_default())
    }

    #[test]
    fn a_key_works_through_the_day_for_a_while_or_until_a_time() {
        for (text, end) in [
            ("2026-05-01", "2026-05-02T00:00:00Z"),
            ("2028-02-29", "2028-03-01T00:00:00Z"),
            ("90d", "2026-07-30T12:00:00Z"),
            (" 12h ", "2026-05-02T00:00:00Z"),
            ("2026-06-01T10:00:00+02:00", "2026-06-01T08:00:00Z"),
            ("", ""),
        ] {
            assert_eq!(expiry(text).as_deref(), Some(end), "{text:?}");
        }
    }

    #[test]
    fn an_end_that_has_passed_is_far_or_means_nothing_is_refused() {
        for text in
            ["2026-04-30", "0d", "-1d", "d", "9999d", "2226-05-01", "soon", "90", "31.12.2026"]
        {
            assert_eq!(expiry(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_scope_names_operations_and_series_that_exist_each_once() {
        let parse = |operations: &[&str], series: &[&str]| {
            let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
            let scope = KeyScope { operations: words(operations), series: words(series) };
            KeyLimits { scope, ..KeyLimits::default() }.to_stored(now()).map(|limits| limits.scope)
        };
        let scope = parse(&["search_text", "get_sections", "search_text", ""], &["38", " 23"]);
        let scope = scope.expect("valid");
        assert_eq!(scope.operations, ["get_sections", "search_text"]);
        assert_eq!(scope.series, ["23", "38"]);
        assert!(scope.covers_operation("search_text") && !scope.covers_operation("get_tdoc"));
        assert!(scope.covers_series("38") && !scope.covers_series("36"));
        let refused = parse(&["search"], &[]);
        assert!(matches!(refused, Err(AccessError::UnknownOperation { .. })), "{refused:?}");
        for series in ["3", "38.331", "38 series", "xx", "\u{663}\u{668}"] {
            let refused = parse(&[], &[series]);
            assert!(matches!(refused, Err(AccessError::InvalidSeries { .. })), "{series}");
        }
    }
}
