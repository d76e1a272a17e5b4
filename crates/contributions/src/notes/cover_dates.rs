//! Dates and place of a meeting on the first page of its report: `Maastricht, The Netherlands, August 19th – 23rd, 2024`.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::{Captures, Regex};

use super::{MAX_TITLE_BYTES, MAX_TITLE_LINES, cover::meeting_in, first_page};
use domain::{MONTHS, MeetingId};
use extract::Contribution;
use store::ReportedMeeting;

/// Days of a meeting, at most; a longer range is an error of typing. Electronic meetings take up to two weeks, and their
/// e-mail discussions another.
const MAX_DAYS: i32 = 31;
/// The first year of 3GPP.
const FIRST_YEAR: i16 = 1998;
/// Longest place: a town, a country, and perhaps a hall.
const MAX_PLACE_CHARS: usize = 80;

/// Two days, each with its month and year as far as they are written.
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    // A raised letter that is no whole ending is read as a power: "16^h".
    let day = |name: &str| format!(r"(?P<{name}>\d{{1,2}})(?:\s?\^?(?:st|nd|rd|th|h))?\b");
    let month = |name: &str| {
        format!(
            r"(?P<{name}>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|ober)?\b\.?"
        )
    };
    let to = r"\s*(?:[-\u{2010}-\u{2014}]|\bto\b|\buntil\b)\s*";
    let year = |name: &str| format!(r"\s*,?\s*(?P<{name}>\d{{4}})\b");
    let day_first = format!(
        r"\b{}(?:\s*(?:of\s+)?{}(?:{})?)?{to}{}\s*(?:of\s+)?{}{}",
        day("d1"),
        month("m1"),
        year("y1"),
        day("d2"),
        month("m2"),
        year("y2")
    );
    let month_first = format!(
        r"\b{}\s*{}(?:{})?{to}(?:{}\s*)?{}{}",
        month("m3"),
        day("d3"),
        year("y3"),
        month("m4"),
        day("d4"),
        year("y4")
    );
    Regex::new(&format!("(?i){day_first}|{month_first}"))
        .expect("a constant pattern; a test uses it")
});

/// What the first page of a report says of the meeting: the first line with two dates, if the nearest line that names a
/// meeting, from it upwards, names this one. Other dates may be of the meeting at which the report is presented.
pub(super) fn read_reported_meeting(
    meeting: &MeetingId,
    read: &Contribution,
) -> Option<ReportedMeeting> {
    let mut named = None;
    for line in first_page(read).iter().take(MAX_TITLE_LINES * 2) {
        if line.len() > MAX_TITLE_BYTES {
            continue;
        }
        named = meeting_in(line).or(named);
        if let Some(reported) = parse_dates(line) {
            let is_own = named.as_ref().is_some_and(|named| named.is_same_meeting(meeting));
            return is_own.then_some(reported);
        }
    }
    None
}

/// Place and dates in a line.
fn parse_dates(line: &str) -> Option<ReportedMeeting> {
    let found = RANGE.captures(line)?;
    let (start, end) = match found.name("d1") {
        Some(_) => read_days(&found, ["d1", "m1", "y1"], ["d2", "m2", "y2"])?,
        None => read_days(&found, ["d3", "m3", "y3"], ["d4", "m4", "y4"])?,
    };
    let days = start.until(end).ok()?.get_days();
    if start.year() < FIRST_YEAR || !(0..=MAX_DAYS).contains(&days) {
        return None;
    }
    let before = &line[..found.get(0)?.start()];
    // A headline may have its meeting before the place, separated by a tab.
    let place = before.rsplit('\t').map(clean_place).find(|part| !part.is_empty());
    let is_place = |place: &String| {
        place.chars().count() <= MAX_PLACE_CHARS && !place.contains(|c: char| c.is_ascii_digit())
    };
    Some(ReportedMeeting { place: place.filter(is_place), start, end })
}

