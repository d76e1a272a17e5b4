//! Decisions that several sources have.

use super::*;

fn notes(key: &str, kind: NotesKind, is_final: bool) -> NotesRow {
    NotesRow {
        meeting: "R1-99".parse().expect("valid"),
        key: key.to_owned(),
        kind,
        title: key.to_owned(),
        file: format!("{key}.docx"),
        tdoc: None,
        version: None,
        rank: 0,
        is_final,
        hash: [0; 32],
        read_at: "2026-01-01T00:00:00Z".to_owned(),
        faults: Vec::new(),
        decisions: 0,
    }
}

fn row(kind: DecisionType, quote: &str, under: &str, part_of: Option<u32>) -> RecordedDecision {
    RecordedDecision {
        kind,
        outcome: None,
        marker: "Agreement".to_owned(),
        quote: quote.to_owned(),
        is_cut: false,
        anchor: format!("n.docx#p{}{under}", quote.len()),
        last_anchor: "n.docx#p9".to_owned(),
        page: None,
        agenda_item: Some("8.1".to_owned()),
        heading: None,
        recorded_under: under.parse().ok(),
        references: Vec::new(),
        session: None,
        part_of,
    }
}

fn without_doubts(rows: Vec<RecordedDecision>) -> (Vec<RecordedDecision>, NotesDoubts) {
    (rows, NotesDoubts::default())
}

use DecisionType::{Agreement, Noted, OpenItem};
use domain::{DecisionType, RecordedDecision};

#[test]
fn each_occurrence_of_a_decision_has_its_own_range_and_page() {
    let text = "Support wide beams for all of the users in a cell";
    let at = |first: u32, last: u32, page: Option<u32>| RecordedDecision {
        anchor: format!("n.docx#p{first}"),
        last_anchor: format!("n.docx#p{last}"),
        page,
        ..row(Agreement, text, "", None)
    };
    let sources = vec![
        notes("report", NotesKind::MeetingReport, true),
        notes("chair", NotesKind::ChairNotes, false),
    ];
    let rows = [vec![at(4, 6, Some(2))], vec![at(30, 33, None)]].map(without_doubts);
    let all = MeetingDecisions::merge_sources(sources, rows.into());
    let found: Vec<_> = all.decisions[0]
        .occurrences
        .iter()
        .map(|o| (o.source, &*o.anchor, &*o.last_anchor, o.page))
        .collect();
    assert_eq!(
        found,
        [(0, "n.docx#p4", "n.docx#p6", Some(2)), (1, "n.docx#p30", "n.docx#p33", None)]
    );
}

#[test]
fn a_decision_in_two_sources_is_one_with_two_occurrences() {
    let report = vec![
        row(Agreement, "Support wide beams for all of the users in a cell; FFS: rays", "", None),
        row(OpenItem, "FFS: rays", "", Some(0)),
        row(Noted, "The document is noted.", "R1-9900001", None),
        row(Noted, "The document is noted.", "R1-9900002", None),
    ];
    let chair = vec![
        row(Agreement, "Support  wide beams for all of the users in a cell. FFS: rays", "", None),
        row(OpenItem, "FFS: rays", "", Some(0)),
        row(Noted, "The document is noted.", "R1-9900001", None),
        row(Agreement, "Support narrow waves", "", None),
        row(OpenItem, "FFS: waves", "", Some(3)),
    ];
    let sources = vec![
        notes("report", NotesKind::MeetingReport, true),
        notes("chair", NotesKind::ChairNotes, false),
    ];
    let all = MeetingDecisions::merge_sources(sources, [report, chair].map(without_doubts).into());
    let merged: Vec<_> = all
        .decisions
        .iter()
        .map(|d| (d.row.kind, d.occurrences.len(), d.presence, d.part_of))
        .collect();
    assert_eq!(
        merged,
        [
            (Agreement, 2, ReportPresence::Final, None),
            (OpenItem, 2, ReportPresence::Final, Some(0)),
            (Noted, 2, ReportPresence::Final, None),
            (Noted, 1, ReportPresence::Final, None),
            (Agreement, 1, ReportPresence::NotInReport, None),
            (OpenItem, 1, ReportPresence::NotInReport, Some(4)),
        ]
    );
    assert!(all.has_final_report());
    let ids: std::collections::HashSet<&str> =
        all.decisions.iter().map(|d| d.id.as_str()).collect();
    assert_eq!(ids.len(), 6);
}

