//! The parent's side: sends children requests, and replaces those that misbehave.

use std::path::{Path, PathBuf};

use definitions::DocumentDefinitions;
use domain::DocNumber;
use register::{ListedSpecification, Register};

use crate::{
    contribution::Contribution,
    extraction::{ExtractedDocument, Extraction},
};
use document::{ExtractError, Section, one_line};

use super::{
    config::WorkerConfig,
    converter_folder::ConverterFolder,
    process::WorkerProcess,
    protocol::{WorkerAnswer, WorkerReply, WorkerRequest},
    watch::ReadingWatch,
};

/// A child process that reads files, replaced when it dies.
#[derive(Debug)]
pub struct Worker {
    config: WorkerConfig,
    process: Option<WorkerProcess>,
}

impl Worker {
    /// A worker; its process is started with the first request.
    pub fn new(config: WorkerConfig) -> Self {
        Self { config, process: None }
    }

    /// Reads files that belong together, as [`read_group`](crate::read_group) does.
    pub fn read_documents(&mut self, paths: &[PathBuf]) -> Result<Extraction, ExtractError> {
        self.read_documents_watched(paths, &ReadingWatch::patient())
    }

    /// The same, with a watch that receives the progress and may end the reading; the file then counts as not read.
    pub fn read_documents_watched(
        &mut self,
        paths: &[PathBuf],
        watch: &ReadingWatch<'_>,
    ) -> Result<Extraction, ExtractError> {
        let request = WorkerRequest::Documents(paths.to_vec());
        let extraction: Extraction = self.send_watched(request, watch)?;
        let is_consistent = extraction.documents.iter().all(ExtractedDocument::is_consistent);
        if is_consistent { Ok(extraction) } else { Err(inconsistent_reply_error()) }
    }

    /// Reads a register of meeting documents.
    pub fn read_register(&mut self, path: &Path) -> Result<Register, ExtractError> {
        self.send_request(WorkerRequest::Register(path.to_owned()))
    }

    /// Reads the portal's list of specifications.
    pub fn read_specification_list(
        &mut self,
        path: &Path,
    ) -> Result<Vec<ListedSpecification>, ExtractError> {
        self.send_request(WorkerRequest::SpecificationList(path.to_owned()))
    }

    /// Reads the file of a meeting document. `id` is its number, `title` its title in the register.
    pub fn read_contribution(
        &mut self,
        path: &Path,
        id: &str,
        title: Option<&str>,
    ) -> Result<Contribution, ExtractError> {
        let title = title.map(str::to_owned);
        let request = WorkerRequest::Contribution(path.to_owned(), id.to_owned(), title);
        let contribution: Contribution = self.send_request(request)?;
        if contribution.is_consistent() {
            Ok(contribution)
        } else {
            Err(inconsistent_reply_error())
        }
    }

    /// Reads the definitions of a stored version with the current readers.
    pub fn read_definitions(
        &mut self,
        number: DocNumber,
        sections: Vec<Section>,
    ) -> Result<DocumentDefinitions, ExtractError> {
        let count = sections.len();
        let definitions: DocumentDefinitions =
            self.send_request(WorkerRequest::Definitions(number, sections))?;
        if definitions.fits(count) { Ok(definitions) } else { Err(inconsistent_reply_error()) }
    }

    fn send_request<Answer: WorkerAnswer>(
        &mut self,
        request: WorkerRequest,
    ) -> WorkerReply<Answer> {
        self.send_watched(request, &ReadingWatch::patient())
    }

    /// Has a file read without a converter, and again with it if that helps: most files need none, and a child that
    /// may run one has a weaker sandbox.
    fn send_watched<Answer: WorkerAnswer>(
        &mut self,
        request: WorkerRequest,
        watch: &ReadingWatch<'_>,
    ) -> WorkerReply<Answer> {
        let reply = self.ask_reader(request.clone(), watch);
        let is_wanted = self.config.options.converter.is_some() && wants_converter(&reply);
        if !is_wanted || watch.is_stopped() {
            return reply;
        }
        self.ask_converter(request, watch).or_else(|error| add_fault(reply, &error))
    }

    fn ask_reader<Answer: WorkerAnswer>(
        &mut self,
        request: WorkerRequest,
        watch: &ReadingWatch<'_>,
    ) -> WorkerReply<Answer> {
        let mut running = match self.process.take().filter(|running| !running.is_worn(&self.config))
        {
            Some(running) => running,
            None => WorkerProcess::spawn_process(&self.config, None)?,
        };
        let reply = running.ask(request, &self.config.limits, watch);
        // A child that failed is not used again, so that the next file gets a fresh one.
        if running.is_usable() {
            self.process = Some(running);
        }
        reply
    }

    /// Has a file read by a separate child, which may run the converter and write into its own folder.
    fn ask_converter<Answer: WorkerAnswer>(
        &self,
        request: WorkerRequest,
        watch: &ReadingWatch<'_>,
    ) -> WorkerReply<Answer> {
        let unusable = |error| ExtractError::WorkerUnusable {
            reason: one_line(&format!("its folder cannot be prepared: {error}")),
        };
        let folder = ConverterFolder::create().map_err(unusable)?;
        let request = folder.take_in(request).map_err(unusable)?;
        let mut running = WorkerProcess::spawn_process(&self.config, Some(folder.path()))?;
        running.ask(request, &self.config.limits, watch)
    }

    /// Process id of the running child, if there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(WorkerProcess::id)
    }
}

