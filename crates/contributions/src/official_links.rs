//! The URL of a document's file on the 3GPP server.
//!
//! Registers link documents that have a file. The others are, or will be, in the folder of their siblings. Folder
//! names are irregular, so that one is never made up: if no register, calendar or listing names the folder of the
//! meeting, the portal finds the file by the number of the document.

use super::{
    Meeting, TdocCatalog, TdocEntry,
    file_name::tdoc_stem,
    linked_folders::{is_official, is_plain},
    locate::{DOCUMENT_FOLDERS, is_server_path, meeting_folder, path_below_root},
};
use domain::TdocId;

impl TdocCatalog {
    /// The URL of a document's file on the 3GPP server, present or future; `link` is the link of its register row.
    pub fn official_url(&self, entry: &TdocEntry, link: Option<&str>) -> String {
        let meeting = self.meeting_of(entry);
        if let Some(link) = link.filter(|link| is_official(link)) {
            return link.to_owned();
        }
        if let Some(path) = link.and_then(|link| relative_path(link, meeting)) {
            return mirror::official_url(&path);
        }
        let name = file_name(link, &entry.id);
        if let Some(folder) = &meeting.document_folder_url {
            return format!("{folder}/{name}");
        }
        match meeting_folder(meeting) {
            Some(folder) => {
                mirror::official_url(&format!("{folder}/{}/{name}", DOCUMENT_FOLDERS[0]))
            }
            None => mirror::portal_url(entry.id.as_str()),
        }
    }
}

/// The folder of a meeting on the 3GPP server, if a calendar, a register or a listing names it.
pub fn meeting_folder_url(meeting: &Meeting) -> Option<String> {
    let folder = meeting_folder(meeting)?;
    Some(mirror::official_url(&format!("{}/", folder.trim_matches('/'))))
}

/// The path on the server of a link that is relative to the register, or to the server.
fn relative_path(link: &str, meeting: &Meeting) -> Option<String> {
    let is_relative = !link.contains(':') && !link.trim_start().starts_with("//");
    let path = path_below_root(link.trim_start_matches("./"))?;
    if !is_relative {
        return None;
    }
    if is_server_path(link) {
        return Some(path);
    }
    Some(format!("{}/{path}", meeting_folder(meeting)?))
}

/// The file name of a document: the one in the link if it is this document's and safe in a URL, or the usual one.
fn file_name(link: Option<&str>, id: &TdocId) -> String {
    let linked = link.and_then(|link| link.rsplit(['/', '\\']).next());
    let linked = linked.filter(|name| {
        let is_own = tdoc_stem(name).is_some_and(|stem| stem.eq_ignore_ascii_case(id.as_str()));
        is_own && name.contains('.') && is_plain(name)
    });
    linked.map_or_else(|| format!("{id}.zip"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::tests::catalog;
    use store::{CalendarNote, MeetingRow, RegisterNote};

    fn meeting(id: &str, calendar_folder: Option<&str>, register_folder: Option<&str>) -> Meeting {
        let calendar =
            CalendarNote { folder: calendar_folder.map(str::to_owned), ..CalendarNote::default() };
        let register = RegisterNote {
            file: "list.htm".to_owned(),
            imported_at: String::new(),
            rows: 2,
            range: None,
            is_full: true,
            estimated_start: None,
            folder: register_folder.map(str::to_owned),
            agenda: Vec::new(),
        };
        let id = id.parse().expect("a meeting");
        Meeting::new(MeetingRow { id, calendar: Some(calendar), register: Some(register) })
    }

    fn official_url(meeting: Meeting, link: Option<&str>) -> String {
        let id = meeting.id.to_string();
        let catalog = catalog(&[("S2-9900001", id.as_str(), &[])], vec![meeting]);
        let entry = catalog.entries().next().expect("an entry");
        catalog.official_url(entry, link)
    }

    #[test]
    fn every_document_has_an_official_url() {
        let root = "https://www.3gpp.org/ftp/";
        let own = "http://www.3gpp.org/ftp/tsg_sa/WG2_Arch/TSGS2_99_Town/Docs/s2-9900001.zip";
        let below = "tsg_sa/WG2_Arch/TSGS2_99_Town";
        let docs = "https://www.3gpp.org/ftp/tsg_sa/WG2_Arch/TSGS2_99_Town/Docs/S2-9900001.zip";
        let portal = "https://portal.3gpp.org/ngppapp/DownloadTDoc.aspx?contributionUid=S2-9900001";
        let (calendar, register) = (Some(below), Some("TSGS2_99_Town"));
        for (calendar, register, link, expected) in [
            (None, None, Some(own), own),
            (calendar, None, Some("Docs\\S2-9900001.zip"), docs),
            (None, register, Some("./Docs/S2-9900001.zip"), docs),
            (calendar, None, None, docs),
            (None, register, None, docs),
            // A page saved by a user: its links lead to a local disk.
            (None, register, Some("file:///D:/TSGS2_99_Town/Agenda/Docs/S2-9900001.zip"), docs),
            (None, register, Some("C:\\TSGS2_99_Town\\S2-9900001.zip"), docs),
            (calendar, None, Some("../Docs/S2-9900001.zip"), docs),
            (calendar, None, Some("https://elsewhere.example/S2-9900001.zip"), docs),
            (calendar, None, Some("https://3gpp.org@elsewhere.example/S2-9900001.zip"), docs),
            (calendar, None, Some("https://elsewhere.example:80.3gpp.org/S2-9900001.zip"), docs),
            (None, None, Some("/ftp/tsg_sa/WG2_Arch/TSGS2_99_Town/Docs/S2-9900001.zip"), docs),
            // No file names the folder, or only that of another meeting.
            (None, None, None, portal),
            (None, None, Some("Docs\\S2-9900001.zip"), portal),
            (None, Some("TSGS2_98_Town"), None, portal),
        ] {
            let found = official_url(meeting("S2-99", calendar, register), link);
            assert_eq!(found, expected, "{calendar:?} {register:?} {link:?}");
        }
        let numbered = official_url(meeting("S2-99", Some("tsg_sa/TSGS2_#99"), None), None);
        assert_eq!(numbered, format!("{root}tsg_sa/TSGS2_%2399/Docs/S2-9900001.zip"));
    }
}
