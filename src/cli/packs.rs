//! `specbox backup`, `restore`, `pack` and `keys`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::AtomicBool,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::{
    arguments::GlobalArgs,
    configuration::{Configuration, data_folder},
    data_folders::find_settings_folder,
    outcome::{absolute_path, depot_location, execute_and_print, exit_code, print_result},
    output::print_text,
    pack_arguments::{BackupArgs, KeysCommand, PackCommand, RestoreArgs, SigningArgs, TrustArgs},
    progress::ProgressView,
    session::{self, stop_on_ctrl_c},
};
use crate::{
    control::ControlRequest,
    jobs::{
        BackupOptions, BuildPacks, EmbedDepot, HiddenText, Job, JobProgress, JobStep,
        PackBuildOptions, RestoreOptions, SecretsChoice, Shard, SigningKeyText, TakeOptions,
        TrustChoice, publish_packs, restore_backup, verify_backup,
    },
    service::Service,
};
use object_storage::open_depot;
use pack::{Depot, KeyFiles, SecretsKey, SigningKey};
use retrieval::Models;
use store::{DataFolder, ModelRow};

/// Backs the index up, or reads the newest backup back.
pub(super) fn back_up(global: &GlobalArgs, args: &BackupArgs) -> Result<ExitCode> {
    let destination = depot_location(&args.destination)?;
    if args.verify {
        stop_on_ctrl_c()?;
        let mut view = ProgressView::new();
        let mut step = |done, total| view.show_step(done, total, "packs");
        let trust = match args.trust.as_slice() {
            [] => TrustChoice::Anyone,
            keys => TrustChoice::Keys(read_keys(keys)?),
        };
        let trust = trust.parse()?;
        let manifest = args.manifest.as_ref();
        let report =
            verify_backup(&destination, manifest, &trust, &session::STOP_REQUESTED, &mut step)?;
        view.finish();
        print_result(global, &report)?;
        return Ok(exit_code(report.faults.is_empty() && !report.interrupted));
    }
    let secrets = match (&args.passphrase_file, &args.recipient, args.without_accounts) {
        (Some(file), _, _) => SecretsChoice::Passphrase(HiddenText(read_line(file)?)),
        (_, Some(recipient), _) => SecretsChoice::Recipient(recipient.clone()),
        (None, None, true) => SecretsChoice::Without,
        (None, None, false) => bail!(
            "a backup contains accounts, certificates and settings, encrypted; add --passphrase-file or \
             --recipient, or leave them out with --without-accounts"
        ),
    };
    let folder = data_folder(global)?;
    if !folder.has_index()? {
        bail!(
            "there is no index in {}; set the data folder with --data-dir",
            folder.root().display()
        );
    }
    let key = read_signing_key(&args.signing)?;
    let options = BackupOptions { destination, secrets, key };
    execute_and_print(global, ControlRequest::Backup(options))
}

/// Creates a data folder from a backup.
pub(super) fn restore(global: &GlobalArgs, args: &RestoreArgs) -> Result<ExitCode> {
    stop_on_ctrl_c()?;
    let folder = data_folder(global)?;
    let key = match (&args.passphrase_file, &args.identity) {
        (Some(file), _) => Some(SecretsKey::Passphrase(read_line(file)?)),
        (None, Some(file)) => Some(SecretsKey::parse_identity(&read_text(file)?)?),
        (None, None) => None,
    };
    // The folder that is restored has no configuration yet: only what the command line says is trusted.
    if args.trust.trust.is_empty() && !args.trust.allow_unsigned {
        bail!(
            "no key is trusted; add --trust KEY, or accept unsigned backups with --allow-unsigned"
        );
    }
    let trust = to_trust(&args.trust, &[])?;
    let source = depot_location(&args.source)?;
    let options = RestoreOptions {
        source: &source,
        manifest: args.trust.manifest,
        trust: trust.parse()?,
        key,
        target: folder.root(),
        model: default_model(global)?,
        skip_damaged: args.skip_damaged,
        ingest: &Configuration::default().ingest_settings()?,
    };
    let mut view = ProgressView::new();
    let mut step = |done, total| view.show_step(done, total, "packs");
    let report = restore_backup(&options, &session::STOP_REQUESTED, &mut step)?;
    view.finish();
    print_result(global, &report)?;
    if !report.with_accounts {
        eprintln!("accounts and settings were not restored; the first start creates new ones");
    }
    Ok(exit_code(report.import.damaged.is_empty()))
}

/// The model of an index without any: the shipped default.
fn default_model(global: &GlobalArgs) -> Result<ModelRow> {
    let settings = Configuration::default().model_settings(global)?;
    let name = settings.text_embedding(None);
    Ok(Models::new(settings).to_model_row(&name)?)
}

