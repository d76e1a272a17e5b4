//! External engines stay where they were put: whoever exchanges one has one place to look at.

use code_metrics::rust_files;

use crate::{
    crate_folders,
    manifests::{dependency_names, read_manifest},
    module_of, read_code, relative_path, root,
};

/// An engine, the crates that may depend on it, and the modules of `src` that may name it.
struct EngineHome {
    engine: &'static str,
    crates: &'static [&'static str],
    modules: &'static [&'static str],
}

const fn in_crates(engine: &'static str, crates: &'static [&'static str]) -> EngineHome {
    EngineHome { engine, crates, modules: &[] }
}

const fn in_modules(engine: &'static str, modules: &'static [&'static str]) -> EngineHome {
    EngineHome { engine, crates: &[], modules }
}

const ENGINES: [EngineHome; 26] = [
    in_crates("redb", &["database-file", "store", "accounts"]),
    in_crates("tantivy", &["lexical"]),
    in_crates("index-format", &["store"]),
    in_crates("cpu-encoder", &["neural"]),
    in_crates("candle-core", &["neural"]),
    in_crates("candle-nn", &["neural"]),
    in_crates("candle-transformers", &["neural"]),
    in_crates("tokenizers", &["neural"]),
    in_crates("hf-hub", &["neural"]),
    in_crates("argon2", &["accounts"]),
    in_crates("postgres", &["accounts"]),
    in_crates("tokio-postgres-rustls", &["accounts"]),
    in_crates("serde-saphyr", &["evaluation"]),
    in_crates("quick-xml", &["word"]),
    in_modules("axum", &["http", "mcp", "ui"]),
    in_modules("axum-server", &["http"]),
    in_crates("object_store", &["object-storage"]),
    in_crates("reqwest", &["object-storage"]),
    EngineHome { engine: "rustls", crates: &["object-storage", "accounts"], modules: &["http"] },
    EngineHome {
        engine: "tokio",
        crates: &["object-storage", "accounts"],
        modules: &["http", "cli"],
    },
    in_modules("maud", &["ui", "cli"]),
    in_modules("metrics-exporter-prometheus", &["http"]),
    in_modules("rmcp", &["mcp"]),
    EngineHome { engine: "ureq", crates: &["mirror"], modules: &["company_sign_in", "mcp"] },
    in_modules("jsonwebtoken", &["company_sign_in"]),
    in_modules("ring", &["company_sign_in"]),
];

#[test]
fn crates_depend_on_their_own_engines_only() {
    let mut strays = Vec::new();
    for folder in crate_folders().into_iter().filter(|folder| folder != root()) {
        let manifest = read_manifest(&folder);
        let name = manifest["package"]["name"].as_str().expect("a name");
        let dependencies = dependency_names(&manifest);
        for home in &ENGINES {
            if dependencies.iter().any(|known| known == home.engine) && !home.crates.contains(&name)
            {
                strays.push(format!("{name} depends on {}", home.engine));
            }
        }
    }
    assert!(strays.is_empty(), "{}", strays.join("\n"));
}

#[test]
fn modules_of_the_program_name_their_own_engines_only() {
    let mut strays = Vec::new();
    for path in rust_files(&root().join("src")) {
        let module = module_of(&path).unwrap_or_default();
        let code = read_code(&path);
        for home in &ENGINES {
            if names_crate(&code, home.engine) && !home.modules.contains(&module.as_str()) {
                strays.push(format!("{} names {}", relative_path(&path), home.engine));
            }
        }
    }
    assert!(strays.is_empty(), "{}", strays.join("\n"));
}

/// Whether code names a crate in a path or a `use`.
fn names_crate(code: &str, name: &str) -> bool {
    let identifier = name.replace('-', "_");
    [format!("{identifier}::"), format!("use {identifier};")].iter().any(|form| {
        code.match_indices(form.as_str()).any(|(at, _)| {
            !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
        })
    })
}

#[test]
fn names_of_crates_are_not_seen_in_longer_names() {
    assert!(names_crate("fn f() { axum_server::bind() }", "axum-server"));
    assert!(!names_crate("use crate::axum::x; my_axum::y()", "axum"));
}
