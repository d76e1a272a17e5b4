//! Listings as HTML: words coloured by their class, names linked to what defines them.

use std::collections::HashSet;

use document_model::{CodeBlock, CodeLanguage};
use maud::{Markup, html};

use super::listing_words::{WordClass, split_line};

/// Steps of a cost meter for one word.
const STEPS_PER_WORD: usize = 8;
/// A listing with more lines can be folded.
const MAX_UNFOLDED_LINES: usize = 40;
/// A listing with more bytes is not coloured: an element for each word would make the page many times as large.
const MAX_COLOURED_BYTES: usize = 512 << 10;
/// Longest key of a YAML file that can be linked to.
const MAX_KEY_BYTES: usize = 120;

/// Where names of listings are defined outside them.
#[derive(Clone, Copy)]
pub(super) struct ListingLinks<'a> {
    /// The path of the clause that has the name of a type.
    pub(super) type_path: &'a dyn Fn(&str) -> Option<String>,
    /// The path of a name that is defined anywhere in the document, and of a field within a type.
    pub(super) name_path: &'a dyn Fn(&str, Option<&str>) -> Option<String>,
    /// The path of a file of code: `TS29571_CommonData.yaml`.
    pub(super) file_path: &'a dyn Fn(&str) -> Option<String>,
}