/// Runs a command about packs.
pub(super) fn run_pack_command(global: &GlobalArgs, command: PackCommand) -> Result<ExitCode> {
    match command {
        PackCommand::Build { paths, out, shard, drafts, signing } => {
            let paths = paths.iter().map(absolute_path).collect::<Result<_>>()?;
            let (shard, is_share) = (shard.unwrap_or(Shard::WHOLE), shard.is_some());
            let options = PackBuildOptions { paths, shard, drafts };
            let depot = open_depot(&depot_location(&out)?)?;
            let key = parse_signing_key(&signing, is_share)?;
            let report = with_scratch_index(global, &depot, |service, cancel| {
                let mut view = ProgressView::new();
                let mut sink = |event| view.show_ingest_event(&event);
                let build = BuildPacks { depot: &depot, options: &options };
                let report = build.run(&service.jobs, JobProgress { cancel, sink: &mut sink })?;
                view.finish();
                Ok(report)
            })?;
            let is_complete = !report.interrupted && report.refused.is_empty();
            finish_bulk(global, &depot, &report, !is_share && !report.interrupted, key.as_ref())?;
            Ok(exit_code(is_complete))
        }
        PackCommand::Embed { depot, model, shard, signing } => {
            let depot = open_existing(&depot)?;
            let (shard, is_share) = (shard.unwrap_or(Shard::WHOLE), shard.is_some());
            let key = parse_signing_key(&signing, is_share)?;
            let report = with_scratch_index(global, &depot, |service, cancel| {
                let mut view = ProgressView::new();
                let mut sink = |JobStep { done, total }| view.show_step(done, total, "packs");
                let embed = EmbedDepot { depot: &depot, model: model.as_deref(), shard };
                let report = embed.run(&service.jobs, JobProgress { cancel, sink: &mut sink })?;
                view.finish();
                Ok(report)
            })?;
            finish_bulk(global, &depot, &report, !is_share && !report.interrupted, key.as_ref())?;
            Ok(exit_code(!report.interrupted))
        }
        PackCommand::Publish { depot, signing } => {
            let depot = open_existing(&depot)?;
            let key = parse_signing_key(&signing, false)?;
            finish_bulk(global, &depot, &serde_json::json!({}), true, key.as_ref())?;
            Ok(ExitCode::SUCCESS)
        }
        PackCommand::Take { source, trust } => {
            let configuration = Configuration::load(&find_settings_folder(global)?)?;
            let manifest = trust.manifest;
            let trust = to_trust(&trust, configuration.trusted_keys())?;
            let source = depot_location(&source)?;
            let options = TakeOptions { source, manifest, trust };
            execute_and_print(global, ControlRequest::TakePacks(options))
        }
    }
}

/// A depot that exists.
pub(super) fn open_existing(location: &str) -> Result<Depot> {
    let depot = open_depot(&depot_location(location)?)?;
    match depot.local_folder().filter(|folder| !folder.exists()) {
        Some(folder) => bail!("folder {} does not exist", folder.display()),
        None => Ok(depot),
    }
}

/// The key that signs the manifest; a share publishes none.
pub(super) fn parse_signing_key(args: &SigningArgs, is_share: bool) -> Result<Option<SigningKey>> {
    if is_share && args.key.is_some() {
        bail!(
            "--key cannot be used with --shard: a share publishes no manifest; sign it with `specbox \
             pack publish --key`"
        );
    }
    let key = read_signing_key(args)?;
    let parse = |key: SigningKeyText| -> Result<SigningKey> {
        Ok(SigningKey::parse(&key.file.0, key.password.map(|password| password.0))?)
    };
    key.map(parse).transpose()
}

/// Runs work in an index of its own, which is removed afterwards. It is in the depot, which has room for the packs,
/// or among the temporary files if the depot is object storage.
fn with_scratch_index<T>(
    global: &GlobalArgs,
    depot: &Depot,
    work: impl FnOnce(&Service, &AtomicBool) -> Result<T>,
) -> Result<T> {
    stop_on_ctrl_c()?;
    let parent = depot.local_folder().map_or_else(env::temp_dir, Path::to_owned);
    remove_abandoned_scratch(&parent);
    // Processes of several machines and containers share the depot.
    let scratch = parent.join(format!("specbox-scratch-{:016x}", rand::random::<u64>()));
    let folder = DataFolder::new(&scratch);
    folder.create_folders()?;
    let lock = folder.acquire_lock()?;
    let done = session::open_service(&folder, lock, global)
        .and_then(|service| work(&service, &session::STOP_REQUESTED));
    fs::remove_dir_all(&scratch).with_context(|| format!("cannot remove {}", scratch.display()))?;
    done
}

