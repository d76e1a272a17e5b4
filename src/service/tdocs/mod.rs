//! Meeting documents: records, lists, search, and the organizations behind them.

pub(super) mod content;
mod coverage;
mod cursor;
mod fetch_tdoc;
pub(super) mod filter_parameters;
mod get_organization;
mod get_tdoc;
mod indexed_counts;
mod list_tdocs;
pub(super) mod organization;
pub(super) mod parameter_values;
pub(super) mod record;
pub(super) mod record_values;
mod resolve_organization;
mod search_reasons;
mod search_scope;
mod search_tdocs;
pub(super) mod unlisted;

pub(super) use indexed_counts::IndexedTdocCounts;
