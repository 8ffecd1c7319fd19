/** Replacing a pattern in many scripts at once, on the command line and over MCP. */
import { beforeEach, describe, expect, test } from "bun:test";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

/** Two scripts share a path, one has carriage returns, one is not valid UTF-8, and one does not match. */
const PLACE = `
game.ReplicatedStorage:ClearAllChildren()
local function script(name, source)
  local made = Instance.new("ModuleScript")
  made.Name = name
  made.Source = source
  made.Parent = game.ReplicatedStorage
end
script("Twin", "oldName()\\nreturn oldName")
script("Twin", "return oldNames")
script("Lines", "oldName()\\r\\nreturn 1\\r\\n")
script("Other", "return 2")`;

beforeEach(async () => {
  const { stderr, exitCode } = await box.sbAsync(["exec", PLACE]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
}, 120_000);

const sourceAsync = async (path: string) => (await box.sbAsync(["script", "read", path])).stdout;

async function replaceAsync(...words: readonly string[]) {
  const { stdout, exitCode } = await box.sbAsync(["script", "replace", ...words, "--json"]);
  return { exitCode, answer: JSON.parse(stdout) };
}

describe("sb script replace", () => {
  test("changes all scripts as one undo step, with their line ends, and leaves other words alone", async () => {
    const { exitCode, answer } = await replaceAsync("oldName", "newName", "--word");
    expect({ exitCode, ...answer }).toMatchObject({
      exitCode: 0,
      ok: true,
      total: 3,
      scripts: 2,
      searched: 4,
    });
    expect(answer.undo).toMatchObject({ recorded: true });
    expect(await sourceAsync("ReplicatedStorage.Twin[1]")).toBe("newName()\nreturn newName");
    expect(await sourceAsync("ReplicatedStorage.Twin[2]")).toBe("return oldNames");
    expect(await sourceAsync("ReplicatedStorage.Lines")).toBe("newName()\r\nreturn 1\r\n");
    expect((await box.sbAsync(["undo"])).exitCode).toBe(0);
    expect(await sourceAsync("ReplicatedStorage.Twin[1]")).toBe("oldName()\nreturn oldName");
    expect(await sourceAsync("ReplicatedStorage.Lines")).toBe("oldName()\r\nreturn 1\r\n");
  });

  test("a dry run shows the differences and changes nothing", async () => {
    const { stdout, stderr, exitCode } = await box.sbAsync([
      "script",
      "replace",
      "oldName",
      "newName",
      "--dry-run",
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("+return newName");
    expect(stderr).toBe("4 matches in 3 of 4 scripts would be replaced.\n");
    expect(await sourceAsync("ReplicatedStorage.Twin[1]")).toContain("oldName");
  });

  test("no match is success, and says so", async () => {
    const { exitCode, answer } = await replaceAsync("isNowhere", "x");
    expect({ exitCode, answer }).toMatchObject({ exitCode: 0, answer: { ok: true, total: 0, items: [] } });
    expect((await box.sbAsync(["script", "replace", "isNowhere", "x"])).stderr).toBe(
      "No match in 4 scripts; nothing changes.\n",
    );
  });

  test("another count than the expected one changes nothing", async () => {
    const { exitCode, answer } = await replaceAsync("oldName", "newName", "--expect-count", "3");
    expect(exitCode).toBe(1);
    expect(answer.error).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "The pattern matches 4 times in 3 scripts, not 3. Nothing was changed.",
    });
    expect(await sourceAsync("ReplicatedStorage.Twin[2]")).toBe("return oldNames");
  });

  test("a source that no longer compiles is refused with --check, and then no script changes", async () => {
    const { exitCode, answer } = await replaceAsync("oldName()", "oldName(", "--check");
    expect({ exitCode, ok: answer.ok }).toEqual({ exitCode: 1, ok: false });
    expect(await sourceAsync("ReplicatedStorage.Lines")).toBe("oldName()\r\nreturn 1\r\n");
  });

  test("a source that is not valid UTF-8 is never damaged", async () => {
    await box.sbAsync([
      "exec",
      `local made = Instance.new("ModuleScript", game.ReplicatedStorage) made.Name = "Bytes" made.Source = "return oldName, '\\255'"`,
    ]);
    const { exitCode, answer } = await replaceAsync("oldName", "newName");
    expect({ exitCode, ok: answer.ok }).toEqual({ exitCode: 1, ok: false });
    expect(answer.items.find(({ ok }: { ok: boolean }) => !ok)).toMatchObject({
      path: "ReplicatedStorage.Bytes",
      code: "EDIT_REFUSED",
    });
    expect(await sourceAsync("ReplicatedStorage.Twin[2]")).toBe("return oldNames");
  });

  test.each([
    [["(", "x", "--regex"], "Not a regular expression"],
    [["a\nb", "x"], "The pattern has a line break"],
    [["", "x"], "the pattern is empty"],
    [["x"], "WITH"],
  ])("%j is wrong usage", async (words, sentence) => {
    const { stderr, exitCode } = await box.sbAsync(["script", "replace", ...words]);
    expect({ exitCode, isNamed: stderr.includes(sentence) }).toEqual({ exitCode: 2, isNamed: true });
  });

  test("more scripts than one change holds are refused with the counts", async () => {
    const many = `for index = 1, 201 do local made = Instance.new("ModuleScript", game.ReplicatedStorage) made.Source = "many" end`;
    await box.sbAsync(["exec", many]);
    const { answer } = await replaceAsync("many", "few");
    expect(answer.error.message).toBe(
      "The pattern matches 201 times in 201 scripts; a call changes at most 200 scripts. Nothing was changed.",
    );
  });
});

test("an agent renames a function over 40 scripts in one call, and takes it back", async () => {
  const forty = `for index = 1, 40 do local made = Instance.new("ModuleScript", game.ReplicatedStorage) made.Name = "User" .. index made.Source = "return theFunction(" .. index .. ")" end`;
  await box.sbAsync(["exec", forty]);
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const replace = { pattern: "theFunction", with: "theOther", word: true, expectCount: 40 };
  const renamed = await peer.toolAsync("studio_edit_script", { replace });
  expect(renamed["structuredContent"]).toMatchObject({ ok: true, total: 40, scripts: 40 });
  expect(await sourceAsync("ReplicatedStorage.User40")).toBe("return theOther(40)");
  await peer.toolAsync("studio_undo", {});
  expect(await sourceAsync("ReplicatedStorage.User40")).toBe("return theFunction(40)");
  const edits = [{ path: "ReplicatedStorage.Other", source: "" }];
  expect((await peer.toolAsync("studio_edit_script", { replace, edits }))["isError"]).toBe(true);
});
