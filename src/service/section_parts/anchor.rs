//! The anchor of a part: `p3` is the third block of a section, `p3.17` the row of a table or the line of a listing in it.

use std::fmt;

/// The address of a part within its section, from 0; printed from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartAnchor {
    pub(super) block: usize,
    /// The row of a table, or the line of a listing.
    pub(super) line: Option<usize>,
}

impl PartAnchor {
    /// Reads an anchor as it is printed; `#` may precede it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let rest = text.trim().trim_start_matches('#').strip_prefix(['p', 'P'])?;
        let (block, line) = match rest.split_once('.') {
            Some((block, line)) => (block, Some(index_of(line)?)),
            None => (rest, None),
        };
        Some(Self { block: index_of(block)?, line })
    }
}

/// The index that a printed number means.
fn index_of(text: &str) -> Option<usize> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse::<usize>().ok()?.checked_sub(1) } else { None }
}

impl fmt::Display for PartAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.block + 1)?;
        self.line.map_or(Ok(()), |line| write!(f, ".{}", line + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_read_as_it_is_printed() {
        for (text, printed) in [
            ("p3", Some("p3")),
            ("#p3.17", Some("p3.17")),
            (" P12.1 ", Some("p12.1")),
            ("#62", None),
            ("p0", None),
            ("p", None),
            ("p3.", None),
            ("p3.x", None),
            ("p+3", None),
            ("T310", None),
            ("p99999999999999999999999", None),
        ] {
            let anchor = PartAnchor::parse(text).map(|anchor| anchor.to_string());
            assert_eq!(anchor.as_deref(), printed, "{text}");
        }
    }
}
