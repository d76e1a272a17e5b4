//! Where the body of a package is.

/// What the list of content types calls the body of a document, a template or a macro-enabled document.
const BODY_TYPES: [&str; 2] = ["document.main+xml", "template.main+xml"];
/// Where Word and all known programs write the body.
const USUAL_NAME: &str = "word/document.xml";

/// The name of the part with the body, according to the text of `[Content_Types].xml`.
pub fn find_body_name(content_types: &str) -> String {
    let is_body = |element: &&str| {
        let content_type = attribute_of(element, "ContentType").unwrap_or_default();
        BODY_TYPES.iter().any(|known| content_type.ends_with(known))
            || content_type.contains("macroEnabled.main+xml")
    };
    let name = content_types.split('<').find(is_body).and_then(|of| attribute_of(of, "PartName"));
    name.map_or_else(|| USUAL_NAME.to_owned(), |name| name.trim_start_matches('/').to_owned())
}

/// The value of an attribute in the text of a tag; its name may have a prefix.
pub(crate) fn attribute_of<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(at) = tag.get(from..)?.find(name) {
        let start = from + at;
        from = start + name.len();
        let is_whole = tag[..start].ends_with([' ', ':', '\t', '\n', '\r']);
        let rest = tag[from..].trim_start();
        if let (true, Some(value)) = (is_whole, rest.strip_prefix('=')) {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            return value[1..].split(quote).next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_where_the_content_types_say() {
        let types = |name: &str, of: &str| {
            format!(
                r#"<Types><Default Extension="xml"/><Override PartName="{name}" ContentType="{of}"/></Types>"#
            )
        };
        let main =
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
        let macros = "application/vnd.ms-word.document.macroEnabled.main+xml";
        assert_eq!(find_body_name(&types("/word/document2.xml", main)), "word/document2.xml");
        assert_eq!(find_body_name(&types("/x/body.xml", macros)), "x/body.xml");
        assert_eq!(find_body_name(&types("/word/styles.xml", "styles+xml")), "word/document.xml");
        assert_eq!(find_body_name(""), "word/document.xml");
    }

    #[test]
    fn attributes_are_found_by_their_whole_name() {
        let tag = r#"w:pStyle w:other-val="no" w:val = 'Heading 1' "#;
        assert_eq!(attribute_of(tag, "val"), Some("Heading 1"));
        assert_eq!(attribute_of(tag, "missing"), None);
        assert_eq!(attribute_of("a val", "val"), None);
        assert_eq!(attribute_of("a val=5", "val"), None);
    }
}
