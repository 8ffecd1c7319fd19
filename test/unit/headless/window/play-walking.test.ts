/** Characters that walk, with --walk: on the ground, through the air, into walls, with touches, and who tells whom. */
import { expect, test } from "bun:test";
import { END, linesOf, runPlayAsync, sides } from "./play-window.ts";

const WALKING = { walks: true };

/** A floor at height 0, a spawn at its middle, and a function for more parts. */
const FLOOR = `
local function part(name, position, size, parent)
  local part = Instance.new("Part")
  part.Name, part.Anchored, part.Size, part.Position = name, true, size, position
  part.Parent = parent or workspace
  return part
end
part("Floor", Vector3.new(0, -0.5, 0), Vector3.new(100, 1, 100))
local spawn = Instance.new("SpawnLocation")
spawn.Anchored, spawn.Size, spawn.Position, spawn.Duration = true, Vector3.new(4, 1, 4), Vector3.new(0, -0.5, 0), 0
spawn.Parent = workspace
`;
const WITH_CHARACTER = `
local function withCharacter(run)
  game.Players.PlayerAdded:Connect(function(player)
    player.CharacterAdded:Once(function(character)
      local humanoid, root = character:WaitForChild("Humanoid"), character:WaitForChild("HumanoidRootPart")
      task.wait(0.1)
      run(humanoid, root, character, player)
    end)
  end)
end
local function near(what, one, other, limit)
  if (one - other).Magnitude > limit then print(what, one, "instead of", other) end
end
`.replaceAll("\n", " ");

const walkAsync = (setUp: string, server: string, client = ""): Promise<readonly string[]> =>
  runPlayAsync(
    sides(WITH_CHARACTER + server, client, `${FLOOR} ${setUp} Tests:ExecutePlayModeAsync({})`),
    "",
    undefined,
    WALKING,
  );

test("MoveTo leads to a point at WalkSpeed, and says when it is there", async () => {
  const lines = await walkAsync(
    "",
    `withCharacter(function(humanoid, root)
      near("start", root.Position, Vector3.new(0, 3, 0), 1e-3)
      humanoid:MoveTo(Vector3.new(16, 0, 0))
      repeat task.wait() until root.Position.X > 4
      near("velocity", root.AssemblyLinearVelocity, Vector3.new(16, 0, 0), 0.1)
      near("direction", humanoid.MoveDirection, Vector3.xAxis, 1e-3)
      print(humanoid.MoveToFinished:Wait())
      near("end", root.Position, Vector3.new(16, 3, 0), 0.6)
      near("way", root.CFrame.LookVector, Vector3.xAxis, 1e-3)
      print(humanoid.FloorMaterial.Name, humanoid.MoveDirection, root.AssemblyLinearVelocity)
      ${END}
    end)`,
  );
  expect(lines).toEqual(["[server] true", "[server] Plastic 0, 0, 0 0, 0, 0"]);
});

test("a jump is a parabola, with its states and events on both sides", async () => {
  const lines = await walkAsync(
    "",
    `withCharacter(function(humanoid, root)
      local states = {}
      humanoid.StateChanged:Connect(function(_, new) table.insert(states, new.Name) end)
      local top = 0
      root:GetPropertyChangedSignal("CFrame"):Connect(function() top = math.max(top, root.Position.Y) end)
      humanoid.Jump = true
      task.wait(0.8)
      -- The top lies between two frames, which are long on a busy machine.
      near("top", Vector3.new(top), Vector3.new(3 + 50 ^ 2 / (2 * workspace.Gravity)), 0.5)
      near("end", root.Position, Vector3.new(0, 3, 0), 1e-3)
      print(table.concat(states, " "))
      ${END}
    end)`,
    `local character = game.Players.LocalPlayer.Character or game.Players.LocalPlayer.CharacterAdded:Wait()
    local humanoid = character:WaitForChild("Humanoid")
    humanoid.Jumping:Connect(function(isJumping) print("jumping", isJumping) end)
    humanoid.FreeFalling:Connect(function(isFalling) print("falling", isFalling) end)`,
  );
  expect(linesOf("[server]", lines)).toEqual(["[server] Jumping Freefall Landed Running"]);
  expect(linesOf("[client]", lines)).toEqual([
    "[client] jumping true",
    "[client] jumping false",
    "[client] falling true",
    "[client] falling false",
  ]);
});

