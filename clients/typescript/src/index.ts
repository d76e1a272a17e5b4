/** specbox: search and read 3GPP specifications, meeting documents and decisions on a specbox server. */

export { cite, type Citable } from "./citations.js";
export { Specbox, type Allowance, type Picture, type SpecboxOptions } from "./client.js";
export { SpecboxError, type SpecboxErrorFields } from "./errors.js";
export { INTERFACE_VERSION, type CallOptions } from "./operations.js";
export type * from "./types.js";
