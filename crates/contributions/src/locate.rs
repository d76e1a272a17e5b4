//! Finds the file of a document on a mirror.
//!
//! Folder names are irregular (`TSGR1_100b_e`, `TSGS2_176_Prague_2026-08`): they are listed and parsed, never
//! constructed.

use domain::{MeetingId, TdocId};
use mirror::{ListingEntry, Mirror, MirrorError};

use super::{Meeting, TdocCatalog, file_name::tdoc_stem};

/// The path of files on the 3GPP server, whatever its host.
const SERVER_ROOT: &str = "/ftp/";
/// Folders of a meeting with its documents. `Docs` first: it has the numbered documents, and new URLs are built with
/// it.
pub(super) const DOCUMENT_FOLDERS: [&str; 2] = ["Docs", INBOX];
/// The folder of a meeting for revisions that have no number yet.
const INBOX: &str = "Inbox";
/// Folders with such revisions.
const REVISION_FOLDERS: [&str; 2] = [INBOX, "Inbox/Revisions"];
/// Meetings that are searched for a document that no register lists. Each one costs about four folder listings on the
/// server, while a request waits; a number in no folder costs them all.
const MAX_CANDIDATE_MEETINGS: usize = 6;

/// A file on a mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedTdoc {
    /// Its path below the mirror's root.
    pub path: String,
    /// The meeting in whose folder it is.
    pub meeting: MeetingId,
}

/// Finds the file of a document: at the link of its register, otherwise in the folders of the meetings that may have
/// it. `None` if there is no such file.
pub fn locate_tdoc(
    catalog: &TdocCatalog,
    mirror: &Mirror,
    id: &TdocId,
    url: Option<&str>,
) -> Result<Option<LocatedTdoc>, MirrorError> {
    let known = catalog.get(id).map(|entry| catalog.meeting_of(entry));
    if let Some(meeting) = known {
        if let Some(path) = url.and_then(|url| linked_path(url, meeting))
            && is_on_mirror(mirror, &path)?
        {
            return Ok(Some(LocatedTdoc { path, meeting: meeting.id.clone() }));
        }
        return locate_in_meeting(mirror, &meeting.id, meeting_folder(meeting), id);
    }
    let folders = folders_of_group(mirror, id)?;
    for meeting in candidate_meetings(catalog, id, &folders) {
        let row =
            catalog.meeting_index(&meeting).and_then(|index| catalog.meetings.get(index as usize));
        let from_row = row.and_then(meeting_folder);
        let listed = folders.iter().find(|(known, _)| *known == meeting).map(|(_, f)| f.clone());
        if let Some(located) = locate_in_meeting(mirror, &meeting, from_row.or(listed), id)? {
            return Ok(Some(located));
        }
    }
    Ok(None)
}

/// The meeting folders of a document's group.
fn folders_of_group(mirror: &Mirror, id: &TdocId) -> Result<Vec<(MeetingId, String)>, MirrorError> {
    match id.group() {
        Some(group) => list_meeting_folders(mirror, group),
        None => Ok(Vec::new()),
    }
}

/// The meeting folders of a group.
pub fn list_meeting_folders(
    mirror: &Mirror,
    group: domain::Group,
) -> Result<Vec<(MeetingId, String)>, MirrorError> {
    let listed = list_folder(mirror, group.folder())?;
    let folders = listed.into_iter().filter(|entry| entry.is_folder).filter_map(|entry| {
        let meeting = MeetingId::from_folder_name(&entry.name)?;
        Some((meeting, format!("{}/{}", group.folder(), entry.name)))
    });
    Ok(folders.collect())
}

