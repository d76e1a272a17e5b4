//! Which document version a part is: by its name, the name of its archive, and its cover.
//!
//! A name of the 3GPP archive (`38331-i00`) takes precedence over the cover, the cover over any other name.

use document::{Document, ExtractError, FileProperties, begins_with_identity};
use document_model::Block;
use domain::{DocNumber, Release, SpecFileName, Version};

use super::{DocumentIdentity, TextPart};

/// Words in the properties of a template or of another kind of file, which are no title.
const NO_TITLES: [&str; 9] = [
    "3gpp",
    "template",
    "microsoft word",
    "powerpoint",
    "document",
    "contribution",
    "untitled",
    "title 1",
    "draft",
];
/// Longest title in the properties of a file, in bytes; a longer one contains more than the title.
const MAX_TITLE_BYTES: usize = 400;

/// The names of a part, as far as they name a specification.
pub(super) struct PartNames {
    /// The name of its file.
    pub(super) own: Option<SpecFileName>,
    /// The name of the outermost archive.
    pub(super) outer: Option<SpecFileName>,
}

/// What one source says about the identity of a part.
#[derive(Default)]
struct PartialIdentity {
    number: Option<DocNumber>,
    version: Option<Version>,
}

/// The identity of each part: from its name, its cover, or another part with the same number.
pub(super) fn identify_parts(parts: &[TextPart]) -> Vec<Result<DocumentIdentity, ExtractError>> {
    let identify = |part: &TextPart| {
        if let Some(evidence) = part.meeting_evidence() {
            return Err(ExtractError::MeetingDocument { name: part.name.clone(), evidence });
        }
        let missing = |missing: &str| ExtractError::Unidentified {
            name: part.name.clone(),
            missing: missing.to_owned(),
        };
        let PartialIdentity { number, version } = identify_alone(part);
        let number = number.ok_or_else(|| missing("document number"))?;
        let siblings = || {
            let others = parts.iter().map(identify_alone);
            others
                .filter(|other| other.number.as_ref() == Some(&number))
                .find_map(|other| other.version)
        };
        let version = version.or_else(siblings).ok_or_else(|| missing("version"))?;
        if !Release::is_known_major(version.major) {
            let name = part.name.clone();
            return Err(ExtractError::UnknownRelease { name, version, last: Release::LAST_KNOWN });
        }
        Ok(DocumentIdentity { number, version })
    };
    parts.iter().map(identify).collect()
}

/// The identity of a part without regard to others.
fn identify_alone(part: &TextPart) -> PartialIdentity {
    let PartNames { own, outer } = &part.names;
    let archive_name = |name: &&SpecFileName| name.is_archive_name;
    let cover = read_cover_identity(part);
    let named = |name: &SpecFileName| PartialIdentity {
        number: Some(name.number.clone()),
        version: name.version,
    };
    match (own.as_ref(), outer.as_ref().filter(archive_name)) {
        (Some(own), Some(outer))
            if own.is_archive_name && is_misnamed(own, outer, &part.document) =>
        {
            named(outer)
        }
        (Some(own), _) if own.is_archive_name => named(own),
        (Some(own), Some(outer)) if extends_name(own, outer) => named(outer),
        // An archive named for another specification than the title page of the file in it.
        (None, Some(outer))
            if cover.number.as_ref().is_none_or(|number| *number == outer.number) =>
        {
            named(outer)
        }
        (own, _) => {
            let typed = own.or(outer.as_ref()).map(named).unwrap_or_default();
            PartialIdentity {
                number: cover.number.or(typed.number),
                version: cover.version.or(typed.version),
            }
        }
    }
}

/// Whether a name that a person typed says nothing else than the name of the archive around it.
fn extends_name(own: &SpecFileName, outer: &SpecFileName) -> bool {
    own.number == outer.number && own.version.is_none_or(|version| Some(version) == outer.version)
}

/// What the cover says. A contribution names specifications too: only a title page says which document this is. Where
/// the name has the number, the line with number, version and date at the beginning of the text is enough.
fn read_cover_identity(part: &TextPart) -> PartialIdentity {
    let cover = &part.document.cover;
    let is_trusted = cover.is_title_page || {
        let base = |number: &DocNumber| number.as_str().split('-').next().map(str::to_owned);
        let named = part.names.own.as_ref().or(part.names.outer.as_ref());
        let same =
            named.is_some_and(|name| cover.number.as_ref().and_then(base) == base(&name.number));
        same && begins_with_identity(first_lines(&part.document), cover)
    };
    if is_trusted {
        PartialIdentity { number: cover.number.clone(), version: cover.version }
    } else {
        PartialIdentity::default()
    }
}

