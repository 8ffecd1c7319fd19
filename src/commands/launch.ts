/** `sb launch [PLACE]`: opens a place in the local Studio and waits for its plugin. */
import { studioStateSchema } from "../protocol/fields/contexts.ts";
import { defineSchema } from "../protocol/schema.ts";
import { defineCommand } from "../command-kit/definition.ts";
import { sessionTargetSchema } from "../session/session-target.ts";
import { flagsOf } from "../command-kit/words/spelling.ts";
import { TIMEOUT_TEXT } from "../command-kit/words/timeout.ts";

const input = defineSchema((z) =>
  z.strictObject({
    place: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("The place file (default: an empty place)"),
    inPlace: z.boolean().default(false).describe("Open the file itself (default: a copy)"),
    wait: z.boolean().default(true).describe("Wait until the plugin has connected; --no-wait does not"),
    timeoutMs: sessionTargetSchema(z).shape.timeoutMs.describe("Wait this many milliseconds (default 30000)"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    launchId: z.string(),
    pid: z.int(),
    /** Absent with --no-wait, as are the fields below. */
    sessionId: z.string().optional(),
    instanceId: z.string().optional(),
    placeName: z.string().optional(),
    state: studioStateSchema(z).optional(),
  }),
);

export const command = defineCommand({
  name: "launch",
  summary: "Open a place in Studio",
  description:
    "Starts Roblox Studio with a copy of a place, or with an empty one, and waits until its plugin has connected. `sb close` ends it again.",
  group: "Studio",
  examples: [
    { command: "sb launch", note: "an empty place" },
    { command: "sb launch ./MyGame.rbxl", note: "a copy of it" },
    { command: "sb launch ./MyGame.rbxl --in-place", note: "the file itself" },
  ],
  surfaces: ["cli"],
  target: "bridge",
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input,
  output,
  cli: {
    asks: true,
    isLocal: true,
    olderNames: ["process launch"],
    positionals: [{ key: "place", label: "PLACE" }],
    flags: flagsOf(input, {
      inPlace: "boolean",
      wait: { kind: "boolean", negatable: true },
      timeoutMs: {
        name: "timeout",
        kind: "time",
        label: "TIME",
        describe: () => `${TIMEOUT_TEXT} (default: 30s)`,
      },
    }),
  },
  format: ({ sessionId, pid }) =>
    sessionId === undefined ? `Studio starts as process ${pid}.` : `Session ${sessionId} connected.`,
  async prepareAsync({ place, inPlace, wait, timeoutMs }, basics) {
    const { placeTitle, prepareLaunchAsync } = await import("../command-kit/sessions/launch-studio.ts");
    const launchAsync = await prepareLaunchAsync(basics, {
      inPlace,
      wait,
      withoutStudio: `run \`sb headless${place === undefined ? "" : " PLACE"}\``,
      ...(place === undefined ? {} : { place }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return async (context) => {
      const { note, connectedAsync } = await launchAsync(context);
      context.emit({ stream: "stdout", text: () => `Launching Studio with ${placeTitle(place)}...` });
      const { launchId, pid } = note;
      if (!wait) return { launchId, pid };
      const { sessionId, instanceId, placeName, state } = await connectedAsync();
      return { launchId, pid, sessionId, instanceId, placeName, state };
    };
  },
});
