//! Releases: `R99`, `Rel-4` and later ones.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{ParseError, Version};

/// A release by the major number of its versions: 3 is Release 1999, 4 is Release 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Release(pub u16);

/// Major number of the versions of Release 1999.
const RELEASE_1999: u16 = 3;
/// Highest major number of a draft.
const LAST_DRAFT_MAJOR: u16 = 2;

/// The newest release that specifications existed of when this was written (2026). Raise it when 3GPP starts the next.
const NEWEST_RELEASE: u16 = 20;
/// Releases that this program reads without being told of them: documents of the next releases exist before anyone
/// updates the program. A name of a release beyond them, `38331-v18` as 31.1.8, is something else than a version.
const RELEASES_AHEAD: u16 = 2;

impl Release {
    /// The last release that this program takes for one.
    pub const LAST_KNOWN: Self = Self(NEWEST_RELEASE + RELEASES_AHEAD);

    /// Whether a version may begin with this number: a draft, or a release that is known or soon will be.
    pub fn is_known_major(major: u16) -> bool {
        major <= Self::LAST_KNOWN.0
    }

    /// The release a published version belongs to; drafts (major 0 to 2) have none of their own.
    pub fn from_version(version: Version) -> Option<Self> {
        (version.major > LAST_DRAFT_MAJOR).then_some(Self(version.major))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            RELEASE_1999 => f.write_str("R99"),
            number => write!(f, "Rel-{number}"),
        }
    }
}

impl FromStr for Release {
    type Err = ParseError;

    /// Reads `Rel-18`, `Release 18`, `R99`, `18`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "a release such as Rel-18");
        let trimmed = text.trim();
        if trimmed.eq_ignore_ascii_case("R99") || trimmed == "1999" {
            return Ok(Self(RELEASE_1999));
        }
        let lower = trimmed.to_ascii_lowercase();
        let digits = lower
            .strip_prefix("release")
            .or_else(|| lower.strip_prefix("rel"))
            .or_else(|| lower.strip_prefix('r'))
            .unwrap_or(&lower)
            .trim_start_matches([' ', '-', '.', '_', '\u{a0}', '\u{2011}']);
        match digits.parse::<u16>() {
            Ok(99 | 1999) => Ok(Self(RELEASE_1999)),
            Ok(number @ 4..=99) => Ok(Self(number)),
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_read_and_print_alike() {
        for (input, printed) in [
            ("Rel-18", "Rel-18"),
            ("Release 19", "Rel-19"),
            ("R99", "R99"),
            ("rel-4", "Rel-4"),
            ("R15", "Rel-15"),
            ("Rel.15", "Rel-15"),
        ] {
            assert_eq!(input.parse::<Release>().expect(input).to_string(), printed);
        }
        let error = ParseError::new("Rel-", "a release such as Rel-18");
        assert_eq!("Rel-".parse::<Release>(), Err(error));
    }

    #[test]
    fn drafts_have_no_release_of_their_own() {
        for (version, release) in [
            ("0.1.0", None),
            ("1.3.0", None),
            ("2.9.9", None),
            ("3.0.0", Some("R99")),
            ("18.1.0", Some("Rel-18")),
        ] {
            let of_version = Release::from_version(version.parse().expect(version));
            assert_eq!(of_version.map(|r| r.to_string()).as_deref(), release, "{version}");
        }
    }
}
