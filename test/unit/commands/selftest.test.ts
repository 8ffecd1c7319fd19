/** What `sb selftest` refuses before it checks anything. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { ContextByTarget } from "../../../src/command-kit/context.ts";
import { command } from "../../../src/commands/selftest.ts";

test("in a published place, sb selftest asks first, and does nothing without an answer", async () => {
  const asked: string[] = [];
  const published = { placeId: 4711, origin: "user", context: "edit" } as const;
  const contextWith = (answer: boolean | undefined) =>
    ({
      session: published,
      confirmAsync: async (question: string) => {
        asked.push(question);
        return answer;
      },
    }) as unknown as ContextByTarget["session"];
  if (!("prepareAsync" in command)) throw new Error("it reads its flags before a Studio is opened");
  const input = { only: [], play: false, report: undefined };
  const handle = await command.prepareAsync(input, contextWith(undefined));
  if (typeof handle !== "function") throw new Error("it has a handler");
  for (const answer of [undefined, false])
    await expect(handle(contextWith(answer))).rejects.toThrow("The self-test was not run");
  expect(asked).toEqual(Array(2).fill(expect.stringContaining("This place is published.")));
});

test("a report in a folder that does not exist is refused before the self-test", async () => {
  if (!("prepareAsync" in command)) throw new Error("it reads its flags before a Studio is opened");
  const input = { only: [], play: false, report: join(import.meta.dir, "no-such-folder/report") };
  await expect((async () => command.prepareAsync(input, {} as ContextByTarget["session"]))()).rejects.toThrow(
    "its folder does not exist",
  );
});
