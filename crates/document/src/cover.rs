//! The cover page: number, type, version, date, release and title from its lines of text.

use domain::{DocNumber, DocType, Release, TdocId, Version};

use crate::document::CoverPage;
use crate::text::collapse_whitespace;

/// Names of technical specification groups; what follows one on the cover is the title. A name comes before its
/// prefixes, so that `radio access networks` does not leave an `s` in the title.
const GROUP_NAMES: [&str; 7] = [
    "services and system aspects",
    "services and systems aspects",
    "core network and terminals",
    "gsm/edge radio access network",
    "radio access networks",
    "radio access network",
    "core network",
];

/// Maximum number of lines of a text that are read for its cover. Further down, texts cite other specifications in the
/// same form.
pub const MAX_COVER_LINES: usize = 120;
/// The line with number, version and date is among this many at the beginning; stamps such as `ARIB STD-T104` and logos
/// may be above it.
const MAX_LINES_ABOVE: usize = 8;
/// Project, document type and release follow it within this many lines.
const MAX_TITLE_PAGE_LINES: usize = 30;
/// The head of a meeting document is among this many lines at the beginning.
const MAX_HEAD_LINES: usize = 6;
/// Headings that end a title page.
const AFTER_TITLE_PAGE: [&str; 6] =
    ["contents", "table of contents", "foreword", "introduction", "scope", "references"];
/// Maximum number of lines of a title: without the release that ends it, it would continue with the address below it.
const MAX_TITLE_LINES: usize = 12;
/// Maximum bytes of a title; a longer one contains the text below it, and is left out.
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
    // Some covers have the release in the last line of the title.
    let titles = lines.iter().take(MAX_LINES_ABOVE + MAX_TITLE_PAGE_LINES);
    let in_title = || titles.clone().find_map(|line| Some(find_release(line)?.1));
    cover.release = cover.release.or_else(in_title);
    cover.title = read_title(&lines, &cover);
    cover.meeting_head = find_meeting_head(&lines);
    cover.is_title_page = cover.meeting_head.is_none() && is_title_page(&lines, &cover);
    cover
}

/// Whether lines are the title page of a specification, as all files of `tests/extract_real` have it: a line that
/// consists of number, version and date, then the document type, the project and the release, before any table of
/// contents or heading. A contribution may cite a specification, or bring a cover along below its own head.
fn is_title_page(lines: &[String], cover: &CoverPage) -> bool {
    let mut lines = lines.iter().filter(|line| !line.is_empty());
    let above = lines.by_ref().take(MAX_LINES_ABOVE).position(|line| is_identity_line(line, cover));
    if above.is_none() {
        return false;
    }
    let page: Vec<String> = lines
        .take(MAX_TITLE_PAGE_LINES)
        .map(|line| line.to_ascii_lowercase())
        .take_while(|line| !ends_title_page(line))
        .collect();
    let has = |is_it: fn(&str) -> bool| page.iter().any(|line| is_it(line));
    has(|line| line.contains("generation partnership project"))
        && has(|line| {
            line.starts_with("technical report")
                || line.starts_with("technical specification") && !line.contains("group")
                || line.starts_with("technical specification technical specification")
        })
        && has(|line| parse_release(line).is_some() || cut_release(line).1)
}

/// Whether a line consists of the number, version and date of the cover: `3GPP TS 38.331 V18.0.0 (2023-12)`.
fn is_identity_line(line: &str, cover: &CoverPage) -> bool {
    let rest = ["3GPP", "3G"].iter().find_map(|project| line.strip_prefix(project)).unwrap_or(line);
    let mut words = rest.split_whitespace().peekable();
    let Some((_, glued)) = words.next().and_then(split_type) else { return false };
    let number = if glued.is_empty() { words.next().unwrap_or("") } else { glued };
    let number = parse_number(number);
    // `V 18.0.0` also occurs.
    if words.peek().is_some_and(|word| word.eq_ignore_ascii_case("v")) {
        words.next();
    }
    let version = words.next().and_then(|word| word.parse::<Version>().ok());
    let date = words.next().and_then(parse_date);
    number.is_some()
        && (number.as_ref(), version, date.as_deref())
            == (cover.number.as_ref(), cover.version, cover.date.as_deref())
        && version.is_some()
        && date.is_some()
        && words.next().is_none()
}

/// Whether a line in lower case begins what follows a title page: the table of contents, or a heading.
fn ends_title_page(line: &str) -> bool {
    let title = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    let is_numbered = title.len() < line.len() && line.starts_with(|c: char| c.is_ascii_digit());
    AFTER_TITLE_PAGE.contains(&title.trim_end_matches(|c: char| !c.is_alphabetic()))
        || is_numbered && parse_date(title).is_none() && is_heading_number(line)
}

/// Whether a line begins with a clause number and a blank: neither a postal code nor `3rd`, which title pages have.
fn is_heading_number(line: &str) -> bool {
    let number = line.split(' ').next().unwrap_or_default();
    let digits =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    number.split('.').all(digits)
}

