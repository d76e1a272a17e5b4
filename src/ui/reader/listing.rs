//! Listings as HTML: words coloured by their class, names linked to what defines them.

use document_model::{CodeBlock, CodeLanguage};
use maud::{Markup, html};

/// A listing with more lines can be folded.
const MAX_UNFOLDED_LINES: usize = 40;
/// A listing with more bytes is not coloured.
const MAX_COLOURED_BYTES: usize = 512 << 10;

/// The class of a word in a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordClass {
    Plain,
    Comment,
    Keyword,
    Text,
    Number,
    /// A name that begins with a capital letter: in ASN.1, a type.
    Type,
    /// The key of a YAML or JSON value, or the tag of an XML element.
    Key,
}

impl WordClass {
    fn css_class(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Comment => Some("c-comment"),
            Self::Keyword => Some("c-keyword"),
            Self::Text => Some("c-text"),
            Self::Number => Some("c-number"),
            Self::Type => Some("c-type"),
            Self::Key => Some("c-key"),
        }
    }
}

/// Reserved words of ASN.1 (ITU-T X.680, 12.38).
const ASN1_KEYWORDS: [&str; 46] = [
    "ABSENT",
    "ALL",
    "ANY",
    "APPLICATION",
    "AUTOMATIC",
    "BEGIN",
    "BIT",
    "BOOLEAN",
    "BY",
    "CHOICE",
    "CLASS",
    "COMPONENT",
    "COMPONENTS",
    "CONSTRAINED",
    "CONTAINING",
    "DEFAULT",
    "DEFINITIONS",
    "ENCODED",
    "END",
    "ENUMERATED",
    "EXPLICIT",
    "EXPORTS",
    "EXTENSIBILITY",
    "FALSE",
    "FROM",
    "IDENTIFIER",
    "IMPLICIT",
    "IMPORTS",
    "INCLUDES",
    "INTEGER",
    "MAX",
    "MIN",
    "NULL",
    "OBJECT",
    "OCTET",
    "OF",
    "OPTIONAL",
    "PRESENT",
    "SEQUENCE",
    "SET",
    "SIZE",
    "STRING",
    "SYNTAX",
    "TAGS",
    "TRUE",
    "UNIQUE",
];

/// Renders a listing. `target` gives the path of a name's definition; `id` names the element to copy from.
pub(super) fn render_listing(
    code: &CodeBlock,
    id: &str,
    target: &dyn Fn(&str) -> Option<String>,
) -> Markup {
    let lines = code.text.lines().count();
    let name = match code.language {
        CodeLanguage::Asn1 => "ASN.1",
        CodeLanguage::Yaml => "YAML",
        CodeLanguage::Json => "JSON",
        CodeLanguage::Xml => "XML",
        CodeLanguage::Other => "Listing",
    };
    let text = html! {
        pre tabindex="0" aria-label={ (name) " listing" } {
            code id=(id) { (render_code(code, target)) }
        }
    };
    let copy = html! { button.small type="button" data-copy=(id) hidden { "Copy" } };
    html! {
        div.listing {
            @if lines > MAX_UNFOLDED_LINES {
                details open {
                    summary { (name) ", " (lines) " lines" }
                    (copy) (text)
                }
            } @else { div.listing-head { span { (name) } (copy) } (text) }
        }
    }
}

fn render_code(code: &CodeBlock, target: &dyn Fn(&str) -> Option<String>) -> Markup {
    if code.text.len() > MAX_COLOURED_BYTES {
        return html! { (code.text) };
    }
    let mut words = Vec::new();
    for (number, line) in code.text.split('\n').enumerate() {
        if number > 0 {
            words.push((WordClass::Plain, "\n"));
        }
        match code.language {
            CodeLanguage::Asn1 => push_asn1_line(line, &mut words),
            CodeLanguage::Yaml | CodeLanguage::Json => push_keyed_line(line, &mut words),
            CodeLanguage::Xml => push_xml_line(line, &mut words),
            CodeLanguage::Other => words.push((WordClass::Plain, line)),
        }
    }
    html! {
        @for (class, word) in words {
            @let href = if class == WordClass::Type { target(word) } else { None };
            @match (class.css_class(), href) {
                (Some(class), Some(href)) => { a class=(class) href=(href) { (word) } }
                (Some(class), None) => { span class=(class) { (word) } }
                (None, _) => { (word) }
            }
        }
    }
}

