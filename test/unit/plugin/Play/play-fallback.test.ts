/** A play session whose DataModels cannot reach the edit DataModel: the server looks for the host itself. */
import { expect, test } from "bun:test";
import { openPluginStudioAsync, readPluginTreeAsync } from "../plugin-studio.ts";
import { noNetwork } from "../../../headless/run-spec.ts";

/** What the plugin asked of the network after this many seconds by the engine's own clock. */
async function requestsAsync(role: "server" | "client", afterSeconds: number): Promise<readonly string[]> {
  const requests: string[] = [];
  const host = {
    ...noNetwork,
    log: () => undefined,
    requestHttp: (_id: number, { url }: { url: string }) => void requests.push(new URL(url).pathname),
  };
  const { studio, start } = await openPluginStudioAsync(host, await readPluginTreeAsync());
  using _studio = studio;
  studio.runSource(
    "=role",
    `engine("./Play/Role").set("${role}", "play") engine("./Kernel/Clock").useManual()`,
  );
  start();
  studio.runSource("=later", `engine("./Kernel/Clock").advance(${afterSeconds})`);
  studio.dispatch("tick");
  return requests;
}

test("the server waits for the edit DataModel, then looks for a host", async () => {
  expect(await requestsAsync("server", 4)).toEqual([]);
  expect(await requestsAsync("server", 6)).toEqual(["/health"]);
});

test("a client has no way of its own", async () => {
  expect(await requestsAsync("client", 60)).toEqual([]);
});
