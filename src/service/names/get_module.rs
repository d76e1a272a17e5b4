//! `get_module`: a module of ASN.1, or an OpenAPI file, as it stands in a version, in one text.

use asn1::{ItemBody, read_notation};
use names::{find_listing, find_openapi};

use super::list_names::choose_entry;
use crate::service::{Operation, Service, internal_failure};
use accounts::Caller;
use store::{DocumentEntry, SectionKey, Snapshot};
use wire::{
    Failure, Route, ToolEffect, ToolFacts,
    params::GetModule,
    records::{ModuleSummary, ModuleText},
};

impl Operation for GetModule {
    const NAME: &'static str = "get_module";
    const ROUTE: Route = Route::get("/names/module");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Read an ASN.1 module or OpenAPI file",
        advice: "Use this only for a whole module or file that a compiler accepts: a long text, returned in parts. \
            For one definition, use lookup_name. Without module, it lists the modules of the document.",
        rest: "Request the next part with char_offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    type Reply = ModuleText;

    fn run(self, service: &Service, _caller: &Caller) -> Result<ModuleText, Failure> {
        let snapshot = service.store.snapshot();
        let entry = choose_entry(&snapshot, &self.doc_number, self.version.as_deref())?;
        let modules = read_modules(&snapshot, entry)?;
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

/// A module in one text.
struct Module {
    name: String,
    text: String,
}

/// The modules of a version: its listings in order, cut where a module begins, and then its OpenAPI files.
fn read_modules(snapshot: &Snapshot, entry: &DocumentEntry) -> Result<Vec<Module>, Failure> {
    let mut modules: Vec<Module> = Vec::new();
    let mut files: Vec<Module> = Vec::new();
    let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
    let rule = snapshot.names().listing_rule(entry.id).map_err(internal_failure)?;
    for (ordinal, head) in (0u32..).zip(heads) {
        let key = SectionKey { document: entry.id, ordinal };
        let body = snapshot.documents().section_body(key).map_err(internal_failure)?;
        let Some(body) = body else { continue };
        if let Some(text) = find_openapi(&body.blocks) {
            files.push(Module { name: head.title, text: format!("{text}\n") });
            continue;
        }
        let listing = find_listing(&body.blocks).filter(|found| rule.admits(&head.number, found));
        let Some(listing) = listing else { continue };
        let notation = read_notation(&listing.text);
        let starts = notation.items.iter().filter(|item| item.body == ItemBody::ModuleStart);
        let mut from = 0;
        for start in starts {
            append(&mut modules, &listing.text[from..start.span.start]);
            modules.push(Module { name: start.name.clone(), text: String::new() });
            from = start.span.start;
        }
        append(&mut modules, &listing.text[from..]);
    }
    for module in &mut modules {
        // Some leave the end out, or print it where no listing is.
        let ends = read_notation(&module.text).items;
        if !ends.iter().any(|item| item.body == ItemBody::ModuleEnd) {
            module.text.push_str("\nEND\n");
        }
    }
    modules.extend(files);
    Ok(modules)
}

/// Adds text to the last module, in the signs that compilers take. What stands before the first module is none of it.
fn append(modules: &mut [Module], text: &str) {
    let Some(module) = modules.last_mut() else { return };
    for c in text.chars() {
        match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => module.text.push('-'),
            '\u{2026}' => module.text.push_str("..."),
            '\u{a0}' | '\u{2007}' | '\u{202f}' => module.text.push(' '),
            '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
            '\u{2018}' | '\u{2019}' => module.text.push('\''),
            '\u{201c}' | '\u{201d}' => module.text.push('"'),
            c => module.text.push(c),
        }
    }
    if !module.text.ends_with('\n') {
        module.text.push('\n');
    }
}
