//! Words of searches and of comparisons of texts.

use crate::closed_set::closed_set;

closed_set! {
    /// Why a search was limited.
    pub enum SearchShortfall {
        /// Some passages have no vectors yet and are found only by their words. `coverage` counts them.
        MissingVectors = "missing_vectors",
        /// The text model is unavailable, so all passages are found only by their words.
        TextModel = "text_model",
        /// The reranker is unavailable, so the results are not reranked.
        Reranker = "reranker",
        /// The server is busy, so the results are not reranked.
        Busy = "busy",
    }
}

closed_set! {
    /// How a passage of a meeting document was found.
    pub enum TdocMatch {
        /// By meaning.
        Vector = "vector",
        /// By exact words.
        Lexical = "lexical",
        /// The query names the number of its document.
        TdocId = "tdoc_id",
    }
}

closed_set! {
    /// Kind of passage of a meeting document.
    pub enum UnitType {
        /// A numbered proposal.
        Proposal = "proposal",
        /// A numbered observation.
        Observation = "observation",
        /// Other text.
        Body = "body",
    }
}

closed_set! {
    /// Kind of difference between a quote and a text.
    pub enum QuoteDifferenceKind {
        /// The quote and the text have different words.
        Replaced = "replaced",
        /// The quote has words that the text does not have.
        Inserted = "inserted",
        /// The text has words that the quote does not have.
        Missing = "missing",
    }
}

closed_set! {
    /// Kind of a piece of text.
    pub enum DifferencePieceKind {
        /// In both versions.
        Kept = "kept",
        /// Only in the old version.
        Deleted = "deleted",
        /// Only in the new version.
        Inserted = "inserted",
    }
}

closed_set! {
    /// Relation of the clauses that a change request changes to the requested clause.
    pub enum ClauseRelation {
        /// It changes that clause.
        Exact = "exact",
        /// It changes a subclause of it.
        Below = "below",
        /// It changes a clause that contains it.
        Above = "above",
    }
}

closed_set! {
    /// What a citation refers to.
    pub enum ReferenceKind {
        /// A clause.
        Clause = "clause",
        /// An annex, or a clause that is cited as an annex.
        Annex = "annex",
        /// A table.
        Table = "table",
        /// A figure.
        Figure = "figure",
        /// An equation.
        Equation = "equation",
        /// A document as a whole.
        Document = "document",
    }
}

closed_set! {
    /// What is known about the target of a citation.
    pub enum ReferenceTargetStatus {
        /// It is indexed.
        Found = "found",
        /// It does not exist: the indexed version of the document has no such clause, annex, table or figure, or the list
        /// of references has no such label.
        Missing = "missing",
        /// The document is not indexed.
        NotIndexed = "not_indexed",
        /// The document is indexed, but whether it has the target is unknown: equations have no index, documents that
        /// were read by older versions have none of tables and figures, and the indexed version, which lacks the target,
        /// may be of another release than the citing document.
        Unverified = "unverified",
    }
}

closed_set! {
    /// How a name of an organization was interpreted.
    pub enum OrganizationResolutionStatus {
        /// It is a name of one organization.
        Exact = "exact",
        /// It is similar to a name of one organization.
        Fuzzy = "fuzzy",
        /// It matches several organizations.
        Ambiguous = "ambiguous",
        /// It matches no known organization.
        NotFound = "not_found",
    }
}
