//! Which files are sources of decisions.

use super::*;
use crate::import::tests::entry;
use extract::TextBlock;
use minutes::Minutes;

#[test]
fn only_notes_and_reports_are_sources() {
    for (doc_type, title, source, expected) in [
        (
            "discussion",
            "Session notes of AI 8.2",
            "Ad-Hoc Chair (Example)",
            Some(NotesKind::SessionNotes),
        ),
        ("report", "RAN1 Chair's Notes", "RAN1 Chair", Some(NotesKind::ChairNotes)),
        ("report", "Report of RAN1#99 meeting", "ETSI MCC", Some(NotesKind::MeetingReport)),
        ("discussion", "FL summary #2 on beams", "Moderator (Example)", Some(NotesKind::Summary)),
        ("discussion", "Session notes of our simulations", "Example Radio", None),
        ("discussion", "Agreements on beams", "Example Radio", None),
        ("report", "Report of RAN1#99 meeting", "Example Radio", None),
        ("CR", "Chair notes of RAN1", "RAN1 Chair", None),
        ("discussion", "Summary of our results", "Example Radio", None),
    ] {
        let entry = entry(
            "R1-9900001",
            &[(Column::Type, doc_type), (Column::Title, title), (Column::Source, source)],
        );
        assert_eq!(notes_kind_of_entry(&entry), expected, "{doc_type}: {title}, {source}");
    }
}

#[test]
fn files_are_recognised_by_name_and_first_page() {
    let page = |first: &str| {
        let form = "1 Opening of the meeting\nR1-9900001\tBeams\n2 Closing of the meeting";
        read_of(&format!("{first}\n{form}"), vec![outcome(); 3])
    };
    let recognise = |name: &str, first: &str| {
        let catalog = TdocCatalog::empty();
        recognise_notes(Path::new(name), &page(first), &catalog, |_| None, None)
            .map(|n| (n.meeting.to_string(), n.kind.as_str(), n.version, n.is_final, n.key))
    };
    let version = |v: &str| Some(v.to_owned());
    for (name, first, meeting, kind, v, is_final, key) in [
        (
            "Final_Report_RAN1-118.docx",
            "Final Report of 3GPP TSG RAN WG1 #118 v1.0.0",
            "R1-118",
            "meeting_report",
            None,
            true,
            "meeting_report",
        ),
        (
            "S2_132_Draft_Rep_v002.doc",
            "SA WG2 Meeting #132 DRAFT REPORT",
            "S2-132",
            "meeting_report",
            version("v002"),
            false,
            "meeting_report",
        ),
        (
            "Chair notes RAN1#124bis_eom4.docx",
            "",
            "R1-124b",
            "chair_notes",
            version("eom4"),
            false,
            "chair_notes chair notes ran1 124bis",
        ),
        (
            "Chair notes RAN1#124bis_v07.docm",
            "",
            "R1-124b",
            "chair_notes",
            version("v07"),
            false,
            "chair_notes chair notes ran1 124bis",
        ),
        (
            "notes.docx",
            "Session Notes of AI 8.2\n3GPP TSG RAN WG1 #125",
            "R1-125",
            "session_notes",
            None,
            false,
            "session_notes notes",
        ),
        (
            "Final_Minutes_report_RAN1#123_v100.docx",
            "Final Report of 3GPP TSG RAN WG1 #123",
            "R1-123",
            "meeting_report",
            version("v100"),
            true,
            "meeting_report",
        ),
    ] {
        let expected = (meeting.to_owned(), kind, v, is_final, key.to_owned());
        assert_eq!(recognise(name, first), Ok(expected), "{name}");
    }
    let refused = recognise("views.docx", "Views on beams").expect_err("no notes");
    assert!(refused.to_string().contains("Views on beams"), "{refused}");
    assert_eq!(recognise("Chair notes.docx", "Beams"), Err(UnrecognisedNotes::NoMeeting));
    let own = Contribution {
        blocks: ["Source: Example Radio", "Title: Agreement on beams"]
            .map(|text| TextBlock { text: text.to_owned(), ..TextBlock::default() })
            .into(),
        ..Contribution::default()
    };
    let catalog = TdocCatalog::empty();
    let path = Path::new("R1-9900001.docx");
    assert!(recognise_notes(path, &own, &catalog, |_| None, None).is_err());
    // Whatever the name of a file, its source decides.
    let from = |source: &str| {
        let first = format!("3GPP TSG RAN WG1 #99\nSource: {source}\nTitle: Notes");
        recognise("Chair notes RAN1#99.docx", &first)
    };
    let refused = from("Example Radio, Sample Inc.").expect_err("a company's");
    assert!(refused.to_string().contains("Example Radio"), "{refused}");
    for source in ["RAN1 Chair (Example Radio)", "ETSI MCC", "TSG RAN WG1", "Vice-Chairwoman"] {
        assert_eq!(from(source).map(|(_, kind, ..)| kind), Ok("chair_notes"), "{source}");
    }
}

