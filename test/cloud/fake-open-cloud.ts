/**
 * An Open Cloud of our own for tests: it keeps the state of tasks, places and limits as the service is documented to, and
 * lets a caller run the scripts. Each request and answer is held against Roblox's description.
 */
import { answerFaults, callOf, type DescribedCall, requestFaults } from "./description.ts";

export const KEY = "fake-key-of-the-tests";
const RESULT_LIMIT = 4_000_000;
const LOG_LIMIT = 450_000;
/** The size of a log message beside its text. */
const LOG_COST = 47;
const TASKS_PER_PLACE = 10;

export interface ScriptRun {
  readonly script: string;
  readonly input: Uint8Array | undefined;
  /** The file of the place; undefined for the empty place before the first upload. */
  readonly place: Uint8Array | undefined;
  readonly version: number;
  readonly universeId: string;
  readonly placeId: string;
  readonly timeoutMs: number;
}

export type ScriptEnd =
  | {
      readonly kind: "returned";
      readonly values: readonly unknown[];
      readonly binary: Uint8Array<ArrayBuffer>;
      readonly messages: readonly string[];
    }
  | { readonly kind: "raised"; readonly message: string; readonly messages: readonly string[] }
  | { readonly kind: "late"; readonly messages: readonly string[] }
  /** A user stops the task on the site. */
  | { readonly kind: "cancelled"; readonly messages: readonly string[] }
  /** The service itself fails. */
  | { readonly kind: "broken" }
  /** The task never ends. */
  | { readonly kind: "stuck" }
  /** The task never begins. */
  | { readonly kind: "queued" };

export type RunScript = (run: ScriptRun) => Promise<ScriptEnd>;

interface Task {
  readonly path: string;
  readonly placeKey: string;
  readonly run: ScriptRun;
  state: "QUEUED" | "PROCESSING" | "COMPLETE" | "FAILED" | "CANCELLED";
  end: ScriptEnd | undefined;
  isQueued?: boolean;
}

interface Place {
  readonly files: Map<number, Uint8Array>;
  head: number;
}

/** The fault of the next request whose path contains `path`; it replaces the answer. */
export interface Fault {
  readonly path: string;
  readonly answer: "truncated" | "refused" | number | ((response: Response) => Response);
}

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly status: number;
}

interface FakeOptions {
  readonly runScript: RunScript;
  /** The clock, in milliseconds; real time by default. */
  readonly now?: () => number;
  /** The address of the service. */
  readonly origin?: string;
  /** Limits of calls in a minute that replace the documented ones. */
  readonly perMinute?: number;
}

export class FakeOpenCloud {
  readonly heard: Heard[] = [];
  /** Faults of requests and answers against the description, each in a sentence. */
  readonly faults: string[] = [];
  readonly planned: Fault[] = [];
  /** Places that were saved, each with the kind of its newest version. */
  readonly saved = new Map<string, { readonly file: Uint8Array; readonly versionType: string }>();
  readonly runs: ScriptRun[] = [];
  /** The largest number of unfinished tasks in one place at a time. */
  mostTasks = 0;
  origin: string;
  readonly #options: FakeOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #places = new Map<string, Place>();
  readonly #inputs = new Map<string, { size: number; bytes: Uint8Array | undefined }>();
  readonly #windows = new Map<string, { endsAt: number; calls: number }>();

  constructor(options: FakeOptions) {
    this.#options = options;
    this.origin = options.origin ?? "http://127.0.0.1:1";
  }

  /** Saves a new version, as another program might do between an upload and a task. */
  saveByOther(universe: string, place: string, file = new Uint8Array()): void {
    this.#save(`${universe}/${place}`, file);
  }

  readonly fetchAsync = (url: string, init: RequestInit): Promise<Response> =>
    this.handleAsync(new Request(url, init));

