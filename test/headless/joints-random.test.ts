/** Random assemblies under random acts, in the engine and in a model that works everything out by itself. */
import { expect, test } from "bun:test";
import { HeadlessStudio } from "../../src/headless/window/studio.ts";
import { PATIENCE_MS } from "../harness.ts";
import { IDENTITY, JointModel, distance, turned, type Frame, type Kind } from "./joint-model.ts";
import { assets, noNetwork } from "./run-spec.ts";

const SEEDS = 60;
const PARTS = 9;
const ACTS = 45;
const TOLERANCE = 2e-3;
const KINDS: readonly Kind[] = ["Weld", "Motor6D", "Snap", "WeldConstraint", "RigidConstraint"];

/** Numbers from 0 to 1 that depend on the seed alone. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PRELUDE = `
local parts, joints = {}, {}
local function addPart(frame, side)
	local part = Instance.new("Part")
	part.Size, part.CFrame, part.Parent = Vector3.new(side, side, side), frame, workspace
	table.insert(parts, part)
end
local function addJoint(kind, first, second, c0, c1)
	local joint = Instance.new(kind)
	if kind == "RigidConstraint" then
		joint.Attachment0, joint.Attachment1 = Instance.new("Attachment"), Instance.new("Attachment")
		joint.Attachment0.CFrame, joint.Attachment1.CFrame = c0, c1
		joint.Attachment0.Parent, joint.Attachment1.Parent = parts[first], parts[second]
	else
		if kind ~= "WeldConstraint" then
			joint.C0, joint.C1 = c0, c1
		end
		joint.Part0, joint.Part1 = parts[first], parts[second]
	end
	joint.Parent = workspace
	table.insert(joints, joint)
end
local function setOffset(joint, name, frame)
	if joint:IsA("RigidConstraint") then
		joint[if name == "C0" then "Attachment0" else "Attachment1"].CFrame = frame
	else
		joint[name] = frame
	end
end
local function tell()
	local words = {}
	for _, part in parts do
		table.insert(words, table.concat({ part.CFrame:GetComponents() }, " "))
	end
	print(table.concat(words, ","))
end
`;

interface Story {
  readonly lines: string[];
  readonly expected: Frame[][];
}

/** One act: what the engine is told, and what the model does. */
type Act = (model: JointModel, random: () => number) => string | undefined;

const pick = (random: () => number, count: number): number => Math.floor(random() * count);
const shown = (frame: Frame): string => `CFrame.new(${frame.join(",")})`;

function anyFrame(random: () => number): Frame {
  const angle = (): number => random() * 2.6 - 1.3;
  return turned(
    angle(),
    angle() * 2,
    angle(),
    [0, 1, 2].map(() => Math.round(random() * 400 - 200) / 10),
  );
}

