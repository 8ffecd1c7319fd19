/** Pictures of the menu of examples/ in headless Studio, through the compiled binary: drawn, compared, and refused. */
import { beforeAll, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodePng, type Picture } from "../../src/util/png.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });
const MENU = join(import.meta.dir, "../../examples/menu.luau");
const shotAsync = (...words: readonly string[]) => box.sbAsync(["screenshot", ...words]);

async function pictureAsync(name: string): Promise<Picture> {
  const picture = decodePng(await readFile(join(box.folder, name)));
  if (picture === undefined) throw new Error(`${name} is no PNG`);
  return picture;
}

const pixel = ({ width, pixels }: Picture, x: number, y: number): number[] => [
  ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];

beforeAll(async () => {
  expect((await box.sbAsync(["run", MENU])).exitCode).toBe(0);
}, 120_000);

test("the viewport has the world and the menu over it, the interface alone a transparent ground", async () => {
  expect(await shotAsync("-o", "all.png")).toMatchObject({ exitCode: 0 });
  const all = await pictureAsync("all.png");
  expect([all.width, all.height]).toEqual([1280, 720]);
  expect(pixel(all, 640, 20)).toEqual([158, 196, 230, 255]);
  expect(await shotAsync("--gui", "-o", "gui.png")).toMatchObject({ exitCode: 0 });
  const gui = await pictureAsync("gui.png");
  expect(pixel(gui, 640, 20)).toEqual([0, 0, 0, 0]);
  // The middle of the green of a button is the same in both.
  expect(pixel(all, 775, 258)).toEqual(pixel(gui, 775, 258));
});

test("one object is as large as it is, or as fits into a size", async () => {
  const panel = ["--frame", "StarterGui.Shop.Panel", "--json"];
  expect(JSON.parse((await shotAsync(...panel)).stdout)).toMatchObject({ width: 640, height: 460 });
  const small = await shotAsync(...panel, "--size", "320x320");
  expect(JSON.parse(small.stdout)).toMatchObject({ width: 320, height: 230 });
});

test("a camera looks somewhere else for one picture", async () => {
  const eye = "return workspace.CurrentCamera.CFrame.Position.Z";
  const before = (await box.sbAsync(["exec", eye])).stdout;
  await shotAsync("-o", "here.png");
  expect(await shotAsync("--camera", "0,99,0,1,0,0,0,0,1,0,-1,0", "-o", "down.png")).toMatchObject({
    exitCode: 0,
  });
  expect(
    (await readFile(join(box.folder, "here.png"))).equals(await readFile(join(box.folder, "down.png"))),
  ).toBe(false);
  expect((await box.sbAsync(["exec", eye])).stdout).toBe(before);
});

test("a picture is held against a file, which -u writes", async () => {
  const compareAsync = (...words: readonly string[]) =>
    shotAsync("--gui", "--baseline", "shop.png", ...words);
  expect(await compareAsync()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/shop\.png: there is no such file\nhint: .*-u writes/),
  });
  expect(await compareAsync("-u")).toMatchObject({ exitCode: 0 });
  expect(await compareAsync()).toMatchObject({ exitCode: 0, stdout: "The picture is as expected.\n" });
  const red = "game.StarterGui.Shop.Panel.Title.BackgroundTransparency = 0";
  expect((await box.sbAsync(["exec", red])).exitCode).toBe(0);
  const differing = await compareAsync("--json");
  expect(differing.exitCode).toBe(1);
  const answer = JSON.parse(differing.stdout);
  expect(answer).toMatchObject({ same: false, diff: "shop.png.diff.png" });
  expect(answer.ratio).toBeCloseTo(answer.pixels / (1280 * 720), 10);
  expect((await pictureAsync("shop.png.diff.png")).width).toBe(3 * 1280);
  const masks = [
    ["--mask", "StarterGui.Shop.Panel.Title"],
    ["--mask", "300,100,700,150"],
    ["--max-diff", "999999"],
  ];
  for (const words of masks) expect(await compareAsync(...words)).toMatchObject({ exitCode: 0 });
  expect(await compareAsync("--size", "640x640")).toMatchObject({ exitCode: 2 });
  await writeFile(join(box.folder, "shop.png"), "no picture");
  expect(await compareAsync()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("is not a PNG"),
  });
});