  async handleAsync(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = decodeURIComponent(url.pathname);
    const plan = this.planned.findIndex((fault) => path.includes(fault.path));
    const [fault] = plan < 0 ? [] : this.planned.splice(plan, 1);
    const response = await spoiled(await this.#answerAsync(request, url, path, fault), fault);
    this.heard.push({
      method: request.method,
      path,
      key: request.headers.get("x-api-key"),
      status: response.status,
    });
    return response;
  }

  async #answerAsync(request: Request, url: URL, path: string, fault: Fault | undefined): Promise<Response> {
    if (path.startsWith("/bytes/")) return this.#bytesAsync(request, path);
    const call = callOf(request.method, path);
    if (call === undefined) {
      this.faults.push(`no such call: ${request.method} ${path}`);
      return refusal(404, "NOT_FOUND", "no such path");
    }
    if (request.headers.get("x-api-key") !== KEY)
      return Response.json({ errors: [{ code: 0, message: "Invalid API Key" }] }, { status: 401 });
    const headers = this.#limit(call, path.replace(/\d{2,}|[0-9a-f-]{36}/g, "N"));
    if (Number(headers["x-ratelimit-remaining"]) < 0 || fault?.answer === "refused")
      return Response.json(
        { code: "RESOURCE_EXHAUSTED", message: "Too many requests." },
        {
          status: 429,
          headers: { ...headers, "x-ratelimit-remaining": "0", "retry-after": headers["x-ratelimit-reset"] },
        },
      );
    const bytes = new Uint8Array(await request.arrayBuffer());
    const isUpload = path.startsWith("/universes/");
    const body = isUpload ? "" : new TextDecoder().decode(bytes);
    const type = request.headers.get("content-type") ?? "";
    const wrong = requestFaults(call, url.searchParams, type, body);
    if (wrong.length > 0) {
      this.faults.push(...wrong.map((text) => `${request.method} ${path}: ${text}`));
      return refusal(400, "INVALID_ARGUMENT", wrong.join("; "));
    }
    const { universe_id = "", universeId = "", place_id = "", placeId = "" } = call.names;
    if (isUpload) {
      const key = `${universeId}/${placeId}`;
      const versionType = url.searchParams.get("versionType") ?? "";
      if (!["Saved", "Published"].includes(versionType))
        return refusal(400, "INVALID_ARGUMENT", `versionType is ${versionType}`);
      // What the service refuses it does not save; a fault of the service may come after it has saved.
      const isRefused = typeof fault?.answer === "number" && fault.answer < 500;
      if (!isRefused) this.saved.set(key, { file: bytes, versionType });
      return isRefused ? refusal(400, "", "") : this.#upload(key, bytes, type, headers);
    }
    if (path.endsWith("binary-inputs"))
      return this.#told(call, this.#newInput(universe_id, JSON.parse(body)), headers);
    if (request.method === "POST") {
      const answer = this.#newTask(universe_id, place_id, call.names["version_id"], JSON.parse(body));
      return answer instanceof Response ? answer : this.#told(call, answer, headers);
    }
    const task = this.#tasks.get(path.replace("/cloud/v2/", "").replace(/\/logs$/, ""));
    if (task === undefined) return refusal(404, "NOT_FOUND", "no such task");
    return this.#told(call, path.endsWith("/logs") ? logsOf(task) : this.#polled(task), headers);
  }

