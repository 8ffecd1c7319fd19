/** What a start of the plugin costs, as far as it can be counted. */
import { expect, spyOn, test } from "bun:test";
import { LuauVm } from "../../../src/headless/vm/luau-vm.ts";
import { withModuleSource } from "../../../src/studio/plugin-tree.ts";
import { openPluginStudioAsync, readPluginTreeAsync } from "./plugin-studio.ts";
import { noNetwork } from "../../headless/run-spec.ts";

test("only the module that differs from machine to machine is compiled", async () => {
  const tree = await readPluginTreeAsync();
  const host = { ...noNetwork, log: () => undefined, requestHttp: () => undefined };
  const { studio, start } = await openPluginStudioAsync(host, withModuleSource(tree, "Pairing", "return {}"));
  using _studio = studio;
  using compile = spyOn(LuauVm.prototype, "pushChunk");
  start();
  expect(compile.mock.calls.map(([, , chunkName]) => chunkName)).toEqual(["=Plugins.StudioBridge.Pairing"]);
});
