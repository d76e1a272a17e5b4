//! The pages of names: a name, the names of a document, its contradictions, its modules, and names in the text.

use libtest_mimic::Trial;

use crate::{
    own::data,
    person::{Person, link},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_name_has_a_page_with_its_members_its_uses_and_its_history,
        names_in_texts_and_listings_lead_to_their_definitions,
        names_modules_and_contradictions_of_a_version_are_listed,
    ]
}

/// A person who is signed in, and the pages that they open.
fn with_person(test: impl FnOnce(&dyn Fn(&str) -> (u16, String))) -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let ann = Person::of(&server, &link(data, "ann"));
    test(&|target| {
        let answer = ann.get(target);
        (answer.status, String::from_utf8(answer.bytes).expect("text"))
    });
    Ok(())
}

fn a_name_has_a_page_with_its_members_its_uses_and_its_history() -> TestResult {
    with_person(|page| {
        let (status, text) = page("/define?name=LRCSetup&document=38.990");
        assert_eq!(status, 200);
        for part in [
            "Mandatory only",
            ">wakeUpConfig</a>",
            ">windowLength</a>",
            "ms640, ms1280",
            "within=WakeUpConfig",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let (_, text) = page("/define?name=WakeUpConfig&document=38.990");
        assert!(text.contains("Messages that carry it (1)") && text.contains("<ins>"), "{text}");
        let (status, text) = page("/define?name=WakeUpConfg");
        assert!(status == 200 && text.contains("Did you mean") && text.contains(">WakeUpConfig<"));
        let (_, text) = page("/define?name=%3Cscript%3Ex");
        assert!(text.contains("No indexed document defines") && !text.contains("<script>x"));
        assert_eq!(page("/define").0, 200);
        assert_eq!(page("/define?name=T390&document=thirty").0, 400);
        let (status, card) =
            page("/define/card?name=shadowAllowed&within=LRCSetup&document=38.990");
        assert!(
            status == 200 && card.contains("optional") && card.contains("beacon units"),
            "{card}"
        );
        assert!(!card.contains("<html"), "{card}");
        assert_eq!(page("/define/card?name=nothingOfThisName"), (200, String::new()));
    })
}

fn names_in_texts_and_listings_lead_to_their_definitions() -> TestResult {
    with_person(|page| {
        let (status, text) = page("/read/38.990/19.0.0?section=7.1.1");
        assert_eq!(status, 200);
        let timer = "<a class=\"name\" href=\"/define?name=T390&amp;document=38.990&amp;version=19.0.0\">T390</a>";
        assert!(text.contains(timer), "{text}");
        let (_, text) = page("/read/38.990/19.0.0?section=6.2.2");
        let field = "<a class=\"c-name\" href=\"/define?name=shadowAllowed&amp;within=LRCSetup&amp;document=38.990";
        assert!(text.contains(field), "{text}");
        assert!(text.contains("/read/38.990/19.0.0/names"));
    })
}

fn names_modules_and_contradictions_of_a_version_are_listed() -> TestResult {
    with_person(|page| {
        let (status, text) = page("/read/38.990/19.0.0/names?kind=timer");
        assert!(status == 200 && text.contains(">T390</a>") && !text.contains(">LRCSetup</a>"));
        assert!(text.contains("option value=\"timer\" selected"), "{text}");
        let (_, text) = page("/read/38.990/19.0.0/names?prefix=window");
        assert!(text.contains("1 to 2 of 2"), "{text}");
        let (status, text) = page("/read/29.990/18.0.0/findings");
        assert!(status == 200 && text.contains("BeaconProfile"), "{text}");
        assert!(text.contains("missing here"), "{text}");
        let (_, text) = page("/read/29.990/18.0.0/names");
        let start = text.find("/read/29.990/18.0.0/module?name=").expect("a module");
        let path = text[start..].split('"').next().expect("a path");
        let (status, module) = page(path);
        assert!(status == 200 && module.starts_with("openapi: "), "{module}");
        assert_eq!(page("/read/29.990/18.0.0/module?name=none").0, 400);
        assert_eq!(page("/read/99.999/19.0.0/names").0, 400);
    })
}
