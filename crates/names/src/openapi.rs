//! Names in OpenAPI files: services, operations, parameters, schemas, attributes and values of enumerations.

use document_model::{Block, CodeLanguage};
use saphyr::{LoadableYamlNode, MarkedYaml};

use crate::listing::MAX_LISTING_BYTES;
use crate::name::{DefinedKind, DefinedName, NamePresence, SectionNames};

/// What operations share under `components`, beside schemas and parameters.
const SHARED_PARTS: [&str; 3] = ["responses", "requestBodies", "headers"];
/// The methods of a path that are operations.
const METHODS: [&str; 7] = ["get", "put", "post", "delete", "patch", "head", "options"];
/// Schemas within schemas, at most.
const MAX_DEPTH: usize = 30;
/// Columns of indent, at most.
const MAX_INDENT: usize = 200;
/// Brackets that are open at once, at most.
const MAX_BRACKETS: usize = 200;

/// Reads the OpenAPI of a section: a file of the archive, or an annex that prints it.
pub(crate) fn read_openapi(blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Some(text) = openapi_text(block) else { continue };
        let loaded = is_tame(text).then(|| MarkedYaml::load_from_str(text));
        let Some(Ok(documents)) = loaded else {
            into.unread += 1;
            continue;
        };
        let reader = OpenApiReader { lines: text.lines().collect() };
        for document in &documents {
            reader.read_document(document, &mut into.names);
        }
    }
}

/// The text of a listing that is an OpenAPI file.
pub(crate) fn openapi_text(block: &Block) -> Option<&str> {
    let Block::Code(code) = block else { return None };
    let is_file = code.language == CodeLanguage::Yaml
        && code.text.lines().any(|line| line.starts_with("openapi:"));
    is_file.then_some(code.text.as_str())
}

/// Whether a text can be loaded without harm: not nested so deeply that the stack ends, and without aliases, which may stand for
/// any amount of text. OpenAPI files need neither.
fn is_tame(text: &str) -> bool {
    if text.len() > MAX_LISTING_BYTES {
        return false;
    }
    let mut open = 0usize;
    let mut has_anchor = false;
    let mut has_alias = false;
    for line in text.lines() {
        let bare = line.trim_start();
        let marks = bare.split(' ').take_while(|word| matches!(*word, "-" | "?" | "")).count();
        let indent = line.len() - bare.len();
        open += bare.matches(['[', '{']).count();
        if indent + marks > MAX_INDENT || open > MAX_BRACKETS {
            return false;
        }
        open = open.saturating_sub(bare.matches([']', '}']).count());
        has_anchor |= has_reference(bare, '&');
        has_alias |= has_reference(bare, '*');
    }
    !(has_anchor && has_alias)
}

/// Whether a sign stands before a name at the beginning of a value.
fn has_reference(line: &str, sign: char) -> bool {
    line.match_indices(sign).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + 1..].chars().next();
        before.is_none_or(|c| c.is_whitespace() || matches!(c, '[' | '{' | ','))
            && after.is_some_and(char::is_alphanumeric)
    })
}

struct OpenApiReader<'a> {
    lines: Vec<&'a str>,
}

type Node<'a> = MarkedYaml<'a>;

impl OpenApiReader<'_> {
    fn read_document(&self, document: &Node<'_>, names: &mut Vec<DefinedName>) {
        if let Some(title) = get(document, "info").and_then(|info| text_of(info, "title")) {
            let definition = self.text_below(document, "info");
            names.push(DefinedName::new(DefinedKind::Service, title, definition));
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
            let mut name =
                DefinedName::new(DefinedKind::Parameter, key_text(key), self.text_of_entry(key));
            name.types = references(parameter, 0);
            name.description = text_of(parameter, "description");
            names.push(name);
        }
        for word in SHARED_PARTS {
            for (key, part) in entries(components.and_then(|of| get(of, word))) {
                let definition = self.text_of_entry(key);
                let mut name = DefinedName::new(DefinedKind::Response, key_text(key), definition);
                name.types = references(part, 0);
                name.description = text_of(part, "description");
                names.push(name);
            }
        }
        for (key, schema) in entries(components.and_then(|of| get(of, "schemas"))) {
            let mut name =
                DefinedName::new(DefinedKind::Schema, key_text(key), self.text_of_entry(key));
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
        let mut name = DefinedName::new(DefinedKind::Operation, &id, self.text_of_entry(method));
        name.within = Some(route);
        name.types = references(operation, 0);
        name.description =
            text_of(operation, "summary").or_else(|| text_of(operation, "description"));
        names.push(name);
        for parameter in items(get(operation, "parameters")) {
            let Some(found) = text_of(parameter, "name") else { continue };
            let mut name =
                DefinedName::new(DefinedKind::Parameter, found, self.text_of_item(parameter));
            name.within = Some(id.clone());
            name.types = references(parameter, 0);
            name.description = text_of(parameter, "description");
            let is_required = text_of(parameter, "required").as_deref() == Some("true");
            name.presence = Some(match is_required {
                true => NamePresence::Mandatory,
                false => NamePresence::Optional,
            });
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
        let required: Vec<String> = items(get(schema, "required")).map(key_text).collect();
        for (key, attribute) in entries(get(schema, "properties")) {
            let attribute_name = key_text(key);
            let mut name =
                DefinedName::new(DefinedKind::Attribute, &attribute_name, self.text_of_entry(key));
            name.within = Some(path.to_owned());
            name.types = references(attribute, 0);
            name.description = text_of(attribute, "description");
            name.presence = Some(match required.contains(&attribute_name) {
                true => NamePresence::Mandatory,
                false => NamePresence::Optional,
            });
            names.push(name);
            self.read_schema(&format!("{path}.{attribute_name}"), attribute, depth + 1, names);
        }
        for value in items(get(schema, "enum")) {
            let text = if value.data.is_null() { "null".to_owned() } else { key_text(value) };
            let mut name = DefinedName::new(DefinedKind::Value, text.clone(), text);
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

    /// The lines of an entry, given by its key: those below it are indented more, or are elements.
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

    /// The text from the place of a node to the end of its line, with the lines below as long as they belong to it, without its
    /// indent.
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
        let lines: Vec<&str> = std::iter::once(first).chain(below).collect();
        lines.join("\n").trim_end().to_owned()
    }
}

fn get<'a, 'b>(node: &'a Node<'b>, key: &str) -> Option<&'a Node<'b>> {
    node.data.as_mapping_get(key)
}

/// The entries of a mapping; none of anything else.
fn entries<'a, 'b>(
    node: Option<&'a Node<'b>>,
) -> impl Iterator<Item = (&'a Node<'b>, &'a Node<'b>)> {
    node.and_then(|node| node.data.as_mapping()).into_iter().flatten()
}

/// The elements of a sequence; none of anything else.
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
    let mut found = Vec::new();
    collect_references(node, depth, &mut found);
    found
}

fn collect_references(node: &Node<'_>, depth: usize, found: &mut Vec<String>) {
    if depth > MAX_DEPTH {
        return;
    }
    for (key, value) in entries(Some(node)) {
        if key_text(key) == "$ref" {
            let target = key_text(value);
            let name = target.rsplit('/').next().unwrap_or_default().to_owned();
            if !name.is_empty() && !found.contains(&name) {
                found.push(name);
            }
        } else {
            collect_references(value, depth + 1, found);
        }
    }
    for item in items(Some(node)) {
        collect_references(item, depth + 1, found);
    }
}