fn push_asn1_line<'a>(line: &'a str, words: &mut Vec<(WordClass, &'a str)>) {
    let (text, comment) = line.split_at(line.find("--").unwrap_or(line.len()));
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '"') {
        words.push((WordClass::Plain, &rest[..start]));
        rest = &rest[start..];
        if rest.starts_with('"') {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            words.push((WordClass::Text, &rest[..end]));
            rest = &rest[end..];
            continue;
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        words.push((asn1_class(word), word));
        rest = after;
    }
    words.push((WordClass::Plain, rest));
    if !comment.is_empty() {
        words.push((WordClass::Comment, comment));
    }
}

fn asn1_class(word: &str) -> WordClass {
    match word.bytes().next() {
        Some(b'0'..=b'9') => WordClass::Number,
        Some(b'A'..=b'Z') if ASN1_KEYWORDS.contains(&word) => WordClass::Keyword,
        Some(b'A'..=b'Z') => WordClass::Type,
        _ => WordClass::Plain,
    }
}

/// YAML and JSON: a key before its colon, then its value.
fn push_keyed_line<'a>(line: &'a str, words: &mut Vec<(WordClass, &'a str)>) {
    let indent = line.len() - line.trim_start_matches([' ', '-']).len();
    let (lead, text) = line.split_at(indent);
    words.push((WordClass::Plain, lead));
    if text.starts_with('#') {
        words.push((WordClass::Comment, text));
        return;
    }
    let colon = text.find(':').filter(|colon| {
        let after = &text[colon + 1..];
        after.is_empty() || after.starts_with(' ')
    });
    let (key, value) = text.split_at(colon.map_or(0, |colon| colon));
    if !key.is_empty() {
        words.push((WordClass::Key, key));
    }
    let bare = value.trim_start_matches([':', ' ']);
    words.push((WordClass::Plain, &value[..value.len() - bare.len()]));
    let class = match bare.bytes().next() {
        Some(b'\'' | b'"') => WordClass::Text,
        Some(b'0'..=b'9') if bare.bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
            WordClass::Number
        }
        _ if matches!(bare, "true" | "false" | "null") => WordClass::Keyword,
        _ => WordClass::Plain,
    };
    words.push((class, bare));
}

/// XML: tags and comments that lie within the line.
fn push_xml_line<'a>(line: &'a str, words: &mut Vec<(WordClass, &'a str)>) {
    let mut rest = line;
    while let Some(start) = rest.find('<') {
        words.push((WordClass::Plain, &rest[..start]));
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let tag = &rest[start..end];
        let class = if tag.starts_with("<!--") { WordClass::Comment } else { WordClass::Key };
        words.push((class, tag));
        rest = &rest[end..];
    }
    words.push((WordClass::Plain, rest));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        let code = CodeBlock { language: CodeLanguage::detect(text), text: text.to_owned() };
        let target = |name: &str| (name == "BWP-Id").then(|| "?section=BWP-Id".to_owned());
        render_code(&code, &target).into_string()
    }

    #[test]
    fn asn1_is_coloured_and_types_lead_to_their_clauses() {
        assert_eq!(
            rendered("A ::= SEQUENCE { id BWP-Id OPTIONAL, n INTEGER (0..15) } -- Need R"),
            "<span class=\"c-type\">A</span> ::= <span class=\"c-keyword\">SEQUENCE</span> { id \
             <a class=\"c-type\" href=\"?section=BWP-Id\">BWP-Id</a> \
             <span class=\"c-keyword\">OPTIONAL</span>, n <span class=\"c-keyword\">INTEGER</span> \
             (<span class=\"c-number\">0</span>..<span class=\"c-number\">15</span>) } \
             <span class=\"c-comment\">-- Need R</span>"
        );
    }

    #[test]
    fn nothing_of_a_listing_is_lost_and_none_is_markup() {
        for text in [
            "openapi: 3.0.0\ninfo:\n  - $ref: '#/a/b'\n# <x>\n a: true",
            "{\n  \"a\": [1, 2]\n}",
            "<a href=\"x\">y</a> <!-- b -->\n<",
            "A ::= \"unclosed\n\u{e9}-- x",
            "plain <b>",
        ] {
            let html = rendered(text);
            let mut bare = String::new();
            let mut is_tag = false;
            for c in html.chars() {
                match c {
                    '<' => is_tag = true,
                    '>' => is_tag = false,
                    c if !is_tag => bare.push(c),
                    _ => {}
                }
            }
            let bare = bare.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            assert_eq!(bare.replace("&amp;", "&"), text, "{html}");
        }
    }
}
