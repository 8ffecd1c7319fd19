/**
 * Sends requests to Open Cloud. It keeps to the pace that Roblox allows, repeats a request whose answer was lost, and throws
 * errors that keep Roblox's own code.
 */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { Schema } from "../protocol/schema.ts";
import type { z } from "zod";
import { parsedJson } from "../util/parsed-json.ts";
import { errorIn } from "./answers.ts";
import type { Clock } from "./clock.ts";
import { type OnWait, Pace } from "./pace.ts";
import { systemCodeOf } from "../util/system-error.ts";
import { isTrustedUri } from "./service-address.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The kinds of calls. Roblox has a limit of its own for each kind. */
export type CallKind = "create" | "createPinned" | "get" | "logs" | "input" | "upload" | "replace";

export interface Call {
  readonly kind: CallKind;
  readonly method: "GET" | "POST";
  /** Begins with a slash. */
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
}

/** Less than Roblox allows, so that another program with a key of the same owner can make calls too. */
const POLLS_PER_MINUTE = 150;
/** A call is repeated after this many lost answers in a row; one more lost answer is an error. */
const MAX_LOST = 5;
/** MAX_LOST for a log. It is smaller because a log only adds details to an error that is known already. */
const MAX_LOST_LOGS = 1;
/** Shorter waits are not reported. */
const REPORTED_WAIT_MS = 2000;
/** Time that an answer may take before the wait for it is reported. */
const SILENCE_MS = 5000;
/** Time for which a call is repeated that Roblox refuses because of too many calls. */
const MAX_REFUSED_MS = 10 * 60_000;
const TIMEOUT_MS = 60_000;
const BYTES_TIMEOUT_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 1000;
const TOO_MANY = 429;
const REQUEST_TIMEOUT = 408;
const SERVER_FAULT = 500;
/** The codes of a service that could not be connected to. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);
const LOST_STATUSES = new Set([500, 502, 503, 504]);

/** The outcome of one request. `content` is undefined if the body was cut short. */
type Answer<T> =
  | { readonly response: Response; readonly content: T | undefined }
  | {
      readonly unreachable: string;
      /** There was no connection, so that nothing was sent. */
      readonly isNeverSent?: boolean;
    };
type Whole<T> = { readonly response: Response; readonly content: T };
type Send<T> = (signal: AbortSignal) => Promise<Answer<T>>;

interface Repeating {
  /** Names the call in its error. */
  readonly what: string;
  readonly pace: Pace;
  /** Time limit of one request. */
  readonly timeoutMs?: number;
  /** Number of answers that may be lost in a row. */
  readonly maxLost?: number;
  /** The next step for people after a refusal, by its HTTP status. */
  readonly hints: Hints;
}

type Hints = Readonly<Record<number, string>>;

export interface RequestOptions {
  /** The address of the service, without a slash at its end. */
  readonly service: string;
  readonly key: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called for each wait of more than two seconds. Of several waits at once for one reason, only the first is reported. */
  readonly onWait?: OnWait;
}

export class Requests {
  readonly #options: RequestOptions;
  readonly #paces: Readonly<Record<CallKind, Pace>>;
  /** For each reason of a reported wait, the time at which that wait ends. */
  readonly #reportedUntil = new Map<string, number>();

