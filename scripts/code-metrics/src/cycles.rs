//! Files that import each other in a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{File, Item, ItemMod, UseTree, visit::Visit};

/// Which file names which.
#[derive(Default)]
pub(crate) struct Graph {
    /// File -> module paths it names, resolved against its crate.
    named: BTreeMap<PathBuf, BTreeSet<Vec<String>>>,
    /// Module path (crate folder first) -> file.
    modules: BTreeMap<Vec<String>, PathBuf>,
    /// Path under which an item is re-exported -> path it has below the crate.
    exported: BTreeMap<Vec<String>, Vec<String>>,
}

/// The folder of the crate and the module path of a file below its `src`.
fn module_path(path: &Path) -> Option<Vec<String>> {
    let text = path.to_string_lossy().replace('\\', "/");
    let (root, inside) = match text.rfind("/src/") {
        Some(at) => (text[..at].to_owned(), text[at + 5..].to_owned()),
        None => (".".to_owned(), text.strip_prefix("src/")?.to_owned()),
    };
    let mut module = vec![root];
    let inside = inside.strip_suffix(".rs")?;
    for part in inside.split('/').filter(|part| *part != "mod") {
        module.push(part.to_owned());
    }
    if matches!(module.last().map(String::as_str), Some("lib" | "main")) {
        module.pop();
    }
    Some(module)
}

fn is_test_module(item: &ItemMod) -> bool {
    item.attrs.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Meta>().is_ok_and(|meta| meta.path().is_ident("test"))
    })
}

/// Collects the paths of a file that begin with `crate`, `self`, `super`, or a module that it declares, those in macros too.
struct Paths<'a> {
    module: &'a [String],
    /// The modules that it declares.
    children: BTreeSet<String>,
    found: BTreeSet<Vec<String>>,
    /// Names that are re-exported, with the paths behind them.
    exported: Vec<(String, Vec<String>)>,
}

impl Paths<'_> {
    /// The path below the crate that `path` means in this file; in a re-export a bare first name is
    /// a child module.
    fn resolve(&self, path: &[String], is_export: bool) -> Option<Vec<String>> {
        let mut base = match path.first().map(String::as_str) {
            Some("crate") => self.module[..1].to_vec(),
            Some("self" | "super") => self.module.to_vec(),
            Some(first) if path.len() > 1 && self.children.contains(first) => self.module.to_vec(),
            _ if is_export => self.module.to_vec(),
            _ => return None,
        };
        for part in path {
            match part.as_str() {
                "crate" | "self" => {}
                "super" => {
                    base.pop();
                }
                name => base.push(name.to_owned()),
            }
        }
        Some(base)
    }

    fn add(&mut self, path: &[String]) {
        self.found.extend(self.resolve(path, false));
    }

    /// Adds the paths in the tokens of a macro, which have no syntax that is known here.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        // Colons since the last name: two continue a path.
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    self.add(&std::mem::take(&mut path));
                    self.add_tokens(group.stream());
                }
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.add(&std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.add(&std::mem::take(&mut path));
                    colons = 0;
                }
            }
        }
        self.add(&path);
    }

    fn add_export(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_export(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) => {
                let mut path = prefix.clone();
                path.push(name.ident.to_string());
                let resolved = self.resolve(&path, true);
                self.exported.extend(resolved.map(|path| (name.ident.to_string(), path)));
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_export(tree, prefix));
            }
            UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }

    fn add_tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_tree(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) => {
                prefix.push(name.ident.to_string());
                self.add(prefix);
                prefix.pop();
            }
            UseTree::Rename(rename) => {
                prefix.push(rename.ident.to_string());
                self.add(prefix);
                prefix.pop();
            }
            UseTree::Glob(_) => self.add(prefix),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(tree, prefix));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if is_test_module(module) => {}
            // A parent that re-exports what its children hold is a face, not a use of them.
            Item::Use(item) if !matches!(item.vis, syn::Visibility::Inherited) => {
                self.add_export(&item.tree, &mut Vec::new());
            }
            Item::Use(item) => self.add_tree(&item.tree, &mut Vec::new()),
            item => syn::visit::visit_item(self, item),
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.add_tokens(call.tokens.clone());
        syn::visit::visit_macro(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        self.add(&parts);
        syn::visit::visit_path(self, path);
    }
}

