/** A place that the engine cannot open whole: the owner of the Studio is told, so that it is not taken for the whole place. */
import { expect, test } from "bun:test";
import { encodePluginTree } from "../../../../src/headless/process/plugin-tree-text.ts";
import { StudioWindow } from "../../../../src/headless/window/window.ts";
import { assets, noNetwork } from "../../../headless/run-spec.ts";

test("a place that fails to open is told, with the reason", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const tree = { name: "Plugin", className: "Script" as const, source: "", children: [] };
  using _window = new StudioWindow({
    assets,
    host: { ...noNetwork, log: () => undefined },
    settings: new Map(),
    plugin: encodePluginTree("Place1", tree),
    place: Uint8Array.of(0, 0, 0, 0, 255, 255),
    cancelFlag: new Int32Array(1),
    onBusy: () => undefined,
    onDead: () => undefined,
    onPlaceFailed: resolve,
  });
  expect(await promise).toContain("out of bounds");
});
