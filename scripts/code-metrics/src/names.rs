//! Names of types and functions, and the length of functions.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use proc_macro2::Span;
use syn::{
    Attribute, File, Ident, ImplItemFn, ItemEnum, ItemFn, ItemImpl, ItemMod, ItemStruct, ItemTrait,
    ItemType, ItemUnion, Visibility, spanned::Spanned, visit::Visit,
};

use crate::{CodeMetrics, MAX_FUNCTION_LINES};

/// What the files name.
#[derive(Default)]
pub(crate) struct Names {
    types: BTreeMap<String, Vec<PathBuf>>,
    functions: Vec<Function>,
    long: Vec<String>,
    path: PathBuf,
}

struct Function {
    name: String,
    file: PathBuf,
    line: usize,
    is_public: bool,
}

impl Function {
    fn has_one_word(&self) -> bool {
        !self.name.trim_matches('_').contains('_')
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let public = if self.is_public { "pub " } else { "" };
        write!(f, "{public}{} {}:{}", self.name, self.file.display(), self.line)
    }
}

pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        path.is_ident("test")
            || (path.is_ident("cfg")
                && attribute.parse_args::<syn::Meta>().is_ok_and(|m| m.path().is_ident("test")))
    })
}

pub(crate) fn is_test_file(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name == "tests" || name == "tests.rs" || name.ends_with("_tests.rs") || name == "benches"
    })
}

impl Names {
    /// Adds what `file` defines, unless it is a test.
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

    fn add_function(&mut self, name: &Ident, whole: Span, is_public: bool) {
        let lines = whole.end().line - whole.start().line + 1;
        let line = name.span().start().line;
        if lines > MAX_FUNCTION_LINES {
            self.long.push(format!("{lines} {}:{line} {name}", self.path.display()));
        }
        let file = self.path.clone();
        self.functions.push(Function { name: name.to_string(), file, line, is_public });
    }

    /// What was counted, without the files.
    pub(crate) fn into_metrics(self) -> CodeMetrics {
        let definition_count = self.types.values().map(Vec::len).sum();
        let type_count = self.types.len();
        let function_count = self.functions.len();
        let one_word = self.functions.into_iter().filter(Function::has_one_word);
        CodeMetrics {
            type_count,
            definition_count,
            repeated_types: self.types.into_iter().filter(|(_, files)| files.len() > 1).collect(),
            function_count,
            one_word_functions: one_word.map(|function| function.to_string()).collect(),
            long_functions: self.long,
            ..CodeMetrics::default()
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
