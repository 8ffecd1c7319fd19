/**
 * The calls of Roblox Open Cloud that run Luau in a place: they create a task, wait for its end, and move bytes to it and
 * from it; and the call that makes a new version of a place. Facts and limits:
 * https://create.roblox.com/docs/cloud/reference/features/luau-execution, https://create.roblox.com/docs/cloud/guides/usage-place-publishing
 */
import { StudioBridgeError } from "../protocol/errors.ts";
import { binaryInputSchema, type CloudTask, logsSchema, placeVersionSchema, taskSchema } from "./answers.ts";
import { type Call, type RequestOptions, Requests } from "./requests.ts";

const MIB = 1024 * 1024;
/** The documented limits of Open Cloud. */
export const LIMITS = {
  scriptBytes: 4_000_000,
  inputBytes: 100 * MIB,
  placeFileBytes: 10_485_760,
  taskMs: 300_000,
  tasksPerPlace: 10,
} as const;

const FIRST_POLL_MS = 1000;
const LAST_POLL_MS = 3000;
/** Time that a place may take to boot. The time limit of a task counts from the end of the boot. */
const BOOT_MS = 120_000;
/** A task that has not begun after this time is given up. */
const MAX_QUEUED_MS = 10 * 60_000;
/** A task that has not begun after this time is reported as a wait. */
const REPORTED_QUEUE_MS = 30_000;

export interface CloudPlace {
  readonly universe: string;
  readonly place: string;
}

/** A saved version is what Studio opens; players get the newest that was published. */
export type VersionType = "Saved" | "Published";

export interface NewTask {
  readonly script: string;
  readonly timeoutMs: number;
  /** The path that uploadInputAsync returned. */
  readonly binaryInput?: string;
}

/** The state of a task that a user has stopped, on the site or by another program. */
export const CANCELLED = "CANCELLED";

/** A task that will give no result. `code` is Roblox's, or NO_OUTPUT without a result, or LOST if the task never ended. */
export class TaskFault extends Error {
  readonly code: string;
  readonly path: string;
  /** The last messages that the task printed. */
  readonly log: readonly string[];

  constructor(code: string, message: string, path: string, log: readonly string[] = []) {
    super(message);
    this.name = "TaskFault";
    this.code = code;
    this.path = path;
    this.log = log;
  }
}

export class OpenCloud {
  readonly #requests: Requests;
  readonly #options: RequestOptions;

  constructor(options: RequestOptions) {
    this.#options = options;
    this.#requests = new Requests(options);
  }