#[test]
fn texts_that_differ_in_numbers_or_negation_are_not_merged() {
    let long = "Support wide beams for all of the users in a cell of the network that have asked";
    for (one, other) in [
        ("K \u{2264} 4".to_owned(), "K \u{2265} 4".to_owned()),
        ("1.5 dB".to_owned(), "15 dB".to_owned()),
        (format!("{long} in FR1"), format!("{long} in FR2")),
        (format!("{long} for it"), format!("{long} not for it")),
    ] {
        let sources = vec![
            notes("report", NotesKind::MeetingReport, true),
            notes("chair", NotesKind::ChairNotes, false),
        ];
        let rows = [&one, &other].map(|text| vec![row(Agreement, text, "", None)]);
        let all = MeetingDecisions::merge_sources(sources, rows.map(without_doubts).into());
        assert_eq!(all.decisions.len(), 2, "{one} and {other}");
    }
}

#[test]
fn without_a_final_report_all_is_provisional() {
    let sources = vec![notes("chair", NotesKind::ChairNotes, false)];
    let all = MeetingDecisions::merge_sources(
        sources,
        vec![without_doubts(vec![row(Agreement, "Support beams", "", None)])],
    );
    assert_eq!(all.decisions[0].presence, ReportPresence::Provisional);
    assert!(!all.has_final_report());
}

const LONG: &str =
    "Support wide beams for all of the users in a cell of the network that have asked for it";

fn summary_row(quote: &str) -> RecordedDecision {
    let row = row(Agreement, quote, "", None);
    RecordedDecision { agenda_item: Some("8.1.2".to_owned()), ..row }
}

fn quoted(quote: &str) -> NotesDoubts {
    let reason = DecisionDoubt::QuotedInSummary;
    let doubtful = vec![DoubtfulRow { reason, decision: summary_row(quote) }];
    NotesDoubts { doubtful, ..NotesDoubts::default() }
}

#[test]
fn a_summary_adds_places_to_what_the_notes_have() {
    let more = format!("{LONG}. FFS: narrow rays");
    let sources = vec![
        notes("chair", NotesKind::ChairNotes, false),
        notes("summary 1", NotesKind::Summary, false),
        notes("summary 2", NotesKind::Summary, false),
    ];
    let rows = vec![
        without_doubts(vec![row(Agreement, LONG, "", None)]),
        (vec![summary_row(&more)], NotesDoubts::default()),
        (Vec::new(), quoted(LONG)),
    ];
    let all = MeetingDecisions::merge_sources(sources, rows);
    let merged: Vec<_> = all.decisions.iter().map(|d| d.occurrences.len()).collect();
    assert_eq!((merged, all.doubtful.len()), (vec![3], 0));
}

#[test]
fn what_only_a_summary_quotes_is_doubtful_and_listed_once() {
    let sources = ["summary 1", "summary 2"].map(|key| notes(key, NotesKind::Summary, false));
    let rows = [quoted(LONG), quoted(LONG)].map(|doubts| (Vec::new(), doubts));
    let all = MeetingDecisions::merge_sources(sources.into(), rows.into());
    let reasons: Vec<_> = all.doubtful.iter().map(|(_, doubtful)| doubtful.reason).collect();
    assert_eq!((all.decisions.len(), reasons), (0, vec![DecisionDoubt::QuotedInSummary]));
}

#[test]
fn a_summary_alone_gives_provisional_decisions_until_the_final_report_is_there() {
    let summary = || (vec![summary_row(LONG)], NotesDoubts::default());
    let alone = vec![notes("summary", NotesKind::Summary, false)];
    let all = MeetingDecisions::merge_sources(alone, vec![summary()]);
    assert_eq!(all.decisions[0].presence, ReportPresence::Provisional);
    let beside_report = vec![
        notes("report", NotesKind::MeetingReport, true),
        notes("summary", NotesKind::Summary, false),
    ];
    let report = without_doubts(vec![row(Agreement, "Support narrow waves", "", None)]);
    let all = MeetingDecisions::merge_sources(beside_report, vec![report, summary()]);
    let reasons: Vec<_> = all.doubtful.iter().map(|(_, doubtful)| doubtful.reason).collect();
    assert_eq!((all.decisions.len(), reasons), (1, vec![DecisionDoubt::NotInFinalReport]));
}

#[test]
fn a_long_text_is_one_decision_under_two_agenda_items() {
    let sources = vec![
        notes("chair", NotesKind::ChairNotes, false),
        notes("session", NotesKind::SessionNotes, false),
    ];
    let rows = [row(Agreement, LONG, "", None), summary_row(LONG)];
    let all =
        MeetingDecisions::merge_sources(sources, rows.map(|row| without_doubts(vec![row])).into());
    assert_eq!(all.decisions.len(), 1);
}
