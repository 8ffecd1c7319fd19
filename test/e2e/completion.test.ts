/** The Tab key in real shells, where they are installed: each loads its script and asks the compiled sb. */
import { beforeAll, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { binaryPath } from "../../build.ts";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });

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

  test("completes what stands behind a colon, where bash begins a word", async () => {
    const [session] = await box.sessionsAsync();
    const id = session?.sessionId.slice(0, 8) ?? "";
    const words = ["--port", String(box.port), "test", "--on", "studio", ":"];
    expect(await completeAsync(...words)).toEqual([id]);
    expect(await completeAsync(...words, id.slice(0, 2))).toEqual([id]);
  });

  test("completes suites and places of the settings, branches of git, and files behind a reporter", async () => {
    const cloud = { universe: 12, places: [34] };
    await box.writeAsync("sb.config.json", JSON.stringify({ test: { cloud, suites: { slow: {} } } }));
    Bun.spawnSync(["sh", "-c", GIT_COMMIT], { cwd: box.folder });
    expect(await completeAsync("test", "--suite", "")).toEqual(["slow"]);
    expect(await completeAsync("test", "--on", "cloud", ":")).toEqual(["12/34"]);
    expect(await completeAsync("test", "--changed", "")).toEqual(["HEAD", "story", "v1"]);
    expect(await completeAsync("test", "--reporter", "junit", "=", "sb.c")).toEqual(["sb.config.json"]);
  });

  test("says nothing where no host runs, and starts none", async () => {
    expect(await completeAsync("--port", "1", "state", "")).toEqual([""]);
  });
});

const GIT_COMMIT =
  "git init -q -b story && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m one && git tag v1";

/** A person at the prompt of a shell, in the scratch folder. */
class ShellPrompt implements AsyncDisposable {
  readonly #program: Bun.Subprocess;
  #screen = "";
  #mark = 0;

