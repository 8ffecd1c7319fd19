/** While a test plays, answers name their context, and what is not found is looked for in the others. */
import { expect, test } from "bun:test";
import { contextRemark } from "../../../src/session/answer-context.ts";
import { exampleRegister } from "../../peers/scripted-plugin.ts";
import { CommandWorld } from "../command-kit/command-world.ts";

const world = new CommandWorld();

/** A Studio whose server has Workspace.S, and whose edited place has nothing. */
async function playingAsync(contexts: readonly ("server" | "client")[]) {
  const state = contexts.length > 0 ? "Play" : "Edit";
  const capabilities = [...exampleRegister.capabilities, "wait"];
  const { plugin, sessionId: edit } = await world.studioAsync({ state, capabilities });
  for (const context of contexts) await plugin.registerAsync({ context, capabilities });
  plugin.on("queryDataModel", (request) => {
    const isEdit = request.sessionId === edit;
    const path = String(Object(request.payload).path);
    if (path === "game.Workspace" || (path === "game.Workspace.S" && !isEdit)) {
      const instance = { id: "@1", name: "S", className: "Folder", path, properties: {}, childCount: 0 };
      return plugin.reply(request, "dataModelResult", { instance });
    }
    const details = { resolvedTo: "game.Workspace", failedSegment: "S", suggestions: [] };
    plugin.reply(request, "error", {
      code: "INSTANCE_NOT_FOUND",
      message: `No instance found at path: ${path}`,
      details,
    });
  });
  plugin.on("wait", (request) =>
    plugin.reply(request, "waitResult", { met: false, waitedMs: 1, evidence: { path: "game.Workspace.S" } }),
  );
  return plugin;
}

test("an answer names its context", async () => {
  using _plugin = await playingAsync(["server"]);
  const caller = world.caller();
  const { output } = await caller.dispatchAsync("query", { path: "Workspace" });
  expect(output).toMatchObject({ context: "edit" });
  const named = await caller.dispatchAsync("query", { path: "Workspace", context: "server" });
  expect(named.output).toMatchObject({ context: "server" });
  // Lines for people are for the command line alone.
  expect(caller.shown).toEqual([]);
});

test("the line for people names the other side", () => {
  expect(contextRemark("edit")).toBe("in the edited place; --context server looks into the running test");
  expect(contextRemark("server")).toBe(
    "in the server of the running test; --context edit means the edited place",
  );
});

test("nothing is said while no test plays", async () => {
  using _plugin = await playingAsync([]);
  const caller = world.caller();
  const { output } = await caller.dispatchAsync("query", { path: "Workspace" });
  expect(Object.keys(Object(output))).toEqual(["instance"]);
});

test("what is not found is named where it exists", async () => {
  using _plugin = await playingAsync(["server", "client"]);
  const failure = await world.caller().failureAsync("query", { path: "Workspace.S" });
  expect(failure.hint).toBe("Workspace.S exists in the contexts server, client.");
});

test("a wait that is not met says where the path exists", async () => {
  using _plugin = await playingAsync(["server"]);
  const wish = { exists: "Workspace.S", context: "edit" };
  const { output } = await world.caller().dispatchAsync("wait", wish);
  expect(output).toMatchObject({
    met: false,
    context: "edit",
    evidence: { elsewhere: "Workspace.S exists in the context server." },
  });
});
