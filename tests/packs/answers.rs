//! What a server over a data folder answers to a thousand requests over all operations.

use std::{collections::BTreeMap, env, path::Path};

use serde_json::{Value, json};

use crate::{
    client::Client,
    configuration::set,
    program::{json as run_json, specbox},
    server::RunningServer,
};

/// Answers by request.
pub(crate) type Answers = BTreeMap<String, Vec<u8>>;

/// Words of the sample's questions.
const QUERIES: [&str; 12] = [
    "how are keys derived",
    "beacon registration",
    "what happens when the timer expires",
    "T390",
    "wakeup signal",
    "which messages carry the beacon identity",
    "error handling of the registration",
    "security of the lighthouse link",
    "measurement of the beacon",
    "table of timers",
    "architecture figure",
    "maximum number of beacons",
];

/// Asks everything that the index itself leads to.
pub(crate) fn collect_answers(data: &Path) -> Answers {
    let made = run_json(specbox(data).args(["key", "create", "--name", "answers"]));
    let key = made["key"].as_str().expect("a key").to_owned();
    // Beside other tests the reranker may need longer; where it read only some, the order is another.
    set(data, "search", "rerank_deadline_ms = 60000");
    // Without TLS: the client opens a connection for each of the thousands of requests.
    let server = RunningServer::start(data, "off-behind-proxy");
    let client = Client::new(&server.base_url, Some(&key), None);
    let mut asker = Asker { client, answers: Answers::new() };
    let documents = asker.get("/documents");
    for document in documents.as_array().expect("a list") {
        asker.ask_about_document(document);
    }
    for query in QUERIES {
        asker.ask_query(query);
    }
    asker.ask_about_meetings();
    asker.answers
}

/// Asks, and notes the answers.
struct Asker {
    client: Client,
    answers: Answers,
}

impl Asker {
    fn get(&mut self, target: &str) -> Value {
        let answer = self.client.get(target);
        self.answers.insert(format!("GET {target}"), answer.bytes);
        answer.body
    }

    fn post(&mut self, target: &str, body: &Value) -> Value {
        let answer = self.client.post(target, body);
        self.answers.insert(format!("POST {target} {body}"), answer.bytes);
        answer.body
    }

    fn ask_about_document(&mut self, document: &Value) {
        let (number, version) = (text(document, "doc_number"), text(document, "version"));
        let of = format!("doc_number={number}&version={version}");
        // Ids differ between indexes; the version is what is asked for.
        let record = self.client.get(&format!("/documents/{}", document["id"]));
        self.answers.insert(format!("record of {number} {version}"), record.bytes);
        self.get(&format!("/documents/changes?doc_number={number}&to={version}"));
        self.get(&format!("/names/findings?{of}"));
        let names = self.get(&format!("/names/list?{of}"));
        for name in names["names"].as_array().cloned().unwrap_or_default() {
            let name = encode(&text(&name, "name"));
            self.get(&format!("/names?name={name}&doc_number={number}&version={version}"));
        }
        let contents = self.get(&format!("/sections/toc?{of}"));
        let sections = contents.as_array().or(contents["sections"].as_array()).cloned();
        let (step, first) = drawn_sections();
        for section in sections.unwrap_or_default().into_iter().skip(first).step_by(step) {
            let section = encode(&text(&section, "section_number"));
            self.get(&format!("/sections?{of}&section_number={section}"));
            self.get(&format!("/sections/references?{of}&section_number={section}"));
            self.get(&format!("/sections/history?doc_number={number}&section_number={section}"));
            self.get(&format!("/sections/trace?doc_number={number}&section_number={section}"));
        }
    }

    fn ask_query(&mut self, query: &str) {
        for rerank in [false, true] {
            for target in ["/search/text", "/search/combined"] {
                self.post(target, &json!({"query": query, "rerank": rerank}));
            }
        }
        let images = self.post("/search/images", &json!({"query": query}));
        for result in images["results"].as_array().cloned().unwrap_or_default() {
            let of = format!("{}/{}", text(&result, "doc_number"), text(&result, "version"));
            self.get(&format!("/images/{of}/{}", result["image_index"]));
        }
        self.post("/tdocs/search", &json!({"query": query}));
        self.post("/quotes/verify", &json!({"text": query}));
        let query = encode(query);
        for target in ["/terms/resolve?term", "/names?name", "/suggest?text", "/decisions?q"] {
            self.get(&format!("{target}={query}"));
        }
    }

    fn ask_about_meetings(&mut self) {
        self.get("/meetings");
        self.get("/meetings/R1-190");
        self.get("/meetings/R1-190/decisions");
        let listed = self.get("/tdocs?meeting=R1-190");
        let tdocs = listed["tdocs"].as_array().or(listed["results"].as_array()).cloned();
        for tdoc in tdocs.unwrap_or_default() {
            let id = text(&tdoc, "tdoc_id");
            self.get(&format!("/tdocs/{id}"));
            self.get(&format!("/tdocs/{id}?include=text"));
            self.get(&format!("/tdocs/{id}/changes"));
        }
    }
}

/// Of how many sections one is asked about, and which is the first: a third of them, another one with each seed.
/// `SPECBOX_SECTION_STEP=1` asks about all.
fn drawn_sections() -> (usize, usize) {
    let number = |name: &str| env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let step = number("SPECBOX_SECTION_STEP").unwrap_or(3).max(1);
    (step, number("SPECBOX_FAULTS_SEED").unwrap_or(0) % step)
}

/// A value of a query string.
fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// The requests whose answers differ once `reduce` took away what may.
pub(crate) fn differing_requests<'a>(
    before: &'a Answers,
    after: &Answers,
    reduce: fn(&[u8]) -> Value,
) -> Vec<&'a String> {
    let differs = |(request, answer): &(&String, &Vec<u8>)| {
        after.get(*request).map(|answer| reduce(answer)) != Some(reduce(answer))
    };
    before.iter().filter(differs).map(|(request, _)| request).collect()
}

/// An answer without the time that it took.
pub(crate) fn without_times(answer: &[u8]) -> Value {
    without_fields(answer, &["elapsed_ms"])
}

/// An answer without the time that it took, and without whether a document has its vectors yet.
pub(crate) fn without_times_and_vectors(answer: &[u8]) -> Value {
    let mut value = without_times(answer);
    if value["status"] == "indexed_without_vectors" {
        value["status"] = "indexed".into();
    }
    value
}

/// An answer without what an index gives by itself: dates and ids.
pub(crate) fn without_dates_and_ids(answer: &[u8]) -> Value {
    let own = ["elapsed_ms", "id", "created_at", "read_at", "imported_at", "fetched_at"];
    without_fields(answer, &own)
}

fn without_fields(answer: &[u8], names: &[&str]) -> Value {
    let Ok(mut value) = serde_json::from_slice(answer) else {
        return Value::from(answer.to_vec());
    };
    remove_fields(&mut value, names);
    value
}

fn remove_fields(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !names.contains(&name.as_str()));
            fields.values_mut().for_each(|value| remove_fields(value, names));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| remove_fields(value, names)),
        _ => {}
    }
}
