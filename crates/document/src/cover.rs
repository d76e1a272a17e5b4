//! The cover page: number, type, version, date, release and title from its lines of text.

use domain::{DocNumber, DocType, Release, Version};

use crate::document::CoverPage;
use crate::text::collapse_whitespace;

/// Names of technical specification groups; what follows one on the cover is the title.
const GROUP_NAMES: [&str; 7] = [
    "services and system aspects",
    "services and systems aspects",
    "core network and terminals",
    "gsm/edge radio access network",
    "radio access networks",
    "radio access network",
    "core network",
];

/// Maximum number of lines of a text that are read for its cover.
pub const MAX_COVER_LINES: usize = 120;
/// Maximum number of lines of a title.
const MAX_TITLE_LINES: usize = 12;
/// Maximum bytes of a title.
const MAX_TITLE_BYTES: usize = 600;

/// Reads the lines of a cover page, in the order of the text.
pub fn read_cover(lines: &[String]) -> CoverPage {
    let lines: Vec<String> =
        lines.iter().take(MAX_COVER_LINES).map(|line| collapse_whitespace(line)).collect();
    let mut cover = CoverPage::default();
    for line in &lines {
        read_number_line(line, &mut cover);
        if cover.release.is_none() {
            cover.release = parse_release(line);
        }
        let lower = line.to_ascii_lowercase();
        if cover.doc_type.is_none()
            && lower.starts_with("technical specification")
            && !lower.contains("group")
        {
            cover.doc_type = Some(DocType::Specification);
        } else if cover.doc_type.is_none() && lower.starts_with("technical report") {
            cover.doc_type = Some(DocType::Report);
        }
    }
    cover.title = read_title(&lines);
    cover
}

/// `3GPP TS 38.331 V18.0.0 (2023-12)`, in one line or in several.
fn read_number_line(line: &str, cover: &mut CoverPage) {
    let words: Vec<&str> = line.split(' ').collect();
    if cover.number.is_none() {
        for (index, word) in words.iter().enumerate() {
            let (kind, glued) = match split_type(word) {
                Some(split) => split,
                None => continue,
            };
            let number =
                if glued.is_empty() { words.get(index + 1).copied().unwrap_or("") } else { glued };
            if let Some(number) = parse_number(number) {
                cover.number = Some(number);
                cover.doc_type = Some(kind);
                break;
            }
        }
    }
    if cover.version.is_none() && cover.number.is_some() {
        cover.version = words.iter().find_map(|word| word.parse::<Version>().ok());
    }
    if cover.date.is_none() && cover.version.is_some() {
        cover.date = words.iter().find_map(|word| parse_date(word));
    }
}

