/**
 * Sends requests to Open Cloud: at the pace that it allows, again where an answer was lost, and with errors that keep
 * Roblox's own code.
 */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { Schema } from "../protocol/schema.ts";
import type { z } from "zod";
import { parsedJson } from "../util/parsed-json.ts";
import { errorIn } from "./answers.ts";
import type { Clock } from "./clock.ts";
import { Pace } from "./pace.ts";
import { isTrustedUri } from "./service-address.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Kinds of calls that Roblox counts apart. */
export type CallKind = "create" | "createPinned" | "get" | "logs" | "input" | "upload";

export interface Call {
  readonly kind: CallKind;
  readonly method: "GET" | "POST";
  /** From the slash on. */
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
}

/** Below what Roblox allows, so that another program of the same owner has room. */
const POLLS_PER_MINUTE = 150;
/** Answers that were lost in a row before the call has failed. */
const MAX_LOST = 5;
/** How long a call is repeated that is refused for too many calls. */
const MAX_REFUSED_MS = 10 * 60_000;
const TIMEOUT_MS = 60_000;
const BYTES_TIMEOUT_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 1000;
const TOO_MANY = 429;
const LOST_STATUSES = new Set([500, 502, 503, 504]);

/** What came of sending; without content where the body was cut short. */
type Answer<T> =
  { readonly response: Response; readonly content: T | undefined } | { readonly unreachable: string };
type Whole<T> = { readonly response: Response; readonly content: T };
type Send<T> = (signal: AbortSignal) => Promise<Answer<T>>;

export interface RequestOptions {
  /** Without a slash at its end. */
  readonly service: string;
  readonly key: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Hears why a call is made again later. */
  readonly onWait?: (reason: string) => void;
}

export class Requests {
  readonly #options: RequestOptions;
  readonly #paces: Readonly<Record<CallKind, Pace>>;

