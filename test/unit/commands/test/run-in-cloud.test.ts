/** Who may run tests in the cloud of Roblox, and what `--on cloud` means in a project. */
import { expect, test } from "bun:test";
import { checkCloudUse, ownCloud } from "../../../../src/commands/test/run-in-cloud.ts";
import { parseTarget } from "../../../../src/testing/target.ts";

const OWN = { universe: 11, places: [22, 33] };
const target = parseTarget("cloud:11/22");
const agent = { fileRoots: { own: "/", othersAsync: async () => [] } };

test("cloud alone is the universe and the places of the project", () => {
  expect(parseTarget("cloud", "--on", ownCloud({ cloud: OWN }))).toEqual({
    kind: "cloud",
    universe: 11,
    places: [22, 33],
  });
  expect(() => parseTarget("cloud", "--on", ownCloud({}))).toThrow("needs a universe and a place");
});

test("a person may use any universe", () => {
  expect(() => checkCloudUse(target, undefined, {})).not.toThrow();
});

test("an agent may only where the server allows it, and only in the universe of the project", () => {
  const use = (allowsCloud: boolean, universe: number) => () =>
    checkCloudUse(target, { ...OWN, universe }, { ...agent, allowsCloud });
  expect(use(false, 11)).toThrow("This server does not run tests in the cloud.");
  expect(use(true, 12)).toThrow("only in the universe that sb.config.json names");
  expect(use(true, 11)).not.toThrow();
  expect(() => checkCloudUse(parseTarget("headless"), undefined, agent)).not.toThrow();
});
