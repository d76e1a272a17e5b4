//! `lookup_name`: the definitions of a name.

use domain::DefinedNameKind;
use names::{RouteQuery, base_name, name_key};

use super::{
    asked_name::{asked_name, without_kind_word},
    default_of,
    definition_history::read_history,
    definitions::{find_definitions, find_operations},
    described::{DescribedName, LocatedName, join_descriptions},
    expansion::expand_types,
    find_clause, is_type, section_head,
    spelling::looks_like_name,
    structure::read_structure,
    timer_statements::read_timer_statements,
    to_presence,
    undefined::{describe_undefined, to_place},
    uses::find_uses,
};
use crate::service::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_documents, diagnose_name,
    },
    internal_failure, require_definitions,
};
use accounts::Caller;
use store::Snapshot;
use wire::{
    Failure,
    params::{LookupName, SearchText},
    records::{
        ClauseMention, DescribingRow, NameDefinition, NameLookup, NameUses, PresenceCondition,
    },
};

/// Definitions beyond the limit whose places are listed.
const MAX_MORE: usize = 40;

impl Operation for LookupName {
    fn run(self, service: &Service, _caller: &Caller) -> Result<NameLookup, Failure> {
        let snapshot = service.store.snapshot();
        if let Some(route) = RouteQuery::parse(&self.name) {
            let found = find_operations(service, &snapshot, &self, &route)?;
            if !found.is_empty() {
                return describe_found(service, &snapshot, &self, found);
            }
        }
        let key = name_key(&self.name);
        if key.is_empty() {
            let message = format!("'{}' has no letters or digits.", self.name.trim());
            return Err(Failure::InvalidParameter { parameter: "name", message });
        }
        let mut asked = self;
        let mut found = look_up(service, &snapshot, &asked, &key)?;
        if let (0, Some(name)) = (found.total, without_kind_word(&asked.name)) {
            let (name, key) = (name.to_owned(), name_key(name));
            asked = Self { name, ..asked };
            found = look_up(service, &snapshot, &asked, &key)?;
        }
        match found.total {
            0 => {
                // A key without its definition was stored by an earlier version.
                let keys = snapshot.names().defining_sections(&key).map_err(internal_failure)?;
                for entry in keys.iter().filter_map(|key| snapshot.catalog().get(key.document)) {
                    require_definitions(&snapshot, entry)?;
                }
                describe_undefined(service, &snapshot, &asked)
            }
            _ => Ok(found),
        }
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &NameLookup,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if reply.total > 0 {
            return Ok(());
        }
        let filters = DocumentFilters {
            document: FilterValue::of("doc_number", &self.doc_number),
            version: FilterValue::of("version", &self.version),
            ..DocumentFilters::default()
        };
        if diagnose_documents(&context.snapshot, &filters, reasons)?.is_some() {
            diagnose_name(self, reply, reasons);
        }
        Ok(())
    }
}

/// The definitions of a name, the best first.
pub(crate) fn find_names(
    service: &Service,
    snapshot: &Snapshot,
    request: &LookupName,
) -> Result<Vec<NameDefinition>, Failure> {
    let key = name_key(&request.name);
    if key.is_empty() {
        return Ok(Vec::new());
    }
    look_up(service, snapshot, request, &key).map(|found| found.definitions)
}

/// How many definitions a name has, the first of them, and where the others are.
fn look_up(
    service: &Service,
    snapshot: &Snapshot,
    request: &LookupName,
    key: &str,
) -> Result<NameLookup, Failure> {
    let mut found = find_definitions(service, snapshot, request, key)?;
    if found.is_empty() {
        // Another release of the same name.
        let base = name_key(base_name(&request.name));
        found = find_definitions(service, snapshot, request, &base)?;
    }
    describe_found(service, snapshot, request, found)
}

/// Definitions in the order of their rank, each once, as far as the request wants them described.
fn describe_found(
    service: &Service,
    snapshot: &Snapshot,
    request: &LookupName,
    mut found: Vec<LocatedName<'_>>,
) -> Result<NameLookup, Failure> {
    let asked = request.name.trim();
    found.sort_by_cached_key(|found| rank(found, asked));
    let found = join_descriptions(found);
    let total = found.len() as u64;
    let mut shown = found;
    let rest = shown.split_off(shown.len().min(request.limit as usize));
    let definitions = shown.into_iter().map(|found| describe(request, service, snapshot, found));
    let mut definitions: Vec<NameDefinition> = definitions.collect::<Result<_, Failure>>()?;
    leave_out_repeated_uses(&mut definitions);
    leave_out_repeated_structures(&mut definitions);
    let more = rest.iter().take(MAX_MORE).map(|described| to_place(snapshot, &described.found));
    let more = more.collect::<Result<_, Failure>>()?;
    Ok(NameLookup { total, definitions, more, ..NameLookup::default() })
}

/// Rows of one element in ten messages are used in the same ten messages, and many clauses mention each: this is said
/// once.
fn leave_out_repeated_uses(definitions: &mut [NameDefinition]) {
    for index in (1..definitions.len()).rev() {
        let (before, rest) = definitions.split_at_mut(index);
        let Some(uses) = &mut rest[0].uses else { continue };
        let earlier: Vec<&NameUses> = before.iter().filter_map(|of| of.uses.as_ref()).collect();
        if earlier.contains(&&*uses) {
            rest[0].uses = None;
        } else if earlier.iter().any(|earlier| are_alike(&earlier.clauses, &uses.clauses)) {
            uses.clauses.clear();
        }
    }
}

