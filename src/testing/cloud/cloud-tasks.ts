/**
 * Runs tasks in the places of a universe and returns their results. The project's place gets there in one of two ways: as
 * bytes that each task unpacks, or as a saved version of each place.
 */
import { LIMITS, type OpenCloud, TaskFault, checkSize } from "../../cloud/open-cloud.ts";
import type { CloudTask } from "../../cloud/answers.ts";
import type { PlaceContent } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { isBinaryModel } from "../../roblox/binary-reader.ts";
import { writeBinaryModel } from "../../roblox/binary-writer.ts";
import { stateFile } from "../../util/state-folder.ts";
import { placeInput } from "./place-input.ts";
import { type TaskResults, taskResultsIn } from "./task-results.ts";
import { OTHER_VERSION, RUNS_ALREADY, type TaskRequest, taskScript } from "./task-script.ts";
import { Uploads } from "./uploads.ts";

/** The places in which tests run, and the way in which the project's place gets there. */
export interface CloudSite {
  readonly universe: string;
  readonly places: readonly string[];
  /** The version of the place in which tasks run; undefined for the newest. */
  readonly version?: number | undefined;
  /** `save` uploads the place as a new version; `never` sends its content to each task. */
  readonly upload: "never" | "save";
}

/** The code of a TaskFault: the tests run in another task, whose name is not known. */
export const ANSWER_LOST = "ANSWER_LOST";

/** Age at which input bytes are uploaded again. Roblox keeps them for 15 minutes, which include the wait for a task's start. */
const INPUT_VALID_MS = 10 * 60_000;
const LOG_LINES = 20;
/** Time for the place, the set-up scripts and the harness, before the first file begins. */
const PREPARING_MS = 60_000;

export class CloudTasks {
  readonly #cloud: OpenCloud;
  readonly #site: CloudSite;
  readonly #input: Uint8Array<ArrayBuffer> | undefined;
  readonly #file: PlaceFile | undefined;
  readonly #uploads: Uploads;
  readonly #versions = new Map<string, Promise<number>>();
  #running = 0;
  #sent: { readonly path: Promise<string>; readonly atMs: number } | undefined;

  /** `content` is the project's place; undefined for none. Throws if the place cannot be sent; nothing has been sent then. */
  constructor(cloud: OpenCloud, site: CloudSite, content: PlaceContent | undefined) {
    this.#cloud = cloud;
    this.#site = site;
    const saves = site.upload === "save";
    this.#input = content === undefined || saves ? undefined : placeInput(content);
    this.#file = saves ? placeFileOf(content, site) : undefined;
    this.#uploads = new Uploads(cacheFile());
    if (this.#input !== undefined) checkSize("place", this.#input.length, LIMITS.inputBytes);
    if (this.#file !== undefined) checkSize("place file", this.#file.bytes.length, LIMITS.placeFileBytes);
  }

  /** The number of tasks that were created and have not ended. */
  get running(): number {
    return this.#running;
  }

  /** Runs one task in `place`. Throws TaskFault with the end of the log if the task gave no results. */
  async runAsync(place: string, request: TaskRequest): Promise<TaskResults> {
    const timeoutMs = Math.min(LIMITS.taskMs, request.files.length * request.fileTimeoutMs + PREPARING_MS);
    const saved = this.#file === undefined ? undefined : await this.#versionAsync(place, this.#file);
    const scriptFor = (version: number | undefined): string =>
      taskScript({ ...request, version, key: request.lists ? undefined : crypto.randomUUID() });
    const task = await this.#taskAsync(place, scriptFor(saved), timeoutMs, this.#site.version);
    if (task.output?.results?.[0] !== OTHER_VERSION) return this.#resultsAsync(task);
    // Another program has saved a newer version of the place. A task for our version finds ours, though Roblox allows
    // fewer tasks of that kind.
    return this.#resultsAsync(await this.#taskAsync(place, scriptFor(undefined), timeoutMs, saved));
  }

  async #taskAsync(
    place: string,
    script: string,
    timeoutMs: number,
    version: number | undefined,
  ): Promise<CloudTask> {
    const { universe } = this.#site;
    const input = await this.#inputAsync();
    const path = await this.#cloud.createTaskAsync(
      { universe, place },
      { script, timeoutMs, ...(input === undefined ? {} : { binaryInput: input }) },
      version,
    );
    this.#running += 1;
    try {
      const task = await this.#cloud.waitForEndAsync(path, timeoutMs);
      this.#running -= 1;
      return task;
    } catch (error) {
      if (!(error instanceof TaskFault)) throw error;
      this.#running -= 1;
      throw await this.#withLogAsync(error);
    }
  }

