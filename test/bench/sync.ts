/** What a sync of a large project costs, and how soon a saved script is on the other side while `sb sync --watch` runs. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { openSessionAsync } from "../../src/sync/studio/session-counterpart.ts";
import { loadFileSchemaAsync } from "../../src/headless/index.ts";
import { runSyncAsync } from "../../src/sync/run-sync.ts";
import type { Sandbox } from "../harness.ts";
import { untilAsync } from "../harness.ts";
import { figures, type Figures, interleavedAsync, timeAsync } from "./statistics.ts";
import { scriptFile, writeSyncProjectAsync } from "./sync-project.ts";

const PLANS = 3;
const SAVES = 20;
const ADDITIONS = 10_000;
/** A batch of changes is told after a quarter of a second at the latest; a change after that is the first of its own. */
const QUIET_MS = 400;
const SCRIPT = 7;
const IN_STUDIO = `game.ReplicatedStorage.Code.Folder0.Module${SCRIPT}`;

/** `rounds`: how often a script is saved. */
export async function syncFiguresAsync(box: Sandbox, rounds = SAVES): Promise<Figures[]> {
  const folder = join(box.folder, "large");
  await writeSyncProjectAsync(folder);
  const studio = box.spawn(["headless", join(folder, "default.project.json"), "--name", "Large"]);
  await untilAsync("the large place is connected", async () =>
    (await box.sessionsAsync()).some(({ placeName }) => placeName === "Large") ? true : undefined,
  );
  try {
    return [
      ...(await planFiguresAsync(box, folder)),
      await warmFigureAsync(box, folder),
      ...(await buildFiguresAsync(box, folder)),
      ...(await watchFiguresAsync(box, folder, rounds)),
      await additionFigureAsync(box, folder),
    ];
  } finally {
    studio.kill();
    await studio.exited;
  }
}

const syncWords = (folder: string, ...words: readonly string[]) => ["sync", folder, "--json", ...words];

async function planFiguresAsync(box: Sandbox, folder: string): Promise<Figures[]> {
  const [tookMs, memory]: [number[], number[]] = [[], []];
  for (let round = 0; round < PLANS; round++) {
    const child = box.spawn(syncWords(folder, "--mode", "dryrun"));
    tookMs.push(await timeAsync(async () => checkEmpty(await new Response(child.stdout).text())));
    await child.exited;
    memory.push((child.resourceUsage()?.maxRSS ?? Number.NaN) / 1024 / 1024);
  }
  return [
    figures("plan of 60,000 Instances, new process", "ms", tookMs),
    figures("memory of that process", "MB", memory),
  ];
}

/** In one process, as a watched sync makes them: only what has changed is read of Studio. */
async function warmFigureAsync(box: Sandbox, folder: string): Promise<Figures> {
  using _world = box.enter();
  await using bridge = await BridgeConnection.connectAsync({ port: box.port });
  const session = (await bridge.sessionsAsync()).find(({ placeName }) => placeName === "Large");
  if (session === undefined) throw new Error("The large place is gone.");
  const of = bridge.session(session.sessionId);
  const projectFile = join(folder, "default.project.json");
  await using studio = await openSessionAsync(projectFile, {
    session,
    caller: { id: "bench", name: "bench" },
    callAsync: (name, request) => of.callAsync(name, request),
    callAnywayAsync: (name, request) => of.callAsync(name, request),
  });
  const schema = await loadFileSchemaAsync();
  const planAsync = async () => {
    const run = await runSyncAsync({ ...WISHES, projectFile }, studio, {
      schema,
      signal: new AbortController().signal,
      command: "bench",
      status: () => {},
    });
    if (run.plan.items.length > 0) throw new Error("expected no changes");
  };
  await planAsync();
  const tookMs: number[] = [];
  for (let round = 0; round < PLANS; round++) tookMs.push(await timeAsync(planAsync));
  return figures("plan of 60,000 Instances, same process", "ms", tookMs);
}

const WISHES = {
  mode: "dryrun",
  isPartial: false,
  properties: undefined,
  overrides: [],
  allowedRemovals: undefined,
  allowsOutside: false,
  safeNames: false,
} as const;

