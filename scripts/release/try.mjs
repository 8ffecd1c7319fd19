// Installs a release as people do, and runs what was installed. `node scripts/release/try.mjs DIR`, where DIR has the files
// of the release; it imports only what Node has, so that it runs on any system without installing anything.
import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

const isWindows = process.platform === "win32";
const release = resolve(process.argv[2] ?? "release");
const folder = mkdtempSync(join(tmpdir(), "sb-try-"));
const sb = join(folder, isWindows ? "sb.exe" : "sb");

/** Resolves to what a program printed; a program that fails, or that does not end in time, ends the trial. */
function runAsync(program, args, { env = {}, input = "" } = {}) {
  return new Promise((resolveRun, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "inherit"],
      timeout: 120_000,
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (part) => (stdout += part));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolveRun(stdout);
      else reject(new Error(`${basename(program)} ${args.join(" ")} ended with ${code ?? signal}:\n${stdout}`));
    });
    child.stdin.end(input);
  });
}

function serveAsync() {
  const server = createServer((request, response) => {
    const path = join(release, basename(new URL(request.url, "http://localhost").pathname));
    if (!existsSync(path)) return response.writeHead(404).end();
    createReadStream(path).pipe(response.writeHead(200));
  });
  return new Promise((started) => server.listen(0, "127.0.0.1", () => started(server)));
}

async function installAsync(url) {
  const env = { SB_INSTALL_BASE_URL: url };
  if (!isWindows)
    return runAsync("sh", [join(release, "install.sh"), "--dir", folder, "--no-modify-path"], { env });
  const options = ["-NoProfile", "-ExecutionPolicy", "Bypass", "-File", join(release, "install.ps1")];
  return runAsync("powershell", [...options, "-Dir", folder, "-NoModifyPath"], { env });
}

function expect(what, found, wanted) {
  if (!found.includes(wanted)) throw new Error(`${what} printed ${JSON.stringify(found)}, without ${wanted}`);
  console.log(`ok  ${what}`);
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "try", version: "1" } },
};

async function tryAsync(url) {
  await installAsync(url);
  const version = await runAsync(sb, ["version", "--json"]);
  console.log(version.trim());
  expect("sb --version", await runAsync(sb, ["--version"]), JSON.parse(version).version);
  writeFileSync(join(folder, "answer.luau"), "print(6 * 7)\n");
  expect("sb run --headless", await runAsync(sb, ["run", "--headless", "answer.luau"]), "42");
  expect("sb exec --headless", await runAsync(sb, ["exec", "--headless", "return game.ClassName"]), "DataModel");
  const lines = await runAsync(sb, ["mcp"], { input: `${JSON.stringify(initialize)}\n` });
  expect("sb mcp", lines, '"serverInfo"');
}

const server = await serveAsync();
try {
  await tryAsync(`http://127.0.0.1:${server.address().port}`);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
