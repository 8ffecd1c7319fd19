/** The flags that commands have in common, by what a command works on. */
import { actions } from "../../protocol/actions.ts";
import type { ActionName } from "../../protocol/actions.ts";
import type { CommandFacts } from "../facts.ts";
import { sessionTargetSchema } from "../../session/session-target.ts";
import { dataSpelling, DATA_TEXT, THROTTLE_TEXT } from "../../project/data-choice.ts";
import { MEMORY_TEXT } from "./memory.ts";
import {
  DEVICE_TEXT,
  deviceSpelling,
  FONTS_TEXT,
  fontsSpelling,
  INSETS_TEXT,
  insetsSpelling,
  VIEWPORT_TEXT,
  viewportSpelling,
} from "../../project/screen-choice.ts";
import { flagsOf } from "./spelling.ts";
import type { Flag } from "./spelling.ts";
import { timeSpanText } from "../../util/time-span.ts";
import { TIMEOUT_TEXT } from "./timeout.ts";
import { FIXTURES_TEXT } from "../../project/fixture-words.ts";
import { STRICT_GEOMETRY_TEXT, WALK_TEXT } from "../../project/world-choice.ts";

/** A shared flag sets either the command's input or an option of the command line itself. */
export interface SharedFlag extends Flag {
  readonly scope: "input" | "option";
}

const option = (
  name: string,
  {
    description,
    ...flag
  }: Omit<Flag, "name" | "key" | "sets" | "describe"> & { readonly description: string },
  key = name,
): SharedFlag => ({
  name,
  key,
  ...flag,
  describe: () => description,
  scope: "option",
  sets: (value) => ({ [key]: value }),
});
const ofInput = (flag: Flag): SharedFlag => ({ ...flag, scope: "input" });

const timeoutFlag: SharedFlag = {
  name: "timeout",
  key: "timeoutMs",
  kind: "time",
  label: "TIME",
  scope: "input",
  describe: () => TIMEOUT_TEXT,
  sets: (timeoutMs) => ({ timeoutMs }),
};

/** Which of the sessions that are there. */
const choosingFlags: readonly SharedFlag[] = flagsOf(sessionTargetSchema, {
  sessionId: {
    name: "session",
    alias: "s",
    kind: "string",
    label: "ID",
    describe: () =>
      `${sessionTargetSchema.field("sessionId").description ?? ""}; SB_SESSION sets it for every command`,
  },
  instanceId: { name: "instance", kind: "string", label: "ID" },
  context: { kind: "string", label: "CONTEXT" },
  player: { kind: "string", label: "PLAYER" },
}).map(ofInput);

const headlessFlag = option("headless", {
  kind: "boolean",
  description: "Use a headless Studio that only this command sees and that ends with it",
});
const placeFlag = option("place", {
  kind: "string",
  label: "FILE",
  description: "Open this place; with --headless also a model or a Rojo project",
});
const headlessPlaceFlag: SharedFlag = {
  ...placeFlag,
  describe: () => "With --headless: open this place, model or Rojo project",
};

const patchFlags: readonly SharedFlag[] = [
  option(
    "in-place",
    { kind: "boolean", description: "With --headless --place FILE: write the change into FILE" },
    "inPlace",
  ),
  option(
    "output",
    {
      alias: "o",
      kind: "string",
      label: "OUT",
      description: "With --headless --place FILE: write the changed place to OUT, a .rbxl or .rbxlx file",
    },
    "placeOutput",
  ),
];

const dataFlag = option("data", {
  ...dataSpelling,
  description: `With --headless: ${DATA_TEXT}`,
});
const throttleFlag = option("throttle", {
  kind: "boolean",
  description: `With --data: ${THROTTLE_TEXT}`,
});
const walkFlag = option("walk", {
  kind: "boolean",
  negatable: true,
  description: `With --headless: ${WALK_TEXT}`,
});
const strictGeometryFlag = option(
  "strict-geometry",
  { kind: "boolean", description: `With --headless: ${STRICT_GEOMETRY_TEXT}` },
  "strictGeometry",
);
const fixturesFlag = option("fixtures", {
  kind: "string",
  label: "FILE",
  lookup: "files",
  description: `With --headless: ${FIXTURES_TEXT}`,
});
const memoryFlag = option(
  "memory",
  { kind: "number", label: "MB", description: `With --headless: ${MEMORY_TEXT}` },
  "memoryLimitMb",
);

const screenFlagOptions: readonly SharedFlag[] = [
  option("viewport", { ...viewportSpelling, description: `With --headless: ${VIEWPORT_TEXT}` }),
  option("insets", { ...insetsSpelling, description: `With --headless: ${INSETS_TEXT}` }),
  option("device", { ...deviceSpelling, description: `With --headless: ${DEVICE_TEXT}` }),
  option("fonts", { ...fontsSpelling, description: `With --headless: ${FONTS_TEXT}` }),
];

const logsFlag = option("logs", {
  kind: "boolean",
  negatable: true,
  description:
    "Show what the script prints, as it does by default; --no-logs shows only its values and its failure",
});

