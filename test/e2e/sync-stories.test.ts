/**
 * Stories of people who sync one project: a place that is older than the files, a place of another commit, what was taken
 * back, and programs that are killed. Each is one row of the rules by which a sync knows which side is newer.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { untilAsync } from "../harness.ts";
import { Story, text } from "./sync-story.ts";

// Each story runs the binary many times.
setDefaultTimeout(120_000);

const module = (name: string, version: number) => ({ [`shared/${name}.luau`]: text(name, version) });
const main = { "server/Main.server.luau": "print(1)" };

test("a Studio that was left without saving never puts its older sources over the files", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1), ...module("B", 1) });
  const { project } = story;
  await story.openAsync();
  await story.syncAsync();
  await story.saveAsync("place.rbxl");
  await project.writeAsync({ ...module("A", 2), ...module("B", 2), ...module("New", 2) });
  const files = await project.filesAsync();
  const pushes = ["success 0", "push add New", "push edit A", "push edit B"];
  expect(await story.syncAsync()).toEqual(pushes);
  await story.closeAsync();
  const studio = await story.openAsync("place.rbxl");
  expect(await story.sourceAsync("A")).toBe(text("A", 1));
  expect(await story.syncAsync()).toEqual(pushes);
  await studio.killAsync();

  await story.openAsync("place.rbxl");
  story.box.spawn(["sync", "--watch"]);
  await untilAsync("the watch has brought the files to Studio", async () =>
    (await story.sourceAsync("New")) === text("New", 2) ? true : undefined,
  );
  expect(await story.sourceAsync("A")).toBe(text("A", 2));
  expect(await project.filesAsync()).toEqual(files);
});

test("a clone is not put back to an older place that no sync knows", async () => {
  await using story = await Story.createAsync({
    ...main,
    ...module("Same", 1),
    ...module("A", 1),
    ...module("Old", 1),
    ...module("Gone", 1),
  });
  const { project } = story;
  const place = { ...(await project.filesAsync()) };
  await project.placeAsync("place.rbxl", place);
  await project.writeAsync(module("A", 2));
  story.commit("second");
  story.git("mv", "shared/Old.luau", "shared/Renamed.luau");
  await project.removeAsync("shared/Gone.luau");
  await project.writeAsync({ ...module("A", 3), ...module("Added", 3) });
  story.commit("third");
  await story.openAsync("place.rbxl");
  const open = ["unresolved add Gone studio_older", "unresolved add Old studio_older"];
  const pushes = ["push add Added", "push add Renamed", "push edit A studio_older"];
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", ...pushes, ...open]);
  expect(await story.syncAsync("--partial")).toEqual(["success 1", ...pushes, ...open]);
  expect(story.changed()).toEqual([]);
  expect(await story.sourceAsync("A")).toBe(text("A", 3));
  const answers = ["--override", "ReplicatedStorage.Gone=push", "--override", "ReplicatedStorage.Old=push"];
  expect(await story.syncAsync(...answers)).toEqual(["success 0", "push remove Gone", "push remove Old"]);
  expect([await story.sourceAsync("Gone"), story.changed()]).toEqual([false, []]);
});

test("a place of a commit that is not checked out is named, and so is the new path of a file", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1), ...module("Old", 1) });
  const { project } = story;
  story.git("switch", "-c", "side");
  await project.writeAsync(module("A", 9));
  story.commit("on the side");
  await project.placeAsync("side.rbxl", {
    ...main,
    ...module("A", 9),
    "shared/Moved.luau": text("Old", 1),
  });
  story.git("switch", "main");
  await project.removeAsync("shared/Old.luau");
  await project.writeAsync({ "shared/Moved.luau": text("Old", 2) });
  story.commit("renamed");
  await story.openAsync("side.rbxl");
  const { items } = await project.reportAsync("--partial");
  const elsewhere = "the place holds a commit that you have not checked out; pull or check it out first";
  expect(items).toMatchObject([
    { path: "ReplicatedStorage.A", reason: "git_elsewhere", detail: elsewhere },
    {
      path: "ReplicatedStorage.Moved",
      reason: "studio_older",
      detail: "git has Studio's text as shared/Old.luau",
    },
  ]);
  expect(story.changed()).toEqual([]);
});

test("a shallow clone cannot tell what it lacks, and says so", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1) });
  const { project } = story;
  await project.placeAsync("old.rbxl", { ...main, ...module("A", 1) });
  await project.writeAsync(module("A", 2));
  story.commit("second");
  const clone = join(project.folder, "clone");
  story.git("clone", "--depth", "1", `file://${project.folder}`, clone);
  await story.openAsync("old.rbxl");
  const { exitCode, items } = await project.reportAsync(join(clone, "default.project.json"));
  expect([exitCode, items]).toEqual([
    1,
    [expect.objectContaining({ reason: "no_base", detail: "the clone is shallow and lacks older commits" })],
  ]);
});

test("a squash takes no commit from under a place that names its revision", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1) });
  const { project } = story;
  story.git("switch", "-c", "work");
  await project.writeAsync(module("A", 2));
  story.commit("half");
  await story.openAsync();
  await story.syncAsync();
  await story.saveAsync("place.rbxl");
  await story.closeAsync();
  await project.writeAsync(module("A", 3));
  story.commit("whole");
  story.git("switch", "main");
  story.git("merge", "--squash", "work");
  story.commit("squashed");
  story.git("branch", "-D", "work");
  story.git("reflog", "expire", "--expire=now", "--all");
  story.git("gc", "--prune=now");
  await story.openAsync("place.rbxl");
  expect(await story.syncAsync()).toEqual(["success 0", "push edit A"]);
  expect(await story.sourceAsync("A")).toBe(text("A", 3));
});

test("a push that Studio has taken back by Ctrl+Z is not made again", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1), ...module("B", 1) });
  const { project } = story;
  await story.openAsync();
  await story.syncAsync();
  await story.execAsync('game:GetService("ChangeHistoryService"):Undo()');
  const gone = ["A", "B", "ServerScriptService.Main"].map((name) => `unresolved remove ${name} push_undone`);
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", ...gone]);
  expect(story.changed()).toEqual([]);
  await story.execAsync('game:GetService("ChangeHistoryService"):Redo()');
  await project.writeAsync(module("A", 2));
  await story.syncAsync();
  await story.execAsync('game:GetService("ChangeHistoryService"):Undo()');
  expect(await story.sourceAsync("A")).toBe(text("A", 1));
  // The place itself knows what was taken back, because the plugin forgets it.
  await story.saveAsync("place.rbxl");
  await story.closeAsync();
  await story.openAsync("place.rbxl");
  await project.writeAsync(module("B", 2));
  const open = "unresolved edit A push_undone";
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", "push edit B", open]);
  expect(await story.syncAsync("--partial")).toEqual(["success 1", "push edit B", open]);
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", open]);
  expect(story.changed()).toEqual(["M shared/A.luau", "M shared/B.luau"]);
  expect(await story.syncAsync("--override", "ReplicatedStorage.A=pull")).toEqual([
    "success 0",
    "pull edit A",
  ]);
  expect(await story.syncAsync()).toEqual(["empty 0"]);
});

test("what an undo has taken back waits for an answer, also where only files were", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1), ...module("B", 1) });
  const { project } = story;
  await story.openAsync();
  await story.syncAsync();
  await story.setAsync("A", 2);
  await project.writeAsync(module("B", 2));
  expect(await story.syncAsync()).toEqual(["success 0", "pull edit A", "push edit B"]);
  expect((await project.aboutAsync("undo")).exitCode).toBe(0);
  const open = ["unresolved edit A pull_undone", "unresolved edit B push_undone"];
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", ...open]);
  const answers = ["--override", "ReplicatedStorage.A=pull", "--override", "shared/B.luau=push"];
  expect(await story.syncAsync(...answers)).toEqual(["success 0", "pull edit A", "push edit B"]);
  await story.setAsync("A", 3);
  expect(await story.syncAsync()).toEqual(["success 0", "pull edit A"]);
  expect((await project.aboutAsync("undo", "--files")).exitCode).toBe(0);
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", "unresolved edit A pull_undone"]);
  await story.setAsync("A", 2);
  expect(await story.syncAsync()).toEqual(["empty 0"]);
});

test("an edit of a file that was given up for what Studio has is a question once that was taken back", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1), ...module("B", 1) });
  const { project } = story;
  await story.openAsync();
  await story.syncAsync();
  await project.writeAsync(module("B", 2));
  await story.syncAsync();
  await project.writeAsync(module("A", 2));
  expect(await story.syncAsync("--override", "ReplicatedStorage.A=pull")).toEqual([
    "success 0",
    "pull edit A",
  ]);
  expect((await project.aboutAsync("undo")).exitCode).toBe(0);
  // Not what the sync before it has brought.
  const open = "unresolved edit A pull_undone";
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", open]);
  expect(await story.syncAsync("--override", "ReplicatedStorage.A=push")).toEqual([
    "success 0",
    "push edit A",
  ]);
  expect(await story.syncAsync()).toEqual(["empty 0"]);
});

const numbers = Array.from({ length: 11 }, (_, index) => index);
const many = (version: number) => Object.assign({}, ...numbers.map((each) => module(`M${each}`, version)));

test("an unknown place replaces more than ten files only with leave", async () => {
  await using story = await Story.createAsync({ ...main, ...many(1) });
  const { project } = story;
  await project.placeAsync("other.rbxl", { ...main, ...many(2) });
  await story.openAsync("other.rbxl");
  const held = numbers.map((each) => `unresolved edit M${each} many_overwrites`).sort();
  expect(await story.syncAsync("--partial")).toEqual(["fastfail_unresolved 1", ...held]);
  expect(await story.syncAsync("--allow-overwrites", "10")).toEqual(["fastfail_unresolved 1", ...held]);
  expect(story.changed()).toEqual([]);
  expect((await story.syncAsync("--allow-overwrites", "11"))[0]).toBe("success 0");
  expect(story.changed()).toHaveLength(11);
});

test("scripts of a place that has none of the project's own are not taken for new", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1) });
  const { project } = story;
  await project.placeAsync("foreign.rbxl", module("Theirs", 1));
  await story.openAsync("foreign.rbxl");
  const said = ["push add A", "push add ServerScriptService.Main", "unresolved add Theirs foreign_place"];
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", ...said]);
  expect(story.changed()).toEqual([]);
});

test("two Studios with one place, and a saved copy of it, each know what they hold", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1), ...module("B", 1) });
  const { project } = story;
  await project.placeAsync("place.rbxl", await project.filesAsync());
  await story.openAsync("place.rbxl", "none", "One");
  await story.openAsync("place.rbxl", "none", "Two");
  const [one, two] = ["One", "Two"].map((name) => () => story.syncAsync("-s", name));
  if (one === undefined || two === undefined) throw new Error("two");
  for (const each of [one, two]) expect(await each()).toEqual(["empty 0"]);
  await story.setAsync("A", 2, "One");
  expect(await one()).toEqual(["success 0", "pull edit A"]);
  // What the second Studio holds is older than what the first has brought, and no edit.
  await story.setAsync("B", 2, "Two");
  expect(await two()).toEqual(["success 0", "pull edit B", "push edit A"]);
  await story.setAsync("B", 3, "One");
  expect(await one()).toEqual(["fastfail_unresolved 1", "unresolved edit B both_changed"]);
  await story.saveAsync("copy.rbxl", "Two");
  await project.writeAsync(module("A", 4));
  await two();
  for (const name of ["One", "Two"]) await story.closeAsync(name);
  // The copy is another file, and names the revision that it was saved at.
  await story.openAsync("copy.rbxl", 99);
  await story.setAsync("B", 5);
  expect(await story.syncAsync()).toEqual(["success 0", "pull edit B", "push edit A"]);
});

test("a sync that is killed between its revision and its push is made up for", async () => {
  await using story = await Story.createAsync({
    ...main,
    ...module("A", 1),
    ...module("B", 1),
    ...module("C", 1),
  });
  const { project, box } = story;
  await story.openAsync();
  await story.syncAsync();
  await project.writeAsync({ ...module("A", 2), ...module("C", 2) });
  await story.setAsync("B", 2);
  await story.setAsync("C", 3);
  const revision = await story.revisionAsync();
  const git = await story.blockGitAsync();
  const sync = box.spawn(["sync", "--partial"]);
  // Both sides were read by then, because git is asked about the conflict.
  await git.untilAskedAsync();
  const { hostPid } = await box.hostAsync();
  process.kill(hostPid, "SIGSTOP");
  await git.letGoAsync();
  await untilAsync("the revision is written", async () =>
    (await story.revisionAsync()) === revision ? undefined : true,
  );
  sync.kill("SIGKILL");
  process.kill(hostPid, "SIGKILL");
  await sync.exited;
  expect(await project.filesAsync()).toMatchObject(module("B", 2));
  expect(await story.sourceAsync("A")).toBe(text("A", 1));
  const open = "unresolved edit C both_changed";
  expect(await story.syncAsync("--partial")).toEqual(["success 1", "push edit A", open]);
  expect(await story.syncAsync()).toEqual(["fastfail_unresolved 1", open]);
  expect(await story.sourceAsync("A")).toBe(text("A", 2));
});

test("a sync that is killed before it reads its push back takes no edit for its own doing", async () => {
  await using story = await Story.createAsync({ ...main, ...module("A", 1), ...module("B", 1) });
  const { project, box } = story;
  await story.openAsync();
  await story.syncAsync();
  const { promise: pushed, resolve } = Promise.withResolvers<void>();
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      resolve();
      return new Response();
    },
  });
  // Studio says when the push has come, and does not answer before the sync is gone.
  await story.execAsync(`
    game.ReplicatedStorage.A:GetPropertyChangedSignal("Source"):Once(function()
      task.spawn(function() game:GetService("HttpService"):GetAsync("${server.url.href}") end)
      local begin = os.clock()
      repeat until os.clock() - begin > 2
    end)`);
  await project.writeAsync({ ...module("A", 2), ...module("B", 2) });
  const sync = box.spawn(["sync"]);
  await pushed;
  sync.kill("SIGKILL");
  await sync.exited;
  expect([await story.sourceAsync("A"), await story.sourceAsync("B")]).toEqual([text("A", 2), text("B", 2)]);
  await story.setAsync("B", 3);
  await project.writeAsync(module("A", 3));
  // Of B nothing tells whether the push had been refused because of that edit.
  const open = "unresolved edit B both_changed";
  expect(await story.syncAsync("--partial")).toEqual(["success 1", "push edit A studio_older", open]);
  expect(await story.sourceAsync("A")).toBe(text("A", 3));
  expect(await story.syncAsync("--override", "ReplicatedStorage.B=pull")).toEqual([
    "success 0",
    "pull edit B",
  ]);
  expect(await project.filesAsync()).toMatchObject({ ...module("A", 3), ...module("B", 3) });
});