  /** Starts a script in the newest version of a place, or in `version`. Returns the path of the task. */
  async createTaskAsync({ universe, place }: CloudPlace, task: NewTask, version?: number): Promise<string> {
    const { script, timeoutMs, binaryInput } = task;
    checkSize("script of a task", Buffer.byteLength(script), LIMITS.scriptBytes, MOUNT_TESTS);
    const pinned = version === undefined ? "" : `/versions/${version}`;
    const { path } = await this.#requests.callAsync(
      {
        kind: version === undefined ? "create" : "createPinned",
        method: "POST",
        path: `/cloud/v2/universes/${universe}/places/${place}${pinned}/luau-execution-session-tasks`,
        body: JSON.stringify({
          script,
          timeout: `${Math.ceil(Math.min(timeoutMs, LIMITS.taskMs) / 1000)}s`,
          enableBinaryOutput: true,
          ...(binaryInput === undefined ? {} : { binaryInput }),
        }),
      },
      taskSchema,
    );
    return path;
  }

  /** Polls until the task has ended, and throws TaskFault if it failed or cannot end any more. */
  async waitForEndAsync(path: string, timeoutMs: number): Promise<CloudTask> {
    const { clock, signal } = this.#options;
    const startedMs = clock.now();
    let processingSinceMs: number | undefined;
    let pauseMs = FIRST_POLL_MS;
    for (;;) {
      await clock.sleepAsync(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 1.25, LAST_POLL_MS);
      const task = await this.#requests.callAsync(
        { kind: "get", method: "GET", path: `/cloud/v2/${path}?view=BASIC` },
        taskSchema,
      );
      switch (task.state) {
        case "COMPLETE":
          return task;
        case "FAILED":
        case CANCELLED:
          throw new TaskFault(
            task.error?.code ?? task.state,
            task.error?.message ??
              (task.state === CANCELLED ? "a user has cancelled the task" : "no reason was given"),
            path,
          );
        case "PROCESSING":
          processingSinceMs ??= clock.now();
      }
      if (processingSinceMs !== undefined && clock.now() - processingSinceMs > timeoutMs + BOOT_MS)
        // UNVERIFIED: users of Luau Execution report that a place which cannot be loaded stays in this state without an
        // error. The time limit ends the wait, whatever the cause is.
        throw new TaskFault(
          "LOST",
          "the task stayed in PROCESSING; the place may be one that cannot be loaded",
          path,
        );
      const leftMs = startedMs + MAX_QUEUED_MS + timeoutMs - clock.now();
      if (processingSinceMs === undefined && clock.now() - startedMs > REPORTED_QUEUE_MS)
        this.#requests.reportWait(leftMs, "has not begun a task yet");
      if (leftMs < 0) throw new TaskFault("LOST", "the task was not begun", path);
    }
  }

  /** The last `count` messages of a task that has ended. */
  async readLogAsync(path: string, count: number): Promise<readonly string[]> {
    const { luauExecutionSessionTaskLogs: chunks = [] } = await this.#requests.callAsync(
      { kind: "logs", method: "GET", path: `/cloud/v2/${path}/logs?view=FLAT&maxPageSize=10000` },
      logsSchema,
    );
    return chunks.flatMap(({ messages = [] }) => messages).slice(-count);
  }

  /** Makes bytes available to the tasks of a universe, for 15 minutes. */
  async uploadInputAsync(universe: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    checkSize("place", bytes.length, LIMITS.inputBytes);
    const { path, uploadUri } = await this.#requests.callAsync(
      {
        kind: "input",
        method: "POST",
        path: `/cloud/v2/universes/${universe}/luau-execution-session-task-binary-inputs`,
        body: JSON.stringify({ size: bytes.length }),
      },
      binaryInputSchema,
    );
    await this.#requests.putAsync(uploadUri, bytes);
    return path;
  }

  /** The bytes of the buffer that the script of the task returned. */
  async downloadOutputAsync({ path, binaryOutputUri }: CloudTask): Promise<Uint8Array> {
    if (binaryOutputUri === undefined)
      throw new TaskFault("NO_OUTPUT", "the task ended without its results", path);
    return this.#requests.readAsync(binaryOutputUri);
  }

  /**
   * Replaces a place by a file and gives the number of its new version. It is sent once. Throws CLOUD_FAILED where nothing was
   * saved, and UPLOAD_UNCERTAIN where that is not known.
   */
  async replacePlaceAsync(
    { universe, place }: CloudPlace,
    { content, isXml }: { readonly content: Uint8Array<ArrayBuffer>; readonly isXml: boolean },
    versionType: VersionType,
  ): Promise<number> {
    checkPlaceSize(content);
    const call = placeVersionCall("replace", { universe, place }, content, isXml, versionType);
    const done = versionType === "Published" ? "published" : "saved";
    const { versionNumber } = await this.#requests.callOnceAsync(
      call,
      placeVersionSchema,
      (reason) =>
        new StudioBridgeError(
          "UPLOAD_UNCERTAIN",
          `Place ${place} of universe ${universe} may have been ${done}: the answer of Open Cloud was lost (${reason}).`,
          { data: { universe: Number(universe), place: Number(place), versionType }, outcome: "unknown" },
        ),
    );
    return versionNumber;
  }

  /** Saves a new version of a place without publishing it, so that no player sees it. Returns its number. */
  async uploadPlaceAsync(
    { universe, place }: CloudPlace,
    file: Uint8Array<ArrayBuffer>,
    isXml: boolean,
  ): Promise<number> {
    checkSize("place file", file.length, LIMITS.placeFileBytes);
    const { versionNumber } = await this.#requests.callAsync(
      placeVersionCall("upload", { universe, place }, file, isXml, "Saved"),
      placeVersionSchema,
    );
    return versionNumber;
  }
}

function placeVersionCall(
  kind: "upload" | "replace",
  { universe, place }: CloudPlace,
  body: Uint8Array<ArrayBuffer>,
  isXml: boolean,
  versionType: VersionType,
): Call {
  return {
    kind,
    method: "POST",
    path: `/universes/v1/${universe}/places/${place}/versions?versionType=${versionType}`,
    body,
    contentType: isXml ? "application/xml" : "application/octet-stream",
  };
}

const PUBLISH_IN_STUDIO = "Publish it in Studio, which has no such limit.";
const SMALLER_PLACE = "Test in a smaller place: leave out what the tests do not need.";
const MOUNT_TESTS = "Mount the test files in the project, so that they go there with the place.";

/** Throws CLOUD_FAILED for a place that Open Cloud does not take. */
export const checkPlaceSize = ({ length }: Uint8Array): void =>
  checkSize("place file", length, LIMITS.placeFileBytes, PUBLISH_IN_STUDIO);

/** Throws CLOUD_FAILED if `bytes` is above `limit`, so that nothing is sent. `what` names the thing in the message. */
export function checkSize(what: string, bytes: number, limit: number, hint = SMALLER_PLACE): void {
  if (bytes <= limit) return;
  const inMegabytes = (size: number): string => `${(size / 1_000_000).toFixed(1)} MB`;
  const isClose = inMegabytes(bytes) === inMegabytes(limit);
  const text = isClose ? (size: number): string => `${size} bytes` : inMegabytes;
  throw new StudioBridgeError(
    "CLOUD_FAILED",
    `The ${what} has ${text(bytes)}, and Open Cloud takes at most ${text(limit)}.`,
    { hint },
  );
}
