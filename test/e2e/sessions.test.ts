/** Listing, choosing and looking into sessions, with real headless Studios. */
import { beforeAll, describe, expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
beforeAll(async () => {
  for (const name of ["Alpha", "Beta", "Gamma"]) await box.headlessAsync(name);
}, 120_000);

const idOfAsync = async (name: string) => {
  const session = (await box.sessionsAsync()).find(({ placeName }) => placeName.startsWith(name));
  if (session === undefined) throw new Error(`no session of ${name}`);
  return session.sessionId;
};

describe("three Studios at once", () => {
  test("are listed as three instances", async () => {
    const { stdout } = await box.sbAsync(["sessions"]);
    for (const name of ["Alpha", "Beta", "Gamma"]) expect(stdout).toContain(name);
    expect(stdout).toContain("3 sessions connected (3 instances).");
  });

  test("make an unaimed command ask which one, and say what to type", async () => {
    const { stdout, stderr, exitCode } = await box.sbAsync(["exec", "print(1)"]);
    expect(stdout).toBe("");
    for (const name of ["Alpha", "Beta", "Gamma"]) expect(stderr).toContain(name);
    expect(stderr).toContain("--session");
    expect(exitCode).toBe(1);
  });

  test("are told apart by a prefix of their id", async () => {
    const id = await idOfAsync("Beta");
    const { stdout } = await box.sbAsync(["exec", "--session", id.slice(0, 8), "print(game.Name)"]);
    expect(stdout).toContain("Beta");
  });

  test("keep their places apart", async () => {
    const [alpha, gamma] = [await idOfAsync("Alpha"), await idOfAsync("Gamma")];
    await box.sbAsync(["exec", "-s", alpha, 'workspace:SetAttribute("Mark", "A")']);
    const { stdout } = await box.sbAsync(["exec", "-s", gamma, 'print(workspace:GetAttribute("Mark"))']);
    expect(stdout).toBe("nil\n");
  });
});

describe("one of them", () => {
  test("tells its state", async () => {
    const id = await idOfAsync("Alpha");
    const { stdout } = await box.sbAsync(["state", id]);
    expect(stdout).toMatch(/^Mode:\s+Edit$/m);
    const json = JSON.parse((await box.sbAsync(["state", id, "--json"])).stdout);
    expect(json).toMatchObject({ state: "Edit", placeId: 0, gameId: 0 });
  });

  test("keeps its log, which other commands can read", async () => {
    const id = await idOfAsync("Alpha");
    await box.sbAsync(["exec", "-s", id, 'print("for the log") warn("mind")']);
    const { stdout } = await box.sbAsync(["logs", id, "--tail", "2", "--json"]);
    const { entries } = JSON.parse(stdout);
    expect(entries.map(({ level, body }: { level: string; body: string }) => [level, body])).toEqual([
      ["Print", "for the log"],
      ["Warning", "mind"],
    ]);
  });

  test("streams its log to a follower", async () => {
    const id = await idOfAsync("Alpha");
    const follower = box.spawn(["logs", id, "--follow", "--json"]);
    const reader = follower.stdout.getReader();
    const first = reader.read();
    await untilAsync("the follower hears a line", async () => {
      await box.sbAsync(["exec", "-s", id, 'print("tick")']);
      return Promise.race([first.then(() => true as const), Bun.sleep(50).then(() => undefined)]);
    });
    expect(new TextDecoder().decode((await first).value)).toContain("tick");
    follower.kill("SIGINT");
    expect(await follower.exited).toBe(130);
  });

  test("answers queries about Instances, properties and services", async () => {
    const id = await idOfAsync("Beta");
    await box.sbAsync([
      "exec",
      "-s",
      id,
      'local p = Instance.new("Part") p.Name = "a.b" p.Position = Vector3.new(1, 2, 3) p.Anchored = true p:SetAttribute("Hp", 5) p.Parent = workspace',
    ]);
    const query = async (...args: string[]) =>
      JSON.parse((await box.sbAsync(["query", ...args, "-s", id])).stdout);
    expect(await query("Workspace.a\\.b", "--properties", "Position,Anchored", "--attributes")).toMatchObject(
      {
        name: "a.b",
        className: "Part",
        properties: { Position: { type: "Vector3", value: [1, 2, 3] }, Anchored: true },
        attributes: { Hp: 5 },
        childCount: 0,
      },
    );
    expect(await query('game.Workspace["a.b"].Position')).toMatchObject({
      properties: { Position: { type: "Vector3", value: [1, 2, 3] } },
    });
    expect(await query("Workspace", "--children")).toContainEqual({ name: "a.b", className: "Part" });
    expect(await query("--services")).toContainEqual({ name: "Workspace", className: "Workspace" });
  });
});

test("a headless Studio whose plugin cannot connect says why, in one line", async () => {
  await using box = await Sandbox.createAsync();
  await box.sbAsync(["sessions"]);
  const studio = box.spawn(["headless"], { env: { SB_HEADLESS_VARIANT: "no-websockets" } });
  let told = "";
  for await (const piece of studio.stderr) {
    told += new TextDecoder().decode(piece);
    if (told.includes("\n")) break;
  }
  expect(told).toStartWith(
    "[StudioBridge] Not connected. Studio opens no WebSocket to 127.0.0.1 (WebStreamClient is not enabled).",
  );
}, 120_000);