/// Removes what processes left that were killed a day ago or longer. A younger folder may be one that another process
/// has just made and not locked yet.
fn remove_abandoned_scratch(parent: &Path) {
    const ABANDONED_AFTER: Duration = Duration::from_secs(86_400);
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_scratch = entry.file_name().to_string_lossy().starts_with("specbox-scratch-");
        let age = entry.metadata().and_then(|metadata| metadata.modified());
        let age = age.ok().and_then(|modified| modified.elapsed().ok());
        let is_old = age.is_some_and(|age| age > ABANDONED_AFTER);
        // A process that still runs holds the lock.
        if is_scratch && is_old && DataFolder::new(entry.path()).acquire_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Prints what was done, with the manifest that is published now.
fn finish_bulk(
    global: &GlobalArgs,
    depot: &Depot,
    report: &impl Serialize,
    is_published: bool,
    key: Option<&SigningKey>,
) -> Result<()> {
    let mut printed = serde_json::to_value(report)?;
    if is_published {
        let (manifest, packs) = publish_packs(depot, key)?;
        printed["manifest"] = manifest.to_string().into();
        printed["listed"] = packs.into();
    }
    print_result(global, &printed)
}

/// Runs a command about signing keys.
pub(super) fn run_keys_command(command: KeysCommand) -> Result<()> {
    match command {
        KeysCommand::Create { file, password_file } => {
            let password = password_file.as_deref().map(read_line).transpose()?;
            let mut public = file.clone().into_os_string();
            public.push(".pub");
            if Path::new(&public).exists() {
                bail!("{} already exists", Path::new(&public).display());
            }
            let keys = KeyFiles::generate(password)?;
            write_new(&file, &keys.secret, 0o600)?;
            write_new(Path::new(&public), &keys.public, 0o644)?;
            print_text(&format!("{}\n", keys.trusted))
        }
        KeysCommand::Sign { depot, signing } => {
            let key = read_signing_key(&signing)?.context("no key to sign with; add --key FILE")?;
            let password = key.password.map(|password| password.0);
            let key = SigningKey::parse(&key.file.0, password)?;
            let depot = open_existing(&depot)?;
            let name = depot.latest_manifest()?.context("the folder contains no manifest")?;
            depot.sign_manifest(&name, &key)?;
            print_text(&format!("{name} is signed by {}\n", key.trusted_key()?.key_id()))
        }
    }
}

fn read_signing_key(args: &SigningArgs) -> Result<Option<SigningKeyText>> {
    let Some(file) = &args.key else { return Ok(None) };
    let password = args.key_password_file.as_deref().map(read_line).transpose()?;
    let file = HiddenText(read_text(file)?);
    Ok(Some(SigningKeyText { file, password: password.map(HiddenText) }))
}

/// Whose signature is required: that of keys on the command line, or of configured ones.
pub(super) fn to_trust(args: &TrustArgs, configured: &[String]) -> Result<TrustChoice> {
    if args.allow_unsigned {
        return Ok(TrustChoice::Anyone);
    }
    let mut keys = read_keys(&args.trust)?;
    keys.extend(configured.iter().cloned());
    if keys.is_empty() {
        bail!(
            "no key is trusted; add --trust KEY, set packs.trusted_keys in specbox.toml, or accept \
             unsigned packs with --allow-unsigned"
        );
    }
    Ok(TrustChoice::Keys(keys))
}

/// Keys by their lines or by their files.
fn read_keys(given: &[String]) -> Result<Vec<String>> {
    let read = |key: &String| {
        let path = Path::new(key);
        // The line of a key is base64, which has slashes too, but no dots.
        if path.exists() || key.contains('.') { read_text(path) } else { Ok(key.clone()) }
    };
    given.iter().map(read).collect()
}

/// The first line of a file, without its end.
fn read_line(file: impl AsRef<Path>) -> Result<String> {
    let file = file.as_ref();
    let line = read_text(file)?.lines().next().unwrap_or_default().to_owned();
    if line.is_empty() {
        bail!(
            "the first line of {} is empty; put the passphrase, password or key there",
            file.display()
        );
    }
    Ok(line)
}

fn read_text(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Writes a file that must not exist yet: a key that is overwritten is lost.
fn write_new(path: &Path, text: &str, mode: u32) -> Result<()> {
    durable_file::write_new_file(path, text.as_bytes(), mode)
        .with_context(|| format!("cannot write {}", PathBuf::from(path).display()))
}
