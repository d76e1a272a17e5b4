/** The error that this package throws if a request fails. */

/** The properties of an error. */
export interface SpecboxErrorFields {
  status?: number | undefined;
  code?: string | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  detail?: unknown;
  canRetry?: boolean;
  cause?: unknown;
}

/**
 * A request that was not answered: rejected by the server, or never received by it. Programs check `code`;
 * `message` is a sentence for people.
 */
export class SpecboxError extends Error {
  override readonly name = "SpecboxError";
  /** The HTTP status; undefined if the server was not reached. */
  readonly status: number | undefined;
  /** The code of the error, such as `tdoc_not_indexed`; undefined for errors that have none (401, 404, 422). */
  readonly code: string | undefined;
  /** The ID of the request in the server log; pass it on to the operator. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, if the server gave a number. */
  readonly retryAfter: number | undefined;
  /** `detail` as the server sent it: a string, an object, or the list of all invalid parameters (422). */
  readonly detail: unknown;
  /** Whether the same request may succeed later. The client has already retried it. */
  readonly canRetry: boolean;

  constructor(message: string, fields: SpecboxErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
    this.detail = fields.detail;
    this.canRetry = fields.canRetry ?? false;
  }

  /** The error that a reply describes; `body` is its JSON, or its text if it does not come from specbox. */
  static fromReply(status: number, headers: Headers, body: unknown): SpecboxError {
    const detail = isObject(body) && "detail" in body ? body["detail"] : body;
    const fields = isObject(detail) ? detail : {};
    const code = typeof fields["code"] === "string" ? fields["code"] : undefined;
    return new SpecboxError(describe(detail) || `The server answered with status ${status}.`, {
      status,
      code,
      requestId: headers.get("x-request-id") ?? undefined,
      retryAfter: readSeconds(headers.get("retry-after")) ?? readSeconds(fields["retry_after"]),
      detail,
      canRetry: status === 429 || status === 503 || code === "search_unavailable",
    });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the error as one string. */
function describe(detail: unknown): string {
  if (Array.isArray(detail)) {
    return detail
      .filter(isObject)
      .map((fault) => `${Array.isArray(fault["loc"]) ? fault["loc"].join(".") : ""}: ${fault["msg"]}`)
      .join("; ");
  }
  if (isObject(detail)) return String(detail["message"] ?? "");
  return String(detail ?? "").slice(0, 500);
}

function readSeconds(value: unknown): number | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
