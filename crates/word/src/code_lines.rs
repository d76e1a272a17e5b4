//! Lines of code in a style of running text, which continue a listing.

use document_model::CodeLanguage;

/// Longest line that is examined, in bytes; a longer one is a paragraph of text.
const MAX_LINE_BYTES: usize = 400;
/// Number of last lines of the open listing from which its language is detected. Each stray line examines them, and a
/// listing may have tens of thousands.
const LINES_LOOKED_AT: usize = 40;

/// Whether a paragraph in a style of running text is a line of the open listing, by its form in the language of the
/// listing. A stray line would otherwise end the listing in the middle of a definition.
pub(super) fn continues_listing(listing: &[String], text: &str) -> bool {
    let line = text.trim();
    if line.is_empty() || text.len() > MAX_LINE_BYTES || line.contains('\n') {
        return false;
    }
    if is_asn1_mark(line) {
        return true;
    }
    if listing.is_empty() {
        return false;
    }
    let last = &listing[listing.len().saturating_sub(LINES_LOOKED_AT)..];
    // A description may have more lines than are looked at, and none of them has a form of its own.
    let is_openapi = listing.iter().take(LINES_LOOKED_AT).any(|line| line.starts_with("openapi:"));
    let language =
        if is_openapi { CodeLanguage::Yaml } else { CodeLanguage::detect(&last.join("\n")) };
    match language {
        CodeLanguage::Asn1 => is_asn1(line),
        CodeLanguage::Yaml => is_yaml(last, text),
        CodeLanguage::Json => line.starts_with(['"', '{', '}', '[', ']']),
        CodeLanguage::Xml => line.starts_with('<') && line.ends_with('>'),
        CodeLanguage::Other => false,
    }
}

/// The keys of an OpenAPI file that have no indent.
const OPENAPI_KEYS: [&str; 7] =
    ["info:", "servers:", "security:", "paths:", "components:", "tags:", "externalDocs:"];

/// Whether a line continues YAML, by its indent; running text has none. What is indented more than a key above it belongs to
/// that key, such as a line of its description.
fn is_yaml(listing: &[String], text: &str) -> bool {
    let line = text.trim();
    let is_keyed = is_yaml_entry(line) || line.starts_with('#');
    let indent = indent_of(text);
    let is_deeper =
        listing.iter().any(|above| is_yaml_entry(above.trim()) && indent_of(above) < indent);
    let is_indented = text.starts_with("  ");
    is_indented && (is_keyed || is_deeper) || indent == 0 && OPENAPI_KEYS.contains(&line)
}

/// `key: value`, or an element of a sequence.
fn is_yaml_entry(line: &str) -> bool {
    line.ends_with(':') || line.contains(": ") || line.starts_with("- ")
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// `-- ASN1START`, `-- TAG-RRCSETUP-STOP`: comments that specifications set around their ASN.1.
fn is_asn1_mark(line: &str) -> bool {
    let Some(word) = line.strip_prefix("--").map(str::trim_start) else { return false };
    matches!(word, "ASN1START" | "ASN1STOP") || (word.starts_with("TAG-") && !word.contains(' '))
}

fn is_asn1(line: &str) -> bool {
    if line.starts_with("--") || line.contains("::=") {
        return true;
    }
    if line.chars().all(|c| "{}[](),.;".contains(c)) {
        return true;
    }
    // `name Type ...,`, or names alone, as in an enumeration.
    let mut words = line.split_whitespace();
    let starts_with_name =
        words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    let has_type = words.next().is_none_or(|word| {
        word.starts_with(|c: char| c.is_ascii_uppercase() || c == '(') || word.ends_with(',')
    });
    let ends_as_code =
        line.ends_with([',', '{', '}']) || line.contains("OPTIONAL") || line.ends_with("...");
    let is_sentence = [" is ", " are ", " the ", ". "].iter().any(|words| line.contains(words));
    starts_with_name && has_type && ends_as_code && !is_sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stray_lines_are_told_from_running_text_by_the_language() {
        let listing = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let asn1 = listing("-- ASN1START\nA ::= SEQUENCE {\n  b  INTEGER,");
        let yaml = listing("openapi: 3.0.0\ninfo:\n  title: API");
        let described =
            listing("openapi: 3.0.0\npaths:\n  /a:\n      description: >\n        The policies of");
        for (listing, line, expected) in [
            (&asn1, "    c    BOOLEAN    OPTIONAL,", true),
            (&asn1, "}", true),
            (&asn1, "-- a comment", true),
            (&asn1, "The field c is true if the UE supports it.", false),
            (&asn1, "    spare1, spare2,", true),
            (&asn1, "-\tthe UE stops T310,", false),
            (&asn1, "where N is the number of bits,", false),
            (&asn1, "where b is the number of bits, and c says so.", false),
            (&yaml, "    description: The title", true),
            (&yaml, "    of the interface, on two lines", true),
            (&yaml, "and no further", false),
            (&yaml, "components:", true),
            (&yaml, "    # a comment", true),
            (&described, "        session management and of its users.", true),
            (&described, "session management and of its users.", false),
            (&yaml, "NOTE: The file is normative.", false),
            (&Vec::new(), "-- ASN1START", true),
            (&Vec::new(), "-- TAG-SETUP-START", true),
            (&Vec::new(), "}", false),
            (&Vec::new(), "-- and so on", false),
        ] {
            assert_eq!(continues_listing(listing, line), expected, "{line}");
        }
    }
}
