/** What Tab offers, from the definitions of the commands. */
import { describe, expect, test } from "bun:test";
import { choicesOf } from "../../../../src/command-kit/words/choices.ts";
import { flagSections } from "../../../../src/command-kit/words/shared-flags.ts";
import { completionFor } from "../../../../src/command-kit/words/completion-candidates.ts";
import { commands as catalog } from "../../../../src/commands/index.ts";

const commands = await catalog.allAsync();

/** The cursor is behind the last word. */
function offered(line: string) {
  const words = line.split(" ");
  const { found, partial, prefix, also } = completionFor(words.slice(0, -1), words.at(-1) ?? "", commands);
  const fitting = found.map(({ value }) => value).filter((value) => value.startsWith(partial));
  return [...fitting.map((value) => prefix + value), ...(also === undefined ? [] : [`:${also}`])];
}

describe("a command", () => {
  test("is offered where none is typed yet, the hidden ones never", () => {
    expect(offered("")).toContain("exec");
    expect(offered("")).not.toContain("headless-child");
    expect(offered("se")).toEqual(["sessions", "select", "set", "selftest", "serve"]);
    expect(offered("--port 4000 se")).toEqual(["sessions", "select", "set", "selftest", "serve"]);
  });

  test("of two words is offered word by word", () => {
    expect(offered("tool l")).toEqual(["list"]);
    expect(offered("scr")).toEqual(["script", "screenshot"]);
    expect(offered("script r")).toEqual(["read", "replace"]);
    expect(offered("help script gr")).toEqual(["grep"]);
    expect(offered("script nonsense ")).toEqual([]);
  });

  test("that does not exist is not completed any further", () => {
    expect([offered("nonsense "), offered("nonsense --")]).toEqual([[], []]);
  });

  test("is what help takes", () => {
    expect(offered("help screen")).toEqual(["screenshot"]);
    expect(offered("help mcp ")).toEqual(["install", "uninstall"]);
  });

  test("has the error codes beside it as a topic of help", () => {
    expect(offered("help err")).toEqual(["errors"]);
    expect(offered("help screenshot err")).toEqual([]);
  });
});

describe("a flag", () => {
  test("is the command's own or shared, and is offered once", () => {
    expect(offered("sessions --w")).toEqual(["--watch"]);
    expect(offered("exec --hea")).toEqual(["--headless"]);
    expect(offered("exec --headless --hea")).toEqual([]);
    expect(offered("sessions --headless")).toEqual([]);
  });

  test("that can be negated is offered both ways", () => {
    expect(offered("launch --no")).toEqual(["--no-wait"]);
  });

  test("is not offered after --", () => {
    expect(offered("exec -- --")).toEqual([]);
  });
});

test("help names every word that completion offers for a value", () => {
  const silent = commands.flatMap((command) =>
    flagSections(command).flatMap(({ flags }) =>
      flags.flatMap((flag) => {
        const words = flag.values ?? choicesOf(command, flag.key);
        const text = `${flag.label} ${flag.describe()}`.toLowerCase();
        const missing =
          flag.kind === "boolean" ? [] : words.filter((word) => !text.includes(word.toLowerCase()));
        return missing.map((word) => `sb ${command.name} --${flag.name}: ${word}`);
      }),
    ),
  );
  expect(silent).toEqual([]);
});

describe("a value", () => {
  test.each([
    ["sync ", ["status", "undo", ":files"]],
    ["sync --properties ", ["listed", "changed", "all"]],
    ["query --properties ", [":properties"]],
    ["build ", [":files"]],
    ["exec --context s", ["server"]],
    ["exec --context=s", ["--context=server"]],
    // As bash splits it.
    ["exec --context = s", ["server"]],
    ["exec --context =", ["edit", "server", "client"]],
    ["logs --level E", ["Error"]],
    ["logs --level Error,W", ["Error,Warning"]],
    ["logs --level=Error,W", ["--level=Error,Warning"]],
    ["logs --level Print,P", []],
    ["logs --level print,warning,", ["print,warning,Info", "print,warning,Error"]],
    ["completion f", ["fish"]],
    ["exec --session ", [":sessions"]],
    ["exec -s ", [":sessions"]],
    ["exec --instance ", [":instances"]],
    ["state ", [":sessions"]],
    ["exec code ", [":sessions"]],
    ["exec --timeout 5 code ", [":sessions"]],
    ["launch ", [":files"]],
    ["run a.luau ", [":files"]],
    ["install-plugin --dir ", [":files"]],
    ["exec --timeout ", []],
    ["test --reporter j", ["junit", "json"]],
    ["test --reporter junit=out/", [":files"]],
    ["test merge --reporter=t", ["--reporter=tap"]],
    ["test --on ", ["headless", "studio", "cloud", ":targets"]],
    ["test --context ", ["edit", "server", "client"]],
    ["test --isolate ", ["file", "worker", "none"]],
    ["test --suite ", [":suites"]],
    ["test --changed ", [":commits"]],
    ["test --changed --li", ["--list"]],
    // What is no format is a test file.
    ["test --coverage ", ["text", "lcov", "cobertura", "json", ":files"]],
    ["test --bail ", [":files"]],
    ["test --coverage lcov,c", ["lcov,cobertura", ":files"]],
    ["test --data m", ["memory", ":files"]],
    ["run --data m", ["memory", ":files"]],
    ["checkpoint ", ["create", "list", "diff", "restore", "drop"]],
    ["diff edit s", ["server", ":sides"]],
    ["find Pa", [":classes"]],
    ["query Workspace.", [":members"]],
    ["wait --property Workspace.", [":members"]],
    ["screenshot --camera Work", [":paths"]],
    ["set Workspace.Door ", [":properties"]],
    ["set Workspace.Door Material=Ne", [":properties"]],
    ["wait --state ", ["Edit", "Play", "Run", "Paused"]],
    ["selftest --only ", ["bridge", "assumptions", "engine"]],
    ["init --framework t", ["testez"]],
    ["exec ", []],
  ])("%s", (line, expected) => {
    expect(offered(line)).toEqual(expected);
  });
});
