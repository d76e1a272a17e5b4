//! The declaration of an operation and its type-erased form.

use std::sync::{LazyLock, atomic::AtomicBool};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Answer, Service, internal};
use accounts::Caller;
use wire::{
    Failure, Media, OperationDescriptor, Route, ToolFacts, Validator,
    params::{
        FetchTdoc, GetDocument, GetImage, GetMeeting, GetOrganization, GetSections, GetTdoc,
        Health, ListDocuments, ListMeetingDecisions, ListMeetings, ListSections, ListTdocs,
        ResolveOrganization, ResolveTerm, SearchCombined, SearchImages, SearchTdocs, SearchText,
        SimilarImages, TraceClause,
    },
};

/// What can be asked. The implementing type is the parameters struct of the contract.
pub trait Operation: DeserializeOwned + JsonSchema + Send + 'static {
    /// Name of the operation, the tool and the command.
    const NAME: &'static str;
    /// Where HTTP serves it.
    const ROUTE: Route;
    /// Whether it is served without a key.
    const OPEN: bool = false;
    /// Whether a call counts against the allowance.
    const METERED: bool = true;
    /// What HTTP answers with.
    const MEDIA: Media = Media::Json;
    /// What a model is told of it; none where it is no tool.
    const TOOL: Option<ToolFacts>;
    /// Refusals of its own, by status.
    const STATUSES: &'static [u16] = &[];
    /// What it answers.
    type Reply: Serialize + JsonSchema;

    /// Refuses values that need a look-up to be known as wrong; runs before anything is charged.
    fn check(&self, _service: &Service) -> Result<(), Failure> {
        Ok(())
    }

    /// Answers. Synchronous: edges call it on a thread that may work.
    fn run(self, service: &Service, caller: &Caller) -> Result<Self::Reply, Failure>;
}

/// An operation as the edges hold it.
pub struct Declared {
    /// What clients see.
    pub descriptor: OperationDescriptor,
    /// Checks its parameters.
    pub validator: Validator,
    run: fn(&Service, &Caller, Value, &AtomicBool) -> Answer,
}

impl Declared {
    fn of<O: Operation>() -> Self {
        let descriptor = OperationDescriptor {
            open: O::OPEN,
            metered: O::METERED,
            media: O::MEDIA,
            tool: O::TOOL,
            statuses: O::STATUSES,
            ..OperationDescriptor::of::<O, O::Reply>(O::NAME, O::ROUTE)
        };
        let validator = Validator::of::<O>(&O::ROUTE)
            .expect("the schema of a declared operation compiles; a test walks all of them");
        Self { descriptor, validator, run: run_erased::<O> }
    }

    /// Runs the operation on validated parameters, at the expense of the caller where it is metered.
    /// `given_up` is set by an edge that waits no longer.
    pub fn run(
        &self,
        service: &Service,
        caller: &Caller,
        parameters: Value,
        given_up: &AtomicBool,
    ) -> Answer {
        (self.run)(service, caller, parameters, given_up)
    }
}

fn run_erased<O: Operation>(
    service: &Service,
    caller: &Caller,
    parameters: Value,
    given_up: &AtomicBool,
) -> Answer {
    let checked = serde_json::from_value(parameters).map_err(internal).and_then(|operation: O| {
        operation.check(service)?;
        Ok(operation)
    });
    let operation = match checked {
        Ok(operation) => operation,
        Err(failure) => return failure.into(),
    };
    let run = || {
        let reply = operation.run(service, caller)?;
        serde_json::to_vec(&reply).map_err(internal)
    };
    if O::METERED {
        service.metered(caller, O::NAME, given_up, run)
    } else {
        Answer { outcome: run(), allowance: None }
    }
}

/// All operations, in the order of the documentation.
pub fn operations() -> &'static [Declared] {
    static OPERATIONS: LazyLock<Vec<Declared>> = LazyLock::new(|| {
        vec![
            Declared::of::<Health>(),
            Declared::of::<SearchText>(),
            Declared::of::<SearchImages>(),
            Declared::of::<SearchCombined>(),
            Declared::of::<SimilarImages>(),
            Declared::of::<ListDocuments>(),
            Declared::of::<GetDocument>(),
            Declared::of::<GetSections>(),
            Declared::of::<ListSections>(),
            Declared::of::<GetImage>(),
            Declared::of::<ResolveTerm>(),
            Declared::of::<ListTdocs>(),
            Declared::of::<GetTdoc>(),
            Declared::of::<FetchTdoc>(),
            Declared::of::<SearchTdocs>(),
            Declared::of::<ListMeetings>(),
            Declared::of::<GetMeeting>(),
            Declared::of::<ListMeetingDecisions>(),
            Declared::of::<TraceClause>(),
            Declared::of::<ResolveOrganization>(),
            Declared::of::<GetOrganization>(),
        ]
    });
    &OPERATIONS
}

/// An operation by its name.
pub fn declared(name: &str) -> Option<&'static Declared> {
    operations().iter().find(|operation| operation.descriptor.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_compiles_and_has_its_own_name_and_route() {
        let mut names: Vec<&str> = operations().iter().map(|o| o.descriptor.name).collect();
        let mut paths: Vec<&str> = operations().iter().map(|o| o.descriptor.route.path).collect();
        names.sort_unstable();
        paths.sort_unstable();
        names.dedup();
        paths.dedup();
        assert_eq!((names.len(), paths.len()), (operations().len(), operations().len()));
        assert!(operations().iter().all(|o| !o.descriptor.summary.is_empty()));
    }
}
