//! Identifies the meeting of a register.

use std::{collections::BTreeMap, path::Path};

use register::{Register, RegisterEntry};

use domain::{Group, MeetingId, TdocId};

/// Why the meeting of a register is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unidentified {
    /// Neither its file name nor its links name a meeting.
    #[error(
        "neither its name nor its links identify the meeting; specify it, for example with --meeting R1-118"
    )]
    NotSaid,
    /// Its file name and its links name different meetings.
    #[error("its name identifies {name}, its links {links}; choose one with --meeting")]
    Contradiction {
        /// By the file name.
        name: MeetingId,
        /// By the links.
        links: MeetingId,
    },
}

/// The meeting of a register, by its file name and by the folder of its links.
///
/// Official files have both; a renamed file has only its links, and a file from before the meeting only its name.
pub(super) fn identify_meeting(
    path: &Path,
    register: &Register,
) -> Result<MeetingId, Unidentified> {
    let name = path.file_stem().and_then(|stem| meeting_in_name(&stem.to_string_lossy()));
    let links = meeting_in_links(&register.entries);
    let groups: Vec<_> = [&name, &links].into_iter().flatten().map(MeetingId::group).collect();
    match (name, links) {
        // The links may lead to a joint folder of another group: the name decides then.
        (Some(name), Some(links)) if name.is_same_meeting(&links) => Ok(links),
        (Some(name), Some(links)) if groups[0] == groups[1] => {
            Err(Unidentified::Contradiction { name, links })
        }
        (Some(name), _) => Ok(name),
        (None, Some(links)) => Ok(links),
        (None, None) => Err(Unidentified::NotSaid),
    }
}

