//! OAuth scopes: what a client may do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The scope of every operation: search and read.
pub const READ: &str = "read";
/// A scope that clients request to get a refresh token; every client gets one anyway.
pub const OFFLINE: &str = "offline_access";

/// What a grant covers: always reading, because there is nothing else; and whether the client asked for a refresh
/// token by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OAuthScope {
    offline: bool,
}

impl OAuthScope {
    /// The scope of a client that requests none.
    pub const DEFAULT: Self = Self { offline: false };

    /// Parses the space-separated scopes of a request; `None` if one of them is unknown.
    pub fn parse(text: &str) -> Option<Self> {
        let mut scope = Self::DEFAULT;
        for word in text.split_ascii_whitespace() {
            match word {
                READ => {}
                OFFLINE => scope.offline = true,
                _ => return None,
            }
        }
        Some(scope)
    }

    /// Whether it covers all of another.
    pub(super) fn covers_scope(self, other: Self) -> bool {
        self.offline || !other.offline
    }
}

impl fmt::Display for OAuthScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.offline { "read offline_access" } else { READ })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_words_and_unknown_ones_are_refused() {
        for (text, printed) in [
            ("", Some("read")),
            ("read", Some("read")),
            (" offline_access  read ", Some("read offline_access")),
            ("offline_access", Some("read offline_access")),
            ("read write", None),
            ("READ", None),
        ] {
            assert_eq!(
                OAuthScope::parse(text).map(|s| s.to_string()).as_deref(),
                printed,
                "{text:?}"
            );
        }
        let offline = OAuthScope::parse(OFFLINE).expect("known");
        assert!(
            offline.covers_scope(OAuthScope::DEFAULT) && !OAuthScope::DEFAULT.covers_scope(offline)
        );
    }
}
