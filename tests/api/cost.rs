//! No request costs without bound: every operation and every page over documents that are large in one way each, and over
//! others that are four times as large.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fmt, fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use libtest_mimic::Trial;

use crate::{
    client::{Answer, Client},
    cost_requests::{Pair, Request},
    cost_shapes::{MINUTES, SHAPES, Shape, Version, document, minutes},
    own::{client, key, process_id, set},
    person::Person,
    program::{json as run_json, sample, specbox},
    server::RunningServer,
    trials::{TestResult, is_quick_run, trials},
};
use specbox::service::operations;

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        four_times_the_content_costs_at_most_six_times_as_much,
        work_without_end_is_ended_and_delays_nobody_else,
    ]
}

/// How much more an answer over four times the content may cost.
const MAX_GROWTH: f64 = 6.0;
/// What costs less is not compared: clocks and other threads of the server count for more.
const SMALL_S: f64 = 0.04;
/// Processor time that no request exceeds.
const MAX_S: f64 = 2.0;
/// How often a request that seems to cost too much is sent; the cheapest answer counts, because other work of the server happens
/// beside some.
const ROUNDS: usize = 6;
/// Pause before each further one.
const PAUSE: Duration = Duration::from_millis(300);
const MAX_PAGES: usize = 40;
/// Operations that answer nothing here: these documents have no pictures, no meeting has a document, and no company is known.
const WITHOUT_ANSWER: [&str; 6] = [
    "similar_images",
    "get_image",
    "get_tdoc",
    "get_change_request",
    "fetch_tdoc",
    "get_organization",
];
/// Requests of one account at once; `SPECBOX_HOSTILE_REQUESTS` sets another number.
const HOSTILE_REQUESTS: usize = 4;
/// Types of a module whose names take longer to read than a request may take.
const ENDLESS_COUNT: usize = 60_000;

fn four_times_the_content_costs_at_most_six_times_as_much() -> TestResult {
    // It takes over a minute, and compares processor times.
    if is_quick_run() {
        return Err("quick run".into());
    }
    let folder = tempfile::tempdir().expect("temporary folder");
    let data = folder.path().join("data");
    let mut pairs = ingest_shapes(&folder.path().join("files"), &data);
    pairs.push(import_minutes(folder.path(), &data));
    // Reading with the reranker has a deadline of its own, and costs what its model costs.
    set(&data, "models", "reranker = \"none\"");
    // Without models, so that no vectors are made meanwhile, which would change what a search does from one round to the next.
    let none = folder.path().join("no-models").display().to_string();
    let arguments = ["--tls", "off-behind-proxy", "--models-dir", &none];
    let server = RunningServer::start_with(&data, &arguments);
    let person = Person::operator(&server, &data);
    let meter = ServerMeter {
        process: process_id(&server),
        client: client(&server, &key(&data, None)),
        person,
    };
    let (mut faults, mut answering) = (Vec::new(), BTreeSet::new());
    for pair in &pairs {
        for operation in operations() {
            let requests = pair.subjects.each_ref().map(|subject| {
                let request = Request::to_operation(&operation.descriptor, pair, subject);
                (operation.descriptor.name.to_owned(), request)
            });
            let measured = meter.compare(&requests);
            if measured.iter().all(|answer| answer.status == 200) {
                answering.insert(operation.descriptor.name);
            }
            faults.extend(describe_fault(&requests[0].0, pair.shape, &measured));
        }
        for requests in meter.pages_of(pair) {
            let measured = meter.compare(&requests);
            faults.extend(describe_fault(&requests[0].0, pair.shape, &measured));
        }
    }
    let all = operations().iter().map(|operation| operation.descriptor.name);
    let unmeasured: Vec<&str> = all.filter(|name| !answering.contains(name)).collect();
    assert_eq!(unmeasured, WITHOUT_ANSWER, "these operations answered nothing");
    assert!(faults.is_empty(), "{} requests cost too much:\n{}", faults.len(), faults.join("\n"));
    Ok(())
}

