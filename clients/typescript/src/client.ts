/** The client: requests with retries and a time limit, over `fetch`. */

import { SpecboxError } from "./errors.js";
import { Operations, type CallOptions, type RequestPlan, type Values } from "./operations.js";
import type { ModuleText, TdocBlock, TdocRecord } from "./types.js";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
const FETCH_IN_PROGRESS = "tdoc_fetch_in_progress";
/** The most that one request for a module returns. */
const MODULE_CHARS = 10_000_000;

/** The address of a server, credentials, timeouts and retries. */
export interface SpecboxOptions {
  /** The address of the server. */
  url: string;
  /** An API key (`sk-...`); open operations need none. */
  key?: string | undefined;
  /** Milliseconds to wait for an answer. Default: 60,000. */
  timeout?: number | undefined;
  /** How often a request is repeated if the server is busy or cannot be reached. Default: 2. */
  maxRetries?: number | undefined;
  /** A request is not repeated if the server asks for a longer wait, in milliseconds. Default: 60,000. */
  maxRetryWait?: number | undefined;
  /** Another `fetch`, for tests, proxies and certificates. */
  fetch?: typeof fetch | undefined;
}

/** The requests of an account in this calendar month (UTC), as of the last reply. */
export interface Allowance {
  limit: number;
  remaining: number;
  resetAt: Date;
}

/** Something with a picture: a figure in search results, an inline picture of a section. */
export interface Picture {
  image_path: string | null;
}

/** A connection to a server. */
export class Specbox extends Operations {
  readonly url: string;
  /** What is left this month, as of the last metered reply; undefined for plans without a limit. */
  allowance: Allowance | undefined;
  readonly #key: string | undefined;
  readonly #timeout: number;
  readonly #maxRetries: number;
  readonly #maxRetryWait: number;
  readonly #fetch: typeof fetch;