test("a wall stops a character, low parts do not, and a goal behind a wall is given up after eight seconds", async () => {
  const lines = await walkAsync(
    `part("Low", Vector3.new(6, 0.5, 0), Vector3.new(4, 1, 20))
    part("Wall", Vector3.new(12, 5, 0), Vector3.new(2, 10, 40))
    part("Ghost", Vector3.new(9.5, 5, 0), Vector3.new(1, 10, 40)).CanCollide = false`,
    `withCharacter(function(humanoid, root)
      local highest, startedAt = 0, time()
      root:GetPropertyChangedSignal("CFrame"):Connect(function() highest = math.max(highest, root.Position.Y) end)
      humanoid:MoveTo(Vector3.new(30, 0, 0))
      task.wait(2)
      near("at the wall", root.Position, Vector3.new(10.5, 3, 0), 0.01)
      near("on the step", Vector3.new(highest), Vector3.new(4), 0.01)
      print(humanoid.MoveToFinished:Wait(), time() - startedAt > 7.9)
      ${END}
    end)`,
  );
  expect(lines).toEqual(["[server] false true"]);
}, 60_000);

test("Touched and TouchEnded tell what a walking character touches, on the server and in its client", async () => {
  const both = `
    local plate = workspace:WaitForChild("Plate")
    plate.Touched:Once(function(other) print("touched by", other.Parent.Name) end)
    plate.TouchEnded:Once(function(other) print("left by", other.Parent.Name) end)`;
  const lines = await walkAsync(
    `local plate = part("Plate", Vector3.new(8, 1, 0), Vector3.new(4, 2, 4)) plate.CanCollide = false
    part("Deaf", Vector3.new(8, 1, 0), Vector3.new(4, 2, 4)).CanCollide = false workspace.Deaf.CanTouch = false`,
    `${both}
    withCharacter(function(humanoid, root)
      local touched = {}
      humanoid.Touched:Connect(function(other) touched[other.Name] = true end)
      humanoid:MoveTo(Vector3.new(16, 0, 0))
      humanoid.MoveToFinished:Wait()
      print(touched.Plate, touched.Floor, touched.Deaf)
      ${END}
    end)`,
    both,
  );
  expect(linesOf("[server]", lines)).toEqual([
    "[server] touched by Player1",
    "[server] left by Player1",
    "[server] true true nil",
  ]);
  expect(linesOf("[client]", lines)).toEqual(["[client] touched by Player1", "[client] left by Player1"]);
});

test("a change of CFrame touches nothing, also where it leads into a part", async () => {
  const lines = await walkAsync(
    `part("Plate", Vector3.new(8, 1, 0), Vector3.new(4, 2, 4)).CanCollide = false`,
    `withCharacter(function(humanoid, root, character)
      workspace.Plate.Touched:Connect(function() print("touched") end)
      character:PivotTo(CFrame.new(8, 3, 0))
      task.wait(0.3)
      print("still")
      ${END}
    end)`,
  );
  expect(lines).toEqual(["[server] still"]);
});

test("the server places a character although its client moves it at the same time, and the client goes on from there", async () => {
  const lines = await walkAsync(
    "",
    `withCharacter(function(humanoid, root, character)
      for round = 1, 20 do
        local at = Vector3.new(round - 10, 3, 20)
        character:PivotTo(CFrame.new(at))
        near("placed", root.Position, at, 1e-3)
        task.wait(0.07)
        if root.Position.X < at.X or math.abs(root.Position.Z - at.Z) > 1e-3 then print("went back", root.Position, at) end
      end
      near("along", character.Head.Position - root.Position, Vector3.new(0, 1.5, 0), 0.1)
      print("over")
      ${END}
    end)`,
    `local character = game.Players.LocalPlayer.Character or game.Players.LocalPlayer.CharacterAdded:Wait()
    local humanoid = character:WaitForChild("Humanoid")
    game:GetService("RunService").Heartbeat:Connect(function() game.Players.LocalPlayer:Move(Vector3.xAxis) end)`,
  );
  expect(lines).toEqual(["[server] over"]);
});

test("nothing but its own character reaches the server from a client", async () => {
  const lines = await walkAsync(
    `part("Box", Vector3.new(0, 1, 20), Vector3.one)`,
    `withCharacter(function(humanoid, root)
      task.wait(0.5)
      print(workspace.Box.Position, root.Transparency, root.Position.X > 3)
      ${END}
    end)`,
    `local character = game.Players.LocalPlayer.Character or game.Players.LocalPlayer.CharacterAdded:Wait()
    local humanoid = character:WaitForChild("Humanoid")
    workspace.Box.Position = Vector3.zero
    character:WaitForChild("HumanoidRootPart").Transparency = 0.5
    humanoid:Move(Vector3.new(5, 0, 0))`,
  );
  expect(lines).toEqual(["[server] 0, 1, 20 1 true"]);
});

