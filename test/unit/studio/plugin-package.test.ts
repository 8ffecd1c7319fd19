/** The packed plugin, read by Rojo's own reader (npm rbx-dom) as well as by ours. */
import { expect, test } from "bun:test";
import { Dom } from "rbx-dom";
import { buildPluginAsync } from "../../../scripts/build-plugin.ts";
import { writeBinaryModel } from "../../../src/roblox/binary-writer.ts";
import { ModelBuilder, NO_PARENT } from "../../../src/roblox/model.ts";
import { packPlugin, unpackPlugin } from "../../../src/studio/plugin-package.ts";
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

test("the packed plugin holds the tree that it was made of, for Rojo's reader and for ours", async () => {
  const { tree } = await buildPluginAsync("1.2.3");
  const file = packPlugin(tree);
  expect(viaRbxDom(file)).toEqual([tree]);
  expect(unpackPlugin(file)).toEqual(tree);
});

test("the same plugin is packed into the same bytes", async () => {
  const { tree } = await buildPluginAsync("1.2.3");
  expect(Buffer.from(packPlugin(structuredClone(tree)))).toEqual(Buffer.from(packPlugin(tree)));
});

const folder: PluginNode = { name: "StudioBridge", className: "Folder", source: "", children: [] };

test("text outside of ASCII survives", () => {
  const tree: PluginNode = {
    ...folder,
    children: [{ name: "Café", className: "ModuleScript", source: 'return "☕"\n', children: [] }],
  };
  expect(unpackPlugin(packPlugin(tree))).toEqual(tree);
});

test("a model of other classes, or of none or several roots, is no plugin", () => {
  const model = (...classNames: string[]): Uint8Array => {
    const builder = new ModelBuilder();
    for (const className of classNames)
      builder.set(builder.add(className, NO_PARENT), "Name", { type: "String", value: className });
    return writeBinaryModel(builder.finish(), () => false);
  };
  expect(() => unpackPlugin(model("Part"))).toThrow("a plugin cannot contain a Part");
  expect(() => unpackPlugin(model())).toThrow("exactly one root");
  expect(() => unpackPlugin(model("Folder", "Folder"))).toThrow("exactly one root");
  expect(() => unpackPlugin(model("Script"))).toThrow("Script.Source that is not text");
});

test("the root is the only Script, so that Studio runs one", async () => {
  const { tree } = await buildPluginAsync("1.2.3");
  const scripts: string[] = [];
  const visit = (node: PluginNode): void => {
    if (node.className === "Script") scripts.push(node.name);
    node.children.forEach(visit);
  };
  visit(tree);
  expect({ root: tree.className, scripts }).toEqual({ root: "Script", scripts: ["StudioBridge"] });
});

test("the build id names the sources: equal for the same ones, told apart from others", async () => {
  const [first, second] = await Promise.all([buildPluginAsync("1.2.3"), buildPluginAsync("1.2.3")]);
  expect(first.buildId).toBe(second.buildId);
  const build = first.tree.children.find(({ name }) => name === "Build");
  expect(build?.source).toContain(`id = "${first.buildId}"`);
});

test("pairing changes the key module and nothing else", async () => {
  const { tree } = await buildPluginAsync("1.2.3");
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
  const { tree } = await buildPluginAsync("1.2.3");
  expect(() => withPairing(tree, { keyId: '"; os.exit()', key: "a".repeat(64) })).toThrow(
    "malformed pairing key",
  );
});
