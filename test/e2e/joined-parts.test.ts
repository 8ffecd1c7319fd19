/** Edits, a restored checkpoint and a pushed sync on parts that joints hold together: each part ends where it belongs. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import { joinedRig } from "../joined-rig.ts";

setDefaultTimeout(120_000);

const box = sandbox({ headless: true });
const TOLERANCE = 1e-4;

const RIG = joinedRig(["WeldConstraint", "Weld", "Motor6D", "Motor6D"]);

const MESS = `local rig = workspace.Rig
rig.Hand.CFrame *= CFrame.Angles(1, 2, 3) + Vector3.new(5, 5, 5)
rig.Arm.Position += Vector3.new(0, 9, 0)
rig.Head.Orientation = Vector3.new(10, 20, 30)
rig.Hand.ToHand.C0 *= CFrame.new(1, 2, 3)`;

const LOOK = `local all = {}
for _, each in workspace:GetDescendants() do
  if each:IsA("BasePart") and not each:IsA("Terrain") then
    all[each.Name] = { each.CFrame:GetComponents() }
  elseif each:IsA("JointInstance") then
    all[each.Name] = { each.C0:GetComponents() }
  end
end
return game:GetService("HttpService"):JSONEncode(all)`;

type Places = Readonly<Record<string, readonly number[]>>;

async function sbAsync(...words: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await box.sbAsync([...words]);
  expect({ words, stderr: exitCode === 0 ? "" : stderr, exitCode }).toEqual({
    words,
    stderr: "",
    exitCode: 0,
  });
  return stdout;
}

async function lookAsync(): Promise<Places> {
  const { returnValues } = JSON.parse(await sbAsync("exec", "--json", LOOK)) as { returnValues: [string] };
  return JSON.parse(returnValues[0]) as Places;
}

const off = (actual: Places, expected: Places): readonly string[] =>
  [...new Set([...Object.keys(actual), ...Object.keys(expected)])].filter(
    (name) =>
      !(expected[name] ?? [Number.NaN]).every(
        (value, index) => Math.abs(value - (actual[name]?.[index] ?? Number.NaN)) <= TOLERANCE,
      ),
  );

test("a set tells which parts moved along, and undo brings them back", async () => {
  await sbAsync("exec", RIG);
  const before = await lookAsync();
  const told = await sbAsync("set", "Workspace.Rig.Root", "CFrame=0,50,0");
  expect(told).toContain(
    "joints moved along: Workspace.Rig.Arm, Workspace.Rig.Hand, Workspace.Rig.Head, Workspace.Rig.Tail",
  );
  expect(off(await lookAsync(), before).toSorted()).toEqual(["Arm", "Hand", "Head", "Root", "Tail"]);
  await sbAsync("undo");
  expect(off(await lookAsync(), before)).toEqual([]);
});

test("a restored checkpoint puts each part and each joint back, and so do its undo and redo", async () => {
  const before = await lookAsync();
  await sbAsync("checkpoint", "joined");
  await sbAsync("exec", MESS);
  const after = await lookAsync();
  expect(off(after, before).length).toBeGreaterThan(3);
  await sbAsync("checkpoint", "restore", "joined");
  expect(await sbAsync("checkpoint", "diff", "joined")).toContain("Nothing differs.");
  expect(off(await lookAsync(), before)).toEqual([]);
  await sbAsync("undo");
  expect(off(await lookAsync(), after)).toEqual([]);
  await sbAsync("redo");
  expect(off(await lookAsync(), before)).toEqual([]);
});

test("a pushed sync puts each part where the files say, and its undo brings Studio's places back", async () => {
  const tree = { $className: "DataModel", Workspace: { Rig: { $className: "Model", $path: "rig" } } };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "joined", tree }));
  await box.writeAsync("rig/.keep", "");
  const sync = [
    "sync",
    "--properties",
    "all",
    "--allow-overwrites",
    "100",
    "--mode",
    "fastfail",
    "--partial",
  ];
  await box.sbAsync([...sync, "--prefer", "studio"]);
  const before = await lookAsync();
  await cp(join(box.folder, "rig"), join(box.folder, "first"), { recursive: true });
  await sbAsync("exec", MESS);
  const after = await lookAsync();
  await box.sbAsync(sync);
  await cp(join(box.folder, "first"), join(box.folder, "rig"), {
    recursive: true,
    preserveTimestamps: false,
  });
  const { stdout } = await box.sbAsync(sync);
  expect(stdout).toContain("push");
  expect(off(await lookAsync(), before)).toEqual([]);
  await sbAsync("sync", "undo");
  expect(off(await lookAsync(), after)).toEqual([]);
});
