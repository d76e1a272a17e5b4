//! One server for all tests of this program, over the sample corpus with vectors.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use crate::{
    client::Client,
    installed_models::models_installed,
    own::{import_meetings, sync_tdocs},
    program::{json, sample, specbox},
    server::RunningServer,
    trials::Missing,
};

/// The shared server and a key for it.
pub(crate) struct Fixture {
    /// Data folder, for commands beside the server.
    pub(crate) data: PathBuf,
    /// The server.
    pub(crate) server: RunningServer,
    /// A key that is accepted.
    pub(crate) key: String,
}

/// The fixture, where the models are installed.
pub(crate) fn fixture() -> Result<&'static Fixture, Missing> {
    static FIXTURE: LazyLock<Result<Fixture, Missing>> = LazyLock::new(|| {
        models_installed().map(|()| {
            // Statics are not dropped: the folder of the last run is taken away by the next one.
            let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
            let _ = fs::remove_dir_all(&data);
            let report = json(specbox(&data).arg("ingest").arg(sample()));
            assert_eq!(report["taken"].as_array().map(Vec::len), Some(13), "{report:#}");
            assert_eq!(report["refused"].as_array().map(Vec::len), Some(0), "{report:#}");
            import_meetings(&data);
            sync_tdocs(&data);
            let made = json(specbox(&data).args(["key", "create", "--name", "tests"]));
            let key = made["key"].as_str().expect("a key").to_owned();
            let server = RunningServer::start(&data, "auto");
            Fixture { data, server, key }
        })
    });
    FIXTURE.as_ref().map_err(Missing::clone)
}

impl Fixture {
    /// A client with the key.
    pub(crate) fn client(&self) -> Client {
        let server = &self.server;
        Client::new(&server.base_url, Some(&self.key), server.authority.as_deref())
    }
}
