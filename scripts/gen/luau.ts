/** The plugin's Luau constants, from the protocol tables. */
import {
  actionNames,
  actions,
  contexts,
  logLevels,
  studioStates,
  subscribableEvents,
} from "../../src/protocol/actions.ts";
import { wireErrorCodes } from "../../src/protocol/errors.ts";
import {
  HEALTH_PATH,
  intervals,
  limits,
  PLUGIN_PATH,
  PORT_CANDIDATES,
  PROTOCOL_VERSION,
} from "../../src/protocol/limits.ts";

type Literal = string | number | boolean | readonly Literal[] | { readonly [key: string]: Literal };

function luau(value: Literal, indent = ""): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object") return String(value);
  const inner = `${indent}\t`;
  const fields = Array.isArray(value)
    ? value.map((item: Literal) => `${inner}${luau(item, inner)},\n`)
    : Object.entries(value).map(([key, item]) => `${inner}${key} = ${luau(item, inner)},\n`);
  return `table.freeze({\n${fields.join("")}${indent}})`;
}

export function generatedLuau(): string {
  const actionTable = Object.fromEntries(
    actionNames.map((name) => {
      const { reply, timeoutMs, retrySafe } = actions[name];
      return [name, { reply, timeoutMs, retrySafe }];
    }),
  );
  const errorTable = Object.fromEntries(Object.keys(wireErrorCodes).map((code) => [code, code]));
  const constants: [name: string, value: Literal][] = [
    ["PROTOCOL_VERSION", PROTOCOL_VERSION],
    ["PORTS", PORT_CANDIDATES],
    ["PLUGIN_PATH", PLUGIN_PATH],
    ["HEALTH_PATH", HEALTH_PATH],
    ["LIMITS", limits],
    ["INTERVALS", intervals],
    ["CONTEXTS", contexts],
    ["STUDIO_STATES", studioStates],
    ["LOG_LEVELS", logLevels],
    ["SUBSCRIBABLE_EVENTS", subscribableEvents],
    ["ACTIONS", actionTable],
    ["ERROR_CODES", errorTable],
  ];
  const lines = constants.map(([name, value]) => `\t${name} = ${luau(value, "\t")},\n`);
  return [
    "--!strict\n",
    "-- Generated from src/protocol by `npm run gen`. Never edited by hand.\n",
    "\n",
    "return table.freeze({\n",
    ...lines,
    "\tBUILD = require(script.Parent.Parent.Build),\n",
    "})\n",
  ].join("");
}
