/** Joints of a place that is opened, in a test and on its clients: no CFrame changes on the way, and a Transform is applied in a step. */
import { expect, test } from "bun:test";
import { END, linesOf, placeOfAsync, playAsync, runPlayAsync } from "./play-window.ts";

const frameXml = (name: string, position: readonly number[]): string =>
  `<CoordinateFrame name="${name}">${["X", "Y", "Z"].map((axis, index) => `<${axis}>${position[index]}</${axis}>`).join("")}
   <R00>1</R00><R01>0</R01><R02>0</R02><R10>0</R10><R11>1</R11><R12>0</R12><R20>0</R20><R21>0</R21><R22>1</R22></CoordinateFrame>`;

const partXml = (name: string, position: readonly number[], content = ""): string =>
  `<Item class="Part" referent="${name}"><Properties><string name="Name">${name}</string>${frameXml("CFrame", position)}</Properties>${content}</Item>`;

/** The weld wants its second part one stud above the first, where it is not. */
const place = (): Promise<Uint8Array> =>
  placeOfAsync(`<Item class="Workspace" referent="W"><Properties><string name="Name">Workspace</string></Properties>
    ${partXml(
      "Base",
      [0, 10, 0],
      `<Item class="Motor6D" referent="M"><Properties><string name="Name">Motor</string>${frameXml("C0", [0, 1, 0])}
         <Ref name="Part0">Base</Ref><Ref name="Part1">Arm</Ref></Properties></Item>
       <Item class="WeldConstraint" referent="C"><Properties><string name="Name">Held</string>
         <Ref name="Part0Internal">Base</Ref><Ref name="Part1Internal">Hat</Ref></Properties></Item>`,
    )}
    ${partXml("Arm", [5, 20, 5])} ${partXml("Hat", [0, 12, 0])}</Item>
    <Item class="ServerStorage" referent="S"><Properties><string name="Name">ServerStorage</string></Properties>
    ${partXml(
      "Kept",
      [9, 9, 9],
      `<Item class="Weld" referent="K"><Properties><string name="Name">Weld</string>${frameXml("C0", [0, 4, 0])}
         <Ref name="Part0">Base</Ref><Ref name="Part1">Kept</Ref></Properties></Item>`,
    )}</Item>`);

const SHOW = `for _, name in { "Base", "Arm", "Hat" } do print(name, workspace[name].CFrame.Position) end
  print(workspace.Base.Motor.Active, workspace.Base.Held.Active)`;

const STORED = ["Base 0, 10, 0", "Arm 5, 20, 5", "Hat 0, 12, 0", "true true"];

test("a place is opened as it was saved, and its joints act from then on", async () => {
  const lines = await runPlayAsync(
    `${SHOW} workspace.Hat.CFrame += Vector3.new(1, 0, 0) ${SHOW}
     workspace.Base.Motor.C0 = CFrame.new(0, 2, 0) print(workspace.Arm.CFrame.Position)`,
    "",
    await place(),
  );
  expect(lines).toEqual([
    ...STORED,
    "Base 1, 10, 0",
    "Arm 6, 20, 5",
    "Hat 1, 12, 0",
    "true true",
    "1, 12, 0",
  ]);
});

/** What may come first in an opened place, whose joints nothing has asked about. */
const FIRST_ACTS = [
  `workspace.Hat.CFrame += Vector3.new(1, 0, 0)`,
  `workspace.Arm.Anchored = true workspace.Base.Anchored = true workspace.Base.CFrame += Vector3.new(1, 0, 0)`,
  `workspace.Base.Motor.Enabled = false workspace.Base.Motor.Enabled = true`,
  `workspace.Base.Motor.Part1 = workspace.Hat`,
  `workspace.Base.Motor.C1 = CFrame.new(0, 5, 0)`,
  `workspace.Arm.Position = Vector3.new(1, 2, 3) workspace.Base.CFrame += Vector3.new(1, 0, 0)`,
  `local arm = workspace.Arm arm.Parent = game.ServerStorage workspace.Base.CFrame += Vector3.new(1, 0, 0) arm.Parent = workspace`,
  `local motor = workspace.Base.Motor motor.Parent = game.ServerStorage workspace.Base.CFrame += Vector3.new(1, 0, 0) motor.Parent = workspace.Base`,
  `game.ServerStorage.Kept.Parent = workspace`,
  `local copy = workspace.Arm:Clone() copy.Name = "Copy" local weld = Instance.new("Weld") weld.Part0 = workspace.Hat weld.Part1 = copy copy.Parent = workspace weld.Parent = copy print(copy.CFrame.Position)`,
];