/// The lines of the text before the first heading.
fn first_lines(document: &Document) -> impl Iterator<Item = &str> {
    let blocks =
        document.sections.first().map(|section| section.blocks.as_slice()).unwrap_or_default();
    blocks.iter().flat_map(Block::texts).flat_map(|text| text.as_str().split('\n'))
}

/// Whether a file's own name differs from what its archive's name and its cover agree on.
fn is_misnamed(own: &SpecFileName, outer: &SpecFileName, document: &Document) -> bool {
    let cover = &document.cover;
    (&own.number, own.version) != (&outer.number, outer.version)
        && outer.version.is_some()
        && cover.version == outer.version
        && cover.number.as_ref() == Some(&outer.number)
}

/// How the name or the cover of a part differs from the identity that it was given, one sentence each.
pub(super) fn describe_difference(identity: &DocumentIdentity, part: &TextPart) -> Vec<String> {
    let (name, cover) = (&part.name, &part.document.cover);
    let mut differences = Vec::new();
    if let Some(own) = &part.names.own {
        let version = own.version.unwrap_or(identity.version);
        if (&own.number, version) != (&identity.number, identity.version) {
            let used = match &part.names.outer {
                Some(outer) if outer.is_archive_name && outer.version == Some(identity.version) => {
                    "the archive's name and the cover agree on"
                }
                _ => "the cover says",
            };
            differences.push(format!(
                "'{name}' has the name of another version, {} {version}; {used} {} {}",
                own.number, identity.number, identity.version
            ));
            return differences;
        }
    }
    let archive = part.names.outer.as_ref().filter(|outer| outer.number != identity.number);
    if let (None, Some(outer)) = (&part.names.own, archive) {
        differences.push(format!(
            "the archive of '{name}' is named for {}, the cover says {} {}; the cover is used",
            outer.number, identity.number, identity.version
        ));
    }
    if let Some(number) = cover.number.as_ref().filter(|number| **number != identity.number) {
        differences.push(format!(
            "the cover of '{name}' says {number}, its name says {}; the name is used",
            identity.number
        ));
    }
    if let Some(version) = cover.version.filter(|version| *version != identity.version) {
        differences.push(format!(
            "the cover of '{name}' says version {version}, its name says {}; the name is used",
            identity.version
        ));
    }
    differences
}

/// The title of a document in the properties of its file. The template of 3GPP has the number as the title and the title
/// as the subject; a file that was made from another specification has the number of that one.
pub(super) fn title_of_file(number: &DocNumber, properties: &FileProperties) -> Option<String> {
    let is_own = properties
        .title
        .split(' ')
        .any(|word| word.parse().is_ok_and(|named: DocNumber| named == *number));
    let text = if is_own { &properties.subject } else { &properties.title };
    let lower = text.to_ascii_lowercase();
    let end = lower.find("(release").unwrap_or(text.len());
    let title = text.get(..end)?.trim_matches([' ', ';', ',']);
    let lower = title.to_ascii_lowercase();
    let is_template = lower.contains("skeleton") || lower.contains('<');
    let is_title = title.split(' ').count() > 1
        && title.len() <= MAX_TITLE_BYTES
        && !is_template
        && !NO_TITLES.iter().any(|words| lower.starts_with(words))
        && title.parse::<Release>().is_err();
    is_title.then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_of_a_file_have_its_title_unless_they_are_those_of_a_template() {
        for (title, subject, expected) in [
            (
                "3GPP TS 38.331",
                "NR; Radio Resource Control (Release 18)",
                Some("NR; Radio Resource Control"),
            ),
            ("3GPP TS 38.331", "Basic call handling", Some("Basic call handling")),
            ("Multi Media Telephony; Stage 2", "", Some("Multi Media Telephony; Stage 2")),
            ("3GPP TS 38.331", "Release 15", None),
            ("3GPP TS 38.300", "NR; Overall description (Release 18)", None),
            ("3GPP TS ab.cde", "<Title 1; Title 2> (Release 14 | 13 |12)", None),
            ("3GPP spec skeleton", "3GPP spec skeleton", None),
            ("3GPP Contribution", "", None),
            ("PowerPoint Presentation", "", None),
            ("", "", None),
        ] {
            let properties = FileProperties {
                title: title.to_owned(),
                subject: subject.to_owned(),
                ..FileProperties::default()
            };
            let number = "38.331".parse().expect("a number");
            assert_eq!(title_of_file(&number, &properties).as_deref(), expected, "{title}");
        }
    }
}
