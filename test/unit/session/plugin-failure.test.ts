import { expect, test } from "bun:test";
import { inCommandWords } from "../../../src/session/plugin-failure.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";

const told = (code: "INVALID_PAYLOAD" | "INSTANCE_NOT_FOUND", message: string, path?: string) =>
  inCommandWords(new StudioBridgeError(code, message, { data: { details: { path } } }));

test("a path in a failure of the plugin is shown without game, as everywhere", () => {
  expect(told("INSTANCE_NOT_FOUND", "No instance found at path: game.Workspace.Nope")).toMatchObject({
    code: "INSTANCE_NOT_FOUND",
    message: "No instance found at path: Workspace.Nope",
  });
});

test("a text that is no path is named, with the position in what was typed", () => {
  const fault = "payload.path: [0] at character 15: positions count from 1";
  expect(told("INVALID_PAYLOAD", fault, "game.Workspace[0]")).toMatchObject({
    code: "INVALID_INPUT",
    message: "Not a path: Workspace[0]: [0] at character 10: positions count from 1",
  });
});

test("any other failure stays as it is", () => {
  const error = new StudioBridgeError("INVALID_PAYLOAD", "payload.focus: expected a boolean");
  expect(inCommandWords(error)).toBe(error);
  expect(inCommandWords("text")).toBe("text");
});
