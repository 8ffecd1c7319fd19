/** Edits of random configurations, with unusual layout and comments in every gap. */
import { expect, test } from "bun:test";
import { readJson, removeJsonServer, setJsonServer } from "../../../src/mcp-setup/json-server.ts";
import { Random } from "../../simulator/random.ts";

const DOCUMENTS = 4_000;
const entry = { command: "/bin/sb", args: ["mcp"] };

/** Writes one document; `studio-bridge` is never in it. */
class Writer {
  readonly #random: Random;
  readonly #lineEnd: string;
  #comments = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#lineEnd = this.#pick(["\n", "\r\n"]);
  }

  document(): string {
    return this.#gap() + this.#object(3, this.#random.chance(0.6) ? ["mcpServers"] : []) + this.#gap();
  }

  #pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.#random.below(choices.length)] ?? choices[0];
  }

  #gap(): string {
    const piece = () =>
      this.#pick([
        " ",
        "\t",
        this.#lineEnd,
        `${this.#lineEnd}  `,
        `/* ${(this.#comments += 1)}, */`,
        `// ${(this.#comments += 1)}, "${this.#lineEnd}`,
      ]);
    return Array.from({ length: this.#random.below(3) }, piece).join("");
  }

  #object(depth: number, wanted: readonly string[]): string {
    const names = [...wanted, ...["a", "b,", "c // no"].filter(() => this.#random.chance(0.3))];
    return this.#list(names, "{}", (name) => {
      const value = name === "mcpServers" ? this.#object(depth - 1, []) : this.#value(depth - 1);
      return `${JSON.stringify(name)}${this.#gap()}:${this.#gap()}${value}`;
    });
  }

  #value(depth: number): string {
    const roll = this.#random.next();
    if (depth > 0 && roll > 0.7) return this.#object(depth, []);
    if (depth > 0 && roll > 0.5) return this.#list(["", ""], "[]", () => this.#value(depth - 1));
    return this.#pick(["1", '"a,}"', "true", "null", '"// no"', "-2.5e3", String.raw`"\""`]);
  }

  #list(items: readonly string[], [open = "", close = ""]: string, write: (item: string) => string): string {
    const body = items.map((item, index) => {
      const hasComma = index < items.length - 1 || this.#random.chance(0.2);
      return `${write(item)}${this.#gap()}${hasComma ? "," : ""}${this.#gap()}`;
    });
    return `${open}${this.#gap()}${body.join("")}${close}`;
  }
}

const commentsOf = (text: string) => text.match(/\/\* \d+, \*\/|\/\/ \d+, "/g) ?? [];

test("set adds the server and remove takes it out, and nothing else changes", () => {
  for (let seed = 0; seed < DOCUMENTS; seed += 1) {
    const text = new Writer(seed).document();
    const before = Object(readJson(text));
    const after = setJsonServer(text, "mcpServers", "studio-bridge", entry);
    const removed = removeJsonServer(after, "mcpServers", "studio-bridge");
    const servers = before.mcpServers ?? {};
    expect([text, readJson(after), readJson(removed), commentsOf(after), commentsOf(removed)]).toEqual([
      text,
      { ...before, mcpServers: { ...servers, "studio-bridge": entry } },
      { ...before, mcpServers: servers },
      commentsOf(text),
      commentsOf(text),
    ]);
    expect(setJsonServer(after, "mcpServers", "studio-bridge", entry)).toBe(after);
  }
});