/** Beside Rojo, where it is installed. */
async function buildFiguresAsync(box: Sandbox, folder: string): Promise<Figures[]> {
  const rojo = Bun.which("rojo");
  const output = join(box.folder, "built.rbxl");
  const buildAsync = async (command: readonly string[]) => {
    const child = Bun.spawn([...command, "-o", output], {
      cwd: folder,
      env: box.env(),
      stdout: "ignore",
      stderr: "ignore",
    });
    if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  };
  return interleavedAsync(PLANS, {
    "sb build, 60,000 Instances": () => buildAsync([binaryPath, "build"]),
    ...(rojo === null ? {} : { "rojo build, 60,000 Instances": () => buildAsync([rojo, "build"]) }),
  });
}

/** The place was opened from the files, so nothing differs. */
function checkEmpty(report: string): void {
  const { items } = JSON.parse(report);
  if (items.length > 0) throw new Error(`expected no changes, got ${items.length}`);
}

async function watchFiguresAsync(box: Sandbox, folder: string, rounds: number): Promise<Figures[]> {
  const child = box.spawn(["sync", folder, "--watch"]);
  let said = "";
  void (async () => {
    for await (const bytes of child.stderr) said += new TextDecoder().decode(bytes);
  })();
  await untilAsync("it watches", () => (said.includes("synced") ? true : undefined), 120_000);
  const path = join(folder, scriptFile(SCRIPT));
  // The first one waits for the sync that follows the beginning of the watching.
  await pushMsAsync(box, path, 'return "first"');
  const [pushes, pulls]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await Bun.sleep(QUIET_MS);
    pushes.push(await pushMsAsync(box, path, `return "file ${round}"`));
    await Bun.sleep(QUIET_MS);
    pulls.push(await pullMsAsync(box, path, `return "studio ${round}"`));
  }
  child.kill("SIGINT");
  await child.exited;
  return [
    figures("saved script to its Source in Studio", "ms", pushes),
    figures("Source in Studio to its file", "ms", pulls),
  ];
}

/** Studio tells when it has the source; both clocks are the machine's. */
async function pushMsAsync(box: Sandbox, path: string, source: string): Promise<number> {
  const waiting = box.sbAsync([
    "exec",
    "--json",
    `local script = ${IN_STUDIO} print("ready")
     while script.Source ~= ${JSON.stringify(source)} do script:GetPropertyChangedSignal("Source"):Wait() end
     return DateTime.now().UnixTimestampMillis`,
  ]);
  await Bun.sleep(QUIET_MS);
  const startMs = Date.now();
  await writeFile(path, source);
  const { stdout } = await waiting;
  return JSON.parse(stdout).returnValues[0] - startMs;
}

async function pullMsAsync(box: Sandbox, path: string, source: string): Promise<number> {
  const { stdout } = await box.sbAsync([
    "exec",
    "--json",
    `task.delay(0.5, function() ${IN_STUDIO}.Source = ${JSON.stringify(source)} end)
     return DateTime.now().UnixTimestampMillis + 500`,
  ]);
  const startMs: number = JSON.parse(stdout).returnValues[0];
  for (;;) {
    if ((await readFile(path, "utf8").catch(() => "")) === source) return Date.now() - startMs;
    await Bun.sleep(1);
  }
}

async function additionFigureAsync(box: Sandbox, folder: string): Promise<Figures> {
  const children = Array.from({ length: ADDITIONS - 1 }, (_, index) => ({
    name: `New${index}`,
    className: "Part",
    properties: { Anchored: true },
  }));
  await writeFile(
    join(folder, "values", "Added.model.json"),
    JSON.stringify({ className: "Folder", children }),
  );
  const whole = await timeAsync(async () => {
    const { stdout } = await box.sbAsync(syncWords(folder));
    if (JSON.parse(stdout).status !== "success") throw new Error("The additions were not applied.");
  });
  return figures("sync of 10,000 additions, new process", "ms", [whole]);
}
