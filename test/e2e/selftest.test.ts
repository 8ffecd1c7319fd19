/**
 * `sb selftest`: on headless Studio everything holds and the place is left as it was; in each variant it names what differs,
 * while all that does not depend on it still works.
 */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "../../src/selftest/report.ts";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Qzxplace" });

const execAsync = async (script: string): Promise<unknown> => {
  const { exitCode, stdout, stderr } = await box.sbAsync(["exec", "--json", script]);
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout).returnValues;
};

/** The state that a self-test must not change: all Instances of the place with their properties, and the selection. */
const STATE = `
local reflection = game:GetService("ReflectionService")
local SERVICES = { "Workspace", "Lighting", "MaterialService", "ReplicatedFirst", "ReplicatedStorage", "ServerScriptService",
	"ServerStorage", "StarterGui", "StarterPack", "StarterPlayer", "SoundService", "Teams", "TextChatService",
	"LocalizationService", "Players", "CollectionService" }
local lines = {}
local function add(instance)
	local parts = {}
	for _, property in reflection:GetPropertiesOfClass(instance.ClassName) do
		local ok, value = pcall(function() return instance[property.Name] end)
		if ok and property.Permits.Write and typeof(value) ~= "table" and property.Name ~= "DistributedGameTime" then
			table.insert(parts, property.Name .. "=" .. tostring(value))
		end
	end
	for name, value in instance:GetAttributes() do table.insert(parts, name .. "=" .. tostring(value)) end
	table.sort(parts)
	table.insert(lines, instance:GetFullName() .. " " .. table.concat(parts, " "))
end
for _, name in SERVICES do
	local service = game:GetService(name)
	add(service)
	for _, instance in service:GetDescendants() do add(instance) end
end
table.sort(lines)
local selected = {}
for _, instance in game:GetService("Selection"):Get() do table.insert(selected, instance.Name) end
return lines, selected, { game:GetService("ChangeHistoryService"):GetCanUndo() }`;

test("on headless Studio everything holds, the place is as before, and the report contains nothing of it", async () => {
  await execAsync(`
    local part = Instance.new("Part")
    part.Name = "QzxTreasure"
    part:SetAttribute("QzxOwner", "Qzxuser")
    part.Parent = workspace
    game:GetService("Selection"):Set({ part })
    workspace.CurrentCamera.CFrame = CFrame.new(1, 2, 3)
    game:GetService("ChangeHistoryService"):SetWaypoint("QzxStep")`);
  const before = await execAsync(STATE);
  expect(JSON.stringify(before)).toMatch(/QzxTreasure.*Transparency=0.*QzxStep/);
  const { exitCode, stdout, stderr } = await box.sbAsync(["selftest", "--play", "--report", "report"]);
  expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 });
  const files = ["report.json", "report.md"].map((name) => join(box.folder, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  expect(stderr.match(/Wrote/g)).toHaveLength(2);
  const report: Report = JSON.parse(texts[0] ?? "");
  expect(report).toMatchObject({ ok: true, play: true, studio: { kind: "headless" } });
  const told = Object.fromEntries(
    report.areas.map(({ area, differs, unknown }) => [area, { differs, unknown }]),
  );
  expect(told).toMatchObject({
    // Headless Studio is not ended.
    bridge: { differs: 0, unknown: 2 },
    assumptions: { differs: 0 },
    engine: { differs: 0, unknown: 0 },
  });
  const holding = report.areas.map(({ holds }) => holds);
  expect(holding[0]).toBeGreaterThan(40);
  expect(holding[1]).toBeGreaterThan(30);
  expect(holding[2]).toBeGreaterThan(800);
  for (const text of [stdout, ...texts])
    for (const secret of ["Qzx", box.folder]) expect(text).not.toContain(secret);
  expect(await execAsync(STATE)).toEqual(before);
}, 120_000);

test("Ctrl+C leaves nothing in the place, and no open recording", async () => {
  const before = await execAsync(STATE);
  // A spec puts a Folder into the place.
  const inSpec = box.sbAsync(["wait", "Workspace.Folder"]);
  const running = box.spawn(["selftest", "--only", "engine"]);
  expect((await inSpec).exitCode).toBe(0);
  running.kill("SIGINT");
  expect(await running.exited).toBe(130);
  expect(await new Response(running.stderr).text()).toBe("error: Cancelled.\n");
  expect(await execAsync(STATE)).toEqual(before);
  const canRecord = `
    local history = game:GetService("ChangeHistoryService")
    local id = history:TryBeginRecording("QzxNext")
    if id then history:FinishRecording(id, Enum.FinishRecordingOperation.Cancel) end
    return id ~= nil`;
  expect(await execAsync(canRecord)).toEqual([true]);
}, 120_000);