  constructor(options: RequestOptions) {
    const { clock } = options;
    this.#options = options;
    this.#paces = {
      create: new Pace(clock, "new tasks"),
      createPinned: new Pace(clock, "new tasks in a version"),
      get: new Pace(clock, "questions about tasks", POLLS_PER_MINUTE),
      logs: new Pace(clock, "logs"),
      input: new Pace(clock, "inputs of tasks"),
      upload: new Pace(clock, "uploads"),
      replace: new Pace(clock, "uploads"),
    };
  }

  /**
   * Returns the answer of a call. A call whose answer was lost or cut short is made again. A task may therefore be created
   * twice; its script has to see to it that only one of them has an effect. Throws CLOUD_FAILED.
   */
  async callAsync<S extends z.ZodType>(call: Call, answer: Schema<S>): Promise<z.output<S>> {
    const wishes = {
      what: call.path,
      pace: this.#paces[call.kind],
      maxLost: call.kind === "logs" ? MAX_LOST_LOGS : MAX_LOST,
      hints: call.kind === "upload" ? UPLOAD_HINTS : TASK_HINTS,
    };
    const text = await this.#repeatedAsync(wishes, (signal) => this.#sendAsync(call, signal));
    const read = answer.read(parsedJson(text));
    if (read !== undefined) return read.value;
    throw this.#failure(`Open Cloud gave an unknown answer to ${call.path}: ${text.slice(0, 200)}`, {
      hint: "Update sb: Roblox may have changed its answers.",
    });
  }

  /**
   * As `callAsync`, for a call that must not be made twice. Throws CLOUD_FAILED where it surely had no effect, and otherwise what
   * `uncertain` makes of the reason, which is the end of a sentence.
   */
  async callOnceAsync<S extends z.ZodType>(
    call: Call,
    answer: Schema<S>,
    uncertain: (reason: string) => StudioBridgeError,
  ): Promise<z.output<S>> {
    const { signal } = this.#options;
    const uncertainly = (reason: string) => uncertain(this.#withoutKey(reason));
    signal.throwIfAborted();
    const sent = await this.#sentAsync((each) => this.#sendAsync(call, each), BYTES_TIMEOUT_MS).catch(
      (error: unknown) => {
        throw signal.aborted ? uncertainly("it was interrupted") : error;
      },
    );
    const wishes = { what: call.path, pace: this.#paces[call.kind], hints: REPLACE_HINTS };
    if ("unreachable" in sent)
      throw sent.isNeverSent === true
        ? this.#refusal(wishes, sent)
        : uncertainly(lostReason(sent.unreachable));
    const { response, content } = sent;
    // UNVERIFIED: Roblox describes answers from 400 to 499 as refusals of the request, in its reference of the Place Publishing API,
    // and does not say in so many words that no version was made. If one was, the version history of the place shows it.
    if (!response.ok)
      throw response.status < SERVER_FAULT && response.status !== REQUEST_TIMEOUT
        ? this.#refusal(wishes, sent)
        : uncertainly(answerOf(sent).text);
    const read = content === undefined ? undefined : answer.read(parsedJson(content));
    if (read !== undefined) return read.value;
    throw uncertainly(
      content === undefined ? "it was cut short" : `it is not known: ${content.slice(0, 200)}`,
    );
  }

  async #sendAsync(call: Call, signal: AbortSignal): Promise<Answer<string>> {
    const { service, key, fetch } = this.#options;
    const headers = {
      "x-api-key": key,
      ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
    };
    // A redirection would send the key to another server.
    const init = { method: call.method, headers, signal, redirect: "error" } as const;
    const response = await fetch(service + call.path, {
      ...init,
      ...(call.body === undefined ? {} : { body: call.body }),
    });
    const body = await response.text();
    const isWhole = !response.ok || parsedJson(body) !== undefined;
    return { response, content: isWhole ? body : undefined };
  }

  /** Sends bytes to an address that the service named. The request does not contain the key. */
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
      // The error does not name the address, because the address alone gives access to the bytes.
      {
        what: "the address of the bytes",
        pace: new Pace(clock, "requests"),
        timeoutMs: BYTES_TIMEOUT_MS,
        hints: BYTES_HINTS,
      },
      async (signal) => {
        const response = await fetch(uri, { ...init, signal });
        const content = new Uint8Array(await response.arrayBuffer());
        const size = response.headers.get("content-length");
        // The header of a compressed body gives its compressed length.
        const isCut =
          size !== null && !response.headers.has("content-encoding") && Number(size) > content.length;
        return { response, content: isCut ? undefined : content };
      },
    );
  }

  /** Repeats `sendAsync` until an answer has arrived as a whole. Throws CLOUD_FAILED when the call is given up. */
  async #repeatedAsync<T extends string | Uint8Array>(repeating: Repeating, sendAsync: Send<T>): Promise<T> {
    const { signal, clock } = this.#options;
    const { pace, timeoutMs = TIMEOUT_MS, maxLost = MAX_LOST } = repeating;
    const startedMs = clock.now();
    for (let lost = 0, refused = 0; ;) {
      await pace.turnAsync(signal, this.reportWait);
      const answer = await this.#sentAsync(sendAsync, timeoutMs);
      const status = "response" in answer ? answer.response.status : 0;
      if ("response" in answer) pace.noteAnswer(answer.response.headers);
      if (isWhole(answer)) return answer.content;
      if (status === TOO_MANY && "response" in answer && clock.now() - startedMs < MAX_REFUSED_MS) {
        pace.noteRefusal(answer.response.headers, refused, answerOf(answer).text);
        refused += 1;
      } else if (isLost(answer) && lost < maxLost) {
        const pauseMs = FIRST_PAUSE_MS * 2 ** lost;
        lost += 1;
        this.reportWait(pauseMs, reasonOf(answer));
        await clock.sleepAsync(pauseMs, signal);
      } else throw this.#refusal(repeating, answer);
    }
  }

  /** Reports a long wait, unless a reported wait for the same reason has not ended yet. */
  readonly reportWait: OnWait = (milliseconds, reason) => {
    const now = this.#options.clock.now();
    if (milliseconds <= REPORTED_WAIT_MS || now < (this.#reportedUntil.get(reason) ?? 0)) return;
    this.#reportedUntil.set(reason, now + milliseconds);
    this.#options.onWait?.(milliseconds, this.#withoutKey(reason));
  };

  async #sentAsync<T>(sendAsync: Send<T>, timeoutMs: number): Promise<Answer<T>> {
    const { signal } = this.#options;
    const silence = setTimeout(
      () => this.reportWait(timeoutMs - SILENCE_MS, "has not answered yet"),
      SILENCE_MS,
    );
    try {
      return await sendAsync(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const isNeverSent = NEVER_SENT.has(systemCodeOf(error) ?? "");
      return { unreachable: error instanceof Error ? error.message : String(error), isNeverSent };
    } finally {
      clearTimeout(silence);
    }
  }

  #refusal({ what, hints }: Repeating, answer: Answer<string | Uint8Array>): StudioBridgeError {
    if ("unreachable" in answer)
      return this.#failure(`Open Cloud cannot be reached (${answer.unreachable}): ${what}`, {
        hint: NETWORK,
      });
    const { status } = answer.response;
    if (answer.content === undefined)
      return this.#failure(`Open Cloud cut its answers short: ${what}`, { data: { status }, hint: LATER });
    const { text, code, isPage } = answerOf(answer);
    const hint = hints[status] ?? LATER;
    return this.#failure(`Open Cloud answered ${text} (${what})`, {
      data: { status, ...(code === "" ? {} : { cloudCode: code }) },
      hint: isPage && hint !== LATER ? NETWORK : hint,
    });
  }

  /** A service may repeat the key in its answer, so that every text is cleaned of it. */
  #withoutKey(text: string): string {
    return text.replaceAll(this.#options.key, "(key)");
  }

  #failure(
    message: string,
    details: { readonly hint?: string; readonly data?: { readonly [key: string]: unknown } } = {},
  ): StudioBridgeError {
    return new StudioBridgeError("CLOUD_FAILED", this.#withoutKey(message), details);
  }
}

