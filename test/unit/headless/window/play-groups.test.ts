/** Collision groups of place files, and explosions of clients. */
import { expect, test } from "bun:test";
import { END, linesOf, placeOfAsync, playAsync, runPlayAsync } from "./play-window.ts";

const workspaceXml = (properties: string): string =>
  `<Item class="Workspace" referent="W"><Properties><string name="Name">Workspace</string>${properties}</Properties></Item>`;

/** Groups as the bytes of a file: each collides with those whose bits its mask has. */
function groupData(groups: readonly (readonly [id: number, mask: number, name: string])[]): string {
  const bytes = groups.flatMap(([id, mask, name]) => [
    id,
    4,
    ...[0, 8, 16, 24].map((shift) => (mask >>> shift) & 255),
    name.length,
    ...Buffer.from(name),
  ]);
  return Buffer.from([1, groups.length, ...bytes]).toString("base64");
}

const SHOW = `local Physics = game:GetService("PhysicsService")
  for _, group in Physics:GetRegisteredCollisionGroups() do print(group.name, group.mask) end
  print(Physics:CollisionGroupsAreCollidable("Doors", "Players"), Physics:CollisionGroupsAreCollidable("Doors", "Default"))`;

const GROUPS = ["Default 4294967295", "Doors 4294967291", "Players 4294967293", "false true"];

test("the groups of a place file are registered, on the server of a test too", async () => {
  expect(groupData([[0, 0xffffffff, "Default"]])).toBe("AQEABP////8HRGVmYXVsdA==");
  const data = groupData([
    [0, 0xffffffff, "Default"],
    [1, 0xfffffffb, "Doors"],
    [2, 0xfffffffd, "Players"],
  ]);
  const place = await placeOfAsync(
    workspaceXml(`<BinaryString name="CollisionGroupData">${data}</BinaryString>`),
  );
  expect(await runPlayAsync(SHOW, "", place)).toEqual(GROUPS);
  const lines = await playAsync("", `${SHOW} ${END}`, "", place);
  expect(linesOf("[server]", lines)).toEqual(GROUPS.map((line) => `[server] ${line}`));
});

test("the groups of older places are registered, too", async () => {
  const place = await placeOfAsync(
    workspaceXml(`<string name="CollisionGroups">Default^0^-1\\Doors^1^-5\\Players^2^-3</string>`),
  );
  expect(await runPlayAsync(SHOW, "", place)).toEqual(GROUPS);
});

test("groups that cannot be read are told, and the place is opened", async () => {
  const place = await placeOfAsync(
    workspaceXml(`<BinaryString name="CollisionGroupData">CQkJ</BinaryString>`),
  );
  expect(await runPlayAsync(`print("opened")`, "", place)).toEqual([
    "The place has collision groups that headless Studio cannot read; only Default is registered.",
    "opened",
  ]);
});

test("an explosion that a client makes goes off there alone, and one of the server goes off once", async () => {
  const explode = (name: string): string => `
    local explosion = Instance.new("Explosion") explosion.Name = "${name}"
    explosion.Position = Vector3.new(0, 5, 0)
    explosion.Hit:Connect(function(part) print("${name}", part) end)
    explosion.Parent = workspace`;
  const lines = await playAsync(
    `local part = Instance.new("Part") part.Name = "Box" part.Anchored = true part.Position = Vector3.new(0, 5, 0) part.Parent = workspace
     local weld = Instance.new("WeldConstraint") weld.Part0 = part weld.Part1 = part weld.Parent = part
     game.Players.CharacterAutoLoads = false
     Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait()
     print(workspace.Box:FindFirstChild("WeldConstraint"))
     ${explode("ofServer")}
     task.wait(0.1)
     print(workspace.Box:FindFirstChild("WeldConstraint"))
     game.ReplicatedStorage.RemoteEvent:FireAllClients()
     game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait()
     ${END}`,
    `local remote = game.ReplicatedStorage:WaitForChild("RemoteEvent")
     workspace.ChildAdded:Connect(function(child)
       if child.Name == "ofServer" then child.Hit:Connect(function() print("hit again") end) end
     end)
     ${explode("ofClient")}
     task.wait(0.1)
     print(workspace.Box:FindFirstChild("WeldConstraint"))
     remote:FireServer()
     remote.OnClientEvent:Wait()
     remote:FireServer()`,
  );
  expect(linesOf("[client]", lines)).toEqual(["[client] ofClient Box", "[client] nil"]);
  expect(linesOf("[server]", lines)).toEqual([
    "[server] WeldConstraint",
    "[server] ofServer Box",
    "[server] nil",
  ]);
});