/// Requests of one account whose work would take minutes: each is ended, while another account and `/health` are answered.
///
/// `SPECBOX_SHOW_COSTS` prints how long those took.
fn work_without_end_is_ended_and_delays_nobody_else() -> TestResult {
    let folder = tempfile::tempdir().expect("temporary folder");
    let data = folder.path().join("data");
    let module = SHAPES.iter().find(|shape| shape.name == "types of a module").expect("there");
    let files = folder.path().join("files");
    fs::create_dir_all(&files).expect("made");
    let bytes = document("38.700", module, ENDLESS_COUNT, Version::First);
    fs::write(files.join("38700-i00.docx"), bytes).expect("written");
    run_json(specbox(&data).args(["ingest", "--no-vectors"]).arg(&files));
    // An operator's requests are not limited by an allowance.
    run_json(specbox(&data).args(["user", "add", "ann", "--role", "operator"]));
    let server = RunningServer::start(&data, "off-behind-proxy");
    let [hostile, other] = [None, Some("ann")].map(|user| key(&data, user));
    let target = "/names?name=Type-7&doc_number=38.700&used_in=true&history=true";
    let attacks = env::var("SPECBOX_HOSTILE_REQUESTS").ok().and_then(|count| count.parse().ok());
    let attacks = attacks.unwrap_or(HOSTILE_REQUESTS);
    thread::scope(|scope| {
        let attacks: Vec<_> =
            (0..attacks).map(|_| scope.spawn(|| client(&server, &hostile).get(target))).collect();
        let mut waits = Vec::new();
        let client = client(&server, &other);
        while !attacks.iter().all(thread::ScopedJoinHandle::is_finished) {
            for target in ["/documents?doc_number=38.700", "/health"] {
                let began = Instant::now();
                assert_eq!(client.get(target).status, 200, "{target}");
                waits.push(began.elapsed());
            }
            thread::sleep(Duration::from_millis(20));
        }
        let statuses: Vec<u16> =
            attacks.into_iter().map(|attack| attack.join().expect("answered").status).collect();
        waits.sort_unstable();
        if env::var_os("SPECBOX_SHOW_COSTS").is_some() {
            let at = |share: usize| waits[(waits.len() - 1) * share / 100];
            println!("{} waits, half {:?}, 95 % {:?}, {statuses:?}", waits.len(), at(50), at(95));
        }
        assert!(statuses.iter().all(|status| matches!(status, 200 | 503)), "{statuses:?}");
        assert!(
            statuses.contains(&503),
            "none was ended: ENDLESS_COUNT is too small for this machine"
        );
    });
    Ok(())
}

/// Takes in both documents of every shape, in two versions each.
fn ingest_shapes(files: &Path, data: &Path) -> Vec<Pair> {
    fs::create_dir_all(files).expect("made");
    let mut pairs = Vec::new();
    for (index, shape) in SHAPES.iter().enumerate() {
        let numbers = [0, 1].map(|size| format!("38.{}", 700 + 2 * index + size));
        for (number, count) in numbers.iter().zip([shape.count, 4 * shape.count]) {
            for version in Version::ALL {
                let bytes = document(number, shape, count, version);
                let name = format!("{}-{}.docx", number.replace('.', ""), version.in_file_names());
                fs::write(files.join(name), bytes).expect("written");
            }
        }
        pairs.push(Pair { shape, subjects: numbers });
    }
    let report = run_json(specbox(data).args(["ingest", "--no-vectors"]).arg(files));
    let taken = report["taken"].as_array().map_or(0, Vec::len);
    assert_eq!(taken, pairs.len() * 2 * Version::ALL.len(), "{report:#}");
    pairs
}

/// Takes in the reports of the sample's two meetings.
fn import_minutes(folder: &Path, data: &Path) -> Pair {
    let calendar = sample().with_file_name("mirror").join("meetings.csv");
    run_json(specbox(data).args(["meetings", "import"]).arg(calendar));
    let meetings = ["190", "191"];
    for (meeting, count) in meetings.iter().zip([MINUTES.count, 4 * MINUTES.count]) {
        let path = folder.join(format!("Final_Minutes_report_RAN1#{meeting}_v100.docx"));
        fs::write(&path, minutes(meeting, count)).expect("written");
        run_json(specbox(data).args(["meetings", "import"]).arg(path));
    }
    let subjects = meetings.map(|meeting| format!("R1-{meeting}"));
    for (subject, count) in subjects.iter().zip([MINUTES.count, 4 * MINUTES.count]) {
        let listed = run_json(specbox(data).args([
            "call",
            "list_meeting_decisions",
            "--meeting_id",
            subject,
        ]));
        assert!(listed["total"].as_u64() >= Some(count as u64), "{listed:#}");
    }
    Pair { shape: &MINUTES, subjects }
}

/// What one answer was and cost.
#[derive(Clone, Copy)]
struct Measured {
    status: u16,
    bytes: usize,
    seconds: f64,
}

impl fmt::Debug for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} ms for {} kB, {}", self.seconds * 1e3, self.bytes / 1000, self.status)
    }
}

/// Whether the answer over the larger document costs little enough, and both are answers.
fn is_bounded([smaller, larger]: &[Measured; 2]) -> bool {
    let growth = larger.seconds / smaller.seconds.max(SMALL_S);
    growth <= MAX_GROWTH && larger.seconds <= MAX_S && smaller.status < 500 && larger.status < 500
}

/// What is wrong with the costs of a request.
fn describe_fault(name: &str, shape: &Shape, measured: &[Measured; 2]) -> Option<String> {
    let told = format!("{measured:?} {name} over {}", shape.name);
    if env::var_os("SPECBOX_SHOW_COSTS").is_some() {
        println!("{told}");
    }
    (!is_bounded(measured)).then_some(told)
}

/// What requests cost a server.
struct ServerMeter {
    process: String,
    client: Client,
    person: Person,
}

