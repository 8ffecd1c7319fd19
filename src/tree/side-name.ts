/** What callers call a side of a comparison: a context, a session, a checkpoint or a file. */
import { invalidInput } from "../protocol/messages.ts";

/** What a person or an agent calls a side. */
export type SideName =
  | { readonly kind: "context"; readonly context: "edit" | "server" | "client"; readonly player?: string }
  | { readonly kind: "checkpoint"; readonly name: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "session"; readonly sessionId: string };

const FILE = /\.(?:rbxlx?|rbxmx?|project\.jsonc?)$/i;

export const FILE_KIND = {
  noun: "place, model or project file",
  names: "a .rbxl, .rbxlx, .rbxm, .rbxmx or .project.json file",
  isOne: (path: string) => FILE.test(path),
};

export function readSideName(text: string): SideName {
  const [first = "", ...rest] = text.split(":");
  const after = rest.join(":");
  if (text === "edit" || text === "server" || text === "client") return { kind: "context", context: text };
  if (first === "client" && after !== "") return { kind: "context", context: "client", player: after };
  if (first === "checkpoint" && after !== "") return { kind: "checkpoint", name: after };
  if (FILE.test(text) || text.includes("/") || text.includes("\\")) return { kind: "file", path: text };
  if (text === "")
    throw invalidInput(
      "A side of the comparison has no name.",
      "Use edit, server, client:2, checkpoint:NAME, a session id or a file.",
    );
  return { kind: "session", sessionId: text };
}
