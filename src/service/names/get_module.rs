//! `get_module`: an ASN.1 module or OpenAPI file of a version, in one text.

use super::list_names::choose_entry;
use crate::service::{Operation, Service, internal_failure, require_definitions};
use accounts::Caller;
use wire::{
    Failure,
    params::GetModule,
    records::{ModuleSummary, ModuleText},
};

impl Operation for GetModule {
    fn run(self, service: &Service, _caller: &Caller) -> Result<ModuleText, Failure> {
        let snapshot = service.store.snapshot();
        let entry = choose_entry(&snapshot, &self.doc_number, self.version.as_deref())?;
        require_definitions(&snapshot, entry)?;
        let modules = snapshot.names().modules(entry.id).map_err(internal_failure)?;
        let summaries = modules
            .iter()
            .map(|module| ModuleSummary {
                name: module.name.clone(),
                characters: module.text.chars().count() as u64,
            })
            .collect();
        let mut reply = ModuleText {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            modules: summaries,
            text: None,
            next_char_offset: None,
        };
        let Some(wanted) = self.module.as_deref().map(str::trim) else { return Ok(reply) };
        let Some(module) = modules.into_iter().find(|module| module.name == wanted) else {
            let message = format!(
                "{} {} has no module '{wanted}'. Omit module to list its modules.",
                reply.doc_number, reply.version
            );
            return Err(Failure::InvalidParameter { parameter: "module", message });
        };
        let (start, length) = (self.char_offset as usize, self.max_chars as usize);
        let part: String = module.text.chars().skip(start).take(length).collect();
        let end = start.saturating_add(length);
        reply.next_char_offset = module.text.chars().nth(end).map(|_| end as u64);
        reply.text = Some(part);
        Ok(reply)
    }
}
