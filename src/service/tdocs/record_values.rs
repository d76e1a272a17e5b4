//! Maps values of registers, catalog and store to those of the contract.

use store::ContentStatus;
use wire::values::TdocContentStatus;

/// How much of a fetched file was read.
pub(super) fn to_content_status(status: ContentStatus) -> TdocContentStatus {
    match status {
        ContentStatus::Complete => TdocContentStatus::Complete,
        ContentStatus::Partial => TdocContentStatus::Partial,
        ContentStatus::Unavailable => TdocContentStatus::Unavailable,
    }
}
