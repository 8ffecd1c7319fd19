/** Whether the edited place has changed since it was opened or saved. */
import { expect, test } from "bun:test";
import { HeadlessStudio } from "../../../../src/headless/window/studio.ts";
import { assets, noNetwork } from "../../../headless/run-spec.ts";

/** What is said after each of the scripts. */
function told(...scripts: readonly string[]): readonly boolean[] {
  const lines: string[] = [];
  const verdicts: boolean[] = [];
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log: (_type, text) => void lines.push(text) },
    onPlaceSaved: () => {},
    onUnsavedTold: (isUnsaved) => void verdicts.push(isUnsaved),
  });
  studio.runSource("=before", "Instance.new('Folder', workspace).Name = 'Old'");
  studio.dispatch("watchPlace");
  for (const script of scripts) {
    if (script === "SAVE") studio.dispatch("savePlace");
    else studio.runSource("=script", script);
    studio.dispatch("askUnsaved");
  }
  expect(lines).toEqual([]);
  return verdicts;
}

test("a new Instance, a value, an attribute, a tag, a name, a new parent and a removal are changes", () => {
  for (const change of [
    "local part = Instance.new('Part') part.Name = 'New' part.Parent = workspace",
    "workspace.Gravity = 10",
    "workspace.Old:SetAttribute('a', 1)",
    "workspace.Old:AddTag('t')",
    "workspace.Old.Name = 'Other'",
    "workspace.Old.Parent = game:GetService('ServerStorage')",
    "workspace.Old:Destroy()",
    "workspace.Old:Clone().Parent = workspace",
    "game:GetService('TestService').Timeout = 3",
  ])
    expect([change, told(change)]).toEqual([change, [true]]);
});

test("reading, a service that is asked for, and what is never put into the place are none", () => {
  expect(
    told(
      "local _ = #workspace:GetDescendants()",
      "game:GetService('Chat') game:GetService('TestService') game:GetService('VRService')",
      "local part = Instance.new('Part') part.Name = 'Loose' part:SetAttribute('a', 1)",
      "Instance.new('Folder', game:GetService('CoreGui'))",
      "game:GetService('Selection'):Set({ workspace })",
    ),
  ).toEqual([false, false, false, false, false]);
});

test("a saved place is unchanged until the next change", () => {
  expect(told("workspace.Old.Name = 'A'", "SAVE", "", "workspace.A.Name = 'B'", "")).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});

test("recordings of ChangeHistoryService see the same changes beside it", () => {
  const script = `
    local History = game:GetService("ChangeHistoryService")
    local id = History:TryBeginRecording("r")
    workspace.Old.Name = "A"
    workspace.A:SetAttribute("x", 1)
    History:FinishRecording(id, Enum.FinishRecordingOperation.Commit)
    History:Undo()
    assert(workspace.Old:GetAttribute("x") == nil)`;
  expect(told(script)).toEqual([true]);
});