/// `TS` or `TR`, and what follows it without a blank.
fn split_type(word: &str) -> Option<(DocType, &str)> {
    let kind = word.get(..2)?.parse().ok()?;
    Some((kind, &word[2..]))
        .filter(|(_, rest)| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn parse_number(word: &str) -> Option<DocNumber> {
    let word = word.trim_end_matches([',', ';', ':']);
    if !word.contains('.') {
        return None;
    }
    word.parse().ok()
}

/// `(2023-12)`.
fn parse_date(word: &str) -> Option<String> {
    let date = word.trim_matches(['(', ')', ',', ';']);
    let (year, month) = date.split_once('-')?;
    let digits = |text: &str, len| text.len() == len && text.bytes().all(|b| b.is_ascii_digit());
    let month_ok = digits(month, 2) && (1..=12).contains(&month.parse().unwrap_or(0));
    (digits(year, 4) && month_ok).then(|| date.to_owned())
}

/// Reads `(Release 18)`, also `Release 1999` and older forms.
fn parse_release(line: &str) -> Option<Release> {
    let inner = line.trim_matches(['(', ')', ' ']);
    let word = inner.get(..7).filter(|word| word.eq_ignore_ascii_case("release"))?;
    let number = inner[word.len()..].trim().split(' ').next()?;
    number.trim_end_matches([')', ';']).parse().ok()
}

/// The title: the lines between the project's name and the release, without group names.
fn read_title(lines: &[String]) -> Option<String> {
    let starts_with_project =
        |line: &String| line.to_ascii_lowercase().contains("generation partnership project");
    let starts_with_group =
        |line: &String| line.to_ascii_lowercase().starts_with("technical specification group");
    let project = lines.iter().position(starts_with_project);
    let start = project.or_else(|| lines.iter().position(starts_with_group))?;
    let mut title = String::new();
    for (index, line) in lines[start..].iter().take(MAX_TITLE_LINES).enumerate() {
        if parse_release(line).is_some() {
            break;
        }
        let (rest, ends) = cut_release(line);
        let first = index == 0 && project.is_some();
        let part = if first { strip_project_name(rest) } else { strip_group(rest) };
        if !part.is_empty() && !is_boilerplate_line(part) {
            if !title.is_empty() {
                title.push(' ');
            }
            title.push_str(part);
        }
        if ends {
            break;
        }
    }
    let title = title.trim_matches([';', ' ', ',']).to_owned();
    (!title.is_empty() && title.len() <= MAX_TITLE_BYTES).then_some(title)
}

/// What follows `3rd Generation Partnership Project;` in the same line.
fn strip_project_name(line: &str) -> &str {
    let rest = line.split_once("roject").map_or("", |(_, rest)| rest);
    strip_group(rest.trim_start_matches([';', ' ', '.', ',']))
}

/// Cuts `(Release 18)` and what follows off the end of a line.
fn cut_release(line: &str) -> (&str, bool) {
    match line.find("(Release").or_else(|| line.find("(release")) {
        Some(at) => (line[..at].trim(), true),
        None => (line, false),
    }
}

/// Cuts `Technical Specification Group <name>;` off the front.
fn strip_group(line: &str) -> &str {
    let Some(rest) = strip_words(line, "technical specification group") else { return line };
    let rest = rest.trim_start();
    if let Some((_, after)) = rest.split_once(';') {
        return after.trim();
    }
    // Without a group's name the words are part of the title.
    GROUP_NAMES.iter().find_map(|group| strip_words(rest, group)).map_or(line, str::trim)
}

fn strip_words<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    let head = line.get(..words.len())?;
    head.eq_ignore_ascii_case(words).then(|| &line[words.len()..])
}

fn is_boilerplate_line(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower == "technical specification"
        || lower == "technical report"
        || lower.contains("generation partnership project")
        || lower.starts_with("the present document")
        || lower.starts_with('[')
}

#[cfg(test)]
mod tests {
    use crate::cover::*;

    fn cover(lines: &[&str]) -> CoverPage {
        read_cover(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_cover_is_read_without_its_groups() {
        let cover = cover(&[
            "3GPP TS 38.331 V18.0.0 (2023-12)",
            "Technical Specification",
            "3rd Generation Partnership Project;",
            "Technical Specification Group Radio Access Network;",
            "NR;",
            "Radio Resource Control (RRC) protocol specification",
            "(Release 18)",
            "The present document has been developed",
        ]);
        assert_eq!(cover.number.expect("number").as_str(), "38.331");
        assert_eq!(cover.doc_type, Some(DocType::Specification));
        assert_eq!(cover.version.expect("version").to_string(), "18.0.0");
        assert_eq!(cover.date.as_deref(), Some("2023-12"));
        assert_eq!(cover.release, Some(Release(18)));
        assert_eq!(
            cover.title.as_deref(),
            Some("NR; Radio Resource Control (RRC) protocol specification")
        );
    }

    #[test]
    fn drafts_reports_and_lines_run_together_are_read() {
        let cover = cover(&[
            "3GPP TR 23.854 1.3.0 (2011-04)",
            "Technical Report",
            "3rd Generation Partnership Project;",
            "Technical Specification Group Services and System Aspects Priority (Release 11)",
        ]);
        assert_eq!(cover.doc_type, Some(DocType::Report));
        assert_eq!(cover.version.expect("version").to_string(), "1.3.0");
        assert_eq!(cover.title.as_deref(), Some("Priority"));
        let cover = crate::cover::tests::cover(&["3GPP TS38.101-1 V18.2.0 (2023-06)"]);
        assert_eq!(cover.number.expect("number").as_str(), "38.101-1");
    }

    #[test]
    fn the_working_methods_of_groups_are_a_title() {
        let cover = cover(&[
            "3rd Generation Partnership Project;",
            "Technical Specification Group Services and System Aspects;",
            "Technical Specification Group working methods",
            "(Release 18)",
        ]);
        assert_eq!(cover.title.as_deref(), Some("Technical Specification Group working methods"));
    }

    #[test]
    fn a_page_without_a_cover_says_nothing() {
        assert_eq!(cover(&["1\tScope", "see TS 23.501 for 1.2.3.4"]).version, None);
        assert_eq!(parse_date("(2023-13)"), None);
    }
}
