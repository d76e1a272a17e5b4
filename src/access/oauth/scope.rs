//! What a client may do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The scope of every operation: search and read.
pub const READ: &str = "read";
/// A scope that clients ask for to be given a refresh token; every client is given one.
pub const OFFLINE: &str = "offline_access";

/// What a grant covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    read: bool,
    offline: bool,
}

impl Scope {
    /// What a client gets that asks for nothing in particular.
    pub const DEFAULT: Self = Self { read: true, offline: false };

    /// Words with spaces between them, as requests have them; none where one of them is unknown.
    pub fn parse(text: &str) -> Option<Self> {
        let mut scope = Self { read: false, offline: false };
        for word in text.split_ascii_whitespace() {
            match word {
                READ => scope.read = true,
                OFFLINE => scope.offline = true,
                _ => return None,
            }
        }
        Some(if scope.read || scope.offline { scope } else { Self::DEFAULT })
    }

    /// Whether operations may be used.
    pub fn reads(self) -> bool {
        self.read
    }

    /// Whether it covers all of another.
    pub(super) fn covers(self, other: Self) -> bool {
        (self.read || !other.read) && (self.offline || !other.offline)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.read, self.offline) {
            (true, true) => "read offline_access",
            (false, true) => OFFLINE,
            (_, false) => READ,
        })
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
            ("offline_access", Some("offline_access")),
            ("read write", None),
            ("READ", None),
        ] {
            assert_eq!(Scope::parse(text).map(|s| s.to_string()).as_deref(), printed, "{text:?}");
        }
        let offline = Scope::parse(OFFLINE).expect("known");
        assert!(!offline.reads() && !offline.covers(Scope::DEFAULT));
    }
}
