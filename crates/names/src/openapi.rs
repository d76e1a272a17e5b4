//! Names in OpenAPI files: services, operations, parameters, schemas, attributes and values of enumerations.

use std::{borrow::Cow, cell::Cell, collections::HashSet};

use document_model::{Block, CodeLanguage};
use saphyr::{LoadableYamlNode, MarkedYaml};

use crate::name::{DefinedName, NamePresence, SectionNames};
use crate::yaml_bounds::is_bounded;
use domain::DefinedNameKind;

/// Shared parts of operations under `components`, besides schemas and parameters.
const SHARED_PARTS: [&str; 3] = ["responses", "requestBodies", "headers"];
/// The methods of a path that are operations.
const METHODS: [&str; 7] = ["get", "put", "post", "delete", "patch", "head", "options"];
/// Maximum nesting of schemas, for the recursion that reads them: a file may nest without end. The path of an
/// attribute grows with each level.
const MAX_DEPTH: usize = 30;
/// Bytes of definitions for each byte of a file, and for any file: eight 3GPP files need 1.05 to 1.18 for each byte. A
/// hostile file needs its length squared.
const TEXT_PER_BYTE: usize = 20;
const MIN_TEXT_BYTES: usize = 1 << 20;

/// Reads the OpenAPI of a section: a file of the archive, or an annex that prints it.
pub(crate) fn read_openapi(blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Some(text) = openapi_text(block) else { continue };
        let text = &*replace_blanks(text);
        let loaded = is_bounded(text).then(|| MarkedYaml::load_from_str(text));
        let Some(Ok(documents)) = loaded else {
            into.unread += 1;
            continue;
        };
        let room = TEXT_PER_BYTE * text.len() + MIN_TEXT_BYTES;
        let reader = OpenApiReader { lines: text.lines().collect(), room: Cell::new(Some(room)) };
        for document in &documents {
            reader.read_document(document, &mut into.names);
        }
        if reader.room.get().is_none() {
            into.unread += 1;
        }
    }
}

