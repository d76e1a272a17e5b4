//! How people write the numbers of meetings, as parts of case-insensitive regular expressions.

/// What follows a number: `bis`, `-e`, `-bis-e`, `-e-bis`, `b-e`, ` e-meeting`, `-AH2`. The end of the word must follow
/// it; otherwise `#118 each` would name an electronic meeting.
pub const MEETING_SUFFIX_PATTERN: &str = r"(?:[\s_\u{2010}-\u{2013}-]{0,3}(?:electronic|e-?meeting|bis|ter|e)|[_\u{2010}-\u{2013}-]?(?:ad[ -]?hoc\d?|AH\d*|b))*";
/// A number directly after "Meeting": `Meeting 118`. One below 32 may be a day of a month.
pub const BARE_MEETING_NUMBER_PATTERN: &str = r"(?:3[2-9]|[4-9]\d|\d{3})";
