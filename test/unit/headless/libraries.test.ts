/** Luau libraries from npm that nobody here wrote, unchanged, in edit and in play mode; TestEZ runs the specs. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readPlaceAsync } from "../../../src/headless/files/place-file.ts";
import { runPlayAsync } from "./play-window.ts";

const PROJECT = join(import.meta.dir, "../../libraries/default.project.json");

const RUN_SPECS = `
local Storage = game:GetService("ReplicatedStorage")
local TestEZ = require(Storage.TestEZ)
local results = TestEZ.TestBootstrap:run({ Storage.Specs }, { report = function() end })
print(results.successCount, results.failureCount, results.skippedCount)
for _, message in results.errors do print(message) end
`;

const { place } = await readPlaceAsync(PROJECT);

test("pass their specs in edit mode", async () => {
  expect(await runPlayAsync(RUN_SPECS, "", place)).toEqual(["25 0 0"]);
});

test("pass their specs as a script of the place on the server", async () => {
  const lines = await runPlayAsync(
    `add("Script", [==[${RUN_SPECS} game:GetService("StudioTestService"):EndTest()]==], game:GetService("ServerScriptService"))
     Tests:ExecuteRunModeAsync()`,
    "",
    place,
  );
  expect(lines).toEqual(["[server] 25 0 0"]);
});
