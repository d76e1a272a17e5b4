//! What clients can read by address: the guide, and every section of every indexed document as Markdown.

use std::fmt::Write;

use rmcp::{
    ErrorData,
    model::{
        Extensions, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
        ResourceContents, ResourceTemplate,
    },
};
use serde_json::{Value, json};

use super::{
    argument_kind::ArgumentKind, call_origin::CallOrigin, guides::MARKDOWN_TYPE,
    protocol_refusal::refuse_request,
};
use crate::service::{OperationReply, find_operation, internal_failure, join_messages};
use wire::{Failure, Media, OperationDeclaration, params::GetSections, records::SectionResult};

/// The URI of the guide.
pub(super) const GUIDE_URI: &str = "specbox://skill-guide";
/// What the URIs of sections begin with.
const SCHEME: &str = "spec://";
const NEWEST_TEMPLATE: &str = "spec://{document}/{section}";
const VERSION_TEMPLATE: &str = "spec://{document}/{section}@{version}";

/// A section by its address; the newest version, if none is named.
#[derive(Debug, PartialEq, Eq)]
struct SectionAddress {
    document: String,
    section: String,
    version: Option<String>,
}

impl SectionAddress {
    /// Reads `spec://38.331/5.3.5` and `spec://38.331/5.3.5@18.1.0`.
    fn parse_uri(uri: &str) -> Option<Self> {
        let (document, rest) = uri.strip_prefix(SCHEME)?.split_once('/')?;
        let (section, version) = match rest.rsplit_once('@') {
            Some((section, version)) => (section, Some(version)),
            None => (rest, None),
        };
        let address = Self {
            document: decode_percent(document)?,
            section: decode_percent(section.trim_end_matches('/'))?,
            version: version.map(decode_percent).map_or(Some(None), |version| version.map(Some))?,
        };
        (!address.document.is_empty() && !address.section.is_empty()).then_some(address)
    }

    fn parameters(&self) -> Value {
        json!({
            "doc_number": self.document,
            "section_number": self.section,
            "version": self.version.as_deref().unwrap_or("latest"),
        })
    }
}