  async #resultsAsync(task: CloudTask): Promise<TaskResults> {
    if (task.output?.results?.[0] === RUNS_ALREADY)
      throw new TaskFault(
        ANSWER_LOST,
        "the answer with the name of the task that runs the tests was lost",
        task.path,
      );
    const results = taskResultsIn(await this.#textAsync(task));
    if (results !== undefined) return results;
    throw await this.#withLogAsync(new TaskFault("NO_OUTPUT", "its results are not whole", task.path));
  }

  /** The results as text. If their bytes cannot be read, short results are also among the task's return values. */
  async #textAsync(task: CloudTask): Promise<string> {
    const value = task.output?.results?.[0];
    try {
      return new TextDecoder().decode(await this.#cloud.downloadOutputAsync(task));
    } catch (error) {
      const isUnreadable =
        error instanceof TaskFault || (error instanceof StudioBridgeError && error.code === "CLOUD_FAILED");
      if (isUnreadable && typeof value === "string") return value;
      throw error;
    }
  }

  async #withLogAsync({ code, message, path }: TaskFault): Promise<TaskFault> {
    const log = await this.#cloud.readLogAsync(path, LOG_LINES).catch(() => ["(its log could not be read)"]);
    return new TaskFault(code, message, path, log);
  }

  /** The path of the input bytes. One upload serves many tasks. */
  async #inputAsync(): Promise<string | undefined> {
    const bytes = this.#input;
    if (bytes === undefined) return undefined;
    const now = performance.now();
    if (this.#sent === undefined || now - this.#sent.atMs > INPUT_VALID_MS)
      this.#sent = { path: this.#cloud.uploadInputAsync(this.#site.universe, bytes), atMs: now };
    return this.#sent.path;
  }

  #versionAsync(place: string, file: PlaceFile): Promise<number> {
    let version = this.#versions.get(place);
    if (version === undefined) this.#versions.set(place, (version = this.#uploadAsync(place, file)));
    return version;
  }

  async #uploadAsync(place: string, { bytes, isXml }: PlaceFile): Promise<number> {
    const { universe } = this.#site;
    const name = `${universe}/${place}`;
    const known = await this.#uploads.versionOfAsync(name, bytes);
    if (known !== undefined) return known;
    const version = await this.#cloud.uploadPlaceAsync({ universe, place }, bytes, isXml);
    await this.#uploads.rememberAsync(name, bytes, version);
    return version;
  }
}

interface PlaceFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isXml: boolean;
}

function placeFileOf(content: PlaceContent | undefined, { version }: CloudSite): PlaceFile {
  if (version !== undefined)
    throw invalidInput(
      "Tests run either in a version of the place or in one that is uploaded for them, not in both.",
      'Leave out @VERSION, or set "upload" under test.cloud in sb.config.json to "never".',
    );
  if (content === undefined)
    throw invalidInput(
      "There is no place to upload.",
      "Name one with --place, or make a default.project.json.",
    );
  const { file, model, schema } = content;
  if (file !== undefined) return { bytes: file, isXml: !isBinaryModel(file) };
  const isService = (className: string): boolean => schema.isService(className);
  if (!model.classes.some(({ className }) => isService(className)))
    throw invalidInput(
      "A model cannot be uploaded as a place.",
      "Name a place or the project of one with --place.",
    );
  return { bytes: writeBinaryModel(model, isService), isXml: false };
}

function cacheFile(): string | undefined {
  try {
    return stateFile("test/cloud-places.json");
  } catch {
    return undefined;
  }
}
