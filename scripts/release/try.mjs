// Installs a release as people do, with its installer and with npm, and runs what was installed. `node scripts/release/try.mjs
// DIR EXTRAS`, where `npm run release` wrote both; it imports only what Node has, so that it runs on any system as it is.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gunzipSync } from "node:zlib";

const isWindows = process.platform === "win32";
const release = resolve(process.argv[2] ?? "release");
const packages = join(resolve(process.argv[3] ?? "extras"), "npm");
const folder = mkdtempSync(join(tmpdir(), "sb-try-"));
const sb = join(folder, isWindows ? "sb.exe" : "sb");

/** Resolves to what a program printed; a program that fails, or that does not end in time, ends the trial. */
function runAsync(program, args, { env = {}, input = "", cwd = folder, shell = false } = {}) {
  return new Promise((resolveRun, reject) => {
    const child = spawn(program, args, {
      cwd,
      shell,
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

/** The manifest of a package is its first file, which the first bytes of the archive hold. */
function manifestOf(file) {
  const start = readFileSync(join(packages, file)).subarray(0, 65_536);
  const tar = gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  return JSON.parse(tar.toString("utf8", 512, 512 + Number.parseInt(tar.toString("latin1", 124, 135), 8)));
}

/** What npm's registry would answer for a name; undefined for one that the release does not have. */
function registryEntry(name, url) {
  const files = readdirSync(packages).filter((each) => each.endsWith(".tgz"));
  const file = files.find((each) => manifestOf(each).name === name);
  if (file === undefined) return undefined;
  const manifest = manifestOf(file);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(join(packages, file))).digest("base64")}`;
  const version = { ...manifest, dist: { tarball: `${url}/${file}`, integrity } };
  return { name, "dist-tags": { latest: manifest.version }, versions: { [manifest.version]: version } };
}

/** Files of both folders by their names, and under `/npm` a registry. */
function serveAsync() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname.startsWith("/npm/")) {
      const entry = registryEntry(decodeURIComponent(pathname.slice(5)), `http://${request.headers.host}`);
      return response.writeHead(entry === undefined ? 404 : 200).end(JSON.stringify(entry ?? {}));
    }
    const path = [release, packages].map((each) => join(each, basename(pathname))).find(existsSync);
    if (path === undefined) return response.writeHead(404).end();
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
  const pictures = join(folder, "menu-test");
  cpSync(fileURLToPath(new URL("../../examples/menu-test", import.meta.url)), pictures, { recursive: true });
  const pictureEnv = { cwd: pictures, env: { CI: "1" } };
  expect("the same pictures", await runAsync(sb, ["test"], pictureEnv), "3 passed");
  const lines = await runAsync(sb, ["mcp"], { input: `${JSON.stringify(initialize)}\n` });
  expect("sb mcp", lines, '"serverInfo"');
}

/** The programs of npm are scripts on Windows, which only a shell can start. */
async function tryNpmAsync(url) {
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  const options = { cwd: project, shell: isWindows };
  const flags = ["--no-audit", "--no-fund", "--registry", `${url}/npm/`];
  await runAsync("npm", ["install", ...flags, "studio-bridge"], options);
  const launched = await runAsync("npx", ["--no-install", "sb", "version", "--json"], options);
  const { version } = JSON.parse(await runAsync(sb, ["version", "--json"]));
  expect("sb of the npm packages", launched, version);
}

const server = await serveAsync();
try {
  const url = `http://127.0.0.1:${server.address().port}`;
  await tryAsync(url);
  await tryNpmAsync(url);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