/// An element has the same members in every message that has it.
fn leave_out_repeated_structures(definitions: &mut [NameDefinition]) {
    for index in (1..definitions.len()).rev() {
        let (before, rest) = definitions.split_at_mut(index);
        let names = |of: &NameDefinition| {
            let members = of.structure.iter().flat_map(|structure| &structure.members);
            members.map(|member| (member.depth, member.name.clone())).collect::<Vec<_>>()
        };
        let own = names(&rest[0]);
        if !own.is_empty() && before.iter().any(|earlier| names(earlier) == own) {
            rest[0].structure = None;
        }
    }
}

/// Whether two lists of clauses are the same, but for those that define the name.
fn are_alike(one: &[ClauseMention], other: &[ClauseMention]) -> bool {
    let differ = one.iter().filter(|clause| !other.contains(clause)).count()
        + other.iter().filter(|clause| !one.contains(clause)).count();
    // In short lists, one clause matters.
    differ * 4 <= one.len().min(other.len())
}

/// The best definition of the name that a search asks for; `None` if it asks for anything else.
pub(in crate::service) fn find_defined_name(
    service: &Service,
    snapshot: &Snapshot,
    search: &SearchText,
) -> Result<Option<NameDefinition>, Failure> {
    let Some(asked) = asked_name(&search.query) else { return Ok(None) };
    // Definitions cannot be filtered by these.
    let has_other_filters = search.filter_series.is_some()
        || search.filter_doc_type.is_some()
        || search.filter_section_number.is_some();
    if has_other_filters {
        return Ok(None);
    }
    let request = LookupName {
        name: asked.to_string(),
        doc_number: search.filter_doc_number.clone(),
        version: search.filter_release.clone(),
        // A search shows the definition alone.
        structure: Some(0),
        ..LookupName::default()
    };
    let mut found = match find_definitions(service, snapshot, &request, &name_key(&asked)) {
        // A filter that matches no document is not an error of a search.
        Err(Failure::InvalidParameter { .. }) => return Ok(None),
        found => found?,
    };
    if !looks_like_name(&asked) {
        // A plain word is meant as a word, unless a type or message is spelled like it.
        found.retain(|found| found.name.name == asked && is_type(found.name.kind));
    }
    found.sort_by_cached_key(|found| rank(found, &asked));
    let best = join_descriptions(found).into_iter().next();
    best.map(|best| describe(&request, service, snapshot, best)).transpose()
}

/// The order of definitions: the best first.
fn rank(found: &LocatedName<'_>, asked: &str) -> impl Ord + use<> {
    let number = found.entry.row.number.clone();
    let is_spelled = found.name.name == asked;
    let is_whole = name_key(&found.name.name) == name_key(asked);
    // The element itself comes before the rows of the messages that it is in.
    let within = found.name.within.as_deref().map(name_key);
    let is_within = found.name.kind == DefinedNameKind::Element
        && within.is_some_and(|within| within != name_key(&found.name.name));
    (!is_whole, is_within, !is_spelled, found.name.kind, number, found.section)
}

/// A definition with what a request wants with it.
fn describe(
    request: &LookupName,
    service: &Service,
    snapshot: &Snapshot,
    described: DescribedName<'_>,
) -> Result<NameDefinition, Failure> {
    let DescribedName { found: LocatedName { entry, section, name, since }, row, repeated } =
        described;
    let expansion = match request.expand {
        0 => None,
        levels => {
            let tokens = request.expansion_tokens as usize;
            Some(expand_types(service, snapshot, entry, &name, levels, tokens)?)
        }
    };
    let is_element = name.kind == DefinedNameKind::Element;
    // Without its members, the row of a grouped element says little.
    let levels = request.structure.unwrap_or(u32::from(is_element));
    let structure = match levels {
        0 => None,
        levels => {
            let tokens = request.expansion_tokens as usize;
            let read = read_structure(service, snapshot, entry, section, &name, levels, tokens)?;
            let is_wanted = request.structure.is_some() || !read.members.is_empty();
            is_wanted.then_some(read)
        }
    };
    let uses = if request.used_in {
        Some(find_uses(service, snapshot, (entry, section), &name, request.doc_number.is_none())?)
    } else {
        None
    };
    let history =
        if request.history { Some(read_history(service, snapshot, entry, &name)?) } else { None };
    let described_by = match row {
        Some((section, text)) => {
            let section_number = section_head(snapshot, entry, section)?.number;
            Some(DescribingRow { section_number, text })
        }
        None => None,
    };
    let mut repeated_in = Vec::new();
    for other in repeated {
        repeated_in.push(section_head(snapshot, entry, other)?.number);
    }
    let head = section_head(snapshot, entry, section)?;
    let (clause, clause_title) = find_clause(snapshot, entry, section, &head)?;
    let statements = read_timer_statements(snapshot, entry, section, &name)?;
    Ok(NameDefinition {
        kind: name.kind,
        doc_number: entry.row.number.to_string(),
        version: entry.row.version.to_string(),
        section_number: head.number,
        section_title: head.title,
        clause,
        clause_title,
        repeated_in,
        form: name.form,
        presence: name.presence.as_ref().and_then(to_presence),
        default_value: default_of(&name),
        need: name.need,
        condition: name
            .condition
            .map(|condition| PresenceCondition { name: condition.name, text: condition.text }),
        description: name.description,
        types: name.types,
        statements,
        since_version: since.to_string(),
        described_by,
        expansion,
        structure,
        uses,
        history,
        name: name.name,
        within: name.within,
        definition: name.definition,
    })
}
