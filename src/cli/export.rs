//! `specbox export modules`: the ASN.1 modules and OpenAPI files of a document as files for a compiler.

use std::{fs, path::Path, process::ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{
    arguments::GlobalArgs,
    data_folders::FolderNeed,
    outcome::print_result,
    refusals::OperationRefusal,
    session::{CommandOutcome, CommandSession},
};
use crate::control::ControlRequest;
use wire::OperationDeclaration;
use wire::{params::GetModule, records::ModuleText};

/// Writes each module of a document to a file of its name below `out`.
pub(super) fn export_modules(
    global: &GlobalArgs,
    doc_number: String,
    version: Option<String>,
    out: &Path,
) -> Result<ExitCode> {
    let request = GetModule { doc_number, version, max_chars: 10_000_000, ..GetModule::default() };
    let session = CommandSession::open(global, FolderNeed::Index)?;
    let list = get_module(&session, &request)?;
    if list.modules.is_empty() {
        bail!("{} {} has no ASN.1 module and no OpenAPI file", list.doc_number, list.version);
    }
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let mut written = Vec::new();
    for module in &list.modules {
        let wanted = GetModule {
            module: Some(module.name.clone()),
            version: Some(list.version.clone()),
            ..request.clone()
        };
        let reply = get_module(&session, &wanted)?;
        if reply.next_char_offset.is_some() {
            bail!("{} is too long for one file", module.name);
        }
        let path = out.join(file_name(&module.name));
        fs::write(&path, reply.text.unwrap_or_default())
            .with_context(|| format!("cannot write {}", path.display()))?;
        written.push(path);
    }
    print_result(
        global,
        &json!({
            "doc_number": list.doc_number,
            "version": list.version,
            "written": written,
        }),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the operation.
fn get_module(session: &CommandSession, parameters: &GetModule) -> Result<ModuleText> {
    let operation = GetModule::NAME.to_owned();
    let arguments = serde_json::to_value(parameters)?;
    match session.execute(&ControlRequest::Call { operation, arguments })? {
        CommandOutcome::Refused(body) => bail!(OperationRefusal { body }),
        CommandOutcome::Done(reply) => Ok(serde_json::from_value(reply.to_json()?)?),
    }
}

/// The file of a module: an OpenAPI file keeps its name, ASN.1 gets an ending. Characters with which it could leave
/// the folder are replaced.
fn file_name(module: &str) -> String {
    let name: String = module
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect();
    let name = name.trim_start_matches('.');
    let is_file = [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
    if is_file { name.to_owned() } else { format!("{name}.asn") }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_module_is_a_file_within_the_folder() {
        assert_eq!(file_name("NR-RRC-Definitions"), "NR-RRC-Definitions.asn");
        assert_eq!(file_name("TS29571_CommonData.yaml"), "TS29571_CommonData.yaml");
        assert_eq!(file_name("../a/b"), "_a_b.asn");
    }
}