fn clean_place(text: &str) -> String {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "(),;:|-\u{2013}".contains(c));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The two days; month and year of one stand for both. A range over the end of a year may name only the last year.
fn read_days(found: &Captures<'_>, first: [&str; 3], last: [&str; 3]) -> Option<(Date, Date)> {
    let text = |name: &str| found.name(name).map(|part| part.as_str());
    let month = |name: &str| {
        let start = text(name)?.get(..3)?.to_lowercase();
        i8::try_from(MONTHS.iter().position(|known| known.to_lowercase().starts_with(&start))? + 1)
            .ok()
    };
    let (first_month, last_month) = (month(first[1]), month(last[1]));
    let (first_month, last_month) = (first_month.or(last_month)?, last_month.or(first_month)?);
    let end_year: i16 = text(last[2])?.parse().ok()?;
    let start_year = match text(first[2]) {
        Some(year) => year.parse().ok()?,
        None => end_year - i16::from(first_month > last_month),
    };
    let day = |name: &str| text(name)?.parse::<i8>().ok();
    let start = Date::new(start_year, first_month, day(first[0])?).ok()?;
    let end = Date::new(end_year, last_month, day(last[0])?).ok()?;
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use extract::TextBlock;

    #[test]
    fn dates_and_place_are_read_in_the_forms_of_first_pages() {
        for (line, place, start, end) in [
            (
                "(Maastricht, The Netherlands, August 19th \u{2013} 23rd, 2024)",
                "Maastricht, The Netherlands",
                "2024-08-19",
                "2024-08-23",
            ),
            (
                "(Spokane, USA, 12th \u{2013} 16^h November 2018)",
                "Spokane, USA",
                "2018-11-12",
                "2018-11-16",
            ),
            (
                "Athens, Greece, February 26th - March 1st, 2024",
                "Athens, Greece",
                "2024-02-26",
                "2024-03-01",
            ),
            (
                "Nanjing, China, 23rd \u{2013} 27th May 2016",
                "Nanjing, China",
                "2016-05-23",
                "2016-05-27",
            ),
            (
                "(Online meeting, 25th January - 5th February 2021)",
                "Online meeting",
                "2021-01-25",
                "2021-02-05",
            ),
            (
                "e-Meeting, May 25th \u{2013} June 5th, 2020",
                "e-Meeting",
                "2020-05-25",
                "2020-06-05",
            ),
            (
                "Spokane, USA, 12th \u{2013} 16h November 2018",
                "Spokane, USA",
                "2018-11-12",
                "2018-11-16",
            ),
            ("Spokane, USA, 3 - 7 November, 2017", "Spokane, USA", "2017-11-03", "2017-11-07"),
            ("Sevilla, 30 December 2019 to 3 January 2020", "Sevilla", "2019-12-30", "2020-01-03"),
            ("Sevilla, December 30 - January 3, 2020", "Sevilla", "2019-12-30", "2020-01-03"),
            ("Sevilla; Sept 2 - Sept 6, 2024", "Sevilla", "2024-09-02", "2024-09-06"),
            (
                "3GPP TSG RAN WG1 #118\tMaastricht, NL, 19 \u{2013} 23 August 2024",
                "Maastricht, NL",
                "2024-08-19",
                "2024-08-23",
            ),
            ("3GPP TSG RAN WG1 #118, 19 \u{2013} 23 August 2024", "", "2024-08-19", "2024-08-23"),
        ] {
            let read = parse_dates(line).expect(line);
            let days = [read.start.to_string(), read.end.to_string()];
            assert_eq!(days, [start, end], "{line}");
            assert_eq!(read.place.unwrap_or_default(), place, "{line}");
        }
    }

    #[test]
    fn impossible_ranges_and_single_days_are_no_dates_of_a_meeting() {
        for line in [
            "Maastricht, August 23rd \u{2013} 19th, 2024",
            "Maastricht, 19th \u{2013} 33rd August 2024",
            "Maastricht, 30 \u{2013} 31 February 2024",
            "Maastricht, 19 March \u{2013} 23 August 2024",
            "Maastricht, 19 \u{2013} 23 August 1924",
            "Maastricht, 19 August 2024",
            "Versions 15.1 - 16.2, May 2024",
        ] {
            assert_eq!(parse_dates(line), None, "{line}");
        }
    }

    #[test]
    fn dates_count_only_below_the_meeting_that_they_are_of() {
        let page = |lines: &[&str]| Contribution {
            blocks: lines
                .iter()
                .map(|line| TextBlock { text: (*line).to_owned(), ..TextBlock::default() })
                .collect(),
            ..Contribution::default()
        };
        let meeting: MeetingId = "R1-118".parse().expect("a meeting");
        let own = page(&[
            "Title: Final Report of 3GPP TSG RAN WG1 #118",
            "Maastricht, 19 - 23 August 2024",
        ]);
        assert!(read_reported_meeting(&meeting, &own).is_some());
        let later = page(&[
            "3GPP TSG RAN WG1 #119",
            "Orlando, 18 - 22 November 2024",
            "Title: Report of RAN1#118 meeting",
        ]);
        assert_eq!(read_reported_meeting(&meeting, &later), None);
        assert_eq!(
            read_reported_meeting(&meeting, &page(&["Orlando, 18 - 22 November 2024"])),
            None
        );
    }
}
