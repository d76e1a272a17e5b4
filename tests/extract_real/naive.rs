//! What a Word file says, read by a walk that shares nothing with the reader of the program.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

use crate::key;

/// What a heading may say besides number and title, which a section does not repeat.
const HEADING_WORDS: [&str; 4] = ["annex", "normative", "informative", "contents"];

/// Words of ASCII letters and digits.
pub(crate) fn count_words(text: &str, words: &mut HashMap<String, i64>) {
    // The reader marks exponents, 2^16, which the file tells by the place of the letters.
    let visible: String = text
        .chars()
        .filter(|c| !matches!(c, '^' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}'))
        .collect();
    for word in visible.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
    {
        let word = word.to_ascii_lowercase();
        if !HEADING_WORDS.contains(&word.as_str()) {
            *words.entry(word).or_default() += 1;
        }
    }
}

fn part(path: &Path, name: &str) -> Vec<u8> {
    let file = File::open(path).expect("readable");
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).expect("a zip");
    let mut bytes = Vec::new();
    archive.by_name(name).expect("part").read_to_end(&mut bytes).expect("intact");
    bytes
}

/// Ids of the styles with such a name (in small letters), by a search of the raw text.
fn styles(path: &Path, is_wanted: impl Fn(&str) -> bool) -> HashSet<String> {
    let styles = String::from_utf8(part(path, "word/styles.xml")).expect("UTF-8");
    let value = |text: &str, key: &str| {
        let rest = text.split_once(key)?.1;
        rest.split_once('"').map(|(value, _)| value.to_owned())
    };
    let chunks = styles.split("<w:style ").skip(1);
    let wanted = chunks.filter(|chunk| {
        let name = value(chunk, "<w:name w:val=\"").unwrap_or_default();
        is_wanted(&name.to_lowercase())
    });
    wanted.filter_map(|chunk| value(chunk, "w:styleId=\"")).collect()
}

/// Elements that divide words.
const SEPARATORS: [&str; 9] = [
    "w:tab",
    "w:br",
    "w:cr",
    "w:noBreakHyphen",
    "w:sym",
    "m:oMath",
    "w:drawing",
    "w:pict",
    "w:object",
];

/// Id of the style and text of each paragraph, by a walk that shares nothing with the reader: the
/// text of runs that are not deleted and not an alternative already read.
fn naive_paragraphs(path: &Path) -> Vec<(String, String)> {
    let xml = part(path, "word/document.xml");
    let mut reader = Reader::from_reader(&xml[..]);
    reader.config_mut().expand_empty_elements = true;
    let mut closed = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut paragraphs: Vec<(String, String)> = Vec::new();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).expect("well-formed") {
            Event::Start(start) => {
                let name = start.name().as_ref().to_owned();
                match name.as_str() {
                    "w:p" => paragraphs.push(Default::default()),
                    "w:pStyle" => {
                        if let Some(paragraph) = paragraphs.last_mut() {
                            paragraph.0 = style_id(&start);
                        }
                    }
                    name if SEPARATORS.contains(&name) => push(&mut paragraphs, " "),
                    _ => {}
                }
                open.push(name);
            }
            Event::Text(text) if counts(&open) => push(&mut paragraphs, &text),
            Event::GeneralRef(reference) if counts(&open) => {
                let c = reference.resolve_char_ref().ok().flatten().unwrap_or(' ');
                push(&mut paragraphs, c.encode_utf8(&mut [0; 4]));
            }
            Event::End(end) => {
                open.pop();
                if end.name().as_ref() == "w:p" {
                    closed.push(paragraphs.pop().expect("an open paragraph"));
                }
            }
            Event::Eof => return closed,
            _ => {}
        }
    }
}

/// The words of a document that are not in a line of the contents.
pub(crate) fn naive_words(path: &Path) -> HashMap<String, i64> {
    let contents = styles(path, |name| name.starts_with("toc "));
    let mut words = HashMap::new();
    for (style, text) in naive_paragraphs(path) {
        let ends_in_page = text.trim_end().ends_with(|c: char| c.is_ascii_digit());
        if !(contents.contains(&style) && ends_in_page) {
            count_words(&text, &mut words);
        }
    }
    words
}

/// The captions of figures, by their style and their first word.
pub(crate) fn naive_captions(path: &Path) -> Vec<String> {
    let captions = styles(path, |name| name == "tf" || name.starts_with("caption"));
    let of_figure = |text: &str| {
        let number = text.strip_prefix("figure").map(str::trim_start);
        number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    let paragraphs = naive_paragraphs(path).into_iter();
    let styled = paragraphs.filter(|(style, _)| captions.contains(style));
    styled.map(|(_, text)| key(&text)).filter(|text| of_figure(text)).collect()
}

fn style_id(start: &BytesStart<'_>) -> String {
    let id = start.try_get_attribute("w:val").expect("valid").expect("a style");
    id.normalized_value(XmlVersion::Implicit1_0).expect("valid").into_owned()
}

fn push(paragraphs: &mut [(String, String)], text: &str) {
    if let Some((_, paragraph)) = paragraphs.last_mut() {
        paragraph.push_str(text);
    }
}

fn counts(open: &[String]) -> bool {
    let hidden = |name: &String| matches!(name.as_str(), "w:del" | "w:moveFrom" | "mc:Fallback");
    open.last().is_some_and(|name| name == "w:t") && !open.iter().any(hidden)
}
