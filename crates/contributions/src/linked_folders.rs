//! Links of registers to the 3GPP server, and the folders that they lead into.

use std::{cmp::Reverse, collections::HashMap};

use serde::{Deserialize, Serialize};

use super::file_name::tdoc_stem;
use domain::TdocId;

/// The domain of 3GPP. A link elsewhere is not official: answers must not send users to a foreign server.
const STANDARDS_BODY_DOMAIN: &str = "3gpp.org";

/// Whether a link leads to 3GPP's own server.
pub(super) fn is_official(link: &str) -> bool {
    let rest = link.strip_prefix("https://").or_else(|| link.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '\\', '?', '#']).next()).unwrap_or_default();
    let domain = host.strip_suffix(STANDARDS_BODY_DOMAIN);
    domain.is_some_and(|before| before.is_empty() || before.ends_with('.') && is_plain(before))
}

/// Whether a text has only letters, digits, dots and hyphens: such a host hides no user name or port.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
}

/// The folders on the 3GPP server that the links of each meeting lead into, counted.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct LinkedFolders(HashMap<(u32, Box<str>), usize>);

impl LinkedFolders {
    /// Counts the link of a document of a meeting. A link to another document's file is skipped: that may be a
    /// document of another meeting.
    pub(super) fn add_link(&mut self, meeting: u32, id: &TdocId, link: &str) {
        let Some((folder, name)) = link.rsplit_once('/') else {
            return;
        };
        if !is_official(link) {
            return;
        }
        if tdoc_stem(name).is_some_and(|stem| stem.eq_ignore_ascii_case(id.as_str())) {
            *self.0.entry((meeting, folder.into())).or_default() += 1;
        }
    }

    /// The folder of most links of each meeting, over all parts. Of equally many links, the first by name: the same in
    /// every run.
    pub(super) fn most_frequent<'a>(parts: impl Iterator<Item = &'a Self>) -> HashMap<u32, String> {
        let mut counts: HashMap<(u32, &str), usize> = HashMap::new();
        for ((meeting, folder), count) in parts.flat_map(|part| &part.0) {
            *counts.entry((*meeting, folder)).or_default() += count;
        }
        let mut counted: Vec<((u32, &str), usize)> = counts.into_iter().collect();
        counted.sort_unstable_by_key(|((_, folder), count)| (Reverse(*count), *folder));
        let mut folders = HashMap::new();
        for ((meeting, folder), _) in counted {
            folders.entry(meeting).or_insert_with(|| folder.to_owned());
        }
        folders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_without_a_link_is_in_the_folder_of_most_links() {
        let id = |text: &str| -> TdocId { text.parse().expect("a number") };
        let base = "https://www.3gpp.org/ftp/tsg_ran/WG1_RL1";
        let links = [
            (0, "R1-9900001", format!("{base}/TSGR1_98/Docs/R1-9900001.zip")),
            (0, "R1-9900002", format!("{base}/TSGR1_99/Docs/R1-9900002.zip")),
            (0, "R1-9900003", format!("{base}/TSGR1_99/Docs/R1-9900003.zip")),
            (0, "R1-9900004", format!("{base}/TSGR1_97/Docs/R1-9800001.zip")),
            (1, "R2-9900001", "Docs/R2-9900001.zip".to_owned()),
            (1, "R2-9900002", "https://elsewhere.example/R2-9900002.zip".to_owned()),
        ];
        let mut folders = LinkedFolders::default();
        for (meeting, tdoc, link) in &links {
            folders.add_link(*meeting, &id(tdoc), link);
        }
        let folders = LinkedFolders::most_frequent([&folders].into_iter());
        assert_eq!(folders.get(&0), Some(&format!("{base}/TSGR1_99/Docs")));
        assert_eq!(folders.get(&1), None);
    }
}
