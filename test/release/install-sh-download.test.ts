/** Where install.sh gets its archive from: a download, another machine's archive, or a folder with the release. */
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { home as publishedHome } from "../../src/version.ts";
import { releaseAsync, serve, withChecksums } from "./installer.ts";
import { canInstall, homes, missing } from "./install-sh-homes.ts";

const run = homes();

describe.skipIf(!canInstall)("install.sh", () => {
  describe("the download", () => {
    /** A PATH with the programs of this machine but one. */
    async function withoutAsync(program: string): Promise<string> {
      const folder = run.home.path(`without-${program}`);
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
        const { exitCode, stderr } = await run.home.installAsync({ env });
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
        expect((await run.home.installAsync({ env })).exitCode).toBe(0);
        expect(server.asked[1]).toEndWith(".tar.xz");
        const without = await run.home.installAsync({ env: { ...env, PATH: await withoutAsync("xz") } });
        expect([without.exitCode, server.asked[3]]).toEqual([0, expect.stringMatching(/\.tar\.gz$/)]);
        expect((await run.home.runAsync([run.home.sb])).stdout).toBe("1.2.3\n");
      },
    );

    test("is given up where the network stands still, and shows its progress only on a terminal", async () => {
      await run.home.replaceAsync({ curl: `echo "$@" >>${run.home.path("asked")}; exit 1` });
      expect((await run.home.installAsync()).exitCode).toBe(1);
      const asked = await Bun.file(run.home.path("asked")).text();
      expect(asked).toContain("-s --connect-timeout 20 --speed-limit 1000 --speed-time 30");
    });

    test("that was killed leaves nothing for long", async () => {
      const [old, young] = ["old", "young"].map((name) => join(dirname(run.home.sb), `.sb-install.${name}`));
      for (const path of [old, young]) await mkdir(path ?? "", { recursive: true });
      await utimes(old ?? "", new Date("2020-01-01"), new Date("2020-01-01"));
      await run.home.installAsync();
      expect(await run.home.installedAsync()).toEqual([".sb-install.young", "sb", "studio-bridge"]);
      await run.home.installAsync({ args: ["--uninstall"] });
      expect(await run.home.installedAsync()).toEqual([]);
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
      await run.home.replaceAsync(programs);
      expect((await run.home.installAsync()).stderr).toContain(says);
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
      await run.home.replaceAsync({ curl: "echo asked >&2; exit 7", wget: "echo asked >&2; exit 7" });
      const { exitCode, stderr } = await run.home.installAsync({ env: { SB_INSTALL_BASE_URL: url } });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: .*must be (an )?https/);
    });

    test.skipIf(missing("curl") !== "")(`may not lead elsewhere${missing("curl")}`, async () => {
      using elsewhere = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: (request) => Response.redirect(run.server.url + new URL(request.url).pathname),
      });
      const asked = run.server.asked.length;
      const { exitCode } = await run.home.installAsync({
        env: { SB_INSTALL_BASE_URL: `http://127.0.0.1:${elsewhere.port}` },
      });
      expect([exitCode, run.server.asked.length]).toEqual([1, asked]);
    });

    test("is needed while the project has no home", async () => {
      const { exitCode, stderr } = await run.home.installAsync({ env: { SB_INSTALL_BASE_URL: undefined } });
      expect(publishedHome).toBe("");
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("this build has no home")]);
    });

    test("must have the version that is asked for", async () => {
      const { exitCode, stderr } = await run.home.installAsync({ args: ["--version", "1.0.0"] });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("has version 1.2.3, not 1.0.0")]);
    });
  });
});
