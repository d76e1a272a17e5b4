//! Pages of names: what a name means, what a document defines, where it contradicts itself, its modules.

mod definition_card;
mod findings_page;
mod handlers;
mod list_page;
mod name_page;
mod paths;
mod structure_tree;
mod undefined_name;

pub(super) use definition_card::definition_card;
pub(super) use handlers::routes;
pub(super) use paths::{NameAddress, names_path};
