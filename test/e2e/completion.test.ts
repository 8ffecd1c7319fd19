/** The Tab key in real shells, where they are installed: each loads its script and asks the compiled sb. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";

let box: Sandbox;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync("Alpha");
});
afterAll(async () => {
  await box[Symbol.asyncDispose]();
});

/** What the shell prints. */
async function shellAsync(program: string, script: string): Promise<string> {
  const flags = program === "fish" ? ["--no-config"] : program === "zsh" ? ["-f"] : ["--norc"];
  const child = Bun.spawn([program, ...flags, "-c", script], {
    cwd: box.folder,
    env: box.env({ PATH: `${dirname(binaryPath)}:${process.env["PATH"]}` }),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(stderr).toBe("");
  return stdout;
}

const has = (program: string) => Bun.which(program) !== null;

describe.skipIf(!has("bash"))("bash", () => {
  const completeAsync = async (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const printed = await shellAsync(
      "bash",
      `eval "$(sb completion bash)"; COMP_WORDS=(sb ${quoted}); COMP_CWORD=${words.length}; _sb
       printf '%s\\n' "\${COMPREPLY[@]}"; complete -p sb`,
    );
    expect(printed).toEndWith("complete -F _sb sb\n");
    return printed.split("\n").slice(0, -2);
  };

  test("completes commands, flags and values", async () => {
    expect(await completeAsync("ses")).toEqual(["sessions"]);
    expect(await completeAsync("exec", "--hea")).toEqual(["--headless"]);
    expect(await completeAsync("exec", "--context", "=", "s")).toEqual(["server"]);
  });

  test("completes paths where files are meant", async () => {
    await box.writeAsync("my script.luau", "");
    expect(await completeAsync("run", "my")).toEqual(["my script.luau"]);
  });

  test("completes the ids of connected sessions", async () => {
    const [session] = await box.sessionsAsync();
    expect(await completeAsync("--port", String(box.port), "state", "")).toEqual([
      session?.sessionId.slice(0, 8) ?? "",
    ]);
  });

  test("says nothing where no host runs, and starts none", async () => {
    expect(await completeAsync("--port", "1", "state", "")).toEqual([""]);
  });
});

test.skipIf(!has("zsh"))("zsh loads its script", async () => {
  const script = `autoload -U compinit && compinit -u; eval "$(sb completion zsh)"; print $_comps[sb]`;
  expect(await shellAsync("zsh", script)).toBe("_sb\n");
});

test.skipIf(!has("fish"))("fish completes commands", async () => {
  expect(await shellAsync("fish", 'sb completion fish | source; complete -C "sb ses"')).toStartWith(
    "sessions\t",
  );
});

test.skipIf(!has("pwsh"))("PowerShell completes commands", async () => {
  const child = Bun.spawn(
    [
      "pwsh",
      "-NoProfile",
      "-Command",
      "sb completion powershell | Out-String | Invoke-Expression; (TabExpansion2 'sb ses' 6).CompletionMatches.CompletionText",
    ],
    { env: box.env({ PATH: `${dirname(binaryPath)}:${process.env["PATH"]}` }), stdout: "pipe" },
  );
  expect((await child.stdout.text()).trim()).toBe("sessions");
});
