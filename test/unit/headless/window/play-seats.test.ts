/** Characters that sit, and tools that a hand holds: by welds, on the server and on its clients. */
import { expect, test } from "bun:test";
import { END, linesOf, playAsync } from "./play-window.ts";

const WITH_CHARACTER = (body: string): string => `
  game.Players.PlayerAdded:Connect(function(player)
    player.CharacterAdded:Wait()
    task.wait()
    local character = player.Character
    local humanoid, root = character.Humanoid, character.HumanoidRootPart
    ${body}
    ${END}
  end)`;

const SEAT = (className: string): string => `
  local seat = Instance.new("${className}") seat.Anchored = true seat.Size = Vector3.new(4, 1, 4)
  seat.CFrame = CFrame.Angles(0, 1, 0) + Vector3.new(50, 5, 0) seat.Parent = workspace`;

for (const className of ["Seat", "VehicleSeat"])
  test(`a character sits on a ${className} two studs above it, until its weld goes`, async () => {
    const lines = await playAsync(
      SEAT(className),
      WITH_CHARACTER(`
        local seat = workspace.${className}
        humanoid.Seated:Connect(function(...) print("seated", ...) end)
        humanoid.StateChanged:Connect(function(old, new) print(old.Name, new.Name) end)
        seat:GetPropertyChangedSignal("Occupant"):Connect(function() print("occupant", seat.Occupant) end)
        seat:Sit(humanoid)
        task.wait()
        local weld = seat.SeatWeld
        print(weld.ClassName, weld.Part0, weld.Part1, humanoid.Sit, humanoid.SeatPart, humanoid:GetState().Name)
        print(seat.CFrame:PointToObjectSpace(root.Position), root.AssemblyRootPart, character.Head.AssemblyRootPart)
        seat.CFrame += Vector3.new(0, 10, 0)
        print(root.Position.Y)
        seat:Sit(humanoid)
        weld:Destroy()
        task.wait()
        print(humanoid.Sit, humanoid.SeatPart, seat.Occupant, humanoid:GetState().Name)
        seat:Sit(humanoid)
        task.wait()
        humanoid.Jump = true
        task.wait()
        print(seat:FindFirstChild("SeatWeld"), humanoid.SeatPart)
        seat:Sit(humanoid)
        humanoid.Health = 0
        task.wait()
        print(seat.Occupant, humanoid.Sit)`),
    );
    const told = lines.map((line) => line.slice("[server] ".length));
    expect(told.filter((line) => !/^(seated|occupant|Running|Seated)/.test(line))).toEqual([
      `Weld ${className} HumanoidRootPart true ${className} Seated`,
      `0, 2.5, 0 ${className} ${className}`,
      "17.5",
      "false nil nil Running",
      "nil nil",
      "nil false",
    ]);
    expect(told.filter((line) => line.startsWith("seated"))).toEqual([
      `seated true ${className}`,
      "seated false nil",
      `seated true ${className}`,
      "seated false nil",
      `seated true ${className}`,
      "seated false nil",
    ]);
    expect(told.filter((line) => line.startsWith("occupant")).slice(0, 2)).toEqual([
      "occupant Humanoid",
      "occupant nil",
    ]);
  });

test("a client sees who sits, and cannot seat anybody", async () => {
  const lines = await playAsync(
    `${SEAT("Seat")} Instance.new("RemoteEvent", game.ReplicatedStorage)`,
    `game.ReplicatedStorage.RemoteEvent.OnServerEvent:Connect(function(player, what)
      if what == "sit" then
        workspace.Seat:Sit(player.Character.Humanoid)
      elseif what == "up" then
        workspace.Seat.SeatWeld:Destroy()
      else
        ${END}
      end
    end)`,
    `local remote = game.ReplicatedStorage:WaitForChild("RemoteEvent")
    local player = game.Players.LocalPlayer
    local character = player.Character or player.CharacterAdded:Wait()
    local humanoid = character:WaitForChild("Humanoid")
    print(pcall(function() workspace.Seat:Sit(humanoid) end))
    remote:FireServer("sit")
    print(humanoid.Seated:Wait())
    print(workspace.Seat.Occupant, humanoid.SeatPart, workspace.Seat.CFrame:PointToObjectSpace(character.HumanoidRootPart.Position))
    remote:FireServer("up")
    print(humanoid.Seated:Wait())
    print(workspace.Seat.Occupant, humanoid.SeatPart)
    remote:FireServer("end")`,
  );
  expect(linesOf("[client]", lines)).toEqual([
    "[client] false Seat:Sit() in a client is not available in headless Studio (needs Roblox Studio)",
    "[client] true Seat",
    "[client] Humanoid Seat 0, 2.5, 0",
    "[client] false nil",
    "[client] nil nil",
  ]);
});

test("the right hand holds the handle of a tool, as its Grip says, until the tool is put away", async () => {
  const lines = await playAsync(
    `local tool = Instance.new("Tool") tool.Grip = CFrame.new(0, 0, 1)
     local handle = Instance.new("Part") handle.Name = "Handle" handle.Size = Vector3.one handle.Parent = tool
     tool.Parent = game.StarterPack`,
    WITH_CHARACTER(`
      local tool = player.Backpack.Tool
      local handle = tool.Handle
      tool.Equipped:Connect(function() print("equipped", character.RightHand:FindFirstChild("RightGrip")) end)
      humanoid:EquipTool(tool)
      task.wait()
      local grip = character.RightHand.RightGrip
      print(grip.ClassName, grip.Part0, grip.Part1, grip.C1 == tool.Grip, handle.AssemblyRootPart)
      print((handle.CFrame * grip.C1):FuzzyEq(character.RightHand.CFrame * grip.C0, 1e-4))
      tool.Grip = CFrame.new(0, 3, 0)
      print(grip.C1 == tool.Grip, (handle.CFrame * grip.C1):FuzzyEq(character.RightHand.CFrame * grip.C0, 1e-4))
      root.CFrame += Vector3.new(0, 100, 0)
      print((handle.Position - character.RightHand.Position).Magnitude < 4)
      humanoid:UnequipTools()
      task.wait()
      print(character.RightHand:FindFirstChild("RightGrip"), handle.AssemblyRootPart)`),
  );
  expect(lines).toEqual(
    [
      "equipped RightGrip",
      "Weld RightHand Handle true HumanoidRootPart",
      "true",
      "true true",
      "true",
      "nil nil",
    ].map((line) => `[server] ${line}`),
  );
});
