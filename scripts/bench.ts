/**
 * Measures what `sb` promises about speed, beside floors taken in the same run: an empty C program where a compiler is
 * there, an empty compiled Bun program, and `node -e 0`. Prints a table and writes build/bench.json. `--peer` fetches
 * another Studio server from npm and measures it beside ours.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath, buildAsync } from "../build.ts";
import { Sandbox } from "../test/harness.ts";
import { bridgeFiguresAsync } from "../test/bench/bridge.ts";
import { editFiguresAsync } from "../test/bench/edit.ts";
import { engineFiguresAsync } from "../test/bench/engine.ts";
import { hostMemoryAsync } from "../test/bench/host-time.ts";
import { callRatioLines, mcpFiguresAsync } from "../test/bench/mcp.ts";
import { peerFiguresAsync } from "../test/bench/peer.ts";
import { placeFiguresAsync } from "../test/bench/place.ts";
import { scriptFiguresAsync } from "../test/bench/scripts.ts";
import { figures, interleavedAsync, table } from "../test/bench/statistics.ts";
import type { Figures } from "../test/bench/statistics.ts";
import { streamFiguresAsync } from "../test/bench/streams.ts";
import { syncFiguresAsync } from "../test/bench/sync.ts";
import { testFiguresAsync } from "../test/bench/tests.ts";
import { terminalFiguresAsync } from "../test/bench/terminal.ts";
import { waitFiguresAsync } from "../test/bench/wait.ts";

const ROUNDS = 30;
const EMPTY_BUN = "floor: empty Bun binary";

function runOnce(
  command: readonly string[],
  options: { cwd?: string; env?: { [name: string]: string } } = {},
): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], options);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
  return stdout.toString();
}

/** Programs that do nothing, as the least a process can cost here. */
async function floorsAsync(folder: string): Promise<{ [name: string]: readonly string[] }> {
  const floors: { [name: string]: readonly string[] } = {};
  if (Bun.which("cc") !== null) {
    await Bun.write(join(folder, "empty.c"), "int main(void) { return 0; }\n");
    runOnce(["cc", "-O2", "-o", join(folder, "empty-c"), join(folder, "empty.c")]);
    floors["floor: empty C program"] = [join(folder, "empty-c")];
  }
  await Bun.write(join(folder, "empty.ts"), "");
  runOnce([
    process.execPath,
    "build",
    "--compile",
    "--outfile",
    join(folder, "empty-bun"),
    join(folder, "empty.ts"),
  ]);
  floors[EMPTY_BUN] = [join(folder, "empty-bun")];
  if (Bun.which("node") !== null) floors["floor: node -e 0"] = ["node", "-e", "0"];
  return floors;
}

async function processesAsync(
  box: Sandbox,
  floors: { [name: string]: readonly string[] },
): Promise<Figures[]> {
  const port = String(box.port);
  const contestants = {
    ...floors,
    "sb --version": [binaryPath, "--version"],
    "sb --help": [binaryPath, "--help"],
    "sb exec, warm": [binaryPath, "exec", "--port", port, "print(1)"],
    "sb sessions, warm": [binaryPath, "sessions", "--port", port],
    "sb query, warm": [binaryPath, "query", "--port", port, "Workspace"],
  };
  const options = { cwd: box.folder, env: box.env() };
  const works = Object.entries(contestants).map(
    ([name, command]) => [name, () => runOnce(command, options)] as const,
  );
  return interleavedAsync(ROUNDS, Object.fromEntries(works));
}

/** For figures that need one Studio alone. */
async function ownBoxAsync(measureAsync: (box: Sandbox) => Promise<Figures[]>): Promise<Figures[]> {
  await using box = await Sandbox.createAsync();
  return await measureAsync(box);
}

/** How many times the least that a Bun program can take, median to median. */
function ratioLines(rows: readonly Figures[]): string[] {
  const floor = rows.find(({ name }) => name === EMPTY_BUN)?.p50 ?? Number.NaN;
  return rows
    .filter(({ name, unit }) => name.startsWith("sb ") && unit === "ms")
    .map(({ name, p50 }) => `${name}: ${(p50 / floor).toFixed(2)} times an empty Bun binary`);
}

async function coldStartAsync(rounds: number, isHostUp: boolean): Promise<Figures> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using box = await Sandbox.createAsync();
    if (isHostUp) await box.sbAsync(["sessions"]);
    const start = performance.now();
    const child = box.spawn(["exec", "--headless", "print('up')"]);
    await child.stdout.getReader().read();
    samples.push(performance.now() - start);
    await child.exited;
  }
  return figures(`headless cold start to first line, ${isHostUp ? "host up" : "no host"}`, "ms", samples);
}

await buildAsync();
const folder = await mkdtemp(join(tmpdir(), "sb-bench-"));
try {
  const floors = await floorsAsync(folder);
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  const rows = [
    ...(await processesAsync(box, floors)),
    await coldStartAsync(10, true),
    await coldStartAsync(10, false),
    ...(await bridgeFiguresAsync(box)),
    ...(await terminalFiguresAsync(box)),
    ...(await mcpFiguresAsync(box)),
    ...(await placeFiguresAsync(box)),
    ...(await ownBoxAsync(syncFiguresAsync)),
    ...(await scriptFiguresAsync()),
    ...(await editFiguresAsync()),
    ...(await waitFiguresAsync()),
    ...(await streamFiguresAsync(box)),
    ...(await engineFiguresAsync(box)),
    ...(await testFiguresAsync()),
    ...(process.argv.includes("--peer") ? await peerFiguresAsync(box) : []),
    ...(await hostMemoryAsync(box, "host memory with one session (RSS)")),
    figures("binary size", "MB", [Bun.file(binaryPath).size / 1e6]),
  ];
  const [load = 0] = loadavg();
  const ratios = [...ratioLines(rows), ...callRatioLines(rows)];
  console.log(`${table(rows)}\n\n${ratios.join("\n")}\n\nload average ${load.toFixed(2)}`);
  await Bun.write(
    join(import.meta.dir, "..", "build", "bench.json"),
    JSON.stringify({ load, rows }, null, 2),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