  constructor(options: RequestOptions) {
    const { clock } = options;
    this.#options = options;
    this.#paces = {
      create: new Pace(clock),
      createPinned: new Pace(clock),
      get: new Pace(clock, POLLS_PER_MINUTE),
      logs: new Pace(clock),
      input: new Pace(clock),
      upload: new Pace(clock),
    };
  }

  /**
   * The answer. A lost or truncated one is asked for again, so that a task may be made twice; both then do the same, and the
   * first one ends without being read. Throws CLOUD_FAILED.
   */
  async callAsync<S extends z.ZodType>(call: Call, answer: Schema<S>): Promise<z.output<S>> {
    const { service, key } = this.#options;
    const headers = {
      "x-api-key": key,
      ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
    };
    const pace = this.#paces[call.kind];
    const text = await this.#repeatedAsync(call.path, pace, async (signal) => {
      // A redirection would send the key to another server.
      const init = { method: call.method, headers, signal, redirect: "error" } as const;
      const response = await this.#options.fetch(service + call.path, {
        ...init,
        ...(call.body === undefined ? {} : { body: call.body }),
      });
      const body = await response.text();
      const isWhole = !response.ok || parsedJson(body) !== undefined;
      return { response, content: isWhole ? body : undefined };
    });
    const read = answer.read(parsedJson(text));
    if (read !== undefined) return read.value;
    throw this.#failure(`Open Cloud gave an unknown answer to ${call.path}: ${text.slice(0, 200)}`);
  }

  /** Sends bytes to an address that the service gave; the key stays here. */
  async putAsync(uri: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#bytesAsync(uri, { method: "PUT", body: bytes });
  }

  async readAsync(uri: string): Promise<Uint8Array> {
    return this.#bytesAsync(uri, { method: "GET" });
  }

  async #bytesAsync(uri: string, init: RequestInit): Promise<Uint8Array> {
    const { service, clock, fetch } = this.#options;
    if (!isTrustedUri(uri, service)) throw this.#failure("Open Cloud named an address that is not safe.");
    return this.#repeatedAsync(
      "the address of the bytes",
      new Pace(clock),
      async (signal) => {
        const response = await fetch(uri, { ...init, signal });
        const content = new Uint8Array(await response.arrayBuffer());
        const size = response.headers.get("content-length");
        // A body that was compressed on its way has another length.
        const isCut =
          size !== null && !response.headers.has("content-encoding") && Number(size) > content.length;
        return { response, content: isCut ? undefined : content };
      },
      BYTES_TIMEOUT_MS,
    );
  }

  /** Sends until there is an answer; `sendAsync` gives no content for one that was cut short. */
  async #repeatedAsync<T extends string | Uint8Array>(
    what: string,
    pace: Pace,
    sendAsync: Send<T>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<T> {
    const { signal, clock, onWait } = this.#options;
    const startedMs = clock.now();
    for (let lost = 0, refused = 0; ;) {
      await pace.turnAsync(signal);
      const answer = await this.#sentAsync(sendAsync, timeoutMs);
      const status = "response" in answer ? answer.response.status : 0;
      if ("response" in answer) pace.heard(answer.response.headers);
      if (isWhole(answer)) return answer.content;
      if (status === TOO_MANY && "response" in answer && clock.now() - startedMs < MAX_REFUSED_MS) {
        pace.refused(answer.response.headers, refused);
        refused += 1;
        onWait?.("it takes no more calls for now");
      } else if (isLost(answer) && lost < MAX_LOST) {
        lost += 1;
        onWait?.(reasonOf(answer));
        await clock.sleepAsync(FIRST_PAUSE_MS * 2 ** (lost - 1), signal);
      } else throw this.#refusal(what, answer);
    }
  }

  async #sentAsync<T>(sendAsync: Send<T>, timeoutMs: number): Promise<Answer<T>> {
    const { signal } = this.#options;
    try {
      return await sendAsync(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return { unreachable: error instanceof Error ? error.message : String(error) };
    }
  }

  #refusal(what: string, answer: Answer<string | Uint8Array>): StudioBridgeError {
    if ("unreachable" in answer)
      return this.#failure(`Open Cloud cannot be reached (${answer.unreachable}): ${what}`, {
        hint: "Check the network, and run it again.",
      });
    const { response, content } = answer;
    const { status } = response;
    if (content === undefined)
      return this.#failure(`Open Cloud cut its answers short: ${what}`, { data: { status } });
    const body = typeof content === "string" ? content : new TextDecoder().decode(content);
    const { code, message } = errorIn(body);
    const answered = `Open Cloud answered ${[status, code].join(" ").trim()}`;
    const reason = message || (code === "" ? body.slice(0, 200) : "");
    const hint = HINTS[status];
    return this.#failure(`${[answered, reason].filter((part) => part !== "").join(": ")} (${what})`, {
      data: { status, ...(code === "" ? {} : { cloudCode: code }) },
      ...(hint === undefined ? {} : { hint }),
    });
  }

  /** A service may repeat what it was sent, so that the key is taken out of every text. */
  #failure(
    message: string,
    details: { readonly hint?: string; readonly data?: { readonly [key: string]: unknown } } = {},
  ): StudioBridgeError {
    return new StudioBridgeError("CLOUD_FAILED", message.replaceAll(this.#options.key, "(key)"), details);
  }
}

const isWhole = <T>(answer: Answer<T>): answer is Whole<T> =>
  "response" in answer && answer.response.ok && answer.content !== undefined;

const isLost = (answer: Answer<unknown>): boolean =>
  "unreachable" in answer || answer.content === undefined || LOST_STATUSES.has(answer.response.status);

function reasonOf(answer: Answer<unknown>): string {
  if ("unreachable" in answer) return "it cannot be reached";
  return answer.response.ok ? "its answers are cut short" : `it answers ${answer.response.status}`;
}

const HINTS: Readonly<Record<number, string>> = {
  401: "Check ROBLOX_OPEN_CLOUD_API_KEY: the key may be wrong, expired, or not allowed from this address.",
  403: "Give the key the scope universe.place.luau-execution-session:write for this universe, and universe-places:write if places are uploaded.",
  404: "Check the numbers of the universe and the place in --on cloud:UNIVERSE/PLACE.",
  429: "Another program uses up the calls of this key's owner; wait, or run fewer tasks at once.",
};
