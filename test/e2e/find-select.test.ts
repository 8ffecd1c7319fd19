/** `sb find` and `sb select`: what people search and select in a place, and what agents get of the same. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const ROOM = `
  local room = Instance.new("Model", workspace)
  room.Name = "Room"
  for i = 1, 3 do
    local part = Instance.new("Part")
    part.Name = "Enemy"
    part.Position = Vector3.new(i * 10, 0, 0)
    part:AddTag("Enemy")
    part:SetAttribute("Health", i * 10)
    part.Parent = room
  end
  Instance.new("Folder", workspace)`;

let box: Sandbox;
let peer: McpPeer;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync();
  expect(await box.sbAsync(["exec", ROOM])).toMatchObject({ exitCode: 0 });
  peer = new McpPeer(box);
  await peer.initializeAsync();
}, 120_000);
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

const toolAsync = async (name: string, args: Parameters<McpPeer["toolAsync"]>[1]) =>
  Object(await peer.toolAsync(name, args)).structuredContent;

test("a selector finds each Instance once, counts all, and shows what the limit allows", async () => {
  const { stdout, stderr } = await box.sbAsync(["find", "Part.Enemy, .Enemy", "--limit", "2"]);
  expect(stdout).toBe("Workspace.Room.Enemy[1]  Part\nWorkspace.Room.Enemy[2]  Part\n");
  expect(stderr).toBe("3 Instances match. The first 2 are shown; --limit N shows more.\n");
  const all = await box.sbAsync(["find", "Part.Enemy", "--limit", "100000"]);
  expect(all).toMatchObject({ exitCode: 0, stderr: "3 Instances match.\n" });
  expect(await box.sbAsync(["find", "Part", "Lighting"])).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "No Instance matches.\n",
  });
});

test("agents search with studio_query and get the properties that there are", async () => {
  const search = { selector: ".Enemy[$Health = 20]", path: "Workspace.Room" };
  const properties = ["Anchored", "Zork"];
  expect(await toolAsync("studio_query", { ...search, properties, includeAttributes: true })).toEqual({
    instances: [
      {
        path: "Workspace.Room.Enemy[2]",
        id: expect.stringMatching(/^@\d+$/),
        name: "Enemy",
        className: "Part",
        properties: { Anchored: false },
        attributes: { Health: 20 },
      },
    ],
    total: 1,
    missing: [{ property: "Zork" }],
  });
});

test("where nothing matches, classes that do not exist are named with the nearest that does", async () => {
  const misspelt = await box.sbAsync(["find", "Prt.Enemy > meshpart:not(#Wood)"]);
  expect(misspelt).toEqual({
    exitCode: 0,
    stdout: "",
    stderr:
      "No Instance matches.\nThere is no class Prt. Did you mean Part?\nThere is no class meshpart. Did you mean MeshPart?\n",
  });
  expect(await toolAsync("studio_query", { selector: "Partt[Name = Foo]" })).toEqual({
    instances: [],
    total: 0,
    unknownClasses: [{ className: "Partt", suggestion: "Part" }],
  });
  expect((await box.sbAsync(["find", 'Model#Enemy.Prt[$Prt = "Prt"]'])).stderr).toBe(
    "No Instance matches.\n",
  );
});

test("a name with a line break is one line", async () => {
  await box.sbAsync(["new", "SpawnLocation", "Workspace", "Name=two\nlines"]);
  const { stdout } = await box.sbAsync(["find", "SpawnLocation"]);
  expect(stdout).toBe("Workspace.two\\nlines  SpawnLocation\n");
});

test("what is no selector is refused with an example, and a root that is not there with the next step", async () => {
  const wrong = await box.sbAsync(["find", "Part[["]);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  expect(wrong.stderr).toStartWith("error: Not a selector: Part[[: ");
  expect(wrong.stderr).toContain("such as Part.Enemy[$Health = 10]");
  const lost = await box.sbAsync(["find", "Part", "Workspace.Nope"]);
  expect(lost).toMatchObject({ exitCode: 1, stdout: "" });
  expect(lost.stderr).toContain("No instance found at path: Workspace.Nope\nhint: Workspace has no Nope.");
});

test("the selection is set as a whole or not at all, and is the same for people and agents", async () => {
  const { selection } = await toolAsync("studio_select", {
    paths: ["Workspace.Room", "game.Workspace.Folder"],
  });
  expect(selection.map(({ path }: { path: string }) => path)).toEqual(["Workspace.Room", "Workspace.Folder"]);
  const lost = await box.sbAsync(["select", "Workspace", "Workspace.Nope"]);
  expect(lost).toMatchObject({ exitCode: 1, stdout: "" });
  expect(lost.stderr).toContain("hint: Workspace has no Nope.");
  const shown = await box.sbAsync(["select", "--json"]);
  expect(JSON.parse(shown.stdout)).toEqual({ selection });
  expect((await box.sbAsync(["select", "--clear"])).stdout).toBe("Nothing is selected.\n");
  expect(await toolAsync("studio_select", {})).toEqual({ selection: [] });
});

test("the camera looks at the middle of what is selected, and nothing is selected that it cannot look at", async () => {
  await box.sbAsync(["select", "Workspace.Room", "--focus"]);
  const look = `
    local camera = workspace.CurrentCamera
    local middle = workspace.Room:GetBoundingBox().Position
    return (camera.Focus.Position - middle).Magnitude < 0.01,
      camera.CFrame.LookVector:Dot((middle - camera.CFrame.Position).Unit) > 0.999,
      (camera.CFrame.Position - middle).Magnitude > workspace.Room:GetExtentsSize().Magnitude / 2`;
  expect((await box.sbAsync(["exec", look])).stdout).toBe("true\ntrue\ntrue\n");
  const nowhere = await box.sbAsync(["select", "Workspace.Folder", "--focus"]);
  expect(nowhere).toMatchObject({ exitCode: 2, stdout: "" });
  expect(nowhere.stderr).toContain("nothing to point the camera at");
  expect((await box.sbAsync(["select"])).stdout).toBe("Workspace.Room\n");
});
