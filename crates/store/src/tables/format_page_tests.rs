//! The page of the format of `meta.redb` lists the tables as they are declared.

use std::{env, fs, path::Path};

use super::definitions::{DECLARED_TABLES, DeclaredTable};

/// The rows of the page's table, with constants replaced by the names of their tables.
fn print_declared_tables() -> String {
    DECLARED_TABLES.iter().map(print_row).collect()
}

fn print_row(table: &DeclaredTable) -> String {
    let DeclaredTable { name, kind, key, row, .. } = table;
    let several = if *kind == "multimap" { ", several" } else { "" };
    format!("| `{name}` | `{key}` | `{row}`{several} | {} |\n", describe_table(table))
}

/// The description without links: a page has no targets for them.
fn describe_table(table: &DeclaredTable) -> String {
    let mut text = table.description.trim().trim_end_matches('.').to_owned();
    while let Some((before, rest)) = text.split_once("](crate::") {
        let after = rest.split_once(')').map_or("", |(_, after)| after);
        text = format!("{before}]{after}");
    }
    let mut text = text.replace("[`", "`").replace("`]", "`");
    for other in DECLARED_TABLES {
        text = text.replace(&format!("`{}`", other.constant), &format!("`{}`", other.name));
    }
    text
}

/// `SPECBOX_WRITE_PAGES=1 cargo test -p store format_page` writes the rows.
#[test]
fn the_page_of_the_format_lists_every_table_as_it_is_declared() {
    const BEGIN: &str = "| table | key | row | what |\n|---|---|---|---|\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/database-format.md");
    let page = fs::read_to_string(&path).expect("the page is in the repository");
    let (head, rest) = page.split_once(BEGIN).expect("the page has the table of tables");
    let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
    let (listed, tail) = rest.split_at(end);
    let declared = print_declared_tables();
    if env::var_os("SPECBOX_WRITE_PAGES").is_some() {
        fs::write(&path, format!("{head}{BEGIN}{declared}{tail}")).expect("the page is writable");
        return;
    }
    let unlisted: Vec<&str> = declared.lines().filter(|row| !listed.contains(row)).collect();
    assert!(listed == declared, "SPECBOX_WRITE_PAGES=1 writes the page; not in it: {unlisted:#?}");
}
