/** The packed plugin, read by Rojo's own reader (npm rbx-dom) as well as by ours. */
import { expect, test } from "bun:test";
import { Dom } from "rbx-dom";
import { packAsync } from "../../../scripts/pack-plugin.ts";
import { unpackPlugin } from "../../../src/studio/plugin-package.ts";
import { withPairing } from "../../../src/studio/plugin-tree.ts";
import type { PluginNode } from "../../../src/studio/plugin-tree.ts";

function viaRbxDom(file: Uint8Array): PluginNode[] {
  const dom = Dom.fromBinary(file);
  const node = (referent: string): PluginNode => {
    const view = dom.instance(referent);
    if (view === null) throw new Error(`no instance ${referent}`);
    const { Source: source } = view.properties;
    const { className } = view;
    if (className !== "Folder" && className !== "Script" && className !== "ModuleScript") {
      throw new Error(`a ${className} in the plugin`);
    }
    return {
      name: view.name,
      className,
      source: source === undefined ? "" : String(source["String"]),
      children: view.children.map(node),
    };
  };
  return dom.root().children.map(node);
}

test("Rojo's reader sees the same tree in the packed plugin as ours does", async () => {
  const { file } = await packAsync("1.2.3");
  expect(viaRbxDom(file)).toEqual([unpackPlugin(file)]);
});

test("the root is the only Script, so that Studio runs one", async () => {
  const tree = unpackPlugin((await packAsync("1.2.3")).file);
  const scripts: string[] = [];
  const visit = (node: PluginNode): void => {
    if (node.className === "Script") scripts.push(node.name);
    node.children.forEach(visit);
  };
  visit(tree);
  expect({ root: tree.className, scripts }).toEqual({ root: "Script", scripts: ["StudioBridge"] });
});

test("the build id names the sources: equal for the same ones, told apart from others", async () => {
  const [first, second] = await Promise.all([packAsync("1.2.3"), packAsync("1.2.3")]);
  expect(first.buildId).toBe(second.buildId);
  expect(new TextDecoder().decode(first.file)).toContain(`id = "${first.buildId}"`);
});

test("pairing changes the key module and nothing else", async () => {
  const tree = unpackPlugin((await packAsync("1.2.3")).file);
  const paired = withPairing(tree, { keyId: "0".repeat(16), key: "a".repeat(64), port: 4000 });
  const differing: string[] = [];
  const compare = (a: PluginNode, b: PluginNode): void => {
    if (a.source !== b.source) differing.push(a.name);
    for (const [index, child] of a.children.entries()) compare(child, b.children[index] ?? child);
  };
  compare(tree, paired);
  expect(differing).toEqual(["Pairing"]);
  expect(JSON.stringify(paired)).toContain("port = 4000");
});

test("a key that is no key is refused before it reaches Luau source", async () => {
  const tree = unpackPlugin((await packAsync("1.2.3")).file);
  expect(() => withPairing(tree, { keyId: '"; os.exit()', key: "a".repeat(64) })).toThrow(
    "malformed pairing key",
  );
});