test("a character of the server walks there, and clients see it and its touches", async () => {
  const lines = await walkAsync(
    `part("Plate", Vector3.new(28, 1, 0), Vector3.new(4, 2, 4)).CanCollide = false
    local model = Instance.new("Model", workspace) model.Name = "Guard"
    local root = part("HumanoidRootPart", Vector3.new(20, 3, 0), Vector3.new(2, 2, 1), model) root.Anchored = false
    local humanoid = Instance.new("Humanoid", model) humanoid.RigType, humanoid.HipHeight = "R15", 2
    humanoid.RequiresNeck = false`,
    `withCharacter(function()
      local guard = workspace.Guard.Humanoid
      guard:MoveTo(workspace.Guard.HumanoidRootPart.Position + Vector3.new(16, 0, 0))
      print(guard.MoveToFinished:Wait())
      task.wait(0.1)
      ${END}
    end)`,
    `workspace:WaitForChild("Plate").Touched:Once(function(other) print(other:GetFullName()) end)
    local guard = workspace:WaitForChild("Guard"):WaitForChild("Humanoid")
    guard.MoveToFinished:Connect(function(hasArrived)
      print(hasArrived, workspace.Guard.HumanoidRootPart.Position.X > 35)
    end)`,
  );
  expect(linesOf("[server]", lines)).toEqual(["[server] true"]);
  expect(linesOf("[client]", lines)).toEqual([
    "[client] Workspace.Guard.HumanoidRootPart",
    "[client] true true",
  ]);
});

test("a goal moves with its part, and WalkToPoint, Jump and states are orders too", async () => {
  const lines = await walkAsync(
    `part("Goal", Vector3.new(0, 0.5, 12), Vector3.one).CanCollide = false`,
    `withCharacter(function(humanoid, root)
      humanoid:MoveTo(Vector3.new(0, 0, 4), workspace.Goal)
      task.wait(0.1)
      workspace.Goal.Position = Vector3.new(8, 0.5, 0)
      print(humanoid.MoveToFinished:Wait())
      near("goal", root.Position, Vector3.new(8, 3, 4), 0.6)
      humanoid.WalkToPart = nil
      humanoid.WalkToPoint = Vector3.new(0, 0, 0)
      print(humanoid.MoveToFinished:Wait())
      near("point", root.Position, Vector3.new(0, 3, 0), 0.6)
      humanoid:ChangeState(Enum.HumanoidStateType.Jumping)
      repeat local _, new = humanoid.StateChanged:Wait() until new == Enum.HumanoidStateType.Landed
      humanoid:SetStateEnabled(Enum.HumanoidStateType.Jumping, false)
      humanoid.Jump = true
      task.wait(0.2)
      print(humanoid:GetState().Name, pcall(humanoid.ChangeState, humanoid, Enum.HumanoidStateType.Climbing))
      ${END}
    end)`,
  );
  expect(lines).toEqual([
    "[server] true",
    "[server] true",
    "[server] Running false Humanoid:ChangeState() to Climbing is not available in headless Studio (needs Roblox Studio)",
  ]);
});

test("another client sees a player's character walk and touch", async () => {
  const lines = await runPlayAsync(
    sides(
      `game.Players.PlayerAdded:Connect(function(player)
        if #game.Players:GetPlayers() < 2 then return end
        local first = game.Players:GetPlayers()[1]
        local humanoid = first.Character:WaitForChild("Humanoid")
        task.wait(0.3)
        humanoid:MoveTo(Vector3.new(12, 0, 0))
        humanoid.MoveToFinished:Wait()
        task.wait(0.3)
        ${END}
      end)`,
      `local first = game.Players:WaitForChild("Player1")
      local character = first.Character or first.CharacterAdded:Wait()
      workspace:WaitForChild("Plate").Touched:Once(function(other) print(game.Players.LocalPlayer.Name, other.Parent.Name) end)
      local humanoid = character:WaitForChild("Humanoid")
      humanoid.MoveToFinished:Connect(function(hasArrived)
        print(game.Players.LocalPlayer.Name, hasArrived, character.HumanoidRootPart.Position.X > 11)
      end)`,
      `${FLOOR} part("Plate", Vector3.new(8, 1, 0), Vector3.new(4, 2, 4)).CanCollide = false
      Tests:ExecuteMultiplayerTestAsync(2, {})`,
    ),
    "",
    undefined,
    WALKING,
  );
  expect(lines.map((line) => line.replace(/^\[[^\]]*\] /, "")).sort()).toEqual([
    "Player1 Player1",
    "Player1 true true",
    "Player2 Player1",
    "Player2 true true",
  ]);
});

