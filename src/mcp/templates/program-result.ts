/** Makes the text that an agent reads about a program that has run. */
import type { StudioBridgeError } from "../../protocol/errors.ts";
import type { ToolResult } from "../server/features.ts";
import type { ProgramOutcome } from "../../programs/run-program.ts";

export function programResult(
  program: string,
  { exitCode, signalName, isTimedOut, stdout, stderr }: ProgramOutcome,
  timeoutMs: number | undefined,
): ToolResult {
  if (exitCode === 0 && !isTimedOut) return texts(stdout, ...(stderr === "" ? [] : [`stderr:\n${stderr}`]));
  const how = isTimedOut
    ? `timed out after ${(timeoutMs ?? 0) / 1000} s and was ended`
    : signalName === undefined
      ? `failed with exit code ${exitCode}`
      : `was ended by ${/^\d/.test(signalName) ? `signal ${signalName}` : signalName}`;
  const parts = [
    `${program} ${how}`,
    ...(stderr === "" ? [] : [`stderr:\n${stderr}`]),
    ...(stdout === "" ? [] : [`stdout:\n${stdout}`]),
  ];
  return { ...texts(parts.join("\n\n")), isError: true };
}

/** A failed call as something the agent can act on. */
export function errorResult(error: StudioBridgeError): ToolResult {
  const { message, hint } = error;
  return { ...texts(hint === "" ? message : `${message}\n${hint}`), isError: true };
}

function texts(...parts: readonly string[]): ToolResult {
  return { content: parts.map((text) => ({ type: "text", text })) };
}