  constructor(args: readonly string[]) {
    const decoder = new TextDecoder();
    this.#program = Bun.spawn([...args], {
      cwd: box.folder,
      env: box.env({ PATH: `${dirname(binaryPath)}:${process.env["PATH"]}`, TERM: "xterm-256color" }),
      terminal: {
        cols: 120,
        rows: 40,
        data: (_, bytes) => {
          this.#screen += decoder.decode(bytes, { stream: true });
        },
      },
    });
  }

  get unseen(): string {
    return Bun.stripANSI(this.#screen.slice(this.#mark)).replace(/[\u0000-\u0009\u000b-\u001f]/g, "");
  }

  /** Types, and waits for a text that answers; what was shown before does not count. */
  async typeAsync(text: string, answer: string | RegExp): Promise<void> {
    this.#mark = this.#screen.length;
    this.#program.terminal?.write(text);
    await untilAsync(
      `${JSON.stringify(text)} gives ${answer}`,
      () =>
        (typeof answer === "string" ? this.unseen.includes(answer) : answer.test(this.unseen)) || undefined,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; it shows:\n${this.unseen}`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#program.kill("SIGKILL");
    await this.#program.exited;
    this.#program.terminal?.close();
  }
}

const NEW_LINE = "\x15";

/** What each of the shells is pressed, with what it must show; the prompt is `ready>`. */
async function pressTabsAsync(shell: ShellPrompt): Promise<void> {
  const [session] = await box.sessionsAsync();
  const id = session?.sessionId.slice(0, 8) ?? "";
  // The first letters may be drawn more than once.
  const lines: readonly (readonly [typed: string, shown: string | RegExp])[] = [
    ["sb sta\t", "state"],
    ["sb exec --headl\t", "exec --headless"],
    ["sb exec --context s\t", "exec --context server"],
    ["sb exec --context=s\t", "exec --context=server"],
    ["sb logs --level Error,W\t", "logs --level Error,Warning"],
    ["sb run my\t", "run my\\ script.luau"],
    ["sb mcp ins\t", "mcp install"],
    [`sb --port ${box.port} state ${id.slice(0, 2)}\t`, id],
    ["sb headless --cov\t", "headless --coverage"],
    ["sb test --reporter ju\t", "--reporter junit"],
    ["sb test --reporter junit=my\t", "junit=my\\ script.luau"],
    [`sb --port ${box.port} test --on studio:${id.slice(0, 2)}\t`, new RegExp(`studio\\\\?:${id}`)],
    ["sb completion \t\t", /bash\s+(-- bash)?.*fish/s],
  ];
  for (const [typed, shown] of lines) await shell.typeAsync(`${NEW_LINE}${typed}`, shown);
}

test.skipIf(!has("zsh"))(
  "zsh completes at the Tab key",
  async () => {
    await box.writeAsync("my script.luau", "");
    await using shell = new ShellPrompt(["zsh", "-f", "-i"]);
    const load = `autoload -U compinit && compinit -u -D; eval "$(sb completion zsh)"; PS1='ready''> '`;
    await shell.typeAsync(`${load}\n`, "ready> ");
    await pressTabsAsync(shell);
    expect(shell.unseen).not.toContain("-- bash");
  },
  120_000,
);

test.skipIf(!has("fish"))(
  "fish completes at the Tab key",
  async () => {
    await box.writeAsync("my script.luau", "");
    const prompt = "function fish_prompt; echo 'ready''> '; end; set -g fish_autosuggestion_enabled 0";
    const load = `${prompt}; sb completion fish | source`;
    await using shell = new ShellPrompt(["fish", "--no-config", "-i", "-C", load]);
    await shell.typeAsync("", "ready> ");
    await pressTabsAsync(shell);
  },
  120_000,
);

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

describe("names of the place and of the API", () => {
  beforeAll(async () => {
    const made = `local map = Instance.new("Model", workspace) map.Name = "Map"
      Instance.new("Part", map).Name = "Door" Instance.new("Part", map).Name = "Two words"`;
    expect((await box.sbAsync(["exec", made])).exitCode).toBe(0);
    expect((await box.sbAsync(["checkpoint", "before"])).exitCode).toBe(0);
  });

  const offeredAsync = async (...words: readonly string[]) => {
    const typed = ["--", ...words.slice(0, -1), `${words.at(-1)}|`];
    const { stdout } = await box.localSbAsync(["complete", ...typed], { SB_PORT: String(box.port) });
    return stdout
      .split("\n")
      .flatMap((line) => (line === "" || line.startsWith(":") ? [] : [line.split("\t")[0]]));
  };

  test.each([
    [["script", "read", "Work"], ["Workspace"]],
    [["query", "Workspace.Map."], ["Workspace.Map.Door"]],
    [["mv", "Workspace.Map", "Light"], ["Lighting"]],
    [["wait", "Workspace.M"], ["Workspace.Map"]],
    [["diff", "--root", "Workspace.M"], ["Workspace.Map"]],
    [["set", "Workspace.Map.Door", "Anc"], ["Anchored="]],
    [["query", "Workspace.Map.Door", "--properties", "Size,Anc"], ["Size,Anchored"]],
    [["new", "Part", "Workspace", "Anc"], ["Anchored="]],
    [
      ["set", "Workspace.Map.Door", "Anchored="],
      ["Anchored=true", "Anchored=false"],
    ],
    [["set", "Workspace.Map.Door", "Material=Neo"], ["Material=Neon"]],
    // As bash splits it.
    [["set", "Workspace.Map.Door", "Material", "=", "Neo"], ["Neon"]],
    [
      ["new", "Part", "Workspace", "Shape", "="],
      ["Ball", "Block", "Cylinder", "Wedge", "CornerWedge"],
    ],
    [["set", "Workspace.Map.Door", "Name="], []],
    [["query", "Workspace.Map.Door.Anc"], ["Workspace.Map.Door.Anchored"]],
    [["wait", "--property", "Workspace.Map.Door.Anc"], ["Workspace.Map.Door.Anchored"]],
    [["find", "ModuleS"], ["ModuleScript"]],
    [["screenshot", "--camera", "Workspace.M"], ["Workspace.Map"]],
    [["diff", "edit", "check"], ["checkpoint:before"]],
    [["new", "RunServ"], []],
    [["script", "grep", "x", "--class", "ModuleS"], ["ModuleScript"]],
    [["api", "Part.Anch"], ["Part.Anchored"]],
    [["api", "Enum.Material.Neo"], ["Enum.Material.Neon"]],
    [["checkpoint", "restore", ""], ["before"]],
    [["query", "Nowhere."], []],
    [["set", "Nowhere", "A"], []],
  ])("%j", async (words, expected) => {
    expect(await offeredAsync(...words)).toEqual(expected);
  });
});
