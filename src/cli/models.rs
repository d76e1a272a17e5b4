//! `specbox models`: lists, verifies and installs models.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{
    arguments::GlobalArgs,
    configuration::Configuration,
    data_folders::find_settings_folder,
    model_arguments::ModelsCommand,
    outcome::print_result,
    output::{print_json, print_text},
    terminal::{ColumnList, Screen},
};
use crate::control;
use neural::ModelEntry;
use retrieval::ModelSettings;

pub(super) fn run_models_command(global: &GlobalArgs, command: ModelsCommand) -> Result<()> {
    let settings = Configuration::load(&find_settings_folder(global)?)?.model_settings(global)?;
    match command {
        ModelsCommand::List { json: true } => list_models(&settings),
        ModelsCommand::List { json: false } => {
            print_models(&settings, &Screen::of_output(global.color))
        }
        ModelsCommand::Verify => verify_models(global, &settings),
        ModelsCommand::Add { name, from, like } => {
            add_model(global, &settings, &name, &like, &from)
        }
        ModelsCommand::Fetch { names, from, hub: _ } => {
            fetch_models(global, &settings, names, from.as_deref())
        }
    }
}

fn list_models(settings: &ModelSettings) -> Result<()> {
    let mut models = Vec::new();
    for entry in settings.registry.entries() {
        models.push(json!({
            "name": entry.name,
            "kind": entry.kind.to_string(),
            "dimension": entry.dimension,
            "licence": entry.licence,
            "hashes": if entry.unpinned.is_empty() { "known" } else { "recorded at the first installation" },
            "in_use": models_in_use(settings).contains(&entry.name),
            "state": install_state(entry, &settings.folder)?,
        }));
    }
    print_json(&json!({ "folder": settings.folder, "models": models }))
}

/// The configured models, with the default one if none is configured for text. Vectors in the data
/// folder may be those of another model: it is not opened for this.
fn models_in_use(settings: &ModelSettings) -> Vec<String> {
    let embedders = [Some(settings.text_embedding(None)), settings.image_embedding(None)];
    embedders.into_iter().flatten().chain([settings.reranker.clone()]).collect()
}

/// The models as a table for people.
fn print_models(settings: &ModelSettings, screen: &Screen) -> Result<()> {
    let mut list =
        ColumnList::new(&["Model", "Kind", "Dimension", "Licence", "In use", "State"], 0);
    let in_use = models_in_use(settings);
    for entry in settings.registry.entries() {
        list.push([
            entry.name.clone(),
            entry.kind.to_string().replace('_', " "),
            entry.dimension.to_string(),
            entry.licence.clone(),
            if in_use.contains(&entry.name) { "yes" } else { "" }.to_owned(),
            install_state(entry, &settings.folder)?.to_owned(),
        ]);
    }
    let folder = screen.palette.dim(&format!("in {}", settings.folder.display()));
    print_text(&format!("{}\n{folder}\n", list.render(screen)))
}

/// `installed`, `missing`, or `damaged`.
fn install_state(entry: &ModelEntry, folder: &Path) -> Result<&'static str> {
    Ok(control::install_state(&neural::file_states(entry, folder)?))
}

fn verify_models(global: &GlobalArgs, settings: &ModelSettings) -> Result<()> {
    for name in models_in_use(settings) {
        neural::verify_model(settings.registry.find_entry(&name)?, &settings.folder)?;
        eprintln!("{name}: all files verified");
    }
    print_result(global, &json!({ "verified": models_in_use(settings) }))
}

fn add_model(
    global: &GlobalArgs,
    settings: &ModelSettings,
    name: &str,
    like: &str,
    from: &Path,
) -> Result<()> {
    if !from.is_dir() {
        bail!("{} is not a folder", from.display());
    }
    let entry = settings
        .registry
        .add_model(name, like, from, &settings.folder)
        .with_context(|| format!("cannot add {name}"))?;
    eprintln!("{name}: installed; `specbox reindex --model {name}` recomputes the vectors with it");
    print_result(
        global,
        &json!({ "added": name, "kind": entry.kind.to_string(), "folder": settings.folder }),
    )
}

/// Installs from a folder, or from the hub when none is given.
fn fetch_models(
    global: &GlobalArgs,
    settings: &ModelSettings,
    names: Vec<String>,
    from: Option<&Path>,
) -> Result<()> {
    let names = if names.is_empty() { models_in_use(settings) } else { names };
    for name in &names {
        let entry = settings.registry.find_entry(name)?;
        match from {
            Some(folder) if !folder.is_dir() => bail!("{} is not a folder", folder.display()),
            Some(folder) => {
                // The files of a single model are in the folder itself, those of several in one
                // sub-folder for each.
                let source = if names.len() == 1 { folder.to_owned() } else { folder.join(name) };
                neural::install_from_folder(entry, &source, &settings.folder)
                    .with_context(|| format!("cannot install {name}"))?;
            }
            None => install_from_hub(entry, &settings.folder)?,
        }
        eprintln!("{name}: installed");
    }
    print_result(global, &json!({ "installed": names, "folder": settings.folder }))
}

#[cfg(feature = "hub")]
fn install_from_hub(entry: &ModelEntry, folder: &Path) -> Result<()> {
    neural::install_from_hub(entry, folder)
        .with_context(|| format!("cannot install {}", entry.name))
}

#[cfg(not(feature = "hub"))]
fn install_from_hub(_entry: &ModelEntry, _folder: &Path) -> Result<()> {
    bail!(
        "this build cannot download from the hub; use scripts/fetch-models, or build with --features hub"
    )
}
