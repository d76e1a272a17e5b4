//! The signer, by the "Source" lines.

use super::*;

#[test]
fn a_role_is_a_whole_phrase_and_every_party_has_one() {
    use Signer::{Chair, Company, Moderator, Rapporteur, Secretary};
    for (source, expected) in [
        ("MCC Support", Secretary),
        ("MCC", Secretary),
        ("ETSI", Secretary),
        ("ETSI MCC", Secretary),
        ("MCC ETSI", Secretary),
        ("ETSI Secretariat", Secretary),
        ("3GPP Support Team", Secretary),
        ("3GPP MCC", Secretary),
        ("TSG RAN WG1 Secretary", Secretary),
        ("Secretary of SA WG2", Secretary),
        ("SA WG2 Secretary (MCC)", Secretary),
        ("Secretary (ETSI MCC)", Secretary),
        ("MCC Support (Anna Sample)", Secretary),
        ("Ms. Anna Sample (ETSI MCC)", Secretary),
        ("Secretary (Anna Sample, MCC)", Secretary),
        ("[MCC Support]", Secretary),
        ("~~Example Radio~~ MCC", Secretary),
        ("RAN1 Chair (Example Radio)", Chair),
        ("RAN1 Chair, ETSI MCC", Chair),
        ("Ad-Hoc Chair (NTT DOCOMO, INC.)", Chair),
        ("Ad-hoc chair (Nokia, LGE)", Chair),
        ("UMTS Session Chairpersons (Huawei, Ericsson)", Chair),
        ("RAN1 ad-hoc2 session chair", Chair),
        ("SA WG2 Chairman", Chair),
        ("WG Chairman", Chair),
        ("Vice-Chairwoman", Chair),
        ("Convenor (Apple)", Chair),
        ("Huawei (session chair)", Chair),
        ("TSG RAN WG1", Signer::Group),
        ("3GPP TSG RAN WG1", Signer::Group),
        ("Moderator (Example Radio)", Moderator),
        ("Feature lead (Example Radio)", Moderator),
        ("Rapporteur (Example Radio)", Rapporteur),
        ("Example Radio, Sample Inc.", Company),
        ("Example Radio, MCC", Company),
        ("MCC, Example Radio", Company),
        ("Example Radio and MCC", Company),
        ("MCC / Example Radio", Company),
        ("Example Radio on behalf of RAN1 chair", Company),
        ("Example Radio (chair of offline)", Company),
        ("Former RAN1 chair (Example Radio)", Company),
        ("Work item chair", Company),
        ("Chairsoft Inc.", Company),
        ("Chair Corp", Company),
        ("MCC Networks Ltd", Company),
        ("MCC (Example Radio)", Company),
        ("MCC Support (Nokia)", Company),
        ("Deutsche Telekom (MCC)", Company),
        ("Nokia (MCC)", Company),
        ("Secretariat of Example", Company),
        ("Support Team", Company),
        ("ETSI TC Example", Company),
        ("~~MCC Support~~ Example Radio", Company),
        ("RAN9 Secretary", Company),
    ] {
        let signature = Signature::from_source(source).expect(source);
        assert_eq!(signature.signer, expected, "{source}");
    }
    for nobody in ["", " - ", "~~MCC Support~~"] {
        assert_eq!(Signature::from_source(nobody), None, "{nobody}");
    }
}

#[test]
fn all_lines_agree_on_who_signs() {
    use Signer::{Chair, Company, Secretary};
    for (lines, expected) in [
        (&["MCC Support", "ETSI MCC"][..], Some(Secretary)),
        (&["MCC Support", "Example Radio"], Some(Company)),
        (&["MCC Support", "RAN1 Chair"], Some(Chair)),
        (&["", "MCC"], Some(Secretary)),
        (&[], None),
    ] {
        let signature = Signature::from_lines(lines.iter().copied());
        assert_eq!(signature.map(|signature| signature.signer), expected, "{lines:?}");
    }
}

#[test]
fn officials_of_another_group_sign_for_that_group() {
    let group = |name: &str| name.parse::<Group>().expect(name);
    for (source, is_other) in [
        ("RAN1 Chair", false),
        ("TSG RAN WG1 secretary", false),
        ("MCC Support", false),
        ("RAN1 chairman, RAN chairman", false),
        ("RAN2 Chair", true),
        ("TSG-RAN WG2", true),
        ("SA WG1 Secretary", true),
    ] {
        let signature = Signature::from_source(source).expect(source);
        assert_eq!(signature.is_of_other_group(group("RAN1")), is_other, "{source}");
    }
}

#[test]
fn a_report_of_a_meeting_has_the_signature_of_the_secretary() {
    use NotesKind::{ChairNotes, MeetingReport, SessionNotes, SessionReport, Summary};
    let kinds = [MeetingReport, SessionReport, SessionNotes, ChairNotes, Summary];
    for (signer, expected) in [
        (Signer::Secretary, [true, true, true, true, true]),
        (Signer::Chair, [false, true, true, true, true]),
        (Signer::Group, [false, true, true, true, true]),
        (Signer::Moderator, [false, false, false, false, true]),
        (Signer::Company, [false, false, false, false, false]),
    ] {
        assert_eq!(kinds.map(|kind| signer.may_sign(kind)), expected, "{signer:?}");
    }
}