/// The entries of a folder; none if there is no such folder: meetings lack some of the folders.
fn list_folder(mirror: &Mirror, path: &str) -> Result<Vec<ListingEntry>, MirrorError> {
    match mirror.list_folder(path) {
        Ok(listed) => Ok(listed),
        Err(MirrorError::NotFound { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The path of a folder inside another, and its files. Capitals differ between meetings (`Docs`, `DOCS`), so the
/// folders above it are listed. `None` if there is no such folder.
pub fn list_inner_files(
    mirror: &Mirror,
    folder: &str,
    inner: &str,
) -> Result<Option<(String, Vec<ListingEntry>)>, MirrorError> {
    let mut path = folder.to_owned();
    for name in inner.split('/') {
        let listed = list_folder(mirror, &path)?;
        let mut folders = listed.iter().filter(|entry| entry.is_folder);
        let Some(inside) = folders.find(|entry| entry.name.eq_ignore_ascii_case(name)) else {
            return Ok(None);
        };
        path = format!("{path}/{}", inside.name);
    }
    let files = list_folder(mirror, &path)?.into_iter().filter(|entry| !entry.is_folder).collect();
    Ok(Some((path, files)))
}

/// The revisions of a document in the inbox of its meeting, as paths, the first revision first. `path` is the path of
/// the document's own file.
pub fn list_inbox_revisions(
    mirror: &Mirror,
    path: &str,
    id: &TdocId,
) -> Result<Vec<String>, MirrorError> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_inner =
        |part: &&str| DOCUMENT_FOLDERS.iter().any(|inner| inner.eq_ignore_ascii_case(part));
    let Some(inner) = parts.iter().position(is_inner) else { return Ok(Vec::new()) };
    let folder = parts[..inner].join("/");
    let mut revisions = Vec::new();
    for inner in REVISION_FOLDERS {
        let Some((inside, files)) = list_inner_files(mirror, &folder, inner)? else { continue };
        for file in files {
            let revision = tdoc_stem(&file.name).and_then(TdocId::split_revision);
            if let Some((of, Some(revision))) = revision
                && of == *id
            {
                revisions.push((revision, format!("{inside}/{}", file.name)));
            }
        }
    }
    revisions.sort();
    revisions.dedup_by_key(|(revision, _)| *revision);
    Ok(revisions.into_iter().map(|(_, path)| path).collect())
}

/// The meetings that may have a document: first those whose number range contains it, then the one that begins before
/// it, then the newest.
fn candidate_meetings(
    catalog: &TdocCatalog,
    id: &TdocId,
    folders: &[(MeetingId, String)],
) -> Vec<MeetingId> {
    let group = id.group();
    let ranges = catalog.meetings.iter().filter(|meeting| Some(meeting.id.group()) == group);
    let ranges = ranges.filter_map(|meeting| Some((number_range(meeting)?, &meeting.id)));
    let same = |other: &TdocId| other.prefix() == id.prefix() && other.year() == id.year();
    let ranges: Vec<_> = ranges.filter(|((first, _), _)| same(first)).collect();
    let number = id.number();
    let mut candidates: Vec<MeetingId> = Vec::new();
    let within = ranges.iter().filter(|((f, l), _)| (f.number()..=l.number()).contains(&number));
    candidates.extend(within.map(|(_, meeting)| (*meeting).clone()));
    // More numbers may be assigned after a register was imported.
    let before = ranges.iter().filter(|((first, _), _)| first.number() <= number);
    let before = before.max_by_key(|((first, _), _)| first.number());
    candidates.extend(before.map(|(_, meeting)| (*meeting).clone()));
    let mut newest: Vec<&MeetingId> = folders.iter().map(|(meeting, _)| meeting).collect();
    newest.sort_by(|a, b| b.cmp(a));
    candidates.extend(newest.into_iter().cloned());
    let mut seen = std::collections::HashSet::new();
    candidates.retain(|meeting| seen.insert(meeting.clone()));
    candidates.truncate(MAX_CANDIDATE_MEETINGS);
    candidates
}

fn number_range(meeting: &Meeting) -> Option<(TdocId, TdocId)> {
    let of_register = meeting.register.as_ref().and_then(|register| register.range.clone());
    of_register.or_else(|| {
        let (first, last) = meeting.calendar.as_ref()?.range.as_ref()?;
        Some((first.parse().ok()?, last.parse().ok()?))
    })
}

/// The folder of a meeting, from its calendar or its register.
pub(super) fn meeting_folder(meeting: &Meeting) -> Option<String> {
    let of_calendar = meeting.calendar.as_ref().and_then(|calendar| calendar.folder.as_deref());
    let folder = of_calendar.and_then(path_below_root);
    // A register's links give only the name of the folder.
    let of_register = || {
        let name = meeting.register.as_ref()?.folder.as_deref()?;
        let bare = name.trim_matches('/').rsplit('/').next()?;
        // Some links of a register lead into the folder of another meeting.
        let is_own = MeetingId::from_folder_name(bare)?.is_same_meeting(&meeting.id);
        is_own.then(|| format!("{}/{bare}", meeting.id.group().folder()))
    };
    folder.or_else(of_register)
}

/// A folder or file as a path below the root; `text` is a URL, a path on the server, or already such a path. `None`
/// for another server, and for `..`: the link of a register must not lead out of a mirror's folder.
pub(super) fn path_below_root(text: &str) -> Option<String> {
    let text = text.replace('\\', "/");
    let path = match text.find(SERVER_ROOT) {
        Some(start) => &text[start + SERVER_ROOT.len()..],
        None if text.contains("://") => return None,
        None => text.trim_start_matches('/'),
    };
    let path = path.split('?').next()?.replace("%23", "#").replace("%20", " ");
    let path = path.trim_matches('/');
    (!path.is_empty() && !path.split('/').any(|part| part == "..")).then(|| path.to_owned())
}

/// Whether a link is a path from the root of the server.
pub(super) fn is_server_path(link: &str) -> bool {
    link.replace('\\', "/").contains(SERVER_ROOT)
}

/// The path of the file that a register links.
fn linked_path(url: &str, meeting: &Meeting) -> Option<String> {
    if url.contains("://") {
        return url.contains(SERVER_ROOT).then(|| path_below_root(url)).flatten();
    }
    let inside = path_below_root(url.trim_start_matches("./"))?;
    if is_server_path(url) {
        return Some(inside);
    }
    Some(format!("{}/{inside}", meeting_folder(meeting)?))
}

fn is_on_mirror(mirror: &Mirror, path: &str) -> Result<bool, MirrorError> {
    // On a server the download itself shows whether the file exists, without a further request; a folder is listed.
    match mirror {
        Mirror::None => Ok(false),
        Mirror::Server(_) => Ok(true),
        Mirror::Folder(_) => {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            match mirror.list_folder(folder) {
                Ok(listed) => {
                    Ok(listed.iter().any(|e| !e.is_folder && e.name.eq_ignore_ascii_case(name)))
                }
                Err(MirrorError::NotFound { .. }) => Ok(false),
                Err(error) => Err(error),
            }
        }
    }
}

/// The file of a document in the folders of a meeting.
pub fn locate_in_meeting(
    mirror: &Mirror,
    meeting: &MeetingId,
    folder: Option<String>,
    id: &TdocId,
) -> Result<Option<LocatedTdoc>, MirrorError> {
    let folder = match folder {
        Some(folder) => folder,
        None => {
            let folders = list_meeting_folders(mirror, meeting.group())?;
            match folders.into_iter().find(|(known, _)| known == meeting) {
                Some((_, folder)) => folder,
                None => return Ok(None),
            }
        }
    };
    for inner in DOCUMENT_FOLDERS {
        let Some((path, files)) = list_inner_files(mirror, &folder, inner)? else { continue };
        if let Some(name) = select_tdoc_file(&files, id) {
            return Ok(Some(LocatedTdoc {
                path: format!("{path}/{name}"),
                meeting: meeting.clone(),
            }));
        }
    }
    Ok(None)
}

/// The documents whose files are in the folder of a meeting.
pub fn list_meeting_tdocs(
    mirror: &Mirror,
    meeting: &MeetingId,
) -> Result<Vec<TdocId>, MirrorError> {
    let folders = list_meeting_folders(mirror, meeting.group())?;
    let Some((_, folder)) = folders.into_iter().find(|(known, _)| known == meeting) else {
        return Ok(Vec::new());
    };
    let Some((_, files)) = list_inner_files(mirror, &folder, DOCUMENT_FOLDERS[0])? else {
        return Ok(Vec::new());
    };
    let mut ids: Vec<TdocId> = files
        .iter()
        .filter_map(|file| Some(TdocId::split_revision(tdoc_stem(&file.name)?)?.0))
        .collect();
    ids.sort();
    ids.dedup();
    Ok(ids)
}

/// The file of a document among those of a folder: the one named by its number alone, otherwise one whose name begins
/// with it; of several revisions the last.
fn select_tdoc_file(listed: &[ListingEntry], id: &TdocId) -> Option<String> {
    let number = id.as_str().to_lowercase();
    // Name, revision, and whether the name is the number alone.
    let mut named: Vec<(&str, u32, bool)> = Vec::new();
    for entry in listed {
        let lower = entry.name.to_lowercase();
        let Some((stem, extension)) = lower.rsplit_once('.') else { continue };
        let is_readable = matches!(
            extension,
            "zip" | "docx" | "docm" | "doc" | "pptx" | "ppt" | "xlsx" | "xlsm" | "pdf"
        );
        let Some(rest) = stem.strip_prefix(&number) else { continue };
        if !is_readable {
            continue;
        }
        if rest.is_empty() {
            named.push((&entry.name, 0, true));
        } else if let Some((_, Some(revision))) = TdocId::split_revision(stem) {
            named.push((&entry.name, revision, false));
        } else if !rest.starts_with(|c: char| c.is_alphanumeric()) {
            named.push((&entry.name, 0, false));
        }
    }
    let exact = named.iter().find(|(_, _, exact)| *exact);
    let best = exact.or_else(|| {
        named.iter().max_by_key(|(name, revision, _)| (*revision, std::cmp::Reverse(*name)))
    });
    best.map(|(name, ..)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_document_is_selected_by_its_name() {
        let id: TdocId = "R1-2405790".parse().expect("valid");
        let listed = |names: &[&str]| -> Vec<ListingEntry> {
            let entry = |name: &&str| ListingEntry {
                name: (*name).to_owned(),
                is_folder: false,
                modified: None,
            };
            names.iter().map(entry).collect()
        };
        for (names, expected) in [
            (&["R1-2405791.zip", "R1-2405790.zip", "R1-2405790r1.zip"][..], Some("R1-2405790.zip")),
            (&["r1-2405790.ZIP"], Some("r1-2405790.ZIP")),
            (&["R1-2405790r1.zip", "R1-2405790r2.zip"], Some("R1-2405790r2.zip")),
            (&["R1-2405790_Nokia_On beams.docx"], Some("R1-2405790_Nokia_On beams.docx")),
            (&["R1-24057901.zip", "R1-2405790.txt", "x_R1-2405790.zip"], None),
            (&[], None),
        ] {
            assert_eq!(select_tdoc_file(&listed(names), &id).as_deref(), expected, "{names:?}");
        }
    }

    #[test]
    fn urls_and_server_paths_become_paths_below_the_root() {
        for (text, expected) in [
            (
                "https://www.3gpp.org/ftp/tsg_ran/WG1_RL1/TSGR1_118/Docs/R1-1.zip",
                Some("tsg_ran/WG1_RL1/TSGR1_118/Docs/R1-1.zip"),
            ),
            ("/ftp/tsg_ran/WG1_RL1/TSGR1_%23118/", Some("tsg_ran/WG1_RL1/TSGR1_#118")),
            ("tsg_ran\\WG1_RL1\\TSGR1_118", Some("tsg_ran/WG1_RL1/TSGR1_118")),
            ("https://elsewhere.example/x.zip", None),
            ("../../etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(path_below_root(text).as_deref(), expected, "{text}");
        }
    }
}
