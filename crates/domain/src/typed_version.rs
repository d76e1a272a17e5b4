//! Versions as people write them: `15.7.0`, `15.7`, `f70`, `Rel-15`, `latest`.

use std::str::FromStr;

use super::{ParseError, Release, Version};

/// Which version of a document a text means; of several, the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedVersion {
    /// The newest of all: `latest`.
    Latest,
    /// One version: `15.7.0`, or its code in file names, `f70`.
    Exact(Version),
    /// Major and technical number: `15.7`.
    Edition(u16, u16),
    /// All versions of a release: `Rel-15`, `R15`, `v15`.
    Release(Release),
}

impl TypedVersion {
    /// Whether a version of a release is one that is meant.
    pub fn is_meant(self, version: Version, release: Release) -> bool {
        match self {
            Self::Latest => true,
            Self::Exact(exact) => version == exact,
            Self::Edition(major, technical) => {
                (version.major, version.technical) == (major, technical)
            }
            Self::Release(meant) => release == meant,
        }
    }
}

impl FromStr for TypedVersion {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error =
            || ParseError::new(text, "a version such as 18.1.0 or a release such as Rel-18");
        let bare = text.trim();
        if ["latest", "newest"].iter().any(|word| bare.eq_ignore_ascii_case(word)) {
            return Ok(Self::Latest);
        }
        let bare = match bare.get(..7) {
            Some(word) if word.eq_ignore_ascii_case("version") => bare[7..].trim_start(),
            _ => bare.trim_start_matches(['v', 'V']).trim_start(),
        };
        if let Ok(version) = bare.parse() {
            return Ok(Self::Exact(version));
        }
        if let Some((major, technical)) = bare.split_once('.') {
            let field = |field: &str| field.trim_end_matches(".x").parse().map_err(|_| error());
            return Ok(Self::Edition(field(major)?, field(technical)?));
        }
        match (bare.parse(), Version::from_code(bare)) {
            (Ok(release), _) => Ok(Self::Release(release)),
            (_, Ok(version)) if bare.bytes().any(|byte| byte.is_ascii_digit()) => {
                Ok(Self::Exact(version))
            }
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_people_write_them() {
        let exact = |text: &str| TypedVersion::Exact(text.parse().expect("a version"));
        for (text, expected) in [
            ("15.7.0", exact("15.7.0")),
            (" V15.7.0 ", exact("15.7.0")),
            ("version 15.7.0", exact("15.7.0")),
            ("15.7", TypedVersion::Edition(15, 7)),
            ("v15.7", TypedVersion::Edition(15, 7)),
            ("15.7.x", TypedVersion::Edition(15, 7)),
            ("f70", exact("15.7.0")),
            ("I10", exact("18.1.0")),
            ("150700", exact("15.7.0")),
            ("Rel-15", TypedVersion::Release(Release(15))),
            ("R15", TypedVersion::Release(Release(15))),
            ("Release 15", TypedVersion::Release(Release(15))),
            ("15", TypedVersion::Release(Release(15))),
            ("v15", TypedVersion::Release(Release(15))),
            ("R99", TypedVersion::Release(Release(3))),
            ("LATEST", TypedVersion::Latest),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in ["", "new", "15.", "15.7.0.1", "x.y", "Rel-", "five"] {
            assert!(text.parse::<TypedVersion>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_edition_is_every_version_with_its_two_numbers() {
        let version = |text: &str| text.parse::<Version>().expect("a version");
        let edition = TypedVersion::Edition(15, 7);
        assert!(edition.is_meant(version("15.7.1"), Release(15)));
        assert!(!edition.is_meant(version("15.8.0"), Release(15)));
        assert!(TypedVersion::Release(Release(16)).is_meant(version("1.0.0"), Release(16)));
    }
}
