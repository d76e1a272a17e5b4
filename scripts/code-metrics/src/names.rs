//! Names of types and functions, and the length of functions.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use proc_macro2::Span;
use syn::{
    Attribute, File, Ident, ImplItemFn, ItemEnum, ItemFn, ItemImpl, ItemMod, ItemStruct, ItemTrait,
    ItemType, ItemUnion, Visibility, spanned::Spanned, visit::Visit,
};

/// Longest function.
const MAX_FUNCTION_LINES: usize = 80;

/// What the files name.
#[derive(Default)]
pub(crate) struct Names {
    types: BTreeMap<String, Vec<PathBuf>>,
    /// Name, file, line, whether it is public in any way.
    functions: Vec<(String, PathBuf, usize, bool)>,
    long: Vec<String>,
    path: PathBuf,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        path.is_ident("test")
            || (path.is_ident("cfg")
                && attribute.parse_args::<syn::Meta>().is_ok_and(|m| m.path().is_ident("test")))
    })
}

fn is_test_file(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name == "tests" || name == "tests.rs" || name.ends_with("_tests.rs") || name == "benches"
    })
}

impl Names {
    /// Adds what `file` defines; tests only count for the length of functions.
    pub(crate) fn add_file(&mut self, path: &Path, file: &File) {
        if is_test_file(path) {
            return;
        }
        self.path = path.to_owned();
        self.visit_file(file);
    }

    fn add_type(&mut self, name: &Ident) {
        self.types.entry(name.to_string()).or_default().push(self.path.clone());
    }

    fn add_function(&mut self, name: &Ident, whole: Span, public: bool) {
        let lines = whole.end().line - whole.start().line + 1;
        let line = name.span().start().line;
        if lines > MAX_FUNCTION_LINES {
            self.long.push(format!("{lines} {}:{line} {name}", self.path.display()));
        }
        self.functions.push((name.to_string(), self.path.clone(), line, public));
    }

    /// Prints the counts, and with `list` what exceeds them.
    pub(crate) fn print(&self, list: bool) {
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        let repeated: Vec<_> = self.types.iter().filter(|(_, paths)| paths.len() > 1).collect();
        let definitions: usize = self.types.values().map(Vec::len).sum();
        let in_repeated: usize = repeated.iter().map(|(_, paths)| paths.len()).sum();
        println!(
            "type names defined more than once: {} of {} ({:.1} %); definitions that share a name: {in_repeated} of {definitions} ({:.1} %)",
            repeated.len(),
            self.types.len(),
            share(repeated.len(), self.types.len()),
            share(in_repeated, definitions),
        );
        if list {
            for (name, paths) in repeated {
                let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
                println!("  {name} x{}: {}", paths.len(), paths.join(" "));
            }
        }
        let one_word: Vec<_> = self
            .functions
            .iter()
            .filter(|(name, ..)| !name.trim_matches('_').contains('_'))
            .collect();
        println!(
            "one-word function names: {} of {} ({:.1} %)",
            one_word.len(),
            self.functions.len(),
            share(one_word.len(), self.functions.len()),
        );
        if list {
            for (name, path, line, public) in one_word {
                let public = if *public { "pub " } else { "" };
                println!("  {public}{name} {}:{line}", path.display());
            }
        }
        println!("functions over {MAX_FUNCTION_LINES} lines: {}", self.long.len());
        if list {
            self.long.iter().for_each(|line| println!("  {line}"));
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    !matches!(visibility, Visibility::Inherited)
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add_type(&item.ident);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add_type(&item.ident);
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.add_type(&item.ident);
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        self.add_type(&item.ident);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.add_type(&item.ident);
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.add_function(&item.sig.ident, item.span(), true);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if item.trait_.is_none() && !is_test(&item.attrs) {
            syn::visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if !is_test(&item.attrs) {
            self.add_function(&item.sig.ident, item.span(), is_public(&item.vis));
            syn::visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test(&item.attrs) {
            self.add_function(&item.sig.ident, item.span(), is_public(&item.vis));
            syn::visit::visit_item_fn(self, item);
        }
    }
}
