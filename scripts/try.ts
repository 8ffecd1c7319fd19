/** The first try: builds `sb`, runs the example script on headless Studio, and says how to go on. */
import { join, relative } from "node:path";
import { binaryPath, buildAsync } from "../build.ts";

const root = join(import.meta.dir, "..");
const example = join("examples", "hello.luau");

console.error("Building sb …");
await buildAsync();

const sb = `./${relative(root, binaryPath).replaceAll("\\", "/")}`;
console.error(`\n$ ${sb} run --headless ${example}`);
const child = Bun.spawn([binaryPath, "run", "--headless", example], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
});
process.exitCode = await child.exited;

if (process.exitCode === 0) {
  console.error(`
That script ran in headless Studio: a real Luau VM over a simulated engine. Go on with

  ${sb} exec --headless 'return workspace:GetChildren()'
  ${sb} headless --detach        a headless Studio that stays; then ${sb} exec, logs, query
  ${sb} --help                   everything else
`);
}