const isWhole = <T>(answer: Answer<T>): answer is Whole<T> =>
  "response" in answer && answer.response.ok && answer.content !== undefined;

const isLost = (answer: Answer<unknown>): boolean =>
  "unreachable" in answer || answer.content === undefined || LOST_STATUSES.has(answer.response.status);

function reasonOf(answer: Answer<string | Uint8Array>): string {
  if ("unreachable" in answer) return `cannot be reached (${answer.unreachable})`;
  return answer.response.ok ? "cuts its answers short" : `answers ${answerOf(answer).text}`;
}

/** Without what the library advises its programmers. */
const lostReason = (message: string): string =>
  message.replace(/ For more information,.*/s, "").replace(/\.$/, "");

/** The text of a refusal in one line, `403 PERMISSION_DENIED: The key has …`, and Roblox's code. */
function answerOf({ response, content }: Exclude<Answer<string | Uint8Array>, { unreachable: string }>): {
  readonly text: string;
  readonly code: string;
  /** The answer is a web page. Roblox answers with JSON, so that a page comes from a proxy. */
  readonly isPage: boolean;
} {
  const body = typeof content === "string" ? content : new TextDecoder().decode(content);
  const { code, message } = errorIn(body);
  const isPage = body.trimStart().startsWith("<");
  const other = isPage ? "a web page, which may be that of a proxy" : body.slice(0, 200);
  // The sentence of Roblox becomes a part of a longer one.
  const reason = message.replace(/\.$/, "") || (code === "" ? other : "");
  const status = [response.status, code].join(" ").trim();
  return { text: [status, reason].filter((part) => part !== "").join(": "), code, isPage };
}

const NETWORK = "Check the network and its proxies, and run it again.";
const LATER = "Run it again later; https://status.roblox.com shows failures of Roblox.";
const PLACE_HINT =
  "Check the numbers of the universe and the place (--on cloud:UNIVERSE/PLACE, or test.cloud in sb.config.json). The place has to belong to the universe, and to have been saved to Roblox once.";
const TASK_HINTS: Hints = {
  400: PLACE_HINT,
  401: "Check ROBLOX_OPEN_CLOUD_API_KEY: the key may be wrong, expired, or not allowed from this address.",
  403: "Give the key the scope universe.place.luau-execution-session:write for this universe.",
  404: PLACE_HINT,
  429: "Another program uses up the calls of this key's owner; wait, or run fewer tasks at once.",
};
const UPLOAD_HINTS: Hints = {
  ...TASK_HINTS,
  400: "Open the place file in Studio, to see that it can be read, and check the numbers of the universe and the place.",
  403: "Give the key the scope universe-places:write for this universe.",
  409: "Another program publishes the place; run it again.",
};
const IDS = "Check the ids of the universe and the place: the place has to belong to the universe.";
/** Of a place that is replaced. */
const REPLACE_HINTS: Hints = {
  ...TASK_HINTS,
  400: "Nothing was saved. Open the place file in Studio, to see that it can be read.",
  401: `Nothing was saved. ${TASK_HINTS[401]}`,
  403: "Nothing was saved. Give the key the scope universe-places:write for this universe; its owner must be allowed to edit the place.",
  404: `Nothing was saved. ${IDS}`,
  409: `Nothing was saved. ${IDS} Another program may also save the place now.`,
  413: "Nothing was saved. Roblox takes no larger place here: publish it in Studio.",
  429: "Nothing was saved. Open Cloud takes no more uploads of this key's owner for a minute; wait, and run it again.",
};
const EXPIRED = "Run it again: addresses of bytes are valid for 15 minutes.";
const BYTES_HINTS: Hints = { 403: EXPIRED, 404: EXPIRED };
