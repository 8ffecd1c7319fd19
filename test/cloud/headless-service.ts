/** The fake Open Cloud on a port. It runs each task in a headless Studio, so that the results of tests are real. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { FakeOpenCloud, type ScriptEnd, type ScriptRun } from "./fake-open-cloud.ts";

/** The start of the lines in which the wrapper prints the buffer of a task. */
const MARK = "binary output of the task:";
const PIECE = 200_000;

/**
 * The environment of Luau Execution for a script: its input, and no plugin. It stands on the first line, so that lines of the script
 * keep their numbers.
 */
function wrapped({ script }: ScriptRun): string {
  const world = [
    "local encoding = game:GetService('EncodingService')",
    "local input = if sb.input ~= '' then encoding:Base64Decode(buffer.fromstring(sb.input)) else nil",
    "local function run(...) local sb, plugin, settings = nil, nil, nil ",
  ].join(" ");
  const end = `
end
local ok, result = xpcall(run, function(raised) return tostring(raised) .. "\\n" .. debug.traceback("", 2) end, { BinaryInput = input })
if not ok then return "raised", result end
local text = buffer.tostring(encoding:Base64Encode(result.BinaryOutput))
for at = 1, #text, ${PIECE} do print("${MARK}" .. string.sub(text, at, at + ${PIECE - 1})) end
return "returned", game:GetService("HttpService"):JSONEncode(result.ReturnValues)`;
  return world + script + end;
}

/** The version in the form that the variant of headless Studio takes. */
const placeOf = ({ universeId, placeId, version }: ScriptRun): string =>
  `${universeId}/${placeId}@${version}`;

type Answer = (run: ScriptRun) => Promise<ScriptEnd | undefined>;

export class HeadlessService implements AsyncDisposable {
  readonly fake: FakeOpenCloud;
  /** Variants of headless Studio in which tasks run, beside the variant of every task. */
  variants: readonly string[] = [];
  readonly #server: Bun.Server<undefined>;
  readonly #folder: string;

  private constructor(folder: string, answer: Answer | undefined) {
    this.#folder = folder;
    this.fake = new FakeOpenCloud({
      runScript: async (run) => (await answer?.(run)) ?? this.#runAsync(run),
    });
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => this.fake.handleAsync(request),
    });
    this.fake.origin = this.#server.url.origin;
  }

  /** `answer` may decide how a task ends without running it. */
  static async startAsync(answer?: Answer): Promise<HeadlessService> {
    return new HeadlessService(await mkdtemp(join(tmpdir(), "sb-cloud-")), answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #runAsync(run: ScriptRun): Promise<ScriptEnd> {
    const name = join(this.#folder, crypto.randomUUID());
    await Bun.write(`${name}.luau`, wrapped(run));
    await Bun.write(`${name}.txt`, run.input === undefined ? "" : Buffer.from(run.input).toString("base64"));
    if (run.place !== undefined) await Bun.write(`${name}.rbxl`, run.place);
    const place = run.place === undefined ? [] : ["--place", `${name}.rbxl`];
    const words = [
      "run",
      "--headless",
      ...place,
      "--json",
      "--input",
      `${name}.txt`,
      "--timeout",
      String(run.timeoutMs),
    ];
    const child = Bun.spawn([binaryPath, ...words, `${name}.luau`], {
      env: {
        ...process.env,
        XDG_STATE_HOME: this.#folder,
        SB_HEADLESS_VARIANT: [`luau-execution=${placeOf(run)}`, ...this.variants].join(","),
      },
      stdout: "pipe",
      stderr: "ignore",
    });
    const { logs = [], returnValues = [], errorInfo, error } = JSON.parse(await child.stdout.text());
    const lines: string[] = logs.map(({ body }: { body: string }) => body);
    const messages = lines.filter((line) => !line.startsWith(MARK));
    if (errorInfo?.code === "TIMEOUT" || error?.code === "TIMEOUT") return { kind: "late", messages };
    const [kind, text] = returnValues;
    if (kind !== "returned")
      return { kind: "raised", message: String(text ?? error?.message ?? error), messages };
    const pieces = lines.filter((line) => line.startsWith(MARK)).map((line) => line.slice(MARK.length));
    const binary = new Uint8Array(Buffer.from(pieces.join(""), "base64"));
    return { kind, values: JSON.parse(text), binary, messages };
  }
}