test("who walks off the floor falls, and dies below FallenPartsDestroyHeight", async () => {
  const lines = await walkAsync(
    `workspace.FallenPartsDestroyHeight = -60`,
    `withCharacter(function(humanoid, root)
      humanoid.StateChanged:Connect(function(_, new) print(new.Name) end)
      humanoid.Died:Once(function() print("died") ${END} end)
      root.Parent:PivotTo(CFrame.new(48, 3, 0))
      task.wait(0.1)
      humanoid:Move(Vector3.xAxis)
    end)`,
  );
  expect(lines).toEqual(["[server] Freefall", "[server] Dead", "[server] died"]);
});

test("without a floor below it a character stays, and it is told once", async () => {
  const lines = await runPlayAsync(
    sides(
      `${WITH_CHARACTER} withCharacter(function(humanoid, root)
        local before = root.Position
        humanoid:MoveTo(Vector3.new(10, 0, 0))
        task.wait(0.5)
        print(root.Position == before)
        ${END}
      end)`,
      "",
    ),
    "",
    undefined,
    WALKING,
  );
  expect(lines).toEqual([
    "[client] --walk: there is no floor below Workspace.Player1, so that it stays where it is",
    "[server] true",
  ]);
});

test("what is not modelled stops a character, and is told once with its path", async () => {
  const lines = await walkAsync(
    `local ramp = Instance.new("WedgePart") ramp.Name = "Ramp" ramp.Anchored = true
    ramp.Size, ramp.CFrame = Vector3.new(10, 4, 8), CFrame.new(8, 2, 0) * CFrame.Angles(0, math.pi / 2, 0) ramp.Parent = workspace
    local box = part("Box", Vector3.new(0, 5, 12), Vector3.new(40, 10, 2)) box.Anchored = false`,
    `withCharacter(function(humanoid, root)
      humanoid:MoveTo(Vector3.new(8, 0, 0))
      task.wait(0.6)
      print(root.Position.X < 5)
      humanoid:MoveTo(Vector3.new(0, 0, 20))
      task.wait(1.2)
      near("at the box", root.Position, Vector3.new(root.Position.X, 3, 10.3), 0.4)
      ${END}
    end)`,
  );
  expect(linesOf("[server]", lines)).toEqual(["[server] true"]);
  expect(linesOf("[client]", lines)).toEqual([
    "[client] --walk: Workspace.Ramp is a slope, which is not modelled; Workspace.Player1 stops there",
    "[client] --walk: Workspace.Box is not anchored, which is not modelled; Workspace.Player1 stops there",
  ]);
});

const SEATED = `
local seat = Instance.new("Seat")
seat.Anchored, seat.Size, seat.Position = true, Vector3.new(4, 3, 20), Vector3.new(8, 1.5, 0)
seat.Parent = workspace
local off = seat:Clone() off.Name, off.Disabled, off.Position = "Off", true, Vector3.new(-8, 1.5, 0) off.Parent = workspace
`;

test("a character that walks against a seat sits down, gets up with a jump, and sits there again after three seconds", async () => {
  const lines = await walkAsync(
    SEATED,
    `withCharacter(function(humanoid, root)
      local seat = workspace.Seat
      local function sitsSoon(limit)
        local start = time()
        humanoid:MoveTo(seat.Position)
        repeat task.wait() until humanoid.SeatPart or time() - start > limit
        humanoid:Move(Vector3.zero)
        return humanoid.SeatPart
      end
      print(sitsSoon(3), seat.Occupant, humanoid.Sit, root.Position.Y > 4)
      workspace:SetAttribute("Jump", true)
      repeat task.wait() until not humanoid.SeatPart
      print(humanoid.Sit, seat.Occupant)
      root.CFrame = CFrame.new(0, 3, 0)
      print(sitsSoon(1.5))
      root.CFrame = CFrame.new(0, 3, 0)
      task.wait(2)
      print(sitsSoon(3))
      humanoid.Sit = false
      humanoid:SetStateEnabled(Enum.HumanoidStateType.Seated, false)
      root.CFrame = CFrame.new(0, 3, 0)
      task.wait(3.2)
      print(sitsSoon(2))
      humanoid:SetStateEnabled(Enum.HumanoidStateType.Seated, true)
      root.CFrame = CFrame.new(0, 3, 0)
      humanoid:MoveTo(workspace.Off.Position)
      task.wait(2)
      print(workspace.Off.Occupant, humanoid.Sit, seat.Position)
      ${END}
    end)`,
    `workspace:GetAttributeChangedSignal("Jump"):Wait()
    repeat task.wait() until game.Players.LocalPlayer.Character.Humanoid.Sit
    game.Players.LocalPlayer.Character.Humanoid.Jump = true`,
  );
  expect(lines).toEqual([
    "[server] Seat Humanoid true true",
    "[server] false nil",
    "[server] nil",
    "[server] Seat",
    "[server] nil",
    "[server] nil false 8, 1.5, 0",
  ]);
});
