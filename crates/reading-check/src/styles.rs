//! What styles say about a paragraph: whether it is a heading or an entry of the table of contents.

use std::collections::HashMap;

use crate::package::attribute_of;

/// Styles that are based on each other in a chain; Word allows 10 (ECMA-376-1, 17.7.4.3, leaves it open).
const MAX_CHAIN: usize = 16;

/// What a paragraph is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum PrintedRole {
    /// A heading of a section.
    Heading,
    /// An entry of a table of contents.
    ContentsEntry,
    /// Anything else.
    #[default]
    Text,
}

/// The roles of paragraph styles, by their ids.
#[derive(Debug, Clone, Default)]
pub struct StyleRoles {
    roles: HashMap<String, PrintedRole>,
}

/// A style as its part declares it.
#[derive(Debug, Default)]
struct DeclaredStyle {
    name: String,
    based_on: Option<String>,
}

impl StyleRoles {
    /// Reads the text of `styles.xml`.
    pub fn read_styles(text: &str) -> Self {
        let mut declared: HashMap<String, DeclaredStyle> = HashMap::new();
        let mut open: Option<String> = None;
        for tag in text.split('<') {
            let tag = tag.split('>').next().unwrap_or_default();
            let name = tag.split([' ', '/', '\t', '\n', '\r']).next().unwrap_or_default();
            match name.rsplit(':').next().unwrap_or_default() {
                "style" => {
                    open = attribute_of(tag, "styleId").map(str::to_owned);
                    if let Some(id) = &open {
                        declared.insert(id.clone(), DeclaredStyle::default());
                    }
                }
                part @ ("name" | "basedOn") => {
                    let style = open.as_ref().and_then(|id| declared.get_mut(id));
                    let value = attribute_of(tag, "val").unwrap_or_default();
                    match (style, part) {
                        (Some(style), "name") => style.name = value.to_lowercase(),
                        (Some(style), _) => style.based_on = Some(value.to_owned()),
                        (None, _) => {}
                    }
                }
                _ => {}
            }
        }
        let roles = declared.keys().map(|id| (id.clone(), find_role(&declared, id)));
        Self { roles: roles.collect() }
    }

    pub(crate) fn role_of(&self, style: Option<&str>) -> PrintedRole {
        style.and_then(|id| self.roles.get(id)).copied().unwrap_or_default()
    }
}

/// The role of a style, or of the style that it is based on: the headings of clauses and of annexes are `heading 1` to `heading 9`, and
/// `H6` is based on one of them.
fn find_role(declared: &HashMap<String, DeclaredStyle>, id: &str) -> PrintedRole {
    let mut next = declared.get(id);
    for _ in 0..MAX_CHAIN {
        let Some(style) = next else { break };
        if style.name.starts_with("toc ") {
            return PrintedRole::ContentsEntry;
        }
        if style.name.starts_with("heading ") {
            return PrintedRole::Heading;
        }
        next = style.based_on.as_ref().and_then(|id| declared.get(id));
    }
    PrintedRole::Text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_entries_are_known_by_the_names_of_their_styles_and_of_those_below() {
        let roles = StyleRoles::read_styles(
            r#"<w:styles><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
               <w:style w:styleId="H6"><w:name w:val="H6"/><w:basedOn w:val="berschrift1"/></w:style>
               <w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
               <w:style w:styleId="A"><w:name w:val="a"/><w:basedOn w:val="B"/></w:style>
               <w:style w:styleId="B"><w:name w:val="b"/><w:basedOn w:val="A"/></w:style></w:styles>"#,
        );
        for (id, role) in [
            ("berschrift1", PrintedRole::Heading),
            ("H6", PrintedRole::Heading),
            ("Verzeichnis1", PrintedRole::ContentsEntry),
            ("A", PrintedRole::Text),
            ("unknown", PrintedRole::Text),
        ] {
            assert_eq!(roles.role_of(Some(id)), role, "{id}");
        }
        assert_eq!(roles.role_of(None), PrintedRole::Text);
    }
}
