//! Pages of texts without a browser: what is cited can be opened where it stands, with the quote marked.

use libtest_mimic::Trial;
use serde_json::Value;
use tempfile::TempDir;
use url::form_urlencoded::{byte_serialize, parse};

use crate::{
    client::Answer,
    own,
    person::Person,
    program::{json, sample, specbox},
    server::RunningServer,
    trials::{Missing, TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_anchor_of_a_decision_opens_the_text_with_its_paragraphs_marked,
        every_link_to_a_quote_opens_a_text_with_something_marked,
        an_anchor_that_does_not_exist_gives_a_page_that_says_so,
        hostile_anchors_are_escaped,
        a_choice_of_an_organization_keeps_the_other_filters,
    ]
}

/// Anchors that nobody but an attacker writes.
const HOSTILE_ANCHORS: [&str; 5] = [
    "\"><script>alert(1)</script>",
    "\" autofocus onfocus=\"alert(1)",
    "</title><svg/onload=alert(1)>#p1",
    "\u{0}\u{202e}#p1",
    "javascript:alert(1)",
];

/// A server that knows the sample's meeting, its documents and its report, and a person with a browser.
struct EvidenceSite {
    person: Person,
    data: TempDir,
    _server: RunningServer,
}

impl EvidenceSite {
    fn open() -> Result<Self, Missing> {
        let data = own::data()?;
        own::sync_tdocs(data.path());
        let folder = sample().with_file_name("mirror").join("tsg_ran/WG1_RL1/TSGR1_190/Report");
        let report = folder.join("Final_Minutes_report_RAN1#190_v100.zip");
        json(specbox(data.path()).args(["meetings", "import"]).arg(report));
        let server = RunningServer::start(data.path(), "off-behind-proxy");
        let person = Person::new(&server, data.path(), "ann");
        let plan = specbox(data.path()).args(["user", "plan", "ann", "operator"]).output();
        assert!(plan.expect("runs").status.success());
        Ok(Self { person, data, _server: server })
    }

    /// The page at an address, followed where it is redirected.
    fn get(&self, address: &str) -> Answer {
        let target = address.split('#').next().unwrap_or_default();
        let answer = self.person.get(target);
        match answer.header("location") {
            Some(location) if answer.status == 303 => self.get(location),
            _ => answer,
        }
    }

    /// The text of a page that is there.
    fn page(&self, address: &str) -> String {
        let answer = self.get(address);
        assert_eq!(answer.status, 200, "{address}");
        page_text(&answer)
    }

    fn decisions(&self) -> Vec<Value> {
        let mut command = specbox(self.data.path());
        command.args(["call", "list_meeting_decisions", "--meeting_id", "R1-190"]);
        let reply = json(command.args(["--source_kind", "meeting_report,session_notes"]));
        reply["items"].as_array().expect("a list").clone()
    }
}

fn page_text(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.clone()).expect("text")
}

fn percent_encode(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect()
}

