/** What ties a plugin to this machine, made from its key. */
import { deriveRoleKey, KeyFileError, keyIdOf, loadKeyAsync } from "../auth/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { Pairing } from "./plugin-tree.ts";

/** Throws KEY_ERROR. */
export async function machinePairingAsync(): Promise<Pairing> {
  try {
    const pluginKey = deriveRoleKey(await loadKeyAsync(), "plugin");
    return { keyId: keyIdOf(pluginKey), key: pluginKey.toHex() };
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    throw new StudioBridgeError("KEY_ERROR", error.message, { hint: error.hint, cause: error });
  }
}