/// Renders a listing; `id` names the element to copy from.
pub(super) fn render_listing(code: &CodeBlock, id: &str, links: ListingLinks<'_>) -> Markup {
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
            code id=(id) { (render_code(code, id, links)) }
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

fn render_code(code: &CodeBlock, id: &str, links: ListingLinks<'_>) -> Markup {
    if code.text.len() > MAX_COLOURED_BYTES {
        return html! { (code.text) };
    }
    let definitions = Definitions::read_listing(code);
    let mut pieces = Vec::new();
    let mut within = None;
    for (number, line) in code.text.split('\n').enumerate() {
        if number > 0 {
            pieces.push(html! { "\n" });
        }
        let defined = definitions.defined_on(number);
        // Other definitions end the type before them: constants, information objects.
        within = if line.contains("::=") { defined } else { defined.or(within) };
        let mut anchor = defined.map(|name| anchor_id(code, id, name));
        let words = split_line(code.language, line);
        let field = field_position(&words);
        for (index, &(class, word)) in words.iter().enumerate() {
            cost_meter::spend(STEPS_PER_WORD);
            let is_name = matches!(class, WordClass::Type | WordClass::Key);
            let own = if is_name { anchor.take() } else { None };
            let href = if own.is_some() {
                None
            } else if field == Some(index) {
                (links.name_path)(word, within)
            } else {
                definitions.find_path(code, id, class, word, links)
            };
            pieces.push(match (class.css_class(), href) {
                (Some(class), Some(href)) => html! { a class=(class) href=(href) { (word) } },
                (Some(class), None) => html! { span class=(class) id=[own] { (word) } },
                (None, Some(href)) => html! { a.c-name href=(href) { (word) } },
                (None, None) => html! { (word) },
            });
        }
    }
    html! { @for piece in pieces { (piece) } }
}

/// The ID of a definition. Those of YAML files do not depend on the page, so that other documents can link
/// to them.
fn anchor_id(code: &CodeBlock, id: &str, name: &str) -> String {
    match code.language {
        CodeLanguage::Yaml => format!("def-{}", name.replace('/', "-")),
        _ => format!("def-{id}-{name}"),
    }
}

/// What a listing defines: types of ASN.1, and what is under `components` in YAML as `schemas/Supi`.
#[derive(Default)]
struct Definitions {
    names: HashSet<String>,
    /// Line and name.
    lines: Vec<(usize, String)>,
}

impl Definitions {
    fn read_listing(code: &CodeBlock) -> Self {
        let mut found = Self::default();
        match code.language {
            CodeLanguage::Asn1 => {
                for (number, line) in code.text.split('\n').enumerate() {
                    if let Some(name) = asn1_definition(line) {
                        found.add(number, name.to_owned());
                    }
                }
            }
            CodeLanguage::Yaml => found.read_components(&code.text),
            CodeLanguage::Json | CodeLanguage::Xml | CodeLanguage::Other => {}
        }
        found
    }

    fn add(&mut self, line: usize, name: String) {
        if self.names.insert(name.clone()) {
            self.lines.push((line, name));
        }
    }

    /// Reads the keys two levels below `components`.
    fn read_components(&mut self, text: &str) {
        let mut indents: Vec<(usize, &str)> = Vec::new();
        for (number, line) in text.split('\n').enumerate() {
            let bare = line.trim_start_matches(' ');
            let Some(key) = bare.split(':').next().filter(|key| {
                *key != bare
                    && !key.is_empty()
                    && key.len() <= MAX_KEY_BYTES
                    && !key.starts_with(['#', '-'])
            }) else {
                continue;
            };
            let indent = line.len() - bare.len();
            while indents.pop_if(|(outer, _)| *outer >= indent).is_some() {}
            indents.push((indent, key));
            if let [(_, "components"), (_, kind), (_, name)] = indents[..] {
                self.add(number, format!("{kind}/{name}"));
            }
        }
    }

    fn defined_on(&self, line: usize) -> Option<&str> {
        let found = self.lines.binary_search_by_key(&line, |(number, _)| *number).ok()?;
        Some(&self.lines[found].1)
    }

    /// Where a word leads.
    fn find_path(
        &self,
        code: &CodeBlock,
        id: &str,
        class: WordClass,
        word: &str,
        links: ListingLinks<'_>,
    ) -> Option<String> {
        match class {
            WordClass::Type if self.names.contains(word) => {
                Some(format!("#{}", anchor_id(code, id, word)))
            }
            WordClass::Type => (links.type_path)(word).or_else(|| (links.name_path)(word, None)),
            WordClass::Text if code.language == CodeLanguage::Yaml => {
                let (file, pointer) = word.trim_matches(['\'', '"']).split_once("#/")?;
                let name = pointer.strip_prefix("components/")?;
                if file.is_empty() {
                    return self
                        .names
                        .contains(name)
                        .then(|| format!("#{}", anchor_id(code, id, name)));
                }
                Some(format!("{}#{}", (links.file_path)(file)?, anchor_id(code, id, name)))
            }
            _ => None,
        }
    }
}

/// The place of the field that a line of ASN.1 defines: the first name, before its type.
fn field_position(words: &[(WordClass, &str)]) -> Option<usize> {
    let mut written = words.iter().enumerate().filter(|(_, (_, word))| !word.trim().is_empty());
    let (index, (class, _)) = written.next()?;
    let (_, (next, _)) = written.next()?;
    (*class == WordClass::Name && matches!(next, WordClass::Type | WordClass::Keyword))
        .then_some(index)
}

/// The type that a line of ASN.1 begins to define: `BWP ::= SEQUENCE {`.
fn asn1_definition(line: &str) -> Option<&str> {
    let (name, _) = line.split_once("::=")?;
    let name = name.split(['{', ' ', '\t']).next()?;
    let is_type = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_type.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        let code = CodeBlock { language: CodeLanguage::detect(text), text: text.to_owned() };
        let links = ListingLinks {
            type_path: &|name| (name == "BWP-Id").then(|| "?section=BWP-Id".to_owned()),
            name_path: &|name, within| {
                matches!(name, "known" | "Other").then(|| format!("/{name} in {within:?}"))
            },
            file_path: &|file| (file == "TS29571_A.yaml").then(|| "/read/29.571/18.0.0".to_owned()),
        };
        render_code(&code, "c1", links).into_string()
    }

    #[test]
    fn asn1_is_coloured_and_types_lead_to_their_clauses() {
        assert_eq!(
            rendered("A ::= SEQUENCE { id BWP-Id OPTIONAL, n INTEGER (0..15) } -- Need R"),
            "<span class=\"c-type\" id=\"def-c1-A\">A</span> ::= <span class=\"c-keyword\">SEQUENCE</span> { id \
             <a class=\"c-type\" href=\"?section=BWP-Id\">BWP-Id</a> \
             <span class=\"c-keyword\">OPTIONAL</span>, n <span class=\"c-keyword\">INTEGER</span> \
             (<span class=\"c-number\">0</span>..<span class=\"c-number\">15</span>) } \
             <span class=\"c-comment\">-- Need R</span>"
        );
    }

    #[test]
    fn fields_and_types_of_other_clauses_lead_to_the_pages_of_their_names() {
        let html = rendered("A ::= SEQUENCE {\n  known Other OPTIONAL,\n  unknown NULL, known\n}");
        assert!(
            html.contains(
                "<a class=\"c-name\" href=\"/known in Some(&quot;A&quot;)\">known</a> \
                 <a class=\"c-type\" href=\"/Other in None\">Other</a>"
            ),
            "{html}"
        );
        assert!(html.contains("  unknown <span"), "{html}");
        assert_eq!(html.matches("known</a>").count(), 1, "{html}");
    }

    #[test]
    fn names_lead_to_their_definitions_in_the_listing_and_in_other_files() {
        let html = rendered("A ::= SEQUENCE { b B }\nB {INTEGER:n} ::= INTEGER");
        assert!(html.contains("<a class=\"c-type\" href=\"#def-c1-B\">B</a>"), "{html}");
        assert!(html.contains("<span class=\"c-type\" id=\"def-c1-B\">B</span>"), "{html}");
        let html = rendered(
            "openapi: 3.0.0\ncomponents:\n  schemas:\n    Supi:\n      type: string\n    List:\n      \
             items:\n        $ref: '#/components/schemas/Supi'\n      other:\n        \
             $ref: 'TS29571_A.yaml#/components/schemas/Gpsi'\n      none:\n        $ref: 'X.yaml#/components/schemas/Y'",
        );
        assert!(
            html.contains("<span class=\"c-key\" id=\"def-schemas-Supi\">Supi</span>"),
            "{html}"
        );
        assert!(
            html.contains("href=\"#def-schemas-Supi\">'#/components/schemas/Supi'</a>"),
            "{html}"
        );
        assert!(html.contains("href=\"/read/29.571/18.0.0#def-schemas-Gpsi\""), "{html}");
        assert!(html.contains("<span class=\"c-text\">'X.yaml#/"), "{html}");
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
