//! LibreOffice as a converter of legacy files: optional, slow, and run under a time limit.

use std::{
    fs::{self, File},
    io,
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use document::Archive;
use document::ExtractError;

use super::worker;

/// Interval at which a running converter is polled. A conversion takes seconds, and the standard library has no wait
/// with a time limit.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Name of the file in the converter's folder; the real name is never on its command line.
const STEM: &str = "input";

/// The formats of a conversion, as file extensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conversion {
    from: &'static str,
    to: &'static str,
}

/// The conversion of a text.
pub(super) const DOC_TO_DOCX: Conversion = Conversion { from: "doc", to: "docx" };
/// The conversion of rich text.
pub(super) const RTF_TO_DOCX: Conversion = Conversion { from: "rtf", to: "docx" };
/// The conversion of a presentation.
pub(super) const PPT_TO_PPTX: Conversion = Conversion { from: "ppt", to: "pptx" };

/// Why a conversion failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConvertError {
    #[error("cannot create a folder for the converter: {0}")]
    Folder(#[source] io::Error),
    #[error("the converter cannot be started: {0}")]
    Start(#[source] io::Error),
    #[error("the converter took longer than {0} s")]
    Timeout(u64),
    #[error("the converter was killed by signal {0}")]
    Signal(i32),
    #[error("the converter produced no document")]
    NoOutput,
    #[error("the converted document cannot be read: {0}")]
    Read(#[from] ExtractError),
}

/// Settings that keep the converter from loading linked content from a network or from this machine: nothing listens
/// on the port of its proxy. They hold even if the kernel lacks the layers of the sandbox.
const CONVERTER_SETTINGS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetProxyType" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyPort" oor:op="fuse"><value>9</value></prop></item>
</oor:items>
"#;

/// Converts a legacy file and opens the resulting package.
pub(super) fn convert_to_archive(
    program: &Path,
    bytes: &[u8],
    name: &str,
    options: word::DocxReadOptions<'_>,
    conversion: Conversion,
) -> Result<Archive<File>, ConvertError> {
    let folder =
        tempfile::Builder::new().prefix("convert-").tempdir().map_err(ConvertError::Folder)?;
    let input = folder.path().join(format!("{STEM}.{}", conversion.from));
    fs::write(&input, bytes).map_err(ConvertError::Folder)?;
    let settings = folder.path().join("profile").join("user");
    fs::create_dir_all(&settings).map_err(ConvertError::Folder)?;
    fs::write(settings.join("registrymodifications.xcu"), CONVERTER_SETTINGS)
        .map_err(ConvertError::Folder)?;
    run_converter(program, folder.path(), conversion, options.limits.converter_wall)?;
    let output = folder.path().join("out").join(format!("{STEM}.{}", conversion.to));
    // The open file outlives its folder, which is removed on return.
    let file = open_output(&output).ok_or(ConvertError::NoOutput)?;
    Ok(Archive::open_zip(file, name, options.limits)?)
}

/// The converter reports success even when it wrote nothing, so only the file counts.
fn open_output(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    file.metadata().ok().filter(|m| m.is_file() && m.len() > 0).map(|_| file)
}

fn run_converter(
    program: &Path,
    folder: &Path,
    conversion: Conversion,
    wall: Duration,
) -> Result<(), ConvertError> {
    // The converter cannot start under the limits of a worker process.
    let mut command = converter_command(program, folder, conversion);
    let mut child =
        worker::run_with_limits_lifted(|| command.spawn()).map_err(ConvertError::Start)?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                // Processes that it left in the background are killed too.
                kill_process_group(&mut child);
                return status.signal().map_or(Ok(()), |signal| Err(ConvertError::Signal(signal)));
            }
            Ok(None) if started.elapsed() < wall => thread::sleep(POLL_INTERVAL),
            Ok(None) => {
                kill_process_group(&mut child);
                return Err(ConvertError::Timeout(wall.as_secs()));
            }
            Err(error) => {
                kill_process_group(&mut child);
                return Err(ConvertError::Start(error));
            }
        }
    }
}

/// Two converters cannot share a profile, so each run has its own; the program is a script that starts another one,
/// so it gets a process group that can be ended as a whole.
fn converter_command(program: &Path, folder: &Path, conversion: Conversion) -> Command {
    let mut profile = std::ffi::OsString::from("-env:UserInstallation=file://");
    profile.push(folder.join("profile"));
    let mut command = Command::new(program);
    command
        .arg(profile)
        .args(["--headless", "--norestore", "--convert-to", conversion.to, "--outdir"])
        .arg(folder.join("out"))
        .arg(folder.join(format!("{STEM}.{}", conversion.from)))
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    command
}

/// Kills the converter and everything it started.
fn kill_process_group(child: &mut Child) {
    // The group's id is the child's; `kill` is run because the standard library can only kill the one
    // process.
    let group = format!("-{}", child.id());
    let _ = Command::new("kill")
        .args(["-KILL", "--", &group])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

/// The path of the converter, if it is installed in one of the usual folders.
pub fn find_converter() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let names = ["soffice", "libreoffice"];
    let in_path =
        folders.flat_map(|folder| names.map(|name| folder.join(name))).find(|p| p.is_file());
    in_path.or_else(|| {
        let fixed = ["/usr/lib/libreoffice/program/soffice", "/opt/libreoffice/program/soffice"];
        fixed.iter().map(PathBuf::from).find(|path| path.is_file())
    })
}
