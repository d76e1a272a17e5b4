//! Documents as people write them with their version: `TS 38.213-i10`, `38.331 v18.1.0`, `3GPP TS 38.331 Rel-18`.

use domain::{DocNumber, Release, TypedVersion, Version};

/// A document number, and the version that is written with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedDocument {
    /// The number.
    pub number: DocNumber,
    /// The version.
    pub version: TypedVersion,
}

/// Endings of names of files.
const FILE_ENDINGS: [&str; 4] = [".zip", ".docx", ".doc", ".pdf"];
/// Length of the code of a version in a file name: `i10`.
const CODE_CHARS: usize = 3;

impl TypedDocument {
    /// Reads a number with a version; `None` for a number alone, and for any other text.
    pub fn parse_text(text: &str) -> Option<Self> {
        let plain = text.trim().replace(['\u{2010}', '\u{2011}', '\u{2013}'], "-");
        let lower = plain.to_ascii_lowercase();
        let ending = FILE_ENDINGS.iter().find(|ending| lower.ends_with(**ending));
        let plain = &plain[..plain.len() - ending.map_or(0, |ending| ending.len())];
        Self::with_code(plain).or_else(|| Self::with_words(plain))
    }

    /// `38.213-i10`, `38101-1-i20`: a part of a number is never like a code of a published version.
    fn with_code(text: &str) -> Option<Self> {
        let (number, code) = text.rsplit_once(['-', '_'])?;
        let is_code =
            code.len() == CODE_CHARS && code.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_code {
            return None;
        }
        let version = Version::from_code(code).ok()?;
        let is_known = Release::is_known_major(version.major);
        let number = number.trim().parse().ok()?;
        is_known.then_some(Self { number, version: TypedVersion::Exact(version) })
    }

    /// `38.331 v18.1.0`, `TS 38.331, version 18.1.0 (2024-03)`, `38.331 Rel-18`.
    fn with_words(text: &str) -> Option<Self> {
        let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | '/' | '@' | ':');
        let gaps = text.char_indices().filter(|(_, c)| is_gap(*c));
        gaps.map(|(at, _)| text.split_at(at)).find_map(|(number, rest)| {
            let number = number.parse().ok()?;
            let rest = rest.trim_start_matches(is_gap);
            // The date of the version is on its cover.
            let rest = rest.split('(').next().unwrap_or_default().trim_end();
            Some(Self { number, version: rest.parse().ok()? })
        })
    }
}

/// The release of the versions that are meant; `None` for drafts, and for the newest of all.
pub fn release_of(version: TypedVersion) -> Option<Release> {
    match version {
        TypedVersion::Latest => None,
        TypedVersion::Exact(version) => Release::from_version(version),
        TypedVersion::Edition(major, technical) => {
            Release::from_version(Version { major, technical, editorial: 0 })
        }
        TypedVersion::Release(release) => Some(release),
    }
}

/// A version in the form that [`TypedVersion`] reads again.
pub fn print_version(version: TypedVersion) -> String {
    match version {
        TypedVersion::Latest => "latest".to_owned(),
        TypedVersion::Exact(version) => version.to_string(),
        TypedVersion::Edition(major, technical) => format!("{major}.{technical}"),
        TypedVersion::Release(release) => release.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_with_the_number() {
        for (text, number, version) in [
            ("TS 38.213-i10", "38.213", "18.1.0"),
            ("38213-i10.zip", "38.213", "18.1.0"),
            ("38101-1-I20", "38.101-1", "18.2.0"),
            ("38.331 v18.1.0", "38.331", "18.1.0"),
            ("3GPP TS 38.331 V18.1.0 (2024-03)", "38.331", "18.1.0"),
            ("38.331, version 18.1.0", "38.331", "18.1.0"),
            ("38.331/18.1.0", "38.331", "18.1.0"),
            ("38.331 Rel-18", "38.331", "Rel-18"),
            ("38.331 15.7", "38.331", "15.7"),
            ("TS 38.331 latest", "38.331", "latest"),
        ] {
            let document = TypedDocument::parse_text(text).expect(text);
            let read = (document.number.as_str(), print_version(document.version));
            assert_eq!(read, (number, version.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_number_alone_and_other_texts_have_no_version() {
        for text in [
            "",
            "38.331",
            "TS 38.331",
            "38.101-1",
            "23.700-28",
            "38.331-z99",
            "38.331 5.3.5.1",
            "i10",
            "R1-2405780",
            "38.331 RRC",
        ] {
            assert_eq!(TypedDocument::parse_text(text), None, "{text}");
        }
    }
}
