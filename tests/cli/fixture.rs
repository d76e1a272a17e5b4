//! One index of the sample corpus for all tests of this program, and the program over it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    sync::LazyLock,
};

use crate::{
    installed_models::models_installed,
    program::{json, run, sample, specbox},
    trials::Missing,
};

/// The data folder with the sample corpus and its meetings, where the models are installed. It has no server: commands take
/// turns.
pub(crate) fn data() -> Result<&'static Path, Missing> {
    static DATA: LazyLock<Result<PathBuf, Missing>> = LazyLock::new(|| {
        models_installed().map(|()| {
            // Statics are not dropped: the folder of the last run is taken away by the next one.
            let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
            let _ = fs::remove_dir_all(&data);
            json(specbox(&data).arg("ingest").arg(sample()));
            let mirror = sample().with_file_name("mirror");
            json(specbox(&data).args(["meetings", "import"]).arg(mirror.join("meetings.csv")));
            json(specbox(&data).args(["tdocs", "import"]).arg(&mirror));
            let mut sync = specbox(&data);
            json(sync.env("SPECBOX_MIRROR", &mirror).args([
                "sync",
                "tdocs",
                "--meeting",
                "R1-190",
            ]));
            data
        })
    });
    DATA.as_deref().map_err(Missing::clone)
}

/// What a command over the fixture prints when it ends well.
pub(crate) fn text(arguments: &[&str]) -> Result<String, Missing> {
    let output = ran(arguments)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} failed: {errors}");
    Ok(String::from_utf8(output.stdout).expect("text"))
}

/// What a command over the fixture says when it fails.
pub(crate) fn error(arguments: &[&str]) -> Result<String, Missing> {
    let output = ran(arguments)?;
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?} printed something");
    Ok(String::from_utf8(output.stderr).expect("text"))
}

/// A command over the fixture, run to its end.
pub(crate) fn ran(arguments: &[&str]) -> Result<Output, Missing> {
    Ok(run(specbox(data()?).args(arguments)))
}
