//! Costs of the meeting document catalog: memory, the first build, a change, a page.
//!
//! `CATALOG_ROWS` is the number of documents (default 200,000), 1,400 to a meeting.

use std::{
    collections::BTreeMap,
    fs, thread,
    time::{Duration, Instant},
};

use contributions::{TdocCatalog, TdocCatalogCache, TdocFilter};
use domain::DocKind;
use domain::TdocId;
use register::{Column, RegisterEntry};
use store::{DataFolder, NewRegister, RegisterNote, Store};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const ROWS_OF_MEETING: u32 = 1_400;
const ROUNDS: usize = 15;
/// How long to wait until the allocator has returned freed memory: jemalloc does after ten seconds (the program has it
/// wait longer).
const DECAY: Duration = Duration::from_secs(12);

/// Numbers that look random and are the same in each run.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Words as frequent as those of a language: a few often, many rarely.
    fn words(&mut self, count: u64) -> String {
        let words = (0..count).map(|_| {
            let spread = self.below(100);
            format!("word{}", self.below(20) * spread * spread / 100 + self.below(40))
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

fn register(meeting: u32, changed: u32) -> NewRegister {
    let mut drawn = Drawn(u64::from(meeting) * 7 + u64::from(changed));
    let year = 5 + meeting / 40;
    let entries = (0..ROWS_OF_MEETING).map(|row| {
        let number = (meeting % 40) * ROWS_OF_MEETING + row;
        let id: TdocId = format!("R1-{year:02}{number:05}").parse().expect("a number");
        (id, entry(&mut drawn))
    });
    NewRegister {
        meeting: format!("R1-{}", 20 + meeting).parse().expect("a meeting"),
        note: RegisterNote {
            file: format!("list-{meeting}.xlsx"),
            imported_at: "2026-01-01T00:00:00Z".to_owned(),
            rows: ROWS_OF_MEETING,
            range: None,
            is_full: true,
            estimated_start: None,
            folder: None,
            agenda: Vec::new(),
        },
        sheet: "TDoc_List".to_owned(),
        entries: entries.collect(),
        packs: Vec::new(),
    }
}

fn entry(drawn: &mut Drawn) -> RegisterEntry {
    let mut entry = RegisterEntry {
        line: 0,
        tdoc: String::new(),
        url: None,
        reserved: None,
        uploaded: None,
        texts: BTreeMap::new(),
    };
    let company = |drawn: &mut Drawn| company_name(drawn.below(30) * drawn.below(30));
    let count = 1 + drawn.below(4);
    let source: Vec<String> = (0..count).map(|_| company(drawn)).collect();
    for (column, text) in [
        (Column::Title, drawn.words(9)),
        (Column::Abstract, drawn.words(12)),
        (Column::Source, source.join(", ")),
        (Column::Type, if drawn.below(3) == 0 { "CR" } else { "discussion" }.to_owned()),
        (Column::Status, "noted".to_owned()),
        (Column::AgendaItem, format!("8.{}.{}", drawn.below(12), drawn.below(6))),
        (Column::WorkItems, format!("NR_item{}-Core", drawn.below(200))),
        (Column::Spec, format!("38.{}", 211 + drawn.below(100))),
        (Column::Cr, format!("{:04}", drawn.below(3_000))),
        (Column::Release, format!("Rel-{}", 15 + drawn.below(5))),
    ] {
        entry.texts.insert(column, text);
    }
    entry
}

/// A name of four syllables for each number.
fn company_name(number: u64) -> String {
    const SYLLABLES: [&str; 12] =
        ["Ba", "Kor", "Lim", "Tes", "Ran", "Vox", "Dul", "Fem", "Gip", "Hux", "Jot", "Pry"];
    let mut drawn = Drawn(number * 977 + 13);
    (0..4).map(|_| SYLLABLES[drawn.below(12) as usize]).collect()
}

fn resident_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn timed<T>(action: impl Fn() -> T) -> f64 {
    let time = |_| {
        let started = Instant::now();
        drop(std::hint::black_box(action()));
        started.elapsed()
    };
    median((0..ROUNDS).map(time).collect())
}

fn main() {
    // As the server does.
    tikv_jemalloc_ctl::background_thread::write(true).expect("jemalloc has such threads");
    let rows: u32 =
        std::env::var("CATALOG_ROWS").ok().and_then(|n| n.parse().ok()).unwrap_or(200_000);
    let meetings = rows.div_ceil(ROWS_OF_MEETING);
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(DataFolder::new(folder.path())).expect("opened");
    let started = Instant::now();
    for meeting in 0..meetings {
        store.lock_writer().import_register(&register(meeting, 0)).expect("stored");
    }
    println!(
        "{} rows stored in {:.1} s",
        meetings * ROWS_OF_MEETING,
        started.elapsed().as_secs_f64()
    );
    let before = resident_mib();
    let started = Instant::now();
    let catalog = TdocCatalog::from_snapshot(&store.snapshot()).expect("built");
    let built = started.elapsed().as_secs_f64();
    let at_first = resident_mib() - before;
    thread::sleep(DECAY);
    println!(
        "built in {built:.2} s, {} documents, +{at_first:.0} MiB resident, {:.0} MiB after {} s",
        catalog.len(),
        resident_mib() - before,
        DECAY.as_secs()
    );
    drop(catalog);
    let file = folder.path().join("tdoc-catalog.cache");
    let started = Instant::now();
    let writing = TdocCatalogCache::with_file(file.clone());
    writing.catalog_of(&store.snapshot()).expect("built");
    drop(writing);
    println!("built and written in {:.2} s", started.elapsed().as_secs_f64());
    let bytes = fs::metadata(&file).map_or(0, |metadata| metadata.len());
    let cache = TdocCatalogCache::with_file(file);
    let started = Instant::now();
    cache.catalog_of(&store.snapshot()).expect("read");
    let read = started.elapsed().as_secs_f64();
    println!("read from the file of {} MB in {read:.2} s", bytes / 1_000_000);
    let follow = |name: &str, change: &dyn Fn(u32)| {
        let time = |round| {
            change(round);
            let snapshot = store.snapshot();
            let started = Instant::now();
            cache.catalog_of(&snapshot).expect("followed");
            started.elapsed()
        };
        println!("{name}: {:.2} ms", median((1..=ROUNDS as u32).map(time).collect()));
    };
    let meeting = |index: u32| format!("R1-{}", 20 + index).parse().expect("a meeting");
    follow("one unlisted document more", &|round| {
        let id = format!("R1-04{round:05}").parse().expect("a number");
        let entry = entry(&mut Drawn(u64::from(round)));
        store.lock_writer().record_unlisted_tdoc(&id, &meeting(0), &entry).expect("stored");
    });
    follow("a register of 1,400 rows, all changed", &|round| {
        let changed = register(meetings / 2, round);
        store.lock_writer().import_register(&changed).expect("stored");
    });
    let catalog = cache.catalog_of(&store.snapshot()).expect("built");
    let page = |filter: TdocFilter| catalog.matching_entries(&filter).take(50).count();
    let all = |filter: TdocFilter| catalog.matching_page(&filter, None, 50).total;
    let organization = catalog.directory.index_of_name(&company_name(0));
    println!("first page: {:.2} ms", timed(|| page(TdocFilter::default())));
    println!("all listed: {:.2} ms", timed(|| all(TdocFilter::default())));
    let after = "R1-1800700".parse().ok();
    let later = || catalog.matching_page(&TdocFilter::default(), after.as_ref(), 50).entries.len();
    println!("a page in the middle, with the total: {:.2} ms", timed(later));
    let noted = TdocFilter { kinds: vec![DocKind::Cr], ..TdocFilter::default() };
    println!("change requests, counted: {:.2} ms", timed(|| all(noted.clone())));
    let item = TdocFilter { agenda_item: Some("8.3".to_owned()), ..TdocFilter::default() };
    println!("an agenda item of all meetings, counted: {:.2} ms", timed(|| all(item.clone())));
    let words = TdocFilter { words: Some("word3 word17".to_owned()), ..TdocFilter::default() };
    println!("two words, all counted: {:.2} ms", timed(|| all(words.clone())));
    let company = TdocFilter { organization, ..TdocFilter::default() };
    println!("a company, all counted: {:.2} ms", timed(|| all(company.clone())));
    let index = catalog.meeting_index(&meeting(meetings / 2)).expect("known");
    println!("a meeting: {:.2} ms", timed(|| catalog.meeting_entries(index).count()));
    let id = "R1-0600001".parse().expect("a number");
    println!("later revisions: {:.2} ms", timed(|| catalog.later_revisions(&id)));
}
