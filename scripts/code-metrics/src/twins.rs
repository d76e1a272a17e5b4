//! Types that say the same thing under two names: enums with the same variants, structs with the same fields.

use std::{collections::BTreeSet, path::Path};

use syn::{Fields, File, ItemEnum, ItemMod, ItemStruct, visit::Visit};

use crate::names::{is_test, is_test_file};

/// Variants that an enum must have to be compared: two-valued sets are alike by chance.
const MIN_VARIANTS: usize = 3;

/// Fields that a struct must have to be compared: many have a name, a number and a text.
const MIN_FIELDS: usize = 5;

/// Share of the parts of the larger type that twins have in common, in percent.
const MIN_COMMON_PERCENT: usize = 80;

/// The types of the files, with their parts.
#[derive(Default)]
pub(crate) struct Twins {
    enums: Vec<TypeParts>,
    structs: Vec<TypeParts>,
}

struct TypeParts {
    name: String,
    parts: BTreeSet<String>,
}

impl Twins {
    /// Adds the types of `file`, unless it is a test.
    pub(crate) fn add_file(&mut self, path: &Path, file: &File) {
        if !is_test_file(path) {
            self.visit_file(file);
        }
    }

    /// The pairs of twins, the names of each in the order of the alphabet.
    pub(crate) fn into_pairs(self) -> Vec<(String, String)> {
        let mut pairs = pairs_among(&self.enums, MIN_VARIANTS);
        pairs.extend(pairs_among(&self.structs, MIN_FIELDS));
        pairs.sort();
        pairs
    }
}

fn pairs_among(types: &[TypeParts], min_common: usize) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (index, first) in types.iter().enumerate() {
        for second in &types[index + 1..] {
            let common = first.parts.intersection(&second.parts).count();
            let larger = first.parts.len().max(second.parts.len());
            if common >= min_common && 100 * common >= MIN_COMMON_PERCENT * larger {
                let (first, second) = (first.name.clone(), second.name.clone());
                pairs.push((first.clone().min(second.clone()), first.max(second)));
            }
        }
    }
    pairs
}

impl<'ast> Visit<'ast> for Twins {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        let parts = item.variants.iter().map(|variant| variant.ident.to_string()).collect();
        self.enums.push(TypeParts { name: item.ident.to_string(), parts });
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if let Fields::Named(fields) = &item.fields {
            let parts = fields.named.iter().filter_map(|field| field.ident.as_ref());
            let parts = parts.map(ToString::to_string).collect();
            self.structs.push(TypeParts { name: item.ident.to_string(), parts });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let mut twins = Twins::default();
        twins.add_file(Path::new("a.rs"), &syn::parse_file(text).expect("Rust"));
        twins.into_pairs()
    }

    #[test]
    fn types_with_the_same_parts_are_twins_and_others_are_not() {
        let twin = |first: &str, second: &str| vec![(first.to_owned(), second.to_owned())];
        assert_eq!(pairs("enum B { X, Y(u8), Z } enum A { Z { a: u8 }, Y, X }"), twin("A", "B"));
        assert_eq!(pairs("enum A { X, Y } enum B { X, Y }"), []);
        assert_eq!(pairs("enum A { X, Y, Z } enum B { X, Y, W }"), []);
        let five = "a: u8, b: u8, c: u8, d: u8, e: u8";
        assert_eq!(
            pairs(&format!("struct A {{ {five} }} struct B {{ {five}, f: u8 }}")),
            twin("A", "B")
        );
        assert_eq!(
            pairs(&format!("struct A {{ {five} }} struct B {{ {five}, f: u8, g: u8 }}")),
            []
        );
        assert_eq!(
            pairs(&format!("struct A {{ {five} }} #[cfg(test)] mod t {{ struct B {{ {five} }} }}")),
            []
        );
    }
}
