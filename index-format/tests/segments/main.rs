//! Segments as a caller sees them: written, damaged, searched, and kept over format versions.

mod damage;
mod graph;
mod mutate;
mod mutation;
mod search;
mod support;
mod versions;
mod writing;
