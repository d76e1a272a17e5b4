//! The modules of a version, in a form that compilers accept.

use asn1::ItemBody;
use serde::{Deserialize, Serialize};

use crate::{asn1_names::Asn1Listing, find_openapi, read_section::SectionBlocks};

/// A module of ASN.1, or an OpenAPI file, in one text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its name; for an OpenAPI file, the title of its section.
    pub name: String,
    /// Its text, in a form that compilers accept.
    pub text: String,
}

/// The modules of a version: its listings in order, cut where a module begins, and its OpenAPI files.
#[derive(Default)]
pub(crate) struct ModuleReader {
    modules: Vec<Module>,
    /// Whether the last of them has an end.
    has_end: bool,
    files: Vec<Module>,
}

impl ModuleReader {
    /// Reads the next section; `listing` is that of its modules.
    pub(crate) fn read_section(
        &mut self,
        section: &SectionBlocks<'_>,
        listing: Option<&Asn1Listing>,
    ) {
        if let Some(text) = find_openapi(section.blocks) {
            let name = section.title.to_owned();
            self.files.push(Module { name, text: format!("{text}\n") });
            return;
        }
        let Some(listing) = listing else { return };
        let mut from = 0;
        for item in &listing.notation.items {
            match item.body {
                ItemBody::ModuleStart => {
                    self.append(&listing.text[from..item.span.start]);
                    from = item.span.start;
                    self.end_module();
                    self.modules.push(Module { name: item.name.clone(), text: String::new() });
                }
                ItemBody::ModuleEnd => self.has_end = true,
                _ => {}
            }
        }
        self.append(&listing.text[from..]);
    }

    /// Adds text to the last module, with the characters that compilers accept: Word replaces hyphens, quotation
    /// marks and ellipses. Text before the first module is dropped.
    fn append(&mut self, text: &str) {
        let Some(module) = self.modules.last_mut() else { return };
        let lines = text.split_inclusive('\n');
        // 32.298 prints them before the names of its modules, and before `END`.
        let lines =
            lines.map(|line| line.strip_prefix(".$").or(line.strip_prefix(".#")).unwrap_or(line));
        for c in lines.flat_map(str::chars) {
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

    /// Adds the missing `END`: some modules omit it, or print it outside of a listing.
    fn end_module(&mut self) {
        let has_end = std::mem::take(&mut self.has_end);
        if let Some(module) = self.modules.last_mut()
            && !has_end
        {
            module.text.push_str("\nEND\n");
        }
    }

    /// The modules that were read.
    pub(crate) fn finish(mut self) -> Vec<Module> {
        self.end_module();
        self.modules.append(&mut self.files);
        self.modules
    }
}