/// Whether a converter would read more of a file than the reader.
fn wants_converter<Answer: WorkerAnswer>(reply: &WorkerReply<Answer>) -> bool {
    match reply {
        Ok(answer) => answer.wants_converter(),
        // A text that our own reader cannot read at all.
        Err(ExtractError::Damaged { name, .. } | ExtractError::Internal { name, .. }) => {
            name.to_ascii_lowercase().ends_with(".doc")
        }
        Err(_) => false,
    }
}

/// The reply of the reader, with the reason why the converter was not used.
fn add_fault<Answer: WorkerAnswer>(
    reply: WorkerReply<Answer>,
    error: &ExtractError,
) -> WorkerReply<Answer> {
    let mut answer = reply?;
    answer.add_fault(format!("the converter was not used: {error}"));
    Ok(answer)
}

fn inconsistent_reply_error() -> ExtractError {
    ExtractError::WorkerUnusable { reason: "the parts of its reply do not fit together".to_owned() }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::AtomicBool,
        time::{Duration, Instant},
    };

    use super::{super::protocol::GREETING, *};
    use crate::ExtractOptions;
    use document::Limits;

    /// A worker whose child is a shell command.
    fn fake(script: &str, wall_ms: u64) -> Worker {
        let limits = Limits {
            worker_wall: Duration::from_millis(wall_ms),
            reply_bytes: 10_000,
            ..Limits::default()
        };
        Worker::new(WorkerConfig {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            limits,
            options: ExtractOptions::default(),
            readable: Vec::new(),
            passages: None,
        })
    }

    /// Prints the greeting frame, 18 bytes of which the first is the length of the text, and
    /// waits for the setup.
    const GREET: &str = "printf '\\022\\000\\000\\000\\021specbox worker 14'; head -c 8 > /dev/null; printf '\\006\\000\\000\\000\\005ready';";

    fn outcome(script: &str, wall_ms: u64) -> ExtractError {
        fake(script, wall_ms).read_documents(&["x.docx".into()]).expect_err("a fake child")
    }

    #[test]
    fn programs_that_are_no_workers_are_unusable() {
        assert!(GREET.contains(GREETING), "the greeting of the fake child");
        for script in ["exit 3", "echo hello", "printf '\\377\\377\\377\\377'"] {
            assert!(
                matches!(outcome(script, 1_000), ExtractError::WorkerUnusable { .. }),
                "{script}"
            );
        }
        let mut missing = fake("", 1_000);
        missing.config.program = "/no/such/program".into();
        let error = missing.read_documents(&[]).expect_err("no program");
        assert!(matches!(error, ExtractError::WorkerUnusable { .. }));
    }

    #[test]
    fn a_child_sees_nothing_of_the_environment_but_what_is_listed() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let seen = folder.path().join("seen");
        assert!(std::env::vars_os().count() > 10, "cargo sets many variables for a test");
        outcome(&format!("env > {}; exit 3", seen.display()), 1_000);
        let seen = std::fs::read_to_string(seen).expect("written");
        // The shell sets some itself.
        let known = [
            "PATH",
            "LD_LIBRARY_PATH",
            "LANG",
            "LC_ALL",
            "TZ",
            "RUST_BACKTRACE",
            "PWD",
            "SHLVL",
            "OLDPWD",
            "_",
        ];
        let names = seen.lines().map(|line| line.split('=').next().unwrap_or_default());
        let others: Vec<&str> = names.filter(|name| !known.contains(name)).collect();
        assert_eq!(others, Vec::<&str>::new());
    }

    #[test]
    fn a_child_that_hangs_is_ended() {
        let script = format!("{GREET} exec sleep 600");
        assert_eq!(
            outcome(&script, 200),
            ExtractError::Timeout { name: "x.docx".into(), limit_s: 0 }
        );
    }

    #[test]
    fn a_child_that_nobody_waits_for_is_ended_at_once() {
        let (begun, stop) = (Instant::now(), AtomicBool::new(true));
        let mut worker = fake(&format!("{GREET} exec sleep 600"), 600_000);
        let watch = ReadingWatch::new(&stop, &|_| {});
        let read = worker.read_documents_watched(&["x.docx".into()], &watch);
        assert!(matches!(read, Err(ExtractError::WorkerDied { .. })), "{read:?}");
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert_eq!(worker.process_id(), None);
    }

    #[test]
    fn a_child_that_dies_or_lies_is_an_error() {
        for (script, words) in [
            ("exit 7", "status 7"),
            ("kill -SEGV $$", "signal 11"),
            ("kill -XCPU $$", "CPU time limit"),
            ("printf '\\377\\377\\377\\177'; exec sleep 600", "an invalid reply"),
            ("printf '\\002\\000\\000\\000\\377\\377'; exec sleep 600", "an invalid reply"),
            // The announcement of a reply, and a reply that is none.
            (
                "printf '\\001\\000\\000\\000\\001\\002\\000\\000\\000\\377\\377'; exec sleep 600",
                "an invalid reply",
            ),
            ("printf '\\100\\000'", "it exited"),
        ] {
            let error = outcome(&format!("{GREET} {script}"), 5_000);
            let ExtractError::WorkerDied { reason, .. } = &error else {
                panic!("{script}: {error}")
            };
            assert!(reason.contains(words), "{script}: {reason}");
        }
    }

    #[test]
    fn a_dead_child_is_replaced() {
        let mut worker = fake(&format!("{GREET} exit 7"), 5_000);
        for _ in 0..3 {
            let error = worker.read_documents(&["x.docx".into()]).expect_err("dies");
            assert!(matches!(error, ExtractError::WorkerDied { .. }), "{error}");
            assert_eq!(worker.process_id(), None);
        }
    }
}
