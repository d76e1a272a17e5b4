//! What can go wrong with a register as a whole.

/// A register cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// The bytes are neither a workbook nor a page.
    #[error("the file is neither a workbook (.xlsx, .xlsm) nor a page (.htm)")]
    UnknownForm,
    /// The workbook cannot be opened, or a sheet of it cannot be read.
    #[error("the workbook cannot be read")]
    Workbook(#[from] calamine::XlsxError),
    /// No table has the headings of a calendar.
    #[error("no table has the headings of a calendar: at least meeting (or Name) and start_date")]
    NoCalendar,
    /// No sheet has the headings of a list of specifications.
    #[error("no sheet has the headings of a list of specifications: at least Spec No and Title")]
    NoSpecificationList,
    /// No table has the headings of a register.
    #[error("no table has the headings of a register: at least TDoc, Title and Source")]
    NoRegister,
}
