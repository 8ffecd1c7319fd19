/** `sb install-plugin`: puts this build's plugin, paired with this machine, into Studio's plugins folder. */
import { defineSchema } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { buildId } from "../../version.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { portSchema } from "../../protocol/port.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

const input = defineSchema((z) =>
  z.strictObject({
    force: z.boolean().default(false).describe("Write the file even if the same one is installed"),
    dir: z
      .string()
      .min(1, "expected a folder")
      .optional()
      .describe("The plugins folder, instead of the one that sb finds"),
    port: portSchema(z)
      .optional()
      .describe("The only port that the plugin connects to, instead of the usual four"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    /** The plugin is there now. */
    installed: z.boolean(),
    path: z.string(),
    outcome: z.enum(["installed", "updated", "unchanged"]),
    /** It took the place of another build or another key. */
    updated: z.boolean(),
    buildId: z.string(),
    /** Where a file of that name that was not studio-bridge's went. */
    backup: z.string().optional(),
    /** The plugins folder was not there and was made. */
    isFolderNew: z.boolean(),
    /** A Studio runs that still has the plugin of before. */
    restartNeeded: z.boolean(),
  }),
);

type Installation = OutputOf<typeof output>;

export const command = defineCommand({
  name: "install-plugin",
  summary: "Install the plugin into Studio",
  description:
    "Writes the studio-bridge plugin into Studio's plugins folder, with a key that only this machine has. Run it once, and again after each update of sb.",
  group: "Setup",
  examples: [
    { command: "sb install-plugin", note: "" },
    { command: "sb install-plugin --dir ./Plugins", note: "where Studio's folder is not found" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    olderNames: ["plugin install"],
    flags: flagsOf(input, {
      force: "boolean",
      dir: { kind: "string", label: "FOLDER" },
      port: { kind: "number", label: "PORT" },
    }),
  },
  format: installationText,
  async handler({ force, dir, port }, { status, emit }) {
    status("Installing the plugin");
    const [{ resolve }, { installOnThisMachineAsync }, { thisMachine }] = await Promise.all([
      import("node:path"),
      import("../../studio/install-plugin.ts"),
      import("../../studio/machine.ts"),
    ]);
    const { outcome, path, backup, isFolderNew, restartNeeded } = await installOnThisMachineAsync(
      thisMachine(),
      {
        force,
        ...(dir === undefined ? {} : { folder: resolve(dir) }),
        ...(port === undefined ? {} : { port }),
      },
    );
    if (outcome !== "unchanged") emit({ stream: "stdout", text: () => "Building persistent plugin..." });
    return {
      installed: true,
      path,
      outcome,
      updated: outcome === "updated",
      buildId,
      ...(backup === undefined ? {} : { backup }),
      isFolderNew,
      restartNeeded,
    };
  },
});

/** A Studio that does not run needs no restart. */
function installationText(
  { outcome, path, backup, isFolderNew, restartNeeded }: Installation,
  style: Style,
): string {
  const shown = visibleOnOneLine(path);
  if (outcome === "unchanged") return `Plugin already installed at ${shown}\nUse --force to overwrite.`;
  const what = outcome === "updated" ? "changes" : "the plugin";
  const restart = `Restart Studio for ${what} to take effect`;
  return [
    `Plugin ${outcome} ${outcome === "updated" ? "at" : "to"} ${shown}`,
    ...(isFolderNew ? [style.yellow("Its folder was not there and was made.")] : []),
    ...(backup === undefined
      ? []
      : [style.yellow(`A file of that name that is not ours is now ${visibleOnOneLine(backup)}`)]),
    restartNeeded ? style.bold(`${restart}.`) : `${restart}, if it is open.`,
    "Where Studio asks whether the plugin may reach 127.0.0.1, allow it: sb is there.",
    "Plugins > Manage Plugins in Studio changes the answer later.",
  ].join("\n");
}
