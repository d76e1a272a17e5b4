//! Files that look like a meeting report, or like that of another meeting, and are not.

use super::{
    tests::{decision, outcome, read_of},
    *,
};
use crate::{Meeting, import::tests::entry};
use store::{MeetingRow, RegisterNote, TdocRow};

const REPORT_TITLE: &str = "Title: Final Report of 3GPP TSG RAN WG1 #299 v1.0.0";
const BODY: &str = "1 Opening of the meeting\nR1-9900001\tBeams\n9 Closing of the meeting";

fn recognise_as(name: &str, text: &str) -> Result<RecognisedNotes, UnrecognisedNotes> {
    let read = read_of(text, vec![decision(), outcome(), outcome(), outcome()]);
    recognise_notes(Path::new(name), &read, &TdocCatalog::empty(), |_| None, None)
}

fn recognise(text: &str) -> Result<RecognisedNotes, UnrecognisedNotes> {
    recognise_as("Final_Report_RAN1-299.docx", text)
}

#[test]
fn the_secretary_alone_signs_a_report() {
    for signed in
        ["Source: MCC Support", "Sources: ETSI MCC", "Source\u{ff1a}TSG RAN WG1 Secretary"]
    {
        let notes = recognise(&format!("{signed}\n{REPORT_TITLE}\n{BODY}")).expect(signed);
        assert_eq!((notes.kind, notes.is_final), (NotesKind::MeetingReport, true), "{signed}");
    }
    for source in [
        "Source: Example Radio, MCC",
        "Source: Vodafone (Rapporteur), MCC",
        "Source: Example Radio (chair of offline)",
        "Source: Chairsoft Inc.",
        "Source: MCC Networks Ltd",
        "Source: Secretariat of Example",
        "Source: ~~MCC Support~~ Example Radio",
        "Source\u{ff1a} Example Radio",
        "Sources: Example Radio",
        "Source(s): Example Radio",
        "Submitted by: Example Radio",
        "| Source: | Example Radio |",
        "Source: MCC Support\nSource: Example Radio",
    ] {
        let refused = recognise(&format!("{source}\n{REPORT_TITLE}\n{BODY}")).expect_err(source);
        assert!(matches!(refused, UnrecognisedNotes::OfOthers { .. }), "{source}: {refused}");
    }
    for source in [
        "Chair (Example Radio)",
        "Huawei (session chair)",
        "RAN1 Chair, MCC",
        "TSG RAN WG1",
        "RAN2",
    ] {
        let refused = recognise(&format!("Source: {source}\n{REPORT_TITLE}\n{BODY}"));
        let refused = refused.expect_err(source);
        assert!(matches!(refused, UnrecognisedNotes::NotBySecretary { .. }), "{source}: {refused}");
    }
    // Struck words do not sign; a source below the first page does.
    let mut read =
        read_of(&format!("Source: MCC Example\n{REPORT_TITLE}\n{BODY}"), vec![decision()]);
    read.blocks[0].unstruck = Some("Source: Example".to_owned());
    let path = Path::new("Final_Report_RAN1-299.docx");
    assert!(recognise_notes(path, &read, &TdocCatalog::empty(), |_| None, None).is_err());
    let blank = "\nBeams".repeat(60);
    let late = format!("{REPORT_TITLE}{blank}\nSource: Example Radio\n{BODY}");
    assert!(matches!(recognise(&late), Err(UnrecognisedNotes::OfOthers { .. })));
}

#[test]
fn officials_of_another_group_do_not_sign() {
    for (name, text) in [
        ("Final_Report_RAN1-299.docx", format!("Source: SA WG2 Secretary\n{REPORT_TITLE}\n{BODY}")),
        ("Chair notes RAN1#299.docx", "3GPP TSG RAN WG1 #299\nSource: RAN2 Chair".to_owned()),
    ] {
        let refused = recognise_as(name, &text).expect_err(name);
        assert!(matches!(refused, UnrecognisedNotes::OfOthers { .. }), "{refused}");
    }
}

#[test]
fn chairs_sign_the_notes_of_sessions() {
    let cover = "3GPP TSG RAN WG1 #299\nSource: Ad-Hoc Chair (NTT DOCOMO, INC.)\nTitle: Session Notes of AI 8.2";
    for name in ["Session notes 8.2.docx", "Final_Report_RAN1-299.docx"] {
        let notes = recognise_as(name, cover).expect(name);
        assert_eq!((notes.kind, notes.is_final), (NotesKind::SessionNotes, false), "{name}");
    }
}

