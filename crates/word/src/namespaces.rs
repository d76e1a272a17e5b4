//! Names of elements and attributes under the prefixes that the readers know, whatever prefixes a part declares.
//!
//! A prefix is only a short form of a namespace: `w:p`, `ns0:p`, and `p` in a default namespace are one element, and
//! `w:p` of another namespace is a different one. The readers match names with the prefixes that Word writes.

use std::borrow::Cow;

use quick_xml::events::{BytesEnd, BytesStart};

/// Maximum number of declared prefixes in force that differ from those of Word. Every name is looked up among them;
/// real parts have fewer than 50.
const MAX_BINDINGS: usize = 256;
/// The prefix of names in a namespace that the readers do not know, if the part uses a known prefix for it.
const FOREIGN: &str = "foreign";

/// The namespaces whose elements are read, or of which the readers know that they may be ignored, with the prefixes
/// that Word writes: ECMA-376 transitional and strict, [MS-DOCX], [MS-ODRAWXML], and Word 2003 XML. The namespace of
/// relationships is written without a prefix.
const KNOWN: [(&str, &str); 39] = [
    ("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"),
    ("http://purl.oclc.org/ooxml/wordprocessingml/main", "w"),
    ("http://schemas.microsoft.com/office/word/2003/wordml", "w"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"),
    ("http://purl.oclc.org/ooxml/officeDocument/relationships", "r"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/math", "m"),
    ("http://purl.oclc.org/ooxml/officeDocument/math", "m"),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    ("http://schemas.openxmlformats.org/drawingml/2006/picture", "pic"),
    ("http://purl.oclc.org/ooxml/drawingml/picture", "pic"),
    ("http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", "wp"),
    ("http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", "wp"),
    ("http://schemas.openxmlformats.org/drawingml/2006/chart", "c"),
    ("http://purl.oclc.org/ooxml/drawingml/chart", "c"),
    ("http://schemas.openxmlformats.org/drawingml/2006/diagram", "dgm"),
    ("http://purl.oclc.org/ooxml/drawingml/diagram", "dgm"),
    ("http://schemas.microsoft.com/office/drawing/2008/diagram", "dsp"),
    ("http://schemas.openxmlformats.org/presentationml/2006/main", "p"),
    ("http://purl.oclc.org/ooxml/presentationml/main", "p"),
    ("http://schemas.openxmlformats.org/markup-compatibility/2006", "mc"),
    ("http://schemas.openxmlformats.org/package/2006/relationships", ""),
    ("http://schemas.openxmlformats.org/package/2006/content-types", ""),
    ("http://schemas.microsoft.com/office/2006/xmlPackage", "pkg"),
    ("urn:schemas-microsoft-com:vml", "v"),
    ("urn:schemas-microsoft-com:office:office", "o"),
    ("urn:schemas-microsoft-com:office:word", "w10"),
    ("http://schemas.microsoft.com/office/word/2010/wordprocessingShape", "wps"),
    ("http://schemas.microsoft.com/office/word/2010/wordprocessingGroup", "wpg"),
    ("http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas", "wpc"),
    ("http://schemas.microsoft.com/office/word/2010/wordprocessingInk", "wpi"),
    ("http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing", "wp14"),
    ("http://schemas.microsoft.com/office/word/2010/wordml", "w14"),
    ("http://schemas.microsoft.com/office/word/2012/wordml", "w15"),
    ("http://schemas.microsoft.com/office/word/2015/wordml/symex", "w16se"),
    ("http://schemas.microsoft.com/office/drawing/2010/main", "a14"),
    ("http://schemas.microsoft.com/office/drawing/2014/chartex", "cx"),
    ("http://schemas.microsoft.com/office/drawing/2017/model3d", "am3d"),
    ("http://schemas.microsoft.com/office/drawing/2016/ink", "aink"),
];

/// The prefixes of the namespaces that the readers understand, so that an alternative that requires them is read as
/// Word shows it. Charts of the second kind, 3D models, ink and extended symbols are not among them: as alternatives
/// they would leave nothing, and their fallback is a picture or a character.
const UNDERSTOOD: [&str; 16] = [
    "w", "r", "m", "a", "pic", "wp", "c", "dgm", "v", "o", "wps", "wpg", "wpc", "wp14", "w14",
    "a14",
];

/// Whether all prefixes in a list, separated by white space, stand for namespaces that the readers understand. The
/// list is an attribute `Requires` as [`Namespaces::rename_start`] returns it.
pub(super) fn are_understood(prefixes: &str) -> bool {
    prefixes.split_whitespace().all(|prefix| UNDERSTOOD.contains(&prefix))
}

/// A declared prefix that differs from the one that Word writes.
struct Binding {
    /// The depth of the element that declares it.
    depth: usize,
    prefix: String,
    /// The prefix that the readers know; `None` if names stay as they are.
    known: Option<&'static str>,
}

/// The declared prefixes that are in force.
#[derive(Default)]
pub(super) struct Namespaces {
    bindings: Vec<Binding>,
}

impl Namespaces {
    /// Enters an element at a depth: declares its prefixes, and renames it and its attributes.
    pub(super) fn rename_start<'a>(
        &mut self,
        start: BytesStart<'a>,
        depth: usize,
    ) -> BytesStart<'a> {
        if start.attributes_raw().contains("xmlns") {
            self.declare_prefixes(&start, depth);
        }
        if self.bindings.is_empty() {
            return start;
        }
        let name = self.rename(start.name().0, true);
        let is_choice = name == "mc:Choice";
        let mut content = name.to_string();
        for attribute in start.attributes().with_checks(false).flatten() {
            let key = self.rename(attribute.key.0, false);
            let value = match (is_choice, &*key) {
                (true, "Requires") => Cow::Owned(self.rename_prefixes(&attribute.value)),
                _ => attribute.value,
            };
            let quote = if value.contains('"') { '\'' } else { '"' };
            content.extend([" ", &key, "="]);
            content.push(quote);
            content.push_str(&value);
            content.push(quote);
        }
        let name_bytes = name.len();
        BytesStart::from_content(content, name_bytes)
    }

    /// Renames the end of an element at a depth, and leaves the element.
    pub(super) fn rename_end<'a>(&mut self, end: BytesEnd<'a>, depth: usize) -> BytesEnd<'a> {
        if self.bindings.is_empty() {
            return end;
        }
        let name = self.rename(end.name().0, true).into_owned();
        while self.bindings.pop_if(|binding| binding.depth >= depth).is_some() {}
        BytesEnd::new(name)
    }

    fn declare_prefixes(&mut self, start: &BytesStart<'_>, depth: usize) {
        for attribute in start.attributes().with_checks(false).flatten() {
            let prefix = match attribute.key.0.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) if rest.starts_with(':') => &rest[1..],
                _ => continue,
            };
            let uri = attribute.value.trim();
            let known = KNOWN.iter().find(|(known, _)| *known == uri).map(|(_, prefix)| *prefix);
            let is_word_prefix = || !prefix.is_empty() && KNOWN.iter().any(|(_, k)| *k == prefix);
            let known = match known {
                Some(known) => (known != prefix).then_some(known),
                None => is_word_prefix().then_some(FOREIGN),
            };
            // A prefix that stands for itself is of interest only if an outer element declared it otherwise.
            let is_shadowing = self.bindings.iter().any(|binding| binding.prefix == prefix);
            if (known.is_some() || is_shadowing) && self.bindings.len() < MAX_BINDINGS {
                self.bindings.push(Binding { depth, prefix: prefix.to_owned(), known });
            }
        }
    }

    /// The prefix that the readers know for a declared one; `None` if it stays as it is.
    fn known_prefix(&self, prefix: &str) -> Option<&'static str> {
        let bindings = self.bindings.iter().rev();
        bindings.into_iter().find(|binding| binding.prefix == prefix)?.known
    }

    /// A name with the prefix that the readers know. Attributes without a prefix are in no namespace.
    fn rename<'n>(&self, name: &'n str, is_element: bool) -> Cow<'n, str> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let known = if prefix.is_empty() && !is_element { None } else { self.known_prefix(prefix) };
        match known {
            None => Cow::Borrowed(name),
            Some("") => Cow::Borrowed(local),
            Some(known) => Cow::Owned(format!("{known}:{local}")),
        }
    }

    fn rename_prefixes(&self, prefixes: &str) -> String {
        let known = |prefix| self.known_prefix(prefix).unwrap_or(prefix);
        prefixes.split_whitespace().map(known).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use crate::xml::{XmlEvent, XmlReader};
    use document::Limits;

    const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const STRICT: &str = "http://purl.oclc.org/ooxml/wordprocessingml/main";

    /// The names of the starts, attributes and ends of a part, as the readers see them.
    fn names(xml: &str) -> String {
        let mut reader = XmlReader::new(xml.as_bytes(), "part", &Limits::default());
        let (mut buffer, mut names) = (Vec::new(), String::new());
        loop {
            match reader.next_event(&mut buffer).expect("well-formed") {
                XmlEvent::Start(start) => {
                    names += &format!("<{}", start.name().0);
                    for attribute in start.attributes().flatten() {
                        if !attribute.key.0.starts_with("xmlns") {
                            names += &format!(" {}={}", attribute.key.0, attribute.value);
                        }
                    }
                }
                XmlEvent::End(end) => names += &format!(">{}", end.name().0),
                XmlEvent::Eof => return names,
                _ => {}
            }
        }
    }

    #[test]
    fn names_have_the_prefixes_of_word_whatever_a_part_declares() {
        let plain = "<w:p w:a=1<w:t>w:t>w:p";
        for (xml, expected) in [
            ("<w:p w:a='1'><w:t/></w:p>".to_owned(), plain),
            (format!("<w:p xmlns:w='{WORD}' w:a='1'><w:t/></w:p>"), plain),
            (format!("<w:p xmlns:w='{STRICT}' w:a='1'><w:t/></w:p>"), plain),
            (format!("<n:p xmlns:n='{WORD}' n:a='1'><n:t/></n:p>"), plain),
            (format!("<p xmlns='{WORD}' xmlns:w='{WORD}' w:a='1'><t/></p>"), plain),
            (format!("<p xmlns='{WORD}' xmlns:b='{STRICT}' b:a='1'><b:t/></p>"), plain),
            // Attributes without a prefix have no namespace, whatever the default is.
            (format!("<p xmlns='{WORD}' a='1'><t/></p>"), "<w:p a=1<w:t>w:t>w:p"),
            ("<w:p xmlns:w='urn:other' w:a='1'/>".to_owned(), "<foreign:p foreign:a=1>foreign:p"),
            // Declarations hold within their element only.
            (format!("<x><n:p xmlns:n='{WORD}'/><n:p/></x>"), "<x<w:p>w:p<n:p>n:p>x"),
            (
                format!("<n:p xmlns:n='{WORD}'><n:q xmlns:n='urn:other'/><n:t/></n:p>"),
                "<w:p<n:q>n:q<w:t>w:t>w:p",
            ),
            (
                format!("<n:p xmlns:n='{WORD}' n:a='&quot;' n:b=\"'\"/>"),
                "<w:p w:a=&quot; w:b='>w:p",
            ),
        ] {
            assert_eq!(names(&xml), expected, "{xml}");
        }
    }

    #[test]
    fn a_choice_requires_namespaces_and_not_prefixes() {
        const MC: &str = "http://schemas.openxmlformats.org/markup-compatibility/2006";
        const SHAPES: &str = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";
        for (declared, required, understood) in [
            (format!("xmlns:wps='{SHAPES}'"), "wps", true),
            (format!("xmlns:shape='{SHAPES}'"), "shape", true),
            (format!("xmlns:shape='{SHAPES}'"), "shape zz9", false),
            ("xmlns:wps='urn:other'".to_owned(), "wps", false),
            ("xmlns:zz9='urn:other'".to_owned(), "zz9", false),
            (String::new(), "w16se", false),
            (String::new(), "wpc wps", true),
        ] {
            let xml = format!("<c:Choice xmlns:c='{MC}' {declared} Requires='{required}'/>");
            let mut reader = XmlReader::new(xml.as_bytes(), "part", &Limits::default());
            let mut buffer = Vec::new();
            let Ok(XmlEvent::Start(start)) = reader.next_event(&mut buffer) else {
                panic!("no start: {xml}");
            };
            assert_eq!(start.name().0, "mc:Choice");
            let requires = crate::xml::attribute_value(&start, "Requires").expect("an attribute");
            assert_eq!(super::are_understood(&requires), understood, "{xml}");
        }
    }

    #[test]
    fn many_declarations_do_not_make_every_name_slow() {
        let declared: String = (0..2000).map(|n| format!(" xmlns:n{n}='{WORD}'")).collect();
        let names = names(&format!("<n1:p{declared}><n1999:t/></n1:p>"));
        assert_eq!(names, "<w:p<n1999:t>n1999:t>w:p");
    }
}
