//! The documents that a row of a register links.

use crate::{Column, RegisterEntry, RegisterLinks, links::add_links};
use domain::{RegisterStatus, TdocId};

impl RegisterEntry {
    /// The documents that the remarks and the status of this row link. A column of its own takes precedence: where the
    /// row has one for revisions, that direction stays empty here.
    pub fn links(&self) -> RegisterLinks {
        let mut links = RegisterLinks::default();
        for column in [Column::Comment, Column::Remarks, Column::Status] {
            if let Some(text) = self.column_text(column) {
                add_links(text, &mut links);
            }
        }
        let own = self.tdoc.parse::<TdocId>().ok();
        let is_other = |id: &TdocId| Some(id) != own.as_ref();
        for list in [&mut links.revision_of, &mut links.revised_to, &mut links.merged_into] {
            list.retain(is_other);
        }
        links.merged.retain(|merged| is_other(&merged.tdoc));
        // "Revised to S2-9900012. WITHDRAWN" with the status "withdrawn" is about the document of the row.
        if !matches!(self.status(), RegisterStatus::Revised | RegisterStatus::Unknown) {
            links.revision_outcome = None;
        }
        if self.column_text(Column::RevisionOf).is_some() {
            links.revision_of.clear();
        }
        if self.column_text(Column::RevisedTo).is_some() {
            links.revised_to.clear();
        }
        links
    }
}
