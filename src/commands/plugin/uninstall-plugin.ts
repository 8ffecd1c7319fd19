/** `sb uninstall-plugin`: takes our plugin, and no other file, out of Studio's plugins folder. */
import { defineSchema } from "../../protocol/schema.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

const input = defineSchema((z) =>
  z.strictObject({
    dir: z
      .string()
      .min(1, "expected a folder")
      .optional()
      .describe("The plugins folder, instead of the one that sb finds"),
  }),
);

export const command = defineCommand({
  name: "uninstall-plugin",
  summary: "Remove the plugin from Studio",
  description: "Removes the studio-bridge plugin from Studio's plugins folder, and no other file.",
  group: "Setup",
  examples: [{ command: "sb uninstall-plugin", note: "" }],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  /** `removed` is false when there was nothing to remove. */
  output: defineSchema((z) => z.object({ removed: z.boolean(), path: z.string() })),
  cli: {
    olderNames: ["plugin uninstall"],
    flags: flagsOf(input, {
      dir: { kind: "string", label: "FOLDER" },
    }),
  },
  format: ({ removed, path }) =>
    removed
      ? `Plugin removed: ${visibleOnOneLine(path)}\nA Studio that is open keeps it until it is restarted.`
      : `The plugin is not installed at ${visibleOnOneLine(path)}`,
  async handler({ dir }) {
    const [{ resolve }, { locatePluginsFolderAsync }, { pluginPath, uninstallPlugin }, { thisMachine }] =
      await Promise.all([
        import("node:path"),
        import("../../studio/locate-studio.ts"),
        import("../../studio/installed-plugin.ts"),
        import("../../studio/machine.ts"),
      ]);
    const machine = thisMachine();
    const folder = dir === undefined ? await locatePluginsFolderAsync(machine) : resolve(dir);
    return { removed: uninstallPlugin(folder, machine), path: pluginPath(folder, machine) };
  },
});