  constructor(options: SpecboxOptions) {
    super();
    if (!/^https?:\/\//.test(options.url)) {
      throw new TypeError(`"${options.url}" is not the address of a server; it begins with https://`);
    }
    this.url = options.url.replace(/\/+$/, "");
    this.#key = options.key;
    this.#timeout = options.timeout ?? 60_000;
    this.#maxRetries = options.maxRetries ?? 2;
    this.#maxRetryWait = options.maxRetryWait ?? 60_000;
    // Browsers require that `fetch` is called on the global object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** Yields the text of a meeting document, block by block, however long it is. */
  async *iterTdocText(tdocId: string, options?: CallOptions): AsyncGenerator<TdocBlock, void, undefined> {
    let offset: number | null = 0;
    while (offset !== null) {
      const record: TdocRecord = await this.getTdoc(
        { tdoc_id: tdocId, include: "text", text_offset: offset },
        options,
      );
      yield* record.text?.blocks ?? [];
      offset = record.text?.next_offset ?? null;
    }
  }

  /**
   * Fetches a meeting document, and waits until the server has read it: `fetchTdoc` does not wait. `timeout` is in
   * milliseconds.
   */
  async waitForTdoc(
    tdocId: string,
    { include, timeout = 120_000, ...options }: CallOptions & { include?: string; timeout?: number } = {},
  ): Promise<TdocRecord> {
    const deadline = Date.now() + timeout;
    while (true) {
      try {
        return await this.fetchTdoc({ tdoc_id: tdocId, include: include ?? null }, options);
      } catch (error) {
        if (!(error instanceof SpecboxError) || error.code !== FETCH_IN_PROGRESS) throw error;
        const delay = (error.retryAfter ?? 1) * 1000;
        if (Date.now() + delay > deadline) throw error;
        await sleep(delay, options.signal);
      }
    }
  }

  /** Reads a whole ASN.1 module or OpenAPI file of a document. */
  async readModule(
    docNumber: string,
    module: string,
    { version, ...options }: CallOptions & { version?: string } = {},
  ): Promise<string> {
    let text = "";
    let offset: number | null = 0;
    while (offset !== null) {
      const reply: ModuleText = await this.getModule(
        {
          doc_number: docNumber,
          module,
          version: version ?? null,
          char_offset: offset,
          max_chars: MODULE_CHARS,
        },
        options,
      );
      text += reply.text ?? "";
      offset = reply.next_char_offset;
    }
    return text;
  }

  /** Returns the picture of a figure, as the bytes of a PNG. */
  async getPicture(figure: Picture, options?: CallOptions): Promise<Uint8Array> {
    return this.requestBytes({ method: "GET", path: picturePath(figure), carrier: "query" }, {}, options);
  }

  /** The address of the picture of a figure, for `<img src>`: pictures need no key. */
  pictureUrl(figure: Picture): string {
    return this.url + picturePath(figure);
  }

  protected async requestJson<Reply>(plan: RequestPlan, values: Values, options?: CallOptions): Promise<Reply> {
    const response = await this.#send(plan, values, options);
    try {
      return (await response.json()) as Reply;
    } catch (cause) {
      const message = "The answer is not JSON: the address may not be that of a specbox server.";
      throw new SpecboxError(message, { status: response.status, cause });
    }
  }

  protected async requestBytes(plan: RequestPlan, values: Values, options?: CallOptions): Promise<Uint8Array> {
    const response = await this.#send(plan, values, options);
    return new Uint8Array(await response.arrayBuffer());
  }

  async #send(plan: RequestPlan, values: Values, options: CallOptions = {}): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#sendOnce(plan, values, options.signal);
      } catch (error) {
        const delay = error instanceof SpecboxError ? this.#retryDelay(attempt, error) : undefined;
        if (delay === undefined) throw error;
        await sleep(delay, options.signal);
      }
    }
  }

  async #sendOnce(plan: RequestPlan, values: Values, signal: AbortSignal | undefined): Promise<Response> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, this.#timeout);
    try {
      const { url, body: sent } = placeValues(this.url, plan, values);
      const response = await this.#fetch(url, {
        method: plan.method,
        headers: this.#headers(plan),
        body: sent,
        // The key is for this server only.
        redirect: "manual",
        signal: controller.signal,
      });
      // The whole answer must arrive within the time limit.
      const body = await response.arrayBuffer();
      const answer = new Response(isBodyless(response.status) ? null : body, {
        status: response.status || 502,
        headers: response.headers,
      });
      this.allowance = readAllowance(answer.headers) ?? this.allowance;
      // 202 means that a fetch is still running.
      if (answer.status === 200) return answer;
      throw SpecboxError.fromReply(answer.status, answer.headers, await readBody(answer));
    } catch (cause) {
      if (cause instanceof SpecboxError) throw cause;
      if (signal?.aborted) throw cause;
      throw unanswered(cause, isLate ? this.#timeout : undefined);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  #headers(plan: RequestPlan): Record<string, string> {
    return {
      accept: "application/json, image/*",
      ...(plan.carrier === "body" && { "content-type": "application/json" }),
      ...(this.#key && { authorization: `Bearer ${this.#key}` }),
    };
  }

  /** Milliseconds to wait after this failed attempt, counted from 0; undefined if it was the last one. */
  #retryDelay(attempt: number, error: SpecboxError): number | undefined {
    if (attempt >= this.#maxRetries || !error.canRetry) return undefined;
    if (error.retryAfter !== undefined) {
      const delay = error.retryAfter * 1000;
      return delay <= this.#maxRetryWait ? delay : undefined;
    }
    const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
    return Math.min(delay * (0.5 + Math.random() / 2), this.#maxRetryWait);
  }
}

function picturePath(figure: Picture): string {
  if (!figure.image_path?.startsWith("/")) {
    throw new TypeError("this figure has no picture: its image_path is null");
  }
  return figure.image_path;
}

/**
 * The address and the body of a request. `RAN1#118` must not become a fragment, nor a slash a path: every value is one
 * segment.
 */
function placeValues(base: string, plan: RequestPlan, values: Values): { url: string; body: string | null } {
  const rest = given(values);
  const path = plan.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(values[name]));
  });
  if (plan.carrier === "body") return { url: base + path, body: JSON.stringify(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = query.toString();
  return { url: base + path + (text && `?${text}`), body: null };
}

/** The values that are not null; the server uses its defaults for the others. */
function given(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/** Statuses for which `Response` does not allow a body. */
function isBodyless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The error for a request that was not answered. A request that took too long is not repeated: it may have been counted. */
function unanswered(cause: unknown, timeout: number | undefined): SpecboxError {
  if (timeout !== undefined) {
    return new SpecboxError(`The server did not answer within ${timeout / 1000} s.`, { cause });
  }
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const text = reason instanceof Error ? reason.message : String(reason);
  const code = (reason as { code?: string }).code ?? "";
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) {
    const remedy = "set NODE_EXTRA_CA_CERTS to its file ca.pem before Node.js starts";
    return new SpecboxError(`The certificate of the server is not trusted: ${remedy}. (${text})`, { cause });
  }
  return new SpecboxError(`The server did not answer (${text}).`, { cause, canRetry: true });
}

function readAllowance(headers: Headers): Allowance | undefined {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? NaN),
  ) as [number, number, number];
  if (![limit, remaining, reset].every(Number.isFinite)) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}

function sleep(delay: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, delay);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
