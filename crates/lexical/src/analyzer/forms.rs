//! The forms of a word that a query may use instead: its stem, its joined and its split forms.

use std::collections::HashMap;

use frostem::{Algorithm, Stemmer};

use super::runs::split_parts;

/// Stems in a cache, and runs in another; a full one is cleared. A text of random words then costs time but no more
/// memory.
const MAX_CACHED_STEMS: usize = 50_000;
/// Prefixes that are not words of their own: `re establishment` is also found as `reestablishment`. With other words,
/// joining neighbours would give forms that nobody writes.
const PREFIXES: [&str; 8] = ["re", "non", "pre", "inter", "intra", "multi", "sub", "semi"];
/// A word in capitals of at least this length is prose in a heading, not an abbreviation, and is therefore stemmed.
const MIN_CAPITALS: usize = 7;
/// Shortest part of a camel-case name that is a form of its own: a single letter says nothing.
const MIN_HUMP: usize = 2;

/// Generates forms, with a cache of stems.
#[derive(Clone)]
pub(crate) struct WordForms {
    stemmer: Stemmer,
    stems: HashMap<String, String>,
}

impl Default for WordForms {
    fn default() -> Self {
        Self { stemmer: Stemmer::new(Algorithm::English), stems: HashMap::new() }
    }
}

impl WordForms {
    /// The form under which a part is found: the stem of a prose word, the singular of an
    /// abbreviation, anything else in lower case.
    pub(crate) fn normalize_part(&mut self, part: &str) -> String {
        if is_prose(part) {
            return self.stem_word(&part.to_lowercase());
        }
        strip_plural(part).unwrap_or(part).to_lowercase()
    }

    /// The form of a run of several parts: its letters without joiners. Numbers keep theirs:
    /// 38.101-1 is not 38.1011.
    pub(crate) fn normalize_compound(&mut self, parts: &[&str]) -> String {
        if parts.iter().all(|part| is_prose(part)) {
            return self.stem_word(&parts.concat().to_lowercase());
        }
        let name = parts.iter().any(|part| part.contains(char::is_alphabetic));
        parts.join(if name { "" } else { "-" }).to_lowercase()
    }

    /// All forms of a run, and of the run with the one before it if that is a prefix.
    pub(super) fn generate_forms(
        &mut self,
        before: Option<&str>,
        run: &str,
        push: &mut impl FnMut(String),
    ) {
        let parts = split_parts(run);
        for part in &parts {
            push(self.normalize_part(part));
            for hump in split_camel_case(part) {
                push(self.normalize_part(hump));
            }
        }
        if parts.len() > 1 {
            push(self.normalize_compound(&parts));
        }
        // `ssb-PositionsInBurst-r16` is also searched for without its release suffix.
        if let [name @ .., last] = parts.as_slice()
            && name.len() > 1
            && is_release(last)
        {
            push(self.normalize_compound(name));
        }
        if let (Some(prefix), Some(first)) = (before.and_then(match_prefix), parts.first())
            && is_prose(first)
        {
            push(self.stem_word(&format!("{prefix}{}", first.to_lowercase())));
        }
    }

    /// The stem of a word in lower case.
    pub(crate) fn stem_word(&mut self, word: &str) -> String {
        if let Some(stem) = self.stems.get(word) {
            return stem.clone();
        }
        let stem = self.stemmer.stem(word).into_owned();
        if self.stems.len() >= MAX_CACHED_STEMS {
            self.stems.clear();
        }
        self.stems.insert(word.to_owned(), stem.clone());
        stem
    }
}

/// Forms of whole runs, with a cache of them: the same few thousand runs make up most of a text.
#[derive(Clone, Default)]
pub(crate) struct RunForms {
    forms: WordForms,
    known: HashMap<Box<str>, Box<[String]>>,
}

impl RunForms {
    /// Calls `each` with all forms of a run, and of the run with the one before it if that is a prefix.
    pub(super) fn for_each_form(
        &mut self,
        before: Option<&str>,
        run: &str,
        mut each: impl FnMut(&str),
    ) {
        // The forms depend on the run before, so they are not in the cache.
        if before.and_then(match_prefix).is_some() {
            return self.forms.generate_forms(before, run, &mut |form| each(&form));
        }
        if let Some(known) = self.known.get(run) {
            return known.iter().for_each(|form| each(form));
        }
        let mut forms = Vec::new();
        self.forms.generate_forms(None, run, &mut |form| forms.push(form));
        forms.iter().for_each(|form| each(form));
        if self.known.len() >= MAX_CACHED_STEMS {
            self.known.clear();
        }
        self.known.insert(run.into(), forms.into());
    }
}

