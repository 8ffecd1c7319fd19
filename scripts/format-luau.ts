/** Formats the project's Luau with StyLua, under the settings of .stylua.toml. */
import { join } from "node:path";
import {
  CallParenType,
  Config,
  formatCode,
  IndentType,
  LineEndings,
  LuaVersion,
  OutputVerification,
  QuoteStyle,
} from "@johnnymorganz/stylua";
import { z } from "zod";

const root = join(import.meta.dir, "..");
/** Definition files (`*.d.luau`) are in a language of the analyzer's own, which StyLua does not read. */
const FORMATTED = "{plugin,src,test,scripts,examples}/**/*.luau";

const settingsSchema = z.strictObject({
  syntax: z.enum(["Luau"]),
  column_width: z.int(),
  line_endings: z.enum(["Unix", "Windows"]),
  indent_type: z.enum(["Tabs", "Spaces"]),
  indent_width: z.int(),
  quote_style: z.enum(["AutoPreferDouble", "AutoPreferSingle", "ForceDouble", "ForceSingle"]),
  call_parentheses: z.enum(["Always", "NoSingleString", "NoSingleTable", "None", "Input"]),
});

type Settings = z.output<typeof settingsSchema>;

/** `formatCode` consumes the configuration that it is given, so each file needs a new one. */
function newConfig(settings: Settings): Config {
  const config = Config.new();
  config.syntax = LuaVersion[settings.syntax];
  config.column_width = settings.column_width;
  config.line_endings = LineEndings[settings.line_endings];
  config.indent_type = IndentType[settings.indent_type];
  config.indent_width = settings.indent_width;
  config.quote_style = QuoteStyle[settings.quote_style];
  config.call_parentheses = CallParenType[settings.call_parentheses];
  return config;
}

async function readSettingsAsync(): Promise<Settings> {
  return settingsSchema.parse(Bun.TOML.parse(await Bun.file(join(root, ".stylua.toml")).text()));
}

function formatOnce(text: string, settings: Settings, verification: OutputVerification): string {
  return formatCode(text, newConfig(settings), undefined, verification);
}

function formatText(text: string, file: string, settings: Settings): string {
  try {
    // Most files are formatted already, and proving that the code is still the same takes as long as formatting it.
    if (formatOnce(text, settings, OutputVerification.None) === text) return text;
    const once = formatOnce(text, settings, OutputVerification.Full);
    // StyLua decides about some long calls only when it sees its own output.
    return formatOnce(once, settings, OutputVerification.Full);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Formats every Luau file and returns the paths of those that were not formatted. `check` leaves the files alone. */
export async function formatLuauAsync({ check }: { readonly check: boolean }): Promise<string[]> {
  const settings = await readSettingsAsync();
  const changed: string[] = [];
  for await (const path of new Bun.Glob(FORMATTED).scan({ cwd: root })) {
    const file = path.replaceAll("\\", "/");
    if (file.endsWith(".d.luau")) continue;
    const text = await Bun.file(join(root, file)).text();
    const formatted = formatText(text, file, settings);
    if (formatted === text) continue;
    changed.push(file);
    if (!check) await Bun.write(join(root, file), formatted);
  }
  return changed.sort();
}
