/** The place of a headless Studio is saved, kept when its Studio is closed, and opened again. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readBinary } from "rbx-dom";
import { sandbox } from "../sandbox.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";
import { describeDom } from "../unit/roblox/generated.ts";

const box = sandbox();

const detachAsync = (...words: readonly string[]) => box.sbAsync(["headless", "--detach", ...words]);
const partAsync = (name: string) => box.sbAsync(["new", "Part", "Workspace", `Name=${name}`]);

test("a place is saved to a file, which is known from then on, and closing asks for nothing more", async () => {
  expect((await detachAsync("--name", "G")).stdout).toContain("`sb save FILE` saves its place");
  await partAsync("One");
  const nameless = await box.sbAsync(["save"]);
  expect(nameless.exitCode).toBe(2);
  expect(nameless.stderr).toContain("sb save FILE.rbxl");
  expect((await box.sbAsync(["save", "g.rbxl"])).stdout).toStartWith(`Saved ${join(box.folder, "g.rbxl")}`);
  await partAsync("Two");
  await box.writeAsync("other.rbxlx", "mine");
  const other = await box.sbAsync(["export", "game", "-o", "other.rbxlx"]);
  expect(other.exitCode).toBe(1);
  expect(other.stderr).toContain("exists already");
  expect((await box.sbAsync(["save"])).exitCode).toBe(0);
  const saved = describeDom(readBinary(await readFile(join(box.folder, "g.rbxl")))).join("\n");
  expect(saved).toContain("One");
  expect(saved).toContain("Two");
  expect((await box.sbAsync(["close"])).stdout).toBe("Closed G.\n");
});

test("what was not saved is kept, and comes back with its name and file", async () => {
  await detachAsync("g.rbxl");
  await partAsync("Three");
  const closed = JSON.parse((await box.sbAsync(["close", "--json"])).stdout);
  expect(closed).toMatchObject({ closed: true, placeName: "g" });
  expect(closed.kept).toMatch(/^g-/);
  expect((await box.sbAsync(["headless", "--restore=list"])).stdout).toContain(closed.kept);
  expect((await detachAsync("--restore", closed.kept)).stdout).toContain("Headless Studio g is ready");
  expect((await box.sbAsync(["find", "Part"])).stdout).toContain("Workspace.Three");
  expect((await box.sbAsync(["close", "--save"])).stdout).toBe(
    `Closed g.\nSaved ${join(box.folder, "g.rbxl")}\n`,
  );
  const gone = await detachAsync("--restore", "none-0000");
  expect(gone.exitCode).toBe(2);
  expect(gone.stderr).toContain(closed.kept);
});

test("a person at a terminal is asked, Escape leaves Studio as it is, and --yes keeps", async () => {
  await detachAsync("--name", "Asked");
  await partAsync("One");
  {
    await using person = await Keyboard.openAsync(["close"], box, 80, "has changes that are not saved");
    person.press("\x1b");
    await person.seesAsync("error: Cancelled");
  }
  {
    await using person = await Keyboard.openAsync(["close"], box, 60, "has changes that are not saved");
    person.press(keys.down);
    person.press(keys.enter);
    await person.seesAsync("Closed Asked.");
    expect(person.sent).not.toContain("--restore Asked");
  }
  await detachAsync("--name", "Yes");
  await partAsync("One");
  await using _person = await Keyboard.openAsync(["close", "-y"], box, 80, "sb headless --restore Yes-");
});

test("a place that cannot be written leaves Studio open and the file as it was", async () => {
  await detachAsync("--save", "end.rbxl", "--name", "Full");
  await partAsync("One");
  await Bun.spawn(["ln", "-s", "/dev/full", join(box.folder, "end.rbxl")]).exited;
  const refused = await box.sbAsync(["close"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("the disk is full");
  expect(refused.stderr).toContain("sb close --discard");
  expect(await box.sessionsAsync()).toHaveLength(1);
  expect((await box.sbAsync(["close", "--discard"])).stdout).toBe("Closed Full.\n");
});

test("a Studio of one command saves too, with what the engine cannot hold", async () => {
  const large = '<int64 name="Value">9007199254740993</int64>';
  const item = `<Item class="IntValue" referent="B"><Properties><string name="Name">Old</string>${large}</Properties></Item>`;
  const place = `<roblox version="4"><Item class="Workspace" referent="A">${item}</Item></roblox>`;
  await box.writeAsync("old.rbxlx", place);
  const lines = 'workspace.Old.Name = "Renamed"\n.save new.rbxlx\n';
  const words = ["terminal", "--headless", "--place", "old.rbxlx"];
  expect((await box.sbAsync(words, { stdin: lines })).stdout).toContain("Saved ");
  const saved = await Bun.file(join(box.folder, "new.rbxlx")).text();
  expect(saved).toContain("Renamed");
  expect(saved).toContain(large);
  expect((await box.sbAsync(["headless", "--restore=list"])).stdout).not.toContain("old-");
});

test("a WeldConstraint is saved with where its second part lies, seen from the first", async () => {
  await detachAsync("--name", "Welded");
  await box.sbAsync([
    "exec",
    `local one, two = Instance.new("Part", workspace), Instance.new("Part", workspace)
    one.CFrame, two.CFrame = CFrame.new(1, 2, 3) * CFrame.Angles(0, math.pi / 2, 0), CFrame.new(4, 6, 3)
    local weld = Instance.new("WeldConstraint")
    weld.Part0, weld.Part1, weld.Parent = one, two, one
    two.Position += Vector3.yAxis`,
  ]);
  expect((await box.sbAsync(["save", "w.rbxl"])).exitCode).toBe(0);
  await box.sbAsync(["close"]);
  const dom = readBinary(await readFile(join(box.folder, "w.rbxl")));
  const offset = describeDom(dom).filter((line) => line.includes("CFrame0"));
  expect(offset).toEqual([expect.stringContaining("WeldConstraint.CFrame0 = ")]);
  expect(offset.join("")).toMatch(/"position":\[-?\d[\d.e-]*,5,(3|2\.99999\d*)\]/);
});
