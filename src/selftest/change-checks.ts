/** Checks of the actions that change the place, watch it, or reserve it for one client. */
import { words } from "../protocol/words.ts";
import type { BridgeCheck } from "./bridge-check.ts";
import { failureCodeAsync } from "./bridge-check.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { allOf, isTrue, sameAs } from "./findings.ts";
import { sentValues } from "./sent-values.ts";

const WAIT_MS = 5_000;

/** The datatypes that attributes can have, as the documentation of Instance:SetAttribute lists them. */
const ATTRIBUTE_TYPES = [
  "boolean",
  "string",
  "BrickColor",
  "CFrame",
  "Color3",
  "ColorSequence",
  "Font",
  "NumberRange",
  "NumberSequence",
  "Rect",
  "UDim",
  "UDim2",
  "Vector2",
] as const;

const attributeValues = Object.fromEntries(ATTRIBUTE_TYPES.map((name) => [`A${name}`, sentValues[name]]));

const REVISION_NAMES = `local names = {}
for attribute, name in game.ServerStorage:GetAttributes() do
  if string.find(attribute, "^${words.revisionPrefix}") then names[attribute] = name end
end`;

const NAME_REVISIONS = `${REVISION_NAMES}
for attribute in names do game.ServerStorage:SetAttribute(attribute, nil) end
local before = { ... }
for index = 1, #before, 2 do game.ServerStorage:SetAttribute(before[index], before[index + 1]) end`;

const revisionNamesAsync = async (studio: CheckedStudio): Promise<{ readonly [attribute: string]: string }> =>
  Object((await studio.runAsync(`${REVISION_NAMES}\nreturn names`))[0]);

const isThereAsync = async (studio: CheckedStudio, name: string): Promise<unknown> =>
  (
    await studio.runAsync(
      `return game.ServerStorage["${studio.scratchName}"]:FindFirstChild("${name}") ~= nil`,
    )
  )[0];

const patchAsync = (studio: CheckedStudio, name: string) =>
  studio.callAsync("applyPatch", {
    operations: [{ op: "create", className: "Folder", parent: studio.scratch, name }],
    name: `sb selftest: ${name}`,
    caller: studio.caller,
  });

const undoAsync = (studio: CheckedStudio, redo = false) =>
  studio.callAsync("undo", { only: studio.caller.id, redo });

