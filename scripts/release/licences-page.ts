/** The page of licences, which is in every archive and in every npm package that has an executable. */
import type { Component } from "./components.ts";
import { standardTextAsync } from "./standard-texts.ts";

const RULE = "=".repeat(80);

const introduction = `sb contains these works of others. Most are under a licence of which many works share the text; such a text
stands once, at the end of this page.

Works under the LGPL (JavaScriptCore, tinycc) and the MPL are used as their authors publish them, at the addresses below, as
part of Bun. To use them with changes of your own, build Bun from its sources, and then sb with that Bun: the sources of
sb name the place of its executable in scripts/release/runtimes.ts.`;

/** A chapter for each component, then the standard texts that they name. */
export async function licencesPageAsync(components: readonly Component[]): Promise<string> {
  const names = [...new Set(components.flatMap(({ texts }) => texts))].toSorted();
  const texts = names.map(async (name) =>
    [RULE, `The text of ${name}`, "", await textAsync(name)].join("\n"),
  );
  return `${[introduction, ...components.map(chapter), ...(await Promise.all(texts))].join("\n\n")}\n`;
}

const textAsync = async (name: string): Promise<string> => (await standardTextAsync(name)).trimEnd();

function chapter({ name, version, licence, copyright, texts, notice, source, part }: Component): string {
  return [
    RULE,
    `${[name, version].filter((word) => word !== undefined).join(" ")} (${licence}): ${part}`,
    ...(source === undefined ? [] : [source]),
    ...copyright,
    ...(texts.length === 0 ? [] : [`Its licence is at the end of this page: ${texts.join(", ")}.`]),
    ...(notice === undefined ? [] : ["", notice.trim()]),
  ].join("\n");
}
