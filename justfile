# Everyday commands. `just` lists the recipes; each is one command that also runs without just.

set positional-arguments

[private]
default:
    @just --list

# Fetch models, build, index the sample corpus, start the server, run a first query
demo *flags:
    scripts/demo "$@"

# Run all tests, as CI does
test:
    scripts/test

# Run tests without models and real files, in a fast profile
quick:
    scripts/test --quick

# Check one crate, or the program: just check store
check crate="specbox":
    cargo check -p "$1" --all-targets

# Format and lint as CI does
lint:
    cargo fmt --all --check
    cargo clippy --profile fast-build --locked --workspace --all-targets -- -D warnings

# Run every fuzz target for the given number of seconds
fuzz seconds="60":
    scripts/fuzz "$1"

# Run one bench: just bench search
bench name:
    cargo bench --bench "$1"

# Build the documentation of all crates
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# List repeated type names, one-word functions, long functions and files, import cycles
metrics:
    cargo run --quiet --profile fast-build -p code-metrics -- --list src evaluation index-format crates