/// An agreement, as a report records it.
pub(super) fn decision() -> minutes::ExtractedDecision {
    let decision = domain::RecordedDecision {
        kind: domain::DecisionType::Agreement,
        outcome: None,
        marker: "Agreement".to_owned(),
        quote: "Support beams".to_owned(),
        is_cut: false,
        anchor: "x.docx#p1".to_owned(),
        last_anchor: "x.docx#p1".to_owned(),
        page: None,
        agenda_item: None,
        heading: None,
        recorded_under: None,
        references: Vec::new(),
        session: None,
        part_of: None,
    };
    minutes::ExtractedDecision {
        decision,
        end_uncertain: false,
        is_coloured: true,
        shows_own_meeting: false,
        basis: minutes::RuleBasis::RealFile,
    }
}

/// The outcome of a document.
pub(super) fn outcome() -> minutes::ExtractedDecision {
    let mut noted = decision();
    noted.decision.kind = domain::DecisionType::Noted;
    noted.decision.outcome = Some(domain::DocumentOutcome::Noted);
    noted
}

/// A file with the lines of a text, each a block.
pub(super) fn read_of(text: &str, decisions: Vec<minutes::ExtractedDecision>) -> Contribution {
    let block = |line: &str| TextBlock { text: line.to_owned(), ..TextBlock::default() };
    Contribution {
        blocks: text.split('\n').map(block).collect(),
        minutes: Minutes { decisions, ..Minutes::default() },
        ..Contribution::default()
    }
}

#[test]
fn versions_are_ordered() {
    let rank = |stem: &str| parse_file_version(stem).1;
    assert_eq!(parse_file_version("R1-2605028_Session Notes"), (None, 0));
    assert!(rank("notes_v07") < rank("notes_v12"));
    assert!(rank("notes_v12") < rank("notes_eom"));
    assert!(rank("report_v0.1.0") < rank("report_v0.2.0"));
    assert!(rank("report_v002") < rank("report_v010") && rank("report_v010") < rank("report_v100"));
    assert_eq!(rank("report_v0.1.0"), rank("report_v010"));
    assert!(rank("report_v999.99.99") < rank("report_eom"));
    assert!(rank("notes_eom") < rank("notes eom2"));
}

#[test]
fn a_signed_report_may_have_a_short_cover_and_no_decisions() {
    let report = |source: &str, lines: &str| {
        let cover =
            "3GPP TSG RAN WG4 #99\tR4-9900001\nTitle: Report of 3GPP TSG RAN WG4 meeting #98";
        let read = read_of(&format!("{cover}\nSource: {source}\n{lines}"), Vec::new());
        let path = Path::new("RAN4-98 Final Report.docx");
        recognise_notes(path, &read, &TdocCatalog::empty(), |_| None, None)
            .map(|notes| (notes.meeting.to_string(), notes.kind))
    };
    let expected = Ok(("R4-98".to_owned(), NotesKind::MeetingReport));
    for lines in [
        "1 Opening of the meeting\nBeams were discussed.",
        // Each document names its own source.
        "R4-9900002  Beams\nSource: Example Radio\nDecision: The document was shared.",
        "TD R4-9900002 Beams. (Source: Example)\nSource: Example Radio",
    ] {
        assert_eq!(report("ETSI MCC", lines), expected, "{lines}");
    }
    for (source, lines) in [
        ("ETSI MCC", "Source: Example Radio\nR4-9900002  Beams"),
        ("Example Radio", "R4-9900002  Beams\nSource: ETSI MCC"),
        ("", "R4-9900002  Beams\nSource: Example Radio"),
        ("ETSI MCC", "Beams are wide."),
    ] {
        assert!(report(source, lines).is_err(), "{source}: {lines}");
    }
}

#[test]
fn a_numbered_report_that_no_register_lists_is_known_by_its_title_and_secretary() {
    let report = |source: &str, title: &str| {
        let text = format!(
            "3GPP TSG CT WG1 Meeting #148\tC1-990001\nSource: {source}\nTitle: {title}\n1 Opening of the meeting"
        );
        let path = Path::new("C1-990001.docx");
        recognise_notes(path, &read_of(&text, Vec::new()), &TdocCatalog::empty(), |_| None, None)
            .map(|notes| (notes.meeting.to_string(), notes.kind))
    };
    for title in
        ["draft C1-147 meeting report", "Report from CT1#147", "Report of TSG CT WG1 meeting 147"]
    {
        let expected = Ok(("C1-147".to_owned(), NotesKind::MeetingReport));
        assert_eq!(report("MCC", title), expected, "{title}");
    }
    for (source, title) in [
        ("Example Radio", "draft C1-147 meeting report"),
        ("CT1 Chair", "draft C1-147 meeting report"),
        ("MCC", "Report template of CT1#147"),
        ("MCC", "Views on C1-147"),
    ] {
        assert!(report(source, title).is_err(), "{source}: {title}");
    }
}
