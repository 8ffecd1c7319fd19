/** What an agent gets of checks: what is new, and nothing that a project has chosen to run. */
import { beforeAll, expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { writeStandInAsync } from "../peers/luau-lsp-peer.ts";
import { StdioPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
const project = () => join(box.folder, "game");
beforeAll(async () => {
  const tree = { $className: "DataModel", ServerScriptService: { Server: { $path: "src" } } };
  await box.writeAsync("game/default.project.json", JSON.stringify({ name: "Game", tree }));
  await box.writeAsync("game/src/Old.luau", "return 1 --! TypeError: old\n");
  await box.writeAsync("outside.luau", "return 1 --! TypeError: secret\n");
  await symlink(join(box.folder, "outside.luau"), join(project(), "link.luau"));
  for (const folder of ["tools", "game/bin"]) await mkdir(join(box.folder, folder), { recursive: true });
  await writeStandInAsync(join(box.folder, "tools"));
  await writeStandInAsync(join(project(), "bin"));
});

const start = (path: readonly string[], env: { readonly [name: string]: string } = {}) =>
  new StdioPeer([binaryPath, "mcp", "--port", String(box.port), "--read-only"], {
    cwd: project(),
    env: box.env({ PATH: [...path, "/usr/bin", "/bin"].join(":"), ...env }),
  });

test("the first answer has everything, and later ones what is new", async () => {
  await using peer = start([join(box.folder, "tools")]);
  await peer.initializeAsync();
  const checkAsync = async (args: object = {}) => {
    const { structuredContent } = await peer.toolAsync("studio_check", args);
    return Object(structuredContent);
  };
  expect(await checkAsync()).toMatchObject({
    ok: false,
    checker: "luau-lsp 1.70.0",
    total: 1,
    findings: [{ file: "src/Old.luau", line: 1, code: "TypeError", message: "old" }],
  });
  expect(await checkAsync()).toMatchObject({ ok: true, total: 1, findings: [] });
  await box.writeAsync("game/src/Old.luau", "\n\nreturn 1 --! TypeError: old\n");
  await box.writeAsync("game/src/New.luau", "return 1 --! TypeError: new\n");
  const news = { ok: false, total: 2, findings: [{ file: "src/New.luau", message: "new" }] };
  expect(await checkAsync()).toMatchObject(news);
  expect(await checkAsync()).toMatchObject(news);
  expect(await checkAsync({ paths: ["src/Old.luau"] })).toMatchObject({ ok: true, total: 1, findings: [] });
});

test("a program in the project is not started, wherever PATH or a variable name it", async () => {
  const record = join(box.folder, "record.jsonl");
  for (const env of [{}, { SB_LUAU_LSP: join(project(), "bin/luau-lsp") }, { SB_LUAU_LSP: "bin/luau-lsp" }]) {
    await using peer = start([join(project(), "bin"), "bin", "."], { STAND_IN_RECORD: record, ...env });
    await peer.initializeAsync();
    const refused = await peer.toolAsync("studio_check", {});
    expect(refused["isError"]).toBe(true);
    expect(JSON.stringify(refused)).toContain("CHECKER_NOT_FOUND");
    expect(JSON.stringify(refused)).toContain("an agent starts nothing from there");
    expect(JSON.stringify(refused)).toContain("studio_check (syntax: true) needs none.");
    expect(JSON.stringify(refused)).not.toContain("rokit add global");
    expect(await peer.toolAsync("studio_check", { syntax: true })).toMatchObject({
      structuredContent: { ok: true, files: expect.any(Number), findings: [] },
    });
  }
  expect(await Bun.file(record).exists()).toBe(false);
});

test("files outside of the project are not read, also not by a link, and do not show whether they exist", async () => {
  await using peer = start([join(box.folder, "tools")]);
  await peer.initializeAsync();
  const words = ["../outside.luau", "link.luau", join(box.folder, "outside.luau"), "../nowhere.luau"];
  const answers: string[] = [];
  for (const path of words) {
    const refused = JSON.stringify(await peer.toolAsync("studio_check", { paths: [path] }));
    expect(refused).toContain("names files that this server may not read");
    expect(refused).not.toContain("secret");
    answers.push(refused.replaceAll(path, "PATH"));
  }
  expect(answers[3]).toBe(answers[0] ?? "");
  for (const path of ["nowhere.luau", "src/no/where.luau"]) {
    const missing = JSON.stringify(await peer.toolAsync("studio_check", { paths: [path] }));
    expect(missing).toContain(`Could not read ${path}: `);
    expect(missing).not.toContain("may not read");
  }
});