/// The number of a meeting document, or the line with its meeting, at the beginning of a text:
/// `3GPP TSG-RAN WG1 Meeting #118    R1-2405780`.
fn find_meeting_head(lines: &[String]) -> Option<String> {
    lines.iter().filter(|line| !line.is_empty()).take(MAX_HEAD_LINES).find_map(|line| {
        let number = line.split(' ').find_map(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            TdocId::split_revision(word).filter(|(id, _)| id.group().is_some())
        });
        let upper = line.to_ascii_uppercase();
        let names_group =
            upper.contains("TSG") || upper.contains(" WG") || upper.starts_with("SA WG");
        let is_meeting = names_group && (upper.contains("MEETING") || line.contains('#'));
        match number {
            // A sentence that cites a document is not a head, and a long line is a paragraph.
            Some((id, _)) if is_meeting || line.split(' ').count() <= 4 => Some(id.to_string()),
            _ if is_meeting && line.chars().count() <= 120 => Some(line.clone()),
            _ => None,
        }
    })
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

/// Reads a line that is the release: `(Release 18)`, also `Release 1999` and older forms. A title may begin with the word:
/// `Release 15 Description; Summary of Work Items`.
fn parse_release(line: &str) -> Option<Release> {
    let line = line.trim_start_matches(['(', ' ']);
    let (release, rest) = read_release(line)?;
    let (inside, _) = rest.split_once(')').unwrap_or((rest, ""));
    (!inside.chars().any(char::is_alphabetic)).then_some(release)
}

/// The release that a text begins with, and what follows its number.
fn read_release(text: &str) -> Option<(Release, &str)> {
    let rest = strip_words(text, "3GPP").map_or(text, str::trim_start);
    let rest = strip_words(rest, "release").or_else(|| strip_words(rest, "rel"))?;
    let rest = rest.trim_start_matches([' ', ':', '.', '-', '\u{a0}', '\u{2011}', '\u{2013}']);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some((rest.get(..digits)?.parse().ok()?, rest.get(digits..)?))
}

/// The title: the lines between the project's name and the release, without group names.
fn read_title(lines: &[String], cover: &CoverPage) -> Option<String> {
    let starts_with_project =
        |line: &String| line.to_ascii_lowercase().contains("generation partnership project");
    let starts_with_group =
        |line: &String| line.to_ascii_lowercase().starts_with("technical specification group");
    let project = lines.iter().position(starts_with_project);
    let start = project.or_else(|| lines.iter().position(starts_with_group));
    let start = start.or_else(|| find_bare_title(lines, cover))?;
    let mut title = String::new();
    for (index, line) in lines[start..].iter().take(MAX_TITLE_LINES).enumerate() {
        if parse_release(line).is_some() || is_below_title(line) {
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

/// The line of the title on a cover that names neither project nor group: the one after number and document type.
fn find_bare_title(lines: &[String], cover: &CoverPage) -> Option<usize> {
    let identity = lines.iter().position(|line| is_identity_line(line, cover))?;
    let kind = lines.get(identity + 1)?.to_ascii_lowercase();
    let is_kind = matches!(kind.as_str(), "technical specification" | "technical report");
    (identity < MAX_LINES_ABOVE && is_kind).then_some(identity + 2)
}

/// Whether a line stands below the title on a cover that does not print its release.
fn is_below_title(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    [
        "the present document",
        "keywords",
        "postal address",
        "3gpp support office",
        "copyright notification",
    ]
    .iter()
    .any(|words| lower.starts_with(words))
}

/// Whether a text begins with the line that says its number, version and date, as a title page does.
pub fn begins_with_identity<'a>(lines: impl Iterator<Item = &'a str>, cover: &CoverPage) -> bool {
    lines
        .map(collapse_whitespace)
        .filter(|line| !line.is_empty())
        .take(MAX_LINES_ABOVE)
        .any(|line| is_identity_line(&line, cover))
}

/// What follows `3rd Generation Partnership Project;` in the same line.
fn strip_project_name(line: &str) -> &str {
    let rest = line.split_once("roject").map_or("", |(_, rest)| rest);
    strip_group(rest.trim_start_matches([';', ' ', '.', ',']))
}

/// Cuts `(Release 18)` and what follows off the end of a line.
fn cut_release(line: &str) -> (&str, bool) {
    // A draft may not know its number yet, `(Release x)`.
    let unnumbered = || line.find("(Release").or_else(|| line.find("(release"));
    match find_release(line).map(|(start, _)| start).or_else(unnumbered) {
        Some(start) => (line[..start].trim(), true),
        None => (line, false),
    }
}

/// The release in brackets within a line, and where its bracket opens.
fn find_release(line: &str) -> Option<(usize, Release)> {
    let brackets = line.match_indices('(');
    let mut found = brackets.filter_map(|(at, _)| {
        let (release, rest) = read_release(line[at + 1..].trim_start())?;
        let ends = rest.trim_start().starts_with(|c: char| !c.is_alphabetic()) || rest.is_empty();
        ends.then_some((at, release))
    });
    found.next()
}

/// Cuts `Technical Specification Group <name>;` off the front.
fn strip_group(line: &str) -> &str {
    let Some(rest) = strip_words(line, "technical specification group") else { return line };
    let rest = rest.trim_start();
    if let Some((_, after)) = rest.split_once(';') {
        return after.trim();
    }
    // Without a group's name the words are part of the title, as in the report on working methods of the groups.
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
        || lower.starts_with('[')
}

#[cfg(test)]
mod tests;
