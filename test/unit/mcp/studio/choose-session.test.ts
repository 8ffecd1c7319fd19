/** Which session a call means, where several fit: who is asked what, and that nothing else than what was chosen is used. */
import { describe, expect, test } from "bun:test";
import { resolveSession } from "../../../../src/command-kit/sessions/session-resolver.ts";
import type { SessionInfo } from "../../../../src/protocol/network.ts";
import type { Asker, Elicited, Question } from "../../../../src/mcp/server/features.ts";
import { withChoiceAsync } from "../../../../src/mcp/studio/choose-session.ts";
import type { JsonObject } from "../../../../src/mcp/wire/json.ts";
import { sessionInfo } from "../../command-kit/sessions/sessions-fixture.ts";

const alpha = sessionInfo({ sessionId: "aaaaaaaa-1", instanceId: "one", placeName: "Alpha" });
const beta = sessionInfo({ sessionId: "bbbbbbbb-1", instanceId: "two", placeName: "Beta" });

/** What an answering user leads to: the session that the resolver then finds. */
async function chosenAsync(
  sessions: readonly SessionInfo[],
  args: JsonObject,
  answer: (question: Question) => Elicited,
  before: { readonly [key: string]: Elicited } = {},
) {
  const asked: Question[] = [];
  const asker: Asker = {
    answered: (key) => before[key],
    askAsync: async (question) => {
      asked.push(question);
      return answer(question);
    },
  };
  const session = await withChoiceAsync(args, asker, async (input) => resolveSession(sessions, input)).catch(
    (error: unknown) => error,
  );
  return { asked, session };
}

const decline = (): Elicited => ({ action: "decline", content: {} });
const accept = (key: string, id: string): Elicited => ({ action: "accept", content: { [key]: id } });
const choices = (question: Question | undefined) => Object(question).form.properties;

describe("of several Studios", () => {
  test("the user chooses one", async () => {
    const { asked, session } = await chosenAsync([alpha, beta], {}, () => accept("instanceId", "two"));
    expect(session).toBe(beta);
    expect(choices(asked[0])).toEqual({
      instanceId: {
        type: "string",
        title: "Roblox Studio",
        oneOf: [
          { const: "one", title: "Alpha (aaaaaaaa)" },
          { const: "two", title: "Beta (bbbbbbbb)" },
        ],
      },
    });
  });

  test("the one that is named is used without a question", async () => {
    const { asked, session } = await chosenAsync([alpha, beta], { sessionId: "bbbb" }, decline);
    expect({ asked, session }).toEqual({ asked: [], session: beta });
  });

  test("none is used where the user declines, or answers something else", async () => {
    for (const answer of [decline, () => accept("instanceId", "three"), () => accept("other", "one")]) {
      const { asked, session } = await chosenAsync([alpha, beta], {}, answer);
      expect(asked).toHaveLength(1);
      expect(session).toBeInstanceOf(Error);
    }
  });

  test("a choice that comes with the repeated call is not asked for again, and holds even if that session is gone", async () => {
    const before = { instanceId: accept("instanceId", "two") };
    expect(await chosenAsync([alpha, beta], {}, decline, before)).toEqual({ asked: [], session: beta });
    const { asked, session } = await chosenAsync([alpha], {}, decline, before);
    expect({ asked, isError: session instanceof Error }).toEqual({ asked: [], isError: true });
  });
});

test("of several sessions whose ids begin alike the user chooses one", async () => {
  const edit = sessionInfo({ sessionId: "aaaaaaaa-1", placeName: "Alpha" });
  const server = sessionInfo({ sessionId: "aaaaaaaa-2", context: "server", placeName: "Alpha" });
  const { asked, session } = await chosenAsync([edit, server], { sessionId: "aaaa" }, () =>
    accept("sessionId", "aaaaaaaa-2"),
  );
  expect(session).toBe(server);
  expect(choices(asked[0]).sessionId.oneOf).toEqual([
    { const: "aaaaaaaa-1", title: "Alpha, edit (aaaaaaaa-1)" },
    { const: "aaaaaaaa-2", title: "Alpha, server (aaaaaaaa-2)" },
  ]);
});

test("other failures are no question", async () => {
  const { asked, session } = await chosenAsync([], {}, decline);
  expect({ asked, session }).toEqual({ asked: [], session: expect.objectContaining({ code: "NO_SESSION" }) });
});
