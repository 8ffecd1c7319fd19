/** `sb api` looks names up in the binary alone: no Studio and no bridge host is there, and none is started. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const box = sandbox();

test("people and agents get the same entry, and a wrong name with the near one", async () => {
  const part = await box.localSbAsync(["api", "Part.Anchored"]);
  expect(part).toMatchObject({ exitCode: 0, stderr: "" });
  expect(part.stdout).toContain("BasePart.Anchored (property)\nType:      boolean\nDefault:   false\n");
  expect(part.stdout).toContain("Headless:  simulated");
  const players = await box.localSbAsync(["api", "Players"]);
  expect(players.stdout).toContain("GetPlayers() -> { Player }\n");
  expect(players.stdout).toContain("* headless Studio does not simulate it");
  const wrong = await box.localSbAsync(["api", "Part.Anchord"]);
  expect(wrong).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "error: Part has no member Anchord.\nhint: Did you mean Part.Anchored?\n",
  });
  const json = await box.localSbAsync(["api", "Part.Anchored", "--json"]);
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const told = await peer.toolAsync("studio_api", { name: "Part.Anchored" });
  expect(Object(told).structuredContent).toEqual(JSON.parse(json.stdout));
}, 120_000);
