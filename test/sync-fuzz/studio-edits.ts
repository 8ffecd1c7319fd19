/** Random edits in an open Studio, as a person makes them. */
import type { BridgeSession } from "../../src/bridge/index.ts";
import type { Random } from "../simulator/random.ts";
import type { Tokens } from "./tokens.ts";
import program from "./studio-edit.luau" with { type: "text" };

const KINDS: readonly (readonly [weight: number, kind: string])[] = [
  [8, "add"],
  [10, "source"],
  [3, "type"],
  [5, "value"],
  [5, "attribute"],
  [3, "tag"],
  [3, "disable"],
  [6, "rename"],
  [5, "move"],
  [6, "remove"],
  [2, "clone"],
  [4, "class"],
  [2, "undo"],
  [1, "redo"],
];

export class StudioEdits {
  readonly #session: BridgeSession;
  readonly #random: Random;
  readonly #tokens: Tokens;
  readonly #isAllSynced: boolean;

  /** `isAllSynced`: whether the sync also takes over what files do not state. */
  constructor(session: BridgeSession, random: Random, tokens: Tokens, isAllSynced: boolean) {
    this.#session = session;
    this.#random = random;
    this.#tokens = tokens;
    this.#isAllSynced = isAllSynced;
  }

  /** Does one edit and says what was done. */
  async editAsync(): Promise<string> {
    let at = this.#random.below(KINDS.reduce((sum, [weight]) => sum + weight, 0));
    const [, kind] = KINDS.find(([weight]) => (at -= weight) < 0) ?? [0, "source"];
    const [done, before, after] = await this.#runAsync(kind);
    this.#tokens.changed(new Set(before), new Set(after));
    return `Studio: ${kind} ${done}`;
  }

  /** The words in all names, sources and values. */
  async tokensAsync(): Promise<ReadonlySet<string>> {
    const [, , present] = await this.#runAsync("look");
    return new Set(present);
  }

  /** What there is: each Instance with what it holds. */
  async pictureAsync(): Promise<readonly string[]> {
    const { returnValues } = await this.#session.callAsync("execute", { script: PICTURE });
    return listOf(returnValues[0]);
  }

  /** Changes the module of this name once it is there; undefined until then. */
  async answersAsync(name: string): Promise<true | undefined> {
    const { returnValues } = await this.#session.callAsync("execute", {
      script: `local module = game.ServerScriptService:FindFirstChild("${name}")
        if module then module.Source = "return 2" end
        return module ~= nil`,
    });
    return returnValues[0] === true ? true : undefined;
  }

  async #runAsync(kind: string): Promise<readonly [string, readonly string[], readonly string[]]> {
    const edit = {
      kind,
      token: kind === "look" ? "" : this.#tokens.next(),
      name: `${["M", "Cfg", "Util"][this.#random.below(3)]}${this.#random.below(5)}`,
      pick: this.#random.below(10_000),
      where: this.#random.below(10_000),
      isAllSynced: this.#isAllSynced,
    };
    const script = program.replace("GIVEN", luauOf(edit));
    const { success, error, returnValues } = await this.#session.callAsync("execute", { script });
    if (!success) throw new Error(`${kind}: ${error}`);
    const [done, before, after] = returnValues;
    return [String(done), listOf(before), listOf(after)];
  }
}

const PICTURE = `
  local lines = {}
  for _, top in { game.ReplicatedStorage, game.ServerScriptService } do
    for _, each in top:GetDescendants() do
      local parts = { each:GetFullName(), each.ClassName, table.concat(each:GetTags(), ",") }
      if each:IsA("LuaSourceContainer") then table.insert(parts, each.Source) end
      if each:IsA("BaseScript") then table.insert(parts, tostring(each.Enabled)) end
      if each:IsA("StringValue") then table.insert(parts, each.Value) end
      if each:IsA("LocalizationTable") then table.insert(parts, each:GetContents()) end
      local attributes = {}
      for name, value in each:GetAttributes() do table.insert(attributes, name .. "=" .. tostring(value)) end
      table.sort(attributes)
      table.insert(lines, table.concat(parts, " | ") .. " | " .. table.concat(attributes, ","))
    end
  end
  table.sort(lines)
  return lines`;

const luauOf = (table: { readonly [name: string]: string | number | boolean }): string =>
  `{ ${Object.entries(table)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(", ")} }`;

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
