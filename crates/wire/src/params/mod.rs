//! The parameters of every operation: names, types, bounds and defaults, in the order in which
//! faults are told.
//!
//! The doc comment of a struct is the description of its operation, that of a field the help of
//! its parameter. A bound stands here and nowhere else.

mod defaults;
mod documents;
mod health;
mod images;
mod meetings;
mod organizations;
mod search_tdocs;
mod search_text;
mod sections;
mod tdocs;
mod terms;
mod trace;

pub use documents::{GetDocument, ListDocuments};
pub use health::Health;
pub use images::{GetImage, SearchCombined, SearchImages, SimilarImages};
pub use meetings::{GetMeeting, ListMeetingDecisions, ListMeetings};
pub use organizations::{GetOrganization, ResolveOrganization};
pub use search_tdocs::{SearchTdocs, TdocFilters, UnitType};
pub use search_text::SearchText;
pub use sections::{GetSections, ListSections};
pub use tdocs::{FetchTdoc, GetTdoc, ListTdocs};
pub use terms::ResolveTerm;
pub use trace::TraceClause;
