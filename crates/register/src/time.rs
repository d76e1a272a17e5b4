//! The notations of times in registers.

use jiff::civil::DateTime;

/// Parses a time: ISO, or with slashes. With AM or PM the month comes first, otherwise the day: the portal writes
/// both. If that is not a valid date, the other order is tried.
pub(crate) fn parse_time(text: &str) -> Option<DateTime> {
    let text = text.trim();
    if let Ok(time) = text.parse() {
        return Some(time);
    }
    let mut parts = text.split_whitespace();
    let (date, time, am_pm) = (parts.next()?, parts.next(), parts.next());
    let [first, second, year] = parse_three_numbers(date, '/')?;
    let [hour, minute, second_of_minute] = match time {
        Some(time) => parse_clock(time)?,
        None => [0, 0, 0],
    };
    let hour = match am_pm {
        Some(am_pm) if am_pm.eq_ignore_ascii_case("pm") => hour % 12 + 12,
        Some(am_pm) if am_pm.eq_ignore_ascii_case("am") => hour % 12,
        Some(_) => return None,
        None => hour,
    };
    let orders = [(first, second), (second, first)];
    let orders = if am_pm.is_some() { orders } else { [orders[1], orders[0]] };
    orders.into_iter().find_map(|(month, day)| {
        let [month, day, hour, minute, second] =
            [month, day, hour, minute, second_of_minute].map(|n| i8::try_from(n).ok());
        DateTime::new(i16::try_from(year).ok()?, month?, day?, hour?, minute?, second?, 0).ok()
    })
}

/// `13:40:08` or `13:40`.
fn parse_clock(text: &str) -> Option<[u32; 3]> {
    match text.matches(':').count() {
        1 => parse_three_numbers(&format!("{text}:0"), ':'),
        _ => parse_three_numbers(text, ':'),
    }
}

/// Three numbers with a separator between them.
fn parse_three_numbers(text: &str, separator: char) -> Option<[u32; 3]> {
    let mut parts = text.split(separator);
    let mut next = || parts.next()?.parse().ok();
    let three = [next()?, next()?, next()?];
    parts.next().is_none().then_some(three)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_notation() {
        for (text, time) in [
            ("2024-08-05 17:50:43", Some("2024-08-05T17:50:43")),
            ("2024-08-05T17:50:43", Some("2024-08-05T17:50:43")),
            ("7/4/2024 1:40:08 PM", Some("2024-07-04T13:40:08")),
            ("7/14/2024 12:00:00 AM", Some("2024-07-14T00:00:00")),
            ("12/31/2024 12:30:00 PM", Some("2024-12-31T12:30:00")),
            ("06/09/2024 08:18:28", Some("2024-09-06T08:18:28")),
            ("09/07/2025 16:46:30", Some("2025-07-09T16:46:30")),
            // 14 is not a month, so the month comes first.
            ("07/14/2024 08:18", Some("2024-07-14T08:18:00")),
            ("14/7/2024 1:40:08 PM", Some("2024-07-14T13:40:08")),
            ("3/12/2024", Some("2024-12-03T00:00:00")),
            ("31/31/2024", None),
            ("7/4/2024 1:40:08 XM", None),
            ("7/4", None),
            ("soon", None),
            ("", None),
        ] {
            let read = parse_time(text).map(|time| time.to_string());
            assert_eq!(read.as_deref(), time, "{text:?}");
        }
    }
}
