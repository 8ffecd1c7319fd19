/** What the flags about the world of a headless Studio do: queries that take the box of a mesh for its shape, and characters that walk. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

const QUERY = `
local function hits(className: string, at: number): boolean
	local part = Instance.new(className) :: any
	part.Anchored, part.Size, part.Position, part.Parent = true, Vector3.one * 2, Vector3.new(at, 0, 0), workspace
	return workspace:Raycast(Vector3.new(at, 10, 0), Vector3.new(0, -20, 0)) ~= nil
end
`;
const TWO_MESHES = `${QUERY} print(hits("MeshPart", 0), hits("MeshPart", 10), hits("TrussPart", 20), hits("Part", 30))`;
const LINE = "shapes taken for simpler ones: MeshPart ×2, TrussPart ×1\n";

test("exec counts them by class, for people and for programs; the same part counts once", async () => {
  const shown = await box.sbAsync(["exec", "--headless", TWO_MESHES]);
  expect(shown).toMatchObject({ exitCode: 0, stdout: "true true true true\n", stderr: LINE });
  const again = `${TWO_MESHES} workspace:Raycast(Vector3.new(0, 10, 0), Vector3.new(0, -20, 0))`;
  const { stdout } = await box.sbAsync(["exec", "--headless", "--json", again]);
  expect(JSON.parse(stdout)).toMatchObject({
    approximated: [
      { class: "MeshPart", count: 2 },
      { class: "TrussPart", count: 1 },
    ],
  });
  expect(await box.sbAsync(["exec", "--headless", "-q", TWO_MESHES])).toMatchObject({ stderr: "" });
});

test("exact shapes and meshes that no query meets are not counted", async () => {
  const script = `${QUERY} hits("Part", 0) Instance.new("MeshPart", workspace).Position = Vector3.new(0, 0, 50)`;
  expect(await box.sbAsync(["exec", "--headless", script])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("with --strict-geometry such a query fails, and names the part", async () => {
  const strict = ["exec", "--headless", "--strict-geometry", "--json"];
  const { exitCode, stdout } = await box.sbAsync([...strict, TWO_MESHES]);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).error).toContain(
    "Workspace.MeshPart, a MeshPart (--strict-geometry refuses its box) is not available in headless Studio",
  );
  expect(JSON.parse(stdout)).not.toHaveProperty("approximated");
  expect(await box.sbAsync([...strict, `${QUERY} return hits("Part", 0)`])).toMatchObject({ exitCode: 0 });
});

test("--strict-geometry is for headless Studio", async () => {
  const { exitCode, stderr } = await box.sbAsync(["exec", "--strict-geometry", "return 1"]);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("Cannot use --strict-geometry without --headless.");
});

test("sb test counts over all files, and refuses with --strict-geometry", async () => {
  const spec = `return function() describe("a ray", function() it("hits", function() ${TWO_MESHES} end) end) end`;
  for (const name of ["one", "two"]) await box.writeAsync(`tests/${name}.spec.luau`, spec);
  const tree = { $className: "DataModel", ReplicatedStorage: { $path: "tests" } };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Project", tree }));
  expect(await box.sbAsync(["test"])).toMatchObject({
    exitCode: 0,
    stderr: "shapes taken for simpler ones: MeshPart ×4, TrussPart ×2\n",
  });
  const strict = await box.sbAsync(["test", "--strict-geometry"]);
  expect(strict.exitCode).toBe(1);
  expect(strict.stdout).toContain("--strict-geometry refuses its box");
  expect(strict.stdout).toContain("sb test --failed --strict-geometry");
});

const WALK = `
local player = game.Players:GetPlayers()[1] or game.Players.PlayerAdded:Wait()
local character = player.Character or player.CharacterAdded:Wait()
local humanoid = character:WaitForChild("Humanoid")
task.wait()
humanoid:MoveTo(Vector3.new(5, 0, 0))
print(humanoid.MoveToFinished:Wait())`;
const GROUND = `local part = Instance.new("Part") part.Anchored, part.Size = true, Vector3.new(50, 1, 50)
part.Position, part.Parent = Vector3.new(0, 99, 0), workspace`;
const onServer = ["--headless", "--place", "walk.project.json", "--context", "server"];

async function writeWalkAsync(): Promise<void> {
  const tree = { $className: "DataModel", ServerScriptService: { Ground: { $path: "ground.server.luau" } } };
  await box.writeAsync("walk.project.json", JSON.stringify({ name: "Walk", tree }));
  await box.writeAsync("ground.server.luau", `${GROUND} part.Touched:Connect(print)`);
}

test("--walk lets characters walk; without it the refusal names the flag, and so does the remark on Touched", async () => {
  await writeWalkAsync();
  const still = await box.sbAsync(["exec", ...onServer, WALK]);
  expect(still.exitCode).toBe(1);
  expect(still.stderr).toContain(
    "Humanoid:MoveTo() (--walk lets characters move) is not available in headless Studio",
  );
  expect(still.stderr).toContain("never fires here: BasePart.Touched ×1 — --walk");
  const walking = await box.sbAsync(["exec", "--quiet", "--walk", ...onServer, WALK]);
  expect(walking).toMatchObject({ exitCode: 0, stdout: "true\n" });
  expect(walking.stderr).not.toContain("never fires");
  const { stderr } = await box.sbAsync(["exec", "--walk", "return 1"]);
  expect(stderr).toContain("Cannot use --walk without --headless.");
});

test("the setting walk is taken unless --no-walk is given, and a test file chooses for itself", async () => {
  await writeWalkAsync();
  await box.writeAsync(
    "sb.config.json",
    JSON.stringify({ walk: true, test: { place: "walk.project.json", include: ["walks/*.luau"] } }),
  );
  expect(await box.sbAsync(["exec", ...onServer, WALK])).toMatchObject({ exitCode: 0, stdout: "true\n" });
  expect((await box.sbAsync(["exec", "--no-walk", ...onServer, WALK])).exitCode).toBe(1);
  const specOf = (line: string, body: string): string => `${line}\nreturn { walks = function() ${body} end }`;
  const REFUSED = `local ok, problem = pcall(Instance.new("Humanoid").Move, Instance.new("Humanoid"), Vector3.one)
assert(not ok and string.find(problem, "--walk", 1, true), problem)`;
  await box.writeAsync("walks/one.luau", specOf("--@sb context=server", WALK));
  await box.writeAsync("walks/two.luau", specOf("--@sb context=server walk=false", REFUSED));
  expect(await box.sbAsync(["test", "-q"])).toMatchObject({ exitCode: 0 });
  const off = await box.sbAsync(["test", "-q", "--no-walk"]);
  expect(off.exitCode).toBe(1);
  expect(off.stdout).toContain("--no-walk");
});

test("terrain of a place file refuses queries unless it is empty or left out", async () => {
  const placeAsync = (voxels: string) =>
    box.writeAsync(
      "terrain.rbxlx",
      `<roblox version="4"><Item class="Workspace"><Properties><string name="Name">Workspace</string></Properties>
        <Item class="Terrain"><Properties><string name="Name">Terrain</string>
        <BinaryString name="SmoothGrid">${voxels}</BinaryString></Properties></Item></Item></roblox>`,
    );
  const query = `local params = RaycastParams.new() params.FilterDescendantsInstances = { ... }
    return workspace:Raycast(Vector3.zero, Vector3.one, params)`;
  const queryAsync = (filter: string) =>
    box.sbAsync(["exec", "--headless", "--place", "terrain.rbxlx", query.replace("...", filter)]);
  for (const empty of ["", "AQU="]) {
    await placeAsync(empty);
    expect(await queryAsync("")).toMatchObject({ exitCode: 0, stdout: "nil\n" });
  }
  await placeAsync("AQUAAAAAAQ==");
  const refused = await queryAsync("");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("A query of the voxels of Workspace.Terrain");
  expect(await queryAsync("workspace.Terrain")).toMatchObject({ exitCode: 0, stdout: "nil\n" });
});