export const changeChecks: readonly BridgeCheck[] = [
  {
    action: "applyPatch",
    name: "makes, changes and removes Instances as one undo step",
    runAsync: async (studio) => {
      const made = await studio.callAsync("applyPatch", {
        operations: [
          {
            op: "create",
            className: "Part",
            parent: studio.scratch,
            name: "Patched",
            as: "part",
            properties: { Size: [3, 1, 3], Material: "Slate" },
            tags: ["SelftestTag"],
          },
          { op: "set", path: "$part", properties: { Color: "#808080" } },
          { op: "rename", path: "$part", name: "Renamed" },
        ],
        name: "sb selftest: patch",
        caller: studio.caller,
      });
      const isMade = await isThereAsync(studio, "Renamed");
      const { undone } = await undoAsync(studio);
      return allOf(
        sameAs([made.ok, made.undo.recorded, isMade], [true, true, true]),
        sameAs([undone.length, await isThereAsync(studio, "Renamed")], [1, false]),
      );
    },
  },
  {
    action: "applyPatch",
    name: "gives attributes values of every datatype that they take",
    runAsync: async (studio) => {
      await studio.callAsync("applyPatch", {
        operations: [
          {
            op: "create",
            className: "Folder",
            parent: studio.scratch,
            name: "Typed",
            attributes: attributeValues,
          },
        ],
        name: "sb selftest: attributes",
        caller: studio.caller,
      });
      const { instance } = await studio.callAsync("queryDataModel", {
        path: `${studio.scratch}.Typed`,
        includeAttributes: true,
      });
      await undoAsync(studio);
      return sameAs(instance.attributes, attributeValues);
    },
  },
  {
    action: "applyPatch",
    name: "changes nothing where one operation cannot be done",
    runAsync: async (studio) => {
      const { ok, items } = await studio.callAsync("applyPatch", {
        operations: [
          { op: "create", className: "Folder", parent: studio.scratch, name: "Half" },
          { op: "delete", path: `${studio.scratch}.NoSuchThing` },
        ],
        name: "sb selftest: half",
        caller: studio.caller,
      });
      return sameAs(
        [ok, items.map((item) => item.ok), await isThereAsync(studio, "Half")],
        [false, [true, false], false],
      );
    },
  },
  {
    action: "undo",
    name: "takes a step back, and makes it again",
    runAsync: async (studio) => {
      const made = await patchAsync(studio, "Undone");
      if (made.undo.recorded !== true) return sameAs(made.undo.recorded, true);
      await undoAsync(studio);
      const afterUndo = await isThereAsync(studio, "Undone");
      await undoAsync(studio, true);
      const afterRedo = await isThereAsync(studio, "Undone");
      await undoAsync(studio);
      return sameAs([afterUndo, afterRedo], [false, true]);
    },
  },
  {
    action: "listSteps",
    name: "lists the steps with the clients that made them",
    runAsync: async (studio) => {
      const made = await patchAsync(studio, "Listed");
      if (made.undo.recorded !== true) return sameAs(made.undo.recorded, true);
      const { steps } = await studio.callAsync("listSteps", {});
      await undoAsync(studio);
      return sameAs([steps[0]?.name, steps[0]?.callerId], ["sb selftest: Listed", studio.caller.id]);
    },
  },
  {
    action: "exportModel",
    name: "gives Instances as a model file",
    runAsync: async (studio) => {
      await studio.runAsync(
        `local folder = Instance.new("Folder") folder.Name = "Exported" Instance.new("Part", folder) folder.Parent = game.ServerStorage["${studio.scratchName}"]`,
      );
      const { instances, model } = await studio.callAsync("exportModel", {
        paths: [`${studio.scratch}.Exported`],
      });
      return allOf(
        sameAs(instances, 2),
        isTrue(model.startsWith("PHJvYmxve"), "it is not a binary model file"),
      );
    },
  },
  {
    action: "insertModel",
    name: "inserts the bytes of a model file",
    runAsync: async (studio) => {
      await studio.runAsync(
        `local folder = Instance.new("Folder") folder.Name = "Source" folder:SetAttribute("Kept", 7) folder.Parent = game.ServerStorage["${studio.scratchName}"]`,
      );
      const { model } = await studio.callAsync("exportModel", { paths: [`${studio.scratch}.Source`] });
      const { inserted, undo } = await studio.callAsync("insertModel", {
        model,
        parent: studio.scratch,
        name: "sb selftest: insert",
        caller: studio.caller,
      });
      const kept = await studio.runAsync(
        `local found = {} for _, child in game.ServerStorage["${studio.scratchName}"]:GetChildren() do if child.Name == "Source" then table.insert(found, child:GetAttribute("Kept")) end end return found`,
      );
      if (undo.recorded === true) await undoAsync(studio);
      return sameAs([inserted.map(({ className }) => className), kept], [["Folder"], [[7, 7]]]);
    },
  },
  {
    action: "othersChanges",
    name: "begins to record what others change",
    runAsync: async (studio) => {
      const { mark } = await studio.callAsync("othersChanges", {});
      const since = await studio.callAsync("othersChanges", { since: mark });
      return sameAs(since.isKnown, true);
    },
  },
  {
    action: "syncOpen",
    name: "holds the place for one client at a time",
    runAsync: async (studio) => {
      const holder = { id: studio.caller.id, name: studio.caller.name };
      const other = { id: `${studio.caller.id}-other`, name: studio.caller.name };
      const held = await failureCodeAsync(studio.callAsync("syncOpen", { holder, holdMs: 10_000 }));
      if (held === "BUSY") return isTrue(false, "a sync holds the place");
      const refused = await failureCodeAsync(studio.callAsync("syncOpen", { holder: other, holdMs: 1_000 }));
      await studio.callAsync("syncOpen", { holder, holdMs: 0 });
      return allOf(sameAs(held, undefined), isTrue(refused !== undefined, "a second client holds it too"));
    },
  },
  {
    action: "nameRevision",
    name: "leaves the name of a revision in the place",
    runAsync: async (studio) => {
      const name = "selftest 2000-01-01";
      // Of many names the oldest goes, so that the names of before are put back.
      const before = await revisionNamesAsync(studio);
      const { isWritten } = await studio.callAsync("nameRevision", { project: studio.scratchName, name });
      const after = await revisionNamesAsync(studio);
      await studio.runAsync(NAME_REVISIONS, { args: Object.entries(before).flat() });
      return sameAs([isWritten, after[words.revisionPrefix + studio.scratchName]], [true, name]);
    },
  },
  {
    action: "watchTree",
    name: "tells that the place has changed",
    runAsync: async (studio) => {
      const { promise, resolve } = Promise.withResolvers<true>();
      const session = studio.bridge.session(studio.session.sessionId);
      await using _pushes = await session.subscribeAsync(["treeChange"], () => resolve(true));
      const { isWatched } = await studio.callAsync("watchTree", { isOn: true });
      await studio.runAsync(
        `game.ServerStorage["${studio.scratchName}"]:SetAttribute("Watched", os.clock())`,
      );
      const isTold = await Promise.race([promise, Bun.sleep(WAIT_MS).then(() => false)]);
      await studio.callAsync("watchTree", { isOn: false });
      return sameAs([isWatched, isTold], [true, true]);
    },
  },
  {
    action: "subscribe",
    name: "pushes lines of the log",
    runAsync: async (studio) => {
      const { promise, resolve } = Promise.withResolvers<true>();
      const text = `sb selftest pushes ${studio.scratchName}`;
      const session = studio.bridge.session(studio.session.sessionId);
      await using _pushes = await session.subscribeAsync(["logPush"], (push) => {
        if (push.event === "logPush" && push.payload.entries.some(({ body }) => body === text)) resolve(true);
      });
      await studio.runAsync(`print("${text}")`);
      return isTrue(
        await Promise.race([promise, Bun.sleep(WAIT_MS).then(() => false)]),
        "a line that was printed did not come",
      );
    },
  },
  {
    action: "unsubscribe",
    name: "ends a subscription",
    runAsync: async (studio) => {
      const { events } = await studio.callAsync("unsubscribe", { events: ["treeChange"] });
      return sameAs(events, ["treeChange"]);
    },
  },
  {
    action: "wait",
    name: "ends when something has become true, and when its time is over",
    runAsync: async (studio) => {
      const met = studio.callAsync("wait", {
        condition: "exists",
        path: `${studio.scratch}.Awaited`,
        timeoutMs: WAIT_MS,
      });
      await studio.runAsync(
        `Instance.new("Folder", game.ServerStorage["${studio.scratchName}"]).Name = "Awaited"`,
      );
      const over = await studio.callAsync("wait", { condition: "until", source: "false", timeoutMs: 200 });
      return sameAs([(await met).met, over.met], [true, false]);
    },
  },
];