test("if the Studio is closed during the self-test, the report has the findings until then", async () => {
  const place = "Qzxshort";
  await box.headlessAsync(place);
  const session = (await box.sessionsAsync()).find(({ placeName }) => placeName === place);
  const id = session?.sessionId ?? "";
  const running = box.spawn(["selftest", id, "--only", "bridge,engine", "--report", "cut.json"]);
  // A line that one of the first checks prints.
  await untilAsync("the first checks have ended", async () => {
    const { stdout } = await box.sbAsync(["logs", "--session", id]);
    return stdout.includes("later") ? true : undefined;
  });
  await box.sbAsync(["close", id]);
  expect(await running.exited).toBe(1);
  expect(await new Response(running.stdout).text()).toContain("The Studio was closed during the self-test");
  const report: Report = JSON.parse(await readFile(join(box.folder, "cut.json"), "utf8"));
  expect(report).toMatchObject({ ok: false, isWhole: false });
  expect(report.areas[0]).toMatchObject({ area: "bridge", differs: 0 });
}, 120_000);

/** The differences in a headless Studio with these variants, and the number of checks of the bridge that hold. */
async function differencesAsync(variants: readonly string[], ...words: readonly string[]) {
  const { stdout, exitCode } = await box.localSbAsync(["selftest", "--headless", "--json", ...words], {
    SB_HEADLESS_VARIANT: variants.join(","),
  });
  const report: Report = JSON.parse(stdout);
  const subjects = report.areas.flatMap(({ area, findings }) =>
    findings.filter(({ result }) => result === "differs").map(({ subject }) => `${area} ${subject}`),
  );
  return { exitCode, differs: [...new Set(subjects)].sort(), report };
}

test("the self-test names the difference of each variant, and the bridge works without the missing feature", async () => {
  const [edited, played, logged, inCloud] = await Promise.all([
    differencesAsync(
      [
        "no-is-edit",
        "no-edit-mode-active",
        "no-settings",
        "closed-core-gui",
        "no-set-timeout",
        "no-plugin-connections",
        "no-loadstring",
        "no-recordings",
        "no-coverage",
        "no-source-updates",
        "no-editor-sources",
        "no-query-descendants",
      ],
      "--only",
      "bridge,assumptions",
    ),
    differencesAsync(
      ["small-messages", "no-server-sockets", "no-end-test", "active-lets-through"],
      "--only",
      "assumptions",
      "--play",
    ),
    differencesAsync(["double-log", "no-captures", "empty-coverage"], "--only", "assumptions"),
    differencesAsync(["luau-execution=1/2@3"], "--only", "bridge,assumptions"),
  ]);
  expect(edited).toMatchObject({
    exitCode: 1,
    differs: [
      "assumptions core-gui",
      "assumptions coverage",
      "assumptions coverage-carrier",
      "assumptions edit-mode-active",
      "assumptions editor-sources",
      "assumptions is-edit",
      "assumptions loadstring",
      "assumptions long-sources",
      "assumptions plugin-connections",
      "assumptions plugin-settings",
      "assumptions query-descendants",
      "assumptions query-from-game",
      "assumptions recordings",
      "assumptions set-timeout",
      "assumptions written-sources",
      // Without recordings there is no undo; without loadstring the compiler cannot be asked; without QueryDescendants there
      // are no selectors. Scripts run all the same, and their sources are read and written.
      "bridge applyPatch",
      "bridge checkSources",
      "bridge findInstances",
      "bridge listSteps",
      "bridge tryScript",
      "bridge undo",
    ],
  });
  expect(played.differs).toEqual([
    "assumptions active-sinks",
    "assumptions end-test",
    "assumptions message-size",
    "assumptions server-web-sockets",
    "bridge play test",
  ]);
  // A play test works with small messages. Only its end is refused, and the self-test reports that at once.
  const refused = played.report.areas[0]?.findings.filter(({ result }) => result === "differs");
  expect(refused?.map(({ name }) => name)).toEqual(["ends, and Studio edits again"]);
  // It is a server outside of Studio, which is not asked for its mode, records no changes and has no screen.
  expect(inCloud.differs).toEqual([
    "assumptions edit-mode-active",
    "assumptions is-edit",
    "assumptions recordings",
    "bridge applyPatch",
    "bridge listSteps",
    "bridge queryState",
    "bridge setViewport",
    "bridge tryScript",
    "bridge undo",
  ]);
  expect(logged.differs).toEqual([
    "assumptions capture-service",
    "assumptions captures-come",
    "assumptions coverage-carrier",
    "assumptions coverage-hits",
    "assumptions log-lines-once",
    "assumptions logged-frames",
  ]);
}, 120_000);
