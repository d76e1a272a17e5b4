//! Names of days and months, which date decisions in notes and reports.

/// Days of a week, from Monday.
pub const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// A day of a week, as a part of a case-insensitive regular expression.
pub const WEEKDAY_PATTERN: &str = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
/// Months of a year.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
