/** The commands by name. Each is a module of its own, which is loaded when its command is first asked for. */
import type { Command } from "./definition.ts";

type Loader = () => Promise<{ readonly command: Command }>;

export class Catalog {
  readonly #loaders: ReadonlyMap<string, Loader>;

  constructor(loaders: { readonly [name: string]: Loader }) {
    this.#loaders = new Map(Object.entries(loaders));
  }

  /** In the order of help. */
  get names(): readonly string[] {
    return [...this.#loaders.keys()];
  }

  async findAsync(name: string): Promise<Command | undefined> {
    const module = await this.#loaders.get(name)?.();
    return module?.command;
  }

  async allAsync(): Promise<readonly Command[]> {
    const modules = await Promise.all([...this.#loaders.values()].map((load) => load()));
    return modules.map(({ command }) => command);
  }
}
