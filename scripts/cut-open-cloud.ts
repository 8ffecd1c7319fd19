/**
 * Cuts Roblox's description of Open Cloud down to the calls that `sb test --on cloud` makes, for the fake service of the
 * tests: `bun scripts/cut-open-cloud.ts openapi.json`, with the file `content/en-us/reference/cloud/openapi.json` of
 * https://github.com/Roblox/creator-docs. Only facts are kept (paths, fields, types, limits), no prose.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const TARGET = join(import.meta.dir, "../test/cloud/open-cloud.json");
const TASK = "/cloud/v2/universes/{universe_id}/places/{place_id}";
const SESSION = `${TASK}/versions/{version_id}/luau-execution-sessions/{luau_execution_session_id}/tasks/{task_id}`;
const PATHS = [
  "/cloud/v2/universes/{universe_id}/luau-execution-session-task-binary-inputs",
  `${TASK}/luau-execution-session-tasks`,
  `${TASK}/versions/{version_id}/luau-execution-session-tasks`,
  SESSION,
  `${SESSION}/logs`,
  "/universes/v1/{universeId}/places/{placeId}/versions",
];

/** Keys that hold facts. Everything else is prose, or is about the documentation itself. */
const KEPT = new Set([
  ...[
    "$ref",
    "additionalProperties",
    "content",
    "enum",
    "format",
    "in",
    "items",
    "maxInPeriod",
    "name",
    "nullable",
  ],
  ...[
    "period",
    "perApiKeyOwner",
    "properties",
    "readOnly",
    "required",
    "requestBody",
    "responses",
    "schema",
    "type",
  ],
  ...["parameters", "x-roblox-rate-limits", "x-roblox-scopes", "x-roblox-size-limit"],
]);
/** Below these, keys are names of the service. */
const NAMED = new Set(["content", "properties", "responses"]);

function facts(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((each) => facts(each));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNamed || KEPT.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, facts(inner, !isNamed && NAMED.has(key))]));
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
}

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("name the openapi.json of creator-docs");
const { openapi, paths, components } = await Bun.file(source).json();
const cutPaths = Object.fromEntries(
  PATHS.map((path) => {
    if (paths[path] === undefined) throw new Error(`the description has no ${path}`);
    const calls = Object.entries(paths[path]).map(([method, call]) => [method, facts(call)]);
    return [path, Object.fromEntries(calls)];
  }),
);
const schemas: Record<string, unknown> = {};
for (let wanted = namesIn(cutPaths); wanted.length > 0;) {
  for (const name of wanted) schemas[name] = facts(components.schemas[name]);
  wanted = namesIn(schemas).filter((name) => !(name in schemas));
}
const info = {
  title: "The calls of Open Cloud that sb makes",
  source:
    "content/en-us/reference/cloud/openapi.json of https://github.com/Roblox/creator-docs, CC BY 4.0, shortened",
};
await writeFile(
  TARGET,
  `${JSON.stringify({ openapi, info, paths: cutPaths, components: { schemas } }, null, 1)}\n`,
);
