//! Pages that list a folder of a file server, in any of their forms.

use html5gum::{Token, Tokenizer};
use url::Url;

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ListingEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a folder itself.
    pub is_folder: bool,
    /// The date that the source shows for it, as `2019-03-26`.
    pub modified: Option<String>,
}

/// Maximum number of entries; the rest is not read. A page at its size limit has room for millions of links, and
/// hundreds of listings are cached.
const MAX_ENTRIES: usize = 100_000;
/// Entries before a link among which its duplicate may be: a row may link its file several times. A comparison with all
/// entries would take their square.
const DUPLICATE_WINDOW: usize = 4;

/// A link of a page.
struct PageLink {
    href: String,
    /// Whether it is marked as a file.
    is_file: bool,
    /// Whether `<dir>` precedes it.
    is_folder: bool,
    /// The date that precedes it.
    modified: Option<String>,
}

/// The entries that a page lists: links to what is directly below its own URL.
///
/// Three forms are known: a table whose files have the class `file`; preformatted text with `<dir>` before
/// folders; and plain lists, in which folders end in a slash.
pub fn parse_listing(page: &str, base: &Url) -> Vec<ListingEntry> {
    let links = parse_links(page);
    let marks_files = links.iter().any(|link| link.is_file);
    let marks_folders = links.iter().any(|link| link.is_folder);
    let mut listed: Vec<ListingEntry> = Vec::new();
    for link in links.into_iter().take(MAX_ENTRIES) {
        let Some((name, ends_in_slash)) = child_name(base, &link.href) else { continue };
        let is_folder = ends_in_slash
            || link.is_folder
            || (marks_files && !link.is_file)
            || (!marks_files && !marks_folders && !name.contains('.'));
        if !listed.iter().rev().take(DUPLICATE_WINDOW).any(|known| known.name == name) {
            listed.push(ListingEntry { name, is_folder, modified: link.modified });
        }
    }
    listed
}

fn parse_links(page: &str) -> Vec<PageLink> {
    let mut links = Vec::new();
    let mut before = String::new();
    for Ok(token) in Tokenizer::new(page) {
        match token {
            Token::StartTag(tag) if tag.name.as_slice() == b"a" => {
                let attribute = |name: &[u8]| {
                    let value = tag.attributes.get(name)?;
                    Some(String::from_utf8_lossy(value).into_owned())
                };
                if let Some(href) = attribute(b"href") {
                    let class = attribute(b"class").unwrap_or_default();
                    let is_file = class.split_whitespace().any(|class| class == "file");
                    let is_folder = before.trim_end().to_lowercase().ends_with("<dir>");
                    let modified = parse_preceding_date(&before);
                    links.push(PageLink { href, is_file, is_folder, modified });
                }
                before.clear();
            }
            Token::EndTag(_) => before.clear(),
            Token::String(text) => before = String::from_utf8_lossy(&text).into_owned(),
            _ => {}
        }
    }
    links
}

