//! Dates as histories print them.

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A date as `2024-03`, or `2024-03-15` if the day is printed; `None` for other text. `2024-03`, `2024.03`,
/// `03/2024`, `03-2024`, `15/03/2024`, `2024-03-15`, `March 2024` and `Mar-24` are read.
pub(crate) fn parse_date(text: &str) -> Option<String> {
    let parts: Vec<&str> = text
        .trim()
        .split(|c: char| {
            c.is_whitespace() || matches!(c, '-' | '.' | '/' | ',' | '\u{2011}'..='\u{2015}')
        })
        .filter(|part| !part.is_empty())
        .collect();
    let (year, month, day) = match parts[..] {
        [a, b] => {
            let (year, month) = if a.len() == 4 { (a, b) } else { (b, a) };
            (year, month, None)
        }
        [a, b, c] if a.len() == 4 => (a, b, Some(c)),
        [a, b, c] => (c, b, Some(a)),
        _ => return None,
    };
    let year = read_year(year)?;
    let month = read_month(month)?;
    let day = match day {
        Some(day) => {
            let day = day.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<u8>().ok()?;
            Some(day).filter(|day| (1..=31).contains(day)).map(Some)?
        }
        None => None,
    };
    Some(match day {
        Some(day) => format!("{year:04}-{month:02}-{day:02}"),
        None => format!("{year:04}-{month:02}"),
    })
}

fn read_year(text: &str) -> Option<u16> {
    let digits = text.trim_start_matches('\'');
    let year: u16 = digits.parse().ok()?;
    match digits.len() {
        // Histories begin in the 1990s (`Jun 1999`), so two digits from 90 on are of that decade.
        2 if year >= 90 => Some(1900 + year),
        2 => Some(2000 + year),
        4 if (1980..2100).contains(&year) => Some(year),
        _ => None,
    }
}

fn read_month(text: &str) -> Option<u8> {
    if let Ok(month) = text.parse::<u8>() {
        return (1..=12).contains(&month).then_some(month);
    }
    let lower = text.to_lowercase();
    let found = MONTHS.iter().position(|month| lower.starts_with(month));
    found.map(|index| index as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_layouts_are_read() {
        for (text, date) in [
            ("2024-03", Some("2024-03")),
            ("2017.03", Some("2017-03")),
            ("04/2017", Some("2017-04")),
            ("3/2017", Some("2017-03")),
            ("12-2016", Some("2016-12")),
            ("24/08/2018", Some("2018-08-24")),
            ("2018-08-24", Some("2018-08-24")),
            ("May 2017", Some("2017-05")),
            ("Jun 1999", Some("1999-06")),
            ("Mar-09", Some("2009-03")),
            ("Dec-99", Some("1999-12")),
            ("Jan-90", Some("1990-01")),
            ("SP-04", None),
            ("18.1.0", None),
            ("RP-86", None),
            ("2024-13", None),
            ("1979-12", None),
            ("2100-01", None),
            ("", None),
        ] {
            assert_eq!(parse_date(text).as_deref(), date, "{text}");
        }
    }
}
