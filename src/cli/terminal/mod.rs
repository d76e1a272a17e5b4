//! What people see: colours, widths, tables and pages on a terminal, plain text elsewhere.

mod listing;
mod pager;
mod palette;
mod report;
mod screen;
mod section;
mod table;
mod wrap;

pub(super) use listing::ColumnList;
pub(super) use pager::show;
pub(super) use palette::Palette;
pub(super) use report::print_report;
pub(super) use screen::Screen;
pub(super) use section::SectionPrinter;
pub(super) use wrap::{shorten, wrap};