/// The date before a link in preformatted text: ` 3/26/2019  4:49 PM       853676 `. The month comes first: the pages of the 3GPP
/// server have days after 12 in second place only. Other forms of dates are not read, since their order may differ.
fn parse_preceding_date(before: &str) -> Option<String> {
    let mut words = before.split_whitespace();
    let (date, _time, half_of_day) = (words.next()?, words.next()?, words.next()?);
    if !matches!(half_of_day, "AM" | "PM") {
        return None;
    }
    let mut numbers = date.split('/').map(|number| number.parse::<u16>().ok());
    let (month, day, year) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && year >= 1980;
    (is_date && numbers.next().is_none() && year <= 9999)
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The name of a link's target, if it is directly below `base`, and whether it ends in a slash.
fn child_name(base: &Url, href: &str) -> Option<(String, bool)> {
    // Some servers do not escape a `#` in a name.
    let href = href.split(['?']).next()?.replace('#', "%23");
    let url = base.join(&href).ok()?;
    if url.host_str() != base.host_str() {
        return None;
    }
    let path = url.path().strip_prefix(base.path())?;
    let ends_in_slash = path.ends_with('/');
    let name = path.trim_end_matches('/');
    let name = percent_decode(name);
    // The name becomes part of a path on this machine: `%2e%2e%2f` must not lead out of its folder.
    let is_plain =
        !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != "..";
    is_plain.then_some((name, ends_in_slash))
}

/// A segment of a path with each `%xx` decoded.
fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = if *first == b'%' { after.get(..2) } else { None };
        let hex = hex.and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(page: &str) -> Vec<(String, bool)> {
        let base = Url::parse("https://files.example/ftp/tsg_ran/WG1_RL1/").expect("valid");
        parse_listing(page, &base)
            .into_iter()
            .map(|listed| (listed.name, listed.is_folder))
            .collect()
    }

    #[test]
    fn listings_are_read_in_all_forms() {
        let tables = r#"<table><tr><td><a href="https://files.example/ftp/tsg_ran/">Parent</a></td></tr>
            <tr><td><a href="https://files.example/ftp/tsg_ran/WG1_RL1/TSGR1_118">TSGR1_118</a></td></tr>
            <tr><td><a class="file" href="https://files.example/ftp/tsg_ran/WG1_RL1/R1-24.zip">R1-24.zip</a></td></tr></table>"#;
        let preformatted = r#"<pre><A HREF="/ftp/tsg_ran/">[To Parent Directory]</A><br>
            3/29/2019  2:19 PM  &lt;dir&gt; <A HREF="/ftp/tsg_ran/WG1_RL1/TSGR1_118/">TSGR1_118</A><br>
            1/16/2019  5:06 PM  4606170 <A HREF="/ftp/tsg_ran/WG1_RL1/R1-24.zip">R1-24.zip</A><br></pre>"#;
        let list = r#"<ul><li><a href="../">..</a></li><li><a href="TSGR1_118/">TSGR1_118/</a></li>
            <li><a href="R1-24.zip">R1-24.zip</a></li></ul>"#;
        let expected = [("TSGR1_118".to_owned(), true), ("R1-24.zip".to_owned(), false)];
        for page in [tables, preformatted, list] {
            assert_eq!(names(page), expected, "{page}");
        }
    }

    #[test]
    fn dates_are_read_where_their_order_is_known() {
        let base = Url::parse("https://files.example/ftp/Specs/").expect("valid");
        for (before, expected) in [
            (" 3/26/2019  4:49 PM       853676 ", Some("2019-03-26")),
            ("12/18/2018  4:14 PM        &lt;dir&gt; ", Some("2018-12-18")),
            (" 1/3/2016 12:00 AM 1 ", Some("2016-01-03")),
            ("26/3/2019 4:49 PM 853676 ", None),
            ("26/3/2019 16:49 853676 ", None),
            ("3/26/19 4:49 PM 853676 ", None),
            ("3/26/2019/1 4:49 PM 853676 ", None),
            ("", None),
        ] {
            let page = format!("<pre>{before}<a href=\"23041-g00.zip\">23041-g00.zip</a></pre>");
            let listed = parse_listing(&page, &base);
            assert_eq!(listed[0].modified.as_deref(), expected, "{before}");
        }
    }

    #[test]
    fn names_are_decoded_and_links_elsewhere_left_out() {
        let page = r#"<a href="TSGR1_%23118/">x</a><a href="a#b.zip">x</a><a href="https://evil.example/ftp/tsg_ran/WG1_RL1/x.zip">x</a>
            <a href="%2e%2e%2fsecret.zip">x</a><a href="sub/deep.zip">x</a><a href="R1%2D2405790.zip">x</a><a>x</a>"#;
        let entries = names(page);
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["TSGR1_#118", "a#b.zip", "R1-2405790.zip"]);
    }
}