impl Graph {
    pub(crate) fn add_file(&mut self, path: &Path, file: &File) {
        let Some(module) = module_path(path) else { return };
        if module.iter().any(|part| part == "tests" || part.ends_with("_tests")) {
            return;
        }
        let declared = file.items.iter().filter_map(|item| match item {
            Item::Mod(child) if child.content.is_none() && !is_test_module(child) => {
                Some(child.ident.to_string())
            }
            _ => None,
        });
        let children = declared.collect();
        let mut paths =
            Paths { module: &module, children, found: BTreeSet::new(), exported: Vec::new() };
        paths.visit_file(file);
        for (name, behind) in paths.exported {
            let mut face = module.clone();
            face.push(name);
            self.exported.insert(face, behind);
        }
        self.named.insert(path.to_owned(), paths.found);
        self.modules.insert(module, path.to_owned());
    }

    /// The file that holds the longest module path that starts `path`; an item of the crate's root
    /// counts as none.
    fn file_of(&self, path: &[String]) -> Option<&PathBuf> {
        let face = (2..=path.len()).find_map(|length| {
            // A function may have the name of the module that holds it; then the module is meant.
            let behind = self.exported.get(&path[..length])?;
            if self.modules.contains_key(&path[..length]) {
                return None;
            }
            Some(behind.iter().chain(&path[length..]).cloned().collect::<Vec<_>>())
        });
        if let Some(behind) = face.filter(|behind| behind != path) {
            return self.file_of(&behind);
        }
        (2..=path.len()).rev().find_map(|length| self.modules.get(&path[..length]))
    }

    fn edges(&self) -> BTreeMap<&PathBuf, BTreeSet<&PathBuf>> {
        self.named
            .iter()
            .map(|(path, named)| {
                let files = named.iter().filter_map(|name| self.file_of(name));
                (path, files.filter(|other| !is_folder_of(other, path)).collect())
            })
            .collect()
    }

    /// The circles of more than one file, longest first.
    pub(crate) fn cycles(&self) -> Vec<Vec<PathBuf>> {
        let circles = components(&self.edges());
        circles.into_iter().map(|circle| circle.into_iter().cloned().collect()).collect()
    }
}

/// Whether a file is another one itself, or the face of a folder that it is in. What files of a folder share may be in its face,
/// which uses them.
fn is_folder_of(face: &Path, file: &Path) -> bool {
    let (Some(face), Some(file)) = (module_path(face), module_path(file)) else { return false };
    file.starts_with(&face)
}

/// Strongly connected components of more than one node: nodes that reach each other.
fn components<'a>(edges: &BTreeMap<&'a PathBuf, BTreeSet<&'a PathBuf>>) -> Vec<Vec<&'a PathBuf>> {
    let reach = |start: &'a PathBuf| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for next in edges.get(node).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        edges.keys().map(|node| (*node, reach(node))).collect();
    let mut done = BTreeSet::new();
    let mut circles = Vec::new();
    for (node, from_it) in &reached {
        if done.contains(node) || !from_it.contains(node) {
            continue;
        }
        let circle: Vec<&PathBuf> =
            from_it.iter().filter(|other| reached[*other].contains(node)).copied().collect();
        done.extend(circle.iter().copied());
        if circle.len() > 1 {
            circles.push(circle);
        }
    }
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(files: &[(&str, &str)]) -> Vec<Vec<PathBuf>> {
        let mut graph = Graph::default();
        for (path, code) in files {
            graph.add_file(Path::new(path), &syn::parse_file(code).expect("Rust"));
        }
        graph.cycles()
    }

    #[test]
    fn circles_through_child_modules_macros_and_reexports_are_found() {
        let circle = cycles(&[
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a/mod.rs", "mod list; pub fn path() { list::show(); }"),
            ("src/a/list.rs", "pub fn show() { html! { a href=(crate::b::path()) {} } }"),
            ("src/b/mod.rs", "mod page; pub use page::path;"),
            ("src/b/page.rs", "use crate::a::path as other; pub fn path() { other(); }"),
        ]);
        assert_eq!(circle.len(), 1, "{circle:?}");
        assert_eq!(circle[0].len(), 3, "{circle:?}");
    }

    #[test]
    fn what_a_file_takes_from_its_folder_is_no_circle() {
        let files = [
            ("src/lib.rs", "mod a;"),
            ("src/a/mod.rs", "mod list; pub fn shared() {} pub fn all() { list::show(); }"),
            ("src/a/list.rs", "pub fn show() { super::shared(); }"),
        ];
        assert_eq!(cycles(&files), Vec::<Vec<PathBuf>>::new());
    }
}