  #told(call: DescribedCall, body: unknown, headers: Record<string, string>): Response {
    this.faults.push(...answerFaults(call, body).map((text) => `answer of the fake: ${text}`));
    return Response.json(body, { headers });
  }

  #limit(call: DescribedCall, kind: string) {
    const now = (this.#options.now ?? performance.now.bind(performance))();
    const limit = this.#options.perMinute ?? call.perMinute;
    let window = this.#windows.get(kind);
    if (window === undefined || now >= window.endsAt)
      this.#windows.set(kind, (window = { endsAt: now + 60_000, calls: 0 }));
    window.calls += 1;
    return {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(limit - window.calls),
      "x-ratelimit-reset": String(Math.ceil((window.endsAt - now) / 1000)),
    };
  }

  async #bytesAsync(request: Request, path: string): Promise<Response> {
    if (request.headers.has("x-api-key")) this.faults.push("the key was sent with bytes");
    const id = path.replace("/bytes/", "");
    if (request.method === "PUT") {
      const input = this.#inputs.get(id);
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (input === undefined) return new Response("", { status: 404 });
      if (input.size !== bytes.length)
        this.faults.push(`${bytes.length} bytes were sent in place of ${input.size}`);
      input.bytes = bytes;
      return new Response("");
    }
    const end = this.#tasks.get(id)?.end;
    return end?.kind === "returned" ? new Response(end.binary) : new Response("", { status: 404 });
  }

  #newInput(universe: string, { size }: { size: number }) {
    const path = `universes/${universe}/luau-execution-session-task-binary-inputs/${crypto.randomUUID()}`;
    this.#inputs.set(path, { size, bytes: undefined });
    return { path, size, uploadUri: `${this.origin}/bytes/${path}` };
  }

  #save(key: string, file: Uint8Array): number {
    const place = this.#place(key);
    const newest = place.files.get(place.head);
    // The service makes no new version for the same bytes.
    if (newest !== undefined && Buffer.compare(newest, file) === 0) return place.head;
    place.head += 1;
    place.files.set(place.head, file);
    return place.head;
  }

  #place(key: string): Place {
    const place = this.#places.get(key) ?? { files: new Map(), head: 1 };
    this.#places.set(key, place);
    return place;
  }

  #upload(key: string, file: Uint8Array, type: string, headers: Record<string, string>): Response {
    if (!["application/octet-stream", "application/xml"].includes(type))
      this.faults.push(`an upload of ${type}`);
    if (file.length > 10_485_760) this.faults.push("an upload that is too large");
    return new Response(JSON.stringify({ versionNumber: this.#save(key, file) }), {
      headers: { ...headers, "content-type": "text/plain" },
    });
  }

  #newTask(
    universe: string,
    place: string,
    pinned: string | undefined,
    body: { script: string; timeout?: string; binaryInput?: string; enableBinaryOutput?: boolean },
  ) {
    const placeKey = `${universe}/${place}`;
    const unfinished = [...this.#tasks.values()].filter(
      (task) => task.placeKey === placeKey && task.end === undefined,
    );
    if (unfinished.length >= TASKS_PER_PLACE)
      return refusal(429, "RESOURCE_EXHAUSTED", "This place has ten unfinished tasks.");
    this.mostTasks = Math.max(this.mostTasks, unfinished.length + 1);
    if (Buffer.byteLength(body.script) > 4_000_000)
      return refusal(400, "INVALID_ARGUMENT", "The script is too large.");
    const { files, head } = this.#place(placeKey);
    const version = pinned === undefined ? head : Number(pinned);
    const input = body.binaryInput === undefined ? undefined : this.#inputs.get(body.binaryInput)?.bytes;
    if (body.binaryInput !== undefined && input === undefined)
      return refusal(400, "INVALID_ARGUMENT", "The binary input was not uploaded.");
    const path = `universes/${universe}/places/${place}/versions/${version}/luau-execution-sessions/${crypto.randomUUID()}/tasks/${crypto.randomUUID()}`;
    const run = {
      script: body.script,
      input,
      place: files.get(version),
      version,
      universeId: universe,
      placeId: place,
      timeoutMs: Number.parseFloat(body.timeout ?? "300s") * 1000,
    };
    const task: Task = { path, placeKey, run, state: "QUEUED", end: undefined };
    this.#tasks.set(path, task);
    this.runs.push(run);
    void this.#options.runScript(run).then((end) => {
      if (end.kind === "queued") task.isQueued = true;
      else if (end.kind !== "stuck") task.end = end;
    });
    return {
      path,
      createTime: new Date().toISOString(),
      state: "QUEUED",
      user: "1",
      enableBinaryOutput: body.enableBinaryOutput ?? false,
    };
  }

  #polled(task: Task) {
    const { path, end } = task;
    if (end === undefined) task.state = task.isQueued === true ? "QUEUED" : "PROCESSING";
    else if (end.kind === "cancelled") task.state = "CANCELLED";
    else task.state = end.kind === "returned" && !isTooLarge(end.values) ? "COMPLETE" : "FAILED";
    const facts = { path, state: task.state, user: "1" };
    if (end === undefined) return facts;
    switch (end.kind) {
      case "returned":
        return isTooLarge(end.values)
          ? { ...facts, error: { code: "OUTPUT_SIZE_LIMIT_EXCEEDED", message: "The results are too large." } }
          : {
              ...facts,
              output: { results: [...end.values] },
              binaryOutputUri: `${this.origin}/bytes/${path}`,
            };
      case "raised":
        return { ...facts, error: { code: "SCRIPT_ERROR", message: end.message } };
      case "late":
        return { ...facts, error: { code: "DEADLINE_EXCEEDED", message: "The script took too long." } };
      case "cancelled":
        return facts;
      default:
        return { ...facts, error: { code: "INTERNAL_ERROR", message: "Internal error." } };
    }
  }
}

const isTooLarge = (values: readonly unknown[]): boolean => JSON.stringify(values).length > RESULT_LIMIT;

const refusal = (status: number, code: string, message: string): Response =>
  Response.json({ code, message }, { status });

async function spoiled(response: Response, fault: Fault | undefined): Promise<Response> {
  if (fault === undefined || fault.answer === "refused") return response;
  if (typeof fault.answer === "function") return fault.answer(response);
  if (typeof fault.answer === "number")
    return new Response("<html>Bad gateway</html>", { status: fault.answer });
  const text = await response.text();
  return new Response(text.slice(0, text.length / 2), { status: response.status });
}

/** The newest messages, up to the size that the service keeps. */
function logsOf({ path, end, state }: Task) {
  if (end === undefined || state === "PROCESSING" || !("messages" in end))
    return { luauExecutionSessionTaskLogs: [{ path: `${path}/logs/1`, messages: [] }] };
  const kept: string[] = [];
  let bytes = 0;
  for (const message of end.messages.toReversed()) {
    bytes += Buffer.byteLength(message) + LOG_COST;
    if (bytes > LOG_LIMIT) break;
    kept.unshift(message);
  }
  return { luauExecutionSessionTaskLogs: [{ path: `${path}/logs/1`, messages: kept }] };
}
