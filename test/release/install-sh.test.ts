/** install.sh as people run it, over a local server with a small stand-in for sb. */
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "bun:test";
import { chmod, copyFile, mkdir, readdir, readlink, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { home as publishedHome } from "../../src/version.ts";
import { tarGzAsync } from "../../scripts/release/archive.ts";
import { packTar } from "modern-tar";
import { hostTargetAsync } from "../../scripts/release/targets.ts";
import { underPermissions } from "../processes.ts";
import { Home, releaseAsync, script, serve, standIn, withChecksums } from "./installer.ts";

const host = await hostTargetAsync();
const system = host?.name ?? "";
const canInstall = host !== undefined && host.os !== "windows";
const archive = `studio-bridge-1.2.3-${system}.tar.gz`;

let server: ReturnType<typeof serve>;
let home: Home;
beforeAll(async () => {
  server = serve(await releaseAsync("1.2.3"));
});
afterAll(() => server[Symbol.dispose]());
beforeEach(async () => {
  home = await Home.createAsync(server.url);
});
afterEach(() => home[Symbol.asyncDispose]());

const missing = (program: string): string => (Bun.which(program) === null ? ` (skipped: no ${program})` : "");

describe.skipIf(!canInstall)("install.sh", () => {
  describe("installs", () => {
    const shells = [["dash"], ["bash"], ["busybox", "sh"], ["zsh", "--emulate", "sh"]] as const;
    for (const shell of shells)
      test.skipIf(missing(shell[0]) !== "")(`with ${shell[0]}${missing(shell[0])}`, async () => {
        const { exitCode, stderr } = await home.installAsync({ shell });
        expect(stderr).toContain(`downloading studio-bridge 1.2.3 for ${system}`);
        expect([exitCode, await home.installedAsync()]).toEqual([0, ["sb", "studio-bridge"]]);
        expect((await home.runAsync([home.sb])).stdout).toBe("1.2.3\n");
        expect(await readlink(join(home.sb, "..", "studio-bridge"))).toBe("sb");
      });

    test("from a pipe, with options", async () => {
      const text = await Bun.file(script).text();
      const { exitCode } = await home.installAsync({
        script: text,
        args: ["--dir", "tools", "--version=v1.2.3"],
      });
      expect([exitCode, await home.installedAsync(home.path("tools"))]).toEqual([0, ["sb", "studio-bridge"]]);
    });

    test.skipIf(missing("wget") !== "")(`with wget where there is no curl${missing("wget")}`, async () => {
      const tools = [
        "sh",
        "uname",
        "ldd",
        "sed",
        "grep",
        "mkdir",
        "mktemp",
        "wget",
        "sha256sum",
        "cut",
        "tar",
      ];
      const more = ["gzip", "chmod", "mv", "ln", "rm", "dirname", "tail", "getconf", "cat", "bash"];
      await mkdir(home.path("only"));
      for (const tool of [...tools, ...more]) {
        const path = Bun.which(tool);
        if (path !== null) await home.runAsync(["ln", "-s", path, home.path("only", tool)]);
      }
      const { exitCode, stderr } = await home.installAsync({ env: { PATH: home.path("only") } });
      expect([stderr, exitCode]).toEqual([expect.stringContaining("installed"), 0]);
    });

    test("into a folder with a space in its name, and into one that --prefix names", async () => {
      await home.installAsync({ args: ["--dir", home.path("my tools")] });
      await home.installAsync({ args: ["--prefix", home.path("local")] });
      expect(await home.installedAsync(home.path("my tools"))).toEqual(["sb", "studio-bridge"]);
      expect(await home.installedAsync(home.path("local", "bin"))).toEqual(["sb", "studio-bridge"]);
    });

    test("over an sb that runs", async () => {
      await mkdir(join(home.sb, ".."), { recursive: true });
      const program = Buffer.concat([
        await Bun.file(Bun.which("sleep") ?? "").bytes(),
        Buffer.from("studio-bridge"),
      ]);
      await Bun.write(home.sb, program);
      await chmod(home.sb, 0o755);
      await using running = Bun.spawn([home.sb, "60"]);
      const { exitCode } = await home.installAsync();
      expect([exitCode, running.exitCode, (await home.runAsync([home.sb])).stdout]).toEqual([
        0,
        null,
        "1.2.3\n",
      ]);
    });
  });

  describe("refuses, and leaves the old sb as it was:", () => {
    const old = standIn("0.9.0");

    /** Installs from a changed release over an older sb. */
    async function refusalAsync(
      change: (files: Awaited<ReturnType<typeof releaseAsync>>) => unknown,
    ): Promise<string> {
      const files = await releaseAsync("1.2.3");
      const changed = await change(files);
      using other = serve(changed instanceof Map ? changed : files);
      await home.writeAsync(".local/bin/sb", old, 0o755);
      const { exitCode, stderr } = await home.installAsync({ env: { SB_INSTALL_BASE_URL: other.url } });
      expect(exitCode).toBe(1);
      expect(await home.installedAsync()).toEqual(["sb"]);
      expect(await Bun.file(home.sb).text()).toBe(old);
      expect(await Bun.file(home.path(".bashrc")).exists()).toBe(false);
      return stderr;
    }

    const archiveOf = (entry: object) =>
      packTar([{ header: { name: "sb", size: 0, ...entry } }]).then((tar) => Bun.gzipSync(tar));

    test("an archive with another checksum", async () => {
      const stderr = await refusalAsync((files) => files.set(archive, new Uint8Array([1, 2, 3])));
      expect(stderr).toContain(`${archive} is damaged: its SHA-256 is`);
    });

    test("an archive that was cut off", async () => {
      const stderr = await refusalAsync((files) => {
        files.set(archive, (files.get(archive) ?? new Uint8Array()).slice(0, 100));
      });
      expect(stderr).toContain("is damaged");
    });

    test("checksums that were cut off", async () => {
      const stderr = await refusalAsync((files) => {
        const lines = new TextDecoder().decode(files.get("SHA256SUMS"));
        files.set("SHA256SUMS", new TextEncoder().encode(lines.slice(0, lines.indexOf(archive) + 20)));
      });
      expect(stderr).toContain(`has no sb for ${system}`);
    });

    test("a version that is a path", async () => {
      const stderr = await refusalAsync((files) =>
        withChecksums(
          new Map([[`studio-bridge-../../x-${system}.tar.gz`, files.get(archive) ?? new Uint8Array()]]),
        ),
      );
      expect(stderr).toContain(`has no sb for ${system}`);
    });

    test("checksums of two versions", async () => {
      const stderr = await refusalAsync(async (files) => new Map([...files, ...(await bothAsync(files))]));
      expect(stderr).toContain(`names more than one sb for ${system}`);
    });

    async function bothAsync(files: Awaited<ReturnType<typeof releaseAsync>>) {
      const texts = [files, await releaseAsync("1.2.4")].map((each) =>
        new TextDecoder().decode(each.get("SHA256SUMS")),
      );
      return [["SHA256SUMS", new TextEncoder().encode(texts.join(""))]] as const;
    }

    test("an sb that says another version than its archive", async () => {
      expect(await refusalAsync(() => releaseAsync("1.2.3", "6.6.6"))).toContain(
        "says that it is 6.6.6, not 1.2.3",
      );
    });

    test("an sb that is a link out of the archive", async () => {
      const stderr = await refusalAsync(async () =>
        withChecksums(new Map([[archive, await archiveOf({ type: "symlink", linkname: "/bin/true" })]])),
      );
      expect(stderr).toContain("the archive has no sb");
    });

    test("an sb that does not run here", async () => {
      const data = new TextEncoder().encode(
        "#!/bin/sh\n# studio-bridge\necho Error loading shared library libstdc++.so.6 >&2\nexit 127\n",
      );
      const stderr = await refusalAsync(async () =>
        withChecksums(new Map([[archive, await tarGzAsync([{ name: "sb", data, isExecutable: true }])]])),
      );
      expect(stderr).toContain("apk add libstdc++");
    });

    test("a server that has nothing, and one that is not there", async () => {
      const gone = serve(new Map());
      gone[Symbol.dispose]();
      expect(await refusalAsync((files) => files.clear())).toContain("SHA256SUMS could not be downloaded");
      const { exitCode, stderr } = await home.installAsync({ env: { SB_INSTALL_BASE_URL: gone.url } });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Check the network")]);
    });
  });

  const canMount =
    Bun.spawnSync(["unshare", "-rm", "sh", "-c", "mount -t tmpfs none /mnt"]).exitCode === 0
      ? ""
      : " (skipped: no unshare)";
  test.skipIf(canMount !== "")(`a disk without room is told${canMount}`, async () => {
    await mkdir(home.path("disk"));
    const files = await releaseAsync("1.2.3");
    const data = new Uint8Array(300_000);
    const large = await tarGzAsync([{ name: "sb", data, isExecutable: true }]);
    using other = serve(withChecksums(files.set(archive, large)));
    const inner = `mount -t tmpfs -o size=100k none '${home.path("disk")}' && sh '${script}' --dir '${home.path("disk")}'; code=$?; ls -A '${home.path("disk")}'; exit $code`;
    const { exitCode, stderr, stdout } = await home.runAsync(["unshare", "-rm", "sh", "-c", inner], {
      SB_INSTALL_BASE_URL: other.url,
    });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Is there room in");
  });

  test("a script that was cut off anywhere does nothing", async () => {
    const text = await Bun.file(script).bytes();
    const asked = server.asked.length;
    const lengths = Array.from({ length: text.length }, (_, length) => length).filter(
      (length) => length % 131 === 0 || (length > text.length - 60 && length < text.length - 1),
    );
    for (const length of lengths) await home.installAsync({ script: text.slice(0, length) });
    expect(lengths.length).toBeGreaterThan(100);
    expect([await home.installedAsync(), server.asked.length]).toEqual([[], asked]);
  });

  describe("PATH", () => {
    const shells = [
      { shell: "bash", file: ".bashrc", ask: ["bash", "-ic", "command -v sb"] },
      { shell: "zsh", file: ".zshrc", ask: ["zsh", "-ic", "command -v sb"] },
      { shell: "fish", file: ".config/fish/conf.d/studio-bridge.fish", ask: ["fish", "-c", "command -v sb"] },
      { shell: "sh", file: ".profile", ask: ["sh", "-lc", "command -v sb"] },
    ];
    for (const { shell, file, ask } of shells)
      test.skipIf(missing(shell) !== "")(
        `a new ${shell} finds sb, once, until it is uninstalled${missing(shell)}`,
        async () => {
          const env = { SHELL: `/bin/${shell}` };
          const before = "# mine, without a line break";
          if (shell !== "fish") await home.writeAsync(file, before);
          await home.installAsync({ env });
          await home.installAsync({ env });
          const start = await Bun.file(home.path(file)).text();
          expect(start.match(/# studio-bridge$/gm)).toHaveLength(1);
          expect((await home.runAsync(ask, { PATH: "/usr/bin:/bin" })).stdout.trim()).toBe(home.sb);

          const { exitCode } = await home.installAsync({ env, args: ["--uninstall"] });
          expect([exitCode, await home.installedAsync()]).toEqual([0, []]);
          const after = Bun.file(home.path(file));
          expect((await after.exists()) ? (await after.text()).trim() : "").toBe(
            shell === "fish" ? "" : before,
          );
        },
      );

    test("is left alone with --no-modify-path, and the line is shown", async () => {
      const { stderr } = await home.installAsync({ args: ["--no-modify-path"] });
      expect(stderr).toContain('export PATH="$HOME/.local/bin:$PATH"');
      expect(await Bun.file(home.path(".bashrc")).exists()).toBe(false);
    });

    test("is left alone for a folder whose name a start file would run", async () => {
      const { exitCode, stderr } = await home.installAsync({ args: ["--dir", home.path("$(touch x)")] });
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("is not on your PATH")]);
      expect(await Bun.file(home.path(".bashrc")).exists()).toBe(false);
    });

    test("is left alone where the folder is on it", async () => {
      const { stderr } = await home.installAsync({ env: { PATH: `${join(home.sb, "..")}:/usr/bin:/bin` } });
      expect(stderr).not.toContain("PATH");
    });

    test("with another sb in front of ours is named, since that one would run", async () => {
      const other = dirname(await home.writeAsync("other/sb", standIn("0.0.1"), 0o755));
      const own = dirname(home.sb);
      const first = await home.installAsync({ env: { PATH: `${other}:${own}:/usr/bin:/bin` } });
      expect(first.stderr).toContain(`warning: ${other}/sb comes first on your PATH`);
      const last = await home.installAsync({ env: { PATH: `${own}:${other}:/usr/bin:/bin` } });
      expect([last.exitCode, last.stderr.includes("warning")]).toEqual([0, false]);
    });

    test("of fish is not changed beyond the line that is taken back", async () => {
      await home.installAsync({ env: { SHELL: "/usr/bin/fish" } });
      const line = await Bun.file(home.path(".config/fish/conf.d/studio-bridge.fish")).text();
      expect(line).toBe('fish_add_path --path "$HOME/.local/bin" # studio-bridge\n');
    });

    test("of later steps is extended in GitHub Actions", async () => {
      await home.installAsync({ env: { GITHUB_PATH: home.path("path") } });
      expect(await Bun.file(home.path("path")).text()).toBe(`${join(home.sb, "..")}\n`);
      expect(await Bun.file(home.path(".bashrc")).exists()).toBe(false);
    });
  });

  describe("the download", () => {
    /** A PATH with the programs of this machine but one. */
    async function withoutAsync(program: string): Promise<string> {
      const folder = home.path(`without-${program}`);
      await mkdir(folder);
      for (const from of ["/bin", "/usr/bin"])
        for (const name of await readdir(from))
          if (name !== program) await symlink(join(from, name), join(folder, name)).catch(() => undefined);
      return folder;
    }

    test("does not begin where a tool is missing", async () => {
      using server = serve(await releaseAsync("1.2.3"));
      for (const [program, sentence] of [
        ["gzip", "gzip is needed."],
        ["tar", "tar is needed."],
      ] as const) {
        const env = { PATH: await withoutAsync(program), SB_INSTALL_BASE_URL: server.url };
        const { exitCode, stderr } = await home.installAsync({ env });
        expect([exitCode, stderr]).toEqual([1, `error: ${sentence}\n`]);
      }
      expect(server.asked).toEqual([]);
    });

    test.skipIf(missing("xz") !== "")(
      `is the smaller archive where the release and the machine have xz${missing("xz")}`,
      async () => {
        const small = await releaseAsync("1.2.3");
        for (const [name, bytes] of [...small]) {
          if (!name.endsWith(".tar.gz")) continue;
          const packed = Bun.spawnSync(["xz", "-c"], { stdin: Bun.gunzipSync(new Uint8Array(bytes)) }).stdout;
          small.set(name.replace(/gz$/, "xz"), packed);
        }
        small.delete("SHA256SUMS");
        using server = serve(withChecksums(small));
        const env = { SB_INSTALL_BASE_URL: server.url };
        expect((await home.installAsync({ env })).exitCode).toBe(0);
        expect(server.asked[1]).toEndWith(".tar.xz");
        const without = await home.installAsync({ env: { ...env, PATH: await withoutAsync("xz") } });
        expect([without.exitCode, server.asked[3]]).toEqual([0, expect.stringMatching(/\.tar\.gz$/)]);
        expect((await home.runAsync([home.sb])).stdout).toBe("1.2.3\n");
      },
    );

    test("is given up where the network stands still, and shows its progress only on a terminal", async () => {
      await home.replaceAsync({ curl: `echo "$@" >>${home.path("asked")}; exit 1` });
      expect((await home.installAsync()).exitCode).toBe(1);
      const asked = await Bun.file(home.path("asked")).text();
      expect(asked).toContain("-s --connect-timeout 20 --speed-limit 1000 --speed-time 30");
    });

    test("that was killed leaves nothing for long", async () => {
      const [old, young] = ["old", "young"].map((name) => join(dirname(home.sb), `.sb-install.${name}`));
      for (const path of [old, young]) await mkdir(path ?? "", { recursive: true });
      await utimes(old ?? "", new Date("2020-01-01"), new Date("2020-01-01"));
      await home.installAsync();
      expect(await home.installedAsync()).toEqual([".sb-install.young", "sb", "studio-bridge"]);
      await home.installAsync({ args: ["--uninstall"] });
      expect(await home.installedAsync()).toEqual([]);
    });
  });

  describe("on another machine", () => {
    const machine = (sysname: string, processor: string, more: { [name: string]: string } = {}) => ({
      uname: `case $1 in -s) echo ${sysname};; -m) echo ${processor};; -o) echo GNU/Linux;; esac`,
      sysctl: "echo 0",
      sw_vers: "echo 14.1",
      ldd: "echo ldd GNU libc",
      getconf: "echo 64",
      ...more,
    });
    const musl = { ldd: "echo musl libc >&2; exit 1" };
    test.each([
      ["an Apple silicon Mac", machine("Darwin", "arm64"), "for macos-aarch64"],
      ["a shell under Rosetta", machine("Darwin", "x86_64", { sysctl: "echo 1" }), "for macos-aarch64"],
      ["an Intel Mac", machine("Darwin", "x86_64"), "for macos-x86_64"],
      [
        "macOS 12",
        machine("Darwin", "x86_64", { sw_vers: "echo 12.7" }),
        "needs macOS 13 or newer; this is 12.7",
      ],
      ["arm64 Linux", machine("Linux", "aarch64"), "for linux-aarch64-gnu"],
      ["Alpine", machine("Linux", "aarch64", musl), "for linux-aarch64-musl"],
      [
        "32-bit programs",
        machine("Linux", "aarch64", { getconf: "echo 32" }),
        "no sb for systems of 32 bits",
      ],
      ["a processor without SSE4.2", machine("Linux", "x86_64", { grep: "exit 1" }), "lacks SSE4.2"],
      ["another processor", machine("Linux", "armv7l"), "no sb for armv7l processors"],
      ["FreeBSD", machine("FreeBSD", "amd64"), "no sb for FreeBSD"],
      ["Git Bash", machine("MINGW64_NT-10.0", "x86_64"), "install.ps1 in PowerShell"],
      [
        "Android",
        machine("Linux", "aarch64", {
          uname: "case $1 in -s) echo Linux;; -m) echo aarch64;; -o) echo Android;; esac",
        }),
        "no sb for Android",
      ],
    ])("%s", async (_, programs, says) => {
      await home.replaceAsync(programs);
      expect((await home.installAsync()).stderr).toContain(says);
    });
  });

  describe("the folder with the release", () => {
    test.each([
      "http://example.com/x",
      "http://127.0.0.1.example.com/",
      "http://127.0.0.1@example.com/",
      "http://127.0.0.1:80@example.com/",
      "http://127.0.0.1?@example.com/",
      "http://localhost.example.com",
      "ftp://127.0.0.1/",
      "file:///etc",
      "--help",
    ])("%s is refused", async (url) => {
      await home.replaceAsync({ curl: "echo asked >&2; exit 7", wget: "echo asked >&2; exit 7" });
      const { exitCode, stderr } = await home.installAsync({ env: { SB_INSTALL_BASE_URL: url } });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: .*must be (an )?https/);
    });

    test.skipIf(missing("curl") !== "")(`may not lead elsewhere${missing("curl")}`, async () => {
      using elsewhere = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: (request) => Response.redirect(server.url + new URL(request.url).pathname),
      });
      const asked = server.asked.length;
      const { exitCode } = await home.installAsync({
        env: { SB_INSTALL_BASE_URL: `http://127.0.0.1:${elsewhere.port}` },
      });
      expect([exitCode, server.asked.length]).toEqual([1, asked]);
    });

    test("is needed while the project has no home", async () => {
      const { exitCode, stderr } = await home.installAsync({ env: { SB_INSTALL_BASE_URL: undefined } });
      expect(publishedHome).toBe("");
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("this build has no home")]);
    });

    test("must have the version that is asked for", async () => {
      const { exitCode, stderr } = await home.installAsync({ args: ["--version", "1.0.0"] });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("has version 1.2.3, not 1.0.0")]);
    });
  });

  test.each([
    ["an unknown option", ["--bogus"]],
    ["an option without its value", ["--dir"]],
    ["an empty folder", ["--dir="]],
    ["a version that is a path", ["--version", "../../x"]],
  ])("%s is wrong usage", async (_, args) => {
    expect((await home.installAsync({ args })).exitCode).toBe(2);
  });

  test("help fits 61 columns and names every option", async () => {
    const { stdout, exitCode } = await home.installAsync({ args: ["--help"] });
    expect(exitCode).toBe(0);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(61);
    for (const option of [
      "--version",
      "--dir",
      "--prefix",
      "--no-modify-path",
      "--uninstall",
      "--from-source",
    ])
      expect(stdout).toContain(option);
  });

  test("without HOME a folder must be named", async () => {
    const without = await home.installAsync({ env: { HOME: undefined } });
    expect([without.exitCode, without.stderr]).toEqual([1, expect.stringContaining("--dir DIR")]);
    const named = await home.installAsync({ env: { HOME: undefined }, args: ["--dir", home.path("bin")] });
    expect(named.exitCode).toBe(0);
  });

  test("another program of the name, or a folder, is never replaced nor removed", async () => {
    await home.writeAsync(".local/bin/sb", "#!/bin/sh\necho mine\n", 0o755);
    expect((await home.installAsync()).stderr).toContain("is another program");
    await home.installAsync({ args: ["--uninstall"] });
    expect((await home.runAsync([home.sb])).stdout).toBe("mine\n");
    await mkdir(home.path("bin", "sb"), { recursive: true });
    expect((await home.installAsync({ args: ["--dir", "bin"] })).stderr).toContain("is a folder");
  });

  const guarded = underPermissions === undefined ? " (skipped: root cannot be held to permissions)" : "";
  test.skipIf(guarded !== "")(`a folder that cannot be written to is told${guarded}`, async () => {
    await mkdir(home.path("locked"));
    await chmod(home.path("locked"), 0o555);
    for (const folder of ["locked", "locked/below"]) {
      const outcome = await home.installAsync({ under: underPermissions ?? [], args: ["--dir", folder] });
      expect([outcome.exitCode, outcome.stderr]).toEqual([
        1,
        expect.stringContaining("Choose another place"),
      ]);
    }
  });

  test("--from-source builds the checkout that the script is in, and refuses elsewhere", async () => {
    await home.writeAsync("checkout/scripts/bootstrap.mjs", "");
    await home.replaceAsync({
      npm: `mkdir dist && printf '%s' '${standIn("3.2.1")}' >dist/sb && chmod 755 dist/sb`,
    });
    await copyFile(script, home.path("checkout", "install.sh"));
    const words = ["sh", home.path("checkout", "install.sh"), "--from-source"];
    const { exitCode } = await home.runAsync(words, { SB_INSTALL_BASE_URL: "" });
    expect([exitCode, (await home.runAsync([home.sb])).stdout]).toEqual([0, "3.2.1\n"]);

    const text = await Bun.file(script).text();
    const piped = await home.installAsync({ script: text, args: ["--from-source"] });
    expect([piped.exitCode, piped.stderr]).toEqual([1, expect.stringContaining("Clone the project")]);
  });

  test.skipIf(missing("shellcheck") !== "")(`shellcheck finds nothing${missing("shellcheck")}`, async () => {
    expect((await home.runAsync(["shellcheck", script])).stdout).toBe("");
  });
});