/// A file with blanks instead of other white space, which YAML takes for text or rejects: editors leave no-break spaces
/// and tabs. A tab in an indentation is kept, because nothing says how wide it is.
fn replace_blanks(text: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| c == '\t' || (c.is_whitespace() && !c.is_ascii());
    if !text.contains(is_foreign) {
        return Cow::Borrowed(text);
    }
    let lines = text.split('\n').map(|line| {
        let content = line.trim_start();
        let (indentation, content) = line.split_at(line.len() - content.len());
        let keeps_tabs = !content.is_empty();
        let blank = |c: char| if is_foreign(c) && !(c == '\t' && keeps_tabs) { ' ' } else { c };
        let indentation: String = indentation.chars().map(blank).collect();
        indentation + &content.replace(is_foreign, " ")
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// The text of a listing that is an OpenAPI file.
pub(crate) fn openapi_text(block: &Block) -> Option<&str> {
    let Block::Code(code) = block else { return None };
    let is_file = code.language == CodeLanguage::Yaml
        && code.text.lines().any(|line| line.starts_with("openapi:"));
    is_file.then_some(code.text.as_str())
}

struct OpenApiReader<'a> {
    lines: Vec<&'a str>,
    /// Bytes of definitions that may still be copied; `None` once they were not enough. A schema is printed with all
    /// its parts, and each part again: if all of it is on one line, that is the square of the file.
    room: Cell<Option<usize>>,
}

type Node<'a> = MarkedYaml<'a>;

impl OpenApiReader<'_> {
    fn read_document(&self, document: &Node<'_>, names: &mut Vec<DefinedName>) {
        if let Some(title) = get(document, "info").and_then(|info| text_of(info, "title")) {
            let definition = self.text_below(document, "info");
            names.push(DefinedName::new(DefinedNameKind::Service, title, definition));
        }
        for (path, item) in entries(get(document, "paths")) {
            for (method, operation) in entries(Some(item)) {
                let word = key_text(method);
                if METHODS.contains(&word.as_str()) {
                    self.read_operation(&key_text(path), method, operation, names);
                }
            }
        }
        let components = get(document, "components");
        for (key, parameter) in entries(components.and_then(|of| get(of, "parameters"))) {
            let mut name = DefinedName::new(
                DefinedNameKind::Parameter,
                key_text(key),
                self.text_of_entry(key),
            );
            name.types = references(parameter, 0);
            name.description = text_of(parameter, "description");
            names.push(name);
        }
        for word in SHARED_PARTS {
            for (key, part) in entries(components.and_then(|of| get(of, word))) {
                let definition = self.text_of_entry(key);
                let mut name =
                    DefinedName::new(DefinedNameKind::Response, key_text(key), definition);
                name.types = references(part, 0);
                name.description = text_of(part, "description");
                names.push(name);
            }
        }
        for (key, schema) in entries(components.and_then(|of| get(of, "schemas"))) {
            let mut name =
                DefinedName::new(DefinedNameKind::Schema, key_text(key), self.text_of_entry(key));
            name.types = references(schema, 0);
            name.description = text_of(schema, "description");
            let path = name.name.clone();
            names.push(name);
            self.read_schema(&path, schema, 0, names);
        }
    }

    fn read_operation(
        &self,
        path: &str,
        method: &Node<'_>,
        operation: &Node<'_>,
        names: &mut Vec<DefinedName>,
    ) {
        let route = format!("{} {path}", key_text(method).to_uppercase());
        let id = text_of(operation, "operationId").unwrap_or_else(|| route.clone());
        let mut name =
            DefinedName::new(DefinedNameKind::Operation, &id, self.text_of_entry(method));
        name.within = Some(route);
        name.types = references(operation, 0);
        name.description =
            text_of(operation, "summary").or_else(|| text_of(operation, "description"));
        names.push(name);
        for parameter in items(get(operation, "parameters")) {
            let Some(found) = text_of(parameter, "name") else { continue };
            let mut name =
                DefinedName::new(DefinedNameKind::Parameter, found, self.text_of_item(parameter));
            name.within = Some(id.clone());
            name.types = references(parameter, 0);
            name.description = text_of(parameter, "description");
            let is_required = text_of(parameter, "required").as_deref() == Some("true");
            name.presence =
                Some(if is_required { NamePresence::Mandatory } else { NamePresence::Optional });
            names.push(name);
        }
    }

    /// Adds the attributes of a schema and the values of its enumerations.
    fn read_schema(
        &self,
        path: &str,
        schema: &Node<'_>,
        depth: usize,
        names: &mut Vec<DefinedName>,
    ) {
        if depth > MAX_DEPTH {
            return;
        }
        let required: HashSet<String> = items(get(schema, "required")).map(key_text).collect();
        for (key, attribute) in entries(get(schema, "properties")) {
            let attribute_name = key_text(key);
            let mut name = DefinedName::new(
                DefinedNameKind::Attribute,
                &attribute_name,
                self.text_of_entry(key),
            );
            name.within = Some(path.to_owned());
            name.types = references(attribute, 0);
            name.description = text_of(attribute, "description");
            name.presence = Some(if required.contains(&attribute_name) {
                NamePresence::Mandatory
            } else {
                NamePresence::Optional
            });
            names.push(name);
            self.read_schema(&format!("{path}.{attribute_name}"), attribute, depth + 1, names);
        }
        for value in items(get(schema, "enum")) {
            let text = if value.data.is_null() { "null".to_owned() } else { key_text(value) };
            let mut name = DefinedName::new(DefinedNameKind::Value, text.clone(), text);
            name.within = Some(path.to_owned());
            names.push(name);
        }
        for word in ["allOf", "anyOf", "oneOf"] {
            for part in items(get(schema, word)) {
                self.read_schema(path, part, depth + 1, names);
            }
        }
        if let Some(element) = get(schema, "items") {
            self.read_schema(path, element, depth + 1, names);
        }
    }

    /// The lines of the entry with a key: those below it are indented more, or are elements.
    fn text_of_entry(&self, key: &Node<'_>) -> String {
        let column = key.span.start.col();
        self.text_while(key, |line, indent| {
            indent > column || indent == column && line.trim_start().starts_with("- ")
        })
    }

    /// The lines of an element of a sequence: those below it are indented as much.
    fn text_of_item(&self, item: &Node<'_>) -> String {
        let column = item.span.start.col();
        self.text_while(item, |_, indent| indent >= column)
    }

    /// The lines of an entry of a mapping.
    fn text_below(&self, mapping: &Node<'_>, wanted: &str) -> String {
        let found = entries(Some(mapping)).find(|(key, _)| key_text(key) == wanted);
        found.map(|(key, _)| self.text_of_entry(key)).unwrap_or_default()
    }

    /// The text from the position of a node to the end of its line, with the lines below as long as they belong to it,
    /// without its indent.
    fn text_while(&self, node: &Node<'_>, belongs: impl Fn(&str, usize) -> bool) -> String {
        let (line, column) = (node.span.start.line(), node.span.start.col());
        let lines = line.checked_sub(1).and_then(|first| self.lines.get(first..));
        let Some((first, rest)) = lines.and_then(<[&str]>::split_first) else {
            return String::new();
        };
        let indent = |line: &str| line.len() - line.trim_start().len();
        let below = rest
            .iter()
            .take_while(|line| line.trim().is_empty() || belongs(line, indent(line)))
            .map(|line| line.get(indent(line).min(column)..).unwrap_or_default());
        let first = first.get(column..).unwrap_or(first);
        let mut text = String::new();
        for line in std::iter::once(first).chain(below) {
            let room = self.room.get().and_then(|room| room.checked_sub(line.len() + 1));
            self.room.set(room);
            if room.is_none() {
                return String::new();
            }
            text.push_str(line);
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text
    }
}

fn get<'a, 'b>(node: &'a Node<'b>, key: &str) -> Option<&'a Node<'b>> {
    node.data.as_mapping_get(key)
}

/// The entries of a mapping; no entries of anything else.
fn entries<'a, 'b>(
    node: Option<&'a Node<'b>>,
) -> impl Iterator<Item = (&'a Node<'b>, &'a Node<'b>)> {
    node.and_then(|node| node.data.as_mapping()).into_iter().flatten()
}

/// The elements of a sequence; no elements of anything else.
fn items<'a, 'b>(node: Option<&'a Node<'b>>) -> impl Iterator<Item = &'a Node<'b>> {
    node.and_then(|node| node.data.as_sequence()).into_iter().flatten()
}

/// A scalar as text; empty for anything else.
fn key_text(node: &Node<'_>) -> String {
    let data = &node.data;
    let number = || data.as_integer().map(|number| number.to_string());
    let truth = || data.as_bool().map(|truth| truth.to_string());
    data.as_str().map(str::to_owned).or_else(number).or_else(truth).unwrap_or_default()
}

fn text_of(node: &Node<'_>, key: &str) -> Option<String> {
    get(node, key).map(key_text).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The names of the components that a node refers to, each once: the last part of each `$ref`.
fn references(node: &Node<'_>, depth: usize) -> Vec<String> {
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    collect_references(node, depth, &mut |name| {
        if !name.is_empty() && known.insert(name.to_owned()) {
            found.push(name.to_owned());
        }
    });
    found
}

fn collect_references(node: &Node<'_>, depth: usize, add: &mut dyn FnMut(&str)) {
    if depth > MAX_DEPTH {
        return;
    }
    for (key, value) in entries(Some(node)) {
        if key.data.as_str() == Some("$ref") {
            add(key_text(value).rsplit('/').next().unwrap_or_default());
        } else {
            collect_references(value, depth + 1, add);
        }
    }
    for item in items(Some(node)) {
        collect_references(item, depth + 1, add);
    }
}

#[cfg(test)]
mod tests {
    use document_model::CodeBlock;

    use super::*;

    fn read(text: String) -> SectionNames {
        let mut found = SectionNames::default();
        let code = CodeBlock { language: CodeLanguage::Yaml, text };
        read_openapi(&[Block::Code(code)], &mut found);
        found
    }

    #[test]
    fn other_blanks_are_no_part_of_a_key() {
        let text = "openapi: 3.0.0\ncomponents:\n  schemas:\n    A:\n\u{a0}\u{a0}\u{a0}\u{a0}  type:\tobject\n      properties:\n        b:\u{a0}\n          type: string\n";
        let found = read(text.to_owned());
        let names: Vec<&str> = found.names.iter().map(|name| name.name.as_str()).collect();
        assert_eq!((found.unread, names), (0, vec!["A", "b"]));
    }

    #[test]
    fn a_file_on_one_line_is_not_copied_for_each_of_its_parts() {
        let attributes: String = (0..20_000).map(|n| format!("a{n}: {{type: string}}, ")).collect();
        let schema = format!("{{properties: {{{attributes} z: {{type: string}}}}}}");
        let text = format!("openapi: 3.0.0\ncomponents: {{schemas: {{Big: {schema}}}}}\n");
        let most = TEXT_PER_BYTE * text.len() + MIN_TEXT_BYTES;
        let found = read(text);
        let bytes: usize = found.names.iter().map(|name| name.definition.len()).sum();
        assert!(bytes <= most, "{bytes}");
        assert_eq!(
            (found.unread, found.names.len()),
            (1, 20_002),
            "the names are read, and it is told"
        );
    }

    #[test]
    fn white_space_of_editors_is_a_blank() {
        let file = |line: &str| {
            format!(
                "openapi: 3.0.0\ncomponents:\n  schemas:\n    Abc:\n{line}\n      type: string\n"
            )
        };
        for line in [
            "      description: a",
            "\u{a0} \u{a0} \u{a0} description: a",
            "\u{2003}     description:\ta",
            "      description:\u{a0}a",
            "      description: a\t",
            "\t",
            "\u{a0}",
            "      description: \"a\tb\u{a0}c\"",
        ] {
            let found = read(file(line));
            assert_eq!((found.unread, found.names.len()), (0, 1), "{line:?}");
            assert_eq!(found.names[0].name, "Abc");
        }
        // Nothing says how wide the tab is.
        assert_eq!(read(file("\tdescription: a")).unread, 1);
    }
}
