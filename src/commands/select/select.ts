/** `sb select`: reads or sets what is selected in Studio, and points the camera at it. */
import { defineSchema } from "../../protocol/schema.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { OPEN_LASTING_STUDIO } from "../../command-kit/words/lasting-studio.ts";
import { tellingNearPaths } from "../../session/near-paths.ts";
import { shownPath, wirePath } from "../../tree/instance-path.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import agentDescription from "./select.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    paths: z
      .array(z.string().min(1, "a path is empty"))
      .optional()
      .describe("Instances to select; [] clears, without it the selection is read"),
    focus: z.boolean().default(false).describe("Point the camera at the selection"),
  }),
);

const output = defineSchema((z) =>
  z.object({ selection: z.array(z.object({ path: z.string(), id: z.string() })) }),
);

export const command = defineCommand({
  name: "select",
  summary: "Read or set the selection in Studio",
  description:
    "Without a path it prints the selection in Studio; with paths it selects these Instances. --focus points the camera at the selection, --clear empties it. If a path leads to no Instance, nothing changes.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb select", note: "what is selected" },
    { command: "sb select Workspace.Door --focus", note: "" },
    { command: "sb select --clear", note: "" },
  ],
  toolGroups: ["edit", "look"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "select",
  defaultContext: "edit",
  namesContext: () => true,
  onlyLooks: ({ paths, focus }) => paths === undefined && focus !== true,
  readOnlyInput: { paths: undefined, focus: undefined },
  withoutStudio: OPEN_LASTING_STUDIO,
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [{ key: "paths", label: "PATH", repeated: true }],
    flags: [
      ...flagsOf(input, {
        focus: "boolean",
      }),
      {
        name: "clear",
        key: "paths",
        kind: "boolean",
        describe: () => "Select nothing",
        sets: (value) => (value === true ? { paths: [] } : {}),
      },
    ],
    conflicts: [
      {
        flags: ["clear"],
        positional: "paths",
        message: "Cannot use a path with --clear.",
        hint: "Leave out one of them.",
      },
      {
        flags: ["clear", "focus"],
        message: "Cannot use --clear and --focus together.",
        hint: "Leave out one of them.",
      },
    ],
  },
  format: ({ selection }, style) =>
    selection.length === 0
      ? "Nothing is selected."
      : selection.map(({ path }) => style.body(path)).join("\n"),
  async handler({ paths, focus }, context) {
    const request = { focus, ...(paths === undefined ? {} : { paths: paths.map(wirePath) }) };
    const { selection } = await context
      .callAsync("select", request)
      .catch((error: unknown) => Promise.reject(focusFailure(error)))
      .catch(tellingNearPaths(context));
    return { selection: selection.map(({ path, id }) => ({ path: shownPath(path), id })) };
  },
});

function focusFailure(error: unknown): unknown {
  const isFocus =
    error instanceof StudioBridgeError &&
    error.code === "INVALID_PAYLOAD" &&
    error.message.includes("payload.focus");
  if (!isFocus) return error;
  return invalidInput(
    "There is nothing to point the camera at.",
    "Select something with a place in the world: a part, a model, or what contains some.",
  );
}
