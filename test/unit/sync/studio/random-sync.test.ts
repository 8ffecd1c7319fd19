/** Random edits of files and of a Studio: after each sync both sides agree, and a second one has nothing to do. */
import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSessionAsync } from "../../../../src/sync/studio/session-counterpart.ts";
import { runSyncAsync, type SyncWishes } from "../../../../src/sync/run-sync.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { ownFolder } from "../../own-folder.ts";
import { linkOf, luauAsync, schema } from "./studio-peer.ts";

const ROUNDS = 12;
const folder = ownFolder("sb-random-");

/** Whole numbers below `limit`, from a seed. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** What Studio holds below the folder of the project: path, class, source, attributes and tags, in order. */
const SHOWN = `
  local shown = {}
  for _, each in game.ReplicatedStorage.Shared:GetDescendants() do
    local parts = { each:GetFullName(), each.ClassName, if each:IsA("LuaSourceContainer") then each.Source else "" }
    for name, value in each:GetAttributes() do table.insert(parts, name .. "=" .. tostring(value)) end
    table.insert(shown, table.concat(parts, "|"))
  end
  table.sort(shown)
  return table.concat(shown, "\\n")`;

async function sourcesAsync(peer: BridgePeer): Promise<string[]> {
  const [sources] = (await luauAsync(
    peer,
    `local sources = {}
     for _, each in game.ReplicatedStorage.Shared:QueryDescendants("LuaSourceContainer") do
       table.insert(sources, each.Source)
     end
     return sources`,
  )) as [string[]];
  return sources.toSorted();
}

const scriptsIn = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".luau"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

test.each([1, 2, 3, 4])("seed %d", async (seed) => {
  const random = randomOf(seed);
  const project = join(folder.path, String(seed));
  const src = join(project, "src");
  await mkdir(src, { recursive: true });
  const projectFile = join(project, "default.project.json");
  await writeFile(
    projectFile,
    JSON.stringify({
      name: "Game",
      tree: { $className: "DataModel", ReplicatedStorage: { Shared: { $path: "src" } } },
    }),
  );
  for (let index = 0; index < 12; index++) {
    const parent = join(src, `F${index % 3}`);
    await mkdir(parent, { recursive: true });
    await writeFile(
      join(parent, `M${index}${["", ".server", ".client"][index % 3]}.luau`),
      `return ${index}\n`,
    );
  }
  using peer = await BridgePeer.connectAsync();
  await using studio = await openSessionAsync(projectFile, linkOf(peer));
  const wishes: SyncWishes = {
    projectFile,
    mode: "standard",
    isPartial: false,
    properties: undefined,
    overrides: [],
    allowedRemovals: undefined,
    allowsOutside: false,
    safeNames: false,
  };
  const syncAsync = () =>
    runSyncAsync(wishes, studio, {
      schema,
      signal: new AbortController().signal,
      command: "test",
      status: () => {},
    });

  /** Edits a file, adds one or removes one. Returns the name of the script, which Studio leaves alone in this round. */
  async function editFilesAsync(round: number): Promise<string> {
    const files = await scriptsIn(src);
    const path = files[random(files.length)] ?? join(src, "F0", "M.luau");
    const name = /(M\w+)\.[^/]*$/.exec(path)?.[1] ?? "";
    const kind = random(5);
    // A folder with an init file is a script, and without one it is a folder again.
    const init = join(src, `F${random(3)}`, "init.luau");
    if (kind === 2)
      await ((await Bun.file(init).exists()) ? rm(init) : writeFile(init, `return "init ${round}"\n`));
    else if (kind === 0)
      await writeFile(join(src, `F${random(3)}`, `MF${round}.luau`), `return "new ${round}"\n`);
    else if (kind === 1 && files.length > 6) await rm(path);
    else await writeFile(path, `return "file ${round}"\n`);
    return name;
  }

  /** Edits, adds, moves, renames or removes a script of Studio that is not named `other`, and is not the one of a folder. */
  const editStudioAsync = (round: number, other: string): Promise<unknown> =>
    luauAsync(
      peer,
      `local shared = game.ReplicatedStorage.Shared
       local scripts = {}
       for _, each in shared:GetDescendants() do
         if each:IsA("LuaSourceContainer") and each.Name ~= "${other}" and not each.Name:match("^F") then table.insert(scripts, each) end
       end
       table.sort(scripts, function(one, two) return one:GetFullName() < two:GetFullName() end)
       local chosen = scripts[${random(1_000)} % #scripts + 1]
       local kind = ${random(6)}
       if kind == 0 then
         local new = Instance.new("ModuleScript") new.Name = "MS${round}" new.Source = "return 'studio new'"
         new.Parent = shared:FindFirstChild("F${random(3)}") or shared
       elseif kind == 1 and #scripts > 6 then chosen:Destroy()
       elseif kind == 2 then chosen.Name = "MR${round}"
       elseif kind == 3 then chosen.Parent = shared:FindFirstChild("F${random(3)}") or shared
       elseif kind == 4 then chosen:SetAttribute("Speed", ${round})
       else chosen.Source = "return 'studio ${round}'" end`,
    );

  expect((await syncAsync()).status).toBe("success");
  for (let round = 0; round < ROUNDS; round++) {
    const other = await editFilesAsync(round);
    await editStudioAsync(round, other);
    const run = await syncAsync();
    const left = run.plan.items.filter(({ verdict }) => verdict !== "push" && verdict !== "pull");
    expect({
      round,
      left: left.map(({ path, detail }) => [path, detail]),
      status: run.status,
      failed: run.results.flatMap(({ applied, item, reason }) => (applied ? [] : [[item.path, reason]])),
    }).toEqual({
      round,
      left: [],
      failed: [],
      status: expect.stringMatching(/^(success|empty)$/),
    });
    const [shown] = [await luauAsync(peer, SHOWN)];
    const files = await Promise.all((await scriptsIn(src)).map((path) => readFile(path, "utf8")));
    expect(await sourcesAsync(peer)).toEqual(files.toSorted());
    const again = await syncAsync();
    expect({
      round,
      items: again.plan.items.map(({ path, verdict, change }) => [path, verdict, change]),
    }).toEqual({
      round,
      items: [],
    });
    // What the second run found equal, it left alone.
    expect(await luauAsync(peer, SHOWN)).toEqual(shown);
    expect(await Promise.all((await scriptsIn(src)).map((path) => readFile(path, "utf8")))).toEqual(files);
  }
});