test("joints of an opened place act the same whether or not anything asked about them before", async () => {
  const opened = await place();
  for (const act of FIRST_ACTS) {
    const run = (before: string): Promise<readonly string[]> =>
      runPlayAsync(
        `print(pcall(function() ${before} ${act} ${SHOW} for _, each in workspace:QueryDescendants("Part") do print(each.CFrame) end end))`,
        "",
        opened,
      );
    const asked = await run("local _ = workspace.Base.AssemblyRootPart");
    expect({ act, end: asked.at(-1) }).toEqual({ act, end: "true" });
    expect({ act, lines: await run("") }).toEqual({ act, lines: asked });
  }
});

test("what a server moves arrives on its clients as it is, part by part, with the joints", async () => {
  const lines = await playAsync(
    `Instance.new("RemoteEvent", game.ReplicatedStorage) game.Players.CharacterAutoLoads = false`,
    `local remote = game.ReplicatedStorage.RemoteEvent
    remote.OnServerEvent:Wait()
    workspace.Hat.CFrame += Vector3.new(0, 0, 30)
    workspace.Arm.Position = Vector3.new(9, 9, 9)
    local late = Instance.new("Part") late.Name = "Late" late.Anchored = true late.Position = Vector3.new(0, 50, 0)
    local weld = Instance.new("Weld") weld.Part0 = late weld.Part1 = workspace.Base weld.C0 = CFrame.new(0, 3, 0) weld.Parent = late
    late.Parent = workspace
    ${SHOW}
    remote:FireAllClients()
    remote.OnServerEvent:Wait()
    ${END}`,
    `local remote = game.ReplicatedStorage:WaitForChild("RemoteEvent")
    ${SHOW}
    remote:FireServer()
    remote.OnClientEvent:Wait()
    ${SHOW}
    print(workspace.Base:IsGrounded(), workspace.Late.Weld.Active)
    workspace.Late.CFrame += Vector3.new(0, 1, 0)
    print(workspace.Hat.CFrame.Position)
    remote:FireServer()`,
    await place(),
  );
  const server = linesOf("[server]", lines).map((line) => line.slice("[server] ".length));
  const client = linesOf("[client]", lines).map((line) => line.slice("[client] ".length));
  expect(server).toEqual(["Base 0, 53, 0", "Arm 9, 52, -21", "Hat 0, 55, 0", "true true"]);
  expect(client).toEqual([...STORED, ...server, "true true", "0, 56, 0"]);
});

test("a Transform takes effect in the step after PreSimulation, and not in the edited place", async () => {
  const lines = await playAsync(
    `workspace.Base.Motor.Transform = CFrame.new(0, 0, 100) task.wait() print(workspace.Arm.CFrame.Position)`,
    `workspace.Base.Motor.C0 = CFrame.identity
    local Run = game:GetService("RunService")
    Run.PreSimulation:Wait()
    workspace.Base.Motor.Transform = CFrame.new(0, 7, 0)
    print(workspace.Arm.CFrame.Position)
    Run.PostSimulation:Wait()
    print(workspace.Arm.CFrame.Position, workspace.Base.CFrame.Position)
    ${END}`,
    "",
    await place(),
  );
  expect(lines).toEqual(["5, 20, 5", "[server] 0, 10, 0", "[server] 0, 17, 0 0, 10, 0"]);
});

test("a character goes where any of its parts is put, and its joints follow C0", async () => {
  const lines = await playAsync(
    "",
    `game.Players.PlayerAdded:Connect(function(player)
      player.CharacterAdded:Wait()
      task.wait()
      local character = player.Character
      local neck = character.Head.Neck
      local offset = character.HumanoidRootPart.CFrame:ToObjectSpace(character.Head.CFrame)
      character.Head.CFrame *= CFrame.Angles(0, 1, 0) + Vector3.new(20, 0, 0)
      print(character.Head.AssemblyRootPart, character.HumanoidRootPart.CFrame:ToObjectSpace(character.Head.CFrame):FuzzyEq(offset, 1e-4))
      local root = character.HumanoidRootPart.CFrame
      neck.C0 *= CFrame.new(0, 1, 0)
      print(character.HumanoidRootPart.CFrame == root, math.round((character.Head.Position - character.UpperTorso.Position).Magnitude * 1000))
      ${END}
    end)`,
  );
  expect(lines).toEqual(["[server] HumanoidRootPart true", "[server] true 2300"]);
});
