//! The commands that people search and read with: answers of operations as text, with citations.
//!
//! Each command runs the same operations as `specbox call`; with `--json` it prints the reply of one of them
//! unchanged.

mod address;
mod arguments;
mod asker;
mod citations;
mod decisions;
mod did_you_mean;
mod figures;
mod read;
mod search;
mod status;
mod tdocs;
mod toc;

pub(super) use arguments::{
    DecisionsArgs, FiguresArgs, ReadArgs, SearchArgs, TdocsListArgs, TdocsShowArgs, TocArgs,
};
pub(super) use asker::Asker;
pub(super) use decisions::search_decisions;
pub(super) use figures::find_figures;
pub(super) use read::read_clause;
pub(super) use search::search_passages;
pub(super) use status::show_status;
pub(super) use tdocs::{list_tdocs, show_tdoc};
pub(super) use toc::show_contents;
