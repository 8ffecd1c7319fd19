/** What `--remember` writes into a project's settings. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rememberAsync } from "../../../src/sync/remembered-skips.ts";
import { syncSettingsAsync } from "../../../src/sync/sync-settings.ts";
import { resolve } from "../../../src/sync/plan/resolve.ts";
import type { SyncRun } from "../../../src/sync/run-sync.ts";
import type { Override } from "../../../src/sync/types.ts";
import { module, place, plan } from "./plan/trees.ts";

const skip = (to: string): Override => ({ to, direction: "skip" });

function runWith(overrides: readonly Override[]): SyncRun {
  const made = plan({
    files: place(module("A", "file"), module("B", "file")),
    studio: place(module("A", "studio", { studioId: 1 }), module("B", "studio", { studioId: 2 })),
  });
  const replies = resolve(made, { overrides });
  return { plan: made, replies, status: "empty", proposed: new Map(), results: [], notices: [] };
}

async function rememberedAsync(before: string | undefined, ...overrides: readonly Override[]) {
  const folder = await mkdtemp(join(tmpdir(), "sb-skips-"));
  const [file, projectFile] = [join(folder, "sb.config.json"), join(folder, "default.project.json")];
  try {
    if (before !== undefined) await writeFile(file, before);
    const told = await rememberAsync(runWith(overrides), { projectFile, overrides });
    const text = await readFile(file, "utf8").catch(() => undefined);
    return { text, told, skips: (await syncSettingsAsync(projectFile)).skips };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [A, B] = ["ReplicatedStorage.Shared.A", "ReplicatedStorage.Shared.B"];

test("what is skipped is written down as it was named, and an id as its path", async () => {
  const { skips, told } = await rememberedAsync(undefined, skip("ReplicatedStorage.Shared.A"), skip("@2"));
  expect(skips).toEqual([A, B]);
  expect(told).toEqual([expect.stringMatching(/^sync\.skip in .*sb\.config\.json has /)]);
});

test("comments, order and what is remembered already stay", async () => {
  const before = `{\n  // mine\n  "sync": { "skip": ["${A}"] },\n  "port": 40000 // last\n}\n`;
  const { text, skips } = await rememberedAsync(before, skip(String(A)), skip("*.B"));
  expect(skips).toEqual([A, "*.B"]);
  expect(text?.startsWith('{\n  // mine\n  "sync"')).toBe(true);
  expect(text?.endsWith('"port": 40000 // last\n}\n')).toBe(true);
});

test("nothing is written where nothing was skipped, or where a choice was not used", async () => {
  for (const overrides of [[{ to: "@1", direction: "push" } as const], [skip("@99")]]) {
    const { text, told } = await rememberedAsync(undefined, ...overrides);
    expect([text, told]).toEqual([undefined, ["Nothing to remember: no change was skipped"]]);
  }
});
