/** The addresses of resources: which resource a URI names, and the descriptions of the URI templates. */
import type { ResourceTemplate } from "../wire/mcp-types.ts";
import { RESULT_TEMPLATE } from "./kept-results.ts";

export const SESSIONS_URI = "studio://sessions";

export type StudioUri =
  | { readonly kind: "sessions" }
  | { readonly kind: "logs"; readonly sessionId: string }
  | { readonly kind: "tree" | "script"; readonly sessionId: string; readonly path: string };

/** Undefined for an address that names nothing here. */
export function parseStudioUri(uri: string): StudioUri | undefined {
  if (uri === SESSIONS_URI) return { kind: "sessions" };
  const match = /^studio:\/\/([^/]+)\/(logs|tree|script)(?:\/(.+))?$/.exec(uri);
  const [, sessionId = "", kind, rest] = match ?? [];
  const path = rest === undefined ? undefined : decoded(rest);
  if (kind === "logs" && rest === undefined) return { kind, sessionId };
  if ((kind === "tree" || kind === "script") && path !== undefined) return { kind, sessionId, path };
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export const logsUri = (sessionId: string) => `studio://${sessionId}/logs`;

export const resultTemplate: ResourceTemplate = {
  uriTemplate: RESULT_TEMPLATE,
  name: "result",
  title: "A part of a long answer",
  description: "Tools name these addresses where they had to cut an answer.",
  mimeType: "text/plain",
};

export const studioTemplates: readonly ResourceTemplate[] = [
  {
    uriTemplate: "studio://{sessionId}/logs",
    name: "logs",
    title: "Output of a session",
    description: "The latest lines that a session printed. Can be subscribed to.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "studio://{sessionId}/tree/{path}",
    name: "tree",
    title: "Part of the DataModel",
    description:
      "An Instance, its attributes and its children, by a path such as Workspace.Baseplate. Can be subscribed to.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "studio://{sessionId}/script/{path}",
    name: "script",
    title: "Source of a script",
    description: "The source of a Script, LocalScript or ModuleScript, by its path. Can be subscribed to.",
    mimeType: "text/x-luau",
  },
  resultTemplate,
];