#[test]
fn one_decision_or_the_plan_of_a_meeting_is_no_report() {
    let signed = "Source: MCC Support";
    for (text, missing) in [
        (format!("{signed}\n{REPORT_TITLE}\nAgreement: beams"), ReportGap::Content),
        (format!("{REPORT_TITLE}\n1 Opening of the meeting"), ReportGap::Form),
        (format!("{REPORT_TITLE}\n1 Opening of the meeting\nR1-9900001 Beams"), ReportGap::Form),
        (
            format!("{signed}\nTitle: Draft Agenda and meeting report template\n{BODY}"),
            ReportGap::Cover,
        ),
    ] {
        assert_eq!(recognise(&text), Err(UnrecognisedNotes::NoReport { missing }), "{text}");
    }
    let whole = recognise(&format!("{REPORT_TITLE}\n{BODY}")).expect("the whole form of a report");
    let signed = recognise(&format!("{signed}\n{REPORT_TITLE}\n{BODY}")).expect("signed");
    assert!(
        signed.rank > whole.rank,
        "what nobody signs does not replace what the secretary signs"
    );
    let draft = "Title: Draft Report of 3GPP TSG RAN WG1 #299";
    let draft =
        recognise_as("Draft_Report_RAN1-299.docx", &format!("Source: MCC\n{draft}\n{BODY}"));
    assert!(whole.rank > draft.expect("a draft").rank, "a final report replaces a draft");
}

#[test]
fn labels_of_meetings_are_read_in_every_form() {
    for (headline, meeting) in [
        ("3GPP TSG RAN WG1 Meeting #104-bis-e", "R1-104b-e"),
        ("3GPP TSG RAN WG1 Meeting #104-e-bis", "R1-104b-e"),
        ("3GPP TSG RAN WG1 Meeting #104bis-e", "R1-104b-e"),
        ("3GPP TSG RAN WG1 #104b-e", "R1-104b-e"),
        ("3GPP TSG RAN WG1 #104 bis e-Meeting", "R1-104b-e"),
        ("3GPP TSG RAN WG1 #104\u{2011}e", "R1-104-e"),
        ("TSG-RAN WG1 Meeting#299", "R1-299"),
        ("3GPP TSG RAN WG1 Meeting 299", "R1-299"),
        ("3GPP TSG RAN WG1 AdHoc Meeting #299", "R1-299"),
        ("SA WG2 Meeting #132 DRAFT REPORT", "S2-132"),
        ("3GPP TSG RAN WG1 #118 each day", "R1-118"),
    ] {
        let text = format!("{headline}\nSource: MCC Support\nTitle: Final Report\n{BODY}");
        let text = text.replace("R1-9900001", "Document");
        let notes = recognise_as("Final_Report_RAN1-298.docx", &text).expect(headline);
        assert_eq!(notes.meeting.to_string(), meeting, "{headline}");
    }
    assert_eq!(meeting_in("3GPP TSG RAN WG1 Meeting 15 to 19 May"), None);
}

#[test]
fn headline_and_title_name_one_meeting() {
    let report = |headline: &str, title: &str| {
        let text = format!("{headline}\nSource: MCC Support\nTitle: {title}\n{BODY}");
        recognise(&text).map(|notes| notes.meeting.to_string())
    };
    let title = "Final Report of 3GPP TSG RAN WG1 #299";
    let refused = report("3GPP TSG RAN WG1 #298", title).expect_err("two meetings").to_string();
    assert!(refused.contains("RAN1#298") && refused.contains("RAN1#299"), "{refused}");
    assert_eq!(report("3GPP TSG RAN WG1 #299-e", title).as_deref(), Ok("R1-299"));
    // The report of a meeting is a document of the next one.
    assert_eq!(report("3GPP TSG RAN WG1 #300\tR1-9900001", title).as_deref(), Ok("R1-299"));
    assert!(report("3GPP TSG RAN WG1 #298\tR1-9900001", title).is_err());
}

/// A catalog with the register of RAN1#299: documents 1 to `count` of 1999.
fn catalog(count: u32, is_full: bool) -> TdocCatalog {
    let meeting: MeetingId = "R1-299".parse().expect("a meeting");
    let row = |number: u32| {
        let id = format!("R1-99{number:05}");
        let entry = entry(&id, &[(Column::Title, "Beams"), (Column::Source, "Example Radio")]);
        (id.parse().expect("a number"), TdocRow { meeting: meeting.clone(), entry })
    };
    let rows: Vec<(TdocId, TdocRow)> = (1..=count).map(row).collect();
    let register = RegisterNote {
        file: "TDoc_List_TSGR1_299.xlsx".to_owned(),
        imported_at: "2026-01-01T00:00:00Z".to_owned(),
        rows: count,
        range: None,
        is_full,
        estimated_start: None,
        folder: None,
        agenda: Vec::new(),
    };
    let register = Some(register);
    let row = MeetingRow { id: meeting, calendar: None, register };
    TdocCatalog::of_rows(rows, vec![Meeting::new(row)])
}

