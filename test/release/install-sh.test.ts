/** install.sh as people run it, over a local server with a small stand-in for sb. */
import { describe, expect, test } from "bun:test";
import { chmod, copyFile, mkdir, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tarGzAsync } from "../../scripts/release/archive.ts";
import { packTar } from "modern-tar";
import { underPermissions } from "../processes.ts";
import { releaseAsync, script, serve, standIn, withChecksums } from "./installer.ts";
import { archive, canInstall, homes, missing, system } from "./install-sh-homes.ts";

const run = homes();

describe.skipIf(!canInstall)("install.sh", () => {
  describe("installs", () => {
    const shells = [["dash"], ["bash"], ["busybox", "sh"], ["zsh", "--emulate", "sh"]] as const;
    for (const shell of shells)
      test.skipIf(missing(shell[0]) !== "")(`with ${shell[0]}${missing(shell[0])}`, async () => {
        const { exitCode, stderr } = await run.home.installAsync({ shell });
        expect(stderr).toContain(`downloading studio-bridge 1.2.3 for ${system}`);
        expect([exitCode, await run.home.installedAsync()]).toEqual([0, ["sb", "studio-bridge"]]);
        expect((await run.home.runAsync([run.home.sb])).stdout).toBe("1.2.3\n");
        expect(await readlink(join(run.home.sb, "..", "studio-bridge"))).toBe("sb");
      });

    test("from a pipe, with options", async () => {
      const text = await Bun.file(script).text();
      const { exitCode } = await run.home.installAsync({
        script: text,
        args: ["--dir", "tools", "--version=v1.2.3"],
      });
      expect([exitCode, await run.home.installedAsync(run.home.path("tools"))]).toEqual([
        0,
        ["sb", "studio-bridge"],
      ]);
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
      await mkdir(run.home.path("only"));
      for (const tool of [...tools, ...more]) {
        const path = Bun.which(tool);
        if (path !== null) await run.home.runAsync(["ln", "-s", path, run.home.path("only", tool)]);
      }
      const { exitCode, stderr } = await run.home.installAsync({ env: { PATH: run.home.path("only") } });
      expect([stderr, exitCode]).toEqual([expect.stringContaining("installed"), 0]);
    });

    test("into a folder with a space in its name, and into one that --prefix names", async () => {
      await run.home.installAsync({ args: ["--dir", run.home.path("my tools")] });
      await run.home.installAsync({ args: ["--prefix", run.home.path("local")] });
      expect(await run.home.installedAsync(run.home.path("my tools"))).toEqual(["sb", "studio-bridge"]);
      expect(await run.home.installedAsync(run.home.path("local", "bin"))).toEqual(["sb", "studio-bridge"]);
    });

    test("over an sb that runs", async () => {
      await mkdir(join(run.home.sb, ".."), { recursive: true });
      const program = Buffer.concat([
        await Bun.file(Bun.which("sleep") ?? "").bytes(),
        Buffer.from("studio-bridge"),
      ]);
      await Bun.write(run.home.sb, program);
      await chmod(run.home.sb, 0o755);
      await using running = Bun.spawn([run.home.sb, "60"]);
      const { exitCode } = await run.home.installAsync();
      expect([exitCode, running.exitCode, (await run.home.runAsync([run.home.sb])).stdout]).toEqual([
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
      await run.home.writeAsync(".local/bin/sb", old, 0o755);
      const { exitCode, stderr } = await run.home.installAsync({ env: { SB_INSTALL_BASE_URL: other.url } });
      expect(exitCode).toBe(1);
      expect(await run.home.installedAsync()).toEqual(["sb"]);
      expect(await Bun.file(run.home.sb).text()).toBe(old);
      expect(await Bun.file(run.home.path(".bashrc")).exists()).toBe(false);
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
      const { exitCode, stderr } = await run.home.installAsync({ env: { SB_INSTALL_BASE_URL: gone.url } });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Check the network")]);
    });
  });

  const canMount =
    Bun.spawnSync(["unshare", "-rm", "sh", "-c", "mount -t tmpfs none /mnt"]).exitCode === 0
      ? ""
      : " (skipped: no unshare)";
  test.skipIf(canMount !== "")(`a disk without room is told${canMount}`, async () => {
    await mkdir(run.home.path("disk"));
    const files = await releaseAsync("1.2.3");
    const data = new Uint8Array(300_000);
    const large = await tarGzAsync([{ name: "sb", data, isExecutable: true }]);
    using other = serve(withChecksums(files.set(archive, large)));
    const inner = `mount -t tmpfs -o size=100k none '${run.home.path("disk")}' && sh '${script}' --dir '${run.home.path("disk")}'; code=$?; ls -A '${run.home.path("disk")}'; exit $code`;
    const { exitCode, stderr, stdout } = await run.home.runAsync(["unshare", "-rm", "sh", "-c", inner], {
      SB_INSTALL_BASE_URL: other.url,
    });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Is there room in");
  });

  test("a script that was cut off anywhere does nothing", async () => {
    const text = await Bun.file(script).bytes();
    const asked = run.server.asked.length;
    const lengths = Array.from({ length: text.length }, (_, length) => length).filter(
      (length) => length % 131 === 0 || (length > text.length - 60 && length < text.length - 1),
    );
    for (const length of lengths) await run.home.installAsync({ script: text.slice(0, length) });
    expect(lengths.length).toBeGreaterThan(100);
    expect([await run.home.installedAsync(), run.server.asked.length]).toEqual([[], asked]);
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
          if (shell !== "fish") await run.home.writeAsync(file, before);
          await run.home.installAsync({ env });
          await run.home.installAsync({ env });
          const start = await Bun.file(run.home.path(file)).text();
          expect(start.match(/# studio-bridge$/gm)).toHaveLength(1);
          expect((await run.home.runAsync(ask, { PATH: "/usr/bin:/bin" })).stdout.trim()).toBe(run.home.sb);

          const { exitCode } = await run.home.installAsync({ env, args: ["--uninstall"] });
          expect([exitCode, await run.home.installedAsync()]).toEqual([0, []]);
          const after = Bun.file(run.home.path(file));
          expect((await after.exists()) ? (await after.text()).trim() : "").toBe(
            shell === "fish" ? "" : before,
          );
        },
      );

    test("is left alone with --no-modify-path, and the line is shown", async () => {
      const { stderr } = await run.home.installAsync({ args: ["--no-modify-path"] });
      expect(stderr).toContain('export PATH="$HOME/.local/bin:$PATH"');
      expect(await Bun.file(run.home.path(".bashrc")).exists()).toBe(false);
    });

    test("is left alone for a folder whose name a start file would run", async () => {
      const { exitCode, stderr } = await run.home.installAsync({
        args: ["--dir", run.home.path("$(touch x)")],
      });
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("is not on your PATH")]);
      expect(await Bun.file(run.home.path(".bashrc")).exists()).toBe(false);
    });

    test("is left alone where the folder is on it", async () => {
      const { stderr } = await run.home.installAsync({
        env: { PATH: `${join(run.home.sb, "..")}:/usr/bin:/bin` },
      });
      expect(stderr).not.toContain("PATH");
    });

    test("with another sb in front of ours is named, since that one would run", async () => {
      const other = dirname(await run.home.writeAsync("other/sb", standIn("0.0.1"), 0o755));
      const own = dirname(run.home.sb);
      const first = await run.home.installAsync({ env: { PATH: `${other}:${own}:/usr/bin:/bin` } });
      expect(first.stderr).toContain(`warning: ${other}/sb comes first on your PATH`);
      const last = await run.home.installAsync({ env: { PATH: `${own}:${other}:/usr/bin:/bin` } });
      expect([last.exitCode, last.stderr.includes("warning")]).toEqual([0, false]);
    });

    test("of fish is not changed beyond the line that is taken back", async () => {
      await run.home.installAsync({ env: { SHELL: "/usr/bin/fish" } });
      const line = await Bun.file(run.home.path(".config/fish/conf.d/studio-bridge.fish")).text();
      expect(line).toBe('fish_add_path --path "$HOME/.local/bin" # studio-bridge\n');
    });

    test("of later steps is extended in GitHub Actions", async () => {
      await run.home.installAsync({ env: { GITHUB_PATH: run.home.path("path") } });
      expect(await Bun.file(run.home.path("path")).text()).toBe(`${join(run.home.sb, "..")}\n`);
      expect(await Bun.file(run.home.path(".bashrc")).exists()).toBe(false);
    });
  });

  test.each([
    ["an unknown option", ["--bogus"]],
    ["an option without its value", ["--dir"]],
    ["an empty folder", ["--dir="]],
    ["a version that is a path", ["--version", "../../x"]],
  ])("%s is wrong usage", async (_, args) => {
    expect((await run.home.installAsync({ args })).exitCode).toBe(2);
  });

  test("help fits 61 columns and names every option", async () => {
    const { stdout, exitCode } = await run.home.installAsync({ args: ["--help"] });
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
    const without = await run.home.installAsync({ env: { HOME: undefined } });
    expect([without.exitCode, without.stderr]).toEqual([1, expect.stringContaining("--dir DIR")]);
    const named = await run.home.installAsync({
      env: { HOME: undefined },
      args: ["--dir", run.home.path("bin")],
    });
    expect(named.exitCode).toBe(0);
  });

  test("another program of the name, or a folder, is never replaced nor removed", async () => {
    await run.home.writeAsync(".local/bin/sb", "#!/bin/sh\necho mine\n", 0o755);
    expect((await run.home.installAsync()).stderr).toContain("is another program");
    await run.home.installAsync({ args: ["--uninstall"] });
    expect((await run.home.runAsync([run.home.sb])).stdout).toBe("mine\n");
    await mkdir(run.home.path("bin", "sb"), { recursive: true });
    expect((await run.home.installAsync({ args: ["--dir", "bin"] })).stderr).toContain("is a folder");
  });

  const guarded = underPermissions === undefined ? " (skipped: root cannot be held to permissions)" : "";
  test.skipIf(guarded !== "")(`a folder that cannot be written to is told${guarded}`, async () => {
    await mkdir(run.home.path("locked"));
    await chmod(run.home.path("locked"), 0o555);
    for (const folder of ["locked", "locked/below"]) {
      const outcome = await run.home.installAsync({ under: underPermissions ?? [], args: ["--dir", folder] });
      expect([outcome.exitCode, outcome.stderr]).toEqual([
        1,
        expect.stringContaining("Choose another place"),
      ]);
    }
  });

  test("--from-source builds the checkout that the script is in, and refuses elsewhere", async () => {
    await run.home.writeAsync("checkout/scripts/bootstrap.mjs", "");
    await run.home.replaceAsync({
      npm: `mkdir dist && printf '%s' '${standIn("3.2.1")}' >dist/sb && chmod 755 dist/sb`,
    });
    await copyFile(script, run.home.path("checkout", "install.sh"));
    const words = ["sh", run.home.path("checkout", "install.sh"), "--from-source"];
    const { exitCode } = await run.home.runAsync(words, { SB_INSTALL_BASE_URL: "" });
    expect([exitCode, (await run.home.runAsync([run.home.sb])).stdout]).toEqual([0, "3.2.1\n"]);

    const text = await Bun.file(script).text();
    const piped = await run.home.installAsync({ script: text, args: ["--from-source"] });
    expect([piped.exitCode, piped.stderr]).toEqual([1, expect.stringContaining("Clone the project")]);
  });

  test.skipIf(missing("shellcheck") !== "")(`shellcheck finds nothing${missing("shellcheck")}`, async () => {
    expect((await run.home.runAsync(["shellcheck", script])).stdout).toBe("");
  });
});
