//! `specbox demo`: ingests the sample corpus, starts the server and prints a first query to paste.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::{Context, Result, bail};

use super::{
    arguments::{DemoArgs, GlobalArgs},
    output::print_text,
    progress::{ProgressView, without_controls},
    serve,
};
use crate::{
    http::HttpServer,
    jobs::{ImportCalendars, ImportRegisters, IngestFiles, Job, JobProgress, JobStep, SyncTdocs},
    service::Service,
};
use domain::MeetingId;
use ingest::IngestOptions;

/// A question that the sample corpus answers.
const FIRST_QUERY: &str =
    "How long does a terminal wait after an overloaded beacon turned it away?";

pub(super) fn run_demo(global: &GlobalArgs, args: &DemoArgs) -> Result<()> {
    if !args.sample.is_dir() {
        bail!("{} is not a folder; pass the folder of the sample corpus", args.sample.display());
    }
    let sample = args.sample.clone();
    // A demonstration begins without a data folder.
    let global = GlobalArgs { create: true, ..global.clone() };
    serve::run_server(
        &global,
        &args.serve,
        move |service| ingest_sample(service, sample),
        announce_demo,
    )
}

fn ingest_sample(service: &Service, sample: PathBuf) -> Result<()> {
    let mirror = sample.with_file_name("mirror");
    let mut view = ProgressView::new();
    let request = IngestOptions { paths: vec![sample], ..IngestOptions::default() };
    let cancel = AtomicBool::new(false);
    let mut sink = |event| view.show_ingest_event(&event);
    let progress = JobProgress { cancel: &cancel, sink: &mut sink };
    let report = IngestFiles { request: &request }.run(&service.jobs, progress)?;
    view.finish();
    eprintln!("{}", without_controls(&report.summary()));
    import_meeting_documents(service, &mirror, &cancel)
}

/// Imports the meeting documents in the folder `mirror` next to the sample, if there is one.
fn import_meeting_documents(service: &Service, mirror: &Path, cancel: &AtomicBool) -> Result<()> {
    if !mirror.is_dir() {
        return Ok(());
    }
    let jobs = &service.jobs;
    let calendars = [mirror.join("meetings.csv")];
    ImportCalendars { paths: &calendars }.run(jobs, JobProgress { cancel, sink: &mut |_| {} })?;
    let registers = ImportRegisters { paths: &[mirror.to_owned()], meeting: None };
    let report = registers.run(jobs, JobProgress { cancel, sink: &mut |_| {} })?;
    let documents: usize = report.imported.iter().map(|register| register.rows).sum();
    eprintln!("{documents} meeting documents, registers: {}", report.imported.len());
    // Operators of closed networks put the files of a mirror into this folder, too.
    let target = service.store.data_folder().mirror_folder();
    copy_folder(mirror, &target)
        .with_context(|| format!("cannot copy the sample files to {}", target.display()))?;
    let mut view = ProgressView::new();
    let meetings: Vec<MeetingId> = report.imported.iter().flat_map(|r| r.meeting.parse()).collect();
    let mut sink = |JobStep { done, total }| view.show_step(done, total, "documents");
    let sync = SyncTdocs { meetings: &meetings, groups: &[] };
    let read = sync.run(jobs, JobProgress { cancel, sink: &mut sink })?;
    view.finish();
    eprintln!("{} meeting documents read", read.taken + read.known);
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn announce_demo(server: &HttpServer, service: &Service) -> Result<()> {
    let key = {
        let operator =
            service.access.accounts().first_operator().context("cannot read the accounts")?;
        service.access.keys().create_key(operator.id, "demo").context("cannot create a key")?.key
    };
    let url = server.base_url();
    let authority = server.authority_file();
    let trust = authority.as_ref().map(|file| format!(" --cacert '{}'", file.display()));
    let mut text = format!("URL    {url}\n");
    if let Some(file) = authority {
        text.push_str(&format!("trust  {}\n", file.display()));
    }
    text.push_str(&format!("key    {key}\n"));
    if let Some(link) = serve::setup_link(service)? {
        text.push_str(&format!("sign-in link (works once): {link}\n"));
    }
    let folder = service.store.data_folder().root().display();
    text.push_str(&format!(
        "query\n  curl -s{} {url}/search/text \\\n    \
         -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' \\\n    \
         -d '{{\"query\": \"{FIRST_QUERY}\", \"rerank_top_k\": 3}}'\n\
         or, in another terminal\n  specbox search --data-dir '{folder}' \"{FIRST_QUERY}\"\n",
        trust.unwrap_or_default()
    ));
    print_text(&text)?;
    Ok(())
}