type Facts = Pick<
  CommandFacts,
  | "target"
  | "cli"
  | "waitsFor"
  | "repeats"
  | "withoutStudio"
  | "launchesStudio"
  | "defaultContext"
  | "isForWholeStudio"
  | "patchesPlace"
>;

/** Only those that make a difference to the command. */
function sessionFlagsOf({
  target: kind,
  cli,
  withoutStudio,
  launchesStudio,
  patchesPlace,
  ...requests
}: Facts): SharedFlag[] {
  if (kind !== "session") return [];
  const request = requests.waitsFor ?? requests.repeats;
  const isNamed = cli.positionals?.some(({ key, required }) => key === "sessionId" && required === true);
  const opening = [
    headlessFlag,
    launchesStudio === true ? placeFlag : headlessPlaceFlag,
    ...(request === "execute"
      ? [dataFlag, throttleFlag, fixturesFlag, walkFlag, strictGeometryFlag, memoryFlag, ...screenFlagOptions]
      : []),
    ...(patchesPlace === true ? patchFlags : []),
  ];
  return [
    ...(isNamed === true ? [] : choosingFlagsOf(requests)),
    ...(isNamed === true || withoutStudio !== undefined ? [] : opening),
    ...(request === undefined ? [] : [timeoutFlagOf(request)]),
  ];
}

/** A context makes no difference to a command for a whole Studio, which says so where one is given. */
function choosingFlagsOf({ defaultContext = "edit", isForWholeStudio }: Partial<Facts>): SharedFlag[] {
  return choosingFlags.map((flag) => {
    if (flag.key !== "context" && flag.key !== "player") return flag;
    if (isForWholeStudio === true) return { ...flag, hidden: true };
    if (flag.key === "player") return flag;
    return { ...flag, describe: () => `${flag.describe()} (default: ${defaultContext})` };
  });
}

/** The time that the action table gives it. */
function timeoutFlagOf(action: ActionName): SharedFlag {
  const { timeoutMs } = actions[action];
  return {
    ...timeoutFlag,
    describe: () => `${timeoutFlag.describe()} (default: ${timeSpanText(timeoutMs)})`,
  };
}

/** `--quiet` of commands that run scripts: without the dimmed lines beside their output. */
export const quietSpelling = { alias: "q", kind: "boolean" } as const;

const portFlag = option("port", {
  kind: "number",
  label: "PORT",
  description: "Port of the bridge host; SB_PORT sets it for every command",
});
const remoteFlag = option("remote", {
  kind: "string",
  label: "HOST[:PORT]",
  description: "Bridge host on another machine",
});
const unpairedFlag = option(
  "allow-unpaired",
  { kind: "boolean", description: "Talk to plugins without this machine's key (unsafe)" },
  "allowUnpaired",
);

function connectionFlagsOf({ target: kind, cli }: Facts): SharedFlag[] {
  if (kind === "none" && cli.mayConnect !== true) return [];
  return cli.isLocal === true ? [portFlag, unpairedFlag] : [portFlag, remoteFlag, unpairedFlag];
}

const yesFlag = option("yes", {
  alias: "y",
  kind: "boolean",
  description: "Answer every question with yes",
});

const generalFlags: readonly SharedFlag[] = [
  option("json", { kind: "boolean", description: "Print JSON" }),
  option("pretty", {
    kind: "boolean",
    negatable: true,
    hidden: true,
    description: "Print JSON over several lines",
  }),
  option("verbose", { kind: "boolean", description: "Show what happens behind the scenes" }),
  option("help", { alias: "h", kind: "boolean", description: "Show this help" }),
];

interface FlagSection {
  readonly title: string;
  readonly flags: readonly SharedFlag[];
}

/** Every flag that commands share. */
export const everySharedFlag: readonly SharedFlag[] = [
  ...choosingFlags,
  headlessFlag,
  placeFlag,
  ...patchFlags,
  dataFlag,
  throttleFlag,
  fixturesFlag,
  walkFlag,
  strictGeometryFlag,
  memoryFlag,
  ...screenFlagOptions,
  timeoutFlag,
  portFlag,
  remoteFlag,
  unpairedFlag,
  yesFlag,
  logsFlag,
  ...generalFlags,
];

/** Every flag of a command, its own first; a name that the command spells itself is not shared. */
export function flagSections(command: Facts): FlagSection[] {
  const own = (command.cli.flags ?? []).map((flag): SharedFlag => ({ ...flag, scope: "input" }));
  const taken = new Set(own.map(({ name }) => name));
  const shared = (flags: readonly SharedFlag[]) => flags.filter(({ name }) => !taken.has(name));
  return [
    { title: "Flags", flags: own },
    { title: "Which Studio", flags: shared(sessionFlagsOf(command)) },
    { title: "Bridge", flags: shared(connectionFlagsOf(command)) },
    {
      title: "General",
      flags: shared([
        ...(command.waitsFor === "execute" ? [logsFlag] : []),
        ...(command.cli.asks === true ? [yesFlag] : []),
        ...generalFlags,
      ]),
    },
  ].filter(({ flags }) => flags.length > 0);
}