/// The addresses of the links of a page.
fn links(page: &str) -> Vec<String> {
    let addresses = page.split(" href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    addresses.map(|(address, _)| address.replace("&amp;", "&")).collect()
}

/// The links that open a text at a quote.
fn quote_links(page: &str) -> Vec<String> {
    links(page).into_iter().filter(|address| address.ends_with("#quote")).collect()
}

/// A field of the query string of an address.
fn query_field(address: &str, name: &str) -> Option<String> {
    let (_, query) = address.split_once('?')?;
    let query = query.split('#').next().unwrap_or_default();
    let mut fields = parse(query.as_bytes());
    fields.find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

/// What of a text is marked.
fn marked(page: &str) -> &str {
    let (_, rest) = page.split_once("<section class=\"quoted\"").expect("something is marked");
    rest.split_once("</section>").expect("the end of the quote").0
}

fn an_anchor_of_a_decision_opens_the_text_with_its_paragraphs_marked() -> TestResult {
    let site = EvidenceSite::open()?;
    let decisions = site.decisions();
    let mut places = 0;
    for decision in &decisions {
        let id = decision["decision_id"].as_str().expect("an id");
        let decision_path = format!("/meeting/R1-190/decisions/{id}");
        let card = site.page(&decision_path);
        let also_in = decision["also_in"].as_array().expect("a list");
        for source in std::iter::once(&decision["source"]).chain(also_in) {
            let (anchor, last) = (source["anchor"].as_str(), source["last_anchor"].as_str());
            let is_own = |address: &&String| query_field(address, "anchor").as_deref() == anchor;
            let all = quote_links(&card);
            let address = all.iter().find(is_own).unwrap_or_else(|| panic!("{source}\n{all:#?}"));
            let opened = site.page(address);
            let quote = marked(&opened);
            let words = decision["quote"].as_str().expect("a quote").lines();
            let plain = words.map(|line| line.trim_start_matches(['-', '*', '\u{2022}', ' ']));
            for line in plain.filter(|line| !line.is_empty() && !line.starts_with('|')) {
                assert!(quote.contains(line), "{source}: {line}\n{quote}");
            }
            assert!(!quote.contains("Final summary in R1-2600111"), "{source}");
            let ends = [anchor.expect("an anchor"), last.expect("a last anchor")];
            let place = |anchor: &str| anchor.rsplit_once('#').expect("a place").1.to_owned();
            for end in ends.map(place) {
                // A table is one piece, and the last of its anchors is within it.
                assert!(
                    quote.contains(&format!(">{end}</a>")) || quote.contains("<table>"),
                    "{end}"
                );
            }
            assert!(links(&opened).contains(&decision_path), "the way back");
            places += 1;
        }
    }
    assert!(places > decisions.len(), "the session notes have decisions of the report too");
    let report = site.page("/meeting/R1-190/notes/meeting_report");
    assert!(report.contains("Final_Minutes_report_RAN1#190_v100.zip"), "the file");
    assert!(report.contains("https://www.3gpp.org/ftp/"), "where the original is");
    assert!(!report.contains("class=\"quoted\"") && report.contains("Harbour Town"));
    Ok(())
}

fn every_link_to_a_quote_opens_a_text_with_something_marked() -> TestResult {
    let site = EvidenceSite::open()?;
    let search = "/contributions/search?q=waiting+time+after+a+refusal&meeting=R1-190";
    for (address, min_links) in
        [("/meeting/R1-190", 9), ("/contributions/R1-2600104", 8), (search, 5)]
    {
        let page = site.page(address);
        let found = quote_links(&page);
        assert!(found.len() >= min_links, "{address}: {found:#?}");
        for link in found {
            assert!(!marked(&site.page(&link)).is_empty(), "{link}");
        }
    }
    // A unit is marked with its list, and nothing after it.
    let record = site.page("/contributions/R1-2600104");
    let second = quote_links(&record)
        .into_iter()
        .find(|link| query_field(link, "anchor").is_some_and(|anchor| anchor.ends_with("#p13")))
        .expect("the second proposal");
    let opened = site.page(&second);
    let quote = marked(&opened);
    assert_eq!(quote.matches("class=\"piece\"").count(), 4, "{quote}");
    assert!(quote.contains("FFS: whether T390") && !quote.contains("Two beacons"), "{quote}");
    assert!(opened.contains("<p class=\"page-mark\">Page 2</p>"), "{opened}");
    assert!(opened.contains("<h3>2 Discussion</h3>"), "{opened}");
    // The tables of a workbook are tables.
    let results = site.page("/contributions/R1-2600106/text");
    assert!(results.contains("<table>"), "{results}");
    Ok(())
}

fn an_anchor_that_does_not_exist_gives_a_page_that_says_so() -> TestResult {
    let site = EvidenceSite::open()?;
    let long = "a".repeat(5_000);
    let file = "Final_Minutes_report_RAN1#190_v100.docx";
    let absent = [format!("{file}#p99999"), format!("{file}#page1-p1"), "#".to_owned(), long];
    for path in ["/meeting/R1-190/notes/meeting_report", "/contributions/R1-2600104/text"] {
        for anchor in &absent {
            let answer = site.get(&format!("{path}?anchor={}", percent_encode(anchor)));
            let page = page_text(&answer);
            assert_eq!(answer.status, 404, "{path} {anchor}");
            assert!(page.contains("This position is not in the text"), "{page}");
            assert!(page.len() < 10_000, "{} bytes", page.len());
            assert!(links(&page).iter().any(|link| link == path), "to the whole text");
        }
    }
    let unknown = site.get("/meeting/R1-190/notes/no%2Fsuch%20notes");
    assert_eq!(unknown.status, 404);
    assert!(page_text(&unknown).contains("Notes not found"));
    assert_eq!(site.get("/meeting/R1-999/notes/meeting_report").status, 400);
    Ok(())
}

fn hostile_anchors_are_escaped() -> TestResult {
    let site = EvidenceSite::open()?;
    let anchor = percent_encode("R1-2600104 Waiting times.docx#p12");
    let text = "/contributions/R1-2600104/text";
    for hostile in HOSTILE_ANCHORS {
        let value = percent_encode(hostile);
        let absent = site.get(&format!("{text}?anchor={value}"));
        assert_eq!(absent.status, 404, "{hostile}");
        let rest = format!("last_anchor={value}&back={value}");
        let present = site.get(&format!("{text}?anchor={anchor}&{rest}&part=4294967295"));
        assert_eq!(present.status, 200, "{hostile}");
        for page in [page_text(&absent), page_text(&present)] {
            for markup in ["<script>alert", "<svg", "\" autofocus", "onfocus=\""] {
                assert!(!page.contains(markup), "{hostile}: {markup}");
            }
            let addresses = links(&page);
            assert!(addresses.iter().all(|link| !link.starts_with("javascript:")), "{hostile}");
        }
    }
    for back in ["https://evil.example/", "//evil.example/meeting/", "/meeting/../sign-in x"] {
        let back = percent_encode(back);
        let page = site.page(&format!("{text}?anchor={anchor}&back={back}"));
        assert!(!page.contains("evil.example") && !page.contains("sign-in x"), "{back}");
    }
    Ok(())
}

fn a_choice_of_an_organization_keeps_the_other_filters() -> TestResult {
    let site = EvidenceSite::open()?;
    let filters = "meeting=R1-190&agenda_item=8.1&status=noted&kind=proposal";
    let answer = site.get(&format!("/contributions/search?q=a+%26+b&source=China&{filters}"));
    assert_eq!(answer.status, 409);
    let all = links(&page_text(&answer));
    let choices: Vec<&String> =
        all.iter().filter(|link| link.starts_with("/contributions/search?")).collect();
    assert!(choices.len() > 1, "{choices:?}");
    for choice in choices {
        assert!(query_field(choice, "source").is_some_and(|source| source != "China"), "{choice}");
        assert_eq!(query_field(choice, "q").as_deref(), Some("a & b"));
        assert!(choice.ends_with(filters), "{choice}");
    }
    Ok(())
}
