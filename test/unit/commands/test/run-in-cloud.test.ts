/** The callers that may run tests in the cloud of Roblox, and the target that `--on cloud` means in a project. */
import { expect, test } from "bun:test";
import { checkCloudUse, ownCloud } from "../../../../src/commands/test/run-in-cloud.ts";
import { parseTarget } from "../../../../src/testing/target.ts";

const OWN = { universe: 11, places: [22, 33] };
const target = parseTarget("cloud:11/22");
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
  expect(() => checkCloudUse(target, undefined, {})).not.toThrow();
});

test("an agent may use the cloud only if its server allows it, and only in the universe of the project", () => {
  const use = (allowsCloud: boolean, universe: number) => () =>
    checkCloudUse(target, { ...OWN, universe }, { ...agent, allowsCloud });
  expect(use(false, 11)).toThrow("This server does not run tests in the cloud.");
  expect(use(true, 12)).toThrow("only in the universe that sb.config.json names");
  expect(use(true, 11)).not.toThrow();
  expect(() => checkCloudUse(parseTarget("headless"), undefined, agent)).not.toThrow();
});
