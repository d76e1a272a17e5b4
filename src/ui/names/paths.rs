//! URLs of the pages of names.

/// Where a name is looked up: anywhere, or in a version of a document, within a type.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::ui) struct NameAddress<'a> {
    /// Number and version of the document.
    pub(in crate::ui) document: Option<(&'a str, &'a str)>,
    /// The type or message that it is in.
    pub(in crate::ui) within: Option<&'a str>,
}

impl NameAddress<'_> {
    /// The URL of the page of a name.
    pub(in crate::ui) fn path_of(self, name: &str) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("name", name);
        if let Some(within) = self.within {
            query.append_pair("within", within);
        }
        if let Some((number, version)) = self.document {
            query.append_pair("document", number).append_pair("version", version);
        }
        format!("/define?{}", query.finish())
    }
}

/// The URL of the page of the names that a version defines.
pub(in crate::ui) fn names_path(number: &str, version: &str) -> String {
    format!("/read/{number}/{version}/names")
}

/// The URL of the page of contradictions about names in a version.
pub(super) fn findings_path(number: &str, version: &str) -> String {
    format!("/read/{number}/{version}/findings")
}

/// The URL of the text of a module.
pub(super) fn module_path(number: &str, version: &str, module: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("name", module);
    format!("/read/{number}/{version}/module?{}", query.finish())
}