const ACT_KINDS: readonly Act[] = [
  (model, random) => {
    const [kind = "Weld", first, second] = [
      KINDS[pick(random, KINDS.length)],
      pick(random, PARTS),
      pick(random, PARTS),
    ];
    if (first === second) return undefined;
    const [c0, c1] = kind === "WeldConstraint" ? [IDENTITY, IDENTITY] : [anyFrame(random), anyFrame(random)];
    model.addJoint(kind, first, second, c0, c1);
    return `addJoint("${kind}", ${first + 1}, ${second + 1}, ${shown(c0)}, ${shown(c1)})`;
  },
  (model, random) => {
    const [part, frame] = [pick(random, PARTS), anyFrame(random)];
    model.setFrame(part, frame);
    return `parts[${part + 1}].CFrame = ${shown(frame)}`;
  },
  (model, random) => {
    const [part, frame] = [pick(random, PARTS), anyFrame(random)];
    const old = model.parts[part]?.frame ?? IDENTITY;
    model.setAlone(part, [...frame.slice(0, 3), ...old.slice(3)]);
    return `parts[${part + 1}].Position = ${shown(frame)}.Position`;
  },
  (model, random) => {
    const part = pick(random, PARTS);
    const angles = [0, 1, 2].map(() => Math.round(random() * 160 - 80));
    const [x = 0, y = 0, z = 0] = angles.map((each) => (each * Math.PI) / 180);
    model.setAlone(part, turned(x, y, z, (model.parts[part]?.frame ?? IDENTITY).slice(0, 3)));
    return `parts[${part + 1}].Orientation = Vector3.new(${angles.join(",")})`;
  },
  (model, random) => {
    const index = pick(random, model.joints.length);
    const joint = model.joints[index];
    if (joint === undefined || joint.kind === "WeldConstraint") return undefined;
    const [name, frame] = [random() < 0.5 ? ("c0" as const) : ("c1" as const), anyFrame(random)];
    model.setOffset(index, name, frame);
    return `setOffset(joints[${index + 1}], "${name.toUpperCase()}", ${shown(frame)})`;
  },
  (model, random) => {
    const index = pick(random, model.joints.length);
    const joint = model.joints[index];
    if (joint === undefined) return undefined;
    joint.isEnabled = !joint.isEnabled;
    model.update();
    return `joints[${index + 1}].Enabled = ${joint.isEnabled}`;
  },
  (model, random) => {
    const index = pick(random, model.joints.length);
    const joint = model.joints[index];
    if (joint === undefined) return undefined;
    joint.isGone = true;
    model.update();
    return `joints[${index + 1}].Parent = nil`;
  },
  (model, random) => {
    const index = pick(random, PARTS);
    const part = model.parts[index];
    if (part === undefined) return undefined;
    part.isInPlace = !part.isInPlace;
    model.update();
    return `parts[${index + 1}].Parent = ${part.isInPlace ? "workspace" : "nil"}`;
  },
  (model, random) => {
    const index = pick(random, PARTS);
    const part = model.parts[index];
    if (part === undefined) return undefined;
    part.isAnchored = !part.isAnchored;
    model.update();
    return `parts[${index + 1}].Anchored = ${part.isAnchored}`;
  },
  (model, random) => {
    const index = pick(random, PARTS);
    const part = model.parts[index];
    if (part === undefined) return undefined;
    part.priority = pick(random, 3);
    return `parts[${index + 1}].RootPriority = ${part.priority}`;
  },
];

function storyOf(seed: number): Story {
  const random = randomOf(seed);
  const model = new JointModel();
  const story: Story = { lines: [], expected: [] };
  for (let index = 0; index < PARTS; index++) {
    const [frame, side] = [anyFrame(random), 1 + index * 0.25];
    model.addPart(frame, side * side);
    story.lines.push(`addPart(${shown(frame)}, ${side})`);
  }
  while (story.expected.length < ACTS) {
    // Half of the acts make joints or move parts.
    const act = ACT_KINDS[random() < 0.5 ? pick(random, 2) : pick(random, ACT_KINDS.length)];
    const line = act?.(model, random);
    if (line === undefined) continue;
    story.lines.push(line, "tell()");
    story.expected.push(model.parts.map((part) => part.frame));
  }
  return story;
}

function run(story: Story): readonly string[] {
  const logged: string[] = [];
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log: (_type, text) => void logged.push(text) },
    scriptTimeoutSeconds: PATIENCE_MS / 1_000,
  });
  studio.runSource("=story", `${PRELUDE}${story.lines.join("\n")}`);
  return logged;
}

test("random joints under random acts put each part where the model does", () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const story = storyOf(seed);
    const told = run(story).map((line) => line.split(",").map((part) => part.split(" ").map(Number)));
    expect(told.length, `seed ${seed}`).toBe(ACTS);
    story.expected.forEach((frames, act) => {
      const worst = Math.max(...frames.map((frame, part) => distance(frame, told[act]?.[part] ?? [])));
      const acts = story.lines.filter((line) => line !== "tell()").slice(0, PARTS + act + 1);
      if (!(worst <= TOLERANCE))
        throw new Error(`seed ${seed}, act ${act}, off by ${worst}:\n${acts.join("\n")}`);
    });
  }
});
