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

/// Folders of parts that are no text of the document, or are shown as pictures.
const SILENT_FOLDERS: [&str; 15] = [
    "_rels",
    "docprops",
    "customxml",
    "media",
    "embeddings",
    "theme",
    "fonts",
    "activex",
    "ink",
    "printersettings",
    "customui",
    "glossary",
    "webextensions",
    "_xmlsignatures",
    "controls",
];
/// Parts that are no text of the document: settings, remarks of authors, and what stands on every page. Digits after the names are left out.
const SILENT_PARTS: [&str; 21] = [
    "[content_types]",
    "settings",
    "websettings",
    "fonttable",
    "styles",
    "styleswitheffects",
    "numbering",
    "header",
    "footer",
    "comments",
    "commentsextended",
    "commentsextensible",
    "commentsids",
    "people",
    "customizations",
    "keymapcustomizations",
    "vbadata",
    "documenttasks",
    "style",
    "colors",
    "recipientdata",
];
/// Folders of parts that are drawn.
const DRAWN_FOLDERS: [&str; 2] = ["charts", "diagrams"];
/// The only parts of a diagram with its words begin with this; the others say how it is drawn.
const DIAGRAM_WORDS: &str = "data";

/// Whether a part of a package has text of the document, by its name. `draws` says whether parts that are drawn count.
pub fn carries_text(part: &str, draws: bool) -> bool {
    let part = part.to_lowercase();
    let (folders, file) = part.rsplit_once('/').unwrap_or(("", &part));
    let (name, extension) = file.rsplit_once('.').unwrap_or((file, ""));
    let is_text = matches!(
        extension,
        "xml" | "docx" | "docm" | "doc" | "rtf" | "htm" | "html" | "mht" | "mhtml" | "txt"
    );
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut steps = folders.split('/');
    let last = folders.rsplit('/').next().unwrap_or_default();
    if !is_text
        || SILENT_PARTS.contains(&name)
        || steps.any(|folder| SILENT_FOLDERS.contains(&folder))
    {
        return false;
    }
    if DRAWN_FOLDERS.contains(&last) {
        return draws && (last != "diagrams" || name == DIAGRAM_WORDS);
    }
    true
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
    fn parts_with_text_are_known_by_their_names() {
        for (part, expected) in [
            ("word/document.xml", true),
            ("word/document2.xml", true),
            ("word/footnotes.xml", true),
            ("word/afchunk.docx", true),
            ("word/afchunk1.htm", true),
            ("word/charts/chart1.xml", true),
            ("word/charts/style1.xml", false),
            ("word/diagrams/data3.xml", true),
            ("word/diagrams/layout3.xml", false),
            ("word/header12.xml", false),
            ("word/_rels/document.xml.rels", false),
            ("word/embeddings/a.docx", false),
            ("word/media/image1.png", false),
            ("word/glossary/document.xml", false),
            ("docProps/app.xml", false),
            ("[Content_Types].xml", false),
        ] {
            assert_eq!(carries_text(part, true), expected, "{part}");
        }
        assert!(!carries_text("word/charts/chart1.xml", false));
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