/// What ASN.1 appends to the names of later releases: `r16`, `v1700`.
fn is_release(part: &str) -> bool {
    let digits = part.strip_prefix(['r', 'v']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn match_prefix(run: &str) -> Option<&'static str> {
    PREFIXES.into_iter().find(|prefix| run.eq_ignore_ascii_case(prefix))
}

/// Only letters, in lower case except the first, or a word in capitals that is too long for an abbreviation.
fn is_prose(part: &str) -> bool {
    let is_lower = |(index, c): (usize, char)| c.is_lowercase() || index == 0 && c.is_alphabetic();
    let heading = part.len() >= MIN_CAPITALS && part.chars().all(char::is_uppercase);
    part.len() > 1 && (heading || part.chars().enumerate().all(is_lower))
}

/// `UEs` is `UE`, `gNBs` is `gNB`.
fn strip_plural(part: &str) -> Option<&str> {
    let base = part.strip_suffix('s')?;
    let capital = |c: char| c.is_ascii_uppercase();
    let tail = base.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or(base);
    (tail.len() >= 2 && tail.chars().all(capital)).then_some(base)
}

/// The humps of a name in camel case; empty if it has only one. A single letter belongs to the hump before it, or at
/// the front to the one after it: `gNB` and `QoS` are one hump.
pub(crate) fn split_camel_case(part: &str) -> Vec<&str> {
    if strip_plural(part).is_some() {
        return Vec::new();
    }
    let mut humps = Vec::new();
    let mut start = 0;
    for boundary in find_boundaries(part) {
        let (hump, rest) = (&part[start..boundary], &part[boundary..]);
        let single =
            hump.len() < MIN_HUMP || rest.len() < MIN_HUMP || next_is_single(part, boundary);
        if !single {
            humps.push(hump);
            start = boundary;
        }
    }
    if start > 0 {
        humps.push(&part[start..]);
    }
    humps
}

/// Whether the hump that begins at a boundary is a single letter.
fn next_is_single(part: &str, boundary: usize) -> bool {
    find_boundaries(part).any(|next| next == boundary + 1)
}

/// Byte offsets where a capital begins a new hump: after a lower-case letter, or before one.
fn find_boundaries(part: &str) -> impl Iterator<Item = usize> {
    let bytes = part.as_bytes();
    (1..bytes.len()).filter(|&offset| {
        let before = bytes[offset - 1];
        let after_small = before.is_ascii_lowercase();
        let before_small = bytes.get(offset + 1).is_some_and(u8::is_ascii_lowercase);
        let capital_or_digit = before.is_ascii_uppercase() || before.is_ascii_digit();
        bytes[offset].is_ascii_uppercase() && (after_small || capital_or_digit && before_small)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(before: Option<&str>, run: &str) -> String {
        let mut all = Vec::new();
        WordForms::default().generate_forms(before, run, &mut |form| all.push(form));
        all.join(" ")
    }

    #[test]
    fn names_are_found_whole_by_part_and_without_joiners() {
        for (run, expected) in [
            ("RRCReconfiguration", "rrcreconfiguration rrc reconfigur"),
            ("ssb-PositionsInBurst", "ssb positionsinburst posit in burst ssbpositionsinburst"),
            ("nrofHARQ-Processes", "nrofharq nrof harq process nrofharqprocesses"),
            ("Nudm_SDM_Get", "nudm sdm get nudmsdmget"),
            ("p-Max-r16", "p max r16 pmaxr16 pmax"),
            ("5G-GUTI", "5g guti 5gguti"),
            ("N1/N2", "n1 n2 n1n2"),
            ("38.101-1", "38.101 1 38.101-1"),
            ("TS38.331", "ts 38.331 ts38.331"),
            ("MsgA", "msga"),
            ("QoS", "qos"),
            ("gNBs", "gnb"),
            ("SCellIndex", "scellindex scell index"),
            ("5.3.5", "5.3.5"),
        ] {
            assert_eq!(forms(None, run), expected, "{run}");
        }
    }

    #[test]
    fn prose_is_stemmed_and_abbreviations_are_not() {
        for (run, expected) in [
            ("measurements", "measur"),
            ("Configured", "configur"),
            ("re-establishment", "re establish reestablish"),
            ("hand-over", "hand over handov"),
            ("handover", "handov"),
            ("MESSAGES", "messag"),
            ("CSS", "css"),
            ("MBS", "mbs"),
        ] {
            assert_eq!(forms(None, run), expected, "{run}");
        }
        assert_eq!(forms(Some("Re"), "establishment"), "establish reestablish");
    }

    #[test]
    fn names_that_are_not_ascii_do_not_panic() {
        assert_eq!(split_camel_case("\u{e9}\u{c9}\u{e9}Ab"), ["\u{e9}\u{c9}\u{e9}Ab"; 0]);
        assert_eq!(forms(None, "\u{394}f"), "\u{3b4}f");
    }
}