test.each([
  [["--frame", "StarterGui.Shop.Nope"], "No instance found at path: StarterGui.Shop.Nope", 1],
  [["--frame", "Workspace"], "only an object of an interface can be captured alone", 1],
  [["--camera", "StarterGui.Shop"], "has no place in the world", 1],
  [["--camera", "1,2,3"], "A CFrame has 12 numbers, and there are 3.", 2],
  [["--size", "0x10"], "0x10 is no size of a picture.", 2],
  [["--mask", "1,2,3,4"], "Add --baseline FILE.", 2],
])("%j is refused with the reason", async (words, says, exitCode) => {
  expect(await shotAsync(...words)).toMatchObject({ exitCode, stderr: expect.stringContaining(says) });
});

test("agents get a small picture, and what is not as in Studio", async () => {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const seen = await peer.toolAsync("studio_screenshot", {});
  expect(seen["structuredContent"]).toMatchObject({ width: 640, height: 360 });
});

test("a border inside of its object is painted over it, and characters without a letter are counted", async () => {
  const code = `local gui = Instance.new("ScreenGui", game.StarterGui) gui.Name = "Odd"
    local frame = Instance.new("Frame", gui) frame.Name = "Inset" frame.Size = UDim2.fromOffset(40, 40) frame.BackgroundColor3 = Color3.new(0, 0, 1)
    frame.BorderMode, frame.BorderSizePixel, frame.BorderColor3 = Enum.BorderMode.Inset, 5, Color3.new(1, 0, 0)
    local label = Instance.new("TextLabel", frame) label.Name = "Text" label.Position, label.Size = UDim2.fromOffset(7, 7), UDim2.fromOffset(24, 24) label.Text = "\u{65e5}a\u{672c}"`;
  expect((await box.sbAsync(["exec", code])).exitCode).toBe(0);
  const { stdout } = await shotAsync("--frame", "StarterGui.Odd.Inset", "-o", "inset.png", "--json");
  expect(JSON.parse(stdout).leftOut).toEqual({
    "characters that the fonts of sb lack, drawn as an empty box": 2,
  });
  const inset = await pictureAsync("inset.png");
  expect([pixel(inset, 2, 20), pixel(inset, 37, 37), pixel(inset, 32, 33)]).toEqual([
    [255, 0, 0, 255],
    [255, 0, 0, 255],
    [0, 0, 255, 255],
  ]);
});

test("the picture of a client has the interface of its player", async () => {
  const menu = `local frame = Instance.new("Frame", Instance.new("ScreenGui", game.StarterGui)) frame.Size = UDim2.fromOffset(50, 50) frame.Name = "Lit"
    frame.BackgroundColor3, frame.ZIndex, frame.Parent.DisplayOrder = Color3.new(1, 1, 0), 9, 9`;
  expect((await box.sbAsync(["exec", menu])).exitCode).toBe(0);
  expect((await box.sbAsync(["play", "start"])).exitCode).toBe(0);
  for (const words of [[], ["--gui"]]) {
    expect(await shotAsync(...words, "-o", "client.png")).toMatchObject({ exitCode: 0 });
    // Below the top bar.
    expect(pixel(await pictureAsync("client.png"), 20, 70)).toEqual([255, 255, 0, 255]);
  }
  expect((await box.sbAsync(["play", "stop"])).exitCode).toBe(0);
});

test("what Studio shows and the picture does not is counted", async () => {
  const code = `local function new(class, parent) local made = Instance.new(class) made.Parent = parent return made end
    local part = new("Part", workspace) part.Anchored, part.Material = true, Enum.Material.Wood
    for _, class in { "Decal", "Texture", "SurfaceGui", "BillboardGui", "ParticleEmitter", "PointLight", "Highlight" } do new(class, part) end
    new("Beam", part).Enabled = false
    local hidden = new("Part", workspace) hidden.Anchored, hidden.Transparency = true, 1 new("Decal", hidden)
    new("MeshPart", workspace).Anchored = true
    new("ViewportFrame", new("ScreenGui", game.StarterGui)).Size = UDim2.fromOffset(30, 30)`;
  expect((await box.sbAsync(["exec", code])).exitCode).toBe(0);
  const { leftOut } = JSON.parse((await shotAsync("-o", "left.png", "--json")).stdout);
  expect(leftOut).toMatchObject({
    "decals and textures": 3,
    "SurfaceGuis in the world": 1,
    "BillboardGuis in the world": 1,
    "particles, beams and trails": 1,
    lights: 1,
    "highlights and selection boxes": 1,
    "materials, drawn as plain colours": 1,
    "meshes, drawn as their boxes": 1,
    ViewportFrames: 1,
  });
});