impl ServerMeter {
    /// The pages that lead from one document to its content, for both documents of a shape: all links of one form are one page.
    fn pages_of(&self, pair: &Pair) -> Vec<[(String, Request); 2]> {
        let [smaller, larger] = &pair.subjects;
        let (newer, older) = (Version::Second.as_str(), Version::First.as_str());
        let text = pair.shape.text.replace(' ', "+");
        let start = [
            "?section=1".to_owned(),
            format!("?section=1&since={older}&q={text}"),
            "/references?section=1".to_owned(),
            format!("/find?q={text}"),
            "/names".to_owned(),
            "/findings".to_owned(),
        ]
        .map(|rest| format!("/read/{smaller}/{newer}{rest}"));
        let elsewhere = [
            format!("/read/{smaller}/compare?from={older}&to={newer}"),
            format!("/read/{smaller}/compare?from={older}&to={newer}&section=1"),
            format!("/read/{smaller}/history?section=1"),
            format!("/trace?document={smaller}&section=1"),
            format!("/define?name={text}&document={smaller}"),
            format!("/search?q={text}&doc_number={smaller}"),
        ];
        let mut forms: BTreeMap<String, String> = BTreeMap::new();
        let mut unread: Vec<String> = if pair.is_of_meetings() {
            vec![
                format!("/meeting/{smaller}"),
                format!("/decision-search?q={text}&meeting={smaller}"),
            ]
        } else {
            start.into_iter().chain(elsewhere).collect()
        };
        let mut read = BTreeSet::new();
        while let Some(path) = unread.pop() {
            if forms.len() >= MAX_PAGES || !read.insert(form_of(&path)) {
                continue;
            }
            let page = self.person.get(&path);
            forms.insert(form_of(&path), path);
            let html = String::from_utf8_lossy(&page.bytes).into_owned();
            unread.extend(links(&html).filter(|link| link.contains(smaller.as_str())));
        }
        let request = |path: &String| Request::Page(path.clone());
        let pages = forms.into_iter().filter(|(_, path)| path.contains(smaller.as_str()));
        pages
            .map(|(form, path)| {
                let other = path.replace(smaller.as_str(), larger);
                [(form.clone(), request(&path)), (form, request(&other))]
            })
            .collect()
    }

    /// What a request costs over the smaller and over the larger document: the two of one round, which the machine treats alike, or
    /// the cheapest of all rounds.
    fn compare(&self, requests: &[(String, Request); 2]) -> [Measured; 2] {
        let mut cheapest = [Measured { status: 0, bytes: 0, seconds: f64::MAX }; 2];
        for _ in 0..ROUNDS {
            let round = requests.each_ref().map(|(_, request)| self.measure(request));
            for (best, next) in cheapest.iter_mut().zip(round) {
                *best = if next.seconds < best.seconds { next } else { *best };
            }
            if let Some(bounded) = [round, cheapest].into_iter().find(is_bounded) {
                return bounded;
            }
            thread::sleep(PAUSE);
        }
        cheapest
    }

    fn measure(&self, request: &Request) -> Measured {
        let before = self.processor_time();
        let answer = self.send(request);
        let seconds = self.processor_time() - before;
        Measured { status: answer.status, bytes: answer.bytes.len(), seconds }
    }

    fn send(&self, request: &Request) -> Answer {
        match request {
            Request::Operation { method, target, body: Some(body) } => self.client.send(
                method,
                target,
                Some("application/json"),
                body.to_string().as_bytes(),
            ),
            Request::Operation { method, target, body: None } => {
                self.client.send(method, target, None, &[])
            }
            Request::Page(path) => self.person.get(path),
        }
    }

    /// Seconds of processor time that the threads which answer requests have used. Others make vectors meanwhile.
    fn processor_time(&self) -> f64 {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.process)).expect("the server runs");
        let nanoseconds = tasks.flatten().filter_map(|task| {
            let name = fs::read_to_string(task.path().join("comm")).ok()?;
            let schedule = fs::read_to_string(task.path().join("schedstat")).ok()?;
            let used = schedule.split(' ').next()?.parse::<u64>().ok()?;
            name.starts_with("tokio").then_some(used)
        });
        nanoseconds.sum::<u64>() as f64 / 1e9
    }
}

/// A path with what differs between documents and sections taken out.
fn form_of(path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let segments = path.split('/').map(|segment| {
        if segment.bytes().any(|byte| byte.is_ascii_digit()) { "*" } else { segment }
    });
    let path = segments.collect::<Vec<_>>().join("/");
    let names: BTreeSet<&str> =
        query.split('&').filter_map(|pair| Some(pair.split_once('=')?.0)).collect();
    format!("{path} {}", names.into_iter().collect::<Vec<_>>().join(" "))
}

/// The paths that a page links to on its own site.
fn links(html: &str) -> impl Iterator<Item = String> {
    html.split("href=\"").skip(1).filter_map(|rest| {
        let path = rest.split('"').next()?.split('#').next()?;
        let path = path.replace("&amp;", "&");
        (path.starts_with('/') && !path.starts_with("/sign-out")).then_some(path)
    })
}