#[test]
fn the_documents_of_a_report_are_those_of_its_meeting() {
    let listed = |prefix: &str, from: u32, count: u32| -> String {
        (from..from + count).map(|number| format!("\n{prefix}{number:05} Beams")).collect()
    };
    let (own, other) = ("R1-99", "R2-99");
    let report = |catalog: &TdocCatalog, documents: String| {
        let text =
            format!("{REPORT_TITLE}\nSource: MCC Support\n1 Opening of the meeting{documents}");
        let read = read_of(&text, vec![outcome()]);
        let path = Path::new("Final_Report_RAN1-299.docx");
        let found = recognise_notes(path, &read, catalog, |_| None, None);
        found.map(|_| ()).map_err(|error| error.to_string())
    };
    let full = catalog(100, true);
    let register = "its documents do not belong to R1-299: only 9 of 30 are in its register";
    let group = "its documents do not belong to R1-299: 12 of 20 have numbers of other groups";
    for (catalog, documents, expected) in [
        (&full, listed(own, 1, 30), Ok(())),
        (&full, listed(own, 71, 60), Ok(())),
        (&full, listed(own, 92, 30), Err(register.to_owned())),
        (&full, listed(own, 200, 19), Ok(())),
        (&full, listed(own, 1, 8) + &listed(other, 1, 12), Err(group.to_owned())),
        (&full, listed(own, 1, 3) + &listed(other, 1, 6), Ok(())),
        (&full, listed(own, 1, 12) + &listed(other, 1, 12), Ok(())),
        // A register from before the meeting lists few of its documents.
        (&catalog(25, true), listed(own, 1, 60), Ok(())),
        (&catalog(100, false), listed(own, 200, 60), Ok(())),
        (&TdocCatalog::empty(), listed(own, 200, 60), Ok(())),
    ] {
        assert_eq!(report(catalog, documents.clone()), expected, "{documents}");
    }
}

#[test]
fn documents_name_the_meeting_before_the_file_does() {
    let documents: String = (1..=30).map(|number| format!("\nR1-99{number:05} Beams")).collect();
    let text =
        format!("Source: MCC Support\nTitle: Final Report\n1 Opening of the meeting{documents}");
    let read = read_of(&text, vec![outcome()]);
    let path = Path::new("Final_Report_RAN1-118.docx");
    for (catalog, meeting) in [(catalog(100, true), "R1-299"), (TdocCatalog::empty(), "R1-118")] {
        let notes = recognise_notes(path, &read, &catalog, |_| None, None).expect(meeting);
        assert_eq!(notes.meeting.to_string(), meeting);
    }
}

#[test]
fn notes_that_nobody_signs_say_so() {
    let notices = |name: &str, text: &str| {
        recognise_as(name, text).unwrap_or_else(|error| panic!("{name}: {error}")).notices
    };
    let cover = "3GPP TSG RAN WG1 #299\nAgreement: beams";
    for (name, text, says) in [
        (
            "Chair notes RAN1#299.docx",
            cover.to_owned(),
            "only its file name says that it is chair notes",
        ),
        (
            "RAN1-299 Chair Notes.docx",
            cover.to_owned(),
            "only its file name says that it is chair notes",
        ),
        (
            "RAN1_299_Chair_Notes_eom.docx",
            cover.to_owned(),
            "only its file name says that it is chair notes",
        ),
        (
            "Session notes 8.2.docx",
            cover.to_owned(),
            "only its file name says that it is session notes",
        ),
        (
            "notes.docx",
            format!("Chair notes of RAN1\n{cover}"),
            "only its first page says that it is chair notes",
        ),
        ("Chair notes.docx", format!("Source: ~~RAN1 Chair~~\n{cover}"), "only its file name"),
        (
            "Final_Report_RAN1-299.docx",
            format!("{REPORT_TITLE}\n{BODY}"),
            "says that it is a meeting report",
        ),
    ] {
        let mut read = read_of(&text, vec![decision(), outcome(), outcome(), outcome()]);
        if text.contains("~~") {
            read.blocks[0].unstruck = Some(String::new());
        }
        let notes = recognise_notes(Path::new(name), &read, &TdocCatalog::empty(), |_| None, None);
        let told = notes.expect(name).notices.join("; ");
        assert!(told.contains(says), "{name}: {told}");
    }
    for source in ["RAN1 Chair (Example Radio)", "ETSI MCC", "TSG RAN WG1"] {
        let text = format!("Source: {source}\n{cover}");
        assert_eq!(notices("Chair notes RAN1#299.docx", &text), [""; 0], "{source}");
    }
}

#[test]
fn the_summary_of_a_company_is_no_source() {
    for (name, source) in [
        ("Summary of beams.docx", "Source: Example Radio"),
        ("R1-9900001 Summary of beams.docx", "Source: Example Radio"),
        ("R1-9900001.docx", "Source: Example Radio, Sample Inc."),
        ("R1-9900001 Chair notes.docx", "Source: Example Radio"),
        ("Summary_RAN1-299.docx", "Beams"),
    ] {
        let text = format!(
            "3GPP TSG RAN WG1 #299\n{source}\nTitle: Summary of beams\nAgreement (RAN1#299)"
        );
        assert!(recognise_as(name, &text).is_err(), "{name}");
    }
}

#[test]
fn notes_whose_first_page_is_that_of_another_document_say_so() {
    let text = "3GPP TSG RAN WG1 #299 R1-9900002\nSource: Moderator (Example Radio)\nTitle: Summary of beams";
    let notes = recognise_as("R1-9900001.docx", text).expect("a summary");
    assert!(
        notes.notices.join("").contains("names R1-9900002 of Moderator (Example Radio)"),
        "{notes:?}"
    );
    let own = recognise_as("R1-9900002.docx", text).expect("a summary");
    assert_eq!(own.notices, [""; 0]);
}