/// The meeting in a file name: `TDoc_List_TSGR1_118`, `TDoc_List_Meeting_RAN5#111`,
/// `2024.08.19 TdocsByAgenda SA2-164`.
pub(super) fn meeting_in_name(name: &str) -> Option<MeetingId> {
    let starts = name.char_indices().filter(|(start, _)| {
        let before = name[..*start].chars().next_back();
        before.is_none_or(|c| !c.is_ascii_alphanumeric())
    });
    starts.map(|(start, _)| &name[start..]).find_map(|rest| {
        // The longest prefix that is a meeting's name: `TSGR1_100_e` is another meeting than `TSGR1_100`.
        let ends = rest.char_indices().map(|(start, c)| start + c.len_utf8()).rev();
        let whole = |end: &usize| rest[*end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        ends.filter(whole).find_map(|end| rest[..end].parse().ok())
    })
}

/// The meeting of the folder that most links lead into; guests lead into the folders of their own meetings.
fn meeting_in_links(entries: &[RegisterEntry]) -> Option<MeetingId> {
    let mut counts: BTreeMap<MeetingId, usize> = BTreeMap::new();
    let urls = entries.iter().filter_map(|entry| entry.url.as_deref());
    for meeting in
        urls.filter_map(meeting_folder_in).filter_map(|folder| MeetingId::from_folder_name(&folder))
    {
        *counts.entry(meeting).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(meeting, _)| meeting)
}

/// The group whose documents a register lists: the one of more than half of its numbers. `None` if there is none.
pub(super) fn group_of_entries(entries: &[RegisterEntry]) -> Option<Group> {
    let mut counts: BTreeMap<Group, usize> = BTreeMap::new();
    let ids = entries.iter().filter_map(|entry| entry.tdoc.parse::<TdocId>().ok());
    for group in ids.filter_map(|id| id.group()) {
        *counts.entry(group).or_default() += 1;
    }
    let (group, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 2 > entries.len()).then_some(group)
}

/// The name of a meeting's folder in a link.
pub(super) fn meeting_folder_in(url: &str) -> Option<String> {
    let parts = url.split(['/', '\\']).map(|part| part.replace("%23", "#").replace("%20", " "));
    // The innermost: some meetings are in folders of several meetings.
    parts.rev().find(|part| MeetingId::from_folder_name(part).is_some())
}

/// First and last of the meeting's own numbers: those with the most frequent prefix and year. The others are listed as
/// guests and would stretch the range over other meetings.
pub(super) fn own_number_range(ids: &[TdocId]) -> Option<(TdocId, TdocId)> {
    let mut counts: BTreeMap<(&str, u16), usize> = BTreeMap::new();
    for id in ids {
        *counts.entry((id.prefix(), id.year())).or_default() += 1;
    }
    let (own, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let own = ids.iter().filter(|id| (id.prefix(), id.year()) == own);
    let first = own.clone().min_by_key(|id| id.number())?;
    let last = own.max_by_key(|id| id.number())?;
    Some((first.clone(), last.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::entry;

    #[test]
    fn names_of_registers_identify_their_meeting() {
        for (name, meeting) in [
            ("TDoc_List_TSGR1_118", Some("R1-118")),
            ("TDoc_List_TSGR1_100_e", Some("R1-100-e")),
            ("TDoc_List_Meeting_RAN5#111", Some("R5-111")),
            ("TDoc_List_Meeting_SA2#127", Some("S2-127")),
            ("2024.08.19 TdocsByAgenda SA2-164", Some("S2-164")),
            ("TDoc_List_Meeting_RAN1#104b-e (1)", Some("R1-104b-e")),
            ("TDoc_List_Meeting_85434_portal", None),
            ("AgendaWithTdocAllocation_2024-11-11_19h21", None),
        ] {
            assert_eq!(meeting_in_name(name).map(|m| m.to_string()).as_deref(), meeting, "{name}");
        }
    }

    #[test]
    fn links_identify_the_meeting_where_the_name_does_not() {
        let linked = |url: &str| {
            let mut entry = entry("R1-2400001", &[]);
            entry.url = Some(url.to_owned());
            entry
        };
        let base = "https://files.example/ftp/tsg_ran/WG1_RL1";
        let mut register = Register {
            entries: vec![
                linked(&format!("{base}/TSGR1_118/Docs/R1-2405780.zip")),
                linked(&format!("{base}/TSGR1_118/Docs/R1-2405781.zip")),
                linked(&format!("{base}/TSGR1_117/Docs/R1-2403820.zip")),
            ],
            ..Register::default()
        };
        let meeting = |name: &str, register: &Register| {
            identify_meeting(Path::new(name), register).map(|meeting| meeting.to_string())
        };
        assert_eq!(meeting("list.xlsx", &register), Ok("R1-118".to_owned()));
        assert_eq!(meeting("TDoc_List_TSGR1_118.xlsx", &register), Ok("R1-118".to_owned()));
        let refused = meeting("TDoc_List_TSGR1_119.xlsx", &register).expect_err("they differ");
        assert!(refused.to_string().contains("R1-119"), "{refused}");
        register.entries.clear();
        assert_eq!(meeting("list.xlsx", &register), Err(Unidentified::NotSaid));
    }

    #[test]
    fn the_group_of_a_register_is_that_of_most_numbers() {
        let of = |ids: &[&str]| {
            let entries: Vec<_> = ids.iter().map(|id| entry(id, &[])).collect();
            group_of_entries(&entries).map(|group| group.to_string())
        };
        assert_eq!(of(&["S3-240001", "S3-240002", "S2-2400001"]).as_deref(), Some("S3"));
        assert_eq!(of(&["S3-240001", "S2-2400001"]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn guests_are_not_in_the_range_of_a_meeting() {
        let ids: Vec<TdocId> =
            ["R1-2405780", "R1-2407579", "R1-2406000", "R1-1900001", "RP-240001"]
                .map(|id| id.parse().expect(id))
                .into();
        let (first, last) = own_number_range(&ids).expect("a range");
        assert_eq!((first.as_str(), last.as_str()), ("R1-2405780", "R1-2407579"));
        assert_eq!(own_number_range(&[]), None);
    }
}