/// A text with its percent-encoded bytes decoded (RFC 3986, section 2.1); `None` if they are not text.
fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let digits = part.get(..2).filter(|two| two.bytes().all(|b| b.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

/// The resources that can be listed: sections are too many.
pub(super) fn list_resources(guide: &str) -> ListResourcesResult {
    let guide = Resource::new(GUIDE_URI, "skill-guide")
        .with_title("How to search, read and cite with specbox")
        .with_description(
            "Which tool to use, how to search and cite, and what to do if nothing is found.",
        )
        .with_mime_type(MARKDOWN_TYPE)
        .with_size(guide.len() as u64);
    ListResourcesResult { resources: vec![guide], ..ListResourcesResult::default() }
}

/// The addresses of sections.
pub(super) fn list_templates() -> ListResourceTemplatesResult {
    let newest = ResourceTemplate::new(NEWEST_TEMPLATE, "section")
        .with_title("A section of a specification")
        .with_description(
            "The text of a section in the newest indexed version, such as spec://38.331/5.3.5.",
        )
        .with_mime_type(MARKDOWN_TYPE);
    let version = ResourceTemplate::new(VERSION_TEMPLATE, "section-of-version")
        .with_title("A section of a version of a specification")
        .with_description(
            "The text of a section in a version, or in the newest of a release, such as spec://38.331/5.3.5@18.1.0 or \
             spec://38.331/5.3.5@Rel-17.",
        )
        .with_mime_type(MARKDOWN_TYPE);
    ListResourceTemplatesResult {
        resource_templates: vec![newest, version],
        ..ListResourceTemplatesResult::default()
    }
}

/// What an argument of a template is; `None` if there is no such template or argument.
pub(super) fn argument_of_template(template: &str, argument: &str) -> Option<ArgumentKind> {
    match (template, argument) {
        (NEWEST_TEMPLATE | VERSION_TEMPLATE, "document") => Some(ArgumentKind::Document),
        (NEWEST_TEMPLATE | VERSION_TEMPLATE, "section") => Some(ArgumentKind::Section),
        (VERSION_TEMPLATE, "version") => Some(ArgumentKind::Version),
        _ => None,
    }
}

/// The section at an address, charged like a call of `get_sections`.
pub(super) async fn read_section(
    origin: &CallOrigin,
    extensions: &Extensions,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let unknown =
        |message: String| ErrorData::resource_not_found(message, Some(json!({ "uri": uri })));
    let Some(address) = SectionAddress::parse_uri(uri) else {
        return Err(unknown("unknown resource".to_owned()));
    };
    let read = get_sections(origin, extensions, &address.parameters()).await;
    let (sections, why) = read.map_err(|failure| refuse_request(&failure))?;
    if sections.is_empty() {
        return Err(unknown(why.unwrap_or_else(|| "There is no such section.".to_owned())));
    }
    let text = ResourceContents::text(print_sections(&sections), uri).with_mime_type(MARKDOWN_TYPE);
    Ok(ReadResourceResult::new(vec![text]))
}

/// The sections, and if there are none, why.
async fn get_sections(
    origin: &CallOrigin,
    extensions: &Extensions,
    parameters: &Value,
) -> Result<(Vec<SectionResult>, Option<String>), Failure> {
    let operation = find_operation(GetSections::NAME)
        .ok_or_else(|| internal_failure("get_sections is not declared"))?;
    let call = origin.admit_call(extensions, Media::Json)?;
    let valid = operation.validator.validate_value(parameters).map_err(Failure::Validation)?;
    let OperationReply { outcome, diagnosis, .. } = call.run_operation(operation, valid).await;
    let sections = serde_json::from_slice(&outcome?).map_err(internal_failure)?;
    Ok((sections, join_messages(&diagnosis)))
}

/// Sections as Markdown, each with its heading and the address to cite.
fn print_sections(sections: &[SectionResult]) -> String {
    let mut text = String::new();
    for section in sections {
        let SectionResult { section_number: number, doc_number, version, release, .. } = section;
        let title = section.section_title.as_deref().unwrap_or_default();
        // A section without a number is named by its title.
        let heading = if number == title { title.to_owned() } else { format!("{number} {title}") };
        let clause = section.clause.as_deref().unwrap_or(number);
        let _ = write!(
            text,
            "# {}\n\n3GPP {doc_number} V{version} ({release}), clause {clause}\n\n{}\n\n",
            heading.trim(),
            section.full_text.trim()
        );
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_document_a_section_and_perhaps_a_version() {
        for (uri, document, section, version) in [
            ("spec://38.331/5.3.5", "38.331", "5.3.5", None),
            ("spec://38.331/5.3.5/", "38.331", "5.3.5", None),
            ("spec://38.331/5.3.5@18.1.0", "38.331", "5.3.5", Some("18.1.0")),
            ("spec://29.501-1/A.1@Rel-17", "29.501-1", "A.1", Some("Rel-17")),
            ("spec://TS%2038.331/BWP-Downlink", "TS 38.331", "BWP-Downlink", None),
            ("spec://23.501/N1%2FN2%20%C3%A9", "23.501", "N1/N2 \u{e9}", None),
        ] {
            let expected = SectionAddress {
                document: document.to_owned(),
                section: section.to_owned(),
                version: version.map(str::to_owned),
            };
            assert_eq!(SectionAddress::parse_uri(uri), Some(expected), "{uri}");
        }
        for uri in [
            "",
            "spec://",
            "spec://38.331",
            "spec://38.331/",
            "spec:///5.3.5",
            "spec:38.331/5.3.5",
            "specbox://38.331/5.3.5",
            "spec://38.331/5%",
            "spec://38.331/5%2",
            "spec://38.331/5%zz",
            "spec://38.331/%ff",
            "spec://38.331/%\u{e9}1",
        ] {
            assert_eq!(SectionAddress::parse_uri(uri), None, "{uri}");
        }
    }
}
