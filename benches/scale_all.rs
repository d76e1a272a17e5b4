//! How does the whole program grow with what is in it?
//!
//! Fills a data folder with made-up specifications and meetings of a size, up to that of the real archive (8,700 document
//! versions, 2.6 million passages, a million meeting documents), with vectors in place of the text model's. Then measures
//! the real program on it, in a memory cgroup: start, every operation with every filter, several clients at once, a
//! version that is ingested meanwhile, `verify`, `doctor`, `backup`. Pictures of figures are tiny, and vectors lie in
//! clusters without a meaning: neither says anything of the quality of searches.
//!
//! `SPECBOX_SCALE_VERSIONS` (8700), `SPECBOX_SCALE_TDOCS` and `SPECBOX_SCALE_MEETINGS` (in proportion) are the size,
//! `SPECBOX_SCALE_FOLDER` is where it is made (25 GB for the whole size), `SPECBOX_SCALE_MEMORY_GIB` (8) and
//! `SPECBOX_SCALE_LOOKUP_MEMORY_GIB` (4) are the limits. A folder that is there is measured and not filled again. Each
//! run writes its size to `benches/results/scale-all.json`, beside other sizes.

#[expect(dead_code, reason = "other benches use the rest")]
#[path = "support/measure.rs"]
mod measure;
#[path = "support/process.rs"]
mod process;
#[path = "../tests/support/random.rs"]
mod random;

#[path = "scale_all/cases.rs"]
mod cases;
#[path = "scale_all/cgroup.rs"]
mod cgroup;
#[path = "scale_all/facts.rs"]
mod facts;
#[path = "scale_all/figures.rs"]
mod figures;
#[path = "scale_all/fill.rs"]
mod fill;
#[path = "scale_all/meetings.rs"]
mod meetings;
#[path = "scale_all/phases.rs"]
mod phases;
#[path = "scale_all/processes.rs"]
mod processes;
#[path = "scale_all/report.rs"]
mod report;
#[path = "scale_all/rounds.rs"]
mod rounds;
#[path = "scale_all/settings.rs"]
mod settings;
#[path = "scale_all/special_sections.rs"]
mod special_sections;
#[path = "scale_all/specification.rs"]
mod specification;
#[path = "scale_all/vectors.rs"]
mod vectors;
#[path = "scale_all/words.rs"]
mod words;

use settings::ScaleSettings;

fn main() {
    let settings = ScaleSettings::from_environment();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // In a process of its own, which the cgroup limits too.
        ["fill"] => println!("{}", fill::fill_folder(&settings)),
        ["report"] => report::print_report(),
        _ => {
            let figures = phases::measure_program(&settings);
            report::record_size(&settings, &figures);
            report::print_report();
        }
    }
}
