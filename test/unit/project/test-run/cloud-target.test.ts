/** The callers that may run tests in the cloud of Roblox, and the target that `--on cloud` means in a project. */
import { expect, test } from "bun:test";
import { allowedTarget, ownCloud } from "../../../../src/project/test-run/cloud-target.ts";
import { StudioBridgeError } from "../../../../src/protocol/errors.ts";
import { parseTarget } from "../../../../src/testing/target.ts";

const OWN = { universe: 11, places: [22, 33] };
const agent = { fileRoots: { own: "/", othersAsync: async () => [] } };

test("--on cloud means the universe and the places of the settings", () => {
  expect(parseTarget("cloud", "--on", ownCloud({ cloud: OWN }))).toEqual({
    kind: "cloud",
    universe: 11,
    places: [22, 33],
  });
  expect(() => parseTarget("cloud", "--on", ownCloud({}))).toThrow("needs a universe and a place");
});

test("on the command line, any universe is allowed", () => {
  expect(allowedTarget("cloud:11/22", "--on", {}, {})).toMatchObject({ universe: 11 });
});

test("an agent may use the cloud only if its server allows it, and only in the universe of the project", () => {
  const use = (allowsCloud: boolean, universe: number) => () =>
    allowedTarget("cloud:11/22", "on", { cloud: { ...OWN, universe } }, { ...agent, allowsCloud });
  expect(use(false, 11)).toThrow("This server does not run tests in the cloud.");
  expect(use(true, 12)).toThrow("only in the universe that sb.config.json names under test.cloud, not in 11");
  expect(use(true, 11)).not.toThrow();
  expect(allowedTarget("headless", "on", {}, agent)).toEqual({ kind: "headless" });
});

test("an agent that may not use the cloud gets the user's next step, even if its target is incomplete", () => {
  const hintOf = (word: string, allowsCloud: boolean): string | undefined => {
    try {
      allowedTarget(word, "on", {}, { ...agent, allowsCloud });
    } catch (error) {
      return error instanceof StudioBridgeError ? error.agentHint : undefined;
    }
    return undefined;
  };
  const named = "name the universe and its places under test.cloud in sb.config.json.";
  for (const word of ["cloud", "cloud:11/22"]) {
    expect(hintOf(word, false)).toBe(
      `Leave out \`on\`, or have the user start it with \`sb mcp --allow-cloud\` and ${named}`,
    );
    expect(hintOf(word, true)).toBe(`Leave out \`on\`, or have the user ${named}`);
  }
});
