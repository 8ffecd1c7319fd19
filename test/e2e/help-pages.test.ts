/** The pages that the binary has packed are those of docs/, with every character. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { helpPageAsync, helpPages } from "../../src/command-kit/words/help-pages.ts";
import { Sandbox } from "../harness.ts";

let box: Sandbox;
beforeAll(async () => {
  box = await Sandbox.createAsync();
});
afterAll(() => box[Symbol.asyncDispose]());

test.each(helpPages)("sb help $name shows what the page says", async ({ name }) => {
  const page = (await helpPageAsync(name)) ?? "no such page";
  const { exitCode, stdout } = await box.localSbAsync(["help", name]);
  expect(exitCode).toBe(0);
  // Behind it stands the help of a command of that name.
  expect(stdout.trim().slice(0, page.length)).toBe(page);
});
