/**
 * The plugin as a tree of Instances, the one form that the packer writes, the installer pairs and headless Studio
 * loads. It knows nothing about files.
 */

export interface PluginNode {
  readonly name: string;
  readonly className: "Folder" | "Script" | "ModuleScript";
  /** Empty for a Folder. */
  readonly source: string;
  readonly children: readonly PluginNode[];
}

/** What ties a copy of the plugin to this machine's key; both texts are empty for one that needs no key. */
export interface Pairing {
  /** First 16 hex digits of SHA-256(K_plugin). */
  readonly keyId: string;
  /** K_plugin, 64 hex digits. */
  readonly key: string;
  /** Fixes the one port the plugin dials; absent means the usual candidates. */
  readonly port?: number;
}

/** The module that carries the key. */
export const PAIRING_MODULE = "Pairing";

/** A copy of the tree whose `Pairing` module carries the key. Throws when the tree has no such module. */
export function withPairing(tree: PluginNode, pairing: Pairing): PluginNode {
  return withModuleSource(tree, PAIRING_MODULE, pairingSource(pairing));
}

/** A copy of the tree with one module's source replaced; `name` must be there exactly once. */
export function withModuleSource(tree: PluginNode, name: string, source: string): PluginNode {
  let found = 0;
  const visit = (node: PluginNode): PluginNode => {
    const isIt = node.className === "ModuleScript" && node.name === name;
    if (isIt) found++;
    return { ...node, source: isIt ? source : node.source, children: node.children.map(visit) };
  };
  const replaced = visit(tree);
  if (found !== 1) throw new Error(`the plugin has ${found} modules named ${name}, expected one`);
  return replaced;
}

export function pairingSource({ keyId, key, port }: Pairing): string {
  const isKeyless = keyId === "" && key === "";
  const isWellFormed = /^[0-9a-f]{16}$/.test(keyId) && /^[0-9a-f]{64}$/.test(key);
  if (!isKeyless && !isWellFormed) throw new Error("malformed pairing key");
  const portField = port === undefined ? "nil" : String(port);
  return `--!strict\nreturn table.freeze({ keyId = "${keyId}", key = "${key}", port = ${portField} :: number? })\n`;
}
