/** Runs a plugin script in a Studio window of the working tree until it prints `done`, and gives what was logged. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPlaceAsync } from "../../../../src/headless/bytes/place-file.ts";
import { encodePluginTree } from "../../../../src/headless/process/plugin-tree-text.ts";
import { LOG_TYPE } from "../../../../src/headless/bytes/host-ops.ts";
import { USUAL_WORLD, type WorldChoice } from "../../../../src/headless/window/world-choice.ts";
import { StudioWindow } from "../../../../src/headless/window/window.ts";
import { vmMark } from "../../../../src/headless/process/worker-messages.ts";
import { PATIENCE_MS } from "../../../harness.ts";
import { assets, noNetwork } from "../../../headless/run-spec.ts";

/** Functions that the sources of tests may use; `plugin` is a global as well. */
const HELPERS = `
local Tests = game:GetService("StudioTestService")
local function add(className, source, parent, name)
	local script = Instance.new(className)
	script.Name = name or className
	script.Source = source
	script.Parent = parent
	return script
end
`.replaceAll("\n", " ");

/** Ends the test, for the sources of tests. */
export const END = `game:GetService("StudioTestService"):EndTest({})`;

/** A line with this, of any DataModel, cancels the script of the edited one. */
export const CANCEL_EDIT = "cancel edit";

/** The place in an .rbxlx file with these items, for `runPlayAsync`. */
export async function placeOfAsync(items: string): Promise<Uint8Array> {
  const path = join(tmpdir(), `sb-place-${process.pid}.rbxlx`);
  await Bun.write(path, `<roblox version="4">${items}</roblox>`);
  const { place } = await readPlaceAsync(path).finally(() => rm(path));
  return place;
}

/** Without the last line, which is `done`. `source` runs in the plugin of the edit DataModel only; `everywhere` in the plugin of each. */
export async function runPlayAsync(
  source: string,
  everywhere = "",
  place?: Uint8Array,
  world?: Partial<WorldChoice>,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const cancelFlag = new Int32Array(1);
  const body = `${HELPERS} ${everywhere} if game:GetService("RunService"):IsEdit() then ${source}\nprint("done") end`;
  const tree = { name: "Plugin", className: "Script" as const, source: body, children: [] };
  using _window = new StudioWindow({
    assets,
    host: {
      ...noNetwork,
      log: (type, text) => {
        if (text.endsWith(CANCEL_EDIT)) cancelFlag[0] = vmMark("edit");
        if (text === "done") resolve();
        else if (type === LOG_TYPE.error && text.startsWith("Plugins.Plugin:")) reject(new Error(text));
        else lines.push(text);
      },
    },
    settings: new Map(),
    ...(place === undefined ? {} : { place }),
    world: { ...USUAL_WORLD, ...world },
    plugin: encodePluginTree("Place1", tree),
    cancelFlag,
    onBusy: () => {},
    onDead: (reason) => reject(new Error(reason)),
  });
  const timer = setTimeout(() => reject(new Error(`no end; so far:\n${lines.join("\n")}`)), PATIENCE_MS);
  await done.finally(() => clearTimeout(timer));
  return lines;
}

/** A script of the server and one of each client, of which either may end the test; `start` runs when they are in place. */
export const sides = (server: string, client: string, start = "Tests:ExecutePlayModeAsync({})"): string => `
  add("Script", [==[ ${server} ]==], game:GetService("ServerScriptService"))
  add("LocalScript", [==[ ${client} ]==], game:GetService("StarterPlayer").StarterPlayerScripts)
  ${start}
`;

/** Plays with one player; `setUp` changes the edited place first. */
export const playAsync = (
  setUp: string,
  server: string,
  client = "",
  place?: Uint8Array,
): Promise<readonly string[]> =>
  runPlayAsync(sides(server, client, `${setUp} Tests:ExecutePlayModeAsync({})`), "", place);

/** The lines of one DataModel: only they have an order among each other. */
export const linesOf = (prefix: string, lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith(prefix));
