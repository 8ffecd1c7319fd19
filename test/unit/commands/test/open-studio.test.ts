/** Whether the user is asked before tests run in an open Studio. */
import { expect, test } from "bun:test";
import type { CommandContext } from "../../../../src/command-kit/context.ts";
import { openStudioAsync } from "../../../../src/commands/test/open-studio.ts";
import { CommandWorld } from "../../command-kit/command-world.ts";

const world = new CommandWorld();
const opening = { placeFile: undefined, folder: "/game", scripts: [], allowStale: false };

/** A surface whose user gives this answer; undefined for a surface that cannot ask. */
const surface = (answer?: boolean): { readonly context: CommandContext; readonly asked: string[] } => {
  const asked: string[] = [];
  const confirmAsync = async (question: string) => {
    asked.push(question);
    return answer;
  };
  return {
    asked,
    context: {
      ...world.caller(),
      caller: { id: "c1", name: "test" },
      signal: new AbortController().signal,
      note: () => {},
      ...(answer === undefined ? {} : { confirmAsync }),
    },
  };
};

test("the user is asked before tests run in a published place", async () => {
  using _plugin = (await world.studioAsync({ placeName: "Live", placeId: 42 })).plugin;
  const { context, asked } = surface(true);
  await using opened = await openStudioAsync({ kind: "studio" }, opening, context);
  expect(opened.session.placeId).toBe(42);
  expect(asked).toEqual(["Live is a published place. Run tests in it?"]);
});

test("nothing runs in a published place if the user says no or cannot be asked", async () => {
  using _plugin = (await world.studioAsync({ placeName: "Live", placeId: 42 })).plugin;
  for (const answer of [false, undefined])
    await expect(openStudioAsync({ kind: "studio" }, opening, surface(answer).context)).rejects.toMatchObject(
      {
        code: "INVALID_INPUT",
        message: "Tests may change Live, and it is a published place.",
        hint: expect.stringContaining("--yes"),
      },
    );
});

test.each([
  [true, ["Own may have changes that are not saved. Run tests in it?"]],
  [false, []],
])(
  "a place in which something can be undone (%p) may have changes that are not saved",
  async (canUndo, questions) => {
    const { plugin } = await world.studioAsync({ placeName: "Own" });
    using _plugin = plugin;
    plugin.on("execute", (request) =>
      plugin.reply(request, "scriptComplete", {
        success: true,
        returnValues: [canUndo],
        outputCount: 0,
        durationMs: 1,
      }),
    );
    const { context, asked } = surface(true);
    await using opened = await openStudioAsync({ kind: "studio" }, opening, context);
    expect(opened.session.placeName).toBe("Own");
    expect(asked).toEqual(questions);
  },
);
