//! Identifies the meeting of a register.

use std::{collections::BTreeMap, path::Path};

use register::{Register, RegisterEntry};

use domain::{Group, MeetingId, TdocId};

/// Why the meeting of a register is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unidentified {
    /// Neither its file name nor its content names a meeting.
    #[error(
        "neither its name, nor its heading, nor its links identify the meeting; specify it, for example with --meeting R1-118"
    )]
    NotSaid,
    /// Its file name and its content name different meetings.
    #[error("its name identifies {name}, its content {content}; choose one with --meeting")]
    Contradiction {
        /// By the file name.
        name: MeetingId,
        /// By the heading or the links.
        content: MeetingId,
    },
}

/// Words at which the meeting ends in the heading of a page, at most: `SA WG2 Meeting #136 AdHoc`.
const MAX_HEADING_WORDS: usize = 8;
/// Maximum number of digits of a meeting in a heading: four are a year.
const MAX_HEADING_DIGITS: usize = 3;

/// The meeting of a register, by its file name, by the heading of a page and by the folder of its links.
///
/// Official files have a name and links; a renamed file has only its heading or its links, and a file from before the
/// meeting only its name. A heading says what the page lists, and links may lead elsewhere.
pub(super) fn identify_meeting(
    path: &Path,
    register: &Register,
) -> Result<MeetingId, Unidentified> {
    let name = path.file_stem().and_then(|stem| meeting_in_name(&stem.to_string_lossy()));
    let heading = meeting_in_heading(&register.meeting, &register.entries);
    let content = heading.or_else(|| meeting_in_links(&register.entries));
    match (name, content) {
        // The links may lead to a joint folder of another group: the name decides then.
        (Some(name), Some(content)) if name.is_same_meeting(&content) => Ok(content),
        (Some(name), Some(content)) if name.group() == content.group() => {
            Err(Unidentified::Contradiction { name, content })
        }
        (Some(name), _) => Ok(name),
        (None, Some(content)) => Ok(content),
        (None, None) => Err(Unidentified::NotSaid),
    }
}

/// The meeting after "List for Meeting:": `S2-129BIS All Sessions`, `SA WG2 Meeting #136 AdHoc`, or `#129` of the group
/// that most documents belong to.
fn meeting_in_heading(heading: &str, entries: &[RegisterEntry]) -> Option<MeetingId> {
    let is_filler = |word: &&str| {
        !["meeting", "3gpp", "tsg"].iter().any(|filler| word.eq_ignore_ascii_case(filler))
    };
    let words: Vec<&str> =
        heading.split_whitespace().take(MAX_HEADING_WORDS).filter(is_filler).collect();
    // The longest text that is a meeting's name: "S2-136 AdHoc" is another meeting than "S2-136".
    (1..=words.len()).rev().find_map(|count| {
        let text = words[..count].join(" ");
        let digits = text.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
        if digits.is_some_and(|digits| digits > MAX_HEADING_DIGITS) {
            return None;
        }
        if text.starts_with(|c: char| c == '#' || c.is_ascii_digit()) {
            return MeetingId::new(group_of_entries(entries)?, text.trim_start_matches(['#', ' ']));
        }
        text.parse().ok()
    })
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
    fn headings_of_pages_identify_their_meeting_in_all_spellings() {
        let entries = [entry("S2-9900001", &[]), entry("S2-9900002", &[])];
        for (heading, meeting) in [
            ("S2-129BIS All Sessions Temporary Documents List", Some("S2-129b")),
            ("S2-134 All Sessions", Some("S2-134")),
            ("S2#136AH All Sessions", Some("S2-136-AH")),
            ("S2-136 AdHoc All Sessions", Some("S2-136-AH")),
            ("SA2#129bis", Some("S2-129b")),
            ("SA WG2 Meeting #136 AdHoc", Some("S2-136-AH")),
            ("3GPP TSG SA WG2 Meeting #139E (e-meeting)", Some("S2-139-e")),
            ("S2-146E e-meeting All Sessions", Some("S2-146-e")),
            ("SP-84 All Sessions", Some("SP-84")),
            ("#136 AdHoc All Sessions", Some("S2-136-AH")),
            ("129-BIS All Sessions", Some("S2-129b")),
            ("All Sessions Temporary Documents List", None),
            ("All Sessions 1 and 2", None),
            ("2024-08-19 All Sessions", None),
            ("S2-1907165 All Sessions", None),
            ("", None),
        ] {
            let read = meeting_in_heading(heading, &entries).map(|meeting| meeting.to_string());
            assert_eq!(read.as_deref(), meeting, "{heading}");
        }
    }

    #[test]
    fn the_heading_of_a_page_decides_before_its_links() {
        let mut register = Register { meeting: "S2-134".to_owned(), ..Register::default() };
        let mut listed = entry("S2-9900001", &[]);
        listed.url = Some("https://files.example/tsg_sa/WG2_Arch/TSGS2_133/Docs/x.zip".to_owned());
        register.entries.push(listed);
        let meeting = |name: &str| {
            identify_meeting(Path::new(name), &register).map(|meeting| meeting.to_string()).ok()
        };
        assert_eq!(meeting("134.htm").as_deref(), Some("S2-134"));
        assert_eq!(meeting("TdocsByAgenda SA2-134.htm").as_deref(), Some("S2-134"));
        assert_eq!(meeting("TdocsByAgenda SA2-135.htm"), None, "it must not be guessed");
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
