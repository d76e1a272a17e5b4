/** Citations of results, in the form that the guide for agents asks for. */

/** What a citation is copied from; every result of a search or lookup has some of these fields. */
export interface Citable {
  doc_number?: string | null;
  doc_type?: string | null;
  version?: string | null;
  release?: string | null;
  section_number?: string | null;
  clause?: string | null;
  caption?: string | null;
  tdoc_id?: string | null;
  title?: string | null;
  sources?: readonly { display_name: string }[] | null;
  meeting?: { name?: string; meeting_id?: string } | null;
  meeting_id?: string | null;
  unit_labels?: readonly string[] | null;
  anchor?: string | null;
  decision_id?: string | null;
  decision_type?: string | null;
  source?: { title?: string | null; anchor?: string | null } | null;
}

/**
 * Cites a result: a passage, section, figure or definition of a specification, a meeting document or a passage of one,
 * a decision, an occurrence of a quote. Everything in the citation is copied from the result.
 *
 * Sections have no document type; pass `docType` if you know it.
 */
export function cite(result: Citable, docType?: "TS" | "TR"): string {
  if (result.decision_id) {
    const kind = String(result.decision_type).replaceAll("_", " ");
    const meeting = meetingName(result) ?? result.decision_id.slice(0, result.decision_id.lastIndexOf("-"));
    return join(`${kind} of ${meeting}`, result.source?.title, result.source?.anchor);
  }
  if (result.doc_number) return citeSpecification(result, docType ?? result.doc_type);
  if (result.tdoc_id) {
    const sources = (result.sources ?? []).map((source) => source.display_name);
    const title = result.title ? `"${result.title}"` : undefined;
    return join(
      result.tdoc_id,
      ...sources,
      title,
      meetingName(result),
      ...(result.unit_labels ?? []),
      result.anchor,
    );
  }
  if (result.meeting_id) return join(result.meeting_id, result.title, result.anchor);
  throw new TypeError("this is not a result that can be cited: it names no document and no decision");
}

function citeSpecification(result: Citable, docType?: string | null): string {
  let document = docType ? `${docType} ${result.doc_number}` : `${result.doc_number}`;
  if (result.version) document += ` v${result.version}`;
  if (result.release) document += ` (${result.release})`;
  return join(document, nameSection(result), /^(?:Figure|Table)\s+[\w.-]*\w/.exec(result.caption ?? "")?.[0]);
}

/** The section as 3GPP cites it: by its number, or else the nearest numbered clause, or else by its title. */
function nameSection(result: Citable): string | undefined {
  const section = result.clause || result.section_number;
  if (!section) return undefined;
  if (/^(\d|[A-Z]{1,2}\.\d)/.test(section)) return `clause ${section}`;
  return /^[A-Z]{1,2}$/.test(section) ? `annex ${section}` : `"${section}"`;
}

function meetingName(result: Citable): string | undefined {
  return result.meeting?.name || result.meeting?.meeting_id || result.meeting_id || undefined;
}

function join(...parts: (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}
