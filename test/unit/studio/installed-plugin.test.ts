/** The plugin's file in the plugins folder: written, recognised, replaced, removed. */
import { describe, expect, test } from "bun:test";
import { installPlugin, readInstalledPlugin, uninstallPlugin } from "../../../src/studio/installed-plugin.ts";
import { packPlugin, unpackPlugin } from "../../../src/studio/plugin-package.ts";
import { withModuleSource } from "../../../src/studio/plugin-tree.ts";
import type { PluginNode } from "../../../src/studio/plugin-tree.ts";
import { linux, windows } from "./tree-machine.ts";
import type { TreeMachine } from "./tree-machine.ts";

const module = (name: string, source: string): PluginNode => ({
  name,
  className: "ModuleScript",
  source,
  children: [],
});
const tree: PluginNode = {
  name: "StudioBridge",
  className: "Script",
  source: "print(script.Pairing)",
  children: [
    module("Build", 'return table.freeze({ version = "1.2.3", id = "abc123" })'),
    module("Pairing", "return {}"),
  ],
};
const pairing = { keyId: "0123456789abcdef", key: "ab".repeat(32) };
const folder = "/plugins";
const path = "/plugins/StudioBridgePlugin.rbxm";

const install = (machine: TreeMachine, options: { force?: boolean; tree?: PluginNode; port?: number } = {}) =>
  installPlugin(
    options.tree ?? tree,
    { ...pairing, ...(options.port === undefined ? {} : { port: options.port }) },
    { folder, machine, force: options.force ?? false },
  );
const sourceOf = (machine: TreeMachine, name: string) =>
  unpackPlugin(machine.files.read(path) ?? new Uint8Array()).children.find((child) => child.name === name)
    ?.source;

describe("installing", () => {
  test("writes the plugin with the machine's key, where there was no folder", () => {
    using machine = linux();
    expect(install(machine, { port: 4000 })).toEqual({
      outcome: "installed",
      path,
      backup: undefined,
      isFolderNew: true,
    });
    expect(readInstalledPlugin(folder, machine)).toEqual({
      kind: "ours",
      version: "1.2.3",
      buildId: "abc123",
      keyId: pairing.keyId,
      port: 4000,
    });
    expect(sourceOf(machine, "Pairing")).toContain(pairing.key);
    expect(machine.files.names(folder)).toEqual(["StudioBridgePlugin.rbxm"]);
  });

  test("again changes nothing unless forced", () => {
    using machine = linux();
    install(machine);
    expect(install(machine).outcome).toBe("unchanged");
    expect(install(machine, { force: true }).outcome).toBe("updated");
  });

  test("another build or another port updates it", () => {
    using machine = linux();
    install(machine);
    const newer = withModuleSource(tree, "Build", 'return { version = "1.3.0", id = "def456" }');
    expect(install(machine, { tree: newer }).outcome).toBe("updated");
    expect(install(machine, { tree: newer, port: 4000 }).outcome).toBe("updated");
    expect(readInstalledPlugin(folder, machine)).toMatchObject({ buildId: "def456", port: 4000 });
    expect(machine.files.names(folder)).toEqual(["StudioBridgePlugin.rbxm"]);
  });

  test("keeps a stranger's file of that name, each under a name of its own", () => {
    using machine = linux();
    machine.put(path, 0, "no model at all");
    expect(install(machine)).toEqual({
      outcome: "installed",
      path,
      backup: `${path}.bak`,
      isFolderNew: false,
    });
    machine.put(path, 0, packPlugin({ ...tree, name: "Other" }));
    expect(install(machine)).toEqual({
      outcome: "installed",
      path,
      backup: `${path}.bak2`,
      isFolderNew: false,
    });
    expect(new TextDecoder().decode(machine.files.read(`${path}.bak`))).toBe("no model at all");
    expect(readInstalledPlugin(folder, machine).kind).toBe("ours");
  });

  test("names the file that cannot be written", () => {
    using machine = linux();
    machine.put("/plugins", 0, "a file where the folder should be");
    expect(() => install(machine)).toThrow(`Cannot write to ${path}: `);
  });

  test("follows the path rules of the machine", () => {
    using machine = windows();
    const options = { folder: "C:\\Plugins", machine, force: false };
    expect(installPlugin(tree, pairing, options).path).toBe("C:\\Plugins\\StudioBridgePlugin.rbxm");
  });
});

describe("removing", () => {
  test("takes our file away, once", () => {
    using machine = linux();
    install(machine);
    expect(uninstallPlugin(folder, machine)).toBe(true);
    expect(readInstalledPlugin(folder, machine)).toEqual({ kind: "none" });
    expect(uninstallPlugin(folder, machine)).toBe(false);
  });

  test("leaves a stranger's file alone", () => {
    using machine = linux();
    machine.put(path, 0, "no model at all");
    expect(() => uninstallPlugin(folder, machine)).toThrow(
      `${path} is not studio-bridge's plugin, so it stays.`,
    );
    expect(machine.files.kind(path)).toBe("file");
  });
});
